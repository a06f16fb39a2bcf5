"""What a sandbox does, in words: what is seen of it, joined with what its kernel says, each believed if it can know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from smolcell.executors.registry import OpenSandbox, Sandbox
from smolcell.notebook.activity import ActiveRun, Kernel, with_states

BOX = Sandbox(kind="local", name="pid 8", kernel="7:70", mine=True)
USE = OpenSandbox(kind="local", name="pid 8", run="r1")
RUN = ActiveRun(run="r1", session="default", task="Count.", state="thinking", step=3)
OTHER = replace(RUN, run="r2", state="pending", step=9)


def state(box: Sandbox, use: OpenSandbox | None = USE, runs: Sequence[ActiveRun] = ()) -> str:
    kernel = Kernel("k", 7, 70, tuple(runs), () if use is None else (use,))
    [found] = with_states([box], [Kernel("another", 9, 90, (OTHER,), (replace(USE, step=5),)), kernel])
    assert replace(found, state=box.state) == box
    return found.state


@pytest.mark.parametrize(
    ("step", "runs", "words"),
    [
        (0, [], "idle"),
        (0, [OTHER], "idle"),
        (0, [replace(RUN, state="running")], "idle"),  # a call of a tool that needs no sandbox
        (0, [OTHER, RUN], "its agent thinks"),
        (0, [replace(RUN, state="pending")], "step 3 waits for you"),
        (0, [replace(RUN, state="pending", step=0)], "its run waits for you"),
        (3, [replace(RUN, state="running")], "running step 3"),
        (3, [replace(RUN, state="pending")], "step 3 waits for you"),  # a call in it
        (4, [], "running step 4"),  # of an agent that works for another
    ],
)
def test_a_sandbox_that_is_there_does_what_its_kernel_says(step: int, runs: list[ActiveRun], words: str) -> None:
    assert state(BOX, replace(USE, step=step), runs) == words


def test_code_that_a_caller_runs_has_no_number_that_a_person_knows() -> None:
    assert state(BOX, replace(USE, run="call", step=12)) == "running code"


@pytest.mark.parametrize("seen", ["paused", "stopped (SIGSTOP)", "exited (137)"])
def test_one_that_does_not_go_on_says_so_first_and_what_it_was_doing_then(seen: str) -> None:
    box = replace(BOX, state=seen)
    assert state(box) == seen
    assert state(box, replace(USE, step=3), [replace(RUN, state="running")]) == f"{seen}, in step 3"
    assert state(box, runs=[replace(RUN, state="pending")]) == f"{seen}, step 3 waits for you"
    assert state(box, None) == seen


def test_a_sandbox_without_a_report_is_open() -> None:
    assert state(BOX, None, [RUN]) == "open"
    assert state(BOX, replace(USE, kind="wasm")) == "open"
    assert state(replace(BOX, kernel="7:71"), replace(USE, step=3)) == "open"  # another process of that number
    assert state(replace(BOX, kernel=""), replace(USE, step=3)) == "open"


def test_a_kernel_is_not_heard_about_what_is_not_this_users() -> None:
    assert state(replace(BOX, mine=False), replace(USE, step=3)) == "open"


def test_one_whose_kernel_is_gone_says_so_whatever_that_kernel_said_last() -> None:
    assert state(replace(BOX, gone=True), replace(USE, step=3)) == "its kernel is gone"
    assert state(replace(BOX, gone=True, state="paused")) == "paused, its kernel is gone"
