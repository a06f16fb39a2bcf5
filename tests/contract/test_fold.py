"""Both folds agree: this file and ``labextension/tests/core/fold.test.ts`` read the same runs and expect the same states."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from smolcell.events import EVENTS, Kind, from_json, to_json
from smolcell.views.fold import MAX_STREAMED_CHARS, fold

RUNS = json.loads((Path(__file__).parent / "events.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("run", RUNS, ids=[run["name"] for run in RUNS])
def test_a_run_folds_to_its_state_and_its_events_are_as_the_codec_writes_them(run: dict[str, Any]) -> None:
    assert fold(run["events"], run["deltas"]) == run["state"]
    written = [to_json(from_json(event)) for event in run["events"]]
    for event in written:
        event.pop("nonce", None)  # of a permit: it stays in the process
    assert written == run["events"]


def test_an_event_of_an_unknown_kind_changes_nothing() -> None:
    run = RUNS[0]
    events = [*run["events"], {"event": "Invented", "run": run["events"][0]["run"]}]
    assert fold(events, run["deltas"]) == run["state"]


def test_every_event_and_every_state_occurs_in_the_contract() -> None:
    events = [event for run in RUNS for event in run["events"]]
    channels = {delta["channel"] for run in RUNS for delta in run["deltas"]}
    states = {step["status"] for run in RUNS for step in _steps(run["state"])}
    assert {event["event"] for event in events} == set(EVENTS)
    assert {event["kind"] for event in events if event["event"] == "Proposed"} == set(get_args(Kind))
    assert channels == {"reply", "reasoning", "output", "display", "progress"}
    assert states == set("pending allowed thinking running done refused unparsed cut".split())
    assert {run["state"]["phase"] for run in RUNS} == set("thinking asking running ended".split())  # first: "opening"


def _steps(state: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for step in state["steps"]:
        yield step
        for run in step["runs"]:
            yield from _steps(run)


def test_text_under_way_is_bounded() -> None:
    deltas = [{"channel": "output", "step": 1, "text": "x" * 1000}] * 300
    [step] = fold([], deltas)["steps"]
    assert len(step["output"]) == MAX_STREAMED_CHARS == 250_000
