"""Files over the wire: what the worker does with frames about its folder, and what the host takes of its answers."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import pytest

from smolcell.errors import SandboxError
from smolcell.events import File
from smolcell.executors import files
from smolcell.executors.files import FarFolder, last_name, names_in_folder
from smolcell.worker.system import folders
from smolcell.worker.wire import frames


class Line:
    """A connection whose far side answers at once; keeps what was asked."""

    def __init__(self, answer: Callable[[frames.Frame], frames.Frame]) -> None:
        self._answer = answer
        self.asked: list[frames.Frame] = []

    def ask(self, send: Callable[[Any, int], None]) -> frames.Frame:
        send(self, len(self.asked) + 1)
        answer = self._answer(self.asked[-1])
        if answer.fields["error"]:
            raise SandboxError(answer.fields["error"])
        return answer

    def send(self, kind: str, blobs: Any = (), **fields: Any) -> None:
        frame = frames.Frame(kind, fields, tuple(blobs))
        (decoded,) = frames.FrameDecoder(frames.TO_WORKER).feed(b"".join(frames.encode(frame, frames.TO_WORKER)))
        self.asked.append(decoded)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


@pytest.fixture
def line(work: Path) -> Line:
    return Line(lambda frame: folders.answer(frame, str(work)))


def test_files_and_folders_arrive_in_pieces_and_come_back(
    line: Line, work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "PIECE_BYTES", 1000)
    (tmp_path / "data" / "empty").mkdir(parents=True)
    (tmp_path / "data" / "big").write_bytes(bytes(range(250)) * 10)
    (tmp_path / "data" / "exact").write_bytes(b"x" * 1000)
    (tmp_path / "data" / "none").touch()
    folder = FarFolder(line.ask)
    folder.put(names_in_folder(["data"], tmp_path))
    found = {path.relative_to(work).as_posix(): path.read_bytes() for path in work.rglob("*") if path.is_file()}
    assert found == {"data/big": bytes(range(250)) * 10, "data/exact": b"x" * 1000, "data/none": b""}
    assert folder.changed() == ()
    assert folder.all() == (
        File(name="data/big", size=2500),
        File(name="data/exact", size=1000),
        File(name="data/none", size=0),
    )
    assert folder.keep("data/big", tmp_path).read_bytes() == bytes(range(250)) * 10
    assert [frame.fields["at"] for frame in line.asked if frame.type == "read"] == [0, 1000, 2000, 2500]
    (work / "data" / "none").write_text("new")
    assert folder.changed() == (File(name="data/none", size=3),)


@pytest.mark.parametrize("name", ["../out", "/out", "data/../../out", "data/../"])
def test_a_name_that_leads_out_is_refused_by_the_worker(line: Line, tmp_path: Path, name: str) -> None:
    with pytest.raises(SandboxError, match="lies outside the work folder"):
        line.ask(lambda far, number: far.send("put", [b"x"], id=number, names=[name], at=[0]))
    assert not (tmp_path / "out").exists()


def test_traps_are_neither_written_through_nor_read(line: Line, work: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    (work / "link").symlink_to(tmp_path / "mine")
    (work / "folder").symlink_to(tmp_path)
    os.mkfifo(work / "pipe")
    for name in ("link", "folder/mine", "pipe", "none"):
        with pytest.raises(SandboxError):
            line.ask(lambda far, number, name=name: far.send("read", id=number, name=name, at=0, size=10))
        with pytest.raises(SandboxError):  # a later piece makes no file
            line.ask(lambda far, number, name=name: far.send("put", [b"x"], id=number, names=[name], at=[2]))
    for name in ("link", "folder/mine", "pipe"):
        line.ask(lambda far, number, name=name: far.send("put", [b"x"], id=number, names=[name], at=[0]))
    assert (tmp_path / "mine").read_text() == "mine"
    assert [(work / name).read_bytes() for name in ("link", "folder/mine", "pipe")] == [b"x"] * 3


def test_a_piece_has_a_bound(line: Line, work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "MAX_PIECE_BYTES", 3)
    (work / "x").write_text("12345")
    sizes = (10**15, -1)
    answers = [
        line.ask(lambda far, number, size=size: far.send("read", id=number, name="x", at=0, size=size))
        for size in sizes
    ]
    assert [bytes(answer.blobs[0]) for answer in answers] == [b"123", b""]


def said(*blobs: bytes) -> FarFolder:
    """A folder behind a worker that always answers so."""
    return FarFolder(Line(lambda frame: frames.Frame("answer", {"id": frame.fields["id"], "error": ""}, blobs)).ask)


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"{}",
        b"not json",
        b'[["../x", 1, 1]]',
        b'[["/etc/passwd", 1, 1]]',
        b'[["", 1, 1]]',
        b"[[7, 1, 1]]",
        b'[["x", 1, -1]]',
        b'[["x", 1, true]]',
        b'[["x", 1]]',
        b'["x"]',
        b'[["' + b"n" * 5000 + b'", 1, 1]]',
        b"[" + b",".join([b'["x", 1, 1]'] * (folders.MAX_FILES + 1)) + b"]",
    ],
)
def test_what_is_no_list_of_files_is_none(answer: bytes) -> None:
    assert said(answer).all() == ()
    assert said().all() == ()


@pytest.mark.parametrize(
    ("bound", "most", "message"),
    [("PIECE_BYTES", 4, "invalid content of the file 'x'"), ("MAX_BYTES", 1000, "grew beyond 1,000 bytes")],
)
def test_a_piece_that_is_too_long_and_a_file_that_never_ends_are_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: str, most: int, message: str
) -> None:
    monkeypatch.setattr(files, bound, most)
    folder = said(b"12345")
    monkeypatch.setattr(folder, "_look", lambda: {"x": (1, 5)})
    with pytest.raises(SandboxError, match=message):
        folder.keep("x", tmp_path / "kept")
    assert not (tmp_path / "kept").exists()


@pytest.mark.parametrize(
    "name", ["data\\..\\..\\start.py", "C:start.py", "C:\\start.py", "\\\\host\\share\\x", "data/..\\x", "\\x"]
)
def test_a_name_that_is_a_path_on_windows_leads_out_of_no_folder_there(name: str) -> None:
    with pytest.raises(SandboxError, match="has a name that is not valid on this machine"):
        last_name(name, PureWindowsPath)
    assert last_name(name, PurePosixPath) == name.rpartition("/")[2]


@pytest.mark.parametrize("kind", [PurePosixPath, PureWindowsPath])
def test_an_ordinary_name_keeps_its_last_part(kind: type[PurePosixPath | PureWindowsPath]) -> None:
    assert last_name("data/some file.v2.csv", kind) == "some file.v2.csv"
