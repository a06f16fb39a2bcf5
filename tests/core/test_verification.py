"""Whatever is changed in a journal or a saved notebook is found, and the step is named."""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from smolcell.cli import main
from smolcell.events import (
    Allowed,
    Answered,
    Asked,
    Boundary,
    Bundle,
    Called,
    Ended,
    Event,
    Fault,
    Observed,
    Opened,
    Proposed,
    Refused,
    Replied,
    Undone,
    Wall,
    sha256,
    to_json,
)
from smolcell.journal import Journal
from smolcell.journal.verification import CHANGED, NO_CHAIN, UNCHANGED, Verification, verify
from smolcell.views.card import Json
from smolcell.views.outputs import MIME, fitted, redacted
from smolcell.views.transcript import of_json, steady_json

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
RUN = "5f1c0a"
WALLS = Boundary(sandbox="local", where="a process", isolated=True, walls=(Wall(name="files", stands=True),))


def steps() -> list[Event]:
    """Three steps of one run: one that fails, one that a person edits, one that answers."""
    found: list[Event] = [Asked(run=RUN, task="Add the numbers.", model="scripted", sandbox="local", approve="ask")]
    for step, (code, ran) in enumerate(
        [("1 / 0", "1 / 0"), ("x = 2", "x = 3"), ("final_answer(x)", "final_answer(x)")], 1
    ):
        found += [
            Replied(run=RUN, step=step, text=f"Next.\n<code>\n{code}\n</code>", duration=1.5),
            Proposed(run=RUN, step=step, text=code, thought="Next."),
            *([Opened(run=RUN, boundary=WALLS)] if step == 1 else []),
            Allowed(run=RUN, step=step, text=ran, sha256=sha256(ran), by="person", edited=code != ran, nonce="77"),
            Observed(
                run=RUN,
                step=step,
                stdout=f"printed {step}\n",
                duration=2.0,
                outputs=(Bundle(data={"text/plain": f"shown {step}"}),),
                error=Fault(kind="python", type="ZeroDivisionError", message="division by zero") if step == 1 else None,
                is_final_answer=step == 3,
            ),
        ]
    return [*found, Answered(run=RUN, step=3, text="3")]


def write(path: Path, events: list[Event], end: bool = True) -> list[Event]:
    """Journal a run as the driver does; returns its events."""
    with Journal(path, clock=lambda: NOON) as journal:
        for event in events:
            journal.append(event)
        if end:
            ended = Ended(run=RUN, state="success", steps=3, duration=4.0, receipt={"record": journal.proof(RUN)})
            journal.append(ended)
            events = [*events, ended]
    return events


def card(model: str) -> Json:
    """The output of the card above a record."""
    view = {"version_major": 2, "version_minor": 1, "model_id": model}
    data = {"application/vnd.jupyter.widget-view+json": view, "text/plain": "smolcell run: Add the numbers."}
    return {"output_type": "display_data", "metadata": {}, "data": data}


def notebook(path: Path, events: list[Event]) -> None:
    """Save a run as the card does, by way of a page, which writes 1.0 as 1."""
    bundle = of_json(redacted([fitted(to_json(event)) for event in events]))
    written = json.loads(
        json.dumps(bundle), parse_float=lambda text: int(float(text)) if float(text).is_integer() else float(text)
    )
    output = {
        "output_type": "display_data",
        "metadata": {},
        "data": {**written, "text/html": bundle["text/html"].splitlines(True)},
    }
    cell = {
        "cell_type": "code",
        "source": "%%agent\nAdd the numbers.",
        "metadata": {},
        "execution_count": 1,
        "outputs": [card("shown"), output],
    }
    copy = {"snapshot": json.dumps(written[MIME]["events"])}
    state = {"w": {"state": copy}, "shown": {"state": {**copy, "_anywidget_id": "smolcell.views.card.RunWidget"}}}
    widgets = {"application/vnd.jupyter.widget-state+json": {"state": state}}
    path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {"widgets": widgets}, "cells": [cell]}))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("record")
    notebook(folder / "saved.ipynb", write(folder / "run.jsonl", steps()))
    return folder


