"""``smolcell run``: one task at the terminal, with the same gate and sandboxes as in a notebook.

* The run is shown on standard output if that is a terminal, else on standard error.
* If standard output is no terminal, only the answer is written to it.
"""

from __future__ import annotations

import getpass
import secrets
import shlex
import shutil
import stat
import sys
import textwrap
from contextlib import closing
from pathlib import Path
from typing import TextIO

from smolcell.agent.result import RunResult
from smolcell.approval.contract import keep as keep_contract
from smolcell.approval.gates import deny_all, no_approver
from smolcell.cli import stdio
from smolcell.core.redaction import redact
from smolcell.core.text import clip, visible
from smolcell.errors import AgentMaxStepsError, SetupError
from smolcell.journal import Events, read
from smolcell.machine.state import journals_folder
from smolcell.machine.waiter import QueueWaiter
from smolcell.models.credentials import AskKey
from smolcell.notebook.doctor import Doctor, diagnose
from smolcell.notebook.session import Session
from smolcell.notebook.settings import Options, effective_settings
from smolcell.protocols import FrontEnd
from smolcell.tools.builtin import own_tools
from smolcell.views.terminal import TerminalView

ANSWERED, FAILED, INTERRUPTED = 0, 1, 130
_NO_APPROVER = no_approver("standard input is no terminal", "Type the command at a terminal")


def run(task: str, options: Options) -> int:
    """Work on a task and return the exit status: 0 with an answer, 1 without one, 130 after an interrupt.

    Args:
        task: in plain words; ``-`` to read it from standard input; then no question can be asked.
        options: the options of the command line.

    Raises:
        SmolcellError: an option is not valid, or the run ended without an answer.
    """
    if task == "-":
        task = stdio.read()
    if not task.strip():
        raise SetupError('the task is empty. Say what you want done: smolcell run "…"')
    settings = effective_settings(options, source="the command line")
    here, ask_key = terminal()
    with closing(Session(settings.session)) as session:
        agent = session.prepare(
            settings,
            tools=own_tools(options.tools),
            mcp={spec: spec for spec in options.mcp},
            record=options.record,
            replay=options.replay,
            ask_key=ask_key,
        )
        front = session.front(settings, here)
        job = agent.start(
            task.strip(),
            front=front,
            reset=False,
            run=secrets.token_hex(6),
            files=options.files,
            read_only=options.read_only,
            contract=options.contract,
        )
        try:
            result = agent.stay(job, front.waiter)
        except KeyboardInterrupt:
            stdio.say(f"smolcell: interrupted. The steps so far are in {agent.journal.path}")
            return INTERRUPTED
        return _finish(result, str(agent.journal.path))


def _finish(result: RunResult, journal: str) -> int:
    """Write the answer to standard output if that is no terminal, and the path of the journal. Returns the exit status."""
    stdio.say(f"journal: {journal} (show it again: smolcell replay {shlex.quote(journal)})")
    at_limit = isinstance(result.error, AgentMaxStepsError)
    answer = result.output if at_limit else result.value()
    if not _is_tty(sys.stdout):
        print("" if answer is None else answer, flush=True)
    if at_limit:
        stdio.say(redact(f"smolcell: {result.error}. The answer is the model's best one"))
        return FAILED
    return ANSWERED


def terminal() -> tuple[FrontEnd, AskKey | None]:
    """Return the front end of a terminal, and the function that asks for a key if a person can type one."""
    waiter = QueueWaiter()
    if _is_tty(sys.stdout):
        view = TerminalView(waiter, stdin=_can_type, nobody=_NO_APPROVER)
    else:
        aside = _ask_aside if _can_type() else None
        view = TerminalView(waiter, input=aside, stdin=_can_type, output=sys.stderr, nobody=_NO_APPROVER)
    return FrontEnd(view=view, gate=deny_all, waiter=waiter), _ask_key if _can_type() else None


