"""The model's reply to a program, an answer, or a reason why it is neither. Pure, total, linear in practice.

The rules this file exists to keep:

* Only marked text is a program: ``<code>…</code>``, a fence, or the ``code`` of a structured reply. Prose never runs,
  however much it looks like Python: a bare ``Done`` or ``42`` is not a program.
* A JSON object is read whole or not at all: of half an object, nothing is a program.
* Several blocks are one program, in order.
* A closing mark counts only where what it closes is whole Python, so one inside a string literal or a comment closes nothing;
  an opening mark that the thought merely mentions opens nothing.
* Where no reading parses, the plainest one is taken, so that the model sees its own syntax error.
"""

from __future__ import annotations

import ast
import json
import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from smolcell.forms import JSON, TEXT
from smolcell.source import tree

NO_PROGRAM, NO_OBJECT = TEXT.again, JSON.again
_TRIES = 100  # readings tried per reply: a hostile reply made of tags must not cost minutes
_OPEN = re.compile(r"<code>", re.IGNORECASE)
_CLOSE = re.compile(r"</code>|<end_code>", re.IGNORECASE)
# Possessive, so that a line is read once: none of these can take back what it took.
_FENCE = re.compile(r"^[ \t]*+(?P<marks>`{3,}+|~{3,}+)[ \t]*+(?P<language>[\w.+-]*+)[^\n`]*+$", re.MULTILINE)
_HALF_OBJECT = re.compile(r'\{\s*+"(?:thoughts?|code|final_answer|answer)"\s*+:')
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
    whole: bool = True  # it is Python as it stands


@dataclass(slots=True)
class _Budget:
    """How many readings, and how many characters of them, may still be tried."""

    tries: int
    characters: int

    @property
    def spent(self) -> bool:
        return self.tries <= 0 or self.characters <= 0

    def take(self, text: str) -> bool:
        if self.spent:
            return False
        self.tries -= 1
        self.characters -= len(text)
        return True


def parse(reply: str, *, structured: bool = False) -> Program | Final | NoProgram:
    """Read one reply.

    Args:
        reply: the model's whole text; half a reply is the caller's error.
        structured: the model was asked for a JSON object, so that nothing else is a program.
    """
    read = _structured(reply)
    if structured:
        return NoProgram(NO_OBJECT) if read is None or isinstance(read, NoProgram) else read
    if read is not None:
        return read
    budget = _Budget(_TRIES, 2 * len(reply) + 100_000)
    tagged = list(_tagged(reply, budget))
    standing = [block for block in tagged if _stands_out(reply, block)]
    blocks = standing or list(_fenced(reply, budget)) or tagged
    text = "\n".join(filter(None, (_clean(block.text) for block in blocks)))
    if not text.strip():
        return NoProgram()
    return Program(text, _thought(reply[: blocks[0].start]))


def program_end(reply: str, start: int = 0) -> int | None:
    """Where a reply that is still being written has its whole program: the end of the first closing tag that closes one.

    A model that writes on after that tag is inventing the other side of the conversation. A tag inside a line counts only where
    what it closes is whole Python; one that is a line of its own always does.

    Args:
        reply: what there is so far.
        start: closing tags that end at or before this were looked at already.
    """
    for closing in _CLOSE.finditer(reply, max(0, start - 2 * len("<end_code>"))):
        if closing.end() <= start or _mentioned(reply, closing.start()):
            continue
        body = next(
            (o.end() for o in _OPEN.finditer(reply, 0, closing.start()) if not _mentioned(reply, o.start())), None
        )
        if body is None:
            continue
        text = reply[body : closing.start()]
        own_line = _begins_line(reply, closing.start()) and bool(text.strip())
        if own_line or (_is_program(text, _Budget(1, len(text))) and not _ends_in_comment(text)):
            return closing.end()
    return None


# --- structured replies ------------------------------------------------------------------------------------------------


def _structured(reply: str) -> Program | Final | NoProgram | None:
    body = _unfenced_json(reply)
    if not body.startswith("{"):
        return None
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return NoProgram() if _HALF_OBJECT.match(body) else None
    if not isinstance(data, dict):
        return None
    thought = data["thought"] if isinstance(data.get("thought"), str) else ""
    if isinstance(data.get("code"), str):
        return _program_of(data["code"], thought)
    for key in ("final_answer", "answer"):
        if key in data:
            return Final(data[key], thought)
    return NoProgram()


def _unfenced_json(reply: str) -> str:
    body = reply.strip()
    first, _, rest = body.partition("\n")
    return rest.removesuffix("```").strip() if first.rstrip().lower() in ("```", "```json") else body


def _program_of(code: str, thought: str) -> Program | NoProgram:
    text = _clean(code)
    return Program(text, thought) if text.strip() else NoProgram()


# --- <code> … </code> --------------------------------------------------------------------------------------------------


