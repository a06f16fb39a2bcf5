"""Rewrites notebook syntax (``!cmd``, ``x = !cmd``, ``%magic``, ``%%magic``) as Python calls.

* A text that is valid Python is returned unchanged.
* Each statement stays on its line: line numbers are those of the approved text.
* Only the start of a statement is notebook syntax, never the inside of a string or of brackets.
* The host and the sandbox both use this function, so that findings describe the program that runs.
"""

from __future__ import annotations

import ast
import re
import warnings
from typing import Callable, NamedTuple

PREFIX = "_notebook_"
SHELL, LINES, SCRIPT = PREFIX + "shell", PREFIX + "lines", PREFIX + "script"
INSTALL, NOTE, UNKNOWN = PREFIX + "install", PREFIX + "note", PREFIX + "unknown"
TIME, TIMED, TIME_STEP, TIMEIT, LOOP = (PREFIX + name for name in ("time", "timed", "time_step", "timeit", "loop"))
PROCESSES = frozenset({SHELL, LINES, SCRIPT})

SHELLS = {"bash": "bash", "sh": "sh"}
IGNORED = frozenset("matplotlib config load_ext reload_ext autoreload".split())
INSTALLERS = frozenset("pip conda mamba uv".split())
MAX_TARGET = 300  # maximum characters before "= !"

_MAYBE = re.compile(r"^[ \t]*[%!]|=[ \t]*[%!]", re.MULTILINE)
_CELL = re.compile(r"\s*%%([A-Za-z_]\w*)[ \t]*([^\n]*)(?:\n|\Z)")
_LINE = re.compile(r"([ \t]*)(?:!!?(?P<shell>.*)|%(?P<name>[A-Za-z_]\w*)(?:[ \t]+(?P<rest>.*)|[ \t]*))\Z", re.DOTALL)
_ASSIGNED = re.compile(r"([ \t]*)([A-Za-z_(\[*][^=!#]*)=[ \t]*(?=!|%[A-Za-z_])(.*)\Z", re.DOTALL)
_INSTALL = re.compile(
    r"\s*(?:(?:\S*python[\d.]*|py|\{sys\.executable\}|\$sys\.executable)\s+-m\s+)?(?:uv\s+)?"
    r"(?:pip[\d.]*|conda|mamba)\s+install\b(.*)",
    re.DOTALL,
)
_EXPANDED = re.compile(r"\$\$|\$\{[^{}]*\}|\{\{|\}\}|\{([^{}]+)\}|\$([A-Za-z_]\w*)")
_OPTION = re.compile(r"-([nr])[ ]*(\d{1,9})(?:\s+|\Z)|-[a-z](?:\s+|\Z)")
_TOKEN = re.compile(r"\"\"\"|'''|[\"']|#|[(\[{]|[)\]}]|\\\Z")
_END = {quote: re.compile(rf"(?:\\.|[^\\])*?{quote}", re.DOTALL) for quote in ('"""', "'''", '"', "'")}
_NO_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError, SystemError)


class Magic(NamedTuple):
    """One line or cell of notebook syntax: ``!``, ``%name`` or ``%%name``, with what follows.

    Attributes:
        target: text before "=", to which the result is assigned; or "".
        name: ``!``, or the magic's name with its ``%`` or ``%%``.
        rest: the rest of the line.
        body: for a cell magic, the lines below it.
    """

    target: str
    name: str
    rest: str
    body: str = ""


Writer = Callable[[Magic], str]


def to_python(source: str, write: Writer | None = None) -> str:
    """Convert a cell to Python with the same number of lines. Never raises: other invalid syntax is left for Python to refuse.

    Args:
        source: the text as it was approved.
        write: returns the Python of one magic; by default a call of the functions named above, which the runner provides.
    """
    if not _MAYBE.search(source) or _is_python(source):
        return source
    cell = _CELL.match(source)
    if cell is None:
        return "\n".join(_convert_lines(source.split("\n"), write))
    name, rest, body = cell[1], cell[2].strip(), source[cell.end() :]
    above = "\n" * source.count("\n", 0, cell.start(1))
    if write is None and name == "time" and not rest:
        return f"{above}{TIME_STEP}()\n" + to_python(body)
    if write is None and name == "timeit":
        number, repeat, setup = _read_options(rest)
        if not setup:
            return f"{above}for {LOOP} in {TIMEIT}({number}, {repeat}):\n" + _indent(to_python(body))
    code = (write or _call)(Magic("", f"%%{name}", rest, body))
    return above + code + "\n" * source.count("\n", cell.start(1))


