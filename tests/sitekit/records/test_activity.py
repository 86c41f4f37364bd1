"""The log of what was done: what a line has, that it is written with its change, and when it is deleted."""

import logging
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from types import ModuleType
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from advisory_site.enquiries.audit_events import EnquiryAuditEvent
from sitekit.base.observability import audit_log
from sitekit.base.observability.audit_log import AuditEvent
from sitekit.base.permissions import Actor
from sitekit.records import activity
from sitekit.records.activity import columns, log, log_alone, wider_network
from tests.support.record_types import Sample

pytestmark = pytest.mark.spec("LOG-1")
AT = datetime(2026, 3, 2, 8, tzinfo=UTC)


def lines(session: Session) -> Sequence[Any]:
    return session.execute(sa.select(*columns).order_by(columns.id)).all()


def add(session: Session, act: AuditEvent, at: datetime) -> None:
    log(session, act)
    newest = sa.select(sa.func.max(columns.id)).scalar_subquery()
    session.execute(sa.update(columns.id.table).where(columns.id == newest).values(at=at))


@pytest.fixture
def from_network() -> Any:
    """An event of a client."""
    token = audit_log.network.set("203.0.113.7")
    yield
    audit_log.network.reset(token)


def test_an_entry_says_who_did_what_to_which_record(session: Session, actor: Actor) -> None:
    log(session, EnquiryAuditEvent.ENQUIRY_HANDLED, "enquiry 7", by=actor.user_id, of_table="enquiries", record_id=7)
    [line] = lines(session)
    assert (line.by, line.by_name, line.act, line.subject) == (
        actor.user_id,
        "Wei Tan",
        "enquiry_handled",
        "enquiry 7",
    )
    assert (line.of_table, line.record_id, line.network) == ("enquiries", 7, "")
    assert line.searched == "wei tan marked an enquiry as handled enquiry 7 "


def test_a_change_of_a_record_is_one_entry(sample: Sample, session: Session, actor: Actor) -> None:
    sample.record_type.create(session, actor, sample.data(name="Ann Lim"))
    [line] = lines(session)
    assert (line.act, line.subject, line.of_table) == ("created", "Ann Lim", sample.record_type.table.__tablename__)
    assert line.searched.startswith("wei tan added a record ann lim")


def test_the_name_of_a_deleted_account_stays_in_the_log(session: Session, actor: Actor) -> None:
    log(session, AuditEvent.EXPORTED, "3 companies", by=actor.user_id)
    session.execute(sa.text("DELETE FROM profiles WHERE id = :id"), {"id": actor.user_id})
    [line] = lines(session)
    assert (line.by, line.by_name) == (None, "Wei Tan")


def test_the_name_of_an_erased_record_is_not_shown_or_found(session: Session, actor: Actor) -> None:
    for record in (7, 8):
        log(session, AuditEvent.SAVED, f"Bo {record}", by=actor.user_id, of_table="advisors", record_id=record)
    activity.erase_names(session, "advisors", 7)
    assert [(line.subject, line.searched) for line in lines(session)] == [
        ("", "wei tan"),
        ("Bo 8", "wei tan saved a record bo 8 "),
    ]


def test_rolled_back_changes_are_not_logged(database: ModuleType, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    with pytest.raises(RuntimeError), database.transaction() as session:
        log(session, AuditEvent.EXPORTED)
        raise RuntimeError
    with database.read_session() as session:
        assert lines(session) == []
    assert "Exported" not in caplog.text


@pytest.mark.usefixtures("from_network")
def test_only_sign_in_entries_have_a_network_and_never_a_full_address(session: Session) -> None:
    log(session, AuditEvent.SIGN_IN_FAILED, name="ann@northstrait.example")
    log(session, AuditEvent.EXPORTED)
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
def test_stored_networks_are_widened_to_cover_many_households(network: str, stored: str) -> None:
    assert wider_network(network) == stored


def test_hostile_text_is_stored_as_one_short_line(session: Session) -> None:
    log(session, AuditEvent.SIGN_IN_FAILED, "a\x00b\r\n\x1b[31m\ud800" + "x" * 5000, name="\x00ann\n@b.example")
    [line] = lines(session)
    assert line.subject.startswith("ab [31mxxx") and len(line.subject) == activity.MAX_TEXT
    assert line.by_name == "ann @b.example"


def test_a_repeated_refusal_is_stored_once_and_written_to_the_log_each_time(
    database: ModuleType, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="advisory_site.audit")
    for name in ("ann@b.example", "ann@b.example", "bo@b.example"):
        log_alone(AuditEvent.TOO_MANY_ATTEMPTS, "sign-in", name=name, at_most_every=timedelta(minutes=15))
    with database.read_session() as session:
        assert [line.by_name for line in lines(session)] == ["ann@b.example", "bo@b.example"]
    assert len(caplog.records) == 3


def test_a_failure_is_logged_without_a_database(
    database: ModuleType, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object, **__: object) -> None:
        raise sa.exc.OperationalError("", {}, Exception("away"))

    caplog.set_level(logging.INFO, logger="advisory_site.audit")
    monkeypatch.setattr(activity, "log", away)
    log_alone(AuditEvent.SIGN_IN_FAILED, name="ann@b.example")
    assert "Failed to sign in: ann@b.example" in caplog.text


@pytest.mark.parametrize(
    ("act", "kept"),
    [
        (AuditEvent.SAVED, activity.KEPT),
        (AuditEvent.SIGNED_IN, activity.KEPT),
        (AuditEvent.SIGN_IN_FAILED, activity.FAILURES_KEPT),
        (AuditEvent.TOO_MANY_ATTEMPTS, activity.FAILURES_KEPT),
    ],
)
def test_entries_are_deleted_after_their_retention_period(session: Session, act: AuditEvent, kept: timedelta) -> None:
    for age in (kept, kept + timedelta(seconds=1)):
        add(session, act, AT - age)
    assert activity.delete_expired(session, AT, 10) == 1
    assert [line.at for line in lines(session)] == [AT - kept]


def test_deletion_of_old_entries_respects_its_limit(session: Session) -> None:
    for act in (AuditEvent.SAVED, AuditEvent.SIGN_IN_FAILED, AuditEvent.SAVED, AuditEvent.SIGN_IN_FAILED):
        add(session, act, AT - timedelta(days=800))
    assert [activity.delete_expired(session, AT, 3) for _ in range(3)] == [3, 1, 0]


def test_the_log_is_kept_for_24_months_and_failures_for_90_days() -> None:
    assert (activity.KEPT.days, activity.FAILURES_KEPT.days) == (730, 90)
