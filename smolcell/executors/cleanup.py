"""The program with which the reaper ends a container, or a provider's sandbox, when this process is gone.

* An engine or a provider is found as this process found it, by the same variables; a key goes to the reaper, on this machine, and
  nowhere else.
* A sandbox that is still being made is waited for, for a while; so is an engine or a provider that does not answer.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from importlib import import_module

from smolcell.environment import search_path
from smolcell.errors import SandboxError
from smolcell.executors.reaper import reaper

PROGRAM = "import sys; from smolcell.executors.cleanup import main; main(*sys.argv[1:])"
BEING_MADE = 8.0  # seconds that making a sandbox that was asked for may take
TRYING = 18.0  # seconds for which one that does not answer is asked; the reaper waits a little longer
RETRY_INTERVAL = 0.5  # seconds


def register(token: str, end: str, *words: str, environ: Mapping[str, str]) -> None:
    """Register a function with the reaper, to be called when this process is gone.

    Args:
        token: names the registration; see ``reaper.forget``.
        end: "module:function", called with ``words``; returns whether the sandbox was there and was ended.
        words: its arguments.
        environ: the whole environment that it needs.
    """
    environ = {**environ, "PYTHONPATH": os.pathsep.join(search_path())}
    reaper.register_command(token, [sys.executable, "-B", "-c", PROGRAM, end, *words], environ)


def main(end: str, *words: str) -> None:
    """End a sandbox, also one that is just being made.

    Raises:
        SandboxError: the engine or the provider does not answer.
    """
    module, _, name = end.partition(":")
    function = getattr(import_module(module), name)
    begun = time.monotonic()
    while True:
        try:
            if function(*words) or time.monotonic() - begun > BEING_MADE:
                return
        except SandboxError:
            if time.monotonic() - begun > TRYING:
                raise
        time.sleep(RETRY_INTERVAL)
