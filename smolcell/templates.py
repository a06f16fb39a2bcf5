"""The texts of a prompt that a user may replace. Pure.

smolagents' names. What stands in braces here is filled in; double braces, as smolagents' own templates have them, are taken as
single ones. Those of a group may stand in a mapping: ``{"planning": {"initial_plan": …}}``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from smolcell.errors import SetupError

FILLED = {
    "system_prompt": "{imports} {tools}",
    "final_answer": "{task}",
    "planning.initial_plan": "{task}",
    "planning.update_plan": "{task} {remaining_steps}",
    "managed_agent.task": "{name} {task}",
    "managed_agent.report": "{name} {final_answer}",
}
"""Each text's name, and what is filled in."""

_DOUBLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")


def templates(given: Mapping[str, Any] | None) -> dict[str, str]:
    """The texts by their names, ``planning.initial_plan`` for one of a group.

    Raises:
        SetupError: there is no text of this name, or it is none.
    """
    found = dict(_texts(given or {}))
    for name, text in found.items():
        if name not in FILLED:
            raise SetupError(f"prompt_templates knows no {name!r}; its texts are: {', '.join(FILLED)}")
        if not isinstance(text, str):
            raise SetupError(f"prompt_templates: {name!r} is a text, not {type(text).__name__}")
    return {name: _DOUBLE.sub(r"{\1}", text) for name, text in found.items()}


def _texts(given: Mapping[str, Any]) -> list[tuple[str, Any]]:
    pairs: list[tuple[str, Any]] = []
    for name, value in given.items():
        inner = value.items() if isinstance(value, Mapping) else [("", value)]
        pairs += [(f"{name}.{part}" if part else name, text) for part, text in inner]
    return pairs
