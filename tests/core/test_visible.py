"""Nothing in a text stays hidden, and ordinary text stays as it is."""

import sys
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolcell.text import hidden, one_line, visible


@pytest.mark.parametrize(
    "text",
    [
        "",
        "def f(x):\n\treturn x  # ok\n",
        "Grüße, 你好, مرحبا, שלום, हिन्दी, ไทย, 한국어",
        "é is e\u0301 too",
        "π ≤ √2 → ∞ █▓░ ┌─┐",
        "👍🏽 ❤️ 👩‍💻 🏳️‍🌈",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert (visible(text), hidden(text)) == (text, [])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J\x1b[31mred", "\\u{1b}[2J\\u{1b}[31mred"),
        ("\x9b31m", "\\u{9b}31m"),
        ("safe()\rrm()", "safe()\\u{d}rm()"),
        ("a\r\nb", "a\nb"),
        ("a\x08b\x00\x7f", "a\\u{8}b\\u{0}\\u{7f}"),
        ("ad\u202emin\u2066", "ad\\u{202e}min\\u{2066}"),
        ("a\u200bb\ufeff\u00ad\u2060", "a\\u{200b}b\\u{feff}\\u{ad}\\u{2060}"),
        ("x\U000e0041\U000e007f", "x\\u{e0041}\\u{e007f}"),
        ("\ue000 \U0010ffff \u0378", "\\u{e000} \\u{10ffff} \\u{378}"),
        ("\ud800", "\\u{d800}"),
        ("a\u2028b\u2029c\x85d", "a\\u{2028}b\\u{2029}c\\u{85}d"),
        ("a\u00a0b\u3000c", "a\\u{a0}b\\u{3000}c"),
        ("\u3164 = 1", "\\u{3164} = 1"),
        ("a\ufe0f b\u200dc ^\u200d^", "a\\u{fe0f} b\\u{200d}c ^\\u{200d}^"),
    ],
)
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


def test_a_megabyte_takes_no_time_to_speak_of() -> None:
    started = time.perf_counter()
    visible("a" * 1_000_000)
    visible("\u202e" * 1_000_000)
    hidden("é\x1b" * 500_000)
    assert time.perf_counter() - started < 20
