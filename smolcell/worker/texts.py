"""Values as bounded text: for a person, a model, a message.

The rules this file exists to keep:

* Bounded in length *and* in work: one list may hold another 2**30 times.
* Never raises, whatever an object's own ``__repr__`` does.
"""

from __future__ import annotations

import reprlib
from typing import Any


def short_repr(value: Any, limit: int = 2000) -> str:
    """A bounded repr that never raises, but for an interrupt (it runs the object's own code: only where its limits hold)."""
    try:
        text = _repr(value)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever an object's own code raises: SystemExit, a final answer
        text = f"<{type_name(value)} whose repr failed: {type_name(error)}>"
    text = str.__str__(text)
    if len(text) > limit:
        text = f"{text[:limit]}… [{len(text):,} characters]"
    return clean(text)


def _repr(value: Any) -> str:
    kind = type(value)
    if kind is int and value.bit_length() > MAX_BITS:
        return f"<int of about {int(value.bit_length() * 0.30103):,} digits>"
    try:
        return repr(value) if is_small(value) else _reprs.repr(value)
    except RecursionError:
        return str(_reprs.repr(value))


def type_name(value: Any) -> str:
    """The name of a value's type, whatever a metaclass says."""
    return clean(str.__str__(_qualified(type(value)))[:200])


def type_path(value: Any) -> str:
    """The type's module and name."""
    module = _module(type(value))
    return f"{clean(str.__str__(module)[:200]) if isinstance(module, str) else '?'}.{type_name(value)}"


_module: Any = type.__dict__["__module__"].__get__
_qualified: Any = type.__dict__["__qualname__"].__get__
MAX_BITS = 13_000  # of an int that is written out: within Python's own limit of 4,300 digits


def _repr1(self: Any, x: Any, level: int) -> str:
    """Looks for what it knows by the type itself, not by what the type calls itself."""
    shown = _KNOWN.get(id(type(x)))
    return shown(self, x, level) if shown is not None else self.repr_instance(x, level)  # type: ignore[no-any-return]


_OWN = {name: value for name, value in vars(reprlib.Repr).items() if name not in ("__dict__", "__weakref__")}
_Repr: Any = type("_Repr", (), {**_OWN, "repr1": _repr1})  # a copy: agent code may change the methods of the other
_reprs = _Repr()
_reprs.maxlevel, _reprs.maxlist, _reprs.maxtuple, _reprs.maxdict, _reprs.maxset = 3, 20, 20, 20, 20
_reprs.maxstring = _reprs.maxother = 200
_CONTAINERS = (list, tuple, dict, set, frozenset)


_KNOWN: dict[int, Any] = {id(kind): _OWN[f"repr_{kind.__name__}"] for kind in (*_CONTAINERS, str, int)}


def is_small(value: Any, nodes: int = 50_000) -> bool:
    """Whether writing out a container takes at most so many parts: one list may hold another 2**30 times."""
    waiting = [value]
    while waiting and nodes > 0:
        item = waiting.pop()
        nodes -= 1
        if type(item) is dict:
            nodes -= len(item)
            waiting.extend(part for part in item.values() if type(part) in _CONTAINERS)
        elif type(item) in _CONTAINERS:
            nodes -= len(item)
            waiting.extend(part for part in item if type(part) in _CONTAINERS)
        elif type(item) in (str, bytes):
            nodes -= len(item) // 64
    return nodes > 0


def clean(text: str) -> str:
    """The text without lone surrogates, which no page and no file takes."""
    return text.encode("utf-8", "replace").decode("utf-8")
