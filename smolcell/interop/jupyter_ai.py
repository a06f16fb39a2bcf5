"""smolcell as a persona of Jupyter AI 3: an agent in its chat, through the Agent Client Protocol."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from smolcell.machine.environment import importing

with importing():
    from jupyter_ai_acp_client.base_acp_persona import BaseAcpPersona
    from jupyter_ai_persona_manager import PersonaDefaults

AVATAR = Path(__file__).with_name("smolcell.svg")


class SmolcellPersona(BaseAcpPersona):  # type: ignore[misc] # Any: its library is optional
    """Chats with ``smolcell acp``, which runs with the settings of the environment and of ``smolcell.toml``."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, executable=[sys.executable, "-m", "smolcell", "acp"], **kwargs)

    @property
    def defaults(self) -> Any:
        """The name and description in the chat."""
        return PersonaDefaults(
            name="smolcell",
            description="Works on data in Python that you approve step by step, in a sandbox.",
            avatar_path=str(AVATAR),
            system_prompt="unused",
        )
