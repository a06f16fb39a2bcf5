"""The audit hook: what the guard let through is judged again where Python itself does it.

The rules this file exists to keep:

* It cannot be switched off. Nothing exempts a thread, a phase or the worker's own work between steps: an event is
  judged by its arguments and by whose code is nearest on the stack, so a ``__del__``, a ``__repr__``, a callback or a
  thread that outlives its step meets it like the step itself.
* A module that is being imported may do what imports do. Code of the agent that runs inside an import may not.
* Frames are told apart by their globals: looking at those raises no event, and nobody can forge a dict's identity.
* What it calls was taken at the start; what agent code puts into a module or a class later is not called here.

It is depth, not a wall: C code that raises no event passes by. SECURITY.md says which.
"""

from __future__ import annotations

import ast
import builtins
import dis
import importlib
import os
import sys
import weakref
from typing import Any, Callable

from . import events, places, quoted, tables
from .lookups import check_attribute
from .modules import ForbiddenError, Shelf, is_stdlib
from .places import ForbiddenAccessError

Rule = Callable[[str, Any], None]
Globals = Any  # the dict of a module

_BOOTSTRAP: Globals = vars(sys.modules["_frozen_importlib"])
_FINDING = frozenset(line for _, line in dis.findlinestarts(_BOOTSTRAP["_find_and_load"].__code__) if line)
_FINALIZING = vars(weakref)
_AST = vars(ast)
_BUILTINS = dict(vars(builtins))
_WRITE_MODES = frozenset("wxa+")
_WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_AF_UNIX = 1
_LOOPS = ("asyncio.selector_events", "asyncio.proactor_events", "asyncio.unix_events")
_EVALUATE_TREES = "pandas.core.computation."  # walks the tree itself, reading attributes as it goes
_NAMING = tables.SAFE_DUNDERS | {"__module__", "__abstractmethods__"}
_import_module = importlib.import_module
_home_of = type.__dict__["__module__"].__get__
_OWN_PACKAGE = __name__.partition(".")[0]
_OWN_MAPS = "/proc/self/maps"  # which libraries are loaded
_LIKE_A_PERMISSION = (events.PROCESS, events.NETWORK, events.SYSTEM)


class ForbiddenImportError(ForbiddenError, ImportError):
    """A C library that raises no events is not loaded; the library that asked goes on without, where it can."""


