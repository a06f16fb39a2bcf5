"""The command ``smolcell``: in processes of its own, with pipes around it or at a terminal, and in this process."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

from processes import PATIENCE

from smolcell.cli import main


def recording(path: Path, task: str, *programs: str) -> Path:
    lines: list[dict[str, object]] = [{"format": "smolcell-recording", "version": 1, "model": "by hand"}]
    lines += [{"task": task, "text": f"Next.\n<code>\n{program}\n</code>"} for program in programs]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def smolcell(*words: str, stdin: str = "", folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "smolcell", *words]
    return subprocess.run(
        command, input=stdin, capture_output=True, text=True, timeout=PATIENCE, check=False, cwd=folder
    )


def smolcell_here(*words: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The command in this process, which is quicker."""
    status: object
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err, chdir(folder or Path.cwd()):
        try:
            status = main(words)
        except SystemExit as ended:
            status = ended.code
    return subprocess.CompletedProcess(words, int(str(status)), out.getvalue(), err.getvalue())


class Terminal:
    """The command in a terminal of its own; reads what it draws, and types."""

    def __init__(self, *words: str) -> None:
        import pty

        self.seen, self._at = "", 0
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            signal.signal(signal.SIGINT, signal.default_int_handler)  # else who started the tests may have it ignored
            os.execve(
                sys.executable,
                [sys.executable, "-m", "smolcell", *words],
                {**os.environ, "TERM": "dumb", "NO_COLOR": "1"},
            )

    def until(self, text: str) -> None:
        """Read until this is drawn, below what was waited for before."""
        import select

        end = time.monotonic() + PATIENCE
        while text not in self.seen[self._at :]:
            ready, _, _ = select.select([self._fd], [], [], max(end - time.monotonic(), 0))
            assert ready, f"{text!r} was not drawn; this was:\n{self.seen}"
            try:
                self.seen += os.read(self._fd, 65536).decode(errors="replace").replace("\r\n", "\n")
            except OSError:
                raise AssertionError(f"it ended before {text!r}; this was drawn:\n{self.seen}") from None
        self._at = self.seen.index(text, self._at) + len(text)

    def type(self, text: str) -> None:
        os.write(self._fd, text.encode())

    def ends(self) -> int:
        """Read to the end; returns the exit status."""
        while True:
            try:
                got = os.read(self._fd, 65536)
            except OSError:
                break
            if not got:
                break
            self.seen += got.decode(errors="replace").replace("\r\n", "\n")
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self._fd)
        return status
