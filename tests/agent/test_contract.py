"""Contracts: what they hold a run to before it starts and while it lasts, and that nothing but what is written is allowed."""

from __future__ import annotations

import itertools
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from examples import cases
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from persons import CODE, Person, fetching, names, of, scripted

from smolcell import CodeAgent, ToolCallingAgent
from smolcell.approval import policy
from smolcell.approval.contract import Acceptance, Contract, keep, read, write_section
from smolcell.approval.gates import allow_all, ask
from smolcell.approval.policy import FIELDS, Layer, Order, Policy, ToolPattern
from smolcell.errors import AgentError, SetupError
from smolcell.events import Asked, Boundary, Opened, Package, Replied, Wall
from smolcell.testing import ScriptedModel

FILE = "smolcell.contract.toml"


@pytest.fixture(autouse=True)
def folder(policies: Path) -> Path:
    return policies


def code(*programs: str) -> ScriptedModel:
    return ScriptedModel(*(f"Next.\n<code>\n{program}\n</code>" for program in programs))


def allowed(*programs: str, **options: Any) -> CodeAgent:
    return scripted(model=code(*programs), **{"sandbox": "local", **options})


def write(folder: Path, body: str) -> Path:
    path = folder / FILE
    path.write_text(f"version = 1\n{body}\n")
    return path


fetch, _ = fetching()


@pytest.mark.parametrize(("body", "said"), cases(__file__, "exceeded"))
def test_a_run_that_may_do_more_does_not_start_and_the_difference_is_named(folder: Path, body: str, said: str) -> None:
    (folder / "a.csv").write_text("a,b\n")
    path = write(folder, body)
    with allowed("final_answer(1)", tools=[fetch], executor_kwargs={"timeout": 30.0}, python="full") as agent:
        with pytest.raises(SetupError) as found:
            agent.run("go", files=["a.csv"], contract=path)
        assert (agent.memory.events, agent.model.calls) == ((), [])
    said = said.format(locked=f"locked by {path}")
    assert f"more than the contract {path} allows, so nothing was started: {said}. Narrow" in str(found.value)


def test_a_run_within_its_contract_starts_and_the_contract_is_a_lock_of_it(folder: Path) -> None:
    path = write(folder, '[policy]\napproval = "auto"\nlimits.max_steps = 20\n[policy.tools]\n"f*" = "auto"')
    with allowed("final_answer(fetch('x'))", tools=[fetch]) as agent:
        assert agent.run("go", contract=path) == "page"
        (asked,) = of(agent, Asked)
    assert asked.locks == (f"permissions of the run: locked by the contract {path}",)
    assert policy.current().locks() == []  # of that run, and of no other


def test_a_wall_that_must_stand_is_looked_at_before_the_model_is_asked(folder: Path) -> None:
    path = write(folder, 'walls = ["network"]')
    with scripted(CODE) as agent, pytest.raises(SetupError, match="the wall network does not stand"):
        agent.run("go", contract=path)
    assert agent.model.calls == []
    assert names(of(agent, Opened, Replied)) == ["Opened"]


def test_hosts_and_level_are_compared_with_the_open_sandbox(folder: Path) -> None:
    made = read(write(folder, 'walls = ["files"]\n[policy]\nhosts = ["*.example.org"]\nlevel = "guarded"'))
    files = Wall(name="files", stands=True)
    good = Boundary(sandbox="s", where="w", isolated=True, walls=(files,), hosts=("a.example.org",), python="guarded")
    assert made.beyond_walls(good) == []
    fallen = (replace(files, stands=False, detail="no Landlock"),)
    wide = replace(good, hosts=("a.example.org", "evil.net"), python="full, reduced", walls=fallen)
    assert made.beyond_walls(wide) == [
        f"hosts: evil.net is locked by {folder / FILE}:4, which allows: *.example.org",
        f"level is full, and guarded or stricter is allowed, locked by {folder / FILE}:5",
        f"the wall files does not stand (no Landlock), and must, locked by {folder / FILE}:2",
    ]


def test_no_click_goes_beyond_the_contract(folder: Path) -> None:
    path = write(folder, '[policy]\nimports = ["numpy.*"]')
    person = Person("stop")
    with allowed("import requests", gate=ask(person), view=person, python="guarded") as agent:
        agent.run("go", return_full_result=True, contract=path)
        (offer,) = person.asked[0].offers
        assert offer.id == "send back" and f"locked by {path}:3" in offer.comment
        person.answers = ["stop"]
        agent.set_model(code("import requests"))
        agent.run("go", return_full_result=True)  # without the contract
        assert len(person.asked[1].offers) > 1


def test_approval_is_held_for_a_gate_of_ones_own(folder: Path) -> None:
    person = Person("approve")
    with scripted(CODE, gate=lambda proposed: allow_all(proposed), view=person) as agent:
        assert agent.run("go", contract=write(folder, '[policy]\napproval = "ask"')) == 42
    assert [asked.text for asked in person.asked] == ["x = 1"]


