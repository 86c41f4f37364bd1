"""`/admin/enquiries/{id}`: one enquiry, what was done with it, and what there is to do."""

from typing import Any

import reflex as rx

from sitekit.admin.components import controls
from sitekit.admin.components.address import address_gate
from sitekit.admin.components.browser import Ticker, caret
from sitekit.admin.components.confirm import confirm_button, question
from sitekit.admin.components.elements import link
from sitekit.admin.components.forms import long_field, text_field
from sitekit.admin.components.record_form import backoffice_form, hidden_number
from sitekit.admin.components.submit import submit_button
from sitekit.admin.components.table import email_text, person_text
from sitekit.admin.current_user import where_allowed
from sitekit.admin.shell import back_link, focus_on_heading, side_page
from sitekit.admin.staff_form import StaffForm, typed_is_kept
from sitekit.base import paths
from sitekit.ui.browser import MoveFocus
from sitekit.ui.feedback import subject_of
from sitekit.ui.icons import icon
from sitekit.ui.local_time import local_time
from sitekit.ui.notices import notice_place

from ... import routes
from ...permissions import SiteAction
from .. import admin_texts, messages
from .. import desk_texts as texts
from ..models import EnquiryState, EntryCategory
from .list_page import due_text, state_badge
from .state import AddAnswerState, AddNoteState, EnquiryDeskState, EntryForm, ReplyState, WaitState
from .view import Choice, EntryView, OtherEnquiry

# For types, an attribute of the var is the value's.
ENQUIRY: Any = EnquiryDeskState.enquiry
SOON, LATER = 5_000, 60_000  # ms after which the page is read again: while a mail is being sent, and else


def enquiry_title() -> Any:
    """The page's title in the browser's tab."""
    name = ENQUIRY.name
    return rx.cond(name != "", f"{name} | {admin_texts.TITLE}", admin_texts.TITLE)


def enquiry_page() -> rx.Component:
    """The page: who wrote what, what was done, and the forms; beside it where the enquiry stands."""
    state = EnquiryDeskState
    heading = rx.cond(ENQUIRY.name != "", ENQUIRY.name, admin_texts.HEADING)
    problem = rx.el.p(state.problem, class_name="backoffice-note", role="alert")
    desk = rx.fragment(
        focus_on_heading(),
        _head(),
        rx.el.div(
            rx.el.div(
                _message(),
                _thread(),
                where_allowed(SiteAction.CHANGE_ENQUIRIES, _reply(), _record()),
                class_name="desk-main",
            ),
            _rail(),
            class_name="desk",
        ),
        Ticker.create(every=rx.cond(state.is_sending, SOON, LATER), watched="", on_tick=state.refresh.temporal),
    )
    gate = address_gate(rx.cond(state.problem != "", problem, desk), shown=state.shown, wait=controls.spinner())
    return side_page(
        heading, gate, back=back_link(texts.BACK, state.back, at=routes.ADMIN_ENQUIRIES), at=routes.ADMIN_ENQUIRIES
    )


def _head() -> rx.Component:
    return rx.el.div(
        state_badge(ENQUIRY.state),
        due_text(ENQUIRY),
        rx.el.span(email_text(ENQUIRY.email)),
        rx.cond(ENQUIRY.company != "", rx.el.span(ENQUIRY.company)),
        rx.cond(ENQUIRY.stage != "", rx.el.span(f"{admin_texts.STAGE}: {ENQUIRY.stage}")),
        class_name="desk-head",
    )


def _message() -> rx.Component:
    return rx.el.article(
        _who(ENQUIRY.name, texts.WROTE, ENQUIRY.received, level=rx.el.h2),
        rx.el.p(ENQUIRY.message, class_name="desk-entry-text"),
        class_name="desk-entry desk-entry-message",
    )


def _who(name: Any, what: Any, at: Any, *actions: rx.Component, level: Any = rx.el.p) -> rx.Component:
    return rx.el.div(
        level(rx.el.b(name), " ", what),
        rx.el.div(local_time(at=at), *actions, class_name="backoffice-muted"),
        class_name="desk-entry-who",
    )


def _thread() -> rx.Component:
    return rx.el.ol(rx.foreach(ENQUIRY.thread, _entry), aria_label=texts.THREAD, class_name="desk-thread")


def _entry(entry: EntryView) -> rx.Component:
    said = rx.match(
        entry.category,
        (EntryCategory.REPLY.value, texts.REPLIED),
        (EntryCategory.NOTE.value, texts.NOTED),
        texts.ANSWERED,
    )
    written = rx.el.div(
        _who(entry.who, said, entry.at, rx.cond(entry.may_remove, _remove(entry))),
        rx.el.p(entry.text, class_name="desk-entry-text"),
        _delivery(entry),
        class_name=f"desk-entry desk-entry-{entry.category}",
    )
    is_note = entry.category == EntryCategory.NOTE.value
    removed = _line(entry, rx.cond(is_note, texts.REMOVED_NOTE, texts.REMOVED_ANSWER))
    is_line = (entry.category == EntryCategory.CHANGE.value) | (entry.category == EntryCategory.RELEASED.value)
    line = rx.fragment(_line(entry, entry.text), rx.cond(entry.failure != "", _delivery(entry)))
    return rx.el.li(rx.cond(entry.is_removed, removed, rx.cond(is_line, line, written)), key=entry.id)


