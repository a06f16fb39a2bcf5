"""Rules of the design that no type checker holds, read off the syntax trees of the sources."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "smolcell"
SOURCES = sorted(PACKAGE.rglob("*.py"))
PAGE = sorted((ROOT / "labextension" / "src").rglob("*.ts*"))

PURE = {
    "codec", "describe", "errors", "events", "forms", "loop", "memory", "messages", "parse", "permit", "policy", "policy_files",
    "policy_names", "prompt", "protocols", "source", "steps", "visible", "window",
}  # fmt: skip
"""Layers 1 and 2 without `waiter` and `background`, whose purpose is to wait, and `redact`, which reads the environment."""

DOES_IO = {
    "asyncio", "concurrent", "ctypes", "fcntl", "glob", "http", "importlib", "io", "logging", "mmap", "multiprocessing",
    "os", "pathlib", "pickle", "select", "selectors", "shutil", "signal", "socket", "sqlite3", "ssl", "subprocess",
    "tempfile", "time", "urllib",
}  # fmt: skip

MAX_FILE, MAX_FUNCTION = 400, 60  # lines; the aim is 300 and 30


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), relative(path))


def package_of(path: Path) -> list[str]:
    """The package that relative imports of this file start from."""
    return list(path.relative_to(ROOT).parent.parts)


def imports(path: Path) -> Iterator[tuple[ast.stmt, str, str, str]]:
    """Each import as (statement, module, name or "", name here); relative ones made absolute."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node, alias.name, "", alias.asname or alias.name
        elif isinstance(node, ast.ImportFrom):
            above = package_of(path)[: len(package_of(path)) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                yield node, module, alias.name, alias.asname or alias.name


def dotted(node: ast.expr) -> str:
    return ast.unparse(node) if isinstance(node, (ast.Name, ast.Attribute)) else ""


def permit_calls(path: Path) -> Iterator[tuple[str, int]]:
    """(innermost enclosing function, line) of whatever in a file reaches the function ``smolcell.permit.permit``."""
    names: set[str] = set()
    for _, module, name, here in imports(path):
        if (module, name) == ("smolcell.permit", "permit"):
            names.add(here)
        elif (module, name) in {("smolcell", "permit"), ("smolcell.permit", "")}:
            names.add(f"{here}.permit")

    def walk(node: ast.AST, function: str) -> Iterator[tuple[str, int]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield from walk(child, child.name)
                continue
            # not only calls: a permit function that is passed on would be called out of sight
            if isinstance(child, (ast.Name, ast.Attribute)) and dotted(child) in names:
                yield function, child.lineno
            yield from walk(child, function)

    yield from walk(tree(path), "")


def may_permit(path: Path, function: str) -> bool:
    here = relative(path)
    return here.startswith("smolcell/gates/") or (here.startswith("smolcell/executors/") and function == "__call__")


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from smolcell.permit import permit\ndef f(): permit(1)", [("f", 2)]),
        ("from smolcell.permit import permit as allow\nclass A:\n def __call__(self): return allow", [("__call__", 3)]),
        ("from ..permit import permit\npermit()", [("", 2)]),
        ("from smolcell import permit as p\np.permit()", [("", 2)]),
        ("import smolcell.permit\nsmolcell.permit.permit()", [("", 2)]),
        ("from smolcell.permit import spend\nspend(1)", []),
        ("def run(permit): permit.text", []),
    ],
)
def test_every_way_to_reach_the_permit_function_is_seen(
    source: str, found: list[tuple[str, int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    path = tmp_path / "smolcell" / "executors" / "x.py"
    path.parent.mkdir(parents=True)
    path.write_text(source)
    assert list(permit_calls(path)) == found


def test_only_gates_and_calling_an_executor_make_permits() -> None:
    outside = [
        f"{relative(path)}:{line}"
        for path in SOURCES
        if path != PACKAGE / "permit.py"
        for function, line in permit_calls(path)
        if not may_permit(path, function)
    ]
    assert outside == []


def test_only_the_permit_function_constructs_a_permit() -> None:
    made = [
        f"{relative(path)}:{node.lineno}"
        for path in SOURCES
        if path != PACKAGE / "permit.py"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and dotted(node.func).rpartition(".")[2] == "Allowed"
    ]
    assert made == []


def test_values_shapes_and_decisions_import_the_standard_library_without_io_only() -> None:
    wrong = [
        f"{relative(path)}:{statement.lineno} {module}"
        for path in SOURCES
        if path.parent == PACKAGE and path.stem in PURE
        for statement, module, _, _ in imports(path)
        if (top := module.partition(".")[0]) != "smolcell" and (top in DOES_IO or top not in sys.stdlib_module_names)
    ]
    assert wrong == []


def test_the_worker_needs_nothing_but_the_standard_library_and_itself() -> None:
    """At import; a function that moves an array or a table imports the library that the value came from."""
    wrong = [
        f"{relative(path)}:{statement.lineno} {module}"
        for path in SOURCES
        if PACKAGE / "worker" in path.parents
        for statement, module, _, _ in imports(path)
        if statement.col_offset == 0
        if not module.startswith("smolcell.worker") and module.partition(".")[0] not in sys.stdlib_module_names
    ]
    assert wrong == []


UNPICKLES = re.compile(r"^(pickle|_pickle|cloudpickle|dill|joblib|marshal|shelve)$")


def test_nothing_is_unpickled_on_the_host() -> None:
    """What comes back from a sandbox is data. Only the worker unpickles, and only what the host sent it."""
    found: list[str] = []
    for path in SOURCES:
        if PACKAGE / "worker" in path.parents:
            continue
        for statement, module, name, _ in imports(path):
            if UNPICKLES.match(module) and name in {"load", "loads", "open", "Unpickler", "*"}:
                found.append(f"{relative(path)}:{statement.lineno} from {module} import {name}")
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Attribute):
                base, _, name = dotted(node).rpartition(".")
                loads = UNPICKLES.match(base) and name in {"load", "loads", "open"}
                if loads or name in {"Unpickler", "read_pickle"}:
                    found.append(f"{relative(path)}:{node.lineno} {base}.{name}")
            elif isinstance(node, ast.keyword) and node.arg == "allow_pickle" and ast.unparse(node.value) != "False":
                found.append(f"{relative(path)}:{node.value.lineno} allow_pickle")
    assert found == []


def test_the_library_neither_prints_nor_sets_up_logging() -> None:
    found = [
        f"{relative(path)}:{node.lineno}"
        for path in SOURCES
        if not relative(path).startswith("smolcell/cli")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and dotted(node.func) in {"print", "logging.basicConfig"}
    ]
    assert found == []


def lines_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function without its docstring: words of explanation are never too many."""
    first = node.body[1] if ast.get_docstring(node) is not None and len(node.body) > 1 else node.body[0]
    return (node.end_lineno or 0) - first.lineno + 1


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_files_and_functions_can_be_read_at_one_sitting(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    too_long = {
        node.name: lines_of(node)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and lines_of(node) > MAX_FUNCTION
    }
    assert (text.count("\n") <= MAX_FILE, too_long) == (True, {})


MAKES_MARKUP = re.compile(
    r"""\.innerHTML\b | \.outerHTML\b | insertAdjacentHTML\s*\( | document\.write(ln)?\s*\( | setHTMLUnsafe\s*\(
      | createContextualFragment\s*\( | \[\s*["'](inner|outer)HTML["']\s*\] | dangerouslySetInnerHTML
      | \bnew\s+Function\s*\( | \beval\s*\( | \bsrcdoc\b """,
    re.VERBOSE,
)


def test_no_two_test_files_have_one_name() -> None:
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert sorted({name for name in names if names.count(name) > 1}) == []  # pytest imports them by it


def test_the_page_is_built_from_nodes_and_text() -> None:
    """Markup that a model or a sandbox wrote would own the page, and the page owns the kernel."""
    found = [
        (path.name, match[0])
        for path in PAGE
        for line in path.read_text(encoding="utf-8").splitlines()
        if (match := MAKES_MARKUP.search(line))
    ]
    # what was written anew is read, and becomes the document of a frame that may do nothing
    assert found == [("frame.ts", "srcdoc"), ("frame.ts", ".innerHTML")]
