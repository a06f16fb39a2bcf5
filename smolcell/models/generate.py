"""smolagents' way to ask a model, ``generate(messages)``: for models of ours, and for those that have no other."""

from __future__ import annotations

import asyncio
import base64
import inspect
import io
import json
import threading
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from enum import StrEnum
from types import SimpleNamespace
from typing import Any, cast

from smolcell.environment import importing
from smolcell.errors import AgentGenerationError, ResponseFormatError, SetupError
from smolcell.events import Call, Delta, Replied, Usage
from smolcell.protocols import Message, Model, Role

# --- A message with smolagents' words.


class MessageRole(StrEnum):
    """Who speaks."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL_CALL = "tool-call"
    TOOL_RESPONSE = "tool-response"

    @classmethod
    def roles(cls) -> list[str]:
        """All of them."""
        return [role.value for role in cls]


@dataclass
class ChatMessageToolCallFunction:
    """The tool that is called, and its arguments as the model wrote them."""

    arguments: Any
    name: str
    description: str | None = None


@dataclass
class ChatMessageToolCall:
    """A call of a tool."""

    function: ChatMessageToolCallFunction
    id: str
    type: str = "function"


class ChatMessage(Message):
    """A ``Message`` with smolagents' attributes.

    Attributes:
        tool_calls: what the model calls; None if nothing.
        token_usage: what the reply used, if it is known.
        raw: the event, or the library's own object.
    """

    def __init__(
        self,
        role: str = "user",
        content: Any = None,
        tool_calls: Sequence[ChatMessageToolCall] | None = None,
        raw: Any = None,
        token_usage: Usage | None = None,
    ) -> None:
        super().__init__(cast(Role, MessageRole(role).value), content)
        self.tool_calls, self.raw, self.token_usage = list(tool_calls) if tool_calls else None, raw, token_usage

    @property
    def content(self) -> Any:
        """The text, a list of parts, or None."""
        return self["content"]

    @content.setter
    def content(self, content: Any) -> None:
        self["content"] = content

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], raw: Any = None, token_usage: Usage | None = None) -> ChatMessage:
        """The message of a mapping as ``dict()`` gives it."""
        calls = [
            ChatMessageToolCall(ChatMessageToolCallFunction(**call["function"]), call["id"], call["type"])
            for call in data.get("tool_calls") or ()
        ]
        return cls(data["role"], data.get("content"), calls, raw, token_usage)

    def dict(self) -> Mapping[str, Any]:
        """The message as plain values, without ``raw``."""
        used = self.token_usage
        calls = None if self.tool_calls is None else [asdict(call) for call in self.tool_calls]
        return {**self, "tool_calls": calls, "token_usage": None if used is None else dict(used.dict())}

    def model_dump_json(self) -> str:
        """``dict()`` as JSON."""
        return json.dumps(self.dict())


# --- Models of ours, asked by ``generate``.


class Generates:
    """Lets a model be asked without an agent: ``model(messages)``, or ``model.generate(messages)``."""

    flatten_messages_as_text = False
    """The model takes texts alone: parts of a message are joined, and images left out."""

    def __init__(self, flatten_messages_as_text: bool = False, model_id: str | None = None, **kwargs: Any) -> None:
        """For classes of a user's own, which write ``generate`` anew."""
        self.flatten_messages_as_text, self.kwargs = flatten_messages_as_text, kwargs
        self.model_id: Any = model_id

    def generate(
        self,
        messages: Sequence[Any],
        stop_sequences: Sequence[str] | None = None,
        response_format: Mapping[str, Any] | None = None,
        tools_to_call_from: Sequence[Any] | None = None,
        **options: Any,
    ) -> ChatMessage:
        """Ask, and wait for the whole reply.

        Args:
            messages: mappings with role and content, or messages.
            stop_sequences: the reply ends before the first of them.
            response_format: a JSON schema that the reply is held to, for models that take one.
            tools_to_call_from: tools of ours or of smolagents, for models that take them.

        Raises:
            AgentGenerationError: the model failed.
            SetupError: there is an option that it does not know.
        """
        if not callable(getattr(self, "reply", None)):
            raise SetupError(
                f"{type(self).__name__} cannot be asked: write its method generate(self, messages, **options)"
            )
        if options:
            raise SetupError(
                f"generate() knows no {', '.join(options)}: give options of a model to its constructor, or leave them out"
            )
        tools = [_schema(tool) for tool in tools_to_call_from or ()]
        asked = _plain(messages)
        replied = _complete(_whole(cast(Model, self), asked, tools, response_format))
        text = _before(replied.text, stop_sequences or ())
        calls = [
            ChatMessageToolCall(ChatMessageToolCallFunction(call.arguments, call.name), call.id)
            for call in replied.calls
        ]
        return ChatMessage(MessageRole.ASSISTANT, text, calls, replied, replied.usage)

    def __call__(self, messages: Sequence[Any], *args: Any, **options: Any) -> ChatMessage:
        """``generate``."""
        return self.generate(messages, *args, **options)


