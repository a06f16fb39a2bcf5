"""A recording holds faults and goes on after them; it survives full disks, other writers and other systems, and harms nobody."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from smolcell.errors import AgentGenerationError, SetupError
from smolcell.events import Delta, Replied
from smolcell.models.errors import ModelError, Retry
from smolcell.models.recording import MAX_RECORDING_BYTES, RecordingModel, ReplayModel
from smolcell.models.scripted import ScriptedModel
from smolcell.protocols import Message, Model

HEADER = '{"format": "smolcell-recording", "version": 1, "model": "m"}\n'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "rec.jsonl"


def task(text: str = "A", *replies: str) -> list[Message]:
    later = [m for reply in replies for m in (Message("assistant", reply), Message("user", f"Observation: {reply}"))]
    return [Message("user", f"New task:\n{text}"), *later]


def ask(model: Model, messages: Sequence[Message]) -> list[Delta | Replied]:
    async def collect() -> list[Delta | Replied]:
        return [item async for item in model.reply(messages)]

    return asyncio.run(collect())


def said(model: Model, messages: Sequence[Message]) -> str:
    """The reply, or the fault in brackets."""
    try:
        last = ask(model, messages)[-1]
    except AgentGenerationError as error:
        return f"({error.kind or 'none'}: {error})"
    assert isinstance(last, Replied)
    return last.text


# --- faults --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fails_at", [1, 2, 3])
def test_a_run_that_failed_and_was_resumed_is_replayed_so(path: Path, fails_at: int) -> None:
    """The call that failed is made again, as ``%agent resume`` does, by the model that records the whole session."""
    replies: list[Any] = ["one", "two", "three"]
    replies[fails_at - 1 : fails_at - 1] = [ModelError("the key is wrong", kind="key"), AgentGenerationError("cut")]
    calls = [task("A", *["one", "two", "three"][:number]) for number in range(3)]
    calls[fails_at - 1 : fails_at - 1] = [calls[fails_at - 1]] * 2
    model = RecordingModel(ScriptedModel(*replies), path)
    recorded = [said(model, call) for call in calls]
    assert recorded[fails_at - 1 : fails_at + 2] == [
        "(key: the key is wrong)",
        "(none: cut)",
        ["one", "two", "three"][fails_at - 1],
    ]
    for _ in range(2):
        replay = ReplayModel(path)
        assert [said(replay, call) for call in calls] == recorded


def test_a_run_that_another_model_goes_on_with_is_one_run(path: Path) -> None:
    model = RecordingModel(ScriptedModel("one", AgentGenerationError("cut")), path)
    assert [said(model, task()), said(model, task("A", "one"))] == ["one", "(none: cut)"]
    model.answer_from(ScriptedModel("two"))
    assert said(model, task("A", "one")) == "two"
    later = RecordingModel(ScriptedModel("three"), path)  # of another session, or after the kernel was restarted
    assert said(later, task("A", "one", "two")) == "three"
    assert len({json.loads(line)["run"] for line in path.read_text().splitlines()[1:]}) == 1


def test_a_replay_goes_on_with_what_another_model_began(path: Path) -> None:
    model = RecordingModel(ScriptedModel("one", "two", "three"), path)
    for number in range(3):
        said(model, task("A", *["one", "two"][:number]))
    assert said(ReplayModel(path), task("A", "one", "two")) == "three"


def test_two_runs_of_one_task_at_a_time_are_kept_apart(path: Path) -> None:
    model = RecordingModel(ScriptedModel("one", "uno", "two", "due"), path)
    calls = [task(), task(), task("A", "one"), task("A", "uno")]
    assert [said(model, call) for call in calls] == ["one", "uno", "two", "due"]
    runs: dict[str, list[str]] = {}
    for line in map(json.loads, path.read_text().splitlines()[1:]):
        runs.setdefault(line["run"], []).append(line["text"])
    assert list(runs.values()) == [["one", "two"], ["uno", "due"]]


# --- as it was -----------------------------------------------------------------------------------------------------------


class Halting:
    """A model that streams in pieces of its own."""

    name = "halting"

    async def reply(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> Any:
        for channel, text in (
            ("reasoning", "h"),
            ("reply", "on"),
            ("reasoning", "m"),
            ("reply", "e"),
            ("progress", "…"),
        ):
            await asyncio.sleep(0.01)
            yield Delta(text=text, channel=channel)  # type: ignore[arg-type]
        yield Replied(text="one", reasoning="hm", model="m-1")


def test_a_reply_is_replayed_with_its_reasoning_and_in_the_time_it_took(path: Path) -> None:
    ask(RecordingModel(Halting(), path), task())
    replayed = ask(ReplayModel(path), task())
    assert [(item.channel, item.text) for item in replayed if isinstance(item, Delta)] == [
        ("reasoning", "hm"),
        ("reply", "one"),
    ]
    started = time.monotonic()
    assert said(ReplayModel(path, speed=1.0), task()) == "one"
    assert time.monotonic() - started >= 0.02


class BreakingOff:
    """Breaks off twice, and asks again by itself."""

    name = "breaking"

    async def reply(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> Any:
        async def attempt() -> Any:
            yield Delta(text="on")
            if left_over.pop():
                raise ModelError("m broke off.", kind="stream", retry=True)
            yield Delta(text="e")
            yield Replied(text="one")

        left_over = [0, 1, 2]
        async for item in Retry(sleep=lambda seconds: asyncio.sleep(0))(attempt):
            yield item


def test_a_reply_that_broke_off_and_was_asked_for_again_is_replayed_whole(path: Path) -> None:
    recorded = ask(RecordingModel(BreakingOff(), path), task())
    assert [item.text for item in recorded if getattr(item, "channel", "") == "reply"] == ["on", "on", "on", "e"]
    assert said(ReplayModel(path), task()) == "one"


def test_a_reply_that_broke_off_for_good_is_replayed_so(path: Path) -> None:
    fault = ModelError("m broke off.", kind="stream", retry=True)
    assert said(RecordingModel(ScriptedModel(fault), path), task()) == "(stream: m broke off.)"
    assert said(ReplayModel(path), task()) == "(stream: m broke off.)"


def test_the_pace_of_an_earlier_version_is_ignored(path: Path) -> None:
    path.write_text(HEADER + json.dumps({"task": "A", "text": "one", "pace": [{"a": 1}]}) + "\n")
    assert said(ReplayModel(path), task()) == "one"


# --- files ---------------------------------------------------------------------------------------------------------------


def test_where_a_reply_cannot_be_recorded_the_run_goes_on(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    model = RecordingModel(ScriptedModel("one", "two", "three"), path)
    said(model, task())
    path.unlink()
    path.mkdir()
    items = [ask(model, task("A", "one"))[-1], ask(model, task("A", "one", "two"))[-1]]
    note = f"The recording {path} ends before this reply: Is a directory. The run goes on."
    assert items == [Replied(text="two", model="scripted", note=note), Replied(text="three", model="scripted")]
    assert [record.message for record in caplog.records if record.levelno == logging.WARNING] == [note]


@pytest.mark.parametrize("name", ["folder", "none/rec.jsonl", "read-only.jsonl", "/dev/null"])
def test_what_cannot_be_recorded_to_is_told_before_the_run(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "read-only.jsonl").write_text('{"format": "another"}\n')
    with pytest.raises(SetupError, match=r"--record"):
        RecordingModel(ScriptedModel(), tmp_path / name)


@pytest.mark.parametrize("mangle", [lambda t: t.replace("\n", "\r\n"), lambda t: "\ufeff" + t, lambda t: t + "\n\n \n"])
def test_what_editors_do_to_a_file_is_understood(path: Path, mangle: Any) -> None:
    lines = [{"task": "A", "text": "one\r\ntwo"}, {"task": "A", "text": "three"}]
    path.write_bytes(mangle(HEADER + "".join(json.dumps(line) + "\n" for line in lines)).encode())
    model = ReplayModel(path)
    assert [said(model, task()), said(model, task("A", "one"))] == ["one\r\ntwo", "three"]


WRITER = """
import asyncio, sys
from smolcell.protocols import Message
from smolcell.models.recording import RecordingModel
from smolcell.models.scripted import ScriptedModel
async def main():
    model = RecordingModel(ScriptedModel(*["x" * 5000] * 20), sys.argv[1])
    for _ in range(20):
        async for item in model.reply([Message("user", "New task:\\n" + sys.argv[2])]): pass
