"""Attributes whose name stands in a string: ``getattr``, ``str.format``, ``operator``, ``functools``, by the guard's rule.

The rules this file exists to keep:

* A name in a string is judged by the same function as a name in the code: ``check_attribute``.
* ``format`` is made safe by what a look-up found, not by where it was looked up: type, instance, subclass or ``super()``.
"""

from __future__ import annotations

import functools
import operator
import string
from typing import Any, Callable

from . import tables
from .modules import ForbiddenError


def is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def check_attribute(name: Any) -> str:
    """The one rule for attribute names; returns the name.

    Raises:
        ForbiddenError: the name leads from an object to the interpreter.
    """
    if type(name) is not str:
        raise TypeError(f"attribute name must be string, not '{type(name).__name__}'")
    if is_dunder(name) and name not in tables.SAFE_DUNDERS:
        raise ForbiddenError(f"Forbidden access to dunder attribute: {name}")
    if name in tables.DENIED_ATTRIBUTES:
        raise ForbiddenError(f"Forbidden access to attribute: {name}")
    return name


class SafeFormatter(string.Formatter):
    """``str.format`` that reads attributes by the guard's rule."""

    def get_field(self, field_name: Any, args: Any, kwargs: Any) -> Any:
        first, rest = string._string.formatter_field_name_split(field_name)  # type: ignore[attr-defined]
        value = self.get_value(first, args, kwargs)
        for is_attribute, name in rest:
            value = getattr(value, check_attribute(name)) if is_attribute else value[name]
        return value, first


@functools.lru_cache(maxsize=1024)
def _names_no_attribute(text: str) -> bool:
    """Whether no field of a format string reads an attribute, so that ``str.format`` itself may fill it in."""
    try:
        for _, field, spec, _ in string.Formatter().parse(text):
            if field is not None and ("." in field or not _names_no_attribute(spec or "")):
                return False
    except ValueError:
        return False
    return True


def safe_format(value: Any, name: str, *default: Any) -> Any:
    """What ``value.format`` and ``value.format_map`` become, and what ``getattr`` gives for them."""
    if type(value) is str and name in tables.FORMAT_ATTRIBUTES:
        return _bound_format(value, name)
    found: Any = getattr(value, name, *default)
    if found is str.format or found is str.format_map:
        return functools.partial(_unbound_format, name)
    if (
        type(found) is _BUILTIN_METHOD
        and isinstance(found.__self__, str)
        and found.__name__ in tables.FORMAT_ATTRIBUTES
    ):
        return _bound_format(str.__str__(found.__self__), name)
    return found


_BUILTIN_METHOD: Any = type("".format)


def _bound_format(text: str, name: str) -> Any:
    if _names_no_attribute(text):
        return getattr(text, name)
    if name == "format":
        return lambda *args, **kwargs: SafeFormatter().vformat(text, args, kwargs)
    return lambda mapping: SafeFormatter().vformat(text, (), mapping)


def _unbound_format(name: str, text: Any, *args: Any, **kwargs: Any) -> Any:
    if not isinstance(text, str):
        raise TypeError(f"descriptor '{name}' for 'str' objects doesn't apply to a '{type(text).__name__}' object")
    return _bound_format(str.__str__(text), name)(*args, **kwargs)


def safe_subject(subject: Any, *classes: Callable[[], Any]) -> Any:
    """What ``match subject`` becomes where classes with positional patterns name the attributes to read."""
    for each in classes:
        found = each()  # a name that is missing is told here: skipping it would skip names of a class body
        if isinstance(found, type):
            _check_match_args(found)
    return subject


def _check_match_args(found: type) -> None:
    for meta in type.mro(type(found)):
        if meta not in (type, object) and not _SERVES_NAMES.isdisjoint(vars(meta)):
            raise ForbiddenError(f"Forbidden class in a pattern: {found.__name__} answers for its own attributes")
    names = next((vars(base)["__match_args__"] for base in found.__mro__ if "__match_args__" in vars(base)), ())
    if type(names) is not tuple:
        raise TypeError(f"{found.__name__}.__match_args__ must be a tuple (got {type(names).__name__})")
    for name in names:
        if check_attribute(name) in tables.FORMAT_ATTRIBUTES:
            raise ForbiddenError(f"Forbidden attribute in a pattern: {name}")


