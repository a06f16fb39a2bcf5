"""Checkpoints as the supervisor sees them: frozen copies of the runner and snapshots of its folder, in a bounded ring."""

from __future__ import annotations

import hashlib
import os
import select
import signal
import socket
import stat
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Callable, NamedTuple

from ..system import folders, processes
from ..wire import link
from ..wire.frames import FROM_WORKER, TO_WORKER, Frame, encode

if TYPE_CHECKING:
    from .child import Child

COPY_SECONDS = 2.0  # limit for making a copy, including the program's own fork handlers
TAKE_OVER_SECONDS = 3.0  # seconds in which a copy must have taken over, however busy the machine is
HEALTH_SECONDS = 1.0  # seconds in which a woken copy must answer
ENDING_SECONDS = 1.0  # seconds it may take to end
MIN_DROPPED_BYTES = 64 << 20  # bytes that the newest copy must hold alone to be dropped when memory is short
THREADS = "a thread of the program goes on"
CHILDREN = "a process that the program started goes on"
DEVICES = "the program has a graphics card open"
ENDED = "its copy was ended"
CHANGED = "the state was changed after it, before the next step"
FORK_TOO_SLOW = "what the program does at a fork took too long"


class Copy:
    """One frozen copy of the runner, with a link of its own.

    Attributes:
        pid: its id, as the supervisor sees it.
        link: the supervisor's end of its link.
        watch: its pidfd; None if the system has none.
    """

    def __init__(self, near: socket.socket, pid: int) -> None:
        self._near, self.pid = near, pid
        self.watch = processes.watch(pid)
        self.link = link.Near(near, FROM_WORKER)
        self._activity = processes.Activity(pid)
        self._searched = b""  # its activity when it was last searched
        self._is_bare = False  # what was found

    def lives(self) -> bool:
        """Return whether it still waits: a frozen copy sends nothing, so a readable link means that it has ended."""
        return not _is_readable(self._near, 0)

    def search(self, devices: set[int]) -> bool:
        """Return whether it is known to have no open file on these devices, no child and one thread.

        If it has run since the last call, it is searched again for the next call, and this one returns False.
        """
        activity = self._activity.read()
        if activity and activity == self._searched:
            return self._is_bare
        self._searched = activity
        self._is_bare = bool(activity) and processes.is_bare(self.pid, devices)
        return False

    def wake(self, until: float) -> bool:
        """Tell it to take over; returns whether it answers within ``HEALTH_SECONDS`` and before ``until`` (``time.monotonic``)."""
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
        """Close its descriptors, without a signal: a copy ends by itself when its link closes, another process goes on."""
        self._near.close()
        self._activity.close()
        if self.watch is not None:
            os.close(self.watch)

    def drop(self) -> None:
        """Kill it, and close its descriptors."""
        self._signal(signal.SIGKILL)
        self.release()

    def _signal(self, number: int) -> None:
        try:
            if self.watch is not None:
                signal.pidfd_send_signal(self.watch, number)  # type: ignore[attr-defined,unused-ignore]
        except OSError:
            pass  # gone


ABSENT, MAKING, LATE, READY, OFF = "absent", "making", "late", "ready", "off"


