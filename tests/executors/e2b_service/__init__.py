"""A stand-in for E2B on this machine: its control API and the daemon of its sandboxes ("envd"), as the unmodified SDK speaks to them.

Sources: the SDK ``e2b`` 2.63 (Python), and ``packages/envd`` and ``packages/api`` of the repository ``e2b-dev/infra``.
"""

from __future__ import annotations

from stand_in import Service

KEY = "e2b_" + "5" * 40
"""The key that the stand-in takes."""


class E2BService(Service):
    """A running stand-in."""

    package, key, prefix, place = "e2b_service", KEY, "E2B_", "E2B_API_URL"
    create, start = "/v2/sandboxes", "/process.Process/Start"
    send, listen = "/process.Process/SendInput", "/process.Process/Connect"

    @property
    def environ(self) -> dict[str, str]:
        """What points the SDK to it."""
        return {"E2B_API_URL": self.address, "E2B_SANDBOX_URL": self.address, "E2B_API_KEY": KEY}

    def keep_ends(self, seconds: float) -> None:
        """Let the end of a program be kept for so long, until ``forgive``."""
        self._ask("keep_ends", seconds=seconds)

    def keepalives(self) -> list[float]:
        """The intervals of the keepalives that were sent, in seconds, one each."""
        found: list[float] = self._ask("keepalives")
        return found
