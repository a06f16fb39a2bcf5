"""The host's side of every sandbox that runs the worker, except how its process is started.

* ``run`` begins by spending a permit; one step at a time.
* Every frame of the worker is hostile until checked: a bad one ends the step with a named fault and the worker with it.
* Failures of the code are in ``Observed.error``; no action of the worker raises an unhandled exception here.
* Cancelling ``run`` interrupts the step; the executor stays usable.
"""

from __future__ import annotations

import asyncio
import builtins
import logging
import re
import sys
import threading
import warnings
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Any, Self

from smolcell.approval.policy import current
from smolcell.core.findings import hosts_named
from smolcell.core.hosts import Connection as Reached
from smolcell.core.hosts import no_network, not_allowed
from smolcell.core.text import shorten, visible
from smolcell.errors import (
    CapabilityError,
    InterpreterError,
    SandboxBusyError,
    SandboxDiedError,
    SandboxError,
    SetupError,
    WireError,
)
from smolcell.events import DIRECT_RUN, Allowed, Boundary, Connected, Event, Fault, File, Observed, Proposed, Wall
from smolcell.executors import BaseExecutor, Checkpoint, Restored, registry
from smolcell.executors.connection import Channel, Connection, Streams
from smolcell.executors.step import Step, SyncRunner, raise_fault
from smolcell.executors.walls import GUARD, missing_walls
from smolcell.machine.environment import importing, is_installed
from smolcell.network import Credential, Host, Hosts, Keyring
from smolcell.network.addresses import resolve
from smolcell.permit import permit as allow
from smolcell.permit import spend
from smolcell.protocols import FILES, NETWORK, CallTool, OnOutput, opened_for, reach
from smolcell.worker.guard.imports import ModuleViews, expand
from smolcell.worker.guard.tables import DATA_IMPORTS, DEFAULT_IMPORTS, LIBRARIES, RISKY_IMPORTS
from smolcell.worker.runner import variables as listing
from smolcell.worker.wire import frames, values

if TYPE_CHECKING:
    from smolcell.executors.packages import SessionPackages, Site
    from smolcell.network.proxy import Proxy

# --- Python levels, limits and the boundary that every sandbox has.


LEVELS = ("full", "guarded", "auto")
"""Values of ``python=``: ordinary Python behind tested walls, the import guard, or full if the walls stand, else guarded."""

WORK_FOLDERS = ("writable", "read-only")
"""Values of ``work_folder=``: whether the code may write to the folder it works in."""

_UNREACHED = re.compile(
    r"gaierror|name resolution|NameResolutionError|NewConnectionError|Name or service not known|is unreachable|use of the network"
)
"""How common libraries report that a connection cannot be opened."""

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
    """The imports and limits of a ``WorkerExecutor``, where they are described."""

    takes_imports = True
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

    @property
    def python(self) -> str:
        """The Python level: "full" or "guarded"; final once the sandbox is open."""
        return self._level

    def _libraries(self) -> tuple[str, ...]:
        """Data libraries that the worker reported as installed."""
        return ()

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
            libraries=() if guarded else self._libraries(),
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
            hosts=self._hosts(),
            warning="; ".join(self._warnings(guarded)),
        )

    def _hosts(self) -> tuple[str, ...]:
        """Return the hosts that the code may connect to."""
        return ()

    def _warnings(self, guarded: bool) -> Iterator[str]:
        """Yield warnings for the person."""
        if guarded and (names_at_risk := risky(self.additional_authorized_imports)):
            yield f"{', '.join(names_at_risk)}: authorised, {RISK_TEXT}"
        if self._hosts():
            yield "data can leave through an allowed host: the code can send there whatever it can read"

    def _as_opened(self, wall: Wall) -> Wall:
        if wall.name == NETWORK and wall.stands and self._hosts():
            return replace(wall, detail=f"{wall.detail}, and the proxy in it")
        if wall.name != FILES or not self.mounts:
            return wall
        mounted = ", ".join(f"{visible(str(real))} (as {visible(name)})" for name, real in self.mounts.items())
        return replace(wall, detail=f"{wall.detail}; mounted read-only: {mounted}")


# --- Values and tools, encoded for a worker.


