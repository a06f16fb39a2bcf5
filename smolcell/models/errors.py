"""Maps all failures of models' servers to one error.

* A foreign error never leaves ``smolcell.models``: it becomes a ``ModelError``, which is an ``AgentGenerationError``.
* The message names the model, says what happened in plain words and ends with what to do. It has no key, partial reply or invisible
  characters.
* ``retry`` is true only if the same request may succeed a little later.

Errors of client libraries are recognized by the names of their classes (httpx, httpx2, aiohttp and litellm share most of them), so that no
library has to be imported for it.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import ssl
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping
from contextlib import aclosing
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from socket import gaierror
from typing import Any, Literal

from smolcell.core.redaction import redact
from smolcell.core.text import one_line, presentable
from smolcell.errors import AgentGenerationError, ContextLengthError, ReplyLengthError, ResponseFormatError
from smolcell.events import Delta, Replied, Usage

FaultKind = Literal[
    "key",
    "model",
    "context",
    "request",
    "busy",
    "quota",
    "server",
    "connection",
    "stall",
    "stream",
    "refusal",
    "length",
    "memory",
    "form",
]
_TOO_LONG = re.compile(
    r"context[ _](?:length|window|size|limit)|tokens_limit_reached|request_too_large|too many (?:input )?tokens"
    r"|(?:prompt|input|conversation|token length)(?: is| was)? too long|too large for model|exceeded model token limit"
    r"|maximum (?:context|prompt|model) length|prompt exceeds|exceeds the maximum number of tokens"
    r"|reduce the length of the (?:messages|prompt|input)|range of input length|`inputs` tokens",
    re.IGNORECASE,
)
"""Messages of OpenAI, Anthropic, Gemini, Mistral, Bedrock, Groq, xAI, Cohere, TGI, vLLM, llama.cpp, LM Studio and others."""
_QUOTA = re.compile(r"insufficient_quota|exceeded your current quota|credit balance is too low|billing_", re.IGNORECASE)
_FORM = re.compile(
    r"response_format|json_schema|structured output|guided_json|not support (?:tool|function)|tools? (?:is|are) not supported"
    r"|support tool use|tool choice requires|unrecognized request argument supplied: tools",
    re.IGNORECASE,
)
_MAX_SHOWN_CHARS = 300  # characters of a server's message in an error
_MAX_READ_CHARS = 64 * 1024  # characters of a server's message that are read


class ModelError(AgentGenerationError):
    """The model did not reply.

    Attributes:
        kind: the kind of failure; "context" means that the conversation is too long for the model, and is a ``ContextLengthError``.
        retry: whether the same request may succeed a little later.
        after: seconds to wait before that, as the server asked, or None.
    """

    def __init__(self, message: str, *, kind: FaultKind, retry: bool = False, after: float | None = None) -> None:
        super().__init__(message)
        self.kind: FaultKind = kind
        self.retry = retry
        self.after = after


class _ContextLengthError(ModelError, ContextLengthError):
    """The conversation is too long for the model. The loop leaves out old observations and asks again once."""


class _ReplyLengthError(ModelError, ReplyLengthError):
    """The reply reached its length limit. The loop tells the model and goes on."""


class _ResponseFormatError(ModelError, ResponseFormatError):
    """The model supports no schema for its reply, or no tools. The loop asks for text."""


_KINDS: Mapping[FaultKind, type[ModelError]] = {
    "context": _ContextLengthError,
    "length": _ReplyLengthError,
    "form": _ResponseFormatError,
}


def model_error(message: str, *, kind: FaultKind, retry: bool = False, after: float | None = None) -> ModelError:
    """Return an error of this kind."""
    return _KINDS.get(kind, ModelError)(message, kind=kind, retry=retry, after=after)


@dataclass(frozen=True, slots=True)
class Source:
    """The model that an error is about, for messages: its name, its server, and where its key comes from."""

    model: str
    place: str = ""
    key: str = ""  # the variable that holds the key, "api_key" for an argument, "" for none

    def fault(
        self,
        what: str,
        advice: str,
        *,
        kind: FaultKind,
        reason: str = "",
        retry: bool = False,
        after: float | None = None,
    ) -> ModelError:
        """Return an error about this model: what happened, what the server said, and what to do."""
        reason = plain(reason)
        where = f" at {self.place}" if self.place else ""
        message = redact(f"{self.model}{where} {what}{f': {reason}' if reason else ''}. {advice}.")
        return model_error(message, kind=kind, retry=retry, after=after)


def plain(text: str) -> str:
    """Return a server's message on one line: redacted, then shortened, without invisible characters."""
    return one_line(presentable(text[:10_000]), _MAX_SHOWN_CHARS).rstrip(". ")


