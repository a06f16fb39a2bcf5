"""One tool of an MCP server, as a tool of ours: names, schema and results of a stranger, made safe to show and to call.

The rules this file exists to keep:

* A server's names, descriptions and schemas are hostile: what the code calls is an identifier of plain letters, what the model reads
  is bounded and visible, and no schema of a server is ever run (a pattern in it could hold the interpreter for hours).
* A result is data: bounded texts, JSON and images.
"""

from __future__ import annotations

import base64
import inspect
import io
import json
import math
import re
from collections.abc import Awaitable, Callable, Container, Mapping
from keyword import iskeyword
from typing import Any

from smolcell.errors import AgentToolCallError, AgentToolExecutionError
from smolcell.tools.annotations import Word, fits
from smolcell.tools.tool import Approve, Tool, json_annotation
from smolcell.visible import visible
from smolcell.worker.tables import RESERVED_NAMES

Call = Callable[[str, dict[str, Any]], Awaitable[Any]]
"""Calls a tool of the server: its own name for it, and the arguments; gives the SDK's result."""

MOST_INPUTS = 50
PATIENCE = 300.0  # seconds that a tool which is called directly may take
_DESCRIPTION, _ARGUMENT, _SCHEMA = 4_000, 500, 4_000  # characters
_RESULT = 20_000_000  # characters of a result
_PIXELS = 50_000_000
_TYPES = frozenset({"string", "boolean", "integer", "number", "array", "object", "null"})
_EMPTY = inspect.Parameter.empty


class MCPTool(Tool):
    """A tool of an MCP server. Called directly it waits for the server; an agent awaits it.

    Args:
        described: as the SDK gives it: ``name``, ``description``, ``input_schema``, ``output_schema``.
        call: calls it.
        wait: waits for such a call in this thread, for so many seconds at most.
        taken: names that it may not have.
        structured: give structured content where the server sends it.
        approve, timeout: see ``Tool``.

    Raises:
        ValueError: its schema cannot be called; the message says why.
    """

    def __init__(
        self,
        described: Any,
        call: Call,
        wait: Callable[[Awaitable[Any], float], Any],
        *,
        taken: Container[str] = (),
        structured: bool = True,
        approve: Approve = False,
        timeout: float | None = None,
    ) -> None:
        self.server_name = str(described.name)
        self.name = identifier(self.server_name, taken)
        self.description = _said(described.description, _DESCRIPTION) or f"The tool {self.name} of an MCP server."
        self.approve, self.timeout, self.concurrent = approve, timeout, True
        self._call, self._wait, self._structured = call, wait, structured
        self._own_names: dict[str, str] = {}
        schema = described.input_schema if isinstance(described.input_schema, Mapping) else {}
        self.inputs, self.signature = self._read(schema)
        declared = described.output_schema if structured else None
        self._wrapped = isinstance(declared, Mapping) and list(declared.get("properties") or ()) == ["result"]
        self.output_schema, self.output_type = self._read_output(declared)

    def _read(self, schema: Mapping[str, Any]) -> tuple[dict[str, dict[str, Any]], inspect.Signature]:
        """What the schema says of each argument, and a signature of it; those that must be given come first."""
        properties = schema.get("properties") or {}
        required = schema.get("required") or ()
        if (
            not isinstance(properties, Mapping)
            or len(properties) > MOST_INPUTS
            or not isinstance(required, (list, tuple))
        ):
            raise ValueError(f"its arguments are not described as at most {MOST_INPUTS} properties")
        inputs: dict[str, dict[str, Any]] = {}
        parameters: list[inspect.Parameter] = []
        for own, described in properties.items():
            name = identifier(str(own), {*inputs, "self"}, "argument")
            self._own_names[name] = str(own)
            declared = declared_input(described if isinstance(described, Mapping) else {})
            default = _EMPTY if own in required else _default(described)
            if default is None:
                declared["nullable"] = True
            inputs[name] = declared
            annotation = json_annotation(declared["type"])
            if declared.get("nullable") and annotation != "Any":
                annotation = Word(f"{annotation} | None")
            kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
            parameters.append(inspect.Parameter(name, kind, default=default, annotation=annotation))
        parameters.sort(key=lambda parameter: parameter.default is not _EMPTY)
        return inputs, inspect.Signature(parameters)

    def _read_output(self, declared: Any) -> tuple[Mapping[str, Any] | None, str]:
        if not isinstance(declared, Mapping):
            return None, "any"
        if self._wrapped:
            declared = declared["properties"]["result"]
        kind = declared.get("type") if isinstance(declared, Mapping) else None
        small = isinstance(declared, Mapping) and len(json.dumps(declared, default=str)) <= _SCHEMA
        output_type = kind if isinstance(kind, str) and kind in _TYPES else "any"
        return (declared if small and output_type in ("object", "array") else None), output_type

    async def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Call the server; what it gives, as texts, JSON and images.

        Raises:
            AgentToolCallError: an argument is not JSON.
            AgentToolExecutionError: the server says that it failed, is gone, or answers with what is not taken.
        """
        given = self.signature.bind(*args, **kwargs).arguments
        arguments = {self._own_names[name]: self._jsonable(name, value) for name, value in given.items()}
        result = await self._call(self.server_name, arguments)
        content = list(result.content or ())
        if result.is_error:
            said = "\n".join(str(part.text) for part in content if getattr(part, "type", "") == "text")
            raise AgentToolExecutionError(_said(said, _DESCRIPTION) or f"the server says that {self.name} failed")
        structured = getattr(result, "structured_content", None)
        if self._structured and structured is not None:
            _bound(len(json.dumps(structured, default=str)))
            return structured["result"] if self._wrapped and set(structured) == {"result"} else structured
        return _joined([_part(part) for part in content])

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Check the arguments, call the server and wait for it, ``timeout`` seconds at most (300 where there is none)."""
        self.check(args, kwargs)
        return self._wait(self.forward(*args, **kwargs), self.timeout or PATIENCE)

    def takes(self, name: str, value: Any) -> bool:
        """Whether an argument may have this value."""
        declared = self.inputs[name]
        return (value is None and bool(declared.get("nullable"))) or fits(declared["type"], value)

    def _jsonable(self, name: str, value: Any) -> Any:
        try:
            return json.loads(json.dumps(value, default=_plain, allow_nan=False))
        except (TypeError, ValueError, RecursionError):
            kind = type(value).__name__
            raise AgentToolCallError(
                f"{self.name}{self.signature}: {name!r} is a {kind} that is not JSON, and MCP servers take nothing else; "
                "hand it over as dicts, lists, texts and finite numbers, such as frame.to_dict('records')"
            ) from None


