"""A step of an agent that calls tools: each call is reviewed by itself, then those that were allowed run side by side. Pure.

The answer is a call as well. It runs nothing, so nobody is asked about it; beside calls that failed or were refused it does not count,
since the model gave it without knowing that.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from smolcell.conversation import Conversation
from smolcell.events import Allowed, Call, Fault, Observed, Proposed
from smolcell.wanted import Calls, Wanted
from smolcell.wants import Ending, Fact, RunCalls, Want

TOO_EARLY = (
    "The answer was not taken, because another call of this step did not go well. Look at that, and answer again."
)


def call_step(talk: Conversation, step: int, calls: Calls) -> Generator[Want, Fact, Ending | None]:
    """Review, run, and see whether there is an answer. Returns an ending, or None to go on."""
    permits: list[Allowed] = []
    answers: list[tuple[int, Any]] = []
    well, thought = True, calls.thought  # which is said with the first
    for number, call in enumerate(calls.calls, 1):
        wanted = _read(talk, call, step, number)
        if wanted.answer:
            answers.append((number, wanted.answer[0]))
        elif wanted.error:
            well = False
            yield from _fail(talk, step, number, wanted.error)
        else:
            said, thought = thought, ""
            decision = yield from talk.review(_proposed(talk, step, number, wanted, said))
            if isinstance(decision, Allowed):
                permits.append(decision)
            elif decision.then != "continue":
                return Ending(decision.then, None, decision.reason, step)
            well = well and isinstance(decision, Allowed)
    observed = (yield from _run(talk, RunCalls(tuple(permits), len(calls.calls)))) if permits else ()
    last = next((one for one in observed if one.is_final_answer and one.error is None), None)
    if last is not None:
        return (yield from talk.answer(step, last.output))
    return (yield from _answer(talk, step, answers, well and all(one.error is None for one in observed)))


def _read(talk: Conversation, call: Call, step: int, number: int) -> Wanted:
    assert talk.settings.read_call is not None  # noqa: S101 - an agent that calls tools has it
    return talk.settings.read_call(call, step, number)


def _proposed(talk: Conversation, step: int, number: int, wanted: Wanted, thought: str) -> Proposed:
    found = talk.settings.find(wanted.text)
    return Proposed(
        run=talk.id, step=step, call=number, kind=wanted.kind, text=wanted.text, thought=thought, findings=found
    )


def _run(talk: Conversation, run: RunCalls) -> Generator[Want, Fact, tuple[Observed, ...]]:
    observed = yield run
    assert isinstance(observed, tuple)  # noqa: S101
    talk.history += observed
    return observed


def _answer(
    talk: Conversation, step: int, answers: list[tuple[int, Any]], well: bool
) -> Generator[Want, Fact, Ending | None]:
    if answers and well:
        number, output = answers[-1]
        return (yield from talk.accept(step, output, number))
    for number, _ in answers:
        yield from _fail(talk, step, number, TOO_EARLY)
    return None


def _fail(talk: Conversation, step: int, number: int, why: str) -> Generator[Want, Fact, None]:
    fault = Fault(kind="python", type="AgentToolCallError", message=why)
    yield from talk.tell(Observed(run=talk.id, step=step, call=number, error=fault))
