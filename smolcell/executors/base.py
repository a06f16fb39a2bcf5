"""The host's side of every sandbox that runs the worker, except how its process is started.

* ``run`` begins by spending a permit; one step at a time.
* Every frame of the worker is hostile until checked: a bad one ends the step with a named fault and the worker with it.
* Failures of the code are in ``Observed.error``; no action of the worker raises an unhandled exception here.
* Cancelling ``run`` interrupts the step; the executor stays usable.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from smolcell.approval.policy import current
from smolcell.core.text import visible
from smolcell.errors import CapabilityError, SandboxDiedError, SandboxError, SetupError
from smolcell.events import Allowed, Boundary, Event, File, Observed, Wall
from smolcell.executors import BaseExecutor, Checkpoint, Checkpoints, Restored, registry
from smolcell.executors.connection import Connection, Worker, WorkerChannel
from smolcell.executors.direct import SyncRunner, raise_fault
from smolcell.executors.egress import Egress, with_way_to_hosts
from smolcell.executors.step import RunningStep
from smolcell.executors.values import SandboxValues, has_arrow
from smolcell.executors.walls import GUARD, missing_walls
from smolcell.network import Credential
from smolcell.network.addresses import resolve
from smolcell.permit import spend
from smolcell.protocols import FILES, NETWORK, CallTool, OnOutput, opened_for
from smolcell.worker.guard.imports import ModuleViews, expand
from smolcell.worker.guard.tables import DATA_IMPORTS, DEFAULT_IMPORTS, LIBRARIES, RISKY_IMPORTS
from smolcell.worker.wire import frames, values

if TYPE_CHECKING:
    from smolcell.executors.packages import SessionPackages

log = logging.getLogger("smolcell")

# --- Python levels, limits and the boundary that every sandbox has.


LEVELS = ("full", "guarded", "auto")
"""Values of ``python=``: ordinary Python behind tested walls, the import guard, or full if the walls stand, else guarded."""

WORK_FOLDERS = ("writable", "read-only")
"""Values of ``work_folder=``: whether the code may write to the folder it works in."""

_MAX_ITEMS = 100  # of a list or dictionary that are looked at

DEFAULT_OUTPUT_CHARS = 20_000
"""Default number of characters of printed output kept of a step."""


def authorized(names: Iterable[str]) -> tuple[str, ...]:
    """Replace presets such as ``@data`` in a list of imports by the modules they stand for.

    Raises:
        SetupError: there is no such preset.
    """
    try:
        return expand(names)
    except ValueError as error:
        raise SetupError(str(error)) from None


def libraries(values: Iterable[Any]) -> tuple[str, ...]:
    """Return the imports of the data libraries that these values, or the items of these lists and dictionaries, belong to, with numpy."""
    found: dict[str, None] = {}
    for value in values:
        items = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
        for each in (value, *islice(items, _MAX_ITEMS)):
            name = f"{type(each).__module__.partition('.')[0]}.*"
            if name in DATA_IMPORTS or name == "polars.*":
                found |= {name: None, "numpy.*": None}
    return tuple(found)


def risky(names: Iterable[str]) -> tuple[str, ...]:
    """Return the authorised modules that get around the guard, such as ``os`` and ``sys``."""
    module_views = ModuleViews(names)
    return tuple(name for name in RISKY_IMPORTS if module_views.allows(name))


def warn_of_risky(names: Iterable[str]) -> None:
    """Warn of authorised modules that get around the guard; for scripts."""
    if names_at_risk := risky(names):
        warnings.warn(f"{', '.join(names_at_risk)}: authorised, {RISK_TEXT}", stacklevel=_frames_to_script())


def _frames_to_script() -> int:
    """Return how many frames of smolcell are between this function's caller and the script."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and str(frame.f_globals.get("__name__", "")).startswith("smolcell."):
        frame, level = frame.f_back, level + 1
    return level


RISK_TEXT = "and with that the guard is easily bypassed: only the walls protect"


