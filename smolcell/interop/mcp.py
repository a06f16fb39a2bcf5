"""``smolcell mcp``: a sandbox with a person's approval, as a server of the Model Context Protocol.

* The client writes programs; it never approves one. A person does, on a notebook's card or in a form of the client; the answer counts
  for exactly one question.
* If no one can be asked, ``run_python`` returns at once with an error.
* One client works at a time, and sees and undoes only its own steps. Approvals for one client do not apply to another.

Protocol: https://modelcontextprotocol.io, on the official SDK.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from smolcell.agent import CodeAgent
from smolcell.agent.result import RunResult
from smolcell.agent.running import Job
from smolcell.approval.gates import deny_all
from smolcell.core.loop import Ending
from smolcell.core.redaction import redact, redact_json
from smolcell.core.spec import AgentSpec
from smolcell.core.text import answer as described
from smolcell.core.text import clip, one_line, visible
from smolcell.errors import SetupError, SmolcellError
from smolcell.events import Event, Observed, Proposed, Refused
from smolcell.executors import completed
from smolcell.interop.answers import answer, chosen, options, pictures, printed, proposal_text, refusal, title
from smolcell.interop.programs import Programs
from smolcell.machine.waiter import QueueWaiter
from smolcell.models.scripted import ScriptedModel
from smolcell.notebook.session import Session
from smolcell.notebook.settings import Options
from smolcell.protocols import Answer, BaseView, FrontEnd
from smolcell.tools.builtin import own_tools

MAX_CODE = 200_000  # characters of one program
MAX_TEXT = 50_000  # characters of one result
CANCEL_SECONDS = 10.0  # seconds that the next call waits for the end of a cancelled one
MAX_STEPS = 1_000  # steps that can be undone at once
NO_APPROVER = (
    "No one can approve this: the client offers no form (elicitation). Nothing ran. The person can attach this "
    "server to a notebook (%agent mcp there, then: smolcell mcp --kernel), or allow isolated code with --approve risky."
)


# --- Asks the person with the client's form.


class Question:
    """A proposal that waits for the person behind a client, and their possible answers."""

    def __init__(self, proposal: Proposed) -> None:
        self.proposal, self.options = proposal, options(proposal)
        self.answer: Future[Answer] = Future()

    @property
    def message(self) -> str:
        """The form's text: the whole proposal."""
        return f"{title(self.proposal)}\n\n{proposal_text(self.proposal)}"

    @property
    def form(self) -> dict[str, Any]:
        """The form's schema. It has no default: accepting it without a choice is no answer."""
        if self.proposal.kind == "question":
            return {"type": "object", "properties": {"comment": {"type": "string"}}, "required": ["comment"]}
        names = [f"{option.label} ({option.id})" for option in self.options if not option.asks_why]
        return {
            "type": "object",
            "properties": {
                "decision": {"type": "string", "title": "Decision", "enum": names},
                "comment": {"type": "string", "title": "Comment, for a refusal"},
            },
            "required": ["decision"],
        }

    def settle(self, action: str, content: Any) -> None:
        """Handle the form that the client sent back; anything but a choice of this form is no answer."""
        if not self.answer.done():
            self.answer.set_result(self._read(action, content if isinstance(content, Mapping) else {}))

    def _read(self, action: str, content: Mapping[str, Any]) -> Answer:
        comment, decision = content.get("comment"), content.get("decision")
        reason = comment.strip() if isinstance(comment, str) else ""
        if action == "decline":
            return answer(self.proposal, "refuse", comment=reason)
        if action == "accept" and self.proposal.kind == "question" and reason:
            return answer(self.proposal, "edit", text=reason)
        option = chosen(self.options, str(decision).rpartition("(")[2].removesuffix(")"))
        if action != "accept" or option is None or option.asks_why:
            return answer(self.proposal, "nobody", comment="The form came back without a choice of this question.")
        return answer(self.proposal, option.choice, offer=option.offer, comment=reason)


