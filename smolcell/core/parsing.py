"""Reads a program or an answer from the model's reply, or says why there is none. Pure, total, linear in practice.

======================================  =====================================================================================
the reply, without its reasoning         what counts
======================================  =====================================================================================
is a JSON object, also in a fence        its ``code``; or its ``final_answer`` or ``answer``, which is an answer
has ``<code>…</code>`` on own lines      these blocks, in order
else has fences of Python                these, in order
else has ``<code>…</code>`` in a line    these blocks, in order
has a line ``Code:`` before a block      the last such block, and those after it; the others are drafts
ends in a bare ``final_answer(…)``       that call
ends in a JSON object, after words       that object, also before ``</code>``
has a block that is not closed           nothing: it was cut off
======================================  =====================================================================================

* Only marked text is a program: ``<code>…</code>``, a fence, or the ``code`` of a structured reply. Prose never runs,
  however much it looks like Python: ``Done`` or ``42`` alone is not a program.
* A JSON object is read whole or not at all: half an object holds no program.
* A block that is not closed is never a program, even if it parses. smolcell sends no stop words that could remove the closing mark, so the
  reply was cut off, even if the server reports a normal end. Beside a closed block, an open one counts only if it has text, and an open
  tag in a sentence only if more than words follow it.
* Several blocks are one program, in order.
* A closing mark counts only if the text before it is whole Python, so that one inside a string literal or a comment closes nothing. A
  mark at the end of a comment closes the block if no later line has text.
* An opening mark that is only mentioned in the thought opens nothing.
* If no reading parses, the simplest one is taken, so that the model sees its own syntax error.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from bisect import bisect_left
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from smolcell.worker.guard.magics import to_python
from smolcell.worker.wire.bounds import clean

# --- Python source to syntax tree, totally: returns a tree or a reason, never raises, and prints no warnings.


# CPython counts the depth of a tree that it builds in one variable for all threads: if another thread parses at the same time, building
# fails with a SystemError that has nothing to do with the text (cpython issue 106905, fixed in later releases).
_SOURCE_TRIES = 5


_MAX_CACHED_CHARS = 50_000  # characters; the trees of larger programs are too large to be cached


def tree(text: str) -> ast.Module | str:
    """Return the syntax tree of ``text``, or one line that says why there is none. Small trees are cached: parser and findings both ask.

    Notebook syntax is read as calls (``worker.guard.magics``).
    Treat the tree as read-only. The code may still fail to compile; top-level ``await`` parses.
    """
    return _cached_tree(text) if len(text) <= _MAX_CACHED_CHARS else _tree(text)


def _tree(text: str) -> ast.Module | str:
    for attempt in range(_SOURCE_TRIES):
        try:
            return _compile(text)
        except SyntaxError as error:
            return f"line {error.lineno or 0}: {error.msg}"
        except (ValueError, RecursionError, MemoryError, OverflowError) as error:  # NUL bytes, surrogates, deep nesting
            return f"{type(error).__name__}: {error}"
        except SystemError as error:
            if attempt == _SOURCE_TRIES - 1:
                return f"{type(error).__name__}: {error}"
    raise AssertionError("unreachable")


_cached_tree = lru_cache(maxsize=8)(_tree)


def _compile(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # no warnings about the agent's code on the host's stderr
        flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        module: ast.Module = compile(to_python(text), "<agent>", "exec", flags)
        return module


# --- Reading a reply.


_MAX_READINGS = 100  # readings tried per reply: a hostile reply full of tags must not take minutes
_OPEN = re.compile(r"<code>", re.IGNORECASE)
_CLOSE = re.compile(r"</code\s{0,3}>|<end_code>", re.IGNORECASE)
_LANGUAGE = re.compile(r"(?:python3?|py3?)[ \t]*", re.IGNORECASE)
# Possessive quantifiers, so that a line is read once: none of them can backtrack.
_FENCE = re.compile(r"^[ \t]*+(?P<marks>`{3,}+|~{3,}+)[ \t]*+(?P<language>[\w.+-]*+)[^\n`]*+$", re.MULTILINE)
_HALF_OBJECT = re.compile(r'\{\s*+"(?:thoughts?|code|final_answer|answer)"\s*+:')
_MAX_OBJECT_CHARS = 1_000_000
_Spans = list[tuple[int, int]]  # starts and ends in a reply, in order
_PYTHON = {"", "py", "python", "python3", "py3", "ipython", "ipython3", "tool_code", "code"}


@dataclass(frozen=True, slots=True)
class ProgramReply:
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
    """A reply with neither. ``cut_off``: there was a program without its end."""

    cut_off: bool = False


@dataclass(frozen=True, slots=True)
class _Block:
    start: int
    end: int
    text: str
    whole: bool = True  # the text parses
    closed: bool = True


@dataclass(slots=True)
class _Budget:
    """How many readings, and how many characters in all, may still be tried."""

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


def parse(reply: str, *, structured: bool = False) -> ProgramReply | Final | NoProgram:
    """Read one reply.

    Args:
        reply: the model's whole text, not a part of it.
        structured: the model was asked for a JSON object, so only that is a program.
    """
    read = _parse_object(_unfenced_json(reply))
    if isinstance(read, NoProgram) or (structured and read is None):
        read = _parse_object(_object_at_end(reply)) or read
    if structured:
        return NoProgram() if read is None else read
    if read is not None:
        return read
    budget = _Budget(_MAX_READINGS, 2 * len(reply) + 100_000)
    tagged = list(_tagged_blocks(reply, budget))
    candidates = [block for block in tagged if not _is_aside(reply, block)]
    standing = [block for block in candidates if _stands_out(reply, block)]
    found = standing or list(_fenced_blocks(reply, budget)) or candidates
    blocks = [block for block in found if not _is_aside(reply, block)]
    whole = any(block.closed and block.text.strip() for block in blocks)
    if not all(block.closed for block in ((*candidates, *blocks) if whole else (*tagged, *found))):
        return NoProgram(cut_off=True)
    blocks = blocks[_first_meant(reply, blocks) :]
    text = "\n".join(filter(None, (_clean(block.text) for block in blocks)))
    if not text.strip():
        read = _bare_answer(reply) or _parse_object(_object_at_end(reply))
        return NoProgram() if read is None else read
    return ProgramReply(text, _thought(reply[: blocks[0].start]))


def _first_meant(reply: str, blocks: Sequence[_Block]) -> int:
    """Return the number of the last block right after a line ``Code:``; what is before it are drafts. 0 if there is none."""
    before = (f"\n{reply[max(0, block.start - _MAX_LABEL_CHARS) : block.start]}".rstrip() for block in blocks)
    return max((number for number, text in enumerate(before) if _LABEL.search(text)), default=0)


_LABEL = re.compile(r"\n[ \t]*Code:\Z")
_MAX_LABEL_CHARS = 64  # characters before a block in which its label stands
_BARE = re.compile(r"^final_answer\(", re.MULTILINE)


def _bare_answer(reply: str) -> ProgramReply | None:
    """Return the call of ``final_answer`` that ends a reply without marks, begins a line and is alone there."""
    place = next((match.start() for match in _BARE.finditer(reply)), None)
    module = tree(reply[place:].strip()) if place is not None else ""
    is_call = isinstance(module, ast.Module) and len(module.body) == 1 and isinstance(module.body[0], ast.Expr)
    return ProgramReply(reply[place:].strip(), _thought(reply[:place])) if is_call else None


def program_end(reply: str, start: int = 0) -> int | None:
    """Return where an unfinished reply has its whole program: the end of the first closing tag that closes one; None if it has not.

    A model that writes on after that tag invents the answers of its environment. A tag inside a line counts only if the text that it
    closes is whole Python; a tag on a line of its own also if that has another mistake than an open string.

    Args:
        reply: the text so far.
        start: closing tags that end at or before this position were checked already.
    """
    for closing in _CLOSE.finditer(reply, max(0, start - 2 * len("<end_code>"))):
        if closing.end() <= start or _is_mention(reply, closing.start()):
            continue
        opening = next(
            (o for o in _OPEN.finditer(reply, 0, closing.start()) if not _is_mention(reply, o.start())), None
        )
        if opening is None:
            continue
        text = reply[opening.end() : closing.start()]
        if not (_begins_line(reply, opening.start()) or "\n" in text):
            continue  # words of a sentence, after which the program may come
        own_line = _begins_line(reply, closing.start()) and bool(text.strip()) and not _in_open_text(text)
        if own_line or (_is_program(text, _Budget(1, len(text))) and not _ends_in_comment(text)):
            return closing.end()
    return None


# --- reasoning ---------------------------------------------------------------------------------------------------------

REASONING = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",
    "<reasoning>": "</reasoning>",
    "<seed:think>": "</seed:think>",
    "[THINK]": "[/THINK]",
    "<|begin_of_thought|>": "<|end_of_thought|>",
    "<|channel|>analysis<|message|>": "<|channel|>final<|message|>",
}
"""Marks between which models reason in their text, as they come from servers that do not separate it."""
_OPENS = re.compile("|".join(map(re.escape, REASONING)))
REASONED = re.compile("|".join(map(re.escape, REASONING.values())))
_CHANNELS = re.compile(r"<\|(?:end|return|start)\|>(?:assistant)?")


_CLOSING = re.compile(r"</code|<end_code", re.IGNORECASE)
_MAX_MARK_CHARS = 32  # characters of a mark
_MAX_LOOKS = 64  # closing marks that are looked at in a reply that grows; one with more is read whole


class ProgramEnd:
    """Finds where a reply has its whole program while it grows. A program before the end of reasoning is a draft.

    Args:
        reasons: the reply goes on with reasoning that began in the prompt.

    Attributes:
        begin: where the text begins, after reasoning.
        end: where the program ends; None if it has not.
    """

    def __init__(self, *, reasons: bool = False) -> None:
        self.begin = 0
        self.end: int | None = None
        self._reasons = reasons
        self._pieces: list[str] = []
        self._tail, self._looks = "", 0  # the newest characters

    def add(self, piece: str) -> bool:
        """Add the next piece. Returns whether the end is another one now."""
        self._pieces.append(piece)
        self._tail = (self._tail + piece)[-len(piece) - _MAX_MARK_CHARS :]
        closes = self.end is None and self._looks < _MAX_LOOKS and _CLOSING.search(self._tail) is not None
        self._looks += closes
        if not (closes or REASONED.search(self._tail)):
            return False
        text, before = "".join(self._pieces), self.end
        if not self.begin and (self._reasons or text.lstrip().startswith(tuple(REASONING))):
            if reasoned := REASONED.search(text):
                self._find(text, reasoned.end())
        elif closes:
            self._find(text, self.begin, len(text) - len(piece))
        while self.end is not None and (reasoned := REASONED.search(text, self.end)):
            self._find(text, reasoned.end())
        return self.end != before

    def _find(self, text: str, begin: int, start: int = 0) -> None:
        end = program_end(text[begin:], max(0, start - begin))
        self.begin, self.end = begin, None if end is None else begin + end


def part(text: str) -> tuple[str, str]:
    """Split a whole reply into its reasoning, which never holds the program, and the rest.

    An end without a beginning belongs to one in the model's prompt. A mark within a program is text, and so is a beginning in a sentence
    that has no end.
    """
    if (REASONED.search(text) is None and not text.lstrip().startswith(tuple(REASONING))) or _is_object(text):
        return "", text
    budget = _Budget(_MAX_READINGS, 2 * len(text) + 100_000)
    blocks = [block for block in (*_tagged_blocks(text, budget), *_fenced_blocks(text, budget)) if block.closed]
    programs = [(block.start, block.end) for block in blocks if _is_program(block.text, budget)]
    thought: list[str] = []
    said: list[str] = []
    at, end = 0, ""
    for mark in sorted([*_OPENS.finditer(text), *REASONED.finditer(text)], key=lambda mark: mark.start()):
        if any(first <= mark.start() < last for first, last in programs) or _is_mention(text, mark.start()):
            continue
        before = text[at : mark.start()]
        if mark[0] in REASONING and not end and (not before.strip() or REASONING[mark[0]] in text[mark.end() :]):
            said.append(before)
            at, end = mark.end(), REASONING[mark[0]]
        elif mark[0] not in REASONING and end in ("", mark[0]):
            thought += [before] if end else [*said, before]
            said, at, end = said if end else [], mark.end(), ""
    (thought if end else said).append(text[at:])
    return tuple(_CHANNELS.sub("", "".join(parts)) if "<|" in text else "".join(parts) for parts in (thought, said))  # type: ignore[return-value]


# --- structured replies ------------------------------------------------------------------------------------------------


def _is_object(text: str) -> bool:
    """Return whether a text is one JSON object, whose texts may hold any mark."""
    return text.lstrip().startswith("{") and _parse_object(text.strip()) not in (None, NoProgram())


def _parse_object(body: str) -> ProgramReply | Final | NoProgram | None:
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
        text = _clean(data["code"])
        return ProgramReply(text, thought) if text.strip() else NoProgram()
    for key in ("final_answer", "answer"):
        if key in data:
            return Final(data[key], thought)
    return NoProgram()


def _unfenced_json(reply: str) -> str:
    body = reply.strip()
    first, _, rest = body.partition("\n")
    return rest.removesuffix("```").strip() if first.rstrip().lower() in ("```", "```json") else body


def _object_at_end(reply: str) -> str:
    """Return the object that ends a reply, after words and before closing marks; "" if there is none."""
    body, before = reply[-_MAX_OBJECT_CHARS:].rstrip(), ""
    while body != before:
        before, body = body, body.removesuffix("```").rstrip()
        if closing := _CLOSE.search(body, max(0, len(body) - len("</code   >"))):
            body = body[: closing.start()].rstrip() if closing.end() == len(body) else body
    begun = _HALF_OBJECT.search(body)
    return body[begun.start() :] if begun else ""


# --- <code> … </code> --------------------------------------------------------------------------------------------------


def _tagged_blocks(reply: str, budget: _Budget) -> Iterator[_Block]:
    openings = [opening for opening in _OPEN.finditer(reply) if not _is_mention(reply, opening.start())]
    closings = [closing.span() for closing in _CLOSE.finditer(reply)]
    fences = [fence.span() for fence in _FENCE.finditer(reply) if not fence["language"]] if openings else []
    position = 0
    for place, opening in enumerate(openings):
        if opening.start() < position:
            continue
        block = _close_tag(reply, opening, closings, fences, budget)
        if block is None:
            continue
        following = openings[place + 1] if place + 1 < len(openings) else None
        if not block.whole and following is not None and following.start() < block.end:
            between = reply[opening.end() : following.start()]
            inner = _close_tag(reply, following, closings, fences, budget)
            if inner is not None and inner.whole and not _is_program(between, budget):
                continue  # a thought that mentions the tag before it uses it
        yield block
        position = block.end


def _close_tag(reply: str, opening: re.Match[str], closings: _Spans, fences: _Spans, budget: _Budget) -> _Block | None:
    """Return the block that this tag opens: up to the first closing tag that leaves whole Python, else the simplest reading.

    In the middle of a line a tag counts only if the text inside parses. A block without a closing tag goes to the end of the reply.
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
    if plain is None and (fence := _fence_after(reply, body, fences, budget)):
        return _Block(start, fence[1], reply[body : fence[0]])
    if plain is not None and plain.whole:
        return plain if _ends_reply(reply, plain) else _Block(start, len(reply), reply[body:], closed=False)
    if not budget.spent and _is_program(reply[body:], budget):  # all closing tags are in string literals
        return _Block(start, len(reply), reply[body:], closed=False)
    if not (_begins_line(reply, start) or reply.startswith(("\n", "\r"), body)):
        return None
    plain = plain or _Block(start, len(reply), reply[body:], whole=False, closed=False)
    if plain.closed and budget.take(plain.text) and _ends_in_string(plain.text):
        plain = replace(plain, closed=False)
    return None if plain.text.strip() == "..." else plain


