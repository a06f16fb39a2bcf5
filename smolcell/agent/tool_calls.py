"""Tools that the code of a step calls: approval, thread, time limit, and events.

* A call that needs approval runs after the gate allowed exactly that call; its permit is spent once, like that of a step.
* A person's refusal is an exception in the code, with the comment. Any other refusal ends the run, as it does for a step.
* After a refusal that ends the run, and after a stop, no tool is called any more, even if the calling code goes on.
* While a person is asked, the time limits of the step and of the call are paused.
* Synchronous tools run on the calling thread, one at a time. However a tool ends, the code gets a result or an exception.
"""

from __future__ import annotations

import asyncio
import contextvars
import ctypes
import inspect
import json
import logging
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from smolcell.agent.questions import Questions, RunEndedError
from smolcell.approval.policy import Lock, current
from smolcell.core import text as describe
from smolcell.core.text import presentable, visible
from smolcell.core.tool_calls import FINAL, ParsedCall, arguments
from smolcell.errors import AgentToolCallError, AgentToolExecutionError, ApprovalError
from smolcell.events import (
    FIRST_OUTPUT,
    Allowed,
    Call,
    Called,
    Fault,
    Finding,
    History,
    Observed,
    Proposed,
    Refused,
    call_of,
)
from smolcell.executors import call_limit, completed
from smolcell.machine.waiter import has_begun
from smolcell.permit import spend
from smolcell.protocols import Executor, Waiter, call_clock, person
from smolcell.tools.builtin import PythonInterpreterTool
from smolcell.tools.tool import Tool, brief_call, named_arguments, read_call, write_call

# --- Synchronous functions of the user, and coroutines that wait for them: on the calling thread, or on a new one.
#
# * An exception of the function reaches the waiting coroutine, and never ends the driver's loop. An interrupt of the calling thread is
#   raised in that thread, too.
# * If the coroutine is cancelled (the run was stopped, or the call took too long), the function is stopped as by an interrupt: at its
#   next line of Python. A call into C that blocks ends first.
# * Nothing is raised in a thread after the function has ended.


class Abandoned(KeyboardInterrupt):
    """Raised in a function whose call was cancelled."""


async def run_on_calling_thread(
    waiter: Waiter, work: Callable[[], Any], seconds: float, begun: Callable[[], object] = lambda: None
) -> Any:
    """Run a synchronous call on the calling thread, and return its result.

    Args:
        waiter: the calling thread.
        work: the call.
        seconds: time until the thread must have begun the call.
        begun: called on the event loop when it has.

    Raises:
        TimeoutError: the thread did not begin the call in time, and never will.
    """
    call = _PostedCall(work, signals=True)
    waiter.post(call)
    await call.begin(seconds)
    begun()
    return await call.result()


async def run_in_thread(work: Callable[[], Any]) -> Any:
    """Run a call on a new daemon thread, and return its result."""
    call = _PostedCall(work, signals=False)
    run = partial(contextvars.copy_context().run, call)
    threading.Thread(target=run, name="smolcell-tool", daemon=True).start()
    return await call.result()


class _PostedCall:
    """One call. ``signals``: an interrupt in it is raised in its thread, too."""

    def __init__(self, work: Callable[[], Any], *, signals: bool) -> None:
        self._work, self._signals = work, signals
        self._begun: Future[None] = Future()
        self._done: Future[Any] = Future()
        self._lock = threading.Lock()
        self._thread = 0  # id of the thread that runs it
        self._stopped = False

    def __call__(self) -> None:
        """Run the call, unless it was cancelled."""
        if not (self._begun.set_running_or_notify_cancel() and self._done.set_running_or_notify_cancel()):
            return
        self._begun.set_result(None)
        try:
            try:
                self._thread = threading.get_ident()
                result = self._work()
            finally:
                self._end()
        except BaseException as error:
            crosses = isinstance(error, (Exception, SystemExit, KeyboardInterrupt)) and not isinstance(
                error, StopIteration
            )
            # StopIteration would end the coroutine that waits for it.
            self._done.set_exception(error if crosses else RuntimeError(f"{type(error).__name__}: {error}"))
            own = self._stopped and isinstance(error, Abandoned)  # else an outer call was cancelled
            if self._signals and isinstance(error, KeyboardInterrupt) and not own:
                raise
        else:
            self._done.set_result(result)

    async def begin(self, seconds: float) -> None:
        """Wait until the call has begun. If it has not in time, or this is cancelled, it never does."""
        try:
            await has_begun(self._begun, seconds)
        except asyncio.CancelledError:
            if not self._begun.cancel():
                self._stop()
            raise

    async def result(self) -> Any:
        """Return or raise the call's result. If this is cancelled, the call is stopped."""
        try:
            return await asyncio.wrap_future(self._done)
        except asyncio.CancelledError:
            self._stop()
            raise

    def _stop(self) -> None:
        with self._lock:
            if self._thread:
                self._stopped = True
                _raise(self._thread, Abandoned)

    def _end(self) -> None:
        with self._lock:
            if self._stopped:
                _absorb()
            self._thread = 0


