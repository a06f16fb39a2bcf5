"""The check of a new set-up, a stage at a time: a task without tools, a tool, the boundary, a no, a failure, the model.

The rules this file exists to keep:

* Each stage does the real thing in the sandbox that a task would use, and is judged by its result.
* A stage that fails is one line that ends with what to type; the stages after it are tried as far as they can be.
* What the person's own model writes is asked about like in any run. Only smolcell's own programs run unasked.
"""

from __future__ import annotations

import platform
import secrets
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

from smolcell.agent import CodeAgent
from smolcell.callers import SilentView
from smolcell.errors import ApprovalError, SetupError, SmolcellError
from smolcell.events import Delta, Event, Fault, Observed, Proposed
from smolcell.gates import allow_all, ask
from smolcell.models.keys import AskKey
from smolcell.models.recording import RecordingModel, ReplayModel
from smolcell.models.scripted import ScriptedModel
from smolcell.protocols import Answer, Choice, FrontEnd, Gate, Model
from smolcell.redact import redact
from smolcell.result import RunResult
from smolcell.session import Session
from smolcell.settings import Settings
from smolcell.tools.function import tool
from smolcell.visible import visible
from smolcell.waiter import QueueWaiter

State = Literal["ok", "note", "failed", "not tried"]
TASK = "Use Python to compute 2 to the power of 32, and give the number as the final answer."
MODEL = "the model"
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


class Doctor:
    """Goes through the stages.

    Args:
        settings: as a task would have them: sandbox, imports, limits, model.
        front: who is asked about what the person's model writes; None: nobody, and the model's code does not run.
        ask_key: asks for the model's key where it lacks one.
        page: why cards cannot be answered here; None where there is no page, "" where all is well.
        replay: a recording that stands for the model.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        front: FrontEnd | None = None,
        ask_key: AskKey | None = None,
        page: str | None = None,
        replay: str | None = None,
    ) -> None:
        self._settings, self._front, self._ask_key, self._page, self._replay = settings, front, ask_key, page, replay

    def checks(self) -> Iterator[Check]:
        """Every stage's result, as soon as it is there."""
        yield self._tried("this Python", self._python)
        with closing(_Trial(self._settings)) as trial:
            first = self._tried("a task without tools", trial.answers)
            yield first
            for name, stage in (
                ("the boundary", trial.boundary),
                ("a read-only tool, recorded and replayed", trial.tool),
                ("a step that was refused", trial.refusal),
                ("a failure, and the recovery", trial.recovery),
                ("code that never ends", trial.endless),
            ):
                if first.state == "failed":
                    yield Check(name=name, state="not tried", told="the sandbox did not work above")
                else:
                    yield self._tried(name, stage)
        yield self._tried(MODEL, self._model)

    def _tried(self, name: str, stage: Callable[[], Check]) -> Check:
        try:
            check = stage()
        except SmolcellError as error:
            check = Check(name=name, state="failed", told=f"{type(error).__name__}: {error}")
        except Exception as error:  # a broken installation fails in ways of its own
            check = Check(name=name, state="failed", told=f"{type(error).__name__}: {error}")
        return replace(check, name=name, told=visible(redact(check.told)))

    def _python(self) -> Check:
        parts = {name: _version(name) for name in ("smolcell", "ipykernel", "ipywidgets", "anywidget", "jupyterlab")}
        told = f"{platform.python_version()} on {platform.system()}; " + ", ".join(
            f"{name} {found or 'missing'}" for name, found in parts.items()
        )
        missing = [name for name in ("ipykernel", "ipywidgets", "anywidget") if not parts[name]]
        if missing:
            return Check(name="", state="failed", told=told, then=f"pip install {' '.join(missing)}")
        if self._page:
            told += f"; cards cannot be answered here: {self._page}. Steps are asked about by a line of text instead"
            return Check(name="", state="note", told=told)
        if not parts["jupyterlab"]:
            return Check(name="", state="note", told=told, then="pip install 'smolcell[lab]'  (for JupyterLab)")
        return Check(name="", state="ok", told=told)

    def _model(self) -> Check:
        """The person's own model does a harmless task, by the person's own yes."""
        settings = self._settings
        try:
            name = self._replay or settings.model or _found_model(settings)
        except SetupError as error:
            return Check(name="", state="not tried", told=str(error))
        with closing(Session("doctor")) as session:
            agent = session.prepare(settings, ask_key=self._ask_key, replay=self._replay)
            agent.max_steps = 4
            front = self._front or _front(allow_nothing())
            if self._front is not None:
                front = session.front(settings, self._front)
            result = _result(agent, front, TASK)
        spent = f"{result.usage.input_tokens + result.usage.output_tokens} tokens, {result.duration:.1f} s"
        if isinstance(result.error, ApprovalError):
            return Check(
                name="", state="note", told=f"{name} answers ({spent}); its code was not allowed, so it did not run"
            )
        if str(result.output).strip() == str(2**32):
            return Check(name="", state="ok", told=f"{name} solved a small task with code ({spent})")
        told = str(result.error) if result.error else f"it answered {str(result.output)[:80]!r} where {2**32} is right"
        return Check(name="", state="failed", told=f"{name}: {told}")


