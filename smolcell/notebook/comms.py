"""Comms that several pages of one kernel share. To the kernel, one page's close of a comm is the end of it for all of them."""

from __future__ import annotations

from typing import Any


def keep(comm: Any) -> None:
    """Take up again a comm that one page has just closed: what others say of it is heard, and what is sent reaches them."""
    from comm import get_comm_manager

    get_comm_manager().register_comm(comm)


def close_kept(comm: Any) -> None:
    """Close a comm that was taken up again, for the pages that still have it; to itself it is closed already."""
    from comm import get_comm_manager

    comm.publish_msg("comm_close")
    get_comm_manager().unregister_comm(comm)
