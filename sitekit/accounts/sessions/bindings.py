"""Binds the state of a tab to its user, so that no other user's connection gets it.

Reflex keeps the state of a tab after a disconnect, and gives it to any connection with the tab's token. So the state
is cleared unless the new connection has a session of the same user.
"""

from contextlib import suppress
from typing import Any

import reflex as rx
from reflex.event import Event
from reflex.state import BaseState, StateUpdate

from ...base.db.database import read_session
from ...base.errors import Unavailable
from ...base.threads import READERS
from ...server.framework.events import HYDRATIONS
from ...server.framework.state_vars import var_key
from ...server.framework.tabs import Gate, clear_state, later
from .. import tokens
from ..account_errors import ExpiredToken, InvalidToken, SessionMissing, database_errors_as_unavailable
from . import sessions
from .connections import connections
from .session_state import AuthState

_STORED = f"{AuthState.get_full_name()}.{var_key('stored_session')}"


class SessionBinding(rx.Middleware):
    """Reflex middleware: stores the session that a browser sends, and clears a state left by another user."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    async def preprocess(self, app: rx.App, state: BaseState, event: Event) -> StateUpdate | None:
        """Check the owner before a connection's first event and before each hydration; every event passes."""
        router: Any = state.router
        token, sid = router.session.client_token, router.session.session_id
        if not sid:
            return None
        is_hydrate = event.name in HYDRATIONS
        storage = event.payload.get("vars")
        if is_hydrate or (isinstance(storage, dict) and _STORED in storage):
            connections.keep(sid, _bounded(storage))
        if is_hydrate or not self._gate.is_checked(sid):
            continues = await _has_same_user(state, sid)
            if not continues:
                await clear_state(state)
            await self._gate.check(token, sid, continues=continues)
        return None


async def drop_connection(_token: str, sid: str) -> None:
    """Remove the session of a closed socket, after its running events have ended."""
    later(connections.drop, sid)


def _bounded(storage: Any) -> object:
    """The session among the browser's storage vars; one that is too long is set to empty there."""
    session_text = storage.get(_STORED, "") if isinstance(storage, dict) else ""
    if isinstance(session_text, str) and len(session_text) > sessions.MAX_STORED:
        storage[_STORED] = session_text = ""
    return session_text


async def _has_same_user(state: BaseState, sid: str) -> bool:
    """Whether the state has no owner, or the connection has a session of its owner."""
    owner = (await state.get_state(AuthState)).user_id
    if not owner:
        return True
    return owner == await _person_of(connections.stored(sid))


async def _person_of(session_text: str) -> int:
    """The id of the user of a stored session; 0 if it has ended or is not valid."""
    with suppress(SessionMissing, InvalidToken):
        issued = sessions.read_stored(session_text)
        try:
            with database_errors_as_unavailable():
                return await READERS.run(_holder, issued)
        except Unavailable:
            # While the database is down, the signature of the token suffices: the tab only keeps what it already has.
            return tokens.read(issued.access_token, even_expired=True).user_id
    return 0


def _holder(issued: sessions.IssuedSession) -> int:
    with read_session() as session:
        try:
            return sessions.identify(session, issued.access_token).user.id
        except ExpiredToken:
            return sessions.holder(session, issued.refresh_token)
