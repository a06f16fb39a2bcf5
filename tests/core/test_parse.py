"""A reply becomes a program, an answer or a reason; prose never runs."""

from __future__ import annotations

import ast
import json
import time

import pytest
from examples import quick
from hypothesis import assume, example, given
from hypothesis import strategies as st

from smolcell.core.parsing import NO_OBJECT, NO_PROGRAM, UNCLOSED, Final, NoProgram, Program, parse, tree

TAGS = {
    "a program between tags": ("First look.\n<code>\nx = 1\nprint(x)\n</code>", "x = 1\nprint(x)", "First look."),
    "tags in one line": ("<code>x = 1</code>", "x = 1", ""),
    "tags after words": ("I compute: <code>print(2 + 2)</code>", "print(2 + 2)", "I compute:"),
    "tags in capitals": ("<CODE>\nx = 1\n</CODE>", "x = 1", ""),
    "the older closing word": ("Code:\n<code>\nx = 1\n<end_code>", "x = 1", ""),
    "thought and code are named": ("Thought: look\nCode:\n<code>\nx = 1\n</code>", "x = 1", "look"),
    "several blocks are one program, in order": ("<code>\na = 1\n</code>\nand\n<code>\nb = 2\n</code>", "a = 1\nb = 2", ""),
    "a closing tag in a string": ('<code>\ns = "</code>"\nprint(s)\n</code>', 's = "</code>"\nprint(s)', ""),
    "a closing tag in a long string": ('<code>\ns = """\n</code>\n"""\n</code>', 's = """\n</code>\n"""', ""),
    "a closing tag in a comment": ("<code>\nx = 1  # </code> ends it\ny = 2\n</code>", "x = 1  # </code> ends it\ny = 2", ""),
    "a comment before the closing tag": ("<code>print(1)  # one</code> Done.", "print(1)  # one", ""),
    "an opening tag in a string": ('<code>\ns = "<code>"\n</code>', 's = "<code>"', ""),
    "a quoted tag in the thought": ("I use `<code>` here.\n<code>\nx = 1\n</code>", "x = 1", "I use `<code>` here."),
    "tags that the thought mentions": (
        "I write between <code> and </code>.\n<code>\nx = 1\n</code>",
        "x = 1",
        "I write between <code> and </code>.",
    ),
    "a tag that begins a line of the thought": (
        "<code> is the tag for programs.\n<code>\nx = 1\n</code>",
        "x = 1",
        "<code> is the tag for programs.",
    ),
    "words in tags within a sentence": (
        "I call <code>df.head()</code> first.\n<code>\nprint(df.head())\n</code>",
        "print(df.head())",
        "I call <code>df.head()</code> first.",
    ),
    "words in tags within a sentence, then a fence": (
        "I call <code>f</code>.\n```python\nf()\n```",
        "f()",
        "I call <code>f</code>.",
    ),
    "a placeholder in the thought": ("<code>...</code> is the form.\n<code>\nx = 1\n</code>", "x = 1", "<code>...</code> is the form."),
    "a fence inside the tags": ("<code>\n```python\nx = 1\n```\n</code>", "x = 1", ""),
    "tags win over fences": ("```python\nold = 1\n```\nBetter:\n<code>\nnew = 2\n</code>", "new = 2", "```python\nold = 1\n```\nBetter:"),
    "an error is shown, not guessed away": ("<code>\nx = (\n</code>\nthen\n<code>\ny = 2\n</code>", "x = (\ny = 2", ""),
    "a program cut by a second opening tag": ("<code>\nx = 1\n<code>\ny = 2\n</code>", "x = 1\n<code>\ny = 2", ""),
}  # fmt: skip

