"""What checkpoints cost: ``python tests/benchmarks/bench_checkpoints.py [MB …]``.

Budgets: at most 1 ms and 15 ms/GB a step; at most 50 ms to go back.
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

STEPS = 20
COST, PER_GB, BACK = 1.0, 15.0, 50.0  # milliseconds


class Sandbox:
    """One sandbox that holds so many MB of numbers."""

    def __init__(self, megabytes: int, checkpoints: int) -> None:
        memory = 4 * megabytes + 1024
        self.executor = LocalPythonExecutor(["*"], python="full", memory=memory, checkpoints=checkpoints)
        self.loop, self.steps = asyncio.new_event_loop(), 0
        self.run(f"x = bytearray(({megabytes} << 20) + 1)\nx[::4096] = b'1' * len(x[::4096])")
        self.run("pass")

    def run(self, code: str) -> float:
        """Milliseconds of one step, as the host sees it."""
        self.steps += 1
        allowed = permit(Proposed(run="run", step=self.steps, text=code), by="caller")
        start = time.perf_counter()
        observed = self.loop.run_until_complete(self.executor.run(allowed, lambda *_: None, _no_tools))
        taken = (time.perf_counter() - start) * 1000
        assert observed.error is None, observed.error
        return taken

    def back(self) -> float:
        """Milliseconds to go back by a step."""
        start = time.perf_counter()
        self.loop.run_until_complete(self.executor.rollback("run", self.steps))
        self.steps -= 1
        return (time.perf_counter() - start) * 1000

    def held(self) -> int:
        """MB that its copies hold for themselves."""
        return sum(each.memory for each in self.loop.run_until_complete(self.executor.kept_checkpoints()))

    def close(self) -> None:
        self.executor.close()
        self.loop.close()


async def _no_tools(*_: Any) -> Any:
    raise AssertionError


def main(sizes: list[int]) -> int:
    """Print the figures; the exit code says whether the budgets hold."""
    within = True
    print(f"{'MB':>6} {'step':>9} {'without':>9} {'a step':>9} {'budget':>9} {'back':>9} {'copies':>10}")
    for size in sizes:
        kept, plain = Sandbox(size, 10), Sandbox(size, 0)
        pairs = [(kept.run("x[0] = 1"), plain.run("x[0] = 1")) for _ in range(STEPS)]
        took, without = (statistics.median(column) for column in zip(*pairs, strict=True))
        held = kept.held()
        back = statistics.median(kept.back() for _ in range(8))
        budget = COST + PER_GB * size / 1024
        within = within and took - without <= budget and back <= BACK
        print(
            f"{size:>6} {took:>6.2f} ms {without:>6.2f} ms {took - without:>6.2f} ms {budget:>6.2f} ms {back:>6.1f} ms {held:>7} MB"
        )
        kept.close()
        plain.close()
    print("within the budgets" if within else "NOT within the budgets")
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main([int(word) for word in sys.argv[1:]] or [0, 100, 1024]))
