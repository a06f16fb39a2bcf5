"""The Docker sandbox: a worker in a container.

* The container gets no network, no files of the host and no privileges: see ``containers.create``.
* ``boundary`` reports the options that the engine really applied, since it may ignore some.
* The engine is contacted when the sandbox is opened, not before.
"""

from __future__ import annotations

import errno
import json
import logging
import os
import secrets
import selectors
import socket
import ssl
import struct
import tempfile
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from smolcell.core.text import tail
from smolcell.errors import SandboxError, SetupError
from smolcell.events import Boundary, File
from smolcell.executors import packages
from smolcell.executors.docker import containers
from smolcell.executors.docker.containers import Shape
from smolcell.executors.docker.engine import DockerEngine
from smolcell.executors.docker.images import Choice, prepare
from smolcell.executors.files import FarExecutor, find_mountable, open_to_others
from smolcell.executors.local.environment import worker_zip
from smolcell.executors.reaper import close_at_exit, reaper
from smolcell.executors.registry import Sandbox
from smolcell.executors.walls import is_isolated
from smolcell.protocols import tell_opening
from smolcell.worker.wire import frames

log = logging.getLogger("smolcell")

# --- A worker in a container, connected by the container's attached streams.
#
# * The host sends first: until the worker is sent, the container sends nothing.
# * When this end closes, however it closes, the engine closes the container's stdin; then the container ends and is removed.
# * The container is registered with the reaper before it is created, until it is removed.
#
# Source of the stream's format: "Attach to a container" in the Docker Engine API (each piece has a header of eight bytes: the
# stream's number, three zeros, the size).


READ_BYTES = 1 << 20
HEAD = struct.Struct(">BxxxI")
STDOUT, STDERR = 1, 2
KEPT_STDERR_BYTES = 2000  # kept of the worker's stderr
ENDING_SECONDS = 1.5  # seconds that the engine may take to remove a container
MAX_OUTPUT_BYTES = 4 << 20  # maximum output of a program in the container besides the worker
SILENCE_SECONDS = 60.0  # maximum seconds without output of such a program
ANSWER_SECONDS = 10.0  # timeout of requests about such a program and of waiting for the container's end


