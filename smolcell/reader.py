"""What a call that a model makes comes to: looked up among the tools, checked, and written as a person reads it.

Nothing runs here. What is proposed is read back from the permit's text, after a person's edits.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from smolcell.errors import AgentToolCallError
from smolcell.events import Allowed, Call
from smolcell.tools import written
from smolcell.tools.default import PythonInterpreterTool
from smolcell.tools.tool import Tool
from smolcell.wanted import FINAL, Wanted, arguments

FINAL_SCHEMA: Mapping[str, Any] = {
    "type": "function",
    "function": {
        "name": FINAL,
        "description": "Ends the task with its answer.",
        "parameters": {
            "type": "object",
            "properties": {"answer": {"description": "the answer to the task, of any type"}},
            "required": ["answer"],
        },
    },
}
FINAL_WORDS = (
    f"{FINAL}: Ends the task with its answer.\n    Takes inputs: {{'answer': {{'type': 'any'}}}}\n    Returns: any"
)


class CallReader:
    """Reads the calls of one run.

    Args:
        tools: by their names.
        variables: values that an argument may name.
    """

    def __init__(self, tools: Mapping[str, Tool], variables: Mapping[str, Any]) -> None:
        self._tools, self._variables = tools, variables
        self._held: dict[tuple[int, int], tuple[Tool, dict[str, Any]]] = {}

    def __call__(self, call: Call, step: int, number: int) -> Wanted:
        """What to propose, the answer, or why it is neither."""
        tool = self._tools.get(call.name)
        try:
            if tool is not None:
                return self._wanted(tool, call, step, number)
            if call.name == FINAL:
                return Wanted(answer=(self._named(_answer(call)),))
        except (AgentToolCallError, ValueError) as error:
            return Wanted(error=str(error))
        names = ", ".join(dict.fromkeys([*self._tools, FINAL]))
        return Wanted(error=f"there is no tool {call.name[:100]!r}; tools are: {names}")

    def read(self, permit: Allowed) -> tuple[Tool, tuple[Any, ...], dict[str, Any]]:
        """The tool and the arguments of a call that was allowed.

        Raises:
            AgentToolCallError: an edit left no call of this tool.
        """
        tool, held = self._held.pop((permit.step, permit.call))
        return tool, *written.read(permit.text, tool, held)

    def _wanted(self, tool: Tool, call: Call, step: int, number: int) -> Wanted:
        given = _given(tool, call)
        if isinstance(tool, PythonInterpreterTool):  # a program, not the name of a variable: that is there as one
            tool.check((), given)
            return Wanted(kind="code", text=given["code"])
        given = {name: self._named(value) for name, value in given.items()}
        tool.check((), given)
        text, held = written.write(tool, (), given)
        self._held[step, number] = tool, held
        return Wanted(text=text)

    def _named(self, value: Any) -> Any:
        return self._variables.get(value, value) if isinstance(value, str) else value


def _given(tool: Tool, call: Call) -> dict[str, Any]:
    """The arguments; a tool with one input may be given its value alone."""
    try:
        return arguments(call)
    except ValueError:
        if len(tool.inputs) != 1 or call.arguments.lstrip().startswith(("{", "[")):
            raise
        return {next(iter(tool.inputs)): _value(call.arguments)}


def _answer(call: Call) -> Any:
    given = _value(call.arguments)
    if not isinstance(given, dict):
        return given
    for name in ("answer", FINAL):
        if name in given:
            return given[name]
    return next(iter(given.values())) if len(given) == 1 else given


def _value(text: str) -> Any:
    """The JSON that it is, else the text itself."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
