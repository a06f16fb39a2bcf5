"""A handle's public attributes and calls go to the sandbox, as steps of the user's own; probes never do."""

from __future__ import annotations

import asyncio
import copy
import pickle
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from local_parts import PROGRAMS, no_tools
from processes import below, eventually, living
from test_hostile_worker import BODY, DONE, ScriptedChannel, ScriptedExecutor, encoded

from smolcell.agent import CodeAgent
from smolcell.approval.gates import allow_all
from smolcell.core.receipt import rows
from smolcell.errors import (
    CapabilityError,
    InterpreterError,
    JournalError,
    LimitError,
    SandboxBusyError,
    SandboxDiedError,
    SandboxError,
    WireError,
)
from smolcell.events import Allowed, Event, Observed, Proposed
from smolcell.executors.direct import SyncRunner
from smolcell.executors.local import LocalPythonExecutor
from smolcell.journal import Journal, load, read
from smolcell.models.scripted import ScriptedModel
from smolcell.permit import permit
from smolcell.telemetry.spans import spans
from smolcell.testing import MemoryExecutor
from smolcell.worker.wire import frames as wire
from smolcell.worker.wire import values
from smolcell.worker.wire.values import Handle

THING = PROGRAMS["a thing with methods"]


@pytest.fixture(scope="module", params=["guarded", "full"])
def sandbox(request: pytest.FixtureRequest) -> Iterator[LocalPythonExecutor]:
    with LocalPythonExecutor(python=request.param, timeout=60) as executor:
        executor(THING)
        yield executor


@pytest.fixture
def seen(sandbox: LocalPythonExecutor) -> Iterator[list[Event]]:
    """What handles did in the test."""
    events: list[Event] = []
    sandbox.record = events.append
    yield events
    sandbox.record = lambda _: None


@pytest.fixture
def thing(sandbox: LocalPythonExecutor) -> Any:
    return fetch(sandbox, "thing")


def fetch(executor: LocalPythonExecutor, name: str) -> Any:
    return asyncio.run(executor.pull([name]))[name]


def test_a_read_is_a_copy_of_data_or_another_handle(thing: Any) -> None:
    assert thing.unit == "m"
    assert (type(thing.part), thing.part.log) == (Handle, [])
    with pytest.raises(AttributeError, match="object has no attribute 'nothing'"):
        _ = thing.nothing


def test_an_object_whose_own_code_fails_is_a_handle_all_the_same(sandbox: LocalPythonExecutor) -> None:
    sandbox("class Odd:\n    def __dir__(self): raise ValueError\n    def one(self): return 1\nodd = Odd()")
    odd = fetch(sandbox, "odd")
    sandbox("1")
    assert odd.one() == 1


def test_an_attribute_that_a_call_made_is_read(sandbox: LocalPythonExecutor) -> None:
    sandbox("class New:\n    def fit(self): self.coef_ = 2.5\nnew = New()")
    new = fetch(sandbox, "new")
    assert not hasattr(new, "coef_")
    new.fit()
    assert new.coef_ == 2.5


