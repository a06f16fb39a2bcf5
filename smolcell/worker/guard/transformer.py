"""The guard: checks and rewrites a program of the agent before it is compiled.

* A node type that was not reviewed is refused; one visitor per permission.
* One function holds the rule for attribute names, whether they occur in code or in a string.
* The program runs as compiled Python; only accesses that the name alone does not decide are rewritten.
* The guard makes mistakes visible. It does not stop an attacker: the operating system's walls do.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from . import magics, rewrite, tables
from .attributes import READERS, RUNTIME_CHECKED, check_attribute, check_format, is_dunder
from .builtins import guarded_builtins
from .imports import ForbiddenError, ModuleViews

__all__ = ["Guard", "Refusal", "guarded_builtins"]

# Levels of nesting. From 3.11 on, calls between Python functions do not use the C stack.
_MAX_DEPTH = 40_000 if sys.version_info >= (3, 11) else 6_000
_SHELL = (
    "Shell lines (`!cmd`, `%%bash`) start a process, which Python level guarded refuses. "
    "Write it as Python; the user can allow shell lines with --python full"
)
_LITERALS = (ast.Constant, ast.Dict, ast.JoinedStr, ast.List, ast.Set, ast.Tuple)
_TEXTS = frozenset({"str", "kind", "type_comment"})  # fields of nodes that hold text, not names


class Refusal(ForbiddenError):
    """The guard refuses a program before it runs; ``line`` is where."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


@contextlib.contextmanager
def allow_deep_nesting(depth: int = 0) -> Iterator[None]:
    """Allow nesting as deep as CPython compiles; deeper programs are refused.

    Raises:
        Refusal: the program is nested too deeply.
    """
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, depth))
    try:
        yield
    except (RecursionError, MemoryError):
        raise Refusal("The program is nested too deeply; write it in several statements", 0) from None
    finally:
        sys.setrecursionlimit(limit)


if TYPE_CHECKING:
    _Transformer = ast.NodeTransformer
else:  # a copy: agent code that may use ``ast`` may change the original's methods
    _Transformer = type("_Transformer", (), {**vars(ast.NodeVisitor), **vars(ast.NodeTransformer)})


