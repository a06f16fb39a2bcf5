"""smolagents' interface of models, ``generate(messages)``: offered by our models, and adapted from models that have only this."""

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
from typing import Any, TypeVar, cast

from smolcell.errors import AgentGenerationError, ResponseFormatError, SetupError
from smolcell.events import Call, Delta, Replied, Usage
from smolcell.machine.environment import importing
from smolcell.protocols import WARM, Message, Model, Role, warmer

T = TypeVar("T")

# --- A message with smolagents' attributes.


class MessageRole(StrEnum):
    """The role of a message."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL_CALL = "tool-call"
    TOOL_RESPONSE = "tool-response"

    @classmethod
    def roles(cls) -> list[str]:
        """Return all roles."""
        return [role.value for role in cls]


@dataclass
class ChatMessageToolCallFunction:
    """The tool of a call, and its arguments as the model wrote them."""

    arguments: Any
    name: str
    description: str | None = None


@dataclass
class ChatMessageToolCall:
    """A tool call."""

    function: ChatMessageToolCallFunction
    id: str
    type: str = "function"


class ChatMessage(Message):
    """A ``Message`` with smolagents' attributes.

    Attributes:
        tool_calls: the model's tool calls; None if there are none.
        token_usage: tokens of the reply, if known.
        raw: the event, or the library's object.
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
        """Make a message from a mapping like that of ``dict()``."""
        calls = [
            ChatMessageToolCall(ChatMessageToolCallFunction(**call["function"]), call["id"], call["type"])
            for call in data.get("tool_calls") or ()
        ]
        return cls(data["role"], data.get("content"), calls, raw, token_usage)

    def dict(self) -> Mapping[str, Any]:
        """Return the message as plain values, without ``raw``."""
        used = self.token_usage
        calls = None if self.tool_calls is None else [asdict(call) for call in self.tool_calls]
        return {**self, "tool_calls": calls, "token_usage": None if used is None else dict(used.dict())}

    def model_dump_json(self) -> str:
        """Return ``dict()`` as JSON."""
        return json.dumps(self.dict())


# --- Our models' ``generate``.


class _Remove:
    def __repr__(self) -> str:
        return "REMOVE_PARAMETER"


REMOVE_PARAMETER: Any = _Remove()
"""As a parameter of a model: it is not sent."""


