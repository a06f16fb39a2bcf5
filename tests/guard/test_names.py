"""Names: what a program may read and bind, and that hidden and lent names stay what they are."""

from __future__ import annotations

import pytest
from guarded import Session, refused

from smolcell.worker.guard.imports import ForbiddenError


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


UNSEEN = "__builtins__", "__smolcell_getattr__", "__smolcell_last__"


@pytest.mark.parametrize("read", ["globals()[{}]", "locals()[{}]", "globals().pop({})", "globals().__getitem__({})"])
@pytest.mark.parametrize("name", UNSEEN)
def test_a_key_that_passes_for_a_hidden_name_finds_nothing(name: str, read: str) -> None:
    text = f"class Text(str):\n    def startswith(self, *given): return False\nkey = Text({name!r})\n"
    equal = (
        f"class Equal:\n    def __hash__(self): return hash({name!r})\n"
        f"    def __eq__(self, other): return other == {name!r}\nkey = Equal()\n"
    )
    for key in (text, equal):
        with pytest.raises((KeyError, ForbiddenError)):
            Session().run(key + read.format("key"))
        found = Session().run(key + "globals().get(key), key in globals(), key in vars(), dict(globals()).get(key)")
        assert found == (None, False, False, None)


def test_a_key_of_a_class_of_the_program_finds_its_own_names() -> None:
    assert Session().run("class Text(str): pass\nx = 3\nglobals()[Text('x')], globals().get(Text('y'))") == (3, None)
