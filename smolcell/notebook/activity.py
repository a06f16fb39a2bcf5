"""The active runs and sandboxes of each kernel, in one small file per kernel, for other processes.

* The file is replaced atomically, so that a reader never sees a partial state.
* It has no code and no secrets: it may be shown to this user beside any notebook.
* Writing never delays a step: a thread writes the newest report, and nothing after ``close``.
* A kernel that cannot write it goes on; the next reader removes the file of an ended kernel.
* Several machines or containers may share a home folder. A process in another namespace of process ids cannot know whether a kernel
  has ended: it ignores the file, and removes it only after a long time without a write.
* Content of a file is not trusted: types, lengths and the file's name are checked.

The file, version 1::

    {"v": 1, "kernel": "5f0c…", "place": "…", "pid": 4711, "start": 123456, "runs": [{"run": "a1b2…", "state": "pending", …}],
     "sandboxes": [{"kind": "local", "name": "pid 4712", "run": "a1b2…", "step": 3}]}
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

from smolcell.errors import JournalError
from smolcell.executors.registry import RUNNING, OpenSandbox, Sandbox
from smolcell.machine.state import journals_folder, private_folder, replace_file
from smolcell.worker.system import processes

log = logging.getLogger("smolcell")

VERSION = 1
State = Literal["thinking", "pending", "running"]
MAX_ROSTER_BYTES = 1_000_000  # bytes of a file that is read
MAX_RUNS = MAX_SANDBOXES = 200  # of one kernel
MAX_TEXT_CHARS = 200  # characters of one field
MAX_CHECKPOINTS = 1_000  # of one sandbox
FORGOTTEN_SECONDS = (
    30 * 86_400.0
)  # seconds after which another place's file is removed; if its kernel still runs, it writes the file again
NAME = re.compile(r"[\w-]{1,80}")
WRITE_SECONDS = 2.0  # seconds that ``close`` waits for a slow disk


@dataclass(frozen=True, slots=True, kw_only=True)
class ActiveRun:
    """One unfinished run.

    Attributes:
        run: its id.
        session: its session's name.
        task: the beginning of its task, on one line, redacted.
        state: its activity; "pending": a step waits for the person.
        step: the newest step, from 1; 0 before the first.
        began, since: start of the run and of this state, in seconds of the Unix epoch.
        cell: id of the notebook cell with its card; "" if the front end does not tell.
        client: the page that ran this cell, by its session in Jupyter's messages.
        widget: id of the card's widget; "" before it is shown.
    """

    run: str
    session: str
    task: str
    state: State
    step: int = 0
    began: float = 0.0
    since: float = 0.0
    cell: str = ""
    client: str = ""
    widget: str = ""


@dataclass(frozen=True, slots=True)
class Kernel:
    """The report of one kernel: its id, its process, its runs, oldest first, and its open sandboxes."""

    id: str
    pid: int
    start: int
    runs: tuple[ActiveRun, ...]
    sandboxes: tuple[OpenSandbox, ...] = ()

    @property
    def process(self) -> str:
        """The process as lists of sandboxes name it: "id:start"."""
        return f"{self.pid}:{self.start}"


class Roster:
    """The file of this process.

    Args:
        kernel: the kernel's id on the Jupyter server.
        folder: folder of the files; by default the user's own.
    """

    def __init__(self, kernel: str, folder: Path | None = None) -> None:
        self._kernel = kernel
        self._folder = folder
        self._pid = os.getpid()
        self._failed = self._swept = self._closed = False
        self._change = threading.Condition()  # guards the next attributes
        self._next: tuple[Sequence[ActiveRun], Sequence[OpenSandbox]] | None = None
        self._writer: threading.Thread | None = None  # while there is something to write

    @property
    def path(self) -> Path:
        return (self._folder or roster_folder()) / f"{self._kernel}.json"

    def write(self, runs: Sequence[ActiveRun], sandboxes: Sequence[OpenSandbox] = ()) -> None:
        """Have the active runs written soon. Thread-safe, one call at a time; never waits for the disk, never raises."""
        if not self._is_ours():
            return
        with self._change:
            if self._closed:
                return
            self._next = tuple(runs), tuple(sandboxes)
            if self._writer is None:
                writer = threading.Thread(target=self._write_all, name="smolcell-roster", daemon=True)
                with contextlib.suppress(RuntimeError):  # no thread can be started: the next report tries again
                    writer.start()
                    self._writer = writer

    def flush(self, seconds: float = WRITE_SECONDS) -> bool:
        """Wait until the last report is written, or failed."""
        if not self._is_ours():
            return True
        with self._change:
            return self._change.wait_for(lambda: self._writer is None, seconds)

    def close(self) -> None:
        """Remove the file, even if a write fails; drop a report that is not written yet. Idempotent."""
        if not self._is_ours():
            return
        with self._change:
            self._next, self._closed = None, True
        if not self.flush():
            log.warning("The list of active runs is still being written: %s is not removed", self.path)
        with contextlib.suppress(OSError, JournalError):
            self.path.unlink(missing_ok=True)

    def _is_ours(self) -> bool:
        return bool(NAME.fullmatch(self._kernel)) and self._pid == os.getpid()  # false in a fork of the kernel

    def _write_all(self) -> None:
        """Write the last report, until there is no newer one."""
        while True:
            with self._change:
                report, self._next = self._next, None
                if report is None:
                    self._writer = None
                    self._change.notify_all()
                    return
            self._write(*report)

    def _write(self, runs: Sequence[ActiveRun], sandboxes: Sequence[OpenSandbox]) -> None:
        try:
            self._replace(runs, sandboxes)
        except Exception as error:  # after any error, the next report must be able to start a writer
            if not self._failed:
                log.warning("The list of active runs cannot be written: %s", error)
            self._failed = True

    def _replace(self, runs: Sequence[ActiveRun], sandboxes: Sequence[OpenSandbox]) -> None:
        process = processes.stat(self._pid)
        data = {
            "v": VERSION,
            "kernel": self._kernel,
            "place": place(),
            "pid": self._pid,
            "start": process.start if process else 0,
            "runs": [asdict(run) for run in runs[:MAX_RUNS]],
            "sandboxes": [asdict(use) for use in sandboxes[:MAX_SANDBOXES]],
        }
        folder = private_folder(self.path.parent)
        if not self._swept:  # remove files of killed kernels
            self._swept = True
            read_kernels(folder)
        replace_file(self.path, json.dumps(data))


def roster_folder() -> Path:
    """Return the folder of the files: ``kernels`` beside the journals."""
    return journals_folder().parent / "kernels"


def read_kernels(folder: Path | None = None) -> list[Kernel]:
    """Return the kernels of this place that have, or had, runs. Removes files of ended kernels."""
    try:
        paths = sorted((folder or roster_folder()).glob("*.json"))
    except (OSError, JournalError):
        return []
    return list(_living(paths))


def _living(paths: Sequence[Path]) -> Iterator[Kernel]:
    here = place()
    for path in paths:
        where, kernel = _read(path) or ("", None)
        if kernel is None:
            continue
        if where == here and is_there(kernel.pid, kernel.start):
            yield kernel
        elif where == here or _is_forgotten(path):
            with contextlib.suppress(OSError):
                path.unlink()


def _is_forgotten(path: Path) -> bool:
    try:
        return time.time() - path.stat().st_mtime > FORGOTTEN_SECONDS
    except OSError:
        return False


def place() -> str:
    """Return the scope of process ids: the boot of the machine, and the namespace; "" if the system does not tell."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
    except (OSError, UnicodeDecodeError):
        return ""


