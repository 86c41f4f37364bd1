"""The contact page: the form, and beside it the firm's contacts; then what happens next."""

from collections.abc import Callable

import reflex as rx

from ..content import layout, messages
from ..content.shared import Field
from ..core import routes
from ..ui.feedback import NoticeState, subject_of
from ..ui.local_time import local_time
from ..ui.marks import form_marks, mark_summary
from ..ui.notices import notice_place
from ..ui.public import fields, profile, sections
from ..ui.public.delivery import delivered, send_button
from ..ui.public.layout import page
from ..ui.public.links import anchor, arrow_link, button
from . import texts as words
from .contact_state import ContactState

FORM_ID = "enquiry"
RECEIPT_ID = "enquiry-sent"


def contact_page(readers: Callable[[], rx.Component]) -> rx.Component:
    """The contact page, to which every 'Get Started' links; `readers` shows who reads the messages."""
    return page(
        routes.CONTACT,
        sections.page_head(words.HERO, rx.el.p(arrow_link(words.CALL_INSTEAD), class_name="without-panel"), readers()),
        sections.section(
            rx.el.div(_form_side(), _panel(), class_name="beside beside-form"),
            tone="section-follow",
        ),
        sections.steps_across(words.NEXT, words.NEXT_STEPS, tone="section-follow"),
    )


def _form_side() -> rx.Component:
    return rx.el.div(
        rx.el.h2(words.FORM_TITLE, class_name="title-m"),
        delivered(
            _receipt(),
            form=FORM_ID,
            accepted=ContactState.accepted,
            is_drawn=ContactState.is_sent,
            id=RECEIPT_ID,
            class_name="notice notice-success notice-inline",
        ),
        form_marks(
            enquiry_form(),
            drawn=ContactState.drawn_errors,
            errors=ContactState.errors,
            times_refused=ContactState.times_refused,
            checks=ContactState.checks,
            on_check=ContactState.check,
            on_right=NoticeState.withdraw(subject_of(ContactState)),
        ),
        class_name="form-side",
    )


def _receipt() -> rx.Component:
    """The confirmation that stays after the notice; without scripts it also thanks the visitor."""
    sent = rx.fragment(f"{words.SENT} ", local_time(at=ContactState.accepted_at), f". {words.WRITE_AGAIN}")
    return rx.el.p(rx.cond(ContactState.is_sent, messages.ENQUIRY_SENT, sent))


def enquiry_form() -> rx.Component:
    """The form; uncontrolled, and emptied by the browser when it has been delivered."""
    return rx.el.form(
        rx.el.p(words.REQUIRED_NOTE, class_name="hint"),
        rx.el.div(_text(words.FIRST_NAME), _text(words.LAST_NAME), class_name="field-row"),
        _text(words.EMAIL, kind="email"),
        rx.el.div(_text(words.COMPANY), _stage(), class_name="field-row"),
        fields.long_text_field(words.MESSAGE, ContactState.typed[words.MESSAGE.name]),
        fields.honeypot_field(words.HONEYPOT),
        rx.el.input(type="hidden", name="submission", value=ContactState.submission_id, read_only=True),
        mark_summary(),
        rx.el.div(
            send_button(
                is_busy=ContactState.is_busy,
                answers=ContactState.times_sent + ContactState.times_refused,
                label=words.SUBMIT,
                busy_label=words.SUBMIT_BUSY,
                unreachable=messages.ENQUIRY_WAITS,
                not_sent=messages.ENQUIRY_NOT_SENT,
                class_name="button",
            ),
            class_name="actions",
        ),
        notice_place(subject=subject_of(ContactState)),
        rx.el.p(words.PRIVACY_NOTE, " ", anchor(layout.FOOTER_LEGAL[0]), ".", class_name="hint"),
        on_submit=ContactState.send,
        id=FORM_ID,
        method="post",
        action=routes.CONTACT,
        no_validate=True,
        class_name="form",
    )


def _text(field: Field, kind: str = "text") -> rx.Component:
    return fields.text_field(field, ContactState.typed[field.name], kind=kind)


def _stage() -> rx.Component:
    typed = ContactState.typed[words.STAGE.name]
    return fields.choice_field(words.STAGE, typed, none=words.STAGE_PLACEHOLDER, options=words.STAGES)


def _panel() -> rx.Component:
    reach = (
        rx.el.h2(words.PANEL_TITLE, class_name="title-m"),
        profile.facts(*map(_way, words.WAYS)),
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
