"""The loop of an agent in a sandbox, for the driver. Checks every message from the sandbox.

* The sandbox only proposes a text. The host makes the proposal that a person sees, with its own findings.
* It can only request to run what was just allowed; the host runs it with a permit that never enters the sandbox.
* Its limits on steps and requests to the model are enforced; steps are numbered consecutively.
* Its messages concern this run only: no tool calls, budgets, questions or other kinds of events.
* Its process may end and is restarted: the loop is pure, so replaying the responses restores its state.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, get_args

from smolcell import events
from smolcell.core.findings import REPEAT
from smolcell.core.history import steps_before
from smolcell.core.loop import (
    CUT_OFF,
    AskModel,
    CheckAnswer,
    Ending,
    LoopSettings,
    Request,
    Response,
    Review,
    RunCode,
    Tell,
    find_in_program,
)
from smolcell.core.text import visible
from smolcell.errors import AgentGenerationError, CapabilityError, SandboxDiedError, SandboxError, WireError
from smolcell.events import (
    Allowed,
    Answered,
    Asked,
    Event,
    History,
    Observed,
    Proposed,
    Replied,
    State,
    Trimmed,
    Unparsed,
    step_of,
)
from smolcell.executors.base import WorkerExecutor
from smolcell.inside import encoding, packaging
from smolcell.protocols import Executor, Message
from smolcell.worker.supervisor.child import CANNOT, GONE
from smolcell.worker.wire import frames, values

# --- Questions to the agent's own process in a sandbox, which the worker starts beside the code's process.
#
# * Every question ends: with its answer, with the process, or with its time limit. Only the asking thread is blocked.
# * Answers are blobs of a bounded frame, and hostile data.


EXTRA_SECONDS = 5.0  # seconds added to the worker's own limit
LOADING_SECONDS = 60.0  # seconds to send and start the program


class AgentGoneError(SandboxDiedError):
    """The agent's process has ended; it can be restarted."""


def agent_host_of(executor: Executor) -> WorkerExecutor:
    """Return the executor if its sandbox can hold an agent.

    Raises:
        CapabilityError: it cannot.
    """
    if isinstance(executor, WorkerExecutor):
        return executor
    raise CapabilityError(
        f"the sandbox {executor.name!r} cannot hold an agent; use one that can: run_inside('docker', …)"
    )


def ask(
    executor: WorkerExecutor, question: Sequence[frames.Blob], seconds: float, *, load: bool = False
) -> tuple[frames.Buffer, ...]:
    """Return the agent's answer, within so many seconds. An empty question ends its process.

    Args:
        load: start the process, with an archive of the program and its spec as the question; an earlier one is ended.

    Raises:
        AgentGoneError: its process has ended, took too long, or was never started.
        SandboxError: it failed; the message is that of the agent.
    """
    try:
        answer = executor.worker.ask(
            lambda line, number: line.send("agent", question, id=number, timeout=seconds, load=load),
            seconds + EXTRA_SECONDS,
        )
    except SandboxDiedError as error:
        raise AgentGoneError(str(error)) from None
    except SandboxError as error:
        if str(error) == CANNOT:
            raise CapabilityError(CANNOT) from None
        raise (AgentGoneError if str(error).startswith(GONE) else type(error))(str(error)) from None
    return answer.blobs


# --- The host's connection to one agent in a sandbox: started on first use, restarted after its end, one request at a time.


MAX_ANSWER_BYTES = 64 << 20  # bytes of JSON that an answer may hold: a conversation with images


