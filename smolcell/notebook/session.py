"""Sessions: named agents that are kept between cells.

A session owns one agent with its sandbox, its models, and the approvals given for the session. Sessions are closed newest first, within
two seconds, even if a part fails.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from smolcell.approval.gates import create_gate
from smolcell.approval.grants import Grants
from smolcell.approval.policy import current
from smolcell.core.spec import MAX_SESSION_NAME_CHARS, OF_SANDBOX, AgentSpec
from smolcell.errors import AgentGenerationError, SetupError
from smolcell.models.credentials import AskKey, Keys
from smolcell.protocols import FrontEnd, Gate, Model

if TYPE_CHECKING:
    from smolcell.agent import CodeAgent
    from smolcell.approval.contract import Contract
    from smolcell.core.spec import AgentSpec
    from smolcell.events import History
    from smolcell.executors.packages import Plan
    from smolcell.journal import Journal, Run
    from smolcell.models.recording import RecordingModel
    from smolcell.notebook.settings import Options
    from smolcell.tools.mcp import MCPClient
    from smolcell.tools.tool import Tool

log = logging.getLogger("smolcell")
CHECKPOINTS = 10  # checkpoints of a cell's sandbox
CLOSE_SECONDS = 2.0  # seconds for all sessions together


class SessionModels:
    """The models of a session, each made once, so that a replay continues and connections are reused.

    Args:
        keys: typed keys.

    Attributes:
        recent: models and their URLs, newest first.
        chosen: the model for later cells that name none.
    """

    def __init__(self, keys: Keys) -> None:
        self.keys = keys
        self.recent: tuple[tuple[str, str | None], ...] = ()
        self.chosen: tuple[str, str | None] | None = None
        self._models: dict[tuple[str, str | None, int], Model] = {}
        self._used: tuple[str, str | None, int] | None = None  # key of the model of the newest run
        self._default = ""  # the default model, once it was needed
        self._recordings: dict[Path, RecordingModel] = {}

    def learn(self, error: Exception | None) -> None:
        """Handle the error of a run: after a model's error, make a new model next time; ask for a key that was rejected."""
        if not isinstance(error, AgentGenerationError) or self._used is None:
            return
        name, api_base, _ = self._used
        if not name.startswith("replay:"):  # a recording continues at its position
            self._models.pop(self._used, None)
            self._default = ""
        if error.kind == "key":
            self.keys.refuse(name, api_base)

    def get(self, settings: AgentSpec, record: str | None, replay: str | None, ask_key: AskKey | None) -> Model:
        """Return the model of these settings, of a recording, or one that records."""
        if replay is not None and record is not None:
            raise SetupError("--record and --replay exclude each other: give one of them")
        if replay is not None:
            path = Path(replay).expanduser()
            changed = path.stat().st_mtime_ns if path.is_file() else 0  # reread a changed recording
            return self._model(f"replay:{path}", None, changed)
        model = self._model(settings.model, settings.api_base, ask_key=ask_key)
        if record is None:
            return model
        from smolcell.models.recording import RecordingModel

        path = Path(record).expanduser().absolute()
        if path in self._recordings:  # one for all runs of the session, which knows the run to continue
            self._recordings[path].answer_from(model)
        else:
            self._recordings[path] = RecordingModel(model, path)
        return self._recordings[path]

    def _model(
        self, name: str | None, api_base: str | None, version: int = 0, *, ask_key: AskKey | None = None
    ) -> Model:
        """Return the model of this name."""
        from smolcell.models import create_model, default_model, needs_no_key

        is_chosen = name is None
        if name is None:
            name = self._default = self._default or default_model(api_base=api_base)
        key = self._used = (name, api_base, version)
        if key not in self._models:
            typed = self.keys.key(name, api_base, ask_key)
            secret = "" if typed is None and is_chosen and needs_no_key(name) else typed
            self._models[key] = create_model(name, api_base=api_base, api_key=secret)
        if not name.startswith("replay:"):
            used = name, api_base
            self.recent = used, *(each for each in self.recent if each != used)
        return self._models[key]


