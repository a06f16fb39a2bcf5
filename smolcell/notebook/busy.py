"""What a shell still does while its cell waits: answer the page, put everything else off, say that it is busy.

Served at once, on the waiting thread: comm messages (widgets live on them), `kernel_info` and `comm_info` (a reloaded
page gives up on its widgets without them). Deferred, in order, to the end of the cell: everything else, first of all
the cells that the person has queued.
"""

from __future__ import annotations

import inspect
import logging
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from smolcell.notebook.channel import SERVED, Channel
from smolcell.notebook.signals import HeldSignals

__all__ = ["BusyShell"]

log = logging.getLogger("smolcell")

# Messages on the control channel publish "idle"; hubs and their cullers believe the last status they saw.
BEAT = 2.0


class BusyShell:
    """One shell during a wait, and during the waits nested in it.

    Every method runs on that shell's thread, and with signals held: a message is taken as a whole or not at all.
    """

    def __init__(self, kernel: Any, channel: Channel) -> None:
        self._kernel = kernel
        self._channel = channel
        self._deferred: list[list[Any]] = []
        self._next_beat = 0.0
        self.depth = 0

    def __enter__(self) -> BusyShell:
        self.depth += 1
        return self

    def __exit__(self, *_: object) -> None:
        self.depth -= 1
        if self.depth:
            return  # the outer wait gives back; what it deferred is older
        try:
            self._channel.give_back(self._deferred)
        except Exception:
            log.exception("Requests that came in during the wait could not be given back to the kernel")

    @property
    def socket(self) -> Any:
        """The ZeroMQ socket to sleep on."""
        return self._channel.socket

    def serve(self, signals: HeldSignals) -> bool:
        """Take at most one message, and answer or defer it. True if there was one."""
        frames = self._channel.receive()
        if frames is None:
            return False
        if _type_of(self._kernel.session, frames) in SERVED:
            self._answer(frames, signals)
            self._next_beat = 0.0  # the answer's "idle" must not be the last word
        else:
            self._deferred.append(frames)
        return True

    def beat(self) -> float:
        """Publish "busy" when it is due again; return the seconds until the next time."""
        now = time.monotonic()
        if now >= self._next_beat:
            self._kernel._publish_status("busy", "shell")
            self._next_beat = now + BEAT
        return self._next_beat - now

    def _answer(self, frames: list[Any], signals: HeldSignals) -> None:
        """Do with one message what ipykernel's `dispatch_shell` does. That one would lose the cell's signal handler."""
        kernel = self._kernel
        idents, parts = kernel.session.feed_identities(frames, copy=False)
        try:
            message = kernel.session.deserialize(parts, content=True, copy=False)
        except Exception:
            kernel.log.warning("smolcell dropped a message that is not signed as it should be", exc_info=True)
            return
        with _parent(kernel, idents, message), _no_cell_events(kernel):
            kernel._publish_status("busy", "shell")
            try:
                self._handle(idents, message, signals)
            finally:
                _flush_output()
                kernel._publish_status("idle", "shell")

    def _handle(self, idents: Any, message: Any, signals: HeldSignals) -> None:
        """Call the handler: a function, or a coroutine that never suspends (the loop that would resume it stands)."""
        msg_type = message["header"]["msg_type"]
        with signals.let():
            try:
                result = self._kernel.shell_handlers[msg_type](self._channel.reply, idents, message)
                if inspect.iscoroutine(result) and not _finished(result):
                    log.error("The kernel's answer to %s needs its event loop; it was given up", msg_type)
            except Exception:
                log.exception("The kernel could not answer %s", msg_type)


def _finished(coroutine: Any) -> bool:
    try:
        coroutine.send(None)
    except StopIteration:
        return True
    coroutine.close()
    return False


def _type_of(session: Any, frames: list[Any]) -> str | None:
    """The message type, unchecked: `deserialize` notes the signature, and would refuse the message later on."""
    try:
        _, parts = session.feed_identities(frames, copy=False)
        msg_type = session.unpack(bytes(parts[1].bytes))["msg_type"]
    except Exception:
        return None  # ipykernel sends itself frames that are no messages ("stop aborting"); anybody may send rubbish
    return msg_type if isinstance(msg_type, str) else None


@contextmanager
def _parent(kernel: Any, idents: Any, message: Any) -> Iterator[None]:
    """Attribute what is sent to `message`; afterwards again to the cell, or the page would lose its later output."""
    before = kernel._parent_ident["shell"], kernel.get_parent("shell")
    _flush_output()
    kernel.set_parent(idents, message, channel="shell")
    try:
        yield
    finally:
        kernel.set_parent(*before, channel="shell")


@contextmanager
def _no_cell_events(kernel: Any) -> Iterator[None]:
    """Keep `pre_execute` and `post_execute` from being triggered.

    `comm` triggers them for each message. Matplotlib answers `post_execute` by showing and closing all figures: those
    of the cell that waits would be shown under the click instead of the cell, which is to say nowhere.
    """
    events = getattr(getattr(kernel, "shell", None), "events", None)
    if events is None:
        yield
        return
    before = events.trigger

    def trigger(event: str, *args: Any, **kwargs: Any) -> None:
        if event not in ("pre_execute", "post_execute"):
            before(event, *args, **kwargs)

    hidden = vars(events).get("trigger")
    events.trigger = trigger
    try:
        yield
    finally:
        if hidden is None:
            del events.trigger
        else:
            events.trigger = hidden


def _flush_output() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
