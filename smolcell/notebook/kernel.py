"""The only module that uses ipykernel's private parts: the place where the messages of the calling thread's shell come in and go
out.

While a cell runs, its thread does not turn the kernel's event loop, so messages for this shell pile up in a socket that
**belongs to this very thread**. No other thread may read that socket, and this thread may, without any hook, lock or second
thread:

- ipykernel 6 (and 7 embedded without a shell-channel thread): the ROUTER socket of `kernel.shell_stream`;
- ipykernel 7: the receiving end of the in-process pair through which the shell-channel thread passes the main shell's
  messages (`SubshellManager.get_shell_channel_to_subshell_pair(None)`; ipykernel's own GUI loops look at the same one),
  and for a cell that runs in a subshell that subshell's pair. Replies go back through the opposite pair, which is also
  this thread's.

`why_not` checks every private name that is used, before the first use.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

OLDEST, NEWEST = (6, 29), (7,)
NAMES = ("session", "shell_stream", "shell_handlers", "iopub_socket", "io_loop", "log")
METHODS = ("get_parent", "set_parent", "_publish_status")
STREAM_NAMES = ("socket", "on_recv", "closed", "_recv_callback", "_recv_copy", "_run_callback")
SERVED = frozenset({"comm_open", "comm_msg", "comm_close", "kernel_info_request", "comm_info_request"})


@dataclass(frozen=True)
class Channel:
    """One shell's ends of the wire; use them on that shell's thread only."""

    stream: Any
    """The `ZMQStream` that feeds the kernel's event loop."""
    reply: Any
    """The ZeroMQ socket that takes replies."""

    @property
    def socket(self) -> Any:
        """The ZeroMQ socket that requests come from."""
        return self.stream.socket

    def receive(self) -> list[Any] | None:
        """The next message as ZeroMQ frames, or None. Never blocks."""
        import zmq

        if not self.socket.poll(0):
            return None
        frames: list[Any] = self.socket.recv_multipart(zmq.NOBLOCK, copy=False)
        return frames

    def give_back(self, messages: list[list[Any]]) -> None:
        """Hand messages to the kernel as if they came now, in order, ahead of those still in the socket.

        The latter are left there: the same cell may wait again, and has to hear them.
        """
        for frames in messages:
            self.stream._run_callback(self.stream._recv_callback, frames)
        if not self.stream.closed():
            # The socket's descriptor reports only changes, and we have seen some of them in the stream's place. Being
            # given its callback again, it looks for itself when the loop turns next.
            self.stream.on_recv(self.stream._recv_callback, copy=self.stream._recv_copy)


