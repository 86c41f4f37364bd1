"""The states of the pages behind mailed links, and of the page that requests such a link."""

import logging
from collections.abc import Callable
from typing import Any, TypeVar

import reflex as rx

from ...admin.components.passkey_button import PasskeyOffer
from ...base import messages, paths
from ...base.settings import get_settings
from ...base.threads import READERS
from ...server.framework.event_marks import ChainedEvent, EventReply, public_event
from ...ui.feedback import NoticeState, reason, success_notice
from ...ui.form import once
from ..account_errors import InvalidToken
from ..factors.challenges import Challenge
from ..factors.passkey_sign_in import in_thread, make_offer
from ..factors.recovery_codes_state import RecoveryCodesState
from ..factors.relying_party import problem_of
from ..form_data import AcceptanceData, EmailData, NamesData, NewPasswordData, PasswordData
from ..invitations import acceptance
from ..password import recovery
from ..password.workers import in_worker
from ..people import sign_up
from ..sessions.auth_events import AuthEvent, announce
from ..sessions.auth_state import SUBJECT, AuthForm, BrowserState, ChallengeState, LinkRequest, SendAgainState, evenly
from ..sessions.session_state import auth_of, device_of
from ..sessions.sessions import IssuedSession
from . import email_change

logger = logging.getLogger(__name__)
T = TypeVar("T")


class ForgotState(LinkRequest, rx.State):
    """Requests a link to choose a new password."""

    @public_event
    def load(self) -> None:
        """Show an empty form."""
        self._clear()

    async def _request(self, email: EmailData) -> None:
        browser = await self.get_state(BrowserState)
        await evenly(recovery.request_recovery, email, self._address(), browser.known)


class LinkForm(AuthForm, rx.State, mixin=True):
    """The form that a mailed link opens. Opening it changes nothing, because link scanners open it too."""

    is_checked: bool = False
    is_spent: bool = False

    async def _load(self, read_link: Callable[[object], T]) -> T | None:
        """Clear the form and look the link up; None if it is invalid or cannot be looked up now."""
        self._clear()
        try:
            details = await READERS.run(read_link, self._token())
        except InvalidToken:
            self.is_spent = True
        except Exception as error:
            # Show the form anyway; sending it will report the error.
            logger.error("A mailed link could not be looked up: %s", reason(error.__cause__ or error))
        else:
            return details
        finally:
            self.is_checked = True
        return None

    def _notice(self, error: Exception, fallback: str) -> ChainedEvent | None:
        """Show an invalid link on the page itself instead of a notice."""
        if not isinstance(error, InvalidToken):
            return super()._notice(error, fallback)
        self.is_spent = True
        return NoticeState.withdraw(SUBJECT)


class ResetState(LinkForm, rx.State):
    """Choosing a new password by a mailed link."""

    @public_event
    async def load(self) -> None:
        """Show an empty form, or that the link is invalid."""
        (await self.get_state(ForgotState))._clear()
        await self._load(recovery.check_link)

    @public_event
    @once(failed=messages.PASSWORD_RESET_FAILED)
    async def set_new(self, form_data: dict[str, Any]) -> EventReply:
        """Set the password, sign in here, and sign out everywhere else."""
        data = NewPasswordData.read(form_data)
        device = device_of(self)
        issued = await in_worker(recovery.recover, self._token(), data, self._address(), device, self._tab())
        if isinstance(issued, Challenge):
            await (await self.get_state(ChallengeState))._open(issued, AuthEvent.PASSWORD_RECOVERY)
            return [NoticeState.withdraw(SUBJECT), rx.redirect(paths.AUTH, replace=True)]
        identity = await (await auth_of(self))._begin(issued, AuthEvent.PASSWORD_RECOVERY)
        await (await self.get_state(BrowserState))._remember(identity.user.email)
        return [success_notice(messages.PASSWORD_RESET, SUBJECT), rx.redirect(paths.ADMIN, replace=True)]


class VerifyState(LinkForm, rx.State):
    """Confirming an email address by the password of the sign-up."""

    email: str = ""

    @public_event
    async def load(self) -> None:
        """Ask for the password, or show that the link is invalid."""
        (await self.get_state(SendAgainState))._clear()
        self.email = await self._load(sign_up.email_to_confirm) or ""

    @public_event
    @once(failed=messages.UNEXPECTED_ERROR)
    async def confirm(self, form_data: dict[str, Any]) -> EventReply:
        """Confirm the address, and go home."""
        password = PasswordData.read(form_data).password
        user_id = await in_worker(sign_up.confirm_email, self._token(), password, self._address())
        announce(AuthEvent.USER_UPDATED, user_id)
        # There a notice links to the sign-in page.
        return [NoticeState.withdraw(SUBJECT), rx.redirect(paths.HOME_CONFIRMED, replace=True)]


