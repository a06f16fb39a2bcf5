"""The next command to type after a model did not do its part, in a notebook's words where it is one of smolcell's own."""

from __future__ import annotations

import os
import re
from shlex import quote
from urllib.parse import urlsplit

from smolcell.models import DEFAULTS
from smolcell.models.keys import key_variables, lacks_key
from smolcell.models.openai import OPENAI
from smolcell.models.servers import SERVERS

LOCAL = "ollama/qwen2.5-coder"
_STARTS = {"ollama": "ollama serve", "lmstudio": "lms server start", "vllm": "vllm serve {model}"}
_FETCHES = {"ollama": "ollama pull {model}", "lmstudio": "lms get {model}", "vllm": "vllm serve {model}"}
_ADDRESSES = {
    "openai": OPENAI,
    "huggingface": "https://router.huggingface.co/v1",
    "anthropic": "https://api.anthropic.com",
    "gemini": "https://generativelanguage.googleapis.com",
    "mistral": "https://api.mistral.ai",
    "groq": "https://api.groq.com",
    "deepseek": "https://api.deepseek.com",
    "openrouter": "https://openrouter.ai",
}
"""Provider → its address, by its own documentation."""
_WORDS = r"(?:%agent|!?hf|pip|docker|sudo|smolcell|ollama|modal|deno|export|\S*python[\d.]*) "
_STATED = re.compile(rf": ({_WORDS}[^\n]+?)\.?$")
_MEANT = re.compile(r"did you mean (\S+/\S+)\?")


def stated(message: str) -> str:
    """The command that a message ends with, or ""."""
    found = _STATED.search(message)
    return found[1] if found else ""


def after(name: str, error: Exception, *, api_base: str | None = None, again: str, asks: bool = False) -> str:
    """What to type after this error of a model; ``again`` where there is nothing to do but to try once more.

    Args:
        name: the model's, or several with commas between.
        error: what ended its run, or kept it from being made.
        api_base: the address that was given for it.
        again: the command that failed.
        asks: whether ``again`` asks the person for a key that is missing.
    """
    name = _at_fault(name, str(error))
    kind = getattr(error, "kind", "")
    if kind == "key" or "needs a key" in str(error) or "has no key" in str(error):
        return again if asks and lacks_key(name, api_base) else _key(name, api_base)
    if kind in ("connection", "model"):
        return _reached(name, api_base, again) if kind == "connection" else _fetched(name, api_base)
    if kind in ("quota", "refusal", "context", "length", "form", "request", "memory"):
        return _with(_other(name))
    return again if kind else _misnamed(name, str(error))  # busy, a server's own failure, a broken line: once more


def instead(name: str) -> str:
    """What to type to have another model tried."""
    return _with(_other(name))


def _reached(name: str, api_base: str | None, again: str) -> str:
    """What starts a server of this machine, or shows whether another can be reached."""
    provider, model = _parts(name)
    if provider in _STARTS and not api_base:
        return _STARTS[provider].format(model=quote(model))
    base = _address(provider, api_base)
    return f"curl -sSI {_plain(base)}" if base else again


def _fetched(name: str, api_base: str | None) -> str:
    """What gets a model that a server does not have, or lists those that it has."""
    provider, model = _parts(name)
    if provider in _FETCHES and not api_base:
        return _FETCHES[provider].format(model=quote(model))
    base = _address(provider, api_base)
    return f"curl {_plain(base)}/models" if base and base not in _ADDRESSES.values() else _with(_other(name))


def _misnamed(name: str, message: str) -> str:
    """What mends the options of a model that could not be made."""
    if "is not an address" in message:
        return f"{_with(name)} --api-base http://127.0.0.1:11434/v1"
    meant = _MEANT.search(message)
    return _with(meant[1]) if meant else stated(message).replace("%agent config model=", "%agent doctor -m ")


def _parts(name: str) -> tuple[str, str]:
    provider, _, model = name.removeprefix("litellm/").partition("/")
    return provider, model


def _at_fault(name: str, message: str) -> str:
    """Of several models the one that the message names first."""
    several = [part.strip() for part in name.split(",")]
    found = sorted((message.index(each), each) for each in several if each in message)
    return found[0][1] if found else several[0]


def _address(provider: str, api_base: str | None) -> str:
    """Where the model's requests go, as far as that is known."""
    if api_base or provider == "openai":
        own = os.environ.get("OPENAI_BASE_URL", "")
        return (api_base or os.environ.get("SMOLCELL_API_BASE") or own or OPENAI).rstrip("/")
    port = SERVERS.get(provider) or provider.removeprefix("local:")
    if provider in SERVERS or provider.startswith("local:"):
        return f"http://127.0.0.1:{port}/v1"
    return _ADDRESSES.get(provider, "")


def _plain(base: str) -> str:
    """An address as a shell's word, without the key and the user that may stand in it."""
    parts = urlsplit(base)
    return quote(f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}")


def _key(name: str, api_base: str | None) -> str:
    variables = key_variables(name, api_base) or ("SMOLCELL_API_KEY",)
    held = next((variable for variable in variables if os.environ.get(variable, "").strip()), "")
    if not held and variables[0] == "HF_TOKEN":
        return "!hf auth login"
    return f"{'set' if os.name == 'nt' else 'export'} {held or variables[0]}=…"


def _other(name: str) -> str:
    """Another model that could answer here: of a provider whose key is set, else one that needs none."""
    known = (model for variable, model in DEFAULTS.items() if os.environ.get(variable, "").strip())
    return next((model for model in known if model != name), LOCAL)


def _with(name: str) -> str:
    return f"%agent doctor -m {quote(name)}"
