"""Modules out of a zip that is held in memory: a sandbox may have no place for a file that its code cannot change.

The rules this file exists to keep:

* Bytecode is taken where it is of this very Python; else the source beside it is compiled.
* What the archive holds goes before what is installed.
"""

from __future__ import annotations

import importlib.abc
import importlib.util
import io
import marshal
import sys
import types
import zipfile
from typing import Any

_HEAD = 16  # bytes before the code (PEP 552)


class Archive(importlib.abc.MetaPathFinder):
    """Finds and loads the modules of one zip.

    Args:
        data: the zip.
    """

    def __init__(self, data: bytes) -> None:
        self.zip = zipfile.ZipFile(io.BytesIO(data))
        self.names = frozenset(self.zip.namelist())

    def add(self) -> None:
        """Let imports find it from now on."""
        sys.meta_path.insert(0, self)

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        """The spec of a module that is in there; None for any other."""
        base = fullname.replace(".", "/")
        for name, package in ((f"{base}/__init__.py", True), (f"{base}.py", False)):
            if name in self.names:
                loader = _Loader(self, name)
                return importlib.util.spec_from_loader(fullname, loader, origin=f"agent/{name}", is_package=package)
        return None


class _Loader(importlib.abc.InspectLoader):
    def __init__(self, archive: Archive, name: str) -> None:
        self._archive, self._name = archive, name

    def is_package(self, fullname: str) -> bool:
        return self._name.endswith("/__init__.py")

    def get_source(self, fullname: str) -> str:
        return self._archive.zip.read(self._name).decode("utf-8")

    def get_code(self, fullname: str) -> types.CodeType | None:
        compiled = f"{self._name}c"
        if compiled in self._archive.names:
            data = self._archive.zip.read(compiled)
            if data.startswith(importlib.util.MAGIC_NUMBER):
                code: types.CodeType = marshal.loads(data[_HEAD:])  # noqa: S302 - of the host, which runs this program
                return code
        return compile(self.get_source(fullname), f"agent/{self._name}", "exec", dont_inherit=True)

    def get_resource_reader(self, fullname: str) -> Any:
        return _Resources(zipfile.Path(self._archive.zip, self._name.rpartition("/")[0] + "/"))


class _Resources:
    """A package's files, as ``importlib.resources`` asks for them."""

    def __init__(self, folder: Any) -> None:
        self._folder = folder

    def files(self) -> Any:
        return self._folder
