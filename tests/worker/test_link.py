"""Where a datagram socket says "no room" instead of waiting, nothing is lost."""

from __future__ import annotations

import errno
import socket
from typing import Any

from smolcell.worker.wire import frames, link


class Full:
    """A socket that has no room twice."""

    type = socket.SOCK_DGRAM

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.left = 2

    def setblocking(self, _: bool) -> None:
        """As a socket."""

    def sendmsg(self, pieces: list[Any], ancillary: Any = ()) -> None:
        if self.left:
            self.left -= 1
            raise OSError(errno.ENOBUFS, "no buffer space")
        self.sent.append(b"".join(pieces))


def test_the_supervisor_keeps_what_there_is_no_room_for() -> None:
    sock: Any = Full()
    near = link.Near(sock, frames.FROM_WORKER)
    near.request([b"hello"])
    assert near.outbox
    assert not near.flush()
    assert near.flush()
    assert sock.sent[0].endswith(b"hello")


def test_the_runner_tries_again() -> None:
    sock: Any = Full()
    far = link.Far(sock, frames.TO_WORKER, frames.FROM_WORKER)
    far.send(frames.Frame("answer", {"id": 1, "error": ""}))
    assert len(sock.sent) == 1
