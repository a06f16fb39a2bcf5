"""What an agent remembers, as far as it is kept: in memory, in its journal, in a file, and in a fork of the agent."""

from __future__ import annotations

import asyncio
import copy
import os
import time
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Self

from smolcell import runs
from smolcell.callers import show_again
from smolcell.calls import without_calls_of_code
from smolcell.errors import AgentError, SetupError
from smolcell.events import History
from smolcell.journal import Journal
from smolcell.memory import Memory
from smolcell.messages import Message
from smolcell.prompt import prompt
from smolcell.protocols import Executor
from smolcell.running import Running
from smolcell.steps import Say
from smolcell.tools.tool import Tool
from smolcell.wants import LoopSettings


class AgentMemory(Memory):
    """An agent's memory, which can be kept in a file."""

    def __init__(self, say: Say | None = None) -> None:
        super().__init__(say, time.time)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write what is remembered to a file: JSON lines as in a journal, secrets taken out; an existing file is replaced.

        Live values are not kept: an answer is its text afterwards.

        Raises:
            SetupError: nothing is remembered, or the file cannot be written.
        """
        runs.save(path, runs.Run(self.events, self.times))

    def load(self, path: str | os.PathLike[str]) -> None:
        """Remember what a file holds that ``save``, or an agent's journal, wrote, instead of what is remembered now.

        Nothing of it runs. The model is told in the next run which names of the sandbox are gone (``gone``).

        Raises:
            SetupError: the file cannot be read, or a line is no event; nothing is changed then.
        """
        self.take(*runs.load(path))


class Remembering(Running):
    """An agent, as far as its memory goes.

    Attributes:
        memory: what it remembers.
        session: names its journal.
        place: the notebook it works in, by which its journal is found after a restart; "" for an agent that is not looked for.
    """

    tools: dict[str, Tool]
    _sandbox: str | Executor

    def _begin(self, session: str) -> None:
        """Begin with an empty memory, and with a sandbox and a journal that are made on first use."""
        self.session, self.place = session, ""
        self.memory = AgentMemory(self._say)
        self._executor: Executor | None = None
        self._given: set[str] = set()  # names of files that went in
        self._handed: set[str] = set()  # names of variables that went in
        self._journal: Journal | None = None
        self._runs = 0  # for managers
        self._working = asyncio.Lock()  # for managers, one at a time

    @property
    def journal(self) -> Journal:
        """Where this agent's events are kept; made on first use."""
        if self._journal is None:
            self._journal = Journal.create(self.session, place=self.place)
        return self._journal

    def take_over(self, run: runs.Run, journal: Journal | None = None) -> None:
        """Remember these events, of a sandbox that is gone, and go on with their journal."""
        self.memory.take(*run)
        self._journal = journal

    def hand_over(self) -> tuple[runs.Run, Journal | None]:
        """What is remembered, and its journal, which is no longer this agent's."""
        journal, self._journal = self._journal, None
        return runs.Run(self.memory.events, self.memory.times), journal

    @abstractmethod
    def _loop_settings(self, variables: Mapping[str, Any], note: str = "") -> LoopSettings:
        """How far a run goes and what its prompt says."""

    def write_memory_to_messages(self) -> list[Message]:
        """The conversation, as the model would be shown it now."""
        return self._say(self.memory.events)

    def _say(self, history: History) -> list[Message]:
        return prompt(without_calls_of_code(history), self._loop_settings({}).prompt)

    def replay(self, detailed: bool = False) -> None:
        """Show everything remembered once more, on the terminal. Nothing runs.

        Args:
            detailed: also what the model was shown at each step.
        """
        show_again(self.memory.events, self.memory.steps if detailed else ())

    def fork(self, step: int, session: str | None = None, *, sandbox: str | Executor | None = None) -> Self:
        """Another agent like this one, that remembers what this one did up to a step of its newest run, and no more.

        ``resume()`` goes on from there, and ``run(task, reset=False)`` gives it another task. Its sandbox is a new one: what the code
        made is not in it, ``memory.gone`` names it, and the model is told. Managed agents and the model are shared.

        Args:
            step: the number of the last step that is remembered; 0 for none.
            session: names the fork's journal.
            sandbox: its sandbox, where this agent was given an ``Executor`` and no name.

        Raises:
            SetupError: there is no such step, or no sandbox.
            AgentError: a run is under way.
        """
        if self.running:
            raise AgentError("this agent is working on a task: wait for it, or stop it with interrupt(), then fork")
        sandbox = sandbox or self._sandbox
        if not isinstance(sandbox, str) and sandbox is self._sandbox:
            raise SetupError("a sandbox belongs to one agent: give the fork its own, fork(step, sandbox=…)")
        session = session or f"{self.session}-fork"
        before = runs.fork(runs.Run(self.memory.events, self.memory.times), step, session, self.place)
        twin = copy.copy(self)
        twin._afresh()
        twin._begin(session)
        twin.place, twin._sandbox, twin.tools = self.place, sandbox, dict(self.tools)
        twin.take_over(*before)
        return twin
