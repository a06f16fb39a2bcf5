"""``%%agent`` and ``%agent``.

* Every error of a cell's options is reported before the model is called or a sandbox started.
* The cell waits until the run has ended, unless ``--background``: Run All keeps its order, and the next cell has the result.
* Errors of smolcell are one line in the notebook: a traceback through its threads does not help.
"""

from __future__ import annotations

import pkgutil
import secrets
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from smolcell.approval.grants import describe_reopened
from smolcell.approval.policy import policy_of_run
from smolcell.core.redaction import redact
from smolcell.core.spec import AgentSpec
from smolcell.errors import AgentGenerationError, AgentMaxStepsError, AgentStopped, SetupError, SmolcellError
from smolcell.notebook.commands import COMMANDS, usage
from smolcell.notebook.context import (
    Cells,
    Consent,
    NotebookContext,
    cell_pieces,
    functions,
    gather,
    level,
    linked_files,
    named_pieces,
    project,
    references,
    references_in,
    room_for,
    sent_before,
    servers,
)
from smolcell.notebook.session import Session, Sessions
from smolcell.notebook.settings import Options, effective_settings, parser, read_line, resolve
from smolcell.protocols import BaseView, Context, FrontEnd

if TYPE_CHECKING:
    from smolcell.agent import CodeAgent
    from smolcell.agent.result import RunResult
    from smolcell.agent.running import Job
    from smolcell.events import Piece

T = TypeVar("T")
PrintLine = Callable[[str], object]
ABOUT_KEYS = (
    "smolcell: {model} needs a key, but {variable} holds no accepted key. Type it below: it stays in memory until the kernel "
    "ends, and is not written to disk. To set it permanently, set {variable} where Jupyter is started{login}.\n{variable} (hidden): "
)
LOGINS = {"HF_TOKEN": ", or log in once with: !hf auth login"}
AT_LIMIT = "Go on with: %agent resume, with --max-steps for more steps. With --best-effort what the model wrote last is the answer"
_OTHER = "with another model: %agent resume -m provider/model"
GO_ON = {"key": "with another key: %agent resume", **dict.fromkeys(("model", "context", "quota", "refusal"), _OTHER)}
"""The kind of a model's error → how to go on after it, if asking the same model again cannot help."""


