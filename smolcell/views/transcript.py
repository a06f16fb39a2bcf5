"""A finished run as static text and HTML, so that a saved notebook is readable without the extension and without a kernel.

* Everything is escaped: no text of a model, a sandbox or a person becomes markup; Markdown becomes a few plain elements. Only some
  kinds of images and videos are included, in base64. The result is then sanitized by a library for this purpose.
* Secrets are redacted first, and invisible characters are made visible.
* The HTML consists of plain elements: it is readable also without classes and styles.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import unified_diff
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any

from smolcell.core.text import counted, one_line, visible
from smolcell.events import Event, to_json
from smolcell.machine.environment import importing
from smolcell.views.fold import fold, named_call
from smolcell.views.outputs import (
    CHARTS,
    IMAGES,
    MIME,
    VIDEOS,
    in_order,
    is_shown,
    record,
    redacted,
    refused_images,
    run_details,
    without_run_details,
)

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token


# --- Texts of a model as Markdown, converted to HTML for saved notebooks. The twin of ``labextension/src/core/markdown.ts``.
#
# * markdown-it parses; this file writes only the elements listed below. No raw HTML, no links, no images: of these, the URL is shown.
# * Every text passes the caller's ``text``, which escapes it.


Text = Callable[[str], str]

RULES = "blockquote code emphasis escape fence heading hr image link list newline strikethrough table backticks".split()
MAX_NESTED = 20
"""Levels of nested elements; a text with more is shown unchanged."""
MAX_COMPARED = 1_000_000  # lines before times lines after; the changes of a larger edit are not shown
MAX_MARKDOWN_CHARS = 100_000
"""Characters; a longer text is shown unchanged."""

ELEMENTS = {name: name for name in "blockquote table thead tbody tr th td strong em s".split()}
ELEMENTS |= {
    "paragraph": "p",
    "heading": "h5",
    "bullet_list": "ul",
    "ordered_list": "ol",
    "list_item": "li",
    "link": "span",
}
USED = {*ELEMENTS.values(), "br", "code", "hr", "pre"}
"""The elements that may occur."""


def prose(source: str, text: Text, *, formulas: bool = False) -> str:
    """Return Markdown as HTML.

    Args:
        source: the Markdown.
        text: converts a piece of text to HTML; all text of ``source`` passes through it.
        formulas: leave ``$…$`` and ``$$…$$`` unchanged: they are LaTeX.
    """
    plain = source.replace("\r\n", "\n").replace("\r", "\n")
    tokens = markdown_tokens(plain, formulas=formulas)
    if not tokens and plain.strip():
        return f"<p>{'<br>'.join(map(text, plain.split(chr(10))))}</p>"
    return "".join(_write_tokens(tokens, text))


def markdown_tokens(text: str, *, formulas: bool) -> list[Token]:
    """Return the tokens of Markdown without HTML; none if the text is too long or too deeply nested for Markdown."""
    tokens = _reader().parse(text, {"formulas": formulas}) if len(text) <= MAX_MARKDOWN_CHARS else []
    return [] if any(token.level > MAX_NESTED for token in tokens) else tokens


@cache
def _reader() -> MarkdownIt:
    with importing():
        from markdown_it import MarkdownIt

    reader = MarkdownIt("zero", {"maxNesting": 2 * MAX_NESTED}).enable(RULES)
    # URLs stay unchanged: they are shown, not followed.
    reader.normalizeLink = lambda url: url  # type: ignore[method-assign]
    reader.validateLink = lambda url: True  # type: ignore[method-assign]
    reader.inline.ruler.before("escape", "formula", _formula)
    return reader


FORMULA = re.compile(r"\$\$[^$]{1,10000}\$\$|\$(?=[^\s$])[^$\n`]{0,1000}(?<=[^\s$\\])\$(?!\d)")
"""LaTeX between dollar signs; not prices: no space inside, and no digit after it."""


def _formula(state: StateInline, silent: bool) -> bool:
    match = FORMULA.match(state.src, state.pos) if state.env.get("formulas") else None
    if match is None:
        return False
    if not silent:
        state.push("formula", "", 0).content = match[0]
    state.pos = match.end()
    return True


def _write_tokens(tokens: Sequence[Token], text: Text) -> Iterator[str]:
    open_: list[str] = []  # closing tags of the open elements
    for token in tokens:
        if token.type.startswith(("em_", "strong_")) and token.markup.startswith("_"):
            yield text(token.markup)  # underscores of a Python name
        elif token.nesting < 0:
            yield "" if token.hidden else open_.pop()
        elif token.type == "inline":
            yield from _write_tokens(token.children or [], text)
        elif token.nesting == 0:
            yield _leaf(token, text)
        elif not token.hidden:
            begin, end = _element(token, text) if len(open_) < MAX_NESTED else ("", _address(token, text))
            open_.append(end)
            yield begin


def _element(token: Token, text: Text) -> tuple[str, str]:
    tag = ELEMENTS.get(token.type.removesuffix("_open"), "span")
    start = token.attrGet("start") if tag == "ol" else None
    return f'<ol start="{int(start)}">' if start is not None else f"<{tag}>", f"{_address(token, text)}</{tag}>"


def _leaf(token: Token, text: Text) -> str:
    if token.type == "code_inline":
        return f"<code>{text(token.content)}</code>"
    if token.type in ("fence", "code_block"):
        return f"<pre><code>{text(token.content.removesuffix(chr(10)))}</code></pre>"
    if token.type in ("softbreak", "hardbreak", "hr"):
        return "<hr>" if token.type == "hr" else "<br>"
    if token.type == "formula":
        return f"<span>{text(token.content)}</span>"
    if token.type == "image":
        return f"<span>Image: {text(token.content)}{_address(token, text)}</span>"
    return text(token.content)


def _address(token: Token, text: Text) -> str:
    url = token.attrGet("src") or token.attrGet("href")
    return f" ({text(str(url))})" if url else ""


Json = dict[str, Any]

MATHS = re.compile(r"[$\\]")
"""Characters that begin formulas. They are escaped: the page must not typeset a model's text."""
LIST_ITEM = re.compile(r"\s*([-*+•]|\d+[.)])\s")
ALIGNED = re.compile(r"(^|[^\s.!?:]) {2,}\S")
"""Spaces that align columns; not double spaces after a sentence."""
TIME = re.compile(r", \d+\.\d{3} s(?=[.,])")
"""The duration of a connection, in its notice."""
COLOUR = re.compile(r"\x1b\[[0-9;:]*m")

