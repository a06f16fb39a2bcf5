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
from smolcell.errors import SetupError
from smolcell.protocols import Answer
from smolcell.redaction import redact
from smolcell.scale import approvals
from smolcell.scale.approvals import Group, groups
from smolcell.scale.engines import engine_of, quiet
from smolcell.scale.folder import DONE, Folder, job_of, read_rows
from smolcell.scale.job import Limits, Progress, Results, estimate, map  # noqa: A004 - the word of the field
from smolcell.scale.spec import AgentSpec
from smolcell.scale.tasks import read_tasks
from smolcell.settings import budget_limit, effective_settings, own_tools, read_options, resolve
from smolcell.text import visible

ALL, SOME, USAGE = 0, 1, 2
_EVERY = 10.0  # seconds between two lines of progress where no terminal is
_SHORTEST = 8  # digits of a digest that name a group


class ProgressLine:
    """Progress on standard error: one line that changes at a terminal, else a line now and then."""

    def __init__(self) -> None:
        self._tty, self._last, self._width = sys.stderr.isatty(), time.monotonic(), 0

    def __call__(self, progress: Progress) -> None:
        now, line = time.monotonic(), str(progress)
        if self._tty:
            print(f"\r{line.ljust(self._width)}", end="\n" if progress.over else "", file=sys.stderr, flush=True)
            self._width = len(line)
        elif progress.over or now - self._last > _EVERY:
            self._last = now
            stdio.say(line)


def run_map(given: argparse.Namespace) -> int:
    """Do the tasks; returns the exit status."""
    try:
        spec, tasks = spec_of(given), read_tasks(given.tasks, given.task)
        limits = limits_of(given)
    except SetupError as error:
        return print_error(error)
    if given.dry_run:
        print(estimate(tasks, spec, given.folder))
        return ALL
    if given.on.startswith("dask"):
        quiet()
    results = map(tasks, spec, given.on, out=given.folder, limits=limits, show=ProgressLine())
    return print_outcome(results, again=given.again)


def spec_of(given: argparse.Namespace) -> AgentSpec:
    """The recipe that the options of a run mean.

    Raises:
        SetupError: one is not valid, or a job cannot have it.
    """
    options = read_options(given)
    unfit = [f"--{name}" for name in ("record", "mcp") if getattr(options, name)]
    if unfit:
        raise SetupError(f"{', '.join(unfit)} cannot be shared by many runs: leave it out")
    engine_of(given.on)
    effective_settings(options, source="the command line")  # says now what is wrong
    own_tools(options.tools)
    found = resolve(options.settings, source="the command line")
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
    """The limits of a job.

    Raises:
        SetupError: the budget is not valid.
    """
    return Limits(
        per_host=given.per_host,
        per_model=given.per_model,
        budget=_job_budget(given.job_budget),
        failures=given.failures,
        seconds=given.task_seconds,
        deadline=given.deadline,
    )


def _job_budget(text: str) -> str:
    if not all(budget_limit(text).values()):
        raise SetupError(
            f"--job-budget is {text!r}: expected dollars in single quotes, such as '$5', or tokens, such as 2m"
        )
    return text


def print_error(error: SetupError) -> int:
    """Say what is wrong with the words."""
    stdio.say(f"smolcell: {visible(redact(stdio.for_a_shell(str(error))))}")
    return USAGE


def print_outcome(results: Results, again: str) -> int:
    """Say how a job ended, and what to type next."""
    stdio.say(f"rows: {results.folder / 'rows.jsonl'}")
    if results.stopped:
        stdio.say(f"smolcell: the job stopped: {results.stopped}. To go on: {again}")
    if results.waiting:
        many = len(results.waiting)
        stdio.say(
            f"smolcell: {many:,} {'runs wait' if many > 1 else 'run waits'} for an approval: "
            f"smolcell approve {shlex.quote(str(results.folder))}"
        )
    failed = [row for row in results if row["error"]]
    for row in failed[:3]:
        stdio.say(f"smolcell: task {visible(str(row['id']))}: {visible(redact(row['error'][:300]))}")
    return ALL if results.ok else SOME


# --- smolcell approve ---------------------------------------------------------------------------------------------------


def approve(given: argparse.Namespace) -> int:
    """Ask about what waits, and go on with what was answered."""
    path = given.folder
    if not (path / "rows.jsonl").is_file() or not job_of(path):
        return print_error(SetupError(f"{path} is no folder of a job: it has no rows.jsonl and job.json"))
    found = groups(path)
    try:
        said = _named(found, given)
    except SetupError as error:
        return print_error(error)
    if given.list or (not said and not sys.stdin.isatty()):
        print(approvals.listed(found) or "nothing waits for an approval")
        if found and not given.list:
            stdio.say(
                "smolcell: nobody is there to approve. Approve one of these with --yes SHA256, or type the command at a terminal"
            )
        return _status(path)
    with Folder(path) as folder:
        if not folder.is_own():
            return print_error(
                SetupError(f"{path} was not made by a job of yours on this machine: run its tasks with smolcell map")
            )
        for group in found:
            answer = said.get(group.sha256) if said else _ask(group)
            if answer is not None and answer.choice == "stop" and not said:
                break
            if answer is not None:
                many = approvals.answer(folder, group, answer)
                stdio.say(f"smolcell: answered for {many:,} run{'s' * (many != 1)}")
    results = approvals.go_on(path, given.on, show=ProgressLine())
    if results is not None:
        print_outcome(results, again=given.again)
    return _status(path)


def _status(path: Path) -> int:
    return ALL if all(row.get("state") == DONE for row in read_rows(path)) else SOME


def _named(found: list[Group], given: argparse.Namespace) -> dict[str, Answer]:
    """The answers that were given on the command line, by digest.

    Raises:
        SetupError: no group, or no single one, is named so.
    """
    said: dict[str, Answer] = {}
    for choice, names in (("approve", given.yes), ("refuse", given.no)):
        for name in names or ():
            fits = [group for group in found if len(name) >= _SHORTEST and group.sha256.startswith(name)]
            if len(fits) != 1:
                raise SetupError(
                    f"{name!r} names no single group: give at least {_SHORTEST} digits of what smolcell approve --list shows"
                )
            shown = fits[0].sha256
            said[shown] = Answer(run="", step=0, fingerprint=shown, choice=choice, comment=given.comment)  # type: ignore[arg-type]
    return said


def _ask(group: Group) -> Answer:
    """Ask a person at the terminal about one group."""
    front, _ = terminal()
    proposal = group.proposal(secrets.token_hex(6), 1)
    front.view.show(proposal)
    return front.waiter.wait(Job(front.view.ask(proposal)).done)


# --- smolcell eval ------------------------------------------------------------------------------------------------------


def evaluate(given: argparse.Namespace) -> int:
    """Compare models on a suite; returns the exit status."""
    from smolcell.scale import evaluation

    try:
        names = [name.strip() for name in (given.model or "").split(",") if name.strip()]
        given.model = names[0] if names else None
        spec, limits = spec_of(given), limits_of(given)
        specs = [replace(spec, model=name) for name in names] or [spec]
        suite = evaluation.read_suite(given.suite, given.folder.expanduser().absolute())
    except SetupError as error:
        return print_error(error)
    if given.on.startswith("dask"):
        quiet()
    found = evaluation.evaluate(
        suite, specs, given.folder, n=max(1, given.n), on=given.on, limits=limits, show=ProgressLine()
    )
    print(visible(str(found)))
    return ALL if found.complete else SOME
