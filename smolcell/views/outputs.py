"""Selects the outputs that are shown and saved: images and videos whose data fits their type, and that are not too large to unpack.

A small file may unpack to billions of pixels, so the size is read from the header. The twin of ``labextension/src/core/image.ts``, which
names the sources; ``tests/contract/images.json`` tests both.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from smolcell.core.chain import links
from smolcell.core.redaction import redact_event, redact_of_run
from smolcell.events import sha256
from smolcell.worker.runner import charts
from smolcell.worker.runner.display import MIME as TABLE

CHARTS = charts.MIMES
IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp")
VIDEOS = {"video/mp4": (4, b"ftyp"), "video/webm": (0, b"\x1a\x45\xdf\xa3")}
"""Magic numbers of videos, with their offsets."""
MAX_IMAGE_CHARS = 7_000_000  # characters of base64, about 5 MB
MAX_PIXELS = 40_000_000
HEADER_CHARS = 400_000  # characters of base64 within which the size must be; in a JPEG, a profile may come first

_BASE64 = re.compile(r"[A-Za-z0-9+/=\s]+", re.ASCII)


def is_shown(mime: str, data: str) -> bool:
    """Return whether an image or a video may be shown; ``data`` is base64, possibly with white space."""
    return image_fault(mime, data) == ""


def image_fault(mime: str, data: str) -> str:
    """Return why an image or a video is not shown; "" if it is."""
    if len(data) > MAX_IMAGE_CHARS:
        return "larger than 5 MB"
    if not data or not _BASE64.fullmatch(data):
        return "not base64"
    if mime in VIDEOS:
        at, mark = VIDEOS[mime]
        return "" if _header(data)[at : at + len(mark)] == mark else f"not what it claims to be, {mime}"
    size = image_size(mime, data)
    if size is None:
        return f"not what it claims to be, {mime}"
    return f"{size[0]} by {size[1]} pixels" if size[0] * size[1] > MAX_PIXELS else ""


def image_size(mime: str, data: str) -> tuple[int, int] | None:
    """Return width and height in pixels from the header; None if it is no such image."""
    size = _READERS[mime](_header(data)) if mime in _READERS else None
    return size if size is not None and min(size) > 0 else None


def _header(data: str) -> bytes:
    start = re.sub(r"\s", "", data[:HEADER_CHARS])
    try:
        return base64.b64decode(start[: len(start) - len(start) % 4], validate=True)
    except (binascii.Error, ValueError):
        return b""


def _png(data: bytes) -> tuple[int, int] | None:
    if len(data) < 24 or data[:8] != b"\x89PNG\r\n\x1a\n" or data[12:16] != b"IHDR":
        return None
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def _gif(data: bytes) -> tuple[int, int] | None:
    if len(data) < 10 or data[:6] not in (b"GIF87a", b"GIF89a"):
        return None
    return _little(data, 6), _little(data, 8)


def _jpeg(data: bytes) -> tuple[int, int] | None:
    """Return the size from a frame header: every such marker, except those of Huffman tables, extensions and arithmetic coding."""
    if data[:2] != b"\xff\xd8":
        return None
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # padding
            at += 1
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        else:
            at += 2 + max(int.from_bytes(data[at + 2 : at + 4], "big"), 2)
    return None


def _webp(data: bytes) -> tuple[int, int] | None:
    if len(data) < 30 or data[:4] != b"RIFF" or data[8:12] != b"WEBP":
        return None
    if data[12:16] == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        return _little(data, 26) & 0x3FFF, _little(data, 28) & 0x3FFF
    if data[12:16] == b"VP8L" and data[20] == 0x2F:
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1
    if data[12:16] == b"VP8X":
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    return None


def _little(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 2], "little")


_READERS: dict[str, Callable[[bytes], tuple[int, int] | None]] = {
    "image/png": _png,
    "image/jpeg": _jpeg,
    "image/gif": _gif,
    "image/webp": _webp,
}


# --- The outputs of a step that are sent to the page, and so to the widget's state and a saved notebook.
#
# * Outputs that the page would refuse are not sent: images with false types or too many pixels, texts that are too long, unknown types.
# * Instead, a report with the reason is sent. A sandbox cannot imitate it: reports from the sandbox are dropped.


Json = dict[str, Any]

REFUSED = "application/vnd.smolcell.refused+json"
"""The MIME type of a report of refused outputs: an object of MIME type to reason."""
TEXTS = ("text/plain", "text/html", "text/markdown", "text/latex", "image/svg+xml", TABLE)
MAX_TEXT_CHARS = 1_000_000  # characters; the page shows no longer text
MAX_CHART_CHARS = 3_000_000  # characters of a chart's specification
MAX_LIVE_CHARS = 1_500_000  # characters of one output while its step runs
MAX_TYPE_CHARS = 100  # characters of a type's name

_IMAGE_WITHIN = re.compile(r"data:(image/[a-z+]{3,8});base64,([A-Za-z0-9+/=\s]*)", re.ASCII | re.IGNORECASE)


def fitted(event: Json) -> Json:
    """Return the event's JSON with only the outputs that the page shows; unchanged if it has none."""
    if event["event"] != "Observed" or not event["outputs"]:
        return event
    return {**event, "outputs": [{"data": _bundle(output["data"])} for output in event["outputs"]]}


