"""What a run is driven with, and what a managed agent's run is told of its manager's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from smolcell import hooks
from smolcell.budget import Purse
from smolcell.calls import Ask
from smolcell.events import Asked, Delta, Event, History, Refused, Usage
from smolcell.memory import Memory
from smolcell.protocols import Executor, Gate, Model
from smolcell.reader import CallReader
from smolcell.tools.tool import Tool
from smolcell.turns import Turns
from smolcell.waiter import Waiter
from smolcell.wants import LoopSettings

_INNER = 2.5  # seconds: a step inside one long C call takes two to end


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
    turns: Callable[[Asked, History, LoopSettings], Turns] | None = None  # of an agent whose loop is in its sandbox


@dataclass(frozen=True, slots=True)
class Manager:
    """The run and the call that a managed agent works for."""

    asked: Asked
    parts: Parts
    step: int
    call: int
    pay: Callable[[Usage], object]  # what the agent's run used is the manager's, too
    end: Callable[[Refused], object]  # a no that ends the manager's run
    inner: set[asyncio.Task[Any]]  # runs within the manager's, which ends after them


manager: ContextVar[Manager | None] = ContextVar("smolcell.manager", default=None)
"""Set while a tool is called."""


async def all_ended(inner: set[asyncio.Task[Any]]) -> None:
    """Wait for the runs within a run, which record their ends before it does, where they end soon."""
    try:
        if inner:
            await asyncio.wait(inner, timeout=_INNER)
    except asyncio.CancelledError:
        pass  # stopped once more: the end is recorded nonetheless