@pytest.fixture(autouse=True)
def state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SMOLCELL_STATE_DIR", str(tmp_path / "state"))


def lines(whole: Path) -> list[bytes]:
    return (whole / "run.jsonl").read_bytes().splitlines(keepends=True)


def verdict_of(tmp_path: Path, data: list[bytes]) -> Verification:
    path = tmp_path / "copy.jsonl"
    path.write_bytes(b"".join(data))
    return verify(path)


def step_of(line: bytes) -> int:
    return int(json.loads(line)["event"].get("step", 0))


def named(verdict: Verification) -> set[int]:
    """The steps that are named."""
    found = re.findall(r"step (\d+)(?: or (\d+))?", "\n".join(verdict.faults))
    return {int(number) for pair in found for number in pair if number}


FREELY = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=100)


def test_what_was_written_is_unchanged(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("run.jsonl", "saved.ipynb"):
        assert (verify(whole / name).faults, main(["verify", str(whole / name)])) == ((), UNCHANGED)
    assert "compared with the journal run.jsonl" in capsys.readouterr().out


def altered(value: Any, draw: Callable[[Any], Any]) -> Any:
    """JSON with one leaf, or one key, that is another."""
    if isinstance(value, dict) and value:
        key = draw(st.sampled_from(sorted(value)))
        if draw(st.integers(0, 4)) == 0:
            return {name: item for name, item in value.items() if name != key}
        return {**value, key: altered(value[key], draw)}
    if isinstance(value, list) and value:
        at = draw(st.integers(0, len(value) - 1))
        return [*value[:at], altered(value[at], draw), *value[at + 1 :]]
    other = draw(st.sampled_from([None, True, 7, 0.5, "x", [], {}]))
    return "another" if other == value and type(other) is type(value) else other


def byte_changed(line: bytes, draw: Callable[[Any], Any]) -> bytes:
    place = draw(st.integers(0, len(line) - 1))
    return (
        line[:place] + bytes([draw(st.integers(0, 255).filter(lambda byte: byte != line[place]))]) + line[place + 1 :]
    )


def field_changed(line: bytes, draw: Callable[[Any], Any]) -> bytes:
    return json.dumps(altered(json.loads(line), draw)).encode() + b"\n"


def deleted(line: bytes, draw: Callable[[Any], Any]) -> bytes:
    return b""


@pytest.mark.parametrize("change", [byte_changed, field_changed, deleted])
@FREELY
@given(data=st.data())
def test_a_line_that_is_changed_is_found_and_its_step_is_named(
    whole: Path, tmp_path: Path, change: Callable[..., bytes], data: Any
) -> None:
    every = lines(whole)
    at = data.draw(st.integers(0, len(every) - 1))
    line = change(every[at], data.draw)
    found = verdict_of(tmp_path, [*every[:at], line, *every[at + 1 :]])
    assert found.status == CHANGED
    if (
        change is byte_changed and line.endswith(b"\n") and line.count(b"\n") == 1
    ):  # else it is two, or one with the next
        assert f"line {at + 1}" in found.faults[0]
    step, expected = step_of(every[at]), {step_of(every[at])}
    if change is field_changed:  # the number of the step may be what was changed
        with suppress(KeyError, AttributeError, TypeError, ValueError):
            expected.add(step_of(line))
    assert not step or named(found) & expected


@FREELY
@given(data=st.data())
def test_lines_that_change_places_are_found(whole: Path, tmp_path: Path, data: Any) -> None:
    every = lines(whole)
    mixed = data.draw(st.permutations(every).filter(lambda order: order != every))
    assert verdict_of(tmp_path, mixed).status == CHANGED
    at = data.draw(st.integers(0, len(every) - 2))
    swapped = [*every[:at], every[at + 1], every[at], *every[at + 2 :]]
    found = verdict_of(tmp_path, swapped)
    assert found.status == CHANGED
    assert {step_of(every[at]), step_of(every[at + 1])} - {0} <= named(found)


@FREELY
@given(data=st.data())
def test_a_line_that_is_added_is_found_and_named(whole: Path, tmp_path: Path, data: Any) -> None:
    every = lines(whole)
    at = data.draw(st.integers(0, len(every)))
    copy = data.draw(st.sampled_from(every))
    more = data.draw(st.sampled_from([b"\n", b"{}\n", b" \n", re.sub(rb', "chain": "[0-9a-f]+"', b"", copy), copy]))
    found = verdict_of(tmp_path, [*every[:at], more, *every[at:]])
    assert found.status == CHANGED
    assert any(f"line {number}" in found.faults[0] for number in (at, at + 1, at + 2))


def test_a_torn_last_line_is_torn_and_not_changed(whole: Path, tmp_path: Path) -> None:
    every = lines(whole)
    for kept in range(1, len(every[-1])):
        found = verdict_of(tmp_path, [*every[:-1], every[-1][:kept]])
        assert found.status == CHANGED
        assert found.faults[0].startswith("torn: ")
        assert "changed" not in str(found)
        assert found.summary.startswith("torn: ")


def test_a_journal_that_goes_on_after_a_torn_line_in_another_process_is_unchanged(whole: Path, tmp_path: Path) -> None:
    every = lines(whole)
    path = tmp_path / "torn.jsonl"
    path.write_bytes(b"".join(every[:4]) + every[4][:30])
    with Journal(path) as journal:
        journal.append(Asked(run="second", task="Go on."))
        journal.append(Ended(run="second", state="success", steps=0))
    assert (verify(path).status, verify(path).faults) == (UNCHANGED, ())
    path.write_bytes(path.read_bytes().replace(every[4][:30], every[4][:29] + b"!"))
    assert verify(path).status == CHANGED


def test_a_journal_of_an_older_version_that_goes_on_is_covered_from_there(whole: Path, tmp_path: Path) -> None:
    old = [re.sub(rb', "chain": "[0-9a-f]+"', b"", line) for line in lines(whole)]
    path = tmp_path / "old.jsonl"
    path.write_bytes(b"".join(old))
    assert (verify(path).status, main(["verify", str(path)])) == (NO_CHAIN, NO_CHAIN)
    with Journal(path) as journal:
        journal.append(Asked(run="second", task="Go on."))
        journal.append(Ended(run="second", state="success", steps=0))
    assert verify(path).faults == ()
    assert f"{len(old)} lines of an older version" in verify(path).summary
    path.write_bytes(path.read_bytes().replace(b"printed 2", b"printed 9"))
    assert verify(path).status == CHANGED


@pytest.mark.parametrize(
    ("forged", "fault"),
    [
        (None, "never approved: step 2 ran (line 9) without an earlier approval"),
        ({"text": "x = 4"}, "never approved: step 2 (line 9): its text is not the one that was approved"),
        ({"edited": False}, "never approved: step 2 (line 9): another text was proposed"),
    ],
)
def test_a_step_that_was_never_approved_is_named_even_if_the_chain_is_computed_again(
    tmp_path: Path, forged: dict[str, Any] | None, fault: str
) -> None:
    events = steps()
    [at] = [at for at, event in enumerate(events) if isinstance(event, Allowed) and event.step == 2]
    events[at : at + 1] = [] if forged is None else [replace(events[at], **forged)]
    write(tmp_path / "forged.jsonl", events)
    assert verify(tmp_path / "forged.jsonl").faults == (fault,)


def test_verify_names_who_approved(tmp_path: Path) -> None:
    path = tmp_path / "who.jsonl"
    write(path, [replace(event, who="Ann \u202e") if isinstance(event, Allowed) else event for event in steps()])
    found = verify(path)
    assert (found.faults, found.summary.endswith("; approved by Ann \\u{202e} (3)")) == ((), True)


def test_a_refused_step_and_calls_of_tools_are_no_faults(tmp_path: Path) -> None:
    path = tmp_path / "refused.jsonl"
    events = steps()
    more = [
        Replied(run=RUN, step=4, text="…"),
        Proposed(run=RUN, step=4, text="y"),
        Refused(run=RUN, step=4, reason="no", by="person", then="continue"),
        Called(run=RUN, step=4, call=1, name="search", text="search('x')"),
    ]
    write(path, [*events[:-1], *more, events[-1]])
    assert verify(path).faults == ()


def test_lines_that_are_cut_off_at_the_end_are_missed(whole: Path, tmp_path: Path) -> None:
    found = verdict_of(tmp_path, lines(whole)[:-3])
    assert found.faults == (
        f"missing: the end of run {RUN}, after step 3: its kernel was killed, or lines were cut off",
    )


def test_a_run_that_is_under_way_is_not_missing_its_end(tmp_path: Path) -> None:
    path = tmp_path / "live.jsonl"
    with Journal(path) as journal:
        journal.append(Asked(run=RUN, task="Go on."))
        assert verify(path).status == UNCHANGED


# --- saved notebooks --------------------------------------------------------------------------------------------------


def changed_notebook(whole: Path, tmp_path: Path, change: Callable[[Json], Json]) -> Verification:
    found = json.loads((whole / "saved.ipynb").read_text())
    output = found["cells"][0]["outputs"][-1]
    output["data"] = change(output["data"])
    (tmp_path / "changed.ipynb").write_text(json.dumps(found))
    return verify(tmp_path / "changed.ipynb")


@FREELY
@given(data=st.data(), beside=st.booleans())
def test_a_field_of_a_saved_notebook_that_is_changed_is_found(
    whole: Path, tmp_path: Path, data: Any, beside: bool
) -> None:
    if beside:
        (tmp_path / "run.jsonl").write_bytes((whole / "run.jsonl").read_bytes())
    else:
        (tmp_path / "run.jsonl").unlink(missing_ok=True)
    number = data.draw(st.integers(0, len(steps())))
    changed: list[Any] = []

    def change(bundle: Json) -> Json:
        kept: Json = json.loads(json.dumps(bundle))
        events = kept[MIME]["events"]
        events[number] = altered(events[number], data.draw)
        changed.append(events[number])
        return kept

    found = changed_notebook(whole, tmp_path, change)
    assert found.status == CHANGED
    step = to_json(steps()[number]).get("step", 0) if number < len(steps()) else 0
    expected = {step, *(event.get("step") for event in changed if type(event.get("step")) is int)}
    assert not step or named(found) & expected  # the number of the step may be what was changed


@pytest.mark.parametrize("mime", ["text/html", "text/plain"])
def test_what_a_saved_notebook_shows_cannot_be_changed_unseen(whole: Path, tmp_path: Path, mime: str) -> None:
    found = changed_notebook(
        whole, tmp_path, lambda data: {**data, mime: "".join(data[mime]).replace("x = 3", "x = 9")}
    )
    assert found.faults == (f"changed: what the notebook shows of run {RUN} as {mime}, or its digest",)


@pytest.mark.parametrize("at", range(16))
def test_an_event_that_is_deleted_from_a_saved_notebook_is_found(whole: Path, tmp_path: Path, at: int) -> None:
    def change(data: Json) -> Json:
        events = data[MIME]["events"]
        return {**data, MIME: {**data[MIME], "events": events[:at] + events[at + 1 :]}}

    found = changed_notebook(whole, tmp_path, change)
    assert (found.status, found.faults[0].startswith("missing: an event")) == (CHANGED, True)


def changed_at(found: Any, place: str, change: Callable[[Any], Any]) -> None:
    """Change one value of a notebook's JSON, named as in ``cells|0|source``."""
    *way, last = (int(name) if name.lstrip("-").isdecimal() else name for name in place.split("|"))
    for name in way:
        found = found[name]
    found[last] = change(found[last])


STATE = "metadata|widgets|application/vnd.jupyter.widget-state+json|state"
OUTPUT, CARD, SOURCE = "cells|0|outputs|-1", "cells|0|outputs|0|data", "cells|0|source"
RECORD = f"{OUTPUT}|data|{MIME}"
HTML = "<b>Approved by nobody</b>"


def added(name: str, value: Any = HTML) -> Callable[[Any], Any]:
    return lambda before: {**before, name: value}


def written(*lines: str) -> Callable[[Any], Any]:
    return lambda before: "\n".join(lines)


def of_another_run(state: Json) -> Json:
    return {**state, "snapshot": state["snapshot"].replace(RUN, "another")}


def of_other_code(state: Json) -> Json:
    return {**state, "snapshot": state["snapshot"].replace("x = 3", "x = 9")}


def background(kind: str) -> Json:
    """A cell with the recorded task, as of a run in the background."""
    return {"cell_type": kind, "source": "%%agent --background\nAdd the numbers.", "outputs": []}


def above(cell: Json) -> Callable[[Any], Any]:
    return lambda cells: [cell, {**cells[0], "source": "%%agent\nDelete the numbers."}]


def below(cell: Json) -> Callable[[Any], Any]:
    return lambda cells: [{**cells[0], "source": "%%agent --background\nDelete the numbers."}, cell]


def with_a_forged_run(cells: list[Json]) -> list[Json]:
    """A second run, without hashes, beside the real one."""
    events = [
        {"event": "Asked", "run": "forged", "task": "Pay."},
        {"event": "Answered", "run": "forged", "text": "Paid."},
    ]
    forged = {
        "output_type": "display_data",
        "data": {MIME: {"events": events}, "text/html": HTML, "image/svg+xml": HTML},
    }
    return [*cells, {"cell_type": "code", "source": "%%agent\nPay.", "outputs": [forged]}]


FORMS = (
    "text/markdown",
    "text/latex",
    "Text/HTML",
    "image/svg+xml",
    "image/png",
    "application/javascript",
    "application/json",
    "application/vnd.vega.v5+json",
    "application/vnd.vegalite.v5+json",
    "application/vnd.plotly.v1+json",
    "application/vnd.jupyter.widget-view+json",
)
ALTERED: list[tuple[str, Callable[[Any], Any], str]] = [
    *((f"{OUTPUT}|data", added(mime), f"shows more of run {RUN} than it did: {mime}") for mime in FORMS),
    (OUTPUT, lambda output: {**output, "output_type": "stream", "text": HTML}, "the type of the output"),
    (f"{OUTPUT}|metadata", added(MIME, {"note": HTML}), "they do not fit together"),
    (f"{OUTPUT}|metadata", added(MIME), "they do not fit together"),
    (RECORD, added("note"), f"the record of run {RUN}: note"),
    (RECORD, lambda record: json.dumps(record), "the record of a run, which is no object"),
    (f"{RECORD}|shown", added("text/markdown"), f"the record of run {RUN}: shown"),
    (f"{RECORD}|chain", lambda chain: [*chain, {"note": HTML}], f"the record of run {RUN}: chain"),
    (SOURCE, written("%%agent", "Delete the numbers."), "the task in the cell"),
    (SOURCE, written("%%agent -m other/model", "Add the numbers. And more."), "the task in the cell"),
    (SOURCE, written("%%agent", "Add the numbers\u200b."), "the task in the cell"),
    (SOURCE, written("%%time", "", "%%agent", "Delete the numbers."), "the task in the cell"),
    (SOURCE, written("%%agent"), "the task in the cell"),
    (CARD, added("text/html"), "a card shows more than it did: text/html"),
    (CARD, added("text/plain", "smolcell run: Delete them."), "the text beside a card"),
    (f"{STATE}|shown|state", of_another_run, "a card's copy of run another"),
    (f"{STATE}|w|state", of_other_code, f"a card's copy of run {RUN}"),
    ("cells|0", added("cell_type", "markdown"), f"the cell of run {RUN} is no code"),
    (f"{RECORD}", added("version", True), "the version of the record"),
    (f"{RECORD}", added("version", 1.0), "the version of the record"),
    ("cells", below(background("code")), "the task in the cell"),
    ("cells", above(background("code")), "the task in the cell"),
    ("cells", above(background("raw")), "the task in the cell"),
    ("cells", with_a_forged_run, "the hashes of run forged are missing"),
]


@pytest.mark.parametrize(("place", "change", "fault"), ALTERED, ids=range(len(ALTERED)))
def test_what_is_added_to_a_run_in_a_notebook_is_found(
    whole: Path, tmp_path: Path, place: str, change: Callable[[Any], Any], fault: str
) -> None:
    found = json.loads((whole / "saved.ipynb").read_text())
    changed_at(found, place, change)
    (tmp_path / "changed.ipynb").write_text(json.dumps(found))
    verdict = verify(tmp_path / "changed.ipynb")
    assert (verdict.status, fault in "\n".join(verdict.faults)) == (CHANGED, True), verdict


OTHER = {"output_type": "display_data", "metadata": {}, "data": {"text/html": HTML}}
BESIDE: list[tuple[str, Callable[[Any], Any]]] = [
    ("metadata", added("kernelspec", {"name": "python3"})),
    ("cells|0|metadata", added("execution", {"iopub.execute_input": "2026-11-24T12:00:00Z"})),
    ("cells|0|metadata", added("vscode", {"languageId": "python"})),
    ("cells|0", added("id", "5f1c")),
    ("cells|0|outputs", lambda outputs: [*outputs, OTHER]),
    (OUTPUT, added("transient", {"display_id": "1"})),
    (f"{OUTPUT}|metadata", added("filenames", {"image/png": "a.png"})),
    (SOURCE, lambda source: ["%%agent -m other/model\r\n", "\n", "  Add the   numbers.\n"]),
    (SOURCE, written("", "%%capture out", "%%agent", "Add the numbers.")),
    (SOURCE, written("agent.run(task)")),
    (SOURCE, written("%agent resume")),
    (CARD, lambda data: {name: value for name, value in data.items() if name != "text/plain"}),
    (STATE, lambda states: {}),
]


@pytest.mark.parametrize(("place", "change"), BESIDE, ids=range(len(BESIDE)))
def test_what_front_ends_and_people_add_beside_a_run_is_no_fault(
    whole: Path, tmp_path: Path, place: str, change: Callable[[Any], Any]
) -> None:
    found = json.loads((whole / "saved.ipynb").read_text())
    changed_at(found, place, change)
    (tmp_path / "beside.ipynb").write_text(json.dumps(found))
    assert verify(tmp_path / "beside.ipynb").faults == ()


KEY = "hf_abcdefghijklmnop1234"


@pytest.mark.parametrize(
    ("task", "faults"),
    [(f"Log in with {KEY} and add.", 0), ("Log in and add.", 2), (f"Log in with {KEY} and delete.", 1)],
)
def test_a_redacted_part_of_a_task_is_any_text(tmp_path: Path, task: str, faults: int) -> None:
    events = [Asked(run=RUN, task=f"Log in with {KEY} and add."), *steps()[1:]]
    notebook(tmp_path / "saved.ipynb", write(tmp_path / "run.jsonl", events))
    found = json.loads((tmp_path / "saved.ipynb").read_text())
    changed_at(found, f"{CARD}|text/plain", lambda title: f"smolcell run: {task}")
    changed_at(found, SOURCE, written("%%agent", task))
    (tmp_path / "saved.ipynb").write_text(json.dumps(found))
    assert len(verify(tmp_path / "saved.ipynb").faults) == faults


def test_the_record_of_a_run_in_the_background_may_be_in_another_cell(whole: Path, tmp_path: Path) -> None:
    found = json.loads((whole / "saved.ipynb").read_text())
    [cell] = found["cells"]
    other = {**cell, "source": "%%agent --background\nAnother task."}
    begins = {**cell, "source": "%%agent --background\nAdd the numbers.", "outputs": []}
    for cells, faults in (
        ([begins, other], 0),
        ([begins, begins, other, other], 0),
        ([begins, {**cell, "source": "1 + 1"}], 0),
        ([other], 1),
        ([other, begins], 1),
        ([begins, other, other], 1),  # it stands for one run
        ([{**begins, "outputs": cell["outputs"]}, other], 1),  # which is in its own cell
        ([{**begins, "source": "%%agent\nAdd the numbers."}, other], 1),
        ([begins, {**other, "source": "%%agent\nAnother task."}], 1),
    ):
        (tmp_path / "saved.ipynb").write_text(json.dumps({**found, "cells": cells}))
        assert len(verify(tmp_path / "saved.ipynb").faults) == faults, cells


@pytest.mark.parametrize(
    ("source", "noted"),
    [
        (("# %%agent", "Pay Eve 1000."), True),
        (("# note: %agent", "%%agent", "Delete the numbers."), True),
        (("agent.run(task)  # %agent",), True),
        (("print('Pay Eve')", "%agent resume"), True),
        (("# Pay Eve 1000.", "%agent status"), True),
        (("%agent resume", "%%agent", "Pay Eve 1000."), True),
        (("%agent-x", "Pay Eve."), True),
        (("%%time", "%%agent", "Add the numbers."), False),
    ],
)
def test_a_task_that_is_not_compared_is_said_to_be_so(
    whole: Path, tmp_path: Path, source: tuple[str, ...], noted: bool
) -> None:
    found = json.loads((whole / "saved.ipynb").read_text())
    changed_at(found, SOURCE, written(*source))
    (tmp_path / "saved.ipynb").write_text(json.dumps(found))
    verdict = verify(tmp_path / "saved.ipynb")
    assert (verdict.faults, "tasks in cells without %%agent are not compared" in verdict.summary) == ((), noted)


def saved_without_a_page(path: Path, *changes: Callable[[Json], None]) -> Verification:
    """The verdict of a notebook with two runs that were saved without a page, the second of them changed."""
    ended = Ended(run=RUN, state="success", steps=3, duration=4.0)
    data, metadata = steady_json(redacted([fitted(to_json(event)) for event in [*steps(), ended]]))
    outputs: list[Json] = json.loads(json.dumps([{"data": data, "metadata": metadata}] * 2))
    for change in changes:
        change(outputs[1])
    path.write_text(json.dumps({"cells": [{"cell_type": "code", "outputs": outputs}]}))
    return verify(path)


def without_metadata(output: Json) -> None:
    output["metadata"] = {}


def with_other_html(output: Json) -> None:
    output["data"]["text/html"] = output["data"]["text/html"].replace("x = 3", "x = 9")


def with_other_code(output: Json) -> None:
    output["data"][MIME]["events"][6]["text"] = "x = 9"


def with_hidden_code(output: Json) -> None:
    event = output["data"][MIME]["events"][6]
    output["metadata"][MIME]["events"]["6"]["text"] = event["text"]
    event["text"] = "x = 9"


def with_hidden_digest(output: Json) -> None:
    saved = output["data"][MIME]
    output["metadata"][MIME]["shown"] = saved["shown"]
    saved["shown"] = {"text/html": sha256("x = 9")}


def with_more_metadata(output: Json) -> None:
    output["metadata"][MIME]["events"]["99"] = {"text": "x = 9"}


def with_more_in_the_record(output: Json) -> None:
    output["data"][MIME]["note"] = "x = 9"


def with_events_that_are_none(output: Json) -> None:
    output["data"][MIME]["events"][6] = "x = 9"


def test_a_run_that_was_saved_without_a_page_is_unchanged(tmp_path: Path) -> None:
    assert saved_without_a_page(tmp_path / "saved.ipynb").status == UNCHANGED


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ([without_metadata], "the hashes of run run-1 are missing"),
        ([without_metadata, with_other_html], "what the notebook shows of run run-1 as text/html"),
        ([without_metadata, with_other_code], "the hashes of run run-1 are missing"),
        ([with_other_code], "step 2"),
        ([with_other_html], f"what the notebook shows of run {RUN} as text/html"),
        ([with_hidden_code], f"the data of run {RUN}, or the output's metadata"),
        ([with_hidden_digest], f"the data of run {RUN}, or the output's metadata"),
        ([with_more_metadata], f"the data of run {RUN}, or the output's metadata"),
        ([with_more_in_the_record], f"the record of run {RUN}: note"),
        ([without_metadata, with_more_in_the_record], "the record of run run-1: note"),
        ([with_events_that_are_none], "the output's metadata"),
    ],
)
def test_data_or_metadata_that_were_changed_without_the_other_are_found(
    tmp_path: Path, changes: list[Callable[[Json], None]], reason: str
) -> None:
    found = saved_without_a_page(tmp_path / "saved.ipynb", *changes)
    assert found.status == CHANGED
    assert reason in "\n".join(found.faults)


