"""Lessons: a notebook with a recorded model, and stops at which a learner predicts an output, finds a bug, or must refuse.

``lesson.toml`` lists the stops; ``check()`` reads the learner's decisions from the journals, so that a class is graded without a model
and without running anything. ``docs/lessons.md`` explains the format.
"""

from __future__ import annotations

import json
import re
import shutil
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from smolcell.core.history import surviving
from smolcell.errors import JournalError, SetupError
from smolcell.events import Allowed, Asked, Event, Observed, Refused, call_of, step_of
from smolcell.journal import open_journals, read
from smolcell.journal.verification import verify
from smolcell.machine.state import open_stored, private_folder, replace_file
from smolcell.scale.evaluation import Case, is_check, passes, require_named
from smolcell.scale.tasks import Task

RECORD = "lesson-record"
"""The folder beside the notebook to submit: copies of the journals, and the predictions."""
_KINDS = ("predict", "find", "refuse")
_PREDICTIONS = "predictions.json"


class LessonError(AssertionError):
    """A stop is not passed; the message says what to do. An ``AssertionError``, so that graders give no points."""


@dataclass(frozen=True, slots=True)
class Stop:
    """One stop of a lesson.

    Attributes:
        task: part of the task of its run.
        kind: ``predict``: predict the step's output; ``find``: do not approve the step unchanged; ``refuse``: refuse it.
        answer: for ``predict``, the right answer, if it is not the step's output; for ``find``, the output of the edited step.
        check: how answers are compared, as in an evaluation.
        says: for ``find``, a pattern for the comment of a refusal.
        hint: a hint for the learner if the stop is not passed.
    """

    id: str
    kind: Literal["predict", "find", "refuse"]
    task: str
    step: int
    answer: Any = None
    check: str = "exact"
    says: str = ""
    hint: str = ""


def read_lesson(folder: Path) -> list[Stop]:
    """Return the stops of ``lesson.toml``.

    Raises:
        SetupError: there is no such file, or a stop is not valid; the message names it.
    """
    path = folder / "lesson.toml"
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SetupError(f"{path} cannot be read as a lesson: {error}") from None
    stops = []
    given_stops = data.get("stop", [])
    if not isinstance(given_stops, list):
        raise SetupError(f"{path}: stop is not a list of tables: begin each stop with [[stop]]")
    for number, given in enumerate(given_stops, 1):
        try:
            stop = Stop(**given)
        except TypeError as error:
            raise SetupError(f"{path}, stop {number}: {error}") from None
        for name in ("id", "task", "check", "says", "hint"):
            if not isinstance(value := getattr(stop, name), str):
                raise SetupError(f"{path}, stop {number}: {name} must be a text, not {value!r}")
        try:
            re.compile(stop.says)
        except re.error as error:
            raise SetupError(f"{path}, stop {stop.id!r}: says is no pattern: {error}") from None
        if stop.kind not in _KINDS:
            raise SetupError(f"{path}, stop {stop.id!r}: kind must be one of {', '.join(_KINDS)}, not {stop.kind!r}")
        if type(stop.step) is not int:
            raise SetupError(f"{path}, stop {stop.id!r}: step must be a whole number, not {stop.step!r}")
        if not is_check(stop.check):
            raise SetupError(
                f"{path}, stop {stop.id!r}: check must be exact, number, set, frame or python:MODULE:FUNCTION, not {stop.check!r}"
            )
        stops.append(stop)
    if not stops:
        raise SetupError(f"{path} has no stops: add at least one [[stop]]")
    return stops


def predict(stop: str, value: Any, folder: str | Path = ".") -> None:
    """Predict what a step will print, before you approve it. The newest prediction before the approval counts.

    Raises:
        SetupError: the lesson has no such stop, or the value is not plain.
    """
    place = Path(folder)
    known = [each.id for each in read_lesson(place) if each.kind == "predict"]
    if stop not in known:
        ids = ", ".join(map(repr, known)) or "none"
        raise SetupError(f"lesson.toml has no [[stop]] with id {stop!r} and kind 'predict'; ids are: {ids}")
    path = private_folder(place / RECORD) / _PREDICTIONS
    predictions = [*_predictions(place), {"stop": stop, "value": value, "at": time.time()}]
    try:
        replace_file(path, json.dumps(predictions), sync=True)
    except TypeError:
        raise SetupError(f"a prediction is a number or a text, not {type(value).__name__}") from None


def check(stop: str = "", folder: str | Path = ".", *, functions: Sequence[str] = ()) -> str:
    """Return a text about the passed stops: one, or all.

    In the learner's kernel, the journals are copied beside the notebook first. Elsewhere, as in a grader, the submitted copies are read.
    Nothing is run.

    Args:
        stop: id of the stop; all by default.
        folder: of the lesson.
        functions: import paths of the functions, ``"module:function"``, that ``lesson.toml`` may name as checks.

    Raises:
        LessonError: a stop is not passed, or a record was changed.
        SetupError: the lesson is not valid.
    """
    place = Path(folder)
    stops = [each for each in read_lesson(place) if stop in ("", each.id)]
    if not stops:
        raise SetupError(f"the lesson has no stop {stop!r}")
    for each in stops:
        require_named(each.check, functions)
    _keep_journals(place, stops)
    runs = _runs(place)
    for each in stops:
        _check(each, runs, _predictions(place))
    return f"passed: {', '.join(each.id for each in stops)}"


