"""The guard itself: nodes of the language, depth, hidden names, files; the programs are in ``cases/``."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from guarded import Session, refused

from smolcell.worker.guard import tables
from smolcell.worker.guard.imports import ForbiddenError
from smolcell.worker.guard.transformer import Refusal


def test_a_node_that_was_not_reviewed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "NODES", tables.NODES - {"While"})
    with pytest.raises(Refusal, match="While is not supported"):
        Session().run("x = 1\nwhile x: x -= 1")


def test_every_node_of_this_python_is_reviewed_or_known_to_be_refused() -> None:
    kinds = {
        name
        for name, kind in vars(ast).items()
        if isinstance(kind, type)
        and issubclass(kind, ast.AST)
        and not kind.__subclasses__()
        and not name.startswith("_")
    }
    old = "AugLoad AugStore ExtSlice Index Num Str Bytes NameConstant Ellipsis Param Suite".split()
    other_modes = "Expression FunctionType Interactive TypeIgnore".split()
    assert kinds - tables.NODES - {*old, *other_modes} == set()


def test_a_program_too_deep_is_refused_in_words() -> None:
    deep = "x = " + "(" * 150 + "1" + ")" * 150 + "\nx = " + "-" * 30_000 + "1"
    assert refused(deep).startswith("The program is nested too deeply")
    assert Session().run("x = " + " + ".join(["1"] * 900) + "\nx") == 900


def test_io_open_is_the_open_of_the_work_folder(tmp_path: Path) -> None:
    session = Session(folder=str(tmp_path))
    assert session.run("import io\nwith io.open('a.txt', 'w') as f: f.write('x')\nio.open is open") is True
    assert (tmp_path / "a.txt").read_text() == "x"
    with pytest.raises(ForbiddenError, match="outside the work folder"):
        session.run("import io\nio.open('/etc/passwd')")


# --- names ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["__builtins__", "__import__", "__loader__", "__spec__", "__build_class__", "__package__"]
)
def test_a_name_of_the_interpreter_is_never_bound(name: str) -> None:
    assert refused(name) == f"Forbidden access to dunder name: {name}"
    patterns = (f"{{}}:\n    case {name}", f"[]:\n    case [*{name}]", f"{{}}:\n    case {{**{name}}}")
    for code in (f"lambda {name}: {name}", f"{name} = 1\n{name}", *(f"match {pattern}: pass" for pattern in patterns)):
        assert refused(code) == f"Forbidden name: {name}"


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
