"""What an error tells a notebook's user to type, as somebody at a shell types it."""

from __future__ import annotations

import re

_CONFIG = re.compile(r"%agent config model=(\S+)")
_COMMAND = re.compile(r"%agent (?=(?:doctor|sandboxes)\b)")
_SHELL = re.compile(r"^(\s*)!(?=[a-z])", re.MULTILINE)


def for_a_shell(text: str) -> str:
    """The text with the notebook's commands put as the shell's: ``-m NAME`` for ``%agent config model=NAME``, no ``!``."""
    return _SHELL.sub(r"\1", _CONFIG.sub(r'smolcell run -m \1 "…"', _COMMAND.sub("smolcell ", text)))
