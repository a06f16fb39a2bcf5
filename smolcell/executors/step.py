"""One open step, as the host sees it: its outcome, its output, its calls of tools, and its connections to hosts.

* Frames are handled on the reading thread; callbacks are called on the event loop that runs the step.
* A worker that streams more than allowed, or calls a tool that the step does not have, is refused.
* A step ends even if its worker ignores the time limit: the host measures it, too.
"""

from __future__ import annotations

import asyncio
import builtins
import contextvars
import json
import logging
import re
import threading
import time
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from smolcell.core.hosts import ConnectionAttempt, Host, not_allowed
from smolcell.core.text import shorten, visible
from smolcell.events import Allowed, Bundle, Connected, Delta, Fault, Observed
from smolcell.executors import call_limit
from smolcell.machine.environment import importing
from smolcell.protocols import CallTool, OnOutput, reach
from smolcell.worker.runner import display
from smolcell.worker.supervisor.meters import STREAM_SECONDS, Clock, StandingText, drop_overwritten_piece
from smolcell.worker.wire import frames, values
from smolcell.worker.wire.bounds import PLACES, cut

if TYPE_CHECKING:
    from smolcell.executors.base import WorkerExecutor
    from smolcell.executors.connection import Connection

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


class StepLine:
    """What leads from the reading thread to the event loop of a step, and to its worker.

    Attributes:
        place: run and number of the step, for events.
        clock: measures the step; paused while the host works for the code.
        connection: to the worker; None until the code is about to be sent.
    """

    def __init__(self, permit: Allowed) -> None:
        self.place: dict[str, Any] = {"run": permit.run, "step": permit.step}
        self.loop = asyncio.get_running_loop()
        self.clock = Clock(lambda: 0.0)
        self.connection: Connection | None = None
        self._context = contextvars.copy_context()  # context of the run: tool calls are traced in it

    def post(self, *call: Any) -> None:
        """Call a function on the event loop. Thread-safe."""
        try:
            self.loop.call_soon_threadsafe(*call, context=self._context)
        except RuntimeError:
            pass  # the loop is closed: nobody waits


class RunningStep:
    """The execution of one permitted program, as the host sees it.

    Args:
        permit: permit of the program.
        on_output: called with printed text.
        call_tool: runs tools.
        executor: executor that runs the step.
    """

    def __init__(self, permit: Allowed, on_output: OnOutput, call_tool: CallTool, executor: WorkerExecutor) -> None:
        self.run, self.number, self._executor = permit.run, permit.step, executor
        self._line = StepLine(permit)
        self._output = StepOutput(self._line, on_output, executor.max_print_outputs_length)
        self._calls = StepCalls(self._line, self._output, call_tool, executor)
        self.hosts = StepHosts(self._line)
        self.sent = self._is_followed = False
        self._future: asyncio.Future[Observed] = self._line.loop.create_future()
        self._began_at = self._timeout = 0.0  # seconds by the clock
        self._interrupted_at = 0.0

    # --- on the event loop ---

    def begin(self, connection: Connection, timeout: float) -> None:
        """Note that the code is about to be sent."""
        self._line.connection, self.sent = connection, True
        self._began_at, self._timeout = self._line.clock.elapsed(), timeout

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
            if self._overdue():
                self._fail("sandbox", "SandboxDied", "the sandbox ignored its time limit and was ended")
        return self._future.result()

    async def settle(self) -> None:
        """Wait, after an interrupt, until the worker can be used again; else end it."""
        try:
            await asyncio.wait({self._future}, timeout=INTERRUPT_SECONDS)
        finally:
            self._fail("stopped", "KeyboardInterrupt", "the step was interrupted")

    def _fail(self, kind: Any, name: str, text: str) -> None:
        """End the worker if the step has no outcome."""
        if not self._future.done() and self._line.connection is not None:
            self._line.connection.fail(Fault(kind=kind, type=name, message=text))

    def over(self) -> None:
        """Cancel the tool calls of the step, which has ended."""
        self._calls.cancel()
        if not self._future.done():
            self._future.cancel()

    def interrupt(self) -> None:
        """Ask the worker to end the step. Thread-safe."""
        self._interrupted_at = self._interrupted_at or time.monotonic()
        if self._line.connection is not None and self._is_followed:
            self._line.connection.send("interrupt")

    def _overdue(self) -> bool:
        if self._interrupted_at and time.monotonic() - self._interrupted_at > INTERRUPT_SECONDS:
            return True
        return self._line.clock.elapsed() - self._began_at > self._timeout + LIMIT_SLACK_SECONDS

    def _settle(self, observed: Observed) -> None:
        self._output.tell(at_once=True)
        self._calls.is_over = True
        if not self._future.done():
            self._future.set_result(observed)

    # --- on the reading thread ---

    def handle_frame(self, frame: frames.Frame) -> None:
        """Handle a checked frame of this step; raises WireError if its content is not allowed."""
        if frame.type == "out":
            self._output.handle_text(frame.fields["text"])
        elif frame.type == "show":
            self._output.handle_display(frame)
        elif frame.type == "call":
            self._calls.handle_frame(frame)
        elif frame.type == "done":
            self._line.post(self._settle, self._observed(frame))

    def end(self, fault: Fault) -> None:
        """End the step, since the worker has ended."""
        self._line.post(self._settle, Observed(**self._line.place, error=fault, state_lost=True))

    def _observed(self, frame: frames.Frame) -> Observed:
        fields = frame.fields
        if not frame.blobs:
            raise frames.FrameError("a step's end without its output")
        longest = self._executor.max_print_outputs_length + 1000
        if frames.size(frame.blobs[-1]) > 4 * longest:  # a character takes at most 4 bytes in UTF-8
            raise frames.FrameError("more output than agreed")
        stdout = bytes(frame.blobs[-1]).decode("utf-8", "replace")
        body = values.read_json(frame.blobs[0]) if len(frame.blobs) > 1 and frame.blobs[0] else {}
        if type(body) is not dict or len(stdout) > longest:
            raise frames.FrameError("a step's end is malformed")
        if fields["state_lost"]:
            self._executor.values.end_handles()
        with importing():
            decoder = values.Decoder(frame.blobs[1:-1], show=visible, forward=self._executor.values.forward)
            output = decoder.decode_or_handle(body.get("value"))
        outputs = _outputs(body.get("outputs", []))
        stdout, places = _placed(stdout, len(outputs))
        return Observed(
            **self._line.place,
            stdout=stdout,
            result=_text(body.get("result", ""), longest),
            outputs=outputs,
            places=places,
            error=None if fields["error"] is None else _fault(fields["error"]),
            changed=tuple(
                name for name in fields["changed"][:MAX_CHANGED] if len(name) <= MAX_NAME and name.isidentifier()
            ),
            is_final_answer=fields["final"],
            dropped=max(0, fields["dropped"]),
            state_lost=fields["state_lost"],
            duration=max(0.0, float(fields["duration"])),
            output=output,
        )


