"""Invitations: who may send them, what they open, and every way in which one has come to its end (INV-1)."""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import col

from advisory_site.content import privacy
from sitekit.accounts import throttling
from sitekit.accounts.account_errors import EmailNotConfirmed, InvalidCredentials, InvalidToken, WeakPassword
from sitekit.accounts.email import email_links
from sitekit.accounts.form_data import AcceptanceData, SignUpData
from sitekit.accounts.invitations import acceptance, invitations
from sitekit.accounts.invitations.acceptance import Invited, accept, find_invited, open_link
from sitekit.accounts.invitations.invitations import (
    ENDED,
    InvitationData,
    InvitationOutcome,
    InvitationRow,
    Result,
    Status,
)
from sitekit.accounts.models import Credential, Invitation, Profile, SecretLink, SignUp, UserRole
from sitekit.accounts.people import service, sign_up
from sitekit.accounts.sessions import sessions
from sitekit.accounts.sessions.sessions import IssuedSession
from sitekit.base import permissions
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.errors import Conflict, Forbidden, InvalidInput, NotFound, TooManyAttempts
from sitekit.base.identity import User
from sitekit.base.permissions import POLICY, Action, Actor, Role
from sitekit.ops import backup, retention
from sitekit.records.activity import Activity
from sitekit.records.listing import ListQuery
from tests.sitekit.accounts.conftest import token_in
from tests.sitekit.accounts.steps import FORM as SIGN_UP_FORM
from tests.sitekit.accounts.steps import Mails, confirm, enter, join, rows, use
from tests.support.each import check_each
from tests.support.people import PASSWORD, person, signed_in

pytestmark = pytest.mark.spec("INV-1")
ADDRESS = "203.0.113.7"
MEI = "mei@northstrait.example"
FORM = {"first_name": "Mei", "last_name": "Tan", "password": PASSWORD, "confirm_password": PASSWORD}


def admin(email: str = "boss@northstrait.example", role: Role = Role.ADMIN) -> Actor:
    return Actor(person(email, role), role, now())


def invite(actor: Actor, addresses: str = MEI, role: str = Role.EMPLOYEE) -> list[InvitationOutcome]:
    data = InvitationData.read({"addresses": addresses, "role": role})
    with transaction() as session:
        return invitations.invite(session, actor, data)


def send_again(actor: Actor, invitation: int = 1) -> str:
    with transaction() as session:
        return invitations.send_again(session, actor, invitation)


def revoke(actor: Actor, invitation: int = 1) -> None:
    with transaction() as session:
        invitations.revoke(session, actor, invitation)


def take(token: str, **changes: str) -> IssuedSession:
    return accept(token, AcceptanceData.read(FORM | changes), ADDRESS)


def listed(actor: Actor, **query: Any) -> list[InvitationRow]:
    with read_session() as session:
        return list(invitations.list_invitations(session, actor, ListQuery(**query)).rows)


def results(outcomes: list[InvitationOutcome]) -> list[tuple[str, Result]]:
    return [(one.entry.email or one.entry.typed, one.result) for one in outcomes]


def greeting(message: EmailMessage) -> str:
    text = message.get_body(("plain",))
    assert text is not None
    return str(text.get_content()).splitlines()[0]


def identity(issued: IssuedSession) -> User:
    with read_session() as session:
        return sessions.identify(session, issued.access_token).user


def later(**columns: Any) -> None:
    """Change every invitation, as time or somebody else does."""
    with transaction() as session:
        session.execute(sa.update(Invitation).values(**columns))


