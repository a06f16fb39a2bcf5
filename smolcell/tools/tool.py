"""A tool is a named function of the host, with a description the model reads.

It runs on the host, called back from the code in any sandbox: synchronous ones on the calling thread, one at a time, so that
matplotlib, sqlite and ``get_ipython`` work; async ones, and those made with ``concurrent=True``, side by side.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from keyword import iskeyword
from typing import Any, overload

from smolcell.errors import AgentToolCallError, SetupError
from smolcell.worker.tables import RESERVED_NAMES


class Tool:
    """A function with a name and a description.

    Args:
        function: what is called, sync or async.
        name: how the agent's code calls it; the function's own name by default.
        description: what the model reads; the docstring by default.
        concurrent: a synchronous function may run on a thread of its own, beside others.

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
    ) -> None:
        self.function = function
        self.name = str(name or getattr(function, "__name__", ""))
        self.description = inspect.cleandoc(description or function.__doc__ or "")
        self.concurrent = concurrent
        self.signature = _signature(function, self.name)
        if not self.name.isidentifier() or iskeyword(self.name):
            raise SetupError(f"a tool needs a name that is an identifier, not {self.name!r}: pass name=…")
        if not self.description:
            raise SetupError(
                f"the tool {self.name!r} has no description: give the function a docstring the model can read"
            )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function; arguments it does not take are an ``AgentToolCallError``, before anything runs."""
        self.check(args, kwargs)
        return self.function(*args, **kwargs)

    def check(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        """Raise ``AgentToolCallError`` where the arguments do not fit the signature."""
        try:
            self.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise AgentToolCallError(f"{self.name}{self.signature}: {error}") from None

    @property
    def is_async(self) -> bool:
        return inspect.iscoroutinefunction(self.function)

    def __str__(self) -> str:
        """What the model reads: a stub with the signature and the description."""
        body = "\n".join(f"    {line}".rstrip() for line in self.description.split("\n"))
        return f'def {self.name}{self.signature}:\n    """\n{body}\n    """'

    def __repr__(self) -> str:
        return f"Tool({self.name}{self.signature})"


def _signature(function: Callable[..., Any], name: str) -> inspect.Signature:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        raise SetupError(
            f"the arguments of {name!r} cannot be read: wrap it in a Python function with a docstring"
        ) from None


@overload
def tool(function: Callable[..., Any], /) -> Tool: ...
@overload
def tool(*, name: str | None = None, concurrent: bool = False) -> Callable[[Callable[..., Any]], Tool]: ...
def tool(
    function: Callable[..., Any] | None = None, /, *, name: str | None = None, concurrent: bool = False
) -> Tool | Callable[[Callable[..., Any]], Tool]:
    """Make a function a tool: ``@tool``, or ``@tool(name=…, concurrent=True)``.

    The docstring is what the model reads; type annotations appear in the signature it is shown.
    """
    if function is not None:
        return Tool(function)
    return lambda decorated: Tool(decorated, name=name, concurrent=concurrent)


def as_tool(given: Any) -> Tool:
    """A ``Tool`` as it is, or a plain function made one.

    Raises:
        SetupError: it is neither.
    """
    if isinstance(given, Tool):
        return given
    if callable(given):
        return Tool(given)
    raise SetupError(f"a tool is a function or a Tool, not {type(given).__name__}: decorate a function with @tool")


def as_tools(given: Iterable[Any]) -> dict[str, Tool]:
    """Tools by their names.

    Raises:
        SetupError: one is no tool, or its name is another's or the sandbox's own.
    """
    named: dict[str, Tool] = {}
    for made in map(as_tool, given):
        if made.name in named or made.name in RESERVED_NAMES:
            raise SetupError(f"the name {made.name!r} is taken: give the tool another one with Tool(..., name=…)")
        named[made.name] = made
    return named
