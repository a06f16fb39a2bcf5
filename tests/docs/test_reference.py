"""The reference pages that ``scripts/write_reference.py`` writes are those of the code as it is."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import platformdirs
import pytest
from platformdirs import macos, unix, windows

from smolcell import cli
from smolcell.core.spec import NAMES
from smolcell.journal import journals_folder
from smolcell.machine.config_files import users_file
from smolcell.notebook.commands import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
MADE = runpy.run_path(str(ROOT / "scripts" / "write_reference.py"))
PAGES: dict[str, str] = MADE["pages"]()
SET_BY_US = {"SMOLCELL_TOKEN", "SMOLCELL_CANARY_"}  # a mark of a sandbox's processes, and a test's secret


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_that_of_the_code(name: str) -> None:
    kept = (ROOT / "docs" / "reference" / name).read_text(encoding="utf-8")
    assert kept == PAGES[name], "run: python scripts/write_reference.py"


def test_every_command_of_the_command_line_and_of_the_magic_is_there() -> None:
    commands = [name for name, _ in MADE["_commands"](cli.parser())]
    assert re.findall(r"^## smolcell (.*)$", PAGES["command-line.md"], re.MULTILINE) == commands
    assert re.findall(r"^\| `%agent (\w+)", PAGES["magics.md"], re.MULTILINE) == list(COMMANDS)


def test_every_variable_that_the_code_names_is_there() -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "smolcell").rglob("*.py"))
    settings = {f"SMOLCELL_{name.upper()}" for name in NAMES}
    found = set(re.findall(r"\bSMOLCELL_[A-Z_]+", sources)) - settings - SET_BY_US
    assert found - {"SMOLCELL_"} == set(MADE["VARIABLES"])


@pytest.mark.parametrize(
    ("column", "kind"), [(0, unix.Unix), (1, macos.MacOS), (2, windows.Windows)], ids=["Linux", "macOS", "Windows"]
)
def test_files_are_where_the_page_says(column: int, kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "SMOLCELL_STATE_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("smolcell.machine.config_files.startup_value", lambda name: "")
    monkeypatch.setattr(platformdirs, "PlatformDirs", kind)
    monkeypatch.setattr(windows, "get_win_folder", lambda name: "%LOCALAPPDATA%")
    found = [users_file(), journals_folder(), platformdirs.user_cache_dir("smolcell", appauthor=False)]
    written = [Path(row[column + 1].replace("\\", "/")).expanduser() for row in MADE["FOLDERS"]]
    assert [Path(str(path)) for path in found] == written
