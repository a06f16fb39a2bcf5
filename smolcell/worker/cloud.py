"""The worker in a provider's sandbox, behind walls of its own: whatever the provider's are, these are measured.

* Packages are found as the sandbox's own Python finds them; of its disk the code sees those, and private folders.
* What it reports of its walls is what stands; which machine it is on, the host finds out by the machine's present start.
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

# --- Bytes over a stream of text that may break: numbered lines, kept until the other end has them.
#
# * A piece is delivered once and in order, however often the stream breaks and is started again.
# * Other lines are ignored, such as half a line of a broken stream.
# * What either end holds is bounded.
#
# A line is a letter, a number, and, with ``DATA``, base64: ``D17 aGVsbG8=``. Numbers count the pieces of one direction, from 1.


DATA, HAVE, RESEND, ALIVE = b"D", b"H", b"R", b"B"
"""A piece; "I have the pieces up to this one"; the same, and "say those after it again"; "I am alive"."""
PIECE = 192 << 10  # bytes of one piece
KEPT = 16 << 20  # bytes that wait for the other end to have them
HAVE_EVERY = 4 << 20  # bytes after which the other end says what it has
MAX_LINE = 2 << 20
_LETTERS = (DATA, HAVE, RESEND, ALIVE)


class CarrierLine(NamedTuple):
    """One line, read."""

    letter: bytes
    number: int
    data: bytes = b""


def write(letter: bytes, number: int, data: Any = b"") -> bytes:
    """Return a line as it is sent."""
    return b"%s%d %s\n" % (letter, number, base64.b64encode(data))


class LineReader:
    """Lines out of a stream of bytes, however it is cut."""

    def __init__(self) -> None:
        self._rest = b""

    def begin_anew(self) -> None:
        """The stream broke: what was half there will not be completed."""
        self._rest = b""

    def feed(self, data: bytes) -> list[CarrierLine]:
        """Return the lines that these bytes complete; invalid ones are ignored."""
        *whole, self._rest = (self._rest + data).split(b"\n")
        self._rest = self._rest if len(self._rest) <= MAX_LINE else b"-"
        return [found for found in map(_read, whole) if found is not None]


def _read(text: bytes) -> CarrierLine | None:
    head, space, body = text.partition(b" ")
    if not space or head[:1] not in _LETTERS or not head[1:].isdigit() or not 1 < len(head) <= 20:
        return None
    try:
        return CarrierLine(head[:1], int(head[1:]), base64.b64decode(body, validate=True))
    except (binascii.Error, ValueError):
        return None


class Incoming:
    """The pieces of one direction as they come: each once, in order."""

    def __init__(self) -> None:
        self.number = 0  # of the last one that came in order
        self._since = 0

    def take(self, line: CarrierLine) -> bytes:
        """Return the piece, if it is the next one; else b""."""
        if line.number != self.number + 1:
            return b""
        self.number = line.number
        self._since += len(line.data)
        return line.data

    def is_due(self) -> bool:
        """Return whether it is time to say which pieces have come."""
        due = self._since >= HAVE_EVERY
        self._since = 0 if due else self._since
        return due


class Outgoing:
    """The pieces of one direction as they are sent: each kept until the other end has it. Any thread may use it."""

    def __init__(self) -> None:
        self._room = threading.Condition()
        self._kept: deque[tuple[int, bytes]] = deque()
        self._size = 0
        self._number = 0

    def wait(self, seconds: float) -> bool:
        """Wait until another piece may be added; whether it may."""
        with self._room:
            return self._room.wait_for(lambda: self._size < KEPT, seconds)

    def add(self, data: bytes) -> bytes:
        """Return a piece's line, which is kept."""
        with self._room:
            self._number += 1
            line = write(DATA, self._number, data)
            self._kept.append((self._number, line))
            self._size += len(line)
            return line

    def forget(self, number: int) -> None:
        """Drop the pieces up to this one: the other end has them."""
        with self._room:
            while self._kept and self._kept[0][0] <= number:
                self._size -= len(self._kept.popleft()[1])
            self._room.notify_all()

    def kept(self) -> list[bytes]:
        """Return the lines that the other end may not have."""
        with self._room:
            return [line for _, line in self._kept]


