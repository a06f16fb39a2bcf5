"""Importing smolcell costs nothing but its own modules: no SDK, no process, no thread, no socket, no file."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ON_FIRST_USE = {
    "anywidget",
    "blaxel",
    "docker",
    "e2b",
    "e2b_code_interpreter",
    "httpx",
    "huggingface_hub",
    "ipywidgets",
    "jupyterlab",
    "litellm",
    "llama_cpp",
    "matplotlib",
    "mcp",
    "modal",
    "numpy",
    "openai",
    "pandas",
    "pyarrow",
    "torch",
    "transformers",
}

PACKAGES = [
    "smolcell",
    *(["smolcell.notebook"] if (Path(__file__).parents[2] / "smolcell" / "notebook").is_dir() else []),
]

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


def python(root: Path, *args: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-B", *args], cwd=root, capture_output=True, text=True, timeout=120, check=False
    )
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
