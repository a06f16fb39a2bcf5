"""The runs of this kernel that are not over: told by a view that stands before the real one.

The rules this file exists to keep:

* The view behind is asked and shown exactly what it would be without this one; nothing here can break a run.
* A managed agent's run is its manager's: what waits there, waits there.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from smolcell.events import Allowed, Asked, Delta, Ended, Event, Observed, Proposed, Refused
from smolcell.protocols import Answer
from smolcell.redact import redact
from smolcell.roster import State, Underway
from smolcell.visible import visible

if TYPE_CHECKING:
    from smolcell.views.widget import WidgetView

SHORT = 120  # characters of a task


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a card is: its widget, the notebook cell it belongs to, the page that sent this cell; "" where nobody says."""

    widget: str = ""
    cell: str = ""
    client: str = ""


def placed(run: Underway, place: Place) -> Underway:
    """The run, with its card there."""
    return replace(run, widget=place.widget, cell=place.cell, client=place.client)


class Runs:
    """Folds events to what is under way. Safe from any thread.

    Args:
        changed: told all runs after each change, in order, one call at a time; does not block for long.
        now: seconds of the Unix epoch.
    """

    def __init__(self, changed: Callable[[tuple[Underway, ...]], object], now: Callable[[], float] = time.time) -> None:
        self._changed, self._now = changed, now
        self._runs: dict[str, Underway] = {}
        self._root: dict[str, str] = {}  # a managed agent's run → the run that it is part of
        self._places: dict[str, Place] = {}  # run → where its card is
        self._lock = threading.Lock()

    def all(self) -> tuple[Underway, ...]:
        """What is under way, in the order in which it began."""
        with self._lock:
            return tuple(self._runs.values())

    def note(self, event: Event) -> None:
        """Take what happened."""
        if isinstance(event, Asked):
            self._begin(event)
        elif isinstance(event, Ended):
            self._end(event.run)
        elif isinstance(event, Allowed):
            self.enter(event.run, "running", event.step)
        elif isinstance(event, (Observed, Refused)):
            self.enter(event.run, "thinking", event.step)

    def enter(self, run: str, state: State, step: int) -> None:
        """From now on the run does this."""
        root = self._root.get(run, run)
        with self._lock:
            known = self._runs.get(root)
            if known is None:
                return
            step = step if root == run else known.step
            if (known.state, known.step) != (state, step):
                self._put(replace(known, state=state, step=step, since=self._now()))

    def place(self, run: str, place: Place) -> None:
        """Say where the run's card is; before or after its beginning."""
        with self._lock:
            self._places[run] = place
            if run in self._runs:
                self._put(placed(self._runs[run], place))

    def clear(self) -> None:
        """Nothing is under way any more."""
        with self._lock:
            self._runs.clear()
            self._root.clear()
            self._places.clear()
            self._changed(())

    def _begin(self, event: Asked) -> None:
        parent = self._root.get(event.parent, event.parent)
        with self._lock:
            if parent in self._runs:
                self._root[event.run] = parent
                return
            now = self._now()
            task, session = title(event.task), title(event.session)
            begun = Underway(run=event.run, session=session, task=task, state="thinking", began=now, since=now)
            self._put(placed(begun, self._places.get(event.run, Place())))

    def _end(self, run: str) -> None:
        with self._lock:
            self._places.pop(run, None)
            self._root.pop(run, None)
            if self._runs.pop(run, None) is not None:
                self._changed(tuple(self._runs.values()))

    def _put(self, run: Underway) -> None:
        self._runs[run.run] = run
        self._changed(tuple(self._runs.values()))


def title(text: str) -> str:
    """The beginning of a text on one line, without secrets, and without characters that cannot be seen."""
    line = " ".join(visible(redact(text)).split())
    return line if len(line) <= SHORT else f"{line[: SHORT - 1]}…"


class NotedView:
    """A notebook's view, of which ``runs`` learns what is under way.

    Args:
        view: asked and shown everything.
        runs: told of it.
        closed: called when the view is closed, after all.
    """

    def __init__(self, view: WidgetView, runs: Runs, closed: Callable[[], object]) -> None:
        self._view, self._runs, self._closed = view, runs, closed

    def prepare(self, run: str, task: str = "") -> None:
        """See ``WidgetView.prepare``."""
        self._view.prepare(run, task)

    def show(self, event: Event | Delta) -> None:
        """See ``View.show``."""
        self._view.show(event)
        if not isinstance(event, Delta):
            self._runs.note(event)

    async def ask(self, proposal: Proposed) -> Answer:
        """See ``View.ask``."""
        self._runs.enter(proposal.run, "pending", proposal.step)
        try:
            return await self._view.ask(proposal)
        finally:
            self._runs.enter(proposal.run, "thinking", proposal.step)

    def close(self) -> None:
        """See ``WidgetView.close``."""
        self._view.close()
        self._runs.clear()
        self._closed()


def place_of(widget: str, kernel: Any) -> Place:
    """Where a card is that is shown now, on this thread, as far as the front end says."""
    try:
        parent = kernel.get_parent("shell")
        cell, client = parent["metadata"].get("cellId", ""), parent["header"].get("session", "")
    except (AttributeError, KeyError, LookupError, TypeError):
        cell = client = ""
    return Place(widget=widget, cell=_short(cell), client=_short(client))


def _short(text: Any) -> str:
    return text if isinstance(text, str) and len(text) <= SHORT else ""
