"""Standard input, output and error, which may be closed, full, unread, or in an encoding that lacks most letters.

* A file that is opened later never gets the number of a closed stream: output must not end up in a journal.
* Text for standard error is best effort: a failed write changes neither the run nor its exit status.
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

MAX_INPUT_CHARS = 1_000_000  # characters
_UNWRITTEN = {getattr(errno, name, -1) for name in ("ENOSPC", "EDQUOT", "EIO", "EBADF", "EFBIG")}

_EXPORT = "set" if os.name == "nt" else "export"
_CONFIG = re.compile(r"%agent config model=(\S+)")
_COMMAND = re.compile(r"%agent (?=(?:doctor|sandboxes)\b)")
_SHELL = re.compile(r"(^\s*|(?:type|with|next): )!(?=[a-z])", re.MULTILINE)
_SET = re.compile(r"\bset (\w+) before the kernel starts")
_TASK = re.compile(r"(?<=: )%%agent$", re.MULTILINE)
_STATUS = re.compile(r"`%agent status` names the file of a session")


def prepare() -> None:
    """Make the three streams safe to use. Prints a notice if standard output is closed."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number, which is this stream's
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - for as long as the process
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115
        say("smolcell: standard output is closed: its output is lost")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


@contextmanager
def reserved() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Reserve standard input and output for a protocol: meanwhile ``sys.stdin`` is empty, and ``print`` writes to standard error."""
    originals = os.dup(0), os.dup(1)
    empty = os.open(os.devnull, os.O_RDONLY)
    sys.stdout.flush()
    os.dup2(empty, 0)
    os.dup2(2, 1)
    os.close(empty)
    with (
        os.fdopen(os.dup(originals[0]), "rb", buffering=0) as reading,
        os.fdopen(os.dup(originals[1]), "wb", buffering=0) as writing,
    ):
        try:
            yield reading, writing
        finally:
            sys.stdout.flush()
            for number, descriptor in enumerate(originals):
                os.dup2(descriptor, number)
                os.close(descriptor)


def say(text: str) -> None:
    """Write a line to standard error. Best effort."""
    try:
        print(text, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        discard(2)


def read() -> str:
    """Return the text of standard input, up to its end.

    Raises:
        SetupError: it is closed, is no text, or is too long for a task.
    """
    try:
        text = "" if sys.stdin is None else sys.stdin.read(MAX_INPUT_CHARS + 1)
    except (OSError, ValueError) as error:
        raise SetupError(f"standard input cannot be read as text: {error}. Give the task in quotes instead") from None
    if len(text) > MAX_INPUT_CHARS:
        raise SetupError(f"standard input has more than {MAX_INPUT_CHARS:,} characters; pass a long text with --file")
    return text


def unwritable_message(error: OSError) -> str:
    """Return why standard output could not be written; "" for another kind of error."""
    if error.filename is None and error.errno in _UNWRITTEN:
        return error.strerror or str(error)
    return ""


def discard(number: int) -> None:
    """Drop the unwritten rest of a stream, so that Python does not fail on it when it exits."""
    with suppress(OSError):
        empty = os.open(os.devnull, os.O_WRONLY)
        os.dup2(empty, number)
        os.close(empty)


def for_a_shell(text: str) -> str:
    """Return the text with the notebook's commands as the shell's: ``-m NAME`` for ``%agent config model=NAME``, no ``!``."""
    text = _SHELL.sub(r"\1", _CONFIG.sub(r'smolcell run -m \1 "…"', _COMMAND.sub("smolcell ", text)))
    text = _TASK.sub('smolcell run "…"', text)
    return _STATUS.sub("`smolcell run` names its journal at the end", _SET.sub(f"{_EXPORT} \\1=…", text))
