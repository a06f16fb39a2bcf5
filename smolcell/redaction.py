"""Removes secrets from text before it is journalled, put in an error or a prompt, or saved with a notebook.

* Pure and total: takes and returns any string; reads only the environment.
* Linear in the length of the text. No pattern can backtrack over more than a bounded window, and no two of its
  repetitions can match the same characters.
* A secret is replaced by ``[redacted]``, so that a reader sees the omission.

Secrets are: values of environment variables with key-like names, registered values (an ``api_key=`` argument), and texts with the form
of well-known tokens. A known value is also found URL-encoded, JSON- or ``repr``-escaped, HTML-escaped, and in base64, alone or within
other text (as in ``Authorization: Basic``). Of a known value that was cut, a part of eight or more characters beside the mark of the
cut (``...``, ``…``, "characters dropped") is found.
Secrets that are split, encrypted, encoded in another way (hexadecimal, reversed) or shorter than eight characters are not found.
"""

from __future__ import annotations

import html
import json
import os
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any
from urllib.parse import quote, quote_plus

MARK = "[redacted]"
MIN_SECRET_CHARS = 8  # characters; a shorter value may be an ordinary word
MAX_WORD_CHARS = 1000  # most characters that a stream holds back
MAX_DEPTH = 200  # levels of JSON; deeper values are left out

_KEY_LIKE = re.compile(
    r"KEY|TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|(?:^|_)(?:PASS|AUTH|PAT|APIKEY)$|._PWD$", re.IGNORECASE
)