class AgentMagics:
    """The two magics of one shell, and their shared state: the configuration, the sessions, the front end.

    Args:
        shell: IPython's shell.
        sessions: kept until the extension is unloaded.
        front: the front end that shows, decides and waits.
        say: prints a line for the person.
        notebook: its path, by which a choice for all its runs is stored; "" if not known.
        answerable: returns whether a person can answer a question in the running cell.
    """

    def __init__(
        self,
        shell: Any,
        sessions: Sessions,
        front: FrontEnd,
        say: PrintLine = print,
        *,
        notebook: str = "",
        answerable: Callable[[], bool] = lambda: False,
    ) -> None:
        self.shell, self.sessions, self.front, self.say = shell, sessions, front, say
        self.cells, self.consent, self._answerable = Cells(shell), Consent(notebook), answerable
        self.config: dict[str, Any] = {}
        self._greeted = False  # whether the notebook's earlier grants were shown
        self.last_options: dict[str, Options] = {}  # session → the options of its newest task
        self.mapped: Path | None = None  # the folder of the newest job

    # --- %%agent ------------------------------------------------------------------------------------------------------

    def cell(self, line: str, cell: str) -> None:
        try:
            with policy_of_run():
                self._cell(line, cell)
        except SmolcellError as error:
            raise as_one_line(error) from None

    def _cell(self, line: str, task: str) -> None:
        given = read_line(line)
        session = self.sessions.get(resolve(given.settings, self.config).session, new=given.new)
        options = session.with_own(given)
        settings = effective_settings(options, self.config)
        if not task.strip():
            raise SetupError("the task is empty: write what you want done on the lines below %%agent")
        variables = gather(options.variables, references(task), self.shell.user_ns)
        named = references_in(task)
        links = linked_files(named)
        pieces = named_pieces(named, self.cells, self.shell.user_ns, links)
        given_in = {"additional_args": variables, "files": options.files, "read_only": options.read_only}
        self.begin(session, options, settings, task, pieces, links=links, **given_in)

    def begin(
        self,
        session: Session,
        options: Options,
        settings: AgentSpec,
        task: str,
        pieces: Sequence[Piece] | None = None,
        **more: Any,
    ) -> None:
        """Start a run, and wait for it unless it runs in the background. ``pieces``: the references of the task; None to resume."""
        if session.running:
            raise SetupError(f"the session {settings.session!r} has an active run: wait, or stop it with: %agent stop")
        found = project()
        agent = self._prepare(session, options, settings, found.servers)
        if pieces is not None:
            more["context"] = self._context(session, agent, options, settings, [*found.pieces, *pieces])
        front = session.front(settings, self.front)
        run = secrets.token_hex(6)
        job = agent.start(task.strip(), front=front, reset=False, run=run, contract=options.contract, **more)
        try:
            self.sessions.keep(session)
            session.hold(options)
            self.last_options[session.name] = options
            if isinstance(front.view, BaseView):
                front.view.prepare(run, task)
        except BaseException:  # also an interrupt just before the cell waits for the run
            job.cancel()
            raise
        if options.background:
            self._leave(job, session, options, front)
        else:
            self._keep(agent.stay(job, front.waiter), session, options, front)

    def _prepare(self, session: Session, options: Options, settings: AgentSpec, found: Mapping[str, Any]) -> CodeAgent:
        """Return the session's agent for these options. ``found``: the project's MCP servers."""
        tools = functions(options.tools, self.shell.user_ns)
        mcp = {**servers(options.mcp, self.shell.user_ns), **found}
        if not self._greeted and (greeting := describe_reopened(session.grants)):
            self.say(greeting)
        self._greeted = True
        recorded: dict[str, Any] = {"record": options.record, "replay": options.replay}
        return session.prepare(settings, tools=tools, mcp=mcp, ask_key=self.ask_key, **recorded)

    def _context(
        self, session: Session, agent: CodeAgent, options: Options, settings: AgentSpec, given: Sequence[Piece]
    ) -> Context:
        """Return the context that the model gets with the task."""
        from smolcell.models.capabilities import Windows

        explicit = "context" in options.settings or "context" in self.config
        alone = settings.approve in ("auto", "deny") or not self._answerable()
        what, by = level(settings.context, self.consent, explicit=explicit, answerable=not alone)
        known = sent_before(session.events)
        named_too = known | {piece.sha256 for piece in given if piece.text}
        fresh = [piece for piece in given if piece.sha256 not in known]
        room = room_for(fresh, Windows(agent.model)())
        nothing = options.replay is not None or what == "none"
        cells = [] if nothing else cell_pieces(self.cells, "cells" if what == "ask" else what, by, named_too, room)
        again = "sent with an earlier task of this conversation"
        pieces = [replace(each, text="", note=again) if each.text and each.sha256 in known else each for each in given]
        return NotebookContext(pieces, cells, self.consent, ask=what == "ask")

    def _keep(self, result: RunResult, session: Session, options: Options, front: FrontEnd) -> None:
        """Put the run's results into the notebook's namespace. Raises the run's error if it has none."""
        session.models.learn(result.error)
        at_limit = isinstance(result.error, AgentMaxStepsError)
        if at_limit and not options.best_effort:
            raise AgentMaxStepsError(f"{result.error}. {AT_LIMIT}")
        output = result.output if at_limit else result.value()
        if options.out is not None:
            self.shell.push({options.out: output})
        if options.pull and session.agent is not None:
            self.shell.push(self.wait(session.agent.pull(options.pull)))
        if at_limit:
            self.say(f"smolcell: {result.error}. What it wrote last stands for the answer. Go on with: %agent resume")

    def ask_key(self, variable: str, model: str) -> str | None:
        """Ask the person for a key, if one is there. The typed key is neither shown nor stored in the notebook."""
        if self.front.secret is None:
            return None
        return self.front.secret(ABOUT_KEYS.format(model=model, variable=variable, login=LOGINS.get(variable, "")))

    def _leave(self, job: Job[RunResult], session: Session, options: Options, front: FrontEnd) -> None:
        """Let the run go on in the background; the kernel's own loop puts its results into the namespace at its end."""

        def finish() -> None:
            try:
                self._keep(job.done.result(), session, options, front)
            except SmolcellError as error:
                self.say(f"smolcell: the background run ended: {type(error).__name__}: {error}")

        job.done.add_done_callback(lambda _: front.waiter.post(finish))
        self.say(
            f"smolcell: running in the background (session {session.name}). See: %agent status · stop it with: %agent stop"
        )

    # --- %agent -------------------------------------------------------------------------------------------------------

    def line(self, line: str) -> None:
        try:
            name, _, rest = line.strip().partition(" ")
            command = COMMANDS.get(name or "status")
            if command is None:
                known = ", ".join(sorted(COMMANDS))
                raise SetupError(
                    f"%agent: unknown command {name!r}; commands are: {known}. For a task, write %%agent above it"
                )
            function = command.function
            call = pkgutil.resolve_name(function) if isinstance(function, str) else function
            if text := call(self, rest.strip()):
                self.say(text)
        except SmolcellError as error:
            raise as_one_line(error) from None

    @property
    def session_name(self) -> str:
        """The session of lines that name none."""
        return resolve({}, self.config).session

    def settings(self, session: Session, given: Options | None = None) -> AgentSpec:
        """Return the settings of a line in this session, with its options, if any."""
        return effective_settings(session.with_own(given or read_line("")), self.config)

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of a coroutine; an interrupt of the cell ends it."""
        from smolcell.agent.running import Job

        job = Job(work)
        try:
            return self.front.waiter.wait(job.done)
        except BaseException:
            job.cancel()
            raise


def as_one_line(error: SmolcellError) -> SmolcellError:
    """Return the error so that IPython shows it as one line instead of a traceback; a second line says how to go on."""
    lines = [redact(f"{type(error).__name__}: {error}")]
    if isinstance(error, (AgentGenerationError, AgentStopped)):
        kind = error.kind if isinstance(error, AgentGenerationError) else ""
        lines.append(f"Go on {GO_ON.get(kind, 'where it broke off: %agent resume')}")
    error._render_traceback_ = lambda: lines  # type: ignore[attr-defined]
    return error


def cell_help() -> str:
    """Return the documentation of ``%%agent``, as ``%%agent?`` shows it."""
    return (
        "Give a task to an agent; its code runs in a sandbox, and only after you approved it.\n\n"
        "    %%agent -i sales -o growth\n    Compute quarter-over-quarter growth of @sales.\n\n"
        + parser().format_help()
    )


def line_help() -> str:
    """The documentation of ``%agent``, as ``%agent?`` shows it."""
    return "\n".join(["State and control of agents.\n", *(f"    {usage(name)}" for name in COMMANDS)])
