"""The WebAssembly sandbox beyond the conformance list: its walls, what code can spoil, packages, files."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import wasm_parts
from wasm_parts import UnguardedWasm

from smolcell.errors import CapabilityError, ForbiddenError, InterpreterError, SandboxError, SmolcellError
from smolcell.events import File
from smolcell.executors import create_executor
from smolcell.executors.wasm import WasmExecutor
from smolcell.worker import wasm
from smolcell.worker.system import linux


@pytest.fixture(scope="module", autouse=True)
def _installed() -> None:
    wasm_parts.installation()


@pytest.fixture
def make() -> Iterator[Callable[..., WasmExecutor]]:
    """Makes sandboxes and closes them."""
    made: list[WasmExecutor] = []

    def maker(*args: Any, kind: type[WasmExecutor] = WasmExecutor, **options: Any) -> WasmExecutor:
        made.append(kind(*args, **{"timeout": 30, **options}))
        return made[-1]

    yield maker
    for executor in made:
        executor.close()


@pytest.fixture(scope="module")
def guarded() -> Iterator[WasmExecutor]:
    with WasmExecutor(timeout=30) as executor:
        yield executor


@pytest.fixture(scope="module")
def unguarded() -> Iterator[UnguardedWasm]:
    with UnguardedWasm(timeout=30) as executor:
        yield executor


def test_the_name_wasm_makes_one_and_says_which_python_it_has(make: Callable[..., WasmExecutor]) -> None:
    made = create_executor("wasm", memory=512)
    assert isinstance(made, WasmExecutor)
    executor = make(["csv"])
    assert not executor.boundary().isolated
    assert executor("import csv\n[row for row in csv.reader(['a,b'])]").output == [["a", "b"]]
    told = executor.boundary()
    assert told.isolated and {wall.name for wall in told.walls} >= {"files", "network", "processes", "guard"}
    assert {wall.name: wall.stands for wall in told.walls}["landlock"] is bool(linux.landlock_abi())
    assert executor.capabilities["python"].startswith("3.14.")


@pytest.mark.parametrize("memory", [16, 8192])
def test_memory_that_webassembly_cannot_have_is_refused_by_name(memory: int) -> None:
    with pytest.raises(CapabilityError, match=f"memory={memory} is out of range"):
        WasmExecutor(memory=memory)


LINK = "import gc\nlink = next(each for each in gc.get_objects() if type(each).__name__ == 'MemoryFar')\n"
"""Code that gets hold of the worker's end of its link, and of JavaScript's functions with it."""

# --- walls -------------------------------------------------------------------------------------------------------------

PROBE = """
const [port, secret, target] = Deno.args;
const ways = {
  "a file": () => Deno.readTextFileSync(secret),
  "a file, by node:fs": async () => (await import("node:fs")).readFileSync(secret),
  "a file as a module": () => import("file://" + secret),
  "a file as a worker": () => new Promise((done, fail) => {
    const worker = new Worker("file://" + secret, { type: "module" });
    worker.onerror = (event) => { event.preventDefault(); fail(new Error(event.message)); };
    setTimeout(done, 2000);
  }),
  "a folder": () => [...Deno.readDirSync("/")],
  "writing": () => Deno.writeTextFileSync(target, "x"),
  "writing, by node:fs": async () => (await import("node:fs")).writeFileSync(target, "x"),
  "writing into its own folder": () => Deno.writeTextFileSync(new URL("x", import.meta.url), "x"),
  "a variable": () => Deno.env.get("SMOLCELL_TOKEN") ?? Deno.env.toObject(),
  "a variable, by node:process": async () => { if (!(await import("node:process")).env.SMOLCELL_TOKEN) throw new Error("none"); },
  "a program": () => new Deno.Command("/bin/true").outputSync(),
  "a program, by node:child_process": async () => { (await import("node:child_process")).execFileSync("/bin/true"); },
  "a signal": () => Deno.kill(Deno.ppid, "SIGCONT"),
  "a connection": () => Deno.connect({ port: Number(port) }),
  "a request": () => fetch(`http://127.0.0.1:${port}/`),
  "a connection, by node:net": async () => {
    const { connect } = await import("node:net");
    await new Promise((done, fail) => connect(Number(port), "127.0.0.1").on("connect", done).on("error", fail));
  },
  "a module from the network": () => import(`http://127.0.0.1:${port}/x.js`),
  "a package": () => import("npm:is-number@7.0.0"),
  "a service": () => Deno.listen({ port: 0 }),
  "a C library": () => Deno.dlopen("libc.so.6", {}),
  "facts of the system": () => Deno.hostname(),
};
const reached = [];
for (const [name, way] of Object.entries(ways)) {
  try {
    await way();
    reached.push(name);
  } catch { /* refused */ }
}
console.log(JSON.stringify({ tried: Object.keys(ways).length, reached }));
Deno.exit(0);
"""


def test_deno_refuses_everything_but_reading_its_own_folder(tmp_path: Path) -> None:
    """As the sandbox starts Deno, but with a program that tries; in the main thread, which has the most rights."""
    found = wasm_parts.installation()
    secret, target, probe = tmp_path / "secret.js", tmp_path / "written", tmp_path / "probe.js"
    secret.write_text("globalThis.reached = true;")
    probe.write_text(PROBE)
    with socket.create_server(("127.0.0.1", 0)) as service:
        words = {**found.paths(), "main": str(probe), "snapshot": str(service.getsockname()[1])}
        options = {"memory": 512, "deno": {**words, "archive": str(secret), "wheels": ""}}
        command = [*wasm.command(options)[:-1], str(target)]
        environ = {"DENO_DIR": str(found.folder / "deno"), "SMOLCELL_TOKEN": "canary"}
        done = subprocess.run(command, capture_output=True, text=True, env=environ, timeout=60, check=False)
    assert json.loads(done.stdout or "{}") == {"tried": 21, "reached": []}, done.stderr
    assert not target.exists() and not (tmp_path / "x").exists()


LANDLOCK = """
import json, subprocess, sys
from smolcell.worker import wasm as deno
print(deno.shut_disk({"deno": json.loads(sys.argv[1])}))
print(subprocess.run(sys.argv[2:], capture_output=True, text=True).stdout)
"""
PAST_DENO = """
const [secret, target] = Deno.args;
const reached = [];
for (const way of [() => Deno.readTextFileSync(secret), () => Deno.writeTextFileSync(target, "x"), () => [...Deno.readDirSync("/")]]) {
  try { way(); reached.push(String(way)); } catch { /* refused */ }
}
console.log(JSON.stringify(reached));
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs Landlock")
def test_a_deno_that_was_granted_everything_meets_landlock(tmp_path: Path) -> None:
    """As if its engine had a hole."""
    found = wasm_parts.installation()
    (tmp_path / "secret").write_text("canary")
    own = tmp_path / "own"
    own.mkdir()
    (own / "probe.js").write_text(PAST_DENO)
    paths = json.dumps({**found.paths(), "wheels": str(own)})
    probe = [found.deno, "run", "-A", str(own / "probe.js"), str(tmp_path / "secret"), str(tmp_path / "written")]
    done = subprocess.run([sys.executable, "-c", LANDLOCK, paths, *probe], capture_output=True, text=True, timeout=60)
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
    names = [
        "Deno",
        "Worker",
        "fetch",
        "WebSocket",
        "EventSource",
        "BroadcastChannel",
        "postMessage",
        "process",
        "close",
    ]
    code = (
        f"{LINK}function = link._write.constructor\nassert function.new('return typeof Atomics')() == 'object'\n"
        f"[name for name in {names} if function.new('return typeof ' + name)() != 'undefined']"
    )
    assert unguarded(code).output == []
    assert (
        unguarded("import js\n[name for name in dir(js) if name in ('eval', 'Function', 'globalThis', 'self')]").output
        == []
    )


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
    assert (observed.output, observed.stdout) == (
        7,
        "said\n\n[smolcell: forged frame refused (1 in this step)]\n",
    )


