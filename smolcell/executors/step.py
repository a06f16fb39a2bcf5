"""One open step, as the host sees it: its future, its streamed output, its calls of tools on the host.

* Decoding happens on the reading thread; callbacks happen on the event loop that runs the step.
* A worker that streams more than allowed, or calls a tool that the step does not have, is refused.
* A step ends even if its worker ignores the time limit: the host measures it, too.
"""

from __future__ import annotations

import asyncio
import builtins
import contextvars
import inspect
import json
import logging
import queue
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from dataclasses import replace
from typing import Any, Protocol

from smolcell.core.hosts import Connection as Reached
from smolcell.core.hosts import Host, not_allowed
from smolcell.core.text import shorten, visible
from smolcell.errors import ApprovalError, ForbiddenError, InterpreterError, LimitError, SandboxDiedError, WireError
from smolcell.events import Allowed, Bundle, Connected, Delta, Fault, Observed
from smolcell.executors import call_limit
from smolcell.executors.connection import Connection
from smolcell.machine.environment import importing
from smolcell.protocols import CallTool, Executor, OnOutput, reach
from smolcell.worker.runner import display
from smolcell.worker.supervisor.meters import STREAM_SECONDS, Clock, StandingText, drop_overwritten_piece
from smolcell.worker.wire import frames, values
from smolcell.worker.wire.bounds import PLACES, cut

log = logging.getLogger("smolcell")
LIMIT_SLACK_SECONDS = 5.0  # seconds that a worker may exceed its own limit
INTERRUPT_SECONDS = 3.0  # seconds a worker may take to react to an interrupt
CONCURRENT_CALLS = 64
REFUSED_CALLS = 100  # calls over the limit that are answered with an error; then the step ends
PIECES, PIECES_RATE = 300, 200  # pieces of output and displays that a step may stream: at once, and more per second
SHOWN_RATE = 2_000_000  # characters of displays that it may stream per second, besides the limit of a whole step
MAX_REPORTED_CONNECTIONS = 100  # connections of a step that are reported one by one; others are summed up by host
MAX_CHANGED = 500
MAX_NAME, MAX_MESSAGE, MAX_TRACEBACK = 200, 5000, 10_000
MAX_TEXT = display.MAX_OUTPUT_BYTES * 4 // 3 + 100  # base64 makes an image's text a third longer than the image


class StepOwner(Protocol):
    """The parts of an executor that its steps need: limits, and facts about its sandbox."""

    max_print_outputs_length: int
    max_frame: int
    max_tool_calls: int
    tool_timeout: float
    capabilities: dict[str, Any]
    tools: dict[str, Any]
    forward: Any

    def end_handles(self) -> None:
        """Mark all handles as lost."""
        ...


