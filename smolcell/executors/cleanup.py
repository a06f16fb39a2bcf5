"""The program with which the reaper ends a container, or a provider's sandbox, after this process.

* It finds the engine or provider as this process did, by the same variables; keys are passed only to the reaper, on this
  machine.
* It waits for a sandbox that is still being created, and retries an engine or provider that does not answer; both for a bounded
  time.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from importlib import import_module

from smolcell.errors import SandboxError
from smolcell.executors.reaper import reaper
from smolcell.machine.environment import search_path

PROGRAM = "import sys; from smolcell.executors.cleanup import main; main(*sys.argv[1:])"
BEING_MADE = 8.0  # seconds that creating a requested sandbox may take
TRYING = 18.0  # seconds of retries; the reaper waits a little longer
RETRY_INTERVAL = 0.5  # seconds between retries


def register(token: str, end: str, *words: str, environ: Mapping[str, str]) -> None:
    """Register a function that the reaper calls when this process has ended.

    Args:
        token: name of the registration; see ``reaper.forget``.
        end: "module:function", called with ``words``; returns whether the sandbox existed and was ended.
        words: its arguments.
        environ: the whole environment that it needs.
    """
    environ = {**environ, "PYTHONPATH": os.pathsep.join(search_path())}
    reaper.register_command(token, [sys.executable, "-B", "-c", PROGRAM, end, *words], environ)


def main(end: str, *words: str) -> None:
    """End a sandbox, also one that is being created.

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
