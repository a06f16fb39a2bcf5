"""``smolcell map``, ``approve`` and ``eval``: many runs. Exit status: 0 if every row has an answer, 1 if not, 2 for invalid arguments."""

from __future__ import annotations

import argparse
import secrets
import shlex
import sys
import time
from dataclasses import replace
from pathlib import Path

from smolcell.agent.running import Job
from smolcell.cli import stdio
from smolcell.cli.run import terminal
from smolcell.cli.serve import ends_with_client
from smolcell.core.redaction import redact
from smolcell.core.spec import AgentSpec, budget_limit
from smolcell.core.text import presentable, shorten, visible
from smolcell.errors import SetupError
from smolcell.models import with_local_model
from smolcell.notebook.settings import effective_settings, read_options, resolve
from smolcell.protocols import Answer
from smolcell.scale import approvals, evaluation
from smolcell.scale.approvals import Group, groups
from smolcell.scale.engines import engine_of, quiet
from smolcell.scale.folder import DONE, JobFolder, describe_changed_rows, no_own_job_error, own_job, read_rows
from smolcell.scale.job import Limits, Progress, Results, estimate, map  # noqa: A004 - the word of the field
from smolcell.scale.tasks import read_tasks
from smolcell.tools.builtin import own_tools

ALL, SOME, USAGE = 0, 1, 2
_PROGRESS_SECONDS = 10.0  # seconds between lines of progress without a terminal
_MIN_DIGITS = 8  # least digits of a digest that name a group


class ProgressLine:
    """Shows the progress on standard error: one line that changes at a terminal, else a line now and then."""

    def __init__(self) -> None:
        self._tty, self._last, self._width = sys.stderr.isatty(), time.monotonic(), 0

    def __call__(self, progress: Progress) -> None:
        now, line = time.monotonic(), str(progress)
        if self._tty:
            print(f"\r{line.ljust(self._width)}", end="\n" if progress.over else "", file=sys.stderr, flush=True)
            self._width = len(line)
        elif progress.over or now - self._last > _PROGRESS_SECONDS:
            self._last = now
            stdio.say(line)


def run_map(given: argparse.Namespace) -> int:
    """Do the tasks. Returns the exit status."""
    try:
        spec, tasks = spec_of(given), read_tasks(given.tasks, given.task)
        limits = limits_of(given)
    except SetupError as error:
        return print_error(error)
    if given.dry_run:
        print(estimate(tasks, spec, given.folder))
        return ALL
    with ends_with_client():
        results = map(tasks, spec, given.on, out=given.folder, limits=limits, show=ProgressLine())
    return print_outcome(results, again=given.again)


def spec_of(given: argparse.Namespace) -> AgentSpec:
    """Return the recipe for the agents, from the options of a run.

    Raises:
        SetupError: an option is not valid, or not possible in a job.
    """
    options = read_options(given)
    unfit = [f"--{name}" for name in ("record", "mcp") if getattr(options, name)]
    if unfit:
        raise SetupError(f"{', '.join(unfit)} cannot be shared by many runs: leave it out")
    engine_of(given.on)
    if given.on.startswith("dask"):
        quiet()
    effective_settings(options, source="the command line")  # reports invalid options before the job starts
    own_tools(options.tools)
    found = with_local_model(resolve(options.settings, source="the command line"))
    settings = {name: getattr(found, name) for name in AgentSpec.settings_names()}
    return AgentSpec(
        **settings,
        tools=options.tools,
        files=options.files,
        read_only=options.read_only,
        output_type=getattr(given, "output_type", ""),
        replay=options.replay or "",
    )


def limits_of(given: argparse.Namespace) -> Limits:
    """Return the limits of a job.

    Raises:
        SetupError: the budget is not valid.
    """
    if not all(budget_limit(given.job_budget).values()):
        raise SetupError(
            f"--job-budget is {given.job_budget!r}: expected dollars in single quotes, such as '$5', or tokens, such as 2m"
        )
    return Limits(
        per_host=given.per_host,
        per_model=given.per_model,
        budget=given.job_budget,
        failures=given.failures,
        seconds=given.task_seconds,
        deadline=given.deadline,
    )


def print_error(error: SetupError) -> int:
    """Report an invalid argument. Returns the exit status."""
    stdio.say(f"smolcell: {visible(redact(stdio.for_a_shell(str(error))))}")
    return USAGE


