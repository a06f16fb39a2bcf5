"""What no limit of the kernel counts by itself: the memory of all processes together, and the disk they fill, with names or without.

The rules this file exists to keep:

* Looking costs at most a twentieth of the time, however many processes and files there are.
* A step that ends within a look's distance is looked at as it ends: short steps cannot add up to what a long one may not.
* Memory that processes share is counted once before anybody is ended for it.
"""

from __future__ import annotations

import os
import time
from typing import Any

from . import cgroups, folders, process
from .limits import DISK, together

EVERY = 0.25  # seconds between two looks
SHARE = 20  # looking takes at most one part in so many
FILES = 20_000  # that the code's folders may hold


class Watch:
    """Looks after the processes below this one, and after the folders the code may write to.

    Args:
        options: as in the host's hello: "memory" and "disk" in MB.
        written: the folders.
    """

    def __init__(self, options: dict[str, Any], written: tuple[str, ...]) -> None:
        self._memory = together(options["memory"]) if options.get("memory") else 0
        self._group = options.get("jail", {}).get("groups", {}).get("memory", "")
        self._ended = 0
        self._disk = 2 * int(options.get("disk", DISK))  # as much again may have been handed in
        self._written = written
        self._next = 0.0  # of the looks while a step runs
        self._rested = time.monotonic() + EVERY  # before, another look at the disk would cost too much

    def look(self) -> tuple[str, str]:
        """The kind of limit that is reached (an exception's name) and what to say; two empty texts while none is."""
        start = time.monotonic()
        if start < self._next:
            return "", ""
        found = self._look()
        now = time.monotonic()
        self._next = now + max(EVERY, SHARE * (now - start))
        return found

    def start(self) -> None:
        """A step begins: the first look is due after a while."""
        self._next = max(self._next, time.monotonic() + EVERY)

    def finish(self) -> tuple[str, str]:
        """A step ends: the same as ``look``, of the disk alone."""
        start = time.monotonic()
        if start < self._rested:
            return "", ""
        found = self._look_at_disk()
        now = time.monotonic()
        self._rested = now + SHARE * (now - start)
        return found

    def clear(self) -> None:
        """Empty the folders, once nothing uses them any more: a full one would end every later step."""
        for folder in self._written:
            try:
                folders.empty(folder)
            except OSError:
                pass  # the next look says so again

    def look_back(self) -> tuple[str, str]:
        """The same, once a runner has ended: whether the kernel ended a process of its group for its memory."""
        before, self._ended = self._ended, cgroups.ended_for_memory(self._group) if self._group else 0
        if self._ended <= before:
            return "", ""
        text = f"memory ran out; the step's processes may take {self._memory:,} MB together, where the machine has it"
        return "MemoryError", text

    def _look(self) -> tuple[str, str]:
        if self._memory and process.memory_below(self._memory << 20) > self._memory << 20:
            return "MemoryError", f"the step's processes together took more than {self._memory:,} MB of memory"
        return self._look_at_disk()

    def _look_at_disk(self) -> tuple[str, str]:
        total = count = 0
        devices: set[int] = set()
        for folder in self._written:
            try:
                size, entries = folders.usage(folder, FILES)
                devices.add(os.stat(folder).st_dev)
            except OSError:
                continue
            total, count = total + size, count + entries
        total += process.nameless_below(devices)
        if total > self._disk << 20:
            return "OSError", f"the code's folder holds more than {self._disk:,} MB"
        if count >= FILES:
            return (
                "OSError",
                f"the code's folder holds more than {FILES:,} files, or folders that cannot be looked into",
            )
        return "", ""
