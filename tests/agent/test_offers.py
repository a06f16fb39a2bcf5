"""A step whose imports the guard will refuse, or that names files of the user: what is offered, and what each choice does."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from persons import Person, of

from smolcell import CodeAgent
from smolcell.events import Allowed, Observed, Refused
from smolcell.executors.files import MAX_OFFERED

IMPORT = "import wsgiref.util\nfinal_answer(wsgiref.util.guess_scheme({}))"
DONE = "final_answer('without')"
RUN, SESSION = "run wsgiref", "session wsgiref"
New = Callable[..., CodeAgent]


@pytest.fixture
def new_agent(new_agent: New) -> New:
    """Makes agents whose imports are checked."""
    return partial(new_agent, python="guarded")


def offers(person: Person, part: str = "id") -> list[list[str]]:
    return [[getattr(offer, part) for offer in proposal.offers] for proposal in person.asked]


def ran(agent: CodeAgent) -> list[Any]:
    """What was allowed with which offer, and how each step ended."""
    events = of(agent, Allowed, Observed)
    return [event.offer if isinstance(event, Allowed) else event.error and event.error.type for event in events]


def test_an_import_is_allowed_for_this_run_and_no_longer(new_agent: New) -> None:
    person = Person(("approve", {"offer": RUN}), "approve", "approve")
    agent = new_agent(person, IMPORT, IMPORT, DONE)
    assert agent.run("a") == "http"
    assert agent.run("b") == "without"
    assert offers(person) == [[RUN, SESSION, "send back"], [RUN, SESSION, "send back"], []]
    assert ran(agent) == ["", "ForbiddenError", "", None]
    assert "which is not authorised: the guard will refuse it" in str(person.asked[0].findings)


def test_an_import_is_allowed_for_the_session(new_agent: New) -> None:
    person = Person(("approve", {"offer": SESSION}), "approve")
    agent = new_agent(person, IMPORT, IMPORT)
    assert [agent.run("a"), agent.run("b", reset=False)] == ["http", "http"]
    assert offers(person) == [[RUN, SESSION, "send back"], []]
    assert ran(agent) == ["wsgiref allowed for this session", None, "", None]
    assert agent.granted == ("wsgiref.*",)


def test_a_step_is_sent_back_with_what_may_be_imported(new_agent: New) -> None:
    person = Person(("refuse", {"offer": "send back"}), "approve")
    agent = new_agent(person, IMPORT, DONE)
    assert agent.run("a") == "without"
    (refused,) = of(agent, Refused)
    assert refused.reason.startswith("The guard refuses to import wsgiref. Authorized are: abc, ")
    assert refused.then == "continue"


@pytest.mark.parametrize("offer", ["run os", "session", "send back"])
def test_what_was_not_offered_allows_nothing(new_agent: New, offer: str) -> None:
    agent = new_agent(Person(("approve", {"offer": offer})), IMPORT)
    result = agent.run("a", return_full_result=True)
    assert (result.state, agent.granted) == ("refused", ())
    assert of(agent, Allowed) == []


@pytest.mark.parametrize(
    ("program", "offered"),
    [
        ("import math", []),
        ("import wsgiref, cgitb_nosuch", ["send back"]),  # not installed
        ("import pl\u043etly", ["send back"]),  # letters that look like others
        ("import numpy.ctypeslib", []),  # closed, whatever is authorised
        ("from . import wsgiref", []),
    ],
)
def test_only_what_helps_is_offered(new_agent: New, program: str, offered: list[str]) -> None:
    person = Person("stop")
    new_agent(person, program).run("a", return_full_result=True)
    assert offers(person) == [offered]


@pytest.mark.parametrize("mode", ["deny", "auto"])
def test_nothing_is_offered_if_no_question_is_asked(new_agent: New, mode: str) -> None:
    person = Person()
    agent = new_agent(person, IMPORT, DONE, mode=mode)
    agent.run("a", return_full_result=True)
    assert (person.asked, agent.granted) == ([], ())


READ = "final_answer(open('data.csv').read())"
COPY = "copy in"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    here = tmp_path / "notebook"
    here.mkdir()
    (here / "data.csv").write_text("a\n1\n")
    monkeypatch.chdir(here)
    return here


def test_a_file_that_the_code_names_is_copied_in_with_the_approval(new_agent: New, folder: Path) -> None:
    person = Person(("approve", {"offer": COPY}), "approve")
    agent = new_agent(person, READ, READ)
    assert [agent.run("a"), agent.run("b", reset=False)] == ["a\n1\n", "a\n1\n"]
    assert offers(person, "label") == [["Approve and copy in data.csv (4 bytes)"], []]
    assert ran(agent) == ["data.csv (4 bytes) copied in", None, "", None]
    assert "data.csv, which was given" in str(person.asked[1].findings)


def test_without_the_offer_nothing_goes_in_and_the_model_is_not_told_of_the_file(new_agent: New, folder: Path) -> None:
    (folder / "other.csv").write_text("secret")
    person = Person("approve", "approve")
    lists = "import glob\nfinal_answer(glob.glob('*'))"
    agent = new_agent(person, READ, lists, additional_authorized_imports=["glob"])
    assert agent.run("a") == []
    (failed, _) = of(agent, Observed)
    assert failed.error is not None
    assert failed.error.hint == "To give the code a copy of the file: -f data.csv"
    told = str(agent.model.calls)
    assert "data.csv" in told
    assert not any(word in told for word in ("-f data.csv", "copy in", "other.csv", "4 bytes"))


def test_a_file_that_was_changed_after_it_was_shown_is_not_copied(new_agent: New, folder: Path) -> None:
    class Slow(Person):
        async def ask(self, proposal: Any) -> Any:
            (folder / "data.csv").write_text("b\n2\n")  # as long as before
            return await super().ask(proposal)

    agent = new_agent(Slow(("approve", {"offer": COPY})), READ)
    result = agent.run("a", return_full_result=True)
    assert (result.state, agent.executor.files()) == ("refused", ())
    assert "data.csv was changed after you were asked" in str(result.error)
    assert of(agent, Allowed) == []


def test_only_ordinary_files_below_the_folder_are_offered(new_agent: New, folder: Path) -> None:
    (folder.parent / "outside.csv").write_text("x")
    (folder / "sub").mkdir()
    for name in (".hidden.csv", ".env", "id_rsa", "sub/in.csv", "sub/.key"):
        (folder / name).write_text("12")
    links = {"out.csv": "../outside.csv", "up": "..", "inner.csv": "sub/in.csv", "alias.csv": "sub/.key"}
    for name, target in links.items():
        (folder / name).symlink_to(target)
    os.mkfifo(folder / "pipe")
    with (folder / "big.csv").open("wb") as big:
        big.truncate(MAX_OFFERED + 1)
    names = [
        *".hidden.csv .env id_rsa out.csv up/outside.csv alias.csv pipe big.csv sub nothing.csv ../outside.csv".split(),
        *("sub/../data.csv", str(folder / "data.csv"), "~/data.csv", "x" * 300, "", "\0", "a\nb"),
        *("./data.csv", "sub/in.csv", "inner.csv"),
    ]
    person = Person("stop")
    new_agent(person, f"print({', '.join(map(repr, names))})").run("a", return_full_result=True)
    assert offers(person, "label") == [
        ["Approve and copy in data.csv (4 bytes), sub/in.csv (2 bytes), inner.csv (2 bytes)"]
    ]


def test_what_the_work_folder_has_is_not_offered_again(new_agent: New, folder: Path) -> None:
    made = "open('data.csv', 'w').write('mine')"
    person = Person("approve", "approve")
    agent = new_agent(person, made, READ)
    assert agent.run("a") == "mine"
    assert [len(offered) for offered in offers(person, "label")] == [1, 0]
