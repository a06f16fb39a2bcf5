"""After each fault of a model there is one command to type next, which does something about it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from misbehaving import Answer, serving

from smolcell.doctor import Doctor, command_of, next_command, other_model_command
from smolcell.errors import SetupError
from smolcell.models import create_model
from smolcell.models.errors import model_error
from smolcell.settings import Settings

AGAIN = "%agent doctor -m it"
PRESENT = "%agent doctor -m ollama/qwen2.5-coder"


def fault(kind: Any) -> Exception:
    return model_error("It did not reply.", kind=kind)


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL", "HF_TOKEN"):
        monkeypatch.delenv(variable, raising=False)


@pytest.mark.parametrize(
    ("name", "kind", "command"),
    [
        ("openai/gpt-4.1", "key", "export OPENAI_API_KEY=…"),
        ("anthropic/claude", "key", "export ANTHROPIC_API_KEY=…"),
        ("huggingface/a/b", "key", "!hf auth login"),
        ("ollama/x", "key", "export SMOLCELL_API_KEY=…"),
        ("ollama/qwen3:8b", "model", "ollama pull qwen3:8b"),
        ("ollama/a;b", "model", "ollama pull 'a;b'"),
        ("lmstudio/x", "model", "lms get x"),
        ("vllm/x", "model", "vllm serve x"),
        ("local:8080/x", "model", "curl http://127.0.0.1:8080/v1/models"),
        ("openai/no-such", "model", PRESENT),
        ("ollama/x", "connection", "ollama serve"),
        ("lmstudio/x", "connection", "lms server start"),
        ("openai/x", "connection", "curl -sSI https://api.openai.com/v1"),
        ("anthropic/x", "connection", "curl -sSI https://api.anthropic.com"),
        ("perplexity/x", "connection", AGAIN),
        ("openai/x", "busy", AGAIN),
        ("openai/x", "server", AGAIN),
        ("openai/x", "stall", AGAIN),
        ("openai/x", "stream", AGAIN),
        ("openai/x", "quota", PRESENT),
        ("openai/x", "context", PRESENT),
        ("transformers/x", "memory", PRESENT),
    ],
)
def test_each_kind_of_fault_has_its_command(name: str, kind: str, command: str) -> None:
    assert next_command(name, fault(kind), again=AGAIN) == command


def test_an_address_of_one_s_own_is_asked_what_it_has_without_what_is_secret_in_it() -> None:
    base = "http://me:secret@127.0.0.1:8000/v1"
    assert (
        next_command("openai/x", fault("model"), api_base=base, again=AGAIN) == "curl http://127.0.0.1:8000/v1/models"
    )
    assert (
        next_command("ollama/x", fault("connection"), api_base=base, again=AGAIN)
        == "curl -sSI http://127.0.0.1:8000/v1"
    )


def test_the_variable_that_holds_the_key_is_the_one_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMOLCELL_API_KEY", "not-accepted-123")
    assert next_command("openai/gpt-4.1", fault("key"), again=AGAIN) == "export SMOLCELL_API_KEY=…"


def test_a_model_whose_key_is_set_is_the_one_to_try_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-key-of-it-1234")
    assert other_model_command("openai/gpt-4.1") == "%agent doctor -m anthropic/claude-sonnet-4-5"
    assert other_model_command("anthropic/claude-sonnet-4-5") == PRESENT


def test_where_the_key_is_asked_for_the_check_is_typed_again() -> None:
    lacking = SetupError("openai/gpt-4.1 needs a key, but none was typed")
    assert next_command("openai/gpt-4.1", lacking, again=AGAIN, asks=True) == AGAIN
    assert next_command("openai/gpt-4.1", lacking, again=AGAIN) == "export OPENAI_API_KEY=…"


def test_of_several_models_it_is_about_the_one_that_failed() -> None:
    lacking = SetupError("anthropic/b has no key: set ANTHROPIC_API_KEY before the kernel starts.")
    assert next_command("openai/a,anthropic/b", lacking, again=AGAIN) == "export ANTHROPIC_API_KEY=…"


@pytest.mark.parametrize(
    ("name", "api_base", "command"),
    [
        ("gpt-4", None, "%agent doctor -m openai/gpt-4"),
        ("opnai/gpt-4", None, "%agent doctor -m openai/gpt-4"),
        ("nosuch/x", None, "%agent doctor -m openai/gpt-4.1"),
        ("llamacpp/nosuch.gguf", None, "%agent doctor -m llamacpp/owner/name"),
        ("openai/x", "elsewhere", "%agent doctor -m openai/x --api-base http://127.0.0.1:11434/v1"),
    ],
)
def test_a_name_that_is_none_has_its_command(name: str, api_base: str | None, command: str) -> None:
    with pytest.raises(SetupError) as error:
        create_model(name, api_base=api_base)
    assert next_command(name, error.value, api_base=api_base, again=AGAIN) == command


@pytest.mark.parametrize(
    ("message", "command"),
    [
        ("x needs PyTorch; type: pip install 'smolcell[transformers]'", "pip install 'smolcell[transformers]'"),
        ("Use local, or start it: sudo systemctl start docker", "sudo systemctl start docker"),
        ("there is no key for E2B; get one at e2b.dev and type: export E2B_API_KEY=…", "export E2B_API_KEY=…"),
        ("Pyodide is not here; run once: python -m smolcell.executors.wasm", "python -m smolcell.executors.wasm"),
        ("use one of: --sandbox docker, local", ""),
        ("the model said: nothing", ""),
    ],
)
def test_the_command_that_a_message_ends_with_is_found(message: str, command: str) -> None:
    assert command_of(message) == command


# --- the doctor's stage, with a server that fails -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "headers", "command"),
    [
        (401, {}, "export SMOLCELL_API_KEY=…"),
        (404, {}, "curl {base}/models"),
        (429, {"Retry-After": "3600"}, "%agent doctor -m openai/m"),
        (402, {}, PRESENT),
    ],
    ids=["wrong key", "unknown model", "rate limit", "no credit"],
)
def test_the_doctor_names_the_command_after_what_a_server_says(
    status: int, headers: dict[str, str], command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMOLCELL_API_KEY", "a-key-of-one-s-own")
    with serving(Answer(b"{}", status=status, kind="application/json", headers=headers)) as server:
        settings = Settings(model="openai/m", api_base=server.base)
        check = Doctor(settings, again="%agent doctor -m openai/m").model(tmp_path)
        assert (check.state, check.then) == ("failed", command.format(base=server.base))
        assert check.text.startswith("openai/m at ")
    assert [path.suffix for path in tmp_path.iterdir()] == [
        ".jsonl",
    ]


def test_the_doctor_names_the_command_where_no_server_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as server:
        base = server.base
    check = Doctor(Settings(model="openai/m", api_base=base)).model(tmp_path)
    assert (check.state, check.then) == ("failed", f"curl -sSI {base}")


def test_the_doctor_names_the_command_where_the_key_is_missing(tmp_path: Path) -> None:
    check = Doctor(Settings(model="openai/gpt-4.1")).model(tmp_path)
    assert (check.state, check.then) == ("failed", "export OPENAI_API_KEY=…")