STATES = {
    "success": "Done",
    "max_steps_error": "Stopped at the step limit",
    "refused": "Ended without approval",
    "stopped": "Stopped",
    "error": "Failed",
}

KINDS = {
    "call": ": a tool call",
    "plan": ": a plan",
    "budget": ": the budget is spent",
    "question": ": a question to you",
    "context": ": the notebook as context",
    "output": ": an output check asks you",
    "host": ": a connection to a host",
    "link": ": a link that leads elsewhere",
}
"""What a step is about, after its number. The page has the same table in ``step.ts``, and that of ``STATES`` in ``head.ts``."""

WHO = {
    "person": "a person",
    "policy": "the policy",
    "auto": "auto-approval",
    "remembered": "an earlier approval",
    "grant": "a grant of yours",
    "caller": "the caller",
    "deny": "the deny setting",
    "nobody": "default",
}


def bundle(events: Iterable[Event]) -> Json:
    """Return a run's events as display data, redacted and bounded: plain text, HTML, and the run as JSON (``outputs.MIME``).

    While the run's card is on the page, it hides this HTML, so that nothing is shown twice.
    """
    return of_json(redacted([to_json(event) for event in events]))


def of_json(events: Sequence[Json], *, told: bool = False) -> Json:
    """Return the same, from events' JSON that ``redacted`` returned. ``told``: a console has shown everything already."""
    state = fold(events)
    text = f"smolcell run: {visible(one_line(state['task']))}" if told else plain(state)
    shown = {"text/plain": text, "text/html": html(state)}
    return {**shown, MIME: record(events, shown)}


def steady_json(events: Sequence[Json]) -> tuple[Json, Json]:
    """Return the same as data that is equal in each run, and the differences as the output's metadata."""
    same = without_run_details(events)
    state = fold(same)
    shown = {"text/plain": plain(state), "text/html": html(state, timed=False)}
    data = record(same, shown)
    del data["chain"]
    return {**shown, MIME: data}, {MIME: run_details(data, record(events, shown))}


# --- text -----------------------------------------------------------------------------------------------------------


def plain(state: Json) -> str:
    """Return the folded run as text for a terminal, a diff or a reader of raw notebooks.

    Times and process ids are left out: the same run again gives the same text.
    """
    parts = [f"Task: {visible(state['task'])}\n({visible(_facts(state, state['sandbox']))})"]
    parts += ["\n".join(_plain_step(step)) for step in state["steps"]]
    parts += [visible(TIME.sub("", notice["text"])) for notice in state["notices"]]
    if state["answer"] is not None:
        answer = visible(state["answer"]["text"])
        title = answer_title("uncomputed" in state["answer"])
        parts.append(f"{title}:\n{answer}" if tabular(answer) else f"{title}: {answer}")
    if state["ended"] is not None:
        parts.append(_receipt(state["ended"], timed=False))
    return "\n\n".join(parts)


