"""The documentation's links lead somewhere: each to a file that is there, and to a heading that is on it."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "notebooks").glob("*.md")])
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def headings(page: Path) -> set[str]:
    """What a page's headings are called in links, as GitHub makes it of them."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_link_leads_to_a_file_and_a_heading_that_is_there() -> None:
    wrong = []
    for page in PAGES:
        for link in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
            name, _, heading = link.partition("#")
            there = (page.parent / name).resolve() if name else page
            if ":" not in link and (not there.exists() or (heading and heading not in headings(there))):
                wrong.append(f"{page.relative_to(ROOT)}: {link}")
    assert wrong == []
