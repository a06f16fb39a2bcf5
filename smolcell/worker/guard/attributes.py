"""The rule for attributes, and the reads that are judged as the program runs.

* A name in a string is judged by the same function as a name in the code: ``check_attribute``.
* A name that depends on the object is judged by the object found, not by the place of the look-up: type, instance, subclass or ``super()``.
* A format string is read before it is used: the attributes that it names meet the rule, then ``str.format`` itself fills it in.
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

# --- What agent code may set attributes on: anything but the classes, functions and modules that it did not make.
#
# * A library's class is never changed: later steps, and the worker itself, run on the same one.
# * The check is one look-up of the object's type, so that ``self.x = …`` stays cheap; only types in ``SHUT`` are looked at closer.
# * A class is the program's own when it says ``__main__``: code can remove that from its own classes, never add it to another. If
#   a library's class may more, its module must hold it, too (``is_library_class``).


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
    """Return whether agent code made this class, or the person's notebook did."""
    home = _module_of(found)
    return type(home) is str and home == "__main__"


def is_library_class(found: type) -> bool:
    """Return whether the module that a class names holds it: nothing that a program says of its own class makes it so."""
    home, value = _module_of(found), None
    held: Any = getattr(sys.modules.get(home), "__dict__", {}) if type(home) is str and home != "__main__" else {}
    for name in _path_of(found).split("."):
        value = held.get(name)
        held = _dict_of(value) if issubclass(type(value), type) else {}
    return value is found


def is_own_function(found: Any) -> bool:
    """Return whether agent code defined this function."""
    return type(found) is FunctionType and found.__code__.co_filename.startswith(STEP_FILE)


def bases(found: type) -> tuple[type, ...]:
    """Return a class and all it inherits from, whatever its metaclass says."""
    return _mro_of(found)  # type: ignore[no-any-return]


def target(value: Any) -> Any:
    """Return the object itself, if its attributes may be set.

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
    """Return the object itself, if ``value.obj += …`` and the like read nothing that is judged."""
    if issubclass(type(value), SHUT_TYPES):
        raise ForbiddenError(f"Forbidden access to attribute of {type(value).__name__}")
    return target(value)


def check_groups(handled: Any) -> Any:
    """Return the class that ``except*`` handles, if the group at hand does not divide itself in a way of its own.

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


# --- What a program may read of the inside of what it made itself: its classes' lineage, its functions' parts, its own names.
#
# * A name that leads to the interpreter is open on an object whose classes are all the program's own, or known to lack it.
# * Of a class's lineage is shown what the program could name itself: its own classes and plain bases.
# * What is handed out is a value, or a copy: never a code object, a frame, or a method of ``type`` that works on any class.


_home_of = type.__dict__["__module__"].__get__
_bases_of = type.__dict__["__bases__"].__get__
_base_of = type.__dict__["__base__"].__get__

# Modules whose classes hold nothing that leads to the interpreter, besides what their own dictionaries name.
_PLAIN_HOMES = frozenset({"abc", "builtins", "collections", "collections.abc", "enum", "numbers", "types", "typing"})


def is_homely(kind: type) -> bool:
    """Return whether a class inherits nothing but what agent code made and plain classes of Python's."""
    return not issubclass(kind, type) and all(is_own_class(base) or _is_plain_base(base) for base in bases(kind))


def _is_plain_base(kind: type) -> bool:
    home = _home_of(kind)
    return type(home) is str and home in _PLAIN_HOMES


def owns(value: Any, name: str) -> bool:
    """Return whether an attribute of this name, if there is one, can only be what the program put there."""
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
    """Return the object itself, if an attribute of a name that is shut elsewhere may be set on it.

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
    """The values of ``f.__code__`` for a function of the program's own, without the code itself."""

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


JUDGED = tables.JUDGED_ATTRIBUTES | ({"evaluate"} if sys.version_info >= (3, 14) else set())
_READ_DUNDERS = tables.SAFE_DUNDERS | tables.READ_ONLY_DUNDERS
_ACCESSORS = frozenset({"__delattr__", "__getattr__", "__getattribute__", "__setattr__"})
_BUILTIN_METHOD: Any = type("".format)


def is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and len(name) > 4


def check_attribute(name: Any, stored: bool = False) -> str:
    """Check an attribute's name by the rule of all accesses; returns the name.

    Args:
        name: must be an exact ``str``: a subclass could lie about itself.
        stored: whether it is set or deleted, not read.

    Raises:
        ForbiddenError: the name leads from an object to the interpreter.
    """
    if type(name) is not str:
        raise TypeError(f"attribute name must be string, not '{type(name).__name__}'")
    if is_dunder(name) and name not in (tables.STORABLE_DUNDERS if stored else _READ_DUNDERS):
        raise ForbiddenError(f"Forbidden access to dunder attribute: {name}{_INSTEAD.get(name, '')}")
    if name in tables.DENIED_ATTRIBUTES:
        raise ForbiddenError(f"Forbidden access to attribute: {name}")
    return name


