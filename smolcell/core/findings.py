"""Findings about a program before it runs, from its syntax tree. Never raises. Secrets are redacted in what it cuts.

Findings are information for the card and decide nothing: the guard decides whether code may run, the boundary whether a person is
asked. They use the guard's own tables, so both classify names alike. They look at the names in the code, so renaming a local
variable does not hide anything; code that hides its names (``getattr`` with a computed string) is a finding itself. In data libraries,
a name that begins like reading or writing is a warning unless it is in the reviewed list (``_REVIEWED``). Code can do harm
without any finding.
"""

from __future__ import annotations

import ast
import re
import unicodedata
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache
from typing import Literal

from smolcell.core.parsing import tree
from smolcell.core.text import hidden, shorten, visible
from smolcell.events import Finding
from smolcell.worker.guard import magics, tables
from smolcell.worker.guard.imports import ModuleViews
from smolcell.worker.guard.tables import DATA_IMPORTS
from smolcell.worker.guard.transformer import Guard, Refusal

# --- Names of data libraries that may reach a file or the network. Names that begin like reading or writing, and parts of data
# libraries, are unclear unless they are in the reviewed list.

DATA_MODULES = frozenset(name.partition(".")[0] for name in DATA_IMPORTS)

# Parts of data libraries that compute and draw, as they are imported.
DATA_PARTS = frozenset(
    """
    Image ImageChops ImageColor ImageDraw ImageEnhance ImageFilter ImageOps ImageStat
    api base calibration cluster cm colors compose compute constants cross_decomposition csgraph dates decomposition distance
    discriminant_analysis dummy ensemble exceptions extmath fft fftpack feature_extraction feature_selection gaussian_process
    gridspec hierarchy impute indexing inspection integrate interpolate isotonic kernel_approximation kernel_ridge linalg
    linear_model lines ma manifold markers metrics mixture model_selection mplot3d multiclass multioutput naive_bayes ndimage
    neighbors neural_network offsets optimize pairwise patches pipeline polynomial preprocessing pyplot random
    random_projection semi_supervised signal sparse spatial special stats svm text ticker transforms tree tseries types
    typing validation vq windows
    """.split()
)

# Parts of data libraries that read, write, fetch or run: using one is unclear, whichever of its names is used.
_UNCLEAR_PARTS = frozenset(
    """
    ImageGrab ImageShow _core _libs _testing backend_bases backends cffi
    clipboard clipboards compat core csv ctypeslib cuda dataset datasets
    distutils excel externals f2py feather filesystem flight font_manager fs gandiva hdfs image io io_common jvm lib libs
    misc netcdf openml orc parquet plasma sas substrait texmanager test testing tests util utils wavfile
    """.split()
)

# Names that reach a file, the network or a program, but do not begin with a word that says so.
_UNCLEAR_NAMES = frozenset(
    """
    AFMFont AudioFile BufferedInputStream BufferedOutputStream BufferedReader CompressedInputStream CompressedOutputStream
    CSVWriter DataSource ExcelFile ExcelWriter FTFont FileSelector FileSystem FontManager FontProperties GcsFileSystem
    HDFStore HadoopFileSystem Interactive LocalFileSystem LowLevelCallable MemoryMappedFile NativeFile NpzFile OSFile
    ORCFile ORCWriter ParquetDataset ParquetFile ParquetWriter PyFileSystem PythonFile RecordBatchFileReader
    RecordBatchFileWriter S3FileSystem SASReader StataReader StataWriter SubTreeFileSystem TarIO WalkFiles XportReader
    addfont ascent bench byte_bounds clear_cache clear_data_home copy_file copy_files copyfile create_dir
    create_memory_map delete_dir delete_dir_contents delete_file electrocardiogram face file_open findSystemFonts findfont
    fromregex from_buffer from_file from_path from_uri genfromtxt get_data_home get_data_path get_dataset_names
    get_file_info get_filepath_or_buffer get_handle get_sample_data getOpenProfile grab grabclipboard imread imsave
    infer_compression input_stream ismemmap load_lib lookfor memory_map move netcdf_file output_stream rc_context rc_file
    rc_file_defaults rc_params rc_params_from_file register_namespace reset_tzpath rundocs rundoctest set_loglevel
    show_config show_versions style_use truetype urlopen urlretrieve use use_style whosmat
    """.split()
)

_BEGINNING = re.compile(
    r"_*(?:(?:to|from)_(?=[a-z])|read|load|save|write|open|fetch|dump|import|export|download|upload|urlopen|memmap|mmap|tofile)"
)

