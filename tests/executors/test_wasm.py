"""The WebAssembly sandbox beyond the conformance list: its walls, what code can spoil, packages, files, and that nothing outlives it."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
import wasm_parts
from engines import end, kernel
from indexes import wheel
from local_parts import interfere, programs
from processes import below, eventually, living
from wasm_parts import UnguardedWasm

from smolcell.errors import ForbiddenError, InterpreterError, SandboxError, SetupError, SmolcellError
from smolcell.events import File
from smolcell.executors import create_executor, inventory
from smolcell.executors.wasm import WasmExecutor, setup
from smolcell.worker import wasm
from smolcell.worker.system import linux

PROGRAMS = programs("sandbox_programs.txt")

pytestmark = pytest.mark.slow
HERE = Path(__file__).parent
POINTS = 50 if os.environ.get("SMOLCELL_FULL") else 5
Make = Callable[..., WasmExecutor]


@pytest.fixture(scope="module", autouse=True)
def _installed() -> None:
    wasm_parts.installation()


@pytest.fixture
def make() -> Iterator[Make]:
    """Makes sandboxes and closes them."""
    with ExitStack() as stack:
        yield lambda *args, kind=WasmExecutor, **options: stack.enter_context(kind(*args, **{"timeout": 30, **options}))


@pytest.fixture
def executor(make: Make) -> WasmExecutor:
    return make(timeout=60)


@pytest.fixture(scope="module")
def guarded() -> Iterator[WasmExecutor]:
    with WasmExecutor(timeout=30) as executor:
        yield executor


@pytest.fixture(scope="module")
def unguarded() -> Iterator[UnguardedWasm]:
    with UnguardedWasm(timeout=30) as executor:
        yield executor


def test_the_name_wasm_makes_one_and_says_which_python_it_has(make: Make) -> None:
    made = create_executor("wasm", memory=512)
    assert isinstance(made, WasmExecutor)
    executor = make(["csv"])
    assert not executor.boundary().isolated
    assert executor("import csv\n[row for row in csv.reader(['a,b'])]").output == [["a", "b"]]
    told = executor.boundary()
    assert told.isolated and {wall.name for wall in told.walls} >= {"files", "network", "processes", "guard"}
    assert {wall.name: wall.stands for wall in told.walls}["landlock"] is bool(linux.landlock_abi())
    assert executor.capabilities["python"].startswith("3.14.")


LINK = "import gc\nlink = next(each for each in gc.get_objects() if type(each).__name__ == 'MemoryFar')\n"
"""Code that gets hold of the worker's end of its link, and of JavaScript's functions with it."""

# --- walls -------------------------------------------------------------------------------------------------------------


def test_deno_refuses_everything_but_reading_its_own_folder(tmp_path: Path) -> None:
    """As the sandbox starts Deno, but with a program that tries; in the main thread, which has the most rights."""
    found = wasm_parts.installation()
    secret, target, probe = tmp_path / "secret.js", tmp_path / "written", tmp_path / "probe.js"
    secret.write_text("globalThis.reached = true;")
    shutil.copy(HERE / "wasm_probe.js", probe)
    with socket.create_server(("127.0.0.1", 0)) as service:
        words = {**found.paths(), "main": str(probe), "snapshot": str(service.getsockname()[1])}
        options = {"memory": 512, "deno": {**words, "archive": str(secret), "wheels": ""}}
        command = [*wasm.command(options)[:-1], str(target)]
        environ = {"DENO_DIR": str(found.folder / "deno"), "SMOLCELL_TOKEN": "canary"}
        done = subprocess.run(command, capture_output=True, text=True, env=environ, timeout=120, check=False)
    assert json.loads(done.stdout or "{}") == {"tried": 21, "reached": []}, done.stderr
    assert not target.exists() and not (tmp_path / "x").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="needs Landlock")
def test_a_deno_that_was_granted_everything_meets_landlock(tmp_path: Path) -> None:
    """As if its engine had a hole."""
    found = wasm_parts.installation()
    (tmp_path / "secret").write_text("canary")
    own = tmp_path / "own"
    own.mkdir()
    probe = shutil.copy(HERE / "wasm_past_deno.js", own)
    paths = json.dumps({**found.paths(), "wheels": str(own)})
    command = [found.deno, "run", "-A", str(probe), str(tmp_path / "secret"), str(tmp_path / "written")]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAMS["landlock"], paths, *command], capture_output=True, text=True, timeout=120
    )
    said, reached = done.stdout.split("\n", 1)
    if not linux.landlock_abi():
        assert said.startswith("this kernel has no Landlock")
        return
    assert (said, json.loads(reached or "null")) == ("", []), done.stderr
    assert not (tmp_path / "written").exists()


@pytest.mark.parametrize("name", ["js", "pyodide", "pyodide_js", "pyodide.code", "_pyodide", "pyodide_js._api"])
def test_the_guard_refuses_the_way_to_javascript(guarded: WasmExecutor, name: str) -> None:
    with pytest.raises(ForbiddenError, match="Import of"):
        guarded(f"import {name}")


def test_javascript_has_no_names_that_reach_beyond_its_thread(unguarded: UnguardedWasm) -> None:
    names = "Deno Worker fetch WebSocket EventSource BroadcastChannel postMessage process close".split()
    code = (
        f"{LINK}function = link._write.constructor\nassert function.new('return typeof Atomics')() == 'object'\n"
        f"[name for name in {names} if function.new('return typeof ' + name)() != 'undefined']"
    )
    assert unguarded(code).output == []
    code = "import js\n[name for name in dir(js) if name in ('eval', 'Function', 'globalThis', 'self')]"
    assert unguarded(code).output == []


def test_code_past_the_guard_reads_no_file_of_the_host(unguarded: UnguardedWasm, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("canary")
    ways = [
        f"open({str(secret)!r}).read()",
        f"import os\nos.system('cat {secret}')",
        f"{LINK}link._write.constructor.new('path', 'return require(\"node:fs\").readFileSync(path)')({str(secret)!r})",
        "import pyodide_js\nFS = pyodide_js.FS\nFS.mkdir('/m')\nfrom pyodide.ffi import to_js\n"
        f"FS.mount(FS.filesystems.NODEFS, to_js({{'root': {str(tmp_path)!r}}}), '/m')\nopen('/m/secret').read()",
        f"import ctypes\nctypes.CDLL({str(secret)!r})",
    ]
    for code in ways:
        try:
            observed = unguarded(code)
        except SmolcellError as error:
            assert "canary" not in str(error)
        else:
            assert "canary" not in repr((observed.output, observed.stdout, observed.result)), code


# --- hostile to the wire -----------------------------------------------------------------------------------------------


def test_records_without_the_nonce_are_refused_and_noted(unguarded: UnguardedWasm) -> None:
    observed = unguarded(LINK + "link._write(bytes([0, 0, 0, 40]) + bytes(40))\nprint('said')\n7")
    assert (observed.output, observed.stdout) == (7, "said\n\n[smolcell: forged frame refused (1 in this step)]\n")


def test_what_is_no_record_ends_the_sandbox_by_name_and_the_next_step_has_a_fresh_one(make: Make) -> None:
    executor = make(kind=UnguardedWasm)
    with pytest.raises(SandboxError, match="ended during the step"):
        executor(LINK + "link._write(bytes([255]) * 100)\nwhile True: pass")
    assert executor("'link' in dir(), 1 + 1").output == (False, 2)


def test_an_interrupt_while_a_tool_is_waited_for_loses_nothing(make: Make) -> None:
    executor = make(timeout=3, tool_timeout=30)
    executor.send_tools({"echo": lambda value: value})
    assert executor("kept = echo('x' * 3_000_000)\nlen(kept)").output == 3_000_000  # many records in, many out
    with pytest.raises(InterpreterError, match="its variables are kept"):
        executor("while True: pass")
    assert executor("len(echo(kept))").output == 3_000_000


# --- packages and values -----------------------------------------------------------------------------------------------


def test_packages_come_from_a_folder_of_wheels(make: Make, tmp_path: Path) -> None:
    name, data = wheel("greeting", "1.0", "greeting", "def greet(name):\n    return f'hello {name}'\n")
    (tmp_path / name).write_bytes(data)
    executor = make(["greeting"], wheels=tmp_path)
    assert executor("import greeting\ngreeting.greet('you')").output == "hello you"
    with pytest.raises(ForbiddenError):
        executor("import js")


def test_a_package_that_is_not_there_says_how_it_could_be(make: Make) -> None:
    executor = make(["numpy"])
    with pytest.raises(InterpreterError, match=r"No module named 'numpy'.*wheels="):
        executor("import numpy")
    pandas = pytest.importorskip("pandas")
    with pytest.raises(SandboxError, match=r"'frame' cannot be rebuilt.*No module named '(pandas|numpy)'.*wheels="):
        executor.send_variables({"frame": pandas.DataFrame({"a": [1]})})
    assert executor("1 + 1").output == 2


def test_time_zones_are_there(guarded: WasmExecutor) -> None:
    code = "import datetime, zoneinfo\nstr(datetime.datetime(2026, 7, 1, tzinfo=zoneinfo.ZoneInfo('Europe/Berlin')))"
    assert guarded(code).output == "2026-07-01 00:00:00+02:00"


def test_random_numbers_differ_from_sandbox_to_sandbox(guarded: WasmExecutor, make: Make) -> None:
    code = "import random, uuid, secrets\n(random.random(), str(uuid.uuid4()), secrets.token_hex(4))"
    first, second = guarded(code).output, make()(code).output
    assert not set(first) & set(second)


# --- files -------------------------------------------------------------------------------------------------------------


def test_files_go_in_and_out_and_a_fresh_worker_has_them_again(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "sales.csv").write_text("a\n1\n")
    monkeypatch.chdir(tmp_path)
    executor = make(timeout=2)
    assert executor.send_files(["data"]) == (File(name="data/", size=4),)
    wrote = executor(
        "text = open('data/sales.csv').read()\nwith open('new.txt', 'w') as file: file.write(text * 2)\ntext"
    )
    assert (wrote.output, wrote.files) == ("a\n1\n", (File(name="new.txt", size=8),))
    assert executor.keep_file("new.txt", tmp_path).read_text() == "a\n1\na\n1\n"
    with pytest.raises(InterpreterError, match="its process was killed"):
        executor("sum(range(10 ** 13))")
    assert executor("open('data/sales.csv').read()").output == "a\n1\n"
    assert [file.name for file in executor.files()] == ["data/sales.csv"]


def test_files_together_have_a_bound(guarded: WasmExecutor) -> None:
    grow = "with open({!r}, 'wb') as file: file.truncate(9 * 10 ** 8)"
    assert guarded(grow.format("one")).error is None
    with pytest.raises(InterpreterError, match="No space left"):
        guarded(grow.format("two"))
    assert guarded(grow.format("one")).error is None  # room is taken by what is there, not by what was


# --- how it ends -------------------------------------------------------------------------------------------------------


def test_without_pyodide_the_command_is_named(
    executor: WasmExecutor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SMOLCELL_CACHE_DIR", str(tmp_path))
    with pytest.raises(SetupError, match=r"Pyodide .* run once: python -m smolcell\.executors\.wasm$"):
        executor("1")


def test_a_registry_that_does_not_have_it_is_an_error_that_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SMOLCELL_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("NPM_CONFIG_REGISTRY", "http://127.0.0.1:9/")
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(SetupError, match=r"did not bring pyodide .* NPM_CONFIG_REGISTRY, and run again: python -m"):
        setup.install()


def test_a_broken_installation_says_how_to_make_it_again(
    executor: WasmExecutor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    package = tmp_path / f"pyodide-{setup.PYODIDE}" / "node_modules" / "pyodide"
    package.mkdir(parents=True)
    (package / "package.json").write_text("{}")
    (package / "pyodide.mjs").write_text("export function loadPyodide() { throw new Error('half of it is missing'); }")
    monkeypatch.setenv("SMOLCELL_CACHE_DIR", str(tmp_path))
    with pytest.raises(SandboxError, match=r"install Pyodide again: python -m (.|\n)*half of it is missing"):
        executor("1")
    assert [path.name for path in package.parents[1].iterdir() if path.name.startswith("making-")] == []


def test_deno_killed_in_mid_step_is_told_and_the_next_step_has_a_fresh_one(executor: WasmExecutor) -> None:
    executor("kept = 1")
    (deno,) = below(executor._channel.pid)
    error = interfere(executor, lambda: os.kill(deno, signal.SIGKILL)).error
    assert error is not None and "ended during the step: signal 9" in error.message
    assert executor("'kept' in dir()").output is False


def test_a_supervisor_that_is_killed_takes_deno_along(executor: WasmExecutor) -> None:
    executor("1")
    members = below(executor._channel.pid)
    os.kill(executor._channel.pid, signal.SIGKILL)
    assert members and eventually(lambda: not living(members), 60)
    with suppress(SandboxError):  # that it ended is told to whoever asks first, or was noticed before
        executor("2")
    assert executor("1 + 1").output == 2


def test_nothing_outlives_a_kernel_that_is_killed_at_random_points() -> None:
    points = random.Random()
    for number in range(POINTS):
        host = kernel(PROGRAMS["kernel with wasm"], says=["begun", "open"][: 1 + number % 2])
        time.sleep(points.uniform(0, 1))
        members = below(host.pid)
        end(host)
        assert eventually(lambda members=members: not living(members), 60), f"{members} live after the host's end"


def test_it_is_listed_while_it_runs_and_ended_when_its_kernel_is_gone(executor: WasmExecutor) -> None:
    executor("kept = 1")
    (mine,) = [each for each in inventory.find()[0] if each.name == f"pid {executor._channel.pid}"]  # type: ignore[union-attr]
    assert (mine.kind, mine.gone, mine.walls) == ("wasm", False, ("guard", "WebAssembly"))
    assert mine.memory is not None and mine.memory > 50_000_000
    assert mine.owner.endswith(f"pid {os.getpid()}")
    inventory.clean()
    assert executor("kept").output == 1


def test_tasks_go_on_between_the_steps(guarded: WasmExecutor) -> None:
    guarded("""
import asyncio
async def job():
    print('begun')
    await asyncio.sleep(0.01)
    open('done', 'w').close()
    return 42
""")
    assert guarded("t = asyncio.create_task(job())").logs == "begun\n"
    assert eventually(lambda: "done" in {file.name for file in guarded.files()})
    assert guarded("t.result(), await t").output == (42, 42)
    guarded("spin = asyncio.create_task(asyncio.sleep(1000))")
    assert guarded("spin.cancel(), _").output == (True, (42, 42))
