"""The conformance list as parameters of a test: what another kind of sandbox holds in the same way is slow."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pytest

from smolcell.testing import checks

SHOWN = frozenset("figures results_are_bounded slow_tools tables_shown time_in_reprs".split())
"""Checks of what the runner makes of a value, which is the same code in every sandbox: the local one holds them."""

BY_THE_WORKER = SHOWN | frozenset(
    "apart flood interrupt_c_call interrupt_idle memory processes_end_too time_in_one_c_call time_in_sleep time_of_threads".split()
)
"""Checks that take seconds, of what the worker does by itself, whatever carries it: the local sandbox and Docker hold them."""

BY_THE_CHANNEL = BY_THE_WORKER | frozenset(
    "arrays both_streams called_directly checkpoint_after_a_limit checkpoint_after_an_error checkpoint_of_variables_and_files "
    "checkpoint_twice closing_while_running forged_frames free_loop host_environment images last_expression many_calls "
    "many_calls_at_once pace refusal spoilt_libraries time_in_python tools_and_tables tools_taken_back values_are_copies "
    "work_folder".split()
)
"""Further checks that end alike for all providers, which share their channel: E2B holds them."""


def listed(held_elsewhere: Collection[str]) -> list[Any]:
    """Each check as a parameter; those with these names are slow tests."""
    return [pytest.param(c, marks=pytest.mark.slow if c.name in held_elsewhere else ()) for c in checks()]
