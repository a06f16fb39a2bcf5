"""Models behind an OpenAI-compatible HTTP server: OpenAI itself, Ollama, vLLM, llama.cpp, LM Studio, and most gateways.

Source: OpenAI's API reference, "Create chat completion" and its streaming form. httpx is imported on the first reply.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import time
from base64 import b64encode
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from smolcell.core.redaction import redact, register
from smolcell.errors import SetupError
from smolcell.events import Delta, Replied
from smolcell.machine.environment import importing, startup_value
from smolcell.models.capabilities import SMALL_CHARS, listed_window, listing, supports_images
from smolcell.models.credentials import HoldsKey
from smolcell.models.errors import (
    CONNECT_SECONDS,
    ModelError,
    Retry,
    Source,
    from_exception,
    from_status,
    malformed,
    with_stall_timeout,
)
from smolcell.models.generate import Generates, sent_parameters, warmed
from smolcell.models.streaming import MAX_BODY_BYTES, MAX_ERROR_BYTES, Completion, EventStream, body_of, parsed
from smolcell.protocols import Message, trace_headers

if TYPE_CHECKING:
    import ssl

    import httpx

OPENAI = "https://api.openai.com/v1"
LIST_WAIT_SECONDS = 1.0  # seconds, from the beginning of a reply, to wait for the server's list of models
_SECRET_HEADER = re.compile(r"auth|key|token|secret|cookie", re.IGNORECASE)


class OpenAIModel(HoldsKey, Generates):
    """A model served over OpenAI's chat completions protocol, streamed.

    Args:
        model_id: the server's name of the model.
        api_base: the server's URL up to ``/v1``, with ``user:password@`` if it requires that; if None
            ``SMOLCELL_API_BASE``, ``OPENAI_BASE_URL`` or OpenAI's own.
        api_key: the key. If None: ``SMOLCELL_API_KEY``; ``OPENAI_API_KEY`` is sent only to OpenAI or to ``OPENAI_BASE_URL``, never
            to a URL given in another way. A server on this machine may need none; "" sends none.
        temperature: sent only if given.
        max_tokens: limit on a reply; a reply that reaches it is an error, because half a program is never run.
        timeout: seconds without new data after which the reply is given up.
        custom_headers: sent with each request.
        retry: retries for a busy server.
        name: the name shown to people, ``openai/<model_id>`` by default.
        takes_images: whether the model accepts images: it then gets those that a step makes. None: judged by its name.
        parameters: further fields of the request's body, for example ``max_completion_tokens=4096``.

    Raises:
        SetupError: the key for OpenAI is missing, or the URL is invalid.

    Works on any event loop and on several at once. Tool calls are ignored if no tools were offered.
    """

    takes_response_format = takes_tools = True

    def __init__(
        self,
        model_id: str,
        api_base: str | None = None,
        api_key: str | None = None,
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
        timeout: float = 120.0,
        custom_headers: Mapping[str, str] | None = None,
        retry: Retry | None = None,
        name: str | None = None,
        takes_images: bool | None = None,
        flatten_messages_as_text: bool = False,
        **parameters: Any,
    ) -> None:
        self.model_id = model_id
        self.name = name or f"openai/{model_id}"
        self.api_base, user, trusted = _base(api_base)
        self._key, self._key_name = _key(api_key, trusted)
        self._headers = {**_authorization(self._key, user), **(custom_headers or {})}
        self._tls: ssl.SSLContext | None = None
        self.timeout = timeout
        self.takes_images = supports_images(model_id) if takes_images is None else takes_images
        self.flatten_messages_as_text = flatten_messages_as_text
        self.context_window: int | None = None  # tokens of prompt and reply together, once the server reported it
        self._looked = False
        self.retry = retry or Retry()
        self.parameters = sent_parameters({"temperature": temperature, "max_tokens": max_tokens}, parameters)
        register(self._key)
        for header, value in self._headers.items():
            if _SECRET_HEADER.search(header):
                register(value)
        if self.api_base == OPENAI and not self._headers:
            raise SetupError(
                f"{self.name} needs a key: set OPENAI_API_KEY, or name another server with --api-base http://127.0.0.1:11434/v1"
            )

    def __repr__(self) -> str:
        return f"OpenAIModel({self.model_id!r}, api_base={self.api_base!r})"

    async def reply(
        self,
        messages: Sequence[Message],
        tools: Sequence[Any] = (),
        *,
        response_format: Mapping[str, Any] | None = None,
    ) -> AsyncIterator[Delta | Replied]:
        """Stream the model's reply. See ``smolcell.protocols.Model``.

        Args:
            messages: the conversation.
            tools: JSON schemas of the tools it may call, in the form of OpenAI's protocol.
            response_format: a JSON schema that the server should enforce for the reply.

        Raises:
            ModelError: an ``AgentGenerationError`` whose message ends with what to do.
        """
        body = {"model": self.model_id, "messages": [dict(message) for message in messages], **self.parameters}
        body |= {"stream": True, "stream_options": {"include_usage": True}}
        body |= {"response_format": response_format} if response_format else {}
        body |= {"tools": list(tools)} if tools else {}
        body |= warmed(self.parameters)
        ends = None if response_format else messages
        async with (
            self._looking(messages),
            aclosing(
                self.retry(lambda: with_stall_timeout(self._attempt(body, ends), self._source, self.timeout))
            ) as items,
        ):
            async for item in items:
                yield await asyncio.to_thread(self._priced, item) if isinstance(item, Replied) else item

    def _priced(self, replied: Replied) -> Replied:
        """Return the reply with its price, for OpenAI itself: prices on other servers are not known."""
        if self.api_base != OPENAI:
            return replied
        listed = listing(f"openai/{self.model_id}")
        self.context_window = listed.window
        cost = replied.usage.cost if replied.usage.cost is not None else listed.cost(replied.usage)
        return replace(replied, usage=replace(replied.usage, cost=cost))

    @asynccontextmanager
    async def _looking(self, messages: Sequence[Message]) -> AsyncGenerator[None, None]:
        """Ask once for the model's context window, meanwhile, when the conversation is so long that the next step may need it."""
        if self._looked or self.api_base == OPENAI or sum(len(message.text) for message in messages) < SMALL_CHARS:
            yield
            return
        self._looked = True
        begun, looking = time.monotonic(), asyncio.create_task(self._look())
        try:
            yield
            await asyncio.wait([looking], timeout=max(0.0, begun + LIST_WAIT_SECONDS - time.monotonic()))
        finally:
            looking.cancel()
            await asyncio.wait([looking])

    async def _look(self) -> None:
        try:
            async with self._client() as client, client.stream("GET", f"{self.api_base}/models") as response:
                listed = json.loads(await body_of(response, MAX_BODY_BYTES)) if response.status_code == 200 else None
            self.context_window = listed_window(listed, self.model_id)
        except Exception:  # stays unknown; the server reports a conversation that is too long
            return

    @property
    def _source(self) -> Source:
        return Source(model=self.name, place=self.api_base, key=self._key_name)

    async def _attempt(
        self, body: dict[str, Any], ends: Sequence[Message] | None
    ) -> AsyncGenerator[Delta | Replied, None]:
        try:
            async with self._client() as client, client.stream("POST", self._url, json=body) as response:
                if response.status_code != 200:
                    raise await self._refused(response, body)
                async for item in self._read(
                    response, Completion(self._source, self.model_id, tools=body.get("tools", ()), asked=ends)
                ):
                    yield item
        except (ModelError, GeneratorExit):
            raise
        except Exception as error:
            raise from_exception(self._source, error) from None

    @property
    def _url(self) -> str:
        return f"{self.api_base}/chat/completions"

    def _client(self) -> httpx.AsyncClient:
        """Return a client for one attempt: it belongs to this event loop and is closed with the reply."""
        with importing():
            import httpx

        secure = self.api_base.startswith("https:")
        if secure and self._tls is None:
            self._tls = httpx.create_ssl_context()  # reads certificates, which takes 20 ms or more: once
        return httpx.AsyncClient(
            headers={"Accept": "text/event-stream, application/json", **self._headers, **trace_headers.get()},
            timeout=httpx.Timeout(self.timeout, connect=min(CONNECT_SECONDS, self.timeout)),
            verify=self._tls if self._tls is not None else False,
            trust_env=not _is_here(self.api_base),  # no proxy for a server on this machine
        )

    async def _refused(self, response: httpx.Response, body: dict[str, Any]) -> ModelError:
        content = await body_of(response, MAX_ERROR_BYTES)
        fault = from_status(self._source, response.status_code, content, response.headers)
        if response.status_code in (400, 422) and "stream_options" in content and body.pop("stream_options", None):
            fault.retry, fault.after = True, 0.0  # an older server: the next attempt leaves the option out
        return fault

    async def _read(self, response: httpx.Response, completion: Completion) -> AsyncGenerator[Delta | Replied, None]:
        kind = response.headers.get("content-type", "")
        if "json" in kind:
            for delta in completion.add(parsed(self._source, await body_of(response, MAX_BODY_BYTES))):
                yield delta
            completion.done = True
        elif "html" in kind:
            raise malformed(self._source, "a web page")
        else:
            async for delta in self._stream(response, completion):
                yield delta
        for item in completion.end():
            yield item

    async def _stream(self, response: httpx.Response, completion: Completion) -> AsyncGenerator[Delta, None]:
        events = EventStream()
        async with aclosing(
            completion.read(response.aiter_bytes(), lambda chunk: self._take(events.feed(chunk), completion))
        ) as deltas:
            async for delta in deltas:
                yield delta
        if not completion.done:
            for delta in self._take(events.end(), completion):
                yield delta

    def _take(self, payloads: Iterable[str], completion: Completion) -> Iterable[Delta]:
        try:
            for data in payloads:
                if data.strip() == "[DONE]":
                    completion.done = True
                    return
                if data.strip():
                    yield from completion.add(parsed(self._source, data))
        except ValueError as error:
            raise malformed(self._source, str(error)) from None


