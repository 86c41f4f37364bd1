"""Numbers and spellings that no page sends, as arguments of every handler."""

import inspect
import logging
from collections.abc import Callable
from itertools import count
from typing import Any, get_type_hints

import pytest
import sqlalchemy as sa
from sqlmodel import col

from advisory_site.companies.admin import CompanyFormState
from advisory_site.companies.models import Company
from sitekit.accounts import one_use_links, throttling, tokens
from sitekit.accounts.account_errors import InvalidCredentials, InvalidToken
from sitekit.accounts.form_data import NewPasswordData, SignInData
from sitekit.accounts.models import AuthSession, LinkPurpose, Profile, UserRole
from sitekit.accounts.password import recovery
from sitekit.accounts.people.tab import UserTabState
from sitekit.accounts.personal_data.state import PersonalDataState
from sitekit.accounts.sessions import sign_in as sign_in_service
from sitekit.accounts.sessions.session_state import AuthState
from sitekit.accounts.sessions.settings_page import DeviceState
from sitekit.admin.current_user import CurrentUser
from sitekit.base import paths
from sitekit.base.db.database import read_session, transaction
from sitekit.base.errors import InvalidInput, TooManyAttempts
from sitekit.base.permissions import Role
from sitekit.server.framework.event_marks import access_of
from sitekit.server.framework.events import handlers
from tests.conftest import on_each_database
from tests.e2e.attack import plausible
from tests.support import factories
from tests.support.event_client import EventClient
from tests.support.people import PASSWORD, mailed_link, person, signed_in
from tests.support.record_screens import SCREENS, Screen
from tests.support.staff import sign_in

NUMBERS: tuple[object, ...] = (-1, 2**31 - 1, 2**63, True, 1.5, "--1", "9" * 5000)
TEXTS = ("", "1 ", "\x00", "\ud800", "x" * 10_000)
# Of an identifier that exists.
SPELLINGS = ("{}", " {}", "{} ", "{}\n", "{}\x00", "\u200b{}", "{}\ud800")
Attempt = Callable[[EventClient, str], None]
_numbers = count(1)


def with_arguments(kind: type) -> list[tuple[str, dict[str, Any], list[str]]]:
    """Our handlers with arguments of a type: the name, arguments that fit, and the names of those of this type."""
    found = []
    for state, handler in handlers():
        if access_of(handler) is None or not state.__module__.startswith(("advisory_site.", "sitekit.")):
            continue
        arguments = [one for one in inspect.signature(handler).parameters.values() if one.name != "self"]
        those = [one.name for one in arguments if get_type_hints(handler).get(one.name) is kind]
        if those:
            name = f"{state.get_full_name()}.{handler.__name__}"
            found.append((name, {one.name: plausible(one, 1) for one in arguments}, those))
    return found


@pytest.mark.spec("ROLE-4")
@on_each_database
def test_handlers_take_any_number_without_an_unexpected_error(
    tab: EventClient, caplog: pytest.LogCaptureFixture
) -> None:
    sign_in(tab, Role.ADMIN)
    found = with_arguments(int)
    assert len(found) > 40
    wrong = []
    for name, payload, numbers in found:
        for number in NUMBERS:
            caplog.clear()
            reply = tab.send(name, path="/admin", **payload | dict.fromkeys(numbers, number))
            if reply.errors or any(record.levelno >= logging.ERROR for record in caplog.records):
                wrong.append((name.rpartition("____")[2], str(number)[:20]))
    assert wrong == []


@pytest.mark.spec("ROLE-4")
@on_each_database
def test_handlers_take_any_text_without_an_unexpected_error(tab: EventClient, caplog: pytest.LogCaptureFixture) -> None:
    sign_in(tab, Role.ADMIN)
    wrong = []
    for name, payload, texts in with_arguments(str):
        for text in TEXTS:
            caplog.clear()
            reply = tab.send(name, path="/admin", **payload | dict.fromkeys(texts, text))
            if reply.errors or any(record.levelno >= logging.ERROR for record in caplog.records):
                wrong.append((name.rpartition("____")[2], text[:20]))
    assert wrong == []


def somebody(role: Role = Role.EMPLOYEE) -> tuple[int, str]:
    """The id and the address of a new user."""
    email = f"somebody{next(_numbers)}@northstrait.example"
    return person(email, role), email


