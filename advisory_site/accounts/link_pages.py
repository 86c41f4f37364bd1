"""The pages around mailed links: forgotten password, new password, confirming the e-mail address."""

import reflex as rx

from .. import routes
from ..content import auth as words
from ..content import messages
from ..ui.chakra import button_link
from .auth_fields import (
    auth_card,
    auth_form,
    auth_frame,
    hint,
    line_link,
    password_field,
    send_again,
    send_button,
    text_field,
)
from .entrance import ForgotState, ResetState, SendAgainState, VerifyState


def forgot_page() -> rx.Component:
    """Asks for the address to which a link shall be mailed."""
    form = "forgot"
    return auth_frame(
        auth_card(
            words.FORGOT_TITLE,
            words.FORGOT_TEXT,
            rx.cond(ForgotState.is_sent, hint(words.CHECK_MAIL_TITLE, messages.RECOVERY_SENT)),
            auth_form(
                form,
                ForgotState,
                ForgotState.send,
                text_field(form, words.EMAIL, ForgotState),
                send_button(ForgotState, words.FORGOT, words.SENDING),
            ),
            line_link(words.BACK_TO_SIGN_IN, routes.AUTH),
        )
    )


def reset_page() -> rx.Component:
    """Where the link of a recovery mail leads."""
    form = "reset"
    return auth_frame(
        auth_card(
            words.RESET_TITLE,
            words.RESET_TEXT,
            rx.cond(
                ResetState.is_spent,
                hint(
                    words.LINK_TITLE,
                    messages.LINK_INVALID,
                    button_link(words.NEW_LINK, href=routes.AUTH_FORGOT, variant="outline", size="sm"),
                ),
                auth_form(
                    form,
                    ResetState,
                    ResetState.set_new,
                    password_field(form, words.NEW_PASSWORD, ResetState),
                    password_field(form, words.CONFIRM_PASSWORD, ResetState, toggle=False),
                    send_button(ResetState, words.RESET, words.RESET_BUSY),
                ),
            ),
            line_link(words.BACK_TO_SIGN_IN, routes.AUTH),
        )
    )


def verify_page() -> rx.Component:
    """Where the link of a verification mail leads."""
    return auth_frame(
        auth_card(
            words.VERIFY_TITLE,
            words.VERIFY_TEXT,
            rx.cond(
                VerifyState.is_spent,
                _send_again(),
                auth_form(
                    "verify",
                    VerifyState,
                    VerifyState.confirm,
                    send_button(VerifyState, words.VERIFY, words.VERIFY_BUSY),
                ),
            ),
            line_link(words.BACK_TO_SIGN_IN, routes.AUTH),
        )
    )


def _send_again() -> rx.Component:
    return rx.fragment(
        rx.cond(
            SendAgainState.is_sent,
            hint(words.CHECK_MAIL_TITLE, messages.VERIFICATION_SENT),
            hint(words.LINK_TITLE, messages.LINK_INVALID),
        ),
        send_again(text_field("send-again", words.EMAIL, SendAgainState)),
    )
