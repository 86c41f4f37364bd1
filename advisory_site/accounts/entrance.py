"""The forms of the sign-in pages at work: each handler reads a draft, calls the service, and replies."""

import asyncio

import reflex as rx

from .. import routes
from ..content import messages
from ..errors import InvalidInput, ServiceError
from ..events import public_event
from ..parsing import MAX_EMAIL_LENGTH
from ..settings import CLOSED, get_settings
from ..ui.feedback import failure, subject_of, success
from ..ui.submit import SubmittedOnce, once
from . import recovery, sign_in, sign_up
from .announcements import AuthEvent, announce
from .errors import EmailNotConfirmed, InvalidCredentials, InvalidToken
from .rules import EmailDraft, NewPasswordDraft, SignInDraft, SignUpDraft, email_of, fields_of, same_site_page
from .state import AuthState, auth_of, device_of
from .workers import in_worker

# Replies to these forms replace each other, and what was said of a session that ended.
SUBJECT = subject_of(AuthState)
FIELDS = ("first_name", "last_name", "email", "password", "confirm_password")


async def hold_back(seconds: float) -> None:
    """Slow down whoever guesses; nobody else waits."""
    await asyncio.sleep(seconds)


class FormState(SubmittedOnce, rx.State, mixin=True):
    """What every form here has: a busy time, a word beside each field, a way to see what one types."""

    is_busy: bool = False
    errors: dict[str, str] = dict.fromkeys(FIELDS, "")
    times_refused: int = 0
    shows_password: bool = False

    @public_event
    def toggle_password(self):
        """Show or hide what is typed into the password fields, all of them at once."""
        self.shows_password = not self.shows_password

    def _begin(self) -> None:
        self.is_busy = True
        self.errors = dict.fromkeys(FIELDS, "")

    def _refuse(self, error: Exception, fallback: str) -> rx.event.EventSpec:
        """Mark the fields an error speaks of, and reply with its sentence; `fallback` serves one that has none."""
        if isinstance(error, InvalidInput):
            self.errors = {name: error.fields.get(name, "") for name in FIELDS}
        elif isinstance(error, InvalidCredentials):
            self.errors = self.errors | {"password": error.message}
        self.times_refused += 1
        if isinstance(error, ServiceError) and not error.message:
            error.message = fallback
        return failure(error, messages.UNEXPECTED_ERROR, SUBJECT)

    def _token(self) -> str:
        """The secret of the mailed link that led here."""
        return str(self.router.url.query_parameters.get("token", ""))


class EntranceState(FormState, rx.State):
    """The sign-in card and the sign-up card; one of them shows."""

    is_signing_up: bool = False
    can_sign_up: bool = True
    waits_for_mail: bool = False
    must_confirm: bool = False
    email: str = ""

    @public_event
    async def load(self):
        """On load and at every tick: who is signed in already goes on to where they wanted."""
        may_join = get_settings().sign_up != CLOSED
        if self.can_sign_up != may_join:
            self.can_sign_up = may_join
        auth = await auth_of(self)
        await auth._check()
        return rx.redirect(self._asked_for(), replace=True) if auth.role else None

    @public_event
    def show_sign_up(self):
        """Turn to the sign-up card."""
        self._turn(is_signing_up=True)

    @public_event
    def show_sign_in(self):
        """Turn to the sign-in card."""
        self._turn(is_signing_up=False)

    @public_event
    @once
    async def sign_in(self, form_data: dict):
        """Begin a session and go to the page that was asked for."""
        self._begin()
        self.must_confirm = False
        self.email = email_of(fields_of(form_data).get("email"))[:MAX_EMAIL_LENGTH]
        yield
        try:
            draft = SignInDraft.read(form_data)
            issued = await in_worker(sign_in.sign_in, draft, self._address(), device_of(self))
            await (await auth_of(self))._begin(issued, AuthEvent.SIGNED_IN)
        except Exception as error:
            if isinstance(error, InvalidCredentials):
                await hold_back(error.pause)
            self.must_confirm = isinstance(error, EmailNotConfirmed)
            self.waits_for_mail = self.waits_for_mail and not self.must_confirm
            yield self._refuse(error, messages.SIGN_IN_FAILED)
        else:
            self.waits_for_mail = False
            yield [success(messages.SIGNED_IN, SUBJECT, is_brief=True), rx.redirect(self._asked_for(), replace=True)]
        finally:
            self.is_busy = False

    @public_event
    @once
    async def sign_up(self, form_data: dict):
        """Make an account, and turn to the sign-in card, which asks to look for the mail."""
        self._begin()
        yield
        try:
            draft = SignUpDraft.read(form_data)
            await in_worker(sign_up.sign_up, draft, self._address())
        except Exception as error:
            yield self._refuse(error, messages.ACCOUNT_CREATE_FAILED)
        else:
            self.email = draft.email
            self._turn(is_signing_up=False)
            self.waits_for_mail = True
            yield success(messages.ACCOUNT_CREATED, SUBJECT)
        finally:
            self.is_busy = False

    @public_event
    async def send_again(self):
        """Mail another verification link to the address that just signed up or in."""
        self.is_busy = True
        yield
        try:
            await in_worker(sign_up.send_verification_again, EmailDraft.read({"email": self.email}), self._address())
        except Exception as error:
            yield self._refuse(error, messages.UNEXPECTED_ERROR)
        else:
            yield success(messages.VERIFICATION_SENT, SUBJECT)
        finally:
            self.is_busy = False

    def _turn(self, *, is_signing_up: bool) -> None:
        self.is_signing_up = is_signing_up and self.can_sign_up
        self.errors = dict.fromkeys(FIELDS, "")
        self.waits_for_mail = self.must_confirm = self.shows_password = False

    def _asked_for(self) -> str:
        return same_site_page(self.router.url.query_parameters.get("next"))

    def _address(self) -> str:
        return str(self.router.session.client_ip)


