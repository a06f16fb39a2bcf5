"""Gates decide about proposals: each allows, refuses, asks a person, or asks the gate that it wraps.

``create_gate(mode, view)`` builds the stack of an approval mode. In every stack, no answer means no: a gate that fails, is cancelled, or
has no person to ask, never allows anything.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from getpass import getuser
from inspect import isawaitable
from typing import Literal

from smolcell.approval.policy import current
from smolcell.core.spec import MODES
from smolcell.core.text import clip, visible
from smolcell.errors import SetupError
from smolcell.events import Allowed, Proposed, Refused, exposure
from smolcell.permit import permit
from smolcell.protocols import MAX_NAME, Answer, Gate, View

__all__ = [
    "MODES",
    "allow_all",
    "ask",
    "behind_walls",
    "create_gate",
    "deny_all",
    "fail_closed",
    "granted",
    "permit_chosen",
    "remembered",
    "risky",
    "within_policy",
]

_log = logging.getLogger("smolcell.gates")

_ALWAYS_ASKED = ("budget", "context", "output", "host", "link")
"""Kinds of proposals that no earlier approval and no mode covers: a person always decides."""
_ASKED = ("person", "remembered", "grant")
"""Who allowed something that a person was asked about."""


def create_gate(mode: str, view: View) -> Gate:
    """Return the gate of one of ``MODES``.

    Raises:
        SetupError: the mode is not in ``MODES``.
    """
    if mode == "auto":
        return allow_all
    if mode == "deny":
        return deny_all
    if mode == "ask":
        return fail_closed(remembered(ask(view)))
    if mode == "risky":
        return fail_closed(risky(remembered(ask(view))))
    raise SetupError(f"unknown approval mode {mode!r}; valid modes are: {', '.join(MODES)}. Try: --approve ask")


# --- ``auto`` and ``deny``: nobody is asked.


async def allow_all(proposed: Proposed) -> Allowed | Refused:
    """Allow without asking. For tests and for ``--approve auto``.

    Refuses budgets, output checks, hosts, links and notebook context: only a person can allow these.
    """
    if proposed.kind in _ALWAYS_ASKED:
        return _refused(proposed, "approval mode is auto: no question is asked", by="nobody")
    return permit(proposed, by="auto")


async def deny_all(proposed: Proposed) -> Refused:
    """Refuse everything: the run ends at its first proposal."""
    return _refused(proposed, "approval mode is deny: nothing runs", by="deny")


# --- ``ask``: a person decides about every step, through the view.


def no_approver(why: str, then: str, allow: str = "--approve auto (SMOLCELL_APPROVE=auto)") -> str:
    """Return the reason of a refusal if no person can be asked: why, what to do, and how to allow everything."""
    return f"no one can approve: {why}. {then}, or allow everything with {allow}"


NO_APPROVER = no_approver("no page answered and input is not possible", "Open the notebook in a front end")


def ask(view: View) -> Gate:
    """Return a gate that asks a person. Only the shown text runs: an answer to any other text is refused.

    If the person chose an offer, its action is done before the permit is made; if it fails, there is no permit.
    """

    async def gate(proposed: Proposed) -> Allowed | Refused:
        while True:
            answer = await view.ask(proposed)
            if not answer.is_for(proposed):
                return _refused(proposed, "the answer belongs to another proposal", by="nobody")
            if not answer.offer:
                return decide(proposed, answer)
            offer = next(
                (offer for offer in proposed.offers if (offer.id, offer.choice) == (answer.offer, answer.choice)), None
            )
            if offer is None:
                return _refused(proposed, "the answer chose something that was not offered", by="nobody")
            done = await asyncio.to_thread(offer.act) if offer.act is not None else None  # it may take long
            if isawaitable(done):
                done = await done
            if isinstance(done, Proposed):
                proposed = done
            elif offer.choice == "refuse":
                return _refused(proposed, offer.comment, by="person", then="continue", who=approver(answer))
            else:
                return permit(
                    proposed, by="person", text=answer.text, offer=offer.done or offer.label, who=approver(answer)
                )

    return gate


def decide(proposed: Proposed, answer: Answer) -> Allowed | Refused:
    """Convert a person's answer to exactly this proposal into a decision."""
    who = approver(answer)
    match answer.choice:
        case "approve":
            return permit(proposed, by="person", comment=answer.comment, who=who)
        case "approve_run":
            return permit(proposed, by="person", scope="run", comment=answer.comment, who=who)
        case "approve_kind":
            return permit(proposed, by="person", scope="kind", comment=answer.comment, who=who)
        case "edit" if answer.text is not None and answer.text.strip():
            return permit(proposed, by="person", text=answer.text, comment=answer.comment, who=who)
        case "edit":
            return _refused(proposed, "the edited code was empty", by="person", then="continue", who=who)
        case "refuse":
            return _refused(proposed, answer.comment, by="person", then="continue", who=who)
        case "stop":
            return _refused(proposed, answer.comment or "stopped", by="person", then="stopped", who=who)
        case _:
            return _refused(proposed, _unanswered(proposed, answer.comment), by="nobody")


