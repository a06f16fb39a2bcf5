"""A run that was given a link out of its folder: the person is asked with the real target; without an answer nothing is read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from commands import recording, smolcell_here
from persons import Person, of

from smolcell import CodeAgent, LocalPythonExecutor
from smolcell.approval.gates import create_gate
from smolcell.errors import AgentStopped, ApprovalError, SetupError
from smolcell.events import Allowed, Asked, File, Proposed, Refused
from smolcell.testing import ScriptedModel

Make = Callable[..., CodeAgent]
READ = "<code>\nfinal_answer(open('sales.csv').read())\n</code>"


@pytest.fixture
def share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file outside the current folder, in which a link leads to it."""
    (tmp_path / "here").mkdir()
    (tmp_path / "share").mkdir()
    (tmp_path / "share" / "sales.csv").write_text("1,2")
    (tmp_path / "here" / "sales.csv").symlink_to("../share/sales.csv")
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "share" / "sales.csv"


@pytest.fixture
def make() -> Iterator[Make]:
    with ExitStack() as stack:

        def made(person: Person, *replies: str, mode: str = "ask", **options: Any) -> CodeAgent:
            executor, gate = LocalPythonExecutor(python="full"), create_gate(mode, person)
            model = ScriptedModel(*(replies or (READ,)))
            return stack.enter_context(CodeAgent([], model, sandbox=executor, gate=gate, view=person, **options))

        yield made


@pytest.mark.parametrize("read_only", [False, True])
def test_the_person_is_asked_with_the_real_target_and_then_the_file_goes_in(
    make: Make, share: Path, read_only: bool
) -> None:
    person = Person("approve", "approve")
    agent = make(person)
    assert agent.run("Read.", files=["sales.csv"], read_only=read_only) == "1,2"
    question, step = person.asked
    assert (question.kind, question.step, question.text) == ("link", 0, f"sales.csv is a link to {share}")
    assert (step.kind, step.step) == ("code", 1)
    [asked] = of(agent, Asked)
    assert asked.files == (File(name="sales.csv", size=0 if read_only else 3, read_only=read_only),)
    assert [step.number for step in agent.memory.steps] == [1]
    assert "is a link" not in str(agent.model.calls)


@pytest.mark.parametrize(
    ("mode", "answers", "error", "said"),
    [
        ("ask", [], ApprovalError, "No person is there to allow it. To send what it leads to, name that path itself"),
        ("auto", [], ApprovalError, "approval mode is auto: no question is asked"),
        ("risky", [], ApprovalError, "No person is there to allow it"),
        ("deny", [], ApprovalError, "approval mode is deny: nothing runs"),
        ("ask", ["refuse"], AgentStopped, "You refused it"),
        ("ask", [("refuse", {"comment": "not that one"})], AgentStopped, "not that one"),
        ("ask", ["stop"], AgentStopped, "stopped"),
        (
            "ask",
            [("edit", {"text": "another is a link to nothing"})],
            ApprovalError,
            "the answer was about another text",
        ),
    ],
)
def test_without_a_yes_the_run_ends_and_nothing_of_the_file_was_read(
    make: Make, share: Path, mode: str, answers: list[Any], error: type[Exception], said: str
) -> None:
    agent = make(Person(*answers), mode=mode)
    with pytest.raises(error) as refusal:
        agent.run("Read.", files=["sales.csv"])
    assert f"sales.csv is a link to {share}" in str(refusal.value)
    assert said in str(refusal.value)
    assert (agent.model.calls, agent.executor.files(), agent.handed_in) == ([], (), ())


def test_a_yes_to_the_rest_of_the_run_or_to_a_link_covers_no_other_link(make: Make, share: Path) -> None:
    Path("more.csv").symlink_to(share)
    person = Person("approve", "approve_run")
    agent = make(person, READ, READ)
    assert agent.run("Read.", files=["sales.csv"]) == "1,2"
    with pytest.raises(ApprovalError, match=r"more\.csv is a link to"):
        agent.run("Read.", reset=False, files=["more.csv"])


