"""The work folder of a sandbox on this machine, as the host sees it: files put in, files the code wrote, files kept.

The rules this file exists to keep:

* The folder is the code's: whatever stands in it may be a trap. No link in it is followed, neither to write nor to read;
  only ordinary files are read, and every size and count has a bound.
* What goes in is a copy of what was named, at the same name, and nothing else: a link that leads out of a named folder stays out.
* Nothing of the person's is overwritten.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from smolcell.errors import SandboxError, SetupError
from smolcell.events import File
from smolcell.visible import visible

MAX_BYTES = 1 << 30  # that go in together, or come out as one file
MAX_FILES = 10_000  # that go in together, and that are looked at after a step
MAX_LISTED = 100
PRIVATE = (".cache", ".config", ".local", ".ipython", ".matplotlib")  # what libraries put into a home folder
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


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
        path = Path(os.path.normpath(base / Path(given).expanduser()))
        below = path.relative_to(base) if path.is_relative_to(base) else Path(path.name)
        name = below.as_posix()
        if name in (".", ""):
            raise SetupError(f"{given}: name a folder below the current one, or files; not the current folder itself")
        if not path.exists():
            raise SetupError(f"{given}: there is no such file or folder (looked for {path})")
        if not (path.is_file() or path.is_dir()):
            raise SetupError(f"{given}: neither a file nor a folder")
        if not os.access(path, os.R_OK | (os.X_OK if path.is_dir() else 0)):
            raise SetupError(f"{given}: you may not read it")
        if found.get(name, path) != path:
            raise SetupError(f"{given} and {found[name]} would both be {name!r} in the sandbox; rename one of them")
        found[name] = path
    return found


def measured(files: Mapping[str, Path]) -> tuple[File, ...]:
    """What would go in: each name with its bytes; a folder's ends in "/" and counts what is below.

    Raises:
        SetupError: together they are too large or too many.
    """
    sizes = {name: [size for _, _, size in _contents(name, path)] for name, path in files.items()}
    total, count = sum(map(sum, sizes.values())), sum(map(len, sizes.values()))
    if total > MAX_BYTES or count > MAX_FILES:
        raise SetupError(
            f"{count:,} files of {total:,} bytes are too much to copy in (at most {MAX_FILES:,} files, {MAX_BYTES:,} bytes); "
            "name fewer, or the files instead of their folder"
        )
    return tuple(File(name=f"{name}/" if files[name].is_dir() else name, size=sum(sizes[name])) for name in files)


def _contents(name: str, path: Path) -> Iterator[tuple[str, Path, int]]:
    """The ordinary files of a path: name in the sandbox, where it is, bytes. A link counts where it stays within the path."""
    if path.is_file():
        yield name, path, path.stat().st_size
        return
    root = path.resolve()
    for folder, folders, files in os.walk(path):
        folders.sort()
        for each in sorted(files):
            where = Path(folder, each)
            try:
                size = where.stat().st_size
                inside = where.resolve().is_relative_to(root)
            except (OSError, RuntimeError):
                continue  # a link to nowhere, or to itself
            if inside and where.is_file() and os.access(where, os.R_OK):
                yield f"{name}/{where.relative_to(path).as_posix()}", where, size


class WorkFolder:
    """The work folder of one sandbox.

    Args:
        path: where it is; it exists, and belongs to whom the code runs as.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._before: dict[str, tuple[int, int]] = {}

    def put(self, files: Mapping[str, Path]) -> None:
        """Copy files and folders in, under these names; what had such a name is replaced.

        Raises:
            SandboxError: a file cannot be read or written; what was copied before stays.
        """
        owner = self._path.stat()
        root = os.open(self._path, _FOLDER)
        try:
            for name, path in files.items():
                if path.is_dir():
                    os.close(_folder(root, PurePosixPath(name), owner))
                for each, where, _ in _contents(name, path):
                    _copy_in(root, PurePosixPath(each), where, owner)
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
            return not any(self._path.iterdir())
        except OSError:
            return False

    def changed(self) -> tuple[File, ...]:
        """The files that are new or other than at the last call, at most a hundred."""
        now = self._look()
        found = [name for name, seen in now.items() if self._before.get(name) != seen]
        self._before = now
        return tuple(File(name=visible(name), size=now[name][1]) for name in sorted(found)[:MAX_LISTED])

    def all(self) -> tuple[File, ...]:
        """All ordinary files, in order."""
        return tuple(File(name=visible(name), size=size) for name, (_, size) in sorted(self._look().items()))

    def _look(self) -> dict[str, tuple[int, int]]:
        found: dict[str, tuple[int, int]] = {}
        left = MAX_FILES
        try:
            for folder, folders, files, number in os.fwalk(self._path, follow_symlinks=False):
                place = os.path.relpath(folder, self._path)
                folders[:] = sorted(name for name in folders if not (place == "." and name in PRIVATE))
                left -= len(files) + len(folders)
                if left < 0:
                    break
                for name in files:
                    seen = os.stat(name, dir_fd=number, follow_symlinks=False)
                    if stat.S_ISREG(seen.st_mode):
                        found[PurePosixPath(place, name).as_posix()] = (seen.st_mtime_ns, seen.st_size)
        except (OSError, RecursionError):
            pass  # the code changes it meanwhile, or has made it deeper than anybody needs
        return found

    def keep(self, name: str, target: Path) -> Path:
        """Copy a file of the sandbox out; returns where it is now.

        Args:
            name: as ``all`` or ``changed`` says it.
            target: where to; a folder that exists takes the file under its own name. Nothing is overwritten.

        Raises:
            SandboxError: there is no such file, or it is too large.
            FileExistsError: something has the target's name.
        """
        real = next((known for known in self._look() if visible(known) == name), None)
        if real is None:
            known = ", ".join(file.name for file in self.all()[:20]) or "none"
            raise SandboxError(f"the sandbox has no file {name!r}; it has: {known}")
        if target.is_dir():
            target = target / PurePosixPath(visible(real)).name
        with self._reading(real) as source, target.open("xb") as copy:
            shutil.copyfileobj(source, copy, 1 << 20)
        return target

    @contextmanager
    def _reading(self, name: str) -> Iterator[BinaryIO]:
        parts = PurePosixPath(name).parts
        root = os.open(self._path, _FOLDER)
        try:
            for part in parts[:-1]:
                below = os.open(part, _FOLDER, dir_fd=root)
                os.close(root)
                root = below
            number = os.open(parts[-1], _READ, dir_fd=root)
        except OSError as error:
            raise SandboxError(f"the sandbox's file {visible(name)!r} cannot be read: {error.strerror}") from error
        finally:
            os.close(root)
        with os.fdopen(number, "rb") as file:
            seen = os.fstat(number)
            if not stat.S_ISREG(seen.st_mode):
                raise SandboxError(f"the sandbox's {visible(name)!r} is no ordinary file")
            if seen.st_size > MAX_BYTES:
                raise SandboxError(
                    f"the sandbox's file {visible(name)!r} has {seen.st_size:,} bytes (at most {MAX_BYTES:,})"
                )
            yield file