def print_outcome(results: Results, again: str) -> int:
    """Report how a job ended, and what to type next. Returns the exit status."""
    stdio.say(f"rows: {results.folder / 'rows.jsonl'}")
    if results.stopped:
        stdio.say(f"smolcell: the job stopped: {results.stopped}. To continue: {again}")
    if results.waiting:
        many = len(results.waiting)
        stdio.say(
            f"smolcell: {many:,} {'runs wait' if many > 1 else 'run waits'} for an approval: "
            f"smolcell approve {shlex.quote(str(results.folder))}"
        )
    failed = [row for row in results if row["error"]]
    for row in failed[:3]:
        stdio.say(f"smolcell: task {visible(str(row['id']))}: {presentable(shorten(row['error'], 300))}")
    return ALL if results.ok else SOME


# --- smolcell approve ---------------------------------------------------------------------------------------------------


def approve(given: argparse.Namespace) -> int:
    """Ask about the waiting proposals, and continue the answered runs. Returns the exit status."""
    path = given.folder
    if not (path / "rows.jsonl").is_file():
        return print_error(SetupError(f"{path} is not a job's folder: it has no rows.jsonl"))
    if not own_job(path):
        return print_error(no_own_job_error(path))
    waiting = groups(path)
    if changed := describe_changed_rows(path):
        stdio.say(f"smolcell: {visible(changed)}")
    try:
        answers = _parse_answers(waiting, given)
    except SetupError as error:
        return print_error(error)
    if given.list or (not answers and not sys.stdin.isatty()):
        print(approvals.listed(waiting) or "nothing waits for approval")
        if waiting and not given.list:
            stdio.say(
                "smolcell: no one can approve. Approve one of these with --yes SHA256, or type the command at a terminal"
            )
        return _status(path)
    with JobFolder(path) as folder:
        for group in waiting:
            answer = answers.get(group.sha256) if answers else _ask(group)
            if answer is not None and answer.choice == "stop" and not answers:
                break
            if answer is not None:
                many = approvals.answer(folder, group, answer)
                stdio.say(f"smolcell: answered for {many:,} run{'s' * (many != 1)}")
    try:
        results = approvals.go_on(path, given.on, show=ProgressLine())
    except SetupError as error:
        return print_error(error)
    if results is not None:
        print_outcome(results, again=given.again)
    return _status(path)


def _status(path: Path) -> int:
    return ALL if all(row.get("state") == DONE for row in read_rows(path)) else SOME


def _parse_answers(waiting: list[Group], given: argparse.Namespace) -> dict[str, Answer]:
    """Return the answers given on the command line, by digest.

    Raises:
        SetupError: a digest matches no group, or several.
    """
    answers: dict[str, Answer] = {}
    for choice, names in (("approve", given.yes), ("refuse", given.no)):
        for name in names or ():
            fits = [group for group in waiting if len(name) >= _MIN_DIGITS and group.sha256.startswith(name)]
            if len(fits) != 1:
                raise SetupError(
                    f"{name!r} does not match exactly one group: give at least {_MIN_DIGITS} digits of a digest of smolcell approve --list"
                )
            shown = fits[0].sha256
            answers[shown] = Answer(run="", step=0, fingerprint=shown, choice=choice, comment=given.comment)  # type: ignore[arg-type]
    return answers


def _ask(group: Group) -> Answer:
    """Ask a person at the terminal about one group. Returns the answer."""
    front, _ = terminal()
    proposal = group.proposal(secrets.token_hex(6), 1)
    front.view.show(proposal)
    return front.waiter.wait(Job(front.view.ask(proposal)).done)


# --- smolcell eval ------------------------------------------------------------------------------------------------------


def evaluate(given: argparse.Namespace) -> int:
    """Compare models on a suite. Returns the exit status."""
    try:
        names = [name.strip() for name in (given.model or "").split(",") if name.strip()]
        given.model = names[0] if names else None
        spec, limits = spec_of(given), limits_of(given)
        specs = [replace(spec, model=name) for name in names] or [spec]
        suite = evaluation.read_suite(given.suite, given.functions)
    except SetupError as error:
        return print_error(error)
    with ends_with_client():
        result = evaluation.evaluate(
            suite, specs, given.folder, n=max(1, given.n), on=given.on, limits=limits, show=ProgressLine()
        )
    print(visible(str(result)))
    return ALL if result.complete else SOME
