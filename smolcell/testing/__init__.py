"""What tests of agents, tools, front ends and sandboxes need. It is part of the product: use it in your own tests.

``ScriptedModel`` says what it was told to say, ``MemoryExecutor`` runs nothing, ``allow_all`` allows everything.
``check_executor`` holds a sandbox to the one list of promises that every sandbox keeps.
"""

from smolcell.gates import allow_all
from smolcell.models.scripted import ScriptedModel
from smolcell.testing.conformance import Check, ConformanceError, Outcome, Report, check_executor, checks, run_check
from smolcell.testing.doubles import MemoryExecutor
from smolcell.testing.trial import Trial

__all__ = [
    "Check",
    "ConformanceError",
    "MemoryExecutor",
    "Outcome",
    "Report",
    "ScriptedModel",
    "Trial",
    "allow_all",
    "check_executor",
    "checks",
    "run_check",
]
