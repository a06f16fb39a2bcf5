"""The audit hook: checks effects again when Python carries them out, whatever the guard allowed.

* It cannot be switched off. No thread, phase or work of the worker between steps is exempt: an event is checked by its
  arguments and by the code nearest on the stack, so a ``__del__``, a ``__repr__``, a callback or a thread that outlives its
  step is checked like the step itself.
* A module that is being imported may do what imports do. Agent code that runs inside an import may not.
* Frames are distinguished by their globals: reading those raises no event, and a dict's identity cannot be forged.
* It calls only functions that it looked up at the start, never one that agent code put into a module or class later.

It is defense in depth, not a wall: C code that raises no event is not seen. docs/security.md lists such code.
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

from . import files, tables
from .attributes import check_attribute, is_dunder
from .files import ForbiddenAccessError
from .imports import ForbiddenError, ForbiddenImportError, ModuleViews, is_stdlib

# --- Python's audit events (PEP 578), each in one of three tables: refused, checked by its arguments, allowed with a reason.
#
# * No code, only tables: a wider trust is a visible diff of one line.
# * Every event in CPython's documentation of 3.9 to 3.14 is listed. An event that was not reviewed is refused if it is
#   the interpreter's (``REFUSED_FAMILIES``), and allowed if it is a library's.
#
# Source: https://docs.python.org/3.14/library/audit_events.html and the sources of CPython 3.9 to 3.14.


def _prefixed(prefix: str, names: str) -> list[str]:
    return [prefix + name for name in names.split()]


PROCESS = "Forbidden start or control of a process ({event}): the sandbox runs Python only. Do it in Python, or ask for a tool (-t)"
NETWORK = (
    "Forbidden use of the network ({event}): the sandbox has none. Ask for a tool (-t), or for the data itself (-f)"
)
INSIDE = "Forbidden access to the interpreter ({event}): programs may not inspect or change it"
MEMORY = "Forbidden access to memory and C libraries ({event}): use the authorized libraries' own functions"
PERSON = (
    "Forbidden question to a person ({event}): nobody can type into the sandbox. Put the question into the final answer"
)
SYSTEM = "Forbidden change of the system ({event}): the sandbox works in its work folder only"

# C functions that raise no audit event though they should. The hook makes them raise one with their own name, which is refused.
UNANNOUNCED: dict[str, tuple[str, ...]] = {
    "_posixsubprocess": ("fork_exec",),  # multiprocessing starts processes by it
    "os": ("mkfifo", "mknod", "pidfd_open", "setns", "unshare"),
    "posix": ("mkfifo", "mknod", "pidfd_open", "setns", "unshare"),
    "signal": ("pidfd_send_signal",),
    "time": ("clock_settime", "clock_settime_ns"),
}

# Event -> message. Refused for every caller except a module that is being imported.
REFUSED_EVENTS: dict[str, str] = {
    **dict.fromkeys(
        [
            *_prefixed("os.", "exec fork forkpty kill killpg posix_spawn spawn startfile startfile/2 system"),
            *("pty.spawn", "signal.pthread_kill", "subprocess.Popen", "webbrowser.open", "_winapi.CreateProcess"),
            *_prefixed("_winapi.", "OpenProcess TerminateProcess CreateFile CreateJunction CreateNamedPipe CreatePipe"),
            *("ensurepip.bootstrap", "pdb.Pdb", "_posixsubprocess.fork_exec", "signal.pidfd_send_signal"),
            *_prefixed("os.", "pidfd_open setns unshare"),
            *_prefixed("posix.", "pidfd_open setns unshare"),
        ],
        PROCESS,
    ),
    **dict.fromkeys(
        [
            *_prefixed("socket.", "bind connect getaddrinfo gethostbyaddr gethostbyname gethostname getnameinfo"),
            *_prefixed("socket.", "getservbyname getservbyport sendto sethostname"),
            *_prefixed("ftplib.", "connect sendcmd"),
            *_prefixed("http.client.", "connect send"),
            *_prefixed("imaplib.", "open send"),
            *_prefixed("nntplib.", "connect putline"),
            *_prefixed("poplib.", "connect putline"),
            *_prefixed("smtplib.", "connect send"),
            *_prefixed("telnetlib.Telnet.", "open write"),
            "urllib.Request",
        ],
        NETWORK,
    ),
    **dict.fromkeys(
        [
            *_prefixed("sys.", "_current_exceptions _current_frames addaudithook setprofile settrace"),
            *_prefixed("sys.", "monitoring.register_callback remote_exec set_lazy_imports set_lazy_imports_filter"),
            *_prefixed("gc.", "get_objects get_referents get_referrers"),
            *_prefixed("cpython.", "PyConfig_Set PyInterpreterState_New remote_debugger_script run_command run_file"),
            *_prefixed("cpython.", "run_interactivehook run_module run_startup run_stdin"),
            "setopencodehook",
        ],
        INSIDE,
    ),
    **dict.fromkeys(
        [
            *_prefixed("ctypes.", "PyObj_FromPtr addressof call_function cdata cdata/buffer create_string_buffer"),
            *_prefixed(
                "ctypes.", "create_unicode_buffer dlopen dlsym dlsym/handle get_errno get_last_error memoryview_at"
            ),
            *_prefixed("ctypes.", "seh_exception set_errno set_exception set_last_error string_at wstring_at"),
            "os.add_dll_directory",
            *_prefixed("sqlite3.", "enable_load_extension load_extension"),
        ],
        MEMORY,
    ),
    **dict.fromkeys(["builtins.breakpoint", "builtins.input", "builtins.input/result"], PERSON),
    **dict.fromkeys(
        [
            *("os.mkfifo", "os.mknod", "posix.mkfifo", "posix.mknod", "time.clock_settime", "time.clock_settime_ns"),
            *_prefixed("resource.", "prlimit setrlimit"),
            *_prefixed("syslog.", "closelog openlog setlogmask syslog"),
            *_prefixed(
                "winreg.", "ConnectRegistry CreateKey DeleteKey DeleteValue DisableReflectionKey EnableReflectionKey"
            ),
            *_prefixed(
                "winreg.", "EnumKey EnumValue ExpandEnvironmentStrings LoadKey OpenKey OpenKey/result PyHKEY.Detach"
            ),
            *_prefixed("winreg.", "QueryInfoKey QueryReflectionKey QueryValue SaveKey SetValue"),
            *_prefixed("msvcrt.", "get_osfhandle locking open_osfhandle"),
            *_prefixed("os.", "listdrives listmounts listvolumes"),
            *_prefixed("readline.", "append_history_file read_history_file read_init_file write_history_file"),
        ],
        SYSTEM,
    ),
}

# Event -> its arguments that are paths to change: position, position of the descriptor of the folder they are relative to, and
# whether the link itself is changed (True) or its target. Allowed in the work folder.
WRITE_EVENTS: dict[str, tuple[tuple[int, int | None, bool], ...]] = {
    "os.chflags": ((0, None, False),),
    "os.chmod": ((0, 2, False),),
    "os.chown": ((0, 3, False),),
    "os.link": ((0, 2, False), (1, 3, True)),
    "os.mkdir": ((0, 2, True),),
    "os.remove": ((0, 1, True),),
    "os.removexattr": ((0, None, False),),
    "os.rename": ((0, 2, True), (1, 3, True)),
    "os.rmdir": ((0, 1, True),),
    "os.setxattr": ((0, None, False),),
    "os.truncate": ((0, None, False),),
    "os.utime": ((0, 3, False),),
}

# Events whose first argument is a folder or file that is read or entered. Allowed if ``open`` may read it.
READ_EVENTS = frozenset(_prefixed("os.", "chdir getxattr listdir listxattr scandir"))

# Each checked by a method of ``Hook``.
CHECKED_EVENTS = frozenset(
    """
    open os.symlink sqlite3.connect socket.__new__ compile pickle.find_class import
    object.__getattr__ object.__setattr__ object.__delattr__ code.__new__ function.__new__
    """.split()
)

# Allowed, with the reason.
ALLOWED_EVENTS: dict[str, str] = {
    **dict.fromkeys(["array.__new__", "builtins.id", "time.sleep"], "only computes"),
    **dict.fromkeys(["marshal.load", "marshal.loads", "marshal.dumps"], "imports read their code by it"),
    "exec": "the code was checked when it was compiled; code objects cannot be made in another way",
    **dict.fromkeys(["_thread.start_new_thread", "_thread.start_joinable_thread"], "the hook checks what threads do"),
    **dict.fromkeys(
        ["sys._getframe", "sys._getframemodulename"],
        "libraries find their caller by it; reading a frame raises an event, "
        "or needs an attribute that the guard denies",
    ),
    **dict.fromkeys(["sys.excepthook", "sys.unraisablehook"], "raised when a hook is called, not when it is set"),
    **dict.fromkeys(
        [
            *_prefixed("sys.set_asyncgen_hook_", "firstiter finalizer"),
            *_prefixed("sys.set_asyncgen_hooks_", "firstiter finalizer"),
        ],
        "asyncio sets them whenever a loop runs (spelled differently in the source and in the documentation)",
    ),
    **dict.fromkeys(["cpython._PySys_ClearAuditHooks", "cpython.PyInterpreterState_Clear"], "the process ends"),
    "socket.sendmsg": "programs get no socket; the worker sends its answers by it",
    "mmap.__new__": "the descriptor was checked when it was opened",
    **dict.fromkeys(_prefixed("fcntl.", "fcntl flock ioctl lockf"), "the descriptor was checked when it was opened"),
    "sqlite3.connect/handle": "sqlite3.connect checked the name; the connection's authorizer checks files that SQL opens",
    "os.lockf": "the descriptor was checked when it was opened",
    **dict.fromkeys(["os.putenv", "os.unsetenv"], "changes this process only; starting another is refused"),
    **dict.fromkeys(
        [
            *_prefixed("shutil.", "chown copyfile copymode copystat copytree make_archive move rmtree unpack_archive"),
            *_prefixed("tempfile.", "mkdtemp mkstemp"),
            *_prefixed("pathlib.Path.", "glob rglob walk"),
            *("glob.glob", "glob.glob/2", "os.fwalk", "os.walk"),
        ],
        "every change of a file raises another event",
    ),
}

# Families of the interpreter's events: an event of these that was not reviewed is refused.
REFUSED_FAMILIES = frozenset(
    """
    _posixsubprocess _thread _winapi builtins code cpython ctypes fcntl ftplib function gc http imaplib msvcrt object os
    poplib pty readline resource setopencodehook signal smtplib socket sqlite3 subprocess sys syslog telnetlib urllib
    webbrowser winreg
    """.split()
)

# C libraries that open files or connections and raise no event, and test runners, which run programs of a folder:
# loaded only if the user authorised them by name.
SILENT_MODULES = frozenset(
    """
    _cffi_backend _pytest nose pytest _ctypes_test _dbm _gdbm _testcapi adbc_driver_manager cv2 dbm.gnu dbm.ndbm duckdb fiona h5py lxml
    netCDF4 osgeo polars psycopg psycopg2 pycurl pyodbc pyogrio rasterio tables uvloop zmq
    """.split()
)

# Event, or family of events -> library modules that may raise it for ordinary computing.
LIBRARY_EVENTS: dict[str, tuple[str, ...]] = {
    "ctypes": ("threadpoolctl",),  # scikit-learn reads the thread counts of linear algebra libraries
    "sys.monitoring.register_callback": ("cProfile",),  # from Python 3.12 on
    "sys.setprofile": ("cProfile",),
}

# Library modules that compile text they generate; parts of it that come from the program are only names.
BUILDERS = frozenset(
    """
    _pydatetime annotationlib attr._make collections contextlib dataclasses decorator doctest enum functools inspect
    numpy._core.overrides numpy.core.overrides numpy.lib._utils_impl re scipy._lib.decorator scipy._lib._util
    traceback types
    """.split()
)

# Library modules that create classes for a program and set their ``__module__``.
CLASS_MAKERS = frozenset({"_py_abc", "abc", "typing", "typing_extensions"})

# Names of the standard library that a pickle may use, besides modules that are authorised.
PICKLED: dict[str, frozenset[str]] = {
    "builtins": frozenset(
        """
        bool bytearray bytes complex dict float frozenset int list object range set slice str tuple type Ellipsis
        NotImplemented
        """.split()
    ),
    "_codecs": frozenset({"encode"}),
    "copyreg": frozenset({"_reconstructor", "__newobj__", "__newobj_ex__"}),
    "_operator": frozenset(),
    "types": frozenset({"SimpleNamespace", "MappingProxyType"}),
    "pathlib": frozenset({"Path", "PosixPath", "PurePath", "PurePosixPath", "PureWindowsPath", "WindowsPath"}),
    "zoneinfo": frozenset({"ZoneInfo"}),
}


# --- Text that a library compiles for agent code (``df.query``, ``sympify``, ``timeit``) is checked like a program.
#
# * Names and attributes that are denied to a program are denied in text, whatever compiles it.
# * Text is not rewritten, so functions that the guard makes safe by rewriting (``getattr``, ``format``) are denied as well.
# * Text that is not Python is allowed: compiling it fails.


ACCESSORS = frozenset(
    """
    __import__ breakpoint compile delattr eval exec getattr globals hasattr input locals memoryview open setattr super
    type vars
    """.split()
)
DENIED = tables.DENIED_BUILTINS | ACCESSORS | tables.MODULE_ATTRIBUTES
COLUMNS = tables.MODULE_ATTRIBUTES  # names that a table's columns may have: df.query looks in the columns first
NUMERIC = frozenset({"numpy", "scipy", "mpmath", "sympy", "math", "cmath"})  # imports in text that libraries generate
MAX_TEXT_CHARS = 1 << 20  # characters
_walk, _parse = ast.walk, ast.parse


def check_text(text: Any, package: str, allows: Callable[[str], bool]) -> None:
    """Refuse text that uses names denied to a program.

    Args:
        text: text to be compiled.
        package: of the library that compiles it; it may import its own parts.
        allows: whether an import is authorised.

    Raises:
        ForbiddenError: the text uses a denied name, or is longer than a mebibyte.
    """
    source = text if isinstance(text, str) else str(bytes(text), "utf-8", "replace")
    if len(source) > MAX_TEXT_CHARS:
        raise ForbiddenError(f"Forbidden text to compile: {len(source):,} characters are more than {MAX_TEXT_CHARS:,}")
    try:
        tree = _parse(source.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in _walk(tree):
        _check(node, package, allows)


def _check(node: ast.AST, package: str, allows: Callable[[str], bool]) -> None:
    if isinstance(node, ast.Name):
        if (node.id in DENIED and not (package == "pandas" and node.id in COLUMNS)) or (
            is_dunder(node.id) and node.id not in tables.SAFE_DUNDERS
        ):
            raise ForbiddenError(f"Forbidden name in text that is compiled: {node.id}")
    elif isinstance(node, ast.Attribute):
        _attribute(node.attr)
    elif isinstance(node, ast.Constant) and type(node.value) is str:
        if is_dunder(node.value):  # templates pass names on as strings
            _attribute(node.value)
    elif isinstance(node, ast.Import):
        for item in node.names:
            _import(item.name, package, allows)
    elif isinstance(node, ast.ImportFrom):
        _import(node.module or "", package, allows)


def _attribute(name: str) -> None:
    if check_attribute(name) in tables.FORMAT_ATTRIBUTES | tables.FILE_ATTRIBUTES | tables.MODULE_ATTRIBUTES:
        raise ForbiddenError(f"Forbidden attribute in text that is compiled: {name}")


def _import(name: str, package: str, allows: Callable[[str], bool]) -> None:
    top = name.partition(".")[0]
    if not (allows(name) or top in NUMERIC or (package and top == package)):
        raise ForbiddenError(f"Import of {name} is not allowed in text that is compiled")


Rule = Callable[[str, Any], None]
Globals = Any  # the dict of a module

_BOOTSTRAP: Globals = vars(sys.modules["_frozen_importlib"])
_FIND_AND_LOAD_LINES = frozenset(line for _, line in dis.findlinestarts(_BOOTSTRAP["_find_and_load"].__code__) if line)
_FINALIZING = vars(weakref)
_AST = vars(ast)
_BUILTINS = dict(vars(builtins))
_WRITE_MODES = frozenset("wxa+")
_WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_AF_UNIX = 1
_LOOPS = ("asyncio.selector_events", "asyncio.proactor_events", "asyncio.unix_events")
_EVALUATE_TREES = "pandas.core.computation."  # walks the tree itself and reads attributes meanwhile
_NAME_ATTRIBUTES = tables.SAFE_DUNDERS | {"__module__", "__abstractmethods__"}
_import_module = importlib.import_module
_home_of = type.__dict__["__module__"].__get__
_WORKER_PACKAGE = __name__.partition(".")[0]
_MAPS_FILE = "/proc/self/maps"  # which libraries are loaded
_LIKE_A_PERMISSION = (PROCESS, NETWORK, SYSTEM)


class Hook:
    """Checks audit events.

    Args:
        module_views: the authorised imports.
        namespace: the globals of agent code.
        open_places: the files that may be opened.
        compilers: globals of the worker's modules that compile text they have checked.
        unpickler: globals of the worker's module that unpickles data from the host.
        connects: hosts were allowed: the proxy decides what may be reached, the walls enforce it.
    """

    def __init__(
        self,
        module_views: ModuleViews,
        namespace: Globals,
        open_places: files.Places,
        compilers: tuple[Globals, ...] = (),
        unpickler: Globals = None,
        connects: bool = False,
    ) -> None:
        self._module_views, self._namespace, self._places = module_views, namespace, open_places
        self._compilers = {id(found) for found in (*compilers, globals())}
        self._unpickles, self._connects = unpickler, connects
        self._getframe, self._modules, self._globals = sys._getframe, sys.modules, globals()
        self.rules = self._rules()

    def _rules(self) -> dict[str, Rule | None]:
        rules: dict[str, Rule | None] = dict.fromkeys(ALLOWED_EVENTS)
        rules.update(dict.fromkeys(REFUSED_EVENTS, self._refuse))
        rules.update(dict.fromkeys(WRITE_EVENTS, self._written))
        rules.update(dict.fromkeys(READ_EVENTS, self._read))
        for event in CHECKED_EVENTS:
            rules[event] = getattr(self, "_" + event.replace(".", "_").replace("/", "_"))
        return rules

    def unknown(self, event: str, args: Any) -> None:
        """Handle an event that was not reviewed: refuse it if it is the interpreter's."""
        if event.partition(".")[0] in REFUSED_FAMILIES:
            self._refuse(event, args)

    # --- which code raised the event ---

    def _nearest(self, skipped: Globals | None = None) -> Globals | None:
        """Return the globals of the nearest frame outside this file and the skipped module."""
        frame: Any = self._getframe(1)
        while frame is not None:
            namespace = frame.f_globals
            if namespace is not self._globals and namespace is not skipped:
                return namespace
            frame = frame.f_back
        return None

    def _importing(self) -> bool:
        """Return whether a module's top-level code, run by its import, is nearer than any agent code.

        Only ``_find_and_load`` counts (recognized by its line numbers, since reading a frame's code raises an event): a loader that
        is called directly runs the same functions after it.
        """
        namespace = self._namespace
        frame: Any = self._getframe(1)
        while frame is not None:
            found = frame.f_globals
            if found is namespace or found is _FINALIZING:
                return False
            if found is _BOOTSTRAP and frame.f_lineno in _FIND_AND_LOAD_LINES:
                return True
            frame = frame.f_back
        return False

    def _is_module(self, namespace: Globals | None, names: Any) -> str:
        """Return the module that owns these globals if it is one of ``names``, else ""; a ``__name__`` that lies is not accepted."""
        name = None if namespace is None else namespace.get("__name__")
        if type(name) is not str or name not in names:
            return ""
        return name if getattr(self._modules.get(name), "__dict__", None) is namespace else ""

    # --- rules ---

    def _refuse(self, event: str, args: Any) -> None:
        if self._importing() or self._lent(event):
            return
        message = REFUSED_EVENTS.get(event, INSIDE)
        if message is NETWORK and self._connects:
            return
        kind = ForbiddenAccessError if message in _LIKE_A_PERMISSION else ForbiddenError
        raise kind(message.format(event=event))

    def _lent(self, event: str) -> bool:
        family = event.partition(".")[0]
        borrowers = LIBRARY_EVENTS.get(event) or LIBRARY_EVENTS.get(family)
        return bool(borrowers and self._is_module(self._nearest(_module_globals(self._modules, family)), borrowers))

    def _written(self, event: str, args: Any) -> None:
        if self._importing():
            return
        for at, folder, name in WRITE_EVENTS[event]:
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
        if path == _MAPS_FILE and self._is_module(self._nearest(), LIBRARY_EVENTS["ctypes"]):
            return
        self._places.read(path)
        if mode is None and self._places.is_lent_folder(path):  # a descriptor for later calls with dir_fd=…
            raise files.outside_error(path)

    def _os_symlink(self, event: str, args: Any) -> None:
        if not self._importing():
            self._places.linked(*args)

    def _sqlite3_connect(self, event: str, args: Any) -> None:
        self._places.database(args[0])

    def _socket___new__(self, event: str, args: Any) -> None:
        """Allow only the socket pair by which an event loop wakes itself up."""
        family = args[1]
        nearest = self._nearest(_module_globals(self._modules, "socket"))
        if family == _AF_UNIX and self._is_module(nearest, _LOOPS):
            return
        if not (self._connects or self._importing()):
            raise ForbiddenAccessError(NETWORK.format(event=event))

    def _import(self, event: str, args: Any) -> None:
        name = args[0]
        top = name.partition(".")[0]
        if (
            not (name in SILENT_MODULES or top in SILENT_MODULES)
            or self._module_views.allows(top)
            or self._module_views.allows(name)
        ):
            return
        raise ForbiddenImportError(  # a library continues without it if it can
            f"Import of {name} is not allowed: the sandbox cannot check what it opens or runs. Authorize it by name to use it"
        )

    def _compile(self, event: str, args: Any) -> None:
        source = args[0]
        namespace = self._nearest()
        if id(namespace) in self._compilers:
            return
        tree_only = namespace is _AST
        if tree_only:
            namespace = self._nearest(_AST)
        name = namespace.get("__name__") if namespace is not None else None
        if type(name) is not str:
            name = ""
        if tree_only and (id(namespace) in self._compilers or not name.startswith(_EVALUATE_TREES)):
            return  # a tree alone has no effect: compiling it raises another event
        if self._importing() or self._is_module(namespace, BUILDERS):
            return
        if namespace is None or namespace is self._namespace or not isinstance(source, (str, bytes)):
            raise ForbiddenError(INSIDE.format(event=event))
        check_text(source, name.partition(".")[0], self._module_views.allows)

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
            known = package != _WORKER_PACKAGE and self._is_librarys_own(module, first, rest)
        elif module in PICKLED:
            known = not rest and (first in PICKLED[module] or _is_error(first))
        else:
            known = not rest and self._module_views.allows(module) and not self._module_views.is_shut(module, first)
        if not known:
            raise ForbiddenError(
                f"Forbidden name in a pickle: {module}.{name}. Store data as Parquet, CSV, npy or JSON"
            )

    def _is_librarys_own(self, module: str, name: str, rest: list[str]) -> bool:
        """Return whether a library's module defines this class or function itself, instead of importing it."""
        try:
            value = getattr(_import_module(module), name)  # as the unpickler will do
        except (ImportError, AttributeError):
            return True  # the unpickler raises the error
        home = getattr(value, "__module__", None) or module
        own = type(home) is str and home.partition(".")[0] == module.partition(".")[0]
        return own and not self._module_views.is_shut_value(value) and (not rest or isinstance(value, type))

    def _unpickling(self) -> bool:
        """Return whether the nearest code is the worker's unpickling of data from the host."""
        frame: Any = self._getframe(1)
        while frame is not None:
            namespace = frame.f_globals
            if namespace is self._unpickles:
                return True
            if namespace is self._namespace:
                return False
            frame = frame.f_back
        return False

    def _direct(self, event: str, args: Any) -> None:
        """Refuse agent code, allow libraries."""
        namespace = self._nearest()
        if namespace is None or namespace is self._namespace:
            raise ForbiddenError(INSIDE.format(event=event))

    _code___new__ = _function___new__ = _direct

    def _object___getattr__(self, event: str, args: Any) -> None:
        if args[1] not in tables.SAFE_DUNDERS:
            self._direct(f"reading {args[1]}", args)

    def _object___setattr__(self, event: str, args: Any) -> None:
        if args[1] == "__module__" and args[2:] == ("__main__",):
            self._claim(event, args[0])
        elif args[1] not in _NAME_ATTRIBUTES:
            self._direct(f"changing {args[1]}", args)

    def _claim(self, event: str, value: Any) -> None:
        """Check a new ``__module__`` of a class: allowed for modules that create classes for a program, and on the program's classes."""
        claimed = isinstance(value, type) and _home_of(value) != "__main__"
        if claimed and not self._is_module(self._nearest(), BUILDERS | CLASS_MAKERS):
            raise ForbiddenError(f"Cannot change {value.__name__}: it belongs to a library. Define a subclass instead")

    _object___delattr__ = _object___setattr__


def _module_globals(modules: dict[str, Any], name: str) -> Any:
    return getattr(modules.get(name), "__dict__", None)


def _optional(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _is_error(name: str) -> bool:
    value = _BUILTINS.get(name)
    return isinstance(value, type) and issubclass(value, BaseException)


def _wrap_with_event(event: str, function: Any) -> Any:
    """Wrap a C function so that calling it raises an audit event."""
    audit = sys.audit

    def announced(*args: Any, **kwargs: Any) -> Any:
        audit(event)
        return function(*args, **kwargs)

    announced.__name__ = announced.__qualname__ = function.__name__
    return announced


def install(hook: Hook) -> None:
    """Add the hook to this interpreter. It cannot be removed."""
    rules, unknown = hook.rules, hook.unknown
    for name, functions in UNANNOUNCED.items():
        module = _optional(name)
        for each in functions:
            function = getattr(module, each, None)
            if function is not None:
                setattr(module, each, _wrap_with_event(f"{name}.{each}", function))

    def audit(event: str, args: Any) -> None:
        rule = rules.get(event, unknown)
        if rule is not None:
            rule(event, args)

    sys.addaudithook(audit)
