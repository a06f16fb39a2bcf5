"""The span tree of runs, as a fold of events. Pure: live export and journal give the same tree.

Invariants:

* Any sequence of events gives a tree in which every span is closed and lies within its parent.
* Attributes contain content only if ``content`` is true. All texts are redacted and bounded.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from smolcell.core.receipt import Waits
from smolcell.core.redaction import redact
from smolcell.core.text import clip, presentable, sendable
from smolcell.events import (
    DIRECT_RUN,
    Allowed,
    Answered,
    Asked,
    Called,
    Ended,
    Event,
    Observed,
    Opened,
    Proposed,
    Refused,
    Replied,
    Unparsed,
    call_of,
)
from smolcell.telemetry import names

_MAX_NAME_CHARS = 200  # characters of a name
_MAX_CONTENT_CHARS = 20_000  # characters of content
_MAX_DURATION_SECONDS = 1e8  # seconds


@dataclass(slots=True, kw_only=True)
class Span:
    """One span. Times are seconds since 1970; ``end`` is None while it is open.

    ``key`` is unique in the tree; ``parent`` is the key of the parent or ""; ``root`` is the run that the tree belongs to;
    ``link`` is the key of a span that this one continues, or "".
    """

    key: str
    parent: str
    root: str
    name: str
    start: float
    end: float | None = None
    attributes: dict[str, Any] = field(default_factory=dict)
    error: str = ""
    link: str = ""


@dataclass(slots=True)
class _RunSpan:
    span: Span
    name: str = ""
    model: str = ""
    last: float = 0.0
    about: dict[str, Any] = field(default_factory=dict)  # attributes for its steps: their sandbox


Slot = tuple[str, str, int, int]  # run, kind, step, call


class Tree:
    """Folds events to spans.

    Args:
        content: whether spans contain task, replies, code and output, redacted and bounded.
    """

    def __init__(self, *, content: bool = False) -> None:
        self._content = content
        self._now = 0.0
        self._runs: dict[str, _RunSpan] = {}
        self._open: dict[Slot, Span] = {}  # in order of opening
        self._count: dict[str, int] = {}
        self._changed: list[Span] = []
        self._waits = Waits()
        self._waited = 0.0  # for the decision that this event is

    def add(self, event: Event, at: float) -> list[Span]:
        """Add the next event; returns the spans it opened or closed, parents opened first and closed last."""
        self._now = max(self._now, at)
        self._changed = []
        self._waited = self._waits.note(event, self._now) or 0.0
        if isinstance(event, Asked):
            self._begin(event)
        elif isinstance(event, Ended):
            self._end(event)
        elif event.run != DIRECT_RUN:  # direct calls by the user belong to no run
            run = self._run(event.run)
            self._take(event, run)
            run.last = self._now
        return self._changed

    def end(self) -> list[Span]:
        """Close every open span, after the last event."""
        self._changed = []
        for slot in list(self._open):
            self._close(slot, error="unfinished")
        return self._changed

    # --- runs ---------------------------------------------------------------------------------------------------------

    def _run(self, name: str) -> _RunSpan:
        if name not in self._runs:  # the journal's line with its task is missing
            self._begin(Asked(run=name, task=""))
        return self._runs[name]

    def _begin(self, event: Asked) -> None:
        self._close_run(event.run, error="unfinished")
        parent = self._caller(event)
        model = _name(event.model)
        attributes: dict[str, Any] = {
            names.OPERATION: names.INVOKE_AGENT,
            names.PROVIDER: provider(event.model),
            names.REQUEST_MODEL: model,
            names.AGENT: _name(event.agent),
            names.CONVERSATION: _name(event.session),
            "smolcell.run": _name(event.run),
            "smolcell.sandbox": _name(event.sandbox),
            "smolcell.approve": _name(event.approve),
            "smolcell.resumes": _name(event.resumes),
        }
        if self._content:
            attributes[names.INPUT_MESSAGES] = _message("user", event.task)
        name = f"{names.INVOKE_AGENT} {_name(event.agent)}".strip()
        span = self._open_span((event.run, "run", 0, 0), name, parent, attributes)
        span.link = f"{event.resumes}#0" if event.resumes else ""
        self._runs[event.run] = _RunSpan(span, attributes["smolcell.run"], model, self._now)

    def _caller(self, event: Asked) -> Span | None:
        """Return the open span of the step or call that a managed agent works for."""
        slots = [(event.parent, "tool", event.parent_step, event.parent_call)] if event.parent_call else []
        slots += [(event.parent, "step", event.parent_step, 0), (event.parent, "run", 0, 0)]
        return next((self._open[slot] for slot in slots if slot in self._open), None)

    def _end(self, event: Ended) -> None:
        run = self._run(event.run)
        kind = error_type(event.error)
        if event.cut == "thinking":
            chat = self._chat(run, event.run, event.steps + 1, self._now - run.last)
            self._close(chat, error=kind or event.state)
        run.span.attributes |= {
            "smolcell.state": event.state,
            "smolcell.steps": event.steps,
            names.INPUT_TOKENS: event.usage.input_tokens,
            names.OUTPUT_TOKENS: event.usage.output_tokens,
            **_cost(event.usage.cost),
        }
        self._close_run(event.run, error="" if event.state == "success" else kind or event.state)

    def _close_run(self, name: str, error: str) -> None:
        self._close((name, "run", 0, 0), error=error)

    # --- events of a run -----------------------------------------------------------------------------------------------------

    def _take(self, event: Event, run: _RunSpan) -> None:
        match event:
            case Opened():
                boundary = event.boundary
                run.about = {
                    "smolcell.sandbox": _name(boundary.sandbox),
                    "smolcell.level": _name(boundary.python),
                    "smolcell.isolated": boundary.isolated,
                }
                run.span.attributes |= run.about
            case Replied():
                self._replied(event, run)
            case Unparsed():
                slot = (event.run, "unparsed", event.step, 0)
                self._open_span(slot, names.STEP, run.span, self._at(event))
                self._close(slot, error="AgentParsingError", **{"smolcell.outcome": "unparsed"})
            case Proposed():
                self._proposed(event, run)
            case Allowed() | Refused():
                self._decided(event, run)
            case Called():
                self._called(event, run)
            case Observed():
                self._observed(event, run)
            case Answered() if self._content:
                run.span.attributes[names.OUTPUT_MESSAGES] = _message("assistant", event.text, finish_reason="stop")
            case _:
                pass

    def _replied(self, event: Replied, run: _RunSpan) -> None:
        slot = self._chat(run, event.run, event.step, event.duration)
        # A reply that was cut off is an error, so other replies ended by themselves or with calls.
        reason = "tool_call" if event.calls else "stop"
        attributes: dict[str, Any] = {
            names.RESPONSE_MODEL: _name(event.model),
            names.INPUT_TOKENS: event.usage.input_tokens,
            names.OUTPUT_TOKENS: event.usage.output_tokens,
            names.FINISH_REASONS: [reason],
            **_cost(event.usage.cost),
        }
        if self._content:
            attributes[names.OUTPUT_MESSAGES] = _message("assistant", event.text, finish_reason=reason)
        self._close(slot, **attributes)

    def _chat(self, run: _RunSpan, name: str, step: int, duration: float) -> Slot:
        slot = (name, "chat", step, 0)
        attributes = {
            names.OPERATION: names.CHAT,
            names.PROVIDER: provider(run.model),
            names.REQUEST_MODEL: run.model,
            names.CONVERSATION: run.span.attributes[names.CONVERSATION],
            "smolcell.run": run.name,
            "smolcell.step": step,
        }
        self._open_span(slot, f"{names.CHAT} {run.model}".strip(), run.span, attributes, duration)
        return slot

    def _proposed(self, event: Proposed, run: _RunSpan) -> None:
        parent = self._step(event, run)
        if event.kind == "plan":
            agent = run.span.attributes[names.AGENT]
            about = {names.OPERATION: names.PLAN, names.AGENT: agent, **self._at(event)}
            parent = self._open_span((event.run, "plan", event.step, 0), f"{names.PLAN} {agent}".strip(), parent, about)
        attributes = {
            **self._at(event),
            "smolcell.kind": event.kind,
            "smolcell.findings.high": sum(finding.risk == "high" for finding in event.findings),
        }
        self._open_span((event.run, "approval", event.step, event.call), names.APPROVAL, parent, attributes)

    def _decided(self, event: Allowed | Refused, run: _RunSpan) -> None:
        slot = (event.run, "approval", event.step, event.call)
        if slot not in self._open:
            self._open_span(slot, names.APPROVAL, self._step(event, run), self._at(event))
        attributes: dict[str, Any] = {
            "smolcell.by": _name(event.by),
            "smolcell.waited": round(self._waited, 6),
        }
        plan = (event.run, "plan", event.step, 0)
        if isinstance(event, Refused):
            attributes |= {"smolcell.decision": "refused", "smolcell.then": event.then}
            self._close(slot, **attributes)
            if not event.call:
                self._close(plan, error="refused")
            return
        attributes |= {"smolcell.decision": "allowed", "smolcell.edited": event.edited, "smolcell.sha256": event.sha256}
        self._close(slot, **attributes)
        if event.kind == "plan":
            self._close(plan)
        elif event.kind == "code":
            self._open_span(
                (event.run, "step", event.step, event.call), names.STEP, run.span, {**self._at(event), **run.about}
            )
            if self._content:
                self._open[event.run, "step", event.step, event.call].attributes["smolcell.code"] = _text(event.text)
        elif event.kind == "call":
            tool = _name(event.text.partition("(")[0])
            self._open_tool((event.run, "tool", event.step, event.call), tool, self._step(event, run), event.text)

    def _called(self, event: Called, run: _RunSpan) -> None:
        slot = (event.run, "tool", event.step, event.call)
        if slot not in self._open:
            self._open_tool(slot, _name(event.name), self._step(event, run), event.text, event.duration)
        attributes: dict[str, Any] = {"smolcell.times": event.times}
        if self._content:
            attributes[names.TOOL_RESULT] = _text(event.result)
        self._close(slot, error=error_type(event.error), **attributes)

    def _open_tool(self, slot: Slot, tool: str, parent: Span, text: str, duration: float = 0.0) -> None:
        attributes = {
            names.OPERATION: names.EXECUTE_TOOL,
            names.TOOL: tool,
            names.TOOL_TYPE: "function",
            "smolcell.run": self._runs[slot[0]].name,
            "smolcell.step": slot[2],
            "smolcell.call": slot[3],
        }
        if self._content:
            attributes[names.TOOL_ARGUMENTS] = _text(text)
        self._open_span(slot, f"{names.EXECUTE_TOOL} {tool}", parent, attributes, duration)

    def _observed(self, event: Observed, run: _RunSpan) -> None:
        tool, slot = ((event.run, kind, event.step, event.call) for kind in ("tool", "step"))
        slot = tool if event.call and tool in self._open else slot
        if slot not in self._open:
            attributes = {**self._at(event), **run.about}
            self._open_span(slot, names.STEP, run.span, attributes, event.duration)
        fault = event.error
        more: dict[str, Any] = {
            "smolcell.outcome": fault.kind if fault else "success",
            "smolcell.duration": event.duration,
            "smolcell.output.size": len(redact(event.stdout)) + len(redact(event.result)) + event.dropped,
            "smolcell.answer": event.is_final_answer,
            "smolcell.state_lost": event.state_lost,
        }
        if self._content:
            more["smolcell.output"] = _text("\n".join(filter(None, (event.stdout, event.result))))
        self._close(slot, error=_name(fault.type) if fault else "", **more)

    def _step(self, event: Proposed | Allowed | Refused | Called, run: _RunSpan) -> Span:
        """Return the parent of a call: the step whose code makes it, else the run."""
        return self._open.get((event.run, "step", event.step, 0), run.span) if event.call else run.span

    def _at(self, event: Any) -> dict[str, Any]:
        known = {"smolcell.run": self._runs[event.run].name, "smolcell.step": event.step}
        return {**known, "smolcell.call": event.call} if call_of(event) else known

    # --- spans ----------------------------------------------------------------------------------------------------------

    def _open_span(
        self, slot: Slot, name: str, parent: Span | None, attributes: dict[str, Any], duration: float = 0.0
    ) -> Span:
        if slot in self._open:
            self._close(slot, error="unfinished")
        number = self._count.get(slot[0], 0)
        self._count[slot[0]] = number + 1
        earliest = parent.start if parent is not None else 0.0
        lasted = duration if 0 <= duration < _MAX_DURATION_SECONDS else 0.0
        key = f"{slot[0]}#{number}"
        span = Span(
            key=key,
            parent=parent.key if parent is not None else "",
            root=parent.root if parent is not None else slot[0],
            name=name,
            start=max(self._now - lasted, earliest),
            attributes=attributes,
        )
        self._open[slot] = span
        self._changed.append(span)
        return span

    def _close(self, slot: Slot, error: str = "", **attributes: Any) -> None:
        """Close a span and the open spans in it; does nothing if it is not open."""
        span = self._open.pop(slot, None)
        if span is None:
            return
        if slot[1] == "run":
            del self._runs[slot[0]]
        for other in reversed([each for each, child in self._open.items() if child.parent == span.key]):
            self._close(other, error=error or "unfinished")
        span.end, span.error = self._now, error
        span.attributes |= attributes
        if error:
            span.attributes[names.ERROR_TYPE] = error
        self._changed.append(span)


def spans(records: Iterable[tuple[Event, float]], *, content: bool = False) -> list[Span]:
    """Return all spans of these events with their times, in order of opening."""
    tree = Tree(content=content)
    by_id: dict[str, Span] = {}
    for event, at in records:
        by_id |= {span.key: span for span in tree.add(event, at)}
    return list((by_id | {span.key: span for span in tree.end()}).values())


def error_type(message: str) -> str:
    """Return the type in ``"ValueError: …"``; "" if there is none."""
    return _name(message.partition(":")[0]) if message else ""


def provider(model: str) -> str:
    """Return the provider in a model's name, ``provider/model``; ``other`` if there is none."""
    first, slash, _ = model.partition("/")
    return names.PROVIDERS.get(first, _name(first)) if slash else names.OTHER


def _cost(cost: float | None) -> dict[str, float]:
    return {} if cost is None else {"smolcell.cost": cost}


def _name(text: str) -> str:
    return clip(presentable(text), _MAX_NAME_CHARS)


def _text(text: str) -> str:
    return clip(sendable(redact(text)), _MAX_CONTENT_CHARS)


def _message(role: str, text: str, **more: str) -> str:
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": _text(text)}], **more}])
