"""``smolcell.compat``: smolagents' names are there, and do what smolagents' programs expect of them."""

from __future__ import annotations

import importlib
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any, Literal

import pytest

import smolcell.compat as smolagents
from smolcell.compat.agent_types import handle_agent_output_types
from smolcell.errors import SetupError
from smolcell.testing import ScriptedModel, allow_all

MODULES = ("agent_types", "agents", "default_tools", "mcp_client", "memory", "models", "monitoring", "tools", "utils")


@pytest.mark.parametrize("name", MODULES)
def test_each_module_has_the_names_that_it_lists(name: str) -> None:
    module = importlib.import_module(f"smolcell.compat.{name}")
    assert [each for each in module.__all__ if not hasattr(module, each)] == []
    assert getattr(smolagents, name) is module


def test_importing_it_imports_no_provider() -> None:
    heavy = "httpx litellm docker e2b_code_interpreter modal blaxel anywidget ipywidgets pyarrow PIL mcp huggingface_hub transformers"
    program = f"import sys, smolcell.compat; print([m for m in {heavy.split()!r} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_its_names_are_ours() -> None:
    import smolcell

    for name in ("CodeAgent", "ToolCallingAgent", "Tool", "tool", "MCPClient", "OpenAIModel", "LocalPythonExecutor"):
        assert getattr(smolagents, name) is getattr(smolcell, name)
    with pytest.raises(AttributeError, match=r"from-smolagents\.md says what to write instead"):
        smolagents.GradioUI  # noqa: B018


# --- agents -----------------------------------------------------------------------------------------------------------


def agent(*replies: str, **options: Any) -> smolagents.CodeAgent:
    model = ScriptedModel(*(f"<code>\n{reply}\n</code>" for reply in replies))
    return smolagents.CodeAgent([], model, gate=allow_all, **options)


def test_the_default_prompt_is_there_to_be_read_and_added_to() -> None:
    made = agent("final_answer(1)")
    default = made.prompt_templates["system_prompt"]
    assert "You solve tasks by writing Python" in default and made.prompt_templates["planning"]["initial_plan"]
    assert made.system_prompt == made.memory.system_prompt.system_prompt
    made.prompt_templates["system_prompt"] = default + "\nTalk like a pirate."
    assert "Talk like a pirate." in made.system_prompt
    made.run("t")
    assert "Talk like a pirate." in made.model.calls[0][0].text  # type: ignore[attr-defined]
    made.cleanup()


FULL = {
    "system_prompt": "Solve it in {{code_block_opening_tag}}. Tools:\n{%- for tool in tools.values() %}\n{{ tool.to_code_prompt() }}\n"
    "{%- endfor %}\nImports: {{authorized_imports}}{%- if custom_instructions %}\n{{custom_instructions}}{%- endif %}",
    "planning": {
        "initial_plan": "Plan for {{task}}.",
        "update_plan_pre_messages": "Before.",
        "update_plan_post_messages": "Now {{remaining_steps}} are left.",
    },
    "managed_agent": {"task": "You are {{name}}. {{task}}", "report": "{{name}}: {{final_answer}}"},
    "final_answer": {"pre_messages": "It got stuck.", "post_messages": "Answer {{task}}."},
}


def test_a_whole_dictionary_of_templates_is_taken() -> None:
    made = agent(prompt_templates=FULL)
    assert made.prompt_templates.replaced() == {
        "system_prompt": "Solve it in <code>. Tools:\n{tools}\nImports: {imports}",
        "planning.initial_plan": "Plan for {task}.",
        "planning.update_plan": "Before.\n\nNow {remaining_steps} are left.",
        "managed_agent.task": "You are {name}. {task}",
        "managed_agent.report": "{name}: {final_answer}",
        "final_answer": "It got stuck.\n\nAnswer {task}.",
    }
    assert made.system_prompt.startswith("Solve it in <code>. Tools:\nnone\nImports: ")
    empty: dict[str, Any] = {
        name: dict.fromkeys(text, "") if isinstance(text, dict) else "" for name, text in FULL.items()
    }
    assert agent(prompt_templates=empty).prompt_templates.replaced() == {}


def test_a_template_that_reaches_for_python_is_refused() -> None:
    bad = "{% for a in ().__class__.__base__.__subclasses__() %}{{ a }}{% endfor %}"
    with pytest.raises(SetupError, match="prompt_templates: SecurityError"):
        agent(prompt_templates={"system_prompt": bad})


def test_smolagents_words_for_a_sandbox_are_taken_and_unknown_ones_named() -> None:
    words = {
        "timeout_seconds": 5,
        "additional_imports": ["csv"],
        "additional_functions": {"shout": lambda text: text.upper()},
    }
    with agent("final_answer(shout('a'))", executor_kwargs=words) as made:
        assert (made.run("t"), made.executor.timeout, made.executor.additional_authorized_imports) == (
            "A",
            5.0,
            ("csv",),
        )  # type: ignore[attr-defined]
    with pytest.raises(SetupError, match=r"the sandbox 'local' has no timeout_sec; it has: .*memory, .*timeout"):
        agent(executor_kwargs={"timeout_sec": 1}).executor  # noqa: B018


def test_a_callback_by_the_class_of_all_steps_is_told_each() -> None:
    told: list[str] = []

    def note(step: Any, agent: Any) -> None:
        told.append(step.code_action)

    with agent("x = 1", "final_answer(x)", step_callbacks={smolagents.MemoryStep: note}) as made:
        made.run("t")
    assert told == ["x = 1", "final_answer(x)"]


