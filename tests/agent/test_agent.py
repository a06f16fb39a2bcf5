"""Whole runs of ``CodeAgent``: its calls from scripts, threads and async programs, its tools, and every way a run ends."""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
import time
import traceback
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from persons import ANSWER, CODE, Endless, Person, names, of, prompts, scripted

from smolcell.agent import CodeAgent
from smolcell.agent import running as background
from smolcell.agent.running import NO_APPROVER
from smolcell.approval.gates import ask
from smolcell.errors import AgentError, AgentGenerationError, AgentStopped, ApprovalError, CapabilityError, SetupError
from smolcell.events import Allowed, Asked, Delta, Ended, Observed, Proposed, Refused, Replied, Variable
from smolcell.journal import read
from smolcell.machine.waiter import QueueWaiter
from smolcell.permit import spend
from smolcell.protocols import CallTool, FrontEnd, Message, OnOutput, register_front_end
from smolcell.testing import MemoryExecutor, ScriptedModel, allow_all
from smolcell.tools import Tool, tool

SOON = 60  # seconds after which a test gives up on a thread


@pytest.fixture
def make() -> Iterator[Any]:
    with ExitStack() as stack:

        def build(*replies: Any, **options: Any) -> CodeAgent:
            agent = scripted(*replies, **options)
            stack.callback(agent.cleanup)
            return agent

        yield build


def last(agent: CodeAgent) -> Ended:
    event = agent.memory.events[-1]
    assert isinstance(event, Ended)
    return event


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


@pytest.mark.parametrize(
    ("answers", "ran", "told"),
    [
        ([("refuse", {"comment": "the median"}), "approve", "approve"], ["x = 1"] * 2, "They said: the median"),
        (
            [("edit", {"text": "x = 2", "comment": "two"}), *["approve"] * 2],
            ["x = 2", "x = 1", "x = 1"],
            "x = 2\n</code>",
        ),
        (["approve_run"], ["x = 1"] * 3, ""),
    ],
    ids=["refuse", "edit", "the rest of the run"],
)
def test_a_person_s_answer_says_what_runs_and_the_model_is_told(
    make: Any, answers: list[Any], ran: list[str], told: str
) -> None:
    agent = make(CODE, CODE, CODE, view=Person(*answers), does=["1", "2", "3"], max_steps=3)
    agent.run("t", return_full_result=True)
    assert agent.executor.ran == ran
    assert told in prompts(agent)[1]


def test_at_the_step_limit_the_best_answer_is_asked_for_once(make: Any) -> None:
    agent = make(CODE, CODE, "About 40.", does=["", ""], max_steps=2)
    result = agent.run("How much?", return_full_result=True)
    assert (result.output, result.state) == ("About 40.", "max_steps_error")
    with pytest.warns(
        UserWarning, match="no final answer within 2 steps .*; what is returned is the model's last text"
    ):
        assert result.value() == "About 40."
    assert len(result.steps) == 2
    assert str(result.error).startswith("no final answer within 2 steps")
    assert [("No step is left" in said) for said in prompts(agent)] == [False, False, True]


