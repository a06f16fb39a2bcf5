"""Replacements for functions of the standard library that read or set attributes, or run text, by name. They apply the guard's rules.

* A name that a program passes is checked when it is used, not when it is passed: it may change in between.
* The library's own function is unchanged; the program gets a replacement. Only ``CHECKED_MODULES`` are patched, because other
  libraries call them with objects of a program.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import dataclasses
import enum
import functools
import importlib
import importlib.util
import operator
import string
import sys
import typing
import warnings
from collections.abc import Iterable, Iterator
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
from .audit import check_text
from .imports import GuardError, ModuleViews, is_loading, is_stdlib

# --- Functions of the standard library that would do for a program what it must not do itself, to objects that it passes.
#
# * They are patched in place, because other library code calls them. Each works as before, or refuses.
# * Decisions never depend on an answer that a program could change the second time: a property, the module a class claims.


def patch_deputies() -> None:
    """Patch these functions. Idempotent."""
    if copy._reconstruct.__module__ != __name__:  # type: ignore[attr-defined]
        copy._reconstruct = _wrap_reconstruct(copy._reconstruct)  # type: ignore[attr-defined]
    _ALIAS.__setattr__ = _set_through_alias
    functools.cached_property.__get__ = _get_cached  # type: ignore[method-assign]


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
                raise GuardError(f"Forbidden state for a {kind.__name__}: a copy of another class must not set it")
            return copied

        return original(x, memo, func if state is None else make, args, state, *more, **named)

    return _reconstruct


# --- functools.cached_property -----------------------------------------------------------------------------------------


def _get_cached(self: Any, instance: Any, owner: Any = None) -> Any:
    """Replace ``cached_property.__get__``; the name under which the value is stored is read once, and checked."""
    if instance is None:
        return self
    if self.attrname is None:
        raise TypeError("Cannot use cached_property instance without calling __set_name__ on it.")
    name, kept = check_attribute(self.attrname), instance.__dict__
    if name not in kept:
        kept[name] = self.func(instance)
    return kept[name]


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
_NO_IDENTIFIER = "Forbidden field of a dataclass: its name is not an identifier"


def run_dataclass_source(text: str, names: Any = None, local: Any = None) -> None:
    """Replace ``exec`` in ``dataclasses``.

    Raises:
        GuardError: the name of a field is not an identifier.
    """
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if type(node).__name__ not in _NODES:
            raise GuardError(f"{_NO_IDENTIFIER} ({type(node).__name__})")
        if isinstance(node, ast.Attribute):
            _check_attribute(node)
    for outer in tree.body:
        passed = _check_function(outer, frozenset())
        for inner in outer.body:  # type: ignore[attr-defined]
            if not isinstance(inner, ast.Return):
                known = passed | _check_function(inner, passed) | _BUILTINS
                _check_names((each for part in inner.body for each in ast.walk(part)), known)
    exec(compile(tree, "<string>", "exec", dont_inherit=True), names, local)


def _check_function(node: Any, passed: frozenset[str]) -> frozenset[str]:
    """Return a function's parameters; refuse what is none, and one whose definition evaluates other names than those passed."""
    if not isinstance(node, ast.FunctionDef):
        raise GuardError(_NO_IDENTIFIER)
    for root in filter(None, (node.args, node.returns, *node.decorator_list)):
        parts = list(ast.walk(root))
        _check_names(parts, passed)
        inner = parts[1:] if root in node.decorator_list else parts
        if not all(isinstance(part, (ast.Name, ast.Constant)) for part in inner if isinstance(part, ast.expr)):
            raise GuardError(_NO_IDENTIFIER)
    return frozenset(each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg))


def _check_names(nodes: Iterable[ast.AST], known: frozenset[str]) -> None:
    for node in nodes:
        if isinstance(node, ast.Name) and node.id not in known:
            raise GuardError(f"Forbidden name in a dataclass: {node.id}")
        if isinstance(node, ast.FunctionDef):
            raise GuardError(_NO_IDENTIFIER)


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
        raise GuardError(f"Forbidden attribute in a dataclass: {node.attr}")


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


