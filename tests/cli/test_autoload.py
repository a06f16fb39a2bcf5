"""``smolcell autoload``: IPython loads the extension by itself, and nothing else of its configuration changes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from smolcell.cli import main


@pytest.fixture
def profile(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    return tmp_path / "profile_default"


def test_an_ipython_that_starts_knows_the_magics_until_it_is_switched_off(
    profile: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    profile.mkdir()
    (profile / "ipython_config.json").write_text(json.dumps({"InteractiveShell": {"ast_node_interactivity": "all"}}))
    command = [sys.executable, "-m", "IPython", "--no-banner", "-c", "print(get_ipython().find_magic('agent', 'cell'))"]
    for wanted, known in (("status", False), ("on", True), ("off", False)):
        assert main(["autoload", wanted]) == 0
        assert capsys.readouterr().out.startswith("on:" if known else "off:")
        if wanted != "status":
            said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            assert (said != "None\n") is known, said
    kept = json.loads((profile / "ipython_config.json").read_text())["InteractiveShell"]
    assert kept == {"ast_node_interactivity": "all"}
    assert len(list(profile.glob("ipython_config*"))) == 1


@pytest.mark.parametrize("text", ["{", "[]", '{"InteractiveShellApp": {"extensions": "x"}}'])
def test_a_file_that_is_not_ipython_s_is_left_as_it_is(
    profile: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    profile.mkdir()
    (profile / "ipython_config.json").write_text(text)
    assert main(["autoload", "on"]) == 1
    assert "correct it, or move it away" in capsys.readouterr().err
    assert (profile / "ipython_config.json").read_text() == text


def test_a_configuration_in_python_that_sets_the_extensions_is_not_overridden(
    profile: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    profile.mkdir()
    (profile / "ipython_config.py").write_text("c.InteractiveShellApp.extensions = ['autoreload']\n")
    assert main(["autoload", "on"]) == 1
    assert "c.InteractiveShellApp.extensions.append('smolcell')" in capsys.readouterr().err
    assert not (profile / "ipython_config.json").exists()