# Names that begin with such a word, and were found only to compute.
_REVIEWED = frozenset(
    """
    dumps from_arrays from_breaks from_bytes from_codes from_custom_template from_decimal from_dict from_dummies from_float
    from_frame from_iterable from_levels_and_colors from_list from_numpy from_ordinals from_pandas from_product
    from_pydict from_pylist from_records from_spmatrix from_template from_tuples
    loads openings opens read_only readable readonly reads readline readlines
    to_array to_arrays to_batches to_bytes to_coo to_datetime to_datetime64 to_dict to_eng_string to_flat_index to_frame
    to_hex to_hierarchical to_integral to_integral_exact to_integral_value to_julian_date to_list to_numeric to_numpy
    to_offset to_pandas to_period to_pydatetime to_pydict to_pylist to_pytimedelta to_records to_reduced_batches to_rgb
    to_rgba to_rgba_array to_series to_table to_timedelta to_timedelta64 to_timestamp to_tree to_tuples tolist total
    writeable
    """.split()
)


def may_reach_a_file(name: str) -> bool:
    """Return whether an attribute of that name may read, write, fetch or load something. Unclear names may."""
    if name in _UNCLEAR_NAMES or name in _UNCLEAR_PARTS:
        return True
    return name not in _REVIEWED and _BEGINNING.match(name) is not None


# --- Findings in the characters of a program and its string constants: look-alike letters, gaps, addresses, paths. Pure and total.
#
# * Nothing here depends on what a name is bound to: only the text itself is judged, so an alias cannot hide it.
# * Every pattern is linear in the length of the text.
#
# Source: Unicode Technical Standard 39 (security mechanisms) for mixed scripts and confusable letters; the table below has
# those of its letters that common monospaced fonts draw like a Latin one.


WIDE_GAP_COLUMNS = 40  # columns of blank within a line, after which the rest is easily overlooked
MAX_CONSTANT_CHARS = 200_000  # characters of one constant that are analyzed; a longer one is a finding itself

# Letters of other scripts, and the Latin letters they look like. Small Greek letters are left out, except one: alpha and rho are
# ordinary names in science.
_DRAWN = dict(
    zip(
        "аеорсухіјѕһԁԛԝѵԍɡοօսհոցАВЕКМНОРСТХІЈЅҮԌΑΒΕΖΗΙΚΜΝΟΡΤΥΧᎪᏴᏟᎬᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᏃ",
        "aeopcyxijshdqwvggoouhngABEKMHOPCTXIJSYGABEZHIKMNOPTYXABCEHJKLMPRSTVZ",
        strict=True,
    )
)
_ADDRESS = re.compile(r"(?i)(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{1,20})://([^\s/?#'\"<>]{0,255})")
_ENDINGS = "ai app biz ca ch cloud cn co com de dev edu es eu fr gov in info int io it jp me mil net nl onion org ru se site tv uk us xyz"
_HOST = re.compile(
    r"(?i)(?:[\w.+-]{1,64}@)?(?:(?:[a-z0-9-]{1,63}\.){1,8}(?:"
    + "|".join(_ENDINGS.split())
    + r")|localhost)(?::\d{1,5})?(?:/\S*)?"
)
_NUMBERS = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])")
_EXTENSIONS = (
    "bz2 cfg conf csv db doc docx env feather gz h5 hdf html ini ipynb jpeg jpg json jsonl key log md npy npz orc parquet pdf "
    "pem pickle pkl png py rtf sh sqlite svg tar toml tsv txt webp xls xlsx xml yaml yml zip"
)
_FILE = re.compile(r"(?i)[\w .~@%+=,/\\:-]{0,400}\.(?:" + "|".join(_EXTENSIONS.split()) + ")")
_GAP = re.compile(r"(?<=\S)[ \t]{5,}(?=\S)")
_LEADING = re.compile(r"[ \t]*")


@lru_cache(maxsize=4096)
def look_alike(name: str) -> str:
    """Return why an identifier may not be what it looks like; "" if it is."""
    if name.isascii():
        return ""
    drawn = "".join(_DRAWN.get(char, char) for char in name)
    if drawn != name and drawn.isascii():
        return f"looks like {drawn}, and is another name: {ascii(name)[1:-1]}"
    scripts = {unicodedata.name(char, "").partition(" ")[0].capitalize() for char in name if char.isalpha()} & _SCRIPTS
    if len(scripts) > 1 and (drawn != name or scripts - {"Latin", "Greek"}):  # names such as Δx mix them on purpose
        return f"mixes {' and '.join(sorted(scripts))} letters: {ascii(name)[1:-1]}"
    return ""


# Scripts whose mixture is suspicious. East Asian scripts are left out: they are written together.
_SCRIPTS = {"Latin", "Cyrillic", "Greek", "Armenian", "Cherokee", "Coptic", "Georgian"}


def gap(line: str) -> int:
    """Return the width of the widest blank before some text of a line, in columns; 0 if it is too narrow to hide the text."""
    leading = _LEADING.match(line)
    widest = len(leading[0].expandtabs()) if leading and len(leading[0]) < len(line) else 0
    for match in _GAP.finditer(line):
        widest = max(widest, len(match[0].expandtabs()))
    return widest if widest >= WIDE_GAP_COLUMNS else 0


