"""Models served by Hugging Face and its inference providers.

``huggingface_hub``, which is imported on the first reply, says what is sent and where; it is sent as to any other server.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import aclosing
from functools import cache
from typing import Any

from smolcell.core.redaction import register
from smolcell.machine.environment import importing
from smolcell.models.errors import ModelError, Retry, Source, from_exception, from_status
from smolcell.models.http import HTTPModel, Posted
from smolcell.models.inprocess import on_thread

_NOT_SERVED = re.compile("not supported|auto-router")
DEFAULT = "Qwen/Qwen2.5-Coder-32B-Instruct"


class InferenceClientModel(HTTPModel):
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
        **parameters: Any,
    ) -> None:
        name = f"huggingface/{model_id}"
        super().__init__(
            model_id, name, token or api_key, temperature, max_tokens, timeout, retry, takes_images, **parameters
        )
        self.provider = provider
        self.base_url = base_url or api_base
        self.bill_to = bill_to

    def __repr__(self) -> str:
        return f"InferenceClientModel({self.model_id!r}, provider={self.provider!r})"

    @property
    def _source(self) -> Source:
        key = "token" if self._key else "HF_TOKEN, or log in with `hf auth login`"
        return Source(model=self.name, place=self.base_url or "", key=key)

    async def _post(self, request: dict[str, Any]) -> Posted:
        """Return the library's request, made on a thread: the library may ask the Hub how the provider calls the model."""
        async with aclosing(on_thread(lambda sink: sink(self._made(request)))) as made:
            posted: Posted = await anext(made)
            return posted

    def _made(self, request: Mapping[str, Any]) -> Posted:
        with importing():
            from huggingface_hub import constants, get_token

        if constants.HF_HUB_OFFLINE:
            advice = "Unset HF_HUB_OFFLINE, or use another model with -m"
            raise self._source.fault("is not asked while HF_HUB_OFFLINE is set", advice, kind="connection")
        register(get_token())  # the stored one, which is in no environment variable
        place = {"base_url": self.base_url} if self.base_url else {"model": self.model_id, "provider": self.provider}
        client = _client_class()(token=self._key, bill_to=self.bill_to, **place)
        client.chat_completion(**request)
        return Posted(client.made.url, client.made.headers, client.made.json)

    def _fault(self, error: Exception) -> ModelError:
        response, message = getattr(error, "response", None), str(error)
        if isinstance(error, ValueError) and "api_key" in message:
            advice = "Log in with `hf auth login`, or set HF_TOKEN"
            return self._source.fault("needs an access token", advice, kind="key")
        if isinstance(error, ValueError) and _NOT_SERVED.search(message):
            advice = 'Name another model, or leave the choice to the router with provider="auto"'
            return self._source.fault("is not served that way", advice, kind="model", reason=message)
        if response is not None:  # the Hub's
            return from_status(self._source, response.status_code, response.text, response.headers)
        return from_exception(self._source, error)


HfApiModel = InferenceClientModel
"""The earlier name of the class, used in older notebooks."""


@cache
def _client_class() -> Any:
    """Return a subclass of the library's client that keeps the request it has made, and sends nothing."""
    with importing():
        from huggingface_hub import InferenceClient

    class Client(InferenceClient):  # type: ignore[misc, unused-ignore]
        made: Any

        def _inner_post(self, request_parameters: Any, *, stream: bool = False) -> Any:
            self.made = request_parameters
            return ()

    return Client
