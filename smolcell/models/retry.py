"""Asking again when a server was busy, and only while nothing of a reply was shown."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, replace

from smolcell.events import Delta, Replied, Usage
from smolcell.models.faults import Source, Unanswered, stalled

CONNECT = 10.0  # seconds until a connection must stand
Attempt = Callable[[], AsyncGenerator[Delta | Replied, None]]


@dataclass(frozen=True, slots=True)
class Retry:
    """How often, and for how long, a request is repeated.

    Args:
        tries: attempts in all.
        within: seconds after which no further attempt begins.
        pause: seconds before the second attempt, doubled each time and drawn at random from half to one and a half of that,
            so that many notebooks do not come back at once. A server's ``Retry-After`` is obeyed instead.
        sleep, clock: what waits, and what tells the seconds.
    """

    tries: int = 4
    within: float = 60.0
    pause: float = 1.0
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    clock: Callable[[], float] = time.monotonic

    async def __call__(self, attempt: Attempt) -> AsyncGenerator[Delta | Replied, None]:
        """Pass on what ``attempt`` yields; on a fault that may pass, say so and begin again. What failed attempts used is counted in.

        Raises:
            Unanswered: the last attempt's fault; one that cannot pass; or any fault after reply or reasoning text was yielded,
                because half a reply cannot be taken back.
        """
        started = self.clock()
        spent = Usage()  # by attempts that failed, where the server said so
        for number in range(1, self.tries + 1):
            said = False
            try:
                async with aclosing(attempt()) as items:
                    async for item in items:
                        said = said or not (isinstance(item, Delta) and item.channel == "progress")
                        yield replace(item, usage=spent + item.usage) if isinstance(item, Replied) else item
                return
            except Unanswered as fault:
                spent += fault.usage
                fault.usage = spent
                wait = self._wait(number, fault, self.clock() - started)
                if said or wait is None:
                    raise
                note = f"{fault} Trying again in {wait:.0f} s ({number + 1} of {self.tries})."
            yield Delta(text=note, channel="progress")
            await self.sleep(wait)

    def _wait(self, number: int, fault: Unanswered, elapsed: float) -> float | None:
        """Seconds until the next attempt, or None where there is none."""
        jitter = random.uniform(0.5, 1.5)  # noqa: S311 - nothing secret
        wait = self.pause * 2 ** (number - 1) * jitter if fault.after is None else fault.after
        possible = fault.retry and number < self.tries and elapsed + wait <= self.within
        return wait if possible else None


async def lively(
    items: AsyncGenerator[Delta | Replied, None], source: Source, seconds: float
) -> AsyncGenerator[Delta | Replied, None]:
    """Pass items on; when nothing new comes for so many seconds, give up.

    What keeps a connection alive (comments, empty chunks, headers that drip) is nothing new, which a read time-out cannot know.

    Raises:
        Unanswered: of the kind "stall".
    """
    async with aclosing(items):
        while True:
            try:
                async with asyncio.timeout(seconds):
                    item = await anext(items)
            except StopAsyncIteration:
                return
            except TimeoutError:
                raise stalled(source, seconds) from None
            yield item
