"""A tool is a named function of the host, with a description for the model.

Tools run on the host, also if code in a sandbox calls them. Synchronous tools run on the calling thread, one at a time, so that
matplotlib, sqlite and ``get_ipython`` work; async tools, and those made with ``concurrent=True``, run concurrently.

* A tool is complete when it is made: if its name, its description or the type of an input is missing, the error says what to add.
* Arguments are checked before anything runs; a mismatch is an ``AgentToolCallError`` (a ``TypeError``) with the signature.
* No function's source is read: functions of notebook cells and of ``exec`` can be tools.
"""

from __future__ import annotations

import ast
import inspect
import math
import reprlib
from abc import ABCMeta
from collections.abc import Callable, Mapping, MappingView, Sequence, Set
from keyword import iskeyword
from typing import Any, ClassVar, NamedTuple, overload

from smolcell.core import text as describe
from smolcell.core.text import shorten, visible
from smolcell.errors import AgentToolCallError, SetupError
from smolcell.tools import adapters
from smolcell.tools import schema as docstrings
from smolcell.tools.schema import (
    JSON_TYPES,
    STANDARD_TYPES,
    Word,
    accepts,
    annotation_text,
    is_of_type,
    resolved,
    schema,
)

Approve = bool | str | Callable[..., bool | str | None]
"""Whether a person must approve each call: always, always with this reason shown, or as a function of its arguments returns."""

