"""Take the pictures of the documentation: ``python scripts/take_pictures.py [NAME …]``; all without names, ``--list`` shows them.

Each is of the real thing: JupyterLab or Notebook 7 in Chromium (``SMOLCELL_CHROMIUM`` names it), or a terminal (tmux), with recorded
models. Nothing is drawn by hand. A picture is a function in ``scripts/pictures/`` that goes where there is something to see, and says what
of the page to take; its name is the file's in ``docs/img/``. Needs what ``.[dev]`` installs, Chromium, tmux and the fonts DejaVu. Window,
fonts and theme are fixed; process ids, times and ages are those of the machine. Where other sandboxes run on it, they would be in the
pictures, too: ``unshare --pid --fork --mount-proc python scripts/take_pictures.py`` (as root) has the machine look empty.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "img"

PICTURES = {
    "first-cell": "cards",
    "editor": "cards",
    "edited": "cards",
    "context": "cards",
    "answer": "cards",
    "refused-dark": "cards",
    "nested": "cards",
    "taken-back": "cards",
    "streaming": "cards",
    "long-code": "cards",
    "twenty-steps": "cards",
    "narrow": "cards",
    "agent-cell": "cells",
    "completion": "cells",
    "explain": "cells",
    "mended": "cells",
    "export": "cells",
    "sandboxes": "cells",
    "panel": "places",
    "notification": "places",
    "running": "places",
    "palette": "places",
    "settings": "places",
    "notebook-7": "records",
    "saved-run": "records",
    "record-html": "records",
    "terminal": "terminals",
    "ipython": "terminals",
}
"""Each picture's name, and the module of ``scripts/pictures/`` that takes it, by a function of that name."""


def main() -> None:
    """Take the pictures that are named on the command line."""
    words = argparse.ArgumentParser(description="Take the pictures of the documentation.")
    words.add_argument("names", nargs="*", metavar="NAME", help="which ones; all by default")
    words.add_argument("--list", action="store_true", help="only list the names")
    words.add_argument("--to", type=Path, default=FOLDER, metavar="FOLDER", help="where they go (default: docs/img)")
    given = words.parse_args()
    if unknown := set(given.names) - PICTURES.keys():
        words.error(f"no such picture: {', '.join(sorted(unknown))}; there are: {', '.join(PICTURES)}")
    if given.list:
        print(*PICTURES, sep="\n")
        return
    take(given.names or list(PICTURES), given.to)


def take(names: list[str], folder: Path) -> None:
    """Take these pictures into a folder; prints each file's name and size."""
    sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "browser")]  # their JupyterLab and pages
    from pictures.desk import desk

    folder.mkdir(parents=True, exist_ok=True)
    with desk() as there:
        for name in names:
            scene = getattr(importlib.import_module(f"pictures.{PICTURES[name]}"), name.replace("-", "_"))
            with there.fresh(name):
                there.take(scene(there), folder / f"{name}.png")
            print(f"{folder / name}.png: {(folder / f'{name}.png').stat().st_size / 1000:.0f} kB", flush=True)


if __name__ == "__main__":
    main()
