"""Checkpoints as the supervisor sees them: frozen copies of the runner and snapshots of its folder, in a bounded ring."""

from __future__ import annotations

import hashlib
import os
import select
import signal
import socket
import stat
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from ..system import folders, processes
from ..wire import link
from ..wire.frames import FROM_WORKER, TO_WORKER, Frame, encode

HEALTH_SECONDS = 1.0  # seconds it may take to take over
ENDING_SECONDS = 1.0  # seconds it may take to end
MIN_DROPPED_BYTES = 64 << 20  # bytes that the newest copy must hold alone to be dropped when memory is short
THREADS = "a thread of the program goes on"
CHILDREN = "a process that the program started goes on"
DEVICES = "the program has a graphics card open"
ENDED = "its copy was ended"
CHANGED = "the state was changed after it, before the next step"


class Copy:
    """One frozen copy of the runner, waiting on a link of its own.

    Attributes:
        pid: its id for this process.
        link: the way to it.
        watch: a descriptor that stands for its process.
    """

    def __init__(self, near: socket.socket, pid: int) -> None:
        self._near, self.pid = near, pid
        self.watch = processes.watch(pid)
        self.link = link.Near(near, FROM_WORKER)
        self._activity = processes.Activity(pid)
        self._searched = b""  # its activity when it was last searched
        self._is_bare = False  # what was found

    def lives(self) -> bool:
        """Whether it waits: a frozen copy says nothing more, so that what can be read is its end."""
        return not _is_readable(self._near, 0)

    def search(self, devices: set[int]) -> bool:
        """Search it if it has run; returns whether it has not since the last call, holds no file on these devices and has
        started nothing."""
        activity = self._activity.read()
        if activity and activity == self._searched:
            return self._is_bare
        self._searched = activity
        self._is_bare = bool(activity) and processes.is_bare(self.pid, devices)
        return False

    def wake(self, until: float) -> bool:
        """Have it take over: whether it answers within a second, and before this time of the monotonic clock."""
        self._activity.close()  # it is idle no more
        self._signal(signal.SIGCONT)  # a program may have stopped it
        self.link.request(encode(Frame("wake", {"id": 0}), TO_WORKER))
        end = min(until, time.monotonic() + HEALTH_SECONDS)
        while (left := end - time.monotonic()) > 0 and _is_readable(self._near, left):
            frames = self.link.receive()
            if frames is None:
                return False
            if any(frame.type == "answer" and not frame.fields["error"] for frame in frames):
                return True
        return False

    def release(self) -> None:
        """Close the way to it: a copy ends then, and a process of the program's own is left as it is."""
        self._near.close()
        self._activity.close()
        if self.watch is not None:
            os.close(self.watch)

    def drop(self) -> None:
        """End it."""
        self._signal(signal.SIGKILL)
        self.release()

    def _signal(self, number: int) -> None:
        try:
            if self.watch is not None:
                signal.pidfd_send_signal(self.watch, number)  # type: ignore[attr-defined,unused-ignore]
        except OSError:
            pass  # gone


