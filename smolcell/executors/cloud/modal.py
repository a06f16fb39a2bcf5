"""The Modal sandbox: a worker in a container of Modal, through its unmodified SDK.

* The SDK is imported when the sandbox is opened; its errors are converted to smolcell's here.
* The token stays in this process: it is neither sent to the sandbox nor part of an error.
* Calls of the SDK have a time limit, and are made on threads without an event loop.

A lifetime of a sandbox of Modal cannot be extended. Instead its main program (``WATCH``) ends when it gets no input for as long as a
sandbox may outlive this process, and Modal ends a sandbox with its main program.

Written from the SDK's source (modal 1.6.4), and tested with a stand-in; never with the service itself.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from smolcell.core.text import shorten, tail, visible
from smolcell.errors import CapabilityError, SandboxError, SetupError
from smolcell.events import Boundary
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

KEY, SECRET, FILE = "MODAL_TOKEN_ID", "MODAL_TOKEN_SECRET", "MODAL_CONFIG_PATH"
HOW_TO_KEY = f"type: modal setup, or: export {KEY}=… {SECRET}=…"
APP = "smolcell"
HOME = "/tmp"  # noqa: S108 - in the sandbox, whose home folders are unknown
WATCH = 'while [ -n "$(timeout %d head -c 1)" ]; do :; done'
"""Main program of a sandbox: reads its input, and ends when none comes for some seconds."""
MAX_LIFETIME = 86_400  # Modal's maximum lifetime of a sandbox, in seconds
ASKING, CREATING = 20.0, 60.0  # timeouts of one request, in seconds
MAKING = 600.0  # seconds that creating one may take, including its image
ERRORS = 2000  # characters kept of the program's stderr
LAST_WORDS = 2.0  # seconds to wait for it after the program's end

T = TypeVar("T")


class Modal(Provider):
    """The service, as its SDK accesses it: by its token file, or variables that begin with ``MODAL_``."""

    name, title, environ = "modal", "Modal", ("MODAL_",)

    def has_key(self) -> bool:
        """Return whether there is a token; imports nothing."""
        if os.environ.get(KEY) and os.environ.get(SECRET):
            return True
        return Path(os.environ.get(FILE) or "~/.modal.toml").expanduser().exists()

    def create(self, order: SandboxSpec) -> Machine:
        """See ``Provider.create``."""
        sdk = _sdk(self)

        def make() -> Any:
            image = sdk.Image.from_registry(order.template) if order.template else sdk.Image.debian_slim()
            return sdk.Sandbox.create(
                *("sh", "-c", WATCH % order.lifetime),
                app=app,
                image=image,
                timeout=MAX_LIFETIME,
                memory=order.memory,
                block_network=not order.internet,
                gpu=order.gpu or None,
                tags=dict(order.labels),
                client=client,
            )

        with self.errors(order.template or "its default"):
            client, app = _within(ASKING, lambda: _app(sdk, create=True))
            return ModalMachine(self, _within(MAKING, make), order.internet)

    def listed(self, labels: Mapping[str, str]) -> list[ProviderSandbox]:
        """See ``Provider.listed``."""
        sdk = _sdk(self)

        def ask() -> list[ProviderSandbox]:
            return [_listed(each) for each in sdk.Sandbox.list(app_id=app.app_id, tags=dict(labels), client=client)]

        with self.errors():
            try:
                client, app = _within(ASKING, lambda: _app(sdk, create=False))
            except sdk.exception.NotFoundError:
                return []  # no sandbox was ever created
            return _within(CREATING, ask)

    def end(self, name: str) -> bool:
        """See ``Provider.end``."""
        sdk = _sdk(self)

        def end() -> bool:
            sandbox = sdk.Sandbox.from_id(name, client=_client(sdk))
            was_there: bool = sandbox.returncode is None
            sandbox.terminate()
            return was_there

        try:
            with self.errors():
                return _within(CREATING, end)
        except SandboxGone:
            return False

    def translate(self, error: Exception, message: str, image: str) -> Exception:
        """See ``Provider.translate``."""
        with importing():
            from modal import exception as kinds

        if isinstance(error, kinds.AuthError | kinds.PermissionDeniedError):
            return SetupError(f"Modal refuses the token ({message}); {HOW_TO_KEY}")
        if isinstance(error, kinds.ResourceExhaustedError):
            return self.limited(message, "modal.com")
        if image and isinstance(error, kinds.RemoteError | kinds.NotFoundError):
            return SetupError(
                f"Modal cannot make a sandbox of the image {image!r} ({message}); use its default: --sandbox modal"
            )
        ended = (kinds.NotFoundError, kinds.ConflictError, kinds.SandboxTerminatedError, kinds.SandboxTimeoutError)
        if not image and isinstance(error, (*ended, kinds.ClientClosed)):
            return SandboxGone(f"{GONE} ({message})")
        if isinstance(error, kinds.InvalidError | kinds.UnimplementedError | kinds.VersionError | TypeError):
            return SandboxError(
                f"Modal, or this version of its SDK, refuses: {message}; type: pip install --upgrade 'smolcell[modal]'"
            )
        return ProviderUnreachable(f"{type(error).__name__}: {message}")


class ModalMachine:
    """A sandbox of Modal.

    Args:
        service: the service it belongs to.
        sandbox: object of the SDK.
        internet: whether it was created with a network.
    """

    def __init__(self, service: Modal, sandbox: Any, internet: bool) -> None:
        self._service, self._sandbox, self._internet = service, sandbox, internet
        self._program: Any = None
        self._joined = False
        self._errors, self._heard = "", threading.Event()
        self._writing = threading.Lock()
        self._unsent = False
        self.name: str = sandbox.object_id

    def _ask(self, what: Callable[[], Any], seconds: float = ASKING) -> Any:
        with self._service.errors():
            return _within(seconds, what)

    def put(self, name: str, data: bytes) -> None:
        """See ``Machine.put``."""

        def put() -> int:
            program = self._sandbox.exec("sh", "-c", f"cat > {HOME}/{name}")
            program.stdin.write(data)
            program.stdin.write_eof()
            program.stdin.drain()
            return int(program.wait())

        status = self._ask(put, CREATING)
        if status:
            raise SandboxError(
                f"in its sandbox at Modal files cannot be written to {HOME} (exit code {status}); use its default image: --sandbox modal"
            )

    def start(self, command: str) -> None:
        """See ``Machine.start``."""
        line = f"export HOME={HOME}; {command}"
        self._program = self._ask(lambda: self._sandbox.exec("sh", "-c", line, text=False), CREATING)
        threading.Thread(target=self._hear_errors, name="smolcell-errors", daemon=True).start()

    def execute(self, command: str) -> str:
        """See ``Machine.execute``."""

        def execute() -> tuple[str, str, int]:
            program = self._sandbox.exec("sh", "-c", f"export HOME={HOME}; {command}")
            return str(program.stdout.read()), str(program.stderr.read()), int(program.wait())

        output, errors, status = self._ask(execute, CREATING)
        if status:
            raise SandboxError(f"a program in its sandbox at Modal failed: {tail(errors, 500) or status}")
        return str(output)

    def _hear_errors(self) -> None:
        """Keep the end of the program's stderr, until it ends."""
        try:
            for data in self._program.stderr:
                self._errors = (self._errors + data.decode("utf-8", "replace"))[-ERRORS:]
        except Exception as error:  # only stderr is lost; stdout reports the end of the sandbox
            self._errors += f" ({type(error).__name__})" if self._errors else ""
        self._heard.set()

    def output(self) -> Iterator[tuple[str, str]]:
        """Yield the program's output; the SDK resumes a broken stream. See ``Machine.output``."""
        if self._joined:
            self._look()
            yield "begun", ""
        self._joined = True
        with self._service.errors():
            for data in self._program.stdout:
                yield "out", data.decode("utf-8", "replace")
        status = self._ask(self._program.wait)
        self._heard.wait(LAST_WORDS)
        yield "err", self._errors
        yield "end", str(status)

    def _look(self) -> None:
        """Check whether the sandbox still exists."""
        if self._ask(self._sandbox.poll) is not None:
            raise SandboxGone(GONE)

    def send(self, data: bytes) -> None:
        """See ``Machine.send``."""
        with self._writing:
            self._ask(lambda: self._write(data))

    def _write(self, data: bytes) -> None:
        stdin = self._program.stdin
        if self._unsent:  # the SDK keeps data that it could not send, and sends it first
            stdin.drain()
        stdin.write(data)
        self._unsent = True
        stdin.drain()
        self._unsent = False

    def renew(self, seconds: int) -> None:
        """Write to the main program, which then runs for another lease."""

        def renew() -> None:
            self._sandbox.stdin.write(b"x")
            self._sandbox.stdin.drain()

        self._ask(renew)

    def pause(self) -> None:
        """See ``Machine.pause``."""
        raise CapabilityError("Modal cannot pause sandboxes; close it instead, which loses its variables")

    def resume(self, seconds: int) -> None:
        """Do nothing: it cannot be paused."""

    def network(self) -> str:
        """Return "" if it was created without a network; Modal reports no more. See ``Machine.network``."""
        return "this sandbox was made with a network" if self._internet else ""

    def kill(self, seconds: float) -> None:
        """See ``Machine.kill``."""

        def kill() -> None:
            self._sandbox.terminate()
            self._sandbox.detach()

        try:
            self._ask(kill, seconds)
        except SandboxGone:
            pass


