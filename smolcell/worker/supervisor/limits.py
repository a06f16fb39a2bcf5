"""Limits that the kernel does not enforce: the memory of all processes together, and disk use, including deleted open files.

* While a step runs, measuring takes at most a twentieth of the time, however many processes and files there are.
* Both are also measured as each step ends, however short it was, before the next one starts; without frozen copies that wait.
* Between steps they are measured if a process of the code has run since the last look.
* Before processes are killed for their memory, shared memory is counted only once.
* The runner is ended last: copies and processes that earlier steps have left go first.
"""

from __future__ import annotations

import math
import os
import time
from typing import Any, Callable

from ..system import folders, processes
from ..system.processes import MAX_DISK_MB, total_memory_limit
from .checkpoints import Ring
from .child import Child, Runners

WATCH_SECONDS = 0.25  # seconds between two measurements
QUIET_SECONDS = 1.0  # seconds between two looks while nothing of the code runs
MEASURING_SHARE = 20  # measuring takes at most one part in this many of the time
MAX_FILES = 20_000  # maximum files in the code's folders


class Watch:
    """Measures the processes below this one, and the folders that the code may write to.

    Args:
        options: as in the host's hello: "memory" and "disk" in MB.
        written: the folders.

    Attributes:
        is_due: whether something may have changed since everything was measured.
    """

    def __init__(self, options: dict[str, Any], written: tuple[str, ...]) -> None:
        self.is_due = False
        self._memory = total_memory_limit(options["memory"]) if options.get("memory") else 0
        self._group = options.get("jail", {}).get("groups", {}).get("memory", "")
        self._ended = 0
        # Twice the limit: the host may have put in as much again.
        self._disk = 2 * int(options.get("disk", MAX_DISK_MB))
        self._written = written
        self._next = 0.0  # time of the next measurement while a step runs

    def is_time(self) -> bool:
        """Return whether to measure while a step runs."""
        return time.monotonic() >= self._next

    def start(self) -> None:
        """Begin a step: the first measurement comes after a while."""
        self.ran_out()  # kills of the runner's copies between steps are not counted
        if not self.is_due:  # or short steps could put it off for ever
            self._next = max(self._next, time.monotonic() + WATCH_SECONDS)
        self.is_due = True

    def measure(self, idle: set[int]) -> tuple[str, str]:
        """Return the limit that is exceeded: an exception's name and the message; two empty texts if none is.

        Args:
            idle: the processes known to hold no files in the folders and to have started nothing.
        """
        start = time.monotonic()
        others = processes.find_below(os.getpid(), idle)
        measured = self._measure_memory(others | idle) or self._measure_disk(others)
        self.is_due, self._next = False, next_look(start)
        return measured

    def finish(self, idle: set[int]) -> tuple[str, str]:
        """Measure at the end of a step, for which ``idle`` is left out: a step has not changed these processes."""
        others = processes.find_below(os.getpid(), idle)
        return self._measure_memory(others) or self._measure_disk(others)

    def _measure_memory(self, pids: set[int]) -> tuple[str, str] | None:
        limit = self._memory << 20
        if limit and processes.measure_memory(pids, limit) > limit:
            return "MemoryError", f"the processes of the code together took more than {self._memory:,} MB of memory"
        return None

    def clear(self) -> None:
        """Empty the folders, when no process uses them: a full one would end every later step."""
        for folder in self._written:
            try:
                folders.empty(folder)
            except OSError:
                pass  # the next measurement reports it

    def explain_end(self, idle: set[int]) -> tuple[str, str]:
        """Check, after a runner ended, whether the kernel killed a process of its group for its memory, or the disk is full."""
        if not self.ran_out():
            return self._measure_disk(processes.find_below(os.getpid(), idle))
        may = f"the sandbox's processes may take {self._memory:,} MB together, where the machine has it"
        return "MemoryError", f"memory ran out; {may}"

    def ran_out(self) -> bool:
        """Return whether the kernel killed a process of the group for its memory since the last call."""
        before, self._ended = self._ended, processes.count_memory_kills(self._group) if self._group else 0
        return self._ended > before

    def _measure_disk(self, pids: set[int]) -> tuple[str, str]:
        total = count = 0
        devices: set[int] = set()
        for folder in self._written:
            try:
                size, entries = folders.measure(folder, MAX_FILES)
                devices.add(os.stat(folder).st_dev)
            except OSError:
                continue
            total, count = total + size, count + entries
        total += processes.measure_deleted_files(pids, devices)
        if total > self._disk << 20:
            return "OSError", f"the code's folder holds more than {self._disk:,} MB"
        if count >= MAX_FILES:
            text = f"the code's folder holds more than {MAX_FILES:,} files, or folders that cannot be looked into"
            return "OSError", text
        return "", ""


def next_look(start: float) -> float:
    """Return when to measure again, if measuring began at ``start`` and has just ended."""
    now = time.monotonic()
    return now + max(WATCH_SECONDS, MEASURING_SHARE * (now - start))


LEFT_ENDED = "the processes that earlier steps had left were ended"
TOO_MANY = "earlier steps had left too many processes, which were ended; the variables are kept"
RAN_OUT = (
    "memory ran out between the steps; the system ended processes that earlier steps had left; the variables are kept"
)
Exceeded = tuple[str, str]
"""A limit that is exceeded, as an exception's name and the message; two empty texts if none is."""
WITHIN = ("", "")


