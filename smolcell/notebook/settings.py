"""Settings: an option, else ``%agent config``, else the environment, else ``smolcell.toml``, else a default.

The rows of ``smolcell.core.spec`` say which settings and options there are.
"""

from __future__ import annotations

import argparse
import difflib
import importlib.metadata
import keyword
import os
import shlex
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

from smolcell.approval.spec import check_allowed, level_and_imports, within_policy
from smolcell.core.spec import NAMES, SETTINGS, AgentSpec, TaskOptions, names_of, options, read
from smolcell.errors import SetupError
from smolcell.machine.config_files import is_file, is_trusted, load, projects_file, users_file, warn_left_out
from smolcell.machine.environment import DECIDING, is_installed, startup_value
from smolcell.models import is_at_its_provider, with_local_model


def resolve(options: Mapping[str, Any], config: Mapping[str, Any] | None = None, source: str = "the cell") -> AgentSpec:
    """Return the settings in force, from all places; nearer places override. ``source``: the place of the options.

    Raises:
        SetupError: a place has an invalid name or value; the message says which.
    """
    settings = AgentSpec()
    for path, values in files():
        if not is_trusted(path):
            values = _narrowing(path, values, settings)
        settings = settings.with_values(values, str(path))
    settings = settings.with_values(dict(environment()), "the environment")
    settings = settings.with_values(config or {}, "%agent config")
    given = {name: value for name, value in options.items() if value is not None}
    chosen = {**dict.fromkeys(config or {}, "%agent config"), **dict.fromkeys(given, source)}
    return within_policy(settings.with_values(given, source), chosen)


def where_set(name: str, config: Mapping[str, Any] | None = None) -> str:
    """Return the nearest place that sets a setting, except the cell; "" if it has its default value."""
    if name in (config or {}):
        return "%agent config"
    if name in dict(environment()):
        return f"SMOLCELL_{name.upper()}"
    places = [
        path
        for path, values in files()
        if name in values and (is_trusted(path) or _may_set(name, read(name, values[name]), AgentSpec()))
    ]
    return str(places[-1]) if places else ""


def environment() -> Iterator[tuple[str, str]]:
    """Yield ``SMOLCELL_MODEL``, ``SMOLCELL_API_BASE``, … as they are now; security settings as they were when smolcell started."""
    for name in NAMES:
        variable = f"SMOLCELL_{name.upper()}"
        value = startup_value(variable) if variable in DECIDING else os.environ.get(variable)
        if value:
            yield name, value


def files() -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield the user's ``smolcell.toml``, then the project's. An invalid file is an error in the current folder, a warning above it.

    Raises:
        SetupError: a file cannot be read or is no TOML, or the current folder was deleted.
    """
    user = users_file()
    try:
        here = Path.cwd()
    except OSError as error:
        raise SetupError(f"the current folder cannot be used: {error.strerror}; go to another one: cd ~") from None
    if user is not None and is_file(user):
        yield user, _without_policy(load(user))
    project = projects_file(here)
    if project is None or project == user:
        return
    try:
        values = _without_policy(load(project))
        AgentSpec().with_values(values, str(project))
    except SetupError as error:
        if project.parent == here:
            raise
        warnings.warn(f"{error}: the file is ignored, as it is in a parent folder", stacklevel=2)
    else:
        yield project, values


def _without_policy(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a file. Its table ``[policy]`` is read by ``smolcell.approval.policy``."""
    return {name: value for name, value in values.items() if name != "policy"}


def _narrowing(path: Path, values: Mapping[str, Any], settings: AgentSpec) -> dict[str, Any]:
    """Return the values of a project's file that may be used: a provider's model, and stricter limits and approval. Reports the others."""
    allowed: dict[str, Any] = {}
    for name, value in values.items():
        if _may_set(name, read(name, value, str(path)), settings):
            allowed[name] = value
    left = [name for name in values if name not in allowed]
    if left:
        warn_left_out(path, f"is not trusted to set {', '.join(left)}")
    return allowed


def _may_set(name: str, value: Any, settings: AgentSpec) -> bool:
    if name == "model":
        return value is None or is_at_its_provider(value)
    narrows = SETTINGS[name].may_narrow
    return narrows is not None and narrows(value, getattr(settings, name))


