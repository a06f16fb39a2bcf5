"""A Jupyter server extension: tells the page about the active runs and the sandboxes in all kernels of this user.

Installing smolcell enables it, by ``etc/jupyter/jupyter_server_config.d/smolcell.json``. When it starts it only notes the sizes of the
journals; everything else waits for a request.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from jupyter_server.auth.decorator import authorized
from jupyter_server.base.handlers import APIHandler
from jupyter_server.utils import url_path_join
from tornado import web
from traitlets import Unicode
from traitlets.config import Configurable

from smolcell.core.text import clip, presentable
from smolcell.errors import JournalError, SmolcellError
from smolcell.events import Event
from smolcell.executors import inventory
from smolcell.executors.registry import Sandbox
from smolcell.journal import read_line
from smolcell.machine import environment
from smolcell.machine.environment import importing
from smolcell.machine.state import is_own_file, journals_folder, open_stored, private_folder
from smolcell.notebook import activity

__all__: list[str] = []


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


class Smolcell(Configurable):
    """Options for the administrator in ``jupyter_server_config.py``."""

    policy = Unicode(
        "",
        help="A policy for all kernels of this server, besides /etc/smolcell/policy.toml: the absolute path of a file that root "
        "alone can change.",
    ).tag(config=True)


def _load_jupyter_server_extension(server: Any) -> None:
    if named := Smolcell(parent=server).policy:
        os.environ["SMOLCELL_POLICY"] = str(Path(named).absolute())  # kernels inherit the server's variables
        environment.read()
    publish()
    server.web_app.add_handlers(".*$", routes(server.web_app.settings["base_url"]))


# --- The requests of the page.
#
# * Every request is authenticated and authorised like Jupyter's own; requests that change something are POST, which Jupyter protects
#   against other sites' pages.
# * They read, and end sandboxes of this user. They approve nothing and run nothing. ``ready`` opens the default sandbox and closes it.
# * Searching for sandboxes does not block the server: it runs on a thread, one search at a time.
#
# ::
#
#     GET  smolcell/api/runs           {"kernels": [{"id": …, "process": "pid:start", "runs": [{"run": …, "state": …}]}]}
#     GET  smolcell/api/sandboxes      {"sandboxes": [{"kind": …, "name": …, "state": …, "age": …, "memory": …, "kernel": "pid:start"}]}
#     GET  smolcell/api/jobs           {"jobs": [{"folder": …, "told": …, "running": …, "waiting": [{"text": …, "runs": 4}]}]}
#     GET  smolcell/api/health         {"status": "ok", "version": …}
#     GET  smolcell/api/ready          200 or 503: {"ready": …, "parts": {"model": {"state": …, "age": …, "reason": …}, …}}
#     POST smolcell/api/sandboxes/end  {"kind": …, "name": …} → 204, or 404 if this user has no sandbox of that name


TOLD = "kind name image age memory kernel gone walls state ends checkpoints".split()  # of a sandbox
_WAIT_SECONDS = 5.0  # seconds that a request waits for a search, or for a test of the sandbox
PROVIDER_SECONDS = 60.0  # seconds between requests to a provider: the panel asks every few seconds


class SandboxSearch:
    """Searches for sandboxes, one search at a time; providers are asked less often."""

    def __init__(self) -> None:
        self._search: asyncio.Task[None] | None = None
        self._found: list[Sandbox] = []
        self._far: list[Sandbox] = []
        self._due = 0.0

    async def mine(self) -> list[Sandbox]:
        """Return this user's sandboxes, as far as they are found in time: an engine or a provider may not answer."""
        if self._search is None or self._search.done():
            self._search = asyncio.create_task(self._find())
        search = self._search
        await asyncio.wait([search], timeout=_WAIT_SECONDS)
        if search.done():
            search.result()
        return self._found

    async def end(self, kind: str, name: str) -> bool:
        """End a sandbox. Returns whether it existed and has ended."""
        ended = await asyncio.to_thread(inventory.end, kind, name)
        self._due, self._search = 0.0, None
        return ended

    async def _find(self) -> None:
        near, _ = await asyncio.to_thread(inventory.find_near)
        await self._keep(near)
        if time.monotonic() >= self._due:
            self._far, _ = await asyncio.to_thread(inventory.find_far)
            self._due = time.monotonic() + PROVIDER_SECONDS
            await self._keep(near)

    async def _keep(self, near: list[Sandbox]) -> None:
        mine = [each for each in [*near, *self._far] if each.mine]
        self._found = await asyncio.to_thread(activity.with_states, mine)


sandbox_search = SandboxSearch()


