"""Asking a model: without secrets, with its errors mapped at one door, and in words for the person where it is asked again."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import AsyncGenerator, Sequence
from typing import Any

from smolcell.errors import AgentGenerationError, ContextLengthError, FormError, ReplyLengthError, SmolcellError
from smolcell.events import Delta, Replied
from smolcell.forms import RESPONSE_FORMAT, Unwrapping
from smolcell.messages import Message
from smolcell.protocols import Model
from smolcell.redact import redact, redact_json

log = logging.getLogger("smolcell")

_AGAIN: dict[type[AgentGenerationError], str] = {
    ContextLengthError: "the conversation is too long: asking again without the output of earlier steps",
    ReplyLengthError: "the reply was too long and nothing of it is used: asking for a shorter one",
    FormError: "this model takes no schema for its reply, or no tools: asking for text",
}


def asking_again(error: AgentGenerationError) -> str:
    """Why the model is asked again, for the person."""
    return next((said for kind, said in _AGAIN.items() if isinstance(error, kind)), "")


async def reply_of(
    model: Model, messages: Sequence[Message], *, structured: bool = False, tools: Sequence[Any] = ()
) -> AsyncGenerator[Delta | Replied, None]:
    """The model's stream; whatever it raises becomes an ``AgentGenerationError`` here.

    Args:
        model: who is asked.
        messages: the conversation; secrets that a step printed or a person wrote are taken out.
        structured: hold the reply to a JSON object; its deltas are then the texts in it.
        tools: JSON schemas of what it may call.

    Raises:
        FormError: the model takes no schema for its reply, or no tools.
    """
    if structured and not getattr(model, "takes_response_format", False):
        raise FormError(f"{_name(model)} takes no schema for its reply")
    if tools and not getattr(model, "takes_tools", False):
        raise FormError(f"{_name(model)} takes no tools")
    options: dict[str, Any] = {"response_format": RESPONSE_FORMAT} if structured else {}
    offered = [list(tools)] if tools else []
    clean = [Message(**message) for message in redact_json(list(messages))]
    shown = Unwrapping()
    try:
        async for item in model.reply(clean, *offered, **options):
            if structured and isinstance(item, Delta) and item.channel == "reply":
                item = Delta(text=shown.feed(item.text))
            yield item
    except FormError:
        setattr(
            model, "takes_response_format" if structured else "takes_tools", False
        )  # it is not asked for that again
        raise
    except (SmolcellError, asyncio.CancelledError, GeneratorExit):
        raise
    except Exception as error:
        log_failure(error)
        raise AgentGenerationError(redact(f"{_name(model)}: {type(error).__name__}: {error}")) from None


def log_failure(error: BaseException) -> None:
    """A failure that nobody expected, without secrets."""
    log.error("a run failed unexpectedly\n%s", redact("".join(traceback.format_exception(error))))


def _name(model: Model) -> str:
    return getattr(model, "name", "the model")
