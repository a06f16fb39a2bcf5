"""What an agent is, as plain data: ``AgentSpec``.

Each field of ``AgentSpec`` and of ``TaskOptions`` is one row: its name, type and default, how a value is read, its option, and what it
is for. The option line, the command line, settings files, the environment, completion and the reference pages are made from these rows.
Every error names the setting, the place of the bad value, and valid values.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import keyword
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Self

from smolcell.core.hosts import Hosts, read_credentials
from smolcell.core.redaction import redact
from smolcell.errors import SetupError
from smolcell.worker.guard.imports import expand

MAX_SESSION_NAME_CHARS = 80  # characters of a session's name
MODES = ("ask", "risky", "auto", "deny")
CHECKS = ("secrets", "personal_data")
"""Output checks without arguments, by their names in ``smolcell.output_checks``."""
INSTALLS = ("auto", "ask", "never")  # from loosest to strictest
ROLLBACKS = ("off", "on-error")
CONTEXTS = ("none", "ask", "cells", "outputs")  # from strictest to loosest
_STRICTNESS = ("auto", "risky", "ask", "deny")
_MAX_NUMBER = 1e12


# --- reading values


@dataclass(frozen=True, slots=True)
class OneOf:
    """Reads one of these words; ``word:more`` counts as ``word``."""

    words: tuple[str, ...]

    def __call__(self, value: Any) -> str:
        word = _text(value)
        if word.partition(":")[0] not in self.words:
            raise ValueError(f"valid values are: {', '.join(self.words)}")
        return word


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("expected text")
    return value


def _optional(value: Any) -> str | None:
    return None if value is None else _text(value) or None


def _number(kind: type[int] | type[float], least: float) -> Callable[[Any], Any]:
    def check(value: Any) -> float:
        if isinstance(value, bool):
            raise TypeError("expected a number")
        try:
            number = kind(value)
        except (TypeError, ValueError):
            raise ValueError(f"expected a number, at least {least:g}") from None
        if not least <= number < _MAX_NUMBER:
            raise ValueError(f"expected a number, at least {least:g}")
        return number

    return check


def _interval(value: Any) -> int | None:
    return None if value is None else int(_number(int, 1)(value))


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
    return Hosts(names_of(value)).names


def _credentials(value: Any) -> tuple[str, ...]:
    read_credentials(names := names_of(value))
    return names


def _modules(value: Any) -> tuple[str, ...]:
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
    """Return a ``budget`` as an argument of ``Budget``: ``cost`` in dollars, or ``tokens``, 0 if it is not valid; {} for none."""
    if not budget:
        return {}
    match = _BUDGET.fullmatch(budget.strip())
    amount = float(match["number"]) * {"": 1, "k": 1e3, "m": 1e6}[match["unit"].lower()] if match else 0.0
    amount = amount if amount < _MAX_NUMBER else 0.0
    return {"cost": amount} if match and match["dollars"] else {"tokens": int(amount)}


def _tools(value: Any) -> tuple[str, ...]:
    return tuple(tool if isinstance(tool, str) else path_of(tool) for tool in _listed(value))


def _paths(value: Any) -> tuple[str, ...]:
    return tuple(str(path) for path in _listed(value))


def _listed(given: Any) -> tuple[Any, ...]:
    return (given,) if isinstance(given, str) or callable(given) else tuple(given)


def _answer_type(expected: Any) -> str:
    """Return the type of an answer as text: an import path, or a table's columns as JSON."""
    if isinstance(expected, Mapping):
        return json.dumps({str(name): getattr(dtype, "__name__", str(dtype)) for name, dtype in expected.items()})
    if not expected or isinstance(expected, str):
        if expected and not expected.startswith("{"):
            imported(expected)
        return expected or ""
    return path_of(expected)


def _variables(value: Any) -> tuple[str, ...]:
    return tuple(_variable(name) for name in names_of(value))


def _variable(name: str) -> str:
    if not name.isidentifier() or keyword.iskeyword(name):
        raise ValueError(f"takes the name of a variable, not {name!r}")
    return name


