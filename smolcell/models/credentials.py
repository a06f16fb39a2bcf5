"""Which key a model needs, if it is looked for, and the keys that a person typed because it was nowhere.

* A typed key lives in memory, for as long as the kernel does. It is registered for redaction before anything can write it.
* No message holds a key, nor a part of one.
* Nothing here asks by itself: the caller hands in the function that asks.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from smolcell.environment import importing, startup_value
from smolcell.errors import SetupError
from smolcell.events import sha256
from smolcell.redaction import SHORTEST, register

AskKey = Callable[[str, str], str | None]
"""Asks a person for the key of a variable, for a model; None if no person is there, or nothing was typed."""

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
"""Provider → the variables in which its key is looked for; the first is the one that is named. Others' credentials have other forms.

Source: each provider's documentation, and LiteLLM's for its own spellings.
"""

_SERVERS = ("ollama", "lmstudio", "vllm")
_OWN = "SMOLCELL_API_KEY"  # of a server at an address of one's own


def key_variables(model: str, api_base: str | None = None) -> tuple[str, ...]:
    """The variables in which this model's key is looked for, the usual one first; () if it is not known, or there are several."""
    if "," in model:
        return ()
    provider, _, name = model.removeprefix("litellm/").partition("/")
    own = (provider == "openai" and _elsewhere(api_base)) or name.startswith(("http://", "https://"))
    if provider in _SERVERS or provider.startswith("local:") or own:
        return (_OWN,)
    return VARIABLES.get(provider, ())


def lacks_key(model: str, api_base: str | None = None) -> bool:
    """Whether this model cannot answer because its key is nowhere. A server at an address of one's own may need none."""
    variables = key_variables(model, api_base)
    if (
        not variables
        or variables == (_OWN,)
        or api_base
        or (model.startswith("openai/") and "OPENAI_BASE_URL" in os.environ)
    ):
        return False
    if any(os.environ.get(variable, "").strip() for variable in variables):
        return False
    return not (model.startswith("huggingface/") and stored_token())


def stored_token() -> str:
    """The token that ``hf auth login`` stored, or ""; it is hidden from now on wherever text is written."""
    try:
        with importing():
            from huggingface_hub import get_token
    except ImportError:
        return ""
    token = get_token() or ""
    register(token)
    return token


class HoldsKey:
    """A model with a key in it: no copy of it is made, by ``pickle`` least of all, which would write the key out."""

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError(
            f"a {type(self).__name__} may hold a key and is not pickled or copied: make another where it is needed, with create_model()"
        )


class Keys:
    """The keys that were typed, by variable, and those that a provider did not accept."""

    def __init__(self) -> None:
        self._typed: dict[str, str] = {}
        self._refused: dict[str, str] = {}  # variable → digest of what stood there

    def __repr__(self) -> str:
        return f"<Keys typed for {', '.join(self._typed) or 'nothing'}>"

    def key(self, model: str, api_base: str | None, ask: AskKey | None) -> str | None:
        """The key to hand to the model; None if it finds its own, or needs none.

        One that was not accepted is asked for too; if no other is typed, it is tried once more.

        Raises:
            SetupError: it needs a key that is not found, and no person can type it; or the typed text is no key.
        """
        variables = key_variables(model, api_base)
        if not variables:
            return None
        name = variables[0]
        if name in self._typed:
            return self._typed[name]
        lacking = lacks_key(model, api_base)
        refused = name in self._refused and self._refused[name] == _digest(_found(variables))
        typed = ask(name, model) if ask is not None and (lacking or refused) else None
        if typed is None and not lacking:
            return None
        if typed is None:
            login = ", or log in with: !hf auth login" if name == "HF_TOKEN" else ""
            raise SetupError(f"{model} needs a key, and none was typed: set {name} before the kernel starts{login}")
        self._typed[name] = _checked(typed.strip(), name)
        return self._typed[name]

    def refuse(self, model: str, api_base: str | None = None) -> None:
        """The provider did not accept the key: forget a typed one, and ask again if the variable stays as it is."""
        variables = key_variables(model, api_base)
        if variables:
            self._typed.pop(variables[0], None)
            self._refused[variables[0]] = _digest(_found(variables))

    def clear(self) -> None:
        """Forget all of them."""
        self._typed.clear()
        self._refused.clear()


def _checked(key: str, variable: str) -> str:
    if len(key) < SHORTEST or not key.isascii() or not key.isprintable() or " " in key:
        raise SetupError(
            f"what was typed for {variable} is not a key: one has at least {SHORTEST} letters, digits or signs and no spaces. "
            "Run the cell again"
        )
    register(key)
    return key


def _found(variables: tuple[str, ...]) -> str:
    values = (os.environ.get(variable, "").strip() for variable in variables)
    return next(filter(None, values), "") or (stored_token() if "HF_TOKEN" in variables else "")


def _digest(key: str) -> str:
    return sha256(key)


def _elsewhere(api_base: str | None) -> bool:
    return bool(api_base or startup_value("SMOLCELL_API_BASE"))
