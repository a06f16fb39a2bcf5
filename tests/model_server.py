"""A model's server on this machine: answers as OpenAI's protocol says, and keeps what it was asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from http_server import Handler, Server, served


class ModelServer(Server):
    """Gives these replies, one after the other.

    Attributes:
        asked: the key and the model of each request.
        prompts: the messages of each, as one text.
    """

    def __init__(self, *replies: str) -> None:
        super().__init__(_Handler)
        self.replies = replies
        self.asked: list[tuple[str, str]] = []
        self.prompts: list[str] = []

    @property
    def address(self) -> str:
        return f"{self.url}/v1"


class _Handler(Handler):
    server: ModelServer

    def do_POST(self) -> None:
        body = json.loads(self.body())
        self.server.asked.append((self.headers.get("Authorization", ""), body["model"]))
        self.server.prompts.append("\n".join(str(message["content"]) for message in body["messages"]))
        text = self.server.replies[len(self.server.asked) - 1]
        pieces: list[dict[str, Any]] = [
            {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": "stop"}]},
            {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}},
        ]
        lines = [f"data: {json.dumps(piece)}\n\n" for piece in pieces]
        self.answer("".join([*lines, "data: [DONE]\n\n"]), kind="text/event-stream")

    def do_GET(self) -> None:
        self.send_error(404)


@contextmanager
def server(*replies: str) -> Iterator[ModelServer]:
    """One that runs."""
    with served(ModelServer(*replies)) as found:
        yield found
