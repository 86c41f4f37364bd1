"""Counted attempts: who must wait, for how long, and how that is said."""

from datetime import UTC, datetime, timedelta
from types import ModuleType

import pytest
from sqlmodel import Session

from sitekit.base.db import rate_limits
from sitekit.base.db.database import now
from tests.support.at_once import told_second
from tests.support.each import check_each

HOUR = timedelta(hours=1)


def test_attempts_within_the_limit_are_allowed_at_once(database: ModuleType) -> None:
    with database.transaction() as session:
        for _ in range(2):
            rate_limits.record(session, "door", "ann")
        assert rate_limits.seconds_to_wait(session, "door", "ann", 3, HOUR) == 0


def test_the_wait_ends_when_the_oldest_attempt_expires(database: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    with database.transaction() as session:
        first = now()
        for minute in (0, 10, 20):
            monkeypatch.setattr(rate_limits, "now", lambda at=first + timedelta(minutes=minute): at)
            rate_limits.record(session, "door", "ann")
        assert rate_limits.seconds_to_wait(session, "door", "ann", 3, HOUR) == 40 * 60
        monkeypatch.setattr(rate_limits, "now", lambda: first + HOUR)
        assert rate_limits.seconds_to_wait(session, "door", "ann", 3, HOUR) == 0


def test_each_key_and_bucket_is_counted_separately(database: ModuleType) -> None:
    with database.transaction() as session:
        rate_limits.record(session, "door", "ann")
        assert rate_limits.seconds_to_wait(session, "door", "ben", 1, HOUR) == 0
        assert rate_limits.seconds_to_wait(session, "gate", "ann", 1, HOUR) == 0
        assert rate_limits.seconds_to_wait(session, "door", "ann", 1, HOUR) > 0


@pytest.mark.spec("AUTH-10", "CON-5")
def test_addresses_are_counted_by_network() -> None:
    def check(case: tuple[str, str]) -> None:
        address, network = case
        assert rate_limits.network_of(address) == network

    cases = [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:DB8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::/64"),
        ("203.0.113.10:40010", "203.0.113.10"),
        ("[203.0.113.10]:40010", "203.0.113.10"),
        (" \t203.0.113.10: ", "203.0.113.10"),
        ("[2001:db8::1]:443", "2001:db8::/64"),
        ("[2001:db8::1]", "2001:db8::/64"),
        ("2001:db8:1:2:3:4:5:6:40010", "2001:db8:1:2::/64"),
        ("[fe80::1%25eth0]:443", "fe80::/64"),
        ("[::ffff:203.0.113.7]:443", "203.0.113.7"),
        ("::ffff:203.0.113.7:40010", "203.0.113.7"),
        ("::ffff:cb00:7107", "203.0.113.7"),
        ('"203.0.113.7"', "203.0.113.7"),
        ("for=203.0.113.7", "203.0.113.7"),
        ('For="[2001:db8::1]:4711";proto=https', "2001:db8::/64"),
        ('proto=https; for="203.0.113.7:4711"; by=10.0.0.1', "203.0.113.7"),
    ]
    check_each(cases, check)


@pytest.mark.spec("AUTH-10", "CON-5")
@pytest.mark.parametrize(
    "text",
    ["", "no address", "unknown", "_hidden", "for=_gazonk", "unknown:40010", "[]:1", "203.0.113.256", "1.2.3.4:5:6"],
)
def test_all_that_is_no_address_counts_as_one_client(text: str) -> None:
    assert rate_limits.network_of(text) == ""


@pytest.mark.spec("DATA-3")
def test_of_two_callers_at_once_only_one_is_the_first(database: ModuleType) -> None:
    answers: list[bool] = []

    def claim(session: Session) -> None:
        answers.append(rate_limits.claim(session, "reminder", "today", HOUR))

    told_second(claim, claim)
    assert answers == [True, False]


@pytest.mark.parametrize(("minutes", "is_first"), [(0, False), (59, False), (60, True)])
def test_who_comes_after_the_time_is_the_first_again(
    database: ModuleType, monkeypatch: pytest.MonkeyPatch, minutes: int, is_first: bool
) -> None:
    at = datetime(2026, 3, 2, tzinfo=UTC)
    with database.transaction() as session:
        monkeypatch.setattr(rate_limits, "now", lambda: at)
        assert rate_limits.claim(session, "reminder", "today", HOUR)
        monkeypatch.setattr(rate_limits, "now", lambda: at + timedelta(minutes=minutes))
        assert rate_limits.claim(session, "reminder", "today", HOUR) is is_first
        assert rate_limits.claim(session, "reminder", "tomorrow", HOUR)


def test_expired_attempts_are_deleted(database: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    at = datetime(2026, 3, 2, tzinfo=UTC)
    with database.transaction() as session:
        for age in (rate_limits.KEPT + timedelta(seconds=1), rate_limits.KEPT, HOUR):
            monkeypatch.setattr(rate_limits, "now", lambda moment=at - age: moment)
            rate_limits.record(session, "door", "ann")
    with database.transaction() as session:
        assert rate_limits.delete_expired(session, at, 10) == 1
        assert rate_limits.count(session, "door", "ann", timedelta(days=9)) == 2


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(1, "1 second"), (59, "59 seconds"), (61, "2 minutes"), (3600, "60 minutes"), (5401, "2 hours")],
)
def test_waits_are_expressed_in_words_and_rounded_up(seconds: int, words: str) -> None:
    assert rate_limits.in_words(seconds) == words
