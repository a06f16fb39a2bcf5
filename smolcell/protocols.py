"""The four interfaces that extensions implement, on one page. None of them needs a base class.

::

    Model     .reply(messages, tools=()) -> AsyncIterator[Delta | Replied]      Replied comes last
    Gate      async (Proposed) -> Allowed | Refused
    Executor  async open, run(permit, on_output, call_tool) -> Observed;  interrupt;
              send_variables, send_tools, boundary;  close (sync, idempotent)
    View      show(event), which never blocks;  async ask(Proposed) -> Answer
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar, runtime_checkable

from smolcell.events import Allowed, Boundary, Connected, Delta, Event, Observed, Piece, Proposed, Refused, Replied

T = TypeVar("T")

# --- The messages of a model: in the form of OpenAI's API, with attributes.


Role = Literal["system", "user", "assistant", "tool"]


class Message(dict[str, Any]):
    """A chat message: ``{"role": …, "content": …}``, as it is sent; also readable as attributes.

    Args:
        role: the speaker.
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
"""Called with each piece of output as it is printed. Never blocks, never raises."""


class CallClock(Protocol):
    """The time limit of one tool call; ``asyncio.Timeout`` is one."""

    def reschedule(self, when: float | None) -> None:
        """Set the end to another time of the event loop; None: never."""
        ...

    def expired(self) -> bool: ...


call_clock: ContextVar[CallClock | None] = ContextVar("smolcell.call_clock", default=None)
"""The time limit of the current tool call. A caller with its own limit, or that asks a person first, disables it."""

person: ContextVar[Callable[[str], Awaitable[str]] | None] = ContextVar("smolcell.person", default=None)
"""For the current tool call: asks the person a question and returns the answer; raises if there is none. None outside of a run."""

CallTool = Callable[[str, tuple[Any, ...], dict[str, Any]], Awaitable[Any]]
"""Runs a tool of the host for code in the sandbox: name, positional and keyword arguments."""


