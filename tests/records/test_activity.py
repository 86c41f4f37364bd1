"""The log of what was done: what a line has, that it is written with its change, and when it is deleted."""

import logging
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from types import ModuleType
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from advisory_site.core.permissions import Actor
from advisory_site.observability import audit_log
from advisory_site.observability.audit_log import Act
from advisory_site.records import activity
from advisory_site.records.activity import columns, note, note_alone, wider_network
from tests.support.record_types import Sample

pytestmark = pytest.mark.spec("LOG-1")
AT = datetime(2026, 3, 2, 8, tzinfo=UTC)


def lines(session: Session) -> Sequence[Any]:
    return session.execute(sa.select(*columns).order_by(columns.id)).all()


def add(session: Session, act: Act, at: datetime) -> None:
    note(session, act)
    newest = sa.select(sa.func.max(columns.id)).scalar_subquery()
    session.execute(sa.update(columns.id.table).where(columns.id == newest).values(at=at))


@pytest.fixture
def from_network() -> Any:
    """An event of a client."""
    token = audit_log.network.set("203.0.113.7")
    yield
    audit_log.network.reset(token)


def test_a_line_says_who_did_what_to_which_record(session: Session, actor: Actor) -> None:
    note(session, Act.ENQUIRY_HANDLED, "enquiry 7", by=actor.user_id, of_table="enquiries", record_id=7)
    [line] = lines(session)
    assert (line.by, line.by_name, line.act, line.subject) == (
        actor.user_id,
        "Wei Tan",
        "enquiry_handled",
        "enquiry 7",
    )
    assert (line.of_table, line.record_id, line.network) == ("enquiries", 7, "")
    assert line.searched == "wei tan marked an enquiry as handled enquiry 7 "


def test_a_change_of_a_record_is_one_line(sample: Sample, session: Session, actor: Actor) -> None:
    sample.kind.create(session, actor, sample.draft(name="Ann Lim"))
    [line] = lines(session)
    assert (line.act, line.subject, line.of_table) == ("created", "Ann Lim", sample.kind.table.__tablename__)
    assert line.searched.startswith("wei tan added a record ann lim")


def test_the_name_stays_when_the_account_goes(session: Session, actor: Actor) -> None:
    note(session, Act.EXPORTED, "3 companies", by=actor.user_id)
    session.execute(sa.text("DELETE FROM profiles WHERE id = :id"), {"id": actor.user_id})
    [line] = lines(session)
    assert (line.by, line.by_name) == (None, "Wei Tan")


def test_the_name_of_an_erased_record_is_neither_shown_nor_found(session: Session, actor: Actor) -> None:
    for record in (7, 8):
        note(session, Act.SAVED, f"Bo {record}", by=actor.user_id, of_table="advisors", record_id=record)
    activity.erase_names(session, "advisors", 7)
    assert [(line.subject, line.searched) for line in lines(session)] == [
        ("", "wei tan"),
        ("Bo 8", "wei tan saved a record bo 8 "),
    ]


def test_what_is_rolled_back_is_not_logged(database: ModuleType, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    with pytest.raises(RuntimeError), database.transaction() as session:
        note(session, Act.EXPORTED)
        raise RuntimeError
    with database.read_session() as session:
        assert lines(session) == []
    assert "Exported" not in caplog.text


@pytest.mark.usefixtures("from_network")
def test_only_a_sign_in_has_a_network_and_never_a_full_address(session: Session) -> None:
    note(session, Act.SIGN_IN_FAILED, name="ann@northstrait.example")
    note(session, Act.EXPORTED)
    assert [line.network for line in lines(session)] == ["203.0.113.0/24", ""]


@pytest.mark.parametrize(
    ("network", "stored"),
    [
        ("203.0.113.7", "203.0.113.0/24"),
        ("2001:db8:1:2::/64", "2001:db8:1::/48"),
        ("10.0.0.0/8", "10.0.0.0/8"),
        ("", ""),
        ("unix socket", ""),
    ],
)
def test_no_network_is_narrower_than_that_of_many_households(network: str, stored: str) -> None:
    assert wider_network(network) == stored


def test_hostile_texts_are_stored_as_one_short_line(session: Session) -> None:
    note(session, Act.SIGN_IN_FAILED, "a\x00b\r\n\x1b[31m\ud800" + "x" * 5000, name="\x00ann\n@b.example")
    [line] = lines(session)
    assert line.subject.startswith("ab [31mxxx") and len(line.subject) == activity.MAX_TEXT
    assert line.by_name == "ann @b.example"


def test_a_repeated_refusal_is_stored_once_and_written_to_the_log_each_time(
    database: ModuleType, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="advisory_site.audit")
    for name in ("ann@b.example", "ann@b.example", "bo@b.example"):
        note_alone(Act.TOO_MANY_ATTEMPTS, "sign-in", name=name, at_most_every=timedelta(minutes=15))
    with database.read_session() as session:
        assert [line.by_name for line in lines(session)] == ["ann@b.example", "bo@b.example"]
    assert len(caplog.records) == 3


def test_without_a_database_a_failure_is_written_to_the_log(
    database: ModuleType, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object, **__: object) -> None:
        raise sa.exc.OperationalError("", {}, Exception("away"))

    caplog.set_level(logging.INFO, logger="advisory_site.audit")
    monkeypatch.setattr(activity, "note", away)
    note_alone(Act.SIGN_IN_FAILED, name="ann@b.example")
    assert "Failed to sign in: ann@b.example" in caplog.text


@pytest.mark.parametrize(
    ("act", "kept"),
    [
        (Act.SAVED, activity.KEPT),
        (Act.SIGNED_IN, activity.KEPT),
        (Act.SIGN_IN_FAILED, activity.FAILURES_KEPT),
        (Act.TOO_MANY_ATTEMPTS, activity.FAILURES_KEPT),
    ],
)
def test_a_line_is_deleted_after_its_time_and_not_before(session: Session, act: Act, kept: timedelta) -> None:
    for age in (kept, kept + timedelta(seconds=1)):
        add(session, act, AT - age)
    assert activity.delete_expired(session, AT, 10) == 1
    assert [line.at for line in lines(session)] == [AT - kept]


def test_no_more_is_deleted_at_once_than_is_asked(session: Session) -> None:
    for act in (Act.SAVED, Act.SIGN_IN_FAILED, Act.SAVED, Act.SIGN_IN_FAILED):
        add(session, act, AT - timedelta(days=800))
    assert [activity.delete_expired(session, AT, 3) for _ in range(3)] == [3, 1, 0]


def test_it_is_kept_for_24_months_and_failures_for_90_days() -> None:
    assert (activity.KEPT.days, activity.FAILURES_KEPT.days) == (730, 90)
