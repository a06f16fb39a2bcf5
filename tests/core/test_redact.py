"""Secrets are taken out of text, ordinary text is left alone, and neither takes long."""

import html
import json
import reprlib
import textwrap
import time
import unittest
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from itertools import pairwise
from urllib.parse import quote, quote_plus

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from examples import cases
from hypothesis import given
from hypothesis import strategies as st

from smolcell.core import redaction as module
from smolcell.core import text as describe
from smolcell.core.redaction import MARK, MAX_WORD_CHARS, Redactor, StreamRedactor, register
from smolcell.models.errors import plain
from smolcell.worker.runner.display import grid
from smolcell.worker.supervisor.meters import Output
from smolcell.worker.wire.bounds import cut, cut_end, short_repr

SECRET = 'pä"ss\\w/rd+1&2'
NOTHING = Redactor(environ={})


@pytest.mark.parametrize(("name", "secret"), cases(__file__, "variables"))
def test_a_variable_is_secret_by_its_name(name: str, secret: bool) -> None:
    found = Redactor({name: "canary-4711"}).redact("it is canary-4711.")
    assert found == f"it is {MARK if secret else 'canary-4711'}."


def test_a_short_value_is_an_ordinary_word() -> None:
    assert Redactor({"API_KEY": "EMPTY"}, secrets=["short"]).redact("EMPTY short") == "EMPTY short"


def test_a_key_that_is_set_later_is_known_at_the_next_call() -> None:
    environ: dict[str, str] = {}
    redactor = Redactor(environ)
    assert redactor.redact("canary-4711") == "canary-4711"
    environ["API_KEY"] = "canary-4711"
    assert redactor.redact("canary-4711") == MARK
    environ.clear()
    assert redactor.redact("canary-4711") == "canary-4711"


FORMS = [
    SECRET,
    quote(SECRET),
    quote(SECRET, safe=""),
    quote(SECRET, safe="").lower(),
    quote_plus(SECRET),
    repr(SECRET),
]
FORMS += [json.dumps(SECRET), json.dumps(SECRET, ensure_ascii=False), html.escape(SECRET)]
FORMS += [
    pd.DataFrame({"k": [SECRET]}).to_json()[11:-3],
    html.escape(SECRET).replace("&quot;", "&#34;"),
]  # as markupsafe


@pytest.mark.parametrize("form", FORMS)
def test_a_known_value_is_found_in_the_forms_it_travels_in(form: str) -> None:
    hidden = Redactor({}, secrets=[SECRET]).redact(f"<{form}>")
    assert MARK in hidden
    assert hidden.replace(MARK, "").strip("<>'\"") == ""


@pytest.mark.parametrize(
    ("secret", "form"),
    [
        ("it's-a-canary-4711", repr('it\'s-a-canary-4711 and "more"')[1:-12]),
        ("it's-a-canary-4711", "it&#39;s-a-canary-4711"),
        ("canary-4711\r\nand-4712", "canary-4711\nand-4712"),
        ("canary  4711\n  and 4712 ", "canary 4711 and 4712"),
    ],
)
def test_a_known_value_is_found_with_other_quotes_and_white_space(secret: str, form: str) -> None:
    assert Redactor({}, secrets=[secret]).redact(f"<{form}>") == f"<{MARK}>"


@pytest.mark.parametrize("token", cases(__file__, "tokens"))
def test_a_known_kind_of_token_is_hidden(token: str) -> None:
    assert NOTHING.redact(f"key={token}; done") == f"key={MARK}; done"


@pytest.mark.parametrize(("text", "hidden"), cases(__file__, "parts"))
def test_only_the_secret_part_is_hidden(text: str, hidden: str) -> None:
    assert NOTHING.redact(text) == hidden


@pytest.mark.parametrize("text", cases(__file__, "ordinary"))
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert NOTHING.redact(text) is text


def test_overlapping_secrets_leave_no_rest() -> None:
    for values in (["abcdefgh", "cdefghijkl"], ["abcdefghijkl", "cdefghij"]):
        assert Redactor({}, secrets=values).redact("xabcdefghijklx") == f"x{MARK}x"