class EmailChangeState(LinkForm, rx.State):
    """Confirming one's new email address by the account's password or, if there is none, by a passkey.

    A user who is signed in here stays signed in.
    """

    email: str = ""
    has_password: bool = True
    answers: int = 0

    @public_event
    async def load(self) -> None:
        """Ask for the password or a passkey, or show that the link is invalid."""
        change = await self._load(email_change.find_wanted)
        self.email, self.has_password = (change.email, change.has_password) if change else ("", True)

    @public_event
    @once(failed=messages.UNEXPECTED_ERROR)
    async def confirm(self, form_data: dict[str, Any]) -> EventReply:
        """Confirm the address by the password."""
        password = PasswordData.read(form_data).password
        return _redirect_changed(await in_worker(email_change.confirm, self._token(), password, self._address()))

    @public_event
    async def finish(self, response: str) -> EventReply:
        """Confirm the address by a passkey, for options of `PasskeySignInState`."""
        try:
            confirm, address = email_change.confirm_by_passkey, self._address()
            user_id = await in_thread(confirm, self._token(), response, self._tab(), address)
        except Exception as error:
            self.answers += 1
            return self._refuse(error, messages.UNEXPECTED_ERROR)
        return _redirect_changed(user_id)


def _redirect_changed(user_id: int) -> EventReply:
    announce(AuthEvent.USER_UPDATED, user_id)
    return [success_notice(messages.EMAIL_CHANGED, SUBJECT), rx.redirect(paths.ADMIN_PROFILE, replace=True)]


class InvitationState(LinkForm, rx.State):
    """Opening an account by the link of an invitation, with a password or, if `uses_passkey`, without one.

    The passkey is created once the names are right (`is_named`); `answers` counts the refused ones.
    """

    email: str = ""
    first_name: str = ""
    last_name: str = ""
    has_passkeys: bool = False
    uses_passkey: bool = False
    is_named: bool = False
    times_turned: int = 0
    offer: PasskeyOffer = PasskeyOffer()
    answers: int = 0

    @public_event
    async def load(self) -> None:
        """Show the form, with the names that the invitation has, or that the invitation is not valid."""
        invited = await self._load(acceptance.find_invited) or acceptance.Invited()
        self.email, self.first_name, self.last_name = invited.email, invited.first_name, invited.last_name
        self.has_passkeys = not problem_of(get_settings())

    @public_event
    def use_passkey(self) -> EventReply:
        """Ask for the names alone."""
        return self._switch(uses_passkey=True)

    @public_event
    def use_password(self) -> EventReply:
        """Ask for the names and a password."""
        return self._switch(uses_passkey=False)

    @public_event
    @once(failed=messages.ACCOUNT_CREATE_FAILED)
    async def accept(self, form_data: dict[str, Any]) -> EventReply:
        """Open the account and sign in here, or show the button that creates the passkey."""
        if self.uses_passkey:
            names = NamesData.read(form_data)
            self.first_name, self.last_name = names.first_name, names.last_name
            self.is_named = True
            self.times_turned += 1
            return None
        data = AcceptanceData.read(form_data)
        issued = await in_worker(acceptance.accept, self._token(), data, self._address(), device_of(self))
        return await self._enter(issued, paths.ADMIN)

    @public_event
    async def begin(self, request: str) -> None:
        """Make the options for the request with this id, which the browser has chosen."""
        if self.is_named:
            start, address = acceptance.begin_passkey, self._address()
            self.offer = await make_offer(request, start, self._token(), self._names(), address, self._tab())

    @public_event
    async def finish(self, response: str) -> EventReply:
        """Open the account with the passkey that the browser has created, and show its recovery codes."""
        try:
            accept, address, device = acceptance.accept_by_passkey, self._address(), device_of(self)
            accepted = await in_thread(accept, self._token(), self._names(), response, address, self._tab(), device)
            entered = await self._enter(accepted.issued, paths.ADMIN_TWO_STEP)
            (await self.get_state(RecoveryCodesState))._show(accepted.codes, is_next_page=True)
        except Exception as error:
            self.answers += 1
            return self._refuse(error, messages.ACCOUNT_CREATE_FAILED)
        return entered

    async def _enter(self, issued: IssuedSession, page: str) -> EventReply:
        identity = await (await auth_of(self))._begin(issued, AuthEvent.SIGNED_IN)
        await (await self.get_state(BrowserState))._remember(identity.user.email)
        return [success_notice(messages.INVITATION_ACCEPTED, SUBJECT), rx.redirect(page, replace=True)]

    def _names(self) -> NamesData:
        return NamesData.read({"first_name": self.first_name, "last_name": self.last_name})

    def _switch(self, *, uses_passkey: bool) -> EventReply:
        self._begin()
        self.uses_passkey, self.is_named, self.offer = uses_passkey, False, PasskeyOffer()
        self.times_turned += 1
        return NoticeState.withdraw(SUBJECT)
