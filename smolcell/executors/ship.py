"""The worker as a zip: what every sandbox is sent.

The rules this file exists to keep:

* The zip holds the sources (any Python from 3.9 on) and bytecode for this Python (started faster where it is the same).
* It is built once a process and holds nothing but ``smolcell/worker``.
"""

from __future__ import annotations

import functools
import importlib.util
import io
import marshal
import zipfile
from importlib.machinery import SourceFileLoader
from pathlib import Path

import smolcell.worker

PACKAGE = "smolcell_worker"
_UNCHECKED = (1).to_bytes(4, "little")  # PEP 552: hash-based, not checked against the source


@functools.cache
def worker_zip() -> bytes:
    """The worker package as the bytes of a zip that Python can run."""
    folder = Path(smolcell.worker.__file__).parent
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(_entry("__main__.py"), f"from {PACKAGE}.supervisor import main\n\nmain()\n")
        for path in sorted(folder.glob("*.py")):
            archive.writestr(_entry(f"{PACKAGE}/{path.name}"), path.read_bytes())
            archive.writestr(_entry(f"{PACKAGE}/{path.name}c"), bytecode(f"{PACKAGE}.{path.stem}", path))
    return data.getvalue()


def _entry(name: str) -> zipfile.ZipInfo:
    return zipfile.ZipInfo(name, date_time=(2020, 1, 1, 0, 0, 0))


def bytecode(name: str, path: Path) -> bytes:
    """A module's bytecode for this Python, as a zip may hold it beside the source."""
    code = SourceFileLoader(name, str(path)).get_code(name)
    return importlib.util.MAGIC_NUMBER + _UNCHECKED + bytes(8) + marshal.dumps(code)
