"""The state of who is signed in on this tab, checked against the database.

Screens read the vars and `has_role(...)`; handlers that need a person wear a mark of guard.py. Nothing here is
believed because the browser says so: every check reads the session and the role from the database.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import reflex as rx
from reflex.state import BaseState

from ..content import messages
from ..core import routes
from ..core.errors import ServiceError
from ..core.permissions import Role
from ..core.settings import get_settings
from ..core.threads import READERS, WRITERS
from ..db.database import read_session, transaction
from ..framework.event_marks import PUBLIC, EventReply, access_of, public_event
from ..framework.events import current_socket, handlers
from ..observability import audit_log
from ..observability.audit_log import Act
from ..ui.feedback import error_notice, reason, subject_of, success_notice
from . import sessions
from .auth_events import AuthEvent, announce
from .connections import connections
from .drafts import sign_in_page
from .errors import (
    InvalidToken,
    SessionMissing,
    Unavailable,
    UnusableToken,
    database_errors_as_unavailable,
    is_retryable,
)
from .sessions import Identity, IssuedSession

logger = logging.getLogger(__name__)
T = TypeVar("T")

STORED_AS = "advisory_session"
CHECK_EVERY = 30.0  # seconds
REFRESH_WITHIN = 90.0
FIRST_PAUSE = 0.2
TRIES = 5


class OutsideProvider(RuntimeError):
    """The authentication state was asked for where there is no tab whose person it could tell."""

    def __init__(self) -> None:
        super().__init__(messages.AUTH_OUTSIDE_PROVIDER)


class AuthState(rx.State):
    """The session of this tab. `role` is empty while nobody is signed in.

    `stored_session` is what the browser keeps and nothing else: it is never read here, and never stored. What the
    server knows of it is in `connections`.
    """

    stored_session: str = rx.LocalStorage("", name=STORED_AS, sync=True)
    is_loading: bool = True
    user_id: int = 0
    email: str = ""
    first_name: str = ""
    last_name: str = ""
    role: str = ""
    tick_ms: int = int(CHECK_EVERY * 1000)
    _is_announced: bool = False
    # On the way to the sign-in page: what else comes from the page that is left sends the tab nowhere.
    _is_leaving: bool = False

    @public_event
    async def check_session(self) -> None:
        """Find out who is signed in, and renew the session when it soon expires."""
        await self._check()

    @public_event
    async def require_staff(self) -> EventReply:
        """The gate of a back-office page, when it loads: who is not signed in goes to sign in, and then back here."""
        self._is_leaving = False
        return await self._turn_away(here(self))

    @public_event
    async def keep_watch(self) -> EventReply:
        """Check the session at every tick. A browser without a session has signed out in another tab.

        The next person at that machine is not led to the page that was open.
        """
        return await self._turn_away(here(self) if self._stored() else routes.ADMIN)

    @public_event
    async def sign_out(self) -> EventReply:
        """End this session, here and on the server."""
        self._is_leaving = True
        user_id = await self._end(lambda db: sessions.end(db, self._access_token()))
        announce(AuthEvent.SIGNED_OUT, user_id)
        return [success_notice(messages.SIGNED_OUT, subject_of(self)), rx.redirect(routes.AUTH, replace=True)]

    @public_event
    async def sign_out_everywhere(self) -> EventReply:
        """End all sessions of the user who is signed in here."""
        try:
            identity = await self._identity()
        except ServiceError as error:
            return error_notice(error, messages.SIGN_OUT_FAILED, subject_of(self))
        self._is_leaving = True
        user_id = identity.user.id
        await self._end(lambda db: sessions.end_all(db, user_id))
        announce(AuthEvent.SIGNED_OUT, user_id)
        return [
            success_notice(messages.SIGNED_OUT_EVERYWHERE, subject_of(self)),
            rx.redirect(routes.AUTH, replace=True),
        ]

    async def _turn_away(self, back: str) -> EventReply:
        """Check the session; without one, redirect to sign in."""
        had_session = bool(self._stored())
        if not await self._check() or self.role:
            return None
        return self._leave(back, is_told=had_session)

    def _leave(self, back: str, *, is_told: bool) -> EventReply:
        """Go to the sign-in page, which leads `back`; say why to those who had a session."""
        if self._is_leaving:
            return None
        self._is_leaving = True
        leave = rx.redirect(sign_in_page(back), replace=True)
        return [error_notice(InvalidToken(messages.SESSION_ENDED), "", subject_of(self)), leave] if is_told else leave

    async def _check(self) -> bool:
        """Let the vars say who is signed in; False when that cannot be found out now."""
        self._set_pace()
        identity = None
        try:
            identity = await self._identity()
            if sessions.read_stored(self._stored()).seconds_left <= _refresh_within():
                identity = await self._renew()
        except (SessionMissing, InvalidToken):
            await self._forget()
        except Unavailable as error:
            # Neither signed in nor out: what the page shows stays, and the next tick asks again.
            logger.error("A session could not be checked: %s", reason(error.__cause__ or error))
            return False
        self.is_loading = False
        if not self._is_announced:
            self._is_announced = True
            announce(AuthEvent.INITIAL_SESSION, identity.user.id if identity else None)
        return True

    async def _identity(self) -> Identity:
        """Who is signed in, by the database as it is now; an access token that serves no more is renewed first.

        Raises `SessionMissing`, `InvalidToken` or `Unavailable`.
        """
        stored = sessions.read_stored(self._stored())
        try:
            identity = await _in_thread(_identify, stored.access_token)
        except UnusableToken:
            return await self._renew()
        await self._show(identity)
        return identity

    async def _renew(self) -> Identity:
        """Exchange the refresh token; the browser gets the new session with the answer to this event."""
        issued = await retrying(sessions.refresh, sessions.read_stored(self._stored()).refresh_token)
        identity = await _in_thread(_identify, issued.access_token)
        self._keep(issued.to_json())
        await self._show(identity)
        announce(AuthEvent.TOKEN_REFRESHED, identity.user.id)
        return identity

    async def _begin(self, issued: IssuedSession, event: AuthEvent) -> Identity:
        """Take over a session that was just issued to this tab."""
        await self._forget()
        self._keep(issued.to_json())
        self._is_announced, self._is_leaving = True, False
        identity = await self._identity()
        self.is_loading = False
        audit_log.note(Act.SIGNED_IN, event.value, by=identity.user.email)
        announce(event, identity.user.id)
        return identity

    async def _user_updated(self) -> None:
        """Show a changed profile, here and, through the stored session, in the other tabs."""
        identity = await self._renew()
        announce(AuthEvent.USER_UPDATED, identity.user.id)

    async def _end(self, end: Callable[[Any], T]) -> T | None:
        try:
            return await _in_thread(_in_transaction, end)
        except Unavailable as error:
            # The browser forgets the session all the same; that it lives on at the server is for the log.
            logger.error("A session could not be ended: %s", reason(error.__cause__ or error))
            return None
        finally:
            await self._forget()

    def _stored(self) -> str:
        """What the browser that sent this event keeps as its session."""
        return connections.stored(self.router.session.session_id)

    def _keep(self, stored: str) -> None:
        """Have the browser keep this as its session."""
        self.stored_session = stored
        connections.keep(self.router.session.session_id, stored)

    def __getstate__(self) -> dict[str, Any]:
        """What Redis stores of this state: everything but the tokens."""
        stored: dict[str, Any] = super().__getstate__()  # type: ignore[no-untyped-call]  # Reflex gives it no types
        return {name: value for name, value in stored.items() if name != "stored_session"}

    async def _show(self, identity: Identity) -> None:
        user = identity.user
        connections.recognise(self.router.session.session_id, user.id)
        shown = (self.user_id, self.email, self.first_name, self.last_name, self.role)
        if shown == (user.id, user.email, user.first_name, user.last_name, user.role.value):
            return
        if self.user_id not in (0, user.id):
            await self._clear_back_office()
        self.user_id, self.email, self.role = user.id, user.email, user.role.value
        self.first_name, self.last_name = user.first_name, user.last_name

    async def _forget(self) -> None:
        """Clear what belongs to the person, in the browser and in this tab's memory on the server."""
        if self._stored():
            self._keep("")
        if self.user_id:
            await self._clear_back_office()
            self.user_id, self.email, self.first_name, self.last_name, self.role = 0, "", "", "", ""

    async def _clear_back_office(self) -> None:
        """Reset every state that only staff can fill: its rows must not wait here for the next person."""
        for state in staff_states():
            (await self.get_state(state)).reset()  # type: ignore[no-untyped-call]  # Reflex gives it no types

    def _access_token(self) -> str:
        try:
            return sessions.read_stored(self._stored()).access_token
        except SessionMissing:
            return ""

    def _set_pace(self) -> None:
        """A life shorter than usual is looked after more often."""
        pace = int(1000 * min(CHECK_EVERY, max(1.0, get_settings().access_token_seconds / 3)))
        if self.tick_ms != pace:
            self.tick_ms = pace


