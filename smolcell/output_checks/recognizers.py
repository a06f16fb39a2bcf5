"""Personal data in text, by patterns and checksums: no model, no network, linear in the length of the text.

Sources: ISO 13616 and the SWIFT IBAN registry (lengths, mod 97); ISO/IEC 7812 (card numbers, Luhn) and the issuers' published ranges;
SSA "Social Security Number Randomization" (areas that are never given out); ITU-T E.164 and E.123 (phone numbers); RFC 5321 (addresses).
Does not find names, postal addresses and other data without a form, nor numbers written in words, split over lines, or encoded.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple


class PersonalData(NamedTuple):
    """A kind of personal data and its place in a text."""

    kind: str
    start: int
    end: int


KINDS: Mapping[str, str] = {
    "email": "e-mail address",
    "phone": "phone number",
    "iban": "IBAN",
    "card": "card number",
    "ssn": "social security number",
    "ip": "IP address",
}
"""The kinds that can be recognized, and their names."""


def recognize(text: str, kinds: Collection[str] = tuple(KINDS)) -> list[PersonalData]:
    """Return the personal data of these kinds in a text, in order. Matches do not overlap: an IBAN is no phone number."""
    found: list[PersonalData] = []
    if "email" in kinds:
        found += _emails(text)
    if "ip" in kinds:
        found += _addresses(text)
    if not _NUMBERS.isdisjoint(kinds):
        found += _numbers(text)
    return [piece for piece in sorted(_without_overlaps(found), key=lambda piece: piece.start) if piece.kind in kinds]


_NUMBERS = frozenset({"phone", "iban", "card", "ssn"})
_FIRST = ("email", "iban", "card", "ssn", "ip", "phone")


def _without_overlaps(found: list[PersonalData]) -> Iterator[PersonalData]:
    """Of overlapping matches, yield the one with the most specific form."""
    if len(found) < 2:
        yield from found
        return
    end, best = -1, None
    for piece in sorted(found, key=lambda piece: (piece.start, _FIRST.index(piece.kind))):
        if piece.start >= end:
            if best is not None:
                yield best
            best, end = piece, piece.end
        elif best is not None and _FIRST.index(piece.kind) < _FIRST.index(best.kind):
            best, end = piece, max(end, piece.end)
    if best is not None:
        yield best


# --- e-mail addresses: searched from their "@" -------------------------------------------------------------------------

_AT = re.compile(r"@|%40")
_LOCAL = re.compile(r"[\w.!#$&'*+/=?^`{|}~-]{1,64}$")
_DOMAIN = re.compile(r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,8}([^\W\d_]{2,24}|xn--[a-z0-9-]{2,59})(?![\w-])")
_COUNTRIES = (
    "ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz ca cc cd cf cg ch ci "
    "ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gd ge gf gg gh gi gl gm gn gp "
    "gq gr gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk "
    "lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa "
    "pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sk sl sm sn so sr ss st su sv sx sy sz tc td "
    "tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw"
)
_OTHERS = (
    "com org net edu gov mil int info biz name pro museum coop aero jobs mobi travel tel cat asia post xxx dev app cloud online "
    "site store shop tech xyz email mail live life world group company agency solutions systems services network digital software "
    "studio design media blog news health care bank finance school academy university science berlin london paris nyc tokyo "
    "example test invalid local internal intern intranet lan corp home"
)
_ENDS = frozenset(f"{_COUNTRIES} {_OTHERS}".split())
"""Top-level domains. Without the list, a product of matrices such as ``a@b.shape`` would be an address."""
_SSH_USERS = frozenset({"git", "hg", "svn"})
_WINDOW = 80


def _emails(text: str) -> Iterator[PersonalData]:
    if "@" not in text and "%40" not in text:
        return
    for at in _AT.finditer(text):
        before = _LOCAL.search(text, max(0, at.start() - _WINDOW), at.start())
        domain = _DOMAIN.match(text, at.end(), at.end() + 4 * _WINDOW)
        if before is None or domain is None or not (domain[1].lower() in _ENDS or domain[1].startswith("xn--")):
            continue
        local = before[0].lstrip("'./=&?{|`")
        if local and local.lower() not in _SSH_USERS and any(char.isalnum() for char in local):
            yield PersonalData("email", at.start() - len(local), domain.end())


# --- IP addresses ------------------------------------------------------------------------------------------------------

_IN_V4 = re.compile(r"\.[0-9]{1,3}\.[0-9]")
_V4 = re.compile(r"(?<![\w.])[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?![\w]|\.[0-9])")
_VERSION = re.compile(r"(?i)(?:\bv|version|release|build|[=<>~!]=)[ :=]{0,3}$")
_IN_V6 = re.compile(r":[0-9A-Fa-f]{0,4}:[0-9A-Fa-f]{0,4}:?")
_V6 = re.compile(r"(?<![\w:.])[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?![\w.]|:[0-9A-Fa-f:])")
_LEAST_GROUPS = 4  # groups of an IPv6 address, so that a slice is not one


def _addresses(text: str) -> Iterator[PersonalData]:
    end = 0
    for near in _IN_V4.finditer(text):
        match = _V4.search(text, max(end, near.start() - 3), near.start() + 16)
        if match and match.start() <= near.start() and _is_host_address(match[0]):
            if not _VERSION.search(text, max(0, match.start() - 12), match.start()):
                yield PersonalData("ip", match.start(), match.end())
            end = match.end()
    end = 0
    for near in _IN_V6.finditer(text) if text.count(":") > 2 else ():
        start = max(end, near.start() - 35)
        match = next((m for m in _V6.finditer(text, start, near.start() + 45) if m.end() > near.start()), None)
        if (
            match
            and len([part for part in match[0].split(":") if part]) >= _LEAST_GROUPS
            and _is_host_address(match[0])
        ):
            yield PersonalData("ip", match.start(), match.end())
            end = match.end()


def _is_host_address(text: str) -> bool:
    """Return whether a machine may have this address: not loopback, mask or multicast."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    plain = not (address.is_loopback or address.is_unspecified or address.is_multicast)
    return plain and (address.version == 6 or 0 < address.packed[0] < 224)


