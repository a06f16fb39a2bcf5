"""The active runs of this kernel, observed by a view in front of the real one.

* The real view is called exactly as without this one; nothing here can break a run.
* A managed agent's run is part of its manager's: its questions count as the manager's.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from smolcell.core.text import presentable
from smolcell.events import Allowed, Asked, Delta, Ended, Event, Observed, Proposed, Refused
from smolcell.executors.registry import OpenSandbox, open_sandboxes
from smolcell.notebook.activity import ActiveRun, Roster, State
from smolcell.protocols import Answer, BaseView, Waiter

if TYPE_CHECKING:
    from smolcell.views.widget import WidgetView


log = logging.getLogger("smolcell")
TARGET = "smolcell"
MAX_TITLE_CHARS = 120  # characters of a task
MAX_NAME = 100  # characters of a run's id


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The place of a card: its widget, its notebook cell, and the page that sent this cell; "" if unknown."""

    widget: str = ""
    cell: str = ""
    client: str = ""


def with_place(run: ActiveRun, place: Place) -> ActiveRun:
    """Return the run with its card at this place."""
    return replace(run, widget=place.widget, cell=place.cell, client=place.client)


class Runs:
    """Folds events to the active runs. Thread-safe.

    Args:
        changed: called with all active runs after each change, in order, one call at a time; must not block for long.
        now: returns seconds of the Unix epoch.
    """

    def __init__(
        self, changed: Callable[[tuple[ActiveRun, ...]], object], now: Callable[[], float] = time.time
    ) -> None:
        self._changed, self._now = changed, now
        self._runs: dict[str, ActiveRun] = {}
        self._root: dict[str, str] = {}  # managed run → the run that it is part of
        self._places: dict[str, Place] = {}  # run → the place of its card
        self._lock = threading.Lock()

    def note(self, event: Event) -> None:
        """Add an event."""
        if isinstance(event, Asked):
            self._begin(event)
        elif isinstance(event, Ended):
            self._end(event.run)
        elif isinstance(event, Allowed):
            self.enter(event.run, "running", event.step)
        elif isinstance(event, (Observed, Refused)):
            self.enter(event.run, "thinking", event.step)

    def enter(self, run: str, state: State, step: int) -> None:
        """Set the run's state and step."""
        root = self._root.get(run, run)
        with self._lock:
            known = self._runs.get(root)
            if known is None:
                return
            step = step if root == run else known.step
            if (known.state, known.step) != (state, step):
                self._put(replace(known, state=state, step=step, since=self._now()))

    def place(self, run: str, place: Place) -> None:
        """Set the place of the run's card, before or after the run begins."""
        with self._lock:
            self._places[run] = place
            if run in self._runs:
                self._put(with_place(self._runs[run], place))

    def clear(self) -> None:
        """Forget the active runs."""
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
            begun = ActiveRun(run=event.run, session=session, task=task, state="thinking", began=now, since=now)
            self._put(with_place(begun, self._places.get(event.run, Place())))

    def _end(self, run: str) -> None:
        with self._lock:
            self._places.pop(run, None)
            self._root.pop(run, None)
            if self._runs.pop(run, None) is not None:
                self._changed(tuple(self._runs.values()))

    def _put(self, run: ActiveRun) -> None:
        self._runs[run.run] = run
        self._changed(tuple(self._runs.values()))


def title(text: str) -> str:
    """Return the beginning of a text on one line, redacted, with invisible characters made visible."""
    line = " ".join(presentable(text).split())
    return line if len(line) <= MAX_TITLE_CHARS else f"{line[: MAX_TITLE_CHARS - 1]}…"


class RunTracker(BaseView):
    """A notebook's view that also tells ``runs`` about the active runs.

    Args:
        view: the real view, which is called with everything.
        runs: the active runs.
        closed: called at the end of ``close``.
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
    """Return the place of a card that is shown now, on this thread, as far as the front end tells it."""
    try:
        parent = kernel.get_parent("shell")
        cell, client = parent["metadata"].get("cellId", ""), parent["header"].get("session", "")
    except (AttributeError, KeyError, LookupError, TypeError):
        cell = client = ""
    return Place(widget=widget, cell=_short(cell), client=_short(client))


def _short(text: Any) -> str:
    return text if isinstance(text, str) and len(text) <= MAX_TITLE_CHARS else ""


class SharedComm:
    """A comm that several pages of one kernel share. For the kernel, one page's close ends it for all pages.

    Args:
        comm: a new comm.
        hear: called with each message of a page.
        closed: called with the message of a page that closes it; ``keep`` keeps it for the other pages.

    Attributes:
        kept: whether it was kept after a page had closed it.
    """

    def __init__(self, comm: Any, hear: Callable[[Any], object], closed: Callable[[Any], object]) -> None:
        self.kept, self._comm = False, comm
        self.send = comm.send
        comm.on_msg(hear)
        comm.on_close(closed)

    def keep(self) -> None:
        """Reopen it after a page's close."""
        from comm import get_comm_manager

        self.kept = True
        get_comm_manager().register_comm(self._comm)

    def close(self) -> None:
        """Close it for all pages that still have it. Idempotent."""
        if self.kept:  # the comm object itself is already closed
            from comm import get_comm_manager

            self.kept = False
            self._comm.publish_msg("comm_close")
            get_comm_manager().unregister_comm(self._comm)
        self._comm.close()


