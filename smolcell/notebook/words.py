"""What ``%agent`` prints, and what ``%agent config`` reads."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from smolcell.errors import SetupError
from smolcell.events import Boundary
from smolcell.redact import redact
from smolcell.session import Session
from smolcell.settings import NAMES, Settings, read

ABOUT_KEYS = (
    "smolcell: {model} needs a key, and {variable} holds none that is accepted. Type it below: it stays in memory until the kernel "
    "ends, and is written nowhere. To set it for good, set {variable} where Jupyter is started{login}.\n{variable} (hidden): "
)
LOGINS = {"HF_TOKEN": ", or log in once with: !hf auth login"}
_OTHER = "with another model: %agent resume -m provider/model"
GO_ON = {"key": "with another key: %agent resume", **dict.fromkeys(("model", "context", "quota", "refusal"), _OTHER)}
"""The kind of a model's fault → how to go on after it, where asking the same model again is of no use."""


def status(settings: Settings, sessions: Mapping[str, Session], model_from: str = "") -> str:
    """The state: what a cell would use now, and every session with its sandbox. ``model_from``: where the model is set."""
    head = (
        f"model {_model(settings, model_from)} · sandbox {settings.sandbox} · approve {settings.approve} · "
        f"{settings.max_steps} steps · {settings.timeout:g} s a step"
    )
    rows = [line for session in sessions.values() for line in _session(session)]
    return "\n".join([head, *(rows or ["no session yet; start one with: %%agent"])])


def _model(settings: Settings, model_from: str) -> str:
    """The model that a cell would use now, and why."""
    from smolcell.models import chosen_model
    from smolcell.models.keys import key_variables, lacks_key

    if settings.model:
        name, why = settings.model, f"set by {model_from}"
    else:
        try:
            name, why = chosen_model(api_base=settings.api_base)
        except SetupError as error:
            return f"none: {error}\n "
    lacking = lacks_key(name, settings.api_base)
    key = f"; {key_variables(name, settings.api_base)[0]} is not set: you are asked for it" if lacking else ""
    return f"{name} ({why}{key})"


def _session(session: Session) -> list[str]:
    agent = session.agent
    if agent is None:
        back = "its conversation is back from its journal; go on with it: %agent resume, or %%agent"
        return [f"session {session.name}: {back if session.events else 'not started'}"]
    state = "running" if session.running else "idle"
    boundary: Boundary = agent.executor.boundary()
    standing = [wall.name for wall in boundary.walls if wall.stands]
    missing = [wall for wall in boundary.walls if not wall.stands]
    lines = [
        f"session {session.name}: {state}, {len(agent.memory.tasks)} tasks, {len(agent.memory.steps)} steps",
        f"  code runs in {boundary.where}{', isolated' if boundary.isolated else ''}",
        f"  stands: {', '.join(standing) or 'nothing'}",
    ]
    lines += [f"  missing: {wall.name}{': ' if wall.detail else ''}{wall.detail}" for wall in missing]
    return [*lines, f"  journal: {agent.journal.path}"]


def config(settings: Settings, own: Mapping[str, Any]) -> str:
    """Every setting with its value; those set by ``%agent config`` are marked."""
    width = max(map(len, NAMES))
    return "\n".join(
        f"{name:<{width}}  {_value(value)}{'   (set here)' if name in own else ''}"
        for name, value in asdict(settings).items()
    )


def _value(value: Any) -> str:
    return redact(", ".join(value) if isinstance(value, tuple) else "" if value is None else str(value))


def split(line: str, command: str) -> list[str]:
    """The words after ``%agent`` and a command.

    Raises:
        SetupError: a quote is open.
    """
    try:
        return shlex.split(line)
    except ValueError as error:
        raise SetupError(f"%agent {command} cannot be read: {error}. Close every quote") from None


def read_config(line: str, own: Mapping[str, Any]) -> dict[str, Any]:
    """``key=value …`` added to what was set before; ``key=`` takes a setting back.

    Raises:
        SetupError: a word is no ``key=value``, or the value is not valid. Nothing is changed then.
    """
    changed = dict(own)
    parts = split(line, "config")
    for part in parts:
        key, equals, value = part.partition("=")
        name = key.strip().replace("-", "_")
        if name in ("key", "api_key"):
            raise SetupError("keys are not kept in a notebook: set SMOLCELL_API_KEY, or the provider's own variable")
        if not equals:
            raise SetupError(f"%agent config takes key=value, not {part!r}; settings are: {', '.join(NAMES)}")
        if value:
            changed[name] = read(name, value, "%agent config")
        else:
            read(name, value, "%agent config") if name not in NAMES else changed.pop(name, None)
    return changed


def log(session: Session) -> str:
    """Everything the session did, as plain text, and where its journal lies."""
    if session.agent is None or not session.agent.memory.events:
        return f"session {session.name}: nothing happened yet"
    from smolcell.views.transcript import bundle

    events = session.agent.memory.events
    runs = dict.fromkeys(event.run for event in events)
    told = [bundle(event for event in events if event.run == run)["text/plain"] for run in runs]
    return "\n\n".join([*told, f"journal: {session.agent.journal.path}"])
