"""``ToolCallingAgent``: the same loop, gate, views and journal; calls instead of programs."""

from __future__ import annotations

import asyncio
import json
import threading
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from persons import Person, fetching, names, of

from smolcell import PythonInterpreterTool, ToolCallingAgent
from smolcell.core.history import ToolCall
from smolcell.core.prompt import TOO_EARLY
from smolcell.errors import AgentStopped, ApprovalError, ResponseFormatError, SetupError
from smolcell.events import Allowed, Ended, Observed, Proposed, Refused, Replied
from smolcell.events import Call as Made
from smolcell.journal import read
from smolcell.testing import MemoryExecutor, ScriptedModel, allow_all


def weather(city: str) -> str:
    """The weather."""
    if city == "Atlantis":
        raise LookupError("no such city")
    return f"warm in {city}"


def calls(*made: tuple[str, dict[str, Any]], thought: str = "") -> str:
    return "\n".join([thought, *(json.dumps({"name": name, "arguments": given}) for name, given in made)])


def native(*made: tuple[str, dict[str, Any]], text: str = "") -> Replied:
    return Replied(text=text, calls=tuple(Made(name=name, arguments=json.dumps(given)) for name, given in made))


def answer(value: Any) -> str:
    return calls(("final_answer", {"answer": value}))


def final(value: Any) -> Replied:
    return native(("final_answer", {"answer": value}))


OSLO, ROME = ("weather", {"city": "Oslo"}), ("weather", {"city": "Rome"})


def agent(*replies: Any, view: Person | None = None, tools: Any = (weather,), **options: Any) -> ToolCallingAgent:
    gate = {"gate": allow_all} if view is None else {"view": view}
    model = ScriptedModel(*replies)
    model.takes_tools = options.pop("native", False)
    return ToolCallingAgent(list(tools), model, **gate, **options)


def told(made: ToolCallingAgent) -> str:
    """What the model read last in its second prompt."""
    text: str = made.model.calls[1][-1].text
    return text


def test_a_call_is_made_seen_and_answered_with() -> None:
    with agent(calls(OSLO, thought="I look."), answer("warm")) as made:
        result = made.run("How is Oslo?", return_full_result=True)
        kept = read(made.journal.path)
    assert (result.state, result.output) == ("success", "warm")
    assert told(made) == "Observation of call 1:\nResult:\nwarm in Oslo"
    [step, _] = result.steps
    [called] = step.tool_calls
    called.duration = 0.0
    assert (step.thought, step.code, step.observations) == ("I look.", "", "warm in Oslo")
    assert called == ToolCall(number=1, text="weather(city='Oslo')", allowed_by="auto", result="warm in Oslo")
    assert names(kept) == names(result.events)


def test_calls_of_one_reply_are_reviewed_one_by_one_and_run_side_by_side() -> None:
    both = threading.Barrier(2, timeout=60)

    async def meet(name: str) -> str:
        """Waits for the other."""
        await asyncio.to_thread(both.wait)
        return name

    reply = calls(("meet", {"name": "a"}), ("meet", {"name": "b"}), thought="Both.")
    person = Person("approve", "approve")
    with agent(reply, answer(1), view=person, tools=[meet]) as made:
        assert made.run("t") == 1
        run = made.run_id
    assert [(p.run, p.step, p.call, p.kind, p.text, p.thought) for p in person.asked] == [
        (run, 1, 1, "call", "meet(name='a')", "Both."),
        (run, 1, 2, "call", "meet(name='b')", ""),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("weather(city='Bergen')", "Result:\nwarm in Bergen"),
        (
            "__import__('os')",
            "Error:\nAgentToolCallError: the edited text is no call of weather: edit the arguments only",
        ),
    ],
)
def test_an_edited_call_runs_as_edited_unless_it_is_another_call(text: str, said: str) -> None:
    person = Person(("edit", {"text": text, "comment": "not Oslo"}))
    with agent(calls(OSLO), answer(1), view=person) as made:
        made.run("t")
    changed = f"The person changed call 1 before it ran. They said: not Oslo This is what ran:\n{text}\n"
    assert told(made) == f"{changed}Observation of call 1:\n{said}"


def test_of_several_calls_a_refused_one_is_not_made() -> None:
    person = Person("approve", ("refuse", {"comment": "not Rome"}))
    with agent(calls(OSLO, ROME, ("final_answer", {"answer": 0})), answer(1), view=person) as made:
        assert made.run("t") == 1  # an answer beside it does not count
    assert TOO_EARLY in told(made)
    assert told(made).startswith(
        "Observation of call 1:\nResult:\nwarm in Oslo\n\nThe person refused call 2; it did not run. They said: not Rome"
    )


