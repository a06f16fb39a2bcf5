"""A job: one recipe over many tasks, on an engine. Starts tasks, writes rows, enforces the job's limits."""

from __future__ import annotations

import json
import logging
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import closing, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from smolcell.core.prompt import estimate as tokens_of
from smolcell.core.spec import AgentSpec, budget_limit
from smolcell.core.text import counted, shorten
from smolcell.errors import SetupError
from smolcell.events import Usage
from smolcell.executors.files import find_links
from smolcell.machine.environment import importing
from smolcell.machine.host_files import describe_links
from smolcell.notebook.activity import place
from smolcell.scale.engines import Engine, engine_of
from smolcell.scale.folder import (
    DONE,
    WAITING,
    JobFolder,
    Row,
    answers_of,
    columns_of,
    is_answered,
    is_complete,
    read_rows,
    state_folder,
    write_parquet,
)
from smolcell.scale.tasks import Task, read_tasks
from smolcell.scale.work import Item, new_row, work
from smolcell.worker.system import processes

log = logging.getLogger("smolcell")
_TICK_SECONDS = 0.2  # seconds between calls of ``show``, at most
_REPORT_SECONDS = 1.0  # seconds between progress reports for other processes
_DRAIN_SECONDS = 1.2  # seconds for stopped runs to record their end
_GONE = "the engine has ended; finished tasks are kept. Start it again, then repeat the command to continue"
LONE_FAILURES = 25  # consecutive failures after which a job stops by default