class SandboxLimits:
    """Enforces the limits while a step runs, at its end and between the steps.

    Args:
        watch: measures; None if another sandbox around this one enforces the limits.
        runners: the runners of this sandbox.
        ring: their copies.
        agent: returns the agent's processes.

    Attributes:
        notes: what was done between the steps, as sentences for the next report.
    """

    def __init__(self, watch: Watch | None, runners: Runners, ring: Ring, agent: Callable[[], set[int]]) -> None:
        self._watch, self._runners, self._ring, self._agent = watch, runners, ring, agent
        self._running: list[bytes] = []  # how often each thread of the code had run at the last look, except the copies
        self._look_at = math.inf  # time of the next look between steps
        self.notes: list[str] = []

    def own_processes(self) -> set[int]:
        """Return the processes beside the runner that no step has left: the copies and the agent's."""
        return self._ring.processes() | self._agent()

    def note(self, text: str) -> None:
        """Add a sentence to the next report, once."""
        if text not in self.notes:
            self.notes.append(text)

    # --- while a step runs, and at its end ---

    @property
    def step_patience(self) -> float:
        """Seconds between two measurements while a step runs."""
        return math.inf if self._watch is None else WATCH_SECONDS

    def start(self) -> None:
        """Begin a request."""
        if self._watch is not None:
            self._watch.start()

    def measure(self, child: Child, begun: float) -> Exceeded:
        """Measure if it is time to; returns the limit that the step exceeds.

        Args:
            child: the runner.
            begun: time (``time.monotonic``) at which the step began.
        """
        if self._watch is None or not self._watch.is_time():
            return WITHIN
        idle = self._ring.find_idle()
        return self._come_below(self._watch.measure(idle), idle, child, begun)

    def finish(self, idle: set[int], child: Child, begun: float) -> Exceeded:
        """Measure at the end of a step; returns the limit that it exceeds. See ``Watch.finish`` and ``measure``."""
        return WITHIN if self._watch is None else self._come_below(self._watch.finish(idle), idle, child, begun)

    def explain_end(self) -> Exceeded:
        """Return the limit for which the system may have ended the runner during a step. See ``Watch.explain_end``."""
        return WITHIN if self._watch is None else self._watch.explain_end(self._ring.find_idle())

    def ran_out(self) -> bool:
        """Return whether the system ended a process for its memory since the last call."""
        return self._watch is not None and self._watch.ran_out()

    # --- between the steps ---

    def patience(self, child: Child | None) -> float:
        """Return the seconds until the next look between steps, or until the end of a runner that must be polled for."""
        polls = child is not None and child.exit_watch is None
        return min(self._look_at - time.monotonic(), 1.0 if polls else math.inf)

    def look_soon(self, seconds: float = WATCH_SECONDS) -> None:
        """Look between steps after these seconds at the latest."""
        self._look_at = time.monotonic() + seconds

    def schedule(self, child: Child | None) -> None:
        """Note what goes on after a request, and look again soon: what a step leaves must keep its limits, too."""
        watch = self._watch if self._runners.are_seen and not self._ring.next.is_awaited else None
        if watch is not None and child is not None:
            watch.ran_out()
            watch.is_due = True
            self._running = self._find_running()
            self.look_soon()

    def _find_running(self) -> list[bytes]:
        return processes.scheduled_below(self.own_processes())

    def is_left(self, child: Child | None) -> bool:
        """Return whether more went on at the last look than the runner's two threads, and init of its process namespace."""
        return child is not None and len(self._running) > 2 + (child.head != child.pid)

    def look(self, child: Child | None) -> Exceeded:
        """Measure if something of the code has run since the last look, such as a thread, or a handler of a timer.

        Returns:
            The limit that the runner exceeds by itself.
        """
        now, watch = time.monotonic(), self._watch
        if now < self._look_at:
            return WITHIN
        if watch is None or child is None:
            self._look_at = math.inf
            return WITHIN
        was_left, before, self._running = self.is_left(child), self._running, self._find_running()
        idle = self._ring.find_idle()
        if not watch.is_due and self._running == before and idle == self._ring.processes():
            self._look_at = now + QUIET_SECONDS
            return WITHIN
        if was_left and watch.ran_out():
            self.note(RAN_OUT)
        if child.kill_many_others(self.own_processes(), idle)[0]:
            self.note(TOO_MANY)
        exceeded = self._come_below(watch.measure(idle), idle, child)
        self._look_at = next_look(now)
        return exceeded

    def _come_below(self, exceeded: Exceeded, idle: set[int], child: Child, begun: float = math.inf) -> Exceeded:
        """Try to come below a limit without ending the runner: drop copies, and end the processes that earlier steps left.

        Args:
            exceeded: the limit.
            idle: the copies that it took for idle.
            child: the runner.
            begun: when the step that runs began; infinite if none does.

        Returns:
            The limit that is still exceeded.
        """
        name, text = exceeded
        if not name or self._watch is None or not self._runners.can_fork:
            return exceeded
        if name == "MemoryError" and self._ring.give_back():
            self._watch.is_due = True
            return WITHIN
        own, in_step = self.own_processes(), begun < math.inf
        before = processes.ticks_after_boot(time.monotonic() - begun) if in_step else math.inf
        done = [text]
        if processes.find_unknown_below({child.pid, child.head}, own, before):
            done.append(LEFT_ENDED)
        else:
            self._running = self._find_running()  # the system may have ended some
            if in_step or self.is_left(child) or self._ring.next.is_awaited:
                return exceeded  # the step itself, a thread of the runner, or what the program does at a fork
        child.kill_others(own, before)
        still = self._watch.measure(idle)
        if still[0] == "OSError" and not in_step:
            self.empty_folder()
            done.append("the folder was emptied")
            still = self._watch.measure(idle)
        if not still[0]:
            self.note("; ".join((*done, "the variables are kept")))
        return still

    def empty_folder(self) -> None:
        """Empty the code's folders while no step uses them; the user's mounts stay linked from there."""
        if self._watch is not None:
            self._watch.clear()
        self._runners.link_mounts()
