"""The states of the pages behind mailed links, and of the page that requests such a link."""

import logging
from collections.abc import AsyncIterator, Callable
from typing import Any, TypeVar

import reflex as rx

from ..content import messages
from ..core import routes
from ..core.settings import get_settings
from ..core.threads import READERS
from ..framework.event_marks import ChainedEvent, EventReply, public_event
from ..ui.backoffice.passkeys import PasskeyOffer
from ..ui.backoffice.submit import once
from ..ui.feedback import NoticeState, reason, success_notice
from . import acceptance, email_change, recovery, sign_up
from .auth_events import AuthEvent, announce
from .auth_state import SUBJECT, BrowserState, ChallengeState, FormState, LinkRequest, SendAgainState, evenly
from .challenges import Challenge
from .drafts import AcceptanceDraft, EmailDraft, NamesDraft, NewPasswordDraft, PasswordDraft
from .errors import InvalidToken
from .passkey_state import in_thread, make_offer
from .recovery_codes_state import RecoveryCodesState
from .relying_party import problem_of
from .session_state import auth_of, device_of
from .sessions import IssuedSession
from .workers import in_worker

logger = logging.getLogger(__name__)
T = TypeVar("T")


class ForgotState(LinkRequest, rx.State):
    """Requests a link to choose a new password."""

    @public_event
    def load(self) -> None:
        """Show an empty form."""
        self._clear_form()

    async def _request(self, email: EmailDraft) -> None:
        browser = await self.get_state(BrowserState)
        await evenly(recovery.request_recovery, email, self._address(), browser.known)


class LinkState(FormState, rx.State, mixin=True):
    """The form that a mailed link opens. Opening it changes nothing, because link scanners open it too."""

    is_checked: bool = False
    is_spent: bool = False

    async def _look(self, look: Callable[[object], T]) -> T | None:
        """Clear the form and look the link up; None if it is invalid or cannot be looked up now."""
        self._clear_form()
        self.is_spent = False
        try:
            found = await READERS.run(look, self._token())
        except InvalidToken:
            self.is_spent = True
        except Exception as error:
            # Show the form anyway; sending it will report the error.
            logger.error("A mailed link could not be looked up: %s", reason(error.__cause__ or error))
        else:
            return found
        finally:
            self.is_checked = True
        return None

    def _refuse(self, error: Exception, fallback: str) -> ChainedEvent:
        """Show an invalid link on the page itself instead of a notice."""
        if not isinstance(error, InvalidToken):
            return super()._refuse(error, fallback)
        self.is_spent = True
        self.times_refused += 1
        return NoticeState.withdraw(SUBJECT)


class ResetState(LinkState, rx.State):
    """Choosing a new password by a mailed link."""

    @public_event
    async def load(self) -> None:
        """Show an empty form, or that the link is invalid."""
        (await self.get_state(ForgotState))._clear_form()
        await self._look(recovery.check_link)

    @public_event
    @once
    async def set_new(self, form_data: dict[str, Any]) -> AsyncIterator[EventReply]:
        """Set the password, sign in here, and sign out everywhere else."""
        self._begin()
        yield None
        try:
            draft = NewPasswordDraft.read(form_data)
            device = device_of(self)
            issued = await in_worker(recovery.recover, self._token(), draft, self._address(), device, self._tab())
            if isinstance(issued, Challenge):
                await (await self.get_state(ChallengeState))._open(issued, AuthEvent.PASSWORD_RECOVERY)
                yield [NoticeState.withdraw(SUBJECT), rx.redirect(routes.AUTH, replace=True)]
                return
            identity = await (await auth_of(self))._begin(issued, AuthEvent.PASSWORD_RECOVERY)
            (await self.get_state(BrowserState))._remember(identity.user.email)
        except Exception as error:
            yield self._refuse(error, messages.PASSWORD_RESET_FAILED)
        else:
            yield [success_notice(messages.PASSWORD_RESET, SUBJECT), rx.redirect(routes.ADMIN, replace=True)]


class AddressState(LinkState, rx.State, mixin=True):
    """Confirming an email address by a mailed link and a password."""

    email: str = ""

    @public_event
    @once
    async def confirm(self, form_data: dict[str, Any]) -> AsyncIterator[EventReply]:
        """Confirm the address, and go on to the next page."""
        self._begin()
        yield None
        try:
            draft = PasswordDraft.read(form_data)
            user_id = await self._confirm(draft.password)
        except Exception as error:
            yield self._refuse(error, messages.UNEXPECTED_ERROR)
        else:
            yield self._leave(user_id)

    async def _confirm(self, password: str) -> int:
        """Confirm the address if the password is right; returns the user's id."""
        raise NotImplementedError

    def _leave(self, user_id: int) -> EventReply:
        """Go on to the next page, after the address was confirmed."""
        announce(AuthEvent.USER_UPDATED, user_id)
        return self._next()

    def _next(self) -> EventReply:
        """The notice about it, and the redirect."""
        raise NotImplementedError


