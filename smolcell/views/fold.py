"""Folds a run's events into the state that views show. Pure; the twin of ``labextension/src/core/fold.ts``.

Both work on the JSON of ``smolcell/events.py``; ``tests/contract/events.json`` checks that they agree.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from smolcell.events import FIRST_IDEA, FIRST_OUTPUT
from smolcell.worker.supervisor.meters import drop_overwritten_piece
from smolcell.worker.wire.bounds import CLEAR

Json = dict[str, Any]

OPEN = {"thinking", "pending", "allowed", "running"}
"""The states of a step that become ``cut`` when the run ends."""

ASIDE = ("output", "host")
"""Kinds of questions that do not come from the model."""

NOT_SENT = "The cells of the notebook were not sent to the model."

MAX_STREAMED_CHARS = 250_000
"""Characters of one streamed text that are kept; the card sends fewer, and says so."""


def fold(events: Iterable[Mapping[str, Any]], deltas: Iterable[Mapping[str, Any]] = ()) -> Json:
    """Return the state of a run after these events; deltas count as after the last event.

    Args:
        events: the JSON of a run's events, in order, with those of its managed agents' runs. Events of another run, or of an unknown kind,
            are ignored.
        deltas: ``{"channel", "text", "step"}`` of unfinished text; with ``"run"`` for a managed agent's.
    """
    state = _empty()
    for event in events:
        fold_event(state, event)
    for delta in deltas:
        fold_delta(state, delta)
    return state


def fold_event(state: Json, event: Mapping[str, Any]) -> None:
    """Add one event to ``state``, in place."""
    change = _CHANGES.get(event["event"])
    if change is None:
        return
    if not state["run"] or event["run"] == state["run"]:
        change(state, event)
        state["progress"] = ""
    elif event["event"] == "Asked" and event.get("parent") == state["run"]:
        called = _step(state, event["parent_step"], event["parent_call"])["runs"]
        called.append(fold([event]))
    else:
        for called in _called(state):
            fold_event(called, event)


def fold_delta(state: Json, delta: Mapping[str, Any]) -> None:
    """Add one piece of text to ``state``, in place."""
    if delta.get("run", state["run"]) != state["run"]:
        for called in _called(state):
            fold_delta(called, delta)
        return
    channel, text = delta["channel"], delta["text"]
    if channel == "progress":
        state["progress"] = text
    elif channel in ("reply", "reasoning", "output"):
        step = _step(state, delta["step"])
        step[channel] = drop_overwritten_piece(step[channel] + text).removeprefix(CLEAR)[:MAX_STREAMED_CHARS]
        if channel == "output" and step["status"] == "allowed":
            step["status"] = "running"
    elif channel == "display":
        _displayed(_step(state, delta["step"]), json.loads(text))


def _displayed(step: Json, shown: Json) -> None:
    """Add an output of a running step."""
    del step["outputs"][shown["count"] :]
    if shown["data"] is not None and shown["at"] <= len(step["outputs"]):
        step["outputs"][shown["at"] : shown["at"] + 1] = [{"data": shown["data"]}]


def _called(state: Json) -> Iterator[Json]:
    """Yield the runs that this run's steps called."""
    for step in state["steps"]:
        yield from step["runs"]


_RUN_TEXTS = ("run", "agent", "task", "model", "sandbox", "approve", "session", "resumes", "progress")
_RUN_LISTS = ("variables", "files", "tools", "lost", "locks", "sent", "steps", "notices")
_DECISION = ("sha256", "by", "scope", "comment", "offer", "who", "reason")
_STEP_TEXTS = ("reply", "reasoning", "thought", "code", "fingerprint", "output", *_DECISION)
_STEP_LISTS = ("findings", "outputs", "runs", "tools")


