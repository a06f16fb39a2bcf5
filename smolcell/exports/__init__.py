"""A run's approved steps as ordinary cells. Pure.

* Only programs that ran to their end are exported, as they ran: after a person's edits. Steps that were refused, failed or never ran are
  only mentioned.
* A step of an earlier task, or a failed one, is included if a later step needs a name that it binds or changes: as far as it ran.
* Texts of a model or a person become comments that no character can end. Secrets are redacted, and a comment says so.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from smolcell.core.parsing import tree
from smolcell.core.redaction import redact_of_run
from smolcell.core.text import visible
from smolcell.errors import SetupError
from smolcell.events import FIRST_IDEA, Allowed, Answered, Asked, Called, History, Observed, Proposed, Refused
from smolcell.exports.rewrite import (
    FINAL,
    FINAL_HELPER,
    RUN_HELPER,
    Cell,
    binds,
    cell_of,
    for_ipython,
    loads,
    names_of_run,
    needs,
    touches,
    without_secrets,
)

__all__ = ["Export", "export"]

# --- The result of each program and call of a run: folded from its events.


_PLACE = re.compile(r'^  File "<step (\d+)>", line (\d+), in <module>$', re.MULTILINE)


@dataclass(slots=True, kw_only=True)
class Outcome:
    """One program, or one call that a model made itself, possibly unfinished.

    Attributes:
        text: the text that ran, or was proposed.
        calls: the tool calls that needed approval.
    """

    run: str
    step: int
    call: int = 0
    kind: str = "code"
    thought: str = ""
    text: str = ""
    proposed: str = ""
    refused: Refused | None = None
    allowed: Allowed | None = None
    seen: Observed | None = None
    answered: Answered | None = None
    calls: list[Outcome] = field(default_factory=list)

    @property
    def ran(self) -> bool:
        """Whether it ran to its end."""
        return self.seen is not None and self.seen.error is None and self.allowed is not None

    @property
    def title(self) -> str:
        return f"step {self.step}" + (f", call {self.call}" if self.call else "")

    def why_not(self) -> str:
        """Return why it is not exported; "" if it ran to its end."""
        if self.refused is not None:
            return "was refused"
        if self.seen is not None and self.seen.error is not None:
            return f"failed ({self.seen.error.type})"
        return "" if self.ran else "was never run to its end"

    def statements(self) -> list[ast.stmt]:
        """Return the top-level statements that ran to their end; in a failed program, those before the failed one."""
        module = tree(self.text)
        if isinstance(module, str) or self.seen is None or self.kind != "code":
            return []
        if self.seen.error is None:
            return module.body
        line = self._failed_at()
        body = [statement for statement in module.body if (statement.end_lineno or 0) < line]
        return body if self.seen.changed and not self.seen.state_lost else []

    def half_done(self) -> set[str]:
        """Return the names that the failed statement may have bound before it failed."""
        module = tree(self.text)
        if self.seen is None or self.seen.error is None or isinstance(module, str):
            return set()
        line = self._failed_at()
        failed = [one for one in module.body if one.lineno <= line <= (one.end_lineno or one.lineno)]
        return binds(failed) & set(self.seen.changed)

    def _failed_at(self) -> int:
        """Return the line of the failed statement; 0 if it is not known."""
        error = self.seen.error if self.seen is not None else None
        if error is None:
            return 0
        places = [int(line) for step, line in _PLACE.findall(error.traceback) if int(step) == self.step]
        return places[-1] if places else 0


def outcomes(history: History, run: str) -> list[Outcome]:
    """Return the programs and calls of one run, in order. Calls that a program made are in its ``calls``."""
    by_step: dict[tuple[int, int], Outcome] = {}
    for event in history:
        if isinstance(event, Answered) and event.run == run:
            by_step.setdefault((event.step, -1), Outcome(run=run, step=event.step, kind="answer")).answered = event
        elif isinstance(event, (Proposed, Allowed, Refused, Observed)) and event.run == run and event.call < FIRST_IDEA:
            _add(by_step, event)
    return [one for one in by_step.values() if one.kind in ("code", "call", "answer") and not _nest(by_step, one)]


def _add(by_step: dict[tuple[int, int], Outcome], event: Proposed | Allowed | Refused | Observed) -> None:
    if isinstance(event, (Proposed, Allowed)) and event.kind not in ("code", "call"):
        return
    one = by_step.get((event.step, event.call))
    match event:
        case Proposed():
            one = Outcome(run=event.run, step=event.step, call=event.call, kind=event.kind, thought=event.thought)
            one.text = one.proposed = _program(event.text, event.kind)
            by_step[event.step, event.call] = one
        case Allowed() if one is not None:
            one.allowed, one.text = event, _program(event.text, event.kind)
        case Refused() if one is not None and one.allowed is None:
            one.refused = event
        case Observed() if one is not None:
            one.seen = event
        case _:
            pass


def _program(text: str, kind: str) -> str:
    return for_ipython(text) if kind == "code" else text


def _nest(by_step: dict[tuple[int, int], Outcome], one: Outcome) -> bool:
    """Add a call to the program that made it. Returns whether there is one."""
    program = by_step.get((one.step, 0))
    if one.call <= 0 or program is None or program.kind != "code":
        return False
    program.calls.append(one)
    return True


def chain(history: History, run: str) -> list[str]:
    """Return a run and those that it continues, oldest first."""
    asked = {event.run: event for event in history if isinstance(event, Asked)}
    runs = [run]
    while (before := asked[runs[0]].resumes if runs[0] in asked else "") and before not in runs:
        runs.insert(0, before)
    return runs


def tasks(history: History) -> Iterator[Asked]:
    """Yield the runs that a person or a script began, oldest first."""
    return (event for event in history if isinstance(event, Asked) and not event.parent)


ANSWER = "answer"
WIDTH = 110
_CODING = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*[-\w.]")
"""The declaration of an encoding in a file's first two lines (PEP 263)."""
_IMMUTABLE = frozenset("int float bool str bytes complex NoneType frozenset range".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """A run as ordinary cells.

    Attributes:
        run: its id.
        cells: the source of each cell, in order, without imports from ``__future__``.
        answer: the variable that the last cell assigns the answer to.
        sets: names that the cells bind in the notebook.
        notes: notes for the person, to read before running the cells.
        features: for each cell, its imports from ``__future__``.
    """

    run: str
    cells: tuple[str, ...]
    answer: str = ANSWER
    sets: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    features: tuple[tuple[str, ...], ...] = ()

    def __str__(self) -> str:
        return self.script()

    def one_cell(self) -> str:
        """Return all cells as one, for front ends that accept only one."""
        return "\n\n".join([*_imports(name for names in self.features for name in names), *self.cells])

    def each_cell(self) -> tuple[str, ...]:
        """Return the cells, each with its own imports from ``__future__``."""
        return tuple("\n".join([*_imports(names), text]) for names, text in zip(self.features, self.cells, strict=True))

    def script(self) -> str:
        """Return a Python file with ``# %%`` between the cells, for editors and Jupytext. A top-level ``await`` needs IPython."""
        shown = any("display" in loads(_body(text)) for text in self.cells)
        head = [*_imports(name for names in self.features for name in names)]
        head += ["from IPython.display import display"] if shown else []
        text = "\n\n".join([*filter(None, ["\n".join(head)]), *(f"# %%\n{text}" for text in self.cells)]) + "\n"
        return f"# coding: utf-8\n{text}" if any(map(_CODING.match, text.split("\n", 2)[:2])) else text

    def notebook(self) -> dict[str, Any]:
        """Return a notebook of these cells, as JSON of nbformat 4.5."""
        cells: list[dict[str, Any]] = [
            {
                "cell_type": "code",
                "id": f"step-{number}",
                "metadata": {},
                "execution_count": None,
                "outputs": [],
                "source": text,
            }
            for number, text in enumerate(self.each_cell(), 1)
        ]
        kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
        metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
        return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def export(
    history: History,
    run: str = "",
    *,
    answer: str = ANSWER,
    tools: Mapping[str, str] | None = None,
    defined: Collection[str] = (),
) -> Export:
    """Return the approved steps of a run that ran to their end, as ordinary cells that give the same answer.

    Args:
        history: the events of a session, or of one run.
        run: its id; the newest run by default.
        answer: the variable for the answer.
        tools: for each function of the host that the code could call, source that defines it in the notebook; "" if there is none.
        defined: names of such functions that the notebook already defines.

    Raises:
        SetupError: there is no such run, or none of its steps ran.
    """
    known = {asked.run: asked for asked in tasks(history)}
    if not known or (run and run not in known):
        raise SetupError(
            f"there is no run {run!r} here: leave it out for the newest"
            if run
            else "nothing ran yet: there is nothing to export"
        )
    return _Exporter(history, run or list(known)[-1], answer, tools or {}, defined).made()


class _Piece:
    """A part of the export: a whole program of the run, or statements of an earlier one that it needs."""

    def __init__(self, of: Outcome, statements: list[ast.stmt], *, whole: bool) -> None:
        self.of, self.statements, self.whole = of, statements, whole


class _Exporter:
    """One export in progress."""

    def __init__(
        self, history: History, run: str, answer: str, tools: Mapping[str, str], defined: Collection[str]
    ) -> None:
        self.history, self.run, self.answer, self.tools, self.defined = history, run, answer, tools, defined
        self.asked = {asked.run: asked for asked in tasks(history)}
        self.own = chain(history, run)
        self.notes: list[str] = []
        self.found = {each: outcomes(history, each) for each in self._runs()}
        programs = (tree(one.text) for listed in self.found.values() for one in listed if one.kind == "code")
        self.runs = frozenset(name for one in programs if not isinstance(one, str) for name in names_of_run(one))

    def made(self) -> Export:
        pieces = self._pieces()
        cells = [self._cell(piece) for piece in pieces]
        texts = [self._with_title(piece, cell) for piece, cell in zip(pieces, cells, strict=True)]
        features = [cell.features for cell in cells]
        if answer_cell := self._answer_cell():
            texts.append(answer_cell)
            features.append(())
        if not texts:
            raise SetupError(f"no step of the run {self.run} ran to its end: there is nothing to export")
        called = self._called_functions(pieces)
        opening = _comment(self._opening_lines(called), self._clean)
        if before := self._setup_code(cells, pieces, called):
            texts.insert(0, f"{opening}\n\n{before}")
            features.insert(0, ())
        else:
            texts[0] = f"{opening}\n\n{texts[0]}"
        sets = binds([statement for text in texts for statement in _body(text)]) - {self.answer, *self._variables()}
        return Export(
            run=self.run,
            cells=tuple(texts),
            answer=self.answer,
            sets=tuple(sorted(sets)),
            notes=tuple(self.notes),
            features=tuple(features),
        )

    # --- the exported steps ---

    def _runs(self) -> list[str]:
        """Return the ids of the session's runs up to and including the exported one."""
        names = list(self.asked)
        return names[: names.index(self.run) + 1]

    def _pieces(self) -> list[_Piece]:
        """Return the exported steps. Searches from the last to the first, because later steps determine the needed names."""
        pieces: list[_Piece] = []
        needed: set[str] = set()
        for run in reversed(self._runs()):
            for one in reversed(self.found[run]):
                if one.kind == "answer":
                    continue
                whole = run in self.own and one.ran
                statements = _body(one.text) if whole and one.kind == "call" else one.statements()
                self._note_doubts(one, needed)
                if whole or (binds(statements) | touches(statements)) & needed:
                    pieces.append(_Piece(one, statements, whole=whole))
                    needed = (needed - binds(statements)) | needs(statements)
            needed -= {variable.name for variable in self.asked[run].variables} if run not in self.own else set()
        return pieces[::-1]

    def _note_doubts(self, one: Outcome, needed: set[str]) -> None:
        if doubtful := one.half_done() & needed:
            names = ", ".join(sorted(doubtful))
            self.notes.append(f"{one.title} failed while it set {names}: its value may differ here")

    # --- as cells ---

    def _cell(self, piece: _Piece) -> Cell:
        one = piece.of
        if one.kind == "call":
            return Cell(f"{self.answer} = {one.text}\n{self.answer}" if self._is_final_call(one) else one.text)
        seen = one.seen
        text = one.text if one.ran else _lines_until(one.text, piece.statements)
        final = piece.whole and seen is not None and seen.is_final_answer
        clean = self._without_secrets(text, one.title)
        return cell_of(clean, answer=self.answer, final=final, tool=FINAL in self.tools, runs=self.runs)

    def _clean(self, text: str) -> str:
        """Return the text as it is saved, redacted."""
        clean: str = redact_of_run(self.run, text)
        return clean

    def _without_secrets(self, text: str, title: str) -> str:
        clean, stays = without_secrets(text, self._clean)
        if stays:
            self.notes.append(f"{title} has text that looks like a secret and could not be redacted: check it first")
        if clean != text:
            self.notes.append(f"a secret was redacted in {title}: read it from the environment instead")
        return clean

    def _is_final_call(self, one: Outcome) -> bool:
        return one.seen is not None and one.seen.is_final_answer

    def _with_title(self, piece: _Piece, cell: Cell) -> str:
        """Return the cell below a comment that names its source and its invisible characters."""
        one = piece.of
        where = "" if one.run in self.own else " of an earlier task"
        title = f"{one.title.capitalize()}{where}"
        if not piece.whole:
            why = one.why_not()
            title += f", which {why}: as far as it ran" if why else ""
        elif one.thought.strip():
            title += f": {_first_line(one.thought)}"
        rows = [title]
        for call in one.calls:
            if call.refused is not None:
                rows.append(f"A call of it was refused: {_first_line(call.proposed)}")
            elif call.text != call.proposed:
                rows.append(f"A call of it was edited: {_first_line(call.proposed)} ran as {_first_line(call.text)}")
        if len(rows) > 1 and piece.whole:
            self.notes.append(
                f"a person changed or refused a call that {one.title} made: ordinary cells make it unchanged"
            )
        return f"{_comment(rows, self._clean)}\n{cell.text}"

    def _answer_cell(self) -> str | None:
        """Return the cell of an answer that the model gave in words; None if code gave it."""
        answered = next((one.answered for one in reversed(self.found[self.run]) if one.answered is not None), None)
        if answered is None:
            return None
        gave = [one for one in self.found[self.run] if one.step == answered.step and one.seen is not None]
        if any(one.seen is not None and one.seen.is_final_answer and one.ran for one in gave):
            return None
        value = answered.output if _is_literal(answered.output) else answered.text
        comment = "# The answer, in the words of the model: no code made it."
        return f"{comment}\n{self.answer} = {self._clean(repr(value))}\n{self.answer}"

    # --- before the steps ---

    def _variables(self) -> dict[str, Any]:
        return {variable.name: variable for run in self.own for variable in self.asked[run].variables}

    def _opening_lines(self, called: list[str]) -> Iterator[str]:
        asked: Asked = self.asked[self.run]
        yield f"Task: {_first_line(asked.task)}"
        yield "The steps that were approved and ran to their end. In ordinary cells they run without a sandbox."
        if variables := self._variables():
            yield "Uses from this notebook: " + ", ".join(f"{one.name} ({one.type})" for one in variables.values())
        if own := [name for name in called if name in self.defined]:
            yield f"Calls functions of this notebook: {', '.join(own)}"
        if files := list(dict.fromkeys(file.name for run in self.own for file in self.asked[run].files)):
            yield f"Reads, from the folder it runs in: {', '.join(files)}"
        for run in self.own:
            for one in self.found[run]:
                if one.kind != "answer" and one.why_not():
                    yield f"Not here: {one.title}, which {one.why_not()}"

    def _setup_code(self, cells: list[Cell], pieces: list[_Piece], called: list[str]) -> str:
        """Return code that the cells need: tools that they call, copies of values that they change, and the sandbox's definitions."""
        parts = [self._tool_source(name) for name in called if name not in self.defined]
        changed = {name for piece in pieces for name in touches(piece.statements)}
        copied = [
            name
            for name, variable in self._variables().items()
            if name in changed and variable.type not in _IMMUTABLE and name not in self.tools
        ]
        if copied:
            rows = [f"{name} = copy.deepcopy({name})" for name in copied]
            parts.append("\n".join(["import copy\n", "# These are changed below. The sandbox had copies, too.", *rows]))
        if any(cell.threads for cell in cells):
            parts.append(RUN_HELPER)
        if any(cell.ends for cell in cells):
            parts.append(FINAL_HELPER.format(answer=self.answer))
        return "\n\n".join(parts)

    def _tool_source(self, name: str) -> str:
        """Return the tool's source, or a stub that says what is missing."""
        source = self.tools.get(name, "")
        if not source:
            self.notes.append(f"{name} is a tool that this notebook does not define: define it first")
        return source or _stand_in(name)

    def _called_functions(self, pieces: list[_Piece]) -> list[str]:
        """Return the names of the host's functions that the exported programs call, as far as is known."""
        names: dict[str, None] = dict.fromkeys(self.tools)
        for event in self.history:
            if isinstance(event, Called) and event.run in self.found:
                names[event.name] = None
            elif isinstance(event, Proposed) and event.run in self.found:
                names.update(dict.fromkeys(finding.text for finding in event.findings if finding.kind == "tool"))
        used = {name for piece in pieces for name in loads(piece.statements)}
        return [name for name in names if name in used and name.isidentifier() and name != FINAL]


def _stand_in(name: str) -> str:
    return (
        f"def {name}(*args, **kwargs):\n"
        f'    """A tool or another agent that the code called. Define or import it here."""\n'
        f'    raise NotImplementedError("{name} is not part of this export: define or import it in this cell")'
    )


def _lines_until(program: str, statements: list[ast.stmt]) -> str:
    """Return the lines of a program up to the end of these statements, which are its first ones."""
    rows = program.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(rows[: statements[-1].end_lineno])


def _body(text: str) -> list[ast.stmt]:
    module = tree(text)
    return [] if isinstance(module, str) else module.body


def _imports(features: Iterable[str]) -> list[str]:
    """Return an import from ``__future__``, which must be the first line of a file."""
    names = ", ".join(dict.fromkeys(features))
    return [f"from __future__ import {names}"] if names else []


def _comment(rows: Iterable[str], clean: Callable[[str], str]) -> str:
    """Return lines of comment that no text can end."""
    return "\n".join(f"# {line}".rstrip() for row in rows for line in visible(clean(row)).split("\n"))


def _first_line(text: str) -> str:
    lines = text.strip().split("\n")
    first = lines[0].strip()
    return f"{first[:WIDTH]}…" if len(first) > WIDTH or len(lines) > 1 else first


def _is_literal(value: Any) -> bool:
    """Return whether a value can be written as Python and read back unchanged."""
    if type(value) not in (str, int, float, bool, list, dict, tuple):
        return False
    try:
        return bool(ast.literal_eval(repr(value)) == value)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False
