"""What smolagents' documentation shows runs here, with the import line changed and nothing else.

The programs are our own, in the manner of that documentation. Its models are replaced by scripted ones, and the person by
``SMOLCELL_APPROVE=auto``; the sandboxes besides ``local`` are in ``tests/executors/test_documented_sandboxes.py``.
"""

from __future__ import annotations

import json
import re
import signal
import textwrap
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from smolcell import LocalPythonExecutor
from smolcell.errors import AgentStopped
from smolcell.testing import ScriptedModel

Names = dict[str, Any]
Run = Callable[..., Names]


def code(program: str, thought: str = "I compute it.") -> str:
    return f"{thought}\n<code>\n{textwrap.dedent(program).strip()}\n</code>"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs an example, whose models say these replies, each model the next list; gives the names it defined."""
    monkeypatch.setenv("SMOLCELL_APPROVE", "auto")

    def example(text: str, *replies: list[Any], **given: Any) -> Names:
        models = iter(replies)
        monkeypatch.setattr("smolcell.InferenceClientModel", lambda *_, **__: ScriptedModel(*next(models)))
        names: Names = {"__name__": "example", **given}
        exec(compile(textwrap.dedent(text), "example.py", "exec"), names)
        assert next(models, None) is None
        return names

    return example


# --- the executor by itself ---------------------------------------------------------------------------------------------


def test_harmful_commands_are_refused(
    run: Run, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shorter = partial(LocalPythonExecutor, timeout=3)  # than the 60 s of which the example says nothing
    monkeypatch.setattr("smolcell.local_python_executor.LocalPythonExecutor", shorter)
    names = run(
        """
        from smolcell.local_python_executor import LocalPythonExecutor

        custom_executor = LocalPythonExecutor(["numpy"])

        def run_capture_exception(command: str):
            try:
                custom_executor(harmful_command)
            except Exception as e:
                print("ERROR:\\n", e)

        harmful_command="!echo Bad command"
        run_capture_exception(harmful_command)

        harmful_command="import os; exit_code = os.system('echo Bad command')"
        run_capture_exception(harmful_command)

        harmful_command="import random; random._os.system('echo Bad command')"
        run_capture_exception(harmful_command)

        harmful_command=\"\"\"
        while True:
            pass
        \"\"\"
        run_capture_exception(harmful_command)
        """
    )
    names["custom_executor"].close()
    printed = capfd.readouterr().out
    shell, system, private, endless = (said.strip() for said in printed.split("ERROR:\n")[1:])
    assert shell.startswith("line 1: Shell lines (`!cmd`, `%%bash`) start a process")
    assert re.fullmatch(
        r"line 1: Import of os is not allowed\. Authorized imports are: .*abc, .*numpy, .*unicodedata.*", system
    )
    assert private.startswith("line 1: Forbidden access to module: os.")
    assert endless.startswith("line 2: TimeoutError: the step took longer than 3 s and was ended")
    assert "Bad command\n" not in printed


def test_the_executor_keeps_its_state_and_takes_data_and_tools(run: Run) -> None:
    names = run(
        """
        from smolcell import LocalPythonExecutor

        executor = LocalPythonExecutor(["math"])
        executor.send_variables({"prices": [1.5, 2.5]})
        executor.send_tools({"shout": lambda text: text.upper()})
        first = executor("total = sum(prices)\\nprint(total)")
        second = executor("shout('total ') + str(total)")
        last = executor("final_answer(total)")
        executor.close()
        """
    )
    assert (names["first"].logs, names["second"].output) == ("4.0\n", "TOTAL 4.0")
    assert (names["first"].is_final_answer, names["last"].is_final_answer, names["last"].output) == (False, True, 4.0)


# --- agents -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "task", "program", "answer"),
    [
        (
            "with",
            "Can you give me the 100th Fibonacci number?",
            "a, b = 0, 1\nfor _ in range(100):\n    a, b = b, a + b\nfinal_answer(a)",
            354224848179261915075,
        ),
        (
            "cleanup",
            "What is the factorial of 20?",
            "import math\nfinal_answer(math.factorial(20))",
            2432902008176640000,
        ),
        ("call", "What is 2 to the power of 32?", "final_answer(2 ** 32)", 4294967296),
        ("with", "What is the square root of 144?", "import math\nfinal_answer(math.sqrt(144))", 12.0),
    ],
    ids=["fibonacci", "factorial", "power", "root"],
)
def test_a_first_question_is_answered(run: Run, form: str, task: str, program: str, answer: Any) -> None:
    examples = {
        "with": """
            from smolcell import CodeAgent, InferenceClientModel

            with CodeAgent(model=InferenceClientModel(), tools=[], executor_type="local") as agent:
                result = agent.run(task)
            """,
        "cleanup": """
            from smolcell import CodeAgent, InferenceClientModel

            agent = CodeAgent(tools=[], model=InferenceClientModel(), add_base_tools=True, verbosity_level=2)
            try:
                result = agent.run(task)
            finally:
                agent.cleanup()
            """,
        "call": """
            from smolcell import CodeAgent, InferenceClientModel

            agent = CodeAgent(tools=[], model=InferenceClientModel(), stream_outputs=True, verbose=True)
            result = agent(task)
            agent.cleanup()
            """,
    }
    names = run(examples[form], [code(program)], task=task)
    assert names["result"] == answer
    assert names["agent"]._executor is None


def test_a_manager_has_a_coder_agent_work_for_it(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    names = run(
        """
        import os
        from smolcell import CodeAgent, InferenceClientModel

        coder_agent = CodeAgent(
            tools=[],
            model=InferenceClientModel(token=os.getenv("HF_TOKEN"), provider="together"),
            name="coder_agent",
            description="This agent takes care of your difficult algorithmic problems using code.",
            provide_run_summary=True,
        )
        manager_agent = CodeAgent(model=InferenceClientModel(), tools=[], managed_agents=[coder_agent])
        manager_agent.visualize()
        response = manager_agent.run("What's the 20th Fibonacci number?")
        manager_agent.cleanup()
        """,
        [code("a, b = 0, 1\nfor _ in range(20):\n    a, b = b, a + b\nfinal_answer(a)", "I add up.")],
        [
            code(
                "report = coder_agent('the 20th Fibonacci number')\nprint(report)\nfinal_answer(int(report.split()[0]))"
            )
        ],
    )
    assert names["response"] == 6765
    assert "How it was found:\nStep 1: I add up." in names["manager_agent"].memory.steps[0].observations
    drawn = capsys.readouterr().out
    assert "  CodeAgent coder_agent: model" in drawn and "takes care of your difficult" in drawn


def test_further_imports_and_a_step_limit(run: Run) -> None:
    names = run(
        """
        from smolcell import CodeAgent, InferenceClientModel

        agent = CodeAgent(
            tools=[],
            model=InferenceClientModel(),
            additional_authorized_imports=["posixpath"],
            max_steps=10,
            verbose=True,
        )
        answer = agent.run("Which folder is /a/b/c.txt in?")
        limited = agent.run("Go on for ever.", max_steps=1)
        agent.cleanup()
        """,
        [code("import posixpath\nfinal_answer(posixpath.dirname('/a/b/c.txt'))"), code("print('on and on')"), "I got as far as on."],
    )  # fmt: skip
    assert (names["answer"], names["limited"], names["agent"].max_steps) == ("/a/b", "I got as far as on.", 10)


def test_an_error_is_read_and_the_program_mended(run: Run) -> None:
    names = run(
        """
        from smolcell import CodeAgent, InferenceClientModel

        with CodeAgent(tools=[], model=InferenceClientModel()) as agent:
            answer = agent.run("Double 21.")
            errors = [str(step.error) for step in agent.memory.steps if step.error is not None]
        """,
        [code("final_answer(number * 2)"), code("number = 21\nfinal_answer(number * 2)", "The name was missing.")],
    )
    assert (names["answer"], names["errors"]) == (42, ["NameError: name 'number' is not defined"])
    assert "NameError: name 'number' is not defined" in names["agent"].model.calls[1][-1].text


@pytest.mark.skipif(not hasattr(signal, "alarm"), reason="no alarms on Windows; not run on Windows")
def test_an_alarm_of_the_caller_ends_a_run(run: Run) -> None:
    names = run(
        """
        import signal

        from smolcell import CodeAgent, InferenceClientModel

        class OutOfTime(Exception):
            pass

        def ring(signum, frame):
            raise OutOfTime("the run took too long")

        agent = CodeAgent(tools=[], model=InferenceClientModel())
        before = signal.signal(signal.SIGALRM, ring)
        signal.alarm(1)
        try:
            agent.run("Wait for ever.")
        except OutOfTime as error:
            outcome = str(error)
        finally:
            signal.alarm(0)
            signal.signal(signal.SIGALRM, before)
        last = agent.memory.events[-1]
        agent.cleanup()
        """,
        [code("while True:\n    pass")],
    )
    assert names["outcome"] == "the run took too long"
    assert (type(names["last"]).__name__, names["last"].state) == ("Ended", "stopped")


def test_a_wrapper_logs_runs_as_json(run: Run, tmp_path: Path) -> None:
    run(
        """
        import json

        from smolcell import CodeAgent, InferenceClientModel

        class LoggedAgent:
            def __init__(self, agent):
                self.agent, self.log = agent, []

            def run(self, task):
                result = self.agent.run(task, return_full_result=True)
                self.log.append({
                    "task": task,
                    "output": result.output,
                    "state": result.state,
                    "input_tokens": result.token_usage.input_tokens,
                    "seconds": result.timing.duration,
                    "steps": self.agent.memory.get_full_steps(),
                })
                return result.output

            def export(self, path):
                with open(path, "w") as file:
                    json.dump(self.log, file, indent=2)

        logged = LoggedAgent(CodeAgent(tools=[], model=InferenceClientModel()))
        logged.run("Add one and one.")
        logged.export(path)
        logged.agent.cleanup()
        """,
        [code("print('adding')\nfinal_answer(1 + 1)")],
        path=str(tmp_path / "log.json"),
    )
    (entry,) = json.loads((tmp_path / "log.json").read_text())
    (step,) = entry.pop("steps")
    assert (entry["task"], entry["output"], entry["state"]) == ("Add one and one.", 2, "success")
    assert (step["code_action"], step["observations"]) == ("print('adding')\nfinal_answer(1 + 1)", "adding\n")
    assert step["model_input_messages"][-1]["content"] == "New task:\nAdd one and one."


def test_output_is_held_to_its_size(run: Run) -> None:
    names = run(
        """
        from smolcell import CodeAgent, InferenceClientModel

        with CodeAgent(tools=[], model=InferenceClientModel(), max_print_outputs_length=500) as agent:
            agent.run("Print much.")
            observed = agent.memory.steps[0].observations
        """,
        [code("print('x' * 100_000)\nfinal_answer(0)")],
    )
    assert 0 < len(names["observed"]) <= 1000


def test_data_is_passed_in_and_the_next_run_begins_without_it(run: Run) -> None:
    names = run(
        """
        from smolcell import CodeAgent, InferenceClientModel

        agent = CodeAgent(tools=[], model=InferenceClientModel())
        total = agent.run("Sum the sales.", additional_args={"sales": {"May": 3, "June": 4}})
        kept = agent.run("Is it still there?", reset=False)
        after = agent.run("And now?")
        agent.cleanup()
        """,
        [
            code("final_answer(sum(sales.values()))"),
            code("final_answer('sales' in globals())"),
            code("final_answer('sales' in globals())"),
        ],
    )
    assert (names["total"], names["kept"], names["after"]) == (7, True, False)
    assert "- sales (dict): {'June': 4, 'May': 3}" in names["agent"].model.calls[0][-1].text


# --- memory, plans, checks ------------------------------------------------------------------------------------------------


def test_the_memory_is_read_step_by_step_and_replayed(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    names = run(
        """
        from smolcell import ActionStep, CodeAgent, InferenceClientModel

        agent = CodeAgent(tools=[], model=InferenceClientModel(), verbosity_level=0)
        result = agent.run("What's the 3rd Fibonacci number?")

        print("The system prompt:", agent.memory.system_prompt.system_prompt[:40])
        task_step = agent.memory.steps[0]
        print("The task:", task_step.task)
        for step in agent.memory.steps:
            if isinstance(step, ActionStep):
                if step.error is not None:
                    print(f"Step {step.step_number} got this error: {step.error}")
                else:
                    print(f"Step {step.step_number} got these observations: {step.observations}")
        full = agent.memory.get_full_steps()
        messages = agent.write_memory_to_messages()
        print("---")
        agent.replay()
        agent.cleanup()
        """,
        [code("1 / 0"), code("print('found')\nfinal_answer(2)")],
    )
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
        """
        from smolcell import AgentError, CodeAgent, InferenceClientModel, PlanningStep

        plans = []

        def interrupt_after_plan(memory_step, agent):
            plans.append(memory_step.plan)
            if len(plans) == 1:
                agent.interrupt()

        agent = CodeAgent(
            model=InferenceClientModel(),
            tools=[],
            planning_interval=5,
            step_callbacks={PlanningStep: interrupt_after_plan},
            max_steps=10,
        )
        try:
            agent.run("Leap.")
        except AgentError as error:
            stopped = error
        answer = agent.run("Leap.", reset=False)
        agent.cleanup()
        """,
        ["1. Look", code("while True:\n    pass"), "1. Look again", code("final_answer('leapt')")],
    )
    assert isinstance(names["stopped"], AgentStopped)
    assert (names["answer"], names["plans"]) == ("leapt", ["1. Look", "1. Look again"])


def test_an_answer_is_checked_and_the_result_is_whole(run: Run) -> None:
    names = run(
        """
        from smolcell import CodeAgent, InferenceClientModel

        def is_integer(final_answer, agent_memory=None):
            return isinstance(final_answer, int)

        agent = CodeAgent(
            tools=[],
            model=InferenceClientModel(),
            final_answer_checks=[is_integer],
            return_full_result=True,
            instructions="Always talk like a pirate.",
        )
        result = agent.run("How many?")
        plain = agent.run("How many?", return_full_result=False)
        steps = [step for step in agent.run("How many?", stream=True)]
        agent.cleanup()
        """,
        [code("final_answer('many')"), *[code("final_answer(3)")] * 3],
    )
    assert (names["result"].output, names["result"].state, len(names["result"].steps)) == (3, "success", 2)
    assert (names["plain"], type(names["steps"][-1]).__name__) == (3, "Ended")
    assert "Always talk like a pirate." in names["agent"].model.calls[0][0].text
