"""Renders the changes of folded runs as lines of text for the terminal, and writes such lines to a stream.

* Text of a model or a sandbox is behind a margin (``│``) or indented, so that it can imitate neither smolcell's own lines nor a
  question.
* Code has line numbers, and is shown whole.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Literal, TextIO

from smolcell.core.text import counted, one_line, visible
from smolcell.events import Event, Finding, Observed, Piece, Proposed, line_of, to_json
from smolcell.machine.environment import importing
from smolcell.views.fold import fold, step_of
from smolcell.views.outputs import in_order
from smolcell.views.transcript import (
    STATES,
    WHO,
    answer_title,
    called_text,
    error_text,
    is_prose,
    markdown_tokens,
    step_notes,
    step_title,
)
from smolcell.worker.supervisor.meters import drop_overwritten

if TYPE_CHECKING:
    from markdown_it.token import Token
    from rich.console import Console
    from rich.markdown import Markdown
    from rich.text import Text


Json = dict[str, Any]
Style = Literal["head", "plain", "dim", "code", "warn", "error", "good", "prose"]
MARGIN = "  │ "
_MAX_REPLY_LINES = 3  # lines shown of a reply without a program


@dataclass(frozen=True, slots=True)
class TerminalLine:
    """One line: ``margin`` is smolcell's own, ``text`` is untrusted. In style "prose", the text is Markdown of any number of lines."""

    text: str
    style: Style = "plain"
    margin: str = ""


def lines(event: Event, *, printed: bool = False) -> Iterator[TerminalLine]:
    """Yield the lines that show a single event. ``printed``: the step's output was already shown while it ran, and is left out."""
    data = drawable(event, printed=printed)
    return change_lines(fold([data]), data)


def drawable(event: Event, *, printed: bool = False) -> Json:
    """Return an event as JSON; of a proposal also the pieces of the notebook that it is about. ``printed``: as for ``lines``."""
    data = to_json(event)
    if printed and isinstance(event, Observed):
        data |= {"stdout": "", "places": []}
    return {**data, "pieces": event.pieces} if isinstance(event, Proposed) else data


def change_lines(state: Json, event: Json) -> Iterator[TerminalLine]:
    """Yield the lines that show what an event, as ``drawable`` returns it, has changed in a folded run."""
    return _CHANGES.get(event["event"], _notice)(state, event)


def block(text: str, style: Style = "plain", margin: str = MARGIN) -> Iterator[TerminalLine]:
    """Yield the lines of a text, each behind the margin; none for an empty text."""
    for line in text.rstrip("\n").split("\n") if text else ():
        yield TerminalLine(line, style, margin)


def first_lines(reply: str) -> Iterator[TerminalLine]:
    """Yield the first lines of a reply without a program, so that a person sees what the model wrote instead."""
    filled = [line for line in reply.split("\n") if line.strip()]
    yield from block("\n".join(one_line(line, 200) for line in filled[:_MAX_REPLY_LINES]), "dim")
    if len(filled) > _MAX_REPLY_LINES:
        yield TerminalLine(f"  … {counted(len(filled) - _MAX_REPLY_LINES, 'more line')}", "dim")


def code(text: str, findings: tuple[Finding, ...] = ()) -> Iterator[TerminalLine]:
    """Yield code with line numbers, and below each line its findings. Findings without a line come last."""
    rows = text.split("\n")
    width = max(3, len(str(len(rows))))
    for number, row in enumerate(rows, 1):
        yield TerminalLine(row, "code", f"{number:>{width}} │ ")
        yield from (
            _finding(finding, width) for finding in findings if finding.line == number and finding.risk != "none"
        )
    yield from (
        _finding(finding, width)
        for finding in findings
        if finding.risk != "none" and not 1 <= finding.line <= len(rows)
    )
    facts = [finding for finding in findings if finding.risk == "none"]
    if facts:
        yield TerminalLine(by_kind(facts), "dim", " " * width + " ╰ ")


