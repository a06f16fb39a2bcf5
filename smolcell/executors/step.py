"""One open step, as the host sees it: its future, its streamed output, its calls to tools of the host.

The rules this file exists to keep:

* Decoding happens on the reading thread; callbacks happen on the event loop that runs the step.
* A worker that streams more than agreed, or calls what was not lent, is refused.
* A step ends, even if its worker keeps no time: the host has a clock of its own.
"""

from __future__ import annotations

import asyncio
import builtins
import logging
import re
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from smolcell.events import Allowed, Bundle, Delta, Fault, Observed
from smolcell.executors.channel import Connection
from smolcell.protocols import CallTool, OnOutput, call_clock
from smolcell.visible import visible
from smolcell.worker import display, grid, values, wire
from smolcell.worker.clock import Clock

if TYPE_CHECKING:
    from smolcell.executors.base import WorkerExecutor

log = logging.getLogger("smolcell")
SLACK = 5.0  # seconds a worker may be late with its own limit
PATIENCE = 3.0  # seconds a worker may take to react to an interrupt
CONCURRENT_CALLS = 64
REFUSED_CALLS = 100  # answered with an error beyond the most calls of a step; then the step ends
MAX_CHANGED = 500
MAX_NAME, MAX_MESSAGE, MAX_TRACEBACK = 200, 5000, 10_000
MAX_TEXT = display.MAX_ONE * 4 // 3 + 100  # an image's text is a third longer than the image
MIMES = frozenset({"text/plain", grid.MIME, *display.METHODS.values()})


