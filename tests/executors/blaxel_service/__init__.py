"""A stand-in for Blaxel on this machine: its control API and the API in its sandboxes, as the SDK speaks to them.

The SDK knows one address of the service and takes no other from outside, so ``point`` sets it in each process that asks, as it does
smolcell's own: the rest of the SDK is as it is.

Source: the SDK ``blaxel`` 0.4.24 (Python), its generated client and its models.
"""

from __future__ import annotations

import os
from typing import Any

from stand_in import HERE, Service

from smolcell.executors.cloud import blaxel as ours

KEY = "bl_" + "7" * 40
"""The key that the stand-in takes."""
PLACE = "BL_STAND_IN"
ADDRESS = ours.address


def point_listing() -> None:
    """Have smolcell's own requests of this process go to the stand-in."""
    ours.address = lambda: f"{os.environ[PLACE]}/v0"


def point() -> None:
    """Have this process speak to the stand-in, its SDK too, with this environment's key."""
    point_listing()
    from blaxel.core.authentication import auth
    from blaxel.core.client import client
    from blaxel.core.common.settings import settings

    settings.auth = auth(settings.env, settings.base_url)
    settings._headers = None
    client.with_base_url(f"{os.environ[PLACE]}/v0")
    client.with_auth(settings.auth)
    if client._client is not None:
        client._client.close()
    client._client = None


class BlaxelService(Service):
    """A running stand-in."""

    package, key, prefix, place = "blaxel_service", KEY, "BL_", PLACE
    create, start = "/v0/sandboxes", "/run/*/process"
    send, listen = "/run/*/stdin", "/run/*/logs/stream"

    @property
    def environ(self) -> dict[str, str]:
        """What points the SDK to it."""
        words = {"BL_API_KEY": KEY, "BL_WORKSPACE": "stand-in", "BL_REGION": "here", "DO_NOT_TRACK": "1"}
        return {PLACE: self.address, **words}

    def point(self, patch: Any) -> None:
        """See ``Service.point``."""
        super().point(patch)
        patch.syspath_prepend(HERE / "blaxel_service" / "everywhere")
        point()

    def point_again(self) -> None:
        """See ``Service.point_again``."""
        point()

    def leave(self) -> None:
        """Close what the SDK has open, and let smolcell find the service again."""
        ours.address = ADDRESS
        from blaxel.core.client import client

        if client._client is not None:
            client._client.close()
        client._client = None
