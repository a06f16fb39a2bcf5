"""The rule for attribute names, and attribute reads that are checked at run time.

* A name in a string is checked by the same function as a name in the code: ``check_attribute``.
* A name whose meaning depends on the object is checked by the object found, however it was looked up: through the type, the
  instance, a subclass or ``super()``.
* A format string is parsed first: the attributes that it names are checked, then ``str.format`` fills it in.
"""

from __future__ import annotations

import builtins
import functools
import re
import string
import sys
import typing
import weakref
from collections import UserString
from collections.abc import Iterator
from types import (
    FunctionType,
    GenericAlias,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
    SimpleNamespace,
)
from typing import Any, Callable, NamedTuple

from . import tables
from .imports import ForbiddenError, is_view

# --- Agent code may set attributes on any object except classes, functions and modules that it did not create.
#
# * A library's class is never changed: later steps and the worker itself use the same class.
# * The check is one look-up of the object's type, so that ``self.x = …`` stays cheap; only ``READ_ONLY_TYPES`` are checked further.
# * A class is the program's own if its module is ``__main__``: code can remove that from its own classes, never add it to others.
#   A class with wider rights must also be found in the module it names (``is_library_class``).


STEP_FILE = "<agent step "
_module_of = type.__dict__["__module__"].__get__
_qualname_of = type.__dict__["__qualname__"].__get__
_mro_of = type.__dict__["__mro__"].__get__
_dict_of = type.__dict__["__dict__"].__get__

# Types whose objects are checked further: these, and metaclasses that agent code did not create.
_PROXIES = (weakref.ProxyType, weakref.CallableProxyType)
READ_ONLY_TYPES: set[type] = {FunctionType, ModuleType, GenericAlias, *_PROXIES}


def add_metaclasses() -> None:
    """Add metaclasses that imports have loaded since the last call."""
    READ_ONLY_TYPES.update(kind for kind in _subclasses(type) if not is_own_class(kind))
    kinds = (kind for kind in vars(typing).values() if isinstance(kind, type) and kind.__name__.endswith("Alias"))
    READ_ONLY_TYPES.update(kinds)


def is_own_class(kind: type) -> bool:
    """Return whether agent code or the user's notebook created this class."""
    home = _module_of(kind)
    return type(home) is str and home == "__main__"


def is_library_class(kind: type) -> bool:
    """Return whether the module that a class names really holds it; a program's own class cannot fake this."""
    home, value = _module_of(kind), None
    held: Any = getattr(sys.modules.get(home), "__dict__", {}) if type(home) is str and home != "__main__" else {}
    for name in _qualname_of(kind).split("."):
        value = held.get(name)
        held = _dict_of(value) if issubclass(type(value), type) else {}
    return value is kind


def is_own_function(function: Any) -> bool:
    """Return whether agent code defined this function."""
    return type(function) is FunctionType and function.__code__.co_filename.startswith(STEP_FILE)


def bases(kind: type) -> tuple[type, ...]:
    """Return a class and all its bases, whatever its metaclass answers."""
    return _mro_of(kind)  # type: ignore[no-any-return]


def check_settable(value: Any) -> Any:
    """Return the value if its attributes may be set.

    Raises:
        ForbiddenError: it is a class, a function or a module of a library.
    """
    if type(value) in READ_ONLY_TYPES and not _is_settable(value):
        name = getattr(value, "__name__", None) or type(value).__name__
        raise ForbiddenError(
            f"Cannot change {name}: it belongs to a library. Define a subclass or a new function instead"
        )
    return value


def _is_settable(value: Any) -> bool:
    kind = type(value)
    if kind in _PROXIES:  # setting an attribute sets it on the referent
        return not isinstance(value, _NEVER_BY_PROXY)
    if kind is FunctionType:
        return is_own_function(value)
    if kind is ModuleType:
        return sys.modules.get(value.__name__) is not value  # a view, or a module that the program created
    if issubclass(kind, type):
        return is_own_class(value)
    origin = getattr(value, "__origin__", None)
    return isinstance(origin, type) and is_own_class(origin)


_NEVER_BY_PROXY = (type, FunctionType, ModuleType, GenericAlias, typing._BaseGenericAlias)  # type: ignore[attr-defined]
SHUT_TYPES = (str, AttributeError)


