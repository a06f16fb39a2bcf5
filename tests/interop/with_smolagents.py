"""With the real smolagents: its agent in smolcell's sandbox, its models in smolcell's agent. Run by ``.ci/integrations smolagents``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from smolagents import CodeAgent, Model, ToolCallingAgent, tool
from smolagents.models import ChatMessage, ChatMessageToolCall, ChatMessageToolCallFunction, MessageRole
from smolagents.monitoring import TokenUsage
from smolagents.utils import AgentGenerationError

import smolcell
from smolcell.events import Allowed, Proposed, Refused
from smolcell.interop.smolagents import ReviewingExecutor, RunEnded, executor
from smolcell.permit import permit
from smolcell.testing import ScriptedModel, allow_all


class Scripted(Model):
    """Says these replies; remembers what it was shown."""

    def __init__(self, *replies: Any) -> None:
        super().__init__(model_id="scripted")
        self.replies, self.shown, self.options = list(replies), [], []

    def generate(self, messages: Any, stop_sequences: Any = None, tools_to_call_from: Any = None, **more: Any) -> Any:
        self.shown.append(messages)
        options = self._prepare_completion_kwargs(
            messages, stop_sequences, tools_to_call_from=tools_to_call_from, **more
        )
        self.options.append(options)
        said = self.replies.pop(0)
        usage = TokenUsage(input_tokens=3, output_tokens=4)
        if isinstance(said, str):
            return ChatMessage(role=MessageRole.ASSISTANT, content=said, token_usage=usage)
        call = ChatMessageToolCall(ChatMessageToolCallFunction(said[1], said[0]), "call-1", "function")
        return ChatMessage(role=MessageRole.ASSISTANT, content="", tool_calls=[call], token_usage=usage)


@tool
def price(item: str) -> float:
    """The price of an item.

    Args:
        item: its name
    """
    return {"tea": 2.5}[item]


def code(program: str) -> str:
    return f"Thought: next.\n<code>\n{program}\n</code>"


def test_an_unmodified_agent_computes_calls_tools_and_answers_through_the_executor() -> None:
    model = Scripted(
        code("cost = count * price('tea')\nprint(cost)"), code("1 / 0"), code("final_answer({'cost': cost})")
    )
    with CodeAgent(tools=[price], model=model, executor=executor(approve="auto")) as agent:
        assert agent.run("What do the teas cost?", additional_args={"count": 4}) == {"cost": 10.0}
        walled: Any = agent.python_executor
        assert isinstance(walled, ReviewingExecutor)
        assert walled.result is not None and walled.result.state == "success"
        assert [step.code for step in walled.result.steps][-1] == "final_answer({'cost': cost})"
    steps = agent.memory.steps[1:]
    assert "10.0" in steps[0].observations and "ZeroDivisionError" in str(steps[1].error)


def test_a_tool_is_called_from_a_later_program() -> None:
    model = Scripted(code("print(1)"), code("final_answer(price('tea'))"))
    with CodeAgent(tools=[price], model=model, executor=executor(approve="auto")) as agent:
        assert agent.run("What does the tea cost?") == 2.5


def test_a_managed_agent_of_smolagents_is_called_from_the_sandbox() -> None:
    inner = CodeAgent(tools=[], model=Scripted(code("final_answer(6)")), name="clerk", description="Counts.")
    model = Scripted(code("said = clerk('Count the teas.')\nfinal_answer('6' in str(said))"))
    with CodeAgent(tools=[], model=model, managed_agents=[inner], executor=executor(approve="auto")) as agent:
        assert agent.run("How many teas?") is True


def test_a_refusal_goes_to_the_model_and_a_stop_ends_the_run() -> None:
    async def no_imports(proposed: Proposed) -> Allowed | Refused:
        place: Any = {"run": proposed.run, "step": proposed.step, "call": proposed.call, "by": "person"}
        if "import" in proposed.text:
            return Refused(**place, reason="Do it without imports.", then="continue")
        if "stop" in proposed.text:
            return Refused(**place, reason="enough", then="stopped")
        return permit(proposed, by="person")

    model = Scripted(code("import math\nmath.sqrt(4)"), code("final_answer(4 ** 0.5)"))
    with CodeAgent(tools=[], model=model, executor=executor(gate=no_imports)) as agent:
        assert agent.run("The root of 4?") == 2.0
        assert "Do it without imports." in str(agent.memory.steps[1].error)
        agent.model = Scripted(code("print('stop')"), code("final_answer(1)"))
        with pytest.raises(RunEnded, match="enough"):
            agent.run("Go on.")


def test_without_anybody_to_ask_nothing_runs_and_the_run_ends(tmp_path: Path) -> None:
    agent = CodeAgent(tools=[], model=Scripted(*[code("print(1)")] * 9), executor=executor())
    with pytest.raises(RunEnded, match="no one can approve"):
        agent.run("Print 1.")
    assert len(agent.model.shown) == 1
    agent.python_executor.cleanup()


def test_the_card_of_a_run_without_an_answer_is_closed_when_smolagents_ends_it() -> None:
    walled = executor(approve="auto")
    model = Scripted(code("x = 1"), code("x += 1"), "I do not know.")
    with CodeAgent(tools=[], model=model, executor=walled, max_steps=2) as agent:
        assert agent.run("Count.") == "I do not know."
        assert walled.result is not None and walled.result.state == "stopped"
        assert "without a final answer" in str(walled.result.error)
        walled.result = None
        agent.model = Scripted(code("x = 1"))  # and then its model fails
        with pytest.raises(AgentGenerationError):
            agent.run("Count.")
        assert walled.result.state == "stopped"
        agent.model = Scripted(code("print(x)"), code("final_answer(x)"))
        assert agent.run("Count.", reset=False) == 1


SANDBOXES = ["local", *filter(None, os.environ.get("SMOLCELL_INTEROP_SANDBOXES", "").split())]


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_a_run_in_each_sandbox(sandbox: str) -> None:
    model = Scripted(
        code("total = sum(counts) * price('tea')\nprint(total)"),
        code("total + missing"),
        code("final_answer({'total': total, 'counts': counts})"),
    )
    with CodeAgent(tools=[price], model=model, executor=executor(sandbox, "auto")) as agent:
        answer = agent.run("What do they cost?", additional_args={"counts": [1, 3]})
        assert answer == {"total": 10.0, "counts": [1, 3]}
        boundary = agent.python_executor.agent.executor.boundary()
    first, second, _ = agent.memory.steps[1:]
    assert "10.0" in first.observations
    assert "missing" in str(second.error)
    assert boundary.sandbox == sandbox


def test_their_model_class_writes_programs_for_an_agent_of_ours() -> None:
    model = Scripted(code("x = 6"), code("final_answer(x * 7)"))
    with smolcell.CodeAgent(tools=[price], model=model, gate=allow_all) as agent:
        result = agent.run("6 times 7?", return_full_result=True)
    assert (result.output, result.usage.input_tokens, result.usage.output_tokens) == (42, 6, 8)
    assert [message["role"] for message in model.options[1]["messages"]] == ["system", "user", "assistant", "user"]


def test_their_model_class_calls_the_tools_of_an_agent_of_ours() -> None:
    model = Scripted(("price", {"item": "tea"}), ("final_answer", {"answer": 2.5}))
    with smolcell.ToolCallingAgent(tools=[price], model=model, gate=allow_all) as agent:
        assert agent.run("What is tea?") == 2.5
    offered = {each["function"]["name"] for each in model.options[0]["tools"]}
    assert offered == {"price", "final_answer"}


def test_the_model_of_ours_answers_an_agent_of_theirs() -> None:
    model = ScriptedModel("<code>\nfinal_answer(6 * 7)")
    with CodeAgent(tools=[], model=model, executor=executor(approve="auto")) as agent:
        assert agent.run("6 times 7?") == 42


def test_their_agent_that_calls_tools_needs_no_executor() -> None:
    agent = ToolCallingAgent(tools=[price], model=Scripted(("final_answer", {"answer": 1})))
    assert agent.run("1?") == 1
