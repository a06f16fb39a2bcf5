"""The image of a container: found, pulled or built, with progress and helpful errors.

* An existing image is used as it is: it is never pulled or built again without a request.
* smolcell's own image is named by its content (the Dockerfile, the base, the wheels), so it is built once, and again when one of
  them changes.
* Text of the engine, a registry or a build is untrusted: bounded, and shown with invisible characters made visible.
* Setting ``stop`` cancels a pull or build within a second.
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

from smolcell.core.text import visible
from smolcell.errors import SandboxError, SetupError
from smolcell.machine.environment import importing

if TYPE_CHECKING:
    from docker import DockerClient


# --- Progress of a pull or build, line by line, until it ends or is cancelled.
#
# Source of the format: the Docker Engine API, ``POST /images/create`` and ``POST /build`` (JSON objects: ``status`` with
# ``progressDetail`` and ``id``, ``stream``, ``aux``, ``error``).


ProgressLine = Mapping[str, Any]
_TICK_SECONDS = 0.2  # interval in which ``stop`` is checked
_NEWS_SECONDS = 1.0  # minimum seconds between progress messages
_MAX_LINE_CHARS, _MAX_ERROR_CHARS = 400, 4000  # characters of a line
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
    """The engine reported a failure; the text is the engine's."""


def follow(
    client: DockerClient, start: Callable[[], Iterable[ProgressLine]], what: str, stop: threading.Event
) -> Iterator[ProgressLine]:
    """Yield the lines of a pull or build, and an empty one at intervals while there is none.

    Args:
        start: starts it and returns its lines; called on a thread, because it may block for minutes.
        what: the operation, for the error when it is cancelled.

    Raises:
        SandboxError: it was cancelled; the engine notices the end of the connection.
        Failed: the engine reported a failure, or refused to start.
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
                line = heard.get(timeout=_TICK_SECONDS)
            except queue.Empty:
                line = {}
            if line is None:
                return
            if isinstance(line, APIError):
                raise Failed(text(line.explanation or line, _MAX_ERROR_CHARS))
            if isinstance(line, BaseException):
                if reading.answered and isinstance(line, Exception):
                    raise Failed(text(f"the connection to the engine broke off: {line}", _MAX_ERROR_CHARS))
                raise line
            if "error" in line:
                raise Failed(text(line["error"], _MAX_ERROR_CHARS))
            yield line
    finally:
        reading.close()


class _Reading:
    """A request whose answer is read on a thread; other threads can cancel it."""

    def __init__(
        self, client: DockerClient, start: Callable[[], Iterable[ProgressLine]], heard: queue.SimpleQueue[Any]
    ) -> None:
        self._hooks = client.api.hooks["response"]  # the client is a requests.Session
        self._start, self._heard = start, heard
        self._response: Any = None
        self._thread, self._over = 0, False

    @property
    def answered(self) -> bool:
        """Whether the engine has started to answer."""
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
        if threading.get_ident() == self._thread:  # other threads may use the session
            self._response = response

    def close(self) -> None:
        """Close the connection; the engine then cancels the operation. Idempotent."""
        with importing():
            from docker.errors import DockerException
            from docker.types import CancellableStream

        if self._response is None or self._over:  # the connection may be in the pool again
            return
        try:
            CancellableStream(iter(()), self._response).close()
        except (DockerException, AttributeError, OSError):
            pass  # it just ended, or (with ssh) cannot be closed from here: then it ends with this process


Progress = Callable[[str], object]


class Pace:
    """Reports the latest progress text at most once a second."""

    def __init__(self, report_progress: Progress) -> None:
        self._report_progress, self._said, self._next, self._at = report_progress, "", "", 0.0

    def __call__(self, words: str = "") -> None:
        """Report a new text if enough time has passed, else keep it; without a text, report the kept one."""
        self._next = words or self._next
        if self._next != self._said and time.monotonic() - self._at >= _NEWS_SECONDS:
            self._said, self._at = self._next, time.monotonic()
            self._report_progress(self._said)


class Layers:
    """Counts how much of an image's layers has arrived."""

    def __init__(self) -> None:
        self._sizes: dict[str, tuple[int, int]] = {}  # by layer: bytes received, bytes in total

    def update(self, line: ProgressLine) -> bool:
        """Handle a line; returns whether it is about a layer."""
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
        """Return the progress, as in ``43 % of 120 MB``; "" if unknown."""
        here, whole = (sum(sizes) for sizes in zip(*self._sizes.values(), strict=True)) if self._sizes else (0, 0)
        return f"{100 * here // whole} % of {whole / 1e6:,.0f} MB" if whole else ""


