"""Sessions: agents with a name, kept between cells.

A session owns one agent with its sandbox, the models it was asked for, and what the person allowed for its length. Closing is
newest first, within two seconds, and goes on if a part fails.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from smolcell.errors import AgentGenerationError, SetupError
from smolcell.gates import create_gate
from smolcell.grants import Grants
from smolcell.models.credentials import AskKey, Keys
from smolcell.policy import current
from smolcell.protocols import FrontEnd, Gate, Model
from smolcell.settings import LONGEST_NAME, budget_limit

if TYPE_CHECKING:
    from smolcell.agent import CodeAgent
    from smolcell.contract import Contract
    from smolcell.events import History
    from smolcell.executors.packages import Plan
    from smolcell.journal import Journal, Run
    from smolcell.models.recording import RecordingModel
    from smolcell.settings import Options, Settings
    from smolcell.tools.mcp import MCPClient
    from smolcell.tools.tool import Tool

log = logging.getLogger("smolcell")
OF_SANDBOX = (
    "sandbox",
    "python",
    "imports",
    "allow_hosts",
    "credentials",
    "memory",
    "max_output",
    "timeout",
    "work_folder",
)  # settings that hold for a session
CHECKPOINTS = 10  # that a cell's sandbox keeps
CLOSING = 2.0  # seconds for all sessions together


class Session:
    """An agent with a name.

    Args:
        name: what ``--session`` calls it.
        keys: what was typed.
        place: the notebook it belongs to, by which its journal is found after a restart; "": it is not looked for.

    Attributes:
        agent: None until the first run.
    """

    def __init__(self, name: str, keys: Keys | None = None, place: str = "") -> None:
        self.name, self.place = name, place
        self._before: tuple[Run, Journal] | None = None  # what an earlier kernel left
        self.keys = keys or Keys()
        self.agent: CodeAgent | None = None
        self._fits: tuple[Any, ...] = ()
        # The options of cells for its sandbox: they hold for later cells without such options.
        self.options: dict[str, Any] = {}
        self._models: dict[tuple[str, str | None, int], Model] = {}
        self._used: tuple[str, str | None, int] | None = None  # the newest
        self.recent: tuple[tuple[str, str | None], ...] = ()  # models and their addresses, the newest first
        self.chosen: tuple[str, str | None] | None = None  # the model that its later cells use if they name none
        self._default = ""  # the model that was found on this machine when none was named
        self._recordings: dict[Path, RecordingModel] = {}
        self._gates: dict[str, Gate] = {}
        self._mcp: dict[str, MCPClient] = {}
        self.grants = Grants(place)

    @property
    def allowed(self) -> tuple[str, ...]:
        """Modules that were authorised for its length, by ``allow`` or by a click."""
        return self.grants.names("module", "session", "notebook")

    def allow(self, names: Iterable[str]) -> None:
        """Authorise modules for this session, in its running sandbox too.

        Raises:
            CapabilityError: its sandbox cannot.
        """
        names = tuple(names)
        current().check("imports", names, "The import {} is not allowed")
        if self.agent is not None:
            self.agent.authorize_imports(names)
        for name in names:
            self.grants.give("module", name, "session")

    def with_own(self, options: Options) -> Options:
        """The options of a cell, with what earlier cells of the session said of its sandbox, and the model that was chosen for it."""
        own = {name: value for name, value in self.options.items() if name not in options.settings}
        if self.chosen is not None and not {"model", "api_base"} & options.settings.keys():
            own["model"], own["api_base"] = self.chosen[0], self.chosen[1] or ""
        if "imports" in options.settings:
            own.pop("python", None)  # imports choose the level
        return replace(options, settings={**own, **options.settings})

    def hold(self, options: Options) -> None:
        """Keep what a cell said of the sandbox."""
        self.options = {name: value for name, value in options.settings.items() if name in OF_SANDBOX}

    def prepare(
        self,
        settings: Settings,
        *,
        tools: Iterable[Tool | Callable[..., Any]] = (),
        mcp: Mapping[str, Any] | None = None,
        record: str | None = None,
        replay: str | None = None,
        ask_key: AskKey | None = None,
        model: Model | None = None,
    ) -> CodeAgent:
        """The session's agent, set up for the next run.

        The sandbox and its variables are kept while its settings stay the same, except the time of a step; if others change, it is
        closed and a new one is made, and the conversation goes on. Connections to MCP servers (``mcp``: by name, what ``MCPClient``
        takes) are kept to the session's end. A key that the model lacks is asked for with ``ask_key``. ``model`` takes the place of the
        one that the settings name.

        Raises:
            SetupError: the model, a tool or the sandbox is not to be had; nothing was changed.
        """
        from smolcell.executors import find_executor
        from smolcell.tools.builtin import as_tools

        find_executor(settings.sandbox)
        made = as_tools([*tools, *self._mcp_tools(mcp or {})]).values()
        model = model or self._recorded(settings, record, replay, ask_key)
        agent = self._fitting(settings, model)
        agent.set_model(model)
        self._set_up(agent, settings, made)
        return agent

    def _set_up(self, agent: CodeAgent, settings: Settings, tools: Iterable[Tool]) -> None:
        """Have the agent as a task of these settings has it."""
        from smolcell.agent.budget import Budget
        from smolcell.output_checks import Checks, by_names

        agent.set_tools(tools)
        agent.installs.mode = settings.installs
        agent.telemetry = settings.otel, settings.log
        agent.max_steps, agent.instructions = settings.max_steps, settings.instructions
        agent.stop_after = settings.stop_after
        agent.structured = settings.structured
        agent.budget = Budget(**budget_limit(settings.budget)) if settings.budget else None
        agent.output_checks = Checks(by_names(settings.output_checks))
        agent.notebook_context = "outputs" if settings.context == "ask" else settings.context
        agent.set_rollback(settings.rollback)

    def contract(
        self,
        settings: Settings,
        front: FrontEnd,
        *,
        purpose: str = "",
        files: Sequence[str] = (),
        tools: Iterable[Tool | Callable[..., Any]] = (),
        mcp: Mapping[str, Any] | None = None,
        replay: str | None = None,
    ) -> Contract:
        """Write down what a task of these settings may do, with the walls that its sandbox has. No model is made or asked.

        Raises:
            SetupError: a tool or the sandbox is not to be had, or a run is under way.
        """
        from smolcell.models import chosen_model
        from smolcell.models.scripted import ScriptedModel
        from smolcell.tools.builtin import as_tools

        if self.running:
            raise SetupError(f"the session {self.name!r} has a run under way: wait, or stop it with: %agent stop")
        made = as_tools([*tools, *self._mcp_tools(mcp or {})]).values()
        agent = self._fitting(settings, self.agent.model if self.agent is not None else ScriptedModel())
        self._set_up(agent, settings, made)
        try:
            name = "" if replay else settings.model or chosen_model(api_base=settings.api_base)[0]
        except SetupError:  # none is set
            name = ""
        models = [part.strip() for part in name.split(",") if part.strip()]
        return agent._written_down(self.front(settings, front), purpose, files, models)

    def _fitting(self, settings: Settings, model: Model) -> CodeAgent:
        """The agent, made again if its sandbox is to be another."""
        fits = (
            settings.sandbox,
            settings.python,
            settings.imports,
            settings.memory,
            settings.max_output,
            settings.work_folder,
            settings.allow_hosts,
            settings.credentials,
        )
        if self.agent is None or fits != self._fits:
            self.agent, self._fits = self._renewed(settings, model), fits
        self.agent.set_timeout(settings.timeout)
        return self.agent

    async def install(self, settings: Settings, words: Sequence[str]) -> Plan:
        """Look packages up and install them for this session's sandbox, in the running one too; returns what was installed.

        Raises:
            SetupError: the settings forbid it, a run is under way, or the packages are not to be had.
            CapabilityError: its sandbox takes none.
        """
        from smolcell.models.scripted import ScriptedModel

        if settings.approve == "deny" or settings.installs == "never":
            raise SetupError("nothing is installed: the settings say approve=deny or installs=never")
        if self.running:
            raise SetupError(f"the session {self.name!r} has a run under way: wait, or stop it with: %agent stop")
        agent = self.agent or self._fitting(settings, ScriptedModel())  # the next run has its own model
        return await agent.installs.install(words)

    def _mcp_tools(self, servers: Mapping[str, Any]) -> list[Tool]:
        """The tools of these servers; each is connected to once, and again if it has ended.

        Raises:
            SetupError: one cannot be had; the message begins with its name.
        """
        found: list[Tool] = []
        for name, parameters in servers.items():
            try:
                found += self._connected(name, parameters).get_tools()
            except SetupError as error:
                raise SetupError(
                    f"the MCP server {name}: {error}. Mend what is said there, or leave this server out"
                ) from None
        return found

    def _connected(self, name: str, parameters: Any) -> MCPClient:
        if name not in self._mcp:
            from smolcell.tools.mcp import MCPClient

            self._mcp[name] = MCPClient(parameters)
        self._mcp[name].connect()
        return self._mcp[name]

    def bring_back(self) -> bool:
        """Take up the conversation that an earlier kernel of this notebook left in its journal; says whether there is one.

        The next run goes on with it, in the same journal and in a new sandbox. Nothing of it runs again.

        Raises:
            SetupError: the journal is damaged.
        """
        from smolcell import journal as runs
        from smolcell.journal import Journal

        if self.agent is not None or self._before is not None or not self.place:
            return self._before is not None
        path = runs.find(self.name, self.place)
        if path is None:
            return False
        run, journal = runs.load(path), Journal(path, place=self.place, session=self.name)
        if journal.alone is False:  # another kernel was quicker
            journal.close()
            return False
        self._before = run, journal
        return True

    @property
    def events(self) -> History:
        """Everything that happened in it, as far as it is known here."""
        if self.agent is not None:
            return self.agent.memory.events
        return self._before[0].events if self._before is not None else ()

    def fork(self, step: int, name: str) -> Session:
        """A session of another name with this one's memory up to a step of its newest run.

        Raises:
            SetupError: there is no such step, or a run is under way.
        """
        from smolcell import journal as runs

        if self.running:
            raise SetupError(
                f"the session {self.name!r} has a run under way: wait, or stop it with: %agent stop {self.name}"
            )
        twin = Session(name, self.keys, self.place)
        twin.options = dict(self.options)
        twin._before = runs.fork(runs.Run(self.events), step, name, self.place)
        return twin

    def front(self, settings: Settings, front: FrontEnd) -> FrontEnd:
        """The front end with this session's gate of the mode, which remembers what the person allowed."""
        gate = self._gates.setdefault(settings.approve, create_gate(settings.approve, front.view))
        return FrontEnd(view=front.view, gate=gate, waiter=front.waiter, approve=settings.approve)

    def stop(self) -> bool:
        """Stop the run under way; says whether there was one."""
        running = self.running
        if self.agent is not None:
            self.agent.interrupt()
        return running

    @property
    def running(self) -> bool:
        return self.agent is not None and self.agent.running

    def close(self) -> None:
        """End the run, the sandbox and the connections to MCP servers; idempotent."""
        if self.agent is not None:
            self.agent.cleanup()
        if self._before is not None:
            self._before[1].close()
        clients, self._mcp = list(self._mcp.values()), {}
        for client in clients:
            client.disconnect()

    def _renewed(self, settings: Settings, model: Model) -> CodeAgent:
        """An agent with a new sandbox, which remembers what the one before does; that one is ended."""
        # With all it drives, the agent is imported on first use, so that loading the extension stays quick.
        from smolcell.agent import CodeAgent
        from smolcell.executors import find_executor
        from smolcell.executors.base import WorkerExecutor
        from smolcell.network import read_credentials

        kwargs: dict[str, Any] = {"timeout": settings.timeout, "memory": settings.memory, "python": settings.python}
        if settings.work_folder != "writable":  # sandboxes of other packages need not know it
            kwargs["work_folder"] = settings.work_folder
        if issubclass(find_executor(settings.sandbox), WorkerExecutor):
            kwargs["checkpoints"] = CHECKPOINTS
        agent = CodeAgent(
            model=model,
            sandbox=settings.sandbox,
            executor_kwargs=kwargs,
            additional_authorized_imports=tuple(dict.fromkeys([*settings.imports, *self.allowed])),
            max_print_outputs_length=settings.max_output,
            session=self.name,
            allow_hosts=settings.allow_hosts,
            credentials=read_credentials(settings.credentials),
        )
        agent.use_grants(self.grants)
        agent.executor  # noqa: B018 - made now, so that a sandbox that is not to be had is an error before the old one goes
        if self.agent is not None and settings.sandbox == self._fits[0]:
            agent.installs.take_over(self.agent.installs)
        agent.place = self.place
        before, self._before = self._before, None
        if before is not None:
            agent.take_over(*before)
        elif self.agent is not None:
            agent.take_over(*self.agent.hand_over())
            self.agent.cleanup()
        return agent

    def learn(self, error: Exception | None) -> None:
        """Take in what ended a run: after a fault of the model it is chosen and made again; a key that was refused is asked for."""
        if not isinstance(error, AgentGenerationError) or self._used is None:
            return
        name, api_base, _ = self._used
        if not name.startswith("replay:"):  # a recording goes on where it was
            self._models.pop(self._used, None)
            self._default = ""
        if error.kind == "key":
            self.keys.refuse(name, api_base)

    def _recorded(self, settings: Settings, record: str | None, replay: str | None, ask_key: AskKey | None) -> Model:
        if replay is not None and record is not None:
            raise SetupError("--record and --replay exclude each other: give one of them")
        if replay is not None:
            path = Path(replay).expanduser()
            changed = path.stat().st_mtime_ns if path.is_file() else 0  # a recording that was made again is read again
            return self._model(f"replay:{path}", None, changed)
        model = self._model(settings.model, settings.api_base, ask_key=ask_key)
        if record is None:
            return model
        from smolcell.models.recording import RecordingModel

        path = Path(record).expanduser().absolute()
        if path in self._recordings:  # one for all runs of the session: it knows which of them is continued
            self._recordings[path].answer_from(model)
        else:
            self._recordings[path] = RecordingModel(model, path)
        return self._recordings[path]

    def _model(
        self, name: str | None, api_base: str | None, version: int = 0, *, ask_key: AskKey | None = None
    ) -> Model:
        """A model is made once per session, so that a replay goes on where it was and connections are kept."""
        from smolcell.models import create_model, default_model, needs_no_key

        found = name is None
        if name is None:
            name = self._default = self._default or default_model(api_base=api_base)
        key = self._used = (name, api_base, version)
        if key not in self._models:
            typed = self.keys.key(name, api_base, ask_key)
            secret = "" if typed is None and found and needs_no_key(name) else typed
            self._models[key] = create_model(name, api_base=api_base, api_key=secret)
        if not name.startswith("replay:"):
            used = name, api_base
            self.recent = used, *(each for each in self.recent if each != used)
        return self._models[key]