class ForgotState(FormState, rx.State):
    """Asking for a link to choose a new password."""

    is_sent: bool = False

    @public_event
    def load(self):
        """Begin with an empty form."""
        self.is_sent = False
        self.errors = dict.fromkeys(FIELDS, "")

    @public_event
    @once
    async def send(self, form_data: dict):
        """Mail the link, if there is such an account; the reply is the same when there is none."""
        self._begin()
        yield
        try:
            draft = EmailDraft.read(form_data)
            await in_worker(recovery.request_recovery, draft, str(self.router.session.client_ip))
        except Exception as error:
            yield self._refuse(error, messages.UNEXPECTED_ERROR)
        else:
            self.is_sent = True
            yield success(messages.RECOVERY_SENT, SUBJECT)
        finally:
            self.is_busy = False


class ResetState(FormState, rx.State):
    """Choosing a new password, by a mailed link."""

    is_spent: bool = False

    @public_event
    def load(self):
        """Begin with an empty form."""
        self.is_spent = not self._token()
        self.errors = dict.fromkeys(FIELDS, "")

    @public_event
    @once
    async def set_new(self, form_data: dict):
        """Set the password, sign in here, and sign out everywhere else."""
        self._begin()
        yield
        try:
            draft = NewPasswordDraft.read(form_data)
            address = str(self.router.session.client_ip)
            issued = await in_worker(recovery.recover, self._token(), draft, address, device_of(self))
            await (await auth_of(self))._begin(issued, AuthEvent.PASSWORD_RECOVERY)
        except Exception as error:
            self.is_spent = isinstance(error, InvalidToken)
            yield self._refuse(error, messages.PASSWORD_RESET_FAILED)
        else:
            yield [success(messages.PASSWORD_RESET, SUBJECT), rx.redirect(routes.ADMIN, replace=True)]
        finally:
            self.is_busy = False


class VerifyState(FormState, rx.State):
    """Confirming an e-mail address, by a mailed link. A click does it: programs that only look at links do not."""

    is_spent: bool = False
    is_sent: bool = False

    @public_event
    def load(self):
        """Begin with the button."""
        self.is_spent = not self._token()
        self.is_sent = False
        self.errors = dict.fromkeys(FIELDS, "")

    @public_event
    @once
    async def confirm(self, form_data: dict):
        """Confirm the address, and go on to sign in."""
        self._begin()
        yield
        try:
            address = str(self.router.session.client_ip)
            announce(AuthEvent.USER_UPDATED, await in_worker(sign_up.confirm_email, self._token(), address))
        except Exception as error:
            self.is_spent = isinstance(error, InvalidToken)
            yield self._refuse(error, messages.UNEXPECTED_ERROR)
        else:
            yield [success(messages.EMAIL_CONFIRMED, SUBJECT), rx.redirect(routes.AUTH, replace=True)]
        finally:
            self.is_busy = False

    @public_event
    @once
    async def send_again(self, form_data: dict):
        """Mail another link, if that address waits for one."""
        self._begin()
        yield
        try:
            draft = EmailDraft.read(form_data)
            await in_worker(sign_up.send_verification_again, draft, str(self.router.session.client_ip))
        except Exception as error:
            yield self._refuse(error, messages.UNEXPECTED_ERROR)
        else:
            self.is_sent = True
            yield success(messages.VERIFICATION_SENT, SUBJECT)
        finally:
            self.is_busy = False
