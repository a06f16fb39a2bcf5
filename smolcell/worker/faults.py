"""Why a program failed, told with its own lines only.

The rules this file exists to keep:

* A traceback shows the agent's lines and nothing of the sandbox's own, of a library's, or of generated code.
* Its last line is the error with the message that is meant for the reader: the limit, the refusal.
* The error is the agent's object: no text of it is trusted, and all of it is bounded.
"""

from __future__ import annotations

import builtins
from typing import Any

from . import listings
from .advice import with_advice
from .guard import Refusal
from .modules import ForbiddenError
from .values import clean

MAX_MESSAGE = 4000
MAX_TRACEBACK = 8000
MAX_LINE = 500
MAX_NOTES = 5
MAX_PARTS = 8  # errors shown of one group
MAX_CHAIN = 4  # causes shown of one error, and levels of groups
BECAUSE = "\nThe above exception was the direct cause of the following exception:\n"
DURING = "\nDuring handling of the above exception, another exception occurred:\n"
_Group: Any = getattr(builtins, "BaseExceptionGroup", ())


def fault(error: BaseException, memory: int = 0) -> dict[str, Any]:
    """Why a program failed, as the wire's fault.

    Args:
        error: what it raised.
        memory: the memory limit in MB, to be named where it was reached.
    """
    if isinstance(error, SyntaxError) and listings.is_own(error.filename):
        return _syntax_fault(error)
    if isinstance(error, Refusal):
        message = with_advice(_message(error))
        file = listings.current()
        where = _place(file, error.line) + "\n" if error.line and listings.is_own(file) else ""
        return _made("forbidden", "ForbiddenError", message, error.line, f"{where}ForbiddenError: {message}")
    places = _own_places(error)
    line = places[-1][1] if places else 0
    kind, name, message = _said(error, memory)
    return _made(kind, name, message, line, _traceback(error, name, message))


def _said(error: BaseException, memory: int) -> tuple[str, str, str]:
    """Kind, name and message of an error."""
    if isinstance(error, ForbiddenError):
        return "forbidden", "ForbiddenError", with_advice(_message(error))
    if isinstance(error, MemoryError):
        text = "the step reached the memory limit of {} MB. A higher limit: memory=…"
        return "limit", "MemoryError", text.format(memory or "?")
    return "python", _name(error), _message(error)


def _name(error: BaseException) -> str:
    return clean(_exact(type.__dict__["__name__"].__get__(type(error)))[:200])


def _message(error: BaseException) -> str:
    try:
        text = _exact(str(error))
    except BaseException as inner:
        text = f"<the error's own text failed: {_name(inner)}>"
    if len(text) > MAX_MESSAGE:
        text = text[:MAX_MESSAGE] + f"… [{len(text):,} characters]"
    return clean(text)


def _slot(error: BaseException, name: str) -> Any:
    """What Python itself keeps of an error, whatever its class says."""
    return vars(BaseException)[name].__get__(error)


def _exact(text: str) -> str:
    """A text without the methods that a subclass of ``str`` may bring."""
    return str.__str__(text)


def _own_places(error: BaseException) -> list[tuple[str, int, str]]:
    """File, line and function of the agent's frames, outermost first."""
    places = []
    at = _slot(error, "__traceback__")
    while at is not None:
        code = at.tb_frame.f_code
        if listings.is_own(code.co_filename):
            places.append((code.co_filename, at.tb_lineno, code.co_name))
        at = at.tb_next
    return places


def _place(file: str, line: int, name: str = "") -> str:
    text = f'  File "{listings.shown(file)}", line {line}' + (f", in {name[:200]}" if name else "")
    source = listings.line(file, line).strip()
    return f"{text}\n    {source[:MAX_LINE]}" if source else text


def _traceback(error: BaseException, name: str, message: str) -> str:
    parts = [_own_text(error, name, message)]
    seen = {id(error)}
    while len(parts) < 2 * MAX_CHAIN:
        link, error_before = _before(error)
        if error_before is None or id(error_before) in seen or not _own_places(error_before):
            break  # a chain within a library is the library's own
        error = error_before
        seen.add(id(error))
        parts[:0] = [_own_text(error, _name(error), _message(error)), link]
    return "\n".join(parts)[-MAX_TRACEBACK:]


def _before(error: BaseException) -> tuple[str, BaseException | None]:
    """The error that led to this one, and how."""
    cause = _slot(error, "__cause__")
    if cause is not None:
        return BECAUSE, cause
    hidden = _slot(error, "__suppress_context__")
    return DURING, None if hidden else _slot(error, "__context__")


def _own_text(error: BaseException, name: str, message: str, level: int = 0) -> str:
    places = _own_places(error)
    text = ["Traceback (most recent call last):"] if places and not level else []
    shown = places if len(places) <= 20 else [*places[:8], None, *places[-8:]]
    for place in shown:
        text.append(f"  … {len(places) - 16} more" if place is None else _place(*place))
    text.append(f"{name}: {message}" if message else name)
    text += _notes(error)
    if _Group and isinstance(error, _Group) and level < MAX_CHAIN:
        text += _parts(error, level)
    return "\n".join(text)


def _notes(error: BaseException) -> list[str]:
    try:
        notes = error.__dict__.get("__notes__", ())
    except BaseException:
        return []
    if type(notes) is not list:
        return []
    return [clean(note[:MAX_LINE]) for note in notes[:MAX_NOTES] if type(note) is str]


def _parts(group: Any, level: int) -> list[str]:
    """The errors of a group, one below the other."""
    errors = _Group.exceptions.__get__(group)
    text = []
    for number, error in enumerate(errors[:MAX_PARTS], 1):
        lines = _own_text(error, _name(error), _message(error), level + 1).split("\n")
        text += [f"  {number}. {lines[0].strip()}", *("     " + line for line in lines[1:])]
    if len(errors) > MAX_PARTS:
        text.append(f"  … {len(errors) - MAX_PARTS} more")
    return text


def _syntax_fault(error: SyntaxError) -> dict[str, Any]:
    name, file, line = _name(error), str(error.filename), error.lineno or 0
    source = listings.line(file, line)
    shown = _place(file, line)
    if source.strip() and error.offset:
        indent = len(source) - len(source.lstrip())
        shown += "\n    " + " " * max(0, min(error.offset - 1 - indent, MAX_LINE)) + "^"
    message = clean(str(error.msg))
    return _made("python", name, message, line, f"{shown}\n{name}: {message}")


def _made(kind: str, name: str, message: str, line: int, traceback: str) -> dict[str, Any]:
    return {"kind": kind, "type": name, "message": message, "line": line, "traceback": clean(traceback)}
