"""Writes spans and measurements with OpenTelemetry. Imported only when telemetry is on."""

from __future__ import annotations

import hashlib
import logging
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from itertools import product
from typing import Any

from smolcell.approval.policy import current
from smolcell.core.text import clip, presentable
from smolcell.events import Event
from smolcell.machine.environment import importing
from smolcell.telemetry import names
from smolcell.telemetry.measures import HISTOGRAMS, METRICS, Measures
from smolcell.telemetry.spans import Span

with importing():
    from opentelemetry import context as contexts
    from opentelemetry import metrics, trace
    from opentelemetry.trace import Link, SpanContext, SpanKind, Status, StatusCode, TraceFlags
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

log = logging.getLogger("smolcell")
CONTENT = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
_MAX_REASON_CHARS = 500  # characters of a reason
_MAX_RUNS = 1000
_MAX_SPANS_PER_REQUEST = 500  # spans in one request
_KINDS = {names.CHAT: SpanKind.CLIENT}


def captures_content() -> bool:
    """Return whether spans contain task, replies, code and output."""
    if (lock := current().lock("telemetry_content")) is not None:
        return bool(lock.value)
    return os.environ.get(CONTENT, "").lower() in ("true", "span_only", "span_and_event")


def own_ids() -> Any:
    """Return an OpenTelemetry id generator that derives ids from a span's key, so that a journal always gives the same ids."""
    with importing():
        from opentelemetry.sdk.trace.id_generator import RandomIdGenerator

    class Ids(RandomIdGenerator):  # type: ignore[misc] # Any: its library is optional
        def __init__(self) -> None:
            self.wanted = threading.local()

        def generate_trace_id(self) -> int:
            span: Span | None = getattr(self.wanted, "span", None)
            return trace_id(span.root) if span is not None else int(super().generate_trace_id())

        def generate_span_id(self) -> int:
            span: Span | None = getattr(self.wanted, "span", None)
            return span_id(span.key) if span is not None else int(super().generate_span_id())

    return Ids()


def trace_id(root: str) -> int:
    return int.from_bytes(hashlib.sha256(f"trace {root}".encode()).digest()[:16], "big") or 1


def span_id(key: str) -> int:
    return int.from_bytes(hashlib.sha256(f"span {key}".encode()).digest()[:8], "big") or 1


class _First(logging.Handler):
    """Logs only the first failed export. OpenTelemetry repeats it for each batch, and a kernel shows that below the newest cell."""

    def __init__(self) -> None:
        super().__init__()
        self._has_warned = False

    def emit(self, record: logging.LogRecord) -> None:
        """Log the failure as a warning of smolcell."""
        if not self._has_warned:
            self._has_warned = True
            log.warning("an export failed: %s", clip(presentable(record.getMessage()), _MAX_REASON_CHARS))


_first = _First()


def _tell_first_failure() -> None:
    logging.getLogger("opentelemetry.exporter.otlp").addHandler(_first)


class Exporter:
    """The providers of a process.

    Args:
        tracer_provider, meter_provider: the user's; None for those of the process, else for new ones.
        live: returns the number of open sandboxes.

    Attributes:
        own: the providers that this exporter created.
    """

    def __init__(
        self,
        tracer_provider: Any = None,
        meter_provider: Any = None,
        live: Callable[[], int] = lambda: 0,
    ) -> None:
        self.content = captures_content()
        self.own: list[Any] = []
        self.ids: Any = None
        if tracer_provider is None:
            tracer_provider = trace.get_tracer_provider()
            if isinstance(tracer_provider, trace.ProxyTracerProvider):  # no provider is set
                self.ids = own_ids()
                tracer_provider = self._traces()
        if meter_provider is None and os.environ.get("OTEL_METRICS_EXPORTER", "") == "none":
            meter_provider = metrics.NoOpMeterProvider()
        elif meter_provider is None:
            meter_provider = self._meters() if self.ids is not None else metrics.get_meter_provider()
        released = version("smolcell")
        self.tracer = tracer_provider.get_tracer("smolcell", released, schema_url=names.SCHEMA)
        self.runs: dict[str, Any] = {}  # key of a run's span → its context
        self._measures = Measures()
        self._instruments: dict[str, Any] = {}
        self._make(meter_provider.get_meter("smolcell", released, schema_url=names.SCHEMA), live)

    def writer(self) -> SpanWriter:
        """Return a writer for one run, below the caller's current span."""
        return SpanWriter(self, contexts.get_current())

    def remember(self, key: str, context: Any) -> None:
        """Keep the context of a run's span, for runs that continue it."""
        self.runs[key] = context
        while len(self.runs) > _MAX_RUNS:
            del self.runs[next(iter(self.runs))]

    def measure(self, event: Event, at: float) -> None:
        """Record the measurements of this event."""
        for name, value, labels in self._measures.add(event, at):
            instrument = self._instruments[name]
            (instrument.record if name in HISTOGRAMS else instrument.add)(value, labels)

    def flush(self, seconds: float) -> None:
        """Export what is held by the providers created here."""
        for provider in self.own:
            provider.force_flush(int(seconds * 1000))

    def _traces(self) -> Any:
        with importing():
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor

        _tell_first_failure()
        exporter = OTLPSpanExporter()
        provider = TracerProvider(resource=_resource(), id_generator=self.ids, shutdown_on_exit=False)
        provider.add_span_processor(BatchSpanProcessor(exporter))
        self.own.append(provider)
        return provider

    def _meters(self) -> Any:
        with importing():
            from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
            from opentelemetry.sdk.metrics import MeterProvider
            from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader

        reader = PeriodicExportingMetricReader(OTLPMetricExporter())
        provider = MeterProvider([reader], resource=_resource(), shutdown_on_exit=False)
        self.own.append(provider)
        return provider

    def _make(self, meter: Any, live: Callable[[], int]) -> None:
        for name, (unit, about, labels) in METRICS.items():
            if name in HISTOGRAMS:
                bounds = HISTOGRAMS[name]
                instrument = meter.create_histogram(name, unit, about, explicit_bucket_boundaries_advisory=bounds)
            else:
                instrument = meter.create_counter(name, unit, about)
                for values in product(*labels.values()):  # exists with value 0 before any run
                    instrument.add(0, dict(zip(labels, values, strict=True)))
            self._instruments[name] = instrument
        meter.create_observable_gauge(
            "smolcell_sandboxes",
            callbacks=[lambda _: [metrics.Observation(live())]],
            unit="{sandbox}",
            description="Open sandboxes.",
        )