def _empty() -> Json:
    lists: Json = {name: [] for name in _RUN_LISTS}
    numbers = {"images": 0, "window": 0}
    unknown = dict.fromkeys(("boundary", "answer", "ended"))
    return {**dict.fromkeys(_RUN_TEXTS, ""), **lists, **numbers, **unknown, "phase": "opening"}


def _new_step(n: int, call: int) -> Json:
    lists: Json = {name: [] for name in _STEP_LISTS}
    unknown = dict.fromkeys(("edited", "observation", "usage"))
    started = {"n": n, "call": call, "status": "thinking", "kind": "code", "duration": 0, "undone": False}
    return {**started, **dict.fromkeys(_STEP_TEXTS, ""), **lists, **unknown}


def _step(state: Json, n: int, call: int = 0) -> Json:
    """Return the step, or the call of a step, which is shown below it. Adds it if needed."""
    for step in reversed(state["steps"]):
        if step["n"] == n and step["call"] == call:
            current: Json = step
            return current
    state["steps"].append(_new_step(n, call))
    return _step(state, n, call)


def step_of(state: Json, event: Mapping[str, Any]) -> Json:
    """Return the step, or the call of a step, that an event is about."""
    return _step(state, event["step"], event.get("call", 0))  # missing in older runs


def _take(event: Mapping[str, Any], *names: str) -> Json:
    return {name: event[name] for name in names}


def _asked(state: Json, event: Mapping[str, Any]) -> None:
    state.update(_take(event, "run", "task", "variables", "model", "sandbox", "approve", "session"))
    later = {"resumes": event.get("resumes", ""), "files": event.get("files", [])}  # missing in older runs, too
    later["tools"], later["lost"] = event.get("tools", []), event.get("lost", [])
    later["agent"], later["locks"] = event.get("agent", ""), event.get("locks", [])
    state.update(later, images=len(event["images"]), phase="thinking")


def _sent(state: Json, event: Mapping[str, Any]) -> None:
    state["sent"] = event["pieces"]


def _opened(state: Json, event: Mapping[str, Any]) -> None:
    state["boundary"] = event["boundary"]


def _replied(state: Json, event: Mapping[str, Any]) -> None:
    taken = _take(event, "reasoning", "usage", "duration")
    if event.get("note"):
        state["notices"].append({"step": event["step"], "text": event["note"]})
    _step(state, event["step"]).update(taken, reply=event["text"])
    state["window"] = event.get("window") or state["window"]
    state["phase"] = "thinking"


def _unparsed(state: Json, event: Mapping[str, Any]) -> None:
    _step(state, event["step"]).update(status="unparsed", reason=event["reason"])
    state["phase"] = "thinking"


def _proposed(state: Json, event: Mapping[str, Any]) -> None:
    state["phase"] = "asking"
    taken = _take(event, "kind", "thought", "fingerprint", "findings")
    if event.get("call", 0) and event["kind"] not in ASIDE and _begin_calls(state, event):
        taken["thought"] = ""
    undecided = dict.fromkeys(_DECISION, "")
    step_of(state, event).update(taken, **undecided, status="pending", edited=None, reply="", code=event["text"])


def _begin_calls(state: Json, event: Mapping[str, Any]) -> bool:
    """Start the calls of a reply: text beside them is the step's thought. Returns False for a call that a program makes."""
    step = _step(state, event["step"])
    begins = bool(step["status"] == "thinking")
    if begins:
        step.update(status="done", kind="call", reply="", thought=event["thought"])
    return begins


def _allowed(state: Json, event: Mapping[str, Any]) -> None:
    if _asked_about(state, event):
        return
    taken = _take(event, "sha256", "by", "scope", "comment")
    edited = event["text"] if event["edited"] else None
    step = step_of(state, event)
    step.update(taken, status="allowed", edited=edited, offer=event.get("offer", ""), who=event.get("who", ""))
    state["phase"] = "running"
    if event["kind"] == "plan":
        step["status"] = "done"
    if event["kind"] in ("budget", "link"):  # the step itself comes later
        allowed = ": it was allowed." if event["kind"] == "link" else " It was allowed."
        state["notices"].append({"step": event["step"], "text": f"{step['code']}{allowed}"})
        state["steps"].remove(step)
    if event["kind"] == "context":  # the chosen part is shown as sent
        state["steps"].remove(step)
    if event["kind"] in ("plan", "budget", "context", "link"):
        state["phase"] = "thinking"


