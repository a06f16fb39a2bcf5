"""The check of a new set-up, a stage at a time: a task without tools, a tool, the boundary, a no, a failure, the model.

The rules this file exists to keep:

* Each stage does the real thing in the sandbox that a task would use, and is judged by its result.
* A stage that fails is one line that ends with what to type; the stages after it are tried as far as they can be.
* What the person's own model writes is asked about like in any run. Only smolcell's own programs run unasked.
* It is nobody's last run: its journals lie in a folder of their own, which is removed.
"""

from __future__ import annotations

import platform
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from smolcell.errors import AgentStopped, ApprovalError, JournalError, SetupError, SmolcellError
from smolcell.journal import Journal, journals_folder, private_folder
from smolcell.models.commands import after, instead, stated
from smolcell.models.keys import AskKey
from smolcell.protocols import FrontEnd
from smolcell.redact import redact
from smolcell.result import RunResult
from smolcell.runs import Run
from smolcell.session import Session
from smolcell.settings import Settings
from smolcell.stages import Check, Trial, allow_nothing, front, result_of
from smolcell.visible import visible

TASK = "Use Python to compute 2 to the power of 32, and give the number as the final answer."
MODEL = "the model"
ELSEWHERE = "export SMOLCELL_STATE_DIR=…"
FORGOTTEN = 86_400.0  # seconds after which a check's folder is nobody's


class Doctor:
    """Goes through the stages.

    Args:
        settings: as a task would have them: sandbox, imports, limits, model.
        front: who is asked about what the person's model writes; None: nobody, and the model's code does not run.
        ask_key: asks for the model's key where it lacks one.
        page: why cards cannot be answered here; None where there is no page, "" where all is well.
        replay: a recording that stands for the model.
        again: what this check is called here, to type it once more.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        front: FrontEnd | None = None,
        ask_key: AskKey | None = None,
        page: str | None = None,
        replay: str | None = None,
        again: str = "%agent doctor",
    ) -> None:
        self._settings, self._front, self._ask_key, self._page, self._replay = settings, front, ask_key, page, replay
        self.again = again

    def checks(self) -> Iterator[Check]:
        """Every stage's result, as soon as it is there."""
        yield self._tried("this Python", self._python)
        try:
            into = private_folder(journals_folder())
            _sweep(into)
            private = tempfile.TemporaryDirectory(prefix="doctor-", dir=into, ignore_cleanup_errors=True)
        except (SmolcellError, OSError) as error:
            told = (
                f"{error}"
                if isinstance(error, SmolcellError)
                else f"nothing can be written in {into}: {error.strerror}"
            )
            yield Check(name="the journal", state="failed", told=told, then=ELSEWHERE)
            return
        with private as folder:
            yield from self._in_a_sandbox(Path(folder))
            yield self._tried(MODEL, lambda: self.model(Path(folder)))

    def _in_a_sandbox(self, folder: Path) -> Iterator[Check]:
        with closing(Trial(self._settings, folder)) as trial:
            first = self._tried("a task without tools", trial.answers)
            yield first
            for name, stage in (
                ("a read-only tool", trial.tool),
                ("the boundary", trial.boundary),
                ("a step that was refused", trial.refusal),
                ("a failure and its recovery", trial.recovery),
                ("code that never ends", trial.endless),
            ):
                if first.state == "failed":
                    yield Check(name=name, state="not tried", told="the sandbox did not work above")
                else:
                    yield self._tried(name, stage)

    def _tried(self, name: str, stage: Callable[[], Check]) -> Check:
        try:
            check = stage()
        except Exception as error:  # a broken installation fails in ways of its own
            told = str(error) if isinstance(error, SmolcellError) else f"{type(error).__name__}: {error}"
            then = ELSEWHERE if isinstance(error, JournalError) else stated(str(error))
            check = Check(name=name, state="failed", told=told, then=then)
        return replace(check, name=name, told=visible(redact(check.told)), then=visible(redact(check.then)))

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

    def model(self, folder: Path) -> Check:
        """The last stage: the person's own model does a harmless task, by the person's own yes, journalled in ``folder``."""
        settings = self._settings
        try:
            name = self._replay or settings.model or _found_model(settings)
        except SetupError as error:
            return Check(name="", state="not tried", told=str(error), then=_login(error))
        try:
            result = self._answered(folder)
        except SmolcellError as error:
            return self._failed(name, error)
        spent = f"{result.usage.input_tokens + result.usage.output_tokens} tokens, {result.duration:.1f} s"
        if isinstance(result.error, ApprovalError):
            told = f"{name} answers ({spent}); its code was not allowed, so it did not run"
            then = f"{self.again} --approve auto" if settings.approve in ("ask", "risky") else ""
            return Check(name="", state="note", told=told, then=then)
        if isinstance(result.error, AgentStopped):
            return Check(name="", state="note", told=f"{name} answers ({spent}); you stopped it before it was done")
        if str(result.output).strip() == str(2**32):
            return Check(name="", state="ok", told=f"{name} solved a small task with code ({spent})")
        if result.error:
            return self._failed(name, result.error)
        told = f"{name}: it answered {str(result.output)[:80]!r} where {2**32} is right; a stronger model may do better"
        return Check(name="", state="failed", told=told, then=instead(name))

    def _answered(self, folder: Path) -> RunResult:
        with closing(Session("doctor")) as session:
            agent = session.prepare(self._settings, ask_key=self._ask_key, replay=self._replay)
            agent.take_over(Run(()), Journal.create("doctor", folder=folder))
            agent.max_steps = 4
            here = session.front(self._settings, self._front) if self._front else front(allow_nothing())
            return result_of(agent, here, TASK)

    def _failed(self, name: str, error: Exception) -> Check:
        told = str(error) if name in str(error) else f"{name}: {error}"
        if self._replay:
            return Check(name="", state="failed", told=told, then=stated(str(error)))
        asks, base = self._ask_key is not None, self._settings.api_base
        then = after(name, error, api_base=base, again=self.again, asks=asks) or instead(name)
        return Check(name="", state="failed", told=told, then=then)