class Step:
    """The execution of one permitted program, as the host sees it.

    Args:
        permit: permit of the program.
        on_output: called with printed text.
        call_tool: runs tools.
        executor: executor that runs the step.
    """

    def __init__(self, permit: Allowed, on_output: OnOutput, call_tool: CallTool, executor: StepOwner) -> None:
        self._permit, self._on_output, self._call_tool, self._executor = permit, on_output, call_tool, executor
        self._context = contextvars.copy_context()  # context of the run: tool calls are traced in it
        self._reach = reach.get()
        self._connected: dict[tuple[str, int, str], Connected] = {}  # not reported one by one
        self._told_connections = 0
        self._reached: deque[Connected] = deque()  # not reported yet
        self.run, self.number = permit.run, permit.step
        self.sent = self._is_followed = False
        self._loop = asyncio.get_running_loop()
        self._future: asyncio.Future[Observed] = self._loop.create_future()
        self._connection: Connection | None = None
        self._timeout = 0.0
        self._clock = Clock(lambda: 0.0)
        self._interrupted_at = 0.0
        self._began = time.monotonic()
        self._streamed = StandingText()
        self._pieces = self._shown = 0
        self._fresh = ""  # streamed, not shown yet
        self._telling = False
        self._told_at = 0.0
        self._calls = 0
        self._counting = threading.Lock()  # guards the following counters
        self._open_calls = 0
        self._open_bytes = 0
        self._begun = 0
        self._tasks: set[asyncio.Task[None]] = set()

    # --- on the event loop ---

    def begin(self, connection: Connection, timeout: float) -> None:
        """Note that the code is about to be sent."""
        self._connection, self._timeout, self.sent = connection, timeout, True
        self._clock = Clock(lambda: 0.0)

    def follow(self) -> None:
        """Note that the code was sent, so that interrupts are sent from now on: before, the worker has no step to end."""
        self._is_followed = True
        if self._interrupted_at:  # while the sandbox was opening, or just now
            self._interrupted_at = 0.0
            self.interrupt()

    async def wait(self) -> Observed:
        """Wait for the outcome of the step; end the worker if it ignores its limits."""
        while not self._future.done():
            await asyncio.wait({self._future}, timeout=0.5)
            if not self._future.done() and self._overdue() and self._connection is not None:
                text = "the sandbox ignored its time limit and was ended"
                self._connection.fail(Fault(kind="sandbox", type="SandboxDied", message=text))
        return self._future.result()

    async def settle(self) -> None:
        """Wait, after an interrupt, until the worker can be used again; else end it."""
        try:
            await asyncio.wait({self._future}, timeout=INTERRUPT_SECONDS)
        finally:
            if not self._future.done() and self._connection is not None:
                self._connection.fail(
                    Fault(kind="stopped", type="KeyboardInterrupt", message="the step was interrupted")
                )

    def over(self) -> None:
        """Cancel the tool calls of the step, which has ended."""
        for task in self._tasks:
            task.cancel()
        if not self._future.done():
            self._future.cancel()

    def interrupt(self) -> None:
        """Ask the worker to end the step. Thread-safe."""
        self._interrupted_at = self._interrupted_at or time.monotonic()
        if self._connection is not None and self._is_followed:
            self._connection.send("interrupt")

    # --- connections to hosts, on the proxy's event loop ---

    async def ask_host(self, host: Host) -> str:
        """Return why the code may not connect to a host that is not on the list; "" if it may. The step's timer is paused meanwhile."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._ask_host(host), self._loop))

    async def _ask_host(self, host: Host) -> str:
        connection = self._connection
        if self._reach is None or connection is None:
            return not_allowed(host)
        self._clock.call()
        connection.send("clock", stands=True)
        try:
            return await self._reach.ask(*host)
        finally:
            self._clock.returned()
            connection.send("clock", stands=False)

    def connected(self, connection: Reached) -> None:
        """Report a connection that was closed or refused."""
        connected = Connected(
            run=self._permit.run,
            step=self._permit.step,
            host=visible(connection.host)[:MAX_NAME],
            port=connection.port,
            sent=connection.sent,
            received=connection.received,
            duration=round(connection.seconds, 3),
            refused=connection.refused,
            credentials=connection.credentials,
        )
        self._reached.append(connected)
        if len(self._reached) == 1:  # waking the loop for each connection would delay the next request
            self._post(self._loop.call_later, STREAM_SECONDS, self._tell_reached)

    def _tell_reached(self) -> None:
        while self._reached:
            self._tell_connection(self._reached.popleft())

    def _tell_connection(self, connection: Connected) -> None:
        who = self._reach
        if who is None:
            return
        if self._told_connections < MAX_REPORTED_CONNECTIONS:
            self._told_connections += 1
            who.connected(connection)
            return
        key = (connection.host, connection.port, connection.refused)
        if key not in self._connected and len(self._connected) >= MAX_REPORTED_CONNECTIONS:
            key = ("", 0, "")  # summed up
            connection = replace(connection, host="other hosts", port=0, refused="")
        if before := self._connected.get(key):
            connection = replace(
                connection,
                sent=before.sent + connection.sent,
                received=before.received + connection.received,
                duration=before.duration + connection.duration,
                credentials=tuple(dict.fromkeys([*before.credentials, *connection.credentials])),
                times=before.times + 1,
            )
        self._connected[key] = connection

    def tell_connections(self) -> None:
        """Report all connections that were not reported; on the event loop of the step."""
        self._tell_reached()
        connected, self._connected = self._connected, {}
        if self._reach is not None:
            for connection in connected.values():
                self._reach.connected(connection)

    def with_lost_state(self, observed: Observed) -> Observed:
        """Return the observation, marked: the earlier variables are lost."""
        return replace(observed, state_lost=True)

    def _overdue(self) -> bool:
        if self._interrupted_at and time.monotonic() - self._interrupted_at > INTERRUPT_SECONDS:
            return True
        return self._clock.elapsed() > self._timeout + LIMIT_SLACK_SECONDS

    def _post(self, *call: Any) -> None:
        try:
            self._loop.call_soon_threadsafe(*call, context=self._context)
        except RuntimeError:
            pass  # the loop is closed: nobody waits

    def _settle(self, observed: Observed) -> None:
        self._tell(at_once=True)
        if not self._future.done():
            self._future.set_result(observed)

    # --- on the reading thread ---

    def handle_frame(self, frame: frames.Frame) -> None:
        """Handle a checked frame of this step; raises WireError if its content is not allowed."""
        if frame.type == "out":
            self._hear_output(frame.fields["text"])
        elif frame.type == "show":
            self._hear_display(frame)
        elif frame.type == "call":
            self._hear_call(frame)
        elif frame.type == "done":
            self._post(self._settle, self._observed(frame))

    def end(self, fault: Fault) -> None:
        """End the step, since the worker has ended."""
        self._post(self._settle, Observed(run=self._permit.run, step=self._permit.step, error=fault, state_lost=True))

    def _hear_output(self, text: str) -> None:
        if not text:
            raise frames.WireError("a frame of output without output")
        self._count_piece()
        text = values.clean(text)
        self._streamed.add(text)
        if self._streamed.size > self._executor.max_print_outputs_length:
            raise frames.WireError("more output than agreed")
        text = _MARK.sub("", text)
        with self._counting:
            self._fresh = drop_overwritten_piece(self._fresh + text)
            telling, self._telling = self._telling, True
        if not telling:
            self._post(self._tell)

    def _hear_display(self, frame: frames.Frame) -> None:
        self._count_piece()
        at, count = frame.fields["at"], frame.fields["count"]
        self._shown += frames.size(frame.blobs)
        most = display.MAX_OUTPUTS_BYTES + SHOWN_RATE * (time.monotonic() - self._began)
        if not (0 <= at <= count <= display.MAX_BUNDLES) or len(frame.blobs) > 1 or self._shown > most:
            raise frames.WireError("more is displayed than agreed")
        data = dict(_bundle(values.read_json(frame.blobs[0])).data) if frame.blobs else None
        text = json.dumps({"at": at, "count": count, "data": data})
        self._post(self._show, Delta(text=text, channel="display", run=self._permit.run, step=self._permit.step))

    def _count_piece(self) -> None:
        self._pieces += 1
        seconds = time.monotonic() - self._began
        if (
            self._pieces
            > PIECES + self._calls + self._executor.max_print_outputs_length // 1000 + PIECES_RATE * seconds
        ):
            raise frames.WireError("more output than agreed")

    def _tell(self, *, at_once: bool = False) -> None:
        """Show streamed text, on the event loop. A progress bar that is rewritten all the time is shown at intervals."""
        wait = self._told_at + STREAM_SECONDS - time.monotonic()
        if wait > 0 and not at_once:
            self._loop.call_later(wait, self._tell, context=self._context)
            return
        with self._counting:
            text, self._fresh, self._telling = self._fresh, "", False
        if text:
            self._told_at = time.monotonic()
            self._show(Delta(text=text, channel="output", run=self._permit.run, step=self._permit.step))

    def _show(self, delta: Delta) -> None:
        try:
            self._on_output(delta)
        except Exception:
            log.warning("a view failed to show output", exc_info=True)

    def _observed(self, frame: frames.Frame) -> Observed:
        fields = frame.fields
        if not frame.blobs:
            raise frames.WireError("a step's end without its output")
        longest = self._executor.max_print_outputs_length + 1000
        if frames.size(frame.blobs[-1]) > 4 * longest:  # a character takes at most 4 bytes in UTF-8
            raise frames.WireError("more output than agreed")
        stdout = bytes(frame.blobs[-1]).decode("utf-8", "replace")
        body = values.read_json(frame.blobs[0]) if len(frame.blobs) > 1 and frame.blobs[0] else {}
        if type(body) is not dict or len(stdout) > longest:
            raise frames.WireError("a step's end is malformed")
        if fields["state_lost"]:
            self._executor.end_handles()
        with importing():
            forward = self._executor.forward
            output = values.Decoder(frame.blobs[1:-1], show=visible, forward=forward).decode_or_handle(
                body.get("value")
            )
        outputs = _outputs(body.get("outputs", []))
        stdout, places = _placed(stdout, len(outputs))
        return Observed(
            run=self._permit.run,
            step=self._permit.step,
            stdout=stdout,
            result=_text(body.get("result", ""), self._executor.max_print_outputs_length),
            outputs=outputs,
            places=places,
            error=None if fields["error"] is None else _fault(fields["error"]),
            changed=tuple(name for name in fields["changed"][:MAX_CHANGED] if _is_name(name)),
            is_final_answer=fields["final"],
            dropped=max(0, fields["dropped"]),
            state_lost=fields["state_lost"],
            duration=max(0.0, float(fields["duration"])),
            output=output,
        )

    # --- tools ---

    def _hear_call(self, frame: frames.Frame) -> None:
        number, name = frame.fields["call"], frame.fields["name"]
        if not frame.blobs:
            raise frames.WireError("a tool call is malformed")
        size = frames.size(frame.blobs)
        self._count_call(size)
        data = values.read_json(frame.blobs[0])
        decoder = values.Decoder(frame.blobs[1:], show=visible)
        if type(data) is not list or len(data) != 2 or type(data[0]) is not list or type(data[1]) is not list:
            raise frames.WireError("a tool call is malformed")
        with importing():
            args = tuple(decoder.decode_or_handle(item) for item in data[0])
        try:
            with importing():
                kwargs = {key: decoder.decode_or_handle(item) for key, item in data[1]}
        except (TypeError, ValueError):
            raise frames.WireError("a tool call is malformed") from None
        if not all(type(key) is str for key in kwargs):
            raise frames.WireError("a tool call is malformed")
        self._post(self._start_call, number, size, name, args, kwargs)

    def _count_call(self, size: int) -> None:
        """Count a call when it arrives: the loop that answers may be slower than they come."""
        with self._counting:
            self._calls += 1
            self._open_calls += 1
            self._open_bytes += size
            if self._open_calls > CONCURRENT_CALLS or self._open_bytes > self._executor.max_frame:
                raise frames.WireError("more tool calls at once than agreed")
            if self._calls > self._executor.max_tool_calls + REFUSED_CALLS:
                raise frames.WireError("more tool calls than agreed")

    def _close_call(self, size: int) -> None:
        with self._counting:
            self._open_calls -= 1
            self._open_bytes -= size

    def _start_call(self, number: int, size: int, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if self._future.done():
            return
        self._tell(at_once=True)
        self._clock.call()
        refused = self._refusal(name)
        task = self._loop.create_task(self._answer_call(number, size, name, args, kwargs, refused))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer_call(
        self,
        number: int,
        size: int,
        name: str,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        refused: Exception | None,
    ) -> None:
        connection = self._connection
        if connection is None:
            return
        kind, blobs = "return", list[frames.Blob]()
        fields: dict[str, Any] = {"call": number}
        try:
            if refused is not None:
                raise refused
            result = await self._timed(name, args, kwargs)
            encoder = values.Encoder(trusted=True, arrow=bool(self._executor.capabilities.get("arrow")))
            with importing():
                encoded = encoder.encode(result)
            blobs = [frames.dumps(encoded), *encoder.blobs]
        except asyncio.CancelledError:
            raise
        except Exception as error:
            text = shorten(values.clean(_text_of(error)), 4000)
            known = {"error": type(error).__name__[:200], "base": _builtin_base(error)}
            kind, fields = "raise", {"call": number, "message": text, **known}
        finally:
            self._clock.returned()
            self._close_call(size)  # before the answer: the next call may come at once
        connection.send(kind, blobs, **fields)

    async def _timed(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        async with call_limit(name, self._executor.tool_timeout, "tool_timeout"):
            return await self._call_tool(name, args, kwargs)

    def _refusal(self, name: str) -> Exception | None:
        if name not in self._executor.tools:
            return NameError(f"this sandbox has no tool named {name[:MAX_NAME]!r}")
        self._begun += 1
        if self._begun > self._executor.max_tool_calls:
            return RuntimeError(f"the step made more than {self._executor.max_tool_calls} tool calls")
        return None


def _text_of(error: Exception) -> str:
    """Return an error's message; of a KeyError its argument, whose ``str`` is a repr that the sandbox would repr again."""
    return str(error.args[0]) if isinstance(error, KeyError) and len(error.args) == 1 else str(error)


