"""The former place of ``Message``, kept for models of other packages: see ``smolcell.protocols``."""

from smolcell.protocols import Message

__all__ = ["Message"]
