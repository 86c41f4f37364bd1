"""Sessions: recognised while they live, refreshed by rotating tokens, ended on the server."""

import json
import logging
import threading
import time
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa
from sqlmodel import col

from sitekit.accounts import tokens
from sitekit.accounts.account_errors import InvalidToken, SessionMissing
from sitekit.accounts.models import AuthSession, RefreshToken, UserRole
from sitekit.accounts.sessions import sessions
from sitekit.accounts.sessions.sessions import IssuedSession
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.identity import Identity
from sitekit.base.permissions import Role
from tests.support.each import check_each
from tests.support.people import person, signed_in


def who(issued: IssuedSession) -> Identity:
    with read_session() as session:
        return sessions.identify(session, issued.access_token)


def is_alive(issued: IssuedSession) -> bool:
    try:
        who(issued)
    except InvalidToken:
        return False
    return True


def long_ago() -> None:
    """Let every spent token be older than the grace."""
    with transaction() as session:
        session.execute(sa.update(RefreshToken).values(spent_at=now() - sessions.GRACE - timedelta(seconds=1)))


@pytest.mark.spec("SES-1")
def test_a_session_has_six_fields_and_can_be_stored_and_read() -> None:
    issued = signed_in(person())
    stored = json.loads(issued.to_json())
    assert set(stored) == {"access_token", "refresh_token", "expires_in", "expires_at", "token_type", "user"}
    assert stored["token_type"] == "bearer" and stored["expires_in"] == 3600
    assert stored["user"]["email"] == "ann@northstrait.example"
    again = sessions.read_stored(issued.to_json())
    assert (again.access_token, again.refresh_token, again.expires_at) == (
        issued.access_token,
        issued.refresh_token,
        issued.expires_at,
    )


@pytest.mark.spec("SES-5")
def test_malformed_stored_sessions_are_ignored() -> None:
    def check(stored: object) -> None:
        with pytest.raises(SessionMissing, match=r"^Auth session missing!$"):
            sessions.read_stored(stored)

    cases: list[object] = [
        None,
        "",
        {},
        {"access_token": "a"},
        [],
        3,
        "null",
        "[]",
        "{",
        '"x"',
        '{"access_token":{}}',
        "[" * 8000,
        "x" * 10**6,
    ]
    check_each(cases, check)


@pytest.mark.spec("SES-1")
def test_an_odd_expiry_in_a_stored_session_is_harmless() -> None:
    def check(expires_at: str) -> None:
        text = f'{{"access_token":"a","refresh_token":"b","expires_at":{expires_at}}}'
        assert isinstance(sessions.read_stored(text).expires_at, int)

    check_each(["1e999", "-1e999", "NaN", '"soon"', "true", "null", "1e300"], check)


@pytest.mark.spec("ROLE-4")
def test_the_role_comes_from_the_database_and_not_from_the_token() -> None:
    user_id = person(role=Role.ADMIN)
    issued = signed_in(user_id)
    with transaction() as session:
        session.execute(sa.update(UserRole).values(role=Role.EMPLOYEE))
    assert who(issued).actor.role is Role.EMPLOYEE


@pytest.mark.spec("ROLE-4")
def test_a_person_without_a_role_is_not_recognised() -> None:
    issued = signed_in(person(role=None))
    assert not is_alive(issued)


@pytest.mark.spec("SES-6")
def test_sign_out_ends_only_the_current_session_at_once() -> None:
    user_id = person()
    here, there = signed_in(user_id), signed_in(user_id)
    with transaction() as session:
        assert sessions.end(session, here.access_token) == user_id
    assert not is_alive(here) and is_alive(there)
    with pytest.raises(InvalidToken):
        sessions.refresh(here.refresh_token)


@pytest.mark.spec("SES-6")
def test_sign_out_works_with_an_expired_token_too(monkeypatch: pytest.MonkeyPatch) -> None:
    issued = signed_in(person())
    monkeypatch.setattr(time, "time", lambda: 0)
    stale, _ = tokens.sign(1, tokens.read(issued.access_token, even_expired=True).session_id)
    monkeypatch.undo()
    with transaction() as session:
        sessions.end(session, stale)
    assert not is_alive(issued)


@pytest.mark.spec("SES-6")
def test_sign_out_everywhere_can_spare_the_current_session() -> None:
    user_id, other = person(), signed_in(person("bob@northstrait.example"))
    here, there = signed_in(user_id), signed_in(user_id)
    with transaction() as session:
        assert sessions.end_all(session, user_id, but=who(here).session_id) == 1
    assert is_alive(here) and not is_alive(there)
    with transaction() as session:
        assert sessions.end_all(session, user_id) == 1
    assert not is_alive(here) and is_alive(other)


@pytest.mark.spec("SES-5")
def test_a_token_with_a_mismatched_subject_or_session_is_refused() -> None:
    ann, bob = person(), person("bob@northstrait.example", Role.ADMIN)
    session_id = who(signed_in(ann)).session_id
    forged, _ = tokens.sign(bob, session_id)
    with read_session() as session, pytest.raises(InvalidToken):
        sessions.identify(session, forged)


@pytest.mark.spec("SES-6")
def test_a_refresh_token_is_stored_hashed_and_works_once() -> None:
    issued = signed_in(person())
    following = sessions.refresh(issued.refresh_token)
    assert following.refresh_token != issued.refresh_token
    assert is_alive(following)
    with read_session() as session:
        stored = {row.token_hash for row in session.execute(sa.select(RefreshToken)).scalars()}
    assert stored == {tokens.hashed(issued.refresh_token), tokens.hashed(following.refresh_token)}


