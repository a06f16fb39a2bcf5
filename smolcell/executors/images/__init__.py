"""The image a container is made from: there, pulled, or built; with progress, and an error that says what to do.

The rules this file exists to keep:

* What is there is used as it is: nothing is pulled or built again behind a person's back.
* smolcell's own image is named by its content (the Dockerfile, the base, the wheels), so it is built once, and anew when one of
  them changes.
* What the engine, a registry or a build says is text of others: bounded, and shown with its invisible characters visible.
* Setting ``stop`` ends a pull or a build within a second.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from smolcell.errors import SetupError
from smolcell.executors.images import build, pull

if TYPE_CHECKING:
    from docker import DockerClient

Say = Callable[[str], object]
BASE, WHEELHOUSE = "SMOLCELL_DOCKER_BASE", "SMOLCELL_DOCKER_WHEELHOUSE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which image. With neither ``image`` nor ``dockerfile``, smolcell's own.

    Args:
        image: the name of an image with Python 3.9 or newer; pulled where it is not there.
        dockerfile: the path of a Dockerfile, or of a folder with one; its folder is what it can copy from, less what
            ``.dockerignore`` names. Or the text of one, of several lines. Built for each new executor, with the engine's cache.
        base: what smolcell's own image is built upon; ``$SMOLCELL_DOCKER_BASE``, else the official slim Python of this version.
        wheelhouse: a folder with wheels of pip, numpy, pandas, matplotlib, pyarrow and what they need, for that base;
            ``$SMOLCELL_DOCKER_WHEELHOUSE``, else they are fetched. With it the image is built without a network.

    Raises:
        SetupError: two of them exclude each other, or a file is not there.
    """

    image: str = ""
    dockerfile: str | os.PathLike[str] = ""
    base: str = ""
    wheelhouse: str | os.PathLike[str] = ""

    def __post_init__(self) -> None:
        if self.image and self.dockerfile:
            raise SetupError("image= and dockerfile= both name the image: give one of them")
        if (self.image or self.dockerfile) and (self.base or self.wheelhouse):
            raise SetupError("base= and wheelhouse= are for smolcell's own image: leave out image= and dockerfile=")
        if self.dockerfile:
            build.Dockerfile.find(self.dockerfile)

    def words(self) -> str:
        """The image, for a person, before it is prepared."""
        return self.image or ("a Dockerfile of yours" if self.dockerfile else "smolcell's own image")

    def own(self) -> build.Recipe:
        """How smolcell's own image is built."""
        base = self.base or os.environ.get(BASE) or f"python:{sys.version_info[0]}.{sys.version_info[1]}-slim"
        wheelhouse = os.fspath(self.wheelhouse) or os.environ.get(WHEELHOUSE)
        return build.Recipe(base, Path(wheelhouse).expanduser() if wheelhouse else None)


def prepare(client: DockerClient, choice: Choice, say: Say, stop: threading.Event) -> str:
    """The name of the image, which is there when this returns. Blocks, for minutes where it is built.

    Args:
        client: of the engine; it is used on a second thread meanwhile.
        say: told in words how far it is, at most once a second; on this thread.
        stop: set it, from any thread, to end this with a ``SandboxError``.

    Raises:
        SetupError: the image's name, the Dockerfile or the wheelhouse is not what can be used.
        SandboxError: it could not be pulled or built; the message says why, with the last lines of the log, and what to do.
        docker.errors.DockerException: the engine does not answer.
    """
    if choice.dockerfile:
        return build.custom(client, build.Dockerfile.find(choice.dockerfile), say, stop)
    if not choice.image:
        return build.own(client, choice.own(), say, stop)
    if not pull.is_here(client, choice.image):
        pull.pull(client, choice.image, say, stop)
    return choice.image
