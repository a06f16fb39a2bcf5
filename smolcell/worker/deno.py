"""The supervisor of code that runs in WebAssembly: its runner is Deno, spoken to over pipes.

The rules this file exists to keep:

* The rules of ``portable`` hold; only the runner's program is another, and an interrupt is an empty record.
* Deno is granted to read one folder (and the wheels, where there are any), and nothing else; it never asks.
* Where there is Landlock it stands behind Deno: around this program and all that it starts.
* What the program holds in memory is bounded from outside too: files and JavaScript's own objects count.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from . import kernel, landlock, portable, view, wire, workfolder
from .child import Child
from .limits import DISK
from .watch import Watch
from .wire import Frame

PAGE = 64 << 10  # bytes of WebAssembly's memory
SYSTEM = (
    "/usr",
    "/lib",
    "/lib64",
    "/etc/ld.so.cache",
    "/proc",
    "/sys/devices/system/cpu",
)  # what programs are linked to
STACK = 64 << 20  # bytes; so much that Python's own limit on recursion comes first


def command(options: dict[str, Any]) -> list[str]:
    """How Deno is started.

    Args:
        options: as in the host's hello: "memory" in MB, and in "deno" the paths "program", "folder", "main", "snapshot", "archive" and
            "wheels" ("" for none).
    """
    deno = options["deno"]
    readable = ",".join(path for path in (deno["folder"], deno["wheels"]) if path)
    pages = (int(options["memory"]) << 20) // PAGE
    return [
        deno["program"],
        "run",
        "--quiet",
        "--no-prompt",
        "--no-remote",
        "--no-config",
        "--no-lock",
        "--cached-only",
        "--node-modules-dir=manual",
        f"--allow-read={readable}",
        "--deny-net",
        "--deny-env",
        "--deny-run",
        "--deny-write",
        "--deny-ffi",
        "--deny-sys",
        "--deny-import",
        f"--v8-flags=--wasm-max-mem-pages={pages},--stack-size={STACK // 1024 * 3 // 4}",
        deno["main"],
        deno["snapshot"],
        deno["archive"],
        deno["wheels"],
    ]


def shut_disk(options: dict[str, Any]) -> str:
    """Shut this thread, and what it starts from now on, off from all of the disk that Deno and Python do not need.

    Returns:
        "" where that was done, else why not. It stands behind Deno's own refusals, should its engine have a hole.
    """
    abi = landlock.version() if sys.platform == "linux" else 0
    if not abi:
        return "only on Linux with Landlock" if sys.platform != "linux" else "this kernel has no Landlock, or it is off"
    deno = options["deno"]
    own = [deno["program"], deno["folder"], deno["wheels"], sys.base_prefix, *sys.path]
    granted = [(path, landlock.READ) for path in (*SYSTEM, *own) if path]
    granted += [(path, landlock.DEVICE) for path in view.DEVICES]
    try:
        kernel.set_no_new_privileges()
        landlock.restrict(abi, granted)
    except OSError as error:
        return str(error.strerror or error)
    return ""


class DenoChild(portable.PortableChild):
    """One Deno process with Python in it."""

    python = ""

    @staticmethod
    def _begin(options: dict[str, Any]) -> subprocess.Popen[bytes]:
        return portable.start(command(options))

    def _started(self, frame: Frame) -> None:
        self.python = bytes(frame.blobs[0]).decode("ascii", "replace")[:20] if frame.blobs else ""

    def interrupt(self) -> None:
        """An empty record: it does not go to the code's thread."""
        self.link.outbox.add([b""])


class DenoSupervisor(portable.PortableSupervisor):
    """Serves one host; code runs in Deno."""

    def _hello(self, options: dict[str, Any]) -> None:
        self._walls = {"landlock": shut_disk(options)}
        super()._hello(options)

    def _new_child(self) -> Child:
        return DenoChild(self._options, self._tools, self._wake)

    def _described(self, capabilities: dict[str, Any]) -> dict[str, Any]:
        python = self._child.python if isinstance(self._child, DenoChild) else ""
        return {"python": python, "capabilities": {**capabilities, "threads": False}}

    def _hear(self, frame: Frame) -> None:
        if frame.type == "look" and self._child is None and self._request is None and not self._waiting:
            self._say(Frame("answer", {"id": frame.fields["id"], "error": ""}, (wire.dumps([]),)))
            self._child = self._new_child()  # it has no files yet; started while the host reads how the last one ended
        elif frame.type in workfolder.FRAMES:  # the work folder is in the runner's memory
            self._waiting.append(frame)
        else:
            super()._hear(frame)

    def _new_watch(self, options: dict[str, Any]) -> Watch:
        """Of the memory alone: files lie in it."""
        return Watch({"memory": int(options["memory"]) + DISK}, ())


def main() -> None:
    """Serve the host over descriptors 0 and 1."""
    portable.main(DenoSupervisor)
