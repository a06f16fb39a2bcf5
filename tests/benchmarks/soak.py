"""Hours of mixed agent cells in two kernels: ``python tests/benchmarks/soak.py [--hours 2] [--pause 2] [--seed 1]``.

One kernel lives through all of it, the other is restarted, killed and started again. Cells are approved, edited, refused,
stopped and interrupted; their code fails, never ends, prints without end, and loses its sandbox; recordings end too early; pages
come and go. A cell that does not end within `PATIENCE` seconds is a deadlock. Every five minutes a line says how much memory,
how many descriptors, threads and processes the lasting kernel has, and how many folders lie in its state folder; at the end its
figures after a warm-up are set beside the last ones. Exit status 1: a deadlock, a wrong answer, growth, or something left over.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import statistics
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "notebook"))

from cells import AgentKernel
from kernels import kernel_env
from leftovers import parent_of, processes, workers

EVERY = 300.0  # seconds between two lines of the report, or a thirtieth of the whole
MAY_GROW = 1.10  # median of the last sixth beside that of the second one
MAY_KEEP = 0.005  # MB a cell: the notebook's own history, and the conversation until it is reset


# --- what a person does with a cell ---------------------------------------------------------------------------------------


def approved(kernel: AgentKernel, folder: Path) -> None:
    cell = kernel.agent("x = [n**2 for n in range(10)]", "print(sum(x))", "final_answer(sum(x))", folder=folder)
    page = kernel.page(cell)
    for step in (1, 2, 3):
        page.answer(step)
    kernel.ends(cell)
    assert kernel.run("print(answer)") == "285\n"


def edited(kernel: AgentKernel, folder: Path) -> None:
    cell = kernel.agent("final_answer(1)", folder=folder)
    page = kernel.page(cell)
    page.answer(1, "edit", text="final_answer(2)")
    kernel.ends(cell)
    assert kernel.run("print(answer)") == "2\n"


def refused(kernel: AgentKernel, folder: Path) -> None:
    cell = kernel.agent("final_answer('bad')", "final_answer('good')", folder=folder)
    page = kernel.page(cell)
    page.answer(1, "refuse", comment="not that")
    page.answer(2)
    kernel.ends(cell)
    assert kernel.run("print(answer)") == "good\n"


def stopped(kernel: AgentKernel, folder: Path) -> None:
    cell = kernel.agent("final_answer(1)", folder=folder)
    kernel.page(cell).answer(1, "stop")
    kernel.reply(cell, 60)
    kernel.idle(cell, 60)


def recovers(kernel: AgentKernel, folder: Path) -> None:
    cell = kernel.agent(
        "print(unknown)", "unknown = 7\nfinal_answer(unknown)", line="-o answer --approve auto", folder=folder
    )
    kernel.ends(cell)
    assert kernel.run("print(answer)") == "7\n"


def much_output(kernel: AgentKernel, folder: Path) -> None:
    program = "for n in range(200_000):\n    print(n, 'line')\nfinal_answer('printed')"
    kernel.ends(kernel.agent(program, line="-o answer --approve auto", folder=folder))
    assert kernel.run("print(answer)") == "printed\n"


def table(kernel: AgentKernel, folder: Path) -> None:
    if kernel.run("import importlib.util as u; print(bool(u.find_spec('pandas')))") == "False\n":
        return  # the smallest environments have none
    kernel.run("import pandas; frame = pandas.DataFrame({'a': range(50_000), 'b': 'text'})")
    program = "final_answer(int(frame['a'].sum()))"
    kernel.ends(kernel.agent(program, line="--in frame -o answer --approve auto --imports pandas", folder=folder))
    assert kernel.run("print(answer)") == "1249975000\n"


def interrupted_while_it_runs(kernel: AgentKernel, folder: Path) -> None:
    cell = kernel.agent("print('begun', flush=True)\nwhile True:\n    pass", line="--approve auto", folder=folder)
    kernel.page(cell).printed("begun")
    kernel.interrupt()
    kernel.ends(cell, "error")


def interrupted_while_it_waits(kernel: AgentKernel, folder: Path) -> None:
    cell = kernel.agent("final_answer(1)", folder=folder)
    kernel.page(cell).pending(1)
    kernel.interrupt()
    kernel.ends(cell, "error")


def sandbox_killed(kernel: AgentKernel, folder: Path) -> None:
    cell = kernel.agent(
        "print('begun', flush=True)\nwhile True:\n    pass", "final_answer('after')", line="-o answer", folder=folder
    )
    page = kernel.page(cell)
    page.answer(1)
    page.printed("begun")
    for worker in workers(kernel.pid):
        os.kill(worker.pid, signal.SIGKILL)
    page.answer(2)
    kernel.ends(cell)
    assert kernel.run("print(answer)") == "after\n"


def model_ends_too_early(kernel: AgentKernel, folder: Path) -> None:
    cell = kernel.agent("print('only step')", line="--approve auto", folder=folder)
    kernel.reply(cell, 60)
    kernel.idle(cell, 60)


def page_reloaded(kernel: AgentKernel, folder: Path) -> None:
    cell = kernel.agent("final_answer(5)", folder=folder)
    page = kernel.page(cell)
    page.pending(1)
    page.say(type="gone")
    page.say(type="ready")
    page.answer(1)
    kernel.ends(cell)
    assert kernel.run("print(answer)") == "5\n"


def fresh_session(kernel: AgentKernel, folder: Path) -> None:
    kernel.run("%agent reset")
    kernel.run("%agent status")


CELLS: dict[Callable[[AgentKernel, Path], None], int] = {
    approved: 6,
    edited: 3,
    refused: 3,
    stopped: 2,
    recovers: 3,
    much_output: 1,
    table: 2,
    interrupted_while_it_runs: 2,
    interrupted_while_it_waits: 2,
    sandbox_killed: 1,
    model_ends_too_early: 2,
    page_reloaded: 3,
    fresh_session: 1,
}


def anew(kernel: AgentKernel, chance: random.Random) -> None:
    """A restart as the menu does it, or after the kernel was killed."""
    mine = workers(kernel.pid)
    if chance.random() < 0.5:
        os.kill(kernel.pid, signal.SIGKILL)
    kernel.manager.restart_kernel(now=chance.random() < 0.5)
    kernel.client.wait_for_ready(timeout=60)
    for worker in mine:
        worker.gone(10)
    kernel.run("%load_ext smolcell", 60)


# --- what is measured -----------------------------------------------------------------------------------------------------


def state_of(kernel: AgentKernel, state: Path) -> dict[str, int]:
    """The kernel's own memory in MB, descriptors and threads, its family's processes, and the folders in its state."""
    proc = Path("/proc", str(kernel.pid))
    status = dict(line.split(":", 1) for line in (proc / "status").read_text().splitlines() if ":" in line)
    family = {kernel.pid}
    for _ in range(4):
        family |= {pid for pid in processes() if parent_of(pid) in family}
    return {
        "MB": int(status["VmRSS"].split()[0]) // 1024,
        "descriptors": len(list((proc / "fd").iterdir())),
        "threads": int(status["Threads"]),
        "processes": len(family),
        "folders": sum(path.is_dir() for path in state.rglob("*")),
    }


def told(seconds: float, done: Counter[str], faults: list[str], figures: dict[str, int]) -> None:
    print(
        f"{seconds / 60:6.1f} min  {done.total():5d} cells  {len(faults):3d} faults  "
        + "  ".join(f"{value} {name}" for name, value in figures.items()),
        flush=True,
    )


def growth(lines: list[dict[str, int]], cells: int) -> list[str]:
    """What grew, from the median of the second sixth to that of the last one; ``cells``: how many there were between them."""
    part = max(len(lines) // 6, 1)
    grown = []
    for name in lines[0]:
        early, late = (
            statistics.median(line[name] for line in some) for some in (lines[part : 2 * part] or lines, lines[-part:])
        )
        kept = MAY_KEEP * cells if name == "MB" else 0.0
        print(f"{name}: {early:g} -> {late:g}" + (f", {(late - early) / cells * 1000:.0f} kB a cell" if kept else ""))
        if late > max(early + kept, MAY_GROW * early) + 2:
            grown.append(f"{name} grew from {early:g} to {late:g}")
    return grown


def soak(hours: float, pause: float, chance: random.Random) -> list[str]:
    """Run; returns what went wrong."""
    done: Counter[str] = Counter()
    faults: list[str] = []
    lines: list[dict[str, int]] = []
    lasting = 0  # cells of the kernel that lives through it all
    with ExitStack() as stack:
        base = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="soak-")))
        state = base / "state"
        os.environ["SMOLCELL_STATE_DIR"] = str(state)
        homes = [base / "lasting", base / "restarted"]
        for home in homes:
            home.mkdir()
        kernels = [
            stack.enter_context(AgentKernel(python, home))
            for python, home in zip((sys.executable, kernel_env("6.31")), homes, strict=True)
        ]
        began, next_line = time.monotonic(), 0.0
        while (passed := time.monotonic() - began) < hours * 3600:
            which = chance.randrange(2)
            kernel, home = kernels[which], homes[which]
            (act,) = chance.choices(list(CELLS), list(CELLS.values()))
            name = act.__name__
            try:
                if which == 1 and chance.random() < 0.08:
                    name = "anew"
                    anew(kernel, chance)
                else:
                    act(kernel, home)
            except (AssertionError, OSError, TimeoutError):
                faults.append(
                    f"{passed:.0f} s, {('lasting', 'restarted')[which]}, {name}:\n{traceback.format_exc()[-3000:]}"
                )
                print(faults[-1], flush=True)
            done[name] += 1
            lasting += which == 0
            for old in home.glob("replay-*.jsonl"):
                old.unlink()
            kernel.settle(pause)
            kernel.seen.clear()
            if passed >= next_line:
                next_line += min(EVERY, hours * 120)
                lines.append(state_of(kernels[0], state))
                told(passed, done, faults, lines[-1])
        print(dict(done.most_common()))
        mine = [worker for kernel in kernels for worker in workers(kernel.pid)]
    for worker in mine:
        worker.gone(10)
    return faults + growth(lines, max(1, lasting * 2 // 3))


def main() -> int:
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--hours", type=float, default=2.0)
    made.add_argument("--pause", type=float, default=2.0, help="seconds between two cells")
    made.add_argument("--seed", type=int, default=1)
    given = made.parse_args()
    wrong = soak(given.hours, given.pause, random.Random(given.seed))
    print(f"{len(wrong)} faults" if wrong else "no fault, nothing grew, nothing was left")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