def _raise(thread: int, error: type[BaseException]) -> None:
    """Raise an exception in a thread at its next line of Python. Replaces one that was not raised yet."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))


def _absorb() -> None:
    """Make sure that no exception is left to be raised in this thread.

    Removing it (with NULL) makes CPython 3.11 check for one for ever: all threads are slower, and a traced one (coverage, a debugger)
    does not go on. So another one is set, and caught.
    """
    try:
        _raise(threading.get_ident(), Abandoned)
        for _ in range(10_000):  # it is raised by the call above, or in this loop
            pass
    except Abandoned:
        pass


log = logging.getLogger("smolcell")
_INTERRUPTED_END_SECONDS = 1.0  # seconds that a waiting thread, interrupted in a tool, has to end the run
_MAX_RECORDED_CALLS = 100  # calls of a step that get an event each; further ones share one per tool
_MAX_TEXT_CHARS, _MAX_RESULT_CHARS, _MAX_ERROR_CHARS = 2_000, 300, 1_000  # characters kept of a call
_MAX_DIRECT_RESULT_CHARS = 20_000  # characters of the result that the model reads, of a call that it made itself


@dataclass(slots=True)
class _ActiveCall:
    """One active call."""

    step: int
    number: int
    tool: Tool
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    clock: asyncio.Timeout | None = None
    left: float = 0.0  # seconds, while the clock is paused
    waited: float = 0.0  # seconds in which a person was asked
    reviewed: bool = False

    def pause_clock(self) -> None:
        when = None if self.clock is None else self.clock.when()
        if self.clock is not None and when is not None:
            self.left = when - asyncio.get_running_loop().time()
            self.clock.reschedule(None)

    def resume_clock(self) -> None:
        if self.clock is not None and not self.clock.expired():
            self.clock.reschedule(asyncio.get_running_loop().time() + self.left)


@dataclass(slots=True, kw_only=True)
class ToolCallRunner:
    """The tool calls of one run.

    Args:
        tools: by their names.
        executor: the sandbox whose code calls.
        waiter: the calling thread.
        questions: asks a person about calls that need approval, and the questions of tools.
        find: returns the findings in a call's text.
        enter: called with step and number of each call that begins, in the call's own context.
        check: the output checks: returns the arguments, redacted, or why they are refused.
        resolver: resolves the model's own calls, if it makes any.
    """

    tools: Mapping[str, Tool]
    executor: Executor
    waiter: Waiter
    questions: Questions
    find: Callable[[str], tuple[Finding, ...]]
    enter: Callable[[int, int], object]
    check: Callable[[int, str, tuple[Any, ...], dict[str, Any]], Awaitable[Any]]
    resolver: ToolCallResolver | None = None
    _numbers: Counter[int] = field(default_factory=Counter)  # of calls, by step
    _more: dict[str, Called] = field(default_factory=dict)  # by tool: the further calls of a step, as one event

    async def call(self, step: int, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run a tool for the code of a step, and return its result.

        Raises:
            AgentToolCallError: there is no such tool, or the arguments do not fit it.
            ApprovalError: the call was refused.
            TimeoutError: the tool took longer than its limit.
            Exception: any exception of the tool.
        """
        if self.questions.over:
            raise ApprovalError("the run is over")
        tool = self.tools.get(name)
        if tool is None:
            raise AgentToolCallError(f"there is no tool {name!r}; tools are: {', '.join(self.tools) or 'none'}")
        self._numbers[step] += 1
        args, kwargs = tool.with_lists(args, kwargs)
        call = _ActiveCall(step, self._numbers[step], tool, args, kwargs)
        started = time.monotonic()
        if (clock := call_clock.get()) is not None and not clock.expired():
            clock.reschedule(None)  # this class enforces the limit
        try:
            await self._inspect(call)
            await self._review(call)
            result = await self._run_timed(call)
        except _CallRefusedError as refused:
            raise ApprovalError(str(refused)) from None
        except Exception as error:
            self._record_call(call, started, error=f"{type(error).__name__}: {error}")
            raise
        self._record_call(call, started, result=describe.text(result, _MAX_RESULT_CHARS))
        return result

    def begin(self, step: int, count: int) -> None:
        """Reserve the first numbers of a step for calls of the model itself."""
        self._numbers[step] = max(self._numbers[step], count)

    async def direct(self, permit: Allowed) -> Observed:
        """Run an allowed call that the model made. An error is in the result."""
        assert self.resolver is not None  # noqa: S101 - an agent that calls tools has it
        spend(permit)
        started, waited = time.monotonic(), 0.0
        observed = Observed(run=permit.run, step=permit.step, call=permit.call)
        try:
            tool, args, kwargs = self.resolver.read(permit)
            check_allowed(tool, args, kwargs)  # as they were proposed, before an output check changes them
            call = _ActiveCall(permit.step, permit.call, tool, args, kwargs)
            await self._inspect(call)
            result = await self._run_timed(call)
            waited = call.waited
            text = "" if result is None else describe.answer(result, _MAX_DIRECT_RESULT_CHARS)
            observed = replace(observed, result=text, output=result, is_final_answer=tool.name == FINAL)
        except Exception as error:
            message = presentable(str(error))
            fault = Fault(kind="python", type=type(error).__name__, message=describe.clip(message, _MAX_ERROR_CHARS))
            observed = replace(observed, error=fault)
        return replace(observed, duration=max(0.0, time.monotonic() - started - waited))

    def close_step(self) -> None:
        """Record the further calls of the step: one event per tool."""
        more, self._more = self._more, {}
        for called in more.values():
            self.questions.record(called)

    # --- review ---------------------------------------------------------------------------------------------------------

    async def _inspect(self, call: _ActiveCall) -> None:
        """Check the arguments, and apply the output checks to them."""
        call.tool.check(call.args, call.kwargs)
        began = time.monotonic()
        try:
            arguments = await self.check(call.step, call.tool.name, call.args, call.kwargs)
        except RunEndedError as stop:
            run = self.questions.record.asked.run
            place: dict[str, Any] = {"run": run, "step": call.step, "call": call.number}
            self.questions.end(Refused(**place, reason=stop.reason, by="person", then=stop.state))
            raise _CallRefusedError(stop.reason) from None
        call.waited += time.monotonic() - began
        if isinstance(arguments, str):
            raise _CallRefusedError(arguments)
        call.args, call.kwargs = arguments

    async def _review(self, call: _ActiveCall) -> None:
        """Wait for the approval of a call, if it needs one. An edit changes its arguments."""
        began = time.monotonic()
        lock = required_approval(call.tool, call.args, call.kwargs)
        reason = await self._approval_reason(call) if lock is None else _policy_reason(lock)
        if reason is None:
            return
        text, held = write_call(call.tool, call.args, call.kwargs)
        proposed = Proposed(
            run=self.questions.record.asked.run,
            step=call.step,
            call=call.number,
            kind="call",
            text=text,
            thought=reason,
            findings=self.find(text),
            needs="" if lock is None else lock.value,
            why="" if lock is None else reason,
        )
        async with self.questions.turn:
            decision = await self._decide(proposed)
        call.reviewed = True
        if spend(decision) != text:
            call.args, call.kwargs = read_call(decision.text, call.tool, held)
            call.tool.check(call.args, call.kwargs)
        call.waited += time.monotonic() - began

    async def _approval_reason(self, call: _ActiveCall) -> str | None:
        """Return why the tool asks a person about this call; None if it does not."""
        approve = call.tool.approve
        if callable(approve):
            try:
                work = partial(approve, *call.args, **call.kwargs)
                answer = await run_on_calling_thread(self.waiter, work, self._limit(call.tool))
                approve = await answer if inspect.isawaitable(answer) else answer
            except Exception as error:  # its approve= function failed: a person decides
                approve = f"its approve=… failed ({type(error).__name__}: {error})"
        if not approve:
            return None
        return approve if isinstance(approve, str) else "This tool asks before each call."

    async def _decide(self, proposed: Proposed) -> Allowed:
        """Return the gate's permit. A refusal is raised; one that is not a person's comment to the model ends the run."""
        if self.questions.ending is not None:
            raise _CallRefusedError("the run is over")
        record = self.questions.record
        decision = record(await self.questions.decide(record(proposed)))
        record.phase = "running"
        if isinstance(decision, Allowed):
            return decision
        self.questions.end(decision)
        who = "The person" if decision.by == "person" else decision.by.capitalize()
        raise _CallRefusedError(f"{who} refused the call{': ' if decision.reason else ''}{decision.reason}")

    async def _question(self, call: _ActiveCall, question: str) -> str:
        """Ask the person a tool's question. Time limits are paused meanwhile."""
        began = time.monotonic()
        call.pause_clock()
        try:
            async with self.questions.turn:
                if self.questions.ending is not None:
                    raise _CallRefusedError("the run is over")
                call.reviewed = True
                answer = await self.questions.of_tool(call.step, call.number, question)
        finally:
            call.waited += time.monotonic() - began
            call.resume_clock()
        if isinstance(answer, Refused):
            raise _CallRefusedError(f"The question was not answered: {answer.reason}")
        return answer

    # --- run ------------------------------------------------------------------------------------------------------------

    def _limit(self, tool: Tool) -> float:
        """Return the seconds that a call of the tool may take, and also may wait for the calling thread."""
        return completed(self.executor).tool_timeout if tool.timeout is None else tool.timeout

    async def _run_timed(self, call: _ActiveCall) -> Any:
        """Run the tool, unless the policy forbids it, within its time limit, which this class enforces instead of the executor."""
        check_allowed(call.tool, call.args, call.kwargs)
        tool, limit = call.tool, self._limit(call.tool)
        if not tool.is_initialized:
            await run_on_calling_thread(self.waiter, tool.begin, limit)
        person.set(partial(self._question, call))
        self.enter(call.step, call.number)
        if call.number <= _MAX_RECORDED_CALLS:  # a tool may occupy the calling thread, which then shows nothing
            self.questions.record.say(call.step, f"calling {tool.name}")
        async with call_limit(tool.name, limit) as call.clock:
            return await self._run_to_end(call)

    async def _run_to_end(self, call: _ActiveCall) -> Any:
        """Return the tool's result. A ``BaseException`` becomes an ``Exception``, which the code can see."""
        tool = call.tool
        try:
            if tool.is_async:
                return await tool.aforward(*call.args, **call.kwargs)
            work = partial(tool, *call.args, **call.kwargs)
            if tool.concurrent:
                return await run_in_thread(work)
            call.pause_clock()
            return await run_on_calling_thread(self.waiter, work, self._limit(tool), call.resume_clock)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            raise AgentToolExecutionError(f"the tool {tool.name!r} cancelled itself") from None
        except (SystemExit, KeyboardInterrupt) as error:
            if isinstance(error, KeyboardInterrupt) and not (tool.is_async or tool.concurrent):
                await asyncio.sleep(_INTERRUPTED_END_SECONDS)
            tried = "exit" if isinstance(error, SystemExit) else "interrupt"
            raise AgentToolExecutionError(f"the tool {tool.name!r} tried to {tried}") from error

    # --- record ---------------------------------------------------------------------------------------------------------

    def _record_call(self, call: _ActiveCall, started: float, *, result: str = "", error: str = "") -> None:
        record = self.questions.record
        duration = max(0.0, time.monotonic() - started - call.waited)
        error = describe.clip(presentable(error), _MAX_ERROR_CHARS)
        place: dict[str, Any] = {"run": record.asked.run, "step": call.step, "call": call.number}
        if call.reviewed:
            kind, _, message = error.partition(": ")
            fault = Fault(kind="python", type=kind, message=message) if error else None
            record(Observed(**place, result=result, error=fault, duration=duration))
            return
        text, name = _call_text(call), call.tool.name
        called = Called(**place, name=name, text=text, result=result, error=error, duration=duration)
        before = self._more.get(name)
        if call.number <= _MAX_RECORDED_CALLS:
            record(called)
        elif before is None:
            self._more[name] = called
        else:
            self._more[name] = replace(
                before, times=before.times + 1, duration=before.duration + duration, error=error or before.error
            )


