"""Names: what a program may read and bind, and that hidden and lent names stay what they are."""

from __future__ import annotations

import pytest
from guarded import Session, refused


@pytest.mark.parametrize(
    "name", ["__builtins__", "__import__", "__loader__", "__spec__", "__build_class__", "__package__"]
)
def test_a_name_of_the_interpreter_is_never_bound(name: str) -> None:
    assert refused(name) == f"Forbidden access to dunder name: {name}"
    assert refused(f"lambda {name}: {name}") == f"Forbidden name: {name}"
    assert refused(f"{name} = 1\n{name}") == f"Forbidden name: {name}"
    assert refused(f"match {{}}:\n    case {name}: pass") == f"Forbidden name: {name}"
    assert refused(f"match []:\n    case [*{name}]: pass") == f"Forbidden name: {name}"
    assert refused(f"match {{}}:\n    case {{**{name}}}: pass") == f"Forbidden name: {name}"


def test_a_name_lent_to_the_program_is_not_bound_by_a_pattern() -> None:
    assert refused("match 1:\n    case print: pass").startswith("Cannot assign to name 'print'")


def test_a_dunder_that_the_program_defines_may_be_read() -> None:
    assert Session().run("class A:\n    def __getstate__(self): return 1\n    copied = __getstate__\nA().copied()") == 1
    assert Session().run("__author__ = 'a'\n__author__, __name__") == ("a", "__main__")