class Session:
    """A named agent.

    Args:
        name: the name for ``--session``.
        keys: typed keys.
        place: the notebook, by which the journal is found after a restart; "" if it need not be found.

    Attributes:
        agent: None until the first run.
    """

    def __init__(self, name: str, keys: Keys | None = None, place: str = "") -> None:
        self.name, self.place = name, place
        self._before: tuple[Run, Journal] | None = None  # the conversation of an earlier kernel
        self.models = SessionModels(keys or Keys())
        self.agent: CodeAgent | None = None
        self._spec: AgentSpec | None = None  # the cell that its sandbox was made for
        # The options of earlier cells for the sandbox: they apply to later cells without such options.
        self.options: dict[str, Any] = {}
        self._gates: dict[str, Gate] = {}
        self._mcp: dict[str, MCPClient] = {}
        self.grants = Grants(place)

    @property
    def allowed(self) -> tuple[str, ...]:
        """The modules that were authorised for the session, by ``allow`` or by a click."""
        return self.grants.modules

    def allow(self, names: Iterable[str]) -> None:
        """Authorise modules for this session, also in a running sandbox.

        Raises:
            CapabilityError: its sandbox cannot change its imports.
        """
        names = tuple(names)
        current().check("imports", names, "The import {} is not allowed")
        if self.agent is not None:
            self.agent.authorize_imports(names)
        for name in names:
            self.grants.give("module", name, "session")

    def with_own(self, options: Options) -> Options:
        """Return the options of a cell, completed with earlier cells' options for the sandbox, and with the model chosen on a card."""
        options_held = {name: value for name, value in self.options.items() if name not in options.settings}
        if self.models.chosen is not None and not {"model", "api_base"} & options.settings.keys():
            options_held["model"], options_held["api_base"] = self.models.chosen[0], self.models.chosen[1] or ""
        if "imports" in options.settings:
            options_held.pop("python", None)  # imports determine the level
        return replace(options, settings={**options_held, **options.settings})

    def hold(self, options: Options) -> None:
        """Remember the options of a cell for the sandbox."""
        self.options = {name: value for name, value in options.settings.items() if name in OF_SANDBOX}

    def prepare(
        self,
        settings: AgentSpec,
        *,
        tools: Iterable[Tool | Callable[..., Any]] = (),
        mcp: Mapping[str, Any] | None = None,
        record: str | None = None,
        replay: str | None = None,
        ask_key: AskKey | None = None,
        model: Model | None = None,
    ) -> CodeAgent:
        """Return the session's agent, set up for the next run.

        The sandbox and its variables are kept while its settings are unchanged, except the time limit of a step; otherwise it is closed and
        replaced, and the conversation continues. Connections to MCP servers (``mcp``: name → argument of ``MCPClient``) are kept until the
        session's end. A missing key is asked for with ``ask_key``. ``model`` replaces the model of the settings.

        Raises:
            SetupError: the model, a tool or the sandbox cannot be made; nothing was changed.
        """
        from smolcell.executors import find_executor
        from smolcell.tools.builtin import as_tools

        find_executor(settings.sandbox)
        offered = as_tools([*tools, *self._mcp_tools(mcp or {})]).values()
        model = model or self.models.get(settings, record, replay, ask_key)
        agent = self._agent_for(settings, model)
        agent.set_model(model)
        self._set_up(agent, settings, offered)
        return agent

    def _set_up(self, agent: CodeAgent, settings: AgentSpec, tools: Iterable[Tool]) -> None:
        """Set the agent up for a task with these settings."""
        agent.set_tools(tools)
        agent.configure(settings)

    def contract(
        self,
        settings: AgentSpec,
        front: FrontEnd,
        *,
        purpose: str = "",
        files: Sequence[str] = (),
        tools: Iterable[Tool | Callable[..., Any]] = (),
        mcp: Mapping[str, Any] | None = None,
        replay: str | None = None,
    ) -> Contract:
        """Return a contract: what a task with these settings may do, and the walls of its sandbox. No model is made or asked.

        Raises:
            SetupError: a tool or the sandbox cannot be made, or a run is active.
        """
        from smolcell.agent.permissions import make_contract
        from smolcell.models import chosen_model
        from smolcell.models.scripted import ScriptedModel
        from smolcell.tools.builtin import as_tools

        if self.running:
            raise SetupError(f"the session {self.name!r} has an active run: wait, or stop it with: %agent stop")
        offered = as_tools([*tools, *self._mcp_tools(mcp or {})]).values()
        agent = self._agent_for(settings, self.agent.model if self.agent is not None else ScriptedModel())
        self._set_up(agent, settings, offered)
        try:
            name = "" if replay else settings.model or chosen_model(api_base=settings.api_base)[0]
        except SetupError:  # no model is set
            name = ""
        models = [part.strip() for part in name.split(",") if part.strip()]
        return make_contract(agent, self.front(settings, front), purpose, files, models)

    def _agent_for(self, settings: AgentSpec, model: Model) -> CodeAgent:
        """Return the agent; a new one if its sandbox must change."""
        if self.agent is None or self._spec is None or not settings.shares_sandbox(self._spec):
            self.agent, self._spec = self._renew(settings, model), settings
        self.agent.set_timeout(settings.timeout)
        return self.agent

    async def install(self, settings: AgentSpec, words: Sequence[str]) -> Plan:
        """Look packages up and install them for this session's sandbox, also in a running one. Returns the installed packages.

        Raises:
            SetupError: the settings forbid it, a run is active, or the packages cannot be found or installed.
            CapabilityError: no packages can be installed in its sandbox.
        """
        from smolcell.models.scripted import ScriptedModel

        if settings.approve == "deny" or settings.installs == "never":
            raise SetupError("nothing is installed: the settings say approve=deny or installs=never")
        if self.running:
            raise SetupError(f"the session {self.name!r} has an active run: wait, or stop it with: %agent stop")
        agent = self.agent or self._agent_for(settings, ScriptedModel())  # the next run has its own model
        return await agent.installs.install(words)

    def _mcp_tools(self, servers: Mapping[str, Any]) -> list[Tool]:
        """Return the tools of these servers. Each is connected to once, and again if it has ended.

        Raises:
            SetupError: a server cannot be reached; the message begins with its name.
        """
        tools: list[Tool] = []
        for name, parameters in servers.items():
            try:
                tools += self._connected(name, parameters).get_tools()
            except SetupError as error:
                raise SetupError(f"the MCP server {name}: {error}. Correct that, or leave this server out") from None
        return tools

    def _connected(self, name: str, parameters: Any) -> MCPClient:
        if name not in self._mcp:
            from smolcell.tools.mcp import MCPClient

            self._mcp[name] = MCPClient(parameters)
        self._mcp[name].connect()
        return self._mcp[name]

    def bring_back(self) -> bool:
        """Restore the conversation that an earlier kernel of this notebook left in its journal. Returns whether there is one.

        The next run continues it, in the same journal and a new sandbox. No code runs again.

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
        if journal.alone is False:  # another kernel was faster
            journal.close()
            return False
        self._before = run, journal
        return True

    @property
    def events(self) -> History:
        """The events of the session, as far as they are known here."""
        if self.agent is not None:
            return self.agent.memory.events
        return self._before[0].events if self._before is not None else ()

    def fork(self, step: int, name: str) -> Session:
        """Return a session of another name, with this one's memory up to a step of its newest run.

        Raises:
            SetupError: there is no such step, or a run is active.
        """
        from smolcell import journal as runs

        if self.running:
            raise SetupError(
                f"the session {self.name!r} has an active run: wait, or stop it with: %agent stop {self.name}"
            )
        twin = Session(name, self.models.keys, self.place)
        twin.options = dict(self.options)
        twin._before = runs.fork(runs.Run(self.events), step, name, self.place)
        return twin

    def front(self, settings: AgentSpec, front: FrontEnd) -> FrontEnd:
        """Return the front end with this session's gate for the approval mode, which remembers approvals."""
        gate = self._gates.setdefault(settings.approve, create_gate(settings.approve, front.view))
        return FrontEnd(view=front.view, gate=gate, waiter=front.waiter, approve=settings.approve)

    def stop(self) -> bool:
        """Stop the active run. Returns whether there was one."""
        running = self.running
        if self.agent is not None:
            self.agent.interrupt()
        return running

    @property
    def running(self) -> bool:
        return self.agent is not None and self.agent.running

    def close(self) -> None:
        """End the run, the sandbox and the connections to MCP servers. Idempotent."""
        if self.agent is not None:
            self.agent.cleanup()
        if self._before is not None:
            self._before[1].close()
        clients, self._mcp = list(self._mcp.values()), {}
        for client in clients:
            client.disconnect()

    def _renew(self, settings: AgentSpec, model: Model) -> CodeAgent:
        """Return an agent with a new sandbox and the memory of the previous agent, which is closed."""
        # Imported on first use, with everything that it imports, so that the extension loads fast.
        from smolcell.agent import CodeAgent
        from smolcell.executors import find_executor
        from smolcell.executors.base import WorkerExecutor

        ours = issubclass(find_executor(settings.sandbox), WorkerExecutor)
        agent = CodeAgent.from_spec(
            replace(settings, imports=(*settings.imports, *self.allowed)),
            model,
            executor_kwargs={"checkpoints": CHECKPOINTS} if ours else {},
            session=self.name,
            python=settings.python,
        )
        agent.use_grants(self.grants)
        agent.executor  # noqa: B018 - made now, so that an error keeps the old one
        if self._spec is not None and self.agent is not None and settings.sandbox == self._spec.sandbox:
            agent.installs.take_over(self.agent.installs)
        agent.place = self.place
        before, self._before = self._before, None
        if before is not None:
            agent.memory.take_over(*before)
        elif self.agent is not None:
            agent.memory.take_over(*self.agent.memory.hand_over())
            self.agent.cleanup()
        return agent


