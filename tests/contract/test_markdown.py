"""Both readers of Markdown agree: this file and ``labextension/tests/core/markdown.test.ts`` read the same texts."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from smolcell.core.text import visible
from smolcell.views.transcript import MAX_MARKDOWN_CHARS, USED, prose

CASES = json.loads((Path(__file__).parent / "markdown.json").read_text(encoding="utf-8"))


def escaped(text: str) -> str:
    return visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_markdown_becomes_plain_elements_and_no_text_gets_past_the_one_who_escapes(case: dict[str, Any]) -> None:
    assert prose(case["text"], escaped, formulas=case.get("formulas", False)) == case["html"]
    bare = prose(case["text"], lambda _: "", formulas=case.get("formulas", False))
    assert set(re.findall(r"</?([a-z0-9]+)[^>]*>", bare)) <= USED
    assert re.fullmatch(r"(</?[a-z0-9]+>|<ol start=\"\d+\">|Image: | \(\))*", bare)


@pytest.mark.parametrize(
    "part", ["*a ", "[", "`a", "> ", "1. ", "_a__", "[a](", "|\n|-", "![", "~~a", "    x", "a\n", "$a", "$$", "$$a "]
)
def test_a_hostile_text_is_read_in_time_that_grows_with_its_length_only(part: str) -> None:
    # A reader that backtracks would take minutes here: the test would run into its limit.
    assert len(prose(part * (10_000 // len(part)), escaped, formulas=True)) > 0
    longer = part * (MAX_MARKDOWN_CHARS // len(part) + 1)
    assert prose(longer, escaped).startswith("<p>")
