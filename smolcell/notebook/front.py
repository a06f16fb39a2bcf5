"""The front end of this kernel: who shows, who waits, who is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from smolcell.gates import deny_all
from smolcell.notebook.presence import ask_secret, stdin_allowed
from smolcell.protocols import FrontEnd
from smolcell.views.terminal import TerminalView
from smolcell.waiter import QueueWaiter


def make_front_end(shell: Any, mode: Callable[[], str], on_stop: Callable[[str], object]) -> FrontEnd:
    """Cards in a notebook, the terminal elsewhere.

    Args:
        shell: IPython's, of a kernel or of a terminal.
        mode: the approval mode in force for agents that are run without a cell magic.
        on_stop: told the run's id when Stop is pressed on its card.
    """

    def secret(prompt: str) -> str | None:
        return ask_secret(shell, prompt)

    if getattr(shell, "kernel", None) is None:
        plain = QueueWaiter()
        terminal = TerminalView(plain)
        return FrontEnd(view=terminal, gate=deny_all, waiter=plain, mode=mode, secret=secret)
    from smolcell.notebook.wait import KernelWaiter
    from smolcell.views.widget import WidgetView

    waiter = KernelWaiter(shell)

    def stdin() -> bool:
        return stdin_allowed(shell)

    fallback = TerminalView(waiter, stdin=stdin)
    view = WidgetView(waiter, fallback=fallback, stdin=stdin, hears=lambda: waiter.supported() is None)
    view.on_stop = on_stop
    return FrontEnd(view=view, gate=deny_all, waiter=waiter, mode=mode, secret=secret)
