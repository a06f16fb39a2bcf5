"""Adapters for tools of other origin: a Space's code from the Hugging Face Hub, a Space called over its API, tools of LangChain and Gradio.

Code from the Hub runs in this process, like an installed package. It is fetched first, shown, and run only if the caller trusts it: in
general, or by the digest of exactly this code.
"""

from __future__ import annotations

import inspect
import sys
import tempfile
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from smolcell.core.text import visible
from smolcell.errors import AgentToolExecutionError, SetupError
from smolcell.events import sha256
from smolcell.machine.environment import importing
from smolcell.tools.schema import declared_input, identifier

if TYPE_CHECKING:
    from smolcell.tools.tool import Tool

_MAX_CODE_CHARS = 200_000  # characters of a tool's code
_DOWNLOAD = ("cache_dir", "endpoint", "force_download", "revision", "subfolder")
_PYTHON = {"str": "string", "int": "integer", "float": "number", "bool": "boolean", "list": "array", "dict": "object"}


def from_hub(repo_id: str, token: str | None, trust_remote_code: bool | str, **kwargs: Any) -> Tool:
    """See ``Tool.from_hub``."""
    from smolcell.views.terminal_render import Drawing, TerminalLine, code

    text, path = _fetch(repo_id, token, {name: kwargs.pop(name) for name in _DOWNLOAD if name in kwargs})
    digest = sha256(text)
    where = f"tool.py of the Space {repo_id} (SHA-256 {digest})"
    if (
        trust_remote_code is not True and trust_remote_code != digest
    ):  # None, for example of an unset variable, is not trust
        other = " This is not the code that was trusted." if trust_remote_code else ""
        numbered = "\n".join(f"{line.margin}{visible(line.text)}" for line in code(text))
        raise SetupError(
            f"{where} would run in this process, with your rights.{other} Read it:\n\n{numbered}\n\n"
            f"If you trust it, write: Tool.from_hub({repo_id!r}, trust_remote_code={digest!r})"
        )
    drawing = Drawing()
    drawing.line(TerminalLine(f"{where}: it now runs in this process", "warn"))
    for line in code(text):
        drawing.line(line)
    tool = loaded(text, path, repo_id, kwargs)
    if tool is None:
        raise SetupError(f"{where} defines no tool: it has no subclass of Tool")
    return tool


def _fetch(repo_id: str, token: str | None, options: Mapping[str, Any]) -> tuple[str, str]:
    with importing():
        from huggingface_hub import hf_hub_download

    try:
        path = hf_hub_download(repo_id, "tool.py", repo_type="space", token=token, **options)
        text = Path(path).read_text(encoding="utf-8")
    except Exception as error:  # the library raises many kinds
        raise SetupError(
            f"the Space {repo_id!r} has no tool.py that can be read: {type(error).__name__}: {error}"
        ) from None
    if len(text) > _MAX_CODE_CHARS:
        raise SetupError(
            f"tool.py of the Space {repo_id!r} has {len(text):,} characters; {_MAX_CODE_CHARS:,} can be reviewed"
        )
    return text, path


def loaded(text: str, path: str, repo_id: str, kwargs: Mapping[str, Any]) -> Tool | None:
    """Run the code as a new module, and return its tool; None if it has none. Tools of the Hub are written for smolagents."""
    from smolcell.tools.tool import Tool, tool

    name = f"smolcell_hub_{identifier(repo_id)}"
    module = types.ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module
    try:
        with _as_smolagents(Tool=Tool, tool=tool):
            exec(compile(text, path, "exec"), module.__dict__)  # noqa: S102 - shown, and trusted by the caller
        for kind in vars(module).values():
            if inspect.isclass(kind) and issubclass(kind, Tool) and kind.__module__ == name:
                return kind(**kwargs)
        return next((given for given in vars(module).values() if isinstance(given, Tool)), None)
    except SetupError:
        raise
    except Exception as error:
        raise SetupError(f"tool.py of the Space {repo_id!r} failed: {type(error).__name__}: {error}") from None
    finally:
        sys.modules.pop(name, None)


@contextmanager
def _as_smolagents(**names: Any) -> Iterator[None]:
    """Provide ``smolagents`` while the code runs: the parts that smolcell has."""
    modules = ("smolagents", "smolagents.tools")
    before = {name: sys.modules.pop(name) for name in modules if name in sys.modules}
    for name in modules:
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(names)
    try:
        yield
    finally:
        for name in modules:
            sys.modules.pop(name, None)
        sys.modules.update(before)