class Checkpoint:
    """The state before one step.

    Attributes:
        number: the host's name for it.
        copy: the frozen copy; None if there is none, or the state is that of the next checkpoint.
        reason: why there is no copy; "" if the state is that of the next checkpoint, or of the runner.
        files: the folder's content; None if it is not covered.
        uncovered: why not.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.copy: Copy | None = None
        self.reason = ""
        self.files: Snapshot | None = None
        self.uncovered = ""


class Ring:
    """The newest checkpoints of one sandbox.

    Args:
        most: how many are kept.
        work: the code's folder.
        place: a folder on whose disk copies of its files are kept; "" keeps them in memory.
        devices: those of the folders that the code may write to.
    """

    def __init__(self, most: int, work: str, place: str, devices: set[int]) -> None:
        self._most = most
        self.devices = devices
        self._store = Store(work, place)
        self._found: list[Checkpoint] = []
        self._spare: Copy | None = None  # of the runner as it is now, for the next checkpoint
        self._hindrance = ""  # why there is none
        self._dropped: set[int] = set()  # processes of copies that may not have ended yet

    def _copies(self) -> list[Copy]:
        return [copy for copy in (*(checkpoint.copy for checkpoint in self._found), self._spare) if copy is not None]

    def processes(self) -> set[int]:
        """The processes of the frozen copies, and of those that were dropped."""
        self._dropped = {pid for pid in self._dropped if (entry := processes.stat(pid)) is not None and entry.lives}
        return {copy.pid for copy in self._copies()} | self._dropped

    def find_idle(self) -> set[int]:
        """Search the copies that have run since the last call; returns the processes of the others that hold no file that the
        code may write to and have started nothing."""
        return {copy.pid for copy in self._copies() if copy.search(self.devices)}

    def _end(self, copy: Copy) -> None:
        copy.drop()
        self._dropped.add(copy.pid)

    def _drop(self, checkpoint: Checkpoint, reason: str) -> None:
        """End its copy, if it has one."""
        if checkpoint.copy is not None:
            self._end(checkpoint.copy)
            checkpoint.copy, checkpoint.reason = None, reason

    def has_spare(self) -> bool:
        """Whether there is a copy of the runner as it is now."""
        if self._spare is not None and not self._spare.lives():
            self.drop_spare()
        return self._spare is not None

    def keep_spare(self, copy: Copy | None, hindrance: str) -> None:
        """Store the copy of the runner as it is now, or why there is none.

        Args:
            copy: None if there is none.
            hindrance: why there is none, or why it would not do; "" if it does.
        """
        self.drop_spare()
        self._spare, self._hindrance = copy, hindrance
        if hindrance:
            self.drop_spare()

    def use_spare(self, checkpoint: Checkpoint | None, changes: bool) -> None:
        """A request begins: the spare copy becomes that of the checkpoint, or ends.

        Args:
            checkpoint: the state before the request; None if it has none.
            changes: whether the request may change the state.
        """
        if checkpoint is not None:
            checkpoint.copy, checkpoint.reason = self._spare, self._hindrance
            self._spare, self._hindrance = None, ""
        elif changes:
            self._pass_on_spare()
            self.drop_spare()

    def _pass_on_spare(self) -> None:
        """The state changes without a checkpoint: if the runner alone has the state of the newest one, the spare copy is its copy."""
        newest = self._found[-1] if self._found else None
        if newest is None or newest.copy is not None or newest.reason:
            return
        if self.has_spare():
            newest.copy, self._spare = self._spare, None
        else:
            newest.reason = self._hindrance or CHANGED

    def drop_spare(self) -> None:
        """End the copy of the runner as it is now, if there is one."""
        if self._spare is not None:
            self._end(self._spare)
            self._spare = None

    def add(self, number: int) -> Checkpoint:
        """A new checkpoint, with what is in the folder; ``use_spare`` gives it its copy, and ``trim`` follows."""
        checkpoint = Checkpoint(number)
        try:
            checkpoint.files = self._store.take()
        except OSError as error:
            checkpoint.uncovered = error.strerror or str(error)
        self._found.append(checkpoint)
        return checkpoint

    def prepare(self) -> None:
        """Do, while a step runs, the work that its end needs."""
        before = self._found[-2].copy if len(self._found) > 1 else None
        if before is not None:
            processes.prefer_to_kill(before.pid)  # the newest one is to survive a step that takes all memory
        self.find_idle()  # searches the newest one

    def trim(self) -> None:
        """Forget the oldest checkpoints if there are too many, or their files take too much room.

        Not while a step runs: a process takes a processor for about a millisecond to end.
        """
        while len(self._found) > self._most:
            self._forget(self._found[0])
        self._keep_files()
        while self._store.is_full():
            oldest = next(checkpoint for checkpoint in self._found if checkpoint.files is not None)
            oldest.files, oldest.uncovered = None, "the copies of its files took too much room"
            self._keep_files()

    def _keep_files(self) -> None:
        self._store.keep([checkpoint.files for checkpoint in self._found if checkpoint.files is not None])

    def give_back(self) -> bool:
        """Drop the oldest copy, because memory is short; False if dropping does not help."""
        for checkpoint in self._found:
            copy = checkpoint.copy
            if copy is not None and (
                checkpoint is not self._found[-1] or (processes.private_memory(copy.pid) or 0) > MIN_DROPPED_BYTES
            ):
                self._drop(checkpoint, "memory was short")
                return True
        return False

    def find(self, number: int) -> tuple[Checkpoint, Checkpoint | None]:
        """Return the checkpoint of this number, and the one whose copy holds its state; None if the runner itself holds it.

        Raises:
            LookupError: there is none.
        """
        at = next((place for place, checkpoint in enumerate(self._found) if checkpoint.number == number), -1)
        if at < 0:
            raise LookupError("the sandbox keeps no such checkpoint any more")
        for checkpoint in self._found[at:]:
            if checkpoint.copy is not None and not checkpoint.copy.lives():
                self._drop(checkpoint, ENDED)
            if checkpoint.copy is not None:
                return self._found[at], checkpoint
            if checkpoint.reason:
                raise LookupError(checkpoint.reason)
        return self._found[at], None

    def restore_files(self, checkpoint: Checkpoint) -> None:
        """Put the folder back.

        Raises:
            OSError: it is not covered, or cannot be put back.
        """
        if checkpoint.files is None:
            raise SnapshotError(0, checkpoint.uncovered)
        self._store.restore(checkpoint.files)

    def forget_from(self, checkpoint: Checkpoint, keep: bool) -> None:
        """The runner has this state now: later ones are over, and this one, too, unless it is to be gone back to again."""
        at = self._found.index(checkpoint)
        for found in self._found[at + 1 if keep else at :]:
            self._forget(found)
        if keep:
            self._drop(checkpoint, "")
            checkpoint.reason = ""

    def clear(self, reason: str) -> None:
        """All copies are gone."""
        self.drop_spare()
        for checkpoint in self._found:
            self._drop(checkpoint, reason)
            checkpoint.reason = checkpoint.reason or reason

    def _forget(self, checkpoint: Checkpoint) -> None:
        self._drop(checkpoint, "")
        self._found.remove(checkpoint)

    def described(self) -> list[list[Any]]:
        """Number, state ("copy" or "replay"), MB that its copy holds alone (None if unknown), and the reason, of each."""
        self.trim()
        described = []
        for checkpoint in self._found:
            size = 0 if checkpoint.copy is None else processes.private_memory(checkpoint.copy.pid)
            try:
                self.find(checkpoint.number)
                described.append(
                    [checkpoint.number, "copy", None if size is None else size >> 20, checkpoint.uncovered]
                )
            except LookupError as error:
                described.append([checkpoint.number, "replay", 0, str(error)])
        return described


def find_copy(near: socket.socket, named: int, runner: int, others: set[int]) -> tuple[Copy | None, str]:
    """The copy that this runner has just made, or why there is none; then no process is ended.

    Args:
        near: the way to the copy.
        named: its id, as the runner says; any other process may be the program's own.
        runner: the runner's process.
        others: processes that are neither the sandbox's own nor known copies: the new copy alone, if all is well.
    """
    if len(others) != 1:
        near.close()  # the copy ends, if there is one
        # Or it would be counted among the others when the next copy is made.
        _await_end(next((pid for pid in others if processes.inner_id(pid) == named), None))
        return None, CHILDREN if others else ENDED
    (pid,) = others
    copy = Copy(near, pid)
    process = processes.stat(pid)
    if process is not None and process.parent == runner and processes.inner_id(pid) == named and copy.lives():
        return copy, ""
    copy.release()
    return None, CHILDREN


def hindrance(pid: int, options: dict[str, Any]) -> str:
    """Why a copy that this runner has just made would not do; "" if it would.

    Args:
        pid: the runner. Libraries that know of forks have ended their threads for it, and have not started them again.
        options: as in the host's hello.
    """
    if processes.threads(pid) > 2:  # the one that runs programs, and the one that listens
        return THREADS
    return DEVICES if options.get("jail", {}).get("devices") and processes.holds_device(pid) else ""


def _await_end(pid: int | None) -> None:
    """Wait for a process to end; not for long, since it may be one of the program's own, which does not end."""
    watch = None if pid is None else processes.watch(pid)
    if watch is not None:
        _is_readable(watch, ENDING_SECONDS)
        os.close(watch)


