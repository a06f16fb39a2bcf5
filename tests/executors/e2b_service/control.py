"""The control API: ``/v2/sandboxes`` and ``/sandboxes``."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote

from stand_in import RefusedError

from e2b_service.cloud import Sandbox

if TYPE_CHECKING:
    from e2b_service.answers import Handler

PAGE = 2  # sandboxes: what needs more pages is tested with a few


def answer(handler: Handler) -> None:
    """Answer a request, if its key is right."""
    server, key = handler.server, handler.headers.get("X-API-KEY")
    server.asked.append({"method": handler.command, "path": handler.path, "body": handler.body.decode()})
    if key != server.key:
        raise RefusedError(401, f"Invalid API key {key}, please visit https://e2b.dev/docs/quickstart/api-key")
    words = [word for word in handler.where.path.split("/") if word not in ("", "v2")]
    match handler.command, words[1:]:
        case "POST", []:
            handler.answer(201, server.add(Sandbox(handler.json())).lent())
        case "GET", []:
            listed(handler)
        case method, [name, *rest]:
            one(handler, server.find(name), method, rest)
        case _:
            raise RefusedError(405, "method not allowed")


def one(handler: Handler, sandbox: Sandbox, method: str, rest: list[str]) -> None:
    """A request about one sandbox."""
    match method, rest:
        case "GET", []:
            known = sandbox.told(handler.server.ahead)
            handler.answer(200, {**known, "allowInternetAccess": known["internet"], "domain": None})
        case "DELETE", []:
            handler.server.end(sandbox.name)
            handler.answer(204)
        case "POST", ["timeout"]:
            sandbox.live(int(handler.json()["timeout"]))
            handler.answer(204)
        case "POST", ["pause"]:
            if sandbox.paused:
                raise RefusedError(409, f"sandbox '{sandbox.name}' is already paused")
            sandbox.pause()
            handler.answer(204)
        case "POST", ["connect"]:
            was_paused = sandbox.paused
            sandbox.live(int(handler.json().get("timeout", 15)))
            if was_paused:
                sandbox.resume()
            handler.answer(201 if was_paused else 200, sandbox.lent())
        case _:
            raise RefusedError(404, "no such thing")


def listed(handler: Handler) -> None:
    """A page of the list, by labels, newest first; the token of the next page is in a header."""
    query = handler.query()
    labels = {unquote(name): unquote(value) for name, value in parse_qsl(query.get("metadata", ""))}
    every = [each.told(handler.server.ahead) for each in reversed(list(handler.server.sandboxes.values()))]
    found = [each for each in every if labels.items() <= each["metadata"].items()]
    begin, size = int(query.get("nextToken") or 0), min(PAGE, int(query.get("limit") or PAGE))
    if begin + size < len(found):
        handler.next_token = str(begin + size)
    handler.answer(200, found[begin : begin + size])
