"""Mail that is not lost: sent once, tried again, given up where all can see it."""

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import timedelta
from types import ModuleType

import pytest
import sqlalchemy as sa
from aiosmtplib import SMTPDataError, SMTPRecipientRefused, SMTPRecipientsRefused, SMTPServerDisconnected
from sqlmodel import Session

from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.mail import outbox, transport, worker
from sitekit.base.mail.models import OutgoingMail
from sitekit.base.mail.worker import RETRY_DELAYS, deliver_due
from sitekit.base.permissions import Actor, Role
from sitekit.base.settings import get_settings
from sitekit.base.threads import MAIL
from tests.conftest import ROOT, on_sqlite
from tests.sitekit.base.mail.conftest import MESSAGE, laid_out, let_pass, put, stored
from tests.support.strict_smtp import strict_server

pytestmark = [pytest.mark.spec("AUTH-7"), pytest.mark.spec("CON-4"), pytest.mark.usefixtures("database")]
ADMIN = Actor(1, Role.ADMIN)


def test_a_queued_message_is_sent_once() -> None:
    put()
    assert [deliver_due(), deliver_due()] == [1, 0]
    assert len(laid_out()) == 1
    assert stored().sent_at is not None


def test_the_text_of_a_sent_message_is_deleted() -> None:
    put()
    deliver_due()
    assert (stored().text, stored().html) == ("", "")


def test_a_message_is_retried_while_the_server_is_unreachable(unreachable: Callable[[], None]) -> None:
    put()
    assert deliver_due() == 0
    assert stored().attempts == 1
    unreachable()
    assert deliver_due() == 0, "tried again too soon"
    let_pass(RETRY_DELAYS[0])
    assert deliver_due() == 1


def test_every_try_has_the_same_message_id(unreachable: Callable[[], None]) -> None:
    put()
    deliver_due()
    unreachable()
    let_pass(RETRY_DELAYS[0])
    deliver_due()
    assert f"Message-ID: {stored().message_id}" in laid_out()[0]


def test_waits_between_tries_grow_until_the_message_is_given_up(unreachable: Callable[[], None]) -> None:
    put()
    waits = []
    for _ in RETRY_DELAYS:
        before = now()
        deliver_due()
        due = stored().due_at
        assert due is not None
        waits.append(round((due - before) / timedelta(minutes=1)))
        let_pass(RETRY_DELAYS[-1])
    assert waits == sorted(waits)
    assert waits[0] < waits[-1]
    deliver_due()
    assert stored().given_up_at is not None
    assert deliver_due() == 0


def test_mail_to_an_impossible_address_is_given_up_at_once() -> None:
    put(transport.Message("nobody", "Hello", "Text"))
    deliver_due()
    assert (stored().attempts, stored().due_at) == (1, None)
    assert stored().given_up_at is not None


@pytest.mark.parametrize(
    ("error", "is_final"),
    [
        (SMTPRecipientsRefused([SMTPRecipientRefused(550, "no such person", "ann@example.com")]), True),
        (SMTPRecipientsRefused([SMTPRecipientRefused(450, "try later", "ann@example.com")]), False),
        (SMTPDataError(554, "looks like spam"), True),
        (SMTPServerDisconnected("gone"), False),
    ],
    ids=repr,
)
def test_permanently_refused_mail_is_given_up(
    monkeypatch: pytest.MonkeyPatch, error: Exception, is_final: bool
) -> None:
    def refuse(*_arguments: object) -> None:
        raise error

    monkeypatch.setattr(transport, "_write_to_outbox", refuse)
    put()
    deliver_due()
    assert (stored().given_up_at is not None) == is_final


def test_the_reply_of_a_server_is_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object) -> None:
        raise SMTPDataError(554, "a listed address: https://northstrait.example/auth/reset?token=secret")

    monkeypatch.setattr(transport, "_write_to_outbox", refuse)
    put()
    deliver_due()
    with read_session() as session:
        (given_up,) = outbox.list_failed(session, ADMIN)
    assert given_up.why == "The mail server refused the message (code 554)."


