"""`/admin/users/{id}`: what admins see of one person's account, and do to it."""

from typing import Any

import reflex as rx

from ...admin import texts as backoffice
from ...admin.components import controls
from ...admin.components.address import address_gate
from ...admin.components.confirm import confirm_button
from ...admin.components.elements import link
from ...admin.components.forms import field_group
from ...admin.components.table import email_text, status_badge
from ...admin.db_calls import read, write
from ...admin.finder.state import note_opened
from ...admin.guard import admin_event, staff_event
from ...admin.shell import back_link, focus_on_heading, side_page
from ...base import messages, paths
from ...base.errors import NotFound
from ...base.permissions import Actor
from ...base.text import record_id
from ...server.framework.event_marks import ChainedEvent, EventReply
from ...ui.feedback import in_place_of_content, subject_of, success_notice
from ...ui.local_time import local_time
from ..factors.factors import Factor
from ..factors.texts import KINDS
from ..sessions.session_state import AuthState
from ..sessions.sessions import Device
from ..sessions.settings_page import device_facts
from . import people, service
from . import person_texts as texts
from .account_actions import AccountActions, ask_about, role_choice
from .people import Person

TAB = paths.admin_tab("users")


class PersonState(AccountActions, rx.State):
    """The person that the address names, `/admin/users/{id}`.

    `shown` is the path that the vars belong to; `problem` is shown in place of everything if there is no such person,
    or the reader is no admin.
    """

    shown: str = ""
    problem: str = ""
    person: Person = Person()

    @staff_event(failed=lambda self, error, _subject: self._fail(error))
    async def open(self, *, actor: Actor) -> EventReply:
        """Read the account. This is the page's `on_load`; the service allows it for admins only."""
        return await self._load(actor)

    @admin_event(failed=messages.PERSON_DELETE_FAILED, reloads=True)
    async def delete(self, user_id: int, *, actor: Actor) -> EventReply:
        """Delete the account permanently, and return to the list."""
        email = self.person.email
        await write(lambda session: people.delete(session, actor, user_id))
        text = messages.PERSON_DELETED.format(email=email)
        return [success_notice(text, subject_of(self)), rx.redirect(TAB, replace=True)]

    async def _load(self, actor: Actor) -> list[ChainedEvent]:
        try:
            user_id = record_id(str(self.router.url.path).rpartition("/")[2])
            if not user_id:
                raise NotFound(messages.PERSON_MISSING)
            person = await read(lambda session: people.get_person(session, actor, user_id))
        except Exception as error:
            return self._fail(error)
        self.shown, self.problem, self.person = str(self.router.url.path), "", person
        await note_opened(self, service.FINDABLE.table, user_id)
        return []

    def _fail(self, error: Exception) -> list[ChainedEvent]:
        """Show an error in place of the page's content."""
        self.reset()  # type: ignore[no-untyped-call]  # Reflex gives it no types
        self.shown = str(self.router.url.path)
        self.problem, replies = in_place_of_content(error, messages.PERSON_FETCH_FAILED, subject_of(self))
        return replies


def person_title() -> Any:
    """The page's title in the browser's tab."""
    name = PersonState.person.name
    return rx.cond(name != "", f"{name} | {texts.TITLE}", texts.TITLE)


def person_page() -> rx.Component:
    """The page: facts, factors, devices, and what can be done."""
    title = rx.cond(PersonState.person.name != "", PersonState.person.name, texts.TITLE)
    problem = rx.el.p(PersonState.problem, class_name="backoffice-note", role="alert")
    content = rx.cond(
        PersonState.problem != "",
        problem,
        rx.el.div(_account(), _factors(), _devices(), _acts(), class_name="backoffice-form account"),
    )
    gate = address_gate(rx.fragment(focus_on_heading(), content), shown=PersonState.shown, wait=controls.spinner())
    return side_page(title, gate, back=back_link(texts.BACK, TAB, at=paths.ADMIN_PERSON), at="users")


