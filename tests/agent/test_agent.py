"""Whole runs of ``CodeAgent``: its calls from scripts, threads and async programs, its tools, and every way a run ends."""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
import time
import traceback
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from smolcell.agent import CodeAgent
from smolcell.agent import running as background
from smolcell.agent.running import NO_APPROVER
from smolcell.errors import (
    AgentError,
    AgentGenerationError,
    AgentStopped,
    ApprovalError,
    CapabilityError,
    SandboxError,
    SetupError,
)
from smolcell.events import Allowed, Asked, Delta, Ended, Event, Fault, Observed, Proposed, Refused, Replied, Variable
from smolcell.gates import ask
from smolcell.journal import read
from smolcell.permit import spend
from smolcell.protocols import Answer, CallTool, FrontEnd, Message, OnOutput, register_front_end
from smolcell.testing import MemoryExecutor, ScriptedModel, allow_all
from smolcell.tools import Tool, tool
from smolcell.waiter import QueueWaiter

CODE = "<code>\nx = 1\n</code>"
ANSWER = Observed(is_final_answer=True, output=42)
SOON = 20  # seconds after which a test gives up on a thread


class Watcher:
    """A view that keeps what it was shown and answers what it was told to answer, once each."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.events: list[Event | Delta] = []
        self.asked = threading.Event()

    def show(self, event: Event | Delta) -> None:
        self.events.append(event)

    async def ask(self, proposal: Proposed) -> Answer:
        self.asked.set()
        if not self.answers:
            await asyncio.Event().wait()
        choice, more = self.answers.pop(0)
        return Answer(run=proposal.run, step=proposal.step, fingerprint=proposal.fingerprint, choice=choice, **more)


@pytest.fixture
def made() -> Iterator[list[CodeAgent]]:
    agents: list[CodeAgent] = []
    yield agents
    for agent in agents:
        agent.cleanup()


@pytest.fixture
def make(made: list[CodeAgent]) -> Any:
    def build(*replies: Any, does: Sequence[Any] = (ANSWER,), **options: Any) -> CodeAgent:
        options.setdefault("sandbox", MemoryExecutor(*does))
        if "view" not in options:
            options.setdefault("gate", allow_all)
        agent = CodeAgent(options.pop("tools", ()), options.pop("model", ScriptedModel(*replies)), **options)
        made.append(agent)
        return agent

    return build


def names(events: Sequence[object]) -> list[str]:
    return [type(event).__name__ for event in events if not isinstance(event, Delta)]


def last(agent: CodeAgent) -> Ended:
    event = agent.memory.events[-1]
    assert isinstance(event, Ended)
    return event


def ran(agent: CodeAgent) -> list[str]:
    assert isinstance(agent.executor, MemoryExecutor)
    return agent.executor.ran


def prompts(agent: CodeAgent) -> list[str]:
    assert isinstance(agent.model, ScriptedModel)
    return ["\n".join(message.text for message in call) for call in agent.model.calls]


# --- a run ---------------------------------------------------------------------------------------------------------------


def test_a_run_returns_the_answer_and_is_in_the_journal(make: Any) -> None:
    agent = make(f"Easy.\n{CODE}")
    assert agent.run("How much?") == 42
    assert names(agent.memory.events) == "Asked Replied Proposed Opened Allowed Observed Answered Ended".split()
    journal = read(agent.journal.path)
    assert (tuple(journal), journal.skipped) == (agent.memory.events, 0)
    asked = agent.memory.events[0]
    assert asked == Asked(
        run=asked.run, task="How much?", model="scripted", sandbox="memory", session="default", approve=asked.approve
    )


def test_the_full_result_says_how_it_went(make: Any) -> None:
    agent = make("Hm.", CODE)
    result = agent.run("t", return_full_result=True)
    assert (result.output, result.state, result.error) == (42, "success", None)
    assert [(step.number, step.code, step.allowed_by) for step in result.steps] == [(1, "", ""), (2, "x = 1", "auto")]
    assert result.events == agent.memory.events
    assert agent.memory.steps == list(result.steps)
    assert agent.memory.tasks == ["t"]


def test_a_refusal_s_comment_is_in_the_next_prompt(make: Any) -> None:
    view = Watcher(("refuse", {"comment": "use the median"}), ("approve", {}))
    agent = make(CODE, "<code>\ny = 2\n</code>", view=view)
    assert agent.run("t") == 42
    assert (ran(agent), "They said: use the median" in prompts(agent)[1]) == (["y = 2"], True)


def test_after_an_edit_the_model_is_told_what_ran(make: Any) -> None:
    view = Watcher(("edit", {"text": "x = 2", "comment": "two"}), ("approve", {}))
    agent = make(CODE, CODE, view=view, does=["", ANSWER])
    assert agent.run("t") == 42
    assert ran(agent) == ["x = 2", "x = 1"]
    assert (
        "changed your program before it ran. They said: two This is what ran:\n<code>\nx = 2\n</code>"
        in prompts(agent)[1]
    )


def test_approving_the_run_asks_once(make: Any) -> None:
    agent = make(CODE, CODE, CODE, view=Watcher(("approve_run", {})), does=["", "", ANSWER])
    assert agent.run("t") == 42
    assert [event.by for event in agent.memory.events if isinstance(event, Allowed)] == ["person", *["remembered"] * 2]


def test_a_stop_by_answer_ends_the_run(make: Any) -> None:
    agent = make(CODE, view=Watcher(("stop", {})))
    with pytest.raises(AgentStopped):
        agent.run("t")
    assert (last(agent).state, ran(agent)) == ("stopped", [])


def test_the_model_reads_its_error_with_the_line(make: Any) -> None:
    fault = Fault(kind="python", type="NameError", message="name 'y' is not defined", line=3)
    agent = make(CODE, CODE, does=[Observed(error=fault), ANSWER])
    assert agent.run("t") == 42
    assert "Error (line 3):\nNameError: name 'y' is not defined" in prompts(agent)[1]


def test_at_the_step_limit_the_best_answer_is_asked_for_once(make: Any) -> None:
    agent = make(CODE, CODE, "About 40.", does=["", ""], max_steps=2)
    result = agent.run("How much?", return_full_result=True)
    assert (result.output, result.state, result.value()) == ("About 40.", "max_steps_error", "About 40.")
    assert str(result.error).startswith("no final answer within 2 steps")
    assert [("Answer the task now" in said) for said in prompts(agent)] == [False, False, True]


def test_a_model_that_never_writes_code_is_told_each_time_and_ends_at_the_limit(make: Any) -> None:
    agent = make("Done", "42", "Truly done", "42", max_steps=3)
    assert agent.run("t") == "42"
    assert (last(agent).state, ran(agent)) == ("max_steps_error", [])
    assert prompts(agent)[2].count("Your reply holds no code") == 2


def test_a_model_that_repeats_itself_ends_at_the_limit(make: Any) -> None:
    agent = make(*[CODE] * 20, "I do not know.", does=[""] * 20)
    assert (agent.run("t"), last(agent).steps, len(ran(agent))) == ("I do not know.", 20, 20)


# --- errors ----------------------------------------------------------------------------------------------------------------


def test_a_key_in_a_foreign_error_is_nowhere(
    make: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    key = "sk-proj-0123456789abcdef"
    monkeypatch.setenv("SOME_API_KEY", key)
    view = Watcher()
    agent = make(RuntimeError(f"401: {key} is not valid"), view=view)
    with caplog.at_level(logging.DEBUG), pytest.raises(AgentGenerationError) as caught:
        agent.run("t")
    shown = "".join(traceback.format_exception(caught.value))
    kept = Path(agent.journal.path).read_text()
    assert str(caught.value) == "scripted: RuntimeError: 401: [redacted] is not valid"
    assert [key in text for text in (shown, kept, caplog.text, repr(view.events))] == [False] * 4


def test_a_sandbox_that_does_not_open_is_an_error_without_a_question(make: Any) -> None:
    class Broken(MemoryExecutor):
        async def open(self) -> None:
            raise SandboxError("Docker is not running: start it")

    view = Watcher(("approve", {}))
    with pytest.raises(SandboxError, match="Docker is not running"):
        make(CODE, sandbox=Broken(), view=view).run("t")
    assert not view.asked.is_set()


@pytest.mark.parametrize("task", ["", "  \n"])
def test_an_empty_task_is_an_error_before_anything_happens(make: Any, task: str) -> None:
    agent = make()
    with pytest.raises(SetupError, match="the task is empty"):
        agent.run(task)
    assert agent.memory.events == ()


def test_a_task_of_1_mb_is_an_error_that_says_what_to_do(make: Any) -> None:
    with pytest.raises(
        SetupError, match=r"1,048,576 characters, and a conversation holds 200,000: put long text into a"
    ):
        make().run("x" * 2**20)
    agent = make(CODE)
    assert agent.run("x" * 100_000) == 42


def test_a_variable_that_cannot_be_sent_leaves_the_memory_as_it_was(make: Any) -> None:
    class Picky(MemoryExecutor):
        def send_variables(self, variables: Any) -> None:
            if "bad" in variables:
                raise CapabilityError("'bad' cannot be sent")

    agent = make(CODE, sandbox=Picky(ANSWER))
    agent.run("one")
    before = agent.memory.events
    with pytest.raises(CapabilityError):
        agent.run("two", additional_args={"bad": object()})
    assert (agent.memory.events, agent.running) == (before, False)


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no model": ({"model": None}, "needs a model, for example"),
    "two sandboxes": ({"executor_type": "local", "sandbox": "local"}, "name the same thing"),
    "no steps": ({"max_steps": 0}, "at least 1, not 0"),
    "a tool that is none": ({"tools": [3]}, "a tool is a function or a Tool, not int"),
    "a tool without words": ({"tools": [lambda x: x]}, "needs a name that is an identifier"),
    "two tools of one name": ({"tools": [Tool(print, name="a"), Tool(len, name="a")]}, "'a' is taken"),
    "a tool with the sandbox's own name": ({"tools": [Tool(print, name="display")]}, "'display' is taken"),
}


@pytest.mark.parametrize("imports", ["statistics", ["statistics"], None])
def test_what_is_left_out_may_be_none_and_one_module_a_text(imports: Any) -> None:
    nothing: Any = None
    made = CodeAgent(
        nothing,
        ScriptedModel(),
        additional_authorized_imports=imports,
        managed_agents=nothing,
        step_callbacks=nothing,
        final_answer_checks=nothing,
    )
    assert (made.tools, made.managed_agents, made.step_callbacks) == ({}, {}, [])
    assert made.imports == (("statistics",) if imports else ())


def test_a_tool_named_final_answer_gives_the_answer_its_last_form() -> None:
    def final_answer(answer: str) -> str:
        """The answer, for people."""
        return f"It is {answer}."

    model = ScriptedModel("<code>\nfinal_answer('tea')\n</code>")
    with CodeAgent([final_answer], model, gate=allow_all) as made:
        assert made.run("t") == "It is tea."


@pytest.mark.parametrize("name", ["final_answer", "print", "display"])
def test_a_variable_does_not_take_the_place_of_what_the_sandbox_provides(name: str) -> None:
    made = CodeAgent([], ScriptedModel(), gate=allow_all, sandbox=MemoryExecutor())
    with pytest.raises(SetupError, match=f"'{name}' is a name of the sandbox itself"):
        made.run("t", additional_args={name: 1})


@pytest.mark.parametrize(("options", "said"), WRONG.values(), ids=WRONG)
def test_wrong_parts_are_named_at_once(options: dict[str, Any], said: str) -> None:
    given = {"model": ScriptedModel(), **options}
    with pytest.raises(SetupError, match=said):
        CodeAgent(**given)


def test_an_unknown_approval_mode_is_named(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMOLCELL_APPROVE", "yes")
    with pytest.raises(SetupError, match="unknown approval mode 'yes'"):
        make(view=Watcher()).run("t")


# --- who decides -------------------------------------------------------------------------------------------------------------


def test_without_anyone_to_ask_the_agent_is_closed(make: Any, capsys: pytest.CaptureFixture[str]) -> None:
    agent = make(CODE, gate=None)
    with pytest.raises(ApprovalError, match="no one can approve"):
        agent.run("t")
    refused = [event for event in agent.memory.events if isinstance(event, Refused)]
    assert [(event.by, event.reason, event.then) for event in refused] == [("nobody", NO_APPROVER, "refused")]
    assert (ran(agent), "x = 1" in capsys.readouterr().out) == ([], True)


def test_the_environment_opens_it(
    make: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SMOLCELL_APPROVE", "auto")
    agent = make(CODE, gate=None)
    assert agent.run("t") == 42
    assert [event.by for event in agent.memory.events if isinstance(event, Allowed)] == ["auto"]
    capsys.readouterr()


def test_a_registered_front_end_shows_decides_and_waits(make: Any) -> None:
    view, waiter = Watcher(("approve", {})), QueueWaiter()
    undo = register_front_end(FrontEnd(view=view, gate=ask(view), waiter=waiter))
    try:
        agent = make(CODE, gate=None)
        assert agent.run("t") == 42
    finally:
        undo()
    assert names(view.events) == names(agent.memory.events)


def test_a_gate_of_one_s_own_that_fails_is_a_no(make: Any) -> None:
    async def gate(proposed: Proposed) -> Allowed:
        raise RuntimeError("out of order")

    agent = make(CODE, gate=gate)
    with pytest.raises(ApprovalError, match=r"the approval failed \(RuntimeError: out of order\)"):
        agent.run("t")
    assert (last(agent).state, ran(agent)) == ("refused", [])


# --- memory, variables, images -------------------------------------------------------------------------------------------------


def test_an_earlier_run_is_seen_with_reset_false_and_forgotten_otherwise(make: Any) -> None:
    agent = make(CODE, CODE, CODE, does=[ANSWER] * 3)
    agent.run("first task")
    agent.run("second task", reset=False)
    assert agent.memory.tasks == ["first task", "second task"]
    agent.run("third task")
    assert agent.memory.tasks == ["third task"]
    assert [("first task" in said, "That was the answer: 42" in said) for said in prompts(agent)] == [
        (True, False),
        (True, True),
        (False, False),
    ]


def test_variables_go_into_the_sandbox_and_their_description_into_the_prompt(make: Any) -> None:
    agent = make(CODE)
    agent.run("t", additional_args={"n": [1, 2]})
    assert agent.executor.variables == {"n": [1, 2]}
    assert agent.memory.events[0].variables == (Variable(name="n", type="list", text="[1, 2]"),)
    assert "- n (list): [1, 2]" in prompts(agent)[0]


def test_images_are_data_urls(make: Any) -> None:
    class Picture:
        def save(self, file: Any, format: str) -> None:  # noqa: A002
            file.write(format.encode())

    agent = make(CODE)
    agent.run("t", images=["data:image/png;base64,AA", Picture()])
    assert agent.memory.events[0].images == ("data:image/png;base64,AA", "data:image/png;base64,UE5H")
    with pytest.raises(SetupError, match="an image is a data URL or has"):
        agent.run("t", images=[3])


# --- tools ---------------------------------------------------------------------------------------------------------------------


class Calling(MemoryExecutor):
    """Instead of running a step, calls these tools side by side; the answers are the step's answer."""

    def __init__(self, *calls: tuple[Any, ...]) -> None:
        super().__init__()
        self.calls = calls

    async def run(self, permit: Allowed, on_output: OnOutput, call_tool: CallTool) -> Observed:
        self.ran.append(spend(permit))

        async def call(name: str, *args: Any, **kwargs: Any) -> Any:
            try:
                return await call_tool(name, args, kwargs)
            except Exception as error:
                return f"{type(error).__name__}: {error}"

        tasks = [asyncio.create_task(call(*one)) for one in self.calls]
        return Observed(is_final_answer=True, output=await asyncio.wait_for(asyncio.gather(*tasks), 10))


