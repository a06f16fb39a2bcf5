"""Reasoning that a model writes into its text is parted from it, however the pieces fall."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolcell.models.streaming import Thinking, part


def parted(*pieces: str) -> tuple[str, str]:
    thinking = Thinking()
    given = [item for piece in pieces for item in thinking.feed(piece)] + list(thinking.end())
    assert all(text for _, text in given)
    return tuple("".join(text for channel, text in given if channel == kind) for kind in ("reasoning", "reply"))  # type: ignore[return-value]


WHOLE = {
    "no tag": ("print(1)", ("", "print(1)")),
    "a tag": ("<think>hm</think>hi", ("hm", "hi")),
    "after white space": ("\n <think>\nhm\n</think>\n\nhi", ("\nhm\n", "\n\nhi")),
    "twice": ("<think>a</think><think>b</think>c", ("ab", "c")),
    "within the text": ("hi <think>hm</think>", ("", "hi <think>hm</think>")),
    "without end": ("<think>hm", ("hm", "")),
    "an end that is none": ("<think>a </thin b</think>c", ("a </thin b", "c")),
    "a beginning that is none": ("<thinking>a", ("", "<thinking>a")),
    "white space alone": (" \n", ("", " \n")),
    "nothing": ("", ("", "")),
}


@pytest.mark.parametrize(("text", "meant"), WHOLE.values(), ids=WHOLE)
def test_reasoning_is_parted(text: str, meant: tuple[str, str]) -> None:
    assert parted(text) == meant
    assert parted(*text) == meant


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


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("hm</think>hi", ("hm", "hi")),
        ("hi", ("", "hi")),
        ("<code>\nprint('</think>')\n</code>", ("", "<code>\nprint('</think>')\n</code>")),
        ("```python\n'</think>'\n```", ("", "```python\n'</think>'\n```")),
        ("a <think> b</think>", ("", "a <think> b</think>")),
    ],
)
def test_reasoning_that_began_in_the_prompt_is_parted_at_the_end(text: str, meant: tuple[str, str]) -> None:
    assert part(text) == meant
