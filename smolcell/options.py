"""The options of a task, in a cell and on the command line: one table, read by argparse, printed by ``%%agent?``."""

from __future__ import annotations

import argparse
import importlib.util
import keyword
import os
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from smolcell.errors import SetupError
from smolcell.settings import Settings, names_of, resolve


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What one ``%%agent`` line asks for. ``settings`` holds what overrides the configured settings."""

    settings: dict[str, Any]
    variables: tuple[str, ...]
    out: str | None
    pull: tuple[str, ...]
    files: tuple[str, ...]
    tools: tuple[str, ...]
    mcp: tuple[str, ...]
    record: str | None
    replay: str | None
    new: bool
    background: bool

    def after(self, last: Options | None) -> Options:
        """These options of ``%agent resume``; what they leave open is as it was in the cell that is gone on with.

        Where no such cell was run in this kernel (``last`` is None) they may hand in variables and files again.

        Raises:
            SetupError: they hand in variables or ask for a fresh session, which a run that goes on cannot take.
        """
        if last is None and not self.new:
            return self
        if last is None or self.variables or self.files or self.new:
            raise SetupError(
                "%agent resume goes on with what the run has: leave out --in, --file and --new, or give a task with %%agent"
            )
        answered = self.record or self.replay or "model" in self.settings  # by another model than before
        return replace(
            self,
            settings={**last.settings, **self.settings},
            out=self.out or last.out,
            pull=self.pull or last.pull,
            tools=self.tools or last.tools,
            mcp=self.mcp or last.mcp,
            record=self.record if answered else last.record,
            replay=self.replay if answered else last.replay,
            background=self.background or last.background,
        )


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise SetupError(
            f"%%agent: {message}. Options: {', '.join(sorted(self.words()))}. See %%agent? for what they mean"
        )

    def words(self) -> list[str]:
        return [option for action in self._actions for option in action.option_strings if option.startswith("--")]


def parser() -> argparse.ArgumentParser:
    """The options of ``%%agent``; its ``format_help()`` is the magic's documentation."""
    made = _Parser(
        prog="%%agent", add_help=False, allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    _add_options(made)
    return made


def add_options(made: argparse.ArgumentParser) -> None:
    """Add the options of a task that need no notebook."""
    _add_options(made, notebook=False)
    made.set_defaults(variables=None, out=None, pull=None, new=False, background=False)


_IN_A_CELL = (
    "provider/model, or what %%agent config says (default: found on this machine)",
    "notebook functions, or tools that come along (web_search, …), the code may call; they run here, not in the sandbox",
    "an MCP server whose tools the code may call: its address, its command line in quotes, or the notebook's name for it",
    "continue the session of this name (default: default)",
)
_AT_A_SHELL = (
    "provider/model (default: found on this machine)",
    "tools that come along (web_search, …), which the code may call; they run here, not in the sandbox",
    "an MCP server whose tools the code may call: its address, or its command line in quotes",
    "names the journal (default: default); each command begins with an empty memory",
)
"""What ``--model``, ``--tool``, ``--mcp`` and ``--session`` mean."""


def _add_options(made: argparse.ArgumentParser, *, notebook: bool = True) -> None:
    add = made.add_argument
    model, tool, mcp, session = _IN_A_CELL if notebook else _AT_A_SHELL
    add("-m", "--model", metavar="NAME", help=model)
    add("--api-base", metavar="URL", help="OpenAI-compatible endpoint, with -m openai/…")
    add("-s", "--sandbox", metavar="NAME", help="where the code runs (default: local)")
    add("-a", "--approve", metavar="MODE", help="ask, risky, auto or deny (default: ask every step)")
    if notebook:
        add(
            "-i",
            "--in",
            dest="variables",
            metavar="NAME",
            action="append",
            help="notebook variables copied in; @name in the task does the same",
        )
        add("-o", "--out", metavar="NAME", help="the answer is assigned to this notebook name")
        add("--pull", metavar="NAME", action="append", help="sandbox variables copied back after the run")
        add("--new", action="store_true", help="start the session afresh")
        add("--background", action="store_true", help="the cell returns at once; the run goes on")
    add(
        "-f",
        "--file",
        dest="files",
        metavar="PATH",
        action="append",
        help="files and folders the code may read, as copies at the same names in its work folder",
    )
    add("--imports", metavar="A,B.*", action="append", help="modules the code may import as well")
    add(
        "-t",
        "--tool",
        dest="tools",
        metavar="NAME",
        action="append",
        help=tool,
    )
    add(
        "--mcp",
        metavar="SPEC",
        action="append",
        help=mcp,
    )
    add("--max-steps", metavar="N", help="replies that may propose code (default: 20)")
    add("--timeout", metavar="S", help="seconds a step may take (default: 60)")
    add("--max-output", metavar="N", help="characters of output kept per step (default: 20000)")
    add("--memory", metavar="MB", help="memory of the sandbox (default: 2048)")
    add("--session", metavar="NAME", help=session)
    add("--record", metavar="FILE", help="keep the model's replies in this file")
    add("--replay", metavar="FILE", help="answer from such a file: no network, no key")


def in_force(options: Options, config: Mapping[str, Any] | None = None, source: str = "the cell") -> Settings:
    """The settings of a task with these options, the data libraries that are installed among the imports."""
    from smolcell.worker.tables import DATA_IMPORTS

    settings = resolve(options.settings, config, source)
    installed = tuple(name for name in DATA_IMPORTS if importlib.util.find_spec(name.removesuffix(".*")) is not None)
    return settings.with_values({"imports": (*installed, *settings.imports)}, source)


def own_tools(names: Iterable[str]) -> list[Any]:
    """The tools that come with smolcell, by name.

    Raises:
        SetupError: there is none of such a name.
    """
    from smolcell.tools.default import DEFAULT_TOOLS

    for name in names:
        if name not in DEFAULT_TOOLS:
            raise SetupError(
                f"--tool {name}: there is no such tool; those that come along are: {', '.join(sorted(DEFAULT_TOOLS))}. "
                "For functions of your own, use %%agent in a notebook, CodeAgent in Python, or --mcp"
            )
    return [DEFAULT_TOOLS[name]() for name in names]


_PARSER = parser()
_SETTINGS = ("model", "api_base", "sandbox", "approve", "max_steps", "timeout", "max_output", "memory", "session")


def read_line(line: str) -> Options:
    """Read an option line.

    Raises:
        SetupError: an option is unknown, lacks its value, or names no valid variable; the message lists what there is.
    """
    try:
        words = shlex.split(line, posix=os.name != "nt")
    except ValueError as error:
        raise SetupError(f"%%agent: the option line cannot be read: {error}. Close every quote") from None
    return chosen(_PARSER.parse_args(words))


def chosen(given: argparse.Namespace) -> Options:
    """What was read from an option line or a command line.

    Raises:
        SetupError: an option names no valid variable.
    """
    settings = {name: getattr(given, name) for name in _SETTINGS if getattr(given, name) is not None}
    if given.imports:
        settings["imports"] = ",".join(names_of(given.imports))
    if given.out is not None:
        _identifier("--out", given.out)
    for option, paths in (("--file", given.files), ("--record", [given.record]), ("--replay", [given.replay])):
        if any(path is not None and not path.strip() for path in paths or ()):
            raise SetupError(f"{option} takes the name of a file, not an empty one")
    return Options(
        settings=settings,
        variables=_identifiers("--in", given.variables),
        out=given.out,
        pull=_identifiers("--pull", given.pull),
        files=tuple(given.files or ()),
        tools=_identifiers("--tool", given.tools),
        mcp=tuple(given.mcp or ()),
        record=given.record,
        replay=given.replay,
        new=given.new,
        background=given.background,
    )


def _identifiers(option: str, given: list[str] | None) -> tuple[str, ...]:
    names = names_of(given or ())
    for name in names:
        _identifier(option, name)
    return names


def _identifier(option: str, name: str) -> None:
    if not name.isidentifier() or keyword.iskeyword(name):
        raise SetupError(f"{option} takes the name of a variable, not {name!r}")
