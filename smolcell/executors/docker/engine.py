"""The Docker engine: finds its address, creates a client, maps errors. The only module that imports the docker SDK.

* It is the engine that the ``docker`` command uses: ``DOCKER_HOST``, else the context, else the default socket.
* An error says what is missing and ends with the command to type.
* The SDK is imported on first use.
"""

from __future__ import annotations

import logging
import os
import shlex
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from smolcell.core.text import shorten, tail, visible
from smolcell.errors import SandboxError, SetupError, SmolcellError
from smolcell.machine.environment import importing

if TYPE_CHECKING:
    import docker


log = logging.getLogger("smolcell")
DEFAULT_ADDRESS = "unix:///var/run/docker.sock" if os.name == "posix" else "npipe:////./pipe/docker_engine"
ANSWER_SECONDS = 60  # seconds for one answer of the engine; pulling and building have no limit
EXAMPLE = "--sandbox docker:python:3.12-slim"

# --- Tunnel to a Docker engine behind ssh: a local socket; each connection to it runs one ``ssh``.
#
# * It uses the user's ``ssh``, with its settings and keys; it never asks for a password.
# * The socket is in a folder that only this user can enter; ``close`` removes it, and every ``ssh`` ends with its connection.
#
# The SDK's own ssh support needs paramiko, and its streams cannot be read piece by piece. The remote command is the same as for
# the ``docker`` command: ``docker system dial-stdio``.


DIAL_COMMAND = "docker system dial-stdio"
KEPT_STDERR_CHARS = 2000  # kept of ssh's stderr


class Tunnel:
    """A socket that leads to the engine at ``ssh://[user@]host[:port]``."""

    def __init__(self, address: str) -> None:
        if shutil.which("ssh") is None:
            raise SetupError(
                f"the Docker engine at {address} is behind ssh, which is not installed; install it: sudo apt install openssh-client"
            )
        if not hasattr(socket, "AF_UNIX"):
            raise SetupError(
                f"{address}: an engine behind ssh cannot be reached from this system; see: docker context ls"
            )
        self._command = command(address)
        self._folder = Path(tempfile.mkdtemp(prefix="smolcell-ssh-"))
        self._listener = self._listen(address)
        self._errors = (self._folder / "errors").open("w+b")
        self._started: list[subprocess.Popen[bytes]] = []
        self._thread = threading.Thread(target=self._serve, name="smolcell-ssh", daemon=True)
        self._thread.start()

    def _listen(self, address: str) -> socket.socket:
        listener = socket.socket(socket.AF_UNIX)
        try:
            listener.bind(str(self._folder / "socket"))
        except OSError as error:  # paths of sockets are short
            listener.close()
            shutil.rmtree(self._folder, ignore_errors=True)
            raise SetupError(
                f"no socket for {address} can be made in {self._folder} ({error}); choose another folder: export TMPDIR=/tmp"
            ) from None
        listener.listen()
        return listener

    @property
    def address(self) -> str:
        """The socket's address, for a client."""
        return f"unix://{self._folder / 'socket'}"

    def stderr(self) -> str:
        """Return the end of ssh's stderr."""
        path = self._folder / "errors"
        return tail(path.read_text("utf-8", "replace"), KEPT_STDERR_CHARS) if path.exists() else ""

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return  # closed
            with connection:
                self._started = [each for each in self._started if each.poll() is None]
                self._started.append(
                    subprocess.Popen(
                        self._command,
                        stdin=connection.fileno(),
                        stdout=connection.fileno(),
                        stderr=self._errors,
                        start_new_session=True,
                    )
                )

    def close(self) -> None:
        """Close all connections. Idempotent."""
        try:
            self._listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # already closed
        self._listener.close()
        self._thread.join(2.0)
        for each in self._started:
            each.terminate()
        for each in self._started:
            try:
                each.wait(2.0)
            except subprocess.TimeoutExpired:
                each.kill()
                each.wait()
        self._started = []
        self._errors.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def command(address: str) -> list[str]:
    """Return the ssh command line for an engine's address.

    Raises:
        SetupError: the address is invalid, or its host looks like an option.
    """
    try:
        parts = urlsplit(address)
        host, number = parts.hostname or "", parts.port
    except ValueError:
        host = ""
    if not host or host.startswith("-") or (parts.username or "").startswith("-"):
        raise SetupError(
            f"{address!r} is not an address of a Docker engine behind ssh; write: DOCKER_HOST=ssh://user@host"
        )
    user = ["-l", parts.username] if parts.username else []
    port = ["-p", str(number)] if number else []
    return ["ssh", "-o", "BatchMode=yes", "-T", *user, *port, "--", host, DIAL_COMMAND]