# Lower-case texts of which one must occur for a pattern to be tried (ten times faster for ordinary text), and the pattern: its group 1, or
# the whole match without a group, is hidden.
_START = r"(?<![A-Za-z0-9])"
_PATTERNS = tuple(
    (tuple(hints.split()), re.compile(pattern, re.ASCII))
    for hints, pattern in (
        # Tokens that begin with the issuer's name.
        ("hf_ api_org_", _START + r"(?:hf|api_org)_[A-Za-z0-9_-]{16,}"),
        ("gho_ ghp_ ghs_ ghu_ ghr_", _START + r"gh[opsur]_[A-Za-z0-9_]{16,}"),
        ("gsk_ e2b_ r8_ npm_ tgp_v1_ dckr_pat_", _START + r"(?:gsk|e2b|r8|npm|tgp_v1|dckr_pat)_[A-Za-z0-9_-]{16,}"),
        ("github_pat_", _START + r"github_pat_[A-Za-z0-9_]{16,}"),
        ("k_live_ k_test_", _START + r"[sr]k_(?:live|test)_[A-Za-z0-9]{10,}"),
        ("sk-", _START + r"sk-(?:ant|proj|or|svcacct|admin)-[A-Za-z0-9_-]{8,}"),
        ("sk-", _START + r"sk-(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9_-]{16,}"),  # with a digit: not "sk-learn-compatible"
        ("glpat- nvapi- pplx- xai- pypi-age", _START + r"(?:glpat-|nvapi-|pplx-|xai-|pypi-AgE)[A-Za-z0-9_-]{8,}"),
        ("ak- as-", _START + r"a[ks]-[A-Za-z0-9]{22}(?![A-Za-z0-9])"),  # Modal
        ("xox xapp-", _START + r"(?:xox[a-z]|xapp)-[A-Za-z0-9-]{10,}"),
        ("akia asia agpa aroa", _START + r"(?:AKIA|ASIA|AGPA|AROA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
        ("aiza", _START + r"AIza[A-Za-z0-9_-]{30,}"),
        ("ya29.", _START + r"ya29\.[A-Za-z0-9_-]{16,}"),
        # JSON Web Tokens: two or three base64 parts, the first of which begins an object.
        ("eyj", r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*)?"),
        ("private", r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----([A-Za-z0-9+/=\s\\]{8,})"),
        # HTTP. "Bearer" is also an ordinary word: the next word must have a digit, or be longer than "authentication".
        (
            "bearer",
            r"(?i:\bbearer)[ \t]{1,4}"
            r"((?=[A-Za-z._~+/=-]{0,40}[0-9])[A-Za-z0-9._~+/=-]{8,}|[A-Za-z0-9._~+/=-]{16,})",
        ),
        (
            "authorization",
            r"(?i:\bauthorization[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?(?:basic|bearer|token))"
            r"[ \t]{1,4}([A-Za-z0-9._~+/=-]{4,})",
        ),
        ("api-key", r"(?i:\bx-api-key[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?)([A-Za-z0-9._~+/=-]{8,})"),
        ("://", r"://[^\s/:@?#\"'<>]{0,100}:([^\s/@\"'<>]{1,200})@"),
        ("://", r"://([^\s/:@?#\"'<>]{20,200})@"),
        (
            "=",
            r"[?&;](?i:key|api[_-]?key|token|access_token|auth|secret|password|sig|signature|X-Amz-Signature)"
            r"=([^&\s\"'<>;]{8,})",
        ),
    )
)


# Marks of libraries and of smolcell itself for text that is left out, and what they put between the text and the mark. The last one is
# within a note in brackets.
_CUTS = ("...", "…", r"\u2026", " characters dropped: ")
_BEFORE_CUT, _AFTER_CUT = " \n\t\r[(", " \n\t\r])"
_ELLIPSIS = "…"

_ANY_HINT = re.compile("|".join(re.escape(hint) for hints, _ in _PATTERNS for hint in hints))


class _Known:
    """The known values in every form that is searched.

    Attributes:
        forms: the forms.
        joined: the forms between null characters.
        letters: all their sequences of three characters: most texts beside a cut end with another one.
    """

    def __init__(self, forms: Iterable[str]) -> None:
        self.forms = tuple(sorted(forms))
        self.joined = "\0".join(["", *self.forms, ""])

    @cached_property
    def letters(self) -> frozenset[str]:
        return frozenset(form[at : at + 3] for form in self.forms for at in range(len(form) - 2))

    @cached_property
    def longest(self) -> int:
        return max(map(len, self.forms), default=0)

    @cached_property
    def reversed(self) -> _Known:
        return _Known(form[::-1] for form in self.forms)

    def part_before(self, text: str, stop: int, after: int) -> list[tuple[int, int]]:
        """Return the span of the part that ends at a mark; [] if there is none.

        Args:
            text: the text.
            stop: where the mark begins.
            after: where the text after an earlier mark begins, -1 if there is none: between two marks, any part is found.
        """
        while stop >= MIN_SECRET_CHARS:
            if text[stop - 3 : stop] in self.letters:
                size = self._held(text, after, stop) or self._begun(text[max(0, stop - self.longest) : stop])
                if size:
                    return [(stop - size, stop)]
            if text[stop - 1] not in _BEFORE_CUT:
                break
            stop -= 1
        return []

    def part_after(self, text: str, start: int) -> list[tuple[int, int]]:
        """Return the span of the part that follows a mark, which ends at ``start``; [] if there is none."""
        while start <= len(text) - MIN_SECRET_CHARS:
            found = text[start : start + 3] in self.letters
            if found and (size := self.reversed._begun(text[start : start + self.longest][::-1])):
                return [(start, start + size)]
            if text[start] not in _AFTER_CUT:
                break
            start += 1
        return []

    def _held(self, text: str, after: int, stop: int) -> int:
        """Return the length of the text between two marks if it is part of a form and has eight or more characters; else 0."""
        while 0 <= after <= stop - MIN_SECRET_CHARS:
            if stop - after <= self.longest and text[after:stop] in self.joined:
                return stop - after
            if text[after] not in _AFTER_CUT:
                break
            after += 1
        return 0

    def _begun(self, text: str) -> int:
        """Return how many characters at the end of a text begin a form; 0 if they are fewer than eight."""
        found = 0
        at = self.joined.find(text[-MIN_SECRET_CHARS:]) if len(text) >= MIN_SECRET_CHARS else -1
        while at >= 0:
            end = at + MIN_SECRET_CHARS
            size = end - self.joined.rfind("\0", 0, at) - 1
            if size > found and text.endswith(self.joined[end - size : end]):
                found = size
            at = self.joined.find(text[-MIN_SECRET_CHARS:], at + 1)
        return found

    def unfinished(self, text: str) -> int:
        """Return where a form begins that the end of the text cuts; the text's length if there is none."""
        first = len(text)
        for form in self.forms:
            head = form[:MIN_SECRET_CHARS]
            at = text.find(head, max(0, len(text) - len(form)))
            while at >= 0 and not form.startswith(text[at:]):
                at = text.find(head, at + 1)
            if at < 0:
                sizes = range(min(len(text), MIN_SECRET_CHARS - 1), 0, -1)
                at = len(text) - next((size for size in sizes if text.endswith(head[:size])), 0)
            first = min(first, at)
        return first


class Redactor:
    """Hides secrets in text.

    Args:
        environ: variables in which keys are looked up at every call, so that later ones are known, too; by default the process's.
        secrets: further secret values of any form.
    """

    def __init__(self, environ: Mapping[str, str] | None = None, secrets: Iterable[str] = ()) -> None:
        self._environ: Mapping[str, str] = os.environ if environ is None else environ
        self._registered: frozenset[str] = frozenset()
        self._cache: tuple[frozenset[str], _Known] = (frozenset(), _Known(()))
        for secret in secrets:
            self.register(secret)

    def __repr__(self) -> str:
        return f"<Redactor of {len(self._registered)} registered values>"

    def register(self, secret: str | None) -> None:
        """Hide this value from now on. None, and values of fewer than eight characters, are ignored."""
        if secret and _long_enough(secret):
            self._registered |= {secret}

    def redact(self, text: str) -> str:
        """Return the text with every known secret replaced by ``[redacted]``; the same object if there is none."""
        return text if len(text) < MIN_SECRET_CHARS else _hide(text, self._known())

    def find(self, text: str) -> list[tuple[int, int]]:
        """Return start and end of each secret in the text, in order; they may overlap."""
        return [] if len(text) < MIN_SECRET_CHARS else sorted(_spans(text, self._known()))

    def redact_json(self, value: Any) -> Any:
        """Return a copy of a JSON value with its strings, including keys, redacted."""
        return _walk(value, MAX_DEPTH, self._known())  # the environment is read once, not for every string

    def unfinished(self, text: str) -> int:
        """Return where a known value begins that the end of the text cuts; the text's length if there is none."""
        return self._known().unfinished(text)

    def _known(self) -> _Known:
        """Return every known value in every form that is searched; cached until the values change."""
        secrets = self._registered | set(_environment_secrets(self._environ))
        values, known = self._cache
        if secrets != values:
            known = _Known({form for secret in secrets for form in encodings(secret)})
            self._cache = (secrets, known)
        return known


def _hide(text: str, known: _Known) -> str:
    if len(text) < MIN_SECRET_CHARS:  # true for most names and words of an event
        return text
    return mask(text, sorted(_spans(text, known)))


def mask(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return the text with these spans replaced by ``[redacted]``. They are in order and may overlap."""
    if not spans:
        return text
    pieces: list[str] = []
    end = 0  # end of the hidden part so far
    for start, stop in spans:
        if start > end or not pieces:
            pieces += [text[end:start], MARK]
        end = max(end, stop)
    return "".join([*pieces, text[end:]])


# A conversation is redacted at each step, and only its end is new.
_kept = lru_cache(maxsize=512)(_hide)


def _walk(value: Any, depth: int, known: _Known) -> Any:
    if isinstance(value, str):
        return _kept(value, known) if 200 <= len(value) <= 50_000 else _hide(value, known)
    if isinstance(value, Mapping | list | tuple) and depth == 0:
        return MARK
    if isinstance(value, Mapping):
        return {_hide(str(key), known): _walk(item, depth - 1, known) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_walk(item, depth - 1, known) for item in value]
    return value


def _spans(text: str, known: _Known) -> Iterator[tuple[int, int]]:
    for form in known.forms:
        start = text.find(form)
        while start >= 0:
            yield start, start + len(form)
            start = text.find(form, start + len(form))
    yield from _parts(text, known)
    lower = text.lower()
    if len(text) < 200 and not _ANY_HINT.search(lower):
        return
    absent = [
        sign for sign in "_-:=" if sign not in lower
    ]  # most hints have one of these signs, which are faster to find
    for hints, pattern in _PATTERNS:
        if any(hint in lower for hint in hints if not any(sign in hint for sign in absent)):
            for match in pattern.finditer(text):
                yield match.span(pattern.groups)  # group 1 if there is one, else the whole match


def _parts(text: str, known: _Known) -> Iterator[tuple[int, int]]:
    """Yield the parts of known values beside the marks of a cut."""
    after = -1  # where the text after the mark before begins
    for first, last in _cuts(text):
        yield from known.part_before(text, first, after)
        yield from known.part_after(text, last)
        after = last


def _cuts(text: str) -> list[tuple[int, int]]:
    """Return start and end of the marks, in order; of more than three dots, any three, since others may belong to the text."""
    found: list[tuple[int, int]] = []
    for sign in _CUTS:
        at = text.find(sign)
        while at >= 0:
            first, last = at, at + len(sign)
            if sign.startswith(" "):
                first, last = text.rfind("[", max(0, at - 20), at), text.find("]", at) + 1
            if 0 <= first < last:
                found.append((first, last))
            at = text.find(sign, at + 1)
    return sorted(found) if len(found) > 1 else found


@lru_cache(maxsize=4096)
def _is_key_like(name: str) -> bool:
    return _KEY_LIKE.search(name) is not None


def _environment_secrets(environ: Mapping[str, str]) -> Iterator[str]:
    for name in list(environ):
        if _is_key_like(name) and _long_enough(value := environ.get(name, "")):  # another thread may have removed it
            yield value
            if value != value.strip() and _long_enough(value.strip()):
                yield value.strip()


def _long_enough(value: str) -> bool:
    return len(value) >= MIN_SECRET_CHARS and not value.isspace() and value not in MARK


def encodings(secret: str) -> set[str]:
    """Return the forms of a value in URLs, JSON, Python literals, HTML and base64."""
    raw = secret.encode("utf-8", "surrogatepass")
    quoted = {quote(raw), quote(raw, safe=""), quote_plus(raw)}
    lower = {re.sub("%[0-9A-F]{2}", lambda match: match[0].lower(), form) for form in quoted}
    escaped = {json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1], repr(secret)[1:-1]}
    return (
        {secret, html.escape(secret), html.escape(secret, quote=False)} | quoted | lower | escaped | set(_base64(raw))
    )


def _base64(raw: bytes) -> Iterator[str]:
    """Yield the base64 letters of these bytes at each offset, without letters that depend on adjacent bytes."""
    for before in range(3):
        letters = b64encode(bytes(before) + raw).decode()
        start, end = -(-8 * before // 6), 8 * (before + len(raw)) // 6
        yield letters[start:end]
        yield letters[start:end].replace("+", "-").replace("/", "_")


class Stream:
    """Redacts text that comes in pieces. Holds back the last word, and what may begin a known value: a secret in two pieces is found.

    A word of more than ``MAX_WORD_CHARS`` characters is passed on in parts, redacted.
    """

    def __init__(self) -> None:
        self._held = ""
        self._cut = ""  # a mark, if the text so far ends with one

    def feed(self, text: str) -> str:
        """Return the part of the text that can be shown by now."""
        self._held += text
        end = max((self._held.rfind(space) for space in " \n\t\r"), default=-1) + 1
        if len(self._held) - end > MAX_WORD_CHARS:
            end = len(self._held)
        bare = self._held.rstrip(f"{_BEFORE_CUT}.…")  # a mark may follow, or begin here
        if (begun := _default.unfinished(bare)) < len(bare):
            end = min(end, begun)
        shown, self._held = self._held[:end], self._held[end:]
        return self._redact(shown)

    def end(self) -> str:
        """Return the rest of the text, which was held back, without a part of a known value at its end."""
        held, self._held = self._held, ""
        return self._redact(f"{held}{_ELLIPSIS}").removesuffix(_ELLIPSIS)

    def _redact(self, text: str) -> str:
        before, text = self._cut, self._cut + text
        marks = _cuts(text)
        self._cut = _ELLIPSIS if marks and not text[marks[-1][1] :].strip(_AFTER_CUT) else ""
        return redact(text).removeprefix(before)


_default = Redactor()


def redact(text: str) -> str:
    """Return the text with the process's known secrets redacted. See ``Redactor``."""
    return _default.redact(text)


def redact_part(text: str) -> str:
    """Return a part of a longer text redacted: it may begin and end within a secret."""
    return redact(f"{_ELLIPSIS}{text}{_ELLIPSIS}").removeprefix(_ELLIPSIS).removesuffix(_ELLIPSIS)


def redact_json(value: Any) -> Any:
    """Return a copy of a JSON value with the process's known secrets redacted."""
    return _default.redact_json(value)


def register(secret: str | None) -> None:
    """Redact this value from now on, in the whole process. Models register their keys."""
    _default.register(secret)


def find(text: str) -> list[tuple[int, int]]:
    """Return start and end of each known secret in the text."""
    return _default.find(text)


# --- The redaction of saved runs: secrets, and findings of the agent's output checks.


_of_runs: dict[str, Callable[[str], str]] = {}  # by run, kept as long as its events may be saved
_NOT_TEXT = frozenset(
    "event run step call kind fingerprint sha256 state by scope then parent resumes session model sandbox approve nonce cut risk "
    "boundary usage type mime at check action".split()
)
"""Fields of events without free text: ids, and words of a fixed set."""
_PICTURES = re.compile(r"(?:image|video)/(?!svg)")  # MIME types of base64 data, in which a match is a coincidence
_IMAGE = re.compile(r"data:image/(?!svg)[a-z.+-]+;base64,[A-Za-z0-9+/=\s]*")


def hide_in_run(run: str, hide: Callable[[str], str]) -> None:
    """Apply ``hide`` to all texts of this run that are saved: in journal, notebook, terminal and exports."""
    _of_runs[run] = hide


def redact_of_run(run: str, value: Any) -> Any:
    """Return a copy of a run's JSON value, redacted for that run."""
    hide = _of_runs.get(run)
    clean = redact_json(value)
    return clean if hide is None else _each_text(clean, hide)


def redact_event(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of an event's JSON, redacted for its run. Ids and numbers are unchanged."""
    hide = _of_runs.get(str(event.get("run")))
    clean: dict[str, Any] = redact_json(event)
    return clean if hide is None else _each_text(clean, hide)


def _each_text(value: Any, hide: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return value if _IMAGE.fullmatch(value) else hide(value)
    if isinstance(value, dict):
        plain = {name for name in value if name in _NOT_TEXT or _PICTURES.match(name)}
        return {name: item if name in plain else _each_text(item, hide) for name, item in value.items()}
    if isinstance(value, list):
        return [_each_text(item, hide) for item in value]
    return value
