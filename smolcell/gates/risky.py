"""``risky``: what the policy finds harmless passes; everything else is asked."""

from __future__ import annotations

from smolcell.events import Allowed, Proposed, Refused
from smolcell.permit import permit
from smolcell.protocols import Gate


def risky(inner: Gate) -> Gate:
    """Wrap a gate so that harmless code is not asked about. Code that does not parse, or is no code, is always asked."""

    from smolcell.policy import harmless  # costs more than all gates together, and few ask for it

    async def gate(proposed: Proposed) -> Allowed | Refused:
        if proposed.kind == "code" and harmless(proposed.findings):
            return permit(proposed, by="policy")
        return await inner(proposed)

    return gate