def _is_python(source: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(source)
    except _NO_PYTHON:
        return False
    return True


# --- lines ---


class _Reader:
    """Tracks strings and brackets, and says whether the next line begins a statement."""

    def __init__(self) -> None:
        self._quote = ""
        self._depth = 0
        self._continued = False

    def begins(self) -> bool:
        return not (self._quote or self._depth or self._continued)

    def feed(self, line: str) -> None:
        at = 0
        self._continued = False
        while True:
            if self._quote:
                end = _END[self._quote].match(line, at)
                if end is None:
                    if len(self._quote) == 1 and not line.endswith("\\"):
                        self._quote = ""  # unterminated: Python reports it
                    return
                at, self._quote = end.end(), ""
            match = _TOKEN.search(line, at)
            if match is None or match[0] == "#":
                return
            at = match.end()
            if match[0][0] in "\"'":
                self._quote = match[0]
            elif match[0] == "\\":
                self._continued = True
            else:
                self._depth = max(0, self._depth + (1 if match[0] in "([{" else -1))


def _convert_lines(lines: list[str], write: Writer | None) -> list[str]:
    converted: list[str] = []
    reader = _Reader()
    at = 0
    while at < len(lines):
        last = at
        if reader.begins():
            while lines[last].rstrip().endswith("\\") and last + 1 < len(lines):
                last += 1
        parts = [line.rstrip() for line in lines[at : last + 1]]
        magic = _parse_magic(" ".join([*(part[:-1] for part in parts[:-1]), parts[-1]])) if reader.begins() else None
        if magic is None:
            reader.feed(lines[at].rstrip("\r"))
            converted.append(lines[at])
            at += 1
            continue
        converted += [magic[0] + (write or _call)(magic[1]), *[""] * (last - at)]
        at = last + 1
    return converted


def _parse_magic(line: str) -> tuple[str, Magic] | None:
    """Return a line's indentation and magic; None if it holds no magic."""
    target = indent = ""
    assigned = _ASSIGNED.match(line)
    if assigned is not None:
        indent, target, line = assigned[1], assigned[2].strip(), assigned[3]
        if len(target) > MAX_TARGET or not _is_python(f"{target} = 0"):
            return None
    match = _LINE.match(line)
    if match is None:
        return None
    name = "!" if match["name"] is None else f"%{match['name']}"
    return match[1] or indent, Magic(target, name, (match["rest"] if match["name"] else match["shell"]) or "")


def _indent(source: str) -> str:
    """Indent the statements by one level; lines inside strings are unchanged."""
    reader, indented = _Reader(), []
    for line in source.split("\n"):
        indented.append(f"    {line}" if reader.begins() and line.strip() else line)
        reader.feed(line)
    return "\n".join(indented)


# --- calls ---


def _call(magic: Magic) -> str:
    """Return a call that does what the magic asks for."""
    start = f"{magic.target} = " if magic.target else ""
    name, rest = magic.name, magic.rest.strip()
    wanted = read_requirements(magic)
    if wanted is not None:
        return f"{start}{INSTALL}({wanted!r})"
    if name in ("!", "%sx", "%system"):
        return f"{start}{LINES if start or name != '!' else SHELL}({', '.join(_expand(rest))})"
    if name.startswith("%%") and name[2:] in SHELLS and not rest:
        return f"{SCRIPT}({SHELLS[name[2:]]!r}, {magic.body!r})"
    if name[1:] in IGNORED:
        return f"{start}{NOTE}({f'{name} {rest}'.strip()!r})"
    if name == "%time" and rest:
        inner = _read_expression(rest)
        if inner:
            return f"{start}{TIME}(lambda: ({inner}))"
        if not start:
            return f"with {TIMED}(): {rest}"
    if name == "%timeit" and not start:
        number, repeat, statement = _read_options(rest)
        if statement:
            return f"for {LOOP} in {TIMEIT}({number}, {repeat}): {statement}"
    return f"{start}{UNKNOWN}({f'{name} {rest}'.strip()!r})"


def read_requirements(magic: Magic) -> str | None:
    """Return the arguments after ``install`` if the magic asks for packages (``%pip install x``, ``!pip install x``)."""
    if magic.name != "!" and magic.name[1:] not in INSTALLERS:
        return None
    match = _INSTALL.match(magic.rest if magic.name == "!" else f"{magic.name[1:]} {magic.rest}")
    return match[1].strip() if match else None


def _expand(command: str) -> list[str]:
    """Split a command into arguments: its texts, and a pair of function and text for each ``{expression}`` and ``$name``."""
    parts, text, at = [], "", 0
    for match in _EXPANDED.finditer(command):
        text += command[at : match.start()]
        at = match.end()
        inner = _read_expression(match[1] or match[2] or "")
        if match[0] in ("$$", "{{", "}}"):
            text += match[0][0]
        elif inner:
            parts += [repr(text), f"(lambda: ({inner}), {match[0]!r})"]
            text = ""
        else:
            text += match[0]
    return [*parts, repr(text + command[at:])]


def _read_expression(text: str) -> str:
    """Return the expression without a comment; "" if it would mean something else inside a lambda."""
    text = text.strip()
    try:
        node = ast.parse(text, mode="eval").body
    except _NO_PYTHON:
        return ""
    if "\n" in text or any(isinstance(inner, (ast.NamedExpr, ast.Await, ast.Yield)) for inner in ast.walk(node)):
        return ""
    return text.encode("utf-8", "surrogatepass")[node.col_offset : node.end_col_offset].decode("utf-8", "surrogatepass")


def _read_options(rest: str) -> tuple[int, int, str]:
    """Parse the options of ``%timeit``: loops (0: chosen automatically), repeats, and the remaining text."""
    given = {"n": 0, "r": 7}
    rest = rest.strip()
    match = _OPTION.match(rest)
    while match is not None:
        if match[1]:
            given[match[1]] = int(match[2])
        rest = rest[match.end() :]
        match = _OPTION.match(rest)
    return given["n"], given["r"], rest
