"""The budget of a run: limits, and the usage so far. Pure.

A run and the managed agents it calls spend from one purse. A limit is looked at before the model is asked: the reply that crosses it
is paid, and what it proposed is done; the model is asked for no more until a person agrees.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from smolcell.errors import SetupError
from smolcell.events import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The amounts a run may spend before a person is asked whether it continues. None: no limit.

    Args:
        tokens: in and out together.
        cost: US dollars, if the model says what a reply costs.
        steps: replies of the model, those of managed agents included.
        seconds: of the run; the time in which a person decides does not count.

    Raises:
        SetupError: a limit is not above zero.
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


class BudgetTracker:
    """Counts the usage of the runs of one budget.

    Args:
        budget: the limits; each yes adds as much again.
        now: seconds on the clock that the other calls use.
        within: a manager's purse, which pays as well.
        name: of the agent whose budget it is; "" if that is plain.
    """

    def __init__(self, budget: Budget, now: float, *, within: BudgetTracker | None = None, name: str = "") -> None:
        self._budget, self._within, self._whose = budget, within, f"{name}: " if name else ""
        self._begun = now
        self._extra: dict[str, float] = {}
        self.usage = Usage()
        self.steps = 0
        self.waited = 0.0  # seconds in which a person decided
        self._unmetered = False  # a reply did not say what it used

    def pay(self, usage: Usage, *, whole: bool = True) -> None:
        """Count one reply; one that is not ``whole`` need not say what it used."""
        if self._within is not None:
            self._within.pay(usage, whole=whole)
        self.usage += usage
        self.steps += 1
        self._unmetered |= whole and not (usage.input_tokens or usage.output_tokens or usage.cost)

    def wait(self, seconds: float) -> None:
        """Exclude the seconds in which a person decided."""
        self.waited += seconds
        if self._within is not None:
            self._within.wait(seconds)

    def exceeded(self, now: float) -> str:
        """The question to the person who may allow more; "" while every limit holds."""
        if question := self._question(now):
            return f"{self._whose}{question}"
        return self._within.exceeded(now) if self._within is not None else ""

    def _question(self, now: float) -> str:
        spent = [f"{said} {used:,g} of {limit:,g}{unit}" for said, used, limit, unit in self._crossed(now)]
        if unknown := self._unknown():
            said = " and ".join({"cost": "dollars"}.get(name, name) for name in unknown)
            lacks = "what it costs" if unknown == ["cost"] else "what it uses"
            return f"The model does not say {lacks}, so the budget in {said} cannot be held. Go on without it?"
        return f"The budget is spent: {', '.join(spent)}. Go on, with as much again?" if spent else ""

    def extend(self, now: float) -> None:
        """Add as much again to each limit that is reached, counted from now."""
        if self._within is not None:
            self._within.extend(now)
        for name in self._unknown():
            self._extra[name] = float("inf")
        for name, used, _, _ in list(self._crossed(now)):
            self._extra[name] = used

    def _unknown(self) -> list[str]:
        """The limits that cannot be held, since the model does not say what they count."""
        paid = self.usage.input_tokens or self.usage.output_tokens
        unknown = {"tokens": self._unmetered, "cost": self._unmetered or (paid and self.usage.cost is None)}
        limited = (name for name, it_is in unknown.items() if it_is and getattr(self._budget, name) is not None)
        return [name for name in limited if self._extra.get(name) != float("inf")]

    def _crossed(self, now: float) -> Iterator[tuple[str, float, float, str]]:
        used = {
            "tokens": float(self.usage.input_tokens + self.usage.output_tokens),
            "cost": self.usage.cost or 0.0,
            "steps": float(self.steps),
            "seconds": now - self._begun - self.waited,
        }
        for name, amount in used.items():
            limit = getattr(self._budget, name)
            if limit is None:
                continue
            most = limit + self._extra.get(name, 0.0)
            if amount >= most:
                yield name, amount, most, {"cost": " dollars", "seconds": " s"}.get(name, "")
