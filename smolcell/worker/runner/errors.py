"""Describes why a program failed, with lines of the program only.

* A traceback shows lines of the agent's code, never of the worker, a library or generated code.
* Its last line is the error with the message for its reader: the limit, or the refusal.
* The error is an object of agent code: its texts are not trusted, and bounded.
"""

from __future__ import annotations

import builtins
import errno
import linecache
from _thread import _count as _count_threads
from collections.abc import Iterator
from typing import Any

from ..guard.imports import ForbiddenError
from ..guard.transformer import Refusal
from ..wire.bounds import clean, cut, cut_end
from .hints import f_string, hint

# --- Advice added to a refusal: what is allowed instead.
#
# * A refusal that already says what to do gets no advice.
# * Advice names what works in the sandbox, in words a model can act on.


USE_PUBLIC_NAMES = "use the object's public attributes and methods; type(x).__name__ gives the name of its type"
ADVICE = (
    ("Forbidden access to dunder attribute", USE_PUBLIC_NAMES),
    ("Forbidden access to dunder name", "define and use other names"),
    ("Forbidden access to attribute", USE_PUBLIC_NAMES),
    ("Forbidden attribute in a pattern", USE_PUBLIC_NAMES),
    ("Forbidden access to private", "use its public names"),
    ("Forbidden access to module", "import the module by its own name, if it is authorized"),
    ("Forbidden access to function", "write the same as ordinary code"),
    ("Forbidden access to file", "use a relative path: the program's files are in its work folder"),
    ("Forbidden name", "choose another name"),
    ("Relative imports", "import by the full name"),
    ("Cannot assign to name", "choose another name"),
)


def with_advice(message: str) -> str:
    """Return the refusal with advice about what is allowed instead."""
    if ". " in message:  # it contains advice
        return message
    for start, instead in ADVICE:
        if message.startswith(start):
            return f"{message}. Instead, {instead}"
    return message


# --- Source texts of steps, for tracebacks: which step owns a file name, and how it is displayed.
#
# * A function keeps its lines even if a later run uses the same step number again.
# * Tracebacks show the step's number; a step of an earlier run is marked as such.


FILE = "<agent step {}>"
FILE_AGAIN = "<agent step {} ({})>"
_known: dict[str, tuple[int, int]] = {}  # file name -> run, step
_now = (1, 0)


def remember(step: int, source: str) -> str:
    """Register a step's source for tracebacks and ``inspect``; returns its file name.

    Within a run, step numbers grow: a number that does not grow begins a new run.
    """
    global _now
    run, last = _now
    _now = (run if step > last else run + 1, step)
    name = FILE.format(step) if _now[0] == 1 else FILE_AGAIN.format(step, _now[0])
    _known.pop(name, None)
    _known[name] = _now  # the last entry is the current step
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    return name


def current_file() -> str:
    """Return the file name of the current step; "" before the first."""
    return next(reversed(_known), "")


def is_own(file: str | None) -> bool:
    """Return whether a file is the text of a step."""
    return file in _known


def display_path(file: str) -> str:
    """Return how a step's file name is displayed: ``<step 3>``, ``<step 3 of an earlier run>``."""
    run, step = _known[file]
    return f"<step {step}>" if run == _now[0] else f"<step {step} of an earlier run>"


def source_line(file: str, number: int) -> str:
    """Return a line of a step's text without its line break; "" if there is no such line."""
    return linecache.getline(file, number).rstrip()


THREADS = (
    "Processes cannot share semaphores or memory in this sandbox: use threads in place of multiprocessing, "
    "for example concurrent.futures.ThreadPoolExecutor"
)
MANAGERS = "multiprocessing/managers.py"
SHARED = {f"multiprocessing/{name}.py" for name in ("synchronize", "heap", "shared_memory")}
MANY_THREADS = 8
MAX_MESSAGE = 4000
MAX_TRACEBACK = 8000
MAX_LINE = 500
MAX_NOTES = 5
MAX_HINT = 1000
MAX_PARTS = 8  # maximum errors shown of one group
MAX_CHAIN = 4  # maximum causes shown of one error, and nested groups
BECAUSE = "\nThe above exception was the direct cause of the following exception:\n"
DURING = "\nDuring handling of the above exception, another exception occurred:\n"
_Group: Any = getattr(builtins, "BaseExceptionGroup", ())


def fault(error: BaseException, memory: int = 0) -> dict[str, Any]:
    """Describe why a program failed, in the form of the wire's ``error`` field.

    Args:
        error: the exception that the program raised.
        memory: memory limit in MB, for the message of a MemoryError; 0 if it is unknown.
    """
    if isinstance(error, SyntaxError) and is_own(error.filename):
        return _syntax_fault(error)
    if isinstance(error, Refusal):
        message = with_advice(_message(error))
        file = current_file()
        where = _place(file, error.line) + "\n" if error.line and is_own(file) else ""
        return _make_fault("forbidden", "ForbiddenError", message, error.line, f"{where}ForbiddenError: {message}")
    places = _own_places(error)
    line = places[-1][1] if places else 0
    kind, name, message = _describe(error, memory)
    text = _traceback(error, name, message)
    meant = hint(error, _own_frame(error), source_line(*places[-1][:2]) if places else "")
    return _make_fault(kind, name, message, line, f"{text}\n{cut_end(meant, MAX_HINT)}" if meant else text)