def test_a_model_of_ones_own_derives_from_model() -> None:
    class Own(smolagents.Model):
        def generate(self, messages: Any, **options: Any) -> Any:
            return smolagents.ChatMessage(
                role=smolagents.MessageRole.ASSISTANT, content="<code>\nfinal_answer(3)\n</code>"
            )

    with smolagents.CodeAgent([], Own(model_id="mine"), gate=allow_all) as made:  # type: ignore[arg-type]
        assert made.run("t") == 3
    assert isinstance(ScriptedModel(), smolagents.Model)
    with pytest.raises(SetupError, match="cannot be asked: write its method generate"):
        smolagents.Model().generate([])


# --- tools ------------------------------------------------------------------------------------------------------------


@smolagents.tool
def look(item: str, how: Literal["long", None] = None, count: int = 3) -> str:
    """Look for an item.

    Args:
        item: its name
        how: how much is said
        count: how many
    """
    return item


def test_an_argument_with_a_default_is_nullable() -> None:
    assert look.inputs == {
        "item": {"type": "string", "description": "its name"},
        "how": {"type": "string", "enum": ["long"], "nullable": True, "description": "how much is said"},
        "count": {"type": "integer", "nullable": True, "description": "how many"},
    }
    assert look.json_schema["function"]["parameters"]["properties"]["how"]["enum"] == ["long", None]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"item": "tea"}, None),
        ({"item": "tea", "how": None, "count": 2}, None),
        ("tea", None),
        ({}, "Argument item is required"),
        ({"item": "tea", "more": 1}, "Argument more is not in the tool's input schema"),
        ({"item": 3}, "'item' must be str"),
    ],
)
def test_arguments_are_validated_as_smolagents_does(arguments: Any, error: str | None) -> None:
    if error is None:
        smolagents.validate_tool_arguments(look, arguments)
        return
    with pytest.raises(TypeError if "must be" in error else ValueError, match=error):
        smolagents.validate_tool_arguments(look, arguments)


def test_a_tool_of_the_hub_is_not_run_before_it_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    monkeypatch.setattr("smolcell.tools.adapters.from_hub", lambda *args, **kwargs: seen.append((args, kwargs)))
    smolagents.load_tool("me/tool", token="t")
    assert seen == [(("me/tool", "t", False), {})]


# --- answers ----------------------------------------------------------------------------------------------------------


def test_a_text_and_an_image_have_their_raw_form(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image", reason="needs Pillow")
    text = smolagents.AgentText("tea")
    assert (
        text,
        text.to_raw(),
        text.to_string(),
        isinstance(handle_agent_output_types("tea"), smolagents.AgentText),
    ) == (("tea",) * 3 + (True,))
    picture = image.new("RGB", (2, 3), "red")
    picture.save(tmp_path / "a.png")
    kind: Any = smolagents.AgentImage  # type: ignore[attr-defined]
    for given in (picture, str(tmp_path / "a.png"), (tmp_path / "a.png").read_bytes()):
        made = kind(given)
        assert (made.size, made.getpixel((0, 0)), isinstance(made, image.Image)) == ((2, 3), (255, 0, 0), True)
        with image.open(made.to_string()) as kept:
            assert kept.size == made.to_raw().size == (2, 3)
    assert isinstance(handle_agent_output_types(picture), kind)
    with pytest.raises(SetupError, match="takes an image, bytes or a path, not int"):
        kind(3)


def test_an_answer_of_an_agent_opens_no_file_and_unpacks_no_bytes(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image", reason="needs Pillow")
    image.new("RGB", (2, 3)).save(tmp_path / "a.png")
    for given in (str(tmp_path / "a.png"), tmp_path / "a.png", (tmp_path / "a.png").read_bytes()):
        assert handle_agent_output_types(given, "image") == given


# --- models -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "create",
    [
        partial(smolagents.OpenAIModel, "m", "http://127.0.0.1:1/v1"),
        partial(smolagents.LiteLLMModel, model_name="bedrock/m"),
        partial(smolagents.InferenceClientModel, "m"),
        partial(smolagents.TransformersModel, "m"),
    ],
    ids=["openai", "litellm", "huggingface", "transformers"],
)
def test_a_parameter_to_remove_is_not_sent(create: Any) -> None:
    gone = smolagents.REMOVE_PARAMETER
    model = create(stop=gone, temperature=gone, top_p=0.5)
    assert {**model.parameters, "max_tokens": 0} == {"top_p": 0.5, "max_tokens": 0}


def test_a_model_of_litellm_has_one_name() -> None:
    assert smolagents.LiteLLMModel(model_name="bedrock/m").model_id == "bedrock/m"
    for names in ({}, {"model_id": "a/m", "model_name": "b/m"}):
        with pytest.raises(SetupError, match="name a model with its provider"):
            smolagents.LiteLLMModel(**names)


@pytest.mark.parametrize("name", ["AmazonBedrockModel", "MLXModel", "VLLMModel"])
def test_a_model_that_is_not_there_says_what_to_use_instead(name: str) -> None:
    for module in (smolagents, smolagents.models):
        with pytest.raises(SetupError, match=f"smolcell has no {name}: use .*Model"):
            getattr(module, name)(model_id="m", client_kwargs={})
