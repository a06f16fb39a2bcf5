"""The interface of a provider of sandboxes, and the errors it may raise.

* Only the provider's own module imports its SDK and reads its key.
* ``ProviderUnreachable``: the sandbox may still exist. ``SandboxGone``: it does not. ``RateLimited``: the request was not carried out.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from smolcell.core.text import visible
from smolcell.errors import SandboxDiedError, SandboxError
from smolcell.executors import find_executor
from smolcell.executors.registry import LABEL, SandboxOwner, uptime

TOKEN = LABEL + "token"
"""Label that identifies one sandbox; drawn before the sandbox is created, so that it can be found even if creation was interrupted."""
KIND = LABEL + "kind"
"""Label of all sandboxes of smolcell; its value is "sandbox"."""


MADE = LABEL + "made"
"""Label with the uptime of the creating machine at creation."""


class ProviderUnreachable(SandboxError):
    """The provider or the sandbox cannot be reached; both may exist. The request may or may not have been carried out."""


class RateLimited(ProviderUnreachable):
    """The provider accepts no more requests now: the request was not carried out, and may be repeated."""


class SandboxGone(SandboxDiedError):
    """The sandbox, or its program, has ended; the text says how, as far as the provider reports it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxSpec:
    """Specification of a sandbox.

    Attributes:
        template: the provider's name for its content; "" for the default.
        lifetime: seconds after which the provider ends it, unless the lease is renewed.
        internet: whether it may open connections.
        memory: megabytes, if the provider supports it.
        gpu: graphics card, as named by the provider; "" for none.
        labels: identify its owner; see ``labels``.
    """

    template: str = ""
    lifetime: int = 120
    internet: bool = False
    memory: int = 2048
    gpu: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderSandbox:
    """A sandbox in a provider's list.

    Attributes:
        name: its id at the provider.
        labels: given at creation; untrusted.
        template: what is in it.
        age: seconds since its start; None if unknown.
        left: seconds until the provider ends it; None if unknown, or if it never does (a paused one).
        renewable: whether that time can be extended.
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
    """A sandbox at a provider. Every method blocks, and may raise ProviderUnreachable, SandboxGone or another SandboxError."""

    name: str
    """The provider's name of it."""

    def put(self, name: str, data: bytes) -> None:
        """Write a file in the home folder of the user that programs run as."""

    def start(self, command: str) -> None:
        """Start a program by a command line for ``sh``, with a stdin, without time limit, in the provider's environment."""

    def execute(self, command: str) -> str:
        """Run a command line for ``sh`` to its end, beside that program and without stdin; returns its output.

        Raises:
            SandboxError: its exit code is not 0, or it takes longer than a minute.
        """

    def output(self) -> Iterator[tuple[str, str]]:
        """Yield the program's output from now on: ("out" or "err", text); last ("end", its exit code).

        After a ProviderUnreachable, call it again to reconnect to the same program. A stream that ends without "end" raises that error.
        """

    def send(self, data: bytes) -> None:
        """Write to the program's stdin, all or nothing. After a ProviderUnreachable the data may or may not have been written."""

    def renew(self, seconds: int) -> None:
        """Extend the lease to ``seconds`` from now."""

    def pause(self) -> None:
        """Pause it with its programs; raises CapabilityError if the provider cannot."""

    def resume(self, seconds: int) -> None:
        """Resume it with its programs, for ``seconds`` from now. Then call ``output`` again."""

    def network(self) -> str:
        """Return "" if the provider says that it blocks all connections; else its statement."""

    def kill(self, seconds: float) -> None:
        """End it within ``seconds``; does nothing if it has ended."""


class Provider(ABC):
    """A service that runs sandboxes."""

    name: str
    """Its name in ``--sandbox``."""
    title: str
    """Its name for a person."""
    environ: tuple[str, ...]
    """Prefixes of the variables that its SDK reads, including its key."""

    @abstractmethod
    def has_key(self) -> bool:
        """Return whether there is a key; imports nothing."""

    @abstractmethod
    def create(self, order: SandboxSpec) -> Machine:
        """Create a sandbox.

        Raises:
            SetupError: the SDK is not installed, the key is missing or wrong, or the template does not exist.
            SandboxError: it cannot be created now.
        """

    @abstractmethod
    def listed(self, labels: Mapping[str, str]) -> list[ProviderSandbox]:
        """List the sandboxes with these labels, including paused ones; raises as ``create`` does."""

    @abstractmethod
    def end(self, name: str) -> bool:
        """End a sandbox by its name; returns whether it existed. Raises as ``create`` does."""

    @abstractmethod
    def translate(self, error: Exception, message: str, template: str) -> Exception:
        """Return smolcell's error for one of the SDK, given with its text and the template of a sandbox that is being created."""

    @contextmanager
    def errors(self, template: str = "") -> Iterator[None]:
        """Convert the SDK's errors to smolcell's in a block; ``template`` is that of a sandbox that is being created."""
        try:
            yield
        except SandboxError:
            raise
        except Exception as error:  # of the SDK and of its HTTP libraries
            raise self.translate(error, visible(without_secrets(error, self))[:500], template) from None

    def limited(self, message: str, site: str) -> RateLimited:
        """Return the error for a provider that accepts no more sandboxes or requests; ``site`` is where its limits are raised."""
        how = f"end abandoned sandboxes (smolcell sandboxes --clean), wait a minute, or raise the limit at {site}"
        return RateLimited(f"{self.title} allows no more sandboxes or requests now ({message}); {how}")


def find_provider(name: str) -> Provider:
    """Return the provider of the sandbox with this name."""
    provider: Provider = find_executor(name).provider()
    return provider


def labels(token: str) -> dict[str, str]:
    """Return the labels of a new sandbox of this process: its owner and token."""
    return {**SandboxOwner.here().labels(), KIND: "sandbox", TOKEN: token, MADE: str(int(uptime()))}


def age(found: Mapping[str, str]) -> float | None:
    """Return how many seconds ago this machine created the sandbox with these labels, by its monotonic clock.

    None for sandboxes of another machine or boot, whose clocks are unrelated.
    """
    created = found.get(MADE, "")
    if not (
        SandboxOwner.of(found).is_of_this_start(SandboxOwner.here())
        and created.isascii()
        and created.isdecimal()
        and len(created) < 12
    ):
        return None
    return max(0.0, uptime() - int(created))


def without_secrets(text: Any, provider: Provider) -> str:
    """Replace the values of variables that an SDK reads in its text: they include keys."""
    clean = str(text)
    for name, value in os.environ.items():
        if name.startswith(provider.environ) and len(value) >= 8 and "://" not in value:
            clean = clean.replace(value, f"[{name}]")
    return clean
