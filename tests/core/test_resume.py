"""A run that ended without an answer goes on where it broke off, and a new task is told of it."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest

from smolcell.agent import CodeAgent
from smolcell.core.history import resumable, steps_before
from smolcell.core.prompt import PromptSettings, prompt
from smolcell.errors import AgentGenerationError, AgentStopped, SetupError
from smolcell.events import Allowed, Asked, Ended, Observed, Proposed, Refused, Replied, Usage, sha256
from smolcell.protocols import Message
from smolcell.testing import MemoryExecutor, ScriptedModel, allow_all

PROGRAM = "<code>\nx = 1\n</code>"
ANSWER = Observed(is_final_answer=True, output=42)
FAULT = AgentGenerationError("the line was cut")
NO_SYSTEM = PromptSettings(templates={"system_prompt": ""})
PROPOSED = Proposed(run="r", step=1, text="x")
REFUSED = Refused(run="r", step=1, reason="", by="person", then="stopped")
CUT_SHORT = "That program was cut short while it ran; what it did until then stands."
ALLOWED = Allowed(run="r", step=1, text="x", sha256=sha256("x"), by="person")


def agent(*replies: Any, does: tuple[Any, ...] = (), **options: Any) -> CodeAgent:
    options = {"gate": allow_all, "sandbox": MemoryExecutor(*does)} | options
    return CodeAgent(model=ScriptedModel(*replies), **options)


def calls(used: CodeAgent) -> list[list[Message]]:
    assert isinstance(used.model, ScriptedModel)
    return used.model.calls


def test_after_a_fault_the_call_that_failed_is_made_again() -> None:
    with agent(PROGRAM, FAULT, PROGRAM, does=("one", ANSWER)) as used:
        with pytest.raises(AgentGenerationError, match="the line was cut"):
            used.run("Add.")
        result = used.resume(return_full_result=True)
    assert (result.output, result.state, [step.number for step in result.steps]) == (42, "success", [2])
    assert calls(used)[2] == calls(used)[1]
    asked = [event for event in used.memory.events if isinstance(event, Asked)]
    assert [(event.task, event.resumes) for event in asked] == [("Add.", ""), ("Add.", asked[0].run)]
    assert [event.steps for event in used.memory.events if isinstance(event, Ended)] == [1, 2]


def test_a_run_that_fails_again_is_resumed_again_and_counts_on() -> None:
    with agent(PROGRAM, FAULT, FAULT, PROGRAM, PROGRAM, does=("one", "two", ANSWER)) as used:
        for go in (lambda: used.run("Add."), used.resume):
            with pytest.raises(AgentGenerationError):
                go()
        assert [step.number for step in used.resume(return_full_result=True).steps] == [2, 3]
    assert calls(used)[1] == calls(used)[2] == calls(used)[3]


def test_at_the_step_limit_there_are_as_many_steps_more() -> None:
    replies = (PROGRAM, PROGRAM, "About 1.", PROGRAM, PROGRAM)
    with agent(*replies, does=("one", "two", "three", ANSWER), max_steps=2) as used:
        with pytest.warns(UserWarning, match="no final answer within 2 steps"):
            assert used.run("Add.") == "About 1."
        result = used.resume(return_full_result=True)
    assert (result.output, [step.number for step in result.steps]) == (42, [4, 5])
    assert calls(used)[3][-1] == Message("user", "That was the answer: About 1.\n\nGo on with the task.")


@pytest.mark.parametrize(
    ("last", "state", "cut", "told"),
    [
        ((), "stopped", "thinking", ""),
        ((), "error", "thinking", ""),
        ((PROPOSED,), "stopped", "asking", "That program was not run."),
        ((PROPOSED, REFUSED), "stopped", "", "That program was not run."),
        ((PROPOSED, ALLOWED), "stopped", "running", CUT_SHORT),
        ((Observed(run="r", step=1, stdout="1"),), "error", "running", "Observation of step 1:\nPrinted:\n1"),
    ],
)
def test_the_model_is_told_what_became_of_its_program(last: Any, state: Any, cut: Any, told: str) -> None:
    replied = (Replied(run="r", step=1, text="A"),) if last else ()
    past = (Asked(run="r", task="t"), *replied, *last, Ended(run="r", state=state, steps=1, cut=cut))
    begun = [Message("user", "New task:\nt"), *([Message("assistant", "A")] if replied else [])]
    go_on = "" if cut == "thinking" else "Go on with the task."
    rest = "\n\n".join(filter(None, (told, go_on)))
    resumed = prompt((*past, Asked(run="s", task="t", resumes="r")), NO_SYSTEM)[1:]
    assert resumed == [*begun, *([Message("user", rest)] if rest else [])]
    rest = "\n\n".join(filter(None, (told, "That task ended here, without an answer.", "New task:\nu")))
    another = prompt((*past, Asked(run="s", task="u")), NO_SYSTEM)[1:]
    assert another == ([*begun, Message("user", rest)] if replied else [Message("user", f"{begun[0].text}\n\n{rest}")])


def test_the_next_task_goes_on_with_the_history() -> None:
    with agent(PROGRAM, FAULT, PROGRAM, does=("one", ANSWER)) as used:
        with pytest.raises(AgentGenerationError):
            used.run("Add.")
        assert used.run("Add more.", reset=False) == 42
    assert calls(used)[2][:3] == calls(used)[1][:3]
    assert calls(used)[2][-1].text.endswith("That task ended here, without an answer.\n\nNew task:\nAdd more.")


def test_where_there_is_nothing_to_resume_it_says_why() -> None:
    with agent(PROGRAM, does=(ANSWER,)) as used:
        with pytest.raises(SetupError, match=r"the session 'default' has run no task in this kernel.*%%agent"):
            used.resume()
        used.run("Add.")
        with pytest.raises(SetupError, match=r"the last run of the session 'default' was done\. Write a task"):
            used.resume()


def test_a_run_whose_end_was_never_recorded_can_be_resumed() -> None:
    """As it stands in a journal after the kernel was killed."""
    asked = Asked(run="r", task="t")
    assert resumable((asked, Replied(run="r", step=1, text="A"))) == asked


def test_steps_are_counted_over_all_runs_that_are_continued() -> None:
    past = (
        Asked(run="other", task="t"),
        Replied(run="other", step=9, text=""),
        Asked(run="a", task="t"),
        Replied(run="a", step=1, text=""),
        Replied(run="a", step=2, text=""),
        Asked(run="b", task="t", resumes="a"),
    )
    assert steps_before(Asked(run="c", task="t", resumes="b"), past) == 2
    assert steps_before(Asked(run="c", task="t"), past) == 0


def test_a_run_that_was_stopped_while_it_asked_goes_on() -> None:
    asked = threading.Event()

    async def at_the_second_time(proposal: Proposed) -> Any:
        if not asked.is_set():
            asked.set()
            await asyncio.Event().wait()
        return await allow_all(proposal)

    executor = MemoryExecutor(ANSWER)
    with agent(PROGRAM, PROGRAM, gate=at_the_second_time, sandbox=executor) as used:

        def stop() -> None:
            asked.wait(60)
            while not used.running:  # the gate may be asked before the caller has its job
                time.sleep(0.01)
            used.interrupt()

        stopper = threading.Thread(target=stop, daemon=True)
        stopper.start()
        with pytest.raises(AgentStopped):
            used.run("Add.")
        stopper.join()
        assert used.resume() == 42
    assert executor.ran == ["x = 1"]
    assert calls(used)[1][-1] == Message("user", "That program was not run.\n\nGo on with the task.")


class Paid(AgentGenerationError):
    """A fault whose tokens were counted."""

    usage = Usage(input_tokens=10, output_tokens=5, cost=0.5)


def test_what_a_fault_took_is_in_the_run_s_usage() -> None:
    reply = Replied(text=PROGRAM, usage=Usage(input_tokens=1, output_tokens=2, cost=0.25))
    with agent(reply, Paid("cut off at its limit"), reply, does=("one", ANSWER)) as used:
        failed = used.run("Add.", return_full_result=True)
        assert failed.usage == Usage(input_tokens=11, output_tokens=7, cost=0.75)
        result = used.resume(return_full_result=True)
    assert (result.usage, result.steps[0].usage) == (reply.usage, reply.usage)