def _folder(root: int, path: PurePosixPath, owner: os.stat_result) -> int:
    """A folder below ``root``, made where it is missing; a link or file in its place is removed. The caller closes it."""
    here = os.dup(root)
    for part in path.parts:
        try:
            below = _folder_in(here, part, owner)
        finally:
            os.close(here)
        here = below
    return here


def _folder_in(above: int, name: str, owner: os.stat_result) -> int:
    seen = _lstat(name, above)
    if seen is not None and not stat.S_ISDIR(seen.st_mode):
        os.unlink(name, dir_fd=above)
        seen = None
    if seen is None:
        os.mkdir(name, 0o755, dir_fd=above)
    below = os.open(name, _FOLDER, dir_fd=above)
    if seen is None:
        _give(below, owner)
    return below


def _copy_in(root: int, path: PurePosixPath, source: Path, owner: os.stat_result) -> None:
    here = _folder(root, path.parent, owner)
    try:
        seen = _lstat(path.name, here)
        if seen is not None and stat.S_ISDIR(seen.st_mode):
            raise IsADirectoryError(21, "the sandbox has a folder of this name", str(path))
        if seen is not None:
            os.unlink(path.name, dir_fd=here)
        number = os.open(path.name, _NEW, 0o644, dir_fd=here)
        with os.fdopen(number, "wb") as copy, source.open("rb") as original:
            _give(number, owner)
            shutil.copyfileobj(original, copy, 1 << 20)
    finally:
        os.close(here)


def _lstat(name: str, folder: int) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None


def _give(number: int, owner: os.stat_result) -> None:
    """Let whom the work folder belongs to have it."""
    if os.geteuid() == 0 and hasattr(os, "fchown"):
        os.fchown(number, owner.st_uid, owner.st_gid)
