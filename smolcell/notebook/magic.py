"""``%%agent`` and ``%agent``.

* Every error of a cell's options is reported before the model is called or a sandbox started.
* The cell waits until the run has ended, unless ``--background``: Run All keeps its order, and the next cell has the result.
* Errors of smolcell are one line in the notebook: a traceback through its threads does not help.
"""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from smolcell.approval.contract import keep as keep_contract
from smolcell.approval.grants import describe_grants, describe_reopened
from smolcell.approval.policy import current, explain, policy_of_run
from smolcell.approval.spec import check_allowed
from smolcell.core.history import done, resumable
from smolcell.core.redaction import redact
from smolcell.core.spec import OF_SANDBOX, AgentSpec
from smolcell.core.text import visible
from smolcell.errors import AgentGenerationError, AgentMaxStepsError, AgentStopped, SetupError, SmolcellError
from smolcell.events import sha256
from smolcell.machine.waiter import QueueWaiter
from smolcell.notebook import commands as words
from smolcell.notebook import export
from smolcell.notebook.commands import functions, gather, references, references_in, servers
from smolcell.notebook.context import (
    Cells,
    Consent,
    NotebookContext,
    cell_pieces,
    level,
    linked_files,
    named_pieces,
    project,
    room_for,
    sent_before,
)
from smolcell.notebook.session import Session, Sessions
from smolcell.notebook.settings import Options, effective_settings, parser, read_line, resolve, where_set
from smolcell.notebook.wait import supported
from smolcell.protocols import BaseView, Context, FrontEnd

if TYPE_CHECKING:
    from smolcell.agent import CodeAgent
    from smolcell.agent.result import RunResult
    from smolcell.agent.running import Job
    from smolcell.events import Piece
    from smolcell.exports import Export