def test_what_is_no_record_ends_the_sandbox_by_name_and_the_next_step_has_a_fresh_one(
    make: Callable[..., WasmExecutor],
) -> None:
    executor = make(kind=UnguardedWasm)
    with pytest.raises(SandboxError, match="ended during the step"):
        executor(LINK + "link._write(bytes([255]) * 100)\nwhile True: pass")
    assert executor("'link' in dir(), 1 + 1").output == (False, 2)


def test_an_interrupt_while_a_tool_is_waited_for_loses_nothing(make: Callable[..., WasmExecutor]) -> None:
    executor = make(timeout=3, tool_timeout=30)
    executor.send_tools({"echo": lambda value: value})
    assert executor("kept = echo('x' * 3_000_000)\nlen(kept)").output == 3_000_000  # many records in, many out
    with pytest.raises(InterpreterError, match="its variables are kept"):
        executor("while True: pass")
    assert executor("len(echo(kept))").output == 3_000_000


# --- packages and values -----------------------------------------------------------------------------------------------


def wheel(folder: Path, name: str, source: str) -> None:
    """A wheel with one module."""
    with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{name}.py", source)
        archive.writestr(f"{name}-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(
            f"{name}-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{name}-1.0.dist-info/RECORD", "")


def test_packages_come_from_a_folder_of_wheels(make: Callable[..., WasmExecutor], tmp_path: Path) -> None:
    wheel(tmp_path, "greeting", "def greet(name):\n    return f'hello {name}'\n")
    executor = make(["greeting"], wheels=tmp_path)
    assert executor("import greeting\ngreeting.greet('you')").output == "hello you"
    with pytest.raises(ForbiddenError):
        executor("import js")


def test_a_package_that_is_not_there_says_how_it_could_be(make: Callable[..., WasmExecutor]) -> None:
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


def test_random_numbers_differ_from_sandbox_to_sandbox(
    guarded: WasmExecutor, make: Callable[..., WasmExecutor]
) -> None:
    code = "import random, uuid, secrets\n(random.random(), str(uuid.uuid4()), secrets.token_hex(4))"
    first, second = guarded(code).output, make()(code).output
    assert not set(first) & set(second)


# --- files -------------------------------------------------------------------------------------------------------------


def test_files_go_in_and_out_and_a_fresh_worker_has_them_again(
    make: Callable[..., WasmExecutor], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
