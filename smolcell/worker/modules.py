"""Modules as agent code sees them: a view that hands out the module's own names, not what it imported.

The rules this file exists to keep:

* Agent code never holds a real module: an import gives a view, and so does a module found as an attribute.
* A module found as an attribute is handed out only if it is part of the same package or authorised itself.
* Process functions and the names in ``tables.SHUT_NAMES`` are shut, also where another module re-exports them.
* After the first look-up a name is an ordinary attribute of the view: agent code runs at CPython's speed.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any

from . import tables


class ForbiddenError(Exception):
    """The guard refuses; the text says what, and what is allowed instead."""


_views: dict[int, ModuleType] = {}  # every view, by identity: agent code cannot make one


def is_view(value: Any) -> bool:
    """Whether this is a view of a module, and not a module."""
    return _views.get(id(value)) is value


def _make_view(module: ModuleType, shelf: Shelf) -> ModuleType:
    """A module object of its own (PEP 562), so that the interpreter's fast path for modules serves it."""
    view = ModuleType(module.__name__, module.__doc__)

    def look_up(name: str) -> Any:
        value = shelf.give(module, name, getattr(module, name))
        setattr(view, name, value)
        return value

    view.__dict__["__getattr__"] = look_up
    view.__dict__["__dir__"] = lambda: [name for name in dir(module) if not name.startswith("_")]
    _views[id(view)] = view
    return view


class Shelf:
    """The imports that are authorised, and the views made of them so far.

    Args:
        authorised: module names; ``pkg.*`` for a package with all below it; ``*`` for everything.
    """

    def __init__(self, authorised: Iterable[str]) -> None:
        self.authorised = sorted(set(authorised))
        self._exact = {name[:-2] if name.endswith(".*") else name for name in self.authorised}
        self._wild = tuple(name[:-1] for name in self.authorised if name.endswith(".*"))
        self._all = "*" in self._exact
        self._made: dict[str, ModuleType] = {}
        self.replaced: dict[tuple[str, str], Any] = {}  # (module, name) -> what is handed out instead

    def allows(self, name: str) -> bool:
        """Whether ``import name`` is authorised."""
        return self._all or name in self._exact or name.startswith(self._wild)

    def check(self, name: str) -> None:
        """Raises ForbiddenError unless ``import name`` is authorised."""
        if not self.allows(name):
            known = ", ".join(name for name in self.authorised if name != "__future__")
            raise ForbiddenError(f"Import of {name} is not allowed. Authorized imports are: {known}")

    def import_module(self, name: str, fromlist: Iterable[str]) -> ModuleType:
        """What ``import name`` (``fromlist`` empty) or ``from name import …`` gives to agent code."""
        self.check(name)
        module = importlib.import_module(name)
        if not fromlist:
            top = name.partition(".")[0]
            if top != name:
                self._bind_path(name)
            return self.view(sys.modules[top])
        for item in fromlist:
            self._import_below(module, item)
        view = self.view(module)
        if "*" in fromlist:
            self._fill(view, module)
        return view

    def view(self, module: ModuleType) -> ModuleType:
        """The view of a module, the same one every time."""
        found = self._made.get(module.__name__)
        if found is None:
            found = self._made[module.__name__] = _make_view(module, self)
        return found

    def give(self, owner: ModuleType, name: str, value: Any) -> Any:
        """A module's attribute as agent code gets it; raises ForbiddenError."""
        own = owner.__name__
        if (own, name) in self.replaced:
            return self.replaced[own, name]
        if own == "sys" and name == "modules":
            return LoadedModules(self)
        if isinstance(value, ModuleType):
            return self._give_module(own, name, value)
        if name.startswith("_") and not name.endswith("__") and _is_stdlib(own.partition(".")[0]):
            raise ForbiddenError(f"Forbidden access to private name of {own}: {name}")
        given = tables.GIVEN_NAMES.get(own)
        if name in _shut_in(own) or _is_process_function(value) or (given is not None and name not in given):
            raise ForbiddenError(f"Forbidden access to function: {name}")
        return value

    def _give_module(self, own: str, name: str, value: ModuleType) -> ModuleType:
        real = value.__name__
        part = tables.PARTS.get((own, name)) == real or self.allows(f"{own}.{name}")
        if part or self.allows(real) or _same_package(own, real):
            return self.view(value)
        raise ForbiddenError(f"Forbidden access to module: {real}")

    def _bind_path(self, dotted: str) -> None:
        """After ``import a.b.c`` the name ``a.b.c`` works, whatever ``import a`` alone would show."""
        names = dotted.split(".")
        for depth in range(1, len(names)):
            parent = self.view(sys.modules[".".join(names[:depth])])
            setattr(parent, names[depth], self.view(sys.modules[".".join(names[: depth + 1])]))

    def _import_below(self, module: ModuleType, item: str) -> None:
        below = f"{module.__name__}.{item}"
        if item == "*" or hasattr(module, item) or not self.allows(below):
            return
        try:
            importlib.import_module(below)
        except ModuleNotFoundError as error:
            if error.name != below:
                raise

    def _fill(self, view: ModuleType, module: ModuleType) -> None:
        given = []
        for name in getattr(module, "__all__", None) or [name for name in dir(module) if not name.startswith("_")]:
            try:
                getattr(view, name)
                given.append(name)
            except (ForbiddenError, AttributeError):
                pass
        view.__dict__["__all__"] = given


class LoadedModules(Mapping[str, ModuleType]):
    """``sys.modules`` where ``sys`` is authorised: the authorised modules, as views."""

    def __init__(self, shelf: Shelf) -> None:
        self._names = [name for name in sys.modules if shelf.allows(name)]
        self._import: Callable[[str], ModuleType] = lambda name: shelf.import_module(name, ("*",))

    def __getitem__(self, name: str) -> ModuleType:
        if name not in self._names:
            raise ForbiddenError(f"Forbidden access to module: {name}")
        return self._import(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _shut_in(module: str) -> frozenset[str]:
    return frozenset([*tables.PROCESS_FUNCTIONS.get(module, ()), *tables.SHUT_NAMES.get(module, ())])


def _is_process_function(value: Any) -> bool:
    home = getattr(value, "__module__", None)
    return type(home) is str and getattr(value, "__name__", None) in tables.PROCESS_FUNCTIONS.get(home, ())


def _same_package(own: str, other: str) -> bool:
    """A data library is one package; a module of the standard library gives out only what is authorised."""
    top = own.partition(".")[0]
    return not _is_stdlib(top) and other.startswith(top + ".")


def is_part_of_loaded(name: str) -> bool:
    """Whether this is a module of a package that is loaded and is not the standard library's."""
    top = name.partition(".")[0]
    return top in sys.modules and not _is_stdlib(top)


def _is_stdlib(top: str) -> bool:
    names = getattr(sys, "stdlib_module_names", None)
    if names is not None:
        return top in names
    place = getattr(sys.modules.get(top), "__file__", None)  # Python 3.9
    return place is None or ("site-packages" not in place and "dist-packages" not in place)
