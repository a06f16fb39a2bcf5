"""The checks of the conformance list, in the order they are run: what code does, what it may not, how it ends."""

from smolcell.testing.checks import (
    answers,
    calls,
    errors,
    hostile,
    lifetime,
    limits,
    output,
    permits,
    steps,
    stops,
    values,
    walls,
)
from smolcell.testing.checks.check import Check

__all__ = ["CHECKS", "Check"]

CHECKS: tuple[Check, ...] = tuple(
    check
    for module in (steps, output, answers, errors, calls, values, permits, limits, stops, hostile, walls, lifetime)
    for check in vars(module).values()
    if isinstance(check, Check)
)
