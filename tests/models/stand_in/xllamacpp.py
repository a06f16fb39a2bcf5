"""A stand-in for xllamacpp: the names and types of 2026.10, and what llama.cpp's server answers, as far as smolcell asks for it.

It "reads" a file that begins with ``GGUF``; the rest of the file is what its model says, a token a line, ``\\n`` for a newline.
A token ``<end>`` is where the model ends; without one it is cut off at ``max_tokens``, as the real one is. ``<slow>`` waits, ``<fail>``
is a failure within, and at ``<die>`` the process ends. What it does is written to the file that ``STAND_IN_LOG`` names, an object a line.
"""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import takewhile
from pathlib import Path
from typing import Any

TRAINED = 1000  # tokens: no more are served, however many are asked for


class Typed:
    """Takes no other attributes, and no values of another type, as an extension type does."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in type(self).__annotations__:
            raise AttributeError(f"'xllamacpp.xllamacpp.{type(self).__name__}' object has no attribute {name!r}")
        if hasattr(self, name) and type(value) is not type(getattr(self, name)):
            raise TypeError(f"{name}: {type(getattr(self, name)).__name__} expected, got {type(value).__name__}")
        super().__setattr__(name, value)


@dataclass
class CpuParams(Typed):
    n_threads: int = -1


@dataclass
class ModelParams(Typed):
    path: str = ""


@dataclass
class CommonParams(Typed):
    model: ModelParams = field(default_factory=ModelParams)
    cpuparams: CpuParams = field(default_factory=CpuParams)
    cpuparams_batch: CpuParams = field(default_factory=CpuParams)
    n_ctx: int = 0
    n_parallel: int = 1
    port: int = 0
    n_batch: int = 2048
    n_ubatch: int = 512
    n_gpu_layers: int = -1
    api_keys: list[str] = field(default_factory=list)
    chat_template: str = ""


def note(**what: Any) -> None:
    with Path(os.environ["STAND_IN_LOG"]).open("a", encoding="utf-8") as file:
        file.write(json.dumps(what) + "\n")


class Server:
    def __init__(self, params: CommonParams) -> None:
        print("llama_model_loader: loaded meta data")  # the real one writes to both streams of the process
        text = Path(params.model.path).read_text(encoding="utf-8")
        if text.startswith("GGUF <slow>"):
            note(loading=os.getpid())
            time.sleep(600)
        if not text.startswith("GGUF"):
            raise RuntimeError("Failed to init server, please check the input params.")
        self._http = ThreadingHTTPServer(("127.0.0.1", params.port), Handler)
        self._http.params = params  # type: ignore[attr-defined]
        self._http.says = [line.replace("\\n", "\n") for line in text.split("\n")[1:] if line]  # type: ignore[attr-defined]
        self._http.read = []  # type: ignore[attr-defined]  # the prompt that is kept, in tokens
        threads = (params.cpuparams.n_threads, params.cpuparams_batch.n_threads)
        numbers = {name: value for name, value in vars(params).items() if isinstance(value, int)}
        note(loaded=params.model.path, pid=os.getpid(), threads=threads, template=params.chat_template, **numbers)
        threading.Thread(target=self._http.serve_forever, daemon=True).start()

    @property
    def listening_address(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Any

    def log_message(self, *_: Any) -> None:
        """See ``http.server``."""

    def do_GET(self) -> None:
        """Of the models, which llama.cpp lists without a key."""
        path = self.server.params.model.path
        meta = {"n_vocab": 32000, "n_ctx": self.window, "n_ctx_train": TRAINED}
        entry = {"id": path, "object": "model", "owned_by": "llamacpp", "meta": meta}
        self.answer({"object": "list", "data": [entry]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        keys = self.server.params.api_keys
        if keys and self.headers.get("Authorization", "").removeprefix("Bearer ") not in keys:
            return self.refuse(401, "Invalid API Key", "authentication_error")
        note(asked=body)
        prompt = " ".join(message["content"] for message in body["messages"]).split()
        if len(prompt) >= self.window:
            much = f"request ({len(prompt)} tokens) exceeds the available context size ({self.window} tokens)"
            return self.refuse(400, f"{much}, try increasing it", "exceed_context_size_error")
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        told = 0
        try:
            for event in self.events(body, prompt):
                line = event if isinstance(event, str) else json.dumps(event)
                self.wfile.write(b"data: " + line.encode() + b"\n\n")
                told += 1
        except OSError:
            note(left=told)
        return None

    @property
    def window(self) -> int:
        return min(self.server.params.n_ctx or TRAINED, TRAINED)

    def answer(self, said: Any, status: int = 200) -> None:
        data = json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def refuse(self, status: int, message: str, kind: str) -> None:
        self.answer({"error": {"code": status, "message": message, "type": kind}}, status)

    def events(self, body: dict[str, Any], prompt: list[str]) -> Iterator[Any]:
        most = min(body.get("max_tokens") or TRAINED, self.window - len(prompt))
        same = takewhile(lambda pair: pair[0] == pair[1], zip(prompt, self.server.read, strict=False))
        kept = min(len(list(same)), len(prompt) - 1)  # the last one is always read again
        self.server.read = prompt
        wrote, reason = 0, "length"

        def chunk(finish: str | None = None, **delta: Any) -> dict[str, Any]:
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            said = {"model": self.server.params.model.path, "object": "chat.completion.chunk", "choices": [choice]}
            timings = {"cache_n": kept, "prompt_n": len(prompt) - kept, "predicted_n": wrote}
            return said | ({"timings": timings} if finish or (wrote and body.get("timings_per_token")) else {})

        yield chunk(role="assistant", content=None)
        for token in self.server.says:
            if token == "<slow>":
                time.sleep(0.02)
            elif token == "<die>":
                self.wfile.flush()
                self.connection.shutdown(socket.SHUT_RDWR)  # a real process is gone only after its connections
                time.sleep(0.2)
                os._exit(139)
            elif token == "<fail>":
                yield {"error": {"code": 500, "message": "Compute error.", "type": "server_error"}}
                return
            elif token == "<end>" or wrote >= most:
                reason = "stop" if token == "<end>" else "length"
                break
            else:
                wrote += 1
                yield chunk(content=token)
        yield chunk(reason)
        if body.get("stream_options", {}).get("include_usage"):
            usage = {"prompt_tokens": len(prompt), "completion_tokens": wrote, "total_tokens": len(prompt) + wrote}
            yield chunk() | {"choices": [], "usage": usage}
        yield "[DONE]"
