"""Python source to syntax tree, totally: every caller gets a tree or a reason, never an exception or a warning on stderr."""

from __future__ import annotations

import ast
import warnings
from functools import lru_cache

# CPython counts the depth of a tree it builds in one place for all threads: where another thread parses at the same time,
# building fails by a SystemError that says nothing about the text (cpython issue 106905, mended in later releases).
_TRIES = 5


_LARGE = 50_000  # characters; the tree of a larger program takes too many megabytes to be kept


def tree(text: str) -> ast.Module | str:
    """The syntax tree of ``text``, or one line that says why there is none. Small ones are kept: parse and policy both ask.

    Treat the tree as read-only. Does not promise that the code compiles, only that it parses (top-level ``await`` does).
    """
    return _kept(text) if len(text) <= _LARGE else _tree(text)


def _tree(text: str) -> ast.Module | str:
    for attempt in range(_TRIES):
        try:
            return _compile(text)
        except SyntaxError as error:
            return f"line {error.lineno or 0}: {error.msg}"
        except (ValueError, RecursionError, MemoryError, OverflowError) as error:  # NUL bytes, surrogates, nesting
            return f"{type(error).__name__}: {error}"
        except SystemError as error:
            if attempt == _TRIES - 1:
                return f"{type(error).__name__}: {error}"
    raise AssertionError("unreachable")


_kept = lru_cache(maxsize=8)(_tree)


def _compile(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an invalid escape is the agent's business, not the host's stderr
        flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        module: ast.Module = compile(text, "<agent>", "exec", flags)
        return module
