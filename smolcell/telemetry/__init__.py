"""Traces, metrics and logs of runs, with OpenTelemetry and Python's ``logging``. Off by default.

Events are processed and exported on a separate thread: a step only puts them into a queue. A full queue drops events.
"""

from __future__ import annotations

import asyncio
import atexit
import json
import logging
import logging.handlers
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from queue import Full, Queue
from typing import TYPE_CHECKING, Any

from smolcell.core.text import clip, presentable
from smolcell.errors import SetupError
from smolcell.events import Asked, Called, Ended, Event, Observed, Opened, Refused, Replied, Unparsed, step_of
from smolcell.machine.environment import optional
from smolcell.protocols import trace_headers
from smolcell.telemetry.spans import Span, Tree, error_type

if TYPE_CHECKING:
    from smolcell.telemetry.otel import Exporter

__all__ = ["instrument"]

log = logging.getLogger("smolcell")
FLUSH_SECONDS = 2.0  # maximum seconds that the end of a run waits for exporters
_MAX_QUEUED_EVENTS = 10_000  # events

_exporter: Exporter | None = None
_log: EventLog | None = None
_file: Callable[[], str] = str  # the empty text
_live: Callable[[], int] = int  # 0


def instrument(tracer_provider: Any = None, meter_provider: Any = None) -> None:
    """Export traces and metrics of every run that starts from now on.

    Args:
        tracer_provider, meter_provider: OpenTelemetry's; None for those of the process, else for new ones that export by OTLP over
            HTTP, configured by the standard variables ``OTEL_EXPORTER_OTLP_*``. You flush and shut down your own providers.

    Raises:
        SetupError: the extra ``otel`` is not installed.
    """
    global _exporter
    if tracer_provider is None and meter_provider is None and _exporter is not None and _exporter.own:
        return  # called again, for example by a cell that is run again
    with needed():
        from smolcell.telemetry.otel import Exporter

        _exporter = Exporter(tracer_provider, meter_provider, lambda: _live())


@contextmanager
def needed() -> Iterator[None]:
    """Raise ``SetupError`` if an import of OpenTelemetry in the block fails, or its version does not fit."""
    with optional("an export of traces or metrics", "otel"):
        yield


def watch(live: Callable[[], int]) -> None:
    """Set the function that returns the number of open sandboxes."""
    global _live
    _live = live


def log_to(file: Callable[[], str] | None) -> None:
    """Set the default log file; None for standard error, which in a kernel is shown below a cell."""
    global _file
    _file = file or str


def observer(otel: str = "", log: str = "") -> Observer | None:
    """Return an observer of the run that starts now on this thread; None if telemetry is off.

    Args:
        otel, log: the settings; "" for the environment's.
    """
    exporter, written = _exporter_for(otel), _log_for(log)
    return Observer(exporter, written) if exporter is not None or written is not None else None


