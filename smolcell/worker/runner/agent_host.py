"""The agent's process in a sandbox: loads the program that the host sends, and passes it the host's questions.

* It only answers: there is no message by which it could call the host.
* Every question is answered, whatever the program raises; if the process ends, the supervisor answers.
* If the system allows it, no other process of the sandbox can read its memory, which may hold secrets.

The program is a zip with a module ``ENTRY``, whose ``Program(spec)`` is called with the blobs of each question.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util
import io
import marshal
import os
import signal
import sys
import types
import zipfile
from typing import Any, Callable

from ..system import processes
from ..wire import frames, values
from ..wire.bounds import cut_end
from ..wire.frames import Frame
from ..wire.link import Far
from . import errors

# --- Imports from a zip in memory: a sandbox may have no place for files that its code cannot change.
#
# * Bytecode is used if it was compiled by this version of Python; else the source is compiled.
# * Modules in the archive take precedence over installed ones.


_HEAD = 16  # bytes before the code (PEP 552)


class Archive(importlib.abc.MetaPathFinder):
    """Finds and loads modules in a zip.

    Args:
        data: the zip.
    """

    def __init__(self, data: bytes) -> None:
        self.zip = zipfile.ZipFile(io.BytesIO(data))
        self.names = frozenset(self.zip.namelist())

    def add(self) -> None:
        """Put this finder first in ``sys.meta_path``."""
        sys.meta_path.insert(0, self)

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        """Return the spec of a module in the archive; None for others."""
        base = fullname.replace(".", "/")
        for name, package in ((f"{base}/__init__.py", True), (f"{base}.py", False)):
            if name in self.names:
                loader = _Loader(self, name)
                return importlib.util.spec_from_loader(fullname, loader, origin=f"agent/{name}", is_package=package)
        return None


class _Loader(importlib.abc.InspectLoader):
    def __init__(self, archive: Archive, name: str) -> None:
        self._archive, self._name = archive, name

    def is_package(self, fullname: str) -> bool:
        return self._name.endswith("/__init__.py")

    def get_source(self, fullname: str) -> str:
        return self._archive.zip.read(self._name).decode("utf-8")

    def get_code(self, fullname: str) -> types.CodeType | None:
        compiled = f"{self._name}c"
        if compiled in self._archive.names:
            data = self._archive.zip.read(compiled)
            if data.startswith(importlib.util.MAGIC_NUMBER):
                code: types.CodeType = marshal.loads(data[_HEAD:])  # noqa: S302 - from the host, which runs this program
                return code
        return compile(self.get_source(fullname), f"agent/{self._name}", "exec", dont_inherit=True)

    def get_resource_reader(self, fullname: str) -> Any:
        return _Resources(zipfile.Path(self._archive.zip, self._name.rpartition("/")[0] + "/"))


class _Resources:
    """Files of a package, in the interface of ``importlib.resources``."""

    def __init__(self, folder: Any) -> None:
        self._folder = folder

    def files(self) -> Any:
        return self._folder


ENTRY = "smolcell.inside.program"
MIN_PYTHON = (3, 11)  # minimum Python version of the program; the worker needs less
MAX_ERROR_CHARS = 4000


class Agent:
    """Passes the host's questions to the agent's program.

    Args:
        link: connection to the supervisor.
        options: as in the host's hello.
        tools: unused; the same signature as a runner's.
    """

    def __init__(self, link: Far, options: dict[str, Any], tools: dict[str, str]) -> None:
        self._link = link
        self._program: Callable[[Any], Any] | None = None

    def on_interrupt(self, *_: Any) -> None:
        """Ignore SIGINT, which is meant for the code in another process."""

    def serve(self) -> None:
        """Answer questions until the supervisor closes the link."""
        processes.prctl(processes.PR_SET_DUMPABLE, 0)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        while True:
            try:
                frame = self._link.receive()
            except EOFError:
                os._exit(0)
            self._link.begin()
            self._link.send(self._answer(frame))

    def _answer(self, frame: Frame) -> Frame:
        try:
            blobs, error = self._heard(frame), ""
        except BaseException as raised:
            fault = errors.fault(raised)
            blobs, error = (), cut_end("{}: {}".format(fault["type"], fault["message"]), MAX_ERROR_CHARS)
        return Frame("answer", {"id": frame.fields["id"], "error": error}, tuple(blobs))

    def _heard(self, frame: Frame) -> Any:
        if not frame.fields["load"]:
            if self._program is None:
                raise RuntimeError("no program was loaded")
            return self._program(frame.blobs)
        if sys.version_info < MIN_PYTHON:
            version = "{}.{}".format(*sys.version_info[:2])
            raise RuntimeError(f"an agent needs Python 3.11 or newer, and the sandbox has {version}")
        Archive(bytes(frame.blobs[0])).add()
        spec = frames.loads(frame.blobs[1], values.JSON_DEPTH)
        os.environ.update(spec.pop("environment", {}))
        self._program = importlib.import_module(ENTRY).Program(spec)
        return ()