def _line(entry: EntryView, text: Any) -> rx.Component:
    """What was done in one line; without a name the text is a sentence of its own."""
    return rx.el.p(
        rx.cond(entry.who != "", f"{entry.who} {text}", text),
        " · ",
        local_time(at=entry.at),
        class_name="desk-entry-line",
    )


def _remove(entry: EntryView) -> rx.Component:
    return confirm_button(
        texts.REMOVE,
        ask=question(texts.REMOVE_CONFIRM, texts.REMOVE, is_danger=True),
        on_confirm=EnquiryDeskState.remove(entry.id),
    )


def _delivery(entry: EntryView) -> rx.Component:
    """Whether its mail was sent."""
    again = controls.button(
        texts.SEND_AGAIN, on_click=EnquiryDeskState.send_again(entry.id), variant="outline", size="sm"
    )
    failed = rx.el.div(
        rx.el.p(
            icon("alert", class_name="icon-small"),
            rx.el.span(texts.FAILED, " ", entry.failure),
            class_name="is-overdue",
        ),
        where_allowed(SiteAction.CHANGE_ENQUIRIES, again),
    )
    sent = rx.el.p(
        icon("check", class_name="icon-small"), rx.el.span(texts.SENT, " ", local_time(at=entry.sent, near=entry.at))
    )
    said = rx.match(
        entry.delivery,
        ("sending", rx.el.p(texts.SENDING)),
        ("retrying", rx.el.p(icon("alert", class_name="icon-small"), rx.el.span(texts.RETRYING, " ", entry.failure))),
        ("sent", sent),
        ("failed", failed),
        rx.fragment(),
    )
    return rx.el.div(said, class_name="desk-entry-delivery", aria_live="polite")


def _reply() -> rx.Component:
    """The form for a reply, or why there is none."""
    state = ReplyState
    form = _entry_form(
        state,
        long_field(state.name, texts.REPLY_LABEL, state.form.texts[state.name], rows=10),
        caret(to=f"#{_id_of(state)} [name={state.name}]", when=state.saves),
        notice_place(subject=subject_of(state)),
        rx.el.div(
            rx.cond(
                ENQUIRY.can_sign,
                submit_button(state, texts.SEND, texts.SENDING),
                controls.button_link(texts.ADD_NAME, href=paths.ADMIN_PROFILE, variant="outline"),
            ),
            rx.el.a(icon("mail", class_name="icon-small"), admin_texts.REPLY, href=ENQUIRY.mail_link),
            class_name="form-buttons",
        ),
    )
    reply = rx.fragment(rx.el.h2(texts.REPLY_TO, " ", email_text(ENQUIRY.email)), form)
    return rx.el.section(
        rx.cond(
            ENQUIRY.state == EnquiryState.SPAM.value,
            rx.el.p(messages.REPLY_TO_SPAM, class_name="backoffice-note"),
            rx.cond(ENQUIRY.can_be_mailed, reply, rx.el.p(messages.NOT_MAILABLE, class_name="backoffice-note")),
        ),
        class_name="desk-form",
    )


def _record() -> rx.Component:
    """The forms for what is never mailed."""
    return rx.el.div(
        _short_entry(AddNoteState, texts.NOTE, texts.NOTE_LABEL, texts.NOTE_HINT),
        _short_entry(AddAnswerState, texts.ANSWER, texts.ANSWER_LABEL, texts.ANSWER_HINT),
        class_name="desk-record",
    )


def _short_entry(state: type[EntryForm], label: str, field_label: str, hint: str) -> rx.Component:
    field = long_field(state.name, field_label, state.form.texts[state.name], hint=hint)
    notices, button = _end(state, label)
    return rx.fragment(
        rx.el.details(
            rx.el.summary(icon("plus", class_name="icon-small"), label),
            _entry_form(state, field, button),
            class_name=f"desk-add desk-add-{state.name}",
        ),
        notices,
        MoveFocus.create(to=f".desk-add-{state.name} > summary", when=state.saves),
    )


def _entry_form(state: type[EntryForm], *content: rx.Component) -> rx.Component:
    """A form that keeps what is typed, once it is that of the enquiry."""
    form = backoffice_form(
        state,
        _id_of(state),
        typed_is_kept(state, _id_of(state)),
        hidden_number("record", state.form.id),
        hidden_number("version", state.form.version),
        *content,
    )
    return rx.cond(state.form.id == ENQUIRY.id, form)


def _id_of(state: type[EntryForm]) -> str:
    return f"{state.name}-form"


def _end(state: type[StaffForm], label: str) -> tuple[rx.Component, rx.Component]:
    """The notices of a short form, and its button."""
    button = submit_button(state, label, texts.SAVING, variant="outline")
    return notice_place(subject=subject_of(state)), rx.el.div(button, class_name="form-buttons")