class Hook:
    """Judges audit events.

    Args:
        shelf: the authorised imports.
        namespace: the globals of agent code.
        open_places: which files may be touched.
        compilers: the globals of the worker's own modules that compile what they have checked.
        unpickler: the globals of the one that unpickles what the host sent.
    """

    def __init__(
        self,
        shelf: Shelf,
        namespace: Globals,
        open_places: places.Places,
        compilers: tuple[Globals, ...] = (),
        unpickler: Globals = None,
    ) -> None:
        self._shelf, self._namespace, self._places = shelf, namespace, open_places
        self._compilers = {id(found) for found in (*compilers, vars(quoted))}
        self._unpickles = unpickler
        self._getframe, self._modules, self._globals = sys._getframe, sys.modules, globals()
        self.rules = self._rules()

    def _rules(self) -> dict[str, Rule | None]:
        found: dict[str, Rule | None] = dict.fromkeys(events.ALLOWED)
        found.update(dict.fromkeys(events.REFUSED, self._refuse))
        found.update(dict.fromkeys(events.WRITTEN, self._written))
        found.update(dict.fromkeys(events.READ, self._read))
        for event in events.JUDGED:
            found[event] = getattr(self, "_" + event.replace(".", "_").replace("/", "_"))
        return found

    def unknown(self, event: str, args: Any) -> None:
        """An event that nobody has reviewed: refused if it is the interpreter's."""
        if event.partition(".")[0] in events.FAMILIES:
            self._refuse(event, args)

    # --- whose code it is ---

    def _nearest(self, skipped: Globals | None = None) -> Globals | None:
        """The globals of the nearest frame that is neither this file's nor of the module that is skipped."""
        frame: Any = self._getframe(1)
        while frame is not None:
            found = frame.f_globals
            if found is not self._globals and found is not skipped:
                return found
            frame = frame.f_back
        return None

    def _importing(self) -> bool:
        """Whether a module's own code, run by its import, is nearer than any code of the agent.

        Only ``_find_and_load`` counts (told by its lines, since reading a frame's code is an event): a loader that is
        called by hand runs the same functions after it.
        """
        namespace = self._namespace
        frame: Any = self._getframe(1)
        while frame is not None:
            found = frame.f_globals
            if found is namespace or found is _FINALIZING:
                return False
            if found is _BOOTSTRAP and frame.f_lineno in _FINDING:
                return True
            frame = frame.f_back
        return False

    def _is_module(self, found: Globals | None, names: Any) -> str:
        """The name of the module these globals belong to, if it is one of ``names``; what they say of themselves is checked."""
        name = None if found is None else found.get("__name__")
        if type(name) is not str or name not in names:
            return ""
        return name if getattr(self._modules.get(name), "__dict__", None) is found else ""

    # --- rules ---

    def _refuse(self, event: str, args: Any) -> None:
        if self._importing() or self._lent(event):
            return
        message = events.REFUSED.get(event, events.INSIDE)
        kind = ForbiddenAccessError if message in _LIKE_A_PERMISSION else ForbiddenError
        raise kind(message.format(event=event))

    def _lent(self, event: str) -> bool:
        family = event.partition(".")[0]
        borrowers = events.LENT.get(event) or events.LENT.get(family)
        return bool(borrowers and self._is_module(self._nearest(_module_globals(self._modules, family)), borrowers))

    def _written(self, event: str, args: Any) -> None:
        if self._importing():
            return
        for at, folder, name in events.WRITTEN[event]:
            self._places.written(args[at], None if folder is None else args[folder], name)

    def _read(self, event: str, args: Any) -> None:
        if self._importing():
            return
        if event == "os.chdir":
            self._places.written(args[0])
        else:
            self._places.read(args[0])

    def _open(self, event: str, args: Any) -> None:
        path, mode, flags = args
        if type(path) is int or self._importing():
            return
        writes = not _WRITE_MODES.isdisjoint(mode) if type(mode) is str else False
        if writes or (type(flags) is int and flags & _WRITE_FLAGS):
            self._places.written(path)
            return
        if path == _OWN_MAPS and self._is_module(self._nearest(), events.LENT["ctypes"]):
            return
        self._places.read(path)
        if mode is None and self._places.is_lent_folder(path):  # a descriptor to go on from: os.open(…, dir_fd=…)
            raise places.outside(path)

    def _os_symlink(self, event: str, args: Any) -> None:
        if not self._importing():
            self._places.linked(*args)

    def _sqlite3_connect(self, event: str, args: Any) -> None:
        self._places.database(args[0])

    def _socket___new__(self, event: str, args: Any) -> None:
        """Only the pair that an event loop wakes itself up by."""
        family = args[1]
        nearest = self._nearest(_module_globals(self._modules, "socket"))
        if family == _AF_UNIX and self._is_module(nearest, _LOOPS):
            return
        if not self._importing():
            raise ForbiddenAccessError(events.NETWORK.format(event=event))

    def _import(self, event: str, args: Any) -> None:
        name = args[0]
        top = name.partition(".")[0]
        if not (name in events.SILENT or top in events.SILENT) or self._shelf.allows(top) or self._shelf.allows(name):
            return
        raise ForbiddenImportError(
            f"Import of {name} is not allowed: what it opens or runs is out of this sandbox's sight. Authorize it by name to use it"
        )

    def _compile(self, event: str, args: Any) -> None:
        source = args[0]
        found = self._nearest()
        if id(found) in self._compilers:
            return
        tree_only = found is _AST
        if tree_only:
            found = self._nearest(_AST)
        name = found.get("__name__") if found is not None else None
        if type(name) is not str:
            name = ""
        if tree_only and (id(found) in self._compilers or not name.startswith(_EVALUATE_TREES)):
            return  # a tree alone does nothing: making code of it is another event
        if self._importing() or self._is_module(found, events.BUILDERS):
            return
        if found is None or found is self._namespace or not isinstance(source, (str, bytes)):
            raise ForbiddenError(events.INSIDE.format(event=event))
        quoted.check(source, name.partition(".")[0], self._shelf.allows)

    def _pickle_find_class(self, event: str, args: Any) -> None:
        module, name = args[0], args[1]
        if self._unpickling() or self._importing():
            return
        first, *rest = name.split(".")
        for part in (first, *rest):
            check_attribute(part)
        package = module.partition(".")[0]
        if module == "__main__":
            known = not rest or isinstance(getattr(self._modules.get(module), first, None), type)
        elif package in self._modules and not is_stdlib(package):
            known = package != _OWN_PACKAGE and self._is_librarys_own(module, first, rest)
        elif module in events.PICKLED:
            known = not rest and (first in events.PICKLED[module] or _is_error(first))
        else:
            known = not rest and self._shelf.allows(module) and not self._shelf.is_shut(module, first)
        if not known:
            raise ForbiddenError(f"Forbidden name in a pickle: {module}.{name}. Keep data as Parquet, CSV, npy or JSON")

    def _is_librarys_own(self, module: str, name: str, rest: list[str]) -> bool:
        """Whether a library's module has this class or function itself, not from another library or the interpreter."""
        try:
            found = getattr(_import_module(module), name)  # as the unpickler is about to do
        except (ImportError, AttributeError):
            return True  # it says so itself
        home = getattr(found, "__module__", None) or module
        own = type(home) is str and home.partition(".")[0] == module.partition(".")[0]
        return own and not self._shelf.is_shut_value(found) and (not rest or isinstance(found, type))

    def _unpickling(self) -> bool:
        """Whether it is the worker that reads what the host sent."""
        frame: Any = self._getframe(1)
        while frame is not None:
            found = frame.f_globals
            if found is self._unpickles:
                return True
            if found is self._namespace:
                return False
            frame = frame.f_back
        return False

    def _direct(self, event: str, args: Any) -> None:
        """Allowed to libraries, not to agent code itself."""
        found = self._nearest()
        if found is None or found is self._namespace:
            raise ForbiddenError(events.INSIDE.format(event=event))

    _code___new__ = _function___new__ = _direct

    def _object___getattr__(self, event: str, args: Any) -> None:
        if args[1] not in tables.SAFE_DUNDERS:
            self._direct(f"reading {args[1]}", args)

    def _object___setattr__(self, event: str, args: Any) -> None:
        if args[1] == "__module__" and args[2:] == ("__main__",):
            self._claim(event, args[0])
        elif args[1] not in _NAMING:
            self._direct(f"changing {args[1]}", args)

    def _claim(self, event: str, found: Any) -> None:
        """A class is said to be the program's: by what makes classes for it, or again; never one of a library."""
        claimed = isinstance(found, type) and _home_of(found) != "__main__"
        if claimed and not self._is_module(self._nearest(), events.BUILDERS | events.CLASS_MAKERS):
            raise ForbiddenError(
                f"Cannot change {found.__name__}: it belongs to a library. Make a subclass of your own"
            )

    _object___delattr__ = _object___setattr__


def _module_globals(modules: dict[str, Any], name: str) -> Any:
    return getattr(modules.get(name), "__dict__", None)


def _optional(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _is_error(name: str) -> bool:
    found = _BUILTINS.get(name)
    return isinstance(found, type) and issubclass(found, BaseException)


def _announced(event: str, function: Any) -> Any:
    """A C function that raises no event, given one."""
    audit = sys.audit

    def announced(*args: Any, **kwargs: Any) -> Any:
        audit(event)
        return function(*args, **kwargs)

    announced.__name__ = announced.__qualname__ = function.__name__
    return announced


def install(hook: Hook) -> None:
    """Add the hook to this interpreter, for good."""
    rules, unknown = hook.rules, hook.unknown
    for name, functions in events.UNANNOUNCED.items():
        module = _optional(name)
        for each in functions:
            found = getattr(module, each, None)
            if found is not None:
                setattr(module, each, _announced(f"{name}.{each}", found))

    def audit(event: str, args: Any) -> None:
        rule = rules.get(event, unknown)
        if rule is not None:
            rule(event, args)

    sys.addaudithook(audit)
