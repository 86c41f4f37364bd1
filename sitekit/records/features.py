"""What a site hands to the kit at start: its record types, and what its features bring beside them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from sqlmodel import Session

from ..base.mail import outbox
from ..base.observability import audit_log
from ..base.observability.audit_log import AnyAuditEvent
from ..base.permissions import POLICY, AnyAction, Role
from .csv_export import CsvList
from .finding import Findable
from .personal_data import Rule
from .record_type import AnyRecordType

# Deletes expired rows: (session, time, limit) -> number of deleted rows.
DeleteExpired = Callable[[Session, datetime, int], int]


@dataclass(frozen=True)
class AuditEventGroup:
    """Acts that the activity page filters by together: the filter's value and label, and each act with its icon."""

    name: str
    label: str
    icons: Mapping[AnyAuditEvent, str]


@dataclass(frozen=True, kw_only=True, eq=False)
class Features:
    """The features of a site, but for their screens: nothing here needs Reflex.

    `record_types` are in the order in which pages list them, `policy` has the roles that may perform the site's own
    actions, `audit_events` what the site logs. The others are about tables that are no record types: `others` is what
    staff call their rows, in the plural; `findables` are found and linked to from the activity; `retention` deletes
    expired rows, by what they are called in the log; `personal_data` has a rule for each table with addresses, and
    `elsewhere` sentences about copies that no table has. `exports` are all lists of the features that can be
    downloaded. `seed` fills an empty database for a first look, and returns the number of records. `mail_outcome` is
    told what became of each mail (see `outbox.outcome_listeners`), `account_closed` of each account that is deactivated
    or about to be deleted, by its id.
    """

    record_types: tuple[AnyRecordType, ...]
    policy: Mapping[AnyAction, frozenset[Role]]
    exports: tuple[CsvList, ...]
    seed: Callable[[Session], int]
    audit_events: tuple[AuditEventGroup, ...] = ()
    others: tuple[str, ...] = ()
    findables: tuple[Findable, ...] = ()
    retention: Mapping[str, DeleteExpired] = field(default_factory=dict)
    personal_data: tuple[Rule, ...] = ()
    elsewhere: tuple[str, ...] = ()
    mail_outcome: Callable[[Session, str, str], None] | None = None
    account_closed: Callable[[Session, int], None] | None = None

    @cached_property
    def by_table(self) -> Mapping[str, AnyRecordType]:
        """The record types by the names of their tables."""
        return {record_type.table_name: record_type for record_type in self.record_types}


_in_use: Features | None = None


def use(given: Features) -> None:
    """Take the features of the site. Called once, before anything of the kit runs."""
    global _in_use
    _in_use = given
    POLICY.update(given.policy)
    for group in given.audit_events:
        audit_log.register(group.icons)
    if given.mail_outcome:
        outbox.outcome_listeners.append(given.mail_outcome)


def features() -> Features:
    """The features of the site."""
    if _in_use is None:
        raise RuntimeError("The site has to hand over its features first: sitekit.records.features.use().")
    return _in_use


def close_account(session: Session, user_id: int) -> None:
    """Tell the site that an account is deactivated or about to be deleted, in the transaction that does it."""
    if closed := features().account_closed:
        closed(session, user_id)


def record_types() -> Mapping[str, AnyRecordType]:
    """The record types of the site, by the names of their tables."""
    return features().by_table
