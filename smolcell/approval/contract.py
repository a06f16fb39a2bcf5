"""Contracts: files that say what an agent may do, how it is accepted, and when it stops. A run that may do more does not start.

The permissions in a contract are a policy, read and compared by ``smolcell.approval.policy``.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fnmatch import fnmatchcase
from glob import escape
from pathlib import Path
from shlex import quote
from typing import Any

from smolcell.approval.policy import FIELDS, MAX_FILE_BYTES, Layer, Order, Policy, is_default_import, read_layer
from smolcell.core.text import clip, visible
from smolcell.errors import SetupError
from smolcell.events import Boundary
from smolcell.machine.config_files import as_toml
from smolcell.machine.state import replace_file

FILE = "smolcell.contract.toml"
VERSION = 1
_TABLES = ("version", "purpose", "walls", "files", "stop_after", "policy", "acceptance", "doctor")
_RECORDS = "# --- Written by `smolcell doctor --contract`: everything below is replaced by the next run. ---"
_HEAD = f"""\
# A smolcell contract: a run with --contract {FILE} does not start if it may do more than this.
# Missing fields are not limited; an empty list allows nothing. Checked by: smolcell doctor --contract FILE
# walls: must stand, tested when the sandbox starts
# files: may be copied in, with everything below them; relative to this folder
# stop_after: end a run after the same error has occurred so many times
# policy: the fields of docs/policy.md; of its tools: those that may be called, and how (auto, ask)
"""
_BEGIN, _END = (
    "<!-- smolcell contract: begin -->",
    "<!-- smolcell contract: end -->",
)  # around the section for assistants
_MAX_CHECKS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """An acceptance check: a program or a task, and the expected result.

    Args:
        name: its name.
        code: a program for the sandbox. It passes if it ends without an error.
        task: a task for the model, instead of a program.
        answer: the expected text of the answer, or of the value of the program's last line.
        fails: the check passes if the program fails: for things that must be out of reach.
    """

    name: str
    code: str = ""
    task: str = ""
    answer: str | None = None
    fails: bool = False

    def given(self) -> dict[str, Any]:
        """Return the fields that are set."""
        return {name: value for name, value in asdict(self).items() if value or (name, value) == ("answer", "")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The result of one stage of the doctor, its time, and the versions used."""

    stage: str
    state: str
    told: str
    seconds: float
    at: str
    versions: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """The permissions of an agent. Permissions that it does not mention are not limited.

    Args:
        layer: the permissions, in the form of a policy.
        purpose: what the agent is for.
        walls: names of walls that must stand.
        files: files that may be copied in, with everything below them; globs.
        stop_after: end a run after the same error has occurred so many times.
        acceptance: the acceptance checks.
        stages: the latest results of the doctor.
    """

    layer: Layer
    purpose: str = ""
    walls: tuple[str, ...] = ()
    files: tuple[str, ...] | None = None
    stop_after: int = 0
    acceptance: tuple[Acceptance, ...] = ()
    stages: tuple[Stage, ...] = ()

    @property
    def path(self) -> str:
        return self.layer.path

    # --- comparing ----------------------------------------------------------------------------------------------------

    def excess(self, actual: Contract) -> list[str]:
        """Return how an agent's permissions exceed this contract, as one text per difference."""
        policy = Policy((self.layer,))
        faults: list[str] = []
        for name, value in actual.layer.values.items():
            if name == "tools":
                faults += self._other_tools(value)
            elif why := policy.excess(name, value):
                faults.append(why)
        if self.stop_after and not 0 < actual.stop_after <= self.stop_after:
            faults.append(
                f"stop_after is {actual.stop_after or 'off'}, and {self.stop_after} is the most, {self._place('stop_after')}"
            )
        return [*faults, *self.other_files(actual.files or ())]

    def _other_tools(self, tools: Iterable[tuple[Any, str]]) -> Iterator[str]:
        """Yield the tools that no pattern names, or that it denies. The first pattern of the name without arguments decides."""
        patterns = self.layer.values.get("tools", ())
        for tool, _ in tools if "tools" in self.layer.values else ():
            named = [(pattern, mode) for pattern, mode in patterns if fnmatchcase(tool.name, pattern.name)]
            if all(mode == "deny" for _, mode in named):
                yield f"tools: {tool.name} is not among those that are allowed, {self._place('tools')}"

    def other_files(self, paths: Iterable[str | os.PathLike[str]]) -> list[str]:
        """Return the files that must not be copied in."""
        if self.files is None:
            return []
        folder = Path(self.path).resolve().parent
        allowed = [each if Path(each).is_absolute() else f"{escape(str(folder))}/{each}" for each in self.files]
        found = []
        for path in paths:
            real = Path(path).expanduser().resolve()
            if not any(fnmatchcase(str(each), glob) for each in (real, *real.parents) for glob in allowed):
                found.append(f"files: {visible(str(path))} is not among those that are allowed, {self._place('files')}")
        return found

    def beyond_walls(self, boundary: Boundary) -> list[str]:
        """Return how an open sandbox exceeds this contract."""
        policy = Policy((self.layer,))
        values: dict[str, Any] = {"hosts": boundary.hosts, "level": boundary.python.partition(",")[0]}
        if boundary.python == "guarded":
            values["imports"] = tuple(name for name in boundary.imports if not is_default_import(name))
        faults = [why for name, value in values.items() if value and (why := policy.excess(name, value))]
        detail = {wall.name: f" ({visible(wall.detail)})" for wall in boundary.walls if wall.detail}
        faults += [
            f"the wall {visible(name)} does not stand{detail.get(name, '')}, and must, {self._place('walls')}"
            for name in boundary.lacking(self.walls)
        ]
        return faults

    def _place(self, name: str) -> str:
        return f"locked by {self.layer.place(name)}"

    # --- writing ------------------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        checks = (f"\n[[acceptance]]\n{as_toml(check.given())}" for check in self.acceptance)
        return "".join([_HEAD, as_toml(self._tables()), *checks, *_recorded(self.stages)])

    def _tables(self) -> dict[str, Any]:
        given: dict[str, Any] = {"version": VERSION, "purpose": self.purpose, "walls": self.walls}
        if self.files is not None:
            given["files"] = self.files
        if self.stop_after:
            given["stop_after"] = self.stop_after
        policy: dict[str, Any] = {}
        for name, value in self.layer.values.items():
            table, _, field = name.rpartition(".")
            if table:
                policy.setdefault(table, {})[field] = value
            else:
                policy[name] = {str(pattern): mode for pattern, mode in value} if name == "tools" else value
        return {**given, "policy": policy}

    def section(self) -> Iterator[str]:
        """Yield instructions for a coding assistant, as lines of Markdown."""
        values, file = self.layer.values, _markdown_text(Path(self.path).name)

        def said(name: str, nothing: str = "none") -> str:
            value = values.get(name)
            listed = (
                ", ".join(map(str, value))
                if isinstance(value, tuple)
                else "not limited"
                if value is None
                else str(value)
            )
            return _markdown_text(listed) or nothing

        limits = {name: value for name, value in values.items() if name.startswith(("limits.", "budget."))}
        yield "## What the agent may do"
        yield f"Written from `{file}` by `smolcell contract --agents-md`. Change that file, not this section."
        yield ""
        yield f"- Purpose: {_markdown_text(self.purpose) or 'not said'}"
        yield f"- Sandbox: {said('sandboxes')}; walls that must stand: {_markdown_text(', '.join(self.walls)) or 'none'}"
        yield f"- Python: level {said('level')}; imports: {said('imports')}; installs: {said('installs')}"
        tools = ", ".join(f"{pattern} ({approval})" for pattern, approval in values.get("tools", ()))
        yield f"- Tools: {_markdown_text(tools) or ('none' if 'tools' in values else 'not limited')}"
        files = "not limited" if self.files is None else _markdown_text(", ".join(self.files)) or "none"
        yield f"- Hosts: {said('hosts')}; files: {files}"
        yield f"- Model provider: {said('models', 'none but recordings')}; notebook context at most: {said('context')}"
        limit_list = ", ".join(
            f"{name.partition('.')[2].replace('_', ' ')} {value:g}" for name, value in limits.items()
        )
        yield f"- Limits: {limit_list or 'none'}"
        yield f"- Approval: {said('approval')}; output checks: {said('output_checks')}"
        stop = f"the same error comes {self.stop_after} times, " if self.stop_after else ""
        yield f"- Stop when {stop}a limit or the budget is reached, no one approves, or a person stops it."
        names = "; ".join(check.name for check in self.acceptance)
        yield f"- Accepted when `smolcell doctor --contract {file}` exits with 0: {_markdown_text(names) or 'its stages'}"
        yield f'- Run it with: `smolcell run --contract {file} "…"`. It does not start if it may do more.'


