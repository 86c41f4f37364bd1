"""For each table: how the rows about an email address are found, what is shown of them, and what erasing does.

A table with an email column or a user's id needs a rule, or a test fails. A new one is a line in `RULES`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session

from ..accounts import models as accounts
from ..core import routes
from ..dashboard.record_types import RECORD_TYPES
from ..db.rate_limits import Attempt, hashed
from ..enquiries.models import Enquiry
from ..mail.models import OutgoingMail
from ..media.models import Media
from ..records import activity, revisions, trash
from ..records.activity import Activity
from ..records.record_type import AnyRecordType
from ..records.revisions import Revision
from . import texts as words
from .addresses import Person


class Relation(StrEnum):
    """How a row belongs to the person."""

    THEIRS = "theirs"
    MENTIONED = "mentioned"
    AUTHOR = "author"


class Fate(StrEnum):
    """What erasing does with a row."""

    DELETED = "deleted"
    ADDRESS_REMOVED = "address removed"
    KEPT = "kept"


_FATES = MappingProxyType(
    {Relation.THEIRS: Fate.DELETED, Relation.MENTIONED: Fate.ADDRESS_REMOVED, Relation.AUTHOR: Fate.KEPT}
)
_KEPT = MappingProxyType(dict.fromkeys(Relation, Fate.KEPT))


@dataclass(frozen=True, kw_only=True, eq=False)
class Rule:
    """How a table, or with `only` some of its rows, is searched for a person, and what erasing does.

    A row is the person's if one of the columns `addresses` is the address, if one of `owners` is the id of the account,
    or if `also` holds. `authors` are the ids of those who only wrote or changed a row. Every other text is searched for
    mentions, except columns that are `hidden`: hashes and secrets, which are never read. `unshown` columns are searched
    and not shown. `brief` is what is shown of a row that is not the person's, beside the passages with the address; by
    default everything. `why` says why something is kept, `why_author` why a row of an author is, if for another reason,
    `page` where staff see a row; `delete` deletes rows by keys.
    """

    table: type[Any]
    title: str
    addresses: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    also: Callable[[Person], sa.ColumnElement[bool]] | None = None
    only: sa.ColumnElement[bool] | None = None
    hidden: tuple[str, ...] = ()
    unshown: tuple[str, ...] = ()
    brief: tuple[str, ...] = ()
    fates: Mapping[Relation, Fate] = field(default_factory=lambda: _FATES)
    why: str = ""
    why_author: str = ""
    page: Callable[[Any], str] | None = None
    delete: Callable[[Session, Sequence[Any]], object] | None = None

    @property
    def source(self) -> sa.Table:
        """The table, for queries."""
        return self.table.__table__  # type: ignore[no-any-return]

    @property
    def key(self) -> sa.Column[Any]:
        """The column that identifies a row."""
        return self.source.primary_key.columns[0]

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The columns that may contain an address."""
        return tuple(one.name for one in self.source.c if is_text(one) and one.name not in self.hidden)


def is_text(column: sa.Column[Any]) -> bool:
    """Whether a column is stored as text, as JSON is too."""
    kind = column.type
    return isinstance(kind.impl_instance if isinstance(kind, sa.types.TypeDecorator) else kind, sa.String)


def _of_sessions(person: Person) -> sa.ColumnElement[bool]:
    tables = accounts.RefreshToken.metadata.tables
    tokens, sessions = tables["refresh_tokens"].c, tables["auth_sessions"].c
    return tokens.session_id.in_(sa.select(sessions.id).where(sessions.user_id == person.user_id))


def _counted(person: Person) -> sa.ColumnElement[bool]:
    """Attempts of the address or of its account; the key of some is in the name of the bucket."""
    columns = Attempt.metadata.tables["attempts"].c
    digest = hashed(person.email)
    return sa.or_(columns.key.in_([digest, hashed(str(person.user_id))]), columns.bucket.endswith(digest))


def _on_account(person: Person) -> sa.ColumnElement[bool]:
    columns = activity.columns
    return sa.and_(columns.of_table == accounts.Profile.__tablename__, columns.record_id == person.user_id)


def _of_records(kind: AnyRecordType) -> Rule:
    return Rule(
        table=kind.table,
        title=words.RECORDS[kind.table_name],
        addresses=("email",),
        authors=("updated_by",),
        brief=("id", "name", "updated_at"),
        fates=_KEPT,
        why=words.WHY_RECORD,
        why_author=words.WHY_SAVED,
        page=lambda row: kind.form_page(row["id"], row["slug"]),
    )