_Todo = tuple[Task, Row | None, Sequence[Row]]  # a task, its row so far, and the answers to it


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of a job. 0 and "" mean no limit.

    Args:
        per_host: sandboxes at a time on one machine, for all jobs of this user; 0: by its processors and memory.
        per_model: requests at a time for one model, for all jobs of this user.
        budget: limit of the whole job, such as ``"$5"`` or ``"2m"`` tokens; when it is reached, no further task is started.
        failures: consecutive failures after which no further task is started.
        seconds: time limit of one task.
        deadline: seconds of the whole job, after which active runs are stopped.
    """

    per_host: int = 0
    per_model: int = 0
    budget: str = ""
    failures: int = LONE_FAILURES
    seconds: float = 0.0
    deadline: float = 0.0


@dataclass(slots=True)
class Progress:
    """The progress of a job. Passed to ``show`` after each row, and about five times a second."""

    total: int
    before: int  # rows that already existed
    began: float = field(default_factory=time.monotonic)
    states: Counter[str] = field(default_factory=Counter)
    tokens: int = 0
    cost: float | None = None
    running: int = 0
    over: bool = False

    def add(self, row: Mapping[str, Any]) -> None:
        """Count a row."""
        self.states[str(row.get("state"))] += 1
        self.tokens += int(row.get("input_tokens") or 0) + int(row.get("output_tokens") or 0)
        if row.get("cost") is not None:
            self.cost = (self.cost or 0.0) + float(row["cost"])

    def __str__(self) -> str:
        done = sum(self.states.values())
        rate = (done - self.before) / max(time.monotonic() - self.began, 1e-9)
        states = ", ".join(f"{state} {count:,}" for state, count in self.states.most_common())
        cost = f" · ${self.cost:.4f}" if self.cost is not None else ""
        left = f" · running {self.running}" if self.running else ""
        before = f" ({self.before:,} from before)" if self.before else ""
        return f"{done:,} of {self.total:,}{before} · {rate:.1f}/s · {self.tokens:,} tokens{cost}{left} · {states or 'no row yet'}"


class Results(Sequence[Row]):
    """The rows of a job, in the order of its tasks, without tasks that were not run.

    Attributes:
        folder: folder of the job.
        stopped: why no further task was started; "" if all were.
        total: number of tasks.
    """

    def __init__(self, rows: Sequence[Row], folder: Path, spec: AgentSpec, total: int, stopped: str = "") -> None:
        self._rows, self.folder, self.spec, self.total, self.stopped = list(rows), folder, spec, total, stopped

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, place: Any) -> Any:
        return self._rows[place]

    def __repr__(self) -> str:
        states = ", ".join(f"{state} {count}" for state, count in self.states.items())
        return f"<Results of {len(self):,} of {self.total:,} tasks in {self.folder}: {states}>"

    @property
    def states(self) -> dict[str, int]:
        """Number of rows by state."""
        return dict(Counter(str(row["state"]) for row in self._rows))

    @property
    def ok(self) -> bool:
        """Whether every task has an answer."""
        return len(self) == self.total and set(self.states) <= {DONE}

    @property
    def waiting(self) -> list[Row]:
        """Rows of runs that wait for approval."""
        return [row for row in self._rows if row["state"] == WAITING]

    def frame(self) -> Any:
        """Return the rows as a pandas DataFrame. With ``output_type``, each field of the answer is a column of its type."""
        with importing():
            import pandas as pd

        return pd.DataFrame(columns_of([{**row, "answer": self._typed(row["answer"])} for row in self._rows]))

    def _typed(self, answer: Any) -> Any:
        """Convert a plain answer to the output type, such as texts to dates."""
        expected = self.spec.expected
        if answer is None or expected is None or isinstance(expected, dict):
            return answer
        from smolcell.output_checks.answer_types import reader

        try:
            value = reader(expected).value(answer)
        except ValueError:  # a table, or an answer at the step limit
            return answer
        if hasattr(value, "model_dump"):
            return value.model_dump()
        return dict(vars(value)) if hasattr(value, "__dataclass_fields__") else value


def map(  # noqa: A001 - the word of the field
    tasks: Any,
    spec: AgentSpec,
    on: str | Engine = "local",
    *,
    out: str | os.PathLike[str] | None = None,
    template: str = "",
    limits: Limits | None = None,
    show: Callable[[Progress], object] | None = None,
    **limited: Any,
) -> Results:
    """Do every task with an agent of this recipe. Returns when all rows are written.

    Tasks with an answer in ``out`` are not repeated, so the same call continues an interrupted job.

    Args:
        tasks: a file (.jsonl, .csv, .parquet), a table, or an iterable of texts or mappings: see ``read_tasks``.
        spec: the recipe.
        on: ``local:N`` (threads), ``dask`` (processes of this machine), ``dask://HOST:PORT``, or an ``Engine``.
        out: the folder of the job; a new one in the user's state folder by default.
        template: makes the task of a row that has none; ``{column}`` stands for the row's value.
        limits: of the job; or its fields as arguments, such as ``budget="$5"``.
        show: called with the progress.

    Raises:
        SetupError: a task, the engine or the folder is not valid.
        KeyboardInterrupt: after Ctrl-C; active runs end within two seconds, and rows are kept.
    """
    bounds = limits or Limits(**limited)
    tasks_read = read_tasks(tasks, template)
    spec = _with_model(spec)
    folder = Path(out) if out is not None else state_folder("maps", f"out-{time.time_ns():x}")
    with JobFolder(folder) as opened:
        job = _Job(tasks_read, spec, opened, bounds, show or (lambda progress: None))
        stopped = job.run(on)
        rows = {str(row["id"]): row for row in read_rows(opened.path)}
        own = [rows[task.key] for task in tasks_read if task.key in rows]
        write_parquet(opened.path, own)
    return Results(own, opened.path, spec, len(tasks_read), stopped)


def _with_model(spec: AgentSpec) -> AgentSpec:
    """Return the recipe with the default model if it names none, because a row records the model."""
    if spec.model or spec.replay:
        return spec
    from smolcell.models import default_model

    return replace(spec, model=default_model(api_base=spec.api_base))


class _Job:
    """One call of ``map``."""

    def __init__(
        self, tasks: list[Task], spec: AgentSpec, folder: JobFolder, limits: Limits, show: Callable[[Progress], object]
    ) -> None:
        self.tasks, self.spec, self.folder, self.limits, self._show = tasks, spec, folder, limits, show
        self._failures = 0
        self._stopped = ""
        self._until = time.time() + limits.deadline if limits.deadline else 0.0
        self.progress = Progress(len(tasks), 0)
        self._process = processes.stat(os.getpid())
        self._written = float("-inf")

    def run(self, on: str | Engine) -> str:
        """Do the remaining tasks. Returns why the job stopped early, or ""."""
        make = engine_of(on) if isinstance(on, str) else lambda: on
        done = self.folder.start(self.tasks, self.spec.digest)
        name = self.folder.begin(self.spec, on if isinstance(on, str) else type(on).__name__)
        self._name = f"{name[:12]}-{time.time_ns():x}"
        answers = answers_of(self.folder.path)
        todo, foreign = [], 0
        for task in self.tasks:
            row = done.get(task.key)
            task_answers = [] if row is None else answers.get((task.key, str(row.get("journal"))), [])
            if _is_left(row, task_answers, self.spec):
                todo.append((task, row, task_answers))
            elif row is not None:
                self.progress.add(row)
                foreign += not self.folder.is_own(row)
        self.progress.before = sum(self.progress.states.values())
        if foreign:
            log.warning(
                "%s came with %s: no job of yours wrote them there on this machine, or the folder was moved or copied. "
                "To do these tasks anew, name another folder",
                counted(foreign, "answer"),
                self.folder.path,
            )
        try:
            if todo:
                engine = make()
                with closing(engine) if isinstance(on, str) else nullcontext():
                    self._work(engine, todo)
        finally:  # also after Ctrl-C and errors: waiting runs of an interrupted job can be answered at once
            self.progress.over, self.progress.running = True, 0
            self._tell()
        return self._stopped

    def _work(self, engine: Engine, todo: Sequence[_Todo]) -> None:
        """Keep the engine busy with a bounded number of tasks, and write each row when it arrives."""
        if not engine.remote and (links := find_links(self.spec.files)):
            raise SetupError(
                f"{describe_links(links)}. No one can allow it in a job. To send what it leads to, name that path itself"
            )
        items = iter(self._items(engine, todo))
        pending: dict[Future[str], Item] = {}
        try:
            while True:
                while not self._stopped and len(pending) < 2 * engine.width:
                    if (following := next(items, None)) is None:
                        break
                    pending[engine.executor.submit(work, following)] = following
                if not pending:
                    return
                self.progress.running = min(len(pending), engine.width)
                done, _ = wait(pending, timeout=_TICK_SECONDS, return_when=FIRST_COMPLETED)
                for future in done:
                    self._take(pending.pop(future), future)
                self._tell()
                if self._until and time.time() > self._until and not self._stopped:
                    self._stopped = "its deadline has passed"
                if self._stopped:
                    for future in [each for each in pending if each.cancel()]:
                        del pending[future]
        except BaseException as error:
            engine.stop(self._name)
            self._drain(pending)
            if isinstance(error, OSError):
                raise SetupError(_GONE) from None
            raise

    def _tell(self) -> None:
        """Report the progress: to other processes about once a second, and to ``show``."""
        if self.progress.over or time.monotonic() > self._written + _REPORT_SECONDS:
            self._written = time.monotonic()
            process = {"pid": os.getpid(), "start": self._process.start if self._process else 0, "place": place()}
            self.folder.tell({"told": str(self.progress), "over": self.progress.over, **process})
        self._show(self.progress)

    def _drain(self, pending: Mapping[Future[str], Item]) -> None:
        """Let stopped runs record their ends. Their rows are not kept: the tasks are repeated."""
        for future in pending:
            future.cancel()
        wait(pending, timeout=_DRAIN_SECONDS)

    def _items(self, engine: Engine, todo: Sequence[_Todo]) -> Iterator[Item]:
        for task, row, answers in todo:
            journal = "" if row is None else self.folder.journal(row)
            if journal is None:
                raise SetupError(f"the journal of task {task.key} was changed while the job ran: run the command again")
            yield Item(
                job=self._name,
                spec=self.spec,
                task=task,
                folder="" if engine.remote else str(self.folder.path),
                answers=tuple(answers),
                waited=row or {},
                journal=journal,
                per_host=self.limits.per_host,
                per_model=self.limits.per_model,
                seconds=self.limits.seconds,
                until=self._until,
            )

    def _take(self, item: Item, future: Future[str]) -> None:
        """Write the row of a finished task, and check whether the job may go on."""
        try:
            row = json.loads(future.result())
        except CancelledError:
            raise SetupError(_GONE) from None
        except Exception as error:
            row = new_row(item, state="error", error=shorten(f"{type(error).__name__}: {error}", 2000))
        if (text := row.pop("journal_text", None)) is not None:
            self.folder.keep_journal(row["journal"], text)
        if row["state"] == "stopped" and self._stopped:
            return
        if item.waited:
            self.folder.drop([item.task.key])
        self.folder.append(row)
        self.progress.add(row)
        self._failures = 0 if row["state"] in (DONE, WAITING) else self._failures + 1
        self._stopped = self._stopped or self._spent()

    def _spent(self) -> str:
        if self.limits.failures and self._failures >= self.limits.failures:
            return f"{self._failures} tasks in a row failed"
        limit, progress = budget_limit(self.limits.budget), self.progress
        if "tokens" in limit and progress.tokens >= limit["tokens"]:
            return f"its budget is spent: {progress.tokens:,} of {limit['tokens']:,} tokens"
        if "cost" in limit and progress.cost is None and progress.tokens:
            return "the model does not report its cost, so the job's budget in dollars cannot be enforced"
        if "cost" in limit and (progress.cost or 0.0) >= limit["cost"]:
            return f"its budget is spent: ${progress.cost:.4f} of ${limit['cost']:g}"
        return ""


def _is_left(row: Row | None, answers: Sequence[Row], spec: AgentSpec) -> bool:
    """Return whether a task is to be run: it has not run, or its waiting proposal was answered or needs no answer any more."""
    if row is None or row.get("state") == DONE:
        return row is None
    return spec.approve == "auto" or is_answered(row, answers)


# --- estimate ------------------------------------------------------------------------------------------------------


_STEPS_PER_TASK = 3  # per task, if unknown
_TOKENS_PER_REPLY = 300  # tokens per reply
_PROMPT_TOKENS = 2_500  # tokens of the system prompt


def estimate(tasks: Sequence[Task], spec: AgentSpec, out: Path) -> str:
    """Return how many tasks are left, and what they may cost, as text. No model is asked."""
    rows = [row for row in read_rows(out) if row.get("spec") == spec.digest and row.get("state") == DONE]
    answered = {str(row["id"]): row for row in rows if is_complete(row)}
    done, left = answered.values(), [task for task in tasks if task.key not in answered]
    lines = [f"{len(tasks):,} tasks, {len(tasks) - len(left):,} of them have an answer, {len(left):,} are left"]
    known = [row["cost"] for row in done if row.get("cost") is not None]
    if done:
        used = sum(row["input_tokens"] + row["output_tokens"] for row in done) / len(done)
        tokens, basis = int(used * len(left)), f"as for the {len(done):,} finished ones"
    else:
        each = [_usage(task) for task in left]
        tokens, basis = sum(one.total_tokens for one in each), f"at {_STEPS_PER_TASK} steps a task"
    lines.append(f"tokens: about {tokens:,} ({basis})")
    cost = sum(known) / len(known) * len(left) if known else _priced(spec, left)
    lines.append(
        "cost: not known, since the model's price is not known" if cost is None else f"cost: about ${cost:.2f}"
    )
    return "\n".join(lines)


def _usage(task: Task) -> Usage:
    """Estimate the usage of a task. The conversation is sent again with each step."""
    prompt = _PROMPT_TOKENS + tokens_of(task.text)
    grown = sum(prompt + step * 2 * _TOKENS_PER_REPLY for step in range(_STEPS_PER_TASK))
    return Usage(input_tokens=grown, output_tokens=_STEPS_PER_TASK * _TOKENS_PER_REPLY)


def _priced(spec: AgentSpec, left: Sequence[Task]) -> float | None:
    from smolcell.models.capabilities import listing

    if spec.replay:
        return 0.0
    return listing(spec.model or "").cost(sum((_usage(task) for task in left), Usage()))
