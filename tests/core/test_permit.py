"""A permit is valid once, for exactly its text, and only the object that ``permit`` made."""

from __future__ import annotations

import copy
import gc
import pickle
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from smolcell.errors import PermitError
from smolcell.events import Allowed, Proposed, sha256
from smolcell.permit import permit, spend

PROPOSED = Proposed(run="r", step=3, text="x = 1")


def test_it_records_what_is_allowed_and_by_whom() -> None:
    plain = permit(PROPOSED, by="auto")
    edited = permit(PROPOSED, by="person", text="y = 2", scope="run", comment="better")
    assert plain == Allowed(run="r", step=3, text="x = 1", sha256=sha256("x = 1"), by="auto", nonce=plain.nonce)
    assert edited == Allowed(
        run="r", step=3, text="y = 2", sha256=sha256("y = 2"), by="person", edited=True, scope="run", comment="better",
        nonce=edited.nonce,
    )  # fmt: skip
    assert len(plain.nonce) == 32
    assert plain.nonce not in repr(plain)


def test_it_is_spent_once() -> None:
    allowed = permit(PROPOSED, by="auto")
    assert spend(allowed) == "x = 1"
    for _ in range(2):
        with pytest.raises(PermitError, match="never allowed, or has already run"):
            spend(allowed)


def edited(allowed: Allowed, **fields: str) -> Allowed:
    for name, value in fields.items():
        object.__setattr__(allowed, name, value)
    return allowed


FORGED = {
    "a copy": lambda allowed: copy.copy(allowed),
    "a deep copy": lambda allowed: copy.deepcopy(allowed),
    "a pickled copy": lambda allowed: pickle.loads(pickle.dumps(allowed)),
    "an edited copy": lambda allowed: replace(allowed, text="rm()", sha256=sha256("rm()")),
    "an equal copy": lambda allowed: replace(allowed),
    "one made by hand": lambda _: Allowed(run="r", step=3, text="x = 1", sha256=sha256("x = 1"), by="person"),
    "a proposal": lambda _: PROPOSED,
    "nothing": lambda _: None,
    "a text": lambda _: "x = 1",
}


@pytest.mark.parametrize("forge", FORGED.values(), ids=FORGED)
def test_what_permit_did_not_make_is_refused_and_uses_nothing_up(forge: Any) -> None:
    allowed = permit(PROPOSED, by="auto")
    with pytest.raises(PermitError):
        spend(forge(allowed))
    assert spend(allowed) == "x = 1"


def test_a_permit_whose_text_was_changed_is_refused_for_good() -> None:
    allowed = edited(permit(PROPOSED, by="auto"), text="rm()")
    for _ in range(2):
        with pytest.raises(PermitError):
            spend(allowed)


def test_any_text_can_be_permitted() -> None:
    for text in ("", "\ud800", "\x00", "x" * 1_000_000):
        assert spend(permit(replace(PROPOSED, text=text), by="auto")) == text


def test_of_many_threads_exactly_one_spends_it() -> None:
    count = 8
    for _ in range(50):
        allowed = permit(PROPOSED, by="auto")
        start = threading.Barrier(count)

        def race(allowed: Allowed = allowed, start: threading.Barrier = start) -> str:
            start.wait()
            try:
                return spend(allowed)
            except PermitError:
                return ""

        with ThreadPoolExecutor(count) as pool:
            results = sorted(future.result() for future in [pool.submit(race) for _ in range(count)])
        assert results == [""] * (count - 1) + ["x = 1"]


def test_a_dropped_permit_is_forgotten() -> None:
    allowed = permit(PROPOSED, by="auto")
    kept = weakref.ref(allowed)
    del allowed
    gc.collect()
    assert kept() is None
