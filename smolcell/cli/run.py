"""``smolcell run``: one task at the terminal, by the same gate, in the same sandboxes.

The rules this file exists to keep:

* The run is drawn where a person looks: on standard output where that is a terminal, else on standard error.
* Where standard output is no terminal, the answer and nothing else is written to it.
"""

from __future__ import annotations

import getpass
import secrets
import shlex
import sys
from contextlib import closing
from typing import TextIO

from smolcell.cli import streams
from smolcell.errors import AgentMaxStepsError, SetupError
from smolcell.gates import deny_all
from smolcell.models.keys import AskKey
from smolcell.options import Options, in_force, own_tools
from smolcell.protocols import FrontEnd
from smolcell.redact import redact
from smolcell.result import RunResult
from smolcell.session import Session
from smolcell.views.terminal import TerminalView
from smolcell.waiter import QueueWaiter

ANSWERED, FAILED, INTERRUPTED = 0, 1, 130
_NOBODY = (
    "nobody is there to approve: standard input is no terminal. Type the command at a terminal, "
    "or allow everything with --approve auto (SMOLCELL_APPROVE=auto)"
)


def run(task: str, options: Options) -> int:
    """Work on a task and return the exit status: 0 with an answer, 1 without one, 130 after an interrupt.

    Args:
        task: in plain words; ``-`` for what standard input says, and then nobody can be asked.
        options: as on the command line.

    Raises:
        SmolcellError: the options are not right, or the run ended without an answer.
    """
    if task == "-":
        task = streams.read()
    if not task.strip():
        raise SetupError('the task is empty. Say what you want done: smolcell run "…"')
    settings = in_force(options, source="the command line")
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
        job = agent.start(task.strip(), front=front, reset=False, run=secrets.token_hex(6), files=options.files)
        try:
            result = agent.stay(job, front.waiter)
        except KeyboardInterrupt:
            streams.say(f"smolcell: interrupted. What was done stands in {agent.journal.path}")
            return INTERRUPTED
        return _told(result, str(agent.journal.path))


def _told(result: RunResult, journal: str) -> int:
    """Write the answer where something reads it, and say what was left out of the drawing."""
    answer = result.value()
    streams.say(f"journal: {journal} (show it again: smolcell replay {shlex.quote(journal)})")
    if not _is_tty(sys.stdout):
        print("" if answer is None else answer, flush=True)
    if isinstance(result.error, AgentMaxStepsError):
        streams.say(redact(f"smolcell: {result.error}. The answer is the model's best one"))
        return FAILED
    return ANSWERED


def terminal() -> tuple[FrontEnd, AskKey | None]:
    """Who shows, asks and waits at a terminal, and what asks for a key where somebody can type one."""
    waiter = QueueWaiter()
    if _is_tty(sys.stdout):
        view = TerminalView(waiter, stdin=_someone_types, nobody=_NOBODY)
    else:
        aside = _ask_aside if _someone_types() else None
        view = TerminalView(waiter, input=aside, stdin=_someone_types, output=sys.stderr, nobody=_NOBODY)
    return FrontEnd(view=view, gate=deny_all, waiter=waiter), _ask_key if _someone_types() else None


def _ask_aside(question: str) -> str:
    """What ``input`` does, with the question on standard error."""
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


def _someone_types() -> bool:
    return _is_tty(sys.stdin)


def _is_tty(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False
