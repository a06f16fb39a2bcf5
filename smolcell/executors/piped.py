"""The former names of ``smolcell.executors.command``, kept for sandboxes of other packages."""

from __future__ import annotations

from smolcell.executors.command import PipedChannel, output_of, start_environment, start_words

__all__ = ["PipedChannel", "start_environment", "start_words", "told"]


def told(*command: str, said: str | None = None, seconds: float = 90.0) -> str:
    """The former name of ``output_of``; ``said`` was its ``stdin``."""
    return output_of(*command, stdin=said, seconds=seconds)
