"""The waiting cell: it stays until the run is over, and keeps the kernel listening meanwhile.

1. The calling thread leaves `wait` only with the result, with the run's exception, or with an exception of its own (an
interrupt).
2. Posted calls and page messages run on that thread, one at a time; messages of the page are handled at once.
3. Nothing is hooked: when the wait is over, the kernel is as it was, and has every request that was not answered.

How a message gets here is in channel.py, what is done with it in busy.py; docs/adr/0003 says why it is done this way.
"""

from __future__ import annotations

import contextvars
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext
from typing import Any, TypeVar

from smolcell.notebook.kernel import BusyShell, HeldSignals, channel_of_this_thread, why_not
from smolcell.waiter import run_posted

__all__ = ["Interrupted", "KernelWaiter", "supported"]

T = TypeVar("T")

# ZeroMQ cannot be interrupted while it sleeps on Windows; a person does not notice a fifth of a second.
TICK = 0.2

# Messages that are still served when the run is over; a page that never stops sending must not keep the cell.
MANY = 100


def supported(shell: Any) -> str | None:
    """None if a waiting cell of `shell` (what `get_ipython()` returned) can hear its page; else the reason, in one
    line.

    With a reason, `KernelWaiter.wait` still waits and runs what is posted, but hears no click: ask by `input()` then.
    """
    return why_not(getattr(shell, "kernel", None))


class Interrupted(KeyboardInterrupt):
    """The person interrupted the kernel while a cell waited. One line in the notebook; queued cells are aborted as
    after any error."""

    def __str__(self) -> str:
        return "the cell was interrupted while it waited"

    def _render_traceback_(self) -> list[str]:
        # IPython asks for this. A full traceback would show our threads to a person who pressed stop, and take up to
        # three seconds.
        return [f"KeyboardInterrupt: {self}"]


class Bell:
    """Wakes one sleeping thread from any other. A socket, because a ZeroMQ poller can sleep on nothing else."""

    def __init__(self) -> None:
        self.thread = threading.get_ident()
        self._ear, self._hammer = socket.socketpair()
        self._ear.setblocking(False)
        self._hammer.setblocking(False)
        self._lock = threading.RLock()  # a signal handler may ring while its own thread closes

    def ring(self) -> None:
        with self._lock:
            try:
                self._hammer.send(b"\0")
            except (BlockingIOError, InterruptedError):
                pass  # it is ringing
            except OSError:
                pass  # closed: the wait is over

    def sleep(self, seconds: float, other: Any = None) -> None:
        """Until rung, until the ZeroMQ socket `other` has something, or for `seconds`."""
        import zmq

        poller = zmq.Poller()
        poller.register(self._ear.fileno(), zmq.POLLIN)
        if other is not None:
            poller.register(other, zmq.POLLIN)
        poller.poll(int(seconds * 1000) + 1)
        try:
            self._ear.recv(4096)
        except BlockingIOError:
            pass

    def close(self) -> None:
        with self._lock:
            self._ear.close()
            self._hammer.close()


