"""The work folder of a sandbox, as the host sees it: files put in, files the code wrote, files kept.

The rules this file exists to keep:

* The folder is the code's: what is said of it is hostile until checked, and has a bound. How it is entered: ``worker.workfolder``.
* What goes in is a copy of what was named, at the same name, and nothing else: a link that leads out of a named folder stays out, and so do
  hidden folders in it and files that hold keys by their names. What stays out is said.
* Nothing of the person's is overwritten.
"""

from __future__ import annotations

import errno
import logging
import os
import stat
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePath, PurePosixPath
from typing import NamedTuple

from smolcell.errors import SandboxError, SetupError
from smolcell.events import File
from smolcell.visible import visible
from smolcell.worker import workfolder

MAX_BYTES = 1 << 30  # that go in together, or come out as one file
MAX_FILES = workfolder.MAX_FILES  # that go in together
MAX_LOOKED = 10 * MAX_FILES  # that are looked at for it
MAX_LISTED = 100
MAX_TOLD = 8
PIECE = 4 << 20  # bytes copied at once
KEYS = frozenset(
    ".netrc _netrc .pgpass .git-credentials .npmrc .pypirc .htpasswd .my.cnf .boto .s3cfg .databrickscfg .vault-token "
    "id_rsa id_dsa id_ecdsa id_ed25519".split()
)
log = logging.getLogger("smolcell")


def named(paths: Iterable[str | os.PathLike[str]], base: Path | None = None) -> dict[str, Path]:
    """The names under which files and folders go in: as they were given where that is below ``base``, else their last part.

    Args:
        paths: files and folders; ``~`` is the person's home.
        base: the folder that relative paths start from; the current one by default.

    Raises:
        SetupError: a path does not exist, is neither file nor folder, cannot be read, or two have one name.
    """
    base = (base or Path.cwd()).absolute()
    found: dict[str, Path] = {}
    for given in paths:
        path = _path(given, base)
        below = path.relative_to(base) if path.is_relative_to(base) else Path(path.name)
        name = below.as_posix()
        if name in (".", ""):
            raise SetupError(f"{given}: name a folder below the current one, or files; not the current folder itself")
        if not (path.is_file() or path.is_dir()):
            raise SetupError(f"{given}: neither a file nor a folder")
        if not os.access(path, os.R_OK | (os.X_OK if path.is_dir() else 0)):
            raise SetupError(f"{given}: you may not read it")
        if found.get(name, path) != path:
            raise SetupError(f"{given} and {found[name]} would both be {name!r} in the sandbox; rename one of them")
        found[name] = path
    return found


def _path(given: str | os.PathLike[str], base: Path) -> Path:
    """Where a path leads; it exists."""
    shown, path = visible(str(given)), base
    try:
        path = Path(os.path.normpath(base / Path(given).expanduser()))
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        raise SetupError(f"{shown}: there is no such file or folder (looked for {visible(str(path))})") from None
    except (OSError, RuntimeError, ValueError) as error:  # closed to this user; a name that cannot be; no such home
        raise SetupError(f"{shown}: {getattr(error, 'strerror', None) or error}") from None
    return path


def measured(files: Mapping[str, Path]) -> tuple[File, ...]:
    """What would go in: each name with its bytes; a folder's ends in "/" and counts what is below. What stays out is logged.

    Raises:
        SetupError: together they are too large or too many; found out before all is looked at.
    """
    sizes = dict.fromkeys(files, 0)
    count = looked = 0
    out: list[str] = []
    for name, path in files.items():
        for entry in _entries(name, path):
            looked += 1
            if entry.reason:
                out.append(f"{visible(entry.name)} ({entry.reason})")
            else:
                count, sizes[name] = count + 1, sizes[name] + entry.size
            if sum(sizes.values()) > MAX_BYTES or count > MAX_FILES or looked > MAX_LOOKED:
                raise SetupError(
                    f"{visible(name)}: too much to copy in (at most {MAX_FILES:,} files, {MAX_BYTES:,} bytes together); "
                    "name fewer, or the files instead of their folder"
                )
    if out:
        more = f" and {len(out) - MAX_TOLD:,} more" if len(out) > MAX_TOLD else ""
        log.warning("not handed in: %s%s", ", ".join(out[:MAX_TOLD]), more)
    return tuple(File(name=visible(f"{name}/" if files[name].is_dir() else name), size=sizes[name]) for name in files)


