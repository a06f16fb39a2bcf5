"""The waiting cell: it stays until the run has ended, while the kernel keeps receiving messages.

1. The calling thread leaves `wait` only with the result, with the run's exception, or with an exception raised in it (an
interrupt).
2. Posted calls and page messages run on that thread, one at a time; page messages are handled at once.
3. Nothing is patched: after the wait the kernel is as before, and has every request that was not answered.

`kernel.py` receives and handles the messages; docs/adr/0003 explains the design.
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

from smolcell.machine.waiter import run_posted
from smolcell.notebook.kernel import BusyShell, HeldSignals, sockets_of_this_thread, why_not

__all__ = ["Interrupted", "KernelWaiter", "supported"]

T = TypeVar("T")

# ZeroMQ cannot be interrupted while it sleeps on Windows; a fifth of a second is not noticed.
TICK_SECONDS = 0.2

# Messages that are still served after the run's end; a page that never stops sending must not block the cell.
MAX_LATE_MESSAGES = 100


def supported(shell: Any) -> str | None:
    """Return None if a waiting cell of `shell` (the result of `get_ipython()`) can receive page messages; else the reason, on one
    line.

    With a reason, `KernelWaiter.wait` still waits and runs posted calls, but receives no click: ask with `input()` then.
    """
    return why_not(getattr(shell, "kernel", None))


class Interrupted(KeyboardInterrupt):
    """The person interrupted the kernel while a cell waited. Shown as one line in the notebook; queued cells are aborted as
    after any error."""

    def __str__(self) -> str:
        return "the cell was interrupted while it waited"

    def _render_traceback_(self) -> list[str]:
        # IPython asks for this. A full traceback would show our threads to a person who pressed stop, and take up to
        # three seconds.
        return [f"KeyboardInterrupt: {self}"]


class Bell:
    """Wakes a sleeping thread from any other. A socket, because a ZeroMQ poller can only wait for sockets."""

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
                pass  # already ringing
            except OSError:
                pass  # closed: the wait has ended

    def sleep(self, seconds: float, other: Any = None) -> None:
        """Sleep until rung, until the ZeroMQ socket `other` is readable, or for `seconds`."""
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
    """A `smolcell.protocols.Waiter` for the cells of one kernel.

    A wait may be nested in another (a posted call or a widget's callback that runs an agent), and cells of several subshells may
    wait at the same time. Posted calls then run on the thread that has waited longest; each thread serves its own page messages.

    In a thread that is no shell of the kernel, or if `supported` returns a reason, `wait` only runs posted calls.

    Args:
        shell: the result of `get_ipython()`. Create the waiter in a cell: calls posted while no cell waits belong to that cell.
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
        """Return the result of `supported(shell)` now; a kernel that has not started yet may be ready later."""
        if not self._fine:
            reason = why_not(self._kernel)
            self._fine = reason is None
            return reason
        return None

    def post(self, call: Callable[[], object]) -> None:
        """See `smolcell.protocols.Waiter.post`. While no cell waits, the kernel's own loop runs the call, between cells."""
        with self._lock:
            self._calls.append(call)
            self._wake()

    def wait(self, done: Future[T]) -> T:
        """See `smolcell.protocols.Waiter.wait`.

        Raises:
            Interrupted: instead of a plain KeyboardInterrupt.
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
        """Wait. Signals are handled only here, while asleep, and in posted calls and handlers."""
        while not done.done():
            signals.deliver()
            # Alternate, so that neither much output nor many clicks delay the other.
            posted = self._run_one(bell, signals)
            served = busy is not None and busy.serve(signals)
            due = TICK_SECONDS if busy is None else busy.beat()
            if not posted and not served:
                with signals.let():
                    bell.sleep(min(TICK_SECONDS, due), None if busy is None else busy.socket)
        # Serve earlier messages; otherwise a cell that often waits briefly would receive none.
        for _ in range(len(self._calls)):
            self._run_one(bell, signals)
        for _ in range(MAX_LATE_MESSAGES):
            if busy is None or not busy.serve(signals):
                break

    def _run_one(self, bell: Bell | None, signals: HeldSignals | None) -> bool:
        """Run the oldest posted call, if it is this thread's turn. Without `bell`: on the kernel's own loop."""
        with self._lock:
            turn = self._bells[0].thread == bell.thread if bell and self._bells else not self._bells
            if not turn or not self._calls:
                return False
            call = self._calls.popleft()
        started = False
        try:
            with signals.let() if signals else nullcontext():
                started = True
                run_posted(call)
        finally:
            if not started:  # interrupted before it began: it runs when the thread waits again
                self._calls.appendleft(call)
        return True

    def _wake(self) -> None:
        """Have posted calls run: by a waiting thread, else by the kernel's loop. The lock is held."""
        for bell in self._bells:
            bell.ring()
        loop = getattr(self._kernel, "io_loop", None)
        if not self._bells and loop is not None:
            loop.add_callback(self._run_idle)

    def _run_idle(self) -> None:
        """Run posted calls, as part of the last cell that waited, or else the one that made this waiter."""
        context = self._context.copy()
        context.run(self._need_parent)
        for _ in range(len(self._calls)):
            context.run(self._run_one, None, None)

    def _need_parent(self) -> None:
        # On ipykernel 7.0 a comm cannot send in a context without a cell, as in an extension that was loaded before any.
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
        """Return this thread's shell, shared by nested waits."""
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
        sockets = None if self.supported() else sockets_of_this_thread(self._kernel)
        return None if sockets is None else BusyShell(self._kernel, sockets)
