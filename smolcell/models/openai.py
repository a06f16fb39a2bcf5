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
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any
from urllib.parse import unquote, urlsplit

from smolcell.core.redaction import redact, register
from smolcell.errors import SetupError
from smolcell.events import Replied
from smolcell.machine.environment import startup_value
from smolcell.models.capabilities import SMALL_CHARS, listed_window, listing
from smolcell.models.errors import Retry, Source
from smolcell.models.http import HTTPModel, Posted
from smolcell.models.streaming import MAX_BODY_BYTES, body_of
from smolcell.protocols import Message

OPENAI = "https://api.openai.com/v1"
LIST_WAIT_SECONDS = 1.0  # seconds, from the beginning of a reply, to wait for the server's list of models
_SECRET_HEADER = re.compile(r"auth|key|token|secret|cookie", re.IGNORECASE)


class OpenAIModel(HTTPModel):
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
        **parameters: Any,
    ) -> None:
        self.api_base, user, trusted = _base(api_base)
        key, self._key_name = _key(api_key, trusted)
        name = name or f"openai/{model_id}"
        super().__init__(model_id, name, key, temperature, max_tokens, timeout, retry, takes_images, **parameters)
        self._headers = {**_authorization(key, user), **(custom_headers or {})}
        self.context_window: int | None = None  # tokens of prompt and reply together, once the server reported it
        self._looked = False
        for header, value in self._headers.items():
            if _SECRET_HEADER.search(header):
                register(value)
        if self.api_base == OPENAI and not self._headers:
            raise SetupError(
                f"{self.name} needs a key: set OPENAI_API_KEY, or name another server with --api-base http://127.0.0.1:11434/v1"
            )

    def __repr__(self) -> str:
        return f"OpenAIModel({self.model_id!r}, api_base={self.api_base!r})"

    @property
    def _source(self) -> Source:
        return Source(model=self.name, place=self.api_base, key=self._key_name)

    def _request(self, messages: Sequence[Message], **options: Any) -> dict[str, Any]:
        return {"model": self.model_id, **super()._request(messages, **options)}

    async def _post(self, request: dict[str, Any]) -> Posted:
        return Posted(f"{self.api_base}/chat/completions", self._headers, request)

    def _priced(self, replied: Replied) -> Replied:
        """Return the reply with its price, for OpenAI itself: prices on other servers are not known."""
        if self.api_base != OPENAI:
            return replied
        listed = listing(f"openai/{self.model_id}")
        self.context_window = listed.window
        cost = replied.usage.cost if replied.usage.cost is not None else listed.cost(replied.usage)
        return replace(replied, usage=replace(replied.usage, cost=cost))

    @asynccontextmanager
    async def _meanwhile(self, messages: Sequence[Message]) -> AsyncGenerator[None, None]:
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
            url = f"{self.api_base}/models"
            async with self._client(url) as client, client.stream("GET", url, headers=self._headers) as response:
                listed = json.loads(await body_of(response, MAX_BODY_BYTES)) if response.status_code == 200 else None
            self.context_window = listed_window(listed, self.model_id)
        except Exception:  # stays unknown; the server reports a conversation that is too long
            return


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
