"""What is installed from the wheel alone: JupyterLab finds the extension, the server its part, and no Node is there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with nothing in it but the wheel, which sees the libraries of this one."""
    folder = tmp_path_factory.mktemp("wheel")
    uv = [sys.executable, "-m", "uv", "--quiet"]
    run([*uv, "build", "--wheel", "--out-dir", str(folder), str(ROOT)])
    run([*uv, "venv", "--python", sys.executable, str(folder / "venv")])
    [wheel] = folder.glob("*.whl")
    run([*uv, "pip", "install", "--no-deps", "--python", str(python_of(folder / "venv")), str(wheel)])
    [site] = (folder / "venv").glob("lib/python*/site-packages")
    # A line of a path file is a folder to import from; the path files in it, such as that of a checkout, are not read.
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder / "venv"


def python_of(venv: Path) -> Path:
    return venv / "bin" / "python"


def run(command: list[str], **environment: str) -> str:
    """What the command prints; no variable of ours, of Jupyter's or of Python's leads it to this checkout."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "PYTHON", "SMOLCELL"))}
    done = subprocess.run(
        command, env={**kept, **environment}, cwd="/", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert done.returncode == 0, done.stdout
    return re.sub(r"\x1b\[\d*m", "", done.stdout)


def test_jupyterlab_lists_the_extension_as_enabled_and_ok_where_there_is_no_node(
    installed: Path, tmp_path: Path
) -> None:
    python = python_of(installed)
    alone = {"PATH": str(python.parent), "HOME": str(tmp_path)}
    assert run([str(python), "-c", "import shutil; print(shutil.which('node'))"], **alone) == "None\n"
    told = run([str(python), "-m", "jupyterlab.labextensions", "list"], **alone)
    assert re.search(r"@smolcell/labextension v\S+ enabled +OK \(python, smolcell\)", told), told
    assert str(installed / "share" / "jupyter" / "labextensions") in told


def test_the_server_lists_its_part_as_enabled_and_ok(installed: Path, tmp_path: Path) -> None:
    python = python_of(installed)
    told = run([str(python), "-m", "jupyter_server.extension.serverextension", "list"], HOME=str(tmp_path))
    assert re.search(r"smolcell\.server enabled", told), told
    assert re.search(r"smolcell\.server \S* ?OK", told), told
    where = run([str(python), "-c", "import smolcell; print(smolcell.__file__)"])
    assert Path(where.strip()).is_relative_to(installed)
