"""What the guard costs: ``python tests/benchmarks/bench_guard.py [--rounds N] [--micro] [program ...]``.

Ten programs, each as plain compiled Python, under the guard in this process (the guard's own cost), as a step of the local
sandbox (with all that a step costs), as a step in level full (by the processor time of its process), and under smolagents'
``LocalPythonExecutor`` in a process of its own, if it is installed. The variants take turns in every round. They are compared by
processor time, each figure the median of the rounds' ratios; the step is compared by wall time, fastest with fastest.

Budgets: guarded at most 1.5 times plain on each program, 1.2 times in the geometric mean; full 1.02 times in the mean; at least
50 times faster than smolagents on the programs that are plain Python. A tree walker would take minutes for a program's full size,
so that one is compared on a smaller size, and plain Python with the guard on the same smaller size.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib.metadata
import importlib.util
import math
import multiprocessing
import statistics
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from guard_programs import OPERATIONS, PROGRAMS, Program

from smolcell.executors.local import LocalPythonExecutor
from smolcell.worker.guard import tables
from smolcell.worker.guard.imports import ModuleViews
from smolcell.worker.guard.transformer import LAST_VALUE_NAME, Guard, compile_program, guarded_builtins

PEER = "smolagents==1.26.0"
EACH, MEAN, FULL, FASTER = 1.5, 1.2, 1.02, 50
IMPORTS = ["numpy.*", "pandas.*"]
LEAST = 0.02  # seconds a timing of a small size lasts at least: it is repeated until then
Run = Callable[[str], Any]


def plain(text: str) -> Any:
    """Under CPython: compiled, executed in a fresh namespace."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile_program(text, "<agent step 1>", None), names)
    return names.get(LAST_VALUE_NAME)


def guarded(text: str) -> Any:
    """The same with the worker's guard: its check, its rewriting, its builtins."""
    module_views = ModuleViews([*tables.DEFAULT_IMPORTS, *IMPORTS])
    names: dict[str, Any] = {"__name__": "__main__", "__builtins__": guarded_builtins(module_views, "/nonexistent")}
    exec(compile_program(text, "<agent step 1>", Guard(module_views, (), names)), names)
    return names.get(LAST_VALUE_NAME)


def walk(text: str) -> Any:
    """Under smolagents' executor; a fresh one each time."""
    from smolagents.local_python_executor import LocalPythonExecutor as Walker

    executor = Walker(["*"], timeout_seconds=None)
    executor.send_tools({})
    return executor(text).output