def test_the_mark_itself_is_no_secret() -> None:
    redactor = Redactor({}, secrets=["redacted", "canary-4711"])
    assert redactor.redact(redactor.redact("canary-4711")) == MARK


def test_json_is_walked_with_its_keys() -> None:
    value = {"canary-4711": ["canary-4711", 1, None, True, ("canary-4711x",)]}
    assert Redactor({"KEY": "canary-4711"}).redact_json(value) == {MARK: [MARK, 1, None, True, [f"{MARK}x"]]}


def test_json_that_is_too_deep_is_left_out() -> None:
    value: list[object] = []
    for _ in range(5000):
        value = [value]
    assert MARK in str(NOTHING.redact_json(value))


def test_a_redactor_does_not_show_what_it_hides() -> None:
    assert "canary" not in repr(Redactor({"KEY": "canary-4711"}, secrets=["canary-4712"]))


def test_the_module_knows_the_environment_and_what_was_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_default", Redactor())
    monkeypatch.setenv("SOME_API_KEY", "canary-4711")
    module.register("canary-4712")
    module.register(None)
    assert module.redact("canary-4711 canary-4712") == f"{MARK} {MARK}"
    assert module.redact_json(["canary-4712"]) == [MARK]


secrets = st.text(st.characters(exclude_characters="[]redact"), min_size=8, max_size=20).filter(
    lambda s: not s.isspace()
)


@given(st.text(), st.lists(secrets, max_size=4), st.text())
def test_no_registered_secret_is_left(before: str, values: list[str], after: str) -> None:
    redactor = Redactor({}, secrets=values)
    hidden = redactor.redact(before + "\n".join(values) + after)
    assert not [value for value in values if value in hidden]
    assert redactor.redact(hidden) == hidden


@given(st.binary(max_size=9), secrets, st.binary(max_size=9), st.booleans())
def test_a_secret_in_base64_is_found_whatever_stands_beside_it(
    before: bytes, secret: str, after: bytes, for_addresses: bool
) -> None:
    raw = before + secret.encode("utf-8", "surrogatepass") + after
    text = (urlsafe_b64encode if for_addresses else b64encode)(raw).decode()
    hidden = Redactor({}, secrets=[secret]).redact(text)
    assert MARK in hidden
    whole = 8 * len(raw) // 6 - len(hidden.replace(MARK, "").rstrip("="))
    assert whole >= 8 * (len(raw) - len(before) - len(after)) // 6 - 2


# --- secrets that were cut: at most seven characters in a row may stay.

