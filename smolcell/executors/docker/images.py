"""The image a container is made from: there, pulled, or built; with progress, and an error that says what to do.

* An existing image is used as it is: nothing is pulled or built again unasked.
* smolcell's own image is named by its content (the Dockerfile, the base, the wheels), so it is built once, and again when one of
  them changes.
* Text of the engine, a registry or a build is untrusted: bounded, and shown with its invisible characters visible.
* Setting ``stop`` ends a pull or a build within a second.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import queue
import re
import sys
import tarfile
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from smolcell.environment import importing
from smolcell.errors import SandboxError, SetupError
from smolcell.text import visible

if TYPE_CHECKING:
    from docker import DockerClient


# --- The engine's progress while it pulls or builds, line by line, until it is done or stopped.
#
# Source of the format: the Docker Engine API, ``POST /images/create`` and ``POST /build`` (JSON objects: ``status`` with
# ``progressDetail`` and ``id``, ``stream``, ``aux``, ``error``).


ProgressLine = Mapping[str, Any]
_TICK = 0.2  # seconds until a stop is noticed
_NEWS = 1.0  # seconds between two words to the person
_LONGEST, _LONGEST_ERROR = 400, 4000  # characters of a line
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_NO_NETWORK = (
    "no such host",
    "dial tcp",
    "name resolution",
    "network is unreachable",
    "connection refused",
    "i/o timeout",
    "timeout exceeded",
    "tls handshake",
    "failed to establish a new connection",
    "no route to host",
    "network bridge not found",
)


class Failed(Exception):
    """The engine said that it failed; the text is the engine's."""


def follow(
    client: DockerClient, start: Callable[[], Iterable[ProgressLine]], what: str, stop: threading.Event
) -> Iterator[ProgressLine]:
    """Yield the lines of a pull or a build; an empty one while it says nothing.

    Args:
        start: begins it, and returns its lines; called on a thread of its own, because it may say nothing for minutes.
        what: what goes on, for the error of one that is stopped.

    Raises:
        SandboxError: it was stopped; the engine notices the end of the connection.
        Failed: the engine said that it failed, or refused to begin.
        docker.errors.DockerException, OSError: the engine does not answer.
    """
    with importing():
        from docker.errors import APIError

    heard: queue.SimpleQueue[Any] = queue.SimpleQueue()
    reading = _Reading(client, start, heard)
    threading.Thread(target=reading.run, name="smolcell-image", daemon=True).start()
    try:
        while True:
            if stop.is_set():
                raise SandboxError(f"stopped while {what}")
            try:
                line = heard.get(timeout=_TICK)
            except queue.Empty:
                line = {}
            if line is None:
                return
            if isinstance(line, APIError):
                raise Failed(text(line.explanation or line, _LONGEST_ERROR))
            if isinstance(line, BaseException):
                if reading.answered and isinstance(line, Exception):
                    raise Failed(text(f"the connection to the engine broke off: {line}", _LONGEST_ERROR))
                raise line
            if "error" in line:
                raise Failed(text(line["error"], _LONGEST_ERROR))
            yield line
    finally:
        reading.close()


class _Reading:
    """One request whose answer is read on a thread, and which another thread can end."""

    def __init__(
        self, client: DockerClient, start: Callable[[], Iterable[ProgressLine]], heard: queue.SimpleQueue[Any]
    ) -> None:
        self._hooks = client.api.hooks["response"]  # of the requests.Session that the client is
        self._start, self._heard = start, heard
        self._response: Any = None
        self._thread, self._over = 0, False

    @property
    def answered(self) -> bool:
        """Whether the engine has begun to answer."""
        return self._response is not None

    def run(self) -> None:
        self._thread = threading.get_ident()
        self._hooks.append(self._keep)
        try:
            lines = self._start()
        except BaseException as error:
            self._end(error)
            return
        finally:
            self._hooks.remove(self._keep)
        try:
            for line in lines:
                self._heard.put(line)
            self._end(None)
        except BaseException as error:
            self._end(error)

    def _end(self, how: BaseException | None) -> None:
        self._over = True
        self._heard.put(how)

    def _keep(self, response: Any, *_: Any, **__: Any) -> None:
        if threading.get_ident() == self._thread:  # the session may be in use on other threads
            self._response = response

    def close(self) -> None:
        """End the connection; the engine gives up what it was doing for it. Idempotent."""
        with importing():
            from docker.errors import DockerException
            from docker.types import CancellableStream

        if self._response is None or self._over:  # the connection may have gone back to its pool
            return
        try:
            CancellableStream(iter(()), self._response).close()
        except (DockerException, AttributeError, OSError):
            pass  # just over, or (by SSH) not to be ended from here: then it ends with this process