class ContainerChannel:
    """A worker in a container.

    Args:
        engine: closed with this channel.
        image: name of the image, which the engine has.
        shape: limits and mounts of the container.

    Raises:
        SandboxError, SetupError: it did not start; nothing is left running.
    """

    shares = False

    def __init__(self, engine: DockerEngine, image: str, shape: Shape) -> None:
        self.engine, self.image, self._interpreter = engine, image, shape.interpreter
        self.name = f"{containers.PREFIX}{secrets.token_hex(8)}"
        self._lock = threading.Lock()
        self._dead = self._ended = False
        self._how = ""
        self._errors = b""
        self._pieces = _Pieces()
        self._stdin: _AttachedStream | None = None
        self._status: Any = None
        self._archive = worker_zip()  # sent first, by the first writer: a container that has ended reads nothing
        containers.register(self.name, engine.address)
        try:
            self.id = containers.create(engine, image, self.name, len(self._archive), shape)
            with engine.errors(image):
                self._begin()
        except BaseException:
            self.kill()
            raise

    def _begin(self) -> None:
        api = self.engine.client.api
        url = f"{api.base_url}/v{api.api_version}/containers/{self.id}"
        # The engine answers at once, and again when the container was removed: afterwards its exit code cannot be queried.
        self._status = api.post(f"{url}/wait", params={"condition": "removed"}, stream=True, timeout=ANSWER_SECONDS)
        self._stdin = _AttachedStream(
            api.attach_socket(self.id, params={"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1})
        )
        api.start(self.id)

    def send(self, buffers: Sequence[frames.Buffer], descriptor: int | None = None) -> None:
        """Write all data; blocks; raises OSError if the worker has ended."""
        if descriptor is not None:
            raise ValueError("descriptors cannot be sent to a container")
        if self._stdin is None:
            raise BrokenPipeError("the container has ended")
        archive, self._archive = self._archive, b""
        for buffer in (archive, *buffers):
            self._stdin.send(buffer)

    def receive(self) -> bytes:
        """Read some bytes of the worker; b"" if it has ended."""
        while self._stdin is not None and (data := self._stdin.receive()):
            output = []
            for stream, piece in self._pieces.feed(data):
                if stream == STDERR:
                    self._errors = (self._errors + piece)[-KEPT_STDERR_BYTES:]
                else:
                    output.append(piece)
            if output:
                return b"".join(output)
        self._ended = True
        return b""

    def look(self) -> bytes:
        """Return the output of ``packages.LOOK`` for the image's Python."""
        return self._execute([self._interpreter, "-I", "-c", packages.LOOK])

    def unpack(self, folder: Path) -> None:
        """Copy new packages from a folder to one that the code can read but not write."""
        with tempfile.TemporaryFile() as file:
            packages.pack(folder, file)
            file.seek(0)
            self._execute([self._interpreter, "-I", "-S", "-c", packages.UNPACK, containers.PACKAGES], file)

    def _execute(self, command: Sequence[str], data: IO[bytes] | None = None) -> bytes:
        """Run a program in the container as its root, which can only write root's files; returns its output.

        Raises:
            SandboxError: it failed, or the container has ended.
        """
        api, pieces, streams = self.engine.client.api, _Pieces(), {STDOUT: bytearray(), STDERR: bytearray()}
        with self.engine.errors():
            execution = api.exec_create(self.id, command, user="0:0", stdin=data is not None, workdir="/")
            line = _AttachedStream(api.exec_start(execution["Id"], socket=True), SILENCE_SECONDS)
            try:
                while data is not None and (piece := data.read(READ_BYTES)):
                    line.send(piece)
                while (heard := line.receive()) and sum(map(len, streams.values())) < MAX_OUTPUT_BYTES:
                    for stream, output in pieces.feed(heard):
                        streams.setdefault(stream, bytearray()).extend(output)
            except OSError as error:
                raise SandboxError(f"a program in the container was cut off: {error}") from None
            finally:
                line.close()
            status = api.exec_inspect(execution["Id"])["ExitCode"]
        if status:
            reason = tail(streams[STDERR].decode("utf-8", "replace"), KEPT_STDERR_BYTES).rpartition("\n")[2]
            raise SandboxError(f"a program in the container failed ({reason})")
        return bytes(streams[STDOUT])

    def kill(self) -> None:
        """Kill and remove the container."""
        with self._lock:
            if self._dead:
                return
            self._dead = True
            by_itself = self._read_status() if self._ended else None
            if self._stdin is not None:
                self._stdin.close()
            gone = by_itself is not None
            with suppress(Exception):  # without an engine, the end of stdin or the reaper ends the container
                gone = containers.remove(self.engine, self.name, ENDING_SECONDS) in containers.GONE or gone
            status = self._read_status() if gone and by_itself is None else by_itself
            self._how = self._ending_message(status)
            if self._status is not None:
                self._status.close()
            self.engine.close()
            if gone:
                reaper.forget(self.name)

    def _read_status(self) -> int | None:
        """Return the exit code of a container that is being removed; None if the engine does not report it."""
        try:
            return int(json.loads(self._status.content)["StatusCode"])
        except Exception:
            return None  # the SDK's HTTP library raises many kinds

    def _ending_message(self, status: int | None) -> str:
        if status is None:
            return "the connection to the Docker engine ended (was it restarted?); run the step again"
        errors = tail(self._errors.decode("utf-8", "replace"), KEPT_STDERR_BYTES)
        if errors:
            return f"its container ended with exit code {status}: {errors}"
        if status == 137:
            return "its container was killed from outside, or its memory ran out; run the step again"
        return f"its container ended with exit code {status}; see its image: docker run -it {self.image} sh"

    def epitaph(self) -> str:
        """Return how the container ended."""
        return self._how


class _Pieces:
    """Splits the output of a container into pieces of its streams."""

    def __init__(self) -> None:
        self._head = b""
        self._left, self._stream = 0, 0  # remaining bytes of the current piece, and its stream

    def feed(self, data: bytes) -> Iterator[tuple[int, memoryview]]:
        """Yield the streams' numbers and their bytes."""
        view = memoryview(data)
        while view:
            if self._left:
                yield self._stream, view[: self._left]
                size = min(self._left, len(view))
                self._left, view = self._left - size, view[size:]
                continue
            wanted = HEAD.size - len(self._head)
            self._head, view = self._head + bytes(view[:wanted]), view[wanted:]
            if len(self._head) == HEAD.size:
                (self._stream, self._left), self._head = HEAD.unpack(self._head), b""


class _AttachedStream:
    """The connection of the attached stream.

    Args:
        attached: from the SDK: a ``SocketIO`` around the socket, or, with TLS, the socket.
        seconds: timeout of reading and writing; None: none.
    """

    def __init__(self, attached: Any, seconds: float | None = None) -> None:
        self._attached = attached
        self._socket: socket.socket = getattr(attached, "_sock", attached)
        self._socket.settimeout(seconds)
        # OpenSSL allows one thread at a time to use a connection, so reading must not wait inside.
        self._lock = threading.Lock() if isinstance(self._socket, ssl.SSLSocket) else None

    def send(self, data: frames.Buffer) -> None:
        if self._lock is None:
            self._socket.sendall(data)
            return
        with self._lock:
            self._socket.sendall(data)

    def receive(self) -> bytes:
        if self._lock is None:
            return self._socket.recv(READ_BYTES)
        while True:
            self._wait()
            with self._lock:
                self._socket.setblocking(False)
                try:
                    return self._socket.recv(READ_BYTES)
                except ssl.SSLWantReadError:
                    pass
                finally:
                    self._socket.setblocking(True)

    def _wait(self) -> None:
        """Wait until there is data; raises OSError if the stream was closed. Not by ``select``, which is limited to low descriptors."""
        with getattr(selectors, "PollSelector", selectors.SelectSelector)() as waiting:
            try:
                waiting.register(self._socket, selectors.EVENT_READ)
            except ValueError:
                raise OSError(errno.EBADF, "the connection was closed") from None
            waiting.select()

    def close(self) -> None:
        """Wake readers and writers, and end the stream. Idempotent."""
        with suppress(OSError, AttributeError):  # pipes of Windows lack this method
            self._socket.shutdown(socket.SHUT_RDWR)
        # With TLS, the answer keeps the connection open; otherwise the SDK does not keep the answer.
        for part in (getattr(self._attached, "_response", None), self._attached, self._socket):
            with suppress(OSError, ValueError):  # closed with the other
                if part is not None:
                    part.close()


_swept: set[str] = set()  # engines on which this process has removed orphans


class DockerExecutor(FarExecutor):
    """Runs code in a container without network, on the engine that ``docker`` would use.

    Args:
        additional_authorized_imports: see ``WorkerExecutor``, as for the options that are not named here.
        image: the image's name; None for the one that smolcell builds. Pulled if it is not on the engine.
        variant: the same, from ``--sandbox docker:NAME``.
        dockerfile: path or text of a Dockerfile to build the image from; see ``images.Choice``, also for the next two.
        base: base of smolcell's own image.
        wheelhouse: folder of wheels to build it from without a network.
        memory: maximum memory of one process of the code in MB; the container gets half as much again, 256 MB for the worker,
            and ``disk``.
        disk: maximum size of the work folder in MB; it is in memory.
        cpus: maximum processor time per time.
        pids: maximum processes and threads.
        interpreter: Python in the image, 3.9 or newer.
        runtime: the engine's runtime: "runsc" for gVisor, if that is installed.
        userns_mode: as ``docker run --userns``; an engine that remaps users always does so.
        network: network of the engine for the container, as ``docker run --network``; by default none. With one the boundary is
            not "isolated".
        gpu: graphics cards for the container: "all", a number, or a list of ids. Not tested with a real card.

    The progress of a pull or build is shown on the run's card, and logged by ``smolcell`` (INFO).

    Containers share the machine's kernel, and their walls depend on the engine: see ``boundary()``.
    """

    name, plural = "docker", "containers"
    carries = shares_proxy = True

    def __init__(
        self,
        additional_authorized_imports: Sequence[str] = (),
        *,
        image: str | None = None,
        variant: str | None = None,
        dockerfile: str | Path | None = None,
        base: str | None = None,
        wheelhouse: str | Path | None = None,
        memory: int = 2048,
        disk: int = 1024,
        cpus: float = 2.0,
        pids: int = 256,
        interpreter: str = "python3",
        runtime: str | None = None,
        userns_mode: str | None = None,
        network: str = containers.NO_NETWORK,
        gpu: str | int | Sequence[str] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(additional_authorized_imports, memory=memory, **options)
        if self.egress.hosts and network != containers.NO_NETWORK:
            raise SetupError("network= allows all hosts, allow_hosts only some: give one of them")
        self.image = Choice(
            image=image or variant or "", dockerfile=dockerfile or "", base=base or "", wheelhouse=wheelhouse or ""
        )
        self._prepared = ""
        self._stop = threading.Event()
        self.shape = Shape(
            memory=self.memory,
            disk=disk,
            cpus=cpus,
            pids=pids,
            interpreter=interpreter,
            runtime=runtime,
            userns_mode=userns_mode,
            network=network,
            gpu=containers.read_gpu(gpu),
        )
        self._channel: ContainerChannel | None = None
        self._found: containers.ContainerReport | None = None

    @classmethod
    def list_sandboxes(cls) -> list[Sandbox]:
        """See ``BaseExecutor.list_sandboxes``."""
        with closing(DockerEngine()) as engine:
            return containers.sandboxes(engine)

    @classmethod
    def end_sandbox(cls, sandbox: Sandbox) -> bool:
        """See ``BaseExecutor.end_sandbox``."""
        with closing(DockerEngine()) as engine, engine.errors():
            return containers.remove(engine, sandbox.place, 10.0) in containers.GONE

    def mount(self, paths: Sequence[str | os.PathLike[str]], links: Collection[Path] = ()) -> tuple[File, ...]:
        """See ``WorkerExecutor.mount``."""
        files = find_mountable(paths, links)
        open_to_others(files)
        mounted = self._mount(files)
        self.shape = replace(self.shape, mounts=tuple(map(str, self.mounts.values())))
        return mounted

    @property
    def full_name(self) -> str:
        """See ``WorkerExecutor.full_name``."""
        image = self.image.image or self.image.dockerfile or self.image.base
        return f"{self.name}:{image}" if image else self.name

    def _opened_network(self) -> bool:
        return self.shape.network != containers.NO_NETWORK

    def allow_network(self) -> bool:
        """Give the container the engine's default network if it has none. Call before the sandbox is opened.

        Returns whether it had none; then ``forbid_network`` undoes it.

        Raises:
            SandboxError: the sandbox is open.
        """
        if self.shape.network != containers.NO_NETWORK:
            return False
        if self._connection is not None:
            raise SandboxError(
                "an open container cannot get a network; make a new one: DockerExecutor(network='bridge')"
            )
        self.shape = replace(self.shape, network="bridge")
        return True

    def forbid_network(self) -> None:
        """Undo ``allow_network``: an open container is ended, and the next step starts one without a network."""
        self.shape = replace(self.shape, network=containers.NO_NETWORK)
        self._end_open()

    def _start(self) -> ContainerChannel:
        close_at_exit(self)
        self._found = None
        engine = DockerEngine()
        try:
            if self.mounts and not engine.address.startswith(("unix://", "npipe://")):
                raise SetupError(
                    f"the Docker engine {engine.address} is not on this machine, so it cannot mount folders: leave out --read-only"
                )
            self._check_mounts()
            if engine.address not in _swept:
                containers.sweep(engine)
                _swept.add(engine.address)
            image = self._image(engine)
        except BaseException:
            engine.close()
            raise
        self._channel = ContainerChannel(engine, image, self.shape)
        return self._channel

    def _image(self, engine: DockerEngine) -> str:
        """Return the image's name. A Dockerfile is built once: a restarted sandbox uses the same image."""
        if not (self._prepared and self.image.dockerfile):
            self._stop.clear()
            if self._closed:
                raise SandboxError("this sandbox was closed while it was starting")
            with engine.errors(self.image.image):
                self._prepared = prepare(engine.client, self.image, _tell, self._stop)
        return self._prepared

    def _stop_starting(self) -> None:
        self._stop.set()

    def close(self) -> None:
        """End the sandbox; cancels a pull or build. See ``WorkerExecutor.close``."""
        self._closed = True
        self._stop.set()
        super().close()

    def _set_up(self) -> None:
        if self._channel is not None:
            self._found = containers.ask(self._channel.engine, self._channel.id)
        super()._set_up()

    def _options(self) -> dict[str, Any]:
        links = {name: containers.mounted_at(number) for number, name in enumerate(self.mounts)}
        places = {"work": containers.WORK, "packages": containers.PACKAGES}
        return {**super()._options(), **places, "disk": self.shape.disk, "links": links}

    def listed(self) -> str:
        """See ``WorkerExecutor.listed``."""
        channel = self._channel if self._connection is not None else None
        return channel.name if channel is not None else ""

    def boundary(self) -> Boundary:
        """Return the walls that stand, as the engine reports them; before the sandbox is opened, none."""
        channel, facts = self._channel, self._found if self._connection is not None else None
        if channel is not None and facts is not None:
            where = f"a container of {channel.image} ({channel.name}) on {facts.engine}"
        else:
            where = f"a container of {self.image.words()} (not started)"
        found = containers.read(facts, len(self.shape.mounts))
        shape: dict[str, Any] = {
            "disk, MB": self.shape.disk,
            "processors": self.shape.cpus,
            "processes": self.shape.pids,
        }
        shape |= {"graphics cards": ", ".join(self.shape.gpu)} if self.shape.gpu else {}
        return self.bounded(where, found, is_isolated(found), shape)


def _tell(text: str) -> None:
    """Report the progress of the image to the waiting run, or log it in a direct call."""
    log.info("%s", text)
    tell_opening(text)
