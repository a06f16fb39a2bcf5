"""Files that agent code may open: its work folder, and files that libraries read of the installation.

* A path is checked by its target, after resolving symbolic links, ``..`` and folder descriptors.
* The checked path is the opened path: an object whose path could change in between is refused.
* Writable: the work folder. Readable besides: installed packages, fonts, time zones and tables of the system.
"""

from __future__ import annotations

import functools
import os
import pathlib
import sys
from typing import Any, Callable
from urllib.parse import unquote

from . import tables
from .imports import ForbiddenError

# Files that libraries ordinarily read: fonts, time zones, translations, MIME types, facts about the machine.
COMMON_PATHS = (
    "/etc/localtime",
    "/etc/mime.types",
    "/etc/os-release",
    "/etc/timezone",
    "/etc/zoneinfo",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/sys/devices/system/cpu",
    "/sys/fs/cgroup",
    "/usr/lib/os-release",
    "/usr/lib/zoneinfo",
    "/usr/local/share/fonts",
    "/usr/share/fonts",
    "/usr/share/lib/zoneinfo",
    "/usr/share/locale",
    "/usr/share/mime",
    "/usr/share/zoneinfo",
    "/Library/Fonts",
    "/System/Library/Fonts",
    "/dev/urandom",
    "/dev/random",
    "/dev/zero",
)
EXACT_PATHS = (os.devnull,)  # may be read and written
_PLAIN_PATHS = (pathlib.PosixPath, pathlib.WindowsPath, pathlib.PurePosixPath, pathlib.PureWindowsPath)
_realpath, _join, _isabs, _split = os.path.realpath, os.path.join, os.path.isabs, os.path.split
_isdir = os.path.isdir
_readlink, _getcwd = getattr(os, "readlink", None), os.getcwd


class ForbiddenAccessError(ForbiddenError, PermissionError):
    """Access to a file, connection or process is denied. A subclass of ``PermissionError``, so that libraries use their fallback."""


def outside_error(path: Any) -> ForbiddenError:
    """Return the error for a path that the program may not open."""
    # core/hints.py matches this text
    return ForbiddenAccessError(
        f"Forbidden access to file: {str(path)[:500]} lies outside the work folder. Use a relative path, such as 'data.csv'"
    )


class Places:
    """The paths that a program may open.

    Args:
        work: the work folder.
        installed: folders and archives that modules are imported from.
        caches: folders outside the work folder in which libraries store files.
    """

    def __init__(self, work: str, installed: list[str], caches: list[str]) -> None:
        self.work = _realpath(work)
        self._written = (self.work, *map(_realpath, caches))
        real = {_realpath(path) for path in (*installed, *COMMON_PATHS)}
        self._read = tuple(sorted(path for path in real if not self._holds_work(path)))

    def _holds_work(self, path: str) -> bool:
        """Return whether a folder contains the work folder, and so might contain files of any user."""
        return path == os.sep or self.work.startswith(path + os.sep)

    def written(self, path: Any, folder: Any = None, name: bool = False) -> None:
        """Raise ForbiddenAccessError if a path must not be changed.

        Args:
            path: as in the audit event; a descriptor was checked when it was opened.
            folder: descriptor of the folder the path is relative to; None or -1 for the current one.
            name: check the link itself, not its target.
        """
        resolved = self._resolve(path, folder, name)
        if resolved is None or (resolved in EXACT_PATHS and not name):
            return
        if not self._within(resolved, self._written) or (name and resolved in self._written):  # nor the folder itself
            raise outside_error(path)

    def read(self, path: Any, folder: Any = None) -> None:
        """Raise ForbiddenAccessError if a path must not be read."""
        resolved = self._resolve(path, folder, False)
        if resolved is None or resolved in EXACT_PATHS:
            return
        if not (self._within(resolved, self._written) or self._within(resolved, self._read)):
            raise outside_error(path)

    def is_lent_folder(self, path: Any) -> bool:
        """Return whether this is a folder that may be read but not written."""
        resolved = self._resolve(path, None, False)
        return resolved is not None and _isdir(resolved) and not self._within(resolved, self._written)

    def linked(self, target: Any, path: Any, folder: Any = None) -> None:
        """Raise ForbiddenAccessError for a symbolic link that points outside or lies outside."""
        self.written(path, folder, name=True)
        place = _split(self._text(path))[0]
        self.written(_join(place, self._text(target)), folder)

    def database(self, name: Any) -> None:
        """Raise ForbiddenAccessError for an SQLite database outside; the name is a path, a URI, or ":memory:"."""
        text = self._text(name)
        if text in ("", ":memory:"):
            return
        if text.startswith("file:"):
            inner = unquote(text[5:].partition("?")[0].partition("#")[0])
            if inner.startswith("//"):
                inner = "/" + inner[2:].partition("/")[2]
            if inner not in ("", ":memory:"):
                self.written(inner)
            return
        self.written(text)

    @staticmethod
    def _within(path: str, roots: tuple[str, ...]) -> bool:
        return any(path == root or path.startswith(root + os.sep) for root in roots)

    def _resolve(self, path: Any, folder: Any, name: bool) -> str | None:
        if path is None:
            path = "."
        if type(path) is int:
            return None
        text = self._text(path)
        if type(folder) is int and folder >= 0 and not _isabs(text):
            text = _join(self._folder(folder), text)
        if "\0" in text:
            return None  # no file can have this name: the call itself fails
        if not name:
            return _realpath(text)
        head, last = _split(text.rstrip(os.sep) or text)
        if last in ("", ".", ".."):
            return _realpath(text)
        return _join(_realpath(head or _getcwd()), last)

    @staticmethod
    def _text(path: Any) -> str:
        kind = type(path)
        if issubclass(kind, str):
            return str.__str__(path)
        if issubclass(kind, (bytes, bytearray)):
            return str(memoryview(path), sys.getfilesystemencoding(), "surrogateescape")
        if kind in _PLAIN_PATHS:
            return str(kind.__fspath__(path))
        raise ForbiddenError(f"Forbidden path: paths must be str, not {kind.__name__}")

    def _folder(self, descriptor: int) -> str:
        for known in ("/proc/self/fd", "/dev/fd"):
            try:
                return str(_readlink(f"{known}/{descriptor}"))  # type: ignore[misc]
            except (OSError, TypeError):
                pass
        return self.work  # the system does not tell; the folder was checked when it was opened