_PYTHON = {"string": "str", "boolean": "bool", "integer": "int", "number": "float", "array": "list", "object": "dict"}
_COLLECTIONS: tuple[Any, ...] = (MappingView, Set, tuple, range)
_MORE = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class _ToolMeta(ABCMeta):
    """Checks a tool after its ``__init__``; ``Tool(function)`` makes a tool of a function."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is Tool:
            return FunctionTool(*args, **kwargs)
        instance = super().__call__(*args, **kwargs)
        instance.validate_arguments()
        return instance


class Tool(metaclass=_ToolMeta):
    """A function that the agent's code may call. Subclass it and write ``forward``, or decorate a function with ``@tool``.

    ``Tool(function, name=…, description=…)`` makes a tool of any function whose arguments Python knows.

    Attributes:
        name: the name by which the code calls it; an identifier.
        description: the description for the model.
        inputs: argument → ``{"type": …, "description": …}``, the type one of ``JSON_TYPES`` or a list of some; ``"nullable": True``
            if None is allowed.
        output_type: one of ``JSON_TYPES``.
        output_schema: JSON schema of the result, if known; shown to the model, not checked.
        approve: ask before each call: True, a reason, or a function of the arguments that returns one of these.
        timeout: seconds that a call may take; None for the sandbox's ``tool_timeout``. A synchronous tool is then stopped at its next
            line of Python, also when its run ends: a call into C that blocks ends first.
        concurrent: a synchronous ``forward`` may run on its own thread, beside others.

    Raises:
        SetupError: an attribute is missing or wrong. Raised when the tool is made.
    """

    name: str
    description: str
    inputs: Mapping[str, Mapping[str, Any]]
    output_type: str
    output_schema: Mapping[str, Any] | None = None
    approve: Approve = False
    timeout: float | None = None
    concurrent: bool = False
    is_initialized: bool = False
    signature: inspect.Signature
    takes_anything: ClassVar[bool] = False
    """Whether ``forward`` takes any arguments, so that only ``inputs`` declares them."""

    def __init__(self, *_args: Any, **_kwargs: Any) -> None:
        """Accept and ignore any arguments, so that a subclass may pass its own on."""

    def setup(self) -> None:
        """Prepare expensive things. Called once, before the first call. An override need not call this one."""
        self.is_initialized = True

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Do the tool's work. May be async."""
        raise NotImplementedError(f"{type(self).__name__} needs a method forward(self, …)")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Check the arguments and call; an async tool returns a coroutine. Does not ask for approval: the agent does that."""
        self.check(args, kwargs)
        self.begin()
        return self.forward(*args, **kwargs)

    def begin(self) -> None:
        """Call ``setup`` if that has not been done."""
        if not self.is_initialized:
            self.setup()
            self.is_initialized = True

    def check(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        """Raise ``AgentToolCallError`` if the arguments do not fit the signature or have another type."""
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise AgentToolCallError(f"{self.name}{self.signature}: {error}") from None
        for name, value in bound.arguments.items():
            parameter = self.signature.parameters[name]
            several = value.values() if parameter.kind is inspect.Parameter.VAR_KEYWORD else value
            for part in several if parameter.kind in _MORE else [value]:
                if not (part is parameter.default or self.takes(name, part)):
                    raise AgentToolCallError(f"{self.name}{self.signature}: {self._mismatch(name, part)}")

    def with_lists(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the arguments; arrays, columns and other collections are lists where the tool takes a list instead."""
        names = [*self.signature.parameters][: len(args)]
        listed = [self._as_taken(*each) for each in zip(names, args, strict=False)]
        return (*listed, *args[len(names) :]), {name: self._as_taken(name, value) for name, value in kwargs.items()}

    def _as_taken(self, name: str, value: Any) -> Any:
        if name not in self.signature.parameters or self.takes(name, value):
            return value
        is_array = hasattr(value, "__array__") and hasattr(value, "tolist")
        items = value.tolist() if is_array else list(value) if isinstance(value, _COLLECTIONS) else value
        return items if self.takes(name, items) else value

    def takes(self, name: str, value: Any) -> bool:
        """Return whether an argument may have this value."""
        declared = self.inputs.get(name, {})
        if value is None and declared.get("nullable"):
            return True
        return is_of_type(declared.get("type", "any"), value)

    def _mismatch(self, name: str, value: Any) -> str:
        wanted = annotation_text(self.signature.parameters[name].annotation)
        given = f"{type(value).__name__} {value!r}"
        return f"{name!r} must be {wanted}, not {shorten(given, 200)}"

    def end_sandbox(self) -> None:
        """End the tool's own sandbox, if it has one. Called when the agent's sandbox ends. Idempotent; the next call starts a new one."""

    async def aforward(self, *args: Any, **kwargs: Any) -> Any:
        """Run the tool; agents await this if the tool ``is_async``."""
        return await self.forward(*args, **kwargs)

    @property
    def is_async(self) -> bool:
        return inspect.iscoroutinefunction(self.forward)

    # --- other origins ------------------------------------------------------------------------------------------------

    @classmethod
    def from_hub(
        cls, repo_id: str, token: str | None = None, trust_remote_code: bool | str = False, **kwargs: Any
    ) -> Tool:
        """Return the tool in a Space's ``tool.py`` on the Hugging Face Hub. It then runs in this process.

        Args:
            repo_id: the Space, ``owner/name``.
            token: for a private Space.
            trust_remote_code: True, or the SHA-256 of exactly the code that you trust; the code is shown before it runs.
            kwargs: options of the download (``revision``, ``subfolder``, ``cache_dir``, ``force_download``); others go to the tool.

        Raises:
            SetupError: it is not trusted (the message contains the code), does not exist, or defines no tool.
        """
        return adapters.from_hub(repo_id, token, trust_remote_code, **kwargs)

    @staticmethod
    def from_space(
        space_id: str, name: str, description: str, api_name: str | None = None, token: str | None = None
    ) -> Tool:
        """Return a Space of the Hub as a tool, called with ``gradio_client``. Raises ``SetupError`` if that is missing.

        Args:
            space_id: the Space, ``owner/name``, or its URL.
            name, description: the tool's name and description.
            api_name: name of an API of the Space; the first by default.
            token: for a private Space.
        """
        return OtherTool(adapters.space(space_id, name, description, api_name, token), concurrent=True)

    @staticmethod
    def from_gradio(gradio_tool: Any) -> Tool:
        """Return a tool of the gradio-tools package as a smolcell tool."""
        return OtherTool(adapters.gradio(gradio_tool))

    @staticmethod
    def from_langchain(langchain_tool: Any) -> Tool:
        """Return a LangChain tool as a smolcell tool."""
        return OtherTool(adapters.langchain(langchain_tool))

    # --- checks of a new tool ------------------------------------------------------------------------------------------

    def validate_arguments(self) -> None:
        """Raise ``SetupError`` if an attribute is missing or wrong. Sets the signature."""
        kind = type(self).__name__
        for name, type_, example in (
            ("name", str, '"price"'),
            ("description", str, '"The price of an item."'),
            ("inputs", Mapping, '{"item": {"type": "string", "description": "which one"}}'),
            ("output_type", str, '"number"'),
        ):
            if not isinstance(getattr(self, name, None), type_):
                raise SetupError(f"the tool class {kind} needs an attribute {name}, for example: {name} = {example}")
        check_name(self.name)
        if not self.description.strip():
            raise SetupError(f"the tool {self.name!r} has no description: say in a sentence what it does")
        for name, declared in self.inputs.items():
            _check_input(self.name, name, declared)
        if self.output_type not in JSON_TYPES:
            raise SetupError(
                f"the tool {self.name!r} has output_type {self.output_type!r}: take one of {', '.join(JSON_TYPES)}"
            )
        if not hasattr(self, "signature"):
            self.signature = _forward_signature(self)

    # --- descriptions for the model -----------------------------------------------------------------------------------

    def __str__(self) -> str:
        """Return the text for the model: a stub with the signature and the description."""
        return f'def {self.name}{self.signature}:\n    """\n{_indented(self.documentation)}\n    """'

    @property
    def documentation(self) -> str:
        """The description of the tool and of its arguments."""
        parts = [self.description]
        about = {name: " ".join(str(declared["description"]).split()) for name, declared in self.inputs.items()}
        lines = [f"    {name}: {text}" for name, text in about.items() if text]
        if lines:
            parts.append("\n".join(["Args:", *lines]))
        if self.output_schema is not None:
            parts.append(f"Returns a value of this JSON schema: {dict(self.output_schema)}")
        return "\n\n".join(parts)

    def to_code_prompt(self) -> str:
        """Return ``str(tool)``; smolagents' method."""
        return str(self)

    def to_tool_calling_prompt(self) -> str:
        """Return a paragraph for a model that calls tools in text."""
        return (
            f"{self.name}: {self.description}\n    Takes inputs: {dict(self.inputs)}\n    Returns: {self.output_type}"
        )

    @property
    def json_schema(self) -> dict[str, Any]:
        """Return the tool in the form of native tool calling: ``{"type": "function", "function": {…}}``."""
        declared = [each for each in self.signature.parameters.values() if each.name in self.inputs]
        required = [each.name for each in declared if each.default is inspect.Parameter.empty]
        properties = {name: _plain_schema(self._declared(name)) for name in self.inputs}
        parameters = {"type": "object", "properties": properties, "required": required}
        described = {"name": self.name, "description": self.description, "parameters": parameters}
        return {"type": "function", "function": described}

    def _declared(self, name: str) -> Mapping[str, Any]:
        """Return the declared parts of an input's schema."""
        return self.inputs[name]

    def __repr__(self) -> str:
        return f"Tool({self.name}{self.signature})"


