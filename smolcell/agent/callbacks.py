"""The user's callbacks of steps and checks of answers. They run on the calling thread."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from smolcell.core.history import Step
from smolcell.errors import SetupError

Check = Callable[..., Any]
"""``check(answer, memory, agent=agent)``. If it returns False or raises, the answer goes back to the model."""

Callback = Callable[..., object]
"""``callback(step, agent=agent)``."""

Post = Callable[[Callable[[], Any]], Awaitable[Any]]


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
        callbacks += [_ClassCallback(kind, function) for function in hooks(listed, "step_callbacks")]
    return callbacks


class _ClassCallback:
    """A callback for the steps of one class only."""

    def __init__(self, kind: type, hook: Callback) -> None:
        self._kind, self._hook = kind, hook

    def __call__(self, step: Any, agent: Any) -> None:
        if isinstance(step, self._kind):
            call(self._hook, step, agent=agent)


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