_SAYS = {
    "import": "imports",
    "file": "may read or write a file:",
    "network": "reaches into the network:",
    "process": "may start a process or run other code:",
    "install": "asks to install:",
    "dunder": "reaches into Python itself:",
    "tool": "calls",
}
"""The words before a finding's text, by kind; kinds that are missing here need none. The same table is in ``code.ts``."""
_SAID = re.compile(r"(?:reads|writes|reads or writes|deletes) a file: |starts a process: ")


def finding_words(kind: str, texts: Collection[str]) -> str:
    """Return findings of one kind as a text: ``changes the variables a, b``, ``reads a file: a.csv``."""
    if kind == "name":
        several = len(texts) > 1 or any("," in text for text in texts)
        return f"changes the {'variables' if several else 'variable'} {', '.join(texts)}"
    if all(_SAID.match(text) for text in texts):
        return ", ".join(texts)
    return f"{_SAYS.get(kind, '')} {', '.join(texts)}".lstrip()


def by_kind(facts: list[Finding]) -> str:
    """Return findings without risk, each kind once: ``changes the variables a, b; imports math``."""
    texts: dict[str, dict[str, None]] = {}
    for fact in facts:
        texts.setdefault(fact.kind, {})[fact.text] = None
    return "; ".join(finding_words(kind, texts_of_kind) for kind, texts_of_kind in texts.items())


def _finding(finding: Finding, width: int) -> TerminalLine:
    style: Style = "error" if finding.risk == "high" else "warn"
    return TerminalLine(finding_words(finding.kind, [finding.text]), style, " " * width + f" ▲ {finding.risk} risk, ")


def _asked(state: Json, event: Json) -> Iterator[TerminalLine]:
    agent = f"Agent {state['agent']}: task" if state["agent"] else "Task"
    yield TerminalLine(f"{agent}, resumed" if state["resumes"] else agent, "head")
    yield from block(state["task"])
    for variable in state["variables"]:
        yield TerminalLine(f"with {variable['name']} ({variable['type']})", "dim", "  ")
    for file in state["files"]:
        size = "read-only" if file.get("read_only") else f"{file['size']:,} bytes"
        yield TerminalLine(f"with the file {file['name']} ({size})", "dim", "  ")
    if state["tools"]:
        yield TerminalLine(f"with the tools {', '.join(state['tools'])}", "dim", "  ")
    if state["locks"]:
        yield TerminalLine(f"policy: {'; '.join(state['locks'])}", "dim", "  ")
    if state["lost"]:
        yield TerminalLine(f"lost with the previous sandbox: {', '.join(state['lost'])}", "warn", "  ")
    settings = [state["model"] and f"model {state['model']}", state["approve"] and f"approval {state['approve']}"]
    if any(settings):
        yield TerminalLine(", ".join(filter(None, settings)), "dim", "  ")


def _sent(state: Json, event: Json) -> Iterator[TerminalLine]:
    for piece in (Piece(**each) for each in state["sent"]):
        note = f"; {piece.note}" if piece.note else ""
        label = "sent to the model: " if piece.used and piece.text else "" if piece.used else "not used: "
        yield TerminalLine(f"{label}{line_of(piece)}{note}", "dim", "  ")


def _opened(state: Json, event: Json) -> Iterator[TerminalLine]:
    boundary = state["boundary"]
    isolated, walls = boundary["isolated"], boundary["walls"]
    held = "isolated" if isolated else "WALLS MISSING"
    yield TerminalLine(f"  sandbox {boundary['sandbox']}: {boundary['where']}; {held}", "dim" if isolated else "warn")
    if boundary["python"]:
        yield TerminalLine(f"  Python: {boundary['python']}; {boundary['python_reason']}", "dim")
    if boundary.get("warning"):
        yield TerminalLine(f"  {boundary['warning']}", "warn")
    if standing := [wall["name"] for wall in walls if wall["stands"]]:
        yield TerminalLine(f"  walls: {', '.join(standing)}", "dim")
    for wall in walls:
        if not wall["stands"]:
            yield TerminalLine(f"  missing: {wall['name']}{': ' if wall['detail'] else ''}{wall['detail']}", "dim")
    if boundary["hosts"]:
        yield TerminalLine(f"  open hosts: {', '.join(boundary['hosts'])}", "dim")


