"""Gates decide about proposals. They compose by wrapping: each layer says yes, says no, or asks the one inside.

``create_gate(mode, view)`` builds the stack of an approval mode. The rule of every stack: silence is no. A gate that fails,
is cancelled, or has no person to ask, never allows anything.
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

from smolcell.errors import SetupError
from smolcell.events import Allowed, Proposed, Refused, exposure
from smolcell.permit import permit
from smolcell.policy import current
from smolcell.protocols import MAX_NAME, Answer, Gate, View
from smolcell.text import clip, visible

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

_ALWAYS_ASKED = ("budget", "context", "output", "host")
"""Neither an earlier approval nor a mode covers these kinds."""

# --- ``auto``: every proposal is allowed, except to go beyond a budget or a check; the journal says that no person was asked.


async def allow_all(proposed: Proposed) -> Allowed | Refused:
    """A gate that allows without asking. For tests and for ``--approve auto``.

    Budgets, output checks, hosts, and what of the notebook is sent are a person's to decide.
    """
    if proposed.kind in _ALWAYS_ASKED:
        reason = "approval mode is auto: no question is asked"
        return Refused(
            run=proposed.run, step=proposed.step, call=proposed.call, reason=reason, by="nobody", then="refused"
        )
    return permit(proposed, by="auto")


# --- The outermost layer: whatever goes wrong while deciding is a no, and it is recorded.


_log = logging.getLogger("smolcell.gates")


def fail_closed(inner: Gate) -> Gate:
    """Wrap a gate so that its failure, or an answer for another proposal, refuses the step and ends the run."""

    async def gate(proposed: Proposed) -> Allowed | Refused:
        try:
            said = inner(proposed)
            if not isawaitable(said):
                raise TypeError("a gate is async: write `async def gate(proposed)`")
            decision: object = await said
        except Exception as error:
            _log.warning("a gate failed; the step is refused", exc_info=True)
            return _no(proposed, f"the approval failed ({type(error).__name__}: {error})")
        if not isinstance(decision, Allowed | Refused) or _place(decision) != _place(proposed):
            return _no(proposed, "the approval answered for another step")
        return decision

    return gate


def _place(event: Proposed | Allowed | Refused) -> tuple[str, int, int]:
    return event.run, event.step, event.call


def _no(proposed: Proposed, reason: str) -> Refused:
    return Refused(run=proposed.run, step=proposed.step, call=proposed.call, reason=reason, by="nobody", then="refused")


# --- ``deny``: nothing runs; the run ends at its first proposal.


async def deny_all(proposed: Proposed) -> Refused:
    """A gate that allows nothing."""
    return Refused(
        run=proposed.run,
        step=proposed.step,
        call=proposed.call,
        reason="approval mode is deny: nothing runs",
        by="deny",
        then="refused",
    )


# --- ``ask``: a person decides about every step, through the view.


def no_approver(why: str, then: str, allow: str = "--approve auto (SMOLCELL_APPROVE=auto)") -> str:
    """The reason of a refusal if no person can be asked: why, what to do, and how to allow everything."""
    return f"nobody is there to approve: {why}. {then}, or allow everything with {allow}"


NOBODY = no_approver("no page answered and input is not possible", "Open the notebook in a front end")


def ask(view: View) -> Gate:
    """A gate that asks a person. Exactly the text that was shown runs: an answer to anything else is refused.

    An offer that the person chose is performed before the permit is made; if that fails, no permit is made.
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
    """Turn a person's answer to exactly this proposal into a decision."""
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
            reason = f"{proposed.why} {answer.comment or NOBODY}".lstrip()
            if proposed.kind == "budget":  # no mode of approval would allow it
                reason = "No person is there to let the run go on"
            return _refused(proposed, reason, by="nobody")


def permit_chosen(proposed: Proposed, text: str, who: str) -> Allowed:
    """The permit for a text that a person chose among several that were shown for a proposal."""
    return permit(proposed, by="person", text=text, who=who)


def approver(answer: Answer) -> str:
    """Who gave this answer: as the view says, else the user of the operating system."""
    return answer.who or _os_user()


@cache
def _os_user() -> str:
    try:
        return clip(visible(getuser()), MAX_NAME)
    except (OSError, KeyError):  # the user has no name
        return ""


def _refused(
    proposed: Proposed,
    reason: str,
    *,
    by: str,
    then: Literal["continue", "refused", "stopped"] = "refused",
    who: str = "",
) -> Refused:
    return Refused(run=proposed.run, step=proposed.step, call=proposed.call, reason=reason, by=by, then=then, who=who)