def test_synchronous_tools_run_on_the_calling_thread_one_at_a_time(make: Any) -> None:
    running: list[int] = []
    threads: set[int] = set()

    def sync(number: int) -> int:
        """Note where it runs, and beside how many."""
        running.append(number)
        threads.add(threading.get_ident())
        time.sleep(0.01)
        assert running == [number]
        running.clear()
        return number

    agent = make(CODE, tools=[sync], sandbox=Calling(*[("sync", number) for number in range(4)]))
    assert (agent.run("t"), threads) == ([0, 1, 2, 3], {threading.get_ident()})
    assert "def sync(number: int) -> int:" in prompts(agent)[0].replace("'", "")


def test_async_and_concurrent_tools_run_side_by_side(make: Any) -> None:
    together, here = asyncio.Barrier(2), threading.Barrier(2)

    @tool
    async def both() -> str:
        """Wait for the other."""
        await together.wait()
        return "async"

    @tool(name="threaded", concurrent=True)
    def other() -> str:
        """Wait for the other."""
        here.wait(5)
        return "thread" if threading.current_thread() is not threading.main_thread() else "main"

    calls = [("both",), ("both",), ("threaded",), ("threaded",)]
    agent = make(CODE, tools=[both, other], sandbox=Calling(*calls))
    assert agent.run("t") == ["async", "async", "thread", "thread"]