def _replied(state: Json, event: Json) -> Iterator[TerminalLine]:
    yield TerminalLine(f"  replied in {event['duration']:.1f} s{_tokens(event['usage'])}", "dim")
    yield from block(event.get("note", ""), "warn", "  ")


def _unparsed(state: Json, event: Json) -> Iterator[TerminalLine]:
    yield TerminalLine("  the reply held no program; the model is asked again", "warn")


def _proposed(state: Json, event: Json) -> Iterator[TerminalLine]:
    if event["kind"] == "context":
        yield from _context(event)
        return
    step = step_of(state, event)
    yield TerminalLine(step_title(step), "head")
    yield from block(event["thought"].strip(), "dim", "  ")
    yield from code(step["code"], tuple(Finding(**finding) for finding in step["findings"]))


def _context(event: Json) -> Iterator[TerminalLine]:
    """Yield the question, and below each line the text that would be sent."""
    question, *rows = event["text"].split("\n")
    texts = {line_of(piece): piece.text for piece in event["pieces"]}
    yield TerminalLine(question, "head")
    for row in rows:
        yield TerminalLine(row, "dim", "  ")
        yield from block(texts.get(row, ""), "code")


def _notice(state: Json, event: Json) -> Iterator[TerminalLine]:
    """Yield what the transcript says of it, too; of three kinds in fewer words."""
    text = state["notices"][-1]["text"]
    if event["event"] == "Granted":
        names = ", ".join(f"{grant['kind']} {grant['name']} ({grant['scope']})" for grant in event["grants"])
        text = f"{'taken back' if event.get('revoked') else 'allowed by you'}: {names}"
    elif event["event"] == "Installed":
        names = ", ".join(f"{package['name']} {package['version']}" for package in event["packages"])
        text = f"installed for this session from {event['index']}: {names}"
    elif event["event"] == "Trimmed":
        steps = ", ".join(map(str, event["steps"]))
        text = f"too long for the model: what steps {steps} printed is no longer shown to it"
    usage = _tokens(event["usage"]) if event["event"] == "Branched" else ""
    yield TerminalLine(f"{'' if event['event'] == 'Undone' else '  '}{text}{usage}", "warn")


def decider(by: str, who: str) -> str:
    """Who decided, as it follows "approved by"; ``who`` is the name of the person, if it is known."""
    return f"{'you' if by == 'person' else WHO.get(by, by)}{f' ({who})' if who else ''}"


_REACH = {"step": "", "run": ", and all of this run", "kind": ", and this session's code while the sandbox is isolated"}


def _allowed(state: Json, event: Json) -> Iterator[TerminalLine]:
    who = decider(event["by"], event.get("who", ""))
    edited = ", edited" if event["edited"] else ""
    offer = f", and {event['offer']}" if event.get("offer") else ""
    yield TerminalLine(f"  approved by {who}{edited}{_REACH[event['scope']]}{offer}", "dim")
    if event["edited"]:
        yield from code(event["text"])


def _refused(state: Json, event: Json) -> Iterator[TerminalLine]:
    why = f": {event['reason']}" if event["reason"] else ""
    yield TerminalLine(f"  refused by {decider(event['by'], event.get('who', ''))}{why}", "warn")


def _called(state: Json, event: Json) -> Iterator[TerminalLine]:
    yield from block(f"called {called_text(event)}", "dim")
    yield from block(event["error"], "warn")


