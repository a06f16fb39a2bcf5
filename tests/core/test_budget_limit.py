"""The setting ``budget``: dollars or tokens, and what is narrower."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from examples import cases

from smolcell.agent.budget import Budget
from smolcell.core.spec import budget_limit
from smolcell.errors import SetupError
from smolcell.notebook.settings import read_line, resolve


@pytest.mark.parametrize(("given", "limit"), cases(__file__, "limits"))
def test_a_budget_is_dollars_or_tokens(given: str, limit: dict[str, Any]) -> None:
    assert budget_limit(resolve({"budget": given}).budget) == limit
    if limit:
        Budget(**limit)


@pytest.mark.parametrize(
    "given", ["0", "$0", "0.5", "-1", "5 dollars", "$", "1e9", "9" * 40, "\u0665", "nan", "100k,$1", 5]
)
def test_what_is_no_budget_is_said_to_be_none(given: Any) -> None:
    with pytest.raises(SetupError, match=r"--budget in the cell is .*: expected"):
        resolve({"budget": given})


def test_a_cell_s_option_counts_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMOLCELL_BUDGET", "100k")
    assert resolve(read_line("").settings).budget == "100k"
    assert resolve(read_line("--budget '$0.50'").settings).budget == "$0.50"


@pytest.mark.parametrize(("own", "theirs", "counts"), cases(__file__, "narrower"))
def test_a_strangers_file_makes_a_budget_narrower_only(
    own: str,
    theirs: str,
    counts: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    recwarn: pytest.WarningsRecorder,
) -> None:
    monkeypatch.delenv("SMOLCELL_TRUST", raising=False)
    monkeypatch.setenv("SMOLCELL_CONFIG_DIR", str(tmp_path / "own"))
    for folder, budget in (("own", own), ("project", theirs)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "smolcell.toml").write_text(f'budget = "{budget}"\n')
    monkeypatch.chdir(tmp_path / "project")
    assert resolve({}).budget == counts
    assert len(recwarn) == (counts != theirs)
