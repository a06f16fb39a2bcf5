"""Notebook syntax is rewritten line by line, and what is Python is left alone."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from examples import cases
from hypothesis import example, given
from hypothesis import strategies as st

from smolcell.core.findings import findings
from smolcell.core.parsing import tree
from smolcell.exports.rewrite import for_ipython, needs
from smolcell.worker.guard.imports import ModuleViews
from smolcell.worker.guard.magics import to_python
from smolcell.worker.guard.tables import DEFAULT_IMPORTS
from smolcell.worker.guard.transformer import Guard, Refusal, compile_program


@pytest.mark.parametrize(("text", "python"), cases(__file__, "rewritten"))
def test_notebook_syntax_becomes_calls_on_the_same_lines(text: str, python: str) -> None:
    assert to_python(text) == python
    assert isinstance(tree(text), ast.Module)


PIECES = [*"x1= \n'()\\#%", "%time", "!ls", "%%bash", "'''", '"""', "    ", "f'{x}'", "if x:"]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@given(TEXTS)
def test_a_program_without_notebook_syntax_is_unchanged(text: str) -> None:
    for program in (text, f"s = {text!r}", f"'''\n{text.replace(chr(92), '').replace(chr(39), '')}\n'''\n"):
        try:
            ast.parse(program)
        except (SyntaxError, ValueError):
            continue
        assert to_python(program) == program


@example("s = 'a\n!ls")  # a text that does not end
@given(TEXTS)
def test_rewriting_never_fails_and_never_changes_what_it_has_rewritten(text: str) -> None:
    made = to_python(text)
    assert made.count("\n") == text.count("\n") or text.strip().startswith("%%")
    if isinstance(tree(text), ast.Module):
        assert to_python(made) == made


@given(TEXTS)
def test_lines_of_a_docstring_beside_notebook_syntax_are_not_touched(text: str) -> None:
    inside = "\n".join(line for line in text.replace("\\", "").replace('"', "").split("\n"))
    program = f'"""\n{inside}\n"""\n!ls'
    assert to_python(program) == f'"""\n{inside}\n"""\n_notebook_shell(\'ls\')'


def guarded(text: str) -> Any:
    return compile_program(to_python(text), "<agent step 1>", Guard(ModuleViews(DEFAULT_IMPORTS)))


@pytest.mark.parametrize("text", ["x = 1\n!ls", "x = 1\ny = !ls"])
def test_the_guard_refuses_a_shell_line_with_its_line_and_the_next_step(text: str) -> None:
    with pytest.raises(Refusal, match=r"Shell lines .* start a process.* --python full") as refused:
        guarded(text)
    assert refused.value.line == 2


def test_findings_name_the_command_and_the_install() -> None:
    found = findings("x = 1\n!curl https://example.org/{x}\n%pip install seaborn\n%time y = 2")
    told = [(finding.kind, finding.text, finding.line, finding.risk) for finding in found]
    assert ("process", "starts a process: curl https://example.org/{x}", 2, "high") in told
    assert ("install", "seaborn", 3, "low") in told
    assert ("name", "x, y", 0, "none") in told
    assert not [text for _, text, _, _ in told if "parse" in text or "refuses" in text]


def test_an_export_has_the_calls_of_ipython() -> None:
    text = "!ls {x}\nfiles = !ls\n%matplotlib inline\n%time y = 2\n%pip install a"
    assert for_ipython(text).split("\n") == [
        "get_ipython().system('ls {x}')",
        "files = get_ipython().getoutput('ls')",
        "get_ipython().run_line_magic('matplotlib', 'inline')",
        "y = 2",
        "get_ipython().run_line_magic('pip', 'install a')",
    ]
    assert needs(ast.parse(for_ipython("!ls\n%time x = y")).body) == {"y"}
    assert for_ipython("%%time\nx = 1") == "\nx = 1"
    assert for_ipython("%%bash\nls") == "get_ipython().run_cell_magic('bash', '', 'ls')\n"