class _Handler(APIHandler):
    auth_resource = "smolcell"


class TellHandler(_Handler):
    """Sends what ``tell`` returns."""

    def initialize(self, tell: Callable[[], Awaitable[dict[str, Any]]]) -> None:
        """Store the handler's option. Called by Tornado."""
        self._tell = tell

    @web.authenticated
    @authorized
    async def get(self) -> None:
        """Send it; with status 503 if it says that it is not ready."""
        told = await self._tell()
        self.set_status(200 if told.get("ready", True) else 503)
        await self.finish(told)


class EndHandler(_Handler):
    """Ends a sandbox."""

    @web.authenticated
    @authorized
    async def post(self) -> None:
        """End the sandbox that the request's body names."""
        body = self.get_json_body()
        kind, name = (body.get("kind"), body.get("name")) if isinstance(body, dict) else (None, None)
        if kind not in inventory.KINDS or not isinstance(name, str):
            raise web.HTTPError(400, f'name a sandbox as {{"kind": one of {", ".join(inventory.KINDS)}, "name": …}}')
        if not await sandbox_search.end(kind, name):
            raise web.HTTPError(404, f"there is no sandbox {name!r} of yours, or it could not be ended")
        self.set_status(204)
        await self.finish()


def routes(base_url: str) -> list[tuple[Any, ...]]:
    """Return the handlers below the server's ``base_url``."""
    at = url_path_join(base_url, "smolcell", "api")
    told = {
        "runs": tell_runs,
        "sandboxes": tell_sandboxes,
        "jobs": tell_jobs,
        "health": tell_health,
        "ready": tell_ready,
    }
    return [
        *((f"{at}/{name}", TellHandler, {"tell": tell}) for name, tell in told.items()),
        (f"{at}/sandboxes/end", EndHandler),
    ]


async def tell_runs() -> dict[str, Any]:
    """Return the kernels that have, or had, runs, with the active runs of each."""
    kernels = await asyncio.to_thread(activity.read_kernels)
    told = [{"id": each.id, "process": each.process, "runs": [asdict(run) for run in each.runs]} for each in kernels]
    return {"kernels": told}


async def tell_sandboxes() -> dict[str, Any]:
    """Return this user's current sandboxes."""
    mine = await sandbox_search.mine()
    return {"sandboxes": [{name: getattr(each, name) for name in TOLD} for each in mine]}


async def tell_jobs() -> dict[str, Any]:
    """Return this user's jobs that run or wait; none if they cannot be read."""
    from smolcell.scale.approvals import jobs

    try:
        return {"jobs": [asdict(job) for job in await asyncio.to_thread(jobs)]}
    except (OSError, SmolcellError):
        return {"jobs": []}


async def tell_health() -> dict[str, Any]:
    """Return the version: smolcell's server extension answers."""
    return {"status": "ok", "version": version("smolcell")}


async def tell_ready() -> dict[str, Any]:
    """Return whether a task could run now: each part with state, age and reason. Makes no paid request."""
    parts = await readiness.parts()
    return {"ready": all(part["state"] in (OK, NOT_TESTED) for part in parts.values()), "parts": parts}


# --- Readiness: the requirements of a task, checked without a paid request.


OK, FAILED, TESTING, NOT_TESTED = "ok", "failed", "testing", "not tested"
_FREE = ("local", "docker", "wasm")  # sandboxes that cost nothing to open
_FRESH_SECONDS, _RETRY_SECONDS = 300.0, 10.0  # seconds for which a test of the sandbox is valid, and a failed one
_MAX_REASON_CHARS = 500  # characters of a reason
Part = dict[str, Any]


class Readiness:
    """Checks the model and the journal at each request, and the default sandbox from time to time."""

    def __init__(self) -> None:
        self._test: asyncio.Task[tuple[str, str]] | None = None
        self._name, self._tested = "", 0.0

    async def parts(self) -> dict[str, Part]:
        """Return each part with its state, the age of the check in seconds, and a reason."""
        model, journal = await asyncio.to_thread(_checked, _model), await asyncio.to_thread(_checked, _journal)
        return {"model": _part(*model), "sandbox": await self._sandbox(), "journal": _part(*journal)}

    async def _sandbox(self) -> Part:
        state, name = await asyncio.to_thread(_checked, _sandbox_name)
        if state == FAILED:
            return _part(state, name)
        if name.partition(":")[0] not in _FREE:
            return _part(NOT_TESTED, f"opening {name} may cost money")
        test = self._test
        holds = _FRESH_SECONDS if test is None or not test.done() or test.result()[0] == OK else _RETRY_SECONDS
        if test is None or name != self._name or (test.done() and time.monotonic() - self._tested > holds):
            test = self._test = asyncio.create_task(asyncio.to_thread(_checked, lambda: _opened(name)))
            self._name, self._tested = name, time.monotonic()
        await asyncio.wait([test], timeout=_WAIT_SECONDS)
        state, reason = test.result() if test.done() else (TESTING, f"{name} is being opened")
        return _part(state, reason, time.monotonic() - self._tested)


