"""Logs security-relevant actions: who did what, and from which network."""

import logging
from collections.abc import Iterable
from contextvars import ContextVar
from enum import StrEnum

from sqlalchemy import event
from sqlmodel import Session

from ..site import get_site
from ..text import escape_controls, is_email
from . import metrics

logger = logging.getLogger(f"{get_site().package}.audit")

# The email address of the signed-in user, and the client's network, of the current event.
account: ContextVar[str] = ContextVar("account", default="")
network: ContextVar[str] = ContextVar("network", default="")
NOBODY = "nobody signed in"
SITE, COMMAND_LINE = "the site", "the command line"
# Who acts where there is no visitor: the site by itself, at a time that was set, or a command.
unattended: ContextVar[str] = ContextVar("unattended", default=SITE)


class AnyAuditEvent(StrEnum):
    """An action that is logged, of the kit or of a site."""


class AuditEvent(AnyAuditEvent):
    """The actions of the kit."""

    SIGNED_IN = "Signed in"
    SIGN_IN_FAILED = "Failed to sign in"
    TOO_MANY_ATTEMPTS = "Refused for too many attempts"
    SIGNED_OUT = "Signed out"
    DEVICES_SIGNED_OUT = "Signed out devices"
    SESSION_REVOKED = "Ended a session whose token was used twice"
    ROLE_CHANGED = "Changed a role"
    ACCOUNT_CREATED = "Created an account"
    INVITED = "Invited a person"
    INVITED_AGAIN = "Invited a person again"
    INVITATION_REVOKED = "Revoked an invitation"
    INVITATION_ACCEPTED = "Accepted an invitation"
    ADDRESS_CONFIRMED = "Confirmed an address"
    ACCOUNT_DEACTIVATED = "Deactivated an account"
    ACCOUNT_REACTIVATED = "Reactivated an account"
    ACCOUNT_DELETED = "Deleted an account"
    ACCOUNT_UNLOCKED = "Unlocked an account"
    NAMES_CHANGED = "Changed a name"
    PASSWORD_CHANGED = "Changed a password"  # noqa: S105  the name of an act
    FACTOR_FAILED = "Entered a wrong code"
    FACTOR_ADDED = "Added a second step"
    FACTOR_RENAMED = "Renamed a second step"
    FACTOR_REMOVED = "Removed a second step"
    FACTORS_RESET = "Removed all second steps"
    RECOVERY_CODE_USED = "Used a recovery code"
    RECOVERY_CODES_MADE = "Made new recovery codes"
    RESET_REQUESTED = "Requested a new password"
    RESET_SENT = "Sent a link for a new password"
    EMAIL_CHANGE_REQUESTED = "Asked for another email address"
    EMAIL_CHANGED = "Changed an email address"
    CONFIRMATION_REQUESTED = "Requested a confirmation link"
    CREATED = "Added a record"
    SAVED = "Saved a record"
    DELETED = "Deleted a record"
    RESTORED = "Restored a record"
    ERASED = "Deleted a record permanently"
    DRAFT_SAVED = "Saved a draft"
    DRAFT_SCHEDULED = "Scheduled a draft"
    DRAFT_PUBLISHED = "Published a draft"
    COLLEAGUES_DRAFT_PUBLISHED = "Published the draft of a colleague"
    DRAFT_DISCARDED = "Discarded a draft"
    DRAFT_BLOCKED = "Could not publish a draft"
    PREVIEW_SHARED = "Shared a preview"
    PREVIEW_REVOKED = "Revoked a preview link"
    EXPORTED = "Exported records"
    IMPORTED = "Imported records"
    PICTURE_ADDED = "Added a picture"
    PICTURE_CHANGED = "Changed a picture"
    PICTURE_DELETED = "Deleted a picture"
    PERSONAL_DATA_ERASED = "Erased what was held about a person"
    MAIL_SENT_AGAIN = "Sent an email again"


# By their names in lower case: those of the kit, and those that a site registers.
AUDIT_EVENTS: dict[str, AnyAuditEvent] = {}


def register(audit_events: Iterable[AnyAuditEvent]) -> None:
    """Let these actions be logged."""
    for audit_event in audit_events:
        AUDIT_EVENTS[audit_event.name.lower()] = audit_event
        metrics.acts.labels(audit_event.name.lower())  # 0 from the start, so that the first one is an increase


register(AuditEvent)


def log(audit_event: AnyAuditEvent, subject: str = "", *, by: str = "") -> None:
    """Log and count an action now; `by` is the account if no user is signed in yet."""
    where = network.get()
    who = by or account.get() or (NOBODY if where else unattended.get())
    facts = {"act": audit_event.value, "account": who, "network": where, "subject": subject}
    text = f"{audit_event}{f' ({subject})' if subject else ''}: {who}{f' from {where}' if where else ''}"
    metrics.acts.labels(audit_event.name.lower()).inc()
    logger.info("%s", escape_controls(text, 500), extra={"facts": facts})


def as_typed(email: str) -> str:
    """The typed text if it is an email address, else empty: people type passwords into the wrong field."""
    return email if is_email(email) else "no email address"


def log_when_committed(session: Session, audit_event: AnyAuditEvent, subject: str = "", *, by: str = "") -> None:
    """Log an action when the transaction is committed; nothing is logged after a rollback."""
    event.listen(session, "after_commit", lambda _session: log(audit_event, subject, by=by), once=True)
