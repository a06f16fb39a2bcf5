"""A stand-in for Modal on this machine: its control plane and its command router, as the unmodified SDK speaks to them.

Source: the SDK ``modal`` 1.6.4, and the protocol buffers that come with it.
"""

from __future__ import annotations

from stand_in import Service

KEY, SECRET = "ak-" + "7" * 22, "as-" + "7" * 22
"""The token that the stand-in takes."""


class ModalService(Service):
    """A running stand-in."""

    package, key, prefix, place = "modal_service", KEY, "MODAL_", "MODAL_SERVER_URL"
    create, start, send, listen = "SandboxCreateV2", "TaskExecStart", "TaskExecStdinWrite", "TaskExecStdioRead"
    busy = "RESOURCE_EXHAUSTED"

    @property
    def environ(self) -> dict[str, str]:
        """What points the SDK to it."""
        return {
            "MODAL_SERVER_URL": self.address,
            "MODAL_TOKEN_ID": KEY,
            "MODAL_TOKEN_SECRET": SECRET,
            "MODAL_CONFIG_PATH": "/dev/null/none",
        }
