"""After each fault of a model there is one command to type next, which does something about it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from examples import cases
from misbehaving import Answer, nobody, serving

from smolcell.core.spec import AgentSpec
from smolcell.errors import SetupError
from smolcell.models import create_model
from smolcell.models.errors import model_error
from smolcell.notebook.doctor import Doctor, command_of, next_command, other_model_command

AGAIN = "%agent doctor -m it"
PRESENT = "%agent doctor -m ollama/qwen2.5-coder"


def fault(kind: Any) -> Exception:
    return model_error("It did not reply.", kind=kind)


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL", "HF_TOKEN"):
        monkeypatch.delenv(variable, raising=False)


@pytest.mark.parametrize(("name", "kind", "command"), cases(__file__, "faults"))
def test_each_kind_of_fault_has_its_command(name: str, kind: str, command: str) -> None:
    assert next_command(name, fault(kind), again=AGAIN) == command


OWN = {"api_base": "http://me:secret@127.0.0.1:8000/v1"}
LACKING = SetupError("openai/gpt-4.1 needs a key, but none was typed")
ONE_LACKS = SetupError("anthropic/b has no key: set ANTHROPIC_API_KEY before the kernel starts.")


@pytest.mark.parametrize(
    ("name", "error", "options", "command"),
    [
        ("openai/x", fault("model"), OWN, "curl http://127.0.0.1:8000/v1/models"),
        ("ollama/x", fault("connection"), OWN, "curl -sSI http://127.0.0.1:8000/v1"),
        ("openai/gpt-4.1", LACKING, {"asks": True}, AGAIN),
        ("openai/gpt-4.1", LACKING, {}, "export OPENAI_API_KEY=…"),
        ("openai/a,anthropic/b", ONE_LACKS, {}, "export ANTHROPIC_API_KEY=…"),
    ],
)
def test_the_command_is_about_the_server_and_the_model_that_failed_without_secrets(
    name: str, error: Exception, options: Any, command: str
) -> None:
    assert next_command(name, error, again=AGAIN, **options) == command


def test_keys_that_are_set_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMOLCELL_API_KEY", "not-accepted-123")
    assert next_command("openai/gpt-4.1", fault("key"), again=AGAIN) == "export SMOLCELL_API_KEY=…"
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-key-of-it-1234")
    assert other_model_command("openai/gpt-4.1") == "%agent doctor -m anthropic/claude-sonnet-4-5"
    assert other_model_command("anthropic/claude-sonnet-4-5") == PRESENT


@pytest.mark.parametrize(("name", "api_base", "command"), cases(__file__, "names"))
def test_a_name_that_is_none_has_its_command(name: str, api_base: str | None, command: str) -> None:
    with pytest.raises(SetupError) as error:
        create_model(name, api_base=api_base)
    assert next_command(name, error.value, api_base=api_base, again=AGAIN) == command


@pytest.mark.parametrize(("message", "command"), cases(__file__, "messages"))
def test_the_command_that_a_message_ends_with_is_found(message: str, command: str) -> None:
    assert command_of(message) == command


# --- the doctor's stage, with a server that fails -----------------------------------------------------------------------


@pytest.mark.parametrize(("status", "headers", "command"), cases(__file__, "answers"))
def test_the_doctor_names_the_command_after_what_a_server_says(
    status: int, headers: dict[str, str], command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMOLCELL_API_KEY", "a-key-of-one-s-own")
    with serving(Answer(b"{}", status=status, kind="application/json", headers=headers)) as server:
        settings = AgentSpec(model="openai/m", api_base=server.base)
        check = Doctor(settings, again="%agent doctor -m openai/m").model(tmp_path)
        assert (check.state, check.then) == ("failed", command.format(base=server.base))
        assert check.text.startswith("openai/m at ")
    assert [path.suffix for path in tmp_path.iterdir()] == [".jsonl"]


def test_the_doctor_names_the_command_where_no_server_answers(tmp_path: Path) -> None:
    with nobody() as base:
        check = Doctor(AgentSpec(model="openai/m", api_base=base)).model(tmp_path)
    assert (check.state, check.then) == ("failed", f"curl -sSI {base}")


def test_the_doctor_names_the_command_where_the_key_is_missing(tmp_path: Path) -> None:
    check = Doctor(AgentSpec(model="openai/gpt-4.1")).model(tmp_path)
    assert (check.state, check.then) == ("failed", "export OPENAI_API_KEY=…")
