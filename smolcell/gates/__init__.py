"""Gates decide about proposals. They compose by wrapping: each layer says yes, says no, or asks the one inside.

``create_gate(mode, view)`` builds the stack of an approval mode. The rule of every stack: silence is no. A gate that fails,
is cancelled, or has nobody to ask never lets anything through.
"""

from __future__ import annotations

from smolcell.errors import SetupError
from smolcell.gates.auto import allow_all
from smolcell.gates.closed import closed
from smolcell.gates.deny import deny_all
from smolcell.gates.person import ask
from smolcell.gates.remembered import remembered
from smolcell.gates.risky import risky
from smolcell.protocols import Gate, View

MODES = ("ask", "risky", "auto", "deny")

__all__ = ["MODES", "allow_all", "ask", "closed", "create_gate", "deny_all", "remembered", "risky"]


def create_gate(mode: str, view: View) -> Gate:
    """The stack for one of ``MODES``: policy, then what the person said before, then the person.

    Raises:
        SetupError: the mode is none of ``MODES``.
    """
    if mode == "auto":
        return allow_all
    if mode == "deny":
        return deny_all
    if mode == "ask":
        return closed(remembered(ask(view)))
    if mode == "risky":
        return closed(risky(remembered(ask(view))))
    raise SetupError(f"unknown approval mode {mode!r}; valid modes are: {', '.join(MODES)}. Try: --approve ask")
