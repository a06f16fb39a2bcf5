"""Replacements for functions of the standard library that read or set attributes, or run text, by name. They apply the guard's rules.

* A name that a program passes is checked when it is used, not when it is passed: it may change in between.
* The library's own function is unchanged; the program gets a replacement. Only ``CHECKED_MODULES`` are patched, because other
  libraries call them with objects of a program.
"""

from __future__ import annotations

import ast
import asyncio
import contextlib
import copy
import dataclasses
import enum
import functools
import importlib
import operator
import string
import sys
import traceback
import typing
import warnings
from collections.abc import Iterator
from types import FunctionType, GenericAlias, SimpleNamespace
from typing import Any, Callable, NamedTuple

from . import tables
from .attributes import (
    RUNTIME_CHECKED,
    STEP_FILE,
    bases,
    check_attribute,
    check_format,
    check_settable,
    is_dunder,
    is_own_class,
    is_own_function,
    read_checked,
)
from .audit import check_text as check_text
from .imports import ForbiddenError, is_loading, is_stdlib

__all__ = [
    "CachedProperty",
    "Formatter",
    "check_part",
    "get_type_hints",
    "parse",
    "patch_formats",
    "read_part",
    "replace_loops",
    "replace_tracebacks",
]

# --- Functions of the standard library that would do for a program what it must not do itself, to objects that it passes.
#
# * They are patched in place, because other library code calls them. Each works as before, or refuses.
# * Decisions never depend on an answer that a program could change the second time: a property, the module a class claims.


def patch_deputies() -> None:
    """Patch these functions. Idempotent."""
    if copy._reconstruct.__module__ != __name__:  # type: ignore[attr-defined]
        copy._reconstruct = _wrap_reconstruct(copy._reconstruct)  # type: ignore[attr-defined]
    _ALIAS.__setattr__ = _set_through_alias


def replace_decorators() -> dict[tuple[str, str], Callable[..., Any]]:
    """Return replacements for decorators that change a class: they accept only the program's own classes."""
    original = getattr(warnings, "deprecated", None)  # from Python 3.13 on
    if original is None:
        return {}

    def deprecated(message: str, /, **options: Any) -> Callable[[Any], Any]:
        decorate = original(message, **options)
        return lambda found: decorate(check_settable(found))

    return {("warnings", "deprecated"): deprecated}


# --- copy --------------------------------------------------------------------------------------------------------------


def _wrap_reconstruct(original: Any) -> Callable[..., Any]:
    """Wrap ``copy._reconstruct``, which sets the state of a copy: an object of a library may get state only from one of its own class."""

    def _reconstruct(x: Any, memo: Any, func: Any, args: Any, state: Any = None, *more: Any, **named: Any) -> Any:
        def make(*given: Any) -> Any:
            copied = func(*given)
            kind = type(copied)
            if kind is not type(x) and not is_own_class(kind):
                raise ForbiddenError(f"Forbidden state for a {kind.__name__}: a copy of another class must not set it")
            return copied

        return original(x, memo, func if state is None else make, args, state, *more, **named)

    return _reconstruct


# --- enum --------------------------------------------------------------------------------------------------------------


def delete_from_enum(value: Any, name: Any) -> None:
    """Replace ``delattr`` in ``enum``, which makes room for a member in a class under construction."""
    needs_check = not isinstance(value, enum.EnumMeta) or type(name) is not str or name in value._member_map_
    if needs_check and not is_own_class(value):
        check_settable(value)
    delattr(value, name)


# --- typing ------------------------------------------------------------------------------------------------------------

_ALIAS: Any = typing._BaseGenericAlias  # type: ignore[attr-defined]
_set = object.__setattr__
_ALIAS_NAMES = frozenset(
    "_defaults _inst _name _nparams _paramspec_tvars _typevar_types".split()
)  # names in CPython 3.9 to 3.14


def _set_through_alias(self: Any, name: str, value: Any) -> None:
    """Check ``alias.name = value``, which would set the attribute on the class behind the alias."""
    if is_dunder(name) or name in _ALIAS_NAMES:
        _set(self, name, value)
        return
    origin = self.__origin__
    if name.startswith("_") and not (isinstance(origin, type) and is_own_class(origin)):
        _set(self, name, value)  # an attribute of a newer Python
    else:
        setattr(check_settable(origin), name, value)


