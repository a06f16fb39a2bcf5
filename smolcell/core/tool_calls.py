"""Reads the tool calls of a reply: by the model's own protocol, or as JSON in its text. Pure, total, linear in practice.

* A call has a name and an object of arguments; anything else is reported to the model.
* Text after an observation that the model invented is ignored.
* JSON is read whole or not at all: if an object is incomplete, the reply was cut off, and none of its calls counts.
* Calls are proposed here, never run. The agent looks up the tool and checks the arguments.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from smolcell.core.parsing import NoProgram
from smolcell.events import Call, Replied

FINAL = "final_answer"
MAX_CALLS = 32  # per reply
_MAX_POSITIONS = 200  # positions tried in a text: a hostile reply full of braces must not take minutes
_NAMES = ("name", "tool_name", "tool", "action")
_ARGUMENTS = ("arguments", "parameters", "args", "tool_arguments", "action_input", "input")
_LISTS = ("tool_calls", "calls", "actions")
_ANSWERS = ("final_answer", "answer")
_HALF = re.compile(
    rf"(?:\[\s*+){{0,4}}+\{{\s*+[\"'](?:{'|'.join((*_NAMES, *_ARGUMENTS, *_LISTS, *_ANSWERS, 'function', 'id', 'type'))})[\"']\s*+:"
)
_MADE_UP = re.compile(r"^[ \t]*Observations?\b[^:\n]{0,40}:", re.MULTILINE)  # no line of JSON begins so
_AROUND = re.compile(r"(?:<tool_call>|Actions?:|Calls?:|```\w*|\s)+\Z")


@dataclass(frozen=True, slots=True)
class Calls:
    """Tools to call concurrently, and the thought before the calls."""

    calls: tuple[Call, ...]
    thought: str = ""


@dataclass(frozen=True, slots=True)
class ParsedCall:
    """One call after its tool was looked up.

    Attributes:
        text: the proposal: the call as Python, or the program passed to the interpreter tool.
        kind: which of the two.
        answer: the answer, as a tuple of one, if the call gives one.
        error: why it is no valid call; for the model.
    """

    text: str = ""
    kind: Any = "call"
    answer: tuple[Any, ...] = ()
    error: str = ""


def read_calls(replied: Replied) -> Calls | NoProgram:
    """Return the calls of a reply."""
    if replied.calls:
        return Calls(replied.calls[:MAX_CALLS], replied.text.strip())
    found = list(_find_calls(replied.text))
    made_up = _MADE_UP.search(replied.text, found[0][0]) if found else None
    if made_up is not None:
        found = [(start, call) for start, call in found if start < made_up.start()]
    calls = [(start, call) for start, call in found if call is not None]
    if not found or len(calls) < len(found):
        return NoProgram()
    thought = _AROUND.sub("", replied.text[: calls[0][0]])
    return Calls(tuple(call for _, call in calls)[:MAX_CALLS], re.sub(r"\A\s*Thoughts?:\s*", "", thought).strip())


def arguments(call: Call) -> dict[str, Any]:
    """Return the arguments of a call.

    Raises:
        ValueError: they are no JSON object; the message is for the model.
    """
    try:
        given = json.loads(call.arguments) if call.arguments.strip() else {}
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the arguments of {call.name} are no JSON: {error}") from None
    if not isinstance(given, dict):
        raise ValueError(f"the arguments of {call.name} must be a JSON object, not {type(given).__name__}")
    return given


def _find_calls(text: str) -> Iterator[tuple[int, Call | None]]:
    """Yield each call and the position where its JSON begins; None for a last one that is incomplete."""
    start = 0
    for _ in range(_MAX_POSITIONS):
        opening = re.compile(r"[{\[]").search(text, start)
        if opening is None:
            return
        value, end = _parse_at(text, opening.start())
        if value is None and _HALF.match(text, opening.start()):
            yield opening.start(), None
            return  # an object inside it is no call
        calls = list(_calls_in(value))
        yield from ((opening.start(), call) for call in calls)
        start = opening.end() if value is None else end


def _parse_at(text: str, start: int) -> tuple[Any, int]:
    """Return the value that begins at a position, and its end; None if there is none. Python's quotes are accepted, too."""
    try:
        value, end = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        end = text.rfind("}") + 1
        try:
            value = ast.literal_eval(text[start:end]) if start < end <= start + 20_000 else None
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            return None, start + 1
    return value, end


def _calls_in(value: Any) -> Iterator[Call]:
    if isinstance(value, list):
        nested = [list(_calls_in(item)) for item in value]
        if nested and all(nested):  # a list of nothing but calls
            yield from (call for calls in nested for call in calls)
    elif isinstance(value, dict):
        yield from _calls_in_object(value)


def _calls_in_object(value: dict[Any, Any]) -> Iterator[Call]:
    function = value.get("function")
    inner = function if isinstance(function, dict) else value
    name = next((inner[key] for key in _NAMES if isinstance(inner.get(key), str)), None)
    if name is None and isinstance(function, str):
        name = function
    if name is not None:
        given: Any = next((inner[key] for key in _ARGUMENTS if key in inner), {})
        yield Call(name=name.strip(), arguments=given if isinstance(given, str) else _dump(given))
    elif several := next((value[key] for key in _LISTS if isinstance(value.get(key), list)), None):
        yield from _calls_in(several)
    elif answer := [value[key] for key in _ANSWERS if key in value]:
        yield Call(name=FINAL, arguments=_dump({"answer": answer[0]}))


def _dump(value: Any) -> str:
    try:
        return json.dumps(value)
    except (TypeError, ValueError):  # read as Python: a set, bytes
        return json.dumps(str(value))
