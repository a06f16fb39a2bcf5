"""Packs the program for an agent in a sandbox: smolcell's pure part, the tools, and a client for the model.

* Everything that makes or shows a permit stays on the host: gates, executors, views.
* Besides smolcell, only pure Python and certificate authorities are sent; nothing is installed or fetched.
* A tool is sent as source. A tool that would not work there is refused here, with the reason, before anything starts.
"""

from __future__ import annotations

import ast
import builtins
import dis
import functools
import importlib.metadata
import inspect
import io
import textwrap
import types
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import smolcell.worker
from smolcell.errors import SetupError
from smolcell.executors.local.environment import bytecode
from smolcell.tools.tool import FunctionTool, Tool

ROOT = Path(smolcell.worker.__file__).parents[2]
ROOTS = (
    "smolcell",
    "smolcell.inside",
    "smolcell.inside.program",
    "smolcell.models.openai",
    "smolcell.tools.builtin",
    "smolcell.tools.tool",
)
NETWORK = ("anyio", "certifi", "h11", "httpcore", "httpx", "idna", "sniffio", "typing_extensions")
"""Pure-Python distributions that the model's client needs. Those that are not installed here are not needed there."""
_DATE = (2020, 1, 1, 0, 0, 0)
_KNOWN = frozenset({"Tool", "tool"})  # names that are defined for a tool's source inside


@functools.cache
def archive(network: bool) -> bytes:
    """Return the zip of the agent's program; with a network, including the model's client."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file:
        for name, path in [*_own_modules(), *(_libraries() if network else ())]:
            file.writestr(zipfile.ZipInfo(name, _DATE), path.read_bytes(), zipfile.ZIP_DEFLATED)
            if path.suffix == ".py":
                compiled = bytecode(name.removesuffix(".py").removesuffix("/__init__").replace("/", "."), path)
                file.writestr(zipfile.ZipInfo(f"{name}c", _DATE), compiled, zipfile.ZIP_DEFLATED)
    return data.getvalue()


def _own_modules() -> Iterator[tuple[str, Path]]:
    """Yield the modules of smolcell that the program imports, directly and indirectly."""
    modules: dict[str, Path] = {}
    waiting = list(ROOTS)
    while waiting:
        name = waiting.pop()
        path = _file(name)
        if path is None or name in modules:
            continue
        modules[name] = path
        waiting += [*_imported_modules(path), name.rpartition(".")[0]]
    for _, path in sorted(modules.items()):
        yield path.relative_to(ROOT).as_posix(), path


def _file(name: str) -> Path | None:
    base = ROOT.joinpath(*name.split("."))
    return next((path for path in (base / "__init__.py", base.with_suffix(".py")) if path.is_file()), None)


def _imported_modules(path: Path) -> Iterator[str]:
    for node in ast.parse(path.read_bytes()).body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("smolcell."))
        elif isinstance(node, ast.ImportFrom):
            above = path.parent.relative_to(ROOT).parts if node.level else ()
            module = ".".join(filter(None, (*above[: len(above) - node.level + 1], node.module)))
            if module.partition(".")[0] == "smolcell":
                yield module
                yield from (f"{module}.{alias.name}" for alias in node.names)


def _libraries() -> Iterator[tuple[str, Path]]:
    for name in NETWORK:
        try:
            files = importlib.metadata.files(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        for file in files:
            if file.suffix in (".py", ".pem", ".typed") and ".." not in file.parts:
                yield file.as_posix(), Path(str(file.locate()))


def tool_specs(tools: Iterable[Tool]) -> dict[str, Any]:
    """Return how each tool is made inside, by its name.

    Raises:
        SetupError: a tool cannot be made there; the message says why, and what to do.
    """
    return {tool.name: _spec(tool) for tool in tools}


def _spec(tool: Tool) -> Mapping[str, str]:
    if isinstance(tool, FunctionTool):
        function = inspect.unwrap(tool.function)
        _check_whole(tool.name, function)
        return {"source": _source(tool.name, function), "object": getattr(function, "__name__", "")}
    kind = type(tool)
    _check_plain(tool, kind)
    if kind.__module__.startswith("smolcell."):
        return {"module": kind.__module__, "object": kind.__name__}
    return {"source": _source(tool.name, kind), "object": kind.__name__}


class StaysError(SetupError):
    """A tool has no source that works elsewhere; ``why`` names the reason."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(
            f"the tool {name!r} cannot go into the sandbox: {why}. Or keep it on the host: host_tools=[{name}]"
        )
        self.why = why


def _source(name: str, tool: Any) -> str:
    try:
        text = textwrap.dedent(inspect.getsource(tool))
    except (OSError, TypeError):
        raise StaysError(name, "its source cannot be found; define it in a file or a cell") from None
    if f"def {getattr(tool, '__name__', '')}(" not in text and not inspect.isclass(tool):
        raise StaysError(name, "it has no name in its source; define it with def")
    return text


def _check_whole(name: str, function: Any) -> None:
    """Raise ``StaysError`` if a function uses anything defined outside it: only its own source is sent."""
    code = getattr(function, "__code__", None)
    if code is None:
        raise StaysError(name, "it is not a Python function; define one with def")
    missing = sorted(({*_globals(code)} | {*code.co_freevars}) - _KNOWN - {*vars(builtins)})
    if missing:
        raise StaysError(name, f"it uses {', '.join(missing)} from outside; import or define that within the function")


def _globals(code: types.CodeType) -> Iterator[str]:
    """Yield the names that a function, and functions inside it, look up outside of it."""
    yield from (each.argval for each in dis.get_instructions(code) if each.opname in ("LOAD_GLOBAL", "LOAD_NAME"))
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from _globals(inner)


def _check_plain(tool: Tool, kind: type[Tool]) -> None:
    """Raise ``StaysError`` if a tool cannot be made inside without arguments."""
    try:
        again = kind()
    except TypeError:
        raise StaysError(tool.name, f"{kind.__name__}(…) takes arguments, which would have to be copied") from None
    if {**vars(again), "signature": None} != {**vars(tool), "signature": None}:
        raise StaysError(tool.name, "it holds values, which would have to be copied")
