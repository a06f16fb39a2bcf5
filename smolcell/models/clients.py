"""The HTTP clients that LiteLLM makes for a reply of ours: they follow no redirection and are closed with it.

LiteLLM keeps its clients in one table for the whole process and never closes them. ``Clients`` stands in its place: within
``ours()`` it keeps those of this reply apart; everybody else's go to LiteLLM's own table as before.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any

log = logging.getLogger("smolcell")
_ours: ContextVar[dict[str, Any] | None] = ContextVar("smolcell.clients", default=None)


@asynccontextmanager
async def ours() -> AsyncIterator[None]:
    """Clients made from here on belong to this block. Its event loop must be the reply's own: a context does not cross tasks."""
    made: dict[str, Any] = {}
    _ours.set(made)
    try:
        yield
    finally:
        for client in made.values():
            await _close(client)


class Clients:
    """LiteLLM's table of clients, with those of our replies kept apart.

    Args:
        own: the table that was there.
    """

    def __init__(self, own: Any) -> None:
        self._own = own

    def __getattr__(self, name: str) -> Any:
        return getattr(self._own, name)

    def get_cache(self, key: str, *args: Any, **kwargs: Any) -> Any:
        made = _ours.get()
        return self._own.get_cache(key, *args, **kwargs) if made is None else made.get(key)

    def set_cache(self, key: str, value: Any, *args: Any, **kwargs: Any) -> None:
        made = _ours.get()
        if made is None:
            self._own.set_cache(key, value, *args, **kwargs)
        else:
            _keep_to_its_address(value)
            made[key] = value


def _keep_to_its_address(client: Any) -> None:
    """A redirection would carry the provider's key, in a header that httpx does not know for one, to another host."""
    for part in (client, getattr(client, "_client", None), getattr(client, "client", None)):
        if part is not None and hasattr(part, "follow_redirects"):
            part.follow_redirects = False


async def _close(client: Any) -> None:
    for name in ("aclose", "close"):
        close = getattr(client, name, None)
        if close is not None:
            try:
                done = close()
                if hasattr(done, "__await__"):
                    await done
            except Exception:
                log.debug("a connection of LiteLLM's could not be closed", exc_info=True)
            return
