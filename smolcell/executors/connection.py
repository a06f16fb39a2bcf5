"""The way to a worker, and the threads that serve it.

* Reading and writing happen on threads of their own: a slow event loop never blocks the worker, a stuck worker never
  blocks the event loop.
* Whatever the far side sends ends in a checked frame or in one call of ``on_end`` with a named fault.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Sequence
from typing import Protocol

from smolcell.events import Fault
from smolcell.worker.wire import frames, memfile


class Channel(Protocol):
    """Bytes to and from one worker, however it was started."""

    shares: bool
    """Whether descriptors can go along: the worker is on this machine."""

    def send(self, buffers: Sequence[frames.Buffer], descriptor: int | None = None) -> None:
        """Write all of it, with a descriptor if the channel shares; blocks; raises OSError when the worker is gone."""
        ...

    def receive(self) -> bytes:
        """Read some bytes; blocks; b"" when the worker is gone."""
        ...

    def kill(self) -> None:
        """End the worker and everything it started, within two seconds; from any thread; idempotent."""
        ...

    def epitaph(self) -> str:
        """How the worker ended, in words; "" if unknown."""
        ...


class Connection:
    """Frames to and from one worker.

    Args:
        channel: the bytes.
        on_frame: told each checked frame, on the reading thread.
        on_end: told once why the connection is over, on the reading thread.
        max_bytes: the most one frame of the worker may hold.
    """

    def __init__(
        self,
        channel: Channel,
        on_frame: Callable[[frames.Frame], None],
        on_end: Callable[[Fault], None],
        max_bytes: int,
    ) -> None:
        self.channel = channel
        self._on_frame, self._on_end = on_frame, on_end
        self._decoder = frames.Decoder(frames.FROM_WORKER, max_bytes)
        self._outbox: queue.SimpleQueue[tuple[list[frames.Buffer], int | None] | None] = queue.SimpleQueue()
        self._fault: Fault | None = None
        self.over = False
        self._threads = [
            threading.Thread(target=target, name="smolcell-wire", daemon=True) for target in (self._read, self._write)
        ]
        for thread in self._threads:
            thread.start()

    def send(self, kind: str, blobs: Sequence[frames.Blob] = (), **fields: object) -> None:
        """Queue a frame; raises wire.WireError when it is beyond the wire's bounds."""
        self._outbox.put((frames.encode(frames.Frame(kind, fields, tuple(blobs)), frames.TO_WORKER), None))

    def send_values(self, blobs: Sequence[frames.Blob], number: int, timeout: float) -> None:
        """Queue values; large ones go in a memory file, if the worker can map it."""
        if not (self.channel.shares and frames.size(blobs) >= memfile.LEAST):
            self.send("vars", blobs, id=number, shared=[], timeout=timeout)
            return
        descriptor, sizes = memfile.fill(blobs)
        frame = frames.Frame("vars", {"id": number, "shared": sizes, "timeout": timeout})
        self._outbox.put((frames.encode(frame, frames.TO_WORKER), descriptor))

    def fail(self, fault: Fault) -> None:
        """End the worker for this reason."""
        self._fault = self._fault or fault
        self.channel.kill()

    def close(self) -> None:
        """End the worker; waits for the threads."""
        self.fail(Fault(kind="sandbox", type="SandboxDied", message="the sandbox was closed"))
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(1.0)

    def _read(self) -> None:
        try:
            while data := self.channel.receive():
                for frame in self._decoder.feed(data):
                    self._on_frame(frame)
        except frames.WireError as error:
            text = f"the sandbox sent an invalid frame and was stopped: {error}"
            self._fault = self._fault or Fault(kind="sandbox", type="WireError", message=text)
        except OSError:
            pass  # gone; the epitaph says how
        finally:
            self.channel.kill()
            self._outbox.put(None)
            how = self.channel.epitaph() or "reason unknown"
            died = Fault(kind="sandbox", type="SandboxDied", message=f"the sandbox ended unexpectedly: {how}")
            self.over = True
            self._on_end(self._fault or died)

    def _write(self) -> None:
        gone = False
        while (item := self._outbox.get()) is not None:
            buffers, descriptor = item
            try:
                if not gone:
                    self.channel.send(buffers, descriptor)
            except OSError:
                gone = True  # the reading thread finds out too, and tells
            finally:
                if descriptor is not None:
                    os.close(descriptor)
