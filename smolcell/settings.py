"""Settings: an option, else ``%agent config``, else the environment, else ``smolcell.toml``, else a default.

One table lists every setting: its name, its type, where it can be set, and its valid values. Every error names the setting, where
the bad value came from, and what would be right.
"""

from __future__ import annotations

import argparse
import difflib
import importlib.metadata
import keyword
import os
import re
import shlex
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, NoReturn

from smolcell.config_files import is_file, is_trusted, load, projects_file, users_file, warn_left_out
from smolcell.environment import DECIDING, is_installed, startup_value
from smolcell.errors import SetupError
from smolcell.gates import MODES
from smolcell.models import is_at_its_provider
from smolcell.policy import current
from smolcell.redaction import redact

LONGEST_NAME = 80  # characters of a session's name


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of a run, in seconds, megabytes and characters."""

    model: str | None = None
    api_base: str | None = None
    sandbox: str = "local"
    approve: str = "ask"
    python: str = "auto"
    imports: tuple[str, ...] = ()
    installs: str = "ask"
    allow_hosts: tuple[str, ...] = ()
    credentials: tuple[str, ...] = ()
    max_steps: int = 20
    stop_after: int = 0
    timeout: float = 60.0
    max_output: int = 20_000
    memory: int = 2048
    work_folder: str = "writable"
    session: str = "default"
    instructions: str = ""
    structured: bool = False
    budget: str = ""
    context: str = "ask"
    output_checks: tuple[str, ...] = ()
    rollback: str = "off"
    otel: str = "auto"
    log: str = "off"

    def with_values(self, values: Mapping[str, Any], source: str) -> Settings:
        """These settings with some replaced. An address that was set before belongs to another model than one that is named now,
        unless that is ``openai/…``, any server's: the named provider's key is not for that address.

        Args:
            values: by name; strings are read as the setting's type.
            source: their origin, for the error message.

        Raises:
            SetupError: a name or a value is not valid.
        """
        changed = {name: read(name, value, source) for name, value in values.items()}
        if "output_checks" in changed:  # those of every place hold
            changed["output_checks"] = tuple(dict.fromkeys([*self.output_checks, *changed["output_checks"]]))
        model = changed.get("model") or "openai/"
        if "," in model or not model.startswith("openai/"):
            changed.setdefault("api_base", None)
        return replace(self, **changed)


NAMES = tuple(field.name for field in fields(Settings))
MEANINGS = {
    "model": "provider/model; if not set, one that is found on this machine",
    "memory": "megabytes that the code may allocate",
    "session": "the session that a task continues",
    "work_folder": "read-only keeps the code from changing the files that were handed in; in local on Linux",
    "instructions": "text that the model is sent with every task",
    "structured": "true asks the model for JSON objects: for small models that write prose instead of code",
    "otel": "on, off or auto: traces and metrics to an OpenTelemetry server; auto if OTEL_EXPORTER_OTLP_ENDPOINT names one",
    "log": "json or text: a line for each event",
}
"""What settings are for that are no option, or whose option says it of a cell only."""


def resolve(options: Mapping[str, Any], config: Mapping[str, Any] | None = None, source: str = "the cell") -> Settings:
    """The settings in force, from every place, the nearest last. ``source``: the place of the options.

    Raises:
        SetupError: some place holds a name or a value that is not valid; the message says which.
    """
    settings = Settings()
    for path, values in files():
        if not is_trusted(path):
            values = _narrowing(path, values, settings)
        settings = settings.with_values(values, str(path))
    settings = settings.with_values(dict(environment()), "the environment")
    settings = settings.with_values(config or {}, "%agent config")
    given = {name: value for name, value in options.items() if value is not None}
    chosen = {**dict.fromkeys(config or {}, "%agent config"), **dict.fromkeys(given, source)}
    return _within_policy(settings.with_values(given, source), chosen)


def _within_policy(settings: Settings, chosen: Mapping[str, str]) -> Settings:
    """The settings as far as the policy allows them. ``read_options``: the place of those that a person asked for now.

    Raises:
        SetupError: one of these goes beyond the policy.
    """
    policy, narrowed = current(), {}
    for name in NAMES:
        value = getattr(settings, name)
        allowed, lock = policy.narrow(name, value)
        if lock is None:
            continue
        if name in chosen and value not in (None, "auto" if name == "python" else None) and name != "output_checks":
            raise SetupError(
                f"{_option(name)} in {chosen[name]} is {redact(str(value))}, and the policy allows {allowed} at most: {lock}. "
                "See: %agent policy"
            )
        narrowed[name] = allowed
    return replace(settings, **narrowed)


def check_allowed(settings: Settings) -> None:
    """Hold the sandbox, the model and the imports of a task to the policy.

    Raises:
        SetupError: one is not allowed; the message names the line that says so.
    """
    policy = current()
    policy.check("sandboxes", [settings.sandbox], "--sandbox {} is not allowed")
    models = [name.strip() for name in (settings.model or "").split(",") if name.strip()]
    policy.check("models", models, "--model {} is not allowed")
    policy.check("imports", settings.imports, "--imports {} is not allowed")
    policy.check("hosts", settings.allow_hosts, "--allow-host {} is not allowed")


def where_set(name: str, config: Mapping[str, Any] | None = None) -> str:
    """The nearest place that sets a setting, the cell left aside; "" if it is the default."""
    if name in (config or {}):
        return "%agent config"
    if name in dict(environment()):
        return f"SMOLCELL_{name.upper()}"
    found = [
        path
        for path, values in files()
        if name in values and (is_trusted(path) or _may_set(name, read(name, values[name]), Settings()))
    ]
    return str(found[-1]) if found else ""


def read(name: str, value: Any, source: str = "the cell") -> Any:
    """One value, as its setting's type.

    Raises:
        SetupError: there is no such setting, or the value is not valid for it.
    """
    if name not in _READERS:
        raise SetupError(f"unknown setting {name!r} in {source}; settings are: {', '.join(NAMES)}")
    try:
        return _READERS[name](value)
    except (TypeError, ValueError) as error:
        raise SetupError(f"{_option(name)} in {source} is {redact(repr(value))}: {error}") from None


def environment() -> Iterator[tuple[str, str]]:
    """``SMOLCELL_MODEL``, ``SMOLCELL_API_BASE``, … as they are set now; those that decide, as they were when smolcell started."""
    for name in NAMES:
        variable = f"SMOLCELL_{name.upper()}"
        value = startup_value(variable) if variable in DECIDING else os.environ.get(variable)
        if value:
            yield name, value


def files() -> Iterator[tuple[Path, dict[str, Any]]]:
    """The user's ``smolcell.toml``, then the project's. One that is not valid is an error in the current folder, a warning above it.

    Raises:
        SetupError: a file cannot be read or is no TOML, or the current folder is gone.
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
        Settings().with_values(values, str(project))
    except SetupError as error:
        if project.parent == here:
            raise
        warnings.warn(f"{error}: the file is left out, as it lies in a folder above this one", stacklevel=2)
    else:
        yield project, values