def end_the_session_of_another(tab: EventClient, spelling: str) -> None:
    claims = tokens.read(signed_in(somebody()[0]).access_token)
    tab.send(DeviceState.sign_out, path="/admin/settings", session_id=spelling.format(claims.session_id))
    with read_session() as session:
        assert session.get_one(AuthSession, claims.session_id).ended_at is None


def leave_the_site_without_an_admin(tab: EventClient, spelling: str) -> None:
    admin = tab.vars(CurrentUser)["user_id"]
    tab.send(UserTabState.change_role, path="/admin", user_id=admin, role=spelling.format("employee"))
    with read_session() as session:
        assert session.get_one(UserRole, admin).role == Role.ADMIN


def use_a_mailed_link_again(_: EventClient, spelling: str) -> None:
    token = mailed_link(somebody()[0], LinkPurpose.RECOVER)
    data = NewPasswordData(password="another-quiet-morning-17")
    recovery.recover(token, data, "203.0.113.7")
    with pytest.raises(InvalidToken):
        recovery.recover(spelling.format(token), data, "203.0.113.7")


def use_a_link_to_a_file_again(tab: EventClient, spelling: str) -> None:
    link = one_use_links.issue(signed_in(somebody()[0]).access_token, {"a": "b"})
    with transaction() as session:
        one_use_links.use(session, link)
    with transaction() as session, pytest.raises(InvalidToken):
        one_use_links.use(session, spelling.format(link))


def overwriting_a_newer_save(screen: Screen) -> Attempt:
    """Saves the form of a record that somebody has saved since, with its id and version in another spelling."""

    def overwrite(tab: EventClient, spelling: str) -> None:
        [record_id] = screen.add("Newer")
        stale = screen.row(record_id)
        with transaction() as session:
            session.get_one(screen.sample.record_type.table, record_id).version += 1
        keys = {"record": spelling.format(record_id), "version": spelling.format(stale.version)}
        tab.send(screen.form.save, **screen.at(stale), form_data=screen.sample.filled(name="Older", **keys))
        assert screen.row(record_id).name == "Newer"

    return overwrite


def take_the_slug_of_another_company(tab: EventClient, spelling: str) -> None:
    with transaction() as session:
        slug = factories.add_company(session).slug
    tab.send(CompanyFormState.open, path="/admin/companies/new")
    form = factories.company_form(slug=spelling.format(slug), record="0", version="0")
    tab.send(CompanyFormState.save, path="/admin/companies/new", form_data=form)
    with read_session() as session:
        assert [one.strip() for one in session.execute(sa.select(col(Company.slug))).scalars()].count(slug) == 1


def erase_ones_own_account(tab: EventClient, spelling: str) -> None:
    email = tab.vars(CurrentUser)["email"]
    somebody(Role.ADMIN)
    tab.send(PersonalDataState.save, path=paths.ADMIN_PERSONAL_DATA, form_data={"email": spelling.format(email)})
    tab.send(PersonalDataState.erase, path=paths.ADMIN_PERSONAL_DATA, typed=spelling.format(email))
    with read_session() as session:
        assert session.get(Profile, tab.vars(CurrentUser)["user_id"])


def sign_in_while_locked(tab: EventClient, spelling: str) -> None:
    _, email = somebody()
    for _ in range(10):
        throttling.count((throttling.SIGN_IN_BY_ACCOUNT, email))
    with pytest.raises((TooManyAttempts, InvalidCredentials, InvalidInput)):
        sign_in_service.sign_in(SignInData.read({"email": spelling.format(email), "password": PASSWORD}), "203.0.113.7")


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize(
    "attempt",
    [
        end_the_session_of_another,
        leave_the_site_without_an_admin,
        use_a_mailed_link_again,
        use_a_link_to_a_file_again,
        *(pytest.param(overwriting_a_newer_save(one), id=f"overwrite-{name}") for name, one in SCREENS.items()),
        take_the_slug_of_another_company,
        erase_ones_own_account,
        sign_in_while_locked,
    ],
)
def test_forbidden_events_are_refused_in_every_spelling(tab: EventClient, attempt: Attempt) -> None:
    sign_in(tab, Role.ADMIN)
    tab.send(AuthState.check_session)
    for spelling in SPELLINGS:
        attempt(tab, spelling)
