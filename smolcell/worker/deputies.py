"""Functions of the standard library that would do for a program, to objects it hands them, what it must not do itself.

The rules this file exists to keep:

* They are changed where they are, because what calls them is theirs too; each does what it did, or refuses.
* What a program could answer differently the second time (a property, the module a class says it is of) decides nothing.
"""

from __future__ import annotations

import copy
import enum
import typing
import warnings
from typing import Any, Callable

from .lookups import is_dunder
from .modules import ForbiddenError
from .stores import is_own_class, target


def check_deputies() -> None:
    """Put the guard's rule into them; again is harmless."""
    if copy._reconstruct.__module__ != __name__:  # type: ignore[attr-defined]
        copy._reconstruct = _reconstructing(copy._reconstruct)  # type: ignore[attr-defined]
    _ALIAS.__setattr__ = _set_through_alias


def decorators() -> dict[tuple[str, str], Callable[..., Any]]:
    """Decorators that change the class they are given: of the program's own classes."""
    original = getattr(warnings, "deprecated", None)  # from Python 3.13 on
    if original is None:
        return {}

    def deprecated(message: str, /, **options: Any) -> Callable[[Any], Any]:
        decorate = original(message, **options)
        return lambda found: decorate(target(found))

    return {("warnings", "deprecated"): deprecated}


# --- copy --------------------------------------------------------------------------------------------------------------


def _reconstructing(original: Any) -> Callable[..., Any]:
    """``copy``'s last step, which hands a state to an object: what a library's object believes must come from one of its kind."""

    def _reconstruct(x: Any, memo: Any, func: Any, args: Any, state: Any = None, *more: Any, **named: Any) -> Any:
        def make(*given: Any) -> Any:
            made = func(*given)
            kind = type(made)
            if kind is not type(x) and not is_own_class(kind):
                raise ForbiddenError(f"Forbidden state for a {kind.__name__}: a copy of another class must not set it")
            return made

        return original(x, memo, func if state is None else make, args, state, *more, **named)

    return _reconstruct


# --- enum --------------------------------------------------------------------------------------------------------------


def delete_from_enum(value: Any, name: Any) -> None:
    """``delattr`` as ``enum`` uses it: to make room for a member of a class that is being made."""
    made = not isinstance(value, enum.EnumMeta) or type(name) is not str or name in value._member_map_
    if made and not is_own_class(value):
        target(value)
    delattr(value, name)


# --- typing ------------------------------------------------------------------------------------------------------------

_ALIAS: Any = typing._BaseGenericAlias  # type: ignore[attr-defined]
_set = object.__setattr__
_OWN_NAMES = frozenset(
    "_defaults _inst _name _nparams _paramspec_tvars _typevar_types".split()
)  # in CPython 3.9 to 3.14


def _set_through_alias(self: Any, name: str, value: Any) -> None:
    """``alias.name = value``, which sets it on the class that the alias stands for."""
    if is_dunder(name) or name in _OWN_NAMES:
        _set(self, name, value)
        return
    origin = self.__origin__
    if name.startswith("_") and not (isinstance(origin, type) and is_own_class(origin)):
        _set(self, name, value)  # a newer Python's own
    else:
        setattr(target(origin), name, value)
