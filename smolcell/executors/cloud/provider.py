"""The interface of a provider of sandboxes, and the errors that it may raise.

* An SDK is imported, and a key read, by the provider's own module alone.
* ``ProviderUnreachable``: the sandbox may still be there. ``SandboxGone``: it is known not to be. ``RateLimited``: nothing was done.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from smolcell.errors import SandboxDiedError, SandboxError
from smolcell.executors.docker.containers import LABEL, Owner, uptime
from smolcell.text import visible

TOKEN = LABEL + "token"
"""The label that names one sandbox; it is drawn before the sandbox is made, so that it can be found however far that got."""
KIND = LABEL + "kind"
"""The label that all sandboxes of smolcell have, with the value "sandbox"."""


MADE = LABEL + "made"
"""The label that says how long a machine had been running when it had the sandbox made."""


class ProviderUnreachable(SandboxError):
    """The provider, or the sandbox, could not be reached; both may be there. The request may or may not have been carried out."""


class RateLimited(ProviderUnreachable):
    """The provider takes no more requests now: the request was not carried out, and may be repeated."""


class SandboxGone(SandboxDiedError):
    """The sandbox, or its program, is not there any more; the text says how it ended, as far as the provider says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxSpec:
    """The sandbox to create.

    Attributes:
        template: the provider's word for what is in it; "" for the provider's own choice.
        lifetime: seconds after which the provider ends it, unless the lease is renewed.
        internet: whether it may open connections.
        memory: megabytes, if the provider takes that option.
        gpu: the graphics card, in the provider's words; "" for none.
        labels: say whose it is; see ``labels``.
    """

    template: str = ""
    lifetime: int = 120
    internet: bool = False
    memory: int = 2048
    gpu: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One sandbox, as the provider lists it.

    Attributes:
        name: its id at the provider.
        labels: those it was made with; untrusted.
        template: what is in it.
        age: seconds since it was started; None if it is not known.
        left: seconds until the provider ends it; None if that is not known, or it never will (a paused one).
        renewable: whether that end can be put off.
        state: "running", "paused", …
    """

    name: str
    labels: Mapping[str, str] = field(default_factory=dict)
    template: str = ""
    age: float | None = None
    left: float | None = None
    renewable: bool = True
    state: str = "running"


class Machine(Protocol):
    """One sandbox at a provider. Every method blocks, and may raise ProviderUnreachable, SandboxGone or another SandboxError."""

    name: str
    """The provider's name of it."""

    def put(self, name: str, data: bytes) -> None:
        """Write a file in the home folder of whom programs run as."""
        ...

    def start(self, command: str) -> None:
        """Start a program by a line for ``sh``, with a stdin, no limit on its time, and no more environment than the provider's."""
        ...

    def execute(self, command: str) -> str:
        """Run a line for ``sh`` to its end, beside that program and without a stdin; return its output.

        Raises:
            SandboxError: its exit code is not 0, or it takes longer than a minute.
        """
        ...

    def output(self) -> Iterator[tuple[str, str]]:
        """Return the program's output from now on, as it comes: ("out" or "err", text); last ("end", its exit code).

        Called again after a ProviderUnreachable: joins the same program again. A break without an "end" is a ProviderUnreachable.
        """
        ...

    def send(self, data: bytes) -> None:
        """Write to the program's stdin, all of it or nothing; asked again after a ProviderUnreachable, it may have been written before."""
        ...

    def renew(self, seconds: int) -> None:
        """Let it live for so long from now."""
        ...

    def pause(self) -> None:
        """Freeze it, with its programs; a CapabilityError if the provider cannot."""
        ...

    def resume(self, seconds: int) -> None:
        """Let it go on, for so long from now. Its programs are there; ``output`` is to be called again."""
        ...

    def network(self) -> str:
        """ "" if the provider says that this sandbox can open no connection; else its statement."""
        ...

    def kill(self, seconds: float) -> None:
        """End it, within so many seconds; harmless if it is gone."""
        ...


class Provider(Protocol):
    """A service that runs sandboxes."""

    name: str
    """As ``--sandbox`` says it."""
    title: str
    """Its name for a person."""
    environ: tuple[str, ...]
    """How the variables begin that its SDK reads: its key is among them."""

    def has_key(self) -> bool:
        """Return whether there is a key; nothing is imported to find out."""
        ...

    def create(self, order: SandboxSpec) -> Machine:
        """Make a sandbox.

        Raises:
            SetupError: the SDK is not installed, or there is no key, or a wrong one, or no such template.
            SandboxError: it cannot be made now.
        """
        ...

    def listed(self, labels: Mapping[str, str]) -> list[Listed]:
        """Return the sandboxes that have these labels, paused ones too; raises as ``create`` does."""
        ...

    def end(self, name: str) -> bool:
        """End a sandbox by its name; whether it was there. Raises as ``create`` does."""
        ...


PROVIDERS: Mapping[str, str] = {
    "blaxel": "smolcell.executors.cloud.blaxel:Blaxel",
    "e2b": "smolcell.executors.cloud.e2b:E2B",
    "modal": "smolcell.executors.cloud.modal:Modal",
}


def find_provider(name: str) -> Provider:
    """Return the provider of that name, which is in the table."""
    module, _, attribute = PROVIDERS[name].partition(":")
    make: Callable[[], Provider] = getattr(importlib.import_module(module), attribute)
    return make()


def labels(token: str) -> dict[str, str]:
    """Return the labels of a sandbox of this process: its owner, and its token."""
    return {**Owner.here().labels(), KIND: "sandbox", TOKEN: token, MADE: str(int(uptime()))}


def age(found: Mapping[str, str]) -> float | None:
    """Return seconds since this machine had the sandbox with these labels made, by its monotonic clock.

    None for a sandbox of another machine, or of another start of this one: neither its clock nor the provider's is this one's.
    """
    made = found.get(MADE, "")
    if not (Owner.of(found).is_of_this_start(Owner.here()) and made.isascii() and made.isdecimal() and len(made) < 12):
        return None
    return max(0.0, uptime() - int(made))


def without_secrets(text: Any, provider: Provider) -> str:
    """Return a text of an SDK, without the values of the variables that it reads: keys are among them."""
    found = str(text)
    for name, value in os.environ.items():
        if name.startswith(provider.environ) and len(value) >= 8 and "://" not in value:
            found = found.replace(value, f"[{name}]")
    return found


@contextmanager
def sdk_errors(
    provider: Provider, named: Callable[[Exception, str, str], Exception], template: str = ""
) -> Iterator[None]:
    """Raise the SDK's errors as smolcell's.

    Args:
        provider: whose SDK it is.
        named: makes an error of the SDK's, its text and ``template`` one of smolcell's.
        template: of the sandbox that is being made; "" if none is.
    """
    try:
        yield
    except SandboxError:
        raise
    except Exception as error:  # of the SDK and of its HTTP libraries
        raise named(error, visible(without_secrets(error, provider))[:500], template) from None


def rate_limited(provider: Provider, said: str, site: str) -> RateLimited:
    """Return the error of a provider that allows no more sandboxes or requests; ``site`` is where its limits are raised."""
    how = f"end what is left over (smolcell sandboxes --clean), wait a minute, or raise the limit at {site}"
    return RateLimited(f"{provider.title} allows no more sandboxes or requests now ({said}); {how}")
