"""What a program may read of the inside of what it made itself: its classes' lineage, its functions' parts, its own names.

The rules this file exists to keep:

* A name that leads to the interpreter is open on an object whose classes are all the program's own, or known to lack it.
* Of a class's lineage is shown what the program could name itself: its own classes and plain bases.
* What is handed out is a value, or a copy: never a code object, a frame, or a method of ``type`` that works on any class.
"""

from __future__ import annotations

from types import MethodType, SimpleNamespace
from typing import Any, Callable, NamedTuple

from . import tables
from .modules import ForbiddenError
from .stores import bases, is_own_class, is_own_function, target

_dict_of = type.__dict__["__dict__"].__get__
_home_of = type.__dict__["__module__"].__get__
_bases_of = type.__dict__["__bases__"].__get__
_base_of = type.__dict__["__base__"].__get__

# Modules whose classes hold nothing that leads to the interpreter, besides what their own dictionaries name.
_PLAIN_HOMES = frozenset({"abc", "builtins", "collections", "collections.abc", "enum", "numbers", "types", "typing"})


def is_homely(kind: type) -> bool:
    """Whether a class inherits nothing but what agent code made and plain classes of Python's."""
    return not issubclass(kind, type) and all(is_own_class(base) or _is_plain_base(base) for base in bases(kind))


def _is_plain_base(kind: type) -> bool:
    home = _home_of(kind)
    return type(home) is str and home in _PLAIN_HOMES


def owns(value: Any, name: str) -> bool:
    """Whether an attribute of this name, if there is one, can only be what the program put there."""
    kind = type(value)
    classes = bases(kind)
    if issubclass(kind, type):
        if not is_own_class(value) or issubclass(value, type):
            return False
        classes += bases(value)
    elif issubclass(kind, super) or not (is_own_class(kind) or kind is SimpleNamespace):
        return False
    return all(is_own_class(each) or (_is_plain_base(each) and name not in _dict_of(each)) for each in classes)


def owned(value: Any, name: str) -> Any:
    """The object itself, if an attribute of a name that is shut elsewhere may be set on it.

    Raises:
        ForbiddenError: it is not, or not only, the program's own.
    """
    open_ = is_homely(type(value)) and is_own_class(type(value)) if name == "__dict__" else owns(value, name)
    if not open_:
        raise ForbiddenError(f"Forbidden access to attribute: {name} of a {type(value).__name__}")
    return target(value)


# --- lineage -----------------------------------------------------------------------------------------------------------


def lineage(value: Any, name: str, default: tuple[Any, ...]) -> Any:
    """``__mro__``, ``__bases__``, ``__base__``, ``mro`` and ``__subclasses__`` of a class of the program's own.

    Raises:
        ForbiddenError: it is a class of a library, or inherits from one whose bases the program could not name.
    """
    if not issubclass(type(value), type):
        if name == "mro" and not issubclass(type(value), super):
            found = getattr(value, name, *default)
            if type(found) is not type(type.mro):
                return found
    elif is_own_class(value) and is_homely(value):
        return _LINEAGE[name](value)
    hint = "isinstance() and issubclass() tell what a class inherits"
    raise ForbiddenError(f"Forbidden access to {'dunder ' if name != 'mro' else ''}attribute: {name}. {hint}")


_LINEAGE: dict[str, Any] = {
    "__mro__": bases,
    "mro": lambda value: lambda: list(bases(value)),
    "__bases__": _bases_of,
    "__base__": _base_of,
    "__subclasses__": lambda value: lambda: type.__subclasses__(value),
}


# --- functions -----------------------------------------------------------------------------------------------------------


class Code(NamedTuple):
    """What ``f.__code__`` tells of a function of the program's own: values, not the code."""

    co_name: str
    co_argcount: int
    co_posonlyargcount: int
    co_kwonlyargcount: int
    co_varnames: tuple[str, ...]
    co_freevars: tuple[str, ...]
    co_flags: int
    co_firstlineno: int
    co_filename: str


def part(value: Any, name: str) -> Any:
    """``__code__``, ``__defaults__``, ``__kwdefaults__`` or ``__self__`` of a function or method of the program's own.

    Raises:
        ForbiddenError: it is anything else.
    """
    method = type(value) is MethodType
    function = value.__func__ if method else value
    if is_own_function(function):
        if name == "__code__":
            return Code(*(getattr(function.__code__, field) for field in Code._fields))
        if name != "__self__":
            return getattr(function, name)
        if method:
            return value.__self__
        raise AttributeError(f"'function' object has no attribute '{name}'")
    raise ForbiddenError(f"Forbidden access to dunder attribute: {name}")


READERS: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(tables.LINEAGE_ATTRIBUTES, lineage),
    **dict.fromkeys(tables.FUNCTION_ATTRIBUTES, lambda value, name, default: part(value, name)),
}