class Entry(NamedTuple):
    """Something that was named, or stands in a folder that was."""

    name: str  # in the sandbox
    path: Path
    size: int
    reason: str = ""  # why it stays out


def contents(name: str, path: Path) -> Iterator[tuple[str, Path]]:
    """The ordinary files of a path that go in: name in the sandbox, and where each is."""
    return ((entry.name, entry.path) for entry in _entries(name, path) if not entry.reason)


def _entries(name: str, path: Path) -> Iterator[Entry]:
    if path.is_file():
        yield Entry(name, path, path.stat().st_size)
        return
    root = path.resolve()
    closed: list[OSError] = []
    for folder, folders, files in os.walk(path, onerror=closed.append):
        below = Path(name, Path(folder).relative_to(path))
        folders.sort()
        for each in list(folders):
            if reason := _why_no_folder(Path(folder, each)):
                folders.remove(each)
                yield Entry(f"{(below / each).as_posix()}/", Path(folder, each), 0, reason)
        for each in sorted(files):
            where = Path(folder, each)
            size, reason = _size_or_reason(where, root)
            yield Entry((below / each).as_posix(), where, size, reason)
    for error in closed:
        yield Entry(str(error.filename), Path(str(error.filename)), 0, "it cannot be read")


def _why_no_folder(path: Path) -> str:
    if path.is_symlink():
        return "a link to a folder"
    return "a hidden folder" if path.name.startswith(".") else ""


def _size_or_reason(path: Path, root: Path) -> tuple[int, str]:
    """A file's bytes, or why it stays out. A link counts where it stays within the folder that was named."""
    if path.name in KEYS or path.name.startswith(".env"):
        return 0, "it may hold keys: name the file itself to hand it in"
    try:
        seen, inside = path.stat(), path.resolve().is_relative_to(root)
    except (OSError, RuntimeError):
        return 0, "a link to nowhere"
    if not inside:
        return 0, "a link that leads out"
    if not stat.S_ISREG(seen.st_mode):
        return 0, "no ordinary file"
    return (seen.st_size, "") if os.access(path, os.R_OK) else (0, "it cannot be read")


def pieces(path: Path) -> Iterator[bytes]:
    """What is in an ordinary file now, in pieces; what is written to it meanwhile is left.

    Raises:
        OSError: it cannot be read, or is no ordinary file any more.
    """
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(number, "rb") as file:
        seen = os.fstat(number)
        if not stat.S_ISREG(seen.st_mode):
            raise OSError(errno.EINVAL, "it is no ordinary file any more", str(path))
        left = max(seen.st_size, PIECE)  # some files of /proc have no size
        while left and (data := file.read(min(left, PIECE))):
            left -= len(data)
            yield data


Seen = Mapping[str, tuple[int, int]]
"""Names of ordinary files, each with the time of its last change (ns) and its bytes."""


