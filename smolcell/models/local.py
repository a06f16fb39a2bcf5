"""OpenAI-compatible servers on this machine: Ollama, LM Studio, vLLM."""

from __future__ import annotations

import http.client
import json
import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from smolcell.models.openai import OpenAIModel

SERVERS: Mapping[str, int] = MappingProxyType({"ollama": 11434, "lmstudio": 1234, "vllm": 8000})
"""Provider → the port on which it listens by default."""

PROBE = 0.2  # seconds for each server
_LONGEST = 1024 * 1024  # bytes of a list of models


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


def first_local_model(servers: Mapping[str, int] = SERVERS) -> str:
    """``provider/model`` of the first model that a server on this machine lists, or "" where none answers in time."""
    for provider, port in servers.items():
        for model in _models(port):
            if "embed" not in model.lower():
                return f"{provider}/{model}"
    return ""


def _models(port: int) -> list[str]:
    """The names of the models a server lists; none where nothing, or something else, listens on the port."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PROBE)
    try:
        connection.request("GET", "/v1/models", headers={"Accept": "application/json"})
        with connection.getresponse() as response:
            listed = json.loads(response.read(_LONGEST))["data"]
        return [model["id"] for model in listed if isinstance(model["id"], str)]
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError, RecursionError):
        return []
    finally:
        connection.close()
