"""llama.cpp's server in a process of its own: it serves one file on loopback, and ends with the process that started it.

Run as a program, this file is that process: it needs nothing but xllamacpp.
"""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from smolcell.models.errors import Source

BATCH_TOKENS = 64  # tokens of a prompt that are read between two looks whether the reply is still wanted
_POLL_SECONDS = 0.1


class Server:
    """A serving process.

    Args:
        source: the model, for errors.
        options: ``n_ctx``, ``n_threads``, ``n_gpu_layers`` and ``chat_template``.
    """

    def __init__(self, source: Source, **options: Any) -> None:
        self._source, self._options = source, options
        self._process: subprocess.Popen[bytes] | None = None
        self._key = ""
        self.address = ""  # up to ``/v1``
        self.window = 0  # tokens of prompt and reply together

    @property
    def runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def ends(self, seconds: float) -> bool:
        """Return whether the process ended, or ends within so many seconds."""
        with suppress(subprocess.TimeoutExpired):
            if self._process is not None:
                self._process.wait(seconds)
        return not self.runs

    @property
    def headers(self) -> dict[str, str]:
        """Headers of a request: other users of this machine cannot ask the model."""
        return {"Authorization": f"Bearer {self._key}"}

    def start(self, path: Path, check: Callable[[], None]) -> None:
        """Load a file and serve it.

        Args:
            path: the GGUF file.
            check: called while it loads; raises to give up.

        Raises:
            SetupError: xllamacpp is not installed.
            ModelError: the file cannot be loaded.
        """
        self.stop()
        self._key = secrets.token_hex(16)
        asked = {**self._options, "path": str(path), "key": self._key, "batch": BATCH_TOKENS}
        self._process = process = subprocess.Popen(
            [sys.executable, "-P", __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        told: list[bytes] = []
        assert process.stdin is not None and process.stdout is not None  # noqa: S101
        listener = threading.Thread(target=_listen, args=(process.stdout, told), name="smolcell-gguf", daemon=True)
        listener.start()
        try:
            process.stdin.write(json.dumps(asked).encode() + b"\n")
            process.stdin.flush()
            while listener.is_alive():
                check()
                listener.join(_POLL_SECONDS)
        except OSError:
            pass  # it has ended
        except BaseException:
            self.stop()
            raise
        answer: dict[str, Any] = json.loads(told[0]) if told and told[0].strip() else {"error": "the process ended"}
        if "error" in answer:
            self.stop()
            raise self._fault(answer)
        self.address, self.window = f"{answer['address']}/v1", int(answer["window"])

    def stop(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):  # what was not yet written
                    pipe.close()  # type: ignore[union-attr]

    def _fault(self, answer: dict[str, Any]) -> Exception:
        from smolcell.models.local import check_library

        if answer.get("missing"):
            check_library(self._source.model, str(answer["error"]))
        advice = "Check that it is a whole GGUF file and fits into memory; a smaller n_ctx takes less"
        return self._source.fault("cannot be loaded", advice, kind="model", reason=str(answer["error"]))


def _listen(stdout: IO[bytes], told: list[bytes]) -> None:
    told.append(stdout.readline())


# --- The process.


def serve() -> None:
    """Read what to serve from standard input, say where on standard output, and serve until standard input ends."""
    parent = os.getppid()
    asked = json.loads(sys.stdin.readline())
    say = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever the library prints
    try:
        import xllamacpp
    except ImportError as error:
        print(json.dumps({"error": str(error), "missing": True}), file=say, flush=True)
        return
    try:
        server, window = _load(xllamacpp, asked)
    except Exception as error:
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}), file=say, flush=True)
        return
    print(json.dumps({"address": server.listening_address, "window": window}), file=say, flush=True)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    sys.stdin.read()
    os._exit(0)


def _load(xllamacpp: Any, asked: dict[str, Any]) -> tuple[Any, int]:
    params = xllamacpp.CommonParams()
    params.model.path = asked["path"]
    params.n_ctx, params.n_parallel, params.port = asked["n_ctx"], 1, 0
    params.n_batch = params.n_ubatch = asked["batch"]
    params.n_gpu_layers = asked["n_gpu_layers"]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    threads = asked["n_threads"] or cores
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.api_keys = [asked["key"]]
    params.chat_template = asked["chat_template"]
    return xllamacpp.Server(params), asked["n_ctx"]


def _end_with(parent: int) -> None:
    """End this process with the one that started it, even if another one holds its pipe."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)


if __name__ == "__main__":
    serve()
