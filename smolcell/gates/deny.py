"""``deny``: nothing runs; the run ends at its first proposal."""

from __future__ import annotations

from smolcell.events import Proposed, Refused


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
