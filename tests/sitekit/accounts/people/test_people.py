"""What admins do to an account: nobody else may, the last admin stays, and who is deactivated gets in nowhere."""

import itertools
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import Session, col

from sitekit.accounts import one_use_links
from sitekit.accounts.account_errors import EmailNotConfirmed, InvalidCredentials, InvalidToken
from sitekit.accounts.email import email_links
from sitekit.accounts.form_data import EmailData, NewPasswordData
from sitekit.accounts.models import AuthFactor, Credential, FactorKind, LinkPurpose, Profile, SignUp, UserRole
from sitekit.accounts.password import recovery
from sitekit.accounts.people import people, service, sign_up
from sitekit.accounts.sessions import sessions, sign_in
from sitekit.base import messages
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.errors import Conflict, Forbidden, NotFound, ServiceError, TooManyAttempts
from sitekit.base.mail import outbox, transport, worker
from sitekit.base.mail.models import OutgoingMail
from sitekit.base.mail.transport import Message
from sitekit.base.permissions import Actor, Role
from sitekit.records import preview_links
from sitekit.records.activity import columns as activity
from tests.conftest import on_sqlite
from tests.sitekit.accounts.conftest import token_in
from tests.sitekit.accounts.steps import EMAIL, Mails, enter, join, rows, use
from tests.support.factories import add_draft, id_of
from tests.support.people import PASSWORD, mailed_link, person, signed_in

pytestmark = pytest.mark.spec("ACC-2")

NEW_PASSWORD = NewPasswordData(password="four-slow-otters-77", confirm_password="four-slow-otters-77")
AuditEvent = Callable[[Session, Actor, int], object]


def boss(email: str = "boss@northstrait.example") -> Actor:
    return Actor(person(email, Role.ADMIN), Role.ADMIN, now())


def do(act: AuditEvent, actor: Actor, user_id: int) -> Any:
    with transaction() as session:
        return act(session, actor, user_id)


def send_reset_link(_session: Session, actor: Actor, user_id: int) -> None:
    people.send_reset_link(actor, user_id)


def is_deactivated(user_id: int) -> bool:
    return rows(col(Profile.deactivated_at).is_not(None), col(Profile.id) == user_id).count((True, True)) == 1


ACTS: list[AuditEvent] = [people.get_person, people.sign_out, people.deactivate, people.reactivate, people.delete]


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize("act", [*ACTS, send_reset_link])
@pytest.mark.parametrize("role", [Role.MANAGER, Role.EMPLOYEE])
@on_sqlite
def test_only_admins_manage_people(act: AuditEvent, role: Role) -> None:
    ann = person()
    signed_in(ann)
    other = Actor(person("other@northstrait.example", role), role)
    with read_session() as session, pytest.raises(Forbidden):
        act(session, other, ann)
    assert rows(OutgoingMail) == [] and not is_deactivated(ann)


@pytest.mark.parametrize("act", ACTS)
@on_sqlite
def test_a_deleted_person_is_not_found(act: AuditEvent) -> None:
    with pytest.raises(NotFound):
        do(act, boss(), 999)


def test_an_admin_sees_factors_and_devices_without_secrets() -> None:
    ann = person()
    signed_in(ann)
    with transaction() as session:
        session.add(AuthFactor(user_id=ann, kind=FactorKind.APP, name="Phone", secret="seed", confirmed_at=now()))
        session.add(AuthFactor(user_id=ann, kind=FactorKind.APP, name="Half added", secret="seed"))
    seen = do(people.get_person, boss(), ann)
    assert (seen.email, seen.role, bool(seen.confirmed), seen.deactivated) == (EMAIL, "employee", True, "")
    assert [(one.kind, one.name) for one in seen.factors] == [("code", "Phone")]
    assert [one.name for one in seen.devices] == ["An unknown device"]
    assert seen.signed_in
    assert "seed" not in repr(seen)


def test_a_reset_link_from_an_admin_opens_the_account(mails: Mails) -> None:
    admin, ann = boss(), person()
    assert people.send_reset_link(admin, ann) == EMAIL
    (message,) = mails()
    assert "An admin of" in str(message.get_body(("plain",)))
    recovery.recover(token_in(message), NEW_PASSWORD, "203.0.113.7")
    assert enter(NEW_PASSWORD.password)


