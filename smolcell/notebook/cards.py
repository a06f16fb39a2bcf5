"""What a run's card, or the page's panel, asks the kernel of a notebook's sessions. The answers are JSON."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from smolcell.core.redaction import redact, redact_json
from smolcell.core.text import presentable, visible
from smolcell.errors import SandboxError, SetupError, SmolcellError
from smolcell.events import sha256
from smolcell.executors import completed
from smolcell.machine.waiter import QueueWaiter
from smolcell.notebook.commands import describe_undone, to_go_back
from smolcell.notebook.export import make_export
from smolcell.notebook.fix import verified

if TYPE_CHECKING:
    from collections.abc import Mapping

    from smolcell.notebook.magic import AgentMagics
    from smolcell.notebook.session import Session
    from smolcell.views.widget import Request

Json = dict[str, Any]
Model = tuple[str, str | None]  # name and URL
FORGOTTEN = "the session of this run was ended or reset"
MAX_MODELS = 60  # models that a card lists


class CardRequests:
    """Answers the requests of the cards. A run that no session knows any more has an answer with the reason.

    Attributes:
        magics: set as soon as they exist: the view that passes the requests on is made before them.
    """

    magics: AgentMagics

    def __init__(self) -> None:
        self._listed: dict[str, Model] = {}  # models that cards have listed

    def by_name(self) -> Mapping[str, Request]:
        """Return the requests that may take long, by their names in a page's message."""
        return {
            "models": lambda run, _: self.models(run),
            "model": self.choose_model,
            "goto": self.go_to,
            "replacement": lambda run, _: self.replacement(run),
        }

    def stop(self, run: str) -> None:
        """Stop a run."""
        for session in self.magics.sessions.running(run):
            session.stop()

    def exported(self, run: str) -> Json:
        """Return the steps of a run as ordinary cells."""
        session = self._session_of(run)
        try:
            if session is None:
                raise SetupError(FORGOTTEN)
            exported = make_export(self.magics, session, run)
        except SetupError as error:
            return {"cells": [], "notes": [], "why": presentable(str(error))}
        return {"cells": list(exported.each_cell()), "notes": list(exported.notes), "why": ""}

    def models(self, run: str) -> Json:
        """Return the models that the session of a run can use. Asks the servers of this machine."""
        from smolcell.models import available_models

        session = self._session_of(run)
        if session is None:
            return {"models": [], "why": FORGOTTEN}
        choices: dict[Model, str] = dict.fromkeys(session.models.recent, "used in this session")
        for other in self.magics.sessions.all().values():
            for model in other.models.recent:
                choices.setdefault(model, "used in this notebook")
        for name, why in available_models().items():
            choices.setdefault((name, None), why)
        listed = {_choice(model): model for model in list(choices)[:MAX_MODELS]}
        self._listed |= listed
        now = session.models.chosen or (session.models.recent[0] if session.models.recent else None)
        rows = [
            {"id": choice, "name": redact(visible(_label(model))), "why": choices[model], "now": model == now}
            for choice, model in listed.items()
        ]
        return {"models": rows, "session": session.name, "why": ""}

    def choose_model(self, run: str, choice: str) -> Json:
        """Use one of the models that the card listed in the session of a run, from its next run on."""
        session, model = self._session_of(run), self._listed.get(choice)
        if session is None or model is None:
            return {"why": FORGOTTEN if session is None else "this model was not listed"}
        session.models.chosen = model
        last = self.magics.last_options.get(session.name)
        if last is not None:  # the options of a resumed run
            kept = {name: value for name, value in last.settings.items() if name not in ("model", "api_base")}
            self.magics.last_options[session.name] = replace(last, settings=kept, record=None, replay=None)
        return {"model": redact(visible(_label(model))), "session": session.name, "why": ""}

    def go_to(self, run: str, step: str) -> Json:
        """Go back to the end of a step. Called on its own thread."""
        session = self._session_of(run)
        if session is None or session.agent is None:
            return {"why": FORGOTTEN}
        try:
            _, agent, front = to_go_back(self.magics, session.name)
            undone = agent.goto(f"{run}:{step}", front=replace(front, waiter=QueueWaiter()))
        except SmolcellError as error:
            return {"why": redact(visible(str(error)))}
        return {"said": describe_undone(undone, session.name), "why": ""}

    def replacement(self, run: str) -> Json:
        """Return the code that a run's answer gives to replace a cell, if exactly that code ran in its sandbox."""
        session = self._session_of(run)
        if session is None or session.agent is None:
            return {"code": "", "why": FORGOTTEN}
        return verified([event for event in session.agent.memory.events if event.run == run], self.magics.shell)

    def variables(self) -> list[Json]:
        """Return the variables of each session's sandbox, redacted; ``taken``: the notebook has one of that name. Blocks."""
        listed: list[Json] = []
        for session in self.magics.sessions.all().values():
            if session.agent is None:
                continue
            try:
                found = completed(session.agent.executor).variables()
            except SandboxError:  # the sandbox has ended
                found = []
            names = self.magics.shell.user_ns
            rows = None if found is None else [{**redact_json(one), "taken": one["name"] in names} for one in found]
            if rows != []:
                listed.append({"session": session.name, "variables": rows})
        return listed

    def _session_of(self, run: str) -> Session | None:
        for session in self.magics.sessions.all().values():
            agent = session.agent
            if agent is not None and (
                agent.run_id == run or any(event.run == run for event in reversed(agent.memory.events))
            ):
                return session
        return None


def _label(model: Model) -> str:
    name, api_base = model
    return f"{name} at {api_base}" if api_base else name


def _choice(model: Model) -> str:
    """Return the name that a page uses for a model. A URL that a page invents is refused."""
    return sha256(_label(model))[:16]
