"""The outermost layer: whatever goes wrong while deciding is a no, and it is recorded."""

from __future__ import annotations

import logging
from inspect import isawaitable

from smolcell.events import Allowed, Proposed, Refused
from smolcell.protocols import Gate

_log = logging.getLogger("smolcell.gates")


def closed(inner: Gate) -> Gate:
    """Wrap a gate so that its failure, or an answer for another proposal, refuses the step and ends the run."""

    async def gate(proposed: Proposed) -> Allowed | Refused:
        try:
            said = inner(proposed)
            if not isawaitable(said):
                raise TypeError("a gate is async: write `async def gate(proposed)`")
            decision = await said
        except Exception as error:
            _log.warning("a gate failed; the step is refused", exc_info=True)
            return _no(proposed, f"the approval failed ({type(error).__name__}: {error})")
        if _place(decision) != _place(proposed):
            return _no(proposed, "the approval answered for another step")
        return decision

    return gate


def _place(event: object) -> tuple[object, ...]:
    return tuple(getattr(event, name, None) for name in ("run", "step", "call"))


def _no(proposed: Proposed, reason: str) -> Refused:
    return Refused(run=proposed.run, step=proposed.step, call=proposed.call, reason=reason, by="nobody", then="refused")
