"""The activity log: one row per action, written in the transaction of the action."""

import ipaddress
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlmodel import Field, Session, SQLModel

from ..base.db.database import UtcDateTime, delete_some, now, transaction
from ..base.db.folding import folded
from ..base.observability import audit_log
from ..base.observability.audit_log import AnyAuditEvent, AuditEvent
from ..base.text import one_line

KEPT, FAILURES_KEPT = timedelta(days=730), timedelta(days=90)
FAILURES = frozenset({AuditEvent.SIGN_IN_FAILED, AuditEvent.FACTOR_FAILED, AuditEvent.TOO_MANY_ATTEMPTS})
SIGN_INS = FAILURES | {
    AuditEvent.SIGNED_IN,
    AuditEvent.RECOVERY_CODE_USED,
    AuditEvent.SIGNED_OUT,
    AuditEvent.DEVICES_SIGNED_OUT,
    AuditEvent.SESSION_REVOKED,
}
MAX_TEXT = 300

# So that no feature imports the models of accounts.
PROFILES = sa.table(
    "profiles",
    *map(sa.column, ("id", "email", "first_name", "last_name", "last_signed_in_at")),
)
_OWN_NAME = sa.func.nullif(sa.func.trim(PROFILES.c.first_name + " " + PROFILES.c.last_name), "")
# The name of a user, or their email.
NAME = sa.func.coalesce(_OWN_NAME, PROFILES.c.email)

logger = logging.getLogger(__name__)


class Activity(SQLModel, table=True):
    """One act: who did what to which record, and when.

    `by_name` remains when the account is deleted; it is empty for a command. `act` is the name of an `AuditEvent` in
    lower case, `network` that of a sign-in, never a full address. `searched` has what the list searches, folded.
    """

    __tablename__ = "activity"
    __table_args__ = (
        sa.Index("ix_activity_act_at", "act", "at"),
        sa.Index("ix_activity_of_table_record_id", "of_table", "record_id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    at: datetime = Field(sa_type=UtcDateTime, index=True)
    by: int | None = Field(default=None, foreign_key="profiles.id", ondelete="SET NULL", index=True)
    by_name: str = ""
    act: str
    of_table: str = ""
    record_id: int | None = None
    subject: str = ""
    network: str = ""
    searched: str = ""


# For queries: to a type checker, an attribute of the class has the type of its value.
TABLE = SQLModel.metadata.tables["activity"]
columns = TABLE.c


def name_of(user: Any) -> Any:
    """The name of the user with this id, or their email; empty without a user."""
    return sa.func.coalesce(sa.select(NAME).where(PROFILES.c.id == user).scalar_subquery(), "")


def own_name_of(user: Any) -> Any:
    """The name with which this user signs a mail; empty if they have none, because nobody signs with an address."""
    return sa.func.coalesce(sa.select(_OWN_NAME).where(PROFILES.c.id == user).scalar_subquery(), "")


_by_name = sa.func.coalesce(sa.func.nullif(name_of(sa.bindparam("author")), ""), sa.bindparam("named"))
_INSERT = sa.insert(TABLE).values(by_name=_by_name, searched=sa.func.fold(_by_name + " " + sa.bindparam("words")))


def log(
    session: Session,
    audit_event: AnyAuditEvent,
    subject: str = "",
    *,
    by: int | None = None,
    name: str = "",
    of_table: str = "",
    record_id: int | None = None,
) -> None:
    """Log an act of a user; `name` is for a person who has no account, or is not signed in.

    It is also written to the server's log when the transaction is committed.
    """
    row = _row(audit_event, by, subject) | {"of_table": of_table, "record_id": record_id, "named": _text(name)}
    if audit_event in SIGN_INS:
        row["network"] = wider_network(audit_log.network.get())
    _add(session, [row])
    who = name or audit_log.account.get() or (_email_of(session, by) if by else "")
    audit_log.log_when_committed(session, audit_event, subject, by=who)


def log_alone(
    audit_event: AnyAuditEvent, subject: str = "", *, name: str = "", at_most_every: timedelta = timedelta(0)
) -> None:
    """Log an act that changes nothing, such as a failed sign-in, in a separate transaction.

    It is only in the server's log if it cannot be stored, or was already stored within `at_most_every`.
    """
    try:
        with transaction() as session:
            if not (at_most_every and _is_stored(session, audit_event, subject, name, now() - at_most_every)):
                log(session, audit_event, subject, name=name)
                return
    except sa.exc.SQLAlchemyError as error:
        logger.error("An act could not be stored: %s", type(error).__name__)
    audit_log.log(audit_event, subject, by=name)


def add_changes(session: Session, revisions: Sequence[Mapping[str, Any]]) -> None:
    """Log the changes of records, each with its revision's values; the server's log has only deletions."""
    rows = []
    for revision in revisions:
        audit_event, subject = (
            AuditEvent[revision["action"].upper()],
            {"of_table": revision["of_table"], "record_id": revision["record_id"]},
        )
        rows.append(_row(audit_event, revision["by"], revision["label"]) | subject)
        if audit_event == AuditEvent.DELETED:
            audit_log.log_when_committed(session, audit_event, f"{revision['of_table']} {revision['record_id']}")
    _add(session, rows)


def erase_names(session: Session, table: str, record: int) -> None:
    """Delete the name of an erased record, but not that something was done to it."""
    of_record = columns.of_table == table, columns.record_id == record
    session.execute(sa.update(TABLE).where(*of_record).values(subject="", searched=folded(columns.by_name)))


def wider_network(network: str) -> str:
    """The network that is stored: the /24 of an IPv4 address, the /48 of an IPv6 network; empty for anything else."""
    try:
        parsed = ipaddress.ip_network(network, strict=False)
    except ValueError:
        return ""
    return str(parsed.supernet(new_prefix=min(parsed.prefixlen, 24 if parsed.version == 4 else 48)))


def delete_expired(session: Session, at: datetime, limit: int) -> int:
    """Delete at most `limit` rows that are past their time: `KEPT`, or `FAILURES_KEPT` for a refused sign-in."""
    is_failure = columns.act.in_([audit_event.name.lower() for audit_event in FAILURES])
    deleted = delete_some(session, columns.id, columns.at < at - KEPT, limit)
    return deleted + delete_some(
        session, columns.id, sa.and_(is_failure, columns.at < at - FAILURES_KEPT), limit - deleted
    )


def _is_stored(session: Session, audit_event: AnyAuditEvent, subject: str, name: str, since: datetime) -> bool:
    network = wider_network(audit_log.network.get())
    alike = {"act": audit_event.name.lower(), "subject": _text(subject), "by_name": _text(name), "network": network}
    query = sa.select(columns.id).where(columns.at > since, *(columns[name] == value for name, value in alike.items()))
    return session.execute(query.limit(1)).first() is not None


def _email_of(session: Session, user: int) -> str:
    return session.execute(sa.select(PROFILES.c.email).where(PROFILES.c.id == user)).scalar() or ""


def _text(text: str) -> str:
    return one_line(text)[:MAX_TEXT]


def _row(audit_event: AnyAuditEvent, by: int | None, subject: str) -> dict[str, Any]:
    empty = {"named": "", "of_table": "", "record_id": None, "network": ""}
    return empty | {"at": now(), "by": by, "author": by, "act": audit_event.name.lower(), "subject": _text(subject)}


def _add(session: Session, rows: list[dict[str, Any]]) -> None:
    words = ({"words": f"{audit_log.AUDIT_EVENTS[row['act']]} {row['subject']} {row['network']}"} for row in rows)
    session.connection().execute(_INSERT, [row | more for row, more in zip(rows, words, strict=True)])
