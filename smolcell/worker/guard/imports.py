"""Modules for agent code: views that offer a module's own names, not the modules that it imported.

* Agent code never gets a real module: an import returns a view, and so does an attribute that is a module.
* An attribute that is a module is returned only if it belongs to the same package or is authorised itself.
* Process functions and names in ``tables.DENIED_NAMES`` are denied, also if another module re-exports them.
* After the first look-up a name is an ordinary attribute of the view: agent code runs at CPython's speed.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.machinery
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from . import tables


class ForbiddenError(Exception):
    """The guard refuses an action; the text says which, and what is allowed instead."""


class ForbiddenImportError(ForbiddenError, ModuleNotFoundError):
    """A refused import. It is an ``ImportError``, so that programs with a fallback (``try: import …``) use it."""


def expand(names: Iterable[str]) -> tuple[str, ...]:
    """Replace presets such as ``@data`` in a list of module names by the modules they stand for.

    Raises:
        ValueError: there is no such preset.
    """
    expanded: list[str] = []
    for name in names:
        if name.startswith("@") and name not in tables.PRESETS:
            raise ValueError(f"there is no preset {name!r}; presets are: {', '.join(tables.PRESETS)}")
        expanded += tables.PRESETS.get(name, (name,))
    return tuple(dict.fromkeys(expanded))


_FUNCTIONS = (FunctionType, BuiltinFunctionType)
_module_of = type.__dict__["__module__"].__get__
_views: dict[int, ModuleType] = {}  # every view, by identity: agent code cannot make one


_MISSING = object()
MAX_NEAREST = 8  # imports that a refusal names
USUAL = ("math", "json", "re", "statistics", "datetime", "collections", "random", "itertools")


def is_view(value: Any) -> bool:
    """Return whether this is a view, not a real module."""
    return _views.get(id(value)) is value


def _make_view(module: ModuleType, module_views: ModuleViews) -> ModuleType:
    """Make a view: a module object (PEP 562), so that the interpreter's fast path for modules applies."""
    view = ModuleType(module.__name__, module.__doc__)

    def look_up(name: str) -> Any:
        found = getattr(module, name, _MISSING)
        if found is _MISSING:  # getattr's own error would expose the module
            raise AttributeError(f"module '{module.__name__}' has no attribute '{name}'")
        value = module_views.give(module, name, found)
        setattr(view, name, value)
        return value

    view.__dict__["__getattr__"] = look_up
    view.__dict__["__dir__"] = lambda: [name for name in dir(module) if not name.startswith("_")]
    _views[id(view)] = view
    return view


def _make_empty_package(name: str, module_views: ModuleViews) -> ModuleType:
    """Make an empty package of which only submodules are authorised."""
    path = ModuleType(name)

    def look_up(item: str) -> Any:
        module_views.check(f"{name}.{item}" if module_views.allows(f"{name}.{item}") else name)
        raise AttributeError(f"module '{name}' has no attribute '{item}'")

    path.__dict__["__getattr__"] = look_up
    _views[id(path)] = path
    return path


