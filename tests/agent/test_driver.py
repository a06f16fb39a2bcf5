"""The driver records every fact before anyone is told, and always records the end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from persons import ANSWER, CODE, BareAgent, Endless, drive, names, of, scripted

from smolcell.agent.driver import RunResult
from smolcell.approval.gates import deny_all, fail_closed
from smolcell.core.history import Memory
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
    Trimmed,
    Usage,
)
from smolcell.models.asking import asking_again
from smolcell.permit import permit
from smolcell.protocols import CallTool, Message, OnOutput, tell_opening
from smolcell.testing import MemoryExecutor, ScriptedModel, allow_all

SOON = 60  # seconds after which a test gives up on a run
ASKED = Asked(run="r", task="t")


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
        parts = {"gate": allow_all, "journal": self.journal.append, "show": self.shown.append} | self.parts
        agent = BareAgent(self.model, self.executor, self.memory)
        self.task = asyncio.create_task(drive(agent, **parts).run())
        return await self.task

    def __call__(self) -> RunResult:
        return asyncio.run(asyncio.wait_for(self.start(), SOON))


def still(events: History) -> History:
    """Without clock times and nonces."""
    fixed: dict[type, Any] = {Allowed: {"nonce": ""}, Ended: {"duration": 0.0, "receipt": {"timings": {}}}}
    fixed |= {kind: {"duration": 0.0} for kind in (Replied, Observed)}
    return tuple(replace(event, **fixed.get(type(event), {})) for event in events)


def test_a_run_is_journalled_remembered_shown_and_handed_back_alike() -> None:
    said = "Easy.\n<code>\nfinal_answer(6 * 7)\n</code>"
    run = Run(Replied(text=said, usage=Usage(input_tokens=3, output_tokens=5, cost=0.25)))
    result = run()
    boundary = run.executor.boundary()
    found = result.events[2].findings  # type: ignore[union-attr]
    proposed = Proposed(run="r", step=1, text="final_answer(6 * 7)", thought="Easy.", findings=found)
    usage = Usage(input_tokens=3, output_tokens=5, cost=0.25)
    assert still(result.events) == (
        ASKED,
        Replied(run="r", step=1, text=said, usage=usage),
        proposed,
        Opened(run="r", boundary=boundary),
        replace(permit(proposed, by="auto"), nonce=""),
        Observed(run="r", step=1, is_final_answer=True),
        Answered(run="r", step=1, text="42"),
        Ended(run="r", state="success", steps=1, usage=usage, receipt={"timings": {}}),
    )
    assert tuple(run.journal) == run.memory.events == result.events
    assert tuple(event for event in run.shown if not isinstance(event, Delta)) == result.events
    assert (result.output, result.state, result.error, result.usage) == (42, "success", None, usage)
    assert (result.value(), len(result.steps)) == (42, 1)


def test_deltas_reach_the_view_alone_with_their_run_and_step() -> None:
    run = Run(Replied(text=CODE, reasoning="hm"), does=[replace(ANSWER, stdout="hello")])
    run()
    deltas = of(run.shown, Delta)
    assert {(delta.run, delta.step) for delta in deltas} == {("r", 1)}
    texts: dict[str, str] = {}
    for delta in deltas:
        texts[delta.channel] = texts.get(delta.channel, "") + delta.text
    assert texts == {"reasoning": "hm", "reply": CODE, "output": "hello"}


def test_an_event_is_in_the_journal_before_the_view_sees_it() -> None:
    seen: list[bool] = []
    run = Run(CODE)

    def show(event: Event | Delta) -> None:
        seen.append(isinstance(event, Delta) or (run.journal[-1] is event and run.memory.events[-1] is event))

    run.parts["show"] = show
    run()
    assert all(seen) and len(seen) >= 8


# --- the journal fails -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("at", [Asked, Replied, Proposed, Opened, Allowed, Observed, Answered, Ended])
@pytest.mark.parametrize("error", [JournalError("the disk is full"), RuntimeError("a bug")])
def test_what_cannot_be_journalled_ends_the_run(at: type, error: Exception, caplog: pytest.LogCaptureFixture) -> None:
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
@pytest.mark.parametrize(
    ("raised", "kind", "said"),
    [
        (AgentGenerationError("401: no such key"), AgentGenerationError, "401: no such key"),
        (OSError("no route"), AgentGenerationError, "scripted: OSError: no route"),
        (KeyboardInterrupt(), AgentError, "KeyboardInterrupt: "),
        (SystemExit(3), AgentError, "SystemExit: 3"),
    ],
)
def test_an_error_of_the_model_is_the_run_s(raised: BaseException, kind: type, said: str) -> None:
    result = Run(raised)()
    assert (result.state, type(result.error), str(result.error)) == ("error", kind, said)
    (ended,) = of(result.events, Ended)
    assert (ended.error, ended.cut) == (f"{kind.__name__}: {said}", "thinking")


class Odd:
    """A model that streams whatever it is given."""

    name = "odd"

    def __init__(self, *items: Any) -> None:
        self.items = items

    async def reply(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> AsyncIterator[Any]:
        for item in self.items:
            yield item


@pytest.mark.parametrize(
    "model",
    [Odd(Delta(text=CODE)), Odd("a text"), Odd(None), object()],
    ids=["half a reply", "a text", "nothing", "no model"],
)
def test_a_model_that_keeps_no_promise_is_an_error(model: Any) -> None:
    result = Run(model=model)()
    assert (result.state, names(result.events)) == ("error", ["Asked", "Ended"])


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
    async def driven() -> RunResult:
        executor = Slow(ANSWER)

        class Waits(ScriptedModel):
            async def reply(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> AsyncIterator[Any]:
                await executor.begun.wait()
                executor.go.set()
                async for item in super().reply(messages):
                    yield item

        return await asyncio.wait_for(Run(model=Waits(CODE), executor=executor).start(), SOON)

    assert asyncio.run(driven()).output == 42


async def until_shown(kind: type[Slow]) -> tuple[Run, list[bool]]:
    """A run whose sandbox goes on opening as soon as its progress is shown; and whether it was open at each question."""
    executor, opened = kind(ANSWER), list[bool]()

    async def gate(proposed: Proposed) -> Allowed:
        opened.append(executor.opened)
        return permit(proposed, by="auto")

    def show(event: Event | Delta) -> None:
        run.shown.append(event)
        if progress([event]):
            executor.go.set()

    run = Run(CODE, executor=executor, gate=gate, show=show)
    await asyncio.wait_for(run.start(), SOON)
    return run, opened


def progress(events: Sequence[Event | Delta]) -> list[str]:
    return [event.text for event in of(events, Delta) if event.channel == "progress"]


def test_a_slow_sandbox_is_shown_and_open_before_anyone_is_asked() -> None:
    run, opened = asyncio.run(until_shown(Slow))
    assert (progress(run.shown), opened) == (["starting the sandbox …"], [True])


def test_how_far_a_sandbox_is_with_its_opening_is_shown_to_who_waits_for_it() -> None:
    class Pulls(Slow):
        """Says how far it is, on a thread, as an executor that pulls an image does."""

        async def open(self) -> None:
            await asyncio.to_thread(tell_opening, "pulling: 12 %")  # while the model is still replying
            await self.go.wait()
            await asyncio.to_thread(tell_opening, "pulling: 43 %")
            await asyncio.sleep(0)

    run, _ = asyncio.run(until_shown(Pulls))
    replied = [type(event) for event in run.shown].index(Replied)
    assert progress(run.shown[:replied]) == []
    assert [text for text in progress(run.shown[replied:]) if "%" in text] == ["pulling: 12 %", "pulling: 43 %"]


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
def test_without_a_sandbox_nothing_is_asked(raised: Exception, error: Exception, caplog: Any) -> None:
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
    async def driven() -> tuple[Any, bool]:
        executor = Slow()
        result = await Run('{"answer": 7}', executor=executor).start()
        return result.output, executor.cancelled or not executor.begun.is_set()

    assert asyncio.run(driven()) == (7, True)


def test_a_sandbox_that_dies_ends_the_run_with_its_error() -> None:
    result = Run(CODE, does=[SandboxError("the worker is gone")])()
    assert (result.state, str(result.error)) == ("error", "the worker is gone")
    assert of(result.events, Ended)[0].cut == "running"


# --- gates ----------------------------------------------------------------------------------------------------------------
def test_deny_ends_the_run_at_its_first_proposal() -> None:
    run = Run(CODE, gate=deny_all)
    result = run()
    assert (result.state, run.executor.ran, names(result.events)[-2:]) == ("refused", [], ["Refused", "Ended"])
    with pytest.raises(ApprovalError, match="deny"):
        result.value()


@pytest.mark.parametrize(
    ("other", "closed", "said"),
    [
        ({"step": 7, "text": "rm()"}, "refused", "the gate returned a decision for"),
        ({"kind": "call"}, "error", "a call cannot be run as code"),
    ],
    ids=["step", "kind"],
)
def test_a_gate_that_allows_something_else_runs_nothing(other: dict[str, Any], closed: str, said: str) -> None:
    async def gate(proposed: Proposed) -> Allowed:
        return permit(replace(proposed, **other), by="person")

    run, run_closed = Run(CODE, gate=gate), Run(CODE, gate=fail_closed(gate))
    result = run()
    assert (result.state, said in str(result.error)) == ("error", True)
    assert run_closed().state == closed
    assert (run.executor.ran, run_closed.executor.ran) == ([], [])


# --- stops -------------------------------------------------------------------------------------------------------------------
async def never(_: Any) -> Any:
    await asyncio.Event().wait()


class Never:
    """A gate that does not answer."""

    asked = False

    async def __call__(self, proposed: Proposed) -> Allowed:
        self.asked = True
        return await never(proposed)  # type: ignore[no-any-return]


STOPS: dict[str, tuple[Callable[[], Run], int, Callable[[Run], object]]] = {
    "thinking": (lambda: Run(model=Endless()), 1, lambda run: of(run.shown, Delta)),
    "asking": (lambda: Run(CODE, gate=Never()), 4, lambda run: run.parts["gate"].asked),
    "running": (lambda: Run(CODE, does=[never]), 5, lambda run: run.executor.ran),
}
"""By what the run is at: a run that stays there, the number of its events until then, and whether it has come there."""


async def stop(run: Run, there: Callable[[Run], object], times: int = 1) -> RunResult:
    """Start a run, and stop it as soon as it is there."""
    waiting = asyncio.create_task(run.start())
    async with asyncio.timeout(SOON):
        while not there(run):
            await asyncio.sleep(0)
        assert run.task is not None
        for _ in range(times):
            run.task.cancel()
            await asyncio.sleep(0)
        return await waiting


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("cut", STOPS)
def test_a_stop_is_recorded_wherever_it_comes(cut: str, times: int) -> None:
    make, count, there = STOPS[cut]
    run, events = make(), "Asked Replied Proposed Opened Allowed".split()[:count]
    result = asyncio.run(stop(run, there, times))
    assert (result.state, names(result.events), tuple(run.journal)) == ("stopped", [*events, "Ended"], result.events)
    assert tuple(event for event in run.shown if not isinstance(event, Delta)) == result.events
    (ended,) = of(result.events, Ended)
    assert (ended.cut, ended.error) == (cut, "AgentStopped: stopped")
    with pytest.raises(AgentStopped):
        result.value()


def test_a_run_that_fails_because_it_is_stopped_was_stopped(caplog: pytest.LogCaptureFixture) -> None:
    """As where a process ends in which runs are still active: their threads are gone."""

    class Fails(MemoryExecutor):
        async def run(self, *given: Any) -> Observed:
            try:
                return await super().run(*given)
            except asyncio.CancelledError:
                raise RuntimeError("cannot schedule new futures after shutdown") from None

    run = Run(CODE, executor=Fails(never))
    result = asyncio.run(stop(run, lambda run: run.executor.ran))
    assert (result.state, caplog.records) == ("stopped", [])


def test_what_a_sandbox_says_after_a_stop_is_in_no_record() -> None:
    """A sandbox that goes on printing when its step was cut."""

    class Lags(MemoryExecutor):
        on_output: OnOutput | None = None

        async def run(self, permit: Allowed, on_output: OnOutput, call_tool: CallTool) -> Observed:
            on_output(Delta(text="in time", channel="output", run="r", step=1))
            self.on_output = on_output
            return await never(None)  # type: ignore[no-any-return]

    async def driven() -> tuple[Run, RunResult]:
        lags = Lags()
        run = Run(CODE, executor=lags)
        result = await stop(run, lambda _: lags.on_output is not None)
        assert lags.on_output is not None
        lags.on_output(Delta(text="too late", channel="output", run="r", step=1))
        await asyncio.sleep(0)
        return run, result

    run, result = asyncio.run(driven())
    assert names(result.events) == ["Asked", "Replied", "Proposed", "Opened", "Allowed", "Observed", "Ended"]
    assert [event.stdout for event in of(result.events, Observed)] == ["in time"]
    assert tuple(run.journal) == run.memory.events == result.events
    assert tuple(event for event in run.shown if not isinstance(event, Delta)) == result.events


def test_a_stop_by_answer_says_what_the_person_said() -> None:
    async def gate(proposed: Proposed) -> Refused:
        return Refused(run="r", step=1, reason="wrong table", by="person", then="stopped")

    result = Run(CODE, gate=gate)()
    assert (result.state, str(result.error)) == ("stopped", "wrong table")


# --- views -------------------------------------------------------------------------------------------------------------
def test_a_view_that_fails_never_breaks_a_run(caplog: pytest.LogCaptureFixture) -> None:
    def show(event: Event | Delta) -> None:
        raise RuntimeError("no page")

    assert Run(CODE, show=show)().output == 42
    assert "a view failed; the run goes on" in caplog.text


def test_errors_are_logged_without_secrets(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
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
    with scripted(error) as agent:
        result = agent.run("Do it.", return_full_result=True)
    assert type(result.error) is type(error)
    assert KEY not in str(result.error) + result.events[-1].error
    assert "\x1b" not in str(result.error)


def test_only_the_answer_keeps_its_live_value() -> None:
    big = object()
    does = Observed(output=big, result="x"), Observed(output=big, is_final_answer=True)
    with scripted(CODE, CODE, does=does) as agent:
        result = agent.run("Do it.", return_full_result=True)
    assert result.output is big
    assert [event.output for event in of(result.events, Observed)] == [None, big]


# --- a conversation that the model finds too long ----------------------------------------------------------------------

TOO_LONG = ContextLengthError("too long for m. Start afresh with --new.")
LONG = Observed(stdout="a" * 5000)


def test_a_conversation_that_is_too_long_is_shortened_and_asked_again_visibly() -> None:
    run = Run(CODE, CODE, TOO_LONG, CODE, does=[LONG, replace(LONG, stdout="b" * 5000), ANSWER])
    result = run()
    cut = Trimmed(run="r", step=3, steps=(1,))
    assert (result.state, result.output, len(run.model.calls)) == ("success", 42, 4)
    assert cut in run.journal
    told = Delta(text=asking_again(ContextLengthError()), channel="progress", run="r", step=3)
    assert run.shown.index(told) == run.shown.index(cut) + 1
    long = [sum(len(message.text) for message in call) > 10_000 for call in run.model.calls]
    assert long == [False, False, True, False]


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


@pytest.mark.parametrize(
    ("decision", "state", "begins", "then"),
    [
        ("allowed", "success", ["Asked", "Proposed", "Allowed", "Sent", "Replied", "Proposed"], []),
        ("stopped", "stopped", ["Asked", "Proposed", "Refused", "Ended"], ["stopped"]),
        ("refused", "success", ["Asked", "Proposed", "Refused", "Replied", "Proposed", "Allowed"], ["continue"]),
    ],
)
def test_of_a_notebook_is_sent_what_was_allowed_and_recorded_before_the_model_is_asked(
    decision: Any, state: str, begins: list[str], then: list[str]
) -> None:
    async def gate(proposal: Proposed) -> Allowed | Refused:
        if proposal.kind != "context" or decision == "allowed":
            return permit(proposal, by="person")
        return Refused(run=proposal.run, step=proposal.step, reason="", by="nobody", then=decision)

    run = Run(CODE, context=Asking(), gate=gate)
    assert run().state == state
    assert [name for name in names(run.journal) if name != "Opened"][:6] == begins
    assert ("rows = [1, 2]" in str(run.model.calls)) is (decision == "allowed")
    assert [event.then for event in of(run.journal, Refused)] == then
