"""The host's side of every sandbox that runs the worker: all but how its process is started.

The rules this file exists to keep:

* ``run`` begins by spending a permit; one step at a time.
* Every frame of the worker is hostile until checked: a bad one ends the step with a named fault and the worker with it.
* The code's own failures are in ``Observed.error``; nothing the worker does is an unhandled exception here.
* Cancelling ``run`` interrupts the step and leaves the executor usable.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from smolcell.errors import CapabilityError, SandboxBusyError, SandboxDiedError, SandboxError, WireError
from smolcell.events import Allowed, Boundary, Fault, File, Observed, Proposed
from smolcell.executors import sending, uses
from smolcell.executors.calling import Caller
from smolcell.executors.channel import Channel, Connection
from smolcell.executors.exchange import Exchange
from smolcell.executors.limits import OUTPUT, LimitedExecutor
from smolcell.executors.step import Step
from smolcell.permit import permit as allow
from smolcell.permit import spend
from smolcell.protocols import CallTool, OnOutput, opened_for
from smolcell.visible import visible
from smolcell.worker import values, wire

log = logging.getLogger("smolcell")
READY = 30.0  # seconds a worker may take to start


class WorkerExecutor(LimitedExecutor):
    """One sandbox with a worker in it; subclasses start the worker and say which walls stand.

    Args:
        additional_authorized_imports: modules the code may import beyond the default ones; ``pkg.*`` for a package
            with everything below it.
        timeout: seconds one step may take; stopped while a tool of the host is at work.
        max_print_outputs_length: the most characters of printed output kept of a step; None for 20,000.
        memory: megabytes the code may allocate.
        max_tool_calls: the most tool calls of one step.
        tool_timeout: seconds one call of a tool may take; then the code is told so, and goes on.
    """

    name = "worker"
    max_frame = wire.FROM_WORKER_BYTES

    def __init__(
        self,
        additional_authorized_imports: Sequence[str] = (),
        *,
        timeout: float = 60.0,
        max_print_outputs_length: int | None = OUTPUT,
        memory: int = 2048,
        max_tool_calls: int = 1000,
        tool_timeout: float = 300.0,
    ) -> None:
        most = (timeout, max_print_outputs_length, memory, max_tool_calls, tool_timeout)
        super().__init__(additional_authorized_imports, *most)
        self.capabilities: dict[str, Any] = {}
        self.serves = ""  # the run that it was opened for, or that runs a step, last
        self._lock = threading.Lock()  # what follows
        self._opening = threading.Lock()
        self._connection: Connection | None = None
        self._step: Step | None = None
        self._ready: Future[wire.Frame] = Future()
        self._exchange = Exchange()
        self._pending: list[tuple[list[Any], list[wire.Blob]]] = []
        self._tools: dict[str, Any] = {}
        self._tools_sent = True
        self._closed = False
        self._lost = False
        self._caller: Caller | None = None

    # --- what a subclass says ---

    def _start(self) -> Channel:
        """Start the worker; blocks; raises SandboxError."""
        raise NotImplementedError

    def _set_up(self) -> None:
        """What there is to do with a worker that has just started, before it is used; blocks. Where it fails, the worker is ended."""

    def _stop_starting(self) -> None:
        """End a ``_start`` that takes minutes: nobody waits for it any more. From any thread; harmless when it is over."""

    def _options(self) -> dict[str, Any]:
        """What the worker is told in the hello."""
        return {
            "imports": list(self.additional_authorized_imports),
            "max_output": self.max_print_outputs_length,
            "memory": self.memory,
            "arrow": sending.has_arrow(),
        }

    def boundary(self) -> Boundary:
        """Which walls really stand, as found at run time; ``bounded`` adds limits and imports."""
        raise NotImplementedError

    def listed(self) -> str:
        """Its name where sandboxes are listed; "" while there is none."""
        return ""

    @property
    def open_step(self) -> int:
        """The number of the step that is open; 0 for none."""
        step = self._step
        return step.number if step is not None else 0

    # --- opening and closing ---

    async def open(self) -> None:
        """Start the sandbox; harmless when it is open.

        Raises:
            SandboxError: it did not start, or was closed before.
        """
        self.serves = opened_for.get() or self.serves
        if self._connection is None or self._pending or not self._tools_sent:
            try:
                await asyncio.to_thread(self._open)
            except asyncio.CancelledError:
                self._stop_starting()
                raise
        uses.changed(self)

    def _open(self) -> None:
        with self._opening:
            if self._closed:
                raise SandboxError("this sandbox was closed; make a new executor")
            if self._connection is None:
                self._connect()
            if self._step is None or not self._step.sent:
                self._send_pending()

    def _connect(self) -> None:
        self._ready = Future()
        connection = Connection(self._start(), self._on_frame, self._on_end, self.max_frame)
        with self._lock:
            self._connection, self._tools_sent = connection, not self._tools
        try:
            connection.send("hello", version=wire.VERSION, options=self._options())
            ready = self._ready.result(READY)
        except (TimeoutError, SandboxError) as error:
            self._disconnect(connection)
            reason = str(error) or f"no answer in {READY:g} s"
            raise SandboxError(f"the sandbox {self.name!r} did not start: {reason}") from None
        self.capabilities = {**ready.fields["capabilities"], "python": values.clean(ready.fields["python"])}
        try:
            if self._closed:
                raise SandboxError("this sandbox was closed while it was starting")
            self._set_up()
        except BaseException:
            self._disconnect(connection)
            raise

    def _disconnect(self, connection: Connection) -> None:
        """End a worker whose sandbox is not to be used."""
        connection.close()
        with self._lock:
            self._connection = None

    def close(self) -> None:
        """End the sandbox and free what it holds, within two seconds; twice is harmless; from any thread."""
        self._closed = True
        with self._lock:
            connection, self._connection = self._connection, None
            caller, self._caller = self._caller, None
        uses.changed(self)
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
        """Run exactly the permitted text. The code's own failures are in ``Observed.error``, never raised.

        Args:
            permit: from ``smolcell.permit.permit``; spent here.
            on_output: told what is printed, as it is printed, on this event loop.
            call_tool: runs a tool of the host for the code, on this event loop.

        Raises:
            PermitError: there is no valid permit.
            SandboxBusyError: a step is open.
            SandboxError: the sandbox does not start.
        """
        text = spend(permit)
        step = Step(permit, on_output, call_tool, self)
        with self._lock:
            if self._step is not None:
                raise SandboxBusyError(f"the sandbox {self.name!r} has an open step; it runs one at a time")
            self._step, self.serves = step, permit.run
        try:
            await self.open()
            observed = await self._watch(step, text)
            return replace(observed, files=written) if (written := await asyncio.to_thread(self._written)) else observed
        finally:
            step.over()
            with self._lock:
                self._step = None
            uses.changed(self)

    async def _watch(self, step: Step, text: str) -> Observed:
        with self._lock:
            connection = self._connection
            if connection is not None:
                step.begin(connection, self.timeout)
        if connection is None:
            raise SandboxDiedError("the sandbox ended before the step began")
        connection.send("run", [text.encode("utf-8", "surrogatepass")], step=step.number, timeout=self.timeout)
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

    def interrupt(self) -> None:
        """End the open step within a second (two inside a C call); from any thread; harmless when idle."""
        step = self._step
        if step is not None:
            step.interrupt()

    # --- values and tools ---

    def send_variables(self, variables: Mapping[str, Any]) -> None:
        """Copy values into the sandbox's namespace under these names; at the next step at the latest.

        The values are copied as they are now. Tables, arrays, JSON-able values and images go as data, anything else by
        pickle (which goes to a sandbox only, never back).

        Raises:
            CapabilityError: a value cannot be copied; the message names it.
        """
        arrow = bool(self.capabilities.get("arrow", False)) and sending.has_arrow()
        encoded, blobs = sending.encoded(variables, arrow=arrow)
        if not encoded:
            return
        if self._connection is not None and self._step is None:
            self._send_values(encoded, blobs)
        else:  # kept until it can be sent: a copy, because the caller's objects may change
            self._pending.append((encoded, [sending.joined(blob) for blob in blobs]))

    def forget(self, names: Iterable[str]) -> None:
        """Take variables of these names out of the sandbox's namespace, at the next step at the latest."""
        gone: list[Any] = [[name] for name in names]
        if gone and self._connection is not None and self._step is None:
            self._send_values(gone, ())
        elif gone:
            self._pending.append((gone, []))

    def send_tools(self, tools: Mapping[str, Any]) -> None:
        """Make these names callable in the sandbox; each call comes back to the host. Adds to what was sent before."""
        self.set_tools({**self._tools, **tools})

    def set_tools(self, tools: Mapping[str, Any]) -> None:
        """Make exactly these names callable in the sandbox: what was sent before and is not among them is refused."""
        for name in tools:
            if not name.isidentifier():
                raise CapabilityError(f"{name!r} is not a name that code can call")
        self._tools = dict(tools)
        self._tools_sent = False

    def send_files(self, paths: Sequence[str | os.PathLike[str]]) -> tuple[File, ...]:
        """Copy files and folders into the work folder, where the code reads them by the same names; says what went in.

        A path below the current folder keeps its relative name, any other its last part. Sent again, it is copied anew.

        Raises:
            SetupError: a path does not exist or cannot be read, or they are too large.
            CapabilityError: this sandbox takes no files.
        """
        raise CapabilityError(f"the sandbox {self.name!r} takes no files; leave out --file, or use: --sandbox local")

    def files(self) -> tuple[File, ...]:
        """The files in the work folder; none where the sandbox is not open or has no such folder."""
        return ()

    def keep_file(self, name: str, target: Path) -> Path:
        """Copy a file of the work folder to ``target`` on the host; returns where it is. Nothing is overwritten.

        Raises:
            SandboxError: there is no such file.
            FileExistsError: something has the target's name.
        """
        raise CapabilityError(f"the sandbox {self.name!r} hands no files back")

    def _written(self) -> tuple[File, ...]:
        """The files that are new or changed since the last call."""
        return ()

    async def pull(self, names: Sequence[str]) -> dict[str, Any]:
        """Copies of variables of the sandbox; what is not data comes as a ``Handle`` with its repr.

        Raises:
            SandboxError: the sandbox has no such variable; the message names those it has.
            SandboxBusyError: a step is open.
        """
        if self._step is not None:
            raise SandboxBusyError(f"the sandbox {self.name!r} has an open step; it runs one at a time")
        await self.open()
        return await asyncio.to_thread(self._pull, list(names))

    def _pull(self, names: list[str]) -> dict[str, Any]:
        answer = self._request("pull", names=names)
        try:
            found = values.read_json(answer.blobs[0])
            decoder = values.Decoder(answer.blobs[1:], show=visible)
            return {str(name): decoder.decode(data) for name, data in found if name in names}
        except (wire.WireError, LookupError, TypeError, ValueError) as error:
            raise WireError(f"the sandbox answered with what is not values: {error}") from None

    def _send_pending(self) -> None:
        while self._pending:
            encoded, blobs = self._pending.pop(0)
            self._send_values(encoded, blobs)
        if not self._tools_sent:
            self._request("tools", tools=sending.described(self._tools))
            self._tools_sent = True

    def _send_values(self, encoded: list[Any], blobs: Sequence[wire.Blob]) -> None:
        whole = [wire.dumps(encoded), *blobs]
        self._exchange.ask(self._connection, lambda line, number: line.send_values(whole, number))

    def _request(self, kind: str, **fields: Any) -> wire.Frame:
        return self._exchange.ask(self._connection, lambda line, number: line.send(kind, id=number, **fields))

    # --- what the worker says, on the reading thread ---

    def _on_frame(self, frame: wire.Frame) -> None:
        if frame.type == "ready":
            if frame.fields["version"] != wire.VERSION:
                raise wire.WireError("another version of the wire")
            if not self._ready.done():
                self._ready.set_result(frame)
        elif frame.type == "answer":
            self._exchange.hear(frame)
        else:
            step = self._step
            if step is not None and step.number == frame.fields["step"]:
                step.hear(frame)

    def _on_end(self, fault: Fault) -> None:
        with self._lock:
            self._connection = None
            step = self._step
            self._lost = True
        uses.changed(self)
        error = SandboxDiedError(fault.message)
        if not self._ready.done():
            self._ready.set_exception(error)
        self._exchange.end(error)
        if step is not None:
            step.end(fault)

    # --- called directly ---

    def __call__(self, code: str) -> Observed:
        """Run code that the caller stands for; returns what it did (``.output``, ``.logs``, ``.is_final_answer``).

        Works with and without a running event loop in this thread; tools run on this thread.

        Raises:
            InterpreterError: the code failed (``ForbiddenError``: the guard refused it; ``LimitError``: a limit ended it).
            SandboxError: the sandbox itself failed.
        """
        with self._lock:
            if self._caller is None:
                self._caller = Caller(self)
            caller = self._caller
        step = caller.next_step()
        return caller.call(allow(Proposed(run="call", step=step, text=code), by="caller"), self._tools)
