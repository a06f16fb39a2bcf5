"""The calls of a reply, and what became of them, as the model reads them. Pure.

By the protocol of OpenAI's chat completions ("Function calling"): a message with its calls, then one of role "tool" for each of them, in
order, whatever became of it. A model that calls in text reads one message with all of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from smolcell.events import Allowed, Event, History, Observed, Proposed, Refused, Replied
from smolcell.messages import Message
from smolcell.observation import image, observation, pictures

GONE = "[The observation of this step was left out to keep the conversation within its budget.]"
NOT_RUN = "This call was not run."
_OF_CALLS = (Proposed, Allowed, Refused, Observed)

Place = tuple[str, int]
Outcome = list[Event]


def place_of(event: Any) -> Place:
    """The run and step of an event; -1 for one that belongs to no step."""
    return event.run, getattr(event, "step", -1)


def by_call(history: History) -> dict[Place, dict[int, Outcome]]:
    """What became of each call, by step and number."""
    found: dict[Place, dict[int, Outcome]] = {}
    for event in history:
        if isinstance(event, _OF_CALLS) and event.call:
            found.setdefault(place_of(event), {}).setdefault(event.call, []).append(event)
    return found


def called(replied: Replied, calls: Mapping[int, Outcome], seen: bool, gone: set[Place]) -> Iterator[Message]:
    """The reply, and what became of its calls.

    Args:
        replied: the reply.
        calls: by number, from 1.
        seen: the model sees images.
        gone: steps whose observations are left out.
    """
    if not (calls or replied.calls):
        yield Message("assistant", replied.text if replied.text.strip() else "[an empty reply]")
        return
    trimmed = place_of(replied) in gone
    if replied.calls:
        yield from _native(replied, calls, trimmed)
    else:
        yield Message("assistant", replied.text)
        told = GONE if trimmed else "\n\n".join(_said(number, calls[number]) for number in sorted(calls))
        yield Message("user", told)
    shown = [] if trimmed or not seen else [url for events in calls.values() for url in _pictures(events)]
    if shown:
        yield Message("user", [{"type": "text", "text": "Images that these calls made:"}, *map(image, shown)])


def _native(replied: Replied, calls: Mapping[int, Outcome], trimmed: bool) -> Iterator[Message]:
    ids = [f"call-{replied.step}-{number}" for number in range(1, len(replied.calls) + 1)]
    made = [
        {"id": id_, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for id_, call in zip(ids, replied.calls, strict=True)
    ]
    yield Message("assistant", replied.text, tool_calls=made)
    for number, id_ in enumerate(ids, 1):
        yield Message("tool", GONE if trimmed else _said(number, calls.get(number, [])), tool_call_id=id_)


def _said(number: int, events: Sequence[Event]) -> str:
    """What became of one call."""
    parts: list[str] = []
    for event in events:
        match event:
            case Allowed(edited=True):
                comment = f" They said: {event.comment}" if event.comment else ""
                parts.append(
                    f"The person changed call {number} before it ran.{comment} This is what ran:\n{event.text}"
                )
            case Refused():
                who = "The person" if event.by == "person" else "The policy"
                reason = f" They said: {event.reason.strip()}" if event.reason.strip() else ""
                parts.append(f"{who} refused call {number}; it did not run.{reason}")
            case Observed():
                parts.append(observation(event))
            case _:
                pass
    return "\n".join(parts) or f"{NOT_RUN} (call {number})"


def _pictures(events: Sequence[Event]) -> list[str]:
    return [url for event in events if isinstance(event, Observed) for url in pictures(event)]