MARKS = ["...", "…", " ... ", "'...", '"\n...', "[...]", r"\u2026", "… [1,234 more characters] …"]
MARKS += ["\n[1,234 characters dropped: output is limited to 20,000]\n"]
MARKS += [
    "[89 chars]",
    " [truncated]...",
    "'+24\n",  # Arrow cuts only the end
    '" + 25\n',
    "⋯",
    "&hellip;",
    "&#8230;",
    "&#x2026;",
    r"\xe2\x80\xa6",
]
WAYS: list[Callable[[str, int, int, str], str]] = [
    lambda text, first, last, mark: text[:first] + mark,
    lambda text, first, last, mark: mark + text[first:],
    lambda text, first, last, mark: text[:first] + mark + text[last:],
    lambda text, first, last, mark: mark + text[first:last] + mark,
    lambda text, first, last, mark: cut(text, last - first),
    lambda text, first, last, mark: cut(cut(text, last), first),
    lambda text, first, last, mark: printed(text, last - first),
    lambda text, first, last, mark: cut_end(text, last - first),
]
ENCODINGS: list[Callable[[str], str]] = [
    str,
    html.escape,
    lambda text: json.dumps(text)[1:-1],
    lambda text: repr(text)[1:-1],
    lambda text: quote(text, safe=""),
    lambda text: b64encode(text.encode()).decode()[: 8 * len(text.encode()) // 6],
]


def printed(text: str, limit: int) -> str:
    """What the supervisor keeps of a printed text."""
    output = Output(limit)
    output.feed(text.encode(), final=True)
    return output.text()


def unittest_difference(text: str) -> Exception:
    """What unittest says about two long texts."""
    with pytest.raises(AssertionError) as failed:
        unittest.TestCase().assertEqual("a" * 50 + text + "b" * 40 + "q", "a" * 50 + text + "b" * 40 + "z")
    return failed.value


def left_of(secret: str, text: str) -> list[str]:
    return [part for at in range(len(secret) - 7) if (part := secret[at : at + 8]) in text]


@given(
    st.text("abcdefghijklmnopqrstuvwxyz0123456789-_.+/=&<é'\"\\\n ", min_size=8, max_size=90).filter(
        lambda secret: (
            secret.strip() == secret and "   " not in secret and not secret.startswith("/")
        )  # a path is no secret
    ),
    st.text("ABCXYZ :,\n", max_size=30),
    st.text("ABCXYZ :,\n", max_size=30),
    st.sampled_from(WAYS),
    st.sampled_from(ENCODINGS),
    st.sampled_from(MARKS),
    st.data(),
)
def test_of_a_secret_that_was_cut_at_most_seven_characters_stay(
    secret: str,
    before: str,
    after: str,
    way: Callable[[str, int, int, str], str],
    encode: Callable[[str], str],
    mark: str,
    data: st.DataObject,
) -> None:
    form = encode(secret)
    text = before + form + after
    first = data.draw(st.integers(0, len(text)))
    last = data.draw(st.integers(first, len(text)))
    hidden = Redactor({}, secrets=[secret]).redact(way(text, first, last, mark))
    assert left_of(form, hidden.replace(mark, "|")) == []


LONG = "".join(f"{chr(97 + n % 26)}{n % 10}" for n in range(32))  # 64 characters


@pytest.mark.parametrize("before", ["", "pw=", "the key of the warehouse is "])
@pytest.mark.parametrize(
    "show",
    [
        lambda text: repr(pd.DataFrame({"key": [text, "b"], "n": [1, 2]})),
        lambda text: pd.DataFrame({"key": [text, "b"]})._repr_html_(),
        lambda text: repr(pd.Series([text, "b"])),
        lambda text: pd.DataFrame({"key": [[text] * 3, 2]}).to_string(max_colwidth=40),
        lambda text: grid(pd.DataFrame({"key": [text * 4]})),
        lambda text: repr(pl.DataFrame({"n": [1], "key": [text]})),
        lambda text: repr(pl.Series([text])),
        lambda text: repr(np.array([text] * 2000)),
        lambda text: str(pa.table({"key": [text * 3]})),
        lambda text: reprlib.repr(text),
        lambda text: reprlib.repr({"key": [text] * 9}),
        lambda text: short_repr([text] * 100, 300),
        lambda text: textwrap.shorten(text + " " + text, 70),
        lambda text: describe.text(pd.DataFrame({"key": [text]})),
        lambda text: describe.text(pl.DataFrame({"key": [text], **{f"c{n}": ["a b c d"] for n in range(9)}})),
        lambda text: describe.answer([pl.DataFrame({"key": [text], **{f"c{n}": ["a b c d"] for n in range(9)}})]),
        lambda text: str(pa.schema([("a", pa.int8())], metadata={"key": "x" * 30 + text})),
        lambda text: str(unittest_difference(text)),
        lambda text: describe.text(text * 10),
        lambda text: describe.answer({"key": [text * 99]}, 500),
        lambda text: describe.answer(pd.DataFrame({"key": [text] * 50})),
    ],
)
def test_what_a_library_shortens_leaves_no_secret(show: Callable[[str], str], before: str) -> None:
    shown = show(before + LONG)
    assert left_of(LONG, shown) == [] or MARK in Redactor({}, secrets=[LONG]).redact(shown)
    assert left_of(LONG, Redactor({}, secrets=[LONG]).redact(shown)) == []


@pytest.mark.parametrize("text", cases(__file__, "uncut"))
def test_a_part_of_a_secret_is_an_ordinary_word_unless_it_was_cut(text: str) -> None:
    values = ["postgresql-password-17", "/home/ada/.ssh/id_ed25519", "correct horse battery staple"]
    assert Redactor({}, secrets=values).redact(text) is text


KEYS = {
    "AZURE_KEY_VAULT_URL": "https://kv-sales.vault.azure.net/",
    "GOOGLE_APPLICATION_CREDENTIALS": "/home/ada/.config/gcloud/application_default_credentials.json",
    "KEY_FILE": r"C:\keys\a.pem",
    "PGPASSWORD": "postgres2024!",
    "SECRET_NAME": "customer-segmentation-prod",
    "GCP_CREDENTIALS": json.dumps(
        {"type": "service_account", "project_id": "sales-prod", "token_uri": "https://oauth2.googleapis.com/"}, indent=2
    ),
}


@pytest.mark.parametrize("text", cases(__file__, "besides"))
def test_paths_addresses_words_and_names_beside_a_mark_are_ordinary_text(text: str) -> None:
    assert Redactor(KEYS).redact(text) is text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://ada:canary-4711@example.org/"[:20] + "...", f"https://{MARK}..."),
        ("https://example.org/hooks/canary-4711"[:30] + "...", f"https://example.org{MARK}..."),
        ("a {" + '"id": "canary-4711", "url": "https:'[:18] + "…", f"a {MARK}…"),
        ("...91/canary-4711/a", f"...{MARK}"),
        ("canary-word ...", f"{MARK} ..."),
        ("canarywords...", f"{MARK}..."),
        ("canaryword ...", f"{MARK} ..."),
    ],
)
def test_the_secret_part_of_an_address_json_or_a_value_that_begins_like_a_path_is_found(text: str, shown: str) -> None:
    values = ["https://ada:canary-4711@example.org/", "https://example.org/hooks/canary-4711", "canary-word-4711"]
    values += ['{"id": "canary-4711", "url": "https://example.org"}', "/key/91/canary-4711/a", "canarywords-4711"]
    assert Redactor({}, secrets=values).redact(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        lambda size: "..." + "\n  " * size + "...",
        lambda size: "..." + " " * size + '"type"' + " " * size + "...",
        lambda size: "[1 characters dropped: " * size + "]" + " " * size,
        lambda size: " characters dropped: " * size,
        lambda size: '{\n  "type": ...' * size,
        lambda size: ".…" * size,
    ],
)
def test_time_beside_marks_grows_with_the_length_only(text: Callable[[int], str]) -> None:
    """Of a text 32 times as long, the quadratic part would take 1,024 times as long."""
    redactor = Redactor(KEYS)

    def seconds(size: int) -> float:
        long, best = text(size), 1e9
        for _ in range(5):
            started = time.process_time()
            redactor.redact(long)
            best = min(best, time.process_time() - started)
        return best

    seconds(10)  # finds the known values
    assert seconds(3_200) < 180 * max(seconds(100), 20e-6)


