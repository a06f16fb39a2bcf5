"""The stages of ``doctor`` that need a sandbox and no model of the person's: smolcell's own programs in it, and what they gave.

What is journalled here lies in a folder of the doctor's own: it is nobody's last run.
"""

from __future__ import annotations

import secrets
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from smolcell.agent import CodeAgent
from smolcell.callers import SilentView
from smolcell.errors import SetupError
from smolcell.events import Called, Delta, Event, Fault, Observed, Proposed
from smolcell.gates import allow_all, ask
from smolcell.journal import Journal, read
from smolcell.models.recording import RecordingModel, ReplayModel
from smolcell.models.scripted import ScriptedModel
from smolcell.protocols import Answer, Choice, FrontEnd, Gate, Model
from smolcell.result import RunResult
from smolcell.runs import Run
from smolcell.settings import Settings
from smolcell.tools.function import tool
from smolcell.waiter import QueueWaiter

State = Literal["ok", "note", "failed", "not tried"]
TIME_LIMIT = 3.0  # seconds; what is timed here never ends by itself


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What one stage found.

    Attributes:
        name: what was tried.
        state: ``note`` works, with something to know.
        told: what was found, or what went wrong.
        then: what to type next; "" for nothing.
    """

    name: str
    state: State
    told: str
    then: str = ""

    def __str__(self) -> str:
        mark = {"ok": "ok       ", "note": "ok, but  ", "failed": "FAILED   ", "not tried": "not tried"}[self.state]
        then = f"\n{' ' * 10}  type: {self.then}" if self.then else ""
        return f"{mark}   {self.name}: {self.told}{then}"


class Trial:
    """A sandbox like a task's, and programs of smolcell's own for it.

    Args:
        settings: as a task would have them.
        journals: the folder of its journal.
    """

    def __init__(self, settings: Settings, journals: Path) -> None:
        self._settings, self._journals = settings, journals
        self._agent: CodeAgent | None = None

    def close(self) -> None:
        if self._agent is not None:
            self._agent.cleanup()

    def answers(self) -> Check:
        agent = CodeAgent(
            model=ScriptedModel(),
            sandbox=self._settings.sandbox,
            executor_kwargs={
                "timeout": min(TIME_LIMIT, self._settings.timeout),
                "memory": self._settings.memory,
            },
            additional_authorized_imports=self._settings.imports,
            session="doctor",
        )
        self._agent = agent
        agent.take_over(Run(()), Journal.create("doctor", folder=self._journals))
        result = self._run("numbers = [n * n for n in range(10)]", "final_answer(sum(numbers))")
        _expect(result, 285)
        return Check(name="", state="ok", told=f"{self._settings.sandbox}, two steps in {result.duration:.1f} s")

    def boundary(self) -> Check:
        found = self._made.executor.boundary()
        standing = ", ".join(wall.name for wall in found.walls if wall.stands) or "nothing"
        missing = [f"{wall.name}{': ' if wall.detail else ''}{wall.detail}" for wall in found.walls if not wall.stands]
        told = f"code runs in {found.where}{', isolated' if found.isolated else ''}; stands: {standing}"
        if found.isolated:
            return Check(name="", state="ok", told=told)
        then = "" if self._settings.sandbox != "local" else "%agent doctor -s docker  (or -s wasm)"
        return Check(name="", state="note", told=f"{told}; missing: {'; '.join(missing)}", then=then)

    def tool(self) -> Check:
        word = secrets.token_hex(4)
        called = []

        @tool
        def read_word() -> str:
            """Read a word that only the host knows."""
            called.append(word)
            return word

        self._made.set_tools([read_word])
        with tempfile.TemporaryDirectory(prefix="smolcell-") as folder:
            path = Path(folder) / "recording.jsonl"
            programs = ("word = read_word()", "final_answer(word)")
            _expect(self._run(*programs, model=RecordingModel(_model_of(*programs), path)), word)
            _expect(self._run(model=ReplayModel(path)), word)
        self._made.set_tools([])
        if len(called) != 2:
            raise SetupError(f"the tool was called {len(called)} times where its calls were 2")
        if not any(isinstance(event, Called) and event.name == "read_word" for event in read(self._made.journal.path)):
            raise SetupError("the tool's call was to be in the journal, and it was not")
        return Check(
            name="", state="ok", told="called back on the host and journalled; the recording gave the same answer"
        )

    def refusal(self) -> Check:
        person = Person("refuse", "approve")
        program = "try:\n    refused\n    ran = True\nexcept NameError:\n    ran = False\nfinal_answer(ran)"
        result = self._run("refused = 'this ran'", program, here=front(ask(person), person))
        _expect(result, False)
        return Check(name="", state="ok", told="it did not run, and the run went on")

    def recovery(self) -> Check:
        result = self._run("print(not_there)", "not_there = 7\nfinal_answer(not_there)")
        _expect(result, 7)
        fault = _first_fault(result)
        if fault is None or fault.type != "NameError":
            raise SetupError(f"a NameError was to be seen, and it was {fault}")
        return Check(
            name="", state="ok", told=f"{fault.type} in line {fault.line} was told to the model, whose next step worked"
        )

    def endless(self) -> Check:
        result = self._run("while True:\n    pass", "final_answer('afterwards')")
        _expect(result, "afterwards")
        fault = _first_fault(result)
        if fault is None or fault.kind != "limit":
            raise SetupError(f"the time limit was to be seen, and it was {fault}")
        return Check(name="", state="ok", told=f"{fault.type} ended it; the next step worked")

    @property
    def _made(self) -> CodeAgent:
        if self._agent is None:
            raise SetupError("there is no sandbox")
        return self._agent

    def _run(self, *programs: str, model: Model | None = None, here: FrontEnd | None = None) -> RunResult:
        self._made.set_model(model or _model_of(*programs))
        return result_of(self._made, here or front(allow_all), "Check this set-up.")


class Person:
    """A view with somebody who has made up their mind."""

    def __init__(self, *choices: Choice) -> None:
        self._choices = list(choices)

    def show(self, event: Event | Delta) -> None:
        pass

    async def ask(self, proposal: Proposed) -> Answer:
        choice = self._choices.pop(0) if self._choices else "nobody"
        return Answer(run=proposal.run, step=proposal.step, fingerprint=proposal.fingerprint, choice=choice)


def allow_nothing() -> Gate:
    """The gate where nobody is there: what a model writes does not run."""
    return ask(Person())


def front(gate: Gate, view: Any = None) -> FrontEnd:
    """A front end that shows nothing, with this gate."""
    return FrontEnd(view=view or SilentView(), gate=gate, waiter=QueueWaiter())


def result_of(agent: CodeAgent, front: FrontEnd, task: str) -> RunResult:
    """A task, worked on to its end."""
    return agent.stay(agent.start(task, front=front, reset=True, run=secrets.token_hex(6)), front.waiter)


def _model_of(*programs: str) -> ScriptedModel:
    return ScriptedModel(
        *(f"Next.\n<code>\n{program}\n</code>" for program in programs), name="smolcell's own programs"
    )


def _expect(result: RunResult, answer: object) -> None:
    found = result.value()
    if found != answer or type(found) is not type(answer):
        raise SetupError(f"the answer was to be {answer!r}, and it was {str(found)[:80]!r}")


def _first_fault(result: RunResult) -> Fault | None:
    return next((e.error for e in result.events if isinstance(e, Observed) and e.error is not None), None)
