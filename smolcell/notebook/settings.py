"""Settings: an option, else ``%agent config``, else the environment, else ``smolcell.toml``, else a default.

One table lists every setting: its name, its type, where it can be set, and its valid values. Every error names the setting, the place
of the bad value, and valid values.
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

from smolcell.approval.gates import MODES
from smolcell.approval.policy import current
from smolcell.core.redaction import redact
from smolcell.errors import SetupError
from smolcell.machine.config_files import is_file, is_trusted, load, projects_file, users_file, warn_left_out
from smolcell.machine.environment import DECIDING, is_installed, startup_value
from smolcell.models import is_at_its_provider

MAX_SESSION_NAME_CHARS = 80  # characters of a session's name


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
        """Return these settings with some values replaced.

        If ``model`` is replaced, an ``api_base`` that was set before is dropped, except for ``openai/…``: it belonged to another model, and
        the new provider's key must not be sent there.

        Args:
            source: their origin, for error messages.

        Raises:
            SetupError: a name or a value is not valid.
        """
        changed = {name: read(name, value, source) for name, value in values.items()}
        if "output_checks" in changed:  # output checks of all places apply
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
    """Return the settings in force, from all places; nearer places override. ``source``: the place of the options.

    Raises:
        SetupError: a place has an invalid name or value; the message says which.
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
    """Return the settings, narrowed to the policy. ``chosen``: the place of each setting that a person asked for now.

    Raises:
        SetupError: one of these exceeds the policy.
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


def with_local_model(settings: Settings) -> Settings:
    """Return the settings with the name of the model that ``local`` stands for."""
    from smolcell.models.local import LOCAL, with_local

    return (
        replace(settings, model=with_local(settings.model)) if settings.model and LOCAL in settings.model else settings
    )


def check_allowed(settings: Settings) -> None:
    """Check the sandbox, the model and the imports of a task against the policy.

    Raises:
        SetupError: one is not allowed; the message names the file and line of the policy.
    """
    policy, settings = current(), with_local_model(settings)
    policy.check("sandboxes", [settings.sandbox], "--sandbox {} is not allowed")
    models = [name.strip() for name in (settings.model or "").split(",") if name.strip()]
    policy.check("models", models, "--model {} is not allowed")
    policy.check("imports", settings.imports, "--imports {} is not allowed")
    policy.check("hosts", settings.allow_hosts, "--allow-host {} is not allowed")


def where_set(name: str, config: Mapping[str, Any] | None = None) -> str:
    """Return the nearest place that sets a setting, except the cell; "" if it has its default value."""
    if name in (config or {}):
        return "%agent config"
    if name in dict(environment()):
        return f"SMOLCELL_{name.upper()}"
    places = [
        path
        for path, values in files()
        if name in values and (is_trusted(path) or _may_set(name, read(name, values[name]), Settings()))
    ]
    return str(places[-1]) if places else ""


def read(name: str, value: Any, source: str = "the cell") -> Any:
    """Convert a value to its setting's type.

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
        Settings().with_values(values, str(project))
    except SetupError as error:
        if project.parent == here:
            raise
        warnings.warn(f"{error}: the file is ignored, as it is in a parent folder", stacklevel=2)
    else:
        yield project, values