def check_augmented(value: Any) -> Any:
    """Return the value if ``value.obj += …`` and the like do not read a checked attribute."""
    if issubclass(type(value), SHUT_TYPES):
        raise ForbiddenError(f"Forbidden access to attribute of {type(value).__name__}")
    return check_settable(value)


def check_groups(handled: Any) -> Any:
    """Return the class of an ``except*`` clause, unless the exception group overrides how it is split.

    CPython before 3.12.9 and 3.13.2 does not check that such a ``split`` returns two exceptions (CVE-2025-22153).
    Not detected: an object that the program's ``derive`` gives a ``split`` of its own.

    Raises:
        ForbiddenError: the group, or a class of it, overrides ``split`` or ``__getattribute__``.
    """
    error = sys.exc_info()[1]
    kinds = bases(type(error))
    if any("derive" in _dict_of(kind) and not is_library_class(kind) for kind in kinds):  # it may return any class
        kinds = tuple(_subclasses(vars(builtins)["BaseExceptionGroup"]))
    for kind in kinds:
        if not _SPLIT_METHODS.isdisjoint(_dict_of(kind)) and not is_library_class(kind):
            raise ForbiddenError(f"Forbidden method: split of the exception group {kind.__name__}. Override derive")
    if error is not None and not all(type(name) is str and name != "split" for name in _names_of(error)):
        raise ForbiddenError("Forbidden attribute: split of an exception group. Override derive")
    return handled


_SPLIT_METHODS = frozenset({"split", "__getattribute__"})
_names_of = vars(BaseException)["__dict__"].__get__


def _subclasses(base: type) -> Iterator[type]:
    waiting: list[type] = [base]
    while waiting:
        kind = waiting.pop()
        yield kind
        waiting += type.__subclasses__(kind)


add_metaclasses()


# --- Parts of its own objects that a program may read: bases of its classes, parts of its functions, its own names.
#
# * A name that leads to the interpreter may be used on an object if all its classes are the program's, or known to lack the name.
# * A class's bases are returned only if the program could name them itself: its own classes and plain bases.
# * Only values and copies are returned: never a code object, a frame, or a method of ``type`` that works on any class.


_module_name_of = type.__dict__["__module__"].__get__
_bases_of = type.__dict__["__bases__"].__get__
_base_of = type.__dict__["__base__"].__get__

# Modules whose classes hold nothing that leads to the interpreter, except through their own dictionaries.
_PLAIN_HOMES = frozenset({"abc", "builtins", "collections", "collections.abc", "enum", "numbers", "types", "typing"})


def inherits_plainly(kind: type) -> bool:
    """Return whether a class inherits only from classes of agent code and plain classes of Python."""
    return not issubclass(kind, type) and all(is_own_class(base) or _is_plain_base(base) for base in bases(kind))


def _is_plain_base(kind: type) -> bool:
    home = _module_name_of(kind)
    return type(home) is str and home in _PLAIN_HOMES


def owns_name(value: Any, name: str) -> bool:
    """Return whether an attribute with this name, if present, can only have been set by the program."""
    kind = type(value)
    classes = bases(kind)
    if issubclass(kind, type):
        if not is_own_class(value) or issubclass(value, type):
            return False
        classes += bases(value)
    elif issubclass(kind, super) or not (is_own_class(kind) or kind is SimpleNamespace):
        return False
    return all(is_own_class(each) or (_is_plain_base(each) and name not in _dict_of(each)) for each in classes)


def check_owned(value: Any, name: str) -> Any:
    """Return the value if the program may set an attribute on it whose name is denied on other objects.

    Raises:
        ForbiddenError: the value, or one of its classes, is not the program's own.
    """
    open_ = (
        inherits_plainly(type(value)) and is_own_class(type(value)) if name == "__dict__" else owns_name(value, name)
    )
    if not open_:
        raise ForbiddenError(f"Forbidden access to attribute: {name} of a {type(value).__name__}")
    return check_settable(value)


# --- lineage -----------------------------------------------------------------------------------------------------------


def read_lineage(value: Any, name: str, default: tuple[Any, ...]) -> Any:
    """Read ``__mro__``, ``__bases__``, ``__base__``, ``mro`` or ``__subclasses__`` of a class of the program.

    Raises:
        ForbiddenError: it is a library's class, or inherits from one whose bases the program could not name.
    """
    if not issubclass(type(value), type):
        if name == "mro" and not issubclass(type(value), super):
            attribute = getattr(value, name, *default)
            if type(attribute) is not type(type.mro):
                return attribute
    elif is_own_class(value) and inherits_plainly(value):
        return _LINEAGE[name](value)
    hint = "isinstance() and issubclass() show what a class inherits"
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
    """The values of ``f.__code__`` for a function of the program, without the bytecode."""

    co_name: str
    co_argcount: int
    co_posonlyargcount: int
    co_kwonlyargcount: int
    co_varnames: tuple[str, ...]
    co_freevars: tuple[str, ...]
    co_flags: int
    co_firstlineno: int
    co_filename: str