class Sessions:
    """All sessions of one front end, by name. ``place``: the notebook."""

    def __init__(self, place: str = "") -> None:
        self._sessions: dict[str, Session] = {}
        self._place = place
        self._used: set[str] = (
            set()
        )  # names used in this kernel: earlier kernels' sessions of these names are not restored
        self._keys = Keys()

    def get(self, name: str, *, new: bool = False) -> Session:
        """Return the session of this name, or a new one, which ``keep`` must store."""
        if not name.strip() or len(name) > MAX_SESSION_NAME_CHARS:
            raise SetupError(
                f"--session takes a name of 1 to {MAX_SESSION_NAME_CHARS} characters, not {name[:MAX_SESSION_NAME_CHARS]!r}"
            )
        known = self._sessions.get(name)
        return Session(name, self._keys, self._place) if known is None or new else known

    def brought_back(self, name: str) -> Session | None:
        """Return the session of this name from an earlier kernel of this notebook, or None.

        Also None if the name was already used in this kernel.
        """
        session = self.get(name)
        return session if name not in self._used and session.bring_back() else None

    def keep(self, session: Session) -> None:
        """Store a session under its name; an earlier one of that name is closed."""
        before = self._sessions.get(session.name)
        self._sessions[session.name] = session
        self._used.add(session.name)
        if before is not None and before is not session:
            before.close()

    def free(self, name: str) -> str:
        """Return this name, or the next one like it that is free."""
        taken = [name, *(f"{name}-{number}" for number in range(2, len(self._sessions) + 3))]
        return next(each for each in taken if each not in self._sessions)

    def known(self, name: str) -> Session:
        """Return an existing session.

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
        """Return the sessions with an active run; with ``run``, the session that it belongs to."""
        return [
            s for s in self._sessions.values() if s.running and (run is None or (s.agent and s.agent.run_id == run))
        ]

    def reset(self, name: str) -> None:
        """End one session; its name is free again."""
        self._used.add(name)
        session = self._sessions.pop(name, None)
        if session is not None:
            session.close()

    def close(self) -> None:
        """End all sessions, newest first, within ``CLOSE_SECONDS`` seconds. Failures are logged; slow ones are left to the reaper."""
        sessions = list(reversed(self._sessions.values()))
        self._used.update(self._sessions)
        self._sessions.clear()
        self._keys.clear()
        deadline = time.monotonic() + CLOSE_SECONDS
        for session in sessions:
            closing = threading.Thread(target=_close, args=(session,), daemon=True)
            closing.start()
            closing.join(max(0.0, deadline - time.monotonic()))
            if closing.is_alive():
                log.warning("closing the session %r takes too long; the reaper ends its sandbox", session.name)


def _close(session: Session) -> None:
    try:
        session.close()
    except Exception:
        log.warning("closing the session %r failed", session.name, exc_info=True)
