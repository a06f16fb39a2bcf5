"""Lines onto a stream: in colour by rich where it is a terminal, plainly elsewhere."""

from __future__ import annotations

import sys
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, TextIO

from smolcell.views.terminal_lines import Line, Style
from smolcell.visible import visible

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

NARROWEST = 10  # cells of a row behind its margin
_COLOURS: dict[Style, str] = {
    "head": "bold cyan",
    "plain": "",
    "dim": "dim",
    "code": "",
    "warn": "yellow",
    "error": "bold red",
    "good": "bold green",
}


class Drawing:
    """Writes lines. Every text is made visible here, at the last door before the stream.

    Args:
        output: the stream; ``sys.stdout`` as it is at each write by default.
    """

    def __init__(self, output: TextIO | None = None) -> None:
        self._output = output
        self._console: Console | None = None
        self._open = False  # streamed text stands on a line without its end
        self._room = 0  # cells that are left of its row

    def line(self, line: Line) -> None:
        """Write one line."""
        self._end_stream()
        text = visible(line.text).replace("\n", "\\n")  # one line stays one line
        console = self._colours()
        if console is None:
            self._write(f"{line.margin}{text}\n")
        else:
            for row in _rows(line, text, console):
                console.print(row, soft_wrap=True)

    def stream(self, text: str, margin: str) -> None:
        """Write text as it comes, in pieces of any size, each of its lines behind the margin. A progress bar's return is a new line."""
        for piece in visible(text.replace("\r\n", "\n").replace("\r", "\n")).splitlines(keepends=True):
            body, begun, self._open = piece.removesuffix("\n"), self._open, not piece.endswith("\n")
            if not begun:
                self._write(margin)
            self._row(body, margin, begun=begun)
            self._write("" if self._open else "\n")
        self._flush()

    def _row(self, text: str, margin: str, *, begun: bool) -> None:
        """Write a piece of a line, broken where a terminal's row ends."""
        console = self._colours()
        if console is None:
            self._write(text)
            return
        whole = _room(console, margin)
        pieces = chopped(text, self._room if begun else whole, whole)
        self._write(f"\n{continued(margin)}".join(pieces))
        self._room = (self._room if begun and len(pieces) == 1 else whole) - sum(map(_cells, pieces[-1]))

    def _end_stream(self) -> None:
        if self._open:
            self._write("\n")
            self._open = False

    @property
    def _stream(self) -> TextIO:
        return sys.stdout if self._output is None else self._output

    def _write(self, text: str) -> None:
        stream = self._stream
        try:
            stream.write(text)
        except UnicodeEncodeError:  # a terminal without Unicode
            encoding = stream.encoding or "ascii"
            stream.write(text.encode(encoding, "backslashreplace").decode(encoding))

    def _flush(self) -> None:
        self._stream.flush()

    def _colours(self) -> Console | None:
        """rich's console for the stream; None where it is no terminal that can show more than ASCII."""
        stream = self._stream
        if not stream.isatty() or "utf" not in (getattr(stream, "encoding", None) or "").lower():
            return None
        if self._console is None or self._console.file is not stream:
            from rich.console import Console

            self._console = Console(file=stream, markup=False, emoji=False, highlight=False, force_jupyter=False)
        return self._console


def _rows(line: Line, text: str, console: Console) -> list[Text]:
    """The line as rows of a terminal, each behind its margin, so that none can be taken for a line of its own."""
    from rich.text import Text

    room, margin = _room(console, line.margin), line.margin
    if line.style == "code":  # every space of it counts
        ends = list(accumulate(map(len, chopped(text, room, room))))
        rows = list(_code(text).divide(ends[:-1]))
    else:
        body = text if "│" in margin else text.lstrip(" ")
        margin += " " * min(len(text) - len(body), room // 2)  # what goes on stands below what it goes on with
        room = _room(console, margin)
        rows = list(Text(body, style=_COLOURS[line.style]).wrap(console, room, overflow="fold")) or [Text()]
    margins = [margin, *[continued(margin)] * (len(rows) - 1)]
    return [Text.assemble((margin, "dim"), row) for margin, row in zip(margins, rows, strict=True)]


def continued(margin: str) -> str:
    """The margin of a row that goes on with the line above it."""
    return "".join("┆" if sign == "│" else " " for sign in margin)


def chopped(text: str, first: int, room: int) -> list[str]:
    """The text in pieces of at most so many cells: the first, and each of the others."""
    pieces, left = [""], first
    for sign in text:
        size = _cells(sign)
        if size > left:
            pieces.append("")
            left = room
        pieces[-1] += sign
        left -= size
    return pieces


def _room(console: Console, margin: str) -> int:
    """The cells of a row behind its margin."""
    return max(console.width - sum(map(_cells, margin)), NARROWEST)


@lru_cache(maxsize=4096)
def _cells(sign: str) -> int:
    """How many cells of a terminal a letter takes; of a tab at most."""
    from rich.cells import get_character_cell_size

    return 8 if sign == "\t" else get_character_cell_size(sign)


def _code(text: str) -> Text:
    """A line of Python in colour; plain where the lexer would show anything but exactly this text."""
    from rich.syntax import Syntax
    from rich.text import Text

    coloured = Syntax("", "python", theme="ansi_dark", background_color="default").highlight(text)
    coloured.right_crop(len(coloured.plain) - len(text))  # the lexer ends each text with a newline
    return coloured if coloured.plain == text else Text(text)
