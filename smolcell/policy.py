"""What a person should know about a program before it runs: facts read off its syntax tree. Pure and total: never raises.

The policy does not decide whether code may run in the sandbox (the guard there does) but what is shown beside it, and which
proposals ``--approve risky`` lets pass. It reads the guard's own tables, so both speak of the same things. It looks at what
code *names*, so renaming a local variable does not lower a finding; code that hides its names (``getattr`` with a computed
string) is a finding itself. Harmless means: whole Python that was understood, in which nothing was found. It goes by names: a
data library's name that begins like reading or writing is asked about unless it was reviewed (``policy_names``).
"""

from __future__ import annotations

import ast
import re
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from smolcell.events import Finding
from smolcell.policy_files import PATH_WORDS, called_without_target, given_reads
from smolcell.policy_names import DATA_MODULES, DATA_PARTS, may_reach_a_file
from smolcell.policy_text import MOST_CONSTANT, addresses, gap, is_path, look_alike
from smolcell.source import tree
from smolcell.visible import hidden
from smolcell.worker import tables
from smolcell.worker.guard import Guard, Refusal
from smolcell.worker.modules import Shelf

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
LONG_LINE = 200
MOST_CHECKED = 100_000  # characters of a program that the guard's check is asked about
_MOST = 200  # findings of one program; a person reads fewer
_CLIP = 200  # characters of one finding
_CALL = re.compile(r"(?:\b(?!(?:and|or|not|in)\b)\w+|[)\]`])\s*\(")
_FIELD = re.compile(r"\{([^{}]*)")
_PART = re.compile(r"[.\[](\w+)")
_DUNDER = re.compile(r"__\w+__")
_PLAIN_DUNDERS = tables.SAFE_DUNDERS | {"__main__", "__future__"}
_PROCESS_CALLS = frozenset(
    name for names in tables.PROCESS_FUNCTIONS.values() for name in names if len(name) > 3
) | tables.LOOP_FUNCTIONS.union(tables.SHUT_NAMES["asyncio"])
_KNOWN = frozenset(tables.NODES) | {"Interactive", "Expression", "FormattedValue", "JoinedStr"}
_AT_LINE = re.compile(r"line (\d{1,9}):")
_ORDER = {"high": 0, "low": 1, "none": 2}


def findings(
    text: str, authorized: Iterable[str] = (), tools: Iterable[str] = (), files: Iterable[str] = ()
) -> tuple[Finding, ...]:
    """Everything worth saying about a program, most serious first, then by line; each thing once, where it is first.

    Args:
        text: the exact program.
        authorized: modules the sandbox authorises besides the standard list; importing any other is a high risk.
        tools: names of the host's functions that the program can call. Naming one is a low risk: what it does is not known here.
        files: names of files that were handed in, of folders with "/" at the end. Reading one, by its name and nothing else,
            is a low risk.
    """
    unique: dict[tuple[str, str, str], Finding] = {}
    for finding in _all(text, tuple(authorized), frozenset(tools), frozenset(files)):
        unique.setdefault((finding.kind, finding.text, finding.risk), finding)
    found = sorted(unique.values(), key=lambda f: (_ORDER[f.risk], f.line, f.kind, f.text))
    if len(found) > _MOST:
        more = Finding(kind="syntax", text=f"{len(found) - _MOST} more findings", risk=found[_MOST].risk)
        found[_MOST:] = [more]
    return tuple(found)


def harmless(found: Iterable[Finding]) -> bool:
    """Whether ``--approve risky`` may let it pass unseen: nothing above the plainest facts was found."""
    return all(finding.risk == "none" for finding in found)


def _all(text: str, authorized: tuple[str, ...], tools: frozenset[str], files: frozenset[str]) -> Iterator[Finding]:
    known: set[int] = set()
    for finding in _found(text, authorized, tools, files):
        if finding.risk != "none":
            known.add(finding.line)
        yield finding
    refusal = _refusal(text, authorized, tools)
    if refusal is not None and refusal.line not in known:
        yield refusal


