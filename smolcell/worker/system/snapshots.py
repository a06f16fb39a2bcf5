"""Snapshots of the work folder: what is in it at a checkpoint, to be put back when the user goes back there.

Files that did not change since the snapshot before share its copy. The copies lie outside the folder; if the code can
write them nevertheless, their digests show it. No link in the folder is followed.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

from . import folders

MOST_BYTES = 256 << 20  # in the folder
MOST_FILES = 5_000
_BLOCK = 1 << 20


class SnapshotError(OSError):
    """The folder cannot be covered, or not be put back; ``strerror`` says why."""


class Entry(NamedTuple):
    """A file, folder or link as it was."""

    kind: str  # "file", "folder" or "link"
    target: str = ""  # of a link; of a file, the name of its copy
    seen: tuple[int, ...] = ()  # of a file: inode, size and times, of which one changes whenever its content does
    digest: str = ""
    mode: int = 0o644


Snapshot = dict[str, Entry]


class Store:
    """The snapshots of one work folder.

    Args:
        work: the folder.
        place: a folder for the copies, made when it is needed.
    """

    def __init__(self, work: str, place: str) -> None:
        self._work, self._place = work, place
        self._last: Snapshot = {}
        self._copies = 0

    def take(self) -> Snapshot:
        """What is in the folder now.

        Raises:
            SnapshotError: it holds too much.
            OSError: it cannot be read, or the copies cannot be written.
        """
        found: Snapshot = {}
        size = 0
        for name, status, above in self._walk():
            if stat.S_ISREG(status.st_mode):
                size += status.st_size
                found[name] = self._file(name, status)
            elif stat.S_ISDIR(status.st_mode):
                found[name] = Entry("folder")
            elif stat.S_ISLNK(status.st_mode):
                found[name] = Entry("link", os.readlink(os.path.basename(name), dir_fd=above))
            if size > MOST_BYTES or len(found) > MOST_FILES:
                raise SnapshotError(0, f"the folder holds more than {MOST_BYTES >> 20} MB or {MOST_FILES:,} files")
        self._last = found
        return found

    def restore(self, snapshot: Snapshot) -> None:
        """Put back what was in the folder. A file that still has its name and inode is written in place.

        Raises:
            OSError: a copy was changed or is gone, or something cannot be written.
        """
        self._check(snapshot)
        for name, status, _ in list(self._walk(bottom_up=True)):
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
        """Remove the copies that none of these needs."""
        if not self._copies:
            return
        needed = {entry.target for snapshot in [*snapshots, self._last] for entry in snapshot.values()}
        try:
            for name in set(os.listdir(self._place)) - needed:
                os.unlink(os.path.join(self._place, name))
        except OSError:
            pass  # the code could write there, and did

    # --- one by one ---

    def _walk(self, bottom_up: bool = False) -> Iterator[tuple[str, os.stat_result, int]]:
        """Each name below the folder, its status, and the descriptor of the folder around it, valid for this turn."""
        for folder, names, files, number in os.fwalk(self._work, topdown=not bottom_up, follow_symlinks=False):
            place = os.path.relpath(folder, self._work)
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
        if status.st_size > MOST_BYTES:
            raise SnapshotError(0, f"the folder holds more than {MOST_BYTES >> 20} MB")
        os.makedirs(self._place, mode=0o700, exist_ok=True)
        self._copies += 1
        copy = str(self._copies)
        number = folders.open_below(self._work, name)
        try:
            with open(os.path.join(self._place, copy), "xb") as target:
                digest = _transfer(number, target.fileno())
        finally:
            os.close(number)
        return Entry("file", copy, seen, digest, stat.S_IMODE(status.st_mode))

    def _check(self, snapshot: Snapshot) -> None:
        """Before anything is changed: all copies that may be needed are as they were made."""
        for name, entry in snapshot.items():
            if entry.kind == "file" and not self._is_unchanged(name, entry):
                number = os.open(os.path.join(self._place, entry.target), os.O_RDONLY | os.O_NOFOLLOW)
                try:
                    if _transfer(number) != entry.digest:
                        raise SnapshotError(0, f"the copy of {name!r} was changed")
                finally:
                    os.close(number)

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
            copy = os.open(os.path.join(self._place, entry.target), os.O_RDONLY | os.O_NOFOLLOW)
            try:
                _transfer(copy, number)
            finally:
                os.close(copy)
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


def _kind(status: os.stat_result) -> str:
    kinds = {stat.S_IFREG: "file", stat.S_IFDIR: "folder", stat.S_IFLNK: "link"}
    return kinds.get(stat.S_IFMT(status.st_mode), "")


def _seen(status: os.stat_result) -> tuple[int, ...]:
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _transfer(source: int, target: int | None = None) -> str:
    """Copy an open file from where it stands to its end; returns its SHA-256."""
    digest = hashlib.sha256()
    while data := os.read(source, _BLOCK):
        digest.update(data)
        view = memoryview(data)
        while target is not None and view:
            view = view[os.write(target, view) :]
    return digest.hexdigest()
