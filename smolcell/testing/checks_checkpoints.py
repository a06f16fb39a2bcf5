"""Checkpoints: a step is taken back, whatever it did, by a copy of the sandbox's process."""

from __future__ import annotations

from smolcell.executors import completed
from smolcell.protocols import Executor
from smolcell.testing.checks_execution import fault
from smolcell.testing.trial import Missing, Trial, check, expect, ok

KEPT = "x = [1]\nwith open('kept.txt', 'w') as file: file.write('one')"
LOOK = "print(x, open('kept.txt').read())"


async def _keeping(trial: Trial, **options: float) -> Executor:
    """An executor that keeps checkpoints, after a first step."""
    try:
        executor = trial.fresh(checkpoints=10, **options)
    except TypeError:
        raise Missing("it takes no checkpoints=, so that steps are replayed") from None
    ok(await trial.run(KEPT, executor, step=1))
    if completed(executor).checkpoints == "replay":
        raise Missing("it declares checkpoints='replay'")
    return executor


async def _as_before(trial: Trial, executor: Executor, step: int) -> None:
    expect(await completed(executor).rollback("conformance", step), "", "why the folder is not covered")
    expect(ok(await trial.run(LOOK, executor, step=90)).stdout, "[1] one\n", "the state that was gone back to")


@check
async def checkpoint_of_variables_and_files(trial: Trial) -> None:
    """Going back to before a step brings its variables and files back."""
    executor = await _keeping(trial)
    ok(await trial.run("x.append(2)\ny = 1\nwith open('kept.txt', 'w') as file: file.write('two')", executor, step=2))
    await _as_before(trial, executor, 2)
    expect(fault(await trial.run("y", executor), "y").type, "NameError", "the error of a name that was taken back")


@check
async def checkpoint_after_an_error(trial: Trial) -> None:
    """A step that failed is taken back like any other."""
    executor = await _keeping(trial)
    expect(
        fault(await trial.run("x.append(2)\n1 / 0", executor, step=2), "1 / 0").type, "ZeroDivisionError", "the error"
    )
    await _as_before(trial, executor, 2)


@check
async def checkpoint_after_a_limit(trial: Trial) -> None:
    """A step that was killed at its limit costs no variables, and is taken back like any other."""
    executor = await _keeping(trial, timeout=0.6)
    observed = await trial.run("x.append(2)\nmax(range(10 ** 13))", executor, step=2)
    expect((fault(observed, "the step").kind, observed.state_lost), ("limit", False), "how the step ended")
    expect(ok(await trial.run(LOOK, executor, step=3)).stdout, "[1] one\n", "the state after the step was killed")
    await _as_before(trial, executor, 2)


@check
async def checkpoint_twice(trial: Trial) -> None:
    """After going back, steps go on, and can be taken back again."""
    executor = await _keeping(trial)
    ok(await trial.run("x.append(2)", executor, step=2))
    await _as_before(trial, executor, 2)
    ok(await trial.run("x.append(3)", executor, step=3))
    await _as_before(trial, executor, 3)
