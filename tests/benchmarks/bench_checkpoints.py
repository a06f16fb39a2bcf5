"""What checkpoints cost: ``python tests/benchmarks/bench_checkpoints.py [MB …]``.

Steps run by turns in a sandbox with checkpoints and in one without, once with a pause before each, as of a model that thinks, and
once without pauses. A fork that does nothing else is timed beside them, for the ratio.

Budgets: at most 1 ms and 15 ms/GB a step after a pause; at most 50 ms to go back.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from typing import Any

from smolcell.events import Proposed
from smolcell.executors.local import LocalPythonExecutor
from smolcell.permit import permit

STEPS = 30
PAUSE = 0.1  # seconds
COST, PER_GB, BACK = 1.0, 15.0, 50.0  # milliseconds
STEP = "x[0] = 1"
FORK = """
import os, time
start = time.perf_counter()
child = os.fork()
if not child:
    os._exit(0)
print((time.perf_counter() - start) * 1000)
pid, status = os.waitpid(child, 0)
"""


class Sandbox:
    """One sandbox that holds so many MB of numbers."""

    def __init__(self, megabytes: int, checkpoints: int) -> None:
        memory = 4 * megabytes + 1024
        self.executor = LocalPythonExecutor(["*"], python="full", memory=memory, checkpoints=checkpoints)
        self.loop, self.steps = asyncio.new_event_loop(), 0
        self.printed = ""
        self.run(f"x = bytearray(({megabytes} << 20) + 1)\nx[::4096] = b'1' * len(x[::4096])")
        self.run("pass")

    def run(self, code: str, pause: float = 0.0) -> float:
        """Milliseconds of one step after a pause, as the host sees it."""
        self.steps += 1
        time.sleep(pause)
        allowed = permit(Proposed(run="run", step=self.steps, text=code), by="caller")
        start = time.perf_counter()
        observed = self.loop.run_until_complete(self.executor.run(allowed, lambda *_: None, _no_tools))
        taken = (time.perf_counter() - start) * 1000
        assert observed.error is None, observed.error
        self.printed = observed.stdout
        return taken

    def fork(self) -> float:
        """Milliseconds of a fork of its process."""
        self.run(FORK)
        return float(self.printed)

    def back(self) -> float:
        """Milliseconds to go back by a step."""
        start = time.perf_counter()
        self.loop.run_until_complete(self.executor.checkpoints.rollback("run", self.steps))
        self.steps -= 1
        return (time.perf_counter() - start) * 1000

    def held(self) -> int:
        """MB that its copies hold for themselves."""
        return sum(each.memory or 0 for each in self.loop.run_until_complete(self.executor.checkpoints.kept()))

    def close(self) -> None:
        self.executor.close()
        self.loop.close()


async def _no_tools(*_: Any) -> Any:
    raise AssertionError


def compare(kept: Sandbox, plain: Sandbox, pause: float) -> tuple[float, float]:
    """The median step without checkpoints, and the median of the time that they add, in milliseconds."""
    pairs = [(kept.run(STEP, pause), plain.run(STEP, pause)) for _ in range(STEPS)]
    return statistics.median(b for _, b in pairs), statistics.median(a - b for a, b in pairs)


def main(sizes: list[int]) -> int:
    """Print the figures; the exit code says whether the budgets hold."""
    within = True
    print("milliseconds; they add so much to a step after a pause (to one without), in forks of that process")
    print(f"{'MB':>6} {'step':>7} {'adds':>16} {'budget':>7} {'fork':>7} {'in forks':>13} {'back':>7} {'copies':>8}")
    for size in sizes:
        kept, plain = Sandbox(size, 10), Sandbox(size, 0)
        (step, adds), (_, hurried) = compare(kept, plain, PAUSE), compare(kept, plain, 0.0)
        fork = statistics.median(plain.fork() for _ in range(STEPS))
        held = kept.held()
        back = statistics.median(kept.back() for _ in range(8))
        budget = COST + PER_GB * size / 1024
        within = within and adds <= budget and back <= BACK
        print(
            f"{size:>6} {step:>7.2f} {f'{adds:.2f} ({hurried:.2f})':>16} {budget:>7.2f} {fork:>7.2f}"
            f" {f'{adds / fork:.1f} ({hurried / fork:.1f})':>13} {back:>7.1f} {held:>5} MB"
        )
        kept.close()
        plain.close()
    print("within the budgets" if within else "NOT within the budgets")
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main([int(word) for word in sys.argv[1:]] or [0, 100, 1024]))