def addresses(text: str) -> Iterator[str]:
    """Yield the hosts that a text names: of every URL in it, or the text itself if it is a host name or an IP address."""
    for match in _ADDRESS.finditer(text):
        scheme, host = match[1].lower(), match[2].rpartition("@")[2].lower()
        yield host or f"{scheme}:// and what follows"
    if "://" not in text:
        if len(text) <= 300 and _HOST.fullmatch(text):
            yield text.rpartition("@")[2].partition("/")[0].lower()
        for numbers in _NUMBERS.findall(text):
            if all(int(part) < 256 for part in numbers.split(".")):
                yield numbers


def hosts_named(program: str) -> list[str]:
    """Return the hosts that the string constants of a program name; empty if it does not parse."""
    module = tree(program) if len(program) <= MAX_ANALYZED_CHARS else ""
    nodes = () if isinstance(module, str) else ast.walk(module)
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    named = (host for text in texts if len(text) <= MAX_CONSTANT_CHARS for host in addresses(text))
    return list(dict.fromkeys(host for host in named if is_host(host)))


def is_host(text: str) -> bool:
    """Return whether a text from ``addresses`` is a host, not a bucket or the like."""
    return " " not in text and ("." in text or text.startswith(("localhost", "[")))


def is_path(text: str) -> bool:
    """Return whether a text looks like the path of a file."""
    if len(text) > 400 or "\n" in text or len(text) < 3:
        return False
    if text.startswith(("/", "~/", "../", "./")) or re.match(r"[A-Za-z]:\\", text):
        return " " not in text
    return _FILE.fullmatch(text) is not None


# --- Calls that look as if they reached files, but do not, or only files that the person gave.
#
# * Only the text of the call counts: a constant path that is a given name or lies below a given folder, without ``..``.
# * A call that could write, or that runs what it reads (pickles), is never one of these.


READERS = frozenset(
    "read_csv read_excel read_json read_parquet read_html read_table read_feather genfromtxt loadtxt fromfile imread".split()
)
PATH_WORDS = frozenset("file filename fname io path path_or_buf path_or_buffer filepath_or_buffer".split())
_OPEN_WORDS = frozenset("file mode encoding errors newline".split())


def called_without_target(module: ast.Module) -> set[int]:
    """Return the ids of ``x.to_string`` in calls without a target: they return a text."""
    return {
        id(node.func)
        for node in ast.walk(module)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "to_string"
        if not node.args and all(word.arg not in (None, "buf") for word in node.keywords)
    }


def given_reads(module: ast.Module, given: Collection[str]) -> dict[int, str]:
    """Return the path that a call reads, by the ``id`` of the call's function.

    Args:
        module: the program.
        given: names of files; those of folders end in "/".
    """
    found: dict[int, str] = {}
    for node in ast.walk(module) if given else ():
        if isinstance(node, ast.Call) and (path := _path_read(node)) and _is_given(path, given):
            found[id(node.func)] = path
    return found


def _path_read(call: ast.Call) -> str:
    """Return the constant path of a call that only reads one file; else ""."""
    words = {word.arg: word.value for word in call.keywords}
    if None in words or any(isinstance(value, ast.Starred) for value in call.args):
        return ""
    if isinstance(call.func, ast.Name) and call.func.id == "open":
        mode = call.args[1] if len(call.args) > 1 else words.get("mode")
        if len(call.args) > 2 or not words.keys() <= _OPEN_WORDS or not _only_reads(mode):
            return ""
    elif not (isinstance(call.func, ast.Attribute) and call.func.attr in READERS):
        return ""
    paths = [*call.args[:1], *(value for word, value in words.items() if word in PATH_WORDS)]
    texts = [path.value for path in paths if isinstance(path, ast.Constant) and isinstance(path.value, str)]
    return texts[0] if len(paths) == len(texts) == 1 else ""


def _only_reads(mode: ast.expr | None) -> bool:
    return mode is None or (
        isinstance(mode, ast.Constant) and type(mode.value) is str and set(mode.value) <= set("rbt")
    )


def _is_given(path: str, given: Collection[str]) -> bool:
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in parts or path.startswith(("/", "~")) or "\\" in path or ":" in path:
        return False
    name = "/".join(parts)
    return any(name.startswith(known) if known.endswith("/") else name == known for known in given)


Risk = Literal["none", "low", "high"]

