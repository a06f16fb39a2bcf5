"""The permit: nothing runs without one.

* Only ``permit()`` makes permits that executors accept; only ``smolcell.approval.gates`` and ``WorkerExecutor.__call__`` call it
  (``tests/core/test_architecture.py`` checks this in the syntax trees of the package).
* A permit is valid once, for exactly its text. A copy, an edited copy, one read back from a journal, or one made by
  calling ``Allowed(...)`` is not among those made here, and is refused.
"""

from __future__ import annotations

import secrets
import threading
from typing import Literal
from weakref import WeakValueDictionary

from smolcell.errors import PermitError
from smolcell.events import Allowed, Proposed, needed_walls, sha256

_unspent: WeakValueDictionary[str, Allowed] = WeakValueDictionary()
_spent: WeakValueDictionary[int, Allowed] = WeakValueDictionary()  # programs that were allowed in this process
_seen: WeakValueDictionary[int, Allowed] = WeakValueDictionary()  # programs that a person allowed to run again
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
        proposed: the proposal that was shown.
        by: who allows it ("person", "policy", "auto", "remembered", "caller"); recorded in the journal.
        text: the edited text that runs instead.
        scope: the scope of the person's approval, also of an earlier one; gates remember it, executors ignore it.
        comment: the person's comment, if any.
        offer: the offer that was chosen with the approval.
        who: name of the person who allows it, or allowed it before.
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
    """Use a permit up and return the text that it allows. Every executor's ``run`` begins with this.

    Raises:
        PermitError: it was not made by ``permit()``, was already spent, or its text is not the allowed one.
    """
    nonce = getattr(allowed, "nonce", "")
    with _lock:
        known = _unspent.get(nonce)
        if known is None or known is not allowed:  # a copy does not use up the permit
            raise PermitError("this step has no valid permit: it was never allowed, or has already run")
        del _unspent[nonce]
    if sha256(allowed.text) != allowed.sha256:
        raise PermitError("the text of this step is not the text that was allowed")
    _spent[id(allowed)] = allowed
    return allowed.text


def permit_again(program: Allowed) -> None:
    """Note that a person allowed a program of an earlier step to run again."""
    _seen[id(program)] = program


def known_permit(program: Allowed) -> bool | None:
    """Return whether a program that was allowed in this process needed walls; None if it was not allowed, or is a copy."""
    if _seen.get(id(program)) is program:
        return False
    return needed_walls(program) if _spent.get(id(program)) is program else None
