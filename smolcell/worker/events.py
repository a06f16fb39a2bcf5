"""Python's audit events (PEP 578), each in one of three tables: refused, judged by its arguments, allowed for a reason.

The rules this file exists to keep:

* No code, only tables: a wider trust is a visible diff of one line.
* Every event in CPython's documentation of 3.9 to 3.14 stands here. A family of events that nobody has reviewed is
  refused when it is the interpreter's (``FAMILIES``), and allowed when it is a library's own.

Source: https://docs.python.org/3.14/library/audit_events.html and the sources of CPython 3.9 to 3.14.
"""

from __future__ import annotations


def _named(prefix: str, names: str) -> list[str]:
    return [prefix + name for name in names.split()]


PROCESS = "Forbidden start or control of a process ({event}): the sandbox runs Python only. Do it in Python, or ask for a tool"
NETWORK = "Forbidden use of the network ({event}): the sandbox has none. Ask for a tool, or for the data itself"
INSIDE = "Forbidden access to the interpreter ({event}): it is not the program's to change or to walk"
MEMORY = "Forbidden access to memory and C libraries ({event}): use the authorized libraries' own functions"
PERSON = "Forbidden question to a person ({event}): nobody sits at the sandbox. Put the question into the final answer"
SYSTEM = "Forbidden change of the system ({event}): the sandbox works in its work folder only"

# Functions of C modules that raise no event where one is due: they are given one of their own name, which is refused.
UNANNOUNCED: dict[str, tuple[str, ...]] = {
    "_posixsubprocess": ("fork_exec",),  # multiprocessing starts processes by it
    "os": ("mkfifo", "mknod", "pidfd_open", "setns", "unshare"),
    "posix": ("mkfifo", "mknod", "pidfd_open", "setns", "unshare"),
    "signal": ("pidfd_send_signal",),
    "time": ("clock_settime", "clock_settime_ns"),
}

# Event -> what is said. Refused whoever asks, but for a module that is being imported.
REFUSED: dict[str, str] = {
    **dict.fromkeys(
        [
            *_named("os.", "exec fork forkpty kill killpg posix_spawn spawn startfile startfile/2 system"),
            *("pty.spawn", "signal.pthread_kill", "subprocess.Popen", "webbrowser.open", "_winapi.CreateProcess"),
            *_named("_winapi.", "OpenProcess TerminateProcess CreateFile CreateJunction CreateNamedPipe CreatePipe"),
            *("ensurepip.bootstrap", "pdb.Pdb", "_posixsubprocess.fork_exec", "signal.pidfd_send_signal"),
            *_named("os.", "pidfd_open setns unshare"),
            *_named("posix.", "pidfd_open setns unshare"),
        ],
        PROCESS,
    ),
    **dict.fromkeys(
        [
            *_named("socket.", "bind connect getaddrinfo gethostbyaddr gethostbyname gethostname getnameinfo"),
            *_named("socket.", "getservbyname getservbyport sendto sethostname"),
            *_named("ftplib.", "connect sendcmd"),
            *_named("http.client.", "connect send"),
            *_named("imaplib.", "open send"),
            *_named("nntplib.", "connect putline"),
            *_named("poplib.", "connect putline"),
            *_named("smtplib.", "connect send"),
            *_named("telnetlib.Telnet.", "open write"),
            "urllib.Request",
        ],
        NETWORK,
    ),
    **dict.fromkeys(
        [
            *_named("sys.", "_current_exceptions _current_frames addaudithook setprofile settrace"),
            *_named("sys.", "monitoring.register_callback remote_exec set_lazy_imports set_lazy_imports_filter"),
            *_named("gc.", "get_objects get_referents get_referrers"),
            *_named("cpython.", "PyConfig_Set PyInterpreterState_New remote_debugger_script run_command run_file"),
            *_named("cpython.", "run_interactivehook run_module run_startup run_stdin"),
            "setopencodehook",
        ],
        INSIDE,
    ),
    **dict.fromkeys(
        [
            *_named("ctypes.", "PyObj_FromPtr addressof call_function cdata cdata/buffer create_string_buffer"),
            *_named(
                "ctypes.", "create_unicode_buffer dlopen dlsym dlsym/handle get_errno get_last_error memoryview_at"
            ),
            *_named("ctypes.", "seh_exception set_errno set_exception set_last_error string_at wstring_at"),
            "os.add_dll_directory",
            *_named("sqlite3.", "enable_load_extension load_extension"),
        ],
        MEMORY,
    ),
    **dict.fromkeys(["builtins.breakpoint", "builtins.input", "builtins.input/result"], PERSON),
    **dict.fromkeys(
        [
            *("os.mkfifo", "os.mknod", "posix.mkfifo", "posix.mknod", "time.clock_settime", "time.clock_settime_ns"),
            *_named("resource.", "prlimit setrlimit"),
            *_named("syslog.", "closelog openlog setlogmask syslog"),
            *_named(
                "winreg.", "ConnectRegistry CreateKey DeleteKey DeleteValue DisableReflectionKey EnableReflectionKey"
            ),
            *_named(
                "winreg.", "EnumKey EnumValue ExpandEnvironmentStrings LoadKey OpenKey OpenKey/result PyHKEY.Detach"
            ),
            *_named("winreg.", "QueryInfoKey QueryReflectionKey QueryValue SaveKey SetValue"),
            *_named("msvcrt.", "get_osfhandle locking open_osfhandle"),
            *_named("os.", "listdrives listmounts listvolumes"),
            *_named("readline.", "append_history_file read_history_file read_init_file write_history_file"),
        ],
        SYSTEM,
    ),
}

