"""Lines onto a stream: in colour by rich where it is a terminal, plainly elsewhere."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TextIO

from smolcell.views.terminal_lines import Line, Style
from smolcell.visible import visible

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

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

    def line(self, line: Line) -> None:
        """Write one line."""
        self._end_stream()
        text = visible(line.text).replace("\n", "\\n")  # one line stays one line
        console = self._colours()
        if console is None:
            self._write(f"{line.margin}{text}\n")
        else:
            console.print(_coloured(line, text), soft_wrap=True)

    def stream(self, text: str, margin: str) -> None:
        """Write text as it comes, in pieces of any size, each of its lines behind the margin. A progress bar's return is a new line."""
        for piece in visible(text.replace("\r\n", "\n").replace("\r", "\n")).splitlines(keepends=True):
            self._write(piece if self._open else margin + piece)
            self._open = not piece.endswith("\n")
        self._flush()

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


def _coloured(line: Line, text: str) -> Text:
    from rich.text import Text

    body = _code(text) if line.style == "code" else Text(text, style=_COLOURS[line.style])
    return Text.assemble((line.margin, "dim"), body)


def _code(text: str) -> Text:
    """A line of Python in colour; plain where the lexer would show anything but exactly this text."""
    from rich.syntax import Syntax
    from rich.text import Text

    coloured = Syntax("", "python", theme="ansi_dark", background_color="default").highlight(text)
    coloured.right_crop(len(coloured.plain) - len(text))  # the lexer ends each text with a newline
    return coloured if coloured.plain == text else Text(text)