@on_sqlite
def test_the_log_says_what_the_server_refused(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    put()
    with strict_server() as server:
        server.refuses["AUTH"] = "535 not secret-word"
        for name, value in server.settings("ann:secret-word").items():
            monkeypatch.setenv(f"ADVISORY_{name}", value)
        get_settings.cache_clear()
        deliver_due()
    reason = "The mail server refused our name or password (code 535: not ***), which ADVISORY_SMTP_URL holds."
    assert f"could not be sent: {reason} (SMTPAuthenticationError: 535: not ***)" in caplog.text
    assert stored().last_error == reason


def test_a_stored_error_holds_no_password(unreachable: Callable[[], None]) -> None:
    put()
    deliver_due()
    assert stored().last_error
    assert "secret-word" not in stored().last_error


def test_the_message_of_a_dead_process_is_taken_over_after_its_lease() -> None:
    put()
    assert worker._claim_next() is not None  # and the process ends here
    assert deliver_due() == 0
    let_pass(worker.LEASE + timedelta(seconds=1))
    assert deliver_due() == 1


TOGETHER = """
import sys
import threading
import advisory_site
from sitekit.base.mail.worker import deliver_due
print("ready", flush=True)
sys.stdin.readline()
print(deliver_due())
"""


@pytest.fixture
def processes() -> Iterator[list[subprocess.Popen[str]]]:
    """Three processes ready to deliver."""
    command = [sys.executable, "-c", TOGETHER]
    pipe = subprocess.PIPE
    started = [subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) for _ in range(3)]
    yield started
    for process in started:
        with process:
            process.kill()


def test_several_processes_send_each_message_once(processes: list[subprocess.Popen[str]]) -> None:
    for number in range(40):
        put(transport.Message("ann@example.com", f"Number {number}", "Text"))
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    sent = [process.communicate("go\n", timeout=60)[0] for process in _all_told_to_go(processes)]
    assert sum(int(number) for number in sent) == 40
    subjects = {line for text in laid_out() for line in text.splitlines() if line.startswith("Subject:")}
    assert len(laid_out()) == len(subjects) == 40


def _all_told_to_go(processes: list[subprocess.Popen[str]]) -> list[subprocess.Popen[str]]:
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    return processes


def test_the_worker_wakes_for_newly_committed_mail(database: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "POLL", 600.0)  # it would not look by itself

    async def run() -> None:
        outbox_worker = asyncio.create_task(worker.outbox_worker())
        try:
            await asyncio.sleep(0)
            await asyncio.to_thread(put)
            async with asyncio.timeout(30):
                while not laid_out():
                    await asyncio.sleep(0.02)
        finally:
            outbox_worker.cancel()
            await asyncio.gather(outbox_worker, return_exceptions=True)

    asyncio.run(run())


