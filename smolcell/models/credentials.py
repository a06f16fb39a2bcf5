"""The keys of models: the environment variables that hold them, and keys that a person typed because no variable did.

* A typed key is kept in memory only, until the kernel ends. It is registered for redaction before anything can write it.
* No message contains a key or a part of one.
* Nothing here asks by itself: the caller passes the function that asks.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from smolcell.core.redaction import MIN_SECRET_CHARS, register
from smolcell.errors import SetupError
from smolcell.events import sha256
from smolcell.machine.environment import importing, startup_value

AskKey = Callable[[str, str], str | None]
"""Asks a person for a key, given its variable and the model; returns None if no person is there, or nothing was typed."""

VARIABLES: Mapping[str, tuple[str, ...]] = {
    "openai": ("OPENAI_API_KEY", "SMOLCELL_API_KEY"),
    "huggingface": ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"),
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
    "cerebras": ("CEREBRAS_API_KEY",),
    "codestral": ("CODESTRAL_API_KEY",),
    "cohere": ("COHERE_API_KEY", "CO_API_KEY"),
    "cohere_chat": ("COHERE_API_KEY", "CO_API_KEY"),
    "deepinfra": ("DEEPINFRA_API_KEY",),
    "deepseek": ("DEEPSEEK_API_KEY",),
    "fireworks_ai": ("FIREWORKS_AI_API_KEY", "FIREWORKS_API_KEY", "FIREWORKSAI_API_KEY", "FIREWORKS_AI_TOKEN"),
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "groq": ("GROQ_API_KEY",),
    "mistral": ("MISTRAL_API_KEY",),
    "moonshot": ("MOONSHOT_API_KEY",),
    "nebius": ("NEBIUS_API_KEY",),
    "novita": ("NOVITA_API_KEY",),
    "nvidia_nim": ("NVIDIA_NIM_API_KEY",),
    "openrouter": ("OPENROUTER_API_KEY", "OR_API_KEY"),
    "perplexity": ("PERPLEXITYAI_API_KEY", "PERPLEXITY_API_KEY"),
    "replicate": ("REPLICATE_API_KEY", "REPLICATE_API_TOKEN"),
    "sambanova": ("SAMBANOVA_API_KEY",),
    "together_ai": ("TOGETHERAI_API_KEY", "TOGETHER_API_KEY", "TOGETHER_AI_API_KEY", "TOGETHER_AI_TOKEN"),
    "xai": ("XAI_API_KEY",),
}
"""Provider → the variables of its key; messages name the first one. Providers with other kinds of credentials are left out.

Source: the documentation of each provider, and of LiteLLM for its own spellings.
"""

_SERVERS = ("ollama", "lmstudio", "vllm")
_CUSTOM_KEY = "SMOLCELL_API_KEY"  # for a server at a custom URL


def key_variables(model: str, api_base: str | None = None) -> tuple[str, ...]:
    """Return the variables of this model's key, the usual one first; () if they are not known, or if there are several models."""
    if "," in model:
        return ()
    provider, _, name = model.removeprefix("litellm/").partition("/")
    own = (provider == "openai" and bool(api_base or startup_value("SMOLCELL_API_BASE"))) or name.startswith(
        ("http://", "https://")
    )
    if provider in _SERVERS or provider.startswith("local:") or own:
        return (_CUSTOM_KEY,)
    return VARIABLES.get(provider, ())


def lacks_key(model: str, api_base: str | None = None) -> bool:
    """Return whether this model's key is missing. False for a server at a custom URL, which may need none."""
    variables = key_variables(model, api_base)
    if (
        not variables
        or variables == (_CUSTOM_KEY,)
        or api_base
        or (model.startswith("openai/") and "OPENAI_BASE_URL" in os.environ)
    ):
        return False
    if any(os.environ.get(variable, "").strip() for variable in variables):
        return False
    return not (model.startswith("huggingface/") and stored_token())


def stored_token() -> str:
    """Return the token that ``hf auth login`` stored, or "". It is redacted from now on."""
    try:
        with importing():
            from huggingface_hub import get_token
    except ImportError:
        return ""
    token = get_token() or ""
    register(token)
    return token


class HoldsKey:
    """A model that may hold a key, and so refuses to be copied or pickled: ``pickle`` would write the key out."""

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError(
            f"a {type(self).__name__} may hold a key and is not pickled or copied: make another one where you need it, with create_model()"
        )


class Keys:
    """The keys that were typed, by variable, and those that a provider rejected."""

    def __init__(self) -> None:
        self._typed: dict[str, str] = {}
        self._refused: dict[str, str] = {}  # variable → digest of the rejected key

    def __repr__(self) -> str:
        return f"<Keys typed for {', '.join(self._typed) or 'nothing'}>"

    def key(self, model: str, api_base: str | None, ask: AskKey | None) -> str | None:
        """Return the key for the model; None if it finds its own key or needs none.

        Asks for another key if a provider rejected this one. If none is typed, the rejected key is tried again.

        Raises:
            SetupError: the key is missing and no person can type it, or the typed text is no key.
        """
        variables = key_variables(model, api_base)
        if not variables:
            return None
        name = variables[0]
        if name in self._typed:
            return self._typed[name]
        lacking = lacks_key(model, api_base)
        refused = name in self._refused and self._refused[name] == sha256(_find_key(variables))
        typed = ask(name, model) if ask is not None and (lacking or refused) else None
        if typed is None and not lacking:
            return None
        if typed is None:
            login = ", or log in with: !hf auth login" if name == "HF_TOKEN" else ""
            raise SetupError(f"{model} needs a key, but none was typed: set {name} before the kernel starts{login}")
        self._typed[name] = _check_key(typed.strip(), name)
        return self._typed[name]

    def refuse(self, model: str, api_base: str | None = None) -> None:
        """Note that the provider rejected the key: forget a typed one, and ask again unless the variable changes."""
        variables = key_variables(model, api_base)
        if variables:
            self._typed.pop(variables[0], None)
            self._refused[variables[0]] = sha256(_find_key(variables))

    def clear(self) -> None:
        """Forget all keys."""
        self._typed.clear()
        self._refused.clear()


def _check_key(key: str, variable: str) -> str:
    if len(key) < MIN_SECRET_CHARS or not key.isascii() or not key.isprintable() or " " in key:
        raise SetupError(
            f"the text typed for {variable} is not a key: a key has at least {MIN_SECRET_CHARS} letters, digits or signs and no spaces. "
            "Run the cell again"
        )
    register(key)
    return key


def _find_key(variables: tuple[str, ...]) -> str:
    values = (os.environ.get(variable, "").strip() for variable in variables)
    return next(filter(None, values), "") or (stored_token() if "HF_TOKEN" in variables else "")
