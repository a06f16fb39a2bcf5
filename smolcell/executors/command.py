"""A worker behind a command of this machine that relays its stdin and stdout: ``kubectl attach``, ``ssh HOST``, ``podman exec -i``.

* The host sends first: the remote side is started with ``start_words`` and reads the worker from its stdin.
* Before the remote side is started, the reaper gets the command that ends it, so that it also ends if this process is killed.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
from collections.abc import Callable, Sequence

from smolcell.core.text import tail
from smolcell.errors import SandboxError
from smolcell.executors import child_environment
from smolcell.executors.docker.containers import FIRST_WORDS
from smolcell.executors.local.environment import worker_zip
from smolcell.executors.reaper import reaper
from smolcell.worker.wire import frames

READ_BYTES = 1 << 20
ENDING_SECONDS = 1.5  # seconds to end the remote side; the reaper has its own limit


def start_words(home: str, python: str = "python3") -> list[str]:
    """Return the command line of the remote side: it creates the work folder ``home``, and reads the worker from its stdin."""
    first = f"import os; os.makedirs({home!r}, exist_ok=True)\n{FIRST_WORDS}"
    return [python, "-I", "-S", "-c", first, str(len(worker_zip()))]


def start_environment(home: str) -> dict[str, str]:
    """Return the environment variables of the remote side."""
    return child_environment.container(home, f"{home}-cache")


class PipedChannel:
    """A worker on the remote side of a command.

    Args:
        name: unique name of the remote side.
        make: starts the remote side, and returns the command that relays its stdin and stdout; blocks; may raise.
        end: idempotent command that ends the remote side.

    Raises:
        SandboxError, SetupError: raised by ``make``; then nothing is left running.
    """

    shares = False

    def __init__(self, name: str, make: Callable[[], Sequence[str]], end: Sequence[str]) -> None:
        self.name, self._end = name, list(end)
        self._lock = threading.Lock()
        self._archive = worker_zip()
        self._process: subprocess.Popen[bytes] | None = None
        self._dead, self._status = False, ""
        reaper.register_command(name, self._end, dict(os.environ))
        try:
            self._process = subprocess.Popen(
                make(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        except BaseException:
            self.kill()
            raise

    def send(self, buffers: Sequence[frames.Buffer], descriptor: int | None = None) -> None:
        """Write all data; blocks; raises OSError if the worker has ended."""
        if descriptor is not None:
            raise ValueError("descriptors cannot be sent through a command")
        stdin = None if self._process is None else self._process.stdin
        if stdin is None or stdin.closed:
            raise BrokenPipeError("the command has ended")
        archive, self._archive = self._archive, b""
        for buffer in (archive, *buffers):
            stdin.write(buffer)
        stdin.flush()

    def receive(self) -> bytes:
        """Read some bytes of the worker; b"" if it has ended."""
        stdout = None if self._process is None else self._process.stdout
        return b"" if stdout is None or stdout.closed else os.read(stdout.fileno(), READ_BYTES)

    def kill(self) -> None:
        """End the remote side and the command; if that takes too long, the reaper ends it after this process."""
        with self._lock:
            if self._dead:
                return
            self._dead = True
            ended = self._end_far_side()
            if self._process is not None:
                with contextlib.suppress(OSError, ValueError), self._process as command:
                    command.kill()
            if ended:
                reaper.forget(self.name)

    def _end_far_side(self) -> bool:
        try:
            done = subprocess.run(
                self._end, stdin=subprocess.DEVNULL, capture_output=True, timeout=ENDING_SECONDS, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
        self._status = tail(done.stderr.decode("utf-8", "replace"), 300)
        return done.returncode == 0

    def epitaph(self) -> str:
        """Return how it ended, as far as known."""
        return f"{self.name} ended, or the connection to it" + (f" ({self._status})" if self._status else "")


def output_of(*command: str, stdin: str | None = None, seconds: float = 90.0) -> str:
    """Run a command and return its output; ``stdin`` is its input.

    Raises:
        SandboxError: the command is missing, failed, or took too long; with the end of its stderr.
    """
    try:
        done = subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=seconds, check=False)
    except FileNotFoundError:
        raise SandboxError(f"{command[0]} is not installed; see: command -v {command[0]}") from None
    except subprocess.TimeoutExpired:
        raise SandboxError(
            f"{' '.join(command[:2])} took longer than {seconds:g} s; see: {' '.join(command[:2])} --help"
        ) from None
    if done.returncode:
        raise SandboxError(f"{' '.join(command[:2])} failed: {tail(done.stderr, 500)}")
    return done.stdout
