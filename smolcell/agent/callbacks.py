"""The user's callbacks of steps and checks of answers, which run on the calling thread; and the judgement of answers."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from smolcell.agent.output_checks import RunOutputChecks
from smolcell.agent.questions import Recorder
from smolcell.core.computed import doubt, is_computed
from smolcell.core.history import Step, fold_steps
from smolcell.errors import SetupError
from smolcell.events import Answered, Fault, Observed, step_of
from smolcell.protocols import Waiter

Check = Callable[..., Any]
"""``check(answer, memory, agent=agent)``. If it returns False or raises, the answer goes back to the model."""

Callback = Callable[..., object]
"""``callback(step, agent=agent)``."""

Post = Callable[[Callable[[], Any]], Awaitable[Any]]
_MAX_RECENT_EVENTS = 1000  # newest events that are searched for those of the newest step


def hooks(given: Sequence[Callable[..., Any]], option: str) -> list[Callable[..., Any]]:
    """Return the functions of an option as a new list.

    Raises:
        SetupError: it is no list of functions.
    """
    if isinstance(given, dict | str) or not all(callable(one) for one in given):
        raise SetupError(f"{option} is a list of functions, for example: {option}=[my_function]")
    return list(given)


def call(hook: Callable[..., Any], *arguments: Any, agent: Any) -> Any:
    """Call a function with as many of the arguments as it accepts, and with the agent if it accepts ``agent``."""
    try:
        parameters = list(inspect.signature(hook).parameters.values())
    except (TypeError, ValueError):  # a built-in without a signature, such as bool
        return hook(arguments[0])
    kinds = {parameter.kind for parameter in parameters}
    named = any(p.name == "agent" and p.kind is not p.POSITIONAL_ONLY for p in parameters)
    if named or inspect.Parameter.VAR_KEYWORD in kinds:
        return hook(*arguments, agent=agent)
    if inspect.Parameter.VAR_POSITIONAL in kinds:
        return hook(*arguments)
    places = sum(1 for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD))
    return hook(*(*arguments, agent)[: max(1, places)])


def read_callbacks(given: Any) -> list[Callback]:
    """Read ``step_callbacks``: a list of functions, or a dict from a class of steps to its functions.

    Raises:
        SetupError: it is neither of these.
    """
    if not isinstance(given, Mapping):
        return hooks(given, "step_callbacks")
    callbacks: list[Callback] = []
    for kind, functions in given.items():
        if not (isinstance(kind, type) and issubclass(kind, Step)):
            raise SetupError(
                f"step_callbacks is a list of functions, or a dict from a class of steps to functions; {kind!r} is no such class: "
                "for example step_callbacks={PlanningStep: my_function}"
            )
        listed = functions if isinstance(functions, list | tuple) else [functions]
        callbacks += [partial(_call_for, kind, function) for function in hooks(listed, "step_callbacks")]
    return callbacks


def _call_for(kind: type, hook: Callback, step: Any, agent: Any) -> None:
    """Call a callback for a step of this class."""
    if isinstance(step, kind):
        call(hook, step, agent=agent)


class StepCallbacks:
    """The step callbacks of one run. Their exceptions are logged.

    Args:
        callbacks: functions of the user.
        record: the run's record.
        waiter: the calling thread.
        agent: the agent.
    """

    def __init__(self, callbacks: Sequence[Callback], record: Recorder, waiter: Waiter, agent: Any) -> None:
        self._callbacks, self._record, self._waiter, self._agent = callbacks, record, waiter, agent
        self._told = 0  # the newest step for which they were called

    def tell(self) -> None:
        """Call them with the newest step, which has ended."""
        newest, events = self._record.step, self._record.events
        if not self._callbacks or newest <= self._told or not events:
            return
        self._told = newest
        own = tuple(event for event in events[-_MAX_RECENT_EVENTS:] if step_of(event) == newest)
        for step in fold_steps((self._record.asked, *own)):
            for callback in self._callbacks:
                self._waiter.post(partial(call, callback, step, agent=self._agent))


class Answers:
    """Judges the answers of one run: by the output checks, by the user's checks, and by what its steps computed.

    Args:
        record: the run's record.
        checks: the output checks.
        reject: returns why the user's checks reject an answer; "" if they do not.
        describe: returns a bounded text for an answer.

    Attributes:
        questioned: whether no answer is questioned any more; once in a run about given data, a doubtful one is.
        changed: the answer as output checks changed it, as the last item; empty if they did not.
    """

    def __init__(
        self,
        record: Recorder,
        checks: RunOutputChecks,
        reject: Callable[[Any], Awaitable[str]],
        describe: Callable[[Any], str],
    ) -> None:
        self._record, self._checks, self._reject, self._describe = record, checks, reject, describe
        self._accepted: tuple[Any, Any] | None = None  # an answer, and the same after the output checks
        self.questioned = not record.asked.variables
        self.changed: list[Any] = []

    async def check(self, observed: Observed) -> Observed:
        """Check a final answer. A rejection is an error of this step, which the model reads."""
        if not observed.answered:
            return observed
        value, rejection = await self._checks.check_answer(observed.step, observed.output, self._reject)
        if not rejection and not self.questioned:
            rejection = doubt(self._record.history, observed.output)
            self.questioned = bool(rejection)
        if not rejection:
            self._accepted = observed.output, value
            return replace(observed, output=value)
        fault = Fault(kind="python", type="FinalAnswerError", message=rejection)
        return self._checks.check_observation(replace(observed, is_final_answer=False), fault)

    async def redact(self, event: Answered) -> Answered:
        """Return the answer after the output checks, marked if no step produced it.

        A best answer at the step limit is empty if the person refuses it.
        """
        history = self._record.history
        is_invented = event.output is not None and not is_computed(history, event.run, event.step, event.output)
        event = replace(event, uncomputed=is_invented)
        if self._accepted is not None and any(event.output is each for each in self._accepted):
            value = self._accepted[1]
        else:
            value, refused = await self._checks.check_answer(event.step, event.output)
            value = None if refused else value
        if value is event.output:
            return event
        self.changed.append(value)
        return replace(event, text=self._describe(value), is_text=isinstance(value, str), output=value)


async def first_rejection(checks: Sequence[Check], answer: Any, memory: Any, agent: Any, post: Post) -> str:
    """Return why the first check that rejects the answer does so; "" if none does. A check may be async.

    Args:
        checks: called in order. None, or a true value, accepts the answer.
        answer: the live value.
        memory: the agent's.
        agent: the agent.
        post: runs a call on the calling thread.
    """
    for check in checks:
        try:
            passed = await post(partial(call, check, answer, memory, agent=agent))
            if inspect.isawaitable(passed):
                passed = await passed
            reason = "" if passed is None or bool(passed) else f"it returned {passed!r}"
        except (Exception, SystemExit) as error:
            reason = str(error) or type(error).__name__
        if reason:
            return f"the answer was not accepted by {getattr(check, '__name__', 'check')}: {reason}"
    return ""
