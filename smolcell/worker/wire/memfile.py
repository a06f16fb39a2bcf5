"""Memory files: hand large values from the host to a worker on the same machine without copying them through a socket.

* A file is mapped privately: writing to a value does not change it in other processes.
* Only from the host to a worker: bytes from a worker are copied and checked.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Sequence
from typing import Any

from .frames import SINGLE, FrameError

MIN_BYTES = 1 << 20  # bytes below which copying is cheaper
ALIGN = 64


def available() -> bool:
    """Return whether this system has memory files."""
    return hasattr(os, "memfd_create")


def fill(blobs: Sequence[Any]) -> tuple[int, list[int]]:
    """Create a memory file that holds the blobs; returns its descriptor, which the caller closes, and their sizes."""
    descriptor = os.memfd_create("smolcell", os.MFD_CLOEXEC)
    sizes = []
    try:
        for blob in blobs:
            parts = [blob] if isinstance(blob, SINGLE) else blob
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
    """Map the blobs of a memory file privately; closes the descriptor.

    Raises:
        MemoryError: it does not fit into the memory.
        FrameError: the file is not as long as the sizes say.
    """
    try:
        total = sum(size + -size % ALIGN for size in sizes)
        if total != os.fstat(descriptor).st_size or min(sizes) < 0:
            raise FrameError("a memory file's size differs from the announced sizes")
        whole = memoryview(mmap.mmap(descriptor, total, flags=mmap.MAP_PRIVATE))
    except OSError as error:
        raise MemoryError from error
    finally:
        os.close(descriptor)
    parts, at = [], 0
    for size in sizes:
        parts.append(whole[at : at + size])
        at += size + -size % ALIGN
    return parts