def _observed(state: Json, event: Json) -> Iterator[TerminalLine]:
    seen = step_of(state, event)["observation"]
    result, outputs, error = seen["result"], seen["outputs"], seen["error"]
    placed = outputs if seen["places"] else []
    text = drop_overwritten(seen["stdout"].replace("\r\n", "\n")).replace("\r", "")
    for part in in_order(text, seen["places"], placed):
        yield from block(part) if isinstance(part, str) else _bundle(part["data"], result)
    if seen["dropped"]:
        yield TerminalLine(f"  {seen['dropped']:,} characters of output were left out", "warn")
    answered = seen["is_final_answer"] and error is None  # the answer itself follows
    yield from block("" if answered else result, "plain", "  = ")
    for output in outputs[len(placed) :]:
        yield from _bundle(output["data"], result)
    if error is not None:
        yield from block(error_text(error), "error")
        yield from block(error["traceback"], "dim")
        yield from block(error.get("hint", ""), "warn")
    for text, is_warning in step_notes(seen):
        yield TerminalLine(f"  {text}", "warn" if is_warning else "dim")
    changed = f", wrote {', '.join(seen['changed'])}" if seen["changed"] else ""
    ended = "done in" if error is None else "failed after"
    yield TerminalLine(f"  {ended} {seen['duration']:.1f} s{changed}", "dim")


def _bundle(data: Json, result: str) -> Iterator[TerminalLine]:
    """Yield a rich output, as far as a terminal can show it; nothing if it only repeats the step's result."""
    pictures = [mime for mime in data if mime.startswith("image/")]
    for mime in pictures:
        yield TerminalLine(f"a picture ({mime}, {len(data[mime]):,} characters)", "dim", MARGIN)
    if not pictures and not (result and data.get("text/plain") == result):
        yield from block(data.get("text/plain", f"({', '.join(data)})"))


def _answered(state: Json, event: Json) -> Iterator[TerminalLine]:
    answer = state["answer"]
    uncomputed = "uncomputed" in answer
    yield TerminalLine(answer_title(uncomputed), "warn" if uncomputed else "good")
    if answer["is_text"] and is_prose(answer["text"]):
        yield TerminalLine(answer["text"], "prose", MARGIN)
    else:
        yield from block(answer["text"])


def _ended(state: Json, event: Json) -> Iterator[TerminalLine]:
    ended = state["ended"]
    cut = f" while {ended['cut']}" if ended["cut"] else ""
    steps, usage = counted(ended["steps"], "step"), _tokens(ended["usage"])
    style: Style = "good" if ended["state"] == "success" else "warn"
    yield TerminalLine(f"{STATES[ended['state']]}{cut}: {steps}, {ended['duration']:.1f} s{usage}", style)
    yield from block(ended["error"], "error")


def receipt_lines(state: Json) -> Iterator[TerminalLine]:
    """Yield the digest of each text that ran, and who allowed it."""
    for step in state["steps"]:
        if step["sha256"] and step["kind"] in ("code", "call"):
            edited = ", edited" if step["edited"] is not None else ""
            call = f", call {step['call']}," if step["call"] else ""
            who = decider(step["by"], step["who"])
            yield TerminalLine(f"  step {step['n']}{call} ran {step['sha256'][:12]}, approved by {who}{edited}", "dim")


def _tokens(usage: Json) -> str:
    cost = "" if usage["cost"] is None else f", ${usage['cost']:.4f}"
    if not (usage["input_tokens"] or usage["output_tokens"]):
        return cost
    return f", {usage['input_tokens']:,} tokens in, {usage['output_tokens']:,} out{cost}"


_CHANGES: dict[str, Callable[[Json, Json], Iterator[TerminalLine]]] = {
    "Asked": _asked,
    "Sent": _sent,
    "Opened": _opened,
    "Replied": _replied,
    "Unparsed": _unparsed,
    "Proposed": _proposed,
    "Allowed": _allowed,
    "Refused": _refused,
    "Called": _called,
    "Observed": _observed,
    "Answered": _answered,
    "Ended": _ended,
}
"""Draws an event of each kind, from the folded run and the event; all other kinds are notices."""


# --- Writes lines to a stream: in colour with rich if it is a terminal, plainly elsewhere.


MIN_CELLS = 10  # least cells of a row after its margin
_COLOURS = {"head": "bold cyan", "dim": "dim", "warn": "yellow", "error": "bold red", "good": "bold green"}