def _unanswered(proposed: Proposed, comment: str) -> str:
    """Return the reason of a refusal because no person answered. It names an approval mode only if one would help."""
    if proposed.needs:
        return f"{proposed.why} No person is there to allow it"
    if proposed.kind in ("budget", "link"):
        return f"No person is there to {'let the run go on' if proposed.kind == 'budget' else 'allow it'}"
    return f"{proposed.why} {comment or NO_APPROVER}".lstrip()


def permit_chosen(proposed: Proposed, text: str, who: str) -> Allowed:
    """Return the permit for a text that a person chose among several that were shown for a proposal."""
    return permit(proposed, by="person", text=text, who=who)


def approver(answer: Answer) -> str:
    """Return who gave this answer: the name from the view, else the user of the operating system."""
    return answer.who or _os_user()


@cache
def _os_user() -> str:
    try:
        return clip(visible(getuser()), MAX_NAME)
    except (OSError, KeyError):  # the user has no name
        return ""


# --- Remembers wider approvals: for the rest of a run, or for the session's code while its sandbox is isolated.


def remembered(inner: Gate) -> Gate:
    """Wrap a gate: an approval of scope "run" or "kind" also allows later proposals that it covers.

    * Scope "run" covers this run and its managed agents' runs. An approval of a plan covers later plans only, not the steps that carry
      them out. Calls that require approval are covered only if the approval was given for a call.
    * Scope "kind" covers code of the session while its sandbox is isolated and has no network, and can be given only then.

    Never covered: budgets, output checks, hosts, links, notebook context, proposals with an offer that asks (``Offer.asks``), and
    programs that ran twice already, with the same outcome. Scope "kind" does not cover code that needs a question (``Proposed.needs``).
    """
    runs: dict[str, str] = {}  # run → the person who approved its rest
    plans: dict[str, str] = {}  # the same for runs of which only further plans are approved
    calls: dict[str, str] = {}  # the same for runs whose calls are approved, too
    code: str | None = None  # the person who approved the session's code

    async def gate(proposed: Proposed) -> Allowed | Refused:
        nonlocal code
        if proposed.kind in _ALWAYS_ASKED:
            return await inner(proposed)
        covers = {"call": calls, "plan": runs | plans}.get(proposed.kind, runs)
        walled = proposed.kind == "code" and not proposed.needs and not exposure(proposed.boundary)
        earlier = next((who for run, who in covers.items() if within(proposed.run, run)), None)
        if earlier is not None and not _needs_person(proposed):
            return permit(proposed, by="remembered", who=earlier)
        if walled and code is not None and not _needs_person(proposed):
            return permit(proposed, by="remembered", who=code, scope="kind")
        decision = await inner(proposed)
        if isinstance(decision, Allowed) and decision.scope == "run":
            (plans if proposed.kind == "plan" else runs)[proposed.run] = decision.who
            if proposed.kind == "call":
                calls[proposed.run] = decision.who
        if walled and code is None and isinstance(decision, Allowed) and decision.scope == "kind":
            code = decision.who
        return decision

    return gate


def _needs_person(proposed: Proposed) -> bool:
    """Return whether a question is due although the code is approved beforehand: it was not foreseen, or leads nowhere."""
    return any(offer.asks for offer in proposed.offers) or any(each.kind == "repeat" for each in proposed.findings)


def within(run: str, other: str) -> bool:
    """Return whether a run is ``other``, or one of its managed agents': their ids begin with that of the calling run."""
    return run == other or run.startswith(f"{other}-")


# --- ``risky``: code in an isolated sandbox without a network runs without asking; everything else is asked about.