def test_a_tool_that_fails_or_is_called_wrongly_is_the_step_s_error(make: Any) -> None:
    def one(number: int) -> int:
        """Divide one."""
        return 1 // number

    def stops() -> int:
        """Take from nothing."""
        return next(iter(()))

    async def leaves() -> None:
        """Exit."""
        raise SystemExit(3)

    def goes() -> None:
        """Exit."""
        raise SystemExit(3)

    aside = Tool(stops, name="aside", concurrent=True)
    calls = [("one", 0), ("one",), ("one", 1, 2), ("two",), ("stops",), ("aside",), ("leaves",), ("goes",), ("one", 1)]
    agent = make(CODE, tools=[one, stops, aside, leaves, goes], sandbox=Calling(*calls))
    signature = "one" + str(Tool(one).signature)
    assert agent.run("t") == [
        "ZeroDivisionError: integer division or modulo by zero",
        f"AgentToolCallError: {signature}: missing a required argument: 'number'",
        f"AgentToolCallError: {signature}: too many positional arguments",
        "AgentToolCallError: there is no tool 'two'; tools are: one, stops, aside, leaves, goes",
        "RuntimeError: StopIteration: ",
        "RuntimeError: StopIteration: ",
        "AgentToolExecutionError: the tool 'leaves' tried to exit",
        "AgentToolExecutionError: the tool 'goes' tried to exit",
        1,
    ]


