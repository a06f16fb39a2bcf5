"""Runs whose steps are programs from outside: those of an MCP client, or of smolagents' agent. No model is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

from smolcell.agent.result import RunResult
from smolcell.agent.running import Job, loop
from smolcell.core.loop import Conversation, Ending, LoopSettings, Request, Response, RunCode
from smolcell.errors import AgentGenerationError
from smolcell.events import Asked, History, Observed, Proposed, Refused, Replied

Outcome = Observed | Refused | RunResult
"""What became of a program; the run's result if the run ended before it ran."""


class Programs:
    """The programs of one run, in order. Thread-safe.

    Args:
        author: recorded as the model that wrote the programs; "" records none.
        answering: whether a program's final answer ends the run, and the step limit applies.
    """

    def __init__(self, author: str = "", *, answering: bool = False) -> None:
        self.author, self.answering = author, answering
        self._waiting: asyncio.Queue[tuple[str, Future[Outcome]] | Ending] = asyncio.Queue()

    def put(self, code: str, job: Job[RunResult]) -> Future[Outcome]:
        """Queue a program for this run. Returns a future of what becomes of it."""
        outcome: Future[Outcome] = Future()
        outcome.set_running_or_notify_cancel()  # who waits for it cannot cancel it
        job.done.add_done_callback(lambda ended: settle(outcome, ended.exception() or ended.result()))
        loop().call_soon_threadsafe(self._waiting.put_nowait, (code, outcome))
        return outcome

    def end(self, ending: Ending) -> None:
        """End the run after the programs that were queued so far."""
        loop().call_soon_threadsafe(self._waiting.put_nowait, ending)

    async def get(self) -> tuple[str, Future[Outcome]] | Ending:
        return await self._waiting.get()

    def turns(self, asked: Asked, past: History, settings: LoopSettings) -> ProgramTurns:
        """Return the loop of the run: the option ``turns`` of ``CodeAgent.start``."""
        return ProgramTurns(self, Conversation(asked, past, settings))


def settle(future: Future[Any], result: Any) -> None:
    """Set the result of a future, or its exception, unless it is done. Only on the driver's loop."""
    if future.done():
        return
    if isinstance(result, BaseException):
        future.set_exception(result)
    else:
        future.set_result(result)


class ProgramTurns:
    """A loop whose next step is the next program; see ``smolcell.core.loop.Turns``."""

    def __init__(self, programs: Programs, talk: Conversation) -> None:
        self._programs, self._talk = programs, talk
        self._steps = self._run()

    async def next(self, response: Response | AgentGenerationError) -> Request | Ending:
        """See ``Turns``."""
        sent: Any = response
        try:
            while (request := self._steps.send(sent)) is None:
                sent = await self._programs.get()
        except StopIteration as stop:
            ending: Ending = stop.value
            return ending
        return request

    def _run(self) -> Generator[Request | None, Any, Ending]:
        """Review and run each program. Yields None to get the next one."""
        talk, programs, step = self._talk, self._programs, 0
        while not programs.answering or step < talk.settings.max_steps:
            given = yield None
            if isinstance(given, Ending):
                return replace(given, steps=step)
            code, outcome = given
            step += 1
            if programs.author:
                text = f"<code>\n{code}\n</code>"
                yield from talk.tell(Replied(run=talk.id, step=step, text=text, model=programs.author))
            proposed = Proposed(run=talk.id, step=step, text=code, findings=talk.settings.find(code))
            decision = yield from talk.review(proposed)
            seen = decision if isinstance(decision, Refused) else (yield RunCode(decision))
            settle(outcome, seen)
            if isinstance(seen, Refused) and seen.then != "continue":
                return Ending(seen.then, None, seen.reason, step)
            if programs.answering and isinstance(seen, Observed) and seen.answered:
                return (yield from talk.answer(step, seen.output))
        return Ending("max_steps_error", None, "the policy allows no further step", step)
