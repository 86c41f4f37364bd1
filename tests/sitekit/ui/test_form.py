"""A form that is submitted twice is handled once: every handler of a form wears the mark, and what the mark does."""

from collections.abc import Iterator

import pytest
import sqlalchemy as sa
from reflex_base.registry import RegistrationContext
from sqlmodel import col

from advisory_site import advisory_site  # noqa: F401  registers every handler
from advisory_site.enquiries.contact.state import ContactState
from advisory_site.enquiries.desk.state import EnquiryDeskState
from sitekit.accounts.models import AuthSession, Profile
from sitekit.accounts.people.profile_page import NamesState
from sitekit.accounts.sessions.auth_state import AuthPageState
from sitekit.accounts.sessions.session_state import AuthState
from sitekit.base import messages
from sitekit.base.db.database import read_session
from sitekit.base.errors import Forbidden, ServiceError, Unavailable
from sitekit.base.permissions import Role
from tests.support.event_client import EventClient
from tests.support.people import PASSWORD, person
from tests.support.staff import sign_in, texts

pytestmark = pytest.mark.usefixtures("database_dir")
EMAIL = "ann@northstrait.example"
RIGHT = {"email": EMAIL, "password": PASSWORD}
# Stores an enquiry by an id of its own, which survives a reload and a plain post; changes nothing the second time.
HARMLESS_TWICE = {ContactState.get_full_name() + ".send", EnquiryDeskState.get_full_name() + ".assign"}


def handlers_of_forms() -> Iterator[str]:
    for name, registered in RegistrationContext.get().event_handlers.items():
        if "form_data" in registered.handler.fn.__annotations__:
            yield name


def count(table: type) -> int:
    with read_session() as session:
        return int(session.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())


def test_every_form_handler_handles_a_submission_once() -> None:
    handlers = RegistrationContext.get().event_handlers
    found = set(handlers_of_forms())
    assert len(found) > 8
    assert {name for name in found if not getattr(handlers[name].handler.fn, "__once__", False)} == HARMLESS_TWICE


@pytest.mark.spec("AUTH-4")
def test_a_double_click_signs_in_once(tab: EventClient) -> None:
    person()
    pressed = RIGHT | {"submission": "1"}
    assert texts(tab.send(AuthPageState.sign_in, path="/auth", form_data=pressed)) == ["Welcome back!"]
    again = tab.send(AuthPageState.sign_in, path="/auth", form_data=pressed)
    assert (texts(again), again.events, again.errors) == ([], [], [])
    assert count(AuthSession) == 1
    tab.send(AuthPageState.sign_in, path="/auth", form_data=RIGHT | {"submission": "2"})
    assert count(AuthSession) == 2


def test_the_answer_names_the_submission_it_belongs_to(tab: EventClient) -> None:
    reply = tab.send(AuthPageState.sign_in, path="/auth", form_data={"submission": "7"})
    assert reply.var("auth_page_state.answered") == "7"


@pytest.mark.parametrize("form", [RIGHT, RIGHT | {"submission": ""}, RIGHT | {"submission": "x" * 41}])
def test_a_form_without_a_submission_id_is_handled_every_time(tab: EventClient, form: dict[str, object]) -> None:
    person()
    for _ in range(2):
        tab.send(AuthPageState.sign_in, path="/auth", form_data=form)
    assert count(AuthSession) == 2


@pytest.mark.spec("ADM-4")
def test_a_staff_form_handler_stays_guarded_and_handles_a_submission_once(tab: EventClient) -> None:
    form = {"first_name": "Mei", "last_name": "Tan", "submission": "1"}
    assert texts(tab.send(NamesState.save, form_data=form)) == []
    sign_in(tab, Role.EMPLOYEE)
    assert texts(tab.send(NamesState.save, form_data=form)) == ["Profile updated successfully"]
    assert texts(tab.send(NamesState.save, form_data=form)) == []
    with read_session() as session:
        assert list(session.execute(sa.select(col(Profile.first_name))).scalars()) == ["Mei"]


def test_a_form_is_busy_until_it_is_answered(tab: EventClient, monkeypatch: pytest.MonkeyPatch) -> None:
    tab.send(AuthPageState.open, path="/auth")  # A tab's first event would do it at its end.
    seen: list[bool] = []
    monkeypatch.setattr(AuthPageState, "_begin", lambda state: seen.append(state.is_busy))
    reply = tab.send(AuthPageState.sign_in, path="/auth", form_data={})
    assert (seen, reply.var("auth_page_state.is_busy")) == ([True], False)


def test_a_form_can_be_sent_again_as_soon_as_its_error_is_shown(tab: EventClient) -> None:
    tab.send(AuthPageState.open, path="/auth")
    reply = tab.send(AuthPageState.sign_in, path="/auth", form_data=RIGHT | {"submission": "1"})
    [refused] = [delta for delta in reply.deltas if "auth_page_state.times_refused" in delta]
    assert refused["auth_page_state.is_busy"] is False
    assert refused["auth_page_state.answered"] == "1"


@pytest.mark.spec("ADM-4")
@pytest.mark.parametrize("error", [Unavailable(), Forbidden(messages.NOT_ALLOWED)])
def test_a_form_that_is_refused_before_it_is_handled_can_be_sent_again_at_once(
    tab: EventClient, monkeypatch: pytest.MonkeyPatch, error: ServiceError
) -> None:
    def refuse(*_: object) -> None:
        raise error

    sign_in(tab, Role.EMPLOYEE)
    monkeypatch.setattr(AuthState, "_identity", refuse)
    reply = tab.send(NamesState.save, form_data={"first_name": "Mei", "last_name": "Tan", "submission": "1"})
    assert texts(reply) == [error.message]
    assert reply.var("names_state.times_refused") == 1


def test_an_unexpected_error_also_answers_the_submission(tab: EventClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> str:
        raise RuntimeError

    monkeypatch.setattr(AuthPageState, "_begin", fail)
    reply = tab.send(AuthPageState.sign_in, path="/auth", form_data=RIGHT | {"submission": "1"})
    assert [type(error) for error in reply.errors] == [RuntimeError]
    assert reply.var("auth_page_state.answered") == "1"