@pytest.mark.parametrize(
    ("mode", "said", "error", "asked"),
    [("ask", "stop", AgentStopped, 2), ("ask", "nobody", ApprovalError, 2), ("deny", "approve", ApprovalError, 0)],
)
def test_any_other_no_ends_the_run_before_anything_is_called(
    monkeypatch: pytest.MonkeyPatch, mode: str, said: str, error: type[Exception], asked: int
) -> None:
    monkeypatch.setenv("SMOLCELL_APPROVE", mode)
    fetch, fetched = fetching()
    person = Person("approve", said)
    with agent(calls(("fetch", {"url": "a"}), ("fetch", {"url": "b"})), view=person, tools=[fetch]) as made:
        with pytest.raises(error):
            made.run("t")
        assert of(made, Ended)[0].state == ("stopped" if said == "stop" else "refused")
    assert (fetched, len(person.asked)) == ([], asked)


def test_what_a_tool_raises_and_a_wrong_call_are_read_by_the_model() -> None:
    wrong = calls(("weather", {"city": "Atlantis"}), ("weather", {"town": "x"}), ("rain", {}))
    with agent(wrong, answer(1)) as made:
        assert made.run("t") == 1
    assert told(made) == (
        "Observation of call 1:\nError:\nLookupError: no such city\n\n"
        "Observation of call 2:\nError:\nAgentToolCallError: weather(city: str) -> str: missing a required argument: 'city'\n\n"
        "Observation of call 3:\nError:\nAgentToolCallError: there is no tool 'rain'; tools are: weather, final_answer"
    )


EARLY = calls(("weather", {"city": "Atlantis"}), ("final_answer", {"answer": "warm"}))


@pytest.mark.parametrize(
    ("reply", "said"),
    [("It is warm.", "Your reply calls no tool"), (EARLY, TOO_EARLY)],
    ids=["prose", "an answer beside a call that fails"],
)
def test_what_is_no_answer_is_told(reply: str, said: str) -> None:
    with agent(reply, answer("cold")) as made:
        assert made.run("t") == "cold"
    assert said in told(made)


def test_an_answer_beside_calls_that_go_well_counts() -> None:
    with agent(calls(OSLO, ("final_answer", {"answer": "warm"}))) as made:
        result = made.run("t", return_full_result=True)
    assert (result.output, [call.result for call in result.steps[0].tool_calls]) == ("warm", ["warm in Oslo"])


def test_variables_are_named_in_arguments_and_described_in_the_prompt() -> None:
    seen: list[Any] = []

    def count(table: Any) -> None:
        """Counts."""
        seen.append(table)

    rows = [(1, object())]
    with agent(calls(("count", {"table": "rows"})), answer("rows"), tools=[count]) as made:
        assert made.run("Count.", additional_args={"rows": rows}) is rows
    assert "- rows (list)" in made.model.calls[0][-1].text
    assert seen == [rows]


def test_a_program_that_is_the_name_of_a_variable_stays_a_program() -> None:
    person = Person("approve")
    sandbox = MemoryExecutor(Observed(result="[1, 2]"))
    reply = calls(("python_interpreter", {"code": "rows"}))
    with agent(reply, answer(1), view=person, tools=[PythonInterpreterTool()], sandbox=sandbox) as made:
        made.run("t", additional_args={"rows": "import os"})
    assert ([asked.text for asked in person.asked], sandbox.ran) == (["rows"], ["rows"])


def test_a_tool_named_final_answer_gives_the_answer_and_is_asked_about() -> None:
    def final_answer(answer: str) -> str:
        """The answer, for people."""
        return f"It is {answer}."

    person = Person("approve")
    with agent(answer("tea"), view=person, tools=[final_answer]) as made:
        assert made.run("t") == "It is tea."
    assert [asked.text for asked in person.asked] == ["final_answer(answer='tea')"]


def test_no_code_runs_and_no_sandbox_is_started() -> None:
    with agent(calls(("python_interpreter", {"code": "1"})), answer(1)) as made:
        made.run("t")
        assert made.executor.name == "host"
    assert "there is no tool 'python_interpreter'" in told(made)
    assert of(made, Proposed) == []


def test_a_program_for_the_interpreter_is_reviewed_as_code() -> None:
    person = Person("approve", "approve")
    reply = calls(("python_interpreter", {"code": "1 + 1"}), ("python_interpreter", {"code": "2"}))
    sandbox = MemoryExecutor("two", Observed(result="2"))
    with agent(reply, answer(1), view=person, tools=[PythonInterpreterTool()], sandbox=sandbox) as made:
        made.run("t")
    assert [(p.kind, p.call, p.text) for p in person.asked] == [("code", 1, "1 + 1"), ("code", 2, "2")]
    assert (sandbox.ran, told(made)) == (
        ["1 + 1", "2"],
        "Observation of call 1:\nPrinted:\ntwo\n\nObservation of call 2:\nResult:\n2",
    )