def required_approval(tool: Tool, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Lock | None:
    """Return the policy's requirement for the approval of a call."""
    return current().tool_approval(tool.name, named_arguments(tool, args, kwargs))


def check_allowed(tool: Tool, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    """Raise if the policy forbids a call.

    Raises:
        ApprovalError: it is forbidden, even if a person approved it.
    """
    lock = required_approval(tool, args, kwargs)
    if lock is not None and lock.value == "deny":
        raise ApprovalError(_policy_reason(lock))


def _policy_reason(lock: Lock) -> str:
    return (
        f"This call is not allowed: {lock}."
        if lock.value == "deny"
        else f"You are asked before each such call: {lock}."
    )


class _CallRefusedError(Exception):
    """Raised when a call was not allowed; the message is for the model."""


def _call_text(call: _ActiveCall) -> str:
    """Return the call as a text, even if it does not fit the tool."""
    try:
        return describe.clip(brief_call(call.tool, call.args, call.kwargs), _MAX_TEXT_CHARS)
    except Exception:
        given = [*(repr(arg) for arg in call.args), *(f"{name}={value!r}" for name, value in call.kwargs.items())]
        return describe.clip(visible(f"{call.tool.name}({', '.join(given)})"), _MAX_TEXT_CHARS)


def without_calls_of_code(history: History) -> History:
    """Return a history without the calls that code made: their results are in the observations of their steps."""
    code = {(e.run, e.step) for e in history if isinstance(e, Allowed) and e.kind == "code" and not e.call}
    of_calls = (Proposed, Allowed, Refused, Observed)
    return tuple(
        event
        for event in history
        if not isinstance(event, Called)
        and call_of(event) < FIRST_OUTPUT
        and not (isinstance(event, of_calls) and event.call and (event.run, event.step) in code)
    )


# --- Calls that a model makes: resolved against the tools, validated, and written as Python for the person.
#
# Nothing runs here. The call is parsed again from the permit's text, which a person may have edited.


FINAL_SCHEMA: Mapping[str, Any] = {
    "type": "function",
    "function": {
        "name": FINAL,
        "description": "Ends the task with its answer.",
        "parameters": {
            "type": "object",
            "properties": {"answer": {"description": "the answer to the task, of any type"}},
            "required": ["answer"],
        },
    },
}
FINAL_WORDS = (
    f"{FINAL}: Ends the task with its answer.\n    Takes inputs: {{'answer': {{'type': 'any'}}}}\n    Returns: any"
)


class ToolCallResolver:
    """Resolves the model's tool calls of one run.

    Args:
        tools: by their names.
        variables: values that an argument may refer to by name.
    """

    def __init__(self, tools: Mapping[str, Tool], variables: Mapping[str, Any]) -> None:
        self._tools, self._variables = tools, variables
        self._held: dict[tuple[int, int], tuple[Tool, dict[str, Any]]] = {}

    def __call__(self, call: Call, step: int, number: int) -> ParsedCall:
        """Return a model's call as a proposal, an answer, or an error."""
        tool = self._tools.get(call.name)
        try:
            if tool is not None:
                return self._propose(tool, call, step, number)
            if call.name == FINAL:
                return ParsedCall(answer=(self._resolve_variable(_answer_of(call)),))
        except (AgentToolCallError, ValueError) as error:
            return ParsedCall(error=str(error))
        names = ", ".join(dict.fromkeys([*self._tools, FINAL]))
        return ParsedCall(error=f"there is no tool {describe.shorten(call.name, 100)!r}; tools are: {names}")

    def read(self, permit: Allowed) -> tuple[Tool, tuple[Any, ...], dict[str, Any]]:
        """Return the tool and the arguments of an allowed call.

        Raises:
            AgentToolCallError: the edited text is no call of this tool.
        """
        tool, held = self._held.pop((permit.step, permit.call))
        return tool, *read_call(permit.text, tool, held)

    def as_policy_needs(self, proposed: Proposed) -> Proposed:
        """Return a proposed call with the approval that the policy requires."""
        tool, held = self._held.get((proposed.step, proposed.call), (None, {}))
        if tool is None or proposed.needs:
            return proposed
        lock = required_approval(tool, *read_call(proposed.text, tool, held))
        return proposed if lock is None else replace(proposed, needs=lock.value, why=_policy_reason(lock))

    def _propose(self, tool: Tool, call: Call, step: int, number: int) -> ParsedCall:
        given = _arguments_of(tool, call)
        if isinstance(tool, PythonInterpreterTool):  # its argument is a program, never the name of a variable
            tool.check((), given)
            return ParsedCall(kind="code", text=given["code"])
        given = {name: self._resolve_variable(value) for name, value in given.items()}
        tool.check((), given)
        text, held = write_call(tool, (), given)
        self._held[step, number] = tool, held
        return ParsedCall(text=text)

    def _resolve_variable(self, value: Any) -> Any:
        return self._variables.get(value, value) if isinstance(value, str) else value


def _arguments_of(tool: Tool, call: Call) -> dict[str, Any]:
    """Return the arguments of a call; a tool with one input may be given its bare value."""
    try:
        return arguments(call)
    except ValueError:
        if len(tool.inputs) != 1 or call.arguments.lstrip().startswith(("{", "[")):
            raise
        return {next(iter(tool.inputs)): _parse_value(call.arguments)}


def _answer_of(call: Call) -> Any:
    given = _parse_value(call.arguments)
    if not isinstance(given, dict):
        return given
    for name in ("answer", FINAL):
        if name in given:
            return given[name]
    return next(iter(given.values())) if len(given) == 1 else given


def _parse_value(text: str) -> Any:
    """Return the parsed JSON of a text; the text itself if it is no JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
