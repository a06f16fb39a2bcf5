"""The local sandbox: a worker process on this machine.

* The worker has its own session, never the kernel's process group, so that signals for the kernel do not reach it.
* It gets a scrubbed environment and a private work folder, and nothing else of the host.
* It ends with the kernel, however the kernel ends, and its folder is removed.
* ``boundary`` reports the walls that the worker tested; it says "isolated" only if they suffice.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from smolcell.errors import CapabilityError, SandboxError
from smolcell.events import Boundary, File, Wall
from smolcell.executors import child_environment, portable, walls
from smolcell.executors.files import FileTransfer, WorkFolder, find_mountable, open_to_others
from smolcell.executors.local import environment, macos, workers
from smolcell.executors.local.cgroups import Groups
from smolcell.executors.local.environment import FLAGS, PACKAGE, worker_zip
from smolcell.executors.reaper import close_at_exit, reaper
from smolcell.executors.registry import Sandbox
from smolcell.worker.system import folders, jail, linux, processes
from smolcell.worker.wire import frames, memfile

if TYPE_CHECKING:
    from smolcell.executors.packages import Site

log = logging.getLogger("smolcell")

# --- The warm parent: a process that has imported the worker, and clones supervisors from itself (ADR 18).

WARM_START_SECONDS = 20.0  # seconds that it may take to start
ENVIRONMENT_BYTES = 4096  # bytes reserved for a sandbox's environment in the process's /proc entry
WARM_CODE = f"import sys; sys.path[0] = sys.argv[1]; from {PACKAGE}.supervisor.warm import main; main()"


class Sibling:
    """A child of this process that another process cloned; has the methods of ``subprocess.Popen`` that are used here."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._watch = os.pidfd_open(pid)
        self._status: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; returns its exit code, or its signal's number, negative. Raises TimeoutExpired."""
        if self._status is None:
            poll = select.poll()
            poll.register(self._watch, select.POLLIN)
            if not poll.poll(None if timeout is None else timeout * 1000):
                raise subprocess.TimeoutExpired("the sandbox", timeout or 0)
            os.close(self._watch)
            try:
                self._status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            except ChildProcessError:
                self._status = 0  # SIGCHLD is ignored, or this process was forked: the status is unknown
        return self._status

    def kill(self) -> None:
        """Kill it."""
        if self._status is None:
            signal.pidfd_send_signal(self._watch, signal.SIGKILL)


