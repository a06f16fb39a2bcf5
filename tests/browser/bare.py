"""A card on a page of its own in a real browser: the built module, no Jupyter, and a network that is not there."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, Route, expect
from waiting import press

from smolcell.events import Asked, Delta, Event, Observed, Proposed, to_json
from smolcell.permit import permit
from smolcell.views.card import LIBRARIES, packed_library
from smolcell.views.widget import confined

STATIC = Path(__file__).resolve().parents[2] / "smolcell" / "views" / "static"
HOME = "http://card.test/"
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>card</title><link rel="stylesheet" href="/widget.css">
<style>THEME body { margin: 0; background: var(--jp-layout-color0, #fff); } .place { overflow: auto; }</style></head>
<body BODY><main><h1 style="position: absolute; clip-path: inset(50%)">Notebook</h1>
<h3 style="position: absolute; clip-path: inset(50%)">Output</h3><div class="place" id="card"></div></main>
<script type="module">
  import widget from "/widget.js";
  const heard = new Map();
  const model = {
    get: name => name === "snapshot" ? "" : true,
    on: (event, listener) => heard.set(event, [...(heard.get(event) ?? []), listener]),
    off: () => undefined,
    send: content => {
      window.sent.push(content);
      if (content.type !== "library") return;
      fetch(`/${content.name}.gz`).then(answer => answer.arrayBuffer()).then(packed => heard.get("msg:custom").forEach(
        listener => listener({ type: "library", name: content.name }, [new DataView(packed)])));
    },
  };
  window.sent = [];
  let seq = 0;
  window.say = message => heard.get("msg:custom").forEach(listener => listener(
    message.type === "verdict" ? message : { ...message, seq: ++seq }));
  const module = widget();
  module.initialize({ model });
  module.render({ model, el: document.querySelector("#card") });
</script></body></html>"""

CONTROL = "/control"
"""In the address that is asked for on purpose, to see that it would have been noticed."""

ASKED = Asked(run="r", task="Look at the data.", model="test-1", sandbox="local", approve="ask", session="default")


class BareCard:
    """The card of run ``r`` on a page.

    Args:
        page: Playwright's.
        theme: CSS of the page, as Jupyter's themes set variables.
        body: attributes of the body, as Jupyter's themes set them.
        clock: the page's time stands still but for ``page.clock``.

    Attributes:
        requests: every address the page asked for but its own three files. Each was refused.
    """

    def __init__(self, page: Page, *, theme: str = "", body: str = "", clock: bool = False) -> None:
        self.page = page
        self.requests: list[str] = []
        self._html = PAGE.replace("THEME", theme).replace("BODY", body)
        page.route("**/*", self._answer)
        if clock:
            page.clock.install(time=0)
        page.goto(HOME)
        if clock:
            page.clock.pause_at(3600)
        self.el = page.locator(".smolcell-card")
        self.el.wait_for()

    def _answer(self, route: Route) -> None:
        own: dict[str, tuple[str | bytes, str]] = {HOME: (self._html, "text/html")}
        own[HOME + "widget.js"] = ((STATIC / "widget.js").read_text(encoding="utf-8"), "text/javascript")
        own[HOME + "widget.css"] = ((STATIC / "widget.css").read_text(encoding="utf-8"), "text/css")
        for name in LIBRARIES:
            own[HOME + f"{name}.gz"] = (packed_library(name), "application/octet-stream")
        if route.request.url in own:
            body, kind = own[route.request.url]
            route.fulfill(body=body, content_type=kind if isinstance(body, bytes) else f"{kind}; charset=utf-8")
            return
        self.requests.append(route.request.url)
        route.abort()

    def say(self, message: dict[str, Any]) -> None:
        self.page.evaluate("text => window.say(JSON.parse(text))", json.dumps(message))

    def push(self, *events: Event) -> None:
        for event in events:
            self.say({"type": "event", "event": {**to_json(event), "nonce": ""}})

    def ran(self, program: str, observed: Observed, *, step: int = 1) -> None:
        """Show a step that was allowed and did this."""
        proposal = Proposed(run="r", step=step, text=program)
        allowed = permit(proposal, by="person")
        self.push(proposal, allowed, replace(observed, run="r", step=step))

    def stream(self, *deltas: Delta) -> None:
        for delta in deltas:
            self.say({"type": "delta", "delta": {"channel": delta.channel, "step": delta.step, "text": delta.text}})

    def wait(self, proposal: Proposed) -> None:
        """Show a proposal that waits, until it can be answered."""
        self.push(proposal)
        self.pend(proposal)
        expect(self.button("Approve").last).to_be_enabled()

    def pend(self, proposal: Proposed) -> None:
        """Say that this proposal, which is shown, waits for the person."""
        named = {"run": proposal.run, "step": proposal.step, "fingerprint": proposal.fingerprint}
        offers = [{"id": offer.id, "label": offer.label, "choice": offer.choice} for offer in proposal.offers]
        offered = {"why": proposal.why, "session": not confined(proposal), "offers": offers}
        self.say({"type": "pending", "pending": {**named, **offered}})

    def step(self, number: int) -> Locator:
        return self.el.locator(f'section.smolcell-step[data-step="{number}"]')

    def button(self, name: str) -> Locator:
        return self.el.get_by_role("button", name=name, exact=True)

    def turn_to(self, name: str) -> None:
        """Click ``Edit`` or ``Refuse``."""
        press(self.button(name), self.button("Cancel").is_visible)

    def answer(self, name: str) -> dict[str, Any]:
        """Click this; the only answer so far."""
        press(self.button(name), lambda: self.answers != [])
        [answer] = self.answers
        return answer

    def armed(self) -> None:
        """Wait until a key counts."""
        expect(self.el).to_have_attribute("data-armed", "true")

    def drawn(self) -> None:
        """Wait until the page has drawn all it was told, and what that led to."""
        self.page.evaluate(
            "async () => { for (let n = 0; n < 4; n++) await new Promise(requestAnimationFrame).then(() => null); }"
        )

    @property
    def answers(self) -> list[dict[str, Any]]:
        sent: list[dict[str, Any]] = self.page.evaluate("window.sent")
        return [message for message in sent if message["type"] == "answer"]


NewCard = Callable[..., BareCard]
"""The fixture ``new_card``."""
