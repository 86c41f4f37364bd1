"""Factories for users with accounts."""

from dataclasses import replace
from datetime import timedelta
from functools import cache

import sqlalchemy as sa

from sitekit.accounts import tokens
from sitekit.accounts.email.email_links import INVITATION_LIFE
from sitekit.accounts.models import AuthSession, Credential, Invitation, LinkPurpose, Profile, SecretLink, UserRole
from sitekit.accounts.password.passwords import hash_password
from sitekit.accounts.sessions import sessions
from sitekit.accounts.sessions.sessions import IssuedSession
from sitekit.base.db.database import now, transaction
from sitekit.base.permissions import Actor, Role

PASSWORD = "a-long-quiet-evening-42"
COST = 4


def mailed_link(user_id: int, purpose: LinkPurpose, secret: str = "mailed secret") -> str:
    """Store a link that was mailed to a user; returns its secret."""
    with transaction() as session:
        digest, expires_at = tokens.hashed(secret), now() + timedelta(hours=1)
        session.add(SecretLink(token_hash=digest, user_id=user_id, purpose=purpose, expires_at=expires_at))
    return secret


@cache
def _hash(password: str) -> str:
    return hash_password(password, COST)


def person(
    email: str = "ann@northstrait.example",
    role: Role | None = Role.EMPLOYEE,
    *,
    password: str = PASSWORD,
    confirmed: bool = True,
) -> int:
    """Store a user with an account; returns the id."""
    with transaction() as session:
        profile = Profile(email=email, first_name="Ann", last_name="Lim")
        session.add(profile)
        session.flush()
        assert profile.id is not None
        if role:
            session.add(UserRole(user_id=profile.id, role=role))
        confirmed_at = now() if confirmed else None
        session.add(Credential(user_id=profile.id, password_hash=_hash(password), email_confirmed_at=confirmed_at))
        return profile.id


def signed_in(user_id: int) -> IssuedSession:
    """A new session of a user."""
    with transaction() as session:
        return sessions.begin(session, user_id, "a test")


def invited(by: int) -> str:
    """The path of the link of somebody new who is invited as an admin."""
    token, moment = tokens.random_token(), now()
    with transaction() as session:
        session.add(
            Invitation(
                email=f"mei.{tokens.hashed(token)[:8]}@northstrait.example",
                role=Role.ADMIN,
                token_hash=tokens.hashed(token),
                invited_by=by,
                sent_at=moment,
                expires_at=moment + INVITATION_LIFE,
            )
        )
    return f"/auth/invitation?token={token}"


def age(minutes: float) -> None:
    """The sessions were proved so long ago."""
    with transaction() as session:
        session.execute(sa.update(AuthSession).values(proved_at=now() - timedelta(minutes=minutes)))


def as_admin(actor: Actor) -> Actor:
    """The same user as an admin."""
    return replace(actor, role=Role.ADMIN)