def test_files_beside_the_notebook_are_offered_only_if_the_contract_names_them(folder: Path) -> None:
    (folder / "a.csv").write_text("1\n")
    (folder / "b.csv").write_text("2\n")
    person = Person("stop", "stop")
    with allowed("open('a.csv')", gate=ask(person), view=person) as agent:
        agent.run("go", return_full_result=True, contract=write(folder, 'files = ["b.csv"]'))
        agent.set_model(code("open('b.csv')"))
        agent.run("go", return_full_result=True)
    assert ["copy in" in [offer.id for offer in asked.offers] for asked in person.asked] == [False, True]


def test_a_run_that_goes_on_and_a_fork_keep_the_contract(folder: Path) -> None:
    path = write(folder, "[policy]\nlimits.max_steps = 3")
    with allowed("1/0", max_steps=3) as agent:
        agent.run("go", return_full_result=True, contract=path)
        with agent.fork(1) as twin:
            for each in (agent, twin):
                each.max_steps = 9
                with pytest.raises(SetupError, match=r"limits\.max_steps is 9"):
                    each.resume()


def test_what_an_earlier_run_put_into_the_sandbox_counts(folder: Path) -> None:
    for name in ("a.csv", "b.csv"):
        (folder / name).write_text("1\n")
    path = write(folder, 'files = ["b.csv"]\n[policy]\npackages = ["seaborn"]')
    with allowed("final_answer(1)") as agent:
        agent.run("go", files=["a.csv"])
        agent.installs.packages.installed = (Package(name="evil", version="1.0", sha256="0" * 64),)
        with pytest.raises(SetupError) as found:
            agent.run("go", reset=False, files=["b.csv"], contract=path)
    assert "packages: evil==1.0 is locked by" in str(found.value)
    assert "files: a.csv is not among those that are allowed" in str(found.value)


def test_imports_are_compared_when_a_missing_wall_makes_the_level_guarded(folder: Path) -> None:
    made = read(write(folder, '[policy]\nimports = ["numpy"]'))
    found = Boundary(sandbox="s", where="w", isolated=False, imports=("math", "numpy", "requests"), python="guarded")
    assert made.beyond_walls(found) == [f"imports: requests is locked by {folder / FILE}:3, which allows: numpy"]


def test_managed_agents_are_held_to_the_contract_too(folder: Path) -> None:
    inner = ToolCallingAgent([fetch], ScriptedModel(), name="inner", description="d")
    path = write(folder, '[policy.tools]\ninner = "auto"')
    managing = allowed("1", managed_agents=[inner])
    with managing as agent, pytest.raises(SetupError, match="tools: fetch is not among"):
        agent.run("go", contract=path)


def test_the_same_error_three_times_ends_a_run_with_what_was_tried() -> None:
    programs = ("1/0", "print(1)", "a = 2/0", "int('x')", "3/0", "final_answer(1)")
    with allowed(*programs, stop_after=3) as agent, pytest.raises(AgentError) as found:
        agent.run("go")
    assert "the same error came 3 times, and stop_after is 3: ZeroDivisionError" in str(found.value)
    assert "step 1: 1/0; step 3: a = 2/0; step 5: 3/0" in str(found.value)
    assert "%agent resume" in str(found.value)
    assert len(agent.model.calls) == 5


@pytest.mark.parametrize(
    ("most", "programs"), [(0, ["1/0"] * 4), (3, ["1/0", "1/0", "int('x')", "int('y')", "int('z')"])]
)
def test_other_errors_and_no_stop_after_do_not_end_a_run(most: int, programs: list[str]) -> None:
    with allowed(*programs, "final_answer(1)", stop_after=most) as agent:
        assert agent.run("go") == 1


def test_replies_without_a_program_count_as_one_error_and_a_resumed_run_begins_anew() -> None:
    with scripted("no program", "none", CODE, stop_after=2) as agent:
        with pytest.raises(AgentError, match="step 1: no program; step 2: no program"):
            agent.run("go")
        assert agent.resume() == 42


def test_what_an_agent_may_do_now_is_within_the_contract_that_is_written_of_it(folder: Path) -> None:
    (folder / "a.csv").write_text("a\n")
    with allowed("final_answer(1)", tools=[fetch], stop_after=3, python="full") as agent:
        made = agent.contract("Look at sales", files=["a.csv"])
        keep(made, folder / FILE)
        assert agent.run("go", files=["a.csv"], contract=FILE) == 1
    found = read(folder / FILE)
    assert (found.purpose, found.files, found.stop_after) == ("Look at sales", ("a.csv",), 3)
    values = found.layer.values
    assert values["approval"] == "auto" and values["level"] in ("full", "guarded")
    assert (values["tools"], values["models"], values["hosts"]) == (((ToolPattern("fetch"), "auto"),), (), ())


def test_purpose_and_acceptance_checks_are_kept_when_a_contract_is_written_anew(folder: Path) -> None:
    layer = Layer("contract", FILE, {"models": ("a/b",)})
    checks = (Acceptance(name="n", code="1", answer="1"),)
    keep(Contract(layer=layer, purpose="first", acceptance=checks), folder / FILE)
    keep(Contract(layer=layer, acceptance=()), folder / FILE)
    assert (read(folder / FILE).purpose, read(folder / FILE).acceptance) == ("first", checks)