def fitted_live(shown: Json) -> Json:
    """Return the same for an output of a running step. Charts, which are drawn at the end, and long outputs become text."""
    if shown["data"] is None:
        return shown
    data = _bundle({mime: text for mime, text in shown["data"].items() if mime not in CHARTS})
    if sum(map(len, data.values())) > MAX_LIVE_CHARS:
        data = {"text/plain": data.get("text/plain", "") or "a large output"}
    return {**shown, "data": data}


Output = TypeVar("Output")


def in_order(text: str, places: Sequence[int], outputs: Sequence[Output]) -> Iterator[str | Output]:
    """Yield printed text in pieces, with each output where it was displayed.

    Args:
        text: the printed text.
        places: the number of its lines before each output; outputs without one come at the end.
        outputs: the outputs, in any form.
    """
    lines, done = re.findall(r"[^\n]*\n|[^\n]+", text), 0
    for at, output in enumerate(outputs):
        place = max(done, places[at]) if at < len(places) else len(lines)
        if piece := "".join(lines[done:place]):
            yield piece
        yield output
        done = place
    if piece := "".join(lines[done:]):
        yield piece


def refused_images(data: dict[str, str]) -> list[str]:
    """Return why images of a bundle, filtered or not, are not shown."""
    try:
        refused = json.loads(data.get(REFUSED, "{}"))
    except ValueError:
        refused = {}
    before = {mime: str(why) for mime, why in refused.items()} if isinstance(refused, dict) else {}
    now = {mime: image_fault(mime, text) for mime, text in data.items() if mime in IMAGES}
    return [why for mime, why in {**before, **now}.items() if mime in IMAGES and why]


def _bundle(data: dict[str, str]) -> dict[str, str]:
    outputs = {mime: text for mime, text in data.items() if mime != REFUSED}
    reasons = {mime[:MAX_TYPE_CHARS]: why for mime, text in outputs.items() if (why := _fault(mime, text))}
    outputs = {mime: text for mime, text in outputs.items() if not _fault(mime, text)}
    if "text/html" in outputs:
        outputs["text/html"] = _IMAGE_WITHIN.sub(_image_within, outputs["text/html"])
    return {**outputs, REFUSED: json.dumps(reasons)} if reasons else outputs


def _fault(mime: str, text: str) -> str:
    if mime in IMAGES or mime in VIDEOS:
        return image_fault(mime, text)
    if mime not in TEXTS and mime not in CHARTS:
        return "of a type that is not shown"
    most = MAX_CHART_CHARS if mime in CHARTS else MAX_TEXT_CHARS
    return f"longer than {most:,} characters" if len(text) > most else ""


# --- Pictures of charts, drawn by the page.


@dataclass(frozen=True)
class Picture:
    """A chart's picture, PNG in base64, and its place: run, step, call of the step (0: the step itself), number of the output."""

    run: str
    step: int
    call: int
    output: int
    data: str


def read_picture(content: Mapping[str, Any]) -> Picture | None:
    """Return the picture in a page's message; None if it is not valid."""
    run, data = content.get("run"), content.get("data")
    step, call, output = (content.get(name) for name in ("step", "call", "output"))
    if type(run) is not str or type(step) is not int or type(call) is not int or type(output) is not int:
        return None
    return Picture(run, step, call, output, data) if type(data) is str and is_shown("image/png", data) else None