class FormView(BaseView):
    """Sends proposals to the client with the active call; the answer is ``nobody`` if it supports no forms.

    Attributes:
        ask_client: called with a question on the driver's loop; None: no one can be asked.
    """

    def __init__(self) -> None:
        self.ask_client: Callable[[Question], object] | None = None

    def show(self, event: Event | Any) -> None:
        """Do nothing: the client only sees the results of its calls."""

    async def ask(self, proposal: Proposed) -> Answer:
        """Wait for the form."""
        if self.ask_client is None:
            return answer(proposal, "nobody", comment=NO_APPROVER)
        question = Question(proposal)
        self.ask_client(question)
        return await asyncio.wrap_future(question.answer)


# --- The session of a client.


@dataclass(frozen=True, slots=True)
class Result:
    """A tool's result: a text, pictures as (MIME type, base64), and whether it failed."""

    text: str
    is_error: bool = False
    pictures: tuple[tuple[str, str], ...] = ()


class Workbench:
    """One session, used by one client at a time.

    Args:
        session: the smolcell session.
        settings: settings of its runs.
        options: tools, servers and files that were given with the command or cell.
        front: the front end that shows and asks; None: the client's form.
        variables: values to copy into the sandbox.
    """

    def __init__(
        self,
        session: Session,
        settings: AgentSpec,
        *,
        options: Options,
        front: FrontEnd | None = None,
        variables: Mapping[str, Any] | None = None,
    ) -> None:
        self.session, self.settings, self.options = session, settings, options
        self._variables = dict(variables or {})
        self.form = FormView()
        self._front = front
        self.name = "an MCP client"
        self._programs = Programs()
        self._job: Job[RunResult] | None = None
        self._runs: list[str] = []  # of this client
        self._turn = asyncio.Lock()

    def change_client(self, name: str) -> None:
        """Let another client use the session, with a new run."""
        self.leave()
        self._runs, self.name = [], name

    @property
    def is_busy(self) -> bool:
        return self._turn.locked()

    async def run_python(self, code: str) -> Result:
        """Run a program after a person approved it. Returns its output."""
        if not code.strip() or len(code) > MAX_CODE:
            return Result(f"code has {len(code):,} characters; from 1 to {MAX_CODE:,} are taken", is_error=True)
        async with self._turn:
            begin = asyncio.create_task(self._begun())
            try:
                job = await asyncio.shield(begin)
                outcome = await asyncio.wrap_future(self._programs.put(code, job))
            except SmolcellError as error:
                return Result(self._clean(str(error)), is_error=True)
            except asyncio.CancelledError:  # the client cancelled the call, or disconnected: no one waits for this step
                await asyncio.wait([asyncio.create_task(self._stop(begin))], timeout=CANCEL_SECONDS)
                raise
            if isinstance(outcome, RunResult):
                why = outcome.error or "the run was stopped"
                return Result(self._clean(f"Nothing ran: {why}"), is_error=True)
            return self._result_of(outcome)

    async def list_variables(self) -> Result:
        """Return names, types, shapes and first rows of the sandbox's variables."""
        if self._agent is None:
            return Result("[]")
        variables = await asyncio.to_thread(completed(self._agent.executor).variables)
        return Result(self._clean(json.dumps(redact_json(variables or []), default=str)))

    async def read_variable(self, name: str) -> Result:
        """Return a description of one variable: a table's first and last rows, a text unchanged."""
        if self._agent is None or not name.isidentifier():
            return Result(f"there is no variable {one_line(visible(name))}", is_error=True)
        values = await asyncio.wrap_future(Job(self._agent.pull([name])).done)
        return Result(self._clean(described(values[name], MAX_TEXT)))

    async def undo(self, steps: int = 1) -> Result:
        """Undo the client's newest steps."""
        async with self._turn:
            agent, own = self._agent, self._own_steps()
            if agent is None or not 1 <= steps <= min(own, MAX_STEPS):
                return Result(f"{own} steps of yours can be undone, not {steps}", is_error=True)
            await asyncio.to_thread(self.leave)
            undone = await asyncio.to_thread(partial(agent.undo, steps, front=self._made_front()))
        stays = f" It cannot undo: {'; '.join(undone.stays)}." if undone.stays else ""
        return Result(self._clean(f"Undone: {steps}. {self._own_steps()} of your steps remain.{stays}"))

    async def export_notebook(self) -> Result:
        """Return the client's steps that ran, as a notebook's JSON."""
        if self._agent is None or not self._own_steps():
            return Result("nothing has run yet: there is nothing to export", is_error=True)
        notebook: dict[str, Any] = {}
        for run in self._runs:
            with suppress(SetupError):  # all its steps were undone
                part = self._agent.export(run).notebook()
                notebook = {**part, "cells": [*notebook.get("cells", ()), *part["cells"]]}
        notebook["cells"] = [
            {**cell, "id": f"step-{number}"} for number, cell in enumerate(notebook.get("cells", ()), 1)
        ]
        return Result(self._clean(json.dumps(notebook), most=10 * MAX_TEXT))

    def close(self) -> None:
        """End the run and the sandbox."""
        self.leave()
        self.session.close()

    # --- inside -------------------------------------------------------------------------------------------------------

    def begin(self) -> Job[RunResult]:
        """Start a run for the client's programs. Blocks while it connects to its tools.

        Raises:
            SmolcellError: the run cannot begin.
        """
        name, given = self.name, self.options
        agent = self.session.prepare(
            self.settings,
            tools=own_tools(given.tools),
            mcp={spec: spec for spec in given.mcp},
            model=ScriptedModel(name=name),
        )
        front, run, self._programs = self._made_front(), secrets.token_hex(6), Programs(name)
        first = {} if self._runs else {"files": given.files, "read_only": given.read_only}
        self._job = agent.start(
            f"Run the programs of {name}.",
            front=front,
            reset=False,
            run=run,
            turns=self._programs.turns,
            additional_args=self._variables,
            **first,
        )
        self._runs.append(run)
        if self._front is None:
            threading.Thread(target=_stay, args=(agent, self._job, front), name="smolcell-mcp-run", daemon=True).start()
        return self._job

    def _made_front(self) -> FrontEnd:
        given = self._front or FrontEnd(view=self.form, gate=deny_all, waiter=QueueWaiter())
        return self.session.front(self.settings, given)

    def leave(self) -> None:
        """End the run as finished; stop it if it does not end. The session is kept."""
        job, self._job = self._job, None
        if job is None or job.over:
            return
        self._programs.end(Ending("success"))
        try:
            job.done.result(timeout=5.0)
        except TimeoutError:
            job.cancel()

    async def _begun(self) -> Job[RunResult]:
        return self._job if self._job is not None and not self._job.over else await asyncio.to_thread(self.begin)

    async def _stop(self, begin: asyncio.Task[Job[RunResult]]) -> None:
        """Stop the run, also one that just begins, and wait for its end."""
        with suppress(SmolcellError):  # it could not begin
            job = await begin
            self._job = None
            job.cancel()
            await asyncio.wait([asyncio.wrap_future(job.done)])

    @property
    def _agent(self) -> CodeAgent | None:
        return self.session.agent

    def _own_steps(self) -> int:
        """Return the number of this client's steps."""
        events = self._agent.memory.events if self._agent is not None else ()
        own = (event for event in events if isinstance(event, Observed) and event.run in self._runs)
        return len({(event.run, event.step) for event in own})

    def _result_of(self, seen: Observed | Refused) -> Result:
        if isinstance(seen, Refused):
            return Result(self._clean(refusal(seen)), is_error=True)
        failed = "" if seen.error is None else seen.error.traceback or str(seen.error)
        texts = [printed(seen), seen.result, failed]
        texts += [
            each.data.get("text/plain", "") for each in seen.outputs if each.data.get("text/plain") != seen.result
        ]
        texts += ["The sandbox was restarted: its variables are gone."] if seen.state_lost else []
        shown = tuple(picture for each in seen.outputs for picture in pictures(each))
        output = "\n".join(text for text in texts if text) or "done; it printed nothing"
        return Result(self._clean(output), is_error=seen.error is not None, pictures=shown)

    def _clean(self, text: str, most: int = MAX_TEXT) -> str:
        """Return a text for the client's model, redacted and bounded."""
        agent = self._agent
        clean = visible(redact(text))
        return clip(clean if agent is None else agent.output_checks.sent(clean), most)


def _stay(agent: CodeAgent, job: Job[RunResult], front: FrontEnd) -> None:
    """Run the tools of a run on this thread, until its end."""
    with suppress(Exception):
        agent.stay(job, front.waiter)