def _exporter_for(otel: str) -> Exporter | None:
    otel = otel or os.environ.get("SMOLCELL_OTEL", "")  # an agent without a session
    if otel == "off":
        return None
    if _exporter is None and (otel == "on" or os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT")):
        try:
            instrument()
        except Exception as error:  # for example an invalid variable of OpenTelemetry
            if otel == "on" and isinstance(error, SetupError):
                raise
            log.warning("telemetry is off: %s", presentable(str(error)))
    return _exporter


def _log_for(form: str) -> EventLog | None:
    global _log
    form = form or os.environ.get("SMOLCELL_LOG", "")
    if form in ("", "off"):
        return None
    file = os.environ.get("SMOLCELL_LOG_FILE", "") or _file()
    if _log is None or (_log.form, _log.file) != (form, file):
        if _log is not None:
            _log.close()
        _log = EventLog(form, file)
    return _log


class Observer:
    """Receives the events of one run and of its managed agents. Never raises or waits."""

    def __init__(self, exporter: Exporter | None, written: EventLog | None) -> None:
        self._exporter, self._log = exporter, written
        self._writer = exporter.writer() if exporter is not None else None
        self._tree = Tree(content=exporter.content if exporter is not None else False)
        self._begun = False

    def note(self, event: Event, at: float) -> None:
        """Add an event with its time, in seconds since 1970."""
        changed = None
        if self._writer is not None and not self._begun and isinstance(event, Asked):
            self._begun, changed = True, self._tree.add(event, at)
            try:  # at once: requests of the run carry the span's id
                trace_headers.set(self._writer.begin(changed[-1]))
            except Exception:
                log.warning("a trace could not be started; the run goes on", exc_info=True)
        _worker.put(partial(self._write, event, at, changed))

    def _write(self, event: Event, at: float, changed: list[Span] | None = None) -> None:
        changed = self._tree.add(event, at) if changed is None else changed
        ids = ("", "")
        if self._exporter is not None and self._writer is not None:
            for span in changed:
                _attempt(partial(self._writer.write, span))  # a span processor of the user may raise
            ids = self._writer.ids(changed[-1].key if changed else "")
            self._exporter.measure(event, at)
        if self._log is not None:
            self._log.write(event, at, ids)

    async def flush(self) -> None:
        """Wait until the events are exported, at most ``FLUSH_SECONDS``; does not wait while an earlier export is late."""
        worker, exported = _worker, threading.Event()
        loop, done = asyncio.get_running_loop(), asyncio.Event()
        if worker.late:
            return

        def export() -> None:
            if self._exporter is not None:
                _attempt(partial(self._exporter.flush, FLUSH_SECONDS))
            exported.set()
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(done.set)

        # An export that hangs must not delay the logs of later runs.
        if not worker.put(lambda: threading.Thread(target=export, name="smolcell-export", daemon=True).start()):
            return
        try:
            await asyncio.wait_for(done.wait(), FLUSH_SECONDS)
        except TimeoutError:
            worker.awaited = exported
            log.warning("the exporter of traces did not answer within %g s; runs end without it", FLUSH_SECONDS)


def _attempt(call: Callable[[], object]) -> None:
    try:
        call()
    except Exception:
        log.warning("telemetry failed; the run goes on", exc_info=True)


class _Worker:
    """A daemon thread that runs calls one after the other; started on first use, and again in a fork.

    Attributes:
        awaited: set when the last export that a run gave up waiting for has ended.
    """

    def __init__(self) -> None:
        self._calls: Queue[Callable[[], object]] = Queue(_MAX_QUEUED_EVENTS)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._dropped = 0
        self.awaited = threading.Event()
        self.awaited.set()

    @property
    def late(self) -> bool:
        """Whether an export is still going on that a run gave up waiting for."""
        return not self.awaited.is_set()

    def put(self, call: Callable[[], object]) -> bool:
        """Queue a call; returns whether there was room."""
        if self._thread is None:
            with self._lock:
                if self._thread is None:
                    self._thread = threading.Thread(target=self._work, name="smolcell-telemetry", daemon=True)
                    self._thread.start()
        try:
            self._calls.put_nowait(call)
        except Full:
            self._dropped += 1
            if self._dropped == 1:
                log.warning("telemetry does not keep up: events are dropped; runs go on")
            return False
        return True

    def _work(self) -> None:
        while True:
            _attempt(self._calls.get())


_worker = _Worker()


def _renew() -> None:
    global _worker
    _worker = _Worker()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)


@atexit.register
def _flush_at_exit() -> None:
    """Wait a moment for queued calls, unless a run has already waited; runs that ended were flushed."""
    if _worker._thread is None or _worker.late:
        return
    done = threading.Event()
    if _exporter is not None:
        _worker.put(partial(_exporter.flush, FLUSH_SECONDS))
    _worker.put(done.set)
    done.wait(FLUSH_SECONDS)


# --- logs ----------------------------------------------------------------------------------------------------------


FORMS = ("json", "text", "off")
_MAX_LOG_BYTES, _KEPT_LOG_FILES = 10_000_000, 3  # bytes of a log file, and older files that are kept
_MAX_FIELD_CHARS = 200  # characters of a field
_WARNINGS = logging.getLogger("smolcell")