def add_picture(events: Sequence[Json], picture: Picture) -> bool:
    """Add a picture to the events' JSON, beside its chart. Returns False if there is no chart without a picture, or no room."""
    place = (picture.run, picture.step, picture.call)
    seen = [event for event in events if event["event"] == "Observed"]
    here = [event for event in seen if (event["run"], event["step"], event.get("call", 0)) == place]
    outputs = here[-1]["outputs"] if here else []
    if not 0 <= picture.output < len(outputs):
        return False
    data = outputs[picture.output]["data"]
    bundles = (output["data"] for event in seen for output in event["outputs"])
    room = MAX_PICTURES_CHARS - sum(len(text) for bundle in bundles for mime, text in bundle.items() if mime in IMAGES)
    if data.keys().isdisjoint(CHARTS) or "image/png" in data or len(picture.data) > room:
        return False
    data["image/png"] = picture.data
    return True


def _image_within(match: re.Match[str]) -> str:
    return "data:," if image_fault(match[1].lower(), match[2]) else match[0]


# --- The part of a run that is saved with a notebook: its events, redacted and bounded.
#
# * Secrets are redacted before texts are shortened, so that no cut can hide a secret from redaction.
# * No permit's nonce, and no text that is not UTF-8, which a notebook cannot hold.
# * The notebook stays small enough to open: pictures and texts of one run each have a budget, spent from its first step on. Omissions
#   are noted in place; the journal has everything.


MIME = "application/vnd.smolcell.run+json"
VERSION = 1
MAX_PICTURES_CHARS = 4_000_000  # characters of base64 in a run, about 3 MB
MAX_SAVED_TEXT_CHARS = 2_000_000  # characters of everything else in a run
MAX_RICH_CHARS = 200_000  # characters of one output that is neither a picture nor plain text
MAX_CONTEXT_CHARS = 20_000  # characters of one piece of notebook context
SHORT_CHARS = 200  # characters kept of a text after the budget is spent
NOTHING_TO_CUT = ("event", "run", "kind", "fingerprint", "sha256", "state", "by", "who", "scope", "then", "parent")


def record(events: Sequence[Json], shown: Mapping[str, str] | None = None) -> Json:
    """Return the run as it is saved beside its HTML, from events that ``redacted`` returned.

    ``{"version": 1, "events": […], "chain": […], "shown": {…}}``: a link for each event, and the digests of ``shown``, the texts beside
    it. Of charts, only picture and text are saved, not the specification.
    """
    kept = [_without_charts(event) for event in events]
    digests = {mime: sha256(text) for mime, text in (shown or {}).items()}
    return {"version": VERSION, "events": kept, "chain": list(links(kept)), "shown": digests}


def _without_charts(event: Json) -> Json:
    if event["event"] != "Observed":
        return event
    kept = [{mime: text for mime, text in output["data"].items() if mime not in CHARTS} for output in event["outputs"]]
    return {**event, "outputs": [{"data": data} for data in kept]}


# A notebook that is run again without a page has the same data: everything that differs each time is in the output's metadata.

MAX_NESTED = 8
"""Levels of nesting in which a record may differ."""


def without_run_details(events: Sequence[Json]) -> list[Json]:
    """Return the events' JSON without values that differ in each run: ids, seconds, processes and files."""
    names: dict[str, str] = {"": ""}
    return [_without_run_details(event, names) for event in events]


def _without_run_details(event: Json, names: dict[str, str]) -> Json:
    same = dict(event)
    for name in ("run", "parent", "resumes"):
        if name in event:
            same[name] = names.setdefault(event[name], f"run-{len(names)}")
    if "duration" in event:
        same["duration"] = 0.0
    if event["event"] == "Opened":
        same["boundary"] = {**event["boundary"], "where": event["boundary"]["sandbox"]}
    if event.get("receipt"):
        same["receipt"] = {name: value for name, value in event["receipt"].items() if name not in ("record", "timings")}
    return same


def run_details(same: Any, this: Any) -> Any:
    """Return the values of ``this`` that differ from ``same``: by name, or by list index as text."""
    if isinstance(same, dict) and isinstance(this, dict):
        return {name: run_details(same.get(name), value) for name, value in this.items() if value != same.get(name)}
    if isinstance(same, list) and isinstance(this, list) and len(same) == len(this):
        pairs = enumerate(zip(same, this, strict=True))
        return {str(place): run_details(one, other) for place, (one, other) in pairs if one != other}
    return this


