"""What an error tells a notebook's user to type, as somebody at a shell types it."""

from __future__ import annotations

import os
import re

_EXPORT = "set" if os.name == "nt" else "export"
_CONFIG = re.compile(r"%agent config model=(\S+)")
_COMMAND = re.compile(r"%agent (?=(?:doctor|sandboxes)\b)")
_SHELL = re.compile(r"(^\s*|(?:type|with|next): )!(?=[a-z])", re.MULTILINE)
_SET = re.compile(r"\bset (\w+) before the kernel starts")
_TASK = re.compile(r"(?<=: )%%agent$", re.MULTILINE)
_STATUS = re.compile(r"`%agent status` names the file of a session")


def for_a_shell(text: str) -> str:
    """The text with the notebook's commands put as the shell's: ``-m NAME`` for ``%agent config model=NAME``, no ``!``."""
    text = _SHELL.sub(r"\1", _CONFIG.sub(r'smolcell run -m \1 "…"', _COMMAND.sub("smolcell ", text)))
    text = _TASK.sub('smolcell run "…"', text)
    return _STATUS.sub("`smolcell run` names its journal at the end", _SET.sub(f"{_EXPORT} \\1=…", text))
