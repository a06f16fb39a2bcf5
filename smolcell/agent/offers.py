"""What a person may choose about a proposal, besides approve and refuse: install packages, copy files in, allow imports or calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

from smolcell.agent.installs import Installs
from smolcell.agent.running import CurrentRun
from smolcell.agent.sandbox import AgentSandbox
from smolcell.approval.grants import SCOPES, Grants, exact_call
from smolcell.approval.policy import current, read_call
from smolcell.core.findings import named_files, refused_imports
from smolcell.core.text import visible
from smolcell.events import Offer, Proposed
from smolcell.executors import completed
from smolcell.executors.files import FileTransfer
from smolcell.machine.environment import is_installed
from smolcell.protocols import Executor
from smolcell.tools.tool import Tool

_MAX_OFFERED = 5  # modules to authorise, or files to copy in, by one click


class Offering(Protocol):
    """The agent, as far as its offers use it."""

    grants: Grants
    installs: Installs
    sandbox: AgentSandbox
    active: CurrentRun

    @property
    def executor(self) -> Executor: ...
    @property
    def callables(self) -> Mapping[str, Tool]: ...


def offers(agent: Offering, authorized: Sequence[str], proposed: Proposed) -> tuple[Offer, ...]:
    """Return the choices about a program or a call. ``authorized``: the imports that the guard allows."""
    if proposed.kind == "call":
        return _of_call(agent, proposed)
    if proposed.kind != "code":
        return ()
    files = _files(agent, proposed.text)

    def others() -> tuple[Offer, ...]:
        return (*_imports(agent, authorized, proposed.text), *files)

    packages = agent.installs.offers(proposed, files, others)
    return (*packages, *files) if packages else others()


def _files(agent: Offering, text: str) -> tuple[Offer, ...]:
    """Offer to copy in files that the program names and the sandbox does not have."""
    executor = agent.executor
    if not isinstance(executor, FileTransfer):
        return ()
    offered = executor.beside(named_files(text))
    if agent.active.contract is not None and agent.active.contract.other_files(file.name for file in offered):
        return ()
    if not 0 < len(offered) <= _MAX_OFFERED:
        return ()
    names = ", ".join(f"{visible(file.name)} ({file.size:,} bytes)" for file in offered)

    def copy() -> None:
        executor.send_beside(offered)
        agent.sandbox.files.update(file.name for file in offered)
        for file in offered:
            agent.grants.give("path", file.name, "session")

    return (Offer(id="copy in", label=f"Approve and copy in {names}", act=copy, done=f"{names} copied in"),)


def _imports(agent: Offering, authorized: Sequence[str], text: str) -> tuple[Offer, ...]:
    """Offer choices for a program whose imports the guard will refuse."""
    executor = completed(agent.executor)
    if not executor.takes_imports:
        return ()
    tops = dict.fromkeys(name.partition(".")[0] for name in refused_imports(text, authorized))
    known = [name for name in tops if name.isascii() and (executor.name != "local" or is_installed(name))]
    modules, names = ", ".join(tops), [f"{name}.*" for name in known]
    if not tops:
        return ()
    comment = f"The guard refuses to import {modules}. Authorized are: {', '.join(agent.executor.boundary().imports)}"
    back = Offer(id="send back", label="Send back with hint", choice="refuse", comment=comment)
    if len(known) < len(tops) or len(tops) > _MAX_OFFERED:
        return (back,)
    refused = [name for name in tops if not current().allows("imports", name)]
    if refused:
        why = current().refusal("imports", refused[0])
        return (replace(back, comment=f"The import of {', '.join(refused)} is not allowed here: {why}"),)

    def allow(scope: str) -> None:
        agent.sandbox.authorize_imports(names, for_run=scope == "run")

    return (*agent.grants.offers("module", tuple(names), modules, scopes=SCOPES[1:], act=allow), back)


def _of_call(agent: Offering, proposed: Proposed) -> tuple[Offer, ...]:
    """Offer to allow a tool call: exactly this one, or every call of the tool. Nothing if the policy always requires a question."""
    call = None if proposed.needs else read_call(proposed.text)
    if call is None or call[0] not in agent.callables:
        return ()
    exact = exact_call(*call)
    offer = partial(agent.grants.offers, "tool", scopes=SCOPES[2:])
    same = offer((exact,), "this call") if exact else ()
    return (*same, *offer((call[0],), f"every call of {call[0]}"))
