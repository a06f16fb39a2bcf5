"""One description of an agent: what makes it, what it makes, and what it decides."""

from __future__ import annotations

import argparse
import pickle
from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from typing import Any

import pytest

import smolcell
from smolcell import AgentSpec, CodeAgent, ToolCallingAgent, scale
from smolcell.agent.budget import Budget
from smolcell.core import spec as module
from smolcell.errors import SetupError
from smolcell.notebook.settings import parser, read_line, resolve
from smolcell.testing import ScriptedModel, allow_all

FULL = AgentSpec(
    model="openai/gpt-4.1",
    python="guarded",
    imports=("seaborn",),
    max_steps=7,
    stop_after=2,
    timeout=9.0,
    memory=512,
    max_output=900,
    instructions="Be short.",
    structured=True,
    budget="100k",
    output_checks=("personal_data",),
    rollback="on-error",
    installs="never",
    tools=("web_search",),
    output_type="builtins:float",
    name="librarian",
    description="Knows books.",
    planning_interval=3,
    prompt_templates=(("planning.initial_plan", "Plan: {task}"),),
)


@pytest.fixture
def model() -> Any:
    return ScriptedModel("final_answer(1)")


def test_an_agent_made_from_a_spec_has_that_spec(model: Any) -> None:
    with CodeAgent.from_spec(FULL, model) as agent:
        assert agent.spec == FULL
        assert (agent.max_steps, agent.stop_after, agent.rollback, agent.name) == (7, 2, "on-error", "librarian")
        assert (agent.budget, agent.installs.mode, list(agent.tools)) == (
            Budget(tokens=100_000),
            "never",
            ["web_search"],
        )
        assert agent.prompt_templates.replaced() == {"planning.initial_plan": "Plan: {task}"}
        executor = agent.executor
        assert (executor.timeout, executor.memory, executor.max_print_outputs_length) == (9.0, 512, 900)


def test_an_agent_made_from_options_is_described_and_can_be_made_again(model: Any) -> None:
    options: dict[str, Any] = {"max_steps": 4, "additional_authorized_imports": ["json"], "instructions": "Count."}
    with CodeAgent(model=model, executor_kwargs={"timeout": 5.0, "memory": 300}, **options) as agent:
        spec = agent.spec
        assert (spec.max_steps, spec.imports, spec.instructions, spec.python) == (4, ("json",), "Count.", "guarded")
        assert (spec.timeout, spec.memory, spec.model) == (5.0, 300, model.name)
    with CodeAgent.from_spec(spec, model) as twin:
        assert twin.spec == spec


def test_what_is_set_on_an_agent_is_in_its_spec(model: Any) -> None:
    with CodeAgent(model=model) as agent:
        agent.max_steps = 3
        agent.instructions = "Be short."
        assert (agent.spec.max_steps, agent.spec.instructions) == (3, "Be short.")
        with pytest.raises(SetupError, match="--max-steps"):
            agent.max_steps = 0
        assert agent.max_steps == 3


def test_a_tool_calling_agent_is_made_from_a_spec_too(model: Any) -> None:
    with ToolCallingAgent.from_spec(AgentSpec(model="openai/x", tools=("web_search",)), model) as agent:
        assert (type(agent), list(agent.tools)) == (ToolCallingAgent, ["web_search"])


def test_a_spec_is_frozen_and_travels() -> None:
    with pytest.raises(FrozenInstanceError):
        FULL.max_steps = 1  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(FULL)) == FULL
    assert AgentSpec.from_json(FULL.to_json()) == FULL
    assert hash(AgentSpec.from_json(FULL.to_json())) == hash(FULL)


def test_it_has_one_name_and_the_one_of_many_runs() -> None:
    assert smolcell.AgentSpec is scale.AgentSpec is module.AgentSpec


@pytest.mark.parametrize("name", sorted(set(module.OF_SANDBOX) - {"timeout"}))
def test_an_option_of_sandboxes_asks_for_another_sandbox(name: str) -> None:
    other = {
        "sandbox": "docker",
        "python": "guarded",
        "imports": ("x",),
        "allow_hosts": ("example.org",),
        "credentials": ("KEY@example.org",),
        "max_output": 500,
        "memory": 64,
        "work_folder": "read-only",
    }
    assert not AgentSpec().shares_sandbox(AgentSpec(**{name: other[name]}))


def test_other_options_and_the_time_limit_do_not() -> None:
    assert AgentSpec().shares_sandbox(replace(AgentSpec(), timeout=1.0, max_steps=2, approve="auto", instructions="x"))