class Sessions:
    """All sessions of one front end, by name. ``place``: its notebook."""

    def __init__(self, place: str = "") -> None:
        self._sessions: dict[str, Session] = {}
        self._place = place
        self._used: set[str] = set()  # names of sessions of this kernel: those of earlier ones are not looked for
        self._keys = Keys()

    def get(self, name: str, *, new: bool = False) -> Session:
        """The session of this name, or one that begins afresh; ``keep`` makes it the one of its name."""
        if not name.strip() or len(name) > LONGEST_NAME:
            raise SetupError(f"--session takes a name of 1 to {LONGEST_NAME} characters, not {name[:LONGEST_NAME]!r}")
        known = self._sessions.get(name)
        return Session(name, self._keys, self._place) if known is None or new else known

    def brought_back(self, name: str) -> Session | None:
        """The session that an earlier kernel of this notebook left under this name, or None.

        Also None if the name was used in this kernel already.
        """
        session = self.get(name)
        return session if name not in self._used and session.bring_back() else None

    def keep(self, session: Session) -> None:
        """Make a session the one of its name; another that had the name is ended."""
        before = self._sessions.get(session.name)
        self._sessions[session.name] = session
        self._used.add(session.name)
        if before is not None and before is not session:
            before.close()

    def free(self, name: str) -> str:
        """This name, or the next one like it that no session has."""
        taken = [name, *(f"{name}-{number}" for number in range(2, len(self._sessions) + 3))]
        return next(each for each in taken if each not in self._sessions)

    def known(self, name: str) -> Session:
        """A session that exists.

        Raises:
            SetupError: there is no session of this name.
        """
        if name not in self._sessions:
            names = ", ".join(self._sessions) or "none yet"
            raise SetupError(
                f"there is no session {name!r}; sessions are: {names}. Start one with: %%agent --session {name}"
            )
        return self._sessions[name]

    def all(self) -> Mapping[str, Session]:
        return dict(self._sessions)

    def running(self, run: str | None = None) -> list[Session]:
        """The sessions with a run under way; with ``run``, the one it belongs to."""
        return [
            s for s in self._sessions.values() if s.running and (run is None or (s.agent and s.agent.run_id == run))
        ]

    def reset(self, name: str) -> None:
        """End one session; its name starts afresh."""
        self._used.add(name)
        session = self._sessions.pop(name, None)
        if session is not None:
            session.close()

    def close(self) -> None:
        """End all, newest first, within ``CLOSING`` seconds; what fails or takes longer is logged and left to the reaper."""
        sessions = list(reversed(self._sessions.values()))
        self._used.update(self._sessions)
        self._sessions.clear()
        self._keys.clear()
        deadline = time.monotonic() + CLOSING
        for session in sessions:
            closing = threading.Thread(target=_close, args=(session,), daemon=True)
            closing.start()
            closing.join(max(0.0, deadline - time.monotonic()))
            if closing.is_alive():
                log.warning("closing the session %r takes long; its sandbox is left to the reaper", session.name)


def _close(session: Session) -> None:
    try:
        session.close()
    except Exception:
        log.warning("closing the session %r failed", session.name, exc_info=True)
