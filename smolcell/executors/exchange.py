"""Questions to a worker that are not steps (values in, values out, tools), and their answers.

The rules this file exists to keep:

* Every question ends: with its answer, with the worker's end, or with its time.
* Asking blocks the asking thread only; answers come on the reading thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future

from smolcell.errors import CapabilityError, SandboxDiedError, SandboxError
from smolcell.executors.channel import Connection
from smolcell.visible import visible
from smolcell.worker import wire

MAX_ERROR = 2000
TRANSFER = 90.0  # seconds that values may take to cross


class Exchange:
    """The questions of one executor that wait for an answer."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[int, Future[wire.Frame]] = {}
        self._asked = 0

    def ask(
        self, connection: Connection | None, send: Callable[[Connection, int], None], seconds: float = TRANSFER
    ) -> wire.Frame:
        """Send a question (``send`` gets the connection and the question's number) and wait ``seconds`` for its answer.

        Raises:
            SandboxError: the worker says why it cannot, has ended, or does not answer.
            CapabilityError: it is too much for one frame.
        """
        future: Future[wire.Frame] = Future()
        with self._lock:
            self._asked += 1
            number = self._asked
            self._waiting[number] = future
        try:
            if connection is None or connection.over:
                raise SandboxDiedError("the sandbox ended before values could be exchanged")
            send(connection, number)
            answer = future.result(seconds)
        except wire.WireError as error:
            raise CapabilityError(f"too much for one transfer: {error}") from None
        except TimeoutError:
            raise SandboxError(f"the sandbox did not answer within {seconds:g} s") from None
        finally:
            with self._lock:
                self._waiting.pop(number, None)
        if answer.fields["error"]:
            raise SandboxError(visible(answer.fields["error"][:MAX_ERROR]))
        return answer

    def hear(self, answer: wire.Frame) -> None:
        """Take an answer; one that nobody waits for is left."""
        with self._lock:
            future = self._waiting.get(answer.fields["id"])
        if future is not None and not future.done():
            future.set_result(answer)

    def end(self, error: SandboxError) -> None:
        """The worker has ended: so does every question."""
        with self._lock:
            waiting = list(self._waiting.values())
        for future in waiting:
            if not future.done():
                future.set_exception(error)