def merge_record(same: Any, differs: Any, deep: int = MAX_NESTED) -> Any:
    """Return ``same`` with the values of ``run_details``."""
    if not isinstance(differs, dict) or not isinstance(same, dict | list) or not deep:
        return differs
    if isinstance(same, list):
        return [
            merge_record(value, differs[str(place)], deep - 1) if str(place) in differs else value
            for place, value in enumerate(same)
        ]
    return {**same, **{name: merge_record(same.get(name), value, deep - 1) for name, value in differs.items()}}


def bounded(events: Sequence[Json]) -> list[Json]:
    """Return the events' JSON, shortened to the bounds of a saved notebook. Call ``redacted`` first."""
    bounds = _Bounds()
    return [bounds.event(event) for event in events]


def redacted(events: Sequence[Json]) -> list[Json]:
    """Return the events' JSON, redacted and bounded.

    Images and videos whose data fits their type are unchanged: in base64, a secret's pattern is a coincidence. Everything else,
    including SVG, is redacted as text.
    """
    return bounded([{**redact_event(event), **_images(event)} for event in events])


def _images(event: Json) -> Json:
    clean = partial(redact_of_run, event["run"])
    if event["event"] == "Asked":
        return {"images": [image if is_shown(*_parts(image)) else clean(image) for image in event["images"]]}
    if event["event"] == "Observed":
        bundles = (output["data"].items() for output in event["outputs"])
        kept = ({clean(mime): text if is_shown(mime, text) else clean(text) for mime, text in data} for data in bundles)
        return {"outputs": [{"data": data} for data in kept]}
    return {}


def _parts(url: str) -> tuple[str, str]:
    """Return type and base64 of a data URL."""
    mime, _, data = url.removeprefix("data:").partition(";base64,")
    return mime, data


class _Bounds:
    """The budgets of one run."""

    def __init__(self) -> None:
        self._pictures, self._text = MAX_PICTURES_CHARS, MAX_SAVED_TEXT_CHARS

    def event(self, event: Json) -> Json:
        return {name: self._field(name, value) for name, value in event.items() if name != "nonce"}

    def _field(self, name: str, value: Any) -> Any:
        if name in NOTHING_TO_CUT:
            return value
        if name == "images":
            return [image for image in value if self._picture(image)]
        if name == "outputs":
            return [{"data": self._output(output["data"])} for output in value]
        if name == "pieces":
            return [
                {**self._value({**piece, "text": ""}), "text": self._clipped(piece["text"], MAX_CONTEXT_CHARS)}
                for piece in value
            ]
        if name == "findings" and self._text <= 0:
            return []
        return self._value(value)

    def _output(self, data: dict[str, str]) -> dict[str, str]:
        saved: dict[str, str] = {}
        left_out = 0
        for mime, text in data.items():
            if mime == "text/plain":
                saved[mime] = self._value(text)
            elif self._picture(text) if mime.startswith(("image/", "video/")) else self._rich(text):
                saved[mime] = text
            else:
                left_out += len(text)
        if left_out and set(saved) <= {"text/plain"}:
            note = f"[{left_out:,} characters of this output are left out of the saved notebook]"
            saved["text/plain"] = "\n".join(filter(None, (saved.get("text/plain", ""), note)))
        return saved

    def _picture(self, data: str) -> bool:
        fits = len(data) <= self._pictures
        self._pictures -= len(data) if fits else 0
        return fits

    def _rich(self, text: str) -> bool:
        fits = len(text) <= min(MAX_RICH_CHARS, self._text)
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

    def _clipped(self, text: str, most: int = MAX_SAVED_TEXT_CHARS) -> str:
        text = text.encode("utf-8", "backslashreplace").decode()  # lone surrogates
        room = max(SHORT_CHARS, min(most, self._text))
        self._text -= min(len(text), room)
        if len(text) <= room:
            return text
        end = room // 5
        note = f"… [{len(text) - room:,} more characters are left out of the saved notebook] …"
        return f"{text[: room - end]}{note}{text[len(text) - end :]}"
