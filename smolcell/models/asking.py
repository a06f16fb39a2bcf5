"""Asks a model: redacts and cleans what is sent, maps its errors, and explains to the person why it is asked again."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from weakref import WeakSet

from smolcell.core.parsing import Unwrapping, part
from smolcell.core.prompt import RESPONSE_FORMAT
from smolcell.core.redaction import redact, redact_json
from smolcell.core.text import sendable
from smolcell.errors import (
    AgentGenerationError,
    ContextLengthError,
    ReplyLengthError,
    ResponseFormatError,
    SmolcellError,
)
from smolcell.events import Delta, Replied
from smolcell.models.capabilities import traits
from smolcell.protocols import Message, Model

log = logging.getLogger("smolcell")

JSON_OBJECT = {"type": "json_object"}
"""For servers that support JSON replies without a schema; the prompt describes the object."""
_without_schema: WeakSet[Model] = WeakSet()

_AGAIN: dict[type[AgentGenerationError], str] = {
    ContextLengthError: "the conversation is too long: asking again without the output of earlier steps",
    ReplyLengthError: "the reply was too long and nothing of it is used: asking for a shorter one",
    ResponseFormatError: "this model supports no schema for its reply, or no tools: asking for text",
}


def asking_again(error: AgentGenerationError) -> str:
    """Return why the model is asked again, as a text for the person."""
    return next((text for kind, text in _AGAIN.items() if isinstance(error, kind)), "")


async def stream_reply(
    model: Model,
    messages: Sequence[Message],
    *,
    structured: bool = False,
    tools: Sequence[Any] = (),
    response_format: Mapping[str, Any] | None = None,
) -> AsyncGenerator[Delta | Replied, None]:
    """Yield the model's stream. Every exception becomes an ``AgentGenerationError``.

    Args:
        model: the model to ask.
        messages: the conversation; secrets are redacted before they are sent, and lone surrogates are replaced in all that is sent.
        structured: require the reply to be a JSON object; the deltas are then its string values.
        tools: JSON schemas of tools that it may call.
        response_format: require this schema instead, and stream the reply unchanged.

    Raises:
        ResponseFormatError: the model supports no schema for its reply, or no tools.
    """
    known = traits(model)
    if (structured or response_format) and not known.takes_response_format:
        raise ResponseFormatError(f"{known.name} supports no schema for its reply")
    if tools and not known.takes_tools:
        raise ResponseFormatError(f"{known.name} supports no tools")
    offered = [sendable(list(tools))] if tools else []
    sent = [Message(**message) for message in sendable(redact_json(list(messages)))]
    if known.flat:
        sent = [Message(**{**message, "content": message.text}) for message in sent]
    wanted = sendable(response_format)
    formats: list[Mapping[str, Any] | None] = [RESPONSE_FORMAT, JSON_OBJECT] if structured else [wanted]
    for response_format in formats[model in _without_schema :] if structured else formats:
        options: dict[str, Any] = {"response_format": response_format} if response_format else {}
        shown = Unwrapping()
        try:
            async for item in model.reply(sent, *offered, **options):
                if isinstance(item, Delta) and item.channel == "discarded":
                    shown = Unwrapping()  # the object begins again
                elif structured and isinstance(item, Delta) and item.channel == "reply":
                    item = Delta(text=shown.feed(item.text))
                yield _without_reasoning(item) if isinstance(item, Replied) else item
            return
        except ResponseFormatError:
            if response_format is RESPONSE_FORMAT:
                _without_schema.add(model)
                yield Delta(
                    text="this model supports no schema for its reply: asking for a JSON object", channel="progress"
                )
                continue
            # do not ask for it again
            setattr(model, "takes_response_format" if structured else "takes_tools", False)
            raise
        except (SmolcellError, asyncio.CancelledError, GeneratorExit):
            raise
        except Exception as error:
            log_failure(error)
            raise AgentGenerationError(redact(f"{known.name}: {type(error).__name__}: {error}")) from None


def _without_reasoning(replied: Replied) -> Replied:
    """Return a reply whose text is no reasoning, whatever the model's class and server made of it."""
    reasoning, text = part(replied.text)
    return replace(replied, text=text, reasoning=replied.reasoning + reasoning) if reasoning else replied


def log_failure(error: BaseException) -> None:
    """Log an unexpected failure, with secrets redacted."""
    log.error("a run failed unexpectedly\n%s", redact("".join(traceback.format_exception(error))))
