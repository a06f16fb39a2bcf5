"""Where smolagents' examples look for it: the sandbox of this machine, ``smolcell.LocalPythonExecutor``."""

from __future__ import annotations

from smolcell.executors.local import LocalPythonExecutor

__all__ = ["LocalPythonExecutor"]