def _without_policy(values: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a file; its table ``[policy]`` is read by ``smolcell.policy``."""
    return {name: value for name, value in values.items() if name != "policy"}


def _narrowing(path: Path, values: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    """Of a project's file: a provider's model, and settings that make limits and approval narrower; the rest is reported and left out."""
    kept: dict[str, Any] = {}
    for name, value in values.items():
        if _may_set(name, read(name, value, str(path)), settings):
            kept[name] = value
    left = [name for name in values if name not in kept]
    if left:
        warn_left_out(path, f"is not trusted to set {', '.join(left)}")
    return kept


def _any_value(found: Any, now: Any) -> bool:
    return True


def _may_set(name: str, value: Any, settings: Settings) -> bool:
    return name in _HARMLESS and _HARMLESS[name](value, getattr(settings, name))


_Narrower = Callable[[Any, Any], bool]
_STRICTNESS = ("auto", "risky", "ask", "deny")
CHECKS = ("secrets", "personal_data")
"""Output checks that need no arguments: names in ``smolcell.output_checks``."""
INSTALLS = ("auto", "ask", "never")  # the narrower, the later
CONTEXTS = ("none", "ask", "cells", "outputs")  # the narrower, the earlier
_HARMLESS: dict[str, _Narrower] = {
    "model": lambda found, now: found is None or is_at_its_provider(found),
    "approve": lambda found, now: _STRICTNESS.index(found) >= _STRICTNESS.index(now),
    "python": lambda found, now: found == "guarded",
    "work_folder": lambda found, now: found == "read-only",
    "installs": lambda found, now: INSTALLS.index(found) >= INSTALLS.index(now),
    "context": lambda found, now: CONTEXTS.index(found) <= CONTEXTS.index(now),
    **dict.fromkeys(("max_steps", "timeout", "max_output", "memory"), lambda found, now: found <= now),
    "stop_after": lambda found, now: found > 0 and (not now or found <= now),
    "budget": lambda found, now: _is_within(budget_limit(found), budget_limit(now)),
    **dict.fromkeys(("session", "structured", "output_checks", "rollback"), _any_value),
}


# --- reading values ----------------------------------------------------------------------------------------------------


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("expected text")
    return value


def _optional(value: Any) -> str | None:
    return _text(value) or None


def _one_of(valid: Callable[[], Sequence[str]]) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        word = _text(value)
        if word.partition(":")[0] not in valid():
            raise ValueError(f"valid values are: {', '.join(valid())}")
        return word

    return check


def _number(kind: type[int] | type[float], least: float) -> Callable[[Any], Any]:
    def check(value: Any) -> float:
        if isinstance(value, bool):
            raise TypeError("expected a number")
        try:
            number = kind(value)
        except (TypeError, ValueError):
            raise ValueError(f"expected a number, at least {least:g}") from None
        if not least <= number < 1e12:
            raise ValueError(f"expected a number, at least {least:g}")
        return number

    return check


def _yes_or_no(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    word = _text(value).lower()
    if word not in ("true", "false"):
        raise ValueError("valid values are: true, false")
    return word == "true"


def names_of(value: Any) -> tuple[str, ...]:
    """A list of names: a comma list, a sequence of such lists, or a TOML array."""
    parts = value.split(",") if isinstance(value, str) else [name for part in value for name in _text(part).split(",")]
    return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))


def _hosts(value: Any) -> tuple[str, ...]:
    from smolcell.network.names import Hosts

    return Hosts(names_of(value)).names


def _credentials(value: Any) -> tuple[str, ...]:
    from smolcell.network import read_credentials

    read_credentials(names := names_of(value))
    return names


def _modules(value: Any) -> tuple[str, ...]:
    from smolcell.worker.guard.imports import expand

    names = expand(names_of(value))
    for name in names:
        if name != "*" and not all(part.isidentifier() for part in name.removesuffix(".*").split(".")):
            raise ValueError(f"{name!r} is no module's name; give names with commas between, such as numpy,scipy.*")
    return names


def _checks(value: Any) -> tuple[str, ...]:
    names = names_of(value)
    for name in names:
        if name not in CHECKS:
            raise ValueError(
                f"valid names are: {', '.join(CHECKS)}; other checks are given to CodeAgent(output_checks=[…])"
            )
    return names


def _session(value: Any) -> str:
    name = _text(value)
    if not name.strip() or len(name) > LONGEST_NAME:
        raise ValueError(f"expected a name of 1 to {LONGEST_NAME} characters")
    return name


_BUDGET = re.compile(r"(?P<dollars>\$)?(?P<number>\d+(\.\d+)?|\.\d+)(?P<unit>[km]?)", re.ASCII | re.IGNORECASE)


def _budget(value: Any) -> str:
    text = _text(value).strip()
    if text and not all(budget_limit(text).values()):
        raise ValueError("expected dollars in single quotes, such as '$0.50', or tokens, such as 100k")
    return text


def budget_limit(budget: str) -> dict[str, Any]:
    """A setting ``budget`` as an argument of ``Budget``: ``cost`` in dollars, or ``tokens``, 0 if it is not valid; {} for none."""
    if not budget:
        return {}
    found = _BUDGET.fullmatch(budget.strip())
    amount = float(found["number"]) * {"": 1, "k": 1e3, "m": 1e6}[found["unit"].lower()] if found else 0.0
    amount = amount if amount < 1e12 else 0.0
    return {"cost": amount} if found and found["dollars"] else {"tokens": int(amount)}


def _is_within(found: Mapping[str, float], now: Mapping[str, float]) -> bool:
    """Whether a budget is as narrow as another: dollars and tokens are not compared."""
    return bool(found) and all(name in found and found[name] <= now[name] for name in now)


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


_READERS: dict[str, Callable[[Any], Any]] = {
    "model": _optional,
    "api_base": _optional,
    "sandbox": _text,  # create_executor knows the names, third parties' among them, and says so
    "approve": _one_of(lambda: MODES),
    "python": _one_of(lambda: ("full", "guarded", "auto")),
    "imports": _modules,
    "installs": _one_of(lambda: INSTALLS),
    "allow_hosts": _hosts,
    "credentials": _credentials,
    "max_steps": _number(int, 1),
    "stop_after": _number(int, 0),
    "timeout": _number(float, 0.1),
    "max_output": _number(int, 100),
    "memory": _number(int, 64),
    "work_folder": _one_of(lambda: ("writable", "read-only")),
    "session": _session,
    "instructions": _text,
    "structured": _yes_or_no,
    "budget": _budget,
    "context": _one_of(lambda: CONTEXTS),
    "output_checks": _checks,
    "rollback": _one_of(lambda: ("off", "on-error")),
    "otel": _one_of(lambda: ("on", "off", "auto")),
    "log": _one_of(lambda: ("json", "text", "off")),
}


# --- The options of a task, in a cell and on the command line: one table, read by argparse, printed by ``%%agent?``.


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of one ``%%agent`` line. ``settings`` overrides the configured settings."""

    settings: dict[str, Any]
    variables: tuple[str, ...]
    out: str | None
    pull: tuple[str, ...]
    files: tuple[str, ...]
    read_only: bool
    tools: tuple[str, ...]
    mcp: tuple[str, ...]
    record: str | None
    replay: str | None
    contract: str | None
    new: bool
    background: bool

    def after(self, last: Options | None) -> Options:
        """These options of ``%agent resume``; the others are as in the cell that is continued.

        If no such cell was run in this kernel (``last`` is None), they may hand in variables and files again.

        Raises:
            SetupError: they hand in variables or ask for a fresh session, which a run that goes on cannot take.
        """
        if last is None and not self.new:
            return self
        if last is None or self.variables or self.files or self.new:
            raise SetupError(
                "%agent resume continues the run with its own inputs: leave out --in, --file and --new, or give a task with %%agent"
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
    """The options of ``%%agent``; its ``format_help()`` is the magic's documentation."""
    made = _Parser(
        prog="%%agent", add_help=False, allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    _add_options(made)
    return made


def add_options(made: argparse.ArgumentParser) -> None:
    """Add the options of a task that need no notebook."""
    _add_options(made, notebook=False)
    made.set_defaults(variables=None, out=None, pull=None, new=False, background=False, context=None)


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
"""Help of ``--model``, ``--tool``, ``--mcp`` and ``--session``."""


def _add_options(made: argparse.ArgumentParser, *, notebook: bool = True) -> None:
    add = made.add_argument
    model, tool, mcp, session = _IN_A_CELL if notebook else _AT_A_SHELL
    add("-m", "--model", metavar="NAME", help=model)
    add("--api-base", metavar="URL", help="OpenAI-compatible endpoint, with -m openai/…")
    add("-s", "--sandbox", metavar="NAME", help="where the code runs (default: local)")
    add("-a", "--approve", metavar="MODE", help="ask, risky, auto or deny (default: ask every step)")
    if notebook:
        _add_options_of_notebooks(made)
    add(
        "-f",
        "--file",
        dest="files",
        metavar="PATH",
        action="append",
        help="files and folders the code may read, as copies at the same names in its work folder",
    )
    add("--read-only", action="store_true", help="what -f names is mounted where it is, of any size, and not copied")
    add(
        "--python",
        metavar="LEVEL",
        help="full, guarded or auto (default: full if the sandbox's walls stand, else guarded)",
    )
    add(
        "--imports",
        metavar="A,B.*",
        action="append",
        help="modules the code may import as well, or @data, @math, @text, @web; the level is then guarded",
    )
    _add_options_of_hosts(made)
    add("--installs", metavar="MODE", help="packages that the code lacks: ask, auto or never (default: ask)")
    add(
        "--check",
        metavar="NAME",
        action="append",
        help="output checks besides secrets: personal_data looks for it in what the model is sent, the answer and saved files",
    )
    add("-t", "--tool", dest="tools", metavar="NAME", action="append", help=tool)
    add("--mcp", metavar="SPEC", action="append", help=mcp)
    add(
        "--budget",
        metavar="LIMIT",
        help="what a run may spend before you are asked: '$0.50' or 100k tokens (default: any amount)",
    )
    add("--max-steps", metavar="N", help="replies that may propose code (default: 20)")
    add(
        "--stop-after",
        metavar="N",
        help="the same error so many times ends the run, with what was tried (default: never)",
    )
    add("--timeout", metavar="S", help="seconds a step may take (default: 60)")
    add("--max-output", metavar="N", help="characters of output kept per step (default: 20000)")
    add("--memory", metavar="MB", help="memory of the sandbox (default: 2048)")
    add("--rollback", metavar="MODE", help="on-error takes back what a failed step changed (default: off)")
    add("--session", metavar="NAME", help=session)
    add("--record", metavar="FILE", help="keep the model's replies in this file")
    add("--replay", metavar="FILE", help="answer from such a file: no network, no key")
    add("--contract", metavar="FILE", help="a run that may do more than this file allows does not start")


def _add_options_of_hosts(made: argparse.ArgumentParser) -> None:
    add = made.add_argument
    add(
        "--allow-host",
        dest="allow_hosts",
        metavar="NAME",
        action="append",
        help="a host the code may connect to (api.example.org, '*.data.gov', localhost:8080): a way out for data",
    )
    add(
        "--credential",
        dest="credentials",
        metavar="NAME@HOST",
        action="append",
        help="fill in the environment variable NAME in requests to HOST, outside of the sandbox; the code sees a placeholder",
    )


def _add_options_of_notebooks(made: argparse.ArgumentParser) -> None:
    add = made.add_argument
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
    add(
        "--context",
        metavar="WHAT",
        help="what the model is sent of the notebook: none, cells or outputs (default: ask)",
    )
    add("--new", action="store_true", help="start the session afresh")
    add("--background", action="store_true", help="the cell returns at once; the run goes on")


def effective_settings(options: Options, config: Mapping[str, Any] | None = None, source: str = "the cell") -> Settings:
    """The settings of a task with these options, the data libraries that are installed among the imports.

    Imports that were given choose the level guarded, unless a level was chosen.
    """
    settings = resolve(options.settings, config, source)
    check_allowed(settings)
    if settings.sandbox == "local":
        for given in (options.settings, config or {}):
            check_installed(names_of(given.get("imports") or ()), options.files)
    return settings.with_values(level_and_imports(settings), source)


def level_and_imports(settings: Settings) -> dict[str, Any]:
    """The level of Python and the imports that these settings mean: the data libraries that are installed are among the imports."""
    from smolcell.worker.guard.tables import DATA_IMPORTS

    allows = current().allows
    installed = (name for name in DATA_IMPORTS if is_installed(name.removesuffix(".*")) and allows("imports", name))
    level = "guarded" if settings.imports and settings.python == "auto" else settings.python
    return {"imports": tuple(dict.fromkeys([*installed, *settings.imports])), "python": level}


def as_allowed(settings: Settings) -> Settings:
    """The settings as far as the policy allows them, for code that runs elsewhere than where they were chosen.

    Raises:
        SetupError: the policy does not allow their model, sandbox or imports.
    """
    check_allowed(settings)
    return _within_policy(settings, {})


def check_installed(imports: Iterable[str], files: Iterable[str] = ()) -> None:
    """Raise ``SetupError`` for a module that this Python cannot import, which is the one of local sandboxes.

    Args:
        imports: as ``--imports`` takes them.
        files: given to the code, which may import them.
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


def own_tools(names: Iterable[str]) -> list[Any]:
    """The tools that come with smolcell, by name.

    Raises:
        SetupError: there is no setting of such a name.
    """
    from smolcell.tools.builtin import DEFAULT_TOOLS

    for name in names:
        if name not in DEFAULT_TOOLS:
            raise SetupError(
                f"--tool {name}: there is no such tool; those that come along are: {', '.join(sorted(DEFAULT_TOOLS))}. "
                "For functions of your own, use %%agent in a notebook, CodeAgent in Python, or --mcp"
            )
    return [DEFAULT_TOOLS[name]() for name in names]


_PARSER = parser()
_SETTINGS = (
    "model",
    "api_base",
    "sandbox",
    "approve",
    "python",
    "installs",
    "budget",
    "max_steps",
    "stop_after",
    "timeout",
    "max_output",
    "memory",
    "session",
    "context",
    "rollback",
)


def read_line(line: str) -> Options:
    """Read an option line.

    Raises:
        SetupError: an option is unknown, lacks its value, or names no valid variable; the message lists what there is.
    """
    try:
        words = shlex.split(line, posix=os.name != "nt")
    except ValueError as error:
        raise SetupError(f"%%agent: the option line cannot be read: {error}. Close every quote") from None
    return read_options(_PARSER.parse_args(words))


def read_options(given: argparse.Namespace) -> Options:
    """The options read from an option line or a command line.

    Raises:
        SetupError: an option names no valid variable.
    """
    settings = {name: getattr(given, name) for name in _SETTINGS if getattr(given, name) is not None}
    if given.imports:
        settings["imports"] = ",".join(names_of(given.imports))
    if given.allow_hosts:
        settings["allow_hosts"] = ",".join(names_of(given.allow_hosts))
    if given.credentials:
        settings["credentials"] = ",".join(names_of(given.credentials))
    if given.check:
        settings["output_checks"] = ",".join(names_of(given.check))
    if given.out is not None:
        _identifier("--out", given.out)
    named = [(f"--{name}", [getattr(given, name)]) for name in ("record", "replay", "contract")]
    for option, paths in (("--file", given.files), *named):
        if any(path is not None and not path.strip() for path in paths or ()):
            raise SetupError(f"{option} takes the name of a file, not an empty one")
    if given.read_only and not given.files:
        raise SetupError("--read-only is about what -f names: name the folder, for example -f data --read-only")
    return Options(
        settings=settings,
        variables=_identifiers("--in", given.variables),
        out=given.out,
        pull=_identifiers("--pull", given.pull),
        files=tuple(given.files or ()),
        read_only=given.read_only,
        tools=_identifiers("--tool", given.tools),
        mcp=tuple(given.mcp or ()),
        record=given.record,
        replay=given.replay,
        contract=given.contract,
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
