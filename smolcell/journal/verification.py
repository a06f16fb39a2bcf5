"""Checks whether a journal, or the runs in a saved notebook, are unchanged, and whether everything that ran was approved.

It finds changes by the hashes in the files. These are no signature: if journal and notebook are both rewritten, it finds nothing. Nor
does it if the text or HTML beside a record is rewritten together with its digest: it is not drawn again, since versions differ in that.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from smolcell import journal as runs
from smolcell.core.chain import START, Chain, Digests, Part, canonical, read_link
from smolcell.core.redaction import MARK
from smolcell.core.text import clip, one_line, visible
from smolcell.errors import JournalError
from smolcell.events import DIRECT_RUN, sha256
from smolcell.machine.state import MAX_LINE_CHARS, hold, journals_folder, open_no_link, open_stored
from smolcell.views.outputs import (
    CHARTS,
    MIME,
    VERSION,
    bounded,
    fitted,
    merge_record,
    record,
    run_details,
    without_run_details,
)

UNCHANGED, CHANGED, NO_CHAIN = 0, 1, 2
MAX_NOTEBOOK_BYTES = 256 << 20  # bytes of a notebook
_MAX_DISTANCE = 3  # lines before a line that are tried as its predecessor
_MAX_FAULTS = 20
_SHOWN = ("text/plain", "text/html")  # forms of a run beside its record
_NAMES = {"Asked": "the task", "Opened": "the boundary", "Answered": "the answer", "Ended": "the end of the run"}
_STEPLESS = ("Asked", "Opened", "Ended")
_HOSTS_OWN = ("FinalAnswerError", "AgentToolCallError")  # errors of proposals that did not run

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """The result of a verification.

    Attributes:
        status: 0 unchanged; 1 changed, incomplete, or something ran that was not approved; 2 no chain.
        faults: the faults, each with its step.
        summary: one line.
    """

    status: int
    faults: tuple[str, ...] = ()
    summary: str = ""

    def __str__(self) -> str:
        more = len(self.faults) - _MAX_FAULTS
        faults = [*self.faults[:_MAX_FAULTS], *([f"… and {more} more"] if more > 0 else [])]
        return visible("\n".join([*faults, self.summary]))


def verify(path: Path) -> Verification:
    """Check a journal, or a notebook with saved runs."""
    try:
        return check_notebook(path) if path.suffix == ".ipynb" else check_journal(path)
    except (OSError, JournalError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return Verification(status=NO_CHAIN, summary=f"no chain: {path} cannot be read: {why}")


# --- journals ---------------------------------------------------------------------------------------------------------


class StoredLine(NamedTuple):
    """A line of a journal, as stored."""

    number: int  # from 1
    part: Part | None  # None: without a link
    linked: bool  # the link is correct after the preceding bytes
    follows: int  # number of the line that it was written after, if that is not the preceding one
    seq: int  # -1 if missing
    event: Json  # {} if there is none
    redacted: tuple[str, ...]  # fields of the event
    copied: bool
    whole: bool  # it ends with a newline
    torn: bool  # it is an incomplete beginning

    @property
    def step(self) -> int:
        return _first_step([self.event])

    @property
    def name(self) -> str:
        return str(self.event.get("event", ""))


def stored_lines(path: Path) -> Iterator[StoredLine]:
    """Yield the lines of a journal, with the results of checking their links.

    Raises:
        OSError: it cannot be read, is no plain file, or too large.
    """
    chain, before = Chain(), deque[tuple[int, Chain]](maxlen=_MAX_DISTANCE)
    with open_stored(path) as file:
        for number, data in enumerate(iter(lambda: file.readline(MAX_LINE_CHARS), b""), 1):
            part = read_link(data)
            linked = part is not None and chain.next_link(part.head) == part.link
            follows = 0
            if part is not None and not linked:
                parts = [last for last, earlier in before if earlier.next_link(part.head) == part.link]
                follows = parts[-1] if parts else -1
            if part is not None:
                before.append((number, Chain()))
            chain.follow(data)
            if part is not None:
                before[-1][1].follow(data)
            yield _read(number, data, part, linked, follows)


def _read(number: int, data: bytes, part: Part | None, linked: bool, follows: int) -> StoredLine:
    text = data.decode("utf-8", "replace")
    try:
        line: Any = runs.parse_line(text)
    except (ValueError, RecursionError):
        line = None
    stored = line if isinstance(line, dict) else {}
    event, seq, digests = stored.get("event"), stored.get("seq"), stored.get("sha256")
    return StoredLine(
        number=number,
        part=part,
        linked=linked,
        follows=follows,
        seq=seq if type(seq) is int else -1,
        event=event if isinstance(event, dict) else {},
        redacted=tuple(digests) if isinstance(digests, dict) else (),
        copied=stored.get("copied") is True,
        whole=data.endswith(b"\n"),
        torn=line is None and runs.is_torn(text),
    )


def check_journal(path: Path) -> Verification:
    """Check the chain of a journal, that its runs are complete, and that everything that ran was approved."""
    lines = list(stored_lines(path))
    chained = [line for line in lines if line.part is not None]
    if not chained:
        return Verification(status=NO_CHAIN, summary=f"no chain: {path} has no line with a hash of smolcell")
    faults = [*_of_chain(lines), *_of_approvals(lines), *_of_end(path, lines)]
    tasks = sum(line.name == "Asked" and not line.event.get("parent") for line in lines)
    ran = sum(line.name == "Allowed" for line in lines)
    before = chained[0].number - 1
    old = f"; {before} lines of an older version are covered by the chain after them" if before else ""
    summary = f"{len(lines)} lines, {tasks} runs, {ran} approvals; the chain ends in {_end(chained)}{old}"
    summary += _approvers(line.event for line in lines)
    return Verification(
        status=CHANGED if faults else UNCHANGED, faults=tuple(faults), summary=_summed(faults, path, summary)
    )


def _approvers(events: Iterable[Json]) -> str:
    """Return who approved, as far as it is recorded, as text."""
    names = [event.get("who") for event in events if event.get("event") == "Allowed"]
    counts = Counter(visible(clip(name, 200)) for name in names if name and isinstance(name, str))
    return f"; approved by {', '.join(f'{name} ({times})' for name, times in counts.most_common(20))}" if counts else ""


def _end(chained: Sequence[StoredLine]) -> str:
    last = chained[-1].part
    return last.link if last is not None else START


def _summed(faults: Sequence[str], path: Path, summary: str) -> str:
    torn = all(each.startswith("torn") or each.startswith("missing: the end") for each in faults)
    word = (
        "unchanged"
        if not faults
        else "torn"
        if torn and any(t.startswith("torn") for t in faults)
        else "NOT as written"
    )
    return f"{word}: {path}: {summary}"


def _of_chain(lines: Sequence[StoredLine]) -> Iterator[str]:
    """Yield the faults of the chain of links."""
    last = max(line.number for line in lines if line.part is not None)
    links = [line.part.link if line.part is not None else "" for line in lines]
    copies = {at for at, link in enumerate(links, 1) if link and link in links[: at - 1]}
    back = [line for line in lines if line.follows > 0 and line.number not in copies]
    moved = copies | {number for line in back for number in range(line.follows + 1, line.number)}
    loose: list[StoredLine] = []  # lines without a link after the last link
    for line in lines:
        if line.number in moved:
            behind = next((each for each in back if each.follows < line.number < each.number), None)
            where = f", before {_place(lines, behind)}" if behind is not None else ""
            yield f"changed: {_place(lines, line)} was added, or is in the wrong place{where}"
        elif line.part is None and line.number > last:
            yield from _of_tail(lines, line)
        elif line.part is None:
            loose.append(line)
        elif not line.linked and line.follows <= 0 and not loose:
            yield _broken(lines, line)
        elif not line.linked and line.follows <= 0:
            also = [line] if all(each.torn for each in loose) else []  # one of them was changed
            yield from (f"changed: {_place(lines, each)}" for each in [*loose, *also])
        elif not line.whole:
            yield f"torn: {_place(lines, line)} lacks its end"
        if line.part is not None:
            loose = []


def _of_tail(lines: Sequence[StoredLine], line: StoredLine) -> Iterator[str]:
    if line.torn and not line.whole:
        yield f"torn: {_place(lines, line)} was cut off by a crash or a full disk; earlier lines are checked separately"
    else:
        yield f"changed: {_place(lines, line)} has no link: it was changed, or added"


def _broken(lines: Sequence[StoredLine], line: StoredLine) -> str:
    """Return why the link of a line is wrong: the line was changed or moved, or lines before it are missing."""
    known = [each for each in lines if each.part is not None]
    at = known.index(line)
    before = known[at - 1].seq if at else -1
    after = known[at + 1].seq if at + 1 < len(known) else None
    gone = line.seq - before - 1
    if gone > 0 and after in (None, line.seq + 1):
        return f"missing: {gone} {'lines' if gone > 1 else 'line'} before {_place(lines, line)}, of {_gap(known, at)}"
    if line.seq <= before and after != before + 2:
        return f"changed: {_place(lines, line)} was added, or is in the wrong place"
    return f"changed: {_place(lines, line)}"


def _gap(known: Sequence[StoredLine], at: int) -> str:
    """Describe, for an error, which step the missing lines before this line belonged to."""
    after = known[at].step
    before = next((line.step for line in reversed(known[:at]) if line.step), 0)
    closed = at > 0 and known[at - 1].name in ("Observed", "Unparsed", "Refused", "Trimmed")
    if not after:
        return f"step {before} or what follows it" if before else "the beginning of the run"
    if before == after or not before:
        return f"step {after}"
    return f"step {after}" if closed and known[at].name != "Replied" else f"step {before} or {after}"


def _place(lines: Sequence[StoredLine], line: StoredLine) -> str:
    """Return how a line is named: its step, if that fits its neighbours, and its number."""
    name, number = _NAMES.get(line.name, line.name), f"line {line.number}"
    before, after = reversed(lines[: line.number - 1]), lines[line.number :]
    step, around = _step_of(line.event, (each.event for each in before), (each.event for each in after))
    if step:
        return f"step {step} ({number}: {name})"
    if line.name in _STEPLESS and not line.step:
        return f"{number} ({name})"
    return f"step {around} ({number})" if around else number


def _step_of(event: Json, before: Iterable[Json], after: Iterable[Json]) -> tuple[int, str]:
    """Return the step of an event, 0 if it has none that fits its neighbours (nearest first); and the steps around it, as text."""
    step, last, following = _first_step([event]), _first_step(before), _first_step(after)
    fits = step >= last and (not following or step <= following)
    return step if fits else 0, " or ".join(str(each) for each in dict.fromkeys((last, following)) if each)


def _first_step(events: Iterable[Json]) -> int:
    numbers: Iterator[Any] = (event.get("step") for event in events)
    return next((number for number in numbers if type(number) is int and number), 0)


def _of_end(path: Path, lines: Sequence[StoredLine]) -> Iterator[str]:
    """Yield the fault if the newest run has no end. An active run has none yet."""
    tasks = [line for line in lines if line.name == "Asked" and not line.event.get("parent")]
    run = tasks[-1].event.get("run") if tasks else None
    if run is None or any(line.name == "Ended" and line.event.get("run") == run for line in lines):
        return
    if not _under_way(path):
        step = max((line.step for line in lines if line.event.get("run") == run), default=0)
        yield f"missing: the end of run {run}, after step {step}: its kernel was killed, or lines were cut off"


def _under_way(path: Path) -> bool:
    """Return whether a living process writes the journal."""
    try:
        descriptor = open_no_link(path, os.O_RDWR)
    except OSError:
        return False
    try:
        return hold(descriptor) is False
    finally:
        os.close(descriptor)


def _of_approvals(lines: Iterable[StoredLine]) -> Iterator[str]:
    """Yield steps that ran without an approval, or with another text than the approved one."""
    proposals: dict[tuple[Any, ...], Json] = {}  # by run, step and call
    approved: set[tuple[Any, ...]] = set()  # that have not run yet
    for line in lines:
        event = line.event
        place = event.get("run"), event.get("step"), event.get("call", 0)
        if any(isinstance(part, dict | list) for part in place):
            continue
        if line.name == "Proposed":
            proposals[place] = event
        elif line.name == "Allowed":
            approved.add(place)
            if why := _unlike(line, proposals.get(place)):
                yield f"never approved: {_called(place)} (line {line.number}): {why}"
        elif line.name == "Observed":
            error = event.get("error")
            own = isinstance(error, dict) and error.get("type") in _HOSTS_OWN
            if not own and not _is_question(proposals.get(place)) and place not in approved:
                yield f"never approved: {_called(place)} ran (line {line.number}) without an earlier approval"
            approved.discard(place)


def _is_question(proposed: Json | None) -> bool:
    """Return whether a proposal was a question, which ran nothing."""
    return proposed is not None and proposed.get("kind") == "question"


def _called(place: tuple[Any, ...]) -> str:
    _, step, call = place
    return f"step {step}, call {call}," if call else f"step {step}"


def _unlike(line: StoredLine, proposed: Json | None) -> str:
    """Return why this approval does not fit the proposal; "" if it does."""
    event = line.event
    text = event.get("text")
    if not isinstance(text, str):
        return "the approval has no text"
    if "text" not in line.redacted and sha256(text) != event.get("sha256"):
        return "its text is not the one that was approved"
    if proposed is None:
        return "" if event.get("run") == DIRECT_RUN else "nothing was proposed there"
    if not event.get("edited") and proposed.get("text") != text:
        return "another text was proposed"
    return ""


# --- notebooks --------------------------------------------------------------------------------------------------------


def check_notebook(path: Path) -> Verification:
    """Check the runs in a notebook, and compare them with their journals if these are here."""
    notebook = _notebook(path)
    saved = list(_saved(notebook))
    faults: list[str] = []
    notes: list[str] = []
    for run in saved:
        faults += run.faults()
        faults += run.compared(path, notes)
    if any(run.is_chained for run in saved):
        faults += _of_cells(notebook, saved, notes)
        faults += (
            f"changed: the hashes of run {run.run} are missing (they are in the output's metadata)"
            for run in saved
            if not run.is_chained
        )
    elif not faults:
        return Verification(status=NO_CHAIN, summary=f"no chain: {path} has no run with hashes of smolcell")
    summary = "; ".join([f"{len(saved)} runs", *dict.fromkeys(notes)])
    return Verification(
        status=CHANGED if faults else UNCHANGED, faults=tuple(faults), summary=_summed(faults, path, summary)
    )


def _notebook(path: Path) -> Any:
    with open_stored(path) as file:
        data = file.read(MAX_NOTEBOOK_BYTES + 1)
    try:
        if len(data) > MAX_NOTEBOOK_BYTES:
            raise ValueError(f"it has more than {MAX_NOTEBOOK_BYTES:,} bytes")
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise JournalError(f"it is no notebook ({error})") from None


def _saved(notebook: Any) -> Iterator[_Saved]:
    """Yield each run, in the order of the cells."""
    for place, cell in enumerate(_list(_at(notebook, "cells"))):
        for output in _list(_at(cell, "outputs")):
            data = _at(output, "data")
            if isinstance(data, dict) and MIME in data:
                yield _Saved(place, output)


# --- what stands beside the runs: the tasks in their cells, their cards, and the widgets' copies of them

_VIEW, _STATE = (f"application/vnd.jupyter.widget-{name}+json" for name in ("view", "state"))
_WIDGET = "smolcell.views.card.RunWidget"
_CARD = "smolcell run"
_AGENT = re.compile(r"\s*(?:%%(?!agent\b)[^\n]*\n\s*)*%%agent(?=\s|$)([^\n]*)")
"""``%%agent``, also below other magics of the cell, and its options."""


def _of_cells(notebook: Any, saved: Sequence[_Saved], notes: list[str]) -> Iterator[str]:
    """Yield the faults of the tasks and the cards in the cells of these runs, and of the widgets' copies."""
    states = _at(notebook, "metadata", "widgets", _STATE, "state")
    states = states if isinstance(states, dict) else {}
    background: list[str] = []
    shown: set[str] = set()
    for place, cell in enumerate(_list(_at(notebook, "cells"))):
        own = [run for run in saved if run.place == place]
        yield from _of_task(cell, own, background, notes)
        for model, data in _cards(cell, states) if own else ():
            shown.add(model)
            yield from _of_card(data, saved)
    yield from _of_copies(states, shown, saved)


