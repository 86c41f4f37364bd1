"""The table of outgoing mail."""

from datetime import datetime

import sqlalchemy as sa
from sqlmodel import Field, SQLModel

from ..db.database import AUTOINCREMENT_IDS, UtcDateTime, created_at_field


class OutgoingMail(SQLModel, table=True):
    """One outgoing message. `due_at` is empty once it was sent or has failed."""

    __tablename__ = "outgoing_mail"
    __table_args__ = (AUTOINCREMENT_IDS,)

    id: int | None = Field(default=None, primary_key=True)
    # The same for every try, so that mail programs show a message that was delivered twice once.
    message_id: str = Field(unique=True)
    recipient: str
    subject: str
    # Emptied after sending, so that a link that signs a user in does not stay in the database.
    text: str
    html: str = ""
    reply_to: str = ""
    # The Message-ID of the first message of its thread, so that mail programs show both together.
    thread_id: str = Field(default="", sa_column_kwargs={"server_default": ""})
    is_automatic: bool = Field(default=False, sa_column_kwargs={"server_default": sa.false()})
    created_at: datetime = created_at_field()
    due_at: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    claimed_until: datetime | None = Field(default=None, sa_type=UtcDateTime)
    attempts: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    sent_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    given_up_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    # Why the last try failed, in plain words; what the server replied to the message itself is in the log alone.
    last_error: str = ""


columns = SQLModel.metadata.tables["outgoing_mail"].c
