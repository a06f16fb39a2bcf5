"""The Docker engine: where it is, a client for it, and its errors in our words. The one door to the docker SDK.

The rules this file exists to keep:

* The engine is the one that the ``docker`` command would speak to: ``DOCKER_HOST``, else the context, else the usual socket.
* An error says what is missing and ends with the command to type.
* The SDK is imported on first use.
"""

from __future__ import annotations

import logging
import os
import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from smolcell.errors import SandboxError, SetupError, SmolcellError
from smolcell.executors.tunnel import Tunnel
from smolcell.visible import visible

if TYPE_CHECKING:
    import docker

log = logging.getLogger("smolcell")
USUAL = "unix:///var/run/docker.sock" if os.name == "posix" else "npipe:////./pipe/docker_engine"
SECONDS = 60  # that the engine may take for one answer; pulling and building have no such limit
EXAMPLE = "--sandbox docker:python:3.12-slim"


class Engine:
    """A Docker engine that answers.

    Raises:
        SetupError: there is none, or it may not be used.
    """

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        import docker

        with _mapped("DOCKER_CONTEXT or DOCKER_HOST"):
            self.address, tls = locate(environ)
        self._tunnel = Tunnel(self.address) if self.address.startswith("ssh://") else None
        self._base = self.address if self._tunnel is None else self._tunnel.address
        words: dict[str, Any] = {} if tls is None else {"tls": tls}
        try:
            with self.errors():
                self.knock()
                self.client: docker.DockerClient = docker.DockerClient(
                    self._base, version="auto", timeout=SECONDS, **words
                )
        except BaseException:
            self._end_tunnel()
            raise

    def knock(self) -> None:
        """Raise an OSError where nobody listens: the SDK would leave its socket open then."""
        if self._base.startswith("unix://"):
            with socket.socket(socket.AF_UNIX) as door:
                door.settimeout(SECONDS)
                door.connect(self._base.removeprefix("unix://"))

    @contextmanager
    def errors(self, image: str = "") -> Iterator[None]:
        """Within it the SDK's errors become ours; ``image`` is the one that is used."""
        with _mapped(self.address, image, self._tunnel):
            yield

    def info(self) -> Mapping[str, Any]:
        """What the engine says of itself."""
        with self.errors():
            found: Mapping[str, Any] = self.client.api.info()
            return found

    def close(self) -> None:
        """Let go of its connections; twice is harmless."""
        self.client.close()
        self._end_tunnel()

    def _end_tunnel(self) -> None:
        if self._tunnel is not None:
            self._tunnel.close()


def locate(environ: Mapping[str, str]) -> tuple[str, Any]:
    """Address and TLS settings (or None) of the engine that ``docker`` would use.

    Source: "docker context" and "Environment variables" on docs.docker.com: ``DOCKER_HOST`` goes before ``DOCKER_CONTEXT``, which
    goes before the context that was chosen with ``docker context use``.
    """
    import docker
    from docker.utils import kwargs_from_env

    if environ.get("DOCKER_HOST"):
        found = kwargs_from_env(environment=dict(environ))
        return found["base_url"], found.get("tls")
    name = environ.get("DOCKER_CONTEXT") or None
    context = docker.ContextAPI.get_context(name)
    if context is None:
        raise SetupError(f"there is no docker context {name!r}; choose another: docker context ls")
    if context.name == "default":
        return USUAL, None
    return context.Host or USUAL, context.TLSConfig


@contextmanager
def _mapped(address: str, image: str = "", tunnel: Tunnel | None = None) -> Iterator[None]:
    import docker
    import requests

    try:
        yield
    except (docker.errors.DockerException, requests.exceptions.RequestException, OSError) as error:
        log.debug("the Docker engine at %s", address, exc_info=True)
        raise named(error, address, image, tunnel.said() if tunnel is not None else "") from None


def named(error: Exception, address: str, image: str = "", ssh: str = "") -> SmolcellError:
    """The error of ours for one of the SDK, of its HTTP library, or of the system.

    Args:
        error: what was raised.
        address: the engine's.
        image: the image that was used; "" where the call was about none.
        ssh: what ssh said, where the engine is behind it.
    """
    import requests

    said = visible(str(getattr(error, "explanation", None) or error)[:2000])
    causes = list(_causes(error))
    # requests' errors are OSErrors too, without a number
    cause = next((each for each in causes if isinstance(each, OSError) and each.errno is not None), None)
    if ssh:
        return SetupError(
            f"the Docker engine at {address} cannot be reached: {visible(ssh)}; try: docker -H {address} info"
        )
    if "no space left on device" in said.lower() or (cause is not None and cause.errno == 28):
        return SandboxError(f"the disk of the Docker engine is full ({said}); make room: docker system prune")
    if isinstance(cause, PermissionError):
        return SetupError(
            f"you may not use the Docker engine at {address} (permission denied): join its group, then log in again: "
            "sudo usermod -aG docker $USER"
        )
    if isinstance(cause, ssl.SSLError):
        return SetupError(
            f"the Docker engine's certificate at {address} cannot be used ({said}); see: docker context ls"
        )
    if any(isinstance(each, requests.exceptions.Timeout) for each in causes):
        return SandboxError(f"the Docker engine at {address} did not answer within {SECONDS} s; see: docker info")
    if cause is not None or isinstance(error, requests.exceptions.ConnectionError):
        reason = cause.strerror if cause is not None and cause.strerror else said
        return SetupError(
            f"no Docker engine answers at {address} ({reason}). Use --sandbox local, name another with DOCKER_HOST, or start it: "
            "sudo systemctl start docker"
        )
    if getattr(error, "response", None) is None:  # it was not asked at all
        return SetupError(
            f"the Docker engine's address or its certificates cannot be used ({said}); see: docker context ls"
        )
    return _refused(said, image)


def _refused(said: str, image: str) -> SmolcellError:
    """What the engine refused to do."""
    low = said.lower()
    if "no such image" in low:
        return SetupError(f"the Docker engine has no image {image!r}; get it: docker pull {image}")
    if "runtime name" in low or "unknown runtime" in low:
        return SetupError(
            f"the Docker engine has no such runtime ({said}); see: docker info --format '{{{{.Runtimes}}}}'"
        )
    if "exec" in low and ("not found" in low or "no such file" in low):
        return SetupError(f"the image {image!r} has no Python ({said}); choose one that has, for example: {EXAMPLE}")
    if "exec format error" in low:
        return SetupError(
            f"the image {image!r} is for another kind of machine ({said}); choose another, for example: {EXAMPLE}"
        )
    return SandboxError(f"the Docker engine refused: {said}; see: docker info")


def _causes(error: BaseException) -> Iterator[BaseException]:
    """An error and what it was made of: causes, contexts, arguments."""
    seen: set[int] = set()
    waiting: list[Any] = [error]
    while waiting:
        here = waiting.pop()
        if isinstance(here, BaseException) and id(here) not in seen:
            seen.add(id(here))
            yield here
            waiting += [here.__cause__, here.__context__, *here.args, getattr(here, "reason", None)]