class NextCopy:
    """The copy of the runner as it is now, which the next checkpoint gets.

    ======  =====================================================  =========================================================
    state   meaning                                                next state
    ======  =====================================================  =========================================================
    ABSENT  there is none; ``reason`` says why the last one failed MAKING: ``ask``
    MAKING  the runner was asked to fork; requests wait            READY or ABSENT: it answers; LATE: after ``COPY_SECONDS``
    LATE    the same; the program's fork handlers are interrupted  OFF: it answers
    READY   the copy waits, frozen                                 ABSENT: ``take`` or ``drop``, or the copy has ended
    OFF     this runner is not copied again                        (only ``reset``)
    ======  =====================================================  =========================================================

    ``reset`` leads from every state to ABSENT: the runner has ended, or a copy has replaced it.

    Args:
        end: kills a copy.

    Attributes:
        copy: the copy; None if there is none.
        until: time (``time.monotonic``) until which the runner may take to make it.
        reason: why there is none; "" if there is one, or none was asked for.
    """

    def __init__(self, end: Callable[[Copy], None]) -> None:
        self._end = end
        self._state = ABSENT
        self.copy: Copy | None = None
        self._near: socket.socket | None = None  # link of the copy that is being made
        self.until = 0.0
        self.reason = ""

    @property
    def is_awaited(self) -> bool:
        """Whether the runner was asked for it and has not answered."""
        return self._state in (MAKING, LATE)

    def is_ready(self) -> bool:
        """Return whether it still waits."""
        if self.copy is not None and not self.copy.lives():
            self.drop()
        return self._state == READY

    def is_wanted(self) -> bool:
        """Return whether there is none, and the runner may be asked for one."""
        return not self.is_ready() and self._state == ABSENT

    def ask(self, child: Child) -> None:
        """Have the runner fork it."""
        self._near, far = link.pair()
        self._state, self.until = MAKING, time.monotonic() + COPY_SECONDS
        child.link.request(encode(Frame("copy", {"id": 0}), TO_WORKER), far.detach())

    def look(self, child: Child) -> None:
        """Interrupt the program's own fork handlers if they take too long."""
        if self.is_awaited and time.monotonic() >= self.until:
            self._state, self.reason = LATE, FORK_TOO_SLOW
            child.interrupt()

    def answer(self, child: Child, fields: dict[str, Any], known: set[int], gpu: bool) -> None:
        """Handle the runner's answer: it has forked, or says why not.

        Args:
            child: the runner.
            fields: of the answer: "id", the copy's process, and "error".
            known: processes that are neither the runner's own nor the new copy.
            gpu: whether the code may use graphics cards.
        """
        near, self._near = self._near, None
        if near is None:
            return
        if self._state == LATE or fields["error"]:
            near.close()  # a copy, if there is one, ends
            self._state, self.reason = (OFF, self.reason) if self._state == LATE else (ABSENT, fields["error"])
            return
        others = processes.find_unknown_below({child.pid, child.head}, known)
        copy, self.reason = find_copy(near, fields["id"], child.pid, others)
        self.reason = self.reason or hindrance(child.pid, gpu)
        self.copy, self._state = copy, READY
        if self.reason:
            self.drop()

    def take(self) -> tuple[Copy | None, str]:
        """Hand over the copy, or the reason why there is none; then there is no copy."""
        copy, reason, self.copy = self.copy, self.reason, None
        if self._state != OFF:
            self._state, self.reason = ABSENT, ""
        return copy, reason

    def drop(self) -> None:
        """Kill it, because the runner has changed."""
        if self.copy is not None:
            self._end(self.copy)
            self.copy = None
        if self._state == READY:
            self._state = ABSENT

    def reset(self) -> None:
        """Forget everything about the runner, which has ended or was replaced."""
        self.drop()
        if self._near is not None:
            self._near.close()
            self._near = None
        self._state, self.reason = ABSENT, ""


