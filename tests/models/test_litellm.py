"""LiteLLM's errors and chunks become ours. The library itself is run where it is installed."""

import asyncio
import os
import re
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from dialects import CANARY, HELLO, anthropic_stream, items
from misbehaving import TEXT, USAGE, Answer, chunk, serving

from smolcell.events import Delta, Replied, Usage
from smolcell.models.capabilities import cached
from smolcell.models.errors import ModelError, Retry
from smolcell.models.litellm import AzureOpenAIModel, LiteLLMModel, iterate_in_thread, server_message


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


def raised(name: str, status: int, message: str) -> Exception:
    """As LiteLLM raises it."""
    made: Exception = type(name, (Exception,), {"status_code": status})(message)
    return made


def test_chunks_become_deltas_and_a_reply() -> None:
    complete = Completing(
        SimpleNamespace(model_dump=lambda: chunk("a")), chunk(reasoning_content="hm"), chunk(finish="stop"), USAGE
    )
    model = LiteLLMModel("anthropic/claude", "http://x", CANARY, max_tokens=5, complete=complete)
    assert items(model) == [
        Delta(text="a"),
        Delta(text="hm", channel="reasoning"),
        Replied(text="a", reasoning="hm", usage=Usage(input_tokens=7, output_tokens=3), model="m-1"),
    ]
    assert complete.called == {
        "model": "anthropic/claude",
        "messages": cached(HELLO, "anthropic/claude"),
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
    ("error", "kind", "retry"),
    [
        (raised("RateLimitError", 429, f"slow down {CANARY}"), "busy", True),
        (raised("APIConnectionError", 500, "connection reset"), "stream", True),
        (raised("AuthenticationError", 401, CANARY), "key", False),
        (ValueError("what"), "server", False),
        (TimeoutError(), "stall", True),
    ],
)
def test_errors_become_ours(error: Exception, kind: str, retry: bool) -> None:
    model = LiteLLMModel("anthropic/claude", api_key=CANARY, complete=Completing(error), retry=Retry(tries=1))
    with pytest.raises(ModelError) as caught:
        items(model)
    assert (caught.value.kind, caught.value.retry) == (kind, retry)
    assert CANARY not in str(caught.value)


def test_half_a_reply_is_none() -> None:
    with pytest.raises(ModelError, match="broke off"):
        items(LiteLLMModel("anthropic/claude", complete=Completing(chunk("a")), retry=Retry(tries=1)))


def test_azure_is_a_deployment_at_an_endpoint() -> None:
    complete = Completing(chunk("a", finish="stop"))
    items(AzureOpenAIModel("mine", "https://x.openai.azure.com", CANARY, "2024-10-21", complete=complete))
    given = ("azure/mine", "https://x.openai.azure.com", CANARY, "2024-10-21")
    assert tuple(complete.called[name] for name in ("model", "api_base", "api_key", "api_version")) == given


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (r"""litellm.RateLimitError: AnthropicException - b'{"a": "it\'s \xc3\xa9"}'""", """{"a": "it's é"}"""),
        (r"""litellm.RateLimitError: AnthropicException - b"it's\n\q\x" """, "it's\nqx"),
        ("litellm.BadRequestError: OpenAIException - no good", "no good"),
        ("litellm.APIError: AzureException APIError - no good", "no good"),
        ("no good", "no good"),
        ("", ""),
    ],
)
def test_what_the_server_said_is_taken_out_of_litellms_words(text: str, meant: str) -> None:
    assert server_message(text) == meant


def test_an_iterator_of_another_loop_passes_on_what_it_yields_and_raises() -> None:
    threads: list[str] = []

    async def two() -> AsyncGenerator[int, None]:
        threads.append(threading.current_thread().name)
        yield 1
        yield 2
        raise ValueError("three")

    async def collect() -> list[int]:
        got = []
        with pytest.raises(ValueError, match="three"):
            async for item in iterate_in_thread(two):
                got.append(item)
        return got

    assert asyncio.run(collect()) == [1, 2]
    assert threads == ["smolcell-model"]


def test_what_is_left_on_the_other_loop_is_ended_with_it() -> None:
    ended = threading.Event()

    async def linger() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    async def leaves() -> AsyncGenerator[int, None]:
        task = asyncio.create_task(linger())
        yield 1
        await task

    async def leave() -> None:
        left = iterate_in_thread(leaves)
        assert await anext(left) == 1
        await left.aclose()

    asyncio.run(leave())
    assert ended.is_set()


# --- LiteLLM itself, in a process of its own: it takes seconds to import -----------------------------------------------

PROGRAM = Path(__file__).with_name("litellm_alone.txt").read_text(encoding="utf-8")


@pytest.mark.slow
def test_litellm_itself_connects_nowhere_else_prints_nothing_and_leaves_nothing() -> None:
    """Every connection but the server's ends the process: nothing is fetched at import, nothing is reported anywhere."""
    pytest.importorskip("litellm", reason="LiteLLM is not installed")
    environment = {key: value for key, value in os.environ.items() if not key.startswith("LITELLM")}
    claude = anthropic_stream(("thinking", "hm"), ("text", TEXT), ("end", "stop"), ("usage", 1000, 500), ("done",))
    with serving(Answer()) as server, serving(Answer(claude)) as other:
        asked = ["openai/m", server.base, "anthropic/claude-sonnet-4-5", other.base.removesuffix("/v1")]
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, *asked], capture_output=True, text=True, timeout=240, env=environment
        )
    assert (done.returncode, done.stderr) == (0, "")
    assert "canary" not in done.stdout
    lines = done.stdout.splitlines()
    assert lines[0] == ascii(Delta(text="loading LiteLLM", channel="progress"))
    openai, anthropic = (line for line in lines if line.startswith("Replied("))
    assert (ascii(TEXT)[1:-1] in openai, "input_tokens=7" in openai, "cost=None" in openai) == (True, True, True)
    assert "reasoning='hm'" in anthropic
    assert re.search(r"input_tokens=1000, output_tokens=500, cost=0\.0\d+", anthropic)
    assert lines[-2:] == ["imported by the main thread [False]", "threads []"]
    assert lines.count("tasks 0") == 2