@pytest.mark.spec("SES-6")
def test_two_concurrent_refreshes_both_succeed() -> None:
    issued = signed_in(person())
    results: list[IssuedSession] = []
    barrier = threading.Barrier(8)

    def tab() -> None:
        barrier.wait()
        results.append(sessions.refresh(issued.refresh_token))

    threads = [threading.Thread(target=tab) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8
    assert len({result.refresh_token for result in results}) == 1
    assert all(is_alive(result) for result in results)


@pytest.mark.spec("SES-6")
def test_a_reused_refresh_token_ends_the_session_and_is_not_written_to_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    stolen = signed_in(person())
    owner = sessions.refresh(stolen.refresh_token)
    long_ago()
    with caplog.at_level(logging.DEBUG), pytest.raises(InvalidToken, match=r"^Invalid or expired token$"):
        sessions.refresh(stolen.refresh_token)
    assert not is_alive(owner)
    with pytest.raises(InvalidToken):
        sessions.refresh(owner.refresh_token)
    assert "so its session was ended" in caplog.text
    for secret in (stolen.refresh_token, owner.refresh_token, tokens.hashed(stolen.refresh_token)):
        assert secret not in caplog.text


@pytest.mark.spec("SES-6")
def test_signing_in_refreshing_and_signing_out_write_no_token_to_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        issued = signed_in(person())
        refreshed = sessions.refresh(issued.refresh_token)
        with transaction() as session:
            sessions.end(session, refreshed.access_token)
    for one in (issued, refreshed):
        assert one.access_token not in caplog.text
        assert one.refresh_token not in caplog.text


@pytest.mark.spec("SES-6")
def test_a_refresh_token_expires_after_thirty_days() -> None:
    issued = signed_in(person())
    with transaction() as session:
        session.execute(sa.update(RefreshToken).values(created_at=now() - timedelta(days=31)))
    with pytest.raises(InvalidToken):
        sessions.refresh(issued.refresh_token)
    assert not is_alive(issued)


@pytest.mark.spec("SES-5")
def test_an_unknown_refresh_token_is_invalid() -> None:
    def check(token: object) -> None:
        with pytest.raises(InvalidToken):
            sessions.refresh(token)

    check_each([None, {}, [], 1, "", "unknown", "x" * 10**6], check)


@pytest.mark.spec("ADM-4")
def test_a_person_sees_only_their_own_active_sessions() -> None:
    user_id = person()
    here, there, gone = (signed_in(user_id) for _ in range(3))
    signed_in(person("bob@northstrait.example"))
    with transaction() as session:
        sessions.end(session, gone.access_token)
    with read_session() as session:
        devices = sessions.list_devices(session, who(here).user.id, who(here).session_id)
    assert {(device.session_id, device.is_this) for device in devices} == {
        (who(here).session_id, True),
        (who(there).session_id, False),
    }


@pytest.mark.spec("SES-6")
@pytest.mark.parametrize(("days", "goes_on"), [(89, True), (91, False)])
def test_a_refreshed_session_ends_after_ninety_days(days: int, goes_on: bool) -> None:
    issued = signed_in(person())
    begun = now() - timedelta(days=days)
    with transaction() as session:
        session.execute(sa.update(AuthSession).values(created_at=begun))
    with read_session() as session:
        assert len(sessions.list_devices(session, who(issued).user.id)) == goes_on
    if goes_on:
        assert is_alive(sessions.refresh(issued.refresh_token))
        return
    with read_session() as session, pytest.raises(InvalidToken):
        sessions.holder(session, issued.refresh_token)
    with pytest.raises(InvalidToken):
        sessions.refresh(issued.refresh_token)
    assert not is_alive(issued)


@pytest.mark.spec("SES-6")
def test_the_twenty_first_session_ends_the_least_recently_used() -> None:
    user_id, colleague = person(), signed_in(person("bob@northstrait.example"))
    first, second = signed_in(user_id), signed_in(user_id)
    with transaction() as session:
        moved = col(AuthSession.id) != who(first).session_id
        session.execute(sa.update(AuthSession).where(moved).values(refreshed_at=now() - timedelta(days=1)))
    issued = [signed_in(user_id) for _ in range(19)]
    assert [is_alive(one) for one in (first, second, *issued)] == [True, False, *[True] * 19]
    assert is_alive(colleague)


AT = datetime(2026, 3, 2, tzinfo=UTC)


def count(table: type) -> int:
    with read_session() as session:
        return int(session.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())


@pytest.mark.spec("SES-6")
def test_expired_sessions_are_deleted_with_their_tokens() -> None:
    user_id = person()
    used = {"old": AT - timedelta(days=30, seconds=1), "young": AT - timedelta(days=30)}
    for name, moment in used.items():
        issued = signed_in(user_id)
        with transaction() as session:
            mine = col(AuthSession.id) == tokens.read(issued.access_token).session_id
            session.execute(sa.update(AuthSession).where(mine).values(refreshed_at=moment, device=name))
    with transaction() as session:
        assert sessions.delete_expired(session, AT, 10) == 1
    with read_session() as session:
        assert list(session.execute(sa.select(col(AuthSession.device))).scalars()) == ["young"]
    assert count(RefreshToken) == 1


@pytest.mark.spec("SES-6")
def test_old_spent_refresh_tokens_of_a_long_session_are_deleted() -> None:
    person()
    issued = signed_in(1)
    for _ in range(2):
        issued = sessions.refresh(issued.refresh_token)
    with transaction() as session:
        session.execute(
            sa.update(RefreshToken)
            .where(col(RefreshToken.spent_at).is_not(None))
            .values(spent_at=AT - timedelta(days=30, seconds=1))
        )
        assert sessions.delete_expired_tokens(session, AT, 10) == 2
    assert count(RefreshToken) == 1
    assert sessions.refresh(issued.refresh_token).access_token
