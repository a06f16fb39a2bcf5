"""Server-sent events out of bytes, in pieces of any size.

Source: the HTML standard, "Server-sent events", for what models' servers use of it: ``data`` lines, joined by newlines up to the
empty line. Lines end with LF or CRLF only: splitting at every line separator of Unicode would break JSON texts apart.
"""

from __future__ import annotations

from collections.abc import Iterator

BOM = b"\xef\xbb\xbf"  # may begin the stream
LONGEST = 16 * 1024 * 1024  # bytes of one line, and of one event


class EventStream:
    """Takes bytes as they come and gives the data of each event that is whole.

    Raises:
        ValueError: a line or an event is longer than 16 MiB.
    """

    def __init__(self) -> None:
        self._rest = bytearray()
        self._data: list[bytes] = []
        self._size = 0
        self._started = False

    def feed(self, chunk: bytes) -> Iterator[str]:
        """The data of the events that this chunk completes."""
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            yield from self._line(bytes(self._rest + line).removesuffix(b"\r"))
            self._rest.clear()
        self._rest += rest
        if len(self._rest) > LONGEST:
            raise ValueError("a line of more than 16 MiB")

    def end(self) -> Iterator[str]:
        """The data of a last event that only lacks its empty line. A line without an end is half a line, and dropped."""
        yield from self._line(b"")

    def _line(self, line: bytes) -> Iterator[str]:
        if not self._started:
            line, self._started = line.removeprefix(BOM), True
        if not line:
            if self._data:
                yield b"\n".join(self._data).decode("utf-8", "replace")
            self._data, self._size = [], 0
        elif line.startswith(b"data:"):
            self._size += len(line)
            if self._size > LONGEST:
                raise ValueError("an event of more than 16 MiB")
            self._data.append(line[5:].removeprefix(b" "))
