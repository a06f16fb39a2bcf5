"""LiteLLM's errors and chunks become ours. The library itself is run where it is installed."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest
from misbehaving import GOOD, TEXT, USAGE, chunk, serving
from misbehaving import Answer as HttpAnswer

from smolcell.events import Delta, Replied, Usage
from smolcell.messages import Message
from smolcell.models.faults import Unanswered
from smolcell.models.litellm import LiteLLMModel
from smolcell.models.retry import Retry

CANARY = "canary-4711-canary"
HELLO = [Message("user", "hello")]


def ask(model: LiteLLMModel) -> list[Delta | Replied]:
    async def collect() -> list[Delta | Replied]:
        return [item async for item in model.reply(HELLO)]

    return asyncio.run(collect())


class Completing:
    """Stands where ``litellm.acompletion`` stands."""

    def __init__(self, *chunks: Any) -> None:
        self.chunks = chunks
        self.called: dict[str, Any] = {}

    async def __call__(self, **call: Any) -> AsyncIterator[Any]:
        self.called = call
        if self.chunks and isinstance(self.chunks[0], Exception):
            raise self.chunks[0]
        return self.stream()

    async def stream(self) -> AsyncIterator[Any]:
        for item in self.chunks:
            yield item


class Dumped:
    """As pydantic models dump themselves."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    def model_dump(self) -> dict[str, Any]:
        return self.data


class RateLimitError(Exception):
    status_code = 429


class APIConnectionError(Exception):
    status_code = 500


class AuthenticationError(Exception):
    status_code = 401


def test_chunks_become_deltas_and_a_reply() -> None:
    complete = Completing(Dumped(chunk("a")), chunk(reasoning_content="hm"), chunk(finish="stop"), USAGE)
    model = LiteLLMModel("anthropic/claude", "http://x", CANARY, max_tokens=5, complete=complete)
    assert ask(model) == [
        Delta(text="a"),
        Delta(text="hm", channel="reasoning"),
        Replied(text="a", reasoning="hm", usage=Usage(input_tokens=7, output_tokens=3), model="m-1"),
    ]
    assert complete.called == {
        "model": "anthropic/claude",
        "messages": HELLO,
        "stream": True,
        "stream_options": {"include_usage": True},
        "timeout": 120.0,
        "num_retries": 0,
        "max_retries": 0,
        "drop_params": True,
        "no-log": True,
        "api_base": "http://x",
        "api_key": CANARY,
        "max_tokens": 5,
    }
    assert CANARY not in repr(model)


@pytest.mark.parametrize(
    ("raised", "kind", "retry"),
    [
        (RateLimitError(f"slow down {CANARY}"), "busy", True),
        (APIConnectionError("connection reset"), "stream", True),
        (AuthenticationError(CANARY), "key", False),
        (ValueError("what"), "server", False),
        (TimeoutError(), "stall", True),
    ],
)
def test_errors_become_ours(raised: Exception, kind: str, retry: bool) -> None:
    model = LiteLLMModel("anthropic/claude", api_key=CANARY, complete=Completing(raised), retry=Retry(tries=1))
    with pytest.raises(Unanswered) as caught:
        ask(model)
    assert (caught.value.kind, caught.value.retry) == (kind, retry)
    assert CANARY not in str(caught.value)


def test_half_a_reply_is_none() -> None:
    with pytest.raises(Unanswered, match="broke off"):
        ask(LiteLLMModel("anthropic/claude", complete=Completing(chunk("a")), retry=Retry(tries=1)))


PROGRAM = """
import asyncio, sys
from smolcell.messages import Message
from smolcell.models.faults import Unanswered
from smolcell.models.litellm import LiteLLMModel
from smolcell.models.retry import Retry

async def ask():
    async for item in LiteLLMModel("openai/m", sys.argv[1], "canary-4711-canary", retry=Retry(tries=1)).reply([Message("user", "hi")]):
        print(ascii(item))

try:
    asyncio.run(ask())
except Unanswered as error:
    print(error.kind, error)
"""


def run_litellm(base: str) -> str:
    """In a process of its own: LiteLLM takes seconds to import and leaves connections open."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, base], capture_output=True, text=True, timeout=120)
    assert "canary" not in done.stdout + done.stderr
    return done.stdout


def test_litellm_itself_streams_from_a_server() -> None:
    pytest.importorskip("litellm", reason="LiteLLM is not installed")
    with serving(HttpAnswer(GOOD)) as server:
        lines = run_litellm(server.base).splitlines()
    assert lines[0] == ascii(Delta(text="loading LiteLLM", channel="progress"))
    assert ascii(TEXT)[1:-1] in lines[-1]
    assert "input_tokens=7" in lines[-1]


def test_litellm_itself_reports_a_refused_key() -> None:
    pytest.importorskip("litellm", reason="LiteLLM is not installed")
    with serving(HttpAnswer(b'{"error": {"message": "no"}}', status=401, kind="application/json")) as server:
        assert run_litellm(server.base).splitlines()[-1].startswith("key openai/m did not accept the key (401)")