def read_part_of_function(value: Any, name: str) -> Any:
    """Read ``__code__``, ``__defaults__``, ``__kwdefaults__`` or ``__self__`` of a function or method of the program.

    Raises:
        ForbiddenError: it is not a function or method of the program.
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
    **dict.fromkeys(tables.LINEAGE_ATTRIBUTES, read_lineage),
    **dict.fromkeys(tables.FUNCTION_ATTRIBUTES, lambda value, name, default: read_part_of_function(value, name)),
}


RUNTIME_CHECKED = tables.RUNTIME_CHECKED_ATTRIBUTES | ({"evaluate"} if sys.version_info >= (3, 14) else set())
_READ_DUNDERS = tables.SAFE_DUNDERS | tables.READ_ONLY_DUNDERS
_ACCESSORS = frozenset({"__delattr__", "__getattr__", "__getattribute__", "__setattr__"})
_BUILTIN_METHOD: Any = type("".format)


def is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and len(name) > 4


def check_attribute(name: Any, stored: bool = False) -> str:
    """Check an attribute's name; returns the name. All accesses use this rule.

    Args:
        name: must be an exact ``str``: a subclass could return another text later.
        stored: whether it is set or deleted, not read.

    Raises:
        ForbiddenError: the name could lead from an object to the interpreter.
    """
    if type(name) is not str:
        raise TypeError(f"attribute name must be string, not '{type(name).__name__}'")
    if is_dunder(name) and name not in (tables.STORABLE_DUNDERS if stored else _READ_DUNDERS):
        raise ForbiddenError(f"Forbidden access to dunder attribute: {name}{_HINTS.get(name, '')}")
    if name in tables.DENIED_ATTRIBUTES:
        raise ForbiddenError(f"Forbidden access to attribute: {name}")
    return name


_HINTS = {
    "__class__": ". Use type(x)",
    "__dict__": ". vars(x) gives the variables of an object",
    "__mro__": ". isinstance() and issubclass() show what a class inherits",
    "__bases__": ". isinstance() and issubclass() show what a class inherits",
}


# --- reads checked at run time ---------------------------------------------------------------------------------------------


def read_checked(value: Any, name: str, *default: Any) -> Any:
    """Read ``value.name`` if the name alone does not decide; also implements ``getattr``."""
    if name == "__class__":
        return read_class(value)
    if name == "__dict__":
        return _read_dictionary(value, *default)
    if name in READERS:
        return READERS[name](value, name, default)
    if name in tables.DENIED_ATTRIBUTES and not owns_name(value, name):
        check_attribute(name)
    attribute = getattr(value, name, *default)
    if name in _ACCESSORS:
        own = is_own_function(attribute) or (type(attribute) is MethodType and is_own_function(attribute.__func__))
        return attribute if own or (default and attribute is default[0]) else _wrap_accessor(attribute, name)
    return _check_found(value, name, attribute)


def _read_dictionary(value: Any, *default: Any) -> Any:
    """Read ``value.__dict__``, by the rule of ``vars``."""
    try:
        return read_variables(value)
    except TypeError:
        if default:
            return default[0]
        raise AttributeError(f"'{type(value).__name__}' object has no attribute '__dict__'") from None


def read_class(value: Any) -> type:
    """Read ``value.__class__`` of an object whose class agent code created; raises ForbiddenError for others."""
    kind = type(value)
    if not is_own_class(kind):
        check_attribute("__class__")
    return kind


def _check_found(value: Any, name: str, attribute: Any) -> Any:
    if name in tables.FORMAT_ATTRIBUTES:
        return _wrap_format(name, attribute)
    if name in tables.MODULE_ATTRIBUTES:
        if (
            isinstance(attribute, type(sys))
            and not is_view(attribute)
            and getattr(attribute, "__spec__", None) is not None
        ):
            raise ForbiddenError(f"Forbidden access to module: {attribute.__name__}")
        if isinstance(value, type) and type(attribute) in _DESCRIPTORS and not is_own_class(value):
            raise ForbiddenError(f"Forbidden access to attribute: {name} of {value.__name__}")
        if name in ("cffi", "ctypes") and type(attribute).__name__ == "interface":
            raise ForbiddenError(f"Forbidden access to attribute: {name} of a {type(value).__name__}")
        return attribute
    if name == "__setstate__" and not is_own_function(getattr(attribute, "__func__", attribute)):
        raise ForbiddenError("Forbidden access to dunder attribute: __setstate__ of an object of a library")
    if name in tables.FILE_ATTRIBUTES and not _is_all_own(value if isinstance(value, type) else type(value)):
        raise ForbiddenError(f"Forbidden access to attribute: {name} of a {type(value).__name__}")
    if name == "obj" and issubclass(value if isinstance(value, type) else type(value), AttributeError):
        raise ForbiddenError("Forbidden access to attribute: obj of an AttributeError")
    if name == "evaluate" and type(value).__name__ == "ForwardRef":
        raise ForbiddenError("Forbidden access to attribute: evaluate of a ForwardRef")
    if name == "__wrapped__" and not is_own_function(attribute):
        check_attribute(name)
    return attribute


# Descriptors whose ``__get__`` returns the module.
_DESCRIPTORS: tuple[Any, ...] = (property, GetSetDescriptorType, MemberDescriptorType)


def read_variables(value: Any) -> dict[str, Any]:
    """Implement ``vars(value)``: for an object of the program's own class its dictionary, for others a copy without denied names.

    Raises:
        ForbiddenError: the value is a module, or a class of a library.
        TypeError: the value has no dictionary.
    """
    if isinstance(value, type):
        if not is_own_class(value):
            raise ForbiddenError(f"Forbidden access to the variables of {value.__name__}: dir(x) lists its names")
        variables: Any = type.__dict__["__dict__"].__get__(value)
    else:
        if type(value) is type(sys) or (type(value) is type(read_variables) and not is_own_function(value)):
            raise ForbiddenError(
                f"Forbidden access to the variables of a {type(value).__name__}: dir(x) lists its names"
            )
        try:
            variables = object.__getattribute__(value, "__dict__")
        except AttributeError:
            raise TypeError("vars() argument must have __dict__ attribute") from None
        if _is_all_own(type(value)) or is_own_function(value):
            return variables  # type: ignore[no-any-return]
    return {name: item for name, item in variables.items() if type(name) is str and _is_readable(name)}


def _is_all_own(kind: type) -> bool:
    """Return whether a class inherits only from classes of agent code."""
    return all(is_own_class(base) or base in _PLAIN_BASES for base in bases(kind))


_PLAIN_BASES = (object, type(sys.implementation))


def _is_readable(name: str) -> bool:
    try:
        return name not in RUNTIME_CHECKED and bool(check_attribute(name))
    except ForbiddenError:
        return False


# --- __getattribute__, __setattr__ and the like, called by name ---------------------------------------------------------


def _wrap_accessor(member: Any, name: str) -> Callable[..., Any]:
    """Wrap an accessor of the interpreter or a library (``super().__setattr__``, ``object.__getattribute__``) with the guard's rules."""
    taken = 2 if name == "__setattr__" else 1

    def accessor(*args: Any) -> Any:
        if len(args) not in (taken, taken + 1):
            return member(*args)  # raises its own error
        value = args[0] if len(args) > taken else getattr(member, "__self__", None)
        key = args[-taken]
        if name in ("__setattr__", "__delattr__"):
            check_attribute(key, stored=True)
            check_settable(value)
            return member(*args)
        return _read_through(member, args, value, key)

    accessor.__name__ = accessor.__qualname__ = name
    return accessor


