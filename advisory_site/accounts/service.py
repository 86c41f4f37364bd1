"""What can be done with accounts, in plain Python on the database."""

import sqlalchemy as sa
from sqlmodel import Session

from ..database import now
from ..errors import Conflict
from ..permissions import Role
from .models import Credential, Profile, UserRole
from .passwords import hash_password


def has_admin(session: Session) -> bool:
    """Whether anybody is an admin."""
    return session.execute(sa.select(UserRole.user_id).where(UserRole.role == Role.ADMIN)).first() is not None


def create_admin(session: Session, email: str, password: str, first_name: str = "", last_name: str = "") -> int:
    """Make an admin account whose e-mail counts as confirmed; returns the user's id. `Conflict` if it exists."""
    email = email.strip().lower()
    if session.execute(sa.select(Profile.id).where(Profile.email == email)).first():
        raise Conflict(f"There is already an account for {email}.")
    profile = Profile(email=email, first_name=first_name, last_name=last_name)
    session.add(profile)
    session.flush()
    assert profile.id is not None
    session.add(UserRole(user_id=profile.id, role=Role.ADMIN))
    session.add(Credential(user_id=profile.id, password_hash=hash_password(password), email_confirmed_at=now()))
    return profile.id
