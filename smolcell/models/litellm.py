"""Models of every provider that LiteLLM supports. LiteLLM takes seconds to import: that happens on the first reply, in a thread.

Works around these faults of LiteLLM; a test with a misbehaving server covers each:

* It blocks its event loop and leaves tasks on it: each attempt has its own loop (``iterate_in_thread``).
* It follows redirections with the provider's key in a header: its connections follow none, and end with the attempt.
* It reports a normal end if the stream merely stopped: only the provider's own report counts.
* It retries, logs, prints advice and fetches a table of prices: all switched off.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import sys
import warnings
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, TypeVar

from smolcell.errors import SetupError
from smolcell.events import Delta, Replied
from smolcell.machine.environment import optional
from smolcell.models.capabilities import cached
from smolcell.models.errors import (
    ModelError,
    Retry,
    Source,
    chain,
    cut,
    format_refused,
    from_exception,
    from_status,
    names_of,
)
from smolcell.models.http import HTTPModel
from smolcell.models.inprocess import ItemSink, on_thread
from smolcell.models.streaming import Completion
from smolcell.protocols import Message, trace_headers

log = logging.getLogger("smolcell")

# --- An asynchronous iterator on its own thread and event loop, for libraries that block a loop or leave tasks on it.
#
# LiteLLM imports for seconds within a call, starts tasks that outlive it, and ties its connections to the loop. Here a loop exists for
# one reply: tasks left on it are cancelled, and it is closed, before the reply ends.


T = TypeVar("T")
END_SECONDS = 3.0  # seconds that remaining tasks get to end


def iterate_in_thread(make: Callable[[], AsyncGenerator[T, None]]) -> AsyncGenerator[T, None]:
    """Yield what ``make()`` yields, and raise its exceptions. Leaving early, or being cancelled, ends it.

    Args:
        make: called on the other thread.
    """
    return on_thread(lambda sink: asyncio.run(_pass_on(make, sink)), END_SECONDS)


async def _pass_on(make: Callable[[], AsyncGenerator[T, None]], sink: ItemSink) -> None:
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None  # noqa: S101

    def cancel() -> None:
        with suppress(RuntimeError):  # the loop has just been closed
            loop.call_soon_threadsafe(task.cancel)

    sink.when_left(cancel)
    async with aclosing(make()) as items:
        async for item in items:
            sink(item)


# --- The HTTP clients that LiteLLM makes for our replies: they follow no redirection and are closed with the reply.
#
# LiteLLM keeps its clients in one table for the whole process and never closes them. ``Clients`` replaces it: within ``own_clients()`` it
# keeps the clients of this reply separately; all others go to LiteLLM's own table as before.


_ours: ContextVar[dict[str, Any] | None] = ContextVar("smolcell.clients", default=None)


@asynccontextmanager
async def own_clients() -> AsyncIterator[None]:
    """Collect the clients made in this block, and close them. Its event loop must be the reply's own: a context does not cross tasks."""
    clients: dict[str, Any] = {}
    _ours.set(clients)
    try:
        yield
    finally:
        for client in clients.values():
            await _close(client)


class Clients:
    """LiteLLM's table of clients, with the clients of our replies kept separately.

    Args:
        own: LiteLLM's table.
    """

    def __init__(self, own: Any) -> None:
        self._table = own

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def get_cache(self, key: str, *args: Any, **kwargs: Any) -> Any:
        clients = _ours.get()
        return self._table.get_cache(key, *args, **kwargs) if clients is None else clients.get(key)

    def set_cache(self, key: str, value: Any, *args: Any, **kwargs: Any) -> None:
        clients = _ours.get()
        if clients is None:
            self._table.set_cache(key, value, *args, **kwargs)
        else:
            _keep_to_its_address(value)
            clients[key] = value


def _keep_to_its_address(client: Any) -> None:
    """Forbid redirections: they would carry the provider's key, in a header unknown to httpx, to another host."""
    for part in (client, getattr(client, "_client", None), getattr(client, "client", None)):
        if part is not None and hasattr(part, "follow_redirects"):
            part.follow_redirects = False


async def _close(client: Any) -> None:
    close = getattr(client, "aclose", None) or getattr(client, "close", None)
    try:
        done: Any = close() if close is not None else None
        if hasattr(done, "__await__"):
            await done
    except Exception:
        log.debug("a connection of LiteLLM's could not be closed", exc_info=True)


Complete = Callable[..., Awaitable[Any]]
_SAID = re.compile(r"^.*?\w+(?:Exception|Error)(?: \w+)? - (?:b(?P<quote>['\"]))?", re.DOTALL)
NOISE = (
    r"Item '\w+' on TypedDict class '\w+' is using the `ReadOnly` qualifier"  # of pydantic, about LiteLLM's own types
)
_ESCAPE = re.compile(rb"\\(x[0-9a-fA-F]{2}|.)", re.DOTALL)
_MAX_MESSAGE_CHARS = 64 * 1024  # characters of a message that are read