# --- the record ---------------------------------------------------------------------------------------------------------

_Run = list[tuple[Event, float]]


def _keep_journals(place: Path, stops: Sequence[Stop]) -> None:
    """Copy the journals of this process in which a person decided about a task of the lesson."""
    for path in open_journals():
        events = read(path)
        runs = {
            event.run for event in events if isinstance(event, Asked) and any(each.task in event.task for each in stops)
        }
        if any(isinstance(event, Allowed | Refused) and event.by == "person" and event.run in runs for event in events):
            shutil.copyfile(path, private_folder(place / RECORD) / path.name)


def _runs(place: Path) -> list[_Run]:
    """Return the stored runs, oldest first.

    Raises:
        LessonError: a record was changed after it was written.
    """
    runs: list[_Run] = []
    for path in sorted((place / RECORD).glob("*.jsonl")):
        verdict = verify(path)
        if verdict.status:
            raise LessonError(f"the record {path.name} was changed: {verdict.summary}")
        try:
            events = read(path)
        except JournalError as error:
            raise LessonError(f"the record {path.name} cannot be read: {error}") from None
        counts = {id(event) for event in surviving(tuple(events))}
        by_run: dict[str, _Run] = {}
        for event, at in zip(events, events.times, strict=True):
            if id(event) in counts:
                by_run.setdefault(event.run, []).append((event, at))
        runs += by_run.values()
    return sorted(runs, key=lambda run: run[0][1])


def _predictions(place: Path) -> list[dict[str, Any]]:
    try:
        with open_stored(place / RECORD / _PREDICTIONS, follow=False) as file:
            data = json.load(file)
    except (OSError, ValueError, RecursionError):
        return []
    listed = data if isinstance(data, list) else []
    return [each for each in listed if isinstance(each, dict) and type(each.get("at")) in (int, float)]


# --- stops --------------------------------------------------------------------------------------------------------------


def _check(stop: Stop, runs: Sequence[_Run], predictions: Sequence[dict[str, Any]]) -> None:
    """Check the newest run in which a person decided about the step of a stop."""
    for run in reversed(runs):
        if not any(isinstance(event, Asked) and stop.task in event.task for event, _ in run):
            continue
        matching = [(event, at) for event, at in run if step_of(event) == stop.step and not call_of(event)]
        decided = next(((e, at) for e, at in matching if isinstance(e, Allowed | Refused) and e.by == "person"), None)
        if decided is not None:
            seen = next((event for event, _ in matching if isinstance(event, Observed)), None)
            _judge(stop, decided[0], decided[1], seen, predictions)
            return
    raise LessonError(
        _message(stop, f"step {stop.step} of {stop.task!r} has no answer yet: run that cell, and answer there")
    )


def _judge(stop: Stop, decided: Event, at: float, seen: Observed | None, predictions: Sequence[dict[str, Any]]) -> None:
    printed = "" if seen is None else (seen.stdout.strip() or seen.result)
    if stop.kind == "refuse":
        if not isinstance(decided, Refused):
            raise LessonError(_message(stop, f"step {stop.step} was approved, but it had to be refused"))
    elif stop.kind == "find":
        if isinstance(decided, Refused):
            if stop.says and not re.search(stop.says, decided.reason, re.IGNORECASE):
                raise LessonError(_message(stop, "the refusal's comment does not name the fault of the step"))
        elif not (isinstance(decided, Allowed) and decided.edited):
            raise LessonError(_message(stop, f"step {stop.step} was approved unchanged, with its bug"))
        elif (
            seen is None
            or seen.error is not None
            or (stop.answer is not None and not _is_right(stop, printed, stop.answer))
        ):
            raise LessonError(_message(stop, "the edited step does not give the expected result"))
    else:
        earlier = [each for each in predictions if each.get("stop") == stop.id and each["at"] < at]
        if not earlier:
            raise LessonError(_message(stop, f'predict before you approve: smolcell.lesson.predict("{stop.id}", …)'))
        if not _is_right(stop, earlier[-1].get("value"), printed if stop.answer is None else stop.answer):
            raise LessonError(_message(stop, "your prediction differs from the step's output"))


def _is_right(stop: Stop, value: Any, expected: Any) -> bool:
    return passes(Case(Task(stop.id, stop.task), expected, stop.check), value)


def _message(stop: Stop, why: str) -> str:
    return f"{stop.id}: {why}.{f' {stop.hint}' if stop.hint else ''}"
