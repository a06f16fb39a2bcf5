"""What of the disk the code can see: one list, from which the mount namespace and Landlock are both made.

The rules this file exists to keep:

* What is not on the list is not there: no home, no keys, no sockets, no other sandbox.
* Of the system only what programs and libraries are read from; of /etc only what libraries need to find each other, the
  time zone and fonts.
* Only the private folders can be written.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
SETTINGS = (
    "ld.so.cache ld.so.conf ld.so.conf.d ld-musl-x86_64.path ld-musl-aarch64.path alternatives localtime timezone "
    "fonts mime.types os-release protocols services"
).split()
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
MACHINE = ("/sys/devices/system/cpu", "/sys/devices/system/node")
FACTS = ("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/loadavg", "/proc/uptime", "/proc/version")


class View(NamedTuple):
    """The disk as the code may see it; absolute paths."""

    read: tuple[str, ...]
    write: tuple[str, ...]
    work: str


def view(options: dict[str, Any]) -> View:
    """The list for these options.

    Args:
        options: "work", the folder the code works in; in "jail": "read", what the host's Python environment is read
            from, and "write", private folders beside the work folder.
    """
    jail = options["jail"]
    own = os.path.dirname(os.__file__)
    wanted = [*SYSTEM, *(f"/etc/{name}" for name in SETTINGS), *MACHINE, own, os.path.realpath(own), *jail["read"]]
    found = tuple(path for path in dict.fromkeys(map(os.path.abspath, wanted)) if os.path.exists(path))
    return View(found, (options["work"], *jail["write"]), options["work"])


def outermost(paths: tuple[str, ...]) -> list[str]:
    """The paths that are not beneath another one of them, in order."""
    found: list[str] = []
    for path in sorted(paths, key=lambda path: path.split("/")):
        if not found or not (path + "/").startswith(found[-1].rstrip("/") + "/"):
            found.append(path)
    return found
