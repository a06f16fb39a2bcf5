"""Figures of the sandboxes of providers, over a stand-in on this machine: ``python tests/benchmarks/bench_remote.py [e2b|blaxel|modal]``.

What they leave out is the network and the provider's own time to make a machine: they show what smolcell and the SDK add. Cold is the
first sandbox of a process, which imports the SDK; warm is each later one.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from bench_docker import shown
from bench_local import through_the_driver, timed

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "executors"))

from provider_parts import KINDS, running

NAME = (sys.argv[1:] or ["e2b"])[0]
InTests, _ = KINDS[NAME]


def start(**options: Any) -> tuple[float, Any]:
    """Start → result of ``1 + 1``, and the sandbox."""
    executor = InTests(**options)
    return timed(lambda: executor("1 + 1")), executor


def starts(rounds: int = 9) -> list[float]:
    """The same, again and again."""
    found = []
    for _ in range(rounds):
        seconds, executor = start()
        found.append(seconds)
        executor.close()
    return found


def tables(executor: Any, rows: int, name: str) -> None:
    """Print how long a DataFrame of ten columns takes."""
    import numpy
    import pandas

    frame = pandas.DataFrame(numpy.random.default_rng(0).random((rows, 10)))
    print(f"{name} frame in: {shown([timed(lambda: executor.send_variables({'frame': frame})) for _ in range(5)])}")
    pulled: list[Any] = []
    got = [timed(lambda: pulled.append(asyncio.run(executor.pull(["frame"]))["frame"])) for _ in range(5)]
    print(f"{name} frame out: {shown(got)}; {'the same' if pulled[-1].equals(frame) else 'ANOTHER'}")


def main() -> None:
    """Print the figures."""
    with running(NAME):
        cold, executor = start()
        print(
            f"{InTests.title}'s SDK over a stand-in on this machine\ncold start → 1 + 1: {cold * 1e3:,.0f} ms (with the SDK's import)"
        )
        executor.close()
        print(f"warm start → 1 + 1: {shown(starts())}")
        driven = through_the_driver(sandbox=InTests())
        print(f"proposed → observed: {shown(driven)}, p99 {sorted(driven)[-3] * 1e3:.2f} ms")
        _, executor = start(additional_authorized_imports=["pandas"], memory=8192)
        print(f"one step: {shown([timed(lambda: executor('1 + 1')) for _ in range(300)])}")
        executor.send_tools({"same": lambda value: value})
        call = executor(
            "import time\nt = time.perf_counter()\nfor i in range(200): same(i)\n(time.perf_counter() - t) / 200"
        )
        print(f"one tool call: {call.output * 1e3:.2f} ms")
        for rows, name in ((12_500, "1 MB"), (250_000, "20 MB")):
            tables(executor, rows, name)
        executor.close()


if __name__ == "__main__":
    main()
