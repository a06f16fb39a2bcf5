"""Runs one task of a job: in a thread of this process, or in a worker of an engine.

* Input and output are data: a recipe by name, and a row as JSON text. Nothing from a sandbox is unpickled.
* No one can approve here. A step that needs a person's answer is not run: the sandbox is closed, and the row holds the waiting proposal.
* A continued run repeats approved steps only as they are in its journal, and stops if one prints something else. A person is asked about
  steps without an answer of theirs.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import random
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cache, lru_cache
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from smolcell import journal as runs
from smolcell.approval.gates import create_gate
from smolcell.approval.spec import as_allowed, level_and_imports
from smolcell.core import text as describe
from smolcell.core.receipt import receipt
from smolcell.core.redaction import redact
from smolcell.core.spec import AgentSpec
from smolcell.errors import ApprovalError, SmolcellError
from smolcell.events import Delta, Event, Proposed, Replied, sha256
from smolcell.machine.environment import importing
from smolcell.machine.state import hold, replace_file
from smolcell.machine.waiter import QueueWaiter
from smolcell.models import with_local_model
from smolcell.models.capabilities import traits
from smolcell.models.errors import on_busy
from smolcell.models.recording import ReplayModel
from smolcell.protocols import Answer, BaseView, FrontEnd, Message, Model
from smolcell.scale.folder import WAITING, state_folder
from smolcell.scale.tasks import Task

if TYPE_CHECKING:
    from smolcell.agent import CodeAgent
    from smolcell.agent.result import RunResult

_PARKED = ("code", "call", "plan", "output")
"""Kinds of proposals that can wait for an answer; budgets and tools' questions cannot."""
_DIFFERS = "Step {} printed something else when it was repeated than before the approval. Continue with the new output?"
_MAX_JOURNAL = 64 * 1024 * 1024  # characters of a journal that is sent
POLL_SECONDS = 0.05  # seconds between checks for a free slot, with jitter of ±50 %
MAX_REQUESTS = 64  # requests at a time for one model
_PAUSE_SECONDS = 1.0  # seconds without new requests after a server was busy, if it gave no time


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """The data that a worker gets for one task.

    Attributes:
        job: id of the job, for stopping its runs.
        folder: folder of the job, for a worker that sees this machine's files; else "".
        answers: a person's answers to earlier proposals of this task.
        waited: row of the run that waited, if it is continued.
        journal: its journal.
        until: when the run is stopped, in seconds since 1970; 0.0: never.
    """

    job: str
    spec: AgentSpec
    task: Task
    folder: str = ""
    answers: tuple[Mapping[str, Any], ...] = ()
    waited: Mapping[str, Any] = field(default_factory=dict)
    journal: str = ""
    per_host: int = 0
    per_model: int = 0
    seconds: float = 0.0
    until: float = 0.0


def work(item: Item) -> str:
    """Do one task. Returns its row as JSON. Errors of the task are in the row, not raised."""
    stopped = _stopping.setdefault(item.job, threading.Event())
    with sandboxes(item.per_host or default_per_host()).one(stopped.is_set) as slot:
        if not slot:
            return json.dumps(new_row(item, state="stopped", error="AgentStopped: the job was stopped"))
        began = time.monotonic()
        try:
            row = TaskRun(item, stopped).row()
        except SmolcellError as error:
            row = new_row(item, state="error", error=f"{type(error).__name__}: {error}")
        row["seconds"] = round(time.monotonic() - began, 3)
    return json.dumps(row, allow_nan=False)


# --- stopping -----------------------------------------------------------------------------------------------------------

_stopping: dict[str, threading.Event] = {}
_agents: dict[str, set[CodeAgent]] = {}
_lock = threading.Lock()


def stop(job: str) -> None:
    """Stop all runs of a job in this process, also those that begin later. Returns at once."""
    _stopping.setdefault(job, threading.Event()).set()
    with _lock:
        agents = list(_agents.get(job, ()))
    for agent in agents:
        agent.interrupt()


