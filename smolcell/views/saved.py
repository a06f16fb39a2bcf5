"""What of a run may be saved with a notebook: its events without secrets, in bounds.

The rules this file exists to keep:

* Secrets go first, then what is too much: no bound can cut a secret so that it is no longer known as one.
* No permit's nonce, and no text that is not UTF-8, which a notebook cannot hold.
* A notebook stays a file that opens: pictures and texts of one run have a budget each, spent from its first step on. What is left out is
  said where it stood; the journal has it all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from smolcell.redact import redact_json

Json = dict[str, Any]

MIME = "application/vnd.smolcell.run+json"
VERSION = 1
MOST_PICTURES = 4_000_000  # characters of base64 in a run, about 3 MB
MOST_TEXT = 2_000_000  # characters of everything else in a run
MOST_RICH = 200_000  # characters of one output that is neither a picture nor plain text
SHORT = 200  # characters that are kept of a text when the budget is spent
NOTHING_TO_CUT = ("event", "run", "kind", "fingerprint", "sha256", "state", "by", "scope", "then", "parent")


def record(events: Sequence[Json]) -> Json:
    """The run as it is saved beside its HTML: ``{"version": 1, "events": […]}``, from events that ``redacted`` gave."""
    return {"version": VERSION, "events": list(events)}


def redacted(events: Sequence[Json]) -> list[Json]:
    """The events' JSON without secrets, in bounds. Images pass as they are: in base64 a secret's pattern is an accident."""
    bounds = _Bounds()
    return [bounds.event({**redact_json(event), **_images(event)}) for event in events]


def _images(event: Json) -> Json:
    if event["event"] == "Asked":
        return {"images": event["images"]}
    if event["event"] == "Observed":
        return {"outputs": [{"data": _bundle(output["data"])} for output in event["outputs"]]}
    return {}


def _bundle(data: dict[str, str]) -> dict[str, str]:
    return {mime: text if mime.startswith("image/") else redact_json(text) for mime, text in data.items()}


class _Bounds:
    """The budgets of one run."""

    def __init__(self) -> None:
        self._pictures, self._text = MOST_PICTURES, MOST_TEXT

    def event(self, event: Json) -> Json:
        taken: Json = {}
        for name, value in event.items():
            if name in NOTHING_TO_CUT:
                taken[name] = value
            elif name == "nonce":
                continue
            elif name == "images":
                taken[name] = [image for image in value if self._picture(image)]
            elif name == "outputs":
                taken[name] = [{"data": self._output(output["data"])} for output in value]
            elif name == "findings" and self._text <= 0:
                taken[name] = []
            else:
                taken[name] = self._value(value)
        return taken

    def _output(self, data: dict[str, str]) -> dict[str, str]:
        kept: dict[str, str] = {}
        left_out = 0
        for mime, text in data.items():
            if mime == "text/plain":
                kept[mime] = self._value(text)
            elif self._picture(text) if mime.startswith("image/") else self._rich(text):
                kept[mime] = text
            else:
                left_out += len(text)
        if left_out and set(kept) <= {"text/plain"}:
            note = f"[{left_out:,} characters of this output are left out of the saved notebook]"
            kept["text/plain"] = "\n".join(filter(None, (kept.get("text/plain", ""), note)))
        return kept

    def _picture(self, data: str) -> bool:
        fits = len(data) <= self._pictures
        self._pictures -= len(data) if fits else 0
        return fits

    def _rich(self, text: str) -> bool:
        fits = len(text) <= min(MOST_RICH, self._text)
        self._text -= len(text) if fits else 0
        return fits

    def _value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._clipped(value)
        if isinstance(value, list):
            return [self._value(item) for item in value]
        if isinstance(value, dict):
            return {key: self._value(item) for key, item in value.items()}
        return value

    def _clipped(self, text: str) -> str:
        text = text.encode("utf-8", "backslashreplace").decode()  # lone surrogates
        room = max(SHORT, self._text)
        self._text -= min(len(text), room)
        if len(text) <= room:
            return text
        return f"{text[:room]}… [{len(text) - room:,} more characters are left out of the saved notebook]"
