"""Functions of the standard library that read attributes, write them or run text by name: the same, by the guard's rule.

The rules this file exists to keep:

* What a program hands in as a name is judged where it is used, not where it is handed in: it may change in between.
* A library's own function is left as it is; the program gets another in its place. Only ``CHECKED_MODULES`` are changed
  themselves, because other libraries call them with what a program made.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import importlib
import operator
import sys
import typing
import warnings
from collections.abc import Iterator
from types import FunctionType, SimpleNamespace
from typing import Any, Callable, NamedTuple

from . import deputies, fielded, remade, tables
from .lookups import JUDGED, check_attribute, read
from .modules import ForbiddenError, is_stdlib
from .remade import named, read_part
from .stores import STEP_FILE, is_own_function, target


def replacements() -> dict[tuple[str, str], Any]:
    """(module, name) -> what is handed out instead; each looks like what it stands for."""
    made: dict[tuple[str, str], Any] = {
        ("operator", "attrgetter"): _attrgetter,
        ("operator", "methodcaller"): _methodcaller,
        ("functools", "update_wrapper"): _update_wrapper,
        ("functools", "wraps"): _wraps,
        ("functools", "cached_property"): remade.CachedProperty,
        ("functools", "singledispatch"): _singledispatch,
        ("functools", "singledispatchmethod"): SingleDispatchMethod,
        ("functools", "total_ordering"): _total_ordering,
        ("contextlib", "redirect_stdout"): _redirect("stdout"),
        ("contextlib", "redirect_stderr"): _redirect("stderr"),
        ("dataclasses", "dataclass"): _dataclass,
        ("warnings", "catch_warnings"): _catch_warnings,
        **{("traceback", name): function for name, function in remade.tracebacks().items()},
        **{("asyncio", name): function for name, function in remade.loops().items()},
        ("ast", "parse"): remade.parse,
        ("string", "Formatter"): remade.Formatter,
        ("typing", "get_type_hints"): remade.get_type_hints,
        **deputies.decorators(),
    }
    for (module, name), each in made.items():
        original = getattr(importlib.import_module(module), name)
        each.__name__ = each.__qualname__ = name
        each.__module__, each.__doc__ = module, original.__doc__
        if isinstance(each, FunctionType):
            each.__annotations__ = {}
    return made


# --- operator ----------------------------------------------------------------------------------------------------------


def _attrgetter(*names: Any) -> Any:
    parts = [named(part) for name in names for part in _exact(name).split(".")]
    if JUDGED.isdisjoint(parts):
        return _calling(operator.attrgetter(*names), "attrgetter")
    paths = [name.split(".") for name in names]
    if len(paths) == 1:
        return lambda value: functools.reduce(read_part, paths[0], value)
    return lambda value: tuple(functools.reduce(read_part, path, value) for path in paths)


def _exact(name: Any) -> str:
    if type(name) is not str:
        raise TypeError("attribute name must be a string")
    return name


def _methodcaller(name: Any, *args: Any, **kwargs: Any) -> Any:
    if named(_exact(name)) in JUDGED:
        return lambda value: read(value, name)(*args, **kwargs)
    return _calling(operator.methodcaller(name, *args, **kwargs), "methodcaller")


def _calling(found: Callable[[Any], Any], name: str) -> Callable[[Any], Any]:
    """A function in its place: ``type`` of the object itself would be the class, which takes any name."""

    def calling(value: Any, /) -> Any:
        return found(value)

    calling.__name__ = calling.__qualname__ = name
    return calling


# --- functools ---------------------------------------------------------------------------------------------------------


def _update_wrapper(
    wrapper: Any,
    wrapped: Any,
    assigned: Any = functools.WRAPPER_ASSIGNMENTS,
    updated: Any = functools.WRAPPER_UPDATES,
) -> Any:
    """``functools.update_wrapper``, which copies attributes that it is given the names of."""
    target(wrapper)
    for name in (_exact(name) for name in assigned):
        if name not in functools.WRAPPER_ASSIGNMENTS:
            check_attribute(name)
        if name in JUDGED:
            raise ForbiddenError(f"Forbidden access to attribute: {name}")
        with contextlib.suppress(AttributeError):
            setattr(wrapper, name, getattr(wrapped, name))
    for name in (_exact(name) for name in updated):
        if name != "__dict__":
            check_attribute(name)
        found = getattr(wrapped, name, {})
        for key, value in list(found.items()):
            if type(key) is str and not isinstance(wrapped, type) and key not in JUDGED:
                getattr(wrapper, name)[check_attribute(key, stored=True)] = value
    wrapper.__wrapped__ = wrapped
    return wrapper


def _wraps(
    wrapped: Any, assigned: Any = functools.WRAPPER_ASSIGNMENTS, updated: Any = functools.WRAPPER_UPDATES
) -> Any:
    return functools.partial(_update_wrapper, wrapped=wrapped, assigned=assigned, updated=updated)


def _singledispatch(function: Any) -> Any:
    """``functools.singledispatch``, which evaluates annotations that are text."""
    made = functools.singledispatch(function)
    register = made.register

    def checked_register(cls: Any, func: Any = None) -> Any:
        kind = type(cls)  # what ``cls`` says of itself may change
        if func is None and not (issubclass(kind, type) or kind in _UNIONS):
            func, cls = cls, _annotated(*_first_hint(cls))
        return register(cls, func)

    made.register = checked_register  # type: ignore[method-assign]
    return made


_UNIONS: set[Any] = {type(typing.Union[int, str]), *([type(int | str)] if sys.version_info >= (3, 10) else [])}


_KEPT: Any = type(functools.lru_cache(len))


def _first_hint(found: Any) -> tuple[FunctionType, Any]:
    """A function, and the annotation of its first parameter that has one."""
    function: Any = found.__func__ if type(found) in (classmethod, staticmethod) else found
    function = getattr(function, "__wrapped__", None) if type(function) is _KEPT else function
    hints = function.__annotations__ if type(function) is FunctionType else None
    if not hints:
        raise TypeError(
            f"Invalid first argument to `register()`: {found!r}. "
            "Use either `@register(some_class)` or plain `@register` on an annotated function."
        )
    return function, next(iter(hints.values()))


def _annotated(function: Any, hint: Any) -> Any:
    """The class that an annotation names; as text it is a name of the program, or several with ``|`` between."""
    if not isinstance(hint, str):
        return hint
    if not is_own_function(function):
        raise ForbiddenError("Forbidden annotation: write the class itself, not its name in quotes")
    return functools.reduce(operator.or_, [_named(function, part.strip()) for part in str.__str__(hint).split("|")])


def _named(function: Any, dotted: str) -> Any:
    first, *rest = dotted.split(".")
    names = function.__globals__
    if not first.isidentifier() or first.startswith("__"):
        raise ForbiddenError(f"Forbidden annotation: {dotted}. Write the class itself, not its name in quotes")
    if first not in names and first not in names["__builtins__"]:
        raise NameError(f"name '{first}' is not defined")
    found = names[first] if first in names else names["__builtins__"][first]
    return functools.reduce(read_part, [named(part) for part in rest], found)


class SingleDispatchMethod:
    """``functools.singledispatchmethod``, with the registry of ours."""

    def __init__(self, func: Any) -> None:
        if not callable(func) and not hasattr(func, "__get__"):
            raise TypeError(f"{func!r} is not callable or a descriptor")
        self.dispatcher, self.func = _singledispatch(func), func

    def register(self, cls: Any, method: Any = None) -> Any:
        """Add what is called for a class."""
        return self.dispatcher.register(cls, method)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        dispatch = self.dispatcher.dispatch

        def method(*args: Any, **kwargs: Any) -> Any:
            return dispatch(type(args[0])).__get__(instance, owner)(*args, **kwargs)

        method.register = self.register  # type: ignore[attr-defined]
        for name in functools.WRAPPER_ASSIGNMENTS:
            with contextlib.suppress(AttributeError):
                setattr(method, name, getattr(self.func, name))
        return method

    @property
    def __isabstractmethod__(self) -> bool:
        return bool(getattr(self.func, "__isabstractmethod__", False))


def _total_ordering(cls: Any) -> Any:
    return functools.total_ordering(target(cls))


# --- contextlib, warnings, traceback ----------------------------------------------------------------------------------------


def _redirect(stream: str) -> Callable[..., Any]:
    """``contextlib.redirect_stdout``, whose own class takes the stream's name from an attribute."""

    @contextlib.contextmanager
    def redirect(new_target: Any) -> Iterator[Any]:
        old = getattr(sys, stream)
        setattr(sys, stream, new_target)
        try:
            yield new_target
        finally:
            setattr(sys, stream, old)

    return redirect


