"""Questions that an MCP server asks the user during a call (the protocol's "elicitation"), put to the person on the card."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from smolcell.text import visible

MAX_FIELDS = 10
_MAX_TEXT = 1_000  # characters of a server's words
_BOOLEANS = {"yes": True, "y": True, "true": True, "no": False, "n": False, "false": False}


@dataclass(frozen=True, slots=True, eq=False)
class Asker:
    """The person whose run a call belongs to, and the event loop on which they are asked."""

    loop: asyncio.AbstractEventLoop
    ask: Callable[[str], Awaitable[str]] | None


async def answer(server: str, question: Any, asker: Asker | None) -> dict[str, Any] | None:
    """The person's answers by field; None if they declined, if nobody is there, or if the question is not a form.

    Each field is a question of its own. A reply that does not fit its field declines the whole form.
    """
    schema = getattr(question, "requested_schema", None)
    if asker is None or asker.ask is None or not isinstance(schema, Mapping):
        return None
    fields = schema.get("properties") or {"answer": {"type": "string"}}
    if not isinstance(fields, Mapping) or len(fields) > MAX_FIELDS:
        return None
    answers: dict[str, Any] = {}
    for name, field in fields.items():
        field = field if isinstance(field, Mapping) else {}
        text = f"{server} asks: {question.message[:_MAX_TEXT]}\n{name[:100]} ({_expected(field)})"
        try:
            asked = asyncio.run_coroutine_threadsafe(_coroutine(asker.ask(visible(text))), asker.loop)
            answers[name] = _parsed(await asyncio.wrap_future(asked), field)
        except Exception:  # they gave no answer, or none that fits
            return None
    return answers


async def _coroutine(asked: Awaitable[str]) -> str:
    return await asked


def _expected(field: Mapping[str, Any]) -> str:
    choices = field.get("enum")
    kind = (
        "one of " + ", ".join(map(str, choices[:20])) if isinstance(choices, list) else str(field.get("type", "text"))
    )
    said = field.get("description") or field.get("title")
    return f"{kind}; {said}"[:_MAX_TEXT] if isinstance(said, str) else kind[:_MAX_TEXT]


def _parsed(reply: str, field: Mapping[str, Any]) -> Any:
    """The reply as a value of the field.

    Raises:
        ValueError: it is none.
    """
    kind, text = field.get("type", "string"), reply.strip()
    value: Any = text
    if kind == "boolean":
        value = _BOOLEANS.get(text.lower())
        if value is None:
            raise ValueError(text)
    elif kind in ("integer", "number"):
        value = int(text) if kind == "integer" else float(text)
    elif kind == "array":
        value = json.loads(text) if text.startswith("[") else [part.strip() for part in text.split(",")]
    if isinstance(field.get("enum"), list) and value not in field["enum"]:
        raise ValueError(text)
    return value