@on_sqlite
def test_recovery_requests_do_not_count_against_reset_links_from_admins() -> None:
    admin, ann = boss(), person()
    for number in range(4):
        recovery.request_recovery(EmailData(email=EMAIL), f"203.0.113.{number}")
    for _ in range(10):
        people.send_reset_link(admin, ann)
    with pytest.raises(TooManyAttempts):
        people.send_reset_link(admin, ann)


def test_a_person_is_signed_out_everywhere() -> None:
    admin, ann = boss(), person()
    issued = [signed_in(ann), signed_in(ann)]
    assert do(people.sign_out, admin, ann) == 2
    for one in issued:
        with read_session() as session, pytest.raises(InvalidToken):
            sessions.identify(session, one.access_token)
    assert do(people.sign_out, admin, ann) == 0


def test_a_deactivated_person_cannot_sign_in_until_reactivated(mails: Mails) -> None:
    admin, ann = boss(), person()
    issued, living = signed_in(ann), signed_in(ann)
    link = one_use_links.issue(issued.access_token, {"list": "users"})
    people.send_reset_link(admin, ann)
    reset = token_in(mails()[0])
    do(people.deactivate, admin, ann)
    # Neither the ended sessions nor the deleted links alone keep them out, but the account.
    with transaction() as session:
        session.execute(sa.text("UPDATE auth_sessions SET ended_at = NULL"))
    verify = mailed_link(ann, LinkPurpose.VERIFY)
    mailed_link(ann, LinkPurpose.RECOVER, reset)

    def in_session(call: Callable[[Session], object]) -> Callable[[], object]:
        def opened() -> object:
            with transaction() as session:
                return call(session)

        return opened

    doors: dict[str, Callable[[], object]] = {
        "access token": in_session(lambda session: sessions.identify(session, issued.access_token)),
        "refresh": lambda: sessions.refresh(issued.refresh_token),
        "holder": in_session(lambda session: sessions.holder(session, living.refresh_token)),
        "one-use link": in_session(lambda session: one_use_links.use(session, link)),
        "password": enter,
        "a new session": in_session(lambda session: sessions.begin(session, ann)),
        "recovery page": lambda: recovery.check_link(reset),
        "recovery": lambda: recovery.recover(reset, NEW_PASSWORD, "203.0.113.7"),
        "recovery link": in_session(lambda session: email_links.use(session, reset, LinkPurpose.RECOVER)),
        "confirmation page": lambda: sign_up.email_to_confirm(verify),
        "confirmation link": in_session(lambda session: email_links.use(session, verify, LinkPurpose.VERIFY)),
    }
    for name, door in doors.items():
        with pytest.raises((InvalidToken, InvalidCredentials)):
            door()
        assert is_deactivated(ann), name
    do(people.reactivate, admin, ann)
    for name in ("access token", "recovery page", "confirmation page", "password"):
        doors[name]()


@pytest.mark.spec("DRAFT-8")
@pytest.mark.parametrize("act", [people.deactivate, people.delete])
def test_links_to_previews_end_with_the_account_that_made_them(act: AuditEvent) -> None:
    admin, ann, bob = boss(), person(), person("bob@northstrait.example")
    with transaction() as session:
        drafts = [id_of(add_draft(session)) for _ in range(2)]
        actors = [Actor(user_id, Role.EMPLOYEE) for user_id in (ann, bob)]
        form = preview_links.ShareData(days="14")
        secrets = [
            preview_links.share(session, actor, draft, form) for actor, draft in zip(actors, drafts, strict=True)
        ]
    do(act, admin, ann)
    with read_session() as session:
        with pytest.raises(NotFound):
            preview_links.find(session, secrets[0], is_opened=False)
        assert preview_links.find(session, secrets[1], is_opened=False) == (drafts[1], "")