def risky(inner: Gate) -> Gate:
    """Wrap a gate so that code in an isolated sandbox without an open network does not reach it, but is allowed.

    The wrapped gate decides if the walls are not known, and about a step that needs something only a person can give.

    Calls that require approval, plans and budgets always reach it. Findings in the code do not matter.
    """

    async def gate(proposed: Proposed) -> Allowed | Refused:
        if proposed.kind != "code":
            return await inner(proposed)
        why = exposure(proposed.boundary)
        if why:
            return await inner(replace(proposed, why=f"Approval is risky, and {why}: every step is asked about."))
        return await inner(proposed) if _needs_person(proposed) else permit(proposed, by="policy")

    return gate


# --- What every gate is restricted by: grants for calls, expected walls, the policy; and every failure is a refusal.


def granted(inner: Gate, covers: Callable[[Proposed], bool]) -> Gate:
    """Wrap a gate so that granted calls are allowed without asking it, unless the policy requires a question."""

    async def gate(proposed: Proposed) -> Allowed | Refused:
        if proposed.kind == "call" and not proposed.needs and covers(proposed):
            return permit(proposed, by="grant")
        return await inner(proposed)

    return gate


def behind_walls(walls: Sequence[str], inner: Gate) -> Gate:
    """Wrap a gate so that code runs only if these walls stand, as tested."""

    async def gate(proposed: Proposed) -> Allowed | Refused:
        missing = list(walls) if proposed.boundary is None else proposed.boundary.lacking(walls)
        if missing and proposed.kind == "code":
            reason = (
                f"this agent expects walls that do not stand here: {', '.join(missing)}. Use another sandbox, "
                "or load it with expected_walls=()"
            )
            return _refused(proposed, reason, by="policy")
        return await inner(proposed)

    return gate


def within_policy(inner: Gate, person: Gate) -> Gate:
    """Wrap a gate so that nothing runs with a weaker approval than the policy requires.

    Args:
        inner: decides. If it allows something without a person, but the policy requires one, ``person`` is asked.
        person: asks a person.
    """

    async def gate(proposed: Proposed) -> Allowed | Refused:
        lock = current().lock("approval")
        mode = lock.value if lock is not None else "auto"
        if mode == "deny":
            return _refused(proposed, f"approval is deny, {lock}: nothing runs", by="policy")
        if proposed.needs == "deny":
            return _refused(proposed, proposed.why, by="policy", then="continue")
        decision = await inner(proposed)
        if isinstance(decision, Refused) and decision.by == "nobody" and mode in ("ask", "risky"):
            decision = replace(decision, reason=f"{decision.reason}. Approval is at least {mode} here: {lock}")
        if isinstance(decision, Refused) or decision.by in _ASKED or proposed.kind == "budget":
            return decision
        if mode == "risky" and proposed.kind == "code":
            mode = "ask" if exposure(proposed.boundary) else "auto"
        if mode == "auto" and not proposed.needs:
            return decision
        why = proposed.why or f"Approval is {lock.value if lock else mode}, {lock}: you are asked."
        return await person(replace(proposed, text=decision.text, why=why))

    return gate


def fail_closed(inner: Gate) -> Gate:
    """Wrap a gate so that its failure, or an answer to another proposal, refuses the step and ends the run."""

    async def gate(proposed: Proposed) -> Allowed | Refused:
        try:
            answer = inner(proposed)
            if not isawaitable(answer):
                raise TypeError("a gate is async: write `async def gate(proposed)`")
            decision: object = await answer
        except Exception as error:
            _log.warning("a gate failed; the step is refused", exc_info=True)
            return _refused(proposed, f"the approval failed ({type(error).__name__}: {error})", by="nobody")
        if not isinstance(decision, Allowed | Refused) or _place(decision) != _place(proposed):
            return _refused(proposed, "the approval answered for another step", by="nobody")
        return decision

    return gate


def _place(event: Proposed | Allowed | Refused) -> tuple[str, int, int]:
    return event.run, event.step, event.call


def _refused(
    proposed: Proposed,
    reason: str,
    *,
    by: str,
    then: Literal["continue", "refused", "stopped"] = "refused",
    who: str = "",
) -> Refused:
    return Refused(run=proposed.run, step=proposed.step, call=proposed.call, reason=reason, by=by, then=then, who=who)
