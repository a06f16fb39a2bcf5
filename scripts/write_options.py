"""Write what the JupyterLab extension knows of ``%%agent``'s options: ``python scripts/write_options.py``.

Needed after a change of ``smolcell/notebook/settings.py``; a test holds the file to it.
"""

from __future__ import annotations

import json
from pathlib import Path

from smolcell.notebook.completion import option_table

TABLE = Path(__file__).resolve().parents[1] / "labextension" / "src" / "lab" / "options.json"


def text() -> str:
    """The file's text."""
    return json.dumps(option_table(), indent=2, ensure_ascii=True) + "\n"


if __name__ == "__main__":
    TABLE.write_text(text(), encoding="utf-8")