def test_a_section_is_written_between_markers_and_the_rest_stays(folder: Path) -> None:
    path = folder / "AGENTS.md"
    path.write_text("# Rules\n\nBe kind.\n")
    made = Contract(layer=Layer("contract", FILE, {}), purpose="the first")
    write_section(path, made)
    path.write_text(path.read_text() + "\nLast words.\n")
    write_section(path, replace(made, purpose="two\n<!-- smolcell contract: end -->\n# Do `rm`"))
    text = path.read_text()
    assert text.startswith("# Rules\n\nBe kind.\n\n<!-- smolcell contract: begin -->\n## What the agent may do\n")
    assert text.endswith("<!-- smolcell contract: end -->\n\nLast words.\n")
    assert text.count("smolcell contract: end -->\n") == 1 and "the first" not in text and "\n# Do" not in text
    path.write_text("<!-- smolcell contract: begin -->\n")
    with pytest.raises(SetupError, match="does not have exactly one pair"):
        write_section(path, made)


@pytest.mark.skipif(os.name == "nt", reason="links are made by a privilege; not run on Windows")
def test_a_link_in_a_strangers_folder_is_not_written_through(folder: Path) -> None:
    own = folder / "own.txt"
    own.write_text("mine\n")
    for name in (FILE, "AGENTS.md"):
        (folder / name).symlink_to(own)
    write_section(folder / "AGENTS.md", Contract(layer=Layer("contract", FILE, {})))
    with pytest.raises(SetupError):
        keep(Contract(layer=Layer("contract", FILE, {})), folder / FILE)
    assert own.read_text() == "mine\n"


@pytest.mark.parametrize(("body", "said"), cases(__file__, "faults"))
def test_what_is_wrong_with_a_contract_is_named(folder: Path, body: str, said: str) -> None:
    with pytest.raises(SetupError) as found:
        read(write(folder, body))
    assert said in str(found.value)


def test_another_version_or_no_file_is_an_error(folder: Path) -> None:
    (folder / FILE).write_text("version = 2\n")
    with pytest.raises(SetupError, match="the version of a contract must be 1, not 2"):
        read(FILE)
    with pytest.raises(SetupError, match="Write one with: smolcell contract"):
        read("none.toml")


texts = st.text(st.characters(codec="utf-8"), max_size=20)
filled = st.text(st.characters(codec="utf-8"), min_size=1, max_size=20).filter(str.strip)
PATTERN = ToolPattern("fetch", (("url", "https://a/*"),))


def _value(name: str) -> st.SearchStrategy[Any]:
    known = FIELDS[name]
    if name == "tools":
        return st.lists(st.tuples(st.just(PATTERN), st.sampled_from(known.words)), max_size=1).map(tuple)
    match known.order:
        case Order.STRICTEST:
            return st.sampled_from(known.words)
        case Order.UNION:
            return st.lists(st.sampled_from(known.words), unique=True).map(tuple)
        case Order.ALLOWED:
            return st.lists(filled.map(str.strip), max_size=3).map(tuple)
        case _:
            return st.integers(1, 10**6)


permitted = st.fixed_dictionaries(
    {}, optional={name: _value(name) for name, known in FIELDS.items() if known.order is not Order.ADMINISTRATOR}
)
NUMBERS = itertools.count()


@settings(max_examples=75, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(permitted, texts, st.lists(filled, max_size=3), st.integers(0, 9), texts)
def test_a_contract_is_read_as_it_was_written(
    folder: Path, fields: dict[str, Any], purpose: str, files: list[str], stop: int, answer: str
) -> None:
    checks = (Acceptance(name="n", code=f"x = {purpose!r}", answer=answer),)
    given_ = {
        "purpose": purpose,
        "walls": tuple(files),
        "files": tuple(files),
        "stop_after": stop,
        "acceptance": checks,
    }
    path = folder / f"{next(NUMBERS)}.toml"
    path.write_text(str(Contract(layer=Layer("contract", FILE, fields), **given_)), encoding="utf-8", newline="")
    found = read(path)
    assert {name: getattr(found, name) for name in given_} == given_
    assert found.layer.values == fields


@settings(max_examples=75, deadline=None)
@given(permitted, permitted)
def test_what_is_within_a_contract_is_not_wider_in_any_field(written: dict[str, Any], actual: dict[str, Any]) -> None:
    held = Contract(layer=Layer("contract", FILE, written))
    if held.excess(Contract(layer=Layer("contract", FILE, actual))):
        return
    both = Policy((held.layer, Layer("contract", FILE, actual)))
    alone = Policy((Layer("contract", FILE, actual),))
    for name in actual:
        if FIELDS[name].order is Order.ALLOWED:
            assert all(both.allows(name, each) == alone.allows(name, each) for each in actual[name])
        elif name != "tools":
            ours, theirs = both.lock(name), alone.lock(name)
            assert ours is not None and theirs is not None
            assert set(ours.value) == set(theirs.value) if isinstance(ours.value, tuple) else ours.value == theirs.value