def _without_policy(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a file. Its table ``[policy]`` is read by ``smolcell.approval.policy``."""
    return {name: value for name, value in values.items() if name != "policy"}


def _narrowing(path: Path, values: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    """Return the values of a project's file that may be used: a provider's model, and stricter limits and approval. Reports the others."""
    allowed: dict[str, Any] = {}
    for name, value in values.items():
        if _may_set(name, read(name, value, str(path)), settings):
            allowed[name] = value
    left = [name for name in values if name not in allowed]
    if left:
        warn_left_out(path, f"is not trusted to set {', '.join(left)}")
    return allowed


def _any_value(value: Any, now: Any) -> bool:
    return True


def _may_set(name: str, value: Any, settings: Settings) -> bool:
    return name in _HARMLESS and _HARMLESS[name](value, getattr(settings, name))


_Narrower = Callable[[Any, Any], bool]
_STRICTNESS = ("auto", "risky", "ask", "deny")
CHECKS = ("secrets", "personal_data")
"""Output checks without arguments, by their names in ``smolcell.output_checks``."""
INSTALLS = ("auto", "ask", "never")  # from loosest to strictest
CONTEXTS = ("none", "ask", "cells", "outputs")  # from strictest to loosest
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
    """Return a list of names from a comma-separated text, a sequence of such texts, or a TOML array."""
    parts = value.split(",") if isinstance(value, str) else [name for part in value for name in _text(part).split(",")]
    return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))


def _hosts(value: Any) -> tuple[str, ...]:
    from smolcell.core.hosts import Hosts

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
    if not name.strip() or len(name) > MAX_SESSION_NAME_CHARS:
        raise ValueError(f"expected a name of 1 to {MAX_SESSION_NAME_CHARS} characters")
    return name


_BUDGET = re.compile(r"(?P<dollars>\$)?(?P<number>\d+(\.\d+)?|\.\d+)(?P<unit>[km]?)", re.ASCII | re.IGNORECASE)


def _budget(value: Any) -> str:
    text = _text(value).strip()
    if text and not all(budget_limit(text).values()):
        raise ValueError("expected dollars in single quotes, such as '$0.50', or tokens, such as 100k")
    return text


def budget_limit(budget: str) -> dict[str, Any]:
    """Return a ``budget`` setting as an argument of ``Budget``: ``cost`` in dollars, or ``tokens``, 0 if it is not valid; {} for none."""
    if not budget:
        return {}
    match = _BUDGET.fullmatch(budget.strip())
    amount = float(match["number"]) * {"": 1, "k": 1e3, "m": 1e6}[match["unit"].lower()] if match else 0.0
    amount = amount if amount < 1e12 else 0.0
    return {"cost": amount} if match and match["dollars"] else {"tokens": int(amount)}


def _is_within(limits: Mapping[str, float], now: Mapping[str, float]) -> bool:
    """Return whether a budget is not larger than another; dollars and tokens cannot be compared."""
    return bool(limits) and all(name in limits and limits[name] <= now[name] for name in now)


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


_READERS: dict[str, Callable[[Any], Any]] = {
    "model": _optional,
    "api_base": _optional,
    "sandbox": _text,  # checked by create_executor, which knows other packages' names, too
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


# --- The options of a task, in a cell and on the command line: one table, parsed by argparse, shown by ``%%agent?``.


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
    best_effort: bool

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
    _add_options(parser)
    return parser


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a task that need no notebook."""
    _add_options(parser, notebook=False)
    parser.set_defaults(
        variables=None, out=None, pull=None, new=False, background=False, best_effort=False, context=None
    )


_IN_A_CELL = (
    "provider/model, such as openai/gpt-4.1 (default: set by %%agent config, else found on this machine)",
    "functions of the notebook, or included tools (web_search, …), that the code may call; they run in the notebook, not in the sandbox",
    "an MCP server whose tools the code may call: its URL, its command line in quotes, or the notebook's name for it",
    "the session that the task continues or starts (default: the session named default)",
)
_AT_A_SHELL = (
    "provider/model, such as openai/gpt-4.1 (default: found on this machine)",
    "included tools (web_search, …) that the code may call; they run on this machine, not in the sandbox",
    "an MCP server whose tools the code may call: its URL, or its command line in quotes",
    "the name that the journal gets (default: default); each command begins with an empty memory",
)
"""Help texts of ``--model``, ``--tool``, ``--mcp`` and ``--session``."""


def _add_options(parser: argparse.ArgumentParser, *, notebook: bool = True) -> None:
    add = parser.add_argument
    model, tool, mcp, session = _IN_A_CELL if notebook else _AT_A_SHELL
    add("-m", "--model", metavar="NAME", help=model)
    add("--api-base", metavar="URL", help="the URL of an OpenAI-compatible server, with -m openai/…")
    add(
        "-s",
        "--sandbox",
        metavar="NAME",
        help="where the code runs: local, docker, wasm, e2b, modal or blaxel (default: local)",
    )
    add(
        "-a",
        "--approve",
        metavar="MODE",
        help="what you approve: ask (every step), risky (steps with a risk), auto (nothing); deny refuses all steps (default: ask)",
    )
    if notebook:
        _add_options_of_notebooks(parser)
    _add_options_of_sandboxes(parser)
    add(
        "--check",
        metavar="NAME",
        action="append",
        help="a check besides the one for secrets: personal_data looks at what the model is sent, the answer and saved files",
    )
    add("-t", "--tool", dest="tools", metavar="NAME", action="append", help=tool)
    add("--mcp", metavar="SPEC", action="append", help=mcp)
    _add_limits(parser)
    add("--rollback", metavar="MODE", help="on-error undoes the changes of a step that fails (default: off)")
    add("--session", metavar="NAME", help=session)
    add("--record", metavar="FILE", help="save the model's replies in this file, for --replay")
    add("--replay", metavar="FILE", help="take the model's replies from a file of --record: no network, no key")
    add("--contract", metavar="FILE", help="do not start a run that may do more than this file allows")


def _add_options_of_sandboxes(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "-f",
        "--file",
        dest="files",
        metavar="PATH",
        action="append",
        help="files and folders that the code may read; they are copied into the sandbox's work folder under the same names",
    )
    add(
        "--read-only",
        action="store_true",
        help="with -f: mount the files or folders read-only instead of copying them; for data of any size",
    )
    add(
        "--python",
        metavar="LEVEL",
        help="full (walls limit the code), guarded (imports and attributes are checked, too) or auto (full if the walls stand; default)",
    )
    add(
        "--imports",
        metavar="A,B.*",
        action="append",
        help="further modules that the code may import, or one of the lists @data, @math, @text and @web; selects --python guarded",
    )
    _add_options_of_hosts(parser)
    add(
        "--installs",
        metavar="MODE",
        help="whether packages that the code needs are installed in the sandbox: ask (you are asked), auto or never (default: ask)",
    )


def _add_limits(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--budget",
        metavar="LIMIT",
        help="what a run may cost before you are asked: dollars such as '$0.50', or tokens such as 100k (default: no limit)",
    )
    add("--max-steps", metavar="N", help="steps that a run may have (default: 20)")
    add("--stop-after", metavar="N", help="end the run after the same error N times (default: never)")
    add("--timeout", metavar="S", help="seconds a step may take (default: 60)")
    add("--max-output", metavar="N", help="characters of output kept per step (default: 20000)")
    add("--memory", metavar="MB", help="memory of the sandbox (default: 2048)")


def _add_options_of_hosts(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--allow-host",
        dest="allow_hosts",
        metavar="NAME",
        action="append",
        help="a host the code may connect to (api.example.org, '*.data.gov', localhost:8080): the code can send data there",
    )
    add(
        "--credential",
        dest="credentials",
        metavar="NAME@HOST",
        action="append",
        help="add the value of the environment variable NAME to requests to HOST, outside of the sandbox; the code sees only a placeholder",
    )


def _add_options_of_notebooks(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "-i",
        "--in",
        dest="variables",
        metavar="NAME",
        action="append",
        help="notebook variables that are copied into the sandbox; @name in the task does the same",
    )
    add("-o", "--out", metavar="NAME", help="the notebook variable that gets the answer")
    add(
        "--pull",
        metavar="NAME",
        action="append",
        help="variables of the sandbox that are copied into the notebook after the run",
    )
    add(
        "--context",
        metavar="WHAT",
        help="what the model is told of the notebook: none, cells, or outputs (cells with their outputs) (default: you are asked)",
    )
    add(
        "--best-effort",
        action="store_true",
        help="at the step limit, take what the model wrote last as the answer (default: an error)",
    )
    add("--new", action="store_true", help="start a new session")
    add("--background", action="store_true", help="return at once; the run continues in the background")


def effective_settings(options: Options, config: Mapping[str, Any] | None = None, source: str = "the cell") -> Settings:
    """Return the settings of a task with these options. Installed data libraries are added to the imports.

    Given imports select the level guarded, unless a level was chosen.
    """
    settings = with_local_model(resolve(options.settings, config, source))
    check_allowed(settings)
    if settings.sandbox == "local":
        for given in (options.settings, config or {}):
            check_installed(names_of(given.get("imports") or ()), options.files)
    return settings.with_values(level_and_imports(settings), source)


def level_and_imports(settings: Settings) -> dict[str, Any]:
    """Return the level of Python and the imports of these settings. Installed data libraries are added to the imports."""
    from smolcell.worker.guard.tables import DATA_IMPORTS

    allows = current().allows
    installed = (name for name in DATA_IMPORTS if is_installed(name.removesuffix(".*")) and allows("imports", name))
    level = "guarded" if settings.imports and settings.python == "auto" else settings.python
    return {"imports": tuple(dict.fromkeys([*installed, *settings.imports])), "python": level}


def as_allowed(settings: Settings) -> Settings:
    """Return the settings, narrowed to the policy, for code that runs elsewhere.

    Raises:
        SetupError: the policy does not allow their model, sandbox or imports.
    """
    check_allowed(settings)
    return _within_policy(settings, {})


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


def own_tools(names: Iterable[str]) -> list[Any]:
    """Return smolcell's included tools, by name.

    Raises:
        SetupError: there is no tool of such a name.
    """
    from smolcell.tools.builtin import DEFAULT_TOOLS

    for name in names:
        if name not in DEFAULT_TOOLS:
            raise SetupError(
                f"--tool {name}: there is no such tool; included tools are: {', '.join(sorted(DEFAULT_TOOLS))}. "
                "For your own functions, use %%agent in a notebook, CodeAgent in Python, or --mcp"
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
        raise SetupError("--read-only applies to -f: name the folder, for example -f data --read-only")
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
        best_effort=given.best_effort,
    )


def _identifiers(option: str, given: list[str] | None) -> tuple[str, ...]:
    names = names_of(given or ())
    for name in names:
        _identifier(option, name)
    return names


def _identifier(option: str, name: str) -> None:
    if not name.isidentifier() or keyword.iskeyword(name):
        raise SetupError(f"{option} takes the name of a variable, not {name!r}")
