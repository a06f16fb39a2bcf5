"""The permit: nothing runs without one.

* Only ``permit()`` makes a permit that executors accept; only ``smolcell.gates`` and ``Executor.__call__`` call it
  (``tests/core/test_architecture.py`` reads the syntax trees of the package to hold that).
* A permit is valid once, for exactly its text. A copy, an edited copy, one read back from a journal, or one made by
  calling ``Allowed(...)`` is not in the ledger and is refused.
"""

from __future__ import annotations

import secrets
import threading
from typing import Literal
from weakref import WeakValueDictionary

from smolcell.errors import PermitError
from smolcell.events import Allowed, Proposed, sha256

_unspent: WeakValueDictionary[str, Allowed] = WeakValueDictionary()
_lock = threading.Lock()


def permit(
    proposed: Proposed,
    *,
    by: str,
    text: str | None = None,
    scope: Literal["step", "run", "kind"] = "step",
    comment: str = "",
    offer: str = "",
    who: str = "",
) -> Allowed:
    """Allow a proposal, once.

    Args:
        proposed: what was shown.
        by: who allows it ("person", "policy", "auto", "remembered", "caller"); recorded in the journal.
        text: the edited text that runs instead.
        scope: how far the person's yes reaches; gates remember it, executors ignore it.
        comment: the person's own words, if any.
        offer: what was done together with the approval.
        who: the name of the person who allows it, or did before.
    """
    final = proposed.text if text is None else text
    allowed = Allowed(
        run=proposed.run,
        step=proposed.step,
        kind=proposed.kind,
        text=final,
        sha256=sha256(final),
        by=by,
        edited=final != proposed.text,
        scope=scope,
        comment=comment,
        call=proposed.call,
        offer=offer,
        who=who,
        nonce=secrets.token_hex(16),
    )
    with _lock:
        _unspent[allowed.nonce] = allowed
    return allowed


def spend(allowed: Allowed) -> str:
    """Use a permit up and return the text it allows. Every executor's ``run`` begins here.

    Raises:
        PermitError: it was not made by ``permit()``, was spent before, or its text is not the text that was allowed.
    """
    nonce = getattr(allowed, "nonce", "")
    with _lock:
        known = _unspent.get(nonce)
        if known is None or known is not allowed:  # a copy does not use the permit up
            raise PermitError("this step has no valid permit: it was never allowed, or has already run")
        del _unspent[nonce]
    if sha256(allowed.text) != allowed.sha256:
        raise PermitError("the text of this step is not the text that was allowed")
    return allowed.text
