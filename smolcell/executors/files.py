"""The work folder of a sandbox, as the host sees it: files sent to it, files the code wrote, files kept.

* The folder belongs to the code: every report about it is hostile until checked, and bounded.
* Only copies of the named files are sent, under the same names. Of a named folder, these stay out and are logged: links that lead
  out of it, hidden folders, and files that may hold keys by their names or by the names of their targets.
* A named link is checked by its target: one to a hidden folder or to keys is refused, and one that leads out of the folder it lies in
  unless a person allowed its target. Files of the operating system never go in (``host_files``).
* No file of the user is overwritten.
"""

from __future__ import annotations

import logging
import os
import re
import shlex
import stat
import tempfile
from abc import ABC, abstractmethod
from codecs import getincrementaldecoder
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePath, PurePosixPath
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol

from smolcell.core.text import clip, visible
from smolcell.errors import SandboxBusyError, SandboxError, SetupError
from smolcell.events import File
from smolcell.executors.base import WorkerExecutor
from smolcell.executors.connection import Connection, WorkerChannel
from smolcell.machine.environment import importing, startup_value
from smolcell.machine.host_files import SYSTEM_FILE, follow, is_system_file, may_hold_keys, open_file, path_fault
from smolcell.worker.system import folders as workfolder
from smolcell.worker.system.folders import holds_home
from smolcell.worker.wire import frames, values

if TYPE_CHECKING:
    from smolcell.executors.packages import Site

MAX_BYTES = 1 << 30  # sent together, or copied out as one file
MAX_FILES = workfolder.MAX_FILES  # sent together
MAX_EXAMINED = 10 * MAX_FILES  # examined for that
MAX_OFFERED = 256 << 20  # of a file that is offered
MAX_LISTED = 100
MAX_HEADS = 5  # files that are given with their first lines
HEAD_LINES, MAX_HEAD_LINE, MAX_HEAD_BYTES = 4, 200, 4096
SYSTEM = ("/proc", "/sys", "/dev", "/run", "/etc", "/boot")  # folders that cannot be mounted
MAX_LOGGED = 8
PIECE_BYTES = 4 << 20  # bytes per copy operation
log = logging.getLogger("smolcell")


def names_in_folder(
    paths: Iterable[str | os.PathLike[str]], base: Path | None = None, links: Collection[Path] = ()
) -> dict[str, Path]:
    """Return the names under which files and folders are sent, with their real paths.

    The names are the given ones if they are below ``base``, else their last part.

    Args:
        paths: files and folders; ``~`` is the user's home.
        base: folder of relative paths; the current one by default.
        links: real paths to which links may lead out of their folders, as a person allowed.

    Raises:
        SetupError: a path does not exist, is neither file nor folder, cannot be read, or two have the same name; it contains a link
            to a place that is only sent if it is named itself; or it is a file of the operating system.
    """
    base = (base or Path.cwd()).absolute()
    paths_by_name: dict[str, Path] = {}
    for given in paths:
        path = _path(given, base)
        below = path.relative_to(base) if path.is_relative_to(base) else Path(path.name)
        name = below.as_posix()
        if name in (".", ""):
            raise SetupError(f"{given}: this folder cannot be copied as a whole: give a folder in it, or files")
        if not os.access(path, os.R_OK | (os.X_OK if path.is_dir() else 0)):
            raise SetupError(f"{given}: you have no permission to read it")
        target = follow(path, base)
        real = target.real
        if fault := path_fault(path, target, base, "; name that path itself to send it", links):
            raise SetupError(f"{given}: {fault}")
        if paths_by_name.get(name, real) != real:
            raise SetupError(
                f"{given} and {paths_by_name[name]} would both be {name!r} in the sandbox; rename one of them"
            )
        paths_by_name[name] = real
    return paths_by_name


def find_links(paths: Iterable[str | os.PathLike[str]]) -> dict[str, Path]:
    """Return those of the named files and folders that are links out of the folder they lie in, with their real paths.

    Raises:
        SetupError: a path does not exist.
    """
    base = Path.cwd()
    targets = {str(given): follow(_path(given, base), base) for given in paths}
    return {given: target.real for given, target in targets.items() if target.leads_out}


