"""Many runs: overhead of a job, memory over its length, and what one machine carries.

python tests/benchmarks/bench_map.py ratio [COUNT]             the same runs by map, by a loop, and by concurrent.futures
python tests/benchmarks/bench_map.py memory [COUNT] [ENGINE]   2,000 tasks on LocalCluster(2): memory of client and workers
python tests/benchmarks/bench_map.py interrupt [ENGINE…]       seconds from Ctrl-C until the command has ended, and all it had started
"""

from __future__ import annotations

import itertools
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "scale"))

import psutil
from jobs import command, job, spec, written

from smolcell import scale
from smolcell.agent import CodeAgent
from smolcell.approval.gates import allow_all
from smolcell.models.recording import ReplayModel

THREADS = 4
BUDGET_MS = 20.0


def once(recording: ReplayModel, number: int) -> int:
    """One task as a person would write it without a job."""
    with CodeAgent(model=recording.afresh(), gate=allow_all, executor_kwargs={"python": "auto"}) as agent:
        return agent.run(f"Task number {number}.")


def ratio(folder: Path, count: int) -> None:
    tasks, replay = job(folder, count)
    recording = ReplayModel(replay)
    once(recording, 0)
    found: dict[str, list[float]] = {"loop": [], "futures": [], "map local:1": [], "map local:4": []}
    spent: dict[str, list[float]] = {
        "loop": [],
        "map local:1": [],
    }  # of this process's processors: a busy machine does not count
    for turn in range(3):
        begun, used = time.perf_counter(), time.process_time()
        assert [once(recording, number) for number in range(count)] == [2 * number for number in range(count)]
        found["loop"].append(time.perf_counter() - begun)
        spent["loop"].append(time.process_time() - used)
        begun = time.perf_counter()
        with ThreadPoolExecutor(THREADS) as pool:
            assert list(pool.map(lambda number: once(recording, number), range(count))) == [2 * n for n in range(count)]
        found["futures"].append(time.perf_counter() - begun)
        for threads in (1, THREADS):
            begun, used = time.perf_counter(), time.process_time()
            assert scale.map(tasks, spec(replay), f"local:{threads}", out=folder / f"out-{turn}-{threads}").ok
            found[f"map local:{threads}"].append(time.perf_counter() - begun)
            if threads == 1:
                spent["map local:1"].append(time.process_time() - used)
    best = {name: min(times) for name, times in found.items()}
    for name, seconds in best.items():
        print(f"{name:12}  {1000 * seconds / count:7.1f} ms a task  ({count / seconds:.1f} tasks/s)")
    over = 1000 * (best["map local:1"] - best["loop"]) / count
    cpu = 1000 * (min(spent["map local:1"]) - min(spent["loop"])) / count
    print(
        f"map local:1 ÷ loop: {best['map local:1'] / best['loop']:.2f}; map local:4 ÷ futures: {best['map local:4'] / best['futures']:.2f}"
    )
    print(f"overhead: {over:.1f} ms a task by the clock, {cpu:.1f} ms of processor time (budget {BUDGET_MS:g})")


def memory(folder: Path, count: int, engine: str) -> None:
    tasks, replay = job(folder, count)
    out = folder / "out"
    begun = time.perf_counter()
    samples: list[tuple[int, float, float]] = []
    with subprocess.Popen(command(tasks, replay, out, "--on", engine), stderr=subprocess.DEVNULL) as process:
        client = psutil.Process(process.pid)
        while process.poll() is None:
            rows = written(out)
            if rows >= len(samples) * count / 10:
                spawned = [each for each in client.children() if "spawn_main" in " ".join(each.cmdline())]
                workers = sum(each.memory_info().rss for each in spawned) / 2**20
                samples.append((rows, client.memory_info().rss / 2**20, workers))
                print(f"{rows:6} rows  client {samples[-1][1]:6.0f} MB  workers {workers:6.0f} MB", flush=True)
            time.sleep(0.5)
    seconds = time.perf_counter() - begun
    later = samples[len(samples) // 3 : -1]  # at the end workers are gone
    growth = later[-1][1] + later[-1][2] - later[0][1] - later[0][2]
    print(f"exit {process.returncode}; {written(out)} rows in {seconds:.0f} s: {written(out) / seconds:.1f} tasks/s")
    print(
        f"memory from a third on: {growth:+.0f} MB; median {statistics.median(each[1] + each[2] for each in later):.0f} MB"
    )


STEPS = {
    "sleeps": "import time\ntime.sleep(60)",
    "a loop": "while True: pass",
    "one C call": "x = 9 ** (9 ** 8)",
    "ignores all": "import time\nwhile True:\n    try: time.sleep(1)\n    except BaseException: pass",
}


def interrupt(folder: Path, engine: str, name: str) -> None:
    folder.mkdir()
    tasks, replay = job(folder, 12, lambda number: [STEPS[name]] if number > 3 else ["final_answer(1)"])
    out = folder / "out"
    line = command(tasks, replay, out, "--on", engine)
    with subprocess.Popen(line, stderr=subprocess.DEVNULL, start_new_session=True) as process:
        while written(out) < 4:
            time.sleep(0.02)
        time.sleep(1.0)  # the others are at their slow step
        left = psutil.Process(process.pid).children(recursive=True)
        count, begun = len(left), time.perf_counter()
        os.killpg(process.pid, signal.SIGINT)
        code = process.wait(60)
        ended = time.perf_counter() - begun
        while left := [each for each in left if each.is_running() and each.status() != psutil.STATUS_ZOMBIE]:
            time.sleep(0.02)
    gone = time.perf_counter() - begun
    print(
        f"{engine:8} {name:12} exit {code} after {ended:.2f} s; all {count} processes gone after {gone:.2f} s (budget 2)"
    )


if __name__ == "__main__":
    os.environ.setdefault("SMOLCELL_STATE_DIR", tempfile.mkdtemp())
    with tempfile.TemporaryDirectory() as given:
        what, *rest = sys.argv[1:] or ["ratio"]
        if what == "ratio":
            ratio(Path(given), int(rest[0]) if rest else 40)
        elif what == "interrupt":
            for engine, name in itertools.product(rest or ["local:4", "dask:2"], STEPS):
                interrupt(Path(given) / f"{engine} {name}", engine, name)
        else:
            memory(Path(given), int(rest[0]) if rest else 2000, rest[1] if rest[1:] else "dask:2")
