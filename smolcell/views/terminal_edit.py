"""Letting a person change a text: in their editor, or line by line."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path


def edited(text: str, read: Callable[[str], str], *, with_editor: bool) -> tuple[str, str]:
    """The text as the person wants it, and a word about it. The same text where they changed their mind, or the editor failed.

    Args:
        text: what to change.
        read: reads a line, like ``input()``.
        with_editor: whether ``$VISUAL`` or ``$EDITOR`` may be started, which needs a terminal.
    """
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    try:
        new = _in_editor(editor, text) if with_editor and editor.strip() else _line_by_line(read)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return text, f"the editor {editor!r} failed, nothing is changed: {error}"
    if not new.strip() or new == text:
        return text, "nothing is changed"
    return new, "this is what will run if you approve:"


def _in_editor(editor: str, text: str) -> str:
    with tempfile.TemporaryDirectory(prefix="smolcell-") as folder:  # readable by this user only
        path = Path(folder) / "step.py"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        subprocess.run([*shlex.split(editor), str(path)], check=True)
        new = path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    # Editors end the last line; that alone is no change.
    return new.removesuffix("\n") if new.endswith("\n") and not text.endswith("\n") else new


def _line_by_line(read: Callable[[str], str]) -> str:
    rows = [read("Type the code; a line with a single . ends it.\n> ")]
    while rows[-1].strip() != ".":
        rows.append(read("> "))
    return "\n".join(rows[:-1])
