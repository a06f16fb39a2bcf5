"""The only module that uses ipykernel's private parts: sends and receives messages of the calling thread's shell.

While a cell runs, its thread does not run the kernel's event loop, so messages for this shell queue up in a socket that
**belongs to this thread**. No other thread may read that socket; this thread may, without any hook, lock or second thread:

- ipykernel 6 (and 7 embedded without a shell-channel thread): the ROUTER socket of `kernel.shell_stream`;
- ipykernel 7: the receiving end of the in-process pair through which the shell-channel thread passes the main shell's
  messages (`SubshellManager.get_shell_channel_to_subshell_pair(None)`; ipykernel's own GUI loops look at the same one),
  and for a cell that runs in a subshell that subshell's pair. Replies go back through the opposite pair, which is also
  this thread's.

`why_not` checks every private name before its first use.
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
class ShellSockets:
    """One shell's sockets. Use them only on that shell's thread."""

    stream: Any
    """The `ZMQStream` that feeds the kernel's event loop."""
    reply: Any
    """The ZeroMQ socket for replies."""

    @property
    def socket(self) -> Any:
        """The ZeroMQ socket for requests."""
        return self.stream.socket

    def receive(self) -> list[Any] | None:
        """Return the next message as ZeroMQ frames, or None. Never blocks."""
        import zmq

        if not self.socket.poll(0):
            return None
        frames: list[Any] = self.socket.recv_multipart(zmq.NOBLOCK, copy=False)
        return frames

    def give_back(self, messages: list[list[Any]]) -> None:
        """Return messages to the kernel as if they came now, in order, before those still in the socket.

        The latter are left there: the same cell may wait again, and must receive them.
        """
        for frames in messages:
            self.stream._run_callback(self.stream._recv_callback, frames)
        if not self.stream.closed():
            # The socket's descriptor reports only changes, some of which were consumed here. Setting the callback again makes the stream
            # check for messages in the loop's next iteration.
            self.stream.on_recv(self.stream._recv_callback, copy=self.stream._recv_copy)


def sockets_of_this_thread(kernel: Any) -> ShellSockets | None:
    """Return the sockets of the shell that runs on this thread; None for an ordinary thread."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return None
    thread = getattr(kernel, "shell_channel_thread", None)
    if thread is None:
        return (
            ShellSockets(kernel.shell_stream, kernel.shell_stream.socket)
            if loop is kernel.io_loop.asyncio_loop
            else None
        )
    try:
        subshell = thread.manager.subshell_id_from_thread_id(threading.get_ident())
    except RuntimeError:
        return None
    pair = thread.manager.get_shell_channel_to_subshell_pair(subshell)
    return ShellSockets(pair.to_stream, thread.manager.get_subshell_to_shell_channel_socket(subshell))


def why_not(kernel: Any) -> str | None:
    """Check version and private parts: return None if a waiting cell can serve its page in this kernel, else the reason on one
    line."""
    if kernel is None:
        return "there is no Jupyter kernel here"
    ipykernel = sys.modules.get("ipykernel")
    if ipykernel is None:
        return f"{type(kernel).__name__} is not ipykernel's"
    version = tuple(ipykernel.version_info[:2])
    if version < OLDEST or version[:1] > NEWEST:
        return f"ipykernel {ipykernel.__version__} is not a tested version (6.29 to 7.x)"
    try:
        return _missing(kernel)
    except Exception as error:
        return f"ipykernel {ipykernel.__version__} is built differently: {type(error).__name__}: {error}"


def _missing(kernel: Any) -> str | None:
    """Return the private parts that are not as expected, or None."""
    if getattr(kernel, "shell_stream", None) is None or kernel.session is None:
        return f"{type(kernel).__name__} has no shell channel"
    lacking = [name for name in NAMES + METHODS if not hasattr(kernel, name)]
    lacking += sorted(SERVED - set(kernel.shell_handlers))
    if lacking:  # `io_loop` is set when the kernel starts, which is after extensions in its configuration are loaded
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


# --- Holds signal handlers back until the end of an operation that must not be interrupted.
#
# A message is received in several parts, and a received message must be answered or given back: an interrupt in between would lose a
# cell that the page waits for. Also, `threading.Condition` (and with it every `Future`) keeps its lock for ever if an interrupt comes
# just as it is taken: the driver would hang on the future that it has to resolve.


# Signals whose handlers often raise. Checking all signals would cost as much as the rest of a short wait.
SIGNAL_NAMES = "SIGINT SIGTERM SIGALRM SIGVTALRM SIGPROF SIGHUP SIGQUIT SIGUSR1 SIGUSR2 SIGXCPU SIGBREAK"
SIGNALS = [getattr(signal, name) for name in SIGNAL_NAMES.split() if hasattr(signal, name)]

Handler = Callable[[int, FrameType | None], Any]


class HeldSignals:
    """Holds Python signal handlers back within a `with`, except in blocks of `let` inside it.

    Handlers that are due run at its end. A handler that is set meanwhile (by a posted call) stays. Only the main thread runs
    handlers; in other threads this does nothing. It may be nested in a `let` of another.
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
                if callable(handler):  # not SIG_DFL, SIG_IGN, or a handler set by C code
                    self._before[number] = handler
                    signal.signal(number, self._arrive)
        except BaseException:  # raised by a handler that is not held back yet
            self._restore()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._restore()
        finally:
            self._restore()  # the rest, if a restored handler raised
            self._held = False
        self.deliver()

    @contextmanager
    def let(self) -> Iterator[None]:
        """Run handlers within this block, first those that were held back."""
        held, self._held = self._held, False
        try:
            self.deliver()
            yield
        finally:
            self._held = held

    def deliver(self) -> None:
        """Run the handlers that were held back. An exception of one is raised here, and the others stay held back."""
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
    """Return `handler`, or the default one instead of ipykernel's for cells with a top-level `await`.

    That one only asks the event loop to cancel the cell, and the loop does not run while the cell waits here.
    """
    if "_cancel_on_sigint" in getattr(handler, "__qualname__", ""):
        return signal.default_int_handler
    return handler


