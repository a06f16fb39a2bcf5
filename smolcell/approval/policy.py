"""Policy: the limits that an administrator, the user and a project set for agents. There are three layers; each can only narrow.

* ``FIELDS`` defines how the layers of each field combine. No other code compares two policies.
* Something is allowed if every layer allows it: globs are evaluated layer by layer and never merged.
* The administrator's file counts only if root alone can change it. A policy that cannot be read allows nothing: it is an error.
"""

from __future__ import annotations

import ast
import difflib
import os
import re
import stat
import tomllib
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from enum import Enum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

from smolcell.core.text import clip, visible
from smolcell.errors import SetupError
from smolcell.machine.config_files import projects_file, users_file
from smolcell.machine.environment import startup_value
from smolcell.worker.guard.tables import DEFAULT_IMPORTS

ADMINISTRATORS_FILE = Path("/etc/smolcell/policy.toml")
"""Always in force if it exists. A traitlet of the Jupyter server, or ``SMOLCELL_POLICY``, names an additional file."""
MAX_FILE_BYTES = 1 << 20
_UNITS = {"m": 60, "h": 3600, "d": 86400, "w": 604800}

# --- The fields, and the order of each.


class Order(Enum):
    """How the layers' values of a field combine."""

    ALLOWED = "allowed in every layer"
    LEAST = "the smallest number"
    STRICTEST = "the strictest"
    UNION = "all together"
    ADMINISTRATOR = "the administrator's, else the user's"


def _is_module_below(name: str, pattern: str) -> bool:
    """Return whether a module is the one of the pattern, or below it. ``*`` stands for every module, and only ``*`` allows it."""
    if name == "*" or pattern == "*":
        return pattern == "*"
    parts, wanted = name.removesuffix(".*").split("."), pattern.removesuffix(".*").split(".")
    return len(parts) >= len(wanted) and all(map(fnmatchcase, parts, wanted))


_PORT = re.compile(r"(?<!:):\d{1,5}$")


def _is_host(name: str, pattern: str) -> bool:
    if name == "*":  # the whole network
        return pattern == "*"
    if not _PORT.search(pattern):
        name = _PORT.sub("", name)
    return fnmatchcase(name.lower().rstrip("."), pattern.lower().rstrip("."))


def _is_sandbox(name: str, pattern: str) -> bool:
    """Return whether a pattern allows a sandbox: ``docker`` allows every image, ``docker:NAME`` only that one."""
    return fnmatchcase(name if ":" in pattern else name.partition(":")[0], pattern)


