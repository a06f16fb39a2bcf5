"""Describes smolcell's public interface, to compare it with an earlier one: ``python tests/public/interface.py > interface.json``.

Public is what README.md and docs/*.md name or import, ``smolcell.__all__``, and the modules in ``PUBLIC_MODULES``.
The documents are read only here, when an interface is recorded; the test reads the recorded names.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import importlib
import importlib.util
import inspect
import io
import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PUBLIC_MODULES = [
    "smolcell.testing",
    "smolcell.executors.base",
    "smolcell.executors.local",
    "smolcell.local_python_executor",
]
PUBLIC_NAMES = ["smolcell.journal:read", "smolcell.executors:create_executor", "smolcell.cli:main"]
SERVER = "smolcell.server:_jupyter_server_extension_points"  # Jupyter's settings name its module
DOTTED = re.compile(r"(?<![\w./-])smolcell(?:\.[A-Za-z_]\w*)+")
BLOCK = re.compile(r"^```(?:python|toml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z-]*")
SPECIAL = ("__call__", "__enter__", "__exit__")
Json = dict[str, Any]


def resolve(name: str) -> Any:
    """What ``module`` or ``module:attribute`` names."""
    module, _, attribute = name.partition(":")
    found = importlib.import_module(module)
    return getattr(found, attribute) if attribute else found


# --- which names ------------------------------------------------------------------------------------------------------


def public_names() -> list[str]:
    """Every public name, as ``module`` or ``module:attribute``."""
    names = {*PUBLIC_NAMES, *PUBLIC_MODULES, SERVER}
    for module in ["smolcell", *PUBLIC_MODULES]:
        names |= {f"{module}:{name}" for name in exported(module)}
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        names |= {name for path in DOTTED.findall(text) if (name := split(path))}
        names |= {name for block in BLOCK.findall(text) for name in imported(block)}
    return sorted(names)


def exported(module: str) -> list[str]:
    """A module's ``__all__``; without one, the public classes and functions that it defines itself."""
    found = importlib.import_module(module)
    if hasattr(found, "__all__"):
        return list(found.__all__)
    nodes = ast.parse(inspect.getsource(found)).body
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return [node.name for node in nodes if isinstance(node, kinds) and not node.name.startswith("_")]


def split(path: str) -> str:
    """``a.b.c`` as ``a.b:c`` if c is an attribute of the module a.b; "" if there is nothing of that name."""
    with contextlib.suppress(ImportError):
        if importlib.util.find_spec(path) is not None:
            return path
    module, _, attribute = path.rpartition(".")
    try:
        return f"{module}:{attribute}" if hasattr(importlib.import_module(module), attribute) else ""
    except ImportError:  # smolcell.toml
        return ""


def imported(source: str) -> list[str]:
    """The names of smolcell that an example imports."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return []
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return [
        f"{node.module}:{alias.name}"
        for node in nodes
        if (node.module or "").split(".")[0] == "smolcell"
        for alias in node.names
    ]


# --- what they are ----------------------------------------------------------------------------------------------------


def describe(value: Any) -> Json:
    """A public object as JSON: what a caller can rely on."""
    if inspect.isclass(value):
        return of_class(value)
    if inspect.ismodule(value):
        return {"is": "module"}
    if callable(value):
        return {"is": "function", **signature(value)}
    return {"is": type(value).__name__}


def of_class(kind: type) -> Json:
    ours = [base for base in kind.__mro__ if base.__module__.split(".")[0] == "smolcell"]
    members: Json = {}
    for base in reversed(ours):
        own = {**dict.fromkeys(inspect.get_annotations(base)), **vars(base)}
        members |= {
            name: of_member(value) for name, value in own.items() if not name.startswith("_") or name in SPECIAL
        }
    import smolcell

    public = {base.__name__ for base in kind.__mro__[1:] if getattr(smolcell, base.__name__, None) is base}
    builtin = {base.__name__ for base in kind.__mro__[1:-1] if base.__module__ == "builtins"}
    return {
        "is": "class",
        **signature(kind),
        "bases": sorted(public | builtin),
        "fields": [field.name for field in dataclasses.fields(kind)] if dataclasses.is_dataclass(kind) else [],
        "members": dict(sorted(members.items())),
    }


def of_member(value: Any) -> Json:
    if isinstance(value, (classmethod, staticmethod)):
        return {"is": type(value).__name__, **signature(value.__func__)}
    if inspect.isfunction(value):
        return {"is": "coroutine" if inspect.iscoroutinefunction(value) else "method", **signature(value)}
    return {"is": "attribute"}  # a property may become a plain attribute


def signature(function: Any) -> Json:
    try:
        found = inspect.signature(function)
    except (TypeError, ValueError):
        return {"parameters": [], "returns": ""}
    parameters = [
        (
            each.name,
            each.kind.name,
            "" if each.annotation is each.empty else annotation(each.annotation),
            None if each.default is each.empty else default(each.default),
        )
        for each in found.parameters.values()
        if each.name not in ("self", "cls")
    ]
    returns = "" if found.return_annotation is found.empty else annotation(found.return_annotation)
    return {"parameters": parameters, "returns": returns}


def annotation(value: Any) -> str:
    """An annotation as it is written, without the modules before its names."""
    text = value if isinstance(value, str) else inspect.formatannotation(value)
    return re.sub(r"\b(?:[A-Za-z_]\w*\.)+(?=[A-Za-z_])", "", text)


def default(value: Any) -> str:
    """A default value, without addresses and modules."""
    named = inspect.isclass(value) or inspect.isroutine(value)
    return f"<{value.__name__}>" if named else re.sub(r" at 0x[0-9a-f]+", "", repr(value))


# --- objects, words, commands -----------------------------------------------------------------------------------------


def objects() -> dict[str, list[str]]:
    """The public attributes of objects that the documents use and whose class may have no public name."""
    from smolcell import CodeAgent, LocalPythonExecutor
    from smolcell.testing import ScriptedModel, allow_all

    code = "<code>\nfinal_answer(1)\n</code>"
    with CodeAgent(tools=[], model=ScriptedModel(code), gate=allow_all, executor_type="local") as agent:
        result: Any = agent.run("Say 1.", return_full_result=True)
        found = {
            "agent": agent,
            "agent.memory": agent.memory,
            "agent.memory.steps[0]": agent.memory.steps[0],
            "agent.export()": agent.export(),
            "result": result,
        }
        described = {name: attributes(value) for name, value in found.items()}
    executor = LocalPythonExecutor()
    described["executor"] = attributes(executor)
    described["executor('1')"] = attributes(executor("1"))
    executor.close()
    return described


def attributes(value: Any) -> list[str]:
    return [name for name in dir(value) if not name.startswith("_")]


def scripts() -> dict[str, str]:
    """The commands that the package installs, as in pyproject.toml."""
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found: dict[str, str] = data["project"]["scripts"]
    return found


def options(command: str) -> list[str]:
    """The options that ``smolcell COMMAND --help`` names."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.suppress(SystemExit):
        resolve(scripts()["smolcell"])([*command.split(), "--help"])
    return sorted(set(OPTION.findall(printed.getvalue())))