def from_status(source: Source, status: int, body: str = "", headers: Mapping[str, str] | None = None) -> ModelError:
    """Return the error for an unsuccessful HTTP response."""
    message, after = server_message(body), retry_after(headers or {})
    if status == 413 or (status in (400, 422, 500) and _TOO_LONG.search(body[:_MAX_READ_CHARS])):
        advice = "Start again with --new, copy in less, or use a model with a longer context"
        return source.fault(f"finds the conversation too long ({status})", advice, kind="context", reason=message)
    if status in (400, 404, 405, 415, 422, 500, 501) and _FORM.search(body[:_MAX_READ_CHARS]):
        return format_refused(source, message)
    if status in (400, 403, 429) and _QUOTA.search(body[:_MAX_READ_CHARS]):
        advice = "Check the account's billing, or use another model with -m"
        return source.fault(f"says that the quota is used up ({status})", advice, kind="quota", reason=message)
    if status in _STATUS:
        what, advice, kind, retry = _STATUS[status]
        advice = advice.format(key=_key_advice(source), model=source.model)
        return source.fault(f"{what} ({status})", advice, kind=kind, reason=message, retry=retry, after=after)
    if 300 <= status < 400:
        advice = "Give the final address as api_base; it usually ends in /v1"
        return source.fault(f"answers with a redirection ({status})", advice, kind="request", reason=message)
    if status >= 500:
        advice = "Wait a little and try again"
        return source.fault(f"failed ({status})", advice, kind="server", reason=message, retry=True, after=after)
    return source.fault(f"refused the request ({status})", "Check the model's options", kind="request", reason=message)


def format_refused(source: Source, reason: str = "") -> ModelError:
    """Return the error of a model or server that supports no schema for a reply."""
    advice = "Leave out use_structured_outputs_internally, or structured=true"
    return source.fault("supports no schema for its reply", advice, kind="form", reason=reason)


def from_stream(source: Source, error: Any) -> ModelError:
    """Return the error that a server reports within a reply whose status was a success."""
    message = server_message(json.dumps({"error": error}))
    kind = _STREAM_STATUS.get(str(error.get("type") or error.get("code")), 0) if isinstance(error, Mapping) else 0
    if _TOO_LONG.search(message):
        kind = 400
    if kind:
        return from_status(source, kind, json.dumps({"error": error}))
    advice = "Nothing of the half reply is used. Try again"
    return source.fault("reported an error in its reply", advice, kind="server", reason=message, retry=True)


_STREAM_STATUS = {
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "context_length_exceeded": 400,
    "exceed_context_size_error": 400,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "insufficient_quota": 429,
    "overloaded_error": 529,
    **{str(status): status for status in (400, 401, 402, 403, 404, 413, 429, 500, 502, 503, 504, 529)},
}
"""The ``type`` or ``code`` of an error within a stream → the HTTP status of the same error."""

_STATUS: dict[int, tuple[str, str, FaultKind, bool]] = {
    401: ("did not accept the key", "{key}", "key", False),
    402: ("says that the account has no credit left", "Check the account's billing", "quota", False),
    403: ("does not allow this", "{key}, and that its account may use this model", "key", False),
    404: ("was not found", "Check the model's name, and api_base, which usually ends in /v1", "model", False),
    405: ("was not found", "Check api_base, which usually ends in /v1", "model", False),
    408: ("timed out", "Wait a little and try again", "server", True),
    409: ("is busy", "Wait a little and try again", "busy", True),
    425: ("is busy", "Wait a little and try again", "busy", True),
    429: ("has too many requests", "Wait a little and try again, or use another model with -m", "busy", True),
}


def _key_advice(source: Source) -> str:
    if not source.key:
        return "No key was sent: set SMOLCELL_API_KEY, or OPENAI_API_KEY for OpenAI itself"
    return f"Check the key in {source.key}"