def at_once(*acts: Callable[[], object]) -> list[object]:
    """Do these at the same moment; their results, or errors."""
    barrier = threading.Barrier(len(acts))
    found: list[object] = []

    def act(what: Callable[[], object]) -> None:
        barrier.wait()
        try:
            found.append(what())
        except Exception as error:
            found.append(error)

    threads = [threading.Thread(target=act, args=[one]) for one in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


@pytest.fixture
def sent(mails: Mails) -> Callable[..., list[EmailMessage]]:
    """The mails to an address, oldest first."""
    return lambda email=MEI: [message for message in mails() if message["To"] == email]


Sent = Callable[..., list[EmailMessage]]


class TestTheWayIn:
    @pytest.mark.parametrize("role", list(Role))
    @pytest.mark.parametrize("sign_up_setting", ["open", "closed"])
    def test_an_invited_person_creates_an_account_with_the_role_of_the_invitation(
        self, sent: Sent, role: Role, sign_up_setting: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        use(monkeypatch, "SIGN_UP", sign_up_setting)
        use(monkeypatch, "SMTP_URL", "smtp://127.0.0.1:9")
        boss = admin()
        invite(boss, role=role)
        use(monkeypatch, "SMTP_URL", "")
        token = token_in(sent()[0])
        use(monkeypatch, "SMTP_URL", "smtp://127.0.0.1:9")
        user = identity(take(token))
        assert (user.email, user.first_name, user.last_name, user.role) == (MEI, "Mei", "Tan", role)
        assert identity(enter(email=MEI)).id == user.id
        assert [row.status for row in listed(boss, filter=ENDED)] == [Status.ACCEPTED]
        assert listed(boss) == []

    def test_the_new_account_has_the_address_of_the_invitation(self, sent: Sent) -> None:
        invite(admin(), " Mei <MEI@NorthStrait.Example> ")
        user = identity(take(token_in(sent()[0]), email="eve@elsewhere.example"))
        assert user.email == MEI

    def test_the_mail_of_an_invitation_greets_by_the_first_name_that_was_typed(self, mails: Mails) -> None:
        invite(admin(), f'"Tan, Mei" <{MEI}>, Bo <bo@x.com>, cy@x.com, www.evil.example <di@x.com>')
        assert list(map(greeting, mails())) == ["Hello Mei,", "Hello Bo,", "Hello,", "Hello,"]
        assert [one["To"] for one in mails()] == [MEI, "bo@x.com", "cy@x.com", "di@x.com"]

    @pytest.mark.spec("ENQ-5")
    def test_the_mail_of_an_invitation_names_an_admin_without_a_name_by_no_address(self, sent: Sent) -> None:
        boss = admin()
        with transaction() as session:
            session.execute(sa.update(Profile).values(first_name="", last_name=""))
        invite(boss)
        text = str(sent()[0])
        assert "An admin has invited you" in text
        assert "boss@" not in text

    def test_the_names_of_an_invitation_are_kept_when_it_is_sent_again(self, sent: Sent) -> None:
        boss = admin()
        invite(boss, f"Mei Tan <{MEI}>")
        send_again(boss)
        invite(boss)
        assert list(map(greeting, sent())) == ["Hello Mei,"] * 3
        assert find_invited(token_in(sent()[2])) == Invited(MEI, "Mei", "Tan")

    def test_inviting_again_with_another_name_replaces_it(self, sent: Sent) -> None:
        boss = admin()
        invite(boss, f"Mei Tan <{MEI}>")
        invite(boss, f"May <{MEI}>")
        assert find_invited(token_in(sent()[1])) == Invited(MEI, "May", "")

    def test_the_new_account_has_the_names_of_the_form(self, sent: Sent) -> None:
        invite(admin(), f"May Lim <{MEI}>")
        user = identity(take(token_in(sent()[0])))
        assert (user.first_name, user.last_name) == ("Mei", "Tan")

    def test_opening_a_link_changes_nothing(self, sent: Sent) -> None:
        invite(admin())
        token = token_in(sent()[0])
        assert [open_link(token) for _ in range(3)] == [MEI] * 3
        take(token)

    def test_weak_passwords_are_refused_and_the_link_still_works(self, sent: Sent) -> None:
        invite(admin())
        token = token_in(sent()[0])
        with pytest.raises(WeakPassword):
            take(token, password="Mei-Tan-1", confirm_password="Mei-Tan-1")
        with pytest.raises(WeakPassword):
            take(token, password="password1", confirm_password="password1")
        for changes in ({"confirm_password": "other"}, {"password": "short"}, {"first_name": ""}, {"last_name": "<b>"}):
            with pytest.raises(InvalidInput) as refusal:
                take(token, **changes)
            assert refusal.value.fields
        assert take(token)

    def test_links_are_stored_as_hashes(self, sent: Sent) -> None:
        invite(admin())
        token = token_in(sent()[0])
        ((stored,),) = rows(Invitation.token_hash)
        assert token not in stored

    def test_invitation_audit_events_are_logged(self, sent: Sent) -> None:
        boss = admin()
        invite(boss)
        send_again(boss)
        take(token_in(sent()[1]))
        invite(boss, "bo@northstrait.example")
        revoke(boss, 2)
        found = [(act, subject) for act, subject in rows(Activity.act, Activity.subject) if "invit" in act]
        assert found == [
            ("invited", f"{MEI}, employee"),
            ("invited_again", f"{MEI}, employee"),
            ("invitation_accepted", f"{MEI}, employee"),
            ("invited", "bo@northstrait.example, employee"),
            ("invitation_revoked", "bo@northstrait.example, employee"),
        ]


class TestTheEndOfALink:
    def test_invented_links_are_refused(self) -> None:
        invite(admin())

        def check(token: str) -> None:
            with pytest.raises(InvalidToken):
                open_link(token)
            with pytest.raises(InvalidToken):
                take(token)

        check_each(["", "guessed", "x" * 100_000, "\x00", "é" * 43], check)

    def is_over(self, token: str) -> None:
        with pytest.raises(InvalidToken, match="not valid any more"):
            open_link(token)
        with pytest.raises(InvalidToken, match="not valid any more"):
            take(token)

    def test_a_link_works_once(self, sent: Sent) -> None:
        invite(admin())
        token = token_in(sent()[0])
        take(token)
        self.is_over(token)
        assert len(rows(Profile.id)) == 2

    def test_concurrent_acceptances_create_one_account(self, sent: Sent) -> None:
        invite(admin())
        token = token_in(sent()[0])
        found = at_once(*[lambda number=number: take(token, first_name=f"Mei {number}") for number in "abcd"])
        assert sorted(type(one).__name__ for one in found) == ["InvalidToken"] * 3 + ["IssuedSession"]
        assert len(rows(Profile.id)) == 2

    def test_an_invitation_expires_after_seven_days(self, sent: Sent, monkeypatch: pytest.MonkeyPatch) -> None:
        invite(admin())
        token = token_in(sent()[0])
        moment = now()
        monkeypatch.setattr(acceptance, "now", lambda: moment + timedelta(days=7, minutes=-1))
        assert open_link(token)
        monkeypatch.setattr(acceptance, "now", lambda: moment + timedelta(days=7, minutes=1))
        self.is_over(token)

    def test_an_invitation_can_be_revoked(self, sent: Sent) -> None:
        boss = admin()
        invite(boss)
        revoke(boss)
        self.is_over(token_in(sent()[0]))
        for act in (revoke, send_again):
            with pytest.raises(NotFound, match="accepted or revoked"):
                act(boss)
        assert [row.status for row in listed(boss, filter=ENDED)] == [Status.REVOKED]

    def test_sending_an_invitation_again_invalidates_the_earlier_link(self, sent: Sent) -> None:
        boss = admin()
        invite(boss)
        send_again(boss)
        first, second = map(token_in, sent())
        self.is_over(first)
        assert identity(take(second)).email == MEI

    def test_an_expired_invitation_sent_again_lasts_seven_days(self, sent: Sent) -> None:
        boss = admin()
        invite(boss)
        later(expires_at=now() - timedelta(minutes=1))
        assert [row.status for row in listed(boss)] == [Status.EXPIRED]
        send_again(boss)
        (row,) = listed(boss)
        lasts = datetime.fromisoformat(row.expires) - datetime.fromisoformat(row.sent)
        assert (row.status, lasts) == (Status.OPEN, timedelta(days=7))
        assert take(token_in(sent()[1]))

    def test_inviting_again_gives_a_new_link_and_role(self, sent: Sent) -> None:
        boss = admin()
        assert results(invite(boss)) == [(MEI, Result.INVITED)]
        assert results(invite(boss, role=Role.MANAGER)) == [(MEI, Result.INVITED_AGAIN)]
        first, second = map(token_in, sent())
        self.is_over(first)
        assert identity(take(second)).role == Role.MANAGER

    def test_concurrent_acceptance_and_revocation_have_one_winner(self, sent: Sent) -> None:
        boss = admin()
        invite(boss)
        token = token_in(sent()[0])
        found = at_once(lambda: take(token), lambda: revoke(boss))
        errors = [one for one in found if isinstance(one, Exception)]
        assert [type(one) for one in errors] in ([InvalidToken], [NotFound])
        assert len(rows(Profile.id)) == (1 if isinstance(errors[0], InvalidToken) else 2)

    def test_concurrent_acceptance_and_resending_fail_cleanly(self, sent: Sent) -> None:
        boss = admin()
        invite(boss)
        token = token_in(sent()[0])
        found = at_once(lambda: take(token), lambda: send_again(boss))
        errors = [type(one) for one in found if isinstance(one, Exception)]
        assert errors in ([InvalidToken], [NotFound], [Conflict])

    def test_links_are_invalid_after_a_restore(self, sent: Sent) -> None:
        boss = admin()
        invite(boss)
        token = token_in(sent()[0])
        with transaction() as session:
            backup._reset_transient_state(session.connection(), 1)
        self.is_over(token)
        assert [row.status for row in listed(boss)] == [Status.EXPIRED]


class TestTheSender:
    @pytest.mark.parametrize("role", [Role.MANAGER, Role.EMPLOYEE])
    def test_only_admins_can_invite(self, role: Role) -> None:
        boss, other = admin(), admin("other@northstrait.example", role)
        invite(boss)
        for act in (invite, send_again, revoke):
            with pytest.raises(Forbidden, match="Only admins can invite people"):
                act(other)
        with pytest.raises(Forbidden):
            listed(other)
        assert len(listed(boss)) == 1

    @pytest.fixture
    def managers_invite(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A policy that a later release may have."""
        policy = POLICY | {Action.INVITE_USERS: frozenset({Role.ADMIN, Role.MANAGER})}
        monkeypatch.setattr(permissions, "POLICY", policy)

    @pytest.mark.parametrize("role", list(Role))
    def test_nobody_invites_with_a_role_above_their_own(self, managers_invite: None, sent: Sent, role: Role) -> None:
        manager = admin(role=Role.MANAGER)
        if role == Role.ADMIN:
            with pytest.raises(Forbidden, match="more than your own"):
                invite(manager, role=role)
            assert sent() == []
        else:
            invite(manager, role=role)
            assert identity(take(token_in(sent()[0]))).role == role

    def test_nobody_resends_or_revokes_an_invitation_above_their_own_role(self, managers_invite: None) -> None:
        invite(admin(), role=Role.ADMIN)
        manager = admin("manager@northstrait.example", Role.MANAGER)
        for act in (send_again, revoke):
            with pytest.raises(Forbidden, match="more than your own"):
                act(manager)
        with pytest.raises(Forbidden):
            invite(manager, role=Role.ADMIN)

    def test_inviting_again_cannot_lower_a_role_above_the_senders_own(self, managers_invite: None) -> None:
        boss = admin()
        invite(boss, role=Role.ADMIN)
        manager = admin("manager@northstrait.example", Role.MANAGER)
        assert results(invite(manager)) == [(MEI, Result.REFUSED)]
        assert [row.role for row in listed(boss)] == [Role.ADMIN]

    @pytest.mark.parametrize(("invited_as", "works"), [(Role.ADMIN, False), (Role.EMPLOYEE, True)])
    def test_an_invitation_of_a_demoted_sender_is_limited_to_their_new_role(
        self, managers_invite: None, sent: Sent, invited_as: Role, works: bool
    ) -> None:
        admin("another@northstrait.example")
        boss = admin()
        invite(boss, role=invited_as)
        self.demote(boss, Role.MANAGER)
        token = token_in(sent()[0])
        if works:
            assert identity(take(token)).role == invited_as
        else:
            with pytest.raises(InvalidToken):
                take(token)

    def demote(self, boss: Actor, role: Role = Role.EMPLOYEE) -> None:
        with transaction() as session:
            service.set_role(session, boss.user_id, role)

    def delete(self, boss: Actor) -> None:
        with transaction() as session:
            service.delete_account(session, boss.user_id)

    @pytest.mark.parametrize("end", ["demote", "delete"])
    def test_an_invitation_is_invalid_once_its_sender_may_not_invite(self, sent: Sent, end: str) -> None:
        other, boss = admin("other@northstrait.example"), admin()
        invite(boss)
        getattr(self, end)(boss)
        token = token_in(sent()[0])
        with pytest.raises(InvalidToken):
            open_link(token)
        with pytest.raises(InvalidToken):
            take(token)
        assert [row.status for row in listed(other)] == [Status.SENDER_GONE]
        # Another admin vouches for it by sending it again.
        send_again(other)
        assert [row.status for row in listed(other)] == [Status.OPEN]
        assert take(token_in(sent()[1]))

    @pytest.mark.parametrize("end", ["demote", "delete"])
    def test_concurrent_acceptance_and_loss_of_the_sender_fail_cleanly(self, sent: Sent, end: str) -> None:
        admin("other@northstrait.example")
        boss = admin()
        invite(boss)
        token = token_in(sent()[0])
        found = at_once(lambda: take(token), lambda: getattr(self, end)(boss))
        assert [type(one) for one in found if isinstance(one, Exception)] in ([], [InvalidToken])


class TestAnAddressWithAnAccount:
    def test_inviting_an_account_holder_only_notifies_the_admin_and_the_holder(self, sent: Sent) -> None:
        boss, mei = admin(), person(MEI, Role.EMPLOYEE)
        assert results(invite(boss, role=Role.ADMIN)) == [(MEI, Result.HAS_ACCOUNT)]
        (message,) = sent()
        assert "already have an account" in message["Subject"]
        with pytest.raises(AssertionError, match="no link"):
            token_in(message)
        assert listed(boss) == []
        assert (Role.EMPLOYEE,) in rows(UserRole.role)
        assert len(rows(Profile.id)) == 2 and mei

    def test_an_account_created_meanwhile_ends_the_invitation(self, sent: Sent) -> None:
        boss = admin()
        invite(boss, role=Role.ADMIN)
        issued = signed_in(person(MEI, Role.EMPLOYEE, password="an-older-evening-17"))
        token = token_in(sent()[0])
        with pytest.raises(InvalidToken):
            open_link(token)
        with pytest.raises(InvalidToken):
            take(token)
        assert identity(issued).role == Role.EMPLOYEE
        with pytest.raises(InvalidCredentials):
            enter(email=MEI)
        assert [row.status for row in listed(boss)] == [Status.HAS_ACCOUNT]
        with pytest.raises(Conflict, match="already has an account"):
            send_again(boss)

    def test_an_invitation_replaces_an_unconfirmed_sign_up(self, sent: Sent, monkeypatch: pytest.MonkeyPatch) -> None:
        use(monkeypatch, "SMTP_URL", "smtp://127.0.0.1:9")
        boss = admin()
        join(email=MEI, first_name="Eve", password="seven-cold-harbours-31", confirm_password="seven-cold-harbours-31")
        assert results(invite(boss, role=Role.MANAGER)) == [(MEI, Result.INVITED)]
        use(monkeypatch, "SMTP_URL", "")
        confirmation, invitation = sent()
        use(monkeypatch, "SMTP_URL", "smtp://127.0.0.1:9")
        user = identity(take(token_in(invitation)))
        assert (user.first_name, user.role) == ("Mei", Role.MANAGER)
        assert rows(SignUp.user_id) == rows(SecretLink.user_id) == []
        with pytest.raises((InvalidCredentials, EmailNotConfirmed)):
            enter("seven-cold-harbours-31", MEI)
        with pytest.raises(InvalidToken):
            confirm(confirmation, "seven-cold-harbours-31")
        assert enter(email=MEI)

    def test_accepting_signs_out_an_unconfirmed_account_of_the_same_address(
        self, sent: Sent, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        boss = admin()
        strangers = signed_in(person(MEI, Role.EMPLOYEE, confirmed=False))
        use(monkeypatch, "SMTP_URL", "smtp://127.0.0.1:9")
        invite(boss)
        use(monkeypatch, "SMTP_URL", "")
        token = token_in(sent()[0])
        use(monkeypatch, "SMTP_URL", "smtp://127.0.0.1:9")
        take(token)
        with pytest.raises(InvalidToken):
            identity(strangers)

    def test_concurrent_acceptance_and_sign_up_both_succeed(self, sent: Sent, monkeypatch: pytest.MonkeyPatch) -> None:
        invite(admin())
        token = token_in(sent()[0])
        use(monkeypatch, "SMTP_URL", "smtp://127.0.0.1:9")
        strangers = "seven-cold-harbours-31"
        data = SignUpData.read(SIGN_UP_FORM | {"email": MEI, "password": strangers, "confirm_password": strangers})
        found = at_once(lambda: take(token), lambda: sign_up.sign_up(data, ADDRESS))
        assert [one for one in found if isinstance(one, Exception)] == []
        assert len(rows(Credential.user_id)) == 2
        assert enter(email=MEI)


class TestSeveralAtOnce:
    def test_each_invited_address_has_its_own_outcome(self, mails: Mails) -> None:
        boss = admin()
        person("has@northstrait.example")
        invite(boss, "again@northstrait.example")
        outcomes = invite(
            boss, "New <new@northstrait.example>, bad@, has@northstrait.example; AGAIN@northstrait.example"
        )
        assert results(outcomes) == [
            ("new@northstrait.example", Result.INVITED),
            ("bad@", Result.REFUSED),
            ("has@northstrait.example", Result.HAS_ACCOUNT),
            ("again@northstrait.example", Result.INVITED_AGAIN),
        ]
        assert outcomes[1].reason == "Please enter a full email address, such as name@company.com."
        assert len(mails()) == 4

    @pytest.mark.parametrize("addresses", ["ü@northstrait.example", "mei@münchen.example", "mei@northstrait"])
    def test_undeliverable_addresses_are_refused_without_mail(self, mails: Mails, addresses: str) -> None:
        assert results(invite(admin(), addresses)) == [(addresses, Result.REFUSED)]
        assert mails() == []
        assert rows(Invitation.id) == []

    def test_a_form_that_cannot_be_read_sends_nothing(self) -> None:
        def check(case: tuple[object, str, str]) -> None:
            form, field, sentence = case
            with pytest.raises(InvalidInput) as refusal:
                InvitationData.read(form)
            assert refusal.value.fields[field].startswith(sentence)

        cases: list[tuple[object, str, str]] = [
            ({"addresses": "", "role": "employee"}, "addresses", "Please fill in this field."),
            ({"addresses": " ,; ", "role": "employee"}, "addresses", "Please fill in this field."),
            ({"role": "employee"}, "addresses", "Please fill in this field."),
            ({"addresses": [MEI], "role": "employee"}, "addresses", "This could not be read. Please enter it again."),
            ({"addresses": MEI, "role": "owner"}, "role", "Please choose one of the roles in the list."),
            ({"addresses": MEI}, "role", "Please fill in this field."),
            (
                {"addresses": "\n".join(f"p{number}@x.com" for number in range(200)), "role": "employee"},
                "addresses",
                "Please invite 50 people or fewer at a time.",
            ),
            ({"addresses": "a" * 20_001, "role": "employee"}, "addresses", "Please shorten this to 20,000"),
        ]
        check_each(cases, check)

    def test_an_address_invited_by_two_admins_at_once_is_invited_once(self, sent: Sent) -> None:
        first, second = admin(), admin("second@northstrait.example")
        found = at_once(lambda: results(invite(first)), lambda: results(invite(second)))
        assert sorted(one[0][1] for one in found if isinstance(one, list)) == [Result.INVITED, Result.INVITED_AGAIN]
        assert len(listed(first)) == 1
        working = []
        for message in sent():
            try:
                working.append(open_link(token_in(message)))
            except InvalidToken:
                continue
        assert working == [MEI]

    def test_overlapping_address_lists_do_not_deadlock(self) -> None:
        first, second = admin(), admin("second@northstrait.example")
        names = [f"p{number}@northstrait.example" for number in range(8)]
        found = at_once(
            *(lambda: invite(first, ",".join(names)), lambda: invite(second, ",".join(reversed(names)))),
        )
        assert [one for one in found if isinstance(one, Exception)] == []
        assert len(listed(first)) == 8


class TestLimits:
    def test_one_address_gets_at_most_five_invitations_a_day(self, sent: Sent) -> None:
        boss = admin()
        invite(boss)
        for _ in range(4):
            send_again(boss)
        (outcome,) = invite(boss, role=Role.ADMIN)
        assert (outcome.result, outcome.reason) == (Result.REFUSED, "Invited too often. Please wait 24 hours.")
        with pytest.raises(TooManyAttempts, match="Invited too often"):
            send_again(boss)
        assert len(sent()) == 5
        assert [row.role for row in listed(boss)] == [Role.EMPLOYEE]

    def test_an_account_holder_gets_at_most_five_invitation_mails(self, sent: Sent) -> None:
        boss = admin()
        person(MEI)
        for _ in range(7):
            outcome = invite(boss)[0]
        assert outcome.result == Result.REFUSED
        assert len(sent()) == 5

    def test_invitations_are_limited_per_admin_and_day(self, mails: Mails) -> None:
        boss, other = admin(), admin("other@northstrait.example")
        most = throttling.INVITATION_BY_SENDER.most
        lists = [", ".join(f"p{first + n}@x.com" for n in range(50)) for first in range(0, most, 50)]
        for one in lists[:-1]:
            invite(boss, one)
        invite(boss, lists[-1].partition(", ")[2])
        assert len(listed(boss, size=100)) == 100
        with pytest.raises(TooManyAttempts, match="none of these was sent"):
            invite(boss, f"{MEI}, bo@northstrait.example")
        invite(boss)
        with pytest.raises(TooManyAttempts):
            send_again(boss)
        assert results(invite(other, "bo@northstrait.example")) == [("bo@northstrait.example", Result.INVITED)]

    def test_a_client_that_guesses_links_is_stopped(self) -> None:
        for _ in range(throttling.LINK_BY_ADDRESS.most):
            with pytest.raises(InvalidToken):
                take("guessed")
        with pytest.raises(TooManyAttempts):
            take("guessed")


class TestTheList:
    def test_invitations_are_searched_and_sorted_and_show_the_sender(self) -> None:
        boss = admin()
        invite(boss, "bo@northstrait.example, ann@northstrait.example")
        invite(boss, role=Role.MANAGER)
        found = listed(boss, sort="email")
        assert [row.email.partition("@")[0] for row in found] == ["ann", "bo", "mei"]
        assert {row.by_name for row in found} == {"Ann Lim"}
        assert [row.email for row in listed(boss, search="MEI@")] == [MEI]
        assert listed(boss, search="%") == []

    def test_the_name_stands_beside_the_address_and_is_searched(self) -> None:
        boss = admin()
        invite(boss, f"Mei Tan <{MEI}>, Bo <bo@x.com>, cy@x.com")
        assert [row.name for row in listed(boss, sort="email")] == ["Bo", "", "Mei Tan"]
        assert [row.email for row in listed(boss, search="tan mei")] == [MEI]


class TestRetention:
    def test_an_invitation_is_deleted_thirty_days_after_its_end(self) -> None:
        boss = admin()
        names = ["accepted", "revoked", "expired", "open"]
        invite(boss, ",".join(f"{name}@northstrait.example" for name in names))
        old, young = now() - timedelta(days=30, minutes=1), now() - timedelta(days=29)
        values = {"accepted": {"accepted_at": old}, "revoked": {"revoked_at": old}, "expired": {"expires_at": old}}
        for at in (young, old):
            with transaction() as session:
                for name, ends in values.items():
                    change = sa.update(Invitation).where(col(Invitation.email) == f"{name}@northstrait.example")
                    session.execute(change.values(dict.fromkeys(ends, at)))
            assert retention.sweep()["invitations"] == (0 if at == young else 3)
        assert rows(Invitation.email) == [("open@northstrait.example",)]

    def test_the_privacy_policy_states_how_long_invitations_are_kept(self) -> None:
        (kept,) = [row.kept for row in privacy.STORED if row.title == "Invitations to staff"]
        assert f"{invitations.KEPT.days} days" in kept
        assert f"{email_links.INVITATION_LIFE.days} days" in kept
