"""Optional libraries that are missing or too old: one sentence with the version that is needed."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import metadata
from pathlib import Path

import pytest

from smolcell.errors import SetupError
from smolcell.machine.environment import optional

EXTRAS = {
    "acp": ("agent-client-protocol", "smolcell acp", ["acp"]),
    "mcp": ("mcp", "smolcell mcp", ["mcp"]),
    "scale": ("dask", "--on dask", ["map", "tasks.csv", "-o", "out", "--on", "dask", "--replay", "recording.jsonl"]),
}


def install(folder: Path, name: str, version: str) -> None:
    """Make a library of this version look installed in a folder."""
    place = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    place.mkdir()
    (place / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "what", "words"), EXTRAS.values(), ids=EXTRAS)
def test_a_command_whose_library_is_too_old_says_so_in_one_sentence(
    tmp_path: Path, name: str, what: str, words: list[str]
) -> None:
    old = tmp_path / "site-packages"
    old.mkdir()
    install(old, name, "0.0.1")
    (tmp_path / "tasks.csv").write_text("task\nadd\n")
    (tmp_path / "recording.jsonl").write_text('{"format": "smolcell-recording", "version": 1, "model": "by hand"}\n')
    path = os.pathsep.join(filter(None, (str(old), os.environ.get("PYTHONPATH", ""))))
    done = subprocess.run(
        [sys.executable, "-m", "smolcell", *words],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}, stdin=subprocess.DEVNULL, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode in (1, 2)
    line = done.stderr.splitlines()[-1]
    assert line.startswith(f"smolcell: {what} needs ") and f"{name}>=" in line
    assert f"{name} 0.0.1 is installed" in line and line.endswith("'")


@pytest.mark.parametrize("extra", sorted(set(metadata("smolcell").get_all("Provides-Extra") or ()) - {"all", "dev"}))
def test_each_extra_names_the_versions_that_it_needs(
    extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SetupError) as error, optional("this", extra):
        raise ImportError("no module")
    needed = str(error.value).removeprefix("this needs ").removesuffix(f" (no module): pip install 'smolcell[{extra}]'")
    name = needed.partition(">=")[0].partition("[")[0]
    assert needed.startswith(f"{name}") and ">=" in needed
    install(tmp_path, name, "0.0.1")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SetupError, match=rf"this needs .*\({name} 0\.0\.1 is installed"), optional("this", extra):
        raise AssertionError("the block is not entered")


def test_a_library_without_a_distribution_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.metadata.requires", lambda name: ["no-such-library>=2; extra == 'mcp'"])
    with optional("this", "mcp"):
        entered = True
    assert entered


@pytest.mark.parametrize(("extra", "only"), [("scale", "pyarrow"), ("data", "pandas"), ("", "e2b"), ("", "litellm")])
def test_only_the_libraries_that_are_imported_are_named(
    extra: str, only: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    for name in {"dask", "matplotlib", "docker"} - {only}:
        install(tmp_path, name, "0.0.1")
    with optional("this", extra, only):
        pass
    install(tmp_path, only, "0.0.1")
    with (
        pytest.raises(SetupError, match=rf"^this needs {only}[^ ]*>=[^ ]* \({only} 0\.0\.1 is installed\)"),
        optional("this", extra, only),
    ):
        raise AssertionError("the block is not entered")


def test_a_library_that_cannot_be_imported_is_named_with_its_error() -> None:
    with pytest.raises(SetupError, match="cannot be imported: OSError: libcudart"), optional("this", "mcp"):
        raise OSError("libcudart.so.12: cannot open shared object file")


def test_files_that_an_installation_left_behind_are_no_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mcp-1.0.dist-info").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    with optional("this", "mcp"):
        pass
