"""Who shows, decides and waits for an agent's next run."""

from __future__ import annotations

import os

from smolcell.background import on_driver
from smolcell.callers import SilentView
from smolcell.errors import AgentError
from smolcell.gates import create_gate
from smolcell.protocols import FrontEnd, Gate, View, current_front_end
from smolcell.waiter import QueueWaiter, Waiter

NOBODY = (
    "nobody is there to approve: standard input is no terminal. Run the program at a terminal, give the agent a gate=…, "
    "or allow everything with SMOLCELL_APPROVE=auto"
)


class Fronts:
    """Chooses: what the agent was given, else the registered front end, else the terminal.

    Args:
        gate: the agent's own, or None.
        view: the agent's own, or None.
        verbose: show on the terminal what an agent with a gate of its own does.
        quiet: do not show on the terminal what nobody is asked about there.
    """

    def __init__(self, gate: Gate | None, view: View | None, *, verbose: bool, quiet: bool = False) -> None:
        self._gate, self._view, self._verbose, self._quiet = gate, view, verbose, quiet
        self._made: dict[tuple[str, int], tuple[View, Gate]] = {}  # a gate remembers what was allowed in the session

    def choose(self, waiter: Waiter | None = None) -> FrontEnd:
        """For a run that begins now; ``waiter`` is the async caller's.

        Raises:
            SetupError: the approval mode that is set is none.
            AgentError: called on the driver's own thread, which would wait for itself.
        """
        registered = current_front_end()
        if waiter is None:
            if on_driver():
                raise AgentError("an async tool would wait for its own thread here: await agent.arun(...) instead")
            waiter = registered.waiter if registered else QueueWaiter()
        view = self._view or (registered.view if registered else self._terminal(waiter))
        if self._gate is not None:
            return FrontEnd(view=view, gate=self._gate, waiter=waiter)
        if registered is not None and self._view is None and registered.mode is None:
            return FrontEnd(view=view, gate=registered.gate, waiter=waiter, approve=registered.approve)
        mode = registered.mode() if registered and registered.mode else os.environ.get("SMOLCELL_APPROVE", "ask")
        return FrontEnd(view=view, gate=self._by_mode(mode, view), waiter=waiter, approve=mode)

    def _by_mode(self, mode: str, view: View) -> Gate:
        key = (mode, id(view))
        if key not in self._made:
            self._made = {known: made for known, made in self._made.items() if made[0] is view}
            self._made[key] = (view, create_gate(mode, view))
        return self._made[key][1]

    def _terminal(self, waiter: Waiter) -> View:
        asked = os.environ.get("SMOLCELL_APPROVE", "ask") != "auto"
        if (self._gate is not None and not self._verbose) or (self._quiet and not asked):
            return SilentView()
        from smolcell.views.terminal import TerminalView

        return TerminalView(waiter, nobody=NOBODY)
