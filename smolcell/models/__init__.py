"""Models by name: ``provider/model``, imported on demand. Importing this package imports no provider.

What a model must implement is ``smolcell.protocols.Model``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from smolcell.core.redaction import redact
from smolcell.core.spec import AgentSpec
from smolcell.errors import SetupError
from smolcell.machine.environment import importing, is_installed
from smolcell.models.credentials import stored_token
from smolcell.models.discovery import SERVERS, first_local_model, local_models
from smolcell.models.local import LOCAL, in_cache, with_local
from smolcell.protocols import Model

__all__ = ["available_models", "chosen_model", "create_model", "default_model", "providers"]

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
"""Provider → the function that makes its model: called with the model's name, and ``api_base`` and ``api_key`` if they were given."""

LITELLM = (
    "anthropic azure azure_ai bedrock cerebras cloudflare codestral cohere cohere_chat databricks deepinfra deepseek fireworks_ai "
    "gemini github github_copilot groq hosted_vllm jina_ai litellm_proxy llamafile meta_llama mistral moonshot nebius novita "
    "nscale nvidia_nim ollama_chat openrouter oci perplexity predibase replicate sagemaker sagemaker_chat sambanova snowflake "
    "together_ai vercel_ai_gateway vertex_ai volcengine watsonx xai xinference zai"
).split()
"""Providers of LiteLLM, listed so that a misspelt one is reported without importing it. ``litellm/…`` accepts any."""

DEFAULTS = {
    "OPENAI_API_KEY": "openai/gpt-4.1",
    "ANTHROPIC_API_KEY": "anthropic/claude-sonnet-4-5",
    "GEMINI_API_KEY": "gemini/gemini-2.5-flash",
    "MISTRAL_API_KEY": "mistral/codestral-latest",
    "GROQ_API_KEY": "groq/llama-3.3-70b-versatile",
    "DEEPSEEK_API_KEY": "deepseek/deepseek-chat",
    "OPENROUTER_API_KEY": "openrouter/qwen/qwen3-coder",
}
"""Environment variable of a provider's key → the model used by default. The first variable that is set counts."""

ON_THIS_MACHINE = "a server on this machine offers it"
FETCHED = "smolcell models get fetched it"
NONE_CONFIGURED = """no model is configured. Choose one of three:
  !hf auth login                                       a model of Hugging Face's inference providers
  %agent config model=openai/gpt-4.1                   asks for OPENAI_API_KEY if it is not set; likewise anthropic/…, gemini/…
  !ollama pull qwen2.5-coder                           a model on this machine, no key: install and start Ollama first\
, or without it: smolcell models get qwen2.5-coder-1.5b"""


def create_model(
    name: str | None = None, *, api_base: str | None = None, api_key: str | None = None, **kwargs: Any
) -> Model:
    """Return the model of this name. Connects to nothing yet.

    Args:
        name: ``provider/model``; several, separated by commas, for a ``FallbackModel``; ``replay:FILE`` for a recording; ``local`` for the
            largest known model in the cache that fits in memory, else one that a server on this machine offers; None for
            ``SMOLCELL_MODEL``, else a model that is available on this machine.
        api_base: the server's URL, if it is not the provider's usual one.
        api_key: the key; by default it is read from the provider's environment variable.
        kwargs: further arguments of the model's class, such as ``temperature``, ``max_tokens`` or ``timeout`` (seconds).

    Raises:
        SetupError: there is no such provider, no model at all, or something that the model needs is missing. Ends with what to type.
    """
    if not name:
        name = default_model(api_base=api_base)
        api_key = "" if api_key is None and needs_no_key(name) else api_key
    name = with_local(name)
    check_allowed(name)
    if name.startswith("replay:"):
        from smolcell.models.recording import ReplayModel

        return ReplayModel(name.removeprefix("replay:"), **kwargs)
    several = [part.strip() for part in name.split(",")]
    if len(several) > 1 and all("/" in part for part in several):
        return _fallback_of(several, api_base or api_key, kwargs)
    provider, _, model = name.partition("/")
    if not model:
        raise SetupError(
            f"{name!r} is not the name of a model;{_suggestion(name)} one is provider/model, such as openai/gpt-4.1 or "
            "ollama/qwen2.5-coder"
        )
    if provider in PROVIDERS or provider in LITELLM or provider.startswith("local:"):
        check_name(provider, model)
    if provider in LITELLM:
        provider, model = "litellm", name
    given = {"api_base": api_base, "api_key": api_key}
    created: Model = _maker(provider, model)(
        model, **{key: value for key, value in given.items() if value is not None}, **kwargs
    )
    return created