def _fence_after(reply: str, body: int, fences: _Spans, budget: _Budget) -> tuple[int, int] | None:
    """Return the bare fence that closes a tag by mistake: what is before it is a whole program."""
    if _FENCE.match(reply[body : body + 200].lstrip("\r\n")):
        return None
    for place in range(bisect_left(fences, (body, body)), len(fences)):
        if budget.spent:
            break
        if _is_program(reply[body : fences[place][0]], budget):
            return fences[place]
    return None


def _is_mention(reply: str, start: int) -> bool:
    return reply[max(0, start - 1) : start] in ("`", "'", '"')


def _stands_out(reply: str, block: _Block) -> bool:
    """Return whether a block is not part of a sentence: its tag begins a line, or it has several lines."""
    return _begins_line(reply, block.start) or "\n" in block.text


def _begins_line(reply: str, start: int) -> bool:
    while start > 0 and reply[start - 1] in " \t":
        start -= 1
    return start == 0 or reply[start - 1] in "\n\r"


def _is_aside(reply: str, block: _Block) -> bool:
    """Return whether an open block holds no code: it is blank, or its tag is a word of a sentence that ends with the reply."""
    if block.closed:
        return False
    words = block.text.startswith(" ") and not _stands_out(reply, block) and not _acts(block.text)
    return words or not block.text.strip()