class ModuleViews:
    """The authorised imports, and the views made of them so far.

    Args:
        authorised: module names; ``pkg.*`` for a package with all below it; ``*`` for everything.
    """

    def __init__(self, authorised: Iterable[str]) -> None:
        self.found: dict[str, ModuleType] = {}  # results of ``import name``
        self.authorise(authorised)
        self._made: dict[str, ModuleType] = {}
        self._paths: dict[str, ModuleType] = {}
        self.adapt: Callable[[str, str, Any], Any] = lambda module, name, value: value  # last change of a name's value
        self.replaced: dict[tuple[str, str], Any] = {}  # (module, name) -> replacement
        self.instead: dict[int, Any] = {}  # the same, by the original's identity
        self.taken: frozenset[str] = frozenset()  # names that ``import *`` does not bind
        self.owned: frozenset[str] = frozenset()  # denied attributes that the program sets on its own objects
        self.withheld: frozenset[int] = frozenset()  # objects, by identity, that no module offers
        self.imported: Callable[[], None] = lambda: None  # called after modules were loaded

    def authorise(self, names: Iterable[str]) -> None:
        """Replace the set of authorised imports."""
        self.authorised = sorted(set(names))
        self._exact = {name[:-2] if name.endswith(".*") else name for name in self.authorised}
        self._wild = tuple(name[:-1] for name in self.authorised if name.endswith(".*"))
        self._all = "*" in self._exact
        self.found.clear()

    def allows(self, name: str) -> bool:
        """Return whether ``import name`` is authorised."""
        package, _, part = name.rpartition(".")
        if (package, part) in tables.PART_MODULES:
            return self.allows(package)
        return self._all or name in self._exact or name.startswith(self._wild)

    def check(self, name: str) -> None:
        """Raise ForbiddenImportError unless ``import name`` is authorised."""
        if not self.allows(name):  # core/hints.py matches this text
            nearest = ", ".join(self._nearest(name))
            raise ForbiddenImportError(
                f"Import of {name} is not allowed; authorized imports are, for example: {nearest}", name=name
            )
        if _is_denied_module(name):
            raise ForbiddenImportError(f"Import of {name} is not allowed: it reaches beyond the work folder", name=name)

    def _nearest(self, name: str) -> list[str]:
        """Return a few authorised imports: those with similar names, those that were given, and usual ones."""
        known = {each.removesuffix(".*"): None for each in self.authorised if each != "__future__"}
        given = [each for each in known if not is_stdlib(each.partition(".")[0]) and each not in tables.RUNNER_IMPORTS]
        usual = [each for each in USUAL if each in known]
        return list(dict.fromkeys([*difflib.get_close_matches(name, known), *given, *usual, *known]))[:MAX_NEAREST]

    def refuses(self, name: str) -> bool:
        """Return whether ``import name`` is refused."""
        return not self.allows(name) or _is_denied_module(name)

    def import_module(self, name: str, fromlist: Iterable[str]) -> ModuleType:
        """Return the result of ``import name`` (``fromlist`` empty) or ``from name import …`` in agent code."""
        self.check(name)
        before = len(sys.modules)
        module = importlib.import_module(name)
        if len(sys.modules) != before:
            self.imported()
        if not fromlist:
            return self._bind_path(name)
        for item in fromlist:
            self._import_below(module, item)
        view = self.view(module)
        for item in fromlist:
            try:
                if item != "*":
                    getattr(view, item, None)
            except ForbiddenError as error:
                raise ForbiddenImportError(str(error), name=name) from None
        if "*" in fromlist:
            self._fill(view, module)
        return view

    def view(self, module: ModuleType) -> ModuleType:
        """Return the view of a module; the same object every time."""
        view = self._made.get(module.__name__)
        if view is None:
            view = self._made[module.__name__] = _make_view(module, self)
        return view

    def give(self, owner: ModuleType, name: str, value: Any) -> Any:
        """Return a module's attribute for agent code; raises ForbiddenError."""
        own = owner.__name__
        if (own, name) in self.replaced:
            return self.replaced[own, name]
        if own == "sys" and name == "modules":
            return LoadedModules(self)
        if isinstance(value, ModuleType):
            return self._give_module(own, name, value)
        if id(value) in self.instead:
            return self.instead[id(value)]
        if name.startswith("_") and not name.endswith("__") and is_stdlib(own.partition(".")[0]):
            raise ForbiddenError(f"Forbidden access to private name of {own}: {name}")
        given = tables.ALLOWED_NAMES.get(own)
        if (
            name in _denied_in(own)
            or _is_denied(value)
            or id(value) in self.withheld
            or self._is_foreign(own, value)
            or (given is not None and name not in given)
        ):
            instead = tables.REPLACEMENT_HINTS.get(name)
            raise ForbiddenError(f"Forbidden access to function: {name}" + (f". Instead, {instead}" if instead else ""))
        return self.adapt(own, name, value)

    def _is_foreign(self, own: str, value: Any) -> bool:
        """Return whether a library offers an object of a standard library module that is not authorised."""
        if is_stdlib(own.partition(".")[0]):
            return False
        kind = type(value)
        named = issubclass(kind, type) or kind in _FUNCTIONS
        home = _module_of(value) if issubclass(kind, type) else getattr(value if named else kind, "__module__", None)
        if type(home) is not str or home in ("builtins", "__main__"):
            return False
        top = home.partition(".")[0]
        if not is_stdlib(top) or not (named or top in tables.LEADING_MODULES):
            return False
        return not (self.allows(home) or self.allows(top) or self.allows(top.lstrip("_")))

    def is_shut(self, own: str, name: str) -> bool:
        """Return whether a module's own name is denied."""
        given = tables.ALLOWED_NAMES.get(own)
        return name.startswith("_") or name in _denied_in(own) or (given is not None and name not in given)

    def is_shut_value(self, value: Any) -> bool:
        """Return whether an object is denied under any name."""
        return isinstance(value, ModuleType) or _is_denied(value)

    def _give_module(self, own: str, name: str, value: ModuleType) -> ModuleType:
        real = value.__name__
        if _is_denied_module(real):
            raise ForbiddenError(f"Forbidden access to module: {real}")
        if tables.PART_MODULES.get((own, name)) == real or self.allows(real) or _same_package(own, real):
            return self.view(value)
        raise ForbiddenError(f"Forbidden access to module: {real}")

    def _bind_path(self, dotted: str) -> ModuleType:
        """Return the module bound by ``import a.b.c``: ``a``, or an empty package ``a`` if only submodules are authorised."""
        names = dotted.split(".")
        steps = [self._step(".".join(names[: depth + 1])) for depth in range(len(names))]
        for parent, name, child in zip(steps, names[1:], steps[1:]):
            setattr(parent, name, child)
        return steps[0]

    def _step(self, dotted: str) -> ModuleType:
        if self.allows(dotted):
            return self.view(sys.modules[dotted])
        if dotted not in self._paths:
            self._paths[dotted] = _make_empty_package(dotted, self)
        return self._paths[dotted]

    def _import_below(self, module: ModuleType, item: str) -> None:
        below = f"{module.__name__}.{item}"
        if item == "*" or hasattr(module, item):
            return
        if not self.allows(below):
            if _has_below(module, below):
                self.check(below)
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
            except (ForbiddenError, AttributeError):
                continue
            if name not in self.taken and not name.startswith("__"):
                given.append(name)
        view.__dict__["__all__"] = given


