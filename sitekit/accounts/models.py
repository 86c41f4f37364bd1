"""The tables of accounts: profiles, roles, credentials, second factors, sessions, mailed links, invitations."""

from datetime import datetime
from enum import StrEnum

import sqlalchemy as sa
from sqlmodel import Field, SQLModel, col

from ..base.db.database import AUTOINCREMENT_IDS, UtcDateTime, created_at_field, updated_at_field
from ..base.permissions import Role

IS_OPEN = "accepted_at IS NULL AND revoked_at IS NULL"


def _known_role() -> sa.CheckConstraint:
    return sa.CheckConstraint("role IN ({})".format(", ".join(f"'{role}'" for role in Role)), name="known_role")


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
    factor_asked_at: datetime | None = Field(default=None, sa_type=UtcDateTime)  # the days of grace begin
    deactivated_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    # What passkeys call the person; empty: a hash of the id.
    user_handle: str = Field(default="", sa_column_kwargs={"server_default": ""})


class UserRole(SQLModel, table=True):
    """The role of a user; the primary key allows only one."""

    __tablename__ = "user_roles"
    __table_args__ = (_known_role(),)

    user_id: int = Field(primary_key=True, foreign_key="profiles.id", ondelete="CASCADE")
    role: str


class Credential(SQLModel, table=True):
    """The password hash of a user; kept apart from the profile, which other screens read.

    An account without one was signed up for, but its address has not been confirmed. The hash is empty for a person who
    signs in by passkey and has not set a password.
    """

    __tablename__ = "credentials"

    user_id: int = Field(primary_key=True, foreign_key="profiles.id", ondelete="CASCADE")
    password_hash: str
    email_confirmed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    updated_at: datetime = updated_at_field()


class FactorKind(StrEnum):
    """The kinds of second factors; the values are stored."""

    APP = "code"
    PASSKEY = "passkey"


class AuthFactor(SQLModel, table=True):
    """A second factor of a user: an authenticator app or a passkey."""

    __tablename__ = "auth_factors"
    __table_args__ = (
        sa.CheckConstraint("kind IN ({})".format(", ".join(f"'{kind}'" for kind in FactorKind)), name="known_kind"),
        AUTOINCREMENT_IDS,
    )

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="profiles.id", ondelete="CASCADE", index=True)
    kind: str
    name: str
    secret: str = ""  # of an app, encrypted (`secrets_at_rest`)
    credential_id: str | None = Field(default=None, unique=True)  # of a passkey, like the next two
    public_key: str = ""
    sign_count: int = Field(default=0, sa_type=sa.BigInteger)
    last_step: int = Field(default=0, sa_type=sa.BigInteger)  # of an app: the time step of the last code that was used
    created_at: datetime = created_at_field()
    confirmed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)  # an app counts after its first code
    last_used_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class RecoveryCode(SQLModel, table=True):
    """A code that replaces a lost factor once; its hash does not depend on the secret setting."""

    __tablename__ = "recovery_codes"

    user_id: int = Field(primary_key=True, foreign_key="profiles.id", ondelete="CASCADE")
    code_hash: str = Field(primary_key=True)
    used_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class SignInChallenge(SQLModel, table=True):
    """What the release before 1.1 stored: a `SecretLink` today. The release after it drops the table."""

    __tablename__ = "sign_in_challenges"
    __table_args__ = (sa.CheckConstraint("purpose IN ('factor', 'passkey', 'register')", name="known_purpose"),)

    token_hash: str = Field(primary_key=True)
    purpose: str
    user_id: int | None = Field(default=None, foreign_key="profiles.id", ondelete="CASCADE", index=True)
    browser: str
    tries: int = 0
    webauthn_challenge: str = ""
    expires_at: datetime = Field(sa_type=UtcDateTime, index=True)
    used_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


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
    has_factor: bool = Field(default=False, sa_column_kwargs={"server_default": sa.false()})
    proved_at: datetime | None = Field(default=None, sa_type=UtcDateTime)  # when the person last proved who they are


