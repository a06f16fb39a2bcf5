"""One run's card in the kernel: its numbered messages, and the widget that carries them.

* ``add`` and the ``put_`` methods are thread-safe and never block; the widget is made and used only in posted calls, that is, on the
  calling thread.
* Messages are sent in the order of their numbers. Streamed text is merged, so that at most about twenty pieces are sent per second; an
  event is sent at once, after the text before it.
* Memory is bounded: of streamed text only the first part is kept, until its event; of outputs only what the page shows; after the run
  what the notebook may save, until the card is retired.
"""

from __future__ import annotations

import gzip
import json
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from smolcell.core.text import one_line
from smolcell.events import Asked, Delta, Ended, Event, Observed, Replied, step_of, to_json
from smolcell.machine.environment import importing
from smolcell.protocols import Waiter
from smolcell.views import transcript
from smolcell.views.outputs import Picture, add_picture, fitted, fitted_live, record, redacted
from smolcell.worker.supervisor.meters import drop_overwritten_piece
from smolcell.worker.wire.bounds import CLEAR

log = logging.getLogger("smolcell")

Json = dict[str, Any]
Conclude = Callable[[list[Json]], object]
Publish = Callable[..., object]  # shows other data, and metadata, in the same place
Key = tuple[str, str, int, int]  # run, channel, step, place of a display
PACE_SECONDS = 0.05  # seconds between messages with streamed text
MAX_TEXT_CHARS = 200_000  # characters of streamed text, per step and channel
LEFT_OUT = "\n… more came, and is not shown while it is under way …\n"


class CardMessages:
    """The messages of one run that are not sent yet, and its streamed text. Whoever uses it holds the card's lock.

    Args:
        run: the run's id.

    Attributes:
        queue: numbered and other messages, in the order in which they are sent.
        events: the JSON of the events so far.
        pending: the proposal that waits for an answer, as JSON.
        over: whether nothing can be answered any more.
    """

    def __init__(self, run: str) -> None:
        self.run = run
        self.queue: list[Json] = []
        self.events: list[Json] = []
        self.pending: Json | None = None
        self.over = False
        self._fresh: dict[Key, str] = {}  # streamed text without a number
        self._text: dict[Key, str] = {}  # all streamed text, for snapshots
        self._seq = 0

    def number(self, **message: Any) -> None:
        """Add a message that the page must not miss, after the text that came before it."""
        self.number_text()
        self._add_numbered(message)

    def number_text(self) -> None:
        """Add messages for the streamed text so far."""
        for key, text in self._fresh.items():
            self._add_numbered({"type": "delta", "delta": self._delta(key, text)})
        self._fresh.clear()

    def add_snapshot(self, events: list[Json]) -> None:
        """Add the whole state, with these events."""
        self.number_text()
        deltas = [self._delta(key, text) for key, text in self._text.items()]
        message = {"type": "snapshot", "seq": self._seq, "events": events, "deltas": deltas}
        self.queue.append({**message, "pending": self.pending, "live": not self.over})

    def wait_for(self, pending: Json | None) -> None:
        """Tell the page which proposal waits for an answer; None: none does."""
        self.pending = pending
        self.number(type="pending", pending=pending)

    def add_text(self, delta: Delta) -> bool:
        """Add streamed text. Returns whether there is any to send."""
        key = (delta.run or self.run, delta.channel, delta.step, 0)
        before = "" if CLEAR in delta.text else self._text.get(key, "")
        text = bounded(before, delta.text)
        if self.over or not text:
            return False
        if delta.channel == "progress":
            self._text[key] = self._fresh[key] = text
        else:
            self._text[key] = drop_overwritten_piece(before + text)
            self._fresh[key] = drop_overwritten_piece(self._fresh.get(key, "") + text)
        return True

    def add_display(self, delta: Delta) -> None:
        """Add a display of a running step; only the newest state is sent if displays change quickly."""
        if self.over:
            return
        shown = fitted_live(json.loads(delta.text))
        place = delta.run or self.run, "display", delta.step
        for texts in (self._text, self._fresh):
            for key in list(texts):
                if key[:3] == place and key[3] >= shown["count"]:
                    del texts[key]
        key, text = (*place, shown["at"]), json.dumps(shown)
        if shown["data"] is not None:
            self._text[key] = text
        self._fresh[key] = text

    def discard_reply(self, delta: Delta) -> None:
        """Discard the shown part of a reply."""
        for channel in ("reply", "reasoning"):
            key = (delta.run or self.run, channel, delta.step, 0)
            self._fresh.pop(key, None)
            if key in self._text:
                self._text[key] = ""

    def forget_text(self, event: Event) -> None:
        """Forget the streamed text that an event replaces."""
        step = step_of(event)
        done = {Replied: ("reply", "reasoning"), Observed: ("output", "display")}.get(type(event), ())
        for key in list(self._text):
            run, channel, n, _ = key
            if run == event.run and (channel == "progress" or (channel in done and n == step)):
                del self._text[key]

    def end(self) -> None:
        """Forget everything but the messages that are not sent yet: the run is over and saved."""
        self.events, self._text = [], {}

    def _add_numbered(self, message: Json) -> None:
        self._seq += 1
        self.queue.append({**message, "seq": self._seq})

    def _delta(self, key: Key, text: str) -> Json:
        run, channel, step, _ = key
        delta = {"channel": channel, "step": step, "text": text}
        return delta if run == self.run else {**delta, "run": run}