def encode_variables(variables: Mapping[str, Any], *, arrow: bool) -> tuple[list[Any], list[frames.Blob]]:
    """Encode variables; returns names with their values, and the blobs they refer to.

    Args:
        arrow: whether tables may be sent as Arrow.

    Raises:
        CapabilityError: a value cannot be copied; the message names the variable.
    """
    encoder = values.Encoder(trusted=True, arrow=arrow)
    named = []
    for name, value in variables.items():
        if not name.isidentifier():
            raise CapabilityError(f"{name!r} is not a variable name")
        try:
            with importing():
                named.append([name, encoder.encode(value)])
        except Exception as error:  # code of the value runs here
            why = str(error) if isinstance(error, values.UnencodableError) else f"{type(error).__name__}: {error}"
            raise CapabilityError(f"{name!r} ({type(value).__name__}) cannot be sent to the sandbox: {why}") from None
    return named, encoder.blobs


def decode_variables(
    blobs: Sequence[frames.Blob], names: Container[str], forward: Callable[..., Any] | None = None
) -> dict[str, Any]:
    """Decode the variables of these names from an answer that a hostile worker may have written."""
    found = values.read_json(blobs[0])
    decoder = values.Decoder(blobs[1:], show=visible, forward=forward)
    with importing():
        return {str(name): decoder.decode_or_handle(data) for name, data in found if name in names}


def read_listed(blobs: Sequence[Any]) -> list[dict[str, Any]]:
    """Decode a worker's list of its variables; keeps only known and bounded fields.

    Raises:
        SandboxError: it is not a valid list.
    """
    try:
        given = values.read_json(blobs[0])
    except (frames.WireError, LookupError):
        given = None
    if type(given) is not list:
        raise SandboxError("the sandbox sent an invalid list of its variables")
    variables = [one for one in given[: listing.MAX_VARIABLES] if type(one) is dict and _is_listed(one)]
    return [
        {name: visible(one[name]) if name in ("type", "text") else one[name] for name in LISTED} for one in variables
    ]


LISTED = {"name": str, "type": str, "shape": list, "size": int, "text": str, "table": str}


def _is_listed(one: dict[str, Any]) -> bool:
    if not all(type(one.get(name)) is kind for name, kind in LISTED.items()) or not one["name"].isidentifier():
        return False
    texts = sum(len(one[name]) for name in ("name", "type", "text", "table"))
    return (
        texts <= listing.MAX_LISTED_CHARS and len(one["shape"]) <= 8 and all(type(size) is int for size in one["shape"])
    )


def tool_descriptions(tools: Mapping[str, Any]) -> dict[str, str]:
    """Return the descriptions of tools for the code, by their names."""
    return {name: _description(tool) for name, tool in tools.items()}


def _description(tool: Any) -> str:
    return str(getattr(tool, "description", None) or getattr(tool, "__doc__", None) or "")[:4000]


def copy_blob(blob: frames.Blob) -> bytes:
    """Copy a blob, since the value is sent later."""
    return bytes(blob) if isinstance(blob, (bytes, bytearray, memoryview)) else b"".join(blob)


def has_arrow() -> bool:
    """Return whether this process can create Arrow tables."""
    return is_installed("pyarrow")


# --- Requests to a worker outside steps (values in, values out, tools), and their answers.
#
# * Every request ends: with its answer, with the worker, or at its time limit.
# * Only the requesting thread blocks; answers come on the reading thread.


MAX_ERROR = 2000
LISTING_SECONDS = 3.0  # seconds for a list of variables
TRANSFER_SECONDS = 90.0  # seconds for a transfer of values
REBUILD_SECONDS = 60.0  # seconds of these that the worker may take to rebuild them