def _ask_aside(question: str) -> str:
    """Ask like ``input``, with the question on standard error."""
    print(question, end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\n")


def _ask_key(variable: str, model: str) -> str | None:
    try:
        return getpass.getpass(f"smolcell: {model} needs a key. {variable} (hidden, kept in memory only): ") or None
    except EOFError:
        return None


def _can_type() -> bool:
    return _is_tty(sys.stdin)


def _is_tty(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False


# --- ``smolcell replay``: shows the runs of a journal again. Nothing is run, and no model is asked.


_MAX_NAMES_CHARS = 1_000  # characters of run ids


def replay(file: Path | None, *, run: str = "") -> int:
    """Show the runs of a journal on standard output. Returns the exit status.

    Args:
        file: the journal; None for the newest one.
        run: only runs whose id begins with this.

    Raises:
        SetupError: there is no journal, or no such run in it.
        JournalError: the file cannot be read.
    """
    path = file or newest()
    events = read(path)
    chosen = [event for event in events if event.run.startswith(run)]
    if not chosen:
        raise SetupError(_nothing(path, events, run))
    stdio.say(f"{visible(str(path))}{_left_out(events)}")
    view = TerminalView()
    for event in chosen:
        view.show(event)
    return 0


def newest() -> Path:
    """Return the journal that was written to last.

    Raises:
        SetupError: there is no journal.
    """
    folder = journals_folder()
    files = [(path.lstat(), path) for path in folder.glob("*.jsonl") if not path.is_symlink()]
    written = [(status.st_mtime, path) for status, path in files if stat.S_ISREG(status.st_mode)]
    if not written:
        raise SetupError(f'there is no journal in {folder} yet. Make one with: smolcell run "…"')
    return max(written)[1]


def _left_out(events: Events) -> str:
    if not events.skipped:
        return ""
    many = f"{events.skipped} damaged lines were" if events.skipped > 1 else "1 damaged line was"
    return f" ({many} left out, from line {events.damaged} on; the file is not changed)"


def _nothing(path: Path, events: Events, run: str) -> str:
    if not events and not events.skipped:
        return f"{path} is empty: it has no runs. `smolcell replay` without a file shows the newest journal"
    runs = ", ".join(dict.fromkeys(event.run for event in events))
    if runs:
        return f"{path} has no run {run!r}; its runs are: {clip(runs, _MAX_NAMES_CHARS)}"
    return f"{path} has no runs. A journal is a .jsonl file, as `smolcell run` names it at its end"


# --- ``smolcell doctor``: checks a new set-up, at the terminal.


_BELOW = " " * 12  # indentation of a task's text


def doctor(options: Options, *, again: str) -> int:
    """Run the stages. The exit status is 0 if none failed. ``again``: the command to repeat it.

    Raises:
        SetupError: an option is not valid.
    """
    front, ask_key = terminal()
    settings = effective_settings(options, source="the command line")
    checkup = Doctor(
        settings,
        front=front,
        ask_key=ask_key,
        replay=options.replay,
        contract=options.contract,
        tools=own_tools(options.tools),
        mcp={spec: spec for spec in options.mcp},
        files=options.files,
        again=again,
    )

    def say(text: str) -> None:
        print("\n".join(_fitted(line) for line in stdio.for_a_shell(text).split("\n")), flush=True)

    return 0 if diagnose(checkup, say) else 1


def _fitted(line: str) -> str:
    """Return a line of the report, wrapped and indented at a terminal; elsewhere unchanged."""
    if not sys.stdout.isatty() or "  type: " in line:  # a command must stay on one line to be copied
        return line
    width = max(shutil.get_terminal_size().columns, 2 * len(_BELOW))
    return "\n".join(textwrap.wrap(line, width, subsequent_indent=_BELOW, break_on_hyphens=False) or [""])


# --- ``smolcell contract``: writes down what a task with these options may do.


def contract(options: Options, path: Path, *, purpose: str | None = None, section: Path | None = None) -> int:
    """Write a contract, and on request a section for coding assistants. Returns the exit status.

    Raises:
        SmolcellError: an option is not valid, the sandbox cannot be opened, or a file cannot be written.
    """
    settings = effective_settings(options, source="the command line")
    front, _ = terminal()
    with closing(Session(settings.session)) as session:
        measured = session.contract(
            settings,
            front,
            files=options.files,
            tools=own_tools(options.tools),
            mcp={spec: spec for spec in options.mcp},
            replay=options.replay,
        )
    print(keep_contract(measured, path, purpose, section))
    return 0
