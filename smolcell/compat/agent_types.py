"""smolagents' module ``agent_types``: answers as text or image. smolcell's agents answer with plain values."""

from typing import Any

from smolcell import compat
from smolcell.compat import AgentText, AgentType, handle_agent_output_types

__all__ = ["AgentImage", "AgentText", "AgentType", "handle_agent_output_types"]  # noqa: F822 - by __getattr__


def __getattr__(name: str) -> Any:
    if name == "AgentImage":
        return compat.AgentImage
    raise AttributeError(f"module 'smolcell.compat.agent_types' has no {name!r}")