class AgentConnection:
    """Asks the agent's process of one sandbox. Usable from any thread and event loop.

    Args:
        executor: the sandbox.
        network: send the model's client, too.
        spec: see ``program.Program``; with ``environment``, the variables of the process.

    Attributes:
        epoch: number of processes started so far. A restarted process has no state.
    """

    def __init__(self, executor: WorkerExecutor, spec: Mapping[str, Any], *, network: bool) -> None:
        self.executor = executor
        self._spec, self._network = spec, network
        self._turn = threading.RLock()
        self._place: object = None  # the connection over which it was started
        self.epoch = 0

    async def ask(self, question: Mapping[str, Any], blobs: Sequence[frames.Blob], seconds: float, epoch: int) -> Any:
        """Return the answer's JSON and its blobs.

        Args:
            epoch: number of the process to ask; 0 for any, which starts one if there is none.

        Raises:
            AgentGoneError: that process has ended.
            SandboxError: it failed, or its answer is invalid.
        """
        await self.executor.open()
        try:
            return await asyncio.to_thread(self._ask, [frames.dumps(dict(question)), *blobs], seconds, epoch)
        except asyncio.CancelledError:
            self.end()
            raise

    def _ask(self, blobs: Sequence[frames.Blob], seconds: float, epoch: int) -> Any:
        with self._turn:
            if not epoch and (not self.epoch or self._place is not self.executor.worker.connection):
                self._begin()
            if epoch and (epoch != self.epoch or self._place is not self.executor.worker.connection):
                raise AgentGoneError("the agent's process was restarted")
            try:
                answer = ask(self.executor, blobs, seconds)
            except AgentGoneError:
                if epoch:
                    raise
                self._begin()
                answer = ask(self.executor, blobs, seconds)
        if not answer:
            return None, ()
        if len(answer[0]) > MAX_ANSWER_BYTES:
            raise WireError(f"the agent in the sandbox says more than {MAX_ANSWER_BYTES:,} bytes at once")
        return values.read_json(answer[0]), answer[1:]

    async def begin(self) -> int:
        """Start the process again. Returns its epoch."""
        await self.executor.open()
        return await asyncio.to_thread(self._begin)

    def _begin(self) -> int:
        with self._turn:
            self._place = self.executor.worker.connection
            spec = {**self._spec, "arrow": bool(self.executor.capabilities.get("arrow"))}
            ask(self.executor, (packaging.archive(self._network), frames.dumps(spec)), LOADING_SECONDS, load=True)
            self.epoch += 1
            return self.epoch

    def end(self) -> None:
        """End the process, and with it the open request. Does not wait. Idempotent."""
        if self._place is not None and self._place is self.executor.worker.connection:
            threading.Thread(target=self._end, daemon=True).start()

    def _end(self) -> None:
        with suppress(SandboxError):  # the process ends with its sandbox
            ask(self.executor, (), 1.0)


REQUEST_SECONDS = 60.0  # for the loop's next request
MAX_RESTARTS = 5  # restarts in a row
_MAX_MODEL_REQUESTS = 4  # requests to the model for one reply: without a schema, and with a shorter conversation
_MAX_EVENTS_PER_REPLY = 12  # requests after one reply of the model
_MAX_REFUSED_PLANS = 3
_STATES = frozenset(get_args(State))


