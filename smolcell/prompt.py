"""History to messages. Pure: the same history gives the same messages, and a longer one only adds at the end.

What no longer fits the budget is left out oldest observation first, and both the model and the person are told: the loop
records a ``Trimmed`` event, so the cut is part of the history and does not move from step to step (prompt caches keep hitting).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from smolcell.events import (
    Allowed,
    Answered,
    Asked,
    Ended,
    Fault,
    History,
    Observed,
    Proposed,
    Refused,
    Replied,
    Trimmed,
    Unparsed,
    Variable,
)
from smolcell.forms import JSON, TEXT, Form
from smolcell.messages import Message
from smolcell.window import Window

SYSTEM = TEXT.system
FINAL = (
    "The step limit is reached; no more code will run. Answer the task now, as well as what you have seen allows, "
    "in plain words and without code:\n{task}"
)
TASK = "New task:"  # begins the message that holds a task; recordings find it by this
VARIABLES = "These variables are already defined:"  # ends it
FILES = "These files are in the folder the code works in; it may read them by these names:"  # or this does
FILES_TOLD = 20  # of a step
IMAGE_KINDS = ("image/png", "image/jpeg", "image/gif", "image/webp")
IMAGES_SHOWN = 4  # of a step
IMAGE = 4_000  # characters that an image counts as, in the budget of a conversation
LARGEST = 5_000_000  # characters of an image that is shown
_NOT_RUN = "That program was not run."
_CUT = "That program was cut short while it ran; what it did until then stands."
_UNANSWERED = "That task ended here, without an answer."
_GO_ON = "Go on with the task."
_GONE = "[The observation of this step was left out to keep the conversation within its budget.]"


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptSettings:
    """What the prompt is made of besides the history.

    Args:
        imports: modules the code may import, as the guard will hold them.
        tools: each tool's signature and description, ready to read.
        instructions: the user's own, added at the end of the system prompt.
        budget: characters of conversation kept before old observations are left out (about four to a token).
        templates: replaces what ``smolcell.templates`` names (``{imports}``, ``{tools}``, ``{task}`` are filled in).
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
    shows_images: bool = False
    window: Callable[[], Window | None] = lambda: None

    @property
    def form(self) -> Form:
        """How a step is asked for."""
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
        saved = _length(_observation(event, settings)) - len(_GONE)
        if saved > 0:
            size -= saved
            cut[event.run] = (*cut.get(event.run, ()), event.step)
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
    return _merge([*prompt(history, settings), Message("user", template.replace("{task}", task))])


def system(settings: PromptSettings) -> str:
    """The system message: how to work, what may be imported, which tools there are, the user's own instructions."""
    own = settings.templates.get("system_prompt")
    template = settings.form.system if own is None else own
    tools = "\n".join(settings.tools)
    parts = [template.replace("{imports}", ", ".join(settings.imports) or "none").replace("{tools}", tools or "none")]
    if own is not None and settings.form.note:
        parts.append(settings.form.note)
    if tools and "{tools}" not in template:
        parts.append(f"Tools, called like Python functions:\n{tools}")
    if settings.instructions:
        parts.append(settings.instructions)
    return "\n".join(parts)


def pictures(event: Observed) -> list[str]:
    """The images that a step made, as data URLs: the first few, without those that are too large to be sent."""
    urls = (_picture(bundle.data) for bundle in event.outputs)
    return [url for url in urls if 0 < len(url) <= LARGEST][:IMAGES_SHOWN]


def _picture(data: Mapping[str, str]) -> str:
    return next((f"data:{kind};base64,{''.join(data[kind].split())}" for kind in IMAGE_KINDS if kind in data), "")


def _observation(event: Observed, settings: PromptSettings) -> Message:
    shown = pictures(event) if settings.shows_images else []
    text = observation(event, shown=len(shown))
    return Message("user", [{"type": "text", "text": text}, *map(_image, shown)] if shown else text)


def _image(url: str) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": url}}


def observation(event: Observed, *, shown: int = 0) -> str:
    """What the model reads of one step. ``shown``: how many of its images the model sees."""
    parts = [f"Observation of step {event.step}:"]
    if event.stdout:
        parts.append(f"Printed:\n{event.stdout.rstrip()}")
    if event.dropped:
        parts.append(f"[{event.dropped} more characters were printed and left out. Print less.]")
    if event.result:
        parts.append(f"Value of the last expression:\n{event.result}")
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
        parts.append("The program ran and printed nothing.")
    return "\n".join(parts)


def _fault(error: Fault) -> str:
    where = f" (line {error.line})" if error.line else ""
    return f"Error{where}:\n{error.traceback.rstrip() or f'{error.type}: {error.message}'}"


def _conversation(history: History, gone: set[tuple[str, int]], settings: PromptSettings) -> Iterator[Message]:
    for place, event in enumerate(history):
        match event:
            case Asked():
                yield from _between(event, history[:place])
                if not event.resumes:
                    yield _task(event)
            case Replied():
                yield Message("assistant", event.text if event.text.strip() else "[an empty reply]")
            case Unparsed():
                yield Message("user", event.reason)
            case Allowed(edited=True):
                yield Message("user", _edited(event, settings.form))
            case Refused(then="continue"):
                yield Message("user", _refused(event))
            case Observed():
                trimmed = (event.run, event.step) in gone
                yield Message("user", _GONE) if trimmed else _observation(event, settings)
            case Answered():
                yield Message("user", f"That was the answer: {event.text}")
            case _:
                pass


def _between(asked: Asked, past: History) -> Iterator[Message]:
    """What the model is told about a run that ended without an answer: once it is known whether it is gone on with."""
    ended = past[-1] if past and isinstance(past[-1], Ended) else None
    if ended is None or ended.state == "success":
        return
    told = (Asked, Replied, Proposed, Allowed, Refused, Observed)
    last = next((event for event in reversed(past) if isinstance(event, told)), None)
    if isinstance(last, Proposed) or (isinstance(last, Refused) and last.then != "continue"):
        yield Message("user", _NOT_RUN)
    elif isinstance(last, Allowed):
        yield Message("user", _CUT)
    if asked.resumes and ended.cut != "thinking":
        yield Message("user", _GO_ON)  # else the call that failed is made again as it was
    elif not asked.resumes and ended.state != "max_steps_error":
        yield Message("user", _UNANSWERED)


def _task(event: Asked) -> Message:
    text = f"{TASK}\n{event.task}"
    if event.variables:
        text += f"\n\n{VARIABLES}\n" + "\n".join(_describe(event.variables))
    if event.files:
        text += f"\n\n{FILES}\n" + "\n".join(f"- {file.name} ({file.size:,} bytes)" for file in event.files)
    if not event.images:
        return Message("user", text)
    return Message("user", [{"type": "text", "text": text}, *map(_image, event.images)])


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
    """Join neighbours of one role: some providers refuse two user messages in a row."""
    merged: list[Message] = []
    for message in messages:
        last = merged[-1] if merged else None
        if last is None or last.role != message.role or last.role == "system":
            merged.append(message)
        elif isinstance(last.content, str) and isinstance(message.content, str):
            merged[-1] = Message(message.role, f"{last.content}\n\n{message.content}")  # type: ignore[arg-type]
        else:
            merged[-1] = Message(message.role, [*_parts(last), *_parts(message)])  # type: ignore[arg-type]
    return merged


def _parts(message: Message) -> list[dict[str, Any]]:
    return [{"type": "text", "text": message.content}] if isinstance(message.content, str) else message.content