@runtime_checkable
class Model(Protocol):
    """A model that answers a conversation.

    Optional attributes tell its abilities; a missing one counts as False. ``takes_images``: it gets the images that a step makes;
    ``takes_tools``: ``Replied.calls`` are calls of the offered tools; ``takes_response_format``: ``reply(..., response_format=…)``
    enforces the schema.
    """

    name: str

    def reply(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> AsyncIterator[Delta | Replied]:
        """Stream a reply: any number of ``Delta`` (any channel but "output"), then one ``Replied``.

        ``tools`` are JSON schemas, in the form of OpenAI's protocol; empty unless the model ``takes_tools``.

        If the stream breaks off, raises ``AgentGenerationError`` and yields no ``Replied``: a partial reply is never parsed. A model that
        retries by itself yields a "discarded" delta before the next attempt's pieces.
        """
        ...


Gate = Callable[[Proposed], Awaitable[Allowed | Refused]]
"""Decides about a proposal. ``Allowed`` comes from ``smolcell.permit.permit``; no answer is ``Refused``."""


@runtime_checkable
class Executor(Protocol):
    """One sandbox. Belongs to one session; runs one step at a time (else ``SandboxBusyError``)."""

    name: str

    async def open(self) -> None:
        """Start the sandbox. Idempotent."""
        ...

    async def run(self, permit: Allowed, on_output: OnOutput, call_tool: CallTool) -> Observed:
        """Run exactly the permitted text. Failures of the code are in ``Observed.error``, not raised."""
        ...

    def interrupt(self) -> None:
        """End the open step within a second (two inside a C call). Thread-safe; does nothing when idle."""
        ...

    def send_variables(self, variables: Mapping[str, Any]) -> None:
        """Copy values into the sandbox's namespace under these names, before the next step at the latest."""
        ...

    def send_tools(self, tools: Mapping[str, Any]) -> None:
        """Make these names callable in the sandbox; each call runs on the host through ``call_tool``."""
        ...

    def boundary(self) -> Boundary:
        """Return the walls that really stand, as tested at run time."""
        ...

    def close(self) -> None:
        """End the sandbox and free its resources, within two seconds. Idempotent; thread-safe."""
        ...


CAPABILITIES: Mapping[str, str] = {
    "threads": "code may start threads; if not, starting one raises CapabilityError in the code",
    "memory limit": "``memory=`` limits the memory of the code; if not, making or opening it with a limit raises CapabilityError",
    "local process": "the sandbox is processes of this machine, which this machine can list",
}
"""Abilities that an executor may lack: ``executor.capabilities["threads"] = False``, known once it is open.

Everything else is promised: an executor without ``capabilities`` must keep every promise. Using a missing ability raises a named
error, which ``smolcell.testing.check_executor`` checks. Other keys are for information (``"python"``: the version that runs the
code; ``"arrow"``: whether tables may be sent as Arrow).
"""

on_opening: ContextVar[Callable[[str], None] | None] = ContextVar("smolcell.on_opening", default=None)
"""Called with progress texts while a sandbox opens, in the context of ``Executor.open`` (its task and ``asyncio.to_thread``)."""

opened_for: ContextVar[str] = ContextVar("smolcell.opened_for", default="")
"""The run that a sandbox is opened for, in the context of ``Executor.open``; "" if there is none."""


def tell_opening(text: str) -> None:
    """Report the progress of opening a sandbox ("pulling python:3.13-slim: 43 %"). The person who waits for it sees the newest text.

    For executors that open slowly. Callable on any thread with the context of ``open``; never blocks, never raises.
    """
    if tell := on_opening.get():
        tell(text)


class Context(Protocol):
    """Context that the model may get with a task."""

    def question(self, run: str) -> Proposed | None:
        """Return the question to a person before the context is sent; None if there is none."""
        ...

    def chosen(self, decision: Allowed | Refused | None) -> tuple[Piece, ...]:
        """Return the context after this decision; None: no person was asked."""
        ...


FILES, NETWORK = "files", "network"
"""The names of the two walls that "isolated" means: ``Wall(name=FILES, stands=…)`` keeps code from files of the host outside
its work folder, ``Wall(name=NETWORK, …)`` from connections, also to this machine's own services. A boundary has both,
standing or not, as tested at run time.
"""

Choice = Literal["approve", "edit", "refuse", "stop", "approve_run", "approve_kind", "nobody"]


MAX_NAME = 120
"""Most characters of the name of the person who answers."""


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
    who: str = ""  # the person's name, if the view knows it; "": the user of the operating system

    @classmethod
    def to(
        cls, proposed: Proposed, choice: Choice, *, text: str | None = None, comment: str = "", offer: str = ""
    ) -> Answer:
        """Return an answer to exactly this proposal."""
        shown = proposed.fingerprint
        return cls(
            run=proposed.run,
            step=proposed.step,
            fingerprint=shown,
            choice=choice,
            text=text,
            comment=comment,
            offer=offer,
        )

    def is_for(self, proposed: Proposed) -> bool:
        """Return whether this answers exactly this proposal: the text that will run is the text that was shown."""
        return (self.run, self.step, self.fingerprint) == (proposed.run, proposed.step, proposed.fingerprint)


class View(Protocol):
    """Shows events and asks the person."""

    def show(self, event: Event | Delta) -> None:
        """Show an event. Called on the driver's thread; must not block; a failure never breaks a run."""
        ...

    async def ask(self, proposal: Proposed) -> Answer:
        """Return a person's answer; ``choice="nobody"`` if there is no person to ask."""
        ...


class BaseView:
    """Default methods of a view, which do nothing."""

    def prepare(self, run: str, task: str = "") -> None:
        """Show that a run begins. Called on the cell's own thread, before the first event."""

    def close(self) -> None:
        """End all cards: a waiting proposal is answered ``nobody``. Idempotent."""


class Waiter(Protocol):
    """The calling thread, for the driver: takes calls, and waits for a result."""

    def post(self, call: Callable[[], object]) -> None:
        """Run `call` on the waiting thread, soon and in order. Thread-safe; returns at once.

        If no thread waits, the call is run by the kernel's own loop (notebook) or kept until the next wait (script). Its
        result is dropped, its exceptions are logged: a caller that needs them makes its own future, and gives up after a
        time, since it may be that no thread ever waits again.
        """

    def wait(self, done: Future[T]) -> T:
        """Wait in the calling thread until `done` is done. Runs posted calls meanwhile.

        Returns:
            The result of `done`.

        Raises:
            BaseException: the exception of `done`; or one raised in the calling thread itself, at once. The caller then
                cancels the run.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontEnd:
    """The current front end: view, gate and waiter for agents.

    Args:
        view: shows events and asks the person.
        gate: decides about proposals.
        waiter: waits in the calling thread.
        approve: the approval mode of ``gate``, for the record; "" if it is a custom gate.
        mode: returns the approval mode for agents without a gate, called at each run; their gate is made from it.
        secret: asks the person for a secret without showing the typed text, on the calling thread; returns None if no person is there.
            The answer is kept in memory only.
    """

    view: View
    gate: Gate
    waiter: Waiter
    approve: str = ""
    mode: Callable[[], str] | None = None
    secret: Callable[[str], str | None] | None = None


class Reach(Protocol):
    """Decides about hosts that the code of a step wants to connect to, and receives its connections; on the step's event loop."""

    async def ask(self, host: str, port: int) -> str:
        """Return why the code may not connect to a host that is on no list; "" if it may."""
        ...

    def connected(self, event: Connected) -> None:
        """Receive a connection that has ended, or was refused."""
        ...


reach: ContextVar[Reach | None] = ContextVar("smolcell.reach", default=None)
"""For the step that runs in this context; without one, hosts that are on no list are refused."""

trace_headers: ContextVar[Mapping[str, str]] = ContextVar("smolcell.trace_headers", default={})  # noqa: B039 - never changed
"""Headers for a run's requests to models and MCP servers: W3C ``traceparent``; empty if telemetry is off."""

warmer: ContextVar[bool] = ContextVar("smolcell.warmer", default=False)
"""Whether a reply is sampled with a higher temperature than the model's own, because the model repeats itself."""
WARM = 0.8  # that temperature; a model without one of its own keeps its default

front_end: ContextVar[FrontEnd | None] = ContextVar("smolcell.front_end", default=None)
"""Overrides the registered front end in one context (a thread, a task)."""

_registered: list[FrontEnd] = []


def register_front_end(front: FrontEnd) -> Callable[[], None]:
    """Make ``front`` the process's front end (``%load_ext`` and the command line do). Returns the function that undoes it.

    A list besides the context variable, because ipykernel 7 runs every cell in a new context.
    """
    _registered.append(front)

    def undo() -> None:
        if front in _registered:
            _registered.remove(front)

    return undo


def current_front_end() -> FrontEnd | None:
    """Return the front end for agents: the context's, else the newest registered one, else None."""
    return front_end.get() or (_registered[-1] if _registered else None)