def test_a_tool_call_is_not_harmless(make: Any) -> None:
    def shout(word: str) -> str:
        """Shout."""
        return word.upper()

    agent = make("<code>\nshout('a')\n</code>", tools=[shout])
    agent.run("t")
    (proposed,) = [event for event in agent.memory.events if isinstance(event, Proposed)]
    assert [(found.kind, found.text, found.risk) for found in proposed.findings] == [("tool", "shout", "low")]


def test_an_async_tool_that_waits_for_its_own_thread_is_told_so(make: Any) -> None:
    inner = make(CODE)

    async def nested() -> Any:
        """Run another agent."""
        return inner.run("t")

    async def awaited() -> Any:
        """Await another agent."""
        return await inner.arun("t")

    agent = make(CODE, tools=[nested, awaited], sandbox=Calling(("nested",), ("awaited",)))
    told = "AgentError: an async tool would wait for its own thread here: await agent.arun(...) instead"
    assert agent.run("t") == [told, 42]


def test_tools_can_be_changed_between_runs(make: Any) -> None:
    def one() -> int:
        """One."""
        return 1

    agent = make(CODE, CODE, does=[ANSWER, ANSWER])
    agent.run("t")
    agent.set_tools([one])
    agent.run("t")
    assert ["def one()" in said for said in prompts(agent)] == [False, True]


