"""The folders of the Python environment that a sandbox may read, and which of them contain modules.

* For the installation itself, see ``worker.system.folders``.
* Packages installed "editable" are made readable one by one, never with the folder that contains them.
* A home folder, or a folder that contains one, is never made readable.
"""

from __future__ import annotations

import ast
import functools
import importlib.util
import io
import marshal
import os
import shutil
import zipfile
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path

import smolcell.worker
from smolcell.worker.system.folders import holds_home
from smolcell.worker.system.folders import readable_paths as readable_paths
from smolcell.worker.system.folders import site_paths as site_paths

LENT = "editable"  # folder of links to packages in other places


def editable() -> dict[str, str]:
    """Return packages and modules that are installed editable: top-level name -> path."""
    found: dict[str, str] = {}
    for folder in site_paths():
        for path in sorted(Path(folder).glob("*.pth")):
            for line in _lines(path):
                if not line.startswith(("import ", "import\t", "#")):
                    found.update(_modules(Path(folder, line.strip())))
        for path in sorted(Path(folder).glob("__editable__*_finder.py")):
            found.update(_mapping(path))
    return {name: path for name, path in found.items() if not holds_home(path)}


def _lines(path: Path) -> list[str]:
    try:
        return [line for line in path.read_text("utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError):
        return []


def _modules(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the importable names of a folder: packages with an ``__init__``, and modules."""
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    for entry in entries:
        if entry.stem.isidentifier() and (
            (entry / "__init__.py").is_file() or (entry.suffix == ".py" and entry.is_file())
        ):
            yield entry.name, str(entry)


def _mapping(finder: Path) -> Iterator[tuple[str, str]]:
    """Read setuptools' editable installs from ``MAPPING`` in a generated module, without running it."""
    try:
        tree = ast.parse(finder.read_text("utf-8"))
    except (OSError, SyntaxError, ValueError):
        return
    for node in tree.body:
        target = node.target if isinstance(node, ast.AnnAssign) else None
        if not (isinstance(target, ast.Name) and target.id == "MAPPING" and isinstance(node, ast.AnnAssign)):
            continue
        try:
            mapping = ast.literal_eval(node.value) if node.value is not None else {}
        except ValueError:
            return
        for name, path in mapping.items() if isinstance(mapping, dict) else ():
            if isinstance(name, str) and isinstance(path, str) and name.isidentifier():
                yield Path(path).name, path


def lend_editable(folder: Path) -> list[str]:
    """Fill a folder with links to editable packages; returns their targets."""
    packages = editable()
    folder.mkdir()
    for name, path in packages.items():
        (folder / name).symlink_to(path)
    return list(packages.values())


def lend_font_list(folder: Path) -> None:
    """Copy matplotlib's list of fonts if there is one: building it takes seconds in every new sandbox."""
    home = os.environ.get("MPLCONFIGDIR") or os.environ.get("XDG_CACHE_HOME", "~/.cache") + "/matplotlib"
    folder.mkdir(parents=True)
    try:
        for path in Path(home).expanduser().glob("fontlist-*.json"):
            shutil.copy(path, folder)
    except (OSError, RuntimeError):
        pass  # matplotlib builds the list again


# --- The worker as a zip, which is sent to every sandbox.
#
# * The zip holds the sources (for Python 3.9 and later) and bytecode for this Python, with which the same version starts faster.
# * It is built once per process and contains only ``smolcell/worker``.


# Not "-I": programs that the code starts would inherit it and ignore PYTHONPATH. The environment is built from nothing, and the
# first entry of sys.path is the archive.
FLAGS = ("-s", "-S")
PACKAGE = "smolcell_worker"
_UNCHECKED = (1).to_bytes(4, "little")  # PEP 552: hash-based, not checked against the source


@functools.cache
def worker_zip() -> bytes:
    """Return the worker as a zip that Python can run."""
    folder = Path(smolcell.worker.__file__).parent
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(_entry("__main__.py"), f"from {PACKAGE}.supervisor import main\n\nmain()\n")
        for path in sorted(folder.rglob("*.py")):
            name = f"{PACKAGE}/{path.relative_to(folder).as_posix()}"
            module = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            archive.writestr(_entry(name), path.read_bytes())
            archive.writestr(_entry(f"{name}c"), bytecode(module, path))
    return data.getvalue()


def _entry(name: str) -> zipfile.ZipInfo:
    return zipfile.ZipInfo(name, date_time=(2020, 1, 1, 0, 0, 0))


def bytecode(name: str, path: Path) -> bytes:
    """Return a module's bytecode for this Python, in the form that a zip may contain beside the source."""
    code = SourceFileLoader(name, str(path)).get_code(name)
    return importlib.util.MAGIC_NUMBER + _UNCHECKED + bytes(8) + marshal.dumps(code)