def _refusal(text: str, authorized: tuple[str, ...], tools: frozenset[str]) -> Finding | None:
    """What the sandbox's guard would refuse first, by the guard itself (which rewrites the tree it is given)."""
    if len(text) > MOST_CHECKED:
        return _finding("syntax", f"program of {len(text)} characters: too long to be checked", 0, "low")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = ast.parse(text)
        bound = {name for node in ast.walk(module) for name in _binds(node)}
        Guard(Shelf([*tables.DEFAULT_IMPORTS, *tables.DATA_IMPORTS, *authorized]), tools, bound).visit(module)
    except Refusal as refusal:
        return _finding("syntax", f"the sandbox refuses: {str(refusal).partition('. ')[0]}", refusal.line, "high")
    except (SyntaxError, ValueError):  # what does not parse is a finding already
        return None
    except (RecursionError, MemoryError, OverflowError, SystemError) as error:
        return _finding("syntax", f"cannot be checked: {type(error).__name__}", 0, "low")
    return None


def _found(text: str, authorized: tuple[str, ...], tools: frozenset[str], files: frozenset[str]) -> Iterator[Finding]:
    yield from _of_text(text)
    module = tree(text)
    if isinstance(module, str):
        yield _finding("syntax", f"does not parse: {module}", int((_AT_LINE.match(module) or [0, 0])[1]), "low")
    else:
        yield from _of_tree(module, authorized, tools, given_reads(module, files))


def _finding(kind: str, text: str, line: int, risk: Risk) -> Finding:
    return Finding(kind=kind, text=text if len(text) <= _CLIP else text[: _CLIP - 1] + "…", line=line, risk=risk)


def _of_text(text: str) -> Iterator[Finding]:
    for line, _column, name in hidden(text):
        yield Finding(kind="hidden", text=f"invisible or control character: {name}", line=line, risk="high")
    for number, line_text in enumerate(text.split("\n"), 1):
        if len(line_text) > LONG_LINE:
            yield Finding(kind="long-line", text=f"line of {len(line_text)} characters", line=number, risk="low")
        if not line_text.isascii() and unicodedata.normalize("NFKC", line_text) != line_text:
            yield Finding(kind="hidden", text="characters that Python reads as others (NFKC)", line=number, risk="low")
        if columns := gap(line_text):
            yield Finding(kind="hidden", text=f"text after {columns} columns of blank", line=number, risk="low")
        if "\t" in line_text:
            yield Finding(kind="tab", text="tabs, which may be as wide as many spaces", line=number, risk="low")


def _of_tree(
    module: ast.Module, authorized: tuple[str, ...], tools: frozenset[str], given: dict[int, str]
) -> Iterator[Finding]:
    quiet = called_without_target(module) | given.keys()
    for node in _walk(module):
        name = type(node).__name__
        if name not in _KNOWN:
            yield _finding("syntax", f"{name} has not been reviewed", _line(node), "high")
        yield from _identifiers(node)
        for visit in () if id(node) in quiet else _VISITS.get(name, ()):
            yield from visit(node)
        if id(node) in given:
            yield _finding("file", f"reads {given[id(node)]}, which was given", _line(node), "low")
        if isinstance(node, ast.Name) and node.id in tools:
            yield _finding("tool", node.id, node.lineno, "low")
    yield from _computed_formats(module)
    for node, imported in _imports(module):
        yield _import(imported, _line(node), authorized)
    written = sorted(set(_written(module)))
    if written:
        yield _finding("name", f"{', '.join(written[:20])}{' …' if len(written) > 20 else ''}", 0, "none")


def _written(module: ast.Module) -> Iterator[str]:
    """The names that the program binds in its own namespace, where the next step finds them."""
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
    """The node's parts, without those that have a namespace of their own."""
    match node:
        case ast.FunctionDef(args=args) | ast.AsyncFunctionDef(args=args):
            return [*node.decorator_list, *_defaults(args)]
        case ast.Lambda(args=args):
            return _defaults(args)
        case ast.ClassDef():
            return [*node.decorator_list, *node.bases, *node.keywords]
        case ast.comprehension():  # an assignment expression in it does bind outside
            return [node.iter, *node.ifs]
    return ast.iter_child_nodes(node)