class VerifyState(AddressState, rx.State):
    """Confirming an email address by the password of the sign-up."""

    @public_event
    async def load(self) -> None:
        """Ask for the password, or show that the link is invalid."""
        (await self.get_state(SendAgainState))._clear_form()
        self.email = await self._look(sign_up.email_to_confirm) or ""

    async def _confirm(self, password: str) -> int:
        return await in_worker(sign_up.confirm_email, self._token(), password, self._address())

    def _next(self) -> EventReply:
        # There a notice links to the sign-in page.
        return [NoticeState.withdraw(SUBJECT), rx.redirect(routes.HOME_CONFIRMED, replace=True)]


class EmailChangeState(AddressState, rx.State):
    """Confirming one's new email address by the account's password or, if there is none, by a passkey.

    A user who is signed in here stays signed in.
    """

    has_password: bool = True
    answers: int = 0

    @public_event
    async def load(self) -> None:
        """Ask for the password or a passkey, or show that the link is invalid."""
        found = await self._look(email_change.look)
        self.email, self.has_password = (found.email, found.has_password) if found else ("", True)

    @public_event
    async def finish(self, response: str) -> EventReply:
        """Confirm the address by a passkey, for options of `PasskeySignInState`."""
        try:
            confirm, address = email_change.confirm_by_passkey, self._address()
            return self._leave(await in_thread(confirm, self._token(), response, self._tab(), address))
        except Exception as error:
            self.answers += 1
            return self._refuse(error, messages.UNEXPECTED_ERROR)

    async def _confirm(self, password: str) -> int:
        return await in_worker(email_change.confirm, self._token(), password, self._address())

    def _next(self) -> EventReply:
        return [success_notice(messages.EMAIL_CHANGED, SUBJECT), rx.redirect(routes.ADMIN_PROFILE, replace=True)]


class InvitationState(LinkState, rx.State):
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
        """Show an empty form, or that the invitation is not valid."""
        self.first_name = self.last_name = ""
        self._turn(uses_passkey=False)
        self.has_passkeys = not problem_of(get_settings())
        self.email = await self._look(acceptance.open_link) or ""

    @public_event
    def use_passkey(self) -> None:
        """Ask for the names alone."""
        self._turn(uses_passkey=True)
        self.times_turned += 1

    @public_event
    def use_password(self) -> None:
        """Ask for the names and a password."""
        self._turn(uses_passkey=False)
        self.times_turned += 1

    @public_event
    @once
    async def accept(self, form_data: dict[str, Any]) -> AsyncIterator[EventReply]:
        """Open the account and sign in here, or show the button that creates the passkey."""
        self._begin()
        yield None
        try:
            if self.uses_passkey:
                names = NamesDraft.read(form_data)
                self.first_name, self.last_name = names.first_name, names.last_name
                self.is_named = True
                self.times_turned += 1
                return
            draft = AcceptanceDraft.read(form_data)
            issued = await in_worker(acceptance.accept, self._token(), draft, self._address(), device_of(self))
            yield await self._enter(issued, routes.ADMIN)
        except Exception as error:
            yield self._refuse(error, messages.ACCOUNT_CREATE_FAILED)

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
            entered = await self._enter(accepted.issued, routes.ADMIN_TWO_STEP)
            (await self.get_state(RecoveryCodesState))._show(accepted.codes, is_next_page=True)
        except Exception as error:
            self.answers += 1
            return self._refuse(error, messages.ACCOUNT_CREATE_FAILED)
        return entered

    async def _enter(self, issued: IssuedSession, page: str) -> EventReply:
        identity = await (await auth_of(self))._begin(issued, AuthEvent.SIGNED_IN)
        (await self.get_state(BrowserState))._remember(identity.user.email)
        return [success_notice(messages.INVITATION_ACCEPTED, SUBJECT), rx.redirect(page, replace=True)]

    def _names(self) -> NamesDraft:
        return NamesDraft.read({"first_name": self.first_name, "last_name": self.last_name})

    def _turn(self, *, uses_passkey: bool) -> None:
        self._begin()
        self.uses_passkey, self.is_named, self.offer = uses_passkey, False, PasskeyOffer()
