"""Sandboxes of providers; all use the same worker and wire.

* A sandbox is created with a short lifetime, renewed while this process lives; ``close`` or the reaper ends it.
* The worker raises its own walls, whatever walls the provider has, and reports them.
* Imports and requests happen when the sandbox is opened, not before.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from smolcell.errors import SandboxBusyError, SandboxError, SetupError
from smolcell.events import Boundary, Wall
from smolcell.executors import packages, walls
from smolcell.executors.cloud.channel import RemoteChannel
from smolcell.executors.cloud.provider import SandboxGone, SandboxSpec, find_provider
from smolcell.executors.docker.containers import Owner
from smolcell.executors.files import FileTransfer
from smolcell.executors.reaper import close_at_exit

# --- The walls of a provider's sandbox, from the worker's report and the provider's statements.
#
# * smolcell's own walls are tested by the worker. A statement of the provider is marked as such.
# * This machine is out of reach only if the worker reports the boot id of another machine.


LIMITS = Wall(name="limits", stands=True, detail="time, memory, file size, descriptors and output are bounded")
NEEDED = ("files", "network", "processes")
NOT_STARTED = (
    *walls.ALWAYS,
    LIMITS,
    *(Wall(name=name, stands=False, detail="not known before the sandbox starts") for name in NEEDED),
)


def is_elsewhere(capabilities: Mapping[str, Any]) -> bool:
    """Return whether a worker runs on another machine than this process, by its boot id."""
    boot = capabilities.get("boot")
    return type(boot) is str and len(boot) >= 32 and boot != Owner.here().boot


def own_walls(capabilities: Mapping[str, Any]) -> dict[str, Wall]:
    """Return smolcell's own walls, by name."""
    return {wall.name: wall for wall in walls.read_walls(walls.read_report(capabilities))}


def read(capabilities: Mapping[str, Any], title: str, network: str) -> tuple[Wall, ...]:
    """Return the walls of a running sandbox.

    Args:
        capabilities: of the worker's first message.
        title: name of the provider.
        network: why the provider does not block the network; "" if it says that it does.
    """
    elsewhere = is_elsewhere(capabilities)
    found = own_walls(capabilities)
    promised = {
        "files": f"the code runs on a machine of {title}'s, where this machine's files are not",
        "processes": f"the code runs on a machine of {title}'s, where this machine's processes are not",
        "network": network or f"{title} says that this sandbox can open no connection",
    }
    for name in NEEDED:
        held = elsewhere and not (name == "network" and network)
        if not found[name].stands:
            found[name] = Wall(name=name, stands=held, detail=promised[name] if held else found[name].detail)
    return (*walls.ALWAYS, LIMITS, *found.values(), _machine(elsewhere, title))


def _machine(elsewhere: bool, title: str) -> Wall:
    if elsewhere:
        detail = f"{title} says that it belongs to this sandbox alone; smolcell cannot test that"
        return Wall(name="own machine", stands=True, detail=detail)
    return Wall(name="own machine", stands=False, detail="the sandbox runs on this machine, or does not report which")


def is_isolated(found: tuple[Wall, ...]) -> bool:
    """Return whether the sandbox may be called isolated."""
    return {wall.name for wall in found if wall.stands}.issuperset(NEEDED)


log = logging.getLogger("smolcell")
MIN_LIFETIME, MAX_LIFETIME = 15, 3600  # range of the option ``lifetime``, in seconds


