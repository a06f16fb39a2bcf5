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

pytestmark = pytest.mark.slow  # CI runs them


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment of the wheel and what it requires, from uv's cache, in the versions that are used here.

    Where the cache does not hold them (this environment was made by pip), they are borrowed from this environment.
    """
    folder = tmp_path_factory.mktemp("wheel")
    uv = [sys.executable, "-m", "uv", "--quiet"]
    run([*uv, "build", "--wheel", "--out-dir", str(folder), str(ROOT)])
    run([*uv, "venv", "--python", sys.executable, str(folder / "venv")])
    [wheel] = folder.glob("*.whl")
    known = folder / "known.txt"
    known.write_text(run([*uv, "pip", "freeze", "--exclude-editable", "--python", sys.executable]))
    install = [*uv, "pip", "install", "--python", str(python_of(folder / "venv"))]
    alone = [*install, "--offline", "--constraint", str(known), f"{wheel}[lab,data]"]
    if subprocess.run(alone, env=environ(), cwd="/", capture_output=True).returncode != 0:
        run([*install, "--no-deps", str(wheel)])
        # A line of a path file is a folder to import from; the path files in it, such as that of a checkout, are not read.
        (site_of(folder / "venv") / BORROWED).write_text(sysconfig.get_path("purelib") + "\n")
    return folder / "venv"


BORROWED = "borrowed.pth"


def site_of(venv: Path) -> Path:
    [site] = (venv / "lib").glob("python*/site-packages")
    return site


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


def test_nothing_but_the_wheel_and_what_it_requires_is_there(installed: Path) -> None:
    if (site_of(installed) / BORROWED).exists():
        pytest.skip("uv's cache does not hold the libraries, which are borrowed: uv pip install -e '.[dev]' fills it")
    found = "import sys; from importlib.util import find_spec as spec"
    where = f"{found}; print(spec('jupyterlab').origin, spec('smolcell').origin, *sys.path[1:], sep='\\n')"
    for path in run([str(python_of(installed)), "-c", where]).split():
        inside = Path(path).is_relative_to(installed) or Path(path).is_relative_to(Path(sys.base_prefix))
        assert inside and not Path(path).is_relative_to(sysconfig.get_path("purelib")), path


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
            page.locator(".jp-DirListing-item", has_text="02-approvals.ipynb").wait_for(timeout=60_000)
            page.locator(".lm-TabBar-tabLabel", has_text="tour.md").click()
            page.locator(".jp-MarkdownViewer img").nth(len(used) - 1).wait_for(state="attached", timeout=60_000)
            page.wait_for_function(f"({PICTURES})().every(([, shown]) => shown)", timeout=60_000)
            assert [name for name, _ in page.evaluate(PICTURES)] == used
            browser.close()
    finally:
        assert demo.end(signal.SIGTERM) == 0
