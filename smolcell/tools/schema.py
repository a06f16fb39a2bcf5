"""Type annotations: converts them to JSON schema for the model, and checks values against them.

* Unknown annotations accept every value.
* Annotations are evaluated in the function's own globals, as ``typing`` does; the function's source is not needed.
"""

from __future__ import annotations

import collections.abc
import inspect
import numbers
import re
import types
import typing
from collections.abc import Callable, Container, Mapping
from keyword import iskeyword
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin

from smolcell.core.text import shorten, visible
from smolcell.worker.guard.tables import RESERVED_NAMES

JSON_TYPES = ("string", "boolean", "integer", "number", "image", "audio", "array", "object", "any", "null")
"""The types in ``Tool.inputs`` and ``Tool.output_type``; the names are smolagents'."""

STANDARD_TYPES = frozenset({"string", "boolean", "integer", "number", "array", "object", "null"})
"""Those that JSON schema has."""

_SCALARS: dict[Any, str] = {str: "string", bool: "boolean", int: "integer", float: "number", complex: "number"}
_ARRAYS = (list, tuple, set, frozenset, collections.abc.Sequence, collections.abc.Iterable, collections.abc.Set)
_OBJECTS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
_FLAT = (str, bytes, bool, numbers.Number, list, tuple, set, frozenset)
_MAX_DEPTH = 8


