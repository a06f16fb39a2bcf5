"""``smolcell demo``: JupyterLab on the first notebook, whose model is a recording, and a tour in pictures in the tab beside it.

The rules this file exists to keep:

* A file that somebody changed is never overwritten.
* Nothing of the person's own Jupyter configuration is read or written, and nothing is fetched: it works the same everywhere.
* Whatever ends the command (Ctrl-C, SIGTERM, a closed terminal) ends the server and its kernels first.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from smolcell.cli.lab import Lab
from smolcell.errors import SetupError, SmolcellError

FIRST = "01-first-cell.ipynb"
TOUR = "docs/tour.md"
PAGES = ("tour.md", "card.md", "front-ends.md", "img/*.png")  # of the documentation: those that need nothing else
MOST = 100  # folders beside each other
NEEDED = ("jupyterlab", "pandas", "pyarrow", "matplotlib")
TO_END = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


def demo(folder: Path, *, port: int = 0, browser: bool = True) -> int:
    """Serve a copy of the first notebook until the person ends it; returns the exit status.

    Args:
        folder: where the copy goes; a numbered one beside it where somebody changed what is there.
        port: on 127.0.0.1; 0 for a free one.
        browser: open the person's browser, where there is one.

    Raises:
        SetupError: something is not installed, the port is taken, or the folder cannot be written.
    """
    check_installed()
    with ended_by_signals():
        try:
            folder = prepare(parts(), folder)
            with tempfile.TemporaryDirectory(prefix="smolcell-demo-") as private:
                _serve(Lab(folder, Path(private), port=port, tabs=(FIRST, TOUR)), browser)
        except KeyboardInterrupt:
            pass
    return 0


def _serve(lab: Lab, browser: bool) -> None:
    with lab:
        say("Starting JupyterLab (a few seconds; longer the first time) …")
        lab.start()
        address = lab.address(FIRST)
        say(f"JupyterLab answers at\n\n    {address}\n")
        if browser and open_browser(address):
            say("Your browser opens it. Run the cells one by one with Shift+Enter.")
        else:
            say("Open it in a browser on this machine. Run the cells one by one with Shift+Enter.")
        say("Ctrl-C here ends the server, its kernels and their sandboxes.")
        try:
            lab.wait()
        except KeyboardInterrupt:
            say("\nEnding JupyterLab and its kernels …")
            raise
        finally:
            lab.close()
    raise SmolcellError("JupyterLab was ended from its own page")


# --- what is served ----------------------------------------------------------------------------------------------------


def check_installed() -> None:
    """Raises SetupError where the demo's libraries are missing."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise SetupError(
            f"the demo needs {', '.join(missing)}, not installed in this environment; "
            f"install with: {sys.executable} -m pip install 'smolcell[lab,data]'"
        )


def parts() -> dict[str, Path]:
    """What the demo consists of: each file's name in its folder, and where it comes from: the checkout, or the installed package."""
    package = Path(__file__).resolve().parents[1]
    for place in (package / "demo", package.parent):
        if (place / "notebooks" / FIRST).is_file():
            course = [
                path for path in (place / "notebooks").iterdir() if path.is_file() and not path.name.startswith(".")
            ]
            pages = [path for pattern in PAGES for path in (place / "docs").glob(pattern)]
            made = {path.name: path for path in course}
            made |= {path.relative_to(place).as_posix(): path for path in pages}
            return dict(sorted(made.items()))
    raise SetupError(f"the demo's notebooks are missing beside {package}; install smolcell again")


def prepare(files: dict[str, Path], folder: Path) -> Path:
    """Copy files to ``folder``, or to the first numbered one beside it where nothing differs; say which.

    Args:
        files: where each comes from, by its name in the folder, with ``/`` between folders.
        folder: made where it is missing.
    """
    folder = folder.absolute()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        target = next(
            place
            for place in _numbered(folder)
            if not any(_differs(source, place / name) for name, source in files.items())
        )
        new = [name for name in files if not (target / name).exists()]
        for name in new:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(files[name], target / name)
    except (OSError, StopIteration) as error:
        why = getattr(error, "strerror", None) or f"it and {MOST - 1} numbered ones beside it hold changed files"
        raise SetupError(
            f"{folder} cannot be written: {why}; name another with: smolcell demo --folder PATH"
        ) from error
    if target != folder:
        say(f"{folder} holds files that were changed; they stay as they are.")
    say(f"The notebook, its table and its recorded model are in {target}{'' if new else ' (from before, unchanged)'}")
    return target


def _numbered(folder: Path) -> Iterator[Path]:
    yield folder
    for number in range(2, MOST + 1):
        yield folder.with_name(f"{folder.name}-{number}")


def _differs(ours: Path, theirs: Path) -> bool:
    try:
        return theirs.is_symlink() or theirs.read_bytes() != ours.read_bytes()
    except FileNotFoundError:
        return False
    except OSError:  # a folder of that name, a file without permission: not ours to touch
        return True


# --- the person's side -------------------------------------------------------------------------------------------------


def open_browser(address: str) -> bool:
    """Open the address where there is a browser with a window; says whether there is."""
    import webbrowser

    seen = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
    if sys.platform.startswith("linux") and not seen:
        return False  # what is left are browsers that take the terminal over
    try:
        return webbrowser.open(address)
    except webbrowser.Error:
        return False


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """SIGTERM and SIGHUP end the block as Ctrl-C does; a second one changes nothing, the clean-up is under way."""
    ending = False

    def end(number: int, frame: FrameType | None) -> None:
        nonlocal ending
        if not ending:
            ending = True
            raise KeyboardInterrupt

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, *TO_END)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def say(line: str) -> None:
    """Print a line at once, also into a pipe."""
    print(line, flush=True)
