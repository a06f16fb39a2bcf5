"""Figures of the local sandbox: ``python tests/benchmarks/bench_local.py``.

Budgets: start to the first result 150 ms cold; overhead of a step 5 ms (median); a 100 MB frame of floats within twice
one copy of it into fresh memory plus 50 ms.
"""

from __future__ import annotations

import json
import mmap
import statistics
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

from smolcell.executors import create_executor


def timed(work: Callable[[], Any]) -> float:
    """Seconds that the work takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def cold(rounds: int = 7) -> list[float]:
    """Start → result of ``1 + 1``, each with a new executor."""
    found = []
    for _ in range(rounds):
        executor: Any = create_executor("local")
        found.append(timed(lambda executor=executor: executor("1 + 1")))
        executor.close()
    return found


def fresh_copy(values: Any) -> None:
    """One copy into memory that the system has to hand out first (an allocator may return what was just freed)."""
    import numpy

    target = mmap.mmap(-1, values.nbytes)
    numpy.frombuffer(target, dtype=values.dtype)[:] = values


def through_the_driver(count: int = 300, sandbox: Any = "local") -> list[float]:
    """Seconds from each ``Proposed`` to its ``Observed`` in a whole run, by its journal: gate, permit on disk, sandbox."""
    from smolcell.agent import CodeAgent
    from smolcell.testing import ScriptedModel, allow_all

    replies = ["<code>\n1 + 1\n</code>"] * count + ["<code>\nfinal_answer(2)\n</code>"]
    model = ScriptedModel(*replies)
    with CodeAgent(tools=[], model=model, sandbox=sandbox, gate=allow_all, max_steps=count + 1) as agent:
        agent.run("Add.")
        records = [json.loads(line) for line in agent.journal.path.read_text().splitlines()]
    at = {
        (record["event"]["event"], record["event"].get("step")): datetime.fromisoformat(record["at"]).timestamp()
        for record in records
    }
    return [at["Observed", step] - at["Proposed", step] for step in range(2, count + 1)]  # the first starts the sandbox


def main() -> None:
    """Print the figures."""
    import numpy
    import pandas

    starts = cold()
    print(f"start → 1 + 1: first {starts[0] * 1e3:.0f} ms, then median {statistics.median(starts[1:]) * 1e3:.0f} ms")
    executor: Any = create_executor("local", additional_authorized_imports=["pandas"], memory=8192)
    executor("import pandas")
    steps = [timed(lambda: executor("1 + 1")) for _ in range(500)]
    print(f"one step: median {statistics.median(steps) * 1e3:.2f} ms, p99 {sorted(steps)[-5] * 1e3:.2f} ms")
    driven = through_the_driver()
    print(
        f"proposed → observed: median {statistics.median(driven) * 1e3:.2f} ms, p99 {sorted(driven)[-3] * 1e3:.2f} ms"
    )
    executor.send_tools({"same": lambda value: value})
    calls = executor(
        "import time\nt = time.perf_counter()\nfor i in range(200): same(i)\n(time.perf_counter() - t) / 200"
    )
    print(f"one tool call: {calls.output * 1e3:.2f} ms")
    frame = pandas.DataFrame(numpy.random.default_rng(0).random((1_250_000, 10)))
    values = frame.to_numpy().ravel(order="K")
    copies = [timed(lambda: fresh_copy(values)) for _ in range(5)]
    sends = [timed(lambda: executor.send_variables({"frame": frame})) for _ in range(5)]
    budget = 2 * statistics.median(copies) + 0.05
    print(
        f"100 MB frame in: median {statistics.median(sends) * 1e3:.0f} ms; budget {budget * 1e3:.0f} ms "
        f"(a copy: {min(copies) * 1e3:.0f} to {max(copies) * 1e3:.0f} ms)"
    )
    executor.close()


if __name__ == "__main__":
    main()
