"""Which calls of a program look as if they reached files and do not, or only such that the person gave.

The rules this file exists to keep:

* Only what stands in the call counts: a constant path, one of the given names or below a given folder, without a way out.
* A call that could write, or that runs what it reads (pickles), is none of these.
"""

from __future__ import annotations

import ast
from collections.abc import Collection

READERS = frozenset(
    "read_csv read_excel read_json read_parquet read_html read_table read_feather genfromtxt loadtxt fromfile imread".split()
)
PATH_WORDS = frozenset("file filename fname io path path_or_buf path_or_buffer filepath_or_buffer".split())
_OPEN_WORDS = frozenset("file mode encoding errors newline".split())


def called_without_target(module: ast.Module) -> set[int]:
    """The ``x.to_string`` of calls that say nowhere to write to: they give a text."""
    return {
        id(node.func)
        for node in ast.walk(module)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "to_string"
        if not node.args and all(word.arg not in (None, "buf") for word in node.keywords)
    }


def given_reads(module: ast.Module, given: Collection[str]) -> dict[int, str]:
    """By the ``id`` of a call's function: the path it reads.

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
    """The constant path that a call reads; "" where it is no plain reading."""
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