class ModalExecutor(RemoteExecutor):
    """Runs code in a container of Modal.

    Args:
        template: image of a registry with Python and ``sh``; None for Modal's ``debian_slim``, which has no libraries.
        gpu: graphics card, as named by Modal: "T4", "A100:2". Never tested with a real card.

    Other options are those of ``RemoteExecutor``. The token is read from the file of ``modal setup``, or ``MODAL_TOKEN_ID`` and
    ``MODAL_TOKEN_SECRET``.
    """

    name, title, provider = Modal.name, Modal.title, Modal
    plural = f"sandboxes of {title}"

    def __init__(
        self,
        additional_authorized_imports: Sequence[str] = (),
        *,
        template: str | None = None,
        variant: str | None = None,
        lifetime: int = 120,
        interpreter: str = "python3",
        gpu: str | None = None,
        **options: Any,
    ) -> None:
        options |= {"template": template, "variant": variant, "lifetime": lifetime, "interpreter": interpreter}
        super().__init__(additional_authorized_imports, **options)
        if not isinstance(gpu or "", str):
            raise SetupError(f"gpu={gpu!r} is not a graphics card of Modal; write, for example: gpu='T4'")
        self.order = replace(self.order, gpu=gpu or "")

    def _options(self) -> dict[str, Any]:
        return {**super()._options(), "gpu": bool(self.order.gpu)}

    def boundary(self) -> Boundary:
        """See ``RemoteExecutor.boundary``."""
        boundary = super().boundary()
        card = {"graphics cards": self.order.gpu} if self.order.gpu else {}
        return replace(boundary, limits={**boundary.limits, "seconds it lives": MAX_LIFETIME, **card})


