"""The work folder, opened step by step: files put in, looked at and read where hostile code may have set traps.

The rules this file exists to keep:

* Whatever stands in the folder may be a trap. No link in it is followed, neither to write nor to read; only ordinary files are
  read, and every size and count has a bound.
"""

from __future__ import annotations

import os
import stat
from pathlib import PurePosixPath

from . import wire

MAX_FILES = 10_000  # that are looked at
PRIVATE = (".cache", ".config", ".local", ".ipython", ".matplotlib")  # what libraries put into a home folder
MAX_PIECE = 16 << 20  # bytes read at once
FRAMES = ("put", "look", "read")
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
_MORE = os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


def look(path: str) -> dict[str, tuple[int, int]]:
    """The ordinary files below a folder: name to time of the last change (ns) and bytes."""
    found: dict[str, tuple[int, int]] = {}
    left = MAX_FILES
    try:
        for folder, folders, files, number in os.fwalk(path, follow_symlinks=False):
            place = os.path.relpath(folder, path)
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


def make_folder(root: int, path: PurePosixPath) -> int:
    """A folder below the folder ``root`` is open on, made where it is missing; a link or file in its place is removed.

    Returns:
        Its descriptor, which the caller closes.
    """
    here = os.dup(root)
    for part in path.parts:
        try:
            below = _folder_in(here, part)
        finally:
            os.close(here)
        here = below
    return here


def _folder_in(above: int, name: str) -> int:
    seen = _lstat(name, above)
    if seen is not None and not stat.S_ISDIR(seen.st_mode):
        os.unlink(name, dir_fd=above)
        seen = None
    if seen is None:
        os.mkdir(name, 0o755, dir_fd=above)
    below = os.open(name, _FOLDER, dir_fd=above)
    if seen is None:
        _give(below, above)
    return below


def create(root: int, path: PurePosixPath) -> int:
    """A new file below ``root``, in the place of what had its name; returns its descriptor, which the caller closes."""
    here = make_folder(root, path.parent)
    try:
        seen = _lstat(path.name, here)
        if seen is not None and stat.S_ISDIR(seen.st_mode):
            raise IsADirectoryError(21, "the sandbox has a folder of this name", str(path))
        if seen is not None:
            os.unlink(path.name, dir_fd=here)
        number = os.open(path.name, _NEW, 0o644, dir_fd=here)
        _give(number, here)
        return number
    finally:
        os.close(here)


def open_below(path: str, name: str, flags: int = _READ) -> int:
    """A file of the folder ``path``, without following links; returns its descriptor, which the caller closes.

    Raises:
        OSError: there is none, or it is no ordinary file.
    """
    parts = PurePosixPath(name).parts
    root = os.open(path, _FOLDER)
    try:
        for part in parts[:-1]:
            below = os.open(part, _FOLDER, dir_fd=root)
            os.close(root)
            root = below
        number = os.open(parts[-1], flags, dir_fd=root)
    finally:
        os.close(root)
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise OSError(22, "it is no ordinary file", name)
    return number


def open_root(path: str) -> int:
    """The folder itself; returns its descriptor, which the caller closes."""
    return os.open(path, _FOLDER)


def _lstat(name: str, folder: int) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None


def _give(number: int, above: int) -> None:
    """Let whom the folder around it belongs to have it: whom the code runs as."""
    if hasattr(os, "geteuid") and os.geteuid() == 0 and hasattr(os, "fchown"):
        owner = os.fstat(above)
        os.fchown(number, owner.st_uid, owner.st_gid)


# --- for a host that is elsewhere ---------------------------------------------------------------------------------------


def answer(frame: wire.Frame, work: str) -> wire.Frame:
    """What a frame of the host about the work folder asks for, done; an error is in the answer."""
    blobs: tuple[bytes, ...] = ()
    error = ""
    try:
        if frame.type == "put":
            _put(frame, work)
        elif frame.type == "look":
            blobs = (wire.dumps([[name, *seen] for name, seen in look(work).items()]),)
        else:
            blobs = (_read(frame, work),)
    except (OSError, ValueError, IndexError) as problem:
        error = str(getattr(problem, "strerror", None) or problem)
    return wire.Frame("answer", {"id": frame.fields["id"], "error": error}, blobs)


def _put(frame: wire.Frame, work: str) -> None:
    """Write pieces of files: each has a name, the place where it begins, and its bytes; a folder's name ends in "/"."""
    root = open_root(work)
    try:
        for name, at, data in zip(frame.fields["names"], frame.fields["at"], frame.blobs):
            path = PurePosixPath(name)
            if path.is_absolute() or ".." in path.parts:
                raise ValueError(f"{name!r} lies outside the work folder")
            if name.endswith("/"):
                os.close(make_folder(root, path))
                continue
            number = open_below(work, name, _MORE) if at else create(root, path)
            try:
                view = memoryview(data)
                while view:
                    written = os.pwrite(number, view, at)
                    view, at = view[written:], at + written
            finally:
                os.close(number)
    finally:
        os.close(root)


def _read(frame: wire.Frame, work: str) -> bytes:
    number = open_below(work, frame.fields["name"])
    try:
        return os.pread(number, min(max(0, frame.fields["size"]), MAX_PIECE), max(0, frame.fields["at"]))
    finally:
        os.close(number)
