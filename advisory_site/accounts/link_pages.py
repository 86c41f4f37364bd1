"""The pages around mailed links: forgotten password, new password, confirming the email address, invitations."""

import reflex as rx

from ..content import messages
from ..content.firm import FIRM
from ..core import routes
from ..ui.backoffice.chakra import rc
from ..ui.backoffice.table import email_text
from ..ui.browser import MoveFocus
from ..ui.notices import notice_place
from . import texts as words
from .auth_fields import (
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
from .auth_state import SUBJECT, SendAgainState
from .link_state import (
    AddressState,
    EmailChangeState,
    ForgotState,
    InvitationState,
    LinkState,
    ResetState,
    VerifyState,
)
from .passkey_state import PasskeySignInState

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
    form, state = "verify", VerifyState
    card = auth_card(
        words.VERIFY_TITLE,
        _about_address(words.VERIFY_TEXT, state.email),
        _password_form(form, state, words.VERIFY, _account_of_password(state.email)),
        _small_print(words.NOT_ME),
        line_link(words.FORGOT_LINK, routes.AUTH_FORGOT),
    )
    sent = rx.cond(SendAgainState.is_sent, hint(words.CHECK_MAIL_TITLE, messages.VERIFICATION_SENT))
    again = send_again(text_field("send-again", words.EMAIL, SendAgainState), label=words.SEND_NEW)
    return _link_page(VerifyState, card, words.VERIFY_SPENT, sent, again)


def invitation_page() -> rx.Component:
    """The page that the link of an invitation opens."""
    state = InvitationState
    whom_to_ask = rx.fragment(f"{words.INVITATION_SPENT} ", rx.el.a(FIRM.email, href=FIRM.email_href), ".")
    card = rx.fragment(
        rx.cond(state.is_named, _first_passkey_card(), _acceptance_card()),
        MoveFocus.create(to=f"#{CARD_TITLE}", when=state.times_turned),
    )
    return _link_page(state, card, whom_to_ask, title=words.INVITATION_SPENT_TITLE)


def _acceptance_card() -> rx.Component:
    """The form for the names and, unless a passkey is created next, a password."""
    form, state = "invitation", InvitationState
    passwords = rx.fragment(
        password_field(form, words.NEW_PASSWORD, state),
        password_field(form, words.CONFIRM_PASSWORD, state, toggle=False),
    )
    to_passkey = rx.cond(state.has_passkeys, line_button(words.CHOOSE_PASSKEY, state.use_passkey))
    return auth_card(
        words.INVITATION_TITLE,
        _about_address(words.INVITATION_TEXT, state.email),
        auth_form(
            form,
            state,
            state.accept,
            name_fields(form, state, first=state.first_name, last=state.last_name),
            rx.cond(state.uses_passkey, rc.text(words.FIRST_PASSKEY_HINT, color="var(--muted)"), passwords),
            rx.cond(
                state.uses_passkey,
                send_button(state, words.CONTINUE, words.CHECKING),
                send_button(state, words.SIGN_UP, messages.CREATING_ACCOUNT),
            ),
            privacy_line(),
            hidden=_account_of_password(state.email),
        ),
        rx.cond(state.uses_passkey, line_button(words.CHOOSE_PASSWORD, state.use_password), to_passkey),
        _small_print(words.NOT_INVITED),
    )


def _first_passkey_card() -> rx.Component:
    """The button that creates the passkey and opens the account."""
    state = InvitationState
    return auth_card(
        words.FIRST_PASSKEY_TITLE,
        _about_address(words.FIRST_PASSKEY_TEXT, state.email),
        wide_passkey_button(state, words.FIRST_PASSKEY, creates=True, variant="solid"),
        notice_place(subject=SUBJECT),
        line_button(words.CHOOSE_PASSWORD, state.use_password),
    )


def _password_form(
    form: str, state: type[AddressState], label: str, hidden: rx.Component | None = None
) -> rx.Component:
    """The form that confirms an address by a password."""
    return auth_form(
        form,
        state,
        state.confirm,
        password_field(form, words.SIGN_UP_PASSWORD, state),
        send_button(state, label, words.VERIFY_BUSY),
        hidden=hidden,
    )


def _about_address(text: str | rx.Var[str], email: rx.Var[str] | str) -> rx.Component:
    return rx.fragment(text, " ", rx.el.strong(email_text(email)), ".")


def _small_print(text: str) -> rx.Component:
    return rc.text(text, color="var(--muted)", font_size="0.875rem", margin_top="1.5rem")


def _account_of_password(email: rx.Var[str] | str) -> rx.Component:
    """A hidden input that shows password managers the account of the password."""
    return rx.el.input(name="username", value=email, auto_complete="username", hidden=True, read_only=True)


def email_change_page() -> rx.Component:
    """The page that the link to a new email address opens."""
    form, state = "new-email", EmailChangeState
    by_passkey = rx.fragment(
        wide_passkey_button(PasskeySignInState, words.PASSKEY_PROOF, answers=state.answers, on_response=state.finish),
        notice_place(subject=SUBJECT),
    )
    card = auth_card(
        words.EMAIL_TITLE,
        _about_address(rx.cond(state.has_password, words.EMAIL_TEXT, words.EMAIL_PASSKEY_TEXT), state.email),
        rx.cond(state.has_password, _password_form(form, state, words.EMAIL_CONFIRM), by_passkey),
        _small_print(words.EMAIL_NOT_ME),
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
