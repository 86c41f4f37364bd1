"""The sign-in page: a sign-in card and a sign-up card, of which one shows."""

import reflex as rx

from .. import routes
from ..content import auth as words
from ..content import messages
from ..ui.chakra import link, rc
from .auth_fields import (
    auth_card,
    auth_form,
    auth_frame,
    hint,
    password_field,
    send_button,
    text_field,
    turn_line,
)
from .entrance import EntranceState
from .guard import session_ticker


def auth_page() -> rx.Component:
    """Where staff come in."""
    return auth_frame(
        session_ticker(EntranceState.load),
        rx.cond(EntranceState.is_signing_up, _sign_up_card(), _sign_in_card()),
    )


def _sign_in_card() -> rx.Component:
    form = "sign-in"
    return auth_card(
        words.SIGN_IN_TITLE,
        words.SIGN_IN_TEXT,
        rx.cond(
            EntranceState.waits_for_mail,
            hint(words.CHECK_MAIL_TITLE, f"{messages.ACCOUNT_CREATED} {words.CHECK_MAIL_TEXT}", _send_again()),
        ),
        rx.cond(
            EntranceState.must_confirm,
            hint(words.CONFIRM_FIRST_TITLE, words.CONFIRM_FIRST_TEXT, _send_again()),
        ),
        auth_form(
            form,
            EntranceState,
            EntranceState.sign_in,
            text_field(form, words.EMAIL, EntranceState, value=EntranceState.email),
            password_field(form, words.PASSWORD, EntranceState),
            rc.text(link(words.FORGOT_LINK, href=routes.AUTH_FORGOT)),
            send_button(EntranceState, words.SIGN_IN, messages.SIGNING_IN),
        ),
        rx.cond(
            EntranceState.can_sign_up,
            turn_line(words.TO_SIGN_UP, words.TO_SIGN_UP_LINK, EntranceState.show_sign_up),
        ),
    )


def _sign_up_card() -> rx.Component:
    form = "sign-up"
    return auth_card(
        words.SIGN_UP_TITLE,
        words.SIGN_UP_TEXT,
        auth_form(
            form,
            EntranceState,
            EntranceState.sign_up,
            rc.responsive_grid(
                text_field(form, words.FIRST_NAME, EntranceState),
                text_field(form, words.LAST_NAME, EntranceState),
                columns=[1, 2],
                spacing="1.15rem",
            ),
            text_field(form, words.EMAIL, EntranceState),
            password_field(form, words.NEW_PASSWORD, EntranceState),
            password_field(form, words.CONFIRM_PASSWORD, EntranceState, toggle=False),
            send_button(EntranceState, words.SIGN_UP, messages.CREATING_ACCOUNT),
            rc.text(
                f"{words.PRIVACY_NOTE} ",
                link(words.PRIVACY_LINK, href=routes.PRIVACY),
                ".",
                color="var(--muted)",
                font_size="0.875rem",
            ),
        ),
        turn_line(words.TO_SIGN_IN, words.TO_SIGN_IN_LINK, EntranceState.show_sign_in),
    )


def _send_again() -> rx.Component:
    return rc.button(
        words.SEND_AGAIN,
        on_click=EntranceState.send_again,
        is_disabled=EntranceState.is_busy,
        size="sm",
        variant="outline",
        type_="button",
    )
