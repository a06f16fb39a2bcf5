"""smolagents' module ``agent_types``: an answer as a text or an image. Agents of ours answer with plain values."""

from __future__ import annotations

import io
import os
from functools import cache
from typing import TYPE_CHECKING, Any

from smolcell.environment import importing
from smolcell.errors import SetupError

if TYPE_CHECKING:
    AgentImage: Any

__all__ = ["AgentImage", "AgentText", "AgentType", "handle_agent_output_types"]


class AgentType:
    """A value that knows its raw form."""

    def to_raw(self) -> Any:
        """The value itself."""
        return self

    def to_string(self) -> str:
        """The value as a text."""
        return str(self)


class AgentText(AgentType, str):
    """A text."""

    def to_raw(self) -> str:
        """A plain string."""
        return str(self)


@cache
def _image() -> Any:
    try:
        with importing():
            from PIL import Image
    except ImportError:
        raise SetupError("AgentImage needs Pillow: pip install pillow") from None

    class AgentImage(AgentType, Image.Image):
        """An image, made of one, of its bytes, or of the path of a file."""

        def __init__(self, value: Any) -> None:
            Image.Image.__init__(self)
            if isinstance(value, bytes | bytearray):
                value = Image.open(io.BytesIO(value))
            elif isinstance(value, str | os.PathLike):
                value = Image.open(value)
            if not isinstance(value, Image.Image):
                raise SetupError(f"AgentImage takes an image, bytes or a path, not {type(value).__name__}")
            self.__setstate__(value.__getstate__())
            self._path = ""

        def to_raw(self) -> Any:
            """A plain image."""
            return self.copy()

        def to_string(self) -> str:
            """The path of a file that holds it as PNG."""
            import tempfile

            if not self._path:
                with tempfile.NamedTemporaryFile(suffix=".png", delete=False) as file:
                    self.save(file, format="PNG")
                self._path = file.name
            return self._path

    return AgentImage


def __getattr__(name: str) -> Any:
    if name == "AgentImage":
        return _image()
    raise AttributeError(f"module 'smolcell.compat.agent_types' has no {name!r}")


def handle_agent_output_types(output: Any, output_type: str | None = None) -> Any:
    """A text as ``AgentText`` and an image as ``AgentImage``; anything else as it is."""
    if output_type == "string" or (output_type is None and isinstance(output, str)):
        return AgentText(output)
    is_image = any(kind.__module__ == "PIL.Image" for kind in type(output).__mro__)
    return _image()(output) if output_type == "image" or is_image else output
