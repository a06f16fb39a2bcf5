"""Files of this machine whose content is passed on, to a sandbox or to a model.

* A link that leads out of the folder it lies in counts only if its real target was allowed, or named itself; one that leads to keys, or
  into a hidden folder, only if its target is named itself.
* A file is opened once, by its real path and through no link; it is checked, and read, through the descriptor.
* Only ordinary files are read, and none of the operating system's own, as in /proc: ``/proc/self/environ`` holds the keys of this process.
"""

from __future__ import annotations

import errno
import os
import shlex
import stat
import sys
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

from smolcell.core.text import visible
from smolcell.worker.system import folders, linux

KEYS = frozenset(
    ".netrc _netrc .pgpass .git-credentials .npmrc .pypirc .htpasswd .my.cnf .boto .s3cfg .databrickscfg .vault-token "
    "id_rsa id_dsa id_ecdsa id_ed25519".split()
)
SYSTEM_FILE = "a file of the operating system, as in /proc and /sys; such files are never passed on"


class Target(NamedTuple):
    """Where a named path leads.

    Attributes:
        real: its real path.
        leads_out: whether a link on the way leads out of the folder that the link lies in.
    """

    real: Path
    leads_out: bool


def follow(path: Path, base: Path) -> Target:
    """Return where a path leads. Both answers are of the same look at the disk, whose links may be exchanged meanwhile.

    Args:
        path: absolute, without ``..``.
        base: the folder in which it is named. Links above it, or above the home folder, do not count.
    """
    named_in = [base]
    with suppress(RuntimeError):  # the user has no home folder
        named_in.append(Path.home())
    above = next((folder for folder in named_in if path.is_relative_to(folder)), Path(path.anchor))
    way = [each for each in (*reversed(path.parents), path) if each.is_relative_to(above)]
    reals = [Path(os.path.realpath(each)) for each in way]
    steps = zip(reals, reals[1:], path.relative_to(above).parts, strict=False)
    folders_of_links = [folder for folder, below, name in steps if below != folder / name]
    return Target(reals[-1], not all(reals[-1].is_relative_to(folder) for folder in folders_of_links))


def path_fault(path: Path, target: Target, base: Path, advice: str, allowed: Collection[Path] = ()) -> str:
    """Return why what a path leads to is not passed on; "" if it is, or cannot be found. Without links, the path is the user's choice.

    Args:
        path, base: as for ``follow``, which returned ``target``.
        advice: what to do about a link, which ends the text.
        allowed: real paths to which links may lead out of their folders.
    """
    real, mode = target.real, 0
    with suppress(OSError):  # it is missing, or in a folder that may not be entered
        mode = real.stat().st_mode
    is_folder = stat.S_ISDIR(mode)
    if mode and not (is_folder or stat.S_ISREG(mode)):
        return "neither a file nor a folder"
    if mode and is_system_file(real):
        return SYSTEM_FILE
    shown = f"a link that leads to {visible(str(real))}"
    folders = (real if is_folder else real.parent).parts
    if any(part.startswith(".") and part not in (*path.parts, *base.resolve().parts) for part in folders):
        return f"{shown}, in a hidden folder{advice}"
    if real.name != path.name and not is_folder and may_hold_keys(real.name):
        return f"{shown}, which may hold keys{advice}"
    if target.leads_out and real not in allowed:
        return f"{shown}, outside the folder that the link lies in{advice}"
    return ""


def may_hold_keys(name: str) -> bool:
    return name.casefold() in KEYS or name.casefold().startswith(".env")


def describe_links(links: Mapping[str, Path]) -> str:
    """Return a line for each link, by the name that was given: where it leads."""
    return "\n".join(f"{_one_line(name)} is a link to {_one_line(str(real))}" for name, real in links.items())


def _one_line(path: str) -> str:
    return shlex.quote(visible(path)).replace("\n", "\\n")


def is_system_file(path: Path) -> bool:
    """Return whether a path lies in a file system such as /proc, or cannot be found. Always False on systems without such."""
    if sys.platform != "linux":
        return False
    try:
        number = os.open(path, os.O_PATH)
    except OSError:
        return True
    try:
        return linux.file_system(number) in linux.SYSTEM_FILE_SYSTEMS
    finally:
        os.close(number)


def open_file(real: Path) -> BinaryIO:
    """Open an ordinary file by its real path.

    Raises:
        OSError: it cannot be read, is no ordinary file, belongs to the operating system, or was replaced: a part of the path is a link.
    """
    number = _open(real)
    try:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise OSError(errno.EINVAL, "no longer an ordinary file: it was replaced by a folder or device", str(real))
        if sys.platform == "linux" and linux.file_system(number) in linux.SYSTEM_FILE_SYSTEMS:
            raise OSError(errno.EPERM, f"it is {SYSTEM_FILE}", str(real))
        return os.fdopen(number, "rb")
    except BaseException:
        os.close(number)
        raise


def _open(real: Path) -> int:
    if os.open not in os.supports_dir_fd:  # Windows
        return os.open(real, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        return folders.open_below(real.anchor, real.relative_to(real.anchor).as_posix(), folder=folders.PASS)
    except OSError as error:
        reason = {
            errno.EINVAL: "no longer an ordinary file: it was replaced by a pipe, folder or device",
            errno.ELOOP: "it was replaced by a link",
            errno.ENOTDIR: "a folder of its path was replaced by a link or file",
        }.get(error.errno or 0, error.strerror)
        raise OSError(error.errno, reason, str(real)) from None
