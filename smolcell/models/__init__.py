"""Models by name: ``provider/model``, imported on demand. Importing this package imports no provider."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from smolcell.errors import SetupError
from smolcell.models.local import SERVERS, first_local_model
from smolcell.protocols import Model

__all__ = ["create_model", "default_model", "providers"]

ENTRY_POINTS = "smolcell.models"

PROVIDERS = {
    "openai": "smolcell.models.openai:OpenAIModel",
    "huggingface": "smolcell.models.huggingface:InferenceClientModel",
    "ollama": "smolcell.models.local:ollama",
    "lmstudio": "smolcell.models.local:lmstudio",
    "vllm": "smolcell.models.local:vllm",
    "litellm": "smolcell.models.litellm:LiteLLMModel",
}
"""Provider → where its model is made: called with the model's name, and ``api_base`` and ``api_key`` where they were given."""

LITELLM = (
    "anthropic azure azure_ai bedrock cerebras cloudflare codestral cohere cohere_chat databricks deepinfra deepseek fireworks_ai "
    "gemini github github_copilot groq hosted_vllm jina_ai litellm_proxy llamafile meta_llama mistral moonshot nebius novita "
    "nscale nvidia_nim ollama_chat openrouter oci perplexity predibase replicate sagemaker sagemaker_chat sambanova snowflake "
    "together_ai vercel_ai_gateway vertex_ai volcengine watsonx xai xinference zai"
).split()
"""Providers that are LiteLLM's, so that a misspelt one is named at once and without importing it. ``litellm/…`` takes any."""

DEFAULTS = {
    "OPENAI_API_KEY": "openai/gpt-4.1",
    "ANTHROPIC_API_KEY": "anthropic/claude-sonnet-4-5",
    "GEMINI_API_KEY": "gemini/gemini-2.5-flash",
    "MISTRAL_API_KEY": "mistral/codestral-latest",
    "GROQ_API_KEY": "groq/llama-3.3-70b-versatile",
    "DEEPSEEK_API_KEY": "deepseek/deepseek-chat",
    "OPENROUTER_API_KEY": "openrouter/qwen/qwen3-coder",
}
"""The variable that holds a provider's key → the model that is used when none is named. The first that is set counts."""

NONE_CONFIGURED = """no model is configured. Choose one of three:
  !hf auth login                                       a model of Hugging Face's inference providers
  %agent config model=openai/gpt-4.1                   with OPENAI_API_KEY set; likewise anthropic/…, gemini/…, mistral/…
  !ollama pull qwen2.5-coder                           a model on this machine, no key: install and start Ollama first"""


def create_model(
    name: str | None = None, *, api_base: str | None = None, api_key: str | None = None, **kwargs: Any
) -> Model:
    """The model of this name, ready to reply; nothing is connected yet.

    Args:
        name: ``provider/model``; ``replay:FILE`` for a recording; None for ``SMOLCELL_MODEL``, else what this machine offers.
        api_base: the server's address, where it is not the provider's own.
        api_key: the key, where it is not in the provider's variable.
        kwargs: further arguments of the model's class, such as ``temperature``, ``max_tokens`` or ``timeout`` (seconds).

    Raises:
        SetupError: there is no such provider, no model at all, or what the model needs is missing. It ends with what to type.
    """
    name = name or default_model()
    if name.startswith("replay:"):
        from smolcell.models.recording import ReplayModel

        return ReplayModel(name.removeprefix("replay:"), **kwargs)
    provider, _, model = name.partition("/")
    if not model:
        raise SetupError(
            f"{name!r} is not the name of a model; one is provider/model, such as openai/gpt-4.1 or ollama/qwen2.5-coder"
        )
    if provider in LITELLM:
        provider, model = "litellm", name
    given = {"api_base": api_base, "api_key": api_key}
    made: Model = _maker(provider)(model, **{key: value for key, value in given.items() if value}, **kwargs)
    return made


def default_model(
    environ: Mapping[str, str] | None = None, *, servers: Mapping[str, int] = SERVERS, logged_in: bool | None = None
) -> str:
    """The name of the model to use when none was named.

    The first of: ``SMOLCELL_MODEL``; Hugging Face, where there is a token; a provider whose key is set; a server that answers on
    this machine.

    Args:
        environ: the variables; the process's own by default.
        servers: which ports of this machine are asked, at most 0.2 s each.
        logged_in: whether a Hugging Face token is stored; looked up by default.

    Raises:
        SetupError: there is none; it ends with the three commands to choose from.
    """
    environ = os.environ if environ is None else environ
    if chosen := environ.get("SMOLCELL_MODEL", "").strip():
        return chosen
    if environ.get("HF_TOKEN") or (_logged_in() if logged_in is None else logged_in):
        from smolcell.models.huggingface import DEFAULT

        return f"huggingface/{DEFAULT}"
    for variable, name in DEFAULTS.items():
        if environ.get(variable):
            return name
    if found := first_local_model(servers):
        return found
    raise SetupError(NONE_CONFIGURED)


def providers() -> tuple[str, ...]:
    """Every provider that ``create_model`` takes, those of installed packages included."""
    return tuple(sorted({*PROVIDERS, *LITELLM, *(entry.name for entry in _entries())}))


def _maker(provider: str) -> Callable[..., Any]:
    if provider in PROVIDERS:
        module, _, name = PROVIDERS[provider].partition(":")
        made: Callable[..., Any] = getattr(import_module(module), name)
        return made
    for entry in _entries():
        if entry.name == provider:
            loaded: Callable[..., Any] = entry.load()
            return loaded
    raise SetupError(
        f"there is no model provider {provider!r}; there are: {', '.join(providers())}. "
        "A model of the Hugging Face Hub is huggingface/owner/name; type for example: %agent config model=openai/gpt-4.1"
    )


def _entries() -> Iterator[Any]:
    yield from entry_points(group=ENTRY_POINTS)


def _logged_in() -> bool:
    try:
        from huggingface_hub import get_token
    except ImportError:
        return False
    return bool(get_token())
