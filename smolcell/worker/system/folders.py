"""Folders filled by hostile code: measures, empties and removes them, and transfers their files.

* Symbolic links are never followed.
* Measuring and removing always end, however deep, wide or locked a folder is.
"""

from __future__ import annotations

import os
import site
import stat
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePosixPath

from ..wire import frames

_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)


@contextmanager
def held(descriptor: int) -> Iterator[int]:
    """Close a descriptor at the end of the block."""
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def measure(path: str, most: int) -> tuple[int, int]:
    """Measure the disk use in bytes and count the entries below a folder; stops at ``most`` entries.

    A part that cannot be read (locked or too deep) counts as ``most`` entries. If code changes the folder meanwhile, the result
    may be wrong, but the call ends.
    """
    total = count = 0
    waiting = [path]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    count += 1
                    if count >= most:
                        return total, most
                    status = entry.stat(follow_symlinks=False)
                    # Windows has no blocks.
                    total += status.st_blocks * 512 if hasattr(status, "st_blocks") else status.st_size
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except (FileNotFoundError, NotADirectoryError):
            pass  # removed meanwhile
        except OSError:
            return total, most
    return total, count


def remove(path: str) -> None:
    """Remove an abandoned folder; ignores files that cannot be removed."""
    import shutil  # imported late: it is large, and a worker never removes its folder

    try:
        shutil.rmtree(path)
    except FileNotFoundError:
        return
    except (OSError, RecursionError):
        try:
            empty(path)
            os.rmdir(path)
        except OSError:
            pass


def empty(path: str) -> None:
    """Empty an abandoned folder.

    Works level by level: deletes the files of each folder and moves its folders up, so that no depth is too deep.

    If Python cannot open folders (Windows), paths have a maximum length, and each entry is removed by its path.

    Raises:
        OSError: something cannot be removed.
    """
    if os.open not in os.supports_dir_fd:
        _empty_by_path(path)
        return
    moved = 0
    with held(os.open(path, _FOLDER)) as top:
        while names := os.listdir(top):
            for name in names:
                if not _is_folder(name, top):
                    os.unlink(name, dir_fd=top)
                    continue
                os.chmod(name, 0o700, dir_fd=top)
                with held(os.open(name, _FOLDER, dir_fd=top)) as folder:
                    moved = _move_up(folder, top, moved)
                os.rmdir(name, dir_fd=top)


def _empty_by_path(path: str) -> None:
    import shutil

    for entry in list(os.scandir(path)):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path)
        else:
            os.unlink(entry.path)


def _move_up(folder: int, top: int, moved: int) -> int:
    for name in os.listdir(folder):
        if _is_folder(name, folder):
            os.chmod(name, 0o700, dir_fd=folder)
            moved += 1
            while _lstat(f".{moved}", top) is not None:
                moved += 1
            os.rename(name, f".{moved}", src_dir_fd=folder, dst_dir_fd=top)
        else:
            os.unlink(name, dir_fd=folder)
    return moved


def _is_folder(name: str, folder: int) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)


# --- The work folder, opened component by component, so that traps set by hostile code have no effect.
#
# * Symbolic links are not followed, neither for writing nor for reading; only ordinary files are read; all sizes and counts
#   are bounded.


MAX_FILES = 10_000  # maximum files examined
PRIVATE = (".cache", ".config", ".local", ".ipython", ".matplotlib")  # folders that libraries create in a home folder
MAX_PIECE_BYTES = 16 << 20  # maximum bytes read at once
FRAMES = ("put", "look", "read")
PASS = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
_MORE = os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


def list_files(path: str) -> dict[str, tuple[int, int]]:
    """List the ordinary files below a folder: name -> time of the last change (ns) and size in bytes."""
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
        pass  # the code changes it meanwhile, or it is too deep
    return found


def make_folder(root: int, path: PurePosixPath) -> int:
    """Open a folder below the open folder ``root``; creates it if missing, and replaces a link or file of that name.

    Returns:
        A descriptor, which the caller closes.
    """
    here = os.dup(root)
    for part in path.parts:
        with held(here):
            here = _folder_in(here, part)
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
        _give_to_owner(below, above)
    return below


def create(root: int, path: PurePosixPath) -> int:
    """Create a file below ``root``, replacing any of that name; returns its descriptor, which the caller closes."""
    with held(make_folder(root, path.parent)) as here:
        seen = _lstat(path.name, here)
        if seen is not None and stat.S_ISDIR(seen.st_mode):
            raise IsADirectoryError(21, "the sandbox has a folder of this name", str(path))
        if seen is not None:
            os.unlink(path.name, dir_fd=here)
        number = os.open(path.name, _NEW, 0o644, dir_fd=here)
        _give_to_owner(number, here)
        return number