_VERSIONS = Rule(
    table=Revision,
    title="Versions of records",
    authors=("by",),
    unshown=("batch",),
    brief=("of_table", "record_id", "number", "at", "label", "by_name"),
    fates=_KEPT,
    page=lambda row: routes.history_page(row["of_table"], row["record_id"]),
)
_DELETED_IF_MENTIONED = _FATES | {Relation.MENTIONED: Fate.DELETED}

ACTIVITY = Rule(
    table=Activity,
    title="Activity",
    authors=("by",),
    also=_on_account,
    unshown=("searched",),
    fates=_FATES | {Relation.THEIRS: Fate.ADDRESS_REMOVED},
    why=words.WHY_ACTIVITY,
)
RULES: tuple[Rule, ...] = (
    Rule(table=accounts.Profile, title="Account", addresses=("email",)),
    Rule(table=accounts.UserRole, title="Role", owners=("user_id",)),
    Rule(table=accounts.Credential, title="Password", owners=("user_id",), hidden=("password_hash",)),
    Rule(table=accounts.SignUp, title="Sign-up", owners=("user_id",), hidden=("password_hash",)),
    Rule(table=accounts.AuthSession, title="Sessions", owners=("user_id",), hidden=("id",)),
    Rule(
        table=accounts.RefreshToken,
        title="Renewals of sessions",
        also=_of_sessions,
        hidden=("token_hash", "session_id", "seed"),
    ),
    Rule(table=accounts.EmailLink, title="Links that were mailed", owners=("user_id",), hidden=("token_hash",)),
    Rule(
        table=accounts.EmailChange,
        title="Changes of the email address",
        addresses=("new_email",),
        owners=("user_id",),
        hidden=("token_hash",),
    ),
    Rule(
        table=accounts.Invitation,
        title="Invitations",
        addresses=("email",),
        authors=("invited_by",),
        hidden=("token_hash",),
        brief=("id", "role", "created_at"),
        why_author=words.WHY_INVITED,
    ),
    Rule(
        table=accounts.AuthFactor,
        title="Second factors",
        owners=("user_id",),
        hidden=("secret", "credential_id", "public_key"),
        unshown=("last_step", "sign_count"),
    ),
    Rule(table=accounts.RecoveryCode, title="Recovery codes", owners=("user_id",), hidden=("code_hash",)),
    Rule(
        table=accounts.SignInChallenge,
        title="Sign-ins that wait for a second factor",
        owners=("user_id",),
        hidden=("token_hash", "browser", "webauthn_challenge"),
    ),
    Rule(table=Attempt, title="Counted attempts", also=_counted, hidden=("key", "bucket")),
    Rule(
        table=Enquiry,
        title="Enquiries",
        addresses=("email",),
        hidden=("submission_id",),
        brief=("id", "created_at"),
        page=lambda row: f"{routes.ADMIN_ENQUIRIES}?open={row['id']}",
    ),
    Rule(
        table=OutgoingMail,
        title="Messages that were sent or wait",
        addresses=("recipient", "reply_to"),
        hidden=("message_id",),
        unshown=("text", "html"),  # until it is sent, a message may contain a link that signs a user in
        brief=("id", "subject", "created_at"),
    ),
    *(_of_records(kind) for kind in RECORD_TYPES.values()),
    replace(
        _VERSIONS,
        title="Deleted records in the trash",
        only=trash.IN_TRASH,
        fates=_DELETED_IF_MENTIONED,
        why=words.WHY_AUTHOR,
        delete=trash.erase_revisions,
    ),
    replace(
        _VERSIONS,
        title="Older versions of records",
        only=revisions.IS_OLDER,
        fates=_DELETED_IF_MENTIONED,
        why=words.WHY_AUTHOR,
    ),
    replace(
        _VERSIONS,
        title="Present versions of records",
        only=sa.not_(sa.or_(trash.IN_TRASH, revisions.IS_OLDER)),
        why=words.WHY_PRESENT,
        why_author=words.WHY_AUTHOR,
    ),
    Rule(
        table=Media,
        title="Pictures",
        authors=("created_by", "updated_by"),
        hidden=("key",),
        brief=("id", "name", "created_at"),
        fates=_KEPT,
        why=words.WHY_PICTURE,
        why_author=words.WHY_SAVED,
        page=lambda row: routes.picture_page(row["id"]),
    ),
    ACTIVITY,  # last, because the others may note something
)
