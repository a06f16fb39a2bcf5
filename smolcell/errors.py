"""Every error of smolcell, as one tree. A foreign error is converted in the module that makes the foreign call.

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
    │   │   ├── ReplyLengthError        its reply was cut off: by its length limit, or within its program
    │   │   └── ResponseFormatError     it supports no schema for its reply
    │   ├── ApprovalError               the step was not allowed
    │   └── AgentStopped                a person stopped the run
    ├── InterpreterError                the code failed in a sandbox (executor called directly)
    │   ├── ForbiddenError              the guard refused it
    │   └── LimitError                  a limit ended it
    ├── JournalError                    an event cannot be written; its step is not run
    └── SandboxError                    the sandbox itself failed
        ├── SandboxBusyError            it has an open step
        ├── SandboxDiedError            its process ended
        ├── CapabilityError             it does not support that
        └── WireError                   the other side sent something that is not a frame
"""

from __future__ import annotations

from smolcell.events import Usage


class SmolcellError(Exception):
    """The root: ``except SmolcellError`` catches everything this package raises on purpose."""


class SetupError(SmolcellError):
    """Something is not configured, not installed or misspelt. The message ends with the next command to type."""


class PermitError(SmolcellError):
    """An executor got something that is not an unspent permit. Nothing ran."""


class AgentError(SmolcellError):
    """A run ended without an answer."""


class AgentParsingError(AgentError):
    """The model's reply had no program."""


class AgentExecutionError(AgentError):
    """Approved code failed in the sandbox."""


class AgentToolCallError(AgentExecutionError, TypeError):
    """A tool was called with arguments it does not take, or of another type. In the agent's code it is a ``TypeError``."""


class AgentToolExecutionError(AgentExecutionError):
    """A tool was called correctly, but failed."""


class AgentMaxStepsError(AgentError):
    """The step limit was reached before an answer."""


class AgentBudgetError(AgentError):
    """The budget of the run is spent, and no person extended it. ``resume`` continues with a new budget."""


class AgentGenerationError(AgentError):
    """The model could not be reached, refused, or broke off. Has no key and no partial reply.

    Attributes:
        kind: the kind of failure, in one word ("key", "busy", "context", …); "" if not known.
        usage: tokens used nevertheless, if the server reported them.
    """

    kind: str = ""
    usage: Usage = Usage()


class ContextLengthError(AgentGenerationError):
    """The model finds the conversation too long. Raised by a model before it replies; the loop then leaves out old observations and
    asks again once."""


class ReplyLengthError(AgentGenerationError):
    """The model's reply reached its length limit, repeated itself, or ended within its program. It is not used; the loop tells the model
    and goes on, three times in a row."""


class ResponseFormatError(AgentGenerationError):
    """The model does not support a JSON schema for its reply. The loop asks for text from then on."""


class ApprovalError(AgentError):
    """Nothing ran, because it was not allowed: no person to ask, a closed page, a timeout, or ``deny``."""


class AgentStopped(AgentError):
    """A person stopped the run, or interrupted it."""


class InterpreterError(SmolcellError):
    """Code failed in a sandbox that was called directly.

    Attributes:
        exception_type: name of the exception, as the agent's code would see it, for example ``"ZeroDivisionError"``.
        logs: output of the code before it failed.
    """

    def __init__(self, message: str, *, exception_type: str = "", logs: str = "") -> None:
        super().__init__(message)
        self.exception_type = exception_type
        self.logs = logs


class ForbiddenError(InterpreterError):
    """The guard refused the code. The message names the line, the reason, and the alternatives."""


class LimitError(InterpreterError):
    """A limit ended the code. The message names the limit and the option that raises it."""


class JournalError(SmolcellError):
    """The journal cannot be written (disk full, no permission). A step that cannot be journalled does not run."""


class SandboxError(SmolcellError):
    """The sandbox could not be started, or failed by itself."""


class SandboxBusyError(SandboxError):
    """The executor has an open step; it runs one step at a time."""


class SandboxDiedError(SandboxError):
    """The sandbox's process ended unexpectedly."""


class CapabilityError(SandboxError):
    """This sandbox does not support that."""


class WireError(SandboxError):
    """The other side sent bytes that are not a frame, or a frame that is too large. It is refused, never evaluated."""
