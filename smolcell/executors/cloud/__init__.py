"""Sandboxes of providers: the same worker and wire for all of them.

* A sandbox is made with a short life, which is renewed while this process lives; it is ended by ``close``, and by the reaper.
* Whatever walls the provider has, the worker puts up its own, and reports them.
* Nothing is imported or asked before the sandbox is opened.
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

# --- From what a worker in a provider's sandbox reports, and what the provider says, to the walls that stand.
#
# * smolcell's own walls are tested by the worker. A promise of the provider is marked as such.
# * This machine is out of reach only from another machine: the worker says which start of which machine it runs in.


LIMITS = Wall(name="limits", stands=True, detail="time, memory, file size, descriptors and output are bounded")
NEEDED = ("files", "network", "processes")
NOT_STARTED = (
    *walls.ALWAYS,
    LIMITS,
    *(Wall(name=name, stands=False, detail="found out when the sandbox starts") for name in NEEDED),
)


def is_elsewhere(capabilities: Mapping[str, Any]) -> bool:
    """Return whether a worker runs on another machine than this process, by the machine's present start."""
    said = capabilities.get("boot")
    return type(said) is str and len(said) >= 32 and said != Owner.here().boot


def own_walls(capabilities: Mapping[str, Any]) -> dict[str, Wall]:
    """smolcell's own walls, by name."""
    return {wall.name: wall for wall in walls.read_walls(walls.read_report(capabilities))}


def read(capabilities: Mapping[str, Any], title: str, network: str) -> tuple[Wall, ...]:
    """Return the walls around a sandbox that runs.

    Args:
        capabilities: what its worker said when it began.
        title: the provider's name.
        network: why the provider does not keep it from the network; "" if it says that it does.
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
        said = f"by {title}'s word it is this sandbox's alone, and no one else reads it; smolcell cannot check"
        return Wall(name="own machine", stands=True, detail=said)
    return Wall(name="own machine", stands=False, detail="the sandbox runs on this machine, or does not say on which")


def is_isolated(found: tuple[Wall, ...]) -> bool:
    """Return whether the word may be used."""
    return {wall.name for wall in found if wall.stands}.issuperset(NEEDED)


log = logging.getLogger("smolcell")
MIN_LIFETIME, MAX_LIFETIME = 15, 3600  # seconds that a sandbox may be given


class RemoteExecutor(FileTransfer):
    """Runs code in a sandbox of a provider; a subclass names it.

    Args:
        additional_authorized_imports: see ``WorkerExecutor``, as for the options that are not named here.
        template: the provider's word for what is in the sandbox; None for its own choice.
        variant: the same, as ``--sandbox NAME:TEMPLATE`` says it.
        lifetime: seconds after which the provider ends the sandbox when this process is gone.
        interpreter: the Python in the sandbox, 3.9 or newer.

    The provider's promises are not tested; ``boundary()`` marks them.
    """

    name = ""
    title = ""
    carries = True
    shortest = 0
    """Seconds that the provider lets a sandbox live at least, whatever was asked for."""

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
        """Give an agent in the sandbox the provider's network; the code beside it gets none. Before it is opened.

        Returns whether it had none; then ``forbid_network`` takes it back.

        Raises:
            SandboxError: it is open.
        """
        if self.order.internet:
            return False
        if self._connection is not None:
            raise SandboxError("an open sandbox is given no network; make a new one")
        self.order = replace(self.order, internet=True)
        return True

    def forbid_network(self) -> None:
        """Take the network back: an open sandbox is ended, and the next step begins one without."""
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
        """Return the provider's statement about connections; asked if smolcell's own wall does not stand."""
        own = own_walls(self.capabilities)
        return "" if self._channel is None or own["network"].stands else self._channel.machine.network()

    async def open(self) -> None:
        """See ``WorkerExecutor.open``; what was paused goes on."""
        if self._channel is not None and self._channel.is_paused and not self._closed:
            await asyncio.to_thread(self._resume, self._channel)
        await super().open()

    def _resume(self, channel: RemoteChannel) -> None:
        try:
            channel.resume()
        except SandboxGone:
            connection = self._connection
            if connection is not None:
                connection.close()  # and wait for it: the next step is not to meet one that is ending
            raise

    def pause(self) -> None:
        """Freeze the sandbox, with all its variables; the next step lets it go on.

        A paused sandbox is not ended by the provider: only ``close``, the end of this process, or ``smolcell sandboxes --clean``.

        Raises:
            SandboxBusyError: a step is open.
            CapabilityError: the provider cannot.
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
        """Which walls stand, by what the worker measured and the provider says; before the sandbox was opened, none."""
        channel = self._channel if self._connection is not None else None
        where = f"a sandbox of {self.title}" + (f" ({self.order.template})" if self.order.template else "")
        found = NOT_STARTED if channel is None else read(self.capabilities, self.title, self._network)
        where += " (not started)" if channel is None else f": {channel.machine.name}"
        outlives = {"seconds it outlives this process": max(self.shortest, self.order.lifetime)}
        return self.bounded(where, found, is_isolated(found), outlives)
