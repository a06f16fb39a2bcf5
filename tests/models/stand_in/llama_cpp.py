"""A stand-in for llama-cpp-python, which takes many minutes to compile: the names, signatures and chunks of version 0.3.36.

It "reads" a file that begins with ``GGUF``; the rest of the file is what its model says, a token a line, ``\\n`` for a newline.
A token ``<end>`` is where the model ends; without one it is cut off at ``max_tokens``, as the real one is.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CALLS: list[dict[str, Any]] = []
LOADED: list[dict[str, Any]] = []


LOADS = {"n_gpu_layers", "seed", "n_ctx", "n_batch", "n_threads", "chat_format", "verbose"}
TAKES = {"functions", "function_call", "tools", "tool_choice", "top_p", "top_k", "min_p", "typical_p", "stop", "seed"}


class Llama:
    def __init__(self, model_path: str, *, n_ctx: int = 512, **options: Any) -> None:
        assert options.keys() <= LOADS
        chosen = {name: options[name] for name in ("n_gpu_layers", "verbose")}
        LOADED.append({"path": model_path, "n_ctx": n_ctx, **chosen})
        text = Path(model_path).read_text(encoding="utf-8")
        if not text.startswith("GGUF"):
            raise ValueError(f"Failed to load model from file: {model_path}")
        self.metadata = {"general.architecture": "llama", "llama.context_length": "1000"}
        self.n_tokens = 0
        self._says = [line.replace("\\n", "\n") for line in text.split("\n")[1:] if line]
        self._n_ctx = n_ctx

    def n_ctx(self) -> int:
        return self._n_ctx

    def tokenize(self, text: bytes, add_bos: bool = True, special: bool = False) -> list[int]:
        return [1] * (len(text.split()) + add_bos)

    def create_chat_completion(
        self,
        messages: list[dict[str, Any]],
        *,
        stream: bool = False,
        temperature: float = 0.2,
        response_format: Any = None,
        max_tokens: int | None = None,
        **options: Any,
    ) -> Iterator[dict[str, Any]]:
        assert stream and options.keys() <= TAKES
        call = {"messages": messages, "temperature": temperature, "response_format": response_format}
        call |= {"told": 0, "over": False}
        CALLS.append(call)
        prompt = sum(len(self.tokenize(message["content"].encode(), add_bos=False)) for message in messages)
        if prompt >= self._n_ctx:
            raise ValueError(f"Requested tokens ({prompt}) exceed context window of {self._n_ctx}")
        return self._chunks(call, prompt, max_tokens or self._n_ctx)

    def _chunks(self, call: dict[str, Any], prompt: int, most: int) -> Iterator[dict[str, Any]]:
        try:
            yield chunk({"role": "assistant"})
            said = ""
            for number, token in enumerate(self._says, 1):
                if token == "<slow>":
                    time.sleep(0.02)
                    continue
                if token == "<end>" or number > most:
                    yield chunk({}, "stop" if token == "<end>" else "length")
                    return
                if token == "<fail>":
                    raise RuntimeError("llama_decode returned -1")
                call["told"] = number
                said += token
                self.n_tokens = prompt + len(self.tokenize(said.encode(), add_bos=False))
                yield chunk({"content": token})
            yield chunk({}, "length")
        finally:
            call["over"] = True


def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    return {"id": "chatcmpl-1", "model": "m", "created": 1, "object": "chat.completion.chunk", "choices": [choice]}