def diagnose(doctor: Doctor, say: Callable[[str], object]) -> bool:
    """Go through the stages, tell each as it ends, then what works, what does not, and the next command.

    Returns:
        Whether nothing failed.
    """
    done = []
    for check in doctor.checks():
        say(str(check))
        done.append(check)
    failed = [check for check in done if check.state == "failed"]
    say("")
    say(f"works: {' · '.join(check.name for check in done if check.state in ('ok', 'note')) or 'nothing'}")
    if failed:
        say(f"does not work: {' · '.join(check.name for check in failed)}")
    if left := [check.name for check in done if check.state == "not tried"]:
        say(f"not tried: {' · '.join(left)}")
    say(f"next: {_next(done, visible(redact(doctor.again)))}")
    return not failed


def _next(done: list[Check], again: str) -> str:
    for check in sorted(done, key=lambda check: ("failed", "not tried", "note", "ok").index(check.state)):
        if check.state == "failed" or (check.state == "not tried" and check.name == MODEL):
            then = check.then or f"do what stands at {check.name!r} above"
            return then if then.startswith("%agent doctor") else f"{then}, then: {again}"
        if check.then:
            return check.then
    return "give it a task: %%agent"


def _sweep(journals: Path) -> None:
    """Remove what checks that were killed have left."""
    for left in journals.glob("doctor-*"):
        with suppress(OSError):
            if not left.is_symlink() and left.is_dir() and time.time() - left.stat().st_mtime > FORGOTTEN:
                shutil.rmtree(left, ignore_errors=True)


def _login(error: SetupError) -> str:
    """The first of the commands to choose from where there is no model."""
    return "!hf auth login" if "!hf auth login" in str(error) else stated(str(error))


def _found_model(settings: Settings) -> str:
    from smolcell.models import default_model

    return default_model(api_base=settings.api_base)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
