"""The base of all models behind a server: how a reply is asked for, streamed, retried, and how its errors are mapped.

A provider's class says what is sent, and where. httpx is imported on the first reply.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from smolcell.core.redaction import register
from smolcell.events import Delta, Replied
from smolcell.machine.environment import importing
from smolcell.models.capabilities import supports_images
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


class Posted(NamedTuple):
    """A request as it is posted."""

    url: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]


class HTTPModel(HoldsKey, Generates):
    """A model behind a server, streamed. A subclass has ``_source`` and ``_post``, or another ``_deltas``.

    Works on any event loop and on several at once. Tool calls are ignored if no tools were offered.
    """

    takes_response_format = takes_tools = True

    def __init__(
        self,
        model_id: str,
        name: str,
        key: str | None,
        temperature: float | None,
        max_tokens: int | None,
        timeout: float,
        retry: Retry | None,
        takes_images: bool | None,
        flatten_messages_as_text: bool = False,
        **parameters: Any,
    ) -> None:
        self.model_id, self.name, self._key = model_id, name, key
        self.timeout = timeout
        self.retry = retry or Retry()
        self.takes_images = supports_images(model_id) if takes_images is None else takes_images
        self.flatten_messages_as_text = flatten_messages_as_text
        self.parameters = sent_parameters({"temperature": temperature, "max_tokens": max_tokens}, parameters)
        self._tls: ssl.SSLContext | None = None
        register(key)

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
            SetupError: a library that the model needs is not installed.
            ModelError: an ``AgentGenerationError`` whose message ends with what to do.
        """
        async with aclosing(self._get_ready()) as steps:
            async for step in steps:
                yield step
        options: dict[str, Any] = {"response_format": response_format} if response_format else {}
        options |= {"tools": list(tools)} if tools else {}
        request = self._request(messages, **options, **warmed(self.parameters))
        attempts = self.retry(lambda: with_stall_timeout(self._attempt(request), self._source, self.timeout))
        async with self._meanwhile(messages), aclosing(attempts) as items:
            async for item in items:
                yield item

    # --- what differs by provider

    @property
    def _source(self) -> Source:
        """The model, for errors."""
        raise NotImplementedError

    async def _get_ready(self) -> AsyncGenerator[Delta, None]:
        """Do what must be done before a request, and report its progress."""
        return
        yield

    def _meanwhile(self, messages: Sequence[Message]) -> AbstractAsyncContextManager[None]:
        """Return what is done beside the request."""
        return nullcontext()

    def _request(self, messages: Sequence[Message], **options: Any) -> dict[str, Any]:
        """Return the fields of a request."""
        stream = {"stream": True, "stream_options": {"include_usage": True}}
        return {"messages": [dict(message) for message in messages], **self.parameters, **stream, **options}

    async def _post(self, request: dict[str, Any]) -> Posted:
        raise NotImplementedError

    def _priced(self, replied: Replied) -> Replied:
        """Return the reply with its price, if it is known. Called on another thread."""
        return replied

    def _fault(self, error: Exception) -> ModelError:
        """Return the error for an exception of a library or its socket."""
        return from_exception(self._source, error)

    # --- one attempt

    async def _attempt(self, request: dict[str, Any]) -> AsyncGenerator[Delta | Replied, None]:
        asked = None if request.get("response_format") else request["messages"]
        completion = Completion(self._source, self.model_id, tools=request.get("tools", ()), asked=asked)
        try:
            async with aclosing(self._deltas(request, completion)) as deltas:
                async for delta in deltas:
                    yield delta
            for item in completion.end():
                yield await asyncio.to_thread(self._priced, item) if isinstance(item, Replied) else item
        except (ModelError, GeneratorExit):
            raise
        except Exception as error:
            raise self._fault(error) from None

    async def _deltas(self, request: dict[str, Any], completion: Completion) -> AsyncGenerator[Delta, None]:
        """Send the request, and read the answer into the completion. Yields its new text."""
        url, headers, body = await self._post(request)
        async with self._client(url) as client, client.stream("POST", url, json=body, headers=headers) as response:
            if response.status_code != 200:
                raise await self._refused(response, request)
            kind = response.headers.get("content-type", "")
            if "json" in kind:
                for delta in completion.add(parsed(self._source, await body_of(response, MAX_BODY_BYTES))):
                    yield delta
                completion.done = True
                return
            if "html" in kind:
                raise malformed(self._source, "a web page")
            events = EventStream()
            chunks = completion.read(response.aiter_bytes(), lambda chunk: self._add(events.feed(chunk), completion))
            async with aclosing(chunks) as deltas:
                async for delta in deltas:
                    yield delta
            for delta in self._add(() if completion.done else events.end(), completion):
                yield delta

    def _client(self, url: str) -> httpx.AsyncClient:
        """Return a client for one attempt: it belongs to this event loop and is closed with the reply."""
        with importing():
            import httpx

        secure = url.startswith("https:")
        if secure and self._tls is None:
            self._tls = httpx.create_ssl_context()  # reads certificates, which takes 20 ms or more: once
        return httpx.AsyncClient(
            headers={"Accept": "text/event-stream, application/json", **trace_headers.get()},
            timeout=httpx.Timeout(self.timeout, connect=min(CONNECT_SECONDS, self.timeout)),
            verify=self._tls if self._tls is not None else False,
            trust_env=not _is_here(url),  # no proxy for a server on this machine
        )

    async def _refused(self, response: httpx.Response, request: dict[str, Any]) -> ModelError:
        content = await body_of(response, MAX_ERROR_BYTES)
        fault = from_status(self._source, response.status_code, content, response.headers)
        if response.status_code in (400, 422) and "stream_options" in content and request.pop("stream_options", None):
            fault.retry, fault.after = True, 0.0  # an older server: the next attempt leaves the option out
        return fault

    def _add(self, payloads: Iterable[str], completion: Completion) -> Iterable[Delta]:
        """Add the events of a stream."""
        try:
            for data in payloads:
                if data.strip() == "[DONE]":
                    completion.done = True
                    return
                if data.strip():
                    yield from completion.add(parsed(self._source, data))
        except ValueError as error:
            raise malformed(self._source, str(error)) from None


def _is_here(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    return host in ("localhost", "::1") or host.startswith("127.")
