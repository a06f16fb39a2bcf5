"""A way to a Docker engine behind ssh: a socket on this machine, each connection of which is one ``ssh``.

The rules this file exists to keep:

* It is the person's own ``ssh``, with their settings and keys; it never asks for a password.
* The socket lies in a folder that only this user may enter; it goes with ``close``, and every ``ssh`` ends with its connection.

The SDK's own way needs paramiko, and its streams over ``ssh`` cannot be read piece by piece. The far side's half is the same as
for the ``docker`` command: ``docker system dial-stdio``.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
import threading
from pathlib import Path
from urllib.parse import urlsplit

from smolcell.errors import SetupError

FAR = "docker system dial-stdio"
LAST = 2000  # characters kept of what ssh says


class Tunnel:
    """A socket that leads to the engine at ``ssh://[user@]host[:port]``."""

    def __init__(self, address: str) -> None:
        if shutil.which("ssh") is None:
            raise SetupError(
                f"the Docker engine at {address} is behind ssh, which is not installed; install it: sudo apt install openssh-client"
            )
        if not hasattr(socket, "AF_UNIX"):
            raise SetupError(
                f"{address}: an engine behind ssh cannot be reached from this system; see: docker context ls"
            )
        self._command = command(address)
        self._folder = Path(tempfile.mkdtemp(prefix="smolcell-ssh-"))
        self._listener = self._listen(address)
        self._errors = (self._folder / "errors").open("w+b")
        self._started: list[subprocess.Popen[bytes]] = []
        self._thread = threading.Thread(target=self._serve, name="smolcell-ssh", daemon=True)
        self._thread.start()

    def _listen(self, address: str) -> socket.socket:
        listener = socket.socket(socket.AF_UNIX)
        try:
            listener.bind(str(self._folder / "socket"))
        except OSError as error:  # the name of a socket has no room for a long path
            listener.close()
            shutil.rmtree(self._folder, ignore_errors=True)
            raise SetupError(
                f"no socket for {address} can be made in {self._folder} ({error}); choose another folder: export TMPDIR=/tmp"
            ) from None
        listener.listen()
        return listener

    @property
    def address(self) -> str:
        """The socket's address, for a client."""
        return f"unix://{self._folder / 'socket'}"

    def said(self) -> str:
        """The end of what ssh has complained about."""
        path = self._folder / "errors"
        return path.read_text("utf-8", "replace")[-LAST:].strip() if path.exists() else ""

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return  # closed
            with connection:
                self._started = [each for each in self._started if each.poll() is None]
                self._started.append(
                    subprocess.Popen(
                        self._command,
                        stdin=connection.fileno(),
                        stdout=connection.fileno(),
                        stderr=self._errors,
                        start_new_session=True,
                    )
                )

    def close(self) -> None:
        """End every connection; twice is harmless."""
        try:
            self._listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # closed before
        self._listener.close()
        self._thread.join(2.0)
        for each in self._started:
            each.terminate()
        for each in self._started:
            try:
                each.wait(2.0)
            except subprocess.TimeoutExpired:
                each.kill()
                each.wait()
        self._started = []
        self._errors.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def command(address: str) -> list[str]:
    """The command line of ssh for an engine's address.

    Raises:
        SetupError: it is no such address; a host that looks like an option is none.
    """
    try:
        parts = urlsplit(address)
        host, number = parts.hostname or "", parts.port
    except ValueError:
        host = ""
    if not host or host.startswith("-") or (parts.username or "").startswith("-"):
        raise SetupError(f"{address!r} is no address of a Docker engine behind ssh; write: DOCKER_HOST=ssh://user@host")
    user = ["-l", parts.username] if parts.username else []
    port = ["-p", str(number)] if number else []
    return ["ssh", "-o", "BatchMode=yes", "-T", *user, *port, "--", host, FAR]
