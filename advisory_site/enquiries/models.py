"""The table of enquiries."""

from datetime import datetime

import sqlalchemy as sa
from sqlmodel import Field, SQLModel

from ..db.database import AUTOINCREMENT_IDS, UtcDateTime, created_at_field

STAGES = ("pmf", "commercialization", "scale", "other")


class Enquiry(SQLModel, table=True):
    """One message sent through the contact form. `handled_at` is empty while it is new."""

    __tablename__ = "enquiries"
    __table_args__ = (
        sa.CheckConstraint("stage IN ('', {})".format(", ".join(f"'{stage}'" for stage in STAGES)), name="known_stage"),
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


# For queries: to a type checker, an attribute of the class has the type of its value.
columns = SQLModel.metadata.tables["enquiries"].c
