"""Facts about a model: whether it accepts images, its context window, its price, and its provider's prompt caching."""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from smolcell.core.prompt import Window, estimate
from smolcell.events import Usage
from smolcell.machine.environment import importing
from smolcell.protocols import Message, Model

_SEE = re.compile(
    r"gpt-4o(?!-(audio|mini-audio|realtime|transcribe|tts|search))|gpt-4\.1|gpt-4-turbo|gpt-5(?!.*codex-mini)|\bo[13](?!-mini)\b|\bo4-mini\b"
    r"|claude-(3|4|opus|sonnet|haiku)|gemini-|pixtral|llava|\bvl\b|-vl-|\dvl\b|vision",
    re.IGNORECASE,
)


def supports_images(model_id: str) -> bool:
    """Return whether a model of this name is known to accept images. False if unknown: an unreadable image would end a run."""
    return _SEE.search(model_id) is not None


SMALL_CHARS = 8_000  # characters: such a conversation fits every window, so no server is asked for its size
_NAMES = ("max_model_len", "context_length", "max_context_length", "context_window", "n_ctx", "n_ctx_train")
_MIN_WINDOW, _MAX_WINDOW = 256, 100_000_000  # tokens: plausible windows


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """The optional abilities of a model, read from its attributes; a missing attribute counts as False or None."""

    name: str
    takes_images: bool
    takes_tools: bool
    takes_response_format: bool
    context_window: int | None  # tokens; None if it is not known
    sends: bool  # whether prompts leave this process
    flat: bool  # whether a message's parts are joined to one text
    server: str | None  # its server's address, if one was given


def traits(model: Model) -> Traits:
    """Read a model's traits. A model needs no base class, so each may be missing."""
    window = getattr(model, "context_window", None)
    return Traits(
        name=str(getattr(model, "name", type(model).__name__)),
        takes_images=bool(getattr(model, "takes_images", False)),
        takes_tools=bool(getattr(model, "takes_tools", False)),
        takes_response_format=bool(getattr(model, "takes_response_format", False)),
        context_window=window if isinstance(window, int) and window > 0 else None,
        sends=bool(getattr(model, "sends", True)),
        flat=bool(getattr(model, "flatten_messages_as_text", False)),
        server=getattr(model, "api_base", None) or getattr(model, "base_url", None),
    )


class Windows:
    """Called, returns the known context window of a model: None for a local model that is not loaded yet.

    Args:
        model: may have ``context_window`` (tokens, or None if not known yet), ``count_tokens(text)``, which may raise
            ``ValueError``, and ``max_tokens`` or ``max_new_tokens``, its limit on a reply.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self._count = lru_cache(maxsize=1024)(self._counted)

    def __call__(self) -> Window | None:
        tokens = traits(self._model).context_window
        if tokens is None:
            return None
        reply = getattr(self._model, "max_new_tokens", None) or getattr(self._model, "max_tokens", None)
        return Window(tokens=tokens, count=self._count, **({"reply": reply} if isinstance(reply, int) else {}))

    def _counted(self, text: str) -> int:
        count = getattr(self._model, "count_tokens", None)
        if count is None:
            return estimate(text)
        try:
            return int(count(text))
        except ValueError:
            return estimate(text)


def listed_window(listing: Any, model_id: str) -> int | None:
    """Return the context window of a model from a server's list of models.

    vLLM, llama.cpp, LM Studio, OpenRouter, Groq and others report it, each by another field.
    """
    data = listing.get("data") if isinstance(listing, Mapping) else None
    entries = [entry for entry in data if isinstance(entry, Mapping)] if isinstance(data, list) else []
    named = [entry for entry in entries if entry.get("id") == model_id] or (entries if len(entries) == 1 else [])
    for entry in named[:1]:
        meta = entry.get("meta")
        for place in (entry, meta if isinstance(meta, Mapping) else {}):
            for name in _NAMES:
                tokens = place.get(name)
                if isinstance(tokens, int) and not isinstance(tokens, bool) and _MIN_WINDOW <= tokens <= _MAX_WINDOW:
                    return tokens
    return None


def cached(messages: Sequence[Message], model_id: str) -> list[dict[str, Any]]:
    """Return the messages with Anthropic's cache marks, after the system prompt and after the last message.

    Other providers cache common beginnings without marks. (Source: Anthropic's "Prompt caching".)
    """
    plain = [dict(message) for message in messages]
    if not any(word in model_id.lower() for word in ("anthropic", "claude")):
        return plain
    for place in {index for index, message in enumerate(plain) if message["role"] == "system"} | {len(plain) - 1}:
        content = plain[place]["content"]
        parts: list[dict[str, Any]] = (
            [{"type": "text", "text": content}] if isinstance(content, str) else [dict(part) for part in content]
        )
        if parts and (parts[-1].get("type") != "text" or parts[-1].get("text")):  # no mark on an empty text
            parts[-1] = {**parts[-1], "cache_control": {"type": "ephemeral"}}
        plain[place]["content"] = parts
    return plain


# --- Prices and context windows, from the table in LiteLLM's package. Nothing is fetched, and LiteLLM is not imported.


_TABLE_FILE = "model_prices_and_context_window_backup.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A model's entry in the table. None: not in the table.

    Args:
        input_cost: US dollars per token of the prompt.
        output_cost: US dollars per token of the reply.
        window: most tokens of the prompt.
    """

    input_cost: float | None = None
    output_cost: float | None = None
    window: int | None = None

    def cost(self, usage: Usage) -> float | None:
        """Return the price of this usage in US dollars; None if it is not known."""
        if self.input_cost is None or self.output_cost is None:
            return None
        return usage.input_tokens * self.input_cost + usage.output_tokens * self.output_cost


def listing(name: str) -> Listing:
    """Look up ``provider/model`` in the table. The first call reads 3 MB, which takes a fraction of a second."""
    provider, _, model = name.removeprefix("litellm/").partition("/")
    for key in (f"{provider}/{model}", model):
        entry = _table().get(key)
        if isinstance(entry, Mapping) and (key != model or entry.get("litellm_provider") == provider):
            window = _amount(entry.get("max_input_tokens"))
            return Listing(
                input_cost=_amount(entry.get("input_cost_per_token")),
                output_cost=_amount(entry.get("output_cost_per_token")),
                window=None if window is None else int(window) or None,
            )
    return Listing()


@cache
def _table() -> Mapping[str, Any]:
    try:
        with importing():
            spec = importlib.util.find_spec("litellm")
        if spec is None or spec.origin is None:
            return {}
        table = json.loads((Path(spec.origin).parent / _TABLE_FILE).read_text(encoding="utf-8"))
    except (ImportError, OSError, ValueError):
        return {}
    return table if isinstance(table, dict) else {}


def _amount(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 else None