def _check_input(tool: str, name: str, declared: Any) -> None:
    if not isinstance(declared, Mapping) or not {"type", "description"} <= declared.keys():
        raise SetupError(
            f"the tool {tool!r}: the input {name!r} needs a type and a description, "
            'for example: {"type": "string", "description": "which one"}'
        )
    kinds = declared["type"] if isinstance(declared["type"], (list, tuple)) else [declared["type"]]
    if not kinds or any(kind not in JSON_TYPES for kind in kinds):
        raise SetupError(
            f"the tool {tool!r}: the input {name!r} has type {declared['type']!r}; take of {', '.join(JSON_TYPES)}"
        )


def _forward_signature(tool: Tool) -> inspect.Signature:
    """Return the signature for the model: names and defaults of ``forward``, and types of ``inputs`` where it has none."""
    forward = inspect.signature(tool.forward)
    given = {name for name, parameter in forward.parameters.items() if parameter.kind not in _MORE}
    if tool.takes_anything or (len(given) < len(forward.parameters) and not given):
        return declared_signature(tool.inputs, tool.output_type)
    if given != set(tool.inputs):
        names = ", ".join(name for name in forward.parameters if name in given)
        raise SetupError(
            f"the tool {tool.name!r}: forward takes ({names}) and inputs names ({', '.join(tool.inputs)}); "
            "both must have the same arguments"
        )
    written = _resolved(forward, tool.forward)
    parameters = [
        parameter.replace(annotation=json_annotation(tool.inputs[name]["type"]))
        if parameter.annotation is parameter.empty and name in tool.inputs
        else parameter
        for name, parameter in written.parameters.items()
    ]
    returned = written.return_annotation
    returned = json_annotation(tool.output_type) if returned is written.empty else returned
    return written.replace(parameters=parameters, return_annotation=returned)