def magics() -> dict[str, list[str]]:
    """The options in the help of ``%%agent``, the words of ``%agent``, and the settings."""
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output

    shell = InteractiveShell()
    shell.run_line_magic("load_ext", "smolcell")
    try:
        help_text = shell.find_magic("agent", "cell").__doc__ or ""
        with capture_output() as printed:
            shell.run_line_magic("agent", "config")
        try:
            shell.run_line_magic("agent", "nosuchword")
        except Exception as error:
            listed = str(error).partition("commands are:")[2].partition(".")[0]
    finally:
        shell.run_line_magic("unload_ext", "smolcell")
    return {
        "%%agent": sorted(set(OPTION.findall(help_text))),
        "%agent": sorted(re.findall(r"\w+", listed)),
        "%agent config": sorted(line.split()[0] for line in printed.stdout.splitlines()),
    }


def commands() -> list[str]:
    """The modules that the documents run by ``python -m``; ``python -m smolcell`` is the command itself."""
    texts = [document.read_text(encoding="utf-8") for document in DOCUMENTS]
    return sorted({"smolcell", *re.findall(r"python3? -m (smolcell[\w.]*)", "\n".join(texts))})


def read(page: str) -> str:
    """The text of a page of docs/."""
    return (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")


def words() -> list[str]:
    """The commands of ``smolcell`` in the reference; "" is the command alone."""
    return ["", *sorted(set(re.findall(r"^## smolcell (\w+)", read("reference/command-line"), re.MULTILINE)))]


def sandboxes() -> dict[str, str]:
    """The class behind each name of a sandbox in docs/sandboxes.md's first table."""
    from smolcell.executors import create_executor

    table = read("sandboxes").partition("## ")[0]
    names = re.findall(r"^\| `(\w+)`(?:, `\1:\w+`)? \|.*\|.*\|$", table, re.MULTILINE)
    return {name: type(create_executor(name)).__name__ for name in names}


def interface() -> Json:
    """All of it."""
    return {
        "names": {name: describe(resolve(name)) for name in public_names()},
        "objects": objects(),
        "python -m": commands(),
        "options": {command: options(command) for command in words()},
        "magics": magics(),
        "sandboxes": sandboxes(),
    }


def text(described: Json) -> str:
    """JSON with a line for each name."""
    parts = []
    for part, entries in described.items():
        items = entries.items() if isinstance(entries, dict) else [("", entries)]
        lines = [
            (f"{json.dumps(key)}: " if key or isinstance(entries, dict) else "") + json.dumps(each)
            for key, each in items
        ]
        parts.append(
            f"{json.dumps(part)}: " + ("{%s}" if isinstance(entries, dict) else "%s") % ("\n" + ",\n".join(lines))
        )
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    sys.stdout.write(text(interface()))
