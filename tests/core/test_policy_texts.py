"""What a program's texts, letters and gaps say; that another name for a thing says as much; that no text takes long to read."""

from __future__ import annotations

import time

import pytest

from smolcell.core.findings import MAX_ANALYZED_CHARS, findings
from smolcell.events import Finding


def found(text: str, *, tools: tuple[str, ...] = ()) -> set[tuple[str, str, str]]:
    return {(f.kind, f.text, f.risk) for f in findings(text, (), tools) if f.kind != "name"}


LEAST = {
    "a host without a scheme": ("h = 'example.com:8080/x'", ("network", "example.com:8080", "high")),
    "an address of numbers": ("h = '169.254.169.254'", ("network", "169.254.169.254", "high")),
    "an address within a text": ("h = 'see HTTPS://u:p@Example.org/x now'", ("network", "example.org", "high")),
    "an address in bytes": ("h = b'https://example.org'", ("network", "example.org", "high")),
    "an address in a long text": ("h = '" + "a b " * 1000 + "ws://example.org'", ("network", "example.org", "high")),
    "a file name": ("p = 'sales.csv'", ("file", "sales.csv", "low")),
    "a path on Windows": (r"p = 'C:\\a'", ("file", r"C:\a", "low")),
    "what is read": ("pd.read_csv('sales')", ("file", "reads a file: sales", "high")),
    "what is written": ("df.to_csv(index=False, path_or_buf='sales')", ("file", "writes a file: sales", "high")),
    "a letter of another script": ("p\u0430ss_ = 1", ("hidden", r"name that looks like pass_, and is another name: p\u0430ss_", "high")),
    "a whole name of another script": (
        "\u0441\u043e\u0440\u0443(1)", ("hidden", r"name that looks like copy, and is another name: \u0441\u043e\u0440\u0443", "high")),
    "mixed scripts": ("x.b\u0436 = 1", ("hidden", r"name that mixes Cyrillic and Latin letters: b\u0436", "high")),
    "text behind a gap": ("x = 1" + " " * 50 + "; y = 2", ("hidden", "text after 50 columns of blank", "low")),
    "tabs": ("if x:\n\ty = 1", ("tab", "tabs, which may be as wide as many spaces", "low")),
    "text behind tabs": ("x = 1" + "\t" * 9 + "; y = 2", ("hidden", "text after 72 columns of blank", "low")),
    "a name to look up": ("n = 'gi_frame'", ("dunder", "the name gi_frame, which may be looked up by text", "low")),
    "a special name to look up": ("class A:\n    __match_args__ = ('__globals__',)",
        ("dunder", "the name __globals__, which may be looked up by text", "low")),
    "a field that walks": ("'{0.gi_frame.f_back}'.format(g)",
        ("dunder", "text with which format() could read attributes: {0.gi_frame.f_back}", "low")),
    "a format of a text put together": ("('{0.gi_' + 'frame}').format(g)", ("dunder", "format of a text that is computed", "low")),
    "a format by another name": ("f = '{0.gi_' + 'frame}'\nf.format(g)", ("dunder", "format of a text that is computed", "low")),
    "what only the sandbox refuses": ("x = 1\nhelp(x)", ("syntax", "the sandbox refuses: Forbidden access to function: help", "high")),
}  # fmt: skip


@pytest.mark.parametrize(("text", "finding"), LEAST.values(), ids=LEAST)
def test_what_stands_in_texts_names_and_gaps_is_found(text: str, finding: tuple[str, str, str]) -> None:
    assert finding in found(text)


STILL_HARMLESS = {
    "words of another language": "name = 'Москва и сор'  # у нас\nimię = 1\nназвание = 2\nデータ = 3",
    "letters of science": "α, ρ, Δx, σ_y = 1, 2, 3, 4",
    "ratios and times": "print('km/h', '12:30', 'a.b', 'n/a', '3.14', 'v1.2.3', 'end.')",
    "a template of its own": "line = '{:>10} {}'\nprint(line.format(1, 2))",
    "the main module": "if __name__ == '__main__':\n    print(1)",
    "alignment": "a      = 1          # one\nlonger = 2          # two",
}


