"""For each table: how the rows about an email address are found, what is shown of them, and what erasing does.

A table with an email column or a user's id needs a rule, or a test fails. A new one is a line in `rules`; a site hands
over the rules of its own tables.
"""

from dataclasses import replace
from functools import cache

import sqlalchemy as sa
from sqlmodel import col

from ...base import paths
from ...base.db.rate_limits import Attempt, hashed
from ...base.mail.models import OutgoingMail
from ...base.text import capitalised
from ...records import activity, revisions, trash
from ...records.activity import Activity
from ...records.features import features
from ...records.personal_data import KEPT, OUTCOMES, DataSubject, ErasureOutcome, Relation, Rule
from ...records.pictures.models import Media
from ...records.proposals import PreviewLink, Proposal
from ...records.record_type import AnyRecordType
from ...records.revisions import Revision
from .. import models as accounts
from ..models import LinkPurpose
from . import texts


def _of_sessions(person: DataSubject) -> sa.ColumnElement[bool]:
    tables = accounts.RefreshToken.metadata.tables
    tokens, sessions = tables["refresh_tokens"].c, tables["auth_sessions"].c
    return tokens.session_id.in_(sa.select(sessions.id).where(sessions.user_id == person.user_id))


def _counted(person: DataSubject) -> sa.ColumnElement[bool]:
    """Attempts of the address or of its account; the key of some is in the name of the bucket."""
    columns = Attempt.metadata.tables["attempts"].c
    digest = hashed(person.email)
    return sa.or_(columns.key.in_([digest, hashed(str(person.user_id))]), columns.bucket.endswith(digest))


def _on_account(person: DataSubject) -> sa.ColumnElement[bool]:
    columns = activity.columns
    return sa.and_(columns.of_table == accounts.Profile.__tablename__, columns.record_id == person.user_id)


def _of_records(record_type: AnyRecordType) -> Rule:
    return Rule(
        table=record_type.table,
        title=capitalised(record_type.plural),
        nouns=(record_type.noun, record_type.plural),
        addresses=("email",) if "email" in record_type.fields else (),
        authors=("updated_by",),
        brief=("id", "name", "updated_at"),
        labels={name: field.input.label for name, field in record_type.fields.items()},
        outcomes=KEPT,
        why=texts.WHY_RECORD,
        why_author=texts.WHY_SAVED,
        page=lambda row: record_type.form_page(row["id"], row["slug"]),
    )


def _has_purpose(*purposes: LinkPurpose) -> sa.ColumnElement[bool]:
    return col(accounts.SecretLink.purpose).in_(purposes)


_LINKS = Rule(
    table=accounts.SecretLink,
    title="Links",
    nouns=("link", "links"),
    owners=("user_id",),
    hidden=("token_hash", "browser", "webauthn_challenge"),
)
_VERSIONS = Rule(
    table=Revision,
    title="Versions of records",
    nouns=("version of a record", "versions of records"),
    authors=("by",),
    unshown=("batch",),
    brief=("of_table", "record_id", "number", "at", "label", "by_name"),
    outcomes=KEPT,
    page=lambda row: paths.history_page(row["of_table"], row["record_id"]),
)
_DELETED_IF_MENTIONED = OUTCOMES | {Relation.MENTIONED: ErasureOutcome.DELETED}

ACTIVITY = Rule(
    table=Activity,
    title="Activity",
    nouns=("line of activity", "lines of activity"),
    authors=("by",),
    also=_on_account,
    unshown=("searched",),
    outcomes=OUTCOMES | {Relation.THEIRS: ErasureOutcome.ADDRESS_REMOVED},
    why=texts.WHY_ACTIVITY,
)


def copies() -> tuple[str, ...]:
    """Sentences about copies that no table has."""
    return texts.ELSEWHERE + features().elsewhere


