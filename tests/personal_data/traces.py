"""Writes an address into every table that can hold it, and finds what is left of it."""

from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from advisory_site.accounts import email_links, throttling
from advisory_site.accounts.models import (
    AuthFactor,
    EmailChange,
    FactorKind,
    Invitation,
    RecoveryCode,
    SignInChallenge,
    SignUp,
)
from advisory_site.core.permissions import Actor, Role
from advisory_site.dashboard.record_types import RECORD_TYPES
from advisory_site.db import rate_limits
from advisory_site.db.database import now, transaction
from advisory_site.mail.models import OutgoingMail
from advisory_site.observability.audit_log import Act
from advisory_site.ops.tables import metadata
from advisory_site.records import activity
from advisory_site.seed import seed
from tests.support import factories
from tests.support.people import person, signed_in
from tests.support.record_types import SAMPLES

ANN = "ann.lee@kelp.example"
# Other people's addresses, which contain this one or differ by their mark; they must stay.
OTHERS = ("jo" + ANN, ANN.replace("@", "+news@"), ANN + ".sg")
RECORDS = tuple(RECORD_TYPES)
# The record of each type that keeps the address, because the site shows it.
PUBLIC = {*RECORDS, "revisions", "media"}


def write_everywhere(admin: Actor) -> int:
    """Seed the demo firm, and write the address into every table; returns the id of its account."""
    user_id = person(ANN, Role.EMPLOYEE)
    signed_in(user_id)
    with transaction() as session:
        seed(session)
        email_links.issue(session, user_id, email_links.RECOVER)
        session.add(SignUp(user_id=user_id, first_name="Ann", last_name="Lee", password_hash="x", created_at=now()))
        session.add(AuthFactor(user_id=user_id, kind=FactorKind.APP, name="Phone", secret="x", confirmed_at=now()))
        session.add(RecoveryCode(user_id=user_id, code_hash="x"))
        session.add(SignInChallenge(token_hash="x", purpose="factor", user_id=user_id, browser="x", expires_at=now()))
        session.add(EmailChange(user_id=admin.user_id, new_email=ANN, token_hash="x", expires_at=now()))
        for number, (email, sender) in enumerate([(ANN, admin.user_id), ("bob@x.example", user_id)]):
            fields: dict[str, Any] = {"token_hash": str(number), "invited_by": sender, "sent_at": now()}
            session.add(Invitation(email=email, role=Role.EMPLOYEE, expires_at=now(), **fields))
        for limit in (throttling.SIGN_IN_BY_ACCOUNT, throttling.sign_in_by_browser(ANN)):
            rate_limits.record(session, limit.bucket, ANN)
        factories.add_enquiry(session, email=ANN.title(), message="Please call me.")
        factories.add_enquiry(session, email="bob@x.example", message=f"As {ANN.upper()} said, hello.")
        add_mail(session, recipient=ANN, text="Hello")
        add_mail(session, recipient="firm@x.example", reply_to=ANN, text="An enquiry")
        add_mail(session, recipient="bob@x.example", subject=f"About {ANN}", text=f"Ask {ANN}", html=f"<b>{ANN}</b>")
        factories.add_picture(session, name=f"by {ANN}, 1.jpg", created_by=user_id)
        activity.note(session, Act.SIGN_IN_FAILED, name=ANN)
        activity.note(session, Act.ROLE_CHANGED, f"{ANN} is manager", by=admin.user_id)
        activity.note(session, Act.NAMES_CHANGED, "Ann Lee", by=user_id, of_table="profiles", record_id=user_id)
    for sample in SAMPLES.values():
        with transaction() as session:
            public = int(sample.add(session, name="Public", email=ANN).id)
            older = int(sample.add(session, name=f"Older {ANN}", email=ANN).id)
            deleted = int(sample.add(session, name="Deleted", email=ANN).id)
        with transaction() as session:
            changed = session.get_one(sample.kind.table, older)
            changed.name, changed.email, changed.updated_by = "Older", "", user_id
            session.get_one(sample.kind.table, public).updated_by = user_id
        with transaction() as session:
            sample.kind.delete(session, Actor(user_id, Role.EMPLOYEE), deleted)
    with transaction() as session:
        for other in OTHERS:
            factories.add_enquiry(session, email=other, message=f"I am {other}")
            activity.note(session, Act.SIGN_IN_FAILED, name=other)
    return user_id


def add_mail(session: Session, **fields: Any) -> None:
    """Queue a message."""
    number = session.execute(sa.select(sa.func.count()).select_from(OutgoingMail)).scalar_one()
    filled: dict[str, Any] = {"message_id": f"<{number}@x.example>", "subject": "Hello", "due_at": now()}
    session.add(OutgoingMail(**{**filled, **fields}))
    session.flush()


def left(session: Session) -> dict[str, list[str]]:
    """The values of the whole database that contain the address, but not another one's, by table."""
    found: dict[str, list[str]] = {}
    for table in metadata.sorted_tables:
        for row in session.execute(sa.select(*(sa.cast(column, sa.Text) for column in table.c))):
            for value in filter(None, row):
                text = value.lower()
                for other in OTHERS:
                    text = text.replace(other, "")
                if ANN in text:
                    found.setdefault(table.name, []).append(value)
    return found
