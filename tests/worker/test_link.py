"""Where a datagram socket says "no room" instead of waiting, nothing is lost."""

from __future__ import annotations

import errno
import os
import socket
import subprocess
import sys
from typing import Any

import pytest

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


def test_a_descriptor_for_a_runner_that_is_gone_is_closed() -> None:
    near_end, far = link.pair()
    near = link.Near(near_end, frames.FROM_WORKER)
    far.close()
    descriptor = os.open(os.devnull, os.O_RDONLY)
    near.request([b"hello"], descriptor)
    assert not near.outbox
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)
    near_end.close()


def test_the_runner_tries_again() -> None:
    sock: Any = Full()
    far = link.Far(sock, frames.TO_WORKER, frames.FROM_WORKER)
    far.send(frames.Frame("answer", {"id": 1, "error": ""}))
    assert len(sock.sent) == 1


SHORT_OF_MEMORY = """
import resource, socket
from smolcell.worker.wire import frames, link

near, far = link.pair()
far.setblocking(True)
runner = link.Far(far, frames.TO_WORKER, frames.FROM_WORKER)
supervisor = link.Near(near, frames.FROM_WORKER)
request = frames.encode(frames.Frame("list", {"id": 1, "timeout": 1.0}), frames.TO_WORKER)
with open("/proc/self/status") as file:
    used = next(int(line.split()[1]) for line in file if line.startswith("VmData:")) << 10
resource.setrlimit(resource.RLIMIT_DATA, (used, used))
kept = []
try:
    while True:
        kept.append(bytearray(1 << 17))
except MemoryError:
    pass
for _ in range(3):
    supervisor.request(request)
    print(runner.receive().type)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the walls are Linux's")
def test_a_runner_whose_memory_is_used_up_still_receives() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SHORT_OF_MEMORY], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.split() == ["list"] * 3, done.stderr
