"""A recorded run can be replayed: the same replies, in the same order, and a clear word if it cannot."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smolcell.core.prompt import PromptSettings, prompt
from smolcell.errors import AgentGenerationError, SetupError
from smolcell.events import Asked, Delta, Replied, Usage, Variable, sha256
from smolcell.models.recording import RecordingModel, ReplayModel
from smolcell.models.scripted import ScriptedModel
from smolcell.protocols import Message, Model

CANARY = "canary-4711-canary"
SYSTEM = Message("system", "You write Python.")


def task(text: str) -> Message:
    return Message("user", f"New task:\n{text}")


def after(*replies: str) -> list[Message]:
    """What follows a task once these replies were run."""
    return [m for reply in replies for m in (Message("assistant", reply), Message("user", f"Observation: {reply}"))]


def ask(model: Model, *messages: Message) -> list[Delta | Replied]:
    async def collect() -> list[Delta | Replied]:
        return [item async for item in model.reply(messages)]

    return asyncio.run(collect())


def text(model: Model, *messages: Message) -> str:
    *deltas, last = ask(model, *messages)
    assert isinstance(last, Replied)
    assert "".join(d.text for d in deltas if isinstance(d, Delta) and d.channel == "reply") == last.text
    return last.text


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "rec.jsonl"


def record(path: Path, *runs: tuple[str, list[str]]) -> None:
    model = RecordingModel(ScriptedModel(*[reply for _, replies in runs for reply in replies], name="openai/m"), path)
    for name, replies in runs:
        for number, reply in enumerate(replies):
            assert text(model, SYSTEM, task(name), *after(*replies[:number])) == reply


def test_replies_are_replayed_in_order(path: Path) -> None:
    record(path, ("A", ["one", "two"]), ("B", ["three"]))
    model = ReplayModel(path)
    assert (model.name, model.tasks) == ("openai/m (recorded)", ("A", "B"))
    assert text(model, SYSTEM, task("B")) == "three"
    assert text(model, SYSTEM, task("A")) == "one"
    assert text(model, SYSTEM, task("A"), *after("one")) == "two"


def test_all_of_a_reply_is_replayed(path: Path) -> None:
    usage = Usage(input_tokens=3, output_tokens=4, cost=0.5)
    reply = Replied(text="é\u2028 " * 50, reasoning="hm " * 40, usage=usage, model="m-1")
    recorded = ask(RecordingModel(ScriptedModel(reply), path), task("A"))
    replayed = ask(ReplayModel(path), task("A"))
    assert recorded[-1] == replayed[-1] == reply
    assert (
        "".join(d.text for d in replayed[:-1] if isinstance(d, Delta) and d.channel == "reasoning") == reply.reasoning
    )
    assert max(len(d.text) for d in replayed[:-1]) < 40


def test_a_later_task_of_the_same_conversation_is_found(path: Path) -> None:
    record(path, ("A", ["one"]), ("B", ["three", "four"]))
    model = ReplayModel(path)
    history = [SYSTEM, task("A"), *after("one"), task("B")]
    assert text(model, *history) == "three"
    assert text(model, *history, *after("three")) == "four"


def test_a_task_that_the_prompt_joined_to_what_came_before_it_is_found(path: Path) -> None:
    """In a session that goes on, the last observation and the next task are one user message."""
    record(path, ("A", ["one"]), ("B", ["three", "four"]))
    model = ReplayModel(path)
    joined = Message("user", f"Observation: one\n\nThat was the answer: 1\n\n{task('B').text}")
    history = [SYSTEM, task("A"), Message("assistant", "one"), joined]
    assert ask(model, *history)[-1] == Replied(text="three", model="openai/m")  # and no word of a divergence
    assert text(model, *history, *after("three")) == "four"


def test_the_variables_that_go_with_a_task_are_not_part_of_it(path: Path) -> None:
    """Their description differs between versions of pandas, and from one person's data to another's."""

    def defined(value: str) -> Message:
        asked = Asked(run="r", task="A", variables=(Variable(name="x", type="int", text=value),))
        return prompt([asked], PromptSettings())[-1]

    ask(RecordingModel(ScriptedModel("one"), path), defined("1"))
    model = ReplayModel(path)
    assert model.tasks == ("A",)
    assert text(model, defined("2")) == "one"


def test_a_cell_that_is_run_again_starts_the_recording_again(path: Path) -> None:
    record(path, ("A", ["one", "two"]))
    model = ReplayModel(path)
    for _ in range(3):
        assert text(model, task("A")) == "one"
        assert text(model, task("A"), *after("one")) == "two"
        assert text(model, task("A")) == "one"  # stopped in the middle


def test_a_run_that_was_recorded_again_counts(path: Path) -> None:
    record(path, ("A", ["one", "half"]), ("B", ["b"]))
    record(path, ("A", ["two"]))
    model = ReplayModel(path)
    assert [text(model, task("A")) for _ in range(3)] == ["two", "two", "two"]
    assert text(model, task("B")) == "b"
    joined = Message(
        "user", f"Observation: b\n\n{task('A').text}"
    )  # of runs after another conversation, the newest too
    assert text(model, SYSTEM, task("B"), Message("assistant", "b"), joined) == "two"


def test_a_task_that_is_asked_twice_in_a_conversation_has_both_replies(path: Path) -> None:
    first, second = [SYSTEM, task("A")], [SYSTEM, task("A"), *after("one"), task("A")]
    recording = RecordingModel(ScriptedModel("one", "two", "three"), path)
    for history in (first, second, [*second, *after("two")]):
        text(recording, *history)
    for _ in range(2):
        model = ReplayModel(path)
        assert [text(model, *first), text(model, *second), text(model, *second, *after("two"))] == [
            "one",
            "two",
            "three",
        ]


def test_an_edit_or_a_refusal_goes_on_with_the_next_reply_and_says_so_once(path: Path) -> None:
    record(path, ("A", ["one", "two", "three"]))
    model = ReplayModel(path)
    other = Message("user", "Refused: use less memory")
    assert text(model, SYSTEM, task("A")) == "one"
    replied = ask(model, SYSTEM, task("A"), Message("assistant", "one"), other)[-1]
    note = "the replay left its recording at step 2: message 3 (user) is not the recorded one"
    difference = "; recorded was 'Observation: one', now it is 'Refused: use less memory'"
    assert replied == Replied(text="two", model="openai/m", note=note + difference)
    replied = ask(model, SYSTEM, task("A"), Message("assistant", "one"), other, *after("two"))[-1]
    assert replied == Replied(text="three", model="openai/m")
    with pytest.raises(AgentGenerationError, match=r"it holds 3 replies \(it was left at step 2\)"):
        ask(model, SYSTEM, task("A"), Message("assistant", "one"), other, *after("two", "three"))


def test_another_number_of_messages_is_named(path: Path) -> None:
    record(path, ("A", ["one", "two"]))
    model = ReplayModel(path)
    ask(model, SYSTEM, task("A"))
    note = "the replay left its recording at step 2: 4 messages are shown, 3 were recorded"
    replied = ask(model, SYSTEM, task("A"), *after("one"), Message("user", "more"))[-1]
    assert replied == Replied(text="two", model="openai/m", note=note)


def test_another_system_message_is_no_divergence(path: Path) -> None:
    record(path, ("A", ["one"]))
    replied = ask(ReplayModel(path), Message("system", "newer"), task("A"))[-1]
    assert replied == Replied(text="one", model="openai/m")


def test_running_out_names_the_step(path: Path) -> None:
    record(path, ("A", ["one"]))
    model = ReplayModel(path)
    ask(model, task("A"))
    with pytest.raises(AgentGenerationError, match=r"rec\.jsonl ran out at step 2 of the task 'A': it holds 1 rep"):
        ask(model, task("A"), *after("one"))


def test_an_unknown_task_lists_the_known_ones(path: Path) -> None:
    record(path, ("Plot\nthe sales", ["one"]), ("B" * 200, ["two"]))
    with pytest.raises(AgentGenerationError) as caught:
        ask(ReplayModel(path), task("Count the words"))
    assert "does not hold the task 'Count the words'; it holds:\n  'Plot the sales'\n  'BBB" in str(caught.value)


def test_the_longest_task_that_the_message_contains_is_taken(path: Path) -> None:
    record(path, ("Plot", ["one"]), ("Plot the sales", ["two"]), ("sales", ["three"]))
    assert text(ReplayModel(path), task("Plot the sales\n\nThe variable df is a table.")) == "two"
    assert text(ReplayModel(path), task("Plot")) == "one"


def test_a_recording_can_be_written_by_hand(path: Path) -> None:
    path.write_text(
        '{"format": "smolcell-recording", "version": 1}\n'
        '{"task": "A", "text": "one"}\n\n{"task": "A", "text": "two", "more": 1}'
    )
    model = ReplayModel(path, delay=0.001)
    assert text(model, task("A")) == "one"
    assert text(model, task("A"), *after("one")) == "two"


def test_messages_without_a_task_are_matched_by_the_last_user_message(path: Path) -> None:
    model = RecordingModel(ScriptedModel("one", "two"), path)
    ask(model, Message("user", "hello"))
    ask(model)
    assert text(ReplayModel(path), Message("user", "hello")) == "one"
    assert text(ReplayModel(path)) == "two"


def test_secrets_are_not_recorded(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", CANARY)
    reply = Replied(text=f"use {CANARY}", reasoning=CANARY, model=CANARY)
    ask(RecordingModel(ScriptedModel(reply, name=CANARY), path), Message("system", CANARY), task(f"A {CANARY}"))
    assert CANARY not in path.read_text()
    line = json.loads(path.read_text().splitlines()[1])
    assert (line["redacted"], line["sha256"], line["text"]) == (True, sha256(reply.text), "use [redacted]")
    note = "a secret in this reply was redacted when it was recorded"
    replied = ask(ReplayModel(path), task(f"A {CANARY}"))[-1]
    assert isinstance(replied, Replied) and replied.note == note
    assert text(ReplayModel(path), task(f"A {CANARY}")) == "use [redacted]"


class Broken:
    """A model whose stream breaks off."""

    name = "broken"

    async def reply(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> AsyncIterator[Delta | Replied]:
        yield Delta(text="half")
        raise AgentGenerationError("cut")


def test_half_a_reply_is_not_recorded_but_the_fault_is(path: Path) -> None:
    for make in (lambda: RecordingModel(Broken(), path), lambda: ReplayModel(path)):
        with pytest.raises(AgentGenerationError, match=r"^cut$"):
            ask(make(), task("A"))
    assert "half" not in path.read_text()


def test_a_reply_is_on_disk_before_it_is_handed_on(path: Path) -> None:
    async def first_reply() -> None:
        async for item in RecordingModel(ScriptedModel("one"), path).reply([task("A")]):
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


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "its first line is not"),
        (b"hello\n", "its first line is not"),
        (b"[]\n", "its first line is not"),
        (b"\xff\xfe", "it is not UTF-8 text"),
        (b'{"format": "smolcell-recording", "version": 2}\n', "it has version 2, and this smolcell reads version 1"),
        (b'{"format": "smolcell-recording", "version": 1}\n{"task": 1}\n{}\n', "line 2 is not a recorded reply"),
    ],
)
def test_a_file_that_is_no_recording_is_named_with_the_reason(path: Path, content: bytes, why: str) -> None:
    path.write_bytes(content)
    with pytest.raises(SetupError, match=rf"rec\.jsonl is not a recording that can be used: {why}"):
        ReplayModel(path)
    if content:
        with pytest.raises(SetupError):
            RecordingModel(ScriptedModel(), path)
        assert path.read_bytes() == content


def test_a_file_that_is_missing_or_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"none\.jsonl cannot be read: No such file"):
        ReplayModel(tmp_path / "none.jsonl")
    with pytest.raises(SetupError, match=r"rec\.jsonl cannot be written"):
        RecordingModel(ScriptedModel(), tmp_path / "none" / "rec.jsonl")


@settings(deadline=None)  # it writes files
@given(st.lists(st.text(), min_size=1, max_size=4))
def test_any_text_survives(tmp_path_factory: pytest.TempPathFactory, replies: list[str]) -> None:
    path = tmp_path_factory.mktemp("rec") / "rec.jsonl"
    record(path, ("A", replies))
    model = ReplayModel(path)
    for number, reply in enumerate(replies):
        assert text(model, SYSTEM, task("A"), *after(*replies[:number])) == reply
