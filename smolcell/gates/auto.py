"""``auto``: every proposal is allowed, and the journal says that nobody was asked."""

from __future__ import annotations

from smolcell.events import Allowed, Proposed
from smolcell.permit import permit


async def allow_all(proposed: Proposed) -> Allowed:
    """A gate that asks nobody. For tests, and for those who said ``--approve auto``."""
    return permit(proposed, by="auto")
