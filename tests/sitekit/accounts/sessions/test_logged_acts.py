"""Every act around accounts is a line of the activity log: who, what, about whom."""

from typing import Any

import pytest
import sqlalchemy as sa

from sitekit.accounts import throttling
from sitekit.accounts.account_errors import InvalidCredentials, InvalidToken
from sitekit.accounts.form_data import EmailData, NamesData, NewPasswordData, SignInData, SignUpData
from sitekit.accounts.password import recovery
from sitekit.accounts.people import service, sign_up
from sitekit.accounts.sessions import sessions, sign_in
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.errors import TooManyAttempts
from sitekit.base.observability import audit_log
from sitekit.base.permissions import Actor, Role
from sitekit.base.settings import get_settings
from sitekit.records.activity import columns
from tests.support.people import PASSWORD, person, signed_in

pytestmark = [pytest.mark.spec("LOG-1"), pytest.mark.usefixtures("database", "client")]
ANN, NEW = "ann@northstrait.example", "a-much-longer-evening-43"


@pytest.fixture
def client(database: object, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The cheapest hashes, and an event of a client."""
    monkeypatch.setenv("ADVISORY_BCRYPT_COST", "4")
    get_settings.cache_clear()
    token = audit_log.network.set("203.0.113.7")
    yield
    audit_log.network.reset(token)


def noted(*, after: int = 0) -> list[tuple[int | None, str, str, str]]:
    query = sa.select(columns.by, columns.by_name, columns.act, columns.subject).where(columns.id > after)
    with read_session() as session:
        return [tuple(row) for row in session.execute(query.order_by(columns.id))]


def enter(password: str, email: str = ANN) -> None:
    sign_in.sign_in(SignInData.read({"email": email, "password": password}), "203.0.113.7")


def passwords(password: str = NEW) -> NewPasswordData:
    return NewPasswordData.read({"password": password, "confirm_password": password})


def test_a_successful_and_a_failed_sign_in_are_logged() -> None:
    ann = person()
    with pytest.raises(InvalidCredentials):
        enter("wrong password")
    with pytest.raises(InvalidCredentials):
        enter("wrong password", email=PASSWORD)
    enter(PASSWORD)
    assert noted() == [
        (None, ANN, "sign_in_failed", ""),
        (None, "no email address", "sign_in_failed", ""),
        (ann, "Ann Lim", "signed_in", "signed in"),
    ]
    with read_session() as session:
        assert set(session.execute(sa.select(columns.network)).scalars()) == {"203.0.113.0/24"}
        assert PASSWORD not in str(session.execute(sa.select(*columns)).all())


def test_a_logged_refusal_names_its_limit_and_is_stored_once() -> None:
    for _ in range(13):
        with pytest.raises((InvalidCredentials, TooManyAttempts)):
            enter("wrong password")
    assert noted()[-2:] == [(None, ANN, "sign_in_failed", ""), (None, ANN, "too_many_attempts", "sign-in account")]


def test_a_logged_account_limit_is_named_without_its_hash() -> None:
    assert throttling.sign_in_by_browser(ANN).name == "sign-in"
    assert throttling.SIGN_IN_BY_ACCOUNT.name == "sign-in account"


def test_signing_out_here_and_everywhere_is_logged() -> None:
    ann = person()
    one, two, three, four = (signed_in(ann) for _ in range(4))
    with transaction() as session:
        sessions.end(session, one.access_token)
        sessions.end(session, one.access_token)
        sessions.end_one(session, ann, sessions.identify(session, two.access_token).session_id)
        sessions.end_all(session, ann, by=ann)
        sessions.end_all(session, ann, by=ann)
    assert [line[2:] for line in noted(after=4)] == [
        ("signed_out", ""),
        ("devices_signed_out", f"{ANN}, 1 device"),
        ("devices_signed_out", f"{ANN}, 2 devices"),
    ]
    assert {line[:2] for line in noted()} == {(ann, "Ann Lim")}
    assert three and four


def test_reuse_of_a_refresh_token_is_logged() -> None:
    issued = signed_in(person())
    sessions.refresh(issued.refresh_token)
    with transaction() as session:
        session.execute(sa.text("UPDATE refresh_tokens SET spent_at = '2020-01-01 00:00:00+00:00' WHERE seed != ''"))
    with pytest.raises(InvalidToken):
        sessions.refresh(issued.refresh_token)
    assert noted(after=1) == [(None, "", "session_revoked", ANN)]


def test_changes_of_roles_and_names_are_logged() -> None:
    boss, ann = person("boss@northstrait.example", Role.ADMIN), person()
    names = NamesData.read({"first_name": "Anne", "last_name": "Tan"})
    with transaction() as session:
        service.change_role(session, Actor(boss, Role.ADMIN, now()), ann, "manager")
        service.set_role(session, ann, "employee")
        service.change_names(session, Actor(ann, Role.EMPLOYEE), names)
        service.change_names(session, Actor(ann, Role.EMPLOYEE), names)
    assert noted() == [
        (boss, "Ann Lim", "role_changed", f"{ANN} is manager"),
        (None, "", "role_changed", f"{ANN} is employee"),
        (ann, "Ann Lim", "names_changed", "Anne Tan"),
    ]


def test_creation_and_deletion_of_an_account_are_logged() -> None:
    with transaction() as session:
        service.create_admin(session, "boss@northstrait.example", NEW)
    names = {"email": ANN, "first_name": "Ann", "last_name": "Lim"}
    data = SignUpData.read({**names, "password": NEW, "confirm_password": NEW})
    sign_up.sign_up(data, "203.0.113.7")
    sign_up.sign_up(data, "203.0.113.7")
    sign_up.send_verification_again(EmailData.read({"email": ANN}), "203.0.113.7")
    sign_up.send_verification_again(EmailData.read({"email": "nobody@b.example"}), "203.0.113.7")
    with transaction() as session:
        service.delete_account(session, service.user_id_of(session, ANN))
    assert noted() == [
        (None, "", "account_created", "boss@northstrait.example, admin"),
        (None, ANN, "account_created", "employee"),
        (None, ANN, "confirmation_requested", ""),
        (None, "", "account_deleted", ANN),
    ]


def test_password_requests_and_changes_are_logged() -> None:
    ann = person()
    here, _there = signed_in(ann), signed_in(ann)
    with read_session() as session:
        identity = sessions.identify(session, here.access_token)
    recovery.request_recovery(EmailData.read({"email": ANN}), "203.0.113.7")
    recovery.change_password(identity, PASSWORD, passwords())
    assert noted(after=2) == [
        (None, ANN, "reset_requested", ""),
        (ann, "Ann Lim", "password_changed", ""),
        (ann, "Ann Lim", "devices_signed_out", f"{ANN}, 1 device"),
    ]