class Pacer:
    """Posts a call: at once, or paced, which is at most once a pace. Thread-safe.

    Args:
        post: posts the call to the calling thread.
        call: the call; it begins with ``begin``.
        pace: seconds between paced calls.
    """

    def __init__(self, post: Callable[[Callable[[], object]], object], call: Callable[[], object], pace: float) -> None:
        self._post, self._call, self._pace = post, call, pace
        self._lock = threading.Lock()
        self._queued = False
        self._timer: threading.Timer | None = None
        self._began_at = self._hurried_at = 0.0

    def begin(self) -> None:
        """Note that the call begins: from now on another one may be posted."""
        with self._lock:
            self._queued, self._began_at = False, time.monotonic()

    def soon(self, paced: bool = False) -> None:
        """Post the call, unless it is posted already."""
        with self._lock:
            if self._queued or (paced and self._timer is not None):
                return
            wait = self._began_at + self._pace - time.monotonic() if paced else 0.0
            if wait > 0:
                self._timer = threading.Timer(wait, self._on_timer)
                self._timer.daemon = True
                self._timer.start()
                return
            self._queued = True
        self._post(self._call)

    def hurry(self) -> None:
        """Post the call at once, but paced if this was called less than a pace ago."""
        with self._lock:
            now = time.monotonic()
            paced = now - self._hurried_at < self._pace
            self._hurried_at = self._hurried_at if paced else now
        self.soon(paced)

    def _on_timer(self) -> None:
        with self._lock:
            self._timer = None
        self.soon()


class CardWidget:
    """The widget of a card, made when it is first needed. Use it on the calling thread.

    Args:
        run: the run's id.
        display: shows the widget in the cell's output. Returns a function that replaces it with data.
        hear: called with each message of the page, on any thread.
    """

    def __init__(self, run: str, display: Callable[[Any], Publish | None], hear: Callable[[Any], object]) -> None:
        self._run, self._display, self._hear = run, display, hear
        self._widget: Any = None
        self._replace: Publish | None = None
        self._closed = False

    def open(self, title: str) -> None:
        """Make and show the widget. Idempotent. A failure is logged, once."""
        if self._widget is not None or self._closed:
            return
        try:
            self._widget = widget_class()()
            self._widget.run, self._widget.title = self._run, one_line(title)
            self._widget.on_msg(lambda _widget, content, _buffers: self._hear(content))
            self._replace = self._display(self._widget)
        except Exception:
            self._closed = True
            log.exception("The card of run %s could not be shown", self._run)

    def send(self, message: Json) -> None:
        """Send a message to the page, if there is a widget."""
        if self._widget is not None:
            packed = [packed_library(message["name"])] if message["type"] == "library" else None
            self._widget.send(as_wire(message), packed)

    def leave(self, events: list[Json]) -> None:
        """Put the run into the widget's state: a notebook that saves widget state shows it."""
        if self._widget is not None:
            with self._widget.hold_sync():
                self._widget.snapshot, self._widget.live = json.dumps(record(events)["events"]), False

    def give_way(self, record: Json, metadata: Json) -> bool:
        """Show a run's record instead, and remove the code from the widget's state. Returns False if there is no widget, or the front
        end cannot replace it."""
        if self._widget is None or self._replace is None:
            return False
        self._replace(record, metadata=metadata)
        with self._widget.hold_sync():
            self._widget._esm = self._widget._css = self._widget.snapshot = ""
        self.close()
        return True

    def close(self) -> None:
        """Remove the widget from the page, and make no other one."""
        widget, self._widget, self._closed = self._widget, None, True
        if widget is not None:
            widget.close()