class LoadedModules(Mapping[str, ModuleType]):
    """``sys.modules`` for agent code: views of the modules that are authorised as a whole."""

    __slots__ = ("__getitem",)

    def __init__(self, module_views: ModuleViews) -> None:
        def getitem(name: str) -> ModuleType:
            if type(name) is not str or name not in _whole_modules(module_views):
                raise ForbiddenError(f"Forbidden access to module: {name}")
            return module_views.import_module(name, ("*",))

        self.__getitem: Callable[[str | None], Any] = lambda name: (
            _whole_modules(module_views) if name is None else getitem(name)
        )

    def __getitem__(self, name: str) -> ModuleType:
        return self.__getitem(name)  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator[str]:
        return iter(self.__getitem(None))

    def __len__(self) -> int:
        return len(self.__getitem(None))


def _is_denied_module(name: str) -> bool:
    parts = name.split(".")
    return any(".".join(parts[:depth]) in tables.DENIED_MODULES for depth in range(1, len(parts) + 1))


def _has_below(module: ModuleType, name: str) -> bool:
    """Return whether a package on disk contains a module, without importing it."""
    path = getattr(module, "__path__", None)
    return path is not None and importlib.machinery.PathFinder.find_spec(name, path) is not None


def _whole_modules(module_views: ModuleViews) -> list[str]:
    return [name for name in list(sys.modules) if module_views.allows(name) and name not in tables.ALLOWED_NAMES]


def _denied_in(module: str) -> frozenset[str]:
    return frozenset([*tables.PROCESS_FUNCTIONS.get(module, ()), *tables.DENIED_NAMES.get(module, ())])


def _is_denied(value: Any) -> bool:
    """Return whether this is a process function or a denied object, also if found in another module or under another name."""
    home, name = getattr(value, "__module__", None), getattr(value, "__name__", None)
    if type(home) is not str or type(name) is not str:
        return False
    homes = (module for module in _DENIED_AT.get(name, ()) if module in sys.modules)
    return name in tables.PROCESS_FUNCTIONS.get(home, ()) or any(
        vars(sys.modules[module]).get(name) is value for module in homes
    )


_DENIED_AT: dict[str, list[str]] = {}
for _module, _given in [*tables.PROCESS_FUNCTIONS.items(), *tables.DENIED_NAMES.items()]:
    for _name in _given:
        _DENIED_AT.setdefault(_name, []).append(_module)


def _same_package(own: str, other: str) -> bool:
    """Return whether two modules belong together: a data library is one package, a standard library module gives only authorised ones."""
    top = own.partition(".")[0]
    return not is_stdlib(top) and other.startswith(top + ".")


def is_part_of_loaded(name: str) -> bool:
    """Return whether this module belongs to a loaded package outside the standard library."""
    top = name.partition(".")[0]
    return top in sys.modules and not is_stdlib(top)


def is_stdlib(top: str) -> bool:
    """Return whether this top-level module belongs to the standard library."""
    names = getattr(sys, "stdlib_module_names", None)
    if names is not None:
        return top in names
    place = getattr(sys.modules.get(top), "__file__", None)  # Python 3.9
    return place is None or ("site-packages" not in place and "dist-packages" not in place)


# --- Modules that a library imports while a program runs: the guard's rules apply to them from the first call.
#
# * Every loaded module is noticed, however it was imported; importing one that is already loaded costs nothing.
# * The callback runs once, after the outermost import: nested modules are not usable by the program before.


def watch_imports(loaded: Callable[[], None]) -> None:
    """Call ``loaded`` whenever modules were loaded. Cannot be undone.

    ``_find_and_load`` is what CPython's ``import`` and ``importlib`` both call for a module that is not loaded.
    """
    bootstrap: Any = sys.modules["_frozen_importlib"]
    original = bootstrap._find_and_load

    def find_and_load(name: Any, import_: Any) -> Any:
        if is_loading():
            return original(name, import_)
        _inside.loading = True
        try:
            return original(name, import_)
        finally:
            _inside.loading = False
            loaded()

    bootstrap._find_and_load = find_and_load


_inside = threading.local()


def is_loading() -> bool:
    """Return whether this thread is importing modules: library code runs, not the program's."""
    return getattr(_inside, "loading", False)