# --- The process between a provider's stream of text and the supervisor: it carries bytes, and runs no code.
#
# * The stream may break and be started again at any time: nothing is lost, nothing comes twice.
# * It ends with the supervisor, and the supervisor with it.
# * Only root in the sandbox may look into it or write to its descriptors.


BEAT = 10.0  # seconds without anything to say after which it says that it is alive
READ = 1 << 18


class Carrier:
    """Carries between two descriptors of text and a socket of bytes.

    Args:
        read_from, write_to: descriptors of the host's lines, and of ours.
        sock: the supervisor's end.
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
                self._say(write(ALIVE, 0))
                continue
            try:
                data = self._sock.recv(PIECE)
            except OSError:
                return
            if not data:
                return
            self._say(self._outgoing.add(data))

    def _say(self, line: bytes) -> None:
        with self._writing:
            write_all(self._out, line)

    def _carry_in(self) -> None:
        lines = LineReader()
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

    def _hear(self, line: CarrierLine) -> None:
        if line.letter == DATA:
            data = self._incoming.take(line)
            if data:
                self._sock.sendall(data)
        elif line.letter in (HAVE, RESEND):
            self._outgoing.forget(line.number)
            if line.letter == RESEND:
                with self._writing:  # in order: what is added meanwhile comes after, or again
                    for kept in self._outgoing.kept():
                        write_all(self._out, kept)


def carrier_main(serve: Callable[[], object]) -> None:
    """Start the supervisor behind a socket, and carry to and from it; never returns.

    Args:
        serve: the supervisor's program; it serves descriptors 0 and 1.
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


# --- The worker as the first process of a container: what is there is the image's, and nothing of the host's.
#
# * Packages are found as the image's own Python finds them.
# * What libraries keep for themselves lies outside the work folder.


FONTS = "fontlist-*.json"


def find_packages() -> None:
    """Add the folders of installed packages to the search path (``-S`` leaves them out), a virtual environment's too."""
    known: Any = site.venv(site.removeduppaths() or set())
    site.addsitepackages(known)


def lend_font_list(cache: str) -> None:
    """Make matplotlib's folder, with the image's list of fonts if it has one: making it takes seconds.

    Args:
        cache: if it is to be.
    """
    given = os.environ.get("MPLCONFIGDIR", "")
    try:
        os.makedirs(cache)
        for path in glob.glob(os.path.join(given, FONTS)) if given else ():
            shutil.copy(path, cache)
    except OSError:
        pass  # it is made again
    os.environ["MPLCONFIGDIR"] = cache


def contained_main() -> None:
    """Serve the host over descriptors 0 and 1 until they end."""
    find_packages()
    lend_font_list(os.path.join(os.environ["XDG_CACHE_HOME"], "matplotlib"))
    sys.argv = [""]
    supervisor.main()


BOOT = "/proc/sys/kernel/random/boot_id"


class RemoteSupervisor(supervisor.Supervisor):
    """Serves a host that knows nothing of this machine's disk."""

    def _hello(self, options: dict[str, Any]) -> None:
        super()._hello({**options, **folder_options(options)})

    def _described(self, capabilities: dict[str, Any]) -> dict[str, Any]:
        return super()._described({**capabilities, "boot": boot()})


def folder_options(options: dict[str, Any]) -> dict[str, Any]:
    """Return the work folder, the paths that the code may read, and those that it may write besides.

    Args:
        options: of the host's hello: "without" names walls to leave out, "gpu" says that the code may use graphics cards.
    """
    packages = os.path.join(os.path.dirname(os.environ["HOME"]), "packages")
    cards = glob.glob("/dev/nvidia*") if options.get("gpu") else ()
    jail = {
        "devices": sorted(path for path in cards if stat.S_ISCHR(os.stat(path).st_mode)),
        "read": [*folders.readable(), packages],
        "write": [os.environ["XDG_CACHE_HOME"]],
        "without": options.get("without", ()),
    }
    return {"work": os.environ["HOME"], "packages": packages, "jail": jail}


def boot() -> str:
    """This machine's present start; "" if it does not say."""
    try:
        with open(BOOT, encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return ""


def main() -> None:
    """Serve the host over the text streams 0 and 1 until they end; never returns."""
    find_packages()
    lend_font_list(os.environ["MPLCONFIGDIR"])
    sys.argv = [""]
    carrier_main(lambda: supervisor.main(RemoteSupervisor))
