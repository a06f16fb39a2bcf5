"""Images that containers are made of.

The rules this file exists to keep:

* An image that is there is used as it is; one that is not is pulled, and its progress told.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from smolcell.errors import SetupError

if TYPE_CHECKING:
    import docker

DEFAULT = "python:3.12-slim"


def ensure_image(
    client: docker.DockerClient,
    image: str | None = None,
    dockerfile: str | Path | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> str:
    """The name of an image that is on the engine now; pulled where it was missing.

    Args:
        client: speaks to the engine. Its errors go through; the caller gives them our words (``Engine.errors``).
        image: a name, with or without a tag; None for the default one.
        dockerfile: the text or the path of a Dockerfile to build instead.
        progress: told a line now and then.

    Raises:
        SetupError: there is no such image here, and it cannot be pulled.
    """
    import docker
    from docker.utils import parse_repository_tag

    if dockerfile is not None:
        raise SetupError("this version of smolcell builds no images; build it, then name it: docker build -t NAME .")
    name = image or DEFAULT
    try:
        client.images.get(name)
        return name
    except docker.errors.ImageNotFound:
        pass
    progress(f"pulling the image {name}")
    try:
        for line in client.api.pull(*parse_repository_tag(name), stream=True, decode=True):
            if "error" in line:
                raise SetupError(
                    f"the image {name!r} is not here and cannot be pulled: {line['error']}; try: docker pull {name}"
                )
            progress(f"{line.get('status', '')} {line.get('progress', '')}".strip())
    except docker.errors.APIError as error:
        raise SetupError(
            f"the image {name!r} is not here and cannot be pulled: {error.explanation}; try: docker pull {name}"
        ) from error
    return name
