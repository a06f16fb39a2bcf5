"""``%load_ext smolcell`` and ``%unload_ext``. Unloading restores exactly what loading changed."""

from __future__ import annotations

import atexit
import getpass
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from smolcell import telemetry
from smolcell.approval.gates import deny_all
from smolcell.machine.environment import importing
from smolcell.machine.waiter import QueueWaiter
from smolcell.notebook.cards import CardRequests
from smolcell.notebook.completion import matcher
from smolcell.notebook.magic import AgentMagics, cell_help, line_help
from smolcell.notebook.session import Sessions
from smolcell.notebook.settings import resolve
from smolcell.protocols import BaseView, FrontEnd, register_front_end
from smolcell.views.terminal import TerminalView

if TYPE_CHECKING:
    from smolcell.notebook.status import RunTracker
    from smolcell.notebook.wait import KernelWaiter
    from smolcell.views.card import Publish


__all__ = ["ask_secret", "stdin_allowed"]

# --- Whether a person can be asked, as far as the kernel knows.


def stdin_allowed(shell: Any) -> bool:
    """Return whether `input()` can reach a person from the running cell.

    The front end reports it with each cell (`allow_stdin`): JupyterLab, Notebook and consoles allow it; nbclient, nbconvert and
    papermill do not. It does not say whether a person is looking. Outside of a kernel: whether standard input is a terminal.

    Args:
        shell: the result of `get_ipython()`, or None.
    """
    kernel = getattr(shell, "kernel", None)
    if kernel is not None:
        # ipykernel sets it for the length of one cell. If the attribute is missing, the answer is no.
        return bool(getattr(kernel, "_allow_stdin", False))
    return sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty()


def ask_secret(shell: Any, prompt: str) -> str | None:
    """Ask for a secret: in a field that hides it in a notebook, without echo in a terminal.

    It is in no cell, output or history. Returns None if input is not possible, or empty.

    Args:
        shell: the result of `get_ipython()`, or None.
        prompt: the text before the field; its last line is the label.
    """
    if not stdin_allowed(shell):
        return None
    about, _, question = prompt.rpartition("\n")
    if about:
        sys.stdout.write(f"{about}\n")
    try:
        return getpass.getpass(question) or None  # in a cell, ipykernel's version asks the front end
    except (EOFError, RuntimeError):  # closed, or the front end allows no input after all
        return None


# --- The front end of this kernel: view, gate and waiter.


def make_front_end(
    shell: Any,
    mode: Callable[[], str],
    cards: CardRequests,
) -> FrontEnd:
    """Return cards in a notebook, the terminal elsewhere.

    Args:
        shell: IPython's shell, of a kernel or a terminal.
        mode: returns the approval mode for agents that run without a cell magic.
        cards: answers the requests of the cards.
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

    view = _noted_view(shell.kernel, waiter, stdin, cards)
    return FrontEnd(view=view, gate=deny_all, waiter=waiter, mode=mode, secret=secret)


def _noted_view(kernel: Any, waiter: KernelWaiter, stdin: Callable[[], bool], cards: CardRequests) -> RunTracker:
    """Return a view of cards whose runs are announced to the page's panel and other pages."""
    from smolcell.executors import registry
    from smolcell.notebook.activity import Roster
    from smolcell.notebook.status import Announcer, Runs, RunTracker, kernel_id, place_of
    from smolcell.views.widget import WidgetView, display_widget

    def watched() -> bool:
        return stdin() or bool(place_of("", kernel).cell)

    announcer = Announcer(waiter, Roster(kernel_id()), cards.stop, variables=cards.variables, watched=watched)
    runs = Runs(announcer.changed)
    unfollow = registry.subscribe(announcer.used)

    def closed() -> None:
        unfollow()
        announcer.close()

    def display(widget: Any) -> Publish:
        replace = display_widget(widget, text=stdin())  # without a person, only the saved record is needed
        runs.place(widget.run, place_of(widget.model_id, kernel))
        return replace

    def hears() -> bool:
        return waiter.supported() is None

    fallback = TerminalView(waiter, stdin=stdin)
    view = WidgetView(waiter, display=display, fallback=fallback, stdin=stdin, watched=watched, hears=hears)
    view.on_stop, view.on_export, view.requests = cards.stop, cards.exported, cards.by_name()
    return RunTracker(view, runs, closed)


_ATTRIBUTE = "_smolcell"
_MARK = "smolcell_mark"  # without an underscore, or a soft reset keeps it