def _read_through(member: Any, args: Any, value: Any, key: Any) -> Any:
    if key == "__class__" and type(key) is str:
        return read_class(value)
    if key == "__dict__" and type(key) is str:
        return read_variables(value)
    try:
        check_attribute(key)
    except ForbiddenError:
        if key in tables.DENIED_ATTRIBUTES and owns_name(value, key):
            return member(*args)
        if key not in RUNTIME_CHECKED:
            member(*args)  # raises AttributeError for a missing attribute, which library code expects
            raise
        return read_checked(value, key)
    return _check_found(value, key, member(*args))


# --- format ------------------------------------------------------------------------------------------------------------

plain_formats: set[str] = set()  # format strings that were checked and name no denied attribute


def check_format(text: str) -> str:
    """Return the format string if it may read the attributes that it names.

    Raises:
        ForbiddenError: an attribute is denied.
        ValueError: it is not a valid format string.
    """
    if text not in plain_formats:
        if _MAY_READ.search(text):
            _check_fields(text)
        if len(plain_formats) >= MAX_PLAIN_FORMATS:
            plain_formats.clear()
        plain_formats.add(text)
    return text


MAX_PLAIN_FORMATS = 2_000
_MAY_READ = re.compile(r"\{[^{}:!]*[.\[]")  # start of a field that could name an attribute


