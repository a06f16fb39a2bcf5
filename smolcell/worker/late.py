"""Modules that a library loads for itself while a program runs: they meet the guard's rule from the first call on.

The rules this file exists to keep:

* Every module that is loaded passes here, whoever asked for it and however; one that is loaded already costs nothing.
* The work is done once, when the outermost load is over: what a module loads for itself is not the program's to use yet.
"""

from __future__ import annotations

import sys
import threading
from typing import Any, Callable


def watch(loaded: Callable[[], None]) -> None:
    """Call a function whenever modules were loaded, for good.

    ``_find_and_load`` is what CPython's ``import`` and ``importlib`` both call for a module that is not loaded.
    """
    bootstrap: Any = sys.modules["_frozen_importlib"]
    original = bootstrap._find_and_load
    inside = threading.local()

    def find_and_load(name: Any, import_: Any) -> Any:
        if getattr(inside, "loading", False):
            return original(name, import_)
        inside.loading = True
        try:
            return original(name, import_)
        finally:
            inside.loading = False
            loaded()

    bootstrap._find_and_load = find_and_load