class EventLog:
    """Writes events to standard error, or to a file that is rotated.

    Args:
        form: json or text.
        file: its path; "" for standard error.

    Raises:
        SetupError: the form is unknown, or the file cannot be written.
    """

    def __init__(self, form: str, file: str = "") -> None:
        if form not in FORMS:
            raise SetupError(f"SMOLCELL_LOG is {form[:_MAX_FIELD_CHARS]!r}: valid values are: {', '.join(FORMS)}")
        self.form, self.file = form, file
        self._logger = logging.getLogger("smolcell.events")
        try:
            handler: logging.Handler = (
                logging.handlers.RotatingFileHandler(
                    file, maxBytes=_MAX_LOG_BYTES, backupCount=_KEPT_LOG_FILES, encoding="utf-8"
                )
                if file
                else logging.StreamHandler(sys.__stderr__ or sys.stderr)
            )
        except OSError as error:
            raise SetupError(f"the log {file} cannot be written: {error.strerror}; set SMOLCELL_LOG_FILE") from None
        handler.setFormatter(Formatter(form))
        self._handler = handler
        for logger in (self._logger, _WARNINGS):
            logger.addHandler(handler)
        self._logger.setLevel(logging.INFO)
        self._logger.propagate = False

    def write(self, event: Event, at: float, ids: tuple[str, str] = ("", "")) -> None:
        """Write one event; ``ids`` are the ids of its trace and span."""
        name, level = type(event).__name__, _level(event)
        fields = {"run": event.run, "step": step_of(event), **_more(event)}
        if ids[0]:
            fields |= {"trace_id": ids[0], "span_id": ids[1]}
        record = self._logger.makeRecord(self._logger.name, level, "", 0, name, (), None)
        record.created, record.smolcell = at, fields
        self._logger.handle(record)

    def close(self) -> None:
        """Close the file."""
        for logger in (self._logger, _WARNINGS):
            logger.removeHandler(self._handler)
        self._handler.close()


class Formatter(logging.Formatter):
    """Formats a record as one line."""

    def __init__(self, form: str) -> None:
        super().__init__()
        self._form = form

    def format(self, record: logging.LogRecord) -> str:
        """Format as a JSON object, or as text."""
        event, extra = record.getMessage(), getattr(record, "smolcell", None)
        if extra is None:
            event, extra = "Log", {"run": "", "step": 0, "message": event}
        fields: dict[str, Any] = {
            name: _clean(value) if isinstance(value, str) else value for name, value in extra.items()
        }
        time = datetime.fromtimestamp(record.created, UTC).isoformat()
        head = {"time": time, "level": record.levelname.lower(), "event": _clean(event)}
        if self._form == "json":
            return json.dumps({**head, **fields})
        return " ".join([time, record.levelname, head["event"], *(f"{name}={value}" for name, value in fields.items())])


def _clean(text: str) -> str:
    return clip(presentable(text), _MAX_FIELD_CHARS)


def _level(event: Event) -> int:
    match event:
        case Ended(state="error"):
            return logging.ERROR
        case Refused() | Unparsed() | Ended(state="refused" | "stopped" | "max_steps_error"):
            return logging.WARNING
        case Observed() | Called() if event.error:
            return logging.WARNING
        case _:
            return logging.INFO


def _more(event: Event) -> dict[str, Any]:
    """Return further fields of a line, never text that a model, user or program wrote."""
    fields = {name: getattr(event, name) for name in _FIELDS if hasattr(event, name)}
    if isinstance(event, Opened):
        fields |= {"sandbox": event.boundary.sandbox, "isolated": event.boundary.isolated}
    elif isinstance(event, Called):
        fields["tool"] = event.name
    elif isinstance(event, Observed):
        fields["outcome"] = event.error.kind if event.error else "success"
    elif isinstance(event, Replied):
        usage = event.usage
        fields |= {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens, "cost": usage.cost}
    if isinstance(event, Called | Ended):
        fields["error"] = error_type(event.error)
    return fields


_FIELDS = ("model", "call", "kind", "by", "edited", "sha256", "then", "duration", "state")
