"""What the page may say, and whether it counts.

The rules this file exists to keep:

* A message from the page is hostile until read: exact types, bounded sizes, a choice from the table.
* An answer counts for exactly one proposal: run, step and fingerprint of what was shown are those of what is pending.
* Whatever is wrong becomes a sentence for the person, never an exception.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast, get_args

from smolcell.events import Proposed
from smolcell.protocols import Answer, Choice

CHOICES = frozenset(get_args(Choice)) - {"nobody"}
"""What a page may choose. ``nobody`` is the absence of a page."""

NOT_AS_IT_IS = frozenset({"hidden", "long-line", "syntax"})
"""Kinds of findings that say: what is shown is not all there is to see, or was not understood. The twin is in ``controls.ts``."""

MAX_TEXT = 1_000_000  # bytes of an edited step
MAX_COMMENT = 10_000  # bytes


class BadAnswerError(ValueError):
    """The answer does not count; the message says why, to a person."""


def read_answer(content: Mapping[str, Any]) -> Answer:
    """The answer in a page's message.

    Raises:
        BadAnswerError: it is none: a missing field, a wrong type, an unknown choice, a text too long.
    """
    run, step, shown, choice = (content.get(name) for name in ("run", "step", "fingerprint", "choice"))
    text, comment = content.get("text"), content.get("comment", "")
    if type(run) is not str or type(step) is not int or type(shown) is not str:
        raise BadAnswerError("the answer does not name the step it is for")
    if type(choice) is not str or choice not in CHOICES:
        raise BadAnswerError("the answer is none of the choices")
    if (choice == "edit") != (type(text) is str) or (choice != "edit" and text is not None):
        raise BadAnswerError("an edited text goes with the choice to edit, and with no other")
    if type(comment) is not str or _bytes(comment) > MAX_COMMENT:
        raise BadAnswerError(f"the comment is longer than {MAX_COMMENT} bytes, or no text")
    if text is not None and _bytes(text) > MAX_TEXT:
        raise BadAnswerError(f"the edited text is longer than {MAX_TEXT} bytes")
    return Answer(run=run, step=step, fingerprint=shown, choice=cast(Choice, choice), text=text, comment=comment)


def reaches_too_far(answer: Answer, proposal: Proposed) -> str:
    """Why a yes to more than this step must not be given to this proposal; "" where it may.

    A yes to a whole kind is one to code that nobody will be shown. It is not taken for what cannot itself be shown as it is.
    """
    if answer.choice != "approve_kind":
        return ""
    if proposal.kind != "code":
        return "only code can be approved by its kind"
    if any(finding.kind in NOT_AS_IT_IS for finding in proposal.findings):
        return "this code cannot be shown as it is, so its kind cannot be approved"
    return ""


def mismatch(answer: Answer, pending: tuple[str, int, str] | None, last: tuple[str, int, str] | None) -> str:
    """Why ``answer`` is not for what is pending now; "" where it is.

    Args:
        pending: run, step and fingerprint of the proposal that waits.
        last: those of the proposal that was answered or withdrawn before.
    """
    given = (answer.run, answer.step, answer.fingerprint)
    if pending is not None and given == pending:
        return ""
    if given == last:
        return "this step was answered already"
    if pending is None or given[0] != pending[0]:
        return "nothing waits for an answer here"
    if given[1] != pending[1]:
        return f"that was step {given[1]}; step {pending[1]} is the one that waits"
    return "what you were shown is not what waits now"


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