PrintLine = Callable[[str], object]
FORGOTTEN = "the session of this run was ended or reset"
MAX_MODELS = 60  # models that a card lists


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
        self._last_options: dict[str, Options] = {}  # session → the options of its newest task
        self._mapped: Path | None = None  # the folder of the newest job
        self._listed_models: dict[str, tuple[str, str | None]] = {}  # models that cards have listed, with their URLs

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
        self._begin(
            session,
            options,
            settings,
            task,
            pieces,
            additional_args=variables,
            files=options.files,
            read_only=options.read_only,
            links=links,
        )

    def _begin(
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
        tools = functions(options.tools, self.shell.user_ns)
        recorded: dict[str, Any] = {"record": options.record, "replay": options.replay}
        found = project()
        mcp = {**servers(options.mcp, self.shell.user_ns), **found.servers}
        if not self._greeted and (greeting := describe_reopened(session.grants)):
            self.say(greeting)
        self._greeted = True
        agent = session.prepare(settings, tools=tools, mcp=mcp, ask_key=self._ask_key, **recorded)
        if pieces is not None:
            more["context"] = self._context(session, agent, options, settings, [*found.pieces, *pieces])
        front = session.front(settings, self.front)
        run = secrets.token_hex(6)
        job = agent.start(task.strip(), front=front, reset=False, run=run, contract=options.contract, **more)
        try:
            self.sessions.keep(session)
            session.hold(options)
            self._last_options[session.name] = options
            if isinstance(front.view, BaseView):
                front.view.prepare(run, task)
        except BaseException:  # also an interrupt just before the cell waits for the run
            job.cancel()
            raise
        if options.background:
            self._leave(job, session, options, front)
        else:
            self._keep(agent.stay(job, front.waiter), session, options, front)

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
        session.learn(result.error)
        at_limit = isinstance(result.error, AgentMaxStepsError)
        if at_limit and not options.best_effort:
            raise AgentMaxStepsError(f"{result.error}. {words.AT_LIMIT}")
        output = result.output if at_limit else result.value()
        if options.out is not None:
            self.shell.push({options.out: output})
        if options.pull and session.agent is not None:
            self._push(session.agent, options.pull)
        if at_limit:
            self.say(f"smolcell: {result.error}. What it wrote last stands for the answer. Go on with: %agent resume")

    def _ask_key(self, variable: str, model: str) -> str | None:
        """Ask the person for a key, if one is there. The typed key is neither shown nor stored in the notebook."""
        if self.front.secret is None:
            return None
        return self.front.secret(
            words.ABOUT_KEYS.format(model=model, variable=variable, login=words.LOGINS.get(variable, ""))
        )

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
            self._line(line)
        except SmolcellError as error:
            raise as_one_line(error) from None

    def _line(self, line: str) -> None:
        command, _, rest = line.strip().partition(" ")
        commands = self.commands()
        command = command or "status"
        if command not in commands:
            known = ", ".join(sorted(words.COMMANDS))
            raise SetupError(
                f"%agent: unknown command {command!r}; commands are: {known}. For a task, write %%agent above it"
            )
        commands[command](rest.strip())

    def commands(self) -> dict[str, Callable[[str], None]]:
        """The sub-commands of ``%agent``, which ``words.COMMANDS`` describes."""
        return {
            "status": self._status,
            "config": self._config,
            "stop": self._stop,
            "reset": self._reset,
            "log": self._log,
            "stats": self._stats,
            "allow": self._allow,
            "install": self._install,
            "pull": self._pull,
            "files": self._files,
            "resume": self._resume,
            "undo": self._undo,
            "goto": self._goto,
            "retry": self._retry,
            "branch": self._branch,
            "checkpoints": self._checkpoints,
            "fork": self._fork,
            "export": self._export,
            "policy": self._policy,
            "grants": self._grants,
            "contract": self._contract,
            "map": self._map,
            "approvals": self._approvals,
            "sandboxes": self._sandboxes,
            "mcp": self._mcp,
            "doctor": self._doctor,
        }

    def _status(self, _: str) -> None:
        self.say(words.status(resolve({}, self.config), self.sessions.all(), where_set("model", self.config)))
        if locks := current().locks():
            self.say("\n".join(["policy:", *(f"  {visible(lock)}" for lock in locks)]))

    def _config(self, rest: str) -> None:
        changed = words.read_config(rest, self.config)
        if rest:
            check_allowed(resolve({}, changed))
        before, self.config = self.config, changed
        if any(before.get(name) != self.config.get(name) for name in ("model", "api_base")):
            for session in self.sessions.all().values():
                session.chosen = None
        for name in OF_SANDBOX:
            if before.get(name) != self.config.get(name):
                for session in self.sessions.all().values():
                    session.options.pop(name, None)
        if not rest:
            self.say(words.config(resolve({}, self.config), self.config))

    def _allow(self, rest: str) -> None:
        """``%agent allow [NAME…] [--session SESSION]``: authorise modules for a session."""
        settings = resolve({}, self.config)
        names, name = words.read_allow(rest, settings)
        session = self.sessions.brought_back(name) or self.sessions.get(name)
        if names:
            session.allow(names)
            self.sessions.keep(session)
        self.say(words.describe_allowed(session))

    def _install(self, rest: str) -> None:
        """``%agent install NAME… [--session SESSION]``: install packages for a session's sandbox."""
        from smolcell.agent.running import Job

        given, name = words.read_install(rest, resolve({}, self.config).session)
        session = self.sessions.brought_back(name) or self.sessions.get(name)
        settings = effective_settings(session.with_own(read_line("")), self.config)
        job = Job(session.install(settings, given))
        try:
            plan = self.front.waiter.wait(job.done)
        except BaseException:  # on an interrupt, too: end the installer
            job.cancel()
            raise
        self.sessions.keep(session)
        self.say(words.describe_installed(session, plan))

    def _pull(self, rest: str) -> None:
        """``%agent pull NAME… [--session SESSION]``: copy a sandbox's variables."""
        names, name = words.read_pull(rest, resolve({}, self.config).session)
        session = self.sessions.known(name)
        if session.agent is None:
            raise SetupError(f"nothing has run yet in the session {name!r}: its sandbox holds no variables")
        self._push(session.agent, names)
        self.say(f"smolcell: copied from the sandbox: {', '.join(names)}")

    def _push(self, agent: CodeAgent, names: Iterable[str]) -> None:
        """Copy the sandbox's variables into the notebook's namespace."""
        from smolcell.agent.running import Job

        self.shell.push(self.front.waiter.wait(Job(agent.pull(names)).done))

    def _stop(self, name: str) -> None:
        chosen = [self.sessions.known(name)] if name else self.sessions.running()
        stopped = [session.name for session in chosen if session.stop()]
        self.say(f"smolcell: stopping {', '.join(stopped)}" if stopped else "smolcell: nothing is running")

    def _branch(self, rest: str) -> None:
        """``%agent branch [K] [options of %agent resume]``: continue, with several ideas for the next step."""
        count, line = words.read_branch(rest)
        self._resume(line, branch=count)

    def _resume(self, rest: str, **how: Any) -> None:
        """``%agent resume [NAME] [options of %%agent]``: continue a session's newest run, which ended without an answer."""
        name, line = words.read_resume(rest)
        given = read_line(line)
        name = name or given.settings.get("session", resolve({}, self.config).session)
        back = self.sessions.brought_back(name)
        if back is not None:
            self.sessions.keep(back)
            self.say(words.describe_resumed(name, back.events))
        session = self.sessions.get(name)
        if back is not None and done(session.events):
            self.say(f"smolcell: its last run was done. Give the next task with: %%agent --session {shlex.quote(name)}")
            return
        asked = resumable(session.events, name)
        options = session.with_own(given.after(self._last_options.get(name)))
        options.settings["session"] = name
        variables = gather(options.variables, (), self.shell.user_ns)
        more: dict[str, Any] = {
            "additional_args": variables,
            "files": options.files,
            "read_only": options.read_only,
            **how,
        }
        self._begin(session, options, effective_settings(options, self.config), asked.task, resume=True, **more)

    def _fork(self, rest: str) -> None:
        """``%agent fork STEP [NAME] [--session SESSION]``: make a session with another's conversation up to a step."""
        fork = words.read_fork(rest, resolve({}, self.config).session)
        session = self.sessions.brought_back(fork.of) or self.sessions.known(fork.of)
        name = fork.name or self.sessions.free(f"{fork.of}-fork")
        if name in self.sessions.all():
            raise SetupError(f"there is a session {name!r} already: name another one. {words.usage('fork')}")
        twin = session.fork(fork.step, name)
        self.sessions.keep(twin)
        if fork.of in self._last_options:
            self._last_options[name] = self._last_options[fork.of]
        self.say(words.describe_fork(fork._replace(name=name), twin.events))

    def _undo(self, rest: str) -> None:
        """``%agent undo [N] [--session SESSION]``: undo the newest steps."""
        steps, name = words.read_undo(rest, resolve({}, self.config).session)
        session, agent, front = self._to_go_back(name)
        self.say(words.describe_undone(agent.undo(steps, front=front), session.name))

    def _goto(self, rest: str) -> None:
        """``%agent goto STEP [--session SESSION]``: undo all steps after one."""
        step, name = words.read_goto(rest, resolve({}, self.config).session)
        session, agent, front = self._to_go_back(name)
        self.say(words.describe_undone(agent.goto(step, front=front), session.name))

    def _retry(self, rest: str) -> None:
        """``%agent retry STEP [--say WORDS] [--session SESSION]``: undo a step, and go on in another way."""
        step, comment, name = words.read_retry(rest, resolve({}, self.config).session)
        session, agent, front = self._to_go_back(name)
        task, more = agent.before_retry(step, comment, front=front)
        given = self._last_options.get(name) or read_line("")
        options = replace(given, settings={**given.settings, "session": name}, new=False, background=False)
        if not more["resume"]:
            more["additional_args"] = gather(options.variables, references(task), self.shell.user_ns)
        self._begin(session, options, effective_settings(options, self.config), task, **more)

    def go_to(self, run: str, step: str) -> dict[str, Any]:
        """Go back to the end of a step, for the run's card. Called on its own thread."""
        session = self._session_of(run)
        if session is None or session.agent is None:
            return {"why": FORGOTTEN}
        try:
            _, agent, front = self._to_go_back(session.name)
            undone = agent.goto(f"{run}:{step}", front=replace(front, waiter=QueueWaiter()))
        except SmolcellError as error:
            return {"why": redact(visible(str(error)))}
        return {"said": words.describe_undone(undone, session.name), "why": ""}

    def _checkpoints(self, rest: str) -> None:
        """``%agent checkpoints [SESSION]``: list the steps that can be gone back to."""
        session = self.sessions.known(rest or resolve({}, self.config).session)
        self.say(words.describe_checkpoints(session.agent.checkpoints if session.agent is not None else []))

    def _to_go_back(self, name: str) -> tuple[Session, CodeAgent, FrontEnd]:
        """Return a session whose steps can be undone, its agent and its front end.

        Raises:
            SetupError: nothing ran in it, or a run is active.
        """
        session = self.sessions.known(name)
        if session.agent is None:
            raise SetupError(f"nothing has run yet in the session {name!r}: there is no step to undo")
        if session.running:
            raise SetupError(f"the session {name!r} has an active run: stop it with: %agent stop, then go back")
        return (
            session,
            session.agent,
            session.front(effective_settings(session.with_own(read_line("")), self.config), self.front),
        )

    def _files(self, rest: str) -> None:
        options = words.read_files(rest, resolve({}, self.config).session)
        agent = self.sessions.known(options.session).agent
        executor = None if agent is None else agent.executor
        if options.keep is None:
            self.say(words.file_table(words.list_files(executor), options.session))
        else:
            self.say(f"smolcell: kept as {words.keep(executor, options.keep, options.target)}")

    def _export(self, rest: str) -> None:
        options = export.read_export(rest, resolve({}, self.config).session)
        exported = self._make_export(self.sessions.known(options.session), answer=options.answer)
        for line in export.warnings(exported, self.shell.user_ns):
            self.say(line)
        self.say(export.put(exported, options, lambda: export.insert_below(self.shell, self.front.waiter, exported)))

    def exported(self, run: str) -> dict[str, Any]:
        """Return the steps of a run as ordinary cells, for its card."""
        session = self._session_of(run)
        if session is None:
            return export.no_cells(FORGOTTEN)
        try:
            return export.for_page(self._make_export(session, run))
        except SetupError as error:
            return export.no_cells(str(error))

    def _session_of(self, run: str) -> Session | None:
        for session in self.sessions.all().values():
            agent = session.agent
            if agent is not None and (
                agent.run_id == run or any(event.run == run for event in reversed(agent.memory.events))
            ):
                return session
        return None

    # --- requests of a card -------------------------------------------------------------------------------------------

    def models(self, run: str) -> dict[str, Any]:
        """Return the models that the session of a run can use, for its card. Asks the servers of this machine."""
        from smolcell.models import available_models

        session = self._session_of(run)
        if session is None:
            return {"models": [], "why": FORGOTTEN}
        choices: dict[tuple[str, str | None], str] = dict.fromkeys(session.recent, "used in this session")
        for other in self.sessions.all().values():
            choices = {**choices, **{model: "used in this notebook" for model in other.recent if model not in choices}}
        for name, why in available_models().items():
            choices.setdefault((name, None), why)
        listed = {_choice(model): model for model in list(choices)[:MAX_MODELS]}
        self._listed_models |= listed
        now = session.chosen or (session.recent[0] if session.recent else None)
        rows = [
            {"id": choice, "name": redact(visible(_model_label(model))), "why": choices[model], "now": model == now}
            for choice, model in listed.items()
        ]
        return {"models": rows, "session": session.name, "why": ""}

    def choose_model(self, run: str, choice: str) -> dict[str, Any]:
        """Use one of the models that the card listed in the session of a run, from its next run on."""
        session, model = self._session_of(run), self._listed_models.get(choice)
        if session is None or model is None:
            return {"why": FORGOTTEN if session is None else "this model was not listed"}
        session.chosen = model
        last = self._last_options.get(session.name)
        if last is not None:  # the options of a resumed run
            kept = {name: value for name, value in last.settings.items() if name not in ("model", "api_base")}
            self._last_options[session.name] = replace(last, settings=kept, record=None, replay=None)
        return {"model": redact(visible(_model_label(model))), "session": session.name, "why": ""}

    def replacement(self, run: str) -> dict[str, Any]:
        """Return the code that a run's answer gives to replace a cell, if exactly that code ran in its sandbox."""
        from smolcell.notebook.fix import verified

        session = self._session_of(run)
        if session is None or session.agent is None:
            return {"code": "", "why": FORGOTTEN}
        return verified([event for event in session.agent.memory.events if event.run == run], self.shell)

    def _make_export(self, session: Session, run: str = "", answer: str = "") -> Export:
        if session.agent is None:
            raise SetupError(f"nothing has run yet in the session {session.name!r}: there is nothing to export")
        last, names = self._last_options.get(session.name), self.shell.user_ns
        name = answer or (last.out if last is not None else None) or "answer"
        known = [tool for tool in session.agent.callables if callable(names.get(tool))]
        return session.agent.export(run, answer=name, defined=known)

    def _sandboxes(self, rest: str) -> None:
        """``%agent sandboxes``: list those of all kernels."""
        from smolcell.executors import inventory
        from smolcell.notebook import activity

        if rest:
            raise SetupError(
                "%agent sandboxes takes no words; to end those of dead kernels: !smolcell sandboxes --clean"
            )
        sandboxes, remarks = inventory.find()
        self.say(inventory.table(activity.with_states(sandboxes), remarks))

    def _stats(self, name: str) -> None:
        """``%agent stats [SESSION]``: show tokens, cost, approvals, errors and times of a session's runs."""
        self.say(words.stats(self.sessions.known(name or resolve({}, self.config).session)))

    def _policy(self, rest: str) -> None:
        """``%agent policy [QUESTION]``: show what is locked, and by which line; or what the policy says about something."""
        question = rest.removeprefix("explain ").strip().strip("\"'")
        self.say(visible(explain(question, current()) if question else str(current())))

    def _grants(self, rest: str) -> None:
        """``%agent grants [revoke NUMBER|all] [--session SESSION]``: list what you allowed, and revoke it."""
        number, name = words.read_grants(rest, resolve({}, self.config).session)
        grants = self.sessions.get(name).grants
        held = grants.held()
        if number is None:
            self.say(describe_grants(grants, name))
            return
        chosen = held if number == "all" else held[int(number) - 1 : int(number)] if number != "0" else []
        if not chosen and number != "all":
            raise SetupError(f"there is no grant {number} for the session {name}; list them with: %agent grants")
        for each in chosen:
            grants.revoke(each.grant)
        listed = ", ".join(f"{each.grant.kind} {visible(each.grant.name)}" for each in chosen)
        self.say(f"smolcell: revoked: {listed or 'nothing: nothing was granted'}")

    def _map(self, rest: str) -> None:
        """``%agent map VARIABLE [options]``: do many tasks; ``-o NAME`` stores the results."""
        from smolcell.notebook import many

        asked, results = many.map_variable(rest, self.config, self.shell.user_ns)
        if asked.options.out is not None:
            self.shell.push({asked.options.out: results})
        self._mapped = results.folder
        self.say(many.summarize_results(results))

    def _approvals(self, rest: str) -> None:
        """``%agent approvals [FOLDER]``: answer the waiting proposals of a job, and continue the answered runs."""
        from smolcell.notebook import many
        from smolcell.scale.folder import describe_changed_rows

        given = words.split(rest, "approvals")
        if len(given) > 1 or not (given or self._mapped):
            raise SetupError("%agent approvals takes the folder of a job: %agent approvals map-tasks")
        folder = Path(given[0]) if given else self._mapped or Path()
        answered, results = many.approvals(folder, self.front)
        self.say(f"smolcell: answered for {answered:,} run{'s' * (answered != 1)}")
        if changed := describe_changed_rows(folder):
            self.say(f"smolcell: {changed}")
        if results is not None:
            self.say(many.summarize_results(results))

    def _mcp(self, rest: str) -> None:
        """``%agent mcp [options of %%agent]``: serve a session to an MCP client, "mcp" by default, until an interrupt."""
        from smolcell.machine.environment import optional
        from smolcell.notebook.status import kernel_id

        with optional("%agent mcp", "mcp"):
            from smolcell.interop.mcp_server import attach

        options = read_line(rest)
        options.settings.setdefault("session", "mcp")
        session = self.sessions.get(options.settings["session"], new=options.new)
        settings = effective_settings(session.with_own(options), self.config)
        self.sessions.keep(session)
        session.hold(options)
        variables = gather(options.variables, (), self.shell.user_ns)
        attach(session, settings, options, self.front, variables, self.say, kernel_id())

    def _doctor(self, rest: str) -> None:
        """``%agent doctor [options of %%agent]``: check a new set-up."""
        from smolcell.notebook.doctor import Doctor, diagnose

        options = read_line(rest)
        page = None if getattr(self.shell, "kernel", None) is None else supported(self.shell) or ""
        doctor = Doctor(
            effective_settings(options, self.config),
            front=self.front,
            ask_key=self._ask_key,
            page=page,
            replay=options.replay,
            contract=options.contract,
            tools=functions(options.tools, self.shell.user_ns),
            mcp=servers(options.mcp, self.shell.user_ns),
            files=options.files,
            again=f"%agent doctor {rest}".strip(),
        )
        diagnose(doctor, self.say)

    def _contract(self, rest: str) -> None:
        """``%agent contract [options of %%agent] [--purpose TEXT] [--output FILE] [--agents-md]``: write down what a task may do."""
        parsed = words.read_contract(rest)
        given = read_line(parsed.options)
        session = self.sessions.get(resolve(given.settings, self.config).session)
        options = session.with_own(given)
        last = self._last_options.get(session.name)
        tools = given.tools or (last.tools if last is not None else ())
        mcp = given.mcp or (last.mcp if last is not None else ())
        measured = session.contract(
            effective_settings(options, self.config),
            self.front,
            files=given.files or (last.files if last is not None else ()),
            tools=functions(tools, self.shell.user_ns),
            mcp={**servers(mcp, self.shell.user_ns), **project().servers},
            replay=given.replay,
        )
        self.sessions.keep(session)
        self.say(keep_contract(measured, parsed.path, parsed.purpose, parsed.section))

    def _reset(self, name: str) -> None:
        names = [self.sessions.known(name).name] if name else list(self.sessions.all())
        for each in names:
            self.sessions.reset(each)
        self.say(f"smolcell: ended {', '.join(names) or 'nothing: there was no session'}")

    def _log(self, name: str) -> None:
        chosen = self.sessions.known(name or "default")
        self.say(words.log(chosen))


def _model_label(model: tuple[str, str | None]) -> str:
    name, api_base = model
    return f"{name} at {api_base}" if api_base else name


def _choice(model: tuple[str, str | None]) -> str:
    """Return the name that a page uses for a model. A URL that a page invents is refused."""
    return sha256(_model_label(model))[:16]


def as_one_line(error: SmolcellError) -> SmolcellError:
    """Return the error so that IPython shows it as one line instead of a traceback; a second line says how to go on."""
    lines = [redact(f"{type(error).__name__}: {error}")]
    if isinstance(error, (AgentGenerationError, AgentStopped)):
        kind = error.kind if isinstance(error, AgentGenerationError) else ""
        lines.append(f"Go on {words.GO_ON.get(kind, 'where it broke off: %agent resume')}")
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
    return "\n".join(["State and control of agents.\n", *(f"    {words.usage(name)}" for name in words.COMMANDS)])
