"""Docstrings taken apart: what a function does, and what each argument is.

Read are the three forms that Python programs have: ``Args:`` (Google), a section underlined with dashes (NumPy), and ``:param x:``
(Sphinx). The text alone is looked at, never the source, so a function made by ``exec`` or in a notebook's cell is read like any other.
"""

from __future__ import annotations

import inspect
import re
from typing import NamedTuple

_SECTION = re.compile(
    r"(?P<title>Args?|Arguments|Parameters|Params|Returns?|Yields?|Raises|Examples?|Notes?)"
    r"(?P<google>:)?\s*(?P<rest>.*)",
    re.IGNORECASE,
)
_ARGUMENTS = frozenset({"arg", "args", "arguments", "parameters", "params"})
_ENTRY = re.compile(r"\*{0,2}(?P<name>\w+)\s*(?P<type>\([^)]*\))?\s*:\s*(?P<text>.*)")
_NUMPY_ENTRY = re.compile(r"\*{0,2}(?P<name>\w+)\s*(:.*)?")
_SPHINX = re.compile(r":(?:param|parameter|arg|argument)\s+(?:[^:]*\s)?\*{0,2}(?P<name>\w+)\s*:\s*(?P<text>.*)")
_RETURNS = re.compile(r":(?:returns?)\s*:\s*(?P<text>.*)")


class Docstring(NamedTuple):
    """What a docstring says: of the function, of each argument by its name, of what is returned."""

    text: str
    arguments: dict[str, str]
    returns: str = ""


def read(docstring: str | None) -> Docstring:
    """The parts of a docstring; empty ones where it has none."""
    lines = inspect.cleandoc(docstring or "").split("\n")
    text: list[str] = []
    sections: dict[str, list[str]] = {}
    current = text
    for at, line in enumerate(lines):
        title = _title(line, lines[at + 1] if at + 1 < len(lines) else "")
        if title is not None:
            current = sections.setdefault(title[0], [])
            current += title[1:]
        elif _SPHINX.match(line):
            current = sections.setdefault("args", [])
            current.append(_SPHINX.sub(r"\g<name>: \g<text>", line))
        elif _RETURNS.match(line):
            current = sections.setdefault("returns", [])
            current.append(_RETURNS.sub(r"\g<text>", line))
        elif not re.fullmatch(r"\s*-{3,}\s*", line):
            current.append(line)
    return Docstring(
        "\n".join(text).strip(),
        _arguments(sections.get("args", [])),
        inspect.cleandoc("\n".join(sections.get("returns", []))).strip(),
    )


def _title(line: str, following: str) -> list[str] | None:
    """A section's name and what stands on its line; None where the line begins none."""
    found = _SECTION.fullmatch(line) if line[:1].strip() else None
    underlined = re.fullmatch(r"-{3,}\s*", following) is not None
    if found is None or not (found["google"] or (underlined and not found["rest"])):
        return None
    name = found["title"].lower()
    key = "args" if name in _ARGUMENTS else "returns" if name.startswith("return") else name
    if found["rest"] and key == "args":  # "Args: x is …" is prose
        return None
    return [key, found["rest"]] if found["rest"] else [key]


def _arguments(lines: list[str]) -> dict[str, str]:
    """Each entry is at the least indentation; what is indented further goes on with it."""
    filled = [line for line in lines if line.strip()]
    if not filled:
        return {}
    least = min(len(line) - len(line.lstrip()) for line in filled)
    found: dict[str, str] = {}
    name = ""
    for line in filled:
        if len(line) - len(line.lstrip()) > least and name:
            found[name] = f"{found[name]} {line.strip()}".strip()
            continue
        entry = _ENTRY.fullmatch(line.strip())
        numpy = _NUMPY_ENTRY.fullmatch(line.strip())
        if (least > 0 and entry is not None) or (entry is not None and not _is_numpy(filled)):
            name, found[entry["name"]] = entry["name"], entry["text"].strip()
        elif numpy is not None:
            name, found[numpy["name"]] = numpy["name"], ""
    return found


def _is_numpy(lines: list[str]) -> bool:
    """Entries at the margin with their text indented below them."""
    return any(line[:1].isspace() for line in lines) and not lines[0][:1].isspace()


def mentions(text: str, name: str) -> bool:
    """Whether a text names an argument as a word."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
