"""The guard: what agent code may say, checked before it is compiled, and what it may name, checked as it runs.

The rules this file exists to keep:

* A node type that nobody has reviewed is refused; one visitor per permission.
* The rule for an attribute is one function, whether the name stands in the code or in a string.
* The program runs as compiled Python; only what text could turn into attribute access is rewritten.
* The guard makes mistakes visible. It is not the wall that stops intent: the operating system's walls are.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import os
import sys
from collections.abc import Iterable
from typing import Any, Callable

from . import tables
from .lookups import check_attribute, is_dunder, replacements, safe_format, safe_subject
from .modules import ForbiddenError, Shelf, is_part_of_loaded

FORMAT = "__smolcell_format__"
MATCHED = "__smolcell_matched__"
HIDDEN = "__smolcell_"


class Refusal(ForbiddenError):
    """A program is refused before it runs; ``line`` says where."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


class Guard(ast.NodeTransformer):
    """Checks and rewrites one program.

    Args:
        shelf: the authorised imports.
        taken: names the program must not bind (tools, ``final_answer``).
        known: names earlier steps have bound.
    """

    def __init__(self, shelf: Shelf, taken: Iterable[str] = (), known: Iterable[str] = ()) -> None:
        self._shelf = shelf
        self._taken = tables.RESERVED_NAMES | frozenset(taken)
        self._bound = {name for name in known if not is_dunder(name)}

    def check(self, tree: ast.Module) -> ast.Module:
        """The program, rewritten.

        Raises:
            Refusal: it holds something that is not allowed.
        """
        self._bound |= {name for name in _bound_names(tree) if not is_dunder(name) or name in tables.DEFINABLE_DUNDERS}
        return ast.fix_missing_locations(self.visit(tree))  # type: ignore[no-any-return]

    def visit(self, node: ast.AST) -> Any:
        if type(node).__name__ not in tables.NODES:
            raise self._refuse(node, f"{type(node).__name__} is not supported")
        return super().visit(node)

    @staticmethod
    def _refuse(node: ast.AST, message: str) -> Refusal:
        return Refusal(message, getattr(node, "lineno", 0))

    def _attribute(self, node: ast.AST, name: str) -> None:
        try:
            check_attribute(name)
        except ForbiddenError as error:
            raise self._refuse(node, str(error)) from None

    def _bind(self, node: ast.AST, name: str | None) -> None:
        if name is None:
            return
        if name in self._taken:
            raise self._refuse(node, f"Cannot assign to name '{name}': it is lent to the program and would be lost")
        if is_dunder(name) and name not in tables.DEFINABLE_DUNDERS:
            raise self._refuse(node, f"Forbidden name: {name}")

    # --- names ---

    def visit_Name(self, node: ast.Name) -> Any:
        if isinstance(node.ctx, ast.Load):
            if node.id in tables.DENIED_BUILTINS and node.id not in self._bound:
                raise self._refuse(node, f"Forbidden access to function: {node.id}")
            if is_dunder(node.id) and node.id not in ("__name__", "__doc__") and node.id not in self._bound:
                raise self._refuse(node, f"Forbidden access to dunder name: {node.id}")
        else:
            self._bind(node, node.id)
        if node.id.startswith(HIDDEN):
            raise self._refuse(node, f"Forbidden name: {node.id}")
        return node

    def visit_FunctionDef(self, node: Any) -> Any:
        self._bind(node, node.name)
        return self.generic_visit(node)

    visit_AsyncFunctionDef = visit_ClassDef = visit_FunctionDef
    visit_MatchAs = visit_MatchStar = visit_TypeVar = visit_TypeVarTuple = visit_ParamSpec = visit_FunctionDef

    def visit_MatchMapping(self, node: Any) -> Any:
        self._bind(node, node.rest)
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> Any:
        if is_dunder(node.arg) and node.arg not in tables.DEFINABLE_DUNDERS:
            raise self._refuse(node, f"Forbidden name: {node.arg}")
        return self.generic_visit(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> Any:
        self._bind(node, node.name)
        return self.generic_visit(node)

    # --- attributes ---

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        inner = node.value
        if node.attr in tables.CLASS_NAMES and isinstance(inner, ast.Attribute) and inner.attr == "__class__":
            inner.value = self.visit(inner.value)
            return node
        self._attribute(node, node.attr)
        self.generic_visit(node)
        if node.attr in tables.FORMAT_ATTRIBUTES and isinstance(node.ctx, ast.Load):
            helper = ast.Name(id=FORMAT, ctx=ast.Load())
            call = ast.Call(func=helper, args=[node.value, ast.Constant(value=node.attr)], keywords=[])
            return ast.copy_location(call, node)
        return node

    def visit_Match(self, node: Any) -> Any:
        classes: list[Any] = [
            getattr(found, "cls", None)
            for case in node.cases
            for found in ast.walk(case.pattern)
            if type(found).__name__ == "MatchClass" and getattr(found, "patterns", None)
        ]
        self.generic_visit(node)
        if classes:
            empty = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
            lazy: list[ast.expr] = [ast.copy_location(ast.Lambda(args=empty, body=each), each) for each in classes]
            call = ast.Call(func=ast.Name(id=MATCHED, ctx=ast.Load()), args=[node.subject, *lazy], keywords=[])
            node.subject = ast.copy_location(call, node.subject)
        return node

    def visit_MatchClass(self, node: Any) -> Any:
        for name in node.kwd_attrs:
            self._attribute(node, name)
            if name in tables.FORMAT_ATTRIBUTES:
                raise self._refuse(node, f"Forbidden attribute in a pattern: {name}")
        return self.generic_visit(node)

    # --- imports ---

    def visit_Import(self, node: ast.Import) -> Any:
        for item in node.names:
            self._import(node, item.name)
            self._bind(node, item.asname or item.name.partition(".")[0])
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Any:
        if node.level or not node.module:
            raise self._refuse(node, "Relative imports are not allowed")
        if not any(self._shelf.allows(f"{node.module}.{item.name}") for item in node.names):
            self._import(node, node.module)
        for item in node.names:
            if item.name != "*":
                self._attribute(node, item.name)
                self._bind(node, item.asname or item.name)
        return node

    def _import(self, node: ast.AST, name: str) -> None:
        try:
            self._shelf.check(name)
        except ForbiddenError as error:
            raise self._refuse(node, str(error)) from None


def _bound_names(tree: ast.AST) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.alias):
            found.add(node.asname or node.name.partition(".")[0])
    return found