# --- errors ----------------------------------------------------------------------------------------------------------------
def test_a_key_in_a_foreign_error_is_nowhere(make: Any, monkeypatch: Any, caplog: pytest.LogCaptureFixture) -> None:
    key = "sk-proj-0123456789abcdef"
    monkeypatch.setenv("SOME_API_KEY", key)
    view = Person()
    agent = make(RuntimeError(f"401: {key} is not valid"), view=view)
    with caplog.at_level(logging.DEBUG), pytest.raises(AgentGenerationError) as caught:
        agent.run("t")
    shown = "".join(traceback.format_exception(caught.value))
    kept = Path(agent.journal.path).read_text()
    assert str(caught.value) == "scripted: RuntimeError: 401: [redacted] is not valid"
    assert [key in text for text in (shown, kept, caplog.text, repr(view.events))] == [False] * 4


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("", "the task is empty"),
        ("  \n", "the task is empty"),
        ("x" * 2**20, r"1,048,576 characters, and a conversation holds 200,000: put long text into a"),
    ],
    ids=["empty", "blank", "1 MB"],
)
def test_a_task_that_is_none_is_an_error_before_anything_happens(make: Any, task: str, said: str) -> None:
    agent = make(CODE)
    with pytest.raises(SetupError, match=said):
        agent.run(task)
    assert agent.memory.events == ()
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
    "no interval": ({"planning_interval": 0}, "planning_interval must be a whole number of at least 1, not 0"),
    "an unknown rollback": ({"rollback": "sometimes"}, "rollback must be one of off, on-error, not 'sometimes'"),
    "an unknown type": ({"output_type": {"a": "floot"}}, "dtype 'floot'"),
    "a tool that is none": ({"tools": [3]}, "a tool is a function or a Tool, not int"),
    "a tool without words": ({"tools": [lambda x: x]}, "needs a name that is an identifier"),
    "two tools of one name": ({"tools": [Tool(print, name="a"), Tool(len, name="a")]}, "'a' is taken"),
    "a tool with the sandbox's own name": ({"tools": [Tool(print, name="display")]}, "'display' is taken"),
}


@pytest.mark.parametrize("imports", ["statistics", ["statistics"], None])
def test_what_is_left_out_may_be_none_and_one_module_a_text(imports: Any) -> None:
    nothing = dict.fromkeys(("tools", "managed_agents", "step_callbacks", "final_answer_checks"))
    made = CodeAgent(model=ScriptedModel(), additional_authorized_imports=imports, **nothing)
    assert (made.tools, made.managed_agents, made.step_callbacks) == ({}, {}, [])
    assert made.imports == (("statistics",) if imports else ())


def test_a_tool_named_final_answer_gives_the_answer_its_last_form() -> None:
    def final_answer(answer: str) -> str:
        """The answer, for people."""
        return f"It is {answer}."

    with scripted("<code>\nfinal_answer('tea')\n</code>", tools=[final_answer], sandbox="local") as made:
        assert made.run("t") == "It is tea."


@pytest.mark.parametrize("name", ["final_answer", "print", "display"])
def test_a_variable_does_not_take_the_place_of_what_the_sandbox_provides(make: Any, name: str) -> None:
    with pytest.raises(SetupError, match=f"'{name}' is a name of the sandbox itself"):
        make().run("t", additional_args={name: 1})


@pytest.mark.parametrize(("options", "said"), WRONG.values(), ids=WRONG)
def test_wrong_parts_are_named_at_once(options: dict[str, Any], said: str) -> None:
    with pytest.raises(SetupError, match=said):
        CodeAgent(**{"model": ScriptedModel(), **options})