# --- ``dataclasses`` builds source text from a class's fields. It is run only if the fields' names are plain names.
#
# * Code evaluated while functions are defined (annotations, defaults, decorators) may use only names that ``dataclasses`` passes.
# * Names in a function's body are its parameters, names that are passed, or a few builtins. Globals are refused, since a
#   program chooses the module of its class.
# * Node types that the templates of ``dataclasses`` do not use are refused: the field's name is then not a plain name.


_NODES = frozenset(
    """
    Add And Assign Attribute BinOp BoolOp Call Compare Constant Eq Expr FormattedValue FunctionDef Gt GtE If IfExp In Is JoinedStr
    Load Lt LtE Module Name NotEq Or Pass Raise Return Set Store Tuple arg arguments
    """.split()
)
_BUILTINS = frozenset("FrozenInstanceError NotImplemented hash super type".split())
_OBJECTS = frozenset("__dataclass_self__ other self".split())
_ATTRIBUTES = frozenset("__class__ __delattr__ __setattr__".split())
_CHAINS = frozenset({("__class__", "__qualname__"), ("object", "__setattr__")})


def run_dataclass_source(text: str, names: Any = None, local: Any = None) -> None:
    """Replace ``exec`` in ``dataclasses``.

    Raises:
        ForbiddenError: the name of a field is not an identifier.
    """
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if type(node).__name__ not in _NODES:
            raise ForbiddenError(
                f"Forbidden field of a dataclass: its name is not an identifier ({type(node).__name__})"
            )
        if isinstance(node, ast.Attribute):
            _check_attribute(node)
    for outer in tree.body:
        _check_function(outer, frozenset())
        handed = _parameters(outer)
        for inner in outer.body:  # type: ignore[attr-defined]
            if not isinstance(inner, ast.Return):
                _check_function(inner, handed)
                known = handed | _parameters(inner) | _BUILTINS
                _check_names((each for part in inner.body for each in ast.walk(part)), known)
    exec(compile(tree, "<string>", "exec", dont_inherit=True), names, local)


def _check_function(node: ast.AST, handed: frozenset[str]) -> None:
    """Refuse nodes that are not functions, and functions whose definition evaluates other names than those passed."""
    if not isinstance(node, ast.FunctionDef):
        raise ForbiddenError("Forbidden field of a dataclass: its name is not an identifier")
    evaluated = (node.args, node.returns, *node.decorator_list)
    for part in (each for root in evaluated if root is not None for each in ast.walk(root)):
        if isinstance(part, ast.Name) and part.id not in handed:
            raise ForbiddenError(f"Forbidden name in a dataclass: {part.id}")
        if (
            isinstance(part, ast.expr)
            and not isinstance(part, (ast.Name, ast.Constant))
            and part not in node.decorator_list
        ):
            raise ForbiddenError("Forbidden field of a dataclass: its name is not an identifier")


def _parameters(node: Any) -> frozenset[str]:
    return frozenset(each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg))


def _check_names(nodes: Iterator[ast.AST], known: frozenset[str]) -> None:
    for node in nodes:
        if isinstance(node, ast.Name) and node.id not in known:
            raise ForbiddenError(f"Forbidden name in a dataclass: {node.id}")
        if isinstance(node, ast.FunctionDef):
            raise ForbiddenError("Forbidden field of a dataclass: its name is not an identifier")


def _check_attribute(node: ast.Attribute) -> None:
    if node.attr not in _ATTRIBUTES:
        check_attribute(node.attr)
    value = node.value
    if isinstance(value, ast.Name):
        open_ = value.id in _OBJECTS or node.attr not in RUNTIME_CHECKED or node.attr in _ATTRIBUTES
    elif isinstance(value, ast.Attribute):
        open_ = (value.attr, node.attr) in _CHAINS
    else:
        open_ = isinstance(value, ast.Call) and getattr(value.func, "id", "") == "super"
    if not open_:
        raise ForbiddenError(f"Forbidden attribute in a dataclass: {node.attr}")


