"""The conformance list as parameters: in full for `local`, `docker` and `wasm`, and for other sandboxes what their own code could break."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from smolcell.testing import Check, Trial, checks, run_check

CHANNEL = frozenset(
    "streaming flood final_answer error_type_and_line checkpoint_of_variables_and_files tool_errors many_calls_at_once tables "
    "other_objects_in forged_frames host_environment network boundary time_in_one_c_call fresh_start interrupt_python "
    "interrupt_tool_call cancelling closing_while_running nothing_is_left host_dies".split()
)
"""Checks that a sandbox could fail which reaches the same worker in another way; the rest is the worker's, and held by `local`."""


def representative(left_out: Collection[str] = (), also: Collection[str] = ()) -> list[Any]:
    """The checks of `CHANNEL`, in order, without those that are left out, and with some more."""
    wanted = CHANNEL | {*also}
    assert set(left_out) <= CHANNEL and wanted.issubset(check.name for check in checks())
    return [check for check in checks() if check.name in wanted and check.name not in left_out]


def hold(trial: Trial, check: Check, expected: str = "passed") -> None:
    """Assert how a check ends."""
    outcome = run_check(trial, check)
    assert outcome.state == expected, str(outcome)
