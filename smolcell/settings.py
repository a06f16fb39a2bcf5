"""Settings: an option, else ``%agent config``, else the environment, else ``smolcell.toml``, else a default.

One table says what there is: its name, its type, where it can be set and what is valid. Every error names the setting, where
the bad value came from, and what would be right.
"""

from __future__ import annotations

import errno
import os
import tomllib
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from smolcell.errors import SetupError
from smolcell.gates import MODES
from smolcell.redact import redact

LONGEST_NAME = 80  # characters of a session's name


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a run is set to. Seconds, megabytes, characters."""

    model: str | None = None
    api_base: str | None = None
    sandbox: str = "local"
    approve: str = "ask"
    imports: tuple[str, ...] = ()
    max_steps: int = 20
    timeout: float = 60.0
    max_output: int = 20_000
    memory: int = 2048
    session: str = "default"
    instructions: str = ""
    structured: bool = False

    def with_values(self, values: Mapping[str, Any], source: str) -> Settings:
        """These settings with some replaced. An address that was set before belongs to another model than one that is named now,
        unless that is ``openai/…``, any server's: the named provider's key is not for that address.

        Args:
            values: by name; strings are read as the setting's type.
            source: where they come from, for the error message.

        Raises:
            SetupError: a name or a value is not valid.
        """
        changed = {name: read(name, value, source) for name, value in values.items()}
        model = changed.get("model") or "openai/"
        if "," in model or not model.startswith("openai/"):
            changed.setdefault("api_base", None)
        return replace(self, **changed)


NAMES = tuple(field.name for field in fields(Settings))


def resolve(options: Mapping[str, Any], config: Mapping[str, Any] | None = None, source: str = "the cell") -> Settings:
    """The settings in force: every place where one can be set, the nearest last. ``source``: where the options stand.

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
    return settings.with_values({name: value for name, value in options.items() if value is not None}, source)


def where_set(name: str, config: Mapping[str, Any] | None = None) -> str:
    """The nearest place where a setting is set, the cell left aside; "" where it is the default."""
    if name in (config or {}):
        return "%agent config"
    if name in dict(environment()):
        return f"SMOLCELL_{name.upper()}"
    found = [path for path, values in files() if name in values and (name in _HARMLESS or is_trusted(path))]
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
    """``SMOLCELL_MODEL``, ``SMOLCELL_API_BASE``, … as they are set now."""
    for name in NAMES:
        value = os.environ.get(f"SMOLCELL_{name.upper()}")
        if value:
            yield name, value


def files() -> Iterator[tuple[Path, dict[str, Any]]]:
    """The user's ``smolcell.toml``, then the project's (the nearest one at or above the current folder).

    Raises:
        SetupError: a file cannot be read or is no TOML, or the current folder is gone.
    """
    user = _users_file()
    try:
        here = Path.cwd()
    except OSError as error:
        raise SetupError(f"the current folder cannot be used: {error.strerror}; go to another one: cd ~") from None
    project = next((path for folder in (here, *here.parents) if _is_file(path := folder / "smolcell.toml")), None)
    for found in (user if user is not None and _is_file(user) else None, project):
        if found is not None:
            yield found, _load(found)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError as error:
        if error.errno != errno.EACCES:
            raise SetupError(f"{path} cannot be looked for: {error.strerror}") from None
        return False  # in somebody else's folder, as with another user's HOME: it is not this user's


def _users_file() -> Path | None:
    """None where this user has no home, as in some containers."""
    import platformdirs

    try:
        return Path(os.environ.get("SMOLCELL_CONFIG_DIR") or platformdirs.user_config_dir("smolcell")) / "smolcell.toml"
    except RuntimeError:
        return None


def is_trusted(path: Path) -> bool:
    """Whether a settings file counts in full: it is the person's own, or lies in a folder that ``SMOLCELL_TRUST`` names.

    A project's file may come with a stranger's repository. Folders are separated as in ``PATH``; those below count, too.
    """
    if path == _users_file():
        return True
    named = [Path(folder).expanduser() for folder in os.environ.get("SMOLCELL_TRUST", "").split(os.pathsep) if folder]
    return any(path.resolve().is_relative_to(folder.resolve()) for folder in named if folder.is_absolute())


def _narrowing(path: Path, values: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    """Of a project's file: a provider's model, and what makes limits and approval narrower; the rest is told and left out."""
    kept: dict[str, Any] = {}
    for name, value in values.items():
        found = read(name, value, str(path))
        if name in _HARMLESS and _HARMLESS[name](found, getattr(settings, name)):
            kept[name] = value
    left = [name for name in values if name not in kept]
    if left:
        warnings.warn(
            f"{path} is not trusted to set {', '.join(left)}: left out. If you wrote the file or have read it: "
            f"export SMOLCELL_TRUST={path.parent}",
            stacklevel=2,
        )
    return kept


_Narrower = Callable[[Any, Any], bool]
_STRICTNESS = ("auto", "risky", "ask", "deny")
_LOADED_HERE = ("llamacpp/", "transformers/")  # models read from files, which the folder may hold
_HARMLESS: dict[str, _Narrower] = {
    "model": lambda found, now: (
        found is None or not any(part.strip().startswith(_LOADED_HERE) for part in found.split(","))
    ),
    "approve": lambda found, now: _STRICTNESS.index(found) >= _STRICTNESS.index(now),
    **dict.fromkeys(("max_steps", "timeout", "max_output", "memory"), lambda found, now: found <= now),
    **dict.fromkeys(("session", "structured"), lambda found, now: True),
}


def _load(path: Path) -> dict[str, Any]:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SetupError(f"{path} cannot be read: {error}; mend or remove it") from None
    if "api_key" in values:
        raise SetupError(f"{path} holds an api_key: keep keys in the environment (SMOLCELL_API_KEY), not in a file")
    return values


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


def _modules(value: Any) -> tuple[str, ...]:
    names = names_of(value)
    for name in names:
        if name != "*" and not all(part.isidentifier() for part in name.removesuffix(".*").split(".")):
            raise ValueError(f"{name!r} is no module's name; give names with commas between, such as numpy,scipy.*")
    return names


def _session(value: Any) -> str:
    name = _text(value)
    if not name.strip() or len(name) > LONGEST_NAME:
        raise ValueError(f"expected a name of 1 to {LONGEST_NAME} characters")
    return name


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


_READERS: dict[str, Callable[[Any], Any]] = {
    "model": _optional,
    "api_base": _optional,
    "sandbox": _text,  # create_executor knows the names, third parties' among them, and says so
    "approve": _one_of(lambda: MODES),
    "imports": _modules,
    "max_steps": _number(int, 1),
    "timeout": _number(float, 0.1),
    "max_output": _number(int, 100),
    "memory": _number(int, 64),
    "session": _session,
    "instructions": _text,
    "structured": _yes_or_no,
}