def _check_fields(text: str) -> None:
    for _, field, spec, _ in string.Formatter().parse(text):
        if field is None:
            continue
        _, rest = string._string.formatter_field_name_split(field)  # type: ignore[attr-defined]
        names = [part for is_attribute, part in rest if is_attribute]
        for at, name in enumerate(names):
            if name == "__class__" and names[at + 1 : at + 2] and names[at + 1] in tables.CLASS_NAMES:
                continue
            if check_attribute(name) in RUNTIME_CHECKED:
                raise ForbiddenError(f"Forbidden attribute in a format string: {name}")
        if spec:
            _check_fields(spec)


def _wrap_format(name: str, method: Any) -> Any:
    function = getattr(method, "__func__", method)
    if function is UserString.format or function is UserString.format_map:
        return functools.partial(_format_user_string, method)
    if method is str.format or method is str.format_map:
        return functools.partial(_format_unbound, name)
    if type(method) is _BUILTIN_METHOD and isinstance(method.__self__, str) and method.__name__ == name:
        return getattr(check_format(str.__str__(method.__self__)), name)
    return method


def _format_user_string(method: Any, *args: Any, **kwargs: Any) -> Any:
    """Implement ``UserString.format``, bound or not, whose text is an attribute that may change."""
    value = method.__self__ if type(method) is MethodType else args[0] if args else None
    text = getattr(value, "data", None)
    if type(text) is not str:
        raise TypeError("format() of a UserString needs a plain str in its data")
    check_format(text)
    return method(*args, **kwargs)


def _format_unbound(name: str, text: Any, *args: Any, **kwargs: Any) -> Any:
    if not isinstance(text, str):
        raise TypeError(f"descriptor '{name}' for 'str' objects doesn't apply to a '{type(text).__name__}' object")
    return getattr(check_format(str.__str__(text)), name)(*args, **kwargs)


# --- class patterns ------------------------------------------------------------------------------------------------------


def check_pattern(kind: Any) -> Any:
    """Return the class of a pattern with positional parts, if it names no denied attribute; returns other objects unchanged.

    If objects of other classes may match (a metaclass, ``register``), attributes checked at run time are denied too.
    """
    if not isinstance(kind, type):
        return kind
    metas = _unknown_bases(type(kind))
    if any(not _SERVES_NAMES.isdisjoint(type.__dict__["__dict__"].__get__(meta)) for meta in metas):
        raise ForbiddenError(f"Forbidden class in a pattern: {kind.__name__} overrides attribute access")
    dicts = [type.__dict__["__dict__"].__get__(base) for base in bases(kind)]
    names = next((each["__match_args__"] for each in dicts if "__match_args__" in each), ())
    if type(names) is not tuple:
        raise TypeError(f"{kind.__name__}.__match_args__ must be a tuple (got {type(names).__name__})")
    for name in names:
        virtual = type(kind) is not type or issubclass(kind, (str, AttributeError))
        homely = name in tables.MODULE_ATTRIBUTES and inherits_plainly(kind)
        if check_attribute(name) in RUNTIME_CHECKED and (virtual or not (homely or name == "obj")):
            raise ForbiddenError(f"Forbidden attribute in a pattern: {name}")
    return kind


def check_settled(kind: Any) -> Any:
    """Return the class if a later check could not decide otherwise; else None."""
    if not issubclass(type(kind), type):
        return kind
    names = "__match_args__" in type.__dict__["__dict__"].__get__(kind)
    return kind if not _unknown_bases(type(kind)) and (names or is_library_class(kind)) else None


def _unknown_bases(kind: type) -> list[type]:
    return [base for base in bases(kind) if not is_library_class(base)]


_SERVES_NAMES = frozenset({"__getattr__", "__getattribute__", "__match_args__"})
