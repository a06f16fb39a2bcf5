"""Real kernels for tests: every ipykernel that is promised to work, and a client that sees all they say.

`kernel_env("7.4")` gives the Python of a virtual environment with that ipykernel, and makes it on first use, in
``$SMOLCELL_KERNEL_ENVS`` (default ``~/.cache/smolcell-tests/kernels``). `KernelClient` starts a kernel of it and speaks
the protocol as a page does. smolcell itself comes from this checkout, by PYTHONPATH. Quick tests use the ipykernel that
is installed here, so they download nothing.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Generic, TypeVar

import kernel_ports  # noqa: F401
import pytest
import zmq
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager
from processes import PATIENCE

ROOT = Path(__file__).resolve().parent.parent

VERSIONS = ("6.29", "6.31", "7.0", "7.3", "7.4")
SUBSHELL_VERSIONS = tuple(version for version in VERSIONS if version.startswith("7."))


INSTALLED = "installed"
"""In place of a version: the ipykernel of this environment."""
INSTALLED_VERSION = metadata.version("ipykernel")
OTHERS = tuple(version for version in VERSIONS if not INSTALLED_VERSION.startswith(f"{version}."))


def parameters(versions: Sequence[str] = VERSIONS) -> list[Any]:
    """For `pytest.mark.parametrize`: the installed ipykernel, and as slow tests these versions."""
    fits = int(INSTALLED_VERSION.split(".")[0]) >= int(versions[0].split(".")[0])
    return [INSTALLED] * fits + [pytest.param(each, marks=pytest.mark.slow) for each in versions if each in OTHERS]


# Read at import: conftest hides this person's SMOLCELL_* settings from the tests.
ENVS = Path(os.environ.get("SMOLCELL_KERNEL_ENVS") or Path.home() / ".cache" / "smolcell-tests" / "kernels")
IN_CI = os.environ.get("SMOLCELL_CI") == "1"


# --- environments -----------------------------------------------------------------------------------------------------


def kernel_env(version: str) -> str:
    """The Python of an environment with ipykernel `version` (such as "7.4", or `INSTALLED`).

    If it cannot be made the test is skipped; in CI it fails.
    """
    if version == INSTALLED:
        return sys.executable
    packages = [f"ipykernel=={version}.*", "ipywidgets>=8.1.2", "anywidget>=0.9.13", "nh3>=0.2.15", "markdown-it-py>=3"]
    recipe = "\n".join(packages)
    # checkouts that want other packages share the folder above
    digest = hashlib.sha256(recipe.encode()).hexdigest()[:8]
    folder = ENVS / f"{version}-py{sys.version_info.major}.{sys.version_info.minor}-{digest}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    ready = folder / "smolcell-test-packages.txt"
    with _locked(folder):
        if not (ready.exists() and ready.read_text() == recipe):
            try:
                _make_env(folder, python, packages)
            except subprocess.CalledProcessError as error:
                reason = f"ipykernel {version} cannot be installed: {(error.stdout or '').strip()[-400:]}"
                pytest.fail(reason) if IN_CI else pytest.skip(reason)
            ready.write_text(recipe)
    return str(python)


def _make_env(folder: Path, python: Path, packages: list[str]) -> None:
    if importlib.util.find_spec("uv"):
        make = [[sys.executable, "-m", "uv", "venv", "-q", "--clear", "-p", sys.executable, str(folder)]]
        make += [[sys.executable, "-m", "uv", "pip", "install", "-q", "-p", str(python), *packages]]
    else:
        make = [[sys.executable, "-m", "venv", "--clear", str(folder)]]
        make += [[str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages]]
    for command in make:
        subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """One process makes an environment, the others wait. The operating system lets go when a process dies."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(folder.name + ".lock").open("w") as lock:
        if os.name != "nt":
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


# --- a client ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Message:
    """One message from the kernel."""

    channel: str
    """``iopub``, ``shell`` or ``control``."""
    type: str
    content: dict[str, Any]
    parent: str
    """The id of the request it belongs to; empty for none."""
    at: float
    """When it was read here, in seconds of `time.monotonic`."""


