"""A worker in a provider's sandbox, connected by the text streams of its program.

* A broken connection is reconnected for up to ``RECONNECT_SECONDS``; nothing is lost or repeated.
* All times are measured by a monotonic clock.
* The sandbox is registered with the reaper before it is created, until it has ended; after the end its lease is not renewed.
"""

from __future__ import annotations

import hashlib
import io
import logging
import secrets
import shlex
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from smolcell.core.text import tail
from smolcell.errors import SmolcellError
from smolcell.executors import child_environment, packages
from smolcell.executors.cloud.provider import (
    TOKEN,
    Machine,
    Provider,
    ProviderUnreachable,
    RateLimited,
    SandboxGone,
    SandboxSpec,
    find_provider,
    labels,
)
from smolcell.executors.local.environment import PACKAGE, worker_zip
from smolcell.executors.reaper import reaper, register_end
from smolcell.worker import cloud
from smolcell.worker.wire import frames

log = logging.getLogger("smolcell")
RECONNECT_SECONDS = 60.0  # seconds for which a lost connection is reconnected
BACKOFF_SECONDS = (0.1, 0.3, 1.0, 2.0, 4.0)  # seconds between attempts; the last one is repeated
SILENCE_SECONDS = 45.0  # seconds without output after which the connection counts as lost
REPORT_SECONDS = 3.0  # seconds in which the end of a program must be reported
ENDING_SECONDS = 1.8  # seconds the provider may take to end a sandbox
PIECES_PER_REQUEST = 8  # pieces per request
RENEWALS = 3  # within one lifetime
KEPT_STDERR_CHARS = 2000  # kept of the worker's stderr
MAX_WAITING_PIECES = 64  # pieces of unread output

# --- Output of a program in a remote sandbox, read on a thread that can be abandoned.
#
# * Readers never wait inside an SDK: a stream that cannot be interrupted is left to end by itself.
# * The queue of unread output is bounded.


Said = tuple[str, str]
"""("begun", ""), ("out", text), ("err", text), ("end", exit code), ("lost", why), ("gone", why)."""


class OutputReader:
    """Reads the output of a machine's program on a thread.

    Args:
        machine: its ``output`` is read.
    """

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._changed = threading.Condition()
        self._waiting: deque[Said] = deque()
        self._last: Said | None = None
        self._left = False
        threading.Thread(target=self._listen, name="smolcell-listen", daemon=True).start()

    def next(self, seconds: float) -> Said:
        """Return the next output; ("lost", …) if none comes within ``seconds``."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._waiting or self._last, seconds):
                return "lost", f"no output for {seconds:g} s"
            if self._waiting:
                piece = self._waiting.popleft()
                self._changed.notify_all()
                return piece
            return self._last or ("lost", "")

    def has_ended(self, seconds: float) -> bool:
        """Return whether the output has ended, or ends within ``seconds``."""
        with self._changed:
            return self._changed.wait_for(lambda: self._last is not None, seconds)

    def end(self, piece: Said) -> None:
        """Queue ``piece`` as the last item."""
        with self._changed:
            self._last = self._last or piece
            self._changed.notify_all()

    def leave(self) -> None:
        """Stop reading."""
        with self._changed:
            self._left = True
            self._changed.notify_all()

    def _listen(self) -> None:
        try:
            for piece in self._machine.output():
                if not self._add(piece):
                    return
            self.end(("lost", "the stream ended"))
        except ProviderUnreachable as error:
            self.end(("lost", str(error)))
        except SmolcellError as error:
            self.end(("gone", str(error)))
        except Exception as error:
            self.end(("lost", f"{type(error).__name__}: {error}"))

    def _add(self, piece: Said) -> bool:
        """Queue an item; returns whether there is a reader."""
        if piece[0] == "end":
            self.end(piece)
            return False
        with self._changed:
            self._changed.wait_for(lambda: len(self._waiting) < MAX_WAITING_PIECES or self._left)
            self._waiting.append(piece)
            self._changed.notify_all()
            return not self._left


# --- called by the reaper, after this process has ended


END = f"{__name__}:end"


def environment(provider: Provider) -> dict[str, str]:
    """Return the variables with which another process reaches the provider as this one does."""
    return child_environment.inherited(*child_environment.USER, *child_environment.NETWORK, *provider.environ)


def end(name: str, token: str) -> bool:
    """End the sandbox of a provider that has this token; returns whether there was one."""
    provider = find_provider(name)
    listed = provider.listed({TOKEN: token})
    for each in listed:
        provider.end(each.name)
    return bool(listed)


FIRST_WORDS = """import os,sys
v="this sandbox has Python %d.%d.%d, and 3.9 or newer is needed; choose another by template= or interpreter="
if sys.version_info<(3,9):
    sys.stderr.write(v%sys.version_info[:3]+"\\n");sys.exit(78)