def _account() -> rx.Component:
    person = PersonState.person
    return rx.el.dl(
        _fact(backoffice.EMAIL, email_text(person.email)),
        _fact(backoffice.ROLE, rx.cond(person.role != "", role_choice(PersonState, person), texts.NO_ROLE)),
        _fact(texts.STATUS, _status()),
        _fact(backoffice.MEMBER_SINCE, _time(person.since, "")),
        _fact(texts.CONFIRMED, _time(person.confirmed, texts.NOT_CONFIRMED)),
        _fact(backoffice.LAST_SIGNED_IN, _time(person.signed_in, backoffice.NEVER)),
        class_name="account-facts",
    )


def _fact(label: str, value: Any) -> rx.Component:
    return rx.el.div(rx.el.dt(label), rx.el.dd(value))


def _time(at: Any, without: str) -> rx.Component:
    never = rx.el.span(without, class_name="backoffice-muted")
    return rx.cond(at != "", local_time(at=at), never)


def _status() -> rx.Component:
    since = PersonState.person.deactivated
    return rx.cond(
        since != "",
        rx.fragment(texts.DEACTIVATED_SINCE, " ", local_time(at=since)),
        status_badge(texts.ACTIVE, True),
    )


def _factors() -> rx.Component:
    return field_group(texts.FACTORS, _rows(PersonState.person.factors, _factor, texts.NO_FACTORS))


def _devices() -> rx.Component:
    def device(row: Device) -> rx.Component:
        return rx.el.li(device_facts(row), key=row.session_id)

    return field_group(texts.DEVICES, _rows(PersonState.person.devices, device, texts.NO_DEVICES))


def _rows(rows: Any, row: Any, without: str) -> rx.Component:
    none = rx.el.p(without, class_name="backoffice-muted field-wide")
    return rx.cond(rows.length() > 0, rx.el.ul(rx.foreach(rows, row), class_name="devices field-wide"), none)


def _factor(row: Factor) -> rx.Component:
    used = rx.cond(row.used != "", rx.fragment(texts.LAST_USED, " ", local_time(at=row.used)), texts.NEVER_USED)
    times = rx.el.p(texts.ADDED, " ", local_time(at=row.added, is_short=True), ", ", used, class_name="cell-note")
    kind = rx.match(row.kind, *KINDS.items(), row.kind)
    return rx.el.li(rx.el.div(rx.el.p(kind, ": ", row.name, class_name="cell-title"), times))


def _acts() -> rx.Component:
    state, person = PersonState, PersonState.person
    deactivated = person.deactivated != ""
    reset = _act(texts.RESET, texts.RESET_TEXT, texts.RESET_CONFIRM, state.send_reset_link(person.id))
    sign_out = _act(texts.SIGN_OUT, texts.SIGN_OUT_TEXT, texts.SIGN_OUT_CONFIRM, state.sign_out(person.id))
    deactivate = _act(texts.DEACTIVATE, texts.DEACTIVATE_TEXT, texts.DEACTIVATE_CONFIRM, state.deactivate(person.id))
    reactivate = _act(texts.REACTIVATE, texts.REACTIVATE_TEXT, texts.REACTIVATE_CONFIRM, state.reactivate(person.id))
    delete = _act(texts.DELETE, texts.DELETE_TEXT, texts.DELETE_CONFIRM, state.delete(person.id), is_danger=True)
    others = rx.fragment(rx.cond(deactivated, reactivate, deactivate), delete)
    own = rx.el.li(rx.el.p(texts.OWN, " ", link(texts.TO_PROFILE, href=paths.ADMIN_PROFILE)))
    return field_group(
        texts.ACTS,
        rx.el.ul(
            rx.cond(deactivated, rx.fragment(), rx.fragment(reset, sign_out)),
            rx.cond(AuthState.user_id == person.id, own, others),
            class_name="devices field-wide",
        ),
    )


def _act(label: str, text: str, sentence: str, on_confirm: Any, *, is_danger: bool = False) -> rx.Component:
    return rx.el.li(
        rx.el.div(rx.el.p(text)),
        confirm_button(
            label,
            ask=ask_about(PersonState.person.email, sentence, label, is_danger=is_danger),
            on_confirm=on_confirm,
            variant="outline",
            class_name="is-danger" if is_danger else "",
        ),
    )
