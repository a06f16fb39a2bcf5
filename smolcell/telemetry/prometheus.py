"""The metrics of runs as Prometheus metrics, each present with value 0 before any run. Imported by the Jupyter server only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from smolcell.environment import importing
from smolcell.events import Event
from smolcell.telemetry.measures import HISTOGRAMS, METRICS, Measures

with importing():
    from prometheus_client import Counter, Gauge, Histogram


_MOST = 1e12


class Collector:
    """A collector for ``prometheus_client``'s registry.

    Args:
        update: called before each scrape; tells ``note`` what happened.
        live: the number of open sandboxes.
    """

    def __init__(self, update: Callable[[], object], live: Callable[[], int]) -> None:
        self._update, self._live = update, live
        self._metrics: dict[str, Any] = {}
        self._measures: dict[str, Measures] = {}
        self._sandboxes = Gauge("smolcell_sandboxes", "Open sandboxes.", registry=None)
        for name, (_, about, labels) in METRICS.items():
            self._metrics[name] = _made(name, about, labels)

    def note(self, source: str, event: Event, at: float) -> None:
        """Count an event of a journal."""
        for name, value, labels in self._measures.setdefault(source, Measures()).add(event, at):
            metric = self._metrics[name]
            metric = metric.labels(**{_flat(label): text for label, text in labels.items()}) if labels else metric
            if 0 <= value < _MOST:  # a damaged journal may say anything
                (metric.observe if name in HISTOGRAMS else metric.inc)(value)

    def describe(self) -> Iterator[Any]:
        """The metrics, without looking for anything."""
        for metric in (*self._metrics.values(), self._sandboxes):
            yield from metric.collect()

    def collect(self) -> Iterator[Any]:
        """The metrics as they are now."""
        self._update()
        self._sandboxes.set(self._live())
        yield from self.describe()


def _flat(name: str) -> str:
    return name.replace(".", "_")


def _made(name: str, about: str, labels: Any) -> Any:
    """A metric with each combination of the values that are known before any run."""
    flat = [_flat(label) for label in labels]
    if name in HISTOGRAMS:
        made: Any = Histogram(_flat(name), about, flat, buckets=HISTOGRAMS[name], registry=None)
    else:
        made = Counter(_flat(name), about, flat, registry=None)
    for values in product(*labels.values()) if flat else ():
        made.labels(*values)
    return made
