"""For random policies, agents and answers, no run exceeds the policy, in scripts too."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from persons import Person, fetching, of

from smolcell import CodeAgent, LocalPythonExecutor, ToolCallingAgent
from smolcell.approval import policy
from smolcell.approval.gates import allow_all, create_gate
from smolcell.errors import AgentBudgetError, SetupError
from smolcell.events import Allowed, Replied
from smolcell.models import create_model
from smolcell.testing import ScriptedModel
from smolcell.worker.guard.tables import DATA_IMPORTS

APPROVALS = ("auto", "ask", "deny")
New = Callable[..., CodeAgent]


@pytest.fixture
def folder(policies: Path) -> Path:
    return policies


NUMBERS = itertools.count()


def put(path: Path, text: str) -> None:
    """Write a file again, so that it is another one."""
    made = path.with_suffix(f".{next(NUMBERS)}")
    made.write_text(text)
    made.replace(path)


rules = st.lists(
    st.tuples(st.sampled_from(["fetch(url=*a)", "fetch(url=*b)", "fetch", "*"]), st.sampled_from(APPROVALS)), max_size=3
)
layer = st.fixed_dictionaries(
    {},
    optional={
        "approval": st.sampled_from(["auto", "risky", "ask", "deny"]),
        "steps": st.integers(1, 4),
        "budget": st.integers(1, 4),
        "tools": rules,
    },
)


def written(body: dict[str, Any]) -> str:
    known = {"approval": "approval", "steps": "limits.max_steps", "budget": "budget.steps"}
    fields = [f"{known[name]} = {body[name]!r}" for name in known if name in body]
    tools = [f'"{name}" = "{said}"' for name, said in dict(body.get("tools", ())).items()]
    return "\n".join(["[policy]", *fields, "[policy.tools]", *tools])


@settings(
    max_examples=400 if os.environ.get("SMOLCELL_FULL") else 30,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
)
@given(
    st.tuples(layer, layer),
    st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=5),
    st.lists(st.sampled_from(["approve", "approve_run", "refuse", "edit", "nobody"]), max_size=6),
    st.sampled_from(["auto", "ask", "risky", "deny", "own"]),
)
def test_no_run_exceeds_a_policy(
    folder: Path, layers: tuple[dict[str, Any], ...], urls: list[str], answers: list[str], mode: str
) -> None:
    for path, body in zip(("etc.toml", "own/smolcell.toml"), layers, strict=True):
        put(folder / path, written(body))
    fetch, fetched = fetching()
    person = Person(*((said, {"text": "fetch(url='b')"} if said == "edit" else {}) for said in answers))
    replies = [f'{{"name": "fetch", "arguments": {{"url": "{url}"}}}}' for url in urls]
    gate = allow_all if mode == "own" else create_gate(mode, person)
    agent = ToolCallingAgent([fetch], ScriptedModel(*replies), gate=gate, view=person, max_steps=20)
    with agent:
        agent.run("go", return_full_result=True)
    now = policy.current()
    mode_lock = now.lock("approval")
    for url in fetched:
        lock = now.tool_approval("fetch", {"url": url})
        assert lock is None or lock.value == "ask"
    asked = mode_lock is not None and mode_lock.value in ("ask", "risky")
    for allowed in of(agent, Allowed):
        lock = now.tool_approval(*(policy.read_call(allowed.text) or ("", {})))
        if asked or (lock is not None and lock.value == "ask"):
            assert allowed.by in ("person", "remembered")
    if mode_lock is not None and mode_lock.value == "deny":
        assert fetched == []
    least = [now.least("limits.max_steps", 20) + 1, now.least("budget.steps", 99)]  # one more for the best answer
    assert len(of(agent, Replied)) <= min(least)


@pytest.mark.parametrize("mode", ["ask", "auto"])
def test_a_call_that_a_policy_denies_is_not_made_whoever_approves(folder: Path, mode: str) -> None:
    put(folder / "etc.toml", written({"tools": [("fetch", "deny")]}))
    person, (fetch, fetched) = Person("approve", "approve"), fetching()
    model = ScriptedModel('{"name": "fetch", "arguments": {"url": "a"}}')
    with ToolCallingAgent([fetch], model, gate=create_gate(mode, person), view=person) as agent:
        agent.run("go", return_full_result=True)
    assert (fetched, person.asked) == ([], [])


def test_a_step_that_nobody_answers_names_the_lock_that_keeps_it_from_running(folder: Path, new_agent: New) -> None:
    put(folder / "etc.toml", written({"approval": "ask"}))
    result = new_agent(Person(), "1").run("go", return_full_result=True)
    assert str(result.error).endswith(f"Approval is at least ask here: locked by {folder / 'etc.toml'}:2")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.integers(1, 99),
    st.integers(64, 999),
    st.sampled_from(["full", "guarded", ""]),
    st.sampled_from(["numpy", "*", "n*", ""]),
)
def test_no_executor_exceeds_a_policy(folder: Path, timeout: int, memory: int, level: str, imports: str) -> None:
    text = f"[policy]\nlimits = {{ timeout = {timeout}, memory = {memory} }}\n"
    text += (f"level = '{level}'\n" * bool(level)) + (f"imports = ['{imports}']\n" * bool(imports))
    put(folder / "etc.toml", text)
    for python, names in itertools.product(("auto", "guarded", "full"), ([], ["numpy.*"], ["pandas"], ["*"])):
        allowed = all(not imports or imports == "*" or name.startswith("n") for name in names)
        held = level == "guarded" or bool(imports)
        if not allowed or (held and python == "full"):
            with pytest.raises(SetupError, match=r"is not allowed: locked by .*etc\.toml:\d"):
                LocalPythonExecutor(names, python=python)
            continue
        made = LocalPythonExecutor(names, python=python, timeout=50.0, memory=500)
        assert (made.timeout, made.memory) == (min(50.0, timeout), min(500, memory))
        assert not held or made.python == "guarded"


def test_a_script_cannot_go_beyond_the_budget_of_a_policy(folder: Path, new_agent: New) -> None:
    put(folder / "etc.toml", "[budget]\nsteps = 2\n")
    agent = new_agent(Person(*["approve"] * 9), *["1"] * 5)
    with pytest.raises(AgentBudgetError, match=r"2 of 2. No more can be allowed: locked by .*etc\.toml:2"):
        agent.run("go")


def test_models_sandboxes_and_networks_are_held_where_they_are_used(folder: Path) -> None:
    put(folder / "etc.toml", "models = ['ollama/*']\nsandboxes = ['docker:py*']\nhosts = ['example.org']\n")
    with pytest.raises(SetupError, match=r"The model openai/gpt-4\.1 is not allowed: locked by .*:1"):
        create_model("openai/gpt-4.1", api_key="k")
    elsewhere = ScriptedModel("<code>\n1\n</code>", name="openai/gpt-4.1")
    elsewhere.sends = True
    here = ScriptedModel("<code>\n1\n</code>")
    for model, said in (
        (elsewhere, "not allowed: locked by"),
        (here, r"The sandbox local is not allowed: locked by .*:2, which allows: docker:py\*"),
    ):
        with CodeAgent([], model, gate=allow_all) as agent, pytest.raises(SetupError, match=said):
            agent.run("go")
    with LocalPythonExecutor() as made, pytest.raises(SetupError, match="The sandbox local is not allowed"):
        made("1")


def test_imports_that_were_granted_by_a_click_are_held_too(folder: Path, new_agent: New) -> None:
    put(folder / "etc.toml", "imports = ['numpy']\n")
    person = Person("stop")
    agent = new_agent(person, "import wsgiref")
    agent.run("go", return_full_result=True)
    (offer,) = person.asked[0].offers
    assert offer.choice == "refuse"
    assert "The import of wsgiref is not allowed here: locked by" in offer.comment
    with pytest.raises(SetupError, match=r"The import wsgiref\.\* is not allowed: locked by .*etc\.toml:1"):
        agent.authorize_imports(["wsgiref.*"])


def test_a_preset_stands_for_its_modules() -> None:
    assert set(DATA_IMPORTS) < set(LocalPythonExecutor(["@data"]).additional_authorized_imports)
    agent = CodeAgent([], ScriptedModel(), additional_authorized_imports=["@math", "csv"])
    assert agent.imports[-1] == "csv" and "sympy.*" in agent.imports
    with pytest.raises(SetupError, match="there is no preset '@all'; presets are: @data, @math, @text, @web"):
        LocalPythonExecutor(["@all"])


@pytest.mark.parametrize(
    "name", ["os", "subprocess", "socket", "shutil", "sys", "importlib", "ctypes", "pickle", "os.*", "*"]
)
def test_a_script_is_warned_of_modules_with_which_the_guard_holds_little(name: str) -> None:
    with pytest.warns(UserWarning, match="authorised, and with that the guard is easily bypassed") as told:
        made = LocalPythonExecutor([name])
    assert told[0].filename == __file__
    assert made.boundary().warning.startswith(name.removesuffix(".*") if name != "*" else "os, subprocess, socket")


def test_nothing_is_warned_of_without_them_or_in_level_full() -> None:
    assert LocalPythonExecutor(["numpy.*", "posixpath"]).boundary().warning == ""
    assert LocalPythonExecutor(["os"], python="full").boundary().warning == ""


WRITES = """
try:
    open('new.txt', 'w')
    said = 'written'
except OSError as error:
    said = type(error).__name__
print(open('data.txt').read(), said)
"""


@pytest.mark.parametrize("python", ["auto", "guarded"])
def test_a_read_only_work_folder_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, python: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.txt").write_text("data")
    with LocalPythonExecutor(work_folder="read-only", python=python) as made:
        made.send_files(["data.txt"])
        said = made(WRITES)
        walls = {wall.name: wall.stands for wall in made.boundary().walls}
    assert str(said.logs).startswith("data ") and "Error" in str(said.logs)
    assert walls["work folder"]
