"""Figures of many local sandboxes in one process: ``python tests/benchmarks/bench_many.py [sandboxes] [agents]``.

Budgets: 15 MB PSS per idle sandbox; 20 agents/s for 100 agents of two scripted steps in one process on two cores.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from smolcell.executors import create_executor
from smolcell.executors.local import WarmParent
from smolcell.worker.system import processes


def pss(pid: int) -> float:
    """MB that a process holds, of what it shares its part; 0.0 if it is gone."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0.0)


def idle(count: int) -> None:
    """Start sandboxes, and print their memory, of all processes below this one (with the reaper and the warm parent)."""
    before = processes.find_tree(os.getpid())
    starts, opened = [], []
    for _ in range(count):
        executor: Any = create_executor("local")
        start = time.perf_counter()
        executor("1 + 1")
        starts.append(time.perf_counter() - start)
        opened.append(executor)
        if len(opened) in (1, count):
            members = processes.find_tree(os.getpid()) - before
            total = sum(map(pss, members))
            print(
                f"{len(opened)} idle sandboxes: {len(members)} processes, {total:.1f} MB PSS,"
                f" {total / len(opened):.1f} MB a sandbox"
            )
    print(
        "the last one:", ", ".join(f"{pss(pid):.1f} MB" for pid in sorted(processes.find_tree(executor._channel.pid)))
    )
    print(
        f"start → 1 + 1: first {starts[0] * 1e3:.0f} ms, then median {statistics.median(starts[1:] or starts) * 1e3:.0f} ms"
    )
    for executor in opened:
        executor.close()


async def agents(count: int, at_once: int) -> None:
    """Run agents of two steps, so many at once, and print how many end in a second."""
    from smolcell.agent import CodeAgent
    from smolcell.testing import ScriptedModel, allow_all

    room = asyncio.Semaphore(at_once)

    async def one() -> Any:
        async with room:
            model = ScriptedModel("<code>\nx = 6 * 7\n</code>", "<code>\nfinal_answer(x)\n</code>")
            with CodeAgent(tools=[], model=model, sandbox="local", gate=allow_all) as agent:
                return await agent.arun("Multiply.")

    start, cpu = time.perf_counter(), sum(os.times()[:4])
    found = await asyncio.gather(*(one() for _ in range(count)))
    seconds = time.perf_counter() - start
    assert found == [42] * count
    each = (sum(os.times()[:4]) - cpu) / count
    print(
        f"{count} agents of two steps, {at_once} at once: {seconds:.1f} s, {count / seconds:.1f} agents/s,"
        f" {each * 1e3:.0f} ms of processor time each"
    )


def figures(sandboxes: int, runs: int) -> None:
    """Print both."""
    idle(sandboxes)
    for at_once in (4, 16):
        asyncio.run(agents(runs, at_once))


def refuse(*_: Any) -> Any:
    raise OSError(0, "not in this benchmark")


def main(sandboxes: int = 20, runs: int = 100) -> None:
    """Print the figures, also those without a warm parent."""
    figures(sandboxes, runs)
    print("--- without a warm parent")
    WarmParent.start = refuse  # type: ignore[method-assign]
    figures(sandboxes, runs)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