_MARGINS = {"thought": "", "code": "    ", "decision": "", "changes": "    ", "calls": "  > "}


def _plain_step(step: Json) -> Iterator[str]:
    yield f"{step_title(step)} ({_step_facts(step, timed=False)})"
    for kind, text in _step_texts(step, timed=False):
        if kind == "changes":
            yield "What was changed:"
        yield _indented(text, _MARGINS[kind])
    for run in step["runs"]:
        yield "\n".join(f"    {line}".rstrip() for line in f"Agent {visible(run['agent'])}\n{plain(run)}".split("\n"))
    seen = step["observation"]
    if seen is not None:
        yield from (_indented(text, "  | ") for text, _ in _seen_parts(seen, _image) if text)


def _indented(text: str, margin: str) -> str:
    return "\n".join(margin + line for line in visible(text).rstrip("\n").split("\n"))


# --- HTML -----------------------------------------------------------------------------------------------------------


def html(state: Json, *, timed: bool = True) -> str:
    """Return the folded run as HTML in which everything is escaped. ``timed``: with seconds."""
    run = re.sub(r"[^A-Za-z0-9-]", "", state["run"])
    parts = [f'<div class="smolcell-transcript smolcell-run-{run} tex2jax_ignore mathjax_ignore">']
    parts.append(f"<p><strong>{_prose(state['task'])}</strong><br>{_prose(_facts(state))}</p>")
    for step in state["steps"]:
        parts += _html_step(step, timed)
    notices = (notice["text"] if timed else TIME.sub("", notice["text"]) for notice in state["notices"])
    parts += [f"<p>{_prose(text)}</p>" for text in notices]
    if state["answer"] is not None:
        parts.append(_html_answer(state["answer"]))
    if state["ended"] is not None:
        parts.append(f"<p>{_prose(_receipt(state['ended'], timed=timed))}</p>")
    return _sanitize("\n".join([*parts, "</div>"]))


def _sanitize(markup: str) -> str:
    """Sanitize the markup, in case the escaping has a hole."""
    with importing():
        import nh3

    elements = {"div", "img", "video", *USED}
    attributes = {"div": {"class"}, "img": {"alt", "src"}, "ol": {"start"}, "video": {"controls", "src"}}
    return nh3.clean(markup, tags=elements, attributes=attributes, url_schemes={"data"}, link_rel=None)


def _html_step(step: Json, timed: bool) -> Iterator[str]:
    yield f"<p><strong>{step_title(step)}</strong> · {_prose(_step_facts(step, timed=timed))}</p>"
    for kind, text in _step_texts(step, timed=timed):
        if kind == "thought":
            yield prose(text, _prose)
        elif kind == "decision":
            yield f"<p>{_prose(text)}</p>"
        else:
            if kind == "changes":
                yield "<p>What was changed:</p>"
            yield _monospaced(text)
    for run in step["runs"]:
        yield f"<blockquote><p><strong>Agent {_prose(run['agent'])}</strong></p>"
        yield html(run, timed=timed)
        yield "</blockquote>"
    seen = step["observation"]
    if seen is not None:
        parts = list(_seen_parts(seen, _drawn))
        if not seen["places"]:  # what is drawn comes last
            parts = [(text, {}) for text, _ in parts] + [("", data) for _, data in parts]
        for text, data in parts:
            if text:
                yield f"<blockquote>{_monospaced(text)}</blockquote>"
            if data:
                yield f"{_drawn(data)}{_table(data)}"


def answer_title(uncomputed: bool) -> str:
    """Return the title of an answer."""
    return "Answer (not computed by any step)" if uncomputed else "Answer"


def _html_answer(answer: Json) -> str:
    text, title = answer["text"], f"<strong>{answer_title('uncomputed' in answer)}</strong>"
    if answer["is_text"] and is_prose(text):
        return f"<p>{title}</p>\n{prose(text, _prose, formulas=True)}"
    if tabular(text):
        return f"<p>{title}</p>\n{_monospaced(text)}"
    return f"<p>{title}<br>{_prose(text)}</p>"


def _image(data: Json) -> str:
    for mime in IMAGES:
        text = data.get(mime, "")
        if is_shown(mime, text):
            about = _escape(data.get("text/plain", "")[:200]) or "An image the code made"
            return f'<p><img alt="{about}" src="data:{mime};base64,{"".join(text.split())}"></p>'
    return ""