async def _whole(
    model: Model, messages: list[Message], tools: Sequence[Any], response_format: Mapping[str, Any] | None
) -> Replied:
    from smolcell.models.asking import stream_reply

    async for item in stream_reply(model, messages, tools=tools, response_format=response_format):
        if isinstance(item, Replied):
            return item
    raise AgentGenerationError("the model's stream ended without a whole reply; try again")


def _complete(work: Coroutine[Any, Any, Replied]) -> Replied:
    """The result, on an event loop of its own: the calling thread may be running one."""
    outcome: list[Any] = []

    def run() -> None:
        try:
            outcome.append(asyncio.run(work))
        except BaseException as error:
            outcome.append(error)

    thread = threading.Thread(target=run, name="smolcell-generate", daemon=True)
    thread.start()
    thread.join()
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    return cast(Replied, outcome[0])


def _schema(tool: Any) -> Any:
    """The schema of a tool: one already, a tool of ours, or of smolagents."""
    known = tool if isinstance(tool, Mapping) else getattr(tool, "json_schema", None)
    if known is not None:
        return known
    required = [name for name, declared in tool.inputs.items() if not declared.get("nullable")]
    properties = {
        name: {key: value for key, value in declared.items() if (key, value) != ("type", "any") and key != "nullable"}
        for name, declared in tool.inputs.items()
    }
    parameters = {"type": "object", "properties": properties, "required": required}
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": parameters},
    }


_ROLES = {"tool-call": "assistant", "tool-response": "user"}


def _plain(messages: Sequence[Any]) -> list[Message]:
    """Messages in the wire's shape, of mappings, of ours, or of smolagents."""
    plain = []
    for one in messages:
        told = one if isinstance(one, Mapping) else {"role": one.role, "content": one.content}
        role = str(getattr(told["role"], "value", told["role"]))
        content = told.get("content") or ""
        parts = content if isinstance(content, str) else [_part(part) for part in content]
        plain.append(Message(cast(Role, _ROLES.get(role, role)), parts))
    return plain


def _part(part: Mapping[str, Any]) -> dict[str, Any]:
    if part.get("type") != "image":
        return dict(part)
    buffer = io.BytesIO()
    part["image"].save(buffer, format="PNG")
    url = f"data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}"
    return {"type": "image_url", "image_url": {"url": url}}


def _before(text: str, stops: Sequence[str]) -> str:
    return text[: min((at for stop in stops if (at := text.find(stop)) >= 0), default=len(text))]


# --- Models that only have ``generate``, asked by an agent of ours.


def as_model(given: Any) -> Model:
    """A model as it is, or one that only has smolagents' ``generate``.

    Raises:
        SetupError: it is none.
    """
    if callable(getattr(given, "reply", None)):
        return cast(Model, given)
    if callable(getattr(given, "generate", None)) or callable(given):
        return GenerateModel(given)
    raise SetupError(
        f"a model has reply(messages) or smolagents' generate(messages), and {type(given).__name__} has neither: "
        "for example model=InferenceClientModel()"
    )


