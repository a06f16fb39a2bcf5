"""A check: a coroutine function with a name and a promise."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from smolcell.testing.trial import Trial


@dataclass(frozen=True, slots=True)
class Check:
    """One promise of every executor, and how to see whether it is kept.

    Attributes:
        name: of the check; its ``str``.
        promise: one sentence.
        look: looks at a trial's executors; returns a remark or nothing; raises where the promise is not kept.
    """

    name: str
    promise: str
    look: Callable[[Trial], Awaitable[str | None]]

    def __str__(self) -> str:
        return self.name

    async def run(self, trial: Trial) -> str | None:
        """Look whether the promise is kept."""
        return await self.look(trial)


def check(function: Callable[[Trial], Awaitable[str | None]]) -> Check:
    """Make a check of a coroutine function: its name is the function's, its promise the docstring's first line."""
    name = getattr(function, "__name__", "")
    promise = (function.__doc__ or "").strip().split("\n")[0]
    if not name or not promise:
        raise TypeError("a check is a function with a docstring, whose first line is the promise")
    return Check(name, promise, function)
