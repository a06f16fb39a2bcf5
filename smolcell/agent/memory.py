"""An agent's memory: the events of its conversation, and the journal that they are written to."""

from __future__ import annotations

import os
import time

from smolcell import journal as runs
from smolcell.core.history import Memory, PromptBuilder
from smolcell.journal import Journal


class AgentMemory(Memory):
    """An agent's memory, which can be saved to a file.

    Attributes:
        session: names its journal.
        place: the notebook it belongs to, by which its journal is found after a restart; "" if that need not be found.
    """

    def __init__(self, say: PromptBuilder | None = None, session: str = "default", place: str = "") -> None:
        super().__init__(say, time.time)
        self.session, self.place = session, place
        self._journal: Journal | None = None

    @property
    def journal(self) -> Journal:
        """The journal of the events; made on first use."""
        if self._journal is None:
            self._journal = Journal.create(self.session, place=self.place)
        return self._journal

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the memory to a file: JSON lines as in a journal, secrets redacted. Replaces an existing file.

        Live values are not saved: after loading, an answer is its text.

        Raises:
            SetupError: the memory is empty, or the file cannot be written.
        """
        runs.save(path, runs.Run(self.events, self.times))

    def load(self, path: str | os.PathLike[str]) -> None:
        """Replace the memory with the events of a file that ``save``, or an agent's journal, wrote.

        Runs no code. The next run tells the model which of the sandbox's variables no longer exist (``gone``). Before a later ``undo`` runs
        programs of the file again, a person is asked, unless one of the user's own journals has them, in this order.

        Raises:
            SetupError: the file cannot be read, or a line is no event. The memory is unchanged then.
        """
        self.load_events(*runs.load(path))

    def take_over(self, run: runs.Run, journal: Journal | None = None) -> None:
        """Replace the memory with these events, whose sandbox has ended, and append to their journal."""
        self.load_events(*run)
        self._journal = journal

    def hand_over(self) -> tuple[runs.Run, Journal | None]:
        """Give up the journal. Returns the events and the journal."""
        journal, self._journal = self._journal, None
        return runs.Run(self.events, self.times), journal