def test_a_link_is_asked_about_once_in_a_session_while_it_leads_to_the_same_place(make: Make, share: Path) -> None:
    person = Person(*["approve"] * 6)
    agent = make(person, READ, READ, READ)
    for _ in range(2):
        assert agent.run("Read.", reset=False, files=["sales.csv"]) == "1,2"
    assert [each.kind for each in person.asked] == ["link", "code", "code"]
    Path("sales.csv").unlink()
    Path("sales.csv").symlink_to(share.rename(share.with_name("other.csv")))
    agent.run("Read.", reset=False, files=["sales.csv"])
    assert [each.kind for each in person.asked[3:]] == ["link", "code"]


def test_all_links_of_a_task_are_one_question(make: Make, share: Path) -> None:
    Path("folder").symlink_to(share.parent)
    Path("own.csv").write_text("own")
    person = Person("approve", "approve")
    make(person).run("Read.", files=["sales.csv", "own.csv", "folder"])
    assert person.asked[0].text == f"sales.csv is a link to {share}\nfolder is a link to {share.parent}"


def test_a_name_cannot_look_like_a_line_of_the_question(make: Make, share: Path) -> None:
    name = "a is a link to a safe file\nb\u202e"
    Path(name).symlink_to(share)
    person = Person()
    with pytest.raises(ApprovalError):
        make(person).run("Read.", files=[name])
    assert person.asked[0].text == f"'a is a link to a safe file\\nb\\u{{202e}}' is a link to {share}"


def test_a_link_that_leads_elsewhere_by_the_time_of_the_answer_is_not_read(make: Make, share: Path) -> None:
    (share.parent / "secret.csv").write_text("secret")

    class Slow(Person):
        async def ask(self, proposal: Proposed) -> Any:
            Path("sales.csv").unlink()
            Path("sales.csv").symlink_to(share.parent / "secret.csv")
            return await super().ask(proposal)

    agent = make(Slow("approve"))
    with pytest.raises(SetupError, match=r"a link that leads to .*secret\.csv, outside the folder"):
        agent.run("Read.", files=["sales.csv"])
    assert (agent.model.calls, agent.executor.files()) == ([], ())


def test_after_a_yes_a_new_sandbox_gets_the_file_without_a_question(make: Make, share: Path) -> None:
    person = Person("approve", "approve", "approve", "approve")
    agent = make(person, READ, READ, READ)
    assert agent.run("Read.", files=["sales.csv"]) == "1,2"
    os.kill(agent.executor._channel.pid, 9)  # type: ignore[attr-defined]
    Path("sales.csv").unlink()
    Path("sales.csv").symlink_to("/etc/passwd")
    assert agent.run("Read again.", reset=False) == "1,2"
    assert [proposed.kind for proposed in person.asked].count("link") == 1


def test_a_file_of_the_kernel_is_refused_before_anyone_is_asked(make: Make, share: Path) -> None:
    Path("env").symlink_to("/proc/self/environ")
    person = Person("approve")
    for path in ("env", "/proc/self/environ"):
        with pytest.raises(SetupError, match="a file of the operating system"):
            make(person).run("Read.", files=[path])
    assert person.asked == []


def test_the_question_is_recorded_and_is_no_step(make: Make, share: Path) -> None:
    agent = make(Person())
    with pytest.raises(ApprovalError):
        agent.run("Read.", files=["sales.csv"])
    [proposed], [refused] = of(agent, Proposed), of(agent, Refused)
    assert (proposed.kind, refused.by, refused.then, of(agent, Allowed)) == ("link", "nobody", "refused", [])
    assert agent.memory.steps == []


def test_the_command_without_a_terminal_gives_no_link_to_the_sandbox(tmp_path: Path, share: Path) -> None:
    replay = recording(tmp_path / "replay.jsonl", "Go.", "final_answer(1)")
    done = smolcell_here("run", "Go.", "-f", "sales.csv", "--replay", str(replay))
    assert done.returncode == 1
    assert (
        f"sales.csv is a link to {share}. No person is there to allow it. To send what it leads to, name" in done.stderr
    )
    assert smolcell_here("run", "Go.", "-f", str(share), "--replay", str(replay), "-a", "auto").returncode == 0