def _path(given: str | os.PathLike[str], base: Path) -> Path:
    """Resolve a path, which must exist."""
    shown, path = visible(str(given)), base
    try:
        path = Path(os.path.normpath(base / Path(given).expanduser()))
        path.resolve(strict=True)  # a link of the kernel may lead to a file that has no path
    except (FileNotFoundError, NotADirectoryError):
        raise SetupError(f"{shown}: there is no such file or folder (looked for {visible(str(path))})") from None
    except (OSError, RuntimeError, ValueError) as error:  # no permission; an impossible name; no home folder
        raise SetupError(f"{shown}: {getattr(error, 'strerror', None) or error}") from None
    return path


def measure_files(files: Mapping[str, Path]) -> tuple[File, ...]:
    """List the files that would be sent, with their sizes; the name of a folder ends in "/" and counts its files. Logs the others.

    Raises:
        SetupError: they are too large or too many; counting stops then.
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
            if sum(sizes.values()) > MAX_BYTES or count > MAX_FILES or looked > MAX_EXAMINED:
                raise SetupError(
                    f"{visible(name)}: too much to copy in (at most {MAX_FILES:,} files, {MAX_BYTES:,} bytes together); "
                    "name fewer, or the files instead of their folder, or mount it: --read-only"
                )
    if out:
        more = f" and {len(out) - MAX_LOGGED:,} more" if len(out) > MAX_LOGGED else ""
        log.warning("not sent: %s%s", ", ".join(out[:MAX_LOGGED]), more)
    return tuple(File(name=visible(f"{name}/" if files[name].is_dir() else name), size=sizes[name]) for name in files)


def find_mountable(paths: Iterable[str | os.PathLike[str]], links: Collection[Path] = ()) -> dict[str, Path]:
    """Return the names under which files and folders are mounted, with their real paths. See ``names_in_folder``.

    Raises:
        SetupError: see ``names_in_folder``; or a path is, or contains, files that no sandbox may read.
    """
    mountable = names_in_folder(paths, links=links)
    private, temporary = _private(), Path(tempfile.gettempdir()).resolve()
    for name, real in mountable.items():
        if holds_home(str(real)) or any(path.is_relative_to(real) for path in (*private, temporary)):
            what = "is, or contains, your home folder, or files of smolcell"
        elif any(real.is_relative_to(path) for path in (*private, *map(Path, SYSTEM))):
            what = "belongs to the system, or to smolcell"
        elif any(part.startswith(".") for part in real.parts):
            what = "is hidden, or in a hidden folder"
        elif any(mounted.is_relative_to(real) and is_system_file(mounted) for mounted in _mount_points()):
            what = "contains files of the operating system"
        else:
            continue
        raise SetupError(
            f"{visible(name)} is not mounted: {visible(str(real))} {what}. Mount a folder that contains only data, or leave out --read-only"
        )
    return mountable


def _mount_points() -> list[Path]:
    """List the places where file systems are mounted; empty on systems other than Linux."""
    with suppress(OSError):
        lines = Path("/proc/self/mountinfo").read_text("utf-8", "surrogateescape").splitlines()
        places = (re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), line.split(" ")[4]) for line in lines)
        return [path for path in map(Path, places) if path.exists()]
    return []


def _private() -> list[Path]:
    """List smolcell's settings and journals, and the user's files with keys that are not in hidden folders."""
    with importing():
        import platformdirs

    folders = [os.environ.get("SMOLCELL_STATE_DIR", ""), startup_value("SMOLCELL_CONFIG_DIR")]
    with suppress(RuntimeError):  # the user has no home folder
        folders += [
            find("smolcell", appauthor=False) for find in (platformdirs.user_state_dir, platformdirs.user_config_dir)
        ]
        folders += [str(Path.home() / name) for name in ("Library", "AppData")]
    return [Path(folder).resolve() for folder in folders if folder]


def open_to_others(files: Mapping[str, Path]) -> None:
    """Raise ``SetupError`` if other users cannot read a path: the code runs as another user."""
    for real in files.values():
        wanted = 0o005 if real.is_dir() else 0o004
        if real.stat().st_mode & wanted != wanted:
            raise SetupError(
                f"{visible(str(real))}: the code runs as another user, who cannot read it; type: chmod -R o+rX {shlex.quote(str(real))}"
            )


class FileBeside(NamedTuple):
    """A file below the current folder, as it was when the user was asked about it."""

    name: str  # relative path, also in the sandbox
    path: Path
    size: int
    identity: tuple[int, ...]  # device, inode, size and times, which change with the content


def find_beside(names: Iterable[str]) -> tuple[FileBeside, ...]:
    """Return those files of these names that may be offered.

    Ordinary ones below the current folder: not hidden, no keys, no link out of its folder.
    """
    files = []
    try:
        base = Path.cwd()
        for name in names:
            path = base / name
            found = _entry(name, path, base.resolve())
            if found.reason or found.size > MAX_OFFERED or found.path.name.startswith("."):
                continue
            if not follow(path, base).leads_out:
                files.append(FileBeside(name, path, found.size, _identity(path)))
    except OSError:
        pass  # a file that is being removed is not offered
    return tuple(files)


def _identity(path: Path) -> tuple[int, ...]:
    now = path.stat()
    return (now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns)


class FolderEntry(NamedTuple):
    """A named file, or an entry of a named folder."""

    name: str  # name in the sandbox
    path: Path
    size: int
    reason: str = ""  # why it stays out


def contents(name: str, path: Path) -> Iterator[tuple[str, Path]]:
    """Return the ordinary files of a real path that are sent: name in the sandbox, and real path."""
    return ((entry.name, entry.path) for entry in _entries(name, path) if not entry.reason)


def _entries(name: str, path: Path) -> Iterator[FolderEntry]:
    if path.is_file():
        yield FolderEntry(name, path, path.stat().st_size)
        return
    closed: list[OSError] = []
    for folder, folders, files in os.walk(path, onerror=closed.append):
        below = Path(name, Path(folder).relative_to(path))
        folders.sort()
        for each in list(folders):
            if reason := _why_no_folder(Path(folder, each)):
                folders.remove(each)
                yield FolderEntry(f"{(below / each).as_posix()}/", Path(folder, each), 0, reason)
        for each in sorted(files):
            yield _entry((below / each).as_posix(), Path(folder, each), path)
    for error in closed:
        yield FolderEntry(str(error.filename), Path(str(error.filename)), 0, "it cannot be read")


def _why_no_folder(path: Path) -> str:
    if path.is_symlink():
        return "a link to a folder"
    if path.name.startswith("."):
        return "a hidden folder"
    return SYSTEM_FILE if is_system_file(path) else ""


def _entry(name: str, path: Path, root: Path) -> FolderEntry:
    """Examine a file of a folder that is sent. A link is also checked by every part of its target below the named folder, ``root``."""
    try:
        real = path.resolve(strict=True)
        seen = real.stat()
    except (OSError, RuntimeError):
        return FolderEntry(name, path, 0, "a link to nowhere")
    return FolderEntry(name, real, seen.st_size, _why_not_in_folder(path, real, seen.st_mode, root))


def _why_not_in_folder(path: Path, real: Path, mode: int, root: Path) -> str:
    if not real.is_relative_to(root):
        return "a link that leads out"
    *folders, name = real.relative_to(root).parts
    if may_hold_keys(path.name) or may_hold_keys(name):
        return "it may hold keys: name the file itself to send it"
    if any(folder.startswith(".") for folder in folders):
        return "a link into a hidden folder"
    if not stat.S_ISREG(mode):
        return "not an ordinary file"
    if is_system_file(real):
        return SYSTEM_FILE
    return "" if os.access(real, os.R_OK) else "it cannot be read"


def pieces(real: Path) -> Iterator[bytes]:
    """Yield the current content of an ordinary file, in pieces; later writes are ignored.

    Raises:
        OSError: see ``open_file``.
    """
    with open_file(real) as file:
        left = max(os.fstat(file.fileno()).st_size, PIECE_BYTES)  # some file systems report size 0
        while left and (data := file.read(min(left, PIECE_BYTES))):
            left -= len(data)
            yield data


Seen = Mapping[str, tuple[int, int]]
"""Names of ordinary files, with the time of the last change (ns) and the size in bytes."""


class SandboxFolder(ABC):
    """The work folder of a sandbox."""

    def __init__(self) -> None:
        self._before: Seen = {}

    @abstractmethod
    def put(self, files: Mapping[str, Path]) -> None:
        """Copy files and folders into it under these names; replaces what has such a name.

        Raises:
            SandboxError: a file cannot be read or written; files copied before stay.
        """

    @abstractmethod
    def _look(self) -> Seen:
        """Return the ordinary files in the folder."""

    @abstractmethod
    def _pieces(self, name: str) -> Iterator[bytes]:
        """Yield the content of a file; raises SandboxError if it cannot be read."""

    def changed(self) -> tuple[File, ...]:
        """Return the files that are new or changed since the last call, at most a hundred."""
        now = self._look()
        names = [name for name, seen in now.items() if self._before.get(name) != seen]
        self._before = now
        return tuple(File(name=visible(name), size=now[name][1]) for name in sorted(names)[:MAX_LISTED])

    def all(self) -> tuple[File, ...]:
        """Return all ordinary files, sorted."""
        return tuple(File(name=visible(name), size=size) for name, (_, size) in sorted(self._look().items()))

    def keep(self, name: str, target: Path) -> Path:
        """Copy a file of the sandbox out; returns its path.

        Args:
            name: as in ``all`` or ``changed``.
            target: the new path; if it is a folder, the file is copied into it. Existing files are not overwritten.

        Raises:
            SandboxError: there is no such file, or it is too large.
            FileExistsError: the target exists.
        """
        seen = self._look()
        real = next((known for known in seen if visible(known) == name), None)
        if real is None:
            known = ", ".join(file.name for file in self.all()[:20]) or "none"
            raise SandboxError(f"the sandbox has no file {name!r}; its files: {known}")
        if seen[real][1] > MAX_BYTES:
            raise SandboxError(f"the sandbox's file {name!r} has {seen[real][1]:,} bytes (at most {MAX_BYTES:,})")
        if target.is_dir():
            target = target / last_name(visible(real))
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
                target.unlink(missing_ok=True)  # do not leave half a file
                raise
        return target


def last_name(name: str, kind: type[PurePath] = PurePath) -> str:
    """Return the last part of a file's name in a sandbox, for use on this machine.

    Args:
        name: separated by slashes; backslashes and colons are ordinary characters in a sandbox.
        kind: path type of this machine.

    Raises:
        SandboxError: on this machine the last part would not be a plain file name.
    """
    last = PurePosixPath(name).name
    if kind(last).name != last:
        raise SandboxError(
            f"the sandbox's file {name!r} has a name that is not valid on this machine; give a target path with a file name"
        )
    return last


class WorkFolder(SandboxFolder):
    """The work folder of a sandbox on this machine.

    Args:
        path: an existing folder that belongs to the user that the code runs as.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = str(path)

    def put(self, files: Mapping[str, Path]) -> None:
        """Copy files and folders into it. See ``SandboxFolder.put``."""
        root = workfolder.open_root(self._path)
        try:
            for name, path in files.items():
                if path.is_dir():
                    os.close(workfolder.make_folder(root, PurePosixPath(name)))
                for each, where in contents(name, path):
                    content = pieces(where)
                    first = next(content, b"")  # opens the file before its copy is created
                    with os.fdopen(workfolder.create(root, PurePosixPath(each)), "wb") as copy:
                        copy.write(first)
                        copy.writelines(content)
        except OSError as error:
            raise SandboxError(
                f"{error.filename or name} cannot be copied into the sandbox: {error.strerror}"
            ) from error
        finally:
            os.close(root)
        self.changed()

    def is_empty(self) -> bool:
        """Return whether the folder exists and is empty."""
        try:
            return not any(Path(self._path).iterdir())
        except OSError:
            return False

    def _look(self) -> Seen:
        return workfolder.list_files(self._path)

    def _pieces(self, name: str) -> Iterator[bytes]:
        try:
            number = workfolder.open_below(self._path, name)
        except OSError as error:
            raise SandboxError(f"the sandbox's file {visible(name)!r} cannot be read: {error.strerror}") from error
        with os.fdopen(number, "rb") as file:
            while piece := file.read(PIECE_BYTES):
                yield piece


