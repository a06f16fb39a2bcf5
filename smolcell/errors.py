"""Every error smolcell raises, as one tree. Foreign errors are mapped at one door: the module that makes the foreign call.

::

    SmolcellError
    ├── SetupError                      something is missing or misspelt; ends with the next command to type
    ├── PermitError                     code without a valid permit reached an executor (a bug, or an attack)
    ├── AgentError                      a run did not end with an answer
    │   ├── AgentParsingError           the model's reply held no program
    │   ├── AgentExecutionError         the approved code failed
    │   │   ├── AgentToolCallError      a tool was called with wrong arguments
    │   │   └── AgentToolExecutionError the tool itself failed
    │   ├── AgentMaxStepsError          the step limit was reached
    │   ├── AgentBudgetError            the budget is spent, and no person extended it
    │   ├── AgentGenerationError        the model did not reply
    │   │   ├── ContextLengthError      the conversation is too long for it
    │   │   ├── ReplyLengthError        its reply was cut off: at the limit on its length, or within its program
    │   │   └── ResponseFormatError     it takes no schema for its reply
    │   ├── ApprovalError               the step was not allowed
    │   └── AgentStopped                a person stopped the run
    ├── InterpreterError                the code failed in a sandbox (executor called directly)
    │   ├── ForbiddenError              the guard refused it
    │   └── LimitError                  a limit ended it
    ├── JournalError                    an event cannot be kept; the step it belongs to is not run
    └── SandboxError                    the sandbox itself failed
        ├── SandboxBusyError            it has an open step
        ├── SandboxDiedError            its process ended
        ├── CapabilityError             it cannot do that at all
        └── WireError                   the far side sent something that is not a frame
"""

from __future__ import annotations

from smolcell.events import Usage


class SmolcellError(Exception):
    """The root: ``except SmolcellError`` catches everything this package raises on purpose."""


class SetupError(SmolcellError):
    """Something is not configured, not installed or misspelt. The message ends with the next command to type."""


class PermitError(SmolcellError):
    """An executor was handed something that is not an unspent permit. Nothing ran."""


class AgentError(SmolcellError):
    """A run ended without an answer."""


class AgentParsingError(AgentError):
    """The model's reply held no program that could be shown for approval."""


class AgentExecutionError(AgentError):
    """Approved code failed in the sandbox."""


class AgentToolCallError(AgentExecutionError, TypeError):
    """A tool was called with arguments it does not take, or of another type. In the agent's code it is a ``TypeError``."""


class AgentToolExecutionError(AgentExecutionError):
    """A tool was called rightly and failed."""


class AgentMaxStepsError(AgentError):
    """The step limit was reached before an answer."""


class AgentBudgetError(AgentError):
    """The budget of the run is spent, and no person extended it. ``resume`` goes on with a budget of its own."""


class AgentGenerationError(AgentError):
    """The model could not be reached, refused, or broke off. Carries no key and no half reply.

    Attributes:
        kind: what went wrong, in one word ("key", "busy", "context", …); "" if it is not known.
        usage: what it took nevertheless, if the server said so.
    """

    kind: str = ""
    usage: Usage = Usage()


class ContextLengthError(AgentGenerationError):
    """The model finds the conversation too long. Raised by a model before it replies; the loop then leaves out old observations and
    asks once more."""


class ReplyLengthError(AgentGenerationError):
    """The model's reply reached the limit on its length, repeated itself without end, or ended within its program. Nothing of it is
    used; the loop tells the model so and goes on, three times in a row."""


class ResponseFormatError(AgentGenerationError):
    """The model cannot be held to a JSON schema. The loop asks for text from then on."""


class ApprovalError(AgentError):
    """Nothing ran, because it was not allowed: no person to ask, a closed page, a time-out, or ``deny``."""


class AgentStopped(AgentError):
    """A person stopped the run, or interrupted it."""


class InterpreterError(SmolcellError):
    """Code failed in a sandbox that was called directly.

    Attributes:
        exception_type: the name of the exception as the agent's code would see it, for example ``"ZeroDivisionError"``.
        logs: what the code printed before it failed.
    """

    def __init__(self, message: str, *, exception_type: str = "", logs: str = "") -> None:
        super().__init__(message)
        self.exception_type = exception_type
        self.logs = logs


class ForbiddenError(InterpreterError):
    """The guard refused the code; the message names the line, the thing, and what is allowed instead."""


class LimitError(InterpreterError):
    """A limit ended the code; the message names the limit and the option that raises it."""


class JournalError(SmolcellError):
    """The journal cannot be written (disk full, no permission). A step that cannot be journalled does not run."""


class SandboxError(SmolcellError):
    """The sandbox could not be started, or failed on its own."""


class SandboxBusyError(SandboxError):
    """The executor has an open step; it runs one at a time."""


class SandboxDiedError(SandboxError):
    """The sandbox's process ended without being asked to."""


class CapabilityError(SandboxError):
    """This sandbox declares that it cannot do that."""


class WireError(SandboxError):
    """The far side sent bytes that are not a frame, or a frame beyond its bounds. It is refused, never evaluated."""