# --- numbers: searched by their shape in a copy of the text, in which every digit is "0" and every capital letter "A" -----

_SHAPES = bytes.maketrans(
    bytes(range(256)), bytes(0x30 if 48 <= code < 58 else 0x41 if 65 <= code < 91 else code for code in range(256))
)


def _numbers(text: str) -> Iterator[PersonalData]:
    shape = text.encode("latin-1", "replace").translate(_SHAPES)  # one byte per character
    lower = text.lower()
    yield from _ibans(text, shape)
    yield from _cards(text, shape)
    yield from _security_numbers(text, shape, lower)
    yield from _phones(text, shape, lower)


def _places(shape: bytes, *forms: bytes) -> Iterator[int]:
    """Yield the positions where these forms begin. After a match, the rest of a row of digits is skipped."""
    for form in forms:
        at = shape.find(form)
        while at >= 0:
            yield at
            after = at + 1
            if form.isdigit():
                run = _RUN.match(shape, at)
                after = run.end() if run else after
            at = shape.find(form, after)


_RUN = re.compile(rb"0+")


def _is_separate(text: str, start: int, end: int) -> bool:
    """Return whether a match is not part of a name, or of a number in another form."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (before.isalnum() or after.isalnum() or "_" in (before, after))


_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]){11,30}")
_LENGTHS = {
    name: int(length)
    for length, names in {
        15: "NO", 16: "BE", 18: "DK FI FO GL NL SD", 19: "MK SI", 20: "AT BA EE KZ LT LU XK", 21: "CH HR LI LV",
        22: "BG BH CR DE GB GE IE ME RS VA", 23: "AE GI IL IQ OM SO TL", 24: "AD CZ ES MD PK RO SA SE SK TN VG", 25: "LY PT ST",
        26: "IS TR", 27: "BI DJ FR GR IT MC MR SM", 28: "AL AZ BY CY DO GT HU LB NI PL SV", 29: "BR EG PS QA UA",
        30: "JO KW MU YE", 31: "MT SC", 32: "LC", 33: "RU",
    }.items()
    for name in names.split()
}  # fmt: skip


def _ibans(text: str, shape: bytes) -> Iterator[PersonalData]:
    for start in _places(shape, b"AA00"):
        match = _IBAN.match(text, start)
        end = start if match is None else _end_of_iban(match)
        if end > start and _is_separate(text, start, end) and is_iban(text[start:end]):
            yield PersonalData("iban", start, end)


def _end_of_iban(match: re.Match[str]) -> int:
    """Return the end of a number with the length for its country; the start if there are too few characters."""
    left = _LENGTHS.get(match[0][:2], 0)
    for at, char in enumerate(match[0], match.start() + 1):
        left -= char != " "
        if left == 0:
            return at
    return match.start()


def is_iban(text: str) -> bool:
    """Return whether a text has the length for its country and correct check digits."""
    plain = text.replace(" ", "").upper()
    if not plain.isalnum() or not plain.isascii() or len(plain) != _LENGTHS.get(plain[:2]):
        return False
    return int("".join(str(int(char, 36)) for char in plain[4:] + plain[:4])) % 97 == 1


_CARD = re.compile(
    r"[0-9]{4}([ -])[0-9]{4}\1[0-9]{4}\1[0-9]{1,4}(?:\1[0-9]{1,3})?|[0-9]{4}([ -])[0-9]{6}\2[0-9]{4,5}|[0-9]{13,19}"
)
_CARDS = (b"0" * 13, b"0000 0000 0000 0", b"0000-0000-0000-0", b"0000 000000 0000", b"0000-000000-0000")
_ISSUERS = re.compile(
    r"4(?:[0-9]{12}|[0-9]{15}|[0-9]{18})$|(?:5[1-5][0-9]{2}|222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}$"
    r"|3[47][0-9]{13}$|(?:6011|64[4-9][0-9]|65[0-9]{2})[0-9]{12,15}$|3(?:0[0-5]|[689][0-9])[0-9]{11}$|35(?:2[89]|[3-8][0-9])[0-9]{12}$"
    r"|62[0-9]{14,17}$|(?:5018|5020|5038|6304|6759|676[1-3])[0-9]{8,15}$"
)
_TWICE = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)


def _cards(text: str, shape: bytes) -> Iterator[PersonalData]:
    for start in _places(shape, *_CARDS):
        behind_a_point = start > 1 and text[start - 1] == "." and text[start - 2].isdigit()
        for match in _CARD.finditer(text, start, start + 24) if not behind_a_point else ():
            short = match[0][: match[0].rfind(" ")] if " " in match[0] else match[0]  # another column may follow
            card = next((each for each in (match[0], short) if is_card(each)), "")
            if card and match.start() == start and _is_separate(text, start, start + len(card)):
                yield PersonalData("card", start, start + len(card))
            break


def is_card(text: str) -> bool:
    """Return whether a number begins like an issuer's and has a correct check digit."""
    digits = text.replace(" ", "").replace("-", "")
    if not _ISSUERS.match(digits):
        return False
    values = [int(digit) for digit in reversed(digits)]
    return (sum(values[::2]) + sum(_TWICE[value] for value in values[1::2])) % 10 == 0