class Step:
    """One run of one permit.

    Args:
        permit: what runs.
        on_output: told what is printed.
        call_tool: runs tools.
        executor: whose step it is.
    """

    def __init__(self, permit: Allowed, on_output: OnOutput, call_tool: CallTool, executor: WorkerExecutor) -> None:
        self._permit, self._on_output, self._call_tool, self._executor = permit, on_output, call_tool, executor
        self.number = permit.step
        self.sent = False
        self._loop = asyncio.get_running_loop()
        self._future: asyncio.Future[Observed] = self._loop.create_future()
        self._connection: Connection | None = None
        self._timeout = 0.0
        self._clock = Clock(lambda: 0.0)
        self._interrupted_at = 0.0
        self._halted = False
        self._streamed = 0
        self._calls = 0
        self._counting = threading.Lock()  # what follows
        self._open_calls = 0
        self._open_bytes = 0
        self._begun = 0
        self._tasks: set[asyncio.Task[None]] = set()

    # --- on the event loop ---

    def begin(self, connection: Connection, timeout: float) -> None:
        """The code is about to be sent."""
        self._connection, self._timeout, self.sent = connection, timeout, True
        self._clock, self._halted = Clock(lambda: 0.0), False
        if self._interrupted_at:  # interrupted while the sandbox was opening
            self._interrupted_at = 0.0
            self._loop.call_soon(self.interrupt)

    async def wait(self) -> Observed:
        """What the step did; ends the worker if it does not keep its own limits."""
        while not self._future.done():
            await asyncio.wait({self._future}, timeout=0.5)
            if not self._future.done() and self._overdue() and self._connection is not None:
                text = "the sandbox did not keep its time limit, and was ended"
                self._connection.fail(Fault(kind="sandbox", type="SandboxDied", message=text))
        return self._future.result()

    async def settle(self) -> None:
        """After an interrupt: wait for the worker to be usable again, or end it."""
        try:
            await asyncio.wait({self._future}, timeout=PATIENCE)
        finally:
            if not self._future.done() and self._connection is not None:
                self._connection.fail(
                    Fault(kind="stopped", type="KeyboardInterrupt", message="the step was interrupted")
                )

    def over(self) -> None:
        """The step has ended: its tool calls too."""
        for task in self._tasks:
            task.cancel()
        if not self._future.done():
            self._future.cancel()

    def interrupt(self) -> None:
        """Ask the worker to end the step; from any thread."""
        self._interrupted_at = self._interrupted_at or time.monotonic()
        if self._connection is not None:
            self._connection.send("interrupt")

    def wait_for(self, what: str) -> None:
        """Say what the sandbox waits for, outside of the code: no time of the step passes meanwhile. From any thread."""
        self._post(self._halt, True, what)

    def go_on(self, what: str) -> None:
        """Say that it waits no more. From any thread."""
        self._post(self._halt, False, what)

    def _halt(self, halted: bool, what: str) -> None:
        if halted != self._halted:
            self._clock.call() if halted else self._clock.returned()
        self._halted = halted
        self._show(Delta(text=what, channel="progress", run=self._permit.run, step=self._permit.step))

    def with_lost_state(self, observed: Observed) -> Observed:
        """The same, and the earlier variables are gone."""
        return replace(observed, state_lost=True)

    def _overdue(self) -> bool:
        if self._interrupted_at and time.monotonic() - self._interrupted_at > PATIENCE:
            return True
        return self._clock.elapsed() > self._timeout + SLACK

    def _post(self, *call: Any) -> None:
        try:
            self._loop.call_soon_threadsafe(*call)
        except RuntimeError:
            pass  # the loop is closed: nobody waits any more

    def _settle(self, observed: Observed) -> None:
        if not self._future.done():
            self._future.set_result(observed)

    # --- on the reading thread ---

    def hear(self, frame: wire.Frame) -> None:
        """Take a checked frame of this step; raises wire.WireError when it says what it must not."""
        if frame.type == "out":
            self._hear_output(frame.fields["text"])
        elif frame.type == "call":
            self._hear_call(frame)
        elif frame.type == "done":
            self._post(self._settle, self._observed(frame))

    def end(self, fault: Fault) -> None:
        """The worker is gone."""
        self._post(self._settle, Observed(run=self._permit.run, step=self._permit.step, error=fault, state_lost=True))

    def _hear_output(self, text: str) -> None:
        self._streamed += len(text)
        if self._streamed > self._executor.max_print_outputs_length:
            raise wire.WireError("more output than agreed")
        text = values.clean(text)
        self._post(self._show, Delta(text=text, channel="output", run=self._permit.run, step=self._permit.step))

    def _show(self, delta: Delta) -> None:
        try:
            self._on_output(delta)
        except Exception:
            log.warning("a view failed to show output", exc_info=True)

    def _observed(self, frame: wire.Frame) -> Observed:
        fields = frame.fields
        if not frame.blobs:
            raise wire.WireError("a step's end without its output")
        stdout = bytes(frame.blobs[-1]).decode("utf-8", "replace")
        body = values.read_json(frame.blobs[0]) if len(frame.blobs) > 1 and frame.blobs[0] else {}
        if type(body) is not dict or len(stdout) > self._executor.max_print_outputs_length + 1000:
            raise wire.WireError("a step's end is malformed")
        return Observed(
            run=self._permit.run,
            step=self._permit.step,
            stdout=stdout,
            result=_text(body.get("result", ""), self._executor.max_print_outputs_length),
            outputs=_outputs(body.get("outputs", [])),
            error=None if fields["error"] is None else _fault(fields["error"]),
            changed=tuple(name for name in fields["changed"][:MAX_CHANGED] if _is_name(name)),
            is_final_answer=fields["final"],
            dropped=max(0, fields["dropped"]),
            state_lost=fields["state_lost"],
            duration=max(0.0, float(fields["duration"])),
            output=values.Decoder(frame.blobs[1:-1], show=visible).decode(body.get("value")),
        )

    # --- tools ---

    def _hear_call(self, frame: wire.Frame) -> None:
        number, name = frame.fields["call"], frame.fields["name"]
        if not frame.blobs:
            raise wire.WireError("a tool call is malformed")
        size = wire.size(frame.blobs)
        self._count_call(size)
        data = values.read_json(frame.blobs[0])
        decoder = values.Decoder(frame.blobs[1:], show=visible)
        if type(data) is not list or len(data) != 2 or type(data[0]) is not list or type(data[1]) is not list:
            raise wire.WireError("a tool call is malformed")
        args = tuple(decoder.decode(item) for item in data[0])
        try:
            kwargs = {key: decoder.decode(item) for key, item in data[1]}
        except (TypeError, ValueError):
            raise wire.WireError("a tool call is malformed") from None
        if not all(type(key) is str for key in kwargs):
            raise wire.WireError("a tool call is malformed")
        self._post(self._start_call, number, size, name, args, kwargs)

    def _count_call(self, size: int) -> None:
        """Counted here, where calls are heard: the loop that answers them may be slower than they come."""
        with self._counting:
            self._calls += 1
            self._open_calls += 1
            self._open_bytes += size
            if self._open_calls > CONCURRENT_CALLS or self._open_bytes > self._executor.max_frame:
                raise wire.WireError("more tool calls at once than agreed")
            if self._calls > self._executor.max_tool_calls + REFUSED_CALLS:
                raise wire.WireError("more tool calls than agreed")

    def _close_call(self, size: int) -> None:
        with self._counting:
            self._open_calls -= 1
            self._open_bytes -= size

    def _start_call(self, number: int, size: int, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if self._future.done():
            return
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
        kind, blobs = "return", list[wire.Blob]()
        fields: dict[str, Any] = {"call": number}
        try:
            if refused is not None:
                raise refused
            result = await self._timed(name, args, kwargs)
            encoder = values.Encoder(trusted=True, arrow=bool(self._executor.capabilities.get("arrow")))
            encoded = encoder.encode(result)
            blobs = [wire.dumps(encoded), *encoder.blobs]
        except asyncio.CancelledError:
            raise
        except Exception as error:
            text = values.clean(_text_of(error))[:4000]
            known = {"error": type(error).__name__[:200], "base": _builtin_base(error)}
            kind, fields = "raise", {"call": number, "message": text, **known}
        finally:
            self._clock.returned()
            self._close_call(size)  # before the answer: the next call may come at once
        connection.send(kind, blobs, **fields)

    async def _timed(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        limit = self._executor.tool_timeout
        try:
            async with asyncio.timeout(limit) as clock:
                call_clock.set(clock)
                return await self._call_tool(name, args, kwargs)
        except TimeoutError:
            if not clock.expired():
                raise  # the tool's own
            raise TimeoutError(f"the tool {name!r} took longer than {limit:g} s (tool_timeout)") from None

    def _refusal(self, name: str) -> Exception | None:
        if name not in self._executor._tools:
            return NameError(f"no tool named {name[:MAX_NAME]!r} was lent to this sandbox")
        self._begun += 1
        if self._begun > self._executor.max_tool_calls:
            return RuntimeError(f"the step made more than {self._executor.max_tool_calls} tool calls")
        return None


def _text_of(error: Exception) -> str:
    """What an error was made with: a KeyError's own text is a repr, which would be a repr of a repr on the far side."""
    return str(error.args[0]) if isinstance(error, KeyError) and len(error.args) == 1 else str(error)


def _builtin_base(error: Exception) -> str:
    """The nearest of Python's own exceptions that it is one of, by which code may catch it."""
    names: list[str] = [kind.__name__ for kind in type(error).__mro__ if vars(builtins).get(kind.__name__) is kind]
    return names[0]


def _text(value: Any, limit: int) -> str:
    if type(value) is not str or len(value) > limit + 1000:
        raise wire.WireError("a step's end holds what is not a bounded text")
    return values.clean(value)


def _outputs(items: Any) -> tuple[Bundle, ...]:
    if type(items) is not list or len(items) > display.MAX_BUNDLES:
        raise wire.WireError("a step's end holds what is not a list of outputs")
    bundles = tuple(_bundle(item) for item in items)
    if sum(len(text) for bundle in bundles for text in bundle.data.values()) > display.MAX_ALL:
        raise wire.WireError("a step's outputs are larger than agreed")
    return bundles


def _bundle(item: Any) -> Bundle:
    if type(item) is not dict or not item.keys() <= MIMES:
        raise wire.WireError("an output is not a bundle of known types")
    if not all(type(text) is str and len(text) <= MAX_TEXT for text in item.values()):
        raise wire.WireError("an output is not a bundle of bounded texts")
    return Bundle(data={mime: values.clean(text) for mime, text in item.items()})


def _is_name(name: str) -> bool:
    return len(name) <= MAX_NAME and name.isidentifier()


def _fault(error: dict[str, Any]) -> Fault:
    return Fault(
        kind=error["kind"],
        type=re.sub(r"[^\w.]+", "_", error["type"][:MAX_NAME]) or "Exception",
        message=visible(error["message"][:MAX_MESSAGE]),
        line=max(0, error["line"]),
        traceback=visible(error["traceback"][:MAX_TRACEBACK]),
    )
