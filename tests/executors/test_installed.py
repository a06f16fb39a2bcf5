"""What of a Python environment is lent to a sandbox: enough to import everything, and nothing beside it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from local_parts import PROGRAMS

import smolcell
from smolcell.executors.local import environment


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.setattr(environment, "site_paths", lambda: [str(folder)])
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return folder


def project(folder: Path) -> Path:
    """A folder with packages, and with what is nobody's business."""
    (folder / "pkg").mkdir(parents=True)
    (folder / "pkg" / "__init__.py").write_text("answer = 42\n")
    (folder / "module.py").write_text("")
    (folder / "data").mkdir()
    (folder / ".env").write_text("KEY=1")
    (folder / "notes.txt").write_text("")
    return folder


def test_editable_packages_are_lent_one_by_one(packages: Path, tmp_path: Path) -> None:
    src = project(tmp_path / "src")
    (packages / "x.pth").write_text(f"# a comment\nimport os; os.abort()\n{src}\n/nowhere\n")
    (packages / "__editable___y_1_finder.py").write_text(
        f"import sys\nMAPPING: dict[str, str] = {{'y': {str(tmp_path / 'lib' / 'y')!r}, '../z': '/etc', 'n': 1}}\nraise SystemExit\n"
    )
    found = {
        "pkg": str(src / "pkg"),
        "module.py": str(src / "module.py"),
        "y": str(tmp_path / "lib" / "y"),
    }
    assert environment.editable() == found
    links = tmp_path / "links"
    assert sorted(environment.lend_editable(links)) == sorted(found.values())
    assert {path.name: str(path.readlink()) for path in links.iterdir()} == found


def test_a_finder_that_cannot_be_read_lends_nothing(packages: Path) -> None:
    (packages / "__editable___a_finder.py").write_text("MAPPING: dict = open('/etc/passwd')\n")
    (packages / "__editable___b_finder.py").write_text("not python\n")
    (packages / "c.pth").write_bytes(b"\xff\xfe")
    assert environment.editable() == {}


def test_a_home_folder_is_never_lent(monkeypatch: pytest.MonkeyPatch) -> None:
    prefix = Path(sys.prefix)
    monkeypatch.setenv("HOME", str(prefix / "lib" / "inside"))
    found = environment.readable_paths()
    assert str(prefix / "lib") not in found
    assert str(prefix / "bin") in found
    assert str(prefix) not in found


@pytest.mark.parametrize(("installed", "data"), [(".local", ""), ("own", "{home}/own/share")])
def test_the_user_s_data_folder_is_not_lent_with_an_installation(
    installed: str, data: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ``share`` of ~/.local also holds keyrings."""
    prefix = tmp_path / installed
    for folder in ("bin", "share/uv/python/bin"):
        (prefix / folder).mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", data.format(home=tmp_path))
    monkeypatch.setattr(sys, "prefix", str(prefix))
    monkeypatch.setattr(sys, "base_prefix", str(prefix / "share" / "uv" / "python"))
    found = [path for path in environment.readable_paths() if path.startswith(str(tmp_path))]
    assert found == [str(prefix / "bin"), str(prefix / "share" / "uv" / "python" / "bin")]


PROGRAM = PROGRAMS["what a virtual environment lends"]


def test_a_virtual_environment_inside_a_home_folder_is_read_and_the_home_is_not(tmp_path: Path) -> None:
    home = tmp_path / "home"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home / "env")], check=True)
    (home / "token").write_text("secret")
    (site,) = (home / "env" / "lib").glob("python*/site-packages")
    (site / "wheel_of_ours.py").write_text("answer = 41\n")
    (site / "editable.pth").write_text(f"{project(home / 'work')}\n")
    kernel = home / "env" / "share" / "jupyter" / "kernels" / "python3" / "kernel.json"
    kernel.parent.mkdir(parents=True)
    kernel.write_text('{"env": {"API_KEY": "secret"}}')
    answer = subprocess.run(
        [
            str(home / "env" / "bin" / "python"),
            "-c",
            PROGRAM,
            str(Path(smolcell.__file__).parents[1]),
            *map(str, (home / "token", home / "env" / "bin" / "activate", kernel)),
        ],
        env={
            "HOME": str(home),
            "PATH": os.environ["PATH"],
            "SMOLCELL_STATE_DIR": str(home / "state"),
            "SMOLCELL_CONFIG_DIR": str(home / "config"),  # this environment has no platformdirs to find them with
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    names, read, isolated = json.loads(answer.stdout)
    assert names == [41, 42]
    if isolated:
        assert read == ["InterpreterError"] * 3