@on_sqlite
@pytest.mark.parametrize("steps", range(8))
def test_a_worker_stopped_while_waking_stops(monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
    rounds = []

    async def nothing_to_send(*_: object) -> None:
        rounds.append(1)

    monkeypatch.setattr(worker, "POLL", 600.0)
    monkeypatch.setattr(worker, "in_thread", nothing_to_send)

    async def run() -> None:
        outbox_worker = asyncio.create_task(worker.outbox_worker())
        while not rounds:
            await asyncio.sleep(0)
        for wake in outbox.wakers:
            wake()
        for _ in range(steps):
            await asyncio.sleep(0)
        outbox_worker.cancel()
        _, going = await asyncio.wait([outbox_worker], timeout=30)
        for task in going:
            task.cancel()
        assert not going, "it goes on"

    asyncio.run(run())


@on_sqlite
@pytest.mark.parametrize(("head_start", "looks"), [(0.0, 2), (600.0, 1)])
def test_who_caused_a_message_is_answered_before_it_is_sent(
    monkeypatch: pytest.MonkeyPatch, head_start: float, looks: int
) -> None:
    begun = []

    async def look(*_: object) -> None:
        begun.append(1)

    monkeypatch.setattr(worker, "POLL", 600.0)
    monkeypatch.setattr(worker, "HEAD_START", head_start)
    monkeypatch.setattr(worker, "in_thread", look)

    async def run() -> None:
        outbox_worker = asyncio.create_task(worker.outbox_worker())
        while len(begun) < MAIL.threads:
            await asyncio.sleep(0)
        for wake in outbox.wakers:
            wake()
        for _ in range(30):
            await asyncio.sleep(0)
        outbox_worker.cancel()
        await asyncio.gather(outbox_worker, return_exceptions=True)

    asyncio.run(run())
    assert len(begun) == MAIL.threads * looks


def test_a_stopping_worker_finishes_messages_in_hand_and_leaves_the_rest(
    database: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_hand, sent, send = threading.Semaphore(0), threading.Event(), transport.send

    def slowly(message: transport.Message) -> None:
        in_hand.release()
        assert sent.wait(30)
        send(message)

    monkeypatch.setattr(transport, "send", slowly)
    for _ in range(MAIL.threads + 2):
        put()

    async def run() -> None:
        outbox_worker = asyncio.create_task(worker.outbox_worker())
        for _ in range(MAIL.threads):
            assert await asyncio.to_thread(in_hand.acquire, timeout=30)
        outbox_worker.cancel()
        await asyncio.sleep(0)
        sent.set()
        await asyncio.gather(outbox_worker, return_exceptions=True)

    asyncio.run(run())
    assert len(laid_out()) == MAIL.threads
    with transaction() as session:
        waiting = session.execute(sa.select(OutgoingMail).where(sa.column("sent_at").is_(None))).scalars().all()
        assert [message.attempts for message in waiting] == [0, 0]


def test_a_sent_message_is_recorded_after_a_brief_database_failure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put()
    failures = [sa.exc.OperationalError("x", None, Exception()), sa.exc.OperationalError("x", None, Exception())]
    pauses: list[float] = []

    def away_twice() -> AbstractContextManager[Session]:
        if failures and pauses is not None and laid_out():
            raise failures.pop()
        return transaction()

    monkeypatch.setattr(worker, "transaction", away_twice)
    monkeypatch.setattr(time, "sleep", pauses.append)
    assert deliver_due() == 1
    assert len(pauses) == 2
    assert stored().sent_at is not None


def test_new_mail_does_not_wait_for_a_slow_batch(database: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    in_hand, link_is_sent, send = threading.Semaphore(0), threading.Event(), transport.send

    def send_link_first(message: transport.Message) -> None:
        if message.subject == "Link":
            send(message)
            link_is_sent.set()
        else:
            in_hand.release()
            assert link_is_sent.wait(30)

    monkeypatch.setattr(transport, "send", send_link_first)
    monkeypatch.setattr(worker, "POLL", 600.0)
    for number in range(MAIL.threads + 2):
        put(transport.Message("ann@example.com", f"Tried before {number}", "Text"))
    with transaction() as session:
        session.execute(sa.update(OutgoingMail).values(attempts=1))

    async def run() -> None:
        outbox_worker = asyncio.create_task(worker.outbox_worker())
        try:
            for _ in range(MAIL.threads - 1):
                assert await asyncio.to_thread(in_hand.acquire, timeout=30)
            await asyncio.to_thread(put, transport.Message("ann@example.com", "Link", "Text"))
            assert await asyncio.to_thread(link_is_sent.wait, 30)
        finally:
            outbox_worker.cancel()
            await asyncio.gather(outbox_worker, return_exceptions=True)

    asyncio.run(run())
    assert len(laid_out()) == 1


def test_one_worker_lane_takes_the_newest_message_first() -> None:
    for subject in ("Batch", "Batch", "Link"):
        put(transport.Message("ann@example.com", subject, "Text"))
    taken = [worker._claim_next(only_new=True), worker._claim_next()]
    assert [one and one.message.subject for one in taken] == ["Link", "Batch"]


def test_listeners_are_told_when_a_message_is_sent_or_has_failed(
    unreachable: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[str, str]] = []
    monkeypatch.setattr(worker, "outcome_listeners", [lambda _session, number, why: told.append((number, why))])
    put()
    deliver_due()
    assert told == []
    unreachable()
    let_pass(RETRY_DELAYS[0])
    deliver_due()
    sent = stored().message_id
    put(transport.Message("nobody", "Hello", "Text"))
    deliver_due()
    assert [(number == sent, bool(why)) for number, why in told] == [(True, False), (False, True)]


@pytest.mark.spec("ENQ-6", "ENQ-9")
def test_an_automatic_reply_names_its_thread_and_says_what_it_is() -> None:
    put(replace(MESSAGE, thread_id="<first@firm.example>", is_automatic=True))
    deliver_due()
    (text,) = laid_out()
    for name in ("In-Reply-To", "References"):
        assert f"{name}: <first@firm.example>\n" in text
    assert "Auto-Submitted: auto-replied\n" in text
