"""The code of a run connects to a host that is on no list: the person is asked, and what they say is kept as long as it says."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from persons import Person

from smolcell import CodeAgent, LocalPythonExecutor
from smolcell.approval.gates import create_gate
from smolcell.approval.grants import Grants
from smolcell.errors import SetupError
from smolcell.events import Connected, Granted, Observed, Proposed, Refused
from smolcell.testing import ScriptedModel

HERE = "127.0.0.1"
Setup = Callable[..., CodeAgent]


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a settings file of this test's own."""
    folder = tmp_path / "own"
    folder.mkdir()
    monkeypatch.setenv("SMOLCELL_CONFIG_DIR", str(folder))
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.fixture
def new(sandbox: Callable[..., LocalPythonExecutor]) -> Iterator[Setup]:
    with ExitStack() as stack:

        def make(person: Person, *programs: str, mode: str = "ask", **options: Any) -> CodeAgent:
            model = ScriptedModel(*[f"<code>\n{code}\n</code>" for code in programs])
            executor, gate = sandbox("listed.test", HERE, **options), create_gate(mode, person)
            return stack.enter_context(CodeAgent(model=model, sandbox=executor, gate=gate, view=person))

        yield make


@pytest.fixture
def host(plain: Any) -> str:
    return f"new.test:{plain.server_port}"


def get(host: str, times: int = 1) -> str:
    return f"""
import requests
said = []
for _ in range({times}):
    answer = requests.get("http://{host}/")
    said.append(answer.status_code if answer.ok else answer.text)
final_answer(said)"""


def asked_hosts(person: Person) -> list[str]:
    return [each.text for each in person.asked if each.kind == "host"]


def offer(name: str, choice: str = "approve") -> tuple[str, dict[str, Any]]:
    return choice, {"offer": name}


def test_a_host_is_allowed_once(new: Setup, host: str) -> None:
    person = Person("approve", "approve", "refuse")
    result = new(person, get(host, times=2)).run("go", return_full_result=True)
    assert result.output[0] == 200
    assert "is not allowed: the user refused it" in result.output[1]
    assert asked_hosts(person) == [f"wants {host}"] * 2
    found = [event for event in result.events if isinstance(event, Connected)]
    assert [(each.host, bool(each.refused)) for each in found] == [("new.test", False), ("new.test", True)]
    assert "new.test" in result.hosts
    assert host in [finding.text for finding in person.asked[0].findings]


@pytest.mark.parametrize(("scope", "again"), [("run", 2), ("session", 0)])
def test_a_grant_holds_as_long_as_it_says(new: Setup, host: str, scope: str, again: int) -> None:
    person = Person("approve", offer(f"{scope} {host}"), "approve", "approve")
    agent = new(person, *[get(host, times=3)] * 2)
    first = agent.run("go", return_full_result=True)
    second = agent.run("go again", return_full_result=True)
    assert first.output == [200, 200, 200]
    assert [event.grants[0].name for event in first.events if isinstance(event, Granted)] == [host]
    assert len(asked_hosts(person)) == again + 1
    assert second.output[0] == 200


def test_never_is_not_asked_again_in_the_session(new: Setup, plain: Any, host: str) -> None:
    person = Person("approve", offer("never", "refuse"), "approve")
    agent = new(person, *[get(host, times=3)] * 2)
    both = agent.run("go") + agent.run("go again")
    assert all("the user said never" in each for each in both)
    assert len(asked_hosts(person)) == 1
    assert plain.seen == []


def test_if_nobody_can_answer_the_connection_is_refused_and_the_run_goes_on(new: Setup, host: str) -> None:
    result = new(Person("approve"), get(host)).run("go", return_full_result=True)
    assert result.state == "success"
    assert f"--allow-host {host}" in result.output[0]
    assert [event.then for event in result.events if isinstance(event, Refused)] == ["continue"]


def test_with_approval_auto_no_host_is_allowed_by_itself(new: Setup, host: str) -> None:
    person = Person()
    assert "new.test is not allowed" in new(person, get(host), mode="auto").run("go")[0]
    assert person.asked == []


def test_stop_on_the_question_ends_the_run(new: Setup, plain: Any, host: str) -> None:
    result = new(Person("approve", "stop"), get(host)).run("go", return_full_result=True)
    assert result.state == "stopped"
    assert plain.seen == []


@pytest.mark.slow
def test_the_clock_of_the_step_stands_while_the_person_is_asked(new: Setup, host: str) -> None:
    class Slow(Person):
        async def ask(self, proposal: Proposed) -> Any:
            if proposal.kind == "host":
                await asyncio.sleep(4)
            return await super().ask(proposal)

    agent = new(Slow(*["approve"] * 3), "import requests", get(host), timeout=3.0)  # the import is not part of the step
    result = agent.run("go", return_full_result=True)
    assert result.output == [200]
    assert all(event.duration < 3.0 for event in result.events if isinstance(event, Observed))


def test_many_connections_at_once_ask_one_question(new: Setup, host: str) -> None:
    code = f"""
import requests
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(20) as pool:
    final_answer(list(pool.map(lambda _: requests.get("http://{host}/").status_code, range(20))))"""
    person = Person("approve", offer(f"run {host}"))
    assert new(person, code).run("go") == [200] * 20
    assert len(asked_hosts(person)) == 1


def test_the_policy_is_asked_before_the_person_and_about_listed_hosts(
    new: Setup, host: str, own: Path, sandbox: Any
) -> None:
    (own / "smolcell.toml").write_text('[policy]\nhosts = ["listed.test", "127.0.0.1"]\n')
    person = Person("approve", "approve")
    assert "the policy does not" in new(person, get(host)).run("go")[0]
    assert asked_hosts(person) == []
    with pytest.raises(SetupError, match=r"The host other\.test is not allowed"):
        sandbox("other.test")("1")


def test_a_revoked_grant_ends_at_once() -> None:
    grants = Grants()
    grants.give("host", "new.test", "session")
    with CodeAgent(model=ScriptedModel(), python="full") as agent:
        agent.use_grants(grants)
        executor: Any = agent.executor
        assert executor.egress.hosts.names == ("new.test",)

        grants.revoke(grants.held()[0].grant)

        assert executor.egress.hosts.names == ()


def test_the_model_is_told_which_hosts_are_open(new: Setup) -> None:
    agent = new(Person("approve"), "final_answer(1)")
    agent.run("go")
    told = agent.model.calls[0][0].text
    assert "listed.test" in told
    assert "the user is asked" in told


def test_without_an_open_host_a_finding_and_the_failed_step_say_how_one_is_opened() -> None:
    person = Person("approve", "approve")
    model = ScriptedModel(
        "<code>\nimport urllib.request\nurllib.request.urlopen('https://api.example.org/x')\n</code>",
        "<code>\nfinal_answer(1)\n</code>",
    )
    executor = LocalPythonExecutor(python="full")
    with CodeAgent(model=model, sandbox=executor, gate=create_gate("ask", person), view=person) as agent:
        result = agent.run("go", return_full_result=True)
    finding = "api.example.org (no host is open: --allow-host api.example.org)"
    assert finding in [each.text for each in person.asked[0].findings]
    failed = next(event.error for event in result.events if isinstance(event, Observed) and event.error is not None)
    assert failed.hint.endswith("--allow-host api.example.org")
