"""Functions of authorised libraries that open files in C, where no event is raised: lent with their paths judged.

The rules this file exists to keep:

* The path is judged before the function sees it, wherever among the arguments it stands; it must lie in the work folder.
* The text that was judged is the text that is passed on.
* SQL opens files too (``ATTACH``, ``VACUUM INTO``): a connection asks before it does.
"""

from __future__ import annotations

import functools
import os
import sys
from typing import Any, Callable

from . import tables
from .modules import ForbiddenError
from .places import Places, outside

PATH_ARGUMENTS = frozenset(
    """
    base_dir dest destination file file_path filename filepath input_file metadata_path output_file path path_or_paths
    paths root_path sink source where
    """.split()
)
MAX_LEADING = 2  # positional arguments that may be paths: the data comes first, then where it goes
SQL_OK, SQL_DENY, SQL_PRAGMA, SQL_ATTACH = 0, 1, 19, 24  # of sqlite3.h
FILE_PRAGMAS = ("temp_store_directory", "data_store_directory")


def lend(open_places: Places, module: str, name: str, value: Any) -> Any:
    """The function as agent code gets it: the same, or one that judges paths first."""
    if (module, name) in (("sqlite3", "connect"), ("sqlite3.dbapi2", "connect")):
        return _connect(open_places, value)
    if (module, name) == ("sys", "path"):
        return list(value)  # where modules are looked for is not the program's to change
    if name not in tables.PATH_FUNCTIONS.get(module, ()):
        return value

    def judged(*args: Any, **kwargs: Any) -> Any:
        first = [_judge(open_places, item) for item in args[:MAX_LEADING]]
        named = {key: _judge(open_places, item) if key in PATH_ARGUMENTS else item for key, item in kwargs.items()}
        return value(*first, *args[MAX_LEADING:], **named)

    judged.__name__ = judged.__qualname__ = name
    judged.__doc__ = getattr(value, "__doc__", None)
    return judged


def mend(open_places: Places) -> None:
    """Put right what libraries do for the program by such functions; to be called whenever modules were imported."""
    parquet = sys.modules.get("pandas.io.parquet")
    if parquet is not None:
        _judge_folders(open_places, parquet)
    cores = sys.modules.get("joblib.externals.loky.backend.context")
    if getattr(cores, "physical_cores_cache", "") is None:
        cores.physical_cores_cache = os.cpu_count()  # type: ignore[union-attr] # else it runs lscpu, and prints a traceback


def _judge_folders(open_places: Places, parquet: Any) -> None:
    """pandas hands folders of Parquet files to C++; single files it opens itself."""
    original = getattr(parquet, "_get_path_or_handle", None)
    if original is None or getattr(original, "__module__", None) == __name__:
        return

    def _get_path_or_handle(path: Any, *args: Any, **kwargs: Any) -> Any:
        return original(_judge(open_places, path), *args, **kwargs)

    parquet._get_path_or_handle = _get_path_or_handle


def _judge(open_places: Places, item: Any) -> Any:
    if isinstance(item, (str, bytes)) or hasattr(type(item), "__fspath__"):
        path = item if type(item) in (str, bytes) else os.fspath(item)
        text = path if type(path) is str else os.fsdecode(bytes(path))
        if "://" in text:
            raise outside(text)
        open_places.written(text)
        return text
    if type(item) in (list, tuple) and any(isinstance(part, (str, bytes)) or _is_path(part) for part in item):
        return type(item)(_judge(open_places, part) for part in item)
    return item


def _is_path(item: Any) -> bool:
    return hasattr(type(item), "__fspath__")


def _connect(open_places: Places, connect: Callable[..., Any]) -> Callable[..., Any]:
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

        made = connect(*args, **kwargs)
        sqlite3.Connection.set_authorizer(made, authorize)
        return made

    del judged.__wrapped__
    return judged
