"""What is under way in a kernel, as its view tells it, and as pages hear of it by a comm."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from comm import get_comm_manager
from comm.base_comm import BaseComm
from pages import FIRST, RUN, Here, Page, click, run

from smolcell.events import Allowed, Asked, Ended, Observed, Refused, sha256
from smolcell.executors.registry import OpenSandbox
from smolcell.notebook.activity import ActiveRun, Roster, read_kernels
from smolcell.notebook.status import MAX_TITLE_CHARS, TARGET, Announcer, Place, Runs, RunTracker, place_of, title

ASKED = Asked(run=RUN, task="Count\nthem.", session="default")
ALLOWED = Allowed(run=RUN, step=1, text=FIRST.text, sha256=sha256(FIRST.text), by="person", kind="code")
ENDED = Ended(run=RUN, state="success", steps=1)
BEGUN = ActiveRun(run=RUN, session="default", task="Count them.", state="thinking", began=1.0, since=1.0)


class Told:
    """Runs whose clock ticks once for each look, and everything that was told of them."""

    def __init__(self) -> None:
        self.all: list[tuple[ActiveRun, ...]] = []
        self._time = 0.0
        self.runs = Runs(self.all.append, self._now)

    def _now(self) -> float:
        self._time += 1
        return self._time

    def states(self) -> list[list[tuple[str, str, int]]]:
        return [[(each.run, each.state, each.step) for each in told] for told in self.all]


def test_a_run_thinks_waits_runs_and_is_over() -> None:
    told = Told()
    told.runs.note(ASKED)
    told.runs.note(FIRST)  # not pending before the person is asked
    told.runs.enter(RUN, "pending", 1)
    told.runs.note(ALLOWED)
    told.runs.note(Observed(run=RUN, step=1))
    told.runs.note(Refused(run=RUN, step=2, reason="no", by="person", then="continue"))
    told.runs.note(ENDED)
    assert told.all == [
        (BEGUN,),
        (replace(BEGUN, state="pending", step=1, since=2.0),),
        (replace(BEGUN, state="running", step=1, since=3.0),),
        (replace(BEGUN, state="thinking", step=1, since=4.0),),
        (replace(BEGUN, state="thinking", step=2, since=5.0),),
        (),
    ]


def test_what_waits_in_a_managed_agent_s_run_waits_in_its_manager_s() -> None:
    told = Told()
    told.runs.note(ASKED)
    told.runs.enter(RUN, "running", 3)
    told.runs.note(Asked(run="child", task="Look.", session="", parent=RUN))
    told.runs.note(Asked(run="grandchild", task="Look.", session="", parent="child"))
    told.runs.enter("grandchild", "pending", 1)
    told.runs.note(Ended(run="grandchild", state="success", steps=1))
    told.runs.note(Ended(run="child", state="success", steps=1))
    told.runs.enter("child", "pending", 1)
    assert told.states()[-1] == [(RUN, "pending", 3)]


def test_a_card_s_place_is_known_whether_it_is_shown_before_the_run_begins_or_after() -> None:
    told, place = Told(), Place(widget="w", cell="c", client="p")
    told.runs.place(RUN, place)
    told.runs.note(ASKED)
    told.runs.note(Asked(run="r2", task="Sum.", session="s"))
    told.runs.place("r2", Place(widget="w2"))
    assert [(each.widget, each.cell, each.client) for each in told.all[-1]] == [("w", "c", "p"), ("w2", "", "")]


def test_a_title_is_one_visible_line_without_secrets(monkeypatch: Any) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-very-secret-value-123456")
    assert title("a\n b\u202e sk-very-secret-value-123456") == "a b\\u{202e} [redacted]"
    assert len(title("x" * 500)) == MAX_TITLE_CHARS


def test_the_cell_and_the_page_of_a_card_are_those_of_the_request_and_checked() -> None:
    class Kernel:
        parent: Any = {"metadata": {"cellId": "c1"}, "header": {"session": "p1"}}

        def get_parent(self, channel: str) -> Any:
            return self.parent

    kernel = Kernel()
    assert place_of("w", kernel) == Place(widget="w", cell="c1", client="p1")
    for parent in ({}, None, {"metadata": {"cellId": 5}, "header": {"session": "x" * 500}}):
        kernel.parent = parent
        assert place_of("w", kernel) == Place(widget="w")


def test_a_view_that_is_noted_is_asked_as_before_and_closing_it_closes_all() -> None:
    async def main() -> None:
        page, told, closed = Page(), Told(), []
        view = RunTracker(page.view, told.runs, lambda: closed.append("closed"))
        view.prepare(RUN, "Count.")
        view.show(ASKED)
        view.show(FIRST)
        answer = asyncio.ensure_future(view.ask(FIRST))
        await asyncio.sleep(0)
        page.comes()
        page.says(click(FIRST))
        assert (await answer).choice == "approve"
        assert told.states() == [[(RUN, "thinking", 0)], [(RUN, "pending", 1)], [(RUN, "thinking", 1)]]
        view.close()
        assert (told.all[-1], closed) == ((), ["closed"])

    run(main())


# --- announced --------------------------------------------------------------------------------------------------------


class Comm(BaseComm):
    """The kernel's end of a comm, in the kernel's list of them; what it sends is kept."""

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.closed = 0
        super().__init__(target_name=TARGET)
        get_comm_manager().register_comm(self)

    def publish_msg(self, msg_type: str, data: Any = None, *_: Any, **__: Any) -> None:
        if msg_type == "comm_msg":
            self.sent.append(data)
        self.closed += msg_type == "comm_close"

    def says(self, data: Any) -> None:
        """A page says this."""
        get_comm_manager().comm_msg(None, "", {"content": {"comm_id": self.comm_id, "data": data}})

    def page_closes(self) -> None:
        """A page closes it."""
        get_comm_manager().comm_close(None, "", {"content": {"comm_id": self.comm_id, "data": {}}})

    def is_listed(self) -> bool:
        return self.comm_id in get_comm_manager().comms


@pytest.fixture(autouse=True)
def _no_comm_stays() -> Iterator[None]:
    yield
    kept = get_comm_manager().comms
    for comm in [each for each in kept.values() if isinstance(each, Comm)]:
        kept.pop(comm.comm_id)


class Announced:
    """An announcer, the comms it opened, and the runs that were stopped."""

    def __init__(self) -> None:
        self.waiter, self.comms, self.stopped = Here(), [], list[str]()
        self.comms: list[Comm] = []
        self.roster, self.sandboxes = Roster("k-1"), list[OpenSandbox]()
        self.announcer = Announcer(self.waiter, self.roster, self.stopped.append, self._open, lambda: self.sandboxes)

    def _open(self, target: str) -> Comm:
        assert target == TARGET
        self.comms.append(Comm())
        return self.comms[-1]

    def say(self, *runs: ActiveRun) -> None:
        self.announcer.changed(runs)
        self.waiter.work()
        assert self.roster.flush(60)

    def heard(self) -> list[list[tuple[str, str]]]:
        """What the newest comm's page was told."""
        return [[(each["run"], each["state"]) for each in message["runs"]] for message in self.comms[-1].sent]


