"""History to messages. Pure: the same history gives the same messages, and a longer one only adds at the end.

What no longer fits the budget is left out oldest observation first, and both the model and the person are told: the loop
records a ``Trimmed`` event, so the cut is part of the history and does not move from step to step (prompt caches keep hitting).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from smolcell.called import GONE, by_call, called, place_of
from smolcell.describe import clip
from smolcell.events import (
    Allowed,
    Answered,
    Asked,
    Ended,
    History,
    Observed,
    Proposed,
    Refused,
    Replied,
    Trimmed,
    Unparsed,
    Variable,
)
from smolcell.forms import CALLS, JSON, NATIVE, TEXT, Form
from smolcell.messages import Message
from smolcell.observation import image, told
from smolcell.planning import planned
from smolcell.window import Window

SYSTEM = TEXT.system
FINAL = (
    "The step limit is reached; no more code will run. Answer the task now, as well as what you have seen allows, "
    "in plain words and without code:\n{task}"
)
TASK = "New task:"  # begins the message that holds a task; recordings find it by this
VARIABLES = "These variables are already defined:"  # ends it
FILES = "These files are in the folder the code works in; it may read them by these names:"  # or this does
IMAGE = 4_000  # characters that an image counts as, in the budget of a conversation
_NOT_RUN = "That program was not run."
_CUT = "That program was cut short while it ran; what it did until then stands."
_UNANSWERED = "That task ended here, without an answer."
_GO_ON = "Go on with the task."
_LOST = "The sandbox was started anew. What earlier programs defined and wrote is gone; make again what you need of it:"
_NAMES = 2_000  # characters of names


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptSettings:
    """What the prompt is made of besides the history.

    Args:
        imports: modules the code may import, as the guard will hold them.
        tools: each tool's signature and description, ready to read.
        instructions: the user's own, added at the end of the system prompt.
        budget: characters of conversation kept before old observations are left out (about four to a token).
        templates: replaces what ``smolcell.templates`` names (``{imports}``, ``{tools}``, ``{task}`` are filled in).
        calling: the model calls tools, and writes no programs; each of ``tools`` says then how it is called.
        native: it calls them by its own protocol.
        shows_images: the model sees images: those that a step made are shown to it.
        structured: ask for each step as a JSON object.
        window: what the model takes at once, as far as it is known by now.
    """

    imports: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    instructions: str = ""
    budget: int = 200_000
    templates: Mapping[str, str] = field(default_factory=dict)
    structured: bool = False
    calling: bool = False
    native: bool = False
    shows_images: bool = False
    window: Callable[[], Window | None] = lambda: None

    @property
    def form(self) -> Form:
        """How a step is asked for."""
        if self.calling:
            return NATIVE if self.native else CALLS
        return JSON if self.structured else TEXT


def prompt(history: History, settings: PromptSettings) -> list[Message]:
    """The conversation to show the model: the system message, then the history with trimmed observations marked."""
    gone = {(event.run, step) for event in history if isinstance(event, Trimmed) for step in event.steps}
    return _merge([Message("system", system(settings)), *_conversation(history, gone, settings)])


def trim(history: History, settings: PromptSettings, *, refused: bool = False) -> dict[str, tuple[int, ...]]:
    """The steps whose observations must go now, by run, oldest first; empty while the conversation fits its budget and the model's
    window.

    Cuts to three quarters of what it may be, so that it happens rarely. Never cuts the newest observation, nor one that is no longer
    than the note in its place.

    Args:
        history: what is in the conversation.
        settings: the budget.
        refused: the model found the conversation too long, whatever the budget: cuts to half of it, and the newest observation
            too where three quarters would remain.
    """
    gone = {(event.run, step) for event in history if isinstance(event, Trimmed) for step in event.steps}
    size = whole = length(history, settings)
    budget = _budget(history, size, settings)
    most = size // 2 if refused else budget * 3 // 4
    if not refused and size <= budget:
        return {}
    observed = [event for event in history if isinstance(event, Observed) and (event.run, event.step) not in gone]
    cut: dict[str, tuple[int, ...]] = {}
    for event in observed if refused else observed[:-1]:
        if size <= most or (event is observed[-1] and size <= whole * 3 // 4):
            break
        saved = _length(told(event, seen=settings.shows_images)) - len(GONE)
        if saved > 0:
            size -= saved
            steps = cut.get(event.run, ())
            cut[event.run] = steps if event.step in steps else (*steps, event.step)
    return cut


def _budget(history: History, size: int, settings: PromptSettings) -> int:
    """Characters that the conversation may have: the budget, or less where the model's window has room for less.

    Tokens become characters by what the messages have of both now.
    """
    window = settings.window()
    if window is None:
        return settings.budget
    messages = prompt(history, settings)
    system_tokens, tokens = window.size(messages[:1]), window.size(messages[1:])
    room = max(0, window.room - system_tokens)
    return settings.budget if tokens <= room else min(settings.budget, size * room // tokens)


def length(history: History, settings: PromptSettings) -> int:
    """Characters of the conversation, as it is shown now; an image that a step made counts as some thousand."""
    gone = {(event.run, step) for event in history if isinstance(event, Trimmed) for step in event.steps}
    return sum(_length(message) for message in _conversation(history, gone, settings))


def _length(message: Message) -> int:
    shown = [] if isinstance(message.content, str) or message.text.startswith(TASK) else message.content
    urls = [part["image_url"]["url"] for part in shown if part.get("type") == "image_url"]
    return len(message.text) + sum(max(IMAGE, len(url) // 20) for url in urls)


def final_request(history: History, settings: PromptSettings) -> list[Message]:
    """The conversation, and the request for the best answer now: asked once, at the step limit."""
    task = next((event.task for event in reversed(history) if isinstance(event, Asked)), "")
    template = settings.templates.get("final_answer", FINAL)
    return asking(history, settings, Message("user", template.replace("{task}", task)))


def asking(history: History, settings: PromptSettings, request: Message) -> list[Message]:
    """The conversation, and a request at its end that does not stay in it."""
    return _merge([*prompt(history, settings), request])


def system(settings: PromptSettings) -> str:
    """The system message: how to work, what may be imported, which tools there are, the user's own instructions."""
    own = settings.templates.get("system_prompt")
    template = settings.form.system if own is None else own
    tools = "" if settings.native else "\n".join(settings.tools)  # else they are offered with each request
    parts = [template.replace("{imports}", ", ".join(settings.imports) or "none").replace("{tools}", tools or "none")]
    if own is not None and settings.form.note:
        parts.append(settings.form.note)
    if tools and "{tools}" not in template:
        parts.append(f"{'Tools' if settings.calling else 'Tools, called like Python functions'}:\n{tools}")
    if settings.instructions:
        parts.append(settings.instructions)
    return "\n".join(parts)