import fcntl,hashlib
with open(sys.argv[1],"rb") as s:d=s.read()
os.unlink(sys.argv[1])
if hashlib.sha256(d).hexdigest()!=sys.argv[2]:sys.exit("the worker did not arrive as it was sent")
f=os.memfd_create("worker",os.MFD_CLOEXEC|os.MFD_ALLOW_SEALING)
v=memoryview(d)
while v:v=v[os.write(f,v):]
fcntl.fcntl(f,1033,15)
sys.path.insert(0,"/proc/self/fd/%d"%f)
from PACKAGE.cloud import main
main()
""".replace("PACKAGE", PACKAGE)
"""The program that is started: it copies the worker from its file to sealed memory (1033 is F_ADD_SEALS), and runs it."""


def command(folder: str, archive: str, digest: str, python: str = "python3") -> str:
    """Return a command line for ``sh`` that starts the worker with private folders and a new environment.

    Args:
        folder: name of the folder for these; must be unused.
        archive: the worker's file in the home folder.
        digest: SHA-256 of its content.
        python: interpreter in the sandbox.
    """
    own = 'HOME="$d/work" TMPDIR="$d/work" XDG_CACHE_HOME="$d/cache" MPLCONFIGDIR="$d/cache/matplotlib"'
    program = f"{shlex.quote(python)} -I -S -c {shlex.quote(FIRST_WORDS)}"
    return (
        f'{_place(folder)} && mkdir -m 700 "$d" && mkdir "$d/work" "$d/cache" "$d/packages" && cd "$d/work" && '
        f'exec env -i PATH="$PATH" LANG=C.UTF-8 MPLBACKEND=Agg {own} {program} "$HOME/{archive}" {digest}'
    )


def _place(folder: str) -> str:
    """Set ``d`` to the worker's folder, in a command line for ``sh``."""
    return f'd="${{TMPDIR:-/tmp}}/{folder}"'


class RemoteSandbox:
    """A sandbox at a provider, from its creation to its end.

    It is registered with the reaper before it is created, until it has ended, and its lease is renewed meanwhile.

    Args:
        provider: creates it.
        order: its specification; labels are added here.

    Attributes:
        machine: the sandbox, as the provider's object.
        dead: set when it was ended.
        awake: set unless it is paused.

    Raises:
        SandboxError, SetupError: it was not created.
    """

    def __init__(self, provider: Provider, order: SandboxSpec) -> None:
        self._token = secrets.token_hex(16)
        self._provider, self._order = provider, replace(order, labels=labels(self._token))
        self._lock = threading.Lock()
        self.dead, self.awake = threading.Event(), threading.Event()
        self.awake.set()
        register_end(self._token, END, provider.name, self._token, environ=environment(provider))
        self.machine = self._make()

    def _make(self) -> Machine:
        title, lifetime = self._provider.title, self._order.lifetime
        try:
            return self._provider.create(self._order)
        except ProviderUnreachable as error:
            if isinstance(error, RateLimited):
                reaper.forget(self._token)
                raise
            raise ProviderUnreachable(  # it may have been created: keep it registered
                f"{title} cannot be reached ({error}); if a sandbox was created, {title} ends it after {lifetime} s. "
                "Is there a network? Meanwhile use: --sandbox local"
            ) from error
        except BaseException:
            reaper.forget(self._token)
            raise

    def keep_alive(self, on_gone: Callable[[str], None]) -> None:
        """Renew the lease regularly, until the end; without this process it expires. ``on_gone`` gets the reason if the sandbox is gone."""
        wait = self._order.lifetime / RENEWALS
        while not self.dead.wait(wait):
            self.awake.wait()
            try:
                self.machine.renew(self._order.lifetime)
                wait = self._order.lifetime / RENEWALS
            except ProviderUnreachable:
                wait = self._order.lifetime / RENEWALS / 4
            except SandboxGone as error:
                if self.awake.is_set():
                    on_gone(str(error))
            except SmolcellError as error:  # also a key that was revoked
                log.warning("the sandbox %s: %s", self.machine.name, error)

    def pause(self) -> None:
        """Pause it; senders wait for ``resume``."""
        self.awake.clear()
        try:
            self.machine.pause()
        except BaseException:
            self.awake.set()
            raise

    def resume(self) -> None:
        """Resume it. The caller then sets ``awake``.

        Raises:
            SandboxError: that failed.
        """
        try:
            self.machine.resume(self._order.lifetime)
        except ProviderUnreachable as error:
            raise ProviderUnreachable(
                f"{self._provider.title} cannot be reached to resume the sandbox ({error}); run the step again"
            ) from error

    def kill(self) -> bool:
        """End it and everything in it; returns False if it was ended before."""
        with self._lock:
            if self.dead.is_set():
                return False
            self.dead.set()
            self.awake.set()
            try:
                self.machine.kill(ENDING_SECONDS)
            except SmolcellError as error:
                title, lifetime = self._provider.title, self._order.lifetime
                log.warning(
                    "could not end %s yet (%s): %s ends it after %s s", self.machine.name, error, title, lifetime
                )
            else:
                reaper.forget(self._token)
        return True


