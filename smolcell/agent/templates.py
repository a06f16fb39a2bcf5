"""``prompt_templates``: the texts of the prompt by smolagents' names, as they are in force, to be read and replaced."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from smolcell.core.prompt import FINAL, INITIAL, UPDATE, PromptSettings
from smolcell.errors import SetupError
from smolcell.machine.environment import importing

FILLED = {
    "system_prompt": "{imports} {tools}",
    "final_answer": "{task}",
    "planning.initial_plan": "{task}",
    "planning.update_plan": "{task} {remaining_steps}",
    "managed_agent.task": "{name} {task}",
    "managed_agent.report": "{name} {final_answer}",
}
"""The name of each text, and the fields that are filled in. Double braces, as in smolagents' templates, count as single ones."""
_DOUBLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_JOINED = {
    "planning": ("update_plan", "update_plan_pre_messages", "update_plan_post_messages"),
    "final_answer": ("", "pre_messages", "post_messages"),
}
"""Group → our template, and smolagents' two, which it puts before and after the conversation; ours puts both after it."""


class Templates(dict[str, Any]):
    """The texts of the prompt, in groups as smolagents has them.

    Args:
        given: the texts to replace; smolagents' Jinja templates are accepted.
        settings: how the model acts; selects the default system prompt.

    Raises:
        SetupError: there is no text of this name, or the value is no text.
    """

    def __init__(self, given: Mapping[str, Any] | None, settings: PromptSettings) -> None:
        super().__init__(
            system_prompt=settings.form.system,
            planning={"initial_plan": INITIAL, "update_plan_pre_messages": "", "update_plan_post_messages": UPDATE},
            managed_agent={"task": "{task}", "report": "{final_answer}"},
            final_answer={"pre_messages": "", "post_messages": FINAL},
        )
        self._ours = _flat(self)
        _check(_flat(given or {}))
        for name, value in (given or {}).items():
            group = self.get(name)
            if isinstance(group, dict) and isinstance(value, Mapping):
                self[name] = {**group, **{part: text for part, text in value.items() if text}}
            elif value:
                self[name] = value

    def replaced(self) -> dict[str, str]:
        """Return the replaced texts, by the names of ``core.prompt``."""
        texts = {name: text for name, text in _flat(self).items() if text != self._ours.get(name)}
        _check(texts)
        return {name: _DOUBLE.sub(r"{\1}", text) for name, text in texts.items()}


def _check(texts: Mapping[str, Any]) -> None:
    for name, text in texts.items():
        if name not in FILLED:
            raise SetupError(f"prompt_templates knows no {name!r}; its texts are: {', '.join(FILLED)}")
        if not isinstance(text, str):
            raise SetupError(f"prompt_templates: {name!r} must be a text, not {type(text).__name__}")


def _flat(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return texts by our names; smolagents' pairs are joined, and empty texts left out."""
    found: dict[str, Any] = {}
    for name, value in given.items():
        group = dict(value) if isinstance(value, Mapping) else {"": value}
        if name in _JOINED and isinstance(value, Mapping):
            ours, *theirs = _JOINED[name]
            both = "\n\n".join(text for text in (group.pop(each, "") for each in theirs) if text)
            group.setdefault(ours, both)
        for part, text in group.items():
            if text != "":
                found[f"{name}.{part}" if part else name] = _ours(text) if isinstance(text, str) else text
    return found


def _ours(text: str) -> str:
    """Return a Jinja template as one of ours: rendered with our placeholders as values."""
    if "{%" not in text:
        return text
    try:
        with importing():
            from jinja2.exceptions import TemplateError
            from jinja2.sandbox import ImmutableSandboxedEnvironment
    except ImportError:
        raise SetupError("prompt_templates with {% … %} need Jinja: pip install jinja2") from None
    tool = SimpleNamespace(
        to_code_prompt=lambda: "{tools}", to_tool_calling_prompt=lambda: "{tools}", name="{tools}", description=""
    )
    fields = {name: f"{{{name}}}" for name in ("task", "name", "final_answer", "remaining_steps")}
    values = {
        **fields,
        "tools": {"": tool},
        "managed_agents": {},
        "authorized_imports": "{imports}",
        "custom_instructions": "",
        "code_block_opening_tag": "<code>",
        "code_block_closing_tag": "</code>",
    }
    try:
        rendered: str = ImmutableSandboxedEnvironment(keep_trailing_newline=True).from_string(text).render(values)
    except TemplateError as error:
        raise SetupError(f"prompt_templates: {type(error).__name__}: {error}") from None
    return rendered