def text(value: object, longest: int = _MAX_LINE_CHARS) -> str:
    """Make a line of the engine, a registry or a build presentable."""
    return visible(_COLOURS.sub("", str(value)).strip())[:longest]


def is_network(message: str) -> bool:
    """Return whether a failure means that there is no network."""
    return any(words in message.lower() for words in _NO_NETWORK)


# --- Images with a name: present, or pulled from a registry.


_NOT_THERE = ("not found", "does not exist", "manifest unknown", "repository name not known")
_DENIED = ("denied", "unauthorized", "authentication required", "no basic auth")


def is_here(client: DockerClient, name: str) -> bool:
    """Return whether the engine has an image.

    Raises:
        SetupError: the name is invalid.
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
                f"{name!r} is not a valid image name ({text(error.explanation)}); as in: --sandbox docker:python:3.13-slim"
            ) from None
        raise


def pull(client: DockerClient, name: str, report_progress: Progress, stop: threading.Event) -> None:
    """Pull an image with the user's registry login (``docker login``).

    Raises:
        SandboxError: the registry refused, lacks the image, or is not reached; or the pull was cancelled.
    """
    report, layers = Pace(report_progress), Layers()
    report(f"pulling {name} …")
    try:
        for line in follow(
            client, lambda: client.api.pull(name, stream=True, decode=True), f"pulling the image {name}", stop
        ):
            layers.update(line)
            words = layers.words()
            report(words and f"pulling {name}: {words}")
    except Failed as failed:
        raise SandboxError(
            f"the image {name!r} is missing on the engine and could not be pulled: {failed}; {_advice(name, str(failed))}"
        ) from None
    if not is_here(client, name):
        raise SandboxError(f"the image {name!r} was pulled but is missing; try: docker pull {name}")


def _advice(name: str, message: str) -> str:
    lower = message.lower()
    if is_network(message):
        return "without a network, load it from a file: docker load -i FILE; list images: docker image ls"
    if any(words in lower for words in _DENIED):
        return f"check the name, or log in: docker login; then: docker pull {name}"
    if any(words in lower for words in _NOT_THERE):
        return "check the name and the tag; list images: docker image ls"
    if "no space left" in lower:
        return "make room; see: docker system df"
    return f"try: docker pull {name}"


# --- Images that are built: smolcell's own once per content, a user's Dockerfile with the engine's cache.
#
# * If two kernels need smolcell's own image at once, it is built once; kernels that cannot share a lock build it twice, with the
#   same result.
# * With a wheelhouse nothing is downloaded: the build has no network.


REPOSITORY = "smolcell-worker"
DOCKERFILE = Path(__file__).with_name("Dockerfile")
KEPT_LOG_LINES = 12  # lines of a failed build's log
_STEP = re.compile(r"Step (\d+)/(\d+) : ")
_BUILDERS = re.compile(r"---> |Removing intermediate container ")  # lines printed by the builder itself
_CODE = re.compile(r"The command .* returned a non-zero code: (\d+)", re.DOTALL)
_OFFLINE = (
    "without a network, build it from a folder of wheels, on a base image that the engine has: executor_kwargs="
    "{'base': 'IMAGE', 'wheelhouse': 'FOLDER'}; or use an image that the engine has: --sandbox docker:IMAGE"
)
_FULL = "the engine's disk is full; see what can be removed: docker system df"


# --- smolcell's own ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Recipe:
    """Inputs of smolcell's own image."""

    base: str
    wheelhouse: Path | None = None

    def wheels(self) -> list[Path]:
        """Return the wheels, sorted by name.

        Raises:
            SetupError: the wheelhouse is not a folder, or lacks a wheel of pip.
        """
        if self.wheelhouse is None:
            return []
        wheels = sorted(self.wheelhouse.glob("*.whl"))
        if not any(path.name.startswith("pip-") for path in wheels):
            raise SetupError(
                f"the wheelhouse {self.wheelhouse} has no wheel of pip; fill it: "
                f"pip download --only-binary=:all: -d {self.wheelhouse} pip numpy pandas matplotlib pyarrow"
            )
        return wheels

    def tag(self) -> str:
        """Return the image's name: a hash of its inputs, except the content of the base."""
        parts = [self.base, _digest(DOCKERFILE), *(f"{path.name} {_digest(path)}" for path in self.wheels())]
        return f"{REPOSITORY}:{hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]}"


