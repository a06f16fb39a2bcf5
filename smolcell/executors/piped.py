"""The former name of ``smolcell.executors.command``, kept for sandboxes of other packages."""

from smolcell.executors.command import PipedChannel, start_environment, start_words, told

__all__ = ["PipedChannel", "start_environment", "start_words", "told"]
