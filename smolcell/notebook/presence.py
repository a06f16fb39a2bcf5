"""Is a person there, as far as the kernel knows?"""

from __future__ import annotations

import sys
from typing import Any

__all__ = ["stdin_allowed"]


def stdin_allowed(shell: Any) -> bool:
    """Whether `input()` can reach a person from the cell that is running.

    The front end says so with each cell (`allow_stdin`): JupyterLab, Notebook and consoles yes; nbclient, nbconvert and
    papermill no. It says nothing about whether anyone looks. Outside of a kernel: whether standard input is a terminal.

    Args:
        shell: What `get_ipython()` returned, or None.
    """
    kernel = getattr(shell, "kernel", None)
    if kernel is not None:
        # ipykernel keeps it for the length of one cell. Where the attribute is missing, nothing is known, and silence
        # is no.
        return bool(getattr(kernel, "_allow_stdin", False))
    return sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty()
