"""Encodes responses, requests and settings as JSON, between the host and an agent in a sandbox. Neither side trusts the other.

A permit is not sent: the sandbox only learns that its proposal was allowed, and with which text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from smolcell import events as codec
from smolcell.core.loop import AskModel, CheckAnswer, Ending, LoopSettings, Request, Response, Review, RunCode, Tell
from smolcell.core.prompt import PromptSettings, Window
from smolcell.errors import AgentGenerationError, ContextLengthError, ReplyLengthError, ResponseFormatError
from smolcell.events import Allowed, Event, Observed, Refused, Replied, Sent
from smolcell.worker.wire import frames

FAILURES: Mapping[str, type[AgentGenerationError]] = {
    kind.__name__: kind for kind in (AgentGenerationError, ContextLengthError, ReplyLengthError, ResponseFormatError)
}
_PROMPT = (
    "imports",
    "tools",
    "instructions",
    "budget",
    "templates",
    "structured",
    "shows_images",
    "network",
    "libraries",
)


def encode_response(happened: Response | AgentGenerationError) -> Any:
    """Encode a response of the driver for the sandbox."""
    if happened is None:
        return None
    if isinstance(happened, AgentGenerationError):
        name = next(kind.__name__ for kind in type(happened).__mro__ if kind.__name__ in FAILURES)
        return {"failed": name, "message": str(happened)}
    if isinstance(happened, tuple):
        raise TypeError("an agent inside a sandbox writes programs; it cannot call tools itself")
    return encode_event(happened)


def encode_event(event: Event) -> dict[str, Any]:
    """Encode an event for the sandbox, a permit without its nonce."""
    data = codec.to_json(event)
    data.pop("nonce", None)
    return data


def read_response(data: Any) -> Response | AgentGenerationError:
    """Decode a response of the driver."""
    if data is None:
        return None
    if "failed" in data:
        return FAILURES[data["failed"]](data["message"])
    happened = codec.from_json(data)
    assert isinstance(happened, Replied | Allowed | Refused | Observed)  # noqa: S101 - the host is not hostile
    return happened


def encode_request(request: Request | Ending) -> dict[str, Any]:
    """Encode a request of the loop for the host."""
    match request:
        case AskModel():
            messages = [dict(message) for message in request.messages]
            flags = {name: getattr(request, name) for name in ("structured", "warmer", "last")}
            return {"want": "think", "step": request.step, "messages": messages, **flags}
        case Review(proposed):
            return {"want": "review", "step": proposed.step}
        case RunCode(permit):
            return {"want": "run", "step": permit.step}
        case CheckAnswer():
            return {"want": "check", "step": request.step, "output": _plain(request.output)}
        case Tell(event):
            return {"want": "tell", "event": codec.to_json(event)}
        case Ending():
            given = None if request.output is None else str(request.output)
            return {"want": "end", "state": request.state, "reason": request.reason, "output": given}
    raise TypeError(f"an agent inside a sandbox cannot request {type(request).__name__}")


def _plain(output: Any) -> Any:
    """Return an answer in words; parsed if it is JSON."""
    try:
        frames.dumps(output)
    except (TypeError, ValueError):
        return str(output)
    return output


def settings(given: LoopSettings) -> dict[str, Any]:
    """Encode limits and prompt of the loop. Findings and descriptions are made by the host itself."""
    prompt = {name: getattr(given.prompt, name) for name in _PROMPT}
    sent = None if given.sent is None else codec.to_json(given.sent)
    far = {name: getattr(given, name) for name in ("max_steps", "stop_after", "planning_interval")}
    return {**far, "sent": sent, "prompt": prompt}


def read_settings(data: Mapping[str, Any], window: Any) -> LoopSettings:
    """Decode the settings, inside; ``window`` is the model's context window, if known."""
    tuples = {name: tuple(data["prompt"][name]) for name in ("imports", "tools", "libraries")}
    prompt = {**data["prompt"], **tuples}
    sent = None if data["sent"] is None else codec.from_json(data["sent"])
    assert sent is None or isinstance(sent, Sent)  # noqa: S101 - the host is not hostile
    return LoopSettings(
        max_steps=data["max_steps"],
        stop_after=data["stop_after"],
        planning_interval=data["planning_interval"],
        find=lambda text: (),
        sent=sent,
        prompt=PromptSettings(**prompt, window=window),
    )


def encode_window(known: Window | None) -> Any:
    """Encode the model's context window, if known. Tokens are estimated inside."""
    return None if known is None else {"tokens": known.tokens, "reply": known.reply}


def read_window(data: Any) -> Window | None:
    """Decode the context window, inside."""
    return None if data is None else Window(tokens=data["tokens"], reply=data["reply"])