class Guard(_Transformer):
    """Checks and rewrites one program.

    Args:
        module_views: the authorised imports.
        taken: names the program must not bind (tools, ``final_answer``).
        known: names that earlier steps have bound.
    """

    def __init__(self, module_views: ModuleViews, taken: Iterable[str] = (), known: Iterable[str] = ()) -> None:
        self._module_views = module_views
        self._taken = tables.RESERVED_NAMES | frozenset(taken)
        self._bound = {name for name in known if not is_dunder(name)}
        self._checked: frozenset[str] = frozenset()  # parameters checked once, at the start of their function
        self._stored: set[str] = set()  # those among them whose attributes are set
        self._owned: frozenset[str] = module_views.owned  # denied names that the program's own objects use
        self._in_pattern = False
        self._slots: list[str] = []
        self._certain: list[ast.stmt] = []  # statements that always run: their errors are not caught
        self._around = ""  # scopes around the node: a letter each, f for functions and c for classes

    def check(self, tree: ast.Module) -> ast.Module:
        """Return the program, rewritten.

        Raises:
            Refusal: the program contains something that is not allowed.
        """
        with allow_deep_nesting(_MAX_DEPTH):
            self._bound |= {name for name in _find_all_bindings(tree) if name not in tables.RESERVED_DUNDERS}
            self._owned |= tables.DENIED_ATTRIBUTES.intersection(_find_attribute_names(tree))
            self._certain = tree.body
            tree = self.visit(tree)
            rewrite.bind_hidden(tree, self._slots)
            self._module_views.taken, self._module_views.owned = self._taken, self._owned
            return ast.fix_missing_locations(tree)

    def visit(self, node: ast.AST) -> Any:
        kind = type(node).__name__
        if kind not in tables.NODES:
            raise self._refuse(node, f"{kind} is not supported")
        for name in _names_of(node):
            if name.startswith(rewrite.HIDDEN) or name in tables.MEMORY_NAMES:
                raise self._refuse(node, f"Forbidden name: {name}")
        return super().visit(node)

    @staticmethod
    def _refuse(node: ast.AST, message: str) -> Refusal:
        return Refusal(message, getattr(node, "lineno", 0))

    def _attribute(self, node: ast.AST, name: str, stored: bool = False) -> None:
        try:
            check_attribute(name, stored)
        except ForbiddenError as error:
            raise self._refuse(node, str(error)) from None
        owner, mangled, _ = name[1:].partition("__")
        if mangled and name[0] == "_" and owner[:1].isupper() and not self._has_class(owner):
            raise self._refuse(node, f"Forbidden access to private attribute of {owner}: {name}")

    def _has_class(self, owner: str) -> bool:
        """Return whether ``_Class__name`` seems to belong to a class of the program, by its name."""
        return any(known.lstrip("_") == owner for known in self._bound)

    def _bind(self, node: ast.AST, name: str | None) -> None:
        if name in self._taken and not (name == FINAL and isinstance(node, ast.Name)):  # ``_call_final`` needs them
            raise self._refuse(node, f"Cannot assign to name '{name}': the sandbox provides it and it would be lost")
        if name and (name in tables.RESERVED_DUNDERS or name.startswith(rewrite.HIDDEN)):
            raise self._refuse(node, f"Forbidden name: {name}")

    def visit_Constant(self, node: ast.Constant) -> Any:
        if type(node.value) is not str or node.value not in tables.MEMORY_NAMES:
            return node
        raise self._refuse(node, f"Forbidden name: {node.value}")

    # --- names ---

    def visit_Name(self, node: ast.Name) -> Any:
        if not isinstance(node.ctx, ast.Load):
            self._bind(node, node.id)
        elif node.id not in self._bound:
            if node.id in magics.PROCESSES:
                raise self._refuse(node, _SHELL)
            if node.id in tables.DENIED_BUILTINS:
                hint = tables.BUILTIN_HINTS[node.id]
                raise self._refuse(
                    node, f"Forbidden access to function: {node.id}" + (f". Instead, {hint}" if hint else "")
                )
            if is_dunder(node.id) and node.id not in tables.READABLE_DUNDERS:
                raise self._refuse(node, f"Forbidden access to dunder name: {node.id}")
        return node

    def visit_Global(self, node: Any) -> Any:
        for name in node.names:
            if name in tables.RESERVED_DUNDERS:
                raise self._refuse(node, f"Forbidden name: {name}")
        return node

    visit_Nonlocal = visit_Global

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        self._bind(node, node.name)
        checked, self._checked = self._checked, frozenset()
        self._around += "c"
        self.generic_visit(node)
        self._around = self._around[:-1]
        self._checked = checked
        rewrite.declare_hidden(node)
        return node

    def visit_FunctionDef(self, node: Any) -> Any:
        self._bind(node, node.name)
        outer = self._checked, self._stored
        first = _find_fixed_parameter(node)
        names = {parameter.arg for parameter in ast.walk(node.args) if isinstance(parameter, ast.arg)}
        self._checked = (self._checked - names) | ({first} if first else set())
        self._stored = set()
        self._around += "f"
        self.generic_visit(node)
        self._around = self._around[:-1]
        stored = self._stored
        self._checked, self._stored = outer
        self._stored |= stored - {first}
        if first in stored:
            rewrite.check_parameter(node, first)
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_MatchAs(self, node: Any) -> Any:
        self._bind(node, node.name)
        return self.generic_visit(node)

    def visit_TryStar(self, node: Any) -> Any:
        self.generic_visit(node)
        for handler in node.handlers:
            handler.type = rewrite.check_groups(handler.type)
        return node

    visit_MatchStar = visit_TypeVar = visit_TypeVarTuple = visit_ParamSpec = visit_ExceptHandler = visit_MatchAs

    def visit_MatchMapping(self, node: Any) -> Any:
        self._bind(node, node.rest)
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> Any:
        if node.arg in tables.RESERVED_DUNDERS:
            raise self._refuse(node, f"Forbidden name: {node.arg}")
        return self.generic_visit(node)

    # --- attributes ---

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        inner = node.value
        if node.attr in tables.CLASS_NAMES and isinstance(inner, ast.Attribute) and inner.attr == "__class__":
            inner.value = self.visit(inner.value)
            return node
        if not isinstance(node.ctx, ast.Load):
            return self._store(node)
        if node.attr not in RUNTIME_CHECKED and node.attr not in self._owned:
            self._attribute(node, node.attr)
            return self.generic_visit(node)
        if self._in_pattern:
            raise self._refuse(node, f"Forbidden attribute in a pattern: {node.attr}")
        outside = node.attr == "__dict__" and "c" not in self._around  # not inside a method: use vars(x)
        if outside or (node.attr in READERS and is_dunder(node.attr) and self._is_pythons(node)):
            self._attribute(node, node.attr)
        if node.attr == "format" and isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            return self._plain_format(node, inner.value)
        self.generic_visit(node)
        return rewrite.check_read(node)

    def _is_pythons(self, node: ast.expr) -> bool:
        """Return whether an attribute is read from a literal or a builtin: its meaning is known before the program runs."""
        while isinstance(node, ast.Attribute):
            node = node.value
        name = node.id if isinstance(node, ast.Name) else ""
        return isinstance(node, _LITERALS) or (name not in self._bound and hasattr(builtins, name))

    def _plain_format(self, node: ast.Attribute, text: str) -> Any:
        try:
            check_format(text)
        except ForbiddenError as error:
            raise self._refuse(node, str(error)) from None
        except ValueError:
            return rewrite.check_read(node)  # not a format string: using it raises the error
        return node

    def _store(self, node: ast.Attribute) -> Any:
        if node.attr in tables.DENIED_ATTRIBUTES or node.attr == "__dict__":
            self.generic_visit(node)
            node.value = rewrite.check_owned(node.value, node.attr)
            return node
        self._attribute(node, node.attr, stored=True)
        name = node.value.id if isinstance(node.value, ast.Name) else ""
        self.generic_visit(node)
        if name in self._checked:
            self._stored.add(name)
        else:
            node.value = rewrite.check_target(node.value)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        judged = isinstance(node.target, ast.Attribute) and node.target.attr in RUNTIME_CHECKED
        name = node.target.attr if judged else ""  # type: ignore[union-attr]
        if is_dunder(name) or name in tables.FILE_ATTRIBUTES:
            kind = "dunder attribute" if is_dunder(name) else "attribute in place"
            raise self._refuse(node, f"Forbidden access to {kind}: {name}")
        self.generic_visit(node)
        if judged:
            node.target.value = rewrite.check_augmented(node.target.value)  # type: ignore[union-attr]
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        name = node.args[1] if len(node.args) in (2, 3) and not node.keywords else None
        called = isinstance(node.func, ast.Name) and node.func.id == "getattr" and "getattr" not in self._bound
        starred = any(isinstance(each, ast.Starred) for each in node.args)
        if called and not starred and isinstance(name, ast.Constant) and _is_plain_name(name.value):
            node.func = ast.copy_location(rewrite.load(rewrite.GETATTR), node.func)
        return node

    # --- patterns ---

    def visit_Match(self, node: Any) -> Any:
        self.generic_visit(node)
        names: list[str] = []
        cases = []
        for case in node.cases:
            classes = [
                pattern
                for pattern in ast.walk(case.pattern)
                if getattr(pattern, "patterns", None) and hasattr(pattern, "cls")
            ]
            if classes:
                added, before = rewrite.check_matched(case, classes)
                names += added
                cases.append(before)
            cases.append(case)
        node.cases = cases
        self._slots += names
        return [ast.copy_location(ast.Global(names=names), node), node] if names and self._around else node

    def visit_match_case(self, node: Any) -> Any:
        self._in_pattern = True
        node.pattern = self.visit(node.pattern)
        self._in_pattern = False
        node.guard = node.guard and self.visit(node.guard)
        node.body = self._statements(node.body)
        return node

    def _statements(self, body: list[ast.stmt]) -> list[ast.stmt]:
        statements: list[ast.stmt] = []
        for each in body:
            visited = self.visit(each)
            statements += visited if isinstance(visited, list) else [visited]
        return statements

    def visit_MatchClass(self, node: Any) -> Any:
        for name, pattern in zip(node.kwd_attrs, node.kwd_patterns):
            plain = name in tables.MODULE_ATTRIBUTES and isinstance(getattr(pattern, "value", None), ast.Constant)
            if name in RUNTIME_CHECKED and not plain:
                kind = "access to dunder attribute" if is_dunder(name) else "attribute in a pattern"
                raise self._refuse(node, f"Forbidden {kind}: {name}")
            self._attribute(node, name)
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
        if not any(self._module_views.allows(f"{node.module}.{item.name}") for item in node.names):
            self._import(node, node.module)
        for item in node.names:
            if item.name != "*":
                self._attribute(node, item.name)
                if (item.name, item.asname) != ("display", None) or node.module not in tables.RUNNER_IMPORTS:
                    self._bind(node, item.asname or item.name)
        return node

    def _import(self, node: ast.AST, name: str) -> None:
        """Refuse an import that is sure to fail; others raise ImportError when they run."""
        try:
            self._module_views.check(name)
        except ForbiddenError as error:
            if any(node is certain for certain in self._certain):
                raise self._refuse(node, str(error)) from None


