"""Images that are built: smolcell's own, by its content and once; a person's Dockerfile, by the engine's cache.

The rules this file exists to keep:

* Two kernels that want smolcell's own image at once build it once; where they cannot know of each other, twice, with the same end.
* With a wheelhouse nothing is fetched: the build has no network.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import tarfile
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from smolcell.errors import SandboxError, SetupError
from smolcell.executors.images.pull import is_here
from smolcell.executors.images.stream import Failed, Layers, Pace, follow, is_network, text

if TYPE_CHECKING:
    from docker import DockerClient

Say = Callable[[str], object]
REPOSITORY = "smolcell-worker"
DOCKERFILE = Path(__file__).with_name("Dockerfile")
LAST = 12  # lines of a failed build's log
_STEP = re.compile(r"Step (\d+)/(\d+) : ")
_BUILDERS = re.compile(r"---> |Removing intermediate container ")  # the builder's own lines
_CODE = re.compile(r"The command .* returned a non-zero code: (\d+)", re.DOTALL)
_OFFLINE = (
    "without a network, build it from a folder of wheels, upon a base that is here: executor_kwargs="
    "{'base': 'IMAGE', 'wheelhouse': 'FOLDER'}; or use an image that is here: --sandbox docker:IMAGE"
)
_FULL = "the engine's disk is full; see what can go: docker system df"


# --- smolcell's own ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Recipe:
    """What smolcell's own image is made of."""

    base: str
    wheelhouse: Path | None = None

    def wheels(self) -> list[Path]:
        """The wheels, by name.

        Raises:
            SetupError: the wheelhouse is no folder, or holds none of pip.
        """
        if self.wheelhouse is None:
            return []
        found = sorted(self.wheelhouse.glob("*.whl"))
        if not any(path.name.startswith("pip-") for path in found):
            raise SetupError(
                f"the wheelhouse {self.wheelhouse} holds no wheel of pip; fill it: "
                f"pip download --only-binary=:all: -d {self.wheelhouse} pip numpy pandas matplotlib pyarrow"
            )
        return found

    def tag(self) -> str:
        """The image's name, by all that goes into it but the base's own content."""
        parts = [self.base, _digest(DOCKERFILE), *(f"{path.name} {_digest(path)}" for path in self.wheels())]
        return f"{REPOSITORY}:{hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]}"


def own(client: DockerClient, recipe: Recipe, say: Say, stop: threading.Event) -> str:
    """The name of smolcell's own image; built where it is not there.

    Raises:
        SetupError: the wheelhouse cannot be used.
        SandboxError: the build failed, or was stopped.
    """
    tag = recipe.tag()
    if not is_here(client, tag):
        with _turn(tag, say, stop):
            if not is_here(client, tag):
                _build_own(client, recipe, tag, say, stop)
    return tag


def _build_own(client: DockerClient, recipe: Recipe, tag: str, say: Say, stop: threading.Event) -> None:
    from docker.errors import DockerException

    with tempfile.TemporaryFile() as context:
        with tarfile.open(fileobj=context, mode="w") as archive:
            archive.addfile(_plain("wheelhouse", tarfile.DIRTYPE))
            for path, name in [
                (DOCKERFILE, "Dockerfile"),
                *((path, f"wheelhouse/{path.name}") for path in recipe.wheels()),
            ]:
                entry = _plain(name)
                entry.size = path.stat().st_size
                with path.open("rb") as file:
                    archive.addfile(entry, file)
        context.seek(0)
        options = {"fileobj": context, "custom_context": True, "tag": tag, "buildargs": {"BASE": recipe.base}}
        if recipe.wheelhouse is not None:
            options["network_mode"] = "none"
        _Build(client, "smolcell's image", say, stop).run(options, _advice_own)
    with suppress(DockerException, OSError):  # what was only needed to build it is as large once more
        client.images.prune(filters={"dangling": True, "label": "dev.smolcell.image=build"})


def _advice_own(said: str) -> str:
    if is_network(said):
        return _OFFLINE
    return "use an image of your own: --sandbox docker:IMAGE, or executor_kwargs={'dockerfile': 'Dockerfile'}"


def _plain(name: str, kind: bytes = tarfile.REGTYPE) -> tarfile.TarInfo:
    """An entry without owner and time: the same content gives the same layer."""
    entry = tarfile.TarInfo(name)
    entry.type, entry.mode = kind, 0o755 if kind == tarfile.DIRTYPE else 0o644
    return entry


def _digest(path: Path) -> str:
    found = path.stat()
    return _digest_of(path, found.st_size, found.st_mtime_ns)


