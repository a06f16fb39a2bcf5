"""What a model's name may look like, by provider: some libraries take an address in its place, and send the key there."""

from __future__ import annotations

import re

from smolcell.errors import SetupError
from smolcell.redaction import redact

_PART = r"\w[\w.-]*"
_ANY = r"(?!.*://).*\S.*"
PATTERNS = {
    "huggingface": rf"{_PART}(/{_PART})?(:{_PART})?",
    # LiteLLM makes the server's address of an ARN's region.
    "bedrock": rf"({_PART}/)*({_PART}(:{_PART})*|arn:aws[\w-]*:[\w-]+:[\w-]*:\d*:{_PART}([:/]{_PART})*)",
    # It is sent to the server that was named, as a word of the request, or is a file.
    **dict.fromkeys(("litellm", "llamacpp", "lmstudio", "ollama", "openai", "transformers", "vllm"), _ANY),
}
"""Provider → its models' names. Of the others, which are LiteLLM's, ``OTHERS``."""

OTHERS = rf"@?{_PART}([/:@+]@?{_PART})*"  # part of a path, in many of their addresses


def fits(provider: str, model: str) -> bool:
    """Whether this may be the name of a model of this provider."""
    pattern = _ANY if provider.startswith("local:") else PATTERNS.get(provider, OTHERS)
    return re.fullmatch(pattern, model, re.ASCII if pattern is not _ANY else 0) is not None


def check(provider: str, model: str) -> None:
    """Raises ``SetupError`` for what cannot be the name of a model of this provider."""
    if not fits(provider, model):
        raise SetupError(
            f"{redact(model)!r} is not the name of a model of {provider}; if it is the address of a server, give that as api_base, "
            "for example: %agent config model=openai/NAME api_base=http://127.0.0.1:8000/v1"
        )