def _drawn(data: Json) -> str:
    """Return the HTML of an image, video, table or chart; "" for other outputs."""
    image = _image(data)
    for mime in VIDEOS if not image else ():
        if is_shown(mime, data.get(mime, "")):
            return f'<p><video controls src="data:{mime};base64,{"".join(data[mime].split())}"></video></p>'
    markdown = data.get("text/markdown", "") if not image else ""
    return f"<blockquote>{prose(markdown, _prose)}</blockquote>" if markdown else image


def _table(data: Json) -> str:
    """Return the data of a chart without a picture, as a table."""
    if data.keys().isdisjoint(CHARTS) or _image(data):
        return ""
    with importing():
        import nh3

    cells = nh3.clean(
        visible(data.get("text/html", "")), tags={"table", "thead", "tbody", "tr", "th", "td"}, attributes={}
    )
    return MATHS.sub(r"<span>\g<0></span>", cells[cells.find("<table>") :]) if "<table>" in cells else ""


def _monospaced(text: str) -> str:
    """Return text in a monospaced font. A bare ``pre`` is not enough: Jupyter's style gives it the font of the prose around it."""
    return f"<pre><code>{_escape(text)}</code></pre>"


def _escape(text: str) -> str:
    return escape(visible(text), quote=True)


def _prose(text: str) -> str:
    return MATHS.sub(r"<span>\g<0></span>", _escape(text)).replace("\n", "<br>")


# --- both -----------------------------------------------------------------------------------------------------------


def _facts(state: Json, where: str = "") -> str:
    where = where or (state["boundary"]["where"] if state["boundary"] else state["sandbox"])
    names = ", ".join(part["name"] for part in (*state["variables"], *state["files"]))
    approve = f"approve: {state['approve']}" if state["approve"] else ""
    resumed = "resumed" if state["resumes"] else ""
    lost = f"lost with the previous sandbox: {', '.join(state['lost'])}" if state["lost"] else ""
    locks = f"policy: {'; '.join(state['locks'])}" if state["locks"] else ""
    sent = ", ".join(piece["name"] for piece in state["sent"] if piece["used"])
    sent_text = f"sent of the notebook: {sent}" if sent else ""
    return _join_nonempty(
        state["model"], where, approve, f"with {names}" if names else "", sent_text, resumed, lost, locks
    )


def _step_facts(step: Json, *, timed: bool) -> str:
    seen = step["observation"]
    status = "error" if seen and seen["error"] else step["status"]
    ran = f"ran {_seconds(seen['duration'])}" if seen and timed else ""
    model = f"model {_seconds(step['duration'])}" if step["duration"] and timed else ""
    return _join_nonempty(status, model, *(_usage(step["usage"]) if step["usage"] else ()), ran)


def step_title(step: Json) -> str:
    """Return the number of a step, or of a call, and what it is about."""
    call = named_call(step["call"])
    kind = "" if step["kind"] == "call" and not step["call"] else KINDS.get(step["kind"], "")
    return f"Step {step['n']}{call}{kind}"


def _step_texts(step: Json, *, timed: bool) -> Iterator[tuple[str, str]]:
    """Yield the texts of a step up to what it showed, each with its kind, without the empty ones."""
    texts = {
        "thought": (step["thought"] or step["reply"]).strip(),
        "code": step["code"] if step["edited"] is None else step["edited"],
        "decision": _decision(step),
        "changes": _edits(step),
        "calls": "\n".join(_tool_call(call, timed=timed) for call in step["tools"]),
    }
    yield from ((kind, text) for kind, text in texts.items() if text)


def _edits(step: Json) -> str:
    """Return a person's changes to the proposal, as a unified diff without file names; "" if there are none."""
    if step["edited"] is None:
        return ""
    before, after = (text.split("\n") for text in (step["code"], step["edited"]))
    if len(before) * len(after) > MAX_COMPARED:
        return ""
    return "\n".join(list(unified_diff(before, after, lineterm="", n=2))[2:])


def _decision(step: Json) -> str:
    reason, who = step["reason"] or step["comment"], WHO.get(step["by"], step["by"])
    quoted = f": {reason}" if reason else "."
    if step["status"] == "unparsed":
        return f"The reply held no program{quoted}"
    if step["status"] == "refused":
        return f"Refused by {who}{quoted}"
    edited = "Edited and approved" if step["edited"] is not None else "Approved"
    also = f", and {step['offer']}" if step["offer"] else ""
    return f"{edited} by {who}{also}{quoted}" if step["by"] else ""


def _tool_call(call: Json, *, timed: bool) -> str:
    """Return a text about a tool that the code called, and its result."""
    took = f" ({_seconds(call['duration'])})" if timed else ""
    return f"{called_text(call)} -> {call['error'] or call['result']}{took}"