class Word(str):
    """A text that is shown in a signature without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def resolved(annotation: Any, function: Any) -> Any:
    """Evaluate an annotation that is a text; a ``Word`` if that fails."""
    if not isinstance(annotation, str):
        return annotation
    holder = type("_", (), {"__annotations__": {"it": annotation}})
    names = getattr(inspect.unwrap(function), "__globals__", {})
    try:
        return typing.get_type_hints(holder, globalns=names, include_extras=True)["it"]
    except Exception:  # any error of the text, for example an unknown name
        return Word(annotation)


def schema(annotation: Any, depth: int = _MAX_DEPTH) -> dict[str, Any]:
    """Return the JSON schema of an annotation, as far as it has one; else ``{"type": "any"}``."""
    origin, args = get_origin(annotation), get_args(annotation)
    if depth <= 0 or annotation in (Any, inspect.Parameter.empty) or isinstance(annotation, str):
        return {"type": "any"}
    if annotation is None or annotation is type(None):
        return {"type": "null"}
    if origin is typing.Annotated or (origin is None and hasattr(annotation, "__supertype__")):
        return schema(args[0] if args else annotation.__supertype__, depth - 1)
    if origin in (Union, types.UnionType):
        return _union(args, depth)
    if origin is Literal:
        named = [value for value in args if value is not None]
        kinds = list(dict.fromkeys(schema(type(value), 1)["type"] for value in named)) or ["null"]
        nullable = {"nullable": True} if len(named) < len(args) else {}
        return {"type": kinds[0] if len(kinds) == 1 else kinds, "enum": named, **nullable}
    return _of_class(origin or annotation, args, depth - 1)


def _of_class(kind: Any, args: tuple[Any, ...], depth: int) -> dict[str, Any]:
    if kind in _SCALARS or _is_image(kind):
        return {"type": _SCALARS.get(kind, "image")}
    if kind in _ARRAYS:
        items = [arg for arg in args if arg is not Ellipsis]
        return {"type": "array", **({"items": schema(items[0], depth)} if len(set(items)) == 1 else {})}
    if kind in _OBJECTS:
        return {"type": "object", **({"additionalProperties": schema(args[1], depth)} if len(args) == 2 else {})}
    return {"type": "object" if inspect.isclass(kind) and kind is not object else "any"}


def _union(args: tuple[Any, ...], depth: int) -> dict[str, Any]:
    known = [schema(arg, depth - 1) for arg in args if arg is not type(None)]
    nullable = {"nullable": True} if len(known) < len(args) else {}
    if len(known) == 1:
        return {**known[0], **nullable}
    kinds = [part["type"] for part in known]
    if any(type(kind) is not str for kind in kinds) or "any" in kinds:
        return {"type": "any", **nullable}
    return {"type": list(dict.fromkeys(kinds)), **nullable}


def _is_image(kind: Any) -> bool:
    return getattr(kind, "__module__", "") == "PIL.Image" and getattr(kind, "__name__", "") == "Image"


def accepts(annotation: Any, value: Any, depth: int = _MAX_DEPTH) -> bool:
    """Return whether a value, including its parts, fits an annotation."""
    origin, args = get_origin(annotation), get_args(annotation)
    if depth <= 0 or annotation in (Any, inspect.Parameter.empty) or isinstance(annotation, (str, typing.TypeVar)):
        return True
    if annotation is None or annotation is type(None):
        return value is None
    if origin is typing.Annotated or (origin is None and hasattr(annotation, "__supertype__")):
        return accepts(args[0] if args else annotation.__supertype__, value, depth - 1)
    if origin in (Union, types.UnionType):
        return any(accepts(arg, value, depth - 1) for arg in args)
    if origin is Literal:
        return any(type(value) is type(arg) and value == arg for arg in args)
    kind = origin or annotation
    return _is_of(kind, value) and _parts_fit(kind, args, value, depth - 1)


def _is_of(kind: Any, value: Any) -> bool:
    if kind is bool:
        return isinstance(value, bool) or type(value).__name__ == "bool"  # numpy's bool, too
    if kind is int:
        return isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if kind is float:
        return isinstance(value, numbers.Real) and not isinstance(value, bool)
    if typing.is_typeddict(kind):
        return isinstance(value, dict)
    if not inspect.isclass(kind):
        return True
    try:
        return isinstance(value, kind)
    except TypeError:  # a protocol that isinstance() cannot check
        return True


def _parts_fit(kind: Any, args: tuple[Any, ...], value: Any, depth: int) -> bool:
    if not args:
        return True
    if isinstance(value, Mapping) and len(args) == 2:
        return all(accepts(args[0], key, depth) and accepts(args[1], item, depth) for key, item in value.items())
    if kind is tuple and args[-1] is not Ellipsis:
        return len(value) == len(args) and all(accepts(arg, item, depth) for arg, item in zip(args, value, strict=True))
    if isinstance(value, (list, tuple, set, frozenset)):
        return all(accepts(args[0], item, depth) for item in value)
    return True


_OF_JSON: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: _is_of(bool, value),
    "integer": lambda value: _is_of(int, value),
    "number": lambda value: _is_of(float, value),
    "array": lambda value: isinstance(value, (list, tuple, set, frozenset)) or hasattr(value, "__array__"),
    "object": lambda value: not isinstance(value, _FLAT) and value is not None,
    "image": lambda value: hasattr(value, "save") or isinstance(value, (str, bytes)) or hasattr(value, "__array__"),
    "audio": lambda value: isinstance(value, (str, bytes)) or hasattr(value, "__array__"),
    "null": lambda value: value is None,
}


def is_of_type(kinds: Any, value: Any) -> bool:
    """Return whether a value has a JSON type, or one of several; unknown types accept every value."""
    names = [kinds] if isinstance(kinds, str) else kinds
    return any(name not in _OF_JSON or _OF_JSON[name](value) for name in names)


def annotation_text(annotation: Any) -> str:
    """Return an annotation as it is written in Python."""
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


# --- Reads docstrings: the description of a function and of each argument.
#
# Supports ``Args:`` (Google), sections underlined with dashes (NumPy), and ``:param x:`` (Sphinx). Only the text is read, never the
# source, so functions made by ``exec`` or in a notebook's cell work, too.


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
    """The parts of a docstring: about the function, about each argument by name, and about the return value."""

    text: str
    arguments: dict[str, str]
    returns: str = ""


def read(docstring: str | None) -> Docstring:
    """Split a docstring into its parts; empty parts if there is none."""
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
    """Return a section's name and the rest of its line; None if the line begins no section."""
    match = _SECTION.fullmatch(line) if line[:1].strip() else None
    underlined = re.fullmatch(r"-{3,}\s*", following) is not None
    if match is None or not (match["google"] or (underlined and not match["rest"])):
        return None
    name = match["title"].lower()
    key = "args" if name in _ARGUMENTS else "returns" if name.startswith("return") else name
    if match["rest"] and key == "args":  # "Args: x is …" is prose
        return None
    return [key, match["rest"]] if match["rest"] else [key]


