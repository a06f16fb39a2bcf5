"""Secrets are taken out of text, ordinary text is left alone, and neither takes long."""

import html
import json
import time
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from itertools import pairwise
from urllib.parse import quote, quote_plus

import pytest
from examples import cases
from hypothesis import given
from hypothesis import strategies as st

from smolcell import redaction as module
from smolcell.redaction import MARK, MAX_WORD_CHARS, Redactor, Stream, register

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


@pytest.mark.parametrize("form", FORMS)
def test_a_known_value_is_found_in_the_forms_it_travels_in(form: str) -> None:
    hidden = Redactor({}, secrets=[SECRET]).redact(f"<{form}>")
    assert MARK in hidden
    assert hidden.replace(MARK, "").strip("<>'\"") == ""


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


@given(st.lists(st.integers(0, 60), max_size=8), st.sampled_from(["", " ", "\n", "a b"]))
def test_a_secret_in_pieces_is_found(cuts: list[int], between: str) -> None:
    secret = "stream-canary-4711"
    register(secret)
    text = f"key:{between} {secret}{between} and {secret},{between}\n{secret}"
    places = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    stream = Stream()
    shown = "".join(stream.feed(text[start:end]) for start, end in pairwise(places)) + stream.end()
    assert shown == text.replace(secret, MARK)


def test_a_word_that_never_ends_is_shown() -> None:
    stream = Stream()
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


def test_a_variable_that_goes_while_the_environment_is_read_is_no_secret() -> None:
    class Shrinking(dict[str, str]):
        def __iter__(self) -> Iterator[str]:
            return iter(["A_TOKEN", "GONE_TOKEN"])

    environ = Shrinking({"A_TOKEN": "a-value-that-is-long-enough"})
    assert Redactor(environ).redact("a-value-that-is-long-enough") == MARK
