"""The session of each live connection, as its browser sent it; kept in this process's memory alone.

The state of a tab may be stored in Redis, and outlives its connection; tokens that stood in it would do so too.
"""

from .sessions import MAX_STORED


class Connections:
    """Sessions by the id of the socket; a socket without a session is not in here."""

    def __init__(self) -> None:
        self._stored: dict[str, str] = {}
        self._people: dict[str, int] = {}

    def stored(self, sid: str) -> str:
        """What the browser behind a socket keeps as its session, unchecked; empty when it has none."""
        return self._stored.get(sid, "")

    def keep(self, sid: str, stored: object) -> None:
        """Store what a browser keeps as its session; remove it when it is empty or cannot be one."""
        self._people.pop(sid, None)
        if sid and isinstance(stored, str) and 0 < len(stored) <= MAX_STORED:
            self._stored[sid] = stored
        else:
            self._stored.pop(sid, None)

    def recognise(self, sid: str, user_id: int) -> None:
        """Remember the user of a session that the database has confirmed."""
        if sid in self._stored:
            self._people[sid] = user_id

    def is_signed_in(self, sid: str) -> bool:
        """Whether the session behind a socket was a user's when it was last looked up."""
        return sid in self._people

    def forget(self, sid: str) -> None:
        """Drop the session of a socket that is gone."""
        self._stored.pop(sid, None)
        self._people.pop(sid, None)


connections = Connections()
