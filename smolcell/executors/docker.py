"""The Docker sandbox: a worker in a container of its own.

The rules this file exists to keep:

* The container is given no network, no file of the host, no rights: see ``containers.create``.
* ``boundary`` says what the engine made of that, as the engine says it: an engine may leave out what it was asked for.
* Nothing is asked of an engine before the sandbox is opened.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from smolcell.errors import SandboxError
from smolcell.events import Boundary
from smolcell.executors import container_walls, containers
from smolcell.executors.attached import ContainerChannel
from smolcell.executors.containers import Shape
from smolcell.executors.engine import Engine
from smolcell.executors.filing import FilingExecutor
from smolcell.executors.images import Choice, prepare
from smolcell.executors.reaper import close_at_exit
from smolcell.protocols import tell_opening

log = logging.getLogger("smolcell")
_swept: set[str] = set()  # engines whose leftovers this process has removed


class DockerExecutor(FilingExecutor):
    """Runs code in a container without network, on the engine that ``docker`` would use.

    Args:
        additional_authorized_imports: see ``WorkerExecutor``, as for the options that are not named here.
        image: the image's name; None for the one that smolcell builds. Pulled where it is not on the engine.
        variant: the same, as ``--sandbox docker:NAME`` says it.
        dockerfile: path or text of a Dockerfile to build the image from; see ``images.Choice``, as for the next two.
        base: what smolcell's own image is built upon.
        wheelhouse: a folder of wheels to build it from without a network.
        memory: megabytes that one process of the code may allocate; the container gets half as much again, 256 MB for the worker,
            and ``disk``.
        disk: megabytes that the work folder may hold; it lies in memory.
        cpus: processors' worth of time.
        pids: processes and threads.
        python: the interpreter in the image, 3.9 or newer.
        runtime: the engine's runtime: "runsc" for gVisor, where that is installed.
        userns_mode: as ``docker run --userns``; an engine that remaps users does so without being asked.
        network: the engine's network that the container is in, as ``docker run --network``; by default none. With one the
            boundary does not say "isolated".

    How far a pull or a build is stands on the run's card, and in the log ``smolcell`` (INFO).

    Does not promise more than the engine does: containers share the machine's kernel. ``boundary()`` says what stands.
    """

    name = "docker"

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
        python: str = "python3",
        runtime: str | None = None,
        userns_mode: str | None = None,
        network: str = containers.NO_NETWORK,
        **options: Any,
    ) -> None:
        super().__init__(additional_authorized_imports, memory=memory, **options)
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
            python=python,
            runtime=runtime,
            userns_mode=userns_mode,
            network=network,
        )
        self._channel: ContainerChannel | None = None
        self._found: container_walls.Found | None = None

    def allow_network(self) -> bool:
        """Give the container the engine's usual network, where it was given none. Before it is opened.

        Returns whether it had none; then ``forbid_network`` takes it back.

        Raises:
            SandboxError: it is open.
        """
        if self.shape.network != containers.NO_NETWORK:
            return False
        if self._connection is not None:
            raise SandboxError(
                "an open container is given no network; make a new one: DockerExecutor(network='bridge')"
            )
        self.shape = replace(self.shape, network="bridge")
        return True

    def forbid_network(self) -> None:
        """Take the network back: an open container is ended, and the next step begins one without."""
        self.shape = replace(self.shape, network=containers.NO_NETWORK)
        self._end_open()

    def _start(self) -> ContainerChannel:
        close_at_exit(self)
        self._found = None
        engine = Engine()
        try:
            if engine.address not in _swept:
                containers.sweep(engine)
                _swept.add(engine.address)
            image = self._image(engine)
        except BaseException:
            engine.close()
            raise
        self._channel = ContainerChannel(engine, image, self.shape)
        return self._channel

    def _image(self, engine: Engine) -> str:
        """The image's name. A Dockerfile is built once: a sandbox that begins anew begins from the same."""
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
        """See ``WorkerExecutor.close``; a pull or a build is given up."""
        self._closed = True
        self._stop.set()
        super().close()

    def _set_up(self) -> None:
        self.capabilities["local process"] = False
        if self._channel is not None:
            self._found = container_walls.ask(self._channel.engine, self._channel.id)
        self._fill()

    def _options(self) -> dict[str, Any]:
        return {**super()._options(), "work": containers.WORK, "disk": self.shape.disk}

    def listed(self) -> str:
        """See ``WorkerExecutor.listed``."""
        channel = self._channel if self._connection is not None else None
        return channel.name if channel is not None else ""

    def boundary(self) -> Boundary:
        """Which walls stand, as the engine says; before the sandbox was opened, none."""
        channel, found = self._channel, self._found if self._connection is not None else None
        if channel is not None and found is not None:
            where = f"a container of {channel.image} ({channel.name}) on {found.engine}"
        else:
            where = f"a container of {self.image.words()} (not started)"
        walls = container_walls.read(found)
        shape = {"disk, MB": self.shape.disk, "processors": self.shape.cpus, "processes": self.shape.pids}
        return self.bounded(where, walls, container_walls.is_isolated(walls), shape)


def _tell(said: str) -> None:
    """How far the image is: to who waits for the sandbox, and into the log for who calls it directly."""
    log.info("%s", said)
    tell_opening(said)
