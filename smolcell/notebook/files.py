"""``%agent files``: what is in a sandbox's work folder, and keeping some of it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from smolcell.errors import SandboxError, SetupError
from smolcell.events import File
from smolcell.notebook.words import split

USAGE = "%agent files [--session NAME] lists them; %agent files keep NAME [TARGET] copies one beside this notebook"


class Asked(NamedTuple):
    """What one ``%agent files`` line asks for; ``keep`` is None where it asks for the list."""

    session: str
    keep: str | None
    target: Path


def read_files(line: str, session: str) -> Asked:
    """Read the words after ``%agent files``.

    Args:
        line: the words.
        session: the session where none is named.

    Raises:
        SetupError: the words are none of the forms.
    """
    given = split(line, "files")
    if "--session" in given:
        at = given.index("--session")
        session, given = " ".join(given[at + 1 : at + 2]), given[:at] + given[at + 2 :]
        if not session:
            raise SetupError(f"--session takes a name. {USAGE}")
    if not given:
        return Asked(session, None, Path())
    if given[0] != "keep" or not 2 <= len(given) <= 3:
        raise SetupError(f"%agent files does not take {line.strip()!r}. {USAGE}")
    return Asked(session, given[1], Path(given[2] if len(given) == 3 else Path(given[1]).name))


def listed(executor: Any) -> Sequence[File]:
    """The files in a session's sandbox."""
    found: Sequence[File] = executor.files() if executor is not None and hasattr(executor, "files") else ()
    return found


def told(files: Sequence[File], session: str) -> str:
    """The list as a person reads it."""
    if not files:
        return f"smolcell: no files in the sandbox of session {session}. Put some in with: %%agent -f PATH"
    width = max(len(f"{file.size:,}") for file in files)
    rows = [f"{file.size:>{width},} bytes  {file.name}" for file in files]
    return "\n".join([*rows, "keep one with: %agent files keep NAME [TARGET]"])


def keep(executor: Any, name: str, target: Path) -> str:
    """Copy one file out of a session's sandbox; says where it is now.

    Raises:
        SandboxError: the sandbox has no such file.
        SetupError: the target exists, or cannot be written.
    """
    if executor is None or not hasattr(executor, "keep_file"):
        raise SandboxError("this session's sandbox has no files to keep")
    target = target.expanduser()
    try:
        return str(executor.keep_file(name, target))
    except FileExistsError:
        raise SetupError(
            f"{target} exists and is not overwritten; give another name: %agent files keep {shlex.quote(name)} TARGET"
        ) from None
    except OSError as error:
        raise SetupError(f"{target} cannot be written: {error.strerror}; give another name as TARGET") from None
