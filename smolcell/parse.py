"""The model's reply to a program, an answer, or a reason why it is neither. Pure, total, linear in practice.

The rules this file exists to keep:

* Only marked text is a program: ``<code>…</code>``, a fence, or the ``code`` of a structured reply. Prose never runs,
  however much it looks like Python: a bare ``Done`` or ``42`` is not a program.
* Several blocks are one program, in order.
* A closing mark counts only where what it closes is whole Python, so one inside a string literal closes nothing; an opening
  mark that the thought merely mentions opens nothing.
* Where no reading parses, the plainest one is taken, so that the model sees its own syntax error.
"""

from __future__ import annotations

import ast
import json
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from smolcell.source import tree

NO_PROGRAM = (
    "Your reply holds no code, so nothing was run. Write one Python program between <code> and </code>. "
    "To finish, call final_answer(...) in that program, for example:\n"
    "<code>\nfinal_answer(42)\n</code>"
)
_TRIES = 200  # readings tried per reply: a hostile reply made of tags must not cost minutes
_OPEN = re.compile(r"<code>", re.IGNORECASE)
_CLOSE = re.compile(r"</code>|<end_code>", re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]*(?P<marks>`{3,}|~{3,})[ \t]*(?P<language>[\w.+-]*)[^\n`]*$", re.MULTILINE)
_PYTHON = {"", "py", "python", "python3", "py3", "ipython", "ipython3", "tool_code", "code"}


@dataclass(frozen=True, slots=True)
class Program:
    """Code to propose, and the thought that came before it."""

    text: str
    thought: str = ""


@dataclass(frozen=True, slots=True)
class Final:
    """A structured reply that is the answer itself."""

    output: Any
    thought: str = ""


@dataclass(frozen=True, slots=True)
class NoProgram:
    """Neither; ``reason`` is the instruction the model reads next."""

    reason: str = NO_PROGRAM


@dataclass(frozen=True, slots=True)
class _Block:
    start: int
    end: int
    text: str


@dataclass(slots=True)
class _Budget:
    """How many readings may still be tried."""

    left: int

    def take(self) -> bool:
        self.left -= self.left > 0
        return self.left > 0


def parse(reply: str) -> Program | Final | NoProgram:
    """Read one reply.

    Args:
        reply: the model's whole text; half a reply is the caller's error.
    """
    structured = _structured(reply)
    if structured is not None:
        return structured
    budget = _Budget(_TRIES)
    blocks = list(_tagged(reply, budget)) or list(_fenced(reply, budget))
    text = "\n".join(filter(None, (_clean(block.text) for block in blocks)))
    if not text.strip():
        return NoProgram()
    return Program(text, _thought(reply[: blocks[0].start]))


# --- structured replies ------------------------------------------------------------------------------------------------


def _structured(reply: str) -> Program | Final | NoProgram | None:
    body = re.sub(r"\A\s*```(?:json)?\s*\n|\n\s*```\s*\Z", "", reply).strip()
    if not body.startswith("{"):
        return None
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict):
        return None
    thought = data["thought"] if isinstance(data.get("thought"), str) else ""
    if isinstance(data.get("code"), str):
        return _program_of(data["code"], thought)
    for key in ("final_answer", "answer"):
        if key in data:
            return Final(data[key], thought)
    return NoProgram()


def _program_of(code: str, thought: str) -> Program | NoProgram:
    text = _clean(code)
    return Program(text, thought) if text.strip() else NoProgram()


# --- <code> … </code> --------------------------------------------------------------------------------------------------


def _tagged(reply: str, budget: _Budget) -> Iterator[_Block]:
    position = 0
    while opening := _OPEN.search(reply, position):
        position = opening.end()
        if _mentioned(reply, opening):
            continue
        block = _close_tag(reply, opening, budget)
        if block is not None:
            yield block
            position = block.end


def _close_tag(reply: str, opening: re.Match[str], budget: _Budget) -> _Block | None:
    """The block this tag opens: to the first closing tag that leaves whole Python, else the plainest reading."""
    plain = None
    for closing in _CLOSE.finditer(reply, opening.end()):
        text = reply[opening.end() : closing.start()]
        if _is_program(text, budget):
            return _Block(opening.start(), closing.end(), text)
        if plain is None:
            plain = _Block(opening.start(), closing.end(), text)
    if plain is None:  # never closed: a stop sequence usually ate the tag
        plain = _Block(opening.start(), len(reply), reply[opening.end() :])
    return plain if _stands_alone(reply, opening) else None


def _mentioned(reply: str, opening: re.Match[str]) -> bool:
    return reply[max(0, opening.start() - 1) : opening.start()] in ("`", "'", '"')


def _stands_alone(reply: str, opening: re.Match[str]) -> bool:
    """The tag begins a line or ends one; in the middle of a line it is taken at its word only if what it encloses parses."""
    before = reply[reply.rfind("\n", 0, opening.start()) + 1 : opening.start()]
    return not before.strip() or reply.startswith(("\n", "\r"), opening.end())


# --- fences ------------------------------------------------------------------------------------------------------------


def _fenced(reply: str, budget: _Budget) -> Iterator[_Block]:
    """Blocks marked as Python; unmarked ones beside them only where they parse (they are often sample output)."""
    found = list(_fences(reply, budget))
    marked = any(language for _, language in found)
    for block, language in found:
        if language or not marked or _is_program(block.text, budget):
            yield block


def _fences(reply: str, budget: _Budget) -> Iterator[tuple[_Block, str]]:
    marks = list(_FENCE.finditer(reply))
    index = 0
    while index < len(marks):
        opening = marks[index]
        language = opening["language"].lower()
        closing = _close_fence(reply, marks, index, budget, python=language in _PYTHON)
        end = marks[closing].start() if closing < len(marks) else len(reply)
        if language in _PYTHON:
            yield _Block(opening.start(), end, reply[opening.end() : end]), language
        index = closing + 1


def _close_fence(reply: str, marks: list[re.Match[str]], index: int, budget: _Budget, *, python: bool) -> int:
    """The index of the mark that closes this one: the first bare one that leaves whole Python, else the first bare one."""
    opening, first = marks[index], None
    for place in range(index + 1, len(marks)):
        if marks[place]["language"] or not marks[place]["marks"].startswith(opening["marks"]):
            continue
        first = place if first is None else first
        if not python or _is_program(reply[opening.end() : marks[place].start()], budget):
            return place
        if not budget.left:
            break
    return len(marks) if first is None else first


# --- shared ------------------------------------------------------------------------------------------------------------


def _is_program(text: str, budget: _Budget) -> bool:
    """Whole Python that says something: ``...`` alone is a placeholder in prose."""
    if not budget.take():
        return False
    module = tree(_clean(text))
    return isinstance(module, ast.Module) and any(not _is_ellipsis(node) for node in module.body)


def _is_ellipsis(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is ...


def _clean(text: str) -> str:
    """The block without a fence inside it, common indentation and blank edges."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    inner = re.fullmatch(r"\s*```[\w+-]*[ \t]*\n(.*?)\n?[ \t]*(?:```)?\s*", text, re.DOTALL)
    lines = (inner[1] if inner else text).split("\n")
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    body = "\n".join(lines)
    dedented = textwrap.dedent(body)
    return dedented if dedented != body and isinstance(tree(dedented), ast.Module) else body.strip(" ")


def _thought(before: str) -> str:
    text = re.sub(r"\A\s*Thoughts?:\s*", "", before)
    return re.sub(r"\s*\bCode:\s*\Z", "", text).strip()
