"""Output checks: rules for texts and values that leave a run, and the actions they take.

They are no wall: data that is encoded, split or reworded is not found. The sandbox decides what code can reach.

Four boundaries: "model" (text for the model), "answer", "saved" (journal, notebook, exports), "tools" (arguments of tools).
Four actions: "pass" (only reported), "redact", "ask" (the person decides; if no person can, "redact"), "refuse".
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from smolcell.core import redaction
from smolcell.core import text as describe
from smolcell.errors import SetupError
from smolcell.output_checks.answer_types import AnswerType, reader
from smolcell.output_checks.recognizers import KINDS, recognize
from smolcell.worker.wire.values import Row

__all__ = [
    "BOUNDARIES",
    "Checks",
    "OutputCheck",
    "by_names",
    "check",
    "matches",
    "max_size",
    "personal_data",
    "schema",
    "secrets",
]

Boundary = Literal["model", "answer", "saved", "tools"]
Action = Literal["pass", "redact", "ask", "refuse"]
BOUNDARIES: tuple[Boundary, ...] = ("model", "answer", "saved", "tools")
ACTIONS: tuple[Action, ...] = ("pass", "redact", "ask", "refuse")
DEFAULTS: Mapping[Boundary, Action] = MappingProxyType(
    {"model": "redact", "answer": "ask", "saved": "redact", "tools": "pass"}
)
"""The default actions of a check, by boundary."""


class Match(NamedTuple):
    """A match of a check in a text. ``refused``: the whole text must not pass."""

    kind: str
    start: int
    end: int
    refused: bool = False


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class OutputCheck:
    """One check.

    Attributes:
        name: its name on cards and in the journal.
        actions: its action by boundary; other boundaries are not checked.
        find: returns the matches in a text.
        read: returns the answer as the check requires it; raises ``ValueError`` with the reason if it does not fit.
        words: the requirement on the answer, as text for the model.
    """

    name: str
    actions: Mapping[Boundary, Action]
    find: Callable[[str], Iterable[Match]] | None = None
    read: Callable[[Any], Any] | None = None
    words: str = ""
    is_size: bool = False  # applies to the output of a step, not to a whole conversation


# --- the checks ---------------------------------------------------------------------------------------------------------


def secrets(*, action: Action | None = None) -> OutputCheck:
    """Search for secrets: values of key-like environment variables, keys of models, and texts with the form of known tokens.

    Always on. Whatever the action, no secret goes to the model or into a saved file.

    Args:
        action: by default "ask" for the answer, and "pass" for arguments of tools.
    """
    given = _actions(action, BOUNDARIES)
    sent: Action = "refuse" if given["model"] == "refuse" else "redact"
    return OutputCheck("secrets", {**given, "model": sent, "saved": "redact"}, _secrets)


def _secrets(text: str) -> Iterator[Match]:
    return (Match("secret", start, end) for start, end in redaction.find(text))


def personal_data(
    kinds: str | Iterable[str] = tuple(KINDS), *, action: Action | None = None, at: str | Iterable[str] = BOUNDARIES
) -> OutputCheck:
    """Search for personal data by patterns and checksums. Names and postal addresses are not found.

    Args:
        kinds: of "email", "phone", "iban", "card", "ssn", "ip".
        action: by default "redact" for the model and saved files, "ask" for the answer, "pass" for arguments of tools.
        at: the boundaries.

    Raises:
        SetupError: there is no such kind, action or boundary.
    """
    chosen = frozenset(_words(kinds, tuple(KINDS), "kinds"))

    def find(text: str) -> Iterator[Match]:
        return (Match(KINDS[place.kind], place.start, place.end) for place in recognize(text, chosen))

    return OutputCheck("personal_data", _actions(action, at), find)


def matches(
    pattern: str | re.Pattern[str],
    *,
    name: str = "matches",
    required: bool = False,
    action: Action | None = None,
    at: str | Iterable[str] = BOUNDARIES,
) -> OutputCheck:
    """Search for your own regular expression, such as customer numbers.

    Args:
        pattern: the expression. If it has groups, the first group is hidden.
        name: the check's name.
        required: the opposite: the whole answer must match; by default an answer that does not is refused.
        action, at: as for ``personal_data``.

    Raises:
        SetupError: the expression is not valid.
    """
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise SetupError(f"matches: {pattern!r} is no regular expression: {error}") from None
    if required:

        def read(value: Any) -> Any:
            if compiled.fullmatch(describe.answer(value)) is None:
                raise ValueError(f"it does not match {compiled.pattern!r}")
            return value

        return OutputCheck(name, _actions(action or "refuse", "answer"), None, read)
    group = 1 if compiled.groups else 0

    def find(text: str) -> Iterator[Match]:
        spans = (match.span(group) for match in compiled.finditer(text))
        return (Match("match", *span) for span in spans if span[1] > span[0])

    return OutputCheck(name, _actions(action, at), find)


def max_size(most: int, *, action: Action = "refuse", at: str | Iterable[str] = "answer") -> OutputCheck:
    """Limit texts to a number of characters; "redact" cuts them there.

    Args:
        most: characters. For a value that is no text, of all texts and numbers in it; for a table, approximately of its cells.
        action: the action for longer texts.
        at: the boundaries; of text for the model, each step's output is limited.

    Raises:
        SetupError: ``most`` is not a positive number.
    """
    if type(most) is not int or most < 1:
        raise SetupError(f"max_size takes a number of characters from 1, not {most!r}: for example max_size(20_000)")
    kind = f"text beyond {most:,} characters"

    def find(text: str) -> Iterator[Match]:
        return iter([Match(kind, most, len(text))] if len(text) > most else [])

    return OutputCheck("max_size", _actions(action, at), find, is_size=True)


def schema(expected: Any, *, action: Action = "refuse") -> OutputCheck:
    """Require a type of the answer; ``output_type=`` does the same.

    Args:
        expected: a pydantic model, a dataclass, a ``TypedDict`` or any other type that pydantic supports; ``pd.DataFrame``; or the columns
            of one with their dtypes: ``{"month": "datetime64[ns]", "sales": "float64"}``.
        action: the action for other answers; "refuse" tells the model the error.

    Raises:
        SetupError: it is no type.
    """
    if isinstance(expected, OutputCheck):
        return expected
    read: AnswerType = reader(expected)
    return OutputCheck("schema", _actions(action, "answer"), None, read.value, read.words)


def check(
    function: Callable[[str], Any], *, action: Action | None = None, at: str | Iterable[str] = BOUNDARIES
) -> OutputCheck:
    """Return your own check, with an action. In a list of checks, the function alone is enough.

    Args:
        function: gets a text and returns the parts that must not pass, as a list of strings; ``False``, a text with the reason, or an
            exception refuses the whole text; ``None``, ``True`` or an empty list passes it. Called on the run's thread: it must not block.
        action, at: as for ``personal_data``.
    """

    def find(text: str) -> list[Match]:
        try:
            result = function(text)
            if result is None or result is True:
                return []
            if result is False or isinstance(result, str):
                return [Match(str(result) if result else "refused", 0, len(text), refused=True)]
            return [Match("match", *span) for piece in result for span in _places(text, str(piece))]
        except Exception as error:  # if a check fails, nothing passes
            return [Match(f"it failed: {type(error).__name__}", 0, len(text), refused=True)]

    return OutputCheck(str(getattr(function, "__name__", "check")), _actions(action, at), find)


def _places(text: str, piece: str) -> Iterator[tuple[int, int]]:
    return (match.span() for match in re.finditer(re.escape(piece), text)) if piece else iter(())


def _actions(action: str | None, at: str | Iterable[str]) -> dict[Boundary, Action]:
    boundaries: Any = _words(at, BOUNDARIES, "at")
    chosen: Any = action if action is None else _words(action, ACTIONS, "action")[0]
    return {boundary: chosen or DEFAULTS[boundary] for boundary in boundaries}


def _words(given: str | Iterable[str], known: Sequence[str], option: str) -> tuple[str, ...]:
    words = (given,) if isinstance(given, str) else tuple(given)
    for word in words:
        if word not in known:
            raise SetupError(f"{option}={word!r} is not known; valid values are: {', '.join(known)}")
    return words


NAMES: Mapping[str, Callable[[], OutputCheck]] = {"secrets": secrets, "personal_data": personal_data}
"""Checks without arguments, which can be named in a setting."""


def by_names(names: Iterable[str]) -> list[OutputCheck]:
    """Return the checks of these names, from a setting.

    Raises:
        SetupError: there is no such check, or it takes arguments.
    """
    return [NAMES[name]() for name in _words(tuple(names), tuple(NAMES), "output_checks")]


# --- the checks of an agent ---------------------------------------------------------------------------------------------

Hit = tuple[OutputCheck, Match]
Hides = Callable[[OutputCheck, str], bool]
Report = dict[OutputCheck, dict[str, str]]
"""Check → its different matches → their kinds. If a check refused the whole text: ``REFUSED`` → the reason."""
REFUSED = ""
_KEPT = range(200, 50_001)  # characters of cached texts: a conversation is checked again at each step


class Checks:
    """The checks of an agent, including ``secrets()``.

    Args:
        given: checks, and functions as for ``check``.

    Raises:
        SetupError: an object is neither of these.
    """

    def __init__(self, given: Iterable[Any] = ()) -> None:
        checks = [_as_check(one) for one in given]
        if all(one.name != "secrets" for one in checks):
            checks.insert(0, secrets())
        self.all: tuple[OutputCheck, ...] = tuple(checks)
        self._look = lru_cache(maxsize=512)(self._look_at)

    def __repr__(self) -> str:
        return f"<Checks {', '.join(one.name for one in self.all)}>"

    def __or__(self, others: Checks) -> Checks:
        """Combine with the searches of others; requirements on the answer are only these checks'."""
        return Checks([*self.all, *(one for one in others.all if one.find and one not in self.all)])

    @property
    def words(self) -> str:
        """Return the requirements on the answer, for the model."""
        return "\n".join(one.words for one in self.all if one.words)

    @property
    def hides_in_files(self) -> bool:
        """Return whether more than secrets is hidden in saved texts."""
        return any(
            one.name != "secrets" and one.find and one.actions.get("saved", "pass") != "pass" for one in self.all
        )

    def look(self, text: str, at: Boundary) -> tuple[Hit, ...]:
        """Return the matches in a text at a boundary, in order, with overlaps."""
        return self._look(text, at) if len(text) in _KEPT else self._look_at(text, at)

    def _look_at(self, text: str, at: Boundary) -> tuple[Hit, ...]:
        hits = [(one, piece) for one in self.all if one.find and at in one.actions for piece in one.find(text)]
        return tuple(sorted(hits, key=lambda hit: (hit[1].start, hit[1].end))) if len(hits) > 1 else tuple(hits)

    def conceal(self, text: str, at: Boundary, hides: Hides) -> str:
        """Replace the matches for which ``hides(check, text)`` is true by ``[redacted]``."""
        hits = self.look(text, at)
        spans = [piece[1:3] for one, piece in hits if hides(one, text[piece.start : piece.end])]
        return redaction.mask(text, spans)

    def saved(self, text: str) -> str:
        """Return a text as it is saved: matches are hidden, since no person is asked."""
        return self.conceal(text, "saved", lambda one, piece: one.actions["saved"] != "pass")

    def sent(self, text: str) -> str:
        """Return a text for a list of the model's messages, in which no person is asked."""
        return self.conceal(text, "model", lambda one, piece: one.actions["model"] != "pass" and not one.is_size)

    def note(self, text: str, at: Boundary, report: Report) -> None:
        """Add the matches in a text to a report."""
        for one, piece in self.look(text, at):
            found = report.setdefault(one, {})
            if piece.refused:
                found[REFUSED] = piece.kind
            else:
                found[text[piece.start : piece.end]] = piece.kind

    def report(self, value: Any, at: Boundary) -> Report:
        """Return the matches in a value: in its texts, a sample of each column of its tables, and long numbers."""
        report: Report = {}
        plain, columns = _Walk().leaves(value)
        for text in _joined(plain):
            self.note(text, at, report)
        for column in columns:
            self._note_column(column, at, report)
        return report

    def _note_column(self, column: Column, at: Boundary, report: Report) -> None:
        found: Report = {}
        for text in _joined(column.sample):
            self.note(text, at, found)
        for one, pieces in found.items():
            if not column.numbers or len(pieces) * 2 >= len(
                set(column.sample)
            ):  # by chance, one number in ten looks like a card's
                report.setdefault(one, {}).update(pieces)

    def conceal_value(self, value: Any, at: Boundary, hides: Hides, report: Report) -> Any:
        """Return a copy of a value with the selected matches hidden; the value itself if there are none."""
        found = [(one, piece) for one, texts in report.items() for piece in texts if piece and hides(one, piece)]
        # A known value is found in each text; elsewhere, a part of one is an ordinary word.
        pieces = {piece for one, piece in found if one.name != "secrets" or redaction.redact_part(piece) == piece}
        if any(REFUSED in texts and hides(one, REFUSED) for one, texts in report.items()):
            return redaction.MARK
        known = re.compile("|".join(map(re.escape, sorted(pieces, key=len, reverse=True)))) if pieces else None

        def change(text: str) -> str:
            text = self.conceal(text, at, hides)
            return text if known is None else known.sub(redaction.MARK, text)

        return _Walk(change).copy(value) if found else value

    def read(self, value: Any) -> tuple[Any, list[tuple[OutputCheck, str]]]:
        """Return the answer as its checks require it, and the checks that it does not fit, with the reasons."""
        unfit: list[tuple[OutputCheck, str]] = []
        for one in self.all:
            if one.read is not None:
                try:
                    value = one.read(value)
                except ValueError as error:
                    unfit.append((one, str(error)))
        return value, unfit


