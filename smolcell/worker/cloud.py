"""The worker in a provider's sandbox, behind its own walls, which are measured whatever the provider's are.

* Packages are found as by the sandbox's own Python; the code sees only these and private folders of the disk.
* It reports the walls that stand; its boot id tells the host which machine it runs on.
"""

from __future__ import annotations

import base64
import binascii
import glob
import os
import select
import shutil
import site
import socket
import stat
import sys
import threading
from collections import deque
from typing import Any, Callable, NamedTuple

from . import supervisor
from .supervisor.portable import write_all
from .system import folders, processes

# --- Bytes over an unreliable text stream: numbered lines, kept until the other end acknowledges them.
#
# * Each piece is delivered once and in order, however often the stream is reconnected.
# * Other lines are ignored, such as half a line of a broken stream.
# * Both ends keep a bounded amount of data.
#
# Format of a line: a letter, a number, and, for ``DATA``, base64: ``D17 aGVsbG8=``. Numbers count the pieces of one direction, from 1.


DATA, HAVE, RESEND, ALIVE = b"D", b"H", b"R", b"B"
"""A piece; acknowledgement of all pieces up to this one; the same, with a request to resend the later ones; heartbeat."""
PIECE_BYTES = 192 << 10  # bytes in a piece
MAX_UNACKNOWLEDGED_BYTES = 16 << 20  # maximum unacknowledged bytes
ACKNOWLEDGE_BYTES = 4 << 20  # bytes after which the receiver acknowledges
MAX_LINE_BYTES = 2 << 20
_LETTERS = (DATA, HAVE, RESEND, ALIVE)


class CarrierLine(NamedTuple):
    """One parsed line."""

    letter: bytes
    number: int
    data: bytes = b""


def write(letter: bytes, number: int, data: Any = b"") -> bytes:
    """Format a line."""
    return b"%s%d %s\n" % (letter, number, base64.b64encode(data))


class LineReader:
    """Splits a stream of bytes into lines, however it is divided."""

    def __init__(self) -> None:
        self._rest = b""

    def begin_anew(self) -> None:
        """Drop an incomplete line, since the stream was reconnected."""
        self._rest = b""

    def feed(self, data: bytes) -> list[CarrierLine]:
        """Return the lines completed by these bytes; invalid ones are ignored."""
        *whole, self._rest = (self._rest + data).split(b"\n")
        self._rest = self._rest if len(self._rest) <= MAX_LINE_BYTES else b"-"
        return [frame for frame in map(_read, whole) if frame is not None]


def _read(text: bytes) -> CarrierLine | None:
    head, space, body = text.partition(b" ")
    if not space or head[:1] not in _LETTERS or not head[1:].isdigit() or not 1 < len(head) <= 20:
        return None
    try:
        return CarrierLine(head[:1], int(head[1:]), base64.b64decode(body, validate=True))
    except (binascii.Error, ValueError):
        return None


class Incoming:
    """Received pieces of one direction: delivers each once, in order."""

    def __init__(self) -> None:
        self.number = 0  # of the last piece received in order
        self._since = 0

    def take(self, line: CarrierLine) -> bytes:
        """Return the data of a line that continues the sequence; b"" for a repeated or later line."""
        if line.number != self.number + 1:
            return b""
        self.number = line.number
        self._since += len(line.data)
        return line.data

    def is_due(self) -> bool:
        """Return whether an acknowledgement is due."""
        due = self._since >= ACKNOWLEDGE_BYTES
        self._since = 0 if due else self._since
        return due


class Outgoing:
    """Sent pieces of one direction, kept until acknowledged. Thread-safe."""

    def __init__(self) -> None:
        self._room = threading.Condition()
        self._kept: deque[tuple[int, bytes]] = deque()
        self._size = 0
        self._number = 0

    def wait(self, seconds: float) -> bool:
        """Wait until another piece may be added; returns whether it may."""
        with self._room:
            return self._room.wait_for(lambda: self._size < MAX_UNACKNOWLEDGED_BYTES, seconds)

    def add(self, data: bytes) -> bytes:
        """Keep a piece; returns its line."""
        with self._room:
            self._number += 1
            line = write(DATA, self._number, data)
            self._kept.append((self._number, line))
            self._size += len(line)
            return line

    def forget(self, number: int) -> None:
        """Drop the pieces up to this one, which were acknowledged."""
        with self._room:
            while self._kept and self._kept[0][0] <= number:
                self._size -= len(self._kept.popleft()[1])
            self._room.notify_all()

    def kept(self) -> list[bytes]:
        """Return the lines that were not acknowledged."""
        with self._room:
            return [line for _, line in self._kept]


# --- The process between a provider's text stream and the supervisor: it relays bytes and runs no code.
#
# * The stream may break and be reconnected at any time: no byte is lost or repeated.
# * It ends when the supervisor ends, and the supervisor ends when it does.
# * Only root in the sandbox can inspect it or write to its descriptors.


HEARTBEAT_SECONDS = 10.0  # seconds without data after which a heartbeat is sent
READ_BYTES = 1 << 18