class DockerEngine:
    """A Docker engine, connected.

    Raises:
        SetupError: there is no engine, or it may not be used.
    """

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        with importing():
            import docker

        _check_settings()
        with _map_errors("DOCKER_CONTEXT or DOCKER_HOST"):
            self.address, tls = locate(environ)
        self._tunnel = Tunnel(self.address) if self.address.startswith("ssh://") else None
        self._base = self.address if self._tunnel is None else self._tunnel.address
        words: dict[str, Any] = {} if tls is None else {"tls": tls}
        try:
            with self.errors():
                self.knock()
                self.client: docker.DockerClient = docker.DockerClient(
                    self._base, version="auto", timeout=ANSWER_SECONDS, **words
                )
        except BaseException:
            self._end_tunnel()
            raise

    def knock(self) -> None:
        """Raise OSError if no engine listens: the SDK would leave its socket open."""
        if self._base.startswith("unix://"):
            with socket.socket(socket.AF_UNIX) as door:
                door.settimeout(ANSWER_SECONDS)
                door.connect(self._base.removeprefix("unix://"))

    @contextmanager
    def errors(self, image: str = "") -> Iterator[None]:
        """Map the SDK's errors in a block; ``image`` is the image in use."""
        with _map_errors(self.address, image, self._tunnel):
            yield

    def info(self) -> Mapping[str, Any]:
        """Return the engine's description of itself (``docker info``)."""
        with self.errors():
            info: Mapping[str, Any] = self.client.api.info()
            return info

    @cached_property
    def is_podman(self) -> bool:
        """Whether it is Podman, which has Docker's interface with fewer options."""
        with self.errors():
            parts = self.client.version().get("Components") or ()
            return any("podman" in str(part.get("Name", "")).lower() for part in parts)

    def close(self) -> None:
        """Close its connections. Idempotent."""
        self.client.close()
        self._end_tunnel()

    def _end_tunnel(self) -> None:
        if self._tunnel is not None:
            self._tunnel.close()


def locate(environ: Mapping[str, str]) -> tuple[str, Any]:
    """Find the address and TLS settings (or None) of the engine that ``docker`` would use.

    Source: "docker context" and "Environment variables" on docs.docker.com: ``DOCKER_HOST`` takes precedence over ``DOCKER_CONTEXT``,
    and that over the context chosen by ``docker context use``.
    """
    with importing():
        import docker
        from docker.utils import kwargs_from_env

    if environ.get("DOCKER_HOST"):
        options = kwargs_from_env(environment=dict(environ))
        return options["base_url"], options.get("tls")
    name = environ.get("DOCKER_CONTEXT") or None
    context = docker.ContextAPI.get_context(name)
    if context is None:
        raise SetupError(f"there is no docker context {name!r}; choose another: docker context ls")
    if context.name == "default":
        return DEFAULT_ADDRESS, None
    return context.Host or DEFAULT_ADDRESS, context.TLSConfig


def _check_settings() -> None:
    """Raise SetupError if docker's ``config.json`` cannot be read, for which the SDK has no clear error."""
    with importing():
        from docker import auth, errors
        from docker.utils import config

    try:
        settings = config.load_general_config()
        settings.get("proxies", {}).get("default", {})
        auth.load_config(config_dict=settings)
    except (ValueError, TypeError, AttributeError, errors.InvalidConfigFile) as error:
        path = str(config.find_config_file())
        old, path = shlex.quote(visible(f"{path}.old")), shlex.quote(visible(path))
        raise SetupError(
            f"docker's own settings in {path} cannot be read ({type(error).__name__}: {visible(str(error))}); correct the file, "
            f"or move it away and log in again: mv {path} {old} && docker login"
        ) from None