# --- Files of sandboxes that run the worker: the files of each new one, and the work folder of one on another machine.
#
# * A new worker gets the same files as the one before.
# * A worker's reports are checked: names without "..", sizes that are numbers, pieces no longer than requested.


Ask = Callable[[Callable[[Connection, int], None]], frames.Frame]
FILES_PER_FRAME = 200  # files per frame


class FileTransfer(WorkerExecutor):
    """A sandbox with a work folder. A subclass sets ``_folder`` when its worker starts."""

    _folder: SandboxFolder | None = None  # of the current worker, or the last one
    _files: Mapping[str, Path] = MappingProxyType({})  # sent to every new worker

    def send_files(self, paths: Sequence[str | os.PathLike[str]], links: Collection[Path] = ()) -> tuple[File, ...]:
        """See ``WorkerExecutor.send_files``."""
        files = names_in_folder(paths, links=links)
        sizes = measure_files(files)
        self._files = {**self._files, **files}
        if self._folder is not None and self._connection is not None:
            self._folder.put(files)
        return with_heads(sizes, files)

    def _mount(self, files: Mapping[str, Path]) -> tuple[File, ...]:
        """Mount these files from the next worker on; a worker that runs without them is ended."""
        if self.worker.step is not None:
            raise SandboxBusyError(f"the sandbox {self.name!r} has an open step; mount before or after it")
        every = {**self.mounts, **files}
        wanted = {name: real for name, real in every.items() if not _is_below(name, every)}
        if wanted != self.mounts:
            self.mounts = wanted
            if self.worker.replace():
                self.worker.was_lost = True
        return with_heads(_as_mounted(files), files)

    def examine(
        self, paths: Sequence[str | os.PathLike[str]], links: Iterable[Path], *, read_only: bool
    ) -> tuple[File, ...]:
        """Return what ``send_files``, or ``mount`` if ``read_only``, would return, and raise what they would; sends nothing."""
        allowed = tuple(links)
        if read_only:
            return _as_mounted(find_mountable(paths, allowed))
        return measure_files(names_in_folder(paths, links=allowed))

    def _check_mounts(self) -> None:
        """Raise ``SandboxError`` if a path to mount leads elsewhere than when it was named."""
        for name, real in self.mounts.items():
            if os.path.realpath(real) != str(real):
                raise SandboxError(f"{visible(name)} is not mounted: {visible(str(real))} was replaced by a link")

    def beside(self, names: Iterable[str]) -> tuple[FileBeside, ...]:
        """Return those files of these names below the current folder that may be offered and are missing in the work folder."""
        found = (
            find_beside(name for name in names if not _is_below(name, self.mounts)) if self._folder is not None else ()
        )
        known = {file.name for file in self.files()} if found else set()
        return tuple(file for file in found if visible(file.name) not in known)

    def send_beside(self, files: Sequence[FileBeside]) -> None:
        """Copy files that ``find_beside`` returned.

        Raises:
            SandboxError: one of them was changed meanwhile.
        """
        for file in files:
            if not file.path.is_file() or _identity(file.path) != file.identity:
                raise SandboxError(f"{visible(file.name)} was changed after you were asked; run the cell again")
        self.send_files([file.path for file in files])

    def files(self) -> tuple[File, ...]:
        """See ``WorkerExecutor.files``."""
        return self._folder.all() if self._folder is not None and not self._closed else ()

    def keep_file(self, name: str, target: Path) -> Path:
        """See ``WorkerExecutor.keep_file``."""
        if self._folder is None or self._closed:
            raise SandboxError("the sandbox is not running, so it has no files")
        return self._folder.keep(name, target)

    def _end_open(self) -> None:
        """End the sandbox if it is open; the next step starts a new one, and reports that the variables are lost."""
        if (connection := self._connection) is not None:
            connection.close()

    def _fill(self) -> None:
        """Copy the files into the work folder of a worker that is reached only over its wire."""
        self._folder = FarFolder(self.worker.ask)
        self._folder.put(self._files)

    def _written(self) -> tuple[File, ...]:
        return self._folder.changed() if self._folder is not None else ()