def find_or_build(client: DockerClient, recipe: Recipe, report_progress: Progress, stop: threading.Event) -> str:
    """Return the name of smolcell's own image, after building it if necessary.

    Raises:
        SetupError: the wheelhouse cannot be used.
        SandboxError: the build failed, or was cancelled.
    """
    tag = recipe.tag()
    if not is_here(client, tag):
        with _take_turn(tag, report_progress, stop):
            if not is_here(client, tag):
                _build_own(client, recipe, tag, report_progress, stop)
    return tag


def _build_own(
    client: DockerClient, recipe: Recipe, tag: str, report_progress: Progress, stop: threading.Event
) -> None:
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
        _Build(client, "smolcell's image", report_progress, stop).run(options, _advice_own)
    with suppress(DockerException, OSError):  # the build stage would use as much space again
        client.images.prune(filters={"dangling": True, "label": "dev.smolcell.image=build"})


def _advice_own(message: str) -> str:
    if is_network(message):
        return _OFFLINE
    return "use your own image: --sandbox docker:IMAGE, or executor_kwargs={'dockerfile': 'Dockerfile'}"


def _plain(name: str, kind: bytes = tarfile.REGTYPE) -> tarfile.TarInfo:
    """Return a tar entry without owner and time: the same content gives the same layer."""
    entry = tarfile.TarInfo(name)
    entry.type, entry.mode = kind, 0o755 if kind == tarfile.DIRTYPE else 0o644
    return entry


def _digest(path: Path) -> str:
    status = path.stat()
    return _digest_of(path, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=256)
