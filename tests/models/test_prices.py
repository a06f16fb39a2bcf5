"""Prices and windows from LiteLLM's table, without importing LiteLLM."""

from __future__ import annotations

import subprocess
import sys

import pytest

from smolcell.events import Usage
from smolcell.models import capabilities
from smolcell.models.capabilities import Listing, listing


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"litellm_provider": "openai", "input_cost_per_token": 2e-6, "output_cost_per_token": 8e-6}
    wrong = {"input_cost_per_token": True, "output_cost_per_token": "1", "max_input_tokens": None}
    entries = {"gpt-x": known | {"max_input_tokens": 1000}, "groq/l": wrong, "odd": "text"}
    monkeypatch.setattr(capabilities, "_table", lambda: entries)


@pytest.mark.usefixtures("table")
def test_a_model_is_found_by_its_own_name_and_its_provider() -> None:
    known = Listing(input_cost=2e-6, output_cost=8e-6, window=1000)
    assert [listing(name) for name in ("openai/gpt-x", "litellm/openai/gpt-x")] == [known, known]
    assert {listing(name) for name in ("groq/gpt-x", "groq/l", "openai/odd", "x")} == {Listing()}
    assert known.cost(Usage(input_tokens=1_000_000, output_tokens=500_000)) == pytest.approx(6.0)
    assert Listing().cost(Usage(input_tokens=1)) is None


def test_the_table_that_is_installed_has_prices_and_litellm_stays_out() -> None:
    program = (
        "import sys; from smolcell.models.capabilities import listing; found = listing('openai/gpt-4.1');"
        "print(found.input_cost > 0, found.window > 100_000, 'litellm' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "True", "False"]
