"""The folder of a session's packages: read by every sandbox of the session, written by none, and gone with the kernel."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from examples import quick
from indexes import TOOLS, configure, plots
from local_parts import LocalInTests
from processes import eventually

from smolcell.errors import InterpreterError, SandboxDiedError
from smolcell.executors.local import LocalPythonExecutor
from smolcell.executors.packages import SessionPackages, Site

pytestmark = pytest.mark.skipif(not TOOLS or os.name != "posix", reason="neither uv nor pip is here")


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[SessionPackages]:
    with closing(plots()) as index, closing(SessionPackages()) as made:
        configure(monkeypatch, index, tmp_path)
        yield made


def add(packages: SessionPackages, *names: str) -> tuple[str, ...]:
    async def install() -> tuple[str, ...]:
        return await packages.install(await packages.look_up(names, Site()), Site())

    return asyncio.run(install())


@pytest.mark.parametrize(
    "walls",
    [
        [],
        pytest.param(["namespaces"], marks=pytest.mark.slow),
        pytest.param(["namespaces", "landlock", "seccomp"], marks=pytest.mark.slow),
    ],
)
def test_a_sandbox_reads_and_does_not_write_what_is_installed_while_it_runs(
    packages: SessionPackages, walls: list[str]
) -> None:
    level = "guarded" if "landlock" in walls else "full"
    with LocalInTests(["tinyplots_core", "os"], python=level, without=walls) as executor:
        executor.packages = packages
        executor("kept = 1")
        with pytest.raises(InterpreterError, match="No module named 'tinyplots_core'"):
            executor("import tinyplots_core")
        assert add(packages, "tinyplots") == ("tinyplots_core",)
        assert executor("import tinyplots_core as t; [kept, t.draw()]").output == [1, "tiny"]
        for path in (packages.folder / "tinyplots_core.py", packages.folder / "more.py"):
            with pytest.raises(InterpreterError):
                executor(f"open({str(path)!r}, 'w')")
        assert "tiny" in (packages.folder / "tinyplots_core.py").read_text()


@pytest.mark.parametrize("tool", quick(TOOLS, "uv"))
def test_another_users_file_in_a_folder_above_names_no_index(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tool: str
) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "uv.toml").write_text('[[index]]\nurl = "http://127.0.0.1:9/simple"\ndefault = true\n')
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "shared"))
    with closing(plots()) as index, closing(SessionPackages()) as made:
        configure(monkeypatch, index, tmp_path, tool)
        for name in ("UV_NO_CONFIG", "UV_INDEX_URL", "UV_DEFAULT_INDEX"):
            monkeypatch.delenv(name)
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
        (tmp_path / "config" / "uv").mkdir(parents=True)
        (tmp_path / "config" / "uv" / "uv.toml").write_text(f'[[index]]\nurl = "{index.url}"\ndefault = true\n')
        assert add(made, "tinyplots") == ("tinyplots_core",)


@pytest.mark.slow
def test_a_sandbox_that_starts_again_has_them(packages: SessionPackages) -> None:
    with LocalPythonExecutor(python="full") as executor:
        executor.packages = packages
        add(packages, "tinyplots")
        executor("1")
        with pytest.raises(SandboxDiedError):
            executor("import os; os._exit(3)")
        assert executor("import tinyplots_core as t; t.draw()").output == "tiny"


def test_nothing_of_a_package_is_found_by_the_process_outside_of_the_walls(packages: SessionPackages) -> None:
    """The supervisor has the user's rights: a package must not be imported there, whatever it is called."""
    with LocalPythonExecutor(python="full") as executor:
        executor.packages = packages
        options: dict[str, Any] = {}
        original = executor._options
        executor._options = lambda: options.setdefault("sent", original())  # type: ignore[method-assign]
        executor("1")
    assert str(packages.folder) not in options["sent"]["paths"]


def test_the_folder_is_gone_when_the_process_is_killed() -> None:
    program = (
        "import sys, time; from smolcell.executors.packages import SessionPackages; made = SessionPackages(); "
        "print(made.folder.parent, flush=True); time.sleep(100)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        folder = Path(process.stdout.readline().strip())
        assert folder.is_dir()
        process.send_signal(signal.SIGKILL)
    assert eventually(lambda: not folder.exists())


def test_the_folder_is_removed_after_its_last_use() -> None:
    made = SessionPackages()
    folder = made.folder.parent
    assert folder.is_dir() and folder.stat().st_mode & 0o777 == 0o711
    del made
    assert not folder.exists()
