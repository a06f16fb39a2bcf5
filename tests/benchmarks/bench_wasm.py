"""Figures of the WebAssembly sandbox: ``python tests/benchmarks/bench_wasm.py [FOLDER_OF_WHEELS]``.

Needs what ``python -m smolcell.executors.wasm`` installs. Budget: Deno there → first result 1.5 s. Tables need pandas in the folder of
wheels; without, they are measured as columns of lists.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from bench_docker import shown
from bench_local import through_the_driver, timed

from smolcell.errors import LimitError, SmolcellError
from smolcell.executors import create_executor


def starts(rounds: int = 7) -> list[float]:
    """Start → result of ``1 + 1``, each with a new sandbox."""
    found = []
    for _ in range(rounds):
        executor: Any = create_executor("wasm")
        found.append(timed(lambda executor=executor: executor("1 + 1")))
        executor.close()
    return found


def again(executor: Any) -> float:
    """A runner that was killed → result of ``1 + 1`` of the next; the killing is not counted."""
    try:
        executor("sum(range(10 ** 13))")
    except LimitError:
        return timed(lambda: executor("1 + 1"))
    raise AssertionError("the runner did not end")


def main() -> None:
    """Print the figures."""
    import pandas

    found = starts()
    print(f"start → 1 + 1: first {found[0] * 1e3:,.0f} ms, then {shown(found[1:])}")
    driven = through_the_driver(sandbox="wasm")
    print(f"proposed → observed: {shown(driven)}, p99 {sorted(driven)[-3] * 1e3:.2f} ms")
    wheels = sys.argv[1] if len(sys.argv) > 1 else None
    executor: Any = create_executor("wasm", additional_authorized_imports=["*"], wheels=wheels)
    executor("1 + 1")
    print(f"one step: {shown([timed(lambda: executor('1 + 1')) for _ in range(300)])}")
    executor.send_tools({"same": lambda value: value})
    call = executor(
        "import time\nt = time.perf_counter()\nfor i in range(200): same(i)\n(time.perf_counter() - t) / 200"
    )
    print(f"one tool call: {call.output * 1e3:.2f} ms")
    with create_executor("wasm", timeout=1) as short:  # type: ignore[attr-defined]
        print(f"killed → 1 + 1: {shown([again(short) for _ in range(3)])}")
    frame = pandas.DataFrame({"a": range(100_000), "b": [number / 7 for number in range(100_000)]})
    sent: Any = frame
    try:
        executor.send_variables({"frame": frame})
    except SmolcellError as error:
        print(f"a frame as it is: {error}")
        sent = frame.to_dict("list")
    what = f"100,000 × 2 as {type(sent).__name__}"
    print(f"{what} in: {shown([timed(lambda: executor.send_variables({'frame': sent})) for _ in range(3)])}")
    pulled: list[Any] = []
    outs = [timed(lambda: pulled.append(asyncio.run(executor.pull(["frame"]))["frame"])) for _ in range(3)]
    same = pulled[-1].equals(sent) if sent is frame else pulled[-1] == sent
    print(f"{what} out: {shown(outs)}; {'the same' if same else 'ANOTHER'}")
    executor.close()


if __name__ == "__main__":
    main()