class InsideTurns:
    """See ``core.loop.Turns``.

    Args:
        line: the connection to the agent's process.
        asked, past, settings: as for ``loop.steps``.
    """

    def __init__(self, line: AgentConnection, asked: Asked, past: History, settings: LoopSettings) -> None:
        self._line, self._asked, self._past, self._settings = line, asked, past, settings
        self._responses: list[dict[str, Any]] = []
        self._epoch = 0
        self._step = steps_before(asked, past)
        self._proposed: Proposed | None = None
        self._permit: Allowed | None = None
        self._answer: tuple[Any, ...] = ()  # the code's, or one in words that is being checked
        self._programs = self._thoughts = self._wants = 0
        self._is_last = False  # whether the last program was asked for, at the step limit
        plans = (
            -(-settings.max_steps // settings.planning_interval) * _MAX_REFUSED_PLANS
            if settings.planning_interval
            else 0
        )
        self._replies = settings.max_steps + plans + 1

    async def next(self, response: Response | AgentGenerationError) -> Request | Ending:
        """Return the sandbox's request, checked.

        Raises:
            AgentGenerationError: the loop got it as a response, and does not handle it.
            WireError: the request is not allowed.
            SandboxError: it failed.
        """
        self._permit = response if isinstance(response, Allowed) and response.kind == "code" else None
        if isinstance(response, Observed):
            self._answer = (response.output,) if response.answered else ()
        window = encoding.encode_window(self._settings.prompt.window())
        self._responses.append({"do": "next", "response": encoding.encode_response(response), "window": window})
        request = await self._next_request()
        self._wants += 1
        if self._wants > _MAX_EVENTS_PER_REPLY * (self._thoughts + 2):
            raise _wrong("it goes on without an end")
        try:
            return self._check(request)
        except (LookupError, TypeError, ValueError) as error:
            raise _wrong(f"it is malformed ({type(error).__name__})") from None

    async def _next_request(self) -> Any:
        for _ in range(MAX_RESTARTS):
            try:
                if not self._epoch:
                    self._epoch = await self._line.begin()
                    await self._send(self._beginning())
                    for earlier in self._responses[:-1]:
                        await self._send(earlier)
                return await self._send(self._responses[-1])
            except AgentGoneError as error:
                self._epoch, why = 0, error
        raise why

    async def _send(self, question: Mapping[str, Any]) -> Any:
        answer, _ = await self._line.ask(question, (), REQUEST_SECONDS, self._epoch)
        return answer

    def _beginning(self) -> dict[str, Any]:
        return {
            "do": "begin",
            "asked": events.to_json(self._asked),
            "past": [encoding.encode_event(event) for event in self._past],
            "settings": encoding.settings(self._settings),
        }

    # --- checks of requests ----------------------------------------------------------------------------------------------

    def _check(self, request: Any) -> Request | Ending:
        kind = request["want"]
        if kind == "fail":
            raise encoding.FAILURES[request["failed"]](visible(str(request["message"])))
        if kind == "end":
            return self._ending(request)
        if kind == "tell":
            return Tell(self._event(request["event"]))
        step = self._check_step(request["step"])
        if kind == "think":
            return self._ask_model(step, request)
        if kind == "review":
            if self._proposed is None or self._proposed.step != step:
                raise _wrong("it asks for approval of a text that it did not propose")
            proposed, self._proposed = self._proposed, None
            return Review(proposed)
        if kind == "run":
            if self._permit is None or self._permit.step != step:
                raise _wrong("it wants to run a text that was not allowed")
            return RunCode(self._permit)
        if kind == "check":
            self._answer = (request["output"],)
            return CheckAnswer(step, request["output"])
        raise _wrong("it is none of the known ones")

    def _check_step(self, step: Any) -> int:
        if type(step) is not int or not self._step <= step <= self._step + 1:
            raise _wrong("its steps are not numbered one by one")
        self._step = step
        return step

    def _ask_model(self, step: int, request: Mapping[str, Any]) -> AskModel:
        self._thoughts += 1
        if self._thoughts > self._replies * _MAX_MODEL_REQUESTS:
            raise _wrong("it asks the model more often than its steps allow")
        structured = self._settings.prompt.structured and request["structured"] is True
        given = [message(each) for each in request["messages"]]
        self._is_last = self._is_last or request.get("last") is True
        return AskModel(step, given, structured, warmer=request.get("warmer") is True, last=self._is_last)

    def _event(self, data: Any) -> Event:
        event = events.from_json(data)
        if event.run not in self._runs(event):
            raise _wrong("it names another run")
        step = self._check_step(step_of(event))
        if isinstance(event, Proposed):
            return self._propose(event, step)
        if isinstance(event, Answered):
            (output,) = self._answer or (visible(event.text),)
            text, is_text = self._settings.describe(output), isinstance(output, str)
            return Answered(run=self._asked.run, step=step, text=text, is_text=is_text, output=output)
        if isinstance(event, Trimmed | Unparsed):
            return event
        if isinstance(event, Replied) and event.text == CUT_OFF:
            return Replied(run=self._asked.run, step=step, text=CUT_OFF)
        raise _wrong(f"it reports an event that only the host may report ({type(event).__name__})")

    def _runs(self, event: Event) -> set[str]:
        """Return the runs that an event may name: this one; a ``Trimmed`` event may name earlier ones."""
        earlier = {past.run for past in self._past} if isinstance(event, Trimmed) else set()
        return {self._asked.run, *earlier}

    def _propose(self, event: Proposed, step: int) -> Proposed:
        if event.kind not in ("code", "plan") or event.call:
            raise _wrong(f"it may propose programs and plans, and this is a {event.kind}")
        self._programs += event.kind == "code"
        if self._programs > self._settings.max_steps + self._is_last:
            raise _wrong(f"it proposes more than {self._settings.max_steps} programs")
        given = {variable.name for variable in self._asked.variables}
        repeats = any(finding.kind == REPEAT.kind for finding in event.findings)
        is_code = event.kind == "code"
        findings = find_in_program(self._settings, event.text, given, repeats=repeats) if is_code else ()
        self._proposed = Proposed(
            run=self._asked.run, step=step, text=event.text, kind=event.kind, thought=event.thought, findings=findings
        )
        return self._proposed

    def _ending(self, request: Mapping[str, Any]) -> Ending:
        if request["state"] not in _STATES:
            raise _wrong("it ends in an unknown state")
        given = None if request["output"] is None else visible(str(request["output"]))
        output = self._answer[0] if request["state"] == "success" and self._answer else given
        return Ending(request["state"], output, visible(str(request["reason"])), self._step)


def message(each: Any) -> Message:
    """Return a message that may be sent to a model: texts, and images as data.

    Raises:
        ValueError: it has another form.
    """
    role, content = each["role"], each["content"]
    if (
        each.keys() != {"role", "content"}
        or role not in ("system", "user", "assistant")
        or type(content) not in (str, list)
    ):
        raise ValueError("no message")
    return Message(role, content if type(content) is str else [_part(part) for part in content])


def _part(part: Any) -> dict[str, Any]:
    """Return a part of a message, with known keys only: providers know more kinds of parts, and more keys."""
    if part["type"] == "text" and type(part["text"]) is str:
        return {"type": "text", "text": part["text"]}
    url = part["image_url"]["url"]
    if part["type"] != "image_url" or not (type(url) is str and url.startswith("data:image/")):
        raise ValueError("a part that is neither text nor an image")  # the provider would fetch a URL
    return {"type": "image_url", "image_url": {"url": url}}


def _wrong(why: str) -> WireError:
    return WireError(f"the agent in the sandbox made a request that is not allowed, and the run was ended: {why}")
