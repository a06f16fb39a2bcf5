"""Both sides read the size of an image off its header: this file and ``labextension/tests/core/output.test.ts`` read the same cases."""

import json
from pathlib import Path
from typing import Any

import pytest

from smolcell.views.outputs import MAX_IMAGE_CHARS, image_fault, image_size, is_shown

CASES = json.loads((Path(__file__).parent / "images.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_an_image_is_shown_if_it_is_what_it_claims_to_be_and_not_too_large(case: dict[str, Any]) -> None:
    size = image_size(case["mime"], case["data"])
    assert size == (tuple(case["size"]) if case["size"] else None)
    assert image_fault(case["mime"], case["data"]) == case["fault"]
    assert is_shown(case["mime"], case["data"]) == (case["fault"] == "")


def test_an_image_of_more_than_five_megabytes_is_not_shown() -> None:
    small = next(case["data"] for case in CASES if case["name"] == "a PNG")
    assert is_shown("image/png", small.ljust(MAX_IMAGE_CHARS))
    assert not is_shown("image/png", small.ljust(MAX_IMAGE_CHARS + 1))
