"""The program's variables: their namespace, and a list of them for a person."""

from __future__ import annotations

import sys
import types
from typing import Any, Callable

from ..guard import transformer
from ..wire import values
from ..wire.bounds import clean, cut_end, short_repr
from . import display


class Variables:
    """The namespace of the program, as the module ``__main__``.

    Args:
        builtins: its builtins.
        provided: what the worker provides, by name.

    Attributes:
        names: the namespace.
        tools: the host's tools, by name.
    """

    def __init__(self, builtins: Any, provided: dict[str, Any]) -> None:
        module = types.ModuleType("__main__")
        sys.modules["__main__"] = module  # copy, dataclasses and typing find the classes of agent code here
        self.names: dict[str, Any] = module.__dict__
        self.names["__builtins__"] = builtins
        self.names.update(provided)
        self.names[transformer.CALLED] = lambda found: found if callable(found) else self.ending()
        self.tools: dict[str, Callable[..., Any]] = {}
        self._provided = provided
        self._handles = 0

    def ending(self) -> Callable[..., Any]:
        """Return the function that ends the step: a tool of that name, or the worker's own."""
        final: Callable[..., Any] = self.tools.get(transformer.FINAL) or self._provided[transformer.FINAL]
        return final

    def install(self, tools: dict[str, Callable[..., Any]]) -> None:
        """Replace the tools. Names that the program has bound to values of its own stay, unless a new tool has them."""
        for name, tool in self.tools.items():
            if self.names.get(name) is tool:
                del self.names[name]
                if name in self._provided:
                    self.names[name] = self._provided[name]
        self.tools = tools
        self.names.update(tools)

    def provide(self, provided: dict[str, Any]) -> None:
        """Replace values that the worker provides, except where the program has bound the name to a value of its own."""
        for name, value in provided.items():
            before = self._provided.get(name)
            if self.names.get(name, before) is before:
                self.names[name] = value
            self._provided[name] = value

    def forget(self, name: str) -> None:
        """Remove a variable. Its ``__del__`` may run: call this interruptibly. The value is not returned."""
        self.names.pop(name, None)

    def keep(self, value: Any) -> int:
        """Store an object under a reserved name, so that the host's handle can call it; returns its number."""
        self._handles += 1
        self.names[f"{values.HANDLE_PREFIX}{self._handles}"] = value
        return self._handles

    def is_own(self, name: str) -> bool:
        """Return whether the program has bound this name."""
        return (
            not name.startswith(("__", values.HANDLE_PREFIX, values.ARGUMENT_PREFIX))
            and name not in self.tools
            and self.names.get(name) is not self._provided.get(name, self)
        )

    def own(self) -> list[str]:
        """Return the names that the program has bound."""
        return [name for name in list(self.names) if self.is_own(name)]

    def ids(self) -> dict[str, int]:
        """Return the identity of each value."""
        return {name: id(value) for name, value in self.names.items()}

    def changed(self, before: dict[str, int], stored: list[str]) -> list[str]:
        """Return the program's names that have another value than before, or were bound to the same value again.

        Args:
            before: ``ids`` from before the step.
            stored: names that the step binds.
        """
        changed = dict.fromkeys(name for name, value in self.names.items() if before.get(name) != id(value))
        changed.update(dict.fromkeys(name for name in stored if name in before and name in self.names))
        return [name for name in changed if self.is_own(name)]


# --- The list: bounded, whatever an object's code does.


MAX_VARIABLES = 200
MAX_TEXT_CHARS = 200
MAX_LISTED_CHARS = 500_000  # maximum characters of all texts together
FIRST_ROWS = 5


def list_variables(names: list[str], namespace: dict[str, Any]) -> list[dict[str, Any]]:
    """Return name, type, shape, size in bytes (-1: unknown), start of the repr, and a table's first rows (``display.grid``).

    Modules are left out.
    """
    variables: list[dict[str, Any]] = []
    left = MAX_LISTED_CHARS
    for name in names:
        value = namespace.get(name)
        if isinstance(value, types.ModuleType):
            continue
        description = _describe(name, value)
        left -= len(description["text"]) + len(description["table"])
        if len(variables) == MAX_VARIABLES or left < 0:
            break
        variables.append(description)
    return variables


def _describe(name: str, value: Any) -> dict[str, Any]:
    table = display.guess(lambda: display.grid(value, FIRST_ROWS, 0), "")
    return {
        "name": cut_end(clean(name), MAX_TEXT_CHARS),
        "type": cut_end(clean(str(type(value).__name__)), MAX_TEXT_CHARS),
        "shape": display.guess(lambda: _shape(value), []),
        "size": display.guess(lambda: _size(value), -1),
        "text": "" if table else short_repr(value, MAX_TEXT_CHARS),
        "table": table,
    }


def _shape(value: Any) -> list[int]:
    shape = getattr(value, "shape", None)
    if type(shape) is tuple:
        return [int(size) for size in shape[:8]]
    return [len(value)] if isinstance(value, (list, tuple, dict, set, frozenset, str, bytes)) else []


def _size(value: Any) -> int:
    usage = getattr(value, "memory_usage", None)
    if callable(usage):
        total = usage(index=True)
        return int(total.sum() if hasattr(total, "sum") else total)
    size = getattr(value, "nbytes", None)
    return int(size) if size is not None else sys.getsizeof(value)