def check_allowed(name: str) -> None:
    """Check a model, or several separated by commas, against the policy. A recording sends nothing, and is always allowed.

    Raises:
        SetupError: it is not allowed.
    """
    from smolcell.approval.policy import current

    if not name.startswith("replay:"):
        current().check("models", [part.strip() for part in name.split(",")], "The model {} is not allowed")


def is_at_its_provider(name: str) -> bool:
    """Return whether this names a model, or several, of known providers at their usual URLs: no file, no other URL.

    False for ``litellm/…`` and providers of other packages: their names may hold a URL.
    """
    known = {*LITELLM, *PROVIDERS} - {"litellm", "llamacpp", "transformers"}
    parts = [part.strip().partition("/") for part in name.split(",")]
    return all(provider in known and fits_provider(provider, model) for provider, _, model in parts)


def with_local_model(spec: AgentSpec) -> AgentSpec:
    """Return a spec with the name of the model that ``local`` stands for."""
    return replace(spec, model=with_local(spec.model)) if spec.model and LOCAL in spec.model else spec


def needs_no_key(name: str) -> bool:
    """Return whether this default model is on a server of this machine, which must not get the person's keys."""
    return name.partition("/")[0] in SERVERS and not os.environ.get("SMOLCELL_MODEL", "").strip()


def _fallback_of(names: list[str], place: str | None, kwargs: dict[str, Any]) -> Model:
    """Return a model that asks the first of these that answers."""
    if place:
        raise SetupError(
            f"{','.join(names)} are several models, which cannot share api_base or api_key: leave out api_base and api_key, "
            "or name one model with -m"
        )
    from smolcell.models.fallback import FallbackModel, model_of

    return FallbackModel(model_of(name, **kwargs) for name in names)


def default_model(environ: Mapping[str, str] | None = None, **options: Any) -> str:
    """Return the name of the default model. Takes and raises what ``chosen_model`` does."""
    return chosen_model(environ, **options)[0]


def chosen_model(
    environ: Mapping[str, str] | None = None,
    *,
    servers: Mapping[str, int] = SERVERS,
    logged_in: bool | None = None,
    api_base: str | None = None,
) -> tuple[str, str]:
    """Return the name of the default model, and the reason for it.

    The first of: ``SMOLCELL_MODEL``; Hugging Face, if there is a token; a provider whose key is set; a server that answers on
    this machine; a model that was fetched with ``smolcell models get``.

    Args:
        environ: environment variables; by default the process's.
        servers: ports of this machine to ask, within 0.25 s in total.
        logged_in: whether a Hugging Face token is stored; looked up by default.
        api_base: the configured URL of a server, for which no model is configured.

    Raises:
        SetupError: there is no model (the message lists the commands to choose from), or it would not be one of ``api_base``.
    """
    environ = os.environ if environ is None else environ
    if chosen := environ.get("SMOLCELL_MODEL", "").strip():
        return chosen, "SMOLCELL_MODEL names it"
    if api_base:
        raise SetupError(
            f"no model of {redact(api_base)} was named: add -m openai/NAME, or type: %agent config model=openai/NAME"
        )
    for model in _with_keys(environ, logged_in):
        return model
    if name := first_local_model(servers):
        return name, ON_THIS_MACHINE
    if is_installed("xllamacpp") and (known := next(in_cache(), None)):
        return known.model, FETCHED
    raise SetupError(NONE_CONFIGURED)


