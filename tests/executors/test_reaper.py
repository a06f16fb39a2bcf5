"""Nothing outlives the kernel, even after SIGKILL: no process, no folder."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from examples import few_or_many
from processes import below, eventually, living

from smolcell.executors.local import cgroups

KERNEL = """
import sys, threading
from smolcell.executors.local import LocalPythonExecutor
executor = LocalPythonExecutor(timeout=60)
{before}
executor("1")
print(executor._channel.folder.path, flush=True)
{then}
"""
IDLE = "import time\ntime.sleep(600)"
ASKED = "sys.stdin.readline()\nprint(executor('1 + 1').output, flush=True)\nimport time\ntime.sleep(600)"
BUSY = "executor('while True: pass')"
FORKED = "import os, time\nif os.fork() == 0:\n    time.sleep(600)\n    os._exit(0)\nprint('forked', flush=True)\ntime.sleep(600)"


def kernel(then: str, before: str = "") -> tuple[subprocess.Popen[str], Path]:
    """A process that has opened a sandbox, and the sandbox's folder."""
    code = KERNEL.format(before=before, then=then)
    words = [sys.executable, "-W", "ignore", "-c", code]
    started = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert started.stdout is not None
    return started, Path(started.stdout.readline().strip())


def is_busy(pid: int) -> bool:
    """Whether a process is running code at this moment."""
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "R"


def finish(started: subprocess.Popen[str]) -> None:
    with started:
        pass  # waits for it, and closes the pipes


@pytest.mark.parametrize("then", [IDLE, BUSY], ids=["idle", "busy"])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=["KILL", "TERM"])
def test_nothing_outlives_a_killed_kernel(then: str, number: signal.Signals) -> None:
    started, folder = kernel(then)
    tree = below(started.pid)
    assert len(tree) >= 3  # supervisor, runner, reaper; the first of the runner's namespace, if it has one
    assert folder.is_dir()
    assert then == IDLE or eventually(lambda: any(is_busy(pid) for pid in tree))
    os.kill(started.pid, number)
    finish(started)
    assert eventually(lambda: not living(tree) and not folder.exists())


def test_a_child_that_the_kernel_forked_keeps_nothing_alive() -> None:
    started, folder = kernel(FORKED)
    assert started.stdout is not None and started.stdout.readline() == "forked\n"
    family = below(started.pid)
    os.kill(started.pid, signal.SIGKILL)
    finish(started)
    assert eventually(lambda: not folder.exists() and len(living(family)) <= 1)  # the kernel's own child may live
    for pid in living(family):
        os.kill(pid, signal.SIGKILL)


def test_an_ordinary_exit_leaves_nothing() -> None:
    started, folder = kernel("tree = None")
    finish(started)
    assert started.returncode == 0
    assert eventually(lambda: not folder.exists())


def test_an_interrupt_of_the_kernels_group_does_not_reach_the_sandbox() -> None:
    started, folder = kernel(ASKED, before="import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)")
    tree = below(started.pid)
    assert {os.getsid(pid) for pid in tree} & {os.getsid(started.pid)} == set()
    for pid in tree:
        os.kill(pid, signal.SIGINT)
        os.kill(pid, signal.SIGHUP) if os.getpgid(pid) == pid else None
    assert started.stdin is not None and started.stdout is not None
    print(file=started.stdin, flush=True)
    assert started.stdout.readline() == "2\n"
    assert living(tree) == tree
    os.kill(started.pid, signal.SIGKILL)
    finish(started)
    assert eventually(lambda: not living(tree) and not folder.exists())


CHECKPOINTS = (
    "executor = LocalPythonExecutor(['*'], python='full', timeout=60, checkpoints=10)\n"
    "threading.Thread(target=lambda: [executor(f\"x = bytearray({n} << 20); open('f', 'w').write('{n}' * 99999)\")"
    " for n in range(1, 40)], daemon=True).start()\nimport time\ntime.sleep(600)"
)


@pytest.mark.parametrize(
    "then", [BUSY, pytest.param(CHECKPOINTS, marks=pytest.mark.slow)], ids=["plain", "checkpoints"]
)
@few_or_many(2, 10)
def test_a_kernel_killed_at_a_random_point_leaves_nothing(tmp_path: Path, count: int, then: str) -> None:
    rng = random.Random(8)
    left: list[object] = []
    before = "import tempfile\ntempfile.tempdir = sys.argv[1]"
    parents = {Path(folder).parent for folder in cgroups.Groups(64).folders.values()}
    for number in range(count):
        home = tmp_path / f"k{number}"
        home.mkdir()
        code = KERNEL.format(before=before, then=then)
        started = subprocess.Popen([sys.executable, "-c", code, str(home)], stdout=subprocess.DEVNULL)
        tree: set[int] = set()
        end = time.monotonic() + rng.uniform(0.05, 1.2)
        while time.monotonic() < end:
            tree |= below(started.pid)
            time.sleep(0.01)
        started.kill()
        tree |= below(started.pid)
        started.wait()
        groups = partial(_below, parents, f"smolcell-{started.pid}-*")
        if not eventually(
            lambda tree=tree, home=home, groups=groups: not living(tree) and not list(home.iterdir()) + groups()
        ):  # type: ignore[misc]
            left.append((living(tree), list(home.iterdir()), groups()))
    assert left == []


def _below(parents: set[Path], name: str) -> list[Path]:
    return [found for parent in parents for found in parent.glob(name)]
