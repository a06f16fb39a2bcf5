"""A reply becomes a program, an answer or a reason; prose never runs."""

from __future__ import annotations

import ast
import json
import time

import pytest
from examples import cases, quick
from hypothesis import assume, example, given
from hypothesis import strategies as st

from smolcell.core.parsing import Final, NoProgram, ProgramReply, parse, tree


@pytest.mark.parametrize(("reply", "text", "thought"), cases(__file__, "marked"))
def test_a_marked_program_is_found(reply: str, text: str, thought: str) -> None:
    assert parse(reply) == ProgramReply(text, thought)


@pytest.mark.parametrize("reply", cases(__file__, "cut_off"))
def test_a_program_that_is_not_closed_is_never_run(reply: str) -> None:
    """No stop words are sent: what lacks its closing mark was cut off, however well it parses."""
    assert parse(reply) == NoProgram(cut_off=True)


@pytest.mark.parametrize("reply", cases(__file__, "complete"))
def test_a_complete_program_runs_whatever_stray_marks_follow(reply: str) -> None:
    assert parse(reply) == ProgramReply("print(1)")


@pytest.mark.parametrize("end", ["", "\n", "\n \n"])
def test_a_closing_tag_that_ends_a_comment_closes_if_nothing_follows(end: str) -> None:
    assert parse(f"<code>\nx = 1  # one</code>{end}") == ProgramReply("x = 1  # one")


STRUCTURED = {
    "thought and code": ({"thought": "look", "code": "x = 1"}, ProgramReply("x = 1", "look")),
    "code alone": ({"code": "x = 1"}, ProgramReply("x = 1")),
    "code in a fence": ({"thought": "look", "code": "```python\nx = 1\n```"}, ProgramReply("x = 1", "look")),
    "a closing tag in its string": ({"code": "s = '</code>'"}, ProgramReply("s = '</code>'")),
    "an answer": ({"thought": "done", "final_answer": [1, 2]}, Final([1, 2], "done")),
    "an answer under the shorter word": ({"answer": "42"}, Final("42")),
    "no code": ({"thought": "hm"}, NoProgram()),
    "empty code": ({"thought": "hm", "code": "  \n"}, NoProgram()),
    "code that is no text": ({"code": 42}, NoProgram()),
    "a lone surrogate": ({"code": "x = '\ud800'"}, ProgramReply("x = '?'")),
}


@pytest.mark.parametrize(("reply", "expected"), STRUCTURED.values(), ids=STRUCTURED)
@pytest.mark.parametrize("form", ["{}", "\n{}\n", "```json\n{}\n```", "```\n{}\n```", "```json\n{}"])
def test_a_structured_reply_is_read(reply: dict[str, object], expected: object, form: str) -> None:
    assert parse(form.replace("{}", json.dumps(reply))) == expected


@pytest.mark.parametrize("reply", cases(__file__, "prose"))
def test_prose_is_fed_back_and_never_a_program(reply: str) -> None:
    assert parse(reply) == NoProgram()


PIECES = ["<code>", "</code>", "```", "```python", "~~~", "\n", "\r\n", " ", "x = 1", "'", '"""', "# ", "(", "...", "`", "{", "Done",
          "<end_code>", "\x00", "\ud800", "é", '{"code": "', '"}', "if x:", "    "]  # fmt: skip