def violation_text(contract: Contract, differences: Iterable[str]) -> str:
    """Return the error text for a run that may do more than its contract allows."""
    return (
        f"this run may do more than the contract {contract.path} allows, so nothing was started: {'; '.join(differences)}. "
        "Narrow the run, or change the contract"
    )


def _markdown_text(text: str) -> str:
    """Return a text for a line of Markdown: it cannot end the line or the section, or contain markup."""
    return re.sub(r"([<>`\[\]])", r"\\\1", visible(" ".join(clip(text, 1000).split())))


# --- Made: from an agent's permissions and its open sandbox.


def as_contract(
    found: Contract, boundary: Boundary | None, folder: Path, purpose: str, models: Iterable[str]
) -> Contract:
    """Return permissions as a contract to store, with the walls of the open sandbox.

    Args:
        found: the result of ``_permissions`` of ``smolcell.agent``.
        boundary: of the open sandbox; None if there is none.
        folder: folder of the contract.
        purpose: what the agent is for.
        models: models that it may use, if it was made without one.
    """
    values = {name: value for name, value in found.layer.values.items() if value is not None}
    values["models"] = tuple(models) or values.get("models", ())
    walls: tuple[str, ...] = ()
    if boundary is not None:
        values["hosts"] = boundary.hosts
        values["level"] = boundary.python.partition(",")[0] or values.get("level", "guarded")
        walls = tuple(wall.name for wall in boundary.walls if wall.stands)
    if values.get("level") == "guarded":
        values.setdefault(
            "imports", tuple(name for name in boundary.imports if not is_default_import(name)) if boundary else ()
        )
    files = tuple(_inside(Path(each), folder) for each in found.files or ())
    layer = Layer("contract", str(folder / FILE), values)
    return Contract(
        layer=layer,
        purpose=purpose,
        walls=walls,
        files=files,
        stop_after=found.stop_after,
        acceptance=_first_checks(boundary),
    )


