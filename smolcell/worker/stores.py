"""What agent code may set attributes on: anything but the classes, functions and modules that it did not make.

The rules this file exists to keep:

* A library's class is never changed: later steps, and the worker itself, run on the same one.
* The check is one look-up of the object's type, so that ``self.x = …`` stays cheap; only types in ``SHUT`` are looked at closer.
* A class is the program's own when it says ``__main__``: code can unsay that of its own classes, never say it of another. Where
  a library's class may more, its module must hold it, too (``is_library_class``).
"""

from __future__ import annotations

import builtins
import sys
import typing
import weakref
from collections.abc import Iterator
from types import FunctionType, GenericAlias, ModuleType
from typing import Any

from .modules import ForbiddenError

STEP_FILE = "<agent step "
_module_of = type.__dict__["__module__"].__get__
_path_of = type.__dict__["__qualname__"].__get__
_mro_of = type.__dict__["__mro__"].__get__
_dict_of = type.__dict__["__dict__"].__get__

# Types whose objects are looked at closer: metaclasses that agent code did not make, and these.
_PROXIES = (weakref.ProxyType, weakref.CallableProxyType)
SHUT: set[type] = {FunctionType, ModuleType, GenericAlias, *_PROXIES}


def refresh() -> None:
    """Note the metaclasses that imports have brought since the last time."""
    SHUT.update(kind for kind in _all_below(type) if not is_own_class(kind))
    kinds = (kind for kind in vars(typing).values() if isinstance(kind, type) and kind.__name__.endswith("Alias"))
    SHUT.update(kinds)


def is_own_class(found: type) -> bool:
    """Whether agent code made this class, or the person's notebook did."""
    home = _module_of(found)
    return type(home) is str and home == "__main__"


def is_library_class(found: type) -> bool:
    """Whether the module that a class names holds it: nothing that a program says of its own class makes it so."""
    home, value = _module_of(found), None
    held: Any = getattr(sys.modules.get(home), "__dict__", {}) if type(home) is str and home != "__main__" else {}
    for name in _path_of(found).split("."):
        value = held.get(name)
        held = _dict_of(value) if issubclass(type(value), type) else {}
    return value is found


def is_own_function(found: Any) -> bool:
    """Whether agent code defined this function."""
    return type(found) is FunctionType and found.__code__.co_filename.startswith(STEP_FILE)


def bases(found: type) -> tuple[type, ...]:
    """A class and all it inherits from, whatever its metaclass says."""
    return _mro_of(found)  # type: ignore[no-any-return]


def target(value: Any) -> Any:
    """The object itself, if its attributes may be set.

    Raises:
        ForbiddenError: it is a class, a function or a module of a library.
    """
    if type(value) in SHUT and not _is_own(value):
        name = getattr(value, "__name__", None) or type(value).__name__
        raise ForbiddenError(
            f"Cannot change {name}: it belongs to a library. Make a subclass or a function of your own"
        )
    return value


def _is_own(value: Any) -> bool:
    kind = type(value)
    if kind in _PROXIES:  # whose stores are made on what they stand for
        return not isinstance(value, _NEVER_BY_PROXY)
    if kind is FunctionType:
        return is_own_function(value)
    if kind is ModuleType:
        return sys.modules.get(value.__name__) is not value  # a view, or a module made on the spot
    if issubclass(kind, type):
        return is_own_class(value)
    origin = getattr(value, "__origin__", None)
    return isinstance(origin, type) and is_own_class(origin)


_NEVER_BY_PROXY = (type, FunctionType, ModuleType, GenericAlias, typing._BaseGenericAlias)  # type: ignore[attr-defined]
SHUT_TYPES = (str, AttributeError)


def augmented(value: Any) -> Any:
    """The object itself, if ``value.obj += …`` and the like read nothing that is judged."""
    if issubclass(type(value), SHUT_TYPES):
        raise ForbiddenError(f"Forbidden access to attribute of {type(value).__name__}")
    return target(value)


def check_groups(handled: Any) -> Any:
    """The class that ``except*`` handles, if the group at hand does not divide itself in a way of its own.

    CPython before 3.12.9 and 3.13.2 takes what such a ``split`` returns for two exceptions without a look (CVE-2025-22153).
    Not seen is one that the program's own ``derive`` puts on the object it makes.

    Raises:
        ForbiddenError: the group, or a class of it, overrides ``split`` or answers for its own attributes.
    """
    error = sys.exc_info()[1]
    kinds = bases(type(error))
    if any(
        "derive" in _dict_of(kind) and not is_library_class(kind) for kind in kinds
    ):  # what it makes is of any class
        kinds = tuple(_all_below(vars(builtins)["BaseExceptionGroup"]))
    for kind in kinds:
        if not _DIVIDING.isdisjoint(_dict_of(kind)) and not is_library_class(kind):
            raise ForbiddenError(f"Forbidden method: split of the exception group {kind.__name__}. Override derive")
    if error is not None and not all(type(name) is str and name != "split" for name in _names_of(error)):
        raise ForbiddenError("Forbidden attribute: split of an exception group. Override derive")
    return handled


_DIVIDING = frozenset({"split", "__getattribute__"})
_names_of = vars(BaseException)["__dict__"].__get__


def _all_below(base: type) -> Iterator[type]:
    waiting: list[type] = [base]
    while waiting:
        kind = waiting.pop()
        yield kind
        waiting += type.__subclasses__(kind)


refresh()
