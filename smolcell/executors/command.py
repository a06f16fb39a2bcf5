"""A worker behind a command of this machine that carries its stdin and stdout: ``kubectl attach``, ``ssh HOST``, ``podman exec -i``.

* The host speaks first: the far side is started with ``start_words`` and takes the worker from its stdin.
* The reaper knows the command that ends the far side before that is made, until it is gone: it ends also if this process is killed.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
from collections.abc import Callable, Sequence

from smolcell.errors import SandboxError
from smolcell.executors import child_environment
from smolcell.executors.docker.containers import FIRST_WORDS
from smolcell.executors.local.environment import worker_zip
from smolcell.executors.reaper import reaper
from smolcell.text import visible
from smolcell.worker.wire import frames

READ = 1 << 20
ENDING = 1.5  # seconds that the far side's end may take; the reaper does not wait


def start_words(home: str, python: str = "python3") -> list[str]:
    """Return the program that the far side is to run: it makes the work folder ``home``, and takes the worker from its stdin."""
    first = f"import os; os.makedirs({home!r}, exist_ok=True)\n{FIRST_WORDS}"
    return [python, "-I", "-S", "-c", first, str(len(worker_zip()))]


def start_environment(home: str) -> dict[str, str]:
    """Return the variables that it is to have."""
    return child_environment.container(home, f"{home}-cache")


class PipedChannel:
    """A worker on the far side of a command.

    Args:
        name: of the far side; nothing else has it.
        make: makes the far side, and returns the command that carries its stdin and stdout; blocks, and raises what went wrong.
        end: the idempotent command that ends the far side.

    Raises:
        SandboxError, SetupError: what ``make`` raises; nothing is left then.
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
        """Write all of it; blocks; raises OSError when the worker is gone."""
        if descriptor is not None:
            raise ValueError("no descriptor goes through a command")
        stdin = None if self._process is None else self._process.stdin
        if stdin is None or stdin.closed:
            raise BrokenPipeError("the command has ended")
        archive, self._archive = self._archive, b""
        for buffer in (archive, *buffers):
            stdin.write(buffer)
        stdin.flush()

    def receive(self) -> bytes:
        """Read some bytes of the worker's; b"" when it is gone."""
        stdout = None if self._process is None else self._process.stdout
        return b"" if stdout is None or stdout.closed else os.read(stdout.fileno(), READ)

    def kill(self) -> None:
        """End the far side and the command; if that takes too long, the reaper ends it when this process does."""
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
            done = subprocess.run(self._end, stdin=subprocess.DEVNULL, capture_output=True, timeout=ENDING, check=False)
        except (OSError, subprocess.TimeoutExpired):
            return False
        self._status = visible(done.stderr.decode("utf-8", "replace")).strip()[-300:]
        return done.returncode == 0

    def epitaph(self) -> str:
        """Return how it ended, as far as can be known."""
        return f"{self.name} ended, or the connection to it" + (f" ({self._status})" if self._status else "")


def output_of(*command: str, said: str | None = None, seconds: float = 90.0) -> str:
    """Return the output of a command; ``said`` is its stdin.

    Raises:
        SandboxError: it is not there, failed, or took too long; with its last words.
    """
    try:
        done = subprocess.run(command, input=said, capture_output=True, text=True, timeout=seconds, check=False)
    except FileNotFoundError:
        raise SandboxError(f"{command[0]} is not installed; see: command -v {command[0]}") from None
    except subprocess.TimeoutExpired:
        raise SandboxError(
            f"{' '.join(command[:2])} took longer than {seconds:g} s; see: {' '.join(command[:2])} --help"
        ) from None
    if done.returncode:
        raise SandboxError(f"{' '.join(command[:2])} failed: {visible(done.stderr).strip()[-500:]}")
    return done.stdout
