"""The budget of a run: limits, and the usage so far. Pure.

A run and the managed agents that it calls share one tracker. Limits are checked before the model is asked: a reply that exceeds a
limit is still paid and carried out; the model is asked again only if a person agrees. ``Questions.afford`` enforces it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from smolcell.core.spec import budget_limit
from smolcell.errors import SetupError
from smolcell.events import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Limits of a run. When one is reached, a person is asked whether the run continues. None: no limit.

    Args:
        tokens: input and output together.
        cost: US dollars, if the model reports its cost.
        steps: replies of the model, and of managed agents.
        seconds: duration of the run, without the time in which a person decides.

    Raises:
        SetupError: a limit is not positive.
    """

    tokens: int | None = None
    cost: float | None = None
    steps: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name in ("tokens", "cost", "steps", "seconds"):
            limit = getattr(self, name)
            if limit is not None and not (isinstance(limit, int | float) and limit > 0):
                raise SetupError(f"a budget's {name} must be above zero, not {limit!r}: for example Budget({name}=100)")

    @classmethod
    def of(cls, text: str) -> Budget | None:
        """Return the budget of a setting, such as ``"$0.50"`` or ``"100k"`` tokens; None for ""."""
        return cls(**budget_limit(text)) if text else None

    def __str__(self) -> str:
        """Return the cost or the tokens as a setting; "" if they are not limited."""
        return f"${self.cost:g}" if self.cost else str(self.tokens or "")


class BudgetTracker:
    """Counts the usage of the runs of one budget.

    Args:
        budget: the limits; each approval adds the same amount again.
        now: seconds, on the clock that the other calls use.
        within: the manager's tracker, which counts the same usage.
        name: the agent's name, for the question; "" if no name is needed.
    """

    def __init__(self, budget: Budget, now: float, *, within: BudgetTracker | None = None, name: str = "") -> None:
        self._budget, self._within, self._whose = budget, within, f"{name}: " if name else ""
        self._started = now
        self._extra: dict[str, float] = {}
        self.usage = Usage()
        self.steps = 0
        self.waited = 0.0  # seconds in which a person decided
        self._unmetered = False  # a reply did not report its usage

    def pay(self, usage: Usage, *, whole: bool = True) -> None:
        """Count one reply. A reply that was cut off (not ``whole``) need not report its usage."""
        if self._within is not None:
            self._within.pay(usage, whole=whole)
        self.usage += usage
        self.steps += 1
        self._unmetered |= whole and not (usage.input_tokens or usage.output_tokens or usage.cost)

    def wait(self, seconds: float) -> None:
        """Exclude seconds in which a person decided."""
        self.waited += seconds
        if self._within is not None:
            self._within.wait(seconds)

    def exceeded(self, now: float) -> str:
        """Return the question to the person who may extend the budget; "" while no limit is reached."""
        if question := self._question(now):
            return f"{self._whose}{question}"
        return self._within.exceeded(now) if self._within is not None else ""

    def _question(self, now: float) -> str:
        spent = [f"{units} {used:,g} of {limit:,g}{unit}" for units, used, limit, unit in self._crossed(now)]
        if unknown := self._unknown():
            units = " and ".join({"cost": "dollars"}.get(name, name) for name in unknown)
            lacks = "its cost" if unknown == ["cost"] else "its usage"
            return f"The model does not report {lacks}, so the budget in {units} cannot be held. Go on without it?"
        return f"The budget is spent: {', '.join(spent)}. Go on, with as much again?" if spent else ""

    def extend(self, now: float) -> None:
        """Add the budget's amount again to each limit that is reached, counted from now."""
        if self._within is not None:
            self._within.extend(now)
        for name in self._unknown():
            self._extra[name] = float("inf")
        for name, used, _, _ in list(self._crossed(now)):
            self._extra[name] = used

    def _unknown(self) -> list[str]:
        """Return the limits that cannot be enforced, since the model does not report the usage."""
        paid = self.usage.input_tokens or self.usage.output_tokens
        unknown = {"tokens": self._unmetered, "cost": self._unmetered or (paid and self.usage.cost is None)}
        limited = (name for name, it_is in unknown.items() if it_is and getattr(self._budget, name) is not None)
        return [name for name in limited if self._extra.get(name) != float("inf")]

    def _crossed(self, now: float) -> Iterator[tuple[str, float, float, str]]:
        used = {
            "tokens": float(self.usage.input_tokens + self.usage.output_tokens),
            "cost": self.usage.cost or 0.0,
            "steps": float(self.steps),
            "seconds": now - self._started - self.waited,
        }
        for name, amount in used.items():
            limit = getattr(self._budget, name)
            if limit is None:
                continue
            most = limit + self._extra.get(name, 0.0)
            if amount >= most:
                yield name, amount, most, {"cost": " dollars", "seconds": " s"}.get(name, "")
