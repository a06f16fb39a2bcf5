"""Python source to syntax tree, totally: every caller gets a tree or a reason, never an exception or a warning on stderr."""

from __future__ import annotations

import ast
import warnings
from functools import lru_cache


@lru_cache(maxsize=8)
def tree(text: str) -> ast.Module | str:
    """The syntax tree of ``text``, or one line that says why there is none. Cached, because parse and policy both ask.

    Treat the tree as read-only. Does not promise that the code compiles, only that it parses (top-level ``await`` does).
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an invalid escape is the agent's business, not the host's stderr
            flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
            module: ast.Module = compile(text, "<agent>", "exec", flags)
            return module
    except SyntaxError as error:
        return f"line {error.lineno or 0}: {error.msg}"
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:  # NUL bytes, surrogates, nesting
        return f"{type(error).__name__}: {error}"
