"""What of a run may be saved with a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from smolcell.redact import redact_json

Json = dict[str, Any]


def redacted(events: Sequence[Json]) -> list[Json]:
    """The events' JSON without secrets. Images pass as they are: in base64 a secret's pattern is an accident."""
    return [{**redact_json(event), **_images(event)} for event in events]


def _images(event: Json) -> Json:
    if event["event"] == "Asked":
        return {"images": event["images"]}
    if event["event"] == "Observed":
        return {"outputs": [{"data": _bundle(output["data"])} for output in event["outputs"]]}
    return {}


def _bundle(data: dict[str, str]) -> dict[str, str]:
    return {mime: text if mime.startswith("image/") else redact_json(text) for mime, text in data.items()}