class RefreshToken(SQLModel, table=True):
    """A refresh token, stored as a hash. Once it is used, its successor is derived from the token and the seed."""

    __tablename__ = "refresh_tokens"

    token_hash: str = Field(primary_key=True)
    session_id: str = Field(foreign_key="auth_sessions.id", ondelete="CASCADE", index=True)
    created_at: datetime = Field(sa_type=UtcDateTime)
    spent_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    seed: str = ""


class LinkPurpose(StrEnum):
    """What a link is for; the values are stored."""

    VERIFY = "verify"  # confirms the address of a sign-up
    RECOVER = "recover"  # sets a new password
    CHANGE_EMAIL = "change"  # of a user's email address to `subject`
    FACTOR = "factor"  # the password was right, a factor is missing
    PASSKEY = "passkey"  # a passkey alone, for signing in or as a reauthentication
    REGISTER = "register"  # creating a passkey: by a signed-in user, or to accept an invitation


class SecretLink(SQLModel, table=True):
    """A secret, stored as a hash: valid once, for one purpose, for a limited time, and maybe in one browser only.

    Those for the last three purposes are the challenges of a sign-in, which also end after some tries.
    """

    __tablename__ = "mailed_links"
    __table_args__ = (
        sa.CheckConstraint(
            "purpose IN ({})".format(", ".join(f"'{purpose}'" for purpose in LinkPurpose)), name="known_purpose"
        ),
    )

    token_hash: str = Field(primary_key=True)
    user_id: int | None = Field(default=None, foreign_key="profiles.id", ondelete="CASCADE", index=True)
    purpose: str
    subject: str = Field(default="", sa_column_kwargs={"server_default": ""})
    browser: str = Field(default="", sa_column_kwargs={"server_default": ""})  # the hash of a value that it keeps
    tries: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    webauthn_challenge: str = Field(default="", sa_column_kwargs={"server_default": ""})
    expires_at: datetime = Field(sa_type=UtcDateTime, index=True)
    used_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class Invitation(SQLModel, table=True):
    """An invitation to open an account. The secret of its link is stored as a hash; sending it again replaces it.

    It is open until it is accepted or revoked; an email address has one open invitation at most. Without `invited_by`
    the sender's account was deleted, and the link does not work any more.
    """

    __tablename__ = "invitations"
    __table_args__ = (
        _known_role(),
        sa.Index(
            "uq_invitations_open_email",
            "email",
            unique=True,
            sqlite_where=sa.text(IS_OPEN),
            postgresql_where=sa.text(IS_OPEN),
        ),
        AUTOINCREMENT_IDS,
    )

    id: int | None = Field(default=None, primary_key=True)
    email: str
    first_name: str = Field(default="", sa_column_kwargs={"server_default": ""})
    last_name: str = Field(default="", sa_column_kwargs={"server_default": ""})
    role: str
    token_hash: str = Field(unique=True)
    invited_by: int | None = Field(default=None, foreign_key="profiles.id", ondelete="SET NULL", index=True)
    created_at: datetime = created_at_field()
    sent_at: datetime = Field(sa_type=UtcDateTime)
    expires_at: datetime = Field(sa_type=UtcDateTime, index=True)
    accepted_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    revoked_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class EmailChange(SQLModel, table=True):
    """What the release before 1.1 stored: a `SecretLink` today. The release after it drops the table."""

    __tablename__ = "email_changes"

    user_id: int = Field(primary_key=True, foreign_key="profiles.id", ondelete="CASCADE")
    new_email: str
    token_hash: str = Field(unique=True)
    expires_at: datetime = Field(sa_type=UtcDateTime)


def is_active() -> sa.ColumnElement[bool]:
    """The condition that a profile may be used; every query that authenticates a user has it."""
    return col(Profile.deactivated_at).is_(None)
