"""Tools that code calls from a sandbox: who is asked, what crosses, what is counted, what is recorded, in every sandbox there is."""

from __future__ import annotations

import asyncio
import datetime
import json
import re
import threading
import time
from concurrent.futures import Future
from typing import Any

import pytest
from examples import quick
from people import Person

from smolcell import Tool, tool
from smolcell.errors import AgentStopped, ApprovalError
from smolcell.events import Allowed, Called, Ended, Finding, Observed, Proposed, Refused
from smolcell.executors.local import LocalPythonExecutor
from smolcell.journal import read
from smolcell.protocols import Answer
from smolcell.tools.builtin import UserInputTool


@tool
def price(item: str, count: int = 1) -> float:
    """The price of an item, count times."""
    return {"tea": 2.5, "cake": 4.0}[item] * count


@tool(approve=True)
def send(to: str, amount: float) -> str:
    """Send an amount to somebody."""
    return f"{amount:g} sent to {to}"


def of(agent: Any, *kinds: type) -> list[Any]:
    return [event for event in agent.memory.events if isinstance(event, kinds)]


# --- in every sandbox ---------------------------------------------------------------------------------------------------


def test_a_call_crosses_and_is_recorded(everywhere: Any) -> None:
    agent = everywhere("final_answer([price('tea'), price('cake', count=2)])", tools=[price])
    assert agent.run("t") == [2.5, 8.0]
    calls = of(agent, Called)
    assert [(c.call, c.name, c.text, c.result, c.error, c.times) for c in calls] == [
        (1, "price", "price(item='tea')", "2.5", "", 1),
        (2, "price", "price(item='cake', count=2)", "8.0", "", 1),
    ]
    assert all(0 <= c.duration < 10 for c in calls)
    assert agent.memory.steps[0].calls == calls
    assert [event for event in read(agent.journal.path) if isinstance(event, Called)] == calls


def test_errors_are_exceptions_of_the_right_kind_in_the_code(everywhere: Any) -> None:
    def broken(kind: str) -> None:
        """Fail in a way."""
        if kind == "json":
            json.loads("{")
        raise {
            "key": KeyError("k"),
            "os": FileNotFoundError(2, "gone"),
            "unicode": UnicodeDecodeError("a", b"xy", 0, 2, "b"),
        }[kind]

    program = (
        "found = []\n"
        "for call in (lambda: price(3), lambda: price(), lambda: price('tea', size=1), lambda: broken('json'),\n"
        "             lambda: broken('key'), lambda: broken('os'), lambda: broken('unicode')):\n"
        "    try:\n        call()\n"
        "    except (TypeError, ValueError, KeyError, OSError) as error:\n"
        "        kinds = [k.__name__ for k in (TypeError, ValueError, KeyError, OSError) if isinstance(error, k)]\n"
        "        found.append([type(error).__name__, kinds, str(error)])\n"
        "    except Exception as error:\n        found.append([type(error).__name__, [], str(error)])\n"
        "final_answer(found)"
    )
    agent = everywhere(program, tools=[price, broken])
    signature = "price(item: str, count: int = 1) -> float"
    assert agent.run("t") == [
        ["AgentToolCallError", ["TypeError"], f"{signature}: 'item' must be str, not int 3"],
        ["AgentToolCallError", ["TypeError"], f"{signature}: missing a required argument: 'item'"],
        ["AgentToolCallError", ["TypeError"], f"{signature}: got an unexpected keyword argument 'size'"],
        ["JSONDecodeError", ["ValueError"], "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"],
        ["KeyError", ["KeyError"], "'k'"],
        ["FileNotFoundError", ["OSError"], "[Errno 2] gone"],
        ["ToolError", [], "UnicodeDecodeError: 'a' codec can't decode bytes in position 0-1: b"],
    ]  # fmt: skip
    assert [call.error.partition(":")[0] for call in of(agent, Called)] == [
        *["AgentToolCallError"] * 3, "JSONDecodeError", "KeyError", "FileNotFoundError", "UnicodeDecodeError",
    ]  # fmt: skip


def test_a_call_that_needs_a_yes_is_shown_and_runs_after_it(everywhere: Any) -> None:
    person = Person("approve", "approve")
    agent = everywhere("final_answer(send('Ann', amount=3))", tools=[send], person=person)
    assert agent.run("t") == "3 sent to Ann"
    step, call = person.asked
    assert (call.kind, call.step, call.call, call.text) == ("call", step.step, 1, "send(to='Ann', amount=3)")
    assert call.thought == "This tool asks before each call."
    assert [(type(e).__name__, e.call) for e in of(agent, Proposed, Allowed, Observed)] == [
        ("Proposed", 0), ("Allowed", 0), ("Proposed", 1), ("Allowed", 1), ("Observed", 1), ("Observed", 0),
    ]  # fmt: skip
    assert (of(agent, Observed)[0].result, of(agent, Called)) == ("'3 sent to Ann'", [])