@pytest.mark.parametrize("text", STILL_HARMLESS.values(), ids=STILL_HARMLESS)
def test_what_only_resembles_a_warning_is_none(text: str) -> None:
    assert all(finding.risk == "none" for finding in findings(text))


ALIASES = {
    "a module": ("import os\nos.system('a')", "import os as o\no.system('a')", "from os import system as s\ns('a')",
                 "import os\na = b = os\n(c,) = [a]\nc.system('a')", "import os\n[m.system('a') for m in [os]]",
                 "import os\n(lambda m: m.system('a'))(os)", "import os\nif (m := os): m.system('a')"),
    "import by name": ("__import__('x')", "o = __import__\no('x')", "def f(g=__import__): g('x')", "[g('x') for g in (__import__,)]"),
    "open": ("open('a')", "f = open\nf('a')", "f, g = open, 1\nf('a')", "(f := open)('a')", "def h(f=open): f('a')",
             "for f in [open]: f('a')", "with (lambda o: o('a'))(open) as x: pass", "class A:\n    f = open\nA.f('a')"),
    "reading": ("pd.read_csv(x)", "p = pd.read_csv\np(x)", "from pandas import read_csv as r\nr(x)", "[r(x) for r in [pd.read_csv]]",
                "import functools\nfunctools.partial(pd.read_csv, x)()"),
    "a tool": ("send(1)", "f = send\nf(1)", "[f(1) for f in [send]]", "def f(g=send): g(1)", "list(map(send, [1]))"),
    "reflection": ("getattr(x, y)", "g = getattr\ng(x, y)", "def f(g=getattr): g(x, y)", "a, *b = getattr, 1\na(x, y)"),
}  # fmt: skip


@pytest.mark.parametrize("programs", ALIASES.values(), ids=ALIASES)
def test_no_other_name_for_a_thing_lowers_its_finding(programs: tuple[str, ...]) -> None:
    def warned(text: str) -> set[tuple[str, str]]:
        told = found(text, tools=("send",))
        return {(kind, risk) for kind, what, risk in told if risk != "none" and what != "a"}

    plain = warned(programs[0])
    assert plain
    assert [text for text in programs if not warned(text) >= plain] == []


HOSTILE = {
    "parentheses": "(" * 100_000, "lists": "[" * 90 + "]" * 90, "a sum": "x = " + "1+" * 1_500 + "1",
    "attributes": "x" + ".a" * 1_500, "negations": "not " * 1_500 + "x", "lines": "x\n" * 50_000,
    "dots": "'" + "a." * 45_000 + "'", "slashes": "x = '" + "/" * 90_000 + "'", "letters": "a" * 90_000,
    "accents": "é" * 90_000, "tabs": "\t" * 90_000 + "x", "numbers": "x = '" + "1.1.1." * 15_000 + "'",
    "schemes": "x = '" + "a://" * 20_000 + "'", "a field": "x = '{" + "a." * 45_000 + "'", "fields": "x = '" + "{" * 90_000 + "'",
    "f-strings": "f'{x}'" * 5_000,
}  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_are_read_in_bounded_time(text: str) -> None:
    assert len(text) <= MAX_ANALYZED_CHARS
    start = time.process_time()
    told = findings(text)
    assert all(isinstance(finding, Finding) for finding in told)
    assert time.process_time() - start < 60  # seconds; they take about one


def test_a_program_of_300_000_lines_is_too_long_to_analyze_and_that_is_a_high_risk() -> None:
    start = time.process_time()
    told = findings("x = 1\n" * 300_000)

    assert told == (Finding(kind="syntax", text="program of 1,800,000 characters: too long to analyze", risk="high"),)
    assert time.process_time() - start < 0.1
