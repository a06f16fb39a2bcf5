"""The models that a card lists, and the one that is chosen for a session's next runs."""

from __future__ import annotations

from typing import Any

import pytest
from cells import Notebook

import smolcell
from smolcell.models import available_models
from smolcell.notebook.cards import CardRequests
from smolcell.notebook.settings import effective_settings, read_line
from smolcell.testing import MemoryExecutor, ScriptedModel

HERE = "a server on this machine offers it"


@pytest.fixture
def cards(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> CardRequests:
    known = {"ollama/qwen": HERE, "test/first": "OPENAI_API_KEY is set"}
    monkeypatch.setattr("smolcell.models.available_models", lambda: known)
    monkeypatch.setattr("smolcell.models.create_model", lambda name, **given: ScriptedModel("final_answer(1)"))
    made: CardRequests = notebook.cards
    return made


def begun(cards: CardRequests, line: str = "") -> str:
    """A session that has run once with the options of a line; returns the run."""
    options = read_line(line)
    session = cards.magics.sessions.get(effective_settings(options, cards.magics.config).session)
    session.agent = smolcell.CodeAgent([], ScriptedModel("<code>\nfinal_answer(1)\n</code>"), sandbox=MemoryExecutor())
    session.models._model(options.settings.get("model", "test/first"), options.settings.get("api_base"))
    cards.magics.sessions.keep(session)
    cards.magics.last_options[session.name] = options
    session.agent.run_id = "r1"
    return "r1"


def in_next_cell(cards: CardRequests, line: str = "") -> tuple[str | None, str | None]:
    given = read_line(line)
    settings = effective_settings(cards.magics.sessions.known("default").with_own(given), cards.magics.config)
    return settings.model, settings.api_base


def rows(said: dict[str, Any]) -> list[tuple[str, str, bool]]:
    return [(row["name"], row["why"], row["now"]) for row in said["models"]]


def test_a_card_lists_what_was_used_and_what_can_be(cards: CardRequests) -> None:
    said = cards.models(begun(cards, "-m openai/x --api-base http://127.0.0.1:9/v1"))
    assert rows(said) == [
        ("openai/x at http://127.0.0.1:9/v1", "used in this session", True),
        ("ollama/qwen", HERE, False),
        ("test/first", "OPENAI_API_KEY is set", False),
    ]
    assert (said["session"], said["why"]) == ("default", "")
    assert cards.models("another")["why"] == "the session of this run was ended or reset"


def test_the_chosen_model_holds_for_later_cells_that_name_none(cards: CardRequests) -> None:
    run = begun(cards, "-m openai/x --api-base http://127.0.0.1:9/v1 --replay f.jsonl")
    chosen = next(row["id"] for row in cards.models(run)["models"] if row["name"] == "ollama/qwen")
    assert cards.choose_model(run, chosen) == {"model": "ollama/qwen", "session": "default", "why": ""}
    assert in_next_cell(cards) == ("ollama/qwen", None)
    assert in_next_cell(cards, "-m a/b") == ("a/b", None)
    resumed = read_line("").after(cards.magics.last_options["default"])
    assert ("model" in resumed.settings, resumed.replay) == (False, None)
    assert [row["name"] for row in cards.models(run)["models"] if row["now"]] == ["ollama/qwen"]
    cards.magics.line("config model=c/d")
    assert in_next_cell(cards) == ("c/d", None)


def test_a_model_that_was_used_keeps_its_address(cards: CardRequests) -> None:
    run = begun(cards, "-m openai/x --api-base http://127.0.0.1:9/v1")
    first = cards.models(run)["models"][0]["id"]
    cards.choose_model(run, first)
    assert in_next_cell(cards) == ("openai/x", "http://127.0.0.1:9/v1")


@pytest.mark.parametrize("choice", ["", "ollama/qwen", "http://evil.test/v1"])
def test_a_page_chooses_nothing_that_was_not_listed(cards: CardRequests, choice: str) -> None:
    run = begun(cards)
    assert cards.choose_model(run, choice) == {"why": "this model was not listed"}
    assert cards.magics.sessions.known("default").models.chosen is None


def test_keys_that_are_set_and_servers_that_answer_are_available() -> None:
    environ = {"OPENAI_API_KEY": "k", "GROQ_API_KEY": "k", "SMOLCELL_MODEL": "a/b"}
    found = available_models(environ, servers={}, logged_in=False)
    assert found == {
        "a/b": "SMOLCELL_MODEL names it",
        "openai/gpt-4.1": "OPENAI_API_KEY is set",
        "groq/llama-3.3-70b-versatile": "GROQ_API_KEY is set",
    }
    assert list(available_models({}, servers={}, logged_in=True).values()) == ["you are logged in to Hugging Face"]
