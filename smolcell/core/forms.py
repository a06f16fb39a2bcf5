"""The two forms of a model's replies, and what it is told about them: text with a tagged program, or one JSON object, which the server
enforces. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any

_SYSTEM = """\
You solve tasks by writing Python, step by step. Each reply is {what}. \
What a program prints, the value of its last expression, and its errors come back to you as an observation.

Rules:
1. Your reply ends with its program. Never write what the program will print.
2. The program that has the answer calls final_answer(answer): that alone ends the task. If one program can do it all, it does.
3. The variables and tools named with the task exist, with all their data. Use them as they are: never define them again, never invent data.
4. Variables stay between steps. Print only what you need to see.
5. {access}
6. {reach}
7. If a program fails, read its error and write a corrected one.
8. Notebook syntax works: %time, %%time, !cmd if processes are allowed. IPython.display shows charts and tables to the user.
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
"""Rules 5 and 6 for each level of Python."""


@dataclass(frozen=True, slots=True)
class Example:
    """A solved task, shown before the first one: for each reply its thought and its program, and what came of each but the last."""

    given: str  # what stands before the task: the description of its variable; "" if it has none
    task: str
    replies: tuple[tuple[str, str], ...]
    observations: tuple[str, ...] = ()


EXAMPLES = (
    Example(
        "",
        "How many seconds has a leap year?",
        (("I multiply days, hours, minutes and seconds.", "final_answer(366 * 24 * 60 * 60)"),),
    ),
    Example(
        "These variables are defined:\n- warmth (dict): {'Oslo': 4.5, 'Rome': 17.25, 'Bonn': 11.0, 'Cork': None}",
        "Which city is warmest, and what is the mean of all, without missing values and rounded to one decimal place? "
        "Answer in the form warmest: CITY, mean: MEAN.",
        (
            (
                "Missing values are left out. I look at what remains.",
                "known = {city: value for city, value in warmth.items() if value is not None}\nprint(known)",
            ),
            (
                "I answer with the city of the highest value and the mean of the three, to one decimal, as warmest: CITY, mean: MEAN.",
                "city = max(known, key=known.get)\nmean = sum(known.values()) / len(known)\n"
                'final_answer(f"warmest: {city}, mean: {mean:.1f}")',
            ),
        ),
        ("Printed:\n{'Oslo': 4.5, 'Rome': 17.25, 'Bonn': 11.0}",),
    ),
)

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
        last: the note that one step is left.
        final: the last request, at the step limit; ``{task}`` is filled in.
    """

    system: str
    note: str
    again: str
    last: str = "One step is left: its program must call final_answer(...)."
    final: str = (
        "No step is left. Write one last program: it calls final_answer(...) with the answer, as well as what you have seen allows. The "
        "task was:\n{task}"
    )

    def code(self, text: str, thought: str = "") -> str:
        """Return a program in this form, for the model."""
        if self is TEXT:
            return f"{thought}\n<code>\n{text}\n</code>".lstrip()
        return json.dumps({**({"thought": thought} if thought else {}), "code": text}, ensure_ascii=False)


def _system(**parts: str) -> str:
    system = _SYSTEM
    for name, text in parts.items():
        system = system.replace(f"{{{name}}}", text)
    return system


TEXT = Form(
    system=_system(
        what="a short thought, which repeats the task's conditions (which data, which method, how to round, which form), then exactly one "
        "program between <code> and </code>",
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
        what=f"exactly {_OBJECT}: one short thought and one Python program. Nothing stands before or after it",
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

_LAST_CALL = "One step is left: call final_answer in it."
_FINAL_CALL = "No step is left. Call final_answer, alone, with the answer, as well as what you have seen allows. The task was:\n{task}"

CALLS = Form(
    system=_CALLING.replace("{how}", "each call as one JSON object on lines of its own")
    .replace("{example}", f"\nExample of one step:\nI need the population of Oslo first.\n{CALL}\n")
    .replace("{rule}", 'A call is exactly one JSON object, {"name": ..., "arguments": {...}}.'),
    note=f"Call a tool by writing one JSON object, for example {CALL}. To finish, call final_answer.",
    again=(
        "Your reply calls no tool, so nothing was done. Write a call as one JSON object, for example:\n"
        '{"name": "final_answer", "arguments": {"answer": "the answer"}}'
    ),
    last=_LAST_CALL,
    final=_FINAL_CALL,
)
"""Tools called in text, by models without a protocol for it."""

NATIVE = Form(
    system=_CALLING.replace("{how}", "one call of a tool or several")
    .replace("{example}", "")
    .replace("{rule}", "Call tools as you were taught to, not in your text."),
    note="To finish, call final_answer.",
    again="Your reply calls no tool, so nothing was done. Call one; to finish, call final_answer with the answer.",
    last=_LAST_CALL,
    final=_FINAL_CALL,
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