def _listed(each: Any) -> ProviderSandbox:
    labels = {str(name): str(value) for name, value in each.get_tags().items()}
    old = age(labels)
    left = None if old is None else max(0.0, MAX_LIFETIME - old)
    return ProviderSandbox(name=str(each.object_id), labels=labels, age=old, left=left, renewable=False)


def _within(seconds: float, what: Callable[[], T]) -> T:
    """Call the SDK on a thread and return or raise its result; raises ProviderUnreachable after ``seconds``."""
    found: list[T] = []
    failed: list[BaseException] = []

    def call() -> None:
        try:
            found.append(what())
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=call, name="smolcell-modal", daemon=True)
    thread.start()
    thread.join(seconds)
    if failed:
        raise failed[0]
    if not found:
        raise ProviderUnreachable(f"no answer in {seconds:g} s")
    return found[0]


_clients: dict[tuple[str, str, str], Any] = {}


def _client(sdk: Any) -> Any:
    """Return the SDK's connection for the current token; the SDK itself would keep one with a wrong token for the life of this process."""
    config = sdk.config.config
    key = (config.get("server_url"), config.get("token_id") or "", config.get("token_secret") or "")
    if not all(key):
        return sdk.Client.from_env()  # it supports other credentials
    client = _clients.get(key)
    if client is None or client.is_closed():  # no lock: without a network, this takes a minute
        client = _clients[key] = sdk.Client.from_credentials(*key[1:])
    return client


def _app(sdk: Any, create: bool) -> tuple[Any, Any]:
    """Return a connection, and Modal's app for smolcell's sandboxes."""
    client = _client(sdk)
    return client, sdk.App.lookup(APP, create_if_missing=create, client=client)


def _sdk(service: Modal) -> Any:
    if not service.has_key():
        raise SetupError(f"there is no token for Modal; {HOW_TO_KEY}")
    try:
        with optional("the sandbox 'modal'", "modal"):
            import modal
            import modal.config
    except SetupError:
        raise
    except Exception as error:  # the SDK cannot read its token file
        raise SetupError(f"Modal's SDK cannot start ({shorten(visible(str(error)), 500)}); {HOW_TO_KEY}") from None
    return modal


GONE = "its sandbox at Modal is gone: it was ended from outside, or its lease expired (did this machine sleep?); run the step again"
