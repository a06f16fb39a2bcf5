"""Engines, which run the tasks of a job. Each is an executor of ``concurrent.futures`` with some facts about it.

::

    Engine    .executor: concurrent.futures.Executor      .width: tasks at a time      .remote: whether workers have other files
              stop(job): end the job's runs, within two seconds                        close(): idempotent

``ENGINES`` names them. Another package adds one by an entry point in the group ``smolcell.engines``: a function of the text after the
engine's name in ``--on``.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from importlib.metadata import entry_points
from typing import Any, Protocol

from smolcell.errors import SetupError
from smolcell.machine.environment import importing, is_installed, optional
from smolcell.scale.work import stop

log = logging.getLogger("smolcell")
ENTRY_POINTS = "smolcell.engines"
_THREADS = 4  # per worker: a task mostly waits for its model
_CLOSE_SECONDS = 10.0  # seconds
_CONNECT_SECONDS = 10.0  # seconds to wait for a scheduler


class Engine(Protocol):
    """Runs tasks. ``executor.submit(work, item)`` returns a future of the item's row; both can be pickled."""

    executor: Executor
    remote: bool

    @property
    def width(self) -> int:
        """Tasks at a time."""
        ...

    def stop(self, job: str) -> None:
        """End the runs of this job, within two seconds. None begins later."""
        ...

    def close(self) -> None:
        """Free the engine's resources. Idempotent."""
        ...


class LocalEngine:
    """Threads of this process. ``argument``: number of tasks at a time."""

    remote = False

    def __init__(self, argument: str = "") -> None:
        self.width = _count(argument, "local", default=_THREADS)
        self.executor: Executor = ThreadPoolExecutor(self.width, thread_name_prefix="smolcell-map")

    def stop(self, job: str) -> None:
        stop(job)

    def close(self) -> None:
        self.executor.shutdown(wait=False, cancel_futures=True)


class DaskEngine:
    """Dask: processes of this machine that end with this one (``dask``, ``dask:WORKERS``), or a cluster (``dask://HOST:PORT``).

    If a worker is killed, its tasks are repeated by another one.
    """

    def __init__(self, argument: str = "") -> None:
        with optional("--on dask", "scale", "dask", "distributed"):
            import dask
            import distributed
        self._cluster: Any = None
        self.remote = argument.startswith("//")
        # a worker that ends is restarted, and its tasks are repeated: not without limit
        dask.config.set({"distributed.scheduler.allowed-failures": 5})
        if self.remote:
            self._client = _connect(distributed, f"tcp:{argument}")
        else:
            workers = _count(argument, "dask", default=os.cpu_count() or 1)
            self._cluster = _without_interrupts(lambda: _own_cluster(distributed, workers))
            self._client = distributed.Client(self._cluster)
        self.executor: Executor = self._client.get_executor(pure=False)
        self._width, self._looked = 1, float("-inf")

    @property
    def width(self) -> int:
        """Tasks at a time, as workers come and go; updated once a second."""
        if time.monotonic() > self._looked + 1.0:
            self._looked = time.monotonic()
            with suppress(OSError):  # the scheduler has ended: its futures fail
                self._width = max(1, sum(self._client.nthreads().values()))
        return self._width

    def stop(self, job: str) -> None:
        if self._cluster is None:
            with suppress(Exception):  # unreachable workers
                self._client.run(stop, job, on_error="ignore", wait=False)
        else:
            self._cluster.scale(0)  # else ended workers are restarted
            self._kill()

    def _kill(self) -> None:
        """End the worker processes at once; their sandboxes end with them."""
        for worker in list(self._cluster.workers.values()):
            process = getattr(getattr(worker, "process", None), "process", None)
            if process is not None and process.is_alive():
                process.kill()

    def close(self) -> None:
        client, self._client = self._client, None
        if client is None:
            return
        try:
            client.close(timeout=_CLOSE_SECONDS)
            if self._cluster is not None:
                self._cluster.close(timeout=_CLOSE_SECONDS)
        except Exception:  # rows are written: the rest of the cluster ends with its processes
            log.info("the cluster did not close in time", exc_info=True)
        finally:
            if self._cluster is not None:
                self._kill()


_BOUNDED = {"distributed.worker.profile.enabled": False, "distributed.admin.low-level-log-length": 30}
"""Keeps workers from growing with the number of tasks, as they would with Dask's profile of all code, and with its log."""


def quiet() -> None:
    """Keep Dask's log messages off the terminal: the caller reports failures in one sentence."""
    with importing():
        try:
            import distributed  # noqa: F401 - its import sets the levels
        except ImportError:
            return
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _own_cluster(distributed: Any, workers: int) -> Any:
    """Start a cluster of local processes. Uses TLS: otherwise any user of the machine could send them code."""
    secure = is_installed("cryptography")
    return distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=_THREADS,
        processes=True,
        host="127.0.0.1",
        security=secure or None,
        protocol="tls" if secure else "tcp",
        dashboard_address=None,
        silence_logs=50,
        memory_limit=0,  # each sandbox has its own limit
        config=_BOUNDED,
    )


def _connect(distributed: Any, address: str) -> Any:
    try:
        return distributed.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise SetupError(
            f"no Dask scheduler answers at {address.removeprefix('tcp://')} ({type(error).__name__}): start one with `dask scheduler`, "
            "and workers with `dask worker`"
        ) from None


def _without_interrupts(make: Callable[[], Any]) -> Any:
    """Call ``make``, whose new processes ignore Ctrl-C, which this process handles."""
    if threading.current_thread() is not threading.main_thread():
        return make()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return make()
    finally:
        signal.signal(signal.SIGINT, before)


ENGINES: dict[str, Callable[[str], Engine]] = {"local": LocalEngine, "dask": DaskEngine}


def engine_of(name: str) -> Callable[[], Engine]:
    """Return a function that makes the engine of ``--on``: ``local:8``, ``dask``, ``dask:4``, ``dask://host:8786``.

    Raises:
        SetupError: there is no such engine.
    """
    kind, _, argument = name.partition(":")
    if kind in ENGINES:
        if not argument.startswith("//"):
            _count(argument, kind, default=1)
        return partial(ENGINES[kind], argument)
    with importing():
        for entry in entry_points(group=ENTRY_POINTS, name=kind):
            return partial(entry.load(), argument)
        known = ", ".join(sorted({*ENGINES, *entry_points(group=ENTRY_POINTS).names}))
    raise SetupError(
        f"--on {name}: there is no such engine; there are: {known}. Try: --on local:4, or --on dask://HOST:8786"
    )


def _count(argument: str, kind: str, *, default: int) -> int:
    if not argument:
        return default
    if not argument.isdecimal() or not 0 < int(argument) <= 1024:
        raise SetupError(f"--on {kind}:{argument}: expected a number from 1 to 1024, such as {kind}:4")
    return int(argument)