def _own_frame(error: BaseException) -> Any:
    """Return the innermost frame of the agent's code; None if there is none."""
    frames = [frame for frame, _ in _frames(error) if is_own(frame.f_code.co_filename)]
    return frames[-1] if frames else None


def _describe(error: BaseException, memory: int) -> tuple[str, str, str]:
    """Return kind, name and message of an error."""
    if isinstance(error, ForbiddenError):
        return "forbidden", "ForbiddenError", with_advice(_message(error))
    if isinstance(error, MemoryError):
        number, limit = _count_threads(), f" of {memory} MB" if memory else ""
        threads = f"; {number:,} threads are running, and each takes some of it" if number > MANY_THREADS else ""
        text = f"the step reached the memory limit{limit}{threads}. Work on smaller parts of the data"
        return "limit", "MemoryError", text
    if _lacks_sharing(error):
        return "python", _name(error), f"{_message(error)}. {THREADS}".lstrip(". ")
    return "python", _name(error), _message(error)


def _lacks_sharing(error: BaseException) -> bool:
    """Return whether multiprocessing failed because the walls deny /dev/shm, semaphores or sockets."""
    files = {"/".join(frame.f_code.co_filename.split("/")[-2:]) for frame, _ in _frames(error)}
    refused = isinstance(error, OSError) and error.errno in (errno.EACCES, errno.EPERM, errno.ENOENT, errno.ENOSYS)
    return (refused and not files.isdisjoint(SHARED)) or (isinstance(error, EOFError) and MANAGERS in files)


def _name(error: BaseException) -> str:
    return clean(cut_end(_exact(type.__dict__["__name__"].__get__(type(error))), 200))


def _message(error: BaseException) -> str:
    try:
        text = _exact(str(error))
    except BaseException as inner:
        text = f"<the error's text cannot be read: {_name(inner)}>"
    return clean(cut(text, MAX_MESSAGE))


def _read_attribute(error: BaseException, name: str) -> Any:
    """Return an attribute that Python stores in every exception, whatever its class overrides."""
    return vars(BaseException)[name].__get__(error)


def _exact(text: str) -> str:
    """Return an exact ``str``, without methods that a subclass may override."""
    return str.__str__(text)


def _own_places(error: BaseException) -> list[tuple[str, int, str]]:
    """Return file, line and function of the agent's frames, outermost first."""
    codes = [(frame.f_code, line) for frame, line in _frames(error)]
    return [(code.co_filename, line, code.co_name) for code, line in codes if is_own(code.co_filename)]


def _frames(error: BaseException) -> Iterator[tuple[Any, int]]:
    """Yield the frames of an error's traceback with their lines, outermost first."""
    at = _read_attribute(error, "__traceback__")
    while at is not None:
        yield at.tb_frame, at.tb_lineno
        at = at.tb_next


def _place(file: str, line: int, name: str = "") -> str:
    text = f'  File "{display_path(file)}", line {line}' + (f", in {cut_end(name, 200)}" if name else "")
    source = source_line(file, line).strip()
    return f"{text}\n    {cut_end(source, MAX_LINE)}" if source else text


def _traceback(error: BaseException, name: str, message: str) -> str:
    parts = [_own_text(error, name, message)]
    seen = {id(error)}
    while len(parts) < 2 * MAX_CHAIN:
        link, error_before = _find_earlier_error(error)
        if error_before is None or id(error_before) in seen or not _own_places(error_before):
            break  # the rest of the chain is within a library
        error = error_before
        seen.add(id(error))
        parts[:0] = [_own_text(error, _name(error), _message(error)), link]
    text = "\n".join(parts)
    return text if len(text) <= MAX_TRACEBACK else "\u2026" + text[1 - MAX_TRACEBACK :]


def _find_earlier_error(error: BaseException) -> tuple[str, BaseException | None]:
    """Return how an earlier error led to this one, and that error."""
    cause = _read_attribute(error, "__cause__")
    if cause is not None:
        return BECAUSE, cause
    hidden = _read_attribute(error, "__suppress_context__")
    return DURING, None if hidden else _read_attribute(error, "__context__")


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
    return [clean(cut_end(note, MAX_LINE)) for note in notes[:MAX_NOTES] if type(note) is str]


def _parts(group: Any, level: int) -> list[str]:
    """Return the errors of a group, one below the other."""
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
    source = source_line(file, line)
    shown = _place(file, line)
    if source.strip() and error.offset:
        indent = len(source) - len(source.lstrip())
        shown += "\n    " + " " * max(0, min(error.offset - 1 - indent, MAX_LINE)) + "^"
    message = clean(str(error.msg))
    meant = cut_end(f_string(source[:MAX_LINE]), MAX_HINT)
    return _make_fault("python", name, message, line, f"{shown}\n{name}: {message}\n{meant}".rstrip())


def _make_fault(kind: str, name: str, message: str, line: int, traceback: str) -> dict[str, Any]:
    return {"kind": kind, "type": name, "message": message, "line": line, "traceback": clean(traceback)}