class LimitedExecutor(BaseExecutor):
    """The level, imports and limits of a ``WorkerExecutor``, where they are described, and its boundary."""

    takes_imports = True
    egress: Egress
    mounts: Mapping[str, Path] = MappingProxyType({})  # readable files of the host: name in the work folder -> path

    def __init__(
        self,
        additional_authorized_imports: Sequence[str],
        timeout: float,
        max_print_outputs_length: int | None,
        memory: int,
        max_tool_calls: int,
        tool_timeout: float,
        python: str,
    ) -> None:
        if python not in LEVELS:
            raise SetupError(
                f"python={python!r} is no level: choose python='full' or python='guarded'. "
                "The path of an interpreter is given as interpreter="
            )
        self.capabilities: dict[str, Any] = {}
        self.asked_level = python  # may be "auto" until the sandbox is open
        self._level = "guarded" if python == "guarded" else "full"
        self._reason = "python='guarded'" if python == "guarded" else ""
        if isinstance(additional_authorized_imports, str):
            additional_authorized_imports = [additional_authorized_imports]
        self.additional_authorized_imports = authorized(additional_authorized_imports)
        self.timeout = float(timeout)
        self.max_print_outputs_length = (
            DEFAULT_OUTPUT_CHARS if max_print_outputs_length is None else int(max_print_outputs_length)
        )
        self.memory = int(memory)
        self.max_tool_calls = int(max_tool_calls)
        self.tool_timeout = float(tool_timeout)
        if python == "guarded" and set(self.additional_authorized_imports) - set(DATA_IMPORTS):
            self._reason = "imports were given"
        self.hold_to_policy()
        if self._level == "guarded" and python == "guarded":
            warn_of_risky(self.additional_authorized_imports)

    def hold_to_policy(self) -> None:
        """Restrict level, imports and limits to the current policy.

        Raises:
            SetupError: the level or an import that was chosen is not allowed.
        """
        policy = current()
        lock = policy.lock("level")
        if lock is not None and lock.value == "guarded":
            if self.asked_level == "full":
                raise SetupError(f"python='full' is not allowed: {lock}. Use python='guarded'")
            self.asked_level = self._level = "guarded"
            self._reason = str(lock)
        policy.check("imports", self.additional_authorized_imports, "The import {} is not allowed")
        self.timeout = policy.least("limits.timeout", self.timeout)
        self.memory = int(policy.least("limits.memory", self.memory))
        self.max_print_outputs_length = int(policy.least("limits.max_output", self.max_print_outputs_length))
        self.max_tool_calls = int(policy.least("limits.tool_calls", self.max_tool_calls))
        self.tool_timeout = policy.least("limits.tool_timeout", self.tool_timeout)

    def _decide_level(self, missing: str) -> None:
        """Decide the level of a sandbox that was started: guarded if walls are missing.

        Raises:
            SetupError: the level full was chosen.
        """
        if self._level == "guarded":
            return
        if not missing:
            self.asked_level, self._reason = "full", self._reduced()
        elif self.asked_level == "full":
            raise SetupError(
                f"python='full' needs walls that the sandbox {self.name!r} does not have here: {missing}. "
                "Use python='guarded', or another sandbox"
            )
        else:
            self._level, self._reason = "guarded", f"missing here: {missing}"

    def _check_allowed(self) -> None:
        """Check the sandbox against the current policy.

        Raises:
            SetupError: the sandbox, a host or its network is not allowed.
        """
        self.hold_to_policy()
        policy = current()
        policy.check("sandboxes", [self.full_name], "The sandbox {} is not allowed")
        policy.check("hosts", self.egress.hosts.names, "The host {} is not allowed")
        if self._opened_network() and (why := policy.refusal("hosts", "*")):
            raise SetupError(f"A sandbox with an open network is not allowed: {why}. Leave out network=")

    @property
    def python(self) -> str:
        """The Python level: "full" or "guarded"; final once the sandbox is open."""
        return self._level

    # --- overridden by subclasses ---

    @property
    def full_name(self) -> str:
        """Its name in a policy, including the image or template: "docker:my-image"."""
        return self.name

    def boundary(self) -> Boundary:
        """Return the walls that stand, as tested at run time; use ``bounded`` to add limits and imports."""
        raise NotImplementedError

    def _opened_network(self) -> bool:
        """Return whether the user gave the code a network, so that the network wall is not required."""
        return False

    def _lacking(self) -> str:
        """Return the walls that level full needs and that do not stand; "" if none."""
        return missing_walls(self.boundary(), opened=self._opened_network())

    def _reduced(self) -> str:
        """Return what level full lacks in this sandbox; "" if nothing."""
        return ""

    # --- the boundary ---

    def bounded(
        self, where: str, walls: Sequence[Wall], isolated: bool, limits: Mapping[str, float] | None = None
    ) -> Boundary:
        """Return the boundary of this sandbox, with its imports and the limits of every sandbox.

        Args:
            where: where its code runs, as text for a person.
            walls: all walls that were tested, whether they stand or not.
            isolated: whether files, network and other processes are out of reach.
            limits: additional limits of this kind of sandbox.
        """
        guarded = self._level == "guarded"
        return Boundary(
            sandbox=self.name,
            where=where,
            isolated=isolated,
            walls=tuple(self._as_opened(wall) for wall in walls if guarded or wall.name != GUARD),
            python=self._level if guarded or not self._reason else f"{self._level}, reduced",
            python_reason=self._reason or "the walls hold",
            libraries=() if guarded else tuple(name for name in LIBRARIES if name in self._installed()),
            limits={
                "seconds a step": self.timeout,
                "memory, MB": self.memory,
                **(limits or {}),
                "characters of output": self.max_print_outputs_length,
                "tool calls a step": self.max_tool_calls,
                "seconds a tool call": self.tool_timeout,
            },
            imports=tuple(sorted({*DEFAULT_IMPORTS, *self.additional_authorized_imports} - {"__future__"}))
            if guarded
            else ("*",),
            hosts=self.egress.hosts.names,
            warning="; ".join(self._warnings(guarded)),
        )

    def _installed(self) -> Sequence[str]:
        """Return the data libraries that the worker reported."""
        libraries = self.capabilities.get("libraries")
        return libraries if type(libraries) is list else ()

    def _warnings(self, guarded: bool) -> Iterator[str]:
        """Yield warnings for the person."""
        if guarded and (names_at_risk := risky(self.additional_authorized_imports)):
            yield f"{', '.join(names_at_risk)}: authorised, {RISK_TEXT}"
        if self.egress.hosts:
            yield "data can leave through an allowed host: the code can send there whatever it can read"

    def _as_opened(self, wall: Wall) -> Wall:
        if wall.name == NETWORK and wall.stands and self.egress.hosts:
            return replace(wall, detail=f"{wall.detail}, and the proxy in it")
        if wall.name != FILES or not self.mounts:
            return wall
        mounted = ", ".join(f"{visible(str(real))} (as {visible(name)})" for name, real in self.mounts.items())
        return replace(wall, detail=f"{wall.detail}; mounted read-only: {mounted}")


