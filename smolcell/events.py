"""Events: the record of a run, as values.

* An event is frozen and valid by construction: invalid ones cannot exist, so they are not checked later.
* A run *is* the tuple of its events. View, journal, prompt, saved output and export are each a fold of that tuple.
* ``to_json`` and ``from_json`` are inverse except for live values (``Observed.output``), which never leave the process.
* ``labextension/src/core/events.ts`` mirrors this file; ``tests/contract`` folds the same events on both sides.
"""

from __future__ import annotations

import dataclasses
import hashlib
import reprlib
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin

Kind = Literal["code", "call", "plan", "budget", "question", "context", "output", "host", "link"]
FIRST_OUTPUT = 1_000_000
"""Numbers of calls from here on are questions of output checks ("output") or about a host ("host"). The model is not
told of them."""
FIRST_IDEA = 2_000_000
"""Numbers of calls from here on are ideas for the step. The model is told of the one that was kept."""
DIRECT_RUN = "call"
"""The run id of direct calls by the user: these have no task, and belong to no agent's run."""
_IF_SET, _LIVE = {"json": "if set"}, {"json": False}  # a field that is left out of the JSON if it is empty, or always
State = Literal["success", "max_steps_error", "refused", "stopped", "error"]


def fingerprint(kind: str, text: str, call: int = 0) -> str:
    """Return the SHA-256, in hex, of a shown proposal: its kind, its exact text, and its number among the calls of the step.

    A page's answer contains it, so that an answer to one call does not count for another with the same text.
    """
    named = f"{kind} {call}" if call else kind
    return hashlib.sha256(f"{named}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()


def sha256(text: str) -> str:
    """Return the SHA-256, in hex, of the exact text (UTF-8; accepts lone surrogates)."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


# --- parts of events -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one reply, or of a whole run.

    ``cost`` is in US dollars if it is known, else None. The cost of a sum is known if every part that used tokens has one.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None

    @property
    def total_tokens(self) -> int:
        return self.input_tokens + self.output_tokens

    def dict(self) -> Mapping[str, Any]:
        """Return the numbers by name."""
        return {
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "total_tokens": self.total_tokens,
            "cost": self.cost,
        }

    def __add__(self, other: Usage) -> Usage:
        known = [part.cost for part in (self, other) if part.cost is not None]
        unknown = any(part.cost is None and (part.input_tokens or part.output_tokens) for part in (self, other))
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cost=sum(known) if known and not unknown else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """A notebook variable copied into the sandbox, as prompt and page describe it, with a bounded text."""

    name: str
    type: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file in the sandbox's work folder. A folder's name ends in "/"; its size includes everything below."""

    name: str
    size: int  # bytes
    read_only: bool = field(default=False, metadata=_IF_SET)  # mounted, not copied; its size is unknown
    head: str = field(default="", metadata=_IF_SET)  # its first lines, of a text that is given with the task


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A finding in a proposal. ``risk`` is "none" for a plain fact, "low" or "high" for a warning."""

    kind: str  # import, name, input, repeat, file, network, process, install, dunder, hidden, syntax, tool, long-line, tab
    text: str  # the module, path, attribute, …
    line: int = 0  # 1-based; 0 if the finding has no single line
    risk: Literal["none", "low", "high"] = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wall:
    """One wall of a sandbox: whether it stands, as tested at run time, and what it stops or why it is missing."""

    name: str
    stands: bool
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Boundary:
    """The place where code runs, and its walls: shown on a run's card, in the journal, and by ``%agent status``."""

    sandbox: str  # local, docker, e2b, …
    where: str  # one line for a person: "a process on this machine (pid 4711)"
    isolated: bool  # True only if the walls that keep code from host files and network all stand
    walls: tuple[Wall, ...] = ()
    limits: Mapping[str, Any] = field(default_factory=dict)
    imports: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    python: str = ""  # the level: "full", "full, reduced" or "guarded"; "" in records of older versions
    python_reason: str = ""  # why it is this level, or what "reduced" lacks
    libraries: tuple[str, ...] = ()  # installed data libraries, in level full
    warning: str = field(default="", metadata=_IF_SET)  # a warning for the person about its imports

    def lacking(self, names: Iterable[str]) -> list[str]:
        """Return those of these walls that do not stand, as tested."""
        standing = {wall.name for wall in self.walls if wall.stands}
        return [name for name in names if name not in standing]


def exposure(boundary: Boundary | None) -> str:
    """Return why code behind this boundary must not run without asking; "" if it is isolated and no network was opened."""
    if boundary is None:
        return "the walls of the sandbox are not known"
    if not boundary.isolated:
        missing = ", ".join(boundary.lacking(wall.name for wall in boundary.walls))
        return f"the sandbox is not isolated{' (missing: ' + missing + ')' if missing else ''}"
    return f"the sandbox has a network (open hosts: {', '.join(boundary.hosts)})" if boundary.hosts else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """One rich output as MIME type to text (images in base64), bounded. Data, not trusted markup."""

    data: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Why a step failed.

    ``kind`` is the cause: the code itself ("python"), the guard ("forbidden"), a limit ("limit"), the sandbox ("sandbox"), or a
    person's stop ("stopped"). ``type`` is the exception's name, as the agent's code would see it.
    """

    kind: Literal["python", "forbidden", "limit", "sandbox", "stopped"]
    type: str
    message: str
    line: int = 0
    traceback: str = ""  # the agent's own lines only
    hint: str = field(default="", metadata=_IF_SET)  # only for the user: the next command to type

    def __str__(self) -> str:
        return f"{self.type}: {self.message}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call by the model's own protocol. ``arguments`` is the model's text, which may not be valid JSON."""

    name: str
    arguments: str = "{}"
    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """A wheel that was installed for the sandbox: name and version of the distribution, and the verified hash."""

    name: str
    version: str
    sha256: str


GrantKind = Literal["module", "host", "path", "tool", "package", "credential"]
GrantScope = Literal["once", "run", "session", "notebook"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """A permission by a person, with its scope: a module, host, file, pattern of calls, package or credential."""

    kind: GrantKind
    name: str
    scope: GrantScope


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of the notebook or of a file beside it that is sent to a model, redacted and bounded; or that is left out.

    ``text`` is exactly the text that is sent; "" if none is. ``size`` and ``sha256`` are of that text, or of the whole file.
    """

    kind: Literal["cell", "output", "error", "schema", "file", "instructions", "servers"]
    name: str  # "cell [3]", "notes.md"
    text: str = ""
    size: int = 0  # bytes
    sha256: str = ""
    by: str = field(default="", metadata=_IF_SET)  # person, notebook, setting, task, trust: who chose it
    note: str = field(default="", metadata=_IF_SET)  # what was cut, what starts, or why it is not used
    used: bool = True


def line_of(piece: Piece) -> str:
    """Return a piece's line in the text of a proposal of kind "context"."""
    name = " ".join(piece.name.split())
    return f"{name} \u00b7 {piece.size:,} bytes \u00b7 SHA-256 {piece.sha256}"


# --- the events --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A run begins with its task."""

    run: str
    task: str
    variables: tuple[Variable, ...] = ()
    images: tuple[str, ...] = ()  # data URLs
    model: str = ""
    sandbox: str = ""
    approve: str = ""
    session: str = ""
    resumes: str = ""  # the run that this one continues, which ended without an answer
    files: tuple[File, ...] = ()  # copied into the work folder
    agent: str = ""  # the agent's name, if it has one
    parent: str = ""  # the run that called this one: that of a manager
    parent_step: int = 0
    parent_call: int = 0
    lost: tuple[str, ...] = ()  # names of variables and files that were lost with an earlier sandbox
    tools: tuple[str, ...] = ()  # names of host tools that the code, or the model, may call
    locks: tuple[str, ...] = field(default=(), metadata=_IF_SET)  # restrictions by the policy, with FILE:LINE
    instead: str = field(default="", metadata=_IF_SET)  # an undone program, to be replaced by another
    comment: str = field(default="", metadata=_IF_SET)  # the person's comment on it


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """The context sent to the model with the task of this run. Pieces that are not ``used`` were found but left out."""

    run: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """The sandbox is open; ``boundary`` says which walls really stand."""

    run: str
    boundary: Boundary


@dataclass(frozen=True, slots=True, kw_only=True)
class Replied:
    """The model's whole reply. Models yield it last; the driver sets run, step and duration."""

    text: str
    reasoning: str = ""  # separate from the thought; never sent back to the model
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    run: str = ""
    step: int = 0
    duration: float = 0.0  # seconds
    note: str = ""  # a note about this reply for the person, not for the model
    calls: tuple[Call, ...] = ()  # tools that the model calls by its protocol
    window: int = field(default=0, metadata=_IF_SET)  # context window of the model in tokens; 0 if unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class Unparsed:
    """The reply had no program to run; ``reason`` is the instruction that the model reads next."""

    run: str
    step: int
    reason: str
    dropped: bool = field(default=False, metadata=_IF_SET)  # the model does not read the reply again


@dataclass(frozen=True, slots=True, kw_only=True)
class Trimmed:
    """The history exceeded the prompt's budget: the observations of these steps are no longer sent to the model.

    ``run`` is the run of these steps: the current one, or an earlier one that the model still saw; ``step`` is the current step.
    """

    run: str
    step: int
    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A choice for the person besides approve and refuse. Made on the host for one proposal; never recorded.

    An offer with ``choice`` "approve" calls ``act`` before the permit is made, which records ``done``; one with "refuse" sends ``comment``
    to the model. ``act`` may be a coroutine function. If it returns a proposal, that is asked about instead, and nothing is decided yet.
    """

    id: str
    label: str
    choice: Literal["approve", "edit", "refuse"] = "approve"
    comment: str = ""
    done: str = ""  # text about ``act`` that follows "Approved by you, and"; "": the label
    act: Callable[[], object] | None = field(default=None, compare=False, repr=False)
    asks: bool = False  # ask the person even if code was approved before: only they can give what the step needs


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """A proposal that waits for a gate: code to run, a tool to call, a plan to follow, or a budget to exceed.

    A question is a tool's question to the person: the answer is text, and nothing runs. A context (step 0) is notebook context for the
    model: its text names each of ``pieces`` on a line, by digest; lines that an edit removes are not sent. An output is a finding of an
    output check: if allowed, the text passes unchanged. A host is one that the code of a running step wants to connect to. A link (step 0)
    is about files that the person named, and that are links out of the folders they lie in: its text says where they lead.

    ``boundary`` is set by the driver, for gates: that of the running sandbox, as tested; None if unknown. ``offers`` is set by the driver,
    for views; ``why`` by a gate; and ``needs``, the approval that is required for it, by what proposes it.
    None of them is recorded.
    """

    run: str
    step: int
    text: str
    kind: Kind = "code"
    thought: str = ""
    findings: tuple[Finding, ...] = ()
    call: int = 0  # number of the call within the step, from 1; 0 is the step itself
    boundary: Boundary | None = field(default=None, compare=False, repr=False, metadata=_LIVE)  # for gates
    why: str = field(default="", compare=False, metadata=_LIVE)  # a gate's reason for asking the person
    offers: tuple[Offer, ...] = field(default=(), compare=False, repr=False, metadata=_LIVE)
    needs: Literal["", "ask", "deny"] = field(default="", compare=False, metadata=_LIVE)
    pieces: tuple[Piece, ...] = field(default=(), compare=False, repr=False, metadata=_LIVE)  # for views
    ideas: tuple[Proposed, ...] = field(default=(), compare=False, repr=False, metadata=_LIVE)  # for gates

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.kind, self.text, self.call)


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """Packages were installed in the sandbox: for this step, or (step 0) before the run."""

    run: str
    step: int
    packages: tuple[Package, ...]
    index: str  # host names of the package index


@dataclass(frozen=True, slots=True, kw_only=True)
class Granted:
    """A person granted something: for this step, or (step 0) before the run. ``revoked``: they revoked it."""

    run: str
    step: int
    grants: tuple[Grant, ...]
    revoked: bool = field(default=False, metadata=_IF_SET)


@dataclass(frozen=True, slots=True, kw_only=True, weakref_slot=True)
class Allowed:
    """The permit: the only thing an executor accepts. Only ``permit()`` makes valid ones; each is spent once."""

    run: str
    step: int
    text: str  # exactly the text that runs, after a person's edits
    sha256: str
    by: str  # person, policy, auto, remembered, grant, caller
    kind: Kind = "code"
    edited: bool = False
    scope: Literal["step", "run", "kind"] = "step"
    comment: str = ""
    call: int = 0
    offer: str = field(default="", metadata=_IF_SET)  # the offer that was chosen with the approval
    who: str = field(default="", metadata=_IF_SET)  # the person, as the front end says; "" if none was asked
    nonce: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A refusal. ``then``: "continue" sends the reason to the model; "refused" and "stopped" end the run."""

    run: str
    step: int
    reason: str
    by: str  # person, policy, deny, nobody
    then: Literal["continue", "refused", "stopped"]
    call: int = 0
    who: str = field(default="", metadata=_IF_SET)  # the person, as the front end says; "" if none was asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """The code of a step called a tool that needs no approval, and the call has ended.

    After the first hundred calls of a step, further calls of a tool are one event at the step's end: ``times`` of them.
    """

    run: str
    step: int
    call: int  # number within the step, from 1
    name: str
    text: str  # the call as Python, bounded
    result: str = ""  # as text, bounded
    error: str = ""  # "ValueError: …", if it failed
    duration: float = 0.0  # seconds, without those in which a person was asked
    times: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Connected:
    """The code of a step connected to a host, or was refused, and the connection has ended.

    After the first hundred connections of a step, further ones to a host are one event: ``times`` of them.
    """

    run: str
    step: int
    host: str
    port: int
    sent: int = 0  # bytes from the code
    received: int = 0
    duration: float = 0.0  # seconds
    refused: str = field(default="", metadata=_IF_SET)  # the reason; "" if it was not refused
    credentials: tuple[str, ...] = field(default=(), metadata=_IF_SET)  # names of the credentials that were used
    times: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """An output check had a finding in a text. The event never has the text that was found."""

    run: str
    step: int
    at: Literal["model", "answer", "saved", "tools"]
    check: str  # its name
    found: Mapping[str, int]  # kind → number of different matches; in tables, in a sample of each column
    action: Literal["pass", "redact", "refuse"]  # the action taken
    why: str = ""  # the reason, if that differs from the check's action
    to: str = ""  # name of the tool


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """The outcome of one approved step, or of one call.

    ``output`` is the live value of the last expression or of ``final_answer``, or a call's result; it is not serialized.
    """

    run: str = ""
    step: int = 0
    stdout: str = ""  # everything printed, both streams, in order, bounded
    result: str = ""  # repr of the last expression, bounded; "" if there is none
    outputs: tuple[Bundle, ...] = ()
    error: Fault | None = None
    changed: tuple[str, ...] = ()  # names of variables that the step wrote
    is_final_answer: bool = False
    dropped: int = 0  # characters of output left out
    state_lost: bool = False  # the worker ended: earlier variables are lost
    duration: float = 0.0  # seconds that the code ran
    files: tuple[File, ...] = ()  # files that the step wrote into the work folder, at most a hundred
    call: int = 0  # number of the call with this result; 0: the step itself
    rolled_back: bool = field(default=False, metadata=_IF_SET)  # the step failed and was undone
    places: tuple[int, ...] = field(default=(), metadata=_IF_SET)  # printed lines before each output; none: all of them
    output: Any = field(default=None, compare=False, repr=False, metadata=_LIVE)

    @property
    def answered(self) -> bool:
        """Whether this gave the run's answer, and nothing failed after it."""
        return self.is_final_answer and self.error is None

    @property
    def logs(self) -> str:
        """The printed text; smolagents' name for it."""
        return self.stdout


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The run has its answer; ``text`` is a bounded description of it, ``output`` the live value (not serialized)."""

    run: str
    step: int
    text: str
    is_text: bool = field(default=False, metadata=_IF_SET)  # the answer is a string, which may be Markdown
    uncomputed: bool = field(default=False, metadata=_IF_SET)  # no executed step produced it
    output: Any = field(default=None, compare=False, repr=False, metadata=_LIVE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """The run has ended, in whatever way. Always the last event of a run: the receipt is a fold up to here."""

    run: str
    state: State
    steps: int  # including those of the runs that this one continues
    usage: Usage = field(default_factory=Usage)
    duration: float = 0.0
    error: str = ""  # "AgentMaxStepsError: …" if the state is not success
    cut: Literal["", "thinking", "asking", "running"] = ""  # the activity that was interrupted
    receipt: Mapping[str, Any] = field(default_factory=dict, metadata=_IF_SET)  # see ``Receipt.details``


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """The user undid steps: all steps after ``step`` of ``run`` no longer count, and the sandbox has its earlier state."""

    run: str
    step: int  # the last step that counts; 0: the whole run no longer counts
    how: Literal["copy", "replay"] = (
        "copy"  # by a copy of the sandbox's process, or by running the remaining steps again
    )
    differs: tuple[int, ...] = ()  # steps whose output differed when they ran again
    uncovered: str = ""  # why files in the work folder were not restored; "" if they were
    stays: tuple[str, ...] = ()  # effects of the steps that cannot be undone


@dataclass(frozen=True, slots=True, kw_only=True)
class Branched:
    """The model was asked for further ideas for a step. Each idea with a program is proposed as a call from ``FIRST_IDEA`` on."""

    run: str
    step: int
    asked: int  # number of requests
    usage: Usage = field(default_factory=Usage)
    duration: float = 0.0


Event = (
    Asked
    | Sent
    | Opened
    | Replied
    | Unparsed
    | Trimmed
    | Proposed
    | Installed
    | Granted
    | Allowed
    | Refused
    | Called
    | Connected
    | Checked
    | Observed
    | Answered
    | Ended
    | Undone
    | Branched
)
History = tuple[Event, ...]


def step_of(event: Event | Delta, default: int = 0) -> int:
    """Return the step's number of an event; ``default`` if it belongs to no step."""
    return getattr(event, "step", default)


def call_of(event: Event) -> int:
    """Return the call's number of an event; 0 if it belongs to no call."""
    return getattr(event, "call", 0)


ProgramKey = tuple[str, int, str]
"""Run, step and SHA-256 of a program that was allowed."""


def program_key(allowed: Allowed) -> ProgramKey:
    """Return what identifies the program of a permit."""
    return allowed.run, allowed.step, allowed.sha256


def needed_walls(allowed: Allowed) -> bool:
    """Return whether a program was allowed unseen, because of the walls around it."""
    return allowed.by == "policy" or (allowed.by == "remembered" and allowed.scope == "kind")


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """A piece of unfinished output. Only passed to ``View.show``, never in history or journal.

    "output": begins with a carriage return if it overwrites a line that was begun before, and with U+FDEF if it replaces all text.
    "display": ``text`` is JSON: ``data`` (by MIME type) is the output with index ``at`` of ``count`` outputs so far; null: there are only
    ``count`` outputs.
    "discarded": the reply of this step broke off and is requested again; the part that was shown no longer counts. ``text`` is the reason.
    """

    text: str
    channel: Literal["reply", "reasoning", "output", "display", "progress", "discarded"] = "reply"
    run: str = ""
    step: int = 0


# --- Events to JSON and back, by the annotations of the classes above.
#
# ``from_json(to_json(event)) == event`` for every event (except live values, which are not compared): a property test checks it.
# Events read from JSON are data: an ``Allowed`` from a journal is not in the permit's ledger, so no executor accepts it.


EVENTS: dict[str, type[Any]] = {kind.__name__: kind for kind in get_args(Event)}


def to_json(event: Event | Delta) -> dict[str, Any]:
    """Return an event as JSON-able data: ``{"event": "Asked", …fields}``. A proposal also has its fingerprint."""
    data = {"event": type(event).__name__, **_dump(event)}
    if isinstance(event, Proposed):
        data["fingerprint"] = event.fingerprint
    return data


def from_json(data: Mapping[str, Any]) -> Event:
    """Return the event from data of ``to_json``.

    Raises:
        ValueError: it is no event, or a field is missing or of the wrong type. Unknown fields are ignored, so that an older version can
            read events of a newer one.
    """
    name: Any = _require(data, isinstance(data, Mapping), Mapping).get("event")
    kind = EVENTS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise ValueError(f"not an event: {reprlib.repr(data)}")
    loaded: Event = _load(kind, data)
    return loaded


def _dump(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        given = [(f, getattr(value, f.name)) for f in _fields(type(value))]
        return {f.name: _dump(item) for f, item in given if item or f.metadata.get("json") != "if set"}
    if isinstance(value, Mapping):
        return {str(key): _dump(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [_dump(item) for item in value]
    return value


@cache
def _fields(kind: Any) -> tuple[dataclasses.Field[Any], ...]:
    return tuple(f for f in dataclasses.fields(kind) if f.metadata.get("json", True))


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return typing.get_type_hints(kind, globals())


def _load(kind: Any, value: Any) -> Any:
    origin = get_origin(kind)
    if dataclasses.is_dataclass(kind):
        return _load_fields(kind, value)
    if origin is Literal:
        return _require(value, value in get_args(kind), kind)
    if origin is tuple:
        return tuple(_load(get_args(kind)[0], item) for item in _require(value, isinstance(value, list), kind))
    if origin in (Union, types.UnionType):
        options = [option for option in get_args(kind) if option is not type(None)]
        return None if value is None else _load(options[0], value)
    if origin is not None and issubclass(origin, Mapping):
        items = _require(value, isinstance(value, Mapping), kind).items()
        return {_load(get_args(kind)[0], key): _load(get_args(kind)[1], item) for key, item in items}
    if kind is float:
        return _float(_require(value, isinstance(value, (int, float)) and not isinstance(value, bool), kind))
    if kind in (str, int, bool):
        return _require(value, type(value) is kind, kind)
    return value


def _load_fields(kind: Any, value: Any) -> Any:
    _require(value, isinstance(value, Mapping), kind)
    hints = _hints(kind)
    known = {f.name: _load(hints[f.name], value[f.name]) for f in _fields(kind) if f.name in value}
    try:
        return kind(**known)
    except TypeError as error:
        raise ValueError(f"{kind.__name__}: {error}") from None


def _float(value: float) -> float:
    try:
        return float(value)
    except OverflowError as error:
        raise ValueError(str(error)) from None


def _require(value: Any, ok: bool, kind: Any) -> Any:
    if not ok:
        raise ValueError(f"expected {getattr(kind, '__name__', kind)}, found {reprlib.repr(value)}")
    return value