def _is_package(requirement: str, pattern: str) -> bool:
    from smolcell.core.packages import canonical, name_of

    return fnmatchcase(name_of(requirement), canonical(pattern))


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field of a policy.

    Args:
        order: how layers combine.
        setting: the setting that the field narrows.
        words: of ``STRICTEST``, the words from loosest to strictest; of ``UNION``, the valid words.
        matches: of ``ALLOWED``, returns whether a pattern allows a value.
        of: type of a number.
    """

    order: Order
    setting: str = ""
    words: tuple[str, ...] = ()
    matches: Callable[[str, str], bool] = fnmatchcase
    of: type[int] | type[float] = int


FIELDS: Mapping[str, Field] = {
    "sandboxes": Field(order=Order.ALLOWED, setting="sandbox", matches=_is_sandbox),
    "level": Field(order=Order.STRICTEST, setting="python", words=("full", "guarded")),
    "approval": Field(order=Order.STRICTEST, setting="approve", words=("auto", "risky", "ask", "deny")),
    "tools": Field(order=Order.STRICTEST, words=("auto", "ask", "deny")),
    "models": Field(order=Order.ALLOWED, setting="model"),
    "hosts": Field(order=Order.ALLOWED, setting="allow_hosts", matches=_is_host),
    "imports": Field(order=Order.ALLOWED, setting="imports", matches=_is_module_below),
    "installs": Field(order=Order.STRICTEST, setting="installs", words=("auto", "ask", "never")),
    "packages": Field(order=Order.ALLOWED, matches=_is_package),
    "indexes": Field(order=Order.ALLOWED, matches=_is_host),
    "limits.max_steps": Field(order=Order.LEAST, setting="max_steps"),
    "limits.timeout": Field(order=Order.LEAST, setting="timeout", of=float),
    "limits.max_output": Field(order=Order.LEAST, setting="max_output"),
    "limits.memory": Field(order=Order.LEAST, setting="memory"),
    "limits.tool_calls": Field(order=Order.LEAST),
    "limits.tool_timeout": Field(order=Order.LEAST, of=float),
    "budget.tokens": Field(order=Order.LEAST),
    "budget.cost": Field(order=Order.LEAST, of=float),
    "budget.steps": Field(order=Order.LEAST),
    "budget.seconds": Field(order=Order.LEAST, of=float),
    "context": Field(order=Order.STRICTEST, setting="context", words=("outputs", "cells", "none")),
    "output_checks": Field(order=Order.UNION, setting="output_checks", words=("secrets", "personal_data")),
    "telemetry_content": Field(order=Order.ADMINISTRATOR),
    "retention": Field(order=Order.ADMINISTRATOR),
}
"""All fields. ``limits.`` and ``budget.`` are tables of a file; ``tools`` is a table from a pattern of calls to their approval."""

_LEVEL, _IMPORTS, _TOOLS = "level", "imports", "tools"


# --- One layer: a file.


class ToolPattern(NamedTuple):
    """A pattern of tool calls: ``NAME``, or ``NAME(argument=GLOB, …)`` for matching arguments; ``*`` matches any text, also slashes."""

    name: str
    arguments: tuple[tuple[str, str], ...] = ()

    @classmethod
    def read(cls, text: str) -> ToolPattern:
        """Read a pattern.

        Raises:
            ValueError: it is not valid.
        """
        match = re.fullmatch(r"\s*([\w*?\[\]!-]+)\s*(?:\((.*)\))?\s*", text, re.DOTALL)
        given = re.split(r",\s*(?=\w+\s*=)", match[2]) if match and match[2] else []
        pairs = [part.partition("=") for part in given]
        if match is None or not all(equals and name.strip().isidentifier() for name, equals, _ in pairs):
            raise ValueError(f"{text!r} is not a pattern of calls; write NAME, or NAME(argument=GLOB, …)")
        return cls(match[1], tuple((name.strip(), glob) for name, _, glob in pairs))

    def __str__(self) -> str:
        given = ", ".join(f"{name}={glob}" for name, glob in self.arguments)
        return f"{self.name}({given})" if given else self.name

    def matches(self, name: str, arguments: Mapping[str, Any]) -> bool:
        """Return whether a call matches. Texts are compared unchanged, numbers as Python writes them; other values never match."""
        return fnmatchcase(name, self.name) and all(
            each in arguments and _is_plain(arguments[each]) and fnmatchcase(str(arguments[each]), glob)
            for each, glob in self.arguments
        )


def _is_plain(value: Any) -> bool:
    return type(value) in (str, int, float, bool, type(None))


@dataclass(frozen=True, slots=True)
class Layer:
    """One policy file.

    Args:
        who: "administrator", "user", "project" or "contract".
        path: the file.
        values: by field name.
        lines: line number of each field.
    """

    who: str
    path: str
    values: Mapping[str, Any]
    lines: Mapping[str, int] = field(default_factory=dict)

    def place(self, name: str) -> str:
        """Return FILE:LINE of a field."""
        known = self.lines.get(name) or self.lines.get(name.partition(".")[0])
        return f"{_short(self.path)}:{known}" if known else _short(self.path)


def _short(path: str) -> str:
    home = os.environ.get("HOME", "")
    return f"~{path[len(home) :]}" if len(home) > 1 and path.startswith(home.rstrip("/") + "/") else path


def read_layer(text: str, path: str, who: str) -> Layer:
    """Read a policy from a file's text.

    Args:
        who: the owner. A ``smolcell.toml`` holds settings, and a contract other tables, so only the table ``[policy]`` is read; any
            other file may have the fields without that table.

    Raises:
        SetupError: it is not valid; the message has a line for each fault.
    """
    layer, faults = _read(text, path, who)
    if faults:
        raise SetupError("\n".join(faults))
    return layer


def _read(text: str, path: str, who: str) -> tuple[Layer, list[str]]:
    try:
        whole = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        return Layer(who, path, {}), [f"{path} is no TOML: {error}"]
    lines = _lines(text)
    shared = who == "contract" or Path(path).name == "smolcell.toml"
    given = whole.get("policy", {} if shared else whole)
    if not isinstance(given, dict):
        return Layer(who, path, {}), [
            f"{path}:{lines.get('policy', 1)}: policy must be a table: write [policy] above its fields"
        ]
    found, faults = {}, []
    if given is not whole and not shared:
        outside = [name for name in whole if name != "policy"]
        faults += [f"{path}:{lines.get(name, 1)}: {visible(name)} is outside of [policy]" for name in outside]
    for name, value in _flat(given):
        try:
            found[name] = _value(name, value)
        except (TypeError, ValueError) as error:
            line = lines.get(name) or lines.get(name.partition(".")[0], 1)
            faults.append(f"{path}:{line}: {visible(clip(str(error), 500))}")
    return Layer(who, path, found, lines), faults


def _flat(given: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in given.items():
        if name in ("limits", "budget") and isinstance(value, dict):
            yield from ((f"{name}.{part}", each) for part, each in value.items())
        else:
            yield name, value


def _lines(text: str) -> dict[str, int]:
    """Return the line of each key, by its dotted name without ``policy.``."""
    lines: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        head = re.match(r"\s*\[\s*([^\[\]]+?)\s*\]\s*(?:#.*)?$", line)
        key = re.match(r"""\s*("[^"]*"|'[^']*'|[\w.-]+)\s*=""", line)
        if head:
            table = head[1].replace(" ", "").removeprefix("policy.")
            lines.setdefault(table, number)
            table = "" if table == "policy" else f"{table}."
        elif key:
            lines.setdefault(f"{table}{key[1].strip(chr(34) + chr(39))}".removeprefix("policy."), number)
    return lines


