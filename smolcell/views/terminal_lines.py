"""An event as lines of text: what the terminal shows. Pure; nothing here knows what draws the lines, or whether in colour.

The rules this file exists to keep:

* What comes from a model or a sandbox stands behind a margin (``│``) or an indentation, so that it can pass neither for smolcell's
  own words nor for a question.
* Code has line numbers, and is shown whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, assert_never

from smolcell.events import (
    Allowed,
    Answered,
    Asked,
    Boundary,
    Bundle,
    Called,
    Ended,
    Event,
    Fault,
    Finding,
    Observed,
    Opened,
    Proposed,
    Refused,
    Replied,
    Trimmed,
    Unparsed,
    Usage,
)

Style = Literal["head", "plain", "dim", "code", "warn", "error", "good"]
MARGIN = "  │ "


@dataclass(frozen=True, slots=True)
class Line:
    """One line: ``margin`` is smolcell's own, ``text`` may come from anyone."""

    text: str
    style: Style = "plain"
    margin: str = ""


def lines(event: Event, *, printed: bool = False) -> Iterator[Line]:
    """The lines an event is shown as. ``printed``: what a step printed was shown while it ran, and is left out."""
    match event:
        case Asked():
            yield from _asked(event)
        case Opened():
            yield from _opened(event.boundary)
        case Replied():
            yield Line(f"  replied in {event.duration:.1f} s{_tokens(event.usage)}", "dim")
            yield from block(event.note, "warn", "  ")
        case Unparsed() | Trimmed():
            yield _noted(event)
        case Proposed():
            yield from _proposed(event)
        case Allowed():
            yield from _allowed(event)
        case Refused():
            yield Line(f"  refused by {event.by}{': ' if event.reason else ''}{event.reason}", "warn")
        case Called():
            yield from _called(event)
        case Observed():
            yield from _observed(event, printed)
        case Answered():
            yield Line("Answer", "good")
            yield from block(event.text)
        case Ended():
            yield from _ended(event)
        case _:
            assert_never(event)


def block(text: str, style: Style = "plain", margin: str = MARGIN) -> Iterator[Line]:
    """A text of several lines, each behind the margin; none for an empty text."""
    for line in text.rstrip("\n").split("\n") if text else ():
        yield Line(line, style, margin)


def code(text: str, findings: tuple[Finding, ...] = ()) -> Iterator[Line]:
    """Code with line numbers, and under each line what was found in it. Findings without a line come last."""
    rows = text.split("\n")
    width = max(3, len(str(len(rows))))
    for number, row in enumerate(rows, 1):
        yield Line(row, "code", f"{number:>{width}} │ ")
        yield from (_finding(found, width) for found in findings if found.line == number and found.risk != "none")
    yield from (
        _finding(found, width) for found in findings if found.risk != "none" and not 1 <= found.line <= len(rows)
    )
    facts = [found for found in findings if found.risk == "none"]
    if facts:
        yield Line(_by_kind(facts), "dim", " " * width + " ╰ ")


_FACTS = {"import": "imports", "name": "writes", "file": "files", "network": "hosts", "tool": "calls"}


def _by_kind(facts: list[Finding]) -> str:
    """Plain facts, each kind once, in the page's words: ``writes a, b; imports math``."""
    texts: dict[str, dict[str, None]] = {}
    for fact in facts:
        texts.setdefault(fact.kind, {})[fact.text] = None
    return "; ".join(f"{_FACTS.get(kind, kind)} {', '.join(told)}" for kind, told in texts.items())


def _finding(found: Finding, width: int) -> Line:
    style: Style = "error" if found.risk == "high" else "warn"
    return Line(f"{found.kind}: {found.text}", style, " " * width + f" ▲ {found.risk} risk, ")


def _asked(event: Asked) -> Iterator[Line]:
    agent = f"Agent {event.agent}: task" if event.agent else "Task"
    yield Line(f"{agent}, resumed" if event.resumes else agent, "head")
    yield from block(event.task)
    for variable in event.variables:
        yield Line(f"with {variable.name} ({variable.type})", "dim", "  ")
    for file in event.files:
        yield Line(f"with the file {file.name} ({file.size:,} bytes)", "dim", "  ")
    if event.tools:
        yield Line(f"with the tools {', '.join(event.tools)}", "dim", "  ")
    if event.lost:
        yield Line(f"gone with the sandbox of before: {', '.join(event.lost)}", "warn", "  ")
    said = [event.model and f"model {event.model}", event.approve and f"approval {event.approve}"]
    if any(said):
        yield Line(", ".join(part for part in said if part), "dim", "  ")


