"""``ask``: a person decides about every step, through the view."""

from __future__ import annotations

from typing import Literal

from smolcell.events import Allowed, Proposed, Refused
from smolcell.permit import permit
from smolcell.protocols import Answer, Gate, View

NOBODY = (
    "nobody is there to approve: no page answered and input is not possible. "
    "Open the notebook in a front end, or allow everything with --approve auto (SMOLCELL_APPROVE=auto)"
)


def ask(view: View) -> Gate:
    """A gate that asks a person. What was shown is what runs: an answer to anything else is refused."""

    async def gate(proposed: Proposed) -> Allowed | Refused:
        answer = await view.ask(proposed)
        if (answer.run, answer.step, answer.fingerprint) != (proposed.run, proposed.step, proposed.fingerprint):
            return _refused(proposed, "the answer was given to something else than what was proposed", by="nobody")
        return decide(proposed, answer)

    return gate


def decide(proposed: Proposed, answer: Answer) -> Allowed | Refused:
    """Turn a person's answer to exactly this proposal into a decision."""
    match answer.choice:
        case "approve":
            return permit(proposed, by="person", comment=answer.comment)
        case "approve_run":
            return permit(proposed, by="person", scope="run", comment=answer.comment)
        case "approve_kind":
            return permit(proposed, by="person", scope="kind", comment=answer.comment)
        case "edit" if answer.text is not None and answer.text.strip():
            return permit(proposed, by="person", text=answer.text, comment=answer.comment)
        case "edit":
            return _refused(proposed, "the edited code was empty", by="person", then="continue")
        case "refuse":
            return _refused(proposed, answer.comment, by="person", then="continue")
        case "stop":
            return _refused(proposed, answer.comment or "stopped", by="person", then="stopped")
        case _:
            return _refused(proposed, answer.comment or NOBODY, by="nobody")


def _refused(
    proposed: Proposed, reason: str, *, by: str, then: Literal["continue", "refused", "stopped"] = "refused"
) -> Refused:
    return Refused(run=proposed.run, step=proposed.step, call=proposed.call, reason=reason, by=by, then=then)
