"""Files of sandboxes that run the worker: what goes into each new one, and the work folder of one that is elsewhere.

The rules this file exists to keep:

* A fresh worker gets the same files as the one before.
* What a worker says of its folder is checked: names without a way out, sizes that are numbers, pieces no longer than asked for.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from smolcell.errors import SandboxError
from smolcell.events import File
from smolcell.executors.base import WorkerExecutor
from smolcell.executors.channel import Connection
from smolcell.executors.files import PIECE, Folder, Seen, contents, measured, named, pieces
from smolcell.worker import values, wire, workfolder

Ask = Callable[[Callable[[Connection, int], None]], wire.Frame]
TOGETHER = 200  # files in one frame


class FilingExecutor(WorkerExecutor):
    """A sandbox with a work folder that files go into and come out of. A subclass sets ``_folder`` when its worker starts."""

    _folder: Folder | None = None  # of the worker that runs, or ran last
    _files: Mapping[str, Path] = MappingProxyType({})  # what goes into every new one

    def send_files(self, paths: Sequence[str | os.PathLike[str]]) -> tuple[File, ...]:
        """See ``WorkerExecutor.send_files``."""
        files = named(paths)
        sizes = measured(files)
        self._files = {**self._files, **files}
        if self._folder is not None and self._connection is not None:
            self._folder.put(files)
        return sizes

    def files(self) -> tuple[File, ...]:
        """See ``WorkerExecutor.files``."""
        return self._folder.all() if self._folder is not None and not self._closed else ()

    def keep_file(self, name: str, target: Path) -> Path:
        """See ``WorkerExecutor.keep_file``."""
        if self._folder is None or self._closed:
            raise SandboxError("the sandbox is not running: its files are gone, or not there yet")
        return self._folder.keep(name, target)

    def _end_open(self) -> None:
        """End the sandbox, if it is open; the next step begins a new one, and says that the variables are gone."""
        connection = self._connection
        if connection is not None:
            connection.close()

    def _fill(self) -> None:
        """Copy what goes into every new work folder into that of a worker which is reached over its wire only."""
        self._folder = FarFolder(lambda send: self._exchange.ask(self._connection, send))
        self._folder.put(self._files)

    def _written(self) -> tuple[File, ...]:
        return self._folder.changed() if self._folder is not None else ()


class FarFolder(Folder):
    """The work folder of a sandbox that is reached over its wire only.

    Args:
        ask: sends a question to the worker, and gives its answer.
    """

    def __init__(self, ask: Ask) -> None:
        super().__init__()
        self._ask = ask

    def put(self, files: Mapping[str, Path]) -> None:
        """See ``Folder.put``."""
        waiting: list[tuple[str, int, bytes]] = []
        try:
            for piece in _pieces_of(files):
                waiting.append(piece)
                if len(waiting) == TOGETHER or sum(len(data) for _, _, data in waiting) >= PIECE:
                    self._send(waiting)
                    waiting = []
            self._send(waiting)
        except OSError as error:
            raise SandboxError(f"{error.filename} cannot be copied into the sandbox: {error.strerror}") from error
        self.changed()

    def _send(self, pieces: list[tuple[str, int, bytes]]) -> None:
        if not pieces:
            return
        names, places = [name for name, _, _ in pieces], [at for _, at, _ in pieces]
        data = [piece for _, _, piece in pieces]
        try:
            self._ask(lambda line, number: line.send("put", data, id=number, names=names, at=places))
        except SandboxError as error:
            raise type(error)(f"{names[0]} … cannot be copied into the sandbox: {error}") from error

    def _look(self) -> Seen:
        try:
            answer = self._ask(lambda line, number: line.send("look", id=number))
        except SandboxError:
            return {}  # it has ended, and its folder with it
        return _seen(answer)

    def _pieces(self, name: str) -> Iterator[bytes]:
        at, data = 0, b"-"
        while data:
            data = self._piece(name, at)
            at += len(data)
            yield data

    def _piece(self, name: str, at: int) -> bytes:
        answer = self._ask(lambda line, number: line.send("read", id=number, name=name, at=at, size=PIECE))
        if len(answer.blobs) != 1 or len(answer.blobs[0]) > PIECE:
            raise SandboxError(f"the sandbox answered with what is no piece of the file {name!r}")
        return bytes(answer.blobs[0])


def _pieces_of(files: Mapping[str, Path]) -> Iterator[tuple[str, int, bytes]]:
    """Names with the pieces of what is in them and where each begins; a folder's name ends in "/"."""
    for name, path in files.items():
        if path.is_dir():
            yield f"{name}/", 0, b""
        for each, where in contents(name, path):
            at = 0
            for data in pieces(where):
                yield each, at, data
                at += len(data)
            if not at:
                yield each, 0, b""


def _seen(answer: wire.Frame) -> Seen:
    """A worker's list of its files; what is not one is a WireError's worth of nothing."""
    try:
        said = values.read_json(answer.blobs[0])
    except (wire.WireError, LookupError):
        return {}
    if type(said) is not list or len(said) > workfolder.MAX_FILES:
        return {}
    return {item[0]: (item[1], item[2]) for item in said if _is_seen(item)}


def _is_seen(item: object) -> bool:
    if type(item) is not list or [type(part) for part in item] != [str, int, int] or item[2] < 0:
        return False
    path = PurePosixPath(item[0])
    return bool(path.name) and not path.is_absolute() and ".." not in path.parts and len(item[0]) <= 4096