def _agent(spec: AgentSpec, model: Model, session: str) -> CodeAgent:
    """Return the agent of a task. ``session`` names its journal."""
    from smolcell.agent import CodeAgent

    allowed = as_allowed(with_local_model(spec))
    installs = "never" if allowed.installs == "ask" else allowed.installs
    spec = replace(allowed, **level_and_imports(allowed), installs=installs, context="none")
    return CodeAgent.from_spec(spec, model, session=session, python=spec.python)


@contextmanager
def _stoppable(item: Item, agent: CodeAgent, late: threading.Event) -> Iterator[None]:
    """Let the job's stop and the run's time limit interrupt the agent. The limit sets ``late``."""

    def end() -> None:
        late.set()
        agent.interrupt()

    with _lock:
        _agents.setdefault(item.job, set()).add(agent)
    left = [item.seconds] if item.seconds else []
    left += [max(0.01, item.until - time.time())] if item.until else []
    clock = threading.Timer(min(left), end) if left else None
    if clock is not None:
        clock.daemon = True
        clock.start()
    try:
        yield
    finally:
        if clock is not None:
            clock.cancel()
        with _lock:
            _agents[item.job].discard(agent)


# --- the parts of a run -------------------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def model_of(name: str | None, api_base: str | None, most: int, version: object = None) -> LimitedModel:
    """Return the model of a recipe, one for all tasks of this process, so that connections are reused.

    Args:
        version: changes with a recording, which is then read again.

    Raises:
        SetupError: it cannot be made.
    """
    from smolcell.models import create_model
    from smolcell.models.credentials import Keys

    key = None if name is None else Keys().key(name, api_base, None)
    return LimitedModel(create_model(name, api_base=api_base, api_key=key), most)


class _RepeatedReply:
    """A model that first repeats an earlier reply, whose proposal has waited since then."""

    def __init__(self, inner: Model, reply: Replied) -> None:
        self._inner, self._reply, self.name = inner, [reply], inner.name

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def reply(
        self, messages: Sequence[Message], tools: Sequence[Any] = (), **options: Any
    ) -> AsyncIterator[Delta | Replied]:
        if self._reply:
            yield self._reply.pop()
            return
        async for item in self._inner.reply(messages, tools, **options):
            yield item


class ParkingView(BaseView):
    """A view without a person: it has the earlier answers, and keeps the first unanswered proposal.

    Args:
        answers: by step, call and fingerprint.
    """

    def __init__(self, answers: Mapping[tuple[int, int, str], Answer]) -> None:
        self._answers = answers
        self.waiting: Proposed | None = None

    def show(self, event: Event | Delta) -> None:
        """See ``View``."""

    def known(self, proposal: Proposed) -> Answer | None:
        """Return the earlier answer to exactly this proposal; None if there is none."""
        answer = self._answers.get((proposal.step, proposal.call, proposal.fingerprint))
        return None if answer is None else replace(answer, run=proposal.run)

    async def ask(self, proposal: Proposed) -> Answer:
        """Return the earlier answer to exactly this proposal; else ``nobody``."""
        if (known := self.known(proposal)) is not None:
            return known
        reason = "no one can answer in a job"
        if proposal.kind in _PARKED:
            self.waiting, reason = self.waiting or proposal, "it waits for an answer"
        return Answer.to(proposal, "nobody", comment=reason)


