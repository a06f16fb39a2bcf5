"""Questions to the agent's own process in a sandbox, which the worker starts beside the code's.

The rules this file exists to keep:

* Every question ends: with its answer, with the process, or with its time. Asking blocks the asking thread only.
* What comes back is blobs of a bounded frame, data of somebody hostile.
"""

from __future__ import annotations

from collections.abc import Sequence

from smolcell.errors import CapabilityError, SandboxDiedError, SandboxError
from smolcell.executors.base import WorkerExecutor
from smolcell.worker import wire
from smolcell.worker.beside import CANNOT, GONE

LATE = 5.0  # seconds that a worker may be late with its own limit
LOADING = 60.0  # seconds that the program may take to be sent and to begin


class AgentGoneError(SandboxDiedError):
    """The agent's process has ended; it can be begun anew."""


def holder(executor: object) -> WorkerExecutor:
    """The executor, where its sandbox can hold an agent.

    Raises:
        CapabilityError: it cannot.
    """
    if isinstance(executor, WorkerExecutor):
        return executor
    name = getattr(executor, "name", type(executor).__name__)
    raise CapabilityError(f"the sandbox {name!r} cannot hold an agent; use one that can: run_inside('docker', …)")


def load(executor: WorkerExecutor, archive: bytes, spec: bytes) -> None:
    """Begin the agent's process with this program; one that was there is ended. The sandbox is open.

    Raises:
        SandboxError: the program does not begin; the message says why.
    """
    _ask(executor, (archive, spec), LOADING, load=True)


def ask(executor: WorkerExecutor, question: Sequence[wire.Blob], seconds: float) -> tuple[wire.Buffer, ...]:
    """What the agent answers, within so many seconds.

    Raises:
        AgentGoneError: its process has ended, took too long, or was never begun.
        SandboxError: it failed; the message is its own.
    """
    return _ask(executor, question, seconds)


def end(executor: WorkerExecutor) -> None:
    """End the agent's process, and with it the question that is open; harmless where there is none."""
    try:
        _ask(executor, (), 1.0)
    except SandboxError:
        pass  # it ends with its sandbox


def _ask(
    executor: WorkerExecutor, blobs: Sequence[wire.Blob], seconds: float, load: bool = False
) -> tuple[wire.Buffer, ...]:
    try:
        answer = executor._exchange.ask(
            executor._connection,
            lambda line, number: line.send("agent", blobs, id=number, timeout=seconds, load=load),
            seconds + LATE,
        )
    except SandboxDiedError as error:
        raise AgentGoneError(str(error)) from None
    except SandboxError as error:
        if str(error) == CANNOT:
            raise CapabilityError(CANNOT) from None
        raise (AgentGoneError if str(error).startswith(GONE) else type(error))(str(error)) from None
    return answer.blobs
