"""An image by its name: here already, or pulled from its registry."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from smolcell.errors import SandboxError, SetupError
from smolcell.executors.images.stream import Failed, Layers, Pace, follow, is_network, text

if TYPE_CHECKING:
    from docker import DockerClient

_NOT_THERE = ("not found", "does not exist", "manifest unknown", "repository name not known")
_DENIED = ("denied", "unauthorized", "authentication required", "no basic auth")


def is_here(client: DockerClient, name: str) -> bool:
    """Whether the engine has an image.

    Raises:
        SetupError: that is no image's name.
    """
    from docker.errors import APIError, ImageNotFound

    try:
        client.images.get(name)
        return True
    except ImageNotFound:
        return False
    except APIError as error:
        if error.status_code == 400:
            raise SetupError(
                f"{name!r} is no image's name ({text(error.explanation)}); write it as Docker does: --sandbox docker:python:3.13-slim"
            ) from None
        raise


def pull(client: DockerClient, name: str, say: Callable[[str], object], stop: threading.Event) -> None:
    """Pull an image with the person's own registry log-in (``docker login``).

    Raises:
        SandboxError: the registry refused, has no such image, or is not reached; or it was stopped.
    """
    told, layers = Pace(say), Layers()
    told(f"pulling {name} …")
    try:
        for line in follow(
            client, lambda: client.api.pull(name, stream=True, decode=True), f"pulling the image {name}", stop
        ):
            layers.hear(line)
            words = layers.words()
            told(words and f"pulling {name}: {words}")
    except Failed as failed:
        raise SandboxError(
            f"the image {name!r} is not here and was not pulled: {failed}; {_advice(name, str(failed))}"
        ) from None
    if not is_here(client, name):
        raise SandboxError(f"the image {name!r} was pulled and is not there; try: docker pull {name}")


def _advice(name: str, said: str) -> str:
    lower = said.lower()
    if is_network(said):
        return "without a network, bring it as a file: docker load -i FILE; what is here: docker image ls"
    if any(words in lower for words in _DENIED):
        return f"check the name, or log in: docker login; then: docker pull {name}"
    if any(words in lower for words in _NOT_THERE):
        return "check the name and the tag; what is here: docker image ls"
    if "no space left" in lower:
        return "free some: docker system df"
    return f"try: docker pull {name}"