@pytest.fixture
def said() -> Announced:
    return Announced()


def test_pages_and_other_processes_are_told_of_each_change(said: Announced) -> None:
    said.say()
    assert said.comms == []
    said.say(BEGUN)
    assert [kernel.runs for kernel in read_kernels()] == [(BEGUN,)]
    said.say(replace(BEGUN, state="pending", step=1))
    said.say()
    assert said.heard() == [[(RUN, "thinking")], [(RUN, "pending")], []]
    assert [kernel.runs for kernel in read_kernels()] == [()]
    assert len(said.comms) == 1


def test_what_the_sandboxes_do_is_told_other_processes_with_the_runs_and_between_them(said: Announced) -> None:
    said.say(BEGUN)
    said.sandboxes.append(OpenSandbox(kind="local", name="pid 7", run=RUN, step=1))
    said.announcer.used()
    assert said.roster.flush(60)
    assert [(kernel.runs, list(kernel.sandboxes)) for kernel in read_kernels()] == [((BEGUN,), said.sandboxes)]
    said.sandboxes[0] = replace(said.sandboxes[0], step=0)
    said.say()
    assert [(kernel.runs, list(kernel.sandboxes)) for kernel in read_kernels()] == [((), said.sandboxes)]
    assert said.heard() == [[(RUN, "thinking")], []]  # pages ask the server


