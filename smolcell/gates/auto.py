"""``auto``: every proposal is allowed but to go beyond a budget, and the journal says that nobody was asked."""

from __future__ import annotations

from smolcell.events import Allowed, Proposed, Refused
from smolcell.permit import permit


async def allow_all(proposed: Proposed) -> Allowed | Refused:
    """A gate that asks nobody. For tests, and for those who said ``--approve auto``. A budget holds: nobody said to go beyond."""
    if proposed.kind == "budget":
        reason = "approval mode is auto: nobody is asked"
        return Refused(run=proposed.run, step=proposed.step, reason=reason, by="nobody", then="refused")
    return permit(proposed, by="auto")