# --- The options of a task, in a cell and on the command line: one table, parsed by argparse, shown by ``%%agent?``.


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(TaskOptions):
    """The options of one ``%%agent`` line. ``settings`` overrides the configured settings."""

    settings: dict[str, Any]
    files: tuple[str, ...] = ()
    read_only: bool = False
    tools: tuple[str, ...] = ()
    replay: str | None = None

    def after(self, last: Options | None) -> Options:
        """Return these options of ``%agent resume``, completed with those of the cell that is continued.

        If no such cell ran in this kernel (``last`` is None), variables and files may be copied in again.

        Raises:
            SetupError: they copy variables in or ask for a new session, which a continued run cannot do.
        """
        if last is None and not self.new:
            return self
        if last is None or self.variables or self.files or self.new:
            raise SetupError(
                "%agent resume continues the run with its own inputs: leave out --in, --file and --new, or give a task with %%agent"
            )
        answered = self.record or self.replay or "model" in self.settings  # another model than before is named
        return replace(
            self,
            settings={**last.settings, **self.settings},
            out=self.out or last.out,
            best_effort=self.best_effort or last.best_effort,
            pull=self.pull or last.pull,
            tools=self.tools or last.tools,
            mcp=self.mcp or last.mcp,
            record=self.record if answered else last.record,
            replay=self.replay if answered else last.replay,
            contract=self.contract or last.contract,
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
    """Return the parser of ``%%agent``'s options; its ``format_help()`` is the magic's documentation."""
    parser = _Parser(
        prog="%%agent", add_help=False, allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_options(parser, notebook=True)
    return parser


def add_options(parser: argparse.ArgumentParser, *, notebook: bool = False) -> None:
    """Add the options of a task; by default those that need no notebook."""
    for name, option in options().items():
        option.add_to(parser, name, notebook=notebook)


def effective_settings(
    options: Options, config: Mapping[str, Any] | None = None, source: str = "the cell"
) -> AgentSpec:
    """Return the settings of a task with these options. Installed data libraries are added to the imports.

    Given imports select the level guarded, unless a level was chosen.
    """
    settings = with_local_model(resolve(options.settings, config, source))
    check_allowed(settings)
    if settings.sandbox == "local":
        for given in (options.settings, config or {}):
            check_installed(names_of(given.get("imports") or ()), options.files)
    return settings.with_values(level_and_imports(settings), source)


def check_installed(imports: Iterable[str], files: Iterable[str] = ()) -> None:
    """Raise ``SetupError`` for a module that this Python, which local sandboxes use, cannot import.

    Args:
        imports: as for ``--imports``.
        files: files for the code, which may import them.
    """
    imports = tuple(imports)
    here = {
        Path(file).name.partition(".")[0] for file in (*files, *(path.name for path in Path.cwd().iterdir() if imports))
    }
    for name in imports:
        top = name.partition(".")[0]
        if top != "*" and not top.startswith("@") and top not in here and not is_installed(top):
            known = {*sys.stdlib_module_names, *importlib.metadata.packages_distributions()}
            near = " or ".join(difflib.get_close_matches(top, sorted(known), n=3))
            raise SetupError(
                f"--imports {name}: no module named {top!r} is installed here{f'; did you mean {near}?' if near else ''}"
            )


_PARSER = parser()


def read_line(line: str) -> Options:
    """Read an option line.

    Raises:
        SetupError: an option is unknown, lacks its value, or names no valid variable; the message lists the valid ones.
    """
    try:
        words = shlex.split(line, posix=os.name != "nt")
    except ValueError as error:
        raise SetupError(f"%%agent: the option line cannot be read: {error}. Close every quote") from None
    return read_options(_PARSER.parse_args(words))


def read_options(given: argparse.Namespace) -> Options:
    """Return the options of a parsed option line or command line.

    Raises:
        SetupError: an option names no valid variable.
    """
    found = {name: value for name in options() if (value := getattr(given, name)) is not None}
    for name in _FILES:
        paths = [found[name]] if isinstance(found.get(name), str) else found.get(name, ())
        if not all(path.strip() for path in paths):
            raise SetupError(f"{options()[name].flags[-1]} takes the name of a file, not an empty one")
    for name in _NAMES:
        _check_names(options()[name].flags[-1], found.get(name, ()))
    settings = {name: found.pop(name) for name in NAMES if name in found}
    settings = {
        name: ",".join(names_of(value)) if isinstance(value, list) else value for name, value in settings.items()
    }
    if found["read_only"] and "files" not in found:
        raise SetupError("--read-only applies to -f: name the folder, for example -f data --read-only")
    whole: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in found.items()}
    whole |= {name: names_of(found[name]) for name in ("variables", "pull", "tools") if name in found}
    return Options(settings=settings, **whole)


_FILES = ("files", "record", "replay", "contract")
_NAMES = ("variables", "out", "pull", "tools")


def _check_names(option: str, given: str | Sequence[str]) -> None:
    for name in [given] if isinstance(given, str) else names_of(given):
        if not name.isidentifier() or keyword.iskeyword(name):
            raise SetupError(f"{option} takes the name of a variable, not {name!r}")
