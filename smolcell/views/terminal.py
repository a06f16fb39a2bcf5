"""The view for terminals: IPython, ``jupyter console``, a plain ``python script.py``, the command line, and cells without a page.

* No text of a model or a sandbox can move the cursor or be invisible: every text passes ``smolcell.core.text`` before it is written.
* Only the keys ``a``, ``l`` and the number of an offer approve. End of input, no input, or three unknown keys count as no answer.
* Input that was typed before the question was shown is dropped.
* All drawing and asking happens on the calling thread, in order, so that no output appears within a question.
"""

from __future__ import annotations

import asyncio
import builtins
import json
import os
import shlex
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from smolcell.core.redaction import StreamRedactor, redact, redact_event
from smolcell.core.text import clip, hidden
from smolcell.events import Asked, Delta, Ended, Event, Observed, Proposed, Replied, Unparsed
from smolcell.machine.waiter import has_begun
from smolcell.protocols import Answer, BaseView, Choice, Waiter
from smolcell.views.fold import Json, fold, fold_event
from smolcell.views.terminal_render import (
    MARGIN,
    Drawing,
    Style,
    TerminalLine,
    block,
    change_lines,
    code,
    drawable,
    first_lines,
    receipt_lines,
)
from smolcell.worker.wire.bounds import CLEAR

Read = Callable[[str], str]

QUESTION = "Run this {kind}? [a]pprove / [e]dit / [r]efuse / a[l]l / [s]top: "
_PROMPTS = {
    "budget": "The budget is spent. Go on? [a] yes / [s]top: ",
    "context": "Send them to the model? [a] this time / [e]dit the list (without a line, that piece stays here) / [r] no / [s]top: ",
    "host": "Let it connect? [a] once / [1]… as listed / [r]efuse / [s]top: ",
    "link": "Give these files to the sandbox? [a] yes / [s]top: ",
    "output": "Let it pass as it is? [1] redact / [a] yes / [r]efuse / [s]top: ",
}
_KEYS: dict[str, Choice] = {
    **{"a": "approve", "approve": "approve"},
    **{"e": "edit", "edit": "edit"},
    **{"r": "refuse", "refuse": "refuse"},
    **{"l": "approve_run", "all": "approve_run"},
    **{"s": "stop", "stop": "stop"},
}
_MAX_ANSWERS = 3
UNKNOWN = (
    f"{_MAX_ANSWERS} answers were none of those that are asked for, so the step counts as not approved. Begin again"
)
INDENT = "    "
ASK_SECONDS = 300.0  # seconds until the calling thread must have begun to ask
DISPLAY_SECONDS = 1.0  # seconds between lines about displays of a running step


# --- Lets a person edit a text: in their editor, or line by line.


def edit_text(text: str, read: Read, *, with_editor: bool) -> tuple[str, str]:
    """Return the edited text, and a note. The text is unchanged if the person changed nothing, or the editor failed.

    Args:
        text: the text to edit.
        read: reads a line, like ``input()``.
        with_editor: whether ``$VISUAL`` or ``$EDITOR`` may be started, which needs a terminal.
    """
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    try:
        new = _in_editor(editor, text) if with_editor and editor.strip() else _line_by_line(read)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return text, f"the editor {editor!r} failed, nothing is changed: {error}"
    if not new.strip() or new == text:
        return text, "nothing is changed"
    return new, "this is what will run if you approve:"


def _in_editor(editor: str, text: str) -> str:
    with tempfile.TemporaryDirectory(prefix="smolcell-") as folder:  # readable by this user only
        path = Path(folder) / "step.py"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        subprocess.run([*shlex.split(editor), str(path)], check=True)
        new = path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    # Editors end the last line with a newline; that is no change.
    return new.removesuffix("\n") if new.endswith("\n") and not text.endswith("\n") else new


def _line_by_line(read: Read) -> str:
    rows = [read("Type the code; a line with a single . ends it.\n> ")]
    while rows[-1].strip() != ".":
        rows.append(read("> "))
    return "\n".join(rows[:-1])


# --- Draws runs.


