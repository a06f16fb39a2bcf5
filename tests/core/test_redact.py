"""Secrets are taken out of text, ordinary text is left alone, and neither takes long."""

import html
import json
import time
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from itertools import pairwise
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolcell import redaction as module
from smolcell.redaction import MARK, MAX_WORD_CHARS, Redactor, Stream, register

SECRET = 'pä"ss\\w/rd+1&2'
NOTHING = Redactor(environ={})


@pytest.mark.parametrize(
    "name",
    [
        "OPENAI_API_KEY",
        "HF_TOKEN",
        "MY_SECRET",
        "PGPASSWORD",
        "GOOGLE_CREDENTIALS",
        "DB_PASS",
        "GITHUB_PAT",
        "MYSQL_PWD",
    ],
)
def test_the_value_of_a_key_like_variable_is_hidden(name: str) -> None:
    assert Redactor({name: "canary-4711"}).redact("it is canary-4711.") == f"it is {MARK}."


@pytest.mark.parametrize("name", ["PWD", "HOME", "LANG", "EDITOR", "SSH_AUTH_SOCK"])
def test_an_ordinary_variable_is_not(name: str) -> None:
    assert Redactor({name: "/home/ada/work"}).redact("/home/ada/work") == "/home/ada/work"


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


@pytest.mark.parametrize(
    "form",
    [
        SECRET,
        quote(SECRET),
        quote(SECRET, safe=""),
        quote(SECRET, safe="").lower(),
        quote_plus(SECRET),
        json.dumps(SECRET),
        json.dumps(SECRET, ensure_ascii=False),
        repr(SECRET),
        html.escape(SECRET),
    ],
)
def test_a_known_value_is_found_in_the_forms_it_travels_in(form: str) -> None:
    hidden = Redactor({}, secrets=[SECRET]).redact(f"<{form}>")
    assert MARK in hidden
    assert hidden.replace(MARK, "").strip("<>'\"") == ""


@pytest.mark.parametrize(
    "token",
    [
        "hf_AbCdEfGhIjKlMnOpQrStUvWxYz123456",
        "sk-AbCdEfGhIjKlMnOp1234567890abcdef",
        "sk-ant-api03-AbCdEfGhIjKlMnOp-QrStUv_WxYz",
        "sk-proj-AbCdEfGhIjKlMnOp_QrStUv",
        "ghp_AbCdEfGhIjKlMnOpQrStUvWxYz1234567890",
        "github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz",
        "AKIAIOSFODNN7EXAMPLE",
        "xoxb-1234567890-abcdefghij",
        "AIzaSyA1234567890abcdefghijklmnopqrstuv",
        "e2b_0123456789abcdef0123456789abcdef01234567",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
        "ak-AbCdEfGhIjKlMnOpQrStUv",
        "sk_live_AbCdEfGhIjKlMnOp",
    ],
)
def test_a_known_kind_of_token_is_hidden(token: str) -> None:
    assert NOTHING.redact(f"key={token}; done") == f"key={MARK}; done"


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("Authorization: Bearer abc12345.def", f"Authorization: Bearer {MARK}"),
        ('{"Authorization": "Basic dXNlcjpwYXNz"}', f'{{"Authorization": "Basic {MARK}"}}'),
        ("x-api-key: abcdefghijk", f"x-api-key: {MARK}"),
        ("postgres://ada:lovelace@db/x", f"postgres://ada:{MARK}@db/x"),
        ("https://abcdefghijklmnopqrst@host/", f"https://{MARK}@host/"),
        ("https://h/v1?key=abcdefgh1&x=2", f"https://h/v1?key={MARK}&x=2"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIEowIB\n-----END", f"-----BEGIN RSA PRIVATE KEY-----{MARK}-----END"),
    ],
)
def test_only_the_secret_part_is_hidden(text: str, hidden: str) -> None:
    assert NOTHING.redact(text) == hidden


@pytest.mark.parametrize(
    "text",
    [
        "the Bearer authentication scheme, bearer certificates",
        "a sk-learn-compatible-estimator and a task-specific-thing",
        "http://localhost:8888/lab?token= and git@github.com:x/y.git and https://ada@host/",
        "df['key'] = tokens[0]  # password",
        "SHA-256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "eyJ is how a JSON object begins in base64",
    ],
)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert NOTHING.redact(text) is text


def test_overlapping_secrets_leave_no_rest() -> None:
    assert Redactor({}, secrets=["abcdefgh", "cdefghijkl"]).redact("xabcdefghijklx") == f"x{MARK}x"


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


@given(st.text(alphabet=st.characters(), max_size=200))
def test_any_text_is_taken(text: str) -> None:
    assert isinstance(NOTHING.redact(text), str)


@pytest.mark.parametrize(
    "piece",
    [
        *[
            "a",
            "sk-",
            "sk-a",
            "eyJ",
            "eyJa.",
            "://",
            "://a:",
            "://a:b",
            "bearer \t",
            "Bearer:x",
            "?key=",
            "hf_",
            "aaaaaaaa%",
        ],
        *["-----BEGIN PRIVATE KEY-----", "-----BEGIN ", "Authorization: basic ", "x-api-key:", "xoxb-", "AKIA", "\\"],
    ],
)
def test_time_grows_with_the_length_only(piece: str) -> None:
    """A pattern that backtracks over the whole text would need hours for a megabyte, not seconds."""
    redactor = Redactor({"KEY": "aaaaaaaaaaaaaaab"})
    started = time.perf_counter()
    redactor.redact(piece * (1_000_000 // len(piece)))
    assert time.perf_counter() - started < 10


def test_a_variable_that_goes_while_the_environment_is_read_is_no_secret() -> None:
    class Shrinking(dict[str, str]):
        def __iter__(self) -> Iterator[str]:
            return iter(["A_TOKEN", "GONE_TOKEN"])

    environ = Shrinking({"A_TOKEN": "a-value-that-is-long-enough"})
    assert Redactor(environ).redact("a-value-that-is-long-enough") == MARK
