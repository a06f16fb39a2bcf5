"""Adapters for tools of other origin: a Space's code from the Hugging Face Hub, a Space called over its API, tools of LangChain and Gradio.

Code from the Hub runs in this process, like an installed package. It is fetched first, shown, and run only if the caller trusts it: in
general, or by the digest of exactly this code.
"""

from __future__ import annotations

import inspect
import sys
import tempfile
import types
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from smolcell.core.text import visible
from smolcell.errors import AgentToolExecutionError, SetupError
from smolcell.events import sha256
from smolcell.machine.environment import importing
from smolcell.tools.mcp import declared_input, identifier
from smolcell.tools.tool import Tool, tool
from smolcell.views.terminal_render import Drawing, TerminalLine, code

_MAX_CODE_CHARS = 200_000  # characters of a tool's code
_DOWNLOAD = ("cache_dir", "endpoint", "force_download", "revision", "subfolder")
_PYTHON = {"str": "string", "int": "integer", "float": "number", "bool": "boolean", "list": "array", "dict": "object"}


def from_hub(repo_id: str, token: str | None, trust_remote_code: bool | str, **kwargs: Any) -> Tool:
    """See ``Tool.from_hub``."""
    text, path = _fetch(repo_id, token, {name: kwargs.pop(name) for name in _DOWNLOAD if name in kwargs})
    digest = sha256(text)
    where = f"tool.py of the Space {repo_id} (SHA-256 {digest})"
    if (
        trust_remote_code is not True and trust_remote_code != digest
    ):  # None, for example of an unset variable, is not trust
        other = " This is not the code that was trusted." if trust_remote_code else ""
        raise SetupError(
            f"{where} would run in this process, with your rights.{other} Read it:\n\n{_numbered(text)}\n\n"
            f"If you trust it, write: Tool.from_hub({repo_id!r}, trust_remote_code={digest!r})"
        )
    drawing = Drawing()
    drawing.line(TerminalLine(f"{where}: it now runs in this process", "warn"))
    for line in code(text):
        drawing.line(line)
    loaded_tool = loaded(text, path, repo_id, kwargs)
    if not isinstance(loaded_tool, Tool):
        raise SetupError(f"{where} defines no tool: it has no subclass of Tool")
    return loaded_tool


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


def _numbered(text: str) -> str:
    return "\n".join(f"{line.margin}{visible(line.text)}" for line in code(text))


def loaded(text: str, path: str, repo_id: str, kwargs: Mapping[str, Any]) -> Any:
    """Run the code as a new module, and return its tool. Tools of the Hub are written for smolagents."""
    name = f"smolcell_hub_{identifier(repo_id)}"
    module = types.ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module
    try:
        with _as_smolagents():
            exec(compile(text, path, "exec"), module.__dict__)  # noqa: S102 - shown, and trusted by the caller
        kinds = [kind for kind in vars(module).values() if _is_own_tool(kind, name)]
        given = [tool for tool in vars(module).values() if isinstance(tool, Tool)]
        return kinds[0](**kwargs) if kinds else next(iter(given), None)
    except SetupError:
        raise
    except Exception as error:
        raise SetupError(f"tool.py of the Space {repo_id!r} failed: {type(error).__name__}: {error}") from None
    finally:
        sys.modules.pop(name, None)


def _is_own_tool(kind: Any, module: str) -> bool:
    return inspect.isclass(kind) and issubclass(kind, Tool) and kind.__module__ == module


@contextmanager
def _as_smolagents() -> Iterator[None]:
    """Provide ``smolagents`` while the code runs: the parts that smolcell has."""
    names = ("smolagents", "smolagents.tools")
    before = {name: sys.modules.get(name) for name in names}
    for name in names:
        stand_in = types.ModuleType(name)
        vars(stand_in).update(Tool=Tool, tool=tool)
        sys.modules[name] = stand_in
    try:
        yield
    finally:
        for name, module in before.items():
            if module is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = module