def open_below(path: str, name: str, flags: int = _READ, folder: int = _FOLDER) -> int:
    """Open a file of the folder ``path`` without following links; returns its descriptor, which the caller closes.

    Args:
        folder: flags for the folders on the way; ``PASS`` if they need not be readable.

    Raises:
        OSError: the file is missing or not an ordinary file.
    """
    parts = PurePosixPath(name).parts
    here = os.open(path, folder)
    for part in parts[:-1]:
        with held(here):
            here = os.open(part, folder, dir_fd=here)
    with held(here):
        number = os.open(parts[-1], flags, dir_fd=here)
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise OSError(22, "not an ordinary file", name)
    return number


def open_root(path: str) -> int:
    """Open the folder itself; returns its descriptor, which the caller closes."""
    return os.open(path, _FOLDER)


def link(path: str, links: dict[str, str]) -> None:
    """Create symbolic links in the folder ``path``, from name to target, unless the name exists."""
    with held(open_root(path)) as root:
        for name, target in links.items():
            with held(make_folder(root, PurePosixPath(name).parent)) as here:
                if _lstat(PurePosixPath(name).name, here) is None:
                    os.symlink(target, PurePosixPath(name).name, dir_fd=here)


def _lstat(name: str, folder: int) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None


def _give_to_owner(number: int, above: int) -> None:
    """Give a file the owner of its folder, which is the user that the code runs as."""
    if hasattr(os, "geteuid") and os.geteuid() == 0 and hasattr(os, "fchown"):
        owner = os.fstat(above)
        os.fchown(number, owner.st_uid, owner.st_gid)


# --- for a host on another machine -----------------------------------------------------------------------------------------


def answer(frame: frames.Frame, work: str) -> frames.Frame:
    """Carry out a frame of the host about the work folder; an error becomes part of the answer."""
    blobs: tuple[bytes, ...] = ()
    error = ""
    try:
        if frame.type == "put":
            _put(frame, work)
        elif frame.type == "look":
            blobs = (frames.dumps([[name, *seen] for name, seen in list_files(work).items()]),)
        else:
            blobs = (_read(frame, work),)
    except (OSError, ValueError, IndexError) as problem:
        error = str(getattr(problem, "strerror", None) or problem)
    return frames.Frame("answer", {"id": frame.fields["id"], "error": error}, blobs)


def _put(frame: frames.Frame, work: str) -> None:
    """Write pieces of files: each has a name, its offset, and its bytes; a folder's name ends in "/"."""
    with held(open_root(work)) as root:
        for name, at, data in zip(frame.fields["names"], frame.fields["at"], frame.blobs):
            path = PurePosixPath(name)
            if path.is_absolute() or ".." in path.parts:
                raise ValueError(f"{name!r} lies outside the work folder")
            if name.endswith("/"):
                os.close(make_folder(root, path))
                continue
            with held(open_below(work, name, _MORE) if at else create(root, path)) as number:
                view = memoryview(data)
                while view:
                    written = os.pwrite(number, view, at)
                    view, at = view[written:], at + written


def _read(frame: frames.Frame, work: str) -> bytes:
    with held(open_below(work, frame.fields["name"])) as number:
        return os.pread(number, min(max(0, frame.fields["size"]), MAX_PIECE_BYTES), max(0, frame.fields["at"]))


# --- A Python installation: the folders that must be readable to run it with its packages.
#
# * Of an installation's root only folders with programs and libraries are readable: a root may be a home folder, or hold
#   settings with secrets.
# * A home folder, the user's data folder in it, or a folder that contains one, is never made readable.


INSTALLATION_FOLDERS = ("bin", "lib", "lib32", "lib64", "libexec", "share", "pyvenv.cfg", "Frameworks", "Resources")


def site_paths() -> list[str]:
    """Return the folders of installed packages of the running environment, which ``-S`` omits."""
    known = [*site.getsitepackages()]
    if site.ENABLE_USER_SITE:
        known.append(site.getusersitepackages())
    known += [path for path in sys.path if os.path.basename(path) in ("site-packages", "dist-packages")]
    return [path for path in dict.fromkeys(known) if os.path.isdir(path)]


def readable_paths() -> list[str]:
    """Return the paths that a sandbox must read to run this Python with its packages; absolute paths that exist."""
    roots = {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}
    paths = [os.path.join(root, part) for root in sorted(roots) for part in INSTALLATION_FOLDERS]
    paths += [sysconfig.get_path(name) for name in ("stdlib", "platstdlib")]
    paths += [os.path.realpath(sys.executable), *site_paths()]
    paths += [os.path.realpath(path) for path in paths]
    data = os.environ.get("XDG_DATA_HOME") or "~/.local/share"  # of all programs, with keyrings
    return [path for path in dict.fromkeys(paths) if os.path.exists(path) and not holds_home(path, data)]


def holds_home(path: str, *others: str) -> bool:
    """Return whether a path is a home folder or one of ``others``, or contains one."""
    homes = (os.path.realpath(os.path.expanduser(home)) + "/" for home in ("~", *others))
    return any(home.startswith(os.path.realpath(path).rstrip("/") + "/") for home in homes)
