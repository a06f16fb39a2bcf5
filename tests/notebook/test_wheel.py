"""What is installed from the wheel alone: JupyterLab finds the extension, the server its part, and no Node is there."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from demos import Demo

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


def environ(**more: str) -> dict[str, str]:
    """No variable of ours, of Jupyter's or of Python's leads to this checkout."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "PYTHON", "SMOLCELL"))}
    return {**kept, **more}


def run(command: list[str], **environment: str) -> str:
    """What the command prints."""
    done = subprocess.run(
        command, env=environ(**environment), cwd="/", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
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


PICTURES = """() => [...document.querySelectorAll('.jp-MarkdownViewer img')].map(
    image => [new URL(image.src).pathname.split('/').at(-1), image.complete && image.naturalWidth > 0])"""


def test_the_demo_has_the_tour_in_the_tab_beside_and_shows_its_pictures(
    installed: Path, tmp_path: Path, chromium: str
) -> None:
    """Served from what the wheel has put there: the checkout's ``docs`` are out of reach."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'smolcell[dev]'")
    used = re.findall(r"!\[[^]]*\]\(img/([^)]+)\)", (ROOT / "docs" / "tour.md").read_text(encoding="utf-8"))
    environment = environ(HOME=str(tmp_path), SMOLCELL_STATE_DIR=str(tmp_path / "state"))
    demo = Demo(tmp_path, python=python_of(installed), environment=environment)
    try:
        for name in used:
            served = demo.get(f"/api/contents/docs/img/{name}?content=0")
            assert (served["type"], served["size"]) == ("file", (ROOT / "docs" / "img" / name).stat().st_size)
        with playwright.sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
            page = browser.new_page()
            page.goto(demo.address)
            page.locator(".jp-Notebook .jp-CodeCell").first.wait_for(timeout=120_000)  # it is in front
            page.locator(".lm-TabBar-tabLabel", has_text="tour.md").click()
            page.locator(".jp-MarkdownViewer img").nth(len(used) - 1).wait_for(state="attached", timeout=60_000)
            page.wait_for_function(f"({PICTURES})().every(([, shown]) => shown)", timeout=60_000)
            assert [name for name, _ in page.evaluate(PICTURES)] == used
            browser.close()
    finally:
        assert demo.end(signal.SIGTERM) == 0