class StepOutput:
    """What a step streams: printed text, and displays.

    Args:
        line: of the step.
        on_output: called with it, on the event loop.
        limit: maximum characters of text.
    """

    def __init__(self, line: StepLine, on_output: OnOutput, limit: int) -> None:
        self._line, self._on_output, self._limit = line, on_output, limit
        self._began = time.monotonic()
        self._streamed = StandingText()
        self._pieces, self._max_pieces = 0, PIECES + limit // 1000
        self._shown = 0  # characters of displays
        self._lock = threading.Lock()  # for the next two
        self._fresh = ""  # streamed, not shown yet
        self._is_telling = False
        self._told_at = 0.0

    def allow_piece(self) -> None:
        """Allow one more piece: each tool call may be followed by one."""
        self._max_pieces += 1

    def handle_text(self, text: str) -> None:
        """Handle printed text, on the reading thread; raises WireError if it is more than allowed."""
        if not text:
            raise frames.FrameError("a frame of output without output")
        self._count_piece()
        text = values.clean(text)
        self._streamed.add(text)
        if self._streamed.size > self._limit:
            raise frames.FrameError("more output than agreed")
        text = _MARK.sub("", text)
        with self._lock:
            self._fresh = drop_overwritten_piece(self._fresh + text)
            is_telling, self._is_telling = self._is_telling, True
        if not is_telling:
            self._line.post(self.tell)

    def handle_display(self, frame: frames.Frame) -> None:
        """Handle a display, on the reading thread; raises WireError if it is not allowed."""
        self._count_piece()
        at, count = frame.fields["at"], frame.fields["count"]
        self._shown += frames.size(frame.blobs)
        most = display.MAX_OUTPUTS_BYTES + SHOWN_RATE * (time.monotonic() - self._began)
        if not (0 <= at <= count <= display.MAX_BUNDLES) or len(frame.blobs) > 1 or self._shown > most:
            raise frames.FrameError("more is displayed than agreed")
        data = dict(_bundle(values.read_json(frame.blobs[0])).data) if frame.blobs else None
        text = json.dumps({"at": at, "count": count, "data": data})
        self._line.post(self._show, Delta(text=text, channel="display", **self._line.place))

    def _count_piece(self) -> None:
        self._pieces += 1
        if self._pieces > self._max_pieces + PIECES_RATE * (time.monotonic() - self._began):
            raise frames.FrameError("more output than agreed")

    def tell(self, *, at_once: bool = False) -> None:
        """Show streamed text, on the event loop. A progress bar that is rewritten all the time is shown at intervals."""
        wait = self._told_at + STREAM_SECONDS - time.monotonic()
        if wait > 0 and not at_once:
            self._line.loop.call_later(wait, self.tell)
            return
        with self._lock:
            text, self._fresh, self._is_telling = self._fresh, "", False
        if text:
            self._told_at = time.monotonic()
            self._show(Delta(text=text, channel="output", **self._line.place))

    def _show(self, delta: Delta) -> None:
        try:
            self._on_output(delta)
        except Exception:
            log.warning("a view failed to show output", exc_info=True)