def test_an_unknown_approval_mode_is_named(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMOLCELL_APPROVE", "yes")
    with pytest.raises(SetupError, match="unknown approval mode 'yes'"):
        make(view=Person()).run("t")


# --- who decides -------------------------------------------------------------------------------------------------------------
def test_without_anyone_to_ask_the_agent_is_closed(make: Any, capsys: pytest.CaptureFixture[str]) -> None:
    agent = make(CODE, gate=None)
    with pytest.raises(ApprovalError, match="no one can approve"):
        agent.run("t")
    (refused,) = of(agent, Refused)
    assert (refused.by, refused.reason, refused.then) == ("nobody", NO_APPROVER, "refused")
    assert (agent.executor.ran, "x = 1" in capsys.readouterr().out) == ([], True)


def test_the_environment_opens_it(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMOLCELL_APPROVE", "auto")
    agent = make(CODE, gate=None)
    assert agent.run("t") == 42
    assert [event.by for event in of(agent, Allowed)] == ["auto"]


def test_a_registered_front_end_shows_decides_and_waits(make: Any) -> None:
    view, waiter = Person("approve"), QueueWaiter()
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
    assert (last(agent).state, agent.executor.ran) == ("refused", [])


# --- memory, variables, images -------------------------------------------------------------------------------------------------
def test_an_earlier_run_is_seen_with_reset_false_and_forgotten_otherwise(make: Any) -> None:
    agent = make(CODE, CODE, CODE, does=[ANSWER] * 3)
    agent.run("first task")
    agent.run("second task", reset=False)
    assert agent.memory.tasks == ["first task", "second task"]
    agent.run("third task")
    assert agent.memory.tasks == ["third task"]
    seen = [("first task" in said, "That was the answer: 42" in said) for said in prompts(agent)]
    assert seen == [(True, False), (True, True), (False, False)]


def test_variables_go_into_the_sandbox_and_their_description_into_the_prompt(make: Any) -> None:
    agent = make("<code>\nfinal_answer(len(n))\n</code>")
    agent.run("t", additional_args={"n": [1, 2]})
    assert agent.executor.variables == {"n": [1, 2]}
    assert agent.memory.events[0].variables == (Variable(name="n", type="list", text="[1, 2]"),)
    defined = "These variables are already defined:\n- n (list): [1, 2]"
    used = "Use as they are, without loading or defining them: n"
    assert agent.model.calls[0][-1].text == f"{defined}\n\nNew task:\nt\n\n{used}"


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
        return Observed(is_final_answer=True, output=await asyncio.wait_for(asyncio.gather(*tasks), SOON))


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
        here.wait(SOON)
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
    (proposed,) = of(agent, Proposed)
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


# --- stopping ----------------------------------------------------------------------------------------------------------------------
def running_step(begun: threading.Event) -> Any:
    async def never(_: str) -> str:
        begun.set()
        await asyncio.Event().wait()
        return ""

    return never


def test_stop_is_recorded_with_what_it_cut(make: Any) -> None:
    model, view, begun = Endless(), Person("wait"), threading.Event()
    cases = {
        "thinking": (make(model=model), model.thinking),
        "asking": (make(CODE, view=view), view.asking),
        "running": (make(CODE, does=[running_step(begun)]), begun),
    }
    for cut, (agent, there) in cases.items():
        job = agent.start("t")
        assert there.wait(SOON)
        assert agent.running
        with pytest.raises(AgentError, match=r"working on a task: wait for it, or stop it with interrupt\(\)"):
            agent.run("u")
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

    waiter, view = QueueWaiter(), Person()
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


def test_cleanup_stops_the_run_and_is_harmless_twice(make: Any, caplog: pytest.LogCaptureFixture) -> None:
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
def test_what_would_end_the_driver_ends_one_run_only(make: Any, error: BaseException) -> None:
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
    view = Person("wait")
    agent = make(CODE, CODE, view=view)
    for item in agent.stream("t"):
        if isinstance(item, Proposed):
            break
    gc.collect()
    assert (last(agent).state, agent.executor.ran, agent.running) == ("stopped", [], False)
    view.answers = ["approve"]
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


@pytest.mark.parametrize("call", ["arun", "astream"])
def test_cancelling_what_awaits_a_run_stops_it(make: Any, call: str, caplog: pytest.LogCaptureFixture) -> None:
    agent = make(model=Endless())

    async def consume() -> object:
        return await agent.arun("t") if call == "arun" else [item async for item in agent.astream("t")]

    async def main() -> None:
        task = asyncio.create_task(consume())
        while not agent.model.thinking.is_set():
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (last(agent).state, last(agent).cut, agent.running) == ("stopped", "thinking", False)

    asyncio.run(main())
    assert caplog.records == []


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

    asyncio.run(main())
    assert caplog.records == []


def test_an_async_program_is_asked_through_its_view(make: Any) -> None:
    view = Person("approve")
    assert asyncio.run(make(CODE, view=view).arun("t")) == 42
    assert view.asked


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


def test_the_model_and_the_tools_can_be_changed_between_runs(make: Any) -> None:
    def one() -> int:
        """One."""
        return 1

    agent = make(CODE, does=[ANSWER, ANSWER])
    agent.run("t")
    assert "def one()" not in prompts(agent)[0]
    agent.set_model(ScriptedModel(CODE, name="other"))
    agent.set_tools([one])
    agent.run("t")
    assert [event.model for event in of(agent, Asked, Replied)] == ["other", "other"]
    assert "def one()" in prompts(agent)[0]
