"""What output checks find, miss and take: ``PYTHONPATH=. python tests/benchmarks/bench_checks.py [FILE.jsonl …]``.

Plants made-up secrets and personal data (fixed seed) in text, tables, JSON, names and tracebacks, at all four boundaries, and counts what
is left of them. Files of everyday code are read for false positives alone. Budget: at most 1 ms for 20 kB.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from smolcell.core import text as describe
from smolcell.output_checks import BOUNDARIES, Boundary, Checks, personal_data, secrets
from tests.benchmarks.planted import MAKERS, PLACES, Planted, harmless, planted

BUDGET = 1.0  # ms for 20 kB


def is_found(checks: Checks, one: Planted, at: Boundary) -> bool:
    """Whether nothing of the piece is left if it would have gone."""
    if at in ("answer", "tools"):
        report = checks.report(one.value, at)
        value = checks.conceal_value(one.value, at, lambda check, piece: True, report)
        return one.piece not in _text(value) and one.piece in _text(one.value)
    text = one.value if isinstance(one.value, str) else _text(one.value)
    return one.piece not in (checks.saved(text) if at == "saved" else checks.sent(text))


def _text(value: Any) -> str:
    if hasattr(value, "to_csv"):
        return str(value.to_csv())
    return value if isinstance(value, str) else "\n".join(f"{name}: {item}" for name, item in value.items())


def table(checks: Checks) -> tuple[int, int]:
    """Print what is found, by kind and place and by boundary; returns how much was, of how much."""
    found: Counter[tuple[str, str]] = Counter()
    total: Counter[tuple[str, str]] = Counter()
    for one in planted():
        for at in BOUNDARIES:
            hit = is_found(checks, one, at)
            for key in ((one.kind, one.place), (one.kind, at)):
                total[key] += 1
                found[key] += hit
    columns = [*PLACES, *BOUNDARIES]
    print(f"{'found of planted':24}" + "".join(f"{name:>10}" for name in columns))
    for kind in MAKERS:
        print(f"{kind:24}" + "".join(f"{found[kind, name]:>6}/{total[kind, name]}".rjust(10) for name in columns))
    of_places = [(kind, place) for kind in MAKERS for place in PLACES]
    return sum(found[key] for key in of_places), sum(total[key] for key in of_places)


def false_positives(checks: Checks, texts: list[str]) -> Counter[str]:
    """How often each kind is found in texts that hold none."""
    return Counter(piece.kind for text in texts for _, piece in checks.look(text, "model"))


def milliseconds(text: str, rounds: int = 30) -> float:
    """For a text that was not looked at before; the best of some rounds."""
    best = 1e9
    for number in range(rounds):
        checks, fresh = Checks([secrets(), personal_data()]), f"{number} {text}"
        started = time.perf_counter()
        checks.look(fresh, "model")
        best = min(best, (time.perf_counter() - started) * 1e3)
    return best


def main(files: list[str]) -> int:
    checks = Checks([secrets(action="redact"), personal_data(action="redact")])
    found, total = table(checks)
    print(
        f"\n{found} of {total} found, {total - found} missed ({len(list(planted()))} planted, at {len(BOUNDARIES)} boundaries)"
    )
    made = list(harmless())
    print(f"false positives: {dict(false_positives(checks, made)) or 0} in {len(made)} harmless lines")
    for name in files:
        rows = [json.loads(line) for line in Path(name).read_text(encoding="utf-8").splitlines() if line.strip()]
        counted = false_positives(checks, [str(row.get("code", "")) for row in rows])
        print(f"found in {Path(name).name}: {dict(counted) or 0} in {len(rows)} programs")
    worst = 0.0
    prose = "The quick brown fox met row 17 of 42 at 3.14 on 2026-01-02, and said so. "
    for label, unit in (
        ("prose", prose),
        ("numbers", "0.123456  17.25  1042  88123\n"),
        ("code", 'x = df["a"].mean()  # a: b, c = {1: 2}\n'),
    ):
        took = milliseconds((unit * 2000)[:20_000])
        worst = max(worst, took)
        print(f"20 kB of {label}: {took:.2f} ms")
    print(
        describe.counted(len(checks.all), "check")
        + f", budget {BUDGET:g} ms: {'held' if worst <= BUDGET else 'NOT HELD'}"
    )
    return 0 if worst <= BUDGET else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
