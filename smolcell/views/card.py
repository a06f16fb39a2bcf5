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


class Card:
    """The messages of one run, and the widget that carries them.

    Args:
        run: the run's id.
        waiter: posts calls to the calling thread.
        on_message: called with each message of the page, and this card, on any thread.
        display: shows the widget in the cell's output. Returns a function that replaces it with data.
        conclude: called with the run's events as JSON, redacted, at its end, on the calling thread. It may return a function for when
            pictures of charts arrive later.
        pace: seconds between messages with streamed text.
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
        self.run = run
        self.over = False
        self.hidden = False  # the widget is made only once it is needed
        self._waiter, self._on_message, self._pace = waiter, on_message, pace
        self._display, self._conclude = display, conclude
        self._lock = threading.Lock()
        self._out: list[Json] = []  # numbered, not sent yet
        self._fresh: dict[Key, str] = {}  # streamed text without a number
        self._text: dict[Key, str] = {}  # all streamed text, for snapshots
        self._events: list[Json] = []
        self._saved = ""
        self._pending: Json | None = None
        self._seq = 0
        self.title = ""
        self._queued = self._late = False
        self._timer: threading.Timer | None = None
        self._sent_at = self._told_at = 0.0
        self._widget: Any = None
        self._replace: Publish | None = None
        self._conclude_again: Conclude | None = None
        self._broken = False

    # --- any thread ---------------------------------------------------------------------------------------------------

    def add(self, event: Event | Delta) -> None:
        """Add an event or delta, and send it to the page."""
        if isinstance(event, Delta):
            known = {"discarded": self._discard, "display": self._add_display}
            known.get(event.channel, self._add_text)(event)
            return
        data = fitted(to_json(event))
        data.pop("nonce", None)  # of a permit: not needed outside this process
        with self._lock:
            self._number_text()
            if self._saved:  # steps of an ended run were undone
                self._saved, self._late = json.dumps([*json.loads(self._saved), *redacted([data])]), True
            else:
                self._events.append(data)
            self._forget_text(event)
            if isinstance(event, Asked) and event.run == self.run:
                self.title = event.task
            if isinstance(event, Ended) and event.run == self.run:
                self.over, self._pending = True, None
            self._number({"type": "event", "event": data})
        self._flush_soon()

    def put_pending(self, pending: Json | None) -> None:
        """Tell the page which proposal waits for an answer; None: none does."""
        with self._lock:
            if self.over:
                return
            self._number_text()
            self._pending = pending
            self._number({"type": "pending", "pending": pending})
        self._flush_soon()

    def put_snapshot(self) -> None:
        """Send the whole state, to a page that has just loaded or missed messages."""
        with self._lock:
            self._number_text()
            events = json.loads(self._saved) if self._saved else list(self._events)
            deltas = [self._delta(key, text) for key, text in self._text.items()]
            message = {"type": "snapshot", "seq": self._seq, "events": events, "deltas": deltas}
            self._out.append({**message, "pending": self._pending, "live": not self.over})
        self._flush_soon()

    def put_verdict(self, answer_id: str, why: str) -> None:
        """Tell the page whether an answer was accepted; ``why`` is the reason if it was not."""
        with self._lock:
            self._out.append({"type": "verdict", "id": answer_id, "ok": not why, "why": why})
        self._flush_soon()

    def put_cells(self, request: str, cells: Json) -> None:
        """Send the page the run's steps as cells, as it asked: ``cells``, ``notes``, and in ``why`` the reason if there are none."""
        with self._lock:
            self._out.append({"type": "cells", "id": request, **cells})
        self._flush_soon()

    def put_reply(self, request: str, reply: Json) -> None:
        """Send the answer to a page's request."""
        with self._lock:
            self._out.append({"type": "reply", "id": request, "said": reply})
        self._flush_soon()

    def put_record(self, request: str) -> None:
        """Send the record of the ended run to a page that was loaded again, and so missed the output."""
        if self._saved:
            with self._lock:
                self._out.append({"type": "record", "id": request, "data": transcript.of_json(json.loads(self._saved))})
            self._flush_soon()

    def put_library(self, name: str) -> None:
        """Send the page a library that draws charts, as it asked."""
        if name in LIBRARIES:
            with self._lock:
                self._out.append({"type": "library", "name": name})
            self._flush_soon()

    def add_picture(self, picture: Picture) -> None:
        """Store the page's picture of a chart. If the run has ended, its record is made again."""
        with self._lock:
            events = json.loads(self._saved) if self._saved else self._events
            if not add_picture(events, picture) or not self._saved:
                return
            self._saved, self._late = json.dumps(events), True
        self._flush_soon(paced=True)

    def end(self) -> None:
        """Tell the page that nothing on this card can be answered any more, if the run left without its ``Ended``."""
        with self._lock:
            self.over, self._pending = True, None
            self._number({"type": "pending", "pending": None})
        self._flush_soon()

    # --- the calling thread -------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Make and show the widget, unless it is hidden. Idempotent. A failure is logged, once."""
        if self.hidden or self._widget is not None or self._broken:
            return
        try:
            self._widget = make_widget(self.run, self.title, lambda content: self._on_message(self, content))
            self._replace = self._display(self._widget)
        except Exception:
            self._broken = True
            log.exception("The card of run %s could not be shown", self.run)

    def flush(self) -> None:
        """Send the queued messages. After an interrupt, the next flush sends the rest; the page drops duplicates by number."""
        with self._lock:
            self._queued, self._sent_at = False, time.monotonic()
        self.open()
        with self._lock:
            self._number_text()
            over = self.over and not self._saved
            late, self._late = self._late, False
        while self._out:
            message = self._out[0]
            try:
                if self._widget is not None:
                    packed = [packed_library(message["name"])] if message["type"] == "library" else None
                    self._widget.send(as_wire(message), packed)
            except Exception:
                del self._out[0]
                raise
            del self._out[0]
        if over:
            self._save()
        elif late:
            self._leave(json.loads(self._saved))
            if self._conclude_again is not None:
                self._conclude_again(json.loads(self._saved))

    def _save(self) -> None:
        """Store the whole run, redacted, in the widget's state: a notebook that saves widget state shows it."""
        with self._lock:
            events = redacted(self._events)
            self._saved = json.dumps(events)
            self._events, self._text = [], {}
        self._leave(events)
        self._conclude_again = self._conclude(events)

    def _leave(self, events: list[Json]) -> None:
        if self._widget is not None:
            with self._widget.hold_sync():
                self._widget.snapshot, self._widget.live = json.dumps(record(events)["events"]), False

    def retire(self) -> None:
        """Remove the card of an ended run from the page and free its memory: the run's record, which it hid, is shown instead."""
        widget, self._widget, self._broken, self._saved = self._widget, None, True, ""
        if widget is not None:
            widget.close()

    def give_way(self, record: Json, metadata: Json) -> bool:
        """Show the run's record instead, and remove the widget's code from its state. Returns False if there is no widget, or the
        front end cannot replace it."""
        if self._widget is None or self._replace is None:
            return False
        self._replace(record, metadata=metadata)
        with self._widget.hold_sync():
            self._widget._esm = self._widget._css = self._widget.snapshot = ""
        self.retire()
        return True

    @property
    def size(self) -> int:
        """Characters kept for pages that are loaded again, after the run's end; 0 before."""
        return len(self._saved)

    # --- inside -------------------------------------------------------------------------------------------------------

    def _number(self, message: Json) -> None:
        self._seq += 1
        self._out.append({**message, "seq": self._seq})

    def _number_text(self) -> None:
        for key, text in self._fresh.items():
            self._number({"type": "delta", "delta": self._delta(key, text)})
        self._fresh.clear()

    def _delta(self, key: Key, text: str) -> Json:
        run, channel, step, _ = key
        delta = {"channel": channel, "step": step, "text": text}
        return delta if run == self.run else {**delta, "run": run}

    def _add_text(self, delta: Delta) -> None:
        key = (delta.run or self.run, delta.channel, delta.step, 0)
        news = delta.channel == "progress"
        with self._lock:
            before = "" if CLEAR in delta.text else self._text.get(key, "")
            text = bounded(before, delta.text)
            if self.over or not text:
                return
            if news:
                self._text[key] = self._fresh[key] = text
            else:
                self._text[key] = drop_overwritten_piece(before + text)
                self._fresh[key] = drop_overwritten_piece(self._fresh.get(key, "") + text)
            now = time.monotonic()
            paced = not news or now - self._told_at < self._pace  # a tool may soon occupy the calling thread
            self._told_at = now if not paced else self._told_at
        self._flush_soon(paced=paced)

    def _add_display(self, delta: Delta) -> None:
        """Add a display of a running step; only the newest state is sent if displays change quickly."""
        shown = fitted_live(json.loads(delta.text))
        run, text = delta.run or self.run, json.dumps(shown)
        with self._lock:
            if self.over:
                return
            for texts in (self._text, self._fresh):
                for key in list(texts):
                    if key[:3] == (run, "display", delta.step) and key[3] >= shown["count"]:
                        del texts[key]
            key = (run, "display", delta.step, shown["at"])
            if shown["data"] is not None:
                self._text[key] = text
            self._fresh[key] = text
        self._flush_soon(paced=True)

    def _discard(self, delta: Delta) -> None:
        """Discard the shown part of a reply: send the state again without it, and the reason."""
        with self._lock:
            for channel in ("reply", "reasoning"):
                key = (delta.run or self.run, channel, delta.step, 0)
                self._fresh.pop(key, None)
                if key in self._text:
                    self._text[key] = ""
        self._add_text(replace(delta, channel="progress"))
        if not self.over:
            self.put_snapshot()

    def _forget_text(self, event: Event) -> None:
        step = step_of(event)
        done = {Replied: ("reply", "reasoning"), Observed: ("output", "display")}.get(type(event), ())
        for key in list(self._text):
            run, channel, n, _ = key
            if run == event.run and (channel == "progress" or (channel in done and n == step)):
                del self._text[key]

    def _flush_soon(self, paced: bool = False) -> None:
        with self._lock:
            if self._queued or (paced and self._timer is not None):
                return
            wait = self._sent_at + self._pace - time.monotonic() if paced else 0.0
            if wait > 0:
                self._timer = threading.Timer(wait, self._on_timer)
                self._timer.daemon = True
                self._timer.start()
                return
            self._queued = True
        self._waiter.post(self.flush)

    def _on_timer(self) -> None:
        with self._lock:
            self._timer = None
        self._flush_soon()


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


def make_widget(run: str, title: str, on_message: Callable[[Any], None]) -> Any:
    """Return a widget for the run that passes the page's messages to ``on_message``, on the thread that receives them."""
    widget = widget_class()()
    widget.run = run
    widget.title = one_line(title)
    widget.on_msg(lambda _widget, content, _buffers: on_message(content))
    return widget
