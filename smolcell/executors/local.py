"""The local sandbox: a worker process on this machine.

The rules this file exists to keep:

* The worker is in a session of its own, never in the kernel's process group: the kernel's interrupts and its shutdown
  do not meet it by accident.
* It is given a scrubbed environment and a private work folder, and nothing else of the host.
* It ends with the kernel, however the kernel ends; its folder goes with it.
* ``boundary`` says which walls stand, as the worker found them; it says "isolated" only where they are enough.
"""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from smolcell.errors import CapabilityError, SandboxError
from smolcell.events import Boundary, File, Wall
from smolcell.executors import installed, portable, seatbelt, walls
from smolcell.executors.cgroups import Groups
from smolcell.executors.files import WorkFolder
from smolcell.executors.filing import FilingExecutor
from smolcell.executors.reaper import close_at_exit, reaper
from smolcell.executors.ship import worker_zip
from smolcell.visible import visible
from smolcell.worker import folders, process, shared, wire

PYTHON = sys.executable
SANDBOX_EXEC = seatbelt.PROGRAM
IS_MAC = sys.platform == "darwin"
READ = 1 << 20
LAST = 2000  # bytes kept of what the worker wrote to its stderr
BUFFER = 4 << 20  # asked for; the kernel gives what it allows


class LocalPythonExecutor(FilingExecutor):
    """Runs code in a guarded process on this machine.

    It catches mistakes, ends what runs too long or takes too much memory, and puts up the walls that this system
    allows. It promises none of them: see ``boundary()`` for what stands.
    """

    name = "local"
    _portable = os.name != "posix"
    _channel: LocalChannel | portable.PortableChannel

    def _start(self) -> LocalChannel | portable.PortableChannel:
        close_at_exit(self)
        if self._portable:
            self._channel = portable.PortableChannel(self.memory)
            return self._channel
        channel = LocalChannel(self.memory)
        folder = WorkFolder(channel.work)
        try:
            folder.put(self._files)
        except BaseException:
            channel.kill()
            raise
        self._channel, self._folder = channel, folder
        return channel

    # --- files ---

    def send_files(self, paths: Sequence[str | os.PathLike[str]]) -> tuple[File, ...]:
        """See ``WorkerExecutor.send_files``."""
        if self._portable:
            raise CapabilityError(
                "the sandbox 'local' takes no files on this system; read them in the notebook, and hand in what is in them: --in NAME"
            )
        return super().send_files(paths)

    def _written(self) -> tuple[File, ...]:
        if isinstance(self._folder, WorkFolder) and self._files and self._folder.is_empty():
            self._folder.put(self._files)  # the worker has emptied a folder that was filled beyond its limit
        return super()._written()

    def _options(self) -> dict[str, Any]:
        channel = self._channel
        options = {**super()._options(), "paths": channel.paths, "work": str(channel.work)}
        return {**options, "jail": channel.jail} if channel.jail else options

    def _set_up(self) -> None:
        if self.capabilities.get("walls"):  # its runners are forked: the program is not read again
            self._channel.discard_archive()

    def listed(self) -> str:
        """See ``WorkerExecutor.listed``."""
        return f"pid {self._channel.pid}" if self._connection is not None else ""

    def boundary(self) -> Boundary:
        """Which walls stand, as the worker found them; before it was started, none that keeps intent out."""
        running = self._connection is not None
        where = (
            f"a process on this machine (pid {self._channel.pid})"
            if running
            else "a process on this machine (not started)"
        )
        found = self._channel.walls(self.capabilities) if running else NOT_STARTED
        stands = {wall.name: wall.stands for wall in found}
        isolated = walls.is_isolated(*(stands[name] for name in ("files", "network", "processes")))
        return self.bounded(where, (*walls.ALWAYS, *found), isolated)


LIMITS = "time, memory, file size, descriptors and output are bounded"
NOT_STARTED = (
    Wall(name="limits", stands=True, detail=LIMITS),
    *(
        Wall(name=name, stands=False, detail="found out when the sandbox starts")
        for name in ("files", "network", "processes")
    ),
)


