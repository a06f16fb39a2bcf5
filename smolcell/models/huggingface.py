"""Models served by Hugging Face and its inference providers, through ``huggingface_hub``, which is imported on the first reply."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from functools import cache
from typing import Any

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
from smolcell.models.litellm import iterate_in_thread
from smolcell.models.streaming import MAX_BODY_BYTES, MAX_ERROR_BYTES, Completion, EventStream, body_of, check, parsed
from smolcell.protocols import Message, trace_headers

_NOT_SERVED = re.compile("not supported|auto-router")
DONE = "data: [DONE]"
EMPTY = 'data: {"id": "", "created": 0, "model": "", "system_fingerprint": "", "choices": []}'  # an empty chunk for the library
DEFAULT = "Qwen/Qwen2.5-Coder-32B-Instruct"


class InferenceClientModel(HoldsKey, Generates):
    """A model on Hugging Face's inference providers, or on an endpoint of your own, streamed.

    Args:
        model_id: the model's name on the Hub.
        provider: the provider that serves it ("together", "nebius", …); "auto" uses the settings of the account.
        token: the access token, also as ``api_key``; by default ``HF_TOKEN``, else the token that ``hf auth login`` stored.
        base_url: URL of an inference endpoint, also as ``api_base``; ``provider`` is ignored then.
        temperature: sent only if given.
        max_tokens: limit on a reply; a reply that reaches it is an error, because half a program is never run. A server's default
            may be as low as 100 tokens, hence this one.
        timeout: seconds of silence after which the reply is given up.
        bill_to: the organisation that pays.
        retry: retries for a busy server.
        takes_images: whether the model accepts images: it then gets those that a step makes. None: judged by its name.
        parameters: further arguments of ``AsyncInferenceClient.chat_completion``.

    Works on any event loop. Providers were only tested against a stand-in on this machine.
    """

    takes_response_format = takes_tools = True

    def __init__(
        self,
        model_id: str = DEFAULT,
        provider: str | None = "auto",
        token: str | None = None,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        api_base: str | None = None,
        temperature: float | None = None,
        max_tokens: int | None = 4096,
        timeout: float = 120.0,
        bill_to: str | None = None,
        retry: Retry | None = None,
        takes_images: bool | None = None,
        flatten_messages_as_text: bool = False,
        **parameters: Any,
    ) -> None:
        self.model_id = model_id
        self.name = f"huggingface/{model_id}"
        self.provider = provider
        self.base_url = base_url or api_base
        self._token = token or api_key
        self.timeout = timeout
        self.takes_images = supports_images(model_id) if takes_images is None else takes_images
        self.flatten_messages_as_text = flatten_messages_as_text
        self.bill_to = bill_to
        self.retry = retry or Retry()
        self.parameters = sent_parameters({"temperature": temperature, "max_tokens": max_tokens}, parameters)
        register(self._token)

    def __repr__(self) -> str:
        return f"InferenceClientModel({self.model_id!r}, provider={self.provider!r})"

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
        shown = [dict(message) for message in messages]
        options: dict[str, Any] = {"response_format": response_format} if response_format else {}
        options |= {"tools": list(tools)} if tools else {}
        options |= warmed(self.parameters)
        headers = dict(trace_headers.get())
        async with aclosing(self.retry(lambda: self._in_time(shown, options, headers))) as items:
            async for item in items:
                yield item

    def _in_time(
        self, messages: list[dict[str, Any]], options: Mapping[str, Any], headers: Mapping[str, str]
    ) -> AsyncGenerator[Delta | Replied, None]:
        """Make one attempt, in a thread: the library blocks its loop while it asks the Hub how the provider calls the model."""
        return with_stall_timeout(
            iterate_in_thread(lambda: self._attempt(messages, options, headers)), self._source, self.timeout
        )

    @property
    def _source(self) -> Source:
        key = "token" if self._token else "HF_TOKEN, or log in with `hf auth login`"
        return Source(model=self.name, place=self.base_url or "", key=key)

    async def _attempt(
        self, messages: list[dict[str, Any]], options: Mapping[str, Any], headers: Mapping[str, str]
    ) -> AsyncGenerator[Delta | Replied, None]:
        asked = None if options.get("response_format") else messages
        completion = Completion(self._source, self.model_id, tools=options.get("tools", ()), asked=asked)
        try:
            async with self._client(headers) as client:
                client.reader = reader = _ReplyReader(self._source)
                chunks = await client.chat_completion(
                    messages,
                    stream=True,
                    stream_options={"include_usage": True},
                    **{**self.parameters, **options},
                )
                async with aclosing(
                    completion.read(aiter(chunks), lambda chunk: completion.add(reader.chunk(chunk)))
                ) as deltas:
                    async for delta in deltas:
                        yield delta
                for item in completion.end():
                    yield item
        except (ModelError, GeneratorExit):
            raise
        except Exception as error:
            raise _fault(self._source, error) from None

    def _client(self, headers: Mapping[str, str]) -> Any:
        """Return a client for one attempt: it belongs to this event loop and is closed with the reply."""
        with importing():
            from huggingface_hub import get_token

        register(get_token())  # the stored one, which is in no environment variable
        place: dict[str, Any] = {"base_url": self.base_url} if self.base_url else {"model": self.model_id}
        if not self.base_url:
            place["provider"] = self.provider
        if self.bill_to:
            place["bill_to"] = self.bill_to
        if headers:
            place["headers"] = headers
        connect = min(CONNECT_SECONDS, self.timeout)
        return _client_class()(token=self._token, timeout=(connect, *[self.timeout] * 3), **place)


HfApiModel = InferenceClientModel
"""The earlier name of the class, used in older notebooks."""


@cache
def _client_class() -> Any:
    """Return a subclass of the library's client that inspects each response before the library reads it."""
    with importing():
        from huggingface_hub import AsyncInferenceClient

    class Client(AsyncInferenceClient):  # type: ignore[misc, unused-ignore]
        reader: _ReplyReader

        async def _get_async_client(self) -> Any:
            client: Any = await super()._get_async_client()  # type: ignore[no-untyped-call]
            if self.reader not in client.event_hooks["response"]:
                client.event_hooks["response"].insert(0, self.reader)
                client.follow_redirects = False  # a redirection is an error that names the given URL
            return client

    return Client