def test_a_call_copies_its_arguments_and_returns_a_value_or_a_handle(
    thing: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    part = thing.part
    numbers = [1, 2]
    again = part.add(numbers[0]).add(5, times=2)
    assert (type(again), again.total(), part.log) == (Handle, 11, [1, 10])
    assert capsys.readouterr().out == "adding 1\nadding 5\n"
    with pytest.raises(InterpreterError, match="ValueError: no such value"):
        part.fail()
    with pytest.raises(InterpreterError, match="not callable"):
        part()
    with pytest.raises(CapabilityError, match=r"'_argument_1' .* cannot be sent to the sandbox"):
        part.add(threading.Lock())


def test_a_handle_stands_for_its_object_whatever_its_name_is_given_to(sandbox: LocalPythonExecutor) -> None:
    sandbox("first = Thing()")
    first = fetch(sandbox, "first")
    sandbox("first = Thing().add(3)")
    assert (first.total(), fetch(sandbox, "first").total()) == (0, 3)


def test_an_answer_is_a_handle_that_works(sandbox: LocalPythonExecutor) -> None:
    answer = sandbox("final_answer(Thing().add(4))").output
    assert (answer, answer.total()) == (Handle("", "Thing", "Thing()"), 4)
    function = sandbox("final_answer(lambda a, b=2: a * b)").output
    assert function(3, b=5) == 15


def test_each_call_is_a_step_of_the_users_own(thing: Any, seen: list[Event]) -> None:
    thing.part.add(2, times=3)
    kept = thing._kept
    texts = [(event.text, event.thought, event.run) for event in seen if isinstance(event, Proposed)]
    assert [type(event) for event in seen] == [Proposed, Allowed, Observed] * 2
    assert [event.by for event in seen if isinstance(event, Allowed)] == ["caller"] * 2
    assert texts[0] == (f"{kept}.part", "thing.part", "call")
    assert texts[1][0].endswith(".add(_argument_1, times=_argument_times)")


def test_probes_never_reach_the_sandbox(thing: Any, seen: list[Event]) -> None:
    for name in ("_repr_html_", "_ipython_display_", "_repr_mimebundle_", "__array__", "_private"):
        assert not hasattr(thing, name)
    assert not hasattr(thing, "_ipython_canary_method_should_not_exist_")
    for name in ("a b", "total()", "x; import os", "", "getdoc", "shape"):
        assert not hasattr(thing, name)
    assert copy.copy(thing) is copy.deepcopy([thing])[0] is thing
    with pytest.raises(TypeError):
        pickle.dumps(thing)
    for work in (iter, lambda it: it[0], list):  # not its own
        with pytest.raises(TypeError, match="that can be used from here"):
            work(thing)
    with pytest.raises(AttributeError):
        thing.unit = "km"
    assert {"add", "unit", "log"} < {*dir(thing)} and hasattr(thing, "total") and callable(thing.add)
    assert repr(thing) == "<Thing thing stays in the sandbox: Thing()>"
    assert (bool(thing), hash(thing), thing == thing.__copy__()) == (True, hash(thing), True)
    assert seen == []


CONTAINER = """
class Model:
    def __init__(self, score): self.score = score
models = [Model(at) for at in range(12)]
by_name = {"a": Model(5), "b": Model(6)}
firsts = {models[0]}
table = {"x": models[0], 3: [1, 2]}
class Old:
    def __len__(self): return 3
    def __getitem__(self, at):
        if at > 2: raise IndexError("no such item")
        return models[at]
old = Old()
class Pairs(dict):
    __eq__ = None
    def __iter__(self): return iter(self.values())
    def __contains__(self, key): return key == "a"
empty, pairs = Pairs(), Pairs(b=1)
letters = (letter for letter in "abc")
"""


def test_containers_are_used_as_containers(
    sandbox: LocalPythonExecutor, seen: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(values, "MAX_READ_ITEMS", 5)
    sandbox(CONTAINER)
    found = asyncio.run(sandbox.pull("models by_name firsts table old empty pairs letters".split()))
    models, by_name, old, empty = found["models"], found["by_name"], found["old"], found["empty"]
    assert (len(models), models[-1].score, len(models[10:20]), models[7:9][1].score) == (12, 11, 2, 8)
    assert [model.score for _, model in zip(range(3), models, strict=False)] == [0, 1, 2]
    assert [model.score for model in models] == list(range(12))
    assert (list(by_name), "a" in by_name, by_name["b"].score, len(by_name)) == (["a", "b"], True, 6, 2)
    assert [model.score for model in found["firsts"]] == [0]
    assert found["table"][3] == [1, 2]
    assert ([model.score for model in old], [model.score for model in reversed(old)]) == ([0, 1, 2], [2, 1, 0])
    assert (len(empty), list(empty), bool(empty)) == (0, [], True)
    assert "".join(found["letters"]) == "abc"
    assert ("a" in found["pairs"], "b" in found["pairs"], models[3] in old) == (True, False, False)
    with pytest.raises(KeyError, match="'c'"):
        by_name["c"]
    with pytest.raises(IndexError, match="out of range"):
        models[12]
    with pytest.raises(TypeError):
        models["a"]
    with pytest.raises(TypeError, match="no __len__"):
        len(found["letters"])
    texts = {(event.text, event.thought) for event in seen if isinstance(event, Proposed)}
    assert {(f"len({models._kept})", "len(models)"), (f"{by_name._kept}[_argument_1]", "by_name[…]")} < texts
    assert "__len__" not in dir(models)


def test_a_handle_is_not_sent_back_in(sandbox: LocalPythonExecutor, thing: Any) -> None:
    with pytest.raises(CapabilityError, match="name the sandbox's variable in the task instead"):
        sandbox.send_variables({"again": [thing]})


def test_dropped_handles_free_their_objects(sandbox: LocalPythonExecutor, thing: Any) -> None:
    names = "sorted(name for name in globals() if name[:3] in ('_ha', '_ar'))"
    thing.part.add(b"x" * 1000)
    del thing
    assert sandbox("1").changed == ()
    left = sandbox(names.replace("globals()", "dir()")).output
    assert not [name for name in left if name.startswith("_argument_")]
    many = [fetch(sandbox, "thing") for _ in range(5)]
    assert len({each._kept for each in many}) == 5
    del many
    after = sandbox(names.replace("globals()", "dir()")).output
    assert len(after) <= len(left) + 1  # a fixture's own


def test_handles_of_tools_arguments_call_nothing(sandbox: LocalPythonExecutor) -> None:
    given: list[Any] = []
    sandbox.send_tools({"look": given.append})
    sandbox("look(thing)")
    assert not hasattr(given[0], "total")
    with pytest.raises(TypeError, match="cannot be called from here"):
        given[0]()


# --- limits, other steps, ends ---


def test_a_call_has_the_limits_of_a_step_and_the_object_stays() -> None:
    with LocalPythonExecutor(timeout=60) as executor:
        executor(THING)
        thing = fetch(executor, "thing")
        executor.timeout = 0.3
        with pytest.raises(LimitError, match=r"took longer than 0\.3 s"):
            thing.wait()
        executor.timeout = 60
        assert thing.total() == 0


def test_a_call_while_a_step_is_open_is_refused(sandbox: LocalPythonExecutor, thing: Any) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def pause() -> None:
        begun.set()
        go_on.wait()

    sandbox.send_tools({"pause": pause})
    step = threading.Thread(target=lambda: sandbox("pause()"))
    step.start()
    begun.wait()
    with pytest.raises(SandboxBusyError, match="has an open step; it runs one at a time"):
        thing.total()
    with pytest.raises(SandboxBusyError):
        _ = thing.unit
    with pytest.raises(SandboxBusyError):
        fetch(sandbox, "thing")
    go_on.set()
    step.join()
    assert thing.unit == "m"


def test_a_step_of_an_agent_waits_for_a_call_of_the_user(
    sandbox: LocalPythonExecutor, thing: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "go").touch()
    start, asked = asyncio.run_coroutine_threadsafe, threading.Event()

    def start_slowly(*step: Any) -> Any:
        """The call's thread gets no processor until the agent's step has asked: the call is open by then."""
        future = start(*step)
        assert asked.wait(60)
        return future

    monkeypatch.setattr(asyncio, "run_coroutine_threadsafe", start_slowly)
    call = threading.Thread(target=thing.wait)
    call.start()
    assert eventually(lambda: bool(sandbox.open_step))

    async def run() -> Observed:
        allowed = permit(Proposed(run="agent", step=1, text="1 + 1"), by="person")
        step = asyncio.create_task(sandbox.run(allowed, lambda _: None, no_tools))
        for _ in range(20):
            await asyncio.sleep(0)  # it is refused by now, or waits
        asked.set()
        sandbox.send_files([tmp_path / "go"])
        return await step

    assert asyncio.run(run()).output == 2
    call.join()


def test_a_call_that_cannot_begin_leaves_nobody_waiting() -> None:
    caller = SyncRunner(MemoryExecutor())
    caller.close()
    with pytest.raises(RuntimeError, match="closed"):
        caller("1", "", {}, lambda _: None)
    asyncio.run(asyncio.wait_for(caller.wait(), 60))


GONE = r"thing\.\w+ is lost: .*Run the cell that created it again: %%agent -o NAME"


def test_after_the_sandbox_ended_the_error_names_the_next_command() -> None:
    with LocalPythonExecutor(timeout=60) as executor:
        executor(THING)
        thing = fetch(executor, "thing")
    for work in (lambda: thing.unit, lambda: thing.total()):
        with pytest.raises(SandboxDiedError, match=GONE):
            work()


def test_after_the_sandbox_was_started_again_no_other_object_is_taken_for_it() -> None:
    with LocalPythonExecutor(python="full", timeout=60) as executor:
        executor(THING)
        thing = fetch(executor, "thing")
        with pytest.raises(SandboxDiedError):
            executor("import os\nos._exit(1)")
        executor(THING)
        other = fetch(executor, "thing")
        assert other._kept == thing._kept
        with pytest.raises(SandboxDiedError, match=GONE):
            thing.total()
        assert other.total() == 0


def test_an_end_between_two_steps_is_found_by_the_call(tmp_path: Path) -> None:
    (tmp_path / "go").touch()
    with LocalPythonExecutor(python="full", timeout=60) as executor:
        executor(THING)
        thing = fetch(executor, "thing")
        late = "def late():\n    thing.wait()\n    os._exit(1)"
        executor(f"import os, threading\n{late}\nthreading.Thread(target=late, daemon=True).start()")
        runner = below(executor._channel.pid)
        executor.send_files([tmp_path / "go"])
        assert eventually(lambda: not living(runner))
        with pytest.raises(SandboxDiedError, match=GONE):
            thing.total()


# --- the journal ---


def test_calls_are_in_the_journal_and_not_in_the_conversation() -> None:
    model = ScriptedModel("<code>\n" + THING + "\nfinal_answer(thing)\n</code>")
    with CodeAgent(model=model, gate=allow_all) as agent:
        thing = agent.run("Make a thing.")
        before = agent.memory.events
        assert thing.add(1).total() == 1
        told = read(agent.journal.path)
        assert agent.memory.events == before
        calls = [event for event in told if event.run == "call"]
        assert [event.by for event in calls if isinstance(event, Allowed)] == ["caller"] * 2
        assert len(load(agent.journal.path).events) == len(told) - len(calls)
        assert [row["run"] for row in rows(told, told.times)] == [agent.run_id]
        made = spans(zip(told, told.times, strict=True))
        assert {span.attributes["smolcell.run"] for span in made if "smolcell.run" in span.attributes} == {agent.run_id}
        agent.journal.close()
        with pytest.raises(JournalError):
            thing.add(2)


# --- hostile sandboxes ---


class SilentChannel(ScriptedChannel):
    """Never answers a step."""

    def send(self, buffers: Any, descriptor: int | None = None) -> None:
        """Nothing is said."""


def handle(executor: ScriptedExecutor, **said: Any) -> Any:
    asyncio.run(executor.open())
    data = {"$": "handle", "name": "thing", "type": "Thing", "repr": "", "kept": 1}
    data |= {"methods": ["total"], "attributes": ["unit"], **said}
    return values.Decoder([], forward=executor.values.forward).decode(data)


@pytest.mark.parametrize(
    ("script", "error"),
    [
        (b"", SandboxDiedError),
        (b"rubbish of more than a prefix", WireError),
        (encoded(wire.Frame("done", DONE, (b'{"value":{"$":"pickle","b":0}}', b"\x80\x04N.", b""))), WireError),
        (encoded(wire.Frame("done", DONE, (b"[1]", b""))), WireError),
        (wire.PREFIX.pack(wire.MAGIC, 1 << 30, 1), WireError),
        (encoded(wire.Frame("done", {**DONE, "state_lost": True}, (BODY, b""))), SandboxDiedError),
    ],
    ids=["ends", "rubbish", "a pickle", "no value", "huge", "started anew"],
)
def test_a_hostile_answer_to_a_call_has_a_name(script: bytes, error: type[SandboxError]) -> None:
    for work in (lambda thing: thing.total(), lambda thing: thing.unit):
        with ScriptedExecutor(script) as executor:
            thing = handle(executor)
            with pytest.raises(error):
                work(thing)


def test_a_sandbox_that_never_answers_a_call_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smolcell.executors.step.LIMIT_SLACK_SECONDS", 0.1)
    with ScriptedExecutor(b"") as executor:
        executor.channel, executor.timeout = SilentChannel(b""), 0.1
        with pytest.raises(SandboxDiedError, match="ignored its time limit"):
            handle(executor).total()
        assert executor.channel.killed.is_set()


@pytest.mark.parametrize(
    "said",
    [
        {"kept": "1; import os"},
        {"kept": True},
        {"kept": -1},
        {"methods": ["__class__", 5, "f(); import os", "a\nb", "x" * 100]},
        {"methods": []},
    ],
)
def test_what_a_sandbox_says_of_an_object_chooses_no_code(said: dict[str, Any]) -> None:
    with ScriptedExecutor(b"") as executor:
        thing = handle(executor, **said)
        assert thing._kept in ("", "_handle_1")
        assert set(thing._methods) == set()


def test_the_journal_comes_before_the_call(tmp_path: Any) -> None:
    journal = Journal(tmp_path / "journal.jsonl")
    with ScriptedExecutor(b"") as executor:
        thing = handle(executor)
        executor.record = journal.append
        journal.close()
        with pytest.raises(JournalError):
            thing.total()
        assert not executor.channel.killed.is_set()
