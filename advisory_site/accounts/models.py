"""The tables of accounts: profiles, roles, credentials, sessions, mailed links."""

from datetime import datetime

import sqlalchemy as sa
from sqlmodel import Field, SQLModel

from ..core.permissions import Role
from ..db.database import AUTOINCREMENT_IDS, UtcDateTime, created_at_field, updated_at_field


class Profile(SQLModel, table=True):
    """One account. Its id is the user's id; the email is stored in lower case."""

    __tablename__ = "profiles"
    __table_args__ = (AUTOINCREMENT_IDS,)

    id: int | None = Field(default=None, primary_key=True)
    email: str = Field(unique=True)
    first_name: str = ""
    last_name: str = ""
    created_at: datetime = created_at_field()
    last_signed_in_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class UserRole(SQLModel, table=True):
    """The role of a user; the primary key allows only one."""

    __tablename__ = "user_roles"
    __table_args__ = (
        sa.CheckConstraint("role IN ({})".format(", ".join(f"'{role}'" for role in Role)), name="known_role"),
    )

    user_id: int = Field(primary_key=True, foreign_key="profiles.id", ondelete="CASCADE")
    role: str


class Credential(SQLModel, table=True):
    """The password hash of a user; kept apart from the profile, which other screens read.

    An account without one was signed up for, but its address has not been confirmed.
    """

    __tablename__ = "credentials"

    user_id: int = Field(primary_key=True, foreign_key="profiles.id", ondelete="CASCADE")
    password_hash: str
    email_confirmed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    updated_at: datetime = updated_at_field()


class SignUp(SQLModel, table=True):
    """The latest sign-up with an email address. Its password cannot sign in before the address is confirmed."""

    __tablename__ = "sign_ups"

    user_id: int = Field(primary_key=True, foreign_key="profiles.id", ondelete="CASCADE")
    first_name: str
    last_name: str
    password_hash: str
    created_at: datetime = Field(sa_type=UtcDateTime, index=True)


class AuthSession(SQLModel, table=True):
    """A session on one device, from sign-in to sign-out. Its refresh tokens form a family."""

    __tablename__ = "auth_sessions"

    id: str = Field(primary_key=True)
    user_id: int = Field(foreign_key="profiles.id", ondelete="CASCADE", index=True)
    device: str = ""
    created_at: datetime = created_at_field()
    refreshed_at: datetime = Field(sa_type=UtcDateTime)
    ended_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class RefreshToken(SQLModel, table=True):
    """A refresh token, stored as a hash. Once it is used, its successor is derived from the token and the seed."""

    __tablename__ = "refresh_tokens"

    token_hash: str = Field(primary_key=True)
    session_id: str = Field(foreign_key="auth_sessions.id", ondelete="CASCADE", index=True)
    created_at: datetime = Field(sa_type=UtcDateTime)
    spent_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    seed: str = ""


class EmailLink(SQLModel, table=True):
    """The secret of a mailed link, stored as a hash: valid once, for one purpose, for a limited time."""

    __tablename__ = "mailed_links"
    __table_args__ = (sa.CheckConstraint("purpose IN ('verify', 'recover')", name="known_purpose"),)

    token_hash: str = Field(primary_key=True)
    user_id: int = Field(foreign_key="profiles.id", ondelete="CASCADE", index=True)
    purpose: str
    expires_at: datetime = Field(sa_type=UtcDateTime)
    used_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
