"""Is a person there, as far as the kernel knows?"""

from __future__ import annotations

import getpass
import sys
from typing import Any

__all__ = ["ask_secret", "stdin_allowed"]


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


def ask_secret(shell: Any, prompt: str) -> str | None:
    """What a person types where it is not shown: a field with dots in a notebook, a blind line in a terminal.

    It is in no cell, no output and no history. None where nobody can type, or types nothing.

    Args:
        shell: What `get_ipython()` returned, or None.
        prompt: What is said first, and in its last line what stands before the field.
    """
    if not stdin_allowed(shell):
        return None
    about, _, question = prompt.rpartition("\n")
    if about:
        sys.stdout.write(f"{about}\n")
    try:
        return getpass.getpass(question) or None  # in a cell this is ipykernel's, which asks the front end
    except (EOFError, RuntimeError):  # the line was closed, or the front end takes no questions after all
        return None