class StoredCheckpoint:
    """The state before one step.

    It is the state of ``copy``. Without a copy and without a reason, nothing has changed since: it is also the state of the next
    checkpoint, or of the runner if there is no next one.

    Attributes:
        number: the host's name for it.
        copy: the frozen copy, if this checkpoint has one.
        reason: why the state is lost; "" if it is not.
        files: the folder's content; None if it is not covered.
        uncovered: why the folder is not covered.
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
        most: how many are kept; 0 if this sandbox keeps none.
        work: the code's folder.
        place: a folder on whose disk copies of its files are kept; "" keeps them in memory.
        devices: those of the folders that the code may write to.
        gpu: whether the code may use graphics cards.

    Attributes:
        next: the copy of the runner as it is now.
        number: the host's name for the checkpoint to be added before the next step; 0 for none.
    """

    def __init__(self, most: int, work: str, place: str, devices: set[int], gpu: bool = False) -> None:
        self.most = most
        self._gpu = gpu
        self.devices = devices
        self.next = NextCopy(self._end)
        self.number = 0
        self._store = Store(work, place)
        self._found: list[StoredCheckpoint] = []
        self._dropped: set[int] = set()  # processes of copies that may not have ended yet

    def _copies(self) -> list[Copy]:
        copies = (*(checkpoint.copy for checkpoint in self._found), self.next.copy)
        return [copy for copy in copies if copy is not None]

    def processes(self) -> set[int]:
        """Return the processes of the frozen copies, and of those that were dropped and have not ended."""
        self._dropped = {pid for pid in self._dropped if (entry := processes.stat(pid)) is not None and entry.lives}
        return {copy.pid for copy in self._copies()} | self._dropped

    def find_idle(self) -> set[int]:
        """Return the processes of the copies that need not be measured. See ``Copy.search``."""
        return {copy.pid for copy in self._copies() if copy.search(self.devices)}

    def _end(self, copy: Copy) -> None:
        copy.drop()
        self._dropped.add(copy.pid)

    def _drop(self, checkpoint: StoredCheckpoint, reason: str) -> None:
        """End a checkpoint's copy, if it has one."""
        if checkpoint.copy is not None:
            self._end(checkpoint.copy)
            checkpoint.copy, checkpoint.reason = None, reason

    def begin(self, checkpoint: StoredCheckpoint | None, changes: bool) -> None:
        """Note that a request begins, so that the copy of the runner as it is now becomes the checkpoint's, or is outdated.

        Args:
            checkpoint: the state before the request; None if it has none.
            changes: whether the request may change the state.
        """
        if checkpoint is not None:
            checkpoint.copy, checkpoint.reason = self.next.take()
        elif changes:
            newest = self._found[-1] if self._found else None
            if newest is not None and newest.copy is None and not newest.reason:  # so far its state was the runner's
                is_ready = self.next.is_ready()
                newest.copy, reason = self.next.take()
                newest.reason = "" if is_ready else reason or CHANGED
            self.next.drop()

    def take_copy(self, child: Child, fields: dict[str, Any]) -> None:
        """Take the copy that the runner has been asked for. See ``NextCopy.answer``."""
        self.next.answer(child, fields, self.processes(), self._gpu)

    def add(self) -> StoredCheckpoint:
        """Add a checkpoint with the content of the folder. ``begin`` gives it its copy; ``trim`` makes room for it later."""
        checkpoint = StoredCheckpoint(self.number)
        self.number = 0
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
        while len(self._found) > self.most:
            self._forget(self._found[0])
        self._keep_files()
        while self._store.is_full():
            oldest = next(checkpoint for checkpoint in self._found if checkpoint.files is not None)
            oldest.files, oldest.uncovered = None, "the copies of its files took too much room"
            self._keep_files()

    def _keep_files(self) -> None:
        self._store.keep([checkpoint.files for checkpoint in self._found if checkpoint.files is not None])

    def give_back(self) -> bool:
        """Drop the oldest copy, because memory is short; returns False if dropping does not help."""
        for checkpoint in self._found:
            copy = checkpoint.copy
            if copy is not None and (
                checkpoint is not self._found[-1] or (processes.private_memory(copy.pid) or 0) > MIN_DROPPED_BYTES
            ):
                self._drop(checkpoint, "memory was short")
                return True
        return False

    def _find(self, number: int) -> tuple[StoredCheckpoint, StoredCheckpoint | None]:
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

    def take_over(self, child: Child | None, copy: Copy | None, seconds: float) -> bool:
        """Replace the runner by a copy within so many seconds.

        Returns False if the copy does not answer; the runner is then unchanged, or has ended.
        """
        until = time.monotonic() + seconds
        if copy is None or child is None or not copy.wake(until):
            return False
        self.next.reset()
        return child.continue_as(copy, self.processes() - {copy.pid}, until)

    def go_back(self, child: Child | None, number: int, keep: bool) -> tuple[str, str]:
        """Restore the runner and the folder from a checkpoint, and forget the later ones.

        Args:
            child: the runner.
            number: of the checkpoint.
            keep: keep this checkpoint, too, so that the host can go back to it again.

        Returns:
            An error, "" for none; and why the folder is not covered.
        """
        if not self.most:
            return "this sandbox keeps no checkpoints", ""
        try:
            wanted, holder = self._find(number)
        except LookupError as error:
            return str(error), ""
        if holder is not None and not self.take_over(child, holder.copy, TAKE_OVER_SECONDS):
            self.clear(ENDED)
            return "the copy does not answer", ""
        try:
            if wanted.files is not None:
                self._store.restore(wanted.files)
        except OSError as error:
            self.clear("the folder could not be put back")
            return f"the folder could not be put back: {error.strerror or error}", ""
        if holder is not None:
            holder.copy = None
        at = self._found.index(wanted)
        for later in self._found[at + 1 if keep else at :]:
            self._forget(later)
        if keep:  # its state is the runner's now
            self._drop(wanted, "")
            wanted.reason = ""
        return "", wanted.uncovered

    def clear(self, reason: str) -> None:
        """End all copies; the states are lost."""
        self.next.drop()
        for checkpoint in self._found:
            self._drop(checkpoint, reason)
            checkpoint.reason = checkpoint.reason or reason

    def _forget(self, checkpoint: StoredCheckpoint) -> None:
        self._drop(checkpoint, "")
        self._found.remove(checkpoint)

    def describe(self) -> list[list[Any]]:
        """Return for each checkpoint its number, its state and why it has that, and the MB that its copy takes.

        The form is ``[number, "copy", MB or None if unknown, why the folder is not covered]`` or ``[number, "replay", 0, why]``.
        """
        self.trim()
        described = []
        for checkpoint in self._found:
            size = 0 if checkpoint.copy is None else processes.private_memory(checkpoint.copy.pid)
            try:
                self._find(checkpoint.number)
                megabytes = None if size is None else size >> 20
                described.append([checkpoint.number, "copy", megabytes, checkpoint.uncovered])
            except LookupError as error:
                described.append([checkpoint.number, "replay", 0, str(error)])
        return described