def _is_plain_name(name: Any) -> bool:
    """Return whether ``getattr`` with this name needs no check of the object."""
    try:
        return type(name) is str and name not in RUNTIME_CHECKED and bool(check_attribute(name))
    except ForbiddenError:
        return False


def _find_fixed_parameter(node: Any) -> str:
    """Return the first parameter of a function if the function never rebinds it; else ""."""
    first = next((each.arg for each in (*node.args.posonlyargs, *node.args.args)), "")
    again = any(first in _bindings_of(child) for child in ast.walk(node) if not isinstance(child, ast.arg))
    return "" if again else first


def _bindings_of(node: ast.AST) -> Iterator[str]:
    """Yield names that a node binds, deletes, or lets another scope bind."""
    if isinstance(node, ast.Name):
        return iter(() if isinstance(node.ctx, ast.Load) else (node.id,))
    if isinstance(node, ast.Attribute):
        return iter(())
    if isinstance(node, ast.alias):
        return iter((node.asname or node.name.partition(".")[0],))
    return _names_of(node)


def _names_of(node: ast.AST) -> Iterator[str]:
    """Yield every name that the node itself contains."""
    for field in node._fields:
        value = getattr(node, field, None)
        if type(value) is str and field not in _TEXTS and not isinstance(node, ast.Constant):
            yield value
        elif type(value) is list and value and type(value[0]) is str:
            yield from value