class KernelWaiter:
    """A `smolcell.waiter.Waiter` for the cells of one kernel.

    A wait may be nested in another (a posted call or a widget's callback that runs an agent), and cells of several
    subshells may wait at the same time. Posted calls then run on the thread that has waited longest; each thread serves
    its own page messages.

    In a thread that is no shell of the kernel, or if `supported` gives a reason, `wait` runs posted calls and serves
    nothing.

    Args:
        shell: the result of `get_ipython()`. Make it in a cell, so that calls posted while no cell waits have one to
        belong to.
    """

    def __init__(self, shell: Any) -> None:
        self._kernel: Any = getattr(shell, "kernel", None)
        self._lock = threading.RLock()
        self._calls: deque[Callable[[], object]] = deque()
        self._bells: list[Bell] = []
        self._busy: dict[int, BusyShell] = {}
        self._context = contextvars.copy_context()
        self._fine = False

    def supported(self) -> str | None:
        """The result of `supported(shell)` now; a kernel that has not started yet may be ready later."""
        if not self._fine:
            reason = why_not(self._kernel)
            self._fine = reason is None
            return reason
        return None

    def post(self, call: Callable[[], object]) -> None:
        """See `smolcell.waiter.Waiter.post`. While no cell waits the kernel's own loop runs it, between cells."""
        with self._lock:
            self._calls.append(call)
            self._wake()

    def wait(self, done: Future[T]) -> T:
        """See `smolcell.waiter.Waiter.wait`.

        Raises:
            Interrupted: in place of a plain KeyboardInterrupt.
        """
        try:
            with HeldSignals() as signals, self._bell() as bell, self._busy_shell() as busy:
                done.add_done_callback(lambda _: bell.ring())
                self._stay(done, bell, busy, signals)
        except Interrupted:
            raise
        except KeyboardInterrupt:
            raise Interrupted from None
        return done.result()

    def _stay(self, done: Future[Any], bell: Bell, busy: BusyShell | None, signals: HeldSignals) -> None:
        """Signals are handled at the top, while asleep, and in posted calls and handlers, never in between."""
        while not done.done():
            signals.deliver()
            # One of each in turn, so that neither a flood of output nor one of clicks holds up the other.
            posted = self._run_one(bell, signals)
            served = busy is not None and busy.serve(signals)
            due = TICK if busy is None else busy.beat()
            if not posted and not served:
                with signals.let():
                    bell.sleep(min(TICK, due), None if busy is None else busy.socket)
        # Messages from before the end; a cell that waits briefly many times would hear nothing otherwise.
        for _ in range(len(self._calls)):
            self._run_one(bell, signals)
        for _ in range(MANY):
            if busy is None or not busy.serve(signals):
                break

    def _run_one(self, bell: Bell | None, signals: HeldSignals | None) -> bool:
        """Run the oldest posted call, if it is this thread's turn. Without `bell`: the kernel's own loop."""
        with self._lock:
            turn = self._bells[0].thread == bell.thread if bell and self._bells else not self._bells
            if not turn or not self._calls:
                return False
            call = self._calls.popleft()
        begun = False
        try:
            with signals.let() if signals else nullcontext():
                begun = True
                run_posted(call)
        finally:
            if not begun:  # a signal came before it: it is run when the thread waits again
                self._calls.appendleft(call)
        return True

    def _wake(self) -> None:
        """See to it that posted calls are run: by those who wait, or else by the kernel's loop. The lock is held."""
        for bell in self._bells:
            bell.ring()
        loop = getattr(self._kernel, "io_loop", None)
        if not self._bells and loop is not None:
            loop.add_callback(self._run_idle)

    def _run_idle(self) -> None:
        """Run what was posted, for the last cell that waited, or else for that in which this was made."""
        context = self._context.copy()
        context.run(self._need_parent)
        for _ in range(len(self._calls)):
            context.run(self._run_one, None, None)

    def _need_parent(self) -> None:
        # On ipykernel 7.0 a comm cannot send in a context that has seen no cell: the extension was loaded before any.
        try:
            self._kernel.get_parent("shell")
        except LookupError:
            self._kernel.set_parent([], {}, channel="shell")

    @contextmanager
    def _bell(self) -> Iterator[Bell]:
        bell = Bell()
        with self._lock:
            self._bells.append(bell)
        try:
            yield bell
        finally:
            with self._lock:
                self._bells.remove(bell)
                if self._calls:
                    self._wake()
            bell.close()

    @contextmanager
    def _busy_shell(self) -> Iterator[BusyShell | None]:
        """This thread's shell, shared by the waits that are nested in it."""
        thread = threading.get_ident()
        busy = self._busy.get(thread) or self._find_shell()
        if busy is None:
            yield None
            return
        self._context = contextvars.copy_context()
        self._busy[thread] = busy
        try:
            with busy:
                yield busy
        finally:
            if not busy.depth:
                del self._busy[thread]

    def _find_shell(self) -> BusyShell | None:
        channel = None if self.supported() else channel_of_this_thread(self._kernel)
        return None if channel is None else BusyShell(self._kernel, channel)