def _builtin_base(error: Exception) -> str:
    """Return the name of the nearest built-in exception among its bases, by which code may catch it."""
    names: list[str] = [kind.__name__ for kind in type(error).__mro__ if vars(builtins).get(kind.__name__) is kind]
    return names[0]


def _text(value: Any, limit: int) -> str:
    if type(value) is not str or len(value) > limit + 1000:
        raise frames.WireError("a step's end has an invalid text")
    return values.clean(value)


def _outputs(items: Any) -> tuple[Bundle, ...]:
    if type(items) is not list or len(items) > display.MAX_BUNDLES:
        raise frames.WireError("a step's end has an invalid list of outputs")
    bundles = tuple(_bundle(item) for item in items)
    if sum(len(text) for bundle in bundles for text in bundle.data.values()) > display.MAX_OUTPUTS_BYTES:
        raise frames.WireError("a step's outputs are larger than agreed")
    return bundles


_MARK = re.compile(f"([{PLACES}])")


def _placed(text: str, count: int) -> tuple[str, tuple[int, ...]]:
    """Return printed text without the marks of outputs, and the number of its lines before each output."""
    pieces = _MARK.split(text)
    plain = "".join(pieces[::2])
    found, lines, last = dict[str, int](), 0, "\n"
    for piece, mark in zip(pieces[::2], [*pieces[1::2], ""], strict=True):
        lines, last = lines + piece.count("\n"), piece[-1:] or last
        found[mark] = lines + (last != "\n")
    places = tuple(found.get(mark, found[""]) for mark in PLACES[:count])
    return plain, places if any(place < found[""] for place in places) else ()


