"""Parts of the standard library that are made anew for agent code, because their own lead from text or objects to more.

The rules this file exists to keep:

* What is handed out inherits from no class of the library's: ``super()`` would reach the original's methods.
* State lives in closures and in exact texts; what a program could change between a check and its use is copied first.
"""

from __future__ import annotations

import ast
import asyncio
import string
import sys
import traceback
import typing
from types import GenericAlias
from typing import Any, Callable, NamedTuple

from .lookups import JUDGED, check_attribute, check_format, is_dunder, read
from .modules import ForbiddenError
from .quoted import check as check_text
from .stores import STEP_FILE, bases, is_own_class, is_own_function

_dict_of = type.__dict__["__dict__"].__get__
_split: Any = string._string.formatter_field_name_split  # type: ignore[attr-defined]


def named(name: str) -> str:
    """A part of a dotted name that a program handed in, if it may be read or is judged when it is."""
    return name if name in JUDGED and not is_dunder(name) else check_attribute(name)


def read_part(value: Any, name: str) -> Any:
    """The attribute of such a part."""
    return read(value, name) if name in JUDGED else getattr(value, name)


# --- string.Formatter --------------------------------------------------------------------------------------------------


def _get_field(self: Any, field_name: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
    if type(field_name) is not str:
        raise TypeError("the name of a field must be a string")
    first, rest = _split(field_name)
    found = self.get_value(first, args, kwargs)
    for is_attribute, name in rest:
        found = read_part(found, named(name)) if is_attribute else found[name]
    return found, first


Formatter: Any = type("Formatter", (), {**vars(string.Formatter), "get_field": _get_field})


def check_formats() -> None:
    """Let libraries that fill in a format for a program read by the guard's rule, where they are loaded."""
    string.Formatter.get_field = _get_field  # type: ignore[method-assign]
    for module, kind, method, field in _FORMATTING:
        found = getattr(sys.modules.get(module), kind, None)
        if found is not None and getattr(found, method).__module__ != __name__:
            setattr(found, method, _checking(getattr(found, method), field))
    styled = sys.modules.get("pandas.io.formats.style_render")
    if styled is not None and styled._maybe_wrap_formatter.__module__ != __name__:
        styled._maybe_wrap_formatter = _checking_first(styled._maybe_wrap_formatter)  # type: ignore[attr-defined]


# Module, class, method, and the attribute that holds the format.
_FORMATTING = (
    ("logging", "StrFormatStyle", "_format", "_fmt"),
    ("matplotlib.ticker", "StrMethodFormatter", "__call__", "fmt"),
)


def _checking(method: Any, field: str) -> Callable[..., Any]:
    def checked(self: Any, *args: Any, **kwargs: Any) -> Any:
        setattr(self, field, check_format(str.__str__(getattr(self, field))))
        return method(self, *args, **kwargs)

    return checked


def _checking_first(function: Any) -> Callable[..., Any]:
    def checked(formatter: Any = None, *args: Any, **kwargs: Any) -> Any:
        if isinstance(formatter, str):
            formatter = check_format(str.__str__(formatter))
        return function(formatter, *args, **kwargs)

    return checked


# --- asyncio's loops ---------------------------------------------------------------------------------------------------


def loops() -> dict[str, Callable[..., Any]]:
    """``asyncio``'s functions that give a loop: what they give runs programs and counts time, and holds no socket."""
    current: list[Any] = []

    def get_running_loop() -> Any:
        found = asyncio.get_running_loop()  # it says itself that there is none
        return _stand_in(lambda: found)

    def new_event_loop() -> Any:
        return _stand_in(_made_once())

    def get_event_loop() -> Any:
        try:
            return get_running_loop()
        except RuntimeError:
            if not current:
                current.append(new_event_loop())
            return current[0]

    def set_event_loop(loop: Any) -> None:
        current[:] = [] if loop is None else [loop]

    return {each.__name__: each for each in (get_running_loop, new_event_loop, get_event_loop, set_event_loop)}


class EventLoop:
    """An event loop as agent code gets it."""


def _stand_in(loop: Callable[[], Any]) -> EventLoop:
    made = EventLoop()
    for name in _OF_A_LOOP:
        setattr(made, name, _passed(name, loop))
    return made


def _made_once() -> Callable[[], Any]:
    made: list[Any] = []

    def loop() -> Any:
        if not made:
            made.append(asyncio.new_event_loop())
        return made[0]

    return loop


def _passed(name: str, loop: Callable[[], Any]) -> Callable[..., Any]:
    def passed(*args: Any, **kwargs: Any) -> Any:
        return getattr(loop(), name)(*args, **kwargs)

    passed.__name__ = passed.__qualname__ = name
    return passed


_OF_A_LOOP = (
    "call_at call_later call_soon close create_future create_task is_closed is_running run_until_complete "
    "shutdown_asyncgens stop time"
).split()


# --- typing.get_type_hints ---------------------------------------------------------------------------------------------


def get_type_hints(obj: Any, globalns: Any = None, localns: Any = None, include_extras: bool = False) -> dict[str, Any]:
    """``typing.get_type_hints``; annotations in quotes name what the program knows, and read nothing that is shut.

    Raises:
        ForbiddenError: an annotation in quotes stands in a library, or names what a program must not name.
    """
    if not (isinstance(obj, type) or callable(obj)) or type(obj) is type(sys):
        raise TypeError(f"{obj!r} is not a module, class, method, or function.")
    for own, text in _texts(obj):
        if not own:
            raise ForbiddenError("Forbidden annotation: in quotes they are read only where the program wrote them")
        check_text(text, "", lambda name: False)
    names = vars(sys.modules["__main__"])  # never a module's that the object names as its own
    local = {**dict(globalns or {}), **dict(localns or {})} or None
    return typing.get_type_hints(obj, names, local, include_extras)


def _texts(obj: Any) -> Any:
    """Whether it is the program's, and the text, of each annotation in quotes."""
    found: Any
    if isinstance(obj, type):
        found = [(is_own_class(base), _dict_of(base).get("__annotations__", {})) for base in bases(obj)]
    else:
        function = getattr(obj, "__func__", obj)
        found = [(is_own_function(function), getattr(function, "__annotations__", {}))]
    for own, hints in found:
        if own and type(hints) is not dict:
            raise ForbiddenError("Forbidden annotations: they are no plain dict")
        for hint in hints.values() if type(hints) is dict else ():
            yield from ((own, text) for text in _quoted(hint))


def _quoted(hint: Any) -> Any:
    if isinstance(hint, str):
        yield str.__str__(hint)
    elif isinstance(hint, typing.ForwardRef):
        if getattr(hint, "__forward_module__", None) not in (None, "__main__"):
            raise ForbiddenError("Forbidden annotation: in quotes they are read only where the program wrote them")
        yield hint.__forward_arg__
    elif isinstance(hint, (tuple, list)):
        for part in hint:
            yield from _quoted(part)
    elif isinstance(hint, _HINTS) and typing.get_origin(hint) is not typing.Literal:
        yield from _quoted(hint.__args__)


_HINTS: tuple[Any, ...] = (typing._GenericAlias, GenericAlias)  # type: ignore[attr-defined]
if sys.version_info >= (3, 10):
    _HINTS += (type(int | str),)


# --- ast ---------------------------------------------------------------------------------------------------------------


def parse(source: Any, filename: Any = "<unknown>", mode: str = "exec", **options: Any) -> Any:
    """``ast.parse``, whose trees share nothing with those of other programs."""
    if not isinstance(source, (str, bytes)):
        raise TypeError("parse() arg 1 must be a string or bytes")
    tree = ast.parse(source, filename, mode, **options)
    for node in ast.walk(tree):
        for field in ("ctx", "op"):
            if hasattr(node, field):
                setattr(node, field, type(getattr(node, field))())
        if isinstance(node, ast.Compare):
            node.ops = [type(each)() for each in node.ops]
    return tree


# --- traceback ---------------------------------------------------------------------------------------------------------


class Line(NamedTuple):
    """One line of ``traceback.extract_tb``."""

    filename: str
    lineno: int
    name: str
    line: str


def tracebacks() -> dict[str, Callable[..., Any]]:
    """``traceback``'s functions, with the program's own lines only."""

    def format_exception(
        exc: Any, value: Any = None, tb: Any = None, limit: Any = None, chain: bool = True
    ) -> list[str]:
        error = exc if value is None else value
        if error is None:
            return ["NoneType: None\n"]
        if not issubclass(type(error), BaseException):
            raise TypeError(f"Exception expected for value, {type(error).__name__} found")
        told = traceback.TracebackException(type(error), error, error.__traceback__, limit=limit)
        _keep_own_lines(told, set())
        return list(told.format(chain=chain))

    def format_exception_only(exc: Any, value: Any = None) -> list[str]:
        error = exc if value is None else value
        return traceback.format_exception_only(type(error), error)

    def print_exception(
        exc: Any, value: Any = None, tb: Any = None, limit: Any = None, file: Any = None, chain: bool = True
    ) -> None:
        (file or sys.stderr).write("".join(format_exception(exc, value, tb, limit, chain)))

    def format_exc(limit: Any = None, chain: bool = True) -> str:
        return "".join(format_exception(sys.exc_info()[1], limit=limit, chain=chain))

    def print_exc(limit: Any = None, file: Any = None, chain: bool = True) -> None:
        print_exception(sys.exc_info()[1], limit=limit, file=file, chain=chain)

    def own_lines(tb: Any, limit: Any) -> Any:
        found = traceback.extract_tb(tb, limit)
        found[:] = [each for each in found if each.filename.startswith(STEP_FILE)]
        return found

    def extract_tb(tb: Any, limit: Any = None) -> list[Line]:
        return [Line(each.filename, each.lineno or 0, each.name, each.line or "") for each in own_lines(tb, limit)]

    def format_tb(tb: Any, limit: Any = None) -> list[str]:
        return list(own_lines(tb, limit).format())

    def print_tb(tb: Any, limit: Any = None, file: Any = None) -> None:
        (file or sys.stderr).write("".join(format_tb(tb, limit)))

    made = (format_exc, format_exception, format_exception_only, print_exc, print_exception)
    return {function.__name__: function for function in (*made, extract_tb, format_tb, print_tb)}


def _keep_own_lines(told: Any, seen: set[int]) -> None:
    if told is None or id(told) in seen:
        return
    seen.add(id(told))
    told.stack[:] = [frame for frame in told.stack if frame.filename.startswith(STEP_FILE)]
    for other in (told.__cause__, told.__context__, *(getattr(told, "exceptions", None) or ())):
        _keep_own_lines(other, seen)


# --- functools.cached_property -----------------------------------------------------------------------------------------


class CachedProperty:
    """``functools.cached_property``; the name it is kept under is the one it was given in the class's body."""

    def __init__(self, func: Any) -> None:
        self.func = func
        self.attrname: str | None = None
        self.__doc__ = getattr(func, "__doc__", None)

    def __set_name__(self, owner: Any, name: str) -> None:
        if self.attrname is None:
            self.attrname = check_attribute(name)
        elif name != self.attrname:
            raise TypeError(
                f"Cannot assign the same cached_property to two different names ({self.attrname!r} and {name!r})."
            )

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        if self.attrname is None:
            raise TypeError("Cannot use cached_property instance without calling __set_name__ on it.")
        name = check_attribute(self.attrname)
        try:
            kept = instance.__dict__
        except AttributeError:
            raise TypeError(
                f"No '__dict__' attribute on {type(instance).__name__!r} instance to cache {name!r} property."
            ) from None
        if name not in kept:
            kept[name] = self.func(instance)
        return kept[name]

    __class_getitem__: Any = classmethod(GenericAlias)


__all__ = [
    "CachedProperty",
    "Formatter",
    "check_formats",
    "get_type_hints",
    "loops",
    "named",
    "parse",
    "read_part",
    "tracebacks",
]
