"""smolagents' module ``local_python_executor``."""

from smolcell.local_python_executor import LocalPythonExecutor

__all__ = ["LocalPythonExecutor"]
