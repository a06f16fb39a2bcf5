"""Hosts that the code of a run wants to connect to: grants, the question to a person, and the recorded decision."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace

from smolcell.approval.grants import SCOPES, Grants
from smolcell.approval.policy import current
from smolcell.core.findings import is_host
from smolcell.core.hosts import WEB, Host, not_allowed
from smolcell.events import Allowed, Connected, Event, Finding, Offer, Proposed, Refused
from smolcell.permit import spend

WAY_OUT = "The code can send everything that it can read to an allowed host."
_NEVER = "{} is not allowed: the user said never"


def with_options(given: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings about a program, for a sandbox without an open host: each host that it names, with the option that allows it."""
    return tuple(
        replace(each, text=f"{each.text} (no host is open: --allow-host {each.text})")
        if each.kind == "network" and is_host(each.text)
        else each
        for each in given
    )


class HostReach:
    """Decides about the hosts of one step, on the driver's event loop; see ``Reach``.

    Args:
        run, step: the step whose code connects.
        grants: earlier grants; new ones are added.
        denied: the session's hosts that the person refused for good.
        decide: asks about a proposal, and records the decision.
        record: records an event.
    """

    def __init__(
        self,
        run: str,
        step: int,
        grants: Grants,
        denied: set[str],
        decide: Callable[[Proposed], Awaitable[Allowed | Refused]],
        record: Callable[[Event], object],
    ) -> None:
        self._run, self._step, self._grants, self._denied = run, step, grants, denied
        self._decide, self._record = decide, record
        self._refused: dict[str, str] = {}  # by host, in this step: a host is asked about once
        self._turn = asyncio.Lock()

    def connected(self, event: Connected) -> None:
        """See ``Reach``."""
        self._record(event)

    async def ask(self, host: str, port: int) -> str:
        """See ``Reach``."""
        requested = Host(host, port)
        name = host if port in WEB and ":" not in host else str(requested)
        async with self._turn:
            if why := current().refusal("hosts", name):
                return f"{not_allowed(requested)}, and the policy does not: {why}"
            if self._grants.use("host", name) is not None:
                return ""
            if name in self._denied:
                return _NEVER.format(name)
            if name in self._refused:
                return self._refused[name]
            reason = await self._ask_person(requested, name)
            if reason:
                self._refused[name] = reason
            return reason

    async def _ask_person(self, requested: Host, name: str) -> str:
        never = Offer(
            id="never",
            label="Never",
            choice="refuse",
            comment=_NEVER.format(name),
            act=lambda: self._denied.add(name),
        )
        text = f"wants {requested}"
        proposed = Proposed(
            run=self._run,
            step=self._step,
            kind="host",
            text=text,
            thought=f"The code of this step wants to connect to a host. {WAY_OUT}",
            offers=(*self._grants.offers("host", (name,), name, scopes=SCOPES[1:]), never),
        )
        decision = await self._decide(proposed)
        if isinstance(decision, Allowed):
            return "" if spend(decision) == text else not_allowed(requested)
        if decision.by == "person":
            reason = decision.reason or "the user refused it"
            return reason if reason == never.comment else f"{name} is not allowed: {reason}"
        return f"{not_allowed(requested)}; {decision.reason}"
