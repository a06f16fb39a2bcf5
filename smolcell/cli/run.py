"""``smolcell run``: one task at the terminal, with the same gate and sandboxes as in a notebook.

* The run is shown on standard output if that is a terminal, else on standard error.
* If standard output is no terminal, only the answer is written to it.
"""

from __future__ import annotations

import argparse
import getpass
import secrets
import shlex
import shutil
import sys
import textwrap
from contextlib import closing

from smolcell.agent.result import RunResult
from smolcell.approval.contract import keep as keep_contract
from smolcell.approval.gates import deny_all, no_approver
from smolcell.cli import stdio
from smolcell.core.redaction import redact
from smolcell.errors import AgentMaxStepsError, SetupError
from smolcell.machine.waiter import QueueWaiter
from smolcell.models.credentials import AskKey
from smolcell.notebook.doctor import Doctor, diagnose
from smolcell.notebook.session import Session
from smolcell.notebook.settings import effective_settings, read_options
from smolcell.protocols import FrontEnd
from smolcell.tools.builtin import own_tools
from smolcell.views.terminal import TerminalView, is_tty

ANSWERED, FAILED, INTERRUPTED = 0, 1, 130
_NO_APPROVER = no_approver("standard input is no terminal", "Type the command at a terminal")


def run(given: argparse.Namespace) -> int:
    """Work on a task and return the exit status: 0 with an answer, 1 without one, 130 after an interrupt.

    The task ``-`` is read from standard input; then no question can be asked.

    Raises:
        SmolcellError: an option is not valid, or the run ended without an answer.
    """
    options, task = read_options(given), stdio.read() if given.task == "-" else given.task
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
    if not is_tty(sys.stdout):
        print("" if answer is None else answer, flush=True)
    if at_limit:
        stdio.say(redact(f"smolcell: {result.error}. The answer is the model's best one"))
        return FAILED
    return ANSWERED


def terminal() -> tuple[FrontEnd, AskKey | None]:
    """Return the front end of a terminal, and the function that asks for a key if a person can type one."""
    waiter = QueueWaiter()
    if is_tty(sys.stdout):
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
    return is_tty(sys.stdin)


# --- ``smolcell doctor``: checks a new set-up, at the terminal.


_BELOW = " " * 12  # indentation of a task's text


def doctor(given: argparse.Namespace) -> int:
    """Run the stages. The exit status is 0 if none failed.

    Raises:
        SetupError: an option is not valid.
    """
    options = read_options(given)
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
        again=given.again,
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


def contract(given: argparse.Namespace) -> int:
    """Write a contract, and on request a section for coding assistants. Returns the exit status.

    Raises:
        SmolcellError: an option is not valid, the sandbox cannot be opened, or a file cannot be written.
    """
    options = read_options(given)
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
    print(keep_contract(measured, given.output, given.purpose, given.agents_md))
    return 0