class StepCalls:
    """The calls of tools in a step.

    Args:
        line, output: of the step.
        call_tool: runs a tool, on the event loop.
        executor: executor that runs the step.
    """

    def __init__(self, line: StepLine, output: StepOutput, call_tool: CallTool, executor: WorkerExecutor) -> None:
        self._line, self._output, self._call_tool, self._executor = line, output, call_tool, executor
        self._lock = threading.Lock()  # for the next three
        self._made = 0
        self._open = 0
        self._open_bytes = 0
        self._begun = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self.is_over = False

    def handle_frame(self, frame: frames.Frame) -> None:
        """Handle a call, on the reading thread; raises WireError if it is malformed, or one too many."""
        number, name = frame.fields["call"], frame.fields["name"]
        if not frame.blobs:
            raise frames.FrameError("a tool call is malformed")
        size = frames.size(frame.blobs)
        self._count(size)
        data = values.read_json(frame.blobs[0])
        decoder = values.Decoder(frame.blobs[1:], show=visible)
        if type(data) is not list or len(data) != 2 or type(data[0]) is not list or type(data[1]) is not list:
            raise frames.FrameError("a tool call is malformed")
        with importing():
            args = tuple(decoder.decode_or_handle(item) for item in data[0])
        try:
            with importing():
                kwargs = {key: decoder.decode_or_handle(item) for key, item in data[1]}
        except (TypeError, ValueError):
            raise frames.FrameError("a tool call is malformed") from None
        if not all(type(key) is str for key in kwargs):
            raise frames.FrameError("a tool call is malformed")
        self._line.post(self._start, number, size, name, args, kwargs)

    def _count(self, size: int) -> None:
        """Count a call when it arrives: the loop that answers may be slower than they come."""
        self._output.allow_piece()
        with self._lock:
            self._made += 1
            self._open += 1
            self._open_bytes += size
            if self._open > CONCURRENT_CALLS or self._open_bytes > self._executor.max_frame:
                raise frames.FrameError("more tool calls at once than agreed")
            if self._made > self._executor.max_tool_calls + REFUSED_CALLS:
                raise frames.FrameError("more tool calls than agreed")

    def _start(self, number: int, size: int, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if self.is_over or self._line.connection is None:
            return
        self._output.tell(at_once=True)
        self._line.clock.call()
        task = self._line.loop.create_task(self._answer(self._line.connection, number, size, name, args, kwargs))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(
        self, connection: Connection, number: int, size: int, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        kind, blobs = "return", list[frames.Blob]()
        fields: dict[str, Any] = {"call": number}
        try:
            result = await self._call(name, args, kwargs)
            encoder = values.Encoder(trusted=True, arrow=bool(self._executor.capabilities.get("arrow")))
            with importing():
                encoded = encoder.encode(result)
            blobs = [frames.dumps(encoded), *encoder.blobs]
        except Exception as error:
            text = shorten(values.clean(_text_of(error)), 4000)
            known = {"error": type(error).__name__[:200], "base": _builtin_base(error)}
            kind, fields = "raise", {"call": number, "message": text, **known}
        finally:
            self._line.clock.returned()
            with self._lock:  # before the answer: the next call may come at once
                self._open -= 1
                self._open_bytes -= size
        connection.send(kind, blobs, **fields)

    async def _call(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if name not in self._executor.tools:
            raise NameError(f"this sandbox has no tool named {name[:MAX_NAME]!r}")
        self._begun += 1
        if self._begun > self._executor.max_tool_calls:
            raise RuntimeError(f"the step made more than {self._executor.max_tool_calls} tool calls")
        async with call_limit(name, self._executor.tool_timeout, "tool_timeout"):
            return await self._call_tool(name, args, kwargs)

    def cancel(self) -> None:
        """Cancel the open calls, on the event loop."""
        self.is_over = True
        for task in self._tasks:
            task.cancel()


class StepHosts:
    """Connections of a step's code to hosts: asks about hosts that are not on the list, and reports what was connected.

    Args:
        line: of the step.
    """

    def __init__(self, line: StepLine) -> None:
        self._line, self._reach = line, reach.get()
        self._waiting: deque[Connected] = deque()  # not reported yet
        self._reported = 0
        self._sums: dict[tuple[str, int, str], Connected] = {}  # of those that are not reported one by one

    async def ask(self, host: Host) -> str:
        """Return why the code may not connect to a host; "" if it may. On the proxy's event loop. The step's clock is paused meanwhile."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._ask(host), self._line.loop))

    async def _ask(self, host: Host) -> str:
        connection, clock = self._line.connection, self._line.clock
        if self._reach is None or connection is None:
            return not_allowed(host)
        clock.call()
        connection.send("clock", stands=True)
        try:
            return await self._reach.ask(*host)
        finally:
            clock.returned()
            connection.send("clock", stands=False)

    def connected(self, attempt: ConnectionAttempt) -> None:
        """Report a connection that was closed or refused. On the proxy's event loop."""
        connected = Connected(
            **self._line.place,
            host=visible(attempt.host)[:MAX_NAME],
            port=attempt.port,
            sent=attempt.sent,
            received=attempt.received,
            duration=round(attempt.seconds, 3),
            refused=attempt.refused,
            credentials=attempt.credentials,
        )
        self._waiting.append(connected)
        if len(self._waiting) == 1:  # waking the loop for each connection would delay the next request
            self._line.post(self._line.loop.call_later, STREAM_SECONDS, self._tell_waiting)

    def _tell_waiting(self) -> None:
        while self._waiting:
            self._tell(self._waiting.popleft())

    def _tell(self, connection: Connected) -> None:
        if self._reach is None:
            return
        if self._reported < MAX_REPORTED_CONNECTIONS:
            self._reported += 1
            self._reach.connected(connection)
            return
        key = (connection.host, connection.port, connection.refused)
        if key not in self._sums and len(self._sums) >= MAX_REPORTED_CONNECTIONS:
            key = ("", 0, "")
            connection = replace(connection, host="other hosts", port=0, refused="")
        if before := self._sums.get(key):
            connection = replace(
                connection,
                sent=before.sent + connection.sent,
                received=before.received + connection.received,
                duration=before.duration + connection.duration,
                credentials=tuple(dict.fromkeys([*before.credentials, *connection.credentials])),
                times=before.times + 1,
            )
        self._sums[key] = connection

    def tell_all(self) -> None:
        """Report all connections that were not reported, on the event loop of the step."""
        self._tell_waiting()
        sums, self._sums = self._sums, {}
        if self._reach is not None:
            for connection in sums.values():
                self._reach.connected(connection)


# --- Values of a hostile worker, checked.


def _text_of(error: Exception) -> str:
    """Return an error's message; of a KeyError its argument, whose ``str`` is a repr that the sandbox would repr again."""
    return str(error.args[0]) if isinstance(error, KeyError) and len(error.args) == 1 else str(error)


def _builtin_base(error: Exception) -> str:
    """Return the name of the nearest built-in exception among its bases, by which code may catch it."""
    return next(str(kind.__name__) for kind in type(error).__mro__ if vars(builtins).get(kind.__name__) is kind)


def _text(value: Any, longest: int) -> str:
    if type(value) is not str or len(value) > longest:
        raise frames.FrameError("a step's end has an invalid text")
    return values.clean(value)


def _outputs(items: Any) -> tuple[Bundle, ...]:
    if type(items) is not list or len(items) > display.MAX_BUNDLES:
        raise frames.FrameError("a step's end has an invalid list of outputs")
    bundles = tuple(_bundle(item) for item in items)
    if sum(len(text) for bundle in bundles for text in bundle.data.values()) > display.MAX_OUTPUTS_BYTES:
        raise frames.FrameError("a step's outputs are larger than agreed")
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
        raise frames.FrameError("an output is not a bundle of known types")
    if not all(type(text) is str and len(text) <= MAX_TEXT for text in item.values()):
        raise frames.FrameError("an output is not a bundle of bounded texts")
    return Bundle(data={mime: values.clean(text) for mime, text in item.items()})


def _fault(error: dict[str, Any]) -> Fault:
    return Fault(
        kind=error["kind"],
        type=re.sub(r"[^\w.…]+", "_", error["type"][:MAX_NAME]) or "Exception",
        message=visible(cut(error["message"], MAX_MESSAGE)),
        line=max(0, error["line"]),
        traceback=visible(cut(error["traceback"], MAX_TRACEBACK)),
    )
