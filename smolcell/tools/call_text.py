"""A call of a tool, written as a person reads and edits it; and read back.

The rules this file exists to keep:

* What is shown is what is called: a value either stands in the text whole, or has a name there that stands for it unchanged.
* Reading evaluates nothing: literals, and the names that were given out.
"""

from __future__ import annotations

import ast
import inspect
import math
import reprlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from smolcell import text as describe
from smolcell.errors import AgentToolCallError
from smolcell.text import visible
from smolcell.tools.tool import Tool

LONGEST = 20_000  # characters of a value that stands in the text
WIDTH = 100
_ABOUT = 160  # characters said of a value that does not
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_POSITIONAL)
_short = reprlib.Repr()
_short.maxlevel, _short.maxstring, _short.maxlong, _short.maxother = 4, 1_000, 100, 200
_short.maxlist = _short.maxtuple = _short.maxdict = _short.maxset = 30
_ATOMS = (str, int, float, bool, bytes, type(None))


class Written(NamedTuple):
    """A call as Python; ``held`` are the values that are named in it."""

    text: str
    held: dict[str, Any]


def write(tool: Tool, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Written:
    """The call as a person reads it: one line where it is short, else an argument a line.

    Values that are no literals (tables, arrays, long texts) stand there by a name, with a word about them.
    """
    held: dict[str, Any] = {}
    parts = [_part(name, value, held) for name, value in _named(tool, args, kwargs)]
    line = f"{tool.name}({', '.join(text for text, _ in parts)})"
    if not held and len(line) <= WIDTH:
        return Written(line, held)
    rows = [f"    {text},{f'  # {about}' if about else ''}" for text, about in parts]
    return Written("\n".join([f"{tool.name}(", *rows, ")"]), held)


def _named(tool: Tool, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Each argument with its name; "" where it is given by position."""
    bound = tool.signature.bind(*args, **kwargs)
    parameters = tool.signature.parameters
    if any(parameters[name].kind in _POSITIONAL for name in bound.arguments):
        return [*(("", value) for value in bound.args), *bound.kwargs.items()]
    return [(name, value) for name, value in _keywords(bound)]


def _keywords(bound: inspect.BoundArguments) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for name, value in bound.arguments.items():
        more = bound.signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD
        found += list(value.items()) if more else [(name, value)]
    return found


def _part(name: str, value: Any, held: dict[str, Any]) -> tuple[str, str]:
    """An argument as it stands in the call, and what is said of it."""
    given = f"{name}=" if name else ""
    if _is_literal(value) and len(text := repr(value)) <= LONGEST:
        return given + text, ""
    stands = f"given_{name or len(held) + 1}"
    held[stands] = value
    about = " ".join(describe.text(value, _ABOUT).split())
    return given + stands, visible(f"{type(value).__name__}: {about}")


def _is_literal(value: Any, depth: int = 20) -> bool:
    kind = type(value)
    if kind in _ATOMS:
        return kind is not float or math.isfinite(value)
    if depth <= 0:
        return False
    if kind in (list, tuple):
        return all(_is_literal(item, depth - 1) for item in value)
    if kind is set:
        return bool(value) and all(_is_literal(item, depth - 1) for item in value)
    return kind is dict and all(_is_literal(part, depth - 1) for pair in value.items() for part in pair)


def brief(tool: Tool, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str:
    """The call on one line for the record, at a cost that does not grow with its arguments."""
    parts = []
    for name, value in _named(tool, args, kwargs):
        plain = type(value) in _ATOMS or type(value) in (list, tuple, dict, set)
        about = (
            _short.repr(value)
            if plain
            else f"<{type(value).__name__}: {' '.join(describe.text(value, _ABOUT).split())}>"
        )
        parts.append(f"{name}={about}" if name else about)
    return visible(f"{tool.name}({', '.join(parts)})")


def read(text: str, tool: Tool, held: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a call that a person may have edited.

    Raises:
        AgentToolCallError: it is not a call of this tool with literals and the names that stood there.
    """
    try:
        call = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise AgentToolCallError(f"the edited call of {tool.name} cannot be read: {error}") from None
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == tool.name):
        raise AgentToolCallError(f"the edited text is no call of {tool.name}: edit the arguments only")
    if any(isinstance(arg, ast.Starred) for arg in call.args) or any(word.arg is None for word in call.keywords):
        raise AgentToolCallError(f"the edited call of {tool.name} has * or **: write each argument out")
    args = tuple(_value(arg, held) for arg in call.args)
    return args, {str(word.arg): _value(word.value, held) for word in call.keywords}


def _value(node: ast.expr, held: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.Name) and node.id in held:
        return held[node.id]
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        known = f", or {', '.join(held)}" if held else ""
        raise AgentToolCallError(
            f"an edited argument is no literal: {ast.unparse(node)[:200]}. Write a number, a text, a list …{known}"
        ) from None