@pytest.mark.spec("DRAFT-8")
def test_links_to_previews_stay_if_the_account_does() -> None:
    admin = boss()
    with transaction() as session:
        draft = id_of(add_draft(session))
        secret = preview_links.share(session, admin, draft, preview_links.ShareData(days="14"))
    with pytest.raises(Conflict), transaction() as session:
        service.delete_account(session, admin.user_id)
    with read_session() as session:
        assert preview_links.find(session, secret, is_opened=False) == (draft, "")


def test_a_deactivated_person_gets_no_mail_and_strangers_learn_nothing(
    mails: Mails, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, "SMTP_URL", "smtp://127.0.0.1:1")
    use(monkeypatch, "SIGN_UP", "open")
    ann = person()
    do(people.deactivate, boss(), ann)
    with transaction() as session:
        session.execute(sa.delete(OutgoingMail))
    recovery.request_recovery(EmailData(email=EMAIL), "203.0.113.7")
    join(password=NEW_PASSWORD.password, confirm_password=NEW_PASSWORD.password)
    sign_up.send_verification_again(EmailData(email=EMAIL), "203.0.113.8")
    assert rows(OutgoingMail) == []
    with pytest.raises(EmailNotConfirmed):  # as for an address without an account
        enter(NEW_PASSWORD.password)
    for password in (PASSWORD, "a wrong one 99"):
        with pytest.raises(InvalidCredentials):
            enter(password)
    with transaction() as session:
        session.execute(sa.update(SignUp).values(created_at=now() - timedelta(days=31)))
        session.execute(sa.delete(Credential).where(col(Credential.user_id) == ann))
        sign_up.delete_expired(session, now(), 100)
    assert is_deactivated(ann)


def test_queued_mail_to_deactivated_or_deleted_people_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    admin, ann, bob = boss(), person(), person("bob@northstrait.example")
    tried: list[str] = []

    def deactivated_meanwhile(message: Message) -> None:
        tried.append(message.to)
        do(people.deactivate, admin, ann)
        do(people.delete, admin, bob)
        raise transport.MailError("away", reason="away")

    with transaction() as session:
        for to in (EMAIL, "Bob@Northstrait.example"):
            outbox.enqueue(session, Message(to=to, subject="Hello", text="Hello", html=""))
    monkeypatch.setattr(transport, "send", deactivated_meanwhile)
    claimed = worker._claim_next()
    assert claimed is not None and not worker._deliver(claimed)
    columns = OutgoingMail.metadata.tables["outgoing_mail"].c
    assert tried == [EMAIL]
    stored = rows(columns.id, columns.recipient, columns.subject, columns.due_at.is_not(None), columns.last_error)
    assert [row[1:] for row in sorted(stored)] == [
        (EMAIL, "Hello", False, messages.MAIL_HELD_BACK_ACCOUNT),
        ("Bob@Northstrait.example", "Hello", False, messages.MAIL_HELD_BACK_ACCOUNT),
        (EMAIL, "Your account at Northstrait is deactivated", True, ""),
    ]


@pytest.mark.spec("LOG-1")
def test_every_audit_event_is_logged_with_its_admin_and_mailed(mails: Mails) -> None:
    admin, ann = boss(), person()
    signed_in(ann)
    people.send_reset_link(admin, ann)
    acts: list[AuditEvent] = [people.sign_out, people.deactivate, people.reactivate, people.delete]
    for act in acts:
        do(act, admin, ann)
    logged = sorted(rows(activity.id, activity.by, activity.act, activity.subject))[1:]
    assert [line[1:] for line in logged] == [
        (admin.user_id, "reset_sent", EMAIL),
        (admin.user_id, "devices_signed_out", f"{EMAIL}, 1 device"),
        (admin.user_id, "account_deactivated", EMAIL),
        (admin.user_id, "account_reactivated", EMAIL),
        (admin.user_id, "account_deleted", EMAIL),
    ]
    assert rows(col(Profile.email)) == [("boss@northstrait.example",)]
    assert mails() == []  # the link, and the mails about both acts, were held back by the deletion


def test_history_and_activity_keep_the_name_of_a_deleted_person() -> None:
    admin, ann = boss(), person()
    signed_in(ann)
    do(people.delete, admin, ann)
    assert (None, "Ann Lim", "signed_in") in rows(activity.by, activity.by_name, activity.act)


