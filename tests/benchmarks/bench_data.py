"""Tables in and out of the local sandbox, beside one copy of their memory: ``python tests/benchmarks/bench_data.py``.

Budget: a 100 MB frame of floats or ints goes in within twice one copy of it into fresh memory plus 50 ms. The way out, and columns of
Python objects, are reported and have none.
"""

from __future__ import annotations

import asyncio
import mmap
import statistics
import time
from collections.abc import Callable
from typing import Any

from smolcell.executors import create_executor

ROUNDS = 5


def median(work: Callable[[], Any]) -> float:
    """Milliseconds that the work takes; the median of a few rounds."""
    found = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        found.append(1e3 * (time.perf_counter() - start))
    return statistics.median(found)


def fresh_copy(size: int) -> Callable[[], Any]:
    """One copy of so many bytes into memory that the system has to hand out first."""
    import numpy

    source = numpy.ones(size, dtype=numpy.uint8)

    def copy() -> None:
        target = mmap.mmap(-1, size)
        numpy.frombuffer(target, dtype=numpy.uint8)[:] = source

    return copy


def frames() -> dict[str, Any]:
    """The tables, by what is in them."""
    import numpy
    import pandas

    random = numpy.random.default_rng(0)
    rows = 500_000
    words = numpy.array([f"item {number % 5000}" for number in range(rows)], dtype=object)
    return {
        "100 MB of float64": pandas.DataFrame(random.random((1_250_000, 10))),
        "100 MB of int64": pandas.DataFrame(random.integers(0, 1000, (1_250_000, 10))),
        "numbers and dates": pandas.DataFrame(
            {
                "day": pandas.date_range("2000", periods=rows, freq="min"),
                "a": random.random(rows),
                "b": random.integers(0, 9, rows),
            }
        ),
        "strings (str)": pandas.DataFrame(
            {"a": pandas.Series(words, dtype="str"), "b": pandas.Series(words, dtype="str")}
        ),
        "Python strings": pandas.DataFrame({"a": words, "b": words}, dtype=object),
        "lists": pandas.DataFrame({"a": pandas.Series([[number, number + 1] for number in range(100_000)])}),
        "mixed objects": pandas.DataFrame(
            {"a": pandas.Series([number if number % 2 else "a" for number in range(100_000)], dtype=object)}
        ),
    }


def main() -> None:
    """Print the figures."""
    executor: Any = create_executor("local", additional_authorized_imports=["pandas"], memory=8192, timeout=300)
    executor("import pandas")
    print(f"{'table':20} {'MB':>5} {'a copy':>8} {'in':>8} {'out':>8}   (ms, medians)   budget for in")
    for name, frame in frames().items():
        size = int(frame.memory_usage(deep=False).sum())
        copy = median(fresh_copy(size))
        sent = median(lambda frame=frame: executor.send_variables({"frame": frame}))
        came = median(lambda: asyncio.run(executor.pull(["frame"])))
        budget = f"{2 * copy + 50:.0f}" if "MB" in name else "none"
        print(f"{name:20} {size / 1e6:5.0f} {copy:8.0f} {sent:8.0f} {came:8.0f}   {'':15} {budget}")
    executor.close()


if __name__ == "__main__":
    main()