def _of_task(cell: Any, own: Sequence[_Saved], background: list[str], notes: list[str]) -> Iterator[str]:
    """Yield the faults of the task in a cell with these runs.

    The record of a run in the background is in the cell that was running at its end. ``background`` has the tasks of such runs of the
    cells above; each stands for one run.
    """
    source, is_code = _text(cell, "source"), _at(cell, "cell_type") == "code"
    match = _AGENT.match(source) if is_code else None
    if own and not is_code:
        yield f"changed: the cell of run {own[0].run} is no code"
    elif own and match is None:
        notes.append("tasks in cells without %%agent are not compared")
    if match is None or any(_fits(run.task, source[match.end() :]) for run in own):
        return
    in_background = "--background" in match[1].split()
    for run in own:
        task = next((each for each in background if in_background and _fits(run.task, each)), None)
        if task is None:
            yield f"changed: the task in the cell of run {run.run}: the recorded one is another"
        else:
            background.remove(task)
            notes.append("some runs in the background are recorded in a cell with another task")
    if in_background:
        background.append(source[match.end() :])


def _cards(cell: Any, states: Json) -> Iterator[tuple[str, Json]]:
    """Yield the cards in a cell: the id of the widget, and the output's data."""
    for output in _list(_at(cell, "outputs")):
        data, model = _at(output, "data"), str(_at(output, "data", _VIEW, "model_id") or "")
        is_card = _at(states, model, "state", "_anywidget_id") == _WIDGET
        if model and (is_card or _text(data, "text/plain").startswith(_CARD)):
            yield model, data


