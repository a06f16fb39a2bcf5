"""Nothing in a text stays hidden, and ordinary text stays as it is."""

import sys
import time
import unicodedata

import pytest
from examples import cases
from hypothesis import given
from hypothesis import strategies as st

from smolcell.core.text import hidden, one_line, visible


@pytest.mark.parametrize("text", cases(__file__, "ordinary"))
def test_ordinary_text_stays(text: str) -> None:
    assert (visible(text), hidden(text)) == (text, [])


@pytest.mark.parametrize(("text", "shown"), cases(__file__, "escaped"))
def test_what_cannot_be_seen_is_escaped(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert hidden(text) or text == "a\r\nb"


def test_hidden_characters_are_named_with_line_and_column() -> None:
    assert hidden("ab\r\nc\u200bd\n\x1b[m\u202e") == [
        (2, 2, "ZERO WIDTH SPACE"),
        (3, 1, "U+001B"),
        (3, 4, "RIGHT-TO-LEFT OVERRIDE"),
    ]


@given(st.text(alphabet=st.characters()))
def test_every_text_becomes_visible_and_stays_so(text: str) -> None:
    shown = visible(text)
    assert hidden(shown) == []
    assert visible(shown) == shown
    assert all(unicodedata.category(char) not in ("Cc", "Cs", "Co", "Cn") or char in "\n\t" for char in shown)
    shown.encode("utf-8")


@pytest.mark.slow
def test_every_character_that_is_never_drawn() -> None:
    never = [
        char
        for char in map(chr, range(sys.maxunicode + 1))
        if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") and char not in "\n\t"
    ]
    assert visible("x".join(never)) == "x".join(f"\\u{{{ord(char):x}}}" for char in never)


@pytest.mark.parametrize(
    ("text", "line"),
    [("a\n b\t c ", "a b c"), ("abcdef", "abcdef"), ("abcdefg", "abcde…"), ("ab\ncdefg", "ab cd…"), ("", "")],
)
def test_a_line_that_is_cut_says_so(text: str, line: str) -> None:
    assert one_line(text, 6) == line


@pytest.mark.slow
def test_a_megabyte_takes_no_time_to_speak_of() -> None:
    started = time.process_time()
    visible("a" * 1_000_000)
    visible("\u202e" * 1_000_000)
    hidden("é\x1b" * 500_000)
    assert time.process_time() - started < 60