def _resolved(signature: inspect.Signature, function: Callable[..., Any]) -> inspect.Signature:
    """Return a function's signature with annotations that were texts evaluated."""
    parameters = [p.replace(annotation=resolved(p.annotation, function)) for p in signature.parameters.values()]
    return signature.replace(parameters=parameters, return_annotation=resolved(signature.return_annotation, function))


def check_name(name: str) -> None:
    """Raise ``SetupError`` if code cannot call a tool by this name."""
    if not name.isidentifier() or iskeyword(name):
        raise SetupError(f"a tool needs a name that is an identifier, not {name!r}: pass name=…")


def json_annotation(kinds: Any) -> Word:
    """Return Python's names of JSON types, for a signature."""
    names = [kinds] if isinstance(kinds, str) else list(kinds)
    return Word(" | ".join(_PYTHON.get(name, "None" if name == "null" else "Any") for name in names))


def declared_signature(inputs: Mapping[str, Mapping[str, Any]], output_type: str) -> inspect.Signature:
    """Return a signature from declarations only; nullable arguments are optional."""
    parameters = [
        inspect.Parameter(
            name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            annotation=json_annotation(declared["type"]),
            default=None if declared.get("nullable") else inspect.Parameter.empty,
        )
        for name, declared in inputs.items()
    ]
    parameters.sort(key=lambda parameter: parameter.default is None)
    return inspect.Signature(parameters, return_annotation=json_annotation(output_type))


def _plain_schema(declared: Mapping[str, Any]) -> dict[str, Any]:
    """Return the declaration without types that JSON schema does not have; it includes null if it is nullable."""
    kinds = declared["type"] if isinstance(declared["type"], (list, tuple)) else [declared["type"]]
    known = [kind for kind in kinds if kind in STANDARD_TYPES]
    plain = {key: value for key, value in declared.items() if key not in ("type", "nullable")}
    if isinstance(plain.get("items"), Mapping):
        plain["items"] = _plain_schema(plain["items"])
    if isinstance(plain.get("additionalProperties"), Mapping):
        plain["additionalProperties"] = _plain_schema(plain["additionalProperties"])
    if len(known) < len(kinds):
        return plain  # one of them is anything
    if declared.get("nullable"):
        known = [*known, "null"]
        if "enum" in plain:
            plain["enum"] = [*plain["enum"], None]
    return {"type": known[0] if len(known) == 1 else known, **plain}


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.split("\n"))


# --- Tools made of functions: ``@tool``, ``Tool(function)``, and functions in a list of tools.
#
# ``@tool`` requires a type and a description for each argument, so that the model can call it correctly. ``Tool(function)``, a plain
# function in a list of tools, and ``-t`` require nothing.


class FunctionTool(Tool):
    """A function as a tool.

    Args:
        function: the function, sync or async.
        name: the name by which the agent's code calls it; by default the function's.
        description: the description for the model; by default the docstring.
        concurrent: a synchronous function may run on its own thread, beside others.
        approve, timeout: see ``Tool``.
        strict: require a type and a description of every argument, as ``@tool`` does.

    Raises:
        SetupError: the name is no identifier, the description is missing, or Python does not know the arguments.
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
        try:
            self.signature = _resolved(inspect.signature(function), function)
        except (TypeError, ValueError):
            raise SetupError(
                f"the arguments of {self.name!r} cannot be read: wrap it in a Python function with a docstring"
            ) from None
        documented = docstrings.read(description or function.__doc__)
        self.description = "\n\n".join(
            filter(None, [documented.text, f"Returns: {documented.returns}" if documented.returns else ""])
        )
        if not self.description:
            raise SetupError(f"the tool {self.name!r} has no description: give the function a docstring for the model")
        if strict:
            _check_documented(self.name, self.signature, documented)
        self.inputs = {
            parameter.name: {
                **schema(parameter.annotation),
                "description": documented.arguments.get(parameter.name, ""),
                **({} if parameter.default is inspect.Parameter.empty else {"nullable": True}),  # it has a default
            }
            for parameter in self.signature.parameters.values()
            if parameter.kind not in _MORE
        }
        returned = schema(self.signature.return_annotation)["type"]
        self.output_type = returned if isinstance(returned, str) else "any"

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        return self.function(*args, **kwargs)

    def takes(self, name: str, value: Any) -> bool:
        """Return whether an argument may have this value, by the function's own annotation."""
        return accepts(self.signature.parameters[name].annotation, value)

    def _declared(self, name: str) -> Mapping[str, Any]:
        """Return the input with None offered only if the annotation includes it."""
        return {**schema(self.signature.parameters[name].annotation), "description": self.inputs[name]["description"]}

    @property
    def is_async(self) -> bool:
        call = getattr(self.function, "__call__", None)  # noqa: B004 - of an object whose call may be async
        return inspect.iscoroutinefunction(self.function) or inspect.iscoroutinefunction(call)


