"""Where a model does not answer, the next one is asked: visibly; what was shown of a reply that broke off is discarded."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from typing import Any

import pytest
from dialects import KINDS, Waits, items
from misbehaving import Answer, error, serving

import smolcell
from smolcell.errors import AgentGenerationError, SetupError
from smolcell.events import Delta, Replied, Usage
from smolcell.models import create_model
from smolcell.models.errors import ModelError, Retry, model_error
from smolcell.models.fallback import FallbackModel
from smolcell.protocols import Message
from smolcell.testing import ScriptedModel

DOWN = AgentGenerationError("one is down. Start it.")


def said(given: list[Delta | Replied]) -> tuple[str, str, list[str]]:
    *deltas, last = given
    assert isinstance(last, Replied)
    return last.text, last.model, [delta.text for delta in deltas if getattr(delta, "channel", "") == "progress"]


class Breaking:
    """Shows some text and breaks off."""

    name = "breaking"

    async def reply(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> AsyncIterator[Delta | Replied]:
        yield Delta(text="half")
        raise DOWN


def test_the_first_model_answers_where_it_can() -> None:
    one, two = ScriptedModel("a", name="one"), ScriptedModel(name="two")
    model = FallbackModel([one, two])
    assert (model.name, said(items(model))) == ("one,two", ("a", "one", []))
    assert two.calls == []


@pytest.mark.parametrize(
    "fault", [DOWN, model_error("too long.", kind="context"), SetupError("not installed. Type: x")]
)
def test_the_next_answers_where_it_cannot_and_the_person_is_told(fault: Exception) -> None:
    model = FallbackModel([ScriptedModel(fault, name="one"), ScriptedModel("b", name="two")])
    assert said(items(model)) == ("b", "two", [f"{fault} Asking two instead."])


def refusing(tokens: int) -> ModelError:
    fault = ModelError("one refused.", kind="refusal", retry=True)
    fault.usage = Usage(input_tokens=tokens)
    return fault


def test_what_those_used_that_did_not_answer_is_counted_in_and_of_errors_the_last_is_raised() -> None:
    paid = Replied(text="b", usage=Usage(input_tokens=1, output_tokens=2))
    last = items(FallbackModel([ScriptedModel(reply) for reply in (refusing(100), refusing(10), paid)]))[-1]
    assert isinstance(last, Replied)
    assert last.usage == Usage(input_tokens=111, output_tokens=2)
    last_fault = refusing(10)
    with pytest.raises(ModelError) as caught:
        items(FallbackModel([ScriptedModel(refusing(100)), ScriptedModel(last_fault)]))
    assert (caught.value, caught.value.usage) == (last_fault, Usage(input_tokens=110))


@pytest.mark.parametrize(("failures", "tokens"), [(1, 6), (2, 11)])
def test_what_failed_attempts_used_is_counted_in(failures: int, tokens: int) -> None:
    faults = [refusing(5) for _ in range(failures)]

    async def attempt() -> AsyncGenerator[Delta | Replied, None]:
        if faults:
            raise faults.pop()
        yield Replied(text="a", usage=Usage(input_tokens=1, output_tokens=1))

    async def run() -> Any:
        return [item async for item in Retry(sleep=lambda seconds: asyncio.sleep(0))(attempt)][-1]

    assert asyncio.run(run()).usage == Usage(input_tokens=tokens, output_tokens=1)


def test_where_one_breaks_off_the_next_is_asked_and_what_was_shown_is_discarded() -> None:
    note = "A partial reply was discarded, and the model was asked again."
    assert items(FallbackModel([Breaking(), ScriptedModel("b", name="two")])) == [
        Delta(text="half"),
        Delta(text=f"{DOWN} Asking two instead.", channel="discarded"),
        Delta(text="b"),
        Replied(text="b", model="two", note=note),
    ]
    with pytest.raises(AgentGenerationError, match="one is down"):
        items(FallbackModel([ScriptedModel(DOWN), Breaking()]))


def test_a_model_that_failed_is_passed_over_for_a_while() -> None:
    now = 0.0
    one, two = ScriptedModel(DOWN, "a", name="one"), ScriptedModel("b", "c", name="two")
    model = FallbackModel([one, two], rest=60, clock=lambda: now)
    assert [said(items(model))[1], said(items(model))] == ["two", ("c", "two", [])]
    now = 61.0
    assert said(items(model)) == ("a", "one", [])
    one, two = ScriptedModel(DOWN, "a", name="one"), ScriptedModel("b", DOWN, name="two")
    model = FallbackModel([one, two], clock=lambda: 0.0)  # or until no other answers
    assert [said(items(model))[1], said(items(model))[1]] == ["two", "one"]


def test_over_http_a_busy_server_is_followed_by_the_next() -> None:
    waits = Waits()
    with serving(error(503)) as busy, serving(Answer()) as other:
        model = FallbackModel([KINDS[0].model(busy, retry=waits.retry()), KINDS[1].model(other)])
        given = items(model)
    assert (len(busy.requests), len(other.requests), len(waits.seconds)) == (4, 1, 3)
    assert said(given)[2][-1].endswith("Asking ollama/some-model instead.")


def test_a_list_of_names_is_a_model() -> None:
    model = create_model("ollama/a, lmstudio/b")
    assert isinstance(model, FallbackModel)
    assert [each.name for each in model.models] == ["ollama/a", "lmstudio/b"]
    assert smolcell.FallbackModel is FallbackModel


def test_a_model_without_a_key_is_followed_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "SMOLCELL_API_KEY", "OPENAI_BASE_URL", "SMOLCELL_API_BASE", "GROQ_API_KEY"):
        monkeypatch.delenv(name, raising=False)

    note = "openai/gpt-4.1 has no key: set OPENAI_API_KEY before the kernel starts."
    model = FallbackModel(["openai/gpt-4.1", ScriptedModel("b")])
    assert [item.text for item in items(model)] == [f"{note} Asking scripted instead.", "b", "b"]
    with pytest.raises(SetupError, match="groq/m has no key: set GROQ_API_KEY"):
        items(create_model("openai/gpt-4.1,groq/m"))


def test_a_list_that_is_none_says_why() -> None:
    with pytest.raises(SetupError, match="needs models"):
        FallbackModel([])
    assert not isinstance(create_model("ollama/a, b"), FallbackModel)
    with pytest.raises(SetupError, match="leave out api_base"):
        create_model("ollama/a,ollama/b", api_base="http://127.0.0.1:1/v1")


def deployment(name: str, model: str, **params: str) -> dict[str, Any]:
    return {"model_name": name, "litellm_params": {"model": model, **params}}


def test_a_routers_list_is_a_list_of_deployments() -> None:
    big, small = deployment("big", "azure/a", api_base="http://a"), deployment("small", "b")
    model = smolcell.LiteLLMRouterModel("big", [big, small, deployment("big", "openai/c")], timeout=5)
    assert (model.name, [each.name for each in model.models]) == ("big", ["azure/a", "openai/c"])
    assert [(each.api_base, each.timeout) for each in model.models] == [("http://a", 5), (None, 5)]  # type: ignore[attr-defined]
    with pytest.raises(SetupError, match="it has: small"):
        smolcell.LiteLLMRouterModel("big", [small])
    words = {"routing_strategy": "simple-shuffle", "num_retries": 1, "cooldown_time": 9, "timeout": 3}
    model = smolcell.LiteLLMRouterModel("b", [deployment("b", "b")], client_kwargs=words)
    assert (model.rest, model.models[0].retry.tries, model.models[0].timeout) == (9, 2, 3)  # type: ignore[attr-defined]
    with pytest.raises(SetupError, match="client_kwargs: redis_url is not supported: leave it out"):
        smolcell.LiteLLMRouterModel("b", [deployment("b", "b")], client_kwargs={"redis_url": "redis://127.0.0.1"})
