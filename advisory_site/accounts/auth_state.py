"""The states of the sign-in pages: each handler reads a draft, calls the service and replies."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any, TypeVar

import reflex as rx

from ..content import messages
from ..core.errors import InvalidInput, ServiceError
from ..core.settings import CLOSED, get_settings
from ..framework.event_marks import ChainedEvent, EventReply, public_event
from ..ui.backoffice.submit import SubmittedOnce, once
from ..ui.feedback import NoticeState, refusal, subject_of, success_notice
from . import known_browsers, sign_in, sign_up
from .auth_events import AuthEvent
from .drafts import EmailDraft, SignInDraft, SignUpDraft, same_site_page
from .errors import EmailNotConfirmed, InvalidCredentials
from .session_state import AuthState, auth_of, device_of
from .workers import in_worker

T = TypeVar("T")

# Notices of these forms replace each other, and the notice that a session has ended.
SUBJECT = subject_of(AuthState)
SIGN_UP_CARD = "sign-up"
MIN_RESPONSE_TIME = 0.5
FIELDS = ("first_name", "last_name", "email", "password", "confirm_password")


async def delay_response(seconds: float) -> None:
    """Delay one response without blocking others."""
    await asyncio.sleep(seconds)


async def evenly(call: Callable[..., T], *args: Any) -> T:
    """Run a call in a worker for at least `MIN_RESPONSE_TIME`, so that timing does not reveal who has an account."""
    result, _ = await asyncio.gather(in_worker(call, *args), delay_response(MIN_RESPONSE_TIME))
    return result


class BrowserState(rx.State):
    """The tokens of accounts that have signed in with this browser (`known_browsers`); kept after a sign-out."""

    known: str = rx.LocalStorage("", name="advisory_known", sync=True)

    def _remember(self, email: str) -> None:
        self.known = known_browsers.with_mark(self.known, email)


class FormState(SubmittedOnce, rx.State, mixin=True):
    """Shared by all sign-in forms: an error per field, and showing the password."""

    errors: dict[str, str] = dict.fromkeys(FIELDS, "")
    marked: str = ""  # a field marked as invalid without a message of its own
    shows_password: bool = False

    @public_event
    def toggle_password(self) -> None:
        """Show or hide the text of all password fields."""
        self.shows_password = not self.shows_password

    def _clear_form(self) -> None:
        """Reset every var, because the state is kept when the tab leaves the page."""
        self.is_busy = self.shows_password = False
        self.errors, self.marked = dict.fromkeys(FIELDS, ""), ""

    def _begin(self) -> None:
        self.errors, self.marked = dict.fromkeys(FIELDS, ""), ""

    def _refuse(self, error: Exception, fallback: str) -> ChainedEvent:
        """Mark the fields of an error, and reply with its message, or with `fallback` if it has none."""
        if isinstance(error, InvalidInput):
            self.errors = {name: error.fields.get(name, "") for name in FIELDS}
        # The reply does not say whether the email or the password is wrong; the password gets the focus.
        self.marked = "password" if isinstance(error, InvalidCredentials) else ""
        self.times_refused += 1
        if isinstance(error, ServiceError) and not error.message:
            error.message = fallback
        return refusal(error, messages.UNEXPECTED_ERROR, SUBJECT)

    def _token(self) -> str:
        """The secret of the mailed link that opened this page."""
        return str(self.router.url.query_parameters.get("token", ""))

    def _address(self) -> str:
        return str(self.router.session.client_ip)


class LinkRequest(FormState, rx.State, mixin=True):
    """A form that requests a mailed link: mix in before `rx.State`, and define `_request`.

    The reply and its timing are the same whether or not there is such an account.
    """

    is_sent: bool = False

    async def _request(self, email: EmailDraft) -> None:
        """Mail the link; takes the same time for every address."""
        raise NotImplementedError

    @public_event
    @once
    async def send(self, form_data: dict[str, Any]) -> AsyncIterator[EventReply]:
        """Request the link."""
        self._begin()
        yield None
        try:
            await self._request(EmailDraft.read(form_data))
        except Exception as error:
            yield self._refuse(error, messages.UNEXPECTED_ERROR)
        else:
            self.is_sent = True
            yield NoticeState.withdraw(SUBJECT)

    def _clear_form(self) -> None:
        super()._clear_form()
        self.is_sent = False


class SendAgainState(LinkRequest, rx.State):
    """Requests another verification mail, on the sign-in page or on the page of an expired link."""

    async def _request(self, email: EmailDraft) -> None:
        await evenly(sign_up.send_verification_again, email, self._address())


class AuthPageState(FormState, rx.State):
    """The sign-in card and the sign-up card; the address selects one."""

    is_signing_up: bool = False
    can_sign_up: bool = False
    is_signed_up: bool = False
    times_turned: int = 0
    must_confirm: bool = False
    email: str = ""  # the address to which a link was mailed

    @public_event
    async def open(self) -> EventReply:
        """Show the empty card that the address selects; redirect a user who is already signed in."""
        self._clear_form()
        (await self.get_state(SendAgainState))._clear_form()
        self.is_signed_up = self.must_confirm = False
        self.email = ""
        self.can_sign_up = get_settings().sign_up != CLOSED
        is_signing_up = self.can_sign_up and self.router.url.query_parameters.get("card") == SIGN_UP_CARD
        self.times_turned += is_signing_up != self.is_signing_up
        self.is_signing_up = is_signing_up
        return await self._redirect_if_signed_in()

    @public_event
    async def keep_watch(self) -> EventReply:
        """At every tick: redirect a user who has signed in in another tab."""
        return await self._redirect_if_signed_in()

    @public_event
    @once
    async def sign_in(self, form_data: dict[str, Any]) -> AsyncIterator[EventReply]:
        """Begin a session and redirect to the page that was asked for."""
        self._begin()
        self.must_confirm, self.email = False, ""
        yield None
        try:
            draft = SignInDraft.read(form_data)
            browser = await self.get_state(BrowserState)
            issued = await in_worker(sign_in.sign_in, draft, self._address(), device_of(self), browser.known)
            await (await auth_of(self))._begin(issued, AuthEvent.SIGNED_IN)
            browser._remember(draft.email)
        except Exception as error:
            if isinstance(error, InvalidCredentials):
                await delay_response(error.pause)
            if isinstance(error, EmailNotConfirmed):
                self.must_confirm, self.email = True, draft.email
            yield self._refuse(error, messages.SIGN_IN_FAILED)
        else:
            yield [
                success_notice(messages.SIGNED_IN, SUBJECT, is_brief=True),
                rx.redirect(self._next_page(), replace=True),
            ]

    @public_event
    @once
    async def sign_up(self, form_data: dict[str, Any]) -> AsyncIterator[EventReply]:
        """Create an account, and ask the user to look for the mail."""
        self._begin()
        yield None
        try:
            draft = SignUpDraft.read(form_data)
            await evenly(sign_up.sign_up, draft, self._address())
        except Exception as error:
            yield self._refuse(error, messages.ACCOUNT_CREATE_FAILED)
        else:
            self.is_signed_up, self.email = True, draft.email
            self.times_turned += 1
            yield success_notice(messages.ACCOUNT_CREATED, SUBJECT)

    async def _redirect_if_signed_in(self) -> ChainedEvent | None:
        auth = await auth_of(self)
        await auth._check()
        return rx.redirect(self._next_page(), replace=True) if auth.role else None

    def _next_page(self) -> str:
        return same_site_page(self.router.url.query_parameters.get("next"))
