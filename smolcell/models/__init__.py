"""Models by name: ``provider/model``, imported on demand. Importing this package imports no provider."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from smolcell.environment import importing
from smolcell.errors import SetupError
from smolcell.models import names
from smolcell.models.credentials import stored_token
from smolcell.models.discovery import SERVERS, first_local_model
from smolcell.protocols import Model
from smolcell.redaction import redact

__all__ = ["chosen_model", "create_model", "default_model", "providers"]

ENTRY_POINTS = "smolcell.models"

PROVIDERS = {
    "openai": "smolcell.models.openai:OpenAIModel",
    "huggingface": "smolcell.models.huggingface:InferenceClientModel",
    "ollama": "smolcell.models.discovery:ollama",
    "lmstudio": "smolcell.models.discovery:lmstudio",
    "vllm": "smolcell.models.discovery:vllm",
    "litellm": "smolcell.models.litellm:LiteLLMModel",
    "llamacpp": "smolcell.models.llamacpp:LlamaCppModel",
    "transformers": "smolcell.models.transformers:TransformersModel",
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
  %agent config model=openai/gpt-4.1                   asks for OPENAI_API_KEY if it is not set; likewise anthropic/…, gemini/…
  !ollama pull qwen2.5-coder                           a model on this machine, no key: install and start Ollama first"""


def create_model(
    name: str | None = None, *, api_base: str | None = None, api_key: str | None = None, **kwargs: Any
) -> Model:
    """The model of this name, ready to reply; nothing is connected yet.

    Args:
        name: ``provider/model``; several with commas between for a ``FallbackModel``; ``replay:FILE`` for a recording; None for
            ``SMOLCELL_MODEL``, else what this machine offers.
        api_base: the server's address, where it is not the provider's own.
        api_key: the key, where it is not in the provider's variable.
        kwargs: further arguments of the model's class, such as ``temperature``, ``max_tokens`` or ``timeout`` (seconds).

    Raises:
        SetupError: there is no such provider, no model at all, or what the model needs is missing. It ends with what to type.
    """
    if not name:
        name = default_model(api_base=api_base)
        api_key = "" if api_key is None and keyless(name) else api_key
    if name.startswith("replay:"):
        from smolcell.models.recording import ReplayModel

        return ReplayModel(name.removeprefix("replay:"), **kwargs)
    several = [part.strip() for part in name.split(",")]
    if len(several) > 1 and all("/" in part for part in several):
        return _several(several, api_base or api_key, kwargs)
    provider, _, model = name.partition("/")
    if not model:
        raise SetupError(
            f"{name!r} is not the name of a model;{_meant(name)} one is provider/model, such as openai/gpt-4.1 or "
            "ollama/qwen2.5-coder"
        )
    if provider in PROVIDERS or provider in LITELLM or provider.startswith("local:"):
        names.check(provider, model)
    if provider in LITELLM:
        provider, model = "litellm", name
    given = {"api_base": api_base, "api_key": api_key}
    made: Model = _maker(provider, model)(
        model, **{key: value for key, value in given.items() if value is not None}, **kwargs
    )
    return made


def is_at_its_provider(name: str) -> bool:
    """Whether this names a model, or several, of providers that are known, each at its usual address; no file, no other address.

    ``litellm/…`` and other packages' providers may mean anything by a name, an address too.
    """
    known = {*LITELLM, *PROVIDERS} - {"litellm", "llamacpp", "transformers"}
    parts = [part.strip().partition("/") for part in name.split(",")]
    return all(provider in known and names.fits(provider, model) for provider, _, model in parts)


def keyless(name: str) -> bool:
    """Whether this model, found where none was named, is of a server of this machine: no key of the person's is meant for it."""
    return name.partition("/")[0] in SERVERS and not os.environ.get("SMOLCELL_MODEL", "").strip()


def _several(names: list[str], place: str | None, kwargs: dict[str, Any]) -> Model:
    """The first of these that answers."""
    if place:
        raise SetupError(
            f"{','.join(names)} are several models, which have no api_base or api_key in common: leave out api_base and api_key, "
            "or name one model with -m"
        )
    named = _load("smolcell.models.fallback:named")
    model: Model = _load("smolcell.models.fallback:FallbackModel")(named(name, **kwargs) for name in names)
    return model


