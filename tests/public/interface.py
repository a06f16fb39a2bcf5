"""Describes smolcell's public interface, to compare it with the recorded one of an earlier commit.

The record has ``smolcell.__all__``, what README.md and docs/*.md named or imported, and some modules; what wrote it is in
``git show 10da80b:tests/public/interface.py``.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import inspect
import io
import re
import tomllib
from pathlib import Path
from typing import Any

import smolcell
from smolcell import CodeAgent, LocalPythonExecutor
from smolcell.testing import ScriptedModel, allow_all

ROOT = Path(__file__).resolve().parents[2]
OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z-]*")
SPECIAL = ("__call__", "__enter__", "__exit__")
Json = dict[str, Any]


def resolve(name: str) -> Any:
    """What ``module`` or ``module:attribute`` names."""
    module, _, attribute = name.partition(":")
    found = importlib.import_module(module)
    return getattr(found, attribute) if attribute else found


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
