"""The notebook's view: shows a run on a card, and receives the person's answers from it.

* An answer counts once, for exactly the proposal that was shown. Late, repeated and mismatching ones get an error.
* No answer means no: without a page the fallback asks, and without a fallback the answer is ``nobody``.
* A page's message is read on the thread that received it, and only passed on there.
* Memory is bounded in long-lived kernels: of ended runs, only the newest cards are kept, within a budget.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from itertools import accumulate
from typing import Any, TypeGuard, cast, get_args

from smolcell.core.text import clip, visible
from smolcell.events import Asked, Delta, Ended, Event, Proposed, exposure, line_of
from smolcell.protocols import MAX_NAME, Answer, BaseView, Choice, View, Waiter
from smolcell.views import transcript
from smolcell.views.card import LIBRARIES, PACE_SECONDS, Card, Conclude, Publish
from smolcell.views.outputs import read_picture

log = logging.getLogger("smolcell")

UNTRUSTED = (
    "A step waits for approval, but this notebook is not trusted, so its card is not shown. "
    "Trust it (in JupyterLab: View > Activate Command Palette > Trust Notebook); the run goes on waiting."
)

MAX_CARDS = 50  # cards of ended runs; a page that is loaded again fetches each with the page's whole code
MAX_CARDS_CHARS = 64_000_000  # characters of those cards together

Request = Callable[[str, str], dict[str, Any]]
"""Answers a page's request, given the run and the page's choice ("" for none); returns JSON."""
Key = tuple[str, int, str]  # run, step, fingerprint

# --- A page's messages, and whether an answer counts.
#
# * Messages are not trusted: exact types, bounded sizes, a choice from the table.
# * An answer counts for exactly one proposal: run, step and fingerprint must match the pending one.
# * Every fault becomes a sentence for the person, never an exception.


CHOICES = frozenset(get_args(Choice)) - {"nobody"}
"""The choices of a page. ``nobody`` means that there is no page."""

NOT_AS_IT_IS = frozenset({"hidden", "long-line", "syntax"})
"""Kinds of findings that mean: part of the code is not visible, or was not understood."""

MAX_TEXT_BYTES = 1_000_000  # bytes of an edited step
MAX_COMMENT_BYTES = 10_000  # bytes
MAX_OFFER = 300  # characters of an offer's id


class BadAnswerError(ValueError):
    """The answer does not count; the message tells the person why."""


def read_answer(content: Mapping[str, Any]) -> Answer:
    """Return the answer in a page's message.

    Raises:
        BadAnswerError: it is not valid: a missing field, a wrong type, an unknown choice, a text too long.
    """
    run, step, shown, choice = (content.get(name) for name in ("run", "step", "fingerprint", "choice"))
    text, comment, user = content.get("text"), content.get("comment", ""), content.get("user")
    if type(run) is not str or type(step) is not int or type(shown) is not str:
        raise BadAnswerError("the answer does not name the step it is for")
    if type(choice) is not str or choice not in CHOICES:
        raise BadAnswerError("the answer is none of the choices")
    if (choice == "edit") != (type(text) is str) or (choice != "edit" and text is not None):
        raise BadAnswerError("an edited text goes with the choice to edit, and with no other")
    if type(comment) is not str or _bytes(comment) > MAX_COMMENT_BYTES:
        raise BadAnswerError(f"the comment is longer than {MAX_COMMENT_BYTES} bytes, or no text")
    offer = content.get("offer", "")
    if type(offer) is not str or len(offer) > MAX_OFFER or (offer and choice not in ("approve", "edit", "refuse")):
        raise BadAnswerError("the answer chooses what cannot be offered")
    if text is not None and _bytes(text) > MAX_TEXT_BYTES:
        raise BadAnswerError(f"the edited text is longer than {MAX_TEXT_BYTES} bytes")
    return Answer(
        run=run,
        step=step,
        fingerprint=shown,
        choice=cast(Choice, choice),
        text=text,
        comment=comment,
        offer=offer,
        who=clip(visible(user[: 2 * MAX_NAME]).strip(), MAX_NAME) if type(user) is str else "",
    )


def reaches_too_far(answer: Answer, proposal: Proposed) -> str:
    """Return why this answer is not possible for this proposal; "" if it is."""
    if answer.offer and (answer.offer, answer.choice) not in {(offer.id, offer.choice) for offer in proposal.offers}:
        return "this was not offered"
    if proposal.kind == "context" and answer.choice not in ("approve", "edit", "refuse", "stop"):
        return "what of the notebook is sent is chosen for one run"
    return confined(proposal) if answer.choice == "approve_kind" else ""


def confined(proposal: Proposed) -> str:
    """Return why the session's further code cannot be approved together with this proposal; "" if it can.

    The sandbox must be isolated and without a network, and all of this code must be visible.
    """
    if proposal.kind != "code":
        return "only code can be approved for the session"
    if why := exposure(proposal.boundary):
        return f"{why}, so code cannot be approved for the session"
    if any(finding.kind in NOT_AS_IT_IS for finding in proposal.findings):
        return "this code cannot be shown as it is, so code cannot be approved for the session"
    return ""


def mismatch(answer: Answer, pending: tuple[str, int, str] | None, last: tuple[str, int, str] | None) -> str:
    """Return why the answer does not match the pending proposal; "" if it matches.

    Args:
        pending: run, step and fingerprint of the pending proposal.
        last: the same of the previous proposal.
    """
    given = (answer.run, answer.step, answer.fingerprint)
    if pending is not None and given == pending:
        return ""
    if given == last:
        return "this step was answered already"
    if pending is None or given[0] != pending[0]:
        return "nothing waits for an answer here"
    if given[1] != pending[1]:
        return f"that was step {given[1]}; step {pending[1]} is the one that waits"
    return "what you were shown is not what waits now"


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


# --- One run on its card, and its open question.


@dataclass
class _PendingQuestion:
    """A proposal that waits for a person, on the driver's loop."""

    proposal: Proposed
    loop: asyncio.AbstractEventLoop
    answer: asyncio.Future[Answer]
    page: asyncio.Event = field(default_factory=asyncio.Event)  # set by any message of the page

    @property
    def key(self) -> Key:
        return self.proposal.run, self.proposal.step, self.proposal.fingerprint

    def wake(self) -> None:
        self._call(self.page.set)

    def take(self, answer: Answer) -> None:
        self._call(lambda: None if self.answer.done() else self.answer.set_result(answer))

    def _call(self, call: Callable[[], object]) -> None:
        try:
            self.loop.call_soon_threadsafe(call)
        except RuntimeError:  # the loop is closed: the run has ended
            log.debug("An answer arrived after the run's end")


