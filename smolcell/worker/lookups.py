"""The rule for attributes, and the reads that are judged as the program runs.

The rules this file exists to keep:

* A name in a string is judged by the same function as a name in the code: ``check_attribute``.
* What depends on the object is judged by what a look-up found, not by where it was looked up: type, instance, subclass or ``super()``.
* A format string is read before it is used: the attributes that it names meet the rule, then ``str.format`` itself fills it in.
"""

from __future__ import annotations

import functools
import re
import string
import sys
from collections import UserString
from types import GetSetDescriptorType, MemberDescriptorType, MethodType
from typing import Any, Callable

from . import tables
from .modules import ForbiddenError, is_view
from .owned import READERS, is_homely, owns
from .stores import bases, is_library_class, is_own_class, is_own_function, target

JUDGED = tables.JUDGED_ATTRIBUTES | ({"evaluate"} if sys.version_info >= (3, 14) else set())
_READ_DUNDERS = tables.SAFE_DUNDERS | tables.READ_ONLY_DUNDERS
_ACCESSORS = frozenset({"__delattr__", "__getattr__", "__getattribute__", "__setattr__"})
_BUILTIN_METHOD: Any = type("".format)


def is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and len(name) > 4


def check_attribute(name: Any, stored: bool = False) -> str:
    """The one rule for attribute names; returns the name.

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
    """What ``value.name`` becomes where the name alone does not decide, and what ``getattr`` gives."""
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


# What gives the module to whoever calls its ``__get__``.
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
    """Whether a class inherits nothing but what agent code made."""
    return all(is_own_class(base) or base in _PLAIN_BASES for base in bases(kind))


_PLAIN_BASES = (object, type(sys.implementation))


def _is_open(name: str) -> bool:
    try:
        return name not in JUDGED and bool(check_attribute(name))
    except ForbiddenError:
        return False


# --- __getattribute__, __setattr__ and the like, called by name ---------------------------------------------------------


def _accessor(found: Any, name: str) -> Callable[..., Any]:
    """An accessor of the interpreter's or a library's, by the guard's rule: ``super().__setattr__``, ``object.__getattribute__``."""
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
    """The format string, if the attributes that it names may be read.

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
    """The class of a pattern with positions, if it names no attribute that is shut; another object as it is.

    Where others may count as its instances (a metaclass, ``register``), the judged attributes are shut too.
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
    """The class, if what ``check_pattern`` looks at can change no more; else None."""
    if not issubclass(type(found), type):
        return found
    names = "__match_args__" in type.__dict__["__dict__"].__get__(found)
    return found if not _unknown(type(found)) and (names or is_library_class(found)) else None


def _unknown(kind: type) -> list[type]:
    return [base for base in bases(kind) if not is_library_class(base)]


_SERVES_NAMES = frozenset({"__getattr__", "__getattribute__", "__match_args__"})