class TaskRun:
    """One run of one task."""

    def __init__(self, item: Item, stopped: threading.Event) -> None:
        self.item, self._stopped, self._late = item, stopped, threading.Event()
        self._folder = Path(item.folder) / "journals" if item.folder else None
        self._view = ParkingView(_answers(item))

    def row(self) -> dict[str, Any]:
        item = self.item
        spec, version = item.spec, None
        if spec.replay:
            with suppress(OSError):
                status = Path(spec.replay).stat()
                version = status.st_ino, status.st_mtime_ns, status.st_size
        limited = model_of(spec.model_name, spec.api_base, item.per_model or MAX_REQUESTS, version)
        over = int(item.waited["waiting"]["resume"]) if item.waited else 0
        model: Model = limited.inner.afresh(over) if isinstance(limited.inner, ReplayModel) else limited
        session = f"map-{item.task.key}"
        with _agent(item.spec, model, session) as agent, _stoppable(item, agent, self._late):
            if item.waited:
                return self._go_on(agent, session)
            agent.memory.take_over(runs.Run(()), runs.Journal.create(session, folder=self._folder))
            result = self._ended(agent, task=item.task.text, files=self._files, read_only=item.spec.read_only)
            return self._make_row(agent, result)

    @property
    def _files(self) -> tuple[str, ...]:
        return (*self.item.spec.files, *self.item.task.files)

    def _new_front(self) -> FrontEnd:
        mode = self.item.spec.approve
        return FrontEnd(view=self._view, gate=create_gate(mode, self._view), waiter=QueueWaiter(), approve=mode)

    def _ended(self, agent: CodeAgent, **options: Any) -> RunResult:
        front = self._new_front()
        started = agent.start(front=front, **options)
        if self._stopped.is_set() or self._late.is_set():  # perhaps since before there was a run to interrupt
            agent.interrupt()
        return agent.stay(started, front.waiter)

    def _go_on(self, agent: CodeAgent, session: str) -> dict[str, Any]:
        """Repeat the approved steps, and continue with the reply whose proposal waited."""
        waiting = self.item.waited["waiting"]
        step = int(waiting["resume"])
        # The copy in the job's folder is not read: it may have been changed meanwhile.
        before = runs.load(self.item.waited["journal"], StringIO(self.item.journal))
        agent.memory.take_over(*runs.fork(before, step - 1, session, folder=self._folder))
        try:
            differing = agent.rebuild(self._files, self.item.spec.read_only, front=self._new_front(), own=True)
        except ApprovalError:
            if (proposal := self._view.waiting) is None:
                raise
            return self._again(proposal)
        for number in differing:
            asked = Proposed(run=agent.run_id, step=number, kind="plan", text=_DIFFERS.format(number))
            answer = self._view.known(asked)
            if answer is None:
                return self._again(asked)
            if answer.choice not in ("approve", "approve_run"):
                message = f"ApprovalError: step {number} printed something else when it was repeated"
                return {**self.item.waited, "state": "refused", "waiting": None, "error": message}
        agent.set_model(_RepeatedReply(agent.model, Replied(text=str(waiting["reply"]), model=agent.model.name)))
        return self._make_row(agent, self._ended(agent, resume=True))

    def _again(self, proposal: Proposed) -> dict[str, Any]:
        """Return the row of a run that waits again, with another proposal before the one it waited with."""
        before = self.item.waited["waiting"]
        again = {**before, **_waiting(proposal, before["reply"]), "resume": before["resume"]}
        return {**self.item.waited, "waiting": again}

    def _make_row(self, agent: CodeAgent, result: RunResult) -> dict[str, Any]:
        """Return the row of a run that has ended."""
        events = agent.memory.events
        summary = receipt(events, agent.memory.times)
        state, waiting = str(result.state), None
        if (proposal := self._view.waiting) is not None and state == "refused":
            reply = next((e.text for e in reversed(result.events) if isinstance(e, Replied)), "")
            state, waiting = WAITING, _waiting(proposal, reply)
        answer = plain(result.output) if state in ("success", "max_steps_error") else None
        error = "" if result.error is None else f"{type(result.error).__name__}: {result.error}"
        row = new_row(
            self.item,
            state=state,
            answer=answer,
            error="" if waiting else redact(error),
            input_tokens=summary.usage.input_tokens,
            output_tokens=summary.usage.output_tokens,
            cost=summary.usage.cost,
            steps=summary.steps,
            errors_by_type=summary.errors_by_type,
            refusals=sum(not approval.allowed and approval.by != "nobody" for approval in summary.approvals),
            imports=list(summary.imports),
            hosts=list(summary.hosts),
            journal=agent.journal.path.name,
        )
        journal = agent.journal.path.read_text("utf-8") if waiting or self._folder is None else ""
        if self._folder is None:
            row["journal_text"] = journal = journal[:_MAX_JOURNAL]
        if waiting is not None:
            row["waiting"] = {**waiting, "journal_sha256": sha256(journal)}
        return row


