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
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from smolcell.core.redaction import StreamRedactor, redact, redact_event
from smolcell.core.text import clip, hidden
from smolcell.events import (
    Allowed,
    Asked,
    Delta,
    Ended,
    Event,
    Observed,
    Proposed,
    Replied,
    Unparsed,
    from_json,
    to_json,
)
from smolcell.machine.waiter import has_begun
from smolcell.protocols import Answer, BaseView, Choice, Waiter
from smolcell.views.terminal_render import (
    MARGIN,
    Drawing,
    TerminalLine,
    block,
    code,
    decider,
    first_lines,
    lines,
)
from smolcell.worker.wire.bounds import CLEAR

# --- Lets a person edit a text: in their editor, or line by line.


def edit_text(text: str, read: Callable[[str], str], *, with_editor: bool) -> tuple[str, str]:
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


def _line_by_line(read: Callable[[str], str]) -> str:
    rows = [read("Type the code; a line with a single . ends it.\n> ")]
    while rows[-1].strip() != ".":
        rows.append(read("> "))
    return "\n".join(rows[:-1])


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
        self._drawing = Drawing(output)
        self._redacting = StreamRedactor()
        self._thread = threading.get_ident()
        self._lock = threading.Lock()
        self._pending: list[Event | Delta] = []
        self._last_progress: object = None  # the last progress text
        self._replying: tuple[str, int] | None = None  # run and step whose reply has begun
        self._printed: tuple[str, int] | None = None  # run and step whose output was shown while it ran
        self._displayed = float("-inf")  # when a display was last shown
        self._ran: dict[str, list[Allowed]] = {}
        self._margins: dict[str, str] = {}  # by managed agent's run, to indent it below the calling step
        self._agents: dict[str, str] = {}  # their names
        self._newest: Proposed | None = None  # the newest proposal that was drawn
        self._replied: Replied | None = None  # the newest reply

    # --- showing ---------------------------------------------------------------------------------------------------------

    def show(self, event: Event | Delta) -> None:
        """Draw the event on the calling thread, soon; at once if this is that thread, or there is no waiter."""
        if self._waiter is None or threading.get_ident() == self._thread:
            self._flush()
            self._draw(event)
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
            self._draw(event)

    def _draw(self, event: Event | Delta) -> None:
        if isinstance(event, Delta):
            self._draw_delta(event)
            return
        if rest := self._redacting.end():
            self._drawing.stream(rest, MARGIN)
        if isinstance(event, Asked) and event.parent:
            self._margins[event.run] = f"{self._margins.get(event.parent, '')}{INDENT}"
            self._agents[event.run] = event.agent
        if isinstance(event, Proposed):
            self._newest = event
        printed = isinstance(event, Observed) and self._printed == (event.run, event.step)
        margin = self._margins.get(event.run, "")
        for line in lines(_clean(event), printed=printed):
            self._drawing.line(replace(line, margin=margin + line.margin))
        if isinstance(event, Replied):
            self._replied = event
        if isinstance(event, Unparsed) and self._replied is not None:
            for line in first_lines(redact(self._replied.text)):
                self._drawing.line(replace(line, margin=margin + line.margin))
        if isinstance(event, Allowed) and event.kind in ("code", "call"):
            self._ran.setdefault(event.run, []).append(event)
        if isinstance(event, Ended):
            self._draw_receipt(event)

    def _draw_delta(self, delta: Delta) -> None:
        place, margin = (delta.run, delta.step), self._margins.get(delta.run, "")
        if delta.channel == "output":
            self._printed = place
            self._drawing.stream(self._redacting.feed(delta.text.replace(CLEAR, "")), margin + MARGIN)
        elif delta.channel == "display":
            self._draw_display(delta, margin)
        elif delta.channel == "progress":
            if (place, delta.text) != self._last_progress:
                self._drawing.line(TerminalLine(redact(delta.text), "dim", f"{margin}  · "))
            self._last_progress = (place, delta.text)
        elif delta.channel == "discarded":
            self._replying = None
            self._drawing.line(TerminalLine(redact(delta.text), "warn", f"{margin}  · "))
        elif self._replying != place:
            self._replying = place
            self._drawing.line(TerminalLine("the model is replying", "dim", f"{margin}  · "))

    def _draw_display(self, delta: Delta, margin: str) -> None:
        """Draw a line about a display of a running step, at most once a second; the whole output is drawn at its end."""
        data, now = json.loads(delta.text)["data"], time.monotonic()
        if data is None or now < self._displayed + DISPLAY_SECONDS:
            return
        self._displayed = now
        first = data.get("text/plain", "").strip().partition("\n")[0] or ", ".join(data)
        self._drawing.line(TerminalLine(redact(f"shows {clip(first, 200)}"), "dim", f"{margin}  · "))

    def _draw_receipt(self, ended: Ended) -> None:
        """Draw the digest of the text that ran, and who allowed it."""
        for allowed in self._ran.pop(ended.run, []):
            edited_too = ", edited" if allowed.edited else ""
            call = f", call {allowed.call}," if allowed.call else ""
            text = f"step {allowed.step}{call} ran {allowed.sha256[:12]}, approved by {decider(allowed.by, allowed.who)}{edited_too}"
            self._drawing.line(TerminalLine(text, "dim", f"{self._margins.get(ended.run, '')}  "))

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
            self._draw_again(proposal)
            if proposal.why:
                for line in block(proposal.why, "warn", "  "):
                    self._drawing.line(line)
            _forget_typed()
            return _words(proposal, read) if proposal.kind == "question" else self._question(proposal, read)
        except Exception:  # EOFError, a closed stdin, StdinNotImplementedError: no answer
            return Answer.to(proposal, "nobody", comment=self._nobody)

    def _draw_again(self, proposal: Proposed) -> None:
        """Draw a proposal again, directly above its question, if another agent's proposal was drawn after it."""
        if self._newest is None or _place(self._newest) == _place(proposal):
            return
        who = f"agent {self._agents[proposal.run]}" if proposal.run in self._agents else "this run"
        self._drawing.line(TerminalLine(f"the question is about {who}, again:", "warn", "  "))
        self._draw(proposal)

    def _question(self, proposal: Proposed, read: Read) -> Answer:
        text = proposal.text
        if characters := hidden(text):
            names = ", ".join(dict.fromkeys(name for _, _, name in characters))
            self._drawing.line(
                TerminalLine(f"characters that cannot be seen ({len(characters)}): {names}", "error", "  ! ")
            )
        for number, offer in enumerate(proposal.offers, 1):
            self._drawing.line(TerminalLine(f"[{number}] {offer.label}", "warn", "  "))
        tries = 0
        while tries < _MAX_ANSWERS:
            typed = read(_prompt_text(proposal)).strip().lower()
            choice = _KEYS.get(typed)
            offers = {str(number): offer for number, offer in enumerate(proposal.offers, 1)}
            if typed in offers and (text == proposal.text or offers[typed].choice == "edit"):
                words = text if offers[typed].choice == "edit" else None
                return replace(Answer.to(proposal, offers[typed].choice, text=words), offer=offers[typed].id)
            if choice == "edit" and proposal.kind not in ("budget", "output", "host", "link"):
                text = self._edit(text, read)
            elif choice == "refuse":
                comment = "" if proposal.kind == "context" else _comment(read)
                return Answer.to(proposal, "refuse", comment=comment)
            elif proposal.kind in _PROMPTS and choice in ("edit", "approve_run"):
                tries += 1
            elif choice == "approve_run" and text != proposal.text:
                self._drawing.line(TerminalLine("edited code is allowed for this step only: a", "warn", "  "))
                tries += 1
            elif choice == "approve" and text != proposal.text:
                return Answer.to(proposal, "edit", text=text)
            elif choice is not None:
                return Answer.to(proposal, choice)
            else:
                tries += 1
                self._drawing.line(TerminalLine("type one of a, e, r, l, s, and Enter; nothing has run", "warn", "  "))
        return Answer.to(proposal, "nobody", comment=UNKNOWN)

    def _edit(self, text: str, read: Read) -> str:
        """Return the text after the person's edit; shown again, since an editor may change more than intended."""
        new, note = edit_text(text, read, with_editor=self._read_line is None and _is_tty(sys.stdin))
        self._drawing.line(TerminalLine(note, "warn" if new == text else "dim", "  "))
        for line in code(new) if new != text else ():
            self._drawing.line(line)
        return new

    def _reader(self) -> Read | None:
        """Return the function that reads a line, or None if no person can type one."""
        if self._read_line is not None:
            return self._read_line
        return builtins.input if self._can_type() else None


def _prompt_text(proposal: Proposed) -> str:
    """Return the prompt of a question."""
    return _PROMPTS.get(proposal.kind, QUESTION.format(kind=proposal.kind))


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


def _is_tty(stream: TextIO | None) -> bool:
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
    return _is_tty(sys.stdin) or getattr(shell, "kernel", None) is not None


def _clean(event: Event) -> Event:
    """Return the event without secrets, since a cell's output is saved. Proposals are unchanged, because a person decides about them."""
    return event if isinstance(event, Proposed) else from_json(redact_event(to_json(event)))