_SSN = re.compile(r"(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}")
_SSN_WORDS = ("ssn", "social security", "social_security", "tax id", "tax_id")
_NAMED_SSN = re.compile(
    r"(?:\bssn|social.security|\btax.?id)[^0-9]{0,30}((?!000|666|9)[0-9]{3} ?(?!00)[0-9]{2} ?(?!0000)[0-9]{4})(?![0-9])"
)


def _security_numbers(text: str, shape: bytes, lower: str) -> Iterator[PersonalData]:
    for start in _places(shape, b"000-00-0000"):
        if (
            _SSN.match(text, start)
            and _is_separate(text, start, start + 11)
            and "-" not in (text[start - 1 : start], text[start + 11 : start + 12])
        ):
            yield PersonalData("ssn", start, start + 11)
    if len(lower) == len(text) and any(word in lower for word in _SSN_WORDS):
        for match in _NAMED_SSN.finditer(lower):
            yield PersonalData("ssn", match.start(1), match.end(1))


_DIGITS = re.compile(r"[0-9](?:(?:[ .\-/]| ?[()] ?-?)?[0-9]){6,24}")
_NORTH_AMERICAN = re.compile(
    r"(?<![0-9.-])(?:1[ .-])?(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}([.-]))[2-9][0-9]{2}[.-][0-9]{4}(?![0-9]|[.-][0-9])"
)
_AMERICAN = (b"000-000-0000", b"000.000.0000", b"000) 000-0000", b"000)000-0000")
_ZERO = re.compile(r"0[1-9](?<![0-9.-]..)")
_TRUNK = re.compile(r"0[1-9][0-9]{0,4}(?:\) ?|[ /-]| / | - )[0-9]{2,8}(?:[ -][0-9]{2,4}){0,4}(?![0-9])(?!\.[0-9])")
_DATE = re.compile(r"[0-9]{1,2}([./ -])[0-9]{1,2}\1(?:19|20)[0-9]{2}\b|(?:19|20)[0-9]{2}([./ -]?)[0-9]{2}\2[0-9]{2}\b")
_PHONE_WORDS = ("tel", "phone", "mobil", "cell", "handy", "fax", "whatsapp", "call", "tél")
_NAMED_PHONE = re.compile(
    r"(?:\btel|phone|telefon|\bmobil|\bcell|\bhandy|\bfax|whatsapp|\bcall\b|\btél)[a-zé]{0,12}[^0-9\n]{1,15}"
    r"([0-9](?:[ .\-/]?[0-9]){6,14})(?![0-9])"
)