def _bundle(item: Any) -> Bundle:
    if type(item) is not dict or not item.keys() <= display.MIMES:
        raise frames.WireError("an output is not a bundle of known types")
    if not all(type(text) is str and len(text) <= MAX_TEXT for text in item.values()):
        raise frames.WireError("an output is not a bundle of bounded texts")
    return Bundle(data={mime: values.clean(text) for mime, text in item.items()})


def _is_name(name: str) -> bool:
    return len(name) <= MAX_NAME and name.isidentifier()


def _fault(error: dict[str, Any]) -> Fault:
    return Fault(
        kind=error["kind"],
        type=re.sub(r"[^\w.…]+", "_", error["type"][:MAX_NAME]) or "Exception",
        message=visible(cut(error["message"], MAX_MESSAGE)),
        line=max(0, error["line"]),
        traceback=visible(cut(error["traceback"], MAX_TRACEBACK)),
    )


# --- Calling an executor like a function: ``executor("1 + 1").output``.
#
# * The caller's thread may have a running event loop: the step runs on another thread's loop.
# * Tools run on the caller's thread, one at a time.
# * Failures are raised.


_Job = tuple[Callable[[], Any], Future[Any]]


class SyncRunner:
    """Runs steps of one executor for callers that are not coroutines."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._steps = 0
        self._over: Future[None] | None = None  # the end of the current call, or of the last one
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, name="smolcell-call", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        try:
            self._loop.run_forever()
            for task in asyncio.all_tasks(self._loop):
                task.cancel()
                self._loop.run_until_complete(asyncio.wait({task}, timeout=1))
        finally:
            self._loop.close()

    def close(self) -> None:
        """End the thread."""
        if self._over is not None:
            wait({self._over}, timeout=1.0)  # its sandbox was ended: the step ends too, with the reason
        try:
            self._loop.call_soon_threadsafe(self._loop.stop)
        except RuntimeError:
            return  # already closed
        if self._thread is not threading.current_thread():
            self._thread.join(2.0)

    async def wait(self) -> None:
        """Wait for the end of the current call."""
        if self._over is not None and not self._over.done():
            await asyncio.to_thread(wait, {self._over})

    def next_step(self) -> int:
        """Return the number of the next call."""
        self._steps += 1
        return self._steps

    def call(self, allowed: Allowed, tools: Mapping[str, Any]) -> Observed:
        """Run the step; run its tool calls on this thread."""
        jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()

        async def call_tool(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            if getattr(tools[name], "approve", False):
                raise ApprovalError(
                    f"each call of {name!r} needs approval, and an executor that is called directly cannot ask: use an agent"
                )
            done: Future[Any] = Future()
            jobs.put((lambda: tools[name](*args, **kwargs), done))
            result = await asyncio.wrap_future(done)
            return await result if inspect.isawaitable(result) else result

        over = self._over = Future()  # set before the step opens, so an agent's step that starts meanwhile waits for it
        step = self._executor.run(allowed, _ignore, call_tool)
        try:
            running = asyncio.run_coroutine_threadsafe(step, self._loop)
        except RuntimeError:  # the loop was closed
            step.close()
            over.set_result(None)
            raise
        running.add_done_callback(lambda _: over.set_result(None))
        running.add_done_callback(lambda _: jobs.put(None))
        try:
            while (job := jobs.get()) is not None:
                _work(*job)
        except BaseException:
            self._executor.interrupt()
            running.exception(timeout=10)
            raise
        return running.result()


def _ignore(_: Delta) -> None:
    """Ignore streamed output: the result contains it."""


def _work(job: Callable[[], Any], done: Future[Any]) -> None:
    if not done.set_running_or_notify_cancel():
        return
    try:
        done.set_result(job())
    except Exception as error:
        done.set_exception(error)


_OPTIONS = {
    ("limit", "MemoryError"): ". A higher limit: memory=…",
    ("limit", "TimeoutError"): ". A longer limit: timeout=…",
}
"""For callers of an executor: the option that raises a limit."""


def raise_fault(observed: Observed) -> Observed:
    """Return the observation if nothing failed; else raise the error.

    Raises:
        InterpreterError: the code failed; ForbiddenError and LimitError are kinds of it.
        SandboxDiedError: the sandbox ended.
        WireError: the sandbox sent an invalid frame.
    """
    fault = observed.error
    if fault is None:
        return observed
    place = f"line {fault.line}: " if fault.line else ""
    if fault.kind == "sandbox":
        raise WireError(fault.message) if fault.type == "WireError" else SandboxDiedError(fault.message)
    kinds = {"forbidden": ForbiddenError, "limit": LimitError}
    message = fault.message if fault.kind == "forbidden" else f"{fault.type}: {fault.message}"
    message += _OPTIONS.get((fault.kind, fault.type), "")
    error = kinds.get(fault.kind, InterpreterError)(place + message, exception_type=fault.type, logs=observed.stdout)
    if fault.traceback:
        error.add_note(fault.traceback)
    raise error
