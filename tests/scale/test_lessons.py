"""Lessons: what a learner did is read from their journals; nothing is run for a grade."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from students import PREDICTIONS, play

from smolcell import lesson
from smolcell.errors import SetupError
from smolcell.lesson import LessonError, Stop, check, read_lesson

pytest.importorskip("pandas", reason="needs pandas: pip install 'smolcell[data]'")

LESSONS = Path(__file__).resolve().parents[2] / "notebooks" / "lessons"


each = pytest.mark.parametrize("name", ["orders", pytest.param("churn", marks=pytest.mark.slow)])


@pytest.fixture(scope="module")
def play_once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, bool], Path]:
    @cache
    def made(name: str, careful: bool) -> Path:
        folder = Path(shutil.copytree(LESSONS / name, tmp_path_factory.mktemp("played") / name))
        play(folder, careful)
        return folder

    return made


@pytest.fixture
def played(play_once: Callable[[str, bool], Path], tmp_path: Path) -> Callable[..., Path]:
    """A copy of the folder of a lesson that was done."""
    return lambda name, careful=False: Path(shutil.copytree(play_once(name, careful), tmp_path / name))


@each
def test_a_careful_learner_passes_every_stop(name: str, played: Callable[..., Path]) -> None:
    assert check(folder=played(name, careful=True)) == "passed: predict, find, refuse"


@each
def test_a_careless_learner_is_told_what_to_do_at_each_stop(name: str, played: Callable[..., Path]) -> None:
    folder = played(name)
    for stop, said in (
        ("predict", "your prediction differs from the step's output"),
        ("find", "step 1 was approved unchanged, with its bug"),
        ("refuse", "step 1 was approved, but it had to be refused"),
    ):
        with pytest.raises(LessonError, match=f"{stop}: {said}"):
            check(stop, folder)


def test_nothing_was_done_yet() -> None:
    with pytest.raises(LessonError, match="has no answer yet"):
        check("find", LESSONS / "orders")


@each
def test_a_record_that_was_changed_gives_nothing(name: str, played: Callable[..., Path]) -> None:
    folder = played(name)
    [record] = (folder / lesson.RECORD).glob("*.jsonl")
    record.write_text(record.read_text().replace('"edited": false', '"edited": true'))
    with pytest.raises(LessonError, match="was changed"):
        check("find", folder)


@each
def test_a_prediction_after_the_approval_does_not_count(name: str, played: Callable[..., Path]) -> None:
    folder = played(name)
    path = folder / lesson.RECORD / "predictions.json"
    path.unlink()
    lesson.predict("predict", PREDICTIONS[name], folder)
    for at in (json.loads(path.read_text())[0]["at"], "x", [1], None):
        path.write_text(json.dumps([{"stop": "predict", "value": PREDICTIONS[name], "at": at}]))
        with pytest.raises(LessonError, match="predict before you approve"):
            check("predict", folder)


def test_a_lesson_that_is_not_valid_is_said(tmp_path: Path) -> None:
    good = "[[stop]]\nid = 'a'\nkind = 'refuse'\ntask = 'x'\nstep = 1\n"
    for text, said in (
        ("", "has no stop"),
        ("[[stop]]\nid = 'a'\n", "missing 3 required"),
        (good.replace("refuse", "guess"), "kind must be one of predict, find, refuse"),
        (good + "says = '('\n", "says is no pattern: missing"),
        (good + "check = 5\n", "stop 1: check must be a text, not 5"),
        ("[stop]\nid = 'a'\n", r"begin each stop with \[\[stop\]\]"),
        ("x = ", "cannot be read as a lesson"),
    ):
        (tmp_path / "lesson.toml").write_text(text)
        with pytest.raises(SetupError, match=said):
            read_lesson(tmp_path)
    (tmp_path / "lesson.toml").write_text(good + "check = 'python:builtins:exec'\n")
    with pytest.raises(
        SetupError, match=r"a check is the function builtins:exec, .*, or functions=\['builtins:exec'\]"
    ):
        check(folder=tmp_path)
    with pytest.raises(LessonError, match="has no answer yet"):
        check(folder=tmp_path, functions=["builtins:exec"])
    (tmp_path / "lesson.toml").write_text(good)
    assert read_lesson(tmp_path) == [Stop("a", "refuse", "x", 1)]
    (tmp_path / lesson.RECORD).mkdir()
    precious = tmp_path / "precious"
    precious.write_text(json.dumps({"no": "list"}))
    (tmp_path / lesson.RECORD / "predictions.json").symlink_to(precious)
    with pytest.raises(LessonError):
        check(folder=tmp_path)
    (tmp_path / "lesson.toml").write_text(good.replace("refuse", "predict"))
    lesson.predict("a", 1, tmp_path)
    assert json.loads(precious.read_text()) == {"no": "list"}  # nothing is written through a link
