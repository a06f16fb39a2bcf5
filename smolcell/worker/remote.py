"""The worker in a provider's sandbox, behind walls of its own: whatever the provider's are, these are measured.

The rules this file exists to keep:

* Packages are found as the sandbox's own Python finds them; of its disk the code sees those, and private folders.
* What it reports of its walls is what stands; which machine it is on, the host finds out by the machine's present start.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from . import carrier, contained, installation, supervisor

BOOT = "/proc/sys/kernel/random/boot_id"


class RemoteSupervisor(supervisor.Supervisor):
    """Serves a host that knows nothing of this machine's disk."""

    def _hello(self, options: dict[str, Any]) -> None:
        super()._hello({**options, **places(options)})

    def _described(self, capabilities: dict[str, Any]) -> dict[str, Any]:
        return super()._described({**capabilities, "boot": boot()})


def places(options: dict[str, Any]) -> dict[str, Any]:
    """Where the code works, what it may read, and what it may write besides.

    Args:
        options: of the host's hello: "without" names walls to leave out.
    """
    jail = {
        "read": installation.readable(),
        "write": [os.environ["XDG_CACHE_HOME"]],
        "without": options.get("without", ()),
    }
    return {"work": os.environ["HOME"], "jail": jail}


def boot() -> str:
    """This machine's present start; "" where it does not say."""
    try:
        with open(BOOT, encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return ""


def main() -> None:
    """Serve the host over the text streams 0 and 1 until they end; never returns."""
    contained.find_packages()
    contained.lend_font_list(os.environ["MPLCONFIGDIR"])
    sys.argv = [""]
    carrier.main(lambda: supervisor.main(RemoteSupervisor))
