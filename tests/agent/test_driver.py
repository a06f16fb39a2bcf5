"""The driver records every fact before anyone is told, and always records the end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from smolcell.agent import CodeAgent
from smolcell.agent.driver import Drive, RunContext, RunResult
from smolcell.agent.running import LoopWaiter
from smolcell.core.history import Memory
from smolcell.core.loop import LoopSettings
from smolcell.errors import (
    AgentError,
    AgentGenerationError,
    AgentStopped,
    ApprovalError,
    ContextLengthError,
    JournalError,
    SandboxError,
    SmolcellError,
)
from smolcell.events import (
    Allowed,
    Answered,
    Asked,
    Delta,
    Ended,
    Event,
    History,
    Observed,
    Opened,
    Piece,
    Proposed,
    Refused,
    Replied,
    Sent,
    Trimmed,
    Usage,
)
from smolcell.gates import deny_all, fail_closed
from smolcell.models.asking import asking_again
from smolcell.permit import permit
from smolcell.protocols import CallTool, Message, OnOutput, tell_opening
from smolcell.testing import MemoryExecutor, ScriptedModel, allow_all

ASKED = Asked(run="r", task="t")
CODE = "<code>\nx = 1\n</code>"
ANSWER = Observed(is_final_answer=True, output=42)


class Run:
    """One drive with doubles, and what it told whom."""

    def __init__(self, *replies: Any, does: Sequence[Any] = (ANSWER,), **parts: Any) -> None:
        self.model = parts.pop("model", None) or ScriptedModel(*replies)
        self.executor: MemoryExecutor = parts.pop("executor", None) or MemoryExecutor(*does)
        self.journal: list[Event] = []
        self.shown: list[Event | Delta] = []
        self.memory = Memory()
        self.parts = parts
        self.task: asyncio.Task[RunResult] | None = None

    async def start(self) -> RunResult:
        given: dict[str, Any] = {
            "model": self.model,
            "gate": allow_all,
            "executor": self.executor,
            "waiter": LoopWaiter(asyncio.get_running_loop()),
            "settings": LoopSettings(max_steps=5),
            "journal": self.journal.append,
            "show": self.shown.append,
            "memory": self.memory,
        }
        drive = Drive(ASKED, (), RunContext(**(given | self.parts)))
        self.task = asyncio.create_task(drive.run())
        return await self.task

    def __call__(self) -> RunResult:
        return asyncio.run(asyncio.wait_for(self.start(), 20))


def names(events: Sequence[object]) -> list[str]:
    return [type(event).__name__ for event in events]


def still(events: History) -> History:
    """Without clock times and nonces."""
    settled: list[Event] = []
    for event in events:
        if isinstance(event, Replied | Observed):
            event = replace(event, duration=0.0)
        elif isinstance(event, Ended):
            event = replace(event, duration=0.0, receipt={**event.receipt, "timings": {}})
        elif isinstance(event, Allowed):
            event = replace(event, nonce="")
        settled.append(event)
    return tuple(settled)


def test_a_run_is_journalled_remembered_shown_and_handed_back_alike() -> None:
    run = Run(Replied(text=f"Easy.\n{CODE}", usage=Usage(input_tokens=3, output_tokens=5, cost=0.25)))
    result = run()
    boundary = run.executor.boundary()
    proposed = Proposed(run="r", step=1, text="x = 1", thought="Easy.", findings=result.events[2].findings)  # type: ignore[union-attr]
    usage = Usage(input_tokens=3, output_tokens=5, cost=0.25)
    assert still(result.events) == (
        ASKED,
        Replied(run="r", step=1, text=f"Easy.\n{CODE}", usage=usage),
        proposed,
        Opened(run="r", boundary=boundary),
        replace(permit(proposed, by="auto"), nonce=""),
        Observed(run="r", step=1, is_final_answer=True),
        Answered(run="r", step=1, text="42"),
        Ended(run="r", state="success", steps=1, usage=usage, receipt={"timings": {}}),
    )
    assert tuple(run.journal) == run.memory.events == result.events
    assert tuple(event for event in run.shown if not isinstance(event, Delta)) == result.events
    assert (result.output, result.state, result.error, result.usage, len(result.steps)) == (
        42,
        "success",
        None,
        usage,
        1,
    )
    assert result.value() == 42
    assert result.duration >= 0


def test_deltas_reach_the_view_alone_with_their_run_and_step() -> None:
    run = Run(Replied(text=CODE, reasoning="hm"), does=[replace(ANSWER, stdout="hello")])
    run()
    deltas = [event for event in run.shown if isinstance(event, Delta)]
    assert {(delta.run, delta.step) for delta in deltas} == {("r", 1)}
    texts: dict[str, str] = {}
    for delta in deltas:
        texts[delta.channel] = texts.get(delta.channel, "") + delta.text
    assert texts == {"reasoning": "hm", "reply": CODE, "output": "hello"}


def test_an_event_is_in_the_journal_before_the_view_sees_it() -> None:
    seen: list[bool] = []
    run = Run(CODE)

    def show(event: Event | Delta) -> None:
        if not isinstance(event, Delta):
            seen.append(run.journal[-1] is event and run.memory.events[-1] is event)

    run.parts["show"] = show
    run()
    assert seen == [True] * 8


# --- the journal fails -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", [Asked, Replied, Proposed, Opened, Allowed, Observed, Answered, Ended])
@pytest.mark.parametrize("error", [JournalError("the disk is full"), RuntimeError("a bug")])
def test_what_cannot_be_journalled_ends_the_run_and_a_permit_that_cannot_be_does_not_run(
    at: type, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    def journal(event: Event) -> None:
        if isinstance(event, at):
            raise error

    run = Run(CODE, journal=journal)
    result = run()
    assert run.executor.ran == (["x = 1"] if at in (Observed, Answered, Ended) else [])
    assert isinstance(result.events[-1], Ended)
    assert names(run.shown)[-1] == "Ended"
    if at is Ended:
        assert (result.state, result.output) == ("success", 42)
        assert "could not be journalled" in caplog.text
    else:
        expected = error if isinstance(error, JournalError) else AgentError("RuntimeError: a bug")
        assert (result.state, type(result.error), str(result.error)) == ("error", type(expected), str(expected))
        assert not any(isinstance(event, at) for event in result.events)


# --- the model fails ---------------------------------------------------------------------------------------------------------


def test_an_error_of_the_model_is_the_run_s() -> None:
    result = Run(AgentGenerationError("401: no such key"))()
    assert (result.state, str(result.error)) == ("error", "401: no such key")
    ended = result.events[-1]
    assert isinstance(ended, Ended)
    assert (ended.error, ended.cut) == ("AgentGenerationError: 401: no such key", "thinking")


def test_a_foreign_error_of_the_model_is_named_as_its() -> None:
    result = Run(OSError("no route"))()
    assert (type(result.error), str(result.error)) == (AgentGenerationError, "scripted: OSError: no route")


class Odd:
    """A model that streams whatever it is given."""

    name = "odd"

    def __init__(self, *items: Any) -> None:
        self.items = items

    async def reply(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> AsyncIterator[Any]:
        for item in self.items:
            yield item


def test_half_a_reply_is_never_parsed() -> None:
    result = Run(model=Odd(Delta(text=CODE)))()
    assert (type(result.error), names(result.events)) == (AgentGenerationError, ["Asked", "Ended"])


@pytest.mark.parametrize("model", [Odd("a text"), Odd(None), object()], ids=["a text", "nothing", "no model"])
def test_a_model_that_keeps_no_promise_is_an_error(model: Any) -> None:
    result = Run(model=model)()
    assert (result.state, names(result.events)) == ("error", ["Asked", "Ended"])


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3)])
def test_what_would_end_the_process_ends_the_run(error: BaseException) -> None:
    result = Run(error)()
    assert (result.state, type(result.error)) == ("error", AgentError)


def test_a_prompt_holds_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "very-secret-value")
    run = Run("<code>\nprint(k)\n</code>", CODE, does=["very-secret-value", ANSWER])
    run()
    said = "".join(message.text for message in run.model.calls[1])
    assert ("very-secret-value" in said, "Printed:\n[redacted]" in said) == (False, True)
    assert all(isinstance(message, Message) for message in run.model.calls[1])


# --- the sandbox --------------------------------------------------------------------------------------------------------------


class Slow(MemoryExecutor):
    """Opens when it is told to; ``begun`` says that it was asked."""

    def __init__(self, *observations: Any) -> None:
        super().__init__(*observations)
        self.begun, self.go = asyncio.Event(), asyncio.Event()
        self.cancelled = False

    async def open(self) -> None:
        self.begun.set()
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        await super().open()


def test_the_sandbox_opens_while_the_model_thinks() -> None:
    async def drive() -> RunResult:
        executor = Slow(ANSWER)

        class Waits(ScriptedModel):
            async def reply(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> AsyncIterator[Any]:
                await executor.begun.wait()
                executor.go.set()
                async for item in super().reply(messages):
                    yield item

        return await asyncio.wait_for(Run(model=Waits(CODE), executor=executor).start(), 5)

    assert asyncio.run(drive()).output == 42


def test_a_slow_sandbox_is_shown_and_open_before_anyone_is_asked() -> None:
    async def drive() -> list[str]:
        executor = Slow(ANSWER)
        run = Run(CODE, executor=executor)

        async def gate(proposed: Proposed) -> Allowed:
            assert executor.opened
            return await allow_all(proposed)

        def show(event: Event | Delta) -> None:
            run.shown.append(event)
            if isinstance(event, Delta) and event.channel == "progress":
                executor.go.set()

        run.parts |= {"gate": gate, "show": show}
        await asyncio.wait_for(run.start(), 5)
        return [event.text for event in run.shown if isinstance(event, Delta) and event.channel == "progress"]

    assert asyncio.run(drive()) == ["starting the sandbox …"]


class Pulls(MemoryExecutor):
    """Says how far it is, on a thread, as an executor that pulls an image does."""

    def __init__(self, *does: Any) -> None:
        super().__init__(*does)
        self.seen = asyncio.Event()

    async def open(self) -> None:
        await asyncio.to_thread(tell_opening, "pulling: 12 %")  # while the model is still replying
        await asyncio.wait_for(self.seen.wait(), 5)
        await asyncio.to_thread(tell_opening, "pulling: 43 %")
        await asyncio.sleep(0)


def test_how_far_a_sandbox_is_with_its_opening_is_shown_to_who_waits_for_it() -> None:
    async def drive() -> tuple[list[str], list[str]]:
        executor = Pulls(ANSWER)
        run = Run(CODE, executor=executor)

        def show(event: Event | Delta) -> None:
            run.shown.append(event)
            if isinstance(event, Delta) and event.channel == "progress":
                executor.seen.set()

        run.parts |= {"show": show}
        await asyncio.wait_for(run.start(), 5)
        replied = names(run.shown).index("Replied")
        parts = (run.shown[:replied], run.shown[replied:])
        said = [[event.text for event in part if getattr(event, "channel", "") == "progress"] for part in parts]  # type: ignore[union-attr]
        return said[0], said[1]

    before, progress = asyncio.run(drive())
    assert before == []
    assert [text for text in progress if text.startswith("pulling")] == ["pulling: 12 %", "pulling: 43 %"]


def test_progress_of_an_unneeded_start_is_not_shown() -> None:
    tell_opening("pulling: 43 %")


class Broken(MemoryExecutor):
    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error

    async def open(self) -> None:
        raise self.error


@pytest.mark.parametrize(
    ("raised", "error"),
    [
        (SandboxError("Docker is not running: start it"), SandboxError("Docker is not running: start it")),
        (PermissionError("/dev/kvm"), AgentError("PermissionError: /dev/kvm")),
    ],
)
def test_a_sandbox_that_does_not_open_is_a_clear_error_without_a_question(
    raised: Exception, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    asked: list[Proposed] = []

    async def gate(proposed: Proposed) -> Allowed:
        asked.append(proposed)
        return await allow_all(proposed)

    run = Run(CODE, executor=Broken(raised), gate=gate)
    result = run()
    assert (type(result.error), str(result.error), asked) == (type(error), str(error), [])
    assert names(result.events) == ["Asked", "Replied", "Proposed", "Ended"]
    assert "never retrieved" not in caplog.text


def test_a_sandbox_that_fails_while_the_model_does_leaves_no_noise(caplog: pytest.LogCaptureFixture) -> None:
    result = Run(AgentGenerationError("no"), executor=Broken(SandboxError("no sandbox")))()
    assert str(result.error) == "no"
    assert caplog.records == []


def test_an_unneeded_start_is_cancelled() -> None:
    async def drive() -> tuple[Any, bool]:
        executor = Slow()
        result = await Run('{"answer": 7}', executor=executor).start()
        return result.output, executor.cancelled or not executor.begun.is_set()

    assert asyncio.run(drive()) == (7, True)


def test_a_sandbox_that_dies_ends_the_run_with_its_error() -> None:
    result = Run(CODE, does=[SandboxError("the worker is gone")])()
    assert (result.state, str(result.error)) == ("error", "the worker is gone")
    ended = result.events[-1]
    assert isinstance(ended, Ended)
    assert ended.cut == "running"


# --- gates ----------------------------------------------------------------------------------------------------------------


def test_deny_ends_the_run_at_its_first_proposal() -> None:
    run = Run(CODE, gate=deny_all)
    result = run()
    assert (result.state, run.executor.ran, names(result.events)[-2:]) == ("refused", [], ["Refused", "Ended"])
    with pytest.raises(ApprovalError, match="deny"):
        result.value()


def test_a_gate_that_answers_for_another_step_runs_nothing() -> None:
    async def gate(proposed: Proposed) -> Allowed:
        return permit(replace(proposed, step=7, text="rm()"), by="person")

    for chosen, state in ((gate, "error"), (fail_closed(gate), "refused")):
        run = Run(CODE, gate=chosen)
        assert (run().state, run.executor.ran) == (state, [])


def test_a_plan_or_a_call_is_not_run_as_code() -> None:
    async def gate(proposed: Proposed) -> Allowed:
        return permit(replace(proposed, kind="call"), by="person")

    run = Run(CODE, gate=gate)
    result = run()
    assert (str(result.error), run.executor.ran) == ("a call cannot be run as code", [])


# --- stops -------------------------------------------------------------------------------------------------------------------


class Endless(ScriptedModel):
    async def reply(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> AsyncIterator[Any]:
        yield Delta(text="hm")
        await asyncio.Event().wait()


async def never(_: Any) -> Any:
    await asyncio.Event().wait()


class Never:
    """A gate that does not answer."""

    asked = False

    async def __call__(self, proposed: Proposed) -> Allowed:
        self.asked = True
        return await never(proposed)  # type: ignore[no-any-return]


STOPS: dict[str, tuple[Callable[[], Run], list[str], Callable[[Run], object]]] = {
    "thinking": (lambda: Run(model=Endless()), ["Asked"], lambda run: Delta in map(type, run.shown)),
    "asking": (
        lambda: Run(CODE, gate=Never()),
        ["Asked", "Replied", "Proposed", "Opened"],
        lambda run: run.parts["gate"].asked,
    ),
    "running": (
        lambda: Run(CODE, does=[never]),
        ["Asked", "Replied", "Proposed", "Opened", "Allowed"],
        lambda run: run.executor.ran,
    ),
}
"""By what the run is at: a run that stays there, its events until then, and whether it has come there."""


async def stop(run: Run, there: Callable[[Run], object], times: int = 1) -> RunResult:
    """Start a run, and stop it as soon as it is there."""
    waiting = asyncio.create_task(run.start())
    async with asyncio.timeout(20):
        while not there(run):
            await asyncio.sleep(0)
        assert run.task is not None
        for _ in range(times):
            run.task.cancel()
            await asyncio.sleep(0)
        return await waiting


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize(("cut", "make", "events", "there"), [(cut, *rest) for cut, rest in STOPS.items()], ids=STOPS)
def test_a_stop_is_recorded_wherever_it_comes(
    cut: str, make: Callable[[], Run], events: list[str], there: Callable[[Run], object], times: int
) -> None:
    run = make()
    result = asyncio.run(stop(run, there, times))
    assert (result.state, names(result.events), tuple(run.journal)) == ("stopped", [*events, "Ended"], result.events)
    assert tuple(event for event in run.shown if not isinstance(event, Delta)) == result.events
    ended = result.events[-1]
    assert isinstance(ended, Ended)
    assert (ended.cut, ended.error) == (cut, "AgentStopped: stopped")
    with pytest.raises(AgentStopped):
        result.value()


def test_what_a_sandbox_says_after_a_stop_is_in_no_record() -> None:
    """A sandbox that goes on printing when its step was cut."""

    class Lags(MemoryExecutor):
        on_output: OnOutput | None = None

        async def run(self, permit: Allowed, on_output: OnOutput, call_tool: CallTool) -> Observed:
            on_output(Delta(text="in time", channel="output", run="r", step=1))
            self.on_output = on_output
            return await never(None)  # type: ignore[no-any-return]

    async def drive() -> tuple[Run, RunResult]:
        lags = Lags()
        run = Run(CODE, executor=lags)
        result = await stop(run, lambda _: lags.on_output is not None)
        assert lags.on_output is not None
        lags.on_output(Delta(text="too late", channel="output", run="r", step=1))
        await asyncio.sleep(0)
        return run, result

    run, result = asyncio.run(drive())
    assert names(result.events) == ["Asked", "Replied", "Proposed", "Opened", "Allowed", "Observed", "Ended"]
    assert [event.stdout for event in result.events if isinstance(event, Observed)] == ["in time"]
    assert tuple(run.journal) == run.memory.events == result.events
    assert tuple(event for event in run.shown if not isinstance(event, Delta)) == result.events


def test_a_stop_by_answer_says_what_the_person_said() -> None:
    async def gate(proposed: Proposed) -> Refused:
        return Refused(run="r", step=1, reason="wrong table", by="person", then="stopped")

    result = Run(CODE, gate=gate)()
    assert (result.state, str(result.error)) == ("stopped", "wrong table")


# --- views, checks -------------------------------------------------------------------------------------------------------------


def test_a_view_that_fails_never_breaks_a_run(caplog: pytest.LogCaptureFixture) -> None:
    def show(event: Event | Delta) -> None:
        raise RuntimeError("no page")

    assert Run(CODE, show=show)().output == 42
    assert "a view failed; the run goes on" in caplog.text


def test_a_check_that_refuses_sends_the_answer_back_to_the_model() -> None:
    seen: list[tuple[Any, int]] = []

    def is_even(answer: int, memory: Memory) -> bool:
        seen.append((answer, len(memory.events)))
        return answer % 2 == 0

    def is_small(answer: int, memory: Memory) -> bool:
        if answer > 50:
            raise ValueError("too large")
        return True

    does = [replace(ANSWER, output=output) for output in (3, 100, 42)]
    run = Run(CODE, CODE, CODE, does=does, checks=[is_even, is_small])
    result = run()
    assert (result.output, [answer for answer, _ in seen]) == (42, [3, 100, 42])
    told = [message.text.split("\n")[-1] for message in run.model.calls[-1] if "FinalAnswerError" in message.text]
    assert told == [
        "FinalAnswerError: the answer was not accepted by is_even: it returned False",
        "FinalAnswerError: the answer was not accepted by is_small: too large",
    ]


def test_a_check_that_returns_nothing_accepts() -> None:
    assert Run(CODE, checks=[lambda answer, memory: None])().output == 42


def test_unexpected_errors_are_logged_without_secrets(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "very-secret-value")

    async def gate(proposed: Proposed) -> Allowed:
        raise RuntimeError("very-secret-value")

    with caplog.at_level(logging.DEBUG):
        result = Run(CODE, gate=gate)()
    assert (str(result.error), "very-secret-value" in caplog.text) == ("RuntimeError: [redacted]", False)
    assert "RuntimeError: [redacted]" in caplog.text
    assert "very-secret-value" not in repr(result)


# --- what is kept and what is said --------------------------------------------------------------------------------------

KEY = "sk-proj-" + "a1B2" * 8


@pytest.mark.parametrize("error", [AgentGenerationError(f"boom Bearer {KEY}"), SandboxError(f"no\x1b[2J {KEY}")])
def test_an_error_of_our_own_kind_is_said_without_its_secret(error: SmolcellError) -> None:
    with CodeAgent(tools=[], model=ScriptedModel(error), sandbox=MemoryExecutor(), gate=allow_all) as agent:
        result = agent.run("Do it.", return_full_result=True)
    assert type(result.error) is type(error)
    assert KEY not in str(result.error) + result.events[-1].error
    assert "\x1b" not in str(result.error)


def test_only_the_answer_keeps_its_live_value() -> None:
    big = object()
    model = ScriptedModel("<code>\nx\n</code>", "<code>\nfinal_answer(x)\n</code>")
    executor = MemoryExecutor(Observed(output=big, result="x"), Observed(output=big, is_final_answer=True))
    with CodeAgent(tools=[], model=model, sandbox=executor, gate=allow_all) as agent:
        result = agent.run("Do it.", return_full_result=True)
    assert result.output is big
    assert [event.output for event in result.events if isinstance(event, Observed)] == [None, big]


def test_the_best_answer_at_the_limit_is_no_step() -> None:
    model = ScriptedModel("<code>\n1\n</code>", "<code>\n2\n</code>", "About three.")
    with CodeAgent(tools=[], model=model, sandbox=MemoryExecutor(), gate=allow_all, max_steps=2) as agent:
        result = agent.run("Do it.", return_full_result=True)
    assert (result.state, result.output, len(result.steps)) == ("max_steps_error", "About three.", 2)


# --- a conversation that the model finds too long ----------------------------------------------------------------------

TOO_LONG = ContextLengthError("too long for m. Start afresh with --new.")
LONG = Observed(stdout="a" * 5000)


def test_a_conversation_that_is_too_long_is_shortened_and_asked_again_visibly() -> None:
    run = Run(CODE, CODE, TOO_LONG, CODE, does=[LONG, LONG, ANSWER])
    result = run()
    cut = Trimmed(run="r", step=3, steps=(1,))
    assert (result.state, result.output, len(run.model.calls)) == ("success", 42, 4)
    assert cut in run.journal
    told = Delta(text=asking_again(ContextLengthError()), channel="progress", run="r", step=3)
    assert run.shown.index(told) == run.shown.index(cut) + 1
    assert [sum(len(message.text) for message in call) > 10_000 for call in run.model.calls] == [
        False,
        False,
        True,
        False,
    ]


def test_a_conversation_that_stays_too_long_ends_the_run_with_the_models_words() -> None:
    run = Run(CODE, TOO_LONG, TOO_LONG, does=[LONG])
    result = run()
    assert (result.state, result.error, len(run.model.calls)) == ("error", TOO_LONG, 3)
    assert names(run.journal)[-2:] == ["Trimmed", "Ended"]


def test_only_the_model_can_have_a_conversation_shortened() -> None:
    async def gate(proposal: Proposed) -> Allowed:
        raise TOO_LONG

    result = Run(CODE, CODE, gate=gate)()
    assert (result.state, result.error) == ("error", TOO_LONG)
    assert "Trimmed" not in names(result.events)


# --- what of a notebook is sent ------------------------------------------------------------------------------------------


class Asking:
    """A context of one cell, which asks about it."""

    CELL = Piece(kind="cell", name="cell [1]", text="rows = [1, 2]", size=13, sha256="0" * 64, by="person")

    def question(self, run: str) -> Proposed:
        return Proposed(run=run, step=0, kind="context", text="Send it?", pieces=(self.CELL,))

    def chosen(self, decision: Allowed | Refused | None) -> tuple[Piece, ...]:
        return (self.CELL,) if isinstance(decision, Allowed) else ()


async def _agrees(proposal: Proposed) -> Allowed:
    return permit(proposal, by="person")


async def _stops(proposal: Proposed) -> Refused:
    return Refused(run=proposal.run, step=proposal.step, reason="", by="person", then="stopped")


async def _nobody_of_the_context(proposal: Proposed) -> Allowed | Refused:
    if proposal.kind != "context":
        return permit(proposal, by="person")
    return Refused(run=proposal.run, step=proposal.step, reason="nobody", by="nobody", then="refused")


def test_what_is_sent_is_recorded_before_the_model_is_asked() -> None:
    run = Run(CODE, context=Asking(), gate=_agrees)

    assert run().state == "success"
    of_note = [name for name in names(run.journal) if name != "Opened"]
    assert of_note[:6] == ["Asked", "Proposed", "Allowed", "Sent", "Replied", "Proposed"]
    assert "rows = [1, 2]" in str(run.model.calls[0])


def test_to_stop_at_the_question_ends_the_run_before_the_model_is_asked() -> None:
    run = Run(CODE, context=Asking(), gate=_stops)

    assert run().state == "stopped"
    assert [name for name in names(run.journal) if name != "Opened"] == ["Asked", "Proposed", "Refused", "Ended"]


def test_without_an_answer_to_the_question_nothing_is_sent_and_the_run_goes_on() -> None:
    run = Run(CODE, context=Asking(), gate=_nobody_of_the_context)

    assert run().state == "success"
    assert [event for event in run.journal if isinstance(event, Sent)] == []
    (refused,) = [event for event in run.journal if isinstance(event, Refused)]
    assert (refused.by, refused.then) == ("nobody", "continue")