# --- the rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One row: how a field is read, and where it can be set.

    Attributes:
        read: converts a value; raises ``TypeError`` or ``ValueError``.
        flags: the options, the short one first; none if it is no option.
        value: what the option's value is called; "" if the option takes none.
        many: whether the option may be repeated.
        help: what the option is for.
        at_a_shell: the same on the command line; None: as ``help``; "": the option is for notebooks.
        meaning: what the setting is for, if that is not ``help``.
        kind: what completion offers: "variable" or "function" of the notebook, "path", or "".
        is_setting: whether ``%agent config``, files and the environment can set it.
        of_sandbox: whether it is about the sandbox: it then applies to later cells of the session.
        may_narrow: whether a project's file, which may be a stranger's, may set a value, given the value so far; None: it may not.
    """

    read: Callable[[Any], Any]
    flags: tuple[str, ...]
    value: str
    many: bool
    help: str
    at_a_shell: str | None
    meaning: str
    kind: str
    is_setting: bool
    of_sandbox: bool
    may_narrow: Callable[[Any, Any], bool] | None

    def add_to(self, parser: argparse.ArgumentParser, name: str, *, notebook: bool) -> None:
        """Add the option to a parser, or its default if it is for notebooks only."""
        if not self.flags:
            return
        if not notebook and self.at_a_shell == "":
            parser.set_defaults(**{name: False if not self.value else None})
            return
        text = self.help if notebook or self.at_a_shell is None else self.at_a_shell
        if not self.value:
            parser.add_argument(*self.flags, dest=name, action="store_true", help=text)
        else:
            action = "append" if self.many else "store"
            parser.add_argument(*self.flags, dest=name, metavar=self.value, action=action, help=text)


def _row(
    default: Any,
    read: Callable[[Any], Any],
    *flags: str,
    value: str = "",
    many: bool = False,
    help: str = "",  # noqa: A002 - as argparse calls it
    at_a_shell: str | None = None,
    meaning: str = "",
    kind: str = "",
    is_setting: bool = True,
    of_sandbox: bool = False,
    may_narrow: Callable[[Any, Any], bool] | None = None,
) -> Any:
    option = Option(
        read=read,
        flags=flags,
        value=value,
        many=many,
        help=help,
        at_a_shell=at_a_shell,
        meaning=meaning,
        kind=kind,
        is_setting=is_setting,
        of_sandbox=of_sandbox,
        may_narrow=may_narrow,
    )
    return field(default=default, metadata={"option": option})


def any_value(value: Any, now: Any) -> bool:
    """Allow a project's file to set any value."""
    return True


def _is_less(value: Any, now: Any) -> bool:
    return bool(value <= now)


