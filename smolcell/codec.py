"""Events to JSON and back. The shapes themselves stand in ``events.py``; this file only reads their annotations.

``from_json(to_json(event)) == event`` for every event (live values excepted, which compare as absent): a property test holds it.
What is read back is data: an ``Allowed`` from a journal is not in the permit's ledger, so no executor takes it.
"""

from __future__ import annotations

import dataclasses
import reprlib
import types
import typing
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin

from smolcell import events
from smolcell.events import Delta, Event, Proposed

EVENTS: dict[str, type[Any]] = {kind.__name__: kind for kind in get_args(Event)}


def to_json(event: Event | Delta) -> dict[str, Any]:
    """One event as JSON-able data: ``{"event": "Asked", …fields}``. A proposal also carries its fingerprint."""
    data = {"event": type(event).__name__, **_dump(event)}
    if isinstance(event, Proposed):
        data["fingerprint"] = event.fingerprint
    return data


def from_json(data: Mapping[str, Any]) -> Event:
    """The event that ``to_json`` wrote.

    Raises:
        ValueError: it is no event, or a field is missing or of the wrong type. Unknown fields are ignored, so that
            an older version reads what a newer one wrote.
    """
    name: Any = _require(data, isinstance(data, Mapping), Mapping).get("event")
    kind = EVENTS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise ValueError(f"not an event: {reprlib.repr(data)}")
    loaded: Event = _load(kind, data)
    return loaded


def _dump(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: _dump(getattr(value, f.name)) for f in _fields(type(value))}
    if isinstance(value, Mapping):
        return {str(key): _dump(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [_dump(item) for item in value]
    return value


@cache
def _fields(kind: Any) -> tuple[dataclasses.Field[Any], ...]:
    return tuple(f for f in dataclasses.fields(kind) if f.metadata.get("json", True))


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return typing.get_type_hints(kind, vars(events))


def _load(kind: Any, value: Any) -> Any:
    origin = get_origin(kind)
    if dataclasses.is_dataclass(kind):
        return _load_fields(kind, value)
    if origin is Literal:
        return _require(value, value in get_args(kind), kind)
    if origin is tuple:
        return tuple(_load(get_args(kind)[0], item) for item in _require(value, isinstance(value, list), kind))
    if origin in (Union, types.UnionType):
        options = [option for option in get_args(kind) if option is not type(None)]
        return None if value is None else _load(options[0], value)
    if origin is not None and issubclass(origin, Mapping):
        items = _require(value, isinstance(value, Mapping), kind).items()
        return {_load(get_args(kind)[0], key): _load(get_args(kind)[1], item) for key, item in items}
    if kind is float:
        return _float(_require(value, isinstance(value, (int, float)) and not isinstance(value, bool), kind))
    if kind in (str, int, bool):
        return _require(value, type(value) is kind, kind)
    return value


def _load_fields(kind: Any, value: Any) -> Any:
    _require(value, isinstance(value, Mapping), kind)
    hints = _hints(kind)
    known = {f.name: _load(hints[f.name], value[f.name]) for f in _fields(kind) if f.name in value}
    try:
        return kind(**known)
    except TypeError as error:
        raise ValueError(f"{kind.__name__}: {error}") from None


def _float(value: float) -> float:
    try:
        return float(value)
    except OverflowError as error:
        raise ValueError(str(error)) from None


def _require(value: Any, ok: bool, kind: Any) -> Any:
    if not ok:
        raise ValueError(f"expected {getattr(kind, '__name__', kind)}, found {reprlib.repr(value)}")
    return value