def _value(name: str, value: Any) -> Any:
    """Return a field's value as it is stored."""
    known = FIELDS.get(name)
    if known is None and name in ("limits", "budget"):
        raise TypeError(f"{name} must be a table: write [policy.{name}], and its fields below")
    if known is None:
        near = difflib.get_close_matches(name, FIELDS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"fields are: {', '.join(FIELDS)}"
        raise ValueError(f"there is no field {name!r}; {hint}")
    if name == _TOOLS:
        return _tools(value, known.words)
    match known.order:
        case Order.ALLOWED:
            return _names(name, value)
        case Order.UNION:
            return tuple(_one_of(name, each, known.words) for each in _names(name, value))
        case Order.LEAST:
            return _number(name, value, known.of)
        case Order.STRICTEST:
            return _one_of(name, value, known.words)
        case Order.ADMINISTRATOR:
            return _of_administrator(name, value)


def _names(name: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) and each.strip() for each in value):
        raise TypeError(f'{name} must be a list of names or globs, for example {name} = ["*"]')
    return tuple(each.strip() for each in value)


def _one_of(name: str, value: Any, words: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in words:
        raise ValueError(f"{name} is {value!r}; valid values are: {', '.join(words)}")
    return value


def _number(name: str, value: Any, of: type[int] | type[float]) -> float:
    if isinstance(value, bool) or not isinstance(value, int if of is int else int | float) or not 0 < value < 1e12:
        raise ValueError(f"{name} is {value!r}; it must be a {'whole ' * (of is int)}number above zero")
    return of(value)


def _tools(value: Any, words: tuple[str, ...]) -> tuple[tuple[ToolPattern, str], ...]:
    if not isinstance(value, dict):
        raise TypeError('tools must be a table: write [policy.tools], and below it lines such as "send_mail" = "ask"')
    return tuple((ToolPattern.read(name), _one_of(f"tools: {name}", each, words)) for name, each in value.items())


def _of_administrator(name: str, value: Any) -> Any:
    if name == "telemetry_content":
        if not isinstance(value, bool):
            raise TypeError("telemetry_content must be true or false")
        return value
    seconds(value if isinstance(value, str) else "")
    return value


def seconds(text: str) -> float:
    """Return the seconds of a duration such as ``30d``, ``12h``, ``90m``, ``2w``.

    Raises:
        ValueError: it is not valid.
    """
    match = re.fullmatch(r"(\d{1,6})([mhdw])", text.strip())
    if match is None:
        raise ValueError(f"retention is a duration such as 30d, 12h, 90m or 2w, not {text[:40]!r}")
    return float(int(match[1]) * _UNITS[match[2]])


# --- The result of the layers.


class Lock(NamedTuple):
    """A value in force, and the FILE:LINE that sets it."""

    value: Any
    place: str

    def __str__(self) -> str:
        return f"locked by {self.place}"


@dataclass(frozen=True, slots=True)
class Policy:
    """The policy in force.

    Args:
        layers: the administrator's first.
        remarks: notes about ignored files.
    """

    layers: tuple[Layer, ...] = ()
    remarks: tuple[str, ...] = ()

    def refusal(self, name: str, value: str) -> str:
        """Return why the layers do not allow a value of a list, with "locked by FILE:LINE"; "" if all allow it."""
        for layer in self.layers:
            patterns = layer.values.get(name)
            if patterns is not None and not any(FIELDS[name].matches(value, pattern) for pattern in patterns):
                allowed = clip(", ".join(patterns), 300) or "none"
                return f"locked by {layer.place(name)}, which allows: {visible(allowed)}"
        return ""

    def allows(self, name: str, value: str) -> bool:
        """Return whether every layer allows a value of a list."""
        return not self.refusal(name, value)

    def check(self, name: str, values: Iterable[str], message: str) -> None:
        """Check values against the list of a field.

        Args:
            message: the sentence about a forbidden value, with ``{}`` for it.

        Raises:
            SetupError: a layer does not allow one.
        """
        for value in values:
            if why := self.refusal(name, value):
                raise SetupError(f"{message.format(visible(value))}: {why}. See: smolcell policy explain")

    def lock(self, name: str) -> Lock | None:
        """Return the single value in force for a field; None if no layer sets it."""
        known = FIELDS[name]
        locks = [Lock(layer.values[name], layer.place(name)) for layer in self.layers if name in layer.values]
        if name == _LEVEL:  # only the guard can enforce a list of imports
            locks += [Lock("guarded", layer.place(_IMPORTS)) for layer in self.layers if _IMPORTS in layer.values]
        if known.order is Order.ADMINISTRATOR:
            locks = [
                Lock(layer.values[name], layer.place(name))
                for who in ("administrator", "user")
                for layer in self.layers
                if layer.who == who and name in layer.values
            ][:1]
        if not locks:
            return None
        match known.order:
            case Order.LEAST:
                return min(locks, key=lambda lock: float(lock.value))
            case Order.STRICTEST if name != _TOOLS:
                return max(locks, key=lambda lock: known.words.index(lock.value))
            case Order.UNION:
                together = dict.fromkeys(word for lock in locks for word in lock.value)
                return Lock(tuple(together), ", ".join(lock.place for lock in locks))
            case _:
                return locks[0]

    def narrow(self, setting: str, value: Any) -> tuple[Any, Lock | None]:
        """Return a setting's value as far as it is allowed, and the lock that narrowed it. Lists are checked by ``refusal`` instead."""
        name = next((name for name, known in FIELDS.items() if known.setting == setting), "")
        return self._narrow(name, value) if name else (value, None)

    def _narrow(self, name: str, value: Any) -> tuple[Any, Lock | None]:
        lock = self.lock(name)
        if lock is None:
            return value, None
        words = FIELDS[name].words
        match FIELDS[name].order:
            case Order.LEAST:
                return (lock.value, lock) if value is None or value > lock.value else (value, None)
            case Order.STRICTEST:  # an unknown word counts as the loosest
                looser = words.index(value) < words.index(lock.value) if value in words else lock.value != words[0]
                return (lock.value, lock) if looser else (value, None)
            case Order.UNION:
                missing = [word for word in lock.value if word not in value]
                return ((*value, *missing), lock) if missing else (value, None)
            case _:
                return value, None

    def excess(self, name: str, value: Any) -> str:
        """Return how a field's value exceeds these layers: the exceeding part, and the FILE:LINE; "" if it does not."""
        known = FIELDS[name]
        if known.order is Order.ALLOWED:
            refusals = {each: self.refusal(name, each) for each in value}
            return "; ".join(f"{name}: {visible(each)} is {why}" for each, why in refusals.items() if why)
        narrowed, lock = self._narrow(name, value)
        if lock is None:
            return ""
        if known.order is Order.UNION:
            return f"{name}: {', '.join(each for each in narrowed if each not in value)} is missing, {lock}"
        shown = "not limited" if value is None else visible(str(value))
        most = f"{lock.value} is the most" if known.order is Order.LEAST else f"{lock.value} or stricter is allowed"
        return f"{name} is {shown}, and {most}, {lock}"

    def least(self, name: str, value: float) -> float:
        """Return a number as far as it is allowed."""
        lock = self.lock(name)
        return value if lock is None else min(value, lock.value)

    def tool_approval(self, name: str, arguments: Mapping[str, Any]) -> Lock | None:
        """Return the approval that a call needs at least: "ask" or "deny"; None if no layer sets it.

        Within a layer, the first matching pattern counts; of the layers, the strictest.
        """
        strictest: Lock | None = None
        words = FIELDS[_TOOLS].words
        for layer in self.layers:
            for pattern, approval in layer.values.get(_TOOLS, ()):
                if pattern.matches(name, arguments):
                    if words.index(approval) > words.index(strictest.value if strictest else "auto"):
                        strictest = Lock(approval, layer.place(f"{_TOOLS}.{pattern}"))
                    break
        return strictest

    def budget(self) -> dict[str, float]:
        """Return the most that a run may use, by the names of ``Budget``."""
        locks = {name: self.lock(name) for name in FIELDS if name.startswith("budget.")}
        return {name.removeprefix("budget."): lock.value for name, lock in locks.items() if lock is not None}

    def budget_locks(self) -> list[Lock]:
        """Return the locks on the budget."""
        return [lock for name in FIELDS if name.startswith("budget.") and (lock := self.lock(name)) is not None]

    def locks(self) -> list[str]:
        """Return a text per field that is set, with its value and "locked by FILE:LINE"; one text for a contract as a whole."""
        contracts = [layer for layer in self.layers if layer.who == "contract"]
        rows = Policy(tuple(layer for layer in self.layers if layer not in contracts))._rows()
        permissions = [f"permissions of the run: locked by the contract {_short(layer.path)}" for layer in contracts]
        return [*(f"{name} {value}: locked by {place}" for name, value, place in rows), *permissions]

    def _rows(self) -> Iterator[tuple[str, str, str]]:
        for name, known in FIELDS.items():
            if known.order is Order.ALLOWED or name == _TOOLS:
                for layer in self.layers:
                    if name in layer.values:
                        yield name, _value_text(layer.values[name]), layer.place(name)
            elif lock := self.lock(name):
                yield name, _value_text(lock.value), lock.place

    def __str__(self) -> str:
        rows = [f"{name:<20} {value:<30} locked by {place}" for name, value, place in self._rows()]
        files = [f"{layer.who + ':':<15} {_short(layer.path)}" for layer in self.layers]
        return "\n".join([*(rows or ["no policy: nothing is locked"]), *files, *self.remarks])


def _value_text(value: Any) -> str:
    if isinstance(value, tuple):
        shown = (f"{each[0]}: {each[1]}" if isinstance(each, tuple) else each for each in value)
        return visible(clip(", ".join(shown), 300)) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


# --- The files in force.


_FileVersions = tuple[tuple[str, str, tuple[int, ...]], ...]
_known: tuple[_FileVersions, Policy] = ((), Policy())
_of_run: ContextVar[Policy | None] = ContextVar("smolcell.policy", default=None)


def current() -> Policy:
    """Return the policy in force: in a run that of its beginning, else that of the files, read again if they changed. Thread-safe.

    Raises:
        SetupError: a file is not valid; nothing is allowed until it is corrected.
    """
    return _of_run.get() or _stored()


def _stored() -> Policy:
    global _known
    files = tuple(_find_files())
    if files != _known[0]:
        _known = files, _load(files)
    return _known[1]


@contextmanager
def policy_of_run(contract: Layer | None = None) -> Iterator[None]:
    """Read the policy once for a run: for this block, and for tasks that are created in it.

    Args:
        contract: one more layer, in place of another contract's. A run within a run has the policy of that run.
    """
    policy = current()
    if contract is not None:
        layers = (layer for layer in policy.layers if layer.who != "contract")
        policy = replace(policy, layers=(*layers, contract))
    token = _of_run.set(policy)
    try:
        yield
    finally:
        _of_run.reset(token)


def _find_files() -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """Yield each file: its owner, its path, and a value that changes with it."""
    named = startup_value("SMOLCELL_POLICY")
    places: list[tuple[str, Path | None]] = [("administrator", ADMINISTRATORS_FILE)]
    places += [("administrator", Path(named))] if named and Path(named) != ADMINISTRATORS_FILE else []
    users = users_file()
    places.append(("user", users))
    try:
        project = projects_file(Path.cwd(), quiet=True)
    except OSError:  # the current folder was deleted
        project = None
    places += [("project", project)] if project != users else []
    for who, path in places:
        if path is None:
            continue
        try:
            status = path.stat()
            yield who, str(path), (status.st_mtime_ns, status.st_size, status.st_ino, status.st_mode, status.st_uid)
        except (FileNotFoundError, NotADirectoryError):
            if who == "administrator" and path != ADMINISTRATORS_FILE:
                raise SetupError(f"the policy {path} does not exist. Ask your administrator") from None
        except OSError as error:
            if who == "administrator":
                raise _unreadable(who, path, error) from None  # another user's HOME has no file of this user


def _unreadable(who: str, path: Path, error: OSError) -> SetupError:
    todo = "Ask your administrator" if who == "administrator" else "Correct or remove it"
    return SetupError(f"the policy {path} cannot be read: {error.strerror}. {todo}")


def _load(files: _FileVersions) -> Policy:
    layers, remarks = [], []
    for who, path, _ in files:
        if who == "administrator" and (why := not_only_roots(Path(path))):
            remarks.append(f"{path} is not used as a policy: {why}. Type as root: chown root {path}; chmod go-w {path}")
            warnings.warn(remarks[-1], stacklevel=4)
            continue
        try:
            with Path(path).open("rb") as file:
                text = file.read(MAX_FILE_BYTES + 1)
        except OSError as error:
            raise _unreadable(who, Path(path), error) from None
        if len(text) > MAX_FILE_BYTES:
            raise SetupError(f"the policy {path} is longer than {MAX_FILE_BYTES:,} bytes")
        layer, faults = _read(text.decode("utf-8", "replace"), path, who)
        if faults and not (who == "project" and _is_no_toml(text)):  # reading the settings reports this
            check = f"smolcell policy check {path}"
            raise SetupError(
                f"the policy of {who} is not valid, and nothing is allowed until it is: {faults[0]}. Type: {check}"
            )
        if layer.values:
            layers.append(layer)
    return Policy(tuple(layers), tuple(remarks))


def _is_no_toml(text: bytes) -> bool:
    try:
        tomllib.loads(text.decode("utf-8"))
    except (ValueError, RecursionError):
        return True
    return False


def not_only_roots(path: Path) -> str:
    """Return why a file could be changed or replaced by other users than root; "" if it cannot."""
    if os.name == "nt":
        return "on Windows it is not known who can change it"
    real = path.resolve()
    for each in dict.fromkeys([real, path.absolute(), *real.parents, *path.absolute().parents]):
        status = each.stat()
        if status.st_uid != 0:
            return f"{each} does not belong to root"
        shared = (
            stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_ISVTX
        )  # sticky: users cannot replace each other's files
        if status.st_mode & 0o022 and not shared:
            return f"{each} can be changed by other users"
        if os.geteuid() != 0 and not shared and os.access(each, os.W_OK):
            return f"{each} can be changed by you"
    return ""


# --- Explains policies: checks a file, and answers questions.


def check_file(path: Path) -> tuple[list[str], list[str]]:
    """Check a policy file. Returns its settings and its faults, one text each. It need not be in force.

    Raises:
        SetupError: the file cannot be read.
    """
    try:
        text = path.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise SetupError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    layer, faults = _read(text, str(path), "administrator")
    if path.absolute() == ADMINISTRATORS_FILE and (why := not_only_roots(path)):
        faults.append(f"{path} is not used as a policy: {why}")
    if not faults and not layer.values and path.name == "smolcell.toml":
        faults.append(f"{path} has no table [policy]")
    return [] if faults else Policy((layer,)).locks(), faults


_ASKED = {"install": "packages", "index": "indexes", "host": "hosts", "model": "models", "sandbox": "sandboxes"}


def explain(question: str, policy: Policy) -> str:
    """Explain whether the policy allows ``import NAME``, ``install NAME``, ``host NAME``, ``model NAME``, ``sandbox NAME``,
    ``NAME(argument='…')`` or ``setting=value``, and by which line.

    Raises:
        SetupError: the question is none of these.
    """
    question = question.strip()
    word, _, rest = question.partition(" ")
    if word in ("import", "from"):
        return _explained_imports(question, policy)
    if word in _ASKED and rest.strip():
        return _explained(question, policy, _ASKED[word], rest.strip())
    name, equals, value = question.partition("=")
    settings = {known.setting: field for field, known in FIELDS.items() if known.setting} | {
        name: name for name in FIELDS
    }
    if equals and name.strip() in settings:
        return _explained_setting(question, policy, settings[name.strip()], value.strip())
    if (call := read_call(question)) is not None:
        lock = policy.tool_approval(*call)
        mode = policy.lock("approval")
        ruling = f"{lock.value}, {lock}" if lock else "allowed: no policy mentions this call"
        return f"{question}: {ruling}" + (f"\n  approval is at least {mode.value}, {mode}" if mode else "")
    raise SetupError(
        f"{visible(question[:200])!r} is not a question about a policy. Ask for example: "
        "smolcell policy explain 'import requests', 'install seaborn', 'host example.org', 'model openai/gpt-4.1', "
        "'sandbox docker', 'approve=auto' or \"fetch(url='https://example.org')\""
    )


def _explained_imports(question: str, policy: Policy) -> str:
    try:
        (node,) = ast.parse(question).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise SetupError(
            f"{visible(question[:200])!r} is no import. Try: smolcell policy explain 'import requests'"
        ) from None
    if isinstance(node, ast.ImportFrom):
        names = [node.module or ""]
    else:
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
    return "\n".join(_explained(f"import {name}", policy, _IMPORTS, name) for name in names)


def is_default_import(name: str) -> bool:
    """Return whether a module is always authorised. Policies only restrict further modules."""
    return name in DEFAULT_IMPORTS


def _explained(question: str, policy: Policy, name: str, value: str) -> str:
    if name == _IMPORTS and is_default_import(value):
        return f"{question}: allowed, as one of the modules that are always authorised"
    lines = [
        f"  {layer.place(name)} allows {_value_text(layer.values[name])}: "
        f"{'yes' if any(FIELDS[name].matches(value, each) for each in layer.values[name]) else 'no'}"
        for layer in policy.layers
        if name in layer.values
    ]
    note = "\n  the guard also requires authorisation: %agent allow NAME, --imports NAME" * (name == _IMPORTS)
    if why := policy.refusal(name, value):
        return "\n".join([f"{question}: not allowed, {why.partition(',')[0]}", *lines])
    return "\n".join([f"{question}: allowed" + ("" if lines else f": no policy mentions {name}"), *lines]) + note


def _explained_setting(question: str, policy: Policy, name: str, value: str) -> str:
    known = FIELDS[name]
    if known.order is Order.ALLOWED:
        return _explained(question, policy, name, value)
    try:
        given: Any = (
            known.of(value) if known.order is Order.LEAST else (value,) if known.order is Order.UNION else value
        )
    except ValueError:
        raise SetupError(f"{name} is a number, not {visible(value[:80])!r}") from None
    lock = policy.lock(name)
    if lock is None:
        return f"{question}: allowed: no policy mentions {name}"
    if known.order is Order.ADMINISTRATOR:
        return f"{question}: {'allowed' if _value_text(lock.value) == value else 'not allowed'}: it is {_value_text(lock.value)}, {lock}"
    narrowed = policy.narrow(known.setting, given)[0] if known.setting else min(given, lock.value)
    if narrowed == given:
        return f"{question}: allowed; {_value_text(lock.value)} is {lock}"
    return f"{question}: not allowed, {_value_text(narrowed)} instead: {lock}"


def read_call(text: str) -> tuple[str, dict[str, Any]] | None:
    """Return the name and the literal arguments of a call in text form; positions are names, too. None if it is no such call."""
    text = text.removeprefix("tool ").removeprefix("call ").strip()
    if text.isidentifier():
        return text, {}
    try:
        node = ast.parse(text, mode="eval").body
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            return None
        given = {str(number): ast.literal_eval(each) for number, each in enumerate(node.args, 1)}
        return node.func.id, {**given, **{str(word.arg): ast.literal_eval(word.value) for word in node.keywords}}
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return None