def new_ring(options: dict[str, Any], can_fork: bool) -> Ring:
    """Return the ring that the host's hello asks for; an empty one if processes cannot be copied here."""
    most = int(options.get("checkpoints", 0))
    if not most or not can_fork or sys.platform != "linux" or not os.path.isdir("/proc/self"):
        return Ring(0, "", "", set())
    work = options["work"]
    beside = os.path.dirname(work)
    written = (work, *options["jail"]["write"]) if options.get("jail") else (work,)
    devices = {os.stat(folder).st_dev for folder in written if os.path.exists(folder)}
    gpu = bool(options.get("jail", {}).get("devices"))
    return Ring(most, work, beside if os.access(beside, os.W_OK) else "", devices, gpu)


def find_copy(near: socket.socket, named: int, runner: int, others: set[int]) -> tuple[Copy | None, str]:
    """Find the copy that a runner has just made; returns it, or None and the reason. Kills nothing.

    Args:
        near: the supervisor's end of the copy's link.
        named: the copy's id in its namespace, as the runner says, which may be lying.
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


def hindrance(pid: int, gpu: bool) -> str:
    """Return why the copy that a runner has just made cannot replace it; "" if it can.

    Called after the fork, when libraries have ended threads that they start again on demand.

    Args:
        pid: the runner.
        gpu: whether the code may use graphics cards.
    """
    if processes.threads(pid) > 2:  # the one that runs programs, and the one that listens
        return THREADS
    return DEVICES if gpu and processes.holds_device(pid) else ""


def _await_end(pid: int | None) -> None:
    """Wait for a process to end, at most ``ENDING_SECONDS``: it may be one of the program's own, which goes on."""
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
    """The folder cannot be covered by a snapshot, or not be restored; ``strerror`` says why."""


class SnapshotEntry(NamedTuple):
    """A file, folder or link as it was."""

    kind: str  # "file", "folder" or "link"
    target: str = ""  # of a link
    pack: int = 0  # of a file: the number of the file with its copy, and where that begins
    at: int = 0
    seen: tuple[int, ...] = ()  # of a file: inode, size and times, of which one changes whenever its content does
    digest: str = ""
    mode: int = 0o644