def _as_check(given: Any) -> OutputCheck:
    if isinstance(given, OutputCheck):
        return given
    if given in (secrets, personal_data):  # passed without parentheses
        instance: OutputCheck = given()
        return instance
    if not callable(given) or given in (schema, matches, max_size, check):
        raise SetupError(
            f"output_checks is a list of checks, and {given!r} is not one: for example "
            "output_checks=[personal_data(), max_size(20_000)], from smolcell.output_checks"
        )
    return check(given)


# --- values: their texts, and copies of them with other texts -----------------------------------------------------------

_MAX_DEPTH = 50  # levels; deeper values are left out of a copy
_SAMPLE_CELLS = 400  # cells of a column that are checked
_MAX_DECIMAL_BITS = 10_000
_LONG_NUMBER = 10**9  # smaller numbers cannot be card or account numbers
_MAX_JOINED_CHARS = 200_000  # characters that are searched at once


@dataclasses.dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: a sample of its cells as texts; ``numbers``: whether they are whole numbers."""

    sample: list[str]
    numbers: bool = False


def _joined(texts: Iterable[str]) -> Iterator[str]:
    lines: list[str] = []
    size = 0
    for text in texts:
        lines.append(text)
        size += len(text) + 1
        if size > _MAX_JOINED_CHARS:
            yield "\n".join(lines)
            lines, size = [], 0
    if lines:
        yield "\n".join(lines)


class _Walk:
    """Visits the parts of a value. ``change`` converts texts for a copy."""

    def __init__(self, change: Callable[[str], str] = str) -> None:
        self._change = change
        self._texts: list[str] = []
        self._columns: list[Column] = []
        self._seen: set[int] = set()

    def leaves(self, value: Any) -> tuple[list[str], list[Column]]:
        """Return its texts, and the columns of its tables."""
        self._collect(value, _MAX_DEPTH)
        return self._texts, self._columns

    def _collect(self, value: Any, depth: int) -> None:
        if isinstance(value, str):
            self._texts.append(value)
        elif isinstance(value, bool | float | complex) or value is None:
            pass
        elif isinstance(value, int):
            if abs(value) >= _LONG_NUMBER:
                self._texts.append(_digits(value))
        elif isinstance(value, bytes | bytearray):
            self._texts.append(bytes(value).decode("utf-8", "replace"))
        elif depth and id(value) not in self._seen:
            self._seen.add(id(value))
            self._collect_parts(value, depth - 1)

    def _collect_parts(self, value: Any, depth: int) -> None:
        if isinstance(value, Mapping):
            for key, item in value.items():
                if isinstance(key, str | int) and isinstance(item, str | int) and not isinstance(item, bool):
                    self._collect(f"{_digits(key)}: {_digits(item)}", depth)
                else:
                    self._collect(key, depth)
                    self._collect(item, depth)
        elif isinstance(value, Row):
            self._collect(value._asdict(), depth)
            self._texts.append(value._kind)
        elif isinstance(value, list | tuple | set | frozenset):
            for item in value:
                self._collect(item, depth)
        elif (columns := _columns(value)) is not None:
            self._columns += [Column(cells, numbers) for cells, numbers in columns]
        elif (fields := _fields(value)) is not None:
            self._collect(fields, depth)
        else:
            self._texts.append(describe.answer(value))

    def copy(self, value: Any, depth: int = _MAX_DEPTH) -> Any:
        """Return the value with its texts changed. Other objects are kept, unless one of their fields changes."""
        if isinstance(value, str):
            return self._change(value)
        if isinstance(value, bool | float | complex) or value is None:
            return value
        if isinstance(value, int):
            return value if self._change(_digits(value)) == _digits(value) else redaction.MARK
        if isinstance(value, bytes | bytearray):
            text = bytes(value).decode("utf-8", "surrogateescape")
            return type(value)(self._change(text).encode("utf-8", "surrogateescape"))
        return self._copy_parts(value, depth - 1) if depth else redaction.MARK

    def _copy_parts(self, value: Any, depth: int) -> Any:
        if isinstance(value, Mapping):
            return {self.copy(key, depth): self.copy(item, depth) for key, item in value.items()}
        if isinstance(value, list | tuple | set | frozenset):
            items = [self.copy(item, depth) for item in value]
            if isinstance(value, Row):
                return Row(self._change(value._kind), [self._change(name) for name in value._fields], items)
            return value._make(items) if isinstance(value, tuple) and hasattr(value, "_make") else type(value)(items)
        if _columns(value) is not None:
            return _changed_table(value, lambda cell: self.copy(cell, depth))
        if (fields := _fields(value)) is not None:
            return _with_fields(value, {name: self.copy(item, depth) for name, item in fields.items()})
        text = describe.answer(value)
        changed = self._change(text)
        return value if changed == text else changed


def _digits(value: int | str) -> str:
    """Return a text as it is, and a number's digits: hexadecimal ones if Python refuses the others as too slow."""
    return hex(value) if isinstance(value, int) and value.bit_length() > _MAX_DECIMAL_BITS else str(value)