def _opened(boundary: Boundary) -> Iterator[Line]:
    held = "isolated" if boundary.isolated else "WALLS MISSING"
    yield Line(f"  sandbox {boundary.sandbox}: {boundary.where}; {held}", "dim" if boundary.isolated else "warn")
    standing = [wall.name for wall in boundary.walls if wall.stands]
    if standing:
        yield Line(f"  walls: {', '.join(standing)}", "dim")
    for wall in boundary.walls:
        if not wall.stands:
            yield Line(f"  missing: {wall.name}{': ' if wall.detail else ''}{wall.detail}", "dim")
    if boundary.hosts:
        yield Line(f"  open hosts: {', '.join(boundary.hosts)}", "dim")


_KINDS = {
    "code": "",
    "call": ": a tool call",
    "plan": ": a plan",
    "budget": ": the budget is spent",
    "question": ": a question to you",
}


def _proposed(event: Proposed) -> Iterator[Line]:
    call = f", call {event.call}" if event.call else ""
    yield Line(f"Step {event.step}{call}{_KINDS.get(event.kind, ': a ' + event.kind)}", "head")
    yield from block(event.thought.strip(), "dim", "  ")
    yield from code(event.text, event.findings)


def _noted(event: Unparsed | Trimmed) -> Line:
    if isinstance(event, Unparsed):
        return Line("  the reply held no program; the model is asked again", "warn")
    steps = ", ".join(str(step) for step in event.steps)
    return Line(f"  too long for the model: what steps {steps} printed is no longer shown to it", "warn")


def _allowed(event: Allowed) -> Iterator[Line]:
    edited = ", edited" if event.edited else ""
    reach = {"step": "", "run": ", and all of this run", "kind": ", and all of this kind"}[event.scope]
    yield Line(f"  allowed by {event.by}{edited}{reach}", "dim")
    if event.edited:
        yield from code(event.text)


def _observed(event: Observed, printed: bool) -> Iterator[Line]:
    if not printed:
        yield from block(event.stdout.replace("\r\n", "\n").replace("\r", "\n"))  # progress bars return
    if event.dropped:
        yield Line(f"  {event.dropped:,} characters of output were left out", "warn")
    answered = event.is_final_answer and event.error is None  # the answer itself follows
    yield from block("" if answered else event.result, "plain", "  = ")
    for bundle in event.outputs:
        yield from _bundle(bundle, event.result)
    if event.error is not None:
        yield from _fault(event.error)
    if event.state_lost:
        yield Line("  the sandbox was restarted: its variables are gone", "warn")
    changed = f", wrote {', '.join(event.changed)}" if event.changed else ""
    if event.files:
        yield Line("  files written: " + ", ".join(f"{file.name} ({file.size:,} bytes)" for file in event.files), "dim")
    yield Line(f"  done in {event.duration:.1f} s{changed}", "dim")


def _called(event: Called) -> Iterator[Line]:
    times = f" ({event.times} times, such as this)" if event.times > 1 else ""
    yield from block(f"called {event.text}{times}", "dim")
    if event.error:
        yield from block(event.error, "warn")


def _bundle(bundle: Bundle, result: str) -> Iterator[Line]:
    """A rich output, as far as a terminal has words for it; none where it only says the step's result again."""
    pictures = [mime for mime in bundle.data if mime.startswith("image/")]
    for mime in pictures:
        yield Line(f"a picture ({mime}, {len(bundle.data[mime]):,} characters)", "dim", MARGIN)
    if not pictures and not (result and bundle.data.get("text/plain") == result):
        yield from block(bundle.data.get("text/plain", f"({', '.join(bundle.data)})"))


def _fault(fault: Fault) -> Iterator[Line]:
    where = f" (line {fault.line})" if fault.line else ""
    yield from block(f"{fault.type}: {fault.message}{where}", "error")
    yield from block(fault.traceback, "dim")


def _ended(event: Ended) -> Iterator[Line]:
    style: Style = "good" if event.state == "success" else "warn"
    steps = f"{event.steps} step{'' if event.steps == 1 else 's'}"
    cut = f" while {event.cut}" if event.cut else ""
    yield Line(f"{event.state}{cut}: {steps}, {event.duration:.1f} s{_tokens(event.usage)}", style)
    yield from block(event.error, "error")


def _tokens(usage: Usage) -> str:
    cost = "" if usage.cost is None else f", ${usage.cost:.4f}"
    if not (usage.input_tokens or usage.output_tokens):
        return cost
    return f", {usage.input_tokens:,} tokens in, {usage.output_tokens:,} out{cost}"