def _defaults(args: ast.arguments) -> list[ast.expr]:
    return [*args.defaults, *(default for default in args.kw_defaults if default is not None)]


def _walk(module: ast.Module) -> Iterator[ast.AST]:
    """Every node but the contexts and operators, which say nothing."""
    return (node for node in ast.walk(module) if not isinstance(node, (ast.expr_context, ast.operator, ast.cmpop)))


def _line(node: ast.AST) -> int:
    return int(getattr(node, "lineno", 0) or 0)


# --- imports -----------------------------------------------------------------------------------------------------------


def _imports(module: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node, "." * node.level + (node.module or "")


def _import(name: str, line: int, authorized: tuple[str, ...]) -> Finding:
    top = name.partition(".")[0]
    for modules, kind in (
        (NETWORK_MODULES, "network"),
        (PROCESS_MODULES, "process"),
        (CODE_MODULES, "process"),
        (FILE_MODULES, "file"),
    ):
        if top in modules:
            return _finding(kind, f"import {name}", line, "high")
    unclear = [part for part in name.split(".")[1:] if part not in DATA_PARTS] if top in DATA_MODULES else []
    if unclear:
        return _finding("file", f"import {name} may read or write a file", line, "low")
    known = _authorizes((*tables.DEFAULT_IMPORTS, *tables.DATA_IMPORTS, *authorized), name)
    return _finding("import", name + ("" if known else " (not authorised)"), line, "none" if known else "high")


def _authorizes(authorized: Iterable[str], name: str) -> bool:
    return any(
        entry in ("*", name) or (entry.endswith(".*") and (name == entry[:-2] or name.startswith(entry[:-1])))
        for entry in authorized
    )


# --- names, attributes, calls, strings ---------------------------------------------------------------------------------


def _attribute(node: ast.AST) -> Iterator[Finding]:
    assert isinstance(node, ast.Attribute)  # noqa: S101
    yield from _named(node.attr, _line(node), attribute=True)


def _alias(node: ast.AST) -> Iterator[Finding]:
    """``from asyncio import create_subprocess_shell as f`` names what ``asyncio.create_subprocess_shell`` names."""
    assert isinstance(node, ast.alias)  # noqa: S101
    if node.name == "*":
        yield _finding("import", "* (hides what is imported)", _line(node), "low")
    for part in node.name.split("."):
        yield from _named(part, _line(node), attribute=True)


def _pattern(node: ast.AST) -> Iterator[Finding]:
    assert isinstance(node, ast.MatchClass)  # noqa: S101
    for name in node.kwd_attrs:
        yield from _named(name, _line(node), attribute=True)


def _name(node: ast.AST) -> Iterator[Finding]:
    assert isinstance(node, ast.Name)  # noqa: S101
    yield from _named(node.id, _line(node), attribute=False)


def _named(name: str, line: int, *, attribute: bool) -> Iterator[Finding]:
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
    elif name in READING_CALLS:
        does = "opens" if name == "open" else "reads"  # it may be for writing
        yield _finding("file", f"{name} {does} a file", line, "high")
    elif name in WRITING_CALLS and attribute:
        yield _finding("file", f"{name} writes a file", line, "high")
    elif attribute and may_reach_a_file(name):
        yield _finding("file", f"{name} may read or write a file", line, "low")


def _string(node: ast.AST) -> Iterator[Finding]:
    assert isinstance(node, ast.Constant)  # noqa: S101
    if not isinstance(node.value, str | bytes):
        return
    text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
    line = _line(node)
    if len(text) > MOST_CONSTANT:
        yield _finding("syntax", f"constant of {len(text)} characters", line, "low")
        return
    for host in addresses(text):
        yield _finding("network", f"address of {host[:80]}", line, "high")
    text = text.strip()
    if is_path(text):
        yield _finding("file", f"path {text[:80]}", line, "low")
    elif "_" in text and text.isidentifier() and (text in READING_CALLS | WRITING_CALLS or may_reach_a_file(text)):
        yield _finding("file", f"the name {text}, by which agg() or apply() may call it", line, "low")
    elif text in tables.DENIED_ATTRIBUTES or (_DUNDER.fullmatch(text) and text not in _PLAIN_DUNDERS):
        yield _finding("dunder", f"the name {text}, by which it may be looked up", line, "low")
    elif any(
        name[0] == "_" or name in tables.DENIED_ATTRIBUTES
        for field in _FIELD.findall(text)
        for name in _PART.findall(field)
    ):
        yield _finding("dunder", f"text that format() could read attributes by: {text[:80]}", line, "low")


def _computed_formats(module: ast.Module) -> Iterator[Finding]:
    """``format`` of a text that does not stand in the program as it is: what it reads is known only when it runs."""
    plain = _constant_names(module)
    for node in ast.walk(module):
        if not (isinstance(node, ast.Attribute) and node.attr in tables.FORMAT_ATTRIBUTES):
            continue
        owner = node.value
        if not (isinstance(owner, ast.Constant) or (isinstance(owner, ast.Name) and owner.id in plain)):
            yield _finding("dunder", f"{node.attr} of a text that is computed", _line(node), "low")


def _constant_names(module: ast.Module) -> set[str]:
    """Names that the program binds to string constants and to nothing else."""
    plain: dict[int, str] = {}  # the very node of the target, so that a second binding is seen as another
    for node in ast.walk(module):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            plain.update({id(target): target.id for target in node.targets if isinstance(target, ast.Name)})
    other = {name for node in ast.walk(module) for name in _binds(node) if id(node) not in plain}
    return set(plain.values()) - other


def _binds(node: ast.AST) -> Iterator[str]:
    """The names that this very node binds."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name) | ast.MatchMapping(rest=str(name)):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.alias(name=name, asname=asname):
            yield asname or name.partition(".")[0]


def _identifiers(node: ast.AST) -> Iterator[Finding]:
    """Names that are not what they look like."""
    for field, value in () if isinstance(node, ast.Constant) else ast.iter_fields(node):
        for name in value if isinstance(value, list) else [value]:
            if type(name) is str and field != "type_comment" and (why := look_alike(name)):
                yield _finding("hidden", f"name that {why}", _line(node), "high")


def _paths(node: ast.AST) -> Iterator[Finding]:
    """The constant that a call which reads or writes a file is given."""
    assert isinstance(node, ast.Call)  # noqa: S101
    called = getattr(node.func, "attr", getattr(node.func, "id", ""))
    if called in READING_CALLS or called in WRITING_CALLS:
        for given in (*node.args[:1], *(word.value for word in node.keywords if word.arg in PATH_WORDS)):
            if isinstance(given, ast.Constant) and isinstance(given.value, str) and not is_path(given.value.strip()):
                yield _finding("file", f"path {given.value[:80]}", _line(node), "low")


def _query(node: ast.AST) -> Iterator[Finding]:
    """``df.query`` evaluates a text: one that is known and calls nothing is a plain condition."""
    assert isinstance(node, ast.Call)  # noqa: S101
    if not (isinstance(node.func, ast.Attribute) and node.func.attr == "query"):
        return
    texts = [*node.args, *(word.value for word in node.keywords)]
    if not all(isinstance(text, ast.Constant) and not _CALL.search(str(text.value)) for text in texts):
        yield _finding("process", "query evaluates a text that is not plain", _line(node), "low")


_VISITS: dict[str, tuple[Callable[[ast.AST], Iterator[Finding]], ...]] = {
    "Attribute": (_attribute,),
    "MatchClass": (_pattern,),
    "Name": (_name,),
    "alias": (_alias,),
    "Constant": (_string,),
    "Call": (_query, _paths),
}
