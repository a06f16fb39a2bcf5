"""Resource limits of a runner, kept by the kernel.

The rules this file exists to keep:

* They are set before any code of the agent runs, hard and soft, and cannot be raised again.
* The number of processes counts for a user: where the runner shares its user with others, their number is added.
"""

from __future__ import annotations

import os
from typing import Any

PROCESSES = 256  # processes and threads together
DESCRIPTORS = 256
DISK = 1024  # MB a file may grow to, and the work folder may hold


def together(memory: int) -> int:
    """MB that all processes of the code may take together, where one may take ``memory``.

    More than one process may have, so that a single one meets its own limit first and can go on.
    """
    return int(1.5 * memory) + 256


def limits(options: dict[str, Any], others: int | None = None) -> dict[str, int]:
    """Limits by their names in ``resource``.

    Args:
        options: "memory" and "disk" in MB, as in the host's hello.
        others: threads of others that count against the same limit; None leaves the number of processes alone.
    """
    wanted = {
        "RLIMIT_CORE": 0,
        "RLIMIT_NOFILE": DESCRIPTORS,
        "RLIMIT_FSIZE": int(options.get("disk", DISK)) << 20,
        "RLIMIT_MEMLOCK": 1 << 20,
        "RLIMIT_MSGQUEUE": 0,
    }
    if options.get("memory"):
        wanted["RLIMIT_DATA"] = int(options["memory"]) << 20
    if others is not None:
        wanted["RLIMIT_NPROC"] = PROCESSES + others
    return wanted


def apply(wanted: dict[str, int]) -> None:
    """Set each limit as far as this system has it; a lower one that stands already is kept."""
    try:
        import resource
    except ImportError:
        return
    for name, value in wanted.items():
        number = getattr(resource, name, None)
        try:
            if number is not None:
                hard = resource.getrlimit(number)[1]
                value = value if hard == resource.RLIM_INFINITY else min(value, hard)
                resource.setrlimit(number, (value, value))
        except (OSError, ValueError):
            pass


def threads_of(user: int) -> int:
    """How many threads a user has now, as far as /proc shows them."""
    count = 0
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == user:
                with open(f"/proc/{name}/stat", "rb") as file:
                    count += int(file.read().rsplit(b")", 1)[1].split()[17])
        except (OSError, IndexError, ValueError):
            pass  # gone meanwhile
    return count