class Drawing:
    """Writes lines. Invisible characters of every text are made visible here, just before the stream.

    Args:
        output: the stream; by default the current ``sys.stdout`` at each write.
    """

    def __init__(self, output: TextIO | None = None) -> None:
        self._output = output
        self._console: Console | None = None
        self._open = False  # the last line of streamed text is unfinished
        self._room = 0  # cells left in its row
        self._broken = False  # it takes more than one row
        self._returns = False  # the next text overwrites it (after "\r")
        self._lead = ""  # its leading spaces
        self._held = ""  # the last state of an overwritten line, on a stream that cannot overwrite

    def line(self, line: TerminalLine) -> None:
        """Write one line."""
        self._end_stream()
        console = self._colours()
        if line.style == "prose":
            self._prose(line, console)
            return
        text = visible(line.text).replace("\n", "\\n")  # keep it one line
        if console is None:
            self._write(f"{line.margin}{text}\n")
        else:
            for row in _rows(line, text, console):
                console.print(row, soft_wrap=True)

    def _prose(self, line: TerminalLine, console: Console | None) -> None:
        text = visible(line.text)
        tokens = [] if console is None else markdown_tokens(text, formulas=True)
        if console is None or not tokens:
            for each in block(text, margin=line.margin):
                self.line(each)
            return
        with importing():
            from rich.text import Text

        options = console.options.update(width=_room(console, line.margin))
        for parts in console.render_lines(_markdown(tokens), options, pad=False):
            shown = Text.assemble((line.margin, "dim"), *((part.text, part.style or "") for part in parts))
            console.print(shown, soft_wrap=True)

    def stream(self, text: str, margin: str) -> None:
        """Write text as it comes, in pieces of any size, each of its lines behind the margin.

        A line that is overwritten (a progress bar's) changes in place in a terminal; elsewhere only its last state is written.
        """
        *ended, rest = text.replace("\r\n", "\n").split("\n")
        for line in ended:
            self._piece(line, margin)
            self._end_line(margin)
        if rest:
            self._piece(rest, margin)
        self._flush()

    def _piece(self, text: str, margin: str) -> None:
        body = self._lead + text.rstrip("\r")
        self._lead = "" if self._open or body.strip() else body
        if self._lead:
            pass  # the next text may overwrite it
        elif body and (self._returns or "\r" in body):
            self._write_over(visible(body.rpartition("\r")[2]), margin)
        elif body and self._held:
            self._held += visible(body)
        elif body:
            begun, self._open = self._open, True
            self._write("" if begun else margin)
            self._row(visible(body), margin, continues=begun)
        self._returns = text.endswith("\r") or (self._returns and not body.strip())

    def _end_line(self, margin: str) -> None:
        self._write_held(margin)
        self._write("\n" if self._open else f"{margin}\n")
        self._open = self._broken = self._returns = False
        self._lead = ""

    def _write_held(self, margin: str) -> None:
        """Write the last state of an overwritten line, if it was held back."""
        if self._held:
            self._write(f"{chr(10) if self._open else ''}{margin}{self._held}")
            self._open, self._held = True, ""

    def _write_over(self, text: str, margin: str) -> None:
        """Replace the open line by a text."""
        console = self._colours()
        if console is None:
            self._held = text
            return
        again = "\r\x1b[2K" if not self._broken else "\n"
        room = _room(console, margin) - 1
        text = chop(text, room, room)[0]
        self._write(f"{again if self._open else ''}{margin}{text}")
        self._open, self._broken, self._room = True, False, room - sum(map(_cells, text))

    def _row(self, text: str, margin: str, *, continues: bool) -> None:
        """Write a piece of a line, wrapped at the end of a terminal's row."""
        console = self._colours()
        if console is None:
            self._write(text)
            return
        whole = _room(console, margin)
        pieces = chop(text, self._room if continues else whole, whole)
        self._write(f"\n{continuation_margin(margin)}".join(pieces))
        self._broken = self._broken or len(pieces) > 1
        self._room = (self._room if continues and len(pieces) == 1 else whole) - sum(map(_cells, pieces[-1]))

    def _end_stream(self) -> None:
        self._write_held(MARGIN)
        if self._open:
            self._write("\n")
        self._open = self._broken = self._returns = False
        self._lead = ""

    @property
    def _stream(self) -> TextIO:
        return sys.stdout if self._output is None else self._output

    def _write(self, text: str) -> None:
        stream = self._stream
        try:
            stream.write(text)
        except UnicodeEncodeError:  # a terminal without Unicode
            encoding = stream.encoding or "ascii"
            stream.write(text.encode(encoding, "backslashreplace").decode(encoding))

    def _flush(self) -> None:
        self._stream.flush()

    def _colours(self) -> Console | None:
        """Return rich's console for the stream; None unless it is a terminal that can show more than ASCII."""
        stream = self._stream
        if not stream.isatty() or "utf" not in (getattr(stream, "encoding", None) or "").lower():
            return None
        if self._console is None or self._console.file is not stream:
            with importing():
                from rich.console import Console

            self._console = Console(file=stream, markup=False, emoji=False, highlight=False, force_jupyter=False)
        return self._console