class GenerateModel(Generates):
    """A model that only has ``generate(messages, …)``, as smolagents' classes and their users' own have, or is such a function.

    It is asked on a thread of its own, and its reply is shown once it is whole. Of ``response_format`` and ``tools_to_call_from`` it
    is given those that it names.

    Args:
        model: the model.
    """

    def __init__(self, model: Any) -> None:
        self.model = model
        self._ask = model.generate if callable(getattr(model, "generate", None)) else model
        known = getattr(model, "model_id", None) or getattr(model, "__name__", None)
        self.name = f"{type(model).__name__}/{known}" if known else type(model).__name__
        try:
            words = inspect.signature(self._ask).parameters
        except (TypeError, ValueError):
            words = cast(Any, {})
        self.takes_tools = "tools_to_call_from" in words
        self.takes_response_format = "response_format" in words
        self.takes_images = False
        self.flatten_messages_as_text = bool(getattr(model, "flatten_messages_as_text", False))
        # theirs reads messages by a function of its own, which wants parts
        self._theirs = any(kind.__module__ == "smolagents.models" for kind in type(model).__mro__)

    async def reply(
        self,
        messages: Sequence[Message],
        tools: Sequence[Any] = (),
        *,
        response_format: Mapping[str, Any] | None = None,
    ) -> AsyncIterator[Delta | Replied]:
        """The reply, once it is whole."""
        options: dict[str, Any] = {"tools_to_call_from": [_described(tool) for tool in tools]} if tools else {}
        if response_format is not None:
            options["response_format"] = response_format
        asked = [_with_parts(message) for message in messages] if self._theirs else list(messages)
        try:
            said = await asyncio.to_thread(self._ask, asked, **options)
        except (ValueError, TypeError) as error:
            if response_format is None:
                raise
            raise ResponseFormatError(f"{self.name}: {error}") from None
        replied = _replied(said, self.name)
        if replied.text:
            yield Delta(text=replied.text)
        yield replied


def _with_parts(message: Message) -> Message:
    """A message of smolagents' own shape: a list of parts, and its roles, of which "tool" is none."""
    role = cast(Role, {"tool": "tool-response"}.get(message.role, message.role))
    parts = [{"type": "text", "text": message.content}] if isinstance(message.content, str) else message.content
    return Message(role, [_theirs(part) for part in parts])


def _theirs(part: Mapping[str, Any]) -> dict[str, Any]:
    url = part.get("image_url", {}).get("url", "")
    if not url.startswith("data:image/"):
        return dict(part)
    with importing():
        from PIL import Image

    return {"type": "image", "image": Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2])))}


def _described(schema: Mapping[str, Any]) -> SimpleNamespace:
    """A tool as ``generate`` wants it: with name, description and inputs."""
    function = schema["function"]
    parameters = function["parameters"]
    inputs = {
        name: {"type": "any", "description": "", **declared, "nullable": name not in parameters.get("required", ())}
        for name, declared in parameters.get("properties", {}).items()
    }
    words = {"name": function["name"], "description": function["description"], "inputs": inputs, "output_type": "any"}
    return SimpleNamespace(**words, json_schema=dict(schema))


def _replied(said: Any, model: str) -> Replied:
    """The reply as an event: from a message, a mapping, or a text."""
    if isinstance(said, str):
        return Replied(text=said, model=model)
    told = said if isinstance(said, Mapping) else vars(said) if is_dataclass(said) else {}
    content = getattr(said, "content", None) if not told else told.get("content")
    if isinstance(content, list):
        content = "\n".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))
    calls = getattr(said, "tool_calls", None) or ()
    if content is None and not calls:
        raise AgentGenerationError(
            f"{model}: generate() returned {type(said).__name__} without content: return a ChatMessage, or the text"
        )
    return Replied(
        text=str(content or ""), usage=_usage(getattr(said, "token_usage", None)), model=model, calls=_calls(calls)
    )


def _calls(calls: Sequence[Any]) -> tuple[Call, ...]:
    found = []
    for call in calls:
        written = call.function.arguments
        arguments = written if isinstance(written, str) else json.dumps(written, default=str)
        found.append(Call(name=str(call.function.name), arguments=arguments, id=str(call.id)))
    return tuple(found)


def _usage(used: Any) -> Usage:
    tokens = [getattr(used, name, 0) for name in ("input_tokens", "output_tokens")]
    known = [count if isinstance(count, int) and count > 0 else 0 for count in tokens]
    return Usage(input_tokens=known[0], output_tokens=known[1])