def _answers(item: Item) -> dict[tuple[int, int, str], Answer]:
    """Return a person's answers by the proposals that they answer."""
    answers = {}
    for answer in item.answers:
        choice = answer.get("choice")
        if choice not in ("approve", "approve_run", "approve_kind", "edit", "refuse", "stop"):
            continue
        step, call, shown = int(answer["step"]), int(answer.get("call") or 0), str(answer["sha256"])
        text, comment = answer.get("text"), str(answer.get("comment") or "")
        answers[step, call, shown] = Answer(
            run="",
            step=step,
            fingerprint=shown,
            choice=choice,
            text=None if text is None else str(text),
            comment=comment,
            who=str(answer.get("who") or ""),
        )
    return answers


def _waiting(proposal: Proposed, reply: str) -> dict[str, Any]:
    """Return the waiting proposal for the row. The text is exact, because it is approved."""
    return {
        "resume": proposal.step,
        "step": proposal.step,
        "call": proposal.call,
        "kind": proposal.kind,
        "text": proposal.text,
        "sha256": proposal.fingerprint,
        "thought": proposal.thought,
        "why": proposal.why,
        "findings": [asdict(finding) for finding in proposal.findings],
        "reply": reply,
    }


def new_row(item: Item, **more: Any) -> dict[str, Any]:
    """Return a row of this task with every field."""
    return {
        "id": item.task.id,
        "state": "error",
        "answer": None,
        "task": item.task.text,
        "task_sha256": item.task.digest,
        "files": list(item.task.files),
        "spec": item.spec.digest,
        "error": "",
        "input_tokens": 0,
        "output_tokens": 0,
        "cost": None,
        "steps": 0,
        "errors_by_type": {},
        "refusals": 0,
        "imports": [],
        "hosts": [],
        "seconds": 0.0,
        "journal": "",
        **more,
    }


@cache
def _to_json() -> Any:
    with importing():
        from pydantic_core import to_json
    return to_json


def plain(value: Any) -> Any:
    """Return an answer as JSON data: pydantic models, dataclasses and tables as mappings and lists; other values as text."""
    to_json = _to_json()

    def other(value: Any) -> Any:
        if hasattr(value, "to_dict") and hasattr(value, "columns"):  # a table
            return value.to_dict(orient="records")
        if type(value).__module__.partition(".")[0] in ("numpy", "pandas") and hasattr(value, "tolist"):
            return value.tolist()
        return describe.answer(value)

    try:
        return json.loads(to_json(value, fallback=other, inf_nan_mode="strings"))
    except Exception:  # a value that cannot be read becomes text
        return describe.answer(value)


# --- limits, shared by all jobs of a user on this machine: sandboxes at a time, and requests at a time per model ----------
#
# A slot is a file that is locked while it is used, so that a killed process frees its slots.


def default_per_host() -> int:
    """Return the number of sandboxes at a time on this machine, by its processors and memory: see docs/many-runs.md."""
    try:
        gigabytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    except (ValueError, OSError, AttributeError):
        gigabytes = 4.0
    return max(2, min(8 * (os.cpu_count() or 1), int(gigabytes * 4)))