def test_a_refusal_is_an_exception_in_the_code_with_the_comment(everywhere: Any) -> None:
    person = Person("approve", ("refuse", {"comment": "ask Bob first"}))
    program = (
        "try:\n    send('Ann', 3)\nexcept Exception as error:\n    final_answer([type(error).__name__, str(error)])"
    )
    agent = everywhere(program, tools=[send], person=person)
    assert agent.run("t") == ["ApprovalError", "The person refused the call: ask Bob first"]
    (refused,) = of(agent, Refused)
    assert (refused.call, refused.reason, refused.then) == (1, "ask Bob first", "continue")


def test_an_edited_call_runs_as_it_was_edited(everywhere: Any) -> None:
    person = Person("approve", ("edit", {"text": "send(to='Bob', amount=2)"}))
    agent = everywhere("final_answer(send('Ann', 3))", tools=[send], person=person)
    assert agent.run("t") == "2 sent to Bob"
    assert [allowed.text for allowed in of(agent, Allowed)][1] == "send(to='Bob', amount=2)"


def test_values_that_are_no_literals_stand_in_a_call_by_name(everywhere: Any) -> None:
    seen = []

    @tool(approve=True)
    def note(day: datetime.date, text: str) -> datetime.date:
        """Note a day and a text."""
        seen.append((day, text))
        return day + datetime.timedelta(days=1)

    person = Person("approve", ("edit", {"text": "note(day=given_day, text='b')"}))
    program = "import datetime\nfinal_answer(note(datetime.date(2026, 1, 31), 'a'))"
    assert everywhere(program, tools=[note], person=person).run("t") == datetime.date(2026, 2, 1)
    assert seen == [(datetime.date(2026, 1, 31), "b")]
    assert person.asked[1].text.startswith(
        "note(\n    day=given_day,  # date: datetime.date(2026, 1, 31)\n    text='a',"
    )


def test_tables_stand_in_a_call_by_name_and_cross_unchanged(agents: Any) -> None:
    pandas = pytest.importorskip("pandas")
    seen = []

    @tool(approve="It keeps the table.")
    def keep(frame: pandas.DataFrame, label: str) -> pandas.DataFrame:
        """Keep a frame under a label."""
        seen.append((frame, label))
        return frame * 2

    person = Person("approve", ("edit", {"text": "keep(frame=given_frame, label='b')"}))
    program = "import pandas as pd\nfinal_answer(keep(pd.DataFrame({'x': [1, 2]}), label='a'))"
    kwargs = {"additional_authorized_imports": ["pandas.*"]}
    answer = agents(program, tools=[keep], person=person, executor_kwargs=kwargs).run("t")
    frame = pandas.DataFrame({"x": [1, 2]})
    pandas.testing.assert_frame_equal(answer, frame * 2)
    pandas.testing.assert_frame_equal(seen[0][0], frame)
    assert seen[0][1] == "b"
    assert person.asked[1].thought == "It keeps the table."
    shown = "DataFrame: 2 rows, 1 columns, with types and first values: 'x' (int64): 1, 2"
    assert person.asked[1].text == f"keep(\n    frame=given_frame,  # {shown}\n    label='a',\n)"


# --- who is asked -------------------------------------------------------------------------------------------------------


def test_a_stop_at_a_call_ends_the_run(agents: Any) -> None:
    agent = agents("while True:\n    try:\n        send('Ann', 3)\n    except BaseException:\n        pass", "final_answer(1)",
                   tools=[send], person=Person("approve", "stop"))  # fmt: skip
    with pytest.raises(AgentStopped):
        agent.run("t")
    assert [type(event).__name__ for event in agent.memory.events[-3:]] == ["Refused", "Observed", "Ended"]
    assert agent.run("again") == 1


STUBBORN = "while True:\n    try:\n        note()\n    except BaseException:\n        pass"


