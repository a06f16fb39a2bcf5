"""Models of every provider that LiteLLM knows. LiteLLM takes seconds to import: that happens on the first reply, in a thread."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from smolcell.errors import SetupError
from smolcell.events import Delta, Replied
from smolcell.messages import Message
from smolcell.models.completion import Completion
from smolcell.models.faults import Source, Unanswered, from_exception, from_status
from smolcell.models.retry import Retry
from smolcell.redact import register

Complete = Callable[..., Awaitable[Any]]


class LiteLLMModel:
    """A model named as LiteLLM names it: ``anthropic/…``, ``gemini/…``, ``bedrock/…``.

    Args:
        model_id: LiteLLM's name of the model, with its provider.
        api_base: another address than the provider's.
        api_key: the key; the provider's own variable (``ANTHROPIC_API_KEY``, …) if None.
        temperature: sent where given.
        max_tokens: limit on a reply; one that reaches it is an error, because half a program is never run.
        timeout: seconds without an answer before it is given up.
        retry: how often a busy server is asked again.
        complete: called instead of ``litellm.acompletion``; a router's ``acompletion``, for example.
        parameters: further arguments of ``acompletion``.
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
        retry: Retry | None = None,
        complete: Complete | None = None,
        **parameters: Any,
    ) -> None:
        self.model_id = self.name = model_id
        self.api_base = api_base
        self._key = api_key
        self.timeout = timeout
        self.retry = retry or Retry()
        self._complete = complete
        limits = {"temperature": temperature, "max_tokens": max_tokens}
        self.parameters = {key: value for key, value in limits.items() if value is not None} | parameters
        register(api_key)

    def __repr__(self) -> str:
        return f"LiteLLMModel({self.model_id!r})"

    async def reply(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> AsyncIterator[Delta | Replied]:
        """Stream the model's reply. See ``smolcell.protocols.Model``.

        Raises:
            SetupError: LiteLLM is not installed.
            Unanswered: an ``AgentGenerationError`` whose message ends with what to do.
        """
        if self._complete is None:
            if "litellm" not in sys.modules:
                yield Delta(text="loading LiteLLM", channel="progress")
            self._complete = (await asyncio.to_thread(_load)).acompletion
        call: dict[str, Any] = {
            "model": self.model_id,
            "messages": [dict(message) for message in messages],
            "stream": True,
            "stream_options": {"include_usage": True},
            "timeout": self.timeout,
            "num_retries": 0,
            **({"api_base": self.api_base} if self.api_base else {}),
            **({"api_key": self._key} if self._key else {}),
            **self.parameters,
        }
        async with aclosing(self.retry(lambda: self._attempt(call))) as items:
            async for item in items:
                yield item

    @property
    def _source(self) -> Source:
        return Source(
            model=self.name, key="api_key" if self._key else "the provider's variable, such as ANTHROPIC_API_KEY"
        )

    async def _attempt(self, call: dict[str, Any]) -> AsyncGenerator[Delta | Replied, None]:
        assert self._complete is not None  # noqa: S101 - reply() has just set it
        completion = Completion(self._source, self.model_id)
        try:
            chunks = await self._complete(**call)
            async for chunk in chunks:
                for delta in completion.add(chunk if isinstance(chunk, Mapping) else chunk.model_dump()):
                    yield delta
            replied = completion.whole()
        except (Unanswered, GeneratorExit):
            raise
        except Exception as error:
            raise _fault(self._source, error) from None
        yield _with_cost(replied, self.model_id)


def _load() -> Any:
    """Import LiteLLM without letting it fetch its table of prices or print advice."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    try:
        import litellm
    except ImportError as error:
        raise SetupError("LiteLLM is not installed; type: pip install litellm") from error
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    return litellm


def _with_cost(replied: Replied, model: str) -> Replied:
    """The reply with its price, where LiteLLM knows it."""
    litellm = sys.modules.get("litellm")
    if litellm is None or replied.usage.cost is not None:
        return replied
    usage = replied.usage
    try:
        paid = litellm.cost_per_token(
            model=model, prompt_tokens=usage.input_tokens, completion_tokens=usage.output_tokens
        )
        return replace(replied, usage=replace(usage, cost=float(sum(paid))))
    except Exception:  # a model without a price, or a table of another shape
        return replied


def _fault(source: Source, error: Exception) -> Unanswered:
    status = getattr(error, "status_code", None)
    names = {cls.__name__ for cls in type(error).__mro__}
    if names & {"APIConnectionError", "Timeout", "InternalServerError"} or not isinstance(status, int):
        return from_exception(source, error)
    return from_status(source, status, str(error), getattr(getattr(error, "response", None), "headers", None))
