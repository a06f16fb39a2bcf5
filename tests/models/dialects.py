"""Every model that speaks HTTP, each with what its server says when nothing is wrong. ``test_http_models.py`` holds them to one list.

A further model joins the list by a further ``Kind`` in ``KINDS``.
"""

from __future__ import annotations

import asyncio
import gc
import json
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from misbehaving import USAGE, Answer, Server, chunk, event, serving

from smolcell.events import Delta, Replied
from smolcell.models import create_model
from smolcell.models.errors import ModelError, Retry
from smolcell.models.huggingface import InferenceClientModel
from smolcell.models.litellm import NOISE, AzureOpenAIModel, LiteLLMModel
from smolcell.models.openai import OpenAIModel
from smolcell.protocols import Message, Model

LITELLM_WARNS = pytest.mark.filterwarnings(
    f"ignore:{NOISE}:UserWarning",  # LiteLLMModel silences it, too; pytest takes that back after each test
    "ignore:Accessing the 'model_:DeprecationWarning",  # LiteLLM's use of pydantic, which no one else is shown
)
CANARY = "canary-4711-canary"
HELLO = [Message("system", "You write Python."), Message("user", "hello")]
SAID = ("Thought: é\u2028", "print(1)")


def _called(name: str) -> dict[str, Any]:
    return chunk(
        tool_calls=[{"index": 0, "id": "c", "type": "function", "function": {"name": name, "arguments": "{}"}}]
    )


_OPENAI: dict[str, Callable[..., Any]] = {
    "text": chunk,
    "thinking": lambda said: chunk(reasoning_content=said),
    "tool": _called,
    "refusal": lambda said: chunk(refusal=said),
    "end": lambda reason: chunk(finish=reason),
    "usage": lambda read, wrote: USAGE | {"usage": {"prompt_tokens": read, "completion_tokens": wrote}},
    "error": lambda said, named: {"error": {"message": said, "type": named}},
    "done": lambda: "[DONE]",
}


def openai_stream(*parts: tuple[Any, ...]) -> bytes:
    """Parts: ("text", …), ("thinking", …), ("tool", name), ("refusal", …), ("end", reason), ("usage", in, out), ("error", …), ("done",)."""
    return b"".join(event(_OPENAI[name](*rest)) for name, *rest in parts)


_BLOCKS = {
    "text": ({"type": "text", "text": ""}, "text_delta", "text"),
    "thinking": ({"type": "thinking", "thinking": ""}, "thinking_delta", "thinking"),
    "tool": ({"type": "tool_use", "id": "t", "name": "", "input": {}}, "input_json_delta", "partial_json"),
}
_REASONS = {"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use", "content_filter": "refusal"}


def anthropic_stream(*parts: tuple[Any, ...]) -> bytes:
    """The same parts in Anthropic's words. Source: Anthropic's API reference, "Streaming messages"."""
    read, wrote = next((part[1:] for part in parts if part[0] == "usage"), (0, 0))
    start = {"id": "m", "type": "message", "role": "assistant", "content": [], "model": "m-1", "stop_reason": None}
    start["usage"] = {"input_tokens": read, "output_tokens": 1}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": start}]
    for index, (name, *rest) in enumerate(parts):
        if name in _BLOCKS:
            block, delta, key = _BLOCKS[name]
            block, said = (block | {"name": rest[0]}, "{}") if name == "tool" else (block, rest[0])
            events += [
                {"type": "content_block_start", "index": index, "content_block": block},
                {"type": "content_block_delta", "index": index, "delta": {"type": delta, key: said}},
                {"type": "content_block_stop", "index": index},
            ]
        elif name == "end":
            stop = {"stop_reason": _REASONS.get(rest[0], rest[0]), "stop_sequence": None}
            events += [{"type": "message_delta", "delta": stop, "usage": {"output_tokens": wrote}}]
        elif name == "error":
            events += [{"type": "error", "error": {"type": rest[1], "message": rest[0]}}]
        elif name == "done":
            events += [{"type": "message_stop"}]
    return b"".join(b"event: %s\n%s" % (each["type"].encode(), event(each)) for each in events)


@dataclass(frozen=True)
class Kind:
    """One model and its server."""

    name: str
    make: Callable[..., Model]
    path: str
    key: str = "authorization"
    stream: Callable[..., bytes] = openai_stream
    root: str = "/v1"

    def model(self, server: Server, **kwargs: Any) -> Model:
        return self.at(server.base, **kwargs)

    def at(self, base: str, **kwargs: Any) -> Model:
        return self.make(base.removesuffix("/v1") + self.root, **kwargs)

    @property
    def good(self) -> bytes:
        texts = (("text", said) for said in SAID)
        return self.stream(*texts, ("end", "stop"), ("usage", 7, 3), ("done",))

    @property
    def litellm(self) -> bool:
        return self.name.startswith("litellm")


def named(provider: str, base: str, **kwargs: Any) -> Model:
    return create_model(f"{provider}/some-model", api_base=base, api_key=CANARY, **kwargs)


def claude(base: str, **kwargs: Any) -> Model:
    return LiteLLMModel("anthropic/claude-some-model", base, CANARY, **kwargs)


def azure(base: str, **kwargs: Any) -> Model:
    return AzureOpenAIModel("some-model", base, CANARY, "2024-10-21", **kwargs)


