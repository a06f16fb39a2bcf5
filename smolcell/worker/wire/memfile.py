"""Memory files: large values handed from the host to a worker on the same machine without a copy through a socket.

* A file is mapped privately: writing to a value changes no other process's.
* Never from a worker to the host: what comes back is read as bytes and checked.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Sequence
from typing import Any

from .frames import WireError

LEAST = 1 << 20  # bytes below which copying is cheaper
ALIGN = 64


def available() -> bool:
    """Return whether this system has memory files."""
    return hasattr(os, "memfd_create")


def fill(blobs: Sequence[Any]) -> tuple[int, list[int]]:
    """Return a memory file that holds the blobs, and their sizes; the caller closes the descriptor."""
    descriptor = os.memfd_create("smolcell", os.MFD_CLOEXEC)
    sizes = []
    try:
        for blob in blobs:
            parts = [blob] if isinstance(blob, (bytes, bytearray, memoryview)) else blob
            size = sum(_write(descriptor, memoryview(part).cast("B")) for part in parts)
            _write(descriptor, memoryview(bytes(-size % ALIGN)))
            sizes.append(size)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor, sizes


def _write(descriptor: int, view: memoryview) -> int:
    at = 0
    while at < len(view):
        at += os.write(descriptor, view[at:])
    return len(view)


def read(descriptor: int, sizes: Sequence[int]) -> list[Any]:
    """Return the blobs of a memory file, mapped privately; closes the descriptor.

    Raises:
        WireError: the file is not as long as the sizes say.
    """
    try:
        total = sum(size + -size % ALIGN for size in sizes)
        if total != os.fstat(descriptor).st_size or min(sizes) < 0:
            raise WireError("a memory file's size is not what was announced")
        whole = memoryview(mmap.mmap(descriptor, total, flags=mmap.MAP_PRIVATE))
    finally:
        os.close(descriptor)
    found, at = [], 0
    for size in sizes:
        found.append(whole[at : at + size])
        at += size + -size % ALIGN
    return found