def test_changes_that_come_together_are_told_together(said: Announced) -> None:
    said.announcer.changed((BEGUN,))
    said.announcer.changed((replace(BEGUN, state="running"),))
    said.waiter.work()
    assert said.heard() == [[(RUN, "running")]]


def test_a_front_end_that_closes_the_comm_is_left_alone_until_the_next_run(said: Announced) -> None:
    said.say(BEGUN)
    said.comms[0].page_closes()
    said.say(replace(BEGUN, state="pending", step=1))
    said.say()
    assert (len(said.comms), len(said.comms[0].sent)) == (1, 1)
    said.say(replace(BEGUN, run="r2"))
    assert (len(said.comms), said.heard()) == (2, [[("r2", "thinking")]])


@pytest.mark.parametrize("order", [("knows it", "closes it"), ("closes it", "knows it")])
def test_a_page_that_knows_the_comm_is_told_and_heard_though_another_closes_it(
    said: Announced, order: tuple[str, str]
) -> None:
    said.say(BEGUN)
    [comm] = said.comms
    for page in order:
        if page == "knows it":
            comm.says({"type": "sync"})
        else:
            comm.page_closes()
        said.waiter.work()
    said.say(replace(BEGUN, state="pending", step=1))
    assert said.heard()[-1] == [(RUN, "pending")]
    comm.says({"type": "stop", "run": RUN})
    assert said.stopped == [RUN]
    said.say(replace(BEGUN, run="r2"))
    assert (len(said.comms), said.heard()[-1]) == (1, [("r2", "thinking")])
    said.announcer.close()
    assert (comm.closed, comm.is_listed()) == (1, False)  # the page is told that it is over


def test_of_a_comm_that_all_have_left_nothing_stays_when_the_next_is_opened(said: Announced) -> None:
    said.say(BEGUN)
    said.comms[0].page_closes()
    said.say(replace(BEGUN, run="r2"))
    assert [(comm.closed, comm.is_listed()) for comm in said.comms] == [(1, False), (0, True)]
    said.announcer.close()
    assert [(comm.closed, comm.is_listed()) for comm in said.comms] == [(1, False), (1, False)]


def test_a_page_may_ask_for_the_list_and_stop_a_run_and_nothing_else(said: Announced) -> None:
    said.say(BEGUN)
    [comm] = said.comms
    comm.says({"type": "sync"})
    said.waiter.work()
    assert said.heard() == [[(RUN, "thinking")], [(RUN, "thinking")]]
    comm.says({"type": "stop", "run": RUN})
    for wrong in (
        None,
        5,
        "stop",
        [],
        {},
        {"type": "stop"},
        *({"type": "stop", "run": name} for name in (5, "x" * 101)),
    ):
        comm.says(wrong)
    comm.says({"type": "answer", "run": RUN, "step": 1, "fingerprint": "0" * 64, "choice": "approve"})
    said.waiter.work()
    assert said.stopped == [RUN]
    assert len(comm.sent) == 2


def test_closing_ends_the_comm_and_the_file(said: Announced) -> None:
    said.say(BEGUN)
    said.announcer.close()
    said.announcer.close()
    assert (said.comms[0].closed, said.comms[0].is_listed()) == (1, False)
    assert read_kernels() == []