def from_exception(source: Source, error: BaseException) -> ModelError:
    """Return the error for an exception of a client library or of its socket."""
    links = list(chain(error))
    for link in links:
        if isinstance(link, ModelError):
            return link
    names = names_of(links)
    message = str(links[-1])  # the first cause; a library's own message may hold a traceback
    unreachable = _unreachable(source, links, names)
    if unreachable is not None:
        return unreachable
    if names & {"TimeoutException", "TimeoutError", "InferenceTimeoutError", "Timeout"}:
        return stalled(source)
    if names & {"JSONDecodeError", "UnicodeDecodeError", "RecursionError"}:
        return malformed(source, message)
    if names & _BROKEN:
        return cut(source, message)
    advice = "Try again; if it fails again, report it with this message"
    return source.fault(f"failed ({type(error).__name__})", advice, kind="server", reason=message)


_BROKEN = {
    "TransportError",
    "ClientError",
    "ConnectionError",
    "OSError",
    "APIConnectionError",
    "MidStreamFallbackError",
    "DecodingError",
    "HTTPException",
}
"""Exceptions of httpx, aiohttp, http.client, the system and LiteLLM for a broken connection."""


def names_of(links: list[BaseException]) -> set[str]:
    """Return the class names of these exceptions, base classes included."""
    return {cls.__name__ for link in links for cls in type(link).__mro__}


def _unreachable(source: Source, links: list[BaseException], names: set[str]) -> ModelError | None:
    """Return the error if no connection was made, else None."""
    message = str(links[-1])
    if any(isinstance(link, gaierror) for link in links) or re.search(
        "getaddrinfo|[Nn]ame .*not known|nodename", message
    ):
        what, advice = "has an address that is not known", "Check the address in api_base, and this machine's network"
    elif any(isinstance(link, ssl.SSLError) for link in links) or re.search("CERTIFICATE_VERIFY|\\[SSL", message):
        advice = "Check https:// or http:// in api_base; SSL_CERT_FILE names a file with your own certificates"
        what = "cannot be reached securely (TLS)"
    elif "ProxyError" in names:
        what, advice = "cannot be reached through the proxy", "Check HTTPS_PROXY and NO_PROXY"
    elif names & {"ConnectTimeout", "ConnectionTimeoutError", "PoolTimeout"}:
        what, advice = "does not accept a connection", "Check the address in api_base, and this machine's network"
    elif names & {"ConnectError", "ClientConnectorError", "ConnectionRefusedError"}:
        what, advice = "cannot be reached", "Check that the server is running, and that api_base is its address"
    else:
        return None
    return source.fault(what, advice, kind="connection", reason=message)


def stalled(source: Source, seconds: float | None = None) -> ModelError:
    """Return the error after too long a silence."""
    how_long = f"sent nothing for {seconds:g} s" if seconds else "sent nothing for too long"
    advice = "A large local model may need longer to load: raise timeout"
    return source.fault(how_long, advice, kind="stall", retry=True)


def cut(source: Source, reason: str = "") -> ModelError:
    """Return the error for a stream that ended before its reply."""
    advice = "Nothing of the half reply is used. Try again"
    return source.fault("broke off in the middle of its reply", advice, kind="stream", reason=reason, retry=True)


def malformed(source: Source, reason: str) -> ModelError:
    """Return the error for a reply that is not in the format of an OpenAI-compatible server."""
    advice = "Check that api_base is that of an OpenAI-compatible server; it usually ends in /v1"
    return source.fault("sent something that is not a reply", advice, kind="stream", reason=reason, retry=True)


def server_message(body: str) -> str:
    """Extract the error message from a server's response, in any of its usual forms."""
    try:
        data: Any = json.loads(body)
    except (ValueError, RecursionError):
        return "" if body.lstrip()[:1] == "<" else body
    if isinstance(data, list) and data:
        data = data[0]
    for _ in range(4):
        if not isinstance(data, Mapping):
            break
        data = next((data[key] for key in ("error", "message", "detail", "errors") if data.get(key)), "")
    return data if isinstance(data, str) else json.dumps(data)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds to wait, from ``Retry-After`` in seconds or as a date; None if it is absent, past or unreadable."""
    value = {key.lower(): text for key, text in headers.items()}.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]{1,30}(?:\.[0-9]{1,9})?", value, re.ASCII):
        return float(value)
    try:
        then = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    then = then if then.tzinfo else then.replace(tzinfo=UTC)
    seconds = (then - datetime.now(UTC)).total_seconds()
    return seconds if seconds > 0 else None


def chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception and its causes, up to ten."""
    for _ in range(10):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__


