"""The texts of the steps, for tracebacks: which file name is whose, and how it is said.

The rules this file exists to keep:

* A function keeps its lines, also after a later run has used its step's number again.
* What a person and a model read is the step's number as they know it; a step of an earlier run is called so.
"""

from __future__ import annotations

import linecache

FILE = "<agent step {}>"
FILE_AGAIN = "<agent step {} ({})>"
_known: dict[str, tuple[int, int]] = {}  # file name -> run, step
_now = (1, 0)


def remember(step: int, source: str) -> str:
    """Make the step's lines known to tracebacks and ``inspect``; returns its file name.

    Steps of one run are numbered upwards: a number that does not grow begins a later run.
    """
    global _now
    run, last = _now
    _now = (run if step > last else run + 1, step)
    name = FILE.format(step) if _now[0] == 1 else FILE_AGAIN.format(step, _now[0])
    _known.pop(name, None)
    _known[name] = _now  # the newest comes last
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    return name


def current() -> str:
    """The file name of the step under way; "" before the first."""
    return next(reversed(_known), "")


def is_own(file: str | None) -> bool:
    """Whether this is the text of a step, and not a library's or the sandbox's."""
    return file in _known


def shown(file: str) -> str:
    """The file name as it is said: ``<step 3>``, ``<step 3 of an earlier run>``."""
    run, step = _known[file]
    return f"<step {step}>" if run == _now[0] else f"<step {step} of an earlier run>"


def line(file: str, number: int) -> str:
    """One line of a step's text, without its end; "" where there is none."""
    return linecache.getline(file, number).rstrip()