class Slots:
    """A semaphore between processes.

    Args:
        folder: holds a file for each slot.
        most: returns the number of slots.
    """

    def __init__(self, folder: Path, most: Callable[[], int]) -> None:
        self._folder, self._most = folder, most

    def take(self) -> int | None:
        """Take a free slot, if there is one. Returns an open file; ``os.close`` frees the slot."""
        most = self._most()
        first = random.randrange(most)  # noqa: S311 - nothing secret
        for number in (*range(first, most), *range(first)):
            slot = os.open(self._folder / f"slot-{number}", os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
            if hold(slot) is not False:
                return slot
            os.close(slot)
        return None

    @contextmanager
    def one(self, stopped: Callable[[], bool] = lambda: False) -> Iterator[bool]:
        """Hold a slot, after waiting for it. Yields False instead if ``stopped()`` becomes true while waiting."""
        while (slot := self.take()) is None and not stopped():
            time.sleep(_soon())
        try:
            yield slot is not None
        finally:
            if slot is not None:
                os.close(slot)


def _soon() -> float:
    return POLL_SECONDS * random.uniform(0.5, 1.5)  # noqa: S311 - nothing secret


def sandboxes(per_host: int) -> Slots:
    """Return the slots for sandboxes of this user on this machine."""
    return Slots(state_folder("slots", "sandboxes"), lambda: per_host)


class LimitedModel:
    """Passes another model's replies on, with a limit on requests at a time for all jobs of this user.

    The limit is halved when the server is busy, and grows by one after as many replies as it allows at a time. It is stored in a file,
    so that all processes share it.

    Args:
        inner: the model that answers.
        most: highest limit.
    """

    def __init__(self, inner: Model, most: int = MAX_REQUESTS) -> None:
        self.inner, self.name, self.most = inner, inner.name, most
        key = f"{inner.name} {traits(inner).server or ''}"
        folder = state_folder("slots", f"model-{hashlib.sha256(key.encode()).hexdigest()[:16]}")
        self._file, self._lock = folder / "limit.json", threading.Lock()
        self._slots = Slots(folder, lambda: max(1, int(self._read()[0])))

    def __getattr__(self, name: str) -> Any:  # abilities are those of the inner model
        return getattr(self.inner, name)

    def _read(self) -> tuple[float, float]:
        """Return the limit, and until when nothing is requested (seconds since 1970)."""
        try:
            data = json.loads(self._file.read_bytes())
            return min(float(self.most), max(1.0, float(data["limit"]))), float(data["until"])
        except (OSError, ValueError, KeyError, TypeError):
            return float(self.most), 0.0

    def _write(self, limit: float, until: float) -> None:
        with suppress(OSError):
            replace_file(self._file, json.dumps({"limit": limit, "until": until}))

    def busy(self, after: float | None) -> None:
        """Halve the limit and pause: the server is busy."""
        with self._lock:
            limit, until = self._read()
            now = time.time()
            if until < now:  # further answers of the same kind are expected
                limit = max(1.0, limit / 2)
            self._write(limit, max(until, now + min(after or _PAUSE_SECONDS, 60.0)))

    def _well(self) -> None:
        with self._lock:
            limit, until = self._read()
            if limit < self.most:
                self._write(limit + 1 / limit, until)

    async def reply(
        self, messages: Sequence[Message], tools: Sequence[Any] = (), **options: Any
    ) -> AsyncIterator[Delta | Replied]:
        """Stream the inner model's reply, when there is a slot for it."""
        if not traits(self.inner).sends:  # a recording has no server
            async for item in self.inner.reply(messages, tools, **options):
                yield item
            return
        while (  # noqa: ASYNC110 - it is another process that gives a slot back
            wait := self._read()[1] - time.time()
        ) > 0 or (slot := self._slots.take()) is None:
            await asyncio.sleep(min(max(wait, _soon()), 1.0))
        token = on_busy.set(self.busy)
        items = self.inner.reply(messages, tools, **options)
        try:
            async for item in items:
                yield item
            self._well()
        finally:
            os.close(slot)
            with suppress(ValueError):  # closed from another context
                on_busy.reset(token)
            if isinstance(items, AsyncGenerator):
                await items.aclose()
