"""A key that is nowhere is asked for, kept in memory, and asked for again where the provider did not accept it."""

from __future__ import annotations

from typing import Any

import pytest
from dialects import items
from examples import cases
from misbehaving import Answer, serving

from smolcell.core.redaction import redact
from smolcell.core.spec import AgentSpec
from smolcell.errors import AgentGenerationError, SetupError
from smolcell.models import create_model
from smolcell.models.credentials import VARIABLES, Keys, key_variables, lacks_key
from smolcell.models.errors import ModelError
from smolcell.notebook.session import Session

TYPED, ANOTHER = "typed-canary-4711", "typed-canary-4712"
BASE = "http://127.0.0.1:1/v1"


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in {name for names in VARIABLES.values() for name in names} | {"SMOLCELL_API_BASE", "OPENAI_BASE_URL"}:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("huggingface_hub.get_token", lambda: None)


class Person:
    """Types these, one a question; then nothing."""

    def __init__(self, *typed: str) -> None:
        self.typed, self.questions = list(typed), []  # type: ignore[var-annotated]

    def __call__(self, variable: str, model: str) -> str | None:
        self.questions.append((variable, model))
        return self.typed.pop(0) if self.typed else None


def test_a_key_that_is_nowhere_is_asked_for_once() -> None:
    person, keys = Person(f" {TYPED}\n"), Keys()
    for _ in range(2):
        assert keys.key("openai/gpt-4.1", None, person) == TYPED
    assert person.questions == [("OPENAI_API_KEY", "openai/gpt-4.1")]
    assert (redact(f"it is {TYPED}"), TYPED in repr(keys)) == ("it is [redacted]", False)
    keys.clear()
    with pytest.raises(SetupError):
        keys.key("openai/gpt-4.1", None, None)


@pytest.mark.parametrize(("model", "variable"), cases(__file__, "variables"))
def test_without_a_person_the_variable_is_named(model: str, variable: str) -> None:
    for ask in (None, Person()):
        with pytest.raises(SetupError, match=rf"{model} needs a key, but none was typed: set {variable}"):
            Keys().key(model, None, ask)


@pytest.mark.parametrize("model", cases(__file__, "no key"))
def test_models_that_need_none_or_another_kind_are_not_asked_about(model: str) -> None:
    assert Keys().key(model, None, None) is None


@pytest.mark.parametrize("name", sorted({name for names in VARIABLES.values() for name in names}))
def test_a_variable_that_is_set_is_enough(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "k" * 20)
    providers = [provider for provider, names in VARIABLES.items() if name in names]
    assert [lacks_key(f"{provider}/m") for provider in providers] == [False] * len(providers)


def test_a_server_at_an_address_of_one_s_own_may_need_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Keys().key("openai/m", BASE, None) is None
    monkeypatch.setenv("SMOLCELL_API_BASE", BASE)
    assert (Keys().key("openai/m", None, None), key_variables("openai/m")) == (None, ("SMOLCELL_API_KEY",))


@pytest.mark.parametrize("typed", ["", "  ", "two words here", "tab\tin the key", "kéy-with-an-accent", "a" * 7])
def test_what_cannot_be_a_key_is_not_taken_nor_repeated(typed: str) -> None:
    with pytest.raises(SetupError, match="OPENAI_API_KEY is not a key") as raised:
        Keys().key("openai/m", None, Person(typed))
    assert not typed.strip() or typed not in str(raised.value)


def test_a_key_that_was_not_accepted_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "env-canary-4713")
    person, keys = Person(TYPED, ANOTHER), Keys()
    assert keys.key("openai/m", None, person) is None
    keys.refuse("openai/m")
    assert keys.key("openai/m", None, person) == TYPED
    keys.refuse("openai/m")
    assert keys.key("openai/m", None, person) == ANOTHER
    keys.refuse("openai/m")
    assert keys.key("openai/m", None, None) is None  # there is no person: the variable's is tried once more
    monkeypatch.setenv("OPENAI_API_KEY", "env-canary-4714")  # another one was set
    assert keys.key("openai/m", None, None) is None


def test_a_session_makes_its_model_with_the_typed_key_and_again_after_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    session, person = Session("s"), Person(TYPED, ANOTHER)
    settings = AgentSpec(model="openai/gpt-4.1")
    first = session.prepare(settings, ask_key=person).model
    assert session.prepare(settings, ask_key=person).model is first
    session.models.learn(AgentGenerationError("cut"))
    second = session.prepare(settings, ask_key=person).model
    assert second is not first
    assert [sent(model) for model in (first, second)] == [f"Bearer {TYPED}"] * 2
    session.models.learn(ModelError("no", kind="key"))
    third = session.prepare(settings, ask_key=person).model
    assert sent(third) == f"Bearer {ANOTHER}"
    session.close()


def test_a_server_that_was_found_and_not_named_gets_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever listens on the port, the key is of another server."""
    monkeypatch.setenv("SMOLCELL_API_KEY", TYPED)
    monkeypatch.setattr("smolcell.models.first_local_model", lambda servers: "vllm/m")
    found, named = create_model(), create_model("vllm/m")
    of_session = Session("s").prepare(AgentSpec()).model
    assert [sent(model) for model in (found, of_session, named)] == [None, None, f"Bearer {TYPED}"]


def sent(model: Any) -> str | None:
    """The key that goes to its server."""
    with serving(Answer()) as server:
        model.api_base = server.base
        items(model)
    return server.requests[0][1].get("authorization")


def test_an_address_without_a_model_is_not_given_another_providers_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", TYPED)
    for make in (lambda: create_model(api_base=BASE), lambda: Session("s").prepare(AgentSpec(api_base=BASE))):
        with pytest.raises(SetupError, match=rf"no model of {BASE} was named: add -m openai/NAME"):
            make()