# --- A shell while its cell waits: it answers the page, defers everything else, and says that it is busy.
#
# Served at once, on the waiting thread: comm messages (widgets need them), `kernel_info` and `comm_info` (a reloaded page gives up on
# its widgets without them). Deferred, in order, to the end of the cell: everything else, in particular the cells that the person has
# queued.


log = logging.getLogger("smolcell")

# Messages on the control channel publish "idle"; hubs and their cullers trust the last status they saw.
STATUS_SECONDS = 2.0


class BusyShell:
    """One shell during a wait, including nested waits.

    All methods run on that shell's thread, with signals held back: a message is taken as a whole or not at all.
    """

    def __init__(self, kernel: Any, sockets: ShellSockets) -> None:
        self._kernel = kernel
        self._sockets = sockets
        self._deferred: list[list[Any]] = []
        self._next_beat = 0.0
        self.depth = 0

    def __enter__(self) -> BusyShell:
        self.depth += 1
        return self

    def __exit__(self, *_: object) -> None:
        self.depth -= 1
        if self.depth:
            return  # the outer wait gives them back; its own deferred messages are older
        try:
            self._sockets.give_back(self._deferred)
        except Exception:
            log.exception("Requests that arrived during the wait could not be returned to the kernel")

    @property
    def socket(self) -> Any:
        """The ZeroMQ socket to sleep on."""
        return self._sockets.socket

    def serve(self, signals: HeldSignals) -> bool:
        """Take at most one message, and answer or defer it. Returns whether there was one."""
        frames = self._sockets.receive()
        if frames is None:
            return False
        if _type_of(self._kernel.session, frames) in SERVED:
            self._answer(frames, signals)
            self._next_beat = 0.0  # the answer's "idle" must not be the last status
        else:
            self._deferred.append(frames)
        return True

    def beat(self) -> float:
        """Publish "busy" if it is due. Returns the seconds until the next time."""
        now = time.monotonic()
        if now >= self._next_beat:
            self._kernel._publish_status("busy", "shell")
            self._next_beat = now + STATUS_SECONDS
        return self._next_beat - now

    def _answer(self, frames: list[Any], signals: HeldSignals) -> None:
        """Handle one message as ipykernel's `dispatch_shell` does, which would lose the cell's signal handler."""
        kernel = self._kernel
        idents, parts = kernel.session.feed_identities(frames, copy=False)
        try:
            message = kernel.session.deserialize(parts, content=True, copy=False)
        except Exception:
            kernel.log.warning("smolcell dropped a message with an invalid signature", exc_info=True)
            return
        with _parent(kernel, idents, message), _no_cell_events(kernel):
            kernel._publish_status("busy", "shell")
            try:
                self._handle(idents, message, signals)
            finally:
                _flush_output()
                kernel._publish_status("idle", "shell")

    def _handle(self, idents: Any, message: Any, signals: HeldSignals) -> None:
        """Call the handler: a function, or a coroutine that never suspends (the loop that would resume it does not run)."""
        msg_type = message["header"]["msg_type"]
        with signals.let():
            try:
                result = self._kernel.shell_handlers[msg_type](self._sockets.reply, idents, message)
                if inspect.iscoroutine(result) and not _finished(result):
                    log.error("The kernel's answer to %s needs its event loop; it was dropped", msg_type)
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
    """Return the message type, unchecked: `deserialize` remembers the signature, and would refuse the message later on."""
    try:
        _, parts = session.feed_identities(frames, copy=False)
        msg_type = session.unpack(bytes(parts[1].bytes))["msg_type"]
    except Exception:
        return None  # ipykernel sends itself frames that are no messages ("stop aborting"); clients may send garbage
    return msg_type if isinstance(msg_type, str) else None


@contextmanager
def _parent(kernel: Any, idents: Any, message: Any) -> Iterator[None]:
    """Attribute output to `message`, and afterwards again to the cell; else the page would lose its later output."""
    before = kernel._parent_ident["shell"], kernel.get_parent("shell")
    _flush_output()
    kernel.set_parent(idents, message, channel="shell")
    try:
        yield
    finally:
        kernel.set_parent(*before, channel="shell")


@contextmanager
def _no_cell_events(kernel: Any) -> Iterator[None]:
    """Suppress `pre_execute` and `post_execute`.

    `comm` triggers them for each message. Matplotlib handles `post_execute` by showing and closing all figures: those of the waiting
    cell would be shown as output of the click instead of the cell, that is, nowhere.
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