def _of_card(data: Json, saved: Sequence[_Saved]) -> Iterator[str]:
    title = _text(data, "text/plain")
    if more := sorted(data.keys() - {_VIEW, "text/plain"}):
        yield f"changed: a card shows more than it did: {', '.join(more)}"
    if title not in ("", _CARD) and not any(run.is_titled(title) for run in saved):
        yield "changed: the text beside a card: it names no task of a recorded run"


def _of_copies(states: Json, shown: Collection[str], saved: Sequence[_Saved]) -> Iterator[str]:
    """Yield the faults of the widgets' copies of recorded runs. The cards ``shown`` have no others."""
    recorded = {canonical(run.events) for run in saved}
    names = {str(run.run) for run in saved if run.is_chained}
    for model, state in states.items():
        if snapshot := _at(state, "state", "snapshot"):
            events = _parsed(snapshot)
            name = str(_at(next(iter(_list(events)), None), "run"))
            if (model in shown or name in names) and canonical(events) not in recorded:
                yield f"changed: a card's copy of run {name}: it is not what was recorded"


def _fits(recorded: str, task: str) -> bool:
    """Return whether a recorded task is this one, except for white space and redacted parts."""
    text = " ".join(task.encode("utf-8", "backslashreplace").decode().split())
    first, *others = " ".join(recorded.split()).split(MARK)
    if not others:
        return text == first
    *middle, last = others
    at = len(first)
    for part in middle:
        found = text.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return text.startswith(first) and text.endswith(last) and at + len(last) <= len(text)


