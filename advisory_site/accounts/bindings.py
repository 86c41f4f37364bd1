"""Binds the state of a tab to the person who filled it, so that no other connection gets it.

The state of a tab outlives its connection, and comes back to anybody who connects with the tab's token. So a
connection that does not prove to be the same person's finds a state in which nothing is left.
"""

from contextlib import suppress
from typing import Any

import reflex as rx
from reflex.event import Event
from reflex.state import BaseState, StateUpdate

from ..core.threads import READERS
from ..db.database import read_session
from ..framework.events import HYDRATIONS
from ..framework.state_vars import var_key
from ..framework.tabs import Gate, clear_state, later
from . import sessions, tokens
from .connections import connections
from .errors import ExpiredToken, InvalidToken, SessionMissing, Unavailable, database_errors_as_unavailable
from .session_state import AuthState

_STORED = f"{AuthState.get_full_name()}.{var_key('stored_session')}"


class SessionBinding(rx.Middleware):
    """Reflex middleware: takes over the session a browser sends, and clears a state that another person left."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    async def preprocess(self, app: rx.App, state: BaseState, event: Event) -> StateUpdate | None:
        """Let every event pass; check the owner before a connection's first event and before each hydration."""
        router: Any = state.router
        token, sid = router.session.client_token, router.session.session_id
        if not sid:
            return None
        is_hydrate = event.name in HYDRATIONS
        kept = event.payload.get("vars")
        if is_hydrate or (isinstance(kept, dict) and _STORED in kept):
            connections.keep(sid, _bounded(kept))
        if is_hydrate or not self._gate.is_judged(sid):
            goes_on = await _goes_on(state, sid)
            if not goes_on:
                await clear_state(state)
            await self._gate.judge(token, sid, goes_on=goes_on)
        return None


async def forget_connection(_token: str, sid: str) -> None:
    """Drop the session of a socket that has left, once the events that it set off have ended."""
    later(connections.forget, sid)


def _bounded(kept: Any) -> object:
    """The session among what a browser keeps; a text that is too long for one is emptied there, and not stored."""
    stored = kept.get(_STORED, "") if isinstance(kept, dict) else ""
    if isinstance(stored, str) and len(stored) > sessions.MAX_STORED:
        kept[_STORED] = stored = ""
    return stored


async def _goes_on(state: BaseState, sid: str) -> bool:
    """Whether a connection belongs to the person whose state it is, or to nobody as the state does."""
    owner = (await state.get_state(AuthState)).user_id
    if not owner:
        return True
    return owner == await _person_of(connections.stored(sid))


async def _person_of(stored: str) -> int:
    """The id of the user whose session a browser keeps; 0 when it has ended or is nobody's."""
    with suppress(SessionMissing, InvalidToken):
        kept = sessions.read_stored(stored)
        try:
            with database_errors_as_unavailable():
                return await READERS.run(_holder, kept)
        except Unavailable:
            # Nothing new is shown or allowed by this; a database that is away shall take nothing from anybody.
            return tokens.read(kept.access_token, even_expired=True).user_id
    return 0


def _holder(kept: sessions.IssuedSession) -> int:
    with read_session() as session:
        try:
            return sessions.identify(session, kept.access_token).user.id
        except ExpiredToken:
            return sessions.holder(session, kept.refresh_token)
