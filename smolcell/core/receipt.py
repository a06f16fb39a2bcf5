"""The receipt of a run: its actions and usage, as a fold of its events. Pure."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from smolcell.core.history import undone_steps
from smolcell.core.text import clip, visible
from smolcell.events import (
    DIRECT_RUN,
    Allowed,
    Asked,
    Branched,
    Called,
    Connected,
    Ended,
    Event,
    Granted,
    Installed,
    Observed,
    Opened,
    Package,
    Proposed,
    Refused,
    Replied,
    Unparsed,
    Usage,
)

_MAX_PROGRAM_CHARS = 200_000  # characters of a program; imports of longer ones are not listed
_MAX_ENTRIES = 50
_MAX_NAME_CHARS = 200  # characters


class Waits:
    """Measures how long a decision took: from the proposal, or from the time when the sandbox was open, if that was later."""

    def __init__(self) -> None:
        self._since: dict[tuple[str, int, int], float] = {}

    def note(self, event: Event, at: float) -> float | None:
        """Add the next event. Returns the waiting time in seconds if it decides a known proposal, else None."""
        match event:
            case Proposed():
                self._since[event.run, event.step, event.call] = at
            case Opened():
                self._since |= {key: at for key in self._since if key[0] == event.run}
            case Allowed() | Refused():
                since = self._since.pop((event.run, event.step, event.call), None)
                return None if since is None else max(0.0, at - since)
            case Ended():
                self._since = {key: since for key, since in self._since.items() if key[0] != event.run}
            case _:
                pass
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """One decision. ``seconds``: its waiting time; 0.0 if times are not known."""

    step: int
    call: int
    kind: str
    allowed: bool
    by: str
    edited: bool
    seconds: float
    who: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The receipt of a run and of the managed agents in it.

    Attributes:
        errors_by_type: type of an error → how often it occurred.
        imports: top-level modules that approved code imports.
        hosts: hosts that the sandbox was allowed to reach, and hosts that a person allowed during the run and that were reached.
        files: names of files that were copied in, or written by the code.
        packages: modules of ``imports`` that are not in the standard library.
        installed: packages installed for the run.
        grants: permissions that a person granted in the run, with their scopes.
        tools_called: tool → number of calls.
        undone: steps undone afterwards, as "RUN:STEP". They ran, and are part of all other fields.
        timings: seconds of the ``model``, of ``waiting`` for decisions, of ``code``, and in ``total``.
    """

    usage: Usage
    steps: int
    errors_by_type: dict[str, int]
    imports: tuple[str, ...]
    hosts: tuple[str, ...]
    files: tuple[str, ...]
    packages: tuple[str, ...]
    installed: tuple[Package, ...]
    grants: tuple[str, ...]
    tools_called: dict[str, int]
    approvals: tuple[Approval, ...]
    timings: dict[str, float]
    undone: tuple[str, ...] = ()

    def details(self) -> dict[str, Any]:
        """Return the details below a card's receipt line: fields that are not empty, at most ``_MAX_ENTRIES`` entries of each."""
        names = {name: getattr(self, name) for name in ("imports", "packages", "hosts", "files", "grants", "undone")}
        entries = {
            name: [clip(each, _MAX_NAME_CHARS) for each in values[:_MAX_ENTRIES]] for name, values in names.items()
        }
        counts = {"errors_by_type": self.errors_by_type, "tools_called": self.tools_called}
        counted = {
            name: {clip(each, _MAX_NAME_CHARS): number for each, number in list(values.items())[:_MAX_ENTRIES]}
            for name, values in counts.items()
        }
        spent = {name: seconds for name, seconds in self.timings.items() if seconds and name != "total"}
        return {name: values for name, values in {**entries, **counted, "timings": spent}.items() if values}


def _hosts(event: Event) -> tuple[str, ...]:
    if isinstance(event, Opened):
        return event.boundary.hosts
    if isinstance(event, Connected) and not event.refused:
        return (event.host,)
    return ()


def receipt(events: Sequence[Event], times: Sequence[float] = ()) -> Receipt:
    """Fold events into a receipt.

    Args:
        events: of one or more runs.
        times: time of each event, in seconds since 1970; or empty.
    """
    when = times if len(times) == len(events) else [0.0] * len(events)
    approvals, tools = _decisions(events, when)
    imports = _imports(event.text for event in events if isinstance(event, Allowed) and event.kind == "code")
    replies = [event for event in events if isinstance(event, Replied | Branched)]
    spent = sum((event.usage for event in replies), Usage())
    managed = {event.run for event in events if isinstance(event, Asked) and event.parent}
    totals = [event for event in events if isinstance(event, Ended) and event.run not in managed]
    timings = {
        "model": sum(event.duration for event in replies),
        "waiting": sum(approval.seconds for approval in approvals),
        "code": sum(event.duration for event in events if isinstance(event, Observed)),
        "total": sum(event.duration for event in totals),
    }
    return Receipt(
        usage=spent,
        steps=len({(event.run, event.step) for event in events if isinstance(event, Observed)}),
        errors_by_type=dict(Counter(kind for event in events for kind in error_types(event))),
        imports=imports,
        hosts=_unique(host for event in events for host in _hosts(event)),
        files=_unique(file.name for event in events if isinstance(event, Asked | Observed) for file in event.files),
        packages=tuple(name for name in imports if name not in sys.stdlib_module_names),
        installed=tuple(
            dict.fromkeys(package for event in events if isinstance(event, Installed) for package in event.packages)
        ),
        grants=_unique(
            f"{grant.kind} {grant.name} ({grant.scope}{', revoked' * event.revoked})"
            for event in events
            if isinstance(event, Granted)
            for grant in event.grants
        ),
        tools_called=tools,
        approvals=approvals,
        timings={name: round(seconds, 6) for name, seconds in timings.items()},
        undone=tuple(f"{run}:{step}" for run, step in undone_steps(tuple(events))),
    )


