"""The pages around mailed links: forgotten password, new password, confirming the email address, invitations."""

import reflex as rx

from ..content import messages
from ..content.firm import FIRM
from ..core import routes
from ..ui.backoffice.chakra import rc
from ..ui.browser import MoveFocus
from . import texts as words
from .auth_fields import (
    auth_card,
    auth_form,
    auth_frame,
    hint,
    line_link,
    name_fields,
    password_field,
    privacy_line,
    send_again,
    send_button,
    text_field,
)
from .auth_state import SendAgainState
from .link_state import EmailChangeState, ForgotState, InvitationState, LinkState, ResetState, VerifyState

SPENT = "spent-link"


def forgot_page() -> rx.Component:
    """The form that requests a link for a new password."""
    return auth_frame(
        auth_card(
            words.FORGOT_TITLE,
            words.FORGOT_TEXT,
            _forgot_form(words.FORGOT),
            line_link(words.BACK_TO_SIGN_IN, routes.AUTH),
        )
    )


def reset_page() -> rx.Component:
    """The page that the link of a recovery mail opens."""
    form = "reset"
    card = auth_card(
        words.RESET_TITLE,
        words.RESET_TEXT,
        auth_form(
            form,
            ResetState,
            ResetState.set_new,
            password_field(form, words.NEW_PASSWORD, ResetState),
            password_field(form, words.CONFIRM_PASSWORD, ResetState, toggle=False),
            send_button(ResetState, words.RESET, words.RESET_BUSY),
        ),
        line_link(words.BACK_TO_SIGN_IN, routes.AUTH),
    )
    return _link_page(ResetState, card, words.RESET_SPENT, _forgot_form(words.SEND_NEW))


def verify_page() -> rx.Component:
    """The page that the link of a verification mail opens."""
    form = "verify"
    card = auth_card(
        words.VERIFY_TITLE,
        rx.fragment(f"{words.VERIFY_TEXT} ", rx.el.strong(VerifyState.email), "."),
        auth_form(
            form,
            VerifyState,
            VerifyState.confirm,
            password_field(form, words.SIGN_UP_PASSWORD, VerifyState),
            send_button(VerifyState, words.VERIFY, words.VERIFY_BUSY),
            hidden=_account_of_password(VerifyState.email),
        ),
        rc.text(words.NOT_ME, color="var(--muted)", font_size="0.875rem", margin_top="1.5rem"),
        line_link(words.FORGOT_LINK, routes.AUTH_FORGOT),
    )
    sent = rx.cond(SendAgainState.is_sent, hint(words.CHECK_MAIL_TITLE, messages.VERIFICATION_SENT))
    again = send_again(text_field("send-again", words.EMAIL, SendAgainState), label=words.SEND_NEW)
    return _link_page(VerifyState, card, words.VERIFY_SPENT, sent, again)


def invitation_page() -> rx.Component:
    """The page that the link of an invitation opens."""
    form = "invitation"
    card = auth_card(
        words.INVITATION_TITLE,
        rx.fragment(f"{words.INVITATION_TEXT} ", rx.el.strong(InvitationState.email), "."),
        auth_form(
            form,
            InvitationState,
            InvitationState.accept,
            name_fields(form, InvitationState),
            password_field(form, words.NEW_PASSWORD, InvitationState),
            password_field(form, words.CONFIRM_PASSWORD, InvitationState, toggle=False),
            send_button(InvitationState, words.SIGN_UP, messages.CREATING_ACCOUNT),
            privacy_line(),
            hidden=_account_of_password(InvitationState.email),
        ),
        rc.text(words.NOT_INVITED, color="var(--muted)", font_size="0.875rem", margin_top="1.5rem"),
    )
    whom_to_ask = rx.fragment(f"{words.INVITATION_SPENT} ", rx.el.a(FIRM.email, href=FIRM.email_href), ".")
    return _link_page(InvitationState, card, whom_to_ask, title=words.INVITATION_SPENT_TITLE)


def _account_of_password(email: rx.Var[str] | str) -> rx.Component:
    """A hidden input that shows password managers the account of the password."""
    return rx.el.input(name="username", value=email, auto_complete="username", hidden=True, read_only=True)


def email_change_page() -> rx.Component:
    """The page that the link to a new email address opens."""
    form, state = "new-email", EmailChangeState
    card = auth_card(
        words.EMAIL_TITLE,
        rx.fragment(f"{words.EMAIL_TEXT} ", rx.el.strong(state.email), "."),
        auth_form(
            form,
            state,
            state.confirm,
            password_field(form, words.PASSWORD, state),
            send_button(state, words.EMAIL_CONFIRM, words.VERIFY_BUSY),
        ),
        rc.text(words.EMAIL_NOT_ME, color="var(--muted)", font_size="0.875rem", margin_top="1.5rem"),
    )
    return _link_page(state, card, words.EMAIL_SPENT, line_link(words.TO_PROFILE, routes.ADMIN_PROFILE))


def _link_page(
    state: type[LinkState],
    card: rx.Component,
    spent_text: str | rx.Component,
    *renewal: rx.Component,
    title: str = words.LINK_TITLE,
) -> rx.Component:
    """The card of a valid link; for an invalid one the reason, and how to get another."""
    spent = auth_card(title, spent_text, *renewal, line_link(words.BACK_TO_SIGN_IN, routes.AUTH))
    wait = rc.center(rc.spinner(label=words.LOADING, size="xl"), min_height="20rem")
    return auth_frame(
        rx.cond(state.is_checked, rx.cond(state.is_spent, rx.el.div(spent, id=SPENT), card), wait),
        MoveFocus.create(to=f"#{SPENT} h1", when=state.times_refused),
    )


def _forgot_form(label: str) -> rx.Component:
    form = "forgot"
    return rx.fragment(
        rx.cond(ForgotState.is_sent, hint(words.CHECK_MAIL_TITLE, messages.RECOVERY_SENT)),
        auth_form(
            form,
            ForgotState,
            ForgotState.send,
            text_field(form, words.EMAIL, ForgotState),
            send_button(ForgotState, label, words.SENDING),
        ),
    )
