"""``%load_ext smolcell`` and its undoing. Unloading restores exactly what loading changed."""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from smolcell.notebook.complete import matcher
from smolcell.notebook.front import make_front_end
from smolcell.notebook.magic import AgentMagics, cell_help
from smolcell.protocols import register_front_end
from smolcell.session import Sessions
from smolcell.settings import resolve

_ATTRIBUTE = "_smolcell"
_MARK = "smolcell_mark"  # without an underscore, or a soft reset keeps it


class Extension:
    """What loading did to one shell, and how to undo it, newest first."""

    def __init__(self, shell: Any) -> None:
        self.sessions = Sessions(_place(shell))
        self._undo: list[Callable[[], object]] = []
        front = make_front_end(shell, lambda: resolve({}, self.magics.config).approve, self._stop, self._export)
        self.magics = AgentMagics(shell, self.sessions, front)
        self._undo.append(register_front_end(front))
        if hasattr(front.view, "close"):
            self._undo.append(front.view.close)
        self._register(shell)
        self._watch_reset(shell)
        self._complete(shell)
        atexit.register(self.sessions.close)
        self._undo += [lambda: atexit.unregister(self.sessions.close), self.sessions.close]

    def undo(self) -> None:
        """Take everything back; twice is harmless."""
        while self._undo:
            self._undo.pop()()

    def _stop(self, run: str) -> None:
        for session in self.sessions.running(run):
            session.stop()

    def _export(self, run: str) -> dict[str, Any]:
        return self.magics.exported(run)

    def _register(self, shell: Any) -> None:
        def agent(line: str, cell: str) -> None:
            self.magics.cell(line, cell)

        def agent_line(line: str) -> None:
            """State and control of agents: %agent [status | config key=value … | stop | resume | fork | reset | log | files | export]."""
            self.magics.line(line)

        agent.__doc__ = cell_help()
        self._put(shell, "cell", "agent", agent)
        self._put(shell, "line", "agent", agent_line)

    def _watch_reset(self, shell: Any) -> None:
        """``%reset`` empties the notebook's namespace; the sandboxes' go with it. IPython has no event for it.

        Whether it did (the person may say no, or reset the history only) is seen from a name that is gone.
        """
        original = shell.find_line_magic("reset")  # not from the table: what stands there may be a lazy stand-in
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

    def _complete(self, shell: Any) -> None:
        if getattr(shell, "Completer", None) is None:
            return
        matchers, own = shell.Completer.custom_matchers, matcher(shell)
        matchers.append(own)
        self._undo.append(lambda: matchers.remove(own) if own in matchers else None)

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


def _place(shell: Any) -> str:
    """The notebook, as servers and VS Code name it to its kernel; else the folder."""
    return os.environ.get("JPY_SESSION_NAME") or str(shell.user_ns.get("__vsc_ipynb_file__") or Path.cwd())


def load(shell: Any) -> None:
    """Add the magics to a shell; once."""
    if getattr(shell, _ATTRIBUTE, None) is None:
        setattr(shell, _ATTRIBUTE, Extension(shell))


def unload(shell: Any) -> None:
    """Take them away, and end every session."""
    extension = getattr(shell, _ATTRIBUTE, None)
    if extension is not None:
        extension.undo()
        delattr(shell, _ATTRIBUTE)
