"""Names that agent code may use: pure data, read by the guard (in the worker) and by the policy (on the host).

* No code, only tables: a wider trust is a visible diff of one line.
* A name ending in ``.*`` authorises a package and everything below it.
"""

from __future__ import annotations

# --- Names of authorised modules that are denied.
#
# * No code, only tables: a wider trust is a visible diff of one line.
# * An object is denied, not only its name: also if another module offers it.


# Functions that start, replace or signal processes: denied even if their module is authorised.
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

# Further objects of authorised modules that are denied: they read attributes, files or code by name.
DENIED_NAMES = {
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

# What to use instead of a denied name.
REPLACEMENT_HINTS = {
    "as_strided": "use numpy.lib.stride_tricks.sliding_window_view, which stays within the array",
    "foreign_buffer": "use pyarrow.py_buffer",
    "import_optional_dependency": "write an import statement",
}

# Modules that a wildcard does not authorise, nor their submodules: they run text, or reach
# files, connections or processes from C, unchecked.
DENIED_MODULES = frozenset(
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


# Modules of the standard library that only compute.
DEFAULT_IMPORTS = (
    "abc",
    "array",
    "ast",
    "asyncio",
    "base64",
    "binascii",
    "bisect",
    "calendar",
    "cmath",
    "collections",
    "collections.abc",
    "colorsys",
    "contextlib",
    "copy",
    "csv",
    "dataclasses",
    "datetime",
    "decimal",
    "difflib",
    "enum",
    "fractions",
    "functools",
    "graphlib",
    "hashlib",
    "heapq",
    "hmac",
    "html",
    "io",
    "itertools",
    "json",
    "keyword",
    "math",
    "numbers",
    "operator",
    "pprint",
    "queue",
    "random",
    "re",
    "secrets",
    "stat",
    "statistics",
    "string",
    "string.templatelib",
    "struct",
    "textwrap",
    "time",
    "traceback",
    "types",
    "typing",
    "unicodedata",
    "uuid",
    "warnings",
    "weakref",
    "zlib",
    "zoneinfo",
    "__future__",
)

# Modules that the runner provides itself.
RUNNER_IMPORTS = ("IPython", "IPython.display")

# Data libraries the magic adds if they are installed.
DATA_IMPORTS = ("numpy.*", "pandas.*", "matplotlib.*", "scipy.*", "sklearn.*", "seaborn.*", "PIL.*", "pyarrow.*")

PRESETS = {
    "@data": (*DATA_IMPORTS, "altair.*", "openpyxl.*", "plotly.*", "statsmodels.*", "tqdm.*"),
    "@math": ("mpmath.*", "networkx.*", "numpy.*", "scipy.*", "statsmodels.*", "sympy.*"),
    "@text": ("bs4.*", "html.*", "markdown.*", "nltk.*", "regex.*", "tabulate.*", "xml.etree.*"),
    "@web": ("bs4.*", "html.*", "http.*", "httpx.*", "lxml.*", "markdownify.*", "requests.*", "urllib.*"),
}
"""Lists of imports for a kind of task, by preset name. They do not install packages."""

RISKY_IMPORTS = ("os", "subprocess", "socket", "shutil", "sys", "importlib", "ctypes", "pickle")
"""Modules that make the guard nearly useless: they reach files, processes, the network or the interpreter itself."""

LIBRARIES = tuple(
    "numpy pandas polars pyarrow duckdb scipy sklearn statsmodels xgboost lightgbm torch matplotlib seaborn plotly altair "
    "bokeh networkx sympy PIL cv2 bs4 requests openpyxl sqlalchemy tqdm joblib".split()
)
"""Data libraries that the prompt lists if they are installed; for level full."""

# Modules that are part of another one, though their name says otherwise.
PART_MODULES = {("os", "path"): "posixpath"}

_PARQUET = frozenset(
    """
    ParquetDataset ParquetFile ParquetWriter read_metadata read_pandas read_schema read_table write_metadata write_table
    write_to_dataset
    """.split()
)
_IPC = frozenset(
    """
    RecordBatchFileReader RecordBatchFileWriter RecordBatchStreamReader RecordBatchStreamWriter new_file new_stream
    open_file open_stream
    """.split()
)
_FILES = frozenset(
    """
    CompressedInputStream CompressedOutputStream MemoryMappedFile OSFile create_memory_map input_stream memory_map
    output_stream
    """.split()
)

# Functions that open files in C, without an audit event: their paths are checked at each call.
PATH_FUNCTIONS = {
    "pyarrow": _FILES | _IPC,
    "pyarrow.lib": _FILES | frozenset("_RecordBatchFileReader _RecordBatchFileWriter _RecordBatchStreamReader".split()),
    "pyarrow.csv": frozenset("CSVWriter open_csv read_csv write_csv".split()),
    "pyarrow.dataset": frozenset("dataset parquet_dataset write_dataset".split()),
    "pyarrow.feather": frozenset("FeatherDataset read_feather read_table write_feather".split()),
    "pyarrow.ipc": _IPC,
    "pyarrow.json": frozenset("open_json read_json".split()),
    "pyarrow.orc": frozenset("ORCFile ORCWriter read_table write_table".split()),
    "pyarrow.parquet": _PARQUET,
    "pyarrow.parquet.core": _PARQUET,
    "scipy.io": frozenset("mminfo mmread mmwrite".split()),
    "scipy.io._fast_matrix_market": frozenset("mminfo mmread mmwrite".split()),
    "PIL.ImageFont": frozenset("FreeTypeFont truetype".split()),
    "PIL.ImageCms": frozenset("ImageCmsProfile getOpenProfile".split()),
}

# Nodes of the syntax tree that have been reviewed; any other is refused.
NODES = frozenset(
    """
    Add And AnnAssign Assert Assign AsyncFor AsyncFunctionDef AsyncWith Attribute AugAssign Await BinOp BitAnd BitOr
    BitXor BoolOp Break Call ClassDef Compare Constant Continue Del Delete Dict DictComp Div Eq ExceptHandler Expr
    FloorDiv For FormattedValue FunctionDef GeneratorExp Global Gt GtE If IfExp Import ImportFrom In Interpolation Invert Is IsNot
    JoinedStr LShift Lambda List ListComp Load Lt LtE MatMult Match MatchAs MatchClass MatchMapping MatchOr
    MatchSequence MatchSingleton MatchStar MatchValue Mod Module Mult Name NamedExpr Nonlocal Not NotEq NotIn Or
    ParamSpec Pass Pow RShift Raise Return Set SetComp Slice Starred Store Sub Subscript TemplateStr Try TryStar Tuple TypeAlias
    TypeVar TypeVarTuple UAdd USub UnaryOp While With Yield YieldFrom alias arg arguments comprehension keyword
    match_case withitem
    """.split()
)

# Functions of asyncio that return an event loop: replaced by a stand-in that runs coroutines and reaches nothing else.
LOOP_FUNCTIONS = frozenset("get_event_loop get_running_loop new_event_loop set_event_loop".split())

# Only these names of these modules are allowed: the rest leads to the interpreter.
ALLOWED_NAMES = {
    "asyncio": frozenset(
        """
        ALL_COMPLETED Barrier BoundedSemaphore BrokenBarrierError CancelledError Condition Event FIRST_COMPLETED
        FIRST_EXCEPTION Future InvalidStateError LifoQueue Lock PriorityQueue Queue QueueEmpty QueueFull QueueShutDown
        Semaphore Task TaskGroup Timeout TimeoutError all_tasks as_completed create_task current_task ensure_future
        gather get_event_loop get_running_loop iscoroutine iscoroutinefunction isfuture new_event_loop run set_event_loop
        shield sleep timeout timeout_at wait wait_for
        """.split()
    ),
    "ast": NODES
    | frozenset(
        """
        AST AsyncFor AugLoad AugStore Bytes Ellipsis ExtSlice FormattedValue FunctionType Index Interactive Expression
        NameConstant NodeVisitor Num Param Str Suite TypeIgnore boolop cmpop dump excepthandler expr expr_context
        get_docstring get_source_segment iter_child_nodes literal_eval mod operator parse pattern slice stmt type_ignore
        type_param unaryop unparse walk
        """.split()
    ),
    "io": frozenset(
        """
        BufferedIOBase BufferedReader BufferedWriter BytesIO IOBase RawIOBase SEEK_CUR SEEK_END SEEK_SET StringIO
        TextIOBase TextIOWrapper UnsupportedOperation
        """.split()
    ),
    "traceback": frozenset(
        """
        extract_tb format_exc format_exception format_exception_only format_tb print_exc print_exception print_tb
        """.split()
    ),
    "types": frozenset(
        """
        AsyncGeneratorType BuiltinFunctionType BuiltinMethodType CoroutineType DynamicClassAttribute EllipsisType
        FunctionType GeneratorType GenericAlias LambdaType MappingProxyType MethodType ModuleType NoneType
        NotImplementedType SimpleNamespace UnionType get_original_bases resolve_bases
        """.split()
    ),
    "warnings": frozenset("catch_warnings deprecated filterwarnings resetwarnings simplefilter warn".split()),
    "weakref": frozenset("ReferenceType WeakKeyDictionary WeakSet WeakValueDictionary proxy ref".split()),
}

# Modules that C functions import at the first call, besides parts of loaded packages.
C_IMPORTS = frozenset(
    """
    _compat_pickle _strptime cffi codecs collections collections.abc contextvars copy copyreg ctypes datetime dateutil
    dateutil.tz decimal fractions functools io ipaddress locale math numbers numpy pandas pickle pytz traceback types
    typing tzdata unicodedata uuid warnings weakref zoneinfo zoneinfo._common zoneinfo._tzpath
    """.split()
)

# Builtins that agent code does not get, and what to use instead. ``open`` and others have guarded replacements.
BUILTIN_HINTS = {
    "breakpoint": "the sandbox has no debugger: print what you want to see",
    "compile": "define a function or use a lambda",
    "copyright": "",
    "credits": "",
    "eval": "write the expression itself, or read data with ast.literal_eval or json.loads",
    "exec": "write the statements themselves, or define a function",
    "exit": "end with final_answer(...), or raise an error",
    "help": "print(x.__doc__) or print(dir(x)) shows what there is",
    "input": "nobody can type into the sandbox: use what the task gives, or ask with final_answer(...)",
    "license": "",
    "quit": "end with final_answer(...), or raise an error",
}
DENIED_BUILTINS = frozenset(BUILTIN_HINTS)

# Names a program must not bind: they would hide functions of the sandbox.
RESERVED_NAMES = frozenset({"final_answer", "display", "print"})

# Dunder attributes that may be read or called on any object.
SAFE_DUNDERS = frozenset(
    """
    __abs__ __add__ __aenter__ __aexit__ __aiter__ __and__ __anext__ __annotations__ __await__ __bool__ __bytes__
    __call__ __ceil__ __complex__ __contains__ __copy__ __deepcopy__ __delitem__ __divmod__ __doc__ __enter__ __eq__
    __exit__ __float__ __floor__ __floordiv__ __format__ __ge__ __getitem__ __gt__ __hash__ __iadd__ __iand__
    __ifloordiv__ __ilshift__ __imatmul__ __imod__ __imul__ __index__ __init__ __init_subclass__ __int__ __invert__
    __ior__ __ipow__ __irshift__ __isub__ __iter__ __itruediv__ __ixor__ __le__ __len__ __length_hint__ __lshift__
    __lt__ __matmul__ __members__ __missing__ __mod__ __mul__ __name__ __ne__ __neg__ __new__ __next__ __or__ __pos__
    __post_init__ __pow__ __qualname__ __radd__ __rand__ __rdivmod__ __repr__ __reversed__ __rfloordiv__ __rlshift__
    __rmatmul__ __rmod__ __rmul__ __ror__ __round__ __rpow__ __rrshift__ __rshift__ __rsub__ __rtruediv__ __rxor__
    __set_name__ __setitem__ __sizeof__ __slots__ __str__ __sub__ __truediv__ __trunc__ __version__ __xor__
    __dataclass_fields__ __orig_class__ __parameters__ __args__ __origin__ __cause__ __notes__
    __class_getitem__ __constraints__ __bound__ __default__ __delete__ __func__ __get__ __instancecheck__
    __metadata__ __module__ __objclass__ __optional_keys__ __prepare__ __required_keys__ __set__ __setstate__
    __subclasscheck__ __supertype__ __suppress_context__ __total__ __type_params__ __value__ __author__ __all__
    __context__ __traceback__ __fspath__ __buffer__ __release_buffer__ __replace__ __static_attributes__ __firstlineno__ __array__
    """.split()
)

# Dunder attributes that may be read on any object, and not set.
READ_ONLY_DUNDERS = frozenset(
    "__abstractmethods__ __match_args__ __mutable_keys__ __orig_bases__ __readonly_keys__".split()
)

# Further attributes that may be set on an object: decorators set them on the program's own classes.
STORABLE_DUNDERS = SAFE_DUNDERS | frozenset(
    "__delattr__ __dir__ __getattr__ __getattribute__ __setattr__ __signature__ __wrapped__ __del__".split()
)

# Dunder names that no program may bind: the interpreter and the import system read them.
RESERVED_DUNDERS = frozenset(
    """
    __build_class__ __builtins__ __cached__ __class__ __dict__ __import__ __loader__ __package__ __path__ __spec__
    """.split()
)

# Dunder names that a program may read without having bound them.
READABLE_DUNDERS = frozenset(
    "__annotations__ __class__ __debug__ __doc__ __file__ __module__ __name__ __qualname__".split()
)

# Only these may follow ``x.__class__``.
CLASS_NAMES = frozenset({"__name__", "__qualname__", "__doc__"})

# Attributes that lead from a task, queue or lock to the event loop, or from a loop to processes, sockets and files.
LOOP_ATTRIBUTES = frozenset(
    """
    _csock _default_executor _get_loop _loop _make_datagram_transport _make_read_pipe_transport _make_socket_transport
    _make_ssl_transport _make_subprocess_transport _make_write_pipe_transport _selector _ssock add_reader add_writer
    add_signal_handler connect_accepted_socket connect_read_pipe connect_write_pipe create_connection
    create_datagram_endpoint create_server create_unix_connection create_unix_server get_loop get_stack getaddrinfo
    getnameinfo run_in_executor set_default_executor sock_accept sock_connect sock_recv sock_recv_into sock_recvfrom
    sock_recvfrom_into sock_sendall sock_sendfile sock_sendto start_tls subprocess_exec subprocess_shell
    """.split()
)

# Attributes that lead from a table's dataset to other files. The program's own classes may have attributes of these names.
FILE_ATTRIBUTES = frozenset("_filesystem filesystem make_fragment".split())

DENIED_ATTRIBUTES = LOOP_ATTRIBUTES | frozenset(
    """
    ag_await ag_code ag_frame co_code co_consts cr_await cr_code cr_frame cr_origin f_back f_builtins f_code f_globals
    f_generator f_lasti f_locals f_trace func_closure func_code func_defaults func_globals gi_code gi_frame
    gi_yieldfrom tb_frame tb_lasti tb_next set_authorizer _convert_ _ctypes _evaluate
    _export_to_c _export_to_c_device _import_from_c _import_from_c_capsule _import_from_c_device
    """.split()
)

# Attributes whose call is rewritten, because their format string may name attributes.
FORMAT_ATTRIBUTES = frozenset({"format", "format_map"})

# Attributes of a class about its bases and subclasses: allowed on the program's own classes.
LINEAGE_ATTRIBUTES = frozenset("__base__ __bases__ __mro__ __subclasses__ mro".split())

# Parts of a function: allowed on the program's own functions and methods.
FUNCTION_ATTRIBUTES = frozenset("__code__ __defaults__ __kwdefaults__ __self__".split())

# Standard library modules whose objects lead to the interpreter: other modules offer them only if the module is authorised.
LEADING_MODULES = frozenset("_frozen_importlib _frozen_importlib_external importlib logging pathlib zipimport".split())

# Names under which library objects hold modules that lead to the interpreter: reading one must not return a module.
MODULE_ATTRIBUTES = frozenset(
    """
    _flavour _imp _importlib _io _module _os _pickle _posixsubprocess _pathmod _socket _subprocess _sys _thread _threading
    _warnings api bltns builtins cffi ctypes gc importlib inspect linecache marshal multiprocessing np ntpath os pa
    parser pathlib pathmod pd pickle pkgutil posix posixpath runpy shutil socket subprocess sys sysconfig tempfile threading zipimport
    """.split()
)

# Names by which numpy asks an object for the memory address of its data, unchecked.
MEMORY_NAMES = frozenset("__array_interface__ __array_struct__".split())

# Attributes checked at run time, by the object they are read from.
RUNTIME_CHECKED_ATTRIBUTES = (
    MODULE_ATTRIBUTES
    | FORMAT_ATTRIBUTES
    | FILE_ATTRIBUTES
    | LINEAGE_ATTRIBUTES
    | FUNCTION_ATTRIBUTES
    | frozenset(
        "__class__ __delattr__ __dict__ __getattr__ __getattribute__ __setattr__ __setstate__ __wrapped__ obj".split()
    )
)

# Attributes that data libraries must not read by a name that a program passed: see ``stdlib.library_getattr``.
DENIED_TO_LIBRARIES = (
    (DENIED_ATTRIBUTES - LOOP_ATTRIBUTES)
    | FILE_ATTRIBUTES
    | frozenset("__builtins__ __closure__ __code__ __getattribute__ __globals__ __self__ __subclasses__".split())
)

# Further attributes of classes: dictionaries and bases lead to every class and to unchecked functions.
DENIED_CLASS_ATTRIBUTES = LINEAGE_ATTRIBUTES | frozenset({"__dict__"})

# Standard library modules treated like data libraries: their objects hold names to read.
LIBRARY_LIKE_MODULES = frozenset({"enum"})

# Functions of the standard library that read, write or run what text says, as real library code calls them. They are patched
# with the guard's rules: module -> the builtins that are replaced in it.
CHECKED_MODULES = {
    "copy": ("setattr",),
    "dataclasses": ("exec", "getattr"),
    "enum": ("delattr",),
    "pprint": ("getattr",),
    "matplotlib.backends.registry": ("importlib",),
    "pandas.core.computation.expr": ("getattr",),
    "pandas.core.computation.scope": ("sys",),
}
