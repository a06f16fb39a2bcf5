"""The files ``smolcell.toml``: the user's own, and the nearest one of a project, which may come with a stranger's repository."""

from __future__ import annotations

import errno
import os
import tomllib
import warnings
from pathlib import Path
from typing import Any

from smolcell.environment import importing, startup_value
from smolcell.errors import SetupError


def projects_file(here: Path, name: str = "smolcell.toml", *, quiet: bool = False) -> Path | None:
    """The nearest file of a name, from the current folder up to the home folder, or to a folder of another user.

    Args:
        quiet: do not warn of one that is left out.

    Raises:
        SetupError: a folder cannot be looked into.
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
    """Whether it belongs to the user that this process runs as; True on Windows, which does not say."""
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
    """Whether there is such a file; one that this user may not look for is not there."""
    try:
        return path.is_file()
    except OSError as error:
        if error.errno != errno.EACCES:
            raise SetupError(f"{path} cannot be looked for: {error.strerror}") from None
        return False  # in another's folder, as with another user's HOME: it is not this user's


def users_file() -> Path | None:
    """The user's own settings file, there or not; None if this user has no home, as in some containers."""
    if folder := startup_value("SMOLCELL_CONFIG_DIR"):
        return Path(folder) / "smolcell.toml"
    with importing():
        import platformdirs

    try:
        return Path(platformdirs.user_config_dir("smolcell", appauthor=False)) / "smolcell.toml"
    except RuntimeError:
        return None


def is_trusted(path: Path) -> bool:
    """Whether a settings file counts in full: it is the person's own, or lies in a folder that ``SMOLCELL_TRUST`` names.

    A project's file may come with a stranger's repository. Folders are separated as in ``PATH``; those below count, too.
    """
    if path == users_file():
        return True
    named = [Path(folder).expanduser() for folder in startup_value("SMOLCELL_TRUST").split(os.pathsep) if folder]
    return any(path.resolve().is_relative_to(folder.resolve()) for folder in named if folder.is_absolute())


def load(path: Path) -> dict[str, Any]:
    """The content of a file.

    Raises:
        SetupError: it cannot be read, is no TOML, or holds a key.
    """
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise SetupError(f"{path} cannot be read: {error}; mend or remove it") from None
    if "api_key" in values:
        raise SetupError(f"{path} holds an api_key: keep keys in the environment (SMOLCELL_API_KEY), not in a file")
    return values


def warn_left_out(path: Path, why: str) -> None:
    """Warn that a file, or a part of it, is not used."""
    warnings.warn(
        f"{path} {why}: left out. If you wrote the file or have read it: export SMOLCELL_TRUST={path.parent}",
        stacklevel=3,
    )
