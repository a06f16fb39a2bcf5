"""The control API: ``/v2/sandboxes`` and ``/sandboxes``."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote

from e2b_service.cloud import ENVD, TEMPLATES, RefusedError, Sandbox

if TYPE_CHECKING:
    from e2b_service.answers import Handler

DATE = "%Y-%m-%dT%H:%M:%S.%fZ"
PAGE = 100


def answer(handler: Handler) -> None:
    """Answer a request, if its key is right."""
    server = handler.server
    server.asked.append({"method": handler.command, "path": handler.path, "body": handler.body.decode()})
    if handler.headers.get("X-API-KEY") != server.key:
        raise RefusedError(401, "Invalid API key, please visit https://e2b.dev/docs/quickstart/api-key")
    words = [word for word in handler.where.path.split("/") if word not in ("", "v2")]
    match handler.command, words[1:]:
        case "POST", []:
            handler.answer(201, lent(server.cloud.make(handler.json())))
        case "GET", []:
            listed(handler)
        case method, [name, *rest]:
            one(handler, server.cloud.find(name), method, rest)
        case _:
            raise RefusedError(405, "method not allowed")


def one(handler: Handler, sandbox: Sandbox, method: str, rest: list[str]) -> None:
    """A request about one sandbox."""
    match method, rest:
        case "GET", []:
            known = told(sandbox, handler.server.ahead)
            handler.answer(200, {**known, "allowInternetAccess": has_internet(sandbox), "domain": None})
        case "DELETE", []:
            handler.server.cloud.end(sandbox.name)
            handler.answer(204)
        case "GET", ["metrics"]:
            handler.answer(200, [])
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
            handler.answer(201 if was_paused else 200, lent(sandbox))
        case _:
            raise RefusedError(404, "no such thing")


def listed(handler: Handler) -> None:
    """A page of the list, by labels; the token of the next page is in a header."""
    query = handler.query()
    labels = {unquote(name): unquote(value) for name, value in parse_qsl(query.get("metadata", ""))}
    found = [told(each, handler.server.ahead) for each in handler.server.cloud.all(labels)]
    begin, size = int(query.get("nextToken") or 0), int(query.get("limit") or PAGE)
    page = found[begin : begin + size]
    if begin + size < len(found):
        handler.next_token = str(begin + size)
    handler.answer(200, page)


def lent(sandbox: Sandbox) -> dict[str, Any]:
    """What who makes or joins a sandbox is told."""
    return {
        "templateID": TEMPLATES.get(sandbox.template, sandbox.template),
        "sandboxID": sandbox.name,
        "clientID": "stand-in",
        "alias": sandbox.template,
        "envdVersion": ENVD,
        "envdAccessToken": sandbox.token,
        "domain": None,
    }


def has_internet(sandbox: Sandbox) -> bool | None:
    """Whether it was made with one; None if nothing was said of it."""
    said: bool | None = sandbox.asked.get("allow_internet_access", sandbox.asked.get("allowInternetAccess"))
    return said


def told(sandbox: Sandbox, ahead: float) -> dict[str, Any]:
    """What a list says of a sandbox, by a clock that is so many seconds ahead."""
    skew = datetime.timedelta(seconds=ahead)
    return {
        **{name: value for name, value in lent(sandbox).items() if name not in ("envdAccessToken", "domain")},
        "startedAt": (sandbox.started + skew).strftime(DATE),
        "endAt": (sandbox.ends_at + skew).strftime(DATE),
        "cpuCount": 2,
        "memoryMB": 512,
        "diskSizeMB": 1024,
        "state": "paused" if sandbox.paused else "running",
        "metadata": dict(sandbox.asked.get("metadata", {})),
    }
