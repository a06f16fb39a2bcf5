"""What became of each program and call of a run: folded from its events."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from smolcell.events import Allowed, Answered, Asked, History, Observed, Proposed, Refused
from smolcell.exporting.names import binds
from smolcell.source import tree

_PLACE = re.compile(r'^  File "<step (\d+)>", line (\d+), in <module>$', re.MULTILINE)


@dataclass(slots=True, kw_only=True)
class Outcome:
    """One program, or one call that a model made itself, as far as it got.

    Attributes:
        text: what ran, or was proposed.
        calls: what it called, where somebody was asked about that.
    """

    run: str
    step: int
    call: int = 0
    kind: str = "code"
    thought: str = ""
    text: str = ""
    proposed: str = ""
    refused: Refused | None = None
    allowed: Allowed | None = None
    seen: Observed | None = None
    answered: Answered | None = None
    calls: list[Outcome] = field(default_factory=list)

    @property
    def ran(self) -> bool:
        """Whether it ran to its end."""
        return self.seen is not None and self.seen.error is None and self.allowed is not None

    @property
    def title(self) -> str:
        return f"step {self.step}" + (f", call {self.call}" if self.call else "")

    def why_not(self) -> str:
        """Why it is not exported; "" where it ran to its end."""
        if self.refused is not None:
            return "was refused"
        if self.seen is not None and self.seen.error is not None:
            return f"failed ({self.seen.error.type})"
        return "" if self.ran else "was never run to its end"

    def statements(self) -> list[ast.stmt]:
        """The statements at its top level that ran to their end; those before the one that failed, where one did."""
        module = tree(self.text)
        if isinstance(module, str) or self.seen is None or self.kind != "code":
            return []
        if self.seen.error is None:
            return module.body
        line = self._failed_at()
        body = [statement for statement in module.body if (statement.end_lineno or 0) < line]
        return body if self.seen.changed and not self.seen.state_lost else []

    def half_done(self) -> set[str]:
        """Names that the statement which failed may have bound before it did."""
        module = tree(self.text)
        if self.seen is None or self.seen.error is None or isinstance(module, str):
            return set()
        line = self._failed_at()
        failed = [one for one in module.body if one.lineno <= line <= (one.end_lineno or one.lineno)]
        return binds(failed) & set(self.seen.changed)

    def _failed_at(self) -> int:
        """The line of the statement that failed; 0 where it is not known."""
        error = self.seen.error if self.seen is not None else None
        if error is None:
            return 0
        places = [int(line) for step, line in _PLACE.findall(error.traceback) if int(step) == self.step]
        return places[-1] if places else 0


def outcomes(history: History, run: str) -> list[Outcome]:
    """The programs and calls of one run, in order. Those calls that a program made stand below it."""
    found: dict[tuple[int, int], Outcome] = {}
    for event in history:
        if isinstance(event, Answered) and event.run == run:
            found.setdefault((event.step, -1), Outcome(run=run, step=event.step, kind="answer")).answered = event
        elif isinstance(event, (Proposed, Allowed, Refused, Observed)) and event.run == run:
            _add(found, event)
    return [one for one in found.values() if one.kind in ("code", "call", "answer") and not _nested(found, one)]


def _add(found: dict[tuple[int, int], Outcome], event: Proposed | Allowed | Refused | Observed) -> None:
    if isinstance(event, (Proposed, Allowed)) and event.kind not in ("code", "call"):
        return
    one = found.get((event.step, event.call))
    match event:
        case Proposed():
            one = Outcome(run=event.run, step=event.step, call=event.call, kind=event.kind, thought=event.thought)
            one.text = one.proposed = event.text
            found[event.step, event.call] = one
        case Allowed() if one is not None:
            one.allowed, one.text = event, event.text
        case Refused() if one is not None and one.allowed is None:
            one.refused = event
        case Observed() if one is not None:
            one.seen = event
        case _:
            pass


def _nested(found: dict[tuple[int, int], Outcome], one: Outcome) -> bool:
    """Whether a program made this call; it is then put below that."""
    program = found.get((one.step, 0))
    if one.call <= 0 or program is None or program.kind != "code":
        return False
    program.calls.append(one)
    return True


def chain(history: History, run: str) -> list[str]:
    """A run and those that it goes on with, oldest first."""
    asked = {event.run: event for event in history if isinstance(event, Asked)}
    found = [run]
    while (before := asked[found[0]].resumes if found[0] in asked else "") and before not in found:
        found.insert(0, before)
    return found


def tasks(history: History) -> Iterator[Asked]:
    """The runs that nobody but a person or a script began, oldest first."""
    return (event for event in history if isinstance(event, Asked) and not event.parent)