def _fields(value: Any) -> dict[str, Any] | None:
    """Return the fields of a dataclass or a pydantic model; None for others."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return dict(vars(value)) if hasattr(type(value), "model_fields") else None


def _with_fields(value: Any, fields: Mapping[str, Any]) -> Any:
    copied = object.__new__(type(value))
    if hasattr(type(value), "model_fields"):
        copied = value.model_copy()
    for name, item in fields.items():
        object.__setattr__(copied, name, item)
    return copied


def _columns(value: Any) -> list[tuple[list[str], bool]] | None:
    """Return, for a table, series or array, a sample of each column's texts or long whole numbers, with names; None for others."""
    kind, module = type(value).__name__, type(value).__module__.partition(".")[0]
    if (kind, module) == ("ndarray", "numpy"):
        return [_sampled(value.reshape(-1), str(value.dtype.kind))]
    if kind not in ("DataFrame", "Series", "Index") or module not in ("pandas", "polars"):
        return None
    if kind != "DataFrame":
        samples = [_sampled(value, _kind_of(value))]
        names = [*_texts([value.name])] + (
            [] if module == "polars" or kind == "Index" else _sampled(value.index, _kind_of(value.index))[0]
        )
        return [*samples, (names, False)]
    numbers = range(value.shape[1])
    columns = [value.iloc[:, number] if module == "pandas" else value.to_series(number) for number in numbers]
    index = [_sampled(value.index, _kind_of(value.index))] if module == "pandas" else []
    return [(_texts(list(value.columns)), False), *index, *(_sampled(column, _kind_of(column)) for column in columns)]