def _base(given: str | None) -> tuple[str, str, bool]:
    """Split a server's URL into the URL without credentials, its ``user:password``, and whether ``OPENAI_API_KEY`` may be sent there.

    HTTP libraries log URLs, so credentials must not be part of one.
    """
    default = os.environ.get("OPENAI_BASE_URL") or OPENAI
    base = (given or startup_value("SMOLCELL_API_BASE") or default).strip().rstrip("/")
    base = base.removesuffix("/chat/completions")
    try:
        parts = urlsplit(base)
        if parts.query or parts.fragment:
            register(parts.query.rpartition("=")[2])  # probably a key; libraries log URLs, so it is refused
            raise SetupError(
                f"api_base must be a URL without ? and #, which may hold a key: {base.partition('?')[0].partition('#')[0]!r}; "
                "give the key as SMOLCELL_API_KEY or api_key="
            )
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        valid = False
    if not valid:
        raise SetupError(f"api_base is not a URL: {redact(base)!r}; give one such as http://127.0.0.1:11434/v1")
    user = parts.netloc.rpartition("@")[0]
    return base.replace(f"{user}@", "", 1) if user else base, user, base in (OPENAI, default.strip().rstrip("/"))


def _authorization(key: str, user: str) -> dict[str, str]:
    """Return the authorization header: the key, else the user and password of the URL."""
    if key:
        return {"Authorization": f"Bearer {key}"}
    register(unquote(user.partition(":")[2]))
    return {"Authorization": f"Basic {b64encode(unquote(user).encode()).decode()}"} if user else {}


def _key(given: str | None, trusted: bool) -> tuple[str, str]:
    """Return the key, and where it comes from."""
    if given is not None:
        return given, "api_key" if given else ""
    for name in ("SMOLCELL_API_KEY", *(("OPENAI_API_KEY",) if trusted else ())):
        if value := os.environ.get(name, "").strip():
            return value, name
    return "", ""


def _is_here(base: str) -> bool:
    host = urlsplit(base).hostname or ""
    return host in ("localhost", "::1") or host.startswith("127.")