NETWORK_MODULES = frozenset(
    "aiohttp ftplib grpc http httpx imaplib paramiko poplib requests smtplib socket socketserver ssl telnetlib urllib urllib3 "
    "webbrowser websocket websockets xmlrpc".split()
)
PROCESS_MODULES = frozenset("ctypes multiprocessing os posix pty resource signal subprocess sys threading".split())
FILE_MODULES = frozenset(
    "bz2 dbm fileinput glob gzip io linecache lzma mmap pathlib pickle shelve shutil sqlite3 tarfile tempfile zipfile".split()
)
CODE_MODULES = frozenset("ast builtins code codeop dis gc importlib inspect marshal pkgutil runpy types".split())
READING_CALLS = frozenset("open read_csv read_excel read_json read_parquet read_pickle read_html read_sql read_text read_bytes "
                          "read_table read_feather read_hdf genfromtxt loadtxt fromfile memmap imread".split())  # fmt: skip
WRITING_CALLS = frozenset("to_csv to_excel to_json to_parquet to_pickle to_html to_sql to_feather to_hdf savefig savetxt savez "
                          "write_text write_bytes tofile imsave unlink rmtree rmdir mkdir rename".split())  # fmt: skip
REFLECTION = frozenset("eval exec compile getattr setattr delattr globals locals vars __import__ breakpoint input "
                       "attrgetter methodcaller".split())  # fmt: skip
LONG_LINE_CHARS = 200
MAX_ANALYZED_CHARS = 100_000  # characters of a program; analyzing them takes up to three seconds
_MAX_FINDINGS = 200  # findings of one program
_MAX_FINDING_CHARS = 200  # characters of one finding
_MAX_FILE_NAMES = 1_000  # string constants of a program that are considered as file names
_CALL = re.compile(r"(?:\b(?!(?:and|or|not|in)\b)\w+|[)\]`])\s*\(")
_FIELD = re.compile(r"\{([^{}]*)")
_PART = re.compile(r"[.\[](\w+)")
_DUNDER = re.compile(r"__\w+__")
_PLAIN_DUNDERS = tables.SAFE_DUNDERS | {"__main__", "__future__"}
_PROCESS_CALLS = frozenset(
    name for names in tables.PROCESS_FUNCTIONS.values() for name in names if len(name) > 3
) | tables.LOOP_FUNCTIONS.union(tables.DENIED_NAMES["asyncio"])
_KNOWN = frozenset(tables.NODES) | {"Interactive", "Expression", "FormattedValue", "JoinedStr"}
_AT_LINE = re.compile(r"line (\d{1,9}):")
_ORDER = {"high": 0, "low": 1, "none": 2}


def findings(
    text: str,
    authorized: Iterable[str] = tables.DATA_IMPORTS,
    tools: Iterable[str] = (),
    files: Iterable[str] = (),
) -> tuple[Finding, ...]:
    """Return the findings about a program, most serious first, then by line; each distinct finding once, at its first line.

    Args:
        text: the program.
        authorized: modules the sandbox authorises besides the standard list; importing any other is a high risk, since the guard
            refuses it. Default: the data libraries.
        tools: names of the host's functions that the program can call. Naming one is a low risk: its effects are not known here.
        files: names of files that were copied in; names of folders end in "/". Reading one by its plain name is a low risk.

    A program of more than ``MAX_ANALYZED_CHARS`` characters has a single finding: that it is too long to analyze.
    """
    if len(text) > MAX_ANALYZED_CHARS:
        return (_finding("syntax", f"program of {len(text):,} characters: too long to analyze", 0, "high"),)
    unique: dict[tuple[str, str, str], Finding] = {}
    for finding in _find_all(text, tuple(authorized), frozenset(tools), frozenset(files)):
        unique.setdefault((finding.kind, finding.text, finding.risk), finding)
    ordered = sorted(unique.values(), key=lambda f: (_ORDER[f.risk], f.line, f.kind, f.text))
    if len(ordered) > _MAX_FINDINGS:
        more = Finding(
            kind="syntax", text=f"{len(ordered) - _MAX_FINDINGS} more findings", risk=ordered[_MAX_FINDINGS].risk
        )
        ordered[_MAX_FINDINGS:] = [more]
    return tuple(ordered)


REPEAT = Finding(kind="repeat", text="ran twice already, with the same outcome", risk="low")


def replaces(name: str) -> Finding:
    """Return the finding about a program that replaces a given variable."""
    return Finding(kind="input", text=f"replaces the given variable {name}", risk="low")


def replaced(text: str, given: Collection[str]) -> str:
    """Return the first of these names that a program assigns without having read it; "" if there is none."""
    module = tree(text) if given else ""
    return "" if isinstance(module, str) else _replaced(module.body, given)


def _replaced(statements: Iterable[ast.stmt], given: Collection[str]) -> str:
    read: set[str] = set()
    for reads, binds in _in_order(statements):
        read |= reads
        if found := next((name for name in binds if name in given and name not in read), ""):
            return found
    return ""


