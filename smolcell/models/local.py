"""Models of OpenAI-compatible servers on this machine: Ollama, LM Studio, vLLM, and any other by its port."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from smolcell.errors import SetupError
from smolcell.models.servers import SERVERS

if TYPE_CHECKING:
    from smolcell.models.openai import OpenAIModel


def ollama(model_id: str, api_base: str | None = None, **kwargs: Any) -> OpenAIModel:
    """A model that Ollama serves; ``OLLAMA_HOST`` names another place than this machine."""
    host = os.environ.get("OLLAMA_HOST", "").strip().rstrip("/").replace("0.0.0.0", "127.0.0.1")  # noqa: S104
    if host and "://" not in host:
        host = f"http://{host}" if ":" in host else f"http://{host}:{SERVERS['ollama']}"
    return _served("ollama", model_id, api_base or (f"{host.removesuffix('/v1')}/v1" if host else None), kwargs)


def lmstudio(model_id: str, api_base: str | None = None, **kwargs: Any) -> OpenAIModel:
    """A model that LM Studio serves on this machine."""
    return _served("lmstudio", model_id, api_base, kwargs)


def vllm(model_id: str, api_base: str | None = None, **kwargs: Any) -> OpenAIModel:
    """A model that vLLM, or another server on port 8000, serves on this machine."""
    return _served("vllm", model_id, api_base, kwargs)


def _served(provider: str, model_id: str, api_base: str | None, kwargs: dict[str, Any]) -> OpenAIModel:
    from smolcell.models.openai import OpenAIModel

    address = api_base or f"http://127.0.0.1:{SERVERS[provider]}/v1"
    return OpenAIModel(model_id, address, name=f"{provider}/{model_id}", **kwargs)


def on_port(provider: str) -> Callable[..., OpenAIModel]:
    """What makes a model of ``local:PORT/…``, any OpenAI-compatible server of this machine.

    Raises:
        SetupError: there is no such port.
    """
    port = provider.removeprefix("local:")
    if not (port.isascii() and port.isdecimal() and 0 < int(port) < 65536):
        raise SetupError(f"{provider!r} names no port; a server of this machine is local:8080/model")

    def made(model_id: str, api_base: str | None = None, **kwargs: Any) -> OpenAIModel:
        return _served(provider, model_id, api_base or f"http://127.0.0.1:{port}/v1", kwargs)

    return made
