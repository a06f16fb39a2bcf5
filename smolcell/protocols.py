"""The four shapes an extension implements, on one page. None of them needs a base class.

::

    Model     .reply(messages, tools=()) -> AsyncIterator[Delta | Replied]      Replied comes last
    Gate      async (Proposed) -> Allowed | Refused
    Executor  async open, run(permit, on_output, call_tool) -> Observed;  interrupt;
              send_variables, send_tools, boundary;  close (sync, repeatable)
    View      show(event), which never blocks;  async ask(Proposed) -> Answer
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

from smolcell.events import Allowed, Boundary, Connected, Delta, Event, Observed, Piece, Proposed, Refused, Replied
from smolcell.waiter import Waiter

# --- The message a model is shown: the OpenAI wire shape, with attributes.


Role = Literal["system", "user", "assistant", "tool"]


class Message(dict[str, Any]):
    """One chat message: ``{"role": …, "content": …}``, so it goes over the wire as it is; also readable as attributes.

    Args:
        role: who speaks.
        content: the text, or a list of parts (``{"type": "text", …}``, ``{"type": "image_url", …}``).
    """

    def __init__(self, role: Role, content: str | list[dict[str, Any]], **more: Any) -> None:
        super().__init__(role=role, content=content, **more)

    @property
    def role(self) -> str:
        return str(self["role"])

    @property
    def content(self) -> str | list[dict[str, Any]]:
        content: str | list[dict[str, Any]] = self["content"]
        return content

    @property
    def text(self) -> str:
        """The content's text parts, joined."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(str(part.get("text", "")) for part in self.content if part.get("type") == "text")


OnOutput = Callable[[Delta], None]
"""Told each piece of output as it is printed. Never blocks, never raises."""


class CallClock(Protocol):
    """The limit on one call of a tool; ``asyncio.Timeout`` is one."""

    def reschedule(self, when: float | None) -> None:
        """Let it end at another time of the event loop; None: never."""
        ...

    def expired(self) -> bool: ...


call_clock: ContextVar[CallClock | None] = ContextVar("smolcell.call_clock", default=None)
"""The limit on the tool call under way; a caller that keeps its own limit, or asks a person first, takes the executor's off."""

person: ContextVar[Callable[[str], Awaitable[str]] | None] = ContextVar("smolcell.person", default=None)
"""For a tool under way: asks the person a question and gives their answer; raises if they do not. None outside of a run."""

CallTool = Callable[[str, tuple[Any, ...], dict[str, Any]], Awaitable[Any]]
"""Runs a tool of the host for code in the sandbox: name, positional and keyword arguments."""