class KernelClient:
    """A kernel and a client for it, in one context manager.

    Single-threaded: messages are read by `until` and what is built on it, and kept in `seen`, in order.

    Args:
        python: The Python that runs the kernel.
        folder: Where the connection file and the kernel's own output (``kernel.log``) go.
    """

    def __init__(self, python: str, folder: Path) -> None:
        self.seen: list[Message] = []
        self.metadata: dict[str, str] | None = None  # JupyterLab sends the cell's id; other front ends send none: {}
        self.folder = folder
        # A request that comes just as a reply is sent can stop these for good, without smolcell too: one in some hundred
        # on a busy machine. ``SubshellManager._send_on_shell_channel`` of 7.4 says why.
        self._may_wedge = any(f"{os.sep}{version}-py" in python for version in ("7.0", "7.3"))
        spec = folder / "kernels" / "tested"
        spec.mkdir(parents=True, exist_ok=True)
        argv = [python, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        (spec / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": "tested", "language": "python"}))
        specs = KernelSpecManager(kernel_dirs=[str(folder / "kernels")], ensure_native_kernel=False)
        name = str(folder / f"connection-{uuid.uuid4().hex[:8]}.json")
        self.manager = KernelManager(kernel_name="tested", kernel_spec_manager=specs, connection_file=name)

    def __enter__(self) -> KernelClient:
        self._log = (self.folder / "kernel.log").open("ab")
        env = {**os.environ, "PYTHONPATH": str(ROOT), "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
        self.manager.start_kernel(env=env, stdout=self._log, stderr=self._log)
        self.client = self.manager.blocking_client()
        self.client.start_channels(stdin=False, hb=False)
        self.client.wait_for_ready(timeout=60)
        self._poller = zmq.Poller()
        for name in ("iopub", "shell", "control"):
            self._poller.register(self._socket(name), zmq.POLLIN)
        return self

    def __exit__(self, *_: object) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)
        self.client.context.destroy(linger=0)
        self.manager.cleanup_resources()
        self._log.close()

    def _socket(self, name: str) -> Any:
        return getattr(self.client, f"{name}_channel").socket

    # --- sending

    def request(
        self,
        msg_type: str,
        content: dict[str, Any] | None = None,
        *,
        channel: str = "shell",
        subshell: str | None = None,
    ) -> str:
        """Send any request; returns its message id."""
        metadata = {"cellId": uuid.uuid4().hex} if self.metadata is None else self.metadata
        message = self.client.session.msg(msg_type, content or {}, metadata=metadata)
        if subshell is not None:
            message["header"]["subshell_id"] = subshell
        getattr(self.client, f"{channel}_channel").send(message)
        return str(message["header"]["msg_id"])

    def execute(
        self, code: str, *, silent: bool = False, allow_stdin: bool = False, subshell: str | None = None
    ) -> str:
        """Send a cell, as a page does; returns its message id and does not wait."""
        content = {
            "code": code,
            "silent": silent,
            "store_history": not silent,
            "user_expressions": {},
            "allow_stdin": allow_stdin,
            "stop_on_error": True,
        }
        return self.request("execute_request", content, subshell=subshell)

    def send_comm(self, comm_id: str, data: Any, *, subshell: str | None = None) -> str:
        """Send a comm message; returns its message id."""
        return self.request("comm_msg", {"comm_id": comm_id, "data": data}, subshell=subshell)

    def create_subshell(self) -> str:
        """A new subshell of the kernel (ipykernel 7); returns its id."""
        request = self.request("create_subshell_request", channel="control")
        return str(self.reply(request).content["subshell_id"])

    def interrupt(self) -> None:
        """What the stop button does."""
        self.manager.interrupt_kernel()

    # --- receiving

    def until(self, what: Callable[[Message], bool], timeout: float = PATIENCE, *, since: int = 0) -> Message:
        """The first message in `seen[since:]` for which `what` is true; reads on, `timeout` seconds at most."""
        end = time.monotonic() + timeout
        while True:
            for message in self.seen[since:]:
                if what(message):
                    return message
            since = len(self.seen)
            left = end - time.monotonic()
            if left <= 0 or not self._read(left):
                if self._may_wedge and not self._answers():
                    pytest.xfail("ipykernel 7.0 to 7.3 reads no more requests: its own bug, mended in 7.4")
                tail = "\n".join(map(str, self.seen[-12:]))
                raise AssertionError(f"not heard within {timeout} s; the last messages were:\n{tail}\n{self.log()}")

    def _answers(self) -> bool:
        """Whether the kernel hears requests at all."""
        asked, end = self.client.kernel_info(), time.monotonic() + PATIENCE
        while time.monotonic() < end and not any(m.parent == asked for m in self.seen):
            self._read(0.1)
        return any(m.parent == asked for m in self.seen)

    def settle(self, seconds: float) -> None:
        """Read what comes within `seconds`."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._read(left)

    def _read(self, seconds: float) -> bool:
        """Read what is there, waiting at most `seconds` for something to come."""
        ready = dict(self._poller.poll(int(seconds * 1000) + 1))
        now = time.monotonic()
        for name in ("iopub", "shell", "control"):
            socket = self._socket(name)
            while socket in ready and socket.poll(0):
                _, raw = self.client.session.recv(socket, mode=zmq.NOBLOCK)
                parent = raw["parent_header"].get("msg_id", "")
                self.seen.append(Message(name, raw["header"]["msg_type"], raw["content"], parent, now))
        return bool(ready)

    def reply(self, request: str, timeout: float = PATIENCE) -> Message:
        """The reply to a request."""
        return self.until(lambda m: m.channel != "iopub" and m.parent == request, timeout)

    def idle(self, request: str, timeout: float = PATIENCE) -> Message:
        """The status with which the kernel ends a request: all its output is seen by then."""
        return self.until(
            lambda m: m.type == "status" and m.parent == request and m.content["execution_state"] == "idle", timeout
        )

    def run(self, code: str, timeout: float = PATIENCE) -> str:
        """Run a cell to its end; returns what it printed. Fails where the cell does.

        A kernel drops what reaches it right after a cell's error: such a cell did not run, and is sent again.
        """
        for _ in range(20):
            cell = self.execute(code)
            reply = self.reply(cell, timeout)
            self.idle(cell, timeout)
            if reply.content["status"] != "aborted":
                break
        assert reply.content["status"] == "ok", "\n".join(reply.content.get("traceback", [str(reply.content)]))
        return self.printed(cell)

    def of(self, request: str, msg_type: str | None = None) -> list[Message]:
        """What has been seen on iopub for a request."""
        return [m for m in self.seen if m.channel == "iopub" and m.parent == request and msg_type in (None, m.type)]

    def printed(self, request: str) -> str:
        """What has been seen of a cell's streams."""
        return "".join(m.content["text"] for m in self.of(request, "stream"))

    def state(self) -> str:
        """What the status bar shows: the last status that was published, whatever it belonged to."""
        return next(str(m.content["execution_state"]) for m in reversed(self.seen) if m.type == "status")

    def log(self) -> str:
        """What the kernel process wrote past its notebook."""
        return (self.folder / "kernel.log").read_text(errors="replace")[-2000:]


Client = TypeVar("Client", bound=KernelClient)


class SharedKernel(Generic[Client]):
    """One kernel that the tests of a module share; a test after which it does not answer has the next one start another.

    Args:
        kind: The client.
        version: Of ipykernel, as for `kernel_env`.
        folder: For the kernel's own files.
    """

    def __init__(self, kind: type[Client], version: str, folder: Path) -> None:
        self.version = version
        self._kind, self.folder = kind, folder
        self._kernel: Client | None = None

    @contextmanager
    def lend(self) -> Iterator[Client]:
        """The kernel, for one test."""
        if self._kernel is None:
            self._kernel = self._kind(kernel_env(self.version), self.folder).__enter__()
        self._kernel.seen.clear()
        yield self._kernel
        try:
            self._kernel.run("'still there'")
        except (AssertionError, pytest.xfail.Exception):  # a test that failed must not take the others with it
            self.close()

    def close(self) -> None:
        """End the kernel, if there is one."""
        kernel, self._kernel = self._kernel, None
        if kernel is not None:
            kernel.__exit__()
