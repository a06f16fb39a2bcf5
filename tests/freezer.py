"""Pausing a container, on a machine that is busy."""

from __future__ import annotations

import time

from docker.errors import APIError

from smolcell.executors.docker.engine import DockerEngine


def pause(engine: DockerEngine, name: str) -> None:
    """Pause a container. Where its processes are busy and the machine is, too, runc may give up freezing them: tried for a minute."""
    end = time.monotonic() + 60
    while True:
        try:
            engine.client.api.pause(name)
            return
        except APIError as error:
            if "unable to freeze" not in str(error) or time.monotonic() > end:
                raise
            time.sleep(0.2)