class FarChannel(WorkerChannel, Protocol):
    """A channel to a sandbox that is reached only over its wire, where programs can be run beside the worker."""

    def look(self) -> bytes:
        """Return the output of ``packages.LOOK`` for the sandbox's Python."""

    def unpack(self, folder: Path) -> None:
        """Copy new packages from a folder to one that the code can read but not write."""


class FarExecutor(FileTransfer):
    """A sandbox that is reached only over its wire. A subclass sets ``_channel`` when its worker starts."""

    _channel: FarChannel | None
    _site: Site | None = None

    def _set_up(self) -> None:
        self.capabilities["local process"] = False
        self._site = None
        self._fill()
        self.take_packages()

    def site(self) -> Site:
        """See ``BaseExecutor.site``."""
        from smolcell.executors.packages import OtherSite

        if self._channel is None or self._connection is None:
            raise SandboxError("the sandbox is not open")
        if self._site is None:
            self._site = OtherSite(self._channel.look())
        return self._site

    def take_packages(self) -> None:
        """See ``BaseExecutor.take_packages``."""
        if self.packages is not None and self.packages.installed and self._channel is not None:
            self._channel.unpack(self.packages.folder)


def with_heads(listed: tuple[File, ...], files: Mapping[str, Path]) -> tuple[File, ...]:
    """Return the listed files, the first few of them with their first lines, if they are text and hold no keys by their name."""
    return tuple(
        replace(file, head=_head(path)) if at < MAX_HEADS and not may_hold_keys(path.name) and path.is_file() else file
        for at, (file, path) in enumerate(zip(listed, files.values(), strict=True))
    )