class RunDrawing:
    """Folds the events of runs, and draws each change and their unfinished text. Use it on one thread.

    Args:
        output: the stream; by default the current ``sys.stdout``.
    """

    def __init__(self, output: TextIO | None = None) -> None:
        self._drawing = Drawing(output)
        self._redacting = StreamRedactor()
        self._runs: dict[
            str, tuple[Json, str]
        ] = {}  # run → its folded events, and its margin: a managed agent's is deeper
        self._last_progress: object = None  # the last progress text
        self._replying: tuple[str, int] | None = None  # run and step whose reply has begun
        self._printed: tuple[str, int] | None = None  # run and step whose output was shown while it ran
        self._displayed = float("-inf")  # when a display was last shown
        self._newest: Proposed | None = None  # the newest proposal that was drawn
        self._reply = ""  # the newest reply

    def draw(self, event: Event | Delta) -> None:
        """Draw an event, or unfinished text."""
        if isinstance(event, Delta):
            self._draw_delta(event)
            return
        if rest := self._redacting.end():
            self._drawing.stream(rest, MARGIN)
        printed = isinstance(event, Observed) and self._printed == (event.run, event.step)
        data = drawable(event, printed=printed)
        if isinstance(event, Proposed):  # unchanged, because a person decides about it
            self._newest = event
        else:  # without secrets, since a cell's output is saved
            data = redact_event(data)
        above = self._runs[event.parent][1] + INDENT if isinstance(event, Asked) and event.parent in self._runs else ""
        state, margin = self._runs.setdefault(event.run, (fold([]), above))
        fold_event(state, data)
        self.lines(change_lines(state, data), margin)
        if isinstance(event, Replied):
            self._reply = data["text"]
        elif isinstance(event, Unparsed):
            self.lines(first_lines(self._reply), margin)
        elif isinstance(event, Ended):
            self.lines(receipt_lines(state), margin)
            del self._runs[event.run]

    def draw_again(self, proposal: Proposed) -> None:
        """Draw a proposal again, directly above its question, if another agent's proposal was drawn after it."""
        if self._newest is None or _place(self._newest) == _place(proposal):
            return
        agent = self._runs[proposal.run][0]["agent"] if proposal.run in self._runs else ""
        who = f"agent {agent}" if agent else "this run"
        self.lines([TerminalLine(f"the question is about {who}, again:", "warn", "  ")])
        self.draw(proposal)

    def lines(self, lines: Iterable[TerminalLine], margin: str = "") -> None:
        """Draw lines, each behind a margin."""
        for line in lines:
            self._drawing.line(replace(line, margin=margin + line.margin))

    def _draw_delta(self, delta: Delta) -> None:
        place, margin = (delta.run, delta.step), self._runs.get(delta.run, ({}, ""))[1]
        if delta.channel == "output":
            self._printed = place
            self._drawing.stream(self._redacting.feed(delta.text.replace(CLEAR, "")), margin + MARGIN)
            return
        style: Style = "dim"
        text = redact(delta.text)
        if delta.channel == "display":
            text = self._displayed_text(delta)
        elif delta.channel == "progress":
            text = "" if (place, delta.text) == self._last_progress else text
            self._last_progress = (place, delta.text)
        elif delta.channel == "discarded":
            self._replying, style = None, "warn"
        else:
            text = "the model is replying" if self._replying != place else ""
            self._replying = place
        if text:
            self.lines([TerminalLine(text, style, "  · ")], margin)

    def _displayed_text(self, delta: Delta) -> str:
        """Return a text about a display of a running step, at most once a second; the whole output is drawn at its end."""
        data, now = json.loads(delta.text)["data"], time.monotonic()
        if data is None or now < self._displayed + DISPLAY_SECONDS:
            return ""
        self._displayed = now
        first = data.get("text/plain", "").strip().partition("\n")[0] or ", ".join(data)
        return redact(f"shows {clip(first, 200)}")


# --- The view.