@pytest.mark.parametrize("how", quick(["a no at a call", "an interrupt"], "an interrupt"))
def test_no_tool_is_called_after_a_stop_however_long_the_code_goes_on(agents: Any, how: str) -> None:
    over = threading.Event()
    late: list[int] = []
    began: Future[asyncio.AbstractEventLoop] = Future()

    async def note() -> None:
        """Notes."""
        began.done() or began.set_result(asyncio.get_running_loop())
        if over.is_set():
            late.append(1)

    class Ending(Person):
        async def ask(self, proposal: Proposed) -> Answer:
            if proposal.kind == "call":
                over.set()
            return await super().ask(proposal)

    if how == "an interrupt":
        agent = agents(STUBBORN, tools=[note], person=Person("approve"))

        def stop() -> None:
            loop = began.result(60)
            agent.interrupt()
            loop.call_soon_threadsafe(
                loop.call_later, 0.05, over.set
            )  # after the driver, whose loop it is, has heard it

        threading.Thread(target=stop, daemon=True).start()
    else:
        program = f"try:\n    send('Ann', 3)\nexcept BaseException:\n    pass\n{STUBBORN}"
        agent = agents(program, tools=[send, note], person=Ending("approve", "stop"))
    assert agent.run("t", return_full_result=True).state == "stopped"
    assert (over.is_set(), late) == (True, [])


def test_without_a_person_the_run_ends_unapproved(agents: Any) -> None:
    agent = agents("send('Ann', 3)", tools=[send], person=Person("approve", "nobody"))
    with pytest.raises(ApprovalError, match="no one can approve"):
        agent.run("t")


def test_an_approved_run_still_asks_about_a_call_that_wants_it(agents: Any) -> None:
    person = Person("approve_run", "approve_run", "stop")
    program = "send('Ann', 1)\nsend('Bob', 2)\nprice('tea')"
    agent = agents(program, "final_answer(send('Cem', 3))", tools=[send, price], person=person)
    assert agent.run("t") == "3 sent to Cem"
    assert [asked.text for asked in person.asked] == [program, "send(to='Ann', amount=1)"]
    assert [allowed.by for allowed in of(agent, Allowed)] == [
        "person",
        "person",
        "remembered",
        "remembered",
        "remembered",
    ]


def test_a_function_of_the_arguments_says_whether_to_ask(agents: Any) -> None:
    def large(to: str, amount: float) -> bool | str:
        if amount < 0:
            raise ValueError("negative")
        return "It is much." if amount > 10 else False

    plain = Tool(send.function, approve=large)  # type: ignore[attr-defined]
    person = Person()
    agent = agents("send('Ann', 1)\nsend('Ann', 100)\nfinal_answer(send('Ann', -1))", tools=[plain], person=person)
    assert agent.run("t") == "-1 sent to Ann"
    assert [(asked.text, asked.thought) for asked in person.asked[1:]] == [
        ("send(to='Ann', amount=100)", "It is much."),
        ("send(to='Ann', amount=-1)", "its approve=… failed (ValueError: negative)"),
    ]


def test_the_policy_says_what_it_sees_in_the_arguments(agents: Any) -> None:
    person = Person()
    agent = agents("send('http://10.0.0.1/x', 3)\nfinal_answer(1)", tools=[send], person=person)
    agent.run("t")
    assert Finding(kind="network", text="10.0.0.1", line=1, risk="high") in person.asked[1].findings


EDITS = {
    "another tool": ("price('tea')", "edit the arguments only"),
    "no call": ("1 +", "cannot be read"),
    "an expression": ("send(to='a' * 3, amount=1)", "is no literal: 'a' \\* 3"),
    "a call inside": ("send(to=open('x'), amount=1)", "is no literal: open"),
    "another type": ("send(to=3, amount=1)", "'to' must be str, not int 3"),
    "stars": ("send(**{'to': 'a', 'amount': 1})", "write each argument out"),
}


@pytest.mark.parametrize(("text", "said"), EDITS.values(), ids=EDITS)
def test_an_edit_that_is_no_such_call_is_an_error_and_nothing_is_called(agents: Any, text: str, said: str) -> None:
    called: list[Any] = []

    @tool(approve=True)
    def send(to: str, amount: float) -> None:
        """Send an amount to somebody."""
        called.append(to)

    person = Person("approve", ("edit", {"text": text}))
    agent = agents(
        "try:\n    send('Ann', 1)\nexcept TypeError as error:\n    final_answer(str(error))",
        tools=[send],
        person=person,
    )
    answer = agent.run("t")
    assert called == []
    assert re.search(said, answer), answer


def test_what_is_recorded_of_a_call_is_bounded(agents: Any) -> None:
    @tool
    def keep(values: list[int], text: str) -> int:
        """Keep values and a text."""
        return len(values)

    agent = agents("final_answer(keep(list(range(10_000)), 'x' * 10_000))", tools=[keep])
    assert agent.run("t") == 10_000
    (call,) = of(agent, Called)
    assert call.text.startswith("keep(values=[0, 1, 2, 3,") and 100 < len(call.text) <= 2_000


