"""What hostile code leaves in its folder is measured in bounds and removed whatever it is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from smolcell.worker.system import folders

DEEP = 1500  # levels: more than Python's recursion, and a path longer than any system call takes


def deepen(path: Path, levels: int) -> None:
    here = os.open(path, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("deeper", dir_fd=here)
        os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=here))
        below = os.open("deeper", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)


def test_a_folder_of_any_depth_is_removed(tmp_path: Path) -> None:
    deep = tmp_path / "x"
    deep.mkdir()
    deepen(deep, DEEP)
    folders.remove(str(deep))
    assert list(tmp_path.iterdir()) == []


def test_what_is_locked_is_removed_and_links_are_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("kept")
    inside = tmp_path / "inside"
    (inside / "a" / "b").mkdir(parents=True)
    (inside / "a" / "b" / "c").write_text("x")
    (inside / "link").symlink_to(outside)
    (inside / "a" / "link").symlink_to(outside / "kept")
    (inside / ".1").mkdir()
    deepen(inside, DEEP)
    for path in (inside / "a" / "b", inside / "a"):
        path.chmod(0)
    folders.remove(str(inside))
    assert [path.name for path in tmp_path.iterdir()] == ["outside"]
    assert [path.name for path in outside.iterdir()] == ["kept"]


def test_removing_what_is_not_there_leaves_all_that_is(tmp_path: Path) -> None:
    (tmp_path / "nothing-more").write_text("kept")
    for missing in ("nothing", "not/there", "nothing-more/below"):
        folders.remove(str(tmp_path / missing))
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"nothing-more": "kept"}


def test_measuring_counts_what_is_on_the_disk_and_ends_early(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "big").write_bytes(bytes(1 << 20))
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(1 << 30)
    (tmp_path / "link").symlink_to("/usr")
    size, count = folders.measure(str(tmp_path), 100)
    assert count == 4
    assert 1 << 20 <= size < 2 << 20
    assert folders.measure(str(tmp_path), 3)[1] == 3


def test_what_is_too_deep_to_look_into_counts_as_full(tmp_path: Path) -> None:
    deepen(tmp_path, DEEP)
    assert folders.measure(str(tmp_path), 10_000)[1] == 10_000
    folders.empty(str(tmp_path))
    assert folders.measure(str(tmp_path), 10_000) == (0, 0)


def test_a_folder_is_emptied_where_python_opens_no_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "outside").mkdir()
    inside = tmp_path / "inside"
    (inside / "a" / "b").mkdir(parents=True)
    (inside / "a" / "c").write_text("x")
    (inside / "link").symlink_to(tmp_path / "outside")
    monkeypatch.setattr(os, "supports_dir_fd", set())
    folders.empty(str(inside))
    assert list(inside.iterdir()) == []
    assert (tmp_path / "outside").is_dir()
