"""What of authorised modules is shut: pure data, part of ``tables``.

The rules this file exists to keep:

* No code, only tables: a wider trust is a visible diff of one line.
* A name is shut by the object it stands for: also where another module hands it out.
"""

from __future__ import annotations

# Functions that start, replace or signal processes: shut even where their module is authorised.
PROCESS_FUNCTIONS = {
    "os": (
        "_exit abort chroot execl execle execlp execlpe execv execve execvp execvpe fork forkpty kill killpg "
        "mkfifo mknod pidfd_open popen posix_spawn posix_spawnp ptrace setns setuid setgid spawnl spawnle spawnlp spawnlpe "
        "spawnv spawnve spawnvp spawnvpe startfile system unshare"
    ).split(),
    "posix": (
        "_exit abort chroot execv execve fork forkpty kill killpg pidfd_open posix_spawn posix_spawnp setns setuid "
        "setgid system unshare"
    ).split(),
    "subprocess": "Popen call check_call check_output getoutput getstatusoutput run".split(),
    "pty": "fork spawn".split(),
    "signal": "pthread_kill raise_signal pidfd_send_signal".split(),
    "asyncio": (
        "create_subprocess_exec create_subprocess_shell open_connection start_server open_unix_connection "
        "start_unix_server"
    ).split(),
    "multiprocessing": "Process Pool".split(),
}

# What else an authorised module must not hand out: it reads attributes, files or code by name.
SHUT_NAMES = {
    "builtins": "__import__ breakpoint compile eval exec exit globals input locals open quit vars".split(),
    "sys": (
        "_getframe _current_frames meta_path path_hooks settrace setprofile exc_info call_tracing "
        "addaudithook path_importer_cache _current_exceptions exception last_traceback last_exc"
    ).split(),
    "typing": "ForwardRef evaluate_forward_ref".split(),
    "importlib": "reload __import__".split(),
    "random": ["SystemRandom"],
    "uuid": "getnode main uuid1".split(),
    "enum": "global_enum global_enum_repr global_flag_repr global_str".split(),
    "contextlib": ["chdir"],
    "base64": "main test".split(),
    "calendar": ["main"],
    "zoneinfo": ["reset_tzpath"],
    "matplotlib": ["backend_registry"],
    "matplotlib.backends": ["backend_registry"],
    "matplotlib.backends.registry": "BackendRegistry backend_registry".split(),
    "matplotlib.cbook": ["_setattr_cm"],
    "matplotlib.pyplot": "_backend_mod _get_backend_mod backend_registry".split(),
    "matplotlib.rcsetup": ["backend_registry"],
    "numpy": "ctypeslib distutils f2py".split(),
    "numpy._core": ["_ufunc_reconstruct"],
    "numpy._core._multiarray_umath": ["_vec_string"],
    "numpy._core.multiarray": ["_vec_string"],
    "numpy._utils": ["set_module"],
    "numpy.core": ["_ufunc_reconstruct"],
    "numpy.core._multiarray_umath": ["_vec_string"],
    "numpy.core.multiarray": ["_vec_string"],
    "numpy.lib._stride_tricks_impl": "DummyArray as_strided".split(),
    "numpy.lib._utils_impl": ["_makenamedict"],
    "numpy.lib.stride_tricks": "DummyArray as_strided".split(),
    "numpy.lib.utils": ["_makenamedict"],
    "scipy._lib._array_api": "array_namespace scipy_namespace_for".split(),
    "scipy._lib.array_api_compat.common._helpers": "array_namespace get_namespace".split(),
    "scipy._lib._bunch": ["_make_tuple_bunch"],
    "scipy.io._fast_matrix_market": "_fmm_core _get_read_cursor _get_write_cursor".split(),
    "sklearn.utils._set_output": ["check_library_installed"],
    "sklearn.utils._array_api": "get_namespace get_namespace_and_device".split(),
    "numpy.testing": "measure rundocs runstring run_module_suite".split(),
    "asyncio": (
        "AbstractEventLoop BaseEventLoop DefaultEventLoopPolicy EventLoop ProactorEventLoop Runner SelectorEventLoop "
        "SubprocessProtocol get_event_loop_policy run_in_executor set_event_loop_policy to_thread"
    ).split(),
    "hashlib": ["file_digest"],
    "importlib.machinery": (
        "ExtensionFileLoader FileFinder PathFinder SourceFileLoader SourcelessFileLoader AppleFrameworkLoader"
    ).split(),
    "importlib.util": "LazyLoader find_spec module_from_spec spec_from_file_location spec_from_loader".split(),
    "inspect": (
        "classify_class_attrs currentframe getattr_static getclosurevars getframeinfo getinnerframes getmembers "
        "getmembers_static getouterframes stack trace unwrap getasyncgenlocals getcoroutinelocals getgeneratorlocals"
    ).split(),
    "io": "FileIO open_code".split(),
    "pandas.api.interchange": ["from_dataframe"],
    "pandas.core.common": ["random_state"],
    "pandas.core.interchange.from_dataframe": "buffer_to_ndarray from_dataframe".split(),
    "pandas.plotting._core": ["_get_plot_backend"],
    "pyarrow.interchange.from_dataframe": "buffers_to_array from_dataframe".split(),
    "pandas.compat._optional": ["import_optional_dependency"],
    "pandas.util._decorators": ["set_module"],
    "PIL.features": "codecs features modules".split(),
    "pyarrow": ["foreign_buffer"],
    "pyarrow.lib": ["foreign_buffer"],
    "readline": (
        "append_history_file parse_and_bind read_history_file read_init_file set_completer write_history_file"
    ).split(),
    "multiprocessing.shared_memory": "SharedMemory ShareableList".split(),
    "sqlite3": "Connection dbapi2".split(),
    "threading": "setprofile setprofile_all_threads settrace settrace_all_threads".split(),
    "time": "clock_settime clock_settime_ns".split(),
    "unittest.mock": ["patch"],
}

# What to use instead of a name that is shut.
INSTEAD_OF = {
    "as_strided": "use numpy.lib.stride_tricks.sliding_window_view, which stays within the array",
    "foreign_buffer": "use pyarrow.py_buffer",
    "import_optional_dependency": "write an import statement",
}

# Modules that a wildcard does not open, nor what lies below them: they run text, or reach
# files, connections or processes from C, where nobody looks.
SHUT_MODULES = frozenset(
    """
    PIL._imagingcms PIL._imagingft numpy.ctypeslib numpy.distutils numpy.f2py numpy.testing._private.extbuild
    matplotlib.sphinxext matplotlib.testing
    scipy.io._fast_matrix_market._fmm_core
    pyarrow._azurefs pyarrow._csv pyarrow._cuda pyarrow._dataset pyarrow._dataset_orc pyarrow._dataset_parquet
    pyarrow._feather pyarrow._flight pyarrow._fs pyarrow._gcsfs pyarrow._hdfs pyarrow._json pyarrow._orc pyarrow._parquet
    pyarrow._s3fs pyarrow._substrait pyarrow.benchmark pyarrow.cffi pyarrow.cuda pyarrow.flight pyarrow.fs pyarrow.jvm
    pyarrow.substrait
    """.split()
)
