"""The result of a run."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from smolcell.core.history import Step, Timing
from smolcell.core.loop import Ending
from smolcell.core.receipt import Approval, Receipt, receipt
from smolcell.core.redaction import redact
from smolcell.core.text import presentable
from smolcell.errors import (
    AgentError,
    AgentGenerationError,
    AgentMaxStepsError,
    AgentStopped,
    ApprovalError,
    SmolcellError,
)
from smolcell.events import Answered, History, Package, State, Usage
from smolcell.exports import Export
from smolcell.exports.cells import export
from smolcell.models.asking import log_failure
from smolcell.tools.builtin import sources
from smolcell.tools.tool import Tool


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """The result of a run: answer, state, steps and all events.

    Attributes:
        output: the answer's live value; None if the run has no answer.
        state: success, max_steps_error, refused, stopped or error.
        computed: whether a step computed the answer; False if it is only what the model wrote, or if there is none.
        steps: the steps taken.
        usage: tokens of the whole run, and cost if known.
        duration: seconds, waiting for a person included.
        error: the exception that ``run`` raises if the state is not success; for ``max_steps_error`` it is only stored here.
        events: everything that happened.
        times: time of each event, in seconds since 1970.
        lent: tools that the code could call, by name.
        errors_by_type: how often each type of error occurred.
        imports, packages: modules that approved code imports; those of them that are not in the standard library.
        installed: packages that were installed for the run: name, version, SHA-256.
        hosts: hosts that the sandbox was allowed to reach.
        files: names of files that were copied in, or written by the code.
        tools_called: tool → number of calls.
        approvals: each decision: who decided, whether the text was edited, seconds.
        cost: in US dollars, if known.
        timings: seconds of the ``model``, of ``waiting`` for you, of ``code``, and in ``total``.
    """

    output: Any
    state: State
    steps: tuple[Step, ...] = ()
    usage: Usage = field(default_factory=Usage)
    duration: float = 0.0
    error: SmolcellError | None = None
    events: History = ()
    lent: Mapping[str, Tool] = field(default_factory=dict, repr=False)
    times: tuple[float, ...] = field(default=(), repr=False)

    @property
    def receipt(self) -> Receipt:
        """A summary of the run's actions and usage."""
        return receipt(self.events, self.times)

    @property
    def computed(self) -> bool:
        answer = next((event for event in reversed(self.events) if isinstance(event, Answered)), None)
        return answer is not None and not answer.uncomputed

    @property
    def errors_by_type(self) -> dict[str, int]:
        return self.receipt.errors_by_type

    @property
    def imports(self) -> tuple[str, ...]:
        return self.receipt.imports

    @property
    def hosts(self) -> tuple[str, ...]:
        return self.receipt.hosts

    @property
    def files(self) -> tuple[str, ...]:
        return self.receipt.files

    @property
    def packages(self) -> tuple[str, ...]:
        return self.receipt.packages

    @property
    def installed(self) -> tuple[Package, ...]:
        return self.receipt.installed

    @property
    def tools_called(self) -> dict[str, int]:
        return self.receipt.tools_called

    @property
    def approvals(self) -> tuple[Approval, ...]:
        return self.receipt.approvals

    @property
    def cost(self) -> float | None:
        return self.usage.cost

    @property
    def timings(self) -> dict[str, float]:
        return self.receipt.timings

    @property
    def token_usage(self) -> Usage:
        return self.usage

    @property
    def timing(self) -> Timing:
        return Timing(None, None, self.duration)

    def export(self, *, answer: str = "answer") -> Export:
        """Return the approved steps as ordinary cells that give the same answer.

        Definitions of a session's earlier tasks are not included: ``agent.export()`` includes them.

        Raises:
            SetupError: no step ran to its end.
        """
        return export(self.events, answer=answer, tools=sources(self.lent))

    def value(self) -> Any:
        """Return the answer; at the step limit the model's last text, with a warning. Raises the run's error if there is none."""
        if isinstance(self.error, AgentMaxStepsError):
            warnings.warn(f"{self.error}; what is returned is the model's last text, not an answer", stacklevel=3)
        elif self.error is not None:
            raise self.error
        return self.output


def as_own_error(error: BaseException) -> SmolcellError:
    """Return the error as one of smolcell's, with secrets redacted. A foreign error is not its cause: tracebacks show it."""
    if isinstance(error, SmolcellError):  # a foreign model or sandbox may have raised it
        error.args = tuple(presentable(part) if isinstance(part, str) else part for part in error.args)
        if isinstance(error, AgentGenerationError):  # a client's exception holds the request, and its frames the key
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
