"""Images that a step makes are shown to models that see, and to no others."""

from __future__ import annotations

from typing import Any

import pytest

from smolcell import CodeAgent
from smolcell.core.prompt import PromptSettings, length, prompt, trim
from smolcell.errors import SetupError
from smolcell.events import Asked, Bundle, Observed, Replied
from smolcell.models.capabilities import supports_images
from smolcell.testing import MemoryExecutor, ScriptedModel, allow_all

CODE = "<code>\nplot()\n</code>"
PLOT = Observed(outputs=(Bundle(data={"image/png": "aGk=\n", "text/plain": "<Figure>"}),))
URL = {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}}


@pytest.mark.parametrize("seeing", [True, False])
def test_a_plot_is_in_the_next_prompt_of_a_model_that_sees(seeing: bool) -> None:
    model = ScriptedModel(CODE, CODE)
    model.takes_images = seeing
    final = Observed(is_final_answer=True, output=1)
    with CodeAgent([], model, sandbox=MemoryExecutor(PLOT, final), gate=allow_all) as agent:
        agent.run("t")
    shown = model.calls[1][-1]
    if seeing:
        text = "Observation of step 1:\n[1 image shown to you too]"
        assert shown.content == [{"type": "text", "text": text}, URL]
    else:
        assert shown.content == "Observation of step 1:\n[1 image shown to the person]"


def test_of_many_images_the_first_are_shown_and_none_that_is_huge() -> None:
    huge = Bundle(data={"image/png": "a" * 5_000_000})
    many = Observed(run="r", step=1, outputs=(huge, *PLOT.outputs * 6, Bundle(data={"image/svg+xml": "<svg/>"})))
    *_, shown = prompt((Asked(run="r", task="t"), Replied(run="r", step=1, text="x"), many), SEEING)
    assert shown.content == [
        {"type": "text", "text": "Observation of step 1:\n[8 images shown to the person, 4 of them to you]"},
        *[URL] * 4,
    ]


SEEING = PromptSettings(shows_images=True, budget=20_000)


def test_images_count_in_the_budget_and_go_with_their_observation() -> None:
    history: Any = (Asked(run="r", task="t"),)
    for step in range(1, 8):
        history += (Replied(run="r", step=step, text="x"), Observed(run="r", step=step, outputs=PLOT.outputs))
    assert length(history, SEEING) > 7 * 4000
    assert trim(history, SEEING) == {"r": (1, 2, 3, 4)}
    assert trim(history, PromptSettings(budget=20_000)) == {}


def test_models_that_are_known_to_see() -> None:
    see = ["gpt-4o-mini", "gpt-4.1", "openai/gpt-5", "anthropic/claude-sonnet-4", "gemini/gemini-2.5-pro", "o3"]
    others = ["gpt-3.5-turbo", "qwen3", "o3-mini", "deepseek-chat", "gpt-4o-audio-preview"]
    assert [name for name in (*see, *others) if supports_images(name)] == see


# --- prompt_templates and instructions -------------------------------------------------------------------------------------------


def test_templates_replace_the_prompts_texts() -> None:
    own = {"system_prompt": "Only {{imports}}; tools: {tools}.", "final_answer": "Say it: {task}"}
    model = ScriptedModel(CODE, "so")
    with CodeAgent(
        [], model, sandbox=MemoryExecutor(), gate=allow_all, max_steps=1, instructions="Be brief.", prompt_templates=own
    ) as agent:
        assert agent.run("go", return_full_result=True).output == "so"
    system = model.calls[0][0].text
    assert system.startswith("Only ") and system.endswith("; tools: none.\nBe brief.") and "math" in system
    assert model.calls[1][-1].text.endswith("Say it: go")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"sytem_prompt": "x"}, "knows no 'sytem_prompt'; its texts are: system_prompt"),
        ({"final_answer": 3}, "must be a text, not int"),
    ],
)
def test_a_template_that_is_none_is_named(given: Any, said: str) -> None:
    with pytest.raises(SetupError, match=said):
        CodeAgent([], ScriptedModel(), prompt_templates=given)
