"""The people who may sign in, as the database holds them: profiles, roles, credentials."""

from datetime import datetime

import sqlalchemy as sa
from sqlmodel import Field, SQLModel

from ..database import IDS_NEVER_RETURN, UtcDateTime, created_at_field, updated_at_field
from ..permissions import Role


class Profile(SQLModel, table=True):
    """One account. Its id is the user's id; the e-mail is stored in lower case."""

    __tablename__ = "profiles"
    __table_args__ = (IDS_NEVER_RETURN,)

    id: int | None = Field(default=None, primary_key=True)
    email: str = Field(unique=True)
    first_name: str = ""
    last_name: str = ""
    created_at: datetime = created_at_field()


class UserRole(SQLModel, table=True):
    """The one role of a user: the key itself makes a second one impossible."""

    __tablename__ = "user_roles"
    __table_args__ = (
        sa.CheckConstraint("role IN ({})".format(", ".join(f"'{role}'" for role in Role)), name="known_role"),
    )

    user_id: int = Field(primary_key=True, foreign_key="profiles.id", ondelete="CASCADE")
    role: str


class Credential(SQLModel, table=True):
    """What proves that a user is who they say; kept apart from the profile, which other screens read."""

    __tablename__ = "credentials"

    user_id: int = Field(primary_key=True, foreign_key="profiles.id", ondelete="CASCADE")
    password_hash: str
    email_confirmed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    updated_at: datetime = updated_at_field()
