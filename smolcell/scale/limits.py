"""Limits shared by all jobs of a user on this machine: sandboxes at a time, and requests at a time per model.

A slot is a file that is locked while it is used, so that a killed process frees its slots.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import random
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from smolcell.events import Delta, Replied
from smolcell.machine.state import hold, journals_folder, private_folder, replace_file
from smolcell.models.capabilities import traits
from smolcell.models.errors import on_busy
from smolcell.protocols import Message, Model

POLL_SECONDS = 0.05  # seconds between checks for a free slot, with jitter of ±50 %
MAX_REQUESTS = 64  # requests at a time for one model
_PAUSE_SECONDS = 1.0  # seconds without new requests after a server was busy, if it gave no time


def default_per_host() -> int:
    """Return the number of sandboxes at a time on this machine, by its processors and memory: see docs/many-runs.md."""
    try:
        gigabytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    except (ValueError, OSError, AttributeError):
        gigabytes = 4.0
    return max(2, min(8 * (os.cpu_count() or 1), int(gigabytes * 4)))


def state_folder(*names: str) -> Path:
    """Return a private folder of this user, beside the journals."""
    folder = journals_folder().parent
    for name in names:
        folder = private_folder(folder / name)
    return folder


class Slots:
    """A semaphore between processes.

    Args:
        folder: holds a file for each slot.
        most: returns the number of slots.
    """

    def __init__(self, folder: Path, most: Callable[[], int]) -> None:
        self._folder, self._most = folder, most

    def take(self) -> int | None:
        """Take a free slot, if there is one. Returns an open file; ``os.close`` frees the slot."""
        most = self._most()
        first = random.randrange(most)  # noqa: S311 - nothing secret
        for number in (*range(first, most), *range(first)):
            slot = os.open(self._folder / f"slot-{number}", os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
            if hold(slot) is not False:
                return slot
            os.close(slot)
        return None

    @contextmanager
    def one(self, stopped: Callable[[], bool] = lambda: False) -> Iterator[bool]:
        """Hold a slot, after waiting for it. Yields False instead if ``stopped()`` becomes true while waiting."""
        while (slot := self.take()) is None and not stopped():
            time.sleep(_soon())
        try:
            yield slot is not None
        finally:
            if slot is not None:
                os.close(slot)


def _soon() -> float:
    return POLL_SECONDS * random.uniform(0.5, 1.5)  # noqa: S311 - nothing secret


def sandboxes(per_host: int) -> Slots:
    """Return the slots for sandboxes of this user on this machine."""
    return Slots(state_folder("slots", "sandboxes"), lambda: per_host)


class LimitedModel:
    """Passes another model's replies on, with a limit on requests at a time for all jobs of this user.

    The limit is halved when the server is busy, and grows by one after as many replies as it allows at a time. It is stored in a file,
    so that all processes share it.

    Args:
        inner: the model that answers.
        most: highest limit.
    """

    def __init__(self, inner: Model, most: int = MAX_REQUESTS) -> None:
        self.inner, self.name, self.most = inner, inner.name, most
        key = f"{inner.name} {traits(inner).server or ''}"
        folder = state_folder("slots", f"model-{hashlib.sha256(key.encode()).hexdigest()[:16]}")
        self._file, self._lock = folder / "limit.json", threading.Lock()
        self._slots = Slots(folder, lambda: max(1, int(self._read()[0])))

    def __getattr__(self, name: str) -> Any:  # abilities are those of the inner model
        return getattr(self.inner, name)

    def _read(self) -> tuple[float, float]:
        """Return the limit, and until when nothing is requested (seconds since 1970)."""
        try:
            data = json.loads(self._file.read_bytes())
            return min(float(self.most), max(1.0, float(data["limit"]))), float(data["until"])
        except (OSError, ValueError, KeyError, TypeError):
            return float(self.most), 0.0

    def _write(self, limit: float, until: float) -> None:
        with suppress(OSError):
            replace_file(self._file, json.dumps({"limit": limit, "until": until}))

    def busy(self, after: float | None) -> None:
        """Halve the limit and pause: the server is busy."""
        with self._lock:
            limit, until = self._read()
            now = time.time()
            if until < now:  # further answers of the same kind are expected
                limit = max(1.0, limit / 2)
            self._write(limit, max(until, now + min(after or _PAUSE_SECONDS, 60.0)))

    def _well(self) -> None:
        with self._lock:
            limit, until = self._read()
            if limit < self.most:
                self._write(limit + 1 / limit, until)

    async def reply(
        self, messages: Sequence[Message], tools: Sequence[Any] = (), **options: Any
    ) -> AsyncIterator[Delta | Replied]:
        """Stream the inner model's reply, when there is a slot for it."""
        if not traits(self.inner).sends:  # a recording has no server
            async for item in self.inner.reply(messages, tools, **options):
                yield item
            return
        while (  # noqa: ASYNC110 - it is another process that gives a slot back
            wait := self._read()[1] - time.time()
        ) > 0 or (slot := self._slots.take()) is None:
            await asyncio.sleep(min(max(wait, _soon()), 1.0))
        token = on_busy.set(self.busy)
        items = self.inner.reply(messages, tools, **options)
        try:
            async for item in items:
                yield item
            self._well()
        finally:
            os.close(slot)
            with suppress(ValueError):  # closed from another context
                on_busy.reset(token)
            if isinstance(items, AsyncGenerator):
                await items.aclose()