class _ReplyReader:
    """An event hook of httpx that reads a reply's events itself, and lets the library only count them.

    The library leaves an error's body unread when it streams, takes a redirection for a reply, splits lines at every line separator of
    Unicode (which programs may contain), and drops fields that its classes do not have, such as reasoning.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._chunks: deque[Any] = deque()

    def chunk(self, theirs: Any) -> Any:
        """Return the chunk as the server sent it; else the library's version."""
        return self._chunks.popleft() if self._chunks else _plain(theirs)

    async def __call__(self, response: Any) -> None:
        if response.status_code != 200:
            raise from_status(
                self._source, response.status_code, await body_of(response, MAX_ERROR_BYTES), dict(response.headers)
            )
        kind = response.headers.get("content-type", "")
        if "html" in kind:
            raise malformed(self._source, "a web page")
        response.aiter_lines = lambda: self._whole(response) if "json" in kind else self._lines(response)

    async def _lines(self, response: Any) -> AsyncGenerator[str, None]:
        events = EventStream()
        try:
            async for chunk in response.aiter_bytes():
                for data in events.feed(chunk):
                    yield self._line(data)
            for data in events.end():
                yield self._line(data)
        except ValueError as error:  # a line that is too long
            raise malformed(self._source, str(error)) from None

    async def _whole(self, response: Any) -> AsyncGenerator[str, None]:
        yield self._line(await body_of(response, MAX_BODY_BYTES) or "nothing")
        yield DONE

    def _line(self, data: str) -> str:
        data = data.strip()
        if data == "[DONE]":
            return DONE
        if not data:
            return ""
        chunk = parsed(self._source, data)
        check(self._source, chunk)
        self._chunks.append(chunk)
        return EMPTY


def _plain(chunk: Any) -> Any:
    """Convert the library's objects to dictionaries: each is a dataclass and a dict, but only its dataclass fields are complete."""
    if isinstance(chunk, Mapping):
        return {key: _plain(value) for key, value in chunk.items()}
    return [_plain(item) for item in chunk] if isinstance(chunk, list) else chunk


def _fault(source: Source, error: Exception) -> ModelError:
    response = getattr(error, "response", None)
    status = getattr(response, "status_code", None)
    if isinstance(error, ValueError) and "api_key" in str(error):
        advice = "Log in with `hf auth login`, or set HF_TOKEN"
        return source.fault("needs an access token", advice, kind="key")
    if isinstance(error, ValueError) and _NOT_SERVED.search(str(error)):
        advice = 'Name another model, or leave the choice to the router with provider="auto"'
        return source.fault("is not served that way", advice, kind="model", reason=str(error))
    if not isinstance(status, int):
        return from_exception(source, error)
    try:
        body = str(response.text) if response is not None else ""
    except Exception:  # the body of the stream was not read: use the headers only
        body = str(getattr(error, "server_message", None) or "")
    return from_status(source, status, body, getattr(response, "headers", None))
