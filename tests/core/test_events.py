"""Events are values: frozen, fingerprinted by exactly what is shown, summed where they are figures."""

from __future__ import annotations

import dataclasses
from typing import get_args

import pytest

from smolcell.events import Event, Proposed, Usage, fingerprint, sha256


def test_every_event_is_frozen_has_slots_and_takes_keywords_only() -> None:
    shapes = {
        kind.__name__: (kind.__dataclass_params__.frozen, hasattr(kind, "__slots__"), _keyword_only(kind))
        for kind in get_args(Event)
    }
    assert shapes == dict.fromkeys(shapes, (True, True, True))
    assert len(shapes) == 19


def _keyword_only(kind: type) -> bool:
    return all(field.kw_only for field in dataclasses.fields(kind))


def test_an_event_cannot_be_changed() -> None:
    proposed = Proposed(run="r", step=1, text="x = 1")
    with pytest.raises(dataclasses.FrozenInstanceError):
        proposed.text = "y = 2"  # type: ignore[misc]


def test_the_fingerprint_is_of_the_kind_and_the_exact_text() -> None:
    code = Proposed(run="r", step=1, text="x = 1")
    assert code.fingerprint == fingerprint("code", "x = 1")
    assert code.fingerprint == dataclasses.replace(code, run="s", step=2, thought="t").fingerprint
    assert len({code.fingerprint, fingerprint("call", "x = 1"), fingerprint("code", "x = 1 "), sha256("x = 1")}) == 4


def test_hashes_take_any_text() -> None:
    assert len({sha256(text) for text in ("", "\ud800", "\udfff", "\x00", "\u00e9", "e\u0301")}) == 6


def test_usage_adds_up_and_a_cost_counts_where_it_is_known() -> None:
    one = Usage(input_tokens=1, output_tokens=2)
    paid = Usage(input_tokens=10, output_tokens=20, cost=0.5)
    assert one + one == Usage(input_tokens=2, output_tokens=4)
    assert paid + paid + Usage() == Usage(input_tokens=20, output_tokens=40, cost=1.0)
    assert one + paid + paid == Usage(input_tokens=21, output_tokens=42)  # a part of unknown cost: so is the whole
