"""The components of the sign-in pages: card, fields, password toggle, button, hints."""

from collections.abc import Mapping
from typing import Any

import reflex as rx

from ...admin.components import controls
from ...admin.components.address import address_link
from ...admin.components.backoffice import backoffice
from ...admin.components.elements import heading, link
from ...admin.components.passkey_button import passkey_button
from ...admin.components.submit import submit_button
from ...admin.office import office
from ...base import paths
from ...ui.browser import MoveFocus
from ...ui.copy import HIDE, SHOW
from ...ui.notices import notice_place
from ...ui.theme_toggle import theme_toggle
from .. import texts as account_texts
from ..texts import AuthField
from .auth_state import SUBJECT, AuthForm, SendAgainState

CARD_TITLE = "card-title"


def auth_frame(*content: rx.Component) -> rx.Component:
    """The frame of these pages: the way home, the theme, and one card."""
    return backoffice(
        rx.el.header(office().logo(account_texts.HOME_LABEL), theme_toggle(), class_name="auth-bar"),
        rx.el.main(*content, id="content", class_name="auth-main"),
    )


def auth_card(title: str, text: str | rx.Component, *content: rx.Component) -> rx.Component:
    """A card with the page's main heading, which can take the focus."""
    return rx.el.div(
        heading(title, level="h1", size="lg", id=CARD_TITLE, custom_attrs={"tabIndex": -1}),
        rx.el.p(text, class_name="auth-text"),
        rx.el.div(*content, class_name="auth-content"),
        class_name="auth-card",
    )


def auth_form(
    form_id: str, state: type[AuthForm], on_submit: Any, *content: rx.Component, hidden: rx.Component | None = None
) -> rx.Component:
    """A form whose first invalid field gets the focus; only the server validates."""
    return rx.fragment(
        rx.el.form(
            hidden or rx.fragment(),
            rx.el.div(*content, class_name="auth-fields"),
            on_submit=on_submit,
            id=form_id,
            no_validate=True,
            method="post",
        ),
        notice_place(subject=SUBJECT),
        MoveFocus.create(to=f"#{form_id} [aria-invalid=true]", when=state.times_refused),
    )


def text_field(form_id: str, field: AuthField, state: type[AuthForm], *, value: Any = "") -> rx.Component:
    """A labelled field with its error beneath."""
    return _control(form_id, field, state, _input(field, field.input_type, value))


def name_fields(form_id: str, state: type[AuthForm], *, first: Any = "", last: Any = "") -> rx.Component:
    """The fields of first and last name, side by side where there is room."""
    return rx.el.div(
        text_field(form_id, account_texts.FIRST_NAME, state, value=first),
        text_field(form_id, account_texts.LAST_NAME, state, value=last),
        class_name="auth-names",
    )


def password_field(form_id: str, field: AuthField, state: type[AuthForm], *, toggle: bool = True) -> rx.Component:
    """A password field; a toggle in one of them shows the passwords of the whole form."""
    input_field = _input(field, rx.cond(state.shows_password, "text", "password"), "")
    if toggle:
        end = rx.el.span(_toggle(state), class_name="input-end")
        input_field = rx.el.div(input_field, end, class_name="input-group")
    return _control(form_id, field, state, input_field)


def _input(field: AuthField, input_type: Any, value: Any) -> rx.Component:
    attributes = {"autoComplete": field.autocomplete, "autoCapitalize": "none", "spellCheck": "false"}
    if field.input_type == "text":
        attributes = {"autoComplete": field.autocomplete} | ({"inputMode": "numeric"} if field.is_code else {})
    return controls.text_input(name=field.name, type_=input_type, default_value=value, custom_attrs=attributes)


def _control(form_id: str, field: AuthField, state: type[AuthForm], entry: rx.Component) -> rx.Component:
    error = rx.Var.create(state.errors).get(field.name, "")
    return controls.field_frame(
        entry,
        label=field.label,
        hint=field.help,
        error=error,
        id=f"{form_id}-{field.name}",
        is_required=True,
        is_invalid=(error != "") | (state.marked == field.name),
    )


def _toggle(state: type[AuthForm]) -> rx.Component:
    return controls.button(
        rx.cond(state.shows_password, HIDE, SHOW),
        on_click=state.toggle_password,
        type_="button",
        size="sm",
        variant="ghost",
        custom_attrs={
            "aria-label": rx.cond(state.shows_password, account_texts.HIDE_LABEL, account_texts.SHOW_LABEL),
            "aria-pressed": state.shows_password,
        },
    )


def send_button(state: type[AuthForm], label: str, busy: str, **look: Any) -> rx.Component:
    """The submit button of a form; shows when it is busy and cannot be pressed twice."""
    return submit_button(state, label, busy, **look or {"is_wide": True})


def send_again(
    *fields: rx.Component,
    to: str | rx.Var[str] | None = None,
    label: str = account_texts.SEND_AGAIN,
    is_small: bool = False,
) -> rx.Component:
    """The form that requests another verification link, for a known address or one typed into a field."""
    look = {"size": "sm", "variant": "outline"} if is_small else {}
    return auth_form(
        "send-again",
        SendAgainState,
        SendAgainState.send,
        *fields,
        rx.el.div(send_button(SendAgainState, label, account_texts.SENDING, **look)),
        hidden=rx.el.input(type="hidden", name="email", value=to, read_only=True) if to is not None else None,
    )


def hint(title: str, text: str | rx.Var[str], *actions: rx.Component) -> rx.Component:
    """A persistent notice above a form or in its place; announced to screen readers."""
    return rx.el.div(
        rx.el.p(rx.el.b(title)),
        rx.el.p(text, class_name="backoffice-muted"),
        *([rx.el.div(*actions, class_name="auth-actions")] if actions else []),
        class_name="auth-hint",
        role="status",
    )


def turn_line(text: str, label: str, *, card: str) -> rx.Component:
    """A question and the link to the other card; the page asked for before stays in the address."""
    return line(f"{text} ", address_link(label, change={"card": card}))


def privacy_line() -> rx.Component:
    """The link to the privacy policy, below a form that opens an account."""
    return rx.el.p(
        f"{account_texts.PRIVACY_NOTE} ",
        link(account_texts.PRIVACY_LINK, href=paths.PRIVACY),
        ".",
        class_name="auth-small",
    )


def line(*content: rx.Component | str) -> rx.Component:
    """A line below the form, in the middle of the card."""
    return rx.el.p(*content, class_name="auth-line")


def line_link(label: str, href: str) -> rx.Component:
    """A link on its own line."""
    return line(link(label, href=href))


def line_button(label: str, on_click: Any) -> rx.Component:
    """A button that looks like a link, on a line of its own."""
    return line(controls.button(label, on_click=on_click, variant="link"))


def wide_passkey_button(
    state: Any, texts: Mapping[str, str], *, is_suggested: bool = False, **props: Any
) -> rx.Component:
    """The button for a passkey; `state` has `offer`, `answers`, `begin` and `finish`, which `props` may replace."""
    given = {"answers": state.answers, "on_response": state.finish} | props
    return passkey_button(
        offer=state.offer,
        words=dict(texts),
        is_suggested=is_suggested,
        is_wide=True,
        on_begin=state.begin,
        **given,
    )
