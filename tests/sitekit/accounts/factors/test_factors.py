"""Second factors: added, proved, removed, reset, and who must have one."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import sqlalchemy as sa

from advisory_site.content.firm import FIRM
from sitekit.accounts.account_errors import InvalidToken, WrongCode
from sitekit.accounts.factors import factors, recovery_codes
from sitekit.accounts.factors import policy as factor_policy
from sitekit.accounts.factors.factors import AppSetup
from sitekit.accounts.models import AuthFactor, AuthSession, Profile, RecoveryCode
from sitekit.accounts.sessions import reauthentication, sessions
from sitekit.base import identity as identities
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.errors import Conflict, InvalidInput, NotFound, TooManyAttempts
from sitekit.base.identity import Identity
from sitekit.base.permissions import Role
from tests.sitekit.accounts.steps import Mails, rows, use
from tests.support.each import check_each
from tests.support.people import PASSWORD, person, signed_in
from tests.support.second_factors import add_app, add_recovery_codes, code_of, identity_with_factor, wrong_code

pytestmark = [pytest.mark.usefixtures("database"), pytest.mark.spec("MFA-1")]


def identity_of(user_id: int) -> Identity:
    issued = signed_in(user_id)
    with read_session() as session:
        return sessions.identify(session, issued.access_token)


def begin(identity: Identity, name: str = "Phone") -> AppSetup:
    with transaction() as session:
        return factors.begin_app(session, identity, name)


def confirm(identity: Identity, setup: AppSetup, typed: str) -> tuple[str, ...]:
    with transaction() as session:
        return factors.confirm_app(session, identity, setup.factor_id, typed)


def remove(identity: Identity, factor_id: int) -> None:
    with transaction() as session:
        factors.remove(session, identity, factor_id)


def names(user_id: int) -> list[str]:
    with read_session() as session:
        return [one.name for one in factors.list_factors(session, user_id)]


@pytest.mark.spec("MFA-3")
def test_an_app_becomes_active_after_its_first_code_with_recovery_codes(mails: Mails) -> None:
    identity = identity_of(person())
    setup = begin(identity)
    assert names(identity.user.id) == []
    with pytest.raises(WrongCode):
        confirm(identity, setup, wrong_code(setup.secret))
    made = confirm(identity, setup, code_of(setup.secret))
    assert (names(identity.user.id), len(made)) == (["Phone"], 10)
    with read_session() as session:
        assert sessions.read_again(session, identity).user == identity.user
    assert rows(AuthSession.has_factor) == [(True,)]
    assert [mail["Subject"] for mail in mails()] == [f"New second step for your account at {FIRM.name}"]
    second = begin(identity, "Tablet")
    assert confirm(identity, second, code_of(second.secret)) == ()
    assert names(identity.user.id) == ["Phone", "Tablet"]


def test_the_database_has_no_secret_in_clear_text() -> None:
    setup = begin(identity_of(person()))
    assert setup.secret not in rows(AuthFactor.secret)[0][0]
    assert f"secret={setup.secret}" in setup.address


def test_the_first_factor_ends_the_sessions_of_other_devices() -> None:
    ann = person()
    identity, other = identity_of(ann), signed_in(ann)
    setup = begin(identity)
    confirm(identity, setup, code_of(setup.secret))
    with read_session() as session, pytest.raises(InvalidToken):
        sessions.identify(session, other.access_token)
    assert sorted(ended is None for (ended,) in rows(AuthSession.ended_at)) == [False, True]


def test_a_setup_is_replaced_by_the_next_one_and_confirmed_once() -> None:
    identity = identity_of(person())
    first, second = begin(identity), begin(identity)
    with pytest.raises(NotFound):
        confirm(identity, first, code_of(first.secret))
    confirm(identity, second, code_of(second.secret))
    with pytest.raises(NotFound):
        confirm(identity, second, code_of(second.secret, 1))


def test_nobody_confirms_or_removes_the_factor_of_another_person() -> None:
    ann, eve = identity_of(person()), identity_of(person("eve@northstrait.example"))
    setup = begin(ann)
    with pytest.raises(NotFound):
        confirm(eve, setup, code_of(setup.secret))
    confirm(ann, setup, code_of(setup.secret))
    for wanted in (setup.factor_id, 2**63, -(2**70)):
        with pytest.raises(NotFound):
            remove(eve, wanted)
    assert names(ann.user.id) == ["Phone"]


def test_the_code_that_set_an_app_up_signs_nobody_in() -> None:
    identity = identity_of(person())
    setup = begin(identity)
    confirm(identity, setup, code_of(setup.secret))
    with transaction() as session:
        assert not factors.use_code(session, identity.user.id, code_of(setup.secret))


def test_a_person_has_at_most_ten_factors() -> None:
    ann = person()
    for number in range(factors.MOST):
        add_app(ann, f"App {number}")
    with pytest.raises(Conflict, match="more than 10"):
        begin(identity_with_factor(ann))


@pytest.mark.spec("MFA-3")
def test_removing_the_last_factor_deletes_the_recovery_codes(mails: Mails) -> None:
    ann = person()
    add_app(ann, "Phone"), add_app(ann, "Tablet")
    add_recovery_codes(ann)
    identity = identity_with_factor(ann)
    phone, tablet = (one for (one,) in rows(AuthFactor.id))
    remove(identity, phone)
    assert (names(ann), len(rows(RecoveryCode.user_id))) == (["Tablet"], 10)
    remove(identity, tablet)
    assert (names(ann), rows(RecoveryCode.user_id)) == ([], [])
    with pytest.raises(NotFound):
        remove(identity, tablet)
    assert [mail["Subject"] for mail in mails()] == [f"Second step removed from your account at {FIRM.name}"] * 2


@pytest.mark.spec("MFA-5")
def test_a_required_last_factor_survives_concurrent_removals(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, "FACTOR_REQUIRED", "all")
    ann = person()
    add_app(ann), add_app(ann)
    identity = identity_with_factor(ann)

    def removed(factor_id: int) -> bool:
        try:
            remove(identity, factor_id)
        except Conflict:
            return False
        return True

    with ThreadPoolExecutor(max_workers=2) as threads:
        results = list(threads.map(removed, (one for (one,) in rows(AuthFactor.id))))
    assert (sum(results), len(names(ann))) == (1, 1)


@pytest.mark.spec("MFA-3")
def test_new_recovery_codes_need_a_factor_and_replace_the_old(mails: Mails) -> None:
    ann = person()
    with transaction() as session, pytest.raises(Conflict):
        factors.make_recovery_codes(session, identity_of(ann))
    add_app(ann)
    old = add_recovery_codes(ann)
    with transaction() as session:
        new = factors.make_recovery_codes(session, identity_with_factor(ann))
        assert not recovery_codes.use(session, ann, old[0])
        assert recovery_codes.use(session, ann, new[0])
    assert mails()[-1]["Subject"] == f"New recovery codes for {FIRM.name}"


@pytest.mark.parametrize("typed", ["wrong", "", None, [], "x" * 100_000, "123456"])
def test_reauthentication_is_refused_without_a_right_password_or_code(typed: object) -> None:
    ann = person()
    add_app(ann)
    identity = identity_with_factor(ann)
    with pytest.raises(InvalidInput) as refused:
        reauthentication.reauthenticate(identity, typed)
    assert "proof" in refused.value.fields


def test_reauthentication_takes_a_password_or_a_code_and_limits_guesses() -> None:
    ann = person()
    secret = add_app(ann)
    identity = identity_with_factor(ann)
    with transaction() as session:
        session.execute(sa.update(AuthSession).values(proved_at=None))
    reauthentication.reauthenticate(identity, PASSWORD)
    [(first,)] = rows(AuthSession.proved_at)
    assert first is not None
    reauthentication.reauthenticate(identity, code_of(secret))
    assert rows(AuthSession.proved_at)[0][0] > first
    with pytest.raises(InvalidInput):
        reauthentication.reauthenticate(identity, code_of(secret))
    for _ in range(9):
        with pytest.raises(InvalidInput):
            reauthentication.reauthenticate(identity, "wrong")
    with pytest.raises(TooManyAttempts):
        reauthentication.reauthenticate(identity, PASSWORD)


def test_the_password_reauthenticates_if_the_app_secret_is_unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    ann = person()
    add_app(ann)
    identity = identity_with_factor(ann)
    use(monkeypatch, "SECRET_KEY", "another-secret-of-thirty-two-characters")
    with pytest.raises(InvalidInput):
        reauthentication.reauthenticate(identity, "123456")
    reauthentication.reauthenticate(identity, PASSWORD)
    with read_session() as session:
        assert not factors.list_factors(session, ann)[0].is_readable
        assert factors.count_by_key(session) == (1, 0)


def test_a_setup_that_is_not_finished_is_deleted_after_a_day() -> None:
    ann = person()
    add_app(ann)
    begin(identity_with_factor(ann))
    with transaction() as session:
        assert factors.delete_expired(session, now() + timedelta(hours=23), 10) == 0
        assert factors.delete_expired(session, now() + timedelta(hours=25), 10) == 1
    assert names(ann) == ["Phone"]


@pytest.mark.spec("MFA-5")
@pytest.mark.parametrize(
    ("asked", "role", "is_asked"),
    [
        ("nobody", Role.ADMIN, False),
        ("admins", Role.ADMIN, True),
        ("admins", Role.MANAGER, False),
        ("all", Role.EMPLOYEE, True),
    ],
)
def test_the_setting_decides_which_roles_need_a_factor(
    monkeypatch: pytest.MonkeyPatch, asked: str, role: Role, is_asked: bool
) -> None:
    use(monkeypatch, "FACTOR_REQUIRED", asked)
    identity = identity_of(person(role=role))
    assert (identity.factor_due is not None, identity.must_add_factor) == (is_asked, False)
    with read_session() as session:
        assert factor_policy.due_of(session, identity.actor) == identity.factor_due


@pytest.mark.spec("MFA-5")
def test_the_grace_period_starts_and_stops_with_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, "FACTOR_REQUIRED", "all")
    ann = person()
    identity = identity_of(ann)
    monkeypatch.setattr(identities, "now", lambda: now() + timedelta(days=13, hours=23))
    assert not identity.must_add_factor
    monkeypatch.setattr(identities, "now", lambda: now() + timedelta(days=14, minutes=1))
    assert identity.must_add_factor
    monkeypatch.setattr(identities, "now", now)
    use(monkeypatch, "FACTOR_REQUIRED", "nobody")
    assert identity_of(ann).factor_due is None
    assert rows(Profile.factor_asked_at) == [(None,)]


@pytest.mark.spec("MFA-5")
def test_a_later_sign_in_does_not_restart_the_grace_period(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, "FACTOR_REQUIRED", "all")
    ann = person()
    signed_in(ann)
    long_ago = now() - timedelta(days=15)
    with transaction() as session:
        session.execute(sa.update(Profile).values(factor_asked_at=long_ago))
    assert identity_of(ann).must_add_factor
    add_app(ann)
    assert identity_with_factor(ann).factor_due is None


@pytest.mark.spec("MFA-5")
def test_a_factor_is_due_at_once_without_a_grace_period(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, "FACTOR_REQUIRED", "all")
    use(monkeypatch, "FACTOR_GRACE_DAYS", "0")
    assert identity_of(person()).must_add_factor


@pytest.mark.spec("MFA-5")
def test_a_reset_removes_all_factors_and_signs_out(mails: Mails) -> None:
    ann = person()
    add_app(ann), add_app(ann)
    add_recovery_codes(ann)
    identity = identity_with_factor(ann)
    with transaction() as session:
        assert factors.reset(session, ann) == 2
    assert (rows(AuthFactor.id), rows(RecoveryCode.user_id)) == ([], [])
    with read_session() as session, pytest.raises(InvalidToken):
        sessions.read_again(session, identity)
    assert mails()[-1]["Subject"] == f"Second steps removed from your account at {FIRM.name}"


def test_an_unknown_factor_number_is_not_found() -> None:
    ann = person()
    add_app(ann)
    identity = identity_with_factor(ann)

    def check(number: int) -> None:
        with pytest.raises(NotFound):
            remove(identity, number)
        with pytest.raises(NotFound):
            confirm(identity, AppSetup(number, "", ""), "123456")

    check_each([0, -1, 2**31, 2**63, 2**70], check)
