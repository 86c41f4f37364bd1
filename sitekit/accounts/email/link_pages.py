"""The pages around mailed links: forgotten password, new password, confirming the email address, invitations."""

import reflex as rx

from ...admin.components import controls
from ...admin.components.table import email_text
from ...base import messages, paths
from ...base.site import get_site
from ...ui.browser import MoveFocus
from ...ui.notices import notice_place
from .. import texts
from ..factors.passkey_sign_in import PasskeySignInState
from ..sessions.auth_fields import (
    CARD_TITLE,
    auth_card,
    auth_form,
    auth_frame,
    hint,
    line_button,
    line_link,
    name_fields,
    password_field,
    privacy_line,
    send_again,
    send_button,
    text_field,
    wide_passkey_button,
)
from ..sessions.auth_state import SUBJECT, SendAgainState
from .link_state import EmailChangeState, ForgotState, InvitationState, LinkForm, ResetState, VerifyState

SPENT = "spent-link"


def forgot_page() -> rx.Component:
    """The form that requests a link for a new password."""
    return auth_frame(
        auth_card(
            texts.FORGOT_TITLE,
            texts.FORGOT_TEXT,
            _forgot_form(texts.FORGOT),
            line_link(texts.BACK_TO_SIGN_IN, paths.AUTH),
        )
    )


def reset_page() -> rx.Component:
    """The page that the link of a recovery mail opens."""
    form = "reset"
    card = auth_card(
        texts.RESET_TITLE,
        texts.RESET_TEXT,
        auth_form(
            form,
            ResetState,
            ResetState.set_new,
            password_field(form, texts.NEW_PASSWORD, ResetState),
            password_field(form, texts.CONFIRM_PASSWORD, ResetState, toggle=False),
            send_button(ResetState, texts.RESET, texts.RESET_BUSY),
        ),
        line_link(texts.BACK_TO_SIGN_IN, paths.AUTH),
    )
    return _link_page(ResetState, card, texts.RESET_SPENT, _forgot_form(texts.SEND_NEW))


def verify_page() -> rx.Component:
    """The page that the link of a verification mail opens."""
    form, state = "verify", VerifyState
    card = auth_card(
        texts.VERIFY_TITLE,
        _about_address(texts.VERIFY_TEXT, state.email),
        _password_form(form, state, texts.VERIFY, _account_of_password(state.email)),
        _small_print(texts.NOT_ME),
        line_link(texts.FORGOT_LINK, paths.AUTH_FORGOT),
    )
    sent = rx.cond(SendAgainState.is_sent, hint(texts.CHECK_MAIL_TITLE, messages.VERIFICATION_SENT))
    again = send_again(text_field("send-again", texts.EMAIL, SendAgainState), label=texts.SEND_NEW)
    return _link_page(VerifyState, card, texts.VERIFY_SPENT, sent, again)


def invitation_page() -> rx.Component:
    """The page that the link of an invitation opens."""
    state = InvitationState
    brand = get_site().brand
    whom_to_ask = rx.fragment(f"{texts.INVITATION_SPENT} ", rx.el.a(brand.email, href=brand.email_href), ".")
    card = rx.fragment(
        # The key makes new fields for another invitation in the same tab: a field takes its default only once.
        rx.cond(state.is_named, _first_passkey_card(), rx.fragment(_acceptance_card(), key=state.email)),
        MoveFocus.create(to=f"#{CARD_TITLE}", when=state.times_turned),
    )
    return _link_page(state, card, whom_to_ask, title=texts.INVITATION_SPENT_TITLE)


