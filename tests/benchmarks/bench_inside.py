"""Figures of the whole agent in a sandbox: ``python tests/benchmarks/bench_inside.py [local|docker]``.

Beside each the same run with the loop on this machine: what is in between is what shipping the agent and asking it costs.
"""

from __future__ import annotations

import sys
from typing import Any

from bench_docker import shown
from bench_local import timed

from smolcell import CodeAgent, run_inside
from smolcell.approval.gates import allow_all
from smolcell.executors import create_executor
from smolcell.inside import InsideAgent
from smolcell.models.scripted import ScriptedModel

STEPS = 100


def model(steps: int) -> ScriptedModel:
    """Writes so many programs, and an answer."""
    return ScriptedModel(*["<code>\nx = 1\n</code>"] * (steps - 1), "<code>\nfinal_answer(x)\n</code>")


def steps(agent: Any) -> float:
    """Seconds that a step takes, of a run of many in an open sandbox."""
    agent.run("Once.")
    agent.set_model(model(STEPS))
    return timed(lambda: agent.run("Do it.")) / STEPS


def main(name: str = "local") -> None:
    """Print the figures."""
    with create_executor(name) as executor:
        executor("1")  # type: ignore[operator]  # the image is there, its files are in memory
    inside = [timed(lambda: run_inside(name, "Do it.", model=model(2), gate=allow_all)) for _ in range(5)]
    print(f"{name}: start → answer of two steps, the agent inside: {shown(inside)}")

    def outside() -> None:
        with CodeAgent(model=model(2), sandbox=name, gate=allow_all) as agent:
            agent.run("Do it.")

    print(f"{name}: the same, the agent here: {shown([timed(outside) for _ in range(5)])}")
    for kind, words in ((InsideAgent, "inside"), (CodeAgent, "here")):
        given: Any = {"executor": name} if kind is InsideAgent else {"sandbox": name}
        with kind(model=model(1 + 1), gate=allow_all, max_steps=STEPS + 1, **given) as agent:
            print(f"{name}: one step of {STEPS}, the agent {words}: {steps(agent) * 1e3:.1f} ms")


if __name__ == "__main__":
    main(*sys.argv[1:2])