def _is_readable(source: socket.socket | int, seconds: float) -> bool:
    poll = select.poll()
    poll.register(source, select.POLLIN)
    try:
        return bool(poll.poll(max(0.0, 1000 * seconds)))
    except OSError:
        return False


# --- snapshots of the folder ---------------------------------------------------------------------------------------


MAX_FOLDER_BYTES = 256 << 20  # in the folder
MOST_ON_DISK, MOST_IN_MEMORY = 1 << 30, 128 << 20  # bytes of all copies together
MAX_FILES = 5_000
MAX_DEPTH = 100  # of folders in folders
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
        snapshot: Snapshot = {}
        size = 0
        self._taken += 1
        for name, status, above in self._walk():
            if stat.S_ISREG(status.st_mode):
                size += status.st_size
                self._check_size(size, len(snapshot))
                snapshot[name] = self._file(name, status)
            elif stat.S_ISDIR(status.st_mode):
                snapshot[name] = Entry("folder")
            elif stat.S_ISLNK(status.st_mode):
                snapshot[name] = Entry("link", os.readlink(os.path.basename(name), dir_fd=above))
            self._check_size(size, len(snapshot))
        self._last = snapshot
        return snapshot

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
        most = min(MAX_FOLDER_BYTES, self._most)
        if size > most or count > MAX_FILES:
            raise SnapshotError(0, f"the folder holds more than {most >> 20} MB or {MAX_FILES:,} files")

    def _walk(self) -> Iterator[tuple[str, os.stat_result, int]]:
        """Each name below the folder, its status, and the descriptor of the folder around it, valid for this turn."""
        for folder, names, files, number in os.fwalk(self._work, onerror=_refuse):
            place = os.path.relpath(folder, self._work)
            if place.count("/") > MAX_DEPTH:
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
            digest = _transfer(number, target, MAX_FOLDER_BYTES)
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
