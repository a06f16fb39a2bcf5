"""Importing smolcell costs nothing but its own modules: no SDK, no process, no thread, no socket, no file."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from examples import cases

from smolcell.machine.environment import assigns

ON_FIRST_USE = {
    "anywidget", "blaxel", "docker", "e2b", "e2b_code_interpreter", "httpx", "huggingface_hub", "ipywidgets", "jupyterlab", "litellm",
    "xllamacpp", "matplotlib", "mcp", "modal", "numpy", "openai", "pandas", "pyarrow", "torch", "transformers",
}  # fmt: skip

PACKAGES = ["smolcell", "smolcell.notebook"]

WATCH = """
import json, sys, threading
seen = []
def watch(event, args):
    if event == "open":
        written = isinstance(args[1], str) and set(args[1]) & set("wax+") or isinstance(args[2], int) and args[2] & 0b11
        if written and "__pycache__" not in str(args[0]):
            seen.append("open for writing: %s" % (args[0],))
    elif event in WATCHED:
        seen.append(event)
WATCHED = {
    "_thread.start_new_thread", "os.exec", "os.fork", "os.forkpty", "os.mkdir", "os.posix_spawn", "os.system",
    "socket.__new__", "socket.bind", "socket.connect", "subprocess.Popen",
}
sys.addaudithook(watch)
__import__(sys.argv[1])
json.dump({"events": list(seen), "threads": [t.name for t in threading.enumerate()]}, sys.stdout)
"""


def python(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-B", *args]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done


@pytest.mark.parametrize("package", PACKAGES)
def test_import_loads_no_provider_and_no_data_library(root: Path, package: str) -> None:
    timed = python(root, "-X", "importtime", "-c", f"import {package}").stderr
    loaded = set(re.findall(r"^import time:\s+\d+ \|\s+\d+ \|\s*(\w+)", timed, re.MULTILINE))
    assert "smolcell" in loaded
    assert loaded & ON_FIRST_USE == set()


@pytest.mark.parametrize("package", PACKAGES)
def test_import_starts_nothing_and_writes_nothing(root: Path, package: str) -> None:
    found = json.loads(python(root, "-c", WATCH, package).stdout)
    assert found == {"events": [], "threads": ["MainThread"]}


GUARDED = """
import os, sys, threading
import smolcell
from smolcell.machine.environment import importing
os.environ.update(KEPT="1", CHANGED="1", GONE="1")
before, path = dict(os.environ), list(sys.path)
other = threading.Thread(target=os.environ.update, kwargs={"OF_A_CELL": "1"})
with importing():
    try:
        import planted_library
    except ModuleNotFoundError:
        print("not there")
    with importing():
        os.environ.update(ADDED="2", CHANGED="2")
        os.putenv("UNSEEN", "2")
        del os.environ["GONE"]
    print(os.environ["LITELLM_MODE"], os.environ["PYTHON_DOTENV_DISABLED"], os.environ.get("ADDED"), os.environ["GONE"])
    other.start()
    other.join()
assert os.environ.pop("OF_A_CELL") == "1"
assert dict(os.environ) == before and sys.path == path
import planted_library
"""


@pytest.mark.parametrize("place", ["", ".", "{cwd}", "{cwd}/link"])
def test_an_import_takes_nothing_from_the_current_folder_and_leaves_no_variable(tmp_path: Path, place: str) -> None:
    (tmp_path / "planted_library.py").write_text("print('planted')\n")
    (tmp_path / "link").symlink_to(tmp_path)
    start = f"import sys; sys.path[0] = {place.format(cwd=tmp_path)!r}\n"
    assert python(tmp_path, "-c", start + GUARDED).stdout == "not there\nPRODUCTION 1 None 1\nplanted\n"


PARTS = """
import contextvars, functools, importlib.util, sys, threading
from importlib.metadata import entry_points
from smolcell.machine.environment import without_current_folder, importing, is_installed

def tried(name):
    try:
        __import__(name)
    except ModuleNotFoundError:
        return "not there"
    return "imported"

import space.first, own_package
for block in importing, without_current_folder:
    with block():
        print(tried("space.planted"), tried("space.deep.planted"), tried("space.second"), tried("own_package.lazy"))
        print(tried("installed"), importlib.util.find_spec("planted_library"), list(entry_points(group="planted")))
        work = lambda: print(tried("helper_" + block.__name__))
        for target in functools.partial(contextvars.copy_context().run, work), work:
            other = threading.Thread(target=target)
            other.start()
            other.join()
print(is_installed("planted_library"), tried("space.planted"), len(entry_points(group="planted")))
"""


def test_a_planted_part_of_a_namespace_package_is_not_found_and_other_threads_find_it(tmp_path: Path) -> None:
    site, here = tmp_path / "site", tmp_path / "here"
    for path in (
        *(site / name for name in ("space/first.py", "space/second.py", "installed.py")),
        *(here / "space" / name for name in ("planted/__init__.py", "deep/planted.py", "second.py")),
        *(here / name for name in ("own_package/__init__.py", "own_package/lazy.py", "planted_library.py")),
        *(here / f"helper_{block}.py" for block in ("importing", "without_current_folder")),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (here / "planted-1.0.dist-info").mkdir()
    (here / "planted-1.0.dist-info" / "METADATA").write_text("Name: planted\nVersion: 1.0\n")
    (here / "planted-1.0.dist-info" / "entry_points.txt").write_text("[planted]\nplanted = planted_library:X\n")
    start = f"import sys; sys.path.append({str(site)!r})\n"
    inside = "not there not there imported imported\nimported None []\nnot there\nimported\n"
    assert python(here, "-c", start + PARTS).stdout == inside * 2 + "False imported 1\n"


SIDE_BY_SIDE = """
import sys, threading
from smolcell.machine.environment import importing

