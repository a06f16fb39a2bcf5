"""Tools made of functions: ``@tool``, ``Tool(function)``, and what stands in a list of tools.

``@tool`` asks for what the model needs to call it rightly: a type and a description for each argument. ``Tool(function)``, and a
plain function in a list of tools or behind ``-t``, take what is there.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any, overload

from smolcell.errors import SetupError
from smolcell.tools import docstrings
from smolcell.tools.annotations import accepts, resolved, schema
from smolcell.tools.tool import Approve, Tool, check_name
from smolcell.worker.tables import RESERVED_NAMES

_MORE = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class FunctionTool(Tool):
    """A function as a tool.

    Args:
        function: what is called, sync or async.
        name: how the agent's code calls it; the function's own name by default.
        description: what the model reads; the docstring by default.
        concurrent: a synchronous function may run on a thread of its own, beside others.
        approve, timeout: see ``Tool``.
        strict: every argument needs a type and a description, as ``@tool`` asks for.

    Raises:
        SetupError: the name is no identifier, there is no description, or Python does not know the arguments.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        name: str | None = None,
        description: str | None = None,
        concurrent: bool = False,
        approve: Approve = False,
        timeout: float | None = None,
        strict: bool = False,
    ) -> None:
        self.function = function
        self.name = str(name or getattr(function, "__name__", ""))
        self.concurrent, self.approve, self.timeout = concurrent, approve, timeout
        check_name(self.name)
        if timeout is not None and not timeout > 0:
            raise SetupError(f"the tool {self.name!r} has timeout={timeout!r}: give seconds above 0")
        self.signature = _signature(function, self.name)
        said = docstrings.read(description or function.__doc__)
        self.description = "\n\n".join(filter(None, [said.text, f"Returns: {said.returns}" if said.returns else ""]))
        if not self.description:
            raise SetupError(
                f"the tool {self.name!r} has no description: give the function a docstring the model can read"
            )
        if strict:
            _check_documented(self.name, self.signature, said)
        self.inputs = {
            parameter.name: {**schema(parameter.annotation), "description": said.arguments.get(parameter.name, "")}
            for parameter in self.signature.parameters.values()
            if parameter.kind not in _MORE
        }
        returned = schema(self.signature.return_annotation)["type"]
        self.output_type = returned if isinstance(returned, str) else "any"

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        return self.function(*args, **kwargs)

    def takes(self, name: str, value: Any) -> bool:
        """Whether an argument may have this value, by the function's own annotation."""
        return accepts(self.signature.parameters[name].annotation, value)

    @property
    def is_async(self) -> bool:
        call = getattr(self.function, "__call__", None)  # noqa: B004 - of an object whose call may be async
        return inspect.iscoroutinefunction(self.function) or inspect.iscoroutinefunction(call)


def _signature(function: Callable[..., Any], name: str) -> inspect.Signature:
    try:
        found = inspect.signature(function)
    except (TypeError, ValueError):
        raise SetupError(
            f"the arguments of {name!r} cannot be read: wrap it in a Python function with a docstring"
        ) from None
    parameters = [p.replace(annotation=resolved(p.annotation, function)) for p in found.parameters.values()]
    return found.replace(parameters=parameters, return_annotation=resolved(found.return_annotation, function))


def _check_documented(name: str, signature: inspect.Signature, said: docstrings.Docstring) -> None:
    """What ``@tool`` asks for; the message says what to add, and where."""
    parameters = signature.parameters.values()
    untyped = [p.name for p in parameters if p.annotation is inspect.Parameter.empty]
    if untyped:
        example = ", ".join(f"{each}: str" for each in untyped)
        raise SetupError(f"the tool {name!r}: add a type to each argument, for example: def {name}({example})")
    if signature.return_annotation is inspect.Signature.empty:
        raise SetupError(f"the tool {name!r}: add the type of what it returns, for example: def {name}(…) -> str:")
    undocumented = [
        p.name
        for p in parameters
        if p.kind not in _MORE and not said.arguments.get(p.name) and not docstrings.mentions(said.text, p.name)
    ]
    if undocumented:
        lines = "".join(f"\n        {each}: what it is" for each in undocumented)
        raise SetupError(
            f"the tool {name!r}: its docstring does not say what {', '.join(undocumented)} "
            f"{'is' if len(undocumented) == 1 else 'are'}; add to it:\n\n    Args:{lines}"
        )


@overload
def tool(function: Callable[..., Any], /) -> Tool: ...
@overload
def tool(
    *, name: str | None = None, concurrent: bool = False, approve: Approve = False, timeout: float | None = None
) -> Callable[[Callable[..., Any]], Tool]: ...
def tool(
    function: Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    concurrent: bool = False,
    approve: Approve = False,
    timeout: float | None = None,
) -> Tool | Callable[[Callable[..., Any]], Tool]:
    """Make a function a tool: ``@tool``, or ``@tool(approve=True, timeout=30)``.

    The docstring is what the model reads. Every argument needs a type, and a description: in an ``Args:`` section, or by being
    named in the text. A call with an argument of another type is an error in the agent's code, and the function is not called.

    Args:
        function: the function, sync or async.
        name: how the agent's code calls it; the function's own name by default.
        concurrent: it may run on a thread of its own, beside others.
        approve: ask before each call: True, a reason to show, or a function of the same arguments that returns one of these.
        timeout: seconds one call may take, while nobody is asked.

    Raises:
        SetupError: a type or a description is missing; the message says what to add.
    """

    def made(decorated: Callable[..., Any]) -> Tool:
        return FunctionTool(decorated, name=name, concurrent=concurrent, approve=approve, timeout=timeout, strict=True)

    return made if function is None else made(function)


def as_tool(given: Any) -> Tool:
    """A ``Tool`` as it is, or a plain function or another library's tool made one.

    Raises:
        SetupError: it is none of these.
    """
    if isinstance(given, Tool):
        return given
    if all(hasattr(given, name) for name in ("name", "description", "inputs", "output_type", "forward")):
        return OtherTool(given)
    if hasattr(given, "work") and hasattr(given, "managed_agents"):
        raise SetupError("an agent is no tool: give it a name and a description, and pass it in managed_agents=[…]")
    if callable(given):
        return FunctionTool(given)
    raise SetupError(f"a tool is a function or a Tool, not {type(given).__name__}: decorate a function with @tool")


class OtherTool(Tool):
    """A tool object of another library that has the same attributes, such as smolagents'."""

    takes_anything = True

    def __init__(self, given: Any) -> None:
        self.name, self.description = str(given.name), str(given.description)
        self.inputs, self.output_type = dict(given.inputs), str(given.output_type)
        self.output_schema = getattr(given, "output_schema", None)
        self._given = given

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Call it."""
        return self._given(*args, **kwargs)


def as_tools(given: Iterable[Any]) -> dict[str, Tool]:
    """Tools by their names. One named ``final_answer`` gives the answer its last form.

    Raises:
        SetupError: one is no tool, or its name is another's or the sandbox's own.
    """
    from smolcell.tools.default import FinalAnswerTool

    named: dict[str, Tool] = {}
    for made in map(as_tool, given):
        if type(made) is FinalAnswerTool:
            continue  # every sandbox has it
        if made.name in named or (made.name in RESERVED_NAMES and made.name != FinalAnswerTool.name):
            raise SetupError(f"the name {made.name!r} is taken: give the tool another one with Tool(..., name=…)")
        named[made.name] = made
    return named
