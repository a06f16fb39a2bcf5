"""What every sandbox is asked to allow and to bound, and how its boundary says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from smolcell.events import Boundary, Wall
from smolcell.worker.tables import DEFAULT_IMPORTS

OUTPUT = 20_000
"""Characters of printed output kept of a step, where nobody says otherwise."""


class LimitedExecutor:
    """The imports and limits of a ``WorkerExecutor``, which says what each means."""

    name = ""

    def __init__(
        self,
        additional_authorized_imports: Sequence[str],
        timeout: float,
        max_print_outputs_length: int | None,
        memory: int,
        max_tool_calls: int,
        tool_timeout: float,
    ) -> None:
        if isinstance(additional_authorized_imports, str):
            additional_authorized_imports = [additional_authorized_imports]
        self.additional_authorized_imports = tuple(additional_authorized_imports)
        self.timeout = float(timeout)
        self.max_print_outputs_length = OUTPUT if max_print_outputs_length is None else int(max_print_outputs_length)
        self.memory = int(memory)
        self.max_tool_calls = int(max_tool_calls)
        self.tool_timeout = float(tool_timeout)

    def bounded(
        self, where: str, walls: Sequence[Wall], isolated: bool, limits: Mapping[str, float] | None = None
    ) -> Boundary:
        """The boundary of this sandbox, with its imports, and the limits that every sandbox has.

        Args:
            where: where its code runs, for a person.
            walls: all that were looked for, whether they stand or not.
            isolated: whether files, network and other processes are out of reach.
            limits: those that this kind of sandbox has besides.
        """
        return Boundary(
            sandbox=self.name,
            where=where,
            isolated=isolated,
            walls=tuple(walls),
            limits={
                "seconds a step": self.timeout,
                "memory, MB": self.memory,
                **(limits or {}),
                "characters of output": self.max_print_outputs_length,
                "tool calls a step": self.max_tool_calls,
                "seconds a tool call": self.tool_timeout,
            },
            imports=tuple(sorted({*DEFAULT_IMPORTS, *self.additional_authorized_imports} - {"__future__"})),
        )