class Carrier:
    """Relays between two text descriptors and a socket of bytes.

    Args:
        read_from, write_to: descriptors of the lines from and to the host.
        sock: the supervisor's end.
    """

    def __init__(self, read_from: int, write_to: int, sock: socket.socket) -> None:
        self._in, self._out, self._sock = read_from, write_to, sock
        self._incoming, self._outgoing = Incoming(), Outgoing()
        self._writing = threading.Lock()

    def serve(self) -> None:
        """Relay until the supervisor has ended, which it does when the host's stream ends."""
        threading.Thread(target=self._carry_in, daemon=True).start()
        self._carry_out()

    def _carry_out(self) -> None:
        poll = select.poll()
        poll.register(self._sock, select.POLLIN)
        while True:
            if not self._outgoing.wait(HEARTBEAT_SECONDS) or not poll.poll(1000 * HEARTBEAT_SECONDS):
                self._send_line(write(ALIVE, 0))
                continue
            try:
                data = self._sock.recv(PIECE_BYTES)
            except OSError:
                return
            if not data:
                return
            self._send_line(self._outgoing.add(data))

    def _send_line(self, line: bytes) -> None:
        with self._writing:
            write_all(self._out, line)

    def _carry_in(self) -> None:
        lines = LineReader()
        try:
            while data := os.read(self._in, READ_BYTES):
                for line in lines.feed(data):
                    self._hear(line)
        except OSError:
            pass  # one of the two ends has closed
        try:
            self._sock.shutdown(socket.SHUT_WR)  # then the supervisor ends its processes, and this program ends
        except OSError:
            pass

    def _hear(self, line: CarrierLine) -> None:
        if line.letter == DATA:
            data = self._incoming.take(line)
            if data:
                self._sock.sendall(data)
        elif line.letter in (HAVE, RESEND):
            self._outgoing.forget(line.number)
            if line.letter == RESEND:
                with self._writing:  # in order: pieces added meanwhile come later, or twice
                    for kept in self._outgoing.kept():
                        write_all(self._out, kept)


def carrier_main(serve: Callable[[], object]) -> None:
    """Start the supervisor with a socket as its wire, and relay; never returns.

    Args:
        serve: main function of the supervisor; it serves descriptors 0 and 1.
    """
    processes.prctl(processes.PR_SET_DUMPABLE, 0)
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


# --- The worker as the first process of a container: it sees files of the image, none of the host.
#
# * Packages are found as by the image's own Python.
# * Caches of libraries lie outside the work folder.


FONTS = "fontlist-*.json"


def find_packages() -> None:
    """Add the folders of installed packages, which ``-S`` omits, to the search path; including a virtual environment's."""
    known: Any = site.venv(site.removeduppaths() or set())
    site.addsitepackages(known)


def lend_font_list(cache: str) -> None:
    """Create matplotlib's folder, with the image's list of fonts if there is one: building it takes seconds.

    Args:
        cache: the folder.
    """
    given = os.environ.get("MPLCONFIGDIR", "")
    try:
        os.makedirs(cache)
        for path in glob.glob(os.path.join(given, FONTS)) if given else ():
            shutil.copy(path, cache)
    except OSError:
        pass  # matplotlib builds the list again
    os.environ["MPLCONFIGDIR"] = cache


def contained_main() -> None:
    """Serve the host over descriptors 0 and 1 until they are closed."""
    find_packages()
    lend_font_list(os.path.join(os.environ["XDG_CACHE_HOME"], "matplotlib"))
    sys.argv = [""]
    supervisor.main()


BOOT = "/proc/sys/kernel/random/boot_id"


class RemoteSupervisor(supervisor.Supervisor):
    """Serves a host that does not know this machine's disk."""

    def _hello(self, options: dict[str, Any]) -> None:
        super()._hello({**options, **folder_options(options)})

    def _described(self, capabilities: dict[str, Any]) -> dict[str, Any]:
        return super()._described({**capabilities, "boot": read_boot_id()})


def folder_options(options: dict[str, Any]) -> dict[str, Any]:
    """Return the work folder, the readable paths and the writable paths.

    Args:
        options: of the host's hello: "without" names walls to leave out, "gpu" allows graphics cards.
    """
    packages = os.path.join(os.path.dirname(os.environ["HOME"]), "packages")
    cards = glob.glob("/dev/nvidia*") if options.get("gpu") else ()
    jail = {
        "devices": sorted(path for path in cards if stat.S_ISCHR(os.stat(path).st_mode)),
        "read": [*folders.readable_paths(), packages],
        "write": [os.environ["XDG_CACHE_HOME"]],
        "without": options.get("without", ()),
    }
    return {"work": os.environ["HOME"], "packages": packages, "jail": jail}


def read_boot_id() -> str:
    """Return this machine's boot id; "" if unknown."""
    return processes.read_file(BOOT).decode("ascii").strip()


def main() -> None:
    """Serve the host over the text streams 0 and 1 until they end; never returns."""
    find_packages()
    lend_font_list(os.environ["MPLCONFIGDIR"])
    sys.argv = [""]
    carrier_main(lambda: supervisor.main(RemoteSupervisor))
