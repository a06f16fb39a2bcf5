"""Values as bounded text: for a person, a model, a message.

The rules this file exists to keep:

* Bounded in length *and* in work: one list may hold another 2**30 times.
* Never raises, whatever an object's own ``__repr__`` does.
"""

from __future__ import annotations

import reprlib
from typing import Any


def short_repr(value: Any, limit: int = 2000) -> str:
    """A bounded repr that never raises (it runs the object's own code: only where its limits hold)."""
    try:
        text = repr(value) if _is_small(value) else _reprs.repr(value)
    except RecursionError:
        text = _reprs.repr(value)
    except Exception as error:
        text = f"<{type(value).__name__} whose repr failed: {type(error).__name__}>"
    if len(text) > limit:
        text = f"{text[:limit]}… [{len(text):,} characters]"
    return clean(text)


_reprs = reprlib.Repr()
_reprs.maxlevel, _reprs.maxlist, _reprs.maxtuple, _reprs.maxdict, _reprs.maxset = 3, 20, 20, 20, 20
_reprs.maxstring = _reprs.maxother = 200
_CONTAINERS = (list, tuple, dict, set, frozenset)


def _is_small(value: Any, nodes: int = 50_000) -> bool:
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
