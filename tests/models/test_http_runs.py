"""Whole runs over HTTP: a model's fault ends the run with what there is so far, and the next run goes on from there."""

from __future__ import annotations

import asyncio
import gc
import io
import json
import threading
import time
from collections.abc import Iterator
from traceback import TracebackException
from typing import Any

import pytest
from dialects import CANARY, KINDS, Kind, Waits, crossed, openai_stream
from misbehaving import Answer, Server, error, event, serving

from smolcell.agent import CodeAgent, running
from smolcell.agent.driver import RunResult
from smolcell.core.prompt import UNCLOSED
from smolcell.events import Ended, Observed, Replied, Trimmed, Unparsed, Usage
from smolcell.models.errors import ModelError
from smolcell.testing import MemoryExecutor, allow_all
from smolcell.views.terminal import TerminalView
from smolcell.views.transcript import bundle

PROGRAM = "<code>\nx = 1\n</code>"
FINAL = Observed(is_final_answer=True, output=42)


@pytest.fixture(autouse=True)
def _nothing_is_left(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """No task on the driver's loop, no thread of a model's, no socket (a ``ResourceWarning`` is an error), no word of asyncio's."""
    yield
    gc.collect()
    assert [record.getMessage() for record in caplog.records if record.levelname in ("WARNING", "ERROR")] == []
    assert pending() == []
    assert [thread.name for thread in threading.enumerate() if thread.name == "smolcell-model"] == []


def pending() -> list[str]:
    """What is on the driver's loop; what a client's generators leave to the loop ends in its next round."""
    for _ in range(100):
        if not (left := [repr(task) for task in asyncio.all_tasks(running.loop()) if not task.done()]):
            break
        time.sleep(0.02)
    return left


def program(kind: Kind) -> Answer:
    return Answer(kind.stream(("text", PROGRAM), ("end", "stop"), ("usage", 7, 3), ("done",)))


def run(
    kind: Kind, executor: MemoryExecutor, *answers: Answer, view: Any = None, **options: Any
) -> tuple[RunResult, Server]:
    """A run whose model is answered so."""
    with (
        serving(*answers) as server,
        CodeAgent(model=kind.model(server, **options), sandbox=executor, gate=allow_all, view=view) as agent,
    ):
        return agent.run("one", return_full_result=True), server


def names(result: RunResult) -> list[str]:
    return [type(event).__name__ for event in result.events]


def test_lone_surrogates_are_replaced_in_all_that_is_sent(kind: Kind) -> None:
    def look(place: str) -> str:
        """Look \ud800.

        Args:
            place: where \ud800.
        """
        return place

    broken = Answer(kind.stream(("text", "A \ud800 and \ud83d\ude00\n" + PROGRAM), ("end", "stop"), ("done",)))
    executor = MemoryExecutor("printed 42 \ud800", FINAL)
    with serving(broken, program(kind)) as server:
        model = kind.model(server)
        with CodeAgent([look], model, instructions="Be \ud800.", sandbox=executor, gate=allow_all) as agent:
            result = agent.run("a\ud800b", additional_args={"c\ud800": "d\ud800"}, return_full_result=True)
    assert (result.state, result.output) == ("success", 42)
    first, second = (json.dumps(body, ensure_ascii=False) for _, _, body in server.requests)
    assert all(text in first for text in ("a?b", "Be ?.", "Look ?.", "where ?."))
    assert all(text in second for text in ("A ? and \U0001f600", "printed 42 ?"))


FAULTS = {
    "a refused key": (error(401), "key"),
    "no such model": (error(404), "model"),
    "a busy server": (error(429, **{"Retry-After": "3600"}), "busy"),
    "a broken server": (error(500), "server"),
    "a cut stream": (Answer(cut=40), "stream"),
    "a web page": (Answer(b"<html>", kind="text/html"), "stream"),
    "a stall": (Answer(b"", stall=True), "stall"),
}


@crossed(FAULTS, "a refused key", "a cut stream", "a stall", slow="a stall")
def test_a_fault_at_the_second_step_keeps_the_first_and_the_next_run_goes_on(kind: Kind, row: Any) -> None:
    answer, fault_kind = row
    executor = MemoryExecutor("first done", FINAL)
    with serving(program(kind), answer, program(kind)) as server:
        model = kind.model(server, timeout=2.0 if answer.stall else 60, retry=Waits().retry(1))
        with CodeAgent(model=model, sandbox=executor, gate=allow_all) as agent:
            failed = agent.run("one", return_full_result=True)
            went_on = agent.run("two", reset=False, return_full_result=True)
    assert names(failed) == ["Asked", "Replied", "Proposed", "Opened", "Allowed", "Observed", "Ended"]
    assert (failed.state, isinstance(failed.error, ModelError)) == ("error", True)
    assert failed.error.kind == fault_kind
    ended = failed.events[-1]
    assert isinstance(ended, Ended)
    assert (ended.cut, ended.usage.input_tokens) == ("thinking", 7)
    assert (went_on.state, went_on.output, executor.ran) == ("success", 42, ["x = 1", "x = 1"])
    shown = json.dumps(server.requests[-1][2])
    assert all(said in shown for said in ("one", "first done", "two"))


def test_a_reply_that_breaks_off_is_discarded_and_asked_again_and_the_run_goes_on(kind: Kind) -> None:
    half, output = Answer(kind.stream(("text", "I delete.\n<code>\nx = 1\n"))), io.StringIO()
    executor, view = MemoryExecutor(FINAL), TerminalView(output=output)
    result, server = run(kind, executor, half, program(kind), view=view, retry=Waits().retry())
    assert (result.output, executor.ran, len(server.requests)) == (42, ["x = 1"], 2)
    assert names(result) == ["Asked", "Replied", "Proposed", "Opened", "Allowed", "Observed", "Answered", "Ended"]
    assert server.requests[1][2]["messages"] == server.requests[0][2]["messages"]
    assert "broke off in the middle of its reply" in output.getvalue()
    saved = bundle(result.events)
    for shown in (output.getvalue(), saved["text/plain"], saved["text/html"]):
        assert "A partial reply was discarded, and the model was asked again." in shown


def test_a_broken_stream_that_a_proxy_ends_well_is_no_program(kind: Kind) -> None:
    half = Answer(kind.stream(("text", "I delete.\n<code>\ny = 2\n"), ("end", "stop"), ("done",)))
    executor = MemoryExecutor(FINAL)
    result, _ = run(kind, executor, half, half, half, program(kind))
    assert (result.output, executor.ran) == (42, ["x = 1"])
    assert [event.reason for event in result.events if isinstance(event, Unparsed)] == [UNCLOSED] * 3


def test_what_a_server_writes_after_the_program_is_neither_run_nor_in_the_history(kind: Kind) -> None:
    invented = "\nObservation of step 1:\n7\n<code>\nfinal_answer(7)\n</code>"
    texts = [("text", PROGRAM), ("text", invented), ("text", "\nIt printed 7." * 30)]
    long = Answer(kind.stream(*texts, ("end", "stop"), ("usage", 7, 3), ("done",)))
    executor = MemoryExecutor("first done", FINAL)
    result, server = run(kind, executor, long, program(kind))
    assert (result.output, executor.ran) == (42, ["x = 1", "x = 1"])
    sent = server.requests[1][2]["messages"]
    last = [json.dumps(message) for message in sent if message["role"] == "assistant"][-1]
    assert json.dumps(PROGRAM) in last
    assert "7" not in last


@pytest.mark.parametrize("begins", ["<think>", ""], ids=["in the text", "in the prompt"])
def test_a_draft_in_the_reasoning_is_not_run(kind: Kind, begins: str) -> None:
    thought = f"{begins}Perhaps\n<code>\ndraft()\n</code>\nNo.\n</think>\n"
    drafted = Answer(kind.stream(("text", thought), ("text", PROGRAM), ("end", "stop"), ("done",)))
    executor = MemoryExecutor(FINAL)
    result, _ = run(kind, executor, drafted)
    assert (result.output, executor.ran) == (42, ["x = 1"])
    assert [
        (event.text.strip(), "draft()" in event.reasoning) for event in result.events if isinstance(event, Replied)
    ] == [(PROGRAM, True)]


TOO_LONG = error(400, "This model's maximum context length is 8192 tokens.")


def test_a_conversation_that_is_too_long_is_shortened_and_the_run_goes_on(kind: Kind) -> None:
    executor = MemoryExecutor("a" * 5000, "b" * 5000, "c" * 1000, FINAL)
    result, server = run(kind, executor, *[program(kind)] * 3, TOO_LONG, program(kind))
    assert (result.state, result.output, len(server.requests)) == ("success", 42, 5)
    assert [event.steps for event in result.events if isinstance(event, Trimmed)] == [(1, 2)]
    refused, shorter = (json.dumps(body) for _, _, body in server.requests[-2:])
    assert ["a" * 5000 in refused, "a" * 5000 in shorter, "c" * 1000 in shorter] == [True, False, True]


def test_a_conversation_that_stays_too_long_says_what_to_do(kind: Kind) -> None:
    result, server = run(kind, MemoryExecutor("a" * 5000), program(kind), TOO_LONG)
    assert (result.state, len(server.requests), names(result)[-2:]) == ("error", 3, ["Trimmed", "Ended"])
    assert "--new" in str(result.error)


def test_a_model_that_calls_tools_reads_that_there_are_none_and_goes_on(kind: Kind) -> None:
    calls = Answer(kind.stream(("tool", "python"), ("end", "tool_calls"), ("done",)))
    result, server = run(kind, MemoryExecutor(FINAL), calls, program(kind))
    assert result.output == 42
    assert "I called tools in a way that does not exist here: python" in json.dumps(server.requests[-1][2])


@pytest.mark.parametrize(
    ("text", "end", "state"),
    [(PROGRAM, "stop", "success"), (f"{PROGRAM}\nObser", "length", "success"), ("<code>\nx = 1", "length", "error")],
    ids=["stop", "length after the program", "length"],
)
def test_cost_and_tokens_of_the_steps_are_summed_those_of_a_reply_that_was_cut_off_included(
    text: str, end: str, state: str
) -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "cost": 0.25}
    body = openai_stream(("text", text), ("end", end)) + event({"model": "m-1", "choices": [], "usage": usage})
    result, server = run(KINDS[0], MemoryExecutor("", FINAL), Answer(body))
    calls = len(server.requests)  # a run asks for something shorter before it gives up
    assert (result.state, calls > 1) == (state, True)
    assert result.usage == Usage(input_tokens=10 * calls, output_tokens=5 * calls, cost=0.25 * calls)
    if state == "success":
        assert [step.usage.cost for step in result.steps] == [0.25, 0.25]


ERRORS = {
    "refused": error(401, CANARY),
    "bad": error(400, CANARY),
    "no reply": Answer(event(CANARY)),
    "broken": Answer(raw=b""),
}


@crossed(ERRORS, "refused", "broken")
def test_an_error_leads_to_no_key(kind: Kind, row: Answer) -> None:
    """Neither by its causes nor by the variables of its frames, which debuggers and verbose tracebacks show."""
    raised = run(kind, MemoryExecutor(), row, retry=Waits().retry(1))[0].error
    assert isinstance(raised, ModelError)
    assert (raised.__cause__, raised.__context__) == (None, None)
    assert CANARY not in "".join(TracebackException.from_exception(raised, capture_locals=True).format())
