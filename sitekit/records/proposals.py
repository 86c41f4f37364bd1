"""Proposals: what a form sent, kept beside its record until it is published. A draft is the proposal of staff."""

from datetime import datetime
from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from sqlmodel import Field, SQLModel

from ..base.db.database import AUTOINCREMENT_IDS, LenientJson, UtcDateTime, created_at_field, updated_at_field


class ProposalCategory(StrEnum):
    """Who proposes. The proposals of staff are drafts."""

    STAFF = "staff"


class ProposalState(StrEnum):
    """Whether a proposal waits for somebody, for a time, or could not be published at its time."""

    OPEN = "open"
    SCHEDULED = "scheduled"
    BLOCKED = "blocked"
    DISCARDED = "discarded"  # kept for Undo


IS_DRAFT = sa.text("category = 'staff' AND state <> 'discarded'")


class Proposal(SQLModel, table=True):
    """Values of a record that are not published; without a `record_id`, of a record that does not exist yet.

    `inputs` are what the form sent, unchecked, typed over the record's `base_version`; None if only its hiding is
    scheduled. `problem` says why it could not be published. `batch` is what Undo knows a discarded one by.
    """

    __tablename__ = "proposals"
    __table_args__ = (
        sa.Index(
            "uq_proposals_draft",
            "of_table",
            "record_id",
            unique=True,
            sqlite_where=IS_DRAFT,
            postgresql_where=IS_DRAFT,
        ),
        sa.CheckConstraint("category IN ('staff', 'guest')", name="known_category"),
        sa.CheckConstraint("state IN ('open', 'scheduled', 'blocked', 'discarded')", name="known_state"),
        AUTOINCREMENT_IDS,
    )

    id: int | None = Field(default=None, primary_key=True)
    of_table: str
    record_id: int | None = None
    base_version: int = 0
    inputs: Any = Field(default=None, sa_type=LenientJson, nullable=False)
    category: str = ProposalCategory.STAFF
    note: str = ""
    by: int | None = Field(default=None, foreign_key="profiles.id", ondelete="SET NULL", index=True)
    by_name: str = ""
    state: str = ProposalState.OPEN
    publish_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    hide_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    problem: str = ""
    batch: str | None = Field(default=None, index=True)
    version: int = 1
    created_at: datetime = created_at_field()
    updated_at: datetime = updated_at_field()


class PreviewLink(SQLModel, table=True):
    """A link to the preview of a draft, for anyone who has it; only the hash of its secret is stored.

    Its secret follows from `nonce` and the keys of the site, so that it can be shown again. It outlives its draft: once
    that is published, it leads to the record's page.
    """

    __tablename__ = "preview_links"
    __table_args__ = (AUTOINCREMENT_IDS,)

    id: int | None = Field(default=None, primary_key=True)
    proposal_id: int | None = Field(default=None, foreign_key="proposals.id", ondelete="SET NULL", index=True)
    of_table: str
    record_id: int | None = None
    nonce: str
    digest: str = Field(unique=True)
    by: int | None = Field(default=None, foreign_key="profiles.id", ondelete="SET NULL", index=True)
    by_name: str = ""
    created_at: datetime = created_at_field()
    expires_at: datetime = Field(sa_type=UtcDateTime, index=True)
    opened: int = 0
    opened_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    revoked_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    published_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


# For queries: to a type checker, an attribute of the class has the type of its value.
columns = SQLModel.metadata.tables["proposals"].c
link_columns = SQLModel.metadata.tables["preview_links"].c


def is_draft(table: str) -> sa.ColumnElement[bool]:
    """Whether a proposal is a draft of a record in this table."""
    is_kept = columns.state != ProposalState.DISCARDED.value
    return sa.and_(columns.of_table == table, columns.category == ProposalCategory.STAFF.value, is_kept)


def has_draft(table: str, record: sa.ColumnElement[int]) -> sa.ColumnElement[bool]:
    """Whether the record with this id has a draft."""
    return sa.exists().where(is_draft(table), columns.record_id == record)
