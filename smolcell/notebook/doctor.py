"""Checks a set-up in stages: a task without tools, a tool, the boundary, a refusal, a failure, the model; optionally a contract.

* Each stage does the real thing in the sandbox that a task would use, and checks the result.
* A failed stage is one line that ends with what to type; later stages are still tried if possible.
* Programs of the user's model and of a contract need approval as in any run. Only smolcell's own programs run without.
* It does not become the user's last run: its journals are in a separate folder, which is removed.
"""

from __future__ import annotations

import os
import platform
import re
import secrets
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from shlex import quote
from typing import Any, Literal
from urllib.parse import urlsplit

from smolcell.agent import CodeAgent
from smolcell.agent.result import RunResult
from smolcell.agent.running import SilentView
from smolcell.approval.contract import Acceptance, Contract, Stage, record
from smolcell.approval.contract import read as read_contract
from smolcell.approval.gates import allow_all, ask
from smolcell.core.spec import AgentSpec
from smolcell.core.text import clip, presentable, visible
from smolcell.errors import AgentGenerationError, AgentStopped, ApprovalError, JournalError, SetupError, SmolcellError
from smolcell.events import Called, Delta, Event, Fault, Observed, Proposed
from smolcell.journal import Journal, Run, read
from smolcell.machine.environment import startup_value
from smolcell.machine.state import journals_folder, private_folder
from smolcell.machine.waiter import QueueWaiter
from smolcell.models import DEFAULTS
from smolcell.models.credentials import AskKey, key_variables, lacks_key
from smolcell.models.discovery import SERVERS
from smolcell.models.openai import OPENAI
from smolcell.models.recording import RecordingModel, ReplayModel
from smolcell.models.scripted import ScriptedModel
from smolcell.notebook.session import Session
from smolcell.protocols import Answer, Choice, FrontEnd, Gate, Model
from smolcell.tools.tool import tool

# --- Stages of ``doctor`` that need a sandbox but not the user's model: they run smolcell's own programs and check the results.
#
# Their journals are in a separate folder, so that they do not count as the user's last run.


State = Literal["ok", "note", "failed", "not tried"]
TIME_LIMIT_SECONDS = 3.0  # seconds; the timed code never ends by itself


@dataclass(frozen=True, slots=True, kw_only=True)
class StageResult:
    """The result of one stage.

    Attributes:
        name: what was checked.
        state: ``note`` means that it works, with a restriction.
        text: the result, or the failure.
        then: the next command to type; "" for none.
        seconds: duration.
    """

    name: str
    state: State
    text: str
    then: str = ""
    seconds: float = 0.0

    def __str__(self) -> str:
        mark = {"ok": "ok       ", "note": "ok, but  ", "failed": "FAILED   ", "not tried": "not tried"}[self.state]
        then = f"\n{' ' * 10}  type: {self.then}" if self.then else ""
        return f"{mark}   {self.name}: {self.text}{then}"