def _head(path: Path) -> str:
    """Return the first lines of a text; "" of other files, and of those that cannot be read."""
    try:
        with open_file(path) as file:
            data = file.read(MAX_HEAD_BYTES)
        text = getincrementaldecoder("utf-8-sig")().decode(data, final=len(data) < MAX_HEAD_BYTES)
    except (OSError, ValueError):
        return ""
    lines = text.splitlines()[:HEAD_LINES]
    return "" if "\0" in text else visible("\n".join(clip(line, MAX_HEAD_LINE) for line in lines))


def _as_mounted(files: Mapping[str, Path]) -> tuple[File, ...]:
    names = (f"{name}/" if real.is_dir() else name for name, real in files.items())
    return tuple(File(name=visible(name), size=0, read_only=True) for name in names)


def _is_below(name: str, folders: Iterable[str]) -> bool:
    return any(name.startswith(f"{folder}/") for folder in folders)


class FarFolder(SandboxFolder):
    """The work folder of a sandbox that is reached only over its wire.

    Args:
        ask: sends the worker a request, and returns its answer.
    """

    def __init__(self, ask: Ask) -> None:
        super().__init__()
        self._ask = ask

    def put(self, files: Mapping[str, Path]) -> None:
        """See ``SandboxFolder.put``."""
        waiting: list[tuple[str, int, bytes]] = []
        try:
            for piece in _pieces_of(files):
                waiting.append(piece)
                if len(waiting) == FILES_PER_FRAME or sum(len(data) for _, _, data in waiting) >= PIECE_BYTES:
                    self._send(waiting)
                    waiting = []
            self._send(waiting)
        except OSError as error:
            raise SandboxError(f"{error.filename} cannot be copied into the sandbox: {error.strerror}") from error
        self.changed()

    def _send(self, pieces: list[tuple[str, int, bytes]]) -> None:
        if not pieces:
            return
        names, places = [name for name, _, _ in pieces], [at for _, at, _ in pieces]
        data = [piece for _, _, piece in pieces]
        try:
            self._ask(lambda line, number: line.send("put", data, id=number, names=names, at=places))
        except SandboxError as error:
            raise type(error)(f"{names[0]} … cannot be copied into the sandbox: {error}") from error

    def _look(self) -> Seen:
        try:
            answer = self._ask(lambda line, number: line.send("look", id=number))
        except SandboxError:
            return {}  # it has ended, and its folder with it
        return _read_listing(answer)

    def _pieces(self, name: str) -> Iterator[bytes]:
        at, data = 0, b"-"
        while data:
            data = self._piece(name, at)
            at += len(data)
            yield data

    def _piece(self, name: str, at: int) -> bytes:
        answer = self._ask(lambda line, number: line.send("read", id=number, name=name, at=at, size=PIECE_BYTES))
        if len(answer.blobs) != 1 or len(answer.blobs[0]) > PIECE_BYTES:
            raise SandboxError(f"the sandbox sent invalid content of the file {name!r}")
        return bytes(answer.blobs[0])


def _pieces_of(files: Mapping[str, Path]) -> Iterator[tuple[str, int, bytes]]:
    """Yield name, offset and content of each piece; a folder's name ends in "/"."""
    for name, path in files.items():
        if path.is_dir():
            yield f"{name}/", 0, b""
        for each, where in contents(name, path):
            at = 0
            for data in pieces(where):
                yield each, at, data
                at += len(data)
            if not at:
                yield each, 0, b""


def _read_listing(answer: frames.Frame) -> Seen:
    """Read a worker's list of its files. Ignores entries that are not file records."""
    try:
        listing = values.read_json(answer.blobs[0])
    except (frames.FrameError, LookupError):
        return {}
    if type(listing) is not list or len(listing) > workfolder.MAX_FILES:
        return {}
    return {item[0]: (item[1], item[2]) for item in listing if _is_seen(item)}


def _is_seen(item: object) -> bool:
    if type(item) is not list or [type(part) for part in item] != [str, int, int] or item[2] < 0:
        return False
    path = PurePosixPath(item[0])
    return bool(path.name) and not path.is_absolute() and ".." not in path.parts and len(item[0]) <= 4096