class SpaceTool(Tool):
    """A Space of the Hub, called over its Gradio API; see ``Tool.from_space``."""

    takes_anything = True
    concurrent = True

    def __init__(self, space_id: str, name: str, description: str, api_name: str | None, token: str | None) -> None:
        try:
            with importing():
                from gradio_client import Client
        except ImportError:
            raise SetupError("calling a Space needs Gradio's client: pip install gradio_client") from None
        try:
            self._client = Client(space_id, **({"hf_token": token} if token else {}))
            points = self._client.view_api(return_format="dict", print_info=False)["named_endpoints"]
        except Exception as error:  # an error of the library or the network
            raise SetupError(f"the Space {space_id!r} cannot be reached: {type(error).__name__}: {error}") from None
        if not points or (api_name is not None and api_name not in points):
            known = ", ".join(points) or "none"
            raise SetupError(f"the Space {space_id!r} has no interface {api_name!r}; it has: {known}. Pass api_name=…")
        self._point = api_name or next(iter(points))
        self.name, self.description = name, description
        self._parameter_names: dict[str, str] = {}
        inputs: dict[str, dict[str, Any]] = {}
        for parameter in points[self._point]["parameters"]:
            own = str(parameter["parameter_name"])
            named = identifier(own, inputs, "argument")
            self._parameter_names[named] = own
            inputs[named] = _gradio_input(parameter)
        self.inputs = inputs
        returns = points[self._point].get("returns") or [{}]
        kind = str(returns[0].get("component", "")).lower()
        self.output_type = kind if kind in ("image", "audio") else "any"

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Call the Space. Returns the first of several results; an image as an image."""
        given = self.signature.bind(*args, **kwargs).arguments
        result = self._client.predict(**{self._parameter_names[n]: v for n, v in given.items()}, api_name=self._point)
        result = result[0] if isinstance(result, (list, tuple)) and result else result
        if self.output_type == "image" and isinstance(result, str):
            with importing():
                from PIL import Image

            self._check_place(result)
            with Image.open(result, formats=["PNG", "JPEG", "GIF", "WEBP"]) as picture:
                picture.load()
                return picture.copy()
        return result

    def _check_place(self, path: str) -> None:
        """Raise if the client did not write this file: a Space may answer with any path.

        Raises:
            AgentToolExecutionError: the file is outside the client's folder.
        """
        places = (
            getattr(self._client, name, None) for name in ("download_files", "output_dir")
        )  # newer and older versions of the client
        folder = Path(next(filter(None, places), tempfile.gettempdir())).resolve()
        if not Path(path).resolve().is_relative_to(folder):
            raise AgentToolExecutionError(f"the Space answered with a file that it did not send: {path[:200]!r}")


def _gradio_input(parameter: Mapping[str, Any]) -> dict[str, Any]:
    kind = _PYTHON.get(str(parameter.get("python_type", {}).get("type", "")), "any")
    declared = {"type": kind, "description": visible(str(parameter.get("label") or ""))[:500]}
    return {**declared, "nullable": True} if parameter.get("parameter_has_default") else declared


class LangChainTool(Tool):
    """A LangChain tool; see ``Tool.from_langchain``."""

    takes_anything = True

    def __init__(self, given: Any) -> None:
        if not all(hasattr(given, name) for name in ("name", "description", "args", "run")):
            raise SetupError(f"{type(given).__name__} is no LangChain tool: it needs name, description, args and run")
        self.name, self.description = identifier(str(given.name).lower()), str(given.description)
        self.inputs = {
            identifier(str(own)): _langchain_input(one if isinstance(one, Mapping) else {})
            for own, one in given.args.items()
        }
        self.output_type = "any"
        self._wrapped = given

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Run the tool."""
        return self._wrapped.run(dict(self.signature.bind(*args, **kwargs).arguments))


def _langchain_input(described: Mapping[str, Any]) -> dict[str, Any]:
    declared = declared_input(described)
    return {**declared, "nullable": True} if "default" in described else declared


class GradioTool(Tool):
    """A tool of the gradio-tools package; see ``Tool.from_gradio``."""

    takes_anything = True

    def __init__(self, given: Any) -> None:
        if not all(hasattr(given, name) for name in ("name", "description", "run")):
            raise SetupError(f"{type(given).__name__} is no tool of gradio-tools: it needs name, description and run")
        self.name, self.description = identifier(str(given.name)), str(given.description)
        parameters = inspect.signature(given.run).parameters.values()
        self.inputs = {
            each.name: {
                "type": _PYTHON.get(getattr(each.annotation, "__name__", str(each.annotation)), "any"),
                "description": "",
                **({} if each.default is inspect.Parameter.empty else {"nullable": True}),
            }
            for each in parameters
        }
        self.output_type = "any"
        self._wrapped = given

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Run the tool."""
        return self._wrapped.run(**self.signature.bind(*args, **kwargs).arguments)