def default_model(
    environ: Mapping[str, str] | None = None,
    *,
    servers: Mapping[str, int] = SERVERS,
    logged_in: bool | None = None,
    api_base: str | None = None,
) -> str:
    """The name of the model to use when none was named. Takes and raises what ``chosen_model`` does."""
    return chosen_model(environ, servers=servers, logged_in=logged_in, api_base=api_base)[0]


def chosen_model(
    environ: Mapping[str, str] | None = None,
    *,
    servers: Mapping[str, int] = SERVERS,
    logged_in: bool | None = None,
    api_base: str | None = None,
) -> tuple[str, str]:
    """The model to use when none was named, and why it is this one.

    The first of: ``SMOLCELL_MODEL``; Hugging Face, where there is a token; a provider whose key is set; a server that answers on
    this machine.

    Args:
        environ: the variables; the process's own by default.
        servers: which ports of this machine are asked, in 0.25 s all together.
        logged_in: whether a Hugging Face token is stored; looked up by default.
        api_base: a server's address that is set although no model is.

    Raises:
        SetupError: there is none, and it ends with the three commands to choose from; or it would not be one of ``api_base``.
    """
    environ = os.environ if environ is None else environ
    if chosen := environ.get("SMOLCELL_MODEL", "").strip():
        return chosen, "SMOLCELL_MODEL says so"
    if api_base:
        raise SetupError(
            f"no model of {redact(api_base)} was named: add -m openai/NAME, or type: %agent config model=openai/NAME"
        )
    token = bool(environ.get("HF_TOKEN", "").strip())
    if token or (bool(stored_token()) if logged_in is None else logged_in):
        from smolcell.models.huggingface import DEFAULT

        return f"huggingface/{DEFAULT}", "HF_TOKEN is set" if token else "you are logged in to Hugging Face"
    for variable, name in DEFAULTS.items():
        if environ.get(variable, "").strip():
            return name, f"{variable} is set"
    if found := first_local_model(servers):
        return found, "a server on this machine offers it"
    raise SetupError(NONE_CONFIGURED)


def providers() -> tuple[str, ...]:
    """Every provider that ``create_model`` takes, those of installed packages included."""
    return tuple(sorted({*PROVIDERS, *LITELLM, *(entry.name for entry in _entries())}))


def _maker(provider: str, model: str) -> Callable[..., Any]:
    if provider.startswith("local:"):
        from smolcell.models.discovery import on_port

        return on_port(provider)
    if provider in PROVIDERS:
        return _load(PROVIDERS[provider])
    for entry in _entries():
        if entry.name == provider:
            with importing():
                loaded: Callable[..., Any] = entry.load()
            return loaded
    meant = _meant(f"{provider}/{model}")
    if meant:
        raise SetupError(f"there is no model provider {provider!r};{meant} See them all: smolcell.models.providers()")
    raise SetupError(
        f"there is no model provider {provider!r}; there are: {', '.join(providers())}. "
        "A model of the Hugging Face Hub is huggingface/owner/name; type for example: %agent config model=openai/gpt-4.1"
    )


def _load(reference: str) -> Callable[..., Any]:
    module, _, name = reference.partition(":")
    loaded: Callable[..., Any] = getattr(import_module(module), name)
    return loaded


FAMILIES = {
    "gpt": "openai",
    "chatgpt": "openai",
    "o3": "openai",
    "o4": "openai",
    "claude": "anthropic",
    "gemini": "gemini",
    "mistral": "mistral",
    "codestral": "mistral",
    "deepseek": "deepseek",
    "llama": "ollama",
    "qwen": "ollama",
    "gemma": "ollama",
}
"""How a model's name begins → a provider that has it, for those who left the provider out."""


def _meant(name: str) -> str:
    """ " did you mean …?" for a name that is nearly one; else ""."""
    provider, _, model = name.partition("/")
    near = get_close_matches(provider.lower(), providers(), 1, 0.7)
    if model and near:
        return f" did you mean {near[0]}/{model}?"
    family = next((known for known in FAMILIES if not model and provider.lower().startswith(known)), "")
    return f" did you mean {FAMILIES[family]}/{provider}?" if family else ""


def _entries() -> Iterable[Any]:
    with importing():
        return entry_points(group=ENTRY_POINTS)
