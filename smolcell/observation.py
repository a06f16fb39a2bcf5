"""What the model reads, and sees, of what a step did. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from smolcell.events import Fault, Observed
from smolcell.messages import Message

FILES_TOLD = 20  # of a step
IMAGE_KINDS = ("image/png", "image/jpeg", "image/gif", "image/webp")
IMAGES_SHOWN = 4  # of a step
LARGEST = 5_000_000  # characters of an image that is shown


def told(event: Observed, *, seen: bool) -> Message:
    """The observation as a message; with the images that the step made, where the model sees them."""
    shown = pictures(event) if seen else []
    text = observation(event, shown=len(shown))
    return Message("user", [{"type": "text", "text": text}, *map(image, shown)] if shown else text)


def observation(event: Observed, *, shown: int = 0) -> str:
    """What the model reads of one step. ``shown``: how many of its images the model sees."""
    parts = [f"Observation of call {event.call}:" if event.call else f"Observation of step {event.step}:"]
    if event.stdout:
        parts.append(f"Printed:\n{event.stdout.rstrip()}")
    if event.dropped:
        parts.append(f"[{event.dropped} more characters were printed and left out. Print less.]")
    if event.result:
        parts.append(f"{'Result' if event.call else 'Value of the last expression'}:\n{event.result}")
    images = sum(1 for bundle in event.outputs if any(mime.startswith("image/") for mime in bundle.data))
    if images:
        to = "the person" if not shown else "you too" if shown == images else f"the person, {shown} of them to you"
        parts.append(f"[{images} image{'s' if images > 1 else ''} shown to {to}]")
    if event.files:
        names = ", ".join(f"{file.name} ({file.size:,} bytes)" for file in event.files[:FILES_TOLD])
        more = f" and {len(event.files) - FILES_TOLD} more" if len(event.files) > FILES_TOLD else ""
        parts.append(f"Files written: {names}{more}")
    if event.error is not None:
        parts.append(_fault(event.error))
    if event.state_lost:
        parts.append(
            "[The sandbox was restarted: all variables of earlier steps are gone. Define what you need again.]"
        )
    if len(parts) == 1:
        parts.append("It returned nothing." if event.call else "The program ran and printed nothing.")
    return "\n".join(parts)


def _fault(error: Fault) -> str:
    where = f" (line {error.line})" if error.line else ""
    return f"Error{where}:\n{error.traceback.rstrip() or f'{error.type}: {error.message}'}"


def pictures(event: Observed) -> list[str]:
    """The images that a step made, as data URLs: the first few, without those that are too large to be sent."""
    urls = (_picture(bundle.data) for bundle in event.outputs)
    return [url for url in urls if 0 < len(url) <= LARGEST][:IMAGES_SHOWN]


def _picture(data: Mapping[str, str]) -> str:
    return next((f"data:{kind};base64,{''.join(data[kind].split())}" for kind in IMAGE_KINDS if kind in data), "")


def image(url: str) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": url}}