def _rail() -> rx.Component:
    """Where the enquiry stands, and what changes that."""
    return rx.el.aside(
        rx.cond(ENQUIRY.state != EnquiryState.SPAM.value, _owner()),
        _state(),
        rx.cond(ENQUIRY.reasons.length() > 0, _reasons()),
        _source(),
        rx.cond(ENQUIRY.others.length() > 0, _others()),
        aria_label=texts.ABOUT,
        class_name="desk-rail",
    )


def _part(title: str, *content: rx.Component) -> rx.Component:
    return rx.el.section(rx.el.h2(title), *content)


def _owner() -> rx.Component:
    state = EnquiryDeskState
    take, over = state.take(ENQUIRY.id, ENQUIRY.owner), f"{texts.TAKE_OVER} {ENQUIRY.owner_name}"
    ask = question(f"{over}{texts.TAKE_OVER_CONFIRM}", texts.TAKE_OVER_YES)
    take_over = confirm_button(over, ask=ask, on_confirm=take, variant="outline", size="md")
    options = rx.foreach(ENQUIRY.people, lambda person: _person(person))
    select = controls.select(
        rx.el.option(texts.NOBODY, value=""),
        options,
        name="owner",
        default_value=rx.cond(ENQUIRY.owner > 0, ENQUIRY.owner.to_string(), ""),
        key=ENQUIRY.owner,
        custom_attrs={"aria-label": texts.ASSIGN_TO},
    )
    return _part(
        texts.OWNER,
        rx.el.p(
            rx.cond(ENQUIRY.owner_name != "", person_text(ENQUIRY.owner_name), texts.NOBODY), class_name="desk-owner"
        ),
        where_allowed(
            SiteAction.CHANGE_ENQUIRIES,
            rx.match(
                ENQUIRY.owner,
                (0, controls.button(texts.TAKE, on_click=take)),
                rx.cond(ENQUIRY.is_mine, rx.fragment(), take_over),
            ),
            rx.el.form(
                select,
                controls.button(texts.ASSIGN, type_="submit", variant="outline"),
                on_submit=state.assign(ENQUIRY.id, ENQUIRY.owner),
                class_name="desk-assign",
            ),
        ),
    )


def _person(person: Choice) -> rx.Component:
    return rx.el.option(person.name, value=person.id)


def _state() -> rx.Component:
    state = EnquiryDeskState
    is_handled, is_spam = ENQUIRY.state == EnquiryState.HANDLED.value, ENQUIRY.state == EnquiryState.SPAM.value
    mark = controls.button(
        rx.cond(is_handled, admin_texts.MARK_NEW, admin_texts.MARK_HANDLED),
        on_click=state.set_handled(ENQUIRY.id, ~is_handled),
        variant="outline",
    )
    spam = controls.button(
        rx.cond(is_spam, texts.MARK_NOT_SPAM, texts.MARK_SPAM),
        on_click=state.set_spam(ENQUIRY.id, ~is_spam),
        variant="outline",
    )
    delete = confirm_button(
        icon("trash", class_name="icon-small"),
        admin_texts.DELETE,
        ask=question(messages.ENQUIRY_DELETE_CONFIRM, admin_texts.DELETE, is_danger=True),
        on_confirm=state.delete(ENQUIRY.id),
        size="md",
        class_name="is-danger",
    )
    until = backoffice_form(
        WaitState,
        "wait-form",
        hidden_number("record", ENQUIRY.id),
        text_field("until", texts.UNTIL, ENQUIRY.until, hint=texts.UNTIL_HINT, type_="date"),
        *_end(WaitState, texts.SAVE),
    )
    return _part(
        admin_texts.STATUS,
        rx.cond(ENQUIRY.handled != "", rx.el.p(local_time(at=ENQUIRY.handled), class_name="backoffice-muted")),
        where_allowed(
            SiteAction.CHANGE_ENQUIRIES,
            rx.cond(ENQUIRY.state == EnquiryState.WAITING.value, until),
            rx.el.div(rx.cond(is_spam, rx.fragment(), mark), spam, delete, class_name="desk-buttons"),
        ),
    )


def _reasons() -> rx.Component:
    reasons = rx.foreach(ENQUIRY.reasons, lambda reason: rx.el.li(reason))
    return _part(texts.REASONS, rx.el.ul(reasons, class_name="desk-list"))


def _source() -> rx.Component:
    page = rx.el.a(ENQUIRY.source_path, href=ENQUIRY.source_path)
    from_page = _part(texts.SOURCE, rx.el.p(page, class_name="desk-source"))
    from_host = _part(texts.SOURCE, rx.el.p(ENQUIRY.source_host, class_name="desk-source"))
    return rx.cond(ENQUIRY.source_path != "", from_page, rx.cond(ENQUIRY.source_host != "", from_host))


def _others() -> rx.Component:
    return _part(texts.ALSO, rx.el.ul(rx.foreach(ENQUIRY.others, _other), class_name="desk-list"))


def _other(other: OtherEnquiry) -> rx.Component:
    note = rx.el.p(other.state, ", ", local_time(at=other.received, is_short=True), class_name="cell-note")
    return rx.el.li(link(other.excerpt, href=routes.enquiry_page(other.id)), note)
