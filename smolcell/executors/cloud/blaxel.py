"""The Blaxel sandbox: a worker in a virtual machine of Blaxel, through its SDK.

* The SDK is imported when the sandbox is opened; its errors are converted to smolcell's here.
* Listing and ending work without the SDK: importing it takes seconds, and the reaper has little time.
* The key stays in this process's environment: it is neither sent to the sandbox nor part of an error.

Blaxel ends a sandbox that has had no connection for a time (``ttl-idle``, at least a minute): the stream of the worker's output is
such a connection, so no lease is renewed, and clocks need not agree.

Written from the SDK's source (blaxel 0.4.24), and tested with a stand-in; never with the service itself.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from smolcell.core.text import tail
from smolcell.errors import CapabilityError, SandboxError, SetupError
from smolcell.executors.cloud import RemoteExecutor
from smolcell.executors.cloud.provider import (
    Machine,
    Provider,
    ProviderSandbox,
    ProviderUnreachable,
    SandboxGone,
    SandboxSpec,
    age,
)
from smolcell.machine.environment import importing, optional

KEY, WORKSPACE = "BL_API_KEY", "BL_WORKSPACE"
HOW_TO_KEY = f"get one at app.blaxel.ai and type: export {KEY}=… {WORKSPACE}=…"
IMAGE = "blaxel/py-app:latest"
REGION = "us-pdx-1"
HOME = "/tmp"  # noqa: S108 - in the sandbox, whose home folders are unknown
PROGRAM = "smolcell"
ASKING, CREATING = 20.0, 60.0  # timeouts of one request
MAKING = 50  # seconds the service may take to create one; its maximum
IDLE = 60  # Blaxel's minimum idle time in seconds
PAGES = 50  # maximum pages of a list
VERSION = "2026-09-22"  # of the control API, as used by the SDK
OUT, ERR = "stdout:", "stderr:"
RUNNING = "running"
QUOTA = "USAGE_LIMIT_EXCEEDED"


class Blaxel(Provider):
    """The service, as its SDK accesses it: by ``BL_API_KEY``, ``BL_WORKSPACE`` and other variables that begin with ``BL_``."""

    name, title, environ = "blaxel", "Blaxel", ("BL_", "DO_NOT_TRACK")

    def has_key(self) -> bool:
        """Return whether there is a key; imports nothing."""
        return bool(os.environ.get(KEY) and os.environ.get(WORKSPACE))

    def create(self, order: SandboxSpec) -> Machine:
        """See ``Provider.create``."""
        sdk = _sdk()
        idle = {"type": "ttl-idle", "value": f"{max(IDLE, order.lifetime)}s", "action": "delete"}
        with self.errors(order.template):
            sandbox = sdk.SyncSandboxInstance.create(
                {
                    "name": f"smolcell-{secrets.token_hex(8)}",
                    "image": order.template or IMAGE,
                    "memory": max(2048, order.memory),
                    "region": os.environ.get("BL_REGION") or REGION,
                    "labels": dict(order.labels),
                    "lifecycle": {"expiration_policies": [idle]},
                },
                timeout=MAKING,
            )
        return BlaxelMachine(self, sandbox)

    def listed(self, labels: Mapping[str, str]) -> list[ProviderSandbox]:
        """See ``Provider.listed``."""
        _key()
        sandboxes: list[ProviderSandbox] = []
        wanted: dict[str, str | int] = {"limit": 200}
        with self.errors():
            for _ in range(PAGES):
                page = _request("GET", "/sandboxes", wanted)
                sandboxes += [_listed(each) for each in page["data"] if each.get("status") != "TERMINATED"]
                if not page["meta"].get("hasMore"):
                    break
                wanted["cursor"] = str(page["meta"]["nextCursor"])
        return [each for each in sandboxes if labels.items() <= each.labels.items()]

    def end(self, name: str) -> bool:
        """See ``Provider.end``."""
        _key()
        try:
            with self.errors():
                _request("DELETE", f"/sandboxes/{quote(name, safe='')}")
        except SandboxGone:
            return False
        return True

    def translate(self, error: Exception, message: str, template: str) -> Exception:
        """See ``Provider.translate``."""
        status = _status(error)
        if type(error).__name__ in ("CredentialsError", "MissingCredentials") or status in (401, 403):
            return SetupError(
                f"Blaxel refuses the key in {KEY} or the workspace in {WORKSPACE} ({message}); {HOW_TO_KEY}"
            )
        if status == 429 or QUOTA in message:
            return self.limited(message, "app.blaxel.ai")
        if template and status in (400, 404):
            return SetupError(
                f"Blaxel has no image {template!r} for this workspace ({message}); use its default: --sandbox blaxel"
            )
        if status in (404, 409, 410) or (status is None and re.search(r"\b404\b", message[:60])):
            return SandboxGone(f"{GONE} ({message})")
        if status is None or status >= 500:
            return ProviderUnreachable(f"{type(error).__name__}: {message}")
        return SandboxError(f"Blaxel refuses: {message}; see what is running: smolcell sandboxes")


class BlaxelMachine:
    """A sandbox of Blaxel.

    Args:
        service: the service it belongs to.
        sandbox: object of the SDK.
    """

    def __init__(self, service: Blaxel, sandbox: Any) -> None:
        self._service, self._sandbox = service, sandbox
        self._joined = False
        self._writing: Any = None  # connection for stdin; the SDK would open a new one each time
        self.name: str = sandbox.metadata.name

    def put(self, name: str, data: bytes) -> None:
        """See ``Machine.put``."""
        with self._service.errors():
            self._sandbox.fs.write_binary(f"{HOME}/{name}", data)

    def start(self, command: str) -> None:
        """See ``Machine.start``."""
        program = {"name": PROGRAM, "command": command, "env": {"HOME": HOME}, "stdin": True, "timeout": 0}
        with self._service.errors():
            self._sandbox.process.exec(program)

    def execute(self, command: str) -> str:
        """See ``Machine.execute``."""
        program = {"command": command, "env": {"HOME": HOME}, "wait_for_completion": True, "timeout": int(CREATING)}
        with self._service.errors():
            done = self._sandbox.process.exec(program)
        if done.exit_code:
            reason = tail(str(done.stderr), 500) or done.exit_code
            raise SandboxError(f"a program in its sandbox at Blaxel failed: {reason}")
        return str(done.stdout)

    def output(self) -> Iterator[tuple[str, str]]:
        """Yield the program's output, which the service repeats from the beginning: the reader skips pieces. See ``Machine.output``."""
        with self._service.errors(), self._sandbox.process.get_client() as client:
            client.timeout = _timeout(None)
            with client.stream("GET", f"/process/{PROGRAM}/logs/stream") as answer:
                if answer.status_code >= 400:
                    answer.read()
                self._sandbox.process.handle_response_error(answer)
                if self._joined:
                    yield "begun", ""
                self._joined = True
                yield from _said(answer.iter_text())
        yield from self._ended()

    def _ended(self) -> Iterator[tuple[str, str]]:
        """Yield how the program ended, after the end of its stream; a broken stream raises ProviderUnreachable."""
        with self._service.errors():
            program = self._sandbox.process.get(PROGRAM, timeout=ASKING)
        if program.status == RUNNING:
            raise ProviderUnreachable("the stream of the program's output ended")
        yield "end", str(program.exit_code)

    def send(self, data: bytes) -> None:
        """See ``Machine.send``."""
        headers = {"Content-Type": "application/octet-stream"}  # like ``write_stdin``, which leaves its connection open
        with self._service.errors():
            try:
                if self._writing is None:
                    self._writing = self._sandbox.process.get_client()
                    self._writing.timeout = _timeout(ASKING)
                answer = self._writing.post(f"/process/{PROGRAM}/stdin", content=data, headers=headers)
            except Exception:
                self._hang_up()
                raise
            self._sandbox.process.handle_response_error(answer)

    def _hang_up(self) -> None:
        writing, self._writing = self._writing, None
        if writing is not None:
            writing.close()

    def renew(self, seconds: int) -> None:
        """Detect whether the sandbox is gone; there is no lease to renew."""
        with self._service.errors():
            self._sandbox.process.get(PROGRAM, retry=False, timeout=ASKING)

    def pause(self) -> None:
        """See ``Machine.pause``."""
        raise CapabilityError(
            "Blaxel freezes a sandbox by itself when no client is connected; there is nothing to call"
        )

    def resume(self, seconds: int) -> None:
        """Do nothing: it resumes with the next request."""

    def network(self) -> str:
        """See ``Machine.network``."""
        return "Blaxel gives its sandboxes a network"

    def kill(self, seconds: float) -> None:
        """See ``Machine.kill``."""
        self._hang_up()
        try:
            with self._service.errors():
                self._sandbox.delete()
        except SandboxGone:
            pass


