"""Fixes a failing cell: finds the variables that it uses, and code that ran in the sandbox to replace it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Any

from smolcell.errors import CapabilityError
from smolcell.events import Allowed, Answered, Event, Observed

TARGET = "smolcell.fix"
"""The comm by which a page asks which variables a cell uses."""

MAX_SOURCE_CHARS = 200_000  # characters of a cell
MAX_VARIABLES = 20
_BLOCK = re.compile(
    r"^(?P<fence>`{3,})(?:python|py|ipython)?[ \t]*\n(?P<code>.*?)^(?P=fence)`*[ \t]*$", re.DOTALL | re.MULTILINE
)
_NOT_RUN = "the agent did not run exactly this code, so it cannot replace the cell"


def used_by(source: Any, shell: Any) -> list[str]:
    """Return the notebook's variables that a cell uses and that can be copied into a sandbox, in the order of their first use.

    Args:
        source: the cell's text, as a page sent it.
        shell: IPython's shell.
    """
    program = _parsed(source, shell)
    if program is None:
        return []
    namespace, hidden = shell.user_ns, shell.user_ns_hidden
    names = sorted(
        (node for node in ast.walk(program) if isinstance(node, ast.Name)),
        key=lambda node: (node.lineno, node.col_offset),
    )
    mentioned = dict.fromkeys(node.id for node in names)
    own = [name for name in mentioned if name in namespace and name not in hidden and not name.startswith("_")]
    return [name for name in own if _crosses(name, namespace[name])][:MAX_VARIABLES]


def _crosses(name: str, value: Any) -> bool:
    """Return whether a value can be copied into a sandbox; modules, functions and classes cannot."""
    from smolcell.executors.values import encode_variables

    if isinstance(value, ModuleType) or callable(value):
        return False
    try:
        encode_variables({name: value}, arrow=True)
    except CapabilityError:
        return False
    return True


def verified(events: Sequence[Event], shell: Any) -> dict[str, str]:
    """Return the last block of Python in a run's answer, if one of its steps ran exactly these statements without an error.

    Returns:
        ``code``, and ``why``: the reason if ``code`` is "".
    """
    answer = next((event for event in reversed(events) if isinstance(event, Answered)), None)
    if answer is None:
        return {"code": "", "why": "the run has no answer"}
    code = _code_of(answer.text)
    wanted = _statements(code, shell)
    if not wanted:
        return {"code": "", "why": "the answer holds no Python code"}
    if not any(_holds(_statements(text, shell), wanted) for text in _ran(events)):
        return {"code": "", "why": _NOT_RUN}
    return {"code": code, "why": ""}


def _code_of(answer: str) -> str:
    blocks = [match["code"] for match in _BLOCK.finditer(answer)]
    return (blocks[-1] if blocks else answer).strip("\n")


def _ran(events: Iterable[Event]) -> list[str]:
    """Return the programs that ran without an error."""
    texts = {event.step: event.text for event in events if isinstance(event, Allowed) and event.kind == "code"}
    done = [event.step for event in events if isinstance(event, Observed) and event.error is None and not event.call]
    return [texts[step] for step in done if step in texts]


def _holds(program: Sequence[str], wanted: Sequence[str]) -> bool:
    """Return whether a program contains these statements, one after the other. Code within a string does not count."""
    size = len(wanted)
    return any(program[at : at + size] == wanted for at in range(len(program) - size + 1))


def _statements(source: str, shell: Any) -> list[str]:
    program = _parsed(source, shell)
    return [] if program is None else [ast.dump(statement) for statement in program.body]


def _parsed(source: Any, shell: Any) -> ast.Module | None:
    """Return a cell's program, with magics as the calls that IPython makes of them; None if it is no program."""
    if not isinstance(source, str) or len(source) > MAX_SOURCE_CHARS:
        return None
    try:
        text = shell.input_transformer_manager.transform_cell(source)
        program = compile(text, "<cell>", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return program if isinstance(program, ast.Module) else None
