"""The contact page: the form, and beside it the other ways to reach the firm."""

import reflex as rx

from .. import routes
from ..content import contact as words
from ..content import layout, messages
from ..ui import fields, records, sections
from ..ui.browser import MoveFocus
from ..ui.delivery import send_button
from ..ui.feedback import subject_of
from ..ui.layout import page
from ..ui.links import anchor, arrow_link, button
from ..ui.notices import notice_place
from .state import ContactState

FORM_ID = "enquiry"
THANKS_ID = "enquiry-sent"


def contact_page() -> rx.Component:
    """Where every 'Get Started' leads."""
    return page(
        routes.CONTACT,
        sections.page_head(words.HERO, rx.el.p(arrow_link(words.CALL_INSTEAD), class_name="without-panel")),
        sections.section(
            rx.el.div(_form_side(), _panel(), class_name="beside beside-form"),
            tone="section-follow",
        ),
    )


def _form_side() -> rx.Component:
    return rx.el.div(
        rx.el.h2(words.FORM_TITLE, class_name="title-m"),
        rx.cond(ContactState.is_sent, _thanks()),
        enquiry_form(),
        MoveFocus.create(to=f"#{FORM_ID} [aria-invalid=true]", when=ContactState.times_refused),
        MoveFocus.create(to=f"#{THANKS_ID}", when=ContactState.times_sent),
        class_name="form-side",
    )


def _thanks() -> rx.Component:
    """Stays after the notice has gone; the focus comes here, because the form it was in is a new one."""
    return rx.el.div(
        rx.el.p(messages.ENQUIRY_SENT), id=THANKS_ID, tab_index=-1, class_name="notice notice-success notice-inline"
    )


def enquiry_form() -> rx.Component:
    """The form. It is a new one after each enquiry, which is how it comes to be empty."""
    return rx.el.form(
        rx.el.p(words.REQUIRED_NOTE, class_name="hint"),
        rx.el.div(_text(words.FIRST_NAME), _text(words.LAST_NAME), class_name="field-row"),
        _text(words.EMAIL, kind="email"),
        rx.el.div(_text(words.COMPANY), _stage(), class_name="field-row"),
        fields.long_text_field(words.MESSAGE, *_about(words.MESSAGE)),
        fields.trap_field(words.HONEYPOT),
        rx.el.input(type="hidden", name="submission", value=ContactState.submission_id, read_only=True),
        rx.el.div(
            send_button(
                is_sending=ContactState.is_sending,
                answers=ContactState.times_sent + ContactState.times_refused,
                label=words.SUBMIT,
                busy_label=words.SUBMIT_BUSY,
                class_name="button",
            ),
            class_name="actions",
        ),
        notice_place(subject=subject_of(ContactState)),
        rx.el.p(words.PRIVACY_NOTE, " ", anchor(layout.FOOTER_LEGAL[0]), ".", class_name="hint"),
        on_submit=ContactState.send,
        key=ContactState.times_sent.to_string(),
        id=FORM_ID,
        method="post",
        action=routes.CONTACT,
        no_validate=True,
        class_name="form",
    )


def _about(field: words.Field) -> tuple[rx.Var[str], rx.Var[str]]:
    return ContactState.errors[field.name], ContactState.typed[field.name]


def _text(field: words.Field, kind: str = "text") -> rx.Component:
    return fields.text_field(field, *_about(field), kind=kind)


def _stage() -> rx.Component:
    return fields.choice_field(words.STAGE, *_about(words.STAGE), none=words.STAGE_PLACEHOLDER, options=words.STAGES)


def _panel() -> rx.Component:
    reach = (
        rx.el.h2(words.PANEL_TITLE, class_name="title-m"),
        records.facts(*map(_way, words.WAYS)),
        rx.el.p(words.ADDRESS, rx.el.br(), words.HOURS, class_name="muted"),
    )
    call = (
        rx.el.h2(words.CALL_TITLE, class_name="title-m"),
        rx.el.p(words.CALL_TEXT, class_name="muted"),
        rx.el.div(button(words.CALL_LINK), class_name="actions"),
    )
    return rx.el.aside(*(rx.el.div(*part, class_name="panel-part") for part in (reach, call)), class_name="panel")


def _way(way: words.ContactWay) -> rx.Component:
    value = rx.el.a(way.text, href=way.href) if way.href else way.text
    return rx.el.div(rx.el.dt(way.label), rx.el.dd(value))