def channel_of_this_thread(kernel: Any) -> Channel | None:
    """The channel of the shell that runs on this thread, or None: an ordinary thread has none."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return None
    thread = getattr(kernel, "shell_channel_thread", None)
    if thread is None:
        return Channel(kernel.shell_stream, kernel.shell_stream.socket) if loop is kernel.io_loop.asyncio_loop else None
    try:
        subshell = thread.manager.subshell_id_from_thread_id(threading.get_ident())
    except RuntimeError:
        return None
    pair = thread.manager.get_shell_channel_to_subshell_pair(subshell)
    return Channel(pair.to_stream, thread.manager.get_subshell_to_shell_channel_socket(subshell))


def why_not(kernel: Any) -> str | None:
    """The version guard and self-test: None if a waiting cell can serve its page in this kernel, else the reason in one
    line."""
    if kernel is None:
        return "there is no Jupyter kernel here"
    ipykernel = sys.modules.get("ipykernel")
    if ipykernel is None:
        return f"{type(kernel).__name__} is not ipykernel's"
    version = tuple(ipykernel.version_info[:2])
    if version < OLDEST or version[:1] > NEWEST:
        return f"ipykernel {ipykernel.__version__} is outside of the versions this was tried with (6.29 to 7.x)"
    try:
        return _missing(kernel)
    except Exception as error:
        return f"ipykernel {ipykernel.__version__} is built differently: {type(error).__name__}: {error}"


def _missing(kernel: Any) -> str | None:
    """The private parts that are not as expected, or None."""
    if getattr(kernel, "shell_stream", None) is None or kernel.session is None:
        return f"{type(kernel).__name__} has no shell channel"
    lacking = [name for name in NAMES + METHODS if not hasattr(kernel, name)]
    lacking += sorted(SERVED - set(kernel.shell_handlers))
    if lacking:  # `io_loop` comes when the kernel starts: an extension that its configuration loads is earlier
        return f"{type(kernel).__name__} lacks {', '.join(lacking)}"
    stream, thread = kernel.shell_stream, getattr(kernel, "shell_channel_thread", None)
    if thread is not None:
        pair = thread.manager.get_shell_channel_to_subshell_pair(None)
        stream = pair.to_stream
        if stream.socket is not pair.to_socket or thread.manager.get_subshell_to_shell_channel_socket(None) is None:
            return "the main shell is not fed by a socket pair"
    lacking = [name for name in STREAM_NAMES if not hasattr(stream, name)]
    if lacking:
        return f"{type(stream).__name__} lacks {', '.join(lacking)}"
    if not callable(stream._recv_callback) or stream._recv_copy:
        return "the shell's stream is not read in frames"
    _ = kernel._parent_ident["shell"]
    return None


# --- Signal handlers that wait for the end of a step that must not be torn in two.
#
# A message is received in several parts, and one that was received has to be answered or given back: an interrupt in
# between would lose a cell that the page waits for. Worse, `threading.Condition` (and with it every `Future`) keeps its
# lock for ever when an interrupt comes just as it is taken: the driver would hang on the future it has to resolve.


# Those that people let raise something. Asking for all of them costs as much as the rest of a short wait.
SIGNAL_NAMES = "SIGINT SIGTERM SIGALRM SIGVTALRM SIGPROF SIGHUP SIGQUIT SIGUSR1 SIGUSR2 SIGXCPU SIGBREAK"
SIGNALS = [getattr(signal, name) for name in SIGNAL_NAMES.split() if hasattr(signal, name)]

Handler = Callable[[int, FrameType | None], Any]


class HeldSignals:
    """Keeps Python-level signal handlers waiting for the length of a `with`, but for the blocks of `let` inside it.

    Those that are due at its end run then. A handler that is set meanwhile (by a posted call) stays. Only the main
    thread runs handlers; in another one this does nothing. It may be nested in a `let` of another.
    """

    def __init__(self) -> None:
        self._before: dict[int, Handler] = {}
        self._late: list[tuple[int, FrameType | None]] = []
        self._held = True

    def __enter__(self) -> HeldSignals:
        if threading.current_thread() is not threading.main_thread():
            return self
        try:
            for number in SIGNALS:
                handler = signal.getsignal(number)
                if callable(handler):  # not SIG_DFL, not SIG_IGN, not one that C code set
                    self._before[number] = handler
                    signal.signal(number, self._arrive)
        except BaseException:  # of a handler whose turn had not come
            self._restore()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._restore()
        finally:
            self._restore()  # the rest, when a handler that was back already raised
            self._held = False
        self.deliver()

    @contextmanager
    def let(self) -> Iterator[None]:
        """Let handlers run for the length of this block, first those that waited."""
        held, self._held = self._held, False
        try:
            self.deliver()
            yield
        finally:
            self._held = held

    def deliver(self) -> None:
        """Run the handlers that waited. An exception of one is raised here, and the others keep waiting."""
        while self._late:
            self._call(*self._late.pop(0))

    def _arrive(self, number: int, frame: FrameType | None) -> None:
        if self._held:
            self._late.append((number, frame))
        else:
            self._call(number, frame)

    def _call(self, number: int, frame: FrameType | None) -> None:
        _raising(self._before[number])(number, frame)

    def _restore(self) -> None:
        for number, handler in self._before.items():
            if signal.getsignal(number) == self._arrive:
                signal.signal(number, handler)


def _raising(handler: Handler) -> Handler:
    """`handler`, or the default one in place of ipykernel's for cells with a top-level `await`.

    That one only asks the event loop to cancel the cell, and the loop stands still while the cell waits here.
    """
    if "_cancel_on_sigint" in getattr(handler, "__qualname__", ""):
        return signal.default_int_handler
    return handler


# --- What a shell still does while its cell waits: answer the page, put everything else off, say that it is busy.
#
# Served at once, on the waiting thread: comm messages (widgets live on them), `kernel_info` and `comm_info` (a reloaded
# page gives up on its widgets without them). Deferred, in order, to the end of the cell: everything else, first of all
# the cells that the person has queued.


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