# --- typing.get_type_hints ---------------------------------------------------------------------------------------------


def get_type_hints(obj: Any, globalns: Any = None, localns: Any = None, include_extras: bool = False) -> dict[str, Any]:
    """Replace ``typing.get_type_hints``; quoted annotations may name what the program itself may use.

    Raises:
        GuardError: a quoted annotation belongs to a library, or uses a name that is denied.
    """
    if not (isinstance(obj, type) or callable(obj)) or type(obj) is type(sys):
        raise TypeError(f"{obj!r} is not a module, class, method, or function.")
    for own, text in _quoted_annotations(obj):
        if not own:
            raise GuardError(
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
            raise GuardError("Forbidden annotations: not a plain dict")
        for hint in hints.values() if type(hints) is dict else ():
            yield from ((own, text) for text in _quoted_parts(hint))


def _quoted_parts(hint: Any) -> Any:
    if isinstance(hint, str):
        yield str.__str__(hint)
    elif isinstance(hint, typing.ForwardRef):
        if getattr(hint, "__forward_module__", None) not in (None, "__main__"):
            raise GuardError(
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
    """Return the functions of a copy of ``traceback`` that shows only frames of the program."""
    spec: Any = importlib.util.find_spec("traceback")
    shown: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(shown)
    for name in {"walk_tb", "_walk_tb_with_full_positions"} & vars(shown).keys():
        setattr(shown, name, _walk_own_frames(getattr(shown, name)))

    def extract_tb(tb: Any, limit: Any = None) -> list[TracebackLine]:
        lines = shown.extract_tb(tb, limit)
        return [TracebackLine(each.filename, each.lineno or 0, each.name, each.line or "") for each in lines]

    names = "format_exc format_exception format_exception_only format_tb print_exc print_exception print_tb".split()
    return {"extract_tb": extract_tb, **{name: getattr(shown, name) for name in names}}


def _walk_own_frames(walk: Callable[[Any], Iterator[Any]]) -> Callable[[Any], Iterator[Any]]:
    return lambda tb: (each for each in walk(tb) if each[0].f_code.co_filename.startswith(STEP_FILE))


def build_replacements() -> dict[tuple[str, str], Any]:
    """Return the replacements by module and name; each has the original's name and docstring."""
    replacements: dict[tuple[str, str], Any] = {
        ("operator", "attrgetter"): _make_attrgetter,
        ("operator", "methodcaller"): _make_methodcaller,
        ("functools", "update_wrapper"): _update_wrapper,
        ("functools", "wraps"): _wraps,
        ("functools", "singledispatch"): _singledispatch,
        ("functools", "singledispatchmethod"): _copy_class(functools.singledispatchmethod, __init__=_init_dispatch),
        ("functools", "total_ordering"): _total_ordering,
        ("contextlib", "redirect_stdout"): _redirect("stdout"),
        ("contextlib", "redirect_stderr"): _redirect("stderr"),
        ("dataclasses", "dataclass"): _dataclass,
        ("warnings", "catch_warnings"): _catch_warnings,
        **{("traceback", name): function for name, function in replace_tracebacks().items()},
        ("ast", "parse"): parse,
        ("string", "Formatter"): _copy_class(string.Formatter, get_field=_get_field),
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
    for name in map(_exact_name, assigned):
        if name in RUNTIME_CHECKED:
            raise GuardError(f"Forbidden access to attribute: {name}")
        if name not in functools.WRAPPER_ASSIGNMENTS:
            check_attribute(name)
        with contextlib.suppress(AttributeError):
            setattr(wrapper, name, getattr(wrapped, name))
    for name in map(_exact_name, updated):
        if name != "__dict__":
            check_attribute(name)
        for key, value in list(getattr(wrapped, name, {}).items()):
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
            func, cls = cls, _first_hint(cls)
        return register(cls, func)

    dispatcher.register = checked_register  # type: ignore[method-assign]
    return dispatcher


_UNIONS: set[Any] = {type(typing.Union[int, str]), *([type(int | str)] if sys.version_info >= (3, 10) else [])}
_LRU_CACHE: Any = type(functools.lru_cache(len))


def _first_hint(found: Any) -> Any:
    """Return the class in the annotation of a function's first parameter that has one."""
    function: Any = found.__func__ if type(found) in (classmethod, staticmethod) else found
    function = getattr(function, "__wrapped__", None) if type(function) is _LRU_CACHE else function
    hints = function.__annotations__ if type(function) is FunctionType else None
    if not hints:
        raise TypeError(
            f"Invalid first argument to `register()`: {found!r}. "
            "Use either `@register(some_class)` or plain `@register` on an annotated function."
        )
    name, hint = next(iter(hints.items()))
    try:
        return get_type_hints(function)[name]
    except GuardError:
        raise GuardError(f"Forbidden annotation: {hint}. Write the class itself, not its name in quotes") from None


def _init_dispatch(self: Any, func: Any) -> None:
    if not callable(func) and not hasattr(func, "__get__"):
        raise TypeError(f"{func!r} is not callable or a descriptor")
    self.dispatcher, self.func = _singledispatch(func), func


def _copy_class(kind: type, **changed: Any) -> type:
    """Return a class with the same members, and others in place of some, that does not inherit from the original."""
    kept = {name: value for name, value in vars(kind).items() if name not in ("__dict__", "__weakref__")}
    return type(kind.__name__, (), {**kept, **changed})


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
        raise GuardError(f"Forbidden access to attribute: {name}")
    return getattr(value, name, *default)


_LIBRARY_NAMES = frozenset(
    "__abstractmethods__ __dataclass_params__ __dict__ __dictrefoffset__ __match_args__ __weakref__ __weakrefoffset__".split()
)


def _library_setattr(value: Any, name: Any, new: Any) -> None:
    setattr(check_settable(value), check_attribute(name, stored=True), new)


def _getframe(depth: int = 0) -> SimpleNamespace:
    """Replace ``sys._getframe`` for ``DataFrame.query``: returns the program's own names, nothing of other frames."""
    at = sys._getframe(depth + 1)
    own = at.f_code.co_filename.startswith(STEP_FILE)
    return SimpleNamespace(
        f_globals=_plain_names(at.f_globals if own else {}), f_locals=_plain_names(at.f_locals if own else {})
    )


def _plain_names(names: Any) -> dict[str, Any]:
    return {name: value for name, value in names.items() if type(name) is str and name[:2] != "__"}


_CHECKED: dict[str, Any] = {
    "delattr": delete_from_enum,
    "exec": run_dataclass_source,
    "getattr": _library_getattr,
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
        raise GuardError(f"Forbidden access to attribute: {name}")
    return getattr(value, name, *default)


def _patch_libraries(module_views: ModuleViews) -> None:
    for module in [name for name in sys.modules if name not in _patched]:
        _patched.add(module)
        top = module.partition(".")[0]
        names = getattr(sys.modules[module], "__dict__", {})
        closed = module in tables.LIBRARY_LIKE_MODULES or (not is_stdlib(top) and top not in _SMOLCELL_PACKAGES)
        if closed and str(names.get("__file__")).endswith(".py"):
            names.setdefault("getattr", library_getattr)
            names.setdefault("__import__", module_views.import_computed)


WITHHELD = frozenset(map(id, (*_CHECKED.values(), library_getattr)))
_SMOLCELL_PACKAGES = ("__main__", __name__.partition(".")[0])


def patch_libraries(module_views: ModuleViews) -> None:
    """Patch the loaded libraries of ``CHECKED_MODULES``, so that they apply the guard's rules."""
    _patch_libraries(module_views)
    patch_formats()
    patch_deputies()
    for module, names in tables.CHECKED_MODULES.items():
        loaded = sys.modules.get(module)
        if loaded is not None:
            vars(loaded).update({name: _CHECKED[name] for name in names})