FENCES = {
    "a fence with a language": ("Look.\n```python\nx = 1\n```\nDone.", "x = 1", "Look."),
    "a fence with another word for it": ("```py\nx = 1\n```", "x = 1", ""),
    "a fence without a language": ("Look.\n```\nx = 1\n```", "x = 1", "Look."),
    "a fence of tildes": ("~~~python\nx = 1\n~~~", "x = 1", ""),
    "several fences are one program": ("```python\na = 1\n```\nand\n```py\nb = 2\n```", "a = 1\nb = 2", ""),
    "marked and unmarked fences": ("```python\na = 1\n```\nand\n```\nb = 2\n```", "a = 1\nb = 2", ""),
    "sample output beside it": ("```python\nprint(6 * 7)\n```\ngives\n```\n42\n```", "print(6 * 7)", ""),
    "sample output beside it, unclosed": ("```python\nprint(6 * 7)\n```\ngives\n```\n42", "print(6 * 7)", ""),
    "sample words beside it": ("```python\nprint(1)\n```\ngives\n```\nDone\n```", "print(1)", ""),
    "another language beside it": ("```bash\npip install x\n```\n```python\nx = 1\n```", "x = 1", "```bash\npip install x\n```"),
    "a fence in a string": ('```python\ns = """\n```\n"""\n```', 's = """\n```\n"""', ""),
    "a longer fence": ("````python\nx = 1\n````", "x = 1", ""),
    "an indented fence": ("1. Look.\n   ```python\n   if x:\n       y = 1\n   ```", "if x:\n    y = 1", "1. Look."),
    "an info string": ("```python title=a.py\nx = 1\n```", "x = 1", ""),
    "a fence closed with the older word": ("```py\nx = 1\n```<end_code>", "x = 1", ""),
    "CRLF": ("```python\r\nx = 1\r\nif x:\r\n    y = 2\r\n```\r\n", "x = 1\nif x:\n    y = 2", ""),
}  # fmt: skip


@pytest.mark.parametrize(("reply", "text", "thought"), [*TAGS.values(), *FENCES.values()], ids=[*TAGS, *FENCES])
def test_a_marked_program_is_found(reply: str, text: str, thought: str) -> None:
    assert parse(reply) == Program(text, thought)


CUT_OFF = {
    "a tag": "Look.\n<code>\nx = 1\ny = 2",
    "a tag, within a statement": "Look.\n<code>\nx = 1\nprint(",
    "a tag, after its first letter": "Look.\n<code>\nx",
    "a tag, at once": "Look.\n<code>",
    "a tag in a sentence": "I compute: <code>print(2 + 2)",
    "within the closing tag": "<code>\nx = 1\n</cod",
    "the last of several": "<code>\na = 1\n</code>\nand\n<code>\nb = 2",
    "the last of several, in a sentence": "<code>\na = 1\n</code>\nThen <code>print(a)",
    "after a closing tag in a string": '<code>\ns = "</code>"\nprint(s)',
    "after a closing tag in a comment": "<code>\nx = 1  # </code> ends it\ny = 2",
    "after one in a comment, within a statement": "<code>\nx = 1  # </code> ends it\nprint(",
    "after one that ends a comment": "<code>\nx = 1  # the </code>\nimport os\nos.remove(",
    "after one that ends a comment in the first line": "<code>x = 1  # the </code>\nimport os\nos.remove(",
    "within a string that holds the closing tag": '<code>\nx = 1\nprint("</code>',
    "after a string that holds the closing tag": '<code>\nx = 1\nprint("</code>")\nimport os\nos.remove(',
    "within an f-string that holds the closing tag": "<code>\nprint(f'</code>",
    "within a long string that begins in the last line": '<code>\nx = 1\ns = """</code>',
    "the last of several, after its first letters": "<code>\na = 1\n</code>\nThen <code>pri",
    "a tag in a sentence after a fence": "```python\nold = 1\n```\nBetter: <code>new = 2",
    "a tag in a sentence, after white space": "```python\nold = 1\n```\nBetter: <code> new = 2",
    "a fence at once": "Look.\n```python\n",
    "a tag that a sentence mentions, and nothing else": "I use the <code> tag",
    "a tag after a fence": "```python\nold = 1\n```\nBetter:\n<code>\nnew = 2",
    "a fence": "```python\nx = 1\ny = 2",
    "a fence, within a statement": "```python\nx = 1\nprint(",
    "a fence without a language": "Look.\n```\nx = 1",
    "a fence of tildes": "~~~python\nx = 1\n~~",
    "a fence that another closed": "````python\nx = 1\n```",
    "the last of several fences": "```python\na = 1\n```\nand\n```python\nb = 2",
    "an unmarked last fence": "```python\na = 1\n```\nand\n```\nb = f(",
    "after a fence in a string": '```python\ns = """\n```\n"""',
}


@pytest.mark.parametrize("reply", CUT_OFF.values(), ids=CUT_OFF)
def test_a_program_that_is_not_closed_is_never_run(reply: str) -> None:
    """No stop words are sent: what lacks its closing mark was cut off, however well it parses."""
    assert parse(reply) == NoProgram(UNCLOSED, cut_off=True)