asyncio.run(main())
"""


def test_several_kernels_record_into_one_file(path: Path) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), name]) for name in "ABC"]
    assert [writer.wait(240) for writer in writers] == [0, 0, 0]
    texts = [json.loads(line).get("task") for line in path.read_text().splitlines()]
    assert {name: texts.count(name) for name in "ABC"} == {"A": 20, "B": 20, "C": 20}
    assert set(ReplayModel(path).tasks) == {"A", "B", "C"}


HOSTILE = {
    "a deep line": "[" * 100_000,
    "a number without end": '{"task": "A", "text": "x", "seconds": 1e999}',
    "a number of many digits": '{"task": "A", "text": "x", "usage": {"input_tokens": ' + "9" * 5000 + "}}",
    "negative tokens": '{"task": "A", "text": "x", "usage": {"input_tokens": -1}}',
    "a cost that is none": '{"task": "A", "text": "x", "usage": {"cost": NaN}}',
    "usage that is none": '{"task": "A", "text": "x", "usage": "many"}',
    "a text that is none": '{"task": "A", "text": {"__reduce__": 1}}',
    "a huge text": json.dumps({"task": "A", "text": "x" * 4_000_001}),
    "a fault that is none": '{"task": "A", "fault": {"kind": ["key"], "message": 1}}',
}


@pytest.mark.parametrize("line", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_line_is_named_and_nothing_of_it_is_used(path: Path, line: str) -> None:
    path.write_text(f"{HEADER}{line}\n{{}}\n")
    with pytest.raises(SetupError, match="line 2 is not a recorded reply"):
        ReplayModel(path)


def test_what_a_recording_says_is_made_visible_and_bounded(path: Path) -> None:
    fault = {"kind": "no such kind", "message": "\x1b[2J" + "x" * 100_000}
    lines = [{"task": "A", "fault": fault}, {"task": "B\x1b[2J" * 1000, "text": "x"}]
    header = {"format": "smolcell-recording", "version": 1, "model": "\u202e\x1b]0;" + "m" * 10_000}
    path.write_text("".join(json.dumps(line) + "\n" for line in [header, *lines]))
    model = ReplayModel(path)
    errors = [said(model, task()), said(model, task("C"))]
    for text in (model.name, *errors):
        assert "\x1b" not in text and "\u202e" not in text and len(text) < 3000


def test_a_recording_that_is_too_large_or_no_file_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "large.jsonl").open("wb") as file:
        file.truncate(MAX_RECORDING_BYTES + 1)
    with pytest.raises(SetupError, match="it has more than 268,435,456 bytes"):
        ReplayModel(tmp_path / "large.jsonl")
    with pytest.raises(SetupError, match="cannot be read: it is a folder or a device, not a file"):
        ReplayModel("/dev/zero")


@pytest.mark.parametrize(
    ("version", "said"), [("2", r"\(a newer one made it: pip install --upgrade"), ("0", ";"), ('"1"', ";")]
)
def test_another_version_is_named(path: Path, version: str, said: str) -> None:
    path.write_text(HEADER.replace('"version": 1', f'"version": {version}'))
    with pytest.raises(
        SetupError, match=rf"it has version {version.strip(chr(34))}, and this smolcell reads version 1 ?{said}"
    ):
        ReplayModel(path)
