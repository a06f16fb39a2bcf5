"""The program of the agent's process in a sandbox. It is sent there, and answers the host's questions.

=======  ======================================  =============================
do       given                                   answer
=======  ======================================  =============================
begin    the task, earlier events, the settings  nothing
next     the driver's response                   the loop's next request
reply    messages                                the model's whole reply
call     a tool's name and arguments             its result
=======  ======================================  =============================

It makes no permits and runs no programs of the model: those parts of smolcell are not sent.
"""

from __future__ import annotations
import __future__

import asyncio
import inspect
import os
import tempfile
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from smolcell import events
from smolcell.core.loop import OwnTurns
from smolcell.core.prompt import Window
from smolcell.errors import AgentGenerationError
from smolcell.events import Asked, Replied
from smolcell.inside import encoding
from smolcell.protocols import Message
from smolcell.tools.tool import Tool
from smolcell.worker.wire import frames, values
from smolcell.worker.wire.bounds import cut_end

_TEMPORARY = "/tmp"  # noqa: S108 - the sandbox's own; files in the work folder would be listed on the card


class Program:
    """Answers the host's questions.

    Args:
        spec: ``tools``, how each is made, by name; ``model``, a name and options, or None; ``arrow``, whether tables may be sent as Arrow.
    """

    def __init__(self, spec: Mapping[str, Any]) -> None:
        if os.access(_TEMPORARY, os.W_OK):
            tempfile.tempdir = _TEMPORARY
        self._arrow = bool(spec.get("arrow"))
        self._tools = {name: build_tool(name, how) for name, how in spec["tools"].items()}
        self._model: Any = None
        if spec.get("model"):
            from smolcell.models.openai import OpenAIModel

            self._model = OpenAIModel(spec["model"]["name"].partition("/")[2], **spec["model"]["options"])
        self._loop: OwnTurns | None = None
        self._window: Window | None = None

    def __call__(self, blobs: Any) -> list[frames.Blob]:
        """Answer one question: JSON, and the values that it names."""
        question = frames.loads(blobs[0], values.JSON_DEPTH)
        answer: list[frames.Blob] = {
            "begin": self._begin,
            "next": self._next,
            "reply": self._reply,
            "call": self._call,
        }[question["do"]](question, blobs[1:])
        return answer

    def _begin(self, question: Mapping[str, Any], _: Any) -> list[frames.Blob]:
        asked = events.from_json(question["asked"])
        assert isinstance(asked, Asked)  # noqa: S101 - the host is not hostile
        settings = encoding.read_settings(question["settings"], lambda: self._window)
        self._loop = OwnTurns(asked, tuple(events.from_json(event) for event in question["past"]), settings)
        return []

    def _next(self, question: Mapping[str, Any], _: Any) -> list[frames.Blob]:
        if self._loop is None:
            raise RuntimeError("no run was begun")
        self._window = encoding.read_window(question["window"])
        try:
            request = encoding.encode_request(
                asyncio.run(self._loop.next(encoding.read_response(question["response"])))
            )
        except AgentGenerationError as error:
            request = {"want": "fail", **encoding.encode_response(error)}
        return [frames.dumps(request)]

    def _reply(self, question: Mapping[str, Any], _: Any) -> list[frames.Blob]:
        try:
            return [frames.dumps(events.to_json(asyncio.run(self._replied(question))))]
        except AgentGenerationError as error:
            return [frames.dumps(encoding.encode_response(error))]

    async def _replied(self, question: Mapping[str, Any]) -> Replied:
        more = {"response_format": question["form"]} if question["form"] else {}
        async for item in self._model.reply([Message(**each) for each in question["messages"]], **more):
            if isinstance(item, Replied):
                return item
        raise AgentGenerationError("the model's stream ended without a whole reply")

    def _call(self, question: Mapping[str, Any], blobs: Any) -> list[frames.Blob]:
        decoder = values.Decoder(blobs, trusted=True)
        args = [decoder.decode(each) for each in question["args"]]
        kwargs = {name: decoder.decode(each) for name, each in question["kwargs"]}
        try:
            result = self._tools[question["name"]](*args, **kwargs)
            result = asyncio.run(_awaited(result)) if inspect.isawaitable(result) else result
        except Exception as error:
            # a KeyError's text is a repr
            text = error.args[0] if isinstance(error, KeyError) and len(error.args) == 1 else error
            return [frames.dumps({"failed": type(error).__name__, "message": cut_end(values.clean(str(text)), 4000)})]
        encoder = values.Encoder(arrow=self._arrow)
        encoded = values.encode_or_handle(encoder, result, question["name"])
        return values.answer_blobs(encoder, {"value": encoded}, {"value": values.TOO_LARGE})


async def _awaited(result: Any) -> Any:
    return await result


def build_tool(name: str, how: Mapping[str, Any]) -> Callable[..., Any]:
    """Return the object behind a tool: a function or class of the given source, or one of smolcell's classes."""
    if "module" in how:
        named = getattr(import_module(how["module"]), how["object"])
    else:
        names: dict[str, Any] = {"__name__": f"tool_{name}", "Tool": Tool, "tool": _undecorated}
        code = compile(how["source"], f"<the tool {name}>", "exec", flags=__future__.annotations.compiler_flag)
        exec(code, names)  # noqa: S102 - the user's own code
        named = names[how["object"]]
    if isinstance(named, type):
        instance = named()
        instance.begin()
        called: Callable[..., Any] = instance.forward
        return called
    function: Callable[..., Any] = named
    return function


def _undecorated(function: Any = None, /, **_: Any) -> Any:
    """Replace ``@tool`` inside: the host has already read its arguments."""
    return function if function is not None else _undecorated