@cache
def rules() -> tuple[Rule, ...]:
    """The rules of all tables, in the order in which pages and files show them."""
    return (
        Rule(table=accounts.Profile, title="Account", nouns=("account", "accounts"), addresses=("email",)),
        Rule(table=accounts.UserRole, title="Role", nouns=("role", "roles"), owners=("user_id",)),
        Rule(
            table=accounts.Credential,
            title="Password",
            nouns=("password", "passwords"),
            owners=("user_id",),
            hidden=("password_hash",),
        ),
        Rule(
            table=accounts.SignUp,
            title="Sign-up",
            nouns=("sign-up", "sign-ups"),
            owners=("user_id",),
            hidden=("password_hash",),
        ),
        Rule(
            table=accounts.AuthSession,
            title="Sessions",
            nouns=("session", "sessions"),
            owners=("user_id",),
            hidden=("id",),
        ),
        Rule(
            table=accounts.RefreshToken,
            title="Renewals of sessions",
            nouns=("renewal of a session", "renewals of sessions"),
            also=_of_sessions,
            hidden=("token_hash", "session_id", "seed"),
        ),
        replace(
            _LINKS,
            title="Emailed links",
            nouns=("emailed link", "emailed links"),
            only=_has_purpose(LinkPurpose.VERIFY, LinkPurpose.RECOVER),
        ),
        replace(
            _LINKS,
            title="Changes of the email address",
            nouns=("change of the email address", "changes of the email address"),
            addresses=("subject",),
            labels={"subject": "New email"},
            only=_has_purpose(LinkPurpose.CHANGE_EMAIL),
        ),
        Rule(
            table=accounts.EmailChange,
            title="Changes of the email address, before the upgrade",
            nouns=("change of the email address", "changes of the email address"),
            addresses=("new_email",),
            owners=("user_id",),
            hidden=("token_hash",),
        ),
        Rule(
            table=accounts.Invitation,
            title="Invitations",
            nouns=("invitation", "invitations"),
            addresses=("email",),
            authors=("invited_by",),
            hidden=("token_hash",),
            brief=("id", "role", "created_at"),
            why_author=texts.WHY_INVITED,
        ),
        Rule(
            table=accounts.AuthFactor,
            title="Second steps",
            nouns=("second step", "second steps"),
            owners=("user_id",),
            hidden=("secret", "credential_id", "public_key"),
            unshown=("last_step", "sign_count"),
        ),
        Rule(
            table=accounts.RecoveryCode,
            title="Recovery codes",
            nouns=("recovery code", "recovery codes"),
            owners=("user_id",),
            hidden=("code_hash",),
        ),
        replace(
            _LINKS,
            title="Sign-ins waiting for the second step",
            nouns=("sign-in waiting for the second step", "sign-ins waiting for the second step"),
            only=_has_purpose(LinkPurpose.FACTOR, LinkPurpose.PASSKEY, LinkPurpose.REGISTER),
        ),
        Rule(
            table=accounts.SignInChallenge,
            title="Sign-ins waiting for the second step, before the upgrade",
            nouns=("sign-in waiting for the second step", "sign-ins waiting for the second step"),
            owners=("user_id",),
            hidden=("token_hash", "browser", "webauthn_challenge"),
        ),
        Rule(
            table=Attempt,
            title="Sign-ins and messages, counted for limits",
            nouns=("counted sign-in or message", "counted sign-ins and messages"),
            also=_counted,
            hidden=("key", "bucket"),
        ),
        *features().personal_data,
        Rule(
            table=OutgoingMail,
            title="Emails sent or waiting",
            nouns=("email sent or waiting", "emails sent or waiting"),
            addresses=("recipient", "reply_to"),
            hidden=("message_id", "thread_id"),
            unshown=("text", "html"),  # until it is sent, a message may contain a link that signs a user in
            brief=("id", "subject", "created_at"),
        ),
        *(_of_records(record_type) for record_type in features().record_types),
        Rule(
            table=Proposal,
            title="Drafts",
            nouns=("draft", "drafts"),
            authors=("by",),
            unshown=("batch",),
            brief=("id", "of_table", "record_id", "updated_at", "by_name"),
            outcomes=KEPT,
            why=texts.WHY_RECORD,
            why_author=texts.WHY_SAVED,
        ),
        Rule(
            table=PreviewLink,
            title="Links to previews",
            nouns=("link to a preview", "links to previews"),
            authors=("by",),
            hidden=("nonce", "digest"),
            why_author=texts.WHY_AUTHOR,
        ),
        replace(
            _VERSIONS,
            title="Deleted records in the trash",
            nouns=("deleted record in the trash", "deleted records in the trash"),
            only=trash.IN_TRASH,
            outcomes=_DELETED_IF_MENTIONED,
            why=texts.WHY_AUTHOR,
            delete=trash.erase_revisions,
        ),
        replace(
            _VERSIONS,
            title="Older versions of records",
            nouns=("older version of a record", "older versions of records"),
            only=revisions.IS_OLDER,
            outcomes=_DELETED_IF_MENTIONED,
            why=texts.WHY_AUTHOR,
        ),
        replace(
            _VERSIONS,
            title="Present versions of records",
            nouns=("present version of a record", "present versions of records"),
            only=sa.not_(sa.or_(trash.IN_TRASH, revisions.IS_OLDER)),
            why=texts.WHY_PRESENT,
            why_author=texts.WHY_AUTHOR,
        ),
        Rule(
            table=Media,
            title="Pictures",
            nouns=("picture", "pictures"),
            authors=("created_by", "updated_by"),
            hidden=("key",),
            brief=("id", "name", "created_at"),
            outcomes=KEPT,
            why=texts.WHY_PICTURE,
            why_author=texts.WHY_SAVED,
            page=lambda row: paths.picture_page(row["id"]),
        ),
        ACTIVITY,  # last, because the others may note something
    )
