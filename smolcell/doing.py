"""What each sandbox does: what the system, its engine or its provider shows of it, joined with what its kernel says of its runs.

The rules this file exists to keep:

* Neither is believed where it cannot know: only its kernel knows whether code runs in a sandbox that is there, and only who runs it
  knows that it is paused, stopped or gone.
* A kernel is heard about its own sandboxes only. Where none says a word, the state is ``OPEN``: it is there, and that is all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from smolcell import roster
from smolcell.executors.sandbox import RUNNING, Sandbox
from smolcell.executors.uses import Use

OPEN, IDLE, THINKS, ALONE = "open", "idle", "its agent thinks", "its kernel is gone"
CALLED = "call"  # the run of code that a caller runs itself


def stated(found: Iterable[Sandbox], kernels: Sequence[roster.Kernel] | None = None) -> list[Sandbox]:
    """The same sandboxes, each with its state in words.

    Args:
        found: as ``smolcell.executors.sandboxes`` finds them.
        kernels: what kernels say; None for what they say now.
    """
    said = {kernel.process: kernel for kernel in (roster.kernels() if kernels is None else kernels)}
    return [replace(each, state=_state(each, said.get(each.kernel) if each.mine else None)) for each in found]


def _state(each: Sandbox, kernel: roster.Kernel | None) -> str:
    if each.gone:
        return ALONE if each.state == RUNNING else f"{each.state}, {ALONE}"
    uses = kernel.sandboxes if kernel is not None else ()
    use = next((use for use in uses if (use.kind, use.name) == (each.kind, each.name)), None)
    if kernel is None or use is None:
        return OPEN if each.state == RUNNING else each.state
    run = next((run for run in kernel.runs if run.run == use.run), None)
    if each.state == RUNNING:
        return _waiting(run) or _running(use, "running ") or (THINKS if _thinks(run) else IDLE)
    return ", ".join(filter(None, (each.state, _waiting(run) or _running(use, "in "))))


def _thinks(run: roster.Underway | None) -> bool:
    return run is not None and run.state == "thinking"


def _waiting(run: roster.Underway | None) -> str:
    if run is None or run.state != "pending":
        return ""
    return f"step {run.step} waits for you" if run.step else "its run waits for you"


def _running(use: Use, word: str) -> str:
    if not use.step:
        return ""
    return f"{word}code" if use.run == CALLED else f"{word}step {use.step}"
