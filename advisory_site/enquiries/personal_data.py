"""How the enquiries of a person are found and erased."""

import sqlalchemy as sa

from sitekit.records.personal_data import DataSubject, Rule

from .. import routes
from .models import Enquiry, EnquiryEntry, StageOwner, columns, entries

ENQUIRIES = Rule(
    table=Enquiry,
    title="Enquiries",
    nouns=("enquiry", "enquiries"),
    addresses=("email",),
    authors=("owner_id",),
    hidden=("submission_id", "reasons", "searched"),
    brief=("id", "created_at"),
    why_author="It is a visitor’s message. The note of who answers it goes with the account.",
    page=lambda row: routes.enquiry_page(row["id"]),
)


def _with_them(person: DataSubject) -> sa.ColumnElement[bool]:
    return entries.enquiry_id.in_(sa.select(columns.id).where(sa.func.lower(columns.email) == person.email))


ENTRIES = Rule(
    table=EnquiryEntry,
    title="What was done with enquiries",
    nouns=("entry of an enquiry", "entries of enquiries"),
    authors=("by",),
    also=_with_them,
    hidden=("mail_id",),
    brief=("id", "enquiry_id", "at", "category"),
    why_author="It says what was done with a visitor’s message, and goes with it.",
    page=lambda row: routes.enquiry_page(row["enquiry_id"]),
)
STAGES = Rule(
    table=StageOwner,
    title="Stages whose enquiries they answer",
    nouns=("stage", "stages"),
    owners=("owner_id",),
    brief=("stage",),
)
# A copy that no table has.
ELSEWHERE = "The mailboxes of the firm and of those who answer: their copies of enquiries are deleted by hand."
