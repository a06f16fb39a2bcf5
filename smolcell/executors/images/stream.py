"""What the engine says while it pulls or builds, line by line, until it is done or nobody wants it any more.

Source of the format: the Docker Engine API, ``POST /images/create`` and ``POST /build`` (JSON objects: ``status`` with
``progressDetail`` and ``id``, ``stream``, ``aux``, ``error``).
"""

from __future__ import annotations

import queue
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from smolcell.errors import SandboxError
from smolcell.visible import visible

if TYPE_CHECKING:
    from docker import DockerClient

Line = Mapping[str, Any]
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
    client: DockerClient, start: Callable[[], Iterable[Line]], what: str, stop: threading.Event
) -> Iterator[Line]:
    """The lines of a pull or a build; an empty one while it says nothing.

    Args:
        start: begins it, and returns its lines; called on a thread of its own, because it may say nothing for minutes.
        what: what goes on, for the error of one that is stopped.

    Raises:
        SandboxError: it was stopped; the engine is told so by the end of the connection.
        Failed: the engine said that it failed, or refused to begin.
        docker.errors.DockerException, OSError: the engine does not answer.
    """
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
        self, client: DockerClient, start: Callable[[], Iterable[Line]], heard: queue.SimpleQueue[Any]
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
        """End the connection; the engine gives up what it was doing for it. Harmless when it is over."""
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
        """Say it, if it is new, or keep it until it is time; without words: say what was kept, if it is time."""
        self._next = words or self._next
        if self._next != self._said and time.monotonic() - self._at >= _NEWS:
            self._said, self._at = self._next, time.monotonic()
            self._say(self._said)


class Layers:
    """How much of an image's layers has arrived."""

    def __init__(self) -> None:
        self._sizes: dict[str, tuple[int, int]] = {}  # of each layer: bytes here, bytes in all

    def hear(self, line: Line) -> bool:
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
    """A line of the engine's, of a registry's or of a build's, as it can be shown."""
    return visible(_COLOURS.sub("", str(said)).strip())[:longest]


def is_network(said: str) -> bool:
    """Whether a failure is that of a network that is not there."""
    return any(words in said.lower() for words in _NO_NETWORK)
