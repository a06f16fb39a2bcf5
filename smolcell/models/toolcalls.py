"""The tool calls of a streamed completion, put together from the pieces in which servers send them.

Source: OpenAI's API reference, "Create chat completion", ``choices[0].delta.tool_calls``. Some servers send each call whole, some leave
out the index, some the id; every field may be missing or of the wrong type.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from smolcell.events import Call

MOST = 64  # calls of a reply
_NAME = 64  # characters


@dataclass(slots=True)
class _Parts:
    name: str
    id: str = ""
    arguments: list[str] = field(default_factory=list)


class ToolCalls:
    """Takes the messages or deltas of one reply."""

    def __init__(self) -> None:
        self._calls: dict[Any, _Parts] = {}
        self._last: Any = None

    def add(self, said: Mapping[str, Any]) -> int:
        """Take what one delta says of calls; gives the characters it added."""
        given = said.get("tool_calls")
        added = 0
        for call in given[:MOST] if isinstance(given, list) else ():
            function = call.get("function") if isinstance(call, Mapping) else None
            if isinstance(function, Mapping):
                added += self._add(call, function)
        if isinstance(function := said.get("function_call"), Mapping):
            added += self._add({"index": "function_call"}, function)
        return added

    def _add(self, call: Mapping[str, Any], function: Mapping[str, Any]) -> int:
        name, key = _text(function.get("name"))[:_NAME], call.get("index")
        known = self._calls.get(key) if isinstance(key, int | str) else None
        if not isinstance(
            key, int | str
        ):  # without an index a name begins a call, and what has none goes on with the last
            key = len(self._calls) if name or self._last is None else self._last
        elif known is not None and known.name and name and _text(call.get("id")) not in ("", known.id):
            key = f"{key}/{len(self._calls)}"  # another call under an index that was used
        if key not in self._calls and len(self._calls) >= MOST:
            return 0
        parts = self._calls.setdefault(key, _Parts(name))
        self._last = key
        parts.name, parts.id = parts.name or name, parts.id or _text(call.get("id"))[:200]
        arguments = function.get("arguments")
        text = json.dumps(arguments) if isinstance(arguments, Mapping) else _text(arguments)
        parts.arguments.append(text)
        return len(text)

    @property
    def names(self) -> list[str]:
        """The names of what is called; "?" for one without."""
        return [parts.name or "?" for parts in self._calls.values()]

    def __iter__(self) -> Iterator[Call]:
        for parts in self._calls.values():
            yield Call(name=parts.name, arguments="".join(parts.arguments) or "{}", id=parts.id)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