def is_there(pid: int, start: int) -> bool:
    """Return whether this process exists; True if unknown."""
    if not Path("/proc/self").exists():
        return True
    process = processes.stat(pid)
    return process is not None and process.state not in "ZX" and start in (0, process.start)


def _read(path: Path) -> tuple[str, Kernel] | None:
    """Return the place and the kernel of a file; None if it is not valid."""
    try:
        if path.is_symlink() or path.stat().st_size > MAX_ROSTER_BYTES:
            return None
        data = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or data.get("v") != VERSION or data.get("kernel") != path.stem:
        return None
    where, pid, start, runs = (data.get(name) for name in ("place", "pid", "start", "runs"))
    if not isinstance(where, str) or type(pid) is not int or type(start) is not int or not isinstance(runs, list):
        return None
    sandboxes = data.get("sandboxes")
    uses = sandboxes[:MAX_SANDBOXES] if isinstance(sandboxes, list) else []
    return where, Kernel(
        path.stem,
        pid,
        start,
        tuple(filter(None, map(_run, runs[:MAX_RUNS]))),
        tuple(filter(None, map(_use, uses))),
    )


def _run(data: Any) -> ActiveRun | None:
    if not isinstance(data, dict) or data.get("state") not in get_args(State):
        return None
    numbers: dict[str, Any] = {name: data.get(name) for name in ("step", "began", "since")}
    texts: dict[str, Any] = {name: data.get(name) for name in ("run", "session", "task", "cell", "client", "widget")}
    if not all(type(number) in (int, float) for number in numbers.values()):
        return None
    if not all(isinstance(text, str) and len(text) <= MAX_TEXT_CHARS for text in texts.values()):
        return None
    return ActiveRun(state=data["state"], **numbers, **texts)