class _ShownRun:
    """The view's state of one run: its card, the open questions, and whether a page has sent a message."""

    def __init__(self, card: Card) -> None:
        self.card = card
        self.lock = threading.Lock()
        self.turn = asyncio.Lock()  # one proposal at a time
        self.asking: _PendingQuestion | None = None
        self.last: Key | None = None
        self.heard = self.ready = self.warned = self.alone = False
        self.elsewhere: View | None = None  # the fallback, which also shows the run once it has asked
        self.shown: list[Event] = []  # events that the fallback shows first

    def tell(self, event: Event | Delta) -> None:
        """Show the event in the fallback, if that asks the person, and on the card, whose record comes last."""
        if self.elsewhere is not None:
            self.elsewhere.show(event)
        self.card.add(event)
        if self.elsewhere is not None:
            return
        if isinstance(event, Ended) and event.run == self.card.run:
            self.shown.clear()  # no question is open any more
        elif not isinstance(event, Delta):
            self.shown.append(event)

    def move(self, view: View) -> None:
        """Show the run in this view, too, from the part that it missed. It only asks about proposals that it has shown."""
        missed, self.shown = self.shown, []
        self.elsewhere = view
        for event in missed:
            view.show(event)

    def begin(self, asking: _PendingQuestion) -> None:
        with self.lock:
            self.asking = asking
        run, step, shown = asking.key
        offers = [{"id": each.id, "label": each.label, "choice": each.choice} for each in asking.proposal.offers]
        offered: dict[str, Any] = {"why": asking.proposal.why, "session": not confined(asking.proposal)}
        if offers:
            offered["offers"] = offers
        if asking.proposal.pieces:
            offered["pieces"] = [{**asdict(each), "line": line_of(each)} for each in asking.proposal.pieces]
        self.card.put_pending({"run": run, "step": step, "fingerprint": shown, **offered})

    def end(self, asking: _PendingQuestion) -> None:
        with self.lock:
            if self.asking is not asking:
                return
            self.asking, self.last = None, asking.key
        self.card.put_pending(None)

    def take(self, answer: Answer) -> str:
        """Pass the answer on if it matches the pending proposal; else return why not."""
        with self.lock:
            asking = self.asking
            why = mismatch(answer, asking.key if asking else None, self.last)
            if asking is not None:
                why = why or reaches_too_far(answer, asking.proposal)
            if why or asking is None:
                return why
            self.asking, self.last = None, asking.key
        self.card.put_pending(None)
        asking.take(answer)
        return ""

    def answer_pending(self, choice: Choice) -> None:
        """Answer the pending proposal, if there is one."""
        asking = self.asking
        if asking is not None:
            self.take(Answer.to(asking.proposal, choice))

    def hear(self, kind: str) -> None:
        with self.lock:
            self.heard = True
            self.ready = self.ready or kind != "init"
            asking = self.asking
        if asking is not None:
            asking.wake()