COMPLETE = {
    "a stray fence at the end": "```python\nprint(1)\n```\n```",
    "a stray fence and empty lines": "```python\nprint(1)\n```\n\n```\n\n",
    "an empty fence at the end": "```python\nprint(1)\n```\n```\n```",
    "an empty tag at the end": "<code>\nprint(1)\n</code>\n<code>",
    "an empty tag and empty lines": "<code>\nprint(1)\n</code>\n\n<code>\n\n",
    "an empty tag after a fence": "```python\nprint(1)\n```\n<code>",
    "a stray fence after a tag": "<code>\nprint(1)\n</code>\n```",
    "a closed empty tag at the end": "<code>\nprint(1)\n</code>\n<code></code>",
    "a sentence with a tag after a fence": "```python\nprint(1)\n```\nNote the <code> tag",
    "a sentence with a tag and a full stop after a fence": "```python\nprint(1)\n```\nNote the <code> tag.",
    "a sentence with a tag after a tag": "<code>\nprint(1)\n</code>\nNote the <code> tag",
    "a sentence that ends with a tag": "<code>\nprint(1)\n</code>\nI wrote it after <code>",
    "a sentence that ends with a tag, after a fence": "```python\nprint(1)\n```\nI did not need <code>",
    "sample output, not closed": "```python\nprint(1)\n```\ngives\n```\n1",
}


@pytest.mark.parametrize("reply", COMPLETE.values(), ids=COMPLETE)
def test_a_complete_program_runs_whatever_stray_marks_follow(reply: str) -> None:
    assert parse(reply) == Program("print(1)")


@pytest.mark.parametrize("end", ["", "\n", "\n \n"])
def test_a_closing_tag_that_ends_a_comment_closes_if_nothing_follows(end: str) -> None:
    assert parse(f"<code>\nx = 1  # one</code>{end}") == Program("x = 1  # one")


STRUCTURED = {
    "thought and code": ({"thought": "look", "code": "x = 1"}, Program("x = 1", "look")),
    "code alone": ({"code": "x = 1"}, Program("x = 1")),
    "code in a fence": ({"thought": "look", "code": "```python\nx = 1\n```"}, Program("x = 1", "look")),
    "a closing tag in its string": ({"code": "s = '</code>'"}, Program("s = '</code>'")),
    "an answer": ({"thought": "done", "final_answer": [1, 2]}, Final([1, 2], "done")),
    "an answer under the shorter word": ({"answer": "42"}, Final("42")),
    "no code": ({"thought": "hm"}, NoProgram()),
    "empty code": ({"thought": "hm", "code": "  \n"}, NoProgram()),
    "code that is no text": ({"code": 42}, NoProgram()),
    "a lone surrogate": ({"code": "x = '\ud800'"}, Program("x = '\ud800'")),
}


@pytest.mark.parametrize(("reply", "expected"), STRUCTURED.values(), ids=STRUCTURED)
@pytest.mark.parametrize("form", ["{}", "\n{}\n", "```json\n{}\n```", "```\n{}\n```", "```json\n{}"])
def test_a_structured_reply_is_read(reply: dict[str, object], expected: object, form: str) -> None:
    assert parse(form.replace("{}", json.dumps(reply))) == expected


PROSE = {
    "nothing": "",
    "white space": " \n\t\n ",
    "a word": "Done",
    "a number": "42",
    "a call in prose": "final_answer(result)",
    "Python without marks": "x = 1\nprint(x)",
    "inline code": "The answer is `x = 1`.",
    "a fence in a sentence": "I would write it in ```python fences.",
    "another language": "```bash\nrm -rf .\n```",
    "a placeholder": "Write <code>...</code> next.",
    "a placeholder on its own line": "<code>...</code>",
    "mentioned tags": "Programs go between <code> and </code>.",
    "quoted tags": "Programs go between `<code>` and `</code>`, or '<code>x</code>'.",
    "empty tags": "<code></code>",
    "an empty fence": "```python\n```",
    "a list in JSON": "[1, 2]",
    "broken JSON": '{"code": "x = 1"',
    "a closing tag alone": "x = 1\n</code>",
}


