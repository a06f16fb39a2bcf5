"""A recorded run can be replayed: the same replies and faults, in the same order, and a clear word if it cannot. A recording survives full
disks, other writers and other systems, and harms nobody."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from dialects import CANARY, items
from hypothesis import given
from hypothesis import strategies as st
from persons import ANSWER, of, scripted

from smolcell.core.prompt import PromptSettings, prompt
from smolcell.errors import AgentGenerationError, SetupError
from smolcell.events import Asked, Delta, File, Replied, Usage, Variable, sha256
from smolcell.models.errors import ModelError, Retry, model_error
from smolcell.models.recording import RecordingModel, ReplayModel
from smolcell.models.scripted import ScriptedModel
from smolcell.protocols import Message, Model

SYSTEM = Message("system", "You write Python.")
HEADER = '{"format": "smolcell-recording", "version": 1, "model": "m"}\n'


def asks(text: str) -> Message:
    return Message("user", f"New task:\n{text}")


def after(*replies: str) -> list[Message]:
    """What follows a task once these replies were run."""
    return [m for reply in replies for m in (Message("assistant", reply), Message("user", f"Observation: {reply}"))]


def task(text: str = "A", *replies: str) -> list[Message]:
    return [SYSTEM, asks(text), *after(*replies)]


def said(model: Model, messages: Sequence[Message]) -> str:
    """The reply, or the fault in brackets."""
    try:
        *deltas, last = items(model, messages)
    except AgentGenerationError as error:
        return f"({error.kind or 'none'}: {error})"
    assert isinstance(last, Replied)
    if isinstance(model, ReplayModel):
        assert "".join(d.text for d in deltas if isinstance(d, Delta) and d.channel == "reply") == last.text
    return last.text


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "rec.jsonl"


def record(path: Path, *runs: tuple[str, list[str]]) -> None:
    model = RecordingModel(ScriptedModel(*[reply for _, replies in runs for reply in replies], name="openai/m"), path)
    for name, replies in runs:
        for number, reply in enumerate(replies):
            assert said(model, task(name, *replies[:number])) == reply


def recorded(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()[1:]]


# --- which reply ---------------------------------------------------------------------------------------------------------


def test_replies_are_replayed_in_order(path: Path) -> None:
    record(path, ("A", ["one", "two"]), ("B", ["three"]))
    model = ReplayModel(path)
    assert (model.name, model.tasks) == ("openai/m (recorded)", ("A", "B"))
    assert [said(model, call) for call in (task("B"), task(), task("A", "one"))] == ["three", "one", "two"]


def test_all_of_a_reply_is_replayed(path: Path) -> None:
    usage = Usage(input_tokens=3, output_tokens=4, cost=0.5)
    reply = Replied(text="é\u2028 " * 50, reasoning="hm " * 40, usage=usage, model="m-1")
    first = items(RecordingModel(ScriptedModel(reply), path), task())
    *deltas, last = items(ReplayModel(path), task())
    assert first[-1] == last == reply
    assert "".join(d.text for d in deltas if isinstance(d, Delta) and d.channel == "reasoning") == reply.reasoning
    assert max(len(d.text) for d in deltas) < 40


@pytest.mark.parametrize("joined", [False, True])
def test_a_later_task_of_the_same_conversation_is_found(path: Path, joined: bool) -> None:
    """In a session that goes on, the last observation and the next task are one user message."""
    record(path, ("A", ["one"]), ("B", ["three", "four"]))
    model = ReplayModel(path)
    one = Message("user", f"Observation: one\n\nThat was the answer: 1\n\n{asks('B').text}")
    history = [*task(), Message("assistant", "one"), one] if joined else [*task("A", "one"), asks("B")]
    assert items(model, history)[-1] == Replied(text="three", model="openai/m")  # and no word of a divergence
    assert said(model, [*history, *after("three")]) == "four"


def test_the_variables_that_go_with_a_task_are_not_part_of_it(path: Path) -> None:
    """Their description differs between versions of pandas, and from one person's data to another's."""

    def defined(value: str) -> list[Message]:
        x, file = Variable(name="x", type="DataFrame", text=f"{value}\n\n1"), File(name="a.csv", size=int(value))
        return prompt([Asked(run="r", task="A", variables=(x,), files=(file,))], PromptSettings())[-1:]

    items(RecordingModel(ScriptedModel("one"), path), defined("1"))
    (line,) = recorded(path)
    assert (line["task"], "before" in line) == ("A", False)
    model = ReplayModel(path)
    assert (model.tasks, items(model, defined("2"))[-1]) == (("A",), Replied(text="one", model="scripted"))


UNCLOSED = "I look.\n<code>\nx = 1\n"
TOO_LONG = model_error("m was cut off", kind="length")
REPLACES, SHOWS = "<code>\nx = 2\nprint(x)\n</code>", "<code>\nprint(y)\n</code>"


@pytest.mark.parametrize(
    ("replies", "given"),
    [
        ([UNCLOSED, UNCLOSED, SHOWS], {}),
        ([UNCLOSED, SHOWS], {"x": 1}),
        ([TOO_LONG, SHOWS], {}),
        ([REPLACES, TOO_LONG, SHOWS], {"x": 1}),
        ([SHOWS, UNCLOSED, SHOWS], {}),
        ([SHOWS, SHOWS], {}),
    ],
)
def test_replies_that_the_model_does_not_read_again_are_replayed_in_order(
    path: Path, replies: list[Any], given: dict[str, int]
) -> None:
    """The message before them then goes on with what the model is told about them."""

    def run_twice(model: Model) -> list[tuple[Any, list[str]]]:
        runs = []
        for _ in range(2):
            with scripted(model=model, does=[does] * 4) as agent:
                runs.append((agent.run("A", additional_args=given), [event.text for event in of(agent, Replied)]))
        return runs

    def does(program: str) -> Any:
        return ANSWER if "final_answer" in program else program

    live = run_twice(RecordingModel(ScriptedModel(*[*replies, "<code>\nfinal_answer(6 * 7)\n</code>"] * 2), path))
    assert {line["task"] for line in recorded(path)} == {"A"}
    assert len({line["run"] for line in recorded(path)}) == 2
    model = ReplayModel(path)
    assert (model.tasks, run_twice(model)) == (("A",), live)


def test_a_cell_that_is_run_again_starts_the_recording_again(path: Path) -> None:
    record(path, ("A", ["one", "two"]))
    model = ReplayModel(path)
    for _ in range(3):
        calls = [task(), task("A", "one"), task()]  # stopped in the middle
        assert [said(model, call) for call in calls] == ["one", "two", "one"]


def test_a_run_that_was_recorded_again_counts(path: Path) -> None:
    record(path, ("A", ["one", "half"]), ("B", ["b"]))
    record(path, ("A", ["two"]))
    model = ReplayModel(path)
    assert [said(model, task()) for _ in range(3)] == ["two", "two", "two"]
    assert said(model, task("B")) == "b"
    joined = Message(
        "user", f"Observation: b\n\n{asks('A').text}"
    )  # of runs after another conversation, the newest too
    assert said(model, [*task("B"), Message("assistant", "b"), joined]) == "two"


def test_a_task_that_is_asked_twice_in_a_conversation_has_both_replies(path: Path) -> None:
    second = [*task("A", "one"), asks("A")]
    calls = [task(), second, [*second, *after("two")]]
    recording = ScriptedModel("one", "two", "three")
    for make in (partial(RecordingModel, recording), ReplayModel, ReplayModel):
        model = make(path)
        assert [said(model, call) for call in calls] == ["one", "two", "three"]


def test_two_runs_of_one_task_at_a_time_are_kept_apart(path: Path) -> None:
    model = RecordingModel(ScriptedModel("one", "uno", "two", "due"), path)
    calls = [task(), task(), task("A", "one"), task("A", "uno")]
    assert [said(model, call) for call in calls] == ["one", "uno", "two", "due"]
    runs: dict[str, list[str]] = {}
    for line in recorded(path):
        runs.setdefault(line["run"], []).append(line["text"])
    assert list(runs.values()) == [["one", "two"], ["uno", "due"]]


def test_an_edit_or_a_refusal_goes_on_with_the_next_reply_and_says_so_once(path: Path) -> None:
    record(path, ("A", ["one", "two", "three"]))
    model = ReplayModel(path)
    edited = [*task(), Message("assistant", "one"), Message("user", "Refused: use less memory")]
    assert said(model, task()) == "one"
    note = "the replay left its recording at step 2: message 3 (user) is not the recorded one"
    difference = "; recorded was 'Observation: one', now it is 'Refused: use less memory'"
    assert items(model, edited)[-1] == Replied(text="two", model="openai/m", note=note + difference)
    assert items(model, [*edited, *after("two")])[-1] == Replied(text="three", model="openai/m")
    with pytest.raises(AgentGenerationError, match=r"it holds 3 replies \(it was left at step 2\)"):
        items(model, [*edited, *after("two", "three")])


def test_another_number_of_messages_is_named_and_another_system_message_is_no_divergence(path: Path) -> None:
    record(path, ("A", ["one", "two"]))
    model = ReplayModel(path)
    first = items(model, [Message("system", "newer"), asks("A")])[-1]
    assert first == Replied(text="one", model="openai/m")
    note = "the replay left its recording at step 2: 4 messages are shown, 3 were recorded"
    replied = items(model, [*task("A", "one"), Message("user", "more")])[-1]
    assert replied == Replied(text="two", model="openai/m", note=note)


def test_running_out_names_the_step_and_an_unknown_task_lists_the_known_ones(path: Path) -> None:
    record(path, ("Plot\nthe sales", ["one"]), ("B" * 200, ["two"]))
    model = ReplayModel(path)
    said(model, task("Plot\nthe sales"))
    with pytest.raises(
        AgentGenerationError, match=r"rec\.jsonl ran out at step 2 of the task 'Plot .*: it holds 1 rep"
    ):
        items(model, task("Plot\nthe sales", "one"))
    with pytest.raises(AgentGenerationError) as caught:
        items(model, task("Count the words"))
    assert "does not hold the task 'Count the words'; it holds:\n  'Plot the sales'\n  'BBB" in str(caught.value)


def test_the_longest_task_that_the_message_contains_is_taken(path: Path) -> None:
    record(path, ("Plot", ["one"]), ("Plot the sales", ["two"]), ("sales", ["three"]))
    calls = [task("Plot the sales\n\nThe variable df is a table."), task("Plot")]
    assert [said(ReplayModel(path), call) for call in calls] == ["two", "one"]


def test_messages_without_a_task_are_matched_by_the_last_user_message(path: Path) -> None:
    model = RecordingModel(ScriptedModel("one", "two"), path)
    calls: list[list[Message]] = [[Message("user", "hello")], []]
    for each in calls:
        items(model, each)
    assert [said(ReplayModel(path), each) for each in calls] == ["one", "two"]


# --- faults --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fails_at", [1, 2, 3])
def test_a_run_that_failed_and_was_resumed_is_replayed_so(path: Path, fails_at: int) -> None:
    """The call that failed is made again, as ``%agent resume`` does, by the model that records the whole session."""
    replies: list[Any] = ["one", "two", "three"]
    at = fails_at - 1
    calls = [task("A", *replies[:number]) for number in range(3)]
    calls[at:at] = [calls[at]] * 2
    expected = [*replies[:at], "(key: the key is wrong)", "(none: cut)", *replies[at:]]
    replies[at:at] = [ModelError("the key is wrong", kind="key"), AgentGenerationError("cut")]
    for make in (partial(RecordingModel, ScriptedModel(*replies)), ReplayModel, ReplayModel):
        model = make(path)
        assert [said(model, call) for call in calls] == expected


def test_a_run_that_another_model_goes_on_with_is_one_run(path: Path) -> None:
    model = RecordingModel(ScriptedModel("one", AgentGenerationError("cut")), path)
    assert [said(model, task()), said(model, task("A", "one"))] == ["one", "(none: cut)"]
    model.answer_from(ScriptedModel("two"))
    assert said(model, task("A", "one")) == "two"
    later = RecordingModel(ScriptedModel("three"), path)  # of another session, or after the kernel was restarted
    assert said(later, task("A", "one", "two")) == "three"
    assert len({line["run"] for line in recorded(path)}) == 1
    assert said(ReplayModel(path), task("A", "one", "two")) == "three"  # a replay goes on with what another model began


class Halting:
    """A model that streams in pieces of its own."""

    name = "halting"

    async def reply(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> Any:
        pieces = [("reasoning", "h"), ("reply", "on"), ("reasoning", "m"), ("reply", "e"), ("progress", "…")]
        for channel, text in pieces:
            await asyncio.sleep(0.01)
            yield Delta(text=text, channel=channel)  # type: ignore[arg-type]
        yield Replied(text="one", reasoning="hm", model="m-1")


def test_a_reply_is_replayed_with_its_reasoning_and_in_the_time_it_took(path: Path) -> None:
    items(RecordingModel(Halting(), path), task())
    replayed = [item for item in items(ReplayModel(path), task()) if isinstance(item, Delta)]
    assert [(item.channel, item.text) for item in replayed] == [("reasoning", "hm"), ("reply", "one")]
    started = time.monotonic()
    assert said(ReplayModel(path, speed=1.0), task()) == "one"
    assert time.monotonic() - started >= 0.02


class BreakingOff:
    """Breaks off so often, and asks again by itself."""

    name = "breaking"

    def __init__(self, times: int, tries: int = 4) -> None:
        self.times, self.tries = times, tries

    async def reply(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> AsyncIterator[Delta | Replied]:
        left_over = [0, *[1] * self.times]

        async def attempt() -> Any:
            yield Delta(text="on")
            if left_over.pop():
                raise ModelError("m broke off.", kind="stream", retry=True)
            yield Delta(text="e")
            yield Replied(text="one")

        async for item in Retry(tries=self.tries, sleep=lambda seconds: asyncio.sleep(0))(attempt):
            yield item


def test_a_reply_that_broke_off_and_was_asked_for_again_is_replayed_whole(path: Path) -> None:
    shown = items(RecordingModel(BreakingOff(2), path), task())
    assert [item.text for item in shown if getattr(item, "channel", "") == "reply"] == ["on", "on", "on", "e"]
    assert said(ReplayModel(path), task()) == "one"


def test_half_a_reply_is_not_recorded_but_the_fault_is(path: Path) -> None:
    for make in (partial(RecordingModel, BreakingOff(1, tries=1)), ReplayModel):
        assert said(make(path), task()) == "(stream: m broke off.)"
    assert '"on"' not in path.read_text()


# --- files ---------------------------------------------------------------------------------------------------------------


def test_secrets_are_not_recorded(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", CANARY)
    reply = Replied(text=f"use {CANARY}", reasoning=CANARY, model=CANARY)
    items(RecordingModel(ScriptedModel(reply, name=CANARY), path), [Message("system", CANARY), asks(f"A {CANARY}")])
    assert CANARY not in path.read_text()
    (line,) = recorded(path)
    assert (line["redacted"], line["sha256"], line["text"]) == (True, sha256(reply.text), "use [redacted]")
    replied = items(ReplayModel(path), task(f"A {CANARY}"))[-1]
    assert isinstance(replied, Replied) and "a secret in this reply was redacted" in replied.note
    assert replied.text == "use [redacted]"


def test_a_reply_is_on_disk_before_it_is_handed_on(path: Path) -> None:
    async def first_reply() -> None:
        async for item in RecordingModel(ScriptedModel("one"), path).reply(task()):
            if isinstance(item, Replied):
                assert ReplayModel(path).tasks == ("A",)
                return
        raise AssertionError("no reply")

    asyncio.run(first_reply())


def test_a_recording_that_was_cut_off_is_read_and_continued(path: Path) -> None:
    record(path, ("A", ["one"]))
    whole = path.read_bytes()
    start = whole.index(b"\n") + 1
    for cut in range(start, len(whole), 11):
        path.write_bytes(whole[:cut])
        assert ReplayModel(path).tasks == ()
        record(path, ("B", ["two"]))
        assert ReplayModel(path).tasks == ("B",)
    path.write_bytes(whole[:-1])  # only the line's end is missing
    record(path, ("B", ["two"]))
    assert ReplayModel(path).tasks == ("A", "B")


def test_where_a_reply_cannot_be_recorded_the_run_goes_on(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    model = RecordingModel(ScriptedModel("one", "two", "three"), path)
    said(model, task())
    path.unlink()
    path.mkdir()
    last = [items(model, task("A", "one"))[-1], items(model, task("A", "one", "two"))[-1]]
    note = f"The recording {path} ends before this reply: Is a directory. The run goes on."
    assert last == [Replied(text="two", model="scripted", note=note), Replied(text="three", model="scripted")]
    assert [entry.message for entry in caplog.records if entry.levelno == logging.WARNING] == [note]


@pytest.mark.parametrize("name", ["folder", "none/rec.jsonl", "read-only.jsonl", "/dev/null"])
def test_what_cannot_be_recorded_to_is_told_before_the_run(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "read-only.jsonl").write_text('{"format": "another"}\n')
    with pytest.raises(SetupError, match=r"--record"):
        RecordingModel(ScriptedModel(), tmp_path / name)


LINES = [{"task": "A", "text": "one\r\ntwo"}, {"task": "A", "text": "three", "more": 1, "pace": [{"a": 1}]}]
MANGLED = {
    "by hand": lambda text: text.replace(', "model": "m"', "").rstrip(),
    "Windows": lambda text: text.replace("\n", "\r\n"),
    "byte order mark": lambda text: "\ufeff" + text,
    "empty lines": lambda text: text.replace("\n", "\n\n") + "\n \n",
}


@pytest.mark.parametrize("mangle", MANGLED.values(), ids=MANGLED)
def test_what_people_and_editors_do_to_a_file_is_understood(path: Path, mangle: Any) -> None:
    path.write_bytes(mangle(HEADER + "".join(json.dumps(line) + "\n" for line in LINES)).encode())
    model = ReplayModel(path, delay=0.001)
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
    texts = [line["task"] for line in recorded(path)]
    assert {name: texts.count(name) for name in "ABC"} == {"A": 20, "B": 20, "C": 20}
    assert set(ReplayModel(path).tasks) == {"A", "B", "C"}


VERSION = '{"format": "smolcell-recording", "version": %s}\n'
OLDER = "it has version {}, and this smolcell reads version 1"
NO_RECORDINGS = {
    "nothing": (b"", "its first line is not"),
    "text": (b"hello\n", "its first line is not"),
    "a list": (b"[]\n", "its first line is not"),
    "no UTF-8": (b"\xff\xfe", "it is not UTF-8 text"),
    "a newer version": (VERSION % 2, OLDER.format(2) + r" \(a newer one made it: pip install --upgrade"),
    "an older version": (VERSION % 0, OLDER.format(0) + ";"),
    "a version that is none": (VERSION % '"1"', OLDER.format(1) + ";"),
}
NO_REPLIES = {
    "a task that is none": '{"task": 1}',
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
HOSTILE = {name: (f"{HEADER}{line}\n{{}}\n", "line 2 is not a recorded reply") for name, line in NO_REPLIES.items()}


@pytest.mark.parametrize(("content", "why"), (NO_RECORDINGS | HOSTILE).values(), ids=NO_RECORDINGS | HOSTILE)
def test_a_file_that_is_no_recording_is_named_with_the_reason_and_nothing_of_it_is_used(
    path: Path, content: str | bytes, why: str
) -> None:
    given = content.encode() if isinstance(content, str) else content
    path.write_bytes(given)
    with pytest.raises(SetupError, match=rf"rec\.jsonl is not a recording that can be used: {why}"):
        ReplayModel(path)
    if given:
        with pytest.raises(SetupError):
            RecordingModel(ScriptedModel(), path)
        assert path.read_bytes() == given


def test_what_a_recording_says_is_made_visible_and_bounded(path: Path) -> None:
    fault = {"kind": "no such kind", "message": "\x1b[2J" + "x" * 100_000}
    lines = [{"task": "A", "fault": fault}, {"task": "B\x1b[2J" * 1000, "text": "x"}]
    header = {"format": "smolcell-recording", "version": 1, "model": "\u202e\x1b]0;" + "m" * 10_000}
    path.write_text("".join(json.dumps(line) + "\n" for line in [header, *lines]))
    model = ReplayModel(path)
    errors = [said(model, task()), said(model, task("C"))]
    for text in (model.name, *errors):
        assert "\x1b" not in text and "\u202e" not in text and len(text) < 3000


def test_a_fault_of_a_recording_is_redacted_before_it_is_cut(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", "canary-4711-canary-4712")
    fault = {"kind": "no such kind", "message": "x" * 1985 + "canary-4711-canary-4712"}
    path.write_text(f"{HEADER}{json.dumps({'task': 'A', 'fault': fault})}\n")
    assert "canary" not in said(ReplayModel(path), task())


def test_a_recording_that_is_missing_too_large_or_no_file_is_not_read(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SetupError, match=r"rec\.jsonl cannot be read: No such file"):
        ReplayModel(path)
    monkeypatch.setattr("smolcell.models.recording.MAX_RECORDING_BYTES", 1_000)
    path.write_bytes(bytes(1_001))
    with pytest.raises(SetupError, match="it has more than 1,000 bytes"):
        ReplayModel(path)
    with pytest.raises(SetupError, match="cannot be read: it is a folder or a device, not a file"):
        ReplayModel("/dev/zero")


@given(st.lists(st.text(), min_size=1, max_size=4))
def test_any_text_survives(tmp_path_factory: pytest.TempPathFactory, replies: list[str]) -> None:
    path = tmp_path_factory.mktemp("rec") / "rec.jsonl"
    record(path, ("A", replies))
    model = ReplayModel(path)
    for number, reply in enumerate(replies):
        assert said(model, task("A", *replies[:number])) == reply
