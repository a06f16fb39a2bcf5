"""``export`` for IPython: makes sure that the cells run as they were approved.

IPython rewrites a cell before Python parses it (strips prompts, expands magics), also within string literals.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import takewhile

from smolcell import exports
from smolcell.core.history import surviving
from smolcell.core.parsing import tree
from smolcell.errors import SetupError
from smolcell.events import History
from smolcell.exports import ANSWER, Export

_CELL_MARK = re.compile(r"^[ \t]*#[ \t]*%%", re.MULTILINE)
"""A line that begins a cell in a Python file, for editors and Jupytext."""
_TITLE = re.compile(r"^# (Step \d+(?:, call \d+)?)", re.MULTILINE)


def export(
    history: History,
    run: str = "",
    *,
    answer: str = ANSWER,
    tools: Mapping[str, str] | None = None,
    defined: Collection[str] = (),
) -> Export:
    """Return the approved steps of a run that ran to their end, as ordinary cells that give the same answer.

    Each cell is passed through the installed IPython's input transformer. If its syntax tree changes, the cell is rewritten
    (``ast.unparse``); if it still changes, the step is not exported. Other versions of IPython, transformers that a user registered, and
    Jupytext, which turns comments that look like magics into magics, may still change a cell.

    Args:
        history: the events of a session, or of one run; undone steps are left out.
        run: its id; the newest run by default.
        answer: the variable for the answer.
        tools: for each function of the host that the code could call, source that defines it in the notebook; "" if there is none.
        defined: names of such functions that the notebook already defines.

    Raises:
        SetupError: there is no such run, none of its steps ran, or IPython would run another program.
    """
    exported = exports.export(surviving(history), run, answer=answer, tools=tools, defined=defined)
    exported = _rewrite(exported, {at for at, text in enumerate(exported.each_cell()) if not _is_stable(text)})
    if not _is_stable_together(exported):
        exported = _rewrite(exported, set(range(len(exported.cells))))
    if not _is_stable_together(exported):
        raise SetupError("these steps are not exported: as one cell, IPython would not run the approved programs")
    return exported


def _rewrite(exported: Export, chosen: Collection[int]) -> Export:
    """Return the export with these cells rewritten, or refused."""
    cells, notes = list(exported.cells), list(exported.notes)
    for at in sorted(chosen):
        match = _TITLE.search(cells[at])
        title = match[1].lower() if match else f"cell {at + 1}"
        imports = exported.each_cell()[at].removesuffix(cells[at])
        comments = "".join(f"{row}\n" for row in takewhile(_is_comment, cells[at].split("\n")))
        anew = comments + _unparsed(cells[at])
        if _is_same(imports + anew, imports + cells[at]):
            note = f"{title} is written without its comments, each text on one line: otherwise IPython would change it"
        else:
            note = f"{title} is not exported: IPython would not run the approved program"
            anew = f"{comments}raise NotImplementedError({note!r})"
        cells[at] = anew
        notes += [note] if note not in notes else []
    return replace(exported, cells=tuple(cells), notes=tuple(notes))


def _is_stable(text: str) -> bool:
    return _is_same(text, text)


def _is_stable_together(exported: Export) -> bool:
    """Return whether the cells are the same programs if they are one cell, or one file that is loaded into a cell."""
    return all(_is_transformed_to(text, text) for text in (exported.one_cell(), exported.script()))


def _is_same(text: str, approved: str) -> bool:
    """Return whether this text, as one cell for IPython or in a file, is the program ``approved``."""
    return not _CELL_MARK.search(text) and _is_transformed_to(text, approved)


def _is_transformed_to(text: str, approved: str) -> bool:
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        ran, program = tree(TransformerManager().transform_cell(text)), tree(approved)
        return not isinstance(ran, str) and not isinstance(program, str) and ast.dump(ran) == ast.dump(program)
    except (SyntaxError, ValueError, RuntimeError):  # IPython gives up; a number too long to write; deep nesting
        return False


def _is_comment(row: str) -> bool:
    return not row.strip() or (row.startswith("#") and not _CELL_MARK.match(row))


def _unparsed(text: str) -> str:
    module = tree(text)
    try:
        return "" if isinstance(module, str) else ast.unparse(_Literals().visit(copy.deepcopy(module)))
    except (ValueError, RecursionError):  # an f-string that needs several lines; deep nesting
        return ""


class _Literals(ast.NodeTransformer):
    """Replaces each string constant by a name that is its ``repr``: ``ast.unparse`` would write docstrings on several lines."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return ast.Name(f"{node.kind or ''}{node.value!r}", ast.Load()) if isinstance(node.value, str) else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        return node  # its parts have no quotes