@dataclass(frozen=True, slots=True)
class Foreign:
    """A tool of another library: what ``Tool.inputs`` and the other attributes are for it, and how it is called by keywords."""

    name: str
    description: str
    inputs: Mapping[str, Mapping[str, Any]]
    forward: Callable[..., Any]
    output_type: str = "any"


def space(space_id: str, name: str, description: str, api_name: str | None, token: str | None) -> Foreign:
    """See ``Tool.from_space``. A call returns the first of several results; an image as an image."""
    try:
        with importing():
            from gradio_client import Client
    except ImportError:
        raise SetupError("calling a Space needs Gradio's client: pip install gradio_client") from None
    try:
        client = Client(space_id, **({"hf_token": token} if token else {}))
        points = client.view_api(return_format="dict", print_info=False)["named_endpoints"]
    except Exception as error:  # an error of the library or the network
        raise SetupError(f"the Space {space_id!r} cannot be reached: {type(error).__name__}: {error}") from None
    if not points or (api_name is not None and api_name not in points):
        known = ", ".join(points) or "none"
        raise SetupError(f"the Space {space_id!r} has no interface {api_name!r}; it has: {known}. Pass api_name=…")
    point = api_name or next(iter(points))
    inputs: dict[str, dict[str, Any]] = {}
    own: dict[str, str] = {}
    for parameter in points[point]["parameters"]:
        named = identifier(str(parameter["parameter_name"]), inputs, "argument")
        own[named] = str(parameter["parameter_name"])
        kind = _PYTHON.get(str(parameter.get("python_type", {}).get("type", "")), "any")
        label = visible(str(parameter.get("label") or ""))[:500]
        inputs[named] = _input(kind, label, optional=bool(parameter.get("parameter_has_default")))
    returned = str((points[point].get("returns") or [{}])[0].get("component", "")).lower()

    def call(**given: Any) -> Any:
        result = client.predict(**{own[name]: value for name, value in given.items()}, api_name=point)
        result = result[0] if isinstance(result, (list, tuple)) and result else result
        return _image(client, result) if returned == "image" and isinstance(result, str) else result

    return Foreign(name, description, inputs, call, returned if returned in ("image", "audio") else "any")


def _image(client: Any, path: str) -> Any:
    """Return the image in a file that the client wrote: a Space may answer with any path.

    Raises:
        AgentToolExecutionError: the file is outside the client's folder.
    """
    places = (getattr(client, name, None) for name in ("download_files", "output_dir"))  # newer and older versions
    folder = Path(next(filter(None, places), tempfile.gettempdir())).resolve()
    if not Path(path).resolve().is_relative_to(folder):
        raise AgentToolExecutionError(f"the Space answered with a file that it did not send: {path[:200]!r}")
    with importing():
        from PIL import Image

    with Image.open(path, formats=["PNG", "JPEG", "GIF", "WEBP"]) as picture:
        picture.load()
        return picture.copy()


def _input(kind: str, description: str, *, optional: bool) -> dict[str, Any]:
    return {"type": kind, "description": description, **({"nullable": True} if optional else {})}


def langchain(given: Any) -> Foreign:
    """See ``Tool.from_langchain``."""
    if not all(hasattr(given, name) for name in ("name", "description", "args", "run")):
        raise SetupError(f"{type(given).__name__} is no LangChain tool: it needs name, description, args and run")
    inputs = {}
    for own, described in given.args.items():
        described = described if isinstance(described, Mapping) else {}
        optional = {"nullable": True} if "default" in described else {}
        inputs[identifier(str(own))] = declared_input(described) | optional
    name = identifier(str(given.name).lower())
    return Foreign(name, str(given.description), inputs, lambda **arguments: given.run(arguments))


def gradio(given: Any) -> Foreign:
    """See ``Tool.from_gradio``."""
    if not all(hasattr(given, name) for name in ("name", "description", "run")):
        raise SetupError(f"{type(given).__name__} is no tool of gradio-tools: it needs name, description and run")
    inputs = {}
    for each in inspect.signature(given.run).parameters.values():
        kind = _PYTHON.get(getattr(each.annotation, "__name__", str(each.annotation)), "any")
        inputs[each.name] = _input(kind, "", optional=each.default is not inspect.Parameter.empty)
    return Foreign(identifier(str(given.name)), str(given.description), inputs, given.run)