def first():
    with importing():
        under_way.set()
        import slow

under_way, go_on = threading.Event(), threading.Event()
path = list(sys.path)
plain = threading.Thread(target=lambda: __import__("slow"), daemon=True)
plain.start()
inside = threading.Thread(target=first, daemon=True)
inside.start()
under_way.wait(60)
assert sys.path == path
with importing():
    print("not held up" if inside.is_alive() else "too late")
    go_on.set()
for each in plain, inside:
    each.join(60)
    print(each.is_alive())
"""


def test_imports_in_several_threads_neither_wait_for_each_other_nor_lock_each_other_out(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "slow.py").write_text(
        "from __main__ import go_on\nfrom smolcell.machine.environment import importing\ngo_on.wait(60)\nwith importing():\n    pass\n"
    )
    start = f"import sys; sys.path.append({str(tmp_path / 'site')!r})\n"
    assert python(tmp_path, "-c", start + SIDE_BY_SIDE).stdout == "not held up\nFalse\nFalse\n"


SHARED = """
import os, threading
from smolcell.machine.environment import importing

def other():
    with importing():
        os.environ["OF_OTHER"] = "1"
        inside.set()
        left.wait(60)
        print(os.environ["LITELLM_MODE"], os.environ.get("OF_FIRST"))

inside, left = threading.Event(), threading.Event()
before, functions = dict(os.environ), (os.putenv, os.unsetenv)
thread = threading.Thread(target=other)
with importing():
    os.environ["OF_FIRST"] = "1"
    thread.start()
    inside.wait(60)
print(os.environ["OF_OTHER"])
left.set()
thread.join()
assert dict(os.environ) == before and (os.putenv, os.unsetenv) == functions
"""


def test_imports_side_by_side_leave_no_variable(tmp_path: Path) -> None:
    assert python(tmp_path, "-c", SHARED).stdout == "1\nPRODUCTION None\n"


def test_what_decides_is_read_when_the_process_starts(tmp_path: Path) -> None:
    code = """
import os
os.environ["SMOLCELL_APPROVE"] = "deny"
import smolcell
from smolcell.notebook.settings import resolve
os.environ.update(SMOLCELL_APPROVE="auto", SMOLCELL_SANDBOX="elsewhere", SMOLCELL_IMPORTS="os", SMOLCELL_CONFIG_DIR=".", SMOLCELL_API_BASE="http://127.0.0.1:1")
os.environ["SMOLCELL_MODEL"] = "openai/m"
found = resolve({})
print(found.approve, found.sandbox, found.imports, found.model, found.api_base)
"""
    (tmp_path / "smolcell.toml").write_text('approve = "auto"\n')
    done = python(tmp_path, "-c", code)
    assert done.stdout == "deny local () openai/m None\n"
    for name in ("API_BASE", "APPROVE", "SANDBOX", "IMPORTS", "CONFIG_DIR"):
        assert done.stderr.count(f"SMOLCELL_{name} was changed after smolcell was loaded") == 1


@pytest.mark.parametrize(("cell", "counts"), cases(__file__, "assigned"))
def test_a_cell_that_assigns_a_variable_opens_it_and_one_that_mentions_it_does_not(cell: str, counts: bool) -> None:
    assert assigns(cell, "SMOLCELL_APPROVE") == counts


BACKPORT = """
from importlib.metadata import entry_points, version
from smolcell.machine.environment import without_current_folder
import importlib_metadata  # takes find_distributions away from Python's own finder

with without_current_folder():
    pass
assert version("smolcell") == importlib_metadata.version("smolcell")
assert list(entry_points(group="console_scripts"))
with without_current_folder():
    assert version("pytest")
print("found")
"""


def test_installed_packages_are_found_beside_the_library_that_replaces_pythons_finder(root: Path) -> None:
    said = python(root, "-c", BACKPORT)
    assert (said.stdout, said.stderr) == ("found\n", "")


@pytest.mark.parametrize("name", ["ALLOW_HOSTS", "CREDENTIALS", "APPROVE", "SANDBOX"])
def test_a_variable_that_opens_something_counts_as_it_was_when_smolcell_was_loaded(root: Path, name: str) -> None:
    """A .env file that a library of the user's own cells reads opens nothing."""
    program = f"""
import os, warnings
import smolcell
from smolcell.machine.environment import startup_value, read
read()
os.environ["SMOLCELL_{name}"] = "KEY@evil.example"
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    print([startup_value("SMOLCELL_{name}"), len(told)])
"""
    assert python(root, "-c", program).stdout == "['', 1]\n"  # the tests' own environment has no such variable