class Pace:
    """Tells a person the newest words, at most once a second."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self._say, self._said, self._next, self._at = say, "", "", 0.0

    def __call__(self, words: str = "") -> None:
        """Show the text if it is new, or keep it until it is time; without text, show the kept one if it is time."""
        self._next = words or self._next
        if self._next != self._said and time.monotonic() - self._at >= _NEWS:
            self._said, self._at = self._next, time.monotonic()
            self._say(self._said)


class Layers:
    """How much of an image's layers has arrived."""

    def __init__(self) -> None:
        self._sizes: dict[str, tuple[int, int]] = {}  # of each layer: bytes here, bytes in all

    def hear(self, line: ProgressLine) -> bool:
        """Take a line of a pull; whether it is one."""
        layer, status, detail = line.get("id"), str(line.get("status", "")), line.get("progressDetail") or {}
        if not isinstance(layer, str) or not isinstance(detail, dict):
            return "status" in line
        here, whole = detail.get("current"), detail.get("total")
        if status == "Downloading" and isinstance(here, int) and isinstance(whole, int) and whole > 0:
            self._sizes[layer] = (min(here, whole), whole)
        elif status in ("Download complete", "Verifying Checksum", "Extracting", "Pull complete"):
            whole = self._sizes.get(layer, (0, 0))[1]
            self._sizes[layer] = (whole, whole)
        return True

    def words(self) -> str:
        """``43 % of 120 MB``; "" before anything is known."""
        here, whole = (sum(sizes) for sizes in zip(*self._sizes.values(), strict=True)) if self._sizes else (0, 0)
        return f"{100 * here // whole} % of {whole / 1e6:,.0f} MB" if whole else ""


def text(said: object, longest: int = _LONGEST) -> str:
    """Return a line of the engine's, of a registry's or of a build's, as it can be shown."""
    return visible(_COLOURS.sub("", str(said)).strip())[:longest]


def is_network(said: str) -> bool:
    """Return whether a failure is that of a network that is not there."""
    return any(words in said.lower() for words in _NO_NETWORK)


# --- An image by its name: here already, or pulled from its registry.


_NOT_THERE = ("not found", "does not exist", "manifest unknown", "repository name not known")
_DENIED = ("denied", "unauthorized", "authentication required", "no basic auth")


def is_here(client: DockerClient, name: str) -> bool:
    """Return whether the engine has an image.

    Raises:
        SetupError: that is no image's name.
    """
    with importing():
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


# --- Images that are built: smolcell's own, by its content and once; a person's Dockerfile, by the engine's cache.
#
# * Two kernels that want smolcell's own image at once build it once; if they cannot know of each other, twice, with the same end.
# * With a wheelhouse nothing is fetched: the build has no network.


Say = Callable[[str], object]
REPOSITORY = "smolcell-worker"
DOCKERFILE = Path(__file__).with_name("Dockerfile")
KEPT_LOG_LINES = 12  # lines of a failed build's log
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
    """The sources of smolcell's own image."""

    base: str
    wheelhouse: Path | None = None

    def wheels(self) -> list[Path]:
        """Return the wheels, by name.

        Raises:
            SetupError: the wheelhouse is not a folder, or has no wheel of pip.
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
        """Return the image's name, by all that goes into it but the base's own content."""
        parts = [self.base, _digest(DOCKERFILE), *(f"{path.name} {_digest(path)}" for path in self.wheels())]
        return f"{REPOSITORY}:{hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]}"


def find_or_build(client: DockerClient, recipe: Recipe, say: Say, stop: threading.Event) -> str:
    """Return the name of smolcell's own image; built if it is not there.

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
    with importing():
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
    """Return an entry without owner and time: the same content gives the same layer."""
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
    """One process of this user at a time; if files cannot be locked, all at once."""
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
        with importing():
            import platformdirs

        state = platformdirs.user_state_dir("smolcell", appauthor=False)
    folder = Path(state) / "images"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return (folder / f"{tag.partition(':')[2]}.lock").open("wb")
    except OSError:
        return tempfile.TemporaryFile()  # without a lock two may build at once


# --- a person's Dockerfile ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dockerfile:
    """One of a person's own: a file, with its folder as the context, or a text, with nothing to copy from."""

    text: str = ""
    path: Path = Path()

    @classmethod
    def find(cls, given: str | os.PathLike[str]) -> Dockerfile:
        """Return the one that is meant.

        Raises:
            SetupError: there is no such file.
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
        """Return the name of its image: a later build takes it over, so that old images can be pruned."""
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
        self._log: deque[str] = deque(maxlen=KEPT_LOG_LINES)
        self._step, self._made = "", False

    def run(self, options: dict[str, Any], advise: Callable[[str], str]) -> None:
        """Build.

        Args:
            options: of ``APIClient.build``.
            advise: gives the next step, by the last lines of output.
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


BASE, WHEELHOUSE = "SMOLCELL_DOCKER_BASE", "SMOLCELL_DOCKER_WHEELHOUSE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which image. With neither ``image`` nor ``dockerfile``, smolcell's own.

    Args:
        image: the name of an image with Python 3.9 or newer; pulled if it is not there.
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
            Dockerfile.find(self.dockerfile)

    def words(self) -> str:
        """Return the image, for a person, before it is prepared."""
        return self.image or ("a Dockerfile of yours" if self.dockerfile else "smolcell's own image")

    def own(self) -> Recipe:
        """Return how smolcell's own image is built."""
        base = self.base or os.environ.get(BASE) or f"python:{sys.version_info[0]}.{sys.version_info[1]}-slim"
        wheelhouse = os.fspath(self.wheelhouse) or os.environ.get(WHEELHOUSE)
        return Recipe(base, Path(wheelhouse).expanduser() if wheelhouse else None)


def prepare(client: DockerClient, choice: Choice, say: Say, stop: threading.Event) -> str:
    """Return the name of the image, which is there when this returns. Blocks, for minutes if it is built.

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
        return custom(client, Dockerfile.find(choice.dockerfile), say, stop)
    if not choice.image:
        return find_or_build(client, choice.own(), say, stop)
    if not is_here(client, choice.image):
        pull(client, choice.image, say, stop)
    return choice.image
