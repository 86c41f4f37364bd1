"""The tables of enquiries, of what was done with each, and of the people who answer them."""

from datetime import datetime
from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from sqlmodel import Field, SQLModel

from sitekit.base.db.database import AUTOINCREMENT_IDS, LenientJson, UtcDateTime, created_at_field
from sitekit.base.db.folding import folded_field

SEARCHED = ("first_name", "last_name", "email", "company", "message")
STAGES = ("pmf", "commercialization", "scale", "other")


class EnquiryState(StrEnum):
    """Where an enquiry stands: nobody has it, somebody has it, we replied, it is done, or it is spam."""

    NEW = "new"
    OPEN = "open"
    WAITING = "waiting"
    HANDLED = "handled"
    SPAM = "spam"


class EntryCategory(StrEnum):
    """What an entry is: a reply that was mailed, a note, an answer that was pasted, or a change of the enquiry.

    An enquiry is `RELEASED` when its owner's account is closed.
    """

    REPLY = "reply"
    NOTE = "note"
    ANSWER = "answer"
    CHANGE = "change"
    RELEASED = "released"


def _one_of(column: str, values: tuple[str, ...], name: str) -> sa.CheckConstraint:
    return sa.CheckConstraint("{} IN ({})".format(column, ", ".join(f"'{value}'" for value in values)), name=name)


class Enquiry(SQLModel, table=True):
    """One message sent through the contact form.

    `handled_at` is when it was marked as handled or as spam. `due_at` is when the first reply is due; a waiting
    enquiry is open again from `waiting_until` on. `reasons` are those for which it was taken for spam.
    """

    __tablename__ = "enquiries"
    __table_args__ = (
        _one_of("stage", ("", *STAGES), "known_stage"),
        sa.Index("ix_enquiries_created_at", "created_at"),
        sa.Index("ix_enquiries_sender", sa.text("lower(email)")),
        # From it the list is counted and sorted, without reading the long texts.
        sa.Index("ix_enquiries_state_first_name_company", "state", "first_name", "company"),
        AUTOINCREMENT_IDS,
    )

    id: int | None = Field(default=None, primary_key=True)
    # Derived from the id of the form and its content, so that sending a form twice stores one enquiry.
    submission_id: str = Field(unique=True)
    first_name: str
    last_name: str
    email: str
    company: str = ""
    stage: str = ""
    message: str
    created_at: datetime = created_at_field()
    handled_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    state: str = Field(default=EnquiryState.NEW, sa_column_kwargs={"server_default": EnquiryState.NEW.value})
    owner_id: int | None = Field(default=None, foreign_key="profiles.id", ondelete="SET NULL", index=True)
    due_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    waiting_until: datetime | None = Field(default=None, sa_type=UtcDateTime)
    first_replied_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    # As the visitor's browser reports them: a page of this site, or else a host.
    source_path: str = Field(default="", sa_column_kwargs={"server_default": ""})
    source_host: str = Field(default="", sa_column_kwargs={"server_default": ""})
    reasons: Any = Field(
        default_factory=list, sa_type=LenientJson, nullable=False, sa_column_kwargs={"server_default": "[]"}
    )
    searched: str | None = folded_field(*SEARCHED)


HAS_FAILED = "failure != ''"  # of an entry


class EnquiryEntry(SQLModel, table=True):
    """One thing that was done with an enquiry: who, by name, when, and what.

    `mail_id` is the Message-ID of a mail to the visitor, with when it was sent or why not. Only the text of an entry
    that its author removed is deleted.
    """

    __tablename__ = "enquiry_entries"
    __table_args__ = (
        _one_of("category", tuple(EntryCategory), "known_category"),
        # The few mails that were not sent, among all that was ever done.
        sa.Index(
            "ix_enquiry_entries_failed",
            "enquiry_id",
            sqlite_where=sa.text(HAS_FAILED),
            postgresql_where=sa.text(HAS_FAILED),
        ),
        AUTOINCREMENT_IDS,
    )

    id: int | None = Field(default=None, primary_key=True)
    enquiry_id: int = Field(foreign_key="enquiries.id", ondelete="CASCADE", index=True)
    category: str
    by: int | None = Field(default=None, foreign_key="profiles.id", ondelete="SET NULL", index=True)
    by_name: str = ""
    at: datetime = Field(sa_type=UtcDateTime)
    text: str = ""
    mail_id: str = Field(default="", index=True)
    sent_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    failure: str = ""
    removed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class StageOwner(SQLModel, table=True):
    """The person with whom the enquiries of a stage begin."""

    __tablename__ = "stage_owners"
    __table_args__ = (_one_of("stage", STAGES, "known_owned_stage"),)

    stage: str = Field(primary_key=True)
    owner_id: int = Field(foreign_key="profiles.id", ondelete="CASCADE", index=True)


# For queries: to a type checker, an attribute of the class has the type of its value.
columns = SQLModel.metadata.tables["enquiries"].c
entries = SQLModel.metadata.tables["enquiry_entries"].c
stage_owners = SQLModel.metadata.tables["stage_owners"].c