class Peer:
    """smolagents in a process of its own: the guard in this one replaces parts of the standard library, which it would meet."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, far = context.Pipe()
        context.Process(target=serve, args=(far,), daemon=True).start()
        far.close()

    def timed(self, text: str, expected: Any, least: float) -> float:
        """Seconds of processor time of one run there; the result is checked."""
        self._pipe.send((text, expected, least))
        return float(self._pipe.recv())


def serve(pipe: Connection) -> None:
    """Time what comes in."""
    with contextlib.suppress(EOFError):
        while True:
            text, expected, least = pipe.recv()
            pipe.send(timed(walk, text, expected, time.process_time, least))


def timed(run: Run, text: str, expected: Any, clock: Callable[[], float], least: float = 0.0) -> float:
    """Seconds of one run; the result is checked."""
    gc.collect()
    runs, start = 0, clock()
    while not runs or clock() - start < least:
        result = run(text)
        runs += 1
    taken = (clock() - start) / runs
    if result != expected:
        raise SystemExit(f"{run} gives {result!r}, plain Python gives {expected!r}:\n{text}")
    return taken


def full_timed(executor: LocalPythonExecutor, text: str, expected: Any) -> float:
    """Seconds of processor time that a step in level full takes its process."""
    executor("import gc, time\ngc.collect()\nbegan_ = time.process_time()")
    result = executor(text).output
    taken = executor("time.process_time() - began_").output
    if result != expected:
        raise SystemExit(f"level full gives {result!r}, plain Python gives {expected!r}:\n{text}")
    return float(taken)


def compare(
    program: Program, sandbox: Run, full_executor: LocalPythonExecutor, peer: Peer | None, rounds: int
) -> dict[str, float]:
    """Median figures of one program: seconds plain, ratios of the others."""
    full, small = (program.text(size) for size in program.sizes)
    results = {text: plain(text) for text in (full, small)}
    for warm in (guarded, sandbox):
        timed(warm, full, results[full], time.perf_counter)
    full_timed(full_executor, full, results[full])
    found: dict[str, list[float]] = {"plain": [], "guard": [], "full": [], "walker": [], "faster": []}
    waits = []
    for _ in range(rounds):
        base = timed(plain, full, results[full], time.process_time)
        found["plain"].append(base)
        found["guard"].append(timed(guarded, full, results[full], time.process_time) / base)
        found["full"].append(full_timed(full_executor, full, results[full]) / base)
        waits.append([timed(run, full, results[full], time.perf_counter) for run in (plain, sandbox)])
        if peer is not None:
            slow = peer.timed(small, results[small], LEAST)
            found["walker"].append(slow / timed(plain, small, results[small], time.process_time, LEAST))
            found["faster"].append(slow / timed(guarded, small, results[small], time.process_time, LEAST))
    found["step"] = [min(step for _, step in waits) / min(wait for wait, _ in waits)]
    return {name: statistics.median(figures) for name, figures in found.items() if figures}


def table(names: list[str], rounds: int) -> None:
    """Print the programs' figures and the budgets beside them."""
    peer, rows = Peer() if importlib.util.find_spec("smolagents") else None, {}
    if peer is None:
        print(f"smolagents is not installed: pip install {PEER}\n")
    elif (version := importlib.metadata.version("smolagents")) != PEER.partition("==")[2]:
        print(f"smolagents {version} is installed; the budget is for {PEER}\n")
    print("program            plain s  guard ×   step ×   full ×  budget   smolagents ×  guard faster ×  budget")
    with LocalPythonExecutor(IMPORTS) as executor, LocalPythonExecutor(python="full") as full_executor:
        for name in names or PROGRAMS:
            sandbox: Run = lambda text: executor(text).output  # noqa: E731
            program, row = PROGRAMS[name], compare(PROGRAMS[name], sandbox, full_executor, peer, rounds)
            rows[name] = row
            walked = f"{row['walker']:14.1f}{row['faster']:16.1f}" if peer else f"{'-':>14}{'-':>16}"
            faster = f"  ≥ {FASTER}" if program.walked else ""
            print(
                f"{name:18}{row['plain']:8.3f}{row['guard']:9.2f}{row['step']:9.2f}{row['full']:9.3f}   ≤ {EACH}{walked}{faster}",
                flush=True,
            )
    means = [
        math.exp(statistics.fmean(math.log(row[column]) for row in rows.values()))
        for column in ("guard", "step", "full")
    ]
    print(f"{'geometric mean':26}{means[0]:9.2f}{means[1]:9.2f}{means[2]:9.3f}   ≤ {MEAN}, full ≤ {FULL}")
    over = [name for name, row in rows.items() if row["guard"] > EACH or row["step"] > EACH]
    slow = [name for name, row in rows.items() if peer and PROGRAMS[name].walked and row["faster"] < FASTER]
    print(
        f"over the budget of {EACH}: {', '.join(over) or 'none'}; less than {FASTER} times faster: {', '.join(slow) or 'none'}"
    )


def operations(rounds: int, size: int = 100_000) -> None:
    """Print what single operations cost, in nanoseconds, plain and guarded, without the loop around them."""
    loop = f"for turn in range({size}):\n    pass\nNone"
    print(f"{'operation':30}{'plain ns':>10}{'guard ns':>10}{'more ns':>10}{'ratio':>8}")
    for name, source in OPERATIONS.items():
        text = source.replace("SIZE", str(size)).strip("\n")
        base, costs = [], []
        for _ in range(rounds):
            empty = timed(plain, loop, None, time.process_time)
            base.append((timed(plain, text, None, time.process_time) - empty) / size * 1e9)
            costs.append((timed(guarded, text, None, time.process_time) - empty) / size * 1e9)
        before, after = max(statistics.median(base), 1.0), statistics.median(costs)
        print(f"{name:30}{before:10.0f}{after:10.0f}{after - before:10.0f}{after / before:8.1f}", flush=True)


def main() -> None:
    """Print the figures."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("programs", nargs="*", choices=[*PROGRAMS, []], help="all, where none is named")
    words.add_argument("--rounds", type=int, default=5)
    words.add_argument("--micro", action="store_true", help="single operations instead of programs")
    given = words.parse_args()
    if given.micro:
        operations(given.rounds)
    else:
        table(given.programs, given.rounds)


if __name__ == "__main__":
    main()