def _rows(line: TerminalLine, text: str, console: Console) -> list[Text]:
    """Return the line as rows of a terminal, each behind its margin, so that no row looks like a new line."""
    with importing():
        from rich.text import Text

    room, margin = _room(console, line.margin), line.margin
    if line.style == "code":  # spaces matter
        ends = list(accumulate(map(len, chop(text, room, room))))
        rows = list(_code(text).divide(ends[:-1]))
    else:
        body = text if "│" in margin else text.lstrip(" ")
        margin += " " * min(len(text) - len(body), room // 2)  # indent continuations like their beginning
        room = _room(console, margin)
        rows = list(Text(body, style=_COLOURS.get(line.style, "")).wrap(console, room, overflow="fold")) or [Text()]
    margins = [margin, *[continuation_margin(margin)] * (len(rows) - 1)]
    return [Text.assemble((margin, "dim"), row) for margin, row in zip(margins, rows, strict=True)]


def _markdown(tokens: list[Token]) -> Markdown:
    """Return Markdown for rich. HTML stays text, an image becomes its URL, and links cannot be followed."""
    with importing():
        from rich.markdown import Markdown

    document = Markdown("", hyperlinks=False, code_theme="ansi_dark")
    document.parsed = tokens
    for part in (part for token in tokens for part in token.children or ()):
        if part.type == "image":
            part.content = f"Image: {part.content} ({part.attrs.get('src', '')})"
        if part.type in ("formula", "image"):
            part.type = "text"
    return document


def continuation_margin(margin: str) -> str:
    """Return the margin of a row that continues the line above it."""
    return "".join("┆" if sign == "│" else " " for sign in margin)


def chop(text: str, first: int, room: int) -> list[str]:
    """Split the text into pieces of at most so many cells: ``first`` for the first, ``room`` for the others."""
    pieces, left = [""], first
    for sign in text:
        size = _cells(sign)
        if size > left:
            pieces.append("")
            left = room
        pieces[-1] += sign
        left -= size
    return pieces


def _room(console: Console, margin: str) -> int:
    """Return the number of cells of a row after its margin."""
    return max(console.width - sum(map(_cells, margin)), MIN_CELLS)


@lru_cache(maxsize=4096)
def _cells(sign: str) -> int:
    """Return how many cells of a terminal a character takes; of a tab the most."""
    with importing():
        from rich.cells import get_character_cell_size

    return 8 if sign == "\t" else get_character_cell_size(sign)


def _code(text: str) -> Text:
    """Return a line of Python in colour; plain if the lexer would show any other text."""
    with importing():
        from rich.syntax import Syntax
        from rich.text import Text

    coloured = Syntax("", "python", theme="ansi_dark", background_color="default").highlight(text)
    coloured.right_crop(len(coloured.plain) - len(text))  # the lexer ends each text with a newline
    return coloured if coloured.plain == text else Text(text)
