"""Print figures about the layout of the package: ``python scripts/measure_layout.py [--load]``.

Imports are read off the syntax trees. An import at the top level of a module (also below ``if`` and ``try``) is a *runtime*
import, one in a function is *lazy*, one below ``if TYPE_CHECKING`` is *type-only*. ``from a import b`` is an import of a.b if
that is a module, else of a. The packages above an imported module are not counted.

* The longest import chain counts the modules on the longest path of runtime imports; the modules of a cycle count together.
* Import levels are the same for the parts directly in smolcell/, each folder taken as one.
* A circular import is a set of modules that import each other, directly or not.
* A module with one importer is imported by one other module, by any kind of import.
* Lines of code are those with a token that is neither a comment nor a docstring. The extensions are ``EXTENSIONS``; the rest is the core.
* A method is a function in the body of a class. An attribute is an annotated name there, or set on ``self`` in a method. Values of
  frozen data classes have no bound.
* The files of a kind of event are those of the package and of the page that name its class; the median of all kinds.
* The files of one ``%%agent`` cell are those of smolcell with a Python call in this process, on any thread, while a cell of a new
  session runs: one step in the local sandbox, a replayed model, no page. The changes of file are those from one call to the
  next, by time. A cell before it imported what there is to import. Three such cells; the median.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import tokenize
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "smolcell"
TASK, REPLY = "Add one and one.", "I add the numbers.\n<code>\nprint('adding')\nfinal_answer(1 + 1)\n</code>"
EXTENSIONS = (
    "compat hub inside interop lesson scale server telemetry testing executors.cloud executors.wasm worker.cloud worker.wasm"
).split()
MAX_METHODS, MAX_ATTRIBUTES = 25, 15
Graph = Mapping[str, Set[str]]


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(nodes: Sequence[ast.stmt], kind: str = "runtime") -> Iterator[tuple[str, ast.Import | ast.ImportFrom]]:
    """Each import below these statements and its kind: runtime, lazy or type-only."""
    for node in nodes:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield kind, node
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from imports(node.body, "type-only")
            yield from imports(node.orelse, kind)
        else:
            inside = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            for part in ("body", "orelse", "finalbody", "handlers", "cases"):
                yield from imports(getattr(node, part, ()), "lazy" if inside and kind == "runtime" else kind)


def targets(name: str, path: Path, node: ast.Import | ast.ImportFrom, known: Mapping[str, Path]) -> set[str]:
    """The modules of the package that an import names."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names} & known.keys()
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    above = package[: len(package) - node.level + 1] if node.level else []
    base = ".".join([*above, *([node.module] if node.module else [])])
    named = {f"{base}.{alias.name}" if f"{base}.{alias.name}" in known else base for alias in node.names}
    return named & known.keys() - {name}


def graph(known: Mapping[str, Path], *kinds: str) -> dict[str, set[str]]:
    """Which module imports which, by imports of these kinds."""
    found: dict[str, set[str]] = {name: set() for name in known}
    for name, path in known.items():
        for kind, node in imports(ast.parse(path.read_text(encoding="utf-8")).body):
            if kind in kinds:
                found[name] |= targets(name, path, node, known)
    return found


def reached(imported: Graph, name: str) -> set[str]:
    """What a module imports, directly or not; itself if it is in a cycle."""
    found: set[str] = set()
    todo = [name]
    while todo:
        new = imported[todo.pop()] - found
        found |= new
        todo += new
    return found


def cycles(imported: Graph) -> list[list[str]]:
    """The sets of modules that import each other, directly or not."""
    below = {name: reached(imported, name) for name in imported}
    sets = {name: sorted(other for other in below[name] if name in below[other]) for name in imported}
    return [members for name, members in sets.items() if members and members[0] == name]


def chain(imported: Graph) -> list[str]:
    """The modules of the longest path of imports, the importer first."""
    members = {name: [name] for name in imported}
    members |= {name: cycle for cycle in cycles(imported) for name in cycle}

    @cache
    def longest(name: str) -> list[str]:
        below = {other for each in members[name] for other in imported[each]} - set(members[name])
        return [*members[name], *max((longest(other) for other in sorted(below)), key=len, default=[])]

    return max((longest(name) for name in imported), key=len)


def parts(imported: Graph) -> dict[str, set[str]]:
    """The same for the parts directly in the package."""
    found: dict[str, set[str]] = {}
    for name, others in imported.items():
        part = ".".join(name.split(".")[:2])
        found.setdefault(part, set()).update({".".join(other.split(".")[:2]) for other in others} - {part})
    return found


def code_lines(path: Path) -> int:
    """The lines of code of a file."""
    text = path.read_text(encoding="utf-8")
    noted = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    found: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in noted:
            found.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.body:
            first = node.body[0]
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                found.difference_update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return len(found)


def is_extension(name: str) -> bool:
    """Whether a module belongs to an extension."""
    short = name.removeprefix("smolcell.")
    return any(short == each or short.startswith(f"{each}.") for each in EXTENSIONS)


def classes(known: Mapping[str, Path]) -> Iterator[tuple[str, str, int, int]]:
    """Every class: its module and name, its methods and its attributes; a frozen data class has 0 attributes."""
    for module, path in known.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                methods = [each for each in node.body if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))]
                frozen = any("frozen=True" in ast.unparse(each) for each in node.decorator_list)
                yield module, node.name, len(methods), 0 if frozen else len(attributes(node, methods))


def attributes(node: ast.ClassDef, methods: Sequence[ast.FunctionDef | ast.AsyncFunctionDef]) -> set[str]:
    """The attributes of a class."""
    found = {
        each.target.id for each in node.body if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    }
    for each in (inner for method in methods for inner in ast.walk(method)):
        if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store) and ast.unparse(each.value) == "self":
            found.add(each.attr)
    return found


