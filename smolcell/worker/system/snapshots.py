"""Snapshots of the work folder: what is in it at a checkpoint, to be put back when the user goes back there.

Files that did not change since the snapshot before share its copy. The copies of one snapshot are one file without a name,
or a memory file: the code has no path to them, and they end with this process. No link in the folder is followed.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

from . import folders

MOST_BYTES = 256 << 20  # in the folder
MOST_ON_DISK, MOST_IN_MEMORY = 1 << 30, 128 << 20  # bytes of all copies together
MOST_FILES = 5_000
MOST_LEVELS = 100  # of folders in folders
_BLOCK = 1 << 20


class SnapshotError(OSError):
    """The folder cannot be covered, or not be put back; ``strerror`` says why."""


class Entry(NamedTuple):
    """A file, folder or link as it was."""

    kind: str  # "file", "folder" or "link"
    target: str = ""  # of a link
    pack: int = 0  # of a file: the number of the file with its copy, and where that begins
    at: int = 0
    seen: tuple[int, ...] = ()  # of a file: inode, size and times, of which one changes whenever its content does
    digest: str = ""
    mode: int = 0o644


Snapshot = dict[str, Entry]


class Store:
    """The snapshots of one work folder.

    Args:
        work: the folder.
        place: a folder on whose disk the copies are kept; "" keeps them in memory.
    """

    def __init__(self, work: str, place: str) -> None:
        self._work, self._place = work, place
        self._last: Snapshot = {}
        self._packs: dict[int, int] = {}  # number to descriptor
        self._taken = 0  # snapshots so far
        self._most = MOST_ON_DISK if place else MOST_IN_MEMORY

    def take(self) -> Snapshot:
        """Take a snapshot of the folder.

        Raises:
            SnapshotError: it holds too much.
            OSError: it cannot be read, or the copies cannot be written.
        """
        found: Snapshot = {}
        size = 0
        self._taken += 1
        for name, status, above in self._walk():
            if stat.S_ISREG(status.st_mode):
                size += status.st_size
                self._check_size(size, len(found))
                found[name] = self._file(name, status)
            elif stat.S_ISDIR(status.st_mode):
                found[name] = Entry("folder")
            elif stat.S_ISLNK(status.st_mode):
                found[name] = Entry("link", os.readlink(os.path.basename(name), dir_fd=above))
            self._check_size(size, len(found))
        self._last = found
        return found

    def restore(self, snapshot: Snapshot) -> None:
        """Put back what was in the folder. A file that still has its name and inode is written in place.

        Raises:
            OSError: a copy is not whole, or something cannot be written.
        """
        self._check(snapshot)
        for name, status, _ in reversed(list(self._walk())):
            if name not in snapshot or snapshot[name].kind != _kind(status):
                self._discard(name, stat.S_ISDIR(status.st_mode))
        for name, entry in sorted(snapshot.items()):
            if entry.kind == "folder":
                self._make_folder(name)
        for name, entry in snapshot.items():
            if entry.kind == "file":
                snapshot[name] = self._put_back(name, entry)
        folders.link(self._work, {name: entry.target for name, entry in snapshot.items() if entry.kind == "link"})
        self._last = snapshot

    def keep(self, snapshots: Iterable[Snapshot]) -> None:
        """Free the copies that none of these needs."""
        snapshots = list(snapshots)
        if not snapshots:
            self._last = {}
        needed = {entry.pack for snapshot in [*snapshots, self._last] for entry in snapshot.values()}
        for number in set(self._packs) - needed:
            os.close(self._packs.pop(number))

    def is_full(self) -> bool:
        """Whether the copies take more than they may together."""
        return sum(os.fstat(number).st_size for number in self._packs.values()) > self._most

    # --- one by one ---

    def _check_size(self, size: int, count: int) -> None:
        most = min(MOST_BYTES, self._most)
        if size > most or count > MOST_FILES:
            raise SnapshotError(0, f"the folder holds more than {most >> 20} MB or {MOST_FILES:,} files")

    def _walk(self) -> Iterator[tuple[str, os.stat_result, int]]:
        """Each name below the folder, its status, and the descriptor of the folder around it, valid for this turn."""
        for folder, names, files, number in os.fwalk(self._work, onerror=_refuse):
            place = os.path.relpath(folder, self._work)
            if place.count("/") > MOST_LEVELS:
                raise SnapshotError(0, "its folders are too deep")
            if PurePosixPath(place).parts[:1] and PurePosixPath(place).parts[0] in folders.PRIVATE:
                continue
            if place == ".":
                names[:] = [name for name in names if name not in folders.PRIVATE]
            for name in (*names, *files):
                path = PurePosixPath(place, name).as_posix()
                yield path, os.stat(name, dir_fd=number, follow_symlinks=False), number

    def _file(self, name: str, status: os.stat_result) -> Entry:
        seen, before = _seen(status), self._last.get(name)
        if before is not None and before.seen == seen:
            return before._replace(mode=stat.S_IMODE(status.st_mode))
        number = folders.open_below(self._work, name)
        try:
            pack, target = self._pack()
            at = os.lseek(target, 0, os.SEEK_END)
            digest = _transfer(number, target, MOST_BYTES)
        finally:
            os.close(number)
        return Entry("file", "", pack, at, seen, digest, stat.S_IMODE(status.st_mode))

    def _pack(self) -> tuple[int, int]:
        """The file that the copies of this snapshot go into: its number and its descriptor."""
        if self._taken not in self._packs:
            self._packs[self._taken] = self._new_pack()
        return self._taken, self._packs[self._taken]

    def _new_pack(self) -> int:
        if not self._place:
            return os.memfd_create("checkpoint")
        number, path = tempfile.mkstemp(dir=self._place)
        os.unlink(path)
        return number

    def _copy(self, entry: Entry, target: int | None = None) -> str:
        """Write the copy of a file to ``target``; returns its SHA-256."""
        number = self._packs[entry.pack]
        os.lseek(number, entry.at, os.SEEK_SET)
        return _transfer(number, target, entry.seen[1])

    def _check(self, snapshot: Snapshot) -> None:
        """Before anything is changed: all copies that may be needed are whole, which they are not if the disk was full."""
        for name, entry in snapshot.items():
            if entry.kind == "file" and not self._is_unchanged(name, entry) and self._copy(entry) != entry.digest:
                raise SnapshotError(0, f"the copy of {name!r} is not whole")

    def _is_unchanged(self, name: str, entry: Entry) -> bool:
        try:
            number = folders.open_below(self._work, name)
        except OSError:
            return False
        try:
            return _seen(os.fstat(number)) == entry.seen
        finally:
            os.close(number)

    def _put_back(self, name: str, entry: Entry) -> Entry:
        if self._is_unchanged(name, entry):
            return entry
        number = self._open_to_write(name, entry)
        try:
            self._copy(entry, number)
            os.fchmod(number, entry.mode)
            os.utime(number, ns=(entry.seen[2], entry.seen[2]))
            return entry._replace(seen=_seen(os.fstat(number)))
        finally:
            os.close(number)

    def _open_to_write(self, name: str, entry: Entry) -> int:
        try:
            number = folders.open_below(self._work, name, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            if os.fstat(number).st_ino == entry.seen[0]:  # a program may have it open
                os.ftruncate(number, 0)
                return number
            os.close(number)
        except OSError:
            pass  # gone, or closed to its owner
        root = folders.open_root(self._work)
        try:
            return folders.create(root, PurePosixPath(name))
        finally:
            os.close(root)

    def _make_folder(self, name: str) -> None:
        root = folders.open_root(self._work)
        try:
            os.close(folders.make_folder(root, PurePosixPath(name)))
        finally:
            os.close(root)

    def _discard(self, name: str, is_folder: bool) -> None:
        path = PurePosixPath(name)
        root = folders.open_root(self._work)
        try:
            above = folders.make_folder(root, path.parent)
            try:
                os.rmdir(path.name, dir_fd=above) if is_folder else os.unlink(path.name, dir_fd=above)
            finally:
                os.close(above)
        finally:
            os.close(root)


def _refuse(error: OSError) -> None:
    """A folder that cannot be looked into is not left out."""
    raise error


def _kind(status: os.stat_result) -> str:
    kinds = {stat.S_IFREG: "file", stat.S_IFDIR: "folder", stat.S_IFLNK: "link"}
    return kinds.get(stat.S_IFMT(status.st_mode), "")


def _seen(status: os.stat_result) -> tuple[int, ...]:
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _transfer(source: int, target: int | None, most: int) -> str:
    """Copy at most so many bytes of an open file from where it stands; returns their SHA-256."""
    digest = hashlib.sha256()
    while most > 0 and (data := os.read(source, min(_BLOCK, most))):
        most -= len(data)
        digest.update(data)
        view = memoryview(data)
        while target is not None and view:
            view = view[os.write(target, view) :]
    return digest.hexdigest()