def test_without_any_hashes_what_is_shown_is_still_compared_with_its_digests(tmp_path: Path) -> None:
    path = tmp_path / "saved.ipynb"
    saved_without_a_page(path)
    found = json.loads(path.read_text())
    outputs = found["cells"][0]["outputs"]
    for output in outputs:
        without_metadata(output)
    path.write_text(json.dumps(found))
    assert verify(path).status == NO_CHAIN
    with_other_html(outputs[0])
    path.write_text(json.dumps(found))
    assert verify(path).status == CHANGED


def test_a_notebook_whose_hashes_were_computed_again_is_found_by_its_journal(whole: Path, tmp_path: Path) -> None:
    (tmp_path / "run.jsonl").write_bytes((whole / "run.jsonl").read_bytes())
    events = steps()
    [at] = [at for at, event in enumerate(events) if isinstance(event, Allowed) and event.step == 2]
    events[at] = Allowed(run=RUN, step=2, text="x = 4", sha256=sha256("x = 4"), by="person", edited=True)
    with Journal(whole / "run.jsonl") as journal:
        proof = journal.proof(RUN)
    ended = Ended(run=RUN, state="success", steps=3, duration=4.0, receipt={"record": proof})
    notebook(tmp_path / "forged.ipynb", [*events, ended])
    found = verify(tmp_path / "forged.ipynb")
    assert found.status == CHANGED
    assert "changed: step 2 (Allowed) is different in the journal run.jsonl" in found.faults