class SandboxCheck:
    """Runs smolcell's own programs in a sandbox like a task's.

    Args:
        settings: as for a task.
        journals: folder of its journal.
    """

    def __init__(self, settings: AgentSpec, journals: Path) -> None:
        self._settings, self._journals = settings, journals
        self._agent: CodeAgent | None = None

    def close(self) -> None:
        if self._agent is not None:
            self._agent.cleanup()

    def answers(self) -> StageResult:
        agent = CodeAgent(
            model=ScriptedModel(),
            sandbox=self._settings.sandbox,
            executor_kwargs={
                "timeout": min(TIME_LIMIT_SECONDS, self._settings.timeout),
                "memory": self._settings.memory,
                "python": self._settings.python,
            },
            additional_authorized_imports=self._settings.imports,
            session="doctor",
        )
        self._agent = agent
        agent.memory.take_over(Run(()), Journal.create("doctor", folder=self._journals))
        result = self._run("numbers = [n * n for n in range(10)]", "final_answer(sum(numbers))")
        _expect(result, 285)
        return StageResult(name="", state="ok", text=f"{self._settings.sandbox}, two steps in {result.duration:.1f} s")

    def boundary(self) -> StageResult:
        boundary = self._made.executor.boundary()
        standing = ", ".join(wall.name for wall in boundary.walls if wall.stands) or "nothing"
        missing = [
            f"{wall.name}{': ' if wall.detail else ''}{wall.detail}" for wall in boundary.walls if not wall.stands
        ]
        description = f"code runs in {boundary.where}{', isolated' if boundary.isolated else ''}; stands: {standing}"
        if boundary.isolated:
            return StageResult(name="", state="ok", text=description)
        then = "" if self._settings.sandbox != "local" else "%agent doctor -s docker  (or -s wasm)"
        return StageResult(name="", state="note", text=f"{description}; missing: {'; '.join(missing)}", then=then)

    def tool(self) -> StageResult:
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
            raise SetupError(f"the tool was called {len(called)} times instead of 2")
        if not any(isinstance(event, Called) and event.name == "read_word" for event in read(self._made.journal.path)):
            raise SetupError("the tool's call is missing in the journal")
        return StageResult(
            name="", state="ok", text="called back on the host and journalled; the recording gave the same answer"
        )

    def refusal(self) -> StageResult:
        person = Person("refuse", "approve")
        program = "try:\n    refused\n    ran = True\nexcept NameError:\n    ran = False\nfinal_answer(ran)"
        result = self._run("refused = 'this ran'", program, here=silent_front_end(ask(person), person))
        _expect(result, False)
        return StageResult(name="", state="ok", text="it did not run, and the run continued")

    def recovery(self) -> StageResult:
        result = self._run("print(not_there)", "not_there = 7\nfinal_answer(not_there)")
        _expect(result, 7)
        fault = _first_fault(result)
        if fault is None or fault.type != "NameError":
            raise SetupError(f"expected a NameError, got {fault}")
        return StageResult(
            name="",
            state="ok",
            text=f"{fault.type} in line {fault.line} was reported to the model, and its next step worked",
        )

    def endless(self) -> StageResult:
        result = self._run("while True:\n    pass", "final_answer('afterwards')")
        _expect(result, "afterwards")
        fault = _first_fault(result)
        if fault is None or fault.kind != "limit":
            raise SetupError(f"expected a time limit, got {fault}")
        return StageResult(name="", state="ok", text=f"{fault.type} ended it; the next step worked")

    @property
    def _made(self) -> CodeAgent:
        if self._agent is None:
            raise SetupError("the sandbox did not start in an earlier stage; see that stage's error above")
        return self._agent

    def _run(self, *programs: str, model: Model | None = None, here: FrontEnd | None = None) -> RunResult:
        self._made.set_model(model or _model_of(*programs))
        return result_of(self._made, here or silent_front_end(allow_all), "StageResult this set-up.")


class Person:
    """A view that answers with prepared choices, then as if nobody was there."""

    def __init__(self, *choices: Choice) -> None:
        self._choices = list(choices)

    def show(self, event: Event | Delta) -> None:
        pass

    async def ask(self, proposal: Proposed) -> Answer:
        choice = self._choices.pop(0) if self._choices else "nobody"
        return Answer.to(proposal, choice)


def allow_nothing() -> Gate:
    """Return the gate without a person: code of a model does not run."""
    return ask(Person())


def silent_front_end(gate: Gate, view: Any = None) -> FrontEnd:
    """Return a front end that shows nothing, with this gate."""
    return FrontEnd(view=view or SilentView(), gate=gate, waiter=QueueWaiter())


def result_of(agent: CodeAgent, front: FrontEnd, task: str, contract: str | None = None) -> RunResult:
    """Run a task and return the result."""
    job = agent.start(task, front=front, reset=True, run=secrets.token_hex(6), contract=contract)
    return agent.stay(job, front.waiter)


def _model_of(*programs: str, then: str = "") -> ScriptedModel:
    replies = [f"Next.\n<code>\n{program}\n</code>" for program in programs]
    return ScriptedModel(*replies, *[then] * bool(then), name="given programs" if then else "smolcell's own programs")


def _expect(result: RunResult, answer: object) -> None:
    value = result.value()
    if value != answer or type(value) is not type(answer):
        raise SetupError(f"expected the answer {answer!r}, got {str(value)[:80]!r}")


def _first_fault(result: RunResult) -> Fault | None:
    return next((e.error for e in result.events if isinstance(e, Observed) and e.error is not None), None)


# --- The next command to type after a model failed; as in a notebook if it is one of smolcell's.