def installation_paths() -> list[str]:
    """Return the folders and archives that modules are imported from."""
    return [path for path in sys.path if path and os.path.isabs(path)]


def cache_folders() -> list[str]:
    """Return the folders outside the work folder in which libraries may store files."""
    folder = os.environ.get("MPLCONFIGDIR")
    return [folder] if folder else []


# --- Functions of authorised libraries that open files in C, without an audit event: wrapped to check their paths.
#
# * Every path among the arguments is checked before the call.
# * The checked string itself is passed on.
# * SQL opens files too (``ATTACH``, ``VACUUM INTO``): the connection's authorizer checks them.


PATH_ARGUMENTS = frozenset(
    """
    base_dir dest destination file file_path filename filepath input_file metadata_path output_file path path_or_paths
    paths root_path sink source where
    """.split()
)
MAX_LEADING = 2  # positional arguments that may be paths: the data comes first, then the target
SQL_OK, SQL_DENY, SQL_PRAGMA, SQL_ATTACH = 0, 1, 19, 24  # of sqlite3.h
FILE_PRAGMAS = ("temp_store_directory", "data_store_directory")


def wrap_path_function(open_places: Places, module: str, name: str, value: Any) -> Any:
    """Return a library's function for agent code: unchanged, or wrapped to check paths."""
    if (module, name) in (("sqlite3", "connect"), ("sqlite3.dbapi2", "connect")):
        return _wrap_connect(open_places, value)
    if (module, name) == ("sys", "path"):
        return list(value)  # a copy, so that the program cannot change where modules come from
    if name not in tables.PATH_FUNCTIONS.get(module, ()):
        return value

    def judged(*args: Any, **kwargs: Any) -> Any:
        first = [_check_path(open_places, item) for item in args[:MAX_LEADING]]
        named = {key: _check_path(open_places, item) if key in PATH_ARGUMENTS else item for key, item in kwargs.items()}
        return value(*first, *args[MAX_LEADING:], **named)

    judged.__name__ = judged.__qualname__ = name
    judged.__doc__ = getattr(value, "__doc__", None)
    return judged


def patch_libraries(open_places: Places) -> None:
    """Patch libraries that open files for the program by such functions. Call it after every import."""
    parquet = sys.modules.get("pandas.io.parquet")
    if parquet is not None:
        _patch_parquet(open_places, parquet)
    cores = sys.modules.get("joblib.externals.loky.backend.context")
    if getattr(cores, "physical_cores_cache", "") is None:
        cores.physical_cores_cache = os.cpu_count()  # type: ignore[union-attr] # else it runs lscpu, and prints a traceback


def _patch_parquet(open_places: Places, parquet: Any) -> None:
    """Patch pandas, which passes folders of Parquet files to C++; single files it opens itself."""
    original = getattr(parquet, "_get_path_or_handle", None)
    if original is None or getattr(original, "__module__", None) == __name__:
        return

    def _get_path_or_handle(path: Any, *args: Any, **kwargs: Any) -> Any:
        if type(path) is str and "://" not in path and kwargs.get("mode") == "rb" and not _isdir(path):
            open_places.read(path)  # also allows mounted folders
            return original(path, *args, **kwargs)
        return original(_check_path(open_places, path), *args, **kwargs)

    parquet._get_path_or_handle = _get_path_or_handle


def _check_path(open_places: Places, item: Any) -> Any:
    if isinstance(item, (str, bytes)) or hasattr(type(item), "__fspath__"):
        path = item if type(item) in (str, bytes) else os.fspath(item)
        text = path if type(path) is str else os.fsdecode(bytes(path))
        if "://" in text:
            raise outside_error(text)
        open_places.written(text)
        return text
    if type(item) in (list, tuple) and any(isinstance(part, (str, bytes)) or _is_path(part) for part in item):
        return type(item)(_check_path(open_places, part) for part in item)
    return item


def _is_path(item: Any) -> bool:
    return hasattr(type(item), "__fspath__")


def _wrap_connect(open_places: Places, connect: Callable[..., Any]) -> Callable[..., Any]:
    def authorize(action: int, first: Any, *_: Any) -> int:
        try:
            if action == SQL_ATTACH:
                open_places.database(first or "")
        except ForbiddenError:
            return SQL_DENY
        return SQL_DENY if action == SQL_PRAGMA and first in FILE_PRAGMAS else SQL_OK

    @functools.wraps(connect, updated=())
    def judged(*args: Any, **kwargs: Any) -> Any:
        import sqlite3

        connection = connect(*args, **kwargs)
        sqlite3.Connection.set_authorizer(connection, authorize)
        return connection

    del judged.__wrapped__
    return judged