readiness = Readiness()


def _part(state: str, reason: str, age: float = 0.0) -> Part:
    return {"state": state, "age": round(age, 1), "reason": clip(presentable(reason), _MAX_REASON_CHARS)}


def _checked(check: Callable[[], str]) -> tuple[str, str]:
    try:
        return OK, check()
    except (SmolcellError, OSError) as error:
        return FAILED, str(error)


def _model() -> str:
    from smolcell.models import chosen_model, create_model
    from smolcell.models.credentials import key_variables, lacks_key
    from smolcell.notebook.settings import resolve

    settings = resolve({})
    name = settings.model or chosen_model(api_base=settings.api_base)[0]
    several = name.split(",")
    if all(lacks_key(each.strip(), settings.api_base) for each in several):
        raise SmolcellError(f"{name} has no key: set {key_variables(several[0], settings.api_base)[0]}")
    create_model(name, api_base=settings.api_base)  # connects to nothing; raises for a name that does not exist
    return name


def _sandbox_name() -> str:
    from smolcell.notebook.settings import resolve

    return resolve({}).sandbox


def _opened(name: str) -> str:
    """Open a sandbox. Returns a text about its walls."""
    from smolcell.executors import create_executor

    executor: Any = create_executor(name)
    with closing(executor):
        asyncio.run(executor.open())
        walls = executor.boundary().walls
    missing = [wall.name for wall in walls if not wall.stands]
    return f"{name}: {'missing: ' + ', '.join(missing) if missing else 'all walls stand'}"


def _journal() -> str:
    folder = private_folder(journals_folder())
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(b"\n")
    return "the folder of journals is writable"


# --- Metrics of all kernels of this user, on the server's ``/metrics``: events appended to their journals since the server started.


_MAX_READ_BYTES = 8_000_000  # bytes of journals per scrape; the next one continues
_SCRAPE_SECONDS = 0.5  # seconds that a scrape waits for the journals


class Followed:
    """Reads events that are appended to journals from now on.

    Args:
        note: called with the journal's path, the event and its time.
    """

    def __init__(self, note: Callable[[str, Event, float], object]) -> None:
        self._note = note
        self._read = dict(_sizes())
        self._thread: threading.Thread | None = None

    def update(self) -> None:
        """Read new events, for a moment; the rest is read in the background."""
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._follow, name="smolcell-metrics", daemon=True)
            self._thread.start()
        self._thread.join(_SCRAPE_SECONDS)

    def _follow(self) -> None:
        left = _MAX_READ_BYTES
        for path, size in _sizes():
            if size > self._read.get(path, 0) and left > 0:
                left -= self._take(path, left)

    def _take(self, path: str, most: int) -> int:
        begin = self._read.get(path, 0)
        try:
            with open_stored(path, follow=False) as file:
                if not is_own_file(os.fstat(file.fileno())):
                    return 0
                file.seek(begin)
                block = file.read(most)
        except OSError:
            return 0
        whole = block.rfind(b"\n") + 1 or (len(block) if len(block) == most else 0)  # longer lines are skipped
        self._read[path] = begin + whole
        for line in block[:whole].split(b"\n"):
            record = read_line(line.decode("utf-8", "replace"))
            if record is not None and not record.copied:
                self._note(path, record.event, record.at)
        return len(block)


def _sizes() -> list[tuple[str, int]]:
    """Return the journals and their sizes."""
    try:
        return [(entry.path, entry.stat().st_size) for entry in os.scandir(journals_folder()) if _is_journal(entry)]
    except (OSError, JournalError):
        return []


def _is_journal(entry: os.DirEntry[str]) -> bool:
    return Path(entry.name).suffix == ".jsonl" and entry.is_file(follow_symlinks=False)


_published = False


def publish() -> None:
    """Add the metrics to the server's ``/metrics``, once per process."""
    global _published
    if _published:
        return
    with importing():
        import prometheus_client

    from smolcell.telemetry.measures import Collector

    collector = Collector(
        lambda: followed.update(), lambda: sum(len(each.sandboxes) for each in activity.read_kernels())
    )
    followed = Followed(collector.note)
    prometheus_client.REGISTRY.register(collector)
    _published = True