# --- callbacks --------------------------------------------------------------------------------------------------------------------


def test_callbacks_are_told_each_step_on_the_calling_thread_and_cannot_break_the_run(
    make: Any, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[tuple[int, str, bool, bool]] = []

    def broken(step: Any, agent: CodeAgent) -> None:
        raise RuntimeError("out of paper")

    def note(step: Any, agent: CodeAgent) -> None:
        here = threading.current_thread() is threading.main_thread()
        told.append((step.number, step.code, step.is_final_answer, here))

    agent = make(CODE, CODE, does=["", ANSWER], step_callbacks=[broken, note])
    assert agent.run("t") == 42
    assert told == [(1, "x = 1", False, True), (2, "x = 1", True, True)]
    assert "out of paper" in caplog.text


# --- stopping ----------------------------------------------------------------------------------------------------------------------


class Endless(ScriptedModel):
    """Begins to think and never ends."""

    def __init__(self) -> None:
        super().__init__()
        self.thinking = threading.Event()

    async def reply(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> AsyncIterator[Any]:
        yield Delta(text="hm")
        self.thinking.set()
        await asyncio.Event().wait()


def running_step(begun: threading.Event) -> Any:
    async def never(_: str) -> str:
        begun.set()
        await asyncio.Event().wait()
        return ""

    return never


def test_stop_is_recorded_with_what_it_cut(make: Any) -> None:
    model, view, begun = Endless(), Watcher(), threading.Event()
    cases = {
        "thinking": (make(model=model), model.thinking),
        "asking": (make(CODE, view=view), view.asked),
        "running": (make(CODE, does=[running_step(begun)]), begun),
    }
    for cut, (agent, there) in cases.items():
        job = agent.start("t")
        assert there.wait(SOON)
        assert agent.running
        agent.interrupt()
        result = job.done.result(SOON)
        assert (result.state, last(agent).cut, agent.running) == ("stopped", cut, False)
        assert isinstance(result.error, AgentStopped)
        assert read(agent.journal.path)[-1] == last(agent)
        agent.interrupt()  # harmless


def test_a_run_that_is_stopped_before_it_begins_ends(make: Any) -> None:
    for _ in range(20):
        agent = make(model=Endless())
        job = agent.start("t")
        agent.interrupt()
        result = job.done.result(SOON)
        assert (result.state, names(result.events)) == ("stopped", ["Asked", "Ended"])


def test_an_interrupt_while_the_run_is_prepared_stops_it() -> None:
    """Handing in large variables takes a while; the run is not there yet."""

    class Slow(MemoryExecutor):
        def send_variables(self, variables: Any) -> None:
            stopping = threading.Thread(target=agent.interrupt)
            stopping.start()
            stopping.join(SOON)

    with CodeAgent(model=Endless(), sandbox=Slow(ANSWER), gate=allow_all) as agent:
        result = agent.start("t").done.result(SOON)
    assert (result.state, names(result.events)) == ("stopped", ["Asked", "Ended"])


def test_an_interrupt_of_the_calling_thread_stops_the_run_and_is_raised(make: Any) -> None:
    class Interrupted(ScriptedModel):
        async def reply(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> AsyncIterator[Any]:
            yield Delta(text="hm")
            waiter.post(interrupt)
            await asyncio.Event().wait()

    def interrupt() -> None:
        raise KeyboardInterrupt

    waiter, view = QueueWaiter(), Watcher()
    undo = register_front_end(FrontEnd(view=view, gate=allow_all, waiter=waiter))
    try:
        for call in ("run", "stream"):
            agent = make(model=Interrupted(), gate=None)
            with pytest.raises(KeyboardInterrupt):
                list(agent.run("t", stream=call == "stream") or ())
            assert (last(agent).state, last(agent).cut, agent.running) == ("stopped", "thinking", False)
    finally:
        undo()


def test_a_tool_that_is_interrupted_stops_the_run(make: Any) -> None:
    def patient() -> None:
        """Wait."""
        raise KeyboardInterrupt

    agent = make(CODE, tools=[patient], sandbox=Calling(("patient",)))
    with pytest.raises(KeyboardInterrupt):
        agent.run("t")
    assert (last(agent).state, last(agent).cut) == ("stopped", "running")


def test_an_agent_does_one_task_at_a_time(make: Any) -> None:
    model = Endless()
    agent = make(model=model)
    job = agent.start("t")
    assert model.thinking.wait(SOON)
    with pytest.raises(AgentError, match=r"working on a task: wait for it, or stop it with interrupt\(\)"):
        agent.run("u")
    agent.interrupt()
    assert job.done.result(SOON).state == "stopped"


def test_cleanup_stops_the_run_records_its_end_and_is_harmless_twice(
    make: Any, caplog: pytest.LogCaptureFixture
) -> None:
    begun = threading.Event()
    agent = make(CODE, CODE, does=[running_step(begun), ANSWER])
    path, executor = agent.journal.path, agent.executor
    job = agent.start("t")
    assert begun.wait(SOON)
    agent.cleanup()
    agent.cleanup()
    assert (job.done.result(SOON).state, executor.closed) == ("stopped", True)
    assert isinstance(read(path)[-1], Ended)
    assert caplog.records == []
    assert agent.run("again") == 42  # a new sandbox, a new journal
    assert agent.journal.path != path


def test_an_agent_is_a_context(make: Any) -> None:
    with make(CODE) as agent:
        assert agent.run("t") == 42
        executor = agent.executor
    assert executor.closed


def test_cleanup_goes_on_where_a_part_cannot_be_closed(make: Any, caplog: pytest.LogCaptureFixture) -> None:
    class Stuck(MemoryExecutor):
        def close(self) -> None:
            raise OSError("stuck")

    agent = make(CODE, sandbox=Stuck(ANSWER))
    agent.run("t")
    journal = agent.journal
    agent.cleanup()
    assert "closing" in caplog.text
    with pytest.raises(Exception, match="is closed"):
        journal.append(Asked(run="r", task="t"))


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3)])
def test_what_would_end_the_driver_ends_one_run_only(
    make: Any, error: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    class Fatal(MemoryExecutor):
        async def open(self) -> None:
            raise error

    for agent in (make(error), make(CODE, sandbox=Fatal())):
        with pytest.raises(AgentError, match=type(error).__name__):
            agent.run("t")
    assert make(CODE).run("t") == 42


# --- iterating, awaiting ------------------------------------------------------------------------------------------------------------


def test_stream_yields_every_event_and_delta(make: Any) -> None:
    agent = make(CODE)
    items = list(agent.stream("t"))
    assert tuple(item for item in items if not isinstance(item, Delta)) == agent.memory.events
    assert "".join(item.text for item in items if isinstance(item, Delta)) == CODE
    assert names(list(make(CODE).run("t", stream=True)))[-1] == "Ended"


def test_stream_raises_what_run_raises_after_the_last_event(make: Any) -> None:
    items: list[Any] = []
    stream = make(RuntimeError("no")).stream("t")
    with pytest.raises(AgentGenerationError):
        for item in stream:
            items.append(item)
    assert names(items) == ["Asked", "Ended"]


def test_leaving_a_stream_early_stops_the_run_and_frees_the_agent(make: Any) -> None:
    view = Watcher()
    agent = make(CODE, CODE, view=view)
    for item in agent.stream("t"):
        if isinstance(item, Proposed):
            break
    gc.collect()
    assert (last(agent).state, ran(agent), agent.running) == ("stopped", [], False)
    view.answers.append(("approve", {}))
    assert agent.run("u") == 42


def test_arun_leaves_its_loop_free_and_runs_tools_on_it(make: Any) -> None:
    threads: set[int] = set()

    def here() -> str:
        """Say where."""
        threads.add(threading.get_ident())
        return "here"

    async def main() -> tuple[Any, int]:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0.001)

        ticking = asyncio.create_task(tick())
        agent = make(CODE, tools=[here], sandbox=Calling(("here",)))
        answer = await agent.arun("t")
        full = await make(CODE).arun("t", return_full_result=True)
        ticking.cancel()
        assert full.output == 42
        return answer, ticks

    answer, ticks = asyncio.run(main())
    assert (answer, threads, ticks > 0) == (["here"], {threading.get_ident()}, True)


