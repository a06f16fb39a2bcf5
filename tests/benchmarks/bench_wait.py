"""How soon a waiting cell hears its page, in every ipykernel: ``python tests/benchmarks/bench_wait.py [version ...]``.

Budgets: a click is heard within 500 ms, an interrupt ends the wait within 1 s. *Heard* is from the client's send to the
comm's callback; *answered* is until the client has read what the callback sent back. ``idle``: the same kernel with no
cell running, for comparison; ``-`` is never (ipykernel 6 has no subshells).
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from kernels import SUBSHELL_VERSIONS, VERSIONS, KernelClient, kernel_env

CLICKS = 300

SETUP = """
import threading, time
from concurrent.futures import Future
from comm import create_comm
from smolcell.notebook.wait import KernelWaiter
waiter, done = KernelWaiter(get_ipython()), Future()
comm = create_comm(target_name="smolcell.bench")
def on_msg(message):
    data = message["content"]["data"]
    comm.send({"heard": data, "at": time.monotonic()})
    if data == "done":
        threading.Timer(0.3, lambda: done.set_result(time.monotonic())).start()
comm.on_msg(on_msg)
"""
WAIT = 'print(end="waiting ", flush=True); print(waiter.wait(done))'


def spread(seconds: list[float]) -> str:
    """Median / 99th percentile / worst, in milliseconds."""
    worst = sorted(seconds)
    return " / ".join(f"{1000 * s:.1f}" for s in (statistics.median(worst), worst[int(len(worst) * 0.99)], worst[-1]))


def clicks(kernel: KernelClient, comm_id: str, subshell: str | None = None) -> tuple[str, str]:
    """Spread of heard and answered, over `CLICKS` clicks with a pause between."""
    heard, answered = [], []
    for number in range(CLICKS):
        kernel.seen.clear()
        sent = time.monotonic()
        click = kernel.send_comm(comm_id, number, subshell=subshell)
        report = kernel.until(lambda m, click=click: m.type == "comm_msg" and m.parent == click)  # type: ignore[misc]
        heard.append(report.content["data"]["at"] - sent)
        answered.append(report.at - sent)
        kernel.settle(0.003 + 0.0001 * (number % 20))
    return spread(heard), spread(answered)


def timed(kernel: KernelClient, act: Callable[[], str], times: int) -> str:
    """Spread of the time to the reply, over some requests."""
    taken = []
    for _ in range(times):
        sent = time.monotonic()
        taken.append(kernel.reply(act()).at - sent)
    return spread(taken)


def begin(kernel: KernelClient) -> tuple[str, str]:
    """Start a waiting cell; returns its id and its comm's."""
    kernel.run(SETUP)
    comm_id = [m for m in kernel.seen if m.type == "comm_open"][-1].content["comm_id"]
    cell = kernel.execute(WAIT)
    kernel.until(lambda m: m.type == "stream" and m.parent == cell)
    return cell, comm_id


def interrupts(kernel: KernelClient, times: int = 10) -> str:
    """Spread of the time from the interrupt to the cell's reply."""
    taken = []
    for _ in range(times):
        cell, comm_id = begin(kernel)
        click = kernel.send_comm(comm_id, 0)
        kernel.idle(click)
        sent = time.monotonic()
        kernel.interrupt()
        taken.append(kernel.reply(cell).at - sent)
        kernel.settle(0.2)
    return spread(taken)


def measure(version: str) -> list[tuple[str, str]]:
    with tempfile.TemporaryDirectory() as folder, KernelClient(kernel_env(version), Path(folder)) as kernel:
        kernel.run(SETUP)
        comm_id = [m for m in kernel.seen if m.type == "comm_open"][-1].content["comm_id"]
        idle = clicks(kernel, comm_id)
        cell, comm_id = begin(kernel)
        waiting = clicks(kernel, comm_id)
        info = timed(kernel, lambda: kernel.request("kernel_info_request"), 100)
        sub = clicks(kernel, comm_id, kernel.create_subshell()) if version in SUBSHELL_VERSIONS else ("-", "-")
        kernel.send_comm(comm_id, "done")
        ended = kernel.reply(cell).at
        kernel.idle(cell)
        end = f"{1000 * (ended - float(kernel.printed(cell).split()[-1])):.1f}"
        return [
            ("click heard", waiting[0]),
            ("click heard, idle", idle[0]),
            ("click answered", waiting[1]),
            ("click answered, idle", idle[1]),
            ("click on a subshell heard", sub[0]),
            ("kernel_info answered", info),
            ("result there -> cell over", end),
            ("interrupt -> cell over", interrupts(kernel)),
        ]


def main() -> None:
    print("milliseconds: median / 99th percentile / worst")
    for version in sys.argv[1:] or VERSIONS:
        print(f"\nipykernel {version}")
        for name, figure in measure(version):
            print(f"  {name:28}{figure}")


if __name__ == "__main__":
    main()
