"""The process's variables and import path, protected from files in the current folder, which may not be the user's.

* Variables that decide about approval, trust, sandbox and addresses are read when smolcell starts. A later change counts only if a
  cell assigns the variable.
* Every third-party library is imported in ``importing()``: it finds no module and no ``.env`` file in the current folder, and
  variables that it sets are restored afterwards. ``sys.path`` is unchanged: other threads import as usual.
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

from smolcell.errors import SetupError

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
    "LITELLM_MODE": "PRODUCTION",  # in other modes LiteLLM reads .env
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # otherwise LiteLLM downloads its table of prices
    "PYTHON_DOTENV_DISABLED": "1",
}
"""Variables that are set during an import."""

_LATER = {"httpx": ("certifi", "httpcore", "sniffio"), "httpx2": ("httpcore2", "sniffio")}
"""Library → modules that it imports only when it is used."""

# The folder from which smolcell was imported: its modules run anyway. In a sandbox smolcell has no folder.
_OWN = str(Path(__file__).resolve().parents[1]) if "__file__" in globals() else ""
_PUT, _UNSET = os.putenv, os.unsetenv
# Guards the next two names, os.putenv and os.unsetenv. Never held during an import.
_lock = threading.RLock()
_inside = 0  # number of open ``importing()`` blocks in all threads
_quiet_before: dict[str, str | None] = {}


class _Thread(threading.local):
    before: dict[str, str | None] | None = None  # ``os.environ`` values changed in its innermost ``importing()``


_thread = _Thread()
_apart: ContextVar[bool] = ContextVar("smolcell_apart", default=False)  # LiteLLM passes its context on to threads
_started: Mapping[str, str] = {}
_reported: set[tuple[str, str | None]] = set()


def read() -> None:
    """Read the deciding variables, when smolcell starts."""
    global _started
    _started = {name: os.environ[name] for name in DECIDING if name in os.environ}


def startup_value(name: str) -> str:
    """Return a variable of ``DECIDING`` as it was when smolcell started, or its current value if a cell assigns it; "" if not set."""
    global _started
    now = os.environ.get(name)
    if now != _started.get(name):
        if _is_assigned_in_a_cell(name):
            others = {each: value for each, value in _started.items() if each != name}
            _started = others if now is None else {**others, name: now}
        elif (name, now) not in _reported:
            _reported.add((name, now))
            warnings.warn(
                f"{name} was changed after smolcell was loaded, not by a cell that assigns it: the change is ignored. "
                f"Set it before the start, or in a cell, such as %env {name}=…",
                stacklevel=2,
            )
    return _started.get(name, "")


def _is_assigned_in_a_cell(name: str) -> bool:
    get_ipython = getattr(sys.modules.get("IPython"), "get_ipython", None)
    shell = get_ipython() if get_ipython else None
    return shell is not None and any(assigns(cell, name) for cell in shell.history_manager.input_hist_raw)


def assigns(cell: str, name: str) -> bool:
    """Return whether a cell's text sets or removes this variable by name. Comments and strings count as code."""
    forms = (
        rf"%(set_)?env\s+{name}(\s*=|[ \t]+\S)",
        rf"\b{name}\s*=(?!=)",
        rf"""["']{name}["']\s*(\]\s*\|?=(?!=)|:)""",
        rf"""\b(del\b.*\[|(pop|putenv|setdefault|setenv|unsetenv|delenv)\()\s*["']{name}["']""",
    )
    return name in cell and any(re.search(form, cell) for form in forms)


def search_path() -> list[str]:
    """Return ``sys.path`` without the current folder."""
    try:
        here = os.stat(".")  # noqa: PTH116 - pathlib takes ten times as long, and this runs in every step
    except OSError:  # it was removed
        return [entry for entry in sys.path if entry]
    return [entry for entry in sys.path if entry and (entry == _OWN or not _is(entry, here))]


def _is(folder: str, there: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.stat(folder), there)  # noqa: PTH116
    except OSError:
        return False


@contextmanager
def importing() -> Iterator[None]:
    """Import third-party libraries in this block without the current folder; afterwards restores changes of ``os.environ``.

    Variables set by other threads meanwhile are kept, including threads started by an import.
    """
    with without_current_folder(), _variables_kept():
        yield
        for name in (later for first, each in _LATER.items() if first in sys.modules for later in each):
            if name not in sys.modules:
                with suppress(ImportError):
                    importlib.import_module(name)