class PendingRequests:
    """Requests of one executor that wait for an answer."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[int, Future[frames.Frame]] = {}
        self._asked = 0

    def ask(
        self, connection: Connection | None, send: Callable[[Connection, int], None], seconds: float = TRANSFER_SECONDS
    ) -> frames.Frame:
        """Send a request (``send`` gets the connection and the request's number) and wait ``seconds`` for its answer.

        Raises:
            SandboxError: the worker reports an error, has ended, or does not answer.
            CapabilityError: the values are too large for one frame.
        """
        future: Future[frames.Frame] = Future()
        with self._lock:
            self._asked += 1
            number = self._asked
            self._waiting[number] = future
        try:
            if connection is None or connection.over:
                raise SandboxDiedError("the sandbox ended before values could be exchanged")
            send(connection, number)
            answer = future.result(seconds)
        except frames.WireError as error:
            raise CapabilityError(f"too much for one transfer: {error}") from None
        except TimeoutError:
            raise SandboxError(f"the sandbox did not answer within {seconds:g} s") from None
        finally:
            with self._lock:
                self._waiting.pop(number, None)
        if answer.fields["error"]:
            raise SandboxError(visible(shorten(answer.fields["error"], MAX_ERROR)))
        return answer

    def handle_frame(self, answer: frames.Frame) -> None:
        """Handle an answer; ignores it if no request waits for it."""
        with self._lock:
            future = self._waiting.get(answer.fields["id"])
        if future is not None and not future.done():
            future.set_result(answer)

    def end(self, error: SandboxError) -> None:
        """Fail all requests, since the worker has ended."""
        with self._lock:
            waiting = list(self._waiting.values())
        for future in waiting:
            if not future.done():
                future.set_exception(error)


log = logging.getLogger("smolcell")
READY_SECONDS = 30.0  # seconds a worker may take to start


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
    packages: SessionPackages | None = None
    """Packages installed for its session; set before it is opened."""
    carries: bool = False
    """Whether connections of the code can be relayed to the proxy on this machine."""
    shares_proxy: bool = False
    """Whether an agent in the sandbox shares the code's network, and so reaches the proxy while a step runs."""
    opens_tls: bool = True
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
        self._keys = Keyring(credentials)
        self.hosts = Hosts([*Hosts(allow_hosts).names, *self._keys.hosts])
        self._proxy: Proxy | None = None
        self._streams: Streams | None = None
        if self.hosts and not self.carries:
            raise SetupError(
                f"the sandbox {self.name!r} cannot limit connections to hosts: leave out allow_hosts, or use 'local' on Linux, 'docker', "
                "'wasm', 'e2b', 'modal' or 'blaxel'"
            )
        if work_folder not in WORK_FOLDERS:
            raise SetupError(f"work_folder={work_folder!r} is not known; choose one of: {', '.join(WORK_FOLDERS)}")
        if work_folder == "read-only" and not self.closes_work_folder:
            raise SetupError(f"the sandbox {self.name!r} cannot keep its work folder read-only: use 'local' on Linux")
        self.work_folder = work_folder
        most = (timeout, max_print_outputs_length, memory, max_tool_calls, tool_timeout, python)
        super().__init__(additional_authorized_imports, *most)
        self.capabilities: dict[str, Any] = {}
        self.keeps = max(0, int(checkpoints))
        self._marks: dict[tuple[str, int], int] = {}  # run and step -> number of the checkpoint before it
        self._marked = 0
        self.serves = ""  # run that it was opened for, or whose step ran last
        self._lock = threading.Lock()  # what follows
        self._opening = threading.Lock()
        self._connection: Connection | None = None
        self._step: Step | None = None
        self._ready: Future[frames.Frame] = Future()
        self._exchange = PendingRequests()
        self._pending: list[tuple[list[Any], list[frames.Blob]]] = []
        self.tools: dict[str, Any] = {}
        self.unused: list[str] = []  # names to be removed from the namespace, by the next step at the latest
        self.forward = Forward(self)
        self.record: Callable[[Event], object] = _unrecorded  # called with events of calls of handles
        self._tools_sent = self._imports_sent = True
        self._closed = False
        self._lost = False
        self._caller: SyncRunner | None = None

    # --- overridden by subclasses ---

    def _start(self) -> Channel:
        """Start the worker; blocks; raises SandboxError."""
        raise NotImplementedError

    def _set_up(self) -> None:
        """Prepare a worker that has just started; blocks. If it raises, the worker is ended."""

    def _hosts(self) -> tuple[str, ...]:
        return self.hosts.names

    def _libraries(self) -> tuple[str, ...]:
        libraries = self.capabilities.get("libraries")
        return tuple(name for name in LIBRARIES if type(libraries) is list and name in libraries)

    def _opened_network(self) -> bool:
        """Return whether the user gave the code a network, so that the network wall is not required."""
        return False

    def _lacking(self) -> str:
        """Return the walls that level full needs and that do not stand; "" if none."""
        return missing_walls(self.boundary(), opened=self._opened_network())

    def _reduced(self) -> str:
        """Return what level full lacks in this sandbox; "" if nothing."""
        return ""

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
            "checkpoints": self.keeps,
            **self._egress_options(),
        }

    def _egress_options(self) -> dict[str, Any]:
        """Return the options of a sandbox with a proxy: its variables and certificates."""
        if self._proxy is None:
            return {}
        return {"egress": {"variables": self._keys.placeholders, "certificates": self._proxy.certificates}}

    async def _ask_host(self, host: Host) -> str:
        step = self._step
        return "no step is running" if step is None else await step.ask_host(host)

    def _connected(self, connection: Reached) -> None:
        if (step := self._step) is not None:
            step.connected(connection)

    @property
    def is_without_hosts(self) -> bool:
        """Whether the code has no network now, but could be allowed to connect to hosts."""
        return self.carries and not self.hosts and not self._opened_network()

    @property
    def credential_names(self) -> tuple[str, ...]:
        """Variables that hold placeholders of credentials."""
        return tuple(self._keys.placeholders)

    def open_hosts(self, names: Iterable[str]) -> None:
        """Allow further hosts, which were granted before. Call before it is opened.

        Raises:
            CapabilityError: this sandbox cannot limit connections to hosts.
        """
        more = Hosts(names)
        if more and not self.carries:
            raise CapabilityError(f"the sandbox {self.name!r} cannot limit connections to hosts")
        if more:
            self.hosts = Hosts([*self.hosts.names, *more.names])

    def close_host(self, name: str) -> None:
        """Stop allowing a host, from the next connection on."""
        self.hosts = Hosts([each for each in self.hosts.names if each not in Hosts([name]).names])
        if self._proxy is not None:
            self._proxy.hosts = self.hosts

    def boundary(self) -> Boundary:
        """Return the walls that stand, as tested at run time; use ``bounded`` to add limits and imports."""
        raise NotImplementedError

    @property
    def open_step(self) -> int:
        """The number of the open step; 0 for none."""
        step = self._step
        return step.number if step is not None else 0

    @property
    def kept(self) -> int:
        """How many checkpoints it keeps, including those that were dropped for memory."""
        return min(self.keeps, len(self._marks)) if self._connection is not None else 0

    # --- opening and closing ---

    async def open(self) -> None:
        """Start the sandbox. Idempotent.

        Raises:
            SandboxError: it did not start, or was already closed.
        """
        self.serves = opened_for.get() or self.serves
        if self._connection is None or self._pending or self.unused or not (self._tools_sent and self._imports_sent):
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
            if self._connection is None:
                self._check_allowed()
                self._connect()
            if self._step is None or not self._step.sent:
                self._send_pending()

    @property
    def full_name(self) -> str:
        """Its name in a policy, including the image or template: "docker:my-image"."""
        return self.name

    def _check_allowed(self) -> None:
        """Check the sandbox against the current policy.

        Raises:
            SetupError: the sandbox, a host or its network is not allowed.
        """
        self.hold_to_policy()
        policy = current()
        policy.check("sandboxes", [self.full_name], "The sandbox {} is not allowed")
        policy.check("hosts", self.hosts.names, "The host {} is not allowed")
        if self._opened_network() and (why := policy.refusal("hosts", "*")):
            raise SetupError(f"A sandbox with an open network is not allowed: {why}. Leave out network=")

    def _connect(self) -> None:
        """Start the worker. For level full, check the walls before any code runs: if some are missing, start guarded instead, or raise."""
        self._start_worker()
        if self._level == "guarded":
            return
        missing = self._lacking()
        if not missing:
            self.asked_level, self._reason = "full", self._reduced()
            return
        connection, self._ready = self._connection, Future()  # so that the end of this worker is not reported
        if connection is not None:
            self._disconnect(connection)
        if self.asked_level == "full":
            raise SetupError(
                f"python='full' needs walls that the sandbox {self.name!r} does not have here: {missing}. "
                "Use python='guarded', or another sandbox"
            )
        self._level, self._reason = "guarded", f"missing here: {missing}"
        self._start_worker()

    def _make_proxy(self) -> Proxy:
        from smolcell.network.proxy import Proxy

        return Proxy(self.hosts, self._keys, self.resolve, not self.opens_tls, self._ask_host, self._connected)

    def _start_worker(self) -> None:
        self._ready = Future()
        self._proxy = self._make_proxy() if self.hosts else None
        connection = Connection(self._start(), self._on_frame, partial(self._on_end, self._ready), self.max_frame)
        with self._lock:
            self._connection, self._tools_sent, self._imports_sent = connection, not self.tools, True
        try:
            options = self._options()
            self._streams = Streams(self._proxy, connection) if self._proxy is not None else None
            connection.send("hello", version=frames.VERSION, options=options)
            ready = self._ready.result(READY_SECONDS)
        except (TimeoutError, SandboxError) as error:
            self._disconnect(connection)
            reason = str(error) or f"no answer in {READY_SECONDS:g} s"
            raise SandboxError(f"the sandbox {self.name!r} did not start: {reason}") from None
        self.capabilities = {**ready.fields["capabilities"], "python": values.clean(ready.fields["python"])}
        try:
            if self.hosts and self.capabilities.get("egress") is not True:
                raise SetupError(
                    f"allow_hosts needs a network namespace of the sandbox's own, and {self.name!r} has none here: "
                    "leave it out, or use 'docker'"
                )
            if self._closed:
                raise SandboxError("this sandbox was closed while it was starting")
            self._set_up()
        except BaseException:
            self._disconnect(connection)
            raise

    def _disconnect(self, connection: Connection) -> None:
        """End a worker that will not be used."""
        connection.close()
        with self._lock:
            self._connection = None

    def close(self) -> None:
        """End the sandbox and release its resources, within two seconds. Idempotent and thread-safe."""
        self._closed = True
        self.end_handles()
        with self._lock:
            connection, self._connection = self._connection, None
            caller, self._caller = self._caller, None
        registry.notify(self)
        for part in (connection, caller):
            if part is not None:
                try:
                    part.close()
                except Exception:
                    log.warning("closing the sandbox %r", self.name, exc_info=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

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
        step = Step(permit, on_output, call_tool, self)
        if permit.by != "caller" and (caller := self._caller) is not None:
            await caller.wait()
        with self._lock:
            self.check_idle()
            self._step, self.serves = step, permit.run
        self.forward.steps += 1
        try:
            await self.open()
            try:
                observed = await self._watch(step, text)
            finally:
                await self._end_connections(step)
            if self.is_without_hosts:
                observed = _with_way_to_hosts(observed, text)
            return replace(observed, files=written) if (written := await asyncio.to_thread(self._written)) else observed
        finally:
            step.over()
            with self._lock:
                self._step = None
            registry.notify(self)

    async def _end_connections(self, step: Step) -> None:
        if self._streams is not None:
            await asyncio.wrap_future(self._streams.end_step())
            step.tell_connections()

    async def _watch(self, step: Step, text: str) -> Observed:
        with self._lock:
            connection, streams = self._connection, self._streams
            if connection is not None:
                step.begin(connection, self.timeout)
        if connection is None:
            raise SandboxDiedError("the sandbox ended before the step began")
        if streams is not None:
            await asyncio.wrap_future(streams.begin_step())
        run = frames.Frame(
            "run", {"step": step.number, "timeout": self.timeout}, (text.encode("utf-8", "surrogatepass"),)
        )
        connection.send_frames(*self._mark(step), run)
        step.follow()
        try:
            observed = await step.wait()
        except asyncio.CancelledError:
            step.interrupt()
            await step.settle()
            raise
        lost, self._lost = self._lost, False
        if observed.state_lost:
            lost = True
        return observed if observed.state_lost == lost else step.with_lost_state(observed)

    # --- checkpoints ---

    @property
    def checkpoints(self) -> str:
        """See ``BaseExecutor.checkpoints``."""
        return "copies" if self.keeps and self.capabilities.get("checkpoints") == "copies" else "replay"

    def _mark(self, step: Step) -> list[frames.Frame]:
        """Return the frames that have the worker keep a checkpoint before this step."""
        if self.checkpoints != "copies":
            return []
        self._marked += 1
        self._marks.setdefault((step.run, step.number), self._marked)  # a step may run several programs
        while len(self._marks) > self.keeps:
            del self._marks[next(iter(self._marks))]
        return [frames.Frame("checkpoint", {"number": self._marked})]

    async def rollback(self, run: str, step: int, *, keep: bool = False) -> Restored:
        """See ``BaseExecutor.rollback``."""
        self.check_idle()
        number = self._marks.get((run, step))
        if number is None or self._connection is None:
            raise CapabilityError("the sandbox keeps no checkpoint of this step")
        try:
            answer = await asyncio.to_thread(self._request, "rollback", number=number, keep=keep)
        except SandboxError as error:
            raise CapabilityError(str(error)) from None
        self._marks = {place: each for place, each in self._marks.items() if each < number + keep}
        self._tools_sent = self._imports_sent = False  # it has those of that time
        self.end_handles()
        try:
            uncovered, shares = values.read_json(answer.blobs[0])
        except (TypeError, ValueError):
            raise CapabilityError("the sandbox's answer cannot be read") from None
        return Restored(str(uncovered), bool(shares))

    async def kept_checkpoints(self) -> list[Checkpoint]:
        """See ``BaseExecutor.kept_checkpoints``."""
        if self._connection is None or self.checkpoints != "copies":
            return []
        answer = await asyncio.to_thread(self._request, "checkpoints")
        steps = {number: place for place, number in self._marks.items()}
        return [
            Checkpoint(*steps[number], how, None if size is None else int(size), visible(str(reason)))
            for number, how, size, reason in values.read_json(answer.blobs[0])
            if number in steps
        ]

    def check_idle(self) -> None:
        """Raise ``SandboxBusyError`` if a step is open."""
        if self._step is not None:
            raise SandboxBusyError(f"the sandbox {self.name!r} has an open step; it runs one at a time")

    def interrupt(self) -> None:
        """Interrupt the open step within a second (two inside a C call). Thread-safe; does nothing when idle."""
        step = self._step
        if step is not None:
            step.interrupt()

    # --- values and tools ---

    def send_variables(self, variables: Mapping[str, Any]) -> None:
        """Copy values into the sandbox's namespace under these names; at the next step at the latest.

        The values are copied now. Tables, arrays, JSON values and images are sent as data, others by pickle (which is only sent
        to a sandbox, never read from one).

        Raises:
            CapabilityError: a value cannot be copied; the message names the variable.
        """
        arrow = bool(self.capabilities.get("arrow", False)) and has_arrow()
        encoded, blobs = encode_variables(variables, arrow=arrow)
        if not encoded:
            return
        if self._connection is not None and self._step is None:
            self._send_values(encoded, blobs)
        else:  # copied now, because the caller's objects may change before they are sent
            self._pending.append((encoded, [copy_blob(blob) for blob in blobs]))

    def forget(self, names: Iterable[str]) -> None:
        """Remove variables from the sandbox's namespace, at the next step at the latest."""
        gone = list(names)
        if gone and self._connection is not None and self._step is None:
            self._delete(gone)
        elif gone:
            self._pending.append(([[name] for name in gone], []))

    def send_tools(self, tools: Mapping[str, Any]) -> None:
        """Make these names callable in the sandbox, besides earlier ones; each call is run on the host."""
        self.set_tools({**self.tools, **tools})

    def set_tools(self, tools: Mapping[str, Any]) -> None:
        """Make exactly these names callable in the sandbox; calls of others are refused."""
        for name in tools:
            if not name.isidentifier():
                raise CapabilityError(f"{name!r} is not a name that code can call")
        self.tools = dict(tools)
        self._tools_sent = False

    def authorize_imports(self, names: Iterable[str]) -> None:
        """Authorise exactly these imports besides the default ones, from the next step on; ``pkg.*`` for a whole package."""
        given = tuple(dict.fromkeys(authorized(names)))
        current().check("imports", given, "The import {} is not allowed")
        self.additional_authorized_imports = given
        self._imports_sent = False

    def site(self) -> Site:
        """Return the packages of the sandbox's Python, for an installer; blocks.

        Raises:
            CapabilityError: packages cannot be installed.
        """
        raise CapabilityError(
            f"the sandbox {self.name!r} does not support installing packages while it runs: use what it has, or another sandbox"
        )

    def take_packages(self) -> None:
        """Make packages that were added to ``packages`` importable in the running sandbox; blocks."""

    def _written(self) -> tuple[File, ...]:
        """Return the files that are new or changed since the last call."""
        return ()

    async def pull(self, names: Sequence[str]) -> dict[str, Any]:
        """Return copies of variables of the sandbox; a value that is not data is returned as a ``Handle``.

        Raises:
            SandboxError: the sandbox has no such variable; the message names those it has.
            SandboxBusyError: a step is open.
        """
        self.check_idle()
        await self.open()
        return await asyncio.to_thread(self._pull, list(names))

    def variables(self) -> list[dict[str, Any]] | None:
        """List name, type, shape, size in bytes, text and first rows of each variable; None while a step is open. Blocks for some seconds.

        Raises:
            SandboxError: the sandbox has ended, or did not answer in time.
        """
        connection = self._connection
        if self._step is not None:
            return None
        if connection is None:
            return []
        wait = LISTING_SECONDS + 5.0
        answer = self._exchange.ask(
            connection, lambda line, id_: line.send("list", id=id_, timeout=LISTING_SECONDS), wait
        )
        return read_listed(answer.blobs)

    def _pull(self, names: list[str]) -> dict[str, Any]:
        answer = self._request("pull", names=names)
        try:
            return decode_variables(answer.blobs, names, self.forward)
        except (frames.WireError, LookupError, TypeError, ValueError) as error:
            raise WireError(f"the sandbox sent invalid values: {error}") from None

    def _send_pending(self) -> None:
        if self.unused:
            unused, self.unused = self.unused, []
            self._delete(unused)
        while self._pending:
            encoded, blobs = self._pending.pop(0)
            self._send_values(encoded, blobs)
        if not self._tools_sent:
            self._request("tools", tools=tool_descriptions(self.tools))
            self._tools_sent = True
        if not self._imports_sent:
            self._request("imports", names=list(self.additional_authorized_imports))
            self._imports_sent = True

    def _delete(self, names: Iterable[str]) -> None:
        """Remove names from the namespace; a ``__del__`` that runs then has a time limit."""
        self._send_values([[name] for name in names], (), min(self.timeout, REBUILD_SECONDS))

    def _send_values(self, encoded: list[Any], blobs: Sequence[frames.Blob], timeout: float = REBUILD_SECONDS) -> None:
        whole = [frames.dumps(encoded), *blobs]
        self._exchange.ask(self._connection, lambda line, number: line.send_values(whole, number, timeout))

    def _request(self, kind: str, **fields: Any) -> frames.Frame:
        return self._exchange.ask(self._connection, lambda line, number: line.send(kind, id=number, **fields))

    # --- messages of the worker, on the reading thread ---

    def _on_frame(self, frame: frames.Frame) -> None:
        if frame.type == "ready":
            if frame.fields["version"] != frames.VERSION:
                raise frames.WireError("another version of the wire")
            if not self._ready.done():
                self._ready.set_result(frame)
        elif frame.type == "answer":
            self._exchange.handle_frame(frame)
        elif "stream" in frame.fields:
            if self._streams is None:
                raise frames.WireError("a connection that was not allowed")
            self._streams.handle_frame(frame)
        else:
            step = self._step
            if step is not None and step.number == frame.fields["step"]:
                step.handle_frame(frame)

    def _on_end(self, ready: Future[frames.Frame], fault: Fault) -> None:
        if ready is not self._ready:
            return  # it was replaced
        with self._lock:
            self._connection = None
            step = self._step
            self._lost = True
        self.end_handles()
        registry.notify(self)
        error = SandboxDiedError(fault.message)
        if not self._ready.done():
            self._ready.set_exception(error)
        self._exchange.end(error)
        if step is not None:
            step.end(fault)

    # --- called directly ---

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
        with self._lock:
            if self._caller is None:
                self._caller = SyncRunner(self)
            caller = self._caller
        proposed = Proposed(run=DIRECT_RUN, step=caller.next_step(), text=code, thought=thought)
        allowed = allow(proposed, by="caller")
        record = record or _unrecorded
        record(proposed)
        record(allowed)
        token = reach.set(_Recorded(record))
        try:
            observed = caller.call(allowed, self.tools)
        finally:
            reach.reset(token)
        record(observed)
        return raise_fault(observed)

    def end_handles(self) -> None:
        """Mark all handles as lost. Thread-safe."""
        self.forward.over, self.unused = True, []
        self.forward = Forward(self)


def _with_way_to_hosts(observed: Observed, program: str) -> Observed:
    """Return the observation; an error of the network gets a hint how to allow the hosts that the program names."""
    fault = observed.error
    if fault is None or not _UNREACHED.search(f"{fault.type}: {fault.message}"):
        return observed
    way = f". {no_network(hosts_named(program))}"
    return replace(observed, error=replace(fault, message=fault.message + way, traceback=fault.traceback + way))


def _unrecorded(_: Event) -> None:
    """Ignore an event: there is no journal."""


class _Recorded:
    """Host access of code that its caller runs directly: only the hosts that the sandbox was given."""

    def __init__(self, record: Callable[[Event], object]) -> None:
        self._record = record

    async def ask(self, host: str, port: int) -> str:
        return not_allowed(Host(host, port))

    def connected(self, event: Connected) -> None:
        self._record(event)


class Forward:
    """Forwards reads and calls of one sandbox's handles to their objects: each is a step of the user's own.

    A handle's path consists of public names; arguments are copied.
    """

    def __init__(self, executor: WorkerExecutor) -> None:
        self._executor = executor
        self.over = False
        self.steps = 0  # number of steps that began: any may change the object of a handle

    def drop(self, kept: str) -> None:
        """Remove the object of a handle that was dropped."""
        if not self.over:
            self._executor.unused.append(kept)

    def __call__(self, handle: values.Handle, name: str, given: tuple[tuple[Any, ...], dict[str, Any]] | None) -> Any:
        """Return the attribute ``name``, or the result of calling it; "" calls the object itself. Or carry out an operation.

        Raises:
            AttributeError: there is no such attribute.
            IndexError, KeyError, TypeError: the operation raised it.
            InterpreterError: the code failed, a limit ended it, or the guard refused it.
            SandboxBusyError: a step is open.
            SandboxDiedError: the object is lost.
        """
        executor = self._executor
        operation = values.OPERATIONS.get(name)
        path = operation or f"{{0}}{name and '.'}{name}"
        label = visible(path.format(handle.name or handle.type, "…"))
        self._check(label)
        executor.check_idle()
        code = path.format(handle._kept, f"{values.ARGUMENT_PREFIX}1")
        if given is not None:
            args, kwargs = {f"{values.ARGUMENT_PREFIX}{at}": value for at, value in enumerate(given[0], 1)}, given[1]
            named = {f"{values.ARGUMENT_PREFIX}{key}": value for key, value in kwargs.items()}
            executor.unused = [kept for kept in executor.unused if kept not in {**args, **named}]
            executor.send_variables({**args, **named})
            if not operation:
                code += f"({', '.join([*args, *(f'{key}={values.ARGUMENT_PREFIX}{key}' for key in kwargs)])})"
        try:
            observed = executor(code, thought=label, record=executor.record)
        except InterpreterError as error:
            sys.stdout.write(visible(error.logs))
            if type(error) is InterpreterError:
                self._check(label)
                if given is None and error.exception_type == "AttributeError":
                    raise AttributeError(str(error)) from None
                if operation and error.exception_type in ("IndexError", "KeyError", "TypeError"):
                    raise getattr(builtins, error.exception_type)(str(error)) from None
            raise
        finally:
            if given is not None:
                executor.unused += [*args, *named]
        sys.stdout.write(visible(observed.stdout))
        self._check(label)
        return observed.output

    def _check(self, label: str) -> None:
        if self.over:
            raise SandboxDiedError(
                f"{label} is lost: its sandbox has ended or was restarted. Run the cell that created it again: %%agent -o NAME"
            )
