"""The events of a session as updates of the Agent Client Protocol: what an editor or a chat shows of a run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from smolcell.core.prompt import fenced
from smolcell.environment import importing
from smolcell.events import (
    Allowed,
    Answered,
    Asked,
    Branched,
    Called,
    Checked,
    Connected,
    Delta,
    Ended,
    Event,
    Granted,
    Installed,
    Observed,
    Opened,
    Proposed,
    Refused,
    Replied,
    Trimmed,
    Undone,
    Unparsed,
    from_json,
    to_json,
)
from smolcell.interop.answers import findings, prose, shown, title
from smolcell.redaction import Stream, redact, redact_event
from smolcell.text import clip, visible
from smolcell.views.outputs import IMAGES, is_shown
from smolcell.views.terminal_render import lines
from smolcell.worker.supervisor.meters import last_state

with importing():
    import acp
    from acp import schema

MAX_OUTPUT = 20_000  # characters of a step's output in one update
_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(.*\S)")

Update = Any
"""A model of ``acp.schema`` that ``session/update`` takes."""


class Updates:
    """Turns events into updates, in order. One object for one session.

    Args:
        replayed: the events are of a journal: tasks are told too, since the client has not seen them.
        in_words: a proposal is also told as a message, whole: many clients ask for permission without showing a call's content.
    """

    def __init__(self, *, replayed: bool = False, in_words: bool = True) -> None:
        self._replayed, self._in_words = replayed, in_words
        self._agents: dict[str, str] = {}  # names of managed agents, by run
        self._texts: dict[str, str] = {}  # of proposals under way, as Markdown, by the id of their call
        self._printed: dict[str, str] = {}
        self._reasoning = Stream()
        self._plan: list[str] = []

    def of(self, event: Event | Delta) -> Iterator[Update]:
        """The updates of one event."""
        if isinstance(event, Delta):
            yield from self._delta(event)
            return
        if rest := self._reasoning.end():
            yield acp.update_agent_thought_text(prose(rest))
        clean = event if isinstance(event, Proposed) else from_json(redact_event(to_json(event)))
        yield from self._event(clean)

    def _event(self, event: Event) -> Iterator[Update]:
        match event:
            case Asked():
                if event.parent:
                    self._agents[event.run] = event.agent
                elif self._replayed:
                    yield acp.update_user_message_text(prose(event.task))
            case Proposed():
                yield from self._proposed(event)
            case Allowed():
                yield from self._allowed(event)
            case Refused():
                yield from self._refused(event)
            case Observed():
                yield from self._observed(event)
            case Answered() if event.run not in self._agents:
                yield acp.update_agent_message_text(prose(event.text) if event.is_text else fenced(visible(event.text)))
            case Ended() if event.run not in self._agents:
                yield from self._ended(event)
            case Replied() if event.window:
                used = min(event.usage.total_tokens, event.window)
                yield schema.UsageUpdate(session_update="usage_update", used=used, size=event.window)
            case (
                Branched()
                | Called()
                | Checked()
                | Connected()
                | Granted()
                | Installed()
                | Opened()
                | Trimmed()
                | Undone()
                | Unparsed()
            ):
                said = "\n".join(line.margin.replace("│", "").strip() + line.text for line in lines(event))
                yield acp.update_agent_thought_text(f"{prose(said)}\n")

    def _delta(self, delta: Delta) -> Iterator[Update]:
        if delta.channel == "reasoning":
            if text := self._reasoning.feed(delta.text):
                yield acp.update_agent_thought_text(prose(text))
        elif delta.channel in ("progress", "discarded"):
            yield acp.update_agent_thought_text(f"{prose(redact(delta.text))}\n")
        elif delta.channel == "output":
            place = f"{delta.run}-{delta.step}-0"
            self._printed[place] = (self._printed.get(place, "") + delta.text)[-MAX_OUTPUT:]
            yield acp.update_tool_call(place, content=self._content(place, redact(self._printed[place])))

    def _proposed(self, event: Proposed) -> Iterator[Update]:
        told = [prose(event.thought.strip()), shown(event) if self._in_words else ""]
        if text := "\n\n".join(part for part in told if part):
            yield acp.update_agent_message_text(f"{text}\n\n")
        yield self.start(event)

    def start(self, event: Proposed) -> schema.ToolCallStart:
        """The beginning of what a proposal asks about, with its whole text."""
        place = place_of(event)
        self._texts[place] = shown(event)
        return acp.start_tool_call(
            place,
            title(event, self._agents.get(event.run, "")),
            kind="execute" if event.kind in ("code", "call") else "think" if event.kind == "plan" else "other",
            status="pending",
            content=self._content(place),
            raw_input=raw_input(event),
        )

    def _allowed(self, event: Allowed) -> Iterator[Update]:
        place = place_of(event)
        if event.edited:
            self._texts[place] = fenced(visible(event.text), "python")
        runs = event.kind in ("code", "call")
        status: schema.ToolCallStatus = "in_progress" if runs else "completed"
        content = self._content(place) if event.edited else None
        yield acp.update_tool_call(place, status=status, content=content)
        if event.kind == "plan":
            self._plan = [found[1] for line in event.text.split("\n") if (found := _ITEM.fullmatch(line))]
            yield from self._planned("pending")

    def _planned(self, status: schema.PlanEntryStatus) -> Iterator[Update]:
        if self._plan:
            yield acp.update_plan(acp.plan_entry(visible(item), status=status) for item in self._plan)

    def _refused(self, event: Refused) -> Iterator[Update]:
        place = place_of(event)
        said = f"Refused by {event.by}{': ' if event.reason else ''}{event.reason}"
        yield acp.update_tool_call(place, status="failed", content=self._content(place, said), raw_output=visible(said))
        self._forget(place)

    def _observed(self, event: Observed) -> Iterator[Update]:
        place = place_of(event)
        stdout = last_state(event.stdout.replace("\r\n", "\n")).replace("\r", "")
        texts = [stdout.rstrip("\n"), "" if event.is_final_answer else event.result]
        if event.error is not None:
            texts.append(event.error.traceback or str(event.error))
            texts.append(event.error.hint)
        said = "\n".join(text for text in texts if text)
        content = self._content(place, said)
        for bundle in event.outputs:
            image = next((mime for mime in IMAGES if is_shown(mime, bundle.data.get(mime, ""))), "")
            if image:
                data = "".join(bundle.data[image].split())
                content.append(acp.tool_content(acp.image_block(data, image)))
            elif (text := bundle.data.get("text/plain", "")) and text != event.result:
                content.append(acp.tool_content(acp.text_block(fenced(visible(clip(text, MAX_OUTPUT))))))
        status: schema.ToolCallStatus = "failed" if event.error is not None else "completed"
        yield acp.update_tool_call(place, status=status, content=content, raw_output=visible(clip(said, MAX_OUTPUT)))
        self._forget(place)

    def _ended(self, event: Ended) -> Iterator[Update]:
        if event.state == "success":
            yield from self._planned("completed")
        elif event.error:
            yield acp.update_agent_message_text(f"\n\n{prose(event.error)}\n")
        self._plan = []
        self._texts.clear()
        self._printed.clear()

    def _content(self, place: str, output: str = "") -> list[schema.ContentToolCallContent]:
        texts = [self._texts.get(place, ""), fenced(visible(clip(output, MAX_OUTPUT))) if output.strip() else ""]
        return [acp.tool_content(acp.text_block(text)) for text in texts if text]

    def _forget(self, place: str) -> None:
        self._texts.pop(place, None)
        self._printed.pop(place, None)


def place_of(event: Proposed | Allowed | Refused | Observed) -> str:
    """The id of the tool call that an event belongs to."""
    return f"{event.run}-{event.step}-{event.call}"


def raw_input(event: Proposed) -> dict[str, Any]:
    """A proposal for clients that show a call's arguments and not its content: all of its text, and its findings."""
    told: dict[str, Any] = {"code" if event.kind in ("code", "call") else event.kind: visible(event.text)}
    if found := list(findings(event.findings)):
        told["findings"] = found
    if event.why:
        told["why"] = visible(event.why)
    return json.loads(json.dumps(told))  # type: ignore[no-any-return]
