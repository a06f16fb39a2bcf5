"""Packages that a step lacks: offered before it runs, looked up after one click, installed after another."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from examples import cases
from indexes import TOOLS, Index, configure, plots, wheel
from persons import Person, names, of

from smolcell import CodeAgent
from smolcell.errors import SetupError
from smolcell.events import Allowed, Installed, Observed, Refused

pytestmark = pytest.mark.skipif(not TOOLS, reason="neither uv nor pip is here")
PLOTS = "import squarify\nfinal_answer(squarify.plot())"
PIP = "%pip install -q tinyplots  # to draw\nimport tinyplots_core\nfinal_answer(tinyplots_core.draw())"
DONE = "final_answer('without')"


@pytest.fixture(params=[pytest.param(tool, marks=pytest.mark.slow if tool in TOOLS[1:] else ()) for tool in TOOLS])
def index(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Index]:
    made = plots()
    configure(monkeypatch, made, tmp_path, request.param)
    yield made
    made.close()


New = Callable[..., CodeAgent]


@pytest.fixture
def installing(new_agent: New) -> New:
    def new(person: Person, *programs: str, installs: str = "ask", python: str = "full", **more: Any) -> CodeAgent:
        agent = new_agent(person, *programs, python=python, **more)
        agent.installs.mode = installs
        return agent

    return new


def chosen(person: Person) -> list[list[str]]:
    """The offers of each question, by their first word."""
    return [[offer.id.partition(" ")[0] for offer in proposal.offers] for proposal in person.asked]


class Clicks(Person):
    """Chooses offers by the first words of their labels."""

    def __init__(self, *labels: str) -> None:
        super().__init__()
        self.labels = list(labels)

    async def ask(self, proposal: Any) -> Any:
        label = self.labels.pop(0) if self.labels else "approve"
        found = next((offer for offer in proposal.offers if offer.label.startswith(label)), None)
        self.answers = [(found.choice, {"offer": found.id})] if found is not None else [label]
        return await super().ask(proposal)


@pytest.mark.parametrize("index", TOOLS, indirect=True)
@pytest.mark.parametrize("python", ["full", pytest.param("guarded", marks=pytest.mark.slow)])
def test_a_missing_import_is_installed_before_the_step_runs(index: Index, installing: New, python: str) -> None:
    person = Clicks("Look up squarify", "Approve and install")
    agent = installing(person, PLOTS, python=python)
    agent.executor.boundary()
    assert index.asked == []
    assert agent.run("draw") == "drawn 2"
    assert [[offer.label for offer in asked.offers] for asked in person.asked] == [
        ["Look up squarify", "Send back: do without"],
        ["Approve and install squarify 0.2, axes-of 3", "Send back: do without"],
    ]
    assert person.asked[1].why.startswith(
        "From 127.0.0.1 (2 packages, 2 kB):\n  squarify 0.2 (1 kB, first released 2010-02-03)"
    )
    packages = tuple(index.package(f"{name}-py3-none-any.whl") for name in ("squarify-0.2", "axes_of-3"))
    assert of(agent, Installed) == [Installed(run=agent.run_id, step=1, packages=packages, index="127.0.0.1")]
    assert [event.offer for event in of(agent, Allowed)] == ["squarify 0.2, axes-of 3 installed"]
    assert [event.error for event in of(agent, Observed)] == [None]
    assert "smolcell-packages" not in str(importlib.util.find_spec("squarify"))
    folder = agent.installs.packages.folder
    agent.cleanup()
    assert not folder.parent.exists()


@pytest.mark.slow
def test_an_install_line_is_offered_and_says_what_is_there(index: Index, installing: New) -> None:
    person = Clicks("Look up tinyplots", "Approve and install tinyplots 1.0")
    agent = installing(person, PIP)
    assert agent.run("draw") == "tiny"
    assert [event.stdout for event in of(agent, Observed)] == ["[tinyplots 1.0 is installed]\n"]


@pytest.mark.slow
def test_a_later_step_finds_the_packages_and_is_not_asked_about_again(index: Index, installing: New) -> None:
    person = Clicks("Look up tinyplots", "Approve and install")
    program = "subprocess.run([sys.executable, '-c', 'import tinyplots_core'], check=True)"
    again = f"import tinyplots_core, subprocess, sys\n{program}\nfinal_answer(1)"
    agent = installing(person, PIP, again)
    agent.run("draw")
    assert agent.run("again", reset=False) == 1
    assert chosen(person) == [["look", "no"], ["install", "no"], []]


@pytest.mark.parametrize("mode", ["risky", "ask"])
@pytest.mark.slow
def test_a_step_that_lacks_packages_is_always_asked_about(index: Index, installing: New, mode: str) -> None:
    person = Clicks("approve_run", "Look up", "Approve and install")
    if mode == "risky":
        person.labels.pop(0)
    agent = installing(person, "1", PLOTS, mode=mode)
    assert agent.run("draw") == "drawn 2"
    assert chosen(person)[-2:] == [["look", "no"], ["install", "no"]]


@pytest.mark.slow
@pytest.mark.parametrize("index", TOOLS, indirect=True)
@pytest.mark.parametrize("line", cases(__file__, "not_to_be_had"))
def test_what_is_not_to_be_had_is_one_line_and_nothing_is_installed(index: Index, installing: New, line: str) -> None:
    person = Clicks("Look up", "Send back")
    agent = installing(person, line, DONE)
    assert agent.run("draw") == "without"
    assert chosen(person)[:2] == [["look", "no"], ["no"]]
    assert "cannot be installed: " in person.asked[1].why and "\n" not in person.asked[1].why
    assert agent.installs.packages.installed == () and not any(agent.installs.packages.folder.iterdir())


@pytest.mark.slow
def test_an_unreachable_index_is_reported(index: Index, installing: New, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PIP_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/simple")
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    person = Clicks("Look up", "Send back")
    agent = installing(person, PLOTS, DONE)
    assert agent.run("draw") == "without"
    assert person.asked[1].why == "squarify cannot be installed: the package index cannot be reached from this machine"


@pytest.mark.parametrize("words", cases(__file__, "refused"))
def test_anything_but_plain_requirements_is_refused_with_one_line(index: Index, installing: New, words: str) -> None:
    person = Clicks("Send back with hint")
    agent = installing(person, f"%pip install {words}", DONE)
    assert agent.run("draw") == "without"
    assert chosen(person)[0] == ["send"]
    (refused,) = of(agent, Refused)
    assert "cannot be installed here: only names of packages" in refused.reason and "\n" not in refused.reason
    with pytest.raises(SetupError, match="only names of packages"):
        asyncio.run(agent.installs.install(words.split()))
    assert index.asked == []


def test_a_module_of_an_unknown_distribution_is_not_guessed(index: Index, installing: New) -> None:
    person = Clicks("Send back with hint")
    agent = installing(person, "import tinyplots_core", DONE)
    assert agent.run("draw") == "without"
    assert "tinyplots_core is not installed" in of(agent, Refused)[0].reason
    assert "%pip install DISTRIBUTION" in of(agent, Refused)[0].reason
    assert index.asked == []


def test_an_import_that_the_program_can_do_without_is_not_asked_about(index: Index, installing: New) -> None:
    text = "try:\n    import squarify\nexcept ImportError:\n    squarify = None\nfinal_answer(squarify is None)"
    person = Clicks()
    agent = installing(person, text)
    assert agent.run("draw") is True
    assert chosen(person) == [[]]


@pytest.mark.parametrize(("mode", "installs"), [("deny", "auto"), ("auto", "ask"), ("ask", "never")])
def test_nothing_is_installed_unasked(index: Index, installing: New, mode: str, installs: str) -> None:
    person = Clicks()
    agent = installing(person, PLOTS, DONE, mode=mode, installs=installs)
    result = agent.run("draw", return_full_result=True)
    assert index.asked == [] and agent.installs.packages.installed == ()
    assert all(offers == [] for offers in chosen(person))
    errors = [event.error and event.error.type for event in of(agent, Observed)]
    assert errors == ([] if mode == "deny" else ["ModuleNotFoundError", None])
    assert result.state == ("refused" if mode == "deny" else "success")


def test_without_a_person_nothing_is_installed(index: Index, installing: New) -> None:
    agent = installing(Person(), PLOTS)
    assert agent.run("draw", return_full_result=True).state == "refused"
    assert index.asked == []


@pytest.mark.slow
def test_installs_auto_installs_after_the_approval_and_records_it(index: Index, installing: New) -> None:
    agent = installing(Person(), PLOTS, mode="auto", installs="auto")
    result = agent.run("draw", return_full_result=True)
    assert result.output == "drawn 2"
    assert [(package.name, package.version) for package in result.installed] == [("squarify", "0.2"), ("axes-of", "3")]


@pytest.mark.slow
def test_installs_auto_tells_the_model_why_something_cannot_be_had(index: Index, installing: New) -> None:
    agent = installing(Person(), "%pip install nosuchpackage", DONE, mode="auto", installs="auto")
    assert agent.run("draw") == "without"
    said = str(agent.model.calls[1][-1].text)
    assert said.startswith("This program did not run: nosuchpackage cannot be installed: ")


@pytest.mark.slow
def test_the_command_installs_for_the_session_and_the_next_run_records_it(index: Index, installing: New) -> None:
    agent = installing(Person("approve"), PLOTS)
    agent.executor("1")  # running already
    plan = asyncio.run(agent.installs.install(["squarify==0.1"]))
    assert str(plan.found[0]).startswith("squarify 0.1 (1 kB, first released 2010-02-03)")
    result = agent.run("draw", return_full_result=True)
    assert result.output == "drawn"
    assert names(result.events)[:2] == ["Asked", "Installed"]
    assert asyncio.run(agent.installs.install(["squarify"])).found == ()


def test_a_wheel_that_is_not_what_was_shown_is_not_installed(index: Index, installing: New) -> None:
    person = Clicks("Look up", "Approve and install", "Send back")
    agent = installing(person, PIP, DONE)
    shown = index.files["tinyplots-1.0-py3-none-any.whl"]

    async def ask(proposal: Any, ask: Any = person.ask) -> Any:
        if any(offer.id.startswith("install") for offer in proposal.offers):
            swapped = wheel("tinyplots", "1.0", "tinyplots_core", "def draw(): return 'evil'")[1]
            assert swapped != shown
            index.files["tinyplots-1.0-py3-none-any.whl"] = swapped
        return await ask(proposal)

    person.ask = ask  # type: ignore[method-assign]
    for name in ("uv", "pip"):
        shutil.rmtree(Path(os.environ[f"{name.upper()}_CACHE_DIR"]), ignore_errors=True)
    assert agent.run("draw") == "without"
    assert agent.installs.packages.installed == ()