class SpanWriter:
    """Writes the spans of one run and of its managed agents."""

    def __init__(self, exporter: Exporter, parent: Any) -> None:
        self._exporter, self._parent = exporter, parent
        self._open: dict[str, Any] = {}
        self._root: Any = None

    def begin(self, span: Span) -> Mapping[str, str]:
        """Start the run's span; returns the headers that make requests its children."""
        started = self._start(span)
        headers: dict[str, str] = {}
        TraceContextTextMapPropagator().inject(headers, trace.set_span_in_context(started, self._parent))
        return headers

    def write(self, span: Span) -> None:
        """Start or end a span."""
        started = self._open.get(span.key) or self._start(span)
        if span.end is None or not started.is_recording():
            return
        started.set_attributes(_known(span))
        if span.error:
            started.set_status(Status(StatusCode.ERROR, span.error))
        started.end(_nanoseconds(span.end))

    def ids(self, key: str) -> tuple[str, str]:
        """Return trace id and span id of a span, else of the run's."""
        span = self._open.get(key, self._root)
        if span is None:
            return "", ""
        known = span.get_span_context()
        return f"{known.trace_id:032x}", f"{known.span_id:016x}"

    def _start(self, span: Span) -> Any:
        parent = self._open.get(span.parent)
        within = trace.set_span_in_context(parent, contexts.Context()) if parent is not None else self._parent
        ids = self._exporter.ids
        if ids is not None:
            ids.wanted.span = span
        try:
            started = self._exporter.tracer.start_span(
                span.name,
                context=within,
                kind=_KINDS.get(span.name.partition(" ")[0], SpanKind.INTERNAL),
                attributes=_known(span),  # samplers see them
                start_time=_nanoseconds(span.start),
                links=self._links(span),
            )
        finally:
            if ids is not None:
                ids.wanted.span = None
        self._open[span.key] = started
        self._root = self._root or started
        if span.key.endswith("#0"):
            self._exporter.remember(span.key, started.get_span_context())
        return started

    def _links(self, span: Span) -> list[Any]:
        """Return a link to the run that this one continues, if its ids are known: from this process, or derived."""
        there = self._exporter.runs.get(span.link)
        if there is None and span.link and self._exporter.ids is not None:
            run = span.link.partition("#")[0]
            there = SpanContext(trace_id(run), span_id(span.link), is_remote=True, trace_flags=TraceFlags(1))
        return [] if there is None else [Link(there, {"smolcell.link": "resumes"})]


def _known(span: Span) -> dict[str, Any]:
    return {name: value for name, value in span.attributes.items() if value != ""}


def _nanoseconds(seconds: float) -> int:
    return round(seconds * 1_000_000) * 1000


def _resource() -> Any:
    with importing():
        from opentelemetry.sdk.resources import Resource

    named = os.environ.get("OTEL_SERVICE_NAME") or "smolcell"
    return Resource.create({"service.name": named, "service.version": version("smolcell")})


def send(spans: Sequence[Span], endpoint: str) -> bool:
    """Send finished spans; returns whether the server accepted them."""
    with importing():
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExportResult
        from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    _tell_first_failure()
    kept, ids = InMemorySpanExporter(), own_ids()
    provider = TracerProvider(resource=_resource(), id_generator=ids, shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(kept))
    exporter = Exporter(provider, metrics.NoOpMeterProvider())
    exporter.ids = ids
    writers: dict[str, SpanWriter] = {}
    for span in spans:  # parents before children
        writers.setdefault(span.root, exporter.writer()).write(replace(span, end=None))
    for span in spans:
        writers[span.root].write(span)
    otlp, finished = OTLPSpanExporter(endpoint=traces_at(endpoint), timeout=10), kept.get_finished_spans()
    parts = (
        finished[start : start + _MAX_SPANS_PER_REQUEST] for start in range(0, len(finished), _MAX_SPANS_PER_REQUEST)
    )
    return all(otlp.export(part) is SpanExportResult.SUCCESS for part in parts)


def traces_at(endpoint: str) -> str:
    """Return the address at which a server accepts traces."""
    base = endpoint.rstrip("/")
    return base if base.endswith("/v1/traces") else f"{base}/v1/traces"