def _decisions(events: Sequence[Event], times: Sequence[float]) -> tuple[tuple[Approval, ...], dict[str, int]]:
    kinds: dict[tuple[str, int, int], str] = {}
    waits = Waits()
    approvals: list[Approval] = []
    tools: Counter[str] = Counter()
    for event, at in zip(events, times, strict=True):
        waited = waits.note(event, at)
        if isinstance(event, Proposed):
            kinds[event.run, event.step, event.call] = event.kind
        elif isinstance(event, Called):
            tools[event.name] += event.times
        elif isinstance(event, Allowed | Refused):
            if isinstance(event, Allowed) and event.kind == "call":
                tools[event.text.partition("(")[0]] += 1
            approvals.append(
                Approval(
                    step=event.step,
                    call=event.call,
                    kind=kinds.get((event.run, event.step, event.call), "code"),
                    allowed=isinstance(event, Allowed),
                    by=event.by,
                    who=event.who,
                    edited=isinstance(event, Allowed) and event.edited,
                    seconds=round(waited or 0.0, 6),
                )
            )
    return tuple(approvals), dict(tools)


def error_types(event: Event) -> tuple[str, ...]:
    """Return the types of the errors that this event reports."""
    match event:
        case Observed() if event.error is not None:
            return (event.error.type,)
        case Unparsed():
            return ("AgentParsingError",)
        case Called() | Ended() if event.error:
            return (event.error.partition(":")[0],)
        case _:
            return ()


def _imports(programs: Iterable[str]) -> tuple[str, ...]:
    imports: set[str] = set()
    for text in programs:
        try:
            tree = ast.parse(text) if len(text) <= _MAX_PROGRAM_CHARS else ast.Module([], [])
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                imports |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                imports.add(node.module.partition(".")[0])
    return tuple(sorted(imports))


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


# --- Receipts as rows: one for each run, for `stats`.


Row = dict[str, str | int | float | None]


def rows(events: Sequence[Event], times: Sequence[float] = ()) -> list[Row]:
    """Return one row per run, oldest first. Managed agents are part of the run they work for; direct calls by the user are left out."""
    when = times if len(times) == len(events) else [0.0] * len(events)
    parents = {event.run: event.parent for event in events if isinstance(event, Asked) and event.parent}
    groups: dict[str, list[tuple[Event, float]]] = {}
    for event, at in zip(events, when, strict=True):
        if event.run != DIRECT_RUN:
            groups.setdefault(_root(event.run, parents), []).append((event, at))
    gone = Counter(_root(run, parents) for run, _ in undone_steps(tuple(events)))
    return [{**_row(run, group), "undone": gone[run]} for run, group in groups.items()]


def by_run(events: Iterable[Event]) -> dict[str, list[Event]]:
    """Return the events of each run, in order; those of managed agents with the run that they work for."""
    listed = list(events)
    parents = {event.run: event.parent for event in listed if isinstance(event, Asked) and event.parent}
    groups: dict[str, list[Event]] = {}
    for event in listed:
        groups.setdefault(_root(event.run, parents), []).append(event)
    return groups


def _root(run: str, parents: dict[str, str]) -> str:
    seen: set[str] = set()
    while run in parents and run not in seen:
        seen.add(run)
        run = parents[run]
    return run


def _row(run: str, group: list[tuple[Event, float]]) -> Row:
    summary = receipt([event for event, _ in group], [at for _, at in group])
    ended = next((event for event, _ in group if isinstance(event, Ended) and event.run == run), None)
    asked = next((event for event, _ in group if isinstance(event, Asked) and event.run == run), None)
    edited = sum(approval.edited for approval in summary.approvals)
    return {
        "run": run,
        "state": ended.state if ended else "unfinished",
        "model": asked.model if asked else "",
        "steps": summary.steps,
        "input_tokens": summary.usage.input_tokens,
        "output_tokens": summary.usage.output_tokens,
        "cost": summary.usage.cost,
        "approvals": len(summary.approvals),
        "edited": edited,
        "refused": sum(not approval.allowed for approval in summary.approvals),
        "errors": sum(summary.errors_by_type.values()),
        "tool_calls": sum(summary.tools_called.values()),
        **{f"{name}_seconds": seconds for name, seconds in summary.timings.items()},
    }


def table(found: Sequence[Row]) -> str:
    """Return the rows as a text table; if there are several, the last line is their sum."""
    shown = [*found, _sum(found)] if len(found) > 1 else list(found)
    columns = [list(shown[0]), *([_cell(value) for value in row.values()] for row in shown)]
    widths = [max(len(row[column]) for row in columns) for column in range(len(columns[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in columns
    )


def _sum(found: Sequence[Row]) -> Row:
    total: Row = {"run": "all"}
    for name in list(found[0])[1:]:
        values = [row[name] for row in found]
        numbers = [value for value in values if isinstance(value, int | float)]
        total[name] = None if None in values else sum(numbers) if numbers else ""
    return total


def _cell(value: str | float | None) -> str:
    return (
        ""
        if value is None
        else f"{value:.3f}".rstrip("0").rstrip(".")
        if isinstance(value, float)
        else visible(str(value))
    )
