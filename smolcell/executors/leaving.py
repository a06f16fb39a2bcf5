"""What the reaper does about a container when this process is gone: the program that removes it.

The rules this file exists to keep:

* The engine is found as this process found it, by the same variables.
* A container that is still being made is waited for, for a while.
"""

from __future__ import annotations

import os
import sys
import time

from smolcell.executors.reaper import reaper

KEPT = ("DOCKER_", "HOME", "PATH", "SSH_AUTH_SOCK", "XDG_CONFIG_HOME", "USERPROFILE", "LANG")
PROGRAM = "import sys; from smolcell.executors.leaving import main; main(sys.argv[1])"
BEING_MADE = 8.0  # seconds that the engine may take to make a container it was asked for
AGAIN = 0.3  # seconds


def register(name: str, address: str) -> None:
    """From now on the container of this name ends with this process.

    Args:
        name: the container's.
        address: the engine's.
    """
    environ = {key: value for key, value in os.environ.items() if key.startswith(KEPT)}
    if not address.startswith(("tcp://", "http")):  # with TLS the variables say more
        environ["DOCKER_HOST"] = address
    environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    reaper.register_command(name, [sys.executable, "-B", "-c", PROGRAM, name], environ)


def forget(name: str) -> None:
    """It is gone."""
    reaper.forget(name)


def main(name: str) -> None:
    """Remove a container, also one that the engine is just making; exits with 1 where the engine does not answer."""
    from smolcell.executors import containers
    from smolcell.executors.engine import Engine

    engine = Engine()
    end = time.monotonic() + BEING_MADE
    while (answer := containers.remove(engine, name, 10.0)) != containers.REMOVED and time.monotonic() < end:
        time.sleep(AGAIN)
    engine.close()
    sys.exit(answer not in containers.GONE)
