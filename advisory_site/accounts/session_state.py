"""The authentication state of a tab, checked against the database.

Screens read its vars and `has_role(...)`; handlers that need a user have an access mark of guard.py. Nothing that the
browser sends is trusted: every check reads the session and the role from the database.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar
from urllib.parse import urlencode

import reflex as rx
from reflex.state import BaseState

from ..content import messages
from ..core import request_context, routes
from ..core.errors import ServiceError
from ..core.permissions import Role
from ..core.settings import get_settings
from ..core.threads import READERS, WRITERS
from ..db.database import read_session, transaction
from ..framework.event_marks import PUBLIC, EventReply, access_of, public_event
from ..framework.events import current_socket, handlers
from ..ui.feedback import error_notice, reason, show_error, subject_of, success_notice
from . import one_use_links, sessions
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
    """The authentication state was requested outside an event.

    Known limit: this app cannot raise it, because every handler runs in the event of a tab.
    """

    def __init__(self) -> None:
        super().__init__(messages.AUTH_OUTSIDE_PROVIDER)


class AuthState(rx.State):
    """The session of a tab. `role` is empty while no user is signed in.

    `stored_session` only writes to the browser's storage: the server reads the session from `connections`, and does
    not store the var.
    """

    stored_session: str = rx.LocalStorage("", name=STORED_AS, sync=True)
    is_loading: bool = True
    user_id: int = 0
    email: str = ""
    first_name: str = ""
    last_name: str = ""
    role: str = ""
    must_add_factor: bool = False
    has_password: bool = True
    has_passkey: bool = False
    tick_ms: int = int(CHECK_EVERY * 1000)
    _is_announced: bool = False
    # Redirecting to the sign-in page; later events of the page that is left cause no second redirect.
    _is_leaving: bool = False

    @public_event
    async def check_session(self) -> None:
        """Find out who is signed in, and renew the session if it expires soon."""
        await self._check()

    @public_event
    async def require_staff(self) -> EventReply:
        """The gate of a back-office page: redirect to the sign-in page if no user is signed in, and back afterwards."""
        self._is_leaving = False
        return await self._require_session(here(self))

    @public_event
    async def keep_watch(self) -> EventReply:
        """Check the session at every tick.

        If the browser has no session any more, the user has signed out in another tab: then the sign-in page does not
        lead back to this page, because another user may sign in next.
        """
        return await self._require_session(here(self) if self._stored() else routes.ADMIN)

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
        await self._end(lambda db: sessions.end_all(db, user_id, by=user_id))
        announce(AuthEvent.SIGNED_OUT, user_id)
        return [
            success_notice(messages.SIGNED_OUT_EVERYWHERE, subject_of(self)),
            rx.redirect(routes.AUTH, replace=True),
        ]

    async def _require_session(self, back: str) -> EventReply:
        """Check the session; without one, redirect to sign in."""
        had_session = bool(self._stored())
        if not await self._check():
            return None
        if self.role:
            return self._lead_to_setup() if self.must_add_factor else None
        return await self._leave(back, has_notice=had_session)

    def _lead_to_setup(self) -> EventReply:
        """Redirect to the page that sets up a second factor, unless the tab is there."""
        if self.router.url.path == routes.ADMIN_TWO_STEP:
            return None
        return rx.redirect(routes.ADMIN_TWO_STEP, replace=True)

    async def _leave(self, back: str, *, has_notice: bool) -> EventReply:
        """Redirect to the sign-in page, which leads `back`; `has_notice`: that the session has ended."""
        if self._is_leaving:
            return None
        self._is_leaving = True
        if has_notice:
            await show_error(self, InvalidToken(messages.SESSION_ENDED), "", subject_of(self))
        return rx.redirect(sign_in_page(back), replace=True)

    async def _check(self) -> bool:
        """Set the vars to who is signed in; False if the database cannot be reached."""
        self._set_pace()
        identity = None
        try:
            identity = await self._identity()
            if sessions.read_stored(self._stored()).seconds_left <= _refresh_within():
                identity = await self._renew()
        except (SessionMissing, InvalidToken):
            await self._clear_user()
        except Unavailable as error:
            # Neither signed in nor out: leave the page as it is; the next tick checks again.
            logger.error("A session could not be checked: %s", reason(error.__cause__ or error))
            return False
        self.is_loading = False
        if not self._is_announced:
            self._is_announced = True
            announce(AuthEvent.INITIAL_SESSION, identity.user.id if identity else None)
        return True

    async def _identity(self) -> Identity:
        """Read the signed-in user from the database; an access token that is no longer valid is renewed first.

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
        """Exchange the refresh token; the browser gets the new session with the response to this event."""
        issued = await retrying(sessions.refresh, sessions.read_stored(self._stored()).refresh_token)
        identity = await _in_thread(_identify, issued.access_token)
        self._keep(issued.to_json())
        await self._show(identity)
        announce(AuthEvent.TOKEN_REFRESHED, identity.user.id)
        return identity

    async def _begin(self, issued: IssuedSession, event: AuthEvent) -> Identity:
        """Adopt a session that was just issued to this tab."""
        await self._clear_user()
        self._keep(issued.to_json())
        self._is_announced, self._is_leaving = True, False
        identity = await self._identity()
        self.is_loading = False
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
            # The browser still drops the session; that the server could not end it is only logged.
            logger.error("A session could not be ended: %s", reason(error.__cause__ or error))
            return None
        finally:
            await self._clear_user()

    def _stored(self) -> str:
        """The stored session of the browser that sent this event."""
        return connections.stored(self.router.session.session_id)

    def _keep(self, stored: str) -> None:
        """Store a session in the browser."""
        self.stored_session = stored
        connections.keep(self.router.session.session_id, stored)

    def __getstate__(self) -> dict[str, Any]:
        """The vars that Redis stores: all but the tokens."""
        stored: dict[str, Any] = super().__getstate__()  # type: ignore[no-untyped-call]  # Reflex gives it no types
        return {name: value for name, value in stored.items() if name != "stored_session"}

    async def _show(self, identity: Identity) -> None:
        user = identity.user
        request_context.add_fact("user", user.id)
        connections.recognise(self.router.session.session_id, user.id)
        if self.must_add_factor != identity.must_add_factor:
            self.must_add_factor = identity.must_add_factor
        if (self.has_password, self.has_passkey) != (identity.has_password, identity.has_passkey):
            self.has_password, self.has_passkey = identity.has_password, identity.has_passkey
        shown = (self.user_id, self.email, self.first_name, self.last_name, self.role)
        if shown == (user.id, user.email, user.first_name, user.last_name, user.role.value):
            return
        if self.user_id not in (0, user.id):
            await self._clear_back_office()
        self.user_id, self.email, self.role = user.id, user.email, user.role.value
        self.first_name, self.last_name = user.first_name, user.last_name

    async def _clear_user(self) -> None:
        """Clear the user's data, in the browser and in this tab's state."""
        if self._stored():
            self._keep("")
        if self.user_id:
            await self._clear_back_office()
            self.user_id, self.email, self.first_name, self.last_name, self.role = 0, "", "", "", ""
            self.must_add_factor = self.has_passkey = False
            self.has_password = True

    async def _clear_back_office(self) -> None:
        """Reset every state that only staff can fill, so that the next user of the tab does not get its rows."""
        for state in staff_states():
            (await self.get_state(state)).reset()  # type: ignore[no-untyped-call]  # Reflex gives it no types

    def _access_token(self) -> str:
        try:
            return sessions.read_stored(self._stored()).access_token
        except SessionMissing:
            return ""

    def _download_link(self, subject: Mapping[str, str]) -> str:
        """The address of a file to download now. Only `dashboard.exports` interprets the subject."""
        token = one_use_links.issue(self._access_token(), subject)
        return f"{routes.ADMIN_EXPORT}?{urlencode({'token': token})}"

    def _upload_token(self) -> str:
        """The secret with which the browser may upload one picture now. Raises `InvalidToken`."""
        return one_use_links.issue(self._access_token(), {"upload": "picture"})

    def _set_pace(self) -> None:
        """Check more often if access tokens have a shorter life than usual."""
        pace = int(1000 * min(CHECK_EVERY, max(1.0, get_settings().access_token_seconds / 3)))
        if self.tick_ms != pace:
            self.tick_ms = pace


