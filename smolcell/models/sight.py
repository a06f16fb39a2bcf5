"""Which models see images, as far as their names say so. Whoever knows better sets ``model.takes_images``."""

from __future__ import annotations

import re

_SEE = re.compile(
    r"gpt-4o(?!-(audio|mini-audio|realtime|transcribe|tts|search))|gpt-4\.1|gpt-4-turbo|gpt-5(?!.*codex-mini)|\bo[13](?!-mini)\b|\bo4-mini\b"
    r"|claude-(3|4|opus|sonnet|haiku)|gemini-|pixtral|llava|\bvl\b|-vl-|\dvl\b|vision",
    re.IGNORECASE,
)


def sees(model_id: str) -> bool:
    """Whether a model of this name is known to take images. A name that says nothing is a no: an image it cannot read ends a run."""
    return _SEE.search(model_id) is not None