def _undone(state: Json, event: Mapping[str, Any]) -> None:
    for step in state["steps"]:
        if step["n"] > event["step"]:
            step["undone"] = True
    _noticed(state, event)


def _noticed(state: Json, event: Mapping[str, Any]) -> None:
    state["notices"].append({"step": event["step"], "text": _NOTICES[event["event"]](event)})


def _asked_about(state: Json, event: Mapping[str, Any]) -> bool:
    """Remove a question of a check or about a host after the decision: another event shows the outcome."""
    step = step_of(state, event)
    if step["kind"] in ASIDE:
        state["steps"].remove(step)
        state["phase"] = _phase_after(state, event)
    return step["kind"] in ASIDE


def _refused(state: Json, event: Mapping[str, Any]) -> None:
    if _asked_about(state, event):
        return
    step = step_of(state, event)
    step.update(_take(event, "reason", "by"), status="refused", who=event.get("who", ""))
    if step["kind"] == "context" and event["then"] == "continue":  # the run goes on without it
        state["notices"].append({"step": event["step"], "text": NOT_SENT})
        state["steps"].remove(step)
    state["phase"] = _phase_after(state, event)


def _observed(state: Json, event: Mapping[str, Any]) -> None:
    seen = ("stdout", "result", "outputs", "error", "changed", "is_final_answer", "dropped", "state_lost", "duration")
    observation = {**_take(event, *seen), "files": event.get("files", [])}
    observation["rolled_back"] = event.get("rolled_back", False)
    observation["places"] = event.get("places", [])
    step_of(state, event).update(status="done", output="", outputs=[], observation=observation)
    state["phase"] = _phase_after(state, event)


def _phase_after(state: Json, event: Mapping[str, Any]) -> str:
    """Return the phase after a call: the program that made it goes on."""
    own = (step["status"] for step in state["steps"] if (step["n"], step["call"]) == (event["step"], 0))
    return "running" if next(own, "") in ("allowed", "running") else "thinking"


def _tool_called(state: Json, event: Mapping[str, Any]) -> None:
    taken = _take(event, "call", "name", "text", "result", "error", "duration", "times")
    _step(state, event["step"])["tools"].append(taken)


def _answered(state: Json, event: Mapping[str, Any]) -> None:
    step = _step(state, event["step"])
    if step["status"] == "thinking":  # the reply was the answer itself: there is no proposal
        step["status"] = "done"
    marked = {"uncomputed": True} if event.get("uncomputed") else {}
    state["answer"] = {**_take(event, "step", "text"), "is_text": event.get("is_text", False), **marked}


def _ended(state: Json, event: Mapping[str, Any]) -> None:
    for step in state["steps"]:
        if step["status"] in OPEN:
            step["status"] = "cut"
    ended = _take(event, "state", "steps", "usage", "duration", "error", "cut")
    state["ended"] = {**ended, "receipt": event.get("receipt", {})}
    state["phase"] = "ended"


# --- The texts of notices.


def _installed_text(event: Mapping[str, Any]) -> str:
    """Return a text about installed packages."""
    named = ", ".join(f"{package['name']} {package['version']}" for package in event["packages"])
    return f"Installed for this session from {event['index']}: {named}."


_SCOPES = {"once": "once", "run": "for this run", "session": "for this session", "notebook": "for this notebook"}