class Card:
    """One run's card: events, text and answers go to the page as messages of one widget.

    Args:
        run: the run's id.
        waiter: posts calls to the calling thread.
        on_message: called with each message of the page, and this card, on any thread.
        display: shows the widget in the cell's output. Returns a function that replaces it with data.
        conclude: called with the run's events as JSON, redacted, at its end, on the calling thread. It may return a function for when
            pictures of charts arrive later.
        pace: seconds between messages with streamed text.

    Attributes:
        hidden: whether the widget is not made yet, because no page may show it.
        title: the task, for the widget.
        widget: used on the calling thread only.
    """

    def __init__(
        self,
        run: str,
        waiter: Waiter,
        on_message: Callable[[Card, Any], None],
        display: Callable[[Any], Publish | None],
        conclude: Callable[[list[Json]], Conclude | None],
        pace: float = PACE_SECONDS,
    ) -> None:
        self.run, self.title, self.hidden = run, "", False
        self.widget = CardWidget(run, display, lambda content: on_message(self, content))
        self._conclude = conclude
        self._conclude_again: Conclude | None = None
        self._lock = threading.Lock()
        self._messages = CardMessages(run)
        self._pacer = Pacer(waiter.post, self.flush, pace)
        self._saved = ""  # after the end, the events as the notebook may save them
        self._late = False  # these have changed since

    # --- any thread ---------------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether nothing can be answered any more."""
        return self._messages.over

    @property
    def size(self) -> int:
        """Characters kept for pages that are loaded again, after the run's end; 0 before."""
        return len(self._saved)

    def add(self, event: Event | Delta) -> None:
        """Add an event or delta, and send it to the page."""
        if isinstance(event, Delta):
            self._add_delta(event)
            return
        data = fitted(to_json(event))
        data.pop("nonce", None)  # of a permit: not needed outside this process
        with self._lock:
            messages = self._messages
            messages.number_text()
            if self._saved:  # steps of an ended run were undone
                self._saved, self._late = json.dumps([*json.loads(self._saved), *redacted([data])]), True
            else:
                messages.events.append(data)
            messages.forget_text(event)
            if isinstance(event, Asked) and event.run == self.run:
                self.title = event.task
            if isinstance(event, Ended) and event.run == self.run:
                messages.over, messages.pending = True, None
            messages.number(type="event", event=data)
        self._pacer.soon()

    def _add_delta(self, delta: Delta) -> None:
        if delta.channel == "display":
            with self._lock:
                self._messages.add_display(delta)
            self._pacer.soon(paced=True)
            return
        discarded = delta.channel == "discarded"
        if discarded:  # the state is sent again without it, and the reason
            with self._lock:
                self._messages.discard_reply(delta)
            delta = replace(delta, channel="progress")
        with self._lock:
            added = self._messages.add_text(delta)
        if added and delta.channel == "progress":
            self._pacer.hurry()  # a tool may soon occupy the calling thread
        elif added:
            self._pacer.soon(paced=True)
        if discarded and not self.over:
            self.put_snapshot()

    def put_pending(self, pending: Json | None) -> None:
        """Tell the page which proposal waits for an answer; None: none does."""
        with self._lock:
            if self.over:
                return
            self._messages.wait_for(pending)
        self._pacer.soon()

    def put_snapshot(self) -> None:
        """Send the whole state, to a page that has just loaded or missed messages."""
        with self._lock:
            self._messages.add_snapshot(self._events())
        self._pacer.soon()

    def put(self, kind: str, **content: Any) -> None:
        """Send an answer to a message of a page."""
        with self._lock:
            self._messages.queue.append({"type": kind, **content})
        self._pacer.soon()

    def put_record(self, request: str) -> None:
        """Send the record of the ended run to a page that was loaded again, and so missed the output."""
        if self._saved:
            self.put("record", id=request, data=transcript.of_json(self._events()))

    def add_picture(self, picture: Picture) -> None:
        """Store the page's picture of a chart. If the run has ended, its record is made again."""
        with self._lock:
            events = json.loads(self._saved) if self._saved else self._messages.events
            if not add_picture(events, picture) or not self._saved:
                return
            self._saved, self._late = json.dumps(events), True
        self._pacer.soon(paced=True)

    def end(self) -> None:
        """Tell the page that nothing on this card can be answered any more, if the run left without its ``Ended``."""
        with self._lock:
            self._messages.over = True
            self._messages.wait_for(None)
        self._pacer.soon()

    def _events(self) -> list[Json]:
        events: list[Json] = json.loads(self._saved) if self._saved else list(self._messages.events)
        return events

    # --- the calling thread -------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Make and show the widget, unless it is hidden. Idempotent."""
        if not self.hidden:
            self.widget.open(self.title)

    def flush(self) -> None:
        """Send the queued messages. After an interrupt, the next flush sends the rest; the page drops duplicates by number."""
        self._pacer.begin()
        self.open()
        with self._lock:
            self._messages.number_text()
            ended = self.over and not self._saved
            late, self._late = self._late, False
        queue = self._messages.queue
        while queue:
            try:
                self.widget.send(queue[0])
            except Exception:
                del queue[0]
                raise
            del queue[0]
        if ended:
            self._save()
        elif late:
            self.widget.leave(self._events())
            if self._conclude_again is not None:
                self._conclude_again(self._events())

    def _save(self) -> None:
        """Store the whole run, redacted."""
        with self._lock:
            events = redacted(self._messages.events)
            self._saved = json.dumps(events)
            self._messages.end()
        self.widget.leave(events)
        self._conclude_again = self._conclude(events)

    def give_way(self, record: Json, metadata: Json) -> bool:
        """Show the run's record instead. Returns False if there is no widget, or the front end cannot replace it."""
        gave = self.widget.give_way(record, metadata)
        self._saved = "" if gave else self._saved
        return gave

    def retire(self) -> None:
        """Remove the card of an ended run from the page and free its memory: the run's record, which it hid, is shown instead."""
        self._saved = ""
        self.widget.close()


