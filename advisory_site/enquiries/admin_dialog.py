"""The dialog of one enquiry: read, answer, mark, delete."""

from typing import Any

import reflex as rx

from ..content import messages
from ..ui.backoffice.chakra import rc
from ..ui.backoffice.confirm import confirm_button
from ..ui.backoffice.dialog import address_dialog
from ..ui.icons import icon
from ..ui.local_time import local_time
from . import admin_texts as words
from .inbox import EnquiryView

OPEN = "open"


def enquiry_dialog(enquiry: EnquiryView, shown: Any, set_handled: Any, delete: Any) -> rx.Component:
    """The dialog, open while the address has `open`."""
    content = rx.el.div(
        _facts(enquiry),
        rx.el.p(enquiry.message, class_name="enquiry-message"),
        _foot(enquiry, set_handled, delete),
        class_name="enquiry",
    )
    heading = rx.cond(enquiry.name != "", f"{words.HEADING_FROM} {enquiry.name}", words.HEADING)
    return address_dialog(content, parameter=OPEN, shown=shown, heading=heading)


def _facts(enquiry: EnquiryView) -> rx.Component:
    handled = rx.fragment(rc.badge(words.HANDLED, variant="subtle"), " ", local_time(at=enquiry.handled))
    return rx.el.dl(
        _fact(words.EMAIL, rx.el.a(enquiry.email, href=enquiry.reply)),
        rx.cond(enquiry.company != "", _fact(words.COMPANY, rx.fragment(enquiry.company))),
        rx.cond(enquiry.stage != "", _fact(words.STAGE, rx.fragment(enquiry.stage))),
        _fact(words.RECEIVED, local_time(at=enquiry.received)),
        _fact(words.STATUS, rx.cond(enquiry.handled != "", handled, rc.badge(words.NEW, variant="solid"))),
        class_name="enquiry-facts",
    )


def _fact(label: str, value: rx.Component) -> rx.Component:
    return rx.el.div(rx.el.dt(label), rx.el.dd(value))


def _foot(enquiry: EnquiryView, set_handled: Any, delete: Any) -> rx.Component:
    is_new = enquiry.handled == ""
    return rx.el.div(
        confirm_button(
            icon("trash", class_name="icon-small"),
            words.DELETE,
            sentence=messages.ENQUIRY_DELETE_CONFIRM,
            on_confirm=delete(enquiry.id),
            size="md",
        ),
        rc.button(
            rx.cond(is_new, words.MARK_HANDLED, words.MARK_NEW),
            on_click=set_handled(enquiry.id, is_new),
            variant="outline",
        ),
        rx.el.a(
            icon("mail", class_name="icon-small"),
            words.REPLY,
            href=enquiry.reply,
            class_name="backoffice-button backoffice-button-main",
        ),
        class_name="enquiry-foot",
    )