def without(text: str, name: str) -> str:
    """Return a program without the statements at its top that replace this variable; "" if it cannot be split so, or nothing is left."""
    module = tree(text)
    if isinstance(module, str):
        return ""
    places = [(range(s.lineno - 1, s.end_lineno or s.lineno), bool(_replaced([s], {name}))) for s in module.body]
    taken = {line for lines, gone in places if gone for line in lines}
    if any(line in taken for lines, gone in places if not gone for line in lines):
        return ""
    rest = "\n".join(line for number, line in enumerate(text.split("\n")) if number not in taken).strip("\n")
    rest = re.sub("\n{3,}", "\n\n", rest)
    return rest if any(not gone for _, gone in places) and not replaced(rest, {name}) else ""


def _in_order(statements: Iterable[ast.stmt]) -> Iterator[tuple[set[str], list[str]]]:
    """Yield for each statement, in order, the names that it reads and then those that it binds; for one with a body, its head first."""
    for statement in statements:
        own = isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        parts = () if own else ("body", "handlers", "orelse", "finalbody")
        bodies = [getattr(statement, part, []) for part in parts]
        inner = [each for body in bodies for each in body]
        head = [child for child in _in_same_namespace(statement) if child not in inner]
        looked_at = [statement] if own else head
        reads = {
            n.id for h in looked_at for n in ast.walk(h) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
        }
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            reads.add(statement.target.id)
        binds = [name for part in head if not isinstance(part, ast.stmt) for name in _bound_names(part)]
        if own:
            binds.append(statement.name)  # type: ignore[attr-defined]
        if isinstance(statement, ast.Import | ast.ImportFrom):
            binds += [(alias.asname or alias.name).partition(".")[0] for alias in statement.names]
        yield reads, binds
        for body in bodies:
            handlers = [each for each in body if isinstance(each, ast.ExceptHandler)]
            yield from _in_order(each for handler in handlers for each in handler.body)
            yield from _in_order(each for each in body if isinstance(each, ast.stmt))


def _find_all(
    text: str, authorized: tuple[str, ...], tools: frozenset[str], files: frozenset[str]
) -> Iterator[Finding]:
    known: set[int] = set()
    for finding in _find_in_program(text, authorized, tools, files):
        if finding.risk != "none":
            known.add(finding.line)
        yield finding
    refusal = _refusal(text, authorized, tools)
    if refusal is not None and refusal.line not in known:
        yield refusal


def _refusal(text: str, authorized: tuple[str, ...], tools: frozenset[str]) -> Finding | None:
    """Return the first thing that the sandbox's guard would refuse. The guard rewrites the tree that it checks."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = ast.parse(magics.to_python(text))
        bound = {name for node in ast.walk(module) for name in _binds(node)}
        Guard(_views_of(authorized), tools, bound).visit(module)
    except Refusal as refusal:
        return _finding("syntax", f"the sandbox refuses: {str(refusal).partition('. ')[0]}", refusal.line, "high")
    except (SyntaxError, ValueError):  # that it does not parse is a finding already
        return None
    except (RecursionError, MemoryError, OverflowError, SystemError) as error:
        return _finding("syntax", f"cannot be checked: {type(error).__name__}", 0, "low")
    return None


def _find_in_program(
    text: str, authorized: tuple[str, ...], tools: frozenset[str], files: frozenset[str]
) -> Iterator[Finding]:
    yield from _find_in_text(text)
    module = tree(text)
    if isinstance(module, str):
        yield _finding("syntax", f"does not parse: {module}", int((_AT_LINE.match(module) or [0, 0])[1]), "low")
    else:
        yield from _find_in_tree(module, authorized, tools, given_reads(module, files))


def _finding(kind: str, text: str, line: int, risk: Risk) -> Finding:
    return Finding(
        kind=kind,
        text=shorten(text, _MAX_FINDING_CHARS),
        line=line,
        risk=risk,
    )


def _find_in_text(text: str) -> Iterator[Finding]:
    for line, _column, name in hidden(text):
        yield Finding(kind="hidden", text=f"invisible or control character: {name}", line=line, risk="high")
    for number, line_text in enumerate(text.split("\n"), 1):
        if len(line_text) > LONG_LINE_CHARS:
            yield Finding(kind="long-line", text=f"line of {len(line_text)} characters", line=number, risk="low")
        if not line_text.isascii() and unicodedata.normalize("NFKC", line_text) != line_text:
            yield Finding(kind="hidden", text="characters that Python reads as others (NFKC)", line=number, risk="low")
        if columns := gap(line_text):
            yield Finding(kind="hidden", text=f"text after {columns} columns of blank", line=number, risk="low")
        if "\t" in line_text:
            yield Finding(kind="tab", text="tabs, which may be as wide as many spaces", line=number, risk="low")


def _find_in_tree(
    module: ast.Module, authorized: tuple[str, ...], tools: frozenset[str], given: dict[int, str]
) -> Iterator[Finding]:
    named = _file_calls(module)
    reported = {id(path) for _, paths, _ in named for path in paths}
    quiet = called_without_target(module) | {id(call.func) for call, _, _ in named}
    for call, paths, verb in named:
        risk: Risk = "low" if id(call.func) in given else "high"
        was_given = ", which was given" if risk == "low" else ""
        for path in paths:
            yield _finding("file", f"{verb} a file: {shorten(str(path.value), 80)}{was_given}", _line(call.func), risk)
    for node in _walk(module):
        name = type(node).__name__
        if name not in _KNOWN:
            yield _finding("syntax", f"{name} has not been reviewed", _line(node), "high")
        yield from _check_identifiers(node)
        for visit in () if id(node) in quiet else _VISITS.get(name, ()):
            yield from (finding for finding in visit(node) if finding.kind != "file" or id(node) not in reported)
        if isinstance(node, ast.Name) and node.id in tools:
            yield _finding("tool", node.id, node.lineno, "low")
    yield from _check_computed_formats(module)
    for node, imported in _imports_of(module):
        yield _import_finding(imported, _line(node), authorized)
    written = sorted(name for name in set(_bound_names(module)) if not name.startswith(magics.PREFIX))
    if written:
        yield _finding("name", f"{', '.join(written[:20])}{' …' if len(written) > 20 else ''}", 0, "none")


def _bound_names(module: ast.AST) -> Iterator[str]:
    """Yield the names that the program binds in its own namespace, which the next step can use."""
    waiting: list[ast.AST] = [module]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
            yield from (name for inner in ast.walk(node) if isinstance(inner, ast.Global) for name in inner.names)
        waiting += _in_same_namespace(node)


def _in_same_namespace(node: ast.AST) -> Iterable[ast.AST]:
    """Return the node's children, except those with their own namespace."""
    match node:
        case ast.FunctionDef(args=args) | ast.AsyncFunctionDef(args=args):
            return [*node.decorator_list, *_defaults(args)]
        case ast.Lambda(args=args):
            return _defaults(args)
        case ast.ClassDef():
            return [*node.decorator_list, *node.bases, *node.keywords]
        case ast.comprehension():  # an assignment expression in it binds outside of it
            return [node.iter, *node.ifs]
    return ast.iter_child_nodes(node)


