"""A recipe for an agent: everything another process needs to make it, as plain data."""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Self

from smolcell.errors import SetupError
from smolcell.models.capabilities import traits
from smolcell.notebook.settings import NAMES, Settings, as_allowed, budget_limit, level_and_imports, read

if TYPE_CHECKING:
    from smolcell.agent import CodeAgent
    from smolcell.protocols import Model

_NOT_THE_ANSWER = ("approve", "session", "otel", "log", "context", "installs")
"""Settings that cannot change an answer (approval, logging): finished rows stay valid if only these change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSpec(Settings):
    """A recipe for an agent. It can be pickled and hashed; it has names only, no objects, keys or code.

    Args:
        tools: names of included tools, or functions by their import path, ``"package.module:function"``. A function object is
            replaced by its path.
        files: files and folders to copy into the sandbox of each task. Relative names are from the folder in which the job is started.
        read_only: mount the files instead of copying them.
        output_type: the type of each answer, by its import path, or the columns of a table as a mapping; ``""`` for any.
        replay: a recording that answers instead of a model; named like a file.

    The other arguments are the settings of ``%%agent``: ``model``, ``sandbox``, ``approve``, ``python``, ``max_steps``, …

    Raises:
        SetupError: a value is not valid, or a tool or type cannot be imported by its path.
    """

    tools: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    read_only: bool = False
    output_type: Any = ""
    replay: str = ""

    def __post_init__(self) -> None:
        for field in fields(Settings):
            if (value := getattr(self, field.name)) is not None:
                object.__setattr__(self, field.name, read(field.name, value, "AgentSpec"))
        tools = tuple(tool if isinstance(tool, str) else path_of(tool) for tool in _listed(self.tools))
        object.__setattr__(self, "tools", tools)
        object.__setattr__(self, "files", tuple(str(file) for file in _listed(self.files)))
        object.__setattr__(self, "output_type", _type_name(self.output_type))

    @staticmethod
    def settings_names() -> tuple[str, ...]:
        """Return the arguments that are settings of ``%%agent``."""
        return NAMES

    @property
    def digest(self) -> str:
        """Return twelve hex digits that change with everything that can change an answer."""
        data = {name: value for name, value in asdict(self).items() if name not in _NOT_THE_ANSWER}
        return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:12]

    @property
    def expected(self) -> Any:
        """Return the type of the answers; None for any."""
        if not self.output_type:
            return None
        return json.loads(self.output_type) if self.output_type.startswith("{") else imported(self.output_type)

    @property
    def model_name(self) -> str | None:
        """The model's name for ``create_model``."""
        return f"replay:{self.replay}" if self.replay else self.model

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the recipe that ``to_json`` returned. Unknown names are ignored."""
        known = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in data.items() if name in known})

    @classmethod
    def of(cls, agent: Any) -> Self:
        """Return the recipe of an agent.

        Raises:
            SetupError: a part of it cannot be made from a name in another process; the message says which.
        """
        from smolcell.tools.tool import FunctionTool

        lacks = [
            word
            for word, part in (
                ("managed agents", agent.managed_agents),
                ("final_answer_checks", agent.final_answer_checks),
                ("its own sandbox", () if isinstance(agent._sandbox, str) else (1,)),
            )
            if part
        ]
        if lacks:
            raise SetupError(
                f"this agent has {' and '.join(lacks)}, which other processes cannot make from a name: pass map an AgentSpec"
            )
        kwargs, budget = agent._executor_kwargs, agent.budget
        given = {name: kwargs[name] for name in ("timeout", "memory", "work_folder") if name in kwargs}
        functions = [tool.function if isinstance(tool, FunctionTool) else tool for tool in agent.tools.values()]
        limit = "" if budget is None else f"${budget.cost:g}" if budget.cost else str(budget.tokens or "")
        return cls(
            model=agent.model.name,
            api_base=traits(agent.model).server,
            sandbox=agent._sandbox,
            python=kwargs.get("python", "guarded"),
            imports=agent.imports,
            max_steps=agent.max_steps,
            max_output=agent._max_output,
            instructions=agent.instructions,
            structured=agent.structured,
            budget=limit,
            tools=tuple(path_of(tool) for tool in functions),
            **given,
        )

    def agent(self, model: Model, session: str) -> CodeAgent:
        """Make the agent. ``session`` names its journal.

        Raises:
            SetupError: a part cannot be made, or the policy does not allow it.
        """
        from smolcell.agent import CodeAgent
        from smolcell.agent.budget import Budget
        from smolcell.output_checks import by_names

        allowed = as_allowed(self)
        means = level_and_imports(allowed)
        folder = {} if allowed.work_folder == "writable" else {"work_folder": allowed.work_folder}
        agent = CodeAgent(
            tools=[_tool(name) for name in self.tools],
            model=model,
            sandbox=allowed.sandbox,
            executor_kwargs={
                "timeout": allowed.timeout,
                "memory": allowed.memory,
                "python": means["python"],
                **folder,
            },
            additional_authorized_imports=means["imports"],
            max_steps=allowed.max_steps,
            max_print_outputs_length=allowed.max_output,
            instructions=allowed.instructions,
            use_structured_outputs_internally=allowed.structured,
            budget=Budget(**budget_limit(allowed.budget)) if allowed.budget else None,
            output_checks=by_names(allowed.output_checks),
            output_type=self.expected,
            session=session,
        )
        agent.installs.mode = "never" if allowed.installs == "ask" else allowed.installs
        agent.telemetry = allowed.otel, allowed.log
        return agent


def path_of(function: Any) -> str:
    """Return the import path of a function, class or ``Tool``: ``module:name``.

    Raises:
        SetupError: it cannot be imported by that path.
    """
    from smolcell.tools.builtin import DEFAULT_TOOLS

    if type(function) in DEFAULT_TOOLS.values():
        return str(function.name)
    path = f"{getattr(function, '__module__', '')}:{getattr(function, '__qualname__', type(function).__qualname__)}"
    try:
        imported_value = imported(path)
    except SetupError:
        imported_value = None
    if imported_value is None or function not in (imported_value, getattr(imported_value, "function", None)):
        raise SetupError(
            f"{function!r} cannot be imported as {path}: define it at the top of a module, and not in a notebook or another function"
        )
    return path


def _tool(name: str) -> Callable[..., Any]:
    from smolcell.notebook.settings import own_tools

    tool: Callable[..., Any] = imported(name) if ":" in name else own_tools([name])[0]
    return tool() if isinstance(tool, type) else tool


def imported(path: str) -> Any:
    """Import the object of a path ``module:name``.

    Raises:
        SetupError: it cannot be imported.
    """
    module, _, name = path.partition(":")
    try:
        value: Any = importlib.import_module(module)
        for part in name.split("."):
            value = getattr(value, part)
    except (ImportError, AttributeError, ValueError) as error:
        raise SetupError(f"{path!r} cannot be imported here ({error}): give package.module:name") from None
    return value


def _listed(given: Any) -> tuple[Any, ...]:
    return (given,) if isinstance(given, str) or callable(given) else tuple(given)


def _type_name(expected: Any) -> str:
    if isinstance(expected, Mapping):
        return json.dumps({str(name): getattr(dtype, "__name__", str(dtype)) for name, dtype in expected.items()})
    if not expected or isinstance(expected, str):
        if expected and not expected.startswith("{"):
            imported(expected)
        return expected or ""
    return path_of(expected)