class Extension:
    """What loading changed in one shell, and how to undo it, newest first."""

    def __init__(self, shell: Any) -> None:
        self.sessions = Sessions(_notebook(shell) or str(Path.cwd()))
        self._undo: list[Callable[[], object]] = []
        self.cards = CardRequests()
        front = make_front_end(shell, lambda: resolve({}, self.magics.config).approve, self.cards)
        self.magics = AgentMagics(
            shell, self.sessions, front, notebook=_notebook(shell), answerable=lambda: stdin_allowed(shell)
        )
        self.cards.magics = self.magics
        self._undo.append(register_front_end(front))
        if isinstance(front.view, BaseView):
            self._undo.append(front.view.close)
        if getattr(shell, "kernel", None) is not None:
            telemetry.log_to(_log_file)
            self._undo.append(lambda: telemetry.log_to(None))
        self._register(shell)
        self._watch_reset(shell)
        self._watch_cells(shell)
        self._complete(shell)
        self._tell_variables(shell)
        atexit.register(self.sessions.close)
        self._undo += [lambda: atexit.unregister(self.sessions.close), self.sessions.close]

    def undo(self) -> None:
        """Undo all changes. Idempotent."""
        while self._undo:
            self._undo.pop()()

    def _register(self, shell: Any) -> None:
        from IPython.core.magic import no_var_expand

        def agent(line: str, cell: str) -> None:
            self.magics.cell(line, cell)

        @no_var_expand  # a page types lines with names that it did not choose, such as those of folders
        def agent_line(line: str) -> None:
            self.magics.line(line)

        agent.__doc__, agent_line.__doc__ = cell_help(), line_help()
        self._put(shell, "cell", "agent", agent)
        self._put(shell, "line", "agent", agent_line)

    def _watch_reset(self, shell: Any) -> None:
        """Reset the sessions after ``%reset``, which empties the notebook's namespace. IPython has no event for it.

        Whether it did so (the person may decline, or reset only the history) is seen from a marker variable that disappears.
        """
        original = shell.find_line_magic("reset")  # not from the table, which may hold a lazy placeholder
        if original is None:
            return

        def reset(line: str) -> Any:
            shell.user_ns[_MARK] = True
            try:
                return original(line)
            finally:
                if not shell.user_ns.pop(_MARK, False):
                    self.sessions.close()

        reset.__doc__ = original.__doc__
        self._put(shell, "line", "reset", reset)

    def _watch_cells(self, shell: Any) -> None:
        """Note which cell a source belongs to, so that the model is sent the newest version of each."""
        note = self.magics.cells.note
        shell.events.register("post_run_cell", note)
        self._undo.append(lambda: shell.events.unregister("post_run_cell", note))

    def _complete(self, shell: Any) -> None:
        if getattr(shell, "Completer", None) is None:
            return
        matchers, own = shell.Completer.custom_matchers, matcher(shell, self.magics.cells)
        matchers.append(own)
        self._undo.append(lambda: matchers.remove(own) if own in matchers else None)

    def _tell_variables(self, shell: Any) -> None:
        """Answer a page that asks which variables a cell uses: it opens a comm with the cell's source."""
        if getattr(shell, "kernel", None) is None:
            return
        from comm import get_comm_manager

        from smolcell.notebook.fix import TARGET, used_by

        def opened(comm: Any, message: Any) -> None:
            comm.send({"variables": used_by(message["content"]["data"].get("source"), shell)})
            comm.close()

        get_comm_manager().register_target(TARGET, opened)
        self._undo.append(lambda: get_comm_manager().unregister_target(TARGET, opened))

    def _put(self, shell: Any, kind: str, name: str, function: Callable[..., Any]) -> None:
        table = shell.magics_manager.magics[kind]
        before = table.get(name)
        shell.register_magic_function(function, magic_kind=kind, magic_name=name)

        def undo() -> None:
            if before is None:
                table.pop(name, None)
            else:
                table[name] = before

        self._undo.append(undo)


def _log_file() -> str:
    """Return the stream of a kernel's log: text on standard error would be shown in a cell."""
    from smolcell.machine.state import journals_folder, private_folder

    return str(private_folder(journals_folder().parent / "log") / f"kernel-{os.getpid()}.log")


def _notebook(shell: Any) -> str:
    """Return the notebook's path as servers and VS Code tell it to the kernel; "" if they do not."""
    return os.environ.get("JPY_SESSION_NAME") or str(shell.user_ns.get("__vsc_ipynb_file__") or "")


def load(shell: Any) -> None:
    """Add the magics to a shell. Idempotent."""
    if getattr(shell, _ATTRIBUTE, None) is None:
        setattr(shell, _ATTRIBUTE, Extension(shell))
        if "google.colab" in sys.modules:
            with importing():
                from google.colab import output

            output.enable_custom_widget_manager()  # without it Colab shows no card


def unload(shell: Any) -> None:
    """Remove the magics, and end every session."""
    extension = getattr(shell, _ATTRIBUTE, None)
    if extension is not None:
        extension.undo()
        delattr(shell, _ATTRIBUTE)