class LocalChannel:
    """A worker started as a child process, spoken to over a socket pair.

    Args:
        memory: MB that one process of the code may take.
    """

    def __init__(self, memory: int) -> None:
        self.shares = shared.available()
        self._token = secrets.token_hex(16)
        self._folder = Path(tempfile.gettempdir()) / f"smolcell-{secrets.token_hex(8)}"
        self.work = self._folder / "work"
        self._groups = Groups(memory)
        self._register(0)  # before anything exists: this process may die at any point
        self._lock = threading.Lock()
        self._dead = False
        self._how = ""
        self._profile: str | None = None
        self._no_profile = ""
        try:
            self._launch()
        except OSError as error:
            reaper.forget(self._token)
            raise SandboxError(f"the sandbox's process did not start: {error}") from error
        self.pid = self._process.pid
        found = process.stat(self.pid)
        self._started = found.start if found else 0
        self._register(self.pid)
        self._groups.take(self.pid)  # while it starts; it is told nothing before
        self.jail["groups"] = self._groups.folders

    def _launch(self) -> None:
        """Make the folder and the groups, and start the process; where one of it fails, nothing is left."""
        with ExitStack() as undo:
            undo.callback(folders.remove, str(self._folder))
            undo.callback(self._groups.end)
            self._fill_folder()
            if IS_MAC:
                self._use_profile()
            # What the process says at its start and its end; without a name, so that the code cannot write it by path.
            self._errors = undo.enter_context(tempfile.TemporaryFile(dir=self._folder))
            self._groups.make()
            self._socket, theirs = socket.socketpair()
            undo.enter_context(self._socket)
            with theirs:
                self._process = self._spawn(theirs)
            undo.pop_all()

    def _fill_folder(self) -> None:
        self._folder.mkdir(mode=0o700)
        self.work.mkdir()
        installed.lend_font_list(self._folder / "cache" / "matplotlib")
        links = self._folder / installed.LENT
        elsewhere = installed.lend_editable(links)
        self.paths = [*installed.site_paths(), str(links)]
        self.jail: dict[str, Any] = {
            "read": [*installed.readable(), str(links), *elsewhere],
            "write": [str(self._folder / "cache")],
        }
        self._archive = self._folder / "worker.zip"
        self._archive.write_bytes(worker_zip())

    def _register(self, pid: int) -> None:
        reaper.register(pid, self._token, str(self._folder), sorted(set(self._groups.folders.values())))

    def _use_profile(self) -> None:
        read, write = ([os.path.realpath(path) for path in self.jail[name]] for name in ("read", "write"))
        archive = os.path.realpath(self._folder / "worker.zip")
        self._profile = seatbelt.profile([*read, archive], [*write, os.path.realpath(self.work)])
        self._no_profile = seatbelt.failure(PYTHON, self._profile, SANDBOX_EXEC)

    def _spawn(self, theirs: socket.socket) -> subprocess.Popen[bytes]:
        for end in (self._socket, theirs):
            for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
                end.setsockopt(socket.SOL_SOCKET, option, BUFFER)
        argv = [PYTHON, "-I", "-S", str(self._archive), portable.kernel_word()]
        if self._profile is not None and not self._no_profile:
            argv = seatbelt.command(argv, self._profile, SANDBOX_EXEC)
        return subprocess.Popen(
            argv,
            stdin=theirs.fileno(),
            stdout=theirs.fileno(),
            stderr=self._errors,
            cwd=self.work,
            env=self._environment(),
            start_new_session=True,
        )

    def _environment(self) -> dict[str, str]:
        made = {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.work),
            "TMPDIR": str(self.work),
            "LANG": "C.UTF-8",
            "MPLBACKEND": "Agg",
            "MPLCONFIGDIR": str(self._folder / "cache" / "matplotlib"),
            "XDG_CACHE_HOME": str(self._folder / "cache"),
            process.TOKEN: self._token,
        }
        if os.environ.get("TZ"):
            made["TZ"] = os.environ["TZ"]
        return made

    def report(self, capabilities: Mapping[str, Any]) -> dict[str, str]:
        """Which walls stand, by what the worker says; on macOS by what was put around it."""
        return walls.read_report(capabilities) if self._profile is None else walls.with_profile(self._no_profile)

    def walls(self, capabilities: Mapping[str, Any]) -> tuple[Wall, ...]:
        """The same, for a person."""
        return (*self._groups.walls(LIMITS), *walls.read_walls(self.report(capabilities)))

    def discard_archive(self) -> None:
        """The worker has read its program: nobody shall change it any more."""
        self._archive.unlink(missing_ok=True)

    def send(self, buffers: Sequence[wire.Buffer], descriptor: int | None = None) -> None:
        """Write all of it; the descriptor goes with the first bytes."""
        if descriptor is not None:
            first = memoryview(buffers[0])
            sent = socket.send_fds(self._socket, [first], [descriptor])
            buffers = [first[sent:], *buffers[1:]]
        for buffer in buffers:
            self._socket.sendall(buffer)

    def receive(self) -> bytes:
        """Read some bytes; b"" when the worker is gone."""
        return self._socket.recv(READ)

    def kill(self) -> None:
        """End the worker and everything it started; remove its folder."""
        with self._lock:
            if self._dead:
                return
            self._dead = True
            try:
                self._socket.shutdown(socket.SHUT_RDWR)  # the supervisor ends its tree by itself
            except OSError:
                pass
            self._await_end()
            process.kill_tree(self.pid, self._started, self._token)
            self._groups.end()
            self._socket.close()
            folders.remove(str(self._folder))
            reaper.forget(self._token)

    def _await_end(self) -> None:
        try:
            status = self._process.wait(0.5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        number = self._errors.fileno()
        data = os.pread(number, LAST, max(0, os.fstat(number).st_size - LAST))
        self._errors.close()
        errors = visible(data.decode("utf-8", "replace")).strip()
        ended = f"signal {-status}" if status < 0 else f"exit code {status}"
        self._how = f"its process ended with {ended}" + (f"\n{errors}" if errors else "")

    def epitaph(self) -> str:
        """How the process ended."""
        return self._how