class TerminalView(BaseView):
    """Shows a run as lines of text, and asks with ``input()``.

    Args:
        waiter: the calling thread, which draws and asks. None: the thread that calls ``show`` draws, another one asks.
        input: asks a question and returns the line typed, like ``input()``, which is the default if standard input is a terminal
            or a kernel's. Passing a function means that a person answers.
        stdin: returns whether a line can be typed, called before each question; determined by default.
        output: the stream; by default the current ``sys.stdout``. In colour if it is a terminal.
        nobody: the reason and the next command if no person can type; by default the gate's.
    """

    def __init__(
        self,
        waiter: Waiter | None = None,
        *,
        input: Read | None = None,  # noqa: A002 - the built-in is what it stands for
        stdin: Callable[[], bool] | None = None,
        output: TextIO | None = None,
        nobody: str = "",
    ) -> None:
        self._waiter, self._nobody = waiter, nobody
        self._read_line = input
        self._can_type = stdin or _someone_can_type
        self._runs = RunDrawing(output)
        self._thread = threading.get_ident()
        self._lock = threading.Lock()
        self._pending: list[Event | Delta] = []

    # --- showing ---------------------------------------------------------------------------------------------------------

    def show(self, event: Event | Delta) -> None:
        """Draw the event on the calling thread, soon; at once if this is that thread, or there is no waiter."""
        if self._waiter is None or threading.get_ident() == self._thread:
            self._flush()
            self._runs.draw(event)
            return
        with self._lock:
            self._pending.append(event)
            waiting = len(self._pending) > 1
        if not waiting:
            self._waiter.post(self._flush)

    def _flush(self) -> None:
        with self._lock:
            pending, self._pending = self._pending, []
        for event in pending:
            self._runs.draw(event)

    # --- asking ------------------------------------------------------------------------------------------------------------

    async def ask(self, proposal: Proposed) -> Answer:
        """Ask on the calling thread. The proposal was already shown by ``show``. "nobody" if the thread does not begin in time.

        An interrupt during the question is raised in the calling thread, which ends its wait; this then never returns.
        """
        if self._waiter is None:
            return await asyncio.to_thread(self._ask, proposal)
        begun: Future[None] = Future()
        answered: Future[Answer] = Future()

        def ask_here() -> None:
            if begun.set_running_or_notify_cancel() and answered.set_running_or_notify_cancel():
                begun.set_result(None)
                answered.set_result(self._ask(proposal))

        self._waiter.post(ask_here)
        try:
            await has_begun(begun, ASK_SECONDS)
        except TimeoutError as late:
            return Answer.to(proposal, "nobody", comment=str(late))
        return await asyncio.wrap_future(answered)

    def _ask(self, proposal: Proposed) -> Answer:
        """Ask until there is an answer; "nobody" if there can be none. Raises KeyboardInterrupt."""
        self._flush()
        try:
            read = self._reader()
            if read is None:
                return Answer.to(proposal, "nobody", comment=self._nobody)
            self._runs.draw_again(proposal)
            self._runs.lines(block(proposal.why, "warn", "  "))
            _forget_typed()
            if proposal.kind == "question":
                return _words(proposal, read)
            if characters := hidden(proposal.text):
                names = ", ".join(dict.fromkeys(name for _, _, name in characters))
                self._say(f"characters that cannot be seen ({len(characters)}): {names}", "error", "  ! ")
            return self._question(proposal, read)
        except Exception:  # EOFError, a closed stdin, StdinNotImplementedError: no answer
            return Answer.to(proposal, "nobody", comment=self._nobody)

    def _question(self, proposal: Proposed, read: Read) -> Answer:
        text, offers = proposal.text, {str(number): offer for number, offer in enumerate(proposal.offers, 1)}
        for number, offer in offers.items():
            self._say(f"[{number}] {offer.label}")
        tries = 0
        while tries < _MAX_ANSWERS:
            typed = read(_PROMPTS.get(proposal.kind, QUESTION.format(kind=proposal.kind))).strip().lower()
            choice, chosen = _KEYS.get(typed), offers.get(typed)
            edited = text != proposal.text
            if chosen is not None and (chosen.choice == "edit" or not edited):
                words = text if chosen.choice == "edit" else None
                return replace(Answer.to(proposal, chosen.choice, text=words), offer=chosen.id)
            if choice == "edit" and proposal.kind not in ("budget", "output", "host", "link"):
                text = self._edit(text, read)
            elif choice == "refuse":
                return Answer.to(proposal, "refuse", comment="" if proposal.kind == "context" else _comment(read))
            elif choice == "approve" and edited:
                return Answer.to(proposal, "edit", text=text)
            elif choice in ("stop", "approve") or (
                choice == "approve_run" and proposal.kind not in _PROMPTS and not edited
            ):
                return Answer.to(proposal, choice)
            else:
                tries += 1
                if choice is None:
                    self._say("type one of a, e, r, l, s, and Enter; nothing has run")
                elif proposal.kind not in _PROMPTS:
                    self._say("edited code is allowed for this step only: a")
        return Answer.to(proposal, "nobody", comment=UNKNOWN)

    def _say(self, text: str, style: Style = "warn", margin: str = "  ") -> None:
        self._runs.lines([TerminalLine(text, style, margin)])

    def _edit(self, text: str, read: Read) -> str:
        """Return the text after the person's edit; shown again, since an editor may change more than intended."""
        new, note = edit_text(text, read, with_editor=self._read_line is None and is_tty(sys.stdin))
        self._say(note, "warn" if new == text else "dim")
        self._runs.lines(code(new) if new != text else ())
        return new

    def _reader(self) -> Read | None:
        """Return the function that reads a line, or None if no person can type one."""
        if self._read_line is not None:
            return self._read_line
        return builtins.input if self._can_type() else None


def _place(proposal: Proposed) -> tuple[str, int, int, str]:
    return proposal.run, proposal.step, proposal.call, proposal.fingerprint


def _words(proposal: Proposed, read: Read) -> Answer:
    """Return a person's answer to a tool's question; an empty line is no answer."""
    answer = read("Your answer (the agent's code reads it; Enter for none): ").strip()
    return Answer.to(proposal, "edit", text=answer) if answer else Answer.to(proposal, "refuse")


def _comment(read: Read) -> str:
    try:
        return read("Why? The model reads it (Enter for no reason): ").strip()
    except Exception:  # the refusal itself was given
        return ""


def is_tty(stream: TextIO | None) -> bool:
    """Return whether a stream is a terminal."""
    try:
        return stream is not None and stream.isatty()
    except (ValueError, AttributeError, OSError):  # closed, or not a file
        return False


def _forget_typed() -> None:
    """Drop input from before the question: the person had not seen the proposal when they typed it."""
    with suppress(Exception):  # no terminal, or a system without termios
        import termios

        if os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp():  # a process in the background would be stopped
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


def _someone_can_type() -> bool:
    """Return whether standard input is a terminal, or a Jupyter kernel's, which asks the front end, or fails if there is none."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return is_tty(sys.stdin) or getattr(shell, "kernel", None) is not None
