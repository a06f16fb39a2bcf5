"""Pictures of the terminal: what tmux has on its screen, in its colours, drawn by the browser."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from subprocess import run

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from pictures.desk import ROOT, Desk, Target, code

COLUMNS = 100
DARK = "#3c3c3c #e06c75 #82be6e #d6b264 #61a5e6 #c678dd #56b6c2 #c8c8c8"
BRIGHT = "#828282 #f0828a #98d282 #ebcb8b #82beff #d796eb #6ecdd7 #ffffff"
PAGE = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; background: #fff }} .window {{ display: inline-block; margin: 8px; border-radius: 8px; background: #1e1e1e }}
pre {{ margin: 0; padding: 14px 16px; color: #dedede; font: 14px/1.35 'DejaVu Sans Mono', monospace }}
</style><div class="window"><pre>{code}</pre></div>"""


def theme() -> TerminalTheme:
    """The sixteen colours of the picture's terminal."""
    dark, bright = ([tuple(bytes.fromhex(word[1:])) for word in words.split()] for words in (DARK, BRIGHT))
    return TerminalTheme((30, 30, 30), (222, 222, 222), dark, bright)  # type: ignore[arg-type]


class Screen:
    """A terminal that no one sees, under ``tmux``, with a server of its own."""

    def __init__(self, name: str) -> None:
        self._name = name

    def tmux(self, *words: str) -> str:
        command = ["tmux", "-L", self._name, "-f", "/dev/null", *words]
        return run(command, check=True, capture_output=True, text=True).stdout

    def types(self, text: str) -> None:
        """Type a line."""
        self.tmux("send-keys", "-l", text)
        self.tmux("send-keys", "Enter")

    def shows(self, text: str, seconds: float = 60.0) -> None:
        """Wait until the screen has this text."""
        end = time.monotonic() + seconds
        while text not in (seen := self.tmux("capture-pane", "-p")):
            assert time.monotonic() < end, f"{text!r} is not on the screen:\n{seen}"
            time.sleep(0.1)


@contextmanager
def screen(desk: Desk, rows: int) -> Iterator[Screen]:
    """A shell in this picture's folder, with a short prompt and ``smolcell`` at hand."""
    made = Screen(f"smolcell-{os.getpid()}")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    shell = [
        "env", f"PATH={path}", f"PYTHONPATH={ROOT}", f"SMOLCELL_STATE_DIR={desk.server.folder / 'state'}",
        f"IPYTHONDIR={desk.server.folder / 'ipython'}", "COLORTERM=truecolor", "TERM=tmux-256color", "PS1=$ ", "bash", "--norc",
    ]  # fmt: skip
    made.tmux("new-session", "-d", "-x", str(COLUMNS), "-y", str(rows), "-c", str(desk.folder), *shell)
    try:
        made.shows("$")
        yield made
    finally:
        made.tmux("kill-server")


def drawn(desk: Desk, made: Screen) -> Target:
    """The screen as it is, with a frame around it."""
    lines = made.tmux("capture-pane", "-p", "-e").rstrip().split("\n")
    console = Console(record=True, width=COLUMNS, file=StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text.from_ansi("\n".join(lines)), soft_wrap=True)
    page = desk.page(1000, 1400)
    page.set_content(console.export_html(theme=theme(), inline_styles=True, code_format=PAGE))
    return page.locator(".window")


TASK = "How many prime numbers are below 1000?"
SIEVE = """\
sieve = [True] * 1000
for n in range(2, 32):
    if sieve[n]:
        sieve[n * n :: n] = [False] * len(sieve[n * n :: n])
print(sum(sieve) - 2)"""
REPLIES = [
    code("A sieve is enough.", SIEVE),
    code("That is the count: 0 and 1 are none.", "final_answer(sum(sieve[2:]))"),
]


def terminal(desk: Desk) -> Target:
    desk.record("primes.jsonl", {TASK: REPLIES})
    with screen(desk, 40) as made:
        made.types(f'smolcell run "{TASK}" --replay primes.jsonl')
        made.shows("[a]pprove")
        made.types("a")
        made.shows("Step 2")
        made.shows("[a]pprove")
        return drawn(desk, made)


def ipython(desk: Desk) -> Target:
    desk.record("primes.jsonl", {TASK: REPLIES})
    with screen(desk, 40) as made:
        made.types("ipython --no-banner")
        made.shows("In [1]")
        made.types("%load_ext smolcell")
        made.shows("In [2]")
        made.types("%%agent -o count --replay primes.jsonl")
        made.tmux("send-keys", "-l", TASK)
        made.tmux("send-keys", "M-Enter")  # as it is written, run it
        made.shows("[a]pprove")
        return drawn(desk, made)
