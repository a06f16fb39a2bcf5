"""The scripted model says what it was told to say and keeps what it was shown."""

import pytest
from dialects import items

from smolcell.errors import AgentGenerationError
from smolcell.events import Delta, Replied
from smolcell.models.scripted import ScriptedModel
from smolcell.protocols import Message, Model

HELLO = [Message("user", [{"type": "text", "text": "hello"}])]


def test_a_text_comes_in_a_few_deltas_and_then_whole_and_reasoning_apart() -> None:
    deltas = [Delta(text="abc"), Delta(text="def"), Delta(text="ghi"), Delta(text="j")]
    assert items(ScriptedModel("abcdefghij")) == [*deltas, Replied(text="abcdefghij", model="scripted")]
    assert items(ScriptedModel("")) == [Replied(text="", model="scripted")]
    reply = Replied(text="a", reasoning="b")
    assert items(ScriptedModel(reply)) == [Delta(text="b", channel="reasoning"), Delta(text="a"), reply]


def test_a_function_sees_the_messages_and_an_exception_is_raised() -> None:
    model = ScriptedModel(lambda messages: messages[0].text.upper(), KeyboardInterrupt())
    assert items(model, HELLO)[-1] == Replied(text="HELLO", model="scripted")
    with pytest.raises(KeyboardInterrupt):
        items(model, HELLO)


def test_calls_are_copies_of_what_was_shown() -> None:
    model = ScriptedModel("one")
    messages = [Message("user", [{"type": "text", "text": "hello"}])]
    items(model, messages)
    messages[0]["content"][0]["text"] = "changed"
    assert model.calls == [HELLO]
    assert isinstance(model.calls[0][0], Message)


def test_running_out_says_how_many_replies_there_were() -> None:
    model = ScriptedModel("one")
    items(model, HELLO)
    with pytest.raises(AgentGenerationError, match="called 2 times and has 1 replies"):
        items(model, HELLO)
    assert isinstance(model, Model)
