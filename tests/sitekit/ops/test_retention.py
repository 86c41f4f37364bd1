"""The sweep: everything that is past its time, in small steps, by several processes at once, as the policy says."""

import asyncio
import logging
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError
from sqlmodel import Session

from advisory_site.content import privacy
from advisory_site.enquiries import submission
from advisory_site.enquiries.models import Enquiry
from sitekit.accounts.email.email_links import life_of
from sitekit.accounts.factors import challenges, factors
from sitekit.accounts.models import LinkPurpose
from sitekit.accounts.people import sign_up
from sitekit.accounts.sessions import sessions
from sitekit.app.site_app import SiteApp, background_tasks
from sitekit.base.db import rate_limits
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.mail import outbox, worker
from sitekit.base.mail.transport import Message
from sitekit.base.settings import Settings
from sitekit.ops import retention
from sitekit.records import revisions, trash
from tests.conftest import ROOT, on_sqlite
from tests.support.each import check_each
from tests.support.factories import add_enquiry

pytestmark = [pytest.mark.usefixtures("database"), pytest.mark.spec("LAY-5")]
LONG_AGO = timedelta(days=3 * 366)


def add_old(count: int) -> None:
    with transaction() as session:
        for _ in range(count):
            add_enquiry(session, first_name="Ann-Sophie", created_at=now() - LONG_AGO)
        add_enquiry(session)


def enquiries() -> int:
    with read_session() as session:
        return int(session.execute(sa.select(sa.func.count()).select_from(Enquiry)).scalar_one())


def test_expired_rows_are_deleted_in_batches_and_the_rest_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    add_old(7)
    monkeypatch.setattr(retention, "BATCH", 3)
    asked: list[int] = []
    delete_expired = retention.rules()["enquiries"]

    def delete_and_note(session: Session, at: datetime, most: int) -> int:
        asked.append(most)
        return delete_expired(session, at, most)

    monkeypatch.setattr(retention, "rules", lambda: {"enquiries": delete_and_note})
    assert retention.sweep()["enquiries"] == 7
    assert asked == [3, 3, 3]
    assert enquiries() == 1


def test_the_log_counts_deleted_rows_without_names(caplog: pytest.LogCaptureFixture) -> None:
    add_old(2)
    with caplog.at_level(logging.INFO, logger="sitekit"):
        retention.sweep()
    assert "Deleted expired rows: enquiries 2." in caplog.messages
    assert "Ann-Sophie" not in caplog.text


def test_nothing_is_deleted_or_logged_if_nothing_has_expired(caplog: pytest.LogCaptureFixture) -> None:
    add_old(0)
    with caplog.at_level(logging.INFO, logger="sitekit"):
        assert set(retention.sweep().values()) == {0}
    assert caplog.messages == []


def test_a_failing_rule_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_given: object) -> int:
        raise OperationalError("", None, Exception("locked"))

    add_old(1)
    before = retention.rules()
    monkeypatch.setattr(retention, "rules", lambda: {"broken": fail} | before)
    assert retention.sweep()["enquiries"] == 1
    assert enquiries() == 1


TOGETHER = """
import sys
from advisory_site.__main__ import hand_over
from sitekit.ops import retention
hand_over()
retention.BATCH = 5
print("ready", flush=True)
sys.stdin.readline()
print(retention.sweep()["enquiries"])
"""


def test_concurrent_processes_delete_each_row_once() -> None:
    add_old(100)
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", TOGETHER]
    processes = [subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) for _ in range(3)]
    try:
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        deleted = [int(process.communicate(timeout=60)[0]) for process in processes]
    finally:
        for process in processes:
            with process:
                process.kill()
    assert sum(deleted) == 100
    assert enquiries() == 1


def test_the_retention_worker_sweeps_as_soon_as_the_server_runs(app: SiteApp) -> None:
    assert retention.retention_worker in background_tasks(app)
    add_old(1)

    async def run() -> None:
        retention_worker = asyncio.create_task(retention.retention_worker())
        try:
            async with asyncio.timeout(30):
                while enquiries() > 1:
                    await asyncio.sleep(0.02)
        finally:
            retention_worker.cancel()
            await asyncio.gather(retention_worker, return_exceptions=True)

    asyncio.run(run())


def kept(title: str) -> str:
    return next(row.kept for row in privacy.STORED if row.title == title)


def test_the_privacy_policy_states_the_retention_periods() -> None:
    def check(case: tuple[str, str]) -> None:
        title, words = case
        assert words in kept(title)

    cases = [
        ("Contact enquiries", f"{12 * submission.KEPT_YEARS} months"),
        ("Staff sessions", f"{Settings.from_environment({}).session_days} days"),
        ("Sign-ups", f"{sign_up.KEPT.days} days"),
        ("Staff sessions", f"{sessions.LIVES * Settings.from_environment({}).session_days} days"),
        ("Second steps of staff", "one day" if factors.SETUP_LIFE.days == 1 else f"{factors.SETUP_LIFE.days} days"),
        ("Sign-ins that wait for a second step or a passkey", f"{challenges.LIFE // timedelta(minutes=1)} minutes"),
        ("Abuse limits", f"{rate_limits.KEPT // timedelta(hours=1)} hours"),
        ("Messages we send", f"{outbox.SENT_KEPT.days} days after it was sent"),
        ("Messages we send", f"{outbox.FAILED_KEPT.days} days"),
        ("Versions of published profiles", f"newest {revisions.REVISIONS_KEPT} versions"),
        ("Versions of published profiles", f"{round(revisions.REVISIONS_KEPT_FOR / timedelta(days=30.4))} months"),
        ("Versions of published profiles", f"restored for {trash.TRASH_KEPT.days} days"),
    ]
    check_each(cases, check)


def test_the_privacy_policy_states_the_longest_life_of_mailed_links() -> None:
    assert f"{life_of(LinkPurpose.VERIFY) // timedelta(hours=1)} hours" in kept("Links we email to staff")


@on_sqlite
def test_deleted_mail_is_in_no_database_file(database_dir: Path) -> None:
    secret = "a-link-that-was-mailed-83kf"
    link = f"https://here.example/?token={secret}\n"
    with transaction() as session:
        # So long that it fills pages of its own, which are freed when it is sent.
        outbox.enqueue(session, Message("ann@example.com", "Your link", link * 500))
    files = sorted(database_dir.glob("advisory.db*"))
    assert any(secret.encode() in file.read_bytes() for file in files)
    assert worker.deliver_due() == 1
    retention.sweep()
    assert [file.name for file in files if secret.encode() in file.read_bytes()] == []
