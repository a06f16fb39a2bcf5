"""The message a model is shown: the OpenAI wire shape, with attributes."""

from __future__ import annotations

from typing import Any, Literal

Role = Literal["system", "user", "assistant", "tool"]


class Message(dict[str, Any]):
    """One chat message: ``{"role": …, "content": …}``, so it goes over the wire as it is; also readable as attributes.

    Args:
        role: who speaks.
        content: the text, or a list of parts (``{"type": "text", …}``, ``{"type": "image_url", …}``).
    """

    def __init__(self, role: Role, content: str | list[dict[str, Any]], **more: Any) -> None:
        super().__init__(role=role, content=content, **more)

    @property
    def role(self) -> str:
        return str(self["role"])

    @property
    def content(self) -> str | list[dict[str, Any]]:
        content: str | list[dict[str, Any]] = self["content"]
        return content

    @property
    def text(self) -> str:
        """The content's text parts, joined."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(str(part.get("text", "")) for part in self.content if part.get("type") == "text")
