"""Programs in the manner of smolagents' documentation and examples run here, with the import line changed and nothing else.

Those of its documentation import ``smolcell``, those of its examples ``smolcell.compat``. The programs are our own, in
``documented_examples.md``. Models are scripted, and the person is ``SMOLCELL_APPROVE=auto``; the sandboxes besides ``local`` are
in ``tests/executors/test_documented_sandboxes.py``.
"""

from __future__ import annotations

import asyncio
import json
import re
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import smolcell.compat
from smolcell import LocalPythonExecutor
from smolcell.errors import AgentStopped
from smolcell.testing import ScriptedModel

Names = dict[str, Any]
Run = Callable[..., Names]

PAGE = Path(__file__).with_name("documented_examples.md").read_text(encoding="utf-8")
PROGRAMS = dict(re.findall(r"^## ([^\n]*)\n\n```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


def code(program: str, thought: str = "Next.") -> str:
    return f"{thought}\n<code>\n{program}\n</code>"


@pytest.fixture
def run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the program with the test's name, whose models say these replies, each model the next list; gives its names."""
    monkeypatch.setenv("SMOLCELL_APPROVE", "auto")
    name = request.node.originalname.removeprefix("test_").replace("_", " ")

    def example(*replies: list[Any], form: str = "", **given: Any) -> Names:
        models = iter(replies)
        for module in (smolcell, smolcell.compat, smolcell.compat.models):
            monkeypatch.setattr(module, "InferenceClientModel", lambda *_, **__: ScriptedModel(*next(models)))
        names: Names = {"__name__": "example", **given}
        exec(compile(PROGRAMS[name + form], "example.py", "exec"), names)
        assert next(models, None) is None
        return names

    return example


# --- the executor by itself ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_harmful_commands_are_refused(
    run: Run, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shorter = partial(LocalPythonExecutor, timeout=1)  # than the 60 s of which the example says nothing
    monkeypatch.setattr("smolcell.local_python_executor.LocalPythonExecutor", shorter)
    names = run()
    names["custom_executor"].close()
    printed = capfd.readouterr().out
    shell, system, private, endless = (said.strip() for said in printed.split("ERROR:\n")[1:])
    assert shell.startswith("line 1: Shell lines (`!cmd`, `%%bash`) start a process")
    assert re.fullmatch(r"line 1: Import of os is not allowed; authorized imports are, for example: .*numpy.*", system)
    assert private.startswith("line 1: Forbidden access to module: os.")
    assert endless.startswith("line 2: TimeoutError: the step took longer than 1 s and was ended")
    assert "Bad command\n" not in printed


def test_the_executor_keeps_its_state_and_takes_data_and_tools(run: Run) -> None:
    names = run()
    assert (names["first"].logs, names["second"].output) == ("4.0\n", "TOTAL 4.0")
    assert (names["first"].is_final_answer, names["last"].is_final_answer, names["last"].output) == (False, True, 4.0)


# --- agents -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "program", "answer"),
    [
        ("with", "a, b = 0, 1\nfor _ in range(100):\n    a, b = b, a + b\nfinal_answer(a)", 354224848179261915075),
        ("cleanup", "import math\nfinal_answer(math.sqrt(144))", 12.0),
        ("call", "final_answer(2 ** 32)", 4294967296),
    ],
    ids=["with", "cleanup", "call"],
)
def test_a_first_question_is_answered(run: Run, form: str, program: str, answer: Any) -> None:
    assert run([code(program)], form=f", {form}", task="How many?")["result"] == answer


def test_a_manager_has_a_coder_agent_work_for_it(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    names = run(
        [code("a, b = 0, 1\nfor _ in range(20):\n    a, b = b, a + b\nfinal_answer(a)", "I add up.")],
        [code("report = coder_agent('the 20th')\nprint(report)\nfinal_answer(int(report.split()[0]))")],
    )
    assert names["response"] == 6765
    assert "How it was found:\nStep 1: I add up." in names["manager_agent"].memory.steps[0].observations
    drawn = capsys.readouterr().out
    assert "  CodeAgent coder_agent: model" in drawn and "takes care of your difficult" in drawn


def test_further_imports_and_a_step_limit(run: Run) -> None:
    folder = code("import posixpath\nfinal_answer(posixpath.dirname('/a/b/c.txt'))")
    with pytest.warns(UserWarning, match="no final answer within 1 steps"):
        names = run([folder, code("print('on and on')"), "I got as far as on."])
    assert (names["answer"], names["limited"], names["agent"].max_steps) == ("/a/b", "I got as far as on.", 10)


def test_an_error_is_read_and_the_program_mended(run: Run) -> None:
    names = run(
        [code("final_answer(number * 2)"), code("number = 21\nfinal_answer(number * 2)", "The name was missing.")]
    )
    assert (names["answer"], names["errors"]) == (42, ["NameError: name 'number' is not defined"])
    assert "NameError: name 'number' is not defined" in names["agent"].model.calls[1][-1].text


@pytest.mark.slow  # an alarm takes a second
@pytest.mark.skipif(not hasattr(signal, "alarm"), reason="no alarms on Windows; not run on Windows")
def test_an_alarm_of_the_caller_ends_a_run(run: Run) -> None:
    names = run([code("while True:\n    pass")])
    assert names["outcome"] == "the run took too long"
    assert (type(names["last"]).__name__, names["last"].state) == ("Ended", "stopped")


def test_a_wrapper_logs_runs_as_json(run: Run, tmp_path: Path) -> None:
    run(
        [code("print('adding')\nfinal_answer(1 + 1)")],
        path=str(tmp_path / "log.json"),
    )
    (entry,) = json.loads((tmp_path / "log.json").read_text())
    (step,) = entry.pop("steps")
    assert (entry["task"], entry["output"], entry["state"]) == ("Add one and one.", 2, "success")
    assert (step["code_action"], step["observations"]) == ("print('adding')\nfinal_answer(1 + 1)", "adding\n")
    assert step["model_input_messages"][-1]["content"] == "New task:\nAdd one and one."


def test_output_is_held_to_its_size(run: Run) -> None:
    names = run([code("print('x' * 100_000)\nfinal_answer(0)")])
    assert 0 < len(names["observed"]) <= 1000


def test_data_is_passed_in_and_the_next_run_begins_without_it(run: Run) -> None:
    names = run(
        [code("final_answer(sum(sales.values()))"), *[code("final_answer('sales' in globals())")] * 2],
    )
    assert (names["total"], names["kept"], names["after"]) == (7, True, False)
    assert "- sales (dict): {'June': 4, 'May': 3}" in names["agent"].model.calls[0][-1].text


# --- memory, plans, checks ------------------------------------------------------------------------------------------------


def test_the_memory_is_read_step_by_step_and_replayed(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    names = run([code("1 / 0"), code("print('found')\nfinal_answer(2)")])
    told, _, replayed = capsys.readouterr().out.partition("---\n")
    assert told.splitlines()[1:] == [
        "The task: What's the 3rd Fibonacci number?",
        "Step 1 got this error: ZeroDivisionError: division by zero",
        "Step 2 got these observations: found",
        "",
    ]
    assert [step["step_number"] for step in names["full"]] == [1, 2]
    assert [message["role"] for message in names["messages"]][:2] == ["system", "user"]
    assert "What's the 3rd Fibonacci number?" in replayed and "1 / 0" in replayed


def test_a_callback_for_plans_may_stop_the_run_and_it_goes_on(run: Run) -> None:
    names = run(
        ["1. Look", code("while True:\n    pass"), "1. Look again", code("final_answer('leapt')")],
    )
    assert isinstance(names["stopped"], AgentStopped)
    assert (names["answer"], names["plans"]) == ("leapt", ["1. Look", "1. Look again"])


def test_an_answer_is_checked_and_the_result_is_whole(run: Run) -> None:
    names = run([code("final_answer('many')"), *[code("final_answer(3)")] * 3])
    assert (names["result"].output, names["result"].state, len(names["result"].steps)) == (3, "success", 2)
    assert (names["plain"], type(names["steps"][-1]).__name__) == (3, "Ended")
    assert "Always talk like a pirate." in names["agent"].model.calls[0][0].text


# --- smolagents' examples --------------------------------------------------------------------------------------------------


TIPS = "select waiter, sum(tip) from bills join waiters using (guest) group by waiter order by 2 desc"


def test_a_tool_asks_a_database_and_its_description_grows_with_the_tables(run: Run) -> None:
    names = run(
        [code("final_answer(sql_engine('select guest from bills order by price desc limit 1').strip(\"(),'\"))")],
        [code(f"print(sql_engine('{TIPS}'))"), code("final_answer('Mike')")],
    )
    assert (names["first"], names["second"]) == ("Woodrow", "Mike")
    assert "over these tables: bills (guest, price, tip), waiters" in names["agent"].model.calls[0][0].text
    assert "('Mike', 5.43)\n('Corey', 2.2)" in names["agent"].model.calls[1][-1].text


def test_a_retriever_of_a_class_of_its_own_answers_from_documents(run: Run) -> None:
    names = run(
        [code("print(retriever(query='the backward pass is slower'))"), code("final_answer('the backward pass')")]
    )
    assert names["output"] == "the backward pass"
    assert "===== 0 =====\nThe backward pass takes" in names["agent"].model.calls[1][-1].text


def test_a_manager_hands_a_search_to_an_agent_that_calls_tools(run: Run) -> None:
    call = {"name": "visit_page", "arguments": {"url": "https://tea.example/power"}}
    answer = {"name": "final_answer", "arguments": {"answer": "14 GW"}}
    names = run(
        [json.dumps(call), json.dumps(answer)],
        [
            code(
                "import numpy\npower = web_search_agent('power')\nfinal_answer(float(numpy.sqrt(int(power.split()[0]) + 2)))"
            )
        ],
    )
    assert names["answer"] == 4.0


def test_an_agent_runs_on_a_thread_of_a_web_application(run: Run) -> None:
    pytest.importorskip("starlette", reason="needs starlette, which MCP's SDK brings")
    names = run([code("final_answer(2 + 2)")])
    import httpx

    async def ask() -> Any:
        transport = httpx.ASGITransport(app=names["app"])
        async with httpx.AsyncClient(transport=transport, base_url="http://tea.example") as client:
            return (await client.post("/run-agent", json={"task": "What is 2 + 2?"})).json()

    assert asyncio.run(ask()) == {"result": 4}
    names["agent"].cleanup()
