"""A widget view with a page at its other end, for tests: no kernel, no browser."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine
from typing import Any

from smolcell.events import Asked, Delta, Event, Proposed
from smolcell.protocols import Answer
from smolcell.views.widget import WidgetView

RUN = "r1"
FIRST = Proposed(run=RUN, step=1, text="print(1)")
SECOND = Proposed(run=RUN, step=2, text="print(2)")


class Here:
    """A waiter whose calls are run by ``work``, on the thread that calls it."""

    def __init__(self) -> None:
        self.calls: list[Callable[[], object]] = []

    def post(self, call: Callable[[], object]) -> None:
        self.calls.append(call)

    def wait(self, done: Any) -> Any:
        raise NotImplementedError

    def work(self) -> None:
        while self.calls:
            self.calls.pop(0)()


class Asker:
    """A view that is asked in place of a page."""

    def __init__(self) -> None:
        self.asked: list[Proposed] = []

    def show(self, event: Event | Delta) -> None: ...

    async def ask(self, proposal: Proposed) -> Answer:
        self.asked.append(proposal)
        return answer_to(proposal, "refuse")


class Page:
    """A view, and the page at its other end: what it was sent, and what it says."""

    def __init__(self, **options: Any) -> None:
        self.waiter = Here()
        self.widgets: list[Any] = []
        self.notes: list[str] = []
        options = {"grace": 30, "grace_stdin": 30, "pace": 0.02, "notify": self.notes.append, **options}
        self.published: list[dict[str, str]] = []
        self.replaced = 0
        self.view = WidgetView(self.waiter, display=self._display, publish=self._publish, **options)
        self._sent: list[dict[str, Any]] = []

    def _display(self, widget: Any) -> None:
        widget.send = lambda content, buffers=None: self._sent.append(content)
        self.widgets.append(widget)

    def _publish(self, record: dict[str, str]) -> Callable[[dict[str, str]], object]:
        self.published.append(record)
        return self._replace

    def _replace(self, record: dict[str, str]) -> None:
        self.published[-1] = record
        self.replaced += 1

    @property
    def sent(self) -> list[dict[str, Any]]:
        self.waiter.work()
        return self._sent

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.sent if message["type"] == kind]

    def show(self, *events: Event | Delta) -> None:
        for event in events:
            self.view.show(event)

    def says(self, *contents: Any) -> None:
        self.waiter.work()
        for content in contents:
            self.widgets[-1]._handle_custom_msg(content, [])

    def comes(self) -> None:
        self.says({"type": "init"}, {"type": "ready"})

    def verdicts(self) -> list[tuple[str, bool, str]]:
        return [(message["id"], message["ok"], message["why"]) for message in self.of("verdict")]


def answer_to(proposal: Proposed, choice: Any, **more: Any) -> Answer:
    run, step, shown = proposal.run, proposal.step, proposal.fingerprint
    return Answer(run=run, step=step, fingerprint=shown, choice=choice, **more)


def click(proposal: Proposed, choice: Any = "approve", answer_id: str = "c1", **more: Any) -> dict[str, Any]:
    named = {"run": proposal.run, "step": proposal.step, "fingerprint": proposal.fingerprint}
    return {"type": "answer", "id": answer_id, **named, "choice": choice, **more}


def pending(proposal: Proposed) -> dict[str, Any]:
    """What the page is told of a proposal that waits."""
    named = {"run": proposal.run, "step": proposal.step, "fingerprint": proposal.fingerprint}
    return {**named, "why": "", "session": False}


def asked(page: Page, proposal: Proposed = FIRST) -> asyncio.Task[Answer]:
    page.show(Asked(run=RUN, task="Count."), proposal)
    return asyncio.ensure_future(page.view.ask(proposal))


async def waiting(proposal: Proposed = FIRST) -> tuple[Page, asyncio.Task[Answer]]:
    """A page that has come, and the answer that it will give."""
    page = Page()
    answer = asked(page, proposal)
    await asyncio.sleep(0)
    page.comes()
    return page, answer


def run(main: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(main, 60))


def in_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Makes a test of a coroutine."""
    return functools.wraps(test)(lambda *args, **options: run(test(*args, **options)))