@pytest.mark.parametrize("act", [people.deactivate, people.delete])
def test_nobody_deactivates_or_deletes_themselves(act: AuditEvent) -> None:
    admin = boss()
    boss("another@northstrait.example")
    with pytest.raises(Conflict, match="your own account"):
        do(act, admin, admin.user_id)
    assert not is_deactivated(admin.user_id)


def demote(session: Session, actor: Actor, user_id: int) -> None:
    service.change_role(session, actor, user_id, Role.MANAGER)


REMOVALS: list[AuditEvent] = [people.deactivate, people.delete, demote]


def active_admins() -> list[int]:
    found = sa.select(col(UserRole.user_id)).join(Profile, col(Profile.id) == col(UserRole.user_id))
    with read_session() as session:
        return list(
            session.execute(found.where(col(UserRole.role) == "admin", col(Profile.deactivated_at).is_(None))).scalars()
        )


@pytest.mark.spec("USR-4")
@pytest.mark.parametrize(("one", "other"), list(itertools.product(REMOVALS, repeat=2)))
def test_concurrent_removals_of_two_admins_by_each_other_leave_one(one: AuditEvent, other: AuditEvent) -> None:
    pair = [boss(), boss("another@northstrait.example")]
    barrier = threading.Barrier(2)
    refused: list[ServiceError] = []

    def remove(act: AuditEvent, actor: Actor, target: Actor) -> None:
        barrier.wait()
        try:
            do(act, actor, target.user_id)
        except ServiceError as error:
            refused.append(error)

    threads = [
        threading.Thread(target=remove, args=(one, pair[0], pair[1])),
        threading.Thread(target=remove, args=(other, pair[1], pair[0])),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [type(error) for error in refused] == [Conflict]
    assert len(active_admins()) == 1


@pytest.mark.spec("USR-4")
@pytest.mark.parametrize("act", [*REMOVALS, lambda session, _actor, user: service.delete_account(session, user)])
def test_a_deactivated_admin_does_not_count_as_the_last_admin(act: AuditEvent) -> None:
    admin, other, asking = boss(), boss("another@northstrait.example"), Actor(999, Role.ADMIN, now())
    do(people.deactivate, admin, other.user_id)
    with pytest.raises(Conflict, match="last admin"):
        do(act, asking, admin.user_id)
    assert active_admins() == [admin.user_id]
    do(act if act is not people.deactivate else people.delete, admin, other.user_id)
    with read_session() as session:
        assert service.has_admin(session)


@on_sqlite
def test_deactivating_and_reactivating_twice_is_refused() -> None:
    admin, ann = boss(), person()
    with pytest.raises(Conflict, match="not deactivated"):
        do(people.reactivate, admin, ann)
    do(people.deactivate, admin, ann)
    with pytest.raises(Conflict, match="already"):
        do(people.deactivate, admin, ann)
    with pytest.raises(Conflict, match="deactivated"):
        people.send_reset_link(admin, ann)


@on_sqlite
def test_role_changes_are_not_mailed_to_unconfirmed_or_deactivated_people(
    mails: Mails,
) -> None:
    admin, ann, bob = boss(), person(), person("bob@northstrait.example", confirmed=False)
    for user in (ann, bob):
        do(lambda session, actor, user_id: service.change_role(session, actor, user_id, "manager"), admin, user)
        do(lambda session, actor, user_id: service.change_role(session, actor, user_id, "manager"), admin, user)
    assert [(message["To"], message["Subject"]) for message in mails()] == [
        (EMAIL, "Your role at Northstrait has changed")
    ]
    do(people.deactivate, admin, ann)
    so_far = len(mails())
    do(demote, admin, ann)
    do(lambda session, actor, user_id: service.change_role(session, actor, user_id, "employee"), admin, ann)
    assert len(mails()) == so_far


def test_a_sign_in_begun_before_a_deactivation_fails() -> None:
    admin, ann = boss(), person()
    assert sign_in.check_password(EMAIL, PASSWORD) == ann
    do(people.deactivate, admin, ann)
    with pytest.raises(InvalidCredentials), transaction() as session:
        sessions.begin(session, ann)
