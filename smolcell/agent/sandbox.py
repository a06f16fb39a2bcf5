"""The sandbox of an agent: made on first use, replaced after its end, with what it was given and the imports that it allows."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, Self

from smolcell.agent.installs import Installs
from smolcell.agent.memory import AgentMemory
from smolcell.agent.running import close
from smolcell.approval.grants import Grants
from smolcell.approval.policy import current
from smolcell.core.spec import AgentSpec
from smolcell.errors import SandboxError, SetupError
from smolcell.events import File
from smolcell.executors import EXECUTORS, completed, create_executor, find_executor
from smolcell.executors.base import WorkerExecutor, authorized, libraries
from smolcell.executors.files import FileTransfer, find_links
from smolcell.network import Credential, Hosts, Keyring
from smolcell.protocols import Executor
from smolcell.tools.tool import Tool, named_function

CHECKPOINTS = 10  # copies that a sandbox keeps for ``rollback``
Paths = Sequence[str | os.PathLike[str]]


class UsingAgent(Protocol):
    """The agent, as far as its sandbox uses it."""

    spec: AgentSpec

    @property
    def executor(self) -> Executor: ...
    @property
    def callables(self) -> Mapping[str, Tool]: ...
    @property
    def grants(self) -> Grants: ...
    @property
    def installs(self) -> Installs: ...
    @property
    def memory(self) -> AgentMemory: ...


class AgentSandbox:
    """The sandbox of one agent.

    Args:
        owner: the agent; its ``executor`` calls ``make``.
        kind: its name, or an ``Executor``, which then belongs to the agent; None: as the environment says, else local.
        options: those of its class.
        python: its level, if it was chosen.
        allow_hosts, credentials: as ``CodeAgent`` takes them.

    Attributes:
        is_chosen: whether the agent was given a kind.
        max_output: characters of output kept per step.
        functions: smolagents' ``additional_functions``, as tools.
        files: names of the files that were copied in.

    Raises:
        SetupError: an option only applies to a sandbox that is made by its name, or contradicts another.
    """

    def __init__(
        self,
        owner: UsingAgent,
        kind: str | Executor | None,
        options: Mapping[str, Any],
        *,
        default: str = "local",
        max_output: int = 20_000,
        python: str | None = None,
        allow_hosts: Sequence[str] = (),
        credentials: Mapping[str, Credential] | None = None,
    ) -> None:
        self._owner = owner
        self.is_chosen = kind is not None
        self.kind: str | Executor = kind or default
        self.options, self.max_output = dict(options), max_output
        given = self.options.pop("additional_functions", None) or {}
        self.functions: dict[str, Tool] = {name: named_function(name, function) for name, function in given.items()}
        self._take_level(python)
        self._take_hosts(allow_hosts, credentials)
        self.forget()

    def forget(self) -> None:
        """Forget the sandbox and what it was given. It is not closed."""
        self.opened: Executor | None = None
        self.files: set[str] = set()
        self._for_run: set[str] = set()  # modules that are authorised until the next run begins
        self._copied: set[str] = set()  # names of variables of the newest run
        self._values: dict[str, Any] = {}  # the variables, to copy into a replacement
        self._sent: list[tuple[tuple[str | os.PathLike[str], ...], bool, tuple[Path, ...]]] = []

    def another(self, owner: UsingAgent, kind: str | Executor) -> Self:
        """Return a sandbox of another agent, with the same options."""
        twin = type(self)(owner, kind, self.options)
        twin.functions, twin.is_chosen, twin.max_output = self.functions, self.is_chosen, self.max_output
        twin._for_run = set(self._for_run)
        return twin

    def _take_level(self, python: str | None) -> None:
        if python is not None:
            if not isinstance(self.kind, str):
                raise SetupError(
                    f"python= only applies if sandbox is a name; pass python={python!r} when you create the executor"
                )
            self.options["python"] = python

    def _take_hosts(self, hosts: Sequence[str], credentials: Mapping[str, Credential] | None) -> None:
        given = {"allow_hosts": list(Hosts(hosts).names), "credentials": dict(credentials or {})}
        given = {name: value for name, value in given.items() if value}
        if given and not isinstance(self.kind, str):
            raise SetupError(
                f"{' and '.join(given)} only apply if sandbox is a name; pass them when you create the executor"
            )
        if given and self.options.get("network") not in (None, False, "none"):
            raise SetupError("network= opens everything and allow_hosts single hosts: give one of them")
        Keyring(credentials)
        self.options.update(given)

    @property
    def name(self) -> str:
        """What kind of sandbox it is."""
        return self.kind if isinstance(self.kind, str) else self.kind.name

    def make(self) -> Executor:
        """Return the executor; made on first use."""
        owner = self._owner
        if self.opened is None:
            self.opened = self.kind if not isinstance(self.kind, str) else self._create(self.kind, owner.spec)
            if isinstance(self.opened, WorkerExecutor):
                self.opened.packages = owner.installs.packages
                if self.opened.carries:
                    self.opened.egress.allow(owner.grants.names("host", "session", "notebook"))
            self.opened.send_tools(owner.callables)
            if isinstance(self.opened, WorkerExecutor):
                self.opened.record = lambda event: owner.memory.journal.append(event)
        return self.opened

    def _create(self, kind: str, spec: AgentSpec) -> Executor:
        options = {"max_print_outputs_length": self.max_output, **self.options}
        options.setdefault("additional_authorized_imports", list(spec.imports))
        if issubclass(find_executor(kind), WorkerExecutor):
            if not spec.imports:
                options.setdefault("python", "auto")
            if spec.rollback == "on-error":
                options.setdefault("checkpoints", CHECKPOINTS)
        return create_executor(kind, **options)

    def close(self) -> bool:
        """End the sandbox. Returns whether there was one."""
        executor, self.opened, self.files = self.opened, None, set()
        close(executor)
        return executor is not None

    def replace(self) -> Executor:
        """Return a new sandbox that replaces the old one, with the same variables and files."""
        self.close()
        for paths, read_only, links in self._sent:
            self.hand_in(paths, read_only, links)
        executor = self.executor
        executor.send_variables(self._values)
        return executor

    def lend_to(self, other: AgentSandbox, name: str) -> None:
        """Let the sandbox of a managed agent be of the same kind, unless one was chosen for it."""
        if other.kind is self.kind and not isinstance(self.kind, str):
            raise SetupError(f"{name!r} and its manager share a sandbox: leave out sandbox= of one of them")
        if other.is_chosen or other.opened is not None or not self.name:
            return
        if not isinstance(self.kind, str) and self.name not in EXECUTORS:
            return  # the caller made this executor: a second one cannot be made by name
        level = {"python": self.kind.asked_level} if isinstance(self.kind, WorkerExecutor) else {}
        other.kind, other.options = self.name, {**level, **self.options, **other.options}

    @property
    def executor(self) -> Executor:
        """The executor of the agent; made on first use."""
        return self._owner.executor

    def set_timeout(self, seconds: float) -> None:
        """Set the time limit of a step from the next one on, as far as the policy allows it."""
        seconds = current().least("limits.timeout", seconds)
        with suppress(SetupError):  # a sandbox may take what no setting takes
            self._owner.spec = replace(self._owner.spec, timeout=seconds)
        self.options["timeout"] = seconds
        if isinstance(self.opened, WorkerExecutor):
            self.opened.timeout = float(seconds)

    def close_host(self, name: str) -> None:
        """Withdraw a host, also from a running sandbox."""
        if isinstance(self.opened, WorkerExecutor):
            self.opened.egress.forbid(name)

    # --- what it is given

    def send_variables(self, variables: Mapping[str, Any]) -> None:
        """Copy values in; a replacement gets them, too."""
        self.executor.send_variables(variables)
        self._copied.update(variables)
        self._values.update(variables)

    def keep_variables(self, kept: Iterable[str]) -> None:
        """Delete the variables of earlier runs but these, if it can."""
        stale, self._copied = self._copied - set(kept), set(kept)
        self._values = {name: value for name, value in self._values.items() if name not in stale}
        try:
            if self.opened is not None and stale:
                completed(self.opened).forget(stale)
        except SandboxError:
            pass  # it has ended, and so have its variables

    def take_files(self, paths: Paths, read_only: bool) -> tuple[tuple[File, ...], dict[str, Path]]:
        """Hand files in, unless there are links among them that a person must allow first. Returns the files and these links."""
        executor = self.executor
        links = find_links(paths) if isinstance(executor, FileTransfer) else {}
        allowed = {(str(path), real) for given, _, reals in self._sent for path in given for real in reals}
        if isinstance(executor, FileTransfer) and not links.items() <= allowed:
            sent, waiting = executor.examine(paths, links.values(), read_only=read_only), links
        else:
            sent, waiting = self.hand_in(paths, read_only, tuple(links.values())), {}
        self.files.update(file.name for file in sent)
        return sent, waiting

    def hand_in(self, paths: Paths, read_only: bool, links: tuple[Path, ...] = ()) -> tuple[File, ...]:
        """Copy files in, or mount them read-only. ``links``: where links may lead, as a person allowed."""
        executor = completed(self.executor)
        if read_only and not paths:
            raise SetupError("read_only is about files: name the folder, for example files=['data'], read_only=True")
        if not paths:
            return ()
        allowed: dict[str, Any] = {"links": links} if links else {}
        sent = executor.mount(paths, **allowed) if read_only else executor.send_files(paths, **allowed)
        if (tuple(paths), read_only, links) not in self._sent:
            self._sent.append((tuple(paths), read_only, links))
        return sent

    def start_with(self, files: Paths, read_only: bool) -> None:
        """Let the next replacement get these files, and no others."""
        self._sent = [(tuple(files), read_only, ())] if files else []

    @property
    def handed_in(self) -> tuple[str, ...]:
        """Paths of the files and folders that it was given."""
        return tuple(str(path) for paths, *_ in self._sent for path in paths) if self.opened is not None else ()

    # --- its imports

    def authorize_imports(self, names: Iterable[str], *, for_run: bool = False) -> None:
        """Authorise these modules, too, from the next step on; ``for_run``: until the next run begins."""
        executor, names = completed(self.executor), authorized(names)
        before = set(self._owner.spec.imports)
        executor.authorize_imports([*executor.additional_authorized_imports, *names])
        self._for_run = self._for_run | (set(names) - before) if for_run else self._for_run - set(names)
        self._set_imports((*self._owner.spec.imports, *names))

    def forbid_imports(self, names: Iterable[str]) -> None:
        """Withdraw authorised modules, from the next step on."""
        executor, gone = completed(self.executor), set(names)
        self._set_imports(name for name in self._owner.spec.imports if name not in gone)
        executor.authorize_imports([name for name in executor.additional_authorized_imports if name not in gone])

    def begin_run(self, variables: Mapping[str, Any]) -> None:
        """Withdraw the modules of the run before, and authorise the data libraries of what is passed in, as the policy allows."""
        if self._for_run:
            self.forbid_imports(self._for_run)
            self._for_run = set()
        executor = completed(self.executor)
        if not variables or executor.python == "full" or not executor.takes_imports:
            return
        names = [name for name in libraries(variables.values()) if current().allows("imports", name)]
        if missing := [name for name in names if not {name, "*"} & set(executor.additional_authorized_imports)]:
            self.authorize_imports(missing, for_run=True)

    def _set_imports(self, names: Iterable[str]) -> None:
        self._owner.spec = replace(self._owner.spec, imports=tuple(dict.fromkeys(names)))