def _find_attribute_names(tree: ast.AST) -> Iterator[str]:
    """Yield names of attributes that a program sets: in a class body, by assignment, as a keyword."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            if not isinstance(node.ctx, ast.Load):
                yield node.attr
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Name, ast.keyword)):
            yield from _names_of(node)


def _find_all_bindings(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Global, ast.Nonlocal, ast.keyword)):
            yield from _bindings_of(node)


# --- Compiling one program.
#
# * Code runs with CPython's semantics, in a namespace that is kept between steps.
# * The value of the last expression is the program's result; ``await`` works at the top level.


LAST_VALUE_NAME = "__smolcell_last__"
_MAX_PROGRAM_DEPTH = 6_000  # maximum levels of a tree that is compiled; a text may have fewer


class FinalAnswer(BaseException):
    """Raised by ``final_answer`` to end the step; the value was recorded before."""


FINAL, CALLED = "final_answer", "__final_answer__"


def _call_final(tree: ast.AST) -> None:
    """Rewrite calls of ``final_answer`` to call ``CALLED``, which ends the step even if the program rebinds that name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == FINAL:
            chooser = ast.Call(func=ast.Name(id=CALLED, ctx=ast.Load()), args=[node.func], keywords=[])
            node.func = ast.copy_location(chooser, node.func)
            ast.fix_missing_locations(node)


def compile_program(source: str, name: str, guard: Guard | None, shadowed: bool = False) -> Any:
    """Compile a program; the value of its last expression is stored under ``LAST_VALUE_NAME``.

    Args:
        shadowed: the program's namespace binds ``final_answer`` to another value.

    Raises:
        SyntaxError: the text is not Python.
        Refusal: the guard refuses the program.
    """
    with allow_deep_nesting():
        tree = ast.parse(source, name)
    if guard is not None:
        tree = guard.check(tree)
    if shadowed or FINAL in find_bound_names(source):
        _call_final(tree)
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = tree.body[-1]
        target = ast.copy_location(ast.Name(id=LAST_VALUE_NAME, ctx=ast.Store()), last)
        tree.body[-1] = ast.copy_location(ast.Assign(targets=[target], value=last.value), last)
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    with allow_deep_nesting(_MAX_PROGRAM_DEPTH):
        return compile(tree, name, "exec", flags=flags, dont_inherit=True)


def find_bound_names(source: str) -> list[str]:
    """Return the names that a program binds at its top level, whether or not they get bound when it runs."""
    names: dict[str, None] = {}
    level: list[ast.AST] = list(ast.parse(source).body)
    for node in level:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names[node.name] = None
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names[node.id] = None
        elif isinstance(node, ast.alias):
            names[node.asname or node.name.partition(".")[0]] = None
        if not isinstance(node, _SCOPES):
            level.extend(ast.iter_child_nodes(node))
    return list(names)


_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
