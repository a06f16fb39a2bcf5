"""The process's variables and import path, of which the current folder may be a stranger's.

* What decides about approval, trust, sandbox and addresses is read when smolcell starts. A change counts if a cell assigns the variable.
* Every third-party library is imported in ``importing()``: the current folder offers it no module and no ``.env`` file, and no
  variable is set when it is over. ``sys.path`` stays as it is: other threads import as ever.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import re
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

DECIDING = tuple(
    f"SMOLCELL_{name}"
    for name in (
        "ALLOW_HOSTS",
        "API_BASE",
        "APPROVE",
        "CACHE_DIR",
        "CONFIG_DIR",
        "CREDENTIALS",
        "IMPORTS",
        "INSTALLS",
        "POLICY",
        "PYTHON",
        "SANDBOX",
        "TRUST",
    )
)
_QUIET = {
    "LITELLM_MODE": "PRODUCTION",  # in any other mode LiteLLM reads .env
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # or LiteLLM fetches its table of prices
    "PYTHON_DOTENV_DISABLED": "1",
}
"""The state that is set during an import."""

_LATER = {"httpx": ("certifi", "httpcore", "sniffio"), "httpx2": ("httpcore2", "sniffio")}
"""Library → the modules it imports only when it is used."""

# The folder that smolcell was imported from: its modules run in any case. In a sandbox it comes from no folder.
_OWN = str(Path(__file__).resolve().parents[1]) if "__file__" in globals() else ""
_PUT, _UNSET = os.putenv, os.unsetenv
# Of the next two names, os.putenv and os.unsetenv. It is never held during an import.
_lock = threading.RLock()
_inside = 0  # how many blocks of ``importing()`` are under way, in all threads
_quiet_before: dict[str, str | None] = {}


class _Thread(threading.local):
    before: dict[str, str | None] | None = None  # what it changed of ``os.environ`` in the innermost ``importing()``


_thread = _Thread()
_apart: ContextVar[bool] = ContextVar("smolcell_apart", default=False)  # LiteLLM hands its context on to threads
_started: Mapping[str, str] = {}
_told: set[tuple[str, str | None]] = set()


def read() -> None:
    """Take the variables that decide as they are now: smolcell starts."""
    global _started
    _started = {name: os.environ[name] for name in DECIDING if name in os.environ}


def startup_value(name: str) -> str:
    """Return a variable of ``DECIDING`` as it was when smolcell started; as it is now if a cell assigns it by its name; "" if not set."""
    global _started
    now = os.environ.get(name)
    if now != _started.get(name):
        if _is_assigned_in_a_cell(name):
            others = {each: value for each, value in _started.items() if each != name}
            _started = others if now is None else {**others, name: now}
        elif (name, now) not in _told:
            _told.add((name, now))
            warnings.warn(
                f"{name} was changed after smolcell was loaded, and no cell assigns it by its name: the change is not used. "
                f"Set it before the start, or in a cell, such as %env {name}=…",
                stacklevel=2,
            )
    return _started.get(name, "")


def _is_assigned_in_a_cell(name: str) -> bool:
    get_ipython = getattr(sys.modules.get("IPython"), "get_ipython", None)
    shell = get_ipython() if get_ipython else None
    return shell is not None and any(assigns(cell, name) for cell in shell.history_manager.input_hist_raw)


def assigns(cell: str, name: str) -> bool:
    """Return whether a cell's text sets or removes this variable by its name. Comments and strings count as code."""
    forms = (
        rf"%(set_)?env\s+{name}(\s*=|[ \t]+\S)",
        rf"\b{name}\s*=(?!=)",
        rf"""["']{name}["']\s*(\]\s*\|?=(?!=)|:)""",
        rf"""\b(del\b.*\[|(pop|putenv|setdefault|setenv|unsetenv|delenv)\()\s*["']{name}["']""",
    )
    return name in cell and any(re.search(form, cell) for form in forms)


def search_path() -> list[str]:
    """``sys.path`` without the current folder."""
    try:
        here = os.stat(".")  # noqa: PTH116 - a path object takes ten times as long, on the way of every step
    except OSError:  # it is gone
        return [entry for entry in sys.path if entry]
    return [entry for entry in sys.path if entry and (entry == _OWN or not _is(entry, here))]