class LiteLLMModel(HTTPModel):
    """A model by LiteLLM's name: ``anthropic/…``, ``gemini/…``, ``azure/…``, ``bedrock/…``.

    Args:
        model_id, model_name: LiteLLM's name of the model, with its provider; one of the two.
        api_base: a URL instead of the provider's usual one.
        api_key: the key; by default from the provider's own variable (``ANTHROPIC_API_KEY``, …).
        temperature: sent only if given.
        max_tokens: limit on a reply; a reply that reaches it is an error, because half a program is never run.
        timeout: seconds without new data after which the reply is given up.
        retry: retries for a busy server; LiteLLM's own retries are off.
        complete: called instead of ``litellm.acompletion``.
        takes_images: whether the model accepts images: it then gets those that a step makes. None: judged by its name.
        parameters: further arguments of ``acompletion``, such as ``api_version``; those that the model does not support are left out.

    Works on any event loop. The cost of a reply is LiteLLM's figure for the model's usual price, if it has one. Only OpenAI's,
    Anthropic's and Azure's protocols were tested, against a stand-in on this machine.
    """

    def __init__(
        self,
        model_id: str = "",
        api_base: str | None = None,
        api_key: str | None = None,
        *,
        model_name: str = "",
        temperature: float | None = None,
        max_tokens: int | None = None,
        timeout: float = 120.0,
        retry: Retry | None = None,
        complete: Complete | None = None,
        takes_images: bool | None = None,
        **parameters: Any,
    ) -> None:
        if bool(model_id) == bool(model_name):
            raise SetupError("name a model with its provider: LiteLLMModel('anthropic/NAME'), model_id= or model_name=")
        name = model_id or model_name
        super().__init__(name, name, api_key, temperature, max_tokens, timeout, retry, takes_images, **parameters)
        self.api_base = api_base
        self._complete = complete

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.model_id!r})"

    @property
    def _source(self) -> Source:
        key = "api_key" if self._key else "the provider's variable, such as ANTHROPIC_API_KEY"
        return Source(model=self.name, place=self.api_base or "", key=key)

    async def _get_ready(self) -> AsyncGenerator[Delta, None]:
        if self._complete is None:
            if "litellm" not in sys.modules:
                yield Delta(text="loading LiteLLM", channel="progress")
            self._complete = (await asyncio.to_thread(load)).acompletion

    def _check_format(self, response_format: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the schema, or a JSON object's, if the model supports it; LiteLLM would silently drop it."""
        litellm = sys.modules.get("litellm")
        if litellm is None:
            return response_format
        if response_format.get("type") == "json_object":
            taken = "response_format" in (litellm.get_supported_openai_params(model=self.model_id) or ())
        else:
            taken = litellm.supports_response_schema(model=self.model_id)
        if not taken:
            raise format_refused(self._source)
        return response_format

    @property
    def context_window(self) -> int | None:
        """The context window in tokens, from LiteLLM's table; None before it is loaded, or if the table has none."""
        table = getattr(sys.modules.get("litellm"), "model_cost", None) or {}
        known = table.get(self.model_id) or table.get(self.model_id.partition("/")[2]) or {}
        window = known.get("max_input_tokens")
        return window if isinstance(window, int) and not isinstance(window, bool) else None

    def _request(self, messages: Sequence[Message], **options: Any) -> dict[str, Any]:
        if "response_format" in options:
            options["response_format"] = self._check_format(options["response_format"])
        traced = {**self.parameters.get("extra_headers", {}), **trace_headers.get()}
        return {
            "model": self.model_id,
            "timeout": self.timeout,
            "num_retries": 0,
            "max_retries": 0,
            "drop_params": True,
            "no-log": True,
            **({"api_base": self.api_base} if self.api_base else {}),
            **({"api_key": self._key} if self._key else {}),
            **super()._request(messages, **options),
            "messages": cached(messages, self.model_id),
            **({"extra_headers": traced} if traced else {}),
        }

    def _attempt(self, request: dict[str, Any]) -> AsyncGenerator[Delta | Replied, None]:
        attempt = super()._attempt
        return iterate_in_thread(lambda: attempt(request))

    async def _deltas(self, request: dict[str, Any], completion: Completion) -> AsyncGenerator[Delta, None]:
        assert self._complete is not None  # noqa: S101 - set before a request
        async with own_clients():
            chunks = await self._complete(**request)
            async with aclosing(completion.read(aiter(chunks), lambda c: completion.add(_plain(c)))) as deltas:
                async for delta in deltas:
                    yield delta
        reason = getattr(chunks, "received_finish_reason", "")  # the server's; the one in the stream is LiteLLM's
        if reason is None and not completion.has_program:
            raise cut(self._source)
        completion.correct_end(reason or "")

    def _priced(self, replied: Replied) -> Replied:
        litellm = sys.modules.get("litellm")
        usage = replied.usage
        if litellm is None or usage.cost is not None:
            return replied
        try:
            paid = litellm.cost_per_token(
                model=self.model_id, prompt_tokens=usage.input_tokens, completion_tokens=usage.output_tokens
            )
            return replace(replied, usage=replace(usage, cost=float(sum(paid))))
        except Exception:  # no price, or a table in another format
            return replied

    def _fault(self, error: Exception) -> ModelError:
        """Return the error for an exception of LiteLLM. Its own status is made up; the server's is in the exceptions that caused it."""
        links = list(chain(error))
        names = names_of(links)
        status = 0 if names & _NO_ANSWER else next(filter(None, map(_status, reversed(links))), 0)
        if not status:
            return from_exception(self._source, error)
        if "ContextWindowExceededError" in names:
            status = 413
        headers = next((headers_of_link for link in links if (headers_of_link := _headers(link))), {})
        return from_status(self._source, status, server_message(str(error)), headers)


class AzureOpenAIModel(LiteLLMModel):
    """A deployment of your own on Azure OpenAI, through LiteLLM; ``azure/<deployment>`` is the same by name.

    Args:
        model_id: name of the deployment.
        azure_endpoint: ``https://….openai.azure.com``; ``AZURE_API_BASE`` if None.
        api_key: the key; ``AZURE_API_KEY`` if None.
        api_version: version of Azure's API, such as ``2024-10-21``; ``AZURE_API_VERSION`` if None.
        kwargs: as for ``LiteLLMModel``.
    """

    def __init__(
        self,
        model_id: str,
        azure_endpoint: str | None = None,
        api_key: str | None = None,
        api_version: str | None = None,
        **kwargs: Any,
    ) -> None:
        if api_version:
            kwargs["api_version"] = api_version
        super().__init__(f"azure/{model_id}", azure_endpoint, api_key, **kwargs)


def load() -> Any:
    """Import LiteLLM. Keeps it from fetching its table of prices and from printing advice.

    Raises:
        SetupError: it is not installed, or not in the version that is needed.
    """
    with optional("a model of LiteLLM", "", "litellm"):
        import litellm

        with suppress(ImportError):  # importing it sets a variable; LiteLLM imports it during a reply
            import litellm.litellm_core_utils.default_encoding
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.disable_aiohttp_transport = True  # only httpx: one set of errors, and no session left open
    if not isinstance(litellm.in_memory_llm_clients_cache, Clients):
        litellm.in_memory_llm_clients_cache = Clients(litellm.in_memory_llm_clients_cache)
    warnings.filterwarnings("ignore", message=NOISE)
    if not os.environ.get("LITELLM_LOG"):
        for name in ("LiteLLM", "LiteLLM Router"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    return litellm


def _plain(chunk: Any) -> Any:
    return chunk if isinstance(chunk, Mapping) else chunk.model_dump()


_NO_ANSWER = {
    "TransportError",
    "TimeoutError",
    "gaierror",
    "SSLError",
    "JSONDecodeError",
    "UnicodeDecodeError",
    "RecursionError",
}
"""If one of these is among the causes, the status of an error was made up."""


def _status(link: BaseException) -> int:
    """Return the status that a server sent; 0 if there is none."""
    status = getattr(link, "status_code", None)
    made_up = {"APIConnectionError", "MidStreamFallbackError"} & names_of([link])
    if made_up or getattr(link, "status_code_is_synthesized", False) or not isinstance(status, int):
        return 0
    return status


def _headers(link: BaseException) -> dict[str, str]:
    """Return the headers that a server sent, if the error has them."""
    for headers in (getattr(getattr(link, "response", None), "headers", None), getattr(link, "headers", None)):
        if headers:
            return {str(key): str(value) for key, value in dict(headers).items()}
    return {}


def server_message(text: str) -> str:
    """Extract the server's message from one of LiteLLM's: ``litellm.RateLimitError: AnthropicException - b'{…}'``."""
    match = _SAID.match(text)
    if match is None:
        return text
    rest = text[match.end() :]
    if not match["quote"]:
        return rest
    raw = rest.rpartition(match["quote"])[0][:_MAX_MESSAGE_CHARS].encode("utf-8", "replace")
    return _ESCAPE.sub(_unescaped, raw).decode("utf-8", "replace")


def _unescaped(match: re.Match[bytes]) -> bytes:
    """Return the byte of an escape in a bytes literal."""
    code = match[1]
    return bytes([int(code[1:], 16)]) if len(code) == 3 else {b"n": b"\n", b"r": b"\r", b"t": b"\t"}.get(code, code)
