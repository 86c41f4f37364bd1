"""The contact page: the form, and beside it the firm's contacts; then what happens next."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from sitekit.ui.copy import Field
from sitekit.ui.feedback import NoticeState, subject_of
from sitekit.ui.marks import form_marks, mark_summary
from sitekit.ui.notices import notice_place
from sitekit.ui.public import fields
from sitekit.ui.public.delivery import delivered, send_button
from sitekit.ui.public.links import anchor, arrow_link, button
from sitekit.ui.public.words import words_of

from ... import routes
from ...components import profile, sections
from ...components.layout import page
from ...content import layout
from .. import messages, texts
from ..form import COMPLAINTS
from .state import ContactState

FORM_ID = "enquiry"
RECEIPT_ID = "enquiry-sent"


def contact_page(readers: Callable[[], rx.Component], replier: Callable[[], Any]) -> rx.Component:
    """The contact page, to which every 'Get Started' links; `readers` shows who reads the messages.

    `replier` begins the sentence that says by when one of them replies.
    """
    return page(
        routes.CONTACT,
        sections.page_head(texts.HERO, rx.el.p(arrow_link(texts.CALL_INSTEAD), class_name="without-panel"), readers()),
        sections.section(
            rx.el.div(_form_side(replier()), _panel(), class_name="beside beside-form"),
            tone="section-follow",
        ),
        sections.steps_across(texts.NEXT, texts.NEXT_STEPS, tone="section-follow"),
    )


def _form_side(replier: Any) -> rx.Component:
    return rx.el.div(
        delivered(
            rx.el.p(arrow_link(texts.CALL_INSTEAD)),
            text=_thanks(replier),
            form=FORM_ID,
            accepted=ContactState.accepted,
            is_drawn=ContactState.is_sent,
            reported=[texts.ELAPSED, texts.SOURCE],
            id=RECEIPT_ID,
            class_name="notice notice-success notice-inline",
        ),
        # The thanks come first, because the stylesheet hides what follows them.
        rx.el.h2(texts.FORM_TITLE, class_name="title-m"),
        form_marks(
            enquiry_form(),
            drawn=ContactState.drawn_errors,
            errors=ContactState.errors,
            times_refused=ContactState.times_refused,
            saves=ContactState.times_sent,
            checks=ContactState.checks,
            on_check=ContactState.check,
            on_right=NoticeState.withdraw(subject_of(ContactState)),
        ),
        class_name="form-side",
    )


def _thanks(replier: Any) -> Any:
    """The thanks that stand in place of the form; empty before."""
    sent, (mailed, not_mailed) = ContactState.thanks, (texts.THANKS_MAILED, texts.THANKS_NOT_MAILED)
    where = rx.cond(sent["mailed"], mailed.format(email=sent["email"]), not_mailed.format(email=sent["email"]))
    return rx.cond(sent["day"], f"{texts.THANKS.format(name=sent['name'], who=replier, day=sent['day'])} {where}", "")


def enquiry_form() -> rx.Component:
    """The form; uncontrolled, and emptied by the browser when it has been delivered."""
    return rx.el.form(
        rx.el.p(texts.REQUIRED_NOTE, class_name="hint"),
        rx.el.div(_text(texts.FIRST_NAME), _text(texts.LAST_NAME), class_name="field-row"),
        _text(texts.EMAIL, input_type="email"),
        rx.el.div(_text(texts.COMPANY), _stage(), class_name="field-row"),
        fields.long_text_field(texts.MESSAGE, ContactState.typed[texts.MESSAGE.name]),
        fields.honeypot_field(texts.HONEYPOT),
        rx.el.input(type="hidden", name="submission", value=ContactState.submission_id, read_only=True),
        *(rx.el.input(type="hidden", name=name, default_value="") for name in (texts.ELAPSED, texts.SOURCE)),
        mark_summary(),
        rx.el.div(
            send_button(
                is_busy=ContactState.is_busy,
                answers=ContactState.times_sent + ContactState.times_refused,
                label=texts.SUBMIT,
                busy_label=texts.SUBMIT_BUSY,
                unreachable=messages.ENQUIRY_WAITS,
                incomplete=messages.ENQUIRY_INCOMPLETE,
                complaints=COMPLAINTS,
                not_sent=messages.ENQUIRY_NOT_SENT,
                too_long=messages.ENQUIRY_TOO_LONG,
                class_name="button",
            ),
            class_name="actions",
        ),
        notice_place(subject=subject_of(ContactState)),
        rx.el.p(texts.PRIVACY_NOTE, " ", anchor(layout.FOOTER_LEGAL[0]), ".", class_name="hint"),
        on_submit=ContactState.send,
        id=FORM_ID,
        method="post",
        action=f"{routes.CONTACT}#{RECEIPT_ID}",
        no_validate=True,
        class_name="form",
    )


def _text(field: Field, input_type: str = "text") -> rx.Component:
    return fields.text_field(field, ContactState.typed[field.name], input_type=input_type)


def _stage() -> rx.Component:
    typed = ContactState.typed[texts.STAGE.name]
    return fields.choice_field(texts.STAGE, typed, none=texts.STAGE_PLACEHOLDER, options=texts.STAGES)


def _panel() -> rx.Component:
    reach = (
        rx.el.h2(words_of(texts.PANEL_TITLE), class_name="title-m"),
        profile.facts(*map(_way, texts.WAYS)),
        rx.el.p(texts.ADDRESS, rx.el.br(), texts.HOURS, class_name="muted"),
    )
    call = (
        rx.el.h2(texts.CALL_TITLE, class_name="title-m"),
        rx.el.p(words_of(texts.CALL_TEXT), class_name="muted"),
        rx.el.div(button(texts.CALL_LINK), class_name="actions"),
    )
    return rx.el.aside(*(rx.el.div(*part, class_name="panel-part") for part in (reach, call)), class_name="panel")


def _way(way: texts.ContactWay) -> rx.Component:
    value = rx.el.a(way.text, href=way.href) if way.href else way.text
    return rx.el.div(rx.el.dt(way.label), rx.el.dd(value))