class WarmParent:
    """Clones supervisors. Starts with the first sandbox, restarts when it has ended, and ends with this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._key = self._unusable = (0, "")  # the process it belongs to, and its Python
        self._is_proven = False  # whether it has started a sandbox
        self._token = ""
        close_at_exit(self)  # registered before all sandboxes, so closed after them

    def start(
        self, command: list[str], environment: Mapping[str, str], folder: Path, wire: int, errors: int
    ) -> Sibling:
        """Start a supervisor.

        Args:
            command: command line of the supervisor; its first word is the Python.
            wire: descriptor of its stdin and stdout.
            errors: descriptor of its stderr.

        Raises:
            OSError: this did not work; the caller starts the supervisor itself.
        """
        key = (os.getpid(), command[0])
        with self._lock:
            if self._unusable == key:
                raise OSError(0, "an earlier attempt failed")
            try:
                if self._key != key:
                    self._end()
                    self._key = key
                line = self._socket or self._begin(environment)
                request = {"command": command, "environment": dict(environment), "folder": str(folder)}
                socket.send_fds(line, [json.dumps(request).encode()], [wire, errors])
                started = Sibling(int(self._answer(line)))
                self._is_proven = True
                return started
            except BaseException as error:  # also after an interrupt: the next call would read this call's answer
                if isinstance(error, OSError) and not self._is_proven:
                    self._unusable = key
                self._end()
                raise

    def _begin(self, environment: Mapping[str, str]) -> socket.socket:
        os.close(os.pidfd_open(os.getpid()))  # raises before Linux 5.3, which has no pidfd_open
        self._token = secrets.token_hex(16)
        place = Path(tempfile.gettempdir()) / f"smolcell-{secrets.token_hex(8)}"
        reaper.register(0, self._token, str(place))
        try:
            place.mkdir(mode=0o700)
            archive = place / "warm.zip"
            archive.write_bytes(worker_zip())
            self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self._socket.settimeout(WARM_START_SECONDS)
            with theirs:
                self._process = subprocess.Popen(
                    [self._key[1], *FLAGS, "-c", WARM_CODE, str(archive)],
                    stdin=theirs.fileno(),
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    cwd="/",
                    env={**environment, processes.TOKEN: self._token, "ENVIRONMENT_BYTES": " " * ENVIRONMENT_BYTES},
                    start_new_session=True,
                )
            self._answer(self._socket)
        finally:
            folders.remove(str(place))  # the modules are loaded
        reaper.register(self._process.pid, self._token, "")
        return self._socket

    @staticmethod
    def _answer(line: socket.socket) -> bytes:
        data = line.recv(64)
        if not data:
            raise OSError(0, "the warm parent has ended")
        return data

    def _end(self) -> None:
        process, line = self._process, self._socket
        self._process = self._socket = None
        self._is_proven = False
        if line is not None:
            line.close()
        if process is None:
            return
        if self._key[0] != os.getpid():
            process.returncode = 0  # it belongs to the process that this one was forked from
            return
        process.kill()
        process.wait()
        reaper.forget(self._token)

    def close(self) -> None:
        """End the warm parent, but not the sandboxes."""
        with self._lock:
            self._end()


warm_parent = WarmParent()


# --- The sandbox.

PYTHON = sys.executable
SANDBOX_EXEC = macos.PROGRAM
IS_MAC = sys.platform == "darwin"
SCOPES_ABI = 6  # Landlock ABI that confines signals and sockets
READ_BYTES = 1 << 20
BUFFER_BYTES = 4 << 20  # requested; the kernel may give less


class LocalPythonExecutor(FileTransfer):
    """Runs code in a separate process on this machine.

    It stops mistakes, enforces limits of time and memory, and raises the walls that this system supports. Which walls stand
    depends on the system: see ``boundary()``.
    """

    name = "local"
    end_sandbox = staticmethod(workers.end_worker)
    _portable = os.name != "posix"
    _channel: LocalChannel | portable.PortableChannel
    closes_work_folder = carries = sys.platform == "linux"

    @classmethod
    def list_sandboxes(cls) -> Iterable[Sandbox]:
        """See ``BaseExecutor.list_sandboxes``."""
        return workers.find_workers(cls.name, "", portable.START)

    def _start(self) -> LocalChannel | portable.PortableChannel:
        close_at_exit(self)
        if self._portable:
            self._channel = portable.PortableChannel(self.memory)
            return self._channel
        packages = str(self.packages.folder) if self.packages is not None else ""
        self._check_mounts()
        channel = LocalChannel(self.memory, self.mounts.values(), packages)
        folder = WorkFolder(channel.folder.work)
        try:
            folder.put(self._files)
        except BaseException:
            channel.kill()
            raise
        self._channel, self._folder = channel, folder
        return channel

    def site(self) -> Site:
        """See ``WorkerExecutor.site``."""
        from smolcell.executors.packages import Site

        return super().site() if self._portable else Site()

    # --- files ---

    def send_files(self, paths: Sequence[str | os.PathLike[str]], links: Collection[Path] = ()) -> tuple[File, ...]:
        """See ``WorkerExecutor.send_files``."""
        if self._portable:
            raise CapabilityError(
                "the sandbox 'local' accepts no files on this system; read them in the notebook and send variables: --in NAME"
            )
        return super().send_files(paths, links)

    def mount(self, paths: Sequence[str | os.PathLike[str]], links: Collection[Path] = ()) -> tuple[File, ...]:
        """See ``WorkerExecutor.mount``."""
        if self._portable:
            return super().mount(paths, links)
        files = find_mountable(paths, links)
        if os.geteuid() == 0:
            open_to_others(files)
        return self._mount(files)

    def _written(self) -> tuple[File, ...]:
        if isinstance(self._folder, WorkFolder) and self._files and self._folder.is_empty():
            self._folder.put(self._files)  # the worker emptied a folder that exceeded its limit
        return super()._written()

    def _options(self) -> dict[str, Any]:
        links = {name: str(real) for name, real in self.mounts.items()}
        options = {**super()._options(), **self._channel.options(), "links": links}
        return {**options, "work_folder": "read-only"} if self.work_folder == "read-only" else options

    def _set_up(self) -> None:
        if self.work_folder == "read-only" and not self._keeps_read_only():
            raise SandboxError("work_folder='read-only' needs namespaces or Landlock, and this system has neither")
        if self.capabilities.get("walls"):  # its runners are forked: the program is not read again
            self._channel.discard_archive()

    def _keeps_read_only(self) -> bool:
        channel = self._channel
        report = {"namespaces": "-", "landlock": "-"}
        if isinstance(channel, LocalChannel):
            report |= channel.report(self.capabilities)
        return not (report["namespaces"] and report["landlock"])

    def _lacking(self) -> str:
        channel = self._channel
        if isinstance(channel, LocalChannel) and self._reduced():
            return super()._lacking() or channel.not_reduced()
        return super()._lacking()

    def _reduced(self) -> str:
        """Return what level full lacks without namespaces, when Landlock and seccomp have to refuse more."""
        channel = self._channel
        report = {} if isinstance(channel, portable.PortableChannel) else channel.report(self.capabilities)
        return REDUCED if report.get("namespaces") and report["profile"] else ""

    def listed(self) -> str:
        """See ``WorkerExecutor.listed``."""
        return f"pid {self._channel.pid}" if self._connection is not None else ""

    def boundary(self) -> Boundary:
        """Return the walls that stand, as the worker tested them; before it starts, only those that need no test."""
        running = self._connection is not None
        where = (
            f"a process on this machine (pid {self._channel.pid})"
            if running
            else "a process on this machine (not started)"
        )
        tested = self._channel.walls(self.capabilities) if running else NOT_STARTED
        isolated = walls.is_isolated(tested)
        if self.work_folder == "read-only":
            tested = (*tested, Wall(name="work folder", stands=running, detail="read-only"))
        return self.bounded(where, (*walls.ALWAYS, *tested), isolated)


REDUCED = (
    "no namespaces here, so there are no sockets, no /proc, no /tmp (use tempfile) and no shared memory (use threads in place of "
    "multiprocessing), changes of a file's mode or times do nothing, and fewer processes can be started"
)
LIMITS = "time, memory, file size, descriptors and output are bounded"
NOT_STARTED = (
    Wall(name="limits", stands=True, detail=LIMITS),
    *walls.NOT_STARTED,
)


class PrivateFolder:
    """The private folder of one worker on this machine, and what else the worker may read.

    Args:
        mounts, packages: see ``LocalChannel``.

    Attributes:
        path: the folder.
        work: the work folder in it.
        archive: the worker's zip in it.
        modules: folders to import from.
        jail: what the worker confines itself to.
    """

    def __init__(self, mounts: Iterable[Path], packages: str) -> None:
        self.path = Path(tempfile.gettempdir()) / f"smolcell-{secrets.token_hex(8)}"
        self.work, self.archive, self._cache = (self.path / name for name in ("work", "worker.zip", "cache"))
        self._packages = packages
        links = self.path / environment.LENT
        self.modules = [*environment.site_paths(), str(links)]
        self.jail: dict[str, Any] = {
            "read": [*environment.readable_paths(), str(links), *([packages] if packages else [])],
            "write": [str(self._cache)],
            "mounts": [str(path) for path in mounts],
        }

    def make(self) -> None:
        """Make the folder and what is in it, except the archive."""
        self.path.mkdir(mode=0o700)
        self.work.mkdir()
        environment.lend_font_list(self._cache / "matplotlib")
        self.jail["read"] += environment.lend_editable(self.path / environment.LENT)

    def options(self) -> dict[str, Any]:
        """Return the options of the worker that name paths."""
        packages = {"packages": self._packages} if self._packages else {}
        return {"paths": self.modules, "work": str(self.work), "jail": self.jail, **packages}

    def environment(self, token: str) -> dict[str, str]:
        """Return the environment of the worker."""
        path = f"{Path(PYTHON).parent}:{child_environment.SYSTEM_PATH}"
        variables = child_environment.worker(self.work, self._cache, token, path=path)
        variables.update(USER="sandbox", LOGNAME="sandbox", XDG_CACHE_HOME=str(self._cache))
        if os.environ.get("TZ"):
            variables["TZ"] = os.environ["TZ"]
        return variables

    def profile(self) -> str:
        """Return the profile for ``sandbox-exec`` on macOS."""
        read, write, mounts = (
            [os.path.realpath(path) for path in self.jail[name]] for name in ("read", "write", "mounts")
        )
        hidden = sorted(jail.find_configuration(self.jail["read"]))
        files = [os.path.realpath(self.archive)]
        return macos.profile([*read, *mounts, *files], [*write, os.path.realpath(self.work)], hidden)


class LocalChannel:
    """A worker started as a child process and connected by a socket pair.

    Args:
        memory: maximum memory of one process of the code, in MB.
        mounts: files and folders that the code may read.
        packages: a folder that the code may read and import from; "" for none.
    """

    def __init__(self, memory: int, mounts: Iterable[Path] = (), packages: str = "") -> None:
        self.shares = memfile.available()
        self._token = secrets.token_hex(16)
        self.folder = PrivateFolder(mounts, packages)
        self._groups = Groups(memory)
        self._register(0)  # before anything exists: this process may be killed at any time
        self._lock = threading.Lock()
        self._dead = False
        self._how = ""
        self._profile = self._no_profile = ""  # on macOS: the profile around the worker, and why it does not work
        try:
            self._launch()
        except OSError as error:
            reaper.forget(self._token)
            raise SandboxError(f"the sandbox's process did not start: {error}") from error
        self.pid = self._process.pid
        process = processes.stat(self.pid)
        self._started = process.start if process else 0
        self._register(self.pid)
        self._groups.take(self.pid)  # before it gets a message
        self.folder.jail["groups"] = self._groups.folders

    def _launch(self) -> None:
        """Make the folder and groups, and start the process; if one of them fails, nothing is left."""
        with ExitStack() as undo:
            undo.callback(folders.remove, str(self.folder.path))
            undo.callback(self._groups.end)
            self.folder.make()
            if IS_MAC:
                self._profile = self.folder.profile()
                self._no_profile = macos.failure(PYTHON, self._profile, SANDBOX_EXEC)
            # The process's stderr at its start and end; an unnamed file, so that the code cannot open it by path.
            self._errors = undo.enter_context(tempfile.TemporaryFile(dir=self.folder.path))
            self._groups.make()
            self._process = self._spawn()
            undo.pop_all()

    def _register(self, pid: int) -> None:
        reaper.register(pid, self._token, str(self.folder.path), sorted(set(self._groups.folders.values())))

    def _spawn(self) -> subprocess.Popen[bytes] | Sibling:
        argv = [PYTHON, *FLAGS, str(self.folder.archive), portable.kernel_word()]
        if sys.platform == "linux":
            try:
                return self._connect(self._clone, argv)
            except OSError as error:
                log.debug("no warm parent, so Python is started: %s", error)
        self.folder.archive.write_bytes(worker_zip())
        if self._profile and not self._no_profile:
            argv = macos.command(argv, self._profile, SANDBOX_EXEC)
        return self._connect(self._execute, argv)

    def _connect(
        self, start: Callable[[list[str], int], subprocess.Popen[bytes] | Sibling], argv: list[str]
    ) -> subprocess.Popen[bytes] | Sibling:
        """Start the process with one end of a new socket pair; if that fails, both ends are closed, so that a started process ends."""
        self._socket, theirs = socket.socketpair()
        with ExitStack() as undo, theirs:
            undo.enter_context(self._socket)
            for end in (self._socket, theirs):
                for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
                    end.setsockopt(socket.SOL_SOCKET, option, BUFFER_BYTES)
            started = start(argv, theirs.fileno())
            undo.pop_all()
        return started

    def _clone(self, argv: list[str], wire: int) -> Sibling:
        return warm_parent.start(argv, self._environment(), self.folder.work, wire, self._errors.fileno())

    def _execute(self, argv: list[str], wire: int) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            argv,
            stdin=wire,
            stdout=wire,
            stderr=self._errors,
            cwd=self.folder.work,
            env=self._environment(),
            start_new_session=True,
        )

    def _environment(self) -> dict[str, str]:
        return self.folder.environment(self._token)

    def options(self) -> dict[str, Any]:
        """Return the options of the worker that depend on where it was started."""
        return self.folder.options()

    def report(self, capabilities: Mapping[str, Any]) -> dict[str, str]:
        """Return the report of the walls from the worker; on macOS, from the profile around it."""
        return walls.with_profile(self._no_profile) if self._profile else walls.read_report(capabilities)

    def not_reduced(self) -> str:
        """Return why level full cannot be used without namespaces; "" if it can."""
        if linux.landlock_abi() < SCOPES_ABI:
            return f"processes (no namespaces, and Landlock ABI {SCOPES_ABI} is needed)"
        return (
            "" if "pids" in self._groups.folders else "processes (no namespaces, and no control group to end them by)"
        )

    def walls(self, capabilities: Mapping[str, Any]) -> tuple[Wall, ...]:
        """Return the walls, for a person."""
        return (*self._groups.walls(LIMITS), *walls.read_walls(self.report(capabilities)))

    def discard_archive(self) -> None:
        """Delete the worker's zip, which it has read."""
        self.folder.archive.unlink(missing_ok=True)

    def send(self, buffers: Sequence[frames.Buffer], descriptor: int | None = None) -> None:
        """Write all data; the descriptor is sent with the first bytes."""
        if descriptor is not None:
            first = memoryview(buffers[0])
            sent = socket.send_fds(self._socket, [first], [descriptor])
            buffers = [first[sent:], *buffers[1:]]
        for buffer in buffers:
            self._socket.sendall(buffer)

    def receive(self) -> bytes:
        """Read some bytes; b"" if the worker has ended."""
        return self._socket.recv(READ_BYTES)

    def kill(self) -> None:
        """End the worker and everything it started; remove its folder."""
        with self._lock:
            if self._dead:
                return
            self._dead = True
            try:
                self._socket.shutdown(socket.SHUT_RDWR)  # the supervisor ends its processes itself
            except OSError:
                pass
            self._await_end()
            gone = self._groups.end()  # first, since it also ends processes that fork endlessly
            if not (self._groups.folders and gone):
                processes.kill_tree(self.pid, self._started, self._token)
            self._socket.close()
            folders.remove(str(self.folder.path))
            reaper.forget(self._token)

    def _await_end(self) -> None:
        try:
            status = self._process.wait(0.5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        self._how = portable.how_it_ended(status, self._errors)
        self._errors.close()

    def epitaph(self) -> str:
        """Return how the process ended."""
        return self._how