def behind_walls(walls: Sequence[str], inner: Gate) -> Gate:
    """Wrap a gate so that code runs only where these walls stand, as they were tested."""

    async def gate(proposed: Proposed) -> Allowed | Refused:
        standing = {wall.name for wall in proposed.boundary.walls if wall.stands} if proposed.boundary else set()
        missing = [wall for wall in walls if wall not in standing]
        if missing and proposed.kind == "code":
            reason = (
                f"this agent expects walls that do not stand here: {', '.join(missing)}. Use another sandbox, "
                "or load it with expected_walls=()"
            )
            return _refused(proposed, reason, by="policy")
        return await inner(proposed)

    return gate


# --- Remembers what the person approved: the rest of a run, or the session's code while its sandbox is isolated.


def remembered(inner: Gate) -> Gate:
    """Wrap a gate so that a wider approval is kept exactly as long as it says.

    A run's managed agents belong to it. Budgets, output checks, and what of the notebook is sent, are always asked. Calls of a
    tool that asks before each are asked unless the approval was given for a call.

    Approving "the rest of this run" on a plan covers later plans of that run, not the steps that carry them out.

    The scope "kind" covers code of the session, while the sandbox it runs in is isolated and has no network. It can be given only
    then. It covers no calls and no plans. Neither covers a step that lacks what only a person can give.
    """
    runs: dict[str, str] = {}  # run → who approved it
    plans: dict[str, str] = {}  # the runs whose further plans are meant, and nothing else
    calls: dict[str, str] = {}  # the runs among them whose calls are meant, too
    code: str | None = None  # who approved the session's code

    async def gate(proposed: Proposed) -> Allowed | Refused:
        nonlocal code
        if proposed.kind in _ALWAYS_ASKED:
            return await inner(proposed)
        covers = {"call": calls, "plan": runs | plans}.get(proposed.kind, runs)
        walled = proposed.kind == "code" and not exposure(proposed.boundary)
        earlier = next((who for run, who in covers.items() if within(proposed.run, run)), code if walled else None)
        if earlier is not None and not _only_a_person(proposed):
            return permit(proposed, by="remembered", who=earlier)
        decision = await inner(proposed)
        if isinstance(decision, Allowed) and decision.scope == "run":
            (plans if proposed.kind == "plan" else runs)[proposed.run] = decision.who
            if proposed.kind == "call":
                calls[proposed.run] = decision.who
        if walled and code is None and isinstance(decision, Allowed) and decision.scope == "kind":
            code = decision.who
        return decision

    return gate


def _only_a_person(proposed: Proposed) -> bool:
    return any(offer.asks for offer in proposed.offers)


def within(run: str, other: str) -> bool:
    """Whether a run is ``other``, or one of its managed agents': their ids begin with that of the run that called them."""
    return run == other or run.startswith(f"{other}-")


# --- ``risky``: code in an isolated sandbox without a network runs unasked; everything else is asked.


def risky(inner: Gate) -> Gate:
    """Wrap a gate so that it is asked about code only if a wall of the sandbox is missing, a network was opened, or neither is known.

    It is asked about a step that lacks what only a person can give, too.

    Calls of tools that ask, plans and budgets are always asked. The findings about the code decide nothing.
    """

    async def gate(proposed: Proposed) -> Allowed | Refused:
        if proposed.kind != "code":
            return await inner(proposed)
        why = exposure(proposed.boundary)
        if why:
            return await inner(replace(proposed, why=f"Approval is risky, and {why}: every step is asked about."))
        return await inner(proposed) if _only_a_person(proposed) else permit(proposed, by="policy")

    return gate


# --- What a person granted for calls, and what the policy says of all of it.


def granted(inner: Gate, covers: Callable[[Proposed], bool]) -> Gate:
    """Wrap a gate so that it is not asked about calls that a person granted before. Calls that the policy says to ask about are."""

    async def gate(proposed: Proposed) -> Allowed | Refused:
        if proposed.kind == "call" and not proposed.needs and covers(proposed):
            return permit(proposed, by="grant")
        return await inner(proposed)

    return gate


_ASKED = ("person", "remembered", "grant")


def within_policy(inner: Gate, person: Gate) -> Gate:
    """Wrap a gate so that nothing runs that was approved less strictly than the policy says.

    Args:
        inner: decides; what it allows without a person is asked about if the policy says so.
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


MODES = ("ask", "risky", "auto", "deny")


def create_gate(mode: str, view: View) -> Gate:
    """The stack for one of ``MODES``: policy, then what the person said before, then the person.

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
