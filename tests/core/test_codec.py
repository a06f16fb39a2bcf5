"""Events go to JSON and come back the same, anything else is refused by one error; they are values, known by what is shown."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any, get_args, get_type_hints

import pytest
from examples import cases
from hypothesis import given
from hypothesis import strategies as st

from smolcell import events
from smolcell.errors import PermitError
from smolcell.events import (
    EVENTS,
    Allowed,
    Answered,
    Delta,
    Event,
    Observed,
    Proposed,
    Replied,
    Usage,
    fingerprint,
    from_json,
    sha256,
    to_json,
)
from smolcell.permit import permit, spend

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
json_values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
)
anything = st.recursive(
    scalars | st.binary() | st.just(float("nan")) | st.just(10**400),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text() | st.integers(), inner, max_size=4) | st.tuples(inner),
)  # fmt: skip
numbers = st.floats(allow_nan=False) | st.integers(-(2**53), 2**53).map(float)


def of(kind: Any) -> st.SearchStrategy[Any]:
    """Any value of an annotation, without the live values, which compare as absent."""
    if not dataclasses.is_dataclass(kind):
        return st.from_type(kind)
    hints = get_type_hints(kind, vars(events))
    fields = {f.name: of_field(hints[f.name]) for f in dataclasses.fields(kind) if f.metadata.get("json", True)}
    built: st.SearchStrategy[Any] = st.builds(kind, **fields)  # type: ignore[arg-type]
    return built


def of_field(hint: Any) -> st.SearchStrategy[Any]:
    arguments = get_args(hint)
    if hint == Mapping[str, Any]:
        return st.dictionaries(st.text(), json_values, max_size=3)
    if hint == Mapping[str, str]:
        return st.dictionaries(st.text(), st.text(), max_size=3)
    if getattr(hint, "__origin__", None) is tuple:
        return st.lists(of(arguments[0]), max_size=3).map(tuple)
    if type(None) in arguments:
        return st.none() | of_field(arguments[0])
    return numbers if hint is float else of(hint)


any_event = st.one_of([of(kind) for kind in EVENTS.values()])


def test_every_event_is_known() -> None:
    assert list(EVENTS.values()) == list(get_args(Event))


@pytest.mark.parametrize("kind", EVENTS.values(), ids=EVENTS)
@given(data=st.data())
def test_what_is_written_is_read_back_the_same(kind: type, data: st.DataObject) -> None:
    event = data.draw(of(kind))
    assert from_json(to_json(event)) == event
    assert from_json(json.loads(json.dumps(to_json(event)))) == event


def test_a_proposal_carries_its_fingerprint_and_a_live_value_stays() -> None:
    proposed = Proposed(run="r", step=1, text="x")
    assert to_json(proposed)["fingerprint"] == proposed.fingerprint
    answered = Answered(run="r", step=1, text="an object", output=object())
    assert to_json(answered) == {"event": "Answered", "run": "r", "step": 1, "text": "an object"}
    assert "output" not in to_json(Observed(output=object()))
    assert to_json(Delta(text="a")) == {"event": "Delta", "text": "a", "channel": "reply", "run": "", "step": 0}


def test_fields_of_a_newer_version_are_ignored_and_absent_ones_are_the_default() -> None:
    data = {"event": "Replied", "text": "a", "tomorrow": [1], "usage": {"cached": 3}}
    assert from_json(data) == Replied(text="a", usage=Usage())


BEYOND = [
    pytest.param({"event": "Observed", "duration": 10**400}, id="a number beyond all"),
    pytest.param({"event": "Asked", "run": json.loads("[" * 900 + "]" * 900), "task": "t"}, id="a deep one"),
]


@pytest.mark.parametrize("data", [*cases(__file__, "garbage"), *BEYOND])
def test_garbage_is_a_value_error(data: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        from_json(data)


def test_the_error_is_short_whatever_was_found() -> None:
    with pytest.raises(ValueError, match="expected str") as caught:
        from_json({"event": "Asked", "run": ["x" * 10_000_000], "task": "t"})
    assert len(str(caught.value)) < 200


@given(event=any_event, where=st.data(), value=anything)
def test_any_damage_is_an_event_or_a_value_error(event: Event, where: st.DataObject, value: Any) -> None:
    data = to_json(event)
    data[where.draw(st.sampled_from(sorted(data)))] = value
    try:
        from_json(data)
    except ValueError:
        pass


@given(anything)
def test_anything_is_an_event_or_a_value_error(data: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        from_json(data)


def test_a_permit_that_is_read_back_permits_nothing() -> None:
    allowed = permit(Proposed(run="r", step=1, text="x = 1"), by="person")
    again = from_json(to_json(allowed))
    assert isinstance(again, Allowed)
    assert again == allowed
    with pytest.raises(PermitError):
        spend(again)
    assert spend(allowed) == "x = 1"


# --- events as values ----------------------------------------------------------------------------------------------------


def test_every_event_is_frozen_has_slots_and_takes_keywords_only() -> None:
    shapes = {
        name: (
            kind.__dataclass_params__.frozen,
            hasattr(kind, "__slots__"),
            {f.kw_only for f in dataclasses.fields(kind)},
        )
        for name, kind in EVENTS.items()
    }
    assert shapes == dict.fromkeys(shapes, (True, True, {True}))
    assert len(shapes) == 19


def test_an_event_cannot_be_changed() -> None:
    proposed = Proposed(run="r", step=1, text="x = 1")
    with pytest.raises(dataclasses.FrozenInstanceError):
        proposed.text = "y = 2"  # type: ignore[misc]


def test_the_fingerprint_is_of_the_kind_and_the_exact_text() -> None:
    code = Proposed(run="r", step=1, text="x = 1")
    assert code.fingerprint == fingerprint("code", "x = 1")
    assert code.fingerprint == dataclasses.replace(code, run="s", step=2, thought="t").fingerprint
    assert len({code.fingerprint, fingerprint("call", "x = 1"), fingerprint("code", "x = 1 "), sha256("x = 1")}) == 4


def test_hashes_take_any_text() -> None:
    assert len({sha256(text) for text in ("", "\ud800", "\udfff", "\x00", "\u00e9", "e\u0301")}) == 6


def test_usage_adds_up_and_a_cost_counts_where_it_is_known() -> None:
    one = Usage(input_tokens=1, output_tokens=2)
    paid = Usage(input_tokens=10, output_tokens=20, cost=0.5)
    assert one + one == Usage(input_tokens=2, output_tokens=4)
    assert paid + paid + Usage() == Usage(input_tokens=20, output_tokens=40, cost=1.0)
    assert one + paid + paid == Usage(input_tokens=21, output_tokens=42)  # a part of unknown cost: so is the whole