_SERVES_NAMES = frozenset({"__getattribute__", "__match_args__"})


def _guarded_accessors() -> dict[str, Callable[..., Any]]:
    special = tables.DENIED_ATTRIBUTES | tables.FORMAT_ATTRIBUTES

    def _getattr(value: Any, name: Any, *default: Any) -> Any:
        if type(name) is not str or name[:2] == "__" or name in special:
            check_attribute(name)
            return safe_format(value, name, *default)
        return getattr(value, name, *default)

    def _hasattr(value: Any, name: Any) -> bool:
        return hasattr(value, check_attribute(name))

    def _setattr(value: Any, name: Any, new: Any) -> None:
        setattr(value, check_attribute(name), new)

    def _delattr(value: Any, name: Any) -> None:
        delattr(value, check_attribute(name))

    made: dict[str, Callable[..., Any]] = {
        "getattr": _getattr,
        "hasattr": _hasattr,
        "setattr": _setattr,
        "delattr": _delattr,
    }
    for name, function in made.items():
        function.__name__ = function.__qualname__ = name
    return made


def _attrgetter(*names: Any) -> Any:
    parts = [check_attribute(part) for name in names for part in _plain(name).split(".")]
    if tables.FORMAT_ATTRIBUTES.isdisjoint(parts):
        return operator.attrgetter(*names)
    paths = [name.split(".") for name in names]
    if len(paths) == 1:
        return lambda value: functools.reduce(_read, paths[0], value)
    return lambda value: tuple(functools.reduce(_read, path, value) for path in paths)


def _read(value: Any, name: str) -> Any:
    return safe_format(value, name) if name in tables.FORMAT_ATTRIBUTES else getattr(value, name)


def _plain(name: Any) -> str:
    if type(name) is not str:
        raise TypeError("attribute name must be a string")
    return name


def _methodcaller(name: Any, *args: Any, **kwargs: Any) -> Any:
    if check_attribute(name) in tables.FORMAT_ATTRIBUTES:
        return lambda value: safe_format(value, name)(*args, **kwargs)
    return operator.methodcaller(name, *args, **kwargs)


def _update_wrapper(
    wrapper: Any,
    wrapped: Any,
    assigned: Any = functools.WRAPPER_ASSIGNMENTS,
    updated: Any = functools.WRAPPER_UPDATES,
) -> Any:
    """``functools.update_wrapper``, which copies attributes that it is given the names of."""
    assigned, updated = tuple(assigned), tuple(updated)
    for name in (*assigned, *updated):
        if name not in (*functools.WRAPPER_ASSIGNMENTS, *functools.WRAPPER_UPDATES) or type(name) is not str:
            check_attribute(name)
        if name in tables.FORMAT_ATTRIBUTES:
            raise ForbiddenError(f"Forbidden access to attribute: {name}")
    return functools.update_wrapper(wrapper, wrapped, assigned, updated)


def _wraps(
    wrapped: Any, assigned: Any = functools.WRAPPER_ASSIGNMENTS, updated: Any = functools.WRAPPER_UPDATES
) -> Any:
    return lambda wrapper: _update_wrapper(wrapper, wrapped, assigned, updated)


def replacements() -> dict[tuple[str, str], Any]:
    """(module, name) -> what is handed out instead."""
    found: dict[tuple[str, str], Any] = {("builtins", name): made for name, made in _guarded_accessors().items()}
    found["operator", "attrgetter"] = _attrgetter
    found["operator", "methodcaller"] = _methodcaller
    found["functools", "update_wrapper"] = _update_wrapper
    found["functools", "wraps"] = _wraps
    return found
