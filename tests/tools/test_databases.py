"""The tool of docs/databases.md, as it stands there, on SQLite; on PostgreSQL, too, if SMOLCELL_POSTGRESQL names a server."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from sqlalchemy import create_engine
from sqlalchemy.exc import SQLAlchemyError

from smolcell import CodeAgent, LocalPythonExecutor
from smolcell.testing import ScriptedModel, allow_all

PAGE = Path(__file__).parent.parent.parent / "docs" / "databases.md"
SERVER = os.environ.get("SMOLCELL_POSTGRESQL", "")
ROWS = [("north", 10.5, "2025-01-31"), ("south", 20.0, "2025-02-28"), ("north: east", 3.25, "2025-03-31")]
CREATE = "CREATE TABLE sales (region TEXT, amount REAL, day TEXT)"
INSERT = "INSERT INTO sales VALUES ('{}', {}, '{}')"


def program(engine: str) -> str:
    """The example up to the agent, with another engine."""
    text = PAGE.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    text = text.partition("agent = CodeAgent(")[0]
    made, changed = re.subn(r"engine = create_engine\(\n.*?\n\)\n", f"engine = {engine}\n", text, flags=re.DOTALL)
    assert changed == 1
    return made


@pytest.fixture(params=["sqlite", "postgresql"] if SERVER else ["sqlite"])
def names(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[dict[str, Any]]:
    """What the example defines."""
    scope: dict[str, Any] = {"__name__": "example"}
    if request.param == "sqlite":
        with sqlite3.connect(tmp_path / "sales.db") as database:
            database.execute(CREATE)
            database.executemany("INSERT INTO sales VALUES (?, ?, ?)", ROWS)
        database.close()
        exec(
            program(f"create_engine('sqlite:///file:{tmp_path}/sales.db?mode=ro&uri=true', poolclass=NullPool)"), scope
        )
        yield scope
        return
    owner = create_engine(SERVER.format(user="owner"))
    with owner.begin() as connection:
        for sql in (CREATE, *(INSERT.format(*row) for row in ROWS)):
            connection.exec_driver_sql(sql)
    url = SERVER.format(user="owner")  # with every right: the transaction and the form of the statement are what holds
    options = 'connect_args={"options": "-c default_transaction_read_only=on -c statement_timeout=30s"}'
    exec(program(f"create_engine('{url}', poolclass=NullPool, {options})"), scope)
    yield scope
    with owner.begin() as connection:
        connection.exec_driver_sql("DROP TABLE sales")
    owner.dispose()


def test_code_in_the_sandbox_gets_a_table_and_no_connection(names: dict[str, Any]) -> None:
    code = """<code>
found = query("SELECT region, SUM(amount) AS total FROM sales WHERE region LIKE 'north%' GROUP BY region ORDER BY region")
final_answer(found)
</code>"""
    with CodeAgent(
        tools=[names["query"]], model=ScriptedModel(code), sandbox=LocalPythonExecutor(), gate=allow_all
    ) as agent:
        found = agent.run("totals")

    pd.testing.assert_frame_equal(found, pd.DataFrame({"region": ["north", "north: east"], "total": [10.5, 3.25]}))


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM sales",
        "COMMIT; DELETE FROM sales; COMMIT",
        "SELECT 1) AS q; DELETE FROM sales; --",
        "SELECT 1) AS q; COMMIT; DELETE FROM sales; SELECT 1 FROM (SELECT 1",
        "WITH gone AS (DELETE FROM sales RETURNING *) SELECT * FROM gone",
        "INSERT INTO sales VALUES ('x', 1, 'y')",
        "DROP TABLE sales",
    ],
)
def test_no_statement_changes_the_database(names: dict[str, Any], sql: str) -> None:
    with pytest.raises((SQLAlchemyError, sqlite3.Warning)):
        names["query"](sql)

    assert len(names["query"]("SELECT * FROM sales;")) == len(ROWS)


def test_a_setting_that_a_query_makes_ends_with_it(names: dict[str, Any]) -> None:
    if names["engine"].dialect.name == "postgresql":
        names["query"]("SELECT set_config('default_transaction_read_only', 'off', false)")

    with pytest.raises(SQLAlchemyError):
        names["query"]("DELETE FROM sales RETURNING *")


def test_rows_are_bounded(names: dict[str, Any]) -> None:
    names["MOST"] = 2

    assert len(names["query"]("SELECT * FROM sales")) == 2