CHAT = "/v1/chat/completions"
AZURE = "/openai/deployments/some-model/chat/completions?api-version=2024-10-21"
KINDS = [
    Kind("openai", lambda base, **kw: OpenAIModel("some-model", base, CANARY, **kw), CHAT),
    *[Kind(provider, partial(named, provider), CHAT) for provider in ("ollama", "lmstudio", "vllm")],
    Kind("huggingface", lambda base, **kw: InferenceClientModel("some-model", base_url=base, token=CANARY, **kw), CHAT),
    Kind("litellm-openai", lambda base, **kw: LiteLLMModel("openai/some-model", base, CANARY, **kw), CHAT),
    Kind("litellm-anthropic", claude, "/v1/messages", "x-api-key", anthropic_stream, root=""),
    Kind("litellm-azure", azure, AZURE, "api-key", root=""),
]
DISTINCT = [kind for kind in KINDS if kind.name not in ("ollama", "lmstudio", "vllm")]
"""Without those that are ``OpenAIModel`` under another name."""


SENT_ALIKE = ("huggingface",)
"""Its requests are sent, and its replies read, as those of ``KINDS[0]``, which the quick tests hold to the whole list."""


def parameters(kinds: Sequence[Kind], *, quick: Sequence[str] = ()) -> list[Any]:
    """Kinds for a fixture; those of ``SENT_ALIKE`` are quick tests only if they are named."""
    return [_parameter(kind, slow=kind.name in SENT_ALIKE and kind.name not in quick) for kind in kinds]


def _parameter(kind: Kind, *row: Any, name: str = "", slow: bool = False) -> Any:
    marks = [pytest.mark.slow] * (slow or kind.litellm)  # LiteLLM takes seconds to import
    marks += [LITELLM_WARNS] * kind.litellm
    return pytest.param(kind, *row, marks=marks, id=kind.name + name)


def crossed(rows: Mapping[str, Any], *chosen: str, slow: str = "", kinds: Sequence[Kind] = DISTINCT) -> Any:
    """Parametrizes a test with ``kind`` and ``row``: the first kind with all rows, the others with the chosen ones."""
    pairs = [(kind, name) for kind in kinds for name in rows if kind is KINDS[0] or name in chosen]
    found = [
        _parameter(kind, rows[name], name=f"-{name}", slow=name == slow or kind.name in SENT_ALIKE)
        for kind, name in pairs
    ]
    return pytest.mark.parametrize(("kind", "row"), found, indirect=["kind"])


def ready(kind: Kind) -> Kind:
    """The kind, with its library imported: that takes seconds, which are not the server's. The library's objects, more than a
    million, are left out of every later collection of garbage, which would go through them all."""
    if kind.litellm:
        pytest.importorskip("litellm", reason="LiteLLM is not installed")
    if kind.name not in _ready:
        with warnings.catch_warnings(), serving(Answer(kind.good)) as server:
            warnings.simplefilter("ignore")
            ask(kind.model(server))
        gc.collect()
        gc.freeze()
        _ready.add(kind.name)
    return kind


_ready: set[str] = set()


class Waits:
    """Keeps how long it was to wait, and does not; tells the time that would have passed."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)

    def clock(self) -> float:
        return sum(self.seconds)

    def retry(self, tries: int = 4) -> Retry:
        return Retry(tries=tries, sleep=self, clock=self.clock)


def items(model: Model, messages: Sequence[Message] = HELLO, **options: Any) -> list[Delta | Replied]:
    """Everything that a model says to these messages."""

    async def collected() -> list[Delta | Replied]:
        return [item async for item in model.reply(messages, **options)]

    return asyncio.run(collected())


def ask(model: Model, messages: Sequence[Message] = HELLO) -> tuple[list[Delta], Replied]:
    *deltas, last = items(model, messages)
    assert isinstance(last, Replied)
    return [delta for delta in deltas if isinstance(delta, Delta)], last


@dataclass(frozen=True)
class Failed:
    """What was raised, what was asked of the server, what was yielded before, and how long it was to wait between tries."""

    raised: ModelError
    server: Server
    seen: list[Delta | Replied]
    waits: list[float]

    @property
    def said(self) -> str:
        return str(self.raised)


def fault(kind: Kind, *answers: Answer, tries: int = 1, **kwargs: Any) -> Failed:
    """Ask a server that answers so; there must be an ``ModelError`` that keeps every promise of one."""
    waits = Waits()
    with serving(*answers) as server:
        failed = failure(kind.model(server, retry=waits.retry(tries), **kwargs))
    return Failed(failed.raised, server, failed.seen, waits.seconds)


def failure(model: Model) -> Failed:
    seen: list[Delta | Replied] = []

    async def collect() -> None:
        async for item in model.reply(HELLO):
            seen.append(item)

    with pytest.raises(ModelError) as caught:
        asyncio.run(collect())
    raised = caught.value
    assert not any(isinstance(item, Replied) for item in seen), "half a reply was yielded as a whole one"
    assert CANARY not in f"{raised!r} {raised}"
    assert raised.__cause__ is None
    assert str(raised).endswith("."), raised
    assert "Traceback" not in str(raised)
    assert str(raised).isprintable()
    return Failed(raised, None, seen, [])  # type: ignore[arg-type]


def dumped(data: Any) -> bytes:
    return json.dumps(data).encode()