@lru_cache(maxsize=256)
def _digest_of(path: Path, size: int, modified: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def _turn(tag: str, say: Say, stop: threading.Event) -> Iterator[None]:
    """One process of this user at a time; where files cannot be locked, all at once."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with _lock_file(tag) as file:
        waiting = Pace(say)
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError:
                waiting("another notebook is building smolcell's image; waiting for it")
            if stop.wait(0.2):
                raise SandboxError("stopped while waiting for another notebook's build of smolcell's image")
        yield


def _lock_file(tag: str) -> IO[bytes]:
    state = os.environ.get("SMOLCELL_STATE_DIR")
    if not state:
        import platformdirs

        state = platformdirs.user_state_dir("smolcell", appauthor=False)
    folder = Path(state) / "images"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return (folder / f"{tag.partition(':')[2]}.lock").open("wb")
    except OSError:
        return tempfile.TemporaryFile()  # of nobody else: then two may build at once


# --- a person's Dockerfile ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dockerfile:
    """One of a person's own: a file, with its folder as the context, or a text, with nothing to copy from."""

    text: str = ""
    path: Path = Path()

    @classmethod
    def find(cls, given: str | os.PathLike[str]) -> Dockerfile:
        """The one that is meant.

        Raises:
            SetupError: there is none.
        """
        if "\n" in os.fspath(given):
            return cls(text=os.fspath(given))
        path = Path(given).expanduser()
        if path.is_dir():
            path /= "Dockerfile"
        if not path.is_file():
            raise SetupError(
                f"there is no Dockerfile {path}; name a file or a folder with one: dockerfile='docker/Dockerfile'"
            )
        return cls(path=path.absolute())

    def tag(self) -> str:
        """The name its image is given: what is built anew takes it over, so that old images can be pruned."""
        return f"smolcell-dockerfile:{hashlib.sha256((self.text or str(self.path)).encode()).hexdigest()[:16]}"


def custom(client: DockerClient, given: Dockerfile, say: Say, stop: threading.Event) -> str:
    """Build a person's Dockerfile; returns the image's name.

    Raises:
        SandboxError: the build failed, or was stopped.
    """
    tag = given.tag()
    if given.text:
        options: dict[str, Any] = {"fileobj": io.BytesIO(given.text.encode())}
        what, again = "your Dockerfile", "mend it, or try it by hand: docker build"
    else:
        options = {"path": str(given.path.parent), "dockerfile": given.path.name}
        what, again = str(given.path), f"try it by hand: docker build -f {given.path} {given.path.parent}"
    _Build(client, what, say, stop).run({"tag": tag, **options}, lambda _: again)
    return tag


# --- one build ---------------------------------------------------------------------------------------------------------


class _Build:
    """One build: what it says, and what it made."""

    def __init__(self, client: DockerClient, what: str, say: Say, stop: threading.Event) -> None:
        self._client, self._what, self._stop = client, what, stop
        self._told, self._layers = Pace(say), Layers()
        self._log: deque[str] = deque(maxlen=LAST)
        self._step, self._made = "", False

    def run(self, options: dict[str, Any], advise: Callable[[str], str]) -> None:
        """Build.

        Args:
            options: of ``APIClient.build``.
            advise: what to do, by what was said last.
        """
        self._told(f"building {self._what} …")
        options = {"rm": True, "forcerm": True, "decode": True, **options}
        try:
            for line in follow(
                self._client, lambda: self._client.api.build(**options), f"building {self._what}", self._stop
            ):
                self._hear(line)
        except Failed as failed:
            log = "".join(f"\n  {line}" for line in self._log)
            at = f" at {self._step}" if self._step else ""
            advice = _FULL if "no space left" in f"{failed}{log}".lower() else advise(f"{failed}{log}")
            reason = _CODE.sub(r"its command ended with code \1", str(failed))
            raise SandboxError(f"building {self._what} failed{at}: {reason}{log}\n{advice}") from None
        if not self._made:
            raise SandboxError(f"building {self._what} ended without an image; try it by hand: docker build")

    def _hear(self, line: Any) -> None:
        if "aux" in line:
            self._made = True
        elif "stream" in line:
            for part in str(line["stream"]).splitlines():
                self._hear_text(part)
        else:
            self._layers.hear(line)
            words = self._layers.words()
            self._told(words and f"building {self._what}: pulling its base: {words}")

    def _hear_text(self, part: str) -> None:
        if found := _STEP.match(part):
            self._step = f"step {found[1]}/{found[2]}"
            self._told(f"building {self._what}: {self._step}")
            self._layers = Layers()
            self._log.clear()
        elif (shown := text(part)) and not _BUILDERS.match(shown):
            self._log.append(shown)