class RemoteExecutor(FileTransfer):
    """Runs code in a provider's sandbox; subclasses set the provider.

    Args:
        additional_authorized_imports: see ``WorkerExecutor``, as for the options that are not named here.
        template: the provider's name for the sandbox's content; None for its default.
        variant: the same, from ``--sandbox NAME:TEMPLATE``.
        lifetime: seconds after which the provider ends the sandbox if it is not renewed.
        interpreter: Python in the sandbox, 3.9 or newer.

    Statements of the provider are not tested; ``boundary()`` marks them.
    """

    name = ""
    title = ""
    carries = True
    shortest = 0
    """Shortest lifetime in seconds that the provider supports."""

    def __init__(
        self,
        additional_authorized_imports: Sequence[str] = (),
        *,
        template: str | None = None,
        variant: str | None = None,
        lifetime: int = 120,
        interpreter: str = "python3",
        **options: Any,
    ) -> None:
        super().__init__(additional_authorized_imports, **options)
        if not MIN_LIFETIME <= lifetime <= MAX_LIFETIME:
            raise SetupError(
                f"a sandbox's lifetime is {MIN_LIFETIME} to {MAX_LIFETIME} s; write for example: lifetime=120"
            )
        self.order = SandboxSpec(template=template or variant or "", lifetime=int(lifetime), memory=self.memory)
        self.interpreter = interpreter
        self._channel: RemoteChannel | None = None
        self._network = ""
        self._site: packages.Site | None = None

    @property
    def full_name(self) -> str:
        """See ``WorkerExecutor.full_name``."""
        return f"{self.name}:{self.order.template}" if self.order.template else self.name

    def allow_network(self) -> bool:
        """Give an agent in the sandbox the provider's network; the code still has none. Call before the sandbox is opened.

        Returns whether it had none; then ``forbid_network`` undoes it.

        Raises:
            SandboxError: the sandbox is open.
        """
        if self.order.internet:
            return False
        if self._connection is not None:
            raise SandboxError("an open sandbox cannot get a network; make a new one")
        self.order = replace(self.order, internet=True)
        return True

    def forbid_network(self) -> None:
        """Undo ``allow_network``: an open sandbox is ended, and the next step starts one without a network."""
        self.order = replace(self.order, internet=False)
        self._end_open()

    def site(self) -> packages.Site:
        """See ``WorkerExecutor.site``."""
        if self._channel is None or self._connection is None:
            raise SandboxError("the sandbox is not open")
        if self._site is None:
            self._site = packages.OtherSite(self._channel.look())
        return self._site

    def take_packages(self) -> None:
        """See ``WorkerExecutor.take_packages``."""
        if self.packages is not None and self.packages.installed and self._channel is not None:
            self._channel.unpack(self.packages.folder)

    def _options(self) -> dict[str, Any]:
        return {**super()._options(), "agent_network": self.order.internet}

    def _start(self) -> RemoteChannel:
        close_at_exit(self)
        self._channel = RemoteChannel(find_provider(self.name), self.order, self.interpreter)
        return self._channel

    def _set_up(self) -> None:
        self.capabilities["local process"] = False
        self._network = self._ask_network()
        self._site = None
        self._fill()
        self.take_packages()

    def _ask_network(self) -> str:
        """Return why the provider does not block the network; asked only if smolcell's own wall does not stand."""
        own = own_walls(self.capabilities)
        return "" if self._channel is None or own["network"].stands else self._channel.machine.network()

    async def open(self) -> None:
        """Start the sandbox, or resume it if it was paused. See ``WorkerExecutor.open``."""
        if self._channel is not None and self._channel.is_paused and not self._closed:
            await asyncio.to_thread(self._resume, self._channel)
        await super().open()

    def _resume(self, channel: RemoteChannel) -> None:
        try:
            channel.resume()
        except SandboxGone:
            connection = self._connection
            if connection is not None:
                connection.close()  # and wait: the next step must not find a connection that is ending
            raise

    def pause(self) -> None:
        """Pause the sandbox with all its variables; the next step resumes it.

        The provider does not end a paused sandbox: only ``close``, the end of this process, or ``smolcell sandboxes --clean`` do.

        Raises:
            SandboxBusyError: a step is open.
            CapabilityError: the provider cannot pause sandboxes.
            SandboxError: it is not running.
        """
        if self._step is not None:
            raise SandboxBusyError(f"the sandbox {self.name!r} is running a step; pause it when the step has ended")
        if self._channel is None or self._connection is None:
            raise SandboxError(f"the sandbox {self.name!r} is not running; run a step first")
        if not self._channel.is_paused:
            self._channel.pause()

    def listed(self) -> str:
        """See ``WorkerExecutor.listed``."""
        channel = self._channel if self._connection is not None else None
        return channel.machine.name if channel is not None else ""

    def boundary(self) -> Boundary:
        """Return the walls that stand, from the worker's tests and the provider's statements; before the sandbox is opened, none."""
        channel = self._channel if self._connection is not None else None
        where = f"a sandbox of {self.title}" + (f" ({self.order.template})" if self.order.template else "")
        tested = NOT_STARTED if channel is None else read(self.capabilities, self.title, self._network)
        where += " (not started)" if channel is None else f": {channel.machine.name}"
        outlives = {"seconds it outlives this process": max(self.shortest, self.order.lifetime)}
        return self.bounded(where, tested, is_isolated(tested), outlives)
