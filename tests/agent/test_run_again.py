"""Programs of a run that was loaded: they run again only if they were allowed here, or a person allows them now."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from persons import Person

from smolcell import CodeAgent, permit
from smolcell.agent.running import Job
from smolcell.approval.gates import allow_all
from smolcell.errors import ApprovalError, JournalError, SetupError
from smolcell.events import Allowed, Asked, Boundary, Ended, Event, Observed, Proposed, Refused, Undone, sha256
from smolcell.journal import Journal, Run, journals_folder, read, save
from smolcell.testing import ScriptedModel
from smolcell.views.transcript import bundle

PROGRAMS = ("x = 1", "x = x + 1", "final_answer(x)")


def history(*programs: str, by: str = "person") -> tuple[Event, ...]:
    """The events of a run of another process."""
    steps: list[Event] = []
    for step, text in enumerate(programs, 1):
        allowed = Allowed(run="theirs", step=step, text=text, sha256=sha256(text), by=by)
        steps += [Proposed(run="theirs", step=step, text=text), allowed, Observed(run="theirs", step=step)]
    return Asked(run="theirs", task="Add."), *steps, Ended(run="theirs", state="success", steps=len(programs))


@pytest.fixture
def agent(new_agent: Callable[..., CodeAgent], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Makes an agent that has loaded a run of three steps, and the person who is asked."""
    monkeypatch.setenv("SMOLCELL_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setattr(permit, "_spent", {})

    def new(*answers: Any, mode: str = "ask", programs: tuple[str, ...] = PROGRAMS, **options: Any) -> Any:
        person = Person(*answers)
        made = new_agent(person, mode=mode, **options)
        save(tmp_path / "theirs.jsonl", Run(history(*programs)))
        made.memory.load(tmp_path / "theirs.jsonl")
        return made, person

    return new


def value(made: CodeAgent) -> Any:
    return made.python_executor("x").output


def forked(made: CodeAgent, way: Callable[[CodeAgent], Any]) -> Any:
    with made.fork(3) as twin:
        return way(twin)


WAYS: dict[str, Callable[[CodeAgent], Any]] = {
    "undo": lambda made: made.undo(),
    "goto": lambda made: made.goto(2),
    "goto of a run": lambda made: made.goto("theirs:2"),
    "retry": lambda made: made.retry(3),
    "rebuild": lambda made: made.rebuild(),
    "rebuild of a fork": lambda made: forked(made, CodeAgent.rebuild),
    "undo of a fork": lambda made: forked(made, CodeAgent.undo),
}


@pytest.mark.parametrize("mode", ["ask", "auto", "risky", "deny"])
@pytest.mark.parametrize("way", WAYS)
def test_programs_of_a_loaded_run_do_not_run_again_if_no_person_allows_them(
    agent: Any, monkeypatch: pytest.MonkeyPatch, way: str, mode: str
) -> None:
    ran: list[str] = []
    monkeypatch.setattr("smolcell.agent.rewind._run_again", lambda *given: ran.append("again") or ())
    made, person = agent(mode=mode)
    before = made.memory.events
    with pytest.raises(ApprovalError, match=r"agent\.fork"):
        WAYS[way](made)
    assert (ran, made.memory.events) == ([], before)
    assert len(person.asked) == (mode != "deny")


def test_the_person_sees_all_programs_and_the_walls_and_is_asked_once(agent: Any) -> None:
    made, person = agent("approve")
    made.undo()
    assert value(made) == 2
    made.undo()
    assert value(made) == 1
    [asked] = person.asked
    assert [line for line in asked.text.split("\n") if line and not line.startswith("#")] == ["x = 1", "x = x + 1"]
    assert (asked.kind, asked.boundary.walls) == ("code", made.executor.boundary().walls)
    assert "approval of them" in asked.why
    journalled = [(event.run, type(event).__name__) for event in read(made.journal.path)[:2]]
    assert journalled == [("call", "Proposed"), ("call", "Allowed")]
    shown = [event for event in person.events if getattr(event, "run", "") == asked.run]
    assert [type(event).__name__ for event in shown] == ["Asked", "Opened", "Proposed", "Allowed", "Ended"]
    assert "x = x + 1" in bundle(shown)["text/plain"]


@pytest.mark.parametrize("answer", ["refuse", "stop", "nobody", ("edit", {"text": "x = 7"})])
def test_any_other_answer_runs_nothing_and_keeps_the_sandbox(agent: Any, answer: Any) -> None:
    made, person = agent(answer)
    made.python_executor("kept = 1")
    with pytest.raises(ApprovalError):
        made.undo()
    assert (made.python_executor("kept").output, len(person.asked)) == (1, 1)
    assert "x" not in {each["name"] for each in made.executor.variables()}


def test_an_earlier_yes_to_a_run_or_to_all_code_does_not_count(agent: Any) -> None:
    made, person = agent("approve_kind", "nobody")
    gate, front = made.preparation.gate, made.fronts.resolve()
    boundary = Boundary(sandbox="local", where="here", isolated=True)
    front.waiter.wait(Job(gate(front)(Proposed(run="theirs", step=1, text="1", boundary=boundary))).done)
    with pytest.raises(ApprovalError):
        made.undo()
    assert len(person.asked) == 2


def test_a_gate_that_allows_everything_is_not_a_person(agent: Any, caplog: pytest.LogCaptureFixture) -> None:
    made, _ = agent(gate=allow_all, view=None)
    with pytest.raises(ApprovalError, match="no one answered") as caught:
        made.undo()
    assert caught.value.__context__ is None
    assert not caplog.records


def test_what_this_process_permitted_runs_again_unasked_also_after_saving_and_edits(
    agent: Any, new_agent: Any, tmp_path: Path
) -> None:
    _, person = agent()
    person.answers = ["approve", ("edit", {"text": "x = x + 5"}), "approve"]
    made = new_agent(person, *PROGRAMS)
    assert made.run("Add.") == 6
    made.memory.save(tmp_path / "mine.jsonl")
    other = new_agent(nobody := Person())
    other.memory.load(tmp_path / "mine.jsonl")
    other.undo()
    assert (value(other), nobody.asked) == (6, [])


@pytest.mark.parametrize("change", ["text", "text and digest", "other step", "other run"])
def test_a_program_that_was_changed_since_is_not_the_permitted_one(agent: Any, change: str) -> None:
    made, person = agent("approve", "approve", "approve")
    made.set_model(ScriptedModel(*(f"<code>\n{text}\n</code>" for text in PROGRAMS)))
    made.run("Add.")
    events = list(made.memory.events)
    at = next(place for place, event in enumerate(events) if isinstance(event, Allowed) and event.step == 2)
    old = events[at]
    new = {
        "text": replace(old, text="evil()"),
        "text and digest": replace(old, text="evil()", sha256=sha256("evil()")),
        "other step": replace(old, text="x = 1", sha256=sha256("x = 1")),
    }
    if change == "other run":
        events = [replace(event, run="theirs") for event in events]
    else:
        events[at] = new[change]
    made.memory.load_events(tuple(events))
    made.cleanup()
    asked = len(person.asked)
    with pytest.raises(SetupError if change == "text" else ApprovalError):
        made.undo()
    assert len(person.asked) - asked == (change != "text")


def step_of(event: Event) -> int:
    return getattr(event, "step", 0)


ORDERS: dict[str, Callable[[list[Event]], list[Event]]] = {
    "taken back": lambda events: [event for event in events if not isinstance(event, Undone)],
    "dropped": lambda events: [event for event in events if step_of(event) != 1],
    "reordered": lambda events: sorted(events, key=lambda event: {1: 2, 2: 1}.get(step_of(event), step_of(event))),
    "first steps": lambda events: [event for event in events if step_of(event) < 3],
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("restarted", [False, True])
def test_programs_of_the_users_own_run_run_again_unasked_only_as_they_followed_each_other(
    agent: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, order: str, restarted: bool
) -> None:
    made, person = agent(mode="auto")
    made.set_model(ScriptedModel(*(f"<code>\n{text}\n</code>" for text in ("x = 1", "x = x + 998", *PROGRAMS[2:]))))
    made.run("Add.")
    if order == "taken back":
        made.goto(1)
    events = list(read(made.journal.path))
    made.cleanup()
    if restarted:
        monkeypatch.setattr(permit, "_spent", {})
    save(tmp_path / "changed.jsonl", Run(tuple(ORDERS[order](events))))
    made.memory.load(tmp_path / "changed.jsonl")
    if order == "first steps":
        made.undo()
        assert (value(made), person.asked) == (1, [])
    else:
        with pytest.raises(ApprovalError, match="in this order"):
            made.undo()


# --- the user's own journals ------------------------------------------------------------------------------------------


def own(path: Path) -> Path:
    """A journal of an ended process of this user, in which the steps are approved."""
    with closing(Journal(path)) as journal:
        for event in history(*PROGRAMS):
            journal.append(event)
    return path


def plain(folder: Path) -> None:
    own(folder / "own.jsonl")


def not_beside(folder: Path) -> None:
    own(folder.parent / "own.jsonl")


def link(folder: Path) -> None:
    (folder / "own.jsonl").symlink_to(own(folder.parent / "own.jsonl"))


def hard_link(folder: Path) -> None:
    os.link(own(folder.parent / "own.jsonl"), folder / "own.jsonl")


def readable_by_others(folder: Path) -> None:
    own(folder / "own.jsonl").chmod(0o644)


def writable_folder(folder: Path) -> None:
    plain(folder)
    folder.chmod(0o777)


def linked_folder(folder: Path) -> None:
    plain(folder)
    folder.symlink_to(folder.rename(folder.parent / "elsewhere"))


def copies(folder: Path) -> None:
    with closing(Journal(folder / "own.jsonl")) as journal:
        for event in history(*PROGRAMS):
            journal.append(event, copied=True)


def other_text(folder: Path) -> None:
    path = own(folder / "own.jsonl")
    path.write_text(path.read_text().replace(sha256("x = x + 1"), sha256("x = 9")))


def no_approval(folder: Path) -> None:
    path = own(folder / "own.jsonl")
    lines = path.read_text().splitlines(True)
    path.write_text("".join(line for line in lines if json.loads(line)["event"]["event"] != "Allowed"))


OWN = [plain]
NOT_OWN = [
    not_beside,
    link,
    hard_link,
    readable_by_others,
    writable_folder,
    linked_folder,
    copies,
    other_text,
    no_approval,
]


@pytest.mark.parametrize("journals", [*OWN, *NOT_OWN], ids=lambda made: made.__name__)
def test_only_the_users_own_journals_count_as_approvals(agent: Any, journals: Callable[[Path], None]) -> None:
    made, person = agent()
    folder = journals_folder()
    folder.mkdir(mode=0o700, parents=True)
    journals(folder)
    if journals in OWN:
        made.undo()
        assert (value(made), person.asked) == (2, [])
    else:
        with pytest.raises((ApprovalError, JournalError)):  # a question that cannot be journalled is not asked
            made.undo()


def test_a_loaded_run_that_is_saved_among_the_journals_does_not_become_the_users_own(agent: Any) -> None:
    made, _ = agent()
    journals_folder().mkdir(mode=0o700, parents=True)
    made.memory.save(journals_folder() / "own.jsonl")
    with pytest.raises(ApprovalError):
        made.undo()


def test_a_fork_of_a_loaded_run_does_not_make_its_programs_the_users_own(agent: Any) -> None:
    made, _ = agent()
    with made.fork(3) as twin:
        assert twin.journal.path.parent == journals_folder()
        for one in (twin, made):
            with pytest.raises(ApprovalError):
                one.undo()


@pytest.mark.parametrize("from_journal", [False, True])
@pytest.mark.parametrize(
    ("mode", "answer", "asked"), [("risky", None, 1), ("ask", "approve_kind", 1), ("ask", "approve_run", 0)]
)
def test_what_ran_unasked_because_of_walls_is_asked_about_where_they_are_missing(
    agent: Any, monkeypatch: pytest.MonkeyPatch, mode: str, answer: str | None, asked: int, from_journal: bool
) -> None:
    made, person = agent(*([answer] if answer else []), mode=mode)
    made.set_model(ScriptedModel(*(f"<code>\n{text}\n</code>" for text in PROGRAMS)))
    assert made.run("Add.") == 2
    before = len(person.asked)
    made.cleanup()
    if from_journal:
        monkeypatch.setattr(permit, "_spent", {})
    bare = replace(made.executor.boundary(), isolated=False)
    monkeypatch.setattr(type(made.executor), "boundary", lambda self: bare)
    with suppress(ApprovalError):
        made.undo()
    assert ["not isolated" in each.why for each in person.asked[before:]] == [True] * asked
    assert asked or value(made) == 2


def test_a_program_that_fails_only_now_is_reported(agent: Any) -> None:
    made, _ = agent("approve", programs=("y = undefined", "x = 2", "final_answer(x)"))
    assert made.undo().differs == (1,)


def test_no_approval_mode_is_advised_for_a_question_that_none_answers(agent: Any) -> None:
    made, person = agent("nobody")
    with pytest.raises(ApprovalError):
        made.undo()
    [reason] = [event.reason for event in person.events if isinstance(event, Refused)]
    assert reason.endswith("in this order. No person is there to allow it")


def test_a_finding_in_a_program_names_its_line_in_the_question(agent: Any) -> None:
    made, person = agent(programs=("x = 1\nx = 2", "import os\nx = '''", "final_answer(x)"))
    with pytest.raises(ApprovalError):
        made.undo()
    lines = person.asked[0].text.split("\n")
    assert {lines[each.line - 1] for each in person.asked[0].findings if each.kind == "syntax"} == {"# x = '''"}


def test_a_program_that_does_not_parse_does_not_make_those_below_it_look_like_text(agent: Any) -> None:
    made, person = agent(programs=('"""', 'import os\n"""', "final_answer(x)"))
    with pytest.raises(ApprovalError):
        made.undo()
    assert person.asked[0].text.split("\n") == [
        "# program 1 of 2, of step 1, does not parse",
        '# """',
        "",
        "# program 2 of 2, of step 2, does not parse",
        "# import os",
        '# """',
        "",
    ]


def test_nothing_is_asked_if_no_program_would_run_again(agent: Any) -> None:
    made, person = agent()
    made.undo(3)
    assert person.asked == []