def _defaults(args: ast.arguments) -> list[ast.expr]:
    return [*args.defaults, *(default for default in args.kw_defaults if default is not None)]


def _walk(module: ast.Module) -> Iterator[ast.AST]:
    """Yield every node except contexts and operators."""
    return (node for node in ast.walk(module) if not isinstance(node, (ast.expr_context, ast.operator, ast.cmpop)))


def _line(node: ast.AST) -> int:
    return int(getattr(node, "lineno", 0) or 0)


# --- imports -----------------------------------------------------------------------------------------------------------


def _imports_of(module: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node, "." * node.level + (node.module or "")


def _import_finding(name: str, line: int, authorized: tuple[str, ...]) -> Finding:
    top = name.partition(".")[0]
    refused = ", which is not authorised: the guard will refuse it" if not _views_of(authorized).allows(name) else ""
    for modules, kind in (
        (NETWORK_MODULES, "network"),
        (PROCESS_MODULES, "process"),
        (CODE_MODULES, "process"),
        (FILE_MODULES, "file"),
    ):
        if top in modules:
            return _finding(kind, f"import {name}{refused}", line, "high")
    unclear = [part for part in name.split(".")[1:] if part not in DATA_PARTS] if top in DATA_MODULES else []
    if unclear and not refused:
        return _finding("file", f"import {name}", line, "low")
    return _finding("import", name + refused, line, "high" if refused else "none")


def _views_of(authorized: Iterable[str]) -> ModuleViews:
    """Return the guard's list of importable modules."""
    return ModuleViews([*tables.DEFAULT_IMPORTS, *tables.RUNNER_IMPORTS, *authorized])


def is_closed(name: str) -> bool:
    """Return whether the guard refuses a module even if it is authorised."""
    return ModuleViews(["*"]).refuses(name)


def refused_imports(text: str, authorized: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the modules that a program imports and that the guard refuses because they are not authorised.

    Modules that the guard refuses even if they are authorised are left out.
    """
    module = tree(text) if len(text) <= MAX_ANALYZED_CHARS else ""
    if isinstance(module, str):
        return ()
    module_views = _views_of(authorized)
    names = dict.fromkeys(name for _, name in _imports_of(module) if not name.startswith("."))
    return tuple(name for name in names if not module_views.allows(name) and not is_closed(name))


def named_files(text: str) -> tuple[str, ...]:
    """Return the string constants that may name a file below the current folder: relative, not hidden, without ``..``."""
    module = tree(text) if len(text) <= MAX_ANALYZED_CHARS else ""
    if isinstance(module, str):
        return ()
    constants = (node.value for node in ast.walk(module) if isinstance(node, ast.Constant))
    names = dict.fromkeys(value.removeprefix("./") for value in constants if isinstance(value, str))
    return tuple(name for name in names if _may_be_below(name))[:_MAX_FILE_NAMES]


def _may_be_below(name: str) -> bool:
    parts = name.split("/")
    return (
        len(name) <= _MAX_FINDING_CHARS
        and name.isprintable()
        and "\\" not in name
        and not any(p[:1] in ("", ".", "~") for p in parts)
    )


# --- names, attributes, calls, strings ---------------------------------------------------------------------------------


def _check_attribute(node: ast.AST) -> Iterator[Finding]:
    assert isinstance(node, ast.Attribute)  # noqa: S101
    yield from _check_name(node.attr, _line(node), attribute=True)


def _check_alias(node: ast.AST) -> Iterator[Finding]:
    """Check ``from m import x as f`` like the attribute ``m.x``."""
    assert isinstance(node, ast.alias)  # noqa: S101
    if node.name == "*":
        yield _finding("import", "* (hides what is imported)", _line(node), "low")
    for part in node.name.split("."):
        yield from _check_name(part, _line(node), attribute=True)


def _check_pattern(node: ast.AST) -> Iterator[Finding]:
    assert isinstance(node, ast.MatchClass)  # noqa: S101
    for name in node.kwd_attrs:
        yield from _check_name(name, _line(node), attribute=True)


def _check_name_node(node: ast.AST) -> Iterator[Finding]:
    assert isinstance(node, ast.Name)  # noqa: S101
    yield from _check_name(node.id, _line(node), attribute=False)


def _check_name(name: str, line: int, *, attribute: bool) -> Iterator[Finding]:
    name = unicodedata.normalize("NFKC", name)
    special = name.startswith("__") and name.endswith("__") and name not in tables.SAFE_DUNDERS
    if attribute and name in tables.LOOP_ATTRIBUTES:
        yield _finding("process", f"{name} of the event loop", line, "high")
    elif special or (attribute and name in tables.DENIED_ATTRIBUTES):
        yield _finding("dunder", name, line, "high")
    elif attribute and name.startswith("_"):
        yield _finding("dunder", f"private attribute {name}", line, "low")
    elif name in _PROCESS_CALLS and attribute:
        yield _finding("process", name, line, "high")
    elif name in REFLECTION:
        yield _finding("process", f"{name} reaches names by text", line, "high")
    elif name in READING_CALLS or (name in WRITING_CALLS and attribute):
        yield _finding("file", name, line, "high")
    elif attribute and may_reach_a_file(name):
        yield _finding("file", name, line, "low")


def _check_string(node: ast.AST) -> Iterator[Finding]:
    assert isinstance(node, ast.Constant)  # noqa: S101
    if not isinstance(node.value, str | bytes):
        return
    text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
    line = _line(node)
    if len(text) > MAX_CONSTANT_CHARS:
        yield _finding("syntax", f"constant of {len(text)} characters", line, "low")
        return
    for host in addresses(text):
        yield _finding("network", shorten(host, 80), line, "high")
    text = text.strip()
    if is_path(text):
        yield _finding("file", shorten(text, 80), line, "low")
    elif "_" in text and text.isidentifier() and (text in READING_CALLS | WRITING_CALLS or may_reach_a_file(text)):
        yield _finding("file", f"the name {text}, by which agg() or apply() may call it", line, "low")
    elif text in tables.DENIED_ATTRIBUTES or (_DUNDER.fullmatch(text) and text not in _PLAIN_DUNDERS):
        yield _finding("dunder", f"the name {text}, which may be looked up by text", line, "low")
    elif any(
        name[0] == "_" or name in tables.DENIED_ATTRIBUTES
        for field in _FIELD.findall(text)
        for name in _PART.findall(field)
    ):
        yield _finding("dunder", f"text with which format() could read attributes: {shorten(text, 80)}", line, "low")


def _check_computed_formats(module: ast.Module) -> Iterator[Finding]:
    """Find ``format`` of a computed text: the attributes that it reads are known only when it runs."""
    plain = _constant_names(module)
    for node in ast.walk(module):
        if not (isinstance(node, ast.Attribute) and node.attr in tables.FORMAT_ATTRIBUTES):
            continue
        owner = node.value
        if not (isinstance(owner, ast.Constant) or (isinstance(owner, ast.Name) and owner.id in plain)):
            yield _finding("dunder", f"{node.attr} of a text that is computed", _line(node), "low")


def _constant_names(module: ast.Module) -> set[str]:
    """Return the names that the program binds to string constants only."""
    plain: dict[int, str] = {}  # by the id of the target node: a second binding is another node
    for node in ast.walk(module):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            plain.update({id(target): target.id for target in node.targets if isinstance(target, ast.Name)})
    other = {name for node in ast.walk(module) for name in _binds(node) if id(node) not in plain}
    return set(plain.values()) - other


def _binds(node: ast.AST) -> Iterator[str]:
    """Yield the names that this node itself binds."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name) | ast.MatchMapping(rest=str(name)):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.alias(name=name, asname=asname):
            yield asname or name.partition(".")[0]


def _check_identifiers(node: ast.AST) -> Iterator[Finding]:
    """Find identifiers with look-alike characters."""
    for field, value in () if isinstance(node, ast.Constant) else ast.iter_fields(node):
        for name in value if isinstance(value, list) else [value]:
            if type(name) is str and field != "type_comment" and (why := look_alike(name)):
                yield _finding("hidden", f"name that {why}", _line(node), "high")


def _file_calls(module: ast.Module) -> list[tuple[ast.Call, list[ast.Constant], str]]:
    """Return the calls that read or write files named in the program, with these names, and "reads" or "writes"."""
    calls = (node for node in ast.walk(module) if isinstance(node, ast.Call))
    file_calls = ((call, _path_constants(call), _file_verb(call)) for call in calls)
    return [(call, paths, verb) for call, paths, verb in file_calls if paths and verb]


def _file_verb(call: ast.Call) -> str:
    """Return "reads", "writes", both if the mode is computed, or "deletes"; "" if the call takes no file name."""
    attribute = isinstance(call.func, ast.Attribute)
    called = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if called == "open":
        at = 0 if _path_constant(call) else 1
        modes = [*call.args[at : at + 1], *(word.value for word in call.keywords if word.arg in ("mode", None))]
        texts = [mode.value for mode in modes if isinstance(mode, ast.Constant) and isinstance(mode.value, str)]
        if len(texts) < len(modes):
            return "reads or writes"
        return "writes" if set("".join(texts)) & set("wax+") else "reads"
    if attribute and called in _DELETING_CALLS:
        return "deletes"
    return "reads" if called in READING_CALLS else "writes" if attribute and called in WRITING_CALLS else ""


def _path_constants(call: ast.Call) -> list[ast.Constant]:
    """Return the constants that name a call's files; empty if one is computed."""
    if (known := _path_constant(call)) or getattr(call.func, "attr", "") in _OTHER_ARGUMENTS:
        return known
    paths = [*call.args[:1], *(word.value for word in call.keywords if word.arg in PATH_WORDS)]
    texts = [path for path in paths if isinstance(path, ast.Constant) and isinstance(path.value, str)]
    is_mode = getattr(call.func, "attr", "") == "open" and all(_MODE.fullmatch(str(text.value)) for text in texts)
    return texts if len(texts) == len(paths) and not is_mode else []


def _path_constant(call: ast.Call) -> list[ast.Constant]:
    """Return the constant of ``Path("a.txt").read_text()``."""
    match call.func:
        case ast.Attribute(
            value=ast.Call(func=ast.Name(id="Path"), args=[ast.Constant(value=str()) as path], keywords=[])
        ):
            return [path]
    return []


_DELETING_CALLS = frozenset("unlink rmtree rmdir".split())
_MODE = re.compile(r"[rwaxbt+]{1,3}")  # the mode in ``path.open("rb")``
_OTHER_ARGUMENTS = frozenset(
    "read_sql to_sql write_text write_bytes".split()
)  # calls whose first argument is no file name


def _check_query(node: ast.AST) -> Iterator[Finding]:
    """Check the text of ``df.query``: a constant without calls is a plain condition."""
    assert isinstance(node, ast.Call)  # noqa: S101
    if not (isinstance(node.func, ast.Attribute) and node.func.attr == "query"):
        return
    texts = [*node.args, *(word.value for word in node.keywords)]
    if not all(isinstance(text, ast.Constant) and not _CALL.search(str(text.value)) for text in texts):
        yield _finding("process", "query evaluates a text that is not plain", _line(node), "low")


def _check_notebook_call(node: ast.AST) -> Iterator[Finding]:
    """Find shell lines and installs of notebook syntax."""
    assert isinstance(node, ast.Call)  # noqa: S101
    name = getattr(node.func, "id", "")
    if name in magics.PROCESSES or name == magics.INSTALL:
        texts = (arg.elts[1] if isinstance(arg, ast.Tuple) and len(arg.elts) == 2 else arg for arg in node.args)
        text = "".join(str(text.value) for text in texts if isinstance(text, ast.Constant))
        if name == magics.INSTALL:
            yield _finding("install", visible(text), _line(node), "low")
        else:
            yield _finding("process", f"starts a process: {visible(text)}", _line(node), "high")


_VISITS: dict[str, tuple[Callable[[ast.AST], Iterator[Finding]], ...]] = {
    "Attribute": (_check_attribute,),
    "MatchClass": (_check_pattern,),
    "Name": (_check_name_node,),
    "alias": (_check_alias,),
    "Constant": (_check_string,),
    "Call": (_check_query, _check_notebook_call),
}