def _text(value: Any, name: str) -> str:
    """Return a text of a notebook, which may be a list of lines."""
    text = _at(value, name)
    return "".join(map(str, text)) if isinstance(text, list) else str(text or "")


def _at(value: Any, *names: str) -> Any:
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _parsed(text: Any) -> Any:
    try:
        return runs.parse_line(str(text))
    except (ValueError, RecursionError):
        return None


def _is_chained(saved: Mapping[str, Any]) -> bool:
    return "chain" in saved or any(_proof(event) for event in _list(saved.get("events")))


def _proof(event: Any) -> Json:
    proof = _at(event, "receipt", "record")
    return proof if isinstance(proof, dict) else {}


def _is_merged_from(data: Json, saved: Any) -> bool:
    """Return whether the metadata only added values to the data that differ in each run, and replaced nothing else."""
    try:
        same = {**saved, "events": without_run_details(saved["events"])}
    except (KeyError, TypeError, ValueError, AttributeError):
        return False
    same.pop("chain", None)
    return canonical(same) == canonical(data)


class _Saved:
    """A run in a notebook: the output with its record, and the details in the output's metadata.

    Attributes:
        place: number of its cell.
        events: their JSON.
    """

    def __init__(self, place: int, output: Json) -> None:
        self.place, self._output = place, output
        self._bundle: Json = output["data"]
        details, data = _at(output, "metadata", MIME), self._bundle[MIME]
        self._is_object = isinstance(data, dict)
        saved: Json = data if self._is_object else {}
        self._is_merged_wrongly = details is not None and not isinstance(details, dict)
        if isinstance(details, dict) and details:
            saved = merge_record(saved, details)
            unlike = canonical(run_details(data, saved)) != canonical(details)
            self._is_merged_wrongly = unlike or not _is_merged_from(data, saved)
        self._saved = saved
        self.is_chained = _is_chained(saved)
        self._version = saved.get("version")
        self.events = [event if isinstance(event, dict) else {} for event in _list(saved.get("events"))]
        self._chain = [link for link in _list(saved.get("chain")) if isinstance(link, str)]
        self._shown_digests = saved.get("shown")
        self.run = self.events[0].get("run") if self.events else None
        self.task = str(self.events[0].get("task", "")) if self.events else ""

    def is_titled(self, title: str) -> bool:
        """Return whether this is the text beside its card."""
        known, redacted, _ = " ".join(self.task.split()).partition(MARK)
        if redacted:  # the title is not, and may be cut
            return title.startswith(f"{_CARD}: {known}"[: len(title) - 1])
        return title == f"{_CARD}: {one_line(self.task)}"

    def faults(self) -> Iterator[str]:
        """Yield the faults found by its own hashes."""
        if not self._is_object:
            yield "changed: the record of a run, which is no object"
        if self._is_merged_wrongly:
            yield f"changed: the data of run {self.run}, or the output's metadata: they do not fit together"
        if self.is_chained or self._shown_digests is not None:
            yield from self._of_shown()
            yield from self._of_keys()
        if not self.is_chained:
            return
        if type(self._version) is not int or self._version != VERSION:
            yield f"changed: the version of the record of run {self.run}"
        yield from self._of_chain()
        yield from self._of_receipt()

    def _of_shown(self) -> Iterator[str]:
        """Yield the faults of the texts beside the record."""
        for mime in _SHOWN:
            if sha256(_text(self._bundle, mime)) != _at(self._shown_digests, mime):
                yield f"changed: what the notebook shows of run {self.run} as {mime}, or its digest"

    def _of_keys(self) -> Iterator[str]:
        """Yield the faults of forms and keys that no run has. Front ends may add metadata."""
        if self._output.get("output_type", "display_data") not in ("display_data", "execute_result"):
            yield f"changed: the type of the output of run {self.run}"
        if more := sorted(self._bundle.keys() - {MIME, *_SHOWN}):
            yield f"changed: the notebook shows more of run {self.run} than it did: {', '.join(more)}"
        shown, chain = self._shown_digests, _list(self._saved.get("chain"))
        other = sorted(self._saved.keys() - {"version", "events", "chain", "shown"})
        other += ["shown"] if not isinstance(shown, dict) or shown.keys() != set(_SHOWN) else []
        other += ["chain"] if len(chain) != len(self._chain) else []
        if other:
            yield f"changed: the record of run {self.run}: {', '.join(other)}"

    def _of_chain(self) -> Iterator[str]:
        """Yield the faults of the links: an event without a link was changed or added, a link without an event is of a missing event."""
        starts = [START, *self._chain]
        links = [self._link_of(event, at, starts) for at, event in enumerate(self.events)]
        taken = {place for place in links if place is not None}
        lost = [place for place in range(len(self._chain)) if place not in taken]
        last = -1
        for at, place in enumerate(links):
            if place is None:
                replaced = next((each for each in lost if each > last), None)
                if replaced is not None:
                    lost.remove(replaced)
                yield f"changed: {self._place(at)}"
            elif place < last:
                yield f"changed: {self._place(at)} is in the wrong place"
            last = max(last, place if place is not None else last)
        for place in lost:
            after = next((at for at, each in enumerate(links) if each is not None and each > place), None)
            where = f"before {self._place(after)}" if after is not None else f"at the end of run {self.run}"
            yield f"missing: an event {where}"

    def _link_of(self, event: Json, at: int, starts: Sequence[str]) -> int | None:
        """Return the place of the link of an event, its own or the nearest; None if it has none."""
        value = canonical(event)
        places = range(max(0, at - _MAX_DISTANCE), min(len(self._chain), at + _MAX_DISTANCE + 1))
        near = sorted(places, key=lambda place: abs(place - at))
        return next((place for place in near if Chain(starts[place]).next_link(value) == self._chain[place]), None)

    def _place(self, at: int) -> str:
        """Return how an event is named: its step, if that fits its neighbours, or its number."""
        kind, where = str(self.events[at].get("event")), f"event {at + 1} of run {self.run}"
        name = _NAMES.get(kind, kind)
        step, around = _step_of(self.events[at], reversed(self.events[:at]), self.events[at + 1 :])
        if not step and kind not in _STEPLESS:
            return f"step {around} ({where})"
        return f"step {step} ({name})" if step else f"{where} ({name})"

    def _of_receipt(self) -> Iterator[str]:
        """Yield the fault if the receipt's digests are wrong, where the notebook has all their data."""
        for at, event in enumerate(self.events):
            proof, run = _proof(event), event.get("run")
            answer = next((each for each in self.events if _is(each, "Answered", run)), None)
            if not proof or answer is None or "left out of the saved notebook" in str(answer.get("text")):
                continue
            digests = Digests()
            digests.note(answer)
            if digests.hex_digests().get("answer") != proof.get("answer"):
                yield f"changed: {self._place(at)}, or the answer: its digest is another"

    # --- with the journal ---------------------------------------------------------------------------------------------

    def compared(self, notebook: Path, notes: list[str]) -> Iterator[str]:
        """Yield the differences from its journal."""
        proofs = {str(event.get("run")): _proof(event) for event in self.events if _is(event, "Ended")}
        proof = proofs.get(str(self.run)) or {}
        name = proof.get("journal")
        if not isinstance(name, str) or not name:
            notes.append("some were saved without the name of a journal")
            return
        path = _journal(name, notebook)
        if path is None:
            notes.append(f"the journal {name} is not here: checked by the notebook's own hashes only")
            return
        try:
            verdict = check_journal(path)
            lines = list(stored_lines(path))
        except OSError as error:
            notes.append(f"the journal {name} cannot be read: {error.strerror or error}")
            return
        yield from (f"journal {name}: {each}" for each in verdict.faults)
        if verdict.status == NO_CHAIN:
            yield f"changed: the journal {name} has no chain any more"
            return
        notes.append(f"compared with the journal {name}")
        yield from self._beside(lines, name)
        yield from self._proved(lines, proofs, name)

    def _beside(self, lines: Sequence[StoredLine], name: str) -> Iterator[str]:
        """Compare event by event, except pictures of charts, which the page made later."""
        ids = {str(event.get("run")) for event in self.events}
        written = [line.event for line in lines if str(line.event.get("run")) in ids and not line.copied]
        # A later cell undid steps: the saved run need not show it.
        while len(written) > len(self.events) and _is(written[-1], "Undone"):
            written.pop()
        try:
            expected = record(bounded([fitted({k: v for k, v in each.items() if k != "nonce"}) for each in written]))[
                "events"
            ]
        except (KeyError, TypeError, AttributeError):
            yield f"changed: the journal {name} holds invalid events"
            return
        for at, (ours, theirs, full) in enumerate(zip(self.events, expected, written, strict=False)):
            if canonical(_pictured(ours, full)) != canonical(_pictured(theirs, full)):
                yield f"changed: {self._place(at)} is different in the journal {name}"
        if len(self.events) != len(expected):
            yield f"missing: run {self.run} has {len(self.events)} events here and {len(expected)} in the journal {name}"

    def _proved(self, lines: Sequence[StoredLine], proofs: Mapping[str, Json], name: str) -> Iterator[str]:
        """Check that the chain's end in each receipt precedes the run's end in the journal, and that the digests are the journal's."""
        for run, proof in proofs.items():
            run_lines = [line for line in lines if line.event.get("run") == run and not line.copied]
            ended = next((line.number for line in run_lines if line.name == "Ended"), 0)
            begun = max((line.number for line in run_lines if line.number < ended), default=0)
            near = [line.part.link for line in lines[begun - 1 : ended - 1] if begun and line.part is not None]
            digests = Digests()
            for line in run_lines:
                digests.note(line.event)
            stored = {key: value for key, value in proof.items() if key not in ("journal", "chain")}
            if proof.get("chain") not in near or stored != digests.hex_digests():
                yield f"changed: the receipt of run {run} names another chain or other digests than the journal {name}"


def _is(event: Json, name: str, run: Any = None) -> bool:
    return event.get("event") == name and run in (None, event.get("run"))


def _journal(name: str, notebook: Path) -> Path | None:
    """Return the journal of this name, in the user's folder or beside the notebook."""
    if name != Path(name).name:
        return None
    for folder in (journals_folder(), notebook.parent):
        if (folder / name).is_file():
            return folder / name
    return None


def _pictured(event: Json, whole: Json) -> Json:
    """Return the event without pictures of charts that its journalled form ``whole`` does not have."""
    if event.get("event") != "Observed":
        return event
    outputs = list(_list(event.get("outputs")))
    for at, output in enumerate(_list(whole.get("outputs"))[: len(outputs)]):
        data = _at(outputs[at], "data")
        if isinstance(data, dict) and not set(CHARTS).isdisjoint(_at(output, "data") or {}):
            outputs[at] = {"data": {mime: text for mime, text in data.items() if mime != "image/png"}}
    return {**event, "outputs": outputs}