@given(st.text(st.characters(), max_size=300) | st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
@example("\ud800<code>\udfff\x00</code>")  # lone surrogates and NULs too
@example("```\x00")
@example('{"code": "\\ud800"}')
def test_any_text_and_any_order_of_marks_is_read(reply: str) -> None:
    assert isinstance(parse(reply), ProgramReply | Final | NoProgram)


@given(st.text(alphabet=st.characters(blacklist_characters="<`~{"), max_size=200))
def test_text_without_marks_is_never_a_program(reply: str) -> None:
    assert parse(reply) == NoProgram()


literals = st.lists(
    st.sampled_from(["</code>", "<code>", "```", "```python", "~~~", "\n", "<end_code>", "Thought:", "word", " ", "    ", "#", "\u2028"]),
    max_size=12,
).map("".join)  # fmt: skip
statements = st.one_of(
    literals.map(lambda text: f"s = {text!r}"),
    literals.map(lambda text: f"s = '''{text}'''"),
    literals.map(lambda text: f"print(f'''{text}''')"),
    st.sampled_from(
        ["x = 1", "if x:\n    y = 2", "def f(a):\n\n    return a", "", "# a comment", "f(1)", "class A:\n    b = 1"]
    ),
)
programs = (
    st.lists(statements, min_size=1, max_size=6)
    .map("\n".join)
    .map(lambda text: text.strip("\n "))
    .filter(lambda text: bool(ast.parse(text).body))
)


FORMS = [
    *["<code>\n{}\n</code>", "A thought.\n<code>\n{}\n</code>", "<code>\r\n{}\r\n</code>\nObservation:"],
    *["```python\n{}\n```", "A thought.\n```\n{}\n```\nDone.", "~~~py\n{}\n~~~"],
]


@given(programs, st.sampled_from(FORMS))
@example("s = '''</code>\n<code>\n```'''", "<code>\n{}\n</code>")
@example("s = '''a\n    \nb'''", "<code>\n{}\n</code>")
def test_a_marked_program_comes_back_whatever_its_strings_hold(text: str, form: str) -> None:
    assume("<code>" in form or "<code>" not in text)  # a tag is the stronger mark
    found = parse(form.replace("{}", text))
    assert isinstance(found, ProgramReply)
    assert found.text == text


@given(programs, st.sampled_from(["<code>\n{}\n</code>", "```python\n{}\n```"]), st.data())
def test_what_is_left_of_a_program_that_was_cut_off_does_nothing(text: str, form: str, data: st.DataObject) -> None:
    """Nothing, or what Python itself refuses: a closing mark in one of its strings leaves that string open."""
    assume("<code>" not in text and "#" not in text and "~~~" not in text)
    whole = form.replace("{}", text)
    found = parse(whole[: data.draw(st.integers(0, len(form.partition("{}")[0] + text)))])
    assert isinstance(found, NoProgram) or isinstance(tree(found.text), str)  # type: ignore[union-attr]


@given(programs)
def test_half_an_object_is_never_code_however_it_is_read(text: str) -> None:
    """A stream that broke off, an object with more behind it, two of them: nothing of it runs."""
    whole = json.dumps({"thought": "<code>\nbad()\n</code>", "code": f"```python\nbad()\n```\n{text}"})
    for end in range(len(whole)):
        if end > len('{"thought":'):
            assert isinstance(parse(whole[:end]), NoProgram)
        assert parse(whole[:end], structured=True) == NoProgram()
    for reply in (whole + whole, whole + " and more", f"[{whole}]"):
        assert parse(reply, structured=True) == NoProgram()


@pytest.mark.parametrize("reply", cases(__file__, "no_object"))
def test_where_an_object_was_asked_for_nothing_else_is_a_program(reply: str) -> None:
    assert parse(reply, structured=True) == NoProgram()


@pytest.mark.parametrize("form", ["{}", "\n{}\n", "```json\n{}\n```"])
def test_an_object_that_was_asked_for_is_read(form: str) -> None:
    step = {"thought": "t", "code": "```python\nx = 1\n```"}
    assert parse(form.replace("{}", json.dumps(step)), structured=True) == ProgramReply("x = 1", "t")
    assert parse(form.replace("{}", '{"final_answer": 42}'), structured=True) == Final(42)


@given(programs)
def test_a_program_in_a_structured_reply_comes_back(text: str) -> None:
    assert parse(json.dumps({"thought": "t", "code": text})) == ProgramReply(text, "t")


@given(programs, st.sampled_from(["    ", "  ", "\t"]))
def test_common_indentation_is_taken_away(text: str, margin: str) -> None:
    indented = "\n".join(margin + line if line else line for line in text.split("\n"))
    assert parse(f"- item\n{margin}<code>\n{indented}\n{margin}</code>") == ProgramReply(text, "- item")


HUGE = {
    "1 MB of prose": "word " * 200_000,
    "1 MB of newlines": "\n" * 1_000_000,
    "1 MB of spaces and a fence": " " * 1_000_000 + "```",
    "1 MB of tildes": "~" * 1_000_000 + "`",
    "1 MB of backticks": "`" * 1_000_000,
    "a 1 MB program": "<code>\n" + "total = f(1, 'a')\n" * 55_000 + "</code>",
    "a fence of 1 MB": "```python\n" + "total = f(1, 'a')\n" * 55_000,
    "30,000 open tags": "<code>\n" * 30_000,
    "30,000 open tags in one line": "see <code> and " * 30_000,
    "30,000 open tags, and as many fences": "see <code> and\n```\n" * 30_000,
    "30,000 closing tags": "<code>" + "</code>" * 30_000,
    "30,000 pairs": "<code>x = 1</code>\n" * 30_000,
    "30,000 pairs in sentences": "see <code> and </code> for " * 30_000,
    "30,000 broken pairs": "<code>(\n</code>\n" * 30_000,
    "30,000 tags, then as many closing ones": "<code>\n" * 30_000 + "</code>\n" * 30_000,
    "30,000 closing tags in one string": "<code>\ns = '" + "</code>" * 30_000 + "'\n</code>",
    "100,000 fences": "```\n" * 100_000,
    "100,000 marked fences": "```python\n" * 100_000,
    "100,000 fences of two kinds": "```python\n(\n```\n```x\n" * 25_000,
    "a long fence and 100,000 short ones": "`````python\n" + "```\n" * 100_000,
    "1 MB of open brackets": "<code>" + "(" * 1_000_000 + "</code>",
    "1 MB of minus signs": "<code>" + "-" * 1_000_000 + "1</code>",
    "a sum of 300,000": "<code>" + "1+" * 300_000 + "1</code>",
    "a chain of 300,000": "<code>a" + ".a" * 300_000 + "</code>",
    "nested JSON": '{"code": ' + "[" * 300_000,
    "1 MB of indentation": "<code>\n" + " " * 1_000_000 + "x\n</code>",
    "100,000 indented lines": "<code>\n" + ("    x = 1\n    \n") * 50_000 + "</code>",
}


@pytest.mark.parametrize("name", quick(HUGE, "1 MB of open brackets", "nested JSON"))
def test_a_hostile_size_costs_seconds_at_most(name: str) -> None:
    started = time.process_time()
    assert isinstance(parse(HUGE[name]), ProgramReply | NoProgram)
    assert time.process_time() - started < 20  # most take far less than one; a quadratic reading takes minutes