def _digest_of(path: Path, size: int, modified: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def _take_turn(tag: str, report_progress: Progress, stop: threading.Event) -> Iterator[None]:
    """Let one process of this user build at a time; if files cannot be locked, all at once."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with _lock_file(tag) as file:
        waiting = Pace(report_progress)
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
        return tempfile.TemporaryFile()  # without a lock, two processes may build at once


# --- a user's Dockerfile -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dockerfile:
    """A user's Dockerfile: a file, with its folder as build context, or a text without a context."""

    text: str = ""
    path: Path = Path()

    @classmethod
    def find(cls, given: str | os.PathLike[str]) -> Dockerfile:
        """Find the Dockerfile of an option's value.

        Raises:
            SetupError: the file does not exist.
        """
        if "\n" in os.fspath(given):
            return cls(text=os.fspath(given))
        path = Path(given).expanduser()
        if path.is_dir():
            path /= "Dockerfile"
        if not path.is_file():
            raise SetupError(
                f"there is no Dockerfile {path}; give a file or a folder with one: dockerfile='docker/Dockerfile'"
            )
        return cls(path=path.absolute())

    def tag(self) -> str:
        """Return the name of its image: a later build replaces it, so that old images can be pruned."""
        return f"smolcell-dockerfile:{hashlib.sha256((self.text or str(self.path)).encode()).hexdigest()[:16]}"


def build_custom(client: DockerClient, given: Dockerfile, report_progress: Progress, stop: threading.Event) -> str:
    """Build a user's Dockerfile; returns the image's name.

    Raises:
        SandboxError: the build failed, or was cancelled.
    """
    tag = given.tag()
    if given.text:
        options: dict[str, Any] = {"fileobj": io.BytesIO(given.text.encode())}
        what, again = "your Dockerfile", "correct it, or run: docker build"
    else:
        options = {"path": str(given.path.parent), "dockerfile": given.path.name}
        what, again = str(given.path), f"run: docker build -f {given.path} {given.path.parent}"
    _Build(client, what, report_progress, stop).run({"tag": tag, **options}, lambda _: again)
    return tag


# --- one build ---------------------------------------------------------------------------------------------------------


class _Build:
    """One build: its progress, log and result."""

    def __init__(self, client: DockerClient, what: str, report_progress: Progress, stop: threading.Event) -> None:
        self._client, self._what, self._stop = client, what, stop
        self._report, self._layers = Pace(report_progress), Layers()
        self._log: deque[str] = deque(maxlen=KEPT_LOG_LINES)
        self._step, self._made = "", False

    def run(self, options: dict[str, Any], advise: Callable[[str], str]) -> None:
        """Run the build.

        Args:
            options: of ``APIClient.build``.
            advise: returns the next step for the user, given the last lines of output.
        """
        self._report(f"building {self._what} …")
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
            raise SandboxError(f"building {self._what} produced no image; to see why, run: docker build")

    def _hear(self, line: Any) -> None:
        if "aux" in line:
            self._made = True
        elif "stream" in line:
            for part in str(line["stream"]).splitlines():
                self._hear_text(part)
        else:
            self._layers.update(line)
            words = self._layers.words()
            self._report(words and f"building {self._what}: pulling its base: {words}")

    def _hear_text(self, part: str) -> None:
        if match := _STEP.match(part):
            self._step = f"step {match[1]}/{match[2]}"
            self._report(f"building {self._what}: {self._step}")
            self._layers = Layers()
            self._log.clear()
        elif (shown := text(part)) and not _BUILDERS.match(shown):
            self._log.append(shown)


BASE, WHEELHOUSE = "SMOLCELL_DOCKER_BASE", "SMOLCELL_DOCKER_WHEELHOUSE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The image to use. Without ``image`` and ``dockerfile``, smolcell's own.

    Args:
        image: name of an image with Python 3.9 or newer; pulled if it is missing.
        dockerfile: path of a Dockerfile, or of a folder with one, whose files it can copy except those in ``.dockerignore``. Or its text,
            of several lines. Built for each new executor, with the engine's cache.
        base: base of smolcell's own image; default ``$SMOLCELL_DOCKER_BASE``, else the official slim Python of this version.
        wheelhouse: folder with wheels of pip, numpy, pandas, matplotlib, pyarrow and their dependencies, for that base; default
            ``$SMOLCELL_DOCKER_WHEELHOUSE``; without it they are downloaded. With it the build has no network.

    Raises:
        SetupError: two options exclude each other, or a file does not exist.
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
        """Describe the image for a person, before it is prepared."""
        return self.image or ("a Dockerfile of yours" if self.dockerfile else "smolcell's own image")

    def own(self) -> Recipe:
        """Return the inputs of smolcell's own image."""
        base = self.base or os.environ.get(BASE) or f"python:{sys.version_info[0]}.{sys.version_info[1]}-slim"
        wheelhouse = os.fspath(self.wheelhouse) or os.environ.get(WHEELHOUSE)
        return Recipe(base, Path(wheelhouse).expanduser() if wheelhouse else None)


def prepare(client: DockerClient, choice: Choice, report_progress: Progress, stop: threading.Event) -> str:
    """Return the name of the image after pulling or building it if necessary. Blocks, for minutes if it is built.

    Args:
        client: of the engine; also used on a second thread meanwhile.
        say: called with the progress at most once a second, on this thread.
        stop: set it from any thread to cancel with a ``SandboxError``.

    Raises:
        SetupError: the image's name, the Dockerfile or the wheelhouse is invalid.
        SandboxError: pulling or building failed; the message has the reason, the end of the log, and what to do.
        docker.errors.DockerException: the engine does not answer.
    """
    if choice.dockerfile:
        return build_custom(client, Dockerfile.find(choice.dockerfile), report_progress, stop)
    if not choice.image:
        return find_or_build(client, choice.own(), report_progress, stop)
    if not is_here(client, choice.image):
        pull(client, choice.image, report_progress, stop)
    return choice.image
