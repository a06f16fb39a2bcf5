"""How soon a GGUF model on this machine answers in a first cell, and how soon it stops.

``python tests/benchmarks/bench_local_model.py FILE.gguf`` needs xllamacpp and two idle cores. It prints the time to the first token of the
first step, loading included; the tokens of the prompt of each step (what the step before has in common with it is not read again); how long
Stop takes while a prompt is read; and the memory of the model's process before and after the end of its kernel (here: of this program's
child), which is killed.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pandas as pd

from smolcell import CodeAgent
from smolcell.events import Replied
from smolcell.models.llamacpp import LlamaCppModel
from smolcell.protocols import Message
from smolcell.testing import allow_all

TABLE = pd.DataFrame({"city": ["Oslo", "Rome", "Bonn"] * 20, "warmth": [4.5, 17.25, 11.0] * 20})
TASK = "First print the mean of the column warmth for each city. In a second step answer with the highest of them."


class Timed(LlamaCppModel):
    """Notes the time to the first token of each reply."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.first: list[float] = []

    async def reply(self, messages: Any, *args: Any, **options: Any) -> Any:
        begun, is_first = time.monotonic(), True
        async for item in super().reply(messages, *args, **options):
            if is_first and getattr(item, "channel", "") == "reply":
                self.first.append(time.monotonic() - begun)
                is_first = False
            yield item


def first_cell(path: str) -> None:
    model = Timed(path, temperature=0)
    with CodeAgent(model=model, gate=allow_all, max_steps=4) as agent:
        result = agent.run(TASK, additional_args={"table": TABLE}, return_full_result=True)
    print(f"{result.state}: {result.output!r}, {len(model.first)} replies")
    for step, (seconds, reply) in enumerate(
        zip(model.first, [e for e in result.events if isinstance(e, Replied)], strict=False), 1
    ):
        print(f"step {step}: first token after {seconds:.1f} s, prompt of {reply.usage.input_tokens} tokens")
    model.close()


async def stop(path: str) -> None:
    model = LlamaCppModel(path, n_ctx=16384)
    long = "Row: " + ", ".join(str(number) for number in range(3000))
    async with aclosing(model.reply([Message("user", "Hello")])) as items:  # loads
        async for _ in items:
            break
    replying = asyncio.ensure_future(anext(aiter(model.reply([Message("user", long)]))))
    await asyncio.sleep(5)
    begun = time.monotonic()
    replying.cancel()
    await asyncio.gather(replying, return_exceptions=True)
    print(f"stopped after {time.monotonic() - begun:.2f} s", end="")
    begun = time.monotonic()
    async with aclosing(model.reply([Message("user", "Hello")])) as items:
        async for _ in items:
            break
    print(f"; the next reply begins after {time.monotonic() - begun:.2f} s")
    model.close()


def memory(path: str) -> None:
    code = (
        "import asyncio, sys; from smolcell.models.llamacpp import LlamaCppModel; from smolcell.protocols import Message\n"
        "async def ask():\n    async for _ in LlamaCppModel(sys.argv[1]).reply([Message('user', 'Hello')]):\n        pass\n"
        "asyncio.run(ask()); print('ready', flush=True); sys.stdin.read()"
    )
    child = subprocess.Popen([sys.executable, "-c", code, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.readline()
    served = int(
        subprocess.run(
            ["pgrep", "-P", str(child.pid), "-f", "gguf_server"], capture_output=True, check=True
        ).stdout.split()[0]
    )
    print(f"the model's process has {resident(served):,} MB", end="")
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    begun = time.monotonic()
    while resident(served) and time.monotonic() - begun < 30:
        time.sleep(0.05)
    print(f"; {resident(served)} MB {time.monotonic() - begun:.2f} s after its parent was killed")


def resident(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20
    except (OSError, IndexError):
        return 0


if __name__ == "__main__":
    first_cell(sys.argv[1])
    asyncio.run(stop(sys.argv[1]))
    memory(sys.argv[1])