def _inside(path: Path, folder: Path) -> str:
    real = path.expanduser().resolve()
    return real.relative_to(folder.resolve()).as_posix() if real.is_relative_to(folder.resolve()) else str(real)


def _first_checks(boundary: Boundary | None) -> tuple[Acceptance, ...]:
    """Return initial checks: the sandbox computes, and things outside its walls are out of reach."""
    if boundary is None:
        return ()
    checks = [Acceptance(name="it computes", code="sum(n * n for n in range(10))", answer="285")]
    if boundary.isolated and boundary.sandbox == "local":
        checks.append(Acceptance(name="no file of this machine is read", code='open("/etc/passwd").read()', fails=True))
    return tuple(checks)


# --- Read.


def read(path: str | os.PathLike[str]) -> Contract:
    """Read a contract.

    Raises:
        SetupError: it cannot be read, or is not valid; the message has a line for each fault.
    """
    text = _text(Path(path))
    layer = read_layer(text, str(path), "contract")
    whole = tomllib.loads(text)
    faults = [
        f"{path}: {visible(name)} is not known; known are: {', '.join(_TABLES)}"
        for name in whole
        if name not in _TABLES
    ]
    faults += [
        f"{layer.place(name)}: {name} belongs to a policy of the administrator"
        for name in layer.values
        if FIELDS[name].order is Order.ADMINISTRATOR
    ]
    if whole.get("version") != VERSION:
        faults.append(f"{path}: the version of a contract must be {VERSION}, not {visible(str(whole.get('version')))}")
    try:
        contract = Contract(
            layer=layer,
            purpose=_of(whole, "purpose", str, ""),
            walls=_names(whole, "walls") or (),
            files=_names(whole, "files"),
            stop_after=_of(whole, "stop_after", int, 0),
            acceptance=tuple(_acceptance(each) for each in _rows(whole, "acceptance")),
            stages=tuple(_stage(each) for each in _rows(whole, "doctor")),
        )
    except ValueError as error:
        faults.append(f"{path}: {visible(clip(str(error), 500))}")
    if faults:
        raise SetupError("\n".join(faults))
    return contract


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise SetupError(
            f"the contract {path} cannot be read: {error.strerror}. Write one with: smolcell contract"
        ) from None
    if len(data) > MAX_FILE_BYTES:
        raise SetupError(f"the contract {path} is longer than {MAX_FILE_BYTES:,} bytes")
    try:
        return data.decode("utf-8")
    except ValueError:
        raise SetupError(f"the contract {path} is no UTF-8 text") from None


def _of(given: Mapping[str, Any], name: str, kind: type, default: Any) -> Any:
    value = given.get(name, default)
    if type(value) is not kind or (isinstance(value, int) and not 0 <= value < 1000):
        raise ValueError(
            f"{name} is {value!r}; it must be {'a number from 0 to 999' if kind is int else kind.__name__}"
        )
    return value


def _names(given: Mapping[str, Any], name: str) -> tuple[str, ...] | None:
    value = given.get(name)
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(each, str) and each.strip() for each in value):
        raise ValueError(f"{name} must be a list of names")
    return tuple(value)


def _rows(given: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    value = given.get(name, [])
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value) or len(value) > _MAX_CHECKS:
        raise ValueError(f"{name} must be at most {_MAX_CHECKS} tables: write [[{name}]] above each")
    return value