def _check_documented(name: str, signature: inspect.Signature, documented: docstrings.Docstring) -> None:
    """Check a function's types and docstring for ``@tool``. The message says what to add, and where."""
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
        if p.kind not in _MORE
        and not documented.arguments.get(p.name)
        and not docstrings.mentions(documented.text, p.name)
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
    """Make a tool of a function: ``@tool``, or ``@tool(approve=True, timeout=30)``.

    The docstring is for the model. Every argument needs a type, and a description: in an ``Args:`` section, or by being named in the text.
    A call with an argument of another type is an error in the agent's code, and the function is not called.

    Args:
        function: the function, sync or async.
        name: the name by which the agent's code calls it; by default the function's.
        concurrent: the function may run on its own thread, beside others.
        approve: ask before each call: True, a reason to show, or a function of the same arguments that returns one of these.
        timeout: seconds that a call may take, without the time in which a person answers a question.

    Raises:
        SetupError: a type or a description is missing; the message says what to add.
    """

    def made(decorated: Callable[..., Any]) -> Tool:
        return FunctionTool(decorated, name=name, concurrent=concurrent, approve=approve, timeout=timeout, strict=True)

    return made if function is None else made(function)


def named_function(name: str, function: Callable[..., Any]) -> Tool:
    """Make a tool of this name from a function. No docstring is needed."""
    return FunctionTool(function, name=name, description=function.__doc__ or f"The function {name}.")


def as_tool(given: Any) -> Tool:
    """Return a ``Tool`` unchanged; make one from a function or another library's tool.

    Raises:
        SetupError: it is none of these.
    """
    if isinstance(given, Tool):
        return given
    if all(hasattr(given, name) for name in ("name", "description", "inputs", "output_type", "forward")):
        return OtherTool(given)
    if hasattr(given, "work") and hasattr(given, "managed_agents"):
        raise SetupError(
            "an agent cannot be passed in tools=: give it a name and a description, and pass managed_agents=[agent]"
        )
    if callable(given):
        return FunctionTool(given)
    raise SetupError(f"a tool is a function or a Tool, not {type(given).__name__}: decorate a function with @tool")


class OtherTool(Tool):
    """A tool object of another library with the same attributes, such as smolagents'."""

    takes_anything = True

    def __init__(self, given: Any, *, concurrent: bool = False) -> None:
        self.name, self.description = str(given.name), str(given.description)
        self.inputs, self.output_type = dict(given.inputs), str(given.output_type)
        self.output_schema = getattr(given, "output_schema", None)
        self.concurrent = concurrent
        self._call = given.forward if isinstance(given, adapters.Foreign) else given

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Call the tool, with each argument by its name."""
        return self._call(**self.signature.bind(*args, **kwargs).arguments)


# --- A tool call as Python text, for a person to read and edit; and parsed again.
#
# The text is the whole call: a value is either written as a literal, or as a name that stands for the unchanged value. Parsing evaluates
# nothing: it accepts literals and these names.

MAX_LITERAL_CHARS = 20_000  # characters of a value that is written as a literal
LINE_CHARS = 100
_MAX_DESCRIPTION_CHARS = 160  # characters that describe any other value
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_POSITIONAL)
_short = reprlib.Repr()
_short.maxlevel, _short.maxstring, _short.maxlong, _short.maxother = 4, 1_000, 100, 200
_short.maxlist = _short.maxtuple = _short.maxdict = _short.maxset = 30
_ATOMS = (str, int, float, bool, bytes, type(None))


class Written(NamedTuple):
    """A call as Python; ``held`` are the values of the names in it."""

    text: str
    held: dict[str, Any]


def write_call(tool: Tool, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Written:
    """Return the call as Python: on one line if it is short, else with one argument per line.

    Values that are no literals (tables, arrays, long texts) are written as names, each with a short description.
    """
    held: dict[str, Any] = {}
    parts = [_part(name, value, held) for name, value in _name_arguments(tool, args, kwargs)]
    line = f"{tool.name}({', '.join(text for text, _ in parts)})"
    if not held and len(line) <= LINE_CHARS:
        return Written(line, held)
    rows = [f"    {text},{f'  # {about}' if about else ''}" for text, about in parts]
    return Written("\n".join([f"{tool.name}(", *rows, ")"]), held)


def _name_arguments(tool: Tool, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return each argument with its name; "" if it is given by position."""
    bound = tool.signature.bind(*args, **kwargs)
    parameters = tool.signature.parameters
    if any(parameters[name].kind in _POSITIONAL for name in bound.arguments):
        return [*(("", value) for value in bound.args), *bound.kwargs.items()]
    return [(name, value) for name, value in _keywords(bound)]


