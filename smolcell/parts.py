"""What a run is driven with, and what a managed agent's run is told of its manager's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from smolcell import hooks
from smolcell.budget import Purse
from smolcell.calls import Ask
from smolcell.events import Asked, Delta, Event, Refused, Usage
from smolcell.memory import Memory
from smolcell.protocols import Executor, Gate, Model
from smolcell.reader import CallReader
from smolcell.tools.tool import Tool
from smolcell.waiter import Waiter
from smolcell.wants import LoopSettings


@dataclass(slots=True, kw_only=True)
class Parts:
    """What one run is driven with."""

    model: Model
    gate: Gate
    executor: Executor
    waiter: Waiter
    settings: LoopSettings
    journal: Callable[[Event], object]
    show: Callable[[Event | Delta], object]
    memory: Memory
    tools: Mapping[str, Tool] = field(default_factory=dict)
    checks: Sequence[hooks.Check] = ()
    callbacks: Sequence[hooks.Callback] = ()
    owner: Any = None
    purse: Purse | None = None
    ask: Ask | None = None
    reader: CallReader | None = None  # of an agent that calls tools


@dataclass(frozen=True, slots=True)
class Manager:
    """The run and the call that a managed agent works for."""

    asked: Asked
    parts: Parts
    step: int
    call: int
    pay: Callable[[Usage], object]  # what the agent's run used is the manager's, too
    end: Callable[[Refused], object]  # a no that ends the manager's run
    direct: bool = False  # the manager calls tools itself, and not in a program


manager: ContextVar[Manager | None] = ContextVar("smolcell.manager", default=None)
"""Set while a tool is called."""
