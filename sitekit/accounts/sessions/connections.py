"""The session of each open connection, as its browser sent it; only in this process's memory.

Tokens are not kept in the state of a tab, because that may be stored in Redis and is kept after a disconnect.
"""

from .sessions import MAX_STORED


class Connections:
    """Sessions by socket id; a socket without a session has no entry."""

    def __init__(self) -> None:
        self._stored: dict[str, str] = {}
        self._people: dict[str, int] = {}

    def stored(self, sid: str) -> str:
        """The session that the browser of a socket sent, unchecked; empty if it has none."""
        return self._stored.get(sid, "")

    def keep(self, sid: str, session_text: object) -> None:
        """Store the session that a browser sent; remove it if it is empty or not valid."""
        self._people.pop(sid, None)
        if sid and isinstance(session_text, str) and 0 < len(session_text) <= MAX_STORED:
            self._stored[sid] = session_text
        else:
            self._stored.pop(sid, None)

    def identify(self, sid: str, user_id: int) -> None:
        """Note the user of a session that the database has confirmed."""
        if sid in self._stored:
            self._people[sid] = user_id

    def is_signed_in(self, sid: str) -> bool:
        """Whether the session of a socket belonged to a user when it was last checked."""
        return sid in self._people

    def drop(self, sid: str) -> None:
        """Remove the session of a closed socket."""
        self._stored.pop(sid, None)
        self._people.pop(sid, None)


connections = Connections()
