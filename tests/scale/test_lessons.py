"""Lessons: what a learner did is read from their journals; nothing is run for a grade."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from students import play

from smolcell import lesson
from smolcell.errors import SetupError
from smolcell.lesson import LessonError, Stop, check, read_lesson

pytest.importorskip("pandas", reason="needs pandas: pip install 'smolcell[data]'")

LESSONS = Path(__file__).resolve().parents[2] / "notebooks" / "lessons"


@pytest.fixture(params=["orders", "churn"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return Path(shutil.copytree(LESSONS / request.param, tmp_path / request.param))


def test_a_careful_learner_passes_every_stop(folder: Path) -> None:
    play(folder, careful=True)
    assert check(folder=folder) == "passed: predict, find, refuse"


def test_a_careless_learner_is_told_what_to_do_at_each_stop(folder: Path) -> None:
    play(folder, careful=False)
    for stop, said in (
        ("predict", "your prediction differs from the step's output"),
        ("find", "step 1 was approved unchanged, with its bug"),
        ("refuse", "step 1 was approved, but it had to be refused"),
    ):
        with pytest.raises(LessonError, match=f"{stop}: {said}"):
            check(stop, folder)


def test_nothing_was_done_yet(folder: Path) -> None:
    with pytest.raises(LessonError, match="has no answer yet"):
        check("find", folder)


def test_a_record_that_was_changed_gives_nothing(folder: Path) -> None:
    play(folder, careful=False)
    [record] = (folder / lesson.RECORD).glob("*.jsonl")
    record.write_text(record.read_text().replace('"edited": false', '"edited": true'))
    with pytest.raises(LessonError, match="was changed"):
        check("find", folder)


def test_a_prediction_after_the_approval_does_not_count(folder: Path) -> None:
    play(folder, careful=False)
    (folder / lesson.RECORD / "predictions.json").unlink()
    lesson.predict("predict", 1 if folder.name == "orders" else 9, folder)
    with pytest.raises(LessonError, match="predict before you approve"):
        check("predict", folder)


def test_a_lesson_that_is_not_valid_is_said(tmp_path: Path) -> None:
    for text, said in (
        ("", "has no stop"),
        ("[[stop]]\nid = 'a'\n", "missing 3 required"),
        ("[[stop]]\nid = 'a'\nkind = 'guess'\ntask = 'x'\nstep = 1\n", "kind must be one of predict, find, refuse"),
        (
            "[[stop]]\nid = 'a'\nkind = 'refuse'\ntask = 'x'\nstep = 1\ncheck = 5\n",
            "stop 1: check must be a text, not 5",
        ),
        ("[stop]\nid = 'a'\n", r"begin each stop with \[\[stop\]\]"),
        ("x = ", "cannot be read as a lesson"),
    ):
        (tmp_path / "lesson.toml").write_text(text)
        with pytest.raises(SetupError, match=said):
            read_lesson(tmp_path)
    (tmp_path / "lesson.toml").write_text("[[stop]]\nid = 'a'\nkind = 'refuse'\ntask = 'x'\nstep = 1\n")
    assert read_lesson(tmp_path) == [Stop("a", "refuse", "x", 1)]
    (tmp_path / lesson.RECORD).mkdir()
    (tmp_path / lesson.RECORD / "predictions.json").write_text(json.dumps({"no": "list"}))
    with pytest.raises(LessonError):
        check(folder=tmp_path)
