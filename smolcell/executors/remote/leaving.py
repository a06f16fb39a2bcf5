"""What the reaper does about a provider's sandbox when this process is gone: the program that ends it.

The rules this file exists to keep:

* The provider is found as this process found it, by the same variables; its key goes to the reaper, on this machine, and nowhere else.
* A sandbox that is still being made is waited for, for a while; so is a provider that does not answer.
"""

from __future__ import annotations

import os
import sys
import time

from smolcell.errors import SandboxError
from smolcell.executors.reaper import reaper
from smolcell.executors.remote.provider import TOKEN, Provider, environment, find_provider

PROGRAM = "import sys; from smolcell.executors.remote.leaving import main; main(*sys.argv[1:])"
BEING_MADE = 8.0  # seconds that the provider may take to make a sandbox it was asked for
AGAIN = 0.5  # seconds
TRYING = 18.0  # seconds for which a provider that cannot be reached is asked; the reaper waits a little longer


def register(provider: Provider, token: str) -> None:
    """From now on the sandbox with this token ends with this process."""
    environ = {**environment(provider), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    reaper.register_command(token, [sys.executable, "-B", "-c", PROGRAM, provider.name, token], environ)


def forget(token: str) -> None:
    """It is gone."""
    reaper.forget(token)


def main(name: str, token: str) -> None:
    """End the sandbox of a provider that has this token, also one that is just being made."""
    provider = find_provider(name)
    begun = time.monotonic()
    while True:
        try:
            found = provider.listed({TOKEN: token})
            for each in found:
                provider.end(each.name)
            if found or time.monotonic() - begun > BEING_MADE:
                return
        except SandboxError:
            if time.monotonic() - begun > TRYING:
                raise
        time.sleep(AGAIN)