class WorkerCheckpoints(Checkpoints):
    """Copies of the process of a worker, from before its newest steps.

    Args:
        executor: the sandbox.
        keeps: maximum number of copies.
    """

    def __init__(self, executor: WorkerExecutor, keeps: int) -> None:
        self._executor, self.keeps = executor, max(0, keeps)
        self._marks: dict[tuple[str, int], int] = {}  # run and step -> number of the checkpoint before it
        self._marked = 0

    @property
    def how(self) -> str:
        """See ``Checkpoints.how``."""
        return "copies" if self.keeps and self._executor.capabilities.get("checkpoints") == "copies" else "replay"

    @property
    def count(self) -> int:
        """How many copies there are, including those that were dropped for memory."""
        return min(self.keeps, len(self._marks)) if self._executor.worker.connection is not None else 0

    def mark(self, step: RunningStep) -> list[frames.Frame]:
        """Return the frames that have the worker keep a checkpoint before this step."""
        if self.how != "copies":
            return []
        self._marked += 1
        self._marks.setdefault((step.run, step.number), self._marked)  # a step may run several programs
        while len(self._marks) > self.keeps:
            del self._marks[next(iter(self._marks))]
        return [frames.Frame("checkpoint", {"number": self._marked})]

    async def rollback(self, run: str, step: int, *, keep: bool = False) -> Restored:
        """See ``Checkpoints.rollback``."""
        executor = self._executor
        executor.worker.check_idle()
        number = self._marks.get((run, step))
        if number is None or executor.worker.connection is None:
            raise CapabilityError("the sandbox keeps no checkpoint of this step")
        try:
            answer = await asyncio.to_thread(executor.worker.request, "rollback", number=number, keep=keep)
        except SandboxError as error:
            raise CapabilityError(str(error)) from None
        self._marks = {place: each for place, each in self._marks.items() if each < number + keep}
        executor.values.tools_sent = executor.values.imports_sent = False  # it has those of that time
        executor.values.end_handles()
        try:
            uncovered, shares = values.read_json(answer.blobs[0])
        except (TypeError, ValueError):
            raise CapabilityError("the sandbox's answer cannot be read") from None
        return Restored(str(uncovered), bool(shares))

    async def kept(self) -> list[Checkpoint]:
        """See ``Checkpoints.kept``."""
        if self._executor.worker.connection is None or self.how != "copies":
            return []
        answer = await asyncio.to_thread(self._executor.worker.request, "checkpoints")
        steps = {number: place for place, number in self._marks.items()}
        return [
            Checkpoint(*steps[number], how, None if size is None else int(size), visible(str(reason)))
            for number, how, size, reason in values.read_json(answer.blobs[0])
            if number in steps
        ]


