"""Builtins of agent code: CPython's own, except those that read names, files or code.

* A replaced builtin behaves like CPython's, or is refused.
* The replacements hold no state that a program can reach: it is in closures, whose cells are inaccessible.
"""

from __future__ import annotations

import builtins
import importlib
import os
import sys
from collections.abc import Iterable, Iterator, MutableMapping
from typing import Any, Callable

from . import attributes, rewrite, tables
from .attributes import (
    RUNTIME_CHECKED,
    check_attribute,
    check_owned,
    check_pattern,
    check_settled,
    is_dunder,
    owns_name,
    plain_formats,
    read_checked,
    read_variables,
)
from .imports import ForbiddenError, ModuleViews, is_part_of_loaded
from .stdlib import WITHHELD, build_replacements, patch_libraries

_MISSING = object()


def guarded_builtins(module_views: ModuleViews, folder: str, mounted: Iterable[str] = ()) -> dict[str, Any]:
    """Return the builtins of agent code.

    Args:
        module_views: the authorised imports; the replaced functions are registered here.
        folder: the work folder, to which ``open`` is limited.
        mounted: files and folders outside it that ``open`` may read.
    """
    allowed = {name: value for name, value in vars(builtins).items() if name not in tables.DENIED_BUILTINS}

    known = module_views.found

    def guarded_import(name: str, module: Any = None, local: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        if fromlist is None and not level:
            if name not in known:
                known[name] = module_views.import_module(name, ())
            return known[name]
        if level:
            raise ForbiddenError("Relative imports are not allowed")
        if type(fromlist) is list:  # PyImport_Import: a C function called by agent code imports for itself
            return _import_for_c(module_views, name)
        return module_views.import_module(name, tuple(fromlist or ()))

    replaced = {
        **build_replacements(),
        **{("builtins", name): replacement for name, replacement in _make_accessors().items()},
    }
    module_views.replaced.update(replaced)
    module_views.instead = {
        id(getattr(sys.modules[module], name)): replacement for (module, name), replacement in replaced.items()
    }
    module_views.replaced["importlib", "import_module"] = lambda name: module_views.import_module(name, ("*",))
    module_views.instead[id(importlib.import_module)] = module_views.replaced["importlib", "import_module"]
    module_views.withheld = WITHHELD
    module_views.imported = _patch_after_import
    _patch_after_import()
    allowed.update({name: value for (module, name), value in replaced.items() if module == "builtins"})
    allowed.update(
        __import__=guarded_import, open=_make_work_open(folder, mounted), **_make_scopes(allowed, module_views)
    )
    module_views.replaced["io", "open"] = allowed["open"]
    allowed.update(_hidden_helpers())
    return allowed


def _hidden_helpers() -> dict[str, Any]:
    return {
        rewrite.READ: read_checked,
        rewrite.FORMAT: plain_formats,
        rewrite.GETATTR: getattr,
        rewrite.MATCHED: check_pattern,
        rewrite.SETTLED: check_settled,
        rewrite.TARGET: attributes.check_settable,
        rewrite.GROUPS: attributes.check_groups,
        rewrite.AUGMENTED: attributes.check_augmented,
        rewrite.OWNED: check_owned,
        rewrite.SHUT: attributes.READ_ONLY_TYPES,
        rewrite.TYPE: type,
        rewrite.STR: str,
    }


def _patch_after_import() -> None:
    attributes.add_metaclasses()
    patch_libraries()


def _import_for_c(module_views: ModuleViews, name: str) -> None:
    """Import a module that a C function needs: it reads ``sys.modules`` and ignores the value returned."""
    if name in sys.modules:
        return
    if not (name in tables.C_IMPORTS or is_part_of_loaded(name)):
        module_views.check(name)
    importlib.import_module(name)


def _make_work_open(folder: str, mounted: Iterable[str]) -> Callable[..., Any]:
    root, lent = os.path.realpath(folder), [os.path.realpath(path) for path in mounted]

    def work_open(
        file: Any,
        mode: str = "r",
        buffering: int = -1,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
    ) -> Any:
        """Open a file of the work folder."""
        named = os.fspath(file)
        if isinstance(named, str):
            named = str.__str__(named)
        path = os.path.realpath(os.path.join(root, named))
        read = type(mode) is str and set(mode) <= set("rbt")
        if not any(path == each or path.startswith(each + os.sep) for each in (root, *(lent if read else ()))):
            # core/hints.py matches this text
            raise ForbiddenError(f"Forbidden access to file: {file} lies outside the work folder. Use a relative path")
        return open(path, mode, buffering, encoding, errors, newline)

    work_open.__name__ = work_open.__qualname__ = "open"
    return work_open


# --- names in strings --------------------------------------------------------------------------------------------------


def _make_accessors() -> dict[str, Callable[..., Any]]:
    denied = tables.DENIED_ATTRIBUTES
    shut = denied | RUNTIME_CHECKED
    looked_at = attributes.READ_ONLY_TYPES

    def _getattr(value: Any, name: Any, default: Any = _MISSING, /) -> Any:
        if type(name) is not str or name[:2] == "__" or name in shut:
            if type(name) is not str or (
                name not in RUNTIME_CHECKED and not (name in denied and owns_name(value, name))
            ):
                check_attribute(name)
            return read_checked(value, name) if default is _MISSING else read_checked(value, name, default)
        return getattr(value, name) if default is _MISSING else getattr(value, name, default)

    def _setattr(value: Any, name: Any, new: Any, /) -> None:
        if type(name) is str and name[:2] != "__" and name not in denied and type(value) not in looked_at:
            setattr(value, name, new)
        else:
            setattr(settable(value, name), name, new)

    def _delattr(value: Any, name: Any, /) -> None:
        delattr(settable(value, name), name)

    def settable(value: Any, name: Any) -> Any:
        if type(name) is str and name in denied:
            return check_owned(value, name)
        check_attribute(name, stored=True)
        return attributes.check_settable(value)

    accessors: dict[str, Callable[..., Any]] = {"getattr": _getattr, "setattr": _setattr, "delattr": _delattr}
    for name, function in accessors.items():
        function.__name__ = function.__qualname__ = name
    return accessors


# --- the program's own names -------------------------------------------------------------------------------------------


def _make_scopes(given: dict[str, Any], module_views: ModuleViews) -> dict[str, Callable[..., Any]]:
    """Make ``globals``, ``locals`` and ``vars``, which show only the program's own names."""

    def frame() -> Any:
        at = sys._getframe(2)
        while at.f_builtins is not given:  # a library function that the program called
            at = at.f_back  # type: ignore[assignment]
            if at is None:
                raise ForbiddenError("globals() and locals() may be called only by the program itself")
        return at

    def _globals() -> Any:
        """Return the program's own global names."""
        return _Names(frame().f_globals, module_views)

    def _locals() -> Any:
        """Return the program's own local names; in a function a copy of them."""
        return _local_names(frame())

    def _vars(*value: Any) -> Any:
        """Return the variables of an object."""
        return read_variables(*value) if value else _local_names(frame())

    def _local_names(at: Any) -> Any:
        if at.f_locals is at.f_globals:
            return _Names(at.f_globals, module_views)
        return {name: value for name, value in at.f_locals.items() if not name.startswith(rewrite.HIDDEN)}

    scopes: dict[str, Callable[..., Any]] = {"globals": _globals, "locals": _locals, "vars": _vars}
    for name, function in scopes.items():
        function.__name__ = function.__qualname__ = name
    return scopes


class _Names(MutableMapping[str, Any]):
    """``globals()`` of a program: names that the program may not use are invisible and cannot be set."""

    __slots__ = ("_use",)

    def __init__(self, names: dict[str, Any], module_views: ModuleViews) -> None:
        def use(action: str, name: Any = None, value: Any = None) -> Any:
            if action == "list":
                return [name for name in names if _is_visible(name)]
            if action == "get":
                exact = str.__str__(name) if issubclass(type(name), str) else ""  # the key's own methods are not called
                if not exact or not _is_visible(exact):
                    raise KeyError(name)
                return names[exact]
            if type(name) is not str or not _is_visible(name) or name in module_views.taken:
                raise ForbiddenError(f"Forbidden name: {name}")
            return names.__setitem__(name, value) if action == "set" else names.__delitem__(name)

        self._use = use

    def __getitem__(self, name: str) -> Any:
        return self._use("get", name)

    def __setitem__(self, name: str, value: Any) -> None:
        self._use("set", name, value)

    def __delitem__(self, name: str) -> None:
        self._use("delete", name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._use("list"))

    def __len__(self) -> int:
        return len(self._use("list"))

    def __repr__(self) -> str:
        return repr(dict(self))


def _is_visible(name: str) -> bool:
    return not name.startswith(rewrite.HIDDEN) and (not is_dunder(name) or name in tables.READABLE_DUNDERS)