class _Trial:
    """A sandbox like a task's, and programs of smolcell's own for it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
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
            path = Path(folder) / "doctor.jsonl"
            programs = ("word = read_word()", "final_answer(word)")
            _expect(self._run(*programs, model=RecordingModel(_model_of(*programs), path)), word)
            _expect(self._run(model=ReplayModel(path)), word)
        self._made.set_tools([])
        if len(called) != 2:
            raise SetupError(f"the tool was called {len(called)} times where its calls were 2")
        return Check(name="", state="ok", told="called back on the host; the recording gave the same answer")

    def refusal(self) -> Check:
        person = _Person("refuse", "approve")
        program = "try:\n    refused\n    ran = True\nexcept NameError:\n    ran = False\nfinal_answer(ran)"
        result = self._run("refused = 'this ran'", program, front=_front(ask(person), person))
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

    def _run(self, *programs: str, model: Model | None = None, front: FrontEnd | None = None) -> RunResult:
        self._made.set_model(model or _model_of(*programs))
        return _result(self._made, front or _front(allow_all), "Check this set-up.")


class _Person:
    """A view with somebody who has made up their mind."""

    def __init__(self, *choices: Choice) -> None:
        self._choices = list(choices)

    def show(self, event: Event | Delta) -> None:
        pass

    async def ask(self, proposal: Proposed) -> Answer:
        choice = self._choices.pop(0) if self._choices else "nobody"
        return Answer(run=proposal.run, step=proposal.step, fingerprint=proposal.fingerprint, choice=choice)


def diagnose(doctor: Doctor, say: Callable[[str], object], *, again: str) -> bool:
    """Go through the stages, tell each as it ends, then what works, what does not, and the next command.

    Args:
        again: what this check is called here, to type it once more.

    Returns:
        Whether nothing failed.
    """
    done = []
    for check in doctor.checks():
        say(str(check))
        done.append(check)
    failed = [check for check in done if check.state == "failed"]
    say("")
    say(f"works: {', '.join(check.name for check in done if check.state in ('ok', 'note')) or 'nothing'}")
    if failed:
        say(f"does not work: {', '.join(check.name for check in failed)}")
    if left := [check.name for check in done if check.state == "not tried"]:
        say(f"not tried: {', '.join(left)}")
    say(f"next: {_next(done, visible(redact(again)))}")
    return not failed


def _next(done: list[Check], again: str) -> str:
    for check in sorted(done, key=lambda check: ("failed", "not tried", "note", "ok").index(check.state)):
        if check.state == "failed" or (check.state == "not tried" and check.name == MODEL):
            return f"{check.then or f'do what stands at {check.name!r} above'}, then: {again}"
        if check.then:
            return check.then
    return "give it a task"


def allow_nothing() -> Gate:
    """The gate where nobody is there: what a model writes does not run."""
    return ask(_Person())


def _front(gate: Gate, view: Any = None) -> FrontEnd:
    return FrontEnd(view=view or SilentView(), gate=gate, waiter=QueueWaiter())


def _result(agent: CodeAgent, front: FrontEnd, task: str) -> RunResult:
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


def _found_model(settings: Settings) -> str:
    from smolcell.models import default_model

    return default_model(api_base=settings.api_base)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
