"""A kernel that is killed leaves no sandbox at a provider, however far it was. Over the stand-ins; E2B's is in test_e2b_life."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time

import pytest
from processes import eventually
from provider_parts import KINDS, running

POINTS = 25 if os.environ.get("SMOLCELL_FULL") else 2
LONG = 300  # seconds: what the service is told, so that it is the reaper that ends the sandbox
LATEST = 1.0  # seconds at which a kernel is killed, after it begins to open a sandbox, or has opened one
HOST = """
import sys
from provider_parts import {name}
executor = {name}(lifetime=int(sys.argv[1]), timeout=600)
print("begun", flush=True)
executor("pass")
print("open", flush=True)
executor("while True: pass")
"""


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("kind", ["blaxel", "modal"])
@pytest.mark.slow
def test_a_killed_kernel_leaves_no_sandbox_at_a_provider(kind: str) -> None:
    chance = random.Random(17)
    with running(kind) as service:
        environ = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        command = [sys.executable, "-c", HOST.format(name=KINDS[kind][0].__name__), str(LONG)]
        for point in range(POINTS):
            process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environ, start_new_session=True)
            assert process.stdout is not None
            with process.stdout as told:
                assert told.readline() == b"begun\n"
                if point % 2:
                    assert told.readline() == b"open\n"
                    assert service.alive()
                time.sleep(chance.uniform(0, LATEST))
                process.send_signal(signal.SIGKILL)
                process.wait()
            since = time.monotonic()
            assert eventually(lambda: not service.alive(), LONG / 3)
            print(f"{kind}, killed {'open' if point % 2 else 'opening'}: gone after {time.monotonic() - since:.1f} s")
