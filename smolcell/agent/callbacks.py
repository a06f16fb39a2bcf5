"""The user's own functions that a run tells or asks: callbacks of steps and checks of answers. They run on the calling thread."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from smolcell.core.history import Step
from smolcell.errors import SetupError

Check = Callable[..., Any]
"""``check(answer, memory, agent=agent)``: False, or an exception, sends the answer back to the model."""

Callback = Callable[..., object]
"""``callback(step, agent=agent)``."""

Post = Callable[[Callable[[], Any]], Awaitable[Any]]


def hooks(given: Sequence[Callable[..., Any]], option: str) -> list[Callable[..., Any]]:
    """The functions of an option, as a list of one's own.

    Raises:
        SetupError: it is no list of functions.
    """
    if isinstance(given, dict | str) or not all(callable(one) for one in given):
        raise SetupError(f"{option} is a list of functions, for example: {option}=[my_function]")
    return list(given)


def call(hook: Callable[..., Any], *arguments: Any, agent: Any) -> Any:
    """Call it with as many of the arguments as it takes, and with the agent if it takes that."""
    try:
        parameters = list(inspect.signature(hook).parameters.values())
    except (TypeError, ValueError):  # a built-in that does not say, such as bool
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
    """The type of ``step_callbacks``: functions called with every step, or functions by the class of the steps they get.

    Raises:
        SetupError: it is neither.
    """
    if not isinstance(given, Mapping):
        return hooks(given, "step_callbacks")
    told: list[Callback] = []
    for kind, functions in given.items():
        if not (isinstance(kind, type) and issubclass(kind, Step)):
            raise SetupError(
                f"step_callbacks is a list of functions, or has them by the class of steps, not by {kind!r}: "
                "for example step_callbacks={PlanningStep: my_function}"
            )
        listed = functions if isinstance(functions, list | tuple) else [functions]
        told += [_Of(kind, function) for function in hooks(listed, "step_callbacks")]
    return told


class _Of:
    """A callback for the steps of one class."""

    def __init__(self, kind: type, hook: Callback) -> None:
        self._kind, self._hook = kind, hook

    def __call__(self, step: Any, agent: Any) -> None:
        if isinstance(step, self._kind):
            call(self._hook, step, agent=agent)


async def first_rejection(checks: Sequence[Check], answer: Any, memory: Any, agent: Any, post: Post) -> str:
    """Why an answer is not accepted, by the first check that objects; "" if none does. A check may be async.

    Args:
        checks: asked in order. None, and whatever is true, accepts.
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
            said = "" if passed is None or bool(passed) else f"it returned {passed!r}"
        except (Exception, SystemExit) as error:
            said = str(error) or type(error).__name__
        if said:
            return f"the answer was not accepted by {getattr(check, '__name__', 'check')}: {said}"
    return ""