def _phones(text: str, shape: bytes, lower: str) -> Iterator[PersonalData]:
    plus = text.find("+")
    while plus >= 0:
        match = _DIGITS.match(text, plus + 1 + (text[plus + 1 : plus + 2] == "("))
        if match and match[0][0] != "0" and not text[plus - 1 : plus].isalnum():
            end = _cut(text, match.start(), match.end(), 15)
            if sum(map(str.isdigit, text[plus:end])) >= 8:
                yield PersonalData("phone", plus, end)
        plus = text.find("+", plus + 1)
    for start in _places(shape, *_AMERICAN):
        match = _NORTH_AMERICAN.search(text, max(0, start - 3), start + 16)
        if match and match.start() <= start and _is_separate(text, match.start(), match.end()):
            yield PersonalData("phone", match.start(), match.end())
    for zero in _ZERO.finditer(text):
        match = _TRUNK.match(text, zero.start())
        if (
            match
            and _is_separate(text, *match.span())
            and 9 <= sum(map(str.isdigit, match[0])) <= 12
            and not _DATE.match(match[0])
        ):
            yield PersonalData("phone", *match.span())
    if len(lower) == len(text) and any(word in lower for word in _PHONE_WORDS):
        for match in _NAMED_PHONE.finditer(lower):
            if not _DATE.match(match[1]):
                yield PersonalData("phone", *match.span(1))


def _cut(text: str, start: int, end: int, most: int) -> int:
    """Return the end of a number of at most so many digits, after a whole group of them."""
    while sum(map(str.isdigit, text[start:end])) > most:
        shorter = max(text.rfind(char, start, end) for char in " .-/()")
        if shorter <= start:
            break
        end = shorter
    return end
