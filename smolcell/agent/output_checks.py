"""Applies the output checks during one run: checks texts, asks the person, and records findings and actions.

* A finding's text is in no event, no message and no log.
* Without a decision the text is redacted. Only "refuse" rejects a step, a call or an answer; of a conversation, what the run was given.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from smolcell.agent.questions import Questions, RunEndedError
from smolcell.core import redaction
from smolcell.core import text as describe
from smolcell.core.text import clip, visible
from smolcell.events import Allowed, Checked, Fault, Observed, Offer, Proposed
from smolcell.output_checks import REFUSED, Boundary, Checks, Hides, OutputCheck, Report
from smolcell.protocols import Message

log = logging.getLogger("smolcell")
Done = Literal["pass", "redact", "refuse"]
Reject = Callable[[Any], Awaitable[str]]

REDACT = Offer(id="redact", label="Redact", done="redacted")
WHERE: Mapping[Boundary, str] = {"model": "the text for the model", "answer": "the answer", "saved": "what is saved"}
_MAX_SHOWN_CHARS = 2_000  # characters of an answer shown in the question


class TextPlace(NamedTuple):
    """Where a text that is checked goes, in which step, and to which tool."""

    at: Boundary
    step: int
    to: str = ""

    def __str__(self) -> str:
        return f"what is passed to {self.to}" if self.at == "tools" else WHERE[self.at]


class Settled(NamedTuple):
    """The spans to hide, and the reason if the text is refused as a whole; "" if not."""

    hides: Hides
    refused: str


class RunOutputChecks:
    """Applies an agent's output checks in one run.

    Args:
        checks: the agent's.
        questions: asks about findings, and records them.
    """

    def __init__(self, checks: Checks, questions: Questions) -> None:
        self.checks, self._questions, self._run = checks, questions, questions.record.asked.run
        self._reported: set[tuple[str, str, str]] = set()  # check, boundary, piece
        self._passed: set[tuple[str, str]] = set()  # pieces that a person allowed for the model
        self._asked: set[tuple[str, str]] = set()

    # --- the model ----------------------------------------------------------------------------------------------------

    def check_observation(self, observed: Observed, rejection: Fault | None = None) -> Observed:
        """Return what a step left for the model; if a check refuses it, only an error.

        Args:
            observed: the step's end.
            rejection: why its answer was refused, as the error for the model.
        """
        for one, pieces in self._find_in(observed).items():
            if "refuse" not in (one.actions.get("model"), one.actions.get("saved")) and REFUSED not in pieces:
                continue
            what = pieces.get(REFUSED) or _describe_counts(pieces)
            place = TextPlace("model" if "model" in one.actions else "saved", observed.step)
            self._report(one, pieces, place, "refuse")
            message = f"the output of this step was refused by {one.name}: {what}. Print less, or a summary without it"
            fault = rejection or Fault(kind="python", type="OutputRefused", message=message)
            return Observed(
                run=observed.run, step=observed.step, call=observed.call, error=fault, duration=observed.duration,
                changed=observed.changed, state_lost=observed.state_lost,
            )  # fmt: skip
        return observed if rejection is None else replace(observed, error=rejection)

    def _find_in(self, observed: Observed) -> Report:
        error = observed.error
        texts = [
            observed.stdout,
            "" if observed.is_final_answer else observed.result,
            *(f.name for f in observed.files),
        ]
        texts += [error.message, error.traceback] if error is not None else []
        texts += [text for bundle in observed.outputs for mime, text in bundle.data.items() if mime.startswith("text/")]
        report: Report = {}
        for text in filter(None, texts):
            for at in ("model", "saved"):
                self.checks.note(text, at, report)
        return report

    async def redact_messages(self, step: int, messages: Sequence[Message], given: Sequence[Message]) -> list[Message]:
        """Return the messages, redacted, as they may be sent.

        Args:
            step: the step they are for.
            messages: the conversation.
            given: what the user gives this run. Only this is refused: the rest of a conversation cannot be changed any more.

        Raises:
            RunEndedError: a check refuses what was given, or the person stopped the run.
        """
        place = TextPlace("model", step)
        for one, pieces in self._report_on(given).items():
            if one.actions["model"] == "refuse" or REFUSED in pieces:
                refused = self._refuse(one, pieces, place)
                raise RunEndedError("refused", f"{refused}: take it out of the task, its variables or files")
        report = self._report_on(messages)
        outcome = await self._settle(report, place)
        if not report:
            return list(messages)

        def change(text: str) -> str:
            return self.checks.conceal(text, "model", lambda one, piece: not one.is_size and outcome.hides(one, piece))

        return [each_text(message, change) for message in messages]

    def _report_on(self, messages: Sequence[Message]) -> Report:
        report: Report = {}
        for message in messages:
            found: Report = {}
            for text in _texts_of(message):
                self.checks.note(text, "model", found)
            for one, pieces in found.items():
                if not one.is_size and not (message.role == "assistant" and one.actions["model"] == "refuse"):
                    report.setdefault(one, {}).update(pieces)
        return report

    # --- the answer and the tools -------------------------------------------------------------------------------------

    async def check_answer(self, step: int, given: Any, reject: Reject | None = None) -> tuple[Any, str]:
        """Return the answer, redacted, and ""; or the answer and the reason for the model why it is refused.

        Args:
            step: the step that answers.
            given: the answer.
            reject: returns why the user's checks reject it; "" if they do not.

        Raises:
            RunEndedError: the person stopped the run.
        """
        value, unfit = self.checks.read(given)
        for one, why in unfit:
            if one.actions["answer"] == "refuse":
                return given, f"the answer was not accepted by {one.name}: {why}"
        if reject is not None and (why := await reject(value)):
            return given, why
        report = self.checks.report(given, "answer")
        report.update({one: {REFUSED: visible(why)} for one, why in unfit})
        if not report:
            return value, ""
        outcome = await self._settle(report, TextPlace("answer", step), given)
        if outcome.refused:
            return given, outcome.refused
        changed = self.checks.conceal_value(given, "answer", outcome.hides, report)
        if changed is given:
            return value, ""
        again, unfit = self.checks.read(changed)
        lost = [why for one, why in unfit if one.actions["answer"] == "refuse"]
        return again, f"the answer does not fit once it is redacted: {lost[0]}" if lost else ""

    async def check_arguments(self, step: int, tool: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Return the arguments of a call, redacted, as a pair of positional and named ones; or, as a text, why they are refused.

        Raises:
            RunEndedError: the person stopped the run.
        """
        report = self.checks.report([list(args), kwargs], "tools")
        if not report:
            return args, kwargs
        outcome = await self._settle(report, TextPlace("tools", step, tool), [*args, kwargs])
        if outcome.refused:
            return outcome.refused
        changed = self.checks.conceal_value([list(args), kwargs], "tools", outcome.hides, report)
        if changed == redaction.MARK:
            return "the arguments were refused by an output check"
        return tuple(changed[0]), {**kwargs, **changed[1]}

    # --- deciding -----------------------------------------------------------------------------------------------------

    async def _settle(self, report: Report, place: TextPlace, shown: Any = None) -> Settled:
        done: dict[str, Done] = {}
        to_ask: Report = {}
        for_model = place.at == "model"
        for one, pieces in report.items():
            action = "refuse" if REFUSED in pieces and one.read is None else one.actions[place.at]
            if action == "refuse" and not for_model:
                return Settled(lambda one, piece: True, self._refuse(one, pieces, place))
            done[one.name] = "pass" if action == "pass" else "redact"
            if action == "ask":
                new = {p: kind for p, kind in pieces.items() if not for_model or (one.name, p) not in self._asked}
                to_ask.update({one: new} if new else {})
        why = refused = ""
        if to_ask:
            verdict, why, refused = await self._ask_person(to_ask, place, shown)
            done.update(dict.fromkeys((one.name for one in to_ask), verdict))
            if for_model:
                known = {(one.name, piece) for one, texts in to_ask.items() for piece in texts}
                self._asked |= known
                self._passed |= known if verdict == "pass" else set()
        for one, pieces in report.items():
            is_asked = one in to_ask
            action_taken = "refuse" if refused and is_asked else done[one.name]
            self._report(one, pieces, place, action_taken, why if is_asked else "")

        def hides(one: OutputCheck, piece: str) -> bool:
            return done.get(one.name, "redact") != "pass" and not (for_model and (one.name, piece) in self._passed)

        return Settled(hides, refused)

    def _refuse(self, one: OutputCheck, pieces: Mapping[str, str], place: TextPlace) -> str:
        """Record that a check refuses a text, and return the reason."""
        self._report(one, pieces, place, "refuse")
        return f"{place} was refused by {one.name}: {pieces.get(REFUSED) or _describe_counts(pieces)}"

    async def _ask_person(self, asked: Report, place: TextPlace, shown: Any) -> tuple[Done, str, str]:
        """Return what the person decided: the action, the reason, and the text of a refusal for the model."""
        findings = "; ".join(f"{one.name}: {_describe_counts(pieces)}" for one, pieces in asked.items())
        text = f"Found in {place}: {findings}."
        if shown is not None:
            found = self.checks.report(shown, place.at)
            hidden = self.checks.conceal_value(shown, place.at, lambda one, piece: True, found)
            text += f"\n\n{clip(redaction.redact(describe.answer(hidden)), _MAX_SHOWN_CHARS)}"
        proposed = Proposed(run=self._run, step=place.step, text=text, kind="output", offers=(REDACT,))
        decision = await self._questions.beside(proposed)
        if isinstance(decision, Allowed):
            return ("redact", "", "") if decision.offer == REDACT.done else ("pass", f"allowed by {decision.by}", "")
        if decision.then == "stopped":
            raise RunEndedError("stopped", decision.reason or "stopped")
        if decision.by == "person" and place.at != "model":
            reason = f": {decision.reason}" if decision.reason else ""
            said = f"{place} was refused by the person, because of {findings}{reason}"
            return "redact", "refused by a person", said
        why = "" if decision.by == "person" else f"no one was asked: {decision.reason}"
        if why:
            log.warning("%s in %s: redacted, since %s", findings, place, redaction.redact(why))
        return "redact", why, ""

    def _report(self, one: OutputCheck, found: Mapping[str, str], place: TextPlace, done: Done, why: str = "") -> None:
        at, step, to = place
        new = {piece: kind for piece, kind in found.items() if (one.name, at, piece) not in self._reported}
        self._reported.update((one.name, at, piece) for piece in new)
        if new:
            counts = dict(Counter(new.values()))
            self._questions.record(
                Checked(run=self._run, step=step, at=at, check=one.name, found=counts, action=done, why=why, to=to)
            )


def each_text(message: Message, change: Callable[[str], str]) -> Message:
    """Return the message with ``change`` applied to its texts: its own, those of its parts, and the arguments of its calls."""
    checked = Message(**message)
    content = message.content
    if isinstance(content, str):
        checked["content"] = change(content)
    else:
        checked["content"] = [
            {**p, "text": change(p["text"])} if isinstance(p.get("text"), str) else p for p in content
        ]
    if "tool_calls" in message:
        checked["tool_calls"] = [
            {**call, "function": {**call["function"], "arguments": change(call["function"]["arguments"])}}
            for call in message["tool_calls"]
        ]
    return checked


def _texts_of(message: Message) -> list[str]:
    """Return the texts that ``each_text`` changes."""
    content = message["content"]
    parts = [content] if isinstance(content, str) else [part.get("text") for part in content]
    calls = [call["function"]["arguments"] for call in message.get("tool_calls", ())]
    return [text for text in (*parts, *calls) if isinstance(text, str)]


def _describe_counts(pieces: Mapping[str, str]) -> str:
    return ", ".join(f"{kind} ({number})" for kind, number in Counter(pieces.values()).items())
