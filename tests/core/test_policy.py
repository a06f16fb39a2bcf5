"""The policy says what a person should know about a program; what it did not understand has a warning."""

from __future__ import annotations

import ast
import builtins
import keyword
import time
from collections.abc import Iterable

import pytest
from examples import cases, quick
from hypothesis import given
from hypothesis import strategies as st

from smolcell.core.findings import MAX_ANALYZED_CHARS, findings
from smolcell.events import Finding
from smolcell.worker.guard.magics import to_python


def plain(found: Iterable[Finding]) -> bool:
    """Whether there is no warning."""
    return all(finding.risk == "none" for finding in found)


def found(text: str, *authorized: str, tools: tuple[str, ...] = ()) -> set[tuple[str, str, str]]:
    return {(f.kind, f.text, f.risk) for f in findings(text, authorized, tools) if f.kind != "name"}


@pytest.mark.parametrize("text", cases(__file__, "harmless"))
def test_plain_programs_have_no_warning(text: str) -> None:
    assert plain(findings(text))


GIVEN = ("sales.csv", "data/")


@pytest.mark.parametrize(("text", "path"), cases(__file__, "reads_given"))
def test_reading_a_given_file_is_said_and_no_more(text: str, path: str) -> None:
    told = findings(text, files=GIVEN)
    assert ("file", f"reads a file: {path}, which was given", "low") in {(f.kind, f.text, f.risk) for f in told}
    assert "high" not in {f.risk for f in told}
    assert "high" in {f.risk for f in findings(text)}


@pytest.mark.parametrize("text", cases(__file__, "reads_another"))
def test_reading_anything_else_is_a_high_risk(text: str) -> None:
    assert "high" in {f.risk for f in findings(text, files=GIVEN) if f.kind == "file"}


@pytest.mark.parametrize("text", cases(__file__, "unclear"))
def test_what_may_reach_a_file_the_network_or_a_process_has_a_warning(text: str) -> None:
    assert not plain(findings(text))


@pytest.mark.parametrize(("text", "finding"), cases(__file__, "warned"))
def test_what_a_person_should_know_is_found(text: str, finding: list[str]) -> None:
    assert tuple(finding) in found(text)


def test_a_tool_of_the_host_is_named_and_its_use_has_a_warning() -> None:
    assert found("send(1)\nf = send", tools=("send",)) == {("tool", "send", "low")}
    assert found("other(1)", tools=("send",)) == set()


def test_what_is_authorised_is_a_plain_fact() -> None:
    assert found("import turtle", "turtle") == {("import", "turtle", "none")}
    assert found("import a.b", "a.*") == {("import", "a.b", "none")}
    assert found("import a", "a.*") == {("import", "a", "none")}
    assert found("import ab", "a.*") == {("import", "ab, which is not authorised: the guard will refuse it", "high")}
    assert found("import anything", "*") == {("import", "anything", "none")}
    assert found("import os", "os") == {("process", "import os", "high")}  # authorised, and still worth saying


@pytest.mark.parametrize(("text", "names"), cases(__file__, "written"))
def test_only_names_that_stay_after_the_step_are_listed(text: str, names: str) -> None:
    assert [finding.text for finding in findings(text) if finding.kind == "name"] == [names]


def test_the_most_serious_comes_first_and_each_thing_once_where_it_is_first() -> None:
    assert findings("import math\nx._a\nx._a\nos.system('a')\nos.system('b')\nimport math") == (
        Finding(kind="process", text="system", line=4, risk="high"),
        Finding(kind="dunder", text="private attribute _a", line=2, risk="low"),
        Finding(kind="import", text="math", line=1),
    )


def test_a_node_that_was_not_reviewed_is_a_high_risk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smolcell.core.findings._KNOWN", frozenset({"Module", "Assign", "Name", "Constant"}))
    assert found("x = 1") == set()
    assert found("x = [1]") == {("syntax", "List has not been reviewed", "high")}


