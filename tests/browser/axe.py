"""What axe-core has to say about parts of a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

AXE = Path(__file__).resolve().parents[2] / "labextension" / "node_modules" / "axe-core" / "axe.min.js"


def violations(place: Page | Locator, parts: str, **options: Any) -> list[Any]:
    """Rule, place, and what is wrong there, in these parts of the page or of one element of it."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm --prefix labextension ci")
    root = place.locator("body") if isinstance(place, Page) else place
    if not root.evaluate("() => 'axe' in window"):
        root.page.evaluate(AXE.read_text(encoding="utf-8"))
    found = root.evaluate(
        "(root, [parts, options]) => axe.run([...root.querySelectorAll(parts)], options).then(said => said.violations)",
        [parts, options],
    )
    return [(rule["id"], node["target"], node["failureSummary"]) for rule in found for node in rule["nodes"]]
