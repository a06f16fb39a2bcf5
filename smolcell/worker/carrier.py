"""The process between a provider's stream of text and the supervisor: it carries bytes, and runs no code.

The rules this file exists to keep:

* The stream may break and be begun anew at any time: nothing is lost, nothing comes twice.
* It ends with the supervisor, and the supervisor with it.
* Nobody in the sandbox but root may look into it or write to its descriptors.
"""

from __future__ import annotations

import os
import select
import socket
import threading
from typing import Callable

from . import carried, process
from .carried import Incoming, Lines, Outgoing
from .streams import write_all

BEAT = 10.0  # seconds without anything to say after which it says that it is alive
READ = 1 << 18


class Carrier:
    """Carries between two descriptors of text and a socket of bytes.

    Args:
        read_from, write_to: where the host is; its lines, and ours.
        sock: where the supervisor is.
    """

    def __init__(self, read_from: int, write_to: int, sock: socket.socket) -> None:
        self._in, self._out, self._sock = read_from, write_to, sock
        self._incoming, self._outgoing = Incoming(), Outgoing()
        self._writing = threading.Lock()

    def serve(self) -> None:
        """Carry until the supervisor has ended, which it does when the host's stream has."""
        threading.Thread(target=self._carry_in, daemon=True).start()
        self._carry_out()

    def _carry_out(self) -> None:
        poll = select.poll()
        poll.register(self._sock, select.POLLIN)
        while True:
            if not self._outgoing.wait(BEAT) or not poll.poll(1000 * BEAT):
                self._say(carried.write(carried.ALIVE, 0))
                continue
            try:
                data = self._sock.recv(carried.PIECE)
            except OSError:
                return
            if not data:
                return
            self._say(self._outgoing.add(data))

    def _say(self, line: bytes) -> None:
        with self._writing:
            write_all(self._out, line)

    def _carry_in(self) -> None:
        lines = Lines()
        try:
            while data := os.read(self._in, READ):
                for line in lines.feed(data):
                    self._hear(line)
        except OSError:
            pass  # one of the two ends is gone
        try:
            self._sock.shutdown(socket.SHUT_WR)  # the supervisor ends its tree, and then this program ends
        except OSError:
            pass

    def _hear(self, line: carried.Line) -> None:
        if line.letter == carried.DATA:
            data = self._incoming.take(line)
            if data:
                self._sock.sendall(data)
        elif line.letter in (carried.HAVE, carried.AGAIN):
            self._outgoing.forget(line.number)
            if line.letter == carried.AGAIN:
                with self._writing:  # in order: what is added meanwhile comes after, or again
                    for kept in self._outgoing.kept():
                        write_all(self._out, kept)


def main(serve: Callable[[], object]) -> None:
    """Start the supervisor behind a socket, and carry to and from it; never returns.

    Args:
        serve: the supervisor's program; it serves descriptors 0 and 1.
    """
    process.prctl(process.PR_SET_DUMPABLE, 0)
    ours, theirs = socket.socketpair()
    supervisor = os.fork()
    if not supervisor:
        status = 70
        try:
            ours.close()
            for descriptor in (0, 1):
                os.dup2(theirs.fileno(), descriptor)
            theirs.close()
            serve()
        except SystemExit as ended:
            status = _status(ended.code)
        finally:
            os._exit(status)
    theirs.close()
    Carrier(0, 1, ours).serve()
    _, how = os.waitpid(supervisor, 0)
    os._exit(os.WEXITSTATUS(how) if os.WIFEXITED(how) else 128 + os.WTERMSIG(how))


def _status(code: object) -> int:
    return code if isinstance(code, int) else 0 if code is None else 1