def named_arguments(tool: Tool, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """Return each argument by its name; by its number, from 1, if it has none."""
    return {name or str(number): value for number, (name, value) in enumerate(_name_arguments(tool, args, kwargs), 1)}


def _keywords(bound: inspect.BoundArguments) -> list[tuple[str, Any]]:
    keywords: list[tuple[str, Any]] = []
    for name, value in bound.arguments.items():
        more = bound.signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD
        keywords += list(value.items()) if more else [(name, value)]
    return keywords


def _part(name: str, value: Any, held: dict[str, Any]) -> tuple[str, str]:
    """Return an argument as text for the call, and a note about it."""
    given = f"{name}=" if name else ""
    if _is_literal(value) and len(text := repr(value)) <= MAX_LITERAL_CHARS:
        return given + text, ""
    stands = f"given_{name or len(held) + 1}"
    held[stands] = value
    return given + stands, visible(_about(value))


def _about(value: Any) -> str:
    """Return a value's type and description on one line."""
    return f"{type(value).__name__}: {' '.join(describe.text(value, _MAX_DESCRIPTION_CHARS).split())}"


def _is_literal(value: Any, depth: int = 20) -> bool:
    kind = type(value)
    if kind in _ATOMS:
        return kind is not float or math.isfinite(value)
    if depth <= 0:
        return False
    if kind in (list, tuple):
        return all(_is_literal(item, depth - 1) for item in value)
    if kind is set:
        return bool(value) and all(_is_literal(item, depth - 1) for item in value)
    return kind is dict and all(_is_literal(part, depth - 1) for pair in value.items() for part in pair)


def brief_call(tool: Tool, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str:
    """Return the call on one line for the record, in a time that does not grow with its arguments."""
    parts = []
    for name, value in _name_arguments(tool, args, kwargs):
        about = _short.repr(value) if type(value) in (*_ATOMS, list, tuple, dict, set) else f"<{_about(value)}>"
        parts.append(f"{name}={about}" if name else about)
    return visible(f"{tool.name}({', '.join(parts)})")


def read_call(text: str, tool: Tool, held: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Parse the arguments of a call that a person may have edited.

    Raises:
        AgentToolCallError: it is not a call of this tool with literals and the names that were in it.
    """
    try:
        call = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise AgentToolCallError(f"the edited call of {tool.name} cannot be read: {error}") from None
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == tool.name):
        raise AgentToolCallError(f"the edited text is no call of {tool.name}: edit the arguments only")
    if any(isinstance(arg, ast.Starred) for arg in call.args) or any(word.arg is None for word in call.keywords):
        raise AgentToolCallError(f"the edited call of {tool.name} has * or **: write each argument out")
    args = tuple(_value(arg, held) for arg in call.args)
    return args, {str(word.arg): _value(word.value, held) for word in call.keywords}


def _value(node: ast.expr, held: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.Name) and node.id in held:
        return held[node.id]
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        known = f", or {', '.join(held)}" if held else ""
        raise AgentToolCallError(
            f"an edited argument is no literal: {shorten(ast.unparse(node), 200)}. Write a number, a text, a list …{known}"
        ) from None