def _kind_of(column: Any) -> str:
    """Return "i" for whole numbers, "f" for other types without text, else "O"."""
    name = str(column.dtype).lower()
    if name.startswith(("int", "uint")):
        return "i"
    return (
        "f"
        if name.startswith(("float", "bool", "datetime", "timedelta", "date", "time", "duration", "complex"))
        else "O"
    )


def _sampled(column: Any, kind: str) -> tuple[list[str], bool]:
    """Return the first and last cells of a column, and some between them."""
    size = len(column)
    if kind in "fcbmM" or not size:
        return [], False
    third = _SAMPLE_CELLS // 4
    if size <= _SAMPLE_CELLS:
        cells = list(column)
    else:
        step = (size - 2 * third) / (_SAMPLE_CELLS - 2 * third)
        places = [
            *range(third),
            *(third + int(step * n) for n in range(_SAMPLE_CELLS - 2 * third)),
            *range(size - third, size),
        ]
        taken = column.iloc if hasattr(column, "iloc") else column
        cells = list(taken[places])
    return _texts(cells), kind in "iu"


def _texts(cells: Iterable[Any]) -> list[str]:
    return _Walk().leaves(list(cells))[0]


def _changed_table(value: Any, change: Callable[[Any], Any]) -> Any:
    kind, module = type(value).__name__, type(value).__module__.partition(".")[0]
    if module == "numpy":
        copied = value.astype(object)
        for place, cell in enumerate(copied.flat):
            copied.flat[place] = change(cell)
        return copied if (copied != value).any() else value
    if module == "polars":
        return _changed_polars(value, change)
    if not hasattr(value, "iloc"):  # an index
        return value.map(change) if _kind_of(value) == "O" else value
    copied = value.copy(deep=False)
    copied.index = _changed_table(value.index, change) if value.index.nlevels == 1 else value.index
    if kind == "Series":
        copied.name = change(value.name)
        return copied if _kind_of(value) == "f" else copied.map(change)
    columns = {number: _changed_column(value.iloc[:, number], change) for number in range(value.shape[1])}
    for number, column in columns.items():
        if column is not None:
            copied.isetitem(number, column.to_numpy())
    copied.columns = [change(name) for name in value.columns] if value.columns.nlevels == 1 else value.columns
    return copied


def _changed_column(column: Any, change: Callable[[Any], Any]) -> Any:
    """Return the changed column; None if nothing in its sample changes."""
    cells = _sampled(column, _kind_of(column))[0]
    return column.map(change).astype(object) if any(change(cell) != cell for cell in cells) else None


def _changed_polars(value: Any, change: Callable[[Any], Any]) -> Any:
    if type(value).__name__ == "Series":
        return value if _kind_of(value) == "f" else type(value)(value.name, [change(cell) for cell in value])
    changed = [_changed_polars(column, change) for column in value.get_columns()]
    return type(value)({change(column.name): column for column in changed})