class BlaxelExecutor(RemoteExecutor):
    """Runs code in a virtual machine of Blaxel.

    Args:
        template: an image of Blaxel or of your workspace; None for ``blaxel/py-app:latest``.

    Other options are those of ``RemoteExecutor``. The key is read from ``BL_API_KEY``, the workspace from ``BL_WORKSPACE``.
    """

    name, title, provider = Blaxel.name, Blaxel.title, Blaxel
    plural = f"sandboxes of {title}"
    shortest = IDLE


def _said(pieces: Iterator[str]) -> Iterator[tuple[str, str]]:
    """Yield complete lines of the log's stream, with the stream of the program that each belongs to."""
    rest = ""
    for piece in pieces:
        *lines, rest = (rest + piece).split("\n")
        for line in lines:
            if line.startswith(OUT):
                yield "out", line[len(OUT) :] + "\n"
            elif line.startswith(ERR):
                yield "err", line[len(ERR) :] + "\n"


def _listed(each: Mapping[str, Any]) -> ProviderSandbox:
    metadata, status = each["metadata"], str(each.get("status", "unknown"))
    labels = {str(name): str(value) for name, value in (metadata.get("labels") or {}).items()}
    runtime = each.get("spec", {}).get("runtime") or {}
    return ProviderSandbox(
        name=str(metadata["name"]),
        labels=labels,
        template=str(runtime.get("image") or ""),
        age=age(labels),
        state="running" if status == "DEPLOYED" else status.lower(),
    )


