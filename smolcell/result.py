"""How a run ended, for whoever started it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from smolcell.asking import log_failure
from smolcell.errors import (
    AgentError,
    AgentGenerationError,
    AgentMaxStepsError,
    AgentStopped,
    ApprovalError,
    SmolcellError,
)
from smolcell.events import History, State, Usage
from smolcell.exporting import Export, export
from smolcell.loop import Ending
from smolcell.memory import Step, Timing
from smolcell.redact import redact
from smolcell.tools.sources import sources
from smolcell.tools.tool import Tool
from smolcell.visible import visible


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """A run, whole.

    Attributes:
        output: the answer's live value; None where there is none.
        state: success, max_steps_error, refused, stopped or error.
        steps: the steps taken.
        usage: tokens of the whole run, and cost where known.
        duration: seconds, waiting for a person included.
        error: what ``run`` raises, where the state is not success; for ``max_steps_error`` it is kept here only.
        events: everything that happened.
        lent: the tools that the code could call, by name.
    """

    output: Any
    state: State
    steps: tuple[Step, ...] = ()
    usage: Usage = field(default_factory=Usage)
    duration: float = 0.0
    error: SmolcellError | None = None
    events: History = ()
    lent: Mapping[str, Tool] = field(default_factory=dict, repr=False)

    @property
    def token_usage(self) -> Usage:
        return self.usage

    @property
    def timing(self) -> Timing:
        return Timing(None, None, self.duration)

    def export(self, *, answer: str = "answer") -> Export:
        """The approved steps as ordinary cells that give the same answer.

        What they need of a session's earlier tasks does not come along: it does with ``agent.export()``.

        Raises:
            SetupError: nothing ran to its end.
        """
        return export(self.events, answer=answer, tools=sources(self.lent))

    def value(self) -> Any:
        """The answer; at the step limit the model's best one. Raises the run's error where it has none."""
        if self.error is not None and self.state != "max_steps_error":
            raise self.error
        return self.output


def own(error: BaseException) -> SmolcellError:
    """The error as one of ours, without secrets. A foreign one is not its cause, since a traceback would show its text."""
    if isinstance(error, SmolcellError):  # a model or a sandbox of somebody else's may have raised it
        error.args = tuple(visible(redact(part)) if isinstance(part, str) else part for part in error.args)
        if isinstance(error, AgentGenerationError):  # a client's exception has the request, and its frames the key
            error.__cause__ = error.__context__ = error.__traceback__ = None
        elif error.__cause__ is not None and redact(str(error.__cause__)) != str(error.__cause__):
            error.__cause__, error.__suppress_context__ = None, True
        return error
    log_failure(error)
    return AgentError(redact(f"{type(error).__name__}: {error}"))


def error_of(ending: Ending) -> SmolcellError | None:
    kinds: dict[str, type[AgentError]] = {
        "max_steps_error": AgentMaxStepsError,
        "refused": ApprovalError,
        "stopped": AgentStopped,
        "error": AgentError,
    }
    return kinds[ending.state](redact(ending.reason)) if ending.state in kinds else None
