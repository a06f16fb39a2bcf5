"""Both sides make the same characters visible: this file and ``labextension/tests/core/card.test.ts`` read the same list."""

import json
from pathlib import Path

from smolcell.core.text import escape, hidden, visible

LIST = json.loads((Path(__file__).parent / "unseen.json").read_text(encoding="utf-8"))


def test_what_shows_nothing_is_escaped_and_found_in_code() -> None:
    for first, last in LIST["unseen"]:
        for code in range(int(first, 16), int(last, 16) + 1):
            char = chr(code)
            assert (visible(f"a{char}b"), len(hidden(f"a{char}b"))) == (f"a{escape(char)}b", 1), hex(code)


def test_what_can_be_seen_stays() -> None:
    assert (visible(LIST["seen"]), hidden(LIST["seen"])) == (LIST["seen"], [])