def address() -> str:
    """Return the address of the control API, as the SDK computes it."""
    return f"https://api.blaxel.{'ai' if os.environ.get('BL_ENV', 'prod') == 'prod' else 'dev'}/v0"


class _ApiError(Exception):
    """An error of the control API; ``response`` is the answer."""

    def __init__(self, response: Any) -> None:
        super().__init__(f"{response.status_code}: {response.text}")
        self.response = response


def _request(method: str, path: str, words: Mapping[str, str | int] | None = None) -> Any:
    """Send a request as the SDK does; returns the control API's answer."""
    with importing():
        import httpx

    headers = {
        "X-Blaxel-Authorization": f"Bearer {os.environ[KEY]}",
        "X-Blaxel-Workspace": os.environ[WORKSPACE],
        "Blaxel-Version": os.environ.get("BL_API_VERSION", VERSION),
    }
    answer = httpx.request(method, address() + path, params=words, headers=headers, timeout=ASKING)
    if answer.status_code >= 400:
        raise _ApiError(answer)
    return answer.json()


def _timeout(seconds: float | None) -> Any:
    with importing():
        import httpx

    return httpx.Timeout(CREATING, read=seconds)


def _key() -> None:
    for name in (KEY, WORKSPACE):
        if not os.environ.get(name):
            raise SetupError(f"there is no {name} for Blaxel; {HOW_TO_KEY}")


def _sdk() -> Any:
    _key()
    with optional("the sandbox 'blaxel'", "blaxel"):
        import blaxel.core
        from blaxel.core.common.env import env
    env.secret_env.clear()  # from .env in the current folder, which may set the address of a sandbox
    env.config_env.clear()  # from blaxel.toml there
    return blaxel.core


def _status(error: Exception) -> int | None:
    """Return the HTTP status of an error; the SDK stores it in one of three places, or has an error code instead."""
    places = (error, getattr(error, "response", None))
    statuses = [getattr(place, name, None) for place in places for name in ("status_code", "status")]
    numbers = [each for each in statuses if type(each) is int]
    if not numbers and any(str(each).endswith("NOT_FOUND") for each in statuses):
        return 404
    return numbers[0] if numbers else None


GONE = "its sandbox at Blaxel is gone: it was ended from outside, or was idle too long (did this machine sleep?); run the step again"
