"""``%agent map`` and ``%agent approvals``: many runs, and their waiting proposals, in a notebook."""

from __future__ import annotations

import argparse
import secrets
import shlex
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from smolcell.core.text import presentable, shorten, visible
from smolcell.errors import SetupError
from smolcell.events import Asked, Ended
from smolcell.notebook.commands import functions, usage
from smolcell.notebook.settings import Options, effective_settings, read_line, resolve
from smolcell.protocols import BaseView, FrontEnd

if TYPE_CHECKING:
    from smolcell.scale import AgentSpec, Progress, Results

_UPDATE_SECONDS = 0.5  # seconds between updates of the progress


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise SetupError(f"%agent map: {message}. {usage('map')}")


@dataclass(frozen=True, slots=True)
class Asking:
    """A parsed ``%agent map`` line."""

    name: str
    folder: Path
    on: str
    template: str
    budget: str
    options: Options


def read_map(line: str) -> Asking:
    """Read the words after ``%agent map``.

    Raises:
        SetupError: the line has another form.
    """
    parser = _Parser(add_help=False, allow_abbrev=False)
    parser.add_argument("name", metavar="VARIABLE")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--on", default="local")
    parser.add_argument("--task", default="")
    parser.add_argument("--job-budget", default="")
    try:
        given, rest = parser.parse_known_args(shlex.split(line))
    except ValueError as error:
        raise SetupError(f"%agent map cannot be read: {error}. Close every quote") from None
    folder = given.folder or Path(f"map-{given.name}")
    return Asking(given.name, folder, given.on, given.task, given.job_budget, read_line(shlex.join(rest)))


def spec_of(parsed: Asking, config: Mapping[str, Any], names: Mapping[str, Any]) -> AgentSpec:
    """Return the recipe for the agents, from the options and the notebook's configuration.

    Raises:
        SetupError: an option is not valid, or not possible in a job.
    """
    from smolcell.core.spec import path_of
    from smolcell.scale import AgentSpec

    options = parsed.options
    unfit = [name for name in ("record", "mcp", "variables", "pull", "new", "background") if getattr(options, name)]
    if unfit:
        raise SetupError(f"%agent map does not take {', '.join(unfit)}: many runs cannot share it. {usage('map')}")
    effective_settings(options, config)
    settings = resolve(options.settings, config)
    return AgentSpec(
        **{name: getattr(settings, name) for name in AgentSpec.settings_names()},
        tools=tuple(path_of(tool) for tool in functions(options.tools, names)),
        files=options.files,
        read_only=options.read_only,
        replay=options.replay or "",
    )


class Shown:
    """Shows the progress as one output that is updated."""

    def __init__(self) -> None:
        self._handle: Any = None
        self._last = float("-inf")

    def __call__(self, progress: Progress) -> None:
        from IPython.display import Pretty, display

        if not progress.over and time.monotonic() < self._last + _UPDATE_SECONDS:
            return
        self._last = time.monotonic()
        shown = Pretty(str(progress))
        if self._handle is None:
            self._handle = display(shown, display_id=True)
        else:
            self._handle.update(shown)


def map_variable(line: str, config: Mapping[str, Any], names: Mapping[str, Any]) -> tuple[Asking, Results]:
    """Do the tasks in a notebook variable.

    Raises:
        SetupError: the line, the variable or an option is not valid.
    """
    from smolcell import scale

    parsed = read_map(line)
    if parsed.name not in names:
        raise SetupError(
            f"%agent map {parsed.name}: there is no variable of this name: run the cell that defines it first"
        )
    spec = spec_of(parsed, config, names)
    limits = scale.Limits(budget=parsed.budget)
    tasks = scale.read_tasks(names[parsed.name], parsed.template)
    return parsed, scale.map(tasks, spec, parsed.on, out=parsed.folder, limits=limits, show=Shown())


def summarize_results(results: Results) -> str:
    """Return how a job ended, and what to type next."""
    lines = [repr(results)]
    if results.stopped:
        lines.append(f"smolcell: the job stopped: {results.stopped}. Run this cell again to continue")
    if results.waiting:
        many = len(results.waiting)
        lines.append(
            f"smolcell: {many:,} {'runs wait' if many > 1 else 'run waits'} for an approval: "
            f"%agent approvals {shlex.quote(str(results.folder))}"
        )
    lines += [
        f"smolcell: task {visible(str(row['id']))}: {presentable(shorten(row['error'], 300))}"
        for row in results
        if row["error"]
    ][:3]
    return "\n".join(lines)


def approvals(folder: Path, front: FrontEnd) -> tuple[int, Results | None]:
    """Ask about the waiting proposals of a job, one group at a time on one card, and continue the answered runs.

    Returns:
        The number of runs that have an answer now, and the rows of those that continued.

    Raises:
        SetupError: the folder is no job of this user, or is in use.
    """
    from smolcell.agent.running import Job
    from smolcell.scale import approvals as scaled
    from smolcell.scale.folder import Folder, no_own_job_error, own_job

    if not (folder / "rows.jsonl").is_file():
        raise SetupError(f"{folder} is not a job's folder: name one, for example: %agent approvals map-tasks")
    if not own_job(folder):
        raise no_own_job_error(folder, again="%agent map VARIABLE --folder")
    with Folder(folder) as opened:
        waiting = scaled.groups(folder)
        run = secrets.token_hex(6)
        if waiting and isinstance(front.view, BaseView):
            front.view.prepare(run, _head(waiting))
        answered = front.waiter.wait(Job(_ask(waiting, opened, front, run)).done) if waiting else 0
    return answered, scaled.go_on(folder, show=Shown())


def _head(waiting: list[Any]) -> str:
    runs = sum(len(group.rows) for group in waiting)
    many = f"{len(waiting):,} different proposals" if len(waiting) > 1 else "1 proposal"
    return f"{runs:,} run{'s' * (runs != 1)} of a job wait{'s' * (runs == 1)} with {many}"


async def _ask(waiting: list[Any], folder: Any, front: FrontEnd, run: str) -> int:
    """Ask about each group. A stop leaves the remaining groups unanswered."""
    from smolcell.scale import approvals as scaled

    front.view.show(Asked(run=run, task=_head(waiting), session="approvals", approve="ask"))
    answered, steps = 0, 0
    for steps, group in enumerate(waiting, 1):
        proposal = group.proposal(run, steps)
        front.view.show(proposal)
        answer = await front.view.ask(proposal)
        front.view.show(scaled.decided(proposal, answer))
        if answer.choice in ("stop", "nobody"):
            break
        answered += scaled.answer(folder, group, answer)
    front.view.show(Ended(run=run, state="success", steps=steps))
    return answered