@dataclass(frozen=True)
class _PersonFinder:
    """Waits for a page that shows a question, and asks without one. See ``WidgetView`` for the fields."""

    fallback: View | None
    stdin: Callable[[], bool]
    hears: Callable[[], bool]
    grace: float
    grace_stdin: float

    async def find_page(self, run: _ShownRun, asking: _PendingQuestion) -> bool:
        """Wait for a page's first message, as long as a page may take. A page of an untrusted notebook only sends one of two."""
        grace = 0.0 if run.alone or not self.hears() else self.grace_stdin if self.stdin() else self.grace
        try:
            async with asyncio.timeout(grace):
                while not run.ready:
                    await asking.page.wait()
                    asking.page.clear()
        except TimeoutError:
            run.alone = not run.heard
        return run.heard

    async def ask_elsewhere(self, run: _ShownRun, proposal: Proposed) -> Answer:
        """Ask with the fallback, which shows the run from now on, too; "nobody" if there is none, or no one can type."""
        if self.fallback is None or not self.stdin():
            return Answer.to(proposal, "nobody")
        if run.elsewhere is None:
            run.move(self.fallback)
        return await self.fallback.ask(proposal)


class WidgetView(BaseView):
    """A card in the notebook for each run.

    Args:
        waiter: posts calls to the calling thread, which sends all messages to the page.
        display: shows a widget in the running cell's output; by default IPython's ``display``. Returns a function that replaces the
            widget with data.
        publish: puts the record of an ended run, as MIME type to data, into the running cell's output, so that the saved notebook is
            readable; by default IPython's ``display``. The card hides the record. Returns a function that replaces it. In a run without a
            person it also gets the output's metadata.
        fallback: asks if there is no page and ``stdin()`` is true.
        stdin: returns whether ``input()`` can reach a person from the running cell.
        watched: whether a page may show the running cell; if not, a card is made only for a question.
        hears: whether a waiting cell can receive its page's messages at all; if not, the fallback asks at once.
        grace: seconds to wait for a page's first message, if ``input()`` is not possible.
        grace_stdin: the same, if it is possible.
        notify: tells the person something outside of the card, on the calling thread; by default ``print``.
        pace: seconds between messages with streamed text.

    Attributes:
        on_stop: called with the run's id when Stop is pressed, on the thread that received the message.
        on_export: returns a run's steps as ordinary cells, as JSON for the page (message ``cells``); called on the same thread.
        requests: functions for other requests of a page, by name; called on their own thread.
    """

    def __init__(
        self,
        waiter: Waiter,
        *,
        display: Callable[[Any], Publish | None] | None = None,
        publish: Callable[..., Publish | None] | None = None,
        fallback: View | None = None,
        stdin: Callable[[], bool] = lambda: False,
        watched: Callable[[], bool] = lambda: True,
        hears: Callable[[], bool] = lambda: True,
        grace: float = 3.0,
        grace_stdin: float = 10.0,
        notify: Callable[[str], object] = print,
        pace: float = PACE_SECONDS,
    ) -> None:
        self.on_stop: Callable[[str], object] | None = None
        self.on_export: Callable[[str], dict[str, Any]] | None = None
        self.requests: Mapping[str, Request] = {}
        self._waiter, self._notify, self._pace, self._watched = waiter, notify, pace, watched
        self._display, self._publish = display or display_widget, publish or _publish
        self._finder = _PersonFinder(fallback, stdin, hears, grace, grace_stdin)
        self._runs: dict[str, _ShownRun] = {}
        self._newest = ""
        self._lock = threading.Lock()

    def prepare(self, run: str, task: str = "") -> None:
        """Make the run's card and show it at once. Call it on the calling thread, in the card's cell."""
        card = self._run(run).card
        card.title = card.title or task
        card.open()

    def show(self, event: Event | Delta) -> None:
        """Put an event on its run's card. Thread-safe; never blocks."""
        known = event.run or self._newest
        with self._lock:  # retiring old cards changes the table, too
            if isinstance(event, Asked) and event.parent in self._runs:
                self._runs[event.run] = self._runs[event.parent]  # a managed agent's run is shown on its manager's card
        if isinstance(event, Asked) or known in self._runs:
            self._run(known).tell(event)

    async def ask(self, proposal: Proposed) -> Answer:
        """Wait for the person's answer to this proposal, from the page or the fallback.

        Returns:
            The answer; its choice is ``nobody`` if no page sent a message in time and there is no fallback.
        """
        run = self._run(proposal.run)
        run.card.hidden = False
        async with run.turn:
            loop = asyncio.get_running_loop()
            asking = _PendingQuestion(proposal, loop, loop.create_future())
            run.begin(asking)
            try:
                if await self._finder.find_page(run, asking):
                    self._warn_if_untrusted(run, proposal)
                    return await asking.answer
            finally:
                run.end(asking)
            return await self._finder.ask_elsewhere(run, proposal)

    def _warn_if_untrusted(self, run: _ShownRun, proposal: Proposed) -> None:
        if not run.ready and not run.warned:
            run.warned = True
            self.show(Delta(channel="progress", text=UNTRUSTED, run=run.card.run, step=proposal.step))
            self._waiter.post(lambda: self._notify(UNTRUSTED))

    def close(self) -> None:
        """End every card: it accepts no answers any more, and open questions are answered with ``nobody``.

        Idempotent.
        """
        with self._lock:
            runs, self._runs = list(dict.fromkeys(self._runs.values())), {}
        for run in runs:
            run.answer_pending("nobody")
            if not run.card.over:
                run.card.end()

    # --- the page's messages --------------------------------------------------------------------------------------------

    def _hear(self, card: Card, content: Any) -> None:
        """Handle a message of the page, on the thread that received it. Never raises: no cell would show the error."""
        try:
            if isinstance(content, Mapping):
                self._read(self._runs.get(card.run), card, content)
        except Exception:
            log.exception("A message of the page could not be read")

    def _read(self, run: _ShownRun | None, card: Card, content: Mapping[str, Any]) -> None:
        kind = content.get("type")
        if run is not None and kind in ("init", "ready", "sync", "answer", "stop"):
            run.hear(kind)
        if kind in ("ready", "sync"):
            card.put_snapshot()
        elif kind == "answer":
            self._answer(run, card, content)
        elif kind == "stop" and run is not None and content.get("run") == card.run:
            self._stop(run)
        elif kind == "export" and _is_id(content.get("id")) and self.on_export is not None:
            card.put("cells", id=content["id"], **self.on_export(card.run))
        elif isinstance(kind, str) and kind in self.requests:
            self._request(card, self.requests[kind], content)
        elif kind == "record" and _is_id(content.get("id")):
            card.put_record(content["id"])
        elif kind == "library" and content.get("name") in LIBRARIES:
            card.put("library", name=content["name"])
        elif kind == "picture" and (picture := read_picture(content)) is not None:
            card.add_picture(picture)

    def _request(self, card: Card, request: Request, content: Mapping[str, Any]) -> None:
        """Answer a page's request, on a new thread: it may take long."""
        question, choice = content.get("id"), content.get("choice", "")
        if not _is_id(question) or not _is_id(choice):
            return

        def answer() -> None:
            try:
                reply = request(card.run, choice)
            except Exception as error:
                log.exception("A question of the page could not be answered")
                reply = {"why": f"{type(error).__name__}: {error}"}
            card.put("reply", id=question, said=reply)

        threading.Thread(target=answer, name="smolcell-request", daemon=True).start()

    def _answer(self, run: _ShownRun | None, card: Card, content: Mapping[str, Any]) -> None:
        answer_id = content.get("id")
        if not _is_id(answer_id):
            return
        try:
            answer = read_answer(content)
            why = "this run is over" if run is None or card.over else run.take(answer)
        except BadAnswerError as error:
            why = str(error)
        card.put("verdict", id=answer_id, ok=not why, why=why)

    def _stop(self, run: _ShownRun) -> None:
        if run.card.over:
            return
        if self.on_stop is not None:
            self.on_stop(run.card.run)
        else:
            run.answer_pending("stop")

    def _conclude(self, events: list[dict[str, Any]]) -> Conclude | None:
        """Publish the record. Returns a function that publishes it again for changed events.

        Without a person (no page, and input is not possible) only the record stays: a notebook that nbconvert or papermill saves has
        no widget code and no empty output. The same run again gives the same data, so that nbval and diffs see no change.
        """
        if not events or events[-1]["event"] != "Ended":
            return None
        run = self._runs.get(events[-1]["run"])
        shown_elsewhere = run is not None and run.elsewhere is not None
        if run is not None and not run.heard and not self._finder.stdin():
            record, metadata = transcript.steady_json(events)
            if run.card.hidden:
                self._publish(record, metadata=metadata)
            if run.card.hidden or run.card.give_way(record, metadata):
                return None
        update = self._publish(transcript.of_json(events, told=shown_elsewhere))
        self._retire(run)
        return None if update is None else lambda changed: update(transcript.of_json(changed, told=shown_elsewhere))

    def _retire(self, newest: _ShownRun | None) -> None:
        """Replace the cards of old runs by their records. On the calling thread."""
        with self._lock:
            over = [each for each in reversed(dict.fromkeys(self._runs.values())) if each.card.size]
            sizes = accumulate(each.card.size for each in over)
            old = {
                each
                for place, (each, size) in enumerate(zip(over, sizes, strict=True))
                if each is not newest and (place >= MAX_CARDS or size > MAX_CARDS_CHARS)
            }
            self._runs = {run: each for run, each in self._runs.items() if each not in old}
        for each in old:
            each.card.retire()

    # --- runs ---------------------------------------------------------------------------------------------------------

    def _run(self, run: str) -> _ShownRun:
        with self._lock:
            if run not in self._runs:
                card = Card(run, self._waiter, self._hear, self._display, self._conclude, self._pace)
                card.hidden = not self._watched()
                self._runs[run] = _ShownRun(card)
                self._newest = run
            return self._runs[run]


def _is_id(given: Any) -> TypeGuard[str]:
    """Return whether this is a plausible id of a page's message."""
    return type(given) is str and len(given) <= 100


def display_widget(widget: Any, *, text: bool = True) -> Publish:
    """Show a widget in the running cell's output. Returns a function that replaces it with data.

    Args:
        widget: the card's widget.
        text: also show it as plain text, for a front end without widgets.
    """
    from IPython.display import display

    handle = display(widget, display_id=True, exclude=() if text else ("text/plain",))
    return functools.partial(handle.update, raw=True)


def _publish(record: dict[str, Any], **metadata: Any) -> Publish:
    from IPython.display import display

    return functools.partial(display(record, raw=True, display_id=True, **metadata).update, raw=True)
