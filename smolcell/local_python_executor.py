"""The local sandbox under smolagents' module name: ``smolcell.LocalPythonExecutor``."""

from __future__ import annotations

from smolcell.executors.local import LocalPythonExecutor

__all__ = ["LocalPythonExecutor"]
