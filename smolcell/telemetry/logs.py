"""One log line per event and per warning, as JSON or as text, without content: Python's ``logging``, logger ``smolcell``."""

from __future__ import annotations

import json
import logging
import logging.handlers
import sys
from datetime import UTC, datetime
from typing import Any

from smolcell.errors import SetupError
from smolcell.events import Called, Ended, Event, Observed, Opened, Refused, Replied, Unparsed, step_of
from smolcell.redaction import presentable
from smolcell.telemetry.spans import error_type
from smolcell.text import clip

FORMS = ("json", "text", "off")
_LARGEST, _KEPT = 10_000_000, 3  # bytes of a log file, and older files that are kept
_SHORT = 200  # characters of a field
_WARNINGS = logging.getLogger("smolcell")


class EventLog:
    """Writes events to standard error, or to a file that is rotated.

    Args:
        form: json or text.
        file: its path; "" for standard error.

    Raises:
        SetupError: there is no such form, or the file cannot be written.
    """

    def __init__(self, form: str, file: str = "") -> None:
        if form not in FORMS:
            raise SetupError(f"SMOLCELL_LOG is {form[:_SHORT]!r}: valid values are: {', '.join(FORMS)}")
        self.form, self.file = form, file
        self._logger = logging.getLogger("smolcell.events")
        try:
            handler: logging.Handler = (
                logging.handlers.RotatingFileHandler(file, maxBytes=_LARGEST, backupCount=_KEPT, encoding="utf-8")
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
        """Write one event; ``ids``: of its trace and its span."""
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
    """A record as one line."""

    def __init__(self, form: str) -> None:
        super().__init__()
        self._form = form

    def format(self, record: logging.LogRecord) -> str:
        """One JSON object, or words."""
        event, found = record.getMessage(), getattr(record, "smolcell", None)
        if found is None:
            event, found = "Log", {"run": "", "step": 0, "message": event}
        fields: dict[str, Any] = {
            name: _clean(value) if isinstance(value, str) else value for name, value in found.items()
        }
        time = datetime.fromtimestamp(record.created, UTC).isoformat()
        head = {"time": time, "level": record.levelname.lower(), "event": _clean(event)}
        if self._form == "json":
            return json.dumps({**head, **fields})
        return " ".join([time, record.levelname, head["event"], *(f"{name}={value}" for name, value in fields.items())])


def _clean(text: str) -> str:
    return clip(presentable(text), _SHORT)


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
    """The further fields of a line; never written or printed text."""
    found = {name: getattr(event, name) for name in _FIELDS if hasattr(event, name)}
    if isinstance(event, Opened):
        found |= {"sandbox": event.boundary.sandbox, "isolated": event.boundary.isolated}
    elif isinstance(event, Called):
        found["tool"] = event.name
    elif isinstance(event, Observed):
        found["outcome"] = event.error.kind if event.error else "success"
    elif isinstance(event, Replied):
        usage = event.usage
        found |= {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens, "cost": usage.cost}
    if isinstance(event, Called | Ended):
        found["error"] = error_type(event.error)
    return found


_FIELDS = ("model", "call", "kind", "by", "edited", "sha256", "then", "duration", "state")
