"""What the page may ask of the server.

The rules this file exists to keep:

* Every request is authenticated and authorised as Jupyter's own are; what changes something is a POST, which Jupyter guards against
  other sites' pages.
* It reads, and ends sandboxes of this user. It approves nothing, starts nothing and runs nothing.
* No look at the machine holds up the server: it is made on a thread, and one at a time.

::

    GET  smolcell/api/runs           {"kernels": [{"id": …, "process": "pid:start", "runs": [{"run": …, "state": …}]}]}
    GET  smolcell/api/sandboxes      {"sandboxes": [{"kind": …, "name": …, "state": …, "age": …, "memory": …, "kernel": "pid:start"}]}
    POST smolcell/api/sandboxes/end  {"kind": …, "name": …} → 204, or 404 where this user has none of that name
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import asdict
from typing import Any

from jupyter_server.auth.decorator import authorized
from jupyter_server.base.handlers import APIHandler
from jupyter_server.utils import url_path_join
from tornado import web

from smolcell import doing, roster
from smolcell.executors import sandboxes
from smolcell.executors.sandbox import Sandbox

TOLD = ("kind", "name", "image", "age", "memory", "kernel", "gone", "walls", "state", "ends")  # of a sandbox

FAR = 60.0  # seconds in which a provider is not asked again: the panel asks every few seconds


class Looks:
    """Looks for sandboxes, one look at a time; providers are asked seldom."""

    def __init__(self) -> None:
        self._one = asyncio.Lock()
        self._far: list[Sandbox] = []
        self._due = 0.0

    async def mine(self) -> list[Sandbox]:
        """This user's sandboxes."""
        async with self._one:
            near, _ = await asyncio.to_thread(sandboxes.find_near)
            if time.monotonic() >= self._due:
                self._far, _ = await asyncio.to_thread(sandboxes.find_far)
                self._due = time.monotonic() + FAR
            return await asyncio.to_thread(doing.stated, [each for each in [*near, *self._far] if each.mine])

    async def end(self, kind: str, name: str) -> bool:
        """End one; says whether it was there and is gone."""
        async with self._one:
            self._due = 0.0
            return await asyncio.to_thread(sandboxes.end, kind, name)


looks = Looks()


class _Handler(APIHandler):
    auth_resource = "smolcell"


class RunsHandler(_Handler):
    """What is under way in which kernel."""

    @web.authenticated
    @authorized
    async def get(self) -> None:
        """The kernels that have, or had, runs."""
        found = await asyncio.to_thread(roster.kernels)
        await self.finish({"kernels": [_kernel(kernel) for kernel in found]})


class SandboxesHandler(_Handler):
    """This user's sandboxes."""

    @web.authenticated
    @authorized
    async def get(self) -> None:
        """Those that are there now."""
        await self.finish({"sandboxes": [_sandbox(each) for each in await looks.mine()]})


class EndHandler(_Handler):
    """Ends a sandbox."""

    @web.authenticated
    @authorized
    async def post(self) -> None:
        """End the one that the body names."""
        said = self.get_json_body()
        kind, name = (said.get("kind"), said.get("name")) if isinstance(said, dict) else (None, None)
        if kind not in sandboxes.KINDS or not isinstance(name, str):
            raise web.HTTPError(400, f'name a sandbox as {{"kind": one of {", ".join(sandboxes.KINDS)}, "name": …}}')
        if not await looks.end(kind, name):
            raise web.HTTPError(404, f"there is no sandbox {name!r} of yours, or it could not be ended")
        self.set_status(204)
        await self.finish()


def routes(base_url: str) -> list[tuple[str, type[APIHandler]]]:
    """What is served below the server's ``base_url``."""
    at = url_path_join(base_url, "smolcell", "api")
    return [
        (f"{at}/runs", RunsHandler),
        (f"{at}/sandboxes", SandboxesHandler),
        (f"{at}/sandboxes/end", EndHandler),
    ]


def _kernel(kernel: roster.Kernel) -> dict[str, Any]:
    return {
        "id": kernel.id,
        "process": kernel.process,
        "runs": [asdict(run) for run in kernel.runs],
    }


def _sandbox(each: Sandbox) -> dict[str, Any]:
    return {name: getattr(each, name) for name in TOLD}
