"""What the characters of a program and its string constants say: look-alike letters, gaps, addresses, paths. Pure and total.

The rules this file exists to keep:

* Nothing here depends on what a name is bound to: a text is judged where it stands, so no alias hides it.
* Every pattern is linear in the length of the text.

Source: Unicode Technical Standard 39 (security mechanisms) for mixed scripts and confusable letters; the table below holds
those of its letters that common monospaced fonts draw like a Latin one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

WIDE_GAP = 40  # columns of blank between two texts of one line, beyond which the second one is easily missed
MOST_CONSTANT = 200_000  # characters of one constant that are looked at closely; a longer one is a finding itself

# Letters of other scripts, and the Latin ones they are drawn like. Small Greek letters but one are left out: alpha and rho are
# ordinary names in science.
_DRAWN = dict(
    zip(
        "аеорсухіјѕһԁԛԝѵԍɡοօսհոցАВЕКМНОРСТХІЈЅҮԌΑΒΕΖΗΙΚΜΝΟΡΤΥΧᎪᏴᏟᎬᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᏃ",
        "aeopcyxijshdqwvggoouhngABEKMHOPCTXIJSYGABEZHIKMNOPTYXABCEHJKLMPRSTVZ",
        strict=True,
    )
)
_ADDRESS = re.compile(r"(?i)(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{1,20})://([^\s/?#'\"<>]{0,255})")
_ENDINGS = "ai app biz ca ch cloud cn co com de dev edu es eu fr gov in info int io it jp me mil net nl onion org ru se site tv uk us xyz"
_HOST = re.compile(
    r"(?i)(?:[\w.+-]{1,64}@)?(?:(?:[a-z0-9-]{1,63}\.){1,8}(?:"
    + "|".join(_ENDINGS.split())
    + r")|localhost)(?::\d{1,5})?(?:/\S*)?"
)
_NUMBERS = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])")
_EXTENSIONS = (
    "bz2 cfg conf csv db doc docx env feather gz h5 hdf html ini ipynb jpeg jpg json jsonl key log md npy npz orc parquet pdf "
    "pem pickle pkl png py rtf sh sqlite svg tar toml tsv txt webp xls xlsx xml yaml yml zip"
)
_FILE = re.compile(r"(?i)[\w .~@%+=,/\\:-]{0,400}\.(?:" + "|".join(_EXTENSIONS.split()) + ")")
_GAP = re.compile(r"(?<=\S)[ \t]{5,}(?=\S)")
_LEADING = re.compile(r"[ \t]*")


@lru_cache(maxsize=4096)
def look_alike(name: str) -> str:
    """Why an identifier may not be what it looks like, or ""."""
    if name.isascii():
        return ""
    drawn = "".join(_DRAWN.get(char, char) for char in name)
    if drawn != name and drawn.isascii():
        return f"looks like {drawn}, and is another name: {ascii(name)[1:-1]}"
    scripts = {unicodedata.name(char, "").partition(" ")[0].capitalize() for char in name if char.isalpha()} & _SCRIPTS
    if len(scripts) > 1 and (drawn != name or scripts - {"Latin", "Greek"}):  # Δx is written so on purpose
        return f"mixes {' and '.join(sorted(scripts))} letters: {ascii(name)[1:-1]}"
    return ""


# Scripts whose mixture is suspicious; those of East Asia are written together.
_SCRIPTS = {"Latin", "Cyrillic", "Greek", "Armenian", "Cherokee", "Coptic", "Georgian"}


def gap(line: str) -> int:
    """The columns of the widest blank before some text of a line, where it is wide enough to hide that; else 0."""
    leading = _LEADING.match(line)
    widest = len(leading[0].expandtabs()) if leading and len(leading[0]) < len(line) else 0
    for found in _GAP.finditer(line):
        widest = max(widest, len(found[0].expandtabs()))
    return widest if widest >= WIDE_GAP else 0


def addresses(text: str) -> Iterator[str]:
    """Hosts a text names: of every URL in it, or the text itself where it is a host name or an address of numbers."""
    for found in _ADDRESS.finditer(text):
        scheme, host = found[1].lower(), found[2].rpartition("@")[2].lower()
        yield host or f"{scheme}:// and what follows"
    if "://" not in text:
        if len(text) <= 300 and _HOST.fullmatch(text):
            yield text.rpartition("@")[2].partition("/")[0].lower()
        for numbers in _NUMBERS.findall(text):
            if all(int(part) < 256 for part in numbers.split(".")):
                yield numbers


def is_path(text: str) -> bool:
    """Whether a text reads like the path of a file."""
    if len(text) > 400 or "\n" in text or len(text) < 3:
        return False
    if text.startswith(("/", "~/", "../", "./")) or re.match(r"[A-Za-z]:\\", text):
        return " " not in text
    return _FILE.fullmatch(text) is not None