# --- Tells pages and other processes which runs are active in this kernel; lets pages stop a run.
#
# * Pages get a comm that is opened with the first run, on the calling thread, like all messages to the page. A front end that does
#   not know such comms closes it, and gets no other before the next run. A page that knows them asks for the list, and then gets all
#   changes.
# * A page's messages are not trusted; they can ask for the lists of runs and of variables and stop a run, and nothing else.
# * Other processes read the runs from the roster, also while the kernel is busy.


class Announcer:
    """Announces changes.

    Args:
        waiter: posts calls to the calling thread.
        roster: this kernel's file.
        stop: called with the id of a run that a page stops, on the thread that received the message.
        open_comm: makes and opens a comm of this target.
        sandboxes: returns the open sandboxes.
        variables: returns the variables of the sessions' sandboxes, by session. Called on its own thread, since it blocks.
        watched: whether a page may show the running cell; if not, no comm is opened.
    """

    def __init__(
        self,
        waiter: Waiter,
        roster: Roster,
        stop: Callable[[str], object],
        open_comm: Callable[[str], Any] | None = None,
        sandboxes: Callable[[], Sequence[OpenSandbox]] = open_sandboxes,
        variables: Callable[[], list[dict[str, Any]]] = list,
        watched: Callable[[], bool] = lambda: True,
    ) -> None:
        self._waiter, self._roster, self._stop, self._sandboxes = waiter, roster, stop, sandboxes
        self._watched = watched
        self._open_comm, self._variables = open_comm or _open_comm, variables
        self._listing = False
        self._lock, self._writing = threading.Lock(), threading.Lock()
        self._runs: tuple[ActiveRun, ...] = ()
        self._queued = False
        self._comm: SharedComm | None = None
        self._known = False  # a page has asked for the list
        self._opened: frozenset[str] = frozenset()  # the active runs when a comm was last opened

    def changed(self, runs: tuple[ActiveRun, ...]) -> None:
        """Announce the active runs. Thread-safe; one call at a time."""
        with self._writing:
            self._runs = runs
            self._roster.write(runs, self._sandboxes())
        self._send_soon()

    def used(self) -> None:
        """Announce a change of the sandboxes. Thread-safe. Pages are not told: they ask the server."""
        with self._writing:
            self._roster.write(self._runs, self._sandboxes())

    def close(self) -> None:
        """Stop announcing. Idempotent."""
        self._roster.close()
        self._close_comm()

    def _close_comm(self) -> None:
        comm, self._comm = self._comm, None
        if comm is not None:
            comm.close()

    def _send_soon(self) -> None:
        with self._lock:
            if self._queued:
                return
            self._queued = True
        self._waiter.post(self._send)

    def _send(self) -> None:
        with self._lock:
            self._queued = False
            runs = self._runs
        names = frozenset(run.run for run in runs)
        if self._listener() is None and names - self._opened and self._watched():
            self._close_comm()
            self._opened, self._known = names, False
            self._comm = SharedComm(self._open_comm(TARGET), self._hear, self._closed)
        if (comm := self._listener()) is not None:
            comm.send({"type": "runs", "runs": [asdict(run) for run in runs]})

    def _listener(self) -> SharedComm | None:
        """Return the comm; None if there is none, or all pages have left it."""
        return None if self._comm is None or (self._comm.kept and not self._known) else self._comm

    def _closed(self, _: Any) -> None:
        """Handle a page's closing of the comm: pages that know it keep using it."""
        if self._comm is not None:
            self._comm.keep()

    def _hear(self, message: Any) -> None:
        """Handle a message of the page, on the thread that received it. Never raises: no cell would show the error."""
        try:
            data = message["content"]["data"]
            if isinstance(data, Mapping):
                self._read(data.get("type"), data.get("run"))
        except Exception:
            log.exception("A message of the page could not be read")

    def _read(self, kind: Any, run: Any) -> None:
        if kind == "sync":
            self._known = True
            self._send_soon()
        elif kind == "variables" and not self._listing:
            self._listing = True
            threading.Thread(target=self._list, name="smolcell-variables", daemon=True).start()
        elif kind == "stop" and type(run) is str and len(run) <= MAX_NAME:
            self._stop(run)

    def _list(self) -> None:
        """Send the page the variables of the sandboxes."""
        try:
            variables = self._variables()
        except Exception:
            log.warning("The variables of the sandboxes could not be listed", exc_info=True)
            variables = []
        finally:
            self._listing = False
        self._waiter.post(lambda: self._tell(variables))

    def _tell(self, variables: list[dict[str, Any]]) -> None:
        if (comm := self._listener()) is not None:
            comm.send({"type": "variables", "sessions": variables})


def _open_comm(target: str) -> Any:
    from comm import create_comm

    return create_comm(target_name=target)


def kernel_id() -> str:
    """Return the kernel's id on its Jupyter server, from the name of the connection file; "" if there is none."""
    from pathlib import Path

    from ipykernel.connect import get_connection_file

    try:
        return Path(get_connection_file()).stem.removeprefix("kernel-")
    except RuntimeError:  # embedded, or started without a connection file
        return ""
