"""The two forms of a model's replies, and what it is told about them: text with a tagged program, or one JSON object, which the server
enforces. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any

_SYSTEM = """\
You solve tasks by writing Python. You work in steps. In each step you write one short thought, then one program {where}. \
A person may read the program before it runs, change it, or refuse it. What it prints, the value of its \
last expression, and its errors come back to you as the observation of that step; then you write the next step.

Example of one step:
{example}

Rules:
1. {rule}
2. When you know the answer, call final_answer(answer) in the program. Do not answer in prose.
3. Variables stay between steps. Print what you need to see.
4. {access}
5. {reach}
6. Use the variables and tools named below as they are; do not invent others.
7. If a step fails, read the error and write the corrected program.
8. Notebook syntax works: %time, %timeit, %%time, and !cmd if processes are allowed. \
IPython.display shows charts, tables and Markdown to the user.
"""
GUARDED = {
    "access": "Only these modules may be imported: {imports}.",
    "reach": "Files, network, processes and names such as __class__ are closed to your code unless the task says otherwise.",
}
FULL = {
    "access": (
        "This is ordinary Python: every installed package may be imported, and files in the work folder, threads and programs "
        "may be used.{libraries} If a package is missing, write %pip install NAME on a line of its own: the user decides."
    ),
    "reach": "{network} No files of the user are there but those that the task names.",
}
"""Rules 4 and 5 for each level of Python."""
_THOUGHT = "The table must be summed by month before growth can be computed."
_CODE = 'monthly = sales.groupby("month")["amount"].sum()\nprint(monthly)'

RESPONSE_FORMAT: Mapping[str, Any] = {
    "type": "json_schema",
    "json_schema": {
        "name": "step",
        "strict": True,
        "schema": {
            "type": "object",
            "properties": {
                "thought": {"type": "string", "description": "one short thought"},
                "code": {"type": "string", "description": "one Python program; final_answer(...) in it ends the task"},
            },
            "required": ["thought", "code"],
            "additionalProperties": False,
        },
    },
}
"""The schema of a structured step, in OpenAI's protocol (API reference, "Structured model outputs")."""


@dataclass(frozen=True, slots=True)
class Form:
    """A form of the model's replies.

    Attributes:
        system: the system prompt; ``{imports}`` is filled in.
        note: the description of the form, for a user's own system prompt that does not mention it; "" if it must.
        again: the text for the model after a reply without a program.
    """

    system: str
    note: str
    again: str

    def code(self, text: str) -> str:
        """Return a program in this form, for the model."""
        return f"<code>\n{text}\n</code>" if self is TEXT else json.dumps({"code": text}, ensure_ascii=False)


def _system(**parts: str) -> str:
    system = _SYSTEM
    for name, text in parts.items():
        system = system.replace(f"{{{name}}}", text)
    return system


TEXT = Form(
    system=_system(
        where="between <code> and </code>",
        example=f"{_THOUGHT}\n<code>\n{_CODE}\n</code>",
        rule="Each reply holds a short thought and exactly one program between <code> and </code>.",
    ),
    note="",
    again=(
        "Your reply holds no code, so nothing was run. Write one Python program between <code> and </code>. "
        "To finish, call final_answer(...) in that program, for example:\n"
        "<code>\nfinal_answer(result)\n</code>"
    ),
)
_OBJECT = 'one JSON object with two texts, {"thought": "...", "code": "..."}'
JSON = Form(
    system=_system(
        where=f"as {_OBJECT}",
        example=json.dumps({"thought": _THOUGHT, "code": _CODE}),
        rule=f"Each reply is exactly {_OBJECT}: a short thought and a Python program. Nothing stands before or after it.",
    ),
    note=f"Each reply is exactly {_OBJECT}: a short thought and a Python program. To finish, call final_answer(...) in the program.",
    again=(
        f"Your reply is not {_OBJECT}, so nothing was run. Write that object, whole. "
        'To finish, call final_answer(...) in its program, for example:\n{"thought": "I know it.", "code": "final_answer(result)"}'
    ),
)


_CALLING = """\
You solve tasks by calling tools. You work in steps. In each step you write one short thought, then {how}. A person may read a call \
before it runs, change it, or refuse it. What each call returns, and its errors, come back to you as the observation of that step; then \
you take the next step.
{example}
Rules:
1. {rule} Calls that need nothing of one another belong into one step: they run side by side.
2. When you know the answer, call final_answer with it, alone. Do not answer in prose.
3. Give each argument as a value, not as the name of one, but for the variables named below: their names stand for them.
4. Call only the tools named below, with the arguments they take; do not invent others.
5. If a call fails, read the error and call again rightly. Do not repeat a call that you have made already.
"""
CALL = '{"name": "population", "arguments": {"city": "Oslo"}}'

CALLS = Form(
    system=_CALLING.replace("{how}", "each call as one JSON object on lines of its own")
    .replace("{example}", f"\nExample of one step:\nI need the population of Oslo first.\n{CALL}\n")
    .replace("{rule}", 'A call is exactly one JSON object, {"name": ..., "arguments": {...}}.'),
    note=f"Call a tool by writing one JSON object, for example {CALL}. To finish, call final_answer.",
    again=(
        "Your reply calls no tool, so nothing was done. Write a call as one JSON object, for example:\n"
        '{"name": "final_answer", "arguments": {"answer": "the answer"}}'
    ),
)
"""Tools called in text, by models without a protocol for it."""

NATIVE = Form(
    system=_CALLING.replace("{how}", "one call of a tool or several")
    .replace("{example}", "")
    .replace("{rule}", "Call tools as you were taught to, not in your text."),
    note="To finish, call final_answer.",
    again="Your reply calls no tool, so nothing was done. Call one; to finish, call final_answer with the answer.",
)
"""Tools called by the model's own protocol."""


class Unwrapping:
    """Extracts the part of a JSON object that is shown while it is written: its string values, without quotes and escapes.

    For display only: ``parse`` reads the whole reply. Text that does not begin like an object is passed on unchanged.
    """

    def __init__(self) -> None:
        self._reader = _read()
        next(self._reader)

    def feed(self, piece: str) -> str:
        """Return the text that this piece adds."""
        return "".join(map(self._reader.send, piece))


_ESCAPES = {"n": "\n", "t": "\t", "r": "", "b": "", "f": ""}


def _read() -> Generator[str, str, None]:
    """Receive characters, and yield the text that each adds."""
    char = yield ""
    while char.isspace():
        char = yield ""
    if char != "{":
        while True:
            char = yield char
    values, is_value, gap = 0, False, ""
    while True:
        char = yield gap
        gap = ""
        if char == ":":
            is_value = True
        elif char == ",":
            is_value = False
        elif char == '"':
            gap = "\n" if is_value and values else ""
            values += is_value
            char = yield gap
            gap = ""
            while char != '"':
                shown = char
                if char == "\\":
                    char = yield ""
                    shown = _ESCAPES.get(char, char)
                    if char == "u":
                        code = ""
                        for _ in range(4):
                            code += yield ""
                        shown = _character(code)
                char = yield shown if is_value else ""


def _character(code: str) -> str:
    """Return the character of one ``\\u`` escape; "" for half of a surrogate pair, which cannot be shown."""
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    return "" if 0xD800 <= number < 0xE000 else chr(number)


NO_PROGRAM, NO_OBJECT = TEXT.again, JSON.again
UNCLOSED = (
    "Your program was not closed, so it may be cut off, and nothing of it was run. Write the whole program again, between <code> and "
    "</code>, each on a line of its own. If it is long, write a part of it; the next step can go on."
)