@contextmanager
def without_current_folder() -> Iterator[None]:
    """Run a library that imports while it works: in this block its thread does not import from the current folder either."""
    if importlib.machinery.PathFinder in sys.meta_path:
        sys.meta_path[sys.meta_path.index(importlib.machinery.PathFinder)] = PathFinder
    token = _apart.set(True)
    try:
        yield
    finally:
        _apart.reset(token)


class PathFinder(importlib.machinery.PathFinder):
    """Replaces Python's finder, which it equals outside of ``without_current_folder()``; some libraries look for its class name."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module like Python's finder; inside ``without_current_folder()`` ignores the current folder, also in a package's path."""
        if _apart.get():
            path = search_path() if path is None else _without_planted(fullname.rpartition(".")[0], path)
        return super().find_spec(fullname, path, target)

    @classmethod
    def find_distributions(cls, context: Any = None) -> Any:
        """Find distributions like Python's finder; inside ``without_current_folder()`` ignores those in the current folder.

        None if ``importlib_metadata`` replaced it.
        """
        from importlib.metadata import DistributionFinder

        if not hasattr(importlib.machinery.PathFinder, "find_distributions"):
            return iter(())  # its own finder returns them

        asked = dict(vars(context)) if context else {}
        if _apart.get():
            asked.setdefault("path", search_path())
        return super().find_distributions(DistributionFinder.Context(**asked))


def _without_planted(package: str, path: Sequence[str]) -> Sequence[str]:
    """Return a package's path without its folder in the current one, unless the package was imported from there."""
    try:
        planted = os.stat(package.replace(".", os.sep))  # noqa: PTH116
    except OSError:
        return path
    own = os.path.dirname(getattr(sys.modules.get(package), "__file__", None) or "")  # noqa: PTH120
    return [entry for entry in path if entry == own or not _is(entry, planted)]


def is_installed(name: str) -> bool:
    """Return whether a library is installed, without importing it."""
    with importing():
        return importlib.util.find_spec(name) is not None


@contextmanager
def optional(what: str, extra: str, *names: str) -> Iterator[None]:
    """Import libraries of an extra of smolcell in this block, as in ``importing()``. Nothing else belongs in it.

    Args:
        what: what needs them, for the message.
        extra: the extra's name in ``pyproject.toml``, which also has the versions; "" for what smolcell always needs.
        names: of the libraries; all of the extra by default.

    Raises:
        SetupError: one is missing or cannot be imported, or its version is another one; the message names both versions.
    """
    with importing():
        needed, unfit = _libraries(extra, names)
        try:
            if not unfit:
                yield
                return
        except ImportError as error:
            unfit = str(error)
        except (OSError, RuntimeError, AttributeError, TypeError) as error:  # such as a missing library of the system
            unfit = f"it cannot be imported: {type(error).__name__}: {error}"
        raise SetupError(f"{what} needs {needed} ({unfit}): pip install 'smolcell{extra and f'[{extra}]'}'")


def _libraries(extra: str, names: tuple[str, ...]) -> tuple[str, str]:
    """Return these libraries of an extra with their versions, and those that are installed in another one; "" if none is."""
    from importlib.metadata import PackageNotFoundError, distribution, requires

    with importing():
        from packaging.requirements import Requirement

    try:
        every = [Requirement(line) for line in requires("smolcell") or ()]
    except PackageNotFoundError:  # smolcell itself is not installed
        every = []
    needed = [each for each in every if not each.marker or each.marker.evaluate({"extra": extra})]
    needed = [each for each in needed if each.name in names or (each.marker and not names)]
    unfit = []
    for each in needed:
        with suppress(PackageNotFoundError):  # no distribution: the import shows whether the library is there
            found = distribution(each.name).metadata.get_all(
                "Version"
            )  # None: files that an installation has left behind
            if found and not each.specifier.contains(found[0], prereleases=True):
                unfit.append(f"{each.name} {found[0]} is installed")
    return ", ".join(f"{each.name}{each.specifier}" for each in needed) or f"its extra {extra}", ", ".join(unfit)


@contextmanager
def _variables_kept() -> Iterator[None]:
    """Set ``_QUIET`` while any thread is in this block; afterwards restore what this thread changed of ``os.environ``."""
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
            # ``os`` calls these two before it changes its table.
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
