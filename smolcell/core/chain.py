"""Hashes that are chained over stored bytes, and digests of a run's programs, answers and outputs. Pure.

A link is the SHA-256, in hex, of the previous link and of all bytes stored since. Such bytes may include lines without a link: those of
an older version, and pieces that a crash left. A line ends with its link::

    {"v": 1, "seq": 7, …, "chain": "<64 hex digits>"}

It is no signature: a process that can write the file can compute the links again.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

START = "0" * 64
"""The value before the first link."""
_END = re.compile(rb', "chain": "([0-9a-f]{64})"\}(\n?)\Z')


class Part(NamedTuple):
    """A line that ends with a link."""

    head: bytes  # the line up to the link
    link: str
    end: bytes  # the line's end; b"" if it is missing


def read_link(line: bytes) -> Part | None:
    """Split a line at its link; None if it has no link."""
    match = _END.search(line)
    return None if match is None else Part(line[: match.start()], match[1].decode(), match[2])


class Chain:
    """The chain of one file, up to a position in it."""

    def __init__(self, link: str = START) -> None:
        self.link = link
        self._since = hashlib.sha256(link.encode("utf-8", "replace"))  # of the link, and of the bytes stored after it

    def take(self, data: bytes) -> None:
        """Add bytes without a link."""
        self._since.update(data)

    def next_link(self, head: bytes) -> str:
        """Return the link of a line that begins with ``head``."""
        digest = self._since.copy()
        digest.update(head)
        return digest.hexdigest()

    def follow(self, line: bytes) -> None:
        """Add a line that is already stored, with or without a link."""
        part = read_link(line)
        if part is None:
            self.take(line)
        else:
            self.link = part.link
            self._since = hashlib.sha256(part.link.encode() + part.end)


def with_link(head: bytes, link: str) -> bytes:
    """Return the line with this head and this link."""
    return head + b', "chain": "' + link.encode() + b'"}\n'


# --- The chain over the events of a saved notebook. Pages write them again, so a link is over a value in one form, and not over bytes.


def canonical(value: Any) -> bytes:
    """Return JSON that does not change if a page reads and writes it: keys sorted, whole numbers without a decimal point."""
    return json.dumps(_plain(value), sort_keys=True, separators=(",", ":")).encode()


def links(values: Iterable[Any]) -> Iterator[str]:
    """Yield the link of each of these values."""
    link = START
    for value in values:
        link = Chain(link).next_link(canonical(value))
        yield link


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


# --- The digests in a receipt.


class Digests:
    """SHA-256 of the approved code, of the answer and of the outputs of one run, in the redacted JSON of its events."""

    def __init__(self) -> None:
        self._hashes: dict[str, Any] = {}

    def note(self, event: Mapping[str, Any]) -> None:
        """Add the next event of the run."""
        match event:
            case {"event": "Allowed", "kind": "code" | "call", "text": text}:
                self._add("code", text)
            case {"event": "Observed"}:
                self._add("outputs", [event.get(name) for name in ("stdout", "result", "outputs", "error")])
            case {"event": "Answered", "text": text}:
                self._add("answer", text)
            case _:
                pass

    def hex_digests(self) -> dict[str, str]:
        """Return the digests in hex; those without data are missing."""
        return {name: digest.hexdigest() for name, digest in self._hashes.items()}

    def _add(self, name: str, value: Any) -> None:
        self._hashes.setdefault(name, hashlib.sha256()).update(canonical(value) + b"\n")