def test_the_digest_of_earlier_versions_holds_until_a_new_field_is_set() -> None:
    assert AgentSpec(model="openai/x").digest == "e8036f6c0baa"
    assert AgentSpec(model="openai/x", approve="auto", log="json").digest == "e8036f6c0baa"
    assert AgentSpec(model="openai/x", description="Knows books.").digest != "e8036f6c0baa"


def test_every_option_of_the_line_is_a_row_and_every_setting_has_one_name_everywhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    flags = {flag for action in parser()._actions for flag in action.option_strings}
    assert flags == {flag for row in module.options().values() for flag in row.flags}
    for name, row in module.SETTINGS.items():
        assert getattr(resolve({name: getattr(AgentSpec(), name)}), name) == getattr(AgentSpec(), name)
        assert row.help or row.meaning, name
    monkeypatch.setenv("SMOLCELL_MAX_STEPS", "9")
    assert resolve({}).max_steps == 9
    assert resolve(read_line("--max-steps 8").settings).max_steps == 8


def test_a_new_row_is_an_option() -> None:
    row = module.Option(
        read=str,
        flags=("--shade",),
        value="COLOUR",
        many=False,
        help="a colour",
        at_a_shell="",
        meaning="",
        kind="",
        is_setting=True,
        of_sandbox=False,
        may_narrow=None,
    )
    cell, shell = argparse.ArgumentParser(), argparse.ArgumentParser()
    row.add_to(cell, "shade", notebook=True)
    row.add_to(shell, "shade", notebook=False)
    assert (cell.parse_args(["--shade", "red"]).shade, shell.parse_args([]).shade) == ("red", None)


def test_making_an_agent_imports_no_module_of_its_tools(
    model: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "module_of_a_tool.py").write_text("raise SystemExit('it ran')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)

    def price(item: str) -> int:
        """Return a price.

        Args:
            item: the item.
        """
        return len(item)

    price.__module__ = "module_of_a_tool"
    with CodeAgent([price], model) as agent:
        assert agent.spec.tools == ("price",)


def test_a_fork_does_not_keep_what_was_authorised_for_one_run(model: Any) -> None:
    with CodeAgent(model=model, sandbox="local", python="guarded", gate=allow_all) as agent:
        agent.run("Answer.")
        agent.sandbox.authorize_imports(["wsgiref.*"], for_run=True)
        with agent.fork(0) as twin:
            twin.set_model(ScriptedModel("final_answer(1)"))
            twin.run("Answer.", reset=False)
            assert "wsgiref.*" not in twin.imports


def test_a_list_of_imports_means_guarded(model: Any) -> None:
    with CodeAgent.from_spec(AgentSpec(model="openai/x", imports=("json",)), model) as agent:
        assert (agent.spec.python, agent.executor.asked_level) == ("guarded", "guarded")


def test_the_mode_of_a_spec_decides(model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with CodeAgent.from_spec(AgentSpec(model="openai/x", approve="deny"), model) as agent:
        assert agent.run("Answer.", return_full_result=True).state == "refused"


def test_arguments_beside_a_spec_count(model: Any) -> None:
    with CodeAgent.from_spec(AgentSpec(model="openai/x"), model, max_steps=3, instructions="x") as agent:
        assert (agent.max_steps, agent.instructions, agent.spec.max_steps) == (3, "x", 3)


def test_configuring_keeps_what_is_no_setting(model: Any) -> None:
    spec = AgentSpec(model="openai/x", output_type={"a": "int64"}, walls=("moat",), name="librarian")
    with CodeAgent.from_spec(spec, model) as agent:
        checks = [check.name for check in agent.output_checks.all]
        agent.configure(AgentSpec(max_steps=2))
        assert (agent.max_steps, agent.name, agent.expected_walls) == (2, "librarian", ("moat",))
        assert [check.name for check in agent.output_checks.all] == checks


@pytest.mark.parametrize("budget", [Budget(cost=1e-5), Budget(cost=1e6), Budget(tokens=10**13), Budget(steps=2)])
def test_a_budget_that_no_setting_says_is_taken(model: Any, budget: Budget) -> None:
    with CodeAgent(model=model, budget=budget) as agent:
        assert agent.budget is budget


def test_replaced_tools_are_in_the_spec(model: Any) -> None:
    with CodeAgent(model=model) as agent:
        agent.set_tools([smolcell.WebSearchTool()])
        assert agent.spec.tools == ("web_search",)