def bounded(before: str, text: str) -> str:
    """Return the part of ``text`` that still fits after ``before``: all, a part and a note, or nothing."""
    room = MAX_TEXT_CHARS - len(before)
    if len(text) <= room:
        return text
    return text[:room] + LEFT_OUT if room >= 0 else ""


def as_wire(message: Json) -> Json:
    """Return a message, or, if it is not valid UTF-8 (a lone surrogate), its JSON as one ASCII string.

    Jupyter's own encoder raises on such a message; it must arrive unchanged, because a person decides about it.
    """
    try:
        json.dumps(message, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return {"type": "json", "text": json.dumps(message)}
    return message


# --- The widget of a card. The only code that uses anywidget, which is imported when the first card is shown.


STATIC = Path(__file__).parent / "static"


LIBRARIES = ("plotly", "vega", "editor")
"""Scripts for charts and the editor. The page asks for one when it first needs it."""


@cache
def packed_library(name: str) -> bytes:
    """Return a library's text, compressed: Jupyter's server drops messages of a kernel that sends more than 3 MB in 3 seconds."""
    return gzip.compress((STATIC / f"{name}.js").read_bytes(), mtime=0)


@cache
def widget_class() -> Any:
    """Return the widget's class. Imports anywidget."""
    with importing():
        import anywidget
        import traitlets

    class RunWidget(anywidget.AnyWidget):
        """The page side of one run. Live changes are custom messages; the traits are set at the run's end."""

        # anywidget adds these three traits to each widget whose class lacks them; an added trait would make a new class for each widget.
        _esm = traitlets.Unicode((STATIC / "widget.js").read_text(encoding="utf-8")).tag(sync=True)
        _css = traitlets.Unicode((STATIC / "widget.css").read_text(encoding="utf-8")).tag(sync=True)
        _anywidget_id = traitlets.Unicode(f"{__name__}.RunWidget").tag(sync=True)

        snapshot = traitlets.Unicode("").tag(sync=True)  # the run's events as JSON
        live = traitlets.Bool(True).tag(sync=True)
        title = ""
        run = ""

        def add_traits(self, **traits: Any) -> None:
            """Add only those traits that the class does not have."""
            added = {name: trait for name, trait in traits.items() if not self.has_trait(name)}
            if added:
                super().add_traits(**added)

        def close(self) -> None:
            """Close the widget, and its layout, which ipywidgets would keep."""
            layout = self.layout
            super().close()
            layout.close()

        def __repr__(self) -> str:
            """Return the text beside the widget in the saved notebook, and in consoles."""
            return f"smolcell run: {self.title}" if self.title else "smolcell run"

    return RunWidget
