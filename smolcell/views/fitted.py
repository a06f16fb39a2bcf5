"""What of a step's outputs goes to the page, and so into the widget's state and a saved notebook.

The rules this file exists to keep:

* What the page would refuse to show is not sent to it: images that lie or unpack to too much, texts that are too long, types that
  it does not know.
* That something was refused is sent in its place, with the reason. A sandbox cannot say it: its own word for it is dropped.
"""

from __future__ import annotations

import json
import re
from typing import Any

from smolcell.views.images import IMAGES, image_fault
from smolcell.worker.grid import MIME as TABLE

Json = dict[str, Any]

REFUSED = "application/vnd.smolcell.refused+json"
"""Where it is told what was refused: an object of MIME type to reason."""
TEXTS = ("text/plain", "text/html", "image/svg+xml", TABLE)
MOST_TEXT = 1_000_000  # characters; the page draws no more of one
MOST_NAMED = 100  # characters of a type's name

_IMAGE_WITHIN = re.compile(r"data:(image/[a-z+]{3,8});base64,([A-Za-z0-9+/=\s]*)", re.ASCII | re.IGNORECASE)


def fitted(event: Json) -> Json:
    """The event's JSON with outputs that the page shows; one that has none is returned as it is."""
    if event["event"] != "Observed" or not event["outputs"]:
        return event
    return {**event, "outputs": [{"data": _bundle(output["data"])} for output in event["outputs"]]}


def refused_images(data: dict[str, str]) -> list[str]:
    """Why images of a bundle, fitted or not, are not shown; in words."""
    try:
        told = json.loads(data.get(REFUSED, "{}"))
    except ValueError:
        told = {}
    before = {mime: str(why) for mime, why in told.items()} if isinstance(told, dict) else {}
    now = {mime: image_fault(mime, text) for mime, text in data.items() if mime in IMAGES}
    return [why for mime, why in {**before, **now}.items() if mime in IMAGES and why]


def _bundle(data: dict[str, str]) -> dict[str, str]:
    kept = {mime: text for mime, text in data.items() if mime != REFUSED}
    told = {mime[:MOST_NAMED]: why for mime, text in kept.items() if (why := _fault(mime, text))}
    kept = {mime: text for mime, text in kept.items() if not _fault(mime, text)}
    if "text/html" in kept:
        kept["text/html"] = _IMAGE_WITHIN.sub(_image_within, kept["text/html"])
    return {**kept, REFUSED: json.dumps(told)} if told else kept


def _fault(mime: str, text: str) -> str:
    if mime in IMAGES:
        return image_fault(mime, text)
    if mime not in TEXTS:
        return "of a type that is not shown"
    return "longer than 1,000,000 characters" if len(text) > MOST_TEXT else ""


def _image_within(found: re.Match[str]) -> str:
    return "data:," if image_fault(found[1].lower(), found[2]) else found[0]
