"""Prices and windows of models, from the table that comes with LiteLLM. Nothing is fetched, and LiteLLM is not imported."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from smolcell.environment import importing
from smolcell.events import Usage

_FILE = "model_prices_and_context_window_backup.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What the table says of a model. None: it does not say.

    Args:
        input_cost: US dollars for a token of the prompt.
        output_cost: US dollars for a token of the reply.
        window: tokens of the prompt.
    """

    input_cost: float | None = None
    output_cost: float | None = None
    window: int | None = None

    def cost(self, usage: Usage) -> float | None:
        """The price of this usage in US dollars; None if it is not known."""
        if self.input_cost is None or self.output_cost is None:
            return None
        return usage.input_tokens * self.input_cost + usage.output_tokens * self.output_cost


def listing(name: str) -> Listing:
    """What the table says of ``provider/model``; the first call reads 3 MB, which takes a fraction of a second."""
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
            found = importlib.util.find_spec("litellm")
        if found is None or found.origin is None:
            return {}
        table = json.loads((Path(found.origin).parent / _FILE).read_text(encoding="utf-8"))
    except (ImportError, OSError, ValueError):
        return {}
    return table if isinstance(table, dict) else {}


def _amount(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 else None
