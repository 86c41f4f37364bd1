"""`/admin/users/{id}`: what admins see of one person's account, and do to it."""

from dataclasses import dataclass
from typing import Any

import reflex as rx

from ..accounts import people
from ..accounts.guard import admin_event, staff_event
from ..accounts.people import Factor, Person
from ..accounts.session_state import AuthState
from ..backoffice.db_calls import read, write
from ..backoffice.shell import role_badge, side_page, spinner
from ..content import backoffice, messages
from ..core import routes
from ..core.errors import NotFound, ServiceError
from ..core.permissions import Actor
from ..core.text import iso_text, record_id
from ..core.threads import WRITERS
from ..framework.event_marks import ChainedEvent, EventReply
from ..ui.backoffice.address import address_gate
from ..ui.backoffice.chakra import link
from ..ui.backoffice.confirm import confirm_button
from ..ui.backoffice.forms import field_group
from ..ui.backoffice.table import email_text, status_badge
from ..ui.feedback import error_notice, subject_of, success_notice
from ..ui.local_time import local_time
from . import person_texts as words
from .settings_page import DeviceRow, device_facts, device_row

TAB = routes.admin_tab("users")


@dataclass(frozen=True)
class PersonFacts:
    """A person as the page shows them; times are ISO texts in UTC."""

    id: int = 0
    name: str = ""
    email: str = ""
    role: str = ""
    since: str = ""
    confirmed: str = ""
    signed_in: str = ""
    deactivated: str = ""


@dataclass(frozen=True)
class FactorRow:
    """A second factor as the page lists it."""

    kind: str = ""
    name: str = ""
    added: str = ""
    used: str = ""


class PersonState(rx.State):
    """The person that the address names, `/admin/users/{id}`.

    `shown` is the path that the vars belong to; `problem` is shown in place of everything if there is no such person,
    or the reader is no admin.
    """

    shown: str = ""
    problem: str = ""
    person: PersonFacts = PersonFacts()
    factors: list[FactorRow] = []
    devices: list[DeviceRow] = []

    @staff_event
    async def open(self, *, actor: Actor) -> EventReply:
        """Read the account. This is the page's `on_load`; the service allows it for admins only."""
        return await self._load(actor)

    @admin_event
    async def send_reset_link(self, user_id: int, *, actor: Actor) -> EventReply:
        """Mail a link to choose a new password."""
        try:
            email = await WRITERS.run(people.send_reset_link, actor, user_id)
        except Exception as error:
            return error_notice(error, messages.RESET_LINK_FAILED, subject_of(self))
        return success_notice(messages.RESET_LINK_SENT.format(email=email), subject_of(self))

    @admin_event
    async def sign_out(self, user_id: int, *, actor: Actor) -> EventReply:
        """End every session of the person."""
        try:
            ended = await write(lambda session: people.sign_out(session, actor, user_id))
        except Exception as error:
            return error_notice(error, messages.PERSON_SIGN_OUT_FAILED, subject_of(self))
        devices = f"{ended} {'device' if ended == 1 else 'devices'}"
        text = messages.PERSON_SIGNED_OUT.format(devices=devices) if ended else messages.PERSON_NOT_SIGNED_IN
        return [success_notice(text, subject_of(self)), *await self._load(actor), AuthState.check_session]

    @admin_event
    async def deactivate(self, user_id: int, *, actor: Actor) -> EventReply:
        """Keep the person out."""
        try:
            await write(lambda session: people.deactivate(session, actor, user_id))
        except Exception as error:
            return [error_notice(error, messages.PERSON_DEACTIVATE_FAILED, subject_of(self)), *await self._load(actor)]
        return [success_notice(messages.PERSON_DEACTIVATED, subject_of(self)), *await self._load(actor)]

    @admin_event
    async def reactivate(self, user_id: int, *, actor: Actor) -> EventReply:
        """Let the person in again."""
        try:
            await write(lambda session: people.reactivate(session, actor, user_id))
        except Exception as error:
            return [error_notice(error, messages.PERSON_REACTIVATE_FAILED, subject_of(self)), *await self._load(actor)]
        return [success_notice(messages.PERSON_REACTIVATED, subject_of(self)), *await self._load(actor)]

    @admin_event
    async def delete(self, user_id: int, *, actor: Actor) -> EventReply:
        """Delete the account for good, and return to the list."""
        email = self.person.email
        try:
            await write(lambda session: people.delete(session, actor, user_id))
        except Exception as error:
            return [error_notice(error, messages.PERSON_DELETE_FAILED, subject_of(self)), *await self._load(actor)]
        text = messages.PERSON_DELETED.format(email=email)
        return [success_notice(text, subject_of(self)), rx.redirect(TAB, replace=True)]

    async def _load(self, actor: Actor) -> list[ChainedEvent]:
        try:
            user_id = record_id(self.router.page.params.get("id"))
            if not user_id:
                raise NotFound(messages.PERSON_MISSING)
            found = await read(lambda session: people.get_person(session, actor, user_id))
        except Exception as error:
            return self._fail(error)
        self.shown, self.problem, self.person = str(self.router.url.path), "", _facts(found)
        self.factors = [_factor_row(one) for one in found.factors]
        self.devices = [device_row(one) for one in found.devices]
        return []

    def _fail(self, error: Exception) -> list[ChainedEvent]:
        """Show an error in place of the page's content."""
        self.reset()  # type: ignore[no-untyped-call]  # Reflex gives it no types
        self.shown = str(self.router.url.path)
        self.problem = error.message if isinstance(error, ServiceError) else messages.PERSON_FETCH_FAILED
        return [] if isinstance(error, ServiceError) else [error_notice(error, self.problem, subject_of(self))]

    def _on_database_down(self, handler: str, error: Exception) -> EventReply:
        if handler == "open":
            return self._fail(error)
        failed = {
            "send_reset_link": messages.RESET_LINK_FAILED,
            "sign_out": messages.PERSON_SIGN_OUT_FAILED,
            "deactivate": messages.PERSON_DEACTIVATE_FAILED,
            "reactivate": messages.PERSON_REACTIVATE_FAILED,
            "delete": messages.PERSON_DELETE_FAILED,
        }
        return error_notice(error, failed[handler], subject_of(self))