def _acceptance_card() -> rx.Component:
    """The form for the names and, unless a passkey is created next, a password."""
    form, state = "invitation", InvitationState
    passwords = rx.fragment(
        password_field(form, texts.NEW_PASSWORD, state),
        password_field(form, texts.CONFIRM_PASSWORD, state, toggle=False),
    )
    to_passkey = rx.cond(state.has_passkeys, line_button(texts.CHOOSE_PASSKEY, state.use_passkey))
    return auth_card(
        texts.INVITATION_TITLE,
        _about_address(texts.INVITATION_TEXT, state.email),
        auth_form(
            form,
            state,
            state.accept,
            name_fields(form, state, first=state.first_name, last=state.last_name),
            rx.cond(state.uses_passkey, rx.el.p(texts.FIRST_PASSKEY_HINT, class_name="backoffice-muted"), passwords),
            rx.cond(
                state.uses_passkey,
                send_button(state, texts.CONTINUE, texts.CHECKING),
                send_button(state, texts.SIGN_UP, messages.CREATING_ACCOUNT),
            ),
            privacy_line(),
            hidden=_account_of_password(state.email),
        ),
        rx.cond(state.uses_passkey, line_button(texts.CHOOSE_PASSWORD, state.use_password), to_passkey),
        _small_print(texts.NOT_INVITED),
    )


def _first_passkey_card() -> rx.Component:
    """The button that creates the passkey and opens the account."""
    state = InvitationState
    return auth_card(
        texts.FIRST_PASSKEY_TITLE,
        _about_address(texts.FIRST_PASSKEY_TEXT, state.email),
        wide_passkey_button(state, texts.FIRST_PASSKEY, creates=True, variant="solid"),
        notice_place(subject=SUBJECT),
        line_button(texts.CHOOSE_PASSWORD, state.use_password),
    )


def _password_form(
    form: str, state: type[VerifyState] | type[EmailChangeState], label: str, hidden: rx.Component | None = None
) -> rx.Component:
    """The form that confirms an address by a password."""
    return auth_form(
        form,
        state,
        state.confirm,
        password_field(form, texts.SIGN_UP_PASSWORD, state),
        send_button(state, label, texts.VERIFY_BUSY),
        hidden=hidden,
    )


def _about_address(text: str | rx.Var[str], email: rx.Var[str] | str) -> rx.Component:
    return rx.fragment(text, " ", rx.el.strong(email_text(email)), ".")


def _small_print(text: str) -> rx.Component:
    return rx.el.p(text, class_name="auth-small auth-end")


def _account_of_password(email: rx.Var[str] | str) -> rx.Component:
    """A hidden input that shows password managers the account of the password."""
    return rx.el.input(name="username", value=email, auto_complete="username", hidden=True, read_only=True)


def email_change_page() -> rx.Component:
    """The page that the link to a new email address opens."""
    form, state = "new-email", EmailChangeState
    by_passkey = rx.fragment(
        wide_passkey_button(
            PasskeySignInState, texts.PASSKEY_REAUTHENTICATION, answers=state.answers, on_response=state.finish
        ),
        notice_place(subject=SUBJECT),
    )
    card = auth_card(
        texts.EMAIL_TITLE,
        _about_address(rx.cond(state.has_password, texts.EMAIL_TEXT, texts.EMAIL_PASSKEY_TEXT), state.email),
        rx.cond(state.has_password, _password_form(form, state, texts.EMAIL_CONFIRM), by_passkey),
        _small_print(texts.EMAIL_NOT_ME),
    )
    return _link_page(state, card, texts.EMAIL_SPENT, line_link(texts.TO_PROFILE, paths.ADMIN_PROFILE))


def _link_page(
    state: type[LinkForm],
    card: rx.Component,
    spent_text: str | rx.Component,
    *renewal: rx.Component,
    title: str = texts.LINK_TITLE,
) -> rx.Component:
    """The card of a valid link; for an invalid one the reason, and how to get another."""
    spent = auth_card(title, spent_text, *renewal, line_link(texts.BACK_TO_SIGN_IN, paths.AUTH))
    wait = controls.spinner()
    return auth_frame(
        rx.cond(state.is_checked, rx.cond(state.is_spent, rx.el.div(spent, id=SPENT), card), wait),
        MoveFocus.create(to=f"#{SPENT} h1", when=state.times_refused),
    )


def _forgot_form(label: str) -> rx.Component:
    form = "forgot"
    return rx.fragment(
        rx.cond(ForgotState.is_sent, hint(texts.CHECK_MAIL_TITLE, messages.RECOVERY_SENT)),
        auth_form(
            form,
            ForgotState,
            ForgotState.send,
            text_field(form, texts.EMAIL, ForgotState),
            send_button(ForgotState, label, texts.SENDING),
        ),
    )
