"""The files ``smolcell.toml``: the user's own, and the nearest one of a project, which may be untrusted; how TOML is written."""

from __future__ import annotations

import errno
import os
import tomllib
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from smolcell.core.text import sendable
from smolcell.errors import SetupError
from smolcell.machine.environment import importing, startup_value


def projects_file(here: Path, name: str = "smolcell.toml", *, quiet: bool = False) -> Path | None:
    """Return the nearest file of a name, from the current folder up to the home folder, or to a folder of another user.

    Args:
        quiet: do not warn about an ignored file.

    Raises:
        SetupError: a folder cannot be read.
    """
    for folder in (here, *here.parents):
        path = folder / name
        if is_file(path):
            if is_trusted(path) or (_is_own(folder) and _is_own(path)):
                return path
            if not quiet:
                warn_left_out(path, "belongs to another user")
            return None
        if folder == _home() or not (_is_own(folder) or is_trusted(path)):
            return None
    return None


def _is_own(path: Path) -> bool:
    """Return whether it belongs to this process's user; True on Windows, where that is not known."""
    try:
        return not hasattr(os, "getuid") or path.stat().st_uid == os.getuid()
    except OSError:
        return False


def _home() -> Path | None:
    try:
        return Path.home().resolve()
    except (OSError, RuntimeError):
        return None


def is_file(path: Path) -> bool:
    """Return whether there is such a file; False if this user has no permission to check."""
    try:
        return path.is_file()
    except OSError as error:
        if error.errno != errno.EACCES:
            raise SetupError(f"{path} cannot be looked for: {error.strerror}") from None
        return False  # in another user's folder, as with another user's HOME


def users_file() -> Path | None:
    """Return the path of the user's settings file, existing or not; None if this user has no home, as in some containers."""
    if folder := startup_value("SMOLCELL_CONFIG_DIR"):
        return Path(folder) / "smolcell.toml"
    with importing():
        import platformdirs

    try:
        return Path(platformdirs.user_config_dir("smolcell", appauthor=False)) / "smolcell.toml"
    except RuntimeError:
        return None


def is_trusted(path: Path) -> bool:
    """Return whether a settings file counts in full: it is the person's own, or in a folder of ``SMOLCELL_TRUST``.

    A project's file may be untrusted. Folders are separated as in ``PATH``; their subfolders count, too.
    """
    if path == users_file():
        return True
    named = [Path(folder).expanduser() for folder in startup_value("SMOLCELL_TRUST").split(os.pathsep) if folder]
    return any(path.resolve().is_relative_to(folder.resolve()) for folder in named if folder.is_absolute())


def load(path: Path) -> dict[str, Any]:
    """Return the content of a file.

    Raises:
        SetupError: it cannot be read, is no TOML, or has a key.
    """
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise SetupError(f"{path} cannot be read: {error}; correct or remove it") from None
    if "api_key" in values:
        raise SetupError(f"{path} has an api_key: keep keys in the environment (SMOLCELL_API_KEY), not in a file")
    return values


def as_toml(values: Mapping[str, Any]) -> str:
    """Return values as the text of a TOML file."""
    with importing():
        import tomli_w

    return tomli_w.dumps(sendable(values))


def warn_left_out(path: Path, why: str) -> None:
    """Warn that a file, or a part of it, is ignored."""
    warnings.warn(
        f"{path} {why}: ignored. If you wrote the file or have read it: export SMOLCELL_TRUST={path.parent}",
        stacklevel=3,
    )
