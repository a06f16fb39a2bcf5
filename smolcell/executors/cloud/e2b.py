"""The E2B sandbox: a worker in a virtual machine of E2B, through its unmodified SDK.

* The SDK is imported when the sandbox is opened; its errors are converted to smolcell's here.
* The key stays in this process's environment: it is neither sent to the sandbox nor part of an error.

Written from the SDK's source (e2b 2.63) and the source of the daemon in the sandbox ("envd"), and tested with a stand-in of both;
never with the service itself.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from smolcell.errors import SandboxError, SetupError
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

KEY = "E2B_API_KEY"
HOW_TO_KEY = f"get one at e2b.dev and type: export {KEY}=…"
ASKING = 20.0  # timeout of one request, in seconds
CREATING = 60.0  # seconds that creating a sandbox may take
PAGES = 50  # maximum pages of a list
QUOTA, UNKNOWN = 429, 404


class E2B(Provider):
    """The service, as its SDK accesses it: by ``E2B_API_KEY`` and other variables that begin with ``E2B_``."""

    name, title, environ = "e2b", "E2B", ("E2B_",)

    def has_key(self) -> bool:
        """Return whether there is a key; imports nothing."""
        return bool(os.environ.get(KEY))

    def create(self, order: SandboxSpec) -> Machine:
        """See ``Provider.create``."""
        sdk = _sdk()
        with self.errors(order.template):
            sandbox = sdk.Sandbox.create(
                template=order.template or None,
                timeout=order.lifetime,
                metadata=dict(order.labels),
                allow_internet_access=order.internet,
                request_timeout=CREATING,
            )
        return E2BMachine(self, sandbox)

    def listed(self, labels: Mapping[str, str]) -> list[ProviderSandbox]:
        """See ``Provider.listed``."""
        sdk = _sdk()
        sandboxes: list[ProviderSandbox] = []
        with self.errors():
            pages = sdk.Sandbox.list(query=sdk.SandboxQuery(metadata=dict(labels)), request_timeout=ASKING)
            for _ in range(PAGES):
                if not pages.has_next:
                    break
                sandboxes += map(_listed, pages.next_items())
        return [each for each in sandboxes if labels.items() <= each.labels.items()]

    def end(self, name: str) -> bool:
        """See ``Provider.end``."""
        sdk = _sdk()
        with self.errors():
            return bool(sdk.Sandbox.kill(name, request_timeout=ASKING))

    def translate(self, error: Exception, message: str, template: str) -> Exception:
        """See ``Provider.translate``."""
        with importing():
            import e2b

        if isinstance(error, e2b.AuthenticationException):
            return SetupError(f"E2B refuses the key in {KEY} ({message}); {HOW_TO_KEY}")
        if isinstance(error, e2b.RateLimitException):
            return self.limited(message, "e2b.dev")
        if isinstance(error, e2b.SandboxNotRunningException | e2b.SandboxNotFoundException):
            return SandboxGone(f"{GONE} ({message})")
        if isinstance(error, e2b.NotFoundException):
            return SandboxGone(f"its program in the sandbox has ended ({message}); run the step again")
        if not isinstance(error, e2b.SandboxException):
            return ProviderUnreachable(f"{type(error).__name__}: {message}")
        if isinstance(error, e2b.TimeoutException) or (error.status_code or 0) >= 500:
            return ProviderUnreachable(message)
        if error.status_code == UNKNOWN and template:
            return SetupError(
                f"E2B has no template {template!r} for this key ({message}); use its default: --sandbox e2b, "
                "or list yours: e2b template list"
            )
        return SandboxError(f"E2B refuses: {message}; see what is running: smolcell sandboxes")


class E2BMachine:
    """A sandbox of E2B.

    Args:
        service: the service it belongs to.
        sandbox: object of the SDK.
    """

    def __init__(self, service: E2B, sandbox: Any) -> None:
        self._service, self._sandbox = service, sandbox
        self._started: Any = None  # stream from the program's start, until it is read
        self._pid = 0
        self.name: str = sandbox.sandbox_id

    def put(self, name: str, data: bytes) -> None:
        """See ``Machine.put``."""
        with self._service.errors():
            self._sandbox.files.write(name, data, request_timeout=CREATING)

    def start(self, command: str) -> None:
        """See ``Machine.start``."""
        with self._service.errors():
            self._started = self._sandbox.commands.run(
                command, background=True, stdin=True, timeout=0, retain_output=False
            )
            self._pid = int(self._started.pid)

    def execute(self, command: str) -> str:
        """See ``Machine.execute``."""
        with self._service.errors():
            return str(self._sandbox.commands.run(command, timeout=CREATING).stdout)

    def output(self) -> Iterator[tuple[str, str]]:
        """See ``Machine.output``."""
        stream, self._started = self._started, None
        with self._service.errors():
            if stream is None:
                stream = self._sandbox.commands.connect(self._pid, timeout=0, retain_output=False)
                yield "begun", ""
            for out, err, _ in stream:
                if out:
                    yield "out", out
                if err:
                    yield "err", err
            yield "end", str(_exit_code(stream))

    def send(self, data: bytes) -> None:
        """See ``Machine.send``."""
        with self._service.errors():
            self._sandbox.commands.send_stdin(self._pid, data, request_timeout=ASKING)

    def renew(self, seconds: int) -> None:
        """See ``Machine.renew``."""
        with self._service.errors():
            self._sandbox.set_timeout(seconds, request_timeout=ASKING)

    def pause(self) -> None:
        """See ``Machine.pause``."""
        with self._service.errors():
            self._sandbox.pause(request_timeout=CREATING)

    def resume(self, seconds: int) -> None:
        """See ``Machine.resume``."""
        with self._service.errors():
            self._sandbox.connect(timeout=seconds, request_timeout=CREATING)

    def network(self) -> str:
        """See ``Machine.network``."""
        with self._service.errors():
            allowed = self._sandbox.get_info(request_timeout=ASKING).allow_internet_access
        return "" if allowed is False else "E2B does not report that it blocks this sandbox's connections"

    def kill(self, seconds: float) -> None:
        """See ``Machine.kill``."""
        with self._service.errors():
            self._sandbox.kill(request_timeout=seconds)


class E2BExecutor(RemoteExecutor):
    """Runs code in a virtual machine of E2B.

    Args:
        template: name or id of an E2B template; None for ``code-interpreter-v1``, which has numpy, pandas and others.

    Other options are those of ``RemoteExecutor``. The key is read from ``E2B_API_KEY``.
    """

    name, title, provider = E2B.name, E2B.title, E2B
    plural = f"sandboxes of {title}"


def _exit_code(stream: Any) -> int:
    """Return the exit code of a program whose stream was read to its end."""
    with importing():
        from e2b import CommandExitException

    try:
        return int(stream.wait().exit_code)
    except CommandExitException as error:
        return int(error.exit_code)


def _listed(info: Any) -> ProviderSandbox:
    state = str(getattr(info.state, "value", info.state))
    labels = {str(name): str(value) for name, value in (info.metadata or {}).items()}
    old = age(labels)
    given = (info.end_at - info.started_at).total_seconds()  # both by E2B's clock, which may be wrong
    return ProviderSandbox(
        name=str(info.sandbox_id),
        labels=labels,
        template=str(info.name or info.template_id),
        age=old,
        left=given - old if state == "running" and old is not None and given > old else None,
        state=state,
    )


def _sdk() -> Any:
    with optional("the sandbox 'e2b'", "", "e2b", "e2b-code-interpreter"):
        import e2b_code_interpreter
    if not os.environ.get(KEY):
        raise SetupError(f"there is no key for E2B; {HOW_TO_KEY}")
    return e2b_code_interpreter


GONE = (
    "its sandbox at E2B is gone: it was ended from outside, or its lease was not renewed (did this machine sleep?); "
    "run the step again"
)