def _conversation(history: History, gone: set[tuple[str, int]], settings: PromptSettings) -> Iterator[Message]:
    calls = by_call(history)
    plans = {place_of(e): e.text for e in history if isinstance(e, Proposed) and e.kind == "plan"}
    for place, event in enumerate(history):
        if plans and (where := place_of(event)) in plans:
            yield from planned(event, plans[where])
            continue
        if getattr(event, "call", 0):
            continue  # told with the reply that made the call
        match event:
            case Asked():
                yield from _before(event, history[:place])
                if not event.resumes:
                    yield _task(event)
            case Replied():
                yield from called(event, calls.get(place_of(event), {}) if calls else {}, settings.shows_images, gone)
            case Unparsed():
                yield Message("user", event.reason)
            case Allowed(edited=True, kind="code"):
                yield Message("user", _edited(event, settings.form))
            case Refused(then="continue"):
                yield Message("user", _refused(event))
            case Observed():
                yield Message("user", GONE) if place_of(event) in gone else told(event, seen=settings.shows_images)
            case Answered():
                yield Message("user", f"That was the answer: {event.text}")
            case _:
                pass


def _before(asked: Asked, past: History) -> Iterator[Message]:
    yield from _between(asked, past)
    if asked.lost:
        yield Message("user", f"{_LOST} {clip(', '.join(asked.lost), _NAMES)}")
    if asked.resumes and (handed := _handed(asked)):
        yield Message("user", handed.strip())


def _between(asked: Asked, past: History) -> Iterator[Message]:
    """What the model is told about a run that ended without an answer: once it is known whether it is gone on with."""
    ended = past[-1] if past and isinstance(past[-1], Ended) else None
    if ended is None or ended.state == "success":
        return
    of_steps = (Asked, Replied, Proposed, Allowed, Refused, Observed)
    budgets = {place_of(event) for event in past if isinstance(event, Proposed) and event.kind == "budget"}
    told = (
        event for event in reversed(past) if not (isinstance(event, Proposed | Refused) and place_of(event) in budgets)
    )
    last = next((event for event in told if isinstance(event, of_steps)), None)
    if isinstance(last, Proposed) or (isinstance(last, Refused) and last.then != "continue"):
        yield Message("user", _NOT_RUN)
    elif isinstance(last, Allowed):
        yield Message("user", _CUT)
    if asked.resumes and ended.cut != "thinking":
        yield Message("user", _GO_ON)  # else the call that failed is made again as it was
    elif not asked.resumes and ended.state != "max_steps_error":
        yield Message("user", _UNANSWERED)


def _task(event: Asked) -> Message:
    text = f"{TASK}\n{event.task}{_handed(event)}"
    if not event.images:
        return Message("user", text)
    return Message("user", [{"type": "text", "text": text}, *map(image, event.images)])


def _handed(event: Asked) -> str:
    """The variables and files that are handed in."""
    text = ""
    if event.variables:
        text += f"\n\n{VARIABLES}\n" + "\n".join(_describe(event.variables))
    if event.files:
        text += f"\n\n{FILES}\n" + "\n".join(f"- {file.name} ({file.size:,} bytes)" for file in event.files)
    return text


def _describe(variables: Sequence[Variable]) -> Iterator[str]:
    for variable in variables:
        lines = variable.text.strip().split("\n")
        body = lines[0] if len(lines) == 1 else "\n  " + "\n  ".join(lines)
        yield f"- {variable.name} ({variable.type}): {body}"


def _edited(event: Allowed, form: Form) -> str:
    note = f" They said: {event.comment}" if event.comment else ""
    return f"The person changed your program before it ran.{note} This is what ran:\n{form.code(event.text)}"


def _refused(event: Refused) -> str:
    reason = event.reason.strip()
    said = f" They said: {reason}" if reason else ""
    return f"The person refused to run this program; it did not run.{said}\nPropose something else."


def _merge(messages: list[Message]) -> list[Message]:
    """Join neighbours of one role: some providers refuse two user messages in a row. Calls and their results stay apart."""
    merged: list[Message] = []
    for message in messages:
        last = merged[-1] if merged else None
        if last is None or last.role != message.role or last.role in ("system", "tool") or "tool_calls" in last:
            merged.append(message)
        elif isinstance(last.content, str) and isinstance(message.content, str):
            merged[-1] = Message(message.role, f"{last.content}\n\n{message.content}")  # type: ignore[arg-type]
        else:
            merged[-1] = Message(message.role, [*_parts(last), *_parts(message)])  # type: ignore[arg-type]
    return merged


def _parts(message: Message) -> list[dict[str, Any]]:
    return [{"type": "text", "text": message.content}] if isinstance(message.content, str) else message.content
