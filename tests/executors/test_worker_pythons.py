"""The worker runs on every Python from 3.9 on, whatever the host runs on."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from examples import quick

from smolcell.executors import local

VERSIONS = ("3.9", "3.10", "3.12", "3.13")


def find(version: str) -> str:
    """A Python of that version; skips if there is none (in CI a skip fails the session)."""
    found = sorted(Path("~/.pyenv/versions").expanduser().glob(f"{version}.*/bin/python"))
    candidates = [*map(str, found), shutil.which(f"python{version}") or ""]
    for candidate in filter(None, candidates):
        answer = subprocess.run(
            [candidate, "-c", "import sys; print(sys.version)"], capture_output=True, text=True, check=False
        )
        if answer.stdout.startswith(version + "."):
            return candidate
    pytest.skip(f"no Python {version}: install it with pyenv install {version}")


@pytest.mark.parametrize("version", quick(VERSIONS, "3.9"))
def test_the_worker_runs_on(version: str, make: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    python = find(version)
    monkeypatch.setattr(local, "PYTHON", python)
    monkeypatch.setattr(local.environment, "site_paths", list)
    executor = make(timeout=60)
    executor.send_tools({"shout": str.upper})
    executor.send_variables({"given": {"a": [1, (2, 3)]}})
    assert executor("def f(x):\n    return x * 2\nprint('hi')\nf(21), given, shout('a')").output == (
        42,
        {"a": [1, (2, 3)]},
        "A",
    )
    assert executor("import asyncio\nawait asyncio.sleep(0)\n{1, 2}").output == {1, 2}
    executor("async def job(n): return await asyncio.sleep(0.01, n)\nt = asyncio.create_task(job(1))")
    assert executor("asyncio.run(job(2)), asyncio.get_event_loop().run_until_complete(t)").output == (2, 1)
    assert executor.capabilities["python"].startswith(version)
