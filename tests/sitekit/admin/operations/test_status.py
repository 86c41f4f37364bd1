"""Backups and mail through the real event processor: admins see and act, everybody else is refused."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from sitekit.admin.operations.status import SystemStatusState, age_in_words
from sitekit.base import backup_log
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.mail import outbox, worker
from sitekit.base.mail.transport import Message
from sitekit.base.permissions import Role
from sitekit.base.settings import get_settings
from tests.support.event_client import EventClient, Reply
from tests.support.staff import sign_in, texts
from tests.support.strict_smtp import strict_server

SECRET = "https://northstrait.example/auth/reset?token=secret-word"


def tried(*recipients: str) -> None:
    """Messages that the worker tried to send; those to addresses that can get none are given up."""
    with transaction() as session:
        for recipient in recipients:
            outbox.enqueue(session, Message(recipient, f"Hello {recipient}", SECRET, SECRET))
    worker.deliver_due()


def backed_up(age: timedelta) -> None:
    with transaction() as session:
        backup_log.record(session, "northstrait-monday", now() - age, 1, "")


def rehearsed(problem: str) -> None:
    with transaction() as session:
        backup_log.record_rehearsal(session, "northstrait-monday", problem)


def standing() -> tuple[int, int]:
    with read_session() as session:
        found = outbox.queue_status(session)
        return found.waiting, found.given_up


def var(reply: Reply, name: str) -> Any:
    return reply.var(f"system_status_state.{name}")


def test_an_admin_sees_the_last_backup_and_unsent_mail(tab: EventClient) -> None:
    tried("nobody", "no one")
    backed_up(timedelta(hours=5, minutes=59))
    sign_in(tab, Role.ADMIN)
    reply = tab.send(SystemStatusState.load)
    backup = var(reply, "backup")
    assert (backup.file_name, backup.age, backup.is_old) == ("northstrait-monday", "5 hours ago", False)
    assert var(reply, "given_up") == 2
    assert {row.recipient: row.why for row in var(reply, "mails")} == dict.fromkeys(
        ("nobody", "no one"), "No email can be sent to this address, or from ours."
    )


def test_the_text_of_unsent_mail_is_not_sent_to_the_browser(tab: EventClient) -> None:
    tried("nobody")
    sign_in(tab, Role.ADMIN)
    assert "secret-word" not in repr(tab.send(SystemStatusState.load))


def test_an_admin_sees_why_mail_waits(tab: EventClient, monkeypatch: pytest.MonkeyPatch) -> None:
    with strict_server() as server:
        server.refuses["greeting"] = "554 5.7.1 listed"
        for name, value in server.settings().items():
            monkeypatch.setenv(f"ADVISORY_{name}", value)
        get_settings.cache_clear()
        sign_in(tab, Role.ADMIN)
        assert var(tab.send(SystemStatusState.load), "waits_because") == ""
        tried("ann@example.com")
        reply = tab.send(SystemStatusState.load)
        assert (var(reply, "waiting"), var(reply, "given_up")) == (1, 0)
        assert var(reply, "waits_because") == "The mail server refused the connection (code 554: 5.7.1 listed)."


@pytest.mark.spec("IMG-5")
def test_a_broken_picture_store_is_reported_until_it_works_again(tab: EventClient, database_dir: Path) -> None:
    sign_in(tab, Role.ADMIN)
    (database_dir / "media").write_text("no folder")
    assert "a picture cannot be written" in var(tab.send(SystemStatusState.load), "pictures_problem")
    (database_dir / "media").unlink()
    assert var(tab.send(SystemStatusState.load), "pictures_problem") == ""


def test_an_old_backup_is_called_old(tab: EventClient) -> None:
    backed_up(timedelta(days=3))
    sign_in(tab, Role.ADMIN)
    backup = var(tab.send(SystemStatusState.load), "backup")
    assert (backup.age, backup.is_old) == ("3 days ago", True)


def test_the_last_restore_rehearsal_is_shown_with_its_problems(tab: EventClient) -> None:
    sign_in(tab, Role.ADMIN)
    assert var(tab.send(SystemStatusState.load), "rehearsal").at == ""
    rehearsed("")
    good = var(tab.send(SystemStatusState.load), "rehearsal")
    assert (good.file_name, good.problem, good.at != "") == ("northstrait-monday", "", True)
    rehearsed("There is no backup in /backups.")
    assert var(tab.send(SystemStatusState.load), "rehearsal").problem == "There is no backup in /backups."


@pytest.mark.parametrize(
    ("age", "said"),
    [
        (timedelta(seconds=-3), "Less than an hour ago"),
        (timedelta(minutes=59), "Less than an hour ago"),
        (timedelta(minutes=119), "1 hour ago"),
        (timedelta(hours=47, minutes=59), "47 hours ago"),
        (timedelta(hours=48), "2 days ago"),
        (timedelta(days=400), "400 days ago"),
    ],
)
def test_ages_are_rounded_down(age: timedelta, said: str) -> None:
    assert age_in_words(age) == said


def test_resending_a_message_refreshes_the_list(tab: EventClient) -> None:
    tried("nobody", "no one")
    sign_in(tab, Role.ADMIN)
    first = var(tab.send(SystemStatusState.load), "mails")[0].id
    reply = tab.send(SystemStatusState.send_again, mail_id=first)
    assert texts(reply) == ["The message is being sent again"]
    assert first not in [row.id for row in var(reply, "mails")]
    assert standing() == (1, 1)


def test_a_message_already_resent_by_another_admin_is_reported(tab: EventClient) -> None:
    tried("nobody")
    sign_in(tab, Role.ADMIN)
    first = var(tab.send(SystemStatusState.load), "mails")[0].id
    tab.send(SystemStatusState.send_again, mail_id=first)
    reply = tab.send(SystemStatusState.send_again, mail_id=first)
    assert texts(reply)[-1] == "Failed to send again: this message is no longer among the failed ones"
    assert standing() == (1, 0)


def test_all_unsent_messages_are_resent_together(tab: EventClient) -> None:
    tried("nobody", "no one")
    sign_in(tab, Role.ADMIN)
    assert texts(tab.send(SystemStatusState.send_all_again)) == ["Messages being sent again: 2"]
    assert standing() == (2, 0)