def _ends_reply(reply: str, block: _Block) -> bool:
    """Return whether a closing tag at the end of a comment really closes its block.

    It does if no later line has text, and the rest of its line is blank, too (unless the whole block is in that line). Otherwise the tag
    may be a word of the comment.
    """
    line, _, more = reply[block.end :].partition("\n")
    return not more.strip() and ("\n" not in block.text or not line.strip())


def _ends_in_string(text: str) -> bool:
    """Return whether the last line ends inside a string literal: then a closing tag there may be part of it."""
    source = _clean(text)
    problem = tree(source)
    last = source.count("\n") + 1
    if isinstance(problem, ast.Module) or not problem.startswith(f"line {last}: unterminated "):
        return False
    is_next_line = text.rstrip(" \t").endswith("\n")  # where only a triple-quoted literal goes on
    return not is_next_line or "triple-quoted" in problem


def _in_open_text(text: str) -> bool:
    """Return whether a text ends inside a string literal, also of several lines."""
    problem = tree(_clean(text))
    return isinstance(problem, str) and ("unterminated triple-quoted" in problem or _ends_in_string(text))


def _ends_in_comment(text: str) -> bool:
    """Return whether the last line ends inside a comment: then a closing tag there may be part of it."""
    last = text[text.rfind("\n") + 1 :]
    return "#" in last and isinstance(tree(_clean(text) + " )"), ast.Module)


