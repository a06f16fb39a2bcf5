"""The models that a card lists, and the one that is chosen for a session's next runs."""

from __future__ import annotations

from typing import Any

import pytest
from cells import Notebook

import smolcell
from smolcell.models import available_models
from smolcell.notebook.magic import AgentMagics
from smolcell.notebook.settings import effective_settings, read_line
from smolcell.testing import MemoryExecutor, ScriptedModel

HERE = "a server on this machine offers it"


@pytest.fixture
def magics(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> AgentMagics:
    known = {"ollama/qwen": HERE, "test/first": "OPENAI_API_KEY is set"}
    monkeypatch.setattr("smolcell.models.available_models", lambda: known)
    monkeypatch.setattr("smolcell.models.create_model", lambda name, **given: ScriptedModel("final_answer(1)"))
    made: AgentMagics = notebook.magics
    return made


def begun(magics: AgentMagics, line: str = "") -> str:
    """A session that has run once with the options of a line; returns the run."""
    options = read_line(line)
    session = magics.sessions.get(effective_settings(options, magics.config).session)
    session.agent = smolcell.CodeAgent([], ScriptedModel("<code>\nfinal_answer(1)\n</code>"), sandbox=MemoryExecutor())
    session._model(options.settings.get("model", "test/first"), options.settings.get("api_base"))
    magics.sessions.keep(session)
    magics._last_options[session.name] = options
    session.agent.run_id = "r1"
    return "r1"


def in_next_cell(magics: AgentMagics, line: str = "") -> tuple[str | None, str | None]:
    given = read_line(line)
    settings = effective_settings(magics.sessions.known("default").with_own(given), magics.config)
    return settings.model, settings.api_base


def rows(said: dict[str, Any]) -> list[tuple[str, str, bool]]:
    return [(row["name"], row["why"], row["now"]) for row in said["models"]]


def test_a_card_lists_what_was_used_and_what_can_be(magics: AgentMagics) -> None:
    said = magics.models(begun(magics, "-m openai/x --api-base http://127.0.0.1:9/v1"))
    assert rows(said) == [
        ("openai/x at http://127.0.0.1:9/v1", "used in this session", True),
        ("ollama/qwen", HERE, False),
        ("test/first", "OPENAI_API_KEY is set", False),
    ]
    assert (said["session"], said["why"]) == ("default", "")
    assert magics.models("another")["why"] == "the session of this run was ended or reset"


def test_the_chosen_model_holds_for_later_cells_that_name_none(magics: AgentMagics) -> None:
    run = begun(magics, "-m openai/x --api-base http://127.0.0.1:9/v1 --replay f.jsonl")
    chosen = next(row["id"] for row in magics.models(run)["models"] if row["name"] == "ollama/qwen")
    assert magics.choose_model(run, chosen) == {"model": "ollama/qwen", "session": "default", "why": ""}
    assert in_next_cell(magics) == ("ollama/qwen", None)
    assert in_next_cell(magics, "-m a/b") == ("a/b", None)
    resumed = read_line("").after(magics._last_options["default"])
    assert ("model" in resumed.settings, resumed.replay) == (False, None)
    assert [row["name"] for row in magics.models(run)["models"] if row["now"]] == ["ollama/qwen"]
    magics.line("config model=c/d")
    assert in_next_cell(magics) == ("c/d", None)


def test_a_model_that_was_used_keeps_its_address(magics: AgentMagics) -> None:
    run = begun(magics, "-m openai/x --api-base http://127.0.0.1:9/v1")
    first = magics.models(run)["models"][0]["id"]
    magics.choose_model(run, first)
    assert in_next_cell(magics) == ("openai/x", "http://127.0.0.1:9/v1")


@pytest.mark.parametrize("choice", ["", "ollama/qwen", "http://evil.test/v1"])
def test_a_page_chooses_nothing_that_was_not_listed(magics: AgentMagics, choice: str) -> None:
    run = begun(magics)
    assert magics.choose_model(run, choice) == {"why": "this model was not listed"}
    assert magics.sessions.known("default").chosen is None


def test_keys_that_are_set_and_servers_that_answer_are_available() -> None:
    environ = {"OPENAI_API_KEY": "k", "GROQ_API_KEY": "k", "SMOLCELL_MODEL": "a/b"}
    found = available_models(environ, servers={}, logged_in=False)
    assert found == {
        "a/b": "SMOLCELL_MODEL names it",
        "openai/gpt-4.1": "OPENAI_API_KEY is set",
        "groq/llama-3.3-70b-versatile": "GROQ_API_KEY is set",
    }
    assert list(available_models({}, servers={}, logged_in=True).values()) == ["you are logged in to Hugging Face"]
