"""Metrics of events: counts and distributions with bounded labels, as a fold; also as a collector for Prometheus.

Labels never contain task text, names chosen by a model or user, or hashes.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any, get_args

from smolcell import errors
from smolcell.core.receipt import Waits, error_types
from smolcell.events import (
    Allowed,
    Asked,
    Branched,
    Called,
    Ended,
    Event,
    Fault,
    Observed,
    Opened,
    Refused,
    Replied,
    State,
    Unparsed,
)
from smolcell.machine.environment import importing
from smolcell.telemetry import names
from smolcell.telemetry.spans import error_type, provider

Measurement = tuple[str, float, Mapping[str, str]]
OUTCOMES = ("success", "python", "forbidden", "limit", "sandbox", "stopped", "unparsed")
LIMITS = ("step", "steps", "budget", "reply")
BY = ("person", "policy", "auto", "remembered", "caller", "deny", "nobody")
ERRORS = frozenset(
    name
    for module in (builtins, errors)
    for name, kind in vars(module).items()
    if isinstance(kind, type) and issubclass(kind, BaseException)
)
"""Errors that have their own label; others are ``other``."""

METRICS: Mapping[str, tuple[str, str, Mapping[str, tuple[str, ...]]]] = {
    names.TOKEN_USAGE: (
        "{token}",
        "Tokens of a reply.",
        {names.OPERATION: (names.CHAT,), names.PROVIDER: (names.OTHER,), names.TOKEN_TYPE: ("input", "output")},
    ),
    names.OPERATION_DURATION: (
        "s",
        "Duration of a request to a model.",
        {names.OPERATION: (names.CHAT,), names.PROVIDER: (names.OTHER,)},
    ),
    "smolcell_runs": ("{run}", "Runs that ended.", {"state": get_args(State)}),
    "smolcell_steps": ("{step}", "Steps by outcome.", {"outcome": OUTCOMES}),
    "smolcell_tool_calls": ("{call}", "Calls of tools.", {"outcome": ("success", "error")}),
    "smolcell_approvals": (
        "{approval}",
        "Decisions about proposals.",
        {"decision": ("allowed", "edited", "refused"), "by": (*BY, names.OTHER)},
    ),
    "smolcell_approval_wait_seconds": ("s", "Time from a proposal to its decision.", {}),
    "smolcell_guard_refusals": ("{refusal}", "Steps that the guard refused.", {}),
    "smolcell_sandbox_starts": ("{sandbox}", "Sandboxes that were started.", {}),
    "smolcell_sandbox_failures": ("{sandbox}", "Sandboxes that did not start or ended in a step.", {}),
    "smolcell_limits": ("{limit}", "Limits that were hit.", {"limit": LIMITS}),
    "smolcell_errors": ("{error}", "Errors by type.", {"type": (names.OTHER,)}),
    "smolcell_cost_usd": ("USD", "Cost of replies, if known.", {}),
}
"""Name → unit, description, and its labels with the values that exist before any run."""

PROVIDERS = frozenset(names.PROVIDERS.values())

HISTOGRAMS: Mapping[str, tuple[float, ...]] = {
    names.TOKEN_USAGE: tuple(4**power for power in range(14)),
    names.OPERATION_DURATION: tuple(0.01 * 2**power for power in range(14)),
    "smolcell_approval_wait_seconds": (0.01, 0.1, 1, 5, 15, 60, 300, 1800, 7200),
}
_MAX_SANDBOXES = 1000  # sandboxes


class Measures:
    """Folds events to measurements."""

    def __init__(self) -> None:
        self._waits = Waits()
        self._providers: dict[str, str] = {}  # run → provider of its model
        self._opened: dict[str, None] = {}
        self._tools: set[tuple[str, int, int]] = set()

    def add(self, event: Event, at: float) -> Iterator[Measurement]:
        """Yield the measurements of this event."""
        waited = self._waits.note(event, at)
        if waited is not None:
            yield "smolcell_approval_wait_seconds", waited, {}
        for kind in error_types(event):
            yield "smolcell_errors", 1, {"type": kind if kind in ERRORS else names.OTHER}
        match event:
            case Asked():
                known = provider(event.model)
                self._providers[event.run] = known if known in PROVIDERS else names.OTHER
            case Replied() | Branched():
                yield from _replied(event, self._providers.get(event.run, names.OTHER))
            case Opened() if event.boundary.where not in self._opened:
                self._opened[event.boundary.where] = None
                if len(self._opened) > _MAX_SANDBOXES:
                    del self._opened[next(iter(self._opened))]
                yield "smolcell_sandbox_starts", 1, {}
            case Allowed() | Refused():
                yield from self._decided(event)
            case Called():
                outcome = "error" if event.error else "success"
                yield "smolcell_tool_calls", event.times, {"outcome": outcome}
            case Unparsed():
                yield "smolcell_steps", 1, {"outcome": "unparsed"}
            case Observed():
                yield from self._observed(event)
            case Ended():
                self._providers.pop(event.run, None)
                yield from _ended(event)
            case _:
                pass

    def _decided(self, event: Allowed | Refused) -> Iterator[Measurement]:
        decision = "refused" if isinstance(event, Refused) else "edited" if event.edited else "allowed"
        yield "smolcell_approvals", 1, {"decision": decision, "by": event.by if event.by in BY else names.OTHER}
        if isinstance(event, Allowed) and event.kind == "call":
            self._tools.add((event.run, event.step, event.call))

    def _observed(self, event: Observed) -> Iterator[Measurement]:
        key = (event.run, event.step, event.call)
        if key in self._tools:
            self._tools.discard(key)
            yield "smolcell_tool_calls", 1, {"outcome": "error" if event.error else "success"}
        else:
            yield "smolcell_steps", 1, {"outcome": event.error.kind if event.error else "success"}
        if event.error is not None:
            yield from _fault(event.error)


def _replied(event: Replied | Branched, provider: str) -> Iterator[Measurement]:
    labels = {names.OPERATION: names.CHAT, names.PROVIDER: provider}
    yield names.TOKEN_USAGE, event.usage.input_tokens, {**labels, names.TOKEN_TYPE: "input"}
    yield names.TOKEN_USAGE, event.usage.output_tokens, {**labels, names.TOKEN_TYPE: "output"}
    yield names.OPERATION_DURATION, event.duration, labels
    if event.usage.cost:
        yield "smolcell_cost_usd", event.usage.cost, {}


def _fault(fault: Fault) -> Iterator[Measurement]:
    if fault.kind == "forbidden":
        yield "smolcell_guard_refusals", 1, {}
    elif fault.kind == "limit":
        yield "smolcell_limits", 1, {"limit": "step"}
    elif fault.kind == "sandbox":
        yield "smolcell_sandbox_failures", 1, {}


_LIMITS = {"AgentMaxStepsError": "steps", "AgentBudgetError": "budget", "ReplyLengthError": "reply"}


def _ended(event: Ended) -> Iterator[Measurement]:
    yield "smolcell_runs", 1, {"state": event.state}
    kind = error_type(event.error)
    if kind in _LIMITS:
        yield "smolcell_limits", 1, {"limit": _LIMITS[kind]}
    if kind.startswith("Sandbox"):
        yield "smolcell_sandbox_failures", 1, {}


# --- for a Prometheus server ---------------------------------------------------------------------------------------


_MAX_VALUE = 1e12


class Collector:
    """A collector for ``prometheus_client``'s registry.

    Args:
        update: called before each scrape; passes events to ``note``.
        live: returns the number of open sandboxes.
    """

    def __init__(self, update: Callable[[], object], live: Callable[[], int]) -> None:
        self._update, self._live = update, live
        self._metrics: dict[str, Any] = {}
        self._measures: dict[str, Measures] = {}
        with importing():
            from prometheus_client import Gauge

        self._sandboxes = Gauge("smolcell_sandboxes", "Open sandboxes.", registry=None)
        for name, (_, about, labels) in METRICS.items():
            self._metrics[name] = _make_metric(name, about, labels)

    def note(self, source: str, event: Event, at: float) -> None:
        """Count an event of a journal."""
        for name, value, labels in self._measures.setdefault(source, Measures()).add(event, at):
            metric = self._metrics[name]
            metric = metric.labels(**{_flat(label): text for label, text in labels.items()}) if labels else metric
            if 0 <= value < _MAX_VALUE:  # a damaged journal may contain any number
                (metric.observe if name in HISTOGRAMS else metric.inc)(value)

    def describe(self) -> Iterator[Any]:
        """Yield the metrics without collecting."""
        for metric in (*self._metrics.values(), self._sandboxes):
            yield from metric.collect()

    def collect(self) -> Iterator[Any]:
        """Yield the current metrics."""
        self._update()
        self._sandboxes.set(self._live())
        yield from self.describe()


def _flat(name: str) -> str:
    return name.replace(".", "_")


def _make_metric(name: str, about: str, labels: Any) -> Any:
    """Create a metric with all combinations of values that exist before any run."""
    with importing():
        from prometheus_client import Counter, Histogram

    flat = [_flat(label) for label in labels]
    if name in HISTOGRAMS:
        metric: Any = Histogram(_flat(name), about, flat, buckets=HISTOGRAMS[name], registry=None)
    else:
        metric = Counter(_flat(name), about, flat, registry=None)
    for values in product(*labels.values()) if flat else ():
        metric.labels(*values)
    return metric
