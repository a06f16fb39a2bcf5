"""Models with a fallback: the next model is asked if one does not answer."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Mapping, Sequence
from typing import Any

from smolcell.errors import AgentGenerationError, SetupError
from smolcell.events import Delta, Replied, Usage
from smolcell.models import create_model
from smolcell.models.capabilities import supports_images, traits
from smolcell.models.credentials import key_variables, lacks_key
from smolcell.models.errors import ModelError, Retry, is_shown, with_retry_note
from smolcell.models.generate import Generates
from smolcell.protocols import Message, Model


class FallbackModel(Generates):
    """Asks the first of several models; if it does not answer, asks the next, and says so on the card.

    Args:
        models: models of any kind, or names as for ``create_model``; the preferred first. ``-m first/a,second/b`` is the same.
        rest: seconds for which a model that failed is asked last, so that not every step waits for it.
        clock: injected for tests.

    The next model is asked if a model cannot be reached, is busy after its own retries, has no key, or finds the conversation too
    long; also if its reply breaks off: the part that was shown is discarded. If no model answers, the last error is raised. Tokens of
    failed models are added to the usage, if they were reported.

    The models may answer differently. The conversation is sent to each provider that is asked.

    Raises:
        SetupError: there is no model, or a name is not a model's.
    """

    def __init__(
        self, models: Iterable[Model | str], *, rest: float = 300.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.models = tuple(model_of(model) if isinstance(model, str) else model for model in models)
        if not self.models:
            raise SetupError(
                "a FallbackModel needs models, for example: FallbackModel(['openai/gpt-4.1', 'ollama/qwen3'])"
            )
        known = [traits(model) for model in self.models]
        self.name = ",".join(one.name for one in known)
        self.takes_response_format = all(one.takes_response_format for one in known)
        self.takes_tools = all(one.takes_tools for one in known)
        self.takes_images = all(one.takes_images for one in known)
        self.rest = rest
        self._clock = clock
        self._failed: dict[int, float] = {}  # index → time of its last failure

    def __repr__(self) -> str:
        return f"FallbackModel({list(self.models)!r})"

    async def reply(
        self, messages: Sequence[Message], tools: Sequence[Any] = (), **options: Any
    ) -> AsyncIterator[Delta | Replied]:
        """Stream the reply of the first model that answers; ``Replied.model`` names it. See ``smolcell.protocols.Model``.

        Raises:
            AgentGenerationError: none answered.
        """
        order = self._order()
        spent = Usage()  # by failed models, if they reported it
        discarded = 0
        for place, index in enumerate(order):
            shown = False
            items = self.models[index].reply(messages, tools, **options)
            try:
                async for item in items:
                    shown = shown or is_shown(item)
                    yield with_retry_note(item, spent, discarded) if isinstance(item, Replied) else item
                self._failed.pop(index, None)
                return
            except (AgentGenerationError, SetupError) as error:
                self._failed[index] = self._clock()
                if isinstance(error, ModelError):
                    spent += error.usage
                    error.usage = spent
                if place == len(order) - 1:
                    raise
                discarded += shown
                note = f"{error} Asking {self.models[order[place + 1]].name} instead."
            finally:
                if isinstance(items, AsyncGenerator):
                    await items.aclose()
            yield Delta(text=note, channel="discarded" if shown else "progress")

    def _order(self) -> list[int]:
        """Return the order in which models are asked: those that failed lately come last."""
        now = self._clock()
        resting = [index for index, when in self._failed.items() if now - when < self.rest]
        return [index for index in range(len(self.models)) if index not in resting] + sorted(resting)


def model_of(name: str, **kwargs: Any) -> Model:
    """Return the model of this name from ``create_model``; if its key is missing, one that raises when it is asked."""
    return _WithoutKey(name) if lacks_key(name) else create_model(name, **kwargs)


class _WithoutKey:
    takes_response_format = takes_tools = True

    def __init__(self, name: str) -> None:
        self.name = name
        self.takes_images = supports_images(name)

    async def reply(
        self, messages: Sequence[Message], tools: Sequence[Any] = (), **options: Any
    ) -> AsyncIterator[Delta | Replied]:
        raise SetupError(f"{self.name} has no key: set {key_variables(self.name)[0]} before the kernel starts.")
        yield Delta(text="")  # makes this a generator


class LiteLLMRouterModel(FallbackModel):
    """The deployments of one model, from a list in the format of LiteLLM's router. The first that answers is used.

    Args:
        model_id: the ``model_name`` of the deployments, which are asked in the order of the list.
        model_list: ``{"model_name": …, "litellm_params": {"model": "azure/…", "api_base": …, "api_key": …}}`` each.
        kwargs: as for ``LiteLLMModel``, for every deployment; of the router's own options, ``client_kwargs`` may hold
            ``cooldown_time``, ``num_retries``, ``routing_strategy`` and ``timeout``.

    LiteLLM's routing strategies are not supported. Its router takes a reply that broke off for a complete one, so it is not used.

    Raises:
        SetupError: the list has no such model, or an option is unknown.
    """

    def __init__(self, model_id: str, model_list: Sequence[Mapping[str, Any]], **kwargs: Any) -> None:
        from smolcell.models.litellm import LiteLLMModel

        rest = _router_words(kwargs)
        chosen = [dict(each["litellm_params"]) for each in model_list if each.get("model_name") == model_id]
        if not chosen:
            names = ", ".join(dict.fromkeys(str(each.get("model_name")) for each in model_list)) or "none"
            raise SetupError(f"model_list has no model {model_id!r}; it has: {names}. Name one of them as model_id")
        super().__init__([LiteLLMModel(each.pop("model"), **(kwargs | each)) for each in chosen], **rest)
        self.name = model_id


def _router_words(kwargs: dict[str, Any]) -> dict[str, Any]:
    """Translate ``client_kwargs`` of LiteLLM's router: for the deployments (into ``kwargs``) and for their order.

    Raises:
        SetupError: there is another option.
    """
    given = dict(kwargs.pop("client_kwargs", None) or {})
    given.pop("routing_strategy", None)  # the order is that of the list
    rest = {"rest": float(given.pop("cooldown_time"))} if "cooldown_time" in given else {}
    if "num_retries" in given:
        kwargs.setdefault("retry", Retry(tries=1 + int(given.pop("num_retries"))))
    if "timeout" in given:
        kwargs.setdefault("timeout", float(given.pop("timeout")))
    if given:
        raise SetupError(
            f"client_kwargs: {', '.join(given)} is not supported: leave it out. Supported are cooldown_time, num_retries, routing_strategy "
            "(ignored: the order of model_list counts) and timeout"
        )
    return rest