Snapshot = dict[str, SnapshotEntry]
_KINDS = {stat.S_IFREG: "file", stat.S_IFDIR: "folder", stat.S_IFLNK: "link"}


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
                snapshot[name] = SnapshotEntry("folder")
            elif stat.S_ISLNK(status.st_mode):
                snapshot[name] = SnapshotEntry("link", os.readlink(os.path.basename(name), dir_fd=above))
            self._check_size(size, len(snapshot))
        self._last = snapshot
        return snapshot

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the folder. A file that still has its name and inode is written in place.

        Raises:
            OSError: a copy is not whole, or something cannot be written.
        """
        self._check(snapshot)
        with folders.held(folders.open_root(self._work)) as root:
            for name, status, _ in reversed(list(self._walk())):
                if name not in snapshot or snapshot[name].kind != _KINDS.get(stat.S_IFMT(status.st_mode)):
                    path, remove = PurePosixPath(name), os.rmdir if stat.S_ISDIR(status.st_mode) else os.unlink
                    with folders.held(folders.make_folder(root, path.parent)) as above:
                        remove(path.name, dir_fd=above)
            for name, entry in sorted(snapshot.items()):
                if entry.kind == "folder":
                    os.close(folders.make_folder(root, PurePosixPath(name)))
        for name, entry in snapshot.items():
            if entry.kind == "file":
                snapshot[name] = self._put_back(name, entry)
        folders.link(self._work, {name: entry.target for name, entry in snapshot.items() if entry.kind == "link"})
        self._last = snapshot

    def keep(self, snapshots: Iterable[Snapshot]) -> None:
        """Free the copies of files that none of these snapshots needs."""
        snapshots = list(snapshots)
        if not snapshots:
            self._last = {}
        needed = {entry.pack for snapshot in [*snapshots, self._last] for entry in snapshot.values()}
        for number in set(self._packs) - needed:
            os.close(self._packs.pop(number))

    def is_full(self) -> bool:
        """Return whether the copies of files together are larger than allowed."""
        return sum(os.fstat(number).st_size for number in self._packs.values()) > self._most

    # --- one by one ---

    def _check_size(self, size: int, count: int) -> None:
        most = min(MAX_FOLDER_BYTES, self._most)
        if size > most or count > MAX_FILES:
            raise SnapshotError(0, f"the folder holds more than {most >> 20} MB or {MAX_FILES:,} files")

    def _walk(self) -> Iterator[tuple[str, os.stat_result, int]]:
        """Yield each path below the folder, its status, and a descriptor of its folder, which is closed after this iteration."""
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

    def _file(self, name: str, status: os.stat_result) -> SnapshotEntry:
        seen, before = _seen(status), self._last.get(name)
        if before is not None and before.seen == seen:
            return before._replace(mode=stat.S_IMODE(status.st_mode))
        if self._taken not in self._packs:
            self._packs[self._taken] = self._new_pack()
        target = self._packs[self._taken]
        with folders.held(folders.open_below(self._work, name)) as number:
            at = os.lseek(target, 0, os.SEEK_END)
            digest = _transfer(number, target, MAX_FOLDER_BYTES)
        return SnapshotEntry("file", "", self._taken, at, seen, digest, stat.S_IMODE(status.st_mode))

    def _new_pack(self) -> int:
        if not self._place:
            return os.memfd_create("checkpoint")
        number, path = tempfile.mkstemp(dir=self._place)
        os.unlink(path)
        return number

    def _copy(self, entry: SnapshotEntry, target: int | None = None) -> str:
        """Write the copy of a file to ``target``; returns its SHA-256."""
        number = self._packs[entry.pack]
        os.lseek(number, entry.at, os.SEEK_SET)
        return _transfer(number, target, entry.seen[1])

    def _check(self, snapshot: Snapshot) -> None:
        """Raise SnapshotError if a copy that may be needed is incomplete, as after a full disk. Called before anything changes."""
        for name, entry in snapshot.items():
            if entry.kind == "file" and not self._is_unchanged(name, entry) and self._copy(entry) != entry.digest:
                raise SnapshotError(0, f"the copy of {name!r} is not whole")

    def _is_unchanged(self, name: str, entry: SnapshotEntry) -> bool:
        try:
            number = folders.open_below(self._work, name)
        except OSError:
            return False
        with folders.held(number):
            return _seen(os.fstat(number)) == entry.seen

    def _put_back(self, name: str, entry: SnapshotEntry) -> SnapshotEntry:
        if self._is_unchanged(name, entry):
            return entry
        with folders.held(self._open_to_write(name, entry)) as number:
            self._copy(entry, number)
            os.fchmod(number, entry.mode)
            os.utime(number, ns=(entry.seen[2], entry.seen[2]))
            return entry._replace(seen=_seen(os.fstat(number)))

    def _open_to_write(self, name: str, entry: SnapshotEntry) -> int:
        try:
            number = folders.open_below(self._work, name, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            if os.fstat(number).st_ino == entry.seen[0]:  # a program may have it open
                os.ftruncate(number, 0)
                return number
            os.close(number)
        except OSError:
            pass  # gone, or closed to its owner
        with folders.held(folders.open_root(self._work)) as root:
            return folders.create(root, PurePosixPath(name))


def _refuse(error: OSError) -> None:
    """Raise the error of a folder that cannot be listed, which ``os.fwalk`` would leave out."""
    raise error


def _seen(status: os.stat_result) -> tuple[int, ...]:
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _transfer(source: int, target: int | None, most: int) -> str:
    """Copy at most ``most`` bytes of an open file from its position, or only read them; returns their SHA-256."""
    digest = hashlib.sha256()
    while most > 0 and (data := os.read(source, min(_BLOCK, most))):
        most -= len(data)
        digest.update(data)
        view = memoryview(data)
        while target is not None and view:
            view = view[os.write(target, view) :]
    return digest.hexdigest()