# --- Standard library classes reimplemented for agent code, because the originals lead from text or objects to the interpreter.
#
# * They inherit from no class of the library: ``super()`` would reach the original's methods.
# * State is held in closures and exact strings; objects that a program could change between check and use are copied first.


_dict_of = type.__dict__["__dict__"].__get__
_split: Any = string._string.formatter_field_name_split  # type: ignore[attr-defined]


def check_part(name: str) -> str:
    """Return a part of a dotted name if it may be read; names that depend on the object are checked when they are read."""
    return name if name in RUNTIME_CHECKED and not is_dunder(name) else check_attribute(name)


def read_part(value: Any, name: str) -> Any:
    """Read the attribute for a part that ``check_part`` returned."""
    return read_checked(value, name) if name in RUNTIME_CHECKED else getattr(value, name)


# --- string.Formatter --------------------------------------------------------------------------------------------------


def _get_field(self: Any, field_name: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
    if type(field_name) is not str:
        raise TypeError("the name of a field must be a string")
    first, rest = _split(field_name)
    value = self.get_value(first, args, kwargs)
    for is_attribute, name in rest:
        value = read_part(value, check_part(name)) if is_attribute else value[name]
    return value, first


Formatter: Any = type("Formatter", (), {**vars(string.Formatter), "get_field": _get_field})


def patch_formats() -> None:
    """Patch the loaded libraries that fill in format strings, so that they apply the guard's rules."""
    string.Formatter.get_field = _get_field  # type: ignore[method-assign]
    for module, kind, method, field in _FORMATTING:
        found = getattr(sys.modules.get(module), kind, None)
        if found is not None and getattr(found, method).__module__ != __name__:
            setattr(found, method, _check_then_call(getattr(found, method), field))
    styled = sys.modules.get("pandas.io.formats.style_render")
    if styled is not None and styled._maybe_wrap_formatter.__module__ != __name__:
        styled._maybe_wrap_formatter = _check_argument_then_call(styled._maybe_wrap_formatter)  # type: ignore[attr-defined]


# Module, class, method, and the attribute that holds the format.
_FORMATTING = (
    ("logging", "StrFormatStyle", "_format", "_fmt"),
    ("matplotlib.ticker", "StrMethodFormatter", "__call__", "fmt"),
)


def _check_then_call(method: Any, field: str) -> Callable[..., Any]:
    def checked(self: Any, *args: Any, **kwargs: Any) -> Any:
        setattr(self, field, check_format(str.__str__(getattr(self, field))))
        return method(self, *args, **kwargs)

    return checked


def _check_argument_then_call(function: Any) -> Callable[..., Any]:
    def checked(formatter: Any = None, *args: Any, **kwargs: Any) -> Any:
        if isinstance(formatter, str):
            formatter = check_format(str.__str__(formatter))
        return function(formatter, *args, **kwargs)

    return checked


# --- event loops of asyncio -------------------------------------------------------------------------------------------------


def replace_loops() -> dict[str, Callable[..., Any]]:
    """Replace asyncio's functions that return an event loop: the loops run coroutines and tell the time, but give no sockets."""
    current: list[Any] = []

    def get_running_loop() -> Any:
        running = asyncio.get_running_loop()  # raises its own error
        return _make_stand_in(lambda: running)

    def new_event_loop() -> Any:
        return _make_stand_in(_make_once())

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
    """Stand-in for an event loop: the methods that agent code may call."""


def _make_stand_in(loop: Callable[[], Any]) -> EventLoop:
    stand_in = EventLoop()
    for name in _LOOP_METHODS:
        setattr(stand_in, name, _pass_on(name, loop))
    return stand_in


def _make_once() -> Callable[[], Any]:
    results: list[Any] = []

    def loop() -> Any:
        if not results:
            results.append(asyncio.new_event_loop())
        return results[0]

    return loop


def _pass_on(name: str, loop: Callable[[], Any]) -> Callable[..., Any]:
    def passed(*args: Any, **kwargs: Any) -> Any:
        return getattr(loop(), name)(*args, **kwargs)

    passed.__name__ = passed.__qualname__ = name
    return passed


_LOOP_METHODS = (
    "call_at call_later call_soon close create_future create_task is_closed is_running run_until_complete "
    "shutdown_asyncgens stop time"
).split()


# --- typing.get_type_hints ---------------------------------------------------------------------------------------------


def get_type_hints(obj: Any, globalns: Any = None, localns: Any = None, include_extras: bool = False) -> dict[str, Any]:
    """Replace ``typing.get_type_hints``; quoted annotations may name what the program itself may use.

    Raises:
        ForbiddenError: a quoted annotation belongs to a library, or uses a name that is denied.
    """
    if not (isinstance(obj, type) or callable(obj)) or type(obj) is type(sys):
        raise TypeError(f"{obj!r} is not a module, class, method, or function.")
    for own, text in _quoted_annotations(obj):
        if not own:
            raise ForbiddenError(
                "Forbidden annotation: quoted annotations are evaluated only in the program's own classes and functions"
            )
        check_text(text, "", lambda name: False)
    names = vars(sys.modules["__main__"])  # never the module that the object claims as its own
    local = {**dict(globalns or {}), **dict(localns or {})} or None
    return typing.get_type_hints(obj, names, local, include_extras)


def _quoted_annotations(obj: Any) -> Any:
    """Yield each quoted annotation: whether it is the program's own, and its text."""
    found: Any
    if isinstance(obj, type):
        found = [(is_own_class(base), _dict_of(base).get("__annotations__", {})) for base in bases(obj)]
    else:
        function = getattr(obj, "__func__", obj)
        found = [(is_own_function(function), getattr(function, "__annotations__", {}))]
    for own, hints in found:
        if own and type(hints) is not dict:
            raise ForbiddenError("Forbidden annotations: not a plain dict")
        for hint in hints.values() if type(hints) is dict else ():
            yield from ((own, text) for text in _quoted_parts(hint))


def _quoted_parts(hint: Any) -> Any:
    if isinstance(hint, str):
        yield str.__str__(hint)
    elif isinstance(hint, typing.ForwardRef):
        if getattr(hint, "__forward_module__", None) not in (None, "__main__"):
            raise ForbiddenError(
                "Forbidden annotation: quoted annotations are evaluated only in the program's own classes and functions"
            )
        yield hint.__forward_arg__
    elif isinstance(hint, (tuple, list)):
        for part in hint:
            yield from _quoted_parts(part)
    elif isinstance(hint, _HINTS) and typing.get_origin(hint) is not typing.Literal:
        yield from _quoted_parts(hint.__args__)


_HINTS: tuple[Any, ...] = (typing._GenericAlias, GenericAlias)  # type: ignore[attr-defined]
if sys.version_info >= (3, 10):
    _HINTS += (type(int | str),)


# --- ast ---------------------------------------------------------------------------------------------------------------


def parse(source: Any, filename: Any = "<unknown>", mode: str = "exec", **options: Any) -> Any:
    """Replace ``ast.parse``; its trees share no nodes with other programs."""
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


class TracebackLine(NamedTuple):
    """One line of ``traceback.extract_tb``."""

    filename: str
    lineno: int
    name: str
    line: str


def replace_tracebacks() -> dict[str, Callable[..., Any]]:
    """Replace the functions of ``traceback``; they show only lines of the program."""

    def format_exception(
        exc: Any, value: Any = None, tb: Any = None, limit: Any = None, chain: bool = True
    ) -> list[str]:
        error = exc if value is None else value
        if error is None:
            return ["NoneType: None\n"]
        if not issubclass(type(error), BaseException):
            raise TypeError(f"Exception expected for value, {type(error).__name__} found")
        trace = traceback.TracebackException(type(error), error, error.__traceback__, limit=limit)
        _drop_library_lines(trace, set())
        return list(trace.format(chain=chain))

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
        stack = traceback.extract_tb(tb, limit)
        stack[:] = [each for each in stack if each.filename.startswith(STEP_FILE)]
        return stack

    def extract_tb(tb: Any, limit: Any = None) -> list[TracebackLine]:
        return [
            TracebackLine(each.filename, each.lineno or 0, each.name, each.line or "") for each in own_lines(tb, limit)
        ]

    def format_tb(tb: Any, limit: Any = None) -> list[str]:
        return list(own_lines(tb, limit).format())

    def print_tb(tb: Any, limit: Any = None, file: Any = None) -> None:
        (file or sys.stderr).write("".join(format_tb(tb, limit)))

    replacements = (format_exc, format_exception, format_exception_only, print_exc, print_exception)
    return {function.__name__: function for function in (*replacements, extract_tb, format_tb, print_tb)}


def _drop_library_lines(trace: Any, seen: set[int]) -> None:
    if trace is None or id(trace) in seen:
        return
    seen.add(id(trace))
    trace.stack[:] = [frame for frame in trace.stack if frame.filename.startswith(STEP_FILE)]
    for other in (trace.__cause__, trace.__context__, *(getattr(trace, "exceptions", None) or ())):
        _drop_library_lines(other, seen)


# --- functools.cached_property -----------------------------------------------------------------------------------------


class CachedProperty:
    """Replace ``functools.cached_property``; the value is stored under the name from the class's body."""

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


def build_replacements() -> dict[tuple[str, str], Any]:
    """Return the replacements by module and name; each has the original's name and docstring."""
    replacements: dict[tuple[str, str], Any] = {
        ("operator", "attrgetter"): _make_attrgetter,
        ("operator", "methodcaller"): _make_methodcaller,
        ("functools", "update_wrapper"): _update_wrapper,
        ("functools", "wraps"): _wraps,
        ("functools", "cached_property"): CachedProperty,
        ("functools", "singledispatch"): _singledispatch,
        ("functools", "singledispatchmethod"): SingleDispatchMethod,
        ("functools", "total_ordering"): _total_ordering,
        ("contextlib", "redirect_stdout"): _redirect("stdout"),
        ("contextlib", "redirect_stderr"): _redirect("stderr"),
        ("dataclasses", "dataclass"): _dataclass,
        ("warnings", "catch_warnings"): _catch_warnings,
        **{("traceback", name): function for name, function in replace_tracebacks().items()},
        **{("asyncio", name): function for name, function in replace_loops().items()},
        ("ast", "parse"): parse,
        ("string", "Formatter"): Formatter,
        ("typing", "get_type_hints"): get_type_hints,
        **replace_decorators(),
    }
    for (module, name), each in replacements.items():
        original = getattr(importlib.import_module(module), name)
        each.__name__ = each.__qualname__ = name
        each.__module__, each.__doc__ = module, original.__doc__
        if isinstance(each, FunctionType):
            each.__annotations__ = {}
    return replacements


# --- operator ----------------------------------------------------------------------------------------------------------


def _make_attrgetter(*names: Any) -> Any:
    parts = [check_part(part) for name in names for part in _exact_name(name).split(".")]
    if RUNTIME_CHECKED.isdisjoint(parts):
        return _wrap_callable(operator.attrgetter(*names), "attrgetter")
    paths = [name.split(".") for name in names]
    if len(paths) == 1:
        return lambda value: functools.reduce(read_part, paths[0], value)
    return lambda value: tuple(functools.reduce(read_part, path, value) for path in paths)


def _exact_name(name: Any) -> str:
    if type(name) is not str:
        raise TypeError("attribute name must be a string")
    return name


def _make_methodcaller(name: Any, *args: Any, **kwargs: Any) -> Any:
    if check_part(_exact_name(name)) in RUNTIME_CHECKED:
        return lambda value: read_checked(value, name)(*args, **kwargs)
    return _wrap_callable(operator.methodcaller(name, *args, **kwargs), "methodcaller")


def _wrap_callable(wrapped: Callable[[Any], Any], name: str) -> Callable[[Any], Any]:
    """Wrap a callable in a function: ``type()`` of the original would give its class, which accepts any name."""

    def calling(value: Any, /) -> Any:
        return wrapped(value)

    calling.__name__ = calling.__qualname__ = name
    return calling


# --- functools ---------------------------------------------------------------------------------------------------------


def _update_wrapper(
    wrapper: Any,
    wrapped: Any,
    assigned: Any = functools.WRAPPER_ASSIGNMENTS,
    updated: Any = functools.WRAPPER_UPDATES,
) -> Any:
    """Replace ``functools.update_wrapper``, which copies attributes whose names are passed."""
    check_settable(wrapper)
    for name in (_exact_name(name) for name in assigned):
        if name not in functools.WRAPPER_ASSIGNMENTS:
            check_attribute(name)
        if name in RUNTIME_CHECKED:
            raise ForbiddenError(f"Forbidden access to attribute: {name}")
        with contextlib.suppress(AttributeError):
            setattr(wrapper, name, getattr(wrapped, name))
    for name in (_exact_name(name) for name in updated):
        if name != "__dict__":
            check_attribute(name)
        attribute = getattr(wrapped, name, {})
        for key, value in list(attribute.items()):
            if type(key) is str and not isinstance(wrapped, type) and key not in RUNTIME_CHECKED:
                getattr(wrapper, name)[check_attribute(key, stored=True)] = value
    wrapper.__wrapped__ = wrapped
    return wrapper


def _wraps(
    wrapped: Any, assigned: Any = functools.WRAPPER_ASSIGNMENTS, updated: Any = functools.WRAPPER_UPDATES
) -> Any:
    return functools.partial(_update_wrapper, wrapped=wrapped, assigned=assigned, updated=updated)


def _singledispatch(function: Any) -> Any:
    """Replace ``functools.singledispatch``, which evaluates quoted annotations."""
    dispatcher = functools.singledispatch(function)
    register = dispatcher.register

    def checked_register(cls: Any, func: Any = None) -> Any:
        kind = type(cls)  # ``cls`` could answer differently the second time
        if func is None and not (issubclass(kind, type) or kind in _UNIONS):
            func, cls = cls, _resolve_annotation(*_first_hint(cls))
        return register(cls, func)

    dispatcher.register = checked_register  # type: ignore[method-assign]
    return dispatcher


_UNIONS: set[Any] = {type(typing.Union[int, str]), *([type(int | str)] if sys.version_info >= (3, 10) else [])}


_LRU_CACHE: Any = type(functools.lru_cache(len))


def _first_hint(found: Any) -> tuple[FunctionType, Any]:
    """Return a function, and the annotation of its first parameter that has one."""
    function: Any = found.__func__ if type(found) in (classmethod, staticmethod) else found
    function = getattr(function, "__wrapped__", None) if type(function) is _LRU_CACHE else function
    hints = function.__annotations__ if type(function) is FunctionType else None
    if not hints:
        raise TypeError(
            f"Invalid first argument to `register()`: {found!r}. "
            "Use either `@register(some_class)` or plain `@register` on an annotated function."
        )
    return function, next(iter(hints.values()))


def _resolve_annotation(function: Any, hint: Any) -> Any:
    """Return the class of an annotation; a quoted one may be names of the program, separated by ``|``."""
    if not isinstance(hint, str):
        return hint
    if not is_own_function(function):
        raise ForbiddenError("Forbidden annotation: write the class itself, not its name in quotes")
    return functools.reduce(
        operator.or_, [_resolve_name(function, part.strip()) for part in str.__str__(hint).split("|")]
    )


def _resolve_name(function: Any, dotted: str) -> Any:
    first, *rest = dotted.split(".")
    names = function.__globals__
    if not first.isidentifier() or first.startswith("__"):
        raise ForbiddenError(f"Forbidden annotation: {dotted}. Write the class itself, not its name in quotes")
    if first not in names and first not in names["__builtins__"]:
        raise NameError(f"name '{first}' is not defined")
    value = names[first] if first in names else names["__builtins__"][first]
    return functools.reduce(read_part, [check_part(part) for part in rest], value)


class SingleDispatchMethod:
    """Replace ``functools.singledispatchmethod``; uses the registry above."""

    def __init__(self, func: Any) -> None:
        if not callable(func) and not hasattr(func, "__get__"):
            raise TypeError(f"{func!r} is not callable or a descriptor")
        self.dispatcher, self.func = _singledispatch(func), func

    def register(self, cls: Any, method: Any = None) -> Any:
        """Register the implementation for a class."""
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
    return functools.total_ordering(check_settable(cls))


# --- contextlib, warnings, traceback ----------------------------------------------------------------------------------------


def _redirect(stream: str) -> Callable[..., Any]:
    """Replace ``contextlib.redirect_stdout``, whose class takes the stream's name from an attribute."""

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
    """Replace ``warnings.catch_warnings``, whose class exposes the module."""
    options.pop("module", None)
    with warnings.catch_warnings(record=record, **options) as log:
        yield log


# --- dataclasses, copy, pprint, pandas: libraries that use names from a program ---------------------------------------------


def _dataclass(cls: Any = None, /, **options: Any) -> Any:
    """Replace ``dataclasses.dataclass``; accepts only the program's own classes."""
    if cls is None:
        return functools.partial(_dataclass, **options)
    return dataclasses.dataclass(**options)(check_settable(cls))


def _library_getattr(value: Any, name: Any, *default: Any) -> Any:
    if name not in _LIBRARY_NAMES and check_attribute(name) in tables.FILE_ATTRIBUTES:
        raise ForbiddenError(f"Forbidden access to attribute: {name}")
    return getattr(value, name, *default)


_LIBRARY_NAMES = frozenset(
    "__abstractmethods__ __dataclass_params__ __dict__ __dictrefoffset__ __match_args__ __weakref__ __weakrefoffset__".split()
)


def _library_setattr(value: Any, name: Any, new: Any) -> None:
    setattr(check_settable(value), check_attribute(name, stored=True), new)


class _Frame(NamedTuple):
    f_globals: dict[str, Any]
    f_locals: dict[str, Any]


def _getframe(depth: int = 0) -> _Frame:
    """Replace ``sys._getframe`` for ``DataFrame.query``: returns the program's own names, nothing of other frames."""
    at = sys._getframe(depth + 1)
    if not at.f_code.co_filename.startswith(STEP_FILE):
        return _Frame({}, {})
    return _Frame(_plain_names(at.f_globals), _plain_names(at.f_locals))


def _plain_names(names: Any) -> dict[str, Any]:
    return {name: value for name, value in names.items() if type(name) is str and name[:2] != "__"}


def _import_backend(name: str) -> Any:
    if name.partition(".")[0] in ("matplotlib", "matplotlib_inline"):
        return importlib.import_module(name)
    raise ForbiddenError(f"Forbidden backend: {name}. Use matplotlib's own, such as 'agg', or do not set one")


_CHECKED: dict[str, Any] = {
    "delattr": delete_from_enum,
    "exec": run_dataclass_source,
    "getattr": _library_getattr,
    "importlib": SimpleNamespace(import_module=_import_backend, metadata=None),
    "setattr": _library_setattr,
    "sys": SimpleNamespace(_getframe=_getframe),
}
_patched: set[str] = set()


def library_getattr(value: Any, name: Any, *default: Any) -> Any:
    """Replace ``getattr`` in data libraries: ``df.agg("name")`` and the like read a name that the program chose."""
    exact = name if type(name) is str else str.__str__(name)
    if is_loading():  # a library that is loading may read members of its classes
        return getattr(value, name, *default)
    if exact in tables.DENIED_TO_LIBRARIES or (exact in tables.DENIED_CLASS_ATTRIBUTES and isinstance(value, type)):
        raise ForbiddenError(f"Forbidden access to attribute: {name}")
    return getattr(value, name, *default)


def _patch_libraries() -> None:
    for module in [name for name in sys.modules if name not in _patched]:
        _patched.add(module)
        top = module.partition(".")[0]
        names = getattr(sys.modules[module], "__dict__", {})
        closed = module in tables.LIBRARY_LIKE_MODULES or (not is_stdlib(top) and top not in _SMOLCELL_PACKAGES)
        if closed and str(names.get("__file__")).endswith(".py"):
            names.setdefault("getattr", library_getattr)


WITHHELD = frozenset(map(id, (*_CHECKED.values(), library_getattr)))
_SMOLCELL_PACKAGES = ("__main__", __name__.partition(".")[0])


def patch_libraries() -> None:
    """Patch the loaded libraries of ``CHECKED_MODULES``, so that they apply the guard's rules."""
    _patch_libraries()
    patch_formats()
    patch_deputies()
    for module, names in tables.CHECKED_MODULES.items():
        loaded = sys.modules.get(module)
        if loaded is not None:
            vars(loaded).update({name: _CHECKED[name] for name in names})
