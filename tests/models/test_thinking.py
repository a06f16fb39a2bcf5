"""Reasoning that a model writes into its text is parted from it, however the pieces fall."""

from __future__ import annotations

import pytest
from examples import cases
from hypothesis import given
from hypothesis import strategies as st

from smolcell.core.parsing import part
from smolcell.models.streaming import Thinking


def parted(*pieces: str) -> tuple[str, str]:
    thinking = Thinking()
    given = [item for piece in pieces for item in thinking.feed(piece)] + list(thinking.end())
    assert all(text for _, text in given)
    return tuple("".join(text for channel, text in given if channel == kind) for kind in ("reasoning", "reply"))  # type: ignore[return-value]


@pytest.mark.parametrize(("text", "meant"), cases(__file__, "streams"))
def test_reasoning_is_parted(text: str, meant: list[str]) -> None:
    assert parted(text) == parted(*text) == tuple(meant)


@given(
    st.lists(st.sampled_from(["<think>", "</think>", "<", "th", "ink>", "/", " ", "\n", "a", "<code>"]), max_size=12)
)
def test_the_pieces_do_not_matter_and_nothing_is_lost(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert parted(*pieces) == parted(text) == parted(*text)
    reasoning, said = parted(text)
    assert len(reasoning) + len(said) <= len(text)
    if not text.lstrip().startswith("<think>"):
        assert (reasoning, said) == ("", text)


@pytest.mark.parametrize(("text", "meant"), cases(__file__, "whole texts"))
def test_reasoning_that_began_in_the_prompt_is_parted_at_the_end(text: str, meant: list[str]) -> None:
    assert part(text) == tuple(meant)