def test_a_program_full_of_findings_is_told_briefly() -> None:
    told = findings("\n".join(f"x.__a{number}__\nx._b{number}" for number in range(400)))
    assert len(told) == 201
    assert told[0].risk == "high"
    assert told[-1] == Finding(kind="syntax", text="600 more findings", risk="high")
    long = findings(f"x.__{'a' * 90_000}__")
    assert max(len(finding.text) for finding in long) == 200
    assert len(findings("\u200b" * 90_000)) == 3


# --- for any text --------------------------------------------------------------------------------------------------------


@given(st.text(alphabet=st.characters(), max_size=200))
def test_any_text_is_read(text: str) -> None:
    told = findings(text)
    assert all(isinstance(finding, Finding) for finding in told)
    if plain(told):
        ast.parse(to_python(text))


STATEMENTS = [
    "import math", "import os", "from asyncio import create_subprocess_exec as local1", "local1 = local2", "local2 = getattr",
    "local1 = pd.read_csv", "local1('a')", "with open('a') as local3:\n    pass", "local3 = ().__class__", "local1._x = 3",
    "for local1 in range(3):\n    local2 = local1", "def local3(local1):\n    return local1.system", "print('/etc/passwd')",
    "local1 = lambda local2: local2.__dict__", "[local2.gi_frame for local2 in local1]", "u = 'https://example.org'",
    "match local1:\n    case object(__class__=local2):\n        pass", "import math as local3", "send(local1)", "local1 = send",
]  # fmt: skip
NAMES = [*(f"name_{n}" for n in range(5)), "data", "é", "print_", "result"]
assert not {*NAMES} & {*keyword.kwlist, *dir(builtins)}


@given(
    st.lists(st.sampled_from(STATEMENTS), max_size=8),
    st.lists(st.sampled_from(NAMES), min_size=3, max_size=3, unique=True),
)
def test_renaming_locals_does_not_lower_a_finding(statements: list[str], names: list[str]) -> None:
    text = renamed = "\n".join(statements)
    for number, name in enumerate(names, 1):
        renamed = renamed.replace(f"local{number}", name)
    assert found(renamed, tools=("send",)) == found(text, tools=("send",))
    assert plain(findings(renamed)) == plain(findings(text))


@given(st.lists(st.sampled_from(STATEMENTS), max_size=6), st.sampled_from(STATEMENTS))
def test_more_code_never_lowers_a_finding(statements: list[str], more: str) -> None:
    assert found("\n".join(statements)) <= found("\n".join([*statements, more]))


@given(st.lists(st.sampled_from(STATEMENTS), max_size=6))
def test_nothing_but_names_and_imports_is_plain(statements: list[str]) -> None:
    told = findings("\n".join(statements), tools=("send",))
    assert plain(told) == all(finding.kind in ("name", "import") for finding in told)


# --- other names, and texts that would take long -------------------------------------------------------------------------


@pytest.mark.parametrize("programs", cases(__file__, "aliases"))
def test_no_other_name_for_a_thing_lowers_its_finding(programs: list[str]) -> None:
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


@pytest.mark.parametrize("name", quick(HOSTILE, *HOSTILE.keys() - {"lines"}))
def test_hostile_texts_are_read_in_bounded_time(name: str) -> None:
    text = HOSTILE[name]
    assert len(text) <= MAX_ANALYZED_CHARS
    start = time.process_time()
    told = findings(text)
    assert all(isinstance(finding, Finding) for finding in told)
    assert time.process_time() - start < 60  # seconds; they take about one


def test_a_program_of_300_000_lines_is_too_long_to_analyze_and_that_is_a_high_risk() -> None:
    [told] = findings("x = 1\n" * 300_000)
    assert (told.kind, told.text, told.risk) == (
        "syntax",
        "program of 1,800,000 characters: too long to analyze",
        "high",
    )