LOCAL = "ollama/qwen2.5-coder"
_STARTS = {"ollama": "ollama serve", "lmstudio": "lms server start", "vllm": "vllm serve {model}"}
_FETCHES = {"ollama": "ollama pull {model}", "lmstudio": "lms get {model}", "vllm": "vllm serve {model}"}
_ADDRESSES = {
    "openai": OPENAI,
    "huggingface": "https://router.huggingface.co/v1",
    "anthropic": "https://api.anthropic.com",
    "gemini": "https://generativelanguage.googleapis.com",
    "mistral": "https://api.mistral.ai",
    "groq": "https://api.groq.com",
    "deepseek": "https://api.deepseek.com",
    "openrouter": "https://openrouter.ai",
}
"""Provider → address of its local server, from its documentation."""
_WORDS = r"(?:%agent|!?hf|pip|docker|sudo|smolcell|ollama|modal|deno|export|\S*python[\d.]*) "
_STATED = re.compile(rf": ({_WORDS}[^\n]+?)\.?$")
_MEANT = re.compile(r"did you mean (\S+/\S+)\?")


def command_of(message: str) -> str:
    """Return the command that a message ends with, or ""."""
    match = _STATED.search(message)
    return match[1] if match else ""


def next_command(name: str, error: Exception, *, api_base: str | None = None, again: str, asks: bool = False) -> str:
    """Return the command to type after an error of a model; ``again`` if retrying is all that can be done.

    Args:
        name: name of the model, or several separated by commas.
        error: the error of the run, or of creating the model.
        api_base: the address that was configured.
        again: the command that failed.
        asks: whether ``again`` asks the user for a missing key.
    """
    name = _at_fault(name, str(error))
    kind = error.kind if isinstance(error, AgentGenerationError) else ""
    if kind == "key" or "needs a key" in str(error) or "has no key" in str(error):
        return again if asks and lacks_key(name, api_base) else _key(name, api_base)
    if kind in ("connection", "model"):
        return (
            _start_server_command(name, api_base, again)
            if kind == "connection"
            else _fetch_model_command(name, api_base)
        )
    if kind in ("quota", "refusal", "context", "length", "form", "request", "memory"):
        return _with(_other(name))
    return (
        again if kind else _correct_name_command(name, str(error))
    )  # busy, an error of the server, a broken connection: retry


def other_model_command(name: str) -> str:
    """Return the command that tries another model."""
    return _with(_other(name))


def _start_server_command(name: str, api_base: str | None, again: str) -> str:
    """Return the command that starts a local server, or shows whether a remote one can be reached."""
    provider, model = _parts(name)
    if provider in _STARTS and not api_base:
        return _STARTS[provider].format(model=quote(model))
    base = _address(provider, api_base)
    return f"curl -sSI {_plain(base)}" if base else again


def _fetch_model_command(name: str, api_base: str | None) -> str:
    """Return the command that downloads a missing model of a server, or lists its models."""
    provider, model = _parts(name)
    if provider in _FETCHES and not api_base:
        return _FETCHES[provider].format(model=quote(model))
    base = _address(provider, api_base)
    return f"curl {_plain(base)}/models" if base and base not in _ADDRESSES.values() else _with(_other(name))


def _correct_name_command(name: str, message: str) -> str:
    """Return the command that corrects the options of a model that could not be created."""
    if "is not a URL" in message:
        return f"{_with(name)} --api-base http://127.0.0.1:11434/v1"
    meant = _MEANT.search(message)
    return _with(meant[1]) if meant else command_of(message).replace("%agent config model=", "%agent doctor -m ")


def _parts(name: str) -> tuple[str, str]:
    provider, _, model = name.removeprefix("litellm/").partition("/")
    return provider, model


def _at_fault(name: str, message: str) -> str:
    """Return the model that an error message names first, of several."""
    several = [part.strip() for part in name.split(",")]
    places = sorted((message.index(each), each) for each in several if each in message)
    return places[0][1] if places else several[0]


def _address(provider: str, api_base: str | None) -> str:
    """Return the address of the model's requests; "" if unknown."""
    if api_base or provider == "openai":
        own = os.environ.get("OPENAI_BASE_URL", "")
        return (api_base or startup_value("SMOLCELL_API_BASE") or own or OPENAI).rstrip("/")
    port = SERVERS.get(provider) or provider.removeprefix("local:")
    if provider in SERVERS or provider.startswith("local:"):
        return f"http://127.0.0.1:{port}/v1"
    return _ADDRESSES.get(provider, "")