# --- as the program runs -----------------------------------------------------------------------------------------------


def _work_open(folder: str) -> Callable[..., Any]:
    root = os.path.realpath(folder)

    def work_open(file: Any, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        """Open a file of the work folder."""
        path = os.path.realpath(os.path.join(root, os.fspath(file)))
        if path != root and not path.startswith(root + os.sep):
            raise ForbiddenError(f"Forbidden access to file: {file} lies outside the work folder")
        kwargs.pop("opener", None)
        return open(path, mode, *args, **kwargs)

    work_open.__name__ = work_open.__qualname__ = "open"
    return work_open


def guarded_builtins(shelf: Shelf, folder: str) -> dict[str, Any]:
    """The builtins agent code gets.

    Args:
        shelf: the authorised imports; its replacements are filled in here.
        folder: the work folder, to which ``open`` is limited.
    """
    found = {name: value for name, value in vars(builtins).items() if name not in tables.DENIED_BUILTINS}

    def guarded_import(name: str, module: Any = None, local: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        if level:
            raise ForbiddenError("Relative imports are not allowed")
        if type(fromlist) is list:  # PyImport_Import: a C function that agent code called imports for itself
            return _import_for_c(shelf, name)
        return shelf.import_module(name, tuple(fromlist or ()))

    replaced = replacements()
    shelf.replaced.update(replaced)
    shelf.replaced["importlib", "import_module"] = lambda name: shelf.import_module(name, ("*",))
    found.update({name: value for (module, name), value in replaced.items() if module == "builtins"})
    found.update(__import__=guarded_import, open=_work_open(folder))
    found[FORMAT] = safe_format
    found[MATCHED] = safe_subject
    return found


def _import_for_c(shelf: Shelf, name: str) -> None:
    """Import what a C function needs; it finds the module in ``sys.modules`` and does not look at what is returned."""
    if name in sys.modules:
        return
    if not (name in tables.C_IMPORTS or is_part_of_loaded(name)):
        shelf.check(name)
    importlib.import_module(name)