async def auth_of(state: rx.State) -> AuthState:
    """The authentication state of the tab whose event is being handled. Raises `OutsideProvider` anywhere else."""
    if current_socket() is None:
        raise OutsideProvider
    return await state.get_state(AuthState)


def has_role(*roles: Role) -> rx.Var[bool]:
    """For screens: whether the signed-in person has one of these roles. Services ask `require` instead."""
    shown: rx.Var[bool] = rx.Var.create(AuthState.role == roles[0].value)
    for role in roles[1:]:
        shown = shown | (AuthState.role == role.value)
    return shown


def here(state: rx.State) -> str:
    """The path and query of the page that the tab shows, as the tab says."""
    url = state.router.url
    return f"{url.path}?{url.query}" if url.query else str(url.path)


def device_of(state: rx.State) -> str:
    """What the browser calls itself, for the list of one's sessions."""
    return str(state.router.headers.user_agent)


def staff_states() -> Iterator[type[BaseState]]:
    """The states with a handler that is not public."""
    guarded = (state for state, handler in handlers() if access_of(handler) not in (None, PUBLIC))
    return iter(dict.fromkeys(guarded))


async def retrying(call: Callable[..., T], *args: Any) -> T:
    """Run a call in a thread; while it fails in a way that may pass, try again after 0.2 s, 0.4 s, 0.8 s, ..."""
    for number in range(TRIES):
        try:
            return await _in_thread(call, *args)
        except ServiceError as error:
            if not is_retryable(error) or number == TRIES - 1:
                raise
        await asyncio.sleep(FIRST_PAUSE * 2**number)
    raise Unavailable


async def _in_thread(call: Callable[..., T], *args: Any) -> T:
    """Run a database call in the pool for identity checks, so that it never waits for writers."""
    with database_errors_as_unavailable():
        return await (READERS if call is _identify else WRITERS).run(call, *args)


def _identify(access_token: str) -> Identity:
    with database_errors_as_unavailable(), read_session() as session:
        return sessions.identify(session, access_token)


def _in_transaction(call: Callable[[Any], T]) -> T:
    with database_errors_as_unavailable(), transaction() as session:
        return call(session)


def _refresh_within() -> float:
    return min(REFRESH_WITHIN, get_settings().access_token_seconds / 2)