class WorkerExecutor(LimitedExecutor):
    """One sandbox with a worker in it; subclasses start the worker and report the walls.

    Args:
        additional_authorized_imports: modules the code may import beyond the default ones; ``pkg.*`` for a package
            with everything below it.
        timeout: seconds one step may take; paused while a tool of the host runs.
        max_print_outputs_length: maximum characters of printed output kept of a step; None for 20,000.
        memory: megabytes the code may allocate.
        max_tool_calls: maximum tool calls of one step.
        tool_timeout: seconds one call of a tool may take; then the code gets an error and continues.
        python: the level. "full" is ordinary Python without import guard, and needs tested walls; "guarded" checks imports;
            "auto" is full if the walls stand, else guarded.
        checkpoints: number of states from before a step that are kept for ``rollback``; 0 for none.
        work_folder: "read-only" keeps the code from writing to its work folder, which holds the files that were sent; it may then have
            a temporary folder in memory. Only the sandbox "local" on Linux can do so.
        allow_hosts: hosts that the code may connect to by HTTP and HTTPS, through a proxy on this machine: ``"api.worldbank.org"``,
            ``"*.data.gov"``, ``"localhost:8080"``. Data can leave through an allowed host.
        credentials: ``Credential`` objects by the names of environment variables in the sandbox, which hold placeholders; see
            ``smolcell.network.Credential``. Their hosts are allowed.
    """

    name = "worker"
    closes_work_folder = False
    max_frame = frames.FROM_WORKER_BYTES
    checkpoints: WorkerCheckpoints
    packages: SessionPackages | None = None
    """Packages installed for its session; set before it is opened."""
    carries = False
    """Whether connections of the code can be relayed to the proxy on this machine."""
    shares_proxy = False
    """Whether an agent in the sandbox shares the code's network, and so reaches the proxy while a step runs."""
    opens_tls = True
    """Whether the code's libraries can open TLS connections; otherwise the proxy opens them."""
    resolve = staticmethod(resolve)
    """Resolves a host and port to addresses, for the proxy."""

    def __init__(
        self,
        additional_authorized_imports: Sequence[str] = (),
        *,
        timeout: float = 60.0,
        max_print_outputs_length: int | None = DEFAULT_OUTPUT_CHARS,
        memory: int = 2048,
        max_tool_calls: int = 1000,
        tool_timeout: float = 300.0,
        python: str = "guarded",
        checkpoints: int = 0,
        work_folder: str = "writable",
        allow_hosts: Sequence[str] = (),
        credentials: Mapping[str, Credential] | None = None,
    ) -> None:
        self.egress = Egress(self, allow_hosts, credentials)
        if work_folder not in WORK_FOLDERS:
            raise SetupError(f"work_folder={work_folder!r} is not known; choose one of: {', '.join(WORK_FOLDERS)}")
        if work_folder == "read-only" and not self.closes_work_folder:
            raise SetupError(f"the sandbox {self.name!r} cannot keep its work folder read-only: use 'local' on Linux")
        self.work_folder = work_folder
        most = (timeout, max_print_outputs_length, memory, max_tool_calls, tool_timeout, python)
        super().__init__(additional_authorized_imports, *most)
        self.worker = Worker(self.name, self.egress.handle_frame, self._on_end)
        self.values = SandboxValues(self)
        self.checkpoints = WorkerCheckpoints(self, int(checkpoints))
        self.tools: dict[str, Any] = {}
        self.serves = ""  # run that it was opened for, or whose step ran last
        self.record: Callable[[Event], object] = _unrecorded  # called with events of calls of handles
        self._opening = threading.Lock()
        self._direct: SyncRunner | None = None  # runs steps that are called directly
        self._closed = False

    @property
    def _connection(self) -> Connection | None:
        """The connection to the worker; None while the sandbox is not open."""
        return self.worker.connection

    @property
    def open_step(self) -> int:
        """The number of the open step; 0 for none."""
        step = self.worker.step
        return step.number if step is not None else 0

    # --- overridden by subclasses ---

    def _start(self) -> WorkerChannel:
        """Start the worker; blocks; raises SandboxError."""
        raise NotImplementedError

    def _set_up(self) -> None:
        """Prepare a worker that has just started; blocks. If it raises, the worker is ended."""

    def _stop_starting(self) -> None:
        """End a ``_start`` that takes minutes and is no longer needed. Thread-safe; does nothing if it has ended."""

    def _options(self) -> dict[str, Any]:
        """Return the content of the hello to the worker."""
        return {
            "imports": list(self.additional_authorized_imports),
            "max_output": self.max_print_outputs_length,
            "memory": self.memory,
            "arrow": has_arrow(),
            "guard": self._level == "guarded",
            "checkpoints": self.checkpoints.keeps,
            **self.egress.options(),
        }

    def _written(self) -> tuple[File, ...]:
        """Return the files that are new or changed since the last call."""
        return ()

    # --- opening and closing ---

    async def open(self) -> None:
        """Start the sandbox. Idempotent.

        Raises:
            SandboxError: it did not start, or was already closed.
        """
        self.serves = opened_for.get() or self.serves
        if self.worker.connection is None or self.values.is_pending:
            try:
                await asyncio.to_thread(self._open)
            except asyncio.CancelledError:
                self._stop_starting()
                raise
        registry.notify(self)

    def _open(self) -> None:
        with self._opening:
            if self._closed:
                raise SandboxError("this sandbox was closed; make a new executor")
            if self.worker.connection is None:
                self._check_allowed()
                self._connect()
            if self.worker.step is None or not self.worker.step.sent:
                self.values.send_pending()

    def _connect(self) -> None:
        """Start the worker. For level full, check the walls before any code runs: if some are missing, start guarded instead, or raise."""
        self._start_worker()
        missing = "" if self._level == "guarded" else self._lacking()
        if missing:
            self.worker.replace()
        self._decide_level(missing)
        if missing:
            self._start_worker()

    def _start_worker(self) -> None:
        self.egress.prepare()
        connection = self.worker.connect(self._start(), self.max_frame)
        self.values.tools_sent, self.values.imports_sent = not self.tools, True
        try:
            options = self._options()
            self.egress.serve(connection)
            ready = self.worker.greet(connection, options)
            self.capabilities = {**ready.fields["capabilities"], "python": values.clean(ready.fields["python"])}
            self.egress.check(self.capabilities)
            if self._closed:
                raise SandboxError("this sandbox was closed while it was starting")
            self._set_up()
        except BaseException:
            self.worker.disconnect()
            raise

    def _on_end(self) -> None:
        self.values.end_handles()
        registry.notify(self)

    def close(self) -> None:
        """End the sandbox and release its resources, within two seconds. Idempotent and thread-safe."""
        self._closed = True
        self.values.end_handles()
        with self.worker.lock:
            connection, self.worker.connection = self.worker.connection, None
            direct, self._direct = self._direct, None
        registry.notify(self)
        for part in (connection, direct):
            if part is not None:
                try:
                    part.close()
                except Exception:
                    log.warning("closing the sandbox %r", self.name, exc_info=True)

    # --- running ---

    async def run(self, permit: Allowed, on_output: OnOutput, call_tool: CallTool) -> Observed:
        """Run exactly the permitted text. Failures of the code are in ``Observed.error``, never raised.

        Args:
            permit: from ``smolcell.permit.permit``; used up by this call.
            on_output: called with printed text, as it comes, on this event loop.
            call_tool: runs a tool of the host for the code, on this event loop.

        Raises:
            PermitError: there is no valid permit.
            SandboxBusyError: another step is open.
            SandboxError: the sandbox does not start.
        """
        text = spend(permit)
        step = RunningStep(permit, on_output, call_tool, self)
        if permit.by != "caller" and (direct := self._direct) is not None:
            await direct.wait()
        with self.worker.lock:
            self.worker.check_idle()
            self.worker.step, self.serves = step, permit.run
        self.values.forward.steps += 1
        try:
            await self.open()
            try:
                observed = await self._watch(step, text)
            finally:
                await self.egress.end_step()
            if self.egress.is_closed:
                observed = with_way_to_hosts(observed, text)
            return replace(observed, files=written) if (written := await asyncio.to_thread(self._written)) else observed
        finally:
            step.over()
            with self.worker.lock:
                self.worker.step = None
            registry.notify(self)

    async def _watch(self, step: RunningStep, text: str) -> Observed:
        with self.worker.lock:
            connection = self.worker.connection
            if connection is not None:
                step.begin(connection, self.timeout)
        if connection is None:
            raise SandboxDiedError("the sandbox ended before the step began")
        await self.egress.begin_step()
        run = frames.Frame(
            "run", {"step": step.number, "timeout": self.timeout}, (text.encode("utf-8", "surrogatepass"),)
        )
        connection.send_frames(*self.checkpoints.mark(step), run)
        step.follow()
        try:
            observed = await step.wait()
        except asyncio.CancelledError:
            step.interrupt()
            await step.settle()
            raise
        was_lost, self.worker.was_lost = self.worker.was_lost, False
        return replace(observed, state_lost=True) if was_lost and not observed.state_lost else observed

    def interrupt(self) -> None:
        """Interrupt the open step within a second (two inside a C call). Thread-safe; does nothing when idle."""
        step = self.worker.step
        if step is not None:
            step.interrupt()

    def __call__(self, code: str, *, thought: str = "", record: Callable[[Event], object] | None = None) -> Observed:
        """Run code that the caller approves; returns the observation (``.output``, ``.logs``, ``.is_final_answer``).

        Works with and without a running event loop in this thread; tools run on this thread.

        Args:
            code: the program.
            thought: purpose of the code, for the journal.
            record: called with the proposal, the approval and the observation; if one of the first two calls raises, the code does not run.

        Raises:
            InterpreterError: the code failed (``ForbiddenError``: the guard refused it; ``LimitError``: a limit ended it).
            SandboxError: the sandbox itself failed.
        """
        with self.worker.lock:
            if self._direct is None:
                self._direct = SyncRunner(self)
            direct = self._direct
        return raise_fault(direct(code, thought, self.tools, record or _unrecorded))

    # --- values and tools ---

    def send_variables(self, variables: Mapping[str, Any]) -> None:
        """Copy values into the sandbox's namespace under these names; at the next step at the latest.

        The values are copied now. Tables, arrays, JSON values and images are sent as data, others by pickle (which is only sent
        to a sandbox, never read from one).

        Raises:
            CapabilityError: a value cannot be copied; the message names the variable.
        """
        self.values.send(variables)

    def forget(self, names: Iterable[str]) -> None:
        """Remove variables from the sandbox's namespace, at the next step at the latest."""
        self.values.forget(names)

    def send_tools(self, tools: Mapping[str, Any]) -> None:
        """Make these names callable in the sandbox, besides earlier ones; each call is run on the host."""
        self.set_tools({**self.tools, **tools})

    def set_tools(self, tools: Mapping[str, Any]) -> None:
        """Make exactly these names callable in the sandbox; calls of others are refused."""
        for name in tools:
            if not name.isidentifier():
                raise CapabilityError(f"{name!r} is not a name that code can call")
        self.tools = dict(tools)
        self.values.tools_sent = False

    def authorize_imports(self, names: Iterable[str]) -> None:
        """Authorise exactly these imports besides the default ones, from the next step on; ``pkg.*`` for a whole package."""
        given = tuple(dict.fromkeys(authorized(names)))
        current().check("imports", given, "The import {} is not allowed")
        self.additional_authorized_imports = given
        self.values.imports_sent = False

    async def pull(self, names: Sequence[str]) -> dict[str, Any]:
        """Return copies of variables of the sandbox; a value that is not data is returned as a ``Handle``.

        Raises:
            SandboxError: the sandbox has no such variable; the message names those it has.
            SandboxBusyError: a step is open.
        """
        self.worker.check_idle()
        await self.open()
        return await asyncio.to_thread(self.values.pull, list(names))

    def variables(self) -> list[dict[str, Any]] | None:
        """List name, type, shape, size in bytes, text and first rows of each variable; None while a step is open. Blocks for some seconds.

        Raises:
            SandboxError: the sandbox has ended, or did not answer in time.
        """
        if self.worker.step is not None:
            return None
        return self.values.describe() if self.worker.connection is not None else []


def _unrecorded(_: Event) -> None:
    """Ignore an event: there is no journal."""
