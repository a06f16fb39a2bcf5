"""A run's events, folded into what is shown of it. Pure; the twin of ``labextension/src/fold.ts``.

Both sides work on the JSON of ``smolcell/codec.py`` and are held to one another by ``tests/contract/events.json``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Json = dict[str, Any]

OPEN = {"thinking", "pending", "allowed", "running"}
"""What a step may be when its run ends under it; it is then ``cut``."""


def fold(events: Iterable[Mapping[str, Any]], deltas: Iterable[Mapping[str, Any]] = ()) -> Json:
    """The state of a run after all of these; deltas count as coming after the last event.

    Args:
        events: the JSON of a run's events, in order. Events of another run, or of an unknown kind, change nothing.
        deltas: ``{"channel", "text", "step"}``, for what is under way.
    """
    state = _empty()
    for event in events:
        fold_event(state, event)
    for delta in deltas:
        fold_delta(state, delta)
    return state


def fold_event(state: Json, event: Mapping[str, Any]) -> None:
    """Take one more event into ``state``, in place."""
    change = _CHANGES.get(event["event"])
    if change is None or (state["run"] and event["run"] != state["run"]):
        return
    change(state, event)
    state["progress"] = ""


def fold_delta(state: Json, delta: Mapping[str, Any]) -> None:
    """Take one more piece of text into ``state``, in place."""
    channel, text = delta["channel"], delta["text"]
    if channel == "progress":
        state["progress"] = text
    elif channel in ("reply", "reasoning", "output"):
        step = _step(state, delta["step"])
        step[channel] += text
        if channel == "output" and step["status"] == "allowed":
            step["status"] = "running"


def _empty() -> Json:
    return {
        "run": "",
        "task": "",
        "variables": [],
        "files": [],
        "images": 0,
        "model": "",
        "sandbox": "",
        "approve": "",
        "session": "",
        "resumes": "",
        "boundary": None,
        "phase": "opening",
        "progress": "",
        "steps": [],
        "notices": [],
        "answer": None,
        "ended": None,
    }


def _new_step(n: int) -> Json:
    return {
        "n": n,
        "status": "thinking",
        "kind": "code",
        "reply": "",
        "reasoning": "",
        "thought": "",
        "code": "",
        "fingerprint": "",
        "findings": [],
        "edited": None,
        "sha256": "",
        "by": "",
        "scope": "",
        "comment": "",
        "reason": "",
        "output": "",
        "observation": None,
        "usage": None,
        "duration": 0,
    }


def _step(state: Json, n: int) -> Json:
    for step in reversed(state["steps"]):
        if step["n"] == n:
            found: Json = step
            return found
    state["steps"].append(_new_step(n))
    return _step(state, n)


def _take(event: Mapping[str, Any], *names: str) -> Json:
    return {name: event[name] for name in names}


def _asked(state: Json, event: Mapping[str, Any]) -> None:
    state.update(_take(event, "run", "task", "variables", "model", "sandbox", "approve", "session"))
    later = {"resumes": event.get("resumes", ""), "files": event.get("files", [])}  # which older runs do not say
    state.update(later, images=len(event["images"]), phase="thinking")


def _opened(state: Json, event: Mapping[str, Any]) -> None:
    state["boundary"] = event["boundary"]


def _replied(state: Json, event: Mapping[str, Any]) -> None:
    taken = _take(event, "reasoning", "usage", "duration")
    if event.get("note"):
        state["notices"].append({"step": event["step"], "text": event["note"]})
    _step(state, event["step"]).update(taken, reply=event["text"])
    state["phase"] = "thinking"


def _unparsed(state: Json, event: Mapping[str, Any]) -> None:
    _step(state, event["step"]).update(status="unparsed", reason=event["reason"])
    state["phase"] = "thinking"


def _trimmed(state: Json, event: Mapping[str, Any]) -> None:
    state["notices"].append({"step": event["step"], "text": _trimmed_text(event["steps"])})


def _proposed(state: Json, event: Mapping[str, Any]) -> None:
    taken = _take(event, "kind", "thought", "fingerprint", "findings")
    _step(state, event["step"]).update(taken, status="pending", reply="", code=event["text"])
    state["phase"] = "asking"


def _allowed(state: Json, event: Mapping[str, Any]) -> None:
    taken = _take(event, "sha256", "by", "scope", "comment")
    edited = event["text"] if event["edited"] else None
    _step(state, event["step"]).update(taken, status="allowed", edited=edited)
    state["phase"] = "running"


def _refused(state: Json, event: Mapping[str, Any]) -> None:
    _step(state, event["step"]).update(_take(event, "reason", "by"), status="refused")
    state["phase"] = "thinking"


def _observed(state: Json, event: Mapping[str, Any]) -> None:
    seen = ("stdout", "result", "outputs", "error", "changed", "is_final_answer", "dropped", "state_lost", "duration")
    observation = {**_take(event, *seen), "files": event.get("files", [])}
    _step(state, event["step"]).update(status="done", output="", observation=observation)
    state["phase"] = "thinking"


def _answered(state: Json, event: Mapping[str, Any]) -> None:
    step = _step(state, event["step"])
    if step["status"] == "thinking":  # the reply was the answer itself: there is no proposal
        step["status"] = "done"
    state["answer"] = _take(event, "step", "text")


def _ended(state: Json, event: Mapping[str, Any]) -> None:
    for step in state["steps"]:
        if step["status"] in OPEN:
            step["status"] = "cut"
    state["ended"] = _take(event, "state", "steps", "usage", "duration", "error", "cut")
    state["phase"] = "ended"


def _trimmed_text(steps: Sequence[int]) -> str:
    which = f"step {steps[0]}" if len(steps) == 1 else f"steps {', '.join(map(str, steps))}"
    return f"The output of {which} is no longer shown to the model: the history outgrew its prompt."


_CHANGES = {
    "Asked": _asked,
    "Opened": _opened,
    "Replied": _replied,
    "Unparsed": _unparsed,
    "Trimmed": _trimmed,
    "Proposed": _proposed,
    "Allowed": _allowed,
    "Refused": _refused,
    "Observed": _observed,
    "Answered": _answered,
    "Ended": _ended,
}