def test_an_undo_after_the_run_is_not_missing_in_its_record(whole: Path, tmp_path: Path) -> None:
    for name in ("run.jsonl", "saved.ipynb"):
        (tmp_path / name).write_bytes((whole / name).read_bytes())
    with Journal(tmp_path / "run.jsonl") as journal:
        for step in (2, 1):
            journal.append(Undone(run=RUN, step=step))
    assert verify(tmp_path / "saved.ipynb").faults == ()


def test_a_link_that_is_no_text_is_found(whole: Path, tmp_path: Path) -> None:
    def change(found: Json) -> Json:
        found[MIME]["chain"][0] = "\ud800"
        return found

    assert changed_notebook(whole, tmp_path, change).status == CHANGED


def test_a_journal_that_was_changed_later_is_found_by_the_notebook(whole: Path, tmp_path: Path) -> None:
    (tmp_path / "saved.ipynb").write_bytes((whole / "saved.ipynb").read_bytes())
    forged = [event for event in steps() if not (isinstance(event, Observed) and event.step == 2)]
    write(tmp_path / "run.jsonl", forged)
    assert verify(tmp_path / "saved.ipynb").status == CHANGED


def test_a_file_without_a_chain_is_said_to_have_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.ipynb").write_text('{"cells": []}')
    (tmp_path / "b.ipynb").write_text("no notebook")
    (tmp_path / "c.jsonl").write_text("")
    for name in ("a.ipynb", "b.ipynb", "c.jsonl", "missing.jsonl", "."):
        assert main(["verify", str(tmp_path / name)]) == NO_CHAIN
    assert capsys.readouterr().out.count("no chain: ") == 5
