"""Models by smolagents' ``generate``: those of ours have it, and those that have nothing else are taken."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from smolcell import CodeAgent, ToolCallingAgent, tool
from smolcell.errors import AgentGenerationError, SetupError
from smolcell.events import Call, Replied, Usage
from smolcell.models.generate import ChatMessage, MessageRole, as_model
from smolcell.protocols import Message
from smolcell.testing import ScriptedModel, allow_all

PRICED = Replied(text="", calls=(Call(name="price", arguments='{"item": "tea"}', id="1"),))
ASK = [{"role": "user", "content": [{"type": "text", "text": "Hello"}]}]


@tool
def price(item: str) -> float:
    """The price of an item.

    Args:
        item: its name
    """
    return 2.5


# --- ours -----------------------------------------------------------------------------------------------------------------


def test_a_model_is_asked_without_an_agent() -> None:
    model = ScriptedModel(Replied(text="Hello.", usage=Usage(input_tokens=2, output_tokens=3)), "Hi. Observation: no")
    said = model.generate(ASK)
    assert (said.role, said.content, said.tool_calls) == ("assistant", "Hello.", None)
    assert said.token_usage is not None and said.token_usage.total_tokens == 5
    assert model(ASK, stop_sequences=["Observation:", "Calling tools:"]).content == "Hi. "
    assert model.calls[0] == [Message("user", [{"type": "text", "text": "Hello"}])]


def test_the_roles_of_a_conversation_of_smolagents_are_taken() -> None:
    model = ScriptedModel("Done.")
    asked = [ChatMessage(role=role, content=[{"type": "text", "text": role}]) for role in MessageRole.roles()]
    model.generate(asked)
    assert [message.role for message in model.calls[0]] == ["user", "assistant", "system", "assistant", "user"]


def test_tools_are_offered_and_their_calls_come_back() -> None:
    model = ScriptedModel(PRICED)
    model.takes_tools = True
    (call,) = model.generate(ASK, tools_to_call_from=[price]).tool_calls or ()
    assert (call.function.name, call.function.arguments, call.id) == ("price", '{"item": "tea"}', "1")
    assert model.offered == [[price.json_schema]]


def test_an_unknown_option_is_named_and_a_failure_of_the_model_is_raised() -> None:
    with pytest.raises(SetupError, match="has no option temperature"):
        ScriptedModel("x").generate(ASK, temperature=1)
    with pytest.raises(AgentGenerationError, match="called 1 times and has 0 replies"):
        ScriptedModel().generate(ASK)


def test_parts_of_a_message_are_joined_for_a_model_that_takes_texts_alone() -> None:
    model = ScriptedModel("Done.")
    model.flatten_messages_as_text = True
    model.generate([{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}])
    assert model.calls[0] == [Message("user", "a\nb")]


def test_a_model_is_asked_while_a_loop_runs_and_a_message_goes_to_plain_values_and_back() -> None:
    async def inside() -> Any:
        return ScriptedModel("Hello.").generate(ASK)

    said = asyncio.run(inside())
    again = ChatMessage.from_dict(said.dict())
    assert (again, again.role) == (said, "assistant")
    assert '"content": "Hello."' in said.model_dump_json()


# --- theirs ---------------------------------------------------------------------------------------------------------------


class Own:
    """A model as smolagents' users write them."""

    model_id = "mine"

    def __init__(self, *replies: Any) -> None:
        self.replies, self.shown = list(replies), []  # type: ignore[var-annotated]

    def generate(self, messages: Sequence[Any], stop_sequences: Any = None, **options: Any) -> Any:
        self.shown.append((messages, options))
        return self.replies.pop(0)


def code(program: str) -> ChatMessage:
    return ChatMessage(role="assistant", content=f"Next.\n<code>\n{program}\n</code>")


def test_a_class_with_generate_alone_writes_programs() -> None:
    model = Own(code("x = 6"), "<code>\nfinal_answer(x * 7)\n</code>")
    with CodeAgent(model=model, gate=allow_all) as agent:  # type: ignore[arg-type]
        result = agent.run("6 times 7?", return_full_result=True)
    assert (result.output, result.events[0].model) == (42, "Own/mine")
    messages, options = model.shown[0]
    assert (messages[-1].role, messages[-1]["role"], "6 times 7?" in messages[-1].content) == ("user", "user", True)
    assert options == {}


def test_a_plain_function_is_a_model() -> None:
    with CodeAgent(model=lambda messages: "<code>\nfinal_answer(1)\n</code>", gate=allow_all) as agent:  # type: ignore[arg-type]
        assert agent.run("1?") == 1


def test_a_class_that_names_tools_is_offered_them() -> None:
    class Calls(Own):
        def generate(self, messages: Any, tools_to_call_from: Any = None, **options: Any) -> Any:  # type: ignore[override]
            self.shown.append([(tool.name, tool.inputs) for tool in tools_to_call_from])
            return super().generate(messages, **options)

    first = ScriptedModel(PRICED).generate(ASK)
    model = Calls(first, '{"name": "final_answer", "arguments": {"answer": 2.5}}')
    with ToolCallingAgent([price], model, gate=allow_all) as agent:  # type: ignore[arg-type]
        assert agent.run("What is tea?") == 2.5
    assert model.shown[0][0][0] == "price"


def fails(messages: Any) -> Any:
    raise ConnectionError("no route, token hf_" + "aB3dE5fG7h" * 4)


@pytest.mark.parametrize(
    ("model", "says"),
    [(fails, "ConnectionError: no route"), (Own(None), "returned NoneType without content: return a ChatMessage")],
)
def test_a_failure_is_a_model_s_failure_and_secrets_are_taken_out(model: Any, says: str) -> None:
    with CodeAgent(model=model, gate=allow_all) as agent, pytest.raises(AgentGenerationError, match=says) as caught:
        agent.run("x")
    assert "aB3dE5fG7h" not in str(caught.value)


def test_what_is_no_model_is_said_so() -> None:
    with pytest.raises(SetupError, match="str has neither"):
        as_model("openai/gpt-4.1")
