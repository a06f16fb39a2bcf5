"""The sub-commands of ``%agent`` for extensions: ``map`` and ``approvals`` (many runs), and ``mcp`` (a session for another agent)."""

from __future__ import annotations

import secrets
import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from smolcell.core.text import presentable, shorten, visible
from smolcell.errors import SetupError
from smolcell.events import Asked, Ended
from smolcell.machine.environment import optional
from smolcell.notebook.commands import WordParser, split, usage
from smolcell.notebook.context import functions, gather
from smolcell.notebook.settings import Options, effective_settings, read_line, resolve
from smolcell.notebook.status import kernel_id
from smolcell.protocols import BaseView, FrontEnd

if TYPE_CHECKING:
    from smolcell.notebook.magic import AgentMagics
    from smolcell.scale import AgentSpec, Progress, Results

_UPDATE_SECONDS = 0.5  # seconds between updates of the progress


# --- ``%agent map``: many tasks.


def do_map(magics: AgentMagics, line: str) -> str:
    """Do the tasks in a notebook variable; ``-o NAME`` stores the results."""
    from smolcell import scale

    parser = WordParser("map", line)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--on", default="local")
    parser.add_argument("--task", default="")
    parser.add_argument("--job-budget", default="")
    given, words = parser.read()
    parser.check(bool(words) and not words[0].startswith("-"))
    name, options, variables = words[0], read_line(shlex.join(words[1:])), magics.shell.user_ns
    if name not in variables:
        raise SetupError(f"%agent map {name}: there is no variable of this name: run the cell that defines it first")
    spec = _spec(magics, options)
    limits = scale.Limits(budget=given.job_budget)
    tasks = scale.read_tasks(variables[name], given.task)
    folder = given.folder or Path(f"map-{name}")
    results = scale.map(tasks, spec, given.on, out=folder, limits=limits, show=ProgressOutput())
    if options.out is not None:
        magics.shell.push({options.out: results})
    magics.mapped = results.folder
    return summarize_results(results)


def _spec(magics: AgentMagics, options: Options) -> AgentSpec:
    """Return the recipe for the agents, from the options and the notebook's configuration.

    Raises:
        SetupError: an option is not valid, or not possible in a job.
    """
    from smolcell.core.spec import path_of
    from smolcell.scale import AgentSpec

    unfit = [name for name in ("record", "mcp", "variables", "pull", "new", "background") if getattr(options, name)]
    if unfit:
        raise SetupError(f"%agent map does not take {', '.join(unfit)}: many runs cannot share it. {usage('map')}")
    effective_settings(options, magics.config)
    settings = resolve(options.settings, magics.config)
    return AgentSpec(
        **{name: getattr(settings, name) for name in AgentSpec.settings_names()},
        tools=tuple(path_of(tool) for tool in functions(options.tools, magics.shell.user_ns)),
        files=options.files,
        read_only=options.read_only,
        replay=options.replay or "",
    )


class ProgressOutput:
    """Shows the progress of a job as one output that is updated."""

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


# --- ``%agent approvals``: the waiting proposals of a job.


def answer_approvals(magics: AgentMagics, line: str) -> str:
    """Answer the waiting proposals of a job, by default of the newest one, and continue the answered runs."""
    from smolcell.scale.folder import describe_changed_rows

    words = split(line, "approvals")
    if len(words) > 1 or not (words or magics.mapped):
        raise SetupError("%agent approvals takes the folder of a job: %agent approvals map-tasks")
    folder = Path(words[0]) if words else magics.mapped or Path()
    answered, results = approvals(folder, magics.front)
    lines = [f"smolcell: answered for {answered:,} run{'s' * (answered != 1)}"]
    if changed := describe_changed_rows(folder):
        lines.append(f"smolcell: {changed}")
    return "\n".join([*lines, *([summarize_results(results)] if results is not None else [])])


def approvals(folder: Path, front: FrontEnd) -> tuple[int, Results | None]:
    """Ask about the waiting proposals of a job, one group at a time on one card, and continue the answered runs.

    Returns:
        The number of runs that have an answer now, and the rows of those that continued.

    Raises:
        SetupError: the folder is no job of this user, or is in use.
    """
    from smolcell.agent.running import Job
    from smolcell.scale import approvals as scaled
    from smolcell.scale.folder import JobFolder, no_own_job_error, own_job

    if not (folder / "rows.jsonl").is_file():
        raise SetupError(f"{folder} is not a job's folder: name one, for example: %agent approvals map-tasks")
    if not own_job(folder):
        raise no_own_job_error(folder, again="%agent map VARIABLE --folder")
    with JobFolder(folder) as opened:
        waiting = scaled.groups(folder)
        run = secrets.token_hex(6)
        if waiting and isinstance(front.view, BaseView):
            front.view.prepare(run, _head(waiting))
        answered = front.waiter.wait(Job(_ask(waiting, opened, front, run)).done) if waiting else 0
    return answered, scaled.go_on(folder, show=ProgressOutput())


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


# --- ``%agent mcp``: a session for another agent.


def serve_mcp(magics: AgentMagics, line: str) -> None:
    """Serve a session to an MCP client, "mcp" by default, until an interrupt."""
    with optional("%agent mcp", "mcp"):
        from smolcell.interop.mcp_server import attach

    options = read_line(line)
    options.settings.setdefault("session", "mcp")
    session = magics.sessions.get(options.settings["session"], new=options.new)
    settings = magics.settings(session, options)
    magics.sessions.keep(session)
    session.hold(options)
    variables = gather(options.variables, (), magics.shell.user_ns)
    attach(session, settings, options, magics.front, variables, magics.say, kernel_id())
