"""Check which tests are quick against what they took: ``python scripts/check_quick.py REPORT.xml``.

REPORT is the JUnit report (``pytest --junitxml``) of the quick suite, the tests without the mark ``slow``. Prints cases and seconds
of each folder, and the slowest cases. Exits 1 if a quick case took more than its share of the time of all, if too many took long,
if fewer than four fifths of all cases are quick, if a folder has no quick case, or if too many were skipped. Limits are ratios
within the one run, so they hold on a busy machine too.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LARGEST_SHARE = 0.015  # of the time of all quick cases; the one in a browser, which loads JupyterLab, is exempt
LONG_SHARE = 0.002  # of the same time: half a second on an idle machine
MOST_LONG = 0.02  # of the quick cases may take longer than that
LEAST_QUICK = 0.8  # of all cases
MOST_SKIPPED = 0.03  # of the quick ones, on a machine without browser and containers


@dataclass(frozen=True)
class Case:
    name: str
    folder: str
    seconds: float
    skipped: bool


def cases(report: Path) -> list[Case]:
    """The test cases of a JUnit report that this project's own pytest wrote."""
    found = []
    for case in ET.parse(report).iter("testcase"):
        name = case.get("classname", "")
        folder = name.split(".")[1] if name.count(".") else name
        found.append(
            Case(f"{name}::{case.get('name')}", folder, float(case.get("time", 0)), case.find("skipped") is not None)
        )
    return found


def count_all() -> int:
    """How many cases there are, slow or not."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--collect-only",
        "-q",
        "-m",
        "slow or not slow",
        "-p",
        "no:cacheprovider",
    ]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    collected = re.search(r"^(?:\d+/)?(\d+) tests collected", printed, re.MULTILINE)
    if collected is None:
        sys.exit(f"pytest collected nothing:\n{printed[-2000:]}")
    return int(collected[1])


def wrong(quick: list[Case], total: int) -> list[str]:
    """What contradicts the marks."""
    seconds = sum(case.seconds for case in quick)
    faults = [
        f"{case.name} took {case.seconds:.1f} s of {seconds:.0f} s: make it quicker, or mark it slow"
        for case in quick
        if case.seconds > LARGEST_SHARE * seconds and case.folder != "browser"
    ]
    long = [case for case in quick if case.seconds > LONG_SHARE * seconds]
    if len(long) > MOST_LONG * len(quick):
        faults.append(f"{len(long)} quick cases took more than {LONG_SHARE * seconds:.1f} s: mark some slow")
    if len(quick) < LEAST_QUICK * total:
        faults.append(f"only {len(quick)} of {total} cases are quick")
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/test_*.py")}
    if missing := sorted(folders - {case.folder for case in quick if not case.skipped} - {"browser"}):
        faults.append(f"no quick case in tests/{', tests/'.join(missing)}")
    skipped = sum(case.skipped for case in quick)
    if skipped > MOST_SKIPPED * len(quick):
        faults.append(f"{skipped} of {len(quick)} quick cases were skipped")
    return faults


def show(chosen: list[Case]) -> None:
    """A line for each folder, the one with most seconds first, then the slowest cases."""
    folders: dict[str, list[Case]] = defaultdict(list)
    for case in chosen:
        folders[case.folder].append(case)
    seconds = sum(case.seconds for case in chosen)
    print(f"{len(chosen)} cases, {seconds:.0f} s of test time, {sum(case.skipped for case in chosen)} skipped")
    for folder, inside in sorted(folders.items(), key=lambda item: -sum(case.seconds for case in item[1])):
        print(f"{sum(case.seconds for case in inside):8.1f} s {len(inside):6} {folder}")
    for case in sorted(chosen, key=lambda case: -case.seconds)[:10]:
        print(f"{case.seconds:8.1f} s {case.name}")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("report", type=Path)
    quick = cases(parser.parse_args().report)
    show(quick)
    faults = wrong(quick, count_all())
    print(*faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
