"""Grants: given on the card, used without a further question, listed, taken back, and kept for a notebook by its path."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from persons import Person, fetching, of

from smolcell import CodeAgent
from smolcell.approval import policy
from smolcell.approval.grants import Grants, describe_grants, describe_reopened, exact_call
from smolcell.approval.policy import ToolPattern
from smolcell.core.receipt import receipt
from smolcell.errors import SetupError
from smolcell.events import Allowed, Grant, Granted, from_json, to_json

IMPORT = "import wsgiref\nfinal_answer('done')"
New = Callable[..., CodeAgent]


@pytest.fixture
def new_agent(new_agent: New) -> New:
    """Makes agents whose imports are checked."""
    return partial(new_agent, python="guarded")


@pytest.fixture(autouse=True)
def state(policies: Path) -> Path:
    return policies


def at(place: str, agent: CodeAgent) -> CodeAgent:
    """The agent of the notebook at this place."""
    agent.place = place
    agent.use_grants(Grants(place))
    return agent


def labels(person: Person) -> list[list[str]]:
    return [[offer.label for offer in proposal.offers] for proposal in person.asked]


def test_a_module_granted_for_a_notebook_is_known_when_it_is_reopened(new_agent: New, state: Path) -> None:
    place = str(state / "a.ipynb")
    person = Person(("approve", {"offer": "notebook wsgiref"}))
    agent = at(place, new_agent(person, IMPORT))
    assert agent.run("a") == "done"
    assert labels(person) == [
        [f"Approve and allow wsgiref (this {scope})" for scope in ("run", "session", "notebook")]
        + ["Send back with hint"]
    ]
    granted = of(agent, Granted)
    held = Grant(kind="module", name="wsgiref.*", scope="notebook")
    assert granted == [Granted(run=agent.run_id, step=1, grants=(held,))]
    assert [from_json(to_json(event)) for event in granted] == granted
    assert receipt(agent.memory.events).details()["grants"] == ["module wsgiref.* (notebook)"]
    again, other = Grants(place), Grants(str(state / "b.ipynb"))
    assert (again.names("module"), other.names("module")) == (("wsgiref.*",), ())
    assert describe_reopened(again).startswith("smolcell: granted earlier for this notebook: module wsgiref.* (since 2")
    assert describe_reopened(other) == ""


def test_a_grant_that_is_taken_back_ends_at_once_and_is_recorded(new_agent: New) -> None:
    person = Person(("approve", {"offer": "session wsgiref"}), "approve")
    agent = at("", new_agent(person, IMPORT, IMPORT))
    agent.run("a")
    (held,) = agent.grants.held()
    assert describe_grants(agent.grants, "default").startswith("  1  module     wsgiref.*  (this session, since 2")
    agent.grants.revoke(held.grant)
    assert (agent.granted, agent.imports) == ((), ())
    result = agent.run("b", reset=False, return_full_result=True)
    assert [event.grants for event in of(result.events, Granted) if event.revoked] == [(held.grant,)]
    assert labels(person)[1] == labels(person)[0]  # asked again


def test_nothing_is_granted_for_a_notebook_where_there_is_none(new_agent: New) -> None:
    person = Person("stop")
    at("/home/me", new_agent(person, IMPORT)).run("a", return_full_result=True)
    assert not any("notebook" in label for label in labels(person)[0])
    with pytest.raises(SetupError, match="cannot be granted for this notebook"):
        Grants("/home/me").give("host", "example.org", "notebook")


def fetches(*urls: str) -> str:
    return "".join(f"fetch({url!r})\n" for url in urls) + "final_answer('done')"


def test_a_call_granted_for_the_session_is_not_asked_about_again_and_others_are(new_agent: New) -> None:
    fetch, fetched = fetching(approve=True)
    person = Person("approve", ("approve", {"offer": "session this call"}), "approve", "approve")
    programs = fetches("https://a", "https://a"), fetches("https://a", "https://b")
    agent = new_agent(person, *programs, tools=[fetch])
    agent.run("a")
    agent.run("b", reset=False)
    assert fetched == ["https://a", "https://a", "https://a", "https://b"]
    assert [asked.text.splitlines()[0] for asked in person.asked if asked.kind == "call"] == [
        "fetch(url='https://a')",
        "fetch(url='https://b')",
    ]
    assert [event.by for event in of(agent, Allowed) if event.kind == "call"] == ["person", "grant", "grant", "person"]
    assert agent.grants.names("tool") == ("fetch(url=https://a)",)


def test_a_grant_does_not_loosen_deny(new_agent: New) -> None:
    fetch, fetched = fetching(approve=True)
    agent = new_agent(Person(), fetches("https://a"), tools=[fetch], mode="deny")
    agent.grants.give("tool", "fetch", "session")
    agent.run("a", return_full_result=True)
    assert fetched == []


def test_the_policy_is_asked_when_a_grant_is_given_and_when_it_is_used(state: Path) -> None:
    grants = Grants(str(state / "a.ipynb"))
    grants.give("host", "example.org", "notebook")
    assert grants.use("host", "example.org") is not None
    (state / "own" / "smolcell.toml").write_text("[policy]\nhosts = ['*.gov']\n")
    assert (grants.use("host", "example.org"), grants.offers("host", ("example.org",), "example.org")) == (None, ())
    with pytest.raises(SetupError, match=r"The host example\.org is not allowed: locked by .*smolcell\.toml:2"):
        grants.give("host", "example.org", "session")


def test_what_is_granted_once_is_used_once_and_what_is_granted_for_a_run_ends_with_it() -> None:
    grants = Grants()
    grants.give("host", "a.org", "once")
    grants.give("credential", "KEY@a.org", "run")
    assert [grants.use("host", "a.org") is not None for _ in range(2)] == [True, False]
    assert grants.use("credential", "KEY@a.org") is not None
    grants.end_run()
    assert grants.use("credential", "KEY@a.org") is None


OTHERS = '{"notebook": "/other.ipynb", "grants": []}'
UNKNOWN = '{"notebook": "HERE", "grants": [{"kind": "all"}]}'


@pytest.mark.parametrize("content", ["", "[]", "{", '{"notebook": 1}', OTHERS, UNKNOWN])
def test_a_damaged_file_grants_nothing(state: Path, state_dir: Path, content: str) -> None:
    grants = Grants(str(state / "a.ipynb"))
    grants.give("host", "a.org", "notebook")
    (file,) = (state_dir / "grants").iterdir()
    assert json.loads(file.read_text())["notebook"] == str(state / "a.ipynb")
    file.write_text(content.replace("HERE", str(state / "a.ipynb")))
    assert grants.held() == []


values = st.text(st.sampled_from("ab*?[], =()x\n'"), max_size=8) | st.integers(-3, 3)
arguments = st.dictionaries(st.sampled_from(["a", "x", "to"]), values, min_size=1, max_size=3)


@given(arguments, arguments)
def test_a_grant_for_one_call_covers_no_other(given_: dict[str, Any], other: dict[str, Any]) -> None:
    pattern = exact_call("send", given_)
    if not pattern:
        return
    grants = Grants()
    grants.give("tool", pattern, "session")
    assert ToolPattern.read(pattern).matches("send", given_)
    assert (grants.covers_call("send", other) is not None) == ({**given_} == other or _same_text(given_, other))


def _same_text(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """A number and its text are written alike."""
    return {name: str(value) for name, value in one.items()} == {name: str(value) for name, value in other.items()}


def test_policys_ask_beats_a_grant(new_agent: New, state: Path) -> None:
    (state / "own" / "smolcell.toml").write_text("[policy.tools]\nfetch = 'ask'\n")
    fetch, fetched = fetching(approve=True)
    person = Person("approve", "approve")
    agent = new_agent(person, fetches("https://a"), tools=[fetch])
    agent.grants.give("tool", "fetch", "session")
    agent.run("a")
    assert (len(fetched), labels(person)[1]) == (1, [])
    assert person.asked[1].why.startswith("You are asked before each such call: locked by ")
    assert policy.current().locks() != []