def _facts(one: Person) -> PersonFacts:
    return PersonFacts(
        id=one.id,
        name=f"{one.first_name} {one.last_name}".strip() or one.email,
        email=one.email,
        role=one.role,
        since=iso_text(one.created_at),
        confirmed=iso_text(one.confirmed_at),
        signed_in=iso_text(one.last_signed_in_at),
        deactivated=iso_text(one.deactivated_at),
    )


def _factor_row(one: Factor) -> FactorRow:
    kind = words.FACTOR_KINDS.get(one.kind, one.kind)
    return FactorRow(kind, one.name, iso_text(one.created_at), iso_text(one.last_used_at))


def person_page() -> rx.Component:
    """The page: facts, factors, devices, and what can be done."""
    title = rx.cond(PersonState.person.name != "", PersonState.person.name, words.TITLE)
    problem = rx.el.p(PersonState.problem, class_name="backoffice-note", role="alert")
    content = rx.cond(
        PersonState.problem != "",
        problem,
        rx.el.div(_account(), _factors(), _devices(), _acts(), class_name="backoffice-form account"),
    )
    return side_page(title, TAB, words.BACK, address_gate(content, shown=PersonState.shown, wait=spinner()))


def _account() -> rx.Component:
    one = PersonState.person
    return rx.el.dl(
        _fact(backoffice.EMAIL, email_text(one.email)),
        _fact(backoffice.ROLE, rx.cond(one.role != "", role_badge(one.role), words.NO_ROLE)),
        _fact(words.STATUS, _status()),
        _fact(backoffice.MEMBER_SINCE, _time(one.since, "")),
        _fact(words.CONFIRMED, _time(one.confirmed, words.NOT_CONFIRMED)),
        _fact(backoffice.LAST_SIGNED_IN, _time(one.signed_in, backoffice.NEVER)),
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
        rx.fragment(words.DEACTIVATED_SINCE, " ", local_time(at=since)),
        status_badge(words.ACTIVE, True),
    )


def _factors() -> rx.Component:
    return field_group(words.FACTORS, _rows(PersonState.factors, _factor, words.NO_FACTORS))


def _devices() -> rx.Component:
    def device(row: DeviceRow) -> rx.Component:
        return rx.el.li(device_facts(row), key=row.session_id)

    return field_group(words.DEVICES, _rows(PersonState.devices, device, words.NO_DEVICES))


def _rows(rows: Any, row: Any, without: str) -> rx.Component:
    none = rx.el.p(without, class_name="backoffice-muted field-wide")
    return rx.cond(rows.length() > 0, rx.el.ul(rx.foreach(rows, row), class_name="devices field-wide"), none)


def _factor(row: FactorRow) -> rx.Component:
    used = rx.cond(row.used != "", rx.fragment(words.LAST_USED, " ", local_time(at=row.used)), words.NEVER_USED)
    times = rx.el.p(words.ADDED, " ", local_time(at=row.added, is_short=True), ", ", used, class_name="cell-note")
    return rx.el.li(rx.el.div(rx.el.p(row.kind, ": ", row.name, class_name="cell-title"), times))


def _acts() -> rx.Component:
    state, one = PersonState, PersonState.person
    deactivated = one.deactivated != ""
    reset = _act(words.RESET, words.RESET_TEXT, words.RESET_CONFIRM, state.send_reset_link(one.id))
    sign_out = _act(words.SIGN_OUT, words.SIGN_OUT_TEXT, words.SIGN_OUT_CONFIRM, state.sign_out(one.id))
    deactivate = _act(words.DEACTIVATE, words.DEACTIVATE_TEXT, words.DEACTIVATE_CONFIRM, state.deactivate(one.id))
    reactivate = _act(words.REACTIVATE, words.REACTIVATE_TEXT, words.REACTIVATE_CONFIRM, state.reactivate(one.id))
    delete = _act(words.DELETE, words.DELETE_TEXT, words.DELETE_CONFIRM, state.delete(one.id), class_name="is-danger")
    others = rx.fragment(rx.cond(deactivated, reactivate, deactivate), delete)
    own = rx.el.li(rx.el.p(words.OWN, " ", link(words.TO_PROFILE, href=routes.ADMIN_PROFILE)))
    return field_group(
        words.ACTS,
        rx.el.ul(
            rx.cond(deactivated, rx.fragment(), rx.fragment(reset, sign_out)),
            rx.cond(AuthState.user_id == one.id, own, others),
            class_name="devices field-wide",
        ),
    )


def _act(label: str, text: str, question: str, on_confirm: Any, **look: Any) -> rx.Component:
    before, after = question.split("{email}")
    return rx.el.li(
        rx.el.div(rx.el.p(label, class_name="cell-title"), rx.el.p(text, class_name="cell-note")),
        confirm_button(
            label,
            sentence=f"{before}{PersonState.person.email}{after}",
            on_confirm=on_confirm,
            variant="outline",
            **look,
        ),
    )