@pytest.mark.parametrize("shorten", [lambda text: describe.clip(text, 60), lambda text: describe.one_line(text, 40)])
@pytest.mark.parametrize("token", [*cases(__file__, "tokens"), LONG])
def test_a_text_is_redacted_before_it_is_shortened(
    token: str, shorten: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WAREHOUSE_API_KEY", LONG)
    for place in range(60):
        assert left_of(token, shorten("-" * place + " " + token + " " + "-" * 99)) == []


@given(st.lists(st.integers(0, 60), max_size=8), st.sampled_from(["", " ", "\n", "a b"]))
def test_a_secret_in_pieces_is_found(cuts: list[int], between: str) -> None:
    secret = "stream-canary-4711"
    register(secret)
    text = f"key:{between} {secret}{between} and {secret},{between}\n{secret}"
    places = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    stream = StreamRedactor()
    shown = "".join(stream.feed(text[start:end]) for start, end in pairwise(places)) + stream.end()
    assert shown == text.replace(secret, MARK)


@given(
    st.lists(st.integers(0, 1300), max_size=8),
    st.integers(0, 70),
    st.sampled_from(["", "...", "x" * 1200]),
    st.sampled_from(["", "...", "…"]),
)
def test_a_secret_in_pieces_that_is_cut_or_holds_spaces_is_found(
    cuts: list[int], length: int, before: str, mark: str
) -> None:
    secret = "correct horse battery staple, stream-canary-4712 and more"
    register(secret)
    text = f"{before}{secret[:length]}{mark}"
    places = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    stream = StreamRedactor()
    shown = "".join(stream.feed(text[start:end]) for start, end in pairwise(places)) + stream.end()
    assert left_of(secret, shown) == []
    assert MARK in shown or length < 8 or shown == text


def test_a_text_that_may_begin_and_end_within_a_secret_is_redacted_where_it_was_cut() -> None:
    register(LONG)
    assert module.redact_part(f"{LONG[40:]} and {LONG[:40]}") == f"{MARK} and {MARK}"
    assert module.redact_part(f"{LONG[40:]} and {LONG[:40]}", cut_start=False) == f"{LONG[40:]} and {MARK}"
    assert module.redact_part(f"{LONG[40:]} and {LONG[:40]}\n") == f"{MARK} and {LONG[:40]}\n"
    assert module.redact_part(LONG[10:30]) == MARK
    assert module.redact_part("ordinary") == "ordinary"


@pytest.mark.parametrize("line", ["/home/ada/work\n", "postgres\n", "accuracy 0.93\n", "epoch 1 done\n", "customer \n"])
def test_a_line_is_shown_at_once_and_as_it_is(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_default", Redactor({**KEYS, "A_KEY": "e-canary-4711", "B_KEY": "done-canary"}))
    stream = StreamRedactor()
    assert (stream.feed(line), stream.end()) == (line, "")


def test_what_may_begin_a_known_value_of_several_words_waits_for_the_next_piece(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_default", Redactor({"A_KEY": "one two canary-4711", "B_KEY": "abcdefgh-4712"}))
    stream = StreamRedactor()
    assert [stream.feed(piece) for piece in ("is one ", "two ", "three ")] == ["is ", "", "one two three "]
    assert [stream.feed(piece) for piece in ("abcdefgh- ", "... ", "a ")] == ["", "", f"{MARK} ... a "]
    assert [stream.feed(piece) for piece in ("abcdefgh- ", "\n" * 300, "one")] == ["", f"abcdefgh- {chr(10) * 300}", ""]
    assert [stream.end(), stream.feed("h-4712 "), stream.end()] == ["one", "h-4712 ", ""]


def test_a_word_that_never_ends_is_shown() -> None:
    stream = StreamRedactor()
    assert stream.feed("a" * MAX_WORD_CHARS) == ""
    assert stream.feed("b") == "a" * MAX_WORD_CHARS + "b"
    assert (stream.feed("c d"), stream.end(), stream.end()) == ("c ", "d", "")


@pytest.mark.parametrize("piece", cases(__file__, "repeated"))
def test_time_grows_with_the_length_only(piece: str) -> None:
    """A pattern that backtracks over the whole text would need hours for a megabyte, not seconds."""
    redactor = Redactor({"KEY": "aaaaaaaaaaaaaaab"})
    started = time.process_time()
    redactor.redact(piece * (1_000_000 // len(piece)))
    assert time.process_time() - started < 60


@pytest.mark.parametrize("secret", ["two  spaces  canary-4711", "line-one-4711\r\nline-two-4712", LONG])
def test_a_secret_is_found_before_white_space_and_line_ends_change(
    secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_default", Redactor({"A_KEY": secret}))
    text = f" a\n{secret}\r\n"
    assert describe.one_line(text) == plain(text) == f"a {MARK}"
    assert describe.one_line("x " * 990 + secret, 3000) == "x " * 990 + (MARK if len(secret) < 21 else f"{MARK}…")
    assert describe.tail(text, 30) == f"a\n{MARK}"
    assert describe.tail(secret[-12:] + " \x07\n", 30) == f"{MARK} \\u{{7}}"


def test_a_variable_that_goes_while_the_environment_is_read_is_no_secret() -> None:
    class Shrinking(dict[str, str]):
        def __iter__(self) -> Iterator[str]:
            return iter(["A_TOKEN", "GONE_TOKEN"])

    environ = Shrinking({"A_TOKEN": "a-value-that-is-long-enough"})
    assert Redactor(environ).redact("a-value-that-is-long-enough") == MARK