def _plain(base: str) -> str:
    """Return an address as a word for the shell, without user and key."""
    parts = urlsplit(base)
    return quote(f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}")


def _key(name: str, api_base: str | None) -> str:
    variables = key_variables(name, api_base) or ("SMOLCELL_API_KEY",)
    held = next((variable for variable in variables if os.environ.get(variable, "").strip()), "")
    if not held and variables[0] == "HF_TOKEN":
        return "!hf auth login"
    return f"{'set' if os.name == 'nt' else 'export'} {held or variables[0]}=…"


def _other(name: str) -> str:
    """Return another model that could answer here: of a provider whose key is set, else one that needs no key."""
    known = (model for variable, model in DEFAULTS.items() if os.environ.get(variable, "").strip())
    return next((model for model in known if model != name), LOCAL)


def _with(name: str) -> str:
    return f"%agent doctor -m {quote(name)}"


TASK = "Use Python to compute 2 to the power of 32, and give the number as the final answer."
MODEL = "the model"
ELSEWHERE = "export SMOLCELL_STATE_DIR=…"
ABANDONED_SECONDS = 86_400.0  # seconds after which the folder of a check counts as abandoned


class Doctor:
    """Runs the stages.

    Args:
        settings: as for a task: sandbox, imports, limits, model.
        front: asks for approval of code of the user's model; None: that code does not run.
        ask_key: asks for the model's key if it is missing.
        page: why cards cannot be answered here; None if there is no page, "" if they can.
        replay: a recording used in place of the model.
        contract: a file whose acceptance checks are run, and to which the results are written.
        tools, mcp, files: as for the task, for the contract.
        again: the command that repeats this check.
    """

    def __init__(
        self,
        settings: AgentSpec,
        *,
        front: FrontEnd | None = None,
        ask_key: AskKey | None = None,
        page: str | None = None,
        replay: str | None = None,
        contract: str | None = None,
        tools: Sequence[Any] = (),
        mcp: Mapping[str, Any] | None = None,
        files: Sequence[str] = (),
        again: str = "%agent doctor",
    ) -> None:
        self._settings, self._front, self._ask_key, self._page, self._replay = settings, front, ask_key, page, replay
        self._contract = read_contract(contract) if contract is not None else None
        self._tools, self._mcp, self._files = tools, mcp or {}, files
        self.again = again

    def checks(self) -> Iterator[StageResult]:
        """Yield the result of every stage as soon as it is known."""
        yield self._tried("this Python", self._python)
        try:
            into = private_folder(journals_folder())
            _sweep(into)
            private = tempfile.TemporaryDirectory(prefix="doctor-", dir=into, ignore_cleanup_errors=True)
        except (SmolcellError, OSError) as error:
            problem = f"{error}" if isinstance(error, SmolcellError) else f"{into} cannot be written: {error.strerror}"
            yield StageResult(name="the journal", state="failed", text=problem, then=ELSEWHERE)
            return
        with private as folder:
            yield from self._in_a_sandbox(Path(folder))
            if self._contract is not None:
                yield from self._by_contract(self._contract, Path(folder))
            yield self._tried(MODEL, lambda: self.model(Path(folder)))

    def _by_contract(self, contract: Contract, folder: Path) -> Iterator[StageResult]:
        """StageResult the permissions of a task against the contract, then run its acceptance checks."""
        within = self._tried("the contract", lambda: self.within(contract))
        yield within
        for check in contract.acceptance:
            name = f"accepted if {check.name}"
            if within.state == "failed":
                yield StageResult(
                    name=visible(name), state="not tried", text="the contract is exceeded, so its checks were not run"
                )
            else:
                yield self._tried(name, lambda check=check: self.accepted(check, contract, folder))  # type: ignore[misc]

    def within(self, contract: Contract) -> StageResult:
        """StageResult that a task with these settings stays within the contract."""
        with closing(Session("doctor")) as session:
            here = self._front or silent_front_end(allow_nothing())
            given: dict[str, Any] = {
                "files": self._files,
                "tools": self._tools,
                "mcp": self._mcp,
                "replay": self._replay,
            }
            actual = session.contract(self._settings, here, **given)
            agent = session.agent
            walls = contract.beyond_walls(agent.executor.boundary()) if agent is not None else []
        if other := [*contract.excess(actual), *walls]:
            raise SetupError("; ".join(other))
        return StageResult(name="", state="ok", text=f"a task with these options stays within {contract.path}")

    def accepted(self, check: Acceptance, contract: Contract, folder: Path) -> StageResult:
        """Run an acceptance check: its program in the sandbox, or its task with the model, each step with the user's approval."""
        own = _model_of(check.code, then='{"answer": "checked"}') if check.code else None
        result = self._answered(folder, check.task or check.name, own, contract.path)
        if isinstance(result.error, ApprovalError):
            then = f"{self.again} --approve auto" if self._settings.approve in ("ask", "risky") else ""
            return StageResult(name="", state="failed", text="it was not allowed, so it did not run", then=then)
        if check.task:
            result.value()
            output: Any = result.output
        else:
            seen = next((event for event in result.events if isinstance(event, Observed)), None)
            if seen is None:
                raise result.error or SetupError("it did not run")
            if (seen.error is not None) is not check.fails:
                ending = f"{seen.error.type}: {seen.error.message}" if seen.error else "it ended without an error"
                raise SetupError(f"expected {'a' if check.fails else 'no'} failure, but {ending}")
            output = seen.output if seen.is_final_answer else seen.result
        if check.answer is not None and str(output).strip() != check.answer.strip():
            raise SetupError(f"expected the answer {check.answer[:80]!r}, got {str(output)[:80]!r}")
        return StageResult(
            name="", state="ok", text="it failed, as it must" if check.fails else f"in {result.duration:.1f} s"
        )

    @property
    def contract(self) -> Contract | None:
        """The contract that is checked; None if there is none."""
        return self._contract

    def _in_a_sandbox(self, folder: Path) -> Iterator[StageResult]:
        with closing(SandboxCheck(self._settings, folder)) as trial:
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
                    yield StageResult(name=name, state="not tried", text="the sandbox did not work above")
                else:
                    yield self._tried(name, stage)

    def _tried(self, name: str, stage: Callable[[], StageResult]) -> StageResult:
        began = time.monotonic()
        try:
            check = stage()
        except Exception as error:  # a broken installation may raise anything
            text = str(error) if isinstance(error, SmolcellError) else f"{type(error).__name__}: {error}"
            then = ELSEWHERE if isinstance(error, JournalError) else command_of(str(error))
            check = StageResult(name=name, state="failed", text=text, then=then)
        text, then = presentable(check.text), presentable(check.then)
        return replace(check, name=visible(name), text=text, then=then, seconds=round(time.monotonic() - began, 2))

    def _python(self) -> StageResult:
        parts = {name: _version(name) for name in ("smolcell", "ipykernel", "ipywidgets", "anywidget", "jupyterlab")}
        versions = f"{platform.python_version()} on {platform.system()}; " + ", ".join(
            f"{name} {found or 'missing'}" for name, found in parts.items()
        )
        missing = [name for name in ("ipykernel", "ipywidgets", "anywidget") if not parts[name]]
        if missing:
            return StageResult(name="", state="failed", text=versions, then=f"pip install {' '.join(missing)}")
        if self._page:
            versions += (
                f"; cards cannot be answered here: {self._page}. Steps are asked about by a line of text instead"
            )
            return StageResult(name="", state="note", text=versions)
        if not parts["jupyterlab"]:
            return StageResult(
                name="", state="note", text=versions, then="pip install 'smolcell[lab]'  (for JupyterLab)"
            )
        return StageResult(name="", state="ok", text=versions)

    def model(self, folder: Path) -> StageResult:
        """Run the last stage: the user's model solves a harmless task with the user's approval, journalled in ``folder``."""
        settings = self._settings
        try:
            name = self._replay or settings.model or _found_model(settings)
        except SetupError as error:
            return StageResult(name="", state="not tried", text=str(error), then=_login_command(error))
        try:
            result = self._answered(folder, TASK, contract=self._contract.path if self._contract is not None else None)
        except SmolcellError as error:
            return self._failed(name, error)
        spent = f"{result.usage.input_tokens + result.usage.output_tokens} tokens, {result.duration:.1f} s"
        if isinstance(result.error, ApprovalError):
            text = f"{name} answers ({spent}); its code was not allowed, so it did not run"
            then = f"{self.again} --approve auto" if settings.approve in ("ask", "risky") else ""
            return StageResult(name="", state="note", text=text, then=then)
        if isinstance(result.error, AgentStopped):
            return StageResult(
                name="", state="note", text=f"{name} answers ({spent}); you stopped it before it was done"
            )
        if str(result.output).strip() == str(2**32):
            return StageResult(name="", state="ok", text=f"{name} solved a small task with code ({spent})")
        if result.error:
            return self._failed(name, result.error)
        text = f"{name}: it answered {str(result.output)[:80]!r} instead of {2**32}; a stronger model may do better"
        return StageResult(name="", state="failed", text=text, then=other_model_command(name))

    def _answered(self, folder: Path, task: str, model: Model | None = None, contract: str | None = None) -> RunResult:
        """Run a task with the user's model, or another one."""
        with closing(Session("doctor")) as session:
            agent = session.prepare(self._settings, ask_key=self._ask_key, replay=self._replay, model=model)
            agent.memory.take_over(Run(()), Journal.create("doctor", folder=folder))
            agent.max_steps = min(4, agent.max_steps)
            here = session.front(self._settings, self._front) if self._front else silent_front_end(allow_nothing())
            return result_of(agent, here, task, contract)

    def _failed(self, name: str, error: Exception) -> StageResult:
        problem = str(error) if name in str(error) else f"{name}: {error}"
        if self._replay:
            return StageResult(name="", state="failed", text=problem, then=command_of(str(error)))
        asks, base = self._ask_key is not None, self._settings.api_base
        then = next_command(name, error, api_base=base, again=self.again, asks=asks) or other_model_command(name)
        return StageResult(name="", state="failed", text=problem, then=then)


