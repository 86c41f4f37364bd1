"""The authentication state of a tab, checked against the database.

Screens read `CurrentUser` and `has_role(...)`; handlers that need a user have an access mark of admin/guard.py. Nothing
that the browser sends is trusted: every check reads the session and the role from the database.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import reflex as rx
from reflex.state import BaseState

from ...admin.components.browser import Ticker
from ...admin.current_user import CurrentUser
from ...admin.guard import redirect_to_setup
from ...base import messages, paths, request_context
from ...base.db.database import read_session, transaction
from ...base.errors import NotSignedIn, ServiceError, Unavailable
from ...base.identity import Identity
from ...base.settings import get_settings
from ...base.site import get_site
from ...base.threads import READERS, WRITERS
from ...server.framework.event_marks import PUBLIC, EventReply, access_of, public_event
from ...server.framework.events import current_socket, handlers
from ...ui.feedback import error_notice, reason, show_error, subject_of, success_notice
from ..account_errors import (
    InvalidToken,
    SessionMissing,
    UnusableToken,
    database_errors_as_unavailable,
    is_retryable,
)
from ..form_data import sign_in_page
from . import sessions
from .auth_events import AuthEvent, announce
from .connections import connections
from .sessions import IssuedSession

logger = logging.getLogger(__name__)
T = TypeVar("T")

STORED_AS = f"{get_site().short_name}_session"
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


class AuthState(CurrentUser):
    """The session of a tab.

    `stored_session` only writes to the browser's storage: the server reads the session from `connections`, and does
    not store the var.
    """

    stored_session: str = rx.LocalStorage("", name=STORED_AS, sync=True)
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
        return await self._require_session(here(self) if self._stored() else paths.ADMIN)

    @public_event
    async def sign_out(self) -> EventReply:
        """End this session, here and on the server."""
        self._is_leaving = True
        user_id = await self._end(lambda session: sessions.end(session, self._access_token()))
        announce(AuthEvent.SIGNED_OUT, user_id)
        return [success_notice(messages.SIGNED_OUT, subject_of(self)), rx.redirect(paths.AUTH, replace=True)]

    @public_event
    async def sign_out_everywhere(self) -> EventReply:
        """End all sessions of the user who is signed in here."""
        try:
            identity = await self._identity()
        except ServiceError as error:
            return error_notice(error, messages.SIGN_OUT_FAILED, subject_of(self))
        self._is_leaving = True
        user_id = identity.user.id
        await self._end(lambda session: sessions.end_all(session, user_id, by=user_id))
        announce(AuthEvent.SIGNED_OUT, user_id)
        return [
            success_notice(messages.SIGNED_OUT_EVERYWHERE, subject_of(self)),
            rx.redirect(paths.AUTH, replace=True),
        ]

    async def _require_session(self, back: str) -> EventReply:
        """Check the session; without one, redirect to sign in."""
        had_session = bool(self._stored())
        if not await self._check():
            return None
        if self.role:
            return redirect_to_setup(self) if self.must_add_factor else None
        return await self._redirect(back, has_notice=had_session)

    async def _redirect(self, back: str, *, has_notice: bool) -> EventReply:
        """Redirect to the sign-in page, which leads `back`; `has_notice`: that the session has ended."""
        if self._is_leaving:
            return None
        self._is_leaving = True
        if has_notice:
            await show_error(self, InvalidToken(messages.SESSION_ENDED), "", subject_of(self))
        return rx.redirect(sign_in_page(back), replace=True)

    async def _check(self) -> bool:
        """Set the vars to the user who is signed in; False if the database cannot be reached."""
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
        issued = sessions.read_stored(self._stored())
        try:
            identity = await _in_thread(_identify, issued.access_token)
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

    def _keep(self, session_text: str) -> None:
        """Store a session in the browser."""
        self.stored_session = session_text
        connections.keep(self.router.session.session_id, session_text)

    def __getstate__(self) -> dict[str, Any]:
        """The vars that Redis stores: all but the tokens."""
        values: dict[str, Any] = super().__getstate__()  # type: ignore[no-untyped-call]  # Reflex gives it no types
        return {name: value for name, value in values.items() if name != "stored_session"}

    async def _show(self, identity: Identity) -> None:
        user = identity.user
        request_context.add_fact("user", user.id)
        connections.identify(self.router.session.session_id, user.id)
        if self.must_add_factor != identity.must_add_factor:
            self.must_add_factor = identity.must_add_factor
        if (self.has_password, self.has_passkey) != (identity.has_password, identity.has_passkey):
            self.has_password, self.has_passkey = identity.has_password, identity.has_passkey
        current = (self.user_id, self.email, self.first_name, self.last_name, self.role)
        if current == (user.id, user.email, user.first_name, user.last_name, user.role.value):
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


async def identify(state: rx.State) -> Identity:
    """The user who sent the event being handled, as the database has them now.

    Raises `SessionMissing`, `InvalidToken` or `Unavailable`.
    """
    return await (await auth_of(state))._identity()


async def redirect_to_sign_in(state: rx.State, error: NotSignedIn) -> EventReply:
    """Redirect to the sign-in page; after signing in the user comes back, unless they had signed out."""
    auth = await auth_of(state)
    has_signed_out = isinstance(error, SessionMissing) and auth.user_id != 0
    await auth._clear_user()
    return await auth._redirect(
        paths.ADMIN if has_signed_out else here(auth), has_notice=not isinstance(error, SessionMissing)
    )


def session_ticker(on_tick: Any) -> rx.Component:
    """Checks the session every 30 s and when another tab signs in or out."""
    return Ticker.create(every=AuthState.tick_ms, watched=AuthState.stored_session, on_tick=on_tick.temporal)


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
