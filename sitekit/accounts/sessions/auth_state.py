"""The states of the sign-in pages: each handler reads its form, calls the service and replies."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import reflex as rx

from ...base import messages
from ...base.errors import InvalidInput, ServiceError, Unavailable
from ...base.settings import CLOSED, get_settings
from ...base.site import get_site
from ...server.framework.event_marks import ChainedEvent, EventReply, public_event
from ...ui.feedback import NoticeState, subject_of, success_notice
from ...ui.form import Form, once
from ..account_errors import ChallengeOver, EmailNotConfirmed, InvalidCredentials, WrongCode
from ..factors import challenges
from ..factors.challenges import Challenge
from ..form_data import CodeData, EmailData, SignInData, SignUpData, same_site_page
from ..password.workers import in_worker
from ..people import sign_up
from . import known_browsers, sign_in
from .auth_events import AuthEvent, announce
from .session_state import AuthState, auth_of, device_of
from .sessions import IssuedSession

T = TypeVar("T")

# Notices of these forms replace each other, and the notice that a session has ended.
SUBJECT = subject_of(AuthState)
SIGN_UP_CARD = "sign-up"
MIN_RESPONSE_TIME = 0.5


async def delay_response(seconds: float) -> None:
    """Delay one response without blocking others."""
    await asyncio.sleep(seconds)


async def evenly(call: Callable[..., T], *args: Any) -> T:
    """Run a call in a worker for at least `MIN_RESPONSE_TIME`, so that timing does not reveal who has an account."""
    result, _ = await asyncio.gather(in_worker(call, *args), delay_response(MIN_RESPONSE_TIME))
    return result


class BrowserState(rx.State):
    """The tokens of accounts that have signed in with this browser (`known_browsers`); kept after a sign-out."""

    known: str = rx.LocalStorage("", name=f"{get_site().short_name}_known", sync=True)

    async def _remember(self, email: str) -> None:
        self.known = await in_worker(known_browsers.with_mark, self.known, email)


class AuthForm(Form, rx.State, mixin=True):
    """Shared by all sign-in forms: showing the password, and one subject of notices."""

    marked: str = ""  # a field marked as invalid without its own message
    shows_password: bool = False

    @public_event
    def toggle_password(self) -> None:
        """Show or hide the text of all password fields."""
        self.shows_password = not self.shows_password

    def _begin(self) -> None:
        self.errors, self.marked = {}, ""

    def _subject(self) -> str:
        return SUBJECT

    def _notice(self, error: Exception, fallback: str) -> ChainedEvent | None:
        """The message of an error, or `fallback` if it has none."""
        # The reply does not say whether the email or the password is wrong; the password gets the focus.
        self.marked = "password" if isinstance(error, InvalidCredentials) else ""
        if isinstance(error, ServiceError) and not error.message:
            error.message = fallback
        return super()._notice(error, messages.UNEXPECTED_ERROR)

    def _token(self) -> str:
        """The secret of the mailed link that opened this page."""
        return str(self.router.url.query_parameters.get("token", ""))

    def _address(self) -> str:
        return str(self.router.session.client_ip)

    def _tab(self) -> str:
        """The value by which the browser claims the state of this tab."""
        return str(self.router.session.client_token)


class LinkRequest(AuthForm, rx.State, mixin=True):
    """A form that requests a mailed link: mix in before `rx.State`, and define `_request`.

    The reply and its timing are the same whether or not there is such an account.
    """

    is_sent: bool = False

    async def _request(self, email: EmailData) -> None:
        """Mail the link; takes the same time for every address."""
        raise NotImplementedError

    @public_event
    @once(failed=messages.UNEXPECTED_ERROR)
    async def send(self, form_data: dict[str, Any]) -> EventReply:
        """Request the link."""
        await self._request(EmailData.read(form_data))
        self.is_sent = True
        return NoticeState.withdraw(SUBJECT)


class SendAgainState(LinkRequest, rx.State):
    """Requests another verification mail, on the sign-in page or on the page of an expired link."""

    async def _request(self, email: EmailData) -> None:
        await evenly(sign_up.send_verification_again, email, self._address())


class ChallengeState(AuthForm, rx.State):
    """The card that asks for a second factor after the password.

    The secret of the challenge stays on the server. The card outlives a reload of the page, as the state of a tab does.
    """

    is_open: bool = False
    has_app: bool = False
    has_passkey: bool = False
    is_app_lost: bool = False
    is_recovery: bool = False
    times_shown: int = 0
    _challenge: str = ""
    _event: str = ""

    @public_event
    def use_recovery_code(self) -> None:
        """Ask for a recovery code instead."""
        self._switch(is_recovery=True)

    @public_event
    def use_app(self) -> None:
        """Ask for the code of the app again."""
        self._switch(is_recovery=False)

    @public_event
    async def go_back(self) -> EventReply:
        """Cancel this sign-in, and show the card for the password."""
        self._clear()
        return NoticeState.withdraw(SUBJECT)

    @public_event
    @once(failed=messages.SIGN_IN_FAILED)
    async def verify(self, form_data: dict[str, Any]) -> EventReply:
        """Begin the session, if the code is right, and redirect to the page that was asked for."""
        data = CodeData.read(form_data)
        browser = await self.get_state(BrowserState)
        answer = partial(challenges.answer, is_recovery=self.is_recovery)
        try:
            issued = await in_worker(answer, self._challenge, self._tab(), data.code, device_of(self), browser.known)
        except WrongCode as error:
            await delay_response(error.pause)
            raise
        except ChallengeOver:
            self._clear()
            raise
        return await self._finish(issued)

    async def _finish(self, issued: IssuedSession) -> EventReply:
        """Adopt the session of an answered challenge."""
        event = AuthEvent(self._event)
        auth = await auth_of(self)
        identity = await auth._begin(issued, event)
        announce(AuthEvent.MFA_VERIFIED, identity.user.id)
        await (await self.get_state(BrowserState))._remember(identity.user.email)
        self._clear()
        sentence = messages.PASSWORD_RESET if event == AuthEvent.PASSWORD_RECOVERY else messages.SIGNED_IN
        return [success_notice(sentence, SUBJECT, is_brief=True), rx.redirect(next_page(self), replace=True)]

    async def _open(self, challenge: Challenge, event: AuthEvent) -> None:
        """Show the card; `event` is that of the session that follows."""
        self._clear()
        self._challenge, self._event = challenge.token, event.value
        await self._load()

    async def _load(self) -> None:
        """Show the card while its challenge waits. While the database is down it stays as it is."""
        if not self._challenge:
            self._clear()
            return
        try:
            waiting = await in_worker(challenges.find_waiting, self._challenge, self._tab())
        except ChallengeOver:
            self._clear()
        except Unavailable:
            return
        else:
            self.has_app, self.has_passkey = waiting.has_app, waiting.has_passkey
            self.is_app_lost = waiting.is_app_lost
            # What can be used without another device comes first.
            self._switch(is_recovery=not (waiting.has_app or waiting.has_passkey))
            self.is_open = True

    def _switch(self, *, is_recovery: bool) -> None:
        self._begin()
        self.shows_password, self.is_recovery = False, is_recovery
        self.times_shown += 1

    def _refuse(self, error: Exception, fallback: str) -> ChainedEvent | None:
        if self.is_recovery and isinstance(error, WrongCode):
            error = InvalidInput(messages.RECOVERY_CODE_WRONG, {"code": messages.RECOVERY_CODE_WRONG})
        return super()._refuse(error, fallback)


def next_page(state: rx.State) -> str:
    """The page that was asked for before signing in."""
    return same_site_page(state.router.url.query_parameters.get("next"))


class AuthPageState(AuthForm, rx.State):
    """The sign-in card and the sign-up card; the address selects one."""

    is_signing_up: bool = False
    can_sign_up: bool = False
    is_by_invitation: bool = False
    is_signed_up: bool = False
    times_turned: int = 0
    must_confirm: bool = False
    email: str = ""  # the address to which a link was mailed

    @public_event
    async def open(self) -> EventReply:
        """Show the empty card that the address selects; redirect a user who is already signed in."""
        was_signing_up = self.is_signing_up
        self._clear()
        (await self.get_state(SendAgainState))._clear()
        await (await self.get_state(ChallengeState))._load()
        self.is_by_invitation = get_settings().sign_up == CLOSED
        self.can_sign_up = not self.is_by_invitation
        self.is_signing_up = self.can_sign_up and self.router.url.query_parameters.get("card") == SIGN_UP_CARD
        self.times_turned += self.is_signing_up != was_signing_up
        return await self._redirect_if_signed_in()

    @public_event
    async def keep_watch(self) -> EventReply:
        """At every tick: redirect a user who has signed in in another tab."""
        return await self._redirect_if_signed_in()

    @public_event
    @once(failed=messages.SIGN_IN_FAILED)
    async def sign_in(self, form_data: dict[str, Any]) -> EventReply:
        """Begin a session and redirect to the page that was asked for."""
        data = SignInData.read(form_data)
        browser = await self.get_state(BrowserState)
        device = device_of(self)
        try:
            issued = await in_worker(sign_in.sign_in, data, self._address(), device, browser.known, self._tab())
        except InvalidCredentials as error:
            await delay_response(error.pause)
            raise
        except EmailNotConfirmed:
            self.must_confirm, self.email = True, data.email
            raise
        if isinstance(issued, Challenge):
            await (await self.get_state(ChallengeState))._open(issued, AuthEvent.SIGNED_IN)
            return NoticeState.withdraw(SUBJECT)
        await (await auth_of(self))._begin(issued, AuthEvent.SIGNED_IN)
        await browser._remember(data.email)
        return [success_notice(messages.SIGNED_IN, SUBJECT, is_brief=True), rx.redirect(next_page(self), replace=True)]

    @public_event
    @once(failed=messages.ACCOUNT_CREATE_FAILED)
    async def sign_up(self, form_data: dict[str, Any]) -> EventReply:
        """Create an account, and ask the user to look for the mail."""
        data = SignUpData.read(form_data)
        await evenly(sign_up.sign_up, data, self._address())
        self.is_signed_up, self.email = True, data.email
        self.times_turned += 1
        return success_notice(messages.ACCOUNT_CREATED, SUBJECT)

    def _begin(self) -> None:
        super()._begin()
        self.must_confirm, self.email = False, ""

    async def _redirect_if_signed_in(self) -> ChainedEvent | None:
        auth = await auth_of(self)
        await auth._check()
        return rx.redirect(next_page(self), replace=True) if auth.role else None
