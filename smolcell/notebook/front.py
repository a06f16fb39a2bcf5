"""The front end of this kernel: who shows, who waits, who is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from smolcell.gates import deny_all
from smolcell.notebook.presence import ask_secret, stdin_allowed
from smolcell.protocols import FrontEnd, View
from smolcell.views.terminal import TerminalView
from smolcell.waiter import QueueWaiter

if TYPE_CHECKING:
    from smolcell.notebook.underway import NotedView
    from smolcell.notebook.wait import KernelWaiter


def make_front_end(
    shell: Any, mode: Callable[[], str], on_stop: Callable[[str], object], on_export: Callable[[str], dict[str, Any]]
) -> FrontEnd:
    """Cards in a notebook, the terminal elsewhere.

    Args:
        shell: IPython's, of a kernel or of a terminal.
        mode: the approval mode in force for agents that are run without a cell magic.
        on_stop: told the run's id when Stop is pressed on its card.
        on_export: gives a run's steps as ordinary cells, for its card.
    """

    def secret(prompt: str) -> str | None:
        return ask_secret(shell, prompt)

    if getattr(shell, "kernel", None) is None:
        plain = QueueWaiter()
        terminal = TerminalView(plain)
        return FrontEnd(view=terminal, gate=deny_all, waiter=plain, mode=mode, secret=secret)
    from smolcell.notebook.wait import KernelWaiter

    waiter = KernelWaiter(shell)

    def stdin() -> bool:
        return stdin_allowed(shell)

    fallback = TerminalView(waiter, stdin=stdin)
    view = _noted_view(shell.kernel, waiter, fallback, stdin, on_stop, on_export)
    return FrontEnd(view=view, gate=deny_all, waiter=waiter, mode=mode, secret=secret)


def _noted_view(
    kernel: Any,
    waiter: KernelWaiter,
    fallback: View,
    stdin: Callable[[], bool],
    on_stop: Callable[[str], object],
    on_export: Callable[[str], dict[str, Any]],
) -> NotedView:
    """Cards, of which the page's panel and other pages learn."""
    from smolcell.executors import uses
    from smolcell.notebook.announce import Announcer, kernel_id
    from smolcell.notebook.underway import NotedView, Runs, place_of
    from smolcell.roster import Roster
    from smolcell.views.widget import WidgetView

    announcer = Announcer(waiter, Roster(kernel_id()), on_stop)
    runs = Runs(announcer.changed)
    unfollow = uses.follow(announcer.used)

    def closed() -> None:
        unfollow()
        announcer.close()

    def display(widget: Any) -> None:
        from IPython.display import display

        display(widget)
        runs.place(widget.run, place_of(widget.model_id, kernel))

    view = WidgetView(waiter, display=display, fallback=fallback, stdin=stdin, hears=lambda: waiter.supported() is None)
    view.on_stop, view.on_export = on_stop, on_export
    return NotedView(view, runs, closed)