def called_text(call: Json) -> str:
    """Return the call of a tool, and how often there was such a call."""
    times = f" ({call['times']} times, such as this)" if call["times"] > 1 else ""
    return f"{call['text']}{times}"


def _seen_parts(seen: Json, drawn: Callable[[Json], str]) -> Iterator[tuple[str, Json]]:
    """Yield the parts of an observation, each as text and as an output's data: what was printed and displayed, in order, then the
    result, error, and notes about omissions.

    ``drawn`` returns the form in which an output is shown instead of its text; "" if there is none.
    """
    outputs = [output["data"] for output in seen["outputs"]]
    answered = seen["is_final_answer"] and not seen["error"]  # the answer itself follows
    repeated = answered or seen["result"] in [data.get("text/plain") for data in outputs]
    for part in in_order(printed(seen["stdout"]), seen["places"], seen["outputs"]):
        if isinstance(part, str):
            yield part, {}
            continue
        text = part["data"].get("text/plain", "")
        yield "" if drawn(part["data"]) or (answered and text == seen["result"]) else text, part["data"]
    result = "" if repeated else seen["result"]
    error = "\n".join(filter(None, (error_text(seen["error"]), seen["error"].get("hint")))) if seen["error"] else ""
    dropped = f"({seen['dropped']:,} characters of output left out)" if seen["dropped"] else ""
    refused = (f"(an image is not shown: {why})" for data in outputs for why in refused_images(data))
    notes = (f"({text})" for text, _ in step_notes(seen))
    yield from ((text, {}) for text in (*refused, result, error, dropped, *notes) if text)


def step_notes(seen: Json) -> Iterator[tuple[str, bool]]:
    """Yield notes about a step, and whether each is a warning: what was lost, and the files it wrote."""
    if seen["rolled_back"]:
        yield "its changes were undone: variables and files are as they were before it", True
    if seen["state_lost"]:
        yield "the sandbox was restarted: its variables are gone", True
    if seen["files"]:
        names = ", ".join(f"{file['name']} ({file['size']:,} bytes)" for file in seen["files"])
        yield f"files written: {names}", False


def error_text(error: Json) -> str:
    """Return the type, message and line of an error."""
    where = f" (line {error['line']})" if error["line"] else ""
    return f"{error['type']}: {error['message']}{where}"


def tabular(text: str) -> bool:
    """Return whether a text is a table, or needs a monospaced font for another reason. The twin is in ``head.ts``."""
    lines = [line for line in text.split("\n") if line.strip(" ")]
    aligned = [line for line in lines if _aligned(line)]
    return len(lines) > 1 and 3 * len(aligned) >= len(lines)


def is_prose(text: str) -> bool:
    """Return whether a text may be shown as Markdown without breaking its columns. The twin is in ``head.ts``."""
    return not tabular(text) or any(RULED.match(line) for line in text.split("\n"))


RULED = re.compile(r" {0,3}\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$")
"""The line below the header of a Markdown table."""


def _aligned(line: str) -> bool:
    bare = line.strip(" ")
    row = len(bare) > 1 and bare[0] == bare[-1] == "|"
    return row or (LIST_ITEM.match(line) is None and ALIGNED.search(line) is not None)


def printed(text: str) -> str:
    """Return printed text without colours; of an overwritten line, its last state."""
    lines = COLOUR.sub("", text.replace("\r\n", "\n")).split("\n")
    return "\n".join(next((part for part in reversed(line.split("\r")) if part), "") for line in lines)


def _receipt(ended: Json, *, timed: bool) -> str:
    steps = counted(ended["steps"], "step")
    took = _seconds(ended["duration"]) if timed else ""
    line = _join_nonempty(STATES.get(str(ended["state"]), "Ended"), steps, took, *_usage(ended["usage"]))
    return f"{line}\n{ended['error']}" if ended["error"] else line


def _usage(usage: Json) -> tuple[str, str]:
    """Return tokens and cost, each "" if it is not known."""
    sent, got = usage["input_tokens"], usage["output_tokens"]
    cost = "" if usage["cost"] is None else f"${usage['cost']:.4f}"
    return f"{sent:,} + {got:,} tokens" if sent or got else "", cost


def _seconds(value: float) -> str:
    if 0 < value < 0.05:
        return "< 0.1 s"
    return f"{value:.1f} s" if value < 60 else f"{int(value // 60)} min {int(value % 60)} s"


def _join_nonempty(*parts: str) -> str:
    return " · ".join(part for part in parts if part)
