"""Writes an address into every table that can hold it, and finds what is left of it."""

from datetime import timedelta
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from advisory_site.enquiries.models import EnquiryEntry, StageOwner
from advisory_site.seed import seed
from sitekit.accounts import links, throttling
from sitekit.accounts.email import email_links
from sitekit.accounts.models import (
    AuthFactor,
    EmailChange,
    FactorKind,
    Invitation,
    LinkPurpose,
    RecoveryCode,
    SignInChallenge,
    SignUp,
)
from sitekit.base.db import rate_limits
from sitekit.base.db.database import now, transaction
from sitekit.base.mail.models import OutgoingMail
from sitekit.base.observability.audit_log import AuditEvent
from sitekit.base.permissions import Actor, Role
from sitekit.ops.tables import metadata
from sitekit.records import activity
from sitekit.records.features import record_types
from sitekit.records.proposals import PreviewLink
from tests.support import factories
from tests.support.changed_texts import change_text
from tests.support.people import person, signed_in
from tests.support.record_types import ALL

ANN = "ann.lee@kelp.example"
# Other people's addresses, which contain this one or differ by their mark; they must stay.
OTHERS = ("jo" + ANN, ANN.replace("@", "+news@"), ANN + ".sg")
RECORDS = tuple(record_types())
# The record of each type that keeps the address, because the site shows it.
PUBLIC = {*RECORDS, "proposals", "revisions", "media", "texts"}


def write_everywhere(admin: Actor) -> int:
    """Seed the demo firm, and write the address into every table; returns the id of its account."""
    user_id = person(ANN, Role.EMPLOYEE)
    signed_in(user_id)
    with transaction() as session:
        seed(session)
        email_links.issue(session, user_id, LinkPurpose.RECOVER)
        session.add(SignUp(user_id=user_id, first_name="Ann", last_name="Lee", password_hash="x", created_at=now()))
        session.add(AuthFactor(user_id=user_id, kind=FactorKind.APP, name="Phone", secret="x", confirmed_at=now()))
        session.add(RecoveryCode(user_id=user_id, code_hash="x"))
        links.issue(session, LinkPurpose.CHANGE_EMAIL, timedelta(hours=1), admin.user_id, subject=ANN)
        links.issue(session, LinkPurpose.FACTOR, timedelta(hours=1), user_id, binding="x")
        session.add(SignInChallenge(token_hash="x", purpose="factor", user_id=user_id, browser="x", expires_at=now()))
        session.add(EmailChange(user_id=admin.user_id, new_email=ANN, token_hash="x", expires_at=now()))
        for number, (email, sender) in enumerate([(ANN, admin.user_id), ("bob@x.example", user_id)]):
            fields: dict[str, Any] = {"token_hash": str(number), "invited_by": sender, "sent_at": now()}
            session.add(
                Invitation(email=email, first_name=f"Invited {number}", role="employee", expires_at=now(), **fields)
            )
        for limit in (throttling.SIGN_IN_BY_ACCOUNT, throttling.sign_in_by_browser(ANN)):
            rate_limits.record(session, limit.bucket, ANN)
        theirs = factories.add_enquiry(session, email=ANN.title(), message="Please call me.")
        others = factories.add_enquiry(
            session, email="bob@x.example", message=f"As {ANN.upper()} said, hello.", owner_id=user_id
        )
        for enquiry, by in ((theirs, admin.user_id), (others, user_id), (others, admin.user_id)):
            of = factories.id_of(enquiry)
            session.add(
                EnquiryEntry(enquiry_id=of, category="note", by=by, by_name="Wei Tan", at=now(), text=f"Ask {ANN}")
            )
        session.add(StageOwner(stage="scale", owner_id=user_id))
        draft = factories.add_draft(session, inputs={"name": "Kelp", "email": ANN}, by=user_id)
        link: dict[str, Any] = {"of_table": draft.of_table, "nonce": "x", "digest": "x", "expires_at": now()}
        session.add(PreviewLink(proposal_id=draft.id, by=user_id, **link))
        add_mail(session, recipient=ANN, text="Hello")
        add_mail(session, recipient="firm@x.example", reply_to=ANN, text="An enquiry")
        add_mail(session, recipient="bob@x.example", subject=f"About {ANN}", text=f"Ask {ANN}", html=f"<b>{ANN}</b>")
        change_text(session, "Write to the firm", f"Write to {ANN}")
        factories.add_picture(session, name=f"by {ANN}, 1.jpg", created_by=user_id)
        activity.log(session, AuditEvent.SIGN_IN_FAILED, name=ANN)
        activity.log(session, AuditEvent.ROLE_CHANGED, f"{ANN} is manager", by=admin.user_id)
        activity.log(session, AuditEvent.NAMES_CHANGED, "Ann Lee", by=user_id, of_table="profiles", record_id=user_id)
    for table, sample in ALL.items():
        field = "text" if table == "articles" else "email"
        with transaction() as session:
            public = int(sample.add(session, name="Public", **{field: ANN}).id)
            older = int(sample.add(session, name=f"Older {ANN}", **{field: ANN}).id)
            deleted = int(sample.add(session, name="Deleted", **{field: ANN}).id)
        with transaction() as session:
            changed = session.get_one(sample.record_type.table, older)
            changed.name, changed.updated_by = "Older", user_id
            setattr(changed, field, "")
            session.get_one(sample.record_type.table, public).updated_by = user_id
        with transaction() as session:
            sample.record_type.delete(session, Actor(user_id, Role.EMPLOYEE), deleted)
    with transaction() as session:
        for other in OTHERS:
            factories.add_enquiry(session, email=other, message=f"I am {other}")
            activity.log(session, AuditEvent.SIGN_IN_FAILED, name=other)
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