# Event -> which arguments are paths that are changed, where each one's folder descriptor stands, and whether the name
# itself is meant (True) or what it leads to. Allowed in the work folder.
WRITTEN: dict[str, tuple[tuple[int, int | None, bool], ...]] = {
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

# Events whose first argument is a folder or file that is read, or gone to. Allowed where ``open`` may read.
READ = frozenset(_named("os.", "chdir getxattr listdir listxattr scandir"))

# Judged each by a rule of its own, in ``hook``.
JUDGED = frozenset(
    """
    open os.symlink sqlite3.connect socket.__new__ compile pickle.find_class import
    object.__getattr__ object.__setattr__ object.__delattr__ code.__new__ function.__new__
    """.split()
)

# Allowed, with the reason.
ALLOWED: dict[str, str] = {
    **dict.fromkeys(["array.__new__", "builtins.id", "time.sleep"], "computes, and nothing else"),
    **dict.fromkeys(["marshal.load", "marshal.loads", "marshal.dumps"], "imports read their code by it"),
    "exec": "what it runs was judged when it was compiled; no code object is made in another way",
    **dict.fromkeys(
        ["_thread.start_new_thread", "_thread.start_joinable_thread"], "what a thread does meets this hook too"
    ),
    **dict.fromkeys(
        ["sys._getframe", "sys._getframemodulename"],
        "the library's own way to know its caller; nothing "
        "is read off a frame without an event, or an attribute that the guard denies",
    ),
    **dict.fromkeys(["sys.excepthook", "sys.unraisablehook"], "tells that a hook is called, not that it is set"),
    **dict.fromkeys(
        [
            *_named("sys.set_asyncgen_hook_", "firstiter finalizer"),
            *_named("sys.set_asyncgen_hooks_", "firstiter finalizer"),
        ],
        "asyncio sets them whenever a loop runs (two spellings: the source's and the documentation's)",
    ),
    **dict.fromkeys(["cpython._PySys_ClearAuditHooks", "cpython.PyInterpreterState_Clear"], "the process ends"),
    "socket.sendmsg": "no program gets a socket to send with; the worker answers by it",
    "mmap.__new__": "a descriptor was judged when it was opened",
    **dict.fromkeys(_named("fcntl.", "fcntl flock ioctl lockf"), "a descriptor was judged when it was opened"),
    "sqlite3.connect/handle": "the name was judged by sqlite3.connect; what SQL opens asks the connection's authorizer",
    "os.lockf": "a descriptor was judged when it was opened",
    **dict.fromkeys(["os.putenv", "os.unsetenv"], "changes this process only; what it starts is refused"),
    **dict.fromkeys(
        [
            *_named("shutil.", "chown copyfile copymode copystat copytree make_archive move rmtree unpack_archive"),
            *_named("tempfile.", "mkdtemp mkstemp"),
            *_named("pathlib.Path.", "glob rglob walk"),
            *("glob.glob", "glob.glob/2", "os.fwalk", "os.walk"),
        ],
        "what it does to files raises an event of its own",
    ),
}

# Families of the interpreter's events: one that is new is refused until it was reviewed.
FAMILIES = frozenset(
    """
    _posixsubprocess _thread _winapi builtins code cpython ctypes fcntl ftplib function gc http imaplib msvcrt object os
    poplib pty readline resource setopencodehook signal smtplib socket sqlite3 subprocess sys syslog telnetlib urllib
    webbrowser winreg
    """.split()
)

# C libraries that open files or connections by themselves and raise no event, and what runs a folder's programs as tests:
# loaded only where the user authorised them.
SILENT = frozenset(
    """
    _cffi_backend _pytest nose pytest _ctypes_test _dbm _gdbm _testcapi adbc_driver_manager cv2 dbm.gnu dbm.ndbm duckdb fiona h5py lxml
    netCDF4 osgeo polars psycopg psycopg2 pycurl pyodbc pyogrio rasterio tables uvloop zmq
    """.split()
)

# Event, or family of events -> library modules that may raise it, since ordinary computing needs it.
LENT: dict[str, tuple[str, ...]] = {
    "ctypes": ("threadpoolctl",),  # scikit-learn asks the linear algebra libraries for their number of threads
    "sys.monitoring.register_callback": ("cProfile",),  # from Python 3.12 on
    "sys.setprofile": ("cProfile",),
}

# Library modules that compile text of their own making; what of it comes from the program cannot be more than a name.
BUILDERS = frozenset(
    """
    _pydatetime annotationlib attr._make collections contextlib dataclasses decorator doctest enum functools inspect
    numpy._core.overrides numpy.core.overrides numpy.lib._utils_impl re scipy._lib.decorator scipy._lib._util
    traceback types
    """.split()
)

# Library modules that make classes for a program and give them its name.
CLASS_MAKERS = frozenset({"_py_abc", "abc", "typing", "typing_extensions"})

# What a pickle may name of the standard library, besides modules that are authorised.
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