@contextmanager
def _map_errors(address: str, image: str = "", tunnel: Tunnel | None = None) -> Iterator[None]:
    with importing():
        import docker
        import requests

    try:
        yield
    except (docker.errors.DockerException, requests.exceptions.RequestException, OSError) as error:
        log.debug("the Docker engine at %s", address, exc_info=True)
        raise from_sdk_error(error, address, image, tunnel.stderr() if tunnel is not None else "") from None


def from_sdk_error(error: Exception, address: str, image: str = "", ssh: str = "") -> SmolcellError:
    """Convert an error of the SDK, its HTTP library or the system to one of smolcell.

    Args:
        error: the exception.
        address: address of the engine.
        image: image in use; "" if the call used none.
        ssh: stderr of ssh, if the engine is reached by it.
    """
    with importing():
        import requests

    message = visible(shorten(str(getattr(error, "explanation", None) or error), 2000))
    causes = list(_causes(error))
    # exceptions of requests are OSErrors, too, but without errno
    cause = next((each for each in causes if isinstance(each, OSError) and each.errno is not None), None)
    if ssh:
        return SetupError(
            f"the Docker engine at {address} cannot be reached: {visible(ssh)}; try: docker -H {address} info"
        )
    if "no space left on device" in message.lower() or (cause is not None and cause.errno == 28):
        return SandboxError(f"the disk of the Docker engine is full ({message}); make room: docker system prune")
    if isinstance(cause, PermissionError):
        return SetupError(
            f"you may not use the Docker engine at {address} (permission denied): join its group, then log in again: "
            "sudo usermod -aG docker $USER"
        )
    if isinstance(cause, ssl.SSLError):
        return SetupError(
            f"the Docker engine's certificate at {address} cannot be used ({message}); see: docker context ls"
        )
    if any(isinstance(each, requests.exceptions.Timeout) for each in causes):
        return SandboxError(
            f"the Docker engine at {address} did not answer within {ANSWER_SECONDS} s; see: docker info"
        )
    if cause is not None or isinstance(error, requests.exceptions.ConnectionError):
        reason = cause.strerror if cause is not None and cause.strerror else message
        return SetupError(
            f"no Docker engine answers at {address} ({reason}). Use --sandbox local, name another with DOCKER_HOST, or start it: "
            "sudo systemctl start docker"
        )
    if getattr(error, "response", None) is None:  # no request was sent
        return SetupError(
            f"the Docker engine's address or its certificates cannot be used ({message}); see: docker context ls"
        )
    return _refused(message, image)


def _refused(message: str, image: str) -> SmolcellError:
    """Convert the engine's refusal of a request."""
    low = message.lower()
    if "no such image" in low:
        return SetupError(f"the Docker engine has no image {image!r}; get it: docker pull {image}")
    if "could not select device driver" in low or "nvidia-container" in low:
        return SetupError(
            f"the Docker engine has no driver for graphics cards ({message}); install NVIDIA's Container Toolkit, then: "
            "sudo nvidia-ctk runtime configure --runtime=docker && sudo systemctl restart docker; or omit gpu="
        )
    if "runtime name" in low or "unknown runtime" in low:
        return SetupError(
            f"the Docker engine has no such runtime ({message}); see: docker info --format '{{{{.Runtimes}}}}'"
        )
    if "exec" in low and ("not found" in low or "no such file" in low):
        return SetupError(f"the image {image!r} has no Python ({message}); choose one that has, for example: {EXAMPLE}")
    if "exec format error" in low:
        return SetupError(
            f"the image {image!r} is for another kind of machine ({message}); choose another, for example: {EXAMPLE}"
        )
    return SandboxError(f"the Docker engine refused: {message}; see: docker info")


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and its causes: causes, contexts, arguments."""
    seen: set[int] = set()
    waiting: list[Any] = [error]
    while waiting:
        here = waiting.pop()
        if isinstance(here, BaseException) and id(here) not in seen:
            seen.add(id(here))
            yield here
            waiting += [here.__cause__, here.__context__, *here.args, getattr(here, "reason", None)]