class Folder(ABC):
    """The work folder of one sandbox, wherever it is."""

    def __init__(self) -> None:
        self._before: Seen = {}

    @abstractmethod
    def put(self, files: Mapping[str, Path]) -> None:
        """Copy files and folders in, under these names; what had such a name is replaced.

        Raises:
            SandboxError: a file cannot be read or written; what was copied before stays.
        """

    @abstractmethod
    def _look(self) -> Seen:
        """The ordinary files that are there now."""

    @abstractmethod
    def _pieces(self, name: str) -> Iterator[bytes]:
        """What is in a file; raises SandboxError where it cannot be read."""

    def changed(self) -> tuple[File, ...]:
        """The files that are new or other than at the last call, at most a hundred."""
        now = self._look()
        found = [name for name, seen in now.items() if self._before.get(name) != seen]
        self._before = now
        return tuple(File(name=visible(name), size=now[name][1]) for name in sorted(found)[:MAX_LISTED])

    def all(self) -> tuple[File, ...]:
        """All ordinary files, in order."""
        return tuple(File(name=visible(name), size=size) for name, (_, size) in sorted(self._look().items()))

    def keep(self, name: str, target: Path) -> Path:
        """Copy a file of the sandbox out; returns where it is now.

        Args:
            name: as ``all`` or ``changed`` says it.
            target: where to; a folder that exists takes the file under its own name. Nothing is overwritten.

        Raises:
            SandboxError: there is no such file, or it is too large.
            FileExistsError: something has the target's name.
        """
        seen = self._look()
        real = next((known for known in seen if visible(known) == name), None)
        if real is None:
            known = ", ".join(file.name for file in self.all()[:20]) or "none"
            raise SandboxError(f"the sandbox has no file {name!r}; it has: {known}")
        if seen[real][1] > MAX_BYTES:
            raise SandboxError(f"the sandbox's file {name!r} has {seen[real][1]:,} bytes (at most {MAX_BYTES:,})")
        if target.is_dir():
            target = target / last_part(visible(real))
        pieces = self._pieces(real)
        first = next(pieces, b"")
        with target.open("xb") as copy:
            try:
                copy.write(first)
                left = MAX_BYTES - len(first)
                for piece in pieces:
                    left -= len(piece)
                    if left < 0:
                        raise SandboxError(
                            f"the sandbox's file {name!r} grew beyond {MAX_BYTES:,} bytes while it was read"
                        )
                    copy.write(piece)
            except BaseException:
                target.unlink(missing_ok=True)  # half a file is none
                raise
        return target


def last_part(name: str, kind: type[PurePath] = PurePath) -> str:
    """The last part of a file's name in a sandbox, for a folder of this machine.

    Args:
        name: its parts lie between slashes; to a sandbox a backslash and a colon are letters.
        kind: how this machine reads paths.

    Raises:
        SandboxError: here that part would be a path of its own.
    """
    last = PurePosixPath(name).name
    if kind(last).name != last:
        raise SandboxError(
            f"the sandbox's file {name!r} cannot have this name here; say a target with a name of its own"
        )
    return last


class WorkFolder(Folder):
    """The work folder of a sandbox on this machine.

    Args:
        path: where it is; it exists, and belongs to whom the code runs as.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = str(path)

    def put(self, files: Mapping[str, Path]) -> None:
        """See ``Folder.put``."""
        root = workfolder.open_root(self._path)
        try:
            for name, path in files.items():
                if path.is_dir():
                    os.close(workfolder.make_folder(root, PurePosixPath(name)))
                for each, where in contents(name, path):
                    number = workfolder.create(root, PurePosixPath(each))
                    with os.fdopen(number, "wb") as copy:
                        copy.writelines(pieces(where))
        except OSError as error:
            raise SandboxError(
                f"{error.filename or name} cannot be copied into the sandbox: {error.strerror}"
            ) from error
        finally:
            os.close(root)
        self.changed()

    def is_empty(self) -> bool:
        """Whether the folder is there and nothing is in it."""
        try:
            return not any(Path(self._path).iterdir())
        except OSError:
            return False

    def _look(self) -> Seen:
        return workfolder.look(self._path)

    def _pieces(self, name: str) -> Iterator[bytes]:
        try:
            number = workfolder.open_below(self._path, name)
        except OSError as error:
            raise SandboxError(f"the sandbox's file {visible(name)!r} cannot be read: {error.strerror}") from error
        with os.fdopen(number, "rb") as file:
            while piece := file.read(PIECE):
                yield piece