def _acceptance(given: Mapping[str, Any]) -> Acceptance:
    known = ("name", "code", "task", "answer", "fails")
    if other := [name for name in given if name not in known]:
        raise ValueError(f"an acceptance check has no {other[0]!r}; it has: {', '.join(known)}")
    answer = _of(given, "answer", str, "") if "answer" in given else None
    code, task = _of(given, "code", str, ""), _of(given, "task", str, "")
    name, fails = _of(given, "name", str, "").strip(), _of(given, "fails", bool, False)
    if bool(code.strip()) == bool(task.strip()) or not name:
        raise ValueError("an acceptance check needs a name, and code or a task")
    if fails and (task or answer is not None):
        raise ValueError(f"the acceptance check {name!r}: fails = true is for code without an answer")
    return Acceptance(name=name, code=code, task=task, answer=answer, fails=fails)


def _stage(given: Mapping[str, Any]) -> Stage:
    versions = given.get("versions", {})
    seconds = given.get("seconds", 0.0)
    if not isinstance(versions, dict) or isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise ValueError("the doctor's results were changed: renew them with smolcell doctor --contract")
    words = {name: _of(given, name, str, "") for name in ("stage", "state", "told", "at")}
    return Stage(**words, seconds=seconds, versions={str(name): str(each) for name, each in versions.items()})


# --- Written: whole, the doctor's results below it, and a section of another file.


def keep(measured: Contract, path: Path, purpose: str | None = None, section: Path | None = None) -> str:
    """Write a contract to a file. Keeps the purpose and the acceptance checks of an existing file.

    Args:
        measured: the agent's permissions.
        path: path of the contract.
        purpose: None keeps the existing one.
        section: a file for coding assistants, such as ``AGENTS.md``.

    Returns:
        A text for the person.
    """
    before = read(path) if path.exists() else None
    contract = replace(
        measured,
        layer=replace(measured.layer, path=str(path)),
        purpose=purpose if purpose is not None else before.purpose if before is not None else measured.purpose,
        acceptance=before.acceptance if before is not None else measured.acceptance,
        stages=before.stages if before is not None else (),
    )
    _replace(path, str(contract))
    if section is not None:
        write_section(section, contract)
    messages = [f"smolcell: {'updated' if before is not None else 'written'}: {visible(str(path))}"]
    messages += [f"and its section in {visible(str(section))}"] * (section is not None)
    if not contract.layer.values.get("models"):
        messages.append("no model was found, so it allows only recordings: name one with -m provider/model")
    return f"{'; '.join(messages)}\ncheck it: smolcell doctor --contract {quote(str(path))} · run with it: --contract {quote(str(path))}"


def record(path: Path, stages: Sequence[Stage]) -> None:
    """Write the doctor's results below the contract, replacing earlier ones; the rest is not changed."""
    text = _text(path).partition(f"\n{_RECORDS}\n")[0].rstrip("\n")
    try:
        own = "doctor" in tomllib.loads(text)
    except ValueError:
        own = True
    if own:
        raise SetupError(f"{path} has [[doctor]] or the doctor's line in another place: remove it, then check again")
    _replace(path, "".join([f"{text}\n", *_recorded(stages)]))


def _recorded(stages: Sequence[Stage]) -> Iterator[str]:
    if stages:
        yield f"\n{_RECORDS}\n"
    for each in stages:
        found = asdict(each)
        versions = found.pop("versions")
        yield f"\n[[doctor]]\n{as_toml(found)}\n[doctor.versions]\n{as_toml(versions)}"


def _replace(path: Path, text: str) -> None:
    try:
        replace_file(path, text, mode=path.stat().st_mode & 0o777 if path.is_file() else 0o644)
    except OSError as error:
        raise SetupError(f"{path} cannot be written: {error.strerror}") from None


def write_section(path: Path, contract: Contract) -> None:
    """Write the contract's content into a file for coding assistants, between markers; the rest of the file is not changed.

    Raises:
        SetupError: there is more than one pair of markers, or an incomplete one, or the file cannot be read or written.
    """
    try:
        before = path.read_text("utf-8") if path.exists() else ""
    except (OSError, ValueError) as error:
        raise SetupError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    section = "\n".join([_BEGIN, *contract.section(), _END])
    counts = before.count(_BEGIN), before.count(_END)
    if counts == (0, 0):
        _replace(path, f"{before.rstrip()}\n\n{section}\n".lstrip())
    elif counts == (1, 1) and before.index(_BEGIN) < before.index(_END):
        head, _, rest = before.partition(_BEGIN)
        _replace(path, head + section + rest.partition(_END)[2])
    else:
        raise SetupError(
            f"{path} does not have exactly one pair of {_BEGIN} and {_END}: correct it, then type: smolcell contract --agents-md"
        )