def test_identical_calls_are_asked_about_one_by_one(agents: Any) -> None:
    person = Person()
    agents("send('Ann', 1)\nsend('Ann', 1)\nfinal_answer(1)", tools=[send], person=person).run("t")
    assert len({asked.fingerprint for asked in person.asked[1:]}) == 2


def test_a_sandbox_called_directly_cannot_ask() -> None:
    with LocalPythonExecutor() as executor:
        executor.send_tools({"send": send, "price": price})
        assert executor("price('tea')").output == 2.5
        with pytest.raises(Exception, match="cannot ask: use an agent"):
            executor("send('Ann', 1)")


# --- time, threads, counts ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "what", "answer", "result"),
    [
        ("send('Ann', 1)", send, "approve", "1 sent to Ann"),
        pytest.param("user_input('Which?')", UserInputTool(), ("edit", {"text": "2"}), "2", marks=pytest.mark.slow),
    ],
    ids=["call", "question"],
)
def test_the_time_of_a_decision_does_not_count(agents: Any, program: str, what: Any, answer: Any, result: str) -> None:
    limits = {"timeout": 1.0, "tool_timeout": 1.0}
    person = Person("approve", answer, after=2.0)
    agent = agents(f"final_answer({program})", tools=[what], person=person, executor_kwargs=limits)
    assert agent.run("t") == result
    assert [observed.duration < 2 for observed in of(agent, Observed)] == [True, True]


def test_a_tool_s_own_limit_is_a_timeout_error_in_the_code(agents: Any) -> None:
    @tool(timeout=0.5)
    async def slow() -> None:
        """Take long."""
        await asyncio.sleep(3600)

    @tool(timeout=0.5, concurrent=True)
    def stuck() -> None:
        """Take long, on a thread."""
        time.sleep(3)

    program = (
        "found = []\nfor call in (slow, stuck):\n    try:\n        call()\n"
        "    except TimeoutError as error:\n        found.append(str(error))\nfinal_answer(found)"
    )
    agent = agents(program, tools=[slow, stuck])
    assert agent.run("t") == [f"the tool '{name}' took longer than 0.5 s" for name in ("slow", "stuck")]


def test_no_end_of_a_tool_leaves_the_code_waiting(agents: Any) -> None:
    async def cancelled() -> None:
        """Cancel itself."""
        raise asyncio.CancelledError

    async def gone() -> None:
        """Exit."""
        raise SystemExit(1)

    def generator() -> None:
        """End."""
        raise GeneratorExit

    program = (
        "found = []\nfor call in (cancelled, gone, generator):\n    try:\n        call()\n"
        "    except Exception as error:\n        found.append(str(error))\nfinal_answer(found)"
    )
    agent = agents(program, tools=[cancelled, gone, Tool(generator, concurrent=True)])
    told = ["the tool 'cancelled' cancelled itself", "the tool 'gone' tried to exit", "GeneratorExit: "]
    assert agent.run("t") == told


def test_many_calls_are_recorded_together_beyond_the_first_hundred(agents: Any) -> None:
    program = "for n in range(130):\n    price('tea')\n    n % 10 or price('cake')\nfinal_answer(1)"
    agent = agents(program, tools=[price])
    agent.run("t")
    calls = of(agent, Called)
    assert (len(calls), sum(call.times for call in calls)) == (101, 143)
    assert (calls[-1].name, calls[-1].times) == ("price", 43)


def test_a_tool_is_set_up_on_the_calling_thread_before_its_first_call(agents: Any) -> None:
    class Counter(Tool):
        name, description, inputs, output_type = "count", "Count.", {}, "integer"
        concurrent = True
        threads: list[int] = []

        def setup(self) -> None:
            self.threads.append(threading.get_ident())

        def forward(self) -> int:
            return len(self.threads)

    assert agents("final_answer([count(), count()])", tools=[Counter()]).run("t") == [1, 1]
    assert Counter.threads == [threading.get_ident()]


def test_the_next_task_s_prompt_tells_of_steps_and_not_of_their_calls(agents: Any) -> None:
    person = Person("approve", ("edit", {"text": "send(to='Bob', amount=2)"}))
    agent = agents(
        "print(send('Ann', 1))\nfinal_answer(price('tea'))", "final_answer(2)", tools=[send, price], person=person
    )
    agent.run("one")
    agent.run("two", reset=False)
    said = agent.model.calls[-1][-1].text
    assert "2 sent to Bob" in said
    assert "changed your program" not in said and "send(to=" not in said
    assert [step.code for step in agent.memory.steps] == [
        "print(send('Ann', 1))\nfinal_answer(price('tea'))",
        "final_answer(2)",
    ]
    assert of(agent, Ended)[-1].state == "success"