def sent_parameters(limits: Mapping[str, Any], further: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that a model sends with each request: limits that are not None, and all further ones.

    Raises:
        SetupError: for ``requests_per_minute``, which smolagents' models take.
    """
    if "requests_per_minute" in further:
        raise SetupError(
            "requests_per_minute= is not supported: leave it out; a server's limit is waited for, for as long as it says"
        )
    given = {name: value for name, value in limits.items() if value is not None} | dict(further)
    return {name: value for name, value in given.items() if value is not REMOVE_PARAMETER}


def warmed(parameters: Mapping[str, Any]) -> dict[str, float]:
    """Return the temperature for this reply, if the model repeats itself and has a lower one of its own."""
    own = parameters.get("temperature")
    return {"temperature": WARM} if warmer.get() and isinstance(own, int | float) and own < WARM else {}


class Generates:
    """Lets a model be asked without an agent: ``model(messages)``, or ``model.generate(messages)``."""

    flatten_messages_as_text = False
    """Whether the model accepts only texts: parts of a message are joined, and images left out."""

    def __init__(self, flatten_messages_as_text: bool = False, model_id: str | None = None, **kwargs: Any) -> None:
        """For users' own classes, which implement ``generate``."""
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
        """Ask the model, and wait for the whole reply.

        Args:
            messages: mappings with role and content, or messages.
            stop_sequences: the reply is cut before the first of them.
            response_format: a JSON schema for the reply, for models that support one.
            tools_to_call_from: tools of smolcell or smolagents, for models that support them.

        Raises:
            AgentGenerationError: the model failed.
            SetupError: an option is unknown.
        """
        if not callable(getattr(self, "reply", None)):
            raise SetupError(
                f"{type(self).__name__} cannot be asked: write its method generate(self, messages, **options)"
            )
        if options:
            raise SetupError(
                f"generate() has no option {', '.join(options)}: pass a model's options to its constructor, or leave them out"
            )
        tools = [_schema(tool) for tool in tools_to_call_from or ()]
        asked = _plain(messages)
        replied = complete(_whole(cast(Model, self), asked, tools, response_format))
        ends = (at for stop in stop_sequences or () if (at := replied.text.find(stop)) >= 0)
        text = replied.text[: min(ends, default=len(replied.text))]
        calls = [
            ChatMessageToolCall(ChatMessageToolCallFunction(call.arguments, call.name), call.id)
            for call in replied.calls
        ]
        return ChatMessage(MessageRole.ASSISTANT, text, calls, replied, replied.usage)

    def __call__(self, messages: Sequence[Any], *args: Any, **options: Any) -> ChatMessage:
        """Call ``generate``."""
        return self.generate(messages, *args, **options)


async def _whole(
    model: Model, messages: list[Message], tools: Sequence[Any], response_format: Mapping[str, Any] | None
) -> Replied:
    from smolcell.models.asking import stream_reply

    async for item in stream_reply(model, messages, tools=tools, response_format=response_format):
        if isinstance(item, Replied):
            return item
    raise AgentGenerationError("the model's stream ended without a whole reply; try again")


def complete(work: Coroutine[Any, Any, T]) -> T:
    """Return the result of a coroutine, on a new event loop in a thread: the calling thread may be running one."""
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
    return cast(T, outcome[0])


def _schema(tool: Any) -> Any:
    """Return the schema of a tool: a schema, a tool of smolcell, or one of smolagents."""
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
    """Convert mappings and messages, of smolcell or smolagents, to messages in the wire's form."""
    plain = []
    for one in messages:
        message = one if isinstance(one, Mapping) else {"role": one.role, "content": one.content}
        role = str(getattr(message["role"], "value", message["role"]))
        content = message.get("content") or ""
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


# --- Adapts models that only have ``generate``.


def as_model(given: Any) -> Model:
    """Return a model unchanged, or an adapter for one that only has smolagents' ``generate``.

    Raises:
        SetupError: it is no model.
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
    """A model that only has ``generate(messages, …)``, as smolagents' classes and users' own have, or is such a function.

    It is called on a new thread, and its reply is shown when it is complete. ``response_format`` and ``tools_to_call_from`` are passed
    only if it has parameters of these names.

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
        # smolagents' own classes require lists of parts
        self._theirs = any(kind.__module__ == "smolagents.models" for kind in type(model).__mro__)

    async def reply(
        self,
        messages: Sequence[Message],
        tools: Sequence[Any] = (),
        *,
        response_format: Mapping[str, Any] | None = None,
    ) -> AsyncIterator[Delta | Replied]:
        """Yield the reply when it is complete."""
        options: dict[str, Any] = {"tools_to_call_from": [_described(tool) for tool in tools]} if tools else {}
        if response_format is not None:
            options["response_format"] = response_format
        asked = [_with_parts(message) for message in messages] if self._theirs else list(messages)
        try:
            answer = await asyncio.to_thread(self._ask, asked, **options)
        except (ValueError, TypeError) as error:
            if response_format is None:
                raise
            raise ResponseFormatError(f"{self.name}: {error}") from None
        replied = _replied(answer, self.name)
        if replied.text:
            yield Delta(text=replied.text)
        yield replied


def _with_parts(message: Message) -> Message:
    """Return a message in smolagents' form: a list of parts, and its roles, which do not include "tool"."""
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
    """Return a tool as ``generate`` expects it: with name, description and inputs."""
    function = schema["function"]
    parameters = function["parameters"]
    inputs = {
        name: {"type": "any", "description": "", **declared, "nullable": name not in parameters.get("required", ())}
        for name, declared in parameters.get("properties", {}).items()
    }
    words = {"name": function["name"], "description": function["description"], "inputs": inputs, "output_type": "any"}
    return SimpleNamespace(**words, json_schema=dict(schema))


def _replied(answer: Any, model: str) -> Replied:
    """Return the reply as an event: from a message, a mapping, or a text."""
    if isinstance(answer, str):
        return Replied(text=answer, model=model)
    fields = answer if isinstance(answer, Mapping) else vars(answer) if is_dataclass(answer) else {}
    content = getattr(answer, "content", None) if not fields else fields.get("content")
    if isinstance(content, list):
        content = "\n".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))
    calls = getattr(answer, "tool_calls", None) or ()
    if content is None and not calls:
        raise AgentGenerationError(
            f"{model}: generate() returned {type(answer).__name__} without content: return a ChatMessage, or the text"
        )
    return Replied(
        text=str(content or ""), usage=_usage(getattr(answer, "token_usage", None)), model=model, calls=_calls(calls)
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