def _is(folder: str, there: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.stat(folder), there)  # noqa: PTH116
    except OSError:
        return False


@contextmanager
def importing() -> Iterator[None]:
    """Import third-party libraries: this thread finds nothing in the current folder, and what it set of ``os.environ`` is put back.

    Variables that another thread sets meanwhile stay, those of a thread that an import starts among them.
    """
    with without_current_folder(), _variables_kept():
        yield
        for name in (later for first, each in _LATER.items() if first in sys.modules for later in each):
            if name not in sys.modules:
                with suppress(ImportError):
                    importlib.import_module(name)


@contextmanager
def without_current_folder() -> Iterator[None]:
    """For a library at work, on a thread of its own: what it imports meanwhile is not of the current folder either."""
    if importlib.machinery.PathFinder in sys.meta_path:
        sys.meta_path[sys.meta_path.index(importlib.machinery.PathFinder)] = PathFinder
    token = _apart.set(True)
    try:
        yield
    finally:
        _apart.reset(token)


class PathFinder(importlib.machinery.PathFinder):
    """In the place of Python's own, as which it works outside of ``without_current_folder()``. Its name is what some libraries look for."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """As Python's own; apart, the current folder is left out, and so is the part that it would add to a package."""
        if _apart.get():
            path = search_path() if path is None else _without_planted(fullname.rpartition(".")[0], path)
        return super().find_spec(fullname, path, target)

    @classmethod
    def find_distributions(cls, context: Any = None) -> Any:
        """Like Python's own; inside ``without_current_folder()`` without distributions of the current folder.

        None if ``importlib_metadata`` replaced it.
        """
        from importlib.metadata import DistributionFinder

        if not hasattr(importlib.machinery.PathFinder, "find_distributions"):
            return iter(())  # its own finder gives them

        asked = dict(vars(context)) if context else {}
        if _apart.get():
            asked.setdefault("path", search_path())
        return super().find_distributions(DistributionFinder.Context(**asked))


def _without_planted(package: str, path: Sequence[str]) -> Sequence[str]:
    """Return a package's path without the folder of its name in the current one, unless the package itself was imported from there."""
    try:
        planted = os.stat(package.replace(".", os.sep))  # noqa: PTH116
    except OSError:
        return path
    own = os.path.dirname(getattr(sys.modules.get(package), "__file__", None) or "")  # noqa: PTH120
    return [entry for entry in path if entry == own or not _is(entry, planted)]


def is_installed(name: str) -> bool:
    """Return whether there is such a library, which is not imported."""
    with importing():
        return importlib.util.find_spec(name) is not None


@contextmanager
def _variables_kept() -> Iterator[None]:
    """``_QUIET`` is set as long as any thread is in here; what this thread does to ``os.environ`` is undone."""
    outer = _thread.before
    before: dict[str, str | None] = {}
    _enter()
    _thread.before = before
    try:
        yield
    finally:
        _thread.before = None
        _restore(before)
        _thread.before = outer
        _leave()


def _enter() -> None:
    global _inside
    with _lock:
        if not _inside:
            _quiet_before.update((name, os.environ.get(name)) for name in _QUIET)
            os.environ.update(_QUIET)
            # ``os`` calls these two before it changes its own table.
            os.putenv, os.unsetenv = _noting(_PUT), _noting(_UNSET)
        _inside += 1


def _leave() -> None:
    global _inside
    with _lock:
        _inside -= 1
        if not _inside:
            os.putenv, os.unsetenv = _PUT, _UNSET
            _restore(_quiet_before)


def _noting(change: Callable[..., None]) -> Callable[..., None]:
    def noted(key: Any, *value: Any) -> None:
        if _thread.before is not None:
            name = os.fsdecode(key)
            _thread.before.setdefault(name, os.environ.get(name))
        change(key, *value)

    return noted


def _restore(before: Mapping[str, str | None]) -> None:
    for name, value in before.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


read()
