"""What ``%agent resume`` says of a conversation that came back, and what ``%agent fork`` reads and says."""

from __future__ import annotations

import io
import shlex
from typing import NamedTuple

from smolcell.describe import clip
from smolcell.errors import SetupError
from smolcell.events import Asked, Ended, History, Replied
from smolcell.memory import held
from smolcell.notebook.words import split
from smolcell.visible import visible

USAGE = "%agent fork STEP [NAME] [--session OF]: a session NAME that stands where OF's newest run stood after that step"
_NAMES = 1_000  # characters of names


class Fork(NamedTuple):
    """What one ``%agent fork`` line asks for; ``name`` is "" where it names no session."""

    step: int
    name: str
    of: str


def read_fork(line: str, session: str) -> Fork:
    """Read the words after ``%agent fork``; ``session`` is the one that is forked where none is named.

    Raises:
        SetupError: the words are not of that form.
    """
    given = split(line, "fork")
    if "--session" in given[:-1]:
        at = given.index("--session")
        session, given = given[at + 1], given[:at] + given[at + 2 :]
    if not 1 <= len(given) <= 2 or not given[0].isdecimal() or len(given[0]) > 9:
        raise SetupError(f"%agent fork does not take {line.strip()!r}. {USAGE}")
    return Fork(int(given[0]), "".join(given[1:]), session)


def read_resume(line: str) -> tuple[str, str]:
    """The name that the words after ``%agent resume`` begin with, quoted or not ("" for none), and the options after it.

    Raises:
        SetupError: a quote is not closed.
    """
    if line.startswith("-"):
        return "", line
    text = io.StringIO(line)  # read no further than the name
    words = shlex.shlex(text, posix=True)
    words.whitespace_split, words.commenters = True, ""
    try:
        return words.get_token() or "", text.read()
    except ValueError as error:
        raise SetupError(f"%agent resume cannot be read: {error}. Close every quote") from None


def told_back(session: str, history: History) -> str:
    """That a conversation came back, how it ended, and what did not come with it."""
    tasks = sum(1 for event in history if isinstance(event, Asked) and not event.resumes)
    steps = sum(1 for event in history if isinstance(event, Replied))
    ended = next((event for event in reversed(history) if isinstance(event, Ended)), None)
    how = "it was done" if ended is None or ended.state == "success" else visible(ended.error) or ended.state
    head = (
        f"smolcell: the conversation of the session {session} is back from its journal: "
        f"{tasks} task{'s' * (tasks != 1)}, {steps} step{'s' * (steps != 1)}; its end was: {how}"
    )
    return f"{head}\n{told_gone(history)}"


def told_fork(fork: Fork, history: History) -> str:
    """That there is a fork, and how to go on with it."""
    name = shlex.quote(fork.name)
    return (
        f"smolcell: the session {fork.name} stands where {fork.of} stood after step {fork.step}. Go on: %agent resume {name}"
        f" · give it another task: %%agent --session {name}\n{told_gone(history)}"
    )


def told_gone(history: History) -> str:
    """Which names of the sandbox did not come along, for a person."""
    names = held(history)
    if not names:
        return "smolcell: its sandbox held no variables and no files, so nothing of it is missing"
    said = clip(visible(", ".join(names)), _NAMES)
    return (
        f"smolcell: gone with its sandbox: {said}. The model is told so; hand notebook variables in again with -i NAME"
    )
