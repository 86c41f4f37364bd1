"""The sign-in page: shows a sign-in card or a sign-up card."""

import reflex as rx

from ...admin.components.elements import link
from ...base import messages, paths
from ...ui.browser import MoveFocus
from ...ui.copy import SIGN_IN
from .. import texts
from ..factors.passkey_sign_in import PasskeySignInState, PasskeyStepState
from .auth_fields import (
    CARD_TITLE,
    auth_card,
    auth_form,
    auth_frame,
    hint,
    line,
    line_button,
    name_fields,
    password_field,
    privacy_line,
    send_again,
    send_button,
    text_field,
    turn_line,
    wide_passkey_button,
)
from .auth_state import SIGN_UP_CARD, AuthPageState, ChallengeState, SendAgainState
from .session_state import session_ticker

CHALLENGE = "challenge"


def auth_page() -> rx.Component:
    """The sign-in page."""
    return auth_frame(
        session_ticker(AuthPageState.keep_watch),
        MoveFocus.create(to=f"#{CARD_TITLE}", when=AuthPageState.times_turned),
        rx.cond(
            AuthPageState.is_signed_up,
            _signed_up_card(),
            rx.cond(
                AuthPageState.is_signing_up,
                _sign_up_card(),
                rx.cond(ChallengeState.is_open, _challenge_card(), _sign_in_card()),
            ),
        ),
        MoveFocus.create(
            to=rx.cond(ChallengeState.is_recovery | ChallengeState.has_app, f"#{CHALLENGE} input", f"#{CARD_TITLE}"),
            when=ChallengeState.times_shown,
        ),
    )


def _sign_in_card() -> rx.Component:
    form = "sign-in"
    return auth_card(
        texts.SIGN_IN_TITLE,
        texts.SIGN_IN_TEXT,
        rx.cond(
            AuthPageState.must_confirm,
            hint(
                texts.CONFIRM_FIRST_TITLE,
                rx.cond(SendAgainState.is_sent, messages.VERIFICATION_SENT, texts.CONFIRM_FIRST_TEXT),
                send_again(to=AuthPageState.email, is_small=True),
            ),
        ),
        auth_form(
            form,
            AuthPageState,
            AuthPageState.sign_in,
            text_field(form, texts.SIGN_IN_EMAIL, AuthPageState),
            password_field(form, texts.PASSWORD, AuthPageState),
            rx.el.p(link(texts.FORGOT_LINK, href=paths.AUTH_FORGOT)),
            send_button(AuthPageState, SIGN_IN, messages.SIGNING_IN),
        ),
        rx.el.div(wide_passkey_button(PasskeySignInState, texts.PASSKEY, is_suggested=True), class_name="auth-passkey"),
        rx.cond(
            AuthPageState.can_sign_up,
            turn_line(texts.TO_SIGN_UP, texts.TO_SIGN_UP_LINK, card=SIGN_UP_CARD),
        ),
        rx.cond(
            AuthPageState.is_by_invitation,
            line(f"{texts.TO_SIGN_UP} {messages.SIGN_UP_CLOSED}"),
        ),
    )


def _challenge_card() -> rx.Component:
    """The card that asks for a second factor."""
    other = rx.cond(
        ChallengeState.is_recovery,
        rx.cond(
            ChallengeState.has_app,
            line_button(texts.USE_APP, ChallengeState.use_app),
            rx.cond(ChallengeState.has_passkey, line_button(texts.USE_PASSKEY, ChallengeState.use_app)),
        ),
        line_button(texts.USE_RECOVERY_CODE, ChallengeState.use_recovery_code),
    )
    return auth_card(
        texts.CHALLENGE_TITLE,
        rx.fragment(
            rx.cond(
                ChallengeState.is_recovery,
                texts.RECOVERY_TEXT,
                rx.cond(
                    ChallengeState.has_passkey,
                    rx.cond(ChallengeState.has_app, texts.PASSKEY_OR_CODE_TEXT, texts.PASSKEY_STEP_TEXT),
                    texts.CHALLENGE_TEXT,
                ),
            )
        ),
        rx.cond(ChallengeState.is_app_lost, hint(texts.APP_LOST_TITLE, messages.FACTOR_UNREADABLE)),
        rx.cond(
            ChallengeState.has_passkey & ~ChallengeState.is_recovery,
            rx.el.div(
                wide_passkey_button(
                    PasskeyStepState, texts.PASSKEY_STEP, variant=rx.cond(ChallengeState.has_app, "outline", "solid")
                ),
                class_name="auth-passkey-step",
            ),
        ),
        rx.cond(
            ChallengeState.is_recovery | ChallengeState.has_app,
            auth_form(
                CHALLENGE,
                ChallengeState,
                ChallengeState.verify,
                rx.cond(
                    ChallengeState.is_recovery,
                    text_field(CHALLENGE, texts.RECOVERY_CODE, ChallengeState),
                    text_field(CHALLENGE, texts.CODE, ChallengeState),
                ),
                send_button(ChallengeState, texts.VERIFY_CODE, texts.VERIFYING),
            ),
        ),
        other,
        line_button(texts.BACK_TO_SIGN_IN, ChallengeState.go_back),
    )


def _sign_up_card() -> rx.Component:
    form = "sign-up"
    return auth_card(
        texts.SIGN_UP_TITLE,
        texts.SIGN_UP_TEXT,
        auth_form(
            form,
            AuthPageState,
            AuthPageState.sign_up,
            name_fields(form, AuthPageState),
            text_field(form, texts.EMAIL, AuthPageState),
            password_field(form, texts.NEW_PASSWORD, AuthPageState),
            password_field(form, texts.CONFIRM_PASSWORD, AuthPageState, toggle=False),
            send_button(AuthPageState, texts.SIGN_UP, messages.CREATING_ACCOUNT),
            privacy_line(),
        ),
        turn_line(texts.TO_SIGN_IN, texts.TO_SIGN_IN_LINK, card=""),
    )


def _signed_up_card() -> rx.Component:
    """The card that replaces the form after a sign-up, and takes the focus."""
    return auth_card(
        texts.CHECK_MAIL_TITLE,
        rx.fragment(f"{texts.MAILED_TO} ", rx.el.strong(AuthPageState.email), f". {texts.CHECK_MAIL_TEXT}"),
        rx.cond(SendAgainState.is_sent, hint(texts.SENT_AGAIN_TITLE, messages.VERIFICATION_SENT)),
        send_again(to=AuthPageState.email),
        turn_line(texts.WHEN_CONFIRMED, texts.TO_SIGN_IN_LINK, card=""),
    )