def identifier(name: str, taken: Container[str] = (), fallback: str = "tool") -> str:
    """A plain identifier for a stranger's name: letters of ASCII, digits and underscores; another number where it is taken."""
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
    """A property of a schema in the words of ``Tool.inputs``; whatever it says besides is left out."""
    options = described.get("anyOf") or described.get("oneOf")
    parts = [part for part in options if isinstance(part, Mapping)] if isinstance(options, list) else [described]
    kinds: list[str] = []
    for part in parts[:10]:
        kind = part.get("type")
        kinds += [one for one in (kind if isinstance(kind, list) else [kind]) if isinstance(one, str)]
    known = list(dict.fromkeys(kind for kind in kinds if kind in _TYPES and kind != "null"))
    declared: dict[str, Any] = {"type": known[0] if len(known) == 1 else known or "any"}
    declared["description"] = " ".join(_said(described.get("description"), _ARGUMENT).split())
    if "null" in kinds:
        declared["nullable"] = True
    choices = described.get("enum")
    if isinstance(choices, list) and len(choices) <= 50 and all(isinstance(one, (str, int)) for one in choices):
        declared["enum"] = [visible(one[:100]) if isinstance(one, str) else one for one in choices]
    return declared


def _default(described: Any) -> Any:
    """A default that can stand in a signature; None for any other."""
    default = described.get("default") if isinstance(described, Mapping) else None
    if isinstance(default, float) and not math.isfinite(default):
        return None
    return (
        default
        if isinstance(default, (bool, int, float)) or (isinstance(default, str) and len(default) <= 50)
        else None
    )


def _plain(value: Any) -> Any:
    """What JSON has no word for and is plain data nonetheless."""
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=repr)
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError


def _said(text: Any, most: int) -> str:
    """A stranger's words, bounded and visible."""
    return visible(text[:most]).strip()[:most] if isinstance(text, str) else ""


def _bound(size: int) -> None:
    if size > _RESULT:
        raise AgentToolExecutionError(f"the server's answer has {size:,} characters; {_RESULT:,} are taken")


def _part(part: Any) -> Any:
    kind = getattr(part, "type", "")
    if kind == "text":
        _bound(len(part.text))
        return part.text
    if kind == "image":
        return _image(part.data)
    if kind == "audio":
        _bound(len(part.data))
        return base64.b64decode(part.data, validate=True)
    if kind == "resource" and isinstance(getattr(part.resource, "text", None), str):
        _bound(len(part.resource.text))
        return part.resource.text
    return f"[{kind or 'a part'} {getattr(part, 'uri', '')}]".replace(" ]", "]")


def _image(data: str) -> Any:
    """A picture; its bytes where PIL is not installed."""
    _bound(len(data))
    try:
        raw = base64.b64decode(data, validate=True)
    except ValueError:
        raise AgentToolExecutionError("the server sent an image that is none") from None
    try:
        from PIL import Image
    except ImportError:
        return raw
    try:
        picture = Image.open(io.BytesIO(raw), formats=["PNG", "JPEG", "GIF", "WEBP"])
        if picture.width * picture.height > _PIXELS:
            raise AgentToolExecutionError(f"the server sent an image of more than {_PIXELS:,} pixels")
        picture.load()
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise AgentToolExecutionError(f"the server sent an image that cannot be read: {type(error).__name__}") from None
    return picture


def _joined(parts: list[Any]) -> Any:
    """One part as it is, texts as one text, anything else as a list; None where there is nothing."""
    if all(isinstance(part, str) for part in parts):
        return "\n".join(parts) if parts else None
    return parts[0] if len(parts) == 1 else parts
