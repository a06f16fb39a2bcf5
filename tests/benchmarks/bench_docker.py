"""Figures of the Docker sandbox: ``python tests/benchmarks/bench_docker.py [--gateway PYTHON IMAGE]``.

Needs an engine (``DOCKER_HOST``); smolcell's image is built first where it is not there. Budgets: image there → first result 1 s;
overhead of a step 10 ms (median).

With ``--gateway`` the same is measured of smolagents' DockerExecutor: PYTHON is one that has ``smolagents[docker]``, IMAGE one that
starts a Jupyter kernel gateway, as smolagents' own Dockerfile makes it. It runs in the host's network, because the port that it wants
published needs a bridge; if there is one, one more proxy is in the way.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from bench_local import fresh_copy, through_the_driver, timed

from smolcell.executors import create_executor

GATEWAY = """
import sys, time
from docker.models.containers import ContainerCollection
from smolagents.monitoring import AgentLogger, LogLevel
from smolagents.remote_executors import DockerExecutor

published = ContainerCollection.run
ContainerCollection.run = lambda self, image, ports, **rest: published(self, image, network_mode="host", **rest)

def timed(work):
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1e3

def shown(values):
    values = sorted(values)
    return f"min {values[0]:,.1f} ms, median {values[len(values) // 2]:,.1f} ms"

def attempt(what, work):
    try:
        print(f"{what}: {timed(work):,.0f} ms")
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {str(error).splitlines()[0][:120]}")

made, starts = None, []
for _ in range(3):
    if made is not None:
        made.cleanup()
    start = time.perf_counter()
    made = DockerExecutor([], AgentLogger(level=LogLevel.OFF), image_name=sys.argv[1], build_new_image=False)
    made("1 + 1")
    starts.append((time.perf_counter() - start) * 1e3)
print("start → 1 + 1:", shown(starts))
print("one step:", shown([timed(lambda: made("1 + 1")) for _ in range(30)]))
import numpy, pandas
attempt("8 MB array in", lambda: made.send_variables({"array": numpy.random.default_rng(0).random(1_000_000)}))
attempt("100 MB frame in", lambda: made.send_variables({"frame": pandas.DataFrame(numpy.random.default_rng(0).random((1_250_000, 10)))}))
made.cleanup()
"""


def shown(seconds: Sequence[float]) -> str:
    """Least and middle; a busy machine only adds."""
    return f"min {min(seconds) * 1e3:,.1f} ms, median {statistics.median(seconds) * 1e3:,.1f} ms"


def starts(rounds: int = 9) -> list[float]:
    """Image there → result of ``1 + 1``, each with a new container."""
    found = []
    for _ in range(rounds):
        executor: Any = create_executor("docker")
        found.append(timed(lambda executor=executor: executor("1 + 1")))
        executor.close()
    return found


def main() -> None:
    """Print the figures."""
    import numpy
    import pandas

    with create_executor("docker") as image:  # type: ignore[attr-defined]
        image("1 + 1")  # the image is there now
    print(f"image there → 1 + 1: {shown(starts())}")
    driven = through_the_driver(sandbox="docker")
    print(f"proposed → observed: {shown(driven)}, p99 {sorted(driven)[-3] * 1e3:.2f} ms")
    executor: Any = create_executor("docker", additional_authorized_imports=["pandas"], memory=8192)
    print(f"import pandas: {shown([timed(lambda: executor('import pandas'))])}")
    print(f"one step: {shown([timed(lambda: executor('1 + 1')) for _ in range(300)])}")
    executor.send_tools({"same": lambda value: value})
    call = executor(
        "import time\nt = time.perf_counter()\nfor i in range(200): same(i)\n(time.perf_counter() - t) / 200"
    )
    print(f"one tool call: {call.output * 1e3:.2f} ms")
    frame = pandas.DataFrame(numpy.random.default_rng(0).random((1_250_000, 10)))
    values = frame.to_numpy().ravel(order="K")
    print(f"a copy of 100 MB into fresh memory: {shown([timed(lambda: fresh_copy(values)) for _ in range(5)])}")
    print(f"100 MB frame in: {shown([timed(lambda: executor.send_variables({'frame': frame})) for _ in range(5)])}")
    pulled: list[Any] = []
    outs = [timed(lambda: pulled.append(asyncio.run(executor.pull(["frame"]))["frame"])) for _ in range(5)]
    print(f"100 MB frame out: {shown(outs)}; {'the same' if pulled[-1].equals(frame) else 'ANOTHER'}")
    executor.close()
    if sys.argv[1:2] == ["--gateway"]:
        print("smolagents:", flush=True)
        subprocess.run([sys.argv[2], "-c", GATEWAY, sys.argv[3]], check=True)


if __name__ == "__main__":
    main()
