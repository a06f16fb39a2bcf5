"""Grants: given on the card, used without a further question, listed, taken back, and kept for a notebook by its path."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from persons import Person

from smolcell import CodeAgent, policy, tool
from smolcell.core.receipt import receipt
from smolcell.errors import SetupError
from smolcell.events import Allowed, Grant, Granted, from_json, to_json
from smolcell.gates import create_gate
from smolcell.grants import Grants, describe_grants, describe_reopened, exact_call
from smolcell.policy import ToolPattern
from smolcell.testing import ScriptedModel

IMPORT = "<code>\nimport wsgiref\nfinal_answer('done')\n</code>"
New = Callable[..., CodeAgent]


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SMOLCELL_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("SMOLCELL_CONFIG_DIR", str(tmp_path / "own"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own").mkdir()
    return tmp_path


@pytest.fixture
def new_agent() -> Iterator[New]:
    with ExitStack() as stack:

        def new(person: Person, *replies: str, place: str = "", mode: str = "ask", **more: Any) -> CodeAgent:
            agent = CodeAgent(model=ScriptedModel(*replies), gate=create_gate(mode, person), view=person, **more)
            agent.place = place
            agent.use_grants(Grants(place))
            stack.callback(agent.cleanup)
            return agent

        yield new


def labels(person: Person) -> list[list[str]]:
    return [[offer.label for offer in proposal.offers] for proposal in person.asked]


def test_a_module_granted_for_a_notebook_is_known_when_it_is_reopened(new_agent: New, state: Path) -> None:
    place = str(state / "a.ipynb")
    person = Person(("approve", {"offer": "notebook wsgiref"}))
    agent = new_agent(person, IMPORT, place=place)
    assert agent.run("a") == "done"
    assert labels(person) == [
        [f"Approve and allow wsgiref (this {scope})" for scope in ("run", "session", "notebook")]
        + ["Send back with hint"]
    ]
    granted = [event for event in agent.memory.events if isinstance(event, Granted)]
    assert granted == [
        Granted(run=agent.run_id, step=1, grants=(Grant(kind="module", name="wsgiref.*", scope="notebook"),))
    ]
    assert [from_json(to_json(event)) for event in granted] == granted
    assert receipt(agent.memory.events).details()["grants"] == ["module wsgiref.* (notebook)"]

    again, other = Grants(place), Grants(str(state / "b.ipynb"))
    assert (again.names("module"), other.names("module")) == (("wsgiref.*",), ())
    assert describe_reopened(again).startswith("smolcell: granted earlier for this notebook: module wsgiref.* (since 2")
    assert describe_reopened(other) == ""


def test_a_grant_that_is_taken_back_ends_at_once_and_is_recorded(new_agent: New) -> None:
    person = Person(("approve", {"offer": "session wsgiref"}), "approve")
    agent = new_agent(person, IMPORT, IMPORT)
    agent.run("a")
    (held,) = agent.grants.held()
    assert describe_grants(agent.grants, "default").startswith("  1  module     wsgiref.*  (this session, since 2")
    agent.grants.revoke(held.grant)
    assert (agent.granted, agent.imports) == ((), ())
    result = agent.run("b", reset=False, return_full_result=True)
    assert [event.grants for event in result.events if isinstance(event, Granted) and event.revoked] == [(held.grant,)]
    assert labels(person)[1] == labels(person)[0]  # asked again


def test_nothing_is_granted_for_a_notebook_where_there_is_none(new_agent: New) -> None:
    person = Person("stop")
    new_agent(person, IMPORT, place="/home/me").run("a", return_full_result=True)
    assert not any("notebook" in label for label in labels(person)[0])
    with pytest.raises(SetupError, match="cannot be granted for this notebook"):
        Grants("/home/me").give("host", "example.org", "notebook")


def fetching(*urls: str) -> str:
    calls = "".join(f"fetch({url!r})\n" for url in urls)
    return f"<code>\n{calls}final_answer('done')\n</code>"


def fetch_tool() -> tuple[Any, list[str]]:
    fetched: list[str] = []

    @tool(approve=True)
    def fetch(url: str) -> str:
        """Fetch a page.

        Args:
            url: its address.
        """
        fetched.append(url)
        return "page"

    return fetch, fetched


def test_a_call_granted_for_the_session_is_not_asked_about_again_and_others_are(new_agent: New) -> None:
    fetch, fetched = fetch_tool()
    person = Person("approve", ("approve", {"offer": "session this call"}), "approve", "approve")
    agent = new_agent(person, fetching("https://a", "https://a"), fetching("https://a", "https://b"), tools=[fetch])
    agent.run("a")
    agent.run("b", reset=False)
    assert fetched == ["https://a", "https://a", "https://a", "https://b"]
    assert [asked.text.splitlines()[0] for asked in person.asked if asked.kind == "call"] == [
        "fetch(url='https://a')",
        "fetch(url='https://b')",
    ]
    by = [event.by for event in agent.memory.events if isinstance(event, Allowed) and event.kind == "call"]
    assert by == ["person", "grant", "grant", "person"]
    assert agent.grants.names("tool") == ("fetch(url=https://a)",)


def test_a_grant_does_not_loosen_deny(new_agent: New) -> None:
    fetch, fetched = fetch_tool()
    agent = new_agent(Person(), fetching("https://a"), tools=[fetch], mode="deny")
    agent.grants.give("tool", "fetch", "session")
    agent.run("a", return_full_result=True)
    assert fetched == []


def test_the_policy_is_asked_when_a_grant_is_given_and_when_it_is_used(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{",
        '{"notebook": "/other.ipynb", "grants": []}',
        '{"notebook": 1}',
        '{"notebook": "HERE", "grants": [{"kind": "all"}]}',
    ],
)
def test_a_damaged_file_grants_nothing(state: Path, content: str) -> None:
    grants = Grants(str(state / "a.ipynb"))
    grants.give("host", "a.org", "notebook")
    (file,) = (state / "state" / "grants").iterdir()
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
    fetch, fetched = fetch_tool()
    person = Person("approve", "approve")
    agent = new_agent(person, fetching("https://a"), tools=[fetch])
    agent.grants.give("tool", "fetch", "session")
    agent.run("a")
    assert (len(fetched), labels(person)[1]) == (1, [])
    assert person.asked[1].why.startswith("You are asked before each such call: locked by ")
    assert policy.current().locks() != []
