"""Standard input, output and error as a command finds them: closed, full, not read, in an encoding without most letters.

* No file that is opened later takes the number of a stream that was closed: what is printed must not end up in a journal.
* Text for standard error is best effort: a failure to write it changes neither the run nor its exit status.
* Characters that the encoding lacks are written as ``\\u2026``.
"""

from __future__ import annotations

import errno
import io
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from smolcell.errors import SetupError

MOST_READ = 1_000_000  # characters
_UNWRITTEN = {getattr(errno, name, -1) for name in ("ENOSPC", "EDQUOT", "EIO", "EBADF", "EFBIG")}

_EXPORT = "set" if os.name == "nt" else "export"
_CONFIG = re.compile(r"%agent config model=(\S+)")
_COMMAND = re.compile(r"%agent (?=(?:doctor|sandboxes)\b)")
_SHELL = re.compile(r"(^\s*|(?:type|with|next): )!(?=[a-z])", re.MULTILINE)
_SET = re.compile(r"\bset (\w+) before the kernel starts")
_TASK = re.compile(r"(?<=: )%%agent$", re.MULTILINE)
_STATUS = re.compile(r"`%agent status` names the file of a session")


def prepare() -> None:
    """Make the three streams safe to use, and say whether standard output is closed."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free: this one
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - for as long as the process
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115
        say("smolcell: standard output is closed: what belongs there is lost")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


@contextmanager
def reserved() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Standard input and output for a protocol alone: meanwhile standard input is empty, and what is printed goes to standard error."""
    kept = os.dup(0), os.dup(1)
    empty = os.open(os.devnull, os.O_RDONLY)
    sys.stdout.flush()
    os.dup2(empty, 0)
    os.dup2(2, 1)
    os.close(empty)
    with (
        os.fdopen(os.dup(kept[0]), "rb", buffering=0) as reading,
        os.fdopen(os.dup(kept[1]), "wb", buffering=0) as writing,
    ):
        try:
            yield reading, writing
        finally:
            sys.stdout.flush()
            for number, descriptor in enumerate(kept):
                os.dup2(descriptor, number)
                os.close(descriptor)


def say(text: str) -> None:
    """Write a line to standard error. Best effort."""
    try:
        print(text, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        discard(2)


def read() -> str:
    """The text of standard input, up to its end.

    Raises:
        SetupError: it is closed, no text, or longer than a task can be.
    """
    try:
        text = "" if sys.stdin is None else sys.stdin.read(MOST_READ + 1)
    except (OSError, ValueError) as error:
        raise SetupError(f"standard input cannot be read as text: {error}. Give the task in quotes instead") from None
    if len(text) > MOST_READ:
        raise SetupError(f"standard input holds more than {MOST_READ:,} characters; hand a long text in with --file")
    return text


def unwritable_message(error: OSError) -> str:
    """Why standard output could not be written; "" if this is another error."""
    if error.filename is None and error.errno in _UNWRITTEN:
        return error.strerror or str(error)
    return ""


def discard(number: int) -> None:
    """Drop the unwritten rest of a stream, so that Python's end does not fail over it."""
    with suppress(OSError):
        empty = os.open(os.devnull, os.O_WRONLY)
        os.dup2(empty, number)
        os.close(empty)


def for_a_shell(text: str) -> str:
    """The text with the notebook's commands put as the shell's: ``-m NAME`` for ``%agent config model=NAME``, no ``!``."""
    text = _SHELL.sub(r"\1", _CONFIG.sub(r'smolcell run -m \1 "…"', _COMMAND.sub("smolcell ", text)))
    text = _TASK.sub('smolcell run "…"', text)
    return _STATUS.sub("`smolcell run` names its journal at the end", _SET.sub(f"{_EXPORT} \\1=…", text))