def test_cancelling_arun_stops_the_run(make: Any) -> None:
    async def main() -> None:
        model = Endless()
        agent = make(model=model)
        task = asyncio.create_task(agent.arun("t"))
        while not model.thinking.is_set():
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (last(agent).state, last(agent).cut, agent.running) == ("stopped", "thinking", False)

    asyncio.run(main())


def test_astream_yields_every_event_and_stops_where_it_is_left(make: Any, caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        agent = make(CODE)
        items = [item async for item in agent.astream("t")]
        assert tuple(item for item in items if not isinstance(item, Delta)) == agent.memory.events

        agent = make(model=Endless())
        stream = agent.astream("t")
        async for item in stream:
            if isinstance(item, Delta):
                break
        await stream.aclose()
        assert (last(agent).state, agent.running) == ("stopped", False)

        model = Endless()
        agent = make(model=model)

        async def consume() -> list[Any]:
            return [item async for item in agent.astream("t")]

        task = asyncio.create_task(consume())
        while not model.thinking.is_set():
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (last(agent).state, agent.running) == ("stopped", False)

    asyncio.run(main())
    assert caplog.records == []


def test_an_async_program_is_asked_through_its_view(make: Any) -> None:
    view = Watcher(("approve", {}))
    assert asyncio.run(make(CODE, view=view).arun("t")) == 42
    assert view.asked.is_set()


def test_several_agents_work_side_by_side(make: Any) -> None:
    async def main() -> list[Any]:
        agents = [make("Hm.", CODE, does=[replace(ANSWER, output=number)]) for number in range(8)]
        return await asyncio.gather(*(agent.arun("t") for agent in agents))

    assert asyncio.run(main()) == list(range(8))


def test_one_thread_drives_every_agent(make: Any) -> None:
    for _ in range(3):
        make(CODE).run("t")
    drivers = [thread for thread in threading.enumerate() if thread.name == "smolcell-driver"]
    assert (len(drivers), background.on_driver()) == (1, False)


def test_replay_shows_what_is_remembered_and_runs_nothing(make: Any, capsys: pytest.CaptureFixture[str]) -> None:
    agent = make(CODE)
    agent.run("How much?")
    agent.replay()
    out = capsys.readouterr().out
    assert ("How much?" in out, "x = 1" in out, ran(agent)) == (True, True, ["x = 1"])


def test_the_model_can_be_changed_between_runs(make: Any) -> None:
    agent = make(CODE, does=[ANSWER, ANSWER])
    agent.run("t")
    agent.set_model(ScriptedModel(CODE, name="other"))
    agent.run("t")
    assert [event.model for event in agent.memory.events if isinstance(event, Asked | Replied)] == ["other", "other"]
