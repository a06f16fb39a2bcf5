"""What the person said before: "everything in this run" reaches to the run's end, "this kind" to the session's."""

from __future__ import annotations

from smolcell.events import Allowed, Finding, Proposed, Refused
from smolcell.permit import permit
from smolcell.protocols import Gate


def remembered(inner: Gate) -> Gate:
    """Wrap a gate so that a wider yes is kept exactly as long as it says.

    A run's managed agents belong to it. What a run may spend is asked anew each time, whatever was said; so are the calls of a
    tool that asks before each, unless it was said about a call.

    A yes to the rest of a run that was said about a plan is one to its further plans: what carries a plan out is asked about.

    "This kind" covers a later proposal of the same kind only if all its warnings are among those the person saw, and none is more
    serious than what they saw of its kind. A tool is a warning by its name: a yes to one is none to another.
    """
    runs: set[str] = set()
    plans: set[str] = set()  # the runs whose further plans are meant, and nothing else
    calls: set[str] = set()  # the runs among them whose calls are meant, too
    kinds: list[tuple[str, frozenset[tuple[str, str]]]] = []

    async def gate(proposed: Proposed) -> Allowed | Refused:
        if proposed.kind == "budget":
            return await inner(proposed)
        warnings = frozenset(
            (_warned(finding), finding.risk) for finding in proposed.findings if finding.risk != "none"
        )
        covers = {"call": calls, "plan": runs | plans}.get(proposed.kind, runs)
        if any(within(proposed.run, run) for run in covers) or any(
            kind == proposed.kind and warnings <= seen for kind, seen in kinds
        ):
            return permit(proposed, by="remembered")
        decision = await inner(proposed)
        if isinstance(decision, Allowed) and decision.scope == "run":
            (plans if proposed.kind == "plan" else runs).add(proposed.run)
            if proposed.kind == "call":
                calls.add(proposed.run)
        if isinstance(decision, Allowed) and decision.scope == "kind":
            kinds.append((proposed.kind, warnings | {(kind, "low") for kind, _ in warnings}))
        return decision

    return gate


def _warned(finding: Finding) -> str:
    """What a warning is about, as far as a yes to it reaches."""
    return f"tool {finding.text}" if finding.kind == "tool" else finding.kind


def within(run: str, other: str) -> bool:
    """Whether a run is ``other``, or one of its managed agents': their ids begin with that of the run that called them."""
    return run == other or run.startswith(f"{other}-")