@contextlib.contextmanager
def _catch_warnings(*, record: bool = False, **options: Any) -> Iterator[Any]:
    """``warnings.catch_warnings``, whose own class hands out the module."""
    options.pop("module", None)
    with warnings.catch_warnings(record=record, **options) as log:
        yield log


# --- dataclasses, copy, pprint, pandas: what they do with names that a program made -----------------------------------------


def _dataclass(cls: Any = None, /, **options: Any) -> Any:
    """``dataclasses.dataclass``, for classes of the program's own."""
    if cls is None:
        return functools.partial(_dataclass, **options)
    return dataclasses.dataclass(**options)(target(cls))


def _library_getattr(value: Any, name: Any, *default: Any) -> Any:
    if name not in _LIBRARY_NAMES and check_attribute(name) in tables.FILE_ATTRIBUTES:
        raise ForbiddenError(f"Forbidden access to attribute: {name}")
    return getattr(value, name, *default)


_LIBRARY_NAMES = frozenset(
    "__abstractmethods__ __dataclass_params__ __dict__ __dictrefoffset__ __match_args__ __weakref__ __weakrefoffset__".split()
)


def _library_setattr(value: Any, name: Any, new: Any) -> None:
    setattr(target(value), check_attribute(name, stored=True), new)


class _Frame(NamedTuple):
    f_globals: dict[str, Any]
    f_locals: dict[str, Any]