_INSTEAD = {
    "__class__": ". Use type(x)",
    "__dict__": ". vars(x) gives the variables of an object",
    "__mro__": ". isinstance() and issubclass() tell what a class inherits",
    "__bases__": ". isinstance() and issubclass() tell what a class inherits",
}


# --- judged reads ------------------------------------------------------------------------------------------------------


def read(value: Any, name: str, *default: Any) -> Any:
    """Read ``value.name`` if the name alone does not decide, and ``getattr``."""
    if name == "__class__":
        return class_of(value)
    if name == "__dict__":
        return _dictionary(value, *default)
    if name in READERS:
        return READERS[name](value, name, default)
    if name in tables.DENIED_ATTRIBUTES and not owns(value, name):
        check_attribute(name)
    found = getattr(value, name, *default)
    if name in _ACCESSORS:
        own = is_own_function(found) or (type(found) is MethodType and is_own_function(found.__func__))
        return found if own or (default and found is default[0]) else _accessor(found, name)
    return _judge(value, name, found)


def _dictionary(value: Any, *default: Any) -> Any:
    """``value.__dict__``, by the rule of ``vars``."""
    try:
        return variables(value)
    except TypeError:
        if default:
            return default[0]
        raise AttributeError(f"'{type(value).__name__}' object has no attribute '__dict__'") from None


def class_of(value: Any) -> type:
    """``value.__class__``, for an object of a class that agent code made; raises ForbiddenError."""
    found = type(value)
    if not is_own_class(found):
        check_attribute("__class__")
    return found


def _judge(value: Any, name: str, found: Any) -> Any:
    if name in tables.FORMAT_ATTRIBUTES:
        return _checked_format(name, found)
    if name in tables.MODULE_ATTRIBUTES:
        if isinstance(found, type(sys)) and not is_view(found) and getattr(found, "__spec__", None) is not None:
            raise ForbiddenError(f"Forbidden access to module: {found.__name__}")
        if isinstance(value, type) and type(found) in _DESCRIPTORS and not is_own_class(value):
            raise ForbiddenError(f"Forbidden access to attribute: {name} of {value.__name__}")
        if name in ("cffi", "ctypes") and type(found).__name__ == "interface":
            raise ForbiddenError(f"Forbidden access to attribute: {name} of a {type(value).__name__}")
        return found
    if name == "__setstate__" and not is_own_function(getattr(found, "__func__", found)):
        raise ForbiddenError("Forbidden access to dunder attribute: __setstate__ of an object of a library")
    if name in tables.FILE_ATTRIBUTES and not _is_plain(value if isinstance(value, type) else type(value)):
        raise ForbiddenError(f"Forbidden access to attribute: {name} of a {type(value).__name__}")
    if name == "obj" and issubclass(value if isinstance(value, type) else type(value), AttributeError):
        raise ForbiddenError("Forbidden access to attribute: obj of an AttributeError")
    if name == "evaluate" and type(value).__name__ == "ForwardRef":
        raise ForbiddenError("Forbidden access to attribute: evaluate of a ForwardRef")
    if name == "__wrapped__" and not is_own_function(found):
        check_attribute(name)
    return found


# Descriptors whose ``__get__`` gives the module.
_DESCRIPTORS: tuple[Any, ...] = (property, GetSetDescriptorType, MemberDescriptorType)


def variables(value: Any) -> dict[str, Any]:
    """``vars(value)``: of an object of the program's own class its dictionary, of others a copy without what is shut.

    Raises:
        ForbiddenError: it is a module, or a class of a library.
        TypeError: it has no dictionary.
    """
    if isinstance(value, type):
        if not is_own_class(value):
            raise ForbiddenError(f"Forbidden access to the variables of {value.__name__}: dir(x) lists its names")
        found: Any = type.__dict__["__dict__"].__get__(value)
    else:
        if type(value) is type(sys) or (type(value) is type(variables) and not is_own_function(value)):
            raise ForbiddenError(
                f"Forbidden access to the variables of a {type(value).__name__}: dir(x) lists its names"
            )
        try:
            found = object.__getattribute__(value, "__dict__")
        except AttributeError:
            raise TypeError("vars() argument must have __dict__ attribute") from None
        if _is_plain(type(value)) or is_own_function(value):
            return found  # type: ignore[no-any-return]
    return {name: item for name, item in found.items() if type(name) is str and _is_open(name)}


def _is_plain(kind: type) -> bool:
    """Return whether a class inherits nothing but what agent code made."""
    return all(is_own_class(base) or base in _PLAIN_BASES for base in bases(kind))


_PLAIN_BASES = (object, type(sys.implementation))


def _is_open(name: str) -> bool:
    try:
        return name not in JUDGED and bool(check_attribute(name))
    except ForbiddenError:
        return False


# --- __getattribute__, __setattr__ and the like, called by name ---------------------------------------------------------


def _accessor(found: Any, name: str) -> Callable[..., Any]:
    """Return an accessor of the interpreter's or a library's, by the guard's rule: ``super().__setattr__``, ``object.__getattribute__``."""
    taken = 2 if name == "__setattr__" else 1

    def accessor(*args: Any) -> Any:
        if len(args) not in (taken, taken + 1):
            return found(*args)  # it says itself what is wrong
        value = args[0] if len(args) > taken else getattr(found, "__self__", None)
        key = args[-taken]
        if name in ("__setattr__", "__delattr__"):
            check_attribute(key, stored=True)
            target(value)
            return found(*args)
        return _read_by(found, args, value, key)

    accessor.__name__ = accessor.__qualname__ = name
    return accessor


