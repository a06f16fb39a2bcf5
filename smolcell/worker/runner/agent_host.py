"""The agent's own process in a sandbox: loads the program that the host ships, and hands it the host's questions.

* It answers, and asks nothing: there is no message by which it could call the host.
* Every question is answered, whatever the program raises; only the end of the process goes unanswered.
* If the system can prevent it, no other process of the sandbox reads this one's memory, which may hold secrets.

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
from ..wire.frames import Frame
from ..wire.link import Far
from . import errors

# --- Modules out of a zip that is held in memory: a sandbox may have no place for a file that its code cannot change.
#
# * Bytecode is taken if it is of this very Python; else the source beside it is compiled.
# * What the archive holds goes before what is installed.


_HEAD = 16  # bytes before the code (PEP 552)


class Archive(importlib.abc.MetaPathFinder):
    """Finds and loads the modules of one zip.

    Args:
        data: the zip.
    """

    def __init__(self, data: bytes) -> None:
        self.zip = zipfile.ZipFile(io.BytesIO(data))
        self.names = frozenset(self.zip.namelist())

    def add(self) -> None:
        """Let imports find it from now on."""
        sys.meta_path.insert(0, self)

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        """Return the spec of a module that is in there; None for any other."""
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
                code: types.CodeType = marshal.loads(data[_HEAD:])  # noqa: S302 - of the host, which runs this program
                return code
        return compile(self.get_source(fullname), f"agent/{self._name}", "exec", dont_inherit=True)

    def get_resource_reader(self, fullname: str) -> Any:
        return _Resources(zipfile.Path(self._archive.zip, self._name.rpartition("/")[0] + "/"))


class _Resources:
    """A package's files, as ``importlib.resources`` asks for them."""

    def __init__(self, folder: Any) -> None:
        self._folder = folder

    def files(self) -> Any:
        return self._folder


ENTRY = "smolcell.inside.program"
LEAST = (3, 11)  # the Python that the program needs; the worker needs less
MAX_ERROR = 4000


class Agent:
    """Serves the host's questions to the agent's program.

    Args:
        link: the way to the supervisor.
        options: as in the host's hello.
        tools: none; a runner has them.
    """

    def __init__(self, link: Far, options: dict[str, Any], tools: dict[str, str]) -> None:
        self._link = link
        self._program: Callable[[Any], Any] | None = None

    def on_interrupt(self, *_: Any) -> None:
        """SIGINT is for the code, which runs elsewhere."""

    def serve(self) -> None:
        """Serve until the supervisor is gone."""
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
            told = errors.fault(raised)
            blobs, error = (), "{}: {}".format(told["type"], told["message"])[:MAX_ERROR]
        return Frame("answer", {"id": frame.fields["id"], "error": error}, tuple(blobs))

    def _heard(self, frame: Frame) -> Any:
        if not frame.fields["load"]:
            if self._program is None:
                raise RuntimeError("no program was loaded")
            return self._program(frame.blobs)
        if sys.version_info < LEAST:
            found = "{}.{}".format(*sys.version_info[:2])
            raise RuntimeError(f"an agent needs Python 3.11 or newer, and the sandbox has {found}")
        Archive(bytes(frame.blobs[0])).add()
        spec = frames.loads(frame.blobs[1], values.JSON_DEPTH)
        os.environ.update(spec.pop("environment", {}))
        self._program = importlib.import_module(ENTRY).Program(spec)
        return ()