async def auth_of(state: rx.State) -> AuthState:
    """The authentication state of the tab whose event is being handled. Raises `OutsideProvider` outside an event."""
    if current_socket() is None:
        raise OutsideProvider
    return await state.get_state(AuthState)


def has_role(*roles: Role) -> rx.Var[bool]:
    """For screens: whether the signed-in user has one of these roles. Services call `require` instead."""
    shown: rx.Var[bool] = rx.Var.create(AuthState.role == roles[0].value)
    for role in roles[1:]:
        shown = shown | (AuthState.role == role.value)
    return shown


def here(state: rx.State) -> str:
    """The path and query of the page that the tab shows, as sent by the tab."""
    url = state.router.url
    return f"{url.path}?{url.query}" if url.query else str(url.path)


def device_of(state: rx.State) -> str:
    """The browser's User-Agent, for the list of sessions."""
    return str(state.router.headers.user_agent)


def staff_states() -> Iterator[type[BaseState]]:
    """The states with a handler that is not public, and those that such handlers fill: they set `is_for_staff`."""
    guarded = (
        state
        for state, handler in handlers()
        if access_of(handler) not in (None, PUBLIC) or getattr(state, "is_for_staff", False)
    )
    return iter(dict.fromkeys(guarded))


async def retrying(call: Callable[..., T], *args: Any) -> T:
    """Run a call in a thread; retry a retryable error after 0.2 s, 0.4 s, 0.8 s, ..."""
    for number in range(TRIES):
        try:
            return await _in_thread(call, *args)
        except ServiceError as error:
            if not is_retryable(error) or number == TRIES - 1:
                raise
        await asyncio.sleep(FIRST_PAUSE * 2**number)
    raise Unavailable


async def _in_thread(call: Callable[..., T], *args: Any) -> T:
    """Run a database call in a thread; identity checks have their own pool, so that they never wait for writers."""
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
