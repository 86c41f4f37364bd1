"""The states of the pages behind mailed links, and of the page that requests such a link."""

import logging
from collections.abc import AsyncIterator, Callable
from typing import Any, TypeVar

import reflex as rx

from ..content import messages
from ..core import routes
from ..core.threads import READERS
from ..framework.event_marks import ChainedEvent, EventReply, public_event
from ..ui.backoffice.submit import once
from ..ui.feedback import NoticeState, reason, success_notice
from . import acceptance, email_change, recovery, sign_up
from .auth_events import AuthEvent, announce
from .auth_state import SUBJECT, BrowserState, ChallengeState, FormState, LinkRequest, SendAgainState, evenly
from .challenges import Challenge
from .drafts import AcceptanceDraft, EmailDraft, NewPasswordDraft, PasswordDraft
from .errors import InvalidToken
from .session_state import auth_of, device_of
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
        """Look the link up; None if it is invalid or cannot be looked up now."""
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
        self._clear_form()
        (await self.get_state(ForgotState))._clear_form()
        self.is_spent = False
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


class VerifyState(LinkState, rx.State):
    """Confirming an email address by a mailed link and the password of the sign-up."""

    email: str = ""

    @public_event
    async def load(self) -> None:
        """Ask for the password, or show that the link is invalid."""
        self._clear_form()
        (await self.get_state(SendAgainState))._clear_form()
        self.is_spent = False
        self.email = await self._look(sign_up.email_to_confirm) or ""

    @public_event
    @once
    async def confirm(self, form_data: dict[str, Any]) -> AsyncIterator[EventReply]:
        """Confirm the address and redirect to Home, where a notice links to the sign-in page."""
        self._begin()
        yield None
        try:
            draft = PasswordDraft.read(form_data)
            user_id = await in_worker(sign_up.confirm_email, self._token(), draft.password, self._address())
        except Exception as error:
            yield self._refuse(error, messages.UNEXPECTED_ERROR)
        else:
            announce(AuthEvent.USER_UPDATED, user_id)
            yield [NoticeState.withdraw(SUBJECT), rx.redirect(routes.HOME_CONFIRMED, replace=True)]


class InvitationState(LinkState, rx.State):
    """Opening an account by the link of an invitation."""

    email: str = ""

    @public_event
    async def load(self) -> None:
        """Show an empty form, or that the invitation is not valid."""
        self._clear_form()
        self.is_spent = False
        self.email = await self._look(acceptance.open_link) or ""

    @public_event
    @once
    async def accept(self, form_data: dict[str, Any]) -> AsyncIterator[EventReply]:
        """Open the account, and sign in here."""
        self._begin()
        yield None
        try:
            draft = AcceptanceDraft.read(form_data)
            issued = await in_worker(acceptance.accept, self._token(), draft, self._address(), device_of(self))
            identity = await (await auth_of(self))._begin(issued, AuthEvent.SIGNED_IN)
            (await self.get_state(BrowserState))._remember(identity.user.email)
        except Exception as error:
            yield self._refuse(error, messages.ACCOUNT_CREATE_FAILED)
        else:
            yield [success_notice(messages.INVITATION_ACCEPTED, SUBJECT), rx.redirect(routes.ADMIN, replace=True)]


class EmailChangeState(LinkState, rx.State):
    """Confirming one's new email address by a mailed link and the account's password."""

    email: str = ""

    @public_event
    async def load(self) -> None:
        """Ask for the password, or show that the link is invalid."""
        self._clear_form()
        self.is_spent = False
        self.email = await self._look(email_change.address_to_confirm) or ""

    @public_event
    @once
    async def confirm(self, form_data: dict[str, Any]) -> AsyncIterator[EventReply]:
        """Change the address. A user who is signed in here stays signed in."""
        self._begin()
        yield None
        try:
            draft = PasswordDraft.read(form_data)
            user_id = await in_worker(email_change.confirm, self._token(), draft.password, self._address())
        except Exception as error:
            yield self._refuse(error, messages.UNEXPECTED_ERROR)
        else:
            announce(AuthEvent.USER_UPDATED, user_id)
            yield [success_notice(messages.EMAIL_CHANGED, SUBJECT), rx.redirect(routes.ADMIN_PROFILE, replace=True)]
