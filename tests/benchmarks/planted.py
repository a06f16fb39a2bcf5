"""Secrets and personal data that are made up with a fixed seed, and the places they are planted in."""

from __future__ import annotations

import json
import random
import string
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from smolcell.output_checks.recognizers import is_card, is_iban

SEED = 20261124
_FIRST = "anna ben carla david eva finn greta henry ida jonas klara liam mia noah olga paul".split()
_LAST = "weber smith rossi dubois garcia novak jensen silva kowalski meyer".split()


class Planted(NamedTuple):
    """A value, its kind, and the place it stands in."""

    kind: str
    piece: str
    place: str
    value: Any


def _digits(random: random.Random, count: int) -> str:
    return "".join(random.choices(string.digits, k=count))


def _letters(random: random.Random, count: int) -> str:
    return "".join(random.choices(string.ascii_letters + string.digits, k=count))


def _card(random: random.Random) -> str:
    start, length = random.choice([("4", 16), ("53", 16), ("37", 15), ("6011", 16), ("2301", 16)])
    body = start + _digits(random, length - len(start) - 1)
    plain = next(body + digit for digit in string.digits if is_card(body + digit))
    if length == 15:
        return random.choice([plain, f"{plain[:4]} {plain[4:10]} {plain[10:]}"])
    return random.choice(
        [
            plain,
            " ".join(plain[at : at + 4] for at in range(0, 16, 4)),
            "-".join(plain[at : at + 4] for at in range(0, 16, 4)),
        ]
    )


def _iban(random: random.Random) -> str:
    country, body = random.choice(
        [
            ("DE", _digits(random, 18)),
            ("FR", _digits(random, 23)),
            ("GB", "WEST" + _digits(random, 14)),
            ("NL", "ABNA" + _digits(random, 10)),
        ]
    )
    plain = next(f"{country}{check:02}{body}" for check in range(2, 99) if is_iban(f"{country}{check:02}{body}"))
    return random.choice([plain, " ".join(plain[at : at + 4] for at in range(0, len(plain), 4))])


def _phone(random: random.Random) -> str:
    return random.choice(
        [
            f"+49 {random.randint(151, 179)} {_digits(random, 8)}",
            f"+44 20 {random.randint(2000, 8999)} {_digits(random, 4)}",
            f"+1-{random.randint(201, 989)}-555-{_digits(random, 4)}",
            f"({random.randint(201, 989)}) 555-{_digits(random, 4)}",
            f"{random.randint(201, 989)}-555-{_digits(random, 4)}",
            f"0{random.randint(30, 89)}/{random.randint(1, 9)}{_digits(random, 7)}",
            f"+33{random.randint(6, 7)}{_digits(random, 8)}",
        ]
    )


def _ip(random: random.Random) -> str:
    groups = [f"{random.randint(0x1000, 0xFFFF):x}" for _ in range(6)]
    return random.choice(
        [
            f"{random.choice([10, 84, 192, 203])}.{random.randint(1, 250)}.{random.randint(1, 250)}.{random.randint(1, 250)}",
            f"2001:db8:{':'.join(groups)}",
        ]
    )


def _email(random: random.Random) -> str:
    host = random.choice(["example.com", "mail.example.org", "firma.de", "corp.local", "uni.edu", "acme.co.uk"])
    return f"{random.choice(_FIRST)}{random.choice(['.', '_', ''])}{random.choice(_LAST)}{random.choice(['', '7', '+news'])}@{host}"


def _ssn(random: random.Random) -> str:
    return f"{random.randint(101, 665)}-{random.randint(10, 99)}-{random.randint(1000, 9999)}"


def _secret(random: random.Random) -> str:
    return random.choice(
        [
            f"sk-proj-{_letters(random, 32)}",
            f"ghp_{_letters(random, 36)}",
            f"hf_{_letters(random, 34)}",
            f"AKIA{''.join(random.choices(string.ascii_uppercase + string.digits, k=16))}",
            f"xoxb-{_digits(random, 12)}-{_letters(random, 24)}",
            f"AIza{_letters(random, 35)}",
            f"eyJhbGciOiJIUzI1NiJ9.eyJ{_letters(random, 30)}.{_letters(random, 43)}",
            f"glpat-{_letters(random, 20)}",
            f"sk_live_{_letters(random, 24)}",
        ]
    )


MAKERS: dict[str, Callable[[random.Random], str]] = {
    "secret": _secret,
    "e-mail address": _email,
    "phone number": _phone,
    "IBAN": _iban,
    "card number": _card,
    "social security number": _ssn,
    "IP address": _ip,
}


def _table(piece: str, random: random.Random) -> Any:
    import pandas as pd

    return pd.DataFrame({"id": range(600), "note": [f"row {number}" for number in range(599)] + [piece], "x": 0.25})


def _column(piece: str, random: random.Random) -> Any:
    import pandas as pd

    return pd.DataFrame({"id": range(500), "contact": [piece] * 500})


PLACES: dict[str, Callable[[str, random.Random], Any]] = {
    "text": lambda piece, random: f"The report of {random.randint(2019, 2026)} names {piece}, as agreed.",
    "table": _table,
    "column": _column,
    "JSON": lambda piece, random: json.dumps(
        {"id": random.randint(1, 99999), "rows": [{"value": piece}, {"value": 1.5}]}, indent=1
    ),
    "names": lambda piece, random: {piece: random.random(), "total": 3},
    "traceback": lambda piece, random: (
        f'Traceback (most recent call last):\n  File "<step 2>", line 3, in <module>\nKeyError: {piece!r}'
    ),
}


def planted(each: int = 9, tables: int = 9) -> Iterator[Planted]:
    """``each`` values of every kind in every place; ``tables`` of them in tables, which take longer."""
    made = random.Random(SEED)
    for kind, maker in MAKERS.items():
        for place, put in PLACES.items():
            for _ in range(tables if place in ("table", "column") else each):
                piece = maker(made)
                yield Planted(kind, piece, place, put(piece, made))


def harmless(count: int = 400) -> Iterator[str]:
    """Texts as analysts print them, with nothing to find: numbers, dates, versions, ids, code."""
    made = random.Random(SEED + 1)
    kinds: list[Callable[[], str]] = [
        lambda: "  ".join(f"{made.uniform(-1e3, 1e3):.6f}" for _ in range(8)),
        lambda: " ".join(str(made.randint(0, 10 ** made.randint(1, 9))) for _ in range(10)),
        lambda: f"{made.randint(2000, 2026)}-{made.randint(1, 12):02}-11 14:{made.randint(0, 59)}:17.1234",
        lambda: f"{made.randint(1, 28):02}.{made.randint(1, 12):02}.{made.randint(1990, 2026)} 14:30",
        lambda: (
            f"pandas=={made.randint(1, 3)}.{made.randint(0, 20)}.{made.randint(0, 9)} version {made.randint(1, 9)}.2.3.4"
        ),
        lambda: made.randbytes(32).hex(),
        lambda: f"np.array(a @ b.T) + x@w.shape[{made.randint(0, 9)}:{made.randint(10, 99)}] == y[::2]",
        lambda: f"[{made.randint(10**12, 2 * 10**12)}, {made.random()!r}, {made.random()!r}]",
        lambda: f"order {made.randint(10**7, 10**8)} of {made.randint(1, 500)} items, {made.uniform(1, 9999):.2f} EUR",
        lambda: (
            f"sk-learn-like pipeline, token count {made.randint(10, 99999)}, key error in column {made.choice('abc')}"
        ),
    ]
    for _ in range(count):
        yield made.choice(kinds)()