def _arguments(lines: list[str]) -> dict[str, str]:
    """Return the entries: each begins at the smallest indentation, and lines with more indentation continue it."""
    filled = [line for line in lines if line.strip()]
    if not filled:
        return {}
    least = min(len(line) - len(line.lstrip()) for line in filled)
    arguments: dict[str, str] = {}
    name = ""
    for line in filled:
        if len(line) - len(line.lstrip()) > least and name:
            arguments[name] = f"{arguments[name]} {line.strip()}".strip()
            continue
        entry = _ENTRY.fullmatch(line.strip())
        numpy = _NUMPY_ENTRY.fullmatch(line.strip())
        if (least > 0 and entry is not None) or (entry is not None and not _is_numpy(filled)):
            name, arguments[entry["name"]] = entry["name"], entry["text"].strip()
        elif numpy is not None:
            name, arguments[numpy["name"]] = numpy["name"], ""
    return arguments


def _is_numpy(lines: list[str]) -> bool:
    """Return whether entries are at the margin with their text indented below them."""
    return any(line[:1].isspace() for line in lines) and not lines[0][:1].isspace()


def mentions(text: str, name: str) -> bool:
    """Return whether a text contains a name as a word."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


# --- Names, texts and schemas of foreign tools, which are hostile: made safe to show and to call.


_MAX_ARGUMENT_CHARS = 500  # characters that describe an argument


def bounded(text: Any, most: int) -> str:
    """Return a foreign text, bounded and with invisible characters made visible."""
    return visible(shorten(text, most)).strip()[:most] if isinstance(text, str) else ""


def identifier(name: str, taken: Container[str] = (), fallback: str = "tool") -> str:
    """Return an ASCII identifier for a foreign name; with a number if it is taken."""
    plain = re.sub(r"_+", "_", re.sub(r"[^A-Za-z0-9_]", "_", name[:200])).strip("_")[:60]
    if not plain or plain[0].isdigit():
        plain = f"{fallback}_{plain}".rstrip("_")
    if iskeyword(plain) or plain in RESERVED_NAMES:
        plain += "_"
    number, found = 2, plain
    while found in taken:
        found, number = f"{plain}_{number}", number + 1
    return found


def declared_input(described: Mapping[str, Any]) -> dict[str, Any]:
    """Return a property of a schema in the form of ``Tool.inputs``, without its other keys."""
    options = described.get("anyOf") or described.get("oneOf")
    parts = [part for part in options if isinstance(part, Mapping)] if isinstance(options, list) else [described]
    kinds: list[str] = []
    for part in parts[:10]:
        kind = part.get("type")
        kinds += [one for one in (kind if isinstance(kind, list) else [kind]) if isinstance(one, str)]
    known = list(dict.fromkeys(kind for kind in kinds if kind in STANDARD_TYPES and kind != "null"))
    declared: dict[str, Any] = {"type": known[0] if len(known) == 1 else known or "any"}
    declared["description"] = " ".join(bounded(described.get("description"), _MAX_ARGUMENT_CHARS).split())
    if "null" in kinds:
        declared["nullable"] = True
    choices = described.get("enum")
    if isinstance(choices, list) and len(choices) <= 50 and all(isinstance(one, (str, int)) for one in choices):
        declared["enum"] = [visible(shorten(one, 100)) if isinstance(one, str) else one for one in choices]
    return declared
