"""The former names of ``smolcell.executors.command``, kept for sandboxes of other packages."""

from smolcell.executors.command import PipedChannel, output_of, start_environment, start_words

told = output_of

__all__ = ["PipedChannel", "start_environment", "start_words", "told"]