def test_a_model_that_takes_tools_is_offered_them_and_reads_results_by_its_protocol() -> None:
    both = native(OSLO, ("rain", {}), text="I look.")
    with agent(both, final("warm"), native=True) as made:
        assert made.run("t") == "warm"
        model = made.model
    assert [schema["function"]["name"] for schema in model.offered[0]] == ["weather", "final_answer"]
    assert "weather" not in model.calls[0][0].text
    made_calls = [
        {"id": "call-1-1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Oslo"}'}},
        {"id": "call-1-2", "type": "function", "function": {"name": "rain", "arguments": "{}"}},
    ]
    assert model.calls[1][2:] == [
        {"role": "assistant", "content": "I look.", "tool_calls": made_calls},
        {"role": "tool", "content": "Observation of call 1:\nResult:\nwarm in Oslo", "tool_call_id": "call-1-1"},
        {
            "role": "tool",
            "content": "Observation of call 2:\nError:\nAgentToolCallError: there is no tool 'rain'; tools are: weather, final_answer",
            "tool_call_id": "call-1-2",
        },
    ]


def test_a_refused_and_an_unaccepted_call_have_their_results_as_well() -> None:
    checks = [lambda answer: answer == 2]
    replies = (native(OSLO), final(1), final(2))
    with agent(*replies, native=True, view=Person("refuse"), final_answer_checks=checks) as made:
        assert made.run("t") == 2
        shown = made.model.calls[2]
    assert [(message["tool_call_id"], message.text.split("\n")[0]) for message in shown if message.role == "tool"] == [
        ("call-1-1", "The person refused call 1; it did not run."),
        ("call-2-1", "Observation of call 1:"),
    ]
    assert "FinalAnswerError: the answer was not accepted by <lambda>: it returned False" in str(shown)


def test_a_model_that_rejects_tools_is_asked_for_text() -> None:
    def refuses(messages: Any) -> str:
        raise ResponseFormatError("m does not support tools")

    with agent(refuses, calls(OSLO), answer("warm"), native=True) as made:
        assert made.run("t") == "warm"
        model = made.model
    assert [bool(offered) for offered in model.offered] == [True, False, False]
    assert "weather: The weather." in model.calls[1][0].text
    assert model.takes_tools is False


def test_each_prompt_only_adds_to_the_one_before() -> None:
    with agent(*[native(OSLO, ROME)] * 5, final(1), native=True) as made:
        made.run("t")
        shown = [[dict(message) for message in call] for call in made.model.calls]
    for before, after in pairwise(shown):
        assert after[: len(before)] == before


def test_a_later_run_reads_the_earlier_one() -> None:
    with agent(native(OSLO), final(1), final(2), native=True) as made:
        made.run("t")
        assert made.run("u", reset=False) == 2
        roles = [message.role for message in made.model.calls[2]]
    assert roles == ["system", "user", "assistant", "tool", "assistant", "tool", "user"]


def test_a_run_that_is_stopped_while_calls_run_ends_them() -> None:
    began, ended = threading.Event(), threading.Event()

    async def hang(n: int) -> None:
        """Hangs."""
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    with agent(calls(("hang", {"n": 1}), ("hang", {"n": 2})), tools=[hang]) as made:
        threading.Thread(target=lambda: began.wait(60) and made.interrupt(), daemon=True).start()
        result = made.run("t", return_full_result=True)
        assert ended.wait(60)
    assert (result.state, [event.cut for event in of(result.events, Ended)]) == ("stopped", ["running"])


def test_what_is_for_programs_is_refused() -> None:
    with pytest.raises(SetupError, match="leave out use_structured_outputs_internally"):
        agent(use_structured_outputs_internally=True)
    with pytest.raises(SetupError, match="a ToolCallingAgent needs a model"):
        ToolCallingAgent([weather])


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(["approve", "refuse", "edit", "stop", "nobody"]), min_size=1, max_size=5))
def test_in_any_order_of_answers_what_ran_is_what_was_allowed(answers: list[str]) -> None:
    fetch, ran = fetching()
    edits = [{"text": f"fetch(url='edited {n}')"} if said == "edit" else {} for n, said in enumerate(answers)]
    person = Person(*zip(answers, edits, strict=True))
    reply = calls(*[("fetch", {"url": f"as proposed {n}"}) for n in range(len(answers))])
    with agent(reply, answer(1), view=person, tools=[fetch]) as made:
        made.run("t", return_full_result=True)
    words = {"edit": "edited", "approve": "as proposed"}
    expected = [f"{words[said]} {n}" for n, said in enumerate(answers) if said in words]
    if {"stop", "nobody"} & set(answers):
        expected = []  # the run ended before any call was made
    assert sorted(ran) == sorted(expected)
    allowed, refused, seen = ({event.call for event in of(made, kind)} for kind in (Allowed, Refused, Observed))
    assert seen <= allowed and not refused & allowed  # no call runs without its own permit
