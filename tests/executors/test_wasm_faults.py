"""What goes wrong with the WebAssembly sandbox says what to do; and nothing of it outlives its kernel."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import wasm_parts
from processes import below, eventually, living

from smolcell.errors import SandboxError, SetupError
from smolcell.executors import inventory
from smolcell.executors.wasm import WasmExecutor, setup

POINTS = 50 if os.environ.get("SMOLCELL_FULL") else 5


@pytest.fixture
def executor() -> Iterator[WasmExecutor]:
    with WasmExecutor(timeout=60) as executor:
        yield executor


def program(folder: Path, text: str) -> Path:
    """A program of that name that says something."""
    path = folder / "deno"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_without_deno_the_extra_is_named(
    executor: WasmExecutor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "deno", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SetupError, match=r"needs Deno, which is not installed; run: pip install 'smolcell\[wasm\]'"):
        executor("1")


@pytest.mark.parametrize(
    ("says", "told"),
    [
        ("echo deno 1.40.2 '(release)'", r"is Deno 1\.40\.2; the sandbox 'wasm' needs 2\.4 or newer; run: pip install"),
        ("echo hello", r"is not Deno; it prints 'hello\\n'; run: pip install"),
    ],
)
def test_another_deno_on_the_path_is_named(
    executor: WasmExecutor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, says: str, told: str
) -> None:
    monkeypatch.setitem(sys.modules, "deno", None)
    monkeypatch.setenv("PATH", f"{program(tmp_path, says).parent}:/usr/bin:/bin")
    with pytest.raises(SetupError, match=told):
        executor("1")


def test_without_pyodide_the_command_is_named(
    executor: WasmExecutor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wasm_parts.installation()
    monkeypatch.setenv("SMOLCELL_CACHE_DIR", str(tmp_path))
    with pytest.raises(
        SetupError, match=r"Pyodide .* is not on this machine; run once: python -m smolcell\.executors\.wasm$"
    ):
        executor("1")


def test_a_registry_that_does_not_have_it_is_an_error_that_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wasm_parts.installation()
    monkeypatch.setenv("SMOLCELL_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("NPM_CONFIG_REGISTRY", "http://127.0.0.1:9/")
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(SetupError, match=r"did not bring pyodide .* NPM_CONFIG_REGISTRY, and run again: python -m"):
        setup.install()


def test_a_broken_installation_says_how_to_make_it_again(
    executor: WasmExecutor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wasm_parts.installation()
    package = tmp_path / f"pyodide-{setup.PYODIDE}" / "node_modules" / "pyodide"
    package.mkdir(parents=True)
    (package / "package.json").write_text("{}")
    (package / "pyodide.mjs").write_text("export function loadPyodide() { throw new Error('half of it is missing'); }")
    monkeypatch.setenv("SMOLCELL_CACHE_DIR", str(tmp_path))
    with pytest.raises(SandboxError, match=r"install Pyodide again: python -m (.|\n)*half of it is missing"):
        executor("1")
    assert [path.name for path in package.parents[1].iterdir() if path.name.startswith("making-")] == []


def test_deno_killed_in_mid_step_is_told_and_the_next_step_has_a_fresh_one(executor: WasmExecutor) -> None:
    wasm_parts.installation()
    executor("kept = 1")
    assert executor._channel is not None
    (deno,) = below(executor._channel.pid)
    threading.Timer(0.5, os.kill, (deno, signal.SIGKILL)).start()
    with pytest.raises(SandboxError, match=r"ended during the step: signal 9"):
        executor("while True: pass")
    assert executor("'kept' in dir()").output is False


def test_a_supervisor_that_is_killed_takes_deno_along(executor: WasmExecutor) -> None:
    wasm_parts.installation()
    executor("1")
    assert executor._channel is not None
    members = below(executor._channel.pid)
    os.kill(executor._channel.pid, signal.SIGKILL)
    assert members and eventually(lambda: not living(members), 30)
    with suppress(SandboxError):  # that it ended is told to whoever asks first, or was noticed before
        executor("2")
    assert executor("1 + 1").output == 2


HOST = """
import sys
from smolcell.executors.wasm import WasmExecutor
executor = WasmExecutor(timeout=600)
sys.stdout.write("begun\\n")
sys.stdout.flush()
executor("1")
sys.stdout.write("open\\n")
sys.stdout.flush()
executor("while True: print('x')")
"""


@pytest.mark.slow
def test_nothing_outlives_a_kernel_that_is_killed_at_random_points() -> None:
    wasm_parts.installation()
    points = random.Random()
    for number in range(POINTS):
        host = subprocess.Popen([sys.executable, "-c", HOST], stdout=subprocess.PIPE, start_new_session=True)
        assert host.stdout is not None
        for _ in range(1 + number % 2):  # while it opens, and while a step runs
            assert host.stdout.readline()
        time.sleep(points.uniform(0, 1))
        members = below(host.pid)
        host.kill()
        host.wait()
        host.stdout.close()
        assert eventually(lambda members=members: not living(members), 30), f"{members} live after the host's end"


def test_it_is_listed_while_it_runs_and_ended_when_its_kernel_is_gone(executor: WasmExecutor) -> None:
    wasm_parts.installation()
    executor("kept = 1")
    (mine,) = [each for each in inventory.find()[0] if each.name == f"pid {executor._channel.pid}"]  # type: ignore[union-attr]
    assert (mine.kind, mine.gone, mine.walls) == ("wasm", False, ("guard", "WebAssembly"))
    assert mine.memory is not None and mine.memory > 50_000_000
    assert mine.owner.endswith(f"pid {os.getpid()}")
    inventory.clean()
    assert executor("kept").output == 1