# --- fences ------------------------------------------------------------------------------------------------------------


def _fenced_blocks(reply: str, budget: _Budget) -> Iterator[_Block]:
    """Yield blocks marked as Python; unmarked ones beside them only if they do something (they are often sample output).

    An unclosed block counts as doing something, unless it is whole Python that does not.
    """
    fences = list(_fences(reply, budget))
    marked = any(language for _, language in fences)
    for block, language in fences:
        if language or not marked or (_acts(block.text) if _is_program(block.text, budget) else not block.closed):
            yield block


def _fences(reply: str, budget: _Budget) -> Iterator[tuple[_Block, str]]:
    marks = list(_FENCE.finditer(reply))
    index = 0
    while index < len(marks):
        opening = marks[index]
        language = opening["language"].lower()
        closing = _close_fence(reply, marks, index, budget, python=language in _PYTHON)
        end = marks[closing].start() if closing < len(marks) else len(reply)
        is_closed = closing < len(marks)
        if language in _PYTHON and not is_closed:
            tags = (tag for tag in _CLOSE.finditer(reply, opening.end()) if _begins_line(reply, tag.start()))
            by_tag = next((tag for tag in tags if _is_program(reply[opening.end() : tag.start()], budget)), None)
            is_closed, end = (True, by_tag.start()) if by_tag else (False, end)
        if language in _PYTHON:
            yield _Block(opening.start(), end, reply[opening.end() : end], closed=is_closed), language
        index = closing + 1


