"""Removes secrets from text before it is journalled, put in an error or a prompt, or saved with a notebook.

* Pure and total: takes and returns any string; reads only the environment.
* Linear in the length of the text: no pattern can backtrack over more than a bounded window, and no two of its repetitions
  can match the same characters; beside a mark, at most the known values are searched.
* A secret is replaced by ``[redacted]``, so that a reader sees the omission.

Secrets are: values of environment variables with key-like names, registered values (an ``api_key=`` argument), and texts with the form
of well-known tokens. A known value is also found URL-encoded, JSON- or ``repr``-escaped, HTML-escaped, with other white space, and in
base64, alone or within other text (as in ``Authorization: Basic``). Of a known value that was cut, a part of eight or more characters
beside the mark of the cut (``...``, ``…``, ``[9 chars]``, ``'abc' + 9``, "characters dropped") is found, unless it is ordinary text:
a path, the scheme and host of an address, a word or JSON key before white space.
Secrets that are split, encrypted, encoded in another way (hexadecimal, reversed) or shorter than eight characters are not found.
"""

from __future__ import annotations

import html
import json
import os
import re
from base64 import b64encode
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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

# Lower-case hints of which one must occur for a pattern to be tried (ten times faster for ordinary text), and the pattern: its group 1,
# or the whole match without a group, is hidden.
_START = r"(?<![A-Za-z0-9])"
_PATTERNS = tuple(
    (frozenset(hints.split()), re.compile(pattern, re.ASCII))
    for hints, pattern in (
        # Tokens that begin with the issuer's name.
        ("hf_ api_org_", _START + r"(?:hf|api_org)_[A-Za-z0-9_-]{16,}"),
        ("gho_ ghp_ ghs_ ghu_ ghr_", _START + r"gh[opsur]_[A-Za-z0-9_]{16,}"),
        (
            "gsk_ e2b_ r8_ npm_ tgp_v1_ dckr_pat_",
            _START + r"(?:e2b_[0-9a-f]{16,}|(?:gsk|r8|npm|tgp_v1|dckr_pat)_[A-Za-z0-9_-]{16,})",
        ),
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


# A mark of a library or of smolcell itself for text that is left out, and what may stand beside it.
_BESIDE = " \n\t\r[]()'\"`.…"
_MAX_BESIDE = 200  # characters, as in a wide table
_FIXED = ("...", "…", "⋯", r"\u2026", r"\xe2\x80\xa6", "&hellip;", "&#8230;", "&#x2026;", "[truncated]")
_MARKS = (
    "|".join(map(re.escape, _FIXED))
    + r"|\[[\d,]{1,15} characters dropped: [^\[\]]{0,99}\]|\[\d{1,15} chars\]"
    + r"""|' ?\+ ?\d{1,15}|" ?\+ ?\d{1,15}"""  # 'abc'+25, as Arrow and rich write
)
_CUT = re.compile(rf"(?:{_MARKS})(?:{_MARKS}|[{re.escape(_BESIDE)}]){{0,{_MAX_BESIDE}}}")
_CUT_SIGNS = (*_FIXED, " characters dropped: ", " chars]", "'+", "' +", '"+', '" +')  # one is in every mark
_ELLIPSIS = "…"

# Ordinary text in known values: of an address the scheme and, without a user's name, the host.
_ADDRESS = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]{0,19}://(?:[^\s/?#@]*(?=[/?#]|$))?")
_FOLDERS = "app|data|etc|home|media|mnt|opt|private|root|run|srv|tmp|usr|Users|var|workspaces?"
_PATH = re.compile(rf"(?:~|/(?:{_FOLDERS}))/.*|[A-Za-z]:[\\/].*")
_WORD = re.compile(r'[a-z]+|[\s{,]*"\w+":')

# Most hints have one of these signs, which are faster to find.
_EVERY_HINT = sorted(frozenset[str]().union(*(hints for hints, _ in _PATTERNS)))
_HINTS = {sign: [hint for hint in _EVERY_HINT if sign in hint] for sign in "_-:="}
_HINTS[""] = [hint for hint in _EVERY_HINT if not any(hint in hints for hints in _HINTS.values())]


class _Forms:
    """Forms of known values. ``joined`` are all, each between null characters."""

    def __init__(self, forms: Iterable[str]) -> None:
        self.all = tuple(sorted(forms))
        self.joined = "\0".join(["", *self.all, ""])
        self._longest = max(map(len, self.all), default=0)

    @cached_property
    def _reversed(self) -> _Forms:
        return _Forms(form[::-1] for form in self.all)

    @cached_property
    def _triples(self) -> frozenset[str]:
        return frozenset(form[at : at + 3] for form in self.all for at in range(len(form) - 2))

    @cached_property
    def _beginnings(self) -> frozenset[str]:
        return frozenset(form[:size] for form in self.all for size in range(1, MIN_SECRET_CHARS + 1))

    def _may_hold(self, text: str) -> bool:
        """Return whether a form may hold a text: false for most, and faster than a search."""
        places = range(0, len(text) - 2, 3)
        return text[-3:] in self._triples and all(text[at : at + 3] in self._triples for at in places)

    def begun(self, text: str, stop: int) -> int:
        """Return how many characters of a text before ``stop`` begin a form; 0 if they are fewer than eight, or ordinary text."""
        found, last = 0, text[max(0, stop - MIN_SECRET_CHARS) : stop]
        at = self.joined.find(last) if len(last) == MIN_SECRET_CHARS and self._may_hold(last) else -1
        while at >= 0:
            end = at + MIN_SECRET_CHARS
            part = self.joined[self.joined.rfind("\0", 0, end) + 1 : end]
            is_word = not self.joined[end].isalpha() and _is_word(part, text, stop)
            if found < len(part) <= stop and not is_word and text.startswith(part, stop - len(part)):
                found = len(part)
            at = self.joined.find(last, at + 1)
        return found

    def unfinished(self, text: str) -> int:
        """Return how many characters at the end of a text begin a form."""
        sizes = range(min(len(text), MIN_SECRET_CHARS - 1), 0, -1)
        return self.begun(text, len(text)) or next((size for size in sizes if text[-size:] in self._beginnings), 0)

    def cut(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the spans of the parts of forms beside marks: beginnings and ends, between two marks any part."""
        if not [sign for sign in _CUT_SIGNS if sign in text]:
            return
        backwards, size = text[::-1], len(text)
        after = size  # where the text after the mark before begins
        for mark in _CUT.finditer(text):
            start, last = mark.span()
            first = max(0, start - _MAX_BESIDE)
            first += len(text[first:start].rstrip(_BESIDE))
            if self._is_part(text, after, first):
                yield after, first
            elif span := self.before(text, first, last):
                yield span
            if span := self._reversed.before(backwards, size - last, size - first):
                yield size - span[1], size - span[0]
            after = last

    def _is_part(self, text: str, first: int, last: int) -> bool:
        part = text[first:last] if 3 <= last - first <= self._longest else ""
        if not self._may_hold(part) or _is_word(part, text, last):
            return False
        starts = range(
            max(0, min(first, last - MIN_SECRET_CHARS)), first + 1
        )  # of a short part with what stands beside it
        return any(text[start : max(last, start + MIN_SECRET_CHARS)] in self.joined for start in starts)

    def before(self, text: str, first: int, last: int) -> tuple[int, int] | None:
        """Return the span of the beginning of a form before a mark, which with what stands beside it is ``first`` to ``last``."""
        if found := self.begun(text, first):
            return first - found, first
        if text[max(0, first - 2) : first + 1] in self._triples:  # it may hold some of what stands there
            for stop in range(max(first + 1, MIN_SECRET_CHARS), min(first + MIN_SECRET_CHARS, last + 1)):
                if text[stop - MIN_SECRET_CHARS : stop] in self._beginnings:
                    return stop - MIN_SECRET_CHARS, stop
        return None


def _is_word(part: str, text: str, stop: int) -> bool:
    """Return whether a part that ends at ``stop`` is a word in lower case or a JSON key, before white space."""
    is_apart = text[stop : stop + 1].isspace() and text[stop + 1 : stop + 2] not in ("[", "]")  # of a note
    return is_apart and _WORD.fullmatch(part) is not None


class _Known:
    """The known values in every form that is searched: ``whole``, and ``parts`` of them beside a mark."""

    def __init__(self, secrets: Collection[str] = ()) -> None:
        self.whole = _Forms({form for secret in secrets for form in encodings(secret)})
        ends = {_ADDRESS.sub("", secret) for secret in secrets}
        forms = {form for end in ends if not _PATH.fullmatch(end) for form in encodings(end)}
        self.parts = _Forms(form for form in forms if len(form) >= MIN_SECRET_CHARS)


class Redactor:
    """Hides secrets in text.

    Args:
        environ: variables in which keys are looked up at every call, so that later ones are known, too; by default the process's.
        secrets: further secret values of any form.
    """

    def __init__(self, environ: Mapping[str, str] | None = None, secrets: Iterable[str] = ()) -> None:
        self._environ: Mapping[str, str] = os.environ if environ is None else environ
        self._registered: frozenset[str] = frozenset()
        self._cache: tuple[frozenset[str], _Known] = (frozenset(), _Known())
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
        return text if len(text) < MIN_SECRET_CHARS else _hide(text, self.known())

    def find(self, text: str) -> list[tuple[int, int]]:
        """Return start and end of each secret in the text, in order; they may overlap."""
        return [] if len(text) < MIN_SECRET_CHARS else sorted(_spans(text, self.known()))

    def redact_json(self, value: Any) -> Any:
        """Return a copy of a JSON value with its strings, including keys, redacted."""
        return _walk(value, MAX_DEPTH, self.known())  # the environment is read once, not for every string

    def known(self) -> _Known:
        """Return every known value in every form that is searched; cached until the values change."""
        secrets = self._registered | set(_environment_secrets(self._environ))
        values, known = self._cache
        if secrets != values:
            known = _Known(secrets)
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


# A conversation is redacted at each step, and only its end is new; the names in events are the same in each.
_hide_text = lru_cache(maxsize=512)(_hide)
_hide_word = lru_cache(maxsize=4096)(_hide)
_PLAIN = (int, float, bool, type(None))


def _walk(value: Any, depth: int, known: _Known) -> Any:
    if isinstance(value, str):
        hide = _hide_word if len(value) < 200 else _hide_text if len(value) <= 50_000 else _hide
        return hide(value, known)
    if isinstance(value, Mapping | list | tuple) and depth == 0:
        return MARK
    if isinstance(value, Mapping):
        items = {key: item if type(item) in _PLAIN else _walk(item, depth - 1, known) for key, item in value.items()}
        return {(_hide_word if len(str(key)) < 200 else _hide)(str(key), known): item for key, item in items.items()}
    if isinstance(value, list | tuple):
        return [item if type(item) in _PLAIN else _walk(item, depth - 1, known) for item in value]
    return value


def _spans(text: str, known: _Known) -> Iterator[tuple[int, int]]:
    for form in known.whole.all:
        start = text.find(form)
        while start >= 0:
            yield start, start + len(form)
            start = text.find(form, start + len(form))
    yield from known.parts.cut(text)
    lower = text.lower()
    present = [hint for sign, hints in _HINTS.items() if sign in lower for hint in hints if hint in lower]
    for hints, pattern in _PATTERNS if present else ():
        if not hints.isdisjoint(present):
            for match in pattern.finditer(text):
                yield match.span(pattern.groups)  # group 1 if there is one, else the whole match


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
    """Return the forms of a value in URLs, JSON, Python literals, HTML and base64, and with other line ends or white space."""
    raw = secret.encode("utf-8", "surrogatepass")
    quoted = {quote(raw), quote(raw, safe=""), quote_plus(raw)}
    lower = {re.sub("%[0-9A-F]{2}", lambda match: match[0].lower(), form) for form in quoted}
    texts = {secret, secret.replace("\r\n", "\n"), " ".join(secret.split())}
    escaped = {form for text in texts if len(text) >= MIN_SECRET_CHARS for form in _escaped(text)}
    return escaped | quoted | lower | set(_base64(raw))


def _escaped(text: str) -> Iterator[str]:
    yield from (text, repr(text)[1:-1], repr(f"{text}'\"")[1:-4])  # a literal of a longer text may have both quotes
    for literal in (json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]):
        yield from (literal, literal.replace("/", r"\/"))
    marked = html.escape(text)
    yield from (marked, html.escape(text, quote=False), marked.replace("&#x27;", "&#39;"))
    yield marked.replace("&#x27;", "&#39;").replace("&quot;", "&#34;")


def _base64(raw: bytes) -> Iterator[str]:
    """Yield the base64 letters of these bytes at each offset, without letters that depend on adjacent bytes."""
    for before in range(3):
        letters = b64encode(bytes(before) + raw).decode()
        start, end = -(-8 * before // 6), 8 * (before + len(raw)) // 6
        yield letters[start:end]
        yield letters[start:end].replace("+", "-").replace("/", "_")


class StreamRedactor:
    """Redacts text that comes in pieces. Holds back the last word, and what may begin a known value: a secret in two pieces is found.

    A word of more than ``MAX_WORD_CHARS`` characters is passed on in parts, redacted.
    """

    def __init__(self) -> None:
        self._held = ""
        self._cut = ""  # a mark, if the text so far ends with one

    def feed(self, text: str) -> str:
        """Return the part of the text that can be shown by now."""
        held, known = self._held + text, _default.known()
        end = max(held.rfind(space) for space in " \n\t\r") + 1
        if len(held) - end > MAX_WORD_CHARS:
            end = len(held)
        end = min(end, len(held) - known.whole.unfinished(held))
        bare = len(held.rstrip(_BESIDE))  # a mark may follow, or begin here
        if len(held) - bare <= _MAX_BESIDE and (part := known.parts.before(held, bare, len(held))):
            end = min(end, part[0])
        self._held = held[end:]
        return self._redact(held[:end], known)

    def end(self) -> str:
        """Return the rest of the text, which was held back. If it does not end a line, it may end within a secret."""
        rest, mark = self._held, "" if self._held.endswith("\n") else _ELLIPSIS
        shown = self._redact(rest + mark, _default.known()).removesuffix(mark)
        self._held = self._cut = ""
        return shown

    def _redact(self, text: str, known: _Known) -> str:
        before, text = self._cut, self._cut + text
        last = [mark[0] for mark in _CUT.finditer(text[-2 * _MAX_BESIDE :])][-1:]
        self._cut = last[0] if last and text.endswith(last[0]) else ""
        return _hide(text, known).removeprefix(before)


_default = Redactor()


def redact(text: str) -> str:
    """Return the text with the process's known secrets redacted. See ``Redactor``."""
    return _default.redact(text)


def redact_part(text: str, *, cut_start: bool = True) -> str:
    """Return a part of a longer text redacted: it may end within a secret, unless it ends a line, and begin within one.

    Args:
        text: the part.
        cut_start: whether something was left out before it.
    """
    before, after = _ELLIPSIS if cut_start else "", "" if text.endswith("\n") else _ELLIPSIS
    return redact(f"{before}{text}{after}").removeprefix(before).removesuffix(after)


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
    clean: dict[str, Any] = redact_of_run(str(event.get("run")), event)
    return clean


def _each_text(value: Any, hide: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return value if _IMAGE.fullmatch(value) else hide(value)
    if isinstance(value, dict):
        plain = {name for name in value if name in _NOT_TEXT or _PICTURES.match(name)}
        return {name: item if name in plain else _each_text(item, hide) for name, item in value.items()}
    if isinstance(value, list):
        return [_each_text(item, hide) for item in value]
    return value
