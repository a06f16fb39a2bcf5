"""Rules of the design that no type checker holds, read off the syntax trees of the sources."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from examples import cases

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "smolcell"
SOURCES = sorted(PACKAGE.rglob("*.py"))
PAGE = sorted((ROOT / "labextension" / "src").rglob("*.ts*"))

MAX_FUNCTION = 60  # lines; the aim is 30
OWN_PROCESS = PACKAGE / "models" / "gguf_server.py"
"""Run as a program, started with ``-P``: it prints its address to the process that started it, and has no folder to be protected from."""


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), relative(path))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree(path)))


def package_of(path: Path) -> list[str]:
    """The package that relative imports of this file start from."""
    return list(path.relative_to(ROOT).parent.parts)


def imports(path: Path) -> Iterator[tuple[ast.stmt, str, str, str]]:
    """Each import as (statement, module, name or "", name here); relative ones made absolute."""
    for node in nodes(path):
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
    return here == "smolcell/approval/gates.py" or (here.startswith("smolcell/executors/") and function == "__call__")


@pytest.mark.parametrize(("source", "found"), cases(__file__, "permits"))
def test_every_way_to_reach_the_permit_function_is_seen(
    source: str, found: list[list[str | int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    path = tmp_path / "smolcell" / "executors" / "x.py"
    path.parent.mkdir(parents=True)
    path.write_text(source)
    assert [list(call) for call in permit_calls(path)] == found


def test_only_gates_and_calling_an_executor_make_permits() -> None:
    outside = [
        f"{relative(path)}:{line}"
        for path in SOURCES
        if path != PACKAGE / "permit.py"
        for function, line in permit_calls(path)
        if not may_permit(path, function)
    ]
    assert outside == []


def calls(*names: str) -> list[tuple[str, str]]:
    """Where the sources call a function by one of these names, however dotted: (file and line, what is called)."""
    return [
        (f"{relative(path)}:{node.lineno}", dotted(node.func))
        for path in SOURCES
        for node in nodes(path)
        if isinstance(node, ast.Call) and dotted(node.func).endswith(names)
    ]


def test_only_the_permit_function_constructs_a_permit() -> None:
    made = [place for place, called in calls("Allowed") if called.rpartition(".")[2] == "Allowed"]
    assert [place for place in made if not place.startswith("smolcell/permit.py")] == []


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
        for node in nodes(path):
            if isinstance(node, ast.Attribute):
                base, _, name = dotted(node).rpartition(".")
                loads = UNPICKLES.match(base) and name in {"load", "loads", "open"}
                if loads or name in {"Unpickler", "read_pickle"}:
                    found.append(f"{relative(path)}:{node.lineno} {base}.{name}")
            elif isinstance(node, ast.keyword) and node.arg == "allow_pickle" and ast.unparse(node.value) != "False":
                found.append(f"{relative(path)}:{node.value.lineno} allow_pickle")
    assert found == []


def test_the_library_neither_prints_nor_sets_up_logging() -> None:
    found = [place for place, called in calls("print", "basicConfig") if called in {"print", "logging.basicConfig"}]
    allowed = ("smolcell/cli", relative(OWN_PROCESS))
    assert [place for place in found if not place.startswith(allowed)] == []


def lines_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function without its docstring: words of explanation are never too many."""
    first = node.body[1] if ast.get_docstring(node) is not None and len(node.body) > 1 else node.body[0]
    return (node.end_lineno or 0) - first.lineno + 1


def test_functions_can_be_read_at_one_sitting() -> None:
    too_long = [
        f"{relative(path)}:{node.lineno} {node.name} has {lines_of(node)} lines, and {MAX_FUNCTION} are the limit"
        for path in SOURCES
        for node in nodes(path)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and lines_of(node) > MAX_FUNCTION
    ]
    assert too_long == []


BELOW = {"core": {"core"}, "editor": {"core"}, "hosts": {"core", "hosts"}, "lab": {"core", "hosts", "lab"}}
"""What the files of each of the page's folders may import of the others."""


def test_the_card_knows_none_of_its_hosts_and_they_not_the_extension() -> None:
    wrong = [
        f"{path.parent.name}/{path.name} {folder}"
        for path in PAGE
        for folder in re.findall(r"""from "\.\./(\w+)/""", path.read_text(encoding="utf-8"))
        if folder not in BELOW[path.parent.name]
    ]
    assert wrong == []


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
    # a chart's library and specification, in a frame of a frame without an origin; and what was written again is read, and
    # becomes the document of a frame that may do nothing
    assert found == [
        ("chart.ts", "srcdoc"),
        ("chart.ts", "srcdoc"),
        ("html-frame.ts", "srcdoc"),
        ("html-frame.ts", ".innerHTML"),
    ]


OF_THE_KERNEL = {"IPython", "comm", "ipykernel", "jupyter_server", "tornado", "traitlets", "zmq"}
"""What the notebook's own processes have imported before smolcell is."""


OURS = re.compile(r"^(importing|optional)\(")  # both import without the current folder


def unguarded(path: Path) -> Iterator[str]:
    """Imports of other packages that are made at run time, and neither in ``with importing():`` nor in ``with optional(…):``."""

    def walk(node: ast.AST) -> Iterator[str]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and dotted(child.test) == "TYPE_CHECKING":
                continue
            if isinstance(child, ast.With) and any(OURS.search(ast.unparse(item)) for item in child.items):
                continue
            if isinstance(child, (ast.Import, ast.ImportFrom)) and not getattr(child, "level", 0):
                named = (
                    [child.module or ""] if isinstance(child, ast.ImportFrom) else [each.name for each in child.names]
                )
                known = {"smolcell", *OF_THE_KERNEL, *sys.stdlib_module_names}
                yield from (f"{relative(path)}:{child.lineno}" for name in named if name.partition(".")[0] not in known)
            elif isinstance(child, ast.Call) and dotted(child.func).endswith(("util.find_spec", "entry_points")):
                yield f"{relative(path)}:{child.lineno}"
            yield from walk(child)

    return walk(tree(path))


def test_other_packages_are_imported_without_the_current_folder() -> None:
    """The worker runs in the sandbox; on the host its values are read and written in ``importing()``."""
    sources = [path for path in SOURCES if path.relative_to(PACKAGE).parts[0] not in ("worker", "testing")]
    sources.remove(OWN_PROCESS)
    assert [found for path in sources for found in unguarded(path)] == []
