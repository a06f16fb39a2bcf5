"""What a failing cell uses, and which code may stand in its place."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
from cells import plain_shell
from IPython.core.interactiveshell import InteractiveShell

from smolcell.events import Allowed, Answered, Event, Fault, Observed, sha256
from smolcell.notebook.fix import used_by, verified

NOT_RUN = "the agent did not run exactly this code, so it cannot replace the cell"


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    with plain_shell() as made:
        yield made


def test_the_variables_that_a_cell_uses_are_those_that_can_be_copied(shell: InteractiveShell) -> None:
    connection = sqlite3.connect(":memory:")
    shell.user_ns.update(
        sales=[1], limit=2, _own=3, other=4, con=connection, f=len, Exception_=ValueError, sqlite3=sqlite3
    )
    cell = "total = sum(sales)\nf(total, limit, _own, con, sqlite3, undefined, sales, Exception_)\n!echo {limit}"
    assert used_by(cell, shell) == ["sales", "limit"]
    connection.close()


@pytest.mark.parametrize("source", [None, 5, "def (", "x" * 1_000_000, "a\0b", "(" * 10_000])
def test_what_is_no_program_uses_nothing(shell: InteractiveShell, source: Any) -> None:
    assert used_by(source, shell) == []


def run(*steps: tuple[str, bool], answer: str) -> list[Event]:
    events: list[Event] = []
    for number, (text, good) in enumerate(steps, 1):
        fault = None if good else Fault(kind="python", type="E", message="m")
        events.append(Allowed(run="r", step=number, text=text, sha256=sha256(text), by="person"))
        events.append(Observed(run="r", step=number, error=fault))
    return [*events, Answered(run="r", step=len(steps), text=answer, is_text=True)]


def block(code: str) -> str:
    return f"Why it failed.\n\n```python\n{code}\n```\n"


CODE = "%matplotlib inline\ntotal = sum(rows)  # of all\ntotal"


@pytest.mark.parametrize(
    "program", [CODE, f"import os\n{CODE}\nfinal_answer('x')", CODE.replace("  # of all", "").replace("sum(", "sum( ")]
)
def test_code_whose_statements_ran_without_an_error_is_verified(shell: InteractiveShell, program: str) -> None:
    events = run((program, True), answer=f"```python\nfirst = 1\n```\n{block(CODE)}")
    assert verified(events, shell) == {"code": CODE, "why": ""}


def test_an_answer_of_code_alone_is_taken_as_it_is(shell: InteractiveShell) -> None:
    assert verified(run(("x = 1", True), answer="x = 1\n"), shell) == {"code": "x = 1", "why": ""}


@pytest.mark.parametrize(
    ("steps", "code"),
    [
        ([("x = 1", False)], "x = 1"),
        ([("x = 1", True)], "x = 2"),
        ([("if x:\n    y = 1", True)], "y = 1"),
        ([("final_answer('''x = 1\ny = 2''')", True)], "x = 1\ny = 2"),
        ([("x = 1", True), ("y = 2", True)], "x = 1\ny = 2"),
    ],
)
def test_code_that_did_not_run_as_it_stands_is_not_verified(
    shell: InteractiveShell, steps: list[tuple[str, bool]], code: str
) -> None:
    assert verified(run(*steps, answer=block(code)), shell) == {"code": "", "why": NOT_RUN}


def test_an_answer_without_code_says_so(shell: InteractiveShell) -> None:
    assert verified([], shell) == {"code": "", "why": "the run has no answer"}
    assert verified(run(answer="It cannot be mended."), shell) == {"code": "", "why": "the answer holds no Python code"}
