"""``smolcell policy``: in force, checked, explained."""

from __future__ import annotations

from pathlib import Path

import pytest

from smolcell.approval import policy
from smolcell.cli import main


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SMOLCELL_CONFIG_DIR", str(tmp_path))
    monkeypatch.setattr(policy, "ADMINISTRATORS_FILE", tmp_path / "none.toml")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_file_is_checked_with_an_exit_status(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = folder / "good.toml", folder / "bad.toml"
    good.write_text('approval = "ask"\n')
    bad.write_text('approval = "ask"\n\nmodel = ["a"]\n[limits]\nmemory = "2 GB"\n')
    assert (main(["policy", "check", str(good)]), main(["policy", "check", str(bad)])) == (0, 1)
    assert capsys.readouterr().out.splitlines() == [
        f"{good}: a valid policy",
        f"  approval ask: locked by {good}:1",
        f"{bad}:3: there is no field 'model'; did you mean models?",
        f"{bad}:5: limits.memory is '2 GB'; it must be a whole number above zero",
    ]
    assert main(["policy", "check", str(folder / "nowhere.toml")]) == 1


def test_what_is_in_force_is_shown_and_explained(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "smolcell.toml").write_text('max_steps = 3\n\n[policy]\nimports = ["numpy"]\n')
    assert (main(["policy"]), main(["policy", "explain", "import requests"])) == (0, 0)
    place = f"{folder / 'smolcell.toml'}:4"
    assert capsys.readouterr().out.splitlines() == [
        f"{'level':<20} {'guarded':<30} locked by {place}",
        f"{'imports':<20} {'numpy':<30} locked by {place}",
        f"{'user:':<15} {folder / 'smolcell.toml'}",
        f"import requests: not allowed, locked by {place}",
        f"  {place} allows numpy: no",
    ]
    assert main(["policy", "check", "smolcell.toml"]) == 0
