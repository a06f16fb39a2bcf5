"""What cannot be seen, made visible: text from a model or a sandbox must not move the cursor, hide code or reorder it.

The rules this file exists to keep:

* Pure and total: any string in, a string out in which every character either can be seen or is a newline, a tab or a space.
* A character is shown as it is only where Unicode says that it is a visible one; whatever nobody has assigned is not.

What is escaped: C0 and C1 controls (ANSI sequences begin with one) but newline and tab, bidirectional controls and other format
characters (zero-width, tags, soft hyphen), line and paragraph separators, private use, unassigned, lone surrogates, variation
selectors that follow no emoji-like symbol, and the "letters" that are drawn as nothing. Not promised: characters that merely *look*
like others (a Cyrillic letter for a Latin one) are visible and stay.

Source: Unicode Technical Report 36 (security considerations); CVE-2021-42574 ("Trojan Source") for the bidirectional controls.
"""

from __future__ import annotations

import re
import unicodedata

# Categories that are never drawn: control, format, surrogate, private use, unassigned, line and paragraph separator.
_NEVER = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters, marks and symbols by category that fonts draw as nothing or as a blank.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U0001d159") | {
    chr(code)
    for first, last in ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
    for code in range(first, last + 1)
}
# Spaces other than " ": their width deceives, and Python refuses them in code.
_SPACE = "Zs"
_PLAIN = re.compile(r"[\n\t -~]*")


def visible(text: str) -> str:
    r"""The text with every character that cannot be seen written as ``\u{200b}``.

    Newline and tab stay; ``\r\n`` becomes a newline, since both end a line. What is visible already is returned as it is.
    """
    text = text.replace("\r\n", "\n")
    if _PLAIN.fullmatch(text):
        return text
    return "".join(escape(char) if _is_hidden(text, index) else char for index, char in enumerate(text))


def hidden(text: str) -> list[tuple[int, int, str]]:
    """Where characters that cannot be seen stand: (line from 1, column from 1, name), in order.

    The name is Unicode's, or the code point where it has none: ``"ZERO WIDTH SPACE"``, ``"U+001B"``.
    """
    text = text.replace("\r\n", "\n")
    if _PLAIN.fullmatch(text):
        return []
    found = []
    line, start = 1, 0
    for index, char in enumerate(text):
        if char == "\n":
            line, start = line + 1, index + 1
        elif _is_hidden(text, index):
            found.append((line, index - start + 1, unicodedata.name(char, f"U+{ord(char):04X}")))
    return found


def escape(char: str) -> str:
    r"""One character as ``\u{…}`` with its code point in hexadecimal."""
    return f"\\u{{{ord(char):x}}}"


def one_line(text: str, most: int = 80) -> str:
    """The text on one line of at most ``most`` characters; where that is not all of it, it ends with ``…``."""
    line = " ".join(text[:2000].split())
    return line if len(line) <= most else line[: most - 1] + "…"


def _is_hidden(text: str, index: int) -> bool:
    char = text[index]
    if " " <= char <= "~" or char in "\n\t":
        return False
    if char == "\ufe0f":  # "draw the symbol before this as an emoji" is ordinary in prose
        return not (index and unicodedata.category(text[index - 1]) == "So")
    if char == "\u200d":  # joins emoji: 👩‍💻
        return not (0 < index < len(text) - 1 and _is_emoji(text[index - 1]) and _is_emoji(text[index + 1]))
    category = unicodedata.category(char)
    return category in _NEVER or category == _SPACE or char in _BLANK


def _is_emoji(char: str) -> bool:
    return char == "\ufe0f" or "\U0001f3fb" <= char <= "\U0001f3ff" or unicodedata.category(char) == "So"