def _granted_text(event: Mapping[str, Any]) -> str:
    named = ", ".join(f"{grant['kind']} {grant['name']}, {_SCOPES[grant['scope']]}" for grant in event["grants"])
    return f"{'Taken back' if event.get('revoked') else 'Allowed by you'}: {named}."


def _trimmed_text(event: Mapping[str, Any]) -> str:
    steps = event["steps"]
    which = f"step {steps[0]}" if len(steps) == 1 else f"steps {', '.join(map(str, steps))}"
    return f"The output of {which} is no longer shown to the model: the history outgrew its prompt."


def undone_text(event: Mapping[str, Any]) -> str:
    """Return a text about undone steps: which, how, and what was not undone."""
    after = f"What ran after step {event['step']}" if event["step"] else "This run"
    how = (
        "a copy of the sandbox took over"
        if event["how"] == "copy"
        else "the steps before it ran once more in a new sandbox"
    )
    sentences = [f"{after} was taken back: {how}."]
    if event["differs"]:
        sentences.append(f"Run again, these steps printed something else: {', '.join(map(str, event['differs']))}.")
    if event["uncovered"]:
        sentences.append(f"The files in the work folder stay as they are: {event['uncovered']}.")
    sentences.append("What was pulled into the notebook or kept as a file stays.")
    if event["stays"]:
        sentences.append(f"This stays, too: {'; '.join(event['stays'])}.")
    return " ".join(sentences)


def branched_text(event: Mapping[str, Any]) -> str:
    """Return a text about a request for ideas."""
    return (
        f"For step {event['step']} the model was asked for {event['asked']} further idea{'s' * (event['asked'] != 1)}."
    )


def connected_text(event: Mapping[str, Any]) -> str:
    """Return a text about a connection of the code, or a refused one."""
    place = f"{event['host']}:{event['port']}" if event["port"] else event["host"] or "a host"
    times = event["times"]
    if event.get("refused"):
        many = f" ({times} times)" if times > 1 else ""
        return f"No connection to {place}{many}: {event['refused']}."
    many = f"{times} connections" if times > 1 else "Connected"
    named = ", ".join(event.get("credentials", []))
    key = f", with the credential {named}" if named else ""
    size = f"{event['sent']:,} bytes sent, {event['received']:,} received"
    return f"{many} to {place}: {size}, {event['duration']:.3f} s{key}."


def checked_text(event: Mapping[str, Any]) -> str:
    """The finding and the action of an output check, for a person."""
    where = f"what is passed to {event['to']}" if event["at"] == "tools" else _WHERE[event["at"]]
    counts = ", ".join(f"{kind} ({number})" for kind, number in event["found"].items())
    why = f" ({event['why']})" if event["why"] else ""
    return f"{event['check']} found in {where}: {counts}. {_DONE[event['action']]}{why}."


_WHERE = {"model": "the text for the model", "answer": "the answer", "saved": "what is saved"}
_DONE = {"pass": "Passed as it is", "redact": "Redacted", "refuse": "Refused"}


def named_call(call: int) -> str:
    """Return how a call, or an idea, is named after its step's number; "" for the step itself."""
    if call >= FIRST_IDEA:
        return f", idea {call - FIRST_IDEA}"
    return f", call {call}" if 0 < call < FIRST_OUTPUT else ""


_NOTICES = {
    "Trimmed": _trimmed_text,
    "Installed": _installed_text,
    "Granted": _granted_text,
    "Connected": connected_text,
    "Checked": checked_text,
    "Undone": undone_text,
    "Branched": branched_text,
}

_CHANGES = {
    **dict.fromkeys(_NOTICES, _noticed),
    "Asked": _asked,
    "Sent": _sent,
    "Opened": _opened,
    "Replied": _replied,
    "Unparsed": _unparsed,
    "Proposed": _proposed,
    "Allowed": _allowed,
    "Refused": _refused,
    "Called": _tool_called,
    "Observed": _observed,
    "Answered": _answered,
    "Ended": _ended,
    "Undone": _undone,
}
