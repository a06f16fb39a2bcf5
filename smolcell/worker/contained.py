"""The worker as the first process of a container: what is there is the image's, and nothing of the host's.

The rules this file exists to keep:

* Packages are found as the image's own Python finds them.
* What libraries keep for themselves lies outside the work folder.
"""

from __future__ import annotations

import os
import shutil
import site
import sys
from typing import Any

from . import supervisor

FONTS = "fontlist-*.json"


def find_packages() -> None:
    """Add the folders of installed packages to the search path (``-S`` leaves them out), a virtual environment's too."""
    known: Any = site.venv(site.removeduppaths() or set())
    site.addsitepackages(known)


def lend_font_list(cache: str) -> None:
    """Make matplotlib's folder, with the image's list of fonts where it has one: making it anew takes seconds.

    Args:
        cache: where it is to be.
    """
    import glob

    given = os.environ.get("MPLCONFIGDIR", "")
    try:
        os.makedirs(cache)
        for path in glob.glob(os.path.join(given, FONTS)) if given else ():
            shutil.copy(path, cache)
    except OSError:
        pass  # it is made anew
    os.environ["MPLCONFIGDIR"] = cache


def main() -> None:
    """Serve the host over descriptors 0 and 1 until they end."""
    find_packages()
    lend_font_list(os.path.join(os.environ["XDG_CACHE_HOME"], "matplotlib"))
    sys.argv = [""]
    supervisor.main()