def _use(data: Any) -> OpenSandbox | None:
    if not isinstance(data, dict):
        return None
    texts: dict[str, Any] = {name: data.get(name) for name in ("kind", "name", "run")}
    if not all(isinstance(text, str) and len(text) <= MAX_TEXT_CHARS for text in texts.values()):
        return None
    step, kept = data.get("step"), data.get("checkpoints", 0)  # missing in older kernels' files
    if type(step) is not int or type(kept) is not int or step < 0 or not 0 <= kept <= MAX_CHECKPOINTS:
        return None
    return OpenSandbox(**texts, step=step, checkpoints=kept)


# --- The state of each sandbox: the system's, engine's or provider's information, combined with its kernel's report of the runs.
#
# * Only the kernel knows whether code runs in an existing sandbox, and only the system, engine or provider knows whether a sandbox is
#   paused, stopped or gone.
# * A kernel reports its own sandboxes only. A sandbox without a report is ``OPEN``: it exists, and nothing else is known.


OPEN, IDLE, THINKS, ALONE = "open", "idle", "its agent thinks", "its kernel is gone"
CALLED = "call"  # the run of code that a caller runs itself


def with_states(sandboxes: Iterable[Sandbox], kernels: Sequence[Kernel] | None = None) -> list[Sandbox]:
    """Return the sandboxes, each with its state as text.

    Args:
        sandboxes: the result of ``smolcell.executors.inventory``.
        kernels: the kernels' reports; None for the current ones.
    """
    kernels_by_process = {kernel.process: kernel for kernel in (read_kernels() if kernels is None else kernels)}
    return [_with_state(each, kernels_by_process.get(each.kernel) if each.mine else None) for each in sandboxes]


def _with_state(each: Sandbox, kernel: Kernel | None) -> Sandbox:
    uses = kernel.sandboxes if kernel is not None else ()
    use = next((use for use in uses if (use.kind, use.name) == (each.kind, each.name)), None)
    kept = use.checkpoints if use is not None else 0
    return replace(each, state=_state(each, kernel, use), checkpoints=kept)


def _state(each: Sandbox, kernel: Kernel | None, use: OpenSandbox | None) -> str:
    if each.gone:
        return ALONE if each.state == RUNNING else f"{each.state}, {ALONE}"
    if kernel is None or use is None:
        return OPEN if each.state == RUNNING else each.state
    run = next((run for run in kernel.runs if run.run == use.run), None)
    if each.state == RUNNING:
        return _waiting(run) or _running(use, "running ") or (THINKS if _thinks(run) else IDLE)
    return ", ".join(filter(None, (each.state, _waiting(run) or _running(use, "in "))))


def _thinks(run: ActiveRun | None) -> bool:
    return run is not None and run.state == "thinking"


def _waiting(run: ActiveRun | None) -> str:
    if run is None or run.state != "pending":
        return ""
    return f"step {run.step} waits for you" if run.step else "its run waits for you"


def _running(use: OpenSandbox, word: str) -> str:
    if not use.step:
        return ""
    return f"{word}code" if use.run == CALLED else f"{word}step {use.step}"
