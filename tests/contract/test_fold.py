"""Both folds agree: this file and ``labextension/tests/fold.test.ts`` read the same runs and expect the same states."""

import json
from pathlib import Path
from typing import Any

import pytest

from smolcell.codec import from_json, to_json
from smolcell.views.fold import fold

RUNS = json.loads((Path(__file__).parent / "events.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("run", RUNS, ids=[run["name"] for run in RUNS])
def test_a_run_folds_to_its_state(run: dict[str, Any]) -> None:
    assert fold(run["events"], run["deltas"]) == run["state"]


@pytest.mark.parametrize("run", RUNS, ids=[run["name"] for run in RUNS])
def test_the_contract_holds_events_as_the_codec_writes_them(run: dict[str, Any]) -> None:
    written = [to_json(from_json(event)) for event in run["events"]]
    for event in written:
        event.pop("nonce", None)  # of a permit: it stays in the process

    assert written == run["events"]


def test_every_event_occurs_in_the_contract() -> None:
    from smolcell.codec import EVENTS

    assert {event["event"] for run in RUNS for event in run["events"]} == set(EVENTS)


def test_an_event_of_an_unknown_kind_changes_nothing() -> None:
    run = RUNS[0]
    events = [*run["events"], {"event": "Invented", "run": run["events"][0]["run"]}]

    assert fold(events, run["deltas"]) == run["state"]