def available_models(
    environ: Mapping[str, str] | None = None,
    *,
    servers: Mapping[str, int] = SERVERS,
    logged_in: bool | None = None,
) -> dict[str, str]:
    """Return the models that can be used at once, and why each can; the preferred one first.

    One of each provider whose key is set, and all that servers of this machine list, which are asked now. Takes the arguments of
    ``chosen_model``.
    """
    environ = os.environ if environ is None else environ
    found = dict(_with_keys(environ, logged_in))
    if chosen := environ.get("SMOLCELL_MODEL", "").strip():
        found = {chosen: "SMOLCELL_MODEL names it", **found}
    for provider, models in local_models(servers).items():
        found |= {f"{provider}/{model}": ON_THIS_MACHINE for model in models if "embed" not in model.lower()}
    return found


def _with_keys(environ: Mapping[str, str], logged_in: bool | None) -> Iterator[tuple[str, str]]:
    """Yield a model of each provider whose key is set, and where the key is; Hugging Face first."""
    token = bool(environ.get("HF_TOKEN", "").strip())
    if token or (bool(stored_token()) if logged_in is None else logged_in):
        from smolcell.models.huggingface import DEFAULT

        yield f"huggingface/{DEFAULT}", "HF_TOKEN is set" if token else "you are logged in to Hugging Face"
    for variable, name in DEFAULTS.items():
        if environ.get(variable, "").strip():
            yield name, f"{variable} is set"


def providers() -> tuple[str, ...]:
    """Return every provider that ``create_model`` accepts, including those of installed packages."""
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
    meant = _suggestion(f"{provider}/{model}")
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
"""The beginning of a model's name → its provider, to suggest for a name without a provider."""


def _suggestion(name: str) -> str:
    """Return " did you mean …?" for a name that is nearly a model's; else ""."""
    provider, _, model = name.partition("/")
    near = get_close_matches(provider.lower(), providers(), 1, 0.7)
    if model and near:
        return f" did you mean {near[0]}/{model}?"
    family = next((known for known in FAMILIES if not model and provider.lower().startswith(known)), "")
    return f" did you mean {FAMILIES[family]}/{provider}?" if family else ""


def _entries() -> Iterable[Any]:
    with importing():
        return entry_points(group=ENTRY_POINTS)


# --- The form of a model's name, by provider. Some libraries accept a URL instead, and would send the key there.

_PART = r"\w[\w.-]*"
_ANY = r"(?!.*://).*\S.*"
PATTERNS = {
    "huggingface": rf"{_PART}(/{_PART})?(:{_PART})?",
    # LiteLLM builds the server's URL from an ARN's region.
    "bedrock": rf"({_PART}/)*({_PART}(:{_PART})*|arn:aws[\w-]*:[\w-]+:[\w-]*:\d*:{_PART}([:/]{_PART})*)",
    # The name is sent within the request to the given server, or is a file.
    **dict.fromkeys(("litellm", "llamacpp", "lmstudio", "ollama", "openai", "transformers", "vllm"), _ANY),
}
"""Provider → pattern of its models' names. For other providers, all of LiteLLM, see ``OTHERS``."""

OTHERS = rf"@?{_PART}([/:@+]@?{_PART})*"  # often part of a URL's path


def fits_provider(provider: str, model: str) -> bool:
    """Return whether this may be the name of a model of this provider."""
    pattern = _ANY if provider.startswith("local:") else PATTERNS.get(provider, OTHERS)
    return re.fullmatch(pattern, model, re.ASCII if pattern is not _ANY else 0) is not None


def check_name(provider: str, model: str) -> None:
    """Raise ``SetupError`` if this cannot be the name of a model of this provider."""
    if not fits_provider(provider, model):
        raise SetupError(
            f"{redact(model)!r} is not the name of a model of {provider}; for the URL of a server use api_base, "
            "for example: %agent config model=openai/NAME api_base=http://127.0.0.1:8000/v1"
        )
