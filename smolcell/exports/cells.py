"""``export``, with cells that IPython runs as they were approved.

IPython rewrites a cell before Python reads it (prompts are stripped, magics are expanded), and sees the insides of texts, too.
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
"""A line that begins a cell of a Python file, for editors and Jupytext."""
_TITLE = re.compile(r"^# (Step \d+(?:, call \d+)?)", re.MULTILINE)


def export(
    history: History,
    run: str = "",
    *,
    answer: str = ANSWER,
    tools: Mapping[str, str] | None = None,
    defined: Collection[str] = (),
) -> Export:
    """The steps of a run that were approved and ran to their end, as ordinary cells that give the same answer.

    Each cell is put through the installed IPython's input transformer. If that gives another syntax tree, the cell is rewritten
    (``ast.unparse``); if it still does, the step is not exported. Not promised for other versions of IPython, for transformers that a
    user registered, and for Jupytext, which makes magics of comments that look like them.

    Args:
        history: the events of a session, or of one run; steps that were taken back are left out.
        run: its id; the newest run by default.
        answer: the name for the answer.
        tools: for each function of the host that the code could call, the source that defines it in the notebook; "" if there is none.
        defined: names of such functions that the notebook has already, as they are.

    Raises:
        SetupError: there is no such run, nothing of it ran, or IPython would run another program.
    """
    made = exports.export(surviving(history), run, answer=answer, tools=tools, defined=defined)
    made = _written(made, {at for at, text in enumerate(made.each_cell()) if not _is_stable(text)})
    if not _is_stable_together(made):
        made = _written(made, set(range(len(made.cells))))
    if not _is_stable_together(made):
        raise SetupError(
            "these steps are not exported: as one cell, IPython would run another program than the approved ones"
        )
    return made


def _written(made: Export, chosen: Collection[int]) -> Export:
    """The export with these cells rewritten, or refused."""
    cells, notes = list(made.cells), list(made.notes)
    for at in sorted(chosen):
        found = _TITLE.search(cells[at])
        title = found[1].lower() if found else f"cell {at + 1}"
        imports = made.each_cell()[at].removesuffix(cells[at])
        comments = "".join(f"{row}\n" for row in takewhile(_is_comment, cells[at].split("\n")))
        anew = comments + _unparsed(cells[at])
        if _is_same(imports + anew, imports + cells[at]):
            note = f"{title} is written without its comments, each text on one line: IPython would change it otherwise"
        else:
            note = f"{title} is not exported: IPython would run another program than the one that was approved"
            anew = f"{comments}raise NotImplementedError({note!r})"
        cells[at] = anew
        notes += [note] if note not in notes else []
    return replace(made, cells=tuple(cells), notes=tuple(notes))


def _is_stable(text: str) -> bool:
    return _is_same(text, text)


def _is_stable_together(made: Export) -> bool:
    """Whether the cells are the same programs if they are one cell, or one file that is loaded into a cell."""
    return all(_is_transformed_to(text, text) for text in (made.one_cell(), made.script()))


def _is_same(text: str, approved: str) -> bool:
    """Whether this text, as one cell for IPython or in a file, is the program ``approved``."""
    return not _CELL_MARK.search(text) and _is_transformed_to(text, approved)


def _is_transformed_to(text: str, approved: str) -> bool:
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        ran, program = tree(TransformerManager().transform_cell(text)), tree(approved)
        return not isinstance(ran, str) and not isinstance(program, str) and ast.dump(ran) == ast.dump(program)
    except (SyntaxError, ValueError, RuntimeError):  # IPython gives up; a number too long to be written; nesting
        return False


def _is_comment(row: str) -> bool:
    return not row.strip() or (row.startswith("#") and not _CELL_MARK.match(row))


def _unparsed(text: str) -> str:
    module = tree(text)
    try:
        return "" if isinstance(module, str) else ast.unparse(_Literals().visit(copy.deepcopy(module)))
    except (ValueError, RecursionError):  # an f-string that cannot be written on one line; nested too deeply
        return ""


class _Literals(ast.NodeTransformer):
    """Puts each text's ``repr`` in its place as if it were a name: ``ast.unparse`` would write docstrings over several lines."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return ast.Name(f"{node.kind or ''}{node.value!r}", ast.Load()) if isinstance(node.value, str) else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        return node  # its parts have no quotes of their own
