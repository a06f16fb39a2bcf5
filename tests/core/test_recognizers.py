"""What is recognized as personal data or secret, and what is not: a floor under the table that the benchmark prints."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from examples import cases
from hypothesis import given
from hypothesis import strategies as st

from smolcell.output_checks import BOUNDARIES, Checks, personal_data, secrets
from smolcell.output_checks.recognizers import PersonalData, is_card, is_iban, recognize
from tests.benchmarks.bench_checks import false_positives, is_found
from tests.benchmarks.planted import harmless, planted


def found(text: str) -> list[tuple[str, str]]:
    return [(kind, text[start:end]) for kind, start, end in recognize(text)]


@pytest.mark.parametrize(("text", "expected"), cases(__file__, "recognized"))
def test_what_is_recognized(text: str, expected: list[list[str]]) -> None:
    assert found(text) == [tuple(each) for each in expected]


def test_kinds_are_chosen() -> None:
    assert recognize("a@b.de 4111111111111111", ["card"]) == [PersonalData("card", 7, 23)]


def test_check_digits() -> None:
    assert (is_card("5555 5555 5555 4444"), is_card("5555 5555 5555 4445")) == (True, False)
    assert (is_iban("NL91ABNA0417164300"), is_iban("é")) == (True, False)


@given(st.text(alphabet="0189+()-./ @:aAZé_%\n", max_size=80))
def test_pieces_are_in_order_apart_and_within_the_text(text: str) -> None:
    pieces = recognize(text)
    assert all(0 <= one.start < one.end <= len(text) for one in pieces)
    assert all(one.end <= other.start for one, other in pairwise(pieces))


@pytest.mark.slow
def test_planted_values_are_found_at_all_boundaries_and_harmless_text_is_left() -> None:
    checks = Checks([secrets(action="redact"), personal_data(action="redact")])
    values = list(planted(10, tables=2))
    hits = Counter(is_found(checks, one, at) for one in values for at in BOUNDARIES)
    assert len(values) >= 300
    assert hits[True] >= 0.98 * len(values) * len(BOUNDARIES)
    assert sum(false_positives(checks, list(harmless())).values()) <= 2


def test_text_that_repeats_what_a_pattern_begins_with_takes_linear_time() -> None:
    for unit in ("@", "0", "+1", "1.1.", "a:", "AA00", "0000 ", "tel 1"):
        recognize(unit * 20_000)  # the test's own timeout ends what is not