def diagnose(doctor: Doctor, say: Callable[[str], object]) -> bool:
    """Run the stages and report each as it ends, then a summary and the next command.

    Returns:
        Whether no stage failed.
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
    if doctor.contract is not None:
        record(Path(doctor.contract.path), _stages(done))
        say(f"written into {visible(doctor.contract.path)}: the result of each stage, with time and versions")
    say(f"next: {_next(done, presentable(doctor.again))}")
    return not failed and not (doctor.contract is not None and any(_unshown(check) for check in done))


def _unshown(check: StageResult) -> bool:
    """Return whether a stage that a contract needs was not tried. Without a model, its own stage is not needed."""
    return check.state == "not tried" and check.name != MODEL


def _stages(done: Sequence[StageResult]) -> list[Stage]:
    """Return the stages in the form of a contract file."""
    names = ("smolcell", "ipykernel", "numpy", "pandas", "litellm", "openai", "huggingface_hub")
    versions = {"python": platform.python_version(), **{name: found for name in names if (found := _version(name))}}
    at = datetime.now(UTC).astimezone().isoformat(timespec="seconds")
    return [
        Stage(
            stage=check.name,
            state=check.state,
            told=clip(check.text, 500),
            seconds=check.seconds,
            at=at,
            versions=versions,
        )
        for check in done
    ]


def _next(done: list[StageResult], again: str) -> str:
    for check in sorted(done, key=lambda check: ("failed", "not tried", "note", "ok").index(check.state)):
        if check.state == "failed" or (check.state == "not tried" and check.name == MODEL):
            then = check.then or f"see {check.name!r} above"
            return then if then.startswith("%agent doctor") else f"{then}, then: {again}"
        if check.then:
            return check.then
    return "give it a task: %%agent"


def _sweep(journals: Path) -> None:
    """Remove folders of checks that were killed."""
    for left in journals.glob("doctor-*"):
        with suppress(OSError):
            if not left.is_symlink() and left.is_dir() and time.time() - left.stat().st_mtime > ABANDONED_SECONDS:
                shutil.rmtree(left, ignore_errors=True)


def _login_command(error: SetupError) -> str:
    """Return the first of the commands offered if there is no model."""
    return "!hf auth login" if "!hf auth login" in str(error) else command_of(str(error))


def _found_model(settings: AgentSpec) -> str:
    from smolcell.models import default_model

    return default_model(api_base=settings.api_base)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
