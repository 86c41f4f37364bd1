"""The files that tabs have chosen for an import: only the latest few, and none whose tab was closed.

They are in the memory of the process that has the tab's socket, and not in the tab's state, which Redis may keep. In
another process the tab has to choose its file again.
"""

import asyncio
import secrets
from dataclasses import dataclass, field

from ...records.csv_file import Sheet
from ...records.csv_plan import PlannedRow

MOST = 3  # of a process; one of 5,000 long rows takes 36 MB
# In seconds. A tab that has lost its connection comes back sooner, with the file that it has chosen.
GRACE_PERIOD = 60.0


@dataclass
class ChosenFile:
    """A file: the pieces that have arrived, then its rows and the plan of their import.

    The state of the tab keeps the id, so that a state that was cleared leads to no file.
    """

    id: str = field(default_factory=secrets.token_urlsafe)
    pieces: list[bytes] = field(default_factory=list)
    sheet: Sheet | None = None
    plan: list[PlannedRow] | None = None


class ChosenFiles:
    """The file of each tab, by its token."""

    def __init__(self) -> None:
        self._kept: dict[str, ChosenFile] = {}
        self._leaving: dict[str, asyncio.TimerHandle] = {}

    def begin(self, token: str) -> ChosenFile:
        """Expect a file of a tab; if there are too many, that of the tab that chose first is dropped."""
        self.drop(token)
        file = self._kept[token] = ChosenFile()
        while len(self._kept) > MOST:
            self.drop(next(iter(self._kept)))
        return file

    def find(self, token: str, id: str) -> ChosenFile | None:
        """The file of a tab, if it has this id."""
        file = self._kept.get(token)
        return file if file and file.id == id else None

    def drop(self, token: str) -> None:
        """Drop the file of a tab."""
        self._kept.pop(token, None)

    async def joined(self, token: str, _sid: str) -> None:
        """Keep the file of a tab that is connected again."""
        if handle := self._leaving.pop(token, None):
            handle.cancel()

    async def left(self, token: str, sid: str) -> None:
        """Drop the file of a tab that has left, unless it comes back; also one that its last event begins."""
        await self.joined(token, sid)
        self._leaving[token] = asyncio.get_running_loop().call_later(GRACE_PERIOD, self._forget, token)

    def _forget(self, token: str) -> None:
        del self._leaving[token]
        self.drop(token)


chosen_files = ChosenFiles()