class RemoteChannel:
    """A worker in a provider's sandbox.

    Args:
        provider: creates the sandbox.
        order: its specification.
        python: interpreter in it.

    Raises:
        SandboxError, SetupError: it did not start; nothing is left running.
    """

    shares = False

    def __init__(self, provider: Provider, order: SandboxSpec, python: str = "python3") -> None:
        self._folder, self._python, self._title = f"smolcell-{secrets.token_hex(8)}", python, provider.title
        self._how, self._errors = "", ""
        self._sent = 0  # pieces
        self._lines, self._incoming = cloud.LineReader(), cloud.Incoming()
        self._lost: float | None = None  # since when there has been no output, by the monotonic clock
        self._tried = 0  # since then
        self.sandbox = RemoteSandbox(provider, order)
        self.machine = self.sandbox.machine
        try:
            self._listening = self._begin()
        except BaseException:
            self.sandbox.kill()
            raise
        threading.Thread(target=self.sandbox.keep_alive, args=[self._end], name="smolcell-renew", daemon=True).start()

    def _begin(self) -> OutputReader:
        archive, name = worker_zip(), f"{self._folder}.zip"
        line = command(self._folder, name, hashlib.sha256(archive).hexdigest(), self._python)
        self.machine.put(name, archive)
        self.machine.start(line)
        return OutputReader(self.machine)

    def look(self) -> bytes:
        """Return the output of ``packages.LOOK`` for the sandbox's Python."""
        line = f"{shlex.quote(self._python)} -I -c {shlex.quote(packages.LOOK)}"
        return self.machine.execute(line).encode()

    def unpack(self, folder: Path) -> None:
        """Copy new packages from a folder to one that the code can read but not write."""
        name = f"{self._folder}-{secrets.token_hex(8)}.tar"
        with io.BytesIO() as file:
            packages.pack(folder, file)
            archive = file.getvalue()
        program = f"{shlex.quote(self._python)} -I -S -c {shlex.quote(packages.UNPACK)}"
        line = f'{_place(self._folder)}; {program} "$d/packages" <"$HOME/{name}"; s=$?; rm -f "$HOME/{name}"; exit $s'
        self.machine.put(name, archive)
        self.machine.execute(line)

    # --- to the worker ---

    def send(self, buffers: Sequence[frames.Buffer], descriptor: int | None = None) -> None:
        """Write all data; blocks; raises OSError if the worker has ended."""
        if descriptor is not None:
            raise ValueError("descriptors cannot be sent to a provider")
        lines: list[bytes] = []
        for piece in _split(buffers):
            self._sent += 1
            lines.append(cloud.write(cloud.DATA, self._sent, piece))
            if len(lines) == PIECES_PER_REQUEST:
                self._insist(b"".join(lines))
                lines = []
        if lines:
            self._insist(b"".join(lines))

    def _insist(self, data: bytes) -> None:
        """Write to the program's stdin. Retries with backoff while there is no connection: the receiver drops repeated pieces."""
        tried, since = 0, time.monotonic()
        while True:
            self.sandbox.awake.wait()
            if self.sandbox.dead.is_set():
                raise BrokenPipeError("the sandbox has ended")
            try:
                self._write(data)
                return
            except ProviderUnreachable as error:
                if time.monotonic() - since > RECONNECT_SECONDS:
                    self._end(self._unreachable(error))
            except SmolcellError as error:
                if not self._listening.has_ended(REPORT_SECONDS):  # otherwise the reader gets the reason
                    self._listening.end(("gone", str(error)))
                raise BrokenPipeError(str(error)) from error
            self._back_off(tried)
            tried += 1

    def _write(self, data: bytes) -> None:
        """Write lines, after a line that cancels an incomplete one: half a line of an earlier request may look complete."""
        self.machine.send(b"!\n" + data)

    def _back_off(self, tried: int) -> None:
        self.sandbox.dead.wait(BACKOFF_SECONDS[min(tried, len(BACKOFF_SECONDS) - 1)])

    # --- from the worker ---

    def receive(self) -> bytes:
        """Read some bytes of the worker; b"" if it has ended."""
        while not self.sandbox.dead.is_set():
            kind, piece = self._listening.next(SILENCE_SECONDS)
            data = b""
            if kind == "out":
                data = self._take(piece)
            elif kind == "err":
                self._errors = (self._errors + piece)[-KEPT_STDERR_CHARS:]
            elif kind == "begun":
                self._send_line(cloud.RESEND)
            elif kind == "lost" or self.is_paused:  # a paused sandbox seems to have ended
                self._join_again(piece)
            else:
                self._how = self._how or (piece if kind == "gone" else self._ending_message(piece))
                break
            if data:
                return data
        return b""

    def _take(self, text: str) -> bytes:
        """Return the bytes of the pieces in some text."""
        self._lost = None
        data = b""
        for line in self._lines.feed(text.encode("ascii", "replace")):
            if line.letter == cloud.DATA:
                data += self._incoming.take(line)
        if data:  # repeated output does not reset the backoff
            self._tried = 0
        if self._incoming.is_due():
            self._send_line(cloud.HAVE)
        return data

    def _send_line(self, letter: bytes) -> None:
        """Send an acknowledgement; if that fails, the stream is reconnected."""
        try:
            self._write(cloud.write(letter, self._incoming.number))
        except ProviderUnreachable as error:
            self._listening.end(("lost", str(error)))
        except SmolcellError as error:
            self._listening.end(("gone", str(error)))

    def _join_again(self, why: str) -> None:
        """Reconnect the broken stream, after a pause."""
        self._listening.leave()
        self._lines.begin_anew()
        self.sandbox.awake.wait()
        self._lost = time.monotonic() if self._lost is None else self._lost
        if time.monotonic() - self._lost > RECONNECT_SECONDS:
            self._end(self._unreachable(why))
            return
        if self._tried:
            self._back_off(self._tried - 1)
        self._tried += 1
        self._listening = OutputReader(self.machine)

    def _unreachable(self, why: object) -> str:
        return f"there was no connection to its sandbox at {self._title} for {RECONNECT_SECONDS:g} s ({why}); run the step again"

    def _ending_message(self, status: str) -> str:
        errors = tail(self._errors, KEPT_STDERR_CHARS)
        if errors:
            return f"its program in the sandbox ended with exit code {status}: {errors}"
        hint = "; perhaps its memory ran out" if status in ("137", "-1") else ""
        return f"its program in the sandbox ended with exit code {status}{hint}; run the step again"

    # --- lifetime ---

    @property
    def is_paused(self) -> bool:
        """Whether the sandbox is paused."""
        return not self.sandbox.awake.is_set()

    def resume(self) -> None:
        """Resume a paused sandbox.

        Raises:
            SandboxError: that failed; if the sandbox has ended, so has this channel.
        """
        if not self.is_paused:
            return
        try:
            self.sandbox.resume()
        except SandboxGone as error:
            self._end(str(error))
            raise
        self._lost = None
        self._listening.end(("lost", "it was paused"))
        self.sandbox.awake.set()

    def _end(self, how: str) -> None:
        """End the channel for this reason."""
        self._how = self._how or how
        self._listening.end(("gone", how))
        self.kill()

    def kill(self) -> None:
        """End the sandbox and everything in it."""
        if self.sandbox.kill():
            self._listening.end(("gone", "the sandbox was closed"))

    def epitaph(self) -> str:
        """Return how the sandbox ended."""
        return self._how


def _split(buffers: Sequence[frames.Buffer]) -> Iterator[bytes]:
    """Yield the bytes of all buffers, in pieces that fit in one line each."""
    waiting = bytearray()
    for buffer in buffers:
        view = memoryview(buffer).cast("B")
        while view:
            room = cloud.PIECE_BYTES - len(waiting)
            waiting += view[:room]
            view = view[room:]
            if len(waiting) == cloud.PIECE_BYTES:
                yield bytes(waiting)
                waiting.clear()
    if waiting:
        yield bytes(waiting)
