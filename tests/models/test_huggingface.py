"""Inference providers, through the library's own client: its addresses are turned to a server on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from dialects import KINDS, Waits, ask, failure
from misbehaving import Answer, Server, serving

from smolcell.models.huggingface import HfApiModel, InferenceClientModel

TOKEN = "hf_canary4711canary4711"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The library, not logged in, with a router on this machine and one model that two providers serve."""
    import huggingface_hub
    from huggingface_hub.hf_api import InferenceProviderMapping
    from huggingface_hub.inference._providers import CONVERSATIONAL_AUTO_ROUTER
    from huggingface_hub.inference._providers._common import HARDCODED_MODEL_INFERENCE_MAPPING

    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", "/nowhere")
    for provider in ("together", "nebius", "groq"):
        served = InferenceProviderMapping(
            provider=provider, hf_model_id="a/b", providerId=f"{provider}-b", status="live", task="conversational"
        )
        monkeypatch.setitem(HARDCODED_MODEL_INFERENCE_MAPPING, provider, {"a/b": served})
    with serving(Answer(KINDS[0].good)) as server:
        here = server.base.removesuffix("/v1")
        monkeypatch.setattr("huggingface_hub.constants.INFERENCE_PROXY_TEMPLATE", here + "/{provider}")
        monkeypatch.setattr(CONVERSATIONAL_AUTO_ROUTER, "base_url", here)
        huggingface_hub.stand_in = server
        yield huggingface_hub
        del huggingface_hub.stand_in


def asked(hub: Any) -> tuple[str, str, str, str]:
    """Path, token, who pays, and the model's name, as they were sent."""
    server: Server = hub.stand_in
    ((path, headers, body),) = server.requests
    return path, headers["authorization"], headers.get("x-hf-bill-to", ""), body["model"]


def test_the_router_chooses_a_provider(hub: Any) -> None:
    ask(InferenceClientModel("a/b", token=TOKEN))
    assert asked(hub) == ("/v1/chat/completions", f"Bearer {TOKEN}", "", "a/b")


@pytest.mark.parametrize("provider", ["together", "groq"])
def test_a_provider_is_reached_through_the_router_by_its_own_name_for_the_model(hub: Any, provider: str) -> None:
    ask(HfApiModel("a/b", provider=provider, token=TOKEN, bill_to="acme"))
    path, *rest = asked(hub)
    assert (path.startswith(f"/{provider}/"), path.endswith("/v1/chat/completions")) == (True, True)
    assert rest == [f"Bearer {TOKEN}", "acme", f"{provider}-b"]


def test_the_stored_token_is_used(hub: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stored = tmp_path / "token"
    stored.write_text(TOKEN)
    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", str(stored))
    ask(InferenceClientModel("a/b"))
    assert asked(hub)[1] == f"Bearer {TOKEN}"


def test_an_endpoint_of_ones_own_is_an_address(hub: Any) -> None:
    ask(InferenceClientModel(base_url=hub.stand_in.base, token=TOKEN))
    assert asked(hub)[:2] == ("/v1/chat/completions", f"Bearer {TOKEN}")


@pytest.mark.parametrize(("provider", "token"), [("nobody", TOKEN), ("auto", "key-of-another-provider")])
def test_a_provider_that_does_not_serve_it_is_an_error_with_advice(hub: Any, provider: str, token: str) -> None:
    failed = failure(InferenceClientModel("a/b", provider=provider, token=token, retry=Waits().retry()))
    assert failed.raised.kind == "model"
    assert str(failed.raised).endswith('Name another model, or leave the choice to the router with provider="auto".')
    assert hub.stand_in.requests == []


def test_nothing_is_sent_while_the_library_is_offline(hub: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    failed = failure(InferenceClientModel("a/b", token=TOKEN, retry=Waits().retry()))
    assert (failed.raised.kind, hub.stand_in.requests) == ("connection", [])
    assert str(failed.raised).endswith("Unset HF_HUB_OFFLINE, or use another model with -m.")