def _getframe(depth: int = 0) -> _Frame:
    """``sys._getframe`` for ``DataFrame.query``: the program's own names, and nothing of other frames."""
    at = sys._getframe(depth + 1)
    if not at.f_code.co_filename.startswith(STEP_FILE):
        return _Frame({}, {})
    return _Frame(_plain_names(at.f_globals), _plain_names(at.f_locals))


def _plain_names(names: Any) -> dict[str, Any]:
    return {name: value for name, value in names.items() if type(name) is str and name[:2] != "__"}


def _import_backend(name: str) -> Any:
    if name.partition(".")[0] in ("matplotlib", "matplotlib_inline"):
        return importlib.import_module(name)
    raise ForbiddenError(f"Forbidden backend: {name}. Use matplotlib's own, such as 'agg', or leave it as it is")


_CHECKED: dict[str, Any] = {
    "delattr": deputies.delete_from_enum,
    "exec": fielded.run,
    "getattr": _library_getattr,
    "importlib": SimpleNamespace(import_module=_import_backend, metadata=None),
    "setattr": _library_setattr,
    "sys": SimpleNamespace(_getframe=_getframe),
}
_seen: set[str] = set()


def closed_getattr(value: Any, name: Any, *default: Any) -> Any:
    """``getattr`` as data libraries get it: ``df.agg("name")`` and the like read what a program names."""
    exact = name if type(name) is str else str.__str__(name)
    if exact in tables.CLOSED_TO_LIBRARIES or (exact in tables.CLOSED_OF_CLASSES and isinstance(value, type)):
        raise ForbiddenError(f"Forbidden access to attribute: {name}")
    return getattr(value, name, *default)


def _close_libraries() -> None:
    for module in [name for name in sys.modules if name not in _seen]:
        _seen.add(module)
        top = module.partition(".")[0]
        names = getattr(sys.modules[module], "__dict__", {})
        closed = module in tables.CLOSED_MODULES or (not is_stdlib(top) and top not in _OWN_PACKAGES)
        if closed and str(names.get("__file__")).endswith(".py"):
            names.setdefault("getattr", closed_getattr)


WITHHELD = frozenset(map(id, (*_CHECKED.values(), closed_getattr)))
_OWN_PACKAGES = ("__main__", __name__.partition(".")[0])


def check_libraries() -> None:
    """Put the guard's rule into the libraries of ``CHECKED_MODULES`` that are loaded."""
    _close_libraries()
    remade.check_formats()
    deputies.check_deputies()
    for module, names in tables.CHECKED_MODULES.items():
        loaded = sys.modules.get(module)
        if loaded is not None:
            vars(loaded).update({name: _CHECKED[name] for name in names})
