"""Many runs: one agent's recipe over many tasks, on this machine or on an available engine such as Dask.

``map`` runs them, ``AgentSpec`` is the recipe; ``smolcell map`` and ``%agent map`` are the same at a terminal and in a notebook.
"""

from __future__ import annotations

from smolcell.core.spec import AgentSpec
from smolcell.scale.approvals import Group, groups
from smolcell.scale.job import Limits, Progress, Results, map  # noqa: A004 - the word of the field
from smolcell.scale.tasks import Task, read_tasks

__all__ = ["AgentSpec", "Group", "Limits", "Progress", "Results", "Task", "groups", "map", "read_tasks"]
