"""Logs who did what, and from which network, for each act that matters to security."""

import logging
from contextvars import ContextVar
from enum import StrEnum

from sqlalchemy import event
from sqlmodel import Session

from ..core.text import escape_controls, is_email

log = logging.getLogger("advisory_site.audit")

# Of the event that is being worked on: the email address of the person who is signed in, and the network of the client.
account: ContextVar[str] = ContextVar("account", default="")
network: ContextVar[str] = ContextVar("network", default="")
NOBODY = "nobody signed in"
COMMAND_LINE = "the command line"


class Act(StrEnum):
    """What is noted."""

    SIGNED_IN = "Signed in"
    SIGN_IN_FAILED = "Failed to sign in"
    TOO_MANY_ATTEMPTS = "Refused for too many attempts"
    ROLE_CHANGED = "Changed a role"
    ACCOUNT_CREATED = "Created an account"
    ADDRESS_CONFIRMED = "Confirmed an address"
    ACCOUNT_DELETED = "Deleted an account"
    PASSWORD_CHANGED = "Changed a password"  # noqa: S105  the name of an act
    DELETED = "Deleted a record"
    EXPORTED = "Exported records"


def note(act: Act, subject: str = "", *, by: str = "") -> None:
    """Log an act now; `by` is the account where nobody is signed in yet."""
    where = network.get()
    who = by or account.get() or (NOBODY if where else COMMAND_LINE)
    facts = {"act": act.value, "account": who, "network": where, "subject": subject}
    text = f"{act}{f' ({subject})' if subject else ''}: {who}{f' from {where}' if where else ''}"
    log.info("%s", escape_controls(text, 500), extra={"facts": facts})


def as_typed(email: str) -> str:
    """What was typed as an email address, if it is one: people type passwords into the wrong field."""
    return email if is_email(email) else "no email address"


def note_when_committed(session: Session, act: Act, subject: str = "", *, by: str = "") -> None:
    """Write an act down when the transaction that does it is committed, and not at all when it is not."""
    event.listen(session, "after_commit", lambda _session: note(act, subject, by=by), once=True)