@runtime_checkable
class Model(Protocol):
    """Something that answers a conversation.

    Optional attributes say what it can do; a missing one counts as False: ``takes_images``, the images that a step
    makes are shown to it; ``takes_tools``, ``Replied.calls`` are calls of the tools it was offered; ``takes_response_format``,
    ``reply(..., response_format=…)`` holds the reply to a schema.
    """

    name: str

    def reply(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> AsyncIterator[Delta | Replied]:
        """Stream a reply: any number of ``Delta`` (any channel but "output"), then one ``Replied``.

        ``tools`` are JSON schemas, as OpenAI's protocol has them; empty unless the model ``takes_tools``.

        A stream that breaks off raises ``AgentGenerationError`` and yields no ``Replied``: half a reply is never parsed. A model that
        asks again by itself yields a "discarded" delta before the pieces of the next reply.
        """
        ...


Gate = Callable[[Proposed], Awaitable[Allowed | Refused]]
"""Decides about a proposal. ``Allowed`` comes from ``smolcell.permit.permit``; silence is ``Refused``."""


@runtime_checkable
class Executor(Protocol):
    """One sandbox. Belongs to one session; runs one step at a time (else ``SandboxBusyError``)."""

    name: str

    async def open(self) -> None:
        """Start the sandbox; harmless when it is open."""
        ...

    async def run(self, permit: Allowed, on_output: OnOutput, call_tool: CallTool) -> Observed:
        """Run exactly the permitted text. The code's own failures are in ``Observed.error``, never raised."""
        ...

    def interrupt(self) -> None:
        """End the open step within a second (two inside a C call); from any thread; harmless when idle."""
        ...

    def send_variables(self, variables: Mapping[str, Any]) -> None:
        """Copy values into the sandbox's namespace under these names; at the next step at the latest."""
        ...

    def send_tools(self, tools: Mapping[str, Any]) -> None:
        """Make these names callable in the sandbox; each call comes back to the host through ``call_tool``."""
        ...

    def boundary(self) -> Boundary:
        """Which walls really stand, as found at run time."""
        ...

    def close(self) -> None:
        """End the sandbox and free what it holds, within two seconds; idempotent; from any thread."""
        ...


CAPABILITIES: Mapping[str, str] = {
    "threads": "code may start threads; where it may not, starting one raises CapabilityError in the code",
    "memory limit": "``memory=`` bounds what code may allocate; where it does not, making or opening it so raises CapabilityError",
    "local process": "the sandbox is processes of this machine, which this machine can list",
}
"""Declares abilities that an executor lacks: ``executor.capabilities["threads"] = False``, known once it is open.

Everything else is promised: an executor without ``capabilities`` must keep every promise. For an ability declared missing
there is a named error, and ``smolcell.testing.check_executor`` asserts that error. Other keys are for information
(``"python"``: the version that runs the code; ``"arrow"``: tables may travel as Arrow).
"""

on_opening: ContextVar[Callable[[str], None] | None] = ContextVar("smolcell.on_opening", default=None)
"""Receives the progress of the opening of a sandbox, within the context of ``Executor.open`` (its task and ``asyncio.to_thread``)."""

opened_for: ContextVar[str] = ContextVar("smolcell.opened_for", default="")
"""The run that a sandbox is opened for, within the context of ``Executor.open``; "" if there is none."""


def tell_opening(text: str) -> None:
    """Say how far the opening of a sandbox is ("pulling python:3.13-slim: 43 %"); the person who waits for it sees the newest.

    For executors that take long to open. Any thread that has the context of ``open``; never blocks, never raises.
    """
    if tell := on_opening.get():
        tell(text)


class Context(Protocol):
    """The context that the model may get with a task."""

    def question(self, run: str) -> Proposed | None:
        """The question to a person before it is sent; None if there is none."""
        ...

    def chosen(self, decision: Allowed | Refused | None) -> tuple[Piece, ...]:
        """The context after this decision; None: no person was asked."""
        ...


FILES, NETWORK = "files", "network"
"""The names of the two walls that "isolated" means: ``Wall(name=FILES, stands=…)`` keeps code from files of the host outside
its work folder, ``Wall(name=NETWORK, …)`` from connections, to this machine's own services too. A boundary names both,
whether they stand or not, as found at run time.
"""

Choice = Literal["approve", "edit", "refuse", "stop", "approve_run", "approve_kind", "nobody"]


MAX_NAME = 120
"""Characters of the name of a person who answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A person's answer to exactly one proposal. ``run``, ``step`` and ``fingerprint`` identify the text that was shown."""

    run: str
    step: int
    fingerprint: str
    choice: Choice
    text: str | None = None  # the edited text, with "edit"
    comment: str = ""
    offer: str = ""  # the id of one of the proposal's offers, with the offer's own choice
    who: str = ""  # the person's name, as the view knows it; "": the user of the operating system

    def is_for(self, proposed: Proposed) -> bool:
        """Whether it answers exactly this proposal: the text that is to run is the text that was shown."""
        return (self.run, self.step, self.fingerprint) == (proposed.run, proposed.step, proposed.fingerprint)


class View(Protocol):
    """Shows events and asks the person."""

    def show(self, event: Event | Delta) -> None:
        """Take an event; from the driver's thread; never blocks; a failure here never breaks a run."""
        ...

    async def ask(self, proposal: Proposed) -> Answer:
        """Wait for a person's answer. ``choice="nobody"`` if there is no person to ask."""
        ...


class BaseView:
    """The optional parts of a view. By default they do nothing."""

    def prepare(self, run: str, task: str = "") -> None:
        """Show that a run begins. Called on the cell's own thread, before the first event."""

    def close(self) -> None:
        """End all cards: a proposal that still waits is answered ``nobody``. Idempotent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontEnd:
    """The current front end's parts for an agent: the view, the gate and the waiter.

    Args:
        view: shows events and asks the person.
        gate: decides.
        waiter: keeps the calling thread.
        approve: the approval mode that ``gate`` holds, for the record; "" if it is none of the modes.
        mode: the mode in force for agents that bring no gate, read at each run; their gate is made of it.
        secret: asks the person a question whose answer is not shown while it is typed, on the calling thread; None if no person
            is there. The answer is kept in memory only.
    """

    view: View
    gate: Gate
    waiter: Waiter
    approve: str = ""
    mode: Callable[[], str] | None = None
    secret: Callable[[str], str | None] | None = None


class Reach(Protocol):
    """Who decides about hosts that the code of a step wants to connect to, and is told what became of it; on the step's event loop."""

    async def ask(self, host: str, port: int) -> str:
        """Why the code may not connect to a host that is on no list; "" if it may."""
        ...

    def connected(self, event: Connected) -> None:
        """A connection is over, or was refused."""
        ...


reach: ContextVar[Reach | None] = ContextVar("smolcell.reach", default=None)
"""Of the step that is run in this context; without one, hosts that are on no list are refused."""

trace_headers: ContextVar[Mapping[str, str]] = ContextVar("smolcell.trace_headers", default={})  # noqa: B039 - never changed
"""Headers that the requests of a run carry, to models and MCP servers: W3C ``traceparent``; empty if telemetry is off."""

front_end: ContextVar[FrontEnd | None] = ContextVar("smolcell.front_end", default=None)
"""Overrides the registered front end within one context (a thread, a task)."""

_registered: list[FrontEnd] = []


def register_front_end(front: FrontEnd) -> Callable[[], None]:
    """Make ``front`` the process's front end (``%load_ext`` and the command line do); returns what undoes it.

    A plain list beside the context variable, because ipykernel 7 runs every cell in a context of its own.
    """
    _registered.append(front)

    def undo() -> None:
        if front in _registered:
            _registered.remove(front)

    return undo


def current_front_end() -> FrontEnd | None:
    """The front end that ``CodeAgent`` uses: the context's, else the newest registered one, else None."""
    return front_end.get() or (_registered[-1] if _registered else None)
