"""The user's line of an error: which command it names, and that nothing of a hostile message gets into it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from examples import cases

from smolcell.core.hints import hint
from smolcell.events import Boundary, Fault

BOUNDARY = Boundary(
    sandbox="local", where="here", isolated=True, limits={"memory, MB": 2048, "seconds a step": 60.0}, imports=("math",)
)


@pytest.mark.parametrize(("kind", "name", "message", "command"), cases(__file__, "lines"))
def test_an_error_names_the_next_command(kind: str, name: str, message: str, command: str) -> None:
    fault = Fault(kind=kind, type=name, message=message)  # type: ignore[arg-type]
    said = hint(fault, BOUNDARY)
    assert command in said
    assert bool(said) is bool(command)


def test_what_only_the_guard_refuses_names_the_level_without_it() -> None:
    fault = Fault(kind="forbidden", type="ForbiddenError", message="Forbidden access to function: run")
    assert "--python full" in hint(fault, replace(BOUNDARY, python="guarded"))
    assert hint(fault, replace(BOUNDARY, python="")) == ""
