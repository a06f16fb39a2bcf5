"""Converts a proposal to options that another program shows to a person, the chosen option to an answer, and events to texts.

* An option's id is made for one question and can be chosen once: an old or invented id is no answer.
* No answer, or an unknown option, is ``nobody``: nothing runs.
* Texts are escaped so that a client which renders them fetches nothing.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from smolcell.core.prompt import fenced
from smolcell.core.text import clip, hidden, visible
from smolcell.events import FIRST_OUTPUT, Bundle, Finding, Observed, Proposed, Refused
from smolcell.protocols import Answer, Choice
from smolcell.views.outputs import IMAGES, is_shown
from smolcell.views.terminal_render import by_kind, finding_words
from smolcell.views.widget import MAX_COMMENT_BYTES, confined
from smolcell.worker.supervisor.meters import drop_overwritten

MAX_TITLE = 80  # characters


@dataclass(frozen=True, slots=True)
class OfferedAnswer:
    """An answer that a person can give to one proposal. ``asks_why``: the person can add a reason."""

    id: str
    label: str
    kind: Literal["allow_once", "allow_always", "reject_once"]
    choice: Choice
    offer: str = ""
    asks_why: bool = False


def options(proposal: Proposed) -> tuple[OfferedAnswer, ...]:
    """Return the answers that a person may choose, with ids for this question only."""
    token, steps = secrets.token_hex(8), proposal.kind in ("code", "call", "plan")
    choices = [OfferedAnswer("", "Approve", "allow_once", "approve")]
    for offer in proposal.offers:
        if offer.choice != "refuse":
            kept = offer.id.startswith(("run ", "session ", "notebook "))
            kind: Literal["allow_once", "allow_always"] = "allow_always" if kept else "allow_once"
            choices.append(OfferedAnswer("", offer.label, kind, offer.choice, offer.id))
        elif offer.act is None:  # further ideas for a step are compared side by side, on a card
            choices.append(OfferedAnswer("", offer.label, "reject_once", "refuse", offer.id))
    if steps:
        choices.append(OfferedAnswer("", "Approve the rest of this run", "allow_always", "approve_run"))
    if not confined(proposal):
        label = "Approve this session's code while the sandbox is isolated"
        choices.append(OfferedAnswer("", label, "allow_always", "approve_kind"))
    choices.append(OfferedAnswer("", "Refuse", "reject_once", "refuse"))
    if steps:
        choices.append(OfferedAnswer("", "Refuse and say why", "reject_once", "refuse", asks_why=True))
    return tuple(
        replace(each, id=f"{token}-{number}", label=visible(each.label)) for number, each in enumerate(choices)
    )


def chosen(given: Sequence[OfferedAnswer], id: str) -> OfferedAnswer | None:  # noqa: A002 - the protocols' word
    """Return the option of this id; None if it was not offered."""
    return next((option for option in given if option.id == id), None)


def answer(
    proposal: Proposed, choice: Choice, *, offer: str = "", comment: str = "", text: str | None = None
) -> Answer:
    """Return an answer to exactly this proposal."""
    if offer and choice == "edit":  # an offer applies to the unchanged text
        text = proposal.text
    return Answer.to(proposal, choice, text=text, comment=clip(comment, MAX_COMMENT_BYTES // 4), offer=offer)


# --- A proposal as text.

_KINDS = {
    "code": "Run Python",
    "call": "Call a tool",
    "plan": "Follow a plan",
    "budget": "Go beyond the budget",
    "question": "Answer a question",
    "context": "Send the notebook to the model",
    "output": "Let through what an output check found",
    "host": "Connect to a host",
    "link": "Follow a link out of its folder",
}


def title(proposal: Proposed, agent: str = "") -> str:
    """Return one line that names a proposal."""
    call = f", call {proposal.call}" if 0 < proposal.call < FIRST_OUTPUT else ""
    who = f"Agent {agent}, step" if agent else "Step"
    return clip(visible(f"{who} {proposal.step}{call}: {_KINDS[proposal.kind]}"), MAX_TITLE)


_FETCHED = re.compile(r"!(?=\[|$)|<(?=[A-Za-z/!?])")
"""The beginning of an image in Markdown, or of HTML: a client would fetch its URL, which can carry data that a model has read."""


def prose(text: str) -> str:
    """Return an untrusted text for a client that renders Markdown, with images and HTML disabled."""
    return _FETCHED.sub(r"\\\g<0>", visible(text))


def proposal_text(proposal: Proposed) -> str:
    """Return the whole proposal, with its findings, as Markdown."""
    code = proposal.kind in ("code", "call")
    parts = [fenced(visible(proposal.text), "python") if code else prose(proposal.text)]
    parts += [f"- {prose(line)}" for line in findings(proposal.findings)]
    if names := dict.fromkeys(name for _, _, name in hidden(proposal.text)):
        parts.append(f"- characters that cannot be seen, shown as `\\u{{…}}`: {', '.join(names)}")
    if proposal.boundary is not None:
        walls = "isolated" if proposal.boundary.isolated else "WALLS MISSING"
        parts.append(f"\nRuns in: sandbox {proposal.boundary.sandbox}, {walls}, Python {proposal.boundary.python}")
    if proposal.why:
        parts.append(prose(proposal.why))
    return "\n".join(parts)


def refusal(event: Refused) -> str:
    """Return one line about a refusal."""
    return f"Refused by {event.by}{': ' if event.reason else ''}{event.reason}"


def printed(event: Observed) -> str:
    """Return what a step printed, as a terminal leaves it."""
    return drop_overwritten(event.stdout.replace("\r\n", "\n")).replace("\r", "").rstrip("\n")


def pictures(bundle: Bundle) -> list[tuple[str, str]]:
    """Return the pictures of an output, in the order of preference, as (MIME type, base64)."""
    found = [mime for mime in IMAGES if is_shown(mime, bundle.data.get(mime, ""))]
    return [(mime, "".join(bundle.data[mime].split())) for mime in found]


def findings(given: Sequence[Finding]) -> Iterator[str]:
    """Yield the findings in a program: each warning, then those without risk."""
    for each in given:
        if each.risk != "none":
            where = f"line {each.line}, " if each.line else ""
            yield visible(f"{where}{each.risk} risk: {finding_words(each.kind, [each.text])}")
    if facts := [each for each in given if each.risk == "none"]:
        yield visible(by_kind(facts))