def _tagged(reply: str, budget: _Budget) -> Iterator[_Block]:
    openings = [opening for opening in _OPEN.finditer(reply) if not _mentioned(reply, opening.start())]
    closings = [closing.span() for closing in _CLOSE.finditer(reply)]
    position = 0
    for place, opening in enumerate(openings):
        if opening.start() < position:
            continue
        block = _close_tag(reply, opening, closings, budget)
        if block is None:
            continue
        following = openings[place + 1] if place + 1 < len(openings) else None
        if not block.whole and following is not None and following.start() < block.end:
            between = reply[opening.end() : following.start()]
            inner = _close_tag(reply, following, closings, budget)
            if inner is not None and inner.whole and not _is_program(between, budget):
                continue  # a thought that mentions the tag, and then uses it
        yield block
        position = block.end


def _close_tag(reply: str, opening: re.Match[str], closings: list[tuple[int, int]], budget: _Budget) -> _Block | None:
    """The block this tag opens: to the first closing tag that leaves whole Python, else the plainest reading.

    In the middle of a line a tag is taken at its word only if what it encloses parses.
    """
    start, body = opening.span()
    plain: _Block | None = None
    for place in range(bisect_left(closings, (body, body)), len(closings)):
        end, after = closings[place]
        text = reply[body:end]
        program = _is_program(text, budget)
        if program and not _ends_in_comment(text):
            return _Block(start, after, text)
        plain = plain or _Block(start, after, text, whole=program)
        if budget.spent:
            break
    if plain is not None and plain.whole:
        return plain
    if not budget.spent and _is_program(reply[body:], budget):  # never closed: a stop sequence usually eats the tag
        return _Block(start, len(reply), reply[body:])
    if not (_begins_line(reply, start) or reply.startswith(("\n", "\r"), body)):
        return None
    plain = plain or _Block(start, len(reply), reply[body:], whole=False)
    return None if plain.text.strip() == "..." else plain


def _mentioned(reply: str, start: int) -> bool:
    return reply[max(0, start - 1) : start] in ("`", "'", '"')


def _stands_out(reply: str, block: _Block) -> bool:
    """It is no part of a sentence: its tag begins a line, or it is more than one line."""
    return _begins_line(reply, block.start) or "\n" in block.text


def _begins_line(reply: str, start: int) -> bool:
    while start > 0 and reply[start - 1] in " \t":
        start -= 1
    return start == 0 or reply[start - 1] in "\n\r"


def _ends_in_comment(text: str) -> bool:
    """Whether more on the last line would still be comment: then a closing tag there may be a part of it."""
    last = text[text.rfind("\n") + 1 :]
    return "#" in last and isinstance(tree(_clean(text) + " )"), ast.Module)


# --- fences ------------------------------------------------------------------------------------------------------------


def _fenced(reply: str, budget: _Budget) -> Iterator[_Block]:
    """Blocks marked as Python; unmarked ones beside them only where they do something (they are often sample output)."""
    found = list(_fences(reply, budget))
    marked = any(language for _, language in found)
    for block, language in found:
        if language or not marked or (_is_program(block.text, budget) and _acts(block.text)):
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
        if budget.spent:
            break
    if first is None or _is_program(reply[opening.end() :], budget):  # every bare mark is inside a string literal
        return len(marks)
    return first


# --- shared ------------------------------------------------------------------------------------------------------------


def _is_program(text: str, budget: _Budget) -> bool:
    """Whole Python that says something: ``...`` alone is a placeholder in prose."""
    if not budget.take(text):
        return False
    module = tree(_clean(text))
    return isinstance(module, ast.Module) and any(not _is_ellipsis(node) for node in module.body)


def _is_ellipsis(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is ...


def _acts(text: str) -> bool:
    """Whether it is more than words and values, such as the output ``42`` or ``Done``."""
    module = tree(_clean(text))
    nodes = ast.walk(module) if isinstance(module, ast.Module) else ()
    return any(isinstance(node, ast.Call | ast.stmt) and not isinstance(node, ast.Expr) for node in nodes)


def _clean(text: str) -> str:
    """The block without a fence inside it, common indentation and blank edges."""
    lines = _trimmed(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    if lines and (opening := _FENCE.fullmatch(lines[0])):
        lines = _trimmed(lines[1:-1] if lines[-1].strip() == opening["marks"] else lines[1:])
    first = lines[0] if lines else ""
    margin = first[: len(first) - len(first.lstrip(" \t"))]
    if margin and all(line.startswith(margin) or not line.strip() for line in lines):
        lines = [line.removeprefix(margin) for line in lines]
    return "\n".join(lines).strip(" ")


def _trimmed(lines: list[str]) -> list[str]:
    """Without blank lines at either end."""
    said = [place for place, line in enumerate(lines) if line.strip()]
    return lines[said[0] : said[-1] + 1] if said else []


def _thought(before: str) -> str:
    text = re.sub(r"\A\s*Thoughts?:\s*", "", before).strip()
    return re.sub(r"(?<!\w)Code:\Z", "", text).strip()