def _is_within(budget: str, now: str) -> bool:
    """Return whether a budget is not larger than another; dollars and tokens cannot be compared."""
    limits, current = budget_limit(budget), budget_limit(now)
    return bool(limits) and all(name in limits and limits[name] <= current[name] for name in current)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSpec:
    """What an agent is, in seconds, megabytes and characters. It can be pickled and hashed; it has names only, no objects, keys or code.

    Args:
        tools: names of included tools, or functions by their import path, ``"package.module:function"``. A function object is
            replaced by its path.
        files: files and folders to copy into the sandbox of each task. Relative names are from the folder in which the job is started.
        read_only: mount the files instead of copying them.
        output_type: the type of each answer, by its import path, or the columns of a table as a mapping; ``""`` for any.
        replay: a recording that answers instead of a model; named like a file.

    The other arguments are the settings of ``%%agent``: ``model``, ``sandbox``, ``approve``, ``python``, ``max_steps``, …; and those of
    ``CodeAgent`` that are plain: ``name``, ``description``, ``planning_interval``, …

    Raises:
        SetupError: a value is not valid, or a tool or type cannot be imported by its path.
    """

    model: str | None = _row(
        None,
        _optional,
        "-m",
        "--model",
        value="NAME",
        help="provider/model, such as openai/gpt-4.1 (default: set by %%agent config, else found on this machine)",
        at_a_shell="provider/model, such as openai/gpt-4.1 (default: found on this machine)",
        meaning="provider/model; if not set, one that is found on this machine",
    )
    api_base: str | None = _row(
        None,
        _optional,
        "--api-base",
        value="URL",
        help="the URL of an OpenAI-compatible server, with -m openai/…",
    )
    sandbox: str = _row(
        "local",
        _text,  # checked by create_executor, which knows other packages' names, too
        "-s",
        "--sandbox",
        value="NAME",
        of_sandbox=True,
        help="where the code runs: local, docker, wasm, e2b, modal or blaxel (default: local)",
    )
    approve: str = _row(
        "ask",
        OneOf(MODES),
        "-a",
        "--approve",
        value="MODE",
        may_narrow=lambda found, now: _STRICTNESS.index(found) >= _STRICTNESS.index(now),
        help="what you approve: ask (every step), risky (steps with a risk), auto (nothing); deny refuses all steps (default: ask)",
    )
    context: str = _row(
        "ask",
        OneOf(CONTEXTS),
        "--context",
        value="WHAT",
        at_a_shell="",
        may_narrow=lambda found, now: CONTEXTS.index(found) <= CONTEXTS.index(now),
        help="what the model is told of the notebook: none, cells, or outputs (cells with their outputs) (default: you are asked)",
    )
    files: tuple[str, ...] = _row(
        (),
        _paths,
        "-f",
        "--file",
        value="PATH",
        many=True,
        kind="path",
        is_setting=False,
        help="files and folders that the code may read; they are copied into the sandbox's work folder under the same names",
    )
    read_only: bool = _row(
        False,
        _yes_or_no,
        "--read-only",
        is_setting=False,
        help="with -f: mount the files or folders read-only instead of copying them; for data of any size",
    )
    python: str = _row(
        "auto",
        OneOf(("full", "guarded", "auto")),
        "--python",
        value="LEVEL",
        of_sandbox=True,
        may_narrow=lambda found, now: found == "guarded",
        help="full (walls limit the code), guarded (imports and attributes are checked, too) or auto (full if the walls stand; default)",
    )
    imports: tuple[str, ...] = _row(
        (),
        _modules,
        "--imports",
        value="A,B.*",
        many=True,
        of_sandbox=True,
        help="further modules that the code may import, or one of the lists @data, @math, @text and @web; selects --python guarded",
    )
    allow_hosts: tuple[str, ...] = _row(
        (),
        _hosts,
        "--allow-host",
        value="NAME",
        many=True,
        of_sandbox=True,
        help="a host the code may connect to (api.example.org, '*.data.gov', localhost:8080): the code can send data there",
    )
    credentials: tuple[str, ...] = _row(
        (),
        _credentials,
        "--credential",
        value="NAME@HOST",
        many=True,
        of_sandbox=True,
        help="add the value of the environment variable NAME to requests to HOST, outside of the sandbox; the code sees only a placeholder",
    )
    installs: str = _row(
        "ask",
        OneOf(INSTALLS),
        "--installs",
        value="MODE",
        may_narrow=lambda found, now: INSTALLS.index(found) >= INSTALLS.index(now),
        help="whether packages that the code needs are installed in the sandbox: ask (you are asked), auto or never (default: ask)",
    )
    output_checks: tuple[str, ...] = _row(
        (),
        _checks,
        "--check",
        value="NAME",
        many=True,
        may_narrow=any_value,
        help="a check besides the one for secrets: personal_data looks at what the model is sent, the answer and saved files",
    )
    tools: tuple[str, ...] = _row(
        (),
        _tools,
        "-t",
        "--tool",
        value="NAME",
        many=True,
        kind="function",
        is_setting=False,
        help="functions of the notebook, or included tools (web_search, …), that the code may call; they run in the notebook, not in the "
        "sandbox",
        at_a_shell="included tools (web_search, …) that the code may call; they run on this machine, not in the sandbox",
    )
    budget: str = _row(
        "",
        _budget,
        "--budget",
        value="LIMIT",
        may_narrow=_is_within,
        help="what a run may cost before you are asked: dollars such as '$0.50', or tokens such as 100k (default: no limit)",
    )
    max_steps: int = _row(
        20,
        _number(int, 1),
        "--max-steps",
        value="N",
        may_narrow=_is_less,
        help="steps that a run may have (default: 20)",
    )
    stop_after: int = _row(
        0,
        _number(int, 0),
        "--stop-after",
        value="N",
        may_narrow=lambda found, now: found > 0 and (not now or found <= now),
        help="end the run after the same error N times (default: never)",
    )
    timeout: float = _row(
        60.0,
        _number(float, 0.1),
        "--timeout",
        value="S",
        of_sandbox=True,
        may_narrow=_is_less,
        help="seconds a step may take (default: 60)",
    )
    max_output: int = _row(
        20_000,
        _number(int, 100),
        "--max-output",
        value="N",
        of_sandbox=True,
        may_narrow=_is_less,
        help="characters of output kept per step (default: 20000)",
    )
    memory: int = _row(
        2048,
        _number(int, 64),
        "--memory",
        value="MB",
        of_sandbox=True,
        may_narrow=_is_less,
        help="memory of the sandbox (default: 2048)",
        meaning="megabytes that the code may allocate",
    )
    rollback: str = _row(
        "off",
        OneOf(ROLLBACKS),
        "--rollback",
        value="MODE",
        may_narrow=any_value,
        help="on-error undoes the changes of a step that fails (default: off)",
    )
    session: str = _row(
        "default",
        _session,
        "--session",
        value="NAME",
        may_narrow=any_value,
        help="the session that the task continues or starts (default: the session named default)",
        at_a_shell="the name that the journal gets (default: default); each command begins with an empty memory",
        meaning="the session that a task continues",
    )
    replay: str = _row(
        "",
        _text,
        "--replay",
        value="FILE",
        kind="path",
        is_setting=False,
        help="take the model's replies from a file of --record: no network, no key",
    )
    work_folder: str = _row(
        "writable",
        OneOf(("writable", "read-only")),
        of_sandbox=True,
        may_narrow=lambda found, now: found == "read-only",
        meaning="read-only keeps the code from changing the files that were handed in; in local on Linux",
    )
    instructions: str = _row("", _text, meaning="text that the model is sent with every task")
    structured: bool = _row(
        False,
        _yes_or_no,
        may_narrow=any_value,
        meaning="true asks the model for JSON objects: for small models that write prose instead of code",
    )
    otel: str = _row(
        "auto",
        OneOf(("on", "off", "auto")),
        meaning="on, off or auto: traces and metrics to an OpenTelemetry server; auto if OTEL_EXPORTER_OTLP_ENDPOINT names one",
    )
    log: str = _row("off", OneOf(("json", "text", "off")), meaning="json or text: a line for each event")
    output_type: Any = _row("", _answer_type, is_setting=False)  # noqa: RUF009 - a row
    name: str | None = _row(None, _optional, is_setting=False)
    description: str | None = _row(None, _optional, is_setting=False)
    planning_interval: int | None = _row(None, _interval, is_setting=False)
    provide_run_summary: bool = _row(False, _yes_or_no, is_setting=False)
    prompt_templates: tuple[tuple[str, str], ...] = _row((), lambda value: tuple(dict(value).items()), is_setting=False)
    walls: tuple[str, ...] = _row((), names_of, is_setting=False)

    def __post_init__(self) -> None:
        for each in fields(AgentSpec):
            name, value = each.name, getattr(self, each.name)
            if type(value) is type(each.default) and value == each.default:
                continue  # most are: a cell makes several specs
            if name == "imports" and isinstance(value, tuple):  # of an agent, which takes what the sandbox takes
                object.__setattr__(self, name, tuple(dict.fromkeys(expand(value))))
            elif value is not None:
                object.__setattr__(self, name, _read(each.metadata["option"], name, value, "AgentSpec"))

    def with_values(self, values: Mapping[str, Any], source: str) -> Self:
        """Return this spec with some settings replaced.

        If ``model`` is replaced, an ``api_base`` that was set before is dropped, except for ``openai/…``: it belonged to another model, and
        the new provider's key must not be sent there.

        Args:
            values: by the names of the settings.
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

    def shares_sandbox(self, other: AgentSpec) -> bool:
        """Return whether one sandbox can serve both: they differ in no option of sandboxes but the time limit, which can change."""
        return all(getattr(self, name) == getattr(other, name) for name in OF_SANDBOX if name != "timeout")

    @staticmethod
    def settings_names() -> tuple[str, ...]:
        """Return the arguments that are settings of ``%%agent``."""
        return NAMES

    @property
    def digest(self) -> str:
        """Return twelve hex digits that change with everything that can change an answer."""
        data = {name: value for name, value in asdict(self).items() if name not in _NOT_THE_ANSWER}
        data = {name: value for name, value in data.items() if name not in _LATER or value}
        return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:12]

    @property
    def expected(self) -> Any:
        """Return the type of the answers; None for any."""
        if not self.output_type:
            return None
        return json.loads(self.output_type) if self.output_type.startswith("{") else imported(self.output_type)

    @property
    def model_name(self) -> str | None:
        """The model's name for ``create_model``."""
        return f"replay:{self.replay}" if self.replay else self.model

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the spec that ``to_json`` returned. Unknown names are ignored."""
        known = {each.name for each in fields(cls)}
        return cls(**{name: value for name, value in data.items() if name in known})


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskOptions:
    """The options of one task that are not about its agent."""

    variables: tuple[str, ...] = _row(
        (),
        _variables,
        "-i",
        "--in",
        value="NAME",
        many=True,
        kind="variable",
        at_a_shell="",
        help="notebook variables that are copied into the sandbox; @name in the task does the same",
    )
    out: str | None = _row(
        None,
        _variable,
        "-o",
        "--out",
        value="NAME",
        kind="variable",
        at_a_shell="",
        help="the notebook variable that gets the answer",
    )
    pull: tuple[str, ...] = _row(
        (),
        _variables,
        "--pull",
        value="NAME",
        many=True,
        at_a_shell="",
        help="variables of the sandbox that are copied into the notebook after the run",
    )
    mcp: tuple[str, ...] = _row(
        (),
        tuple,
        "--mcp",
        value="SPEC",
        many=True,
        help="an MCP server whose tools the code may call: its URL, its command line in quotes, or the notebook's name for it",
        at_a_shell="an MCP server whose tools the code may call: its URL, or its command line in quotes",
    )
    record: str | None = _row(
        None,
        _optional,
        "--record",
        value="FILE",
        kind="path",
        help="save the model's replies in this file, for --replay",
    )
    contract: str | None = _row(
        None, _optional, "--contract", value="FILE", help="do not start a run that may do more than this file allows"
    )
    best_effort: bool = _row(
        False,
        _yes_or_no,
        "--best-effort",
        at_a_shell="",
        help="at the step limit, take what the model wrote last as the answer (default: an error)",
    )
    new: bool = _row(False, _yes_or_no, "--new", at_a_shell="", help="start a new session")
    background: bool = _row(
        False,
        _yes_or_no,
        "--background",
        at_a_shell="",
        help="return at once; the run continues in the background",
    )


def rows(kind: type[AgentSpec] | type[TaskOptions]) -> Iterator[tuple[str, Option]]:
    """Yield the rows of a class, with their names."""
    for each in fields(kind):
        yield each.name, each.metadata["option"]


def options() -> dict[str, Option]:
    """Return the rows with an option, by name."""
    return {name: row for kind in (AgentSpec, TaskOptions) for name, row in rows(kind) if row.flags}


SETTINGS: dict[str, Option] = {name: row for name, row in rows(AgentSpec) if row.is_setting}
NAMES = tuple(SETTINGS)
OF_SANDBOX = tuple(name for name, row in SETTINGS.items() if row.of_sandbox)
_NOT_THE_ANSWER = ("approve", "session", "otel", "log", "context", "installs")
"""Settings that cannot change an answer (approval, logging): finished rows stay valid if only these change."""
_LATER = ("name", "description", "planning_interval", "provide_run_summary", "prompt_templates", "walls")
"""Fields that the first digests did not have: rows finished then stay valid."""


def read(name: str, value: Any, source: str = "the cell") -> Any:
    """Convert a value to its setting's type.

    Raises:
        SetupError: there is no such setting, or the value is not valid for it.
    """
    if name not in SETTINGS:
        raise SetupError(f"unknown setting {name!r} in {source}; settings are: {', '.join(NAMES)}")
    return _read(SETTINGS[name], name, value, source)


def _read(option: Option, name: str, value: Any, source: str) -> Any:
    try:
        return option.read(value)
    except (TypeError, ValueError) as error:
        raise SetupError(f"{flag_of(name)} in {source} is {redact(repr(value))}: {error}") from None


def flag_of(name: str) -> str:
    """Return how a setting is written on the option line."""
    return "--" + name.replace("_", "-")


# --- names of objects


def path_of(function: Any) -> str:
    """Return the import path of a function, class or ``Tool``, ``module:name``; the name of an included tool.

    Raises:
        SetupError: it cannot be imported by that path.
    """
    if type(function).__module__ == "smolcell.tools.builtin":
        return str(function.name)
    path = f"{getattr(function, '__module__', '')}:{getattr(function, '__qualname__', type(function).__qualname__)}"
    try:
        imported_value = imported(path)
    except SetupError:
        imported_value = None
    if imported_value is None or function not in (imported_value, getattr(imported_value, "function", None)):
        raise SetupError(
            f"{function!r} cannot be imported as {path}: define it at the top of a module, and not in a notebook or another function"
        )
    return path


def imported(path: str) -> Any:
    """Import the object of a path ``module:name``.

    Raises:
        SetupError: it cannot be imported.
    """
    module, _, name = path.partition(":")
    try:
        value: Any = importlib.import_module(module)
        for part in name.split("."):
            value = getattr(value, part)
    except (ImportError, AttributeError, ValueError) as error:
        raise SetupError(f"{path!r} cannot be imported here ({error}): give package.module:name") from None
    return value