@pytest.mark.parametrize("reply", PROSE.values(), ids=PROSE)
def test_prose_is_fed_back_and_never_a_program(reply: str) -> None:
    assert parse(reply) == NoProgram(NO_PROGRAM)


def test_the_reason_tells_the_model_what_to_write() -> None:
    assert parse(NO_PROGRAM) == Program("final_answer(result)", parse(NO_PROGRAM).thought)  # type: ignore[union-attr]


@given(st.text(alphabet=st.characters(), max_size=300))  # lone surrogates and NULs too
@example("\ud800<code>\udfff\x00</code>")
@example("```\x00")
@example('{"code": "\\ud800"}')
def test_any_text_is_read(reply: str) -> None:
    assert isinstance(parse(reply), Program | Final | NoProgram)


PIECES = ["<code>", "</code>", "```", "```python", "~~~", "\n", "\r\n", " ", "x = 1", "'", '"""', "# ", "(", "...", "`", "{", "Done",
          "<end_code>", "\x00", "\ud800", "é", '{"code": "', '"}', "if x:", "    "]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_any_order_of_marks_is_read(reply: str) -> None:
    assert isinstance(parse(reply), Program | Final | NoProgram)


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


@given(
    programs,
    st.sampled_from(
        [
            "<code>\n{}\n</code>",
            "A thought.\n<code>\n{}\n</code>",
            "<code>\r\n{}\r\n</code>\nObservation:",
        ]
    ),
)
@example("s = '''</code>\n<code>\n```'''", "<code>\n{}\n</code>")
@example("s = '''a\n    \nb'''", "<code>\n{}\n</code>")
def test_a_program_between_tags_comes_back_whatever_its_strings_hold(text: str, form: str) -> None:
    found = parse(form.replace("{}", text))
    assert isinstance(found, Program)
    assert found.text == text


@given(
    programs,
    st.sampled_from(["```python\n{}\n```", "A thought.\n```\n{}\n```\nDone.", "~~~py\n{}\n~~~"]),
)
def test_a_program_in_a_fence_comes_back_whatever_its_strings_hold(text: str, form: str) -> None:
    assume("<code>" not in text)  # a tag is the stronger mark
    found = parse(form.replace("{}", text))
    assert isinstance(found, Program)
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
        assert parse(whole[:end], structured=True) == NoProgram(NO_OBJECT)
    for reply in (whole + whole, whole + " and more", "Here: " + whole, f"[{whole}]"):
        assert parse(reply, structured=True) == NoProgram(NO_OBJECT)


@pytest.mark.parametrize(
    "reply",
    [
        "<code>\nx = 1\n</code>",
        "```python\nx = 1\n```",
        '{"thought": "t", "code": ""}',
        '{"thought": "t", "code": ["x = 1"]}',
        '{"thought": "t"}',
        "[]",
        "null",
        "",
    ],
)
def test_where_an_object_was_asked_for_nothing_else_is_a_program(reply: str) -> None:
    assert parse(reply, structured=True) == NoProgram(NO_OBJECT)


@pytest.mark.parametrize("form", ["{}", "\n{}\n", "```json\n{}\n```"])
def test_an_object_that_was_asked_for_is_read(form: str) -> None:
    step = {"thought": "t", "code": "```python\nx = 1\n```"}
    assert parse(form.replace("{}", json.dumps(step)), structured=True) == Program("x = 1", "t")
    assert parse(form.replace("{}", '{"final_answer": 42}'), structured=True) == Final(42)


@given(programs)
def test_a_program_in_a_structured_reply_comes_back(text: str) -> None:
    assert parse(json.dumps({"thought": "t", "code": text})) == Program(text, "t")


@given(programs, st.sampled_from(["    ", "  ", "\t"]))
def test_common_indentation_is_taken_away(text: str, margin: str) -> None:
    indented = "\n".join(margin + line if line else line for line in text.split("\n"))
    assert parse(f"- item\n{margin}<code>\n{indented}\n{margin}</code>") == Program(text, "- item")


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


@pytest.mark.parametrize(
    "name", quick(HUGE, "100,000 fences", "1 MB of open brackets", "nested JSON", "a chain of 300,000")
)
def test_a_hostile_size_costs_seconds_at_most(name: str) -> None:
    started = time.process_time()
    assert isinstance(parse(HUGE[name]), Program | NoProgram)
    assert time.process_time() - started < 20  # most take far less than one; a quadratic reading takes minutes
