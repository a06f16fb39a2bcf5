"""What the stand-in for xllamacpp did, in whichever process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


class Log:
    """Gives the notes of one kind, the oldest first."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __getitem__(self, kind: str) -> list[dict[str, Any]]:
        lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        return [note for note in map(json.loads, lines) if kind in note]

    @property
    def process(self) -> set[int]:
        """The one that serves."""
        return {self["loaded"][-1]["pid"]}