def event_files() -> int:
    """How many files name a kind of event."""
    sources = [*PACKAGE.rglob("*.py"), *(ROOT / "labextension" / "src").rglob("*.ts*")]
    texts = [path.read_text(encoding="utf-8") for path in sources]
    union = re.search(
        r"^Event\s*=\s*(.+?)\n\n", (PACKAGE / "events.py").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    kinds = re.findall(r"\w+", union[1]) if union else []
    return int(statistics.median(sum(bool(re.search(rf"\b{kind}\b", text)) for text in texts) for kind in kinds))


def policy_reads(known: Mapping[str, Path]) -> int:
    """How often the code asks for the policy in force."""
    called = (
        node
        for path in known.values()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    )
    return sum(ast.unparse(node.func) in ("current", "policy.current") for node in called)


def cell() -> tuple[int, int]:
    """Files and changes of file of one ``%%agent`` cell."""
    called: list[str] = []
    package = str(PACKAGE) + os.sep

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(package):
            called.append(frame.f_code.co_filename)

    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        os.environ |= {"SMOLCELL_STATE_DIR": folder, "SMOLCELL_CONFIG_DIR": folder}
        lines = {"format": "smolcell-recording", "version": 1, "model": "m"}, {"task": TASK, "text": REPLY}
        recording = Path(folder, "replies.jsonl")
        recording.write_text("".join(json.dumps(line) + "\n" for line in lines))
        from IPython.core.interactiveshell import InteractiveShell

        shell = InteractiveShell()
        threading.setprofile(note)  # before the threads begin that smolcell keeps
        sys.setprofile(note)
        shell.run_line_magic("load_ext", "smolcell")
        found = []
        for _ in range(4):
            called.clear()
            shell.run_cell_magic("agent", f"--replay {recording} --approve auto --new", TASK)
            time.sleep(0.5)  # what is done on other threads afterwards
            seen = list(called)
            found.append((len(set(seen)), sum(a != b for a, b in pairwise(seen))))
        sys.setprofile(None)
        threading.setprofile(None)
        shell.run_line_magic("unload_ext", "smolcell")
    files, changes = zip(*found[1:], strict=True)
    return int(statistics.median(files)), int(statistics.median(changes))


def loading() -> str:
    """What the benchmark says of ``%load_ext smolcell`` in warm kernels."""
    run = [sys.executable, str(ROOT / "tests" / "benchmarks" / "bench_load.py"), "7"]
    return subprocess.run(run, stdout=subprocess.PIPE, text=True, check=False).stdout.partition("\n")[0]


def main() -> None:
    parser = argparse.ArgumentParser(description="Print figures about the layout of the package.")
    parser.add_argument("--load", action="store_true", help="also the time of %%load_ext smolcell, which takes longer")
    given = parser.parse_args()
    known = modules()
    lines = {name: path.read_text(encoding="utf-8").count("\n") for name, path in known.items()}
    runtime, every = graph(known, "runtime"), graph(known, "runtime", "lazy", "type-only")
    importers = [sum(name in others for others in every.values()) for name in known]
    table: list[tuple[str, object]] = [
        ("modules", len(known)),
        ("modules directly in smolcell/", len(list(PACKAGE.glob("*.py")))),
        ("modules directly in smolcell/worker/", len(list((PACKAGE / "worker").glob("*.py")))),
        ("lines", sum(lines.values())),
        ("lines of a file, median", round(statistics.median(lines.values()))),
        ("lines of a file, longest", max((count, name) for name, count in lines.items())),
        ("import levels", len(chain(parts(runtime)))),
        ("longest import chain", len(chain(runtime))),
        ("circular imports, runtime", len(cycles(runtime))),
        ("circular imports, with lazy and type-only ones", len(cycles(every))),
        ("modules with one importer", importers.count(1)),
    ]
    code = {name: code_lines(path) for name, path in known.items()}
    every_class = list(classes(known))
    names = Counter(name for module, name, *_ in every_class if not is_extension(module))
    big = [each for each in every_class if each[2] > MAX_METHODS or each[3] > MAX_ATTRIBUTES]
    table += [
        ("lines of code", sum(code.values())),
        ("lines of code in the core", sum(lines for name, lines in code.items() if not is_extension(name))),
        ("lines of code in the extensions", sum(lines for name, lines in code.items() if is_extension(name))),
        (f"classes above {MAX_METHODS} methods or {MAX_ATTRIBUTES} attributes", len(big)),
        ("class names defined twice in the core", sum(count > 1 for count in names.values())),
        ("files that name a kind of event", event_files()),
        ("reads of the policy in force", policy_reads(known)),
    ]
    table += zip(("files of one %%agent cell", "changes of file of one %%agent cell"), cell(), strict=True)
    for label, figure in table:
        print(f"{label:<48} {figure[0]:>7,} {figure[1]}" if isinstance(figure, tuple) else f"{label:<48} {figure:>7}")
    if given.load:
        print(loading())
    print("\nlongest import chain:", " > ".join(name.removeprefix("smolcell.") for name in chain(runtime)))
    for module, name, methods, held in sorted(big, key=lambda each: -each[2]):
        print(f"class: {methods:>3} methods {held:>3} attributes  {module.removeprefix('smolcell.')}.{name}")
    for name, count in names.items():
        if count > 1:
            print("twice:", name)
    for each in cycles(every):
        print("circular:", " ".join(name.removeprefix("smolcell.") for name in each))


if __name__ == "__main__":
    main()