def _read_by(found: Any, args: Any, value: Any, key: Any) -> Any:
    if key == "__class__" and type(key) is str:
        return class_of(value)
    if key == "__dict__" and type(key) is str:
        return variables(value)
    try:
        check_attribute(key)
    except ForbiddenError:
        if key in tables.DENIED_ATTRIBUTES and owns(value, key):
            return found(*args)
        if key not in JUDGED:
            found(*args)  # what is not there is an AttributeError, as library code that asks expects
            raise
        return read(value, key)
    return _judge(value, key, found(*args))


# --- format ------------------------------------------------------------------------------------------------------------

plain: set[str] = set()  # format strings that were read and name nothing that is shut


def check_format(text: str) -> str:
    """Return the format string, if the attributes that it names may be read.

    Raises:
        ForbiddenError: one of them is shut.
        ValueError: it is no format string.
    """
    if text not in plain:
        if _MAY_READ.search(text):
            _check_fields(text)
        if len(plain) >= _MOST_PLAIN:
            plain.clear()
        plain.add(text)
    return text


_MOST_PLAIN = 2_000
_MAY_READ = re.compile(r"\{[^{}:!]*[.\[]")  # the beginning of a field that could name an attribute


def _check_fields(text: str) -> None:
    for _, field, spec, _ in string.Formatter().parse(text):
        if field is None:
            continue
        _, rest = string._string.formatter_field_name_split(field)  # type: ignore[attr-defined]
        names = [part for is_attribute, part in rest if is_attribute]
        for at, name in enumerate(names):
            if name == "__class__" and names[at + 1 : at + 2] and names[at + 1] in tables.CLASS_NAMES:
                continue
            if check_attribute(name) in JUDGED:
                raise ForbiddenError(f"Forbidden attribute in a format string: {name}")
        if spec:
            _check_fields(spec)


def _checked_format(name: str, found: Any) -> Any:
    function = getattr(found, "__func__", found)
    if function is UserString.format or function is UserString.format_map:
        return functools.partial(_user_format, found)
    if found is str.format or found is str.format_map:
        return functools.partial(_unbound_format, name)
    if type(found) is _BUILTIN_METHOD and isinstance(found.__self__, str) and found.__name__ == name:
        return getattr(check_format(str.__str__(found.__self__)), name)
    return found


def _user_format(found: Any, *args: Any, **kwargs: Any) -> Any:
    """``UserString.format``, bound or not: its text is an attribute that may change."""
    value = found.__self__ if type(found) is MethodType else args[0] if args else None
    text = getattr(value, "data", None)
    if type(text) is not str:
        raise TypeError("format() of a UserString needs a plain str in its data")
    check_format(text)
    return found(*args, **kwargs)


def _unbound_format(name: str, text: Any, *args: Any, **kwargs: Any) -> Any:
    if not isinstance(text, str):
        raise TypeError(f"descriptor '{name}' for 'str' objects doesn't apply to a '{type(text).__name__}' object")
    return getattr(check_format(str.__str__(text)), name)(*args, **kwargs)


# --- class patterns ------------------------------------------------------------------------------------------------------


def check_pattern(found: Any) -> Any:
    """Return the class of a pattern with positions, if it names no attribute that is shut; another object as it is.

    If others may count as its instances (a metaclass, ``register``), the judged attributes are shut too.
    """
    if not isinstance(found, type):
        return found
    metas = _unknown(type(found))
    if any(not _SERVES_NAMES.isdisjoint(type.__dict__["__dict__"].__get__(meta)) for meta in metas):
        raise ForbiddenError(f"Forbidden class in a pattern: {found.__name__} answers for its own attributes")
    dicts = [type.__dict__["__dict__"].__get__(base) for base in bases(found)]
    names = next((each["__match_args__"] for each in dicts if "__match_args__" in each), ())
    if type(names) is not tuple:
        raise TypeError(f"{found.__name__}.__match_args__ must be a tuple (got {type(names).__name__})")
    for name in names:
        virtual = type(found) is not type or issubclass(found, (str, AttributeError))
        homely = name in tables.MODULE_ATTRIBUTES and is_homely(found)
        if check_attribute(name) in JUDGED and (virtual or not (homely or name == "obj")):
            raise ForbiddenError(f"Forbidden attribute in a pattern: {name}")
    return found


def settled(found: Any) -> Any:
    """Return the class, if what ``check_pattern`` looks at can change no more; else None."""
    if not issubclass(type(found), type):
        return found
    names = "__match_args__" in type.__dict__["__dict__"].__get__(found)
    return found if not _unknown(type(found)) and (names or is_library_class(found)) else None


def _unknown(kind: type) -> list[type]:
    return [base for base in bases(kind) if not is_library_class(base)]


_SERVES_NAMES = frozenset({"__getattr__", "__getattribute__", "__match_args__"})
