"""How many examples a property is tried with: few in the README's command, many where slow tests are run; cases as data."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

FULL = bool(os.environ.get("SMOLCELL_FULL"))


def few_or_many(few: int, many: int) -> Any:
    """Parametrizes a test with ``count``: `few`, and in a slow test `many` (ten times as many with ``SMOLCELL_FULL=1``)."""
    counts = [few, pytest.param(many * 10 if FULL else many, marks=pytest.mark.slow)]
    return pytest.mark.parametrize("count", counts, ids=["few", "many"])


def quick(cases: Iterable[str], *chosen: str) -> list[Any]:
    """Names of cases as parameters: those that are not `chosen` are slow tests."""
    return [pytest.param(name, marks=() if name in chosen else pytest.mark.slow) for name in cases]


def examples(*strategies: Any, few: int, many: int) -> Callable[[Callable[..., None]], Any]:
    """In place of Hypothesis's ``given``, for a property that is tried with `few` examples, and with `many` in a slow test."""

    def decorate(holds: Callable[..., None]) -> Any:
        def test(count: int) -> None:
            every = settings(max_examples=count, deadline=None, suppress_health_check=list(HealthCheck))
            every(given(*strategies)(holds))()  # type: ignore[no-untyped-call]

        test.__name__, test.__doc__, test.__module__ = holds.__name__, holds.__doc__, holds.__module__
        return few_or_many(few, many)(test)

    return decorate


def cases(test: str, table: str) -> list[Any]:
    """A table of the JSON file beside the file `test`, as parameters: values by their case's name, or a list of values."""
    rows = json.loads(Path(test).with_suffix(".json").read_text(encoding="utf-8"))[table]
    named = rows.items() if isinstance(rows, dict) else [(None, row) for row in rows]
    return [pytest.param(*(row if isinstance(row, list) else [row]), id=name) for name, row in named]