# --- Retries with exponential backoff and jitter. Honors ``Retry-After``. A reply that broke off is discarded, also if parts were shown.


CONNECT_SECONDS = 10.0  # seconds to connect
on_busy: ContextVar[Callable[[float | None], object] | None] = ContextVar("smolcell.on_busy", default=None)
"""Called if a server is busy, with the seconds it asks to wait; also if a retry hides this from the run."""
Attempt = Callable[[], AsyncGenerator[Delta | Replied, None]]


@dataclass(frozen=True, slots=True)
class Retry:
    """Repeats a failed request.

    Args:
        tries: most attempts, the first one included.
        within: seconds after which no further attempt begins, counted again after a reply that broke off.
        pause: seconds before the second attempt; doubled each time, with jitter of ±50 %, so that many notebooks do not retry at
            once. A server's ``Retry-After`` is obeyed instead.
        sleep, clock: injected for tests.
    """

    tries: int = 4
    within: float = 60.0
    pause: float = 1.0
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    clock: Callable[[], float] = time.monotonic

    async def __call__(self, attempt: Attempt) -> AsyncGenerator[Delta | Replied, None]:
        """Yield what ``attempt`` yields; on a temporary error, say so and retry. Tokens of failed attempts are added to the usage.

        If part of the reply or its reasoning was already yielded, a "discarded" delta withdraws it, and the reply's ``note`` says so.

        Raises:
            ModelError: the error of the last attempt, or one that a retry cannot fix.
        """
        started = self.clock()
        spent = Usage()  # by failed attempts, if the server reported it
        discarded = 0
        for number in range(1, self.tries + 1):
            shown = False
            try:
                async with aclosing(attempt()) as items:
                    async for item in items:
                        shown = shown or is_shown(item)
                        yield with_retry_note(item, spent, discarded) if isinstance(item, Replied) else item
                return
            except ModelError as fault:
                if fault.kind == "busy" and (tell := on_busy.get()) is not None:
                    tell(fault.after)
                spent += fault.usage
                fault.usage = spent
                started = self.clock() if shown else started
                wait = self._wait(number, fault, self.clock() - started)
                if wait is None:
                    raise
                discarded += shown
                note = f"{fault} Trying again in {wait:.0f} s ({number + 1} of {self.tries})."
            yield Delta(text=note, channel="discarded" if shown else "progress")
            await self.sleep(wait)

    def _wait(self, number: int, fault: ModelError, elapsed: float) -> float | None:
        """Return the seconds until the next attempt, or None if there is none."""
        jitter = random.uniform(0.5, 1.5)  # noqa: S311 - nothing secret
        wait = self.pause * 2 ** (number - 1) * jitter if fault.after is None else fault.after
        possible = fault.retry and number < self.tries and elapsed + wait <= self.within
        return wait if possible else None


def is_shown(item: Delta | Replied) -> bool:
    """Return whether an item shows the person a part of a reply."""
    return isinstance(item, Delta) and item.channel in ("reply", "reasoning")


def with_retry_note(replied: Replied, spent: Usage, discarded: int) -> Replied:
    """Return the reply with the tokens of failed attempts, and with a note if partial replies were discarded."""
    count = f" {discarded} times" if discarded > 1 else ""
    note = f"A partial reply was discarded, and the model was asked again{count}." if discarded else ""
    return replace(replied, usage=spent + replied.usage, note=" ".join(filter(None, (note, replied.note))))


async def with_stall_timeout(
    items: AsyncGenerator[Delta | Replied, None], source: Source, seconds: float
) -> AsyncGenerator[Delta | Replied, None]:
    """Yield the items; raise if nothing new comes for so many seconds.

    Unlike for a read timeout, data that only keeps a connection alive (comments, empty chunks, slow headers) does not count.

    Raises:
        ModelError: of the kind "stall".
    """
    async with aclosing(items):
        while True:
            try:
                async with asyncio.timeout(seconds):
                    item = await anext(items)
            except StopAsyncIteration:
                return
            except TimeoutError:
                raise stalled(source, seconds) from None
            yield item
