"""Sandboxes of providers; all use the same worker and wire.

* A sandbox is created with a short lifetime, renewed while this process lives; ``close`` or the reaper ends it.
* The worker raises its own walls, whatever walls the provider has, and reports them.
* Imports and requests happen when the sandbox is opened, not before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from smolcell.core.text import visible
from smolcell.errors import SandboxBusyError, SandboxError, SetupError
from smolcell.events import Boundary, Wall
from smolcell.executors import walls
from smolcell.executors.cloud.channel import RemoteChannel
from smolcell.executors.cloud.provider import (
    KIND,
    Provider,
    ProviderSandbox,
    ProviderUnreachable,
    RateLimited,
    SandboxGone,
    SandboxSpec,
)
from smolcell.executors.files import FarExecutor
from smolcell.executors.reaper import close_at_exit
from smolcell.executors.registry import Sandbox, SandboxOwner, span, state_words

MIN_LIFETIME, MAX_LIFETIME = 15, 3600  # range of the option ``lifetime``, in seconds

# --- The walls of a provider's sandbox, from the worker's report and the provider's statements.
#
# * smolcell's own walls are tested by the worker. A statement of the provider is marked as such.
# * This machine is out of reach only if the worker reports the boot id of another machine.


LIMITS = Wall(name="limits", stands=True, detail="time, memory, file size, descriptors and output are bounded")
NOT_STARTED = (*walls.ALWAYS, LIMITS, *walls.NOT_STARTED)


def is_elsewhere(capabilities: Mapping[str, Any]) -> bool:
    """Return whether a worker runs on another machine than this process, by its boot id."""
    boot = capabilities.get("boot")
    return type(boot) is str and len(boot) >= 32 and boot != SandboxOwner.here().boot


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
    for name in walls.NEEDED:
        held = elsewhere and not (name == "network" and network)
        if not found[name].stands:
            found[name] = Wall(name=name, stands=held, detail=promised[name] if held else found[name].detail)
    return (*walls.ALWAYS, LIMITS, *found.values(), _machine(elsewhere, title))


def _machine(elsewhere: bool, title: str) -> Wall:
    if elsewhere:
        detail = f"{title} says that it belongs to this sandbox alone; smolcell cannot test that"
        return Wall(name="own machine", stands=True, detail=detail)
    return Wall(name="own machine", stands=False, detail="the sandbox runs on this machine, or does not report which")


class RemoteExecutor(FarExecutor):
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
    provider: Callable[[], Provider]
    carries = far = True
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

    @classmethod
    def list_sandboxes(cls) -> list[Sandbox]:
        """See ``BaseExecutor.list_sandboxes``; none if there is no key for the provider."""
        provider, here = cls.provider(), SandboxOwner.here()
        try:
            listed = provider.listed({KIND: "sandbox"}) if provider.has_key() else []
        except RateLimited:
            raise
        except ProviderUnreachable as error:
            raise ProviderUnreachable(
                f"it cannot be reached ({error}); is there a network? Then type: smolcell sandboxes"
            ) from None
        return [_sandbox(cls.name, each, here) for each in listed]

    @classmethod
    def end_sandbox(cls, sandbox: Sandbox) -> bool:
        """See ``BaseExecutor.end_sandbox``."""
        return cls.provider().end(sandbox.place)

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

    def _options(self) -> dict[str, Any]:
        return {**super()._options(), "agent_network": self.order.internet}

    def _start(self) -> RemoteChannel:
        close_at_exit(self)
        self._channel = RemoteChannel(type(self).provider(), self.order, self.interpreter)
        return self._channel

    def _set_up(self) -> None:
        own = own_walls(self.capabilities)["network"]
        self._network = "" if self._channel is None or own.stands else self._channel.machine.network()
        super()._set_up()

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
        if self.worker.step is not None:
            raise SandboxBusyError(f"the sandbox {self.name!r} is running a step; pause it when the step has ended")
        if self._channel is None or self._connection is None:
            raise SandboxError(f"the sandbox {self.name!r} is not running; run a step first")
        if not self._channel.is_paused:
            self._channel.sandbox.pause()

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
        return self.bounded(where, tested, walls.is_isolated(tested), outlives)


def _sandbox(kind: str, listed: ProviderSandbox, here: SandboxOwner) -> Sandbox:
    """Return a sandbox of the provider for lists of sandboxes."""
    return Sandbox(
        kind=kind,
        name=visible(listed.name),
        state=state_words(listed.state),
        image=visible(listed.template),
        age=listed.age,
        walls=("guard", "its provider's"),
        place=listed.name,
        ends=_ends(listed),
        **SandboxOwner.of(listed.labels).facts(here),
    )


def _ends(listed: ProviderSandbox) -> str:
    """Describe when its provider ends it; "" if unknown."""
    if listed.left is None:
        return "no time-out" if listed.state == "paused" else ""
    return f"ends in {span(listed.left)} {'unless it is renewed' if listed.renewable else 'at the latest'}"