def _close_fence(reply: str, marks: list[re.Match[str]], index: int, budget: _Budget, *, python: bool) -> int:
    """Return the index of the closing mark: the first bare one that leaves whole Python, else the first bare one."""
    opening, first = marks[index], None
    for place in range(index + 1, len(marks)):
        if marks[place]["language"] or not marks[place]["marks"].startswith(opening["marks"]):
            continue
        first = place if first is None else first
        if not python or _is_program(reply[opening.end() : marks[place].start()], budget):
            return place
        if budget.spent:
            break
    if first is None or _is_program(reply[opening.end() :], budget):  # all bare marks are inside string literals
        return len(marks)
    return first


# --- shared ------------------------------------------------------------------------------------------------------------


def _is_program(text: str, budget: _Budget) -> bool:
    """Return whether a text is whole Python that does something: ``...`` alone is a placeholder in prose."""
    if not budget.take(text):
        return False
    module = tree(_clean(text))
    return isinstance(module, ast.Module) and any(not _is_ellipsis(node) for node in module.body)


def _is_ellipsis(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is ...


def _acts(text: str) -> bool:
    """Return whether a program is more than names and values, such as the output ``42`` or ``Done``."""
    module = tree(_clean(text))
    nodes = ast.walk(module) if isinstance(module, ast.Module) else ()
    return any(isinstance(node, ast.Call | ast.stmt) and not isinstance(node, ast.Expr) for node in nodes)


def _clean(text: str) -> str:
    """Return the block without a fence inside it, common indentation, blank edges and lone surrogates, which are no Python."""
    lines = _trim(clean(text).replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    if lines and (opening := _FENCE.fullmatch(lines[0])):
        lines = _trim(lines[1:-1] if lines[-1].strip() == opening["marks"] else lines[1:])
    if len(lines) > 1 and _LANGUAGE.fullmatch(lines[0]):
        lines = _trim(lines[1:])
    first = lines[0] if lines else ""
    margin = first[: len(first) - len(first.lstrip(" \t"))]
    if margin and all(line.startswith(margin) or not line.strip() for line in lines):
        lines = [line.removeprefix(margin) for line in lines]
    return "\n".join(lines).strip(" ")


def _trim(lines: list[str]) -> list[str]:
    """Return the lines without blank ones at either end."""
    filled = [place for place, line in enumerate(lines) if line.strip()]
    return lines[filled[0] : filled[-1] + 1] if filled else []


def _thought(before: str) -> str:
    text = re.sub(r"\A\s*Thoughts?:\s*", "", before).strip()
    return re.sub(r"(?<!\w)Code:\Z", "", text).strip()


# --- A structured reply while it is written.


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
