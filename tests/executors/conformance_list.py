"""The conformance list as parameters of a test: what another kind of sandbox holds in the same way is slow."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pytest

from smolcell.testing import checks

ONCE = frozenset(
    "apart arrays both_streams called_directly checkpoint_after_a_limit checkpoint_after_an_error checkpoint_of_variables_and_files "
    "checkpoint_twice closing_while_running figures flood forged_frames free_loop host_environment images interrupt_c_call "
    "interrupt_idle last_expression many_calls many_calls_at_once memory pace processes_end_too refusal results_are_bounded "
    "slow_tools spoilt_libraries tables_shown time_in_one_c_call time_in_reprs time_in_sleep time_of_threads tools_and_tables "
    "tools_taken_back values_are_copies work_folder".split()
)
"""Checks that need a sandbox of their own, or seconds, for what the same code does in every sandbox: the local one holds them."""


def listed(left_out: Collection[str] = ()) -> list[Any]:
    """Each check as a parameter for another sandbox than the local one; those of `ONCE` are slow tests."""
    wanted = [check for check in checks() if check.name not in left_out]
    return [pytest.param(check, marks=pytest.mark.slow if check.name in ONCE else ()) for check in wanted]
